/* distributed/axes: see the header.  Source: TVM v0.20's axis_group_graph.cc, rule by rule. */
#include "engine/relax/distributed/axes.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/distributed/tir-axes.h"

#include <string.h>

static const char *const UNARY[] = {
  "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_not", "builtin.stop_lift_params", "ceil", "clip", "cos", "cosh",
  "dist.annotate_sharding", "erf", "exp", "floor", "isfinite", "isinf", "isnan", "log", "logical_not", "negative", "nn.gelu", "nn.gelu_tanh",
  "nn.relu", "nn.silu", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", NULL
};
static const char *const BINARY[] = {
  "add", "bitwise_and", "bitwise_or", "bitwise_xor", "divide", "equal", "floor_divide", "greater", "greater_equal", "less", "less_equal",
  "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "not_equal", "power", "subtract", NULL
};
static const char *const REDUCE[] = { "max", "mean", "min", "nn.softmax", "prod", "std", "sum", "variance", NULL };

LsAxesRule
ls_axes_rule (const char *op)
{
  if (g_strv_contains (UNARY, op))
    return LS_AXES_UNARY;
  if (g_strv_contains (BINARY, op))
    return LS_AXES_BINARY;
  if (g_strv_contains (REDUCE, op))
    return LS_AXES_REDUCE;
  return strcmp (op, "matmul") == 0 ? LS_AXES_MATMUL : strcmp (op, "permute_dims") == 0 ? LS_AXES_PERMUTE
         : strcmp (op, "reshape") == 0 ? LS_AXES_RESHAPE : LS_AXES_NONE;
}

/* ---- operands -------------------------------------------------------------------------- */

/* The tensor that a variable or constant is; NULL: another value. */
static LsTensorStructInfo *
tensor_at (LsRelaxCall *call,
           guint        i)
{
  LsNode *arg = i < call->args->n ? call->args->items[i] : NULL;

  return arg == NULL ? NULL : ls_is_relax_var (arg) ? ls_tensor_of (((LsRelaxVar *) arg)->struct_info)
         : ls_is (arg, CONSTANT) ? ls_tensor_of (((LsConstant *) arg)->struct_info) : NULL;
}

static LsArray *
extents_of (LsTensorStructInfo *tensor)
{
  return tensor != NULL && ls_is (tensor->shape, SHAPE_EXPR) ? ((LsShapeExpr *) tensor->shape)->values : NULL;
}

static gboolean
unknown (LsRelaxCall  *call,
         GError      **error)
{
  g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("Input of distributed operator must have known shape: %s."),
               ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "a call");
  return FALSE;
}

static LsNode *
attr_of (LsRelaxCall *call,
         const char  *name)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    if (strcmp (ls_array_at (call->attr_names, i, LsString)->value, name) == 0)
      return call->attrs->items[i];
  return NULL;
}

static void
descend (LsAxisGraph  *graph,
         gconstpointer from,
         gint64        axis,
         gconstpointer to,
         gint64        to_axis)
{
  ls_axis_graph_join (graph, ls_axis (from, axis), ls_axis (to, to_axis), LS_AXIS_DESCEND);
}

/* ---- elementwise ------------------------------------------------------------------------ */

static gboolean
join_unary (LsAxisGraph   *graph,
            gconstpointer  output,
            LsRelaxCall   *call,
            guint          operand)
{
  LsTensorStructInfo *x = tensor_at (call, operand);

  for (gint64 i = 0; x != NULL && i < x->ndim; i++)
    descend (graph, call->args->items[operand], i, output, i);
  return TRUE;
}

/* The last n axes of two operands with those of the result: where one has extent 1 only the other goes on. */
static gboolean
join_broadcast (LsAxisGraph    *graph,
                gconstpointer   output,
                LsNode *const  *operands,
                LsArray *const *extents,
                const guint    *n,
                GError        **error)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  guint most = MAX (n[0], n[1]);

  for (guint i = 1; i <= most; i++)
    {
      LsExpr *a = i <= n[0] ? ls_array_at (extents[0], n[0] - i, LsExpr) : NULL, *b = i <= n[1] ? ls_array_at (extents[1], n[1] - i, LsExpr) : NULL;
      gboolean same = a != NULL && b != NULL && ls_analyzer_can_prove_equal (analyzer, a, b);
      gboolean first = b == NULL || same || ls_is_one (b), second = a == NULL || same || ls_is_one (a);

      if (!first && !second)
        {
          g_set_error_literal (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("Extents of distributed tensors that go together are not known to be the same."));
          return FALSE;
        }
      if (a != NULL && (same || !second || b == NULL))
        descend (graph, operands[0], n[0] - i, output, most - i);
      if (b != NULL && (same || second))
        descend (graph, operands[1], n[1] - i, output, most - i);
    }
  return TRUE;
}

