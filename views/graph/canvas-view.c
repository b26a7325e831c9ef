/* canvas-view: what of a graph LsGraphCanvas shows, and what of that is marked.
 *
 * A graph that shares nodes with the one before (after another pass, another fold) stays where it is: zoom is kept and the
 * origin goes with the nodes that both have, unless all was in view and would not be any more. */
#include "views/graph/canvas-private.h"

#define HALF_GROUP 35.0f       /* pixels: of a node that stands for a group */
#define AROUND 260.0             /* what may stand out of the frame: labels, the words at a bracket */

/* ---- what was painted ---------------------------------------------------------------- */

/* Something is drawn differently from now on. */
void
ls_graph_canvas_repaint (LsGraphCanvas *self)
{
  ls_tiles_forget (self->tiles, NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A node and the lines at it are. */
void
ls_graph_canvas_forget_place (LsGraphCanvas *self,
              gint           place)
{
  const LsGraphLayout *layout = self->scene.layout;
  graphene_rect_t area;

  if (!ls_graph_canvas_has_graph (self) || place < 0 || (guint) place >= layout->n_nodes || layout->n_nodes < LS_GRAPH_CANVAS_TILED)
    return;
  ls_graph_scene_around (&self->scene, (guint) place, &area);
  ls_tiles_forget (self->tiles, &area);
}

/* Where anything is painted at all. */
static void
find_bounds (LsGraphCanvas *self)
{
  if (!ls_graph_canvas_has_graph (self))
    return;
  ls_graph_scene_bounds (&self->scene, TRUE, &self->bounds);
  graphene_rect_inset (&self->bounds, -AROUND, -AROUND);
}

/* ---- what -------------------------------------------------------------------------- */

/* A group that was opened lies where it was looked at, with its upper edge, however much of the picture is another, or as far above that, and to the
 * side, as it is to be seen; one that is larger than the view begins there. FALSE: none was. */
static gboolean
keep_opened (LsGraphCanvas *self,
             GHashTable    *places)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  const LsGraphLayout *layout = self->scene.layout;
  LsGraph *whole = self->series->whole;

  for (guint i = 0; i < MIN (layout->n_clusters, whole->clusters->len); i++)
    {
      const LsGraphCluster *cluster = ls_graph_cluster (whole, i);
      const LsGraphBox *frame = &layout->clusters[i];
      const LsGraphPoint *old = cluster->kind == LS_GRAPH_CLUSTER_GROUP && frame->width > 0.0f ? g_hash_table_lookup (places, cluster->key) : NULL;
      double middle = frame->x + frame->width / 2.0;

      if (old == NULL)
        continue;
      self->x += middle - old->x;
      self->y += frame->y + HALF_GROUP - old->y;
      self->y = MIN (frame->y - HALF_GROUP, MAX (self->y, frame->y + frame->height + HALF_GROUP - height));
      if (self->x > middle || self->x + width < middle)         /* it was opened from where it is not in sight, such as a list */
        self->x = middle - width / 2.0;
      self->x = MIN (frame->x - HALF_GROUP, MAX (self->x, frame->x + frame->width + HALF_GROUP - width));
      self->fitted = FALSE;
      return TRUE;
    }
  return FALSE;
}

/* The node of this key (NULL: none), which was in sight, stays where it is: with everything shown, say, nearly all others come between. */
static gboolean
keep_chosen (LsGraphCanvas *self,
             GHashTable    *places,
             const char    *chosen)
{
  gint at = chosen != NULL ? ls_graph_find (self->series->whole, chosen) : -1;
  const LsGraphPoint *old = at >= 0 ? g_hash_table_lookup (places, chosen) : NULL;
  const LsGraphBox *box = old != NULL && (guint) at < self->scene.layout->n_nodes ? &self->scene.layout->nodes[at] : NULL;

  if (box == NULL || box->width <= 0.0f)
    return FALSE;
  self->x += box->x + box->width / 2.0f - old->x;
  self->y += box->y + box->height / 2.0f - old->y;
  return TRUE;
}

/* The key of the selected node while it is in sight, else NULL. (transfer full) */
static char *
chosen_in_sight (LsGraphCanvas *self)
{
  graphene_rect_t view, place;
  const LsGraphBox *box;

  if (self->scene.selected < 0 || !ls_graph_canvas_has_graph (self) || (guint) self->scene.selected >= self->scene.layout->n_nodes)
    return NULL;
  box = &self->scene.layout->nodes[self->scene.selected];
  place = GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height);
  ls_graph_canvas_get_view (self, &view);
  return graphene_rect_intersection (&view, &place, NULL) ? g_strdup (ls_graph_node (self->series->whole, (guint) self->scene.selected)->key) : NULL;
}

