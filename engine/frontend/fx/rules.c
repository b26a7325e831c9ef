/* fx/rules: which torch function, module and method is which step: one table for both variants.
 *
 * A rule reads its options by name: of a module they are its hyper-parameters and its tensors, of a function or method the
 * keyword argument or the one at the position that torch gives it.
 */
#include "engine/frontend/fx/fx-private.h"

#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------ */

static JsonNode *
argument (LsFxImport *self,
          const char *name,
          guint       position)
{
  if (position < json_array_get_length (self->node->args))
    return json_array_get_element (self->node->args, position);
  return self->node->kwargs != NULL ? json_object_get_member (self->node->kwargs, name) : NULL;
}

/* NULL also for None. */
static JsonNode *
option (LsFxImport *self,
        const char *name,
        guint       position)
{
  JsonNode *node = self->module != NULL ? json_object_get_member (self->module, name) : argument (self, name, position);

  return node != NULL && !JSON_NODE_HOLDS_NULL (node) ? node : NULL;
}

static gboolean
is_whole (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
}

static gint64
whole (LsFxImport *self,
       const char *name,
       guint       position,
       gint64      otherwise)
{
  JsonNode *node = option (self, name, position);

  if (node != NULL && !is_whole (node))
    ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`%s` is a whole number", name);
  return is_whole (node) ? json_node_get_int (node) : otherwise;
}

static gboolean
truth (LsFxImport *self,
       const char *name,
       guint       position,
       gboolean    otherwise)
{
  JsonNode *node = option (self, name, position);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN ? json_node_get_boolean (node) : otherwise;
}

static double
number (LsFxImport *self,
        const char *name,
        guint       position,
        double      otherwise)
{
  JsonNode *node = option (self, name, position);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) != G_TYPE_STRING ? json_node_get_double (node) : otherwise;
}

/* One whole number for both, or two. */
static gboolean
pair (LsFxImport *self,
      const char *name,
      guint       position,
      gint64      lowest,
      const gint64 *otherwise,
      gint64     *out)
{
  JsonNode *node = option (self, name, position);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;

  memcpy (out, otherwise, 2 * sizeof *out);
  if (node == NULL || (array != NULL && n == 0))
    return TRUE;
  for (guint i = 0; i < 2; i++)
    {
      JsonNode *item = array == NULL ? node : n == 2 ? json_array_get_element (array, i) : n == 1 ? json_array_get_element (array, 0) : NULL;

      if (!is_whole (item) || json_node_get_int (item) < lowest || json_node_get_int (item) > G_MAXINT32)
        {
          ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`%s` is one or two whole numbers from %" G_GINT64_FORMAT, name, lowest);
          return FALSE;
        }
      out[i] = json_node_get_int (item);
    }
  return TRUE;
}

/* The node that an argument names, or NULL. */
static LsNode *
named (LsFxImport *self,
       JsonNode   *node)
{
  JsonNode *name = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), "node") : NULL;

  return name != NULL && JSON_NODE_HOLDS_VALUE (name) ? g_hash_table_lookup (self->values, json_node_get_string (name)) : NULL;
}

static LsNode *
input (LsFxImport *self)
{
  LsNode *x = named (self, argument (self, "input", 0));

  return x != NULL ? x : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "its first argument is a node");
}

/* A parameter of a module, or an argument; NULL without an error when there is none. */
static LsNode *
weight (LsFxImport *self,
        const char *name,
        guint       position)
{
  g_autofree char *path = g_strconcat (self->node->target, ".", name, NULL);
  LsTensor *tensor;

  if (self->module == NULL)
    return named (self, option (self, name, position));
  tensor = g_hash_table_lookup (self->graph->tensors, path);
  return tensor != NULL ? ls_fx_keep (self, ls_constant_new (ls_ref (tensor))) : NULL;
}

static LsNode *
needed (LsFxImport *self,
        const char *name,
        guint       position)
{
  LsNode *value = weight (self, name, position);

  return value != NULL ? value : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the parameter `%s` is missing (tensor \"%s.%s\")", name, self->node->target, name);
}

