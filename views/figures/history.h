/* figures/history: the steps with their rail, what each did and what it cost. */
#pragma once

#include "views/canvas/figure.h"

G_BEGIN_DECLS

/* `rows`: LsStepItems in display order; `words`: what each did, or "" (as many as
 * rows); `title` and `place` stand above. */
void ls_figure_history (LsFigure           *self,
                        GListModel         *rows,
                        const char *const  *words,
                        const char         *title,
                        const char         *place);

G_END_DECLS
