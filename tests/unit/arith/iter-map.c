/* Iteration maps: tables of indices over iterators. */
#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"
#include "tests/support/expr-io.h"

typedef struct {
  const char *indices;          /* split at ';' */
  const char *iters;            /* "x=0:8 y=0:4" */
  const char *predicate;        /* NULL: true */
  LsIterMapLevel level;
  const char *extents;          /* "8;4" of the fused iterators, NULL: refused */
} DetectCase;

#define B LS_ITER_MAP_BIJECTIVE
#define S LS_ITER_MAP_SURJECTIVE
#define N LS_ITER_MAP_NO_CHECK

static const DetectCase detections[] = {
  { "x", "x=0:3", NULL, S, "3" },
  { "x;y + 3;4", "x=0:3 y=0:4", NULL, S, "3;4;1" },
  { "x;y", "x=0:3 y=0:4", NULL, B, "3;4" },
  { "x", "x=0:3 y=0:4", NULL, B, NULL },
  { "x", "x=0:3 y=0:4", NULL, S, "3" },
  { "x * y", "x=0:3 y=0:4", NULL, S, NULL },
  { "x;x", "x=0:3", NULL, S, NULL },
  { "x;x", "x=0:3", NULL, B, NULL },
  { "x * 4 + y", "x=0:3 y=0:4", NULL, B, "12" },
  { "x + y * 3", "x=0:3 y=0:4", NULL, B, "12" },
  { "x * 5 + y", "x=0:3 y=0:4", NULL, B, NULL },
  { "x * 2 + y", "x=0:3 y=0:4", NULL, B, NULL },
  { "x * 2 + y", "x=0:3 y=0:4", NULL, S, "8" },
  { "x // 4;x % 4", "x=0:16", NULL, B, "4;4" },
  { "x // 4", "x=0:16", NULL, B, NULL },
  { "x // 4", "x=0:16", NULL, S, "4" },
  { "x // 3;x % 3", "x=0:16", NULL, B, NULL },
  { "x // 3", "x=0:16", NULL, S, "6" },
  { "x // 3;x % 3", "x=0:16", NULL, S, NULL },
  { "x // 3;x % 3", "x=0:16", NULL, N, "6;3" },
  { "x // 8;(x // 2) % 4;x % 2", "x=0:32", NULL, B, "4;4;2" },
  { "x // 8;x % 2", "x=0:32", NULL, S, "4;2" },
  { "(x * 8 + y) // 4;(x * 8 + y) % 4", "x=0:4 y=0:8", NULL, B, "8;4" },
  { "(x // 2) * 2 + x % 2", "x=0:8", NULL, B, "8" },
  { "x * 12 + y * 4 + z", "x=0:2 y=0:3 z=0:4", NULL, B, "24" },
  { "x * 9 + y * 2 + z", "x=0:4 y=0:5 z=0:2", "y * 2 + z < 9", B, "36" },
  { "x * 8 + y * 2 + z", "x=0:4 y=0:5 z=0:2", "1 <= y * 2 + z and y * 2 + z < 9", B, "32" },
  { "x * 10 + y", "x=0:4 y=0:10", "x * 10 + y < 32", B, "32" },
  { "x * 10 + y", "x=0:4 y=0:10", "x * 10 + y > 4", B, "35" },
  { "x * 10 + y", "x=0:4 y=0:10", "x * 10 + y == 4", B, NULL },
  { "x", "x=0:10", "x < 7", B, "7" },
  { "x", "x=0:10", "x >= 2 and x <= 7", B, "6" },
  { "x + n", "x=0:10", NULL, B, "10" },
  { "x * n + y", "x=0:10 y=0:n", NULL, B, "n * 10" },
  { "x // n", "x=0:n*4", NULL, S, "4" },
  { "x - 3", "x=3:8", NULL, B, "8" },
  { "x", "x=0:y y=0:4", NULL, S, NULL },
  { "T.min(x, 3)", "x=0:8", NULL, S, NULL },
  { "T.min(n, 3) + x", "x=0:8", NULL, S, "8" },
  { "y // x", "x=1:8 y=0:8", NULL, S, NULL },
  { "x // 0", "x=0:8", NULL, S, NULL },
  { "x % 0", "x=0:8", NULL, S, NULL },
  { "x - x", "x=0:8", NULL, S, NULL },
  { "x % 16;x // 16", "x=0:100", NULL, N, "16;7" },
  { "(x + 3) // 16;(x + 3) % 16", "x=0:20", NULL, N, "2;16" },
  { "x", "x=5:1", NULL, B, "1" },
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

static LsArray *
read_list (const char *text,
           GHashTable *vars)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (list, ls_test_expr_read (parts[i], vars));
  return ls_array_take_ptr_array (list);
}

