/* FuseTransposeMatmul: x @ permute_dims (w), the last two axes of w swapped, becomes a call of NT_matmul, which reads w as
 * it is.
 *
 * FuseOpsByPattern makes composite functions; their calls become te.  The functions stay behind for DeadCodeElimination.
 */
#include "engine/relax/call-te.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/fuse-ops-by-pattern.h"
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

#include <string.h>

#define COMPOSITE "transpose_matmul_fuse"

/* ---- what is fused --------------------------------------------------------------------- */

static gboolean
swaps_last_axes (LsArray *axes,
                 gint64   ndim)
{
  for (gint64 i = 0; i < ndim; i++)
    {
      gint64 axis = 0, wanted = i == ndim - 1 ? ndim - 2 : i == ndim - 2 ? ndim - 1 : i;

      if (!ls_as_int (axes->items[i], &axis) || axis != wanted)
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_permutation (const LsFusionMatch *match,
                   gboolean            *accepted,
                   gpointer             permute_pattern,
                   GError             **error)
{
  LsRelaxCall *permute = (LsRelaxCall *) ls_pattern_match_get (match->match, permute_pattern);
  LsArray *axes = (LsArray *) ls_relax_pass_attr (permute, "axes");
  g_autoptr (LsNode) info = ls_relax_struct_info (permute->args->items[0]);
  gint64 ndim = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : LS_UNKNOWN_NDIM;

  *accepted = ndim >= 2 && (ls_is (axes, ARRAY) ? axes->n == (guint) ndim && swaps_last_axes (axes, ndim) : ndim == 2);
  return TRUE;
}

static LsModule *
fuse (LsModule *module,
      GError  **error)
{
  g_autoptr (LsNode) permute = ls_call_pattern_new (ls_op_pattern_new ("relax.permute_dims"), ls_array_of (ls_wildcard_new (), NULL), FALSE);
  g_autoptr (LsNode) pattern = ls_call_pattern_new (ls_op_pattern_new ("relax.matmul"), ls_array_of (ls_wildcard_new (), ls_node_ref (permute), NULL), FALSE);
  LsFusionPattern row = { COMPOSITE, pattern, NULL, NULL, check_permutation, NULL, permute };

  return ls_relax_fuse_ops_by_pattern (module, &row, 1, FALSE, FALSE, NULL, error);
}

/* ---- what is computed ---------------------------------------------------------------------- */

static LsExpr *
batch_extent (LsTeTensor *x,
              guint       from_end)
{
  guint own = x->shape->n > 2 ? x->shape->n - 2 : 0;

  return from_end < own ? LS_EXPR (x->shape->items[own - 1 - from_end]) : NULL;
}

/* The element of an operand: its batch, its row or column (NULL: it has none), the summed index. Takes both. */
static LsExpr *
element (LsTeTensor *x,
         LsTeTensor *other,
         LsArray    *axes,
         guint       n_batch,
         LsExpr     *outer,
         LsExpr     *summed,
         LsDType     dtype)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < n_batch; i++)
    {
      LsExpr *mine = batch_extent (x, n_batch - 1 - i), *theirs = batch_extent (other, n_batch - 1 - i);

      if (mine != NULL)
        g_ptr_array_add (indices, ls_is_one (mine) && theirs != NULL ? ls_int (0) : ls_te_axis (axes, i));
    }
  if (outer != NULL)
    g_ptr_array_add (indices, outer);
  g_ptr_array_add (indices, summed);
  return ls_cast (dtype, ls_te_load (x, ls_array_take_ptr_array (indices)));
}

static LsTeTensor *
nt_matmul (LsTeTensor *a,
           LsTeTensor *b,
           LsArray    *shape,
           LsDType     dtype,
           GError    **error)
{
  guint rows = a->shape->n > 1, columns = b->shape->n > 1, n_batch = shape->n - rows - columns;
  LsArray *axes = ls_te_axes (shape, "i*");
  LsIterVar *sum = ls_te_reduce_range ("k", LS_EXPR (a->shape->items[a->shape->n - 1]));
  LsExpr *x = element (a, b, axes, n_batch, rows ? ls_te_axis (axes, n_batch) : NULL, ls_te_iter (sum), dtype);
  LsExpr *y = element (b, a, axes, n_batch, columns ? ls_te_axis (axes, n_batch + rows) : NULL, ls_te_iter (sum), dtype);

  return ls_te_compute ("NT_matmul", NULL, NULL, axes, ls_te_sum (ls_mul (x, y), ls_array_of (sum, NULL)), error);
}

