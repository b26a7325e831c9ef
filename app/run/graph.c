/* run/graph: a graph of Relax, binding by binding: each value with its figures and its picture, breakpoints on operators, where the first NaN comes
 * from; beside it the same tensors after a pass.  A call opens in the window Run, on what went into it.
 */
#include "app/run/graph.h"

#include "app/run/begun.h"
#include "app/rpc/rpc.h"
#include "app/run/compared.h"
#include "app/run/window.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"
#include "views/run/grid.h"
#include "views/run/histogram.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "run-graph"

static const struct {
  const char *command, *icon, *words;
  guint       key;
  gboolean    shift;
} moves[] = {
  { "start", "media-skip-backward-symbolic", N_("First value (Home)"), GDK_KEY_Home, FALSE },
  { "back-continue", "media-seek-backward-symbolic", N_("Back to the last breakpoint (Shift+F8)"), GDK_KEY_F8, TRUE },
  { "back", "go-up-symbolic", N_("A binding back (Shift+F11)"), GDK_KEY_F11, TRUE },
  { "step", "go-down-symbolic", N_("Next binding (F11)"), GDK_KEY_F11, FALSE },
  { "continue", "media-playback-start-symbolic", N_("On to the next breakpoint (F8)"), GDK_KEY_F8, FALSE },
  { "end", "media-skip-forward-symbolic", N_("Last value (End)"), GDK_KEY_End, FALSE },
};

typedef struct {
  GtkWidget    *window;         /* owns this */
  GtkWidget    *sentence, *reason;
  GtkWidget    *moves[8], *nan, *into, *pause, *end;
  GtkWidget    *sizes;          /* what the symbolic sizes are, where there are some */
  GtkWidget    *stop, *stops;   /* entry, label */
  GtkWidget    *passes;         /* drop-down */
  GtkWidget    *list;           /* list view */
  GtkStringList *rows;
  GtkWidget    *figures, *histogram;
  GtkWidget    *slices;
  GtkWidget    *grids[2], *heads[2], *cell;
  LsSession    *session;
  LsWorker     *worker;
  GCancellable *asking;
  GVariant     *look;           /* what was answered last, or NULL */
  GVariant     *compared;       /* aa{sv} for each value, or NULL */
  char         *wanted;         /* command that waits, or NULL */
  char         *part;           /* " 32 0": row and column that the keyboard went to in a grid, until another value is shown; or NULL */
  gboolean      is_running;     /* there are values to be made yet */
  gboolean      is_paused;
  gint64        shown;          /* value whose slices there are, or -1 */
  guint         choosing;       /* widgets are being set */
} Graph;

/* ---- what is shown --------------------------------------------------------------------------- */

static void
say (Graph      *self,
     const char *sentence,
     const char *reason)
{
  gtk_label_set_label (GTK_LABEL (self->sentence), sentence);
  gtk_label_set_label (GTK_LABEL (self->reason), reason != NULL ? reason : "");
  gtk_widget_set_visible (self->reason, reason != NULL);
}

