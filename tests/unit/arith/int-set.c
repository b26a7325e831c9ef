/* Integer sets: tables of expressions over domains. */
#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"
#include "tests/support/expr-io.h"

typedef struct {
  const char *expr;
  const char *dom;              /* "x=0:10 y=n:4": min:extent */
  const char *min, *max;        /* simplified ends */
} EvalCase;

static const EvalCase evals[] = {
  { "x + 1", "x=0:10", "1", "10" },
  { "x - y", "x=0:10 y=0:4", "-3", "9" },
  { "x * 3", "x=2:5", "6", "18" },
  { "x * -2", "x=0:5", "-8", "0" },
  { "0 - x", "x=1:3", "-3", "-1" },
  { "x // 4", "x=0:10", "0", "2" },
  { "x // -4", "x=0:10", "-3", "0" },
  { "x % 4", "x=0:10", "0", "3" },
  { "x % 4", "x=5:2", "1", "2" },
  { "x % 4", "x=6:4", "0", "3" },
  { "x * 4 + y", "x=0:8 y=0:4", "0", "31" },
  { "T.min(x, 3)", "x=0:10", "0", "3" },
  { "T.max(x, 3)", "x=0:10", "3", "9" },
  { "n + x", "x=0:4", "n", "n + 3" },
  { "x + y", "x=y:4", "y + y", "y + y + 3" },
  { "x * n", "x=0:1", "0", "0" },
  { "T.Select(x < 2, x, 7)", "x=0:4", "0", "7" },
  { "x < 2", "x=0:4", "0", "1" },
  { "x * y", "x=0:4 y=0:4", "neg_inf", "pos_inf" },
  { "x // 0", "x=0:4", "neg_inf", "pos_inf" },
  { "x % 0", "x=0:4", "neg_inf", "pos_inf" },
  { "x * -1 % 4 // 3 + 4", "x=0:2", "4", "5" },
  { "(0 - x % 4) % 8 + 4", "x=0:6", "4", "11" },
  { "x", "x=y:4 y=0:3", "0", "5" },
  { "x", "x=x:4", "x", "x + 6" },
};

static LsDomMap *
read_dom (const char *text,
          GHashTable *vars)
{
  LsDomMap *dom = ls_dom_map_new ();
  g_auto (GStrv) parts = g_strsplit (text, " ", -1);

  for (guint i = 0; parts[i] != NULL && *parts[i] != '\0'; i++)
    {
      char *equals = strchr (parts[i], '=');
      char *colon = strchr (parts[i], ':');
      g_autoptr (LsRange) range = NULL;

      *equals = *colon = '\0';
      range = ls_range_new (ls_test_expr_read (equals + 1, vars), ls_test_expr_read (colon + 1, vars));
      ls_dom_map_set_range (dom, ls_test_var (vars, parts[i]), range);
    }
  return dom;
}

static void
assert_end (LsExpr     *end,
            const char *expected,
            GHashTable *vars,
            const char *what)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) wanted = NULL;
  g_autofree char *text = ls_expr_text (end);

  if (g_str_has_suffix (expected, "_inf"))
    {
      g_assert_true (end == (expected[0] == 'p' ? ls_pos_inf () : ls_neg_inf ()));
      return;
    }
  wanted = ls_test_expr_read (expected, vars);
  if (ls_is_pos_inf (end) || ls_is_neg_inf (end) || !ls_analyzer_can_prove_equal (analyzer, end, wanted))
    g_error ("%s: %s, expected %s", what, text, expected);
}

static void
test_eval (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (evals); i++)
    {
      const EvalCase *c = &evals[i];
      g_autoptr (GHashTable) vars = ls_test_vars_new ();
      g_autoptr (LsDomMap) dom = read_dom (c->dom, vars);
      g_autoptr (LsExpr) expr = ls_test_expr_read (c->expr, vars);
      g_autoptr (LsIntSet) set = ls_eval_set (expr, dom, NULL);

      assert_end (set->min_value, c->min, vars, c->expr);
      assert_end (set->max_value, c->max, vars, c->expr);
    }
}

static LsIntSet *
interval (gint64 a,
          gint64 b)
{
  return ls_int_set_new_interval (ls_int (a), ls_int (b));
}

static void
assert_interval (LsIntSet *set,
                 gint64    a,
                 gint64    b)
{
  g_assert_true (ls_is_int_value (set->min_value, a));
  g_assert_true (ls_is_int_value (set->max_value, b));
}

static void
test_union (void)
{
  g_autoptr (LsIntSet) low = interval (0, 3);
  g_autoptr (LsIntSet) mid = interval (2, 8);
  g_autoptr (LsIntSet) high = interval (10, 12);
  g_autoptr (LsIntSet) nothing = ls_int_set_nothing ();
  g_autoptr (LsIntSet) everything = ls_int_set_everything ();
  LsIntSet *a[] = { low, high };
  LsIntSet *b[] = { low, mid, nothing };
  LsIntSet *c[] = { low, everything };
  g_autoptr (LsIntSet) ua = ls_int_set_union (a, 2);
  g_autoptr (LsIntSet) ub = ls_int_set_union (b, 3);
  g_autoptr (LsIntSet) uc = ls_int_set_union (c, 2);
  g_autoptr (LsIntSet) la = ls_int_set_union_lower_bound (a, 2);
  g_autoptr (LsIntSet) lb = ls_int_set_union_lower_bound (b, 3);
  g_autoptr (LsIntSet) ia = ls_int_set_intersect (a, 2);
  g_autoptr (LsIntSet) ib = ls_int_set_intersect (b, 2);
  g_autoptr (LsIntSet) ic = ls_int_set_intersect (c, 2);
  g_autoptr (LsIntSet) none = ls_int_set_union (NULL, 0);

  assert_interval (ua, 0, 12);
  assert_interval (ub, 0, 8);
  g_assert_true (ls_int_set_is_everything (uc));
  assert_interval (la, 0, 3);
  assert_interval (lb, 0, 8);
  g_assert_true (ls_int_set_is_nothing (ia));
  assert_interval (ib, 2, 3);
  assert_interval (ic, 0, 3);
  g_assert_true (ls_int_set_is_nothing (none));
}

