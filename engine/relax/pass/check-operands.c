/* check-operands: what only a run knows of operands, looked at before they are used.
 *
 * The function that LegalizeOps makes of R.scatter_elements and R.scatter_nd writes to a flat buffer, as TVM's does: an index past the end of
 * its axis is a place in the next row; that of R.index_put writes where it is told.  So a call of the runtime looks at all indices first,
 *
 *   inside = R.call_pure_packed("vm.builtin.check_indices", indices, R.shape([5]), R.prim_value(1), sinfo_args=(R.Shape(ndim=1),))
 *   same_extent = R.match_cast(inside, R.Shape([1]))
 *
 * and the match keeps the call alive.  Of R.add (x, y) with x: (n,) and y: (m,) nobody knows the shape, and LegalizeOps leaves it; with
 *
 *   same_extent = R.match_cast(y, R.Tensor((n,), dtype="float32"))
 *
 * it is one of n, and a run says where it was not.  An extent that turns out to be 1 is no other than that: what broadcasts says 1.  So are
 * the batches of R.matmul.
 * It is no pass of TVM's and not listed among them: building a module does it, before LegalizeOps. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/check-extents.h"
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"
#include "engine/topi/topi.h"

#include <string.h>

/* ---- scatter ----------------------------------------------------------------------------- */

/* The extents of an expression that is a tensor of known shape. (transfer full) */
static LsArray *
extents_of (LsRelaxMutator *self,
            LsNode         *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, expr);
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  return ls_is (info, TENSOR_STRUCT_INFO) && ls_is (tensor->shape, SHAPE_EXPR) ? ls_ref (((LsShapeExpr *) tensor->shape)->values) : NULL;
}

/* Each index has to be below the limit of its place (the last axis of the indices goes over the limits), and `wraps`: not below minus the
 * limit, else not below 0. */
static void
emit_check (LsRelaxMutator *self,
            LsNode         *indices,
            LsArray        *limits,
            gboolean        wraps)
{
  LsArray *args = ls_array_of (ls_extern_func_new ("vm.builtin.check_indices"), ls_node_ref (indices), ls_shape_expr_new (ls_ref (limits)),
                               ls_prim_value_new (ls_const_int (LS_INT64, wraps)), NULL);
  g_autoptr (LsNode) call = ls_relax_call_new (ls_relax_op_new ("relax.call_pure_packed"), args, NULL, NULL,
                                               ls_array_of (ls_shape_struct_info_new (NULL, 1), NULL));
  LsRelaxVar *inside = ls_block_builder_emit (self->builder, call, "inside");
  g_autoptr (LsNode) claimed = ls_shape_struct_info_new (ls_array_of (ls_const_int (LS_INT64, 1), NULL), 1);

  ls_block_builder_emit_match_cast (self->builder, inside, claimed, LS_CLAIM_NAME);
}

static void
check_scatter (LsRelaxMutator *self,
               LsRelaxCall    *call)
{
  g_autoptr (LsArray) data = extents_of (self, call->args->items[0]);
  g_autoptr (LsArray) at = extents_of (self, call->args->items[1]);
  g_autoptr (LsArray) limits = NULL;
  gint64 axis = 0, n;

  if (data == NULL || at == NULL || data->n == 0 || at->n == 0)
    return;
  if (ls_is_relax_call (call, "relax.scatter_elements"))
    {
      ls_as_int ((LsExpr *) ls_relax_pass_attr (call, "axis"), &axis);
      axis += axis < 0 ? data->n : 0;
      if (axis < 0 || axis >= data->n)
        return;
      limits = ls_array_of (ls_node_ref (data->items[axis]), NULL);
    }
  else
    {
      if (!ls_as_int (at->items[at->n - 1], &n) || n < 1 || n > data->n)
        return;
      limits = ls_array_empty ();
      for (gint64 i = 0; i < n; i++)
        ls_take (&limits, ls_array_append (limits, data->items[i]));
    }
  emit_check (self, call->args->items[1], limits, ls_is_relax_call (call, "relax.scatter_elements"));
}

/* Each tensor of indices has the limit of its axis. */
static void
check_index_put (LsRelaxMutator *self,
                 LsRelaxCall    *call)
{
  g_autoptr (LsArray) data = extents_of (self, call->args->items[0]);
  LsNode *at = call->args->items[1];
  LsArray *fields = ls_is (at, RELAX_TUPLE) ? ((LsRelaxTuple *) at)->fields : NULL;
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, at);
  guint n = fields != NULL ? fields->n : ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields->n : 0;

  for (guint i = 0; data != NULL && i < n && i < data->n; i++)
    {
      g_autoptr (LsNode) indices = fields != NULL ? ls_node_ref (fields->items[i])
                                   : LS_NODE (ls_ref (ls_block_builder_emit_take (self->builder, ls_tuple_get_item_new (ls_node_ref (at), i), NULL)));
      g_autoptr (LsArray) limits = ls_array_of (ls_node_ref (data->items[i]), NULL);

      emit_check (self, indices, limits, TRUE);
    }
}

