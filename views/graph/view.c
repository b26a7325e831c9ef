/* LsGraphView: joins the model, the canvas and the pane beside it. */
#include "views/graph/view.h"

#include "views/graph/canvas.h"
#include "views/graph/edit-popover.h"
#include "views/graph/export.h"
#include "views/graph/map.h"
#include "views/graph/pane.h"
#include "views/graph/pass-popover.h"
#include "views/graph/styles-popover.h"
#include "views/graph/times.h"
#include "engine/graph/styles.h"
#include "views/models/format.h"
#include "views/parts/ask-file.h"
#include "views/parts/choice-name.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsGraphView
{
  GtkWidget      parent_instance;

  LsSession     *session;
  LsGraphModel  *model;         /* of the session, or NULL */
  GArray        *kinds;         /* of LsGraphKind: rows of the dropdown */
  GPtrArray     *matches;
  guint          match;
  gboolean       syncing;
  gboolean       narrow;
  gboolean       cramped;
  gboolean       overview;
  int            given;         /* its place by us; 0: not yet */
  gboolean       sized;         /* in this orientation */

  GtkWidget     *paned;
  GtkWidget     *bar;
  GtkWidget     *kind;
  GtkWidget     *search;
  GtkWidget     *found;
  GtkWidget     *previous_match;
  GtkWidget     *next_match;
  GtkWidget     *styles;
  GtkWidget     *figure_label;
  GtkWidget     *figure;
  GtkWidget     *zoom_out;
  GtkWidget     *zoom;
  GtkWidget     *zoom_in;
  GtkWidget     *fit;
  GtkWidget     *state_bar;
  GtkWidget     *previous_state;
  GtkWidget     *next_state;
  GtkWidget     *state_name;
  GtkWidget     *state_words;
  GtkWidget     *fold_constants;
  GtkWidget     *add_pass;
  GtkWidget     *edit;
  GtkWidget     *drop_pass;
  GtkWidget     *measure;
  GtkWidget     *timeline;
  GtkWidget     *times;
  GtkWidget     *export;
  GtkWidget     *notice_bar;
  GtkWidget     *notice;
  GtkWidget     *notice_all;
  GtkWidget     *notice_button;
  GtkWidget     *stack;
  GtkWidget     *canvas;
  GtkWidget     *map;
  GtkWidget     *status;
  GtkWidget     *counts;
  GtkWidget     *busy;
  GtkWidget     *cancel;
  GtkWidget     *keys;
  GtkWidget     *side;
};

G_DEFINE_FINAL_TYPE (LsGraphView, ls_graph_view, GTK_TYPE_WIDGET)

#define CANVAS(self) LS_GRAPH_CANVAS ((self)->canvas)
#define PANE(self) LS_GRAPH_PANE ((self)->side)

static LsGraphSeries *
series_of (LsGraphView *self)
{
  return self->model != NULL ? ls_graph_model_get_series (self->model) : NULL;
}

static LsGraphState *
state_of (LsGraphView *self)
{
  LsGraphSeries *series = series_of (self);

  return series != NULL ? ls_graph_series_state (series, ls_graph_model_get_state (self->model)) : NULL;
}

/* The canvas shows the graph before, until the layout of this one is there. */
static gboolean
is_waiting (LsGraphView *self)
{
  return ls_graph_canvas_get_scene (CANVAS (self))->series != series_of (self);
}

/* ---- search ------------------------------------------------------------------------------ */

/* The bar is full while one searches. */
static void
show_figure_label (LsGraphView *self)
{
  gtk_widget_set_visible (self->figure_label, self->matches == NULL && !self->cramped);
}

static void
show_match (LsGraphView *self,
            gboolean     go)
{
  guint n = self->matches != NULL ? self->matches->len : 0;
  g_autofree char *words = NULL;

  ls_graph_canvas_set_matches (CANVAS (self), is_waiting (self) ? NULL : self->matches, self->match);
  gtk_widget_set_visible (self->previous_match, self->matches != NULL);
  gtk_widget_set_visible (self->next_match, self->matches != NULL);
  show_figure_label (self);
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
      gint place = (gint) state_of (self)->places[first];

      if (!is_waiting (self))
        ls_graph_canvas_reveal (CANVAS (self), place);
      ls_graph_model_select (self->model, place);
    }
}

