/* infer-layout: see the header; what the rules of the operators see, and the table of the rules. */
#include "engine/relax/infer-layout-private.h"

#include "engine/relax/op/layout.h"

#include <string.h>

/* ---- the table ------------------------------------------------------------------------------------ */

static LsLayoutRuleFunc
rule_of (const char *name)
{
  static const char *const UNARY[] = {
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_not", "ceil", "cos", "cosh", "erf", "exp", "floor", "isfinite", "isinf", "isnan",
    "log", "logical_not", "negative", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "clip", "astype", "trunc",
    "nn.relu", "nn.gelu", "nn.gelu_tanh", "nn.selu", "nn.silu", "nn.dropout", "ccl.allreduce", "ccl.broadcast_from_worker0", NULL };
  static const char *const BINARY[] = {
    "add", "divide", "floor_divide", "multiply", "power", "subtract", "mod", "floor_mod", "equal", "greater", "greater_equal", "less", "less_equal",
    "not_equal", "maximum", "minimum", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift",
    NULL };
  static const char *const REDUCE[] = { "max", "mean", "min", "prod", "std", "sum", "variance", NULL };
  static const char *const CONV[] = { "nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.conv2d_transpose", NULL };
  static const char *const POOL[] = { "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d",
                                      "nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d", NULL };
  static const char *const NORM[] = { "nn.layer_norm", "nn.group_norm", "nn.instance_norm", "nn.rms_norm", NULL };
  static const struct { const char *name; LsLayoutRuleFunc rule; } OTHERS[] = {
    { "ewise_fma", ls_layout_rule_three }, { "concat", ls_layout_rule_concat }, { "expand_dims", ls_layout_rule_expand_dims }, { "permute_dims", ls_layout_rule_permute_dims }, { "split", ls_layout_rule_split },
    { "squeeze", ls_layout_rule_squeeze }, { "nn.softmax", ls_layout_rule_softmax }, { "nn.prelu", NULL }, { "nn.batch_norm", ls_layout_rule_batch_norm }, { "image.resize2d", ls_layout_rule_resize },
    { "strided_slice", ls_layout_rule_strided_slice },
  };
  static const struct { const char *const *names; LsLayoutRuleFunc rule; } FAMILIES[] = {
    { UNARY, ls_layout_rule_same }, { BINARY, ls_layout_rule_broadcast }, { REDUCE, ls_layout_rule_reduce }, { CONV, ls_layout_rule_convolve }, { POOL, ls_layout_rule_pool }, { NORM, ls_layout_rule_norm },
  };

  for (guint i = 0; i < G_N_ELEMENTS (FAMILIES); i++)
    if (g_strv_contains (FAMILIES[i].names, name))
      return FAMILIES[i].rule;
  for (guint i = 0; i < G_N_ELEMENTS (OTHERS); i++)
    if (g_str_equal (OTHERS[i].name, name))
      return OTHERS[i].rule;
  return NULL;
}

static gboolean
has_unknown (LsNode *layout)
{
  if (ls_is (layout, STRING))
    return g_str_equal (ls_layout_text (layout), LS_LAYOUT_UNKNOWN);
  for (guint i = 0; i < ((LsArray *) layout)->n; i++)
    if (has_unknown (((LsArray *) layout)->items[i]))
      return TRUE;
  return FALSE;
}

void
ls_layout_choice_free (LsLayoutChoice *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->inputs);
  ls_node_unref (self->output);
  ls_unref (self->attrs);
  ls_node_unref (self->new_value);
  g_free (self);
}

LsLayoutChoice *
ls_infer_layout (LsRelaxCall   *call,
                 GPtrArray     *layouts,
                 GPtrArray     *infos,
                 LsStructInfo  *result,
                 LsMap         *desired,
                 GError       **error)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : NULL;
  LsLayoutRuleFunc rule = name != NULL ? rule_of (name + strlen ("relax.")) : NULL;
  g_autoptr (LsLayoutChoice) choice = NULL;
  LsLayoutRule self = { call, name, layouts, infos, result, NULL, NULL, error };
  LsNode *wanted;

  if (rule == NULL || call->args->n == 0)
    return NULL;
  for (guint i = 0; i < layouts->len; i++)
    if ((ls_is (infos->pdata[i], TENSOR_STRUCT_INFO) || ls_is (infos->pdata[i], TUPLE_STRUCT_INFO))
        && !ls_is (call->args->items[i], SHAPE_EXPR) && ls_is (infos->pdata[i], TENSOR_STRUCT_INFO) && has_unknown (layouts->pdata[i]))
      return NULL;
  if (!ls_is (infos->pdata[0], TENSOR_STRUCT_INFO) && rule != ls_layout_rule_concat)
    return NULL;
  wanted = desired != NULL ? ls_map_get (desired, name) : NULL;
  choice = g_new0 (LsLayoutChoice, 1);
  choice->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  choice->attrs = ls_ref (call->attrs);
  choice->new_arg = -1;
  self.choice = choice;
  self.desired = ls_is (wanted, ARRAY) ? (LsArray *) wanted : NULL;
  return rule (&self) && choice->output != NULL ? g_steal_pointer (&choice) : NULL;
}
