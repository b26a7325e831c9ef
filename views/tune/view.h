/* LsTuneView: the Tune page: a search over schedules of the shown program, while it goes on.
 *
 *   head      how many trials, how long; start, pause, stop, keep; how far it is
 *   list      the candidates, fastest first
 *   charts    the best time over the trials; predicted against measured
 *   pane      the candidate that is looked at
 *   tree      which decisions matter, and which of their values
 */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_TUNE_VIEW (ls_tune_view_get_type ())
G_DECLARE_FINAL_TYPE (LsTuneView, ls_tune_view, LS, TUNE_VIEW, GtkWidget)

GtkWidget *ls_tune_view_new         (void);
/* Once.  A session without a tuning shows that there is none. */
void       ls_tune_view_set_session (LsTuneView *self,
                                     LsSession  *session);
/* Under 1100 px the pane goes below the charts, in little room all below each other. */
void       ls_tune_view_set_narrow  (LsTuneView *self,
                                     gboolean    narrow,
                                     gboolean    cramped);

G_END_DECLS
