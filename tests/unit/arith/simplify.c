/* The analyser: recorded normal forms, and tables of what each part knows. */
#include "engine/arith/arith.h"
#include "tests/support/expr-io.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

/* ---- helpers ---- */

typedef struct {
  GHashTable *vars;
  LsAnalyzer *analyzer;
} Bench;

static void
bench_init (Bench *bench)
{
  bench->vars = ls_test_vars_new ();
  bench->analyzer = ls_analyzer_new ();
}

static void
bench_clear (Bench *bench)
{
  ls_analyzer_free (bench->analyzer);
  g_hash_table_unref (bench->vars);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

static LsExpr *
read_expr (Bench      *bench,
           const char *text)
{
  LsExpr *expr = ls_test_expr_read (text, bench->vars);

  if (expr == NULL)
    g_error ("cannot read %s", text);
  return expr;
}

/* "i:0..15" */
static void
bind (Bench      *bench,
      const char *text)
{
  g_autoptr (LsRange) range = NULL;
  char name[32];
  int low, high;

  g_assert_cmpint (sscanf (text, "%31[^:]:%d..%d", name, &low, &high), ==, 3);
  range = ls_range_new (ls_int (low), ls_int (high - low + 1));
  ls_analyzer_bind_range (bench->analyzer, ls_test_var (bench->vars, name), range, FALSE);
}

static void
assert_simplifies (Bench      *bench,
                   const char *text,
                   const char *expected)
{
  g_autoptr (LsExpr) expr = read_expr (bench, text);
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (bench->analyzer, expr);
  g_autofree char *result = ls_test_expr_print (simple);

  if (strcmp (result, expected) != 0)
    g_test_message ("%s", text);
  g_assert_cmpstr (result, ==, expected);
}

static gboolean
can_prove (Bench      *bench,
           const char *text)
{
  g_autoptr (LsExpr) expr = read_expr (bench, text);

  return ls_analyzer_can_prove (bench->analyzer, expr);
}

static guint
enter (Bench      *bench,
       const char *text)
{
  g_autoptr (LsExpr) expr = read_expr (bench, text);

  return ls_analyzer_enter_constraint (bench->analyzer, expr);
}

/* ---- recorded ---- */

static void
check_recorded (char **fields)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) expr = NULL;
  LsConstIntBound bound;
  long low, high;

  bench_init (&bench);
  for (guint i = 3; fields[i] != NULL; i++)
    bind (&bench, fields[i]);
  assert_simplifies (&bench, fields[0], fields[1]);
  expr = read_expr (&bench, fields[0]);
  bound = ls_analyzer_const_int_bound (bench.analyzer, expr);
  if (sscanf (fields[2], "%ld..%ld", &low, &high) == 2)
    {
      g_assert_cmpint (bound.min, ==, low);
      g_assert_cmpint (bound.max, ==, high);
    }
}

static void
test_recorded (void)
{
  g_autofree char *text = ls_test_read ("golden/arith/simplify.tsv", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);

      if (g_strv_length (fields) < 4)
        continue;
      check_recorded (fields);
      n++;
    }
  g_assert_cmpuint (n, >=, 300);
}

/* ---- without ranges, and with i in [0, 15], j in [0, 7] ---- */

