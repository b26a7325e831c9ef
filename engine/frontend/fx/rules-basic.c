/* fx/rules-basic: arithmetic (of tensors, and of the numbers that shapes give), types, creation, what is asked of a tensor. */
#include "engine/frontend/frontend-private.h"

#include <math.h>
#include <string.h>

/* ---- two operands --------------------------------------------------------------------- */

static const struct { const char *name, *op; } BINARY[] = {
  { "add", "add" }, { "iadd", "add" }, { "radd", "add" }, { "sub", "subtract" }, { "isub", "subtract" }, { "subtract", "subtract" },
  { "mul", "multiply" }, { "imul", "multiply" }, { "multiply", "multiply" }, { "truediv", "divide" }, { "itruediv", "divide" }, { "div", "divide" },
  { "divide", "divide" }, { "true_divide", "divide" }, { "floordiv", "floor_divide" }, { "floor_divide", "floor_divide" }, { "ifloordiv", "floor_divide" },
  { "mod", "floor_mod" }, { "remainder", "floor_mod" }, { "fmod", "mod" }, { "pow", "power" }, { "ipow", "power" }, { "max", "maximum" }, { "min", "minimum" },
  { "maximum", "maximum" }, { "minimum", "minimum" }, { "eq", "equal" }, { "ne", "not_equal" }, { "not_equal", "not_equal" }, { "ge", "greater_equal" },
  { "gt", "greater" }, { "le", "less_equal" }, { "lt", "less" }, { "greater", "greater" }, { "less", "less" }, { "and_", "bitwise_and" },
  { "or_", "bitwise_or" }, { "xor", "bitwise_xor" }, { "bitwise_and", "bitwise_and" }, { "bitwise_or", "bitwise_or" }, { "bitwise_xor", "bitwise_xor" },
  { "lshift", "left_shift" }, { "rshift", "right_shift" }, { "__and__", "bitwise_and" }, { "__or__", "bitwise_or" }, { "__xor__", "bitwise_xor" },
};

static const char *
binary_operator (LsFxImport *self)
{
  g_autofree char *name = g_strdup (self->name);
  gboolean known = FALSE;

  for (guint pass = 0; pass < 2 && !known; pass++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (BINARY); i++)
        if (strcmp (BINARY[i].name, name) == 0)
          return self->options->as_tvm && strcmp (name, "mod") == 0 ? "mod" : BINARY[i].op;
      if (g_str_has_suffix (name, "_"))
        name[strlen (name) - 1] = '\0';
    }
  return "add";
}

static gint64
floor_div (gint64 a,
           gint64 b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Python's arithmetic of two numbers. */
static LsFxValue *
of_numbers (LsFxImport *self,
            const char *op,
            LsFxValue  *a,
            LsFxValue  *b)
{
  double x = ls_fx_number (a), y = ls_fx_number (b);
  gboolean whole = a->kind != LS_FX_REAL && b->kind != LS_FX_REAL, defined = whole && b->i != 0 && !(a->i == G_MININT64 && b->i == -1);
  gint64 product, sum;

  if (strcmp (op, "add") == 0)
    return whole && !__builtin_add_overflow (a->i, b->i, &sum) ? ls_fx_int (self, sum) : ls_fx_real (self, x + y);
  if (strcmp (op, "subtract") == 0)
    return whole && !__builtin_sub_overflow (a->i, b->i, &sum) ? ls_fx_int (self, sum) : ls_fx_real (self, x - y);
  if (strcmp (op, "multiply") == 0)
    return whole && !__builtin_mul_overflow (a->i, b->i, &product) ? ls_fx_int (self, product) : ls_fx_real (self, x * y);
  if (y == 0 && (strstr (op, "div") != NULL || strstr (op, "mod") != NULL))
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a number is divided by zero");
  if (strcmp (op, "divide") == 0)
    return ls_fx_real (self, x / y);
  if (strcmp (op, "floor_divide") == 0)
    return defined ? ls_fx_int (self, floor_div (a->i, b->i)) : ls_fx_real (self, floor (x / y));
  if (strcmp (op, "mod") == 0 || strcmp (op, "floor_mod") == 0)
    return defined ? ls_fx_int (self, a->i - floor_div (a->i, b->i) * b->i) : ls_fx_real (self, x - floor (x / y) * y);
  if (strcmp (op, "power") == 0)
    {
      double p = pow (x, y);

      return whole && b->i >= 0 && fabs (p) < 0x1p53 ? ls_fx_int (self, (gint64) p) : ls_fx_real (self, p);
    }
  if (strcmp (op, "maximum") == 0 || strcmp (op, "minimum") == 0)
    return (x >= y) == (op[1] == 'a') ? a : b;
  if (strcmp (op, "equal") == 0 || strcmp (op, "not_equal") == 0)
    return ls_fx_bool (self, (x == y) == (op[0] == 'e'));
  if (g_str_has_prefix (op, "greater"))
    return ls_fx_bool (self, x > y || (x == y && g_str_has_suffix (op, "_equal")));
  if (g_str_has_prefix (op, "less"))
    return ls_fx_bool (self, x < y || (x == y && g_str_has_suffix (op, "_equal")));
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "%s of two numbers is not supported", op);
}

