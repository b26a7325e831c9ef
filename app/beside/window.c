/* beside/window: see the header.  Comparing, reading a file and putting times at nodes happen in threads; layouts, runs and values come from a worker
 * of this window. */
#include "app/beside/window.h"

#include "app/beside/private.h"

#include "app/session/module-file.h"
#include "app/tool/window.h"
#include "engine/base/task.h"
#include "views/parts/ask-file.h"
#include "views/parts/choice-name.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define FOLD_LIMIT 120
#define WEIGHTS "ls-weights"    /* of a task that reads a file */

static void start (LsBeside *self);

static void
side_clear (LsBesideSide *side)
{
  g_clear_pointer (&side->graph, ls_graph_unref);
  g_clear_pointer (&side->shown, ls_graph_unref);
  g_clear_pointer (&side->timeline, ls_graph_timeline_free);
  g_clear_pointer (&side->nodes, g_free);
  g_clear_pointer (&side->name, g_free);
  g_clear_pointer (&side->weights, g_hash_table_unref);
  ls_take (&side->module, NULL);
}

static void
forget (LsBeside *self)
{
  ls_beside_leave (self);
  ls_beside_table_stop (self);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->comparison, ls_graph_comparison_free);
  g_clear_pointer (&self->series, ls_graph_series_unref);
  side_clear (&self->sides[0]);
  side_clear (&self->sides[1]);
}

static void
select_node (LsBeside *self,
             guint     side,
             gint      node)
{
  gint nodes[2] = { side == 0 ? node : -1, side == 1 ? node : -1 };

  for (guint i = 0; node >= 0 && self->comparison != NULL && i < self->comparison->matches->len; i++)
    {
      const LsGraphMatch *match = self->comparison->matches->pdata[i];
      const GArray *own = side == 0 ? match->left : match->right, *other = side == 0 ? match->right : match->left;

      for (guint k = 0; k < own->len; k++)
        if (g_array_index (own, guint, k) == (guint) node)
          nodes[1 - side] = (gint) g_array_index (other, guint, other->len - 1);
    }
  if (node >= 0 && self->comparison != NULL && nodes[1 - side] < 0)     /* values that come from outside */
    for (guint i = 0; i < self->sides[1].graph->nodes->len; i++)
      if (side == 0 ? self->comparison->right_values[i] == node : (gint) i == node)
        nodes[1 - side] = side == 0 ? (gint) i : self->comparison->right_values[i];
  ls_beside_pictures_select (self, nodes[0], nodes[1]);
  ls_beside_table_select (self, nodes[0], nodes[1]);
  ls_beside_plans_select (self, nodes[0], nodes[1]);
}

/* ---- comparing, in a thread ------------------------------------------------------------------ */

typedef struct {
  LsModule          *modules[2];
  LsGraphTimeline   *timelines[2];      /* or NULL */
  LsGraph           *graphs[2];
  GPtrArray         *parts;     /* of LsRelaxLineage, held; NULL: neither was made of the other */
  gboolean           turned;    /* the right one came first */
  LsGraphComparison *comparison;
  LsGraph           *shown[2];
  LsGraphSeries     *series;
  LsBesideMemory    *memories[2];
  char              *names[2];
} Compare;

static void
compare_free (gpointer data)
{
  Compare *self = data;

  for (guint i = 0; i < 2; i++)
    {
      ls_unref (self->modules[i]);
      g_clear_pointer (&self->timelines[i], ls_graph_timeline_free);
      g_clear_pointer (&self->graphs[i], ls_graph_unref);
      g_clear_pointer (&self->shown[i], ls_graph_unref);
      g_clear_pointer (&self->memories[i], ls_beside_memory_free);
      g_free (self->names[i]);
    }
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  ls_graph_comparison_free (self->comparison);
  g_clear_pointer (&self->series, ls_graph_series_unref);
  g_free (self);
}

static void
compare_in_thread (GTask        *task,
                   gpointer      source,
                   gpointer      data,
                   GCancellable *cancellable)
{
  Compare *self = data;
  g_autoptr (LsGraph) aligned = NULL;

  for (guint i = 0; i < 2; i++)
    {
      if (self->graphs[i] == NULL)
        self->graphs[i] = ls_graph_of_module (self->modules[i], self->timelines[i]);
      self->memories[i] = ls_beside_memory_find (self->graphs[i]);
    }
  self->comparison = self->parts != NULL ? ls_graph_compare_made (self->graphs[0], self->graphs[1], (LsRelaxLineage *const *) self->parts->pdata, self->parts->len)
                                         : ls_graph_compare (self->graphs[0], self->graphs[1]);
  aligned = ls_graph_comparison_align (self->comparison, self->graphs[0], self->graphs[1]);
  self->shown[0] = ls_graph_fold_groups (self->graphs[0], FOLD_LIMIT, NULL);
  self->shown[1] = ls_graph_fold_groups_like (aligned, FOLD_LIMIT, NULL, self->shown[0]);
  self->series = ls_graph_series_pair (self->shown[0], self->shown[1], self->names[0], self->names[1]);
  g_task_return_boolean (task, TRUE);
}