typedef struct {
  GError *error;
} State;

static LsNode *
compute (LsRelaxMutator *mutator,
         LsNode         *left,
         LsNode         *weight,
         LsStructInfo   *result)
{
  State *self = mutator->user_data;
  g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (mutator->builder);
  g_autoptr (LsTeTensor) x = ls_te_bridge_tensor (bridge, left, &self->error), w = NULL, out = NULL;
  g_autoptr (LsArray) shape = NULL;

  if (x != NULL)
    w = ls_te_bridge_tensor (bridge, weight, &self->error);
  if (w == NULL)
    return NULL;
  shape = ls_te_bridge_exprs (bridge, ls_relax_known_extents (result));
  out = nt_matmul (x, w, shape, ((LsTensorStructInfo *) result)->dtype, &self->error);
  return ls_te_bridge_call_one (bridge, out, "NT_matmul", &self->error);
}

/* The arguments of a composite function's call that are the product's left side and the weight.  FALSE: it is no such function, or it gives
 * something else, as when the product is not needed or the weight was permuted before. */
static gboolean
find_operands (LsRelaxMutator *mutator,
               LsRelaxCall    *call,
               LsNode        **x,
               LsNode        **w)
{
  LsNode *func = ls_is (call->op, GLOBAL_VAR) ? ls_block_builder_lookup_func (mutator->builder, (LsGlobalVar *) call->op) : NULL;
  LsNode *name = ls_is (func, FUNCTION) ? ls_map_get (((LsFunction *) func)->attrs, "Composite") : NULL;
  LsSeqExpr *body = ls_is (func, FUNCTION) && ls_is (((LsFunction *) func)->body, SEQ_EXPR) ? (LsSeqExpr *) ((LsFunction *) func)->body : NULL;
  g_autoptr (GHashTable) values = NULL;
  LsNode *product, *permute;
  gint left, weight;

  if (!ls_is (name, STRING) || strcmp (((LsString *) name)->value, COMPOSITE) != 0 || body == NULL)
    return FALSE;
  values = ls_relax_values (func);
  product = ls_pattern_jump (body->body, values);
  permute = ls_is_relax_call (product, "relax.matmul") ? ls_pattern_jump (((LsRelaxCall *) product)->args->items[1], values) : NULL;
  if (!ls_is_relax_call (permute, "relax.permute_dims"))
    return FALSE;
  left = ls_array_index_of (((LsFunction *) func)->params, ls_pattern_jump (((LsRelaxCall *) product)->args->items[0], values));
  weight = ls_array_index_of (((LsFunction *) func)->params, ls_pattern_jump (((LsRelaxCall *) permute)->args->items[0], values));
  if (left < 0 || weight < 0 || left == weight)
    return FALSE;
  *x = call->args->items[left];
  *w = call->args->items[weight];
  return TRUE;
}

static LsNode *
visit_call (LsRelaxMutator *mutator,
            LsRelaxCall    *call)
{
  State *self = mutator->user_data;
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (mutator, call), info = NULL;
  LsNode *made, *x, *w;

  if (self->error != NULL || !ls_is (fresh, RELAX_CALL) || !find_operands (mutator, (LsRelaxCall *) fresh, &x, &w))
    return g_steal_pointer (&fresh);
  info = ls_block_builder_struct_info (mutator->builder, fresh);
  if (ls_relax_known_extents (info) == NULL)
    return g_steal_pointer (&fresh);
  made = compute (mutator, x, w, info);
  return made != NULL ? made : g_steal_pointer (&fresh);
}

LsModule *
ls_relax_pass_fuse_transpose_matmul (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = visit_call };
  g_autoptr (LsModule) fused = fuse (module, error), out = NULL;
  State state = { NULL };

  if (fused == NULL)
    return NULL;
  out = ls_relax_mutate_module (fused, &funcs, &state, error);
  if (state.error == NULL)
    return g_steal_pointer (&out);
  g_clear_error (error);
  g_propagate_error (error, state.error);
  return NULL;
}
