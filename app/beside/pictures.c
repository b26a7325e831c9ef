/* beside/pictures: both graphs are states of one series with one layout, so that what is matched lies at one place and one camera serves all. */
#include "app/beside/private.h"

#include "views/graph/canvas.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define GRAPHVIZ_TIMEOUT_MS 5000
#define LAYOUT_TIMEOUT_MS 20000

typedef struct {
  LsBeside      *self;
  LsGraphSeries *series;
  GVariant      *request;
  gboolean       quick;
} Call;

/* ---- the layout ------------------------------------------------------------------------ */

/* The canvases show the graphs before, until the layout of these is there. */
static gboolean
is_waiting (LsBeside *self)
{
  return self->series == NULL || ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (self->merged))->series != self->series;
}

static void ask (LsBeside *self, GVariant *request, gboolean quick);

static void
call_free (Call *call)
{
  ls_graph_series_unref (call->series);
  g_variant_unref (call->request);
  g_free (call);
}

static void
draw_all (LsBeside *self)
{
  GtkWidget *canvases[] = { self->canvases[0], self->canvases[1], self->merged };

  for (guint i = 0; i < G_N_ELEMENTS (canvases); i++)
    {
      ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (canvases[i]), self->series, self->layout);
      ls_graph_canvas_set_state (LS_GRAPH_CANVAS (canvases[i]), i == 0 ? 0 : 1);
    }
  ls_beside_pictures_numbers (self);
}

static void
laid_out (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Call *call = data;
  LsBeside *self = call->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  LsGraphLayout *layout = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      call_free (call);         /* the window may be gone */
      return;
    }
  g_clear_object (&self->asking);
  if (!call->quick && g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT))
    ask (self, call->request, TRUE);
  else if (self->series == call->series)
    layout = answer != NULL ? ls_graph_layout_read (answer, call->series->whole, &error) : NULL;
  if (layout != NULL)
    {
      g_autoptr (LsGraphLayout) old = self->layout;     /* is drawn until then */

      self->layout = layout;
      draw_all (self);
    }
  else if (self->asking == NULL && error != NULL)
    gtk_label_set_label (GTK_LABEL (self->reason), error->message);
  gtk_widget_set_visible (self->stop, self->asking != NULL);
  call_free (call);
  ls_beside_pictures_follow_letters (self);
}

static void
ask (LsBeside *self,
     GVariant *request,
     gboolean  quick)
{
  LsWorkerOptions options = { .timeout_ms = quick ? LAYOUT_TIMEOUT_MS : GRAPHVIZ_TIMEOUT_MS };
  Call *call = g_new (Call, 1);
  GVariantDict params;

  *call = (Call) { self, ls_graph_series_ref (self->series), g_variant_ref_sink (request), quick };
  g_variant_dict_init (&params, request);
  g_variant_dict_insert (&params, "quick", "b", quick);
  self->asking = g_cancellable_new ();
  gtk_widget_set_visible (self->stop, TRUE);
  ls_worker_call_async (self->worker, "layout", g_variant_dict_end (&params), &options, self->asking, laid_out, call);
}

void
ls_beside_pictures_show (LsBeside *self)
{
  if (self->series->whole->nodes->len == 0)
    {
      ls_beside_pictures_clear (self);
      return;
    }
  ask (self, ls_graph_canvas_measure (LS_GRAPH_CANVAS (self->canvases[0]), self->series), FALSE);
}

void
ls_beside_pictures_follow_letters (LsBeside *self)
{
  if (self->asking == NULL && self->series != NULL && ls_graph_canvas_has_other_letters (LS_GRAPH_CANVAS (self->canvases[0])))
    ls_beside_pictures_show (self);
}

void
ls_beside_pictures_clear (LsBeside *self)
{
  GtkWidget *canvases[] = { self->canvases[0], self->canvases[1], self->merged };

  for (guint i = 0; i < G_N_ELEMENTS (canvases); i++)
    ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (canvases[i]), NULL, NULL);
  g_clear_pointer (&self->layout, ls_graph_layout_free);
}

void
ls_beside_pictures_numbers (LsBeside *self)
{
  for (guint i = 0; i < 3; i++)
    {
      GtkWidget *canvas = i < 2 ? self->canvases[i] : self->merged;
      LsGraph *graph = self->sides[MIN (i, 1)].shown;
      LsGraphNumbers sum = graph != NULL ? ls_graph_sum (graph) : LS_GRAPH_NO_NUMBERS;

      ls_graph_canvas_set_figure (LS_GRAPH_CANVAS (canvas), sum.ns > 0.0 ? LS_GRAPH_FIGURE_TIME : sum.flop > 0.0 ? LS_GRAPH_FIGURE_FLOP : LS_GRAPH_FIGURE_NONE);
    }
}

/* ---- selecting ------------------------------------------------------------------------------- */

/* The place of a node of the whole graph of a side, -1: none. */
static gint
place_of (LsBeside *self,
          guint     side,
          gint      node)
{
  if (node < 0 || self->series == NULL)
    return -1;
  return (gint) ls_graph_series_state (self->series, side)->places[ls_graph_get_shown (self->sides[side].shown, (guint) node)];
}