static void
compared (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsBeside *self = data;
  Compare *found = g_task_get_task_data (G_TASK (result));

  if (g_task_had_error (G_TASK (result)) || g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  self->comparison = g_steal_pointer (&found->comparison);
  self->series = g_steal_pointer (&found->series);
  for (guint i = 0; i < 2; i++)
    {
      self->sides[i].graph = g_steal_pointer (&found->graphs[i]);
      self->sides[i].shown = g_steal_pointer (&found->shown[i]);
    }
  ls_beside_say_found (self);
  ls_beside_renew_rows (self);
  ls_beside_plans_memory (self, found->memories);
  ls_beside_plans_times (self);
  ls_beside_pictures_show (self);
  ls_beside_show_busy (self, NULL);
}

/* ---- which two ----------------------------------------------------------------------------------- */

static guint
chosen (LsBeside *self,
        guint     side)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choices[side]));
}

static gboolean
is_file (LsBeside *self,
         guint     side)
{
  return self->other != NULL && chosen (self, side) == g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (self->choices[side]))) - 1;
}

static void
take_side (LsBeside *self,
           guint     number,
           Compare  *data)
{
  LsBesideSide *side = &self->sides[number];
  g_auto (GStrv) labels = ls_engine_graph_labels (self->model);
  guint state = chosen (self, number);

  if (is_file (self, number))
    {
      side->module = ls_ref (self->other);
      side->weights = self->other_weights != NULL ? g_hash_table_ref (self->other_weights) : NULL;
      side->name = g_strdup (self->other_name);
    }
  else if (ls_engine_graph_state_module (self->model, state) != NULL)
    {
      side->module = ls_ref (ls_engine_graph_state_module (self->model, state));
      side->weights = ls_engine_graph_get_weights (self->model);
      data->graphs[number] = ls_engine_graph_step_graph (self->model, state);
      if (ls_engine_graph_state_timeline (self->model, state) != NULL)
        data->timelines[number] = ls_graph_timeline_ref ((LsGraphTimeline *) ls_engine_graph_state_timeline (self->model, state));
      side->name = g_strdup (labels[state]);
    }
  data->modules[number] = side->module != NULL ? ls_ref (side->module) : NULL;
  data->names[number] = g_strdup (side->name);
  gtk_label_set_label (GTK_LABEL (self->titles[number]), side->name != NULL ? side->name : "");
}

/* The notes of the passes between both, of which the later one is right; NULL: one is of another file, or they are the other way round. */
static GPtrArray *
parts_between (LsBeside *self)
{
  g_autoptr (GPtrArray) parts = NULL;
  GPtrArray *held;

  if (is_file (self, 0) || is_file (self, 1) || chosen (self, 0) > chosen (self, 1))
    return NULL;
  parts = ls_engine_graph_state_lineages (self->model, chosen (self, 0), chosen (self, 1));
  held = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_relax_lineage_unref);
  for (guint i = 0; i < parts->len; i++)
    g_ptr_array_add (held, ls_relax_lineage_ref (parts->pdata[i]));
  return held;
}

static void
start (LsBeside *self)
{
  g_autoptr (GTask) task = NULL;
  Compare *data;

  forget (self);
  ls_beside_table_show (self);
  data = g_new0 (Compare, 1);
  take_side (self, 0, data);
  take_side (self, 1, data);
  if (data->modules[0] == NULL || data->modules[1] == NULL)
    {
      compare_free (data);
      ls_beside_pictures_clear (self);
      ls_beside_table_clear (self);
      gtk_label_set_label (GTK_LABEL (self->sentence), _("Nothing is opened."));
      gtk_label_set_label (GTK_LABEL (self->reason), "");
      ls_beside_show_busy (self, NULL);
      return;
    }
  gtk_label_set_label (GTK_LABEL (self->sentence), "");
  ls_beside_show_busy (self, _("Comparing…"));
  self->asking = g_cancellable_new ();
  data->parts = parts_between (self);
  task = g_task_new (NULL, self->asking, compared, self);
  g_task_set_task_data (task, data, compare_free);
  ls_task_run (task, compare_in_thread);
}

static void
side_chosen (LsBeside *self)
{
  if (self->choosing == 0)
    start (self);
}

