/* arith against brute force: random integer expressions over small ranges.
 *
 * At every point at which the expression has a value (no division by zero): the simplified forms have the same
 * value, the bounds contain it, the modular set contains it; what can be proved holds; and all of this also under
 * a constraint, at the points where that holds.  A failure names the case number, which is its seed.
 */
#include "engine/arith/arith.h"
#include "tests/support/expr-io.h"
#include "tests/support/support.h"

#define N_VARS 3

typedef struct {
  GRand      *rand;
  LsVar      *vars[N_VARS];
  gint64      low[N_VARS];
  gint64      high[N_VARS];
  LsAnalyzer *analyzer;
  GHashTable *point;            /* LsVar -> gint64 * */
  gint64      values[N_VARS];
  gboolean    truncating;
} Case;

/* ---- random expressions ---- */

static gint64
random_constant (Case *c)
{
  static const gint64 usual[] = { 0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 127, -1, -2, -3, -4, -8 };

  return usual[g_rand_int_range (c->rand, 0, G_N_ELEMENTS (usual))];
}

static LsExpr *
random_divisor (Case *c)
{
  static const gint64 usual[] = { 1, 2, 3, 4, 8, 16, 5, 6, 12, 32, -1, -2, -3, -4 };
  gboolean positive = g_rand_int_range (c->rand, 0, 8) != 0;

  return ls_int (usual[g_rand_int_range (c->rand, 0, positive ? 10 : G_N_ELEMENTS (usual))]);
}

static LsExpr *random_condition (Case *c, guint depth);

static LsExpr *
random_expr (Case  *c,
             guint  depth)
{
  LsExpr *a, *b;

  if (depth == 0 || g_rand_int_range (c->rand, 0, 8) == 0)
    return g_rand_int_range (c->rand, 0, 4) == 0 ? ls_int (random_constant (c))
                                                  : LS_EXPR (ls_ref (c->vars[g_rand_int_range (c->rand, 0, N_VARS)]));
  a = random_expr (c, depth - 1);
  switch (g_rand_int_range (c->rand, 0, 13))
    {
    case 0:
    case 1:
    case 2:
      return ls_add (a, random_expr (c, depth - 1));
    case 3:
    case 4:
      return ls_sub (a, random_expr (c, depth - 1));
    case 5:
      return ls_mul (a, ls_int (random_constant (c)));
    case 6:
      b = g_rand_int_range (c->rand, 0, 6) == 0 ? random_expr (c, depth - 1) : random_divisor (c);
      return ls_binary (c->truncating ? LS_KIND_DIV : LS_KIND_FLOOR_DIV, a, b);
    case 7:
    case 8:
      b = g_rand_int_range (c->rand, 0, 6) == 0 ? random_expr (c, depth - 1) : random_divisor (c);
      return ls_binary (c->truncating ? LS_KIND_MOD : LS_KIND_FLOOR_MOD, a, b);
    case 9:
      return ls_min (a, random_expr (c, depth - 1));
    case 10:
      return ls_max (a, random_expr (c, depth - 1));
    case 11:
      b = random_expr (c, depth - 1);
      return ls_select_new (random_condition (c, depth - 1), a, b);
    default:
      return ls_mul (a, random_expr (c, depth > 2 ? 1 : depth - 1));
    }
}

static LsExpr *
random_condition (Case  *c,
                  guint  depth)
{
  static const LsKind kinds[] = { LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  LsExpr *a;

  if (depth > 0 && g_rand_int_range (c->rand, 0, 3) == 0)
    {
      a = random_condition (c, depth - 1);
      if (g_rand_int_range (c->rand, 0, 4) == 0)
        return ls_not (a);
      return ls_binary (g_rand_boolean (c->rand) ? LS_KIND_AND : LS_KIND_OR, a, random_condition (c, depth - 1));
    }
  a = random_expr (c, depth);
  return ls_binary (kinds[g_rand_int_range (c->rand, 0, 6)], a,
                    g_rand_boolean (c->rand) ? ls_int (random_constant (c)) : random_expr (c, depth));
}

/* ---- points ---- */

static gboolean
next_point (Case *c)
{
  for (guint i = 0; i < N_VARS; i++)
    {
      if (c->values[i] < c->high[i])
        {
          c->values[i]++;
          return TRUE;
        }
      c->values[i] = c->low[i];
    }
  return FALSE;
}

static void
first_point (Case *c)
{
  for (guint i = 0; i < N_VARS; i++)
    c->values[i] = c->low[i];
}

static void
case_init (Case    *c,
           guint32  seed)
{
  static const gint64 extents[] = { 1, 2, 3, 4, 7, 8, 16, 17 };

  c->rand = g_rand_new_with_seed (seed);
  c->truncating = seed % 4 == 3;
  c->analyzer = ls_analyzer_new ();
  c->point = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < N_VARS; i++)
    {
      g_autoptr (LsRange) range = NULL;
      gint64 extent = extents[g_rand_int_range (c->rand, 0, G_N_ELEMENTS (extents))];

      c->low[i] = g_rand_int_range (c->rand, 0, 3) == 0 ? random_constant (c) : 0;
      c->high[i] = c->low[i] + extent - 1;
      c->vars[i] = ls_var_new ((const char *[]) { "i", "j", "k" }[i], LS_INT32);
      range = ls_range_new (ls_int (c->low[i]), ls_int (extent));
      ls_analyzer_bind_range (c->analyzer, c->vars[i], range, FALSE);
      g_hash_table_insert (c->point, c->vars[i], &c->values[i]);
    }
}

