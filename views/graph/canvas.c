/* LsGraphCanvas: see the header.  Origin and zoom map the layout to the widget: x_widget = (x - origin.x) * zoom.
 *
 * A graph that shares nodes with the one before (after another pass, another fold) stays where it is: zoom is kept and the
 * origin goes with the nodes that both have, unless all was in view and would not be any more. */
#include "views/graph/canvas.h"
#include "views/parts/canvas-nodes.h"
#include "views/parts/theme.h"

#include "views/canvas/text-cache.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>
#include <math.h>

#define ZOOM_LEAST 0.02
#define ZOOM_MOST 3.0
#define MARGIN 24.0
#define SLIDE_READABLE 20.0      /* the same on a slide */
#define SLIDE_MOST 3.0          /* times as large as elsewhere */
#define READABLE 11.0            /* pixels of the smallest letters when a graph opens */
#define TELLABLE 0.35

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
  gboolean       fitted;        /* stays fitted while the widget grows */
  GHashTable    *places;        /* where the nodes were that were drawn last, or NULL */
  gboolean       whole;         /* however small that is; else from the start on, readable */
  gboolean       slide;         /* read from afar */
  gboolean       overview;      /* a graph is seen whole at first where its names can still be told */
};

G_DEFINE_FINAL_TYPE (LsGraphCanvas, ls_graph_canvas, GTK_TYPE_WIDGET)

enum { SELECTED, ACTIVATED, ZOOMED, MARKED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- where ------------------------------------------------------------------------ */

static gboolean
has_graph (LsGraphCanvas *self)
{
  return self->scene.layout != NULL && self->scene.series != NULL;
}

static void
place_node (GtkWidget       *canvas,
            guint            n,
            graphene_rect_t *place)
{
  LsGraphCanvas *self = LS_GRAPH_CANVAS (canvas);
  gint at = n < self->nodes->len ? g_array_index (self->nodes, gint, n) : -1;

  if (!has_graph (self) || at < 0 || (guint) at >= self->scene.layout->n_nodes)
    return;
  *place = GRAPHENE_RECT_INIT ((float) ((self->scene.layout->nodes[at].x - self->x) * self->zoom),
                               (float) ((self->scene.layout->nodes[at].y - self->y) * self->zoom),
                               (float) (self->scene.layout->nodes[at].width * self->zoom),
                               (float) (self->scene.layout->nodes[at].height * self->zoom));
}

static void
moved (LsGraphCanvas *self)
{
  ls_canvas_nodes_place (GTK_WIDGET (self), place_node);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOMED], 0);
}

