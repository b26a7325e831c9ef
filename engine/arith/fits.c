/* fits: may a sum or product of a result leave its type where the expression that it was made of did not?
 *
 * Rules speak of whole numbers: i * -7 % 99991 is i * 99984 % 99991, as TVM writes it.  For i below 60000 the first fits into
 * int32 and the second does not, so what is computed is another number.  Inside a proof that is no matter, since nothing is computed
 * there; what is given back must fit, or leave by no more than what it was made of: i * -7 % 99991 of any i below 10^9 may be right, for some i,
 * where i * 99984 % 99991 is not.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"

/* One end of a range: whether it says something, or is only that of the type of an unknown variable, as is or in disguise. */
typedef enum { LOWER = 1 << 0, UPPER = 1 << 1, BOTH = LOWER | UPPER } Ends;

typedef struct {
  guint      known;             /* Ends */
  __int128_t min, max;          /* of those that are known */
} Reach;

typedef struct {
  LsAnalyzer *analyzer;
  __int128_t  excess;
  gboolean    shallow;          /* what stands in quotients, minimums and the like is not looked at */
} Look;

static LsWalk look_at (LsNode *node, gpointer user_data);

/* A variable that stands for a value leaves where that does: what is put in its place is no worse. */
static void
look_at_value (Look  *self,
               LsVar *var)
{
  LsExpr *value = g_hash_table_lookup (self->analyzer->rewrite.values, var);

  if (value == NULL || (LsVar *) value == var || !ls_visit_enter (self->analyzer))
    return;
  ls_walk (value, look_at, NULL, self);
  ls_visit_leave (self->analyzer);
}

static gboolean
is_sum (LsExpr *expr)
{
  LsKind kind = ls_kind (expr);

  return (kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL) && ls_dtype_is_index (ls_dtype_element (ls_dtype (expr)));
}

/* Ends nearer to zero than this are known whatever they were made of. */
#define SMALL (G_GINT64_CONSTANT (1) << 28)

static guint
ends_of_bound (LsDType         t,
               LsConstIntBound bound)
{
  if (bound.min > bound.max)
    return 0;
  return (bound.min > MAX (ls_dtype_int_min (t), LS_NEG_INF) ? LOWER : 0) | (bound.max < MIN (ls_dtype_int_max (t), LS_POS_INF) - 1 ? UPPER : 0);
}

static Reach
reach (guint      known,
       __int128_t min,
       __int128_t max)
{
  return (Reach) { known, (known & LOWER) != 0 ? min : 0, (known & UPPER) != 0 ? max : 0 };
}

static Reach
reach_of_ends (LsExpr          *expr,
               LsConstIntBound  bound)
{
  return reach (ends_of_bound (ls_dtype_element (ls_dtype (expr)), bound), bound.min, bound.max);
}

static Reach
reach_of_bound (LsAnalyzer *self,
                LsExpr     *expr)
{
  return reach_of_ends (expr, ls_bound_of (self, expr));
}

/* What is known of the one or of the other, of the same number. */
static Reach
both_hold (Reach a,
           Reach b)
{
  return reach (a.known | b.known, (a.known & b.known & LOWER) != 0 ? MAX (a.min, b.min) : a.min + b.min,
                (a.known & b.known & UPPER) != 0 ? MIN (a.max, b.max) : a.max + b.max);
}

static Reach
one_of (Reach a,
        Reach b)
{
  return reach (a.known & b.known, MIN (a.min, b.min), MAX (a.max, b.max));
}

static Reach
less_of (Reach a,
         Reach b)
{
  return reach ((a.known & b.known) | ((a.known | b.known) & UPPER), MIN (a.min, b.min), both_hold (a, b).max);
}

static Reach
more_of (Reach a,
         Reach b)
{
  return reach ((a.known & b.known) | ((a.known | b.known) & LOWER), both_hold (a, b).min, MAX (a.max, b.max));
}

/* No further from zero than a is, on its side where that is known. */
static Reach
towards_zero (Reach a)
{
  return reach (a.known == BOTH ? BOTH : 0, MIN (a.min, 0), MAX (a.max, 0));
}

static guint
turned (guint ends)
{
  return ((ends & LOWER) ? UPPER : 0) | ((ends & UPPER) ? LOWER : 0);
}

static Reach
times (Reach a,
       Reach b)
{
  if (a.known != BOTH || b.known != BOTH)
    return (Reach) { 0 };
  return (Reach) { BOTH, MIN (MIN (a.min * b.min, a.min * b.max), MIN (a.max * b.min, a.max * b.max)),
                   MAX (MAX (a.min * b.min, a.min * b.max), MAX (a.max * b.min, a.max * b.max)) };
}

