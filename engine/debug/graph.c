/* graph: a Relax function, binding by binding.
 *
 * Operators become TensorIR (LegalizeOps), which keeps the names of bindings, and each call runs in the interpreter; every value is
 * kept, so a step in either direction costs nothing.  Where the first NaN comes from: the first binding that has one although nothing
 * that goes into it has; its own statement is found by a breakpoint on NaN in the function that it calls.
 *
 * A function of the running program (call_dps_packed) is called as it is, in one go; nothing stops in it.
 *
 * Not run: control flow (R.If), functions that the running program does not have, shapes that are not known.  Such a binding says so, and so
 * does what needs it.
 */
#include "engine/debug/debug-private.h"
#include "engine/debug/vm.h"

#include "engine/relax/pass/pass.h"
#include "engine/relax/relax.h"
#include "engine/runtime/runtime.h"

#include <math.h>
#include <string.h>

#define MOST_DEPTH 16
#define TURN 20000u             /* statements of TensorIR between two questions whether to go on */
#define MOST_ELEMENTS (1 << 28)

static void
value_free (gpointer data)
{
  LsGraphValue *self = data;

  g_free (self->name);
  g_free (self->op);
  g_free (self->trouble);
  g_free (self->data);
  g_array_unref (self->inputs);
  g_array_unref (self->places);
  g_free (self);
}

static LsGraphValue *
value_new (LsDebugGraph *self,
           const char   *name,
           const char   *op)
{
  LsGraphValue *value = g_new0 (LsGraphValue, 1);

  value->name = g_strdup (name);
  value->op = g_strdup (op);
  value->inputs = g_array_new (FALSE, FALSE, sizeof (guint));
  value->places = g_array_new (FALSE, FALSE, sizeof (LsGraphPlace));
  value->number = self->values->len;
  g_ptr_array_add (self->values, value);
  return value;
}

/* ---- figures ----------------------------------------------------------------------------- */

static double
element (const LsGraphValue *value,
         gint64              i)
{
  return ls_interp_load (value->dtype, value->data + i * ls_dtype_bytes (value->dtype));
}

void
ls_debug_value_summarise (LsGraphValue *value)
{
  double sum = 0;
  gint64 n = 0;

  value->least = INFINITY;
  value->most = -INFINITY;
  value->first_odd = -1;
  for (gint64 i = 0; i < value->n; i++)
    {
      double v = element (value, i);

      if (!isfinite (v))
        {
          value->n_nan += isnan (v);
          value->n_infinite += !isnan (v);
          if (value->first_odd < 0)
            value->first_odd = i;
          continue;
        }
      value->least = MIN (value->least, v);
      value->most = MAX (value->most, v);
      sum += v;
      n++;
    }
  value->mean = n > 0 ? sum / (double) n : NAN;
  if (n == 0)
    value->least = value->most = NAN;
  for (gint64 i = 0; i < value->n && value->most > value->least; i++)
    {
      double v = element (value, i);

      if (isfinite (v))
        value->histogram[MIN ((guint) ((v - value->least) / (value->most - value->least) * LS_GRAPH_BINS), LS_GRAPH_BINS - 1)]++;
    }
}

/* FALSE: the type says too little. */
static gboolean
take_type (LsGraphValue       *value,
           LsTensorStructInfo *info)
{
  LsArray *shape;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (info->shape, SHAPE_EXPR) || ls_dtype_is_void (info->dtype))
    return FALSE;
  shape = ((LsShapeExpr *) info->shape)->values;
  if (shape->n > G_N_ELEMENTS (value->shape))
    return FALSE;
  value->dtype = info->dtype;
  value->ndim = shape->n;
  value->n = 1;
  for (guint d = 0; d < shape->n; d++)
    if (!ls_as_int (shape->items[d], &value->shape[d]) || value->shape[d] < 0 || __builtin_mul_overflow (value->n, value->shape[d], &value->n)
        || value->n > MOST_ELEMENTS)
      return FALSE;
  value->data = g_malloc0 ((gsize) value->n * ls_dtype_bytes (value->dtype) + 1);
  return TRUE;
}

