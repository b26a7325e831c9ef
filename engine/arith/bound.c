/* bound: the lowest and the highest value of an expression.
 *
 * Interval arithmetic bottom up over the tree.  LS_NEG_INF and LS_POS_INF are "not known"; everything saturates.
 * Constraints that were entered narrow any subexpression that equals theirs.  A divisor whose range starts at 0
 * is taken to be 1 at least, as in TVM: a valid program does not divide by zero.
 * Source of the concept: TVM's ConstIntBoundAnalyzer.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"

#include <math.h>

/* A least number that is beyond the largest is at least that, and not without end: x * -2^62 of x = 2 is -2^63, and -2^62 less that is 2^62. */
static LsConstIntBound
bound (gint64 min,
       gint64 max)
{
  if (min <= LS_NEG_INF)
    min = LS_NEG_INF;
  if (max <= LS_NEG_INF)
    max = LS_NEG_INF + 1;
  return (LsConstIntBound) { min == LS_POS_INF ? min - 1 : min, max };
}

static LsConstIntBound
unite (LsConstIntBound a,
       LsConstIntBound b)
{
  return (LsConstIntBound) { MIN (a.min, b.min), MAX (a.max, b.max) };
}

static LsConstIntBound
intersect (LsConstIntBound a,
           LsConstIntBound b)
{
  return (LsConstIntBound) { MAX (a.min, b.min), MIN (a.max, b.max) };
}

LsConstIntBound
ls_bound_everything (LsDType dtype)
{
  if (dtype.code != LS_TYPE_INT && dtype.code != LS_TYPE_UINT)
    return (LsConstIntBound) { LS_NEG_INF, LS_POS_INF };
  if (dtype.bits >= 64)
    return (LsConstIntBound) { dtype.code == LS_TYPE_UINT ? 0 : LS_NEG_INF, LS_POS_INF };
  dtype.lanes = 1;
  return (LsConstIntBound) { ls_dtype_int_min (dtype), ls_dtype_int_max (dtype) };
}

typedef gint64 (*EndFunc) (gint64 a, gint64 b);

/* The image of two intervals under a function that is monotonic in each argument: one of the four corners. */
static LsConstIntBound
corners (LsConstIntBound a,
         LsConstIntBound b,
         EndFunc         f)
{
  gint64 v[4] = { f (a.min, b.min), f (a.max, b.max), f (a.min, b.max), f (a.max, b.min) };

  return (LsConstIntBound) { MIN (MIN (v[0], v[1]), MIN (v[2], v[3])), MAX (MAX (v[0], v[1]), MAX (v[2], v[3])) };
}

static gboolean
is_infinite (gint64 a)
{
  return a == LS_POS_INF || a <= LS_NEG_INF;
}

static gint64
end_div (gint64 a,
         gint64 b)
{
  if (is_infinite (a))
    return b > 0 ? a : ls_sat_neg (a);
  return ls_trunc_div (a, b);
}

static gint64
end_floor_div (gint64 a,
               gint64 b)
{
  if (is_infinite (a))
    return b > 0 ? a : ls_sat_neg (a);
  return ls_floor_div (a, b);
}

static gint64
end_shift_left (gint64 a,
                gint64 b)
{
  gint64 result;

  if (is_infinite (a))
    return a;
  if (a == 0)
    return 0;
  if (b >= 63 || __builtin_mul_overflow (a, (gint64) 1 << b, &result))
    return LS_POS_INF;
  return result;
}

static gint64
end_shift_right (gint64 a,
                 gint64 b)
{
  if (is_infinite (a))
    return a;
  return a >> MIN (b, 63);
}

/* Divisors of both signs: the quotient is largest next to zero, on either side. */
static LsConstIntBound
quotient (LsConstIntBound a,
          LsConstIntBound b,
          LsDType         dtype,
          EndFunc         f)
{
  LsConstIntBound below, above;

  if (b.min > b.max || (b.min == 0 && b.max == 0))
    return ls_bound_everything (dtype);
  if (b.min > 0 || b.max < 0)
    return corners (a, b, f);
  if (b.min == 0)
    return corners (a, bound (1, b.max), f);
  below = corners (a, bound (b.min, -1), f);
  if (b.max == 0)
    return below;
  above = corners (a, bound (1, b.max), f);
  return unite (below, above);
}

/* [0, n] as a divisor means [1, n]. */
static LsConstIntBound
nonzero_divisor (LsConstIntBound b)
{
  if (b.min == 0 && b.max >= 1)
    b.min = 1;
  return b;
}

