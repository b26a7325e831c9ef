/* compare: which calls of two programs are the same: renamed, reordered, changed in one place, of another type, fused. */
#include "engine/graph/compare.h"
#include "engine/graph/series.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <string.h>

#define HEAD "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 4), \"%s\"), w: R.Tensor((4, 4), \"%s\")):\n        with R.dataflow():\n"
#define TAIL "            R.output(y)\n        return y\n"

/* Of lines; (transfer full) */
static LsGraph *
graph_of (const char *body,
          const char *dtype)
{
  g_autofree char *head = g_strdup_printf (HEAD, dtype, dtype), *text = g_strconcat (head, body, TAIL, NULL);

  return relax_graph (text);
}

#define LINE(text) "            " text "\n"

static const char BASE[] =
  LINE ("a = R.matmul(x, w)") LINE ("b = R.nn.relu(a)") LINE ("c = R.exp(a)") LINE ("d = R.add(b, c)") LINE ("y = R.tanh(d)");

static LsGraphComparison *
compare_with_base (const char *body,
                   const char *dtype)
{
  g_autoptr (LsGraph) left = graph_of (BASE, "float32"), right = graph_of (body, dtype);

  return ls_graph_compare (left, right);
}

static guint
n_of_kind (const LsGraphComparison *comparison,
           LsGraphMatchKind         kind)
{
  guint n = 0;

  for (guint i = 0; i < comparison->matches->len; i++)
    n += ((LsGraphMatch *) comparison->matches->pdata[i])->kind == kind;
  return n;
}

static void
test_same (void)
{
  g_autoptr (LsGraphComparison) same = compare_with_base (BASE, "float32");
  g_autoptr (LsGraphComparison) renamed = compare_with_base (LINE ("p = R.matmul(x, w)") LINE ("q = R.exp(p)") LINE ("r = R.nn.relu(p)") LINE ("s = R.add(r, q)") LINE ("y = R.tanh(s)"),
                                                             "float32");

  g_assert_cmpfloat (same->score, ==, 1.0);
  g_assert_cmpfloat (ls_graph_score_told (same->score), ==, 1.0);
  g_assert_cmpfloat (ls_graph_score_told (720.0 / 721.0), <, 0.995);
  g_assert_cmpfloat (ls_graph_score_told (0.5), ==, 0.5);
  g_assert_cmpuint (n_of_kind (same, LS_GRAPH_MATCH_SAME), ==, 5);
  g_assert_cmpfloat (renamed->score, ==, 1.0);
  g_assert_cmpuint (n_of_kind (renamed, LS_GRAPH_MATCH_SAME), ==, 5);
}

/* Another operator in the middle: it alone has no counterpart; what uses it is matched from the result back. */
static void
test_changed (void)
{
  g_autoptr (LsGraphComparison) other = compare_with_base (LINE ("a = R.matmul(x, w)") LINE ("b = R.sigmoid(a)") LINE ("c = R.exp(a)") LINE ("d = R.add(b, c)") LINE ("y = R.tanh(d)"),
                                                           "float32");
  g_autoptr (LsGraphComparison) type = compare_with_base (BASE, "float16");
  g_autoptr (LsGraphComparison) nothing = compare_with_base (LINE ("a = R.sin(x)") LINE ("b = R.cos(w)") LINE ("y = R.multiply(a, b)"), "float32");

  g_assert_cmpuint (other->only_left->len, ==, 1);
  g_assert_cmpuint (other->only_right->len, ==, 1);
  g_assert_cmpuint (other->matches->len, ==, 4);
  g_assert_cmpfloat (other->score, <, 0.85);
  g_assert_cmpfloat (other->score, >, 0.6);
  g_assert_cmpfloat (type->score, <, 0.6);
  g_assert_cmpuint (n_of_kind (type, LS_GRAPH_MATCH_SAME), ==, 0);
  g_assert_cmpfloat (nothing->score, ==, 0.0);
  g_assert_cmpuint (nothing->only_left->len, ==, 5);
  g_assert_cmpuint (nothing->only_right->len, ==, 3);
}

/* Attributes that differ are said. */
static void
test_attributes (void)
{
  g_autoptr (LsGraph) left = graph_of (LINE ("a = R.nn.softmax(x, axis=0)") LINE ("y = R.add(a, w)"), "float32");
  g_autoptr (LsGraph) right = graph_of (LINE ("a = R.nn.softmax(x, axis=1)") LINE ("y = R.add(a, w)"), "float32");
  g_autoptr (LsGraphComparison) comparison = ls_graph_compare (left, right);
  LsGraphMatch *match = comparison->matches->pdata[0];

  g_assert_cmpint (match->kind, ==, LS_GRAPH_MATCH_CHANGED);
  g_assert_nonnull (strstr (match->words, "axis"));
}

