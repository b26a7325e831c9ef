/* infer: the struct info of Relax expressions.
 *
 * Leaves say it themselves; calls that name their result (call_tir and its kin) take it from there; elementwise
 * operators, creation and reshape have rules.  Other operators are Object here: the reader then keeps what the script
 * says.  Shapes of two elementwise operands are broadcast only where the extents decide it.
 */
#include "engine/relax/relax.h"

#include <string.h>

static LsStructInfo *
infer_tuple (LsRelaxTuple *tuple)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i < tuple->fields->n; i++)
    g_ptr_array_add (fields, ls_relax_struct_info (tuple->fields->items[i]));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

static LsStructInfo *
infer_item (LsTupleGetItem *item)
{
  g_autoptr (LsNode) tuple = ls_relax_struct_info (item->tuple);
  LsTupleStructInfo *info = (LsTupleStructInfo *) tuple;

  if (ls_is (tuple, TUPLE_STRUCT_INFO) && item->index >= 0 && item->index < (gint64) info->fields->n)
    return ls_node_ref (info->fields->items[item->index]);
  return ls_object_struct_info_new ();
}

static gboolean
is_one_of (const char        *name,
           const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return TRUE;
  return FALSE;
}

static const char *const UNARY[] = {
  "relax.abs", "relax.acos", "relax.acosh", "relax.asin", "relax.asinh", "relax.atan", "relax.atanh", "relax.ceil", "relax.cos",
  "relax.cosh", "relax.erf", "relax.exp", "relax.floor", "relax.log", "relax.negative", "relax.round", "relax.rsqrt",
  "relax.sigmoid", "relax.sign", "relax.sin", "relax.sinh", "relax.sqrt", "relax.square", "relax.tan", "relax.tanh", "relax.clip",
  "relax.nn.relu", "relax.nn.gelu", "relax.nn.gelu_tanh", "relax.nn.silu", "relax.nn.leakyrelu", "relax.nn.softmax",
  "relax.nn.log_softmax", "relax.nn.softplus", "relax.logical_not", "relax.bitwise_not", "relax.tril", "relax.triu", NULL
};
static const char *const BINARY[] = {
  "relax.add", "relax.subtract", "relax.multiply", "relax.divide", "relax.floor_divide", "relax.power", "relax.mod",
  "relax.floor_mod", "relax.maximum", "relax.minimum", "relax.logical_and", "relax.logical_or", "relax.logical_xor",
  "relax.bitwise_and", "relax.bitwise_or", "relax.bitwise_xor", "relax.left_shift", "relax.right_shift", NULL
};
static const char *const COMPARE[] = {
  "relax.equal", "relax.not_equal", "relax.less", "relax.less_equal", "relax.greater", "relax.greater_equal", NULL
};
/* Their result stands in sinfo_args. */
static const char *const STATED[] = {
  "relax.call_tir", "relax.call_tir_inplace", "relax.call_tir_with_grad", "relax.call_dps_packed", "relax.call_pure_packed",
  "relax.call_inplace_packed", "relax.call_builtin_with_ctx", "relax.invoke_closure", "relax.invoke_pure_closure", NULL
};

/* The extent that two broadcast to, or NULL when that is not certain. */
static LsExpr *
broadcast_extent (LsExpr *a,
                  LsExpr *b)
{
  gint64 x, y;

  if (ls_is_one (a))
    return ls_ref (b);
  if (ls_is_one (b) || ls_deep_equal (a, b))
    return ls_ref (a);
  if (ls_as_int (a, &x) && !ls_as_int (b, &y))
    return ls_ref (a);
  return ls_as_int (b, &y) && !ls_as_int (a, &x) ? ls_ref (b) : NULL;
}

static LsNode *
broadcast_shapes (LsArray *a,
                  LsArray *b)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint n = MAX (a->n, b->n);

  for (guint i = 0; i < n; i++)
    {
      LsExpr *x = i + a->n >= n ? LS_EXPR (a->items[i + a->n - n]) : NULL;
      LsExpr *y = i + b->n >= n ? LS_EXPR (b->items[i + b->n - n]) : NULL;
      LsExpr *both = x == NULL ? ls_ref (y) : y == NULL ? ls_ref (x) : broadcast_extent (x, y);

      if (both == NULL)
        return NULL;
      g_ptr_array_add (out, both);
    }
  return ls_shape_expr_new (ls_array_take_ptr_array (g_steal_pointer (&out)));
}