static LsConstIntBound
bound_of_trunc_mod (LsConstIntBound a,
                    LsConstIntBound b,
                    LsDType         dtype)
{
  gint64 cap;

  b = nonzero_divisor (b);
  if (b.min <= 0)
    return ls_bound_everything (dtype);
  cap = ls_sat_add (b.max, -1);
  if (a.min >= 0)
    return a.max < b.min ? a : bound (0, MIN (a.max, cap));
  return bound (MAX (a.min, ls_sat_neg (cap)), MIN (MAX (a.max, 0), cap));
}

static LsConstIntBound
bound_of_floor_mod (LsConstIntBound a,
                    LsConstIntBound b,
                    LsDType         dtype)
{
  gint64 cap;

  b = nonzero_divisor (b);
  if (b.min == 0 && b.max == 0)
    return ls_bound_everything (dtype);
  if (b.min > 0)
    {
      cap = ls_sat_add (b.max, -1);
      if (a.min >= 0)
        return a.max < b.min ? a : bound (0, MIN (a.max, cap));
      return bound (0, cap);
    }
  return intersect (bound (MIN (0, ls_sat_add (b.min, 1)), MAX (0, ls_sat_add (b.max, -1))),
                    ls_bound_everything (dtype));
}

/* Numbers of narrow and of unsigned types wrap, and those that come out of memory; floats are rounded, become infinite or NaN. */
static LsConstIntBound
held_by (LsAnalyzer      *self,
         LsExpr          *expr,
         LsConstIntBound  exact)
{
  LsDType dtype = ls_dtype (expr);
  LsConstIntBound all = ls_bound_everything (dtype);

  if (ls_dtype_is_float (dtype))
    return all;
  if (dtype.code == LS_TYPE_INT && dtype.bits >= 32 && !ls_is_data (self, expr))
    return bound (exact.min, exact.max);
  return exact.min >= all.min && exact.max <= all.max && exact.max != LS_POS_INF && (exact.min > LS_NEG_INF || all.min == 0) ? exact : all;
}

static LsConstIntBound
bound_of_binary (LsAnalyzer *self,
                 LsExpr     *expr)
{
  LsDType dtype = ls_dtype (expr);
  LsConstIntBound a, b;

  if (ls_kind_is_compare (ls_kind (expr)) || ls_is (expr, AND) || ls_is (expr, OR))
    return ls_bound_everything (dtype);
  a = ls_bound_of (self, ls_lhs (expr));
  b = ls_bound_of (self, ls_rhs (expr));
  if (ls_is (expr, ADD))
    return held_by (self, expr, (LsConstIntBound) { ls_sat_add (a.min, b.min), ls_sat_add (a.max, b.max) });
  if (ls_is (expr, SUB))
    return held_by (self, expr, (LsConstIntBound) { ls_sat_add (a.min, ls_sat_neg (b.max)), ls_sat_add (a.max, ls_sat_neg (b.min)) });
  if (ls_is (expr, MUL))
    return held_by (self, expr, corners (a, b, ls_sat_mul));
  if (ls_is (expr, DIV))
    return held_by (self, expr, quotient (a, nonzero_divisor (b), dtype, end_div));
  if (ls_is (expr, FLOOR_DIV))
    return held_by (self, expr, quotient (a, nonzero_divisor (b), dtype, end_floor_div));
  if (ls_dtype_is_float (dtype) && (a.min <= LS_NEG_INF || a.max == LS_POS_INF || b.min <= LS_NEG_INF || b.max == LS_POS_INF))     /* of NaN and a number: NaN */
    return ls_bound_everything (dtype);
  if (ls_is (expr, MOD))
    return bound_of_trunc_mod (a, b, dtype);
  if (ls_is (expr, FLOOR_MOD))
    return bound_of_floor_mod (a, b, dtype);
  if (ls_is (expr, MIN))
    return (LsConstIntBound) { MIN (a.min, b.min), MIN (a.max, b.max) };
  return (LsConstIntBound) { MAX (a.min, b.min), MAX (a.max, b.max) };
}

static gboolean
is_quotient (LsNode *node)
{
  return ls_is (node, DIV) || ls_is (node, FLOOR_DIV);
}