/* ---- one call --------------------------------------------------------------------------------- */

typedef struct {
  LsDebugGraph *graph;
  GHashTable   *known;          /* LsRelaxVar -> GPtrArray of LsGraphValue: one, or the fields of a tuple */
  guint         depth;
} Scope;

static GPtrArray *evaluate_function (LsDebugGraph *self, LsFunction *func, GPtrArray *args, guint depth);

static GPtrArray *
single (LsGraphValue *value)
{
  GPtrArray *list = g_ptr_array_new ();

  g_ptr_array_add (list, value);
  return list;
}

static GPtrArray *
trouble (Scope      *self,
         const char *name,
         const char *op,
         const char *why)
{
  LsGraphValue *value = value_new (self->graph, name, op);

  value->trouble = g_strdup (why);
  return single (value);
}

/* The values of an argument; NULL: it is no tensor. (transfer container) */
static GPtrArray *
values_of (Scope  *self,
           LsNode *expr)
{
  GPtrArray *list;

  if (ls_is_relax_var (expr))
    {
      GPtrArray *known = g_hash_table_lookup (self->known, expr);

      return known != NULL ? g_ptr_array_ref (known) : NULL;
    }
  if (ls_is (expr, CONSTANT))
    {
      LsConstant *constant = (LsConstant *) expr;
      LsGraphValue *value = g_hash_table_lookup (self->graph->constants, constant);

      if (value == NULL)
        {
          gsize size;
          gconstpointer data = g_bytes_get_data (constant->data->data, &size);

          value = value_new (self->graph, "constant", "constant");
          g_hash_table_insert (self->graph->constants, constant, value);
          if (take_type (value, (LsTensorStructInfo *) constant->struct_info))
            memcpy (value->data, data, MIN (size, (gsize) value->n * ls_dtype_bytes (value->dtype)));
          else
            value->trouble = g_strdup (ls_translate ("its shape is not known"));
          ls_debug_value_summarise (value);
        }
      return single (value);
    }
  if (ls_is (expr, RELAX_TUPLE))
    {
      list = g_ptr_array_new ();
      for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
        {
          g_autoptr (GPtrArray) field = values_of (self, ((LsRelaxTuple *) expr)->fields->items[i]);

          for (guint k = 0; field != NULL && k < field->len; k++)
            g_ptr_array_add (list, field->pdata[k]);
        }
      return list;
    }
  if (ls_is (expr, TUPLE_GET_ITEM))
    {
      g_autoptr (GPtrArray) tuple = values_of (self, ((LsTupleGetItem *) expr)->tuple);
      gint64 index = ((LsTupleGetItem *) expr)->index;

      return tuple != NULL && index >= 0 && index < tuple->len ? single (tuple->pdata[index]) : NULL;
    }
  return NULL;
}

LsInterpArg
ls_graph_value_argument (const LsGraphValue *value)
{
  return (LsInterpArg) { value->dtype, TRUE, value->data, value->ndim, (gint64 *) value->shape, NULL, 0, 0 };
}

/* Asks whether to go on. */
static gboolean
goes_on (LsDebugGraph *self)
{
  if (!self->is_ended && self->asked != NULL && !self->asked (self->asked_data))
    self->is_ended = TRUE;
  return !self->is_ended;
}

/* As ls_interp_run(), with questions between. */
static gboolean
run_in_turns (LsDebugGraph           *self,
              LsPrimFunc             *func,
              const LsInterpArg      *args,
              guint                   n_args,
              const LsInterpOptions  *options,
              GError                **error)
{
  LsRun *run = ls_run_new (func, args, n_args, options, error);
  LsRunState state = LS_RUN_STANDS;

  if (run == NULL)
    return FALSE;
  while (state == LS_RUN_STANDS && goes_on (self))
    state = ls_run_go (run, ls_run_get_clock (run) + TURN);
  if (state == LS_RUN_FAILED)
    g_propagate_error (error, g_error_copy (ls_run_get_error (run)));
  else if (state == LS_RUN_STANDS)
    g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_BUSY, ls_translate ("the run was ended before"));
  ls_run_free (run);
  return state == LS_RUN_FINISHED;
}

