/* graph/view-search: the search entry of the graph page, and the way from match to match; what all files ask of the model. */
#include "views/graph/view-private.h"

#include "views/parts/tip.h"

#include <glib/gi18n.h>

LsGraphSeries *
ls_graph_view_series (LsGraphView *self)
{
  return self->model != NULL ? ls_graph_model_get_series (self->model) : NULL;
}

LsGraphState *
ls_graph_view_state (LsGraphView *self)
{
  LsGraphSeries *series = ls_graph_view_series (self);

  return series != NULL ? ls_graph_series_state (series, ls_graph_model_get_state (self->model)) : NULL;
}

gboolean
ls_graph_view_is_waiting (LsGraphView *self)
{
  return ls_graph_canvas_get_scene (CANVAS (self))->series != ls_graph_view_series (self);
}

/* ---- search ------------------------------------------------------------------------------ */

/* The bar is full while one searches. */
void
ls_graph_view_show_figure_label (LsGraphView *self)
{
  gtk_widget_set_visible (self->figure_label, self->matches == NULL && !self->cramped);
}

/* The folded group that holds the match one is at, or what of it begins; NULL: it is shown itself. */
static const LsGraphNode *
group_of_match (LsGraphView *self)
{
  LsGraphState *state = ls_graph_view_state (self);
  const LsGraphNode *node;

  if (self->matches == NULL || self->match >= self->matches->len || state == NULL)
    return NULL;
  node = ls_graph_node (state->graph, g_array_index ((GArray *) self->matches->pdata[self->match], guint, 0));
  return node->kind == LS_GRAPH_NODE_GROUP ? node : NULL;
}

static void
show_match (LsGraphView *self,
            gboolean     go)
{
  guint n = self->matches != NULL ? self->matches->len : 0, most;
  g_autofree char *words = NULL;

  ls_graph_canvas_set_matches (CANVAS (self), ls_graph_view_is_waiting (self) ? NULL : self->matches, self->match);
  gtk_widget_set_visible (self->previous_match, self->matches != NULL);
  gtk_widget_set_visible (self->next_match, self->matches != NULL);
  gtk_widget_set_visible (self->open_match, group_of_match (self) != NULL);
  ls_graph_view_show_figure_label (self);
  gtk_widget_set_sensitive (self->previous_match, n > 1);
  gtk_widget_set_sensitive (self->next_match, n > 1);
  if (self->matches == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->found), "");
      return;
    }
  most = ls_graph_most_matches (ls_graph_get_whole (ls_graph_view_state (self)->graph));
  words = n > most ? g_strdup_printf (_("%u of more than %u"), self->match + 1, most)
        : n > 1    ? g_strdup_printf (_("%u of %u"), self->match + 1, n)
                   : g_strdup_printf (ngettext ("%u match", "%u matches", n), n);
  gtk_label_set_label (GTK_LABEL (self->found), words);
  if (n > 0 && go)
    {
      guint first = g_array_index ((GArray *) self->matches->pdata[self->match], guint, 0);
      gint place = (gint) ls_graph_view_state (self)->places[first];

      if (!ls_graph_view_is_waiting (self))
        ls_graph_canvas_reveal (CANVAS (self), place);
      ls_graph_model_select (self->model, place);
    }
}

void
ls_graph_view_search_again (LsGraphView *self,
              gboolean     go)
{
  const char *pattern = gtk_editable_get_text (GTK_EDITABLE (self->search));
  LsGraphState *state = ls_graph_view_state (self);
  g_autoptr (GError) error = NULL;
  guint before = self->matches != NULL ? self->matches->len : 0;

  g_clear_pointer (&self->matches, g_ptr_array_unref);
  if (state != NULL && *pattern != '\0')
    {
      g_autoptr (GPtrArray) found = ls_graph_search (ls_graph_get_whole (state->graph), pattern, &error);

      self->matches = found != NULL ? ls_graph_show_matches (state->graph, found) : NULL;
    }
  if (go || self->matches == NULL || self->matches->len != before)
    self->match = 0;
  show_match (self, go);
  if (error != NULL)
    gtk_label_set_label (GTK_LABEL (self->found), _("incomplete"));
  ls_tip_set (self->found, error != NULL ? error->message : NULL);
}

void
ls_graph_view_search_changed (LsGraphView *self)
{
  ls_graph_view_search_again (self, TRUE);
}

static void
step_match (LsGraphView *self,
            int          direction)
{
  guint n = self->matches != NULL ? self->matches->len : 0;

  if (n == 0)
    return;
  self->match = (self->match + n + (guint) direction) % n;
  show_match (self, TRUE);
}

void
ls_graph_view_next_match (LsGraphView *self)
{
  step_match (self, 1);
}

void
ls_graph_view_previous_match (LsGraphView *self)
{
  step_match (self, -1);
}

void
ls_graph_view_leave_search (LsGraphView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (self->canvas);
}

/* ---- the way to a match ------------------------------------------------------------------- */

void
ls_graph_view_open_match (LsGraphView *self)
{
  const LsGraphNode *group = group_of_match (self);

  if (group == NULL || ls_graph_view_is_waiting (self))
    return;
  self->way = group->n_members;
  ls_graph_model_open_group (self->model, group->key, TRUE);
}

/* What was opened is there: on to the group in it that holds the match, or to the match.  What could not be laid out is folded again, and holds no fewer. */
void
ls_graph_view_go_on (LsGraphView *self)
{
  guint before = self->way;
  const LsGraphNode *group = group_of_match (self);

  self->way = 0;
  if (before == 0 || self->matches == NULL)
    return;
  if (group == NULL)
    show_match (self, TRUE);
  else if (group->n_members < before)
    ls_graph_view_open_match (self);
}

static gboolean
open_by_key (GtkWidget *widget,
             GVariant  *unused,
             gpointer   self)
{
  ls_graph_view_open_match (self);
  return TRUE;
}

void
ls_graph_view_add_search_keys (LsGraphView *self)
{
  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (keys[i], GDK_CONTROL_MASK), gtk_callback_action_new (open_by_key, self, NULL)));
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (self->search, controller);
}