static void
search_again (LsGraphView *self,
              gboolean     go)
{
  const char *pattern = gtk_editable_get_text (GTK_EDITABLE (self->search));
  LsGraphState *state = state_of (self);
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

static void
search_changed (LsGraphView *self)
{
  search_again (self, TRUE);
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

static void
go_next_match (LsGraphView *self)
{
  step_match (self, 1);
}

static void
go_previous_match (LsGraphView *self)
{
  step_match (self, -1);
}

static void
leave_search (LsGraphView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (self->canvas);
}

/* ---- what is shown ---------------------------------------------------------------------------- */

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
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->kind), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind), selected);
  gtk_widget_set_visible (self->kind, self->kinds->len > 1);
  ls_choice_set_name (GTK_DROP_DOWN (self->kind), _("Kind of graph"));
  ls_choice_set_name (GTK_DROP_DOWN (self->figure), _("Show on nodes"));
  self->syncing = FALSE;
}

static void
kind_chosen (LsGraphView *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind));

  if (!self->syncing && selected < self->kinds->len)
    ls_graph_model_set_kind (self->model, g_array_index (self->kinds, LsGraphKind, selected));
}

static void
figure_chosen (LsGraphView *self)
{
  LsGraphFigure figure = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->figure));

  ls_graph_canvas_set_figure (CANVAS (self), figure);
  ls_graph_pane_set_figure (PANE (self), figure);
}

/* Without a choice of the user: times when there are some, else operations. */
static void
choose_figure (LsGraphView *self)
{
  LsGraphState *state = state_of (self);
  LsGraphNumbers sum = state != NULL ? ls_graph_sum (state->graph) : LS_GRAPH_NO_NUMBERS;

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->figure), sum.ns > 0.0 ? LS_GRAPH_FIGURE_TIME : sum.flop > 0.0 ? LS_GRAPH_FIGURE_FLOP : LS_GRAPH_FIGURE_NONE);
}

static void
show_counts (LsGraphView *self)
{
  LsGraphState *state = state_of (self);
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
  LsGraphState *state = state_of (self);
  gboolean folded = state != NULL && state->graph->n_folded > 0;
  gboolean all = state != NULL && ls_graph_model_get_all (self->model);
  g_autofree char *words = NULL;

  gtk_widget_set_visible (self->notice_bar, message != NULL || folded || all);
  gtk_widget_set_visible (self->notice_all, !all && message == NULL && folded);
  gtk_widget_set_visible (self->notice_button, all || (message == NULL && folded && has_open_groups (series_of (self))));
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

static void timeline_toggled (LsGraphView *self);

static void
show_state (LsGraphView *self)
{
  LsGraphSeries *series = series_of (self);
  guint at = series != NULL ? ls_graph_model_get_state (self->model) : 0;
  guint n = series != NULL ? series->states->len : 0;
  gboolean passes = self->model != NULL && ls_graph_model_has_passes (self->model);
  g_autofree char *words = NULL;

  if (series != NULL)
    {
      g_autofree char *changes = at > 0 ? ls_graph_state_words (ls_graph_series_state (series, at)) : NULL;

      g_autofree char *place = g_strdup_printf (_("%u of %u"), at, n - 1);

      words = n > 1 ? g_strjoin (LS_PARTS, place, changes, NULL) : g_strdup ("");
    }
  gtk_label_set_label (GTK_LABEL (self->state_name), series != NULL ? ls_graph_series_state (series, at)->label : "");
  gtk_label_set_label (GTK_LABEL (self->state_words), words != NULL ? words : "");
  gtk_widget_set_sensitive (self->previous_state, at > 0);
  gtk_widget_set_sensitive (self->next_state, at + 1 < n);
  gtk_widget_set_visible (self->add_pass, passes);
  gtk_widget_set_visible (self->edit, passes && ls_graph_model_get_kind (self->model) == LS_GRAPH_RELAX);
  gtk_widget_set_visible (self->fold_constants, passes);
  gtk_widget_set_visible (self->drop_pass, passes && ls_graph_model_get_n_passes (self->model) > 0);
  gtk_widget_set_visible (self->timeline, passes && ls_graph_model_get_kind (self->model) == LS_GRAPH_RELAX);
  timeline_toggled (self);
  gtk_widget_set_sensitive (self->export, series != NULL);
  if (!is_waiting (self))
    ls_graph_canvas_set_state (CANVAS (self), at);
  search_again (self, FALSE);
  show_counts (self);
  show_notice (self);
}

static void styles_changed (LsGraphView *self);

static void
state_changed (LsGraphView *self)
{
  show_state (self);
  choose_figure (self);
  styles_changed (self);
}

static void
show_empty (LsGraphView *self)
{
  ls_status_set (LS_STATUS (self->status), _("There is no graph to show yet."), NULL, NULL, _("Open a module with functions of Relax, a PrimFunc with several blocks, or a saved FX graph."));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "status");
}

