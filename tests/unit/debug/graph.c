/* A graph binding by binding: each value against sums made here; a NaN that is planted in a layer is traced to its operator and element. */
#include "engine/debug/debug.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define LAYER(scale) \
  "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n" \
  "    @R.function\n" \
  "    def main(x: R.Tensor((4, 6), \"float32\"), wq: R.Tensor((6, 6), \"float32\"), wk: R.Tensor((6, 6), \"float32\"), w1: R.Tensor((6, 5), \"float32\")) -> R.Tensor((4, 5), \"float32\"):\n" \
  "        with R.dataflow():\n" \
  "            q = R.matmul(x, wq)\n" \
  "            k = R.matmul(x, wk)\n" \
  "            kt = R.permute_dims(k)\n" \
  "            s = R.matmul(q, kt)\n" \
  "            scaled = " scale "\n" \
  "            a = R.nn.softmax(scaled)\n" \
  "            o = R.matmul(a, x)\n" \
  "            h = R.matmul(o, w1)\n" \
  "            g = R.nn.relu(h)\n" \
  "            R.output(g)\n" \
  "        return g\n"

static LsDebugGraph *
run (const char *text)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, 2 };
  LsDebugGraph *graph = ls_debug_graph_new (module, NULL, &inputs, &error);

  g_assert_no_error (error);
  return graph;
}

static LsGraphValue *
find (LsDebugGraph *graph,
      const char   *name)
{
  for (guint i = 0; i < graph->values->len; i++)
    if (strcmp (((LsGraphValue *) graph->values->pdata[i])->name, name) == 0)
      return graph->values->pdata[i];
  g_error ("no value %s", name);
}

static float
at (LsGraphValue *value,
    gint64        i,
    gint64        j)
{
  return ((float *) value->data)[i * value->shape[1] + j];
}

static void
check_product (LsDebugGraph *graph,
               const char   *out,
               const char   *left,
               const char   *right)
{
  LsGraphValue *c = find (graph, out), *a = find (graph, left), *b = find (graph, right);

  g_assert_cmpint (c->shape[0], ==, a->shape[0]);
  for (gint64 i = 0; i < c->shape[0]; i++)
    for (gint64 j = 0; j < c->shape[1]; j++)
      {
        double sum = 0;

        for (gint64 k = 0; k < a->shape[1]; k++)
          sum += (double) at (a, i, k) * at (b, k, j);
        g_assert_cmpfloat_with_epsilon (at (c, i, j), sum, 1e-4);
      }
}

static void
test_values (void)
{
  g_autoptr (LsDebugGraph) graph = run (LAYER ("R.multiply(s, R.const(0.5, \"float32\"))"));
  LsGraphValue *a, *g, *h;
  double least = INFINITY, most = -INFINITY, sum = 0;
  gint64 counted = 0;

  check_product (graph, "q", "x", "wq");
  check_product (graph, "s", "q", "kt");
  check_product (graph, "h", "o", "w1");
  a = find (graph, "a");
  for (gint64 i = 0; i < 4; i++)
    {
      double row = 0;

      for (gint64 j = 0; j < 4; j++)
        row += at (a, i, j);
      g_assert_cmpfloat_with_epsilon (row, 1, 1e-5);
    }
  g = find (graph, "g");
  h = find (graph, "h");
  for (gint64 i = 0; i < 4; i++)
    for (gint64 j = 0; j < 5; j++)
      {
        g_assert_cmpfloat (at (g, i, j), ==, fmaxf (at (h, i, j), 0));
        least = fmin (least, at (h, i, j));
        most = fmax (most, at (h, i, j));
        sum += at (h, i, j);
      }
  g_assert_cmpfloat (h->least, ==, least);
  g_assert_cmpfloat (h->most, ==, most);
  g_assert_cmpfloat_with_epsilon (h->mean, sum / 20, 1e-6);
  for (guint i = 0; i < LS_GRAPH_BINS; i++)
    counted += h->histogram[i];
  g_assert_cmpint (counted, ==, 20);
  g_assert_cmpint (ls_debug_graph_first_odd (graph), ==, -1);
  g_assert_null (ls_debug_graph_nan (graph));
}

static void
test_nan (void)
{
  g_autoptr (LsDebugGraph) graph = run (LAYER ("R.sqrt(s)"));
  int number = ls_debug_graph_first_odd (graph);
  g_autoptr (GVariant) answer = ls_debug_graph_nan (graph);
  g_autoptr (GVariant) inside = NULL;
  LsGraphValue *value = graph->values->pdata[MAX (number, 0)], *s = find (graph, "s");
  const char *op = NULL, *statement = NULL;

  g_assert_cmpint (number, >, 0);
  g_assert_cmpstr (value->name, ==, "scaled");
  g_assert_true (g_variant_lookup (answer, "op", "&s", &op));
  g_assert_cmpstr (op, ==, "relax.sqrt");
  for (gint64 i = 0; i < value->first_odd; i++)
    g_assert_cmpfloat (((float *) s->data)[i], >=, 0);
  g_assert_cmpfloat (((float *) s->data)[value->first_odd], <, 0);
  g_assert_cmpint (find (graph, "g")->n_nan, >, 0);
  inside = g_variant_lookup_value (answer, "inside", G_VARIANT_TYPE_VARDICT);
  g_assert_nonnull (inside);
  g_assert_true (g_variant_lookup (inside, "statement", "&s", &statement));
  g_assert_nonnull (strstr (statement, "T.sqrt(s["));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/values", test_values);
  g_test_add_func ("/graph/nan", test_nan);
  return g_test_run ();
}
