/* base/findings: the beginning of a long list of findings; the list itself is in base.h (LsDiagnostics).
 *
 * A header of its own: one caller wants it, and all of the engine includes base.h.
 */
#pragma once

#include "engine/base/base.h"

/* The first `most` findings as ls_diagnostics_print has them, and how many more there are. (transfer full) */
char *ls_diagnostics_print_first (LsDiagnostics *self,
                                  guint          most);