static void
series_changed (LsGraphView *self)
{
  LsGraphSeries *series = series_of (self);

  if (series == NULL || series->whole->nodes->len == 0)
    ls_graph_canvas_set_graph (CANVAS (self), NULL, NULL);
  show_kinds (self);
  gtk_widget_set_sensitive (self->measure, series != NULL);
  if (series == NULL || series->whole->nodes->len == 0)
    {
      show_empty (self);
      show_state (self);
      return;
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "canvas");
  ls_graph_model_lay_out (self->model, ls_graph_measure (gtk_widget_get_pango_context (self->canvas), series));
  state_changed (self);
}

/* While the canvas shows the state. */
static void
styles_changed (LsGraphView *self)
{
  LsGraphState *state = state_of (self);
  const char *const *styles = self->model != NULL ? ls_graph_model_get_styles (self->model) : NULL;

  if (!is_waiting (self))
    ls_graph_canvas_set_styles (CANVAS (self), state != NULL && styles != NULL ? ls_graph_style_nodes (state->graph, styles, NULL) : NULL);
}

static void
layout_changed (LsGraphView *self)
{
  ls_graph_canvas_set_graph (CANVAS (self), series_of (self), ls_graph_model_get_layout (self->model));
  ls_graph_canvas_set_selected (CANVAS (self), ls_graph_model_get_selected (self->model));
  show_state (self);
  styles_changed (self);
}

static void
told (LsGraphView *self)
{
  const char *busy = ls_graph_model_get_busy (self->model);

  gtk_label_set_label (GTK_LABEL (self->busy), busy != NULL ? busy : "");
  gtk_widget_set_visible (self->cancel, busy != NULL);
  gtk_widget_set_visible (self->busy, busy != NULL);
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
static void
pins_changed (LsGraphView *self)
{
  g_autoptr (GHashTable) pins = NULL;

  if (ls_session_get_pins (self->session) != 0)
    {
      pins = g_hash_table_new (NULL, NULL);
      add_pins (pins, ls_session_get_loops (self->session));
    }
  ls_graph_canvas_set_pins (CANVAS (self), pins);
}

static void
selection_changed (LsGraphView *self)
{
  if (!is_waiting (self))
    ls_graph_canvas_set_selected (CANVAS (self), ls_graph_model_get_selected (self->model));
}

static void
numbers_changed (LsGraphView *self)
{
  choose_figure (self);
  show_counts (self);
}

static void
zoomed (LsGraphView *self)
{
  g_autofree char *text = g_strdup_printf ("%.0f %%", 100.0 * ls_graph_canvas_get_zoom (CANVAS (self)));

  gtk_label_set_label (GTK_LABEL (self->zoom), text);
}

/* ---- wishes --------------------------------------------------------------------------------------- */

static void
node_selected (LsGraphView *self,
               int          place)
{
  if (!is_waiting (self))
    ls_graph_model_select (self->model, place);
}

static void
node_chosen (LsGraphView *self,
             int          place,
             gboolean     from_list)
{
  if (!is_waiting (self))
    {
      ls_graph_canvas_set_selected (CANVAS (self), place);
      if (place >= 0)
        ls_graph_canvas_reveal (CANVAS (self), place);
    }
  if (!from_list)
    ls_graph_model_select (self->model, place);
}

/* Opens a group; goes to the called function of Relax; else to the pane. */
static void
node_activated (LsGraphView *self,
                int          place)
{
  LsGraphState *state = state_of (self);
  const LsGraphNode *node = state != NULL && place >= 0 && state->nodes[place] >= 0 ? ls_graph_node (state->graph, state->nodes[place]) : NULL;

  if (node == NULL)
    return;
  if (node->kind == LS_GRAPH_NODE_GROUP)
    {
      ls_graph_model_open_group (self->model, node->key, TRUE);
      return;
    }
  ls_graph_model_select (self->model, place);
  ls_graph_pane_focus_detail (PANE (self));
}

static void
canvas_activated (LsGraphView *self,
                  int          place)
{
  if (!is_waiting (self))
    node_activated (self, place);
}

static void
previous_state (LsGraphView *self)
{
  ls_graph_model_go_to (self->model, ls_graph_model_get_state (self->model) - 1);
}

static void
next_state (LsGraphView *self)
{
  ls_graph_model_go_to (self->model, ls_graph_model_get_state (self->model) + 1);
}

static void
fold_toggled (LsGraphView *self)
{
  ls_graph_model_set_folded (self->model, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->fold_constants)));
}