static void
case_clear (Case *c)
{
  for (guint i = 0; i < N_VARS; i++)
    ls_unref (c->vars[i]);
  ls_analyzer_free (c->analyzer);
  g_hash_table_unref (c->point);
  g_rand_free (c->rand);
}

/* ---- checks ---- */

static void
fail_at (Case       *c,
         guint32     seed,
         const char *what,
         LsExpr     *expr,
         LsExpr     *result,
         LsExpr     *constraint)
{
  g_autofree char *text = ls_test_expr_print (expr);
  g_autofree char *result_text = result != NULL ? ls_test_expr_print (result) : g_strdup ("-");
  g_autofree char *constraint_text = constraint != NULL ? ls_test_expr_print (constraint) : g_strdup ("-");

  g_test_message ("case %u: %s: %s gives %s under %s at i=%d j=%d k=%d, ranges [%d, %d] [%d, %d] [%d, %d]", seed, what,
                  text, result_text, constraint_text, (int) c->values[0], (int) c->values[1], (int) c->values[2],
                  (int) c->low[0], (int) c->high[0], (int) c->low[1], (int) c->high[1], (int) c->low[2], (int) c->high[2]);
  g_test_fail ();
}

static gboolean
same_value (Case   *c,
            LsExpr *result,
            gint64  value)
{
  gint64 other;

  return ls_test_expr_eval (result, c->point, &other) && other == value;
}

static gboolean
in_modular_set (LsModularSet set,
                gint64       value)
{
  return set.coeff == 0 ? value == set.base : ls_floormod_i64 (value, set.coeff) == set.base;
}

typedef struct {
  const char *what;
  LsExpr *(*simplify) (LsAnalyzer *self, LsExpr *expr);
  LsExpr *result;
} Form;

static void
check_points (Case    *c,
              guint32  seed,
              LsExpr  *expr,
              LsExpr  *constraint)
{
  Form forms[] = { { "simplify", ls_analyzer_simplify, NULL }, { "rewrite", ls_analyzer_rewrite_simplify, NULL },
                   { "canonical", ls_analyzer_canonical_simplify, NULL } };
  LsConstIntBound bound = ls_analyzer_const_int_bound (c->analyzer, expr);
  LsModularSet set = ls_analyzer_modular_set (c->analyzer, expr);
  gboolean proved = ls_dtype_is_bool (ls_dtype (expr)) && ls_analyzer_can_prove_strength (c->analyzer, expr, LS_PROOF_SYMBOLIC_BOUND);
  gboolean failed = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    forms[i].result = forms[i].simplify (c->analyzer, expr);
  first_point (c);
  do
    {
      gint64 value, holds = 1;

      if (!ls_test_expr_eval (expr, c->point, &value) ||
          (constraint != NULL && (!ls_test_expr_eval (constraint, c->point, &holds) || !holds)))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (forms) && !failed; i++)
        if ((failed = !same_value (c, forms[i].result, value)))
          fail_at (c, seed, forms[i].what, expr, forms[i].result, constraint);
      if (!failed && (failed = value < bound.min || value > bound.max))
        fail_at (c, seed, "bounds", expr, NULL, constraint);
      if (!failed && (failed = !in_modular_set (set, value)))
        fail_at (c, seed, "modular set", expr, NULL, constraint);
      if (!failed && (failed = proved && value == 0))
        fail_at (c, seed, "proof", expr, NULL, constraint);
    }
  while (!failed && next_point (c));
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    ls_unref (forms[i].result);
}

static void
run_case (guint32 seed)
{
  g_autoptr (LsExpr) expr = NULL;
  g_autoptr (LsExpr) condition = NULL;
  g_autoptr (LsExpr) constraint = NULL;
  Case c;
  guint scope;

  case_init (&c, seed);
  if (seed % 5 == 4)
    ls_analyzer_set_extensions (c.analyzer, g_rand_int_range (c.rand, 0, 16));
  expr = random_expr (&c, g_rand_int_range (c.rand, 1, 5));
  condition = random_condition (&c, g_rand_int_range (c.rand, 0, 3));
  constraint = random_condition (&c, g_rand_int_range (c.rand, 0, 2));
  check_points (&c, seed, expr, NULL);
  check_points (&c, seed, condition, NULL);
  scope = ls_analyzer_enter_constraint (c.analyzer, constraint);
  check_points (&c, seed, expr, constraint);
  check_points (&c, seed, condition, constraint);
  ls_analyzer_exit_constraint (c.analyzer, scope);
  case_clear (&c);
}

static void
test_brute_force (void)
{
  guint n = ls_test_count (500, 10000);

  for (guint32 seed = 0; seed < n && !g_test_failed (); seed++)
    run_case (seed);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arith/brute-force", test_brute_force);
  return g_test_run ();
}
