/* graph/view-show: the widgets of the graph page say what the model has. */
#include "views/graph/view-private.h"

#include "engine/graph/edit.h"
#include "engine/graph/styles.h"
#include "views/models/format.h"
#include "views/parts/choice-name.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>

/* ---- what is shown ---------------------------------------------------------------------------- */

void
ls_graph_view_timeline_toggled (LsGraphView *self)
{
  gtk_widget_set_visible (self->times, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->timeline)) && gtk_widget_get_visible (self->timeline));
}

static const char *
kind_title (LsGraphKind kind)
{
  switch (kind)
    {
    case LS_GRAPH_RELAX:
      return _("Dataflow");
    case LS_GRAPH_TE:
      return _("Stages");
    case LS_GRAPH_BLOCKS:
      return _("Blocks");
    case LS_GRAPH_LOOPS:
      return _("Loop family");
    case LS_GRAPH_FX:
      return _("torch.fx");
    }
  return "";
}

static void
show_kinds (LsGraphView *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint kinds = ls_graph_model_get_kinds (self->model), selected = 0;

  g_array_set_size (self->kinds, 0);
  for (LsGraphKind kind = LS_GRAPH_RELAX; kind <= LS_GRAPH_FX; kind++)
    if (kinds & (1u << kind))
      {
        if (kind == ls_graph_model_get_kind (self->model))
          selected = self->kinds->len;
        g_array_append_val (self->kinds, kind);
        gtk_string_list_append (names, kind_title (kind));
      }
  self->syncing = TRUE;
  ls_choice_set_words (GTK_DROP_DOWN (self->kind), names);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind), selected);
  gtk_widget_set_visible (self->kind, self->kinds->len > 1);
  ls_choice_set_name (GTK_DROP_DOWN (self->kind), _("Kind of graph"));
  ls_choice_set_name (GTK_DROP_DOWN (self->figure), _("Show on nodes"));
  self->syncing = FALSE;
}

void
ls_graph_view_kind_chosen (LsGraphView *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind));

  if (!self->syncing && selected < self->kinds->len)
    ls_graph_model_set_kind (self->model, g_array_index (self->kinds, LsGraphKind, selected));
}

void
ls_graph_view_figure_chosen (LsGraphView *self)
{
  LsGraphFigure figure = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->figure));

  ls_graph_canvas_set_figure (CANVAS (self), figure);
  ls_graph_pane_set_figure (PANE (self), figure);
}

/* Without a choice of the user: times when there are some, else operations. */
static void
choose_figure (LsGraphView *self)
{
  LsGraphState *state = ls_graph_view_state (self);
  LsGraphNumbers sum = state != NULL ? ls_graph_sum (state->graph) : LS_GRAPH_NO_NUMBERS;

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->figure), sum.ns > 0.0 ? LS_GRAPH_FIGURE_TIME : sum.flop > 0.0 ? LS_GRAPH_FIGURE_FLOP : LS_GRAPH_FIGURE_NONE);
}

static void
show_counts (LsGraphView *self)
{
  LsGraphState *state = ls_graph_view_state (self);
  const char *conditions = self->model != NULL ? ls_graph_model_get_conditions (self->model) : NULL;
  g_autoptr (GString) words = g_string_new (NULL);

  if (state != NULL)
    {
      LsGraphNumbers sum = ls_graph_sum (state->graph);
      g_autofree char *flop = ls_graph_figure_text (&sum, LS_GRAPH_FIGURE_FLOP);

      g_string_append_printf (words, ngettext ("%u node", "%u nodes", state->graph->nodes->len), state->graph->nodes->len);
      g_string_append (words, LS_PARTS);
      g_string_append_printf (words, ngettext ("%u edge", "%u edges", state->graph->edges->len), state->graph->edges->len);
      if (flop != NULL && sum.flop > 0.0)
        g_string_append_printf (words, LS_PARTS "%s", flop);
    }
  if (conditions != NULL)
    g_string_append_printf (words, LS_PARTS "%s", conditions);
  gtk_label_set_label (GTK_LABEL (self->counts), words->str);
  ls_tip_set (self->counts, words->str);
}

