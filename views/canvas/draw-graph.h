/* draw-graph: a laid out graph with the marks of the look: measured and painted onto a GtkSnapshot.
 *
 * Values are stadiums, calls rectangles, results have a thick outline, dataflow blocks a dotted frame with their rule in
 * words.  The same code paints the window's canvas and the figures of the exporter.
 */
#pragma once

#include "engine/graph/layout.h"
#include "engine/graph/series.h"
#include "views/canvas/draw.h"
#include "views/models/graph-figure.h"

G_BEGIN_DECLS

/* What is drawn; all borrowed. */
typedef struct {
  LsGraphSeries       *series;
  guint                state;           /* which of its states */
  const LsGraphLayout *layout;          /* of series->whole */
  LsGraphFigure        figure;          /* laid over the calls */
  GPtrArray           *matches;         /* of GArray of guint, numbers in the state's graph; or NULL */
  guint                match;           /* the one with the bracket */
  gint                 selected;        /* place, -1: none */
  gint                 focused;         /* place with the keyboard's frame, -1: none */
  gint                 hovered;
  const guint8        *styles;          /* of each node of the state's graph the number of its colour plus one, 0: none; or NULL */
  GHashTable          *marked;          /* places that are chosen together with the selected one, as keys; or NULL */
  GHashTable          *pins;            /* of loops and blocks, by ls_graph_pin_key(); or NULL */
} LsGraphScene;

#define ls_graph_scene_is_marked(scene, place) ((scene)->marked != NULL && g_hash_table_contains ((scene)->marked, GUINT_TO_POINTER (place)))
/* As ls_graph_style_nodes() has it. */
#define ls_graph_scene_style(scene, state_, place) \
  ((scene)->styles != NULL && (state_)->nodes[place] >= 0 ? (scene)->styles[(state_)->nodes[place]] : 0)
/* Pins are known by the row of their loop or block: its set, and in the second byte that of what a block uses. */
#define ls_graph_pin_key(row) GSIZE_TO_POINTER ((gsize) (row))
#define ls_graph_pin_value(pins, uses) GUINT_TO_POINTER ((guint) (pins) | (guint) (uses) << 8)

/* Sizes of nodes (places), labels and titles for the layout; arrays for series->whole. (transfer full) */
LsGraphSize *ls_graph_measure_nodes  (PangoContext       *pango,
                                      LsGraphSeries      *series);
LsGraphSize *ls_graph_measure_labels (PangoContext       *pango,
                                      LsGraphSeries      *series);
LsGraphSize *ls_graph_measure_titles (PangoContext       *pango,
                                      LsGraphSeries      *series);
/* Labels are laid out up to this many edges. */
#define LS_GRAPH_MAX_LABELS 500
/* The whole request for the worker's "layout", floating. */
GVariant    *ls_graph_measure        (PangoContext       *pango,
                                      LsGraphSeries      *series);

/* Paints what is within `visible` (units of the layout; NULL: all).  `zoom` decides what is worth drawing: below 0.4 no text. */
void         ls_draw_graph           (GtkSnapshot           *snapshot,
                                      PangoContext          *pango,
                                      const LsLook          *look,
                                      const LsGraphScene    *scene,
                                      const graphene_rect_t *visible,
                                      double                 zoom);
/* One node of it once more, over what was painted before: as the scene has it now, under the pointer for instance. */
void         ls_draw_graph_node      (GtkSnapshot           *snapshot,
                                      PangoContext          *pango,
                                      const LsLook          *look,
                                      const LsGraphScene    *scene,
                                      guint                  place,
                                      double                 zoom);
/* What is painted differently when this place is selected, or is no more: it and the lines at it. */
void         ls_graph_scene_around   (const LsGraphScene    *scene,
                                      guint                  place,
                                      graphene_rect_t       *area);
/* The part of the layout that the state uses, with or without what was removed; empty when it has no nodes. */
void         ls_graph_scene_bounds   (const LsGraphScene *scene,
                                      gboolean            ghosts,
                                      graphene_rect_t    *bounds);
/* Does this edge of the whole graph lead to or from a node that the shown state lost?  It is drawn faintly, with the node's shadow. */
gboolean     ls_graph_scene_is_shadow_line (const LsGraphScene *scene,
                                            guint               i);
/* Of "residual block · layer3.7" what tells it from the others: "layer3.7"; *before: "residual block · ", with its length.  Of what is no group the title. */
const char  *ls_graph_own_name       (const LsGraphNode  *node,
                                      gsize              *before);
/* Every place that a match shows, and how many matches begin there. (transfer full) */
GHashTable  *ls_graph_scene_matches  (const LsGraphScene *scene);
/* The place at a point, -1: none. */
gint         ls_graph_scene_hit      (const LsGraphScene *scene,
                                      float               x,
                                      float               y);

/* Height in pixels of the font of the smallest letters on a node, at a zoom of 1. */
double ls_graph_smallest_letters (PangoContext *pango);

G_END_DECLS
