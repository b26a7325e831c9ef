/* session/run: what all share that ask the worker to run programs of a session. */
#pragma once

#include <glib.h>

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* The function that is run: the first PrimFunc of the module, or NULL. Borrowed. */
const char *ls_run_function  (LsModule     *module);
/* What the end of the worker means for who waits for its answer; `tag` is the step that it ran, or NULL. (transfer full) */
char       *ls_run_end_words (const GError *error,
                              const char   *tag,
                              guint         timeout_ms);

G_END_DECLS
