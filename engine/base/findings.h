/* base/findings: the beginning of a long list of findings, and repairs that a program can make; the list itself is in base.h (LsDiagnostics).
 *
 * A header of its own: few callers want it, and all of the engine includes base.h.
 */
#pragma once

#include "engine/base/base.h"

/* The first `most` findings as ls_diagnostics_print has them, and how many more there are. (transfer full) */
char *ls_diagnostics_print_first (LsDiagnostics *self,
                                  guint          most);

/* The message of finding number `i` gets one more sentence. */
void        ls_diagnostics_add_sentence (LsDiagnostics *self,
                                         guint          i,
                                         const char    *sentence);

/* Finding number `i` is an error from now on, whatever it was, and its message has one more sentence. */
void        ls_diagnostics_make_error (LsDiagnostics   *self,
                                       guint            i,
                                       const char      *sentence);

/* The repair as a change of the text: what stands at `span` becomes `text` (copied).  For what is clearly meant; `self` may be NULL. */
void        ls_diagnostic_set_fix  (LsDiagnostic       *self,
                                    LsSpan              span,
                                    const char         *text);
/* NULL: none, else what is to stand at *span. Borrowed */
const char *ls_diagnostic_get_fix  (const LsDiagnostic *self,
                                    LsSpan             *span);
