/* answer: what follows from what an analyzer knows, by asking its parts in turn.
 *
 * simplify is canonical, rewrite, canonical, ... : the canonical form first, because some structure of sums is lost
 * once rules have rearranged them.  Proofs simplify the condition and look whether it became true.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"
#include "engine/arith/int-set.h"

LsConstIntBound
ls_analyzer_const_int_bound (LsAnalyzer *self,
                             LsExpr     *expr)
{
  LsConstIntBound result;

  ls_analyzer_begin_call (self);
  result = ls_bound_of (self, expr);
  ls_analyzer_end_call (self);
  return result;
}

LsModularSet
ls_analyzer_modular_set (LsAnalyzer *self,
                         LsExpr     *expr)
{
  LsModularSet result;

  ls_analyzer_begin_call (self);
  result = ls_modular_of (self, expr);
  ls_analyzer_end_call (self);
  return result;
}

LsCompare
ls_analyzer_try_compare (LsAnalyzer *self,
                         LsExpr     *a,
                         LsExpr     *b,
                         gboolean    propagate)
{
  return ls_transitive_compare (self->transitive, a, b, propagate);
}

/* A number, or a variable of which no value is known: nothing that any visit would change. */
static gboolean
is_simple (LsAnalyzer *self,
           LsExpr     *expr)
{
  if (ls_is_imm (expr))
    return TRUE;
  return ls_is_var (expr) && !ls_dtype_is_bool (ls_dtype (expr)) &&
         (g_hash_table_size (self->rewrite.values) == 0 || !g_hash_table_contains (self->rewrite.values, expr));
}

static LsExpr *
rewrite_twice (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsExpr *once = ls_visit (&self->rewrite, expr), *twice;

  if (once == expr)
    return once;
  twice = ls_visit (&self->rewrite, once);
  ls_unref (once);
  return twice;
}

/* What is given back to the caller: where its sums may leave their type and those of the expression do not, rules that make such
 * are left out, and if that is not enough all of them. (takes result) */
static LsExpr *
end_in_type (LsAnalyzer *self,
             LsExpr     *expr,
             LsExpr     *result)
{
  if (self->calls > 1 || result == expr || ls_excess (self, result) == 0 || ls_excess (self, expr) > 0)
    return result;
  self->rewrite.careful = TRUE;
  ls_take (&result, rewrite_twice (self, expr));
  self->rewrite.careful = FALSE;
  if (ls_excess (self, result) > 0)
    ls_take (&result, ls_ref (expr));
  return result;
}

LsExpr *
ls_analyzer_rewrite_simplify (LsAnalyzer *self,
                              LsExpr     *expr)
{
  LsExpr *result;

  if (is_simple (self, expr))
    return ls_ref (expr);
  ls_analyzer_begin_call (self);
  result = end_in_type (self, expr, rewrite_twice (self, expr));
  ls_analyzer_end_call (self);
  return result;
}

LsExpr *
ls_analyzer_canonical_simplify (LsAnalyzer *self,
                                LsExpr     *expr)
{
  LsExpr *result;

  if (is_simple (self, expr))
    return ls_ref (expr);
  ls_analyzer_begin_call (self);
  result = end_in_type (self, expr, ls_visit (&self->canonical, expr));
  ls_analyzer_end_call (self);
  return result;
}

LsExpr *
ls_analyzer_simplify_steps (LsAnalyzer *self,
                            LsExpr     *expr,
                            guint       steps)
{
  LsExpr *result, *next;
  gboolean settled;

  g_return_val_if_fail (self != NULL && expr != NULL, NULL);
  if (is_simple (self, expr))
    return ls_ref (expr);
  result = ls_affine_simplify (self, expr);
  if (result != NULL)
    return result;
  ls_analyzer_begin_call (self);
  result = ls_analyzer_canonical_simplify (self, expr);
  settled = ls_deep_equal (expr, result);
  for (guint i = 0; i < steps && !ls_is_imm (result); i++)
    {
      next = i % 2 == 0 ? ls_analyzer_rewrite_simplify (self, result) : ls_analyzer_canonical_simplify (self, result);
      settled = settled && ls_deep_equal (result, next);
      ls_take (&result, next);
      if (settled)
        break;
    }
  result = end_in_type (self, expr, result);
  ls_analyzer_end_call (self);
  return result;
}

LsExpr *
ls_analyzer_simplify (LsAnalyzer *self,
                      LsExpr     *expr)
{
  return ls_analyzer_simplify_steps (self, expr, 2);
}

LsExpr *
ls_analyzer_simplify_with (LsAnalyzer *self,
                           LsExpr     *expr,
                           GHashTable *map)
{
  g_autoptr (LsExpr) replaced = LS_EXPR (ls_substitute (expr, map));

  return ls_analyzer_simplify (self, replaced);
}

