/* rewrite-arith: rules of +, - and *.
 *
 * Cancel, fold coefficients together, and bring what is left to one shape: constants to the right end of a sum,
 * min and max to its front, coefficients to the right of a product, no subtraction of a constant or of a product
 * with one.  The order of the rules decides the normal form; it is TVM v0.20's.
 */
#include "engine/arith/arith-private.h"

/* Every rule leaves fewer ramps and broadcasts. */
static const LsRule add_vectors[] = {
  RULE ("ramp (p, q, l) + ramp (r, s, l)", "ramp (p + r, q + s, l)"),
  RULE ("ramp (p, q, l) + bcast (x, l)", "ramp (p + x, q, l)"),
  RULE ("bcast (x, l) + ramp (p, q, l)", "ramp (x + p, q, l)"),
  RULE ("bcast (x, l) + bcast (y, l)", "bcast (x + y, l)"),
  RULE_IF ("x + bcast (f, l)", "x", "fzero (f)"),
};
LS_RULE_TABLE (ls_rules_add_vector, add_vectors, "add/vector", LS_RULE_ANY);

/* Fewer nodes, down to the shapes at the end, which only move: the constant right, min and max left. */
static const LsRule add_indices[] = {
  RULE ("(x - y) + y", "x"),
  RULE ("x + (y - x)", "y"),
  RULE ("(x - y) + (y - z)", "x - z"),
  RULE ("(x - y) + (z - x)", "z - y"),
  RULE ("min (x, y - z) + z", "min (x + z, y)"),
  RULE ("min (x - z, y) + z", "min (x, y + z)"),
  RULE ("max (x, y - z) + z", "max (x + z, y)"),
  RULE ("max (x - z, y) + z", "max (x, y + z)"),
  RULE_IF ("min (x, y + z * c1) + z * c2", "min (x + z * c2, y)", "c1 == 0 - c2"),
  RULE_IF ("max (x, y + z * c1) + z * c2", "max (x + z * c2, y)", "c1 == 0 - c2"),
  RULE_IF ("min (y + z * c1, x) + z * c2", "min (x + z * c2, y)", "c1 == 0 - c2"),
  RULE_IF ("max (y + z * c1, x) + z * c2", "max (x + z * c2, y)", "c1 == 0 - c2"),
  RULE ("max (x, y) + min (x, y); min (x, y) + max (x, y); max (x, y) + min (y, x); min (x, y) + max (y, x)", "x + y"),
  RULE_IF ("min (x, y + c1) + c2", "min (x + c2, y)", "c1 == 0 - c2"),
  RULE_IF ("min (x + c1, y) + c2", "min (x, y + c2)", "c1 == 0 - c2"),
  RULE_IF ("max (x, y + c1) + c2", "max (x + c2, y)", "c1 == 0 - c2"),
  RULE_IF ("max (x + c1, y) + c2", "max (x, y + c2)", "c1 == 0 - c2"),
  RULE ("(x + c1) + c2", "x + (c1 + c2)"),
  RULE ("x + x", "x * 2"),
  RULE ("(x ~* y) ~+ x", "x * (y + 1)"),
  RULE ("x * y + x * z; y * x + x * z; x * y + z * x; y * x + z * x", "x * (y + z)"),
  RULE ("tdiv (x, c1) * c1 + tmod (x, c1)", "x"),
  RULE ("((x // y) ~* y) ~+ x % y", "x"),
  RULE_IF ("x // c1 * c1 + y % c1", "x", "c1 > 0 && prove (x % c1 == y % c1)"),
  RULE_IF ("(x % c2 + c1) // c2 + x // c2", "(x + c1) // c2", "c2 > 0"),
  AGAIN ("x // 2 + x % 2", "(x + 1) // 2"),
  RULE_IF ("(x + c1) % 2 + x % 2", "1", "c1 % 2 == 1"),
  RULE_IF ("x % 2 + (x + c1) % 2", "1", "c1 % 2 == 1"),
  AGAIN ("x ~+ (c1 - y)", "(x - y) + c1"),
  AGAIN ("(x + c1) + y; x + (c1 + y); x + (y + c1)", "(x + y) + c1"),
  AGAIN ("x + max (y, z)", "max (y, z) + x"),
  AGAIN ("x + min (y, z)", "min (y, z) + x"),
  AGAIN ("tmod (y, c1) + x * c1", "x * c1 + tmod (y, c1)"),
  AGAIN ("y % c1 + x * c1", "x * c1 + y % c1"),
};
LS_RULE_TABLE (ls_rules_add_index, add_indices, "add/index", LS_RULE_INDEX);