static const struct { const char *text, *expected; } forms[] = {
  { "x - x", "0" },
  { "x + x", "x * 2" },
  { "x * 3 + x", "x * 4" },
  { "(x + 3) - 5", "x - 2" },
  { "x * y + x * z", "x * (y + z)" },
  { "x // 8 * 8 + x % 8", "x" },
  { "x - x // 8 * 8", "x % 8" },
  { "x // 4 // 8", "x // 32" },
  { "(x * 8 + 3) // 4", "x * 2" },
  { "(x * 8 + y) % 4", "y % 4" },
  { "T.max(x, T.min(x, y))", "x" },
  { "T.min(x + 1, x + 4)", "x + 1" },
  { "T.min(x, y) + T.max(x, y)", "x + y" },
  { "x * 4 < 18", "x < 5" },
  { "18 < x * 4", "4 < x" },
  { "x + 3 == 5", "x == 2" },
  { "not x < 3", "3 <= x" },
  { "not (x < 3 or y < 2)", "3 <= x and 2 <= y" },
  { "x < 3 and 5 < x", "T.bool(False)" },
  { "x < 3 or 2 < x", "T.bool(True)" },
  { "x < y or y < x", "x != y" },
  { "x // 8 == 2 and x % 8 == 3", "x == 19" },
  { "T.Select(x < 3, y, y)", "y" },
  { "T.if_then_else(x < 3, T.if_then_else(y < 2, x, 0), 0)", "T.if_then_else(x < 3 and y < 2, x, 0)" },
  { "(i * 8 + j) // 8", "i" },
  { "(i * 8 + j) % 8", "j" },
  { "(i * 8 + j) // 4", "i * 2 + j // 4" },
  { "i % 16", "i" },
  { "i * 8 + j < 128", "T.bool(True)" },
  { "i * 8 + j < 64", "i < 8" },
  { "T.Div(i * 8 + j, 8)", "i" },
  { "T.Mod(i * 8 + j, 8)", "j" },
  { "(y * n * 4) // (n * 2)", "y * 2" },
  { "T.Select(i < 8, i % 8, 0)", "T.Select(i < 8, i, 0)" },
};

static void
test_forms (void)
{
  g_auto (Bench) bench = { NULL, NULL };

  bench_init (&bench);
  bind (&bench, "i:0..15");
  bind (&bench, "j:0..7");
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    assert_simplifies (&bench, forms[i].text, forms[i].expected);
}

/* Where TVM v0.20 loses points and this analyser does not. */
static const struct { const char *text, *expected; } sound[] = {
  { "(k * 32 - l // 4) % 8", "(k * 32 - l // 4) % 8" },
  { "m % 4 * -4 % 32", "m % 4 * -4 % 32" },
  { "m % 4 * -1 % 8", "m % 4 % -8 * -1" },
};

static void
test_sound (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) expr = NULL;
  g_autoptr (LsExpr) simple = NULL;

  bench_init (&bench);
  bind (&bench, "i:0..6");
  bind (&bench, "k:0..2");
  bind (&bench, "l:0..15");
  expr = read_expr (&bench, "i * 8 < k");
  simple = ls_analyzer_simplify (bench.analyzer, expr);
  g_assert_false (ls_is (simple, INT_IMM));
  for (guint i = 0; i < G_N_ELEMENTS (sound); i++)
    {
      g_autoptr (LsExpr) e = read_expr (&bench, sound[i].text);
      g_autoptr (LsExpr) s = ls_analyzer_simplify (bench.analyzer, e);
      GHashTable *point = g_hash_table_new (NULL, NULL);
      gint64 values[3] = { 0 }, a, b;

      g_hash_table_insert (point, ls_test_var (bench.vars, "k"), &values[0]);
      g_hash_table_insert (point, ls_test_var (bench.vars, "l"), &values[1]);
      g_hash_table_insert (point, ls_test_var (bench.vars, "m"), &values[2]);
      for (values[1] = 0; values[1] < 16; values[1]++)
        for (values[2] = -9; values[2] < 9; values[2]++)
          {
            g_assert_true (ls_test_expr_eval (e, point, &a) && ls_test_expr_eval (s, point, &b));
            g_assert_cmpint (a, ==, b);
          }
      g_hash_table_unref (point);
    }
}

/* ---- constraints and proofs ---- */

