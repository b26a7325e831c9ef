/* run/graph: a graph of Relax, binding by binding: each value with its figures and its picture, breakpoints on operators, where the first NaN comes
 * from; beside it the same tensors after a pass, or what torch has for them.  A call opens in the window Run, on what went into it.
 */
#include "app/run/graph.h"

#include "app/run/begun.h"
#include "app/run/graph-private.h"
#include "app/run/window.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/models/named-values.h"
#include "views/parts/parts.h"
#include "views/run/grid.h"
#include "views/run/slices.h"
#include "views/run/histogram.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "run-graph"

static const LsRunMove moves[] = {
  { "start", "media-skip-backward-symbolic", N_("First value (Home)"), GDK_KEY_Home, FALSE },
  { "back-continue", "media-seek-backward-symbolic", N_("Back to the last breakpoint (Shift+F8)"), GDK_KEY_F8, TRUE },
  { "back", "go-up-symbolic", N_("A binding back (Shift+F11)"), GDK_KEY_F11, TRUE },
  { "step", "go-down-symbolic", N_("Next binding (F11)"), GDK_KEY_F11, FALSE },
  { "continue", "media-playback-start-symbolic", N_("On to the next breakpoint (F8)"), GDK_KEY_F8, FALSE },
  { "end", "media-skip-forward-symbolic", N_("Last value (End)"), GDK_KEY_End, FALSE },
};

/* ---- asking -------------------------------------------------------------------------------------- */

