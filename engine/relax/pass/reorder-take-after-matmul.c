/* ReorderTakeAfterMatmul: x @ take (W, i) becomes take (x @ W, i), where the taken axis is the last of W; for batches of
 * weights (three dimensions, the first one taken) all weights are multiplied at once and the diagonal is picked. */
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsPattern *lhs, *weights, *indices, *take, *matmul;
} Rule;

static gint64
ndim_of (LsStructInfo *info)
{
  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : LS_UNKNOWN_NDIM;
}

static LsNode *
take (LsNode *x,
      LsNode *indices,
      gint64  axis)
{
  return ls_relax_make ("relax.take", ls_array_of (x, indices, NULL), "axis", ls_relax_int_attr (axis), NULL);
}

static LsNode *
item (LsArray *extents,
      guint    i)
{
  return ls_node_ref (extents->items[i]);
}

static LsNode *
batched (LsNode  *lhs,
         LsNode  *weights,
         LsNode  *indices,
         LsArray *x,
         LsArray *w)
{
  LsNode *turned = ls_relax_make_permute (ls_node_ref (weights), LS_NODE (ls_array_of (ls_relax_int_attr (1), ls_relax_int_attr (0), ls_relax_int_attr (2), NULL)));
  LsNode *columns = LS_NODE (ls_mul (LS_EXPR (item (w, 0)), LS_EXPR (item (w, 2))));
  LsNode *flat = ls_relax_make_reshape (turned, ls_array_of (item (w, 1), columns, NULL));
  LsNode *product = ls_relax_make_matmul (ls_node_ref (lhs), flat, NULL);
  LsNode *apart = ls_relax_make_reshape (product, ls_array_of (item (x, 0), item (x, 1), item (w, 0), item (w, 2), NULL));
  LsNode *taken = take (apart, ls_node_ref (indices), 2);

  return ls_relax_make ("relax.einsum", ls_array_of (ls_relax_tuple_new (ls_array_of (taken, NULL)), NULL), "subscripts", ls_string_new ("ijik->ijk"), NULL);
}

static LsNode *
reorder (LsNode         *expr,
         LsPatternMatch *match,
         gpointer        user_data,
         GError        **error)
{
  Rule *self = user_data;
  LsNode *lhs = ls_pattern_match_get (match, self->lhs), *weights = ls_pattern_match_get (match, self->weights);
  LsNode *indices = ls_pattern_match_get (match, self->indices);
  g_autoptr (LsNode) x = ls_pattern_match_info (match, self->lhs), w = ls_pattern_match_info (match, self->weights);
  g_autoptr (LsNode) at = ls_pattern_match_info (match, self->indices), out = ls_pattern_match_info (match, self->matmul);
  gint64 axis;

  if (!ls_as_int (ls_relax_pass_attr ((LsRelaxCall *) ls_pattern_match_get (match, self->take), "axis"), &axis))
    return NULL;
  if (ndim_of (x) < 0 || ndim_of (w) < 0 || ndim_of (at) != 1 || ndim_of (out) < 0)
    return NULL;
  if (axis + 1 == ndim_of (w))
    return take (ls_relax_make_matmul (ls_node_ref (lhs), ls_node_ref (weights), NULL), ls_node_ref (indices), ndim_of (out) - 1);
  if (ndim_of (x) == 3 && ndim_of (w) == 3 && axis == 0 && ls_relax_known_extents (x) != NULL && ls_relax_known_extents (w) != NULL)
    return batched (lhs, weights, indices, ls_relax_known_extents (x), ls_relax_known_extents (w));
  return NULL;
}

static LsNode *
rewrite (LsModule   *module,
         LsFunction *func,
         gpointer    user_data,
         GError    **error)
{
  return ls_pattern_rewriter_apply (user_data, LS_NODE (func), module, error);
}

LsModule *
ls_relax_pass_reorder_take_after_matmul (LsModule  *module,
                                         LsMap     *args,
                                         GError   **error)
{
  g_autoptr (LsNode) lhs = ls_wildcard_new (), weights = ls_wildcard_new (), indices = ls_wildcard_new ();
  g_autoptr (LsNode) taken = ls_call_pattern_new (ls_op_pattern_new ("relax.take"), ls_array_of (ls_node_ref (weights), ls_node_ref (indices), NULL), FALSE);
  g_autoptr (LsNode) pattern = ls_call_pattern_new (ls_op_pattern_new ("relax.matmul"), ls_array_of (ls_node_ref (lhs), ls_node_ref (taken), NULL), FALSE);
  Rule rule = { lhs, weights, indices, taken, pattern };
  g_autoptr (LsPatternRewriter) rewriter = ls_pattern_rewriter_new (pattern, reorder, &rule, NULL);

  return ls_relax_each_function (module, rewrite, rewriter, error);
}