/* The whole numbers from a position on: one list, or all the arguments. */
static gboolean
list (LsFxImport *self,
      const char *name,
      GArray     *out)
{
  JsonNode *first = argument (self, name, 1);
  gboolean apart = is_whole (first);
  JsonArray *array = first != NULL && JSON_NODE_HOLDS_ARRAY (first) ? json_node_get_array (first) : apart ? self->node->args : NULL;

  for (guint i = apart ? 1 : 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      gint64 value;

      if (!is_whole (item))
        {
          array = NULL;
          break;
        }
      value = json_node_get_int (item);
      g_array_append_val (out, value);
    }
  if (array == NULL)
    ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`%s` is a list of whole numbers", name);
  return array != NULL;
}

/* A dimension counted from 0. */
static gboolean
dimension (LsFxImport *self,
           gint64     *dim,
           guint       n)
{
  gint64 given = *dim;

  *dim += *dim < 0 ? n : 0;
  if (*dim >= 0 && *dim < n)
    return TRUE;
  ls_fx_fail (self, LS_FX_ERROR_GRAPH, "dimension %" G_GINT64_FORMAT " is none of a tensor of %u", given, n);
  return FALSE;
}

/* ---- rules -------------------------------------------------------------------------------------- */

static LsNode *
unary (LsFxImport     *self,
       const LsFxRule *rule)
{
  return ls_fx_unary (self, rule->name, input (self));
}

static LsNode *
identity (LsFxImport     *self,
          const LsFxRule *rule)
{
  return input (self);
}

static LsNode *
gelu (LsFxImport     *self,
      const LsFxRule *rule)
{
  JsonNode *approximate = option (self, "approximate", 1);
  gboolean rough = approximate != NULL && JSON_NODE_HOLDS_VALUE (approximate) && g_strcmp0 (json_node_get_string (approximate), "tanh") == 0;

  return ls_fx_unary (self, rough ? "nn.gelu_tanh" : "nn.gelu", input (self));
}

static LsNode *
operand (LsFxImport *self,
         JsonNode   *node,
         LsNode     *other)
{
  LsTensorStructInfo *info = other != NULL ? ls_fx_info (self, other) : NULL;

  if (info != NULL && node != NULL && JSON_NODE_HOLDS_VALUE (node)
      && (json_node_get_value_type (node) == G_TYPE_INT64 || json_node_get_value_type (node) == G_TYPE_DOUBLE))
    return ls_fx_scalar (self, json_node_get_double (node), info->dtype);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "an operand is a node or a number, one of them a node");
}

static LsNode *
binary (LsFxImport     *self,
        const LsFxRule *rule)
{
  JsonNode *left = argument (self, "input", 0), *right = argument (self, "other", 1);
  LsNode *a = named (self, left), *b = named (self, right);
  LsTensorStructInfo *info;

  if (option (self, "alpha", G_MAXUINT) != NULL || option (self, "rounding_mode", G_MAXUINT) != NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`alpha` and `rounding_mode` are not supported");
  if (a == NULL)
    a = operand (self, left, b);
  if (b == NULL)
    b = operand (self, right, a);
  info = a != NULL && b != NULL ? ls_fx_info (self, a) : NULL;
  if (info != NULL && strcmp (rule->name, "divide") == 0 && !ls_dtype_is_float (info->dtype))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the division of %s is not supported; torch makes float32 of it", ls_dtype_name (info->dtype));
  return ls_fx_binary (self, rule->name, a, b);
}

static LsNode *
matmul (LsFxImport     *self,
        const LsFxRule *rule)
{
  LsNode *b = named (self, argument (self, "other", 1));

  if (b == NULL)
    b = named (self, argument (self, "mat2", 1));
  return b != NULL ? ls_fx_matmul (self, input (self), b) : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "its second argument is a node");
}

static LsNode *
linear (LsFxImport     *self,
        const LsFxRule *rule)
{
  LsNode *x = input (self), *w = needed (self, "weight", 1);

  return x != NULL && w != NULL ? ls_fx_linear (self, x, w, weight (self, "bias", 2)) : NULL;
}