/* The function of the running program of this name on inputs and outputs, as the virtual machine calls it. FALSE with an error. */
static gboolean
run_library (const char         *library,
             const LsInterpArg  *args,
             guint               n_args,
             GError            **error)
{
  g_autofree LsDLTensor *tensors = g_new0 (LsDLTensor, n_args + 1);
  g_autofree LsArg *given = g_new0 (LsArg, n_args + 1);
  LsArg result = { LS_ARG_NONE };

  for (guint i = 0; i < n_args; i++)
    {
      tensors[i] = (LsDLTensor) { args[i].data, { LS_DL_CPU, 0 }, (gint32) args[i].ndim, ls_debug_dl_dtype (args[i].dtype), (gint64 *) args[i].shape, NULL, 0 };
      given[i].kind = LS_ARG_TENSOR;
      given[i].v_tensor = &tensors[i];
    }
  return ls_registry_call (library, given, (int) n_args, &result, error);
}

/* A call of a function of TensorIR, or of the running program. */
static GPtrArray *
run_call (Scope       *self,
          LsRelaxCall *call,
          const char  *name,
          const char  *op)
{
  LsNode *callee = ls_is (call->args->items[0], GLOBAL_VAR) ? ls_module_get (self->graph->module, ((LsGlobalVar *) call->args->items[0])->name_hint) : NULL;
  const char *library = ls_is (call->args->items[0], EXTERN_FUNC) ? ((LsExternFunc *) call->args->items[0])->global_symbol : NULL;
  g_autoptr (GPtrArray) inputs = call->args->n > 1 ? values_of (self, call->args->items[1]) : NULL;
  LsNode *info = call->sinfo_args->n == 1 ? call->sinfo_args->items[0] : NULL;
  LsArray *infos = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  guint n_outputs = infos != NULL ? infos->n : 1;
  g_autofree LsInterpArg *args = NULL;
  LsInterpOptions options = { .module = self->graph->module };
  GPtrArray *outputs;
  g_autoptr (GError) error = NULL;
  gboolean ran;

  if (library != NULL && !ls_registry_has (library))
    {
      g_autofree char *why = g_strdup_printf (ls_translate ("the running program has no function %s"), library);

      return trouble (self, name, op, why);
    }
  if ((!ls_is (callee, PRIM_FUNC) && library == NULL) || inputs == NULL)
    return trouble (self, name, op, ls_translate ("what it calls is no function of TensorIR"));
  if (library != NULL && ls_is (call->args->items[1], RELAX_TUPLE) && ((LsRelaxTuple *) call->args->items[1])->fields->n != inputs->len)
    return trouble (self, name, op, ls_translate ("it is given more than tensors"));
  if (call->args->n > 2)
    return trouble (self, name, op, ls_translate ("it has symbolic shapes"));
  for (guint i = 0; i < inputs->len; i++)
    if (((LsGraphValue *) inputs->pdata[i])->trouble != NULL)
      return trouble (self, name, op, ls_translate ("what goes into it is not known"));
  args = g_new0 (LsInterpArg, inputs->len + n_outputs + 1);
  outputs = g_ptr_array_new ();
  for (guint i = 0; i < inputs->len; i++)
    args[i] = ls_graph_value_argument (inputs->pdata[i]);
  for (guint k = 0; k < n_outputs; k++)
    {
      g_autofree char *own = n_outputs > 1 ? g_strdup_printf ("%s[%u]", name, k) : g_strdup (name);
      LsGraphValue *value = value_new (self->graph, own, op);

      g_ptr_array_add (outputs, value);
      value->func = library == NULL ? (LsPrimFunc *) callee : NULL;
      for (guint i = 0; i < inputs->len; i++)
        g_array_append_val (value->inputs, ((LsGraphValue *) inputs->pdata[i])->number);
      if (!take_type (value, infos != NULL ? (LsTensorStructInfo *) infos->items[k] : (LsTensorStructInfo *) info))
        {
          value->trouble = g_strdup (ls_translate ("its shape is not known"));
          return outputs;
        }
      args[inputs->len + k] = ls_graph_value_argument (value);
    }
  for (guint k = 0; k < outputs->len; k++)
    ((LsGraphValue *) outputs->pdata[k])->trouble = g_strdup (ls_translate ("it is being made"));
  ran = library != NULL ? run_library (library, args, inputs->len + n_outputs, &error)
                        : run_in_turns (self->graph, (LsPrimFunc *) callee, args, inputs->len + n_outputs, &options, &error);
  for (guint k = 0; k < outputs->len; k++)
    {
      LsGraphValue *value = outputs->pdata[k];

      g_free (value->trouble);
      value->trouble = ran ? NULL : g_strdup (error->message);
      if (ran)
        ls_debug_value_summarise (value);
    }
  return outputs;
}

