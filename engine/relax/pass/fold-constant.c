/* FoldConstant: what only constants go into is computed now.
 *
 * Calls of PrimFuncs on constants, and in dataflow blocks operators that can be said by a PrimFunc, are run by the
 * interpreter; the constant takes the place of the variable, bindings that nothing needs any more go.  Functions that
 * were made for operators do not stay in the module.  Results of several tensors and symbolic shapes are left alone, and so
 * is what would take more than MAX_OPERATIONS statements.  Source: TVM's FoldConstant. */
#include "engine/interp/interp.h"
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

#define MAX_OPERATIONS 200000000

/* ---- running --------------------------------------------------------------------- */

/* The extents as numbers, or NULL. (transfer full) */
static gint64 *
extents_of (LsArray *shape)
{
  g_autofree gint64 *out = g_new0 (gint64, shape->n + 1);

  for (guint i = 0; i < shape->n; i++)
    if (!ls_is (shape->items[i], INT_IMM) || !ls_as_int (shape->items[i], &out[i]) || out[i] < 0)
      return NULL;
  return g_steal_pointer (&out);
}

static void
put_tensor (LsInterpArg *arg,
            LsDType      dtype,
            gconstpointer data,
            gint64      *extents,
            guint        n)
{
  *arg = (LsInterpArg) { .dtype = dtype, .is_array = TRUE, .data = (gpointer) data, .ndim = n, .shape = extents };
}

/* The result, a constant, or NULL: it cannot be run. (transfer full) */
static LsNode *
run (LsPrimFunc         *func,
     LsArray            *inputs,        /* of Constant */
     LsTensorStructInfo *result)
{
  LsArray *shape = ((LsShapeExpr *) result->shape)->values;
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, inputs->n + 1);
  LsBudget budget;
  LsInterpOptions options = { .budget = &budget };
  gint64 *extents = extents_of (shape);
  gsize size = ls_dtype_bytes (result->dtype);
  gpointer data;

  if (extents == NULL)
    return NULL;
  ls_budget_init (&budget, MAX_OPERATIONS, NULL);
  g_ptr_array_add (kept, extents);
  for (guint i = 0; i < shape->n; i++)
    if (__builtin_mul_overflow (size, (gsize) extents[i], &size) || size > G_MAXINT32)
      return NULL;
  for (guint i = 0; i < inputs->n; i++)
    {
      LsTensor *tensor = ((LsConstant *) inputs->items[i])->data;

      g_ptr_array_add (kept, extents_of (tensor->shape));
      put_tensor (&args[i], tensor->dtype, g_bytes_get_data (tensor->data, NULL), kept->pdata[kept->len - 1], tensor->shape->n);
    }
  data = g_malloc0 (MAX (size, 1));
  put_tensor (&args[inputs->n], result->dtype, data, extents, shape->n);
  if (!ls_interp_run (func, args, inputs->n + 1, &options, NULL))
    {
      g_free (data);
      return NULL;
    }
  return ls_constant_new (ls_tensor_new (result->dtype, ls_ref (shape), g_bytes_new_take (data, size)));
}

/* What a call_tir gives, or NULL. (transfer full) */
static LsNode *
evaluate (LsBlockBuilder *builder,
          LsRelaxCall    *call)
{
  LsNode *func = ls_is (call->args->items[0], GLOBAL_VAR) ? ls_block_builder_lookup_func (builder, (LsGlobalVar *) call->args->items[0]) : NULL;
  LsArray *inputs = call->args->n == 2 && ls_is (call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) call->args->items[1])->fields : NULL;
  LsTensorStructInfo *result = call->sinfo_args->n == 1 ? (LsTensorStructInfo *) call->sinfo_args->items[0] : NULL;

  if (!ls_is (func, PRIM_FUNC) || inputs == NULL || !ls_is (result, TENSOR_STRUCT_INFO) || !ls_is (result->shape, SHAPE_EXPR)
      || ls_dtype_is_void (result->dtype) || ((LsPrimFunc *) func)->params->n != inputs->n + 1)
    return NULL;
  for (guint i = 0; i < inputs->n; i++)
    if (!ls_is (inputs->items[i], CONSTANT))
      return NULL;
  return run ((LsPrimFunc *) func, inputs, result);
}

/* ---- operators -------------------------------------------------------------------------- */

static gboolean
is_tensor (LsBlockBuilder *builder,
           LsNode         *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (builder, expr);

  return ls_is (info, TENSOR_STRUCT_INFO) || ls_is (info, TUPLE_STRUCT_INFO);
}

/* Can the operator's value follow from constants?  Of the `_like` operators only the shape counts. */
static gboolean
may_fold (LsBlockBuilder *builder,
          LsRelaxCall    *call)
{
  if (g_str_has_suffix (((LsRelaxOp *) call->op)->name, "_like"))
    return TRUE;
  for (guint i = 0; i < call->args->n; i++)
    {
      LsNode *arg = call->args->items[i];
      LsArray *fields = ls_is (arg, RELAX_TUPLE) ? ((LsRelaxTuple *) arg)->fields : NULL;

      for (guint k = 0; fields != NULL && k < fields->n; k++)
        if (ls_is_relax_var (fields->items[k]) && is_tensor (builder, fields->items[k]))
          return FALSE;
      if (fields == NULL && !ls_is (arg, CONSTANT) && is_tensor (builder, arg))
        return FALSE;
    }
  return TRUE;
}