static LsExpr *
extent_of (LsIterSum *sum)
{
  if (ls_array_n (sum->args) == 0)
    return ls_int (1);
  g_assert_cmpuint (ls_array_n (sum->args), ==, 1);
  return ls_ref (ls_array_at (sum->args, 0, LsIterSplit)->extent);
}

static void
run_detect (const DetectCase *c)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) vars = ls_test_vars_new ();
  g_autoptr (LsDomMap) iters = read_dom (c->iters, vars);
  g_autoptr (LsArray) indices = read_list (c->indices, vars);
  g_autoptr (LsExpr) predicate = c->predicate != NULL ? ls_test_expr_read (c->predicate, vars) : NULL;
  g_autoptr (LsIterMapResult) found = ls_detect_iter_map (indices, iters, predicate, c->level, analyzer, TRUE);
  g_autoptr (LsArray) extents = NULL;

  if (c->extents == NULL)
    {
      if (ls_array_n (found->indices) > 0)
        g_error ("%s over %s was accepted at level %d", c->indices, c->iters, c->level);
      g_assert_cmpuint (found->errors->len, >, 0);
      return;
    }
  if (ls_array_n (found->indices) == 0)
    g_error ("%s over %s was refused at level %d: %s", c->indices, c->iters, c->level,
             found->errors->len > 0 ? (char *) found->errors->pdata[0] : "");
  extents = read_list (c->extents, vars);
  g_assert_cmpuint (ls_array_n (found->indices), ==, ls_array_n (extents));
  for (guint i = 0; i < ls_array_n (extents); i++)
    {
      g_autoptr (LsExpr) extent = extent_of (ls_array_at (found->indices, i, LsIterSum));
      g_autofree char *text = ls_expr_text (extent);

      if (!ls_analyzer_can_prove_equal (analyzer, extent, ls_array_at (extents, i, LsExpr)))
        g_error ("%s over %s: extent %u is %s", c->indices, c->iters, i, text);
    }
}

static void
test_detect (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (detections); i++)
    run_detect (&detections[i]);
}

typedef struct {
  const char *indices, *iters, *predicate;
  LsIterMapLevel level;
  const char *simplified;
} SimplifyCase;

static const SimplifyCase simplifications[] = {
  { "x * 8 + y;(x * 8 + y) // 4", "x=0:4 y=0:8", NULL, N, "x * 8 + y;x * 2 + y // 4" },
  { "(x // 4) * 4 + x % 4", "x=0:16", NULL, S, "x" },
  { "(x * 8 + y) // 8;(x * 8 + y) % 8", "x=0:4 y=0:8", NULL, B, "x;y" },
  { "x * y", "x=0:4 y=0:8", NULL, S, "x * y" },
};

static void
test_simplify (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (simplifications); i++)
    {
      const SimplifyCase *c = &simplifications[i];
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (GHashTable) vars = ls_test_vars_new ();
      g_autoptr (LsDomMap) iters = read_dom (c->iters, vars);
      g_autoptr (LsArray) indices = read_list (c->indices, vars);
      g_autoptr (LsArray) expected = read_list (c->simplified, vars);
      g_autoptr (LsArray) simple = NULL;

      ls_dom_map_bind (iters, analyzer);
      simple = ls_iter_map_simplify (indices, iters, NULL, c->level, analyzer, TRUE);
      g_assert_cmpuint (ls_array_n (simple), ==, ls_array_n (expected));
      for (guint k = 0; k < ls_array_n (simple); k++)
        g_assert_true (ls_analyzer_can_prove_equal (analyzer, ls_array_at (simple, k, LsExpr), ls_array_at (expected, k, LsExpr)));
    }
}