/* Letters that were made larger can be read from farther away. */
static double
least_start (LsGraphCanvas *self)
{
  if (self->slide)
    return SLIDE_READABLE / ls_graph_smallest_letters (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  if (self->overview)
    return TELLABLE * 100.0 / ls_theme_get_scale ();
  return MIN (1.0, READABLE / ls_graph_smallest_letters (gtk_widget_get_pango_context (GTK_WIDGET (self))));
}

/* Where the program begins: the middle of the first node in program order that computes, or else is there. */
static double
first_x (LsGraphCanvas *self)
{
  LsGraphState *state = ls_graph_series_state (self->series, self->scene.state);
  gint found = -1;

  for (guint i = 0; i < self->scene.layout->n_nodes; i++)
    {
      if (state->nodes[i] < 0)
        continue;
      if (found < 0)
        found = (gint) i;
      if (ls_graph_node (self->series->whole, i)->kind == LS_GRAPH_NODE_VALUE)
        continue;
      found = (gint) i;
      break;
    }
  return found >= 0 ? self->scene.layout->nodes[found].x + self->scene.layout->nodes[found].width / 2.0 : 0.0;
}

/* What changes by itself must not leave the view empty: it goes to the node that is nearest. */
static void
keep_in_sight (LsGraphCanvas *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom, least = INFINITY;
  const LsGraphBox *nearest = NULL;
  LsGraphState *state;

  if (!has_graph (self) || width <= 0.0 || height <= 0.0)
    return;
  state = ls_graph_series_state (self->series, self->scene.state);
  for (guint i = 0; i < self->scene.layout->n_nodes; i++)
    {
      const LsGraphBox *box = &self->scene.layout->nodes[i];
      double dx = MAX (MAX ((double) box->x - self->x - width, self->x - (double) box->x - (double) box->width), 0.0);
      double dy = MAX (MAX ((double) box->y - self->y - height, self->y - (double) box->y - (double) box->height), 0.0);

      if (state->nodes[i] < 0 || box->width <= 0.0f || hypot (dx, dy) >= least)
        continue;
      least = hypot (dx, dy);
      nearest = box;
    }
  if (nearest == NULL || least == 0.0)
    return;
  self->x = (double) nearest->x + (double) nearest->width / 2.0 - width / 2.0;
  self->y = (double) nearest->y + (double) nearest->height / 2.0 - height / 2.0;
}

static void
set_fit (LsGraphCanvas *self)
{
  graphene_rect_t bounds;
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!has_graph (self) || width <= 0.0 || height <= 0.0)
    return;
  ls_graph_scene_bounds (&self->scene, FALSE, &bounds);
  if (bounds.size.width <= 0.0f)
    return;
  self->zoom = MIN (self->slide ? SLIDE_MOST : 1.0, MIN ((width - 2.0 * MARGIN) / bounds.size.width, (height - 2.0 * MARGIN) / bounds.size.height));
  self->zoom = CLAMP (self->zoom, self->whole ? ZOOM_LEAST : least_start (self), ZOOM_MOST);
  self->x = bounds.origin.x + bounds.size.width / 2.0 - width / 2.0 / self->zoom;
  self->y = bounds.origin.y + bounds.size.height / 2.0 - height / 2.0 / self->zoom;
  if (bounds.size.height * self->zoom > height)
    self->y = bounds.origin.y - MARGIN / self->zoom;
  if (bounds.size.width * self->zoom > width)
    self->x = CLAMP (first_x (self) - width / 2.0 / self->zoom, bounds.origin.x - MARGIN / self->zoom,
                     bounds.origin.x + bounds.size.width + (MARGIN - width) / self->zoom);
  keep_in_sight (self);
}

static void
fit_now (LsGraphCanvas *self)
{
  set_fit (self);
  moved (self);
}

static void tell_nodes (LsGraphCanvas *self);

static void
tell_zoom (gpointer data)
{
  LsGraphCanvas *self = data;

  if (self->nodes_stale)
    tell_nodes (self);
  moved (self);
}

/* In a turn of its own: not while sizes or the graph are being set. */
static void
queue_tell (LsGraphCanvas *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, tell_zoom);
}

void
ls_graph_canvas_fit (LsGraphCanvas *self)
{
  self->fitted = TRUE;
  self->whole = TRUE;
  fit_now (self);
}

void
ls_graph_canvas_set_slide (LsGraphCanvas *self,
                           gboolean       slide)
{
  self->slide = slide;
  if (self->fitted)
    fit_now (self);
}

void
ls_graph_canvas_set_overview (LsGraphCanvas *self,
                              gboolean       overview)
{
  self->overview = overview;
  if (self->fitted)
    fit_now (self);
}

static void
zoom_at (LsGraphCanvas *self,
         double         zoom,
         double         x,
         double         y)
{
  zoom = CLAMP (zoom, ZOOM_LEAST, ZOOM_MOST);
  self->x += x / self->zoom - x / zoom;
  self->y += y / self->zoom - y / zoom;
  self->zoom = zoom;
  self->fitted = FALSE;
  moved (self);
}

