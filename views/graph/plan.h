/* LsGraphPlan: boxes in a plane over the calls of a graph: values in a storage from their call to their last use, or calls over the time of a run.
 * One drawn widget; what the pointer is on or the arrow keys chose is said below it and to screen readers.  The wheel with Ctrl, + and - show a part
 * of the width, which the wheel moves; F shows all of it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_GRAPH_PLAN (ls_graph_plan_get_type ())
G_DECLARE_FINAL_TYPE (LsGraphPlan, ls_graph_plan, LS, GRAPH_PLAN, GtkWidget)

typedef struct {
  double x0, x1, y0, y1;        /* y grows upwards */
  gint   node;                  /* what it stands for, to be told */
  char  *label;                 /* on it, where there is room */
  char  *words;                 /* all that is to be said of it */
} LsGraphPlanBox;

/* Of LsGraphPlanBox, which frees their texts. (transfer full) */
GArray    *ls_graph_plan_boxes  (void);
/* Signal: ::chosen (int node), by click or key. */
GtkWidget *ls_graph_plan_new    (void);
/* It has one row of boxes, and needs no more height than that. */
void       ls_graph_plan_set_low (LsGraphPlan *self);
/* What is drawn from (0, 0) up to (width, height), which are 1 at least where they are not known; takes the boxes (NULL: none).  `mark`: a place
 * on the x axis with a line, below 0: none; `top` is said at the upper edge, `name` to screen readers. */
void       ls_graph_plan_set    (LsGraphPlan *self,
                                 GArray      *boxes,
                                 double       width,
                                 double       height,
                                 double       mark,
                                 const char  *top,
                                 const char  *name);
/* Marks the boxes of a node, -1: none; tells nobody. */
void       ls_graph_plan_choose (LsGraphPlan *self,
                                 gint         node);

G_END_DECLS