typedef struct {
  const char *bindings, *iters, *inner, *predicate;
  const char *outer_extents, *inner_extents;    /* NULL: no division */
} DivideCase;

static const DivideCase divisions[] = {
  { "x;y", "x=0:4 y=0:8", "y", NULL, "4;1", "1;8" },
  { "x * 8 + y", "x=0:4 y=0:8", "y", NULL, "4", "8" },
  { "x * 8 + y", "x=0:4 y=0:8", "x", NULL, NULL, NULL },
  { "(x * 8 + y) // 4;(x * 8 + y) % 4", "x=0:4 y=0:8", "y", NULL, NULL, NULL },
  { "(x * 8 + y) // 8;(x * 8 + y) % 8", "x=0:4 y=0:8", "y", NULL, "4;1", "1;8" },
  { "x * 8 + y", "x=0:4 y=0:8", "y", "x * 8 + y < 30", NULL, NULL },
  { "x * 8 + y;z", "x=0:4 y=0:8 z=0:3", "z", "x * 8 + y < 30", "30;1", "1;3" },
  { "5;x", "x=0:4", "x", NULL, "1;1", "1;4" },
};

static void
assert_extents (LsIterMark **marks,
                const char  *expected,
                GHashTable  *vars,
                const char  *what)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsArray) extents = read_list (expected, vars);

  for (guint i = 0; i < ls_array_n (extents); i++)
    {
      g_autofree char *text = ls_expr_text (marks[i]->extent);

      if (!ls_analyzer_can_prove_equal (analyzer, marks[i]->extent, ls_array_at (extents, i, LsExpr)))
        g_error ("%s: extent %u is %s", what, i, text);
    }
}

static void
test_divide (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (divisions); i++)
    {
      const DivideCase *c = &divisions[i];
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (GHashTable) vars = ls_test_vars_new ();
      g_autoptr (LsDomMap) iters = read_dom (c->iters, vars);
      g_autoptr (LsArray) bindings = read_list (c->bindings, vars);
      g_autoptr (LsArray) inner = read_list (c->inner, vars);
      g_autoptr (LsExpr) predicate = c->predicate != NULL ? ls_test_expr_read (c->predicate, vars) : NULL;
      g_autoptr (LsSubspace) divided = ls_subspace_divide (bindings, iters, inner, predicate, S, analyzer, TRUE);

      if (c->outer_extents == NULL)
        {
          if (divided != NULL)
            g_error ("%s was divided", c->bindings);
          continue;
        }
      if (divided == NULL)
        g_error ("%s was not divided", c->bindings);
      assert_extents (divided->outer, c->outer_extents, vars, c->bindings);
      assert_extents (divided->inner, c->inner_extents, vars, c->bindings);
    }
}

static void
test_normalize (void)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) vars = ls_test_vars_new ();
  g_autoptr (LsDomMap) iters = read_dom ("x=0:4 y=0:8 z=0:3", vars);
  g_autoptr (LsExpr) index = ls_test_expr_read ("y + x * n * 4 + z * 100 + 7", vars);
  g_autoptr (LsIterSum) sum = ls_normalize_to_iter_sum (index, iters, analyzer);

  g_assert_cmpuint (ls_array_n (sum->args), ==, 3);
  g_assert_true (ls_array_at (sum->args, 0, LsIterSplit)->source->source == LS_EXPR (ls_test_var (vars, "z")));
  g_assert_true (ls_array_at (sum->args, 1, LsIterSplit)->source->source == LS_EXPR (ls_test_var (vars, "x")));
  g_assert_true (ls_array_at (sum->args, 2, LsIterSplit)->source->source == LS_EXPR (ls_test_var (vars, "y")));
  g_assert_true (ls_is_int_value (sum->base, 7));
}