static void
show_buttons (Graph *self)
{
  gboolean goes = self->is_running && !self->is_paused;
  gboolean can = self->look != NULL && self->asking == NULL && !goes;

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_set_sensitive (self->moves[i], can);
  gtk_widget_set_sensitive (self->nan, can);
  gtk_widget_set_sensitive (self->into, can && ls_params_bool (self->look, "has-function", FALSE));
  gtk_widget_set_sensitive (self->pause, self->is_running);
  gtk_widget_set_sensitive (self->end, self->is_running || self->asking != NULL);
  gtk_button_set_icon_name (GTK_BUTTON (self->pause), self->is_paused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic");
  gtk_widget_set_tooltip_text (self->pause, self->is_paused ? _("Make the other values too (F9)") : _("Pause the run (F9)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->pause), GTK_ACCESSIBLE_PROPERTY_LABEL, self->is_paused ? _("Make the other values too (F9)") : _("Pause the run (F9)"), -1);
}

static char *
type_words (GVariant *value)
{
  g_autoptr (GVariant) shape = ls_params_value (value, "shape");
  GString *words = g_string_new ("(");

  for (gsize d = 0; shape != NULL && d < g_variant_n_children (shape); d++)
    {
      gint64 extent;

      g_variant_get_child (shape, d, "x", &extent);
      g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", extent);
    }
  g_string_append_printf (words, ") %s", ls_params_string (value, "type", ""));
  return g_string_free (words, FALSE);
}

/* "lv2 = relax.matmul: (4, 6) float32" */
static char *
row_words (GVariant *value,
           GVariant *compared)
{
  g_autofree char *type = type_words (value);
  GString *words = g_string_new (ls_params_string (value, "binding", "?"));
  gint64 odd = ls_params_int (value, "nan", 0) + ls_params_int (value, "infinite", 0);

  g_string_append_printf (words, " = %s", ls_params_string (value, "op", "?"));
  if (ls_params_string (value, "trouble", NULL) != NULL)
    g_string_append_printf (words, ": %s", ls_params_string (value, "trouble", ""));
  else
    g_string_append_printf (words, ": %s", type);
  if (odd > 0)
    {
      g_autofree char *count = ls_format_count (odd);

      /* Translators: how many values of a tensor are no finite number */
      g_string_append_printf (words, _(", %s NaN or infinite"), count);
    }
  if (compared != NULL && ls_params_string (compared, "other", NULL) == NULL)
    g_string_append (words, _(", gone after the pass"));
  else if (compared != NULL && ls_params_string (compared, "trouble", NULL) != NULL)
    g_string_append_printf (words, ", %s", ls_params_string (compared, "trouble", ""));
  else if (compared != NULL)
    g_string_append_printf (words, _(", error %.3g"), ls_params_double (compared, "error", 0));
  return g_string_free (words, FALSE);
}

static void
fill_rows (Graph *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "bindings");
  g_autoptr (GStrvBuilder) rows = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) compared = self->compared != NULL ? g_variant_get_child_value (self->compared, i) : NULL;
      g_autofree char *words = row_words (one, compared);

      g_strv_builder_add (rows, words);
    }
  all = g_strv_builder_end (rows);
  self->choosing++;
  gtk_string_list_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), (const char *const *) all);
  self->choosing--;
}

static void
fill_passes (Graph *self)
{
  g_auto (GStrv) names = ls_params_strv (self->look, "passes");
  g_autoptr (GtkStringList) model = NULL;

  if (names == NULL || g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (self->passes))) > 1)
    return;
  model = gtk_string_list_new (NULL);
  gtk_string_list_append (model, _("No Pass Beside It"));
  for (guint i = 0; names[i] != NULL; i++)
    gtk_string_list_append (model, names[i]);
  self->choosing++;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->passes), G_LIST_MODEL (model));
  self->choosing--;
}

static GVariant *
compared_here (Graph *self)
{
  gint64 number = ls_params_int (self->look, "number", 0);

  return self->compared != NULL && number < (gint64) g_variant_n_children (self->compared) ? g_variant_get_child_value (self->compared, (gsize) number) : NULL;
}

static void
say_position (Graph *self)
{
  g_autoptr (GVariant) inside = ls_params_value (self->look, "inside");
  g_auto (GStrv) inputs = ls_params_strv (self->look, "inputs");
  g_autofree char *from = inputs != NULL && inputs[0] != NULL ? g_strjoinv (", ", inputs) : NULL;
  const char *name = ls_params_string (self->look, "binding", "?"), *op = ls_params_string (self->look, "op", "?");
  g_autofree char *sentence = NULL;
  g_autofree char *reason = NULL;

  if (strcmp (ls_params_string (self->look, "command", ""), "nan") == 0 || inside != NULL)
    {
      /* Translators: a tensor, the place in it, the operator that made it */
      sentence = g_strdup_printf (_("The first NaN or infinity is in %s%s, made by %s."), name, ls_params_string (self->look, "first-odd", ""), op);
      reason = inside != NULL ? g_strdup_printf (_("Its statement: %s"), ls_params_string (inside, "statement", "")) : NULL;
    }
  else
    {
      sentence = from != NULL ? g_strdup_printf (_("%s is made by %s from %s."), name, op, from) : g_strdup_printf (_("%s: %s"), name, op);
      if (ls_params_string (self->look, "stopped-for", NULL) != NULL)
        reason = g_strdup_printf (_("Stopped for %s."), ls_params_string (self->look, "stopped-for", ""));
      else
        reason = ls_run_compared_words (self->compared);
    }
  say (self, sentence, reason);
}

