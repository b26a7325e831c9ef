/* LsGraphCanvas: see the header.  Here it is painted, a large graph in squares that are kept. */
#include "views/graph/canvas-private.h"

#include "views/canvas/text-cache.h"
#include "views/parts/canvas-nodes.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define BEGUN 60

G_DEFINE_FINAL_TYPE (LsGraphCanvas, ls_graph_canvas, GTK_TYPE_WIDGET)

/* ---- drawing ------------------------------------------------------------------------- */

static void
paint_area (GtkSnapshot           *snapshot,
            const graphene_rect_t *area,
            double                 zoom,
            gpointer               data)
{
  LsGraphCanvas *self = data;
  LsGraphScene scene = self->scene;

  scene.hovered = -1;
  ls_draw_graph (snapshot, gtk_widget_get_pango_context (GTK_WIDGET (self)), &self->made_for.look, &scene, area, zoom);
}

static void
go_on_later (gpointer data)
{
  gtk_widget_queue_draw (data);
}

/* Squares were made for another look, or letters. */
static void
follow_look (LsGraphCanvas *self,
             const LsLook  *look)
{
  guint letters = pango_context_get_serial (gtk_widget_get_pango_context (GTK_WIDGET (self)));

  if (letters != self->made_for.letters || memcmp (look, &self->made_for.look, sizeof *look) != 0)
    ls_tiles_forget (self->tiles, NULL);
  self->made_for.letters = letters;
  self->made_for.look = *look;
}

static LsTilesView
view_of (LsGraphCanvas *self)
{
  LsTilesView view = { self->x, self->y, self->zoom, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self)),
                       gtk_widget_get_scale_factor (GTK_WIDGET (self)), self->bounds, *ls_look_get (&self->made_for.look, LS_LOOK_VIEW) };

  return view;
}

/* One square a turn, while nothing else is to do. */
static void
paint_ahead (gpointer data)
{
  LsGraphCanvas *self = data;
  LsTilesView view = view_of (self);

  if (ls_graph_canvas_has_graph (self) && gtk_widget_get_mapped (GTK_WIDGET (self)) && view.width > 0 && ls_tiles_ahead (self->tiles, &view))
    ls_later (self, G_PRIORITY_LOW, 0, paint_ahead);
}

/* The first picture of a large graph takes several frames: nothing of it is shown until all is there, or it is another view each time.  Later ones
 * come in the place of one that is there, at once. */
static gboolean
is_begun (LsGraphCanvas     *self,
          const LsTilesView *view)
{
  if (self->begun < BEGUN && !ls_tiles_begin (self->tiles, view))
    self->begun++;
  else
    self->begun = BEGUN;
  return self->begun == BEGUN;
}

static void
snapshot_tiles (LsGraphCanvas *self,
                GtkSnapshot   *snapshot)
{
  LsTilesView view = view_of (self);
  guint rest;

  if (!is_begun (self, &view))
    {
      ls_later (self, G_PRIORITY_DEFAULT, 1, go_on_later);
      return;
    }
  if (!ls_tiles_draw (self->tiles, snapshot, &view, &rest))
    ls_later (self, G_PRIORITY_LOW, 30, paint_ahead);
  else
    ls_later (self, G_PRIORITY_DEFAULT, MAX (rest, 1), go_on_later);
  if (!ls_graph_canvas_shows (self, self->scene.hovered))
    return;
  gtk_snapshot_scale (snapshot, (float) self->zoom, (float) self->zoom);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -self->x, (float) -self->y));
  ls_draw_graph_node (snapshot, gtk_widget_get_pango_context (GTK_WIDGET (self)), &self->made_for.look, &self->scene, (guint) self->scene.hovered, self->zoom);
}