static Reach
times_number (Reach  a,
              gint64 number)
{
  if (number < 0)
    return reach (turned (a.known), a.max * number, a.min * number);
  return reach (a.known, a.min * number, a.max * number);
}

static __int128_t
rounded_down (__int128_t a,
              gint64     b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Rounded to zero or down: by less than one further from zero than what is rounded. */
static Reach
quotient (Reach   a,
          LsExpr *divisor)
{
  __int128_t most = MAX (MAX (a.max, -a.max), MAX (a.min, -a.min));
  gint64 by = ls_is_imm (divisor) ? ls_imm (divisor) : 0;

  if (by == 0)
    return reach (a.known == BOTH ? BOTH : 0, -most, most);
  if (by < 0)
    return reach (turned (a.known), rounded_down (a.max, by), rounded_down (a.min, by) + 1);
  return reach (a.known, rounded_down (a.min, by), rounded_down (a.max, by) + 1);
}

static Reach
remainder_of (Reach a,
              Reach b)
{
  __int128_t most = MAX (MAX (b.max, -b.max), MAX (b.min, -b.min));

  return both_hold (towards_zero (a), reach (b.known == BOTH ? BOTH : 0, 1 - most, most - 1));
}

static Reach
floor_remainder_of (Reach a,
                    Reach b)
{
  gboolean positive = (b.known & LOWER) != 0 && b.min >= 0, negative = (b.known & UPPER) != 0 && b.max <= 0;
  gboolean below = (a.known & UPPER) != 0 && a.max <= 0, above = (a.known & LOWER) != 0 && a.min >= 0;
  Reach by_divisor = reach (b.known | (positive ? LOWER : 0) | (negative ? UPPER : 0), positive ? 0 : MIN (b.min + 1, 0), negative ? 0 : MAX (b.max - 1, 0));
  Reach by_dividend = reach ((above ? a.known & UPPER : 0) | (below ? a.known & LOWER : 0), a.min, a.max);

  return both_hold (by_divisor, by_dividend);
}

static Reach made_reach (LsAnalyzer *self, LsExpr *expr);

static Reach
reach_of_binary (LsExpr *expr,
                 Reach   a,
                 Reach   b)
{
  LsExpr *x = ls_lhs (expr), *y = ls_rhs (expr);

  switch ((int) ls_kind (expr))
    {
    case LS_KIND_ADD: return reach (a.known & b.known, a.min + b.min, a.max + b.max);
    case LS_KIND_SUB: return reach (a.known & turned (b.known), a.min - b.max, a.max - b.min);
    case LS_KIND_MUL: return ls_is_imm (y) ? times_number (a, ls_imm (y)) : ls_is_imm (x) ? times_number (b, ls_imm (x)) : times (a, b);
    case LS_KIND_DIV: case LS_KIND_FLOOR_DIV: return quotient (a, y);
    case LS_KIND_MOD: return remainder_of (a, b);
    case LS_KIND_FLOOR_MOD: return floor_remainder_of (a, b);
    case LS_KIND_MIN: return less_of (a, b);
    default: return more_of (a, b);
    }
}

static gboolean
is_arithmetic (LsExpr *expr)
{
  LsKind kind = ls_kind (expr);

  return ls_kind_is_binary (kind) && !ls_kind_is_compare (kind) && kind != LS_KIND_AND && kind != LS_KIND_OR;
}

/* Where the whole is right, so is this part. */
static Reach
in_type (LsExpr *expr,
         Reach   r)
{
  LsDType t = ls_dtype_element (ls_dtype (expr));
  __int128_t min = ls_dtype_int_min (t), max = ls_dtype_int_max (t);

  return reach (r.known, CLAMP (r.min, min, max), CLAMP (r.max, min, max));
}

/* A cast that may cut off bits. */
static gboolean
is_narrowed (LsExpr *expr)
{
  LsDType from = ls_is (expr, CAST) ? ls_dtype_element (ls_dtype (((LsCast *) expr)->value)) : LS_BOOL;

  return ls_is (expr, CAST) && !ls_dtype_is_float (from) && from.bits >= ls_dtype_element (ls_dtype (expr)).bits;
}

static Reach
reach_of_cast (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsExpr *value = ((LsCast *) expr)->value;
  LsDType t = ls_dtype_element (ls_dtype (expr));
  Reach r;

  if (!is_narrowed (expr))
    return reach_of_bound (self, expr);
  r = made_reach (self, value);
  return r.known == BOTH && r.min >= ls_dtype_int_min (t) && r.max <= ls_dtype_int_max (t) ? r : (Reach) { 0 };
}

/* Each value where it is taken: what is known there may have left its mark on it. */
static Reach
reach_of_select (LsAnalyzer *self,
                 LsSelect   *select)
{
  g_autoptr (LsExpr) otherwise = ls_constraint_negate (select->condition);
  guint scope = ls_analyzer_enter_constraint (self, select->condition);
  Reach taken = made_reach (self, select->true_value), other;

  ls_analyzer_exit_constraint (self, scope);
  scope = ls_analyzer_enter_constraint (self, otherwise);
  other = made_reach (self, select->false_value);
  ls_analyzer_exit_constraint (self, scope);
  return one_of (taken, other);
}

/* What the range of an expression is by what it was made of.  An end of the type of an unknown variable is none, in disguise neither: min (1 - x, 0)
 * is over the smallest int32 by 2, x // 2 is half of it; x % 100000 and max (x, 0) have what their numbers say, truncmod (100, x) has what its dividend
 * says. */
static Reach
made_reach (LsAnalyzer *self,
            LsExpr     *expr)
{
  LsArray *args = ls_is (expr, CALL) ? ((LsCall *) expr)->args : NULL;
  Reach r;

  if (ls_is_imm (expr))
    return (Reach) { BOTH, ls_imm (expr), ls_imm (expr) };
  if (!ls_visit_enter (self))
    return (Reach) { 0 };
  if (ls_is_call (expr, "tir.if_then_else"))
    r = one_of (made_reach (self, ls_array_at (args, 1, LsExpr)), made_reach (self, ls_array_at (args, 2, LsExpr)));
  else if (ls_is (expr, SELECT))
    r = reach_of_select (self, (LsSelect *) expr);
  else if (ls_is (expr, BROADCAST))
    r = made_reach (self, ((LsBroadcast *) expr)->value);
  else if (ls_is (expr, CAST))
    r = reach_of_cast (self, expr);
  else if (is_arithmetic (expr))
    r = in_type (expr, reach_of_binary (expr, made_reach (self, ls_lhs (expr)), made_reach (self, ls_rhs (expr))));
  else
    r = reach_of_bound (self, expr);
  if (ls_is_call (expr, "tir.shift_right"))
    r.known &= made_reach (self, ls_array_at (args, 0, LsExpr)).known;
  ls_visit_leave (self);
  return reach (r.known, r.min, r.max);
}

/* Does made_reach look at what it is made of? */
static gboolean
is_made (LsExpr *expr)
{
  return is_arithmetic (expr) || is_narrowed (expr) || ls_is (expr, SELECT) || ls_is (expr, BROADCAST) || ls_is_call (expr, "tir.if_then_else") ||
         ls_is_call (expr, "tir.shift_right");
}

/* Of an end that is not known nothing is said: texts are as if a variable of which nothing is known, or only that it is a size, were
 * small. */
static Reach
reach_of_operand (Look   *self,
                  LsExpr *expr)
{
  LsConstIntBound bound = ls_bound_of (self->analyzer, expr);
  Reach b = reach_of_ends (expr, bound), made;
  guint far = (bound.min < -SMALL ? LOWER : 0) | (bound.max > SMALL ? UPPER : 0);

  if (far == 0 || !is_made (expr))
    return b;
  made = made_reach (self->analyzer, expr);
  return both_hold (reach (b.known & (made.known | (guint) (BOTH & ~far)), b.min, b.max), made);
}

/* A product of two numbers of 64 bits leaves by more than a few thousand of them added up may do; exact below that, since one of them must not hide
 * others. */
static void
add_excess (Look       *self,
            __int128_t  excess)
{
  const __int128_t most = (__int128_t) 1 << 112;

  self->excess = MIN (self->excess + MIN (excess, most), most << 12);
}

static Reach
reach_of (Look   *self,
          LsExpr *expr)
{
  LsDType t = ls_dtype_element (ls_dtype (expr));
  __int128_t min = ls_dtype_int_min (t), max = ls_dtype_int_max (t);
  Reach a, b, r;

  if (!is_sum (expr))
    {
      if (!ls_is_imm (expr) && !ls_is_var (expr) && !self->shallow)
        ls_walk (expr, look_at, NULL, self);
      if (ls_is_var (expr) && !self->shallow)
        look_at_value (self, (LsVar *) expr);
      if (ls_is_imm (expr))
        return (Reach) { BOTH, ls_imm (expr), ls_imm (expr) };
      return reach_of_operand (self, expr);
    }
  if (!ls_visit_enter (self->analyzer))
    return (Reach) { 0 };
  a = reach_of (self, ls_lhs (expr));
  b = reach_of (self, ls_rhs (expr));
  ls_visit_leave (self->analyzer);
  r = reach_of_binary (expr, a, b);
  if ((r.known & LOWER) != 0 && r.min < min)
    add_excess (self, min - r.min);
  if ((r.known & UPPER) != 0 && r.max > max)
    add_excess (self, r.max - max);
  return in_type (expr, r);
}

static LsWalk
look_at (LsNode  *node,
         gpointer user_data)
{
  Look *self = user_data;

  if (ls_is_var (node))
    look_at_value (self, (LsVar *) node);
  if (!ls_is_expr_node (node) || !is_sum ((LsExpr *) node))
    return LS_WALK_CONTINUE;
  reach_of (self, (LsExpr *) node);
  return LS_WALK_PRUNE;
}

__int128_t
ls_excess (LsAnalyzer *self,
           LsExpr     *expr)
{
  Look look = { self, 0, FALSE };

  ls_walk (expr, look_at, NULL, &look);
  return look.excess;
}

gboolean
ls_sum_may_leave (LsAnalyzer *self,
                  LsExpr     *expr)
{
  Look look = { self, 0, TRUE };

  reach_of (&look, expr);
  return look.excess > 0;
}

static LsExpr *
without_factor (LsExpr *expr)
{
  return ls_is (expr, MUL) && ls_is_imm (ls_rhs (expr)) ? ls_lhs (expr) : expr;
}

static gboolean
is_side_of (LsExpr *side,
            LsExpr *comparison)
{
  return ls_deep_equal (side, ls_lhs (comparison)) || ls_deep_equal (side, ls_rhs (comparison));
}

/* Of two sums that may leave their type none is right wherever the other is, by how much ever they do; of one thing times two numbers one is. */
gboolean
ls_leaves_elsewhere (LsAnalyzer *self,
                     LsExpr     *expr,
                     LsExpr     *result)
{
  if (self->proves)
    return FALSE;
  if (ls_is (expr, FLOOR_MOD) && ls_is (result, FLOOR_MOD))
    return without_factor (ls_lhs (expr)) != without_factor (ls_lhs (result)) && ls_sum_may_leave (self, ls_lhs (result));
  if (!ls_kind_is_compare (ls_kind (expr)) || !ls_kind_is_compare (ls_kind (result)))
    return FALSE;
  return (!is_side_of (ls_lhs (result), expr) && ls_sum_may_leave (self, ls_lhs (result))) ||
         (!is_side_of (ls_rhs (result), expr) && ls_sum_may_leave (self, ls_rhs (result)));
}

/* ---- what takes the place of a load ---------------------------------------- */

static LsWalk
look_for_unknown (LsNode   *node,
                  gpointer  analyzer)
{
  LsConstIntBound known, all;

  if (!ls_is_var (node))
    return LS_WALK_CONTINUE;
  known = ls_bound_of (analyzer, LS_EXPR (node));
  all = ls_bound_everything (ls_dtype (node));
  return known.min <= all.min || known.max >= all.max ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_shift (LsExpr *expr)
{
  return ls_is_call (expr, "tir.shift_left");
}

static LsExpr *
operand (LsExpr *expr,
         guint   i)
{
  return is_shift (expr) ? ls_array_at (((LsCall *) expr)->args, i, LsExpr) : i == 0 ? ls_lhs (expr) : ls_rhs (expr);
}

static gboolean
may_leave (LsAnalyzer *self,
           LsExpr     *expr)
{
  LsConstIntBound a, b;

  if (!is_shift (expr))
    return ls_leaves_type (self, expr);
  a = ls_bound_of (self, operand (expr, 0));
  b = ls_bound_of (self, operand (expr, 1));
  return a.min < 0 || b.min < 0 || b.max >= ls_dtype (expr).bits || a.max > ls_dtype_int_max (ls_dtype_element (ls_dtype (expr))) >> b.max;
}

LsExpr *
ls_wrap_as_data (LsAnalyzer *self,
                 LsExpr     *expr,
                 LsExpr     *result)
{
  LsDType dtype = ls_dtype (result), wrapping = dtype;
  gboolean wraps = is_shift (result) || ls_is (result, ADD) || ls_is (result, SUB) || ls_is (result, MUL);
  LsExpr *a, *b, *wrapped;

  if (result == expr || !wraps || dtype.code != LS_TYPE_INT || dtype.bits < 32 || !ls_is_data (self, expr) || ls_is_data (self, result))
    return result;
  if (!ls_walk (result, look_for_unknown, NULL, self) || !may_leave (self, result))
    return result;
  wrapping.code = LS_TYPE_UINT;
  a = ls_cast (wrapping, ls_ref (operand (result, 0)));
  b = ls_cast (wrapping, ls_ref (operand (result, 1)));
  wrapped = is_shift (result) ? ls_call_new (wrapping, ls_ref (((LsCall *) result)->op), ls_array_of (a, b, NULL)) : ls_binary_new (ls_kind (result), a, b);
  ls_unref (result);
  return ls_cast_new (dtype, wrapped);
}
