/* math: scalar functions as TVM's tir makes them from Python and C++.
 *
 * Rounding functions leave integers alone and fold constants; isinf and isfinite are spelled out of fabs and isnan;
 * all others are calls of the intrinsic of the same name.
 */
#include "engine/te/te-private.h"

#include <math.h>
#include <string.h>

static LsExpr *
call (const char *name,
      LsDType     dtype,
      LsExpr     *x)
{
  g_autofree char *full = g_strconcat ("tir.", name, NULL);

  return ls_call_op (full, dtype, ls_array_of (x, NULL));
}

static LsExpr *
take_constant (LsExpr *x,
               double  value)
{
  LsExpr *result = ls_const_float (ls_dtype (x), value);

  ls_unref (x);
  return result;
}

/* Half to even. */
static double
to_nearest_even (double x)
{
  double down = floor (x);
  double rest = x - down;

  if (rest != 0.5)
    return floor (x + 0.5);
  return fmod (down, 2.0) == 0 ? down : down + 1;
}

static LsExpr *
make_rounding (const char *name,
               LsExpr     *x)
{
  double value;

  if (!ls_dtype_is_float (ls_dtype (x)))
    return x;
  if (!ls_is (x, FLOAT_IMM))
    return call (name, ls_dtype (x), x);
  value = ((LsFloatImm *) x)->value;
  if (strcmp (name, "floor") == 0)
    return take_constant (x, floor (value));
  if (strcmp (name, "ceil") == 0)
    return take_constant (x, ceil (value));
  if (strcmp (name, "trunc") == 0)
    return take_constant (x, trunc (value));
  return take_constant (x, to_nearest_even (value));
}

static LsExpr *
make_abs (LsExpr *x)
{
  LsDType dtype = ls_dtype (x);
  gint64 value;

  if (ls_dtype_is_uint (dtype))
    return x;
  if (ls_dtype_is_int (dtype))
    {
      if (ls_as_int (x, &value))
        {
          ls_unref (x);
          return ls_const_int (dtype, value < 0 ? (gint64) (0 - (guint64) value) : value);
        }
      return ls_select_new (ls_ge (ls_ref (x), ls_const_int (dtype, 0)), ls_ref (x), ls_neg (x));
    }
  if (ls_is (x, FLOAT_IMM))
    return take_constant (x, fabs (((LsFloatImm *) x)->value));
  return call ("fabs", dtype, x);
}

static LsExpr *
make_isnan (LsExpr *x)
{
  LsDType dtype = ls_dtype (x);

  if (!ls_dtype_is_float (dtype) || ls_is (x, FLOAT_IMM))
    {
      gboolean value = ls_is (x, FLOAT_IMM) && isnan (((LsFloatImm *) x)->value);

      ls_unref (x);
      return ls_bool (value);
    }
  if (dtype.bits == 16)
    x = ls_cast (ls_dtype_with_lanes (LS_FLOAT32, dtype.lanes), x);
  return call ("isnan", ls_dtype_with_lanes (LS_BOOL, dtype.lanes), x);
}

static LsExpr *
make_isinf (LsExpr *x)
{
  LsDType dtype = ls_dtype (x);
  LsExpr *number;

  if (!ls_dtype_is_float (dtype))
    {
      ls_unref (x);
      return ls_bool (FALSE);
    }
  /* In steps, here and below: what an argument of a call takes may be gone before another one refers to it. */
  number = ls_not (make_isnan (ls_ref (x)));
  return ls_and (ls_eq (make_abs (x), ls_const_float (dtype, INFINITY)), number);
}

gboolean
ls_te_is_unary (const char *name)
{
  g_autofree char *full = g_strconcat ("tir.", name, NULL);

  return ls_op_get (full) != NULL || strcmp (name, "abs") == 0;
}

LsExpr *
ls_te_unary (const char *name,
             LsExpr     *x)
{
  LsExpr *number;
  static const char *const rounding[] = { "floor", "ceil", "trunc", "round", "nearbyint", NULL };

  if (x == NULL)
    return NULL;
  if (g_strv_contains (rounding, name))
    return make_rounding (name, x);
  if (strcmp (name, "abs") == 0 || strcmp (name, "fabs") == 0)
    return make_abs (x);
  if (strcmp (name, "isnan") == 0)
    return make_isnan (x);
  if (strcmp (name, "isinf") == 0)
    return make_isinf (x);
  if (strcmp (name, "isfinite") == 0)
    {
      number = ls_not (make_isnan (ls_ref (x)));
      return ls_and (ls_not (make_isinf (x)), number);
    }
  return call (name, ls_dtype (x), x);
}

static gboolean
fold_bits (const char *name,
           gint64      a,
           gint64      b,
           gint64     *out)
{
  if (strcmp (name, "bitwise_and") == 0)
    *out = a & b;
  else if (strcmp (name, "bitwise_or") == 0)
    *out = a | b;
  else if (strcmp (name, "bitwise_xor") == 0)
    *out = a ^ b;
  else if (strcmp (name, "shift_left") == 0 && b >= 0 && b < 64)
    *out = (gint64) ((guint64) a << b);
  else if (strcmp (name, "shift_right") == 0 && b >= 0 && b < 64)
    *out = a >> b;
  else
    return FALSE;
  return TRUE;
}

LsExpr *
ls_te_binary (const char *name,
              LsExpr     *x,
              LsExpr     *y)
{
  g_autofree char *full = NULL;
  gint64 a, b, folded;

  if (x == NULL || y == NULL)
    {
      ls_unref (x);
      ls_unref (y);
      return NULL;
    }
  if (strcmp (name, "left_shift") == 0)
    name = "shift_left";
  if (strcmp (name, "right_shift") == 0)
    name = "shift_right";
  ls_match_types (&x, &y);
  if (ls_as_int (x, &a) && ls_as_int (y, &b) && fold_bits (name, a, b, &folded))
    {
      LsExpr *result = ls_const_int (ls_dtype (x), folded);

      ls_unref (x);
      ls_unref (y);
      return result;
    }
  full = g_strconcat ("tir.", name, NULL);
  return ls_call_op (full, ls_dtype (x), ls_array_of (x, y, NULL));
}

LsExpr *
ls_te_select (LsExpr *condition,
              LsExpr *true_value,
              LsExpr *false_value)
{
  ls_match_types (&true_value, &false_value);
  return ls_select_new (condition, true_value, false_value);
}

LsExpr *
ls_te_conjunction (GPtrArray *conditions)
{
  LsExpr *result = NULL;

  for (guint i = 0; i < conditions->len; i++)
    result = result == NULL ? conditions->pdata[i] : ls_and (result, conditions->pdata[i]);
  g_ptr_array_free (conditions, TRUE);
  return result;
}
