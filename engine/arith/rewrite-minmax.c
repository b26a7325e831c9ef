/* rewrite-minmax: rules of min and max.
 *
 * Bounds decide what they can; then lattice laws (absorption, distribution), common terms and factors move out,
 * constants move to the right.  The two tables mirror each other except for the order of a few rules, which is
 * TVM v0.20's on each side.
 */
#include "engine/arith/arith-private.h"

static const LsRule min_vectors[] = {
  RULE ("min (bcast (x, l), bcast (y, l))", "bcast (min (x, y), l)"),
  RULE ("min (min (x, bcast (y, l)), bcast (z, l))", "min (x, bcast (min (y, z), l))"),
};
LS_RULE_TABLE (ls_rules_min_vector, min_vectors, "min/vector", LS_RULE_ANY);

static const LsRule max_vectors[] = {
  RULE ("max (bcast (x, l), bcast (y, l))", "bcast (max (x, y), l)"),
  RULE ("max (max (x, bcast (y, l)), bcast (z, l))", "max (x, bcast (max (y, z), l))"),
};
LS_RULE_TABLE (ls_rules_max_vector, max_vectors, "max/vector", LS_RULE_ANY);

/* One operand goes, or both share what moves out; the last two only move constants right and out. */
static const LsRule min_indices[] = {
  RULE_IF ("min (x + c1, x + c2)", "x + c1", "c1 < c2"),
  RULE_IF ("min (x + c1, x + c2)", "x + c2", "c1 >= c2"),
  RULE_IF ("min (x + c1, x); min (x, x + c1)", "x + c1", "c1 < 0"),
  RULE_IF ("min (x + c1, x); min (x, x + c1)", "x", "c1 >= 0"),
  RULE_IF ("min (c1 - x, c2 - x)", "c1 - x", "c1 < c2"),
  RULE_IF ("min (c1 - x, c2 - x)", "c2 - x", "c1 >= c2"),

  RULE_IF ("min (tdiv (x + c1, c2) * c2, x); min (x, tdiv (x + c1, c2) * c2);"
           "min ((x + c1) // c2 * c2, x); min (x, (x + c1) // c2 * c2)",
           "x", "c2 > 0 && c1 + 1 == c2"),
  RULE_IF ("min (tdiv (x + c1, c2) * c2, max (x, c2)); min (max (x, c2), tdiv (x + c1, c2) * c2);"
           "min ((x + c1) // c2 * c2, max (x, c2)); min (max (x, c2), (x + c1) // c2 * c2)",
           "max (x, c2)", "c2 > 0 && c1 + 1 == c2 && ge (x, 1)"),
  RULE_IF ("min (x, x // c2 * c2); min (x // c2 * c2, x)", "x // c2 * c2", "c2 > 0"),

  RULE ("min (max (x, y), min (x, y)); min (max (x, y), min (y, x)); min (min (x, y), max (x, y));"
        "min (min (x, y), max (y, x)); min (min (x, y), x); min (min (x, y), y); min (x, min (x, y)); min (y, min (x, y))",
        "min (x, y)"),
  RULE ("min (max (x, y), x); min (max (y, x), x); min (x, max (x, y)); min (x, max (y, x))", "x"),
  RULE ("min (min (min (x, y), z), y)", "min (min (x, y), z)"),
  RULE ("min (min (min (min (x, y), z), s), y)", "min (min (min (x, y), z), s)"),
  RULE ("min (min (min (min (min (x, y), z), s), r), y)", "min (min (min (min (x, y), z), s), r)"),
  RULE ("min (max (x, y), max (x, z)); min (max (x, y), max (z, x)); min (max (y, x), max (x, z)); min (max (y, x), max (z, x))",
        "max (min (y, z), x)"),
  RULE ("min (min (x, y), min (x, z)); min (min (x, y), min (z, x)); min (min (y, x), min (x, z)); min (min (y, x), min (z, x))",
        "min (min (y, z), x)"),
  RULE ("min (y + x, z + x); min (y + x, x + z); min (x + y, x + z); min (x + y, z + x)", "min (y, z) + x"),
  RULE ("min (y - x, z - x)", "min (y, z) - x"),
  RULE ("min (x - y, x - z)", "x - max (y, z)"),
  RULE ("min (min (x, c1), c2)", "min (x, min (c1, c2))"),

  RULE_IF ("min (tdiv (x, c1), tdiv (y, c1))", "tdiv (min (x, y), c1)", "c1 > 0"),
  RULE_IF ("min (tdiv (x, c1), tdiv (y, c1))", "tdiv (max (x, y), c1)", "c1 < 0"),
  RULE_IF ("min (x // c1, y // c1)", "min (x, y) // c1", "c1 > 0"),
  RULE_IF ("min (x // c1, y // c1)", "max (x, y) // c1", "c1 < 0"),
  RULE_IF ("min (x * c1, y * c1)", "min (x, y) * c1", "c1 > 0"),
  RULE_IF ("min (x * c1, y * c1)", "max (x, y) * c1", "c1 <= 0"),
  RULE_IF ("min (x * c1, c2)", "min (x, c2 // c1) * c1", "c1 > 0 && c2 % c1 == 0"),
  RULE_IF ("min (x * c1, c2)", "max (x, c2 // c1) * c1", "c1 < 0 && c2 % c1 == 0"),
  RULE_IF ("min (x, y)", "x", "(vscale (x) || vscale (y)) && prove (x <= y)"),
  RULE_IF ("min (x, y)", "y", "(vscale (x) || vscale (y)) && prove (y <= x)"),

  AGAIN ("min (min (x, c1), y)", "min (min (x, y), c1)"),
  AGAIN_IF ("min (c1 - x, c2)", "c1 - max (x, c1 - c2)", "c2 != 0"),
};
LS_RULE_TABLE (ls_rules_min_index, min_indices, "min/index", LS_RULE_INDEX);