gboolean
ls_leaves_type (LsAnalyzer *self,
                LsExpr     *expr)
{
  LsConstIntBound a = ls_bound_of (self, ls_lhs (expr)), b = ls_bound_of (self, ls_rhs (expr)), exact;
  LsConstIntBound all = ls_bound_everything (ls_dtype (expr));

  if (is_quotient (LS_NODE (expr)))
    return all.min < 0 && a.min <= all.min && b.min <= -1 && b.max >= -1;
  if (ls_is (expr, MUL))
    exact = corners (a, b, ls_sat_mul);
  else if (ls_is (expr, ADD))
    exact = (LsConstIntBound) { ls_sat_add (a.min, b.min), ls_sat_add (a.max, b.max) };
  else
    exact = (LsConstIntBound) { ls_sat_add (a.min, ls_sat_neg (b.max)), ls_sat_add (a.max, ls_sat_neg (b.min)) };
  return exact.min <= LS_NEG_INF || exact.max == LS_POS_INF || exact.min < all.min || exact.max > all.max;
}

static LsWalk
find_wrapping (LsNode   *node,
               gpointer  analyzer)
{
  if (!ls_is_expr_node (node) || !ls_is_data (analyzer, LS_EXPR (node)) || ls_is (node, BUFFER_LOAD) || ls_is (node, CALL))
    return LS_WALK_PRUNE;
  if ((ls_is (node, ADD) || ls_is (node, SUB) || ls_is (node, MUL) || is_quotient (node)) && !ls_dtype_is_float (ls_dtype (node)) &&
      ls_leaves_type (analyzer, LS_EXPR (node)))
    return LS_WALK_STOP;
  return LS_WALK_CONTINUE;
}

static gboolean
is_ring (LsExpr *expr)
{
  return ls_is (expr, ADD) || ls_is (expr, SUB) || ls_is (expr, MUL);
}

/* A quotient, a minimum or the like, or such a thing times something. */
static gboolean
has_quotient (LsExpr *expr)
{
  if (ls_is (expr, MUL))
    return has_quotient (ls_lhs (expr)) || has_quotient (ls_rhs (expr));
  return ls_kind_is_binary (ls_kind (expr)) && !is_ring (expr);
}

gboolean
ls_is_beyond_ring (LsAnalyzer *self,
                   LsExpr     *expr)
{
  if (!ls_is_data (self, expr) || ls_dtype_is_float (ls_dtype (ls_lhs (expr))))
    return FALSE;
  return !is_ring (expr) || has_quotient (ls_lhs (expr)) || has_quotient (ls_rhs (expr));
}