void
ls_graph_canvas_zoom_by (LsGraphCanvas *self,
                         double         factor)
{
  zoom_at (self, self->zoom * factor, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0, gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

double
ls_graph_canvas_get_zoom (LsGraphCanvas *self)
{
  return self->zoom;
}

void
ls_graph_canvas_pan_by (LsGraphCanvas *self,
                        double         dx,
                        double         dy)
{
  self->x += dx / self->zoom;
  self->y += dy / self->zoom;
  self->fitted = FALSE;
  moved (self);
}

void
ls_graph_canvas_follow (LsGraphCanvas *self,
                        LsGraphCanvas *other)
{
  if (self->x == other->x && self->y == other->y && self->zoom == other->zoom)
    return;
  self->x = other->x;
  self->y = other->y;
  self->zoom = other->zoom;
  self->fitted = FALSE;
  moved (self);
}

void
ls_graph_canvas_get_view (LsGraphCanvas   *self,
                          graphene_rect_t *view)
{
  *view = GRAPHENE_RECT_INIT ((float) self->x, (float) self->y, (float) (gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom),
                              (float) (gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom));
}

void
ls_graph_canvas_center (LsGraphCanvas *self,
                        double         x,
                        double         y)
{
  graphene_rect_t view;

  ls_graph_canvas_get_view (self, &view);
  ls_graph_canvas_pan_by (self, (x - view.origin.x - view.size.width / 2.0) * self->zoom, (y - view.origin.y - view.size.height / 2.0) * self->zoom);
}

void
ls_graph_canvas_reveal (LsGraphCanvas *self,
                        gint           place)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  const LsGraphBox *box;

  if (!has_graph (self) || place < 0 || (guint) place >= self->scene.layout->n_nodes || width <= 0.0)
    return;
  box = &self->scene.layout->nodes[place];
  if (box->x < self->x || box->x + box->width > self->x + width)
    self->x = box->x + box->width / 2.0 - width / 2.0;
  if (box->y < self->y || box->y + box->height > self->y + height)
    self->y = box->y + box->height / 2.0 - height / 2.0;
  moved (self);
}

/* ---- what -------------------------------------------------------------------------- */

static gboolean
is_shown (LsGraphCanvas *self,
          gint           place)
{
  return has_graph (self) && place >= 0 && (guint) place < self->scene.layout->n_nodes
         && ls_graph_series_state (self->series, self->scene.state)->marks[place] != LS_GRAPH_ABSENT;
}

/* The node as it is in the shown state. */
static const LsGraphNode *
node_of (LsGraphCanvas *self,
         gint           place)
{
  LsGraphState *state = ls_graph_series_state (self->series, self->scene.state);

  return state->nodes[place] >= 0 ? ls_graph_node (state->graph, state->nodes[place]) : ls_graph_node (self->series->whole, place);
}

/* "pinned A, uses what is pinned B"; NULL: neither. (transfer full) */
static char *
pin_words (LsGraphCanvas *self,
           gint           place)
{
  const LsGraphNode *node = node_of (self, place);
  guint value = self->scene.pins != NULL && node->entity != 0
                  ? GPOINTER_TO_UINT (g_hash_table_lookup (self->scene.pins, ls_graph_pin_key (node->entity))) : 0;
  g_autofree char *pins = ls_pins_describe ((guint8) (value & 0xff)), *uses = ls_pins_describe_uses ((guint8) (value >> 8));

  if (pins != NULL && uses != NULL)
    return g_strdup_printf ("%s, %s", pins, uses);
  return pins != NULL ? g_steal_pointer (&pins) : g_steal_pointer (&uses);
}

static void
describe (LsGraphCanvas *self)
{
  g_autofree char *text = NULL, *pins = NULL;

  if (is_shown (self, self->scene.selected))
    {
      const LsGraphNode *node = ls_graph_node (self->series->whole, self->scene.selected);

      pins = pin_words (self, self->scene.selected);
      text = g_strdup_printf ("%s, %s %s%s%s", node->title, node->detail != NULL ? node->detail : "", node->type != NULL ? node->type : "",
                              pins != NULL ? ", " : "", pins != NULL ? pins : "");
    }
  else
    text = g_strdup (_("nothing selected"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* What is shown, for a screen reader. */
static void
tell_nodes (LsGraphCanvas *self)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  self->nodes_stale = FALSE;
  g_array_set_size (self->nodes, 0);
  for (gint i = 0; has_graph (self) && i < (gint) self->scene.layout->n_nodes && words->len < LS_CANVAS_NODES_MOST; i++)
    {
      const LsGraphNode *node = is_shown (self, i) ? node_of (self, i) : NULL;

      if (node == NULL)
        continue;
      g_ptr_array_add (words, g_strjoin (", ", node->title, node->detail != NULL ? node->detail : node->type, node->detail != NULL ? node->type : NULL, NULL));
      g_array_append_val (self->nodes, i);
    }
  ls_canvas_nodes_set (GTK_WIDGET (self), words);
}

/* TRUE: the view went with the nodes that were there before. */
static gboolean
keep_places (LsGraphCanvas *self)
{
  g_autoptr (GHashTable) places = g_steal_pointer (&self->places);
  float dx, dy;
  guint n;

  if (places == NULL || !has_graph (self))
    return FALSE;
  n = ls_graph_layout_shift (self->scene.layout, self->series->whole, places, &dx, &dy);
  if (n == 0 || n < g_hash_table_size (places) / 3)
    return FALSE;
  self->x += dx;
  self->y += dy;
  return TRUE;
}

static gboolean
all_in_view (LsGraphCanvas *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  graphene_rect_t bounds;

  ls_graph_scene_bounds (&self->scene, FALSE, &bounds);
  return bounds.origin.x >= self->x && bounds.origin.y >= self->y && bounds.origin.x + bounds.size.width <= self->x + width &&
         bounds.origin.y + bounds.size.height <= self->y + height;
}

/* While the layout is there: it goes before the next graph comes. */
static void
remember_places (LsGraphCanvas *self)
{
  g_clear_pointer (&self->places, g_hash_table_unref);
  if (has_graph (self))
    self->places = ls_graph_layout_places (self->scene.layout, self->series->whole);
}

static void clear_marks (LsGraphCanvas *self);

void
ls_graph_canvas_set_graph (LsGraphCanvas       *self,
                           LsGraphSeries       *series,
                           const LsGraphLayout *layout)
{
  gboolean same = series != NULL && series == self->series;
  gboolean kept;

  if (series != NULL)
    ls_graph_series_ref (series);
  ls_graph_series_unref (self->series);
  self->series = series;
  self->scene.series = series;
  self->scene.layout = layout;
  self->scene.hovered = -1;
  if (!same)
    {
      clear_marks (self);
      ls_graph_canvas_set_styles (self, NULL);
    }
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  self->scene.matches = NULL;
  if (series == NULL || self->scene.state >= series->states->len)
    self->scene.state = 0;
  if (series == NULL || self->scene.selected >= (gint) series->whole->nodes->len)
    self->scene.selected = -1;
  self->nodes_stale = TRUE;
  queue_tell (self);
  if (layout == NULL)
    {
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return;
    }
  kept = same || keep_places (self);
  remember_places (self);
  self->whole &= kept;
  if (!kept || (self->fitted && !all_in_view (self)))
    {
      self->fitted = TRUE;
      fit_now (self);
    }
  keep_in_sight (self);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_canvas_set_state (LsGraphCanvas *self,
                           guint          state)
{
  ls_graph_canvas_set_styles (self, NULL);
  self->scene.state = self->series != NULL ? MIN (state, self->series->states->len - 1) : 0;
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  self->scene.matches = NULL;
  if (self->fitted)
    fit_now (self);
  keep_in_sight (self);
  self->nodes_stale = TRUE;
  queue_tell (self);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_canvas_set_figure (LsGraphCanvas *self,
                            LsGraphFigure  figure)
{
  self->scene.figure = figure;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_canvas_set_matches (LsGraphCanvas *self,
                             GPtrArray     *matches,
                             guint          match)
{
  if (matches != NULL)
    g_ptr_array_ref (matches);
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  self->matches = matches;
  self->scene.matches = matches;
  self->scene.match = match;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_canvas_set_styles (LsGraphCanvas *self,
                            guint8        *styles)
{
  g_free (self->styles);
  self->styles = styles;
  self->scene.styles = styles;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_canvas_set_selected (LsGraphCanvas *self,
                              gint           place)
{
  if (self->scene.selected == place)
    return;
  self->scene.selected = place;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_canvas_set_pins (LsGraphCanvas *self,
                          GHashTable    *pins)
{
  if (pins == NULL && self->scene.pins == NULL)
    return;
  g_clear_pointer (&self->scene.pins, g_hash_table_unref);
  self->scene.pins = pins != NULL ? g_hash_table_ref (pins) : NULL;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
clear_marks (LsGraphCanvas *self)
{
  if (g_hash_table_size (self->scene.marked) == 0)
    return;
  g_hash_table_remove_all (self->scene.marked);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[MARKED], 0);
}

void
ls_graph_canvas_toggle_mark (LsGraphCanvas *self,
                             gint           place)
{
  if (place < 0)
    return;
  if (g_hash_table_size (self->scene.marked) == 0 && self->scene.selected >= 0 && self->scene.selected != place)
    g_hash_table_add (self->scene.marked, GUINT_TO_POINTER ((guint) self->scene.selected));
  if (!g_hash_table_add (self->scene.marked, GUINT_TO_POINTER ((guint) place)))
    g_hash_table_remove (self->scene.marked, GUINT_TO_POINTER ((guint) place));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[MARKED], 0);
}

GArray *
ls_graph_canvas_get_marked (LsGraphCanvas *self)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gint));

  for (gint i = 0; has_graph (self) && i < (gint) self->scene.layout->n_nodes; i++)
    if (g_hash_table_size (self->scene.marked) > 0 ? ls_graph_scene_is_marked (&self->scene, (guint) i) : i == self->scene.selected)
      g_array_append_val (places, i);
  return places;
}

gint
ls_graph_canvas_get_selected (LsGraphCanvas *self)
{
  return self->scene.selected;
}

const LsGraphScene *
ls_graph_canvas_get_scene (LsGraphCanvas *self)
{
  return &self->scene;
}

static void
choose (LsGraphCanvas *self,
        gint           place)
{
  ls_graph_canvas_set_selected (self, place);
  g_signal_emit (self, signals[SELECTED], 0, place);
}

/* ---- drawing ------------------------------------------------------------------------- */

static void
ls_graph_canvas_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  LsGraphCanvas *self = LS_GRAPH_CANVAS (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t visible = GRAPHENE_RECT_INIT ((float) self->x, (float) self->y, (float) (width / self->zoom), (float) (height / self->zoom));
  LsLook look;

  ls_look_from_widget (widget, &look);
  gtk_snapshot_append_color (snapshot, ls_look_get (&look, LS_LOOK_VIEW), &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (!has_graph (self))
    return;
  self->scene.focused = gtk_widget_has_visible_focus (widget) ? self->scene.selected : -1;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, (float) self->zoom, (float) self->zoom);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -self->x, (float) -self->y));
  ls_draw_graph (snapshot, gtk_widget_get_pango_context (widget), &look, &self->scene, &visible, self->zoom);
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
  if (gtk_widget_has_visible_focus (widget) && !is_shown (self, self->scene.selected))
    ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height), 0.0f, 2.0f, ls_look_get (&look, LS_LOOK_ACCENT));
}

static void
ls_graph_canvas_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  LsGraphCanvas *self = LS_GRAPH_CANVAS (widget);

  if (self->fitted)
    set_fit (self);
  keep_in_sight (self);
  ls_canvas_nodes_place (widget, place_node);
  queue_tell (self);
}

