/* fold: operators as people use them.
 *
 * Operands are brought to one type, constants are computed at once and neutral elements
 * vanish.  The rules are those of TVM's operator overloads, since the printed text depends
 * on them: no more is simplified here than there (x - x stays).
 */
#include "engine/base/float8.h"
#include "engine/ir/ir-private.h"
#include "engine/ir/meaning.h"

#include <math.h>

/* ---- types --------------------------------------------------------------- */

static gboolean
match_lanes (LsExpr **a,
             LsExpr **b)
{
  LsDType ta = ls_dtype (*a), tb = ls_dtype (*b);
  guint la = ta.lanes, lb = tb.lanes;

  if (la == lb)
    return TRUE;
  if (la == 1)
    *a = ls_broadcast_like (tb, *a);
  else if (lb == 1)
    *b = ls_broadcast_like (ta, *b);
  else
    return FALSE;
  return TRUE;
}

gboolean
ls_match_types (LsExpr **a,
                LsExpr **b)
{
  LsDType ta, tb;
  gboolean fa, fb;

  if (ls_dtype_equal (ls_dtype (*a), ls_dtype (*b)))
    return TRUE;
  if (!match_lanes (a, b))
    return FALSE;
  ta = ls_dtype (*a);
  tb = ls_dtype (*b);
  if (ls_dtype_equal (ta, tb))
    return TRUE;
  if (ta.code == LS_TYPE_HANDLE || tb.code == LS_TYPE_HANDLE)
    return FALSE;
  fa = ls_dtype_is_float (ta);
  fb = ls_dtype_is_float (tb);
  if (fa && !fb)
    *b = ls_cast (ta, *b);
  else if (fb && !fa)
    *a = ls_cast (tb, *a);
  else if (ta.bits < tb.bits)
    *a = ls_cast (tb, *a);
  else if (ta.bits > tb.bits)
    *b = ls_cast (ta, *b);
  else if (fa && ta.code != tb.code)
    {
      LsDType wide = ls_dtype_with_lanes (LS_FLOAT32, ta.lanes);
      *a = ls_cast (wide, *a);
      *b = ls_cast (wide, *b);
    }
  else
    {
      LsDType wide = { LS_TYPE_UINT, ta.bits, ta.lanes };
      *a = ls_cast (wide, *a);
      *b = ls_cast (wide, *b);
    }
  return TRUE;
}

static gboolean
is_uint64 (LsDType t)
{
  return t.code == LS_TYPE_UINT && t.bits == 64;
}

/* An integer or a truth value out of a float; NULL for what the type does not hold: that stays a cast. */
static LsExpr *
cast_float (LsDType dtype,
            double  value)
{
  double end = ldexp (1, dtype.code == LS_TYPE_UINT ? dtype.bits : dtype.bits - 1);
  double low = dtype.code == LS_TYPE_UINT ? 0 : -end;

  if (ls_dtype_is_float (dtype))
    return ls_float_imm_new (dtype, value);
  if (ls_dtype_is_bool (dtype))
    return ls_bool (value != 0);
  if (!(trunc (value) >= low && trunc (value) < end))
    return NULL;
  return ls_int_imm_new (dtype, is_uint64 (dtype) ? (gint64) (guint64) value : (gint64) value);
}

/* A constant of another scalar type, or NULL. */
static LsExpr *
cast_constant (LsDType dtype,
               LsExpr *value)
{
  if (ls_is (value, FLOAT_IMM))
    return cast_float (dtype, ((LsFloatImm *) value)->value);
  if (!ls_is (value, INT_IMM))
    return NULL;
  if (ls_dtype_is_float (dtype) && is_uint64 (ls_dtype (value)))
    return ls_float_imm_new (dtype, (double) (guint64) ((LsIntImm *) value)->value);
  return ls_const_int (dtype, ((LsIntImm *) value)->value);
}

LsExpr *
ls_cast (LsDType dtype,
         LsExpr *value)
{
  LsDType from = ls_dtype (value);
  LsExpr *result = NULL;

  if (ls_dtype_equal (from, dtype))
    return value;
  if (from.lanes == 1 && dtype.code != LS_TYPE_HANDLE)
    {
      LsDType element = ls_dtype_element (dtype);

      result = cast_constant (element, value);
      if (result == NULL && !ls_dtype_equal (from, element))
        result = ls_cast_new (element, ls_ref (value));
      if (result == NULL)
        result = ls_ref (value);
      ls_unref (value);
      return ls_broadcast_like (dtype, result);
    }
  if (ls_is (value, BROADCAST) && dtype.lanes == from.lanes)
    {
      LsBroadcast *b = (LsBroadcast *) value;

      if (ls_is (b->value, INT_IMM) || ls_is (b->value, FLOAT_IMM))
        {
          result = ls_broadcast_new (ls_cast (ls_dtype_element (dtype), ls_ref (b->value)), ls_ref (b->lanes));
          ls_unref (value);
          return result;
        }
    }
  return ls_cast_new (dtype, value);
}