static void
show_buttons (LsRunGraph *self)
{
  gboolean goes = self->is_running && !self->is_paused;
  gboolean can = self->look != NULL && self->asking == NULL && !goes;

  ls_run_frame_set_can (&self->frame, self->look != NULL, self->asking != NULL || goes);
  gtk_widget_set_sensitive (self->nan, can);
  gtk_widget_set_sensitive (self->into, can && ls_params_bool (self->look, "has-function", FALSE));
  gtk_widget_set_sensitive (self->pause, self->is_running);
  gtk_widget_set_sensitive (self->end, self->is_running || self->asking != NULL || ls_run_torch_runs (self->torch));
  gtk_button_set_icon_name (GTK_BUTTON (self->pause), self->is_paused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic");
  gtk_widget_set_tooltip_text (self->pause, self->is_paused ? _("Make the other values too (F9)") : _("Pause the run (F9)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->pause), GTK_ACCESSIBLE_PROPERTY_LABEL, self->is_paused ? _("Make the other values too (F9)") : _("Pause the run (F9)"), -1);
}

static void send (LsRunGraph *self, const char *command);

static void
take (LsRunGraph *self,
      GVariant   *answer)
{
  g_autoptr (GVariant) stops = ls_params_value (answer, "stops");
  g_autoptr (GVariant) bindings = ls_params_value (answer, "bindings");

  if (stops != NULL)
    {
      ls_run_frame_show_stops (self->stops, stops);
      return;
    }
  if (bindings != NULL)
    self->is_running = ls_params_bool (answer, "running", FALSE);
  if (ls_params_bool (answer, "none", FALSE))
    {
      ls_run_graph_say (self, _("No value has a NaN or an infinity."), NULL);
      return;
    }
  g_clear_pointer (&self->look, g_variant_unref);
  self->look = g_variant_ref (answer);
  if (bindings != NULL)
    {
      g_clear_pointer (&self->compared, g_variant_unref);
      self->compared = ls_params_value (answer, "compared");
      self->n_without = (guint) ls_params_int (answer, "without", 0);
      self->shown = -1;
      ls_run_graph_show_rows (self);
    }
  ls_run_graph_show (self);
  if (bindings != NULL && self->is_running)
    {
      g_autofree char *n = ls_format_count ((gint64) g_variant_n_children (bindings));
      g_autofree char *words = g_strdup_printf (ngettext ("%s value is made so far.", "%s values are made so far.", g_variant_n_children (bindings)), n);

      ls_run_graph_say (self, self->is_paused ? _("The run stands still.") : _("The graph runs."), words);
    }
  else if (bindings != NULL && !ls_params_bool (answer, "whole", TRUE))
    ls_run_graph_say (self, _("The run was ended; the values up to there can be looked at."), NULL);
  else if (bindings != NULL && self->with_torch && self->compared == NULL && self->torch_trouble == NULL)
    {
      ls_run_torch_begin (self->torch);
      ls_run_graph_say (self, _("Torch runs the graph, in a process of its own."), NULL);
    }
}

/* Torch is through: what there is of its values is read, also where it stopped half-way. */
static void
torch_done (gpointer    data,
            const char *trouble)
{
  LsRunGraph *self = data;

  self->torch_trouble = g_strdup (trouble);
  send (self, "torch");
  show_buttons (self);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsRunGraph *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *wanted = NULL;
  g_autofree char *asked = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  asked = answer != NULL ? ls_run_sizes_asked (self->sizes, answer) : NULL;
  if (asked != NULL)
    ls_run_graph_say (self, asked, NULL);
  else if (answer != NULL)
    take (self, answer);
  else
    {
      self->is_running = FALSE;
      ls_run_frame_forget (&self->frame);
      ls_run_graph_say (self, error->message, NULL);
    }
  show_buttons (self);
  wanted = g_steal_pointer (&self->wanted);
  if (wanted != NULL)
    send (self, wanted);
  else if (!ls_run_frame_go_on (&self->frame) && answer != NULL && self->is_running && !self->is_paused)
    send (self, "more");
}

/* "[2, 0]", or "". (transfer full) */
static char *
slice_words (LsRunGraph *self)
{
  g_autofree char *slice = ls_run_slices_words (LS_RUN_SLICES (self->slices));
  GString *words = g_string_new (slice);

  if (words->len == 0 && self->part != NULL)
    g_string_append (words, "[]");
  if (self->part != NULL)
    g_string_append (words, self->part);
  return g_string_free (words, FALSE);
}

static void
send (LsRunGraph *self,
      const char *command)
{
  gboolean stays = strcmp (command, "where") == 0 || strcmp (command, "more") == 0;
  g_autofree char *slice = stays ? slice_words (self) : g_strdup ("");
  GVariantDict params;

  if (self->look == NULL)
    return;
  if (self->asking != NULL)
    {
      g_free (self->wanted);
      self->wanted = g_strdup (command);
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  g_variant_dict_insert (&params, "slice", "s", slice);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-graph", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

/* The keyboard left what is shown of a tensor. */
static void
part_wanted (LsRunGrid  *grid,
             gint64      row,
             gint64      column,
             LsRunGraph *self)
{
  if (self->look == NULL)
    return;
  g_free (self->part);
  self->part = g_strdup_printf (" %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, row, column);
  send (self, "where");
}

static void
pause_or_go_on (LsRunGraph *self)
{
  if (!self->is_running)
    return;
  self->is_paused = !self->is_paused;
  ls_run_frame_forget (&self->frame);
  if (!self->is_paused && self->asking == NULL)
    send (self, "more");
  show_buttons (self);
}

static void
row_chosen (LsRunGraph *self)
{
  guint at = gtk_single_selection_get_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->list))));
  g_autofree char *command = g_strdup_printf ("goto %u", at);

  if (self->choosing == 0 && at != GTK_INVALID_LIST_POSITION && self->look != NULL && at != (guint) ls_params_int (self->look, "number", 0))
    send (self, command);
}

static void
stop_added (LsRunGraph *self)
{
  g_autofree char *command = ls_run_frame_stop_command (self->stop);

  send (self, command);
}

static void
find_nan (LsRunGraph *self)
{
  send (self, "nan");
}

/* The window of the program that is shown, on what went into the call. */
static void
go_into (LsRunGraph *self)
{
  if (self->look != NULL)
    ls_run_show_call (ls_tool_window_get_parent (self->window), self->session, NULL, ls_params_int (self->look, "number", 0));
}

static void
show_machine (LsRunGraph *self)
{
  gtk_widget_activate_action (GTK_WIDGET (ls_tool_window_get_parent (self->window)), "win.run-vm", NULL);
}

static void
leave (LsRunGraph *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  ls_run_frame_forget (&self->frame);
  ls_run_torch_stop (self->torch);
  ls_named_values_set (self->session, NULL);
  g_clear_pointer (&self->torch_trouble, g_free);
  g_clear_pointer (&self->look, g_variant_unref);
  g_clear_pointer (&self->compared, g_variant_unref);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_pointer (&self->part, g_free);
  self->is_running = self->is_paused = FALSE;
}

/* What is chosen to stand beside the values. FALSE with an error: torch cannot be asked. */
static gboolean
put_beside (LsRunGraph    *self,
            GVariantDict  *params,
            GError       **error)
{
  GListModel *passes = gtk_drop_down_get_model (GTK_DROP_DOWN (self->passes));
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->passes));

  self->with_torch = self->offers_torch && at == 1;
  if (self->with_torch)
    return ls_run_torch_put (self->torch, self->session, self->worker, params, error);
  if (at > 0 && at < g_list_model_get_n_items (passes))
    g_variant_dict_insert (params, "pass", "s", gtk_string_list_get_string (GTK_STRING_LIST (passes), at));
  return TRUE;
}

