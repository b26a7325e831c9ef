/* LsCompareCanvas: the ribbons of a comparison as a widget; as high as they need. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/comparison.h"

G_BEGIN_DECLS

#define LS_TYPE_COMPARE_CANVAS (ls_compare_canvas_get_type ())
G_DECLARE_FINAL_TYPE (LsCompareCanvas, ls_compare_canvas, LS, COMPARE_CANVAS, GtkWidget)

GtkWidget *ls_compare_canvas_new (void);
/* NULL shows nothing. */
void       ls_compare_canvas_set (LsCompareCanvas *self,
                                  LsComparison    *comparison);

G_END_DECLS