static void
ls_graph_canvas_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  LsGraphCanvas *self = LS_GRAPH_CANVAS (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);
  gint focused = gtk_widget_has_visible_focus (widget) ? self->scene.selected : -1;
  LsLook look;

  ls_look_from_widget (widget, &look);
  gtk_snapshot_append_color (snapshot, ls_look_get (&look, LS_LOOK_VIEW), &all);
  if (!ls_graph_canvas_has_graph (self))
    return;
  follow_look (self, &look);
  if (focused != self->scene.focused)
    {
      ls_graph_canvas_forget_place (self, focused);
      ls_graph_canvas_forget_place (self, self->scene.focused);
      self->scene.focused = focused;
    }
  gtk_snapshot_push_clip (snapshot, &all);
  gtk_snapshot_save (snapshot);
  if (self->scene.layout->n_nodes >= LS_GRAPH_CANVAS_TILED)
    snapshot_tiles (self, snapshot);
  else
    {
      graphene_rect_t visible = GRAPHENE_RECT_INIT ((float) self->x, (float) self->y, (float) (width / self->zoom), (float) (height / self->zoom));

      gtk_snapshot_scale (snapshot, (float) self->zoom, (float) self->zoom);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -self->x, (float) -self->y));
      ls_draw_graph (snapshot, gtk_widget_get_pango_context (widget), &look, &self->scene, &visible, self->zoom);
    }
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
  if (gtk_widget_has_visible_focus (widget) && !ls_graph_canvas_shows (self, self->scene.selected))
    ls_draw_frame (snapshot, &all, 0.0f, 2.0f, ls_look_get (&look, LS_LOOK_ACCENT));
}

static void
ls_graph_canvas_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  LsGraphCanvas *self = LS_GRAPH_CANVAS (widget);

  if (self->fitted)
    ls_graph_canvas_set_fit (self);
  ls_graph_canvas_keep_in_sight (self);
  ls_canvas_nodes_place (widget, ls_graph_canvas_place_node);
  ls_graph_canvas_queue_tell (self);
}

/* ---- letters ----------------------------------------------------------------------------- */

GVariant *
ls_graph_canvas_measure (LsGraphCanvas *self,
                         LsGraphSeries *series)
{
  PangoContext *pango = gtk_widget_get_pango_context (GTK_WIDGET (self));

  self->letters = ls_graph_smallest_letters (pango);
  return ls_graph_measure (pango, series);
}

gboolean
ls_graph_canvas_has_other_letters (LsGraphCanvas *self)
{
  return self->letters > 0.0 && fabs (self->letters - ls_graph_smallest_letters (gtk_widget_get_pango_context (GTK_WIDGET (self)))) > 0.01;
}

static void
tell_letters (gpointer data)
{
  if (ls_graph_canvas_has_other_letters (data))
    g_signal_emit_by_name (data, "letters");
}

static void
ls_graph_canvas_css_changed (GtkWidget         *widget,
                             GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_graph_canvas_parent_class)->css_changed (widget, change);
  ls_later (widget, G_PRIORITY_DEFAULT_IDLE, 0, tell_letters);
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
  ls_tiles_free (self->tiles);
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
  widget_class->css_changed = ls_graph_canvas_css_changed;
  gtk_widget_class_set_css_name (widget_class, "graphcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
  g_signal_new ("marked", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("selected", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new ("activated", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new ("letters", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("zoomed", LS_TYPE_GRAPH_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_graph_canvas_init (LsGraphCanvas *self)
{
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* what it draws stands where the layout puts it */
  self->zoom = 1.0;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (gint));
  self->fitted = TRUE;
  self->tiles = ls_tiles_new (paint_area, self);
  self->scene = (LsGraphScene) { .selected = -1, .focused = -1, .hovered = -1, .marked = g_hash_table_new (NULL, NULL) };
  ls_text_cache_add (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (self, "notify::has-focus", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Graph"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (ls_graph_canvas_tell_tooltip), NULL);
  ls_graph_canvas_add_controllers (self);
}

GtkWidget *
ls_graph_canvas_new (void)
{
  return g_object_new (LS_TYPE_GRAPH_CANVAS, NULL);
}
