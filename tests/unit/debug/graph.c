/* A graph binding by binding: each value against sums made here; a NaN that is planted in a layer is traced to its operator and element. */
#include "engine/debug/debug.h"
#include "engine/relax/pass/pass.h"
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

static const char *
text_of (GVariant   *answer,
         const char *key)
{
  const char *text = "";

  g_variant_lookup (answer, key, "&s", &text);
  return text;
}

static GVariant *
say (LsDebugGraph *graph,
     const char   *line)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_debug_graph_command (graph, line, &error);

  g_assert_no_error (error);
  return answer;
}

/* Breakpoints on operators, on bindings, on NaN, both ways. */
static void
test_stops (void)
{
  static const struct { const char *pattern, *found[3]; } cases[] = {
    { "matmul", { "q", "k", "s" } }, { "relax.nn.*", { "a", "g", NULL } }, { "nn.relu", { "g", NULL } }, { "scaled", { "scaled", NULL } }, { "nan", { "scaled", "a", "o" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsDebugGraph) graph = run (LAYER ("R.sqrt(s)"));
      g_autofree char *command = g_strconcat ("break ", cases[i].pattern, NULL);
      g_autoptr (GVariant) added = say (graph, command);
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < 3 && cases[i].found[k] != NULL; k++)
        {
          g_autoptr (GVariant) answer = say (graph, "continue");

          g_assert_cmpstr (text_of (answer, "binding"), ==, cases[i].found[k]);
          g_assert_cmpstr (text_of (answer, "stopped-for"), ==, cases[i].pattern);
        }
      for (guint k = 2; k-- > 0;)
        if (cases[i].found[k] != NULL && k + 1 < 3 && cases[i].found[k + 1] != NULL)
          {
            g_autoptr (GVariant) answer = say (graph, "back-continue");

            g_assert_cmpstr (text_of (answer, "binding"), ==, cases[i].found[k]);
          }
      g_assert_null (ls_debug_graph_command (graph, "break nonsense", &error));
      g_assert_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND);
    }
}

/* The grid is the tensor. */
static void
test_grid (void)
{
  g_autoptr (LsDebugGraph) graph = run (LAYER ("R.sqrt(s)"));
  g_autoptr (GVariant) there = say (graph, "goto q");
  g_autoptr (GVariant) grid = say (graph, "grid");
  g_autoptr (GVariant) values = g_variant_lookup_value (grid, "values", G_VARIANT_TYPE ("ad"));

  g_assert_cmpuint (g_variant_n_children (values), ==, 24);
  for (guint i = 0; i < 24; i++)
    {
      double value;

      g_variant_get_child (values, i, "d", &value);
      g_assert_cmpfloat (value, ==, at (find (graph, "q"), i / 6, i % 6));
    }
}

static LsModule *
run_pass (LsRelaxLineage    *lineage,
          const LsRelaxPass *pass,
          LsModule          *module,
          LsMap             *args)
{
  g_autoptr (GError) error = NULL;
  LsModule *changed;

  ls_relax_lineage_begin (lineage);
  changed = ls_relax_pass_run (pass, module, args, &error);
  ls_relax_lineage_end (lineage);
  g_assert_no_error (error);
  return changed;
}