/* Extents that are not constant. */
static LsFxValue *
of_extents (LsFxImport *self,
            const char *op,
            LsFxValue  *a,
            LsFxValue  *b)
{
  LsExpr *x = a->kind == LS_FX_NODE ? ls_ref (LS_EXPR (a->node)) : ls_int_imm_new (LS_INT64, a->i);
  LsExpr *y = b->kind == LS_FX_NODE ? ls_ref (LS_EXPR (b->node)) : ls_int_imm_new (LS_INT64, b->i);

  if (strcmp (op, "add") == 0)
    return ls_fx_node (self, ls_add (x, y));
  if (strcmp (op, "subtract") == 0)
    return ls_fx_node (self, ls_sub (x, y));
  if (strcmp (op, "multiply") == 0)
    return ls_fx_node (self, ls_mul (x, y));
  if (strcmp (op, "floor_divide") == 0)
    return ls_fx_node (self, ls_floordiv (x, y));
  if (strcmp (op, "mod") == 0 || strcmp (op, "floor_mod") == 0)
    return ls_fx_node (self, ls_floormod (x, y));
  if (strcmp (op, "maximum") == 0 || strcmp (op, "minimum") == 0)
    return ls_fx_node (self, op[1] == 'a' ? ls_max (x, y) : ls_min (x, y));
  ls_unref (x);
  ls_unref (y);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "%s of extents that are not constant is not supported", op);
}

/* bool < integers < floats. */
static guint
category (LsDType dtype)
{
  return ls_dtype_is_bool (dtype) ? 0 : ls_dtype_is_float (dtype) ? 2 : 1;
}