/* The states of the opened model, and the file where there is one; what was chosen stays where it is still there. */
static void
fill_choices (LsBeside *self,
              gboolean  file)   /* the file is new: it is what is wanted */
{
  g_auto (GStrv) labels = ls_engine_graph_labels (self->model);
  guint n = g_strv_length (labels);

  self->choosing++;
  for (guint i = 0; i < 2; i++)
    {
      GtkStringList *list = gtk_string_list_new (NULL);
      GListModel *before = gtk_drop_down_get_model (GTK_DROP_DOWN (self->choices[i]));
      gboolean first = before == NULL || g_list_model_get_n_items (before) == 0;
      guint was = chosen (self, i);

      for (guint k = 0; k < n; k++)
        {
          g_autofree char *words = k > 0 ? g_strdup_printf ("%u %s", k, labels[k]) : g_strdup (labels[k]);

          gtk_string_list_append (list, words);
        }
      if (self->other != NULL)
        gtk_string_list_append (list, self->other_name);
      ls_choice_set_words (GTK_DROP_DOWN (self->choices[i]), list);
      if (i == 1 && file)
        was = n;
      else if (first || was >= n + (self->other != NULL))
        was = i == 1 && n > 0 ? n - 1 : 0;
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choices[i]), MIN (was, MAX (1u, g_list_model_get_n_items (G_LIST_MODEL (list))) - 1));
      g_object_unref (list);
    }
  self->choosing--;
}

static void
program_changed (LsBeside *self)
{
  fill_choices (self, FALSE);
  start (self);
}

/* ---- another file ---------------------------------------------------------------------------------- */

static void
read_in_thread (GTask        *task,
                gpointer      source,
                gpointer      path,
                GCancellable *cancellable)
{
  GError *error = NULL;
  GHashTable *weights = NULL;
  LsModule *module = ls_module_file_read (path, &weights, &error);

  g_object_set_data_full (G_OBJECT (task), WEIGHTS, weights, (GDestroyNotify) g_hash_table_unref);
  if (module != NULL)
    g_task_return_pointer (task, module, (GDestroyNotify) ls_node_unref);
  else
    g_task_return_error (task, error);
}

static void
file_read (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  LsBeside *self = data;
  gboolean cancelled = g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));
  g_autoptr (GError) error = NULL;
  LsModule *module = g_task_propagate_pointer (G_TASK (result), &error);

  if (cancelled)
    {
      ls_unref (module);
      return;           /* the window may be gone */
    }
  g_clear_object (&self->asking);
  if (module == NULL)
    {
      ls_beside_show_busy (self, NULL);
      gtk_label_set_label (GTK_LABEL (self->reason), error->message);
      return;
    }
  ls_take (&self->other, module);
  g_clear_pointer (&self->other_weights, g_hash_table_unref);
  self->other_weights = g_object_steal_data (G_OBJECT (result), WEIGHTS);
  g_free (self->other_name);
  self->other_name = g_path_get_basename (g_task_get_task_data (G_TASK (result)));
  fill_choices (self, TRUE);
  start (self);
}

static void
file_chosen (GtkWidget *window,
             GFile     *file,
             gpointer   data)
{
  LsBeside *self = data;
  g_autoptr (GTask) task = NULL;

  if (g_file_peek_path (file) == NULL)
    return;
  ls_beside_leave (self);
  self->asking = g_cancellable_new ();
  ls_beside_show_busy (self, _("Reading the file…"));
  task = g_task_new (NULL, self->asking, file_read, self);
  g_task_set_task_data (task, g_strdup (g_file_peek_path (file)), g_free);
  ls_task_run (task, read_in_thread);
}

static void
open_other (LsBeside *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Another model (.py, .onnx, .pt2, .fx.json)"), GTK_WINDOW (self->window), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  ls_ask_file (dialog, self->window, file_chosen, self, NULL);
}

static void
stop (LsBeside *self)
{
  ls_beside_leave (self);
  if (self->comparison != NULL)
    ls_beside_say_found (self);
  ls_beside_show_busy (self, NULL);
}

/* ---- the window ------------------------------------------------------------------------------------------------ */

