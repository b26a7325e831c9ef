/* modular: every value of an expression as coeff * n + base.
 *
 * coeff 0 is a constant, (1, 0) is everything.  Products that do not fit into 64 bits are given up (everything).
 * A constraint `v % c == b` narrows the variable by the Chinese remainder theorem.
 * Source of the concept: TVM's ModularSetAnalyzer.
 */
#include "engine/arith/arith-private.h"

static const LsModularSet everything = { 1, 0 };

LsModularSet
ls_modular_make (gint64 coeff,
                 gint64 base)
{
  if (coeff < 0)
    coeff = coeff == G_MININT64 ? (gint64) 1 << 62 : -coeff;
  if (coeff != 0)
    base = ls_floor_rem (base, coeff);
  return (LsModularSet) { coeff, base };
}

static LsModularSet
modular_add (LsModularSet a,
             LsModularSet b)
{
  gint64 base;

  if (__builtin_add_overflow (a.base, b.base, &base))
    return everything;
  return ls_modular_make (ls_gcd (a.coeff, b.coeff), base);
}

static LsModularSet
modular_sub (LsModularSet a,
             LsModularSet b)
{
  gint64 base;

  if (__builtin_sub_overflow (a.base, b.base, &base))
    return everything;
  return ls_modular_make (ls_gcd (a.coeff, b.coeff), base);
}

/* (p x + n) (q y + m) = pq xy + pm x + qn y + nm */
static LsModularSet
modular_mul (LsModularSet a,
             LsModularSet b)
{
  gint64 pq, pm, qn, nm;

  if (__builtin_mul_overflow (a.coeff, b.coeff, &pq) || __builtin_mul_overflow (a.coeff, b.base, &pm) ||
      __builtin_mul_overflow (a.base, b.coeff, &qn) || __builtin_mul_overflow (a.base, b.base, &nm))
    return everything;
  return ls_modular_make (ls_gcd (pq, ls_gcd (pm, qn)), nm);
}

static LsModularSet
modular_unite (LsModularSet a,
               LsModularSet b)
{
  gint64 coeff = ls_gcd (a.coeff, b.coeff);
  gint64 base_a, base_b;

  if (coeff == 0)
    return a.base == b.base ? a : everything;
  base_a = ls_trunc_rem (a.base, coeff);
  base_b = ls_trunc_rem (b.base, coeff);
  if (base_a == base_b)
    return ls_modular_make (coeff, base_a);
  return ls_modular_make (ls_gcd (ls_gcd (base_a, base_b), coeff), base_a);
}

static LsModularSet
modular_intersect (LsModularSet a,
                   LsModularSet b)
{
  gint64 x, y, common, distance, period;
  __int128 step;

  if (a.coeff == 0 && b.coeff == 0)
    return a.base == b.base ? a : (LsModularSet) { 0, 1 };
  common = ls_extended_gcd (a.coeff, b.coeff, &x, &y);
  if (__builtin_sub_overflow (b.base, a.base, &distance) ||
      __builtin_mul_overflow (a.coeff / common, b.coeff, &period))
    return a;
  if (distance % common != 0)
    return (LsModularSet) { 0, 1 };
  if (period == 0)
    return a.coeff == 0 ? a : b;
  step = (__int128) (distance / common) * x % (b.coeff / common);
  return ls_modular_make (period, (gint64) ((step * a.coeff + a.base) % period));
}

static LsModularSet
modular_div (LsAnalyzer *self,
             LsExpr     *lhs,
             gint64      divisor,
             gboolean    round_down)
{
  LsModularSet a = ls_modular_of (self, lhs);

  if (divisor == 0 || ls_trunc_rem (a.coeff, divisor) != 0)
    return everything;
  if (a.base == 0)
    return ls_modular_make (ls_trunc_div (a.coeff, divisor), 0);
  if (a.base > 0 && divisor > 0 && (round_down || ls_analyzer_can_prove_ge_value (self, lhs, 0)))
    return ls_modular_make (a.coeff / divisor, a.base / divisor);
  return everything;
}