/* The elements of a constant vector of int64 as a shape. (transfer full) */
static LsNode *
shape_of_constant (LsTensor *tensor)
{
  gsize size;
  const gint64 *data = g_bytes_get_data (tensor->data, &size);
  GPtrArray *values;

  if (!ls_dtype_equal (tensor->dtype, LS_INT64) || tensor->shape->n != 1)
    return NULL;
  values = g_ptr_array_new ();
  for (gsize i = 0; i < size / sizeof *data; i++)
    g_ptr_array_add (values, ls_int_imm_new (LS_INT64, data[i]));
  return ls_shape_expr_new (ls_array_take_ptr_array (values));
}

/* A constant shape as a vector. (transfer full) */
static LsNode *
constant_of_shape (LsShapeExpr *shape)
{
  gint64 *values = extents_of (shape->values);
  guint n = shape->values->n;

  if (values == NULL)
    return NULL;
  return ls_constant_new (ls_tensor_new (LS_INT64, ls_array_of (ls_int_imm_new (LS_INT64, n), NULL), g_bytes_new_take (values, n * sizeof *values)));
}

/* Shapes that variables stand for, in their places. (transfer full) */
static LsArray *
with_shapes (LsRelaxMutator *self,
             LsArray        *args)
{
  LsArray *out = ls_ref (args);

  for (guint i = 0; i < args->n; i++)
    {
      LsNode *value = ls_relax_mutator_lookup (self, args->items[i]);

      if (ls_is (value, SHAPE_EXPR))
        ls_take (&out, ls_array_with (out, i, value));
    }
  return out;
}

static LsNode *
fold_operator (LsRelaxMutator *self,
               LsRelaxCall    *call)
{
  LsArray *args = with_shapes (self, call->args);
  g_autoptr (LsNode) fresh = args == call->args ? ls_node_ref (LS_NODE (call))
                             : ls_relax_call_new (ls_node_ref (call->op), ls_ref (args), ls_ref (call->attr_names), ls_ref (call->attrs),
                                                  ls_ref (call->sinfo_args));
  LsNode *folded = NULL;

  ls_unref (args);
  call = (LsRelaxCall *) fresh;
  if (!ls_block_builder_in_dataflow (self->builder))
    return g_steal_pointer (&fresh);
  if (ls_is_relax_call (call, "relax.tensor_to_shape"))
    folded = ls_is (call->args->items[0], CONSTANT) ? shape_of_constant (((LsConstant *) call->args->items[0])->data) : NULL;
  else if (ls_is_relax_call (call, "relax.shape_to_tensor"))
    folded = ls_is (call->args->items[0], SHAPE_EXPR) ? constant_of_shape ((LsShapeExpr *) call->args->items[0]) : NULL;
  else if (may_fold (self->builder, call) && !ls_relax_pass_skips (self->user_data, call))
    {
      g_autoptr (LsNode) normal = ls_block_builder_normalize (self->builder, fresh);
      g_autoptr (LsNode) legal = ls_relax_legalize_call (self->builder, (LsRelaxCall *) normal);

      folded = ls_is_relax_call (legal, "relax.call_tir") ? evaluate (self->builder, (LsRelaxCall *) legal) : NULL;
    }
  return folded != NULL ? folded : g_steal_pointer (&fresh);
}

static LsNode *
fold_call (LsRelaxMutator *self,
           LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsNode *folded;

  if (!ls_is (fresh, RELAX_CALL) || !ls_is (((LsRelaxCall *) fresh)->op, RELAX_OP))
    return g_steal_pointer (&fresh);
  if (!ls_is_relax_call (fresh, "relax.call_tir"))
    return fold_operator (self, (LsRelaxCall *) fresh);
  folded = evaluate (self->builder, (LsRelaxCall *) fresh);
  return folded != NULL ? folded : g_steal_pointer (&fresh);
}

static LsNode *
fold_var (LsRelaxMutator *self,
          LsRelaxVar     *var)
{
  g_autoptr (LsNode) now = ls_relax_mutator_default (self, var);
  LsNode *value = ls_relax_mutator_lookup (self, now);

  return ls_is (value, CONSTANT) ? ls_node_ref (value) : g_steal_pointer (&now);
}

LsModule *
ls_relax_pass_fold_constant (LsModule  *module,
                             LsMap     *args,
                             GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = fold_call, .var = fold_var };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (LsModule) all = NULL;
  GPtrArray *functions = g_ptr_array_new ();
  g_autoptr (LsArray) list = NULL;

  ls_relax_mutator_init (&mutator, &funcs, module, ls_map_get (args, "skip_ops"));
  for (guint i = 0; i < module->functions->n; i++)
    {
      g_autoptr (LsNode) folded = NULL;

      if (ls_is (module->functions->items[i], FUNCTION))
        folded = ls_relax_mutator_visit (&mutator, module->functions->items[i]);
      g_ptr_array_add (functions, folded != NULL ? ls_relax_remove_all_unused (folded, mutator.builder) : ls_node_ref (module->functions->items[i]));
    }
  list = ls_array_take_ptr_array (functions);
  all = ls_relax_mutator_finish (&mutator, error);
  return all == NULL ? NULL : ls_module_new (ls_ref (module->global_vars), ls_ref (list), ls_ref (module->attrs), ls_ref (module->global_infos));
}
