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

static void
show_match (LsGraphView *self,
            gboolean     go)
{
  guint n = self->matches != NULL ? self->matches->len : 0;
  g_autofree char *words = NULL;

  ls_graph_canvas_set_matches (CANVAS (self), ls_graph_view_is_waiting (self) ? NULL : self->matches, self->match);
  gtk_widget_set_visible (self->previous_match, self->matches != NULL);
  gtk_widget_set_visible (self->next_match, self->matches != NULL);
  ls_graph_view_show_figure_label (self);
  gtk_widget_set_sensitive (self->previous_match, n > 1);
  gtk_widget_set_sensitive (self->next_match, n > 1);
  if (self->matches == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->found), "");
      return;
    }
  words = n > 1 ? g_strdup_printf (_("%u of %u"), self->match + 1, n) : g_strdup_printf (ngettext ("%u match", "%u matches", n), n);
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

  g_clear_pointer (&self->matches, g_ptr_array_unref);
  self->match = 0;
  if (state != NULL && *pattern != '\0')
    {
      g_autoptr (GPtrArray) found = ls_graph_search (ls_graph_get_whole (state->graph), pattern, &error);

      self->matches = found != NULL ? ls_graph_show_matches (state->graph, found) : NULL;
    }
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