static void
drop_pass (LsGraphView *self)
{
  ls_graph_model_drop_pass (self->model);
}

static void
measure (LsGraphView *self)
{
  ls_graph_model_measure (self->model);
}

static void
timeline_toggled (LsGraphView *self)
{
  gtk_widget_set_visible (self->times, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->timeline)) && gtk_widget_get_visible (self->timeline));
}

static void
call_chosen (LsGraphView *self,
             int          place)
{
  if (place >= 0)
    node_chosen (self, place, FALSE);
}

static void
cancel (LsGraphView *self)
{
  ls_graph_model_cancel (self->model);
}

static void
show_all (LsGraphView *self)
{
  ls_graph_model_set_all (self->model, TRUE);
}

static void
fold_again (LsGraphView *self)
{
  LsGraphSeries *series = series_of (self);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  if (ls_graph_model_get_all (self->model))
    {
      ls_graph_model_set_all (self->model, FALSE);
      return;
    }
  for (guint i = 0; series != NULL && i < series->whole->clusters->len; i++)
    if (ls_graph_cluster (series->whole, i)->kind == LS_GRAPH_CLUSTER_GROUP)
      g_ptr_array_add (keys, g_strdup (ls_graph_cluster (series->whole, i)->key));
  for (guint i = 0; i < keys->len; i++)
    ls_graph_model_open_group (self->model, keys->pdata[i], FALSE);
}

static void
zoom_in (LsGraphView *self)
{
  ls_graph_canvas_zoom_by (CANVAS (self), 1.25);
}

static void
zoom_out (LsGraphView *self)
{
  ls_graph_canvas_zoom_by (CANVAS (self), 0.8);
}

static void
fit (LsGraphView *self)
{
  ls_graph_canvas_fit (CANVAS (self));
}

/* ---- export ------------------------------------------------------------------------------------------ */

static void
export_to (GtkWidget *widget,
           GFile     *file,
           gpointer   data)
{
  LsGraphView *self = LS_GRAPH_VIEW (widget);
  g_autoptr (GError) error = NULL;

  if (g_file_peek_path (file) != NULL && state_of (self) != NULL && !is_waiting (self)
      && !ls_graph_export (self->model, ls_graph_canvas_get_scene (CANVAS (self)), g_file_peek_path (file), &error))
    {
      gtk_label_set_label (GTK_LABEL (self->notice), error->message);
      gtk_widget_set_visible (self->notice_bar, TRUE);
    }
}

static void
export (LsGraphView *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the graph (.svg, .png, .pdf, .dot, .json, or the module as .py)"),
                                                              GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "graph.svg");
  ls_ask_file (dialog, GTK_WIDGET (self), export_to, NULL, NULL);
}

/* ---- passes -------------------------------------------------------------------------------------------- */

/* From the list of passes. TRUE: it could be done. */
static gboolean
pass_chosen (const char *text,
             gpointer    data)
{
  LsGraphView *self = data;

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->add_pass));
  ls_graph_model_add_pass (self->model, text);
  gtk_widget_grab_focus (self->canvas);
  return ls_graph_model_get_message (self->model) == NULL;
}

/* ---- class ------------------------------------------------------------------------------------------------ */

static void
ls_graph_view_dispose (GObject *object)
{
  LsGraphView *self = LS_GRAPH_VIEW (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  self->model = NULL;
  g_clear_object (&self->session);
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_graph_view_parent_class)->dispose (object);
}