/* The same tensors after a pass: those of the same operator on the same data, whatever they are called; their distance is that of the values. */
static void
check_pass (const char *pass_name,
            gboolean    by_lineage,
            double      least,
            double      most)
{
  static const char *const names[] = { "q", "k", "s", "scaled", "a", "h", "g" };
  g_autoptr (LsModule) module = ls_test_parse (LAYER ("R.multiply(s, R.const(0.5, \"float32\"))"));
  g_autoptr (GError) error = NULL;
  const LsRelaxPass *pass = ls_relax_pass_get (pass_name, &error);
  g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, NULL, &error);
  g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
  g_autoptr (LsModule) changed = run_pass (lineage, pass, module, args);
  LsDebugInputs inputs = { NULL, NULL, 2 };
  g_autoptr (LsDebugGraph) before = ls_debug_graph_new (module, NULL, &inputs, &error);
  g_autoptr (LsDebugGraph) after = ls_debug_graph_new (changed, NULL, &inputs, &error);
  g_autoptr (GArray) match = NULL;
  double largest = 0;

  g_assert_no_error (error);
  match = ls_debug_graph_match (before, after, by_lineage ? lineage : NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      LsGraphValue *value = find (before, names[i]);
      LsGraphLike like = g_array_index (match, LsGraphLike, value->number);
      int other = like.other;
      g_autoptr (GVariant) compared = NULL;
      double found = -1, wanted = 0;

      g_assert_cmpint (other, >=, 0);
      g_assert_cmpint (like.why, ==, by_lineage ? LS_GRAPH_LIKE_LINEAGE : LS_GRAPH_LIKE_STRUCTURE);
      if (!by_lineage || strcmp (((LsGraphValue *) after->values->pdata[other])->op, "relax.astype") != 0)       /* a pass may have put a conversion there */
        g_assert_cmpstr (((LsGraphValue *) after->values->pdata[other])->op, ==, value->op);
      compared = ls_debug_graph_compare (before, value->number, after, like);
      g_assert_true (g_variant_lookup (compared, "error", "d", &found));
      for (gint64 k = 0; k < value->n; k++)
        {
          LsGraphValue *one = after->values->pdata[other];

          wanted = fmax (wanted, fabs (ls_interp_load (value->dtype, value->data + k * ls_dtype_bytes (value->dtype))
                                       - ls_interp_load (one->dtype, one->data + k * ls_dtype_bytes (one->dtype))));
        }
      g_assert_cmpfloat (found, ==, wanted);
      largest = fmax (largest, found);
    }
  g_assert_cmpfloat (largest, >=, least);
  g_assert_cmpfloat (largest, <=, most);
}

static void
test_passes (void)
{
  for (guint by_lineage = 0; by_lineage < 2; by_lineage++)
    {
      check_pass ("ToMixedPrecision", by_lineage, 1e-6, 0.2);
      check_pass ("CanonicalizeBindings", by_lineage, 0, 0);
    }
}

#define LAYERS 12

/* A transformer of twelve layers; `odd` has what makes a NaN of a negative number in its scores. (transfer full) */
static char *
transformer (guint odd)
{
  GString *text = g_string_new ("from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Transformer:\n"
                                "    @R.function\n    def main(x: R.Tensor((6, 8), \"float32\"), w: R.Tensor((8, 8), \"float32\"), v: R.Tensor((8, 8), \"float32\"))"
                                " -> R.Tensor((6, 8), \"float32\"):\n        with R.dataflow():\n            h0 = R.add(x, x)\n");

  for (guint i = 0; i < LAYERS; i++)
    {
      g_string_append_printf (text, "            q%u = R.matmul(h%u, w)\n            k%u = R.permute_dims(R.matmul(h%u, v))\n            s%u = R.matmul(q%u, k%u)\n", i, i, i, i, i, i, i);
      if (i == odd)
        g_string_append_printf (text, "            c%u = R.sqrt(R.subtract(s%u, R.max(s%u)))\n", i, i, i);
      else
        g_string_append_printf (text, "            c%u = R.multiply(s%u, R.const(0.25, \"float32\"))\n", i, i);
      g_string_append_printf (text, "            a%u = R.nn.softmax(c%u)\n            o%u = R.matmul(a%u, h%u)\n            r%u = R.add(o%u, h%u)\n"
                                    "            h%u = R.multiply(R.tanh(r%u), R.const(0.5, \"float32\"))\n", i, i, i, i, i, i, i, i, i + 1, i);
    }
  g_string_append_printf (text, "            out = R.add(h%u, x)\n            R.output(out)\n        return out\n", LAYERS);
  return g_string_free (text, FALSE);
}