/* ---- constants ------------------------------------------------------------ */

double
ls_dtype_round (LsDType t,
                double  value)
{
  if (t.bits == 16)
    return t.code == LS_TYPE_BFLOAT ? ls_bfloat_to_float (ls_bfloat_from_double (value)) : ls_half_to_float (ls_half_from_double (value));
  if (t.code == LS_TYPE_E4M3 || t.code == LS_TYPE_E5M2)
    return t.code == LS_TYPE_E4M3 ? ls_e4m3_to_double (ls_e4m3_from_double (value)) : ls_e5m2_to_double (ls_e5m2_from_double (value));
  return t.bits == 32 ? (double) (float) value : value;
}

/* Divisions of narrow types, and those whose quotient the type does not hold, are left to the program, as in TVM. */
static LsExpr *
fold_ints (LsKind  kind,
           LsDType t,
           gint64  a,
           gint64  b)
{
  gboolean unsigned64 = is_uint64 (t);
  gint64 result;

  if (kind == LS_KIND_DIV && a == G_MININT64 && b == -1)
    return NULL;
  if ((kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_MOD) && !ls_dtype_is_index (t))
    return NULL;
  if (ls_kind_is_compare (kind))
    return ls_bool (ls_meaning_compares_ints (kind, unsigned64, a, b));
  if (kind < LS_KIND_ADD || kind > LS_KIND_MAX || !ls_meaning_of_ints (kind, unsigned64, a, b, &result))
    return NULL;
  return ls_int_imm_new (t, result);
}

/* TVM calculates with constants of 32 and 64 bits only; it compares all of them. */
static LsExpr *
fold_floats (LsKind  kind,
             LsDType t,
             double  a,
             double  b)
{
  double result;

  a = ls_dtype_round (t, a);
  b = ls_dtype_round (t, b);
  if (t.bits < 32 && !ls_kind_is_compare (kind) && kind != LS_KIND_MIN && kind != LS_KIND_MAX)
    return NULL;
  if (ls_kind_is_compare (kind))
    return ls_bool (ls_meaning_compares_floats (kind, a, b));
  if ((kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV) && b == 0)
    return NULL;
  if (kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_MOD || !ls_meaning_of_floats (kind, a, b, &result))
    return NULL;
  return ls_float_imm_new (t, ls_dtype_round (t, result));
}

static gboolean
is_value (LsExpr *e,
          double  value)
{
  if (ls_is (e, INT_IMM))
    return (double) ((LsIntImm *) e)->value == value;
  return ls_is (e, FLOAT_IMM) && ((LsFloatImm *) e)->value == value;
}

/* x + 0, x * 1, 0 // x and the like: one operand or a zero of its type.  A float times zero is none where it is NaN or
 * infinite, and zero by a float is none where that is zero; only the sign of a zero is not kept (x + 0.0 is x). */
static LsExpr *
drop_neutral (LsKind  kind,
              LsExpr *a,
              LsExpr *b)
{
  gboolean absorbs = !ls_dtype_is_float (ls_dtype (a));

  switch ((int) kind)
    {
    case LS_KIND_ADD:
      return is_value (a, 0) ? ls_ref (b) : is_value (b, 0) ? ls_ref (a) : NULL;
    case LS_KIND_SUB:
      return is_value (b, 0) ? ls_ref (a) : NULL;
    case LS_KIND_MUL:
      if (is_value (a, 1) || (absorbs && is_value (b, 0)))
        return ls_ref (b);
      return is_value (b, 1) || (absorbs && is_value (a, 0)) ? ls_ref (a) : NULL;
    case LS_KIND_DIV:
    case LS_KIND_FLOOR_DIV:
      if (is_value (b, 0))
        return NULL;
      return (is_value (b, 1) && (absorbs || kind == LS_KIND_DIV)) || (absorbs && is_value (a, 0)) ? ls_ref (a) : NULL;
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_MOD:
      if (!ls_dtype_is_index (ls_dtype (a)) || is_value (b, 0))
        return NULL;
      if (is_value (a, 0))
        return ls_ref (a);
      return is_value (b, 1) ? ls_int_imm_new (ls_dtype (a), 0) : NULL;
    case LS_KIND_MIN:
    case LS_KIND_MAX:
      return a == b ? ls_ref (a) : NULL;
    default:
      return NULL;
    }
}