static GtkWidget *
bar (LsBeside *self)
{
  static const char *const names[] = { N_("Left model"), N_("Right model") };
  GtkWidget *row = ls_part_row ("compare-head"), *open = ls_part_word_button ("document-open-symbolic", _("Another file…"));

  for (guint i = 0; i < 2; i++)
    {
      self->choices[i] = gtk_drop_down_new (NULL, NULL);
      gtk_drop_down_set_expression (GTK_DROP_DOWN (self->choices[i]), NULL);
      ls_choice_set_name (GTK_DROP_DOWN (self->choices[i]), _(names[i]));
      g_signal_connect_swapped (self->choices[i], "notify::selected", G_CALLBACK (side_chosen), self);
      gtk_box_append (GTK_BOX (row), self->choices[i]);
    }
  self->measure = ls_part_word_button ("media-playback-start-symbolic", _("Measure times"));
  self->values = ls_part_word_button ("view-dual-symbolic", _("Compare values"));
  self->stop = ls_part_word_button ("process-stop-symbolic", _("Stop"));
  g_signal_connect_swapped (open, "clicked", G_CALLBACK (open_other), self);
  g_signal_connect_swapped (self->measure, "clicked", G_CALLBACK (ls_beside_measure), self);
  g_signal_connect_swapped (self->values, "clicked", G_CALLBACK (ls_beside_compare_values), self);
  g_signal_connect_swapped (self->stop, "clicked", G_CALLBACK (stop), self);
  gtk_box_append (GTK_BOX (row), open);
  gtk_box_append (GTK_BOX (row), self->measure);
  gtk_box_append (GTK_BOX (row), self->values);
  gtk_box_append (GTK_BOX (row), self->stop);
  return ls_part_wrapped (row);
}

static GtkWidget *
pages (LsBeside *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *switcher = gtk_stack_switcher_new ();
  GtkStack *stack;

  self->stack = gtk_stack_new ();
  stack = GTK_STACK (self->stack);
  gtk_stack_add_titled (stack, ls_beside_pictures_new (self), "sides", _("Side by side"));
  gtk_stack_add_titled (stack, ls_beside_merged_new (self), "merged", _("One picture"));
  gtk_stack_add_titled (stack, ls_beside_table_new (self), "table", _("Table"));
  gtk_stack_add_titled (stack, ls_beside_times_new (self), "times", _("Timelines"));
  gtk_stack_add_titled (stack, ls_beside_memory_new (self), "memory", _("Memory"));
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), stack);
  gtk_widget_set_halign (switcher, GTK_ALIGN_START);
  gtk_widget_set_margin_start (switcher, 12);
  gtk_widget_set_margin_top (switcher, 6);
  gtk_widget_set_margin_bottom (switcher, 6);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (box), switcher);
  gtk_box_append (GTK_BOX (box), self->stack);
  return box;
}

static void
build (LsBeside  *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *foot = ls_part_label (_("What is matched lies at the same place on both sides, which are moved and zoomed together. In one picture, + is only on the right, − only on the left, and ~ has changed."),
                                   "reason");

  self->sentence = ls_part_label (NULL, "strong");
  self->reason = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->reason);
  gtk_box_append (GTK_BOX (box), bar (self));
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), pages (self));
  self->window = ls_tool_window_new (parent, _("Two models side by side"), 1240, 780, box, foot);
}

static void
beside_free (gpointer data)
{
  LsBeside *self = data;

  g_signal_handlers_disconnect_by_data (self->model, self);
  ls_beside_leave (self);
  ls_beside_table_stop (self);
  ls_worker_stop (self->worker);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->comparison, ls_graph_comparison_free);
  g_clear_pointer (&self->series, ls_graph_series_unref);
  g_clear_pointer (&self->layout, ls_graph_layout_free);
  side_clear (&self->sides[0]);
  side_clear (&self->sides[1]);
  ls_unref (self->other);
  g_clear_pointer (&self->other_weights, g_hash_table_unref);
  g_free (self->other_name);
  g_object_unref (self->table);
  g_object_unref (self->items);
  g_object_unref (self->worker);
  g_object_unref (self->model);
  g_object_unref (self->session);
  g_free (self);
}

static void
show (const LsToolPlace *place)
{
  LsBeside *self = ls_tool_window_find (place->parent, LS_BESIDE_KEY);

  if (!LS_IS_ENGINE_GRAPH (ls_session_get_graph (place->session)))
    return;
  if (self == NULL)
    {
      self = g_new0 (LsBeside, 1);
      self->select = select_node;
      self->session = g_object_ref (place->session);
      self->model = LS_ENGINE_GRAPH (g_object_ref (ls_session_get_graph (place->session)));
      self->worker = ls_worker_new ();
      build (self, place->parent);
      ls_tool_window_keep (self->window, LS_BESIDE_KEY, self, beside_free);
      fill_choices (self, FALSE);
      start (self);
      g_signal_connect_swapped (self->model, "changed", G_CALLBACK (program_changed), self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_beside_tool = { .id = LS_BESIDE_KEY, .label = N_("Compare two models"), .accel = "<Control><Shift>h", .follows = TRUE, .show = show };