static void
test_constraints (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  guint outer, inner;

  bench_init (&bench);
  g_assert_false (can_prove (&bench, "x < 8"));
  outer = enter (&bench, "0 <= x and x < 8");
  g_assert_true (can_prove (&bench, "x < 8"));
  g_assert_true (can_prove (&bench, "x // 8 == 0"));
  inner = enter (&bench, "x % 4 == 1 and y < z");
  g_assert_true (can_prove (&bench, "y < z"));
  g_assert_true (can_prove (&bench, "y <= z + 1"));
  g_assert_false (can_prove (&bench, "z < y + 1"));
  g_assert_cmpuint (ls_analyzer_get_constraints (bench.analyzer)->len, ==, 2);
  ls_analyzer_exit_constraint (bench.analyzer, inner);
  g_assert_false (can_prove (&bench, "y < z"));
  enter (&bench, "y == 3");
  ls_analyzer_exit_constraint (bench.analyzer, outer);
  g_assert_false (can_prove (&bench, "x < 8"));
  g_assert_cmpuint (ls_analyzer_get_constraints (bench.analyzer)->len, ==, 0);
}

static void
test_modular_constraint (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) x = NULL;
  LsModularSet set;
  guint first, second;

  bench_init (&bench);
  x = read_expr (&bench, "x");
  first = enter (&bench, "x % 4 == 3");
  second = enter (&bench, "x % 6 == 1");
  set = ls_analyzer_modular_set (bench.analyzer, x);
  g_assert_cmpint (set.coeff, ==, 12);
  g_assert_cmpint (set.base, ==, 7);
  assert_simplifies (&bench, "x % 12", "7");
  ls_analyzer_exit_constraint (bench.analyzer, second);
  set = ls_analyzer_modular_set (bench.analyzer, x);
  g_assert_cmpint (set.coeff, ==, 4);
  ls_analyzer_exit_constraint (bench.analyzer, first);
  set = ls_analyzer_modular_set (bench.analyzer, x);
  g_assert_cmpint (set.coeff, ==, 1);
}

static void
test_transitive (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) a = NULL;
  g_autoptr (LsExpr) d = NULL;

  bench_init (&bench);
  a = read_expr (&bench, "a");
  d = read_expr (&bench, "d");
  enter (&bench, "a <= b and b < c + 1 and c <= d - 5");
  g_assert_cmpint (ls_analyzer_try_compare (bench.analyzer, a, d, FALSE), ==, LS_COMPARE_UNKNOWN);
  g_assert_cmpint (ls_analyzer_try_compare (bench.analyzer, a, d, TRUE), ==, LS_COMPARE_LT);
  g_assert_cmpint (ls_analyzer_try_compare (bench.analyzer, d, a, TRUE), ==, LS_COMPARE_GT);
  g_assert_false (can_prove (&bench, "a + 4 < d"));
  ls_analyzer_set_extensions (bench.analyzer, LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES);
  g_assert_true (can_prove (&bench, "a + 4 < d"));
  g_assert_false (can_prove (&bench, "a + 5 < d"));
}

static void
test_extensions (void)
{
  g_auto (Bench) bench = { NULL, NULL };

  bench_init (&bench);
  ls_analyzer_set_extensions (bench.analyzer, LS_REWRITE_CONVERT_BOOLEAN_TO_AND_OF_ORS);
  assert_simplifies (&bench, "(a == 5 or b <= 10) and (a == 5 or b >= 11)", "a == 5");
  ls_analyzer_set_extensions (bench.analyzer, LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES);
  assert_simplifies (&bench, "a == 5 and (a < 3 or b < 2)", "a == 5 and b < 2");
}