static gboolean
join_binary (LsAxisGraph   *graph,
             gconstpointer  output,
             LsRelaxCall   *call,
             GError       **error)
{
  LsTensorStructInfo *a = tensor_at (call, 0), *b = tensor_at (call, 1);
  LsArray *extents[2] = { extents_of (a), extents_of (b) };
  guint n[2] = { ls_array_n (extents[0]), ls_array_n (extents[1]) };

  if (a == NULL || b == NULL)
    return join_unary (graph, output, call, a != NULL ? 0 : 1);
  if (extents[0] == NULL || extents[1] == NULL)
    return unknown (call, error);
  return join_broadcast (graph, output, call->args->items, extents, n, error);
}

/* ---- reductions, and axes in another order ------------------------------------------------- */

/* Flags of the axes that an attribute names: a number, a list, or all. */
static gboolean *
named_axes (LsNode *attr,
            gint64  ndim)
{
  gboolean *named = g_new0 (gboolean, ndim + 1);
  LsArray *list = ls_is (attr, ARRAY) ? (LsArray *) attr : NULL;
  gint64 axis;

  for (gint64 i = 0; attr == NULL && i < ndim; i++)
    named[i] = TRUE;
  for (guint i = 0; attr != NULL && i < (list != NULL ? list->n : 1); i++)
    if (ls_as_int (list != NULL ? list->items[i] : attr, &axis) && axis >= -ndim && axis < ndim)
      named[axis < 0 ? axis + ndim : axis] = TRUE;
  return named;
}

static gboolean
join_reduce (LsAxisGraph   *graph,
             gconstpointer  output,
             LsRelaxCall   *call,
             GError       **error)
{
  LsTensorStructInfo *x = tensor_at (call, 0);
  g_autofree gboolean *reduced = x != NULL && x->ndim >= 0 ? named_axes (attr_of (call, "axis"), x->ndim) : NULL;
  gint64 keeps = ls_is_relax_call (call, "relax.nn.softmax"), to = 0;

  if (reduced == NULL)
    return unknown (call, error);
  if (attr_of (call, "keepdims") != NULL)
    ls_as_int (attr_of (call, "keepdims"), &keeps);
  for (gint64 i = 0; i < x->ndim; i++)
    if (!reduced[i])
      descend (graph, call->args->items[0], i, output, keeps ? i : to++);
  return TRUE;
}

static gboolean
join_permute (LsAxisGraph   *graph,
              gconstpointer  output,
              LsRelaxCall   *call,
              GError       **error)
{
  LsTensorStructInfo *x = tensor_at (call, 0);
  LsNode *attr = attr_of (call, "axes");
  LsArray *axes = ls_is (attr, ARRAY) ? (LsArray *) attr : NULL;

  if (x == NULL || x->ndim < 0 || (axes != NULL && axes->n != x->ndim))
    return unknown (call, error);
  for (gint64 i = 0; i < x->ndim; i++)
    {
      gint64 axis = x->ndim - 1 - i;

      if (axes != NULL && !ls_as_int (axes->items[i], &axis))
        return unknown (call, error);
      descend (graph, call->args->items[0], axis < 0 ? axis + x->ndim : axis, output, i);
    }
  return TRUE;
}

/* ---- matmul ------------------------------------------------------------------------------------ */

static gboolean
join_matmul (LsAxisGraph   *graph,
             gconstpointer  output,
             LsRelaxCall   *call,
             GError       **error)
{
  LsArray *extents[2] = { extents_of (tensor_at (call, 0)), extents_of (tensor_at (call, 1)) };
  gboolean vector[2];
  guint batch[2], most;
  LsNode *a, *b;

  if (ls_array_n (extents[0]) == 0 || ls_array_n (extents[1]) == 0)
    return unknown (call, error);
  a = call->args->items[0];
  b = call->args->items[1];
  for (guint i = 0; i < 2; i++)
    {
      vector[i] = extents[i]->n == 1;
      batch[i] = vector[i] ? 0 : extents[i]->n - 2;
    }
  most = MAX (batch[0], batch[1]);
  if (!join_broadcast (graph, output, call->args->items, extents, batch, error))
    return FALSE;
  ls_axis_graph_join (graph, ls_axis (a, extents[0]->n - 1), ls_axis (b, vector[1] ? 0 : extents[1]->n - 2), LS_AXIS_SIBLING);
  if (!vector[0])
    descend (graph, a, extents[0]->n - 2, output, most);
  if (!vector[1])
    descend (graph, b, extents[1]->n - 1, output, vector[0] ? most : most + 1);
  return TRUE;
}

/* ---- reshape ------------------------------------------------------------------------------------- */