/* ---- broadcast --------------------------------------------------------------------------- */

#define MAX_OPERANDS 3

/* The extent that operands have `from_end` axes before the last: a number if there is one, else the first that is not 1; NULL: they are all 1.
 * Borrowed. */
static LsExpr *
common_extent (LsArray *const *shapes,
               guint           n,
               guint           from_end)
{
  LsExpr *found = NULL;

  for (guint i = 0; i < n; i++)
    {
      LsExpr *extent = from_end <= shapes[i]->n ? ls_array_at (shapes[i], shapes[i]->n - from_end, LsExpr) : NULL;

      if (extent != NULL && !ls_is_one (extent) && (found == NULL || (ls_is (extent, INT_IMM) && !ls_is (found, INT_IMM))))
        found = extent;
    }
  return found;
}

/* The shape with the extents that all have in common, but for the last `own_axes` ones; the same pointer when they are certain. (transfer full) */
static LsArray *
shape_in_common (LsArray *const *shapes,
                 guint           n,
                 LsArray        *shape,
                 guint           own_axes)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsArray *result = ls_ref (shape);

  for (guint from_end = own_axes + 1; from_end <= shape->n; from_end++)
    {
      LsExpr *own = ls_array_at (shape, shape->n - from_end, LsExpr), *common = common_extent (shapes, n, from_end);
      g_autoptr (LsExpr) same = common != NULL && common != own && !ls_is_one (own) ? ls_eq (ls_ref (own), ls_ref (common)) : NULL;

      if (same != NULL && !ls_analyzer_can_prove (analyzer, same))
        ls_take (&result, ls_array_with (result, shape->n - from_end, common));
    }
  return result;
}

static LsNode *
cast_operand (LsRelaxMutator *self,
              LsNode         *operand,
              LsArray        *shape)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, operand);
  g_autoptr (LsNode) claimed = ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (shape)), -1, ((LsTensorStructInfo *) info)->dtype, NULL);

  return LS_NODE (ls_ref (ls_block_builder_emit_match_cast (self->builder, operand, claimed, LS_CLAIM_NAME)));
}

/* (transfer full) */
static LsNode *
check_broadcast (LsRelaxMutator *self,
                 LsRelaxCall    *call)
{
  guint n = MIN (call->args->n, MAX_OPERANDS);
  LsArray *shapes[MAX_OPERANDS] = { NULL };
  g_autoptr (LsArray) args = ls_ref (call->args);
  guint own_axes = ls_is_relax_call (call, "relax.matmul") ? 2 : 0, n_known = 0;

  for (guint i = 0; i < n; i++)
    {
      shapes[i] = extents_of (self, call->args->items[i]);
      n_known += shapes[i] != NULL;
    }
  for (guint i = 0; i < n && n_known == n; i++)
    {
      g_autoptr (LsArray) shape = shape_in_common (shapes, n, shapes[i], own_axes);
      g_autoptr (LsNode) fresh = shape != shapes[i] ? cast_operand (self, call->args->items[i], shape) : NULL;

      if (fresh != NULL)
        ls_take (&args, ls_array_with (args, i, fresh));
    }
  for (guint i = 0; i < n; i++)
    ls_unref (shapes[i]);
  if (args == call->args)
    return LS_NODE (ls_ref (call));
  return ls_relax_call_new (ls_node_ref (call->op), ls_ref (args), ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (call->sinfo_args));
}

static gboolean
broadcasts (LsNode *call)
{
  const char *name = ls_is (call, RELAX_CALL) && ls_is (((LsRelaxCall *) call)->op, RELAX_OP) ? ((LsRelaxOp *) ((LsRelaxCall *) call)->op)->name : "";

  return g_str_has_prefix (name, "relax.") && (ls_topi_is_binary (name + strlen ("relax.")) || g_str_equal (name, "relax.where")
                                               || g_str_equal (name, "relax.matmul") || g_str_equal (name, "relax.ewise_fma"));
}

/* An operator that broadcasts, of whose result not even the extents are known. */
static gboolean
is_open_broadcast (LsRelaxMutator *self,
                   LsNode         *call)
{
  g_autoptr (LsNode) info = NULL;

  if (!broadcasts (call))
    return FALSE;
  info = ls_block_builder_struct_info (self->builder, call);
  return ls_is (info, TENSOR_STRUCT_INFO) && !ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR);
}

/* ---- many tensors in a row -------------------------------------------------------------- */

/* From how many operands on they are copied: the function of LegalizeOps asks at each element about each of them, by sums of their extents. */
#define MANY 32