static void
show_figures (Graph *self)
{
  const char *trouble = ls_params_string (self->look, "trouble", NULL);
  g_autoptr (GVariant) bins = ls_params_value (self->look, "histogram");
  g_autoptr (GVariant) compared = compared_here (self);
  g_autofree char *nan = ls_format_count (ls_params_int (self->look, "nan", 0));
  g_autofree char *infinite = ls_format_count (ls_params_int (self->look, "infinite", 0));
  g_autofree char *type = type_words (self->look);
  g_autofree char *words = NULL;
  g_autofree char *error = NULL;
  double least = ls_params_double (self->look, "least", 0), most = ls_params_double (self->look, "most", 0);

  words = trouble != NULL ? g_strdup_printf (_("Not known: %s."), trouble)
                          : g_strdup_printf (_("%s, from %.4g over %.4g on average to %.4g, %s NaN, %s infinite"), type, least, ls_params_double (self->look, "mean", 0), most,
                                             nan, infinite);
  if (compared != NULL && ls_params_string (compared, "other", NULL) != NULL && ls_params_string (compared, "trouble", NULL) == NULL)
    error = ls_params_string (compared, "place", NULL) != NULL
              ? g_strdup_printf (_("After the pass it is %s: largest error %.3g, at %s."), ls_params_string (compared, "other", "?"), ls_params_double (compared, "error", 0),
                                 ls_params_string (compared, "place", ""))
              : g_strdup_printf (_("After the pass it is %s, with the same values."), ls_params_string (compared, "other", "?"));
  else if (compared != NULL)
    error = ls_params_string (compared, "other", NULL) == NULL ? g_strdup (_("After the pass nothing is like it.")) : g_strdup (ls_params_string (compared, "trouble", ""));
  {
    gboolean has_like = compared != NULL && ls_params_string (compared, "other", NULL) != NULL;
    g_autofree char *all = has_like ? g_strdup_printf ("%s\n%s %s", words, error, ls_run_matched_words (compared)) : error != NULL ? g_strdup_printf ("%s\n%s", words, error) : g_strdup (words);

    gtk_label_set_label (GTK_LABEL (self->figures), all);
  }
  ls_run_histogram_set (LS_RUN_HISTOGRAM (self->histogram), trouble == NULL ? bins : NULL, least, most);
}

static void slice_changed (Graph *self);

static void
show_slices (Graph *self)
{
  g_autoptr (GVariant) shape = ls_params_value (self->look, "shape");
  gint64 number = ls_params_int (self->look, "number", 0);
  gsize n = 0;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n, sizeof (gint64)) : NULL;
  GtkWidget *child;

  if (number == self->shown)
    return;
  self->shown = number;
  g_clear_pointer (&self->part, g_free);
  while ((child = gtk_widget_get_first_child (self->slices)) != NULL)
    gtk_box_remove (GTK_BOX (self->slices), child);
  for (gsize d = 0; d + 2 < n; d++)
    {
      GtkWidget *spin = gtk_spin_button_new_with_range (0, (double) MAX (extents[d] - 1, 0), 1);
      g_autofree char *words = g_strdup_printf (_("Index %u"), (guint) d + 1);

      gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
      g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (slice_changed), self);
      gtk_box_append (GTK_BOX (self->slices), spin);
    }
}

static void
show_cell (Graph *self)
{
  g_autofree char *before = ls_run_grid_words (LS_RUN_GRID (self->grids[0]));

  gtk_label_set_label (GTK_LABEL (self->cell), before);
}

static void
show_grids (Graph *self)
{
  g_autoptr (GVariant) grid = ls_params_value (self->look, "grid");
  g_autoptr (GVariant) after = ls_params_value (self->look, "grid-after");

  ls_run_grid_set (LS_RUN_GRID (self->grids[0]), grid, NULL);
  ls_run_grid_set (LS_RUN_GRID (self->grids[1]), after, NULL);
  gtk_label_set_label (GTK_LABEL (self->heads[0]), self->compared != NULL ? _("Before the pass") : _("Its values"));
  gtk_widget_set_visible (self->grids[1], after != NULL);
  gtk_widget_set_visible (self->heads[1], after != NULL);
  show_cell (self);
}

