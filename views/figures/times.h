/* figures/times: the time of each step on one axis, with its figures. */
#pragma once

#include "views/canvas/figure.h"

G_BEGIN_DECLS

/* `path`: LsStepItems from the root on. `conditions` may be NULL. */
void ls_figure_times (LsFigure   *self,
                      GListModel *path,
                      const char *conditions);

/* "Step 5 is ×4.70 faster than step 0.", of the last step that has a time.
 * (transfer full) */
char *ls_figure_times_verdict (GListModel *path);

G_END_DECLS
