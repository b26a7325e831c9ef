/* FoldBatchnormToConv2D: the first result of batch_norm behind conv2d, both with constant weights, becomes conv2d with
 * scaled weights and an addition.  The arithmetic on the constants is written out; FoldConstant carries it out. */
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  LsPattern *input, *weight, *conv, *gamma, *beta, *mean, *variance, *norm;
} Rule;

static LsNode *
get (LsPatternMatch *match,
     LsPattern      *pattern)
{
  return ls_node_ref (ls_pattern_match_get (match, pattern));
}

static LsArray *
four (gint64   at,
      LsNode  *extent)
{
  GPtrArray *out = g_ptr_array_new ();

  for (gint64 i = 0; i < 4; i++)
    g_ptr_array_add (out, i == at ? ls_node_ref (extent) : ls_relax_int_attr (1));
  return ls_array_take_ptr_array (out);
}

static LsNode *
number_of (LsNode *epsilon)
{
  gint64 whole;

  return ls_prim_value_new (LS_EXPR (ls_float_imm_new (LS_FLOAT32, ls_is (epsilon, FLOAT_IMM) ? ((LsFloatImm *) epsilon)->value
                                                       : ls_as_int (epsilon, &whole) ? (double) whole : 1e-5)));
}

static LsNode *
fold (LsNode         *expr,
      LsPatternMatch *match,
      gpointer        user_data,
      GError        **error)
{
  Rule *self = user_data;
  LsRelaxCall *conv = (LsRelaxCall *) ls_pattern_match_get (match, self->conv), *norm = (LsRelaxCall *) ls_pattern_match_get (match, self->norm);
  LsNode *layout = ls_relax_pass_attr (conv, "kernel_layout");
  gboolean oihw = ls_is (layout, STRING) && strcmp (((LsString *) layout)->value, "OIHW") == 0;
  gboolean iohw = ls_is (layout, STRING) && strcmp (((LsString *) layout)->value, "IOHW") == 0;
  g_autoptr (LsNode) gamma_info = ls_pattern_match_info (match, self->gamma), beta_info = ls_pattern_match_info (match, self->beta);
  LsArray *gamma = ls_relax_known_extents (gamma_info), *beta = ls_relax_known_extents (beta_info);
  g_autoptr (LsNode) scale = NULL, shift = NULL;
  LsNode *deviation, *weight, *call;

  if ((!oihw && !iohw) || ls_array_n (gamma) != 1 || ls_array_n (beta) != 1)
    return NULL;
  deviation = ls_relax_make_unary ("relax.sqrt", ls_relax_make_binary ("relax.add", get (match, self->variance), number_of (ls_relax_pass_attr (norm, "epsilon"))));
  scale = ls_relax_make_binary ("relax.divide", get (match, self->gamma), deviation);
  shift = ls_relax_make_binary ("relax.subtract", get (match, self->beta), ls_relax_make_binary ("relax.multiply", get (match, self->mean), ls_node_ref (scale)));
  weight = ls_relax_make_binary ("relax.multiply", get (match, self->weight), ls_relax_make_reshape (ls_node_ref (scale), four (oihw ? 0 : 1, gamma->items[0])));
  call = ls_relax_call_new (ls_node_ref (conv->op), ls_array_of (get (match, self->input), weight, NULL), ls_ref (conv->attr_names), ls_ref (conv->attrs), NULL);
  return ls_relax_make_binary ("relax.add", call, ls_relax_make_reshape (ls_node_ref (shift), four (1, beta->items[0])));
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
ls_relax_pass_fold_batchnorm_to_conv2d (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  g_autoptr (LsNode) input = ls_wildcard_new (), weight = ls_constant_pattern_new (), gamma = ls_constant_pattern_new (), beta = ls_constant_pattern_new ();
  g_autoptr (LsNode) mean = ls_constant_pattern_new (), variance = ls_constant_pattern_new ();
  g_autoptr (LsNode) conv = ls_call_pattern_new (ls_op_pattern_new ("relax.nn.conv2d"), ls_array_of (ls_node_ref (input), ls_node_ref (weight), NULL), FALSE);
  g_autoptr (LsNode) norm = ls_call_pattern_new (ls_op_pattern_new ("relax.nn.batch_norm"),
                                                 ls_array_of (ls_node_ref (conv), ls_node_ref (gamma), ls_node_ref (beta), ls_node_ref (mean), ls_node_ref (variance), NULL), FALSE);
  g_autoptr (LsNode) pattern = ls_tuple_get_item_pattern_new (ls_node_ref (norm), 0);
  Rule rule = { input, weight, conv, gamma, beta, mean, variance, norm };
  g_autoptr (LsPatternRewriter) rewriter = ls_pattern_rewriter_new (pattern, fold, &rule, NULL);

  return ls_relax_each_function (module, rewrite, rewriter, error);
}