static void
show_look (Graph *self)
{
  say_position (self);
  show_figures (self);
  show_slices (self);
  show_grids (self);
  self->choosing++;
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->list))), (guint) ls_params_int (self->look, "number", 0));
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", (guint) ls_params_int (self->look, "number", 0));
  self->choosing--;
}

static void
show_stops (Graph    *self,
            GVariant *list)
{
  GString *words = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", ls_params_string (one, "words", ""));
    }
  gtk_label_set_label (GTK_LABEL (self->stops), words->str);
  g_string_free (words, TRUE);
}

/* ---- asking -------------------------------------------------------------------------------------- */

static void send (Graph *self, const char *command);

static void
take (Graph    *self,
      GVariant *answer)
{
  g_autoptr (GVariant) stops = ls_params_value (answer, "stops");
  g_autoptr (GVariant) bindings = ls_params_value (answer, "bindings");

  if (stops != NULL)
    {
      show_stops (self, stops);
      return;
    }
  if (bindings != NULL)
    self->is_running = ls_params_bool (answer, "running", FALSE);
  if (ls_params_bool (answer, "none", FALSE))
    {
      say (self, _("No value has a NaN or an infinity."), NULL);
      return;
    }
  g_clear_pointer (&self->look, g_variant_unref);
  self->look = g_variant_ref (answer);
  if (bindings != NULL)
    {
      g_clear_pointer (&self->compared, g_variant_unref);
      self->compared = ls_params_value (answer, "compared");
      self->shown = -1;
      fill_rows (self);
      fill_passes (self);
    }
  show_look (self);
  if (bindings != NULL && self->is_running)
    {
      g_autofree char *n = ls_format_count ((gint64) g_variant_n_children (bindings));
      g_autofree char *words = g_strdup_printf (_("%s values are made so far."), n);

      say (self, self->is_paused ? _("The run stands still.") : _("The graph runs."), words);
    }
  else if (bindings != NULL && !ls_params_bool (answer, "whole", TRUE))
    say (self, _("The run was ended; the values up to there can be looked at."), NULL);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Graph *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *wanted = NULL;
  g_autofree char *asked = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  asked = answer != NULL ? ls_run_sizes_asked (self->sizes, answer) : NULL;
  if (asked != NULL)
    say (self, asked, NULL);
  else if (answer != NULL)
    take (self, answer);
  else
    {
      self->is_running = FALSE;
      say (self, error->message, NULL);
    }
  show_buttons (self);
  wanted = g_steal_pointer (&self->wanted);
  if (wanted != NULL)
    send (self, wanted);
  else if (answer != NULL && self->is_running && !self->is_paused)
    send (self, "more");
}

/* "[2, 0]", or "". (transfer full) */
static char *
slice_words (Graph *self)
{
  GString *words = g_string_new (NULL);

  for (GtkWidget *spin = gtk_widget_get_first_child (self->slices); spin != NULL; spin = gtk_widget_get_next_sibling (spin))
    g_string_append_printf (words, "%s%d", words->len == 0 ? "[" : ", ", gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)));
  if (words->len > 0)
    g_string_append_c (words, ']');
  else if (self->part != NULL)
    g_string_append (words, "[]");
  if (self->part != NULL)
    g_string_append (words, self->part);
  return g_string_free (words, FALSE);
}

static void
send (Graph      *self,
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

static void
slice_changed (Graph *self)
{
  send (self, "where");
}

/* The keyboard left what is shown of a tensor. */
static void
part_wanted (LsRunGrid *grid,
             gint64     row,
             gint64     column,
             Graph     *self)
{
  if (self->look == NULL || self->asking != NULL)
    return;
  g_free (self->part);
  self->part = g_strdup_printf (" %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, row, column);
  send (self, "where");
}

static void
pause_or_go_on (Graph *self)
{
  if (!self->is_running)
    return;
  self->is_paused = !self->is_paused;
  if (!self->is_paused && self->asking == NULL)
    send (self, "more");
  show_buttons (self);
}

static void
move_clicked (GtkWidget *button,
              Graph     *self)
{
  send (self, g_object_get_data (G_OBJECT (button), "command"));
}

static void
row_chosen (Graph *self)
{
  guint at = gtk_single_selection_get_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->list))));
  g_autofree char *command = g_strdup_printf ("goto %u", at);

  if (self->choosing == 0 && at != GTK_INVALID_LIST_POSITION && self->look != NULL && at != (guint) ls_params_int (self->look, "number", 0))
    send (self, command);
}

