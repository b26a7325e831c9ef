/* rewrite-logic: rules of not, and, or.
 *
 * Not is pushed down to comparisons.  A pair of comparisons of one expression with constants is contradicting,
 * always true, or merges into one; a quotient and a remainder by the same constant merge into a range.  With the
 * extension APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES each side is simplified under the other, with
 * CONVERT_BOOLEAN_TO_AND_OF_ORS the whole goes through cnf.c.
 */
#include "engine/arith/arith-private.h"

static const LsRule not_vectors[] = {
  RULE ("!bcast (x, l)", "bcast (!x, l)"),
};
LS_RULE_TABLE (ls_rules_not_vector, not_vectors, "not/vector", LS_RULE_ANY);

/* Fewer nots, or nots nearer to the leaves.  Of two floats one of which is NaN neither is smaller: their comparisons are
 * not turned round.  (TVM v0.20 turns them.) */
static const LsRule not_rules[] = {
  RULE ("!(!x)", "x"),
  RULE_IF ("!(x <= y)", "y < x", "whole (x)"),
  RULE_IF ("!(x >= y)", "x < y", "whole (x)"),
  RULE_IF ("!(x < y)", "y <= x", "whole (x)"),
  RULE_IF ("!(x > y)", "x <= y", "whole (x)"),
  RULE ("!(x == y)", "x != y"),
  RULE ("!(x != y)", "x == y"),
  AGAIN ("!(x || y)", "!x && !y"),
  AGAIN ("!(x && y)", "!x || !y"),
};
LS_RULE_TABLE (ls_rules_not, not_rules, "not", LS_RULE_ANY);

static const LsRule and_vectors[] = {
  RULE ("bcast (x, l) && bcast (y, l)", "bcast (x && y, l)"),
};
LS_RULE_TABLE (ls_rules_and_vector, and_vectors, "and/vector", LS_RULE_ANY);

/* Contradictions first, then two comparisons become one or a tighter pair; the rules of tighter pairs stop because
 * the new limit no longer fulfils their condition.  Last, ands lean to the left. */
static const LsRule and_rules[] = {
  RULE ("x == y && x != y; x != y && x == y", "0"),
  RULE ("x && !x", "0"),
  RULE ("x <= y && y < x; y < x && x <= y", "0"),
  RULE_IF ("x < c1 && c2 < x; c2 < x && x < c1", "0", "c2 + 1 >= c1"),
  RULE_IF ("x < c1 && c2 <= x; c2 <= x && x < c1; x <= c1 && c2 < x; c2 < x && x <= c1", "0", "c2 >= c1"),
  RULE_IF ("x <= c1 && c2 <= x; c2 <= x && x <= c1", "0", "c2 > c1"),
  RULE ("x == c1 && x == c2", "x == c1 && c1 == c2"),
  RULE ("x == c1 && x != c2; x != c2 && x == c1", "x == c1 && c1 != c2"),
  AGAIN_IF ("x // c2 == c1 && x % c2 == c3; x % c2 == c3 && x // c2 == c1", "x == c1 * c2 + c3",
            "(c2 > 0 && 0 <= c3 && c3 < c2) || (c2 < 0 && c2 < c3 && c3 <= 0)"),
  AGAIN_IF ("0 <= x - y * c1 && x - y * c1 < c1; x - y * c1 < c1 && 0 <= x - y * c1", "y == x // c1",
            "c1 > 0 && index (x - y * c1)"),
  AGAIN_IF ("c1 < x - y * c1 && x - y * c1 <= 0", "y == x // c1", "c1 < 0 && index (x - y * c1)"),
  AGAIN_IF ("0 <= x + y * c2 && x + y * c2 < c1; x + y * c2 < c1 && 0 <= x + y * c2", "y == x // c1",
            "c1 > 0 && c2 == 0 - c1 && index (x + y * c2)"),
  AGAIN_IF ("x < c1 && x % c2 < c3", "x < c1 - c2 + c3 && x % c2 < c3", "c2 > 0 && c3 < c2 && c1 % c2 == 0"),
  AGAIN_IF ("x < c1 && x % c2 < c3", "x < c1 - c1 % c2 + c3 && x % c2 < c3", "c2 > 0 && c1 % c2 > c3"),
  AGAIN_IF ("x <= c1 && x % c2 < c3", "x < c1 + 1 - c2 + c3 && x % c2 < c3", "c2 > 0 && c3 < c2 && (c1 + 1) % c2 == 0"),
  AGAIN_IF ("x <= c1 && x % c2 < c3", "x < c1 + 1 - c1 % c2 + c3 && x % c2 < c3", "c2 > 0 && (c1 + 1) % c2 > c3"),
  AGAIN_IF ("x // c2 == c1 && x % c2 < c3; x % c2 < c3 && x // c2 == c1", "c1 * c2 <= x && x < c1 * c2 + c3",
            "c2 > 0 && c3 <= c2"),
  AGAIN_IF ("x // c2 == c1 && x % c2 <= c3; x % c2 <= c3 && x // c2 == c1", "c1 * c2 <= x && x <= c1 * c2 + c3",
            "c2 > 0 && c3 < c2"),
  AGAIN_IF ("x // c2 == c1 && c3 <= x % c2; c3 <= x % c2 && x // c2 == c1", "c1 * c2 + c3 <= x && x < (c1 + 1) * c2",
            "c2 > 0 && c3 >= 0"),
  AGAIN_IF ("x // c2 == c1 && c3 < x % c2; c3 < x % c2 && x // c2 == c1", "c1 * c2 + c3 < x && x < (c1 + 1) * c2",
            "c2 > 0 && c3 >= 0"),
  AGAIN ("x && (y && z)", "(x && y) && z"),
};
LS_RULE_TABLE (ls_rules_and, and_rules, "and", LS_RULE_ANY);