static GPtrArray *
evaluate (Scope      *self,
          LsNode     *expr,
          const char *name)
{
  const char *op = g_hash_table_lookup (self->graph->ops, name);
  LsRelaxCall *call = (LsRelaxCall *) expr;
  GPtrArray *values;

  if (ls_is_relax_call (expr, "relax.call_tir"))
    return run_call (self, call, name, op != NULL ? op : "relax.call_tir");
  if (ls_is_relax_call (expr, "relax.call_dps_packed"))
    return run_call (self, call, name, ls_is (call->args->items[0], EXTERN_FUNC) ? ((LsExternFunc *) call->args->items[0])->global_symbol : "relax.call_dps_packed");
  if (ls_is (expr, RELAX_CALL) && ls_is (call->op, GLOBAL_VAR))
    {
      LsNode *callee = ls_module_get (self->graph->module, ((LsGlobalVar *) call->op)->name_hint);
      g_autoptr (GPtrArray) args = g_ptr_array_new ();

      for (guint i = 0; i < call->args->n; i++)
        {
          g_autoptr (GPtrArray) one = values_of (self, call->args->items[i]);

          g_ptr_array_add (args, one != NULL && one->len == 1 ? one->pdata[0] : NULL);
        }
      values = ls_is (callee, FUNCTION) ? evaluate_function (self->graph, (LsFunction *) callee, args, self->depth + 1) : NULL;
      return values != NULL ? values : trouble (self, name, ((LsGlobalVar *) call->op)->name_hint, ls_translate ("what it calls cannot be run here"));
    }
  if (ls_is (expr, RELAX_CALL))
    return trouble (self, name, ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "?", ls_translate ("it cannot be said by TensorIR"));
  values = values_of (self, expr);
  if (values != NULL || ls_is (expr, SHAPE_EXPR) || ls_is (expr, PRIM_VALUE))
    return values;
  return trouble (self, name, LS_NODE (expr)->klass->name, ls_translate ("it cannot be run here"));
}

/* From now on the variable stands for these; takes the list. */
static void
bind (Scope      *self,
      LsRelaxVar *var,
      GPtrArray  *values)
{
  GPtrArray *times = g_hash_table_lookup (self->graph->bound, var);

  if (times == NULL)
    g_hash_table_insert (self->graph->bound, var, times = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref));
  for (guint i = 0; i < values->len; i++)
    {
      LsGraphPlace place = { var, times->len, i, values->len };

      g_array_append_val (((LsGraphValue *) values->pdata[i])->places, place);
    }
  g_ptr_array_add (times, g_ptr_array_ref (values));
  g_hash_table_insert (self->known, var, values);
}