static void
stop_added (Graph *self)
{
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->stop));
  g_autofree char *command = *words != '\0' ? g_strconcat ("break ", words, NULL) : g_strdup ("delete");

  send (self, command);
  gtk_editable_set_text (GTK_EDITABLE (self->stop), "");
}

static void
find_nan (Graph *self)
{
  send (self, "nan");
}

/* The window of the program that is shown, on what went into the call. */
static void
go_into (Graph *self)
{
  if (self->look != NULL)
    ls_run_show_call (ls_tool_window_get_parent (self->window), self->session, NULL, ls_params_int (self->look, "number", 0));
}

static void
show_machine (Graph *self)
{
  gtk_widget_activate_action (GTK_WIDGET (ls_tool_window_get_parent (self->window)), "win.run-vm", NULL);
}

static void
leave (Graph *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_pointer (&self->look, g_variant_unref);
  g_clear_pointer (&self->compared, g_variant_unref);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_pointer (&self->part, g_free);
  self->is_running = self->is_paused = FALSE;
}

static void
begin (Graph *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  GListModel *passes = gtk_drop_down_get_model (GTK_DROP_DOWN (self->passes));
  guint pass = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->passes));
  GVariantDict params;

  leave (self);
  ls_worker_stop (self->worker);
  self->choosing++;
  gtk_string_list_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), NULL);
  self->choosing--;
  ls_run_grid_set (LS_RUN_GRID (self->grids[0]), NULL, NULL);
  ls_run_grid_set (LS_RUN_GRID (self->grids[1]), NULL, NULL);
  if (module == NULL)
    {
      say (self, error->message, NULL);
      show_buttons (self);
      return;
    }
  say (self, _("The graph runs."), NULL);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  if (pass > 0 && pass < g_list_model_get_n_items (passes))
    g_variant_dict_insert (&params, "pass", "s", gtk_string_list_get_string (GTK_STRING_LIST (passes), pass));
  ls_run_begun_put (&params, self->sizes);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-graph", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

/* Nothing more is made: what stands still answers at once; what does not answer at all (a pass that hangs) goes with its process. */
static void
end_run (Graph *self)
{
  if (self->is_running)
    {
      self->is_paused = TRUE;
      send (self, "give-up");
      return;
    }
  if (self->asking == NULL)
    return;
  leave (self);
  ls_worker_stop (self->worker);
  say (self, _("The run was ended."), NULL);
  show_buttons (self);
}

static void
pass_chosen (Graph *self)
{
  if (self->choosing == 0)
    begin (self);
}

/* ---- the window -------------------------------------------------------------------------------------- */

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Graph              *self)
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
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    if (moves[i].key == key && moves[i].shift == ((state & GDK_SHIFT_MASK) != 0) && !(has_ends && (key == GDK_KEY_Home || key == GDK_KEY_End)))
      {
        send (self, moves[i].command);
        return TRUE;
      }
  return FALSE;
}

