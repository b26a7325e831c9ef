/* rewrite-div: rules of the two divisions and their remainders.
 *
 * Truncated division needs the signs of its operands in almost every rule, floor division in hardly any: that is
 * why indices use the latter.  Results hold smaller divisors, smaller coefficients, or no division at all.
 * A divisor is taken to be no zero, as everywhere in index arithmetic; a constant zero matches no rule.
 */
#include "engine/arith/arith-private.h"

#include <float.h>
#include <math.h>

/* ---- truncated division ---- */

static const LsRule div_vectors[] = {
  RULE ("tdiv (bcast (x, l), bcast (y, l))", "bcast (tdiv (x, y), l)"),
};
LS_RULE_TABLE (ls_rules_div_vector, div_vectors, "div/vector", LS_RULE_ANY);

static const LsRule div_indices[] = {
  RULE_IF ("tdiv (tdiv (x, c1), c2)", "tdiv (x, c1 * c2)", "c1 > 0 && c2 > 0"),
  RULE_IF ("tdiv (tdiv (x, c1) + c2, c3)", "tdiv (x + c1 * c2, c1 * c3)", "c1 > 0 && c2 >= 0 && c3 > 0 && ge (x, 0)"),
  RULE_IF ("tdiv (x * c1, c2)", "x * tdiv (c1, c2)", "c1 > 0 && c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("tdiv (x * c1, c2)", "tdiv (x, tdiv (c2, c1))", "c1 > 0 && c2 > 0 && c2 % c1 == 0"),
  RULE ("tdiv (x, x)", "1"),
  RULE ("tdiv (x ~* c1, x)", "c1"),

  RULE_IF ("tdiv (x * c1 + y, c2)", "x * tdiv (c1, c2) + tdiv (y, c2)",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv (min (x * c1, y), c2)", "min (x * tdiv (c1, c2), tdiv (y, c2))",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv (max (x * c1, y), c2)", "max (x * tdiv (c1, c2), tdiv (y, c2))",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv (y + x * c1, c2)", "tdiv (y, c2) + x * tdiv (c1, c2)",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv (min (y, x * c1), c2)", "min (tdiv (y, c2), x * tdiv (c1, c2))",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv (max (y, x * c1), c2)", "max (tdiv (y, c2), x * tdiv (c1, c2))",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y, 0)"),

  RULE_IF ("tdiv (x * c1 + y + z, c2)", "x * tdiv (c1, c2) + tdiv (y + z, c2)",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y + z, 0)"),
  RULE_IF ("tdiv (x * c1 - y + z, c2)", "x * tdiv (c1, c2) + tdiv (z - y, c2)",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (z - y, 0)"),
  RULE_IF ("tdiv (x * c1 + y - z, c2)", "x * tdiv (c1, c2) + tdiv (y - z, c2)",
           "c1 >= 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y - z, 0)"),
  RULE_IF ("tdiv (y + x * c1 + z, c2)", "x * tdiv (c1, c2) + tdiv (y + z, c2)",
           "c1 > 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y + z, 0)"),
  RULE_IF ("tdiv (x + c1, c2)", "tdiv (x, c2) + tdiv (c1, c2)", "c1 > 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0)"),
  RULE_IF ("tdiv (x ~+ y, x)", "tdiv (y, x) + 1", "ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv ((x + y) + z, x); tdiv ((y + x) + z, x); tdiv (y + (z + x), x); tdiv (y + (x + z), x)",
           "tdiv (y + z, x) + 1", "ge (x, 0) && ge (y + z, 0)"),
  RULE_IF ("tdiv (x ~* y, y)", "x", "ge (x, 0) && ge (y, 0)"),
  RULE_IF ("tdiv ((x ~* z) + y, z)", "x + tdiv (y, z)", "ge (x, 0) && ge (y, 0) && ge (z, 0)"),
  RULE_IF ("tdiv (y + (x ~* z), z)", "tdiv (y, z) + x", "ge (x, 0) && ge (y, 0) && ge (z, 0)"),
};
LS_RULE_TABLE (ls_rules_div_index, div_indices, "div/index", LS_RULE_INDEX);

static const LsRule mod_vectors[] = {
  RULE ("tmod (bcast (x, l), bcast (y, l))", "bcast (tmod (x, y), l)"),
};
LS_RULE_TABLE (ls_rules_mod_vector, mod_vectors, "mod/vector", LS_RULE_ANY);

static const LsRule mod_indices[] = {
  RULE_IF ("tmod (x * c1, c2)", "0", "c2 != 0 && c1 % c2 == 0"),
  RULE_IF ("tmod (x * c1 + y, c2)", "tmod (y, c2)", "c2 > 0 && c1 % c2 == 0 && ge (x * c1, 0) && ge (y, 0)"),
  RULE_IF ("tmod (x + c1, c2)", "tmod (x, c2)", "c2 > 0 && c1 >= 0 && c1 % c2 == 0 && ge (x, 0)"),
  RULE_IF ("tmod (x + y * c1, c2)", "tmod (x, c2)", "c2 > 0 && c1 % c2 == 0 && ge (x, 0) && ge (y * c1, 0)"),
  AGAIN_IF ("tmod (x, c1)", "tmod (x, 0 - c1)", "c1 < 0 && 0 - c1 > 0"),
};
LS_RULE_TABLE (ls_rules_mod_index, mod_indices, "mod/index", LS_RULE_INDEX);

/* ---- floor division ---- */

static const LsRule floor_div_vectors[] = {
  RULE ("bcast (x, l) // bcast (y, l)", "bcast (x // y, l)"),
};
LS_RULE_TABLE (ls_rules_floor_div_vector, floor_div_vectors, "floordiv/vector", LS_RULE_ANY);

static const LsRule floor_div_chains[] = {
  RULE_IF ("x // c1 // c2", "x // (c1 * c2)", "c1 > 0 && c2 > 0"),
  RULE_IF ("(x // c1 + c2) // c3", "(x + c1 * c2) // (c1 * c3)", "c1 > 0 && c3 > 0"),
};
LS_RULE_TABLE (ls_rules_floor_div_chain, floor_div_chains, "floordiv/chain", LS_RULE_INDEX);

static const LsRule floor_div_indices[] = {
  RULE ("x // x", "1"),
  RULE ("(x ~* c1) // x", "c1"),
  RULE ("(x % 2 + 1) // 2", "x % 2"),
  RULE_IF ("min (x * c1, y) // c2", "min (x * (c1 // c2), y // c2)", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("max (x * c1, y) // c2", "max (x * (c1 // c2), y // c2)", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("min (y, x * c1) // c2", "min (y // c2, x * (c1 // c2))", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("max (y, x * c1) // c2", "max (y // c2, x * (c1 // c2))", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("(x * c1 + y + z) // c2", "x * (c1 // c2) + (y + z) // c2", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("(x * c1 + y + z) // c2", "x // (c2 // c1)", "c1 > 0 && c2 > 0 && c2 % c1 == 0 && zero ((y + z) // c1)"),
  RULE_IF ("(x * c1 - y + z) // c2; (x * c1 + z - y) // c2", "x * (c1 // c2) + (z - y) // c2", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("(y + x * c1 + z) // c2", "x * (c1 // c2) + (y + z) // c2", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("(x + c1) // c2", "x // c2 + c1 // c2", "c2 > 0 && c1 % c2 == 0"),
  RULE_IF ("(x * c1) // (x * c2)", "c1 // c2", "c2 > 0"),
  RULE_IF ("(x ~+ y) // x", "y // x + 1", "ge (x, 0)"),
  RULE_IF ("((x + y) + z) // x; ((y + x) + z) // x; (y + (z + x)) // x; (y + (x + z)) // x", "(y + z) // x + 1", "ge (x, 0)"),
  RULE_IF ("(x ~* y) // y", "x", "ge (y, 0)"),
  RULE_IF ("((x ~* z) + y) // z", "x + y // z", "ge (z, 0)"),
  RULE_IF ("(y + (x ~* z)) // z", "y // z + x", "ge (z, 0)"),
  RULE_IF ("(x * z * c1 + y) // (z * c1)", "x + y // (z * c1)", "ge (z * c1, 0)"),
  RULE_IF ("(x - x % c1) // c1", "x // c1", "c1 != 0"),
  RULE_IF ("x // y", "0", "vscale (y) && ge (x, 0) && ge (y, 0) && prove (x < y)"),
};
LS_RULE_TABLE (ls_rules_floor_div_index, floor_div_indices, "floordiv/index", LS_RULE_INDEX);

static const LsRule floor_mod_vectors[] = {
  RULE ("bcast (x, l) % bcast (y, l)", "bcast (x % y, l)"),
};
LS_RULE_TABLE (ls_rules_floor_mod_vector, floor_mod_vectors, "floormod/vector", LS_RULE_ANY);

/* Coefficients and constants are reduced by the divisor.  A reduction that changes nothing is not repeated: its
 * result is not visited again. */
static const LsRule floor_mod_indices[] = {
  RULE_IF ("x * c1 % c2", "x * (c1 % c2) % c2", "c2 != 0"),
  RULE_IF ("(x * c1 + y) % c2", "x % (c2 // c1) * c1 + y", "c1 > 0 && c2 > 0 && c2 % c1 == 0 && zero (y // c1)"),
  RULE_IF ("(x * c1 + y) % c2", "(x * (c1 % c2) + y) % c2", "c2 > 0"),
  RULE_IF ("(x + c1) % c2", "(x + c1 % c2) % c2", "c2 > 0 && (c1 >= c2 || c1 < 0)"),
  RULE_IF ("(x + y * c1) % c2", "(x + y * (c1 % c2)) % c2", "c2 > 0"),
  RULE_IF ("(x * c1) % (x * c2); (c1 * x) % (c2 * x)", "x * (c1 % c2)", "c2 != 0"),
  RULE ("(x ~* y) % y", "0"),
  RULE_IF ("(x ~+ z % y) % y", "0", "zero ((x + z) % y)"),
  RULE_IF ("(x - x % z) % y; (x % z - x) % y", "0", "zero (y - z) || zero (y + z)"),
  RULE_IF ("(x * z * c1 + y) % (z * c1)", "y % (z * c1)", "ge (z * c1, 0)"),
  RULE_IF ("x % y", "x", "vscale (y) && ge (x, 0) && ge (y, 0) && prove (x < y)"),
};
LS_RULE_TABLE (ls_rules_floor_mod_index, floor_mod_indices, "floormod/index", LS_RULE_INDEX);

/* ---- what no pattern can say ---- */

typedef struct {
  LsExpr *base;
  gint64  stride;
  gint64  divisor;
  gint64  lanes;                /* 0: not known */
  LsExpr *lanes_expr;
} RampBy;

/* ramp (base, c1, lanes) divided by bcast (c2, lanes), c2 != 0 */
static gboolean
match_ramp_by (LsExpr *expr,
               RampBy *out)
{
  LsRamp *ramp = (LsRamp *) ls_lhs (expr);
  LsBroadcast *by = (LsBroadcast *) ls_rhs (expr);

  if (!ls_is (ramp, RAMP) || !ls_is (by, BROADCAST) || !ls_is_imm (ramp->stride) || !ls_is_imm (by->value) ||
      ls_imm (by->value) == 0 || ls_ramp_wraps (ramp))
    return FALSE;
  *out = (RampBy) { ramp->base, ls_imm (ramp->stride), ls_imm (by->value), 0, ramp->lanes };
  ls_as_int (ramp->lanes, &out->lanes);
  return ls_deep_equal (ramp->lanes, by->lanes);
}

static LsExpr *
by_constant (LsKind  kind,
             LsExpr *a,
             gint64  c)
{
  return ls_binary (kind, ls_ref (a), ls_const_int (ls_dtype (a), c));
}

/* First and last quotient of the values that the ramp takes if its base were mod.base. */
static gboolean
ramp_in_one_block (const RampBy *ramp,
                   LsModularSet  mod,
                   gboolean      floor)
{
  gint64 last = ls_sat_add (mod.base, ls_sat_mul (ramp->lanes - 1, ramp->stride));

  if (floor)
    return ls_floor_div (mod.base, ramp->divisor) == ls_floor_div (last, ramp->divisor);
  return ls_trunc_div (mod.base, ramp->divisor) == ls_trunc_div (last, ramp->divisor);
}

/* All lanes fall between two multiples of the divisor: because it divides the base's period, or because the
 * period divides it and the lanes do not leave the period. */
static gboolean
lanes_stay_together (const RampBy *ramp,
                     LsModularSet  mod)
{
  gint64 reach = ls_sat_add (mod.base, ls_sat_mul (ramp->lanes - 1, ramp->stride));

  return ls_trunc_rem (mod.coeff, ramp->divisor) == 0 ||
         (mod.coeff != 0 && ls_trunc_rem (ramp->divisor, mod.coeff) == 0 && ramp->stride >= 0 && reach < mod.coeff);
}

/* Truncated division is linear, and its blocks follow each other, only where no lane is negative.
 * (TVM v0.20 divides ramps by a divisor of their stride without asking for the base.) */
static gboolean
may_truncate (LsSimplifier *self,
              const RampBy *ramp,
              LsKind        kind)
{
  if (kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD)
    return TRUE;
  return ramp->stride >= 0 && ls_analyzer_can_prove_ge_value (self->analyzer, ramp->base, 0);
}

static LsExpr *
ramp_quotient (LsSimplifier *self,
               LsExpr       *expr,
               LsKind        kind)
{
  gboolean floor = kind == LS_KIND_FLOOR_DIV;
  RampBy ramp;
  LsModularSet mod;

  if (!match_ramp_by (expr, &ramp) || !may_truncate (self, &ramp, kind))
    return NULL;
  if (ls_trunc_rem (ramp.stride, ramp.divisor) == 0)
    {
      gint64 stride = ls_trunc_div (ramp.stride, ramp.divisor);

      if (!ls_int_fits (ls_dtype (ramp.base), stride))
        return NULL;
      return ls_ramp_new (by_constant (kind, ramp.base, ramp.divisor), ls_const_int (ls_dtype (ramp.base), stride),
                          ls_ref (ramp.lanes_expr));
    }
  if (ramp.lanes == 0)
    return NULL;
  mod = ls_modular_of (self->analyzer, ramp.base);
  if (!ramp_in_one_block (&ramp, mod, floor))
    return NULL;
  if (floor ? lanes_stay_together (&ramp, mod) : ls_trunc_rem (mod.coeff, ramp.divisor) == 0)
    return ls_broadcast_new (by_constant (kind, ramp.base, ramp.divisor), ls_ref (ramp.lanes_expr));
  return NULL;
}

static LsExpr *
ramp_from (LsExpr       *base,
           const RampBy *ramp)
{
  return ls_ramp_new (base, ls_const_int (ls_dtype (ramp->base), ramp->stride), ls_ref (ramp->lanes_expr));
}

static LsExpr *
ramp_remainder (LsSimplifier *self,
                LsExpr       *expr,
                LsKind        kind)
{
  gboolean floor = kind == LS_KIND_FLOOR_MOD;
  RampBy ramp;
  LsModularSet mod;
  LsExpr *start;

  if (!match_ramp_by (expr, &ramp) || !may_truncate (self, &ramp, kind))
    return NULL;
  if (ls_trunc_rem (ramp.stride, ramp.divisor) == 0)
    return ls_broadcast_new (by_constant (kind, ramp.base, ramp.divisor), ls_ref (ramp.lanes_expr));
  mod = ls_modular_of (self->analyzer, ramp.base);
  start = ls_const_int (ls_dtype (ramp.base),
                        floor ? ls_floor_rem (mod.base, ramp.divisor) : ls_trunc_rem (mod.base, ramp.divisor));
  if (ls_trunc_rem (mod.coeff, ramp.divisor) == 0)
    {
      LsExpr *fresh = ramp_from (start, &ramp);

      if (ramp.lanes != 0 && ramp_in_one_block (&ramp, mod, floor))
        return fresh;
      return ls_binary_new (kind, fresh, ls_ref (ls_rhs (expr)));
    }
  ls_unref (start);
  if (floor && ramp.lanes != 0 && ramp_in_one_block (&ramp, mod, TRUE) && lanes_stay_together (&ramp, mod))
    return ramp_from (by_constant (kind, ramp.base, ramp.divisor), &ramp);
  return NULL;
}

/* (x * c1 + y) // c2, (x * c1) // c2 or (y + x * c1) // c2; *y borrowed or NULL */
static gboolean
match_scaled_quotient (LsExpr  *expr,
                       LsExpr **x,
                       gint64  *c1,
                       LsExpr **y,
                       gint64  *c2)
{
  LsExpr *a = ls_lhs (expr), *product = a;

  *y = NULL;
  if (!ls_is_imm (ls_rhs (expr)))
    return FALSE;
  if (ls_is (a, ADD))
    {
      gboolean left = ls_is (ls_lhs (a), MUL) && ls_is_imm (ls_rhs (ls_lhs (a)));

      product = left ? ls_lhs (a) : ls_rhs (a);
      *y = left ? ls_rhs (a) : ls_lhs (a);
    }
  if (!ls_is (product, MUL) || !ls_is_imm (ls_rhs (product)))
    return FALSE;
  *x = ls_lhs (product);
  *c1 = ls_imm (ls_rhs (product));
  *c2 = ls_imm (ls_rhs (expr));
  return TRUE;
}

/* x c1 + y = (x (c1 // c2) + y // c2) c2 + rest: if rest // c2 has one value only, that is the quotient; and if c1
 * divides c2 and y % c2 < c1, then y does not reach x's quotient by c2 / c1. */
static LsExpr *
split_quotient (LsSimplifier *self,
                LsExpr       *expr)
{
  g_autoptr (LsExpr) y_value = NULL;
  g_autoptr (LsExpr) rest = NULL;
  g_autoptr (LsExpr) y_div = NULL;
  g_autoptr (LsExpr) y_mod = NULL;
  LsExpr *x, *y;
  LsConstIntBound bound;
  gint64 c1, c2;
  LsDType dtype = ls_dtype (expr);

  if (!match_scaled_quotient (expr, &x, &c1, &y, &c2) || c2 == 0)
    return NULL;
  y_value = y != NULL ? ls_ref (y) : ls_const_int (dtype, 0);
  y_mod = by_constant (LS_KIND_FLOOR_MOD, y_value, c2);
  rest = ls_add (by_constant (LS_KIND_MUL, x, ls_floor_rem (c1, c2)), ls_ref (y_mod));
  ls_take (&rest, by_constant (LS_KIND_FLOOR_DIV, rest, c2));
  y_div = by_constant (LS_KIND_FLOOR_DIV, y_value, c2);
  if (ls_compare_value (self, y_div, 0) == LS_COMPARE_EQ)
    ls_take (&y_div, ls_const_int (dtype, 0));
  bound = ls_bound_of (self->analyzer, rest);
  if (bound.min == bound.max && ls_int_fits (dtype, bound.max) && ABS (bound.max) < LS_POS_INF - 1)
    return ls_add (by_constant (LS_KIND_MUL, x, ls_floor_div (c1, c2)),
                   ls_add (ls_ref (y_div), ls_const_int (dtype, bound.max)));
  if (c1 > 0 && c2 > 0 && c2 % c1 == 0 && ls_analyzer_can_prove_lt_value (self->analyzer, y_mod, c1))
    return ls_add (by_constant (LS_KIND_FLOOR_DIV, x, c2 / c1), ls_ref (y_div));
  return NULL;
}

/* A remainder by c > 0 of something that is constant modulo c, or lies in [0, c) already. */
static LsExpr *
known_remainder (LsSimplifier *self,
                 LsExpr       *expr)
{
  LsExpr *x = ls_lhs (expr);
  LsModularSet mod;
  LsConstIntBound bound;
  gint64 c;

  if (!ls_is_imm (ls_rhs (expr)) || (c = ls_imm (ls_rhs (expr))) <= 0)
    return NULL;
  mod = ls_modular_of (self->analyzer, x);
  if (mod.coeff % c == 0)
    {
      if (ls_is (expr, FLOOR_MOD))
        return ls_const_int (ls_dtype (expr), ls_floor_rem (mod.base, c));
      if (ls_analyzer_can_prove_ge_value (self->analyzer, x, 0))
        return ls_const_int (ls_dtype (expr), mod.base % c);
    }
  if (ls_is (expr, MOD))
    return NULL;
  bound = ls_bound_of (self->analyzer, x);
  return bound.min >= 0 && bound.max < c ? ls_ref (x) : NULL;
}

/* The smallest normal number of a float type. */
static double
smallest_normal (LsDType dtype)
{
  if (dtype.bits == 16 && dtype.code == LS_TYPE_FLOAT)
    return ldexp (1, -14);
  return dtype.bits == 64 ? DBL_MIN : FLT_MIN;
}

/* x / c as x * (1 / c), as TVM does: one rounding more unless c is a power of two.  Where c or its inverse is no normal
 * number of the type, that is another number altogether, and the division stays.  (TVM v0.20: x / 1e-39 is x * inf.) */
static LsExpr *
times_inverse (LsExpr *expr)
{
  LsDType dtype = ls_dtype (expr);
  double value, held, least = smallest_normal (dtype);

  if (!ls_is (ls_rhs (expr), FLOAT_IMM))
    return NULL;
  value = ls_dtype_round (dtype, ((LsFloatImm *) ls_rhs (expr))->value);
  held = ls_dtype_round (dtype, 1.0 / value);
  if (!(fabs (value) >= least && fabs (held) >= least && isfinite (value) && isfinite (held)))
    return NULL;
  return ls_mul (ls_ref (ls_lhs (expr)), ls_const_float (dtype, 1.0 / ((LsFloatImm *) ls_rhs (expr))->value));
}

LsExpr *
ls_rewrite_div (LsSimplifier *self,
                LsExpr       *expr)
{
  LsExpr *result = times_inverse (expr);

  if (result != NULL)
    return result;
  if (ls_dtype (expr).lanes > 1)
    {
      result = ls_rules_apply (self, &ls_rules_div_vector, expr);
      return result != NULL ? result : ramp_quotient (self, expr, LS_KIND_DIV);
    }
  return ls_is_index_expr (expr) ? ls_rules_apply (self, &ls_rules_div_index, expr) : NULL;
}

LsExpr *
ls_rewrite_mod (LsSimplifier *self,
                LsExpr       *expr)
{
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    {
      result = ls_rules_apply (self, &ls_rules_mod_vector, expr);
      return result != NULL ? result : ramp_remainder (self, expr, LS_KIND_MOD);
    }
  if (!ls_is_index_expr (expr))
    return NULL;
  result = ls_rules_apply (self, &ls_rules_mod_index, expr);
  return result != NULL ? result : known_remainder (self, expr);
}

LsExpr *
ls_rewrite_floor_div (LsSimplifier *self,
                      LsExpr       *expr)
{
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    {
      result = ls_rules_apply (self, &ls_rules_floor_div_vector, expr);
      return result != NULL ? result : ramp_quotient (self, expr, LS_KIND_FLOOR_DIV);
    }
  if (!ls_is_index_expr (expr))
    return NULL;
  result = ls_rules_apply (self, &ls_rules_floor_div_chain, expr);
  if (result == NULL)
    result = split_quotient (self, expr);
  return result != NULL ? result : ls_rules_apply (self, &ls_rules_floor_div_index, expr);
}

LsExpr *
ls_rewrite_floor_mod (LsSimplifier *self,
                      LsExpr       *expr)
{
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    {
      result = ls_rules_apply (self, &ls_rules_floor_mod_vector, expr);
      return result != NULL ? result : ramp_remainder (self, expr, LS_KIND_FLOOR_MOD);
    }
  if (!ls_is_index_expr (expr))
    return NULL;
  result = ls_rules_apply (self, &ls_rules_floor_mod_index, expr);
  return result != NULL ? result : known_remainder (self, expr);
}
