/* Kernels for tests of the simulator: read, scheduled, lowered, run. */
#pragma once

#include "engine/script/script.h"
#include "engine/simt/simt.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

/* The only function of a program with its steps ("": none). (transfer full) */
LsPrimFunc *simt_test_read   (const char *program, const char *steps);
/* The same lowered for "cuda". (transfer full) */
LsPrimFunc *simt_test_lower  (LsPrimFunc *func);
LsPrimFunc *simt_test_lower_for (LsPrimFunc *func, const char *device);
/* Runs it; errors are failures of the test. (transfer full) */
LsSimtRun  *simt_test_run    (LsPrimFunc *lowered, GPtrArray *arrays, const LsSimtOptions *options);
/* Runs and gives the error. */
LsSimtRun  *simt_test_try    (LsPrimFunc *lowered, GPtrArray *arrays, const LsSimtOptions *options, GError **error);
/* The whole way with arrays of its own: a body of TVMScript within a function of these parameters. (transfer full) */
LsSimtRun  *simt_test_body   (const char *parameters, const char *body);
/* The store to or load of a buffer. */
const LsSimtSite *simt_test_site (LsSimtRun *run, const char *buffer, gboolean is_store);