static LsFxValue *
cast (LsFxImport *self,
      LsFxValue  *x,
      LsDType     dtype)
{
  return ls_dtype_equal (ls_fx_dtype (self, x), dtype) ? x : ls_fx_call (self, "astype", x, ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
}

/* torch's common type of two operands: the higher category wins, then, unless it has no dimensions and the other has, the wider one. */
static void
promote (LsFxImport  *self,
         LsFxValue  **a,
         LsFxValue  **b)
{
  gboolean tensor_a = ls_fx_is_tensor (self, *a), tensor_b = ls_fx_is_tensor (self, *b);
  LsDType x = tensor_a ? ls_fx_dtype (self, *a) : LS_FLOAT32, y = tensor_b ? ls_fx_dtype (self, *b) : LS_FLOAT32, common;
  LsTensorStructInfo *info_a, *info_b;

  if (tensor_a && (*b)->kind == LS_FX_REAL && category (x) < 2)
    *a = cast (self, *a, LS_FLOAT32);
  else if (tensor_b && (*a)->kind == LS_FX_REAL && category (y) < 2)
    *b = cast (self, *b, LS_FLOAT32);
  if (!tensor_a || !tensor_b || ls_dtype_equal (x, y))
    return;
  info_a = ls_fx_keep (self, ls_block_builder_struct_info (self->builder, (*a)->node));
  info_b = ls_fx_keep (self, ls_block_builder_struct_info (self->builder, (*b)->node));
  if (category (x) != category (y))
    common = category (x) > category (y) ? x : y;
  else if ((info_a->ndim == 0) != (info_b->ndim == 0))
    common = info_a->ndim == 0 ? y : x;
  else if (x.bits == y.bits)            /* uint8 and int8, float16 and bfloat16: what holds both */
    common = category (x) == 2 ? LS_FLOAT32 : x.bits < 16 ? (LsDType) { LS_TYPE_INT, 16, 1 } : x;
  else
    common = x.bits > y.bits ? x : y;
  *a = cast (self, *a, common);
  *b = cast (self, *b, common);
}

/* An extent beside a tensor, in the tensor's type. */
static LsFxValue *
as_scalar (LsFxImport *self,
           LsFxValue  *extent,
           LsDType     dtype)
{
  return ls_fx_node (self, ls_prim_value_new (ls_cast_new (dtype, ls_ref (LS_EXPR (extent->node)))));
}

static LsFxValue *
apply_binary (LsFxImport *self,
              const char *op,
              LsFxValue  *a,
              LsFxValue  *b)
{
  LsFxValue *alpha = ls_fx_arg (self, "alpha", G_MAXUINT);
  gboolean relax_a = a->kind == LS_FX_NODE && ls_is_relax_expr (a->node), relax_b = b->kind == LS_FX_NODE && ls_is_relax_expr (b->node);

  if (ls_fx_is_number (a) && ls_fx_is_number (b))
    return of_numbers (self, op, a, b);
  if (strcmp (op, "add") == 0 && a->kind == LS_FX_LIST && b->kind == LS_FX_LIST)
    {
      LsFxValue **items = ls_fx_alloc (self, (a->n + b->n) * sizeof *items);

      for (guint i = 0; i < a->n + b->n; i++)
        items[i] = i < a->n ? a->items[i] : b->items[i - a->n];
      return ls_fx_list (self, items, a->n + b->n);
    }
  if (!relax_a && !relax_b && (a->kind == LS_FX_NODE || a->kind == LS_FX_INT) && (b->kind == LS_FX_NODE || b->kind == LS_FX_INT))
    return of_extents (self, op, a, b);
  if (relax_a && b->kind == LS_FX_NODE && !relax_b)
    b = as_scalar (self, b, ls_fx_dtype (self, a));
  else if (relax_b && a->kind == LS_FX_NODE && !relax_a)
    a = as_scalar (self, a, ls_fx_dtype (self, b));
  else if (!(relax_a || ls_fx_is_number (a)) || !(relax_b || ls_fx_is_number (b)))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its operands are %s and %s; tensors and numbers are supported", ls_fx_describe (self, a), ls_fx_describe (self, b));
  if (alpha != NULL && !(alpha->kind == LS_FX_INT && alpha->i == 1))
    b = ls_fx_call (self, "multiply", b, alpha, NULL);
  if (!ls_fx_as_tvm (self) && strcmp (op, "divide") == 0 && relax_a && (ls_dtype_is_int (ls_fx_dtype (self, a))))
    a = ls_fx_call (self, "astype", a, ls_fx_text (self, LS_FX_DTYPE, "float32"), NULL);
  promote (self, &a, &b);
  return ls_fx_call (self, op, a, b, NULL);
}

static LsFxValue *
binary (LsFxImport *self)
{
  LsFxValue *a = ls_fx_needed (self, "input", 0), *b = a != NULL ? ls_fx_needed (self, "other", 1) : NULL;
  LsFxValue *rounding = ls_fx_arg (self, "rounding_mode", 2), *y;

  if (b == NULL)
    return NULL;
  if (rounding != NULL && rounding->kind != LS_FX_TEXT)
    rounding = NULL;
  if (rounding != NULL && strcmp (rounding->s, "floor") == 0)
    return apply_binary (self, "floor_divide", a, b);
  y = apply_binary (self, binary_operator (self), a, b);
  return rounding != NULL ? ls_fx_call (self, "trunc", y, NULL) : y;
}

/* torch.max (x) reduces, torch.max (x, y) compares; with a dimension there would be two results. */
static LsFxValue *
extreme (LsFxImport *self)
{
  const char *op = g_str_has_prefix (self->name, "max") ? "max" : "min";
  LsFxValue *dim = ls_fx_arg (self, "dim", 1);

  if (g_str_has_suffix (self->node->target, ".dim"))
    return ls_fx_extreme_along (self, op[1] == 'a');
  if (self->n_args >= 2 && ls_fx_is_tensor (self, self->args[0]) && !ls_fx_is_tensor (self, self->args[1]) && dim != NULL && dim->kind == LS_FX_INT && !self->options->as_tvm)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "%s along a dimension, with indices, is not supported; amax and amin are", op);
  if (self->n_args + self->n_kwargs >= 2)
    return binary (self);
  return ls_fx_call (self, op, ls_fx_needed (self, "input", 0), NULL);
}

static LsFxValue *
negate (LsFxImport *self,
        LsFxValue  *x)
{
  return x->kind == LS_FX_REAL ? ls_fx_real (self, -x->f) : ls_fx_int (self, -x->i);
}

static LsFxValue *
reverse_sub (LsFxImport *self)
{
  LsFxValue *a = ls_fx_needed (self, "input", 0), *b = a != NULL ? ls_fx_needed (self, "other", 1) : NULL;

  return b != NULL ? apply_binary (self, "subtract", b, a) : NULL;
}

/* ---- one operand and numbers ----------------------------------------------------------------- */

static LsFxValue *
bounded (LsFxImport *self,
         LsFxValue  *x,
         LsFxValue  *bound,
         const char *op)
{
  LsFxValue *wide = ls_fx_call (self, "broadcast_to", bound, ls_fx_shape (self, x), NULL);

  return wide != NULL ? ls_fx_call (self, op, x, wide, NULL) : NULL;
}

