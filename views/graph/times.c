/* LsGraphTimes: see the header. */
#include "views/graph/times.h"

#include "views/canvas/draw-graph.h"
#include "views/graph/plan.h"
#include "views/models/format.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

struct _LsGraphTimes
{
  GtkWidget     parent_instance;

  LsGraphModel *model;
  GtkWidget    *stack;
  GtkWidget    *plan;
  GtkWidget    *words;          /* why there are no times */
  GtkWidget    *measure;
};

G_DEFINE_FINAL_TYPE (LsGraphTimes, ls_graph_times, GTK_TYPE_WIDGET)

enum { CHOSEN, MEASURE, SAVE, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- boxes --------------------------------------------------------------------------- */

/* The place of the node that shows a call: its own one, or the group that holds it. */
static gint
place_of_call (LsGraphState *state,
               const char   *key)
{
  LsGraph *whole = ls_graph_get_whole (state->graph);
  gint node = key != NULL ? ls_graph_find (whole, key) : -1;

  return node >= 0 ? (gint) state->places[ls_graph_get_shown (state->graph, (guint) node)] : -1;
}

/* "matmul at 12 µs: 4.5 µs ± 0.2, 2.1 Mflop, 12 KiB, 63 % of the roof". (transfer full) */
static char *
call_words (const LsGraphCallTime *call,
            double                 roof,
            const char            *label)
{
  const LsGraphNumbers numbers = { call->ns, call->spread_ns, call->flop, call->bytes, roof };
  g_autofree char *start = ls_format_time (call->start_ns * 1e-9), *time = ls_format_time_spread (call->ns * 1e-9, call->spread_ns * 1e-9);
  g_autofree char *flop = call->flop > 0.0 ? ls_graph_figure_text (&numbers, LS_GRAPH_FIGURE_FLOP) : NULL;
  g_autofree char *bytes = call->bytes > 0.0 ? ls_graph_figure_text (&numbers, LS_GRAPH_FIGURE_BYTES) : NULL;
  g_autofree char *share = roof >= 0.0 ? ls_graph_figure_text (&numbers, LS_GRAPH_FIGURE_ROOF) : NULL;
  GString *words = g_string_new (NULL);

  /* Translators: a call, when it began, its usual time */
  g_string_append_printf (words, _("%s at %s; it takes %s"), label, start, time);
  for (guint i = 0; i < 3; i++)
    if ((i == 0 ? flop : i == 1 ? bytes : share) != NULL)
      g_string_append_printf (words, LS_PARTS "%s", i == 0 ? flop : i == 1 ? bytes : share);
  return g_string_free (words, FALSE);
}

static GArray *
boxes_of (const LsGraphRun *run,
          LsGraphState     *state)
{
  GArray *boxes = ls_graph_plan_boxes ();
  const LsGraphTimeline *timeline = run->timeline;

  for (guint i = 0; i < timeline->calls->len; i++)
    {
      const LsGraphCallTime *call = &g_array_index (timeline->calls, LsGraphCallTime, i);
      double length = timeline->lengths[(gsize) timeline->middle * timeline->calls->len + i];
      const LsGraphNode *node = ls_graph_run_node (run, i);
      LsGraphPlanBox box = { call->start_ns, call->start_ns + length, 0.0, 1.0, place_of_call (state, node != NULL ? node->key : NULL) };

      box.label = g_strdup (node != NULL ? node->title : call->name);
      box.words = call_words (call, node != NULL ? node->numbers.roof : -1.0, box.label);
      g_array_append_val (boxes, box);
    }
  return boxes;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static void
show_selected (LsGraphTimes *self)
{
  ls_graph_plan_choose (LS_GRAPH_PLAN (self->plan), ls_graph_model_get_selected (self->model));
}

static void
show (LsGraphTimes *self)
{
  LsGraphSeries *series = ls_graph_model_get_series (self->model);
  const LsGraphRun *run = ls_graph_model_get_run (self->model);
  g_autofree char *time = NULL, *calls = NULL, *words = NULL;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), run != NULL ? "run" : "none");
  if (run == NULL || series == NULL)
    {
      ls_graph_plan_set (LS_GRAPH_PLAN (self->plan), NULL, 0.0, 0.0, -1.0, NULL, _("Timeline of the run"));
      return;
    }
  time = ls_format_time_spread (run->timeline->ns * 1e-9, run->timeline->spread_ns * 1e-9);
  /* Translators: calls of kernels; it stands in a sentence */
  calls = g_strdup_printf (ngettext ("%u call", "%u calls", run->timeline->calls->len), run->timeline->calls->len);
  /* Translators: "12 calls" in the median of 20 runs; a run takes 3 ms ± 0.1 */
  words = g_strdup_printf (ngettext ("%s in a run; it takes %s, %u run", "%1$s in the median of %3$u runs; a run takes %2$s", run->timeline->runs->len), calls, time,
                           run->timeline->runs->len);
  ls_graph_plan_set (LS_GRAPH_PLAN (self->plan), boxes_of (run, ls_graph_series_state (series, ls_graph_model_get_state (self->model))),
                     g_array_index (run->timeline->runs, double, run->timeline->middle), 1.0, -1.0, words, _("Timeline of the run"));
  show_selected (self);
}