static void
test_bind (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) four = NULL;
  g_autoptr (LsExpr) five = NULL;
  g_autoptr (LsExpr) n = NULL;
  g_autoptr (LsAnalyzer) copy = NULL;
  LsVar *x;

  bench_init (&bench);
  x = ls_test_var (bench.vars, "x");
  four = read_expr (&bench, "y + 4");
  five = read_expr (&bench, "y + 5");
  g_assert_true (ls_analyzer_bind (bench.analyzer, x, four, FALSE));
  g_assert_true (ls_analyzer_bind (bench.analyzer, x, four, FALSE));
  g_assert_false (ls_analyzer_bind (bench.analyzer, x, five, FALSE));
  assert_simplifies (&bench, "x - y", "4");
  copy = ls_analyzer_clone (bench.analyzer);
  g_assert_true (ls_analyzer_bind (bench.analyzer, x, five, TRUE));
  assert_simplifies (&bench, "x - y", "5");
  g_assert_true (ls_analyzer_can_prove_equal (copy, LS_EXPR (x), four));
  n = read_expr (&bench, "n * 4 - 8");
  ls_analyzer_mark_global_non_neg (bench.analyzer, n);
  n = (ls_unref (n), read_expr (&bench, "n"));
  ls_analyzer_mark_global_non_neg (bench.analyzer, n);
  g_assert_true (can_prove (&bench, "0 <= n"));
}

static void
test_symbolic_bound (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsRange) range = NULL;
  g_autoptr (LsExpr) n = NULL;
  g_autoptr (LsExpr) condition = NULL;

  bench_init (&bench);
  n = read_expr (&bench, "n");
  range = ls_range_new (ls_int (0), ls_ref (n));
  ls_analyzer_bind_range (bench.analyzer, ls_test_var (bench.vars, "i"), range, FALSE);
  condition = read_expr (&bench, "i * 2 < n * 2 + 1");
  g_assert_true (ls_analyzer_can_prove_strength (bench.analyzer, condition, LS_PROOF_SYMBOLIC_BOUND));
  condition = (ls_unref (condition), read_expr (&bench, "i * 2 < n"));
  g_assert_false (ls_analyzer_can_prove_strength (bench.analyzer, condition, LS_PROOF_SYMBOLIC_BOUND));
}

/* ---- vectors, casts, calls ---- */

static LsExpr *
ramp (LsExpr *base,
      gint64  stride)
{
  return ls_ramp_new (base, ls_int (stride), ls_int (4));
}

static LsExpr *
simplify_taken (Bench  *bench,
                LsExpr *expr)
{
  LsExpr *simple = ls_analyzer_simplify (bench->analyzer, expr);

  ls_unref (expr);
  return simple;
}

static void
test_vectors (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) x = NULL;
  LsExpr *result;

  bench_init (&bench);
  x = read_expr (&bench, "x");
  result = simplify_taken (&bench, ls_add (ramp (ls_ref (x), 1), ls_broadcast_new (ls_int (3), ls_int (4))));
  g_assert_true (ls_is (result, RAMP));
  ls_unref (result);
  result = simplify_taken (&bench, ls_floordiv (ramp (ls_mul (ls_ref (x), ls_int (8)), 1),
                                                ls_broadcast_new (ls_int (4), ls_int (4))));
  g_assert_true (ls_is (result, BROADCAST));
  ls_unref (result);
  result = simplify_taken (&bench, ls_floormod (ramp (ls_mul (ls_ref (x), ls_int (8)), 4),
                                                ls_broadcast_new (ls_int (4), ls_int (4))));
  g_assert_true (ls_is (result, BROADCAST) && ls_is_zero (((LsBroadcast *) result)->value));
  ls_unref (result);
}