static LsNode *
softmax (LsFxImport     *self,
         const LsFxRule *rule)
{
  if (option (self, "dim", 1) == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`dim` is needed");
  return ls_fx_softmax (self, input (self), rule->name, whole (self, "dim", 1, -1));
}

static LsNode *
flatten (LsFxImport     *self,
         const LsFxRule *rule)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64)), out = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 from = whole (self, "start_dim", 1, self->module != NULL ? 1 : 0), to = whole (self, "end_dim", 2, -1), product = 1;
  LsNode *x = input (self);

  if (!ls_fx_extents (self, x, extents) || !dimension (self, &from, extents->len) || !dimension (self, &to, extents->len))
    return NULL;
  for (gint64 i = 0; i < extents->len; i++)
    {
      gint64 extent = g_array_index (extents, gint64, i);

      product = i > from && i <= to ? product * extent : extent;
      if (i > from && i <= to)
        g_array_index (out, gint64, out->len - 1) = product;
      else
        g_array_append_val (out, extent);
    }
  return ls_fx_reshape (self, x, (gint64 *) out->data, out->len);
}

static LsNode *
reshape (LsFxImport     *self,
         const LsFxRule *rule)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64)), out = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 all = 1, known = 1, open = -1;
  LsNode *x = input (self);

  if (!ls_fx_extents (self, x, extents) || !list (self, "shape", out))
    return NULL;
  for (guint i = 0; i < extents->len; i++)
    all *= g_array_index (extents, gint64, i);
  for (guint i = 0; i < out->len; i++)
    {
      gint64 extent = g_array_index (out, gint64, i);

      if (extent < -1 || (extent == -1 && open >= 0) || (extent >= 0 && __builtin_mul_overflow (known, extent, &known)))
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a shape has extents from 0 and at most one -1");
      open = extent == -1 ? (gint64) i : open;
    }
  if (open >= 0 && known > 0)
    {
      g_array_index (out, gint64, open) = all / known;
      known *= all / known;
    }
  if (known != all)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the shape has another number of elements than the tensor, which has %" G_GINT64_FORMAT, all);
  return ls_fx_reshape (self, x, (gint64 *) out->data, out->len);
}

static LsNode *
permute (LsFxImport     *self,
         const LsFxRule *rule)
{
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (gint64));
  LsTensorStructInfo *info = ls_fx_info (self, input (self));

  if (info == NULL || !list (self, "dims", axes))
    return NULL;
  if (axes->len != (guint) info->ndim)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`dims` names each of the %d dimensions", (int) info->ndim);
  for (guint i = 0, seen = 0; i < axes->len; i++)
    if (!dimension (self, &g_array_index (axes, gint64, i), axes->len))
      return NULL;
    else if (axes->len > 31 || (seen & (1u << g_array_index (axes, gint64, i))) != 0)
      return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`dims` names each dimension once");
    else
      seen |= 1u << g_array_index (axes, gint64, i);
  return ls_fx_permute (self, input (self), (gint64 *) axes->data, axes->len);
}

static LsNode *
transpose (LsFxImport     *self,
           const LsFxRule *rule)
{
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (gint64));
  LsTensorStructInfo *info = ls_fx_info (self, input (self));
  gint64 a = whole (self, "dim0", 1, 0), b = whole (self, "dim1", 2, 1);

  if (info == NULL || !dimension (self, &a, (guint) info->ndim) || !dimension (self, &b, (guint) info->ndim))
    return NULL;
  for (gint64 i = 0; i < info->ndim; i++)
    {
      gint64 axis = i == a ? b : i == b ? a : i;

      g_array_append_val (axes, axis);
    }
  return ls_fx_permute (self, input (self), (gint64 *) axes->data, axes->len);
}