static void
call_chosen (LsGraphTimes *self,
             int           place)
{
  g_signal_emit (self, signals[CHOSEN], 0, place);
}

static void
measure_clicked (LsGraphTimes *self)
{
  g_signal_emit (self, signals[MEASURE], 0);
}

static void
save_clicked (LsGraphTimes *self)
{
  g_signal_emit (self, signals[SAVE], 0);
}

/* ---- class --------------------------------------------------------------------------------- */

static void
ls_graph_times_dispose (GObject *object)
{
  LsGraphTimes *self = LS_GRAPH_TIMES (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_graph_times_parent_class)->dispose (object);
}

static void
ls_graph_times_class_init (LsGraphTimesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_graph_times_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[CHOSEN] = g_signal_new ("chosen", LS_TYPE_GRAPH_TIMES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[MEASURE] = g_signal_new ("measure", LS_TYPE_GRAPH_TIMES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SAVE] = g_signal_new ("save", LS_TYPE_GRAPH_TIMES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_graph_times_init (LsGraphTimes *self)
{
  GtkWidget *none = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *run = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *save = ls_part_icon_button ("document-save-as-symbolic", _("Save the run for Perfetto (.pftrace, .json) or as a table (.csv)"));

  self->plan = ls_graph_plan_new ();
  ls_graph_plan_set_low (LS_GRAPH_PLAN (self->plan));
  self->words = ls_part_label (_("The times of this state are not measured yet."), "reason");
  self->measure = gtk_button_new_with_label (_("Measure"));
  gtk_widget_set_valign (self->measure, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (none, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (none), self->words);
  gtk_box_append (GTK_BOX (none), self->measure);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), none, "none");
  gtk_widget_set_hexpand (self->plan, TRUE);
  gtk_widget_set_valign (save, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (run), self->plan);
  gtk_box_append (GTK_BOX (run), save);
  gtk_stack_add_named (GTK_STACK (self->stack), run, "run");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "graph-times");
  g_signal_connect_swapped (self->plan, "chosen", G_CALLBACK (call_chosen), self);
  g_signal_connect_swapped (self->measure, "clicked", G_CALLBACK (measure_clicked), self);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (save_clicked), self);
}

void
ls_graph_times_set_model (LsGraphTimes *self,
                          LsGraphModel *model)
{
  g_return_if_fail (self->model == NULL);

  self->model = g_object_ref (model);
  g_signal_connect_swapped (model, "changed", G_CALLBACK (show), self);
  g_signal_connect_swapped (model, "state", G_CALLBACK (show), self);
  g_signal_connect_swapped (model, "selection", G_CALLBACK (show_selected), self);
  show (self);
}