/* Of an index too: what stays in its type by its bounds is the number, whatever wrapped on the way to it. */
static LsWalk
find_leaving (LsNode   *node,
              gpointer  analyzer)
{
  return ls_is_expr_node (node) && is_ring (LS_EXPR (node)) && ls_leaves_type (analyzer, LS_EXPR (node)) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_forgets_to_wrap (LsAnalyzer *self,
                    LsExpr     *expr,
                    LsExpr     *result)
{
  if (!ls_is_data (self, expr) || ls_is_imm (result) || ls_is_var (result))
    return FALSE;
  if (!ls_is_data (self, result))
    return ls_may_wrap (self, expr) && !ls_walk (result, find_leaving, NULL, self);
  return ls_is_beyond_ring (self, expr) && ls_may_wrap (self, result) && !ls_may_wrap (self, expr);
}

LsExpr *
ls_keep_wrapping (LsAnalyzer *self,
                  LsExpr     *expr,
                  LsExpr     *result)
{
  LsExpr *kept;

  if (ls_is_data (self, result) || !ls_forgets_to_wrap (self, expr, result))
    return result;
  kept = ls_is_imm (ls_lhs (result)) && ls_is_imm (ls_rhs (result)) ? ls_try_fold (ls_kind (result), ls_lhs (result), ls_rhs (result)) : NULL;
  ls_unref (result);
  return kept != NULL ? kept : ls_ref (expr);
}

gboolean
ls_may_wrap (LsAnalyzer *self,
             LsExpr     *expr)
{
  return ls_is_data (self, expr) && !ls_walk (expr, find_wrapping, NULL, self);
}

static LsConstIntBound
bound_of_bitwise_and (LsConstIntBound a,
                      LsConstIntBound b,
                      LsDType         dtype)
{
  if (a.min >= 0 && b.min >= 0)
    return bound (0, MIN (a.max, b.max));
  if (b.min >= 0)
    return bound (0, b.max);
  if (a.min >= 0)
    return bound (0, a.max);
  return ls_bound_everything (dtype);
}

static LsConstIntBound
bound_of_call (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsDType dtype = ls_dtype (expr);
  LsArray *args = ((LsCall *) expr)->args;
  LsConstIntBound a, b;

  if (ls_is_call (expr, "tir.vscale") && ls_arith_get_vscale () > 0)
    return bound (1, ls_arith_get_vscale ());
  if (ls_array_n (args) != 2 ||
      !(ls_is_call (expr, "tir.shift_right") || ls_is_call (expr, "tir.shift_left") ||
        ls_is_call (expr, "tir.bitwise_and")))
    return ls_bound_everything (dtype);
  a = ls_bound_of (self, ls_array_at (args, 0, LsExpr));
  b = ls_bound_of (self, ls_array_at (args, 1, LsExpr));
  if (ls_is_call (expr, "tir.bitwise_and"))
    return bound_of_bitwise_and (a, b, dtype);
  if (b.min < 0 || (ls_is_call (expr, "tir.shift_left") && a.min < 0))
    return ls_bound_everything (dtype);
  return held_by (self, expr, corners (a, b, ls_is_call (expr, "tir.shift_left") ? end_shift_left : end_shift_right));
}

/* A number of bits: int (ceil (log2 (x))). */
static gint64
ceil_log2 (double x)
{
  double bits = ceil (log2 (x));

  if (isnan (bits) || bits <= -9e18)
    return LS_NEG_INF;
  return bits >= 9e18 ? LS_POS_INF : (gint64) bits;
}

/* An index is taken to fit into the index type that it is cast to, as TVM does; what is loaded, and every other cast
 * that does not keep the value, wraps. */
gboolean
ls_cast_keeps_index (LsAnalyzer *self,
                     LsExpr     *value,
                     LsDType     to)
{
  LsDType from = ls_dtype (value);

  return from.code == LS_TYPE_INT && from.bits >= 32 && to.code == LS_TYPE_INT && to.bits >= 32 &&
         !ls_is_data (self, value);
}

/* The whole numbers of so many bits are floats of the type. */
static guint
whole_bits (LsDType type)
{
  if (type.code == LS_TYPE_FLOAT)
    return type.bits >= 64 ? 53 : type.bits >= 32 ? 24 : 11;
  return type.code == LS_TYPE_BFLOAT ? 8 : 0;
}

/* What a float is known to be is known of whole numbers that it holds. */
static LsConstIntBound
after_rounding (LsDType         to,
                LsConstIntBound given)
{
  gint64 most = (gint64) 1 << whole_bits (to);

  return given.min >= -most && given.max <= most ? given : ls_bound_everything (to);
}

static LsConstIntBound
after_cast (LsAnalyzer      *self,
            LsExpr          *value,
            LsDType          to,
            LsConstIntBound  given)
{
  LsConstIntBound all = ls_bound_everything (to);
  LsConstIntBound both = intersect (given, all);
  gboolean beyond = ls_dtype (value).code == LS_TYPE_UINT && ls_dtype (value).bits == 64 && given.max == LS_POS_INF &&
                    !(to.code == LS_TYPE_UINT && to.bits == 64);

  if (ls_dtype_is_float (to))
    return ls_dtype_is_float (ls_dtype (value)) && whole_bits (to) >= whole_bits (ls_dtype (value)) ? given : after_rounding (to, given);
  if (given.min >= all.min && given.max <= all.max && !beyond)
    return given;
  return ls_cast_keeps_index (self, value, to) && both.min <= both.max ? both : all;
}

static LsConstIntBound
bound_of_cast (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsExpr *value = ((LsCast *) expr)->value;
  LsConstIntBound all = ls_bound_everything (ls_dtype (expr));
  LsExpr *inner, *arg;
  LsConstIntBound a;

  if (!ls_dtype_is_int (ls_dtype (expr)) || !ls_is_call (value, "tir.ceil"))
    return after_cast (self, value, ls_dtype (expr), ls_bound_of (self, value));
  inner = ls_array_at (((LsCall *) value)->args, 0, LsExpr);
  if (!ls_is_call (inner, "tir.log2"))
    return after_cast (self, value, ls_dtype (expr), ls_bound_of (self, value));
  arg = ls_array_at (((LsCall *) inner)->args, 0, LsExpr);
  if (ls_is (arg, FLOAT_IMM))
    {
      gint64 bits = ceil_log2 (((LsFloatImm *) arg)->value);

      return intersect (bound (bits, bits), all);
    }
  a = ls_bound_of (self, arg);
  return intersect (bound (a.min <= 0 ? LS_NEG_INF : ceil_log2 ((double) a.min),
                           a.max == LS_POS_INF ? LS_POS_INF : ceil_log2 ((double) a.max)), all);
}

/* base + i * stride is linear in i: the ends are at i = 0 and i = lanes - 1. */
static LsConstIntBound
bound_of_ramp (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsRamp *ramp = (LsRamp *) expr;
  LsConstIntBound base = ls_bound_of (self, ramp->base);
  LsConstIntBound stride = ls_bound_of (self, ramp->stride);
  LsConstIntBound lanes = ls_bound_of (self, ramp->lanes);
  LsConstIntBound last = corners (stride, bound (ls_sat_add (lanes.min, -1), ls_sat_add (lanes.max, -1)), ls_sat_mul);

  if (ls_ramp_wraps (ramp))
    return ls_bound_everything (ls_dtype (ramp->base));
  return unite (base, (LsConstIntBound) { ls_sat_add (base.min, last.min), ls_sat_add (base.max, last.max) });
}

static LsConstIntBound
bound_of_var (LsAnalyzer *self,
              LsExpr     *expr)
{
  LsKnownVar *known = ls_known_vars_find (&self->known, expr);

  if (known != NULL && known->bounded)
    return known->bound;
  if (ls_is (expr, SIZE_VAR))
    return (LsConstIntBound) { 0, LS_POS_INF };
  return ls_bound_everything (ls_dtype (expr));
}

static void
set_bound (LsAnalyzer      *self,
           LsVar           *var,
           LsConstIntBound  info)
{
  LsKnownVar *known = ls_known_vars_get (&self->known, var);

  known->bounded = TRUE;
  known->bound = info;
}

static LsConstIntBound
bound_of_let (LsAnalyzer *self,
              LsExpr     *expr)
{
  LsLet *let = (LsLet *) expr;
  LsConstIntBound before = { 0 }, value = ls_bound_of (self, let->value), body;
  gboolean bounded = ls_analyzer_get_bound (self, let->var, &before);

  set_bound (self, let->var, value);
  body = ls_bound_of (self, let->body);
  set_bound (self, let->var, before);
  ls_known_vars_get (&self->known, let->var)->bounded = bounded;
  return body;
}

/* The upper half of uint64 is beyond what bounds can say. */
static gboolean
is_huge (LsExpr *number)
{
  return ls_dtype_is_uint (ls_dtype (number)) && ls_imm (number) < 0;
}

static LsConstIntBound
bound_of_number (LsExpr *number)
{
  return is_huge (number) ? bound (LS_POS_INF, LS_POS_INF) : bound (ls_imm (number), ls_imm (number));
}

static LsConstIntBound
bound_of_node (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsKind kind = ls_kind (expr);

  if (ls_kind_is_binary (kind))
    return bound_of_binary (self, expr);
  if (kind == LS_KIND_INT_IMM)
    return bound_of_number (expr);
  if (ls_is_var (expr))
    return bound_of_var (self, expr);
  if (kind == LS_KIND_SELECT)
    return unite (ls_bound_of (self, ((LsSelect *) expr)->true_value),
                  ls_bound_of (self, ((LsSelect *) expr)->false_value));
  if (kind == LS_KIND_CAST)
    return bound_of_cast (self, expr);
  if (kind == LS_KIND_CALL)
    return bound_of_call (self, expr);
  if (kind == LS_KIND_RAMP)
    return bound_of_ramp (self, expr);
  if (kind == LS_KIND_BROADCAST)
    return ls_bound_of (self, ((LsBroadcast *) expr)->value);
  if (kind == LS_KIND_LET)
    return bound_of_let (self, expr);
  return ls_bound_everything (ls_dtype (expr));
}

static const LsBoundFact *
last_fact (LsAnalyzer *self,
           LsExpr     *expr)
{
  guint at = self->bound_facts->len > 0 ? ls_fact_index_last (&self->bound_index, ls_fact_hash (expr)) : 0;

  while (at > 0 && !ls_deep_equal (expr, g_array_index (self->bound_facts, LsBoundFact, at - 1).expr))
    at = ls_fact_index_before (&self->bound_index, at);
  return at > 0 ? &g_array_index (self->bound_facts, LsBoundFact, at - 1) : NULL;
}

LsConstIntBound
ls_bound_of (LsAnalyzer *self,
             LsExpr     *expr)
{
  LsConstIntBound result;
  const LsBoundFact *fact;

  if (ls_is_imm (expr))
    return bound_of_number (expr);
  if (!ls_visit_enter (self))
    return ls_bound_everything (ls_dtype (expr));
  result = bound_of_node (self, expr);
  fact = last_fact (self, expr);
  if (fact != NULL)
    result = intersect (result, fact->bound);
  ls_visit_leave (self);
  return result;
}

void
ls_analyzer_update_bound (LsAnalyzer      *self,
                          LsVar           *var,
                          LsConstIntBound  info,
                          gboolean         allow_override)
{
  ls_analyzer_forget (self);
  if (!allow_override && ls_analyzer_is_bound (self, var))
    return;
  set_bound (self, var, bound (info.min, info.max));
}

gboolean
ls_analyzer_is_bound (LsAnalyzer *self,
                      LsVar      *var)
{
  LsKnownVar *known = ls_known_vars_find (&self->known, var);

  return known != NULL && known->bounded;
}

gboolean
ls_analyzer_get_bound (LsAnalyzer      *self,
                       LsVar           *var,
                       LsConstIntBound *given)
{
  LsKnownVar *known = ls_known_vars_find (&self->known, var);

  if (known == NULL || !known->bounded)
    return FALSE;
  *given = known->bound;
  return TRUE;
}

LsConstIntBound
ls_analyzer_range_bound (LsAnalyzer *self,
                         LsRange    *range)
{
  LsConstIntBound min = ls_bound_of (self, range->min);
  LsConstIntBound extent = ls_bound_of (self, range->extent);

  return (LsConstIntBound) { min.min, ls_sat_add (min.max, ls_sat_add (extent.max, -1)) };
}

void
ls_bound_bind_range (LsAnalyzer *self,
                     LsVar      *var,
                     LsRange    *range,
                     gboolean    allow_override)
{
  ls_analyzer_update_bound (self, var, ls_analyzer_range_bound (self, range), allow_override);
}

/* ---- constraints ---- */

static void
add_fact (LsAnalyzer *self,
          LsExpr     *expr,
          gint64      min,
          gint64      max)
{
  LsBoundFact fact = { NULL, bound (min, max) };
  const LsBoundFact *before;

  if (ls_is_imm (expr) || ls_expr_effect (expr) > LS_EFFECT_READ_STATE)
    return;
  before = last_fact (self, expr);
  if (before != NULL)
    fact.bound = intersect (fact.bound, before->bound);
  fact.expr = ls_ref (expr);
  g_array_append_val (self->bound_facts, fact);
  ls_fact_index_push (&self->bound_index, ls_fact_hash (expr));
}

/* c op x, with the operator as it reads from left to right. */
static void
add_comparison (LsAnalyzer *self,
                LsKind      kind,
                gint64      c,
                LsExpr     *x)
{
  if (kind == LS_KIND_LE)
    add_fact (self, x, c, LS_POS_INF);
  else if (kind == LS_KIND_LT)
    add_fact (self, x, ls_sat_add (c, 1), LS_POS_INF);
  else if (kind == LS_KIND_GE)
    add_fact (self, x, LS_NEG_INF, c);
  else if (kind == LS_KIND_GT)
    add_fact (self, x, LS_NEG_INF, ls_sat_add (c, -1));
  else if (kind == LS_KIND_EQ)
    add_fact (self, x, c, c);
}

static LsKind
turned (LsKind kind)
{
  if (kind == LS_KIND_LT)
    return LS_KIND_GT;
  if (kind == LS_KIND_LE)
    return LS_KIND_GE;
  if (kind == LS_KIND_GT)
    return LS_KIND_LT;
  if (kind == LS_KIND_GE)
    return LS_KIND_LE;
  return kind;
}

void
ls_bound_enter (LsAnalyzer *self,
                LsExpr     *constraint)
{
  g_autoptr (GPtrArray) terms = ls_constraint_split (constraint, TRUE);

  for (guint i = 0; i < terms->len; i++)
    {
      LsExpr *term = terms->pdata[i];

      if (!ls_kind_is_compare (ls_kind (term)))
        continue;
      if ((ls_is_imm (ls_lhs (term)) && is_huge (ls_lhs (term))) || (ls_is_imm (ls_rhs (term)) && is_huge (ls_rhs (term))))
        continue;
      if (ls_is_imm (ls_lhs (term)))
        add_comparison (self, ls_kind (term), ls_imm (ls_lhs (term)), ls_rhs (term));
      else if (ls_is_imm (ls_rhs (term)))
        add_comparison (self, turned (ls_kind (term)), ls_imm (ls_rhs (term)), ls_lhs (term));
    }
}
