/* ExpandMatmulOfSum: x @ (A + B) becomes x @ A + x @ B, also behind permute_dims, unless A + B can be computed before. */
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsPattern *lhs, *a, *b, *permute;
  GPtrArray *known;
} Rule;

/* A product with what the sum stretches is another thing than the product with the sum. */
static gboolean
have_one_shape (LsPatternMatch *match,
                Rule           *self)
{
  g_autoptr (LsNode) a = ls_pattern_match_info (match, self->a), b = ls_pattern_match_info (match, self->b);
  LsArray *x = ls_relax_known_extents (a), *y = ls_relax_known_extents (b);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  if (x == NULL || y == NULL || x->n != y->n)
    return FALSE;
  for (guint i = 0; i < x->n; i++)
    if (!ls_analyzer_can_prove_equal (analyzer, LS_EXPR (x->items[i]), LS_EXPR (y->items[i])))
      return FALSE;
  return TRUE;
}

static LsNode *
expand (LsNode         *expr,
        LsPatternMatch *match,
        gpointer        user_data,
        GError        **error)
{
  Rule *self = user_data;
  LsNode *lhs = ls_pattern_match_get (match, self->lhs), *a = ls_pattern_match_get (match, self->a), *b = ls_pattern_match_get (match, self->b);
  LsNode *permute = ls_pattern_match_get (match, self->permute);
  g_autoptr (LsNode) x = ls_node_ref (a), y = ls_node_ref (b);

  if ((g_ptr_array_find (self->known, a, NULL) && g_ptr_array_find (self->known, b, NULL)) || !have_one_shape (match, self))
    return NULL;
  if (permute != NULL)
    {
      LsNode *axes = ls_relax_pass_attr ((LsRelaxCall *) permute, "axes");

      ls_take (&x, ls_relax_make_permute (ls_node_ref (x), ls_node_ref (axes)));
      ls_take (&y, ls_relax_make_permute (ls_node_ref (y), ls_node_ref (axes)));
    }
  return ls_relax_make_binary ("relax.add", ls_relax_make_matmul (ls_node_ref (lhs), ls_node_ref (x), NULL),
                               ls_relax_make_matmul (ls_node_ref (lhs), ls_node_ref (y), NULL));
}

static LsNode *
rewrite (LsModule   *module,
         LsFunction *func,
         gpointer    user_data,
         GError    **error)
{
  g_autoptr (LsNode) lhs = ls_wildcard_new (), a = ls_wildcard_new (), b = ls_wildcard_new ();
  g_autoptr (LsNode) sum = ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL), FALSE);
  g_autoptr (LsNode) permute = ls_call_pattern_new (ls_op_pattern_new ("relax.permute_dims"), ls_array_of (ls_node_ref (sum), NULL), FALSE);
  g_autoptr (LsNode) rhs = ls_pair_pattern_new (LS_KIND_OR_PATTERN, ls_node_ref (sum), ls_node_ref (permute));
  g_autoptr (LsNode) pattern = ls_call_pattern_new (ls_op_pattern_new ("relax.matmul"), ls_array_of (ls_node_ref (lhs), ls_node_ref (rhs), NULL), FALSE);
  g_autoptr (GPtrArray) known = ls_relax_computable_at_compile_time (func);
  Rule rule = { lhs, a, b, permute, known };
  g_autoptr (LsPatternRewriter) rewriter = ls_pattern_rewriter_new (pattern, expand, &rule, NULL);

  return ls_pattern_rewriter_apply (rewriter, LS_NODE (func), module, error);
}

LsModule *
ls_relax_pass_expand_matmul_of_sum (LsModule  *module,
                                    LsMap     *args,
                                    GError   **error)
{
  return ls_relax_each_function (module, rewrite, NULL, error);
}
