/* LowerIntrin: floor division and floor modulo written with the division of the machine, which truncates.
 *
 *     a // 8                 a >> 3            a % 8      a & 7
 *     a // b, a, b >= 0      truncdiv (a, b)
 *     a // 7, a >= -20       truncdiv (a + 21, 7) - 3     (the least shift that makes the dividend positive)
 *     a // b, b > 0          truncdiv (a, b) + (truncmod (a, b) >> 31)
 *     a // b                 Select (b and the remainder have one sign, truncdiv (a, b), truncdiv (a, b) - 1)
 *     x // y, floats         floor (x / y)
 *
 * The ranges of loops, threads and block variables decide which form fits.  Intrinsics of functions stay: the code generator
 * knows them.  Source of the concept: TVM's pass of the same name. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

static gboolean
is_power_of_two (LsExpr *expr,
                 gint64 *shift)
{
  gint64 value;

  if (!ls_as_int (expr, &value) || value <= 0 || (value & (value - 1)) != 0)
    return FALSE;
  *shift = 0;
  while ((value >> *shift) != 1)
    (*shift)++;
  return TRUE;
}

static gboolean
is_never_less (LsAnalyzer *analyzer,
               LsExpr     *expr,
               gint64      least)
{
  return ls_analyzer_const_int_bound (analyzer, expr).min >= least;
}

/* The least c for which a + b * c is never negative, where that cannot overflow. */
static gboolean
find_shift (LsAnalyzer *analyzer,
            LsExpr     *a,
            LsExpr     *b,
            gint64     *c)
{
  LsConstIntBound bound = ls_analyzer_const_int_bound (analyzer, a);
  gint64 divisor, most = ls_dtype_int_max (ls_dtype (a)), shifted;

  if (!ls_as_int (b, &divisor) || divisor <= 0 || bound.min == LS_NEG_INF || bound.max == LS_POS_INF || bound.min <= ls_dtype_int_min (ls_dtype (a)))
    return FALSE;
  *c = (-bound.min - 1) / divisor + 1;
  return !__builtin_mul_overflow (*c, divisor, &shifted) && shifted <= most && !__builtin_add_overflow (shifted, MAX (bound.max, 0), &shifted)
         && shifted <= most;
}

static LsExpr *
constant (LsExpr *like,
          gint64  value)
{
  return ls_const_int (ls_dtype (like), value);
}

static LsExpr *
shift_right (LsExpr *a,
             gint64  by)
{
  return ls_call_op ("tir.shift_right", ls_dtype (a), ls_array_of (ls_ref (a), constant (a, by), NULL));
}

static LsExpr *
quotient (LsExpr *a,
          LsExpr *b)
{
  return ls_truncdiv (ls_ref (a), ls_ref (b));
}

static LsExpr *
remainder_of (LsExpr *a,
              LsExpr *b)
{
  return ls_truncmod (ls_ref (a), ls_ref (b));
}

/* Have the divisor and the remainder one sign, or is the remainder zero? */
static LsExpr *
has_one_sign (LsExpr *b,
              LsExpr *rest)
{
  LsExpr *up = ls_and (ls_ge (ls_ref (b), constant (b, 0)), ls_ge (ls_ref (rest), constant (rest, 0)));
  LsExpr *down = ls_and (ls_lt (ls_ref (b), constant (b, 0)), ls_le (ls_ref (rest), constant (rest, 0)));

  return ls_or (up, down);
}

static LsExpr *
floor_quotient (LsAnalyzer *analyzer,
                LsExpr     *a,
                LsExpr     *b)
{
  g_autoptr (LsExpr) rest = NULL;
  LsDType type = ls_dtype (a);
  gint64 shift;

  if (ls_dtype_is_float (type))
    return ls_call_op ("tir.floor", type, ls_array_of (quotient (a, b), NULL));
  if (is_power_of_two (b, &shift))
    return shift_right (a, shift);
  if (is_never_less (analyzer, b, 1) && is_never_less (analyzer, a, 0))
    return quotient (a, b);
  if (find_shift (analyzer, a, b, &shift))
    {
      g_autoptr (LsExpr) moved = ls_add (ls_ref (a), ls_mul (ls_ref (b), constant (a, shift)));

      return ls_sub (quotient (moved, b), constant (a, shift));
    }
  rest = remainder_of (a, b);
  if (is_never_less (analyzer, b, 1) && (type.bits == 32 || type.bits == 64))
    return ls_add (quotient (a, b), shift_right (rest, type.bits - 1));
  if (is_never_less (analyzer, b, 1))
    return ls_select_new (ls_ge (ls_ref (rest), constant (rest, 0)), quotient (a, b), ls_sub (quotient (a, b), constant (a, 1)));
  return ls_select_new (has_one_sign (b, rest), quotient (a, b), ls_sub (quotient (a, b), constant (a, 1)));
}

static LsExpr *
floor_remainder (LsAnalyzer *analyzer,
                 LsExpr     *a,
                 LsExpr     *b)
{
  g_autoptr (LsExpr) rest = NULL;
  LsDType type = ls_dtype (a);
  gint64 shift;

  if (ls_dtype_is_float (type))
    {
      g_autoptr (LsExpr) down = ls_call_op ("tir.floor", type, ls_array_of (quotient (a, b), NULL));

      return ls_sub (ls_ref (a), ls_mul (ls_ref (down), ls_ref (b)));
    }
  if (is_power_of_two (b, &shift))
    return ls_call_op ("tir.bitwise_and", type, ls_array_of (ls_ref (a), constant (a, ((gint64) 1 << shift) - 1), NULL));
  if (is_never_less (analyzer, b, 1) && is_never_less (analyzer, a, 0))
    return remainder_of (a, b);
  if (find_shift (analyzer, a, b, &shift))
    {
      g_autoptr (LsExpr) moved = ls_add (ls_ref (a), ls_mul (ls_ref (b), constant (a, shift)));

      return remainder_of (moved, b);
    }
  rest = remainder_of (a, b);
  if (is_never_less (analyzer, b, 1) && (type.bits == 32 || type.bits == 64))
    {
      g_autoptr (LsExpr) sign = shift_right (rest, type.bits - 1);

      return ls_add (ls_ref (rest), ls_call_op ("tir.bitwise_and", type, ls_array_of (ls_ref (b), ls_ref (sign), NULL)));
    }
  if (is_never_less (analyzer, b, 1))
    return ls_select_new (ls_ge (ls_ref (rest), constant (rest, 0)), ls_ref (rest), ls_add (ls_ref (rest), ls_ref (b)));
  return ls_select_new (has_one_sign (b, rest), ls_ref (rest), ls_add (ls_ref (rest), ls_ref (b)));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsAnalyzer *analyzer = user_data;
  LsNode *result = ls_scope_rewrite (rewriter, node, analyzer, LS_SCOPE_LOOPS | LS_SCOPE_THREADS | LS_SCOPE_BLOCKS);

  if (ls_is (result, FLOOR_DIV))
    ls_take (&result, LS_NODE (floor_quotient (analyzer, ((LsBinary *) result)->a, ((LsBinary *) result)->b)));
  else if (ls_is (result, FLOOR_MOD))
    ls_take (&result, LS_NODE (floor_remainder (analyzer, ((LsBinary *) result)->a, ((LsBinary *) result)->b)));
  return result;
}

LsPrimFunc *
ls_pass_lower_intrin (LsPrimFunc  *func,
                      GError     **error)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsRewriter rewriter = { filter, analyzer, NULL, NULL };
  g_autoptr (LsNode) body = ls_rewrite (&rewriter, func->body);

  return ls_pass_with_body (func, body);
}
