/* arith with wide numbers: random expressions of all integer types over their whole range.
 *
 * Numbers of data types wrap, and those that are loaded, also into a scalar.  An index (int32, int64) that leaves its type makes the
 * point invalid, as does a division by zero; the steps of a simplified index are those of numbers without a type, but its constants have one.
 * At each valid point the simplified forms have the value of the expression, the bounds and the modular set contain
 * it, and what is proved holds.
 * A failure names the case number, which is its seed; LS_FUZZ_SEED, LS_FUZZ_PROGRAMS, LS_FUZZ_SECONDS: tests/support/seeds.h.
 */
#include "engine/arith/arith.h"
#include "engine/arith/data.h"
#include "engine/arith/pool.h"
#include "engine/tir/tir.h"
#include "tests/support/seeds.h"
#include "tests/support/support.h"

#define N_TYPES 7
#define N_POINTS 60

static const LsDType types[N_TYPES] = {
  { LS_TYPE_INT, 32, 1 }, { LS_TYPE_INT, 64, 1 }, { LS_TYPE_INT, 8, 1 }, { LS_TYPE_UINT, 8, 1 },
  { LS_TYPE_INT, 16, 1 }, { LS_TYPE_UINT, 32, 1 }, { LS_TYPE_UINT, 64, 1 },
};

typedef struct {
  GRand      *rand;
  LsVar      *vars[N_TYPES][2];
  gint64      low[N_TYPES][2], high[N_TYPES][2];
  gint64      values[N_TYPES][2];
  LsExpr     *loads[2];         /* of int32: data; in some cases scalars */
  gint64      loaded[2];
  LsAnalyzer *analyzer;
  gboolean    fits;             /* what is simplified has to fit its type as what it was made of does */
} Case;

static guint
below (Case *c,
       guint n)
{
  return (guint) g_rand_int_range (c->rand, 0, (gint32) n);
}

static gint64
fit (LsDType  dtype,
     __int128 value)
{
  guint bits = dtype.bits;
  guint64 low = (guint64) value;

  if (bits == 64)
    return (gint64) low;
  low &= ((guint64) 1 << bits) - 1;
  if (dtype.code == LS_TYPE_INT && (low >> (bits - 1) & 1))
    low |= ~(((guint64) 1 << bits) - 1);
  return (gint64) low;
}

static gint64
random_number (Case    *c,
               LsDType  dtype)
{
  static const gint64 usual[] = { 0, 1, 2, 3, 4, 5, 7, 8, 10, 100, 127, 1000, -1, -2, -3, -4, -8, -100 };
  static const gint64 large[] = { 65536, 65535, 100000, 46341, 1 << 24, G_MAXINT32, G_MININT32, G_MAXINT32 - 1, G_MININT32 + 1,
                                  (gint64) 1 << 31, (gint64) 1 << 32, (gint64) 1 << 40, G_MAXINT64, G_MININT64, G_MAXINT64 / 3 };

  gint64 value = fit (dtype, below (c, 3) != 0 ? usual[below (c, G_N_ELEMENTS (usual))] : large[below (c, G_N_ELEMENTS (large))]);

  /* the ends of a type say nothing of a range */
  return c->fits && dtype.bits >= 32 && ABS (value / 2) > G_MAXINT16 ? value / 2 : value;
}

static LsExpr *random_condition (Case *c, guint depth);

/* Where it has to fit: x has a range that is known, y has none but stands where a number bounds it. */
static LsExpr *
random_variable (Case  *c,
                 guint  type)
{
  guint k = below (c, 2);
  LsExpr *var = LS_EXPR (ls_ref (c->vars[type][k]));
  gint64 most = types[type].bits == 64 ? g_rand_int_range (c->rand, 1 << 28, G_MAXINT32) * (G_GINT64_CONSTANT (1) << below (c, 32)) : g_rand_int_range (c->rand, 1 << 28, G_MAXINT32);

  if (!c->fits || k == 0 || type > 1)
    return var;
  if (below (c, 2) == 0)
    return ls_floormod (var, ls_int_imm_new (types[type], most));
  return ls_max (ls_min (var, ls_int_imm_new (types[type], most)), ls_int_imm_new (types[type], below (c, 2) ? 0 : -most));
}

