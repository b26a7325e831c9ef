/* LsGraphPane: the pane beside the graph: all nodes as a list (the canvas in words), or what the selected node runs. */
#pragma once

#include <gtk/gtk.h>

#include "views/canvas/draw-graph.h"
#include "views/models/graph-model.h"

G_BEGIN_DECLS

/* ::chosen (int place): a row of the list was selected; -1: back to the list.  ::opened (int place): it was activated. */
#define LS_TYPE_GRAPH_PANE (ls_graph_pane_get_type ())
G_DECLARE_FINAL_TYPE (LsGraphPane, ls_graph_pane, LS, GRAPH_PANE, GtkWidget)

void     ls_graph_pane_set_model   (LsGraphPane   *self,
                                    LsGraphModel  *model);
/* What the rows say beside the name. */
void     ls_graph_pane_set_figure  (LsGraphPane   *self,
                                    LsGraphFigure  figure);
/* Wide and low: loop nest and text side by side. */
void     ls_graph_pane_set_narrow  (LsGraphPane   *self,
                                    gboolean       narrow);
/* To the list, with the focus in it. */
void     ls_graph_pane_focus_list  (LsGraphPane   *self);
void     ls_graph_pane_focus_detail (LsGraphPane  *self);
/* 0: in the list, 1: in the detail, -1: elsewhere. */
int      ls_graph_pane_find_focus  (LsGraphPane   *self,
                                    GtkWidget     *focus);

G_END_DECLS