/* bcast (x) op bcast (y) is bcast (x op y): every table of vector rules is compiled and used. */
static void
test_vector_tables (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) f = NULL;

  bench_init (&bench);
  for (LsKind kind = LS_KIND_ADD; kind <= LS_KIND_OR; kind++)
    {
      gboolean logic = kind == LS_KIND_AND || kind == LS_KIND_OR;
      LsExpr *a = read_expr (&bench, logic ? "x < 3" : "x"), *b = read_expr (&bench, logic ? "y < 5" : "y");
      LsExpr *result = simplify_taken (&bench, ls_binary_new (kind, ls_broadcast_new (a, ls_int (4)),
                                                              ls_broadcast_new (b, ls_int (4))));

      if (kind < LS_KIND_EQ || kind == LS_KIND_EQ || kind == LS_KIND_LT || logic)
        g_assert_true (ls_is (result, BROADCAST));
      ls_unref (result);
    }
  ls_unref (simplify_taken (&bench, ls_not_new (ls_broadcast_new (read_expr (&bench, "x < 3"), ls_int (4)))));
  f = LS_EXPR (ls_var_new ("f", LS_FLOAT32));
  for (LsKind kind = LS_KIND_ADD; kind <= LS_KIND_GE; kind++)
    if (kind != LS_KIND_MOD && kind != LS_KIND_FLOOR_MOD)
      ls_unref (simplify_taken (&bench, ls_binary_new (kind, ls_ref (f), ls_ref (f))));
}

static void
test_casts (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autofree char *text = NULL;
  LsExpr *result;

  bench_init (&bench);
  bind (&bench, "i:0..15");
  result = simplify_taken (&bench, ls_cast_new (LS_INT64, read_expr (&bench, "i * 8 + i % 4")));
  text = ls_test_expr_print (result);
  g_assert_cmpstr (text, ==, "int64(i) * 8 + int64(i) % 4");
  ls_unref (result);
  result = simplify_taken (&bench, ls_cast_new (LS_INT64, ls_int (7)));
  g_assert_true (ls_is (result, INT_IMM) && ls_dtype (result).bits == 64);
  ls_unref (result);
  /* a large unsigned number is a negative one then */
  result = simplify_taken (&bench, ls_lt (ls_cast_new (LS_INT32, LS_EXPR (ls_var_new ("u", (LsDType) { LS_TYPE_UINT, 32, 1 }))), ls_int (0)));
  g_assert_true (ls_is (result, LT));
  ls_unref (result);
  result = simplify_taken (&bench, ls_lt (ls_cast_new (LS_INT32, LS_EXPR (ls_var_new ("u", (LsDType) { LS_TYPE_UINT, 16, 1 }))), ls_int (0)));
  g_assert_true (ls_is (result, INT_IMM));
  ls_unref (result);
  result = simplify_taken (&bench, ls_cast_new (LS_FLOAT64, ls_float_imm_new (LS_FLOAT32, 0.1)));
  g_assert_true (ls_is (result, FLOAT_IMM) && ((LsFloatImm *) result)->value == (double) 0.1f);
  ls_unref (result);
  result = simplify_taken (&bench, ls_cast_new (LS_BOOL, ls_float_imm_new (LS_FLOAT32, 0.5)));
  g_assert_true (ls_is (result, INT_IMM) && ((LsIntImm *) result)->value == 1);
  ls_unref (result);
}

static gint64
folded_call (Bench      *bench,
             const char *op,
             LsExpr     *a,
             LsExpr     *b)
{
  LsArray *args = b != NULL ? ls_array_of (a, b, NULL) : ls_array_of (a, NULL);
  g_autoptr (LsExpr) result = simplify_taken (bench, ls_call_op (op, LS_INT32, args));
  gint64 value = -1;

  g_assert_true (ls_as_int (result, &value));
  return value;
}

static void
test_calls (void)
{
  g_auto (Bench) bench = { NULL, NULL };

  bench_init (&bench);
  g_assert_cmpint (folded_call (&bench, "tir.shift_left", ls_int (3), ls_int (4)), ==, 48);
  g_assert_cmpint (folded_call (&bench, "tir.shift_right", ls_int (-8), ls_int (1)), ==, -4);
  g_assert_cmpint (folded_call (&bench, "tir.clz", ls_int (1), NULL), ==, 31);
  g_assert_cmpint (folded_call (&bench, "tir.clz", ls_int (0), NULL), ==, 32);
  g_assert_cmpint (folded_call (&bench, "tir.clz", ls_int (-1), NULL), ==, 0);
}

/* ---- limits ---- */

