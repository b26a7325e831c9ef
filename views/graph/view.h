/* LsGraphView: the graph page: canvas, search, figures on nodes, passes; at its right what the selected call runs. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_GRAPH_VIEW (ls_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (LsGraphView, ls_graph_view, LS, GRAPH_VIEW, GtkWidget)

#define LS_GRAPH_N_PANES 3

void ls_graph_view_set_session  (LsGraphView *self,
                                 LsSession   *session);
/* Narrow: the pane at the right goes below. */
void ls_graph_view_set_narrow   (LsGraphView *self,
                                 gboolean     narrow,
                                 gboolean     cramped);
/* The whole graph is what is wanted at first, and has more of the height. */
void ls_graph_view_set_overview (LsGraphView *self,
                                 gboolean     overview);
/* On a slide a graph opens larger than it is drawn elsewhere, as far as there is room, and never with letters that the last row cannot read;
 * it has all the room, without the list of nodes. */
void         ls_graph_view_set_slide (LsGraphView *self,
                                      gboolean     slide);
void ls_graph_view_start_search (LsGraphView *self);
void ls_graph_view_search_next  (LsGraphView *self);
/* Panes for F6: canvas, list of nodes, the called function. */
void ls_graph_view_focus_pane   (LsGraphView *self,
                                 guint        pane);
/* -1: the focus is elsewhere. */
int  ls_graph_view_find_focus   (LsGraphView *self,
                                 GtkWidget   *focus);

G_END_DECLS