/* TRUE: the view went with the nodes that were there before. */
static gboolean
keep_places (LsGraphCanvas *self,
             const char    *chosen)
{
  g_autoptr (GHashTable) places = g_steal_pointer (&self->places);
  float dx, dy;
  guint n;

  if (places == NULL || !ls_graph_canvas_has_graph (self))
    return FALSE;
  if (keep_opened (self, places) || keep_chosen (self, places, chosen))
    return TRUE;
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
  if (ls_graph_canvas_has_graph (self))
    self->places = ls_graph_layout_places (self->scene.layout, self->series->whole);
}

/* The same nodes stand elsewhere, and are larger or smaller: what was in the middle stays there. */
static void
follow_scale (LsGraphCanvas       *self,
              const LsGraphLayout *old,
              const LsGraphLayout *layout)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom / 2.0, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom / 2.0;

  if (old->width > 0.0f && old->height > 0.0f)
    {
      self->x = (self->x + width) * (double) (layout->width / old->width) - width;
      self->y = (self->y + height) * (double) (layout->height / old->height) - height;
    }
}

void
ls_graph_canvas_set_graph (LsGraphCanvas       *self,
                           LsGraphSeries       *series,
                           const LsGraphLayout *layout)
{
  gboolean same = series != NULL && series == self->series;
  g_autofree char *chosen = !same ? chosen_in_sight (self) : NULL;
  gboolean kept;

  if (series != NULL)
    ls_graph_series_ref (series);
  if (same && layout != NULL && layout != self->scene.layout && ls_graph_canvas_has_graph (self))
    follow_scale (self, self->scene.layout, layout);
  ls_graph_series_unref (self->series);
  self->series = series;
  self->scene.series = series;
  self->scene.layout = layout;
  self->scene.hovered = -1;
  if (!same)
    {
      ls_graph_canvas_clear_marks (self);
      ls_graph_canvas_set_styles (self, NULL);
    }
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  self->scene.matches = NULL;
  if (series == NULL || self->scene.state >= series->states->len)
    self->scene.state = 0;
  if (series == NULL || self->scene.selected >= (gint) series->whole->nodes->len)
    self->scene.selected = -1;
  self->nodes_stale = TRUE;
  ls_graph_canvas_queue_tell (self);
  if (layout == NULL)
    {
      ls_graph_canvas_repaint (self);
      return;
    }
  find_bounds (self);
  kept = same || keep_places (self, chosen);
  remember_places (self);
  self->whole &= kept;
  if (!kept || (self->fitted && (same || !all_in_view (self))))
    {
      self->fitted = TRUE;
      ls_graph_canvas_fit_now (self);
    }
  ls_graph_canvas_keep_in_sight (self);
  ls_graph_canvas_describe (self);
  ls_graph_canvas_repaint (self);
}

void
ls_graph_canvas_set_state (LsGraphCanvas *self,
                           guint          state)
{
  ls_graph_canvas_set_styles (self, NULL);
  self->scene.state = self->series != NULL ? MIN (state, self->series->states->len - 1) : 0;
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  self->scene.matches = NULL;
  find_bounds (self);
  if (self->fitted)
    ls_graph_canvas_fit_now (self);
  ls_graph_canvas_keep_in_sight (self);
  self->nodes_stale = TRUE;
  ls_graph_canvas_queue_tell (self);
  ls_graph_canvas_describe (self);
  ls_graph_canvas_repaint (self);
}

void
ls_graph_canvas_set_figure (LsGraphCanvas *self,
                            LsGraphFigure  figure)
{
  self->scene.figure = figure;
  ls_graph_canvas_repaint (self);
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
  self->nodes_stale = TRUE;
  ls_graph_canvas_queue_tell (self);
  ls_graph_canvas_repaint (self);
}

void
ls_graph_canvas_set_styles (LsGraphCanvas *self,
                            guint8        *styles)
{
  g_free (self->styles);
  self->styles = styles;
  self->scene.styles = styles;
  ls_graph_canvas_repaint (self);
}

void
ls_graph_canvas_set_selected (LsGraphCanvas *self,
                              gint           place)
{
  if (self->scene.selected == place)
    return;
  ls_graph_canvas_forget_place (self, self->scene.selected);
  ls_graph_canvas_forget_place (self, place);
  self->scene.selected = place;
  ls_graph_canvas_describe (self);
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
  ls_graph_canvas_describe (self);
  ls_graph_canvas_repaint (self);
}

void
ls_graph_canvas_clear_marks (LsGraphCanvas *self)
{
  if (g_hash_table_size (self->scene.marked) == 0)
    return;
  g_hash_table_remove_all (self->scene.marked);
  ls_graph_canvas_repaint (self);
  g_signal_emit_by_name (self, "marked");
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
  ls_graph_canvas_repaint (self);
  g_signal_emit_by_name (self, "marked");
}

GArray *
ls_graph_canvas_get_marked (LsGraphCanvas *self)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gint));

  for (gint i = 0; ls_graph_canvas_has_graph (self) && i < (gint) self->scene.layout->n_nodes; i++)
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