static const LsRule or_vectors[] = {
  RULE ("bcast (x, l) || bcast (y, l)", "bcast (x || y, l)"),
};
LS_RULE_TABLE (ls_rules_or_vector, or_vectors, "or/vector", LS_RULE_ANY);

/* Tautologies, then two comparisons become one; last, ors lean to the left. */
static const LsRule or_rules[] = {
  RULE ("x == y || x != y; x != y || x == y", "1"),
  RULE ("x || !x", "1"),
  RULE_IF ("x <= y || y < x; y < x || x <= y", "1", "whole (x)"),
  RULE_IF ("x < y || y < x", "x != y", "whole (x)"),
  RULE_IF ("x < c1 || c2 < x; c2 < x || x < c1", "1", "c2 < c1"),
  RULE_IF ("x <= c1 || c2 < x; c2 < x || x <= c1", "1", "c2 <= c1"),
  RULE_IF ("x < c1 || c2 <= x; c2 <= x || x < c1", "1", "c2 <= c1"),
  RULE_IF ("x <= c1 || c2 <= x; c2 <= x || x <= c1", "1", "c2 <= c1 + 1"),
  RULE ("x != c1 || x != c2", "x != c1 || c1 != c2"),
  RULE ("x != c1 || x == c2", "x != c1 || c1 == c2"),
  RULE ("x == c2 || x != c1", "x != c1 || c1 == c2"),
  AGAIN ("x < y || x == y; x < y || y == x; x == y || x < y; y == x || x < y", "x <= y"),
  AGAIN ("x || (y || z)", "(x || y) || z"),
};
LS_RULE_TABLE (ls_rules_or, or_rules, "or", LS_RULE_ANY);

LsExpr *
ls_rules_of_not (LsSimplifier *self,
                 LsExpr       *expr)
{
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    result = ls_rules_apply (self, &ls_rules_not_vector, expr);
  if (result == NULL)
    result = ls_rules_apply (self, &ls_rules_not, expr);
  if (result == NULL)
    return expr;
  ls_unref (expr);
  return result;
}

LsExpr *
ls_rewrite_not (LsSimplifier *self,
                LsExpr       *expr)
{
  g_autoptr (LsExpr) done = ls_visit_children (self, expr);
  LsExpr *literal;

  if (ls_is_imm (((LsNot *) done)->a))
    return ls_const_int (ls_dtype (done), ls_imm (((LsNot *) done)->a) == 0);
  literal = ls_match_literal (self, done);
  return literal != NULL ? literal : ls_rules_of_not (self, g_steal_pointer (&done));
}

/* Each side in turn under what the other says, until two visits in a row change nothing; each at most twice.  The left side is computed
 * first: what it reads it reads whatever the right one says. */
static LsExpr *
visit_under_each_other (LsSimplifier *self,
                        LsExpr       *expr)
{
  LsExpr *sides[2] = { ls_ref (ls_lhs (expr)), ls_ref (ls_rhs (expr)) };
  guint unchanged = 0;
  LsExpr *result;

  for (guint i = 0; i < 4 && unchanged < 2; i++)
    {
      LsExpr **side = &sides[i % 2];
      g_autoptr (LsExpr) other = ls_is (expr, AND) ? ls_ref (sides[1 - i % 2]) : ls_constraint_negate (sides[1 - i % 2]);
      gboolean reads = (i % 2 == 0 || ls_dtype (expr).lanes > 1) && (LS_NODE (*side)->facts & LS_FACT_HAS_LOAD);
      guint scope = reads ? 0 : ls_analyzer_enter_constraint (self->analyzer, other);
      LsExpr *fresh = ls_visit (self, *side);

      if (!reads)
        ls_analyzer_exit_constraint (self->analyzer, scope);
      unchanged = fresh == *side ? unchanged + 1 : 0;
      ls_take (side, fresh);
    }
  if (sides[0] != ls_lhs (expr) || sides[1] != ls_rhs (expr))
    return ls_binary_new (ls_kind (expr), sides[0], sides[1]);
  result = ls_ref (expr);
  ls_unref (sides[0]);
  ls_unref (sides[1]);
  return result;
}

static LsExpr *
rewrite_and_or (LsSimplifier *self,
                LsExpr       *expr,
                LsRuleTable  *vectors,
                LsRuleTable  *rules)
{
  g_autoptr (LsExpr) done = NULL;
  LsExpr *result;

  if (self->extensions & LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES)
    done = visit_under_each_other (self, expr);
  else
    done = ls_visit_children (self, expr);
  result = ls_try_fold (ls_kind (done), ls_lhs (done), ls_rhs (done));
  if (result == NULL)
    result = ls_match_literal (self, done);
  if (result == NULL && (self->extensions & LS_REWRITE_CONVERT_BOOLEAN_TO_AND_OF_ORS))
    result = ls_simplify_and_of_ors (self->analyzer, done);
  if (result == NULL && ls_dtype (done).lanes > 1)
    result = ls_rules_apply (self, vectors, done);
  if (result == NULL)
    result = ls_rules_apply (self, rules, done);
  return result != NULL ? result : g_steal_pointer (&done);
}

LsExpr *
ls_rewrite_and (LsSimplifier *self,
                LsExpr       *expr)
{
  return rewrite_and_or (self, expr, &ls_rules_and_vector, &ls_rules_and);
}

LsExpr *
ls_rewrite_or (LsSimplifier *self,
               LsExpr       *expr)
{
  return rewrite_and_or (self, expr, &ls_rules_or_vector, &ls_rules_or);
}
