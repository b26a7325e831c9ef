/* LsTuningChart: one of the two charts of a search.  The pointer over a mark looks at its program, a click opens it; the keyboard has the list
 * beside it, which says the same. */
#pragma once

#include "views/canvas/draw-tuning.h"

G_BEGIN_DECLS

#define LS_TYPE_TUNING_CHART (ls_tuning_chart_get_type ())
G_DECLARE_FINAL_TYPE (LsTuningChart, ls_tuning_chart, LS, TUNING_CHART, GtkWidget)

GtkWidget *ls_tuning_chart_new        (LsTuningChartKind  kind);
/* Holds it; once. */
void       ls_tuning_chart_set_tuning (LsTuningChart     *self,
                                       LsTuning          *tuning);
/* Draws what has changed, and says it in words. */
void       ls_tuning_chart_update     (LsTuningChart     *self);

/* The mark of a design, for a row. */
GtkWidget *ls_trial_mark_new          (void);
void       ls_trial_mark_set          (GtkWidget         *mark,
                                       guint              family,
                                       gboolean           failed);

G_END_DECLS