static LsFxValue *
clamp (LsFxImport *self)
{
  gboolean only_low = g_str_has_prefix (self->name, "clamp_min"), only_high = g_str_has_prefix (self->name, "clamp_max");
  LsFxValue *x = ls_fx_needed (self, "input", 0), *low = only_high ? NULL : ls_fx_arg (self, "min", 1), *high = only_low ? NULL : ls_fx_arg (self, "max", only_high ? 1 : 2);

  if (x != NULL && low != NULL && !ls_fx_is_number (low))
    {
      x = bounded (self, x, low, "maximum");
      low = NULL;
    }
  if (x != NULL && high != NULL && !ls_fx_is_number (high))
    {
      x = bounded (self, x, high, "minimum");
      high = NULL;
    }
  return ls_fx_call (self, "clip", x, low != NULL ? low : ls_fx_real (self, -INFINITY), high != NULL ? high : ls_fx_real (self, INFINITY), NULL);
}

static LsFxValue *
round_whole (LsFxImport *self)
{
  if (ls_fx_whole (self, ls_fx_arg (self, "decimals", 1), "decimals", 0) != 0)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`decimals` of round is not supported");
  return ls_fx_call (self, "round", ls_fx_needed (self, "input", 0), NULL);
}

static LsFxValue *
elu (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *alpha = self->module != NULL ? ls_fx_attr (self, "alpha") : ls_fx_arg (self, "alpha", 1), *left;

  alpha = alpha != NULL ? alpha : ls_fx_real (self, 1);
  if (x == NULL || !ls_fx_is_number (alpha))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`alpha` is a number");
  left = ls_fx_call (self, "nn.relu", ls_fx_call (self, "subtract", ls_fx_scalar (self, ls_fx_int (self, 1), ls_fx_dtype (self, x)), ls_fx_call (self, "exp", x, NULL), NULL), NULL);
  left = left != NULL ? ls_fx_call (self, "multiply", ls_fx_scalar (self, negate (self, alpha), ls_fx_dtype (self, x)), left, NULL) : NULL;
  return left != NULL ? ls_fx_call (self, "add", left, ls_fx_call (self, "nn.relu", x, NULL), NULL) : NULL;
}

/* alpha min (0, exp (x / alpha) - 1) + max (0, x) */
static LsFxValue *
celu (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *alpha = self->module != NULL ? ls_fx_attr (self, "alpha") : ls_fx_arg (self, "alpha", 1), *low;

  alpha = alpha != NULL ? alpha : ls_fx_real (self, 1);
  if (!ls_fx_is_number (alpha))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`alpha` is a number");
  if (ls_fx_number (alpha) == 1)
    low = ls_fx_call (self, "divide", ls_fx_call (self, "exp", x, NULL), alpha, NULL);
  else
    low = ls_fx_call (self, "exp", ls_fx_call (self, "divide", x, alpha, NULL), NULL);
  low = low != NULL ? ls_fx_call (self, "minimum", ls_fx_int (self, 0), ls_fx_call (self, "subtract", low, ls_fx_int (self, 1), NULL), NULL) : NULL;
  low = low != NULL ? ls_fx_call (self, "multiply", alpha, low, NULL) : NULL;
  return low != NULL ? ls_fx_call (self, "add", low, ls_fx_call (self, "nn.relu", x, NULL), NULL) : NULL;
}

static LsFxValue *
softshrink (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *number = self->module != NULL ? ls_fx_attr (self, "lambd") : ls_fx_arg (self, "lambd", 1);
  LsFxValue *lambd, *type, *above, *below;

  number = number != NULL ? number : ls_fx_real (self, 0.5);
  lambd = x != NULL ? ls_fx_scalar (self, number, ls_fx_dtype (self, x)) : NULL;
  if (lambd == NULL)
    return NULL;
  type = ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (self, x)));
  above = ls_fx_call (self, "subtract", x, lambd, NULL);
  above = ls_fx_call (self, "multiply", above, ls_fx_call (self, "astype", ls_fx_call (self, "greater", x, lambd, NULL), type, NULL), NULL);
  below = ls_fx_call (self, "add", x, lambd, NULL);
  below = ls_fx_call (self, "multiply", below, ls_fx_call (self, "astype", ls_fx_call (self, "less", x, ls_fx_call (self, "negative", lambd, NULL), NULL), type, NULL), NULL);
  return ls_fx_call (self, "add", above, below, NULL);
}

static LsFxValue *
prelu (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *weight = self->module != NULL ? ls_fx_weight (self, "weight") : ls_fx_needed (self, "weight", 1);
  LsTensorStructInfo *info = ls_fx_info (self, x);

  return info != NULL ? ls_fx_call (self, "nn.prelu", x, weight, ls_fx_int (self, info->ndim == 1 ? 0 : 1), NULL) : NULL;
}

