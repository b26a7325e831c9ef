/* RemoveRedundantReshape: of several reshapes in a row the last stays; one to the shape that is there goes. */
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsPattern *input, *one, *two;
} Rule;

static LsNode *
shorten (LsNode         *expr,
         LsPatternMatch *match,
         gpointer        user_data,
         GError        **error)
{
  Rule *self = user_data;
  LsNode *input = ls_pattern_match_get (match, self->input), *twice = ls_pattern_match_get (match, self->two);
  g_autoptr (LsNode) info = NULL;
  LsNode *shape;

  if (twice != NULL)
    return ls_relax_make_binary ("relax.reshape", ls_node_ref (input), ls_node_ref (((LsRelaxCall *) twice)->args->items[1]));
  info = ls_pattern_match_info (match, self->input);
  shape = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->shape : NULL;
  if (shape == NULL || !ls_structural_equal (shape, ((LsRelaxCall *) ls_pattern_match_get (match, self->one))->args->items[1], FALSE, NULL, NULL))
    return NULL;
  return ls_node_ref (input);
}

static LsNode *
rewrite (LsModule   *module,
         LsFunction *func,
         gpointer    user_data,
         GError    **error)
{
  return ls_pattern_rewriter_apply (user_data, LS_NODE (func), module, error);
}

static LsPattern *
reshape (LsPattern *of)
{
  return ls_call_pattern_new (ls_op_pattern_new ("relax.reshape"), ls_array_of (ls_node_ref (of), ls_wildcard_new (), NULL), FALSE);
}

LsModule *
ls_relax_pass_remove_redundant_reshape (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  g_autoptr (LsNode) input = ls_wildcard_new (), one = reshape (input), two = reshape (one);
  g_autoptr (LsNode) pattern = ls_pair_pattern_new (LS_KIND_OR_PATTERN, ls_node_ref (two), ls_node_ref (one));
  Rule rule = { input, one, two };
  g_autoptr (LsPatternRewriter) rewriter = ls_pattern_rewriter_new (pattern, shorten, &rule, NULL);

  return ls_relax_each_function (module, rewrite, rewriter, error);
}
