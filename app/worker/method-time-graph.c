/* The method time-graph: a function of Relax built for the virtual machine and run on random numbers, with the begin and the length of every call
 * of every run.
 */
#include "app/worker/machine.h"
#include "app/worker/program.h"

#include <string.h>

#define MOST_BYTES (512.0 * 1024.0 * 1024.0)    /* of one argument */
#define MOST_CALLS 2000000u                     /* of all runs together */
#define PROGRESS_NS 30000000

typedef struct {
  GArray *calls;                /* of LsVMCallTime */
  gint64  start, ns;
} Run;

static void
run_clear (gpointer data)
{
  g_clear_pointer (&((Run *) data)->calls, g_array_unref);
}

/* ---- arguments -------------------------------------------------------------------------- */

/* Signed numbers are often indices: they begin at 0. */
static void
make_positive (const LsNDArray *array)
{
  const LsDLTensor *tensor = &array->tensor;
  guint8 *data = tensor->data;
  gsize width = tensor->dtype.bits / 8;

  if (tensor->dtype.code != LS_DL_INT || width == 0 || tensor->dtype.lanes != 1)
    return;
  for (gsize at = 0; at + width <= array->n_bytes; at += width)
    {
      data[at] &= 7;
      memset (data + at + 1, 0, width - 1);
    }
}

static LsVMValue *
random_tensor (LsRelaxVar *param,
               guint       number,
               GError    **error)
{
  LsTensorStructInfo *info = (LsTensorStructInfo *) param->struct_info;
  LsArray *dims = ls_is (info, TENSOR_STRUCT_INFO) && ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  double bytes = dims != NULL ? ls_dtype_bytes (info->dtype) : 0.0;
  LsNDArray *array;
  LsDLDataType dtype;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (info->shape, SHAPE_EXPR) || ls_array_n (dims) > LS_NDARRAY_MAX_NDIM)
    {
      ls_worker_refuse (error, "The parameter %s is no tensor of known shape.", param->name);
      return NULL;
    }
  for (guint i = 0; i < ls_array_n (dims); i++)
    {
      if (!ls_as_int (dims->items[i], &shape[i]))
        {
          ls_worker_refuse (error, "The parameter %s has no known size; BindSymbolicVars gives sizes, then it can be timed.", param->name);
          return NULL;
        }
      bytes *= (double) shape[i];
    }
  if (bytes > MOST_BYTES)
    {
      ls_worker_refuse (error, "The parameter %s has %.0f bytes; at most %.0f are made.", param->name, bytes, MOST_BYTES);
      return NULL;
    }
  if (!ls_dl_dtype_parse (ls_dtype_name (info->dtype), &dtype, error))
    return NULL;
  array = ls_ndarray_new ((int) ls_array_n (dims), shape, dtype, error);
  if (array == NULL)
    return NULL;
  ls_tensor_fill_random (&array->tensor, number + 1);
  make_positive (array);
  return ls_vm_tensor (array);
}

/* NULL with an error: there is none, or none of this name. */
static LsFunction *
find_function (LsModule    *module,
               const char  *name,
               const char **found,
               GError     **error)
{
  LsFunction *first = NULL;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *own = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], FUNCTION) || (name != NULL ? strcmp (own, name) != 0 : first != NULL && strcmp (own, "main") != 0))
        continue;
      first = ls_array_at (module->functions, i, LsFunction);
      *found = own;
    }
  if (first == NULL && name != NULL)
    ls_worker_refuse (error, "There is no function of Relax called %s.", name);
  else if (first == NULL)
    ls_worker_refuse (error, "There is no function of Relax in it.");
  return first;
}

static GPtrArray *
random_arguments (LsFunction *function,
                  GError    **error)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  for (guint i = 0; i < ls_array_n (function->params); i++)
    {
      LsVMValue *value = random_tensor (ls_array_at (function->params, i, LsRelaxVar), i, error);

      if (value == NULL)
        return NULL;
      g_ptr_array_add (args, value);
    }
  return g_steal_pointer (&args);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static gboolean
same_sequence (GArray *a,
               GArray *b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; same && i < a->len; i++)
    same = g_array_index (a, LsVMCallTime, i).name == g_array_index (b, LsVMCallTime, i).name;
  return same;
}