static gboolean
has_open_groups (LsGraphSeries *series)
{
  for (guint i = 0; series != NULL && i < series->whole->clusters->len; i++)
    if (ls_graph_cluster (series->whole, i)->kind == LS_GRAPH_CLUSTER_GROUP)
      return TRUE;
  return FALSE;
}

static void
show_notice (LsGraphView *self)
{
  const char *message = self->model != NULL ? ls_graph_model_get_message (self->model) : NULL;
  LsGraphState *state = ls_graph_view_state (self);
  gboolean folded = state != NULL && state->graph->n_folded > 0;
  gboolean all = state != NULL && ls_graph_model_get_all (self->model);
  g_autofree char *words = NULL;

  gtk_widget_set_visible (self->notice_bar, message != NULL || folded || all);
  gtk_widget_set_visible (self->notice_all, !all && message == NULL && folded);
  gtk_widget_set_visible (self->notice_button, all || (message == NULL && folded && has_open_groups (ls_graph_view_series (self))));
  if (message != NULL)
    gtk_widget_add_css_class (self->notice_bar, "error-line");
  else
    gtk_widget_remove_css_class (self->notice_bar, "error-line");
  if (all)
    words = g_strdup_printf (_("All %'u nodes are shown."), state->graph->nodes->len);
  else if (folded)
    words = g_strdup_printf (_("%'u nodes: folded to %u. Open a group with Enter."), state->graph->n_folded, state->graph->nodes->len);
  gtk_label_set_label (GTK_LABEL (self->notice), message != NULL ? message : words != NULL ? words : "");
}

static void
show_state (LsGraphView *self)
{
  LsGraphSeries *series = ls_graph_view_series (self);
  guint at = series != NULL ? ls_graph_model_get_state (self->model) : 0;
  guint n = series != NULL ? series->states->len : 0;
  gboolean passes = self->model != NULL && ls_graph_model_has_passes (self->model);
  g_autofree char *words = NULL, *title = series != NULL ? ls_graph_edit_title (ls_graph_series_state (series, at)->label) : NULL;

  if (series != NULL)
    {
      g_autofree char *changes = at > 0 ? ls_graph_state_words (ls_graph_series_state (series, at)) : NULL;

      g_autofree char *place = g_strdup_printf (_("%u of %u"), at, n - 1);

      words = n > 1 ? g_strjoin (LS_PARTS, place, changes, NULL) : g_strdup ("");
    }
  gtk_label_set_label (GTK_LABEL (self->state_name), title != NULL ? title : "");
  gtk_label_set_label (GTK_LABEL (self->state_words), words != NULL ? words : "");
  ls_tip_set (self->state_words, words);
  gtk_widget_set_sensitive (self->previous_state, at > 0);
  gtk_widget_set_sensitive (self->next_state, at + 1 < n);
  gtk_widget_set_visible (self->add_pass, passes);
  gtk_widget_set_visible (self->edit, passes && ls_graph_model_get_kind (self->model) == LS_GRAPH_RELAX);
  gtk_widget_set_visible (self->fold_constants, passes);
  gtk_widget_set_visible (self->drop_pass, passes && ls_graph_model_get_n_passes (self->model) > 0);
  gtk_widget_set_visible (self->timeline, passes && ls_graph_model_get_kind (self->model) == LS_GRAPH_RELAX);
  ls_graph_view_timeline_toggled (self);
  gtk_widget_set_sensitive (self->export, series != NULL);
  if (!ls_graph_view_is_waiting (self))
    ls_graph_canvas_set_state (CANVAS (self), at);
  ls_graph_view_search_again (self, FALSE);
  show_counts (self);
  show_notice (self);
}

void
ls_graph_view_state_changed (LsGraphView *self)
{
  show_state (self);
  choose_figure (self);
  ls_graph_view_styles_changed (self);
}

void
ls_graph_view_show_empty (LsGraphView *self)
{
  if (self->model != NULL && ls_graph_model_get_busy (self->model) != NULL)
    ls_status_set (LS_STATUS (self->status), _("The graph is being made."), NULL, NULL, NULL);
  else
    ls_status_set (LS_STATUS (self->status), _("There is no graph to show yet."), NULL, NULL, _("Open a module with functions of Relax, a PrimFunc with several blocks, or a saved FX graph."));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "status");
}

