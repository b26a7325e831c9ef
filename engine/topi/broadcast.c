/* broadcast: operators of two tensors, numpy's rules for shapes (topi.broadcast, topi::where). */
#include "engine/topi/topi-private.h"

#include <inttypes.h>
#include <string.h>

typedef LsExpr *(*Combine) (LsExpr *a, LsExpr *b);

static LsExpr *
add (LsExpr *a,
     LsExpr *b)
{
  return ls_add (a, b);
}

#define ARITHMETIC(name, constructor) \
  static LsExpr *name (LsExpr *a, LsExpr *b) { return constructor (a, b); }
#define INTRINSIC(name, intrinsic) \
  static LsExpr *name (LsExpr *a, LsExpr *b) { return ls_te_binary (intrinsic, a, b); }

ARITHMETIC (subtract, ls_sub)
ARITHMETIC (multiply, ls_mul)
ARITHMETIC (divide, ls_truncdiv)
ARITHMETIC (modulo, ls_truncmod)
ARITHMETIC (maximum, ls_max)
ARITHMETIC (minimum, ls_min)
ARITHMETIC (equal, ls_eq)
ARITHMETIC (not_equal, ls_ne)
ARITHMETIC (less, ls_lt)
ARITHMETIC (less_equal, ls_le)
ARITHMETIC (greater, ls_gt)
ARITHMETIC (greater_equal, ls_ge)
ARITHMETIC (logical_and, ls_and)
ARITHMETIC (logical_or, ls_or)
INTRINSIC (power, "pow")
INTRINSIC (left_shift, "shift_left")
INTRINSIC (right_shift, "shift_right")
INTRINSIC (bitwise_and, "bitwise_and")
INTRINSIC (bitwise_or, "bitwise_or")
INTRINSIC (bitwise_xor, "bitwise_xor")

static LsExpr *
floor_divide (LsExpr *a,
              LsExpr *b)
{
  if (ls_dtype_is_float (ls_dtype (a)) || ls_dtype_is_float (ls_dtype (b)))
    return ls_te_unary ("floor", ls_truncdiv (a, b));
  return ls_floordiv (a, b);
}

static LsExpr *
floor_mod (LsExpr *a,
           LsExpr *b)
{
  if (ls_dtype_is_float (ls_dtype (a)) || ls_dtype_is_float (ls_dtype (b)))
    {
      LsExpr *quotient = floor_divide (REF (a), REF (b));

      return ls_sub (a, ls_mul (quotient, b));
    }
  return ls_floormod (a, b);
}

/* log (exp (a) + exp (b)), by way of the larger one. */
static LsExpr *
log_add_exp (LsExpr *a,
             LsExpr *b)
{
  LsExpr *largest, *sum;

  ls_match_types (&a, &b);
  largest = ls_max (REF (a), REF (b));
  sum = ls_add (ls_te_unary ("exp", ls_sub (a, REF (largest))), ls_te_unary ("exp", ls_sub (b, REF (largest))));
  return ls_add (largest, ls_te_unary ("log", sum));
}

static LsExpr *
angle (LsExpr *y,
       LsExpr *x)
{
  ls_match_types (&y, &x);
  return ls_te_binary ("atan2", y, x);
}

/* Which operands: 'n' numbers, 'i' integers, 'b' booleans, 'f' floats. */
static const struct { const char *name; Combine combine; char operands; } OPERATORS[] = {
  { "add", add, 'n' }, { "subtract", subtract, 'n' }, { "multiply", multiply, 'n' }, { "divide", divide, 'n' },
  { "floor_divide", floor_divide, 'n' }, { "mod", modulo, 'n' }, { "floor_mod", floor_mod, 'n' },
  { "maximum", maximum, 'n' }, { "minimum", minimum, 'n' }, { "power", power, 'f' }, { "log_add_exp", log_add_exp, 'f' }, { "atan2", angle, 'f' },
  { "left_shift", left_shift, 'i' }, { "right_shift", right_shift, 'i' },
  { "equal", equal, 'n' }, { "not_equal", not_equal, 'n' }, { "less", less, 'n' }, { "less_equal", less_equal, 'n' },
  { "greater", greater, 'n' }, { "greater_equal", greater_equal, 'n' },
  { "logical_and", logical_and, 'b' }, { "logical_or", logical_or, 'b' }, { "logical_xor", bitwise_xor, 'b' },
  { "bitwise_and", bitwise_and, 'i' }, { "bitwise_or", bitwise_or, 'i' }, { "bitwise_xor", bitwise_xor, 'i' },
};