static void
test_padding_predicate (void)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) vars = ls_test_vars_new ();
  g_autoptr (LsDomMap) iters = read_dom ("x=0:18", vars);
  g_autoptr (LsArray) indices = read_list ("x // 4;x % 4", vars);
  g_autoptr (LsArray) even = read_list ("x // 6;x % 6", vars);
  g_autoptr (LsIterMapResult) padded = ls_detect_iter_map (indices, iters, NULL, N, analyzer, TRUE);
  g_autoptr (LsIterMapResult) exact = ls_detect_iter_map (even, iters, NULL, N, analyzer, TRUE);
  g_autoptr (LsExpr) predicate = ls_iter_map_to_expr (padded->padding_predicate);
  g_autofree char *text = ls_expr_text (predicate);

  g_assert_true (ls_is_zero (exact->padding_predicate));
  g_assert_cmpstr (text, ==, "x // 4 == 4 and x % 4 >= 2");
}

static void
test_hostile (void)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) vars = ls_test_vars_new ();
  g_autoptr (LsDomMap) iters = read_dom ("x=0:2147483647 y=0:2147483647 z=-2147483648:2147483647", vars);
  static const char *const texts[] = {
    "x * 2147483647 + y", "(x * 2147483647 + y) // 2147483647", "x // -1", "x % -7", "x // -2147483648",
    "z * -2147483648", "(z + x) // 3", "(x + 2147483647) % 65536", "x * 0", "(x * 0) // 5", "x - 2147483648",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint level = 0; level < 4; level++)
      {
        g_autoptr (LsArray) indices = read_list (texts[i], vars);
        g_autoptr (LsIterMapResult) found = NULL;

        if (level == 2)
          continue;
        found = ls_detect_iter_map (indices, iters, NULL, (LsIterMapLevel) level, analyzer, FALSE);
        g_assert_nonnull (found);
      }
}

/* A fused index of very many loops, and the same loops one by one. */
static void
test_many_iterators (void)
{
  enum { N_VARS = 150 };
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsDomMap) iters = ls_dom_map_new ();
  g_autoptr (LsRange) range = ls_range_new (ls_int (0), ls_int (1));
  g_autoptr (LsRange) two = ls_range_new (ls_int (0), ls_int (2));
  g_autoptr (LsArray) indices = NULL;
  GPtrArray *list = g_ptr_array_new ();
  LsExpr *sum = ls_int (0);

  for (guint i = 0; i < N_VARS; i++)
    {
      LsVar *var = ls_var_new ("v", LS_INT32);

      ls_dom_map_set_range (iters, var, i < 20 ? two : range);
      sum = ls_add (ls_mul (sum, ls_int (i < 20 ? 2 : 1)), LS_EXPR (var));
    }
  g_ptr_array_add (list, ls_floordiv (ls_ref (sum), ls_int (1024)));
  g_ptr_array_add (list, ls_floormod (sum, ls_int (1024)));
  indices = ls_array_take_ptr_array (list);
  for (guint simplify = 0; simplify < 2; simplify++)
    {
      g_autoptr (LsIterMapResult) found =
        ls_detect_iter_map (indices, iters, NULL, LS_ITER_MAP_BIJECTIVE, analyzer, simplify != 0);

      g_assert_cmpuint (ls_array_n (found->indices), ==, 2);
      g_assert_true (ls_is_int_value (ls_array_at (ls_array_at (found->indices, 0, LsIterSum)->args, 0, LsIterSplit)->extent, 1024));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arith/iter-map/detect", test_detect);
  g_test_add_func ("/arith/iter-map/simplify", test_simplify);
  g_test_add_func ("/arith/iter-map/divide", test_divide);
  g_test_add_func ("/arith/iter-map/normalize", test_normalize);
  g_test_add_func ("/arith/iter-map/padding-predicate", test_padding_predicate);
  g_test_add_func ("/arith/iter-map/hostile", test_hostile);
  g_test_add_func ("/arith/iter-map/many-iterators", test_many_iterators);
  return g_test_run ();
}
