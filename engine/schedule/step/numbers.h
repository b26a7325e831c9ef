/* numbers: does a step that is warned of change what the program computes?
 *
 * Conditions say "may": whether a copy holds all that is read of it, whether a block runs for each of its instances.  A run knows.  The
 * program before and after the step computes in the interpreter on the same random numbers; where that is not too long, a difference
 * is certain, and a strict schedule refuses the step.  Where there is none, the warning says so.
 */
#pragma once

#include "engine/schedule/step/move.h"

G_BEGIN_DECLS

/* A sentence with the first element that differs, or (*stops) with the error that the program now ends with.  NULL: none was found in the
 * functions that changed, or they cannot be run here, or it would take too long; *rounds: so many runs on different numbers, of each that
 * changed, gave the same. (transfer full) */
char *ls_numbers_difference (LsModule *before,
                             LsModule *now,
                             gboolean *stops,
                             guint    *rounds);
/* Does a strict schedule take a step that is warned of, by finding number `first` or a later one?  Not where a run shows that the numbers
 * change: that finding is an error then. */
gboolean ls_numbers_keep (LsMove        *move,
                          LsModule      *before,
                          LsDiagnostics *diagnostics,
                          guint          first);

G_END_DECLS