static void
test_deep (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) sum = NULL;
  g_autoptr (LsExpr) nested = NULL;
  g_autoptr (LsExpr) a = NULL;
  g_autoptr (LsExpr) b = NULL;

  bench_init (&bench);
  bind (&bench, "i:0..15");
  sum = read_expr (&bench, "i");
  nested = read_expr (&bench, "i");
  for (guint i = 0; i < 20000; i++)
    {
      sum = ls_add (sum, read_expr (&bench, "i"));
      nested = ls_floordiv (ls_add (nested, read_expr (&bench, "j")), ls_int (3));
    }
  a = ls_analyzer_simplify (bench.analyzer, sum);
  b = ls_analyzer_simplify (bench.analyzer, nested);
  g_assert_nonnull (a);
  g_assert_nonnull (b);
}

/* Each level visits its condition several times: without the step limit it would not end. */
static void
test_wide (void)
{
  g_auto (Bench) bench = { NULL, NULL };
  g_autoptr (LsExpr) expr = NULL;
  g_autoptr (LsExpr) simple = NULL;

  bench_init (&bench);
  expr = read_expr (&bench, "x");
  for (guint i = 0; i < 60; i++)
    expr = ls_select_new (ls_lt (ls_ref (expr), read_expr (&bench, "y")), ls_min (ls_ref (expr), read_expr (&bench, "z")), expr);
  simple = ls_analyzer_simplify (bench.analyzer, expr);
  g_assert_nonnull (simple);
}

static void
test_numbers (void)
{
  g_auto (Bench) bench = { NULL, NULL };

  bench_init (&bench);
  assert_simplifies (&bench, "x // 0", "x // 0");
  assert_simplifies (&bench, "(x - x) % (y - y)", "0 % 0");
  assert_simplifies (&bench, "x * 2147483647 + x", "x * 2147483647 + x");
  assert_simplifies (&bench, "T.min(x * -1, -2147483648)", "-2147483648");
  /* Nothing is known of y, so min (1 - y, 0) * 8 is not said to leave its type, though it may be near the smallest int32. */
  assert_simplifies (&bench, "T.min(-4 * (y + (y - 2)), 0)", "T.min(1 - y, 0) * 8");
  /* The numbers of a remainder or a clamp bound it whatever y is: its multiples by 6 leave int32 where y % 1000000000 * -1 does not. */
  assert_simplifies (&bench, "y % 1000000000 * -1 % 7", "y % 1000000000 * -1 % 7");
  assert_simplifies (&bench, "T.max(T.min(y, 600000000), 0) * -3 % 7", "T.max(T.min(y, 600000000), 0) * -3 % 7");
  assert_simplifies (&bench, "T.min(y, 600000000) * -3 % 7", "T.min(y, 600000000) * -3 % 7");
  assert_simplifies (&bench, "y % 99991 * -1 % 7", "y % 99991 * 6 % 7");
  /* What leaves its type for some y may be right for others: it leaves no further. */
  assert_simplifies (&bench, "y % 1000000000 * -5 % 89920", "y % 1000000000 * -5 % 89920");
  g_assert_cmpint (ls_gcd (-12, 18), ==, 6);
  g_assert_cmpint (ls_gcd (0, 5), ==, 5);
  g_assert_cmpint (ls_lcm (4, 6), ==, 12);
  g_assert_cmpint (ls_gcd (G_MININT64, G_MININT64), ==, (gint64) 1 << 62);
}

/* ---- the short way ---- */

static LsExpr *
random_affine (LsVar *var,
               guint  depth)
{
  static const LsKind kinds[] = { LS_KIND_ADD, LS_KIND_ADD, LS_KIND_SUB, LS_KIND_MUL };
  LsExpr *a, *b;

  if (depth == 0 || g_test_rand_int_range (0, 4) == 0)
    return g_test_rand_bit () ? LS_EXPR (ls_ref (var)) : ls_int (g_test_rand_int_range (-6, 40));
  a = random_affine (var, depth - 1);
  b = random_affine (var, depth - 1);
  return ls_binary_new (kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))], a, b);
}

