/* session/graph-measure: times of the calls of a Relax module.
 *
 * The module of the shown state is built for the virtual machine and its function called on random numbers, by a worker of its own; what it says
 * of every call is put at the nodes (engine/graph/timeline.h).
 */
#include "app/session/graph-private.h"

#include "engine/script/script.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define REPEAT 30
#define TIMEOUT_MS 120000

typedef struct {
  LsEngineGraph *self;
  LsModule      *module;
  LsWorker      *worker;
  GCancellable  *cancellable;
  guint          state;
} Job;

static void
job_free (Job *job)
{
  g_object_unref (job->self);
  g_object_unref (job->worker);
  g_object_unref (job->cancellable);
  ls_unref (job->module);
  g_free (job);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)

static LsFunction *
entry_function (LsModule    *module,
                const char **name)
{
  LsFunction *first = NULL;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *own = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], FUNCTION) || (first != NULL && strcmp (own, "main") != 0))
        continue;
      first = ls_array_at (module->functions, i, LsFunction);
      *name = own;
    }
  return first;
}

/* The first parameter that no numbers can be made for, or NULL. */
static const char *
param_without_size (LsFunction *function)
{
  for (guint i = 0; i < ls_array_n (function->params); i++)
    {
      LsRelaxVar *param = ls_array_at (function->params, i, LsRelaxVar);

      if (!ls_is (param->struct_info, TENSOR_STRUCT_INFO) || ls_graph_type_bytes (param->struct_info) < 0.0)
        return param->name;
    }
  return NULL;
}

static void
finish (Job          *job,
        const GError *error)
{
  LsEngineGraph *self = job->self;

  if (self->measuring != job->cancellable)
    return;
  g_clear_object (&self->measuring);
  ls_graph_model_tell (&self->parent_instance, error == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? NULL : error->message, NULL);
}

static void
take_timeline (Job             *job,
               LsGraphTimeline *timeline)
{
  LsEngineGraph *self = job->self;
  g_autofree char *time = ls_format_time_spread (timeline->ns * 1e-9, timeline->spread_ns * 1e-9);
  g_autofree char *conditions = g_strdup_printf (ngettext ("whole model %s; %u run, for each call too", "whole model %s; the median of %u runs, for each call too", timeline->runs->len), time, timeline->runs->len);

  while (self->timelines->len <= job->state)
    g_ptr_array_add (self->timelines, NULL);
  ls_graph_timeline_free (self->timelines->pdata[job->state]);
  self->timelines->pdata[job->state] = timeline;
  ls_graph_model_set_conditions (&self->parent_instance, conditions);
  ls_engine_graph_rebuild (self, ls_graph_model_get_state (&self->parent_instance));
  ls_graph_model_numbers_changed (&self->parent_instance);
}

static void
ran (GObject      *source,
     GAsyncResult *result,
     gpointer      data)
{
  g_autoptr (Job) job = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  gboolean current = job->self->measuring == job->cancellable;
  LsGraphTimeline *timeline = answer != NULL ? ls_graph_timeline_read (answer, &error) : NULL;

  finish (job, error);
  if (timeline != NULL && current && ls_engine_graph_module (job->self, job->state) == job->module)
    take_timeline (job, timeline);
  else
    ls_graph_timeline_free (timeline);
}

GVariant *
ls_engine_graph_time_params (LsModule *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);
  const char *name = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (entry_function (module, &name) != NULL)
    g_variant_dict_insert (&params, "func", "s", name);
  g_variant_dict_insert (&params, "repeat", "x", (gint64) REPEAT);
  return g_variant_dict_end (&params);
}

char *
ls_engine_graph_untimed (LsModule *module)
{
  const char *name = NULL, *param;
  LsFunction *function = module != NULL ? entry_function (module, &name) : NULL;

  if (function == NULL)
    return g_strdup (_("A PrimFunc is timed as a whole, not block by block: measure it on the explore page (F5)."));
  param = param_without_size (function);
  return param != NULL ? g_strdup_printf (_("%s has no known size; BindSymbolicVars gives sizes, then it can be timed."), param) : NULL;
}

void
ls_engine_graph_measure (LsEngineGraph *self)
{
  LsGraphModel *model = &self->parent_instance;
  guint state = ls_graph_model_get_state (model);
  LsModule *module = ls_engine_graph_module (self, state);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  g_autofree char *reason = self->kind != LS_GRAPH_RELAX && self->kind != LS_GRAPH_FX ? ls_engine_graph_untimed (NULL) : NULL;
  Job *job;

  if (reason == NULL)
    reason = self->kind == LS_GRAPH_FX ? g_strdup (_("The saved graph is not run; choose \"relax\" to time the model made of it.")) : ls_engine_graph_untimed (module);
  if (reason != NULL)
    {
      ls_graph_model_tell (model, reason, NULL);
      return;
    }
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  self->measuring = g_cancellable_new ();
  job = g_new0 (Job, 1);
  *job = (Job) { g_object_ref (self), ls_ref (module), ls_worker_new (), g_object_ref (self->measuring), state };
  ls_graph_model_tell (model, NULL, _("measuring the calls"));
  ls_worker_call_async (job->worker, "time-graph", ls_engine_graph_time_params (module), &options, job->cancellable, ran, job);
}
