/* What the files of LsGraphCanvas share: canvas.c (the widget), canvas-camera.c (which part of a graph is seen), canvas-view.c (what
 * of it is shown), canvas-input.c (pointer and keys), canvas-words.c (what it says). */
#pragma once

#include "views/canvas/tiles.h"
#include "views/graph/canvas.h"

G_BEGIN_DECLS

#define LS_GRAPH_CANVAS_TILED 40    /* nodes; fewer are painted in each frame */

struct _LsGraphCanvas
{
  GtkWidget      parent_instance;

  LsGraphSeries *series;
  LsGraphScene   scene;
  GPtrArray     *matches;
  guint8        *styles;
  double         zoom;
  double         x, y;          /* the layout's point at the upper left corner */
  double         start_x, start_y, start_zoom;  /* when a gesture began */
  double         pointer_x, pointer_y;
  GArray        *nodes;         /* of gint: places of the accessible children */
  gboolean       nodes_stale;
  gboolean       by_itself;     /* ::zoomed is told of, and the user did nothing */
  gboolean       fitted;        /* stays fitted while the widget grows */
  GHashTable    *places;        /* where the nodes were that were drawn last, or NULL */
  gboolean       whole;         /* however small that is; else from the start on, readable */
  gboolean       slide;         /* read from afar */
  LsTiles       *tiles;         /* what was painted of a large graph */
  guint          begun;         /* frames that have gone by for the first picture of a large graph, BEGUN: it is there */
  graphene_rect_t bounds;       /* of all that is painted */
  struct {
    LsLook       look;
    guint        letters;       /* serial of the context of its texts */
  } made_for;                   /* the squares were */
  double         letters;       /* the smallest ones when a graph was measured, in pixels; 0: none was */
  gboolean       overview;      /* a graph is seen whole at first where its names can still be told */
};

static inline gboolean
ls_graph_canvas_has_graph (LsGraphCanvas *self)
{
  return self->scene.layout != NULL && self->scene.series != NULL;
}

/* Is there anything at this place in the shown state, be it what was removed? */
static inline gboolean
ls_graph_canvas_shows (LsGraphCanvas *self,
                       gint           place)
{
  return ls_graph_canvas_has_graph (self) && place >= 0 && (guint) place < self->scene.layout->n_nodes
         && ls_graph_series_state (self->series, self->scene.state)->marks[place] != LS_GRAPH_ABSENT;
}

/* The place at a point of the widget, -1: none. */
static inline gint
ls_graph_canvas_place_at (LsGraphCanvas *self,
                          double         x,
                          double         y)
{
  return ls_graph_canvas_has_graph (self) ? ls_graph_scene_hit (&self->scene, (float) (self->x + x / self->zoom), (float) (self->y + y / self->zoom)) : -1;
}

/* Zooms and keeps the point of the widget where it is. */
void     ls_graph_canvas_zoom_at      (LsGraphCanvas *self,
                                       double         zoom,
                                       double         x,
                                       double         y);
/* Another part is seen: draws, places the accessible children, tells. */
void     ls_graph_canvas_moved        (LsGraphCanvas *self);
void     ls_graph_canvas_clear_marks  (LsGraphCanvas *self);
/* Zoom and origin for the size that it has now, while it is to stay fitted. */
void     ls_graph_canvas_set_fit      (LsGraphCanvas *self);
/* The same at once, and what ls_graph_canvas_moved() does. */
void     ls_graph_canvas_fit_now      (LsGraphCanvas *self);
/* What changes by itself must not leave the view empty: it goes to the node that is nearest. */
void     ls_graph_canvas_keep_in_sight (LsGraphCanvas *self);
/* Where the accessible child with this number is. */
void     ls_graph_canvas_place_node   (GtkWidget     *canvas,
                                       guint          n,
                                       graphene_rect_t *place);
/* The accessible children, and who follows the canvas, in a turn of their own. */
void     ls_graph_canvas_queue_tell   (LsGraphCanvas *self);
/* All is drawn differently from now on; a node and the lines at it are, which draws nothing yet. */
void     ls_graph_canvas_repaint      (LsGraphCanvas *self);
void     ls_graph_canvas_forget_place (LsGraphCanvas *self,
                                       gint           place);
void     ls_graph_canvas_add_controllers (LsGraphCanvas *self);
/* The accessible description: the selected node; and the accessible children: the shown nodes. */
void     ls_graph_canvas_describe     (LsGraphCanvas *self);
void     ls_graph_canvas_tell_nodes   (LsGraphCanvas *self);
/* A handler of GtkWidget::query-tooltip. */
gboolean ls_graph_canvas_tell_tooltip (LsGraphCanvas *self,
                                       int            x,
                                       int            y,
                                       gboolean       keyboard,
                                       GtkTooltip    *tooltip);

G_END_DECLS
