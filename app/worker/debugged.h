/* worker/debugged: the program that a method of the debugger is asked about. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* Reads `text`; `toy` > 0: with its extents shrunk to about that.  NULL with an error. (transfer full) */
LsModule *ls_worker_debugged (const char  *text,
                              gint64       toy,
                              GError     **error);
/* The programs of a request at a toy size: `base` (text) before, and after each of `steps` (traces as JSON). *words gets what became of which extent. NULL with
 * an error. (transfer full) of LsModule, as many as there are traces */
GPtrArray *ls_worker_toys (GVariant   *params,
                           gint64      size,
                           char      **words,
                           GError    **error);
/* " 16 32": the row and column from which the part of a buffer is shown that the statement of `look` touches, or ""; all of it from its begin where it is not
 * larger than what is shown.  `grid` begins with the name of the buffer. (transfer full) */
char     *ls_worker_part_touched (GVariant   *look,
                                  const char *grid);
/* "C[2] 32 0", as `grid` says it, with the slice that the statement of `look` touches in the place of its own; itself where it touches none. (transfer full) */
char     *ls_worker_slice_followed (GVariant   *look,
                                    const char *grid);

/* The programs of a request (module; left, right; modules) could not be begun: where they have symbolic sizes that `set` does not give, the answer that asks
 * for them ("asks", names), and *error is cleared; else NULL. */
GVariant *ls_worker_asks (GVariant  *params,
                          GError   **error);

G_END_DECLS