static LsModularSet
modular_mod (LsAnalyzer *self,
             LsExpr     *lhs,
             gint64      divisor,
             gboolean    round_down)
{
  LsModularSet a = ls_modular_of (self, lhs);
  gint64 coeff = ls_gcd (a.coeff, divisor);

  if (divisor == 0)
    return everything;
  if (ls_trunc_rem (a.base, coeff) == 0 ||
      (a.base > 0 && (round_down || ls_analyzer_can_prove_ge_value (self, lhs, 0))))
    return ls_modular_make (coeff, ls_trunc_rem (a.base, coeff));
  return everything;
}

static LsModularSet
modular_of_quotient (LsAnalyzer *self,
                     LsExpr     *expr)
{
  LsModularSet b = ls_modular_of (self, ls_rhs (expr));
  gboolean floor = ls_is (expr, FLOOR_DIV) || ls_is (expr, FLOOR_MOD);

  if (b.coeff != 0)
    return everything;
  if (ls_is (expr, DIV) || ls_is (expr, FLOOR_DIV))
    return modular_div (self, ls_lhs (expr), b.base, floor);
  return modular_mod (self, ls_lhs (expr), b.base, floor);
}

/* x >> k is x // 2**k, x & (2**k - 1) is x % 2**k. */
static LsModularSet
modular_of_call (LsAnalyzer *self,
                 LsExpr     *expr)
{
  LsArray *args = ((LsCall *) expr)->args;
  gboolean shift = ls_is_call (expr, "tir.shift_right");
  LsModularSet b;

  if (ls_array_n (args) != 2 || !(shift || ls_is_call (expr, "tir.bitwise_and")))
    return everything;
  b = ls_modular_of (self, ls_array_at (args, 1, LsExpr));
  if (b.coeff != 0 || b.base < 0 || b.base == G_MAXINT64 || (shift && b.base > 62))
    return everything;
  if (shift)
    return modular_div (self, ls_array_at (args, 0, LsExpr), (gint64) 1 << b.base, TRUE);
  if ((b.base & (b.base + 1)) != 0)
    return everything;
  return modular_mod (self, ls_array_at (args, 0, LsExpr), b.base + 1, TRUE);
}

static LsModularSet
modular_of_let (LsAnalyzer *self,
                LsExpr     *expr)
{
  LsLet *let = (LsLet *) expr;
  LsModularSet before = ls_modular_of (self, LS_EXPR (let->var));
  LsModularSet value = ls_modular_of (self, let->value), body;

  ls_analyzer_update_modular (self, let->var, value, TRUE);
  body = ls_modular_of (self, let->body);
  ls_analyzer_update_modular (self, let->var, before, TRUE);
  return body;
}

/* What is left of a set when the value is reduced to the bits of the type. */
static LsModularSet
modular_wrap (LsModularSet set,
              LsDType      dtype)
{
  if (ls_dtype_is_bool (dtype) || (dtype.code != LS_TYPE_INT && dtype.code != LS_TYPE_UINT))
    return everything;
  if (set.coeff == 0)
    return ls_int_fits (dtype, set.base) ? set : everything;
  return ls_modular_make (dtype.bits >= 63 ? set.coeff & -set.coeff : ls_gcd (set.coeff, (gint64) 1 << dtype.bits), set.base);
}

static LsModularSet
modular_of_cast (LsAnalyzer *self,
                 LsExpr     *expr)
{
  LsExpr *value = ((LsCast *) expr)->value;
  LsDType from = ls_dtype (value), to = ls_dtype (expr);
  LsModularSet set = ls_modular_of (self, value);

  if (ls_cast_keeps_index (self, value, to) ||
      (from.code == to.code && from.bits <= to.bits) || (from.code == LS_TYPE_UINT && to.code == LS_TYPE_INT && from.bits < to.bits))
    return set;
  return modular_wrap (set, to);
}