static LsNode *
reduce (LsFxImport     *self,
        const LsFxRule *rule)
{
  JsonNode *dim = option (self, "dim", 1);
  JsonArray *array = dim != NULL && JSON_NODE_HOLDS_ARRAY (dim) ? json_node_get_array (dim) : NULL;
  LsArray *axes = dim != NULL ? (LsArray *) ls_fx_keep (self, ls_array_empty ()) : NULL;

  if (option (self, "dtype", G_MAXUINT) != NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`dtype` is not supported");
  for (guint i = 0; dim != NULL && i < (array != NULL ? json_array_get_length (array) : 1); i++)
    {
      JsonNode *item = array != NULL ? json_array_get_element (array, i) : dim;
      g_autoptr (LsExpr) axis = is_whole (item) ? ls_int_imm_new (LS_INT64, json_node_get_int (item)) : NULL;

      if (axis == NULL)
        return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`dim` is a whole number or a list of them");
      axes = (LsArray *) ls_fx_keep (self, ls_array_append (axes, axis));
    }
  return ls_fx_reduce (self, rule->name, input (self), axes, truth (self, "keepdim", 2, FALSE));
}

static const gint64 ONE[] = { 1, 1 }, NONE[] = { 0, 0 };

static LsNode *
conv2d (LsFxImport     *self,
        const LsFxRule *rule)
{
  LsNode *x = input (self), *w = needed (self, "weight", 1), *bias = weight (self, "bias", 2), *y;
  JsonNode *mode = option (self, "padding_mode", G_MAXUINT);
  gint64 stride[2], padding[2], dilation[2], groups = whole (self, "groups", 6, 1);
  LsTensorStructInfo *info = ls_fx_info (self, w);

  if (mode != NULL && JSON_NODE_HOLDS_VALUE (mode) && g_strcmp0 (json_node_get_string (mode), "zeros") != 0)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "padding other than with zeros is not supported");
  if (x == NULL || info == NULL || !pair (self, "stride", 3, 1, ONE, stride) || !pair (self, "padding", 4, 0, NONE, padding)
      || !pair (self, "dilation", 5, 1, ONE, dilation))
    return NULL;
  y = ls_fx_conv2d (self, x, w, stride, padding, dilation, groups);
  if (y != NULL && bias != NULL)
    {
      gint64 shape[] = { 1, 1, 1, 1 };

      ls_as_int (((LsShapeExpr *) info->shape)->values->items[0], &shape[1]);
      y = ls_fx_binary (self, "add", y, ls_fx_reshape (self, bias, shape, 4));
    }
  return y;
}