static LsStructInfo *
infer_binary (LsNode   *a,
              LsNode   *b,
              gboolean  compare)
{
  LsTensorStructInfo *x = (LsTensorStructInfo *) a, *y = (LsTensorStructInfo *) b;
  gint64 ndim;
  LsDType dtype;

  if (!ls_is (a, TENSOR_STRUCT_INFO) || !ls_is (b, TENSOR_STRUCT_INFO))
    return ls_object_struct_info_new ();
  ndim = x->ndim < 0 || y->ndim < 0 ? LS_UNKNOWN_NDIM : MAX (x->ndim, y->ndim);
  dtype = compare ? LS_BOOL : ls_dtype_is_void (x->dtype) ? y->dtype : x->dtype;
  if (ls_is (x->shape, SHAPE_EXPR) && ls_is (y->shape, SHAPE_EXPR))
    return ls_tensor_struct_info_new (broadcast_shapes (((LsShapeExpr *) x->shape)->values, ((LsShapeExpr *) y->shape)->values), ndim, dtype, NULL);
  return ls_tensor_struct_info_new (NULL, ndim, dtype, NULL);
}

static LsNode *
attribute (LsRelaxCall *call,
           const char  *name)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    if (strcmp (ls_array_at (call->attr_names, i, LsString)->value, name) == 0)
      return call->attrs->items[i];
  return NULL;
}

static LsDType
dtype_attribute (LsRelaxCall *call,
                 LsDType      otherwise)
{
  LsNode *value = attribute (call, "dtype");
  LsDType dtype;

  return ls_is (value, STRING) && ls_dtype_parse (((LsString *) value)->value, &dtype) && !ls_dtype_is_void (dtype) ? dtype : otherwise;
}

/* zeros, ones, full, reshape, broadcast_to: `shape` is argument number `at`. */
static LsStructInfo *
infer_shaped (LsRelaxCall *call,
              guint        at,
              LsDType      dtype)
{
  LsNode *shape = call->args->n > at ? call->args->items[at] : NULL;

  return ls_is (shape, SHAPE_EXPR) ? ls_tensor_struct_info_new (ls_node_ref (shape), 0, dtype, NULL)
         : ls_tensor_struct_info_new (NULL, LS_UNKNOWN_NDIM, dtype, NULL);
}

static LsDType
dtype_of (LsNode *info)
{
  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->dtype : LS_VOID;
}

static LsStructInfo *
infer_op (LsRelaxCall *call,
          const char  *name)
{
  g_autoptr (LsNode) a = call->args->n > 0 ? ls_relax_struct_info (call->args->items[0]) : NULL;
  g_autoptr (LsNode) b = call->args->n > 1 ? ls_relax_struct_info (call->args->items[1]) : NULL;

  if (is_one_of (name, UNARY) && a != NULL)
    return ls_node_ref (a);
  if (b != NULL && (is_one_of (name, BINARY) || is_one_of (name, COMPARE)))
    return infer_binary (a, b, is_one_of (name, COMPARE));
  if (strcmp (name, "relax.zeros") == 0 || strcmp (name, "relax.ones") == 0)
    return infer_shaped (call, 0, dtype_attribute (call, LS_VOID));
  if (strcmp (name, "relax.full") == 0)
    return infer_shaped (call, 0, dtype_attribute (call, dtype_of (b)));
  if ((strcmp (name, "relax.reshape") == 0 || strcmp (name, "relax.broadcast_to") == 0) && ls_is (b, SHAPE_STRUCT_INFO))
    return infer_shaped (call, 1, dtype_of (a));
  if (strcmp (name, "relax.astype") == 0 && ls_is (a, TENSOR_STRUCT_INFO))
    return ls_tensor_struct_info_new (ls_node_ref (((LsTensorStructInfo *) a)->shape), ((LsTensorStructInfo *) a)->ndim,
                                      dtype_attribute (call, LS_VOID), NULL);
  if (strcmp (name, "relax.print") == 0 || strcmp (name, "relax.assert_op") == 0)
    return ls_tuple_struct_info_new (ls_array_empty ());
  return ls_object_struct_info_new ();
}