/* What simplify gives without a visit is what its visits give. */
static void
check_short_way (LsAnalyzer *analyzer,
                 LsExpr     *expr)
{
  g_autoptr (LsExpr) quick = ls_analyzer_simplify (analyzer, expr);
  g_autoptr (LsExpr) canonical = ls_analyzer_canonical_simplify (analyzer, expr);
  g_autoptr (LsExpr) rewritten = ls_is (canonical, INT_IMM) ? ls_ref (canonical) : ls_analyzer_rewrite_simplify (analyzer, canonical);
  g_autoptr (LsExpr) again = ls_is (rewritten, INT_IMM) ? ls_ref (rewritten) : ls_analyzer_canonical_simplify (analyzer, rewritten);

  g_autofree char *quick_text = ls_test_expr_print (quick);
  g_autofree char *text = ls_test_expr_print (again);

  if (strcmp (quick_text, text) == 0)
    return;
  g_test_message ("short: %s, long: %s", quick_text, text);
  g_test_fail ();
}

static void
test_short_way (void)
{
  static const LsKind pairs[] = { LS_KIND_MIN, LS_KIND_MAX, LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  g_autoptr (LsVar) var = ls_var_new ("v", LS_INT32);
  g_autoptr (LsAnalyzer) unknown = ls_analyzer_new ();
  g_autoptr (LsAnalyzer) known = ls_analyzer_new ();
  g_autoptr (LsRange) range = ls_range_new (ls_int (0), ls_int (32));

  ls_analyzer_bind_range (known, var, range, FALSE);
  for (guint i = 0; i < 4000; i++)
    {
      g_autoptr (LsExpr) expr = random_affine (var, 4);
      g_autoptr (LsExpr) pair = ls_binary_new (pairs[i % G_N_ELEMENTS (pairs)], ls_ref (expr), random_affine (var, 3));

      check_short_way (unknown, expr);
      check_short_way (known, expr);
      check_short_way (unknown, pair);
      check_short_way (known, pair);
    }
}

/* Sums of one to four variables, often as canonical forms are written. */
static LsExpr *
random_sum (LsVar **vars,
            guint   n_vars)
{
  guint n = (guint) g_test_rand_int_range (1, 5);
  guint first = (guint) g_test_rand_int_range (0, (gint) n_vars);
  gint scale = g_test_rand_int_range (1, 30);
  LsExpr *sum = NULL;

  for (guint i = 0; i < n; i++)
    {
      LsExpr *term = LS_EXPR (ls_ref (vars[(first + i) % n_vars]));

      if (g_test_rand_int_range (0, 6) == 0)
        scale = g_test_rand_int_range (-4, 20);
      if (scale != 1 || g_test_rand_int_range (0, 8) == 0)
        term = ls_binary_new (LS_KIND_MUL, term, ls_int (scale));
      sum = sum == NULL ? term : ls_binary_new (g_test_rand_int_range (0, 8) == 0 ? LS_KIND_SUB : LS_KIND_ADD, sum, term);
      scale = MAX (1, scale / g_test_rand_int_range (1, 5));
    }
  return g_test_rand_int_range (0, 3) > 0 ? sum : ls_binary_new (LS_KIND_ADD, sum, ls_int (g_test_rand_int_range (-9, 40)));
}

static void
test_short_sums (void)
{
  static const LsKind kinds[] = { LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  static const char *const names[] = { "i", "j", "k", "l", "m" };
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsVar *vars[5];

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (LsRange) range = ls_range_new (ls_int ((gint) i - 2), ls_int (2 + 3 * (gint) i));

      vars[i] = ls_var_new (names[i], LS_INT32);
      ls_analyzer_bind_range (analyzer, vars[i], range, FALSE);
    }
  for (guint i = 0; i < 4000; i++)
    {
      g_autoptr (LsExpr) sum = random_sum (vars, 5);
      g_autoptr (LsExpr) condition = ls_binary_new (kinds[i % 4], ls_ref (sum),
                                                    i % 3 == 0 ? random_sum (vars, 5) : ls_int (g_test_rand_int_range (-40, 300)));
      g_autoptr (LsExpr) simple = ls_analyzer_simplify (analyzer, condition);

      check_short_way (analyzer, sum);
      g_assert_cmpint (ls_analyzer_can_prove (analyzer, condition), ==, ls_is (simple, INT_IMM) && ((LsIntImm *) simple)->value != 0);
    }
  for (guint i = 0; i < 5; i++)
    ls_unref (vars[i]);
}

/* How many visits a chain of n takes: ((x * 3 + y) * 3 + y) ..., or casts in casts. */
static gint64
visits_of_chain (guint kind,
                 guint n)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) x = LS_EXPR (ls_var_new ("x", LS_INT32));
  g_autoptr (LsExpr) y = LS_EXPR (ls_var_new ("y", LS_INT32));
  g_autoptr (LsExpr) chain = ls_ref (x);
  LsBudget budget;

  for (guint i = 0; i < n; i++)
    if (kind == 0)
      ls_take (&chain, ls_binary_new (LS_KIND_ADD, ls_binary_new (LS_KIND_MUL, ls_ref (chain), ls_const_int (LS_INT32, 3)), ls_ref (y)));
    else
      ls_take (&chain, ls_cast_new (LS_INT32, ls_binary_new (LS_KIND_ADD, ls_cast_new (LS_INT64, ls_ref (chain)), ls_const_int (LS_INT64, 3))));
  ls_budget_init (&budget, 10000000, NULL);
  ls_analyzer_set_budget (analyzer, &budget);
  ls_unref (ls_analyzer_simplify (analyzer, chain));
  ls_analyzer_set_budget (analyzer, NULL);
  return 10000000 - budget.left;
}

