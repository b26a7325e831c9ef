/* tune/worth: of made-up times that depend on one decision, that one explains them and no other does; what cannot be told is not. */
#include "engine/tune/tune.h"

#include "engine/schedule/space/space.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define MATMUL                                                                                                         \
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"               \
  "    @T.prim_func\n    def main(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), "            \
  "C: T.Buffer((64, 64), \"float32\")):\n        for i, j, k in T.grid(64, 64, 64):\n            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n                with T.init():\n"                    \
  "                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n"

typedef struct {
  GPtrArray *decisions;
  GArray    *seconds;
} Data;

static void
data_clear (Data *self)
{
  g_ptr_array_unref (self->decisions);
  g_array_unref (self->seconds);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Data, data_clear)

/* n programs with three decisions of 6, 5 and 4 values; the time is a table of the second one's alone, times noise below 1 + `noise`. */
static void
make (Data   *self,
      guint   n,
      double  noise,
      guint32 seed)
{
  static const double table[] = { 1e-3, 8e-3, 2e-3, 5e-4, 3e-3 };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  self->decisions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->seconds = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < n; i++)
    {
      GArray *own = ls_tune_decisions_new ();
      gint value = g_rand_int_range (random, 0, 5);
      double seconds = table[value] * (1 + noise * g_rand_double (random));

      ls_tune_decisions_add (own, LS_TUNE_TILE, g_strdup ("i"), 3, 4, 1 << g_rand_int_range (random, 0, 6));
      ls_tune_decisions_add (own, LS_TUNE_TILE, g_strdup ("j"), 3, 4, value);
      ls_tune_decisions_add (own, LS_TUNE_CHOICE, g_strdup ("unroll_explicit"), 0, 1, g_rand_int_range (random, 0, 4));
      g_ptr_array_add (self->decisions, own);
      g_array_append_val (self->seconds, seconds);
    }
}

static void
test_one_matters (void)
{
  for (guint32 seed = 1; seed <= 20; seed++)
    {
      g_auto (Data) data = { 0 };
      g_autoptr (GArray) worth = NULL;
      const LsTuneWorth *first;

      make (&data, 100, 0.1, seed);
      worth = ls_tune_worth (data.decisions, (double *) data.seconds->data);
      g_assert_cmpuint (worth->len, ==, 3);
      first = &g_array_index (worth, LsTuneWorth, 0);
      g_assert_cmpstr (first->decision.subject, ==, "j");
      g_assert_cmpfloat (first->share, >, 0.95);
      g_assert_cmpint (first->decision.value, ==, 3);
      g_assert_cmpfloat (first->best_seconds, >=, 5e-4);
      g_assert_cmpfloat (first->best_seconds, <, 5.5e-4);
      g_assert_cmpfloat (first->worst_seconds, >=, 8e-3);
      for (guint i = 1; i < worth->len; i++)
        g_assert_cmpfloat (g_array_index (worth, LsTuneWorth, i).share, <, 0.2);
    }
}

/* Where nothing matters no decision explains anything, however many values it has: on the mean the shares are next to 0.  (The plain ratio would
 * be (k - 1) / (n - 1), a fifth for the first one here.) */
static void
test_none_matters (void)
{
  double sum = 0;

  for (guint32 seed = 1; seed <= 40; seed++)
    {
      g_auto (Data) data = { 0 };
      g_autoptr (GArray) worth = NULL;
      g_autoptr (GRand) random = g_rand_new_with_seed (seed + 1000);

      make (&data, 24, 0, seed);
      for (guint i = 0; i < data.seconds->len; i++)
        g_array_index (data.seconds, double, i) = 1e-3 * (1 + g_rand_double (random));
      worth = ls_tune_worth (data.decisions, (double *) data.seconds->data);
      for (guint i = 0; i < worth->len; i++)
        sum += g_array_index (worth, LsTuneWorth, i).share / worth->len;
    }
  g_assert_cmpfloat (sum / 40, <, 0.12);
}

static void
test_untold (void)
{
  g_auto (Data) few = { 0 }, failed = { 0 };
  g_autoptr (GArray) of_few = NULL, of_failed = NULL;
  g_autoptr (GPtrArray) unlike = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) of_unlike = NULL;
  double seconds[20];

  make (&few, 15, 0, 1);
  of_few = ls_tune_worth (few.decisions, (double *) few.seconds->data);
  g_assert_cmpuint (of_few->len, ==, 0);
  make (&failed, 50, 0, 1);
  for (guint i = 0; i < 50; i++)
    g_array_index (failed.seconds, double, i) = -1;
  of_failed = ls_tune_worth (failed.decisions, (double *) failed.seconds->data);
  g_assert_cmpuint (of_failed->len, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      GArray *own = ls_tune_decisions_new ();

      ls_tune_decisions_add (own, LS_TUNE_TILE, g_strdup ("i"), 0, 2, i);
      ls_tune_decisions_add (own, LS_TUNE_TILE, g_strdup ("k"), 0, 2, 4);
      g_ptr_array_add (unlike, own);
      seconds[i] = 1e-3 * (i + 1);
    }
  of_unlike = ls_tune_worth (unlike, seconds);
  g_assert_cmpuint (of_unlike->len, ==, 0);
}