static void
begin (LsRunGraph *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  GVariantDict params;

  leave (self);
  ls_worker_stop (self->worker);
  self->choosing++;
  gtk_string_list_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), NULL);
  self->choosing--;
  ls_run_grid_set (LS_RUN_GRID (self->grids[0]), NULL, NULL);
  ls_run_grid_set (LS_RUN_GRID (self->grids[1]), NULL, NULL);
  ls_run_graph_show_passes (self);
  g_variant_dict_init (&params, NULL);
  if (module == NULL || !put_beside (self, &params, &error))
    {
      g_variant_dict_clear (&params);
      ls_run_graph_say (self, error->message, NULL);
      show_buttons (self);
      return;
    }
  ls_run_graph_say (self, _("The graph runs."), NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  ls_run_begun_put (&params, self->sizes);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-graph", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

/* Nothing more is made: what stands still answers at once; what does not answer at all (a pass that hangs) goes with its process. */
static void
end_run (LsRunGraph *self)
{
  if (self->is_running)
    {
      self->is_paused = TRUE;
      send (self, "give-up");
      return;
    }
  if (ls_run_torch_runs (self->torch))
    {
      ls_run_torch_stop (self->torch);
      torch_done (self, _("Torch was ended."));
      return;
    }
  if (self->asking == NULL)
    return;
  leave (self);
  ls_worker_stop (self->worker);
  ls_run_graph_say (self, _("The run was ended."), NULL);
  show_buttons (self);
}

static void
pass_chosen (LsRunGraph *self)
{
  if (self->choosing == 0)
    begin (self);
}

/* ---- the window -------------------------------------------------------------------------------------- */

static void
go (gpointer    run,
    const char *command)
{
  send (run, command);
}

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             LsRunGraph         *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  gboolean has_ends = focus != NULL && (GTK_IS_EDITABLE (focus) || gtk_widget_is_ancestor (focus, self->list) || LS_IS_RUN_GRID (focus));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_F2)
    {
      gtk_widget_grab_focus (self->stop);
      return TRUE;
    }
  if (key == GDK_KEY_F9)
    {
      pause_or_go_on (self);
      return TRUE;
    }
  return ls_run_frame_press (&self->frame, key, state, has_ends);
}

static GtkWidget *
bar (LsRunGraph *self)
{
  GtkWidget *row = ls_part_row ("compare-head"), *machine;
  const char *none[] = { _("No pass beside it"), NULL };
  g_autoptr (GtkExpression) by_words = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  ls_run_frame_put_moves (&self->frame, row);
  self->pause = ls_part_icon_button ("media-playback-pause-symbolic", _("Pause the run (F9)"));
  self->end = ls_part_icon_button ("process-stop-symbolic", _("End the run"));
  g_signal_connect_swapped (self->pause, "clicked", G_CALLBACK (pause_or_go_on), self);
  g_signal_connect_swapped (self->end, "clicked", G_CALLBACK (end_run), self);
  gtk_box_append (GTK_BOX (row), self->pause);
  gtk_box_append (GTK_BOX (row), self->end);
  self->sizes = ls_run_sizes_new (G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->sizes);
  self->nan = ls_part_word_button ("edit-find-symbolic", _("First NaN"));
  self->into = ls_part_word_button ("go-jump-symbolic", _("Into its TensorIR"));
  machine = ls_part_word_button ("system-run-symbolic", _("Its instructions"));
  gtk_widget_set_tooltip_text (machine, _("The same function in the virtual machine: registers and memory"));
  self->passes = gtk_drop_down_new_from_strings (none);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->passes), TRUE);
  gtk_drop_down_set_expression (GTK_DROP_DOWN (self->passes), by_words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->passes), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Pass after which the same tensors are shown"), -1);
  gtk_widget_set_tooltip_text (self->passes, _("Pass after which the same tensors are shown"));
  g_signal_connect_swapped (machine, "clicked", G_CALLBACK (show_machine), self);
  g_signal_connect_swapped (self->nan, "clicked", G_CALLBACK (find_nan), self);
  g_signal_connect_swapped (self->into, "clicked", G_CALLBACK (go_into), self);
  g_signal_connect_swapped (self->passes, "notify::selected", G_CALLBACK (pass_chosen), self);
  gtk_box_append (GTK_BOX (row), self->nan);
  gtk_box_append (GTK_BOX (row), self->into);
  gtk_box_append (GTK_BOX (row), machine);
  gtk_box_append (GTK_BOX (row), self->passes);
  return ls_part_wrapped (row);
}

