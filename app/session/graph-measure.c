/* session/graph-measure: times of the calls of a Relax module.
 *
 * The module of the shown state is built for the virtual machine and its function called on random numbers with profiling on,
 * by a worker of its own.  The machine's kernels are those of the legalised module: an operator that is not legalised yet gets
 * the time of the call that LegalizeOps makes of it, found by the variable that both bind.
 */
#include "app/session/graph-private.h"

#include "engine/runtime/runtime.h"
#include "engine/script/script.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define REPEAT 30
#define TIMEOUT_MS 120000
#define MAX_BYTES (512.0 * 1024.0 * 1024.0)

typedef struct {
  LsEngineGraph *self;
  LsModule      *module;
  LsWorker      *worker;
  GCancellable  *cancellable;
  guint          state;
  char          *folder;
  char          *func;
  GPtrArray     *inputs;        /* of char *: paths and numbers */
} Job;

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
job_free (Job *job)
{
  if (job->folder != NULL)
    remove_folder (job->folder);
  g_object_unref (job->self);
  g_object_unref (job->worker);
  g_object_unref (job->cancellable);
  ls_unref (job->module);
  g_free (job->folder);
  g_free (job->func);
  g_ptr_array_unref (job->inputs);
  g_free (job);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)

/* ---- arguments -------------------------------------------------------------------------- */

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

static gboolean
write_tensor (LsTensorStructInfo  *info,
              const char          *path,
              guint                number,
              GError             **error)
{
  LsArray *dims = ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;
  g_autofree gint64 *shape = g_new0 (gint64, ls_array_n (dims) + 1);
  g_autoptr (LsNDArray) array = NULL;
  LsDLDataType dtype;

  for (guint i = 0; i < ls_array_n (dims); i++)
    if (!ls_as_int (dims->items[i], &shape[i]))
      return FALSE;
  if (!ls_is (info->shape, SHAPE_EXPR) || ls_graph_type_bytes ((LsNode *) info) > MAX_BYTES
      || !ls_dl_dtype_parse (ls_dtype_name (info->dtype), &dtype, error))
    return FALSE;
  array = ls_ndarray_new ((int) ls_array_n (dims), shape, dtype, error);
  if (array == NULL)
    return FALSE;
  ls_tensor_fill_random (&array->tensor, number + 1);
  return ls_npy_write (path, &array->tensor, error);
}

/* Random arguments for every parameter; FALSE with the reason when one is not a tensor of known size. */
static gboolean
write_inputs (Job         *job,
              LsFunction  *function,
              char       **reason)
{
  for (guint i = 0; i < ls_array_n (function->params); i++)
    {
      LsRelaxVar *param = ls_array_at (function->params, i, LsRelaxVar);
      g_autofree char *name = g_strdup_printf ("%u.npy", i);
      g_autofree char *path = g_build_filename (job->folder, name, NULL);
      g_autoptr (GError) error = NULL;

      if (!ls_is (param->struct_info, TENSOR_STRUCT_INFO) || !write_tensor ((LsTensorStructInfo *) param->struct_info, path, i, &error))
        {
          *reason = error != NULL ? g_strdup (error->message)
                                  : g_strdup_printf (_("%s has no known size; BindSymbolicVars gives sizes, then it can be timed."), param->name);
          return FALSE;
        }
      g_ptr_array_add (job->inputs, g_steal_pointer (&path));
    }
  return TRUE;
}

/* ---- the worker ------------------------------------------------------------------------------- */

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
take_profile (Job      *job,
              GVariant *answer)
{
  LsEngineGraph *self = job->self;
  g_autofree char *time = ls_format_time (ls_params_double (answer, "run-ns", 0.0) * 1e-9);
  g_autofree char *conditions = g_strdup_printf (_("whole model %s, the fastest of %d runs; calls: their mean"), time, REPEAT);

  while (self->profiles->len <= job->state)
    g_ptr_array_add (self->profiles, NULL);
  if (self->profiles->pdata[job->state] != NULL)
    g_array_unref (self->profiles->pdata[job->state]);
  self->profiles->pdata[job->state] = ls_graph_profile_read (answer, REPEAT);
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

  finish (job, error);
  if (answer != NULL && current && ls_engine_graph_module (job->self, job->state) == job->module)
    take_profile (job, answer);
}

static void
built (GObject      *source,
       GAsyncResult *result,
       gpointer      data)
{
  g_autoptr (Job) job = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *path = g_build_filename (job->folder, "model.lsx", NULL);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  if (answer == NULL)
    {
      finish (job, error);
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "executable", "s", path);
  g_variant_dict_insert (&params, "func", "s", job->func);
  g_variant_dict_insert (&params, "profile", "b", TRUE);
  g_variant_dict_insert (&params, "repeat", "x", (gint64) REPEAT);
  g_variant_dict_insert_value (&params, "inputs", g_variant_new_strv ((const char *const *) job->inputs->pdata, (gssize) job->inputs->len));
  {
    LsWorker *worker = job->worker;
    GCancellable *cancellable = job->cancellable;

    ls_worker_call_async (worker, "vm", g_variant_dict_end (&params), &options, cancellable, ran, g_steal_pointer (&job));
  }
}

static void
start (Job *job)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (job->module, &whole, NULL);
  g_autofree char *path = g_build_filename (job->folder, "model.lsx", NULL);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  ls_worker_add_path (job->worker, job->folder, TRUE);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "out", "s", path);
  ls_worker_call_async (job->worker, "build", g_variant_dict_end (&params), &options, job->cancellable, built, job);
}

void
ls_engine_graph_measure (LsEngineGraph *self)
{
  LsGraphModel *model = &self->parent_instance;
  guint state = ls_graph_model_get_state (model);
  LsModule *module = ls_engine_graph_module (self, state);
  g_autoptr (Job) job = NULL;
  g_autofree char *reason = NULL;
  g_autoptr (GError) error = NULL;
  const char *name = NULL;
  LsFunction *function = module != NULL ? entry_function (module, &name) : NULL;

  if (self->kind != LS_GRAPH_RELAX || function == NULL)
    {
      ls_graph_model_tell (model, self->kind == LS_GRAPH_FX ? _("The saved graph is not run; choose \"relax\" to time the model made of it.")
                                                            : _("A PrimFunc is timed as a whole, not block by block: measure it on the explore page (F5)."), NULL);
      return;
    }
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  self->measuring = g_cancellable_new ();
  job = g_new0 (Job, 1);
  *job = (Job) { g_object_ref (self), ls_ref (module), ls_worker_new (), g_object_ref (self->measuring), state, g_dir_make_tmp ("loopscope-XXXXXX", &error), g_strdup (name), g_ptr_array_new_with_free_func (g_free) };
  if (job->folder == NULL || !write_inputs (job, function, &reason))
    {
      g_clear_object (&self->measuring);
      ls_graph_model_tell (model, reason != NULL ? reason : error->message, NULL);
      return;
    }
  ls_graph_model_tell (model, NULL, _("measuring the calls"));
  start (g_steal_pointer (&job));
}
