/* LsGraphCanvas: the drawn graph: pan, zoom, hit test, keyboard.
 *
 * Drag or scroll pans, Ctrl+scroll and pinch zoom, arrows go from node to node along the edges, Enter opens, F fits,
 * plus and minus zoom.  One drawn widget: its accessible description says the selected node; the node list is its text twin.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/canvas/draw-graph.h"

G_BEGIN_DECLS

#define LS_TYPE_GRAPH_CANVAS (ls_graph_canvas_get_type ())
G_DECLARE_FINAL_TYPE (LsGraphCanvas, ls_graph_canvas, LS, GRAPH_CANVAS, GtkWidget)

/* Signals: ::selected (int place), -1: none; ::activated (int place); ::zoomed: another part of another graph may be seen; ::marked: others are
 * chosen together (Ctrl+click, Space); ::letters: see ls_graph_canvas_measure(). */
GtkWidget *ls_graph_canvas_new          (void);
/* What a layout is asked for with: the sizes of nodes, titles and labels with the letters that it has now.  When it has others, ::letters is emitted, and
 * the graph is to be laid out with these. Floating. */
GVariant  *ls_graph_canvas_measure      (LsGraphCanvas       *self,
                                         LsGraphSeries       *series);
/* TRUE: since it was measured last the letters have become others. */
gboolean   ls_graph_canvas_has_other_letters (LsGraphCanvas  *self);
/* What is drawn; borrowed references are taken.  NULL empties.  Another layout of the same series shows the same part of it. */
void       ls_graph_canvas_set_graph    (LsGraphCanvas       *self,
                                         LsGraphSeries       *series,
                                         const LsGraphLayout *layout);
void       ls_graph_canvas_set_state    (LsGraphCanvas       *self,
                                         guint                state);
void       ls_graph_canvas_set_figure   (LsGraphCanvas       *self,
                                         LsGraphFigure        figure);
void       ls_graph_canvas_set_matches  (LsGraphCanvas       *self,
                                         GPtrArray           *matches,
                                         guint                match);
/* Of each node of the shown state's graph the number of its colour plus one (taken), or NULL; they go with the graph and its state. */
void       ls_graph_canvas_set_styles   (LsGraphCanvas       *self,
                                         guint8              *styles);
/* Selects without a signal. */
void       ls_graph_canvas_set_selected (LsGraphCanvas       *self,
                                         gint                 place);
gint       ls_graph_canvas_get_selected (LsGraphCanvas       *self);
/* What is chosen together, in the order of places; the selected one alone where nothing else is. (transfer full) of gint */
GArray    *ls_graph_canvas_get_marked   (LsGraphCanvas       *self);
/* Chooses one more, or no more. */
void       ls_graph_canvas_toggle_mark  (LsGraphCanvas       *self,
                                         gint                 place);
/* Brings a place into view. */
void       ls_graph_canvas_reveal       (LsGraphCanvas       *self,
                                         gint                 place);
void       ls_graph_canvas_fit          (LsGraphCanvas       *self);
/* A graph that is looked at beside a text is seen whole at first, unless it is so large that its names could not be told apart; otherwise
 * its beginning is, readable. */
/* It is read from afar: see ls_graph_view_set_slide(). */
void       ls_graph_canvas_set_slide    (LsGraphCanvas       *self,
                                         gboolean             slide);
void       ls_graph_canvas_set_overview (LsGraphCanvas       *self,
                                         gboolean             overview);
void       ls_graph_canvas_zoom_by      (LsGraphCanvas       *self,
                                         double               factor);
/* Moves what is seen by so many pixels of the widget. */
void       ls_graph_canvas_pan_by       (LsGraphCanvas       *self,
                                         double               dx,
                                         double               dy);
/* What is seen, in units of the layout; and brings a point of it into the middle. */
void       ls_graph_canvas_get_view     (LsGraphCanvas       *self,
                                         graphene_rect_t     *view);
void       ls_graph_canvas_center       (LsGraphCanvas       *self,
                                         double               x,
                                         double               y);
double     ls_graph_canvas_get_zoom     (LsGraphCanvas       *self);
/* Sees what another canvas of the same layout sees, from its upper left corner on; nothing is told where it does already. */
void       ls_graph_canvas_follow       (LsGraphCanvas       *self,
                                         LsGraphCanvas       *other);
/* Sees all that any state of its layout has. */
void       ls_graph_canvas_see_layout   (LsGraphCanvas       *self);
/* TRUE: it is on the screen, and nothing of the graph is in sight. */
gboolean   ls_graph_canvas_is_empty     (LsGraphCanvas       *self);
/* In ::zoomed, TRUE: the graph, its state or the size of the widget changed, it was not the user. */
gboolean   ls_graph_canvas_moves_by_itself (LsGraphCanvas    *self);
/* The scene as it stands, for figures; NULL layout when there is none. */
const LsGraphScene *ls_graph_canvas_get_scene (LsGraphCanvas *self);

/* Pins of loops and blocks (draw-graph.h), which the canvas keeps; NULL: none. */
void       ls_graph_canvas_set_pins     (LsGraphCanvas *self,
                                         GHashTable    *pins);

G_END_DECLS