/* Numbers of narrow and of unsigned types wrap, and those that come out of memory. */
static LsModularSet
held_by (LsAnalyzer   *self,
         LsExpr       *expr,
         LsModularSet  exact)
{
  LsDType dtype = ls_dtype (expr);

  return dtype.code == LS_TYPE_INT && dtype.bits >= 32 && !ls_may_wrap (self, expr) ? exact : modular_wrap (exact, dtype);
}

static LsModularSet
modular_of_node (LsAnalyzer *self,
                 LsExpr     *expr)
{
  LsKind kind = ls_kind (expr);

  if (kind == LS_KIND_ADD)
    return held_by (self, expr, modular_add (ls_modular_of (self, ls_lhs (expr)), ls_modular_of (self, ls_rhs (expr))));
  if (kind == LS_KIND_SUB)
    return held_by (self, expr, modular_sub (ls_modular_of (self, ls_lhs (expr)), ls_modular_of (self, ls_rhs (expr))));
  if (kind == LS_KIND_MUL)
    return held_by (self, expr, modular_mul (ls_modular_of (self, ls_lhs (expr)), ls_modular_of (self, ls_rhs (expr))));
  if (kind == LS_KIND_MIN || kind == LS_KIND_MAX)
    return modular_unite (ls_modular_of (self, ls_lhs (expr)), ls_modular_of (self, ls_rhs (expr)));
  if (kind == LS_KIND_DIV || kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD)
    return modular_of_quotient (self, expr);
  if (kind == LS_KIND_SELECT)
    return modular_unite (ls_modular_of (self, ((LsSelect *) expr)->true_value),
                          ls_modular_of (self, ((LsSelect *) expr)->false_value));
  if (kind == LS_KIND_CAST)
    return modular_of_cast (self, expr);
  if (kind == LS_KIND_CALL)
    return modular_of_call (self, expr);
  if (kind == LS_KIND_LET)
    return modular_of_let (self, expr);
  return everything;
}

LsModularSet
ls_modular_of (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsModularSet result, *known;

  /* numbers of uint64 beyond those of int64 stand as negative ones: what divides a uint64 is not what divides those */
  if (ls_is_imm (expr) && ls_imm (expr) < 0 && ls_dtype (expr).code == LS_TYPE_UINT)
    return everything;
  if (ls_is_imm (expr))
    return (LsModularSet) { 0, ls_imm (expr) };
  if (ls_is_var (expr))
    {
      known = g_hash_table_lookup (self->modulars, expr);
      return known != NULL ? *known : everything;
    }
  if (!ls_visit_enter (self))
    return everything;
  result = modular_of_node (self, expr);
  ls_visit_leave (self);
  return result;
}

void
ls_analyzer_update_modular (LsAnalyzer   *self,
                            LsVar        *var,
                            LsModularSet  set,
                            gboolean      allow_override)
{
  ls_analyzer_forget (self);
  if (!allow_override && g_hash_table_contains (self->modulars, var))
    return;
  set = ls_modular_make (set.coeff, set.base);
  g_hash_table_insert (self->modulars, ls_ref (var), g_memdup2 (&set, sizeof set));
}

void
ls_modular_enter (LsAnalyzer *self,
                  LsExpr     *constraint)
{
  LsExpr *lhs;
  LsModularUndo undo;
  LsModularSet fresh;

  if (!ls_is (constraint, EQ) || !ls_is_imm (ls_rhs (constraint)))
    return;
  lhs = ls_lhs (constraint);
  if (!(ls_is (lhs, MOD) || ls_is (lhs, FLOOR_MOD)) || !ls_is_var (ls_lhs (lhs)) || !ls_is_imm (ls_rhs (lhs)))
    return;
  undo.var = (LsVar *) ls_lhs (lhs);
  undo.old = ls_modular_of (self, LS_EXPR (undo.var));
  fresh = modular_intersect (undo.old, ls_modular_make (ls_imm (ls_rhs (lhs)), ls_imm (ls_rhs (constraint))));
  ls_ref (undo.var);
  g_array_append_val (self->modular_undo, undo);
  ls_analyzer_update_modular (self, undo.var, fresh, TRUE);
}