/* ---- pointer -------------------------------------------------------------------------- */

static gint
place_at (LsGraphCanvas *self,
          double         x,
          double         y)
{
  return has_graph (self) ? ls_graph_scene_hit (&self->scene, (float) (self->x + x / self->zoom), (float) (self->y + y / self->zoom)) : -1;
}

static void
clicked (LsGraphCanvas *self,
         int            n,
         double         x,
         double         y,
         GtkGesture    *click)
{
  gint place = place_at (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n >= 2 && place >= 0)
    g_signal_emit (self, signals[ACTIVATED], 0, place);
  else if (n == 1 && place >= 0 && (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click)) & GDK_CONTROL_MASK) != 0)
    ls_graph_canvas_toggle_mark (self, place);
  else if (n == 1)
    {
      clear_marks (self);
      choose (self, place);
    }
}

static void
drag_began (LsGraphCanvas *self)
{
  self->start_x = self->x;
  self->start_y = self->y;
}

static void
dragged (LsGraphCanvas *self,
         double         dx,
         double         dy)
{
  if (hypot (dx, dy) < 4.0)
    return;
  self->x = self->start_x - dx / self->zoom;
  self->y = self->start_y - dy / self->zoom;
  self->fitted = FALSE;
  moved (self);
}

static void
pointer_moved (LsGraphCanvas *self,
               double         x,
               double         y)
{
  gint place = place_at (self, x, y);

  self->pointer_x = x;
  self->pointer_y = y;
  if (place == self->scene.hovered)
    return;
  self->scene.hovered = place;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), place >= 0 ? "pointer" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pointer_left (LsGraphCanvas *self)
{
  self->scene.hovered = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scrolled (LsGraphCanvas            *self,
          double                    dx,
          double                    dy,
          GtkEventControllerScroll *scroll)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  double unit = gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_WHEEL ? 60.0 : 1.0;

  if (state & GDK_CONTROL_MASK)
    zoom_at (self, self->zoom * pow (1.15, -dy * unit / 60.0), self->pointer_x, self->pointer_y);
  else if (state & GDK_SHIFT_MASK)
    ls_graph_canvas_pan_by (self, dy * unit, dx * unit);
  else
    ls_graph_canvas_pan_by (self, dx * unit, dy * unit);
  return TRUE;
}