/* A transformer after four passes: each call has its place, fused ones several; and the other way round. */
static void
test_fused (void)
{
  static const char *const PASSES[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR" };
  g_autofree char *text = ls_model_transformer (2);
  g_autoptr (LsModule) module = parse (text), after = ls_ref (module);
  g_autoptr (LsGraph) left = ls_graph_from_relax (module, "main"), right = NULL, aligned = NULL;
  g_autoptr (LsGraphComparison) comparison = NULL, turned = NULL;
  g_autoptr (LsGraphSeries) series = NULL;
  guint n_kept = 0;

  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    {
      g_autoptr (GError) error = NULL;

      ls_take (&after, ls_graph_run_pass (after, PASSES[i], &error));
      g_assert_no_error (error);
    }
  right = ls_graph_from_relax (after, "main");
  comparison = ls_graph_compare (left, right);
  g_assert_cmpfloat (comparison->score, ==, 1.0);
  g_assert_cmpuint (comparison->n_left, ==, 61);
  g_assert_cmpuint (comparison->n_right, <, 40);
  g_assert_cmpuint (n_of_kind (comparison, LS_GRAPH_MATCH_FUSED), >, 15);
  turned = ls_graph_compare (right, left);
  g_assert_cmpfloat (turned->score, ==, 1.0);
  g_assert_cmpuint (turned->n_left, ==, comparison->n_right);
  aligned = ls_graph_comparison_align (comparison, left, right);
  series = ls_graph_series_pair (left, aligned, "left", "right");
  for (guint i = 0; i < aligned->nodes->len; i++)
    n_kept += ls_graph_series_state (series, 0)->nodes[ls_graph_series_state (series, 1)->places[i]] >= 0;
  g_assert_cmpuint (n_kept, >=, comparison->matches->len);
}

/* Constants of the same text are the same value: nothing of a program with one differs from itself. */
static void
test_constants (void)
{
  static const char BODY[] = LINE ("a = R.multiply(x, R.const(2.0, \"float32\"))") LINE ("y = R.matmul(a, w)");
  g_autoptr (LsGraph) left = graph_of (BODY, "float32"), right = graph_of (BODY, "float32"), aligned = NULL;
  g_autoptr (LsGraphComparison) same = ls_graph_compare (left, right);
  g_autoptr (LsGraphSeries) series = NULL;

  aligned = ls_graph_comparison_align (same, left, right);
  series = ls_graph_series_pair (left, aligned, "left", "right");
  g_assert_cmpfloat (same->score, ==, 1.0);
  g_assert_cmpuint (series->whole->nodes->len, ==, left->nodes->len);
  for (guint i = 0; i < series->whole->nodes->len; i++)
    g_assert_cmpint (ls_graph_series_state (series, 1)->marks[i], ==, LS_GRAPH_SAME);
}

/* The series of two compared models says what the comparison says: an operator of each side without counterpart is two places, though what uses them
 * is the same; one is only in the left state, one only in the right. */
static void
test_pair (void)
{
  g_autoptr (LsGraph) left = graph_of (LINE ("a = R.matmul(x, w)") LINE ("b = R.nn.relu(a)") LINE ("c = R.exp(b)") LINE ("y = R.negative(c)"), "float32");
  g_autoptr (LsGraph) right = graph_of (LINE ("a = R.matmul(x, w)") LINE ("b = R.tanh(a)") LINE ("c = R.exp(b)") LINE ("y = R.negative(c)"), "float32"), aligned = NULL;
  g_autoptr (LsGraphComparison) comparison = ls_graph_compare (left, right);
  g_autoptr (LsGraphSeries) series = NULL;
  LsGraphState *state;

  g_assert_cmpuint (comparison->only_left->len, ==, 1);
  g_assert_cmpuint (comparison->only_right->len, ==, 1);
  g_assert_cmpuint (n_of_kind (comparison, LS_GRAPH_MATCH_CHANGED), ==, 1);     /* exp: of another operand; what comes after it has its own */
  g_assert_cmpuint (n_of_kind (comparison, LS_GRAPH_MATCH_SAME), ==, 2);
  aligned = ls_graph_comparison_align (comparison, left, right);
  series = ls_graph_series_pair (left, aligned, "left", "right");
  state = ls_graph_series_state (series, 1);
  g_assert_cmpuint (series->whole->nodes->len, ==, left->nodes->len + 1);
  g_assert_cmpint (state->marks[ls_graph_series_state (series, 0)->places[g_array_index (comparison->only_left, guint, 0)]], ==, LS_GRAPH_REMOVED);
  g_assert_cmpint (state->marks[state->places[g_array_index (comparison->only_right, guint, 0)]], ==, LS_GRAPH_ADDED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/compare/same", test_same);
  g_test_add_func ("/graph/compare/changed", test_changed);
  g_test_add_func ("/graph/compare/attributes", test_attributes);
  g_test_add_func ("/graph/compare/fused", test_fused);
  g_test_add_func ("/graph/compare/constants", test_constants);
  g_test_add_func ("/graph/compare/pair", test_pair);
  return g_test_run ();
}