static LsFxValue *
gelu (LsFxImport *self)
{
  LsFxValue *how = self->module != NULL ? ls_fx_attr (self, "approximate") : ls_fx_arg (self, "approximate", 1);

  if (how == NULL || (how->kind == LS_FX_TEXT && strcmp (how->s, "none") == 0))
    return ls_fx_call (self, "nn.gelu", ls_fx_needed (self, "input", 0), NULL);
  if (how->kind == LS_FX_TEXT && strcmp (how->s, "tanh") == 0)
    return ls_fx_call (self, "nn.gelu_tanh", ls_fx_needed (self, "input", 0), NULL);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "gelu is approximated by none or tanh, not by %s", ls_fx_describe (self, how));
}

/* sum, prod, mean in the type that is asked for; whole numbers and truths are added as int64. */
static LsFxValue *
total (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_arg (self, "dim", 1), *keep = ls_fx_arg (self, "keepdim", 2), *wanted = ls_fx_arg (self, "dtype", G_MAXUINT);
  LsDType dtype;

  if (x != NULL && !ls_fx_as_tvm (self) && wanted != NULL && wanted->kind == LS_FX_DTYPE && ls_fx_to_dtype (self, wanted, &dtype))
    x = cast (self, x, dtype);
  else if (x != NULL && !ls_fx_as_tvm (self) && strcmp (self->name, "mean") != 0 && category (ls_fx_dtype (self, x)) < 2)
    x = cast (self, x, LS_INT64);
  return x != NULL ? ls_fx_call (self, strcmp (self->name, "sum") == 0 ? "sum" : strcmp (self->name, "prod") == 0 ? "prod" : "mean", x, dim != NULL ? dim : ls_fx_none (self), keep != NULL ? keep : ls_fx_bool (self, FALSE), NULL) : NULL;
}

/* ---- statistics --------------------------------------------------------------------------------- */

/* TVM's variance divides by the number of elements; torch's, unless it is told, by one less. */
static LsFxValue *
spread (LsFxImport *self)
{
  gboolean root = g_str_has_prefix (self->name, "std");
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_arg (self, "dim", 1), *keep = ls_fx_arg (self, "keepdim", 3), *y, *shape;
  LsFxValue *unbiased = ls_fx_arg (self, "unbiased", 2), *correction = ls_fx_arg (self, "correction", G_MAXUINT);
  double count = 1, less;

  if (dim != NULL && dim->kind == LS_FX_BOOL)
    {
      unbiased = dim;
      dim = NULL;
    }
  if (ls_fx_as_tvm (self))
    {
      keep = ls_fx_arg (self, "keepdim", 2);
      return ls_fx_call (self, root ? "std" : "variance", x, LS_FX_BY_NAME, "axis", dim, "keepdims", keep, NULL);
    }
  less = correction != NULL && ls_fx_is_number (correction) ? ls_fx_number (correction) : ls_fx_truth (unbiased, TRUE) ? 1 : 0;
  if (less == 0)
    return ls_fx_call (self, root ? "std" : "variance", x, LS_FX_BY_NAME, "axis", dim, "keepdims", keep, NULL);
  shape = ls_fx_shape (self, x);
  y = ls_fx_call (self, "variance", x, LS_FX_BY_NAME, "axis", dim, "keepdims", keep, NULL);
  for (guint i = 0; shape != NULL && i < (dim == NULL ? shape->n : dim->kind == LS_FX_LIST ? dim->n : 1); i++)
    {
      gint64 axis = dim == NULL ? i : ls_fx_whole (self, dim->kind == LS_FX_LIST ? dim->items[i] : dim, "dim", 0);

      if (!ls_fx_dimension (self, &axis, shape->n) || shape->items[axis]->kind != LS_FX_INT)
        return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the variance of extents that are not constant is not supported");
      count *= (double) shape->items[axis]->i;
    }
  y = ls_fx_call (self, "multiply", y, ls_fx_real (self, count / (count - less)), NULL);
  return root ? ls_fx_call (self, "sqrt", y, NULL) : y;
}