static void
ls_graph_view_class_init (LsGraphViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_graph_view_dispose;
  g_type_ensure (LS_TYPE_GRAPH_CANVAS);
  g_type_ensure (LS_TYPE_GRAPH_MAP);
  g_type_ensure (LS_TYPE_GRAPH_PANE);
  g_type_ensure (LS_TYPE_GRAPH_TIMES);
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "graphview");
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/graph/view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsGraphView, name)
  BIND (paned);
  BIND (bar);
  BIND (kind);
  BIND (search);
  BIND (found);
  BIND (previous_match);
  BIND (next_match);
  BIND (styles);
  BIND (figure_label);
  BIND (figure);
  BIND (zoom_out);
  BIND (zoom);
  BIND (zoom_in);
  BIND (fit);
  BIND (state_bar);
  BIND (previous_state);
  BIND (next_state);
  BIND (state_name);
  BIND (state_words);
  BIND (fold_constants);
  BIND (add_pass);
  BIND (edit);
  BIND (drop_pass);
  BIND (measure);
  BIND (timeline);
  BIND (times);
  BIND (export);
  BIND (notice_bar);
  BIND (notice);
  BIND (notice_all);
  BIND (notice_button);
  BIND (stack);
  BIND (canvas);
  BIND (map);
  BIND (status);
  BIND (counts);
  BIND (busy);
  BIND (cancel);
  BIND (keys);
  BIND (side);
#undef BIND
}

static void
connect_parts (LsGraphView *self)
{
  const struct { GtkWidget *widget; const char *signal; GCallback func; } parts[] = {
    { self->kind, "notify::selected", G_CALLBACK (kind_chosen) },
    { self->figure, "notify::selected", G_CALLBACK (figure_chosen) },
    { self->search, "search-changed", G_CALLBACK (search_changed) },
    { self->search, "activate", G_CALLBACK (go_next_match) },
    { self->search, "next-match", G_CALLBACK (go_next_match) },
    { self->search, "previous-match", G_CALLBACK (go_previous_match) },
    { self->search, "stop-search", G_CALLBACK (leave_search) },
    { self->previous_match, "clicked", G_CALLBACK (go_previous_match) },
    { self->next_match, "clicked", G_CALLBACK (go_next_match) },
    { self->zoom_out, "clicked", G_CALLBACK (zoom_out) },
    { self->zoom_in, "clicked", G_CALLBACK (zoom_in) },
    { self->fit, "clicked", G_CALLBACK (fit) },
    { self->previous_state, "clicked", G_CALLBACK (previous_state) },
    { self->next_state, "clicked", G_CALLBACK (next_state) },
    { self->fold_constants, "toggled", G_CALLBACK (fold_toggled) },
    { self->drop_pass, "clicked", G_CALLBACK (drop_pass) },
    { self->measure, "clicked", G_CALLBACK (measure) },
    { self->export, "clicked", G_CALLBACK (export) },
    { self->timeline, "toggled", G_CALLBACK (timeline_toggled) },
    { self->times, "chosen", G_CALLBACK (call_chosen) },
    { self->times, "measure", G_CALLBACK (measure) },
    { self->notice_all, "clicked", G_CALLBACK (show_all) },
    { self->notice_button, "clicked", G_CALLBACK (fold_again) },
    { self->cancel, "clicked", G_CALLBACK (cancel) },
    { self->canvas, "selected", G_CALLBACK (node_selected) },
    { self->canvas, "activated", G_CALLBACK (canvas_activated) },
    { self->canvas, "zoomed", G_CALLBACK (zoomed) },
    { self->side, "chosen", G_CALLBACK (node_chosen) },
    { self->side, "opened", G_CALLBACK (node_activated) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_signal_connect_object (parts[i].widget, parts[i].signal, parts[i].func, self, G_CONNECT_SWAPPED);
  ls_graph_map_set_canvas (LS_GRAPH_MAP (self->map), CANVAS (self));
}

/* The divider's first place, and that after a turn; in between it is the user's.  Not before the sizes of this orientation are
 * known: a GtkPaned adds their difference from those before to the place that it was told. */
static void
divide (gpointer data)
{
  LsGraphView *self = data;
  int room = self->narrow ? gtk_widget_get_height (self->paned) : gtk_widget_get_width (self->paned);
  int position = gtk_paned_get_position (GTK_PANED (self->paned));

  if (room <= 0 || !self->sized || (self->given != 0 && self->given != position))
    return;
  gtk_paned_set_position (GTK_PANED (self->paned), room * (!self->narrow ? 62 : self->overview ? 76 : 66) / 100);
  self->given = gtk_paned_get_position (GTK_PANED (self->paned));
}

static void
queue_divide (LsGraphView *self)
{
  self->sized = TRUE;
  ls_later (self, G_PRIORITY_HIGH_IDLE, 0, divide);
}

static void
mapped (LsGraphView *self)
{
  if (self->model != NULL)
    ls_graph_model_set_watched (self->model, TRUE);
}

static void
unmapped (LsGraphView *self)
{
  if (self->model != NULL)
    ls_graph_model_set_watched (self->model, FALSE);
}

static void
ls_graph_view_init (LsGraphView *self)
{
  const char *const figures[] = { _("Shapes"), _("Time"), _("Operations"), _("Bytes"), _("Share of Roof"), NULL };
  g_autoptr (GtkStringList) list = gtk_string_list_new (figures);

  gtk_widget_init_template (GTK_WIDGET (self));
  self->kinds = g_array_new (FALSE, FALSE, sizeof (LsGraphKind));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->figure), G_LIST_MODEL (list));
  gtk_widget_set_size_request (self->side, ls_theme_grow (320), ls_theme_grow (160));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->add_pass), ls_pass_popover_new (pass_chosen, self));
  connect_parts (self);
  g_signal_connect_object (self->paned, "notify::max-position", G_CALLBACK (queue_divide), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self, "map", G_CALLBACK (mapped), self);
  g_signal_connect_swapped (self, "unmap", G_CALLBACK (unmapped), self);
  zoomed (self);
  show_empty (self);
}