static LsArray *
shape_asked_for (LsRelaxCall *call)
{
  LsNode *shape = call->args->n > 1 ? call->args->items[1] : NULL;
  LsNode *info = ls_is_relax_var (shape) ? ((LsRelaxVar *) shape)->struct_info : NULL;

  return ls_is (shape, SHAPE_EXPR) ? ((LsShapeExpr *) shape)->values : ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->values : NULL;
}

static gboolean
less (LsAnalyzer *analyzer,
      LsExpr     *a,
      LsExpr     *b)
{
  g_autoptr (LsNode) claim = LS_NODE (ls_lt (ls_ref (a), ls_ref (b)));

  return ls_analyzer_can_prove (analyzer, LS_EXPR (claim));
}

static void
times (LsExpr **product,
       LsExpr  *extent)
{
  *product = ls_mul (*product, ls_ref (extent));
}

/* From behind: where the products of the extents are the same, an axis begins in both. */
static gboolean
join_reshape (LsAxisGraph   *graph,
              gconstpointer  output,
              LsRelaxCall   *call,
              GError       **error)
{
  LsArray *before = extents_of (tensor_at (call, 0)), *after = shape_asked_for (call);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsExpr *old = ls_int_imm_new (LS_INT64, 1), *fresh = ls_int_imm_new (LS_INT64, 1);
  guint i = ls_array_n (before), j = ls_array_n (after);

  while (before != NULL && after != NULL && i > 0 && j > 0)
    {
      gboolean wants_old = less (analyzer, old, fresh), wants_fresh = !wants_old && less (analyzer, fresh, old);

      if (!wants_old && !wants_fresh && i != before->n)
        descend (graph, call->args->items[0], i, output, j);
      if (!wants_fresh)
        times (&old, LS_EXPR (before->items[--i]));
      if (!wants_old)
        times (&fresh, LS_EXPR (after->items[--j]));
    }
  ls_unref (old);
  ls_unref (fresh);
  return (before != NULL && after != NULL) || unknown (call, error);
}

gboolean
ls_axes_join (LsAxisGraph   *graph,
              LsAxesRule     rule,
              gconstpointer  output,
              LsRelaxCall   *call,
              GError       **error)
{
  switch (rule)
    {
    case LS_AXES_NONE: return TRUE;
    case LS_AXES_UNARY: return join_unary (graph, output, call, 0);
    case LS_AXES_BINARY: return join_binary (graph, output, call, error);
    case LS_AXES_REDUCE: return join_reduce (graph, output, call, error);
    case LS_AXES_MATMUL: return join_matmul (graph, output, call, error);
    case LS_AXES_PERMUTE: return join_permute (graph, output, call, error);
    case LS_AXES_RESHAPE: return join_reshape (graph, output, call, error);
    }
  return TRUE;
}

/* ---- call_tir -------------------------------------------------------------------------------------- */

static void
join_group (LsAxisGraph   *graph,
            gconstpointer  output,
            LsArray       *inputs,
            guint          n_outputs,
            GArray        *group)
{
#define AT(i) g_array_index (group, LsParamAxis, i)
#define IS_OUTPUT(i) (AT (i).param >= inputs->n)
  gboolean any = FALSE;

  for (guint i = 0; i < group->len; i++)
    for (guint k = 0; IS_OUTPUT (i) && k < group->len; k++)
      {
        any = TRUE;
        if (!IS_OUTPUT (k))
          ls_axis_graph_join (graph, ls_axis (inputs->items[AT (k).param], AT (k).axis),
                              ls_axis_of_field (output, AT (i).axis, MIN (AT (i).param - inputs->n, n_outputs - 1)), LS_AXIS_DESCEND);
      }
  for (guint i = 1; !any && i < group->len; i++)
    ls_axis_graph_join (graph, ls_axis (inputs->items[AT (i).param], AT (i).axis), ls_axis (inputs->items[AT (0).param], AT (0).axis), LS_AXIS_SIBLING);
#undef IS_OUTPUT
#undef AT
}

void
ls_axes_join_tir (LsAxisGraph   *graph,
                  gconstpointer  output,
                  LsRelaxCall   *call,
                  LsPrimFunc    *func)
{
  LsArray *inputs = call->args->n > 1 && ls_is (call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) call->args->items[1])->fields : NULL;
  LsNode *result = call->sinfo_args->n > 0 ? call->sinfo_args->items[0] : NULL;
  guint n_outputs = ls_is (result, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) result)->fields->n : 1;
  g_autoptr (GPtrArray) groups = inputs != NULL ? ls_tir_axis_groups (func) : NULL;

  for (guint i = 0; groups != NULL && i < groups->len; i++)
    join_group (graph, output, inputs, n_outputs, groups->pdata[i]);
}