static void
test_cover_range (void)
{
  g_autoptr (LsRange) whole = ls_range_new (ls_int (0), ls_int (100));
  g_autoptr (LsIntSet) set = interval (4, 9);
  g_autoptr (LsIntSet) everything = ls_int_set_everything ();
  g_autoptr (LsRange) r = ls_int_set_cover_range (set, whole);
  g_autoptr (LsRange) all = ls_int_set_cover_range (everything, whole);

  g_assert_true (ls_is_int_value (r->min, 4));
  g_assert_true (ls_is_int_value (r->extent, 6));
  g_assert_true (all == whole);
  g_assert_true (ls_int_set_match_range (set, r));
  g_assert_true (ls_int_set_can_prove_positive (set));
  g_assert_false (ls_int_set_can_prove_negative (set));
}

static void
test_constraint (void)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) vars = ls_test_vars_new ();
  g_autoptr (LsExpr) condition = ls_test_expr_read ("2 <= x and x < 9 and not (y > 5) and z + 1 < 3", vars);
  g_autoptr (LsDomMap) dom = ls_constraint_to_dom_map (condition, analyzer);
  LsIntSet *x = ls_dom_map_get_set (dom, ls_test_var (vars, "x"));
  LsIntSet *y = ls_dom_map_get_set (dom, ls_test_var (vars, "y"));

  assert_interval (x, 2, 8);
  g_assert_true (ls_is_neg_inf (y->min_value));
  g_assert_true (ls_is_int_value (y->max_value, 5));
  g_assert_false (ls_dom_map_contains (dom, ls_test_var (vars, "z")));
}

typedef struct {
  const char *conditions;       /* split at ';' */
  const char *dom;
  const char *var;
  const char *min, *extent;     /* NULL: not solved */
} SolveCase;

static const SolveCase solves[] = {
  { "x >= 1;x < 9", "x=0:20", "x", "1", "8" },
  { "x * 4 + y < 10", "x=0:8 y=0:1", "x", "0", "3" },
  { "x + y < 4", "x=0:8 y=0:8", "x", NULL, NULL },
  { "x == 3", "x=0:8", "x", "3", "1" },
  { "x < 0", "x=0:8", "x", NULL, NULL },
  { "x // 4 < 2", "x=0:20", "x", "0", "8" },
  { "x % 4 < 2", "x=0:20", "x", NULL, NULL },
};

static void
test_inequalities (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (solves); i++)
    {
      const SolveCase *c = &solves[i];
      g_autoptr (GHashTable) vars = ls_test_vars_new ();
      g_autoptr (LsDomMap) dom = read_dom (c->dom, vars);
      g_auto (GStrv) texts = g_strsplit (c->conditions, ";", -1);
      g_autoptr (GPtrArray) conditions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      g_autoptr (GPtrArray) list = g_ptr_array_new ();
      g_autoptr (LsDomMap) solved = NULL;
      LsRange *range;

      for (guint k = 0; texts[k] != NULL; k++)
        g_ptr_array_add (conditions, ls_test_expr_read (texts[k], vars));
      for (guint k = 0; k < ls_dom_map_get_n (dom); k++)
        g_ptr_array_add (list, ls_dom_map_get_var (dom, k));
      solved = ls_solve_inequalities (list, dom, conditions);
      if (c->min == NULL)
        {
          if (solved != NULL)
            g_error ("%s was solved", c->conditions);
          continue;
        }
      if (solved == NULL)
        g_error ("%s was not solved", c->conditions);
      range = ls_dom_map_get_range (solved, ls_test_var (vars, c->var));
      g_assert_nonnull (range);
      assert_end (range->min, c->min, vars, c->conditions);
      assert_end (range->extent, c->extent, vars, c->conditions);
    }
}

/* Domains that refer to the next one twice: a chain of 60 must end, and soon. */
static void
test_hostile_domains (void)
{
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  g_autoptr (LsIntSet) set = NULL;
  LsVar *vars[60];

  for (guint i = 0; i < 60; i++)
    vars[i] = ls_var_new ("v", LS_INT32);
  for (guint i = 0; i < 60; i++)
    {
      LsVar *next = vars[(i + 1) % 60];
      g_autoptr (LsIntSet) own = ls_int_set_new_interval (LS_EXPR (ls_ref (next)), ls_add (LS_EXPR (ls_ref (next)), ls_int (1)));

      ls_dom_map_set_set (dom, vars[i], own);
    }
  set = ls_eval_set (LS_EXPR (vars[0]), dom, NULL);
  g_assert_nonnull (set);
  for (guint i = 0; i < 60; i++)
    ls_unref (vars[i]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arith/int-set/eval", test_eval);
  g_test_add_func ("/arith/int-set/union", test_union);
  g_test_add_func ("/arith/int-set/cover-range", test_cover_range);
  g_test_add_func ("/arith/int-set/constraint", test_constraint);
  g_test_add_func ("/arith/int-set/inequalities", test_inequalities);
  g_test_add_func ("/arith/int-set/hostile-domains", test_hostile_domains);
  return g_test_run ();
}