static const LsRule add_selects[] = {
  RULE ("select (x, p, q) + select (x, r, s)", "select (x, p + r, q + s)"),
};
LS_RULE_TABLE (ls_rules_add_select, add_selects, "add/select", LS_RULE_ANY);

static const LsRule sub_vectors[] = {
  RULE ("ramp (p, q, l) - ramp (r, s, l)", "ramp (p - r, q - s, l)"),
  RULE ("ramp (p, q, l) - bcast (x, l)", "ramp (p - x, q, l)"),
  RULE ("bcast (x, l) - ramp (p, q, l)", "ramp (x - p, 0 - q, l)"),
  RULE ("bcast (x, l) - bcast (y, l)", "bcast (x - y, l)"),
};
LS_RULE_TABLE (ls_rules_sub_vector, sub_vectors, "sub/vector", LS_RULE_ANY);

/* Cancelling, then quotient against remainder; at the end a constant becomes an addition and moves right. */
static const LsRule sub_indices[] = {
  RULE ("(x ~+ y) - y", "x"),
  RULE ("x - (y ~+ x)", "0 - y"),
  RULE ("min (x, y) - y; x - max (y, x)", "min (x - y, 0)"),
  RULE ("x - max (x, y); min (y, x) - y", "min (0, x - y)"),
  RULE ("max (x, y) - y; x - min (y, x)", "max (x - y, 0)"),
  RULE ("x - min (x, y); max (y, x) - y", "max (0, x - y)"),
  RULE ("x - x", "0"),
  RULE ("(x ~* y) - x", "x * (y - 1)"),
  RULE ("x - (y ~* x)", "x * (1 - y)"),
  RULE ("x * y - x * z; y * x - x * z; x * y - z * x; y * x - z * x", "x * (y - z)"),
  RULE ("(x + c1) - c2", "x + (c1 - c2)"),
  RULE ("(c1 - x) - (c2 - y)", "(y - x) + (c1 - c2)"),
  RULE ("(x + y) - (x + z); (x + y) - (z + x); (y + x) - (z + x); (y + x) - (x + z)", "y - z"),
  RULE ("min (x ~+ y, z) - x", "min (y, z - x)"),
  RULE ("min (z, x ~+ y) - x", "min (z - x, y)"),
  RULE ("max (x ~+ y, z) - x", "max (y, z - x)"),
  RULE ("max (z, x ~+ y) - x", "max (z - x, y)"),
  RULE ("x - min (x ~+ y, z)", "max (0 - y, x - z)"),
  RULE ("x - min (z, x ~+ y)", "max (x - z, 0 - y)"),
  RULE ("x - max (x ~+ y, z)", "min (0 - y, x - z)"),
  RULE ("x - max (z, x ~+ y)", "min (x - z, 0 - y)"),
  RULE ("min (x, y) - min (y, x)", "0"),
  RULE ("max (x, y) - max (y, x)", "0"),
  RULE_IF ("min (p, q) - min (r, s); min (p, q) - min (s, r)", "p - r", "zero ((p - r) - (q - s))"),
  RULE_IF ("max (p, q) - max (r, s); max (p, q) - max (s, r)", "p - r", "zero ((p - r) - (q - s))"),

  RULE_IF ("x - tdiv (x, c1) * c1", "tmod (x, c1)", "c1 != 0"),
  RULE_IF ("tdiv (x, c1) * c1 - x", "0 - tmod (x, c1)", "c1 != 0"),
  RULE_IF ("x - tdiv (x + y, c1) * c1", "tmod (x + y, c1) - y", "c1 != 0"),
  RULE_IF ("tdiv (x + y, c1) * c1 - x", "y - tmod (x + y, c1)", "c1 != 0"),
  RULE_IF ("x - tdiv (x - y, c1) * c1", "tmod (x - y, c1) + y", "c1 != 0"),
  RULE_IF ("tdiv (x - y, c1) * c1 - x", "0 - tmod (x - y, c1) - y", "c1 != 0"),
  RULE_IF ("x * c2 - tdiv (x, c1) * c3", "tmod (x, c1) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("tdiv (x, c1) * c3 - x * c2", "0 - tmod (x, c1) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("x * c2 - tdiv (x + y, c1) * c3", "(tmod (x + y, c1) - y) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("tdiv (x + y, c1) * c3 - x * c2", "(y - tmod (x + y, c1)) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("x * c2 - tdiv (x - y, c1) * c3", "(tmod (x - y, c1) + y) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("tdiv (x - y, c1) * c3 - x * c2", "(0 - tmod (x - y, c1) - y) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("tdiv (x + c1, c3) - tdiv (x + c2, c3)", "tdiv (tmod (x + c2 % c3, c3) + (c1 - c2), c3)",
           "c1 >= c2 && c3 > 0 && ge (x, 0 - c2) && ge (x, 0 - c2 % c3)"),
  RULE_IF ("tdiv (x + c1, c3) - tdiv (x, c3)", "tdiv (tmod (x, c3) + c1, c3)", "c1 >= 0 && c3 > 0 && ge (x, 0)"),

  RULE_IF ("x - x // c1 * c1", "x % c1", "c1 != 0"),
  RULE_IF ("x // c1 * c1 - x", "0 - x % c1", "c1 != 0"),
  RULE_IF ("x - (x + y) // c1 * c1", "(x + y) % c1 - y", "c1 != 0"),
  RULE_IF ("(x + y) // c1 * c1 - x", "y - (x + y) % c1", "c1 != 0"),
  RULE_IF ("x - (x - y) // c1 * c1", "(x - y) % c1 + y", "c1 != 0"),
  RULE_IF ("(x - y) // c1 * c1 - x", "0 - (x - y) % c1 - y", "c1 != 0"),
  AGAIN ("(x + c1) // 2 - (x + c2) // 2", "x % 2 * (c1 % 2 - c2 % 2) + (c1 // 2 - c2 // 2)"),
  AGAIN ("x // 2 - (x + c2) // 2", "x % 2 * (0 - c2 % 2) - c2 // 2"),
  AGAIN ("(x + c1) // 2 - x // 2", "x % 2 * (c1 % 2) + c1 // 2"),
  RULE_IF ("x * c2 - x // c1 * c3", "x % c1 * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("x // c1 * c3 - x * c2", "0 - x % c1 * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("x * c2 - (x + y) // c1 * c3", "((x + y) % c1 - y) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("(x + y) // c1 * c3 - x * c2", "(y - (x + y) % c1) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("x * c2 - (x - y) // c1 * c3", "((x - y) % c1 + y) * c2", "c1 != 0 && c3 == c1 * c2"),
  RULE_IF ("(x - y) // c1 * c3 - x * c2", "(0 - (x - y) % c1 - y) * c2", "c1 != 0 && c3 == c1 * c2"),
  AGAIN ("(x + 1) // 2 - x % 2", "x // 2"),
  RULE_IF ("(x + c1) // c3 - (x + c2) // c3", "((x + c2 % c3) % c3 + (c1 - c2)) // c3", "c3 > 0"),
  RULE_IF ("(x + c1) // c3 - x // c3", "(x % c3 + c1) // c3", "c3 > 0"),

  RULE ("x - c1", "x + (0 - c1)"),
  AGAIN ("(x + c1) - y", "(x - y) + c1"),
  AGAIN ("x - (y + c1)", "(x - y) + (0 - c1)"),
  AGAIN ("x - (y - z)", "(x + z) - y"),
  AGAIN ("x - y * c1", "x + y * (0 - c1)"),
};
LS_RULE_TABLE (ls_rules_sub_index, sub_indices, "sub/index", LS_RULE_INDEX);

/* Integers that are no indices: cancelling, unless evaluating twice or not at all makes a difference.  Floats do not
 * cancel: sums are rounded, and inf - inf is no number.  (TVM v0.20 cancels them.) */
static const LsRule sub_others[] = {
  RULE_IF ("x - x", "0", "whole (x) && pure (x)"),
  RULE_IF ("(x + y) - y", "x", "whole (x) && pure (y)"),
  RULE_IF ("(x + y) - x", "y", "whole (x) && pure (x)"),
  RULE_IF ("x - (y + x)", "0 - y", "whole (x) && pure (x)"),
  RULE_IF ("x - (x + y)", "0 - y", "whole (x) && pure (x)"),
};
LS_RULE_TABLE (ls_rules_sub_other, sub_others, "sub/other", LS_RULE_WRAP | LS_RULE_FLOAT);

static const LsRule sub_selects[] = {
  RULE ("select (x, p, q) - select (x, r, s)", "select (x, p - r, q - s)"),
  RULE_IF ("select (x, y, z) - z", "select (x, y - z, 0)", "whole (z)"),
  RULE_IF ("select (x, y, z) - y", "select (x, 0, z - y)", "whole (y)"),
};
LS_RULE_TABLE (ls_rules_sub_select, sub_selects, "sub/select", LS_RULE_ANY);

static const LsRule mul_vectors[] = {
  RULE ("bcast (x, l) * bcast (y, l)", "bcast (x * y, l)"),
  RULE ("ramp (p, q, l) ~* bcast (x, l)", "ramp (p * x, q * x, l)"),
};
LS_RULE_TABLE (ls_rules_mul_vector, mul_vectors, "mul/vector", LS_RULE_ANY);

/* The coefficient goes right and outwards. */
static const LsRule mul_indices[] = {
  RULE ("(x + c1) * c2", "x * c2 + c1 * c2"),
  RULE ("(x * c1) * c2", "x * (c1 * c2)"),
  RULE ("min (x, y) ~* max (x, y)", "x * y"),
  RULE_IF ("(x - x % c2) // c1 * c1", "x - x % c2", "c1 == 0 - c2"),
  AGAIN ("x * (c1 * y)", "(x * y) * c1"),
  AGAIN ("c1 * x", "x * c1"),
  AGAIN_IF ("(x - y) * c1", "(y - x) * (0 - c1)", "c1 < 0"),
};
LS_RULE_TABLE (ls_rules_mul_index, mul_indices, "mul/index", LS_RULE_INDEX);

LsExpr *
ls_rewrite_add (LsSimplifier *self,
                LsExpr       *expr)
{
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    result = ls_rules_apply (self, &ls_rules_add_vector, expr);
  if (result == NULL && ls_is_index_expr (expr))
    result = ls_rules_apply (self, &ls_rules_add_index, expr);
  return result != NULL ? result : ls_rules_apply (self, &ls_rules_add_select, expr);
}

LsExpr *
ls_rewrite_sub (LsSimplifier *self,
                LsExpr       *expr)
{
  LsExpr *result = NULL;

  if (ls_dtype (expr).lanes > 1)
    result = ls_rules_apply (self, &ls_rules_sub_vector, expr);
  if (result == NULL)
    result = ls_rules_apply (self, ls_is_index_expr (expr) ? &ls_rules_sub_index : &ls_rules_sub_other, expr);
  return result != NULL ? result : ls_rules_apply (self, &ls_rules_sub_select, expr);
}

LsExpr *
ls_rewrite_mul (LsSimplifier *self,
                LsExpr       *expr)
{
  if (ls_dtype (expr).lanes > 1)
    return ls_rules_apply (self, &ls_rules_mul_vector, expr);
  return ls_is_index_expr (expr) ? ls_rules_apply (self, &ls_rules_mul_index, expr) : NULL;
}