static void
pinch_began (LsGraphCanvas *self)
{
  self->start_zoom = self->zoom;
}

static void
pinched (LsGraphCanvas *self,
         double         scale,
         GtkGesture    *gesture)
{
  double x, y;

  if (!gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  zoom_at (self, self->start_zoom * scale, x, y);
}

static gboolean
tell_tooltip (LsGraphCanvas *self,
              int            x,
              int            y,
              gboolean       keyboard,
              GtkTooltip    *tooltip)
{
  gint place = keyboard ? self->scene.selected : place_at (self, x, y);
  const LsGraphNode *node;
  g_autoptr (GString) text = NULL;
  g_autofree char *pins = NULL;

  if (!is_shown (self, place))
    return FALSE;
  node = node_of (self, place);
  text = g_string_new (node->title);
  if (node->name != NULL && g_strcmp0 (node->name, node->title) != 0)
    g_string_append_printf (text, " → %s", node->name);
  if (node->type != NULL)
    g_string_append_printf (text, "\n%s", node->type);
  for (LsGraphFigure figure = LS_GRAPH_FIGURE_TIME; figure <= LS_GRAPH_FIGURE_BYTES; figure++)
    {
      g_autofree char *words = ls_graph_figure_text (&node->numbers, figure);

      if (words != NULL)
        g_string_append_printf (text, "%s%s", figure == LS_GRAPH_FIGURE_TIME || text->str[text->len - 1] == '\n' ? "\n" : " · ", words);
    }
  for (guint i = 0; i + 1 < MIN (node->attributes->len, 16); i += 2)
    g_string_append_printf (text, "\n%s = %s", (char *) node->attributes->pdata[i], (char *) node->attributes->pdata[i + 1]);
  pins = pin_words (self, place);
  if (pins != NULL)
    g_string_append_printf (text, "\n%s", pins);
  gtk_tooltip_set_text (tooltip, text->str);
  return TRUE;
}

/* ---- keys ------------------------------------------------------------------------------ */

/* The nearest shown node in a direction; nodes off to the side count as further away. */
static gint
neighbour (LsGraphCanvas *self,
           int            dx,
           int            dy)
{
  const LsGraphBox *from, *box;
  double best = G_MAXDOUBLE;
  gint found = -1;

  if (!is_shown (self, self->scene.selected))
    {
      for (gint i = 0; has_graph (self) && i < (gint) self->scene.layout->n_nodes; i++)
        if (is_shown (self, i))
          return i;
      return -1;
    }
  from = &self->scene.layout->nodes[self->scene.selected];
  for (gint i = 0; i < (gint) self->scene.layout->n_nodes; i++)
    {
      double x, y, along, aside;

      if (i == self->scene.selected || !is_shown (self, i))
        continue;
      box = &self->scene.layout->nodes[i];
      x = box->x + box->width / 2.0 - from->x - from->width / 2.0;
      y = box->y + box->height / 2.0 - from->y - from->height / 2.0;
      along = x * dx + y * dy;
      aside = fabs (x * dy) + fabs (y * dx);
      if (along > 4.0 && along + 2.0 * aside < best && aside <= 3.0 * along)
        {
          best = along + 2.0 * aside;
          found = i;
        }
    }
  return found;
}

static gboolean
go (LsGraphCanvas *self,
    int            dx,
    int            dy)
{
  gint place = neighbour (self, dx, dy);

  if (place < 0)
    return TRUE;
  choose (self, place);
  ls_graph_canvas_reveal (self, place);
  return TRUE;
}

static gboolean
key_pressed (LsGraphCanvas   *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
      return go (self, -1, 0);
    case GDK_KEY_Right:
      return go (self, 1, 0);
    case GDK_KEY_Up:
      return go (self, 0, -1);
    case GDK_KEY_Down:
      return go (self, 0, 1);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (is_shown (self, self->scene.selected))
        g_signal_emit (self, signals[ACTIVATED], 0, self->scene.selected);
      return TRUE;
    case GDK_KEY_space:
      ls_graph_canvas_toggle_mark (self, self->scene.selected);
      return TRUE;
    case GDK_KEY_Escape:
      if (g_hash_table_size (self->scene.marked) == 0)
        return FALSE;
      clear_marks (self);
      return TRUE;
    case GDK_KEY_f:
    case GDK_KEY_F:
      ls_graph_canvas_fit (self);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      ls_graph_canvas_zoom_by (self, 1.25);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      ls_graph_canvas_zoom_by (self, 0.8);
      return TRUE;
    default:
      return FALSE;
    }
}