void
ls_graph_view_set_session (LsGraphView *self,
                           LsSession   *session)
{
  const struct { const char *signal; GCallback func; } parts[] = {
    { "changed", G_CALLBACK (series_changed) },
    { "state", G_CALLBACK (state_changed) },
    { "laid-out", G_CALLBACK (layout_changed) },
    { "told", G_CALLBACK (told) },
    { "numbers", G_CALLBACK (numbers_changed) },
    { "selection", G_CALLBACK (selection_changed) },
    { "styles", G_CALLBACK (styles_changed) },
  };

  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->model = ls_session_get_graph (session);
  g_signal_connect_object (session, "pins-changed", G_CALLBACK (pins_changed), self, G_CONNECT_SWAPPED);
  pins_changed (self);
  if (self->model == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_signal_connect_swapped (self->model, parts[i].signal, parts[i].func, self);
  ls_graph_pane_set_model (PANE (self), self->model);
  ls_graph_times_set_model (LS_GRAPH_TIMES (self->times), self->model);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->styles), ls_styles_popover_new (self->model, GTK_EDITABLE (self->search)));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->edit), ls_edit_popover_new (self->model, CANVAS (self)));
  ls_graph_model_set_watched (self->model, gtk_widget_get_mapped (GTK_WIDGET (self)));
  series_changed (self);
  told (self);
}

void
ls_graph_view_set_narrow (LsGraphView *self,
                          gboolean     narrow,
                          gboolean     cramped)
{
  self->cramped = cramped;
  show_figure_label (self);
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  ls_graph_pane_set_narrow (PANE (self), narrow);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  self->given = 0;
  self->sized = FALSE;
}

void
ls_graph_view_set_overview (LsGraphView *self,
                            gboolean     overview)
{
  self->overview = overview;
  ls_graph_canvas_set_overview (CANVAS (self), overview);
}

void
ls_graph_view_set_slide (LsGraphView *self,
                         gboolean     slide)
{
  ls_graph_canvas_set_slide (CANVAS (self), slide);
  gtk_widget_set_visible (GTK_WIDGET (PANE (self)), !slide);
}

void
ls_graph_view_start_search (LsGraphView *self)
{
  gtk_widget_grab_focus (self->search);
}

void
ls_graph_view_search_next (LsGraphView *self)
{
  go_next_match (self);
}

void
ls_graph_view_focus_pane (LsGraphView *self,
                          guint        pane)
{
  if (pane == 0)
    gtk_widget_grab_focus (self->canvas);
  else if (pane == 1)
    ls_graph_pane_focus_list (PANE (self));
  else
    ls_graph_pane_focus_detail (PANE (self));
}

int
ls_graph_view_find_focus (LsGraphView *self,
                          GtkWidget   *focus)
{
  int pane = ls_graph_pane_find_focus (PANE (self), focus);

  if (focus == self->canvas)
    return 0;
  return pane >= 0 ? pane + 1 : -1;
}