static LsFxValue *
vector_norm (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *order = ls_fx_arg (self, "ord", 1), *dim = ls_fx_arg (self, "dim", 2), *keep = ls_fx_arg (self, "keepdim", 3), *y;
  double power;

  if (order == NULL)
    order = ls_fx_arg (self, "p", G_MAXUINT);
  if (order != NULL && order->kind == LS_FX_TEXT && strcmp (order->s, "fro") == 0)
    return ls_fx_call (self, "sqrt", ls_fx_call (self, "sum", ls_fx_call (self, "multiply", x, x, NULL), LS_FX_BY_NAME, "axis", dim, "keepdims", keep, NULL), NULL);
  if (order != NULL && !ls_fx_is_number (order))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a norm is a number or \"fro\", not %s", ls_fx_describe (self, order));
  power = order != NULL ? ls_fx_number (order) : 2;
  if (isinf (power))
    return ls_fx_call (self, power > 0 ? "max" : "min", ls_fx_call (self, "abs", x, NULL), LS_FX_BY_NAME, "axis", dim, "keepdims", keep, NULL);
  y = ls_fx_call (self, "power", ls_fx_call (self, "abs", x, NULL), ls_fx_real (self, power), NULL);
  y = ls_fx_call (self, "sum", y, LS_FX_BY_NAME, "axis", dim, "keepdims", keep, NULL);
  return ls_fx_call (self, "power", y, ls_fx_real (self, 1 / power), NULL);
}

/* ---- creation --------------------------------------------------------------------------------------- */

static LsFxValue *
given_dtype (LsFxImport *self,
             const char *otherwise)
{
  LsFxValue *dtype = ls_fx_arg (self, "dtype", G_MAXUINT);
  LsDType parsed;

  dtype = dtype != NULL ? dtype : ls_fx_text (self, LS_FX_DTYPE, otherwise);
  return ls_fx_to_dtype (self, dtype, &parsed) ? ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (parsed)) : NULL;
}

static LsFxValue *
filled (LsFxImport *self,
        LsFxValue  *size,
        LsFxValue  *value)
{
  LsFxValue *name = given_dtype (self, "float32"), *scalar = NULL;
  LsDType dtype;

  if (size != NULL && size->kind != LS_FX_LIST && !(size->kind == LS_FX_NODE && ls_is_relax_expr (size->node)))
    size = ls_fx_list (self, &size, 1);
  if (name != NULL && value != NULL && ls_fx_to_dtype (self, name, &dtype))
    scalar = value->kind == LS_FX_NODE ? value : ls_fx_scalar (self, value, dtype);
  return scalar != NULL ? ls_fx_call (self, "full", size, scalar, name, NULL) : NULL;
}

static LsFxValue *
full (LsFxImport *self)
{
  return filled (self, ls_fx_needed (self, "size", 0), ls_fx_needed (self, "fill_value", 1));
}

static LsFxValue *
ones (LsFxImport *self)
{
  return filled (self, ls_fx_rest (self, "size", 0), ls_fx_int (self, g_str_has_prefix (self->name, "ones") ? 1 : 0));
}

static LsFxValue *
empty (LsFxImport *self)
{
  LsFxValue *dtype = given_dtype (self, "float32");

  return dtype != NULL ? ls_fx_call (self, "zeros", ls_fx_rest (self, "size", 0), dtype, NULL) : NULL;
}

static LsFxValue *
arange (LsFxImport *self)
{
  LsFxValue *start = self->n_args > 1 ? self->args[0] : ls_fx_arg (self, "start", G_MAXUINT), *end = self->n_args > 1 ? self->args[1] : ls_fx_needed (self, "end", 0);
  LsFxValue *step = ls_fx_arg (self, "step", 2);
  gboolean real = (start != NULL && start->kind == LS_FX_REAL) || (end != NULL && end->kind == LS_FX_REAL) || (step != NULL && step->kind == LS_FX_REAL);
  LsFxValue *dtype = given_dtype (self, real ? "float32" : "int64");

  if (end == NULL || dtype == NULL)
    return NULL;
  return ls_fx_call (self, "arange", start != NULL ? start : ls_fx_int (self, 0), end, step != NULL ? step : ls_fx_int (self, 1), dtype, NULL);
}

static LsFxValue *
eye (LsFxImport *self)
{
  LsFxValue *n = ls_fx_needed (self, "n", 0), *m = ls_fx_arg (self, "m", 1), *dtype = given_dtype (self, "float32");

  return n != NULL && dtype != NULL ? ls_fx_call (self, "eye", n, m != NULL ? m : n, LS_FX_BY_NAME, "dtype", dtype, NULL) : NULL;
}

/* As a range that ends half a step behind the last number. */
static LsFxValue *
linspace (LsFxImport *self)
{
  LsFxValue *start = ls_fx_needed (self, "start", 0), *end = ls_fx_needed (self, "end", 1), *steps = ls_fx_needed (self, "steps", 2), *dtype = given_dtype (self, "float32");
  gint64 n = ls_fx_whole (self, steps, "steps", 1);
  double step;

  if (start == NULL || end == NULL || steps == NULL || dtype == NULL)
    return NULL;
  if (!ls_fx_is_number (start) || !ls_fx_is_number (end) || n < 1)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "two numbers and how many there are of them, at least one, are expected");
  if (n == 1)
    return ls_fx_call (self, "arange", start, apply_binary (self, "add", start, steps), steps, dtype, NULL);
  step = (ls_fx_number (end) - ls_fx_number (start)) / (double) (n - 1);
  if (step == 0)
    return filled (self, steps, start);
  return ls_fx_call (self, "arange", start, ls_fx_real (self, ls_fx_number (end) + step / 2), ls_fx_real (self, step), dtype, NULL);
}