static LsExpr *
random_expr (Case  *c,
             guint  type,
             guint  depth)
{
  static const LsKind kinds[] = { LS_KIND_ADD, LS_KIND_ADD, LS_KIND_SUB, LS_KIND_SUB, LS_KIND_MUL, LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD,
                                  LS_KIND_DIV, LS_KIND_MOD, LS_KIND_MIN, LS_KIND_MAX };
  LsDType dtype = types[type];
  LsExpr *a;
  LsKind kind;

  if (type == 0 && below (c, 4) == 0 && (depth == 0 || below (c, 4) == 0))
    return ls_ref (c->loads[below (c, 2)]);
  if (depth == 0 || below (c, 8) == 0)
    return below (c, 4) == 0 ? ls_int_imm_new (dtype, random_number (c, dtype)) : random_variable (c, type);
  if (below (c, 7) == 0)
    return ls_cast (dtype, random_expr (c, !c->fits ? below (c, N_TYPES) : type == 1 && below (c, 2) ? 0 : 2 + below (c, 3), depth - 1));
  a = random_expr (c, type, depth - 1);
  if (below (c, 10) == 0)
    return ls_select_new (random_condition (c, depth - 1), a, random_expr (c, type, depth - 1));
  if (c->fits && type < 2 && below (c, 4) == 0)
    return ls_floormod (ls_mul (a, ls_int_imm_new (dtype, -1 - (gint64) below (c, 9))), ls_int_imm_new (dtype, 2 + below (c, below (c, 2) ? 20 : 100000)));
  kind = kinds[below (c, G_N_ELEMENTS (kinds))];
  if (below (c, 2) == 0)
    return ls_binary (kind, a, ls_int_imm_new (dtype, random_number (c, dtype)));
  return ls_binary (kind, a, random_expr (c, type, depth - 1));
}