/* ---- class ------------------------------------------------------------------------------- */

static void
ls_graph_canvas_dispose (GObject *object)
{
  ls_canvas_nodes_set (GTK_WIDGET (object), NULL);
  G_OBJECT_CLASS (ls_graph_canvas_parent_class)->dispose (object);
}

static void
ls_graph_canvas_finalize (GObject *object)
{
  LsGraphCanvas *self = LS_GRAPH_CANVAS (object);

  g_array_unref (self->nodes);
  g_clear_pointer (&self->series, ls_graph_series_unref);
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  g_clear_pointer (&self->scene.pins, g_hash_table_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_pointer (&self->scene.marked, g_hash_table_unref);
  g_free (self->styles);
  G_OBJECT_CLASS (ls_graph_canvas_parent_class)->finalize (object);
}

static void
ls_graph_canvas_class_init (LsGraphCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_graph_canvas_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_graph_canvas_finalize;
  widget_class->snapshot = ls_graph_canvas_snapshot;
  widget_class->size_allocate = ls_graph_canvas_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "graphcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
  signals[MARKED] = g_signal_new ("marked", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTED] = g_signal_new ("selected", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[ACTIVATED] = g_signal_new ("activated", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[ZOOMED] = g_signal_new ("zoomed", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
add_controllers (LsGraphCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new (), *pinch = gtk_gesture_zoom_new ();
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_swapped (click, "pressed", G_CALLBACK (clicked), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_began), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (dragged), self);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_began), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinched), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scrolled), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
ls_graph_canvas_init (LsGraphCanvas *self)
{
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* what it draws stands where the layout puts it */
  self->zoom = 1.0;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (gint));
  self->fitted = TRUE;
  self->scene = (LsGraphScene) { .selected = -1, .focused = -1, .hovered = -1, .marked = g_hash_table_new (NULL, NULL) };
  ls_text_cache_add (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (tell_tooltip), NULL);
  g_signal_connect_swapped (self, "notify::has-focus", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Graph"), -1);
  add_controllers (self);
}

GtkWidget *
ls_graph_canvas_new (void)
{
  return g_object_new (LS_TYPE_GRAPH_CANVAS, NULL);
}