static int
find_operator (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (OPERATORS); i++)
    if (g_str_equal (OPERATORS[i].name, name))
      return (int) i;
  return -1;
}

gboolean
ls_topi_is_binary (const char *name)
{
  return find_operator (name) >= 0;
}

static gboolean
check_operands (int      op,
                LsDType  a,
                LsDType  b,
                GError **error)
{
  switch (OPERATORS[op].operands)
    {
    case 'b':
      if (!ls_dtype_is_bool (a) || !ls_dtype_is_bool (b))
        return ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.%s needs booleans, but its operands are %s and %s", OPERATORS[op].name, ls_dtype_name (a), ls_dtype_name (b));
      break;
    case 'i':
      if (ls_dtype_is_float (a) || ls_dtype_is_float (b))
        return ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.%s needs integers, but its operands are %s and %s", OPERATORS[op].name, ls_dtype_name (a), ls_dtype_name (b));
      break;
    case 'f':
      if (!ls_dtype_is_float (a) && !ls_dtype_is_float (b))
        return ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.%s needs floating-point numbers, but its operands are %s and %s", OPERATORS[op].name, ls_dtype_name (a), ls_dtype_name (b));
      break;
    default:
      break;
    }
  return TRUE;
}

LsExpr *
ls_topi_binary_expr (const char *name,
                     LsExpr     *a,
                     LsExpr     *b,
                     GError    **error)
{
  int op = find_operator (name);

  if (op < 0 || !check_operands (op, ls_dtype (a), ls_dtype (b), error))
    {
      if (op < 0)
        ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.%s is no operator of two operands", name);
      ls_unref (a);
      ls_unref (b);
      return NULL;
    }
  return OPERATORS[op].combine (a, b);
}

static LsExpr *
common_extent (LsExpr *a,
               LsExpr *b)
{
  gboolean a_number = ls_is (a, INT_IMM);
  gboolean b_number = ls_is (b, INT_IMM);

  if (ls_topi_same (a, b) || ls_is_one (b))
    return REF (a);
  if (ls_is_one (a))
    return REF (b);
  if (a_number && b_number)
    return NULL;
  if (a_number)
    return REF (a);
  return b_number ? REF (b) : ls_max (REF (a), REF (b));
}

LsArray *
ls_topi_broadcast_shape (LsArray *a,
                         LsArray *b,
                         GError **error)
{
  guint n = MAX (a->n, b->n);
  g_autoptr (GPtrArray) shape = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < n; i++)
    {
      LsExpr *x = i + a->n >= n ? ls_array_at (a, i + a->n - n, LsExpr) : NULL;
      LsExpr *y = i + b->n >= n ? ls_array_at (b, i + b->n - n, LsExpr) : NULL;
      LsExpr *extent = x == NULL ? REF (y) : y == NULL ? REF (x) : common_extent (x, y);

      if (extent == NULL)
        {
          ls_topi_fail (error, LS_TE_ERROR_SHAPE, "extents %" PRId64 " and %" PRId64 " of dimension %d do not broadcast: they must be equal, or one of them 1",
                        ((LsIntImm *) x)->value, ((LsIntImm *) y)->value, (int) i - (int) n);
          return NULL;
        }
      g_ptr_array_add (shape, extent);
    }
  g_ptr_array_set_free_func (shape, NULL);
  return ls_array_take_ptr_array (g_steal_pointer (&shape));
}