static LsExpr *
random_condition (Case  *c,
                  guint  depth)
{
  static const LsKind kinds[] = { LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  guint type = below (c, 2) == 0 ? 0 : below (c, N_TYPES);
  LsExpr *a;

  if (depth > 0 && below (c, 4) == 0)
    {
      a = random_condition (c, depth - 1);
      if (below (c, 4) == 0)
        return ls_not (a);
      return ls_binary (below (c, 2) ? LS_KIND_AND : LS_KIND_OR, a, random_condition (c, depth - 1));
    }
  a = random_expr (c, type, depth);
  return ls_binary (kinds[below (c, 6)], a, below (c, 2) ? ls_int_imm_new (types[type], random_number (c, types[type])) : random_expr (c, type, depth));
}

/* ---- the meaning ---- */

static __int128
widened (LsExpr *e,
         gint64  value)
{
  LsDType t = ls_dtype (e);

  return t.code == LS_TYPE_UINT && t.bits == 64 ? (__int128) (guint64) value : (__int128) value;
}

static gboolean
operate (LsKind    kind,
         __int128  a,
         __int128  b,
         __int128 *out)
{
  __int128 rest;

  switch ((int) kind)
    {
    case LS_KIND_ADD: *out = a + b; return TRUE;
    case LS_KIND_SUB: *out = a - b; return TRUE;
    case LS_KIND_MUL:
      return !__builtin_mul_overflow (a, b, out);
    case LS_KIND_MIN: *out = MIN (a, b); return TRUE;
    case LS_KIND_MAX: *out = MAX (a, b); return TRUE;
    case LS_KIND_EQ: *out = a == b; return TRUE;
    case LS_KIND_NE: *out = a != b; return TRUE;
    case LS_KIND_LT: *out = a < b; return TRUE;
    case LS_KIND_LE: *out = a <= b; return TRUE;
    case LS_KIND_GT: *out = a > b; return TRUE;
    case LS_KIND_GE: *out = a >= b; return TRUE;
    default: break;
    }
  if (b == 0)
    return FALSE;
  rest = a % b;
  if (kind == LS_KIND_DIV)
    *out = a / b;
  else if (kind == LS_KIND_MOD)
    *out = rest;
  else if (kind == LS_KIND_FLOOR_DIV)
    *out = a / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  else
    *out = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  return TRUE;
}

static gboolean
is_index (Case   *c,
          LsExpr *e)
{
  return ls_dtype_is_index (ls_dtype (e)) && !ls_uses (e, c->loads[0]) && !ls_uses (e, c->loads[1]);
}

static gboolean
is_no_scalar (LsVar    *var,
              gpointer  user_data)
{
  Case *c = user_data;

  return LS_EXPR (var) != c->loads[0] && LS_EXPR (var) != c->loads[1];
}

/* What becomes of an index that leaves its type: the expression has no value, it is a number without a type, it wraps as code does. */
typedef enum { STRICT, EXACT, WRAPS } Mode;

/* FALSE: no value. */
static gboolean
evaluate (Case     *c,
          LsExpr   *e,
          Mode      mode,
          __int128 *value)
{
  LsBinary *binary = (LsBinary *) e;
  LsDType t = ls_dtype (e);
  gboolean strict = mode == STRICT;
  __int128 a, b, exact;

  if (ls_is (e, INT_IMM))
    {
      *value = widened (e, ((LsIntImm *) e)->value);
      return TRUE;
    }
  for (guint i = 0; i < N_TYPES; i++)
    for (guint k = 0; k < 2; k++)
      if (e == LS_EXPR (c->vars[i][k]))
        {
          *value = widened (e, c->values[i][k]);
          return TRUE;
        }
  for (guint i = 0; i < 2; i++)
    if (e == c->loads[i])
      {
        *value = c->loaded[i];
        return TRUE;
      }
  if (ls_is (e, CAST))
    {
      LsExpr *inner = ((LsCast *) e)->value;

      if (!evaluate (c, inner, mode, &exact))
        return FALSE;
      if (mode != WRAPS && is_index (c, e) && ls_dtype_is_index (ls_dtype (inner)))
        {
          *value = exact;
          return !strict || widened (e, fit (t, exact)) == exact;
        }
      *value = ls_dtype_is_bool (t) ? exact != 0 : widened (e, fit (t, exact));
      return !strict || !ls_dtype_is_index (t) || !ls_dtype_is_index (ls_dtype (inner)) || !ls_uses_var (e, is_no_scalar, c) ||
             *value == exact;
    }
  if (ls_is (e, NOT))
    {
      if (!evaluate (c, ((LsNot *) e)->a, mode, &a))
        return FALSE;
      *value = !a;
      return TRUE;
    }
  if (ls_is (e, SELECT))
    {
      LsSelect *select = (LsSelect *) e;

      return evaluate (c, select->condition, mode, &a) && evaluate (c, a ? select->true_value : select->false_value, mode, value);
    }
  g_assert (ls_kind_is_binary (ls_kind (e)));
  if (!evaluate (c, binary->a, mode, &a))
    return FALSE;
  if (ls_is (e, AND) || ls_is (e, OR))
    {
      if ((a != 0) == ls_is (e, OR))
        {
          *value = a;
          return TRUE;
        }
      return evaluate (c, binary->b, mode, value);
    }
  if (!evaluate (c, binary->b, mode, &b) || !operate (ls_kind (e), a, b, &exact))
    return FALSE;
  *value = ls_kind_is_compare (ls_kind (e)) || (mode != WRAPS && is_index (c, e)) ? exact : widened (e, fit (t, exact));
  return !strict || !ls_dtype_is_index (t) || !ls_uses_var (e, is_no_scalar, c) || widened (e, fit (t, exact)) == exact;
}

/* ---- cases ---- */

static void
case_init (Case     *c,
           guint32   seed,
           gboolean  fits)
{
  c->fits = fits;
  c->rand = g_rand_new_with_seed (seed);
  c->analyzer = ls_analyzer_new ();
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsBuffer) buffer = ls_buffer_new (i == 0 ? "A" : "B", LS_INT32, ls_array_of (ls_int (1), NULL), NULL);

      c->loads[i] = ls_buffer_load_new (ls_ref (buffer), ls_array_of (ls_int (0), NULL), NULL);
      if (seed % 3 == 0)
        {
          LsVar *scalar = ls_var_new (i == 0 ? "s" : "t", LS_INT32);

          ls_analyzer_note_let (c->analyzer, scalar, c->loads[i]);
          ls_take (&c->loads[i], LS_EXPR (scalar));
        }
    }
  for (guint i = 0; i < N_TYPES; i++)
    for (guint k = 0; k < 2; k++)
      {
        gint64 a = random_number (c, types[i]), b = random_number (c, types[i]);
        gboolean wide = types[i].bits == 64;

        c->vars[i][k] = ls_var_new (k == 0 ? "x" : "y", types[i]);
        c->low[i][k] = wide ? G_MININT64 : ls_dtype_int_min (types[i]);
        c->high[i][k] = wide ? G_MAXINT64 : ls_dtype_int_max (types[i]);
        if (c->fits ? k == 1 || i > 1 : below (c, 2) == 0 || (types[i].code == LS_TYPE_UINT && wide))
          continue;
        c->low[i][k] = c->fits ? MIN (a, b) / 2 : MIN (a, b);
        c->high[i][k] = c->fits ? MAX (a, b) / 2 : MAX (a, b);
        ls_analyzer_update_bound (c->analyzer, c->vars[i][k], (LsConstIntBound) { c->low[i][k], c->high[i][k] }, TRUE);
      }
}