/* What does not fit its type as a sum is visited part by part: once.  Doubled visits end at the limit, 400,000. */
static void
test_chains (void)
{
  for (guint kind = 0; kind < 2; kind++)
    {
      gint64 few = visits_of_chain (kind, 50), many = visits_of_chain (kind, 100);

      g_assert_cmpint (few, >, 50);
      g_assert_cmpint (many, <, 6 * few);
      g_assert_cmpint (many, <, 60000);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arith/simplify/recorded", test_recorded);
  g_test_add_func ("/arith/simplify/forms", test_forms);
  g_test_add_func ("/arith/simplify/sound", test_sound);
  g_test_add_func ("/arith/analyzer/constraints", test_constraints);
  g_test_add_func ("/arith/analyzer/modular-constraint", test_modular_constraint);
  g_test_add_func ("/arith/analyzer/transitive", test_transitive);
  g_test_add_func ("/arith/analyzer/extensions", test_extensions);
  g_test_add_func ("/arith/analyzer/bind", test_bind);
  g_test_add_func ("/arith/analyzer/symbolic-bound", test_symbolic_bound);
  g_test_add_func ("/arith/simplify/vectors", test_vectors);
  g_test_add_func ("/arith/simplify/vector-tables", test_vector_tables);
  g_test_add_func ("/arith/simplify/casts", test_casts);
  g_test_add_func ("/arith/simplify/calls", test_calls);
  g_test_add_func ("/arith/simplify/short-way", test_short_way);
  g_test_add_func ("/arith/simplify/short-sums", test_short_sums);
  g_test_add_func ("/arith/limits/deep", test_deep);
  g_test_add_func ("/arith/limits/wide", test_wide);
  g_test_add_func ("/arith/limits/numbers", test_numbers);
  g_test_add_func ("/arith/limits/chains", test_chains);
  return g_test_run ();
}