/* R.concat of many tensors some of which have extents that only a run knows; the call is over then. (transfer full) */
static LsNode *
copy_many (LsRelaxMutator *self,
           LsNode         *node)
{
  LsRelaxCall *call = (LsRelaxCall *) node;
  LsNode *first = ls_is_relax_call (node, "relax.concat") && call->args->n > 0 ? call->args->items[0] : NULL;
  LsArray *fields = ls_is (first, RELAX_TUPLE) ? ((LsRelaxTuple *) first)->fields : NULL;
  g_autoptr (LsNode) info = NULL;
  g_autoptr (LsNode) along = NULL;
  g_autoptr (LsArray) args = NULL;
  LsTensorStructInfo *out;
  gint64 axis = 0, extent;
  gboolean is_symbolic = FALSE;

  if (fields == NULL || fields->n < MANY)
    return NULL;
  info = ls_block_builder_struct_info (self->builder, node);
  out = (LsTensorStructInfo *) info;
  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (out->shape, SHAPE_EXPR) || ls_dtype_is_void (out->dtype))
    return NULL;
  ls_as_int ((LsExpr *) ls_relax_pass_attr (call, "axis"), &axis);
  axis += axis < 0 ? ((LsShapeExpr *) out->shape)->values->n : 0;
  for (guint i = 0; i < fields->n && !is_symbolic; i++)
    {
      g_autoptr (LsArray) shape = extents_of (self, fields->items[i]);

      is_symbolic = shape != NULL && axis >= 0 && axis < shape->n && !ls_as_int (ls_array_at (shape, (guint) axis, LsExpr), &extent);
    }
  if (!is_symbolic)
    return NULL;
  along = ls_prim_value_new (ls_const_int (LS_INT64, axis));
  args = ls_array_append (fields, along);
  return ls_relax_call_new (ls_relax_op_new ("relax.call_dps_packed"),
                            ls_array_of (ls_extern_func_new ("vm.builtin.concat"), ls_relax_tuple_new (ls_ref (args)), NULL), NULL, NULL,
                            ls_array_of (ls_node_ref (info), NULL));
}

/* (transfer full) */
static LsNode *
claim_extents (LsRelaxMutator *self,
               LsNode         *call)
{
  g_autoptr (LsNode) claimed = ls_relax_claim_extents (self, (LsRelaxCall *) call);
  LsNode *copied = copy_many (self, claimed);

  return copied != NULL ? copied : g_steal_pointer (&claimed);
}

/* The rows that are drawn from are rows. */
static void
check_rows (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  g_autoptr (LsArray) rows = extents_of (self, call->args->items[0]);
  g_autoptr (LsArray) limits = rows != NULL && rows->n > 0 ? ls_array_of (ls_node_ref (rows->items[0]), NULL) : NULL;

  if (limits != NULL)
    emit_check (self, call->args->items[2], limits, FALSE);
}

/* R.take (x, indices) of a vector: with its axis said, the function does not take what is past the end for what is at the beginning. (transfer full) */
static LsNode *
along_axis (LsRelaxMutator *self,
            LsNode         *node)
{
  LsRelaxCall *call = (LsRelaxCall *) node;
  g_autoptr (LsNode) info = NULL;
  gint64 axis;

  if (!ls_is_relax_call (node, "relax.take") || ls_as_int ((LsExpr *) ls_relax_pass_attr (call, "axis"), &axis))
    return ls_node_ref (node);
  info = ls_block_builder_struct_info (self->builder, call->args->items[0]);
  if (!ls_is (info, TENSOR_STRUCT_INFO) || ((LsTensorStructInfo *) info)->ndim != 1)
    return ls_node_ref (node);
  return ls_relax_make ("relax.take", ls_ref (call->args), "axis", ls_relax_int_attr (0), NULL);
}

static LsNode *
check (LsRelaxMutator *self,
       LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);

  if (ls_is_relax_call (fresh, "relax.scatter_elements") || ls_is_relax_call (fresh, "relax.scatter_nd"))
    check_scatter (self, (LsRelaxCall *) fresh);
  if (ls_is_relax_call (fresh, "relax.index_put") && ((LsRelaxCall *) fresh)->args->n == 3)
    check_index_put (self, (LsRelaxCall *) fresh);
  if (ls_is_relax_call (fresh, "relax.multinomial_from_uniform") && ((LsRelaxCall *) fresh)->args->n == 3)
    check_rows (self, (LsRelaxCall *) fresh);
  if (is_open_broadcast (self, fresh))
    return check_broadcast (self, (LsRelaxCall *) fresh);
  if (!ls_is (fresh, RELAX_CALL))
    return g_steal_pointer (&fresh);
  ls_take (&fresh, along_axis (self, fresh));
  return claim_extents (self, fresh);
}

LsModule *
ls_relax_check_operands (LsModule  *module,
                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = check };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}

LsModule *
ls_relax_before_legalize (LsModule  *module,
                          GError   **error)
{
  g_autoptr (LsModule) checked = ls_relax_check_operands (module, error);

  return checked != NULL ? ls_relax_use_constant_statistics (checked, error) : NULL;
}