static const LsRule max_indices[] = {
  RULE_IF ("max (x + c1, x + c2)", "x + c1", "c1 > c2"),
  RULE_IF ("max (x + c1, x + c2)", "x + c2", "c1 <= c2"),
  RULE_IF ("max (x + c1, x); max (x, x + c1)", "x + c1", "c1 > 0"),
  RULE_IF ("max (x + c1, x); max (x, x + c1)", "x", "c1 <= 0"),
  RULE_IF ("max (c1 - x, c2 - x)", "c1 - x", "c1 > c2"),
  RULE_IF ("max (c1 - x, c2 - x)", "c2 - x", "c1 <= c2"),

  RULE_IF ("max (tdiv (x + c1, c2) * c2, x); max (x, tdiv (x + c1, c2) * c2)", "tdiv (x + c1, c2) * c2",
           "c2 > 0 && c1 + 1 == c2"),
  RULE_IF ("max ((x + c1) // c2 * c2, x); max (x, (x + c1) // c2 * c2)", "(x + c1) // c2 * c2", "c2 > 0 && c1 + 1 == c2"),
  RULE_IF ("max (x // c2 * c2, x); max (x, x // c2 * c2)", "x", "c2 > 0"),

  RULE ("max (min (x, y), x); max (min (y, x), x); max (x, min (x, y)); max (x, min (y, x))", "x"),
  RULE ("max (min (x, y), max (x, y)); max (min (x, y), max (y, x)); max (max (x, y), min (x, y));"
        "max (max (x, y), min (y, x)); max (max (x, y), x); max (max (x, y), y); max (x, max (x, y)); max (y, max (x, y))",
        "max (x, y)"),
  RULE ("max (max (max (x, y), z), y)", "max (max (x, y), z)"),
  RULE ("max (max (max (max (x, y), z), s), y)", "max (max (max (x, y), z), s)"),
  RULE ("max (max (max (max (max (x, y), z), s), r), y)", "max (max (max (max (x, y), z), s), r)"),
  RULE ("max (max (x, y), max (x, z)); max (max (x, y), max (z, x)); max (max (y, x), max (x, z)); max (max (y, x), max (z, x))",
        "max (max (y, z), x)"),
  RULE ("max (min (x, y), min (x, z)); max (min (x, y), min (z, x)); max (min (y, x), min (x, z)); max (min (y, x), min (z, x))",
        "min (max (y, z), x)"),
  RULE ("max (y + x, z + x); max (y + x, x + z); max (x + y, x + z); max (x + y, z + x)", "max (y, z) + x"),
  RULE ("max (y - x, z - x)", "max (y, z) - x"),
  RULE ("max (x - y, x - z)", "x - min (y, z)"),
  RULE ("max (max (x, c1), c2)", "max (x, max (c1, c2))"),

  RULE_IF ("max (tdiv (x, c1), tdiv (y, c1))", "tdiv (max (x, y), c1)", "c1 > 0"),
  RULE_IF ("max (tdiv (x, c1), tdiv (y, c1))", "tdiv (min (x, y), c1)", "c1 < 0"),
  RULE_IF ("max (x // c1, y // c1)", "max (x, y) // c1", "c1 > 0"),
  RULE_IF ("max (x // c1, y // c1)", "min (x, y) // c1", "c1 < 0"),
  RULE_IF ("max (x * c1, y * c1)", "max (x, y) * c1", "c1 > 0"),
  RULE_IF ("max (x * c1, y * c1)", "min (x, y) * c1", "c1 <= 0"),
  RULE_IF ("max (x * c1, c2)", "max (x, c2 // c1) * c1", "c1 > 0 && c2 % c1 == 0"),
  RULE_IF ("max (x * c1, c2)", "min (x, c2 // c1) * c1", "c1 < 0 && c2 % c1 == 0"),
  RULE_IF ("max (x, y)", "x", "(vscale (x) || vscale (y)) && prove (x >= y)"),
  RULE_IF ("max (x, y)", "y", "(vscale (x) || vscale (y)) && prove (y >= x)"),

  AGAIN ("max (max (x, c1), y)", "max (max (x, y), c1)"),
  AGAIN_IF ("max (c1 - x, c2)", "c1 - min (x, c1 - c2)", "c2 != 0"),
};
LS_RULE_TABLE (ls_rules_max_index, max_indices, "max/index", LS_RULE_INDEX);