void
ls_graph_view_series_changed (LsGraphView *self)
{
  LsGraphSeries *series = ls_graph_view_series (self);

  if (series == NULL || series->whole->nodes->len == 0)
    ls_graph_canvas_set_graph (CANVAS (self), NULL, NULL);
  show_kinds (self);
  gtk_widget_set_sensitive (self->measure, series != NULL);
  if (series == NULL || series->whole->nodes->len == 0)
    {
      ls_graph_view_show_empty (self);
      show_state (self);
      return;
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "canvas");
  ls_graph_view_lay_out (self);
  ls_graph_view_state_changed (self);
}

static void
lay_out (gpointer data)
{
  LsGraphView *self = data;
  LsGraphSeries *series = self->model != NULL ? ls_graph_view_series (self) : NULL;

  if (series != NULL && series->whole->nodes->len > 0)
    ls_graph_model_lay_out (self->model, ls_graph_canvas_measure (CANVAS (self), series));
}

/* All names are measured for it: in a turn of its own. */
void
ls_graph_view_lay_out (LsGraphView *self)
{
  ls_later (self, G_PRIORITY_HIGH_IDLE, 0, lay_out);
}

/* While the canvas shows the state. */
void
ls_graph_view_styles_changed (LsGraphView *self)
{
  LsGraphState *state = ls_graph_view_state (self);
  const char *const *styles = self->model != NULL ? ls_graph_model_get_styles (self->model) : NULL;

  if (!ls_graph_view_is_waiting (self))
    ls_graph_canvas_set_styles (CANVAS (self), state != NULL && styles != NULL ? ls_graph_style_nodes (state->graph, styles, NULL) : NULL);
}

void
ls_graph_view_layout_changed (LsGraphView *self)
{
  ls_graph_canvas_set_graph (CANVAS (self), ls_graph_view_series (self), ls_graph_model_get_layout (self->model));
  ls_graph_canvas_set_selected (CANVAS (self), ls_graph_model_get_selected (self->model));
  show_state (self);
  ls_graph_view_styles_changed (self);
  ls_graph_view_go_on (self);
}

void
ls_graph_view_told (LsGraphView *self)
{
  const char *busy = ls_graph_model_get_busy (self->model);

  gtk_label_set_label (GTK_LABEL (self->busy), busy != NULL ? busy : "");
  gtk_widget_set_visible (self->cancel, busy != NULL);
  gtk_widget_set_visible (self->busy, busy != NULL);
  if (ls_graph_view_series (self) == NULL)
    ls_graph_view_show_empty (self);
  show_notice (self);
}

static void
add_pins (GHashTable *pins,
          GListModel *rows)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);

      if ((ls_loop_item_get_pins (item) | ls_loop_item_get_uses (item)) != 0)
        g_hash_table_insert (pins, ls_graph_pin_key (ls_loop_item_get (item)->id),
                             ls_graph_pin_value (ls_loop_item_get_pins (item), ls_loop_item_get_uses (item)));
      add_pins (pins, ls_loop_item_get_children (item));
    }
}

/* Of the rows of the step, which are the blocks of the graph. */
void
ls_graph_view_pins_changed (LsGraphView *self)
{
  g_autoptr (GHashTable) pins = NULL;

  if (ls_session_get_pins (self->session) != 0)
    {
      pins = g_hash_table_new (NULL, NULL);
      add_pins (pins, ls_session_get_loops (self->session));
    }
  ls_graph_canvas_set_pins (CANVAS (self), pins);
}

void
ls_graph_view_selection_changed (LsGraphView *self)
{
  if (!ls_graph_view_is_waiting (self))
    ls_graph_canvas_set_selected (CANVAS (self), ls_graph_model_get_selected (self->model));
}

void
ls_graph_view_numbers_changed (LsGraphView *self)
{
  choose_figure (self);
  show_counts (self);
}

void
ls_graph_view_zoomed (LsGraphView *self)
{
  g_autofree char *text = g_strdup_printf ("%.0f %%", 100.0 * ls_graph_canvas_get_zoom (CANVAS (self)));

  ls_part_set_figure (GTK_LABEL (self->zoom), text);
}