static GPtrArray *
evaluate_function (LsDebugGraph *self,
                   LsFunction   *func,
                   GPtrArray    *args,
                   guint         depth)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Scope scope = { self, known, depth };
  LsSeqExpr *seq = (LsSeqExpr *) func->body;

  if (depth > MOST_DEPTH || !ls_is (seq, SEQ_EXPR) || args->len != func->params->n)
    return NULL;
  for (guint i = 0; i < args->len; i++)
    if (args->pdata[i] != NULL)
      bind (&scope, (LsRelaxVar *) func->params->items[i], single (args->pdata[i]));
  for (guint b = 0; b < seq->blocks->n; b++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, b, LsBindingBlock)->bindings;

      for (guint i = 0; i < bindings->n && goes_on (self); i++)
        {
          LsNode *binding = bindings->items[i];
          gboolean is_cast = ls_is (binding, MATCH_CAST);
          LsRelaxVar *var = is_cast ? ((LsMatchCast *) binding)->var : ((LsVarBinding *) binding)->var;
          GPtrArray *values = evaluate (&scope, is_cast ? ((LsMatchCast *) binding)->value : ((LsVarBinding *) binding)->value,
                                        var != NULL ? var->name : "_");

          if (values == NULL)
            continue;
          if (var != NULL && depth == 0 && values->len == 1)
            g_hash_table_insert (self->named, g_strdup (var->name), GUINT_TO_POINTER (((LsGraphValue *) values->pdata[0])->number + 1));
          if (var != NULL)
            bind (&scope, var, values);
          else
            g_ptr_array_unref (values);
        }
    }
  return values_of (&scope, seq->body);
}

/* ---- the graph ------------------------------------------------------------------------------------- */

static void
note_ops (LsDebugGraph *self,
          LsFunction   *func)
{
  LsSeqExpr *seq = (LsSeqExpr *) func->body;

  for (guint b = 0; ls_is (seq, SEQ_EXPR) && b < seq->blocks->n; b++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, b, LsBindingBlock)->bindings;

      for (guint i = 0; i < bindings->n; i++)
        {
          LsVarBinding *binding = (LsVarBinding *) bindings->items[i];
          LsNode *op = ls_is (binding, VAR_BINDING) && ls_is (binding->value, RELAX_CALL) ? ((LsRelaxCall *) binding->value)->op : NULL;

          if (ls_is (op, RELAX_OP))
            g_hash_table_insert (self->ops, g_strdup (binding->var->name), g_strdup (((LsRelaxOp *) op)->name));
        }
    }
}

static LsFunction *
pick (LsModule    *module,
      const char  *name,
      GError     **error)
{
  LsFunction *first = NULL;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *own = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], FUNCTION))
        continue;
      if (strcmp (own, name != NULL ? name : "main") == 0)
        return (LsFunction *) module->functions->items[i];
      if (first == NULL)
        first = (LsFunction *) module->functions->items[i];
    }
  if (first == NULL || name != NULL)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The module has no function of Relax named %s."), name != NULL ? name : "main");
      return NULL;
    }
  return first;
}

static const char *
file_of (const LsDebugInputs *inputs,
         guint                number)
{
  return inputs != NULL && inputs->files != NULL && number < g_strv_length ((char **) inputs->files) ? inputs->files[number] : NULL;
}

static GBytes *
given_to (const LsDebugInputs *inputs,
          guint                number)
{
  return inputs != NULL && inputs->given != NULL ? g_hash_table_lookup (inputs->given, GUINT_TO_POINTER (number)) : NULL;
}

static gboolean
fill_param (LsGraphValue        *value,
            guint                number,
            const LsDebugInputs *inputs,
            GError             **error)
{
  const char *file = file_of (inputs, number);
  LsDLTensor tensor = { value->data, { LS_DL_CPU, 0 }, (gint32) value->ndim, ls_debug_dl_dtype (value->dtype), value->shape, NULL, 0 };
  g_autoptr (LsNDArray) array = file != NULL ? ls_npy_read (file, error) : NULL;
  GBytes *given = given_to (inputs, number);

  if (given != NULL)
    {
      gsize n_bytes = value->n * ((tensor.dtype.bits * tensor.dtype.lanes + 7u) / 8u);

      if (g_bytes_get_size (given) != n_bytes)
        {
          g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("%s takes %zu bytes, and is given %zu."), value->name, n_bytes, g_bytes_get_size (given));
          return FALSE;
        }
      memcpy (value->data, g_bytes_get_data (given, NULL), n_bytes);
      return TRUE;
    }
  if (file == NULL)
    {
      ls_tensor_fill_random (&tensor, (inputs != NULL ? inputs->seed : 0) + (inputs != NULL && inputs->places != NULL ? inputs->places[number] : number));
      return TRUE;
    }
  if (array == NULL)
    return FALSE;
  if (ls_tensor_n_elements (&array->tensor) != value->n || memcmp (&array->tensor.dtype, &tensor.dtype, sizeof tensor.dtype) != 0)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("%s does not have the shape and type of %s."), file, value->name);
      return FALSE;
    }
  memcpy (value->data, array->tensor.data, array->n_bytes);
  return TRUE;
}

