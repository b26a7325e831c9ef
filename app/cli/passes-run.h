/* cli/passes-run: a function of a module of LLVM after each pass: its time and its result. */
#pragma once

#include "app/cli/input.h"
#include "engine/passlog/passlog.h"

typedef struct {
  const char *entry;            /* a function of the module */
  const char *arguments;        /* "f32[64] i32=64", or NULL */
  const char *pipeline;         /* in the notation of opt; NULL: what -O2 does */
  guint64     seed;
} LsCliPassesRun;

/* Of a text that is one module: it after each pass, run by the worker. NULL: it said why. (transfer full) */
LsPassLog *ls_cli_passes_step (const char           *command,
                               const char           *text,
                               const char           *pipeline);
/* What the program took as a dump left it. */
typedef struct {
  guint    dump;
  double   median, iqr;         /* ns; 0: it did not run */
  char    *wrong;               /* what of the result differs from the first dump's, "" for nothing; or why it did not run */
} LsCliPassesTimed;

/* The first dump and each whose pass changed something, compiled and called. NULL: it said why not. (transfer full): of LsCliPassesTimed */
GArray    *ls_cli_passes_time (const char           *command,
                               LsPassLog            *log,
                               const LsCliPassesRun *run);
/* Prints time and result of these.  Returns: the command's status; LS_CLI_FAILED also when a result is wrong or a dump does not run. */
int        ls_cli_passes_run  (const char           *command,
                               LsPassLog            *log,
                               const LsCliPassesRun *run,
                               gboolean              json);