static LsNode *
pool2d (LsFxImport     *self,
        const LsFxRule *rule)
{
  gboolean max = strcmp (rule->name, "nn.max_pool2d") == 0;
  gint64 kernel[2], stride[2], padding[2], dilation[] = { 1, 1 };
  LsNode *x = input (self);

  if (truth (self, "return_indices", 6, FALSE) || option (self, "divisor_override", max ? G_MAXUINT : 6) != NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`return_indices` and `divisor_override` are not supported");
  if (x == NULL || !pair (self, "kernel_size", 1, 1, ONE, kernel) || !pair (self, "stride", 2, 1, kernel, stride)
      || !pair (self, "padding", 3, 0, NONE, padding) || (max && !pair (self, "dilation", 4, 1, ONE, dilation)))
    return NULL;
  return ls_fx_pool2d (self, rule->name, x, kernel, stride, padding, dilation, truth (self, "ceil_mode", max ? 5 : 4, FALSE),
                       !max && truth (self, "count_include_pad", 5, TRUE));
}

static LsNode *
batch_norm (LsFxImport     *self,
            const LsFxRule *rule)
{
  LsNode *x = input (self), *params[] = { weight (self, "weight", 3), weight (self, "bias", 4), needed (self, "running_mean", 1), needed (self, "running_var", 2) };
  LsTensorStructInfo *info = ls_fx_info (self, params[2]);
  gint64 n;

  if (x == NULL || info == NULL || params[3] == NULL || info->ndim != 1 || !ls_as_int (((LsShapeExpr *) info->shape)->values->items[0], &n))
    return NULL;
  for (guint i = 0; i < 2; i++)
    if (params[i] == NULL && (params[i] = ls_fx_filled (self, i == 0 ? 1 : 0, n, info->dtype)) == NULL)
      return NULL;
  return ls_fx_batch_norm (self, x, params, number (self, "eps", 7, 1e-5));
}

static LsNode *
layer_norm (LsFxImport     *self,
            const LsFxRule *rule)
{
  LsNode *x = input (self), *gamma = needed (self, "weight", 2), *beta = needed (self, "bias", 3);
  LsTensorStructInfo *info = ls_fx_info (self, gamma);

  if (x == NULL || info == NULL || beta == NULL)
    return NULL;
  if (info->ndim < 1 || info->ndim > 8)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`weight` has from 1 to 8 dimensions");
  return ls_fx_layer_norm (self, x, gamma, beta, (guint) info->ndim, number (self, "eps", 4, 1e-5));
}

/* ---- the table ------------------------------------------------------------------------------------- */

#define F "call_function"
#define M "call_module"
#define C "call_method"
#define EVERYWHERE(name, rule, op) { F, "torch." name, rule, op }, { F, "torch.nn.functional." name, rule, op }, { C, name, rule, op }
#define ARITH(name, python, op) { F, "torch." name, binary, op }, { F, "operator." python, binary, op }, { C, name, binary, op }

static const LsFxRule RULES[] = {
  EVERYWHERE ("relu", unary, "nn.relu"), EVERYWHERE ("sigmoid", unary, "sigmoid"), EVERYWHERE ("tanh", unary, "tanh"),
  EVERYWHERE ("softmax", softmax, "nn.softmax"), EVERYWHERE ("log_softmax", softmax, "nn.log_softmax"),
  ARITH ("add", "add", "add"), ARITH ("sub", "sub", "subtract"), ARITH ("mul", "mul", "multiply"), ARITH ("div", "truediv", "divide"),
  { F, "torch.exp", unary, "exp" }, { C, "exp", unary, "exp" }, { F, "torch.sqrt", unary, "sqrt" }, { C, "sqrt", unary, "sqrt" },
  { F, "torch.matmul", matmul, "matmul" }, { F, "operator.matmul", matmul, "matmul" }, { C, "matmul", matmul, "matmul" },
  { F, "torch.mm", matmul, "matmul" }, { F, "torch.bmm", matmul, "matmul" }, { C, "bmm", matmul, "matmul" },
  { F, "torch.nn.functional.gelu", gelu, "nn.gelu" }, { F, "torch.nn.functional.linear", linear, "linear" },
  { F, "torch.nn.functional.dropout", identity, "identity" }, { F, "torch.conv2d", conv2d, "nn.conv2d" },
  { F, "torch.nn.functional.avg_pool2d", pool2d, "nn.avg_pool2d" }, { F, "torch.nn.functional.max_pool2d", pool2d, "nn.max_pool2d" },
  { F, "torch.flatten", flatten, "reshape" }, { C, "flatten", flatten, "reshape" }, { F, "torch.reshape", reshape, "reshape" },
  { C, "reshape", reshape, "reshape" }, { C, "view", reshape, "reshape" }, { F, "torch.permute", permute, "permute_dims" },
  { C, "permute", permute, "permute_dims" }, { F, "torch.transpose", transpose, "permute_dims" }, { C, "transpose", transpose, "permute_dims" },
  { C, "t", transpose, "permute_dims" }, { C, "contiguous", identity, "identity" },
  { F, "torch.mean", reduce, "mean" }, { C, "mean", reduce, "mean" }, { F, "torch.sum", reduce, "sum" }, { C, "sum", reduce, "sum" },
  { M, "torch.nn.Linear", linear, "linear" }, { M, "torch.nn.ReLU", unary, "nn.relu" }, { M, "torch.nn.Sigmoid", unary, "sigmoid" },
  { M, "torch.nn.Tanh", unary, "tanh" }, { M, "torch.nn.GELU", gelu, "nn.gelu" }, { M, "torch.nn.Softmax", softmax, "nn.softmax" },
  { M, "torch.nn.LogSoftmax", softmax, "nn.log_softmax" }, { M, "torch.nn.Flatten", flatten, "reshape" },
  { M, "torch.nn.Conv2d", conv2d, "nn.conv2d" }, { M, "torch.nn.MaxPool2d", pool2d, "nn.max_pool2d" },
  { M, "torch.nn.AvgPool2d", pool2d, "nn.avg_pool2d" }, { M, "torch.nn.BatchNorm2d", batch_norm, "nn.batch_norm" },
  { M, "torch.nn.LayerNorm", layer_norm, "nn.layer_norm" }, { M, "torch.nn.Dropout", identity, "identity" },
  { M, "torch.nn.Identity", identity, "identity" },
};

const LsFxRule *
ls_fx_rule_find (const char *op,
                 const char *target)
{
  for (guint i = 0; i < G_N_ELEMENTS (RULES); i++)
    if (strcmp (RULES[i].op, op) == 0 && strcmp (RULES[i].target, target) == 0)
      return &RULES[i];
  return NULL;
}

char *
ls_fx_rule_names (const char *op)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (RULES); i++)
    if (strcmp (RULES[i].op, op) == 0)
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", RULES[i].target);
  return g_string_free (out, FALSE);
}
