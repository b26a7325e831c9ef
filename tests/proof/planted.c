/* planted: see the header. */
#include "tests/proof/planted.h"

static const PlantedRule planted[] = {
  { "sign of a remainder",
    RULE_IF ("x - tdiv (x, c1) * c1", "x % c1", "c1 > 0"),
    RULE_IF ("x - tdiv (x, c1) * c1", "tmod (x, c1)", "c1 > 0"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "missing condition c != 0",
    RULE ("x * c1 == y * c1", "x == y"),
    RULE_IF ("x * c1 == y * c1", "x == y", "c1 != 0"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "division that was not there",
    RULE ("x == y * c1", "x // c1 == y && x % c1 == 0"),
    RULE_IF ("x == y * c1", "x // c1 == y && x % c1 == 0", "c1 != 0"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "wrap of a constant",
    RULE ("x + c1 < x + c2", "c1 < c2"),
    RULE ("x + c1 == x + c2", "c1 == c2"), LS_RULE_WRAP, LS_THEORY_SIGNED },
  { "swapped operands",
    RULE ("(x - y) + (y - z)", "z - x"),
    RULE ("(x - y) + (y - z)", "x - z"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "truncated for floored",
    RULE_IF ("tdiv (x * c1 + y, c2)", "x * (c1 // c2) + y // c2", "c2 > 0 && c1 % c2 == 0"),
    RULE_IF ("(x * c1 + y) // c2", "x * (c1 // c2) + y // c2", "c2 > 0 && c1 % c2 == 0"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "off by one in a comparison",
    RULE_IF ("x // c1 < c2", "x <= c1 * c2", "c1 > 0"),
    RULE_IF ("x // c1 < c2", "x <= c1 * c2 - 1", "c1 > 0"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "real numbers for floats",
    RULE ("(x + y) - y", "x"),
    RULE ("x == y && x != y", "0"), LS_RULE_FLOAT, LS_THEORY_FLOATS },
  { "missing non-negativity",
    RULE_IF ("tdiv (x + c1, c2)", "tdiv (x, c2) + tdiv (c1, c2)", "c1 > 0 && c2 > 0 && c1 % c2 == 0"),
    RULE_IF ("tdiv (x + c1, c2)", "tdiv (x, c2) + tdiv (c1, c2)", "c1 > 0 && c2 > 0 && c1 % c2 == 0 && ge (x, 0)"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
  { "unsigned difference",
    RULE ("0 < x - y", "y < x"),
    RULE ("0 < x - y", "y != x"), LS_RULE_WRAP, LS_THEORY_UNSIGNED },
  { "condition of a select",
    RULE ("select (x, p, q) + select (y, r, s)", "select (x, p + r, q + s)"),
    RULE ("select (x, p, q) + select (x, r, s)", "select (x, p + r, q + s)"), LS_RULE_ANY, LS_THEORY_INTEGERS },
  { "order of rules taken for a condition",
    RULE ("min (x * c1, y * c1)", "max (x, y) * c1"),
    RULE_IF ("min (x * c1, y * c1)", "max (x, y) * c1", "c1 <= 0"), LS_RULE_INDEX, LS_THEORY_INTEGERS },
};

const PlantedRule *
proof_planted (guint *n)
{
  *n = G_N_ELEMENTS (planted);
  return planted;
}
