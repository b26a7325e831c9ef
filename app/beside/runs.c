/* beside/runs: both models are run by the worker, for their times and for what matched calls make. */
#include "app/beside/private.h"

#include "engine/base/task.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>

#define RUN_TIMEOUT_MS 300000

/* ---- times ---------------------------------------------------------------------------------------------- */

typedef struct {
  LsBeside        *self;
  guint            side;
  LsModule        *module;
  LsGraph         *graph;       /* a copy: numbers are put at it in a thread */
  LsGraphTimeline *timeline;
  gint            *nodes;
} Timed;

static void measure_side (LsBeside *self, guint side);

static void
timed_free (gpointer data)
{
  Timed *timed = data;

  ls_unref (timed->module);
  g_clear_pointer (&timed->graph, ls_graph_unref);
  ls_graph_timeline_free (timed->timeline);
  g_free (timed->nodes);
  g_free (timed);
}

static void
number_in_thread (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  Timed *timed = data;

  timed->nodes = ls_graph_timeline_put (timed->timeline, timed->module, timed->graph);
  ls_graph_put_roofs (timed->graph);
  g_task_return_boolean (task, TRUE);
}

static void
numbered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsBeside *self = data;
  Timed *timed = g_task_get_task_data (G_TASK (result));
  LsBesideSide *side = &self->sides[timed->side];

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  for (guint i = 0; i < side->graph->nodes->len; i++)
    ls_graph_node (side->graph, i)->numbers = ls_graph_node (timed->graph, i)->numbers;
  ls_graph_show_numbers (side->graph, side->shown);
  g_clear_pointer (&side->timeline, ls_graph_timeline_free);
  g_free (side->nodes);
  side->timeline = g_steal_pointer (&timed->timeline);
  side->nodes = g_steal_pointer (&timed->nodes);
  if (timed->side == 0)
    {
      measure_side (self, 1);
      return;
    }
  ls_beside_say_found (self);
  ls_beside_renew_rows (self);
  ls_beside_pictures_numbers (self);
  ls_beside_plans_times (self);
  ls_beside_show_busy (self, NULL);
}

static void
ran (GObject      *source,
     GAsyncResult *result,
     gpointer      data)
{
  Timed *timed = data;
  LsBeside *self = timed->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autoptr (GTask) task = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      timed_free (timed);       /* the window may be gone */
      return;
    }
  timed->timeline = answer != NULL ? ls_graph_timeline_read (answer, &error) : NULL;
  if (timed->timeline == NULL)
    {
      g_clear_object (&self->asking);
      ls_beside_show_busy (self, NULL);
      gtk_label_set_label (GTK_LABEL (self->reason), error->message);
      timed_free (timed);
      return;
    }
  task = g_task_new (NULL, self->asking, numbered, self);
  g_task_set_task_data (task, timed, timed_free);
  ls_task_run (task, number_in_thread);
}

static void
measure_side (LsBeside *self,
              guint     side)
{
  LsWorkerOptions options = { .timeout_ms = RUN_TIMEOUT_MS };
  Timed *timed = g_new0 (Timed, 1);

  *timed = (Timed) { self, side, ls_ref (self->sides[side].module), ls_graph_copy (self->sides[side].graph) };
  self->asking = g_cancellable_new ();
  ls_beside_show_busy (self, side == 0 ? _("Measuring the left model…") : _("Measuring the right model…"));
  ls_worker_call_async (self->worker, "time-graph", ls_engine_graph_time_params (timed->module), &options, self->asking, ran, timed);
}

void
ls_beside_measure (LsBeside *self)
{
  if (self->comparison == NULL)
    return;
  ls_beside_leave (self);
  measure_side (self, 0);
}

/* ---- values ------------------------------------------------------------------------------------------------ */

typedef struct {
  LsBeside *self;
  GArray   *numbers;
  GHashTable *given[2];
} Values;

static void
values_free (Values *self)
{
  for (guint side = 0; side < 2; side++)
    g_hash_table_unref (self->given[side]);
  g_array_unref (self->numbers);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Values, values_free)

static void
values_came (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (Values) values = data;
  LsBeside *self = values->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autoptr (GVariant) pairs = ls_params_require (answer, "pairs", &error);
  g_autofree char *unpaired = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  ls_beside_say_found (self);
  ls_beside_show_busy (self, NULL);
  if (pairs == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->reason), error->message);
      return;
    }
  ls_graph_beside_put (self->rows, values->numbers, pairs);
  ls_beside_table_show (self);
  unpaired = ls_graph_beside_unpaired (self->comparison, self->sides[0].graph, self->sides[1].graph, values->given[0], values->given[1]);
  if (unpaired != NULL)
    gtk_label_set_label (GTK_LABEL (self->reason), unpaired);
}

static void
put_module (GVariantDict *params,
            const char   *key,
            LsModule     *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);

  g_variant_dict_insert (params, key, "s", text);
}

void
ls_beside_compare_values (LsBeside *self)
{
  LsWorkerOptions options = { .timeout_ms = RUN_TIMEOUT_MS };
  g_autoptr (GPtrArray) names = g_ptr_array_new (), others = g_ptr_array_new ();
  GVariantDict params;
  Values *values;

  if (self->comparison == NULL)
    return;
  ls_beside_leave (self);
  values = g_new0 (Values, 1);
  *values = (Values) { self, g_array_new (FALSE, FALSE, sizeof (guint)), { NULL, NULL } };
  ls_beside_given (self, values->given);
  ls_graph_beside_pairs (self->rows, self->sides[0].graph, self->sides[1].graph, names, others, values->numbers);
  g_variant_dict_init (&params, NULL);
  put_module (&params, "left", self->sides[0].module);
  put_module (&params, "right", self->sides[1].module);
  g_variant_dict_insert_value (&params, "left-given", ls_beside_given_variant (values->given[0]));
  g_variant_dict_insert_value (&params, "right-given", ls_beside_given_variant (values->given[1]));
  g_variant_dict_insert_value (&params, "places", ls_graph_beside_places (self->comparison, self->sides[0].graph, self->sides[1].graph));
  g_variant_dict_insert_value (&params, "left-names", g_variant_new_strv ((const char *const *) names->pdata, (gssize) names->len));
  g_variant_dict_insert_value (&params, "right-names", g_variant_new_strv ((const char *const *) others->pdata, (gssize) others->len));
  self->asking = g_cancellable_new ();
  ls_beside_show_busy (self, _("Running both in the interpreter…"));
  ls_worker_call_async (self->worker, "graph-values", g_variant_dict_end (&params), &options, self->asking, values_came, values);
}