static void
case_clear (Case *c)
{
  ls_unref (c->loads[0]);
  ls_unref (c->loads[1]);
  for (guint i = 0; i < N_TYPES; i++)
    for (guint k = 0; k < 2; k++)
      ls_unref (c->vars[i][k]);
  ls_analyzer_free (c->analyzer);
  g_rand_free (c->rand);
}

static void
next_point (Case *c)
{
  for (guint i = 0; i < 2; i++)
    c->loaded[i] = random_number (c, LS_INT32);
  for (guint i = 0; i < N_TYPES; i++)
    for (guint k = 0; k < 2; k++)
      {
        gint64 low = c->low[i][k], high = c->high[i][k];
        gint64 value = below (c, 4) == 0 ? low : below (c, 3) == 0 ? high : below (c, 2) ? random_number (c, types[i]) : (gint64) ((guint64) low + below (c, 100));

        c->values[i][k] = types[i].code == LS_TYPE_UINT && types[i].bits == 64 ? value : CLAMP (value, low, high);
        /* a variable of which nothing is known stands for numbers that can be added and turned */
        if (c->fits && i < 2 && k == 1)
          c->values[i][k] /= 2;
      }
}

static void
fail_at (Case       *c,
         guint32     seed,
         const char *what,
         LsExpr     *expr,
         LsExpr     *result)
{
  g_autofree char *text = ls_expr_text (expr);
  g_autofree char *result_text = result != NULL ? ls_expr_text (result) : g_strdup ("-");

  g_test_message ("case %u: %s: %s gives %s", seed, what, text, result_text);
  for (guint i = 0; i < N_TYPES; i++)
    g_test_message ("  %s: x=%" G_GINT64_FORMAT " in [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "] y=%" G_GINT64_FORMAT
                    " in [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "]", ls_dtype_name (types[i]),
                    c->values[i][0], c->low[i][0], c->high[i][0], c->values[i][1], c->low[i][1], c->high[i][1]);
  g_test_fail ();
}