static LsExpr *
operand (gpointer node,
         LsArray *axes)
{
  if (ls_is (node, TE_TENSOR))
    return ls_te_load (node, ls_topi_broadcast_indices (((LsTeTensor *) node)->shape, axes));
  return REF (node);
}

static LsArray *
operand_shape (gpointer node)
{
  return ls_is (node, TE_TENSOR) ? ls_ref (((LsTeTensor *) node)->shape) : ls_array_empty ();
}

LsTeTensor *
ls_topi_binary (const char *name,
                gpointer    a,
                gpointer    b,
                GError    **error)
{
  g_autofree char *stage = g_strconcat ("T_", name, NULL);
  g_autoptr (LsArray) shape_a = NULL;
  g_autoptr (LsArray) shape_b = NULL;
  g_autoptr (LsArray) shape = NULL;
  LsArray *axes;
  LsExpr *value;

  if (a == NULL || b == NULL)
    return NULL;
  shape_a = operand_shape (a);
  shape_b = operand_shape (b);
  shape = ls_topi_broadcast_shape (shape_a, shape_b, error);
  if (shape == NULL)
    {
      g_prefix_error (error, "topi.%s: ", name);
      return NULL;
    }
  axes = ls_te_axes (shape, "ax*");
  value = operand (a, axes);
  value = ls_topi_binary_expr (name, value, operand (b, axes), error);
  return ls_te_compute (stage, ls_is (a, TE_TENSOR) && ls_is (b, TE_TENSOR) ? LS_TAG_BROADCAST : LS_TAG_ELEMWISE, NULL, axes, value, error);
}

LsTeTensor *
ls_topi_broadcast_to (LsTeTensor *x,
                      LsArray    *shape,
                      GError    **error)
{
  g_autoptr (LsArray) common = NULL;
  LsArray *axes;

  if (x == NULL)
    return NULL;
  if (shape->n < x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.broadcast_to: a tensor of %u dimensions cannot become one of %u", x->shape->n, shape->n);
      return NULL;
    }
  common = ls_topi_broadcast_shape (x->shape, shape, error);
  if (common == NULL)
    return NULL;
  for (guint i = 0; i < shape->n; i++)
    if (!ls_topi_same (common->items[i], shape->items[i]))
      {
        ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.broadcast_to: dimension %u of the tensor does not fit the extent asked for", i);
        return NULL;
      }
  axes = ls_te_axes (shape, "ax*");
  return ls_te_compute ("T_broadcast_to", LS_TAG_BROADCAST, NULL, axes, operand (x, axes), error);
}

LsTeTensor *
ls_topi_where (LsTeTensor *condition,
               LsTeTensor *x,
               LsTeTensor *y,
               GError    **error)
{
  g_autoptr (LsArray) values = NULL;
  g_autoptr (LsArray) shape = NULL;
  LsArray *axes;
  LsExpr *chosen;

  if (condition == NULL || x == NULL || y == NULL)
    return NULL;
  if (!ls_dtype_equal (x->dtype, y->dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.where: x is %s and y is %s; they must be of one type", ls_dtype_name (x->dtype), ls_dtype_name (y->dtype));
      return NULL;
    }
  values = ls_topi_broadcast_shape (x->shape, y->shape, error);
  shape = values != NULL ? ls_topi_broadcast_shape (condition->shape, values, error) : NULL;
  if (shape == NULL)
    {
      g_prefix_error (error, "topi.where: ");
      return NULL;
    }
  axes = ls_te_axes (shape, "ax*");
  chosen = operand (condition, axes);
  chosen = ls_gt (chosen, ls_int (0));
  return ls_te_compute ("T_where", LS_TAG_BROADCAST, NULL, axes, ls_select_new (chosen, operand (x, axes), operand (y, axes)), error);
}