static gboolean
run_all (LsRequest  *request,
         LsVM       *vm,
         const char *name,
         GPtrArray  *args,
         gint64      repeat,
         GArray     *runs,
         GError    **error)
{
  gint64 told = ls_clock_ns ();
  guint n = 0;

  for (gint64 i = -1; i < repeat && n < MOST_CALLS; i++)        /* the first one warms up */
    {
      Run run = { NULL, ls_clock_ns (), 0 };
      g_autoptr (LsVMValue) result = NULL;

      ls_vm_set_timeline (vm, i >= 0);
      result = ls_vm_call (vm, name, (LsVMValue **) args->pdata, args->len, error);
      if (result == NULL)
        return FALSE;
      run.ns = ls_clock_ns () - run.start;
      run.calls = ls_vm_take_timeline (vm);
      n += run.calls->len;
      if (i >= 0)
        g_array_append_val (runs, run);
      else
        g_array_unref (run.calls);
      if (ls_clock_ns () - told < PROGRESS_NS)
        continue;
      told = ls_clock_ns ();
      {
        g_autofree char *words = g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, i + 1, repeat);

        ls_request_progress (request, (double) (i + 1) / (double) repeat, words);
      }
    }
  return TRUE;
}

static GVariant *
answer_of (GArray     *runs,
           const char *name)
{
  const Run *last = &g_array_index (runs, Run, runs->len - 1);
  g_autoptr (GArray) run_ns = g_array_new (FALSE, FALSE, sizeof (double)), starts = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (double)), flop = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) bytes = g_array_new (FALSE, FALSE, sizeof (double));
  GVariantBuilder names;
  GVariantDict dict;
  gint64 left_out = 0;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < last->calls->len; i++)
    {
      const LsVMCallTime *call = &g_array_index (last->calls, LsVMCallTime, i);
      double size = (double) call->bytes;

      g_variant_builder_add (&names, "s", call->name);
      g_array_append_val (bytes, size);
      g_array_append_val (flop, call->flop);
    }
  for (guint r = 0; r < runs->len; r++)
    {
      const Run *run = &g_array_index (runs, Run, r);
      double ns = (double) run->ns;

      if (!same_sequence (run->calls, last->calls))
        {
          left_out++;
          continue;
        }
      g_array_append_val (run_ns, ns);
      for (guint i = 0; i < run->calls->len; i++)
        {
          const LsVMCallTime *call = &g_array_index (run->calls, LsVMCallTime, i);
          double start = (double) (call->start_ns - run->start), length = (double) call->ns;

          g_array_append_val (starts, start);
          g_array_append_val (lengths, length);
        }
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", name);
  g_variant_dict_insert (&dict, "left-out", "x", left_out);
  g_variant_dict_insert_value (&dict, "names", g_variant_builder_end (&names));
#define PUT(key, array) g_variant_dict_insert_value (&dict, key, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, (array)->data, (array)->len, sizeof (double)))
  PUT ("bytes", bytes);
  PUT ("flop", flop);
  PUT ("run-ns", run_ns);
  PUT ("starts", starts);
  PUT ("lengths", lengths);
#undef PUT
  return g_variant_dict_end (&dict);
}

/* module, func, target, repeat -> function s, names as (the calls of a run in order), bytes ad, flop ad (below 0: unknown), run-ns ad, starts ad and
 * lengths ad (of all calls of the first run, then of the second, ...; ns since the run began), left-out x (runs that made other calls than
 * the last) */
static GVariant *
method_time_graph (LsRequest  *request,
                   GVariant   *params,
                   GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error), *name = NULL;
  g_autoptr (LsTarget) target = text != NULL ? ls_target_parse (ls_params_string (params, "target", NULL), error) : NULL;
  g_autoptr (LsModule) module = target != NULL ? ls_program_read_module (text, error) : NULL;
  LsFunction *function = module != NULL ? find_function (module, ls_params_string (params, "func", NULL), &name, error) : NULL;
  g_autoptr (GPtrArray) args = function != NULL ? random_arguments (function, error) : NULL;
  LsVMExecutable *executable = args != NULL ? ls_vm_build (module, target, NULL, error) : NULL;
  g_auto (LsWorkerMachine) machine = { 0 };
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));

  g_array_set_clear_func (runs, run_clear);
  if (executable == NULL || !ls_worker_machine_start (&machine, executable, error)
      || !run_all (request, machine.vm, name, args, CLAMP (ls_params_int (params, "repeat", 30), 1, 10000), runs, error))
    return NULL;
  return answer_of (runs, name);
}

const LsMethod ls_methods_time_graph[] = {
  { "time-graph", method_time_graph, "Times every call of a function of Relax, run by run." },
  { NULL, NULL, NULL },
};