/* In whichever layer it is planted, the first NaN is traced to its operator, its element and its statement; without one there is none. */
static void
test_transformer (void)
{
  for (guint odd = 0; odd <= LAYERS; odd++)
    {
      g_autofree char *text = transformer (odd);
      g_autofree char *binding = g_strdup_printf ("c%u", odd), *score = g_strdup_printf ("s%u", odd);
      g_autoptr (LsDebugGraph) graph = run (text);
      g_autoptr (GVariant) answer = ls_debug_graph_nan (graph);
      g_autoptr (GVariant) inside = NULL;
      LsGraphValue *value;

      g_assert_cmpuint (graph->values->len, >, 10 * LAYERS);
      if (odd == LAYERS)
        {
          g_assert_null (answer);
          continue;
        }
      value = find (graph, binding);
      g_assert_cmpstr (text_of (answer, "binding"), ==, binding);
      g_assert_cmpstr (text_of (answer, "op"), ==, "relax.sqrt");
      g_assert_cmpint (value->first_odd, >=, 0);
      inside = g_variant_lookup_value (answer, "inside", G_VARIANT_TYPE_VARDICT);
      g_assert_nonnull (strstr (text_of (inside, "statement"), "T.sqrt("));
      g_assert_cmpint (find (graph, score)->n_nan, ==, 0);
      g_assert_cmpint (find (graph, "out")->n_nan, >, 0);
    }
}

typedef struct { guint asked, most; } Patience;

static gboolean
is_patient (gpointer data)
{
  Patience *self = data;

  return ++self->asked <= self->most;
}

/* Random tokens lie within the vocabulary that they pick from, whatever is done to their type and shape before, and what they do not pick from leaves them
 * alone. */
static void
test_tokens (void)
{
  g_autoptr (LsDebugGraph) graph = run (
    "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n"
    "    @R.function\n"
    "    def main(tokens: R.Tensor((2, 6), \"int64\"), free: R.Tensor((40,), \"int64\"), table: R.Tensor((11, 4), \"float32\")) -> R.Tensor((12, 4), \"float32\"):\n"
    "        with R.dataflow():\n"
    "            narrow = R.astype(tokens, dtype=\"int32\")\n"
    "            flat = R.reshape(narrow, R.shape([12]))\n"
    "            rows = R.take(table, flat, axis=0)\n"
    "            R.output(rows)\n"
    "        return rows\n");
  LsGraphValue *tokens = find (graph, "tokens"), *rows = find (graph, "rows"), *table = find (graph, "table"), *other = find (graph, "free");
  gint64 least = 0;

  for (gint64 i = 0; i < 12; i++)
    {
      gint64 token = ((gint64 *) tokens->data)[i];

      g_assert_cmpint (token, >=, 0);
      g_assert_cmpint (token, <, 11);
      for (gint64 j = 0; j < 4; j++)
        g_assert_cmpfloat (at (rows, i, j), ==, at (table, token, j));
    }
  for (gint64 i = 0; i < 40; i++)
    least = MIN (least, ((gint64 *) other->data)[i]);
  g_assert_cmpint (least, <, 0);       /* as random numbers are */
}

/* Ended after any number of questions: what was made is what a whole run makes, the rest says why it is not there. */
static void
test_ended (void)
{
  g_autoptr (LsDebugGraph) whole = run (LAYER ("R.sqrt(s)"));
  g_autoptr (LsModule) module = ls_test_parse (LAYER ("R.sqrt(s)"));
  LsDebugInputs inputs = { NULL, NULL, 2 };
  gboolean ended = FALSE;

  for (guint most = 0; !ended && most < 100; most++)
    {
      g_autoptr (LsDebugGraph) graph = ls_debug_graph_open (module, NULL, &inputs, NULL);
      Patience patience = { 0, most };

      ls_debug_graph_run (graph, is_patient, &patience);
      ended = graph->is_whole;
      for (guint i = 0; i < graph->values->len; i++)
        {
          LsGraphValue *value = graph->values->pdata[i], *other = whole->values->pdata[i];

          g_assert_cmpstr (value->name, ==, other->name);
          if (value->trouble == NULL)
            g_assert_cmpmem (value->data, (gsize) value->n * 4, other->data, (gsize) other->n * 4);
          else
            g_assert_false (graph->is_whole);
        }
      g_assert_true (graph->is_whole == (graph->result >= 0));
    }
  g_assert_true (ended);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/values", test_values);
  g_test_add_func ("/graph/nan", test_nan);
  g_test_add_func ("/graph/stops", test_stops);
  g_test_add_func ("/graph/grid", test_grid);
  g_test_add_func ("/graph/passes", test_passes);
  g_test_add_func ("/graph/tokens", test_tokens);
  g_test_add_func ("/graph/ended", test_ended);
  g_test_add_func ("/graph/transformer", test_transformer);
  return g_test_run ();
}