gboolean
ls_analyzer_can_prove_ge_value (LsAnalyzer *self,
                                LsExpr     *expr,
                                gint64      bound)
{
  g_autoptr (LsExpr) simple = NULL;

  if (ls_is_imm (expr))
    return ls_imm (expr) >= bound;
  simple = ls_analyzer_rewrite_simplify (self, expr);
  return ls_analyzer_const_int_bound (self, simple).min >= bound;
}

gboolean
ls_analyzer_can_prove_lt_value (LsAnalyzer *self,
                                LsExpr     *expr,
                                gint64      bound)
{
  g_autoptr (LsExpr) simple = NULL;

  if (ls_is_imm (expr))
    return ls_imm (expr) < bound;
  simple = ls_analyzer_rewrite_simplify (self, expr);
  return ls_analyzer_const_int_bound (self, simple).max < bound;
}

/* a < b as b - a >= 1, and so on.  FALSE: no inequality of indices (differences of other types wrap). */
static gboolean
positive_difference (LsExpr  *condition,
                     LsExpr **difference,
                     gint64  *least)
{
  LsKind kind = ls_kind (condition);
  gboolean less = kind == LS_KIND_LT || kind == LS_KIND_LE;

  if ((!less && kind != LS_KIND_GT && kind != LS_KIND_GE) || !ls_is_index_expr (ls_lhs (condition)))
    return FALSE;
  *least = kind == LS_KIND_LT || kind == LS_KIND_GT ? 1 : 0;
  *difference = less ? ls_sub (ls_ref (ls_rhs (condition)), ls_ref (ls_lhs (condition)))
                     : ls_sub (ls_ref (ls_lhs (condition)), ls_ref (ls_rhs (condition)));
  return TRUE;
}

static gboolean
prove_by_symbolic_bound (LsAnalyzer *self,
                         LsExpr     *condition)
{
  g_autoptr (LsExpr) difference = NULL;
  g_autoptr (LsExpr) min = NULL;
  g_autoptr (LsExpr) max = NULL;
  gint64 least;

  if (!positive_difference (condition, &difference, &least) || ls_may_wrap (self, difference))
    return FALSE;
  ls_take (&difference, ls_analyzer_simplify (self, difference));
  ls_int_set_symbolic_bound (self, difference, &min, &max);
  /* the end of a branch that is not taken may leave the type, and wrap when it is simplified */
  if (min == NULL || ls_excess (self, min) > 0)
    return FALSE;
  ls_take (&min, ls_analyzer_simplify (self, min));
  return ls_analyzer_const_int_bound (self, min).min >= least;
}

gboolean
ls_analyzer_can_prove_strength (LsAnalyzer      *self,
                                LsExpr          *condition,
                                LsProofStrength  strength)
{
  g_autoptr (LsExpr) simple = NULL;
  gboolean proved;

  g_return_val_if_fail (self != NULL && condition != NULL, FALSE);
  if (ls_is_imm (condition))
    return ls_imm (condition) != 0;
  self->proves |= self->calls == 0;
  ls_analyzer_begin_call (self);
  proved = ls_affine_holds (self, condition);
  if (proved || ls_refutes (self, condition))
    {
      ls_analyzer_end_call (self);
      return proved;
    }
  simple = ls_analyzer_simplify (self, condition);
  proved = ls_is_imm (simple) && ls_imm (simple) != 0;
  if (!proved && strength >= LS_PROOF_SYMBOLIC_BOUND)
    proved = prove_by_symbolic_bound (self, condition);
  if (!proved)
    proved = ls_prove_by_vscale (self, simple);
  ls_analyzer_end_call (self);
  return proved;
}

gboolean
ls_analyzer_can_prove (LsAnalyzer *self,
                       LsExpr     *condition)
{
  return ls_analyzer_can_prove_strength (self, condition, LS_PROOF_DEFAULT);
}

gboolean
ls_analyzer_can_prove_equal (LsAnalyzer *self,
                             LsExpr     *a,
                             LsExpr     *b)
{
  g_autoptr (LsExpr) difference = NULL;
  g_autoptr (LsExpr) equal = NULL;

  if (ls_is_imm (a) && ls_is_imm (b))
    return ls_imm (a) == ls_imm (b);
  if (a == b)
    return TRUE;
  if (ls_dtype (a).code == LS_TYPE_HANDLE || ls_dtype (b).code == LS_TYPE_HANDLE)
    return FALSE;
  difference = ls_sub (ls_ref (a), ls_ref (b));
  equal = ls_eq (ls_ref (difference), ls_const_int (ls_dtype (difference), 0));
  return ls_analyzer_can_prove (self, equal);
}

gboolean
ls_analyzer_can_prove_compare (LsAnalyzer *self,
                               LsKind      kind,
                               LsExpr     *a,
                               LsExpr     *b)
{
  g_autoptr (LsExpr) condition = ls_binary (kind, ls_ref (a), ls_ref (b));

  return ls_analyzer_can_prove (self, condition);
}