LsDebugGraph *
ls_debug_graph_open (LsModule            *module,
                     const char          *name,
                     const LsDebugInputs *inputs,
                     GError             **error)
{
  g_autoptr (LsDebugGraph) self = g_new0 (LsDebugGraph, 1);
  g_autoptr (LsMap) none = ls_map_empty ();
  g_autoptr (LsModule) bound = NULL;
  g_auto (GStrv) asked = NULL;

  self->values = g_ptr_array_new_with_free_func (value_free);
  self->stops = g_ptr_array_new_with_free_func (g_free);
  self->ops = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->constants = g_hash_table_new (NULL, NULL);
  self->bound = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self->legalized = ls_relax_lineage_new ();
  self->result = -1;
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      note_ops (self, (LsFunction *) module->functions->items[i]);
  ls_relax_lineage_begin (self->legalized);
  bound = ls_debug_bind_symbols (module, inputs, error);
  self->module = bound != NULL ? ls_relax_pass_legalize_ops (bound, none, error) : NULL;
  ls_relax_lineage_end (self->legalized);
  self->func = self->module != NULL ? pick (self->module, name, error) : NULL;
  asked = self->func != NULL ? ls_debug_symbols (bound, name != NULL ? name : "main", NULL) : NULL;
  if (asked != NULL && asked[0] != NULL)
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The extent %s is not given; say it as NAME=VALUE."), asked[0]);
  if (asked == NULL || asked[0] != NULL)
    return NULL;
  for (guint i = 0; i < self->func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (self->func->params, i, LsRelaxVar);
      LsGraphValue *value = value_new (self, param->name, "parameter");

      if (!take_type (value, (LsTensorStructInfo *) param->struct_info))
        value->trouble = g_strdup (ls_translate ("its shape is not known"));
      else if (!fill_param (value, i, inputs, error))
        return NULL;
      if (value->trouble == NULL && file_of (inputs, i) == NULL && given_to (inputs, i) == NULL)
        ls_debug_keep_indices (value->dtype, value->data, value->n, pick (bound, name, NULL), i);
      if (value->trouble == NULL)
        ls_debug_value_summarise (value);
    }
  return g_steal_pointer (&self);
}

void
ls_debug_graph_run (LsDebugGraph *self,
                    gboolean    (*asked) (gpointer user_data),
                    gpointer      user_data)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_autoptr (GPtrArray) result = NULL;

  for (guint i = 0; i < self->func->params->n; i++)
    g_ptr_array_add (args, self->values->pdata[i]);
  self->asked = asked;
  self->asked_data = user_data;
  result = evaluate_function (self, self->func, args, 0);
  self->asked = NULL;
  self->result = result != NULL && result->len == 1 && !self->is_ended ? (int) ((LsGraphValue *) result->pdata[0])->number : -1;
  self->is_whole = !self->is_ended;
}

LsDebugGraph *
ls_debug_graph_new (LsModule            *module,
                    const char          *name,
                    const LsDebugInputs *inputs,
                    GError             **error)
{
  LsDebugGraph *self = ls_debug_graph_open (module, name, inputs, error);

  if (self != NULL)
    ls_debug_graph_run (self, NULL, NULL);
  return self;
}

void
ls_debug_graph_free (LsDebugGraph *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->stops);
  g_hash_table_unref (self->ops);
  g_hash_table_unref (self->named);
  g_hash_table_unref (self->constants);
  g_hash_table_unref (self->bound);
  ls_relax_lineage_unref (self->legalized);
  if (self->module != NULL)
    ls_unref (self->module);
  g_free (self);
}

int
ls_debug_graph_find (LsDebugGraph *self,
                     const char   *name)
{
  return (int) GPOINTER_TO_UINT (g_hash_table_lookup (self->named, name)) - 1;
}