static const LsRule select_rules[] = {
  RULE ("min (select (x, y, z), select (x, s, r))", "select (x, min (y, s), min (z, r))"),
  RULE ("max (select (x, y, z), select (x, s, r))", "select (x, max (y, s), max (z, r))"),
};
LS_RULE_TABLE (ls_rules_select, select_rules, "minmax/select", LS_RULE_ANY);

/* The operand that bounds alone name as the result, or NULL. */
static LsExpr *
decided_by_bounds (LsSimplifier *self,
                   LsExpr       *expr)
{
  LsConstIntBound a, b;

  if (ls_deep_equal (ls_lhs (expr), ls_rhs (expr)))
    return ls_ref (ls_lhs (expr));
  a = ls_bound_of (self->analyzer, ls_lhs (expr));
  b = ls_bound_of (self->analyzer, ls_rhs (expr));
  if (ls_is (expr, MIN) ? a.max <= b.min : a.min >= b.max)
    return ls_ref (ls_lhs (expr));
  if (ls_is (expr, MIN) ? b.max <= a.min : b.min >= a.max)
    return ls_ref (ls_rhs (expr));
  return NULL;
}

LsExpr *
ls_rewrite_min_max (LsSimplifier *self,
                    LsExpr       *expr)
{
  gboolean min = ls_is (expr, MIN);
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    result = ls_rules_apply (self, min ? &ls_rules_min_vector : &ls_rules_max_vector, expr);
  else if (ls_is_index_expr (expr))
    {
      result = decided_by_bounds (self, expr);
      if (result == NULL)
        result = ls_rules_apply (self, min ? &ls_rules_min_index : &ls_rules_max_index, expr);
    }
  return result != NULL ? result : ls_rules_apply (self, &ls_rules_select, expr);
}
