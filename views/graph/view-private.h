/* What the files of LsGraphView share: view.c (wishes, the widget), view-export.c (files), view-search.c (the search entry),
 * view-show.c (what the model has to show). */
#pragma once

#include "views/graph/canvas.h"
#include "views/graph/pane.h"
#include "views/graph/view.h"

G_BEGIN_DECLS

struct _LsGraphView
{
  GtkWidget      parent_instance;

  LsSession     *session;
  LsGraphModel  *model;         /* of the session, or NULL */
  GArray        *kinds;         /* of LsGraphKind: rows of the dropdown */
  GPtrArray     *matches;       /* as they are shown; or NULL */
  guint          match;
  guint          way;           /* while groups are opened on the way to it: how many nodes the last one holds; else 0 */
  gboolean       syncing;
  gboolean       narrow;
  gboolean       cramped;
  gboolean       overview;
  int            given;         /* its place by us; 0: not yet */
  gboolean       sized;         /* in this orientation */

  GtkWidget     *paned;
  GtkWidget     *bar;
  GtkWidget     *kind;
  GtkWidget     *search;
  GtkWidget     *found;
  GtkWidget     *previous_match;
  GtkWidget     *next_match;
  GtkWidget     *open_match;
  GtkWidget     *styles;
  GtkWidget     *figure_label;
  GtkWidget     *figure;
  GtkWidget     *zoom_out;
  GtkWidget     *zoom;
  GtkWidget     *zoom_in;
  GtkWidget     *fit;
  GtkWidget     *state_bar;
  GtkWidget     *previous_state;
  GtkWidget     *next_state;
  GtkWidget     *state_name;
  GtkWidget     *state_words;
  GtkWidget     *fold_constants;
  GtkWidget     *add_pass;
  GtkWidget     *edit;
  GtkWidget     *drop_pass;
  GtkWidget     *measure;
  GtkWidget     *timeline;
  GtkWidget     *times;
  GtkWidget     *export;
  GtkWidget     *notice_bar;
  GtkWidget     *notice;
  GtkWidget     *notice_all;
  GtkWidget     *notice_button;
  GtkWidget     *stack;
  GtkWidget     *canvas;
  GtkWidget     *map;
  GtkWidget     *status;
  GtkWidget     *counts;
  GtkWidget     *busy;
  GtkWidget     *cancel;
  GtkWidget     *keys;
  GtkWidget     *side;
};

#define CANVAS(self) LS_GRAPH_CANVAS ((self)->canvas)
#define PANE(self) LS_GRAPH_PANE ((self)->side)

/* ---- view-search.c ---- */

/* The series, its shown state, or NULL. */
LsGraphSeries *ls_graph_view_series (LsGraphView *self);
LsGraphState *ls_graph_view_state (LsGraphView *self);
/* The canvas shows the graph before, until the layout of this one is there. */
gboolean ls_graph_view_is_waiting (LsGraphView *self);

/* The way from match to match; an entry that is left is empty. */
void ls_graph_view_next_match (LsGraphView *self);
void ls_graph_view_previous_match (LsGraphView *self);
void ls_graph_view_leave_search (LsGraphView *self);
/* Opens the folded groups around the match that one is at, one after the other. */
void ls_graph_view_open_match (LsGraphView *self);
/* The layout of what it opened is there. */
void ls_graph_view_go_on (LsGraphView *self);
void ls_graph_view_add_search_keys (LsGraphView *self);
/* What is searched for, in the state that is shown now; `go`: to the first match. Else one stays at the same match where there are as many. */
void ls_graph_view_search_again (LsGraphView *self, gboolean go);
void ls_graph_view_search_changed (LsGraphView *self);
/* The bar is full while one searches. */
void ls_graph_view_show_figure_label (LsGraphView *self);

/* ---- view-export.c ---- */

/* Both ask for a name, whose ending says as what. */
void ls_graph_view_export (LsGraphView *self);
void ls_graph_view_export_run (LsGraphView *self);

/* ---- view-show.c: what follows the signals of the model ---- */

void ls_graph_view_figure_chosen (LsGraphView *self);
void ls_graph_view_kind_chosen (LsGraphView *self);
/* With the letters that there are now. */
void ls_graph_view_lay_out (LsGraphView *self);
void ls_graph_view_layout_changed (LsGraphView *self);
void ls_graph_view_numbers_changed (LsGraphView *self);
void ls_graph_view_pins_changed (LsGraphView *self);
void ls_graph_view_selection_changed (LsGraphView *self);
void ls_graph_view_series_changed (LsGraphView *self);
void ls_graph_view_show_empty (LsGraphView *self);
void ls_graph_view_state_changed (LsGraphView *self);
void ls_graph_view_styles_changed (LsGraphView *self);
void ls_graph_view_told (LsGraphView *self);
void ls_graph_view_zoomed (LsGraphView *self);

/* Whether the strip of times is to be seen. */
void ls_graph_view_timeline_toggled (LsGraphView *self);

G_END_DECLS