static GtkWidget *
bindings_box (LsRunGraph *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), ls_run_frame_list (_("Values of the graph"), TRUE, G_CALLBACK (row_chosen), self, &self->list, &self->rows));
  gtk_single_selection_set_autoselect (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->list))), TRUE);
  gtk_box_append (GTK_BOX (box), ls_run_frame_stop_row (_("Breakpoint (F2): matmul, nn.*, lv3, nan; empty removes all"), G_CALLBACK (stop_added), self, &self->stop, &self->stops));
  return box;
}

static void
slice_changed (LsRunGraph *self)
{
  send (self, "where");
}

static GtkWidget *
value_box (LsRunGraph *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = ls_part_row (NULL);

  self->figures = ls_part_label (NULL, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->figures), TRUE);
  self->histogram = ls_run_histogram_new ();
  self->slices = ls_run_slices_new ();
  g_signal_connect_swapped (self->slices, "changed", G_CALLBACK (slice_changed), self);
  self->cell = ls_part_label (NULL, "code");
  gtk_label_set_ellipsize (GTK_LABEL (self->cell), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (row), self->slices);
  gtk_box_append (GTK_BOX (row), self->cell);
  gtk_box_append (GTK_BOX (box), self->figures);
  gtk_box_append (GTK_BOX (box), self->histogram);
  gtk_box_append (GTK_BOX (box), row);
  for (guint i = 0; i < 2; i++)
    {
      self->heads[i] = ls_part_label (i == 0 ? _("Its values") : _("After the pass"), "reason");
      self->grids[i] = ls_run_grid_new ();
      gtk_widget_set_vexpand (self->grids[i], TRUE);
      g_signal_connect_swapped (self->grids[i], "cell-changed", G_CALLBACK (ls_run_graph_show_cell), self);
      g_signal_connect (self->grids[i], "part-wanted", G_CALLBACK (part_wanted), self);
      gtk_box_append (GTK_BOX (box), self->heads[i]);
      gtk_box_append (GTK_BOX (box), self->grids[i]);
    }
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

static void
build (LsRunGraph *self,
       GtkWindow  *parent)
{
  GtkWidget *foot = ls_part_label (_("The graph runs on seeded random numbers, each operator in the interpreter. A breakpoint names operators or bindings; * stands for any letters."), "reason");
  GtkWidget *box;

  ls_run_frame_init (&self->frame, moves, G_N_ELEMENTS (moves), go, self);
  box = ls_run_frame_build (&self->frame, bar (self), bindings_box (self), value_box (self), 520);
  self->window = ls_tool_window_new (parent, _("Graph, binding by binding"), 1120, 740, box, foot);
  ls_run_frame_watch (self->window, G_CALLBACK (key_pressed), self);
}

static void
graph_free (gpointer data)
{
  LsRunGraph *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  leave (self);
  ls_run_torch_free (self->torch);
  ls_worker_stop (self->worker);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_free (self);
}

static void
show (const LsToolPlace *place)
{
  LsRunGraph *self = ls_tool_window_find (place->parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (LsRunGraph, 1);
      self->shown = -1;
      self->session = g_object_ref (place->session);
      self->worker = ls_worker_new ();
      self->torch = ls_run_torch_new (torch_done, self);
      self->send = send;
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, graph_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (begin), self);
      begin (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_run_graph_tool = { .id = KEY, .label = N_("Run a graph binding by binding"), .accel = "<Control><Shift>n", .follows = TRUE, .show = show };