static LsStructInfo *
stated (LsRelaxCall *call)
{
  LsArray *infos = call->sinfo_args;

  if (infos->n == 0)
    return ls_object_struct_info_new ();
  return infos->n == 1 ? ls_node_ref (infos->items[0]) : ls_tuple_struct_info_new (ls_ref (infos));
}

static LsStructInfo *
infer_call (LsRelaxCall *call)
{
  LsStructInfo *info;

  if (ls_is (call->op, RELAX_OP))
    {
      const char *name = ((LsRelaxOp *) call->op)->name;

      return is_one_of (name, STATED) || call->sinfo_args->n > 0 ? stated (call) : infer_op (call, name);
    }
  if (!ls_is_relax_var (call->op))
    return stated (call);
  info = ((LsRelaxVar *) call->op)->struct_info;
  if (ls_is (info, FUNC_STRUCT_INFO) && ((LsFuncStructInfo *) info)->params != NULL && call->sinfo_args->n == 0)
    return ls_node_ref (((LsFuncStructInfo *) info)->ret);
  return stated (call);
}

static LsStructInfo *
infer_function (LsFunction *func)
{
  GPtrArray *params = g_ptr_array_new ();

  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (params, ls_node_ref (ls_array_at (func->params, i, LsRelaxVar)->struct_info));
  return ls_func_struct_info_new (ls_array_take_ptr_array (params), ls_node_ref (func->ret_struct_info), func->is_pure);
}

static LsStructInfo *
infer_if (LsRelaxIf *self)
{
  g_autoptr (LsNode) a = ls_relax_struct_info (self->true_branch);
  g_autoptr (LsNode) b = ls_relax_struct_info (self->false_branch);

  if (ls_deep_equal (a, b))
    return ls_node_ref (a);
  if (ls_is (a, TENSOR_STRUCT_INFO) && ls_is (b, TENSOR_STRUCT_INFO))
    {
      LsTensorStructInfo *x = (LsTensorStructInfo *) a, *y = (LsTensorStructInfo *) b;

      return ls_tensor_struct_info_new (NULL, x->ndim == y->ndim ? x->ndim : LS_UNKNOWN_NDIM,
                                        ls_dtype_equal (x->dtype, y->dtype) ? x->dtype : LS_VOID, NULL);
    }
  return ls_object_struct_info_new ();
}

LsStructInfo *
ls_relax_struct_info (LsNode *expr)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR: return ls_node_ref (((LsRelaxVar *) expr)->struct_info);
    case LS_KIND_CONSTANT: return ls_node_ref (((LsConstant *) expr)->struct_info);
    case LS_KIND_PRIM_VALUE:
      {
        LsExpr *value = ((LsPrimValue *) expr)->value;

        return ls_prim_struct_info_new (ls_ref (value), ls_dtype (value));
      }
    case LS_KIND_SHAPE_EXPR: return ls_shape_struct_info_new (ls_ref (((LsShapeExpr *) expr)->values), 0);
    case LS_KIND_RELAX_TUPLE: return infer_tuple ((LsRelaxTuple *) expr);
    case LS_KIND_TUPLE_GET_ITEM: return infer_item ((LsTupleGetItem *) expr);
    case LS_KIND_RELAX_CALL: return infer_call ((LsRelaxCall *) expr);
    case LS_KIND_RELAX_IF: return infer_if ((LsRelaxIf *) expr);
    case LS_KIND_SEQ_EXPR: return ls_relax_struct_info (((LsSeqExpr *) expr)->body);
    case LS_KIND_FUNCTION: return infer_function ((LsFunction *) expr);
    default: return ls_object_struct_info_new ();
    }
}