typedef struct {
  const char *what;
  LsExpr *(*simplify) (LsAnalyzer *self, LsExpr *expr);
  LsExpr *result;
} Form;

static gboolean
lies_in (LsConstIntBound bound,
         __int128        exact)
{
  return (bound.min <= LS_NEG_INF || exact >= bound.min) && (bound.max == LS_POS_INF || exact <= bound.max);
}

static gboolean
check_points (Case    *c,
              guint32  seed,
              LsExpr  *expr)
{
  Form forms[] = { { "simplify", ls_analyzer_simplify, NULL }, { "rewrite", ls_analyzer_rewrite_simplify, NULL },
                   { "canonical", ls_analyzer_canonical_simplify, NULL } };
  LsConstIntBound bound = ls_analyzer_const_int_bound (c->analyzer, expr);
  LsModularSet set = ls_analyzer_modular_set (c->analyzer, expr);
  gboolean proved = ls_dtype_is_bool (ls_dtype (expr)) && ls_analyzer_can_prove_strength (c->analyzer, expr, LS_PROOF_SYMBOLIC_BOUND);
  gboolean failed = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    forms[i].result = forms[i].simplify (c->analyzer, expr);
  for (guint n = 0; n < N_POINTS && !failed; n++)
    {
      __int128 value, other;

      next_point (c);
      if (!evaluate (c, expr, STRICT, &value))
        continue;
      /* numbers without a variable may leave the type, too */
      if (c->fits && (!evaluate (c, expr, WRAPS, &other) || other != value))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (forms) && c->fits && !failed; i++)
        if ((failed = !evaluate (c, forms[i].result, WRAPS, &other) || other != value))
          fail_at (c, seed, forms[i].what, expr, forms[i].result);
      for (guint i = 0; i < G_N_ELEMENTS (forms) && !failed; i++)
        if ((failed = !evaluate (c, forms[i].result, EXACT, &other) || other != value))
          fail_at (c, seed, forms[i].what, expr, forms[i].result);
      if (!failed && (failed = !lies_in (bound, value)))
        fail_at (c, seed, "bounds", expr, NULL);
      if (!failed && (failed = set.coeff == 0 ? fit (ls_dtype (expr), value) != set.base
                                              : (value % set.coeff + set.coeff) % set.coeff != set.base))
        fail_at (c, seed, "modular set", expr, NULL);
      if (!failed && (failed = proved && value == 0))
        fail_at (c, seed, "proof", expr, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    ls_unref (forms[i].result);
  return !failed;
}

/* How many of one expression and one condition are wrong. */
static guint
check_seed (guint32  seed,
            gboolean fits)
{
  g_autoptr (LsExpr) expr = NULL;
  g_autoptr (LsExpr) condition = NULL;
  guint wrong;
  Case c;

  case_init (&c, seed, fits);
  expr = random_expr (&c, fits ? below (&c, 2) : below (&c, 2) ? 0 : below (&c, N_TYPES), 1 + below (&c, 4));
  condition = random_condition (&c, below (&c, 3));
  wrong = !check_points (&c, seed, expr);
  wrong += !check_points (&c, seed, condition);
  case_clear (&c);
  return wrong;
}

static void
check_seeds (guint    n,
             gboolean fits)
{
  LsSeeds seeds;
  guint32 seed;
  guint wrong = 0;

  ls_seeds_begin (&seeds, n);
  while (ls_seeds_next (&seeds, wrong, &seed))
    wrong += check_seed (seed, fits);
  ls_seeds_end (&seeds, "expressions and conditions", wrong);
}

static void
test_wide (void)
{
  check_seeds (ls_test_count (3000, 100000), FALSE);
}

/* A scalar that was loaded wraps as a load does; one that was not is an index. */
static void
test_data (void)
{
  for (guint data = 0; data < 3; data++)
    {
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (LsBuffer) buffer = ls_buffer_new ("A", LS_INT32, ls_array_of (ls_int (1), NULL), NULL);
      g_autoptr (LsExpr) load = ls_buffer_load_new (ls_ref (buffer), ls_array_of (ls_int (0), NULL), NULL);
      g_autoptr (LsVar) x = ls_var_new ("x", LS_INT32);
      g_autoptr (LsVar) y = ls_var_new ("y", LS_INT32);
      g_autoptr (LsExpr) made = ls_add (LS_EXPR (ls_ref (y)), ls_int (7));
      g_autoptr (LsExpr) more = ls_lt (LS_EXPR (ls_ref (x)), ls_add (LS_EXPR (ls_ref (x)), ls_int (1)));
      g_autoptr (LsExpr) twice = ls_floordiv (ls_mul (LS_EXPR (ls_ref (x)), ls_int (2)), ls_int (2));
      g_autoptr (LsExpr) one = ls_sub (ls_add (LS_EXPR (ls_ref (x)), ls_int (1)), LS_EXPR (ls_ref (x)));
      g_autoptr (LsExpr) more_simple = NULL, twice_simple = NULL, one_simple = NULL;

      if (data == 2)
        ls_analyzer_note_let (analyzer, y, load);
      ls_analyzer_note_let (analyzer, x, data == 1 ? load : made);
      more_simple = ls_analyzer_simplify (analyzer, more);
      twice_simple = ls_analyzer_simplify (analyzer, twice);
      one_simple = ls_analyzer_simplify (analyzer, one);
      g_assert_cmpint (ls_is (more_simple, INT_IMM), ==, data == 0);
      g_assert_cmpint (ls_is_var (twice_simple), ==, data == 0);
      g_assert_true (ls_is_one (one_simple));
      g_assert_cmpint (ls_analyzer_can_prove (analyzer, more), ==, data == 0);
    }
}

/* 5 - max (2^24, x) * 2^24 is an end of what is asked about, where 2^48 leaves int32 and does not become 0. */
static void
test_ends (void)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsVar) x = ls_var_new ("x", LS_INT32);
  g_autoptr (LsVar) u = ls_var_new ("u", LS_INT32);
  g_autoptr (LsExpr) chosen = ls_select_new (ls_gt (LS_EXPR (ls_ref (u)), ls_int (0)), LS_EXPR (ls_ref (x)), ls_int (1 << 24));
  g_autoptr (LsExpr) below = ls_lt (ls_mul (ls_ref (chosen), ls_int (1 << 24)), ls_int (5));

  ls_analyzer_update_bound (analyzer, x, (LsConstIntBound) { 7, 10 }, TRUE);
  g_assert_false (ls_analyzer_can_prove_strength (analyzer, below, LS_PROOF_SYMBOLIC_BOUND));
}

static void
test_fits (void)
{
  check_seeds (ls_test_count (3000, 400000), TRUE);
}

/* Remainders by what may have any sign, two sums of which each leaves its type elsewhere, comparisons whose terms change sides, an excess beside a
 * much larger one, what is known in one branch only, a least number beyond the largest, a
 * dividend that has no negation, data of which only constants are left ((t - -715827883 - t) * -7 % 85279 of a t that was loaded). */
static void
test_fitted (void)
{
  static const guint32 WRONG[] = { 12246, 13239, 21311, 26874, 27620, 32795, 35361, 44239, 85618, 192378, 312981, 331703, 355082, 396022, 703035, 710518, 2012460, 2024507, 3092061 };

  for (guint i = 0; i < G_N_ELEMENTS (WRONG); i++)
    check_seed (WRONG[i], TRUE);
  /* the lowest number of data by -1; a uint64 beyond int64 */
  check_seed (510033, FALSE);
  check_seed (549387, FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arith/wide", test_wide);
  g_test_add_func ("/arith/data", test_data);
  g_test_add_func ("/arith/ends", test_ends);
  g_test_add_func ("/arith/fits", test_fits);
  g_test_add_func ("/arith/fitted", test_fitted);
  return g_test_run ();
}
