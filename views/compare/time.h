/* LsCompareTime: the time card of a comparison: a sentence, all samples, the figures. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/comparison.h"

G_BEGIN_DECLS

#define LS_TYPE_COMPARE_TIME (ls_compare_time_get_type ())
G_DECLARE_FINAL_TYPE (LsCompareTime, ls_compare_time, LS, COMPARE_TIME, GtkWidget)

GtkWidget *ls_compare_time_new (void);
/* Borrows; needed as long as it is shown. */
void       ls_compare_time_set (LsCompareTime *self,
                                LsComparison  *comparison);

/* low: words, chart and figures stand side by side, there is little height; whole: it never scrolls by itself. */
void       ls_compare_time_set_shape (LsCompareTime *self,
                                      gboolean       low,
                                      gboolean       whole);
/* Height that words which wrap need beyond what the scrolled window around them asks for. */
int        ls_compare_time_get_lack  (LsCompareTime *self);

G_END_DECLS