static LsFxValue *
tensor (LsFxImport *self)
{
  LsFxValue *value = ls_fx_needed (self, "data", 0), *name;
  LsDType dtype;

  if (value == NULL)
    return NULL;
  if (!ls_fx_is_number (value))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a tensor of a number is supported, not of %s", ls_fx_describe (self, value));
  name = given_dtype (self, value->kind == LS_FX_REAL ? "float32" : value->kind == LS_FX_BOOL ? "bool" : "int64");
  return name != NULL && ls_fx_to_dtype (self, name, &dtype) ? ls_fx_scalar (self, value, dtype) : NULL;
}

/* relax.const without a type. */
static LsFxValue *
plain_constant (LsFxImport *self,
                LsFxValue  *value)
{
  if (value == NULL || value->kind == LS_FX_NODE)
    return value;
  return ls_fx_scalar (self, value, value->kind == LS_FX_REAL ? LS_FLOAT32 : value->kind == LS_FX_BOOL ? LS_BOOL : LS_INT32);
}

static LsFxValue *
masked_fill (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *mask = ls_fx_needed (self, "mask", 1), *value = plain_constant (self, ls_fx_needed (self, "value", 2)), *values;

  values = value != NULL ? ls_fx_call (self, "full_like", x, value, NULL) : NULL;
  return values != NULL ? ls_fx_call (self, "where", mask, values, x, NULL) : NULL;
}

/* The two values in their common type; a number in that of the other. */
static LsFxValue *
where (LsFxImport *self)
{
  LsFxValue *condition = ls_fx_needed (self, "condition", 0), *a = ls_fx_needed (self, "input", 1), *b = a != NULL ? ls_fx_needed (self, "other", 2) : NULL;

  if (condition == NULL || b == NULL)
    return NULL;
  promote (self, &a, &b);
  if (ls_fx_is_number (a))
    a = ls_fx_is_tensor (self, b) ? ls_fx_scalar (self, a, ls_fx_dtype (self, b)) : plain_constant (self, a);
  if (ls_fx_is_number (b))
    b = a != NULL && ls_fx_is_tensor (self, a) ? ls_fx_scalar (self, b, ls_fx_dtype (self, a)) : plain_constant (self, b);
  return ls_fx_call (self, "where", condition, a, b, NULL);
}

static LsFxValue *
masked_scatter (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *mask = ls_fx_needed (self, "mask", 1), *source = ls_fx_needed (self, "source", 2), *index, *all, *picked;
  LsFxValue *shape = ls_fx_shape (self, x), *mask_shape = ls_fx_shape (self, mask), *source_shape = ls_fx_shape (self, source), *zero = ls_fx_int (self, 0);
  LsFxValue *dtype = ls_fx_text (self, LS_FX_DTYPE, "int32"), *minus = ls_fx_int (self, -1), **rows;

  if (shape == NULL || mask_shape == NULL || source_shape == NULL)
    return NULL;
  all = mask_shape->n > 1 ? ls_fx_call (self, "reshape", mask, ls_fx_list (self, &minus, 1), NULL) : mask;
  index = ls_fx_call (self, "subtract", ls_fx_call (self, "cumsum", all, zero, dtype, NULL), ls_fx_int (self, 1), NULL);
  if (mask_shape->n > 1)
    {
      guint n = source_shape->n > mask_shape->n ? source_shape->n - mask_shape->n : 0;

      rows = ls_fx_alloc (self, (n + 1) * sizeof *rows);
      rows[0] = minus;
      for (guint i = 0; i < n; i++)
        rows[i + 1] = source_shape->items[mask_shape->n + i];
      source = ls_fx_call (self, "reshape", source, ls_fx_list (self, rows, n + 1), NULL);
    }
  picked = ls_fx_call (self, "take", source, index, zero, NULL);
  if (mask_shape->n > 1)
    picked = ls_fx_call (self, "reshape", picked, shape, NULL);
  if (mask_shape->n != shape->n)
    mask = ls_fx_call (self, "broadcast_to", mask, shape, NULL);
  return ls_fx_call (self, "where", mask, picked, x, NULL);
}

/* ---- types, and what is asked of a tensor -------------------------------------------------------------- */