static GtkWidget *
bar (Graph *self)
{
  GtkWidget *row = ls_part_row ("compare-head"), *machine;
  const char *none[] = { _("No Pass Beside It"), NULL };
  g_autoptr (GtkExpression) by_words = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      self->moves[i] = ls_part_icon_button (moves[i].icon, _(moves[i].words));
      g_object_set_data (G_OBJECT (self->moves[i]), "command", (gpointer) moves[i].command);
      g_signal_connect (self->moves[i], "clicked", G_CALLBACK (move_clicked), self);
      gtk_box_append (GTK_BOX (row), self->moves[i]);
    }
  self->pause = ls_part_icon_button ("media-playback-pause-symbolic", _("Pause the run (F9)"));
  self->end = ls_part_icon_button ("process-stop-symbolic", _("End the run"));
  g_signal_connect_swapped (self->pause, "clicked", G_CALLBACK (pause_or_go_on), self);
  g_signal_connect_swapped (self->end, "clicked", G_CALLBACK (end_run), self);
  gtk_box_append (GTK_BOX (row), self->pause);
  gtk_box_append (GTK_BOX (row), self->end);
  self->sizes = ls_run_sizes_new (G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->sizes);
  self->nan = ls_part_word_button ("edit-find-symbolic", _("First NaN"));
  self->into = ls_part_word_button ("go-jump-symbolic", _("Into Its TensorIR"));
  machine = ls_part_word_button ("system-run-symbolic", _("Its Instructions"));
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
  return ls_part_slim_shaded (row);
}

static void
row_setup (GtkListItemFactory *factory,
           GtkListItem        *item)
{
  GtkWidget *label = ls_part_label (NULL, "code");

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "choice-row");
  gtk_list_item_set_child (item, label);
}

static void
row_bind (GtkListItemFactory *factory,
          GtkListItem        *item)
{
  const char *words = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), words);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), words);
}

static GtkWidget *
bindings_box (Graph *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new (), *row = ls_part_row ("run-part");
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkSingleSelection *selection;

  self->rows = gtk_string_list_new (NULL);
  selection = gtk_single_selection_new (G_LIST_MODEL (self->rows));
  g_signal_connect (factory, "setup", G_CALLBACK (row_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (row_bind), NULL);
  g_signal_connect_swapped (selection, "notify::selected", G_CALLBACK (row_chosen), self);
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (selection), factory);
  ls_tab_stop_make (self->list);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Values of the graph"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);
  self->stop = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->stop), _("Breakpoint (F2): matmul, nn.*, lv3, nan; empty removes all"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop), GTK_ACCESSIBLE_PROPERTY_LABEL, _("New breakpoint"), -1);
  gtk_widget_set_hexpand (self->stop, TRUE);
  g_signal_connect_swapped (self->stop, "activate", G_CALLBACK (stop_added), self);
  self->stops = ls_part_label (NULL, "code");
  gtk_box_append (GTK_BOX (row), self->stop);
  gtk_box_append (GTK_BOX (row), self->stops);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), row);
  return box;
}

static GtkWidget *
value_box (Graph *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = ls_part_row (NULL);

  self->figures = ls_part_label (NULL, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->figures), TRUE);
  self->histogram = ls_run_histogram_new ();
  self->slices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
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
      g_signal_connect_swapped (self->grids[i], "cell-changed", G_CALLBACK (show_cell), self);
      g_signal_connect (self->grids[i], "part-wanted", G_CALLBACK (part_wanted), self);
      gtk_box_append (GTK_BOX (box), self->heads[i]);
      gtk_box_append (GTK_BOX (box), self->grids[i]);
    }
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

static void
build (Graph     *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *foot = ls_part_label (_("The graph runs on seeded random numbers, each operator in the interpreter. A breakpoint names operators or bindings; * stands for any letters."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->sentence = ls_part_label (NULL, "strong");
  self->reason = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->reason);
  gtk_paned_set_start_child (GTK_PANED (panes), bindings_box (self));
  gtk_paned_set_end_child (GTK_PANED (panes), value_box (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_position (GTK_PANED (panes), 520);
  gtk_widget_set_vexpand (panes, TRUE);
  gtk_box_append (GTK_BOX (box), bar (self));
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), panes);
  self->window = ls_tool_window_new (parent, _("Graph, Binding by Binding"), 1120, 740, box, foot);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
}

static void
graph_free (gpointer data)
{
  Graph *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  leave (self);
  ls_worker_stop (self->worker);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_free (self);
}

static void
show (const LsToolPlace *place)
{
  Graph *self = ls_tool_window_find (place->parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (Graph, 1);
      self->shown = -1;
      self->session = g_object_ref (place->session);
      self->worker = ls_worker_new ();
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, graph_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (begin), self);
      begin (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_run_graph_tool = { .id = KEY, .label = N_("Run a Graph Binding by Binding"), .accel = "<Control><Shift>n", .follows = TRUE, .show = show };