void
ls_beside_pictures_select (LsBeside *self,
                           gint      left,
                           gint      right)
{
  gint places[] = { place_of (self, 0, left), place_of (self, 1, right) };
  GtkWidget *canvases[] = { self->canvases[0], self->canvases[1], self->merged };

  if (is_waiting (self))
    return;
  for (guint i = 0; i < 3; i++)
    {
      gint place = i < 2 ? places[i] : places[1] >= 0 ? places[1] : places[0];

      ls_graph_canvas_set_selected (LS_GRAPH_CANVAS (canvases[i]), place);
      if (place >= 0 && self->layout != NULL)
        ls_graph_canvas_reveal (LS_GRAPH_CANVAS (canvases[i]), place);
    }
}

/* The first node of the whole graph that a place shows; -1: the side has none. */
static gint
node_at (LsBeside *self,
         guint     side,
         gint      place)
{
  LsGraphState *state = self->series != NULL ? ls_graph_series_state (self->series, side) : NULL;
  LsGraph *shown = self->sides[side].shown;
  gint at = state != NULL && place >= 0 ? state->nodes[place] : -1;

  for (guint i = 0; at >= 0 && i < self->sides[side].graph->nodes->len; i++)
    if (ls_graph_get_shown (shown, i) == (guint) at)
      return (gint) i;
  return -1;
}

static void
selected (GtkWidget *canvas,
          int        place,
          LsBeside  *self)
{
  guint side = canvas == self->canvases[0] ? 0 : 1;
  gint node;

  if (is_waiting (self))
    return;
  node = node_at (self, side, place);
  if (node < 0 && canvas == self->merged)       /* what only the left side has is drawn there too */
    {
      side = 0;
      node = node_at (self, side, place);
    }
  self->select (self, side, node);
}

/* What is alike lies at one place, but what one side has in sight the other may not have at all: what changes by itself leaves neither of them empty. */
static void
zoomed (GtkWidget *canvas,
        LsBeside  *self)
{
  LsGraphCanvas *source = LS_GRAPH_CANVAS (canvas), *other;

  if (self->linking || self->layout == NULL || canvas == self->merged)
    return;
  self->linking = TRUE;
  other = LS_GRAPH_CANVAS (self->canvases[canvas == self->canvases[0] ? 1 : 0]);
  ls_graph_canvas_follow (other, source);
  if (ls_graph_canvas_moves_by_itself (source) && (ls_graph_canvas_is_empty (source) || ls_graph_canvas_is_empty (other)))
    {
      ls_graph_canvas_see_layout (source);
      ls_graph_canvas_follow (other, source);
    }
  self->linking = FALSE;
}

/* ---- widgets ---------------------------------------------------------------------------------- */

static GtkWidget *
canvas_new (LsBeside   *self,
            const char *name)
{
  GtkWidget *canvas = ls_graph_canvas_new ();

  gtk_widget_set_hexpand (canvas, TRUE);
  gtk_widget_set_vexpand (canvas, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  ls_graph_canvas_set_overview (LS_GRAPH_CANVAS (canvas), TRUE);        /* two pictures share the width: none begins cut */
  g_signal_connect (canvas, "selected", G_CALLBACK (selected), self);
  g_signal_connect (canvas, "zoomed", G_CALLBACK (zoomed), self);
  return canvas;
}

GtkWidget *
ls_beside_pictures_new (LsBeside *self)
{
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gboolean turned = gtk_widget_get_direction (panes) == GTK_TEXT_DIR_RTL;
  g_autoptr (GtkSizeGroup) lines = gtk_size_group_new (GTK_SIZE_GROUP_VERTICAL);        /* a title in another script is higher, and what is matched is to lie level */

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      self->titles[i] = ls_part_label (NULL, "strong");
      gtk_label_set_ellipsize (GTK_LABEL (self->titles[i]), PANGO_ELLIPSIZE_MIDDLE);
      gtk_widget_add_css_class (self->titles[i], "run-part");
      gtk_size_group_add_widget (lines, self->titles[i]);
      self->canvases[i] = canvas_new (self, i == 0 ? _("The left model") : _("The right model"));
      if (i == 0)               /* by which they are measured */
        g_signal_connect_swapped (self->canvases[0], "letters", G_CALLBACK (ls_beside_pictures_follow_letters), self);
      gtk_box_append (GTK_BOX (box), self->titles[i]);
      gtk_box_append (GTK_BOX (box), self->canvases[i]);
      if ((i == 0) != turned)           /* left is left, whatever one reads */
        gtk_paned_set_start_child (GTK_PANED (panes), box);
      else
        gtk_paned_set_end_child (GTK_PANED (panes), box);
    }
  gtk_paned_set_shrink_start_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  return panes;
}

GtkWidget *
ls_beside_merged_new (LsBeside *self)
{
  self->merged = canvas_new (self, _("Both models as one picture"));
  return self->merged;
}