static LsFxValue *
to (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dtype = ls_fx_arg (self, "dtype", 1);

  for (guint i = 1; dtype != NULL && dtype->kind != LS_FX_DTYPE && i < self->n_args; i++)
    dtype = self->args[i]->kind == LS_FX_DTYPE ? self->args[i] : dtype;
  return x != NULL && dtype != NULL && dtype->kind == LS_FX_DTYPE ? ls_fx_call (self, "astype", x, dtype, NULL) : x;
}

static LsFxValue *
is_floating_point (LsFxImport *self)
{
  LsDType dtype = ls_fx_dtype (self, ls_fx_needed (self, "input", 0));

  return self->error == NULL ? ls_fx_scalar (self, ls_fx_bool (self, ls_dtype_is_float (dtype)), LS_BOOL) : NULL;
}

static LsFxValue *
shape_expr (LsFxImport *self,
            LsFxValue  *x)
{
  LsTensorStructInfo *info = ls_fx_info (self, x);

  return info != NULL ? ls_fx_node (self, ls_node_ref (info->shape)) : NULL;
}

static LsFxValue *
size (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_arg (self, "dim", 1), *shape = ls_fx_shape (self, x);
  gint64 i = ls_fx_whole (self, dim, "dim", 0);

  if (shape == NULL || dim == NULL)
    return shape != NULL ? shape_expr (self, x) : NULL;
  return ls_fx_dimension (self, &i, shape->n) ? shape->items[i] : NULL;
}

static LsFxValue *
sym_size (LsFxImport *self)
{
  LsFxValue *extent = size (self);

  return extent != NULL && extent->kind == LS_FX_INT && self->options->as_tvm ? ls_fx_emit (self, ls_node_ref (ls_fx_scalar (self, extent, LS_INT32)->node)) : extent;
}

static LsFxValue *
numel (LsFxImport *self)
{
  LsFxValue *shape = ls_fx_shape (self, ls_fx_needed (self, "input", 0));
  gint64 n = 1;

  for (guint i = 0; shape != NULL && i < shape->n; i++)
    if (shape->items[i]->kind != LS_FX_INT || __builtin_mul_overflow (n, shape->items[i]->i, &n))
      return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the number of elements is not constant");
  return shape != NULL ? ls_fx_int (self, n) : NULL;
}

static LsFxValue *
ndim (LsFxImport *self)
{
  LsFxValue *shape = ls_fx_shape (self, ls_fx_needed (self, "input", 0));

  return shape != NULL ? ls_fx_int (self, shape->n) : NULL;
}

static LsFxValue *
getattr_of (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *name = x != NULL ? ls_fx_needed (self, "name", 1) : NULL;

  if (name == NULL || name->kind != LS_FX_TEXT)
    return NULL;
  if (strcmp (name->s, "shape") == 0)
    return shape_expr (self, x);
  if (strcmp (name->s, "dtype") == 0)
    return ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (self, x)));
  if (strcmp (name->s, "ndim") == 0)
    return ndim (self);
  if (strcmp (name->s, "T") == 0 || strcmp (name->s, "mT") == 0)
    return ls_fx_call (self, "permute_dims", x, NULL);
  if (strcmp (name->s, "device") == 0 || strcmp (name->s, "requires_grad") == 0)
    return ls_fx_none (self);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the attribute %s of a tensor is not supported; shape, dtype, ndim and T are", name->s);
}

const LsFxHandler ls_fx_handlers_basic[] = {
  { "add iadd radd sub isub subtract mul imul multiply truediv itruediv div divide true_divide floordiv floor_divide ifloordiv mod fmod remainder pow ipow "
    "maximum minimum eq ne not_equal ge gt le lt greater less and_ or_ xor bitwise_and bitwise_or bitwise_xor lshift rshift __and__ __or__ __xor__", binary },
  { "max min", extreme }, { "sum prod mean", total }, { "rsub", reverse_sub },
  { "clamp clip clamp_min clamp_max", clamp }, { "round", round_whole }, { "elu module:ELU", elu }, { "celu module:CELU", celu }, { "softshrink module:Softshrink", softshrink },
  { "prelu module:PReLU", prelu }, { "gelu module:GELU", gelu }, { "std var", spread }, { "norm vector_norm linalg_vector_norm", vector_norm },
  { "full", full }, { "ones zeros", ones }, { "empty", empty }, { "arange", arange }, { "eye", eye }, { "linspace", linspace }, { "tensor scalar_tensor", tensor },
  { "masked_fill", masked_fill }, { "where", where }, { "masked_scatter", masked_scatter }, { "to _to_copy", to }, { "is_floating_point", is_floating_point },
  { "size", size }, { "sym_size sym_size.int", sym_size }, { "numel", numel }, { "dim ndimension", ndim }, { "getattr", getattr_of },
  { NULL, NULL }
};