static LsExpr *
fold_logic (LsKind  kind,
            LsExpr *a,
            LsExpr *b)
{
  gboolean absorbing = kind == LS_KIND_OR;
  gint64 v;

  if (ls_as_int (a, &v))
    return (v != 0) == absorbing ? ls_ref (a) : ls_ref (b);
  if (ls_as_int (b, &v))
    return (v != 0) == absorbing ? ls_ref (b) : ls_ref (a);
  return NULL;
}

LsExpr *
ls_try_fold (LsKind  kind,
             LsExpr *a,
             LsExpr *b)
{
  LsExpr *folded = NULL;

  if (kind == LS_KIND_AND || kind == LS_KIND_OR)
    return fold_logic (kind, a, b);
  if (ls_is (a, INT_IMM) && ls_is (b, INT_IMM))
    folded = fold_ints (kind, ls_dtype (a), ((LsIntImm *) a)->value, ((LsIntImm *) b)->value);
  else if (ls_is (a, FLOAT_IMM) && ls_is (b, FLOAT_IMM))
    folded = fold_floats (kind, ls_dtype (a), ((LsFloatImm *) a)->value, ((LsFloatImm *) b)->value);
  return folded != NULL ? folded : drop_neutral (kind, a, b);
}

/* The number, which may be one of the upper half of uint64. */
static __int128
exact_value (LsExpr *number)
{
  gint64 value = ((LsIntImm *) number)->value;

  return is_uint64 (ls_dtype (number)) ? (__int128) (guint64) value : (__int128) value;
}

gboolean
ls_fold_overflows (LsKind  kind,
                   LsExpr *a,
                   LsExpr *b)
{
  __int128 x, y, result;
  LsDType t;

  if (!ls_is (a, INT_IMM) || !ls_is (b, INT_IMM))
    return FALSE;
  t = ls_dtype (a);
  x = exact_value (a);
  y = exact_value (b);
  if (kind == LS_KIND_ADD)
    result = x + y;
  else if (kind == LS_KIND_SUB)
    result = x - y;
  else if (kind == LS_KIND_MUL && __builtin_mul_overflow (x, y, &result))
    return TRUE;
  else if (kind == LS_KIND_MUL)
    result = x * y;
  else if ((kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV) && y == -1)
    result = -x;
  else
    return FALSE;
  return result < ls_dtype_int_min (t) || result > (is_uint64 (t) ? (__int128) G_MAXUINT64 : (__int128) ls_dtype_int_max (t));
}

/* ---- operators -------------------------------------------------------------- */

LsExpr *
ls_binary (LsKind  kind,
           LsExpr *a,
           LsExpr *b)
{
  LsExpr *folded;

  g_return_val_if_fail (a != NULL && b != NULL, NULL);
  ls_match_types (&a, &b);
  folded = ls_try_fold (kind, a, b);
  if (folded == NULL)
    return ls_binary_new (kind, a, b);
  ls_unref (a);
  ls_unref (b);
  return folded;
}

LsExpr *
ls_not (LsExpr *a)
{
  gint64 v;

  if (ls_as_int (a, &v))
    {
      ls_unref (a);
      return ls_bool (v == 0);
    }
  return ls_not_new (a);
}

LsExpr *
ls_neg (LsExpr *a)
{
  LsDType t = ls_dtype (a);
  LsExpr *result = NULL;

  if (ls_is (a, INT_IMM))
    result = ls_int_imm_new (t, (gint64) (0 - (guint64) ((LsIntImm *) a)->value));
  else if (ls_is (a, FLOAT_IMM))
    result = ls_float_imm_new (t, -((LsFloatImm *) a)->value);
  if (result != NULL)
    {
      ls_unref (a);
      return result;
    }
  return ls_sub (ls_const_int (t, 0), a);
}

LsExpr *
ls_if_then_else (LsExpr *condition,
                 LsExpr *then_value,
                 LsExpr *else_value)
{
  gint64 v;

  ls_match_types (&then_value, &else_value);
  if (ls_as_int (condition, &v))
    {
      LsExpr *taken = v != 0 ? then_value : else_value;

      ls_unref (v != 0 ? else_value : then_value);
      ls_unref (condition);
      return taken;
    }
  return ls_call_op ("tir.if_then_else", ls_dtype (then_value), ls_array_of (condition, then_value, else_value, NULL));
}

LsExpr *
ls_likely (LsExpr *condition)
{
  if (ls_is (condition, INT_IMM))
    return condition;
  return ls_call_op ("tir.likely", ls_dtype (condition), ls_array_of (condition, NULL));
}