/* The decisions of a program of the space are those that its trace has. */
static void
test_decisions (void)
{
  g_autoptr (LsSource) source = ls_source_new ("tune", MATMUL, -1);
  g_autoptr (LsModule) module = ls_script_parse (source, NULL);
  LsSpaceOptions space = { .n_cores = 1 };
  g_autoptr (GPtrArray) designs = ls_space_designs (module, &space, 1);
  g_autoptr (GArray) decisions = ls_tune_decisions (designs->pdata[0]);
  g_autofree char *trace = ls_schedule_print_trace (designs->pdata[0]);
  gint64 product[3] = { 1, 1, 1 };
  gboolean unroll = FALSE, parallel = FALSE;

  for (guint i = 0; i < decisions->len; i++)
    {
      const LsTuneDecision *one = &g_array_index (decisions, LsTuneDecision, i);
      g_autofree char *name = ls_tune_decision_name (one);
      g_autofree char *written = g_strdup_printf ("ann_key=\"meta_schedule.%s\", ann_val=%" G_GINT64_FORMAT, one->subject, one->value);

      if (one->kind == LS_TUNE_TILE)
        product[strchr ("ijk", one->subject[0]) - "ijk"] *= one->value;
      unroll |= one->kind == LS_TUNE_CHOICE && strcmp (name, "unroll_explicit") == 0;
      parallel |= one->kind == LS_TUNE_MARK && strcmp (one->subject, "parallel") == 0 && strstr (trace, written) != NULL;
    }
  g_assert_cmpint (product[0], ==, 64);
  g_assert_cmpint (product[1], ==, 64);
  g_assert_cmpint (product[2], ==, 64);
  g_assert_true (unroll);
  g_assert_true (parallel);
}

/* "i" decides; among the programs with i = 1 "j" does, among the others nothing.  The tree says so, with the counts, the best and the median of the values. */
static void
test_tree (void)
{
  g_autoptr (LsTuneTree) tree = ls_tune_tree_new ();
  g_autoptr (GArray) root = NULL, values = NULL, slow = NULL, fast = NULL, inner = NULL, below_slow = NULL, below_fast = NULL;
  const LsTuneWorth *first, *second;
  const LsTuneValue *best;

  for (guint n = 0; n < 96; n++)
    {
      GArray *own = ls_tune_decisions_new ();
      guint i = n % 3 == 0, j = (n / 3) % 4, noise = (n / 12) % 2;

      ls_tune_decisions_add (own, LS_TUNE_TILE, g_strdup ("i"), 0, 2, i);
      ls_tune_decisions_add (own, LS_TUNE_TILE, g_strdup ("j"), 0, 2, j);
      /* 32 with i = 1: 1, 2, 3, 4 ms by j; 64 with i = 0: 100 or 101 ms whatever j is. */
      ls_tune_tree_add (tree, own, i == 1 ? 1e-3 * (j + 1) * (noise ? 1.01 : 1) : (noise ? 0.1 : 0.101));
    }
  ls_tune_tree_add (tree, ls_tune_decisions_new (), -1);
  g_assert_cmpuint (ls_tune_tree_count (tree, NULL), ==, 96);
  root = ls_tune_tree_worth (tree, NULL);
  first = &g_array_index (root, LsTuneWorth, 0);
  g_assert_cmpstr (first->decision.subject, ==, "i");
  g_assert_cmpfloat (first->share, >, 0.9);
  values = ls_tune_tree_values (tree, NULL, &first->decision);
  g_assert_cmpuint (values->len, ==, 2);
  best = &g_array_index (values, LsTuneValue, 0);
  g_assert_cmpint (best->value, ==, 1);
  g_assert_cmpuint (best->n, ==, 32);
  g_assert_cmpuint (best->best, ==, 0);
  g_assert_cmpfloat (best->best_seconds, ==, 1e-3);
  /* 8 programs each of 1 and 1.01, 2 and 2.02, ..: the middle two are 2.02 and 3. */
  g_assert_cmpfloat (fabs (best->median_seconds - 2.51e-3), <, 1e-9);
  g_assert_cmpuint (g_array_index (values, LsTuneValue, 1).n, ==, 64);
  fast = ls_tune_tree_below (NULL, &first->decision, 1);
  slow = ls_tune_tree_below (NULL, &first->decision, 0);
  below_fast = ls_tune_tree_worth (tree, fast);
  below_slow = ls_tune_tree_worth (tree, slow);
  g_assert_cmpuint (below_fast->len, ==, 1);
  second = &g_array_index (below_fast, LsTuneWorth, 0);
  g_assert_cmpstr (second->decision.subject, ==, "j");
  g_assert_cmpuint (second->n, ==, 32);
  g_assert_cmpfloat (second->share, >, 0.99);
  g_assert_cmpfloat (g_array_index (below_slow, LsTuneWorth, 0).share, <, 0.1);
  inner = ls_tune_tree_values (tree, fast, &second->decision);
  g_assert_cmpuint (inner->len, ==, 4);
  g_assert_cmpint (g_array_index (inner, LsTuneValue, 3).value, ==, 3);
  g_assert_cmpuint (g_array_index (inner, LsTuneValue, 3).n, ==, 8);
  g_assert_cmpfloat (g_array_index (inner, LsTuneValue, 3).best_seconds, ==, 4e-3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tune/worth/one-matters", test_one_matters);
  g_test_add_func ("/tune/worth/none-matters", test_none_matters);
  g_test_add_func ("/tune/worth/untold", test_untold);
  g_test_add_func ("/tune/worth/decisions", test_decisions);
  g_test_add_func ("/tune/worth/tree", test_tree);
  return g_test_run ();
}
