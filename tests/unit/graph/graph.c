/* graph: what becomes a node, an edge, a cluster; searching, states, numbers. */
#include "engine/graph/fx.h"
#include "engine/graph/series.h"
#include "engine/script/script.h"
#include "engine/topi/topi.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <string.h>

static const char TUPLES[] =
  "@I.ir_module\n"
  "class Module:\n"
  "    @R.function\n"
  "    def main(x: R.Tensor((\"n\", 4), \"float32\")):\n"
  "        n = T.int64()\n"
  "        with R.dataflow():\n"
  "            lv = R.split(x, 2, axis=1)\n"
  "            a = lv[0]\n"
  "            b = lv[1]\n"
  "            c = R.add(a, b)\n"
  "            t = (c, a)\n"
  "            R.output(t)\n"
  "        return t\n";

static const char BRANCHES[] =
  "@I.ir_module\n"
  "class Module:\n"
  "    @R.function\n"
  "    def main(p: R.Tensor((), \"bool\"), x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
  "        if p:\n"
  "            y = R.add(x, x)\n"
  "            z = y\n"
  "        else:\n"
  "            y2 = R.nn.relu(x)\n"
  "            z = y2\n"
  "        return z\n";

static const char PARTS[] =
  "@I.ir_module\n"
  "class Module:\n"
  "    I.module_global_infos({\"mesh\": [R.device_mesh((2, 2), I.Range(0, 4))]})\n"
  "    @R.function\n"
  "    def main(x: R.DTensor((8, 6), \"float32\", \"mesh[0]\", \"S[0], R\")):\n"
  "        y = R.sum(x, axis=1)\n"
  "        return y\n";

static gboolean
joins (LsGraph    *graph,
       const char *from,
       const char *to)
{
  for (guint i = 0; i < graph->edges->len; i++)
    if (strcmp (ls_graph_node (graph, ls_graph_edge (graph, i)->from)->key, from) == 0
        && strcmp (ls_graph_node (graph, ls_graph_edge (graph, i)->to)->key, to) == 0)
      return TRUE;
  return FALSE;
}

/* ---- relax -------------------------------------------------------------------------- */

/* Tensors in parts: what they are as wholes, and how they are cut. */
static void
test_parts (void)
{
  g_autoptr (LsModule) module = parse (PARTS);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");

  g_assert_cmpstr (node_of (graph, "main/x")->type, ==, "(8, 6) float32 in parts S[0], R");
  g_assert_cmpstr (node_of (graph, "main/y")->type, ==, "(8,) float32 in parts S[0], R");
  g_assert_cmpfloat (ls_graph_type_bytes (((LsFunction *) ls_module_get (module, "main"))->ret_struct_info), ==, -1.0);
}

static void
test_relax (void)
{
  g_autoptr (LsModule) module = parse (MLP);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, NULL);
  LsGraphNode *matmul = node_of (graph, "main/lv0");

  g_assert_cmpuint (graph->nodes->len, ==, 11);
  g_assert_cmpuint (graph->clusters->len, ==, 2);
  g_assert_cmpstr (matmul->title, ==, "matmul");
  g_assert_cmpstr (matmul->detail, ==, "R.matmul");
  g_assert_cmpstr (matmul->type, ==, "(1, 128) float32");
  g_assert_true (joins (graph, "main/x", "main/lv0"));
  g_assert_true (joins (graph, "main/lv2", "main/lv3"));
  g_assert_true (joins (graph, "main/out", "main:result"));
  g_assert_cmpint (node_of (graph, "main/out#1")->kind, ==, LS_GRAPH_NODE_CONSTANT);
  g_assert_nonnull (matmul->path);
  g_assert_true (ls_path_get (matmul->path, module) == matmul->node);
  for (guint i = 0; i < graph->edges->len; i++)
    if (ls_graph_node (graph, ls_graph_edge (graph, i)->from)->kind != LS_GRAPH_NODE_CONSTANT)
      g_assert_cmpuint (ls_graph_edge (graph, i)->from, <, ls_graph_edge (graph, i)->to);
}

static void
test_tuples (void)
{
  g_autoptr (LsGraph) graph = relax_graph (TUPLES);
  g_autofree char *text = ls_graph_to_text (graph, NULL, NULL);

  g_assert_true (joins (graph, "main/lv", "main/c"));
  g_assert_true (joins (graph, "main/lv", "main/t"));
  g_assert_cmpint (ls_graph_find (graph, "main/a"), ==, -1);
  g_assert_nonnull (strstr (text, "lv[0], lv[1]"));
  g_assert_nonnull (strstr (text, "(n, 4) float32"));
}

static void
test_branches (void)
{
  g_autoptr (LsGraph) graph = relax_graph (BRANCHES);

  g_assert_cmpuint (graph->clusters->len, ==, 3);
  g_assert_true (joins (graph, "main/p", "main/z"));
  g_assert_true (joins (graph, "main/y", "main/z"));
  g_assert_true (joins (graph, "main/y2", "main/z"));
}

static void
test_text (void)
{
  g_autoptr (LsGraph) graph = relax_graph (MLP);
  g_autofree char *text = ls_graph_to_text (graph, NULL, NULL);

  ls_assert_same_text (text,
    "main  R.function · 4 parameters\n"
    "  x      parameter            (1, 784) float32\n"
    "  w0     parameter            (784, 128) float32\n"
    "  b0     parameter            (128,) float32\n"
    "  w1     parameter            (128, 10) float32\n"
    "  dataflow  no side effects, so calls may be fused\n"
    "    lv0  R.matmul   x, w0     (1, 128) float32\n"
    "    lv1  R.add      lv0, b0   (1, 128) float32\n"
    "    lv2  R.nn.relu  lv1       (1, 128) float32\n"
    "    lv3  R.matmul   lv2, w1   (1, 10) float32\n"
    "    out  R.add      lv3, 1.0  (1, 10) float32\n"
    "    1.0  constant             () float32\n"
    "  out    result     out       (1, 10) float32\n"
    "\n"
    "11 nodes, 10 edges\n");
}

static void
test_dot (void)
{
  g_autoptr (LsGraph) graph = relax_graph (BRANCHES);
  g_autofree char *dot = ls_graph_to_dot (graph);

  g_assert_true (g_str_has_prefix (dot, "digraph loopscope {\n"));
  g_assert_nonnull (strstr (dot, "subgraph cluster_0 {"));
  g_assert_nonnull (strstr (dot, "n3 -> n2 [label=\"y (4,) float32\"];"));
  g_assert_true (g_str_has_suffix (dot, "}\n"));
}

/* ---- other kinds ---------------------------------------------------------------------- */

static void
test_blocks (void)
{
  g_autofree char *text = ls_test_read ("../data/samples/softmax.py", NULL);
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (LsGraph) graph = ls_graph_from_blocks (module, NULL, NULL);
  guint raw = 0;

  for (guint i = 0; i < graph->edges->len; i++)
    raw += ls_graph_edge (graph, i)->kind == LS_GRAPH_EDGE_RAW;
  g_assert_cmpuint (raw, ==, 4);
  g_assert_cmpstr (node_of (graph, "main/sum")->detail, ==, "S[vi] += E[vi, vk]");
  g_assert_cmpfloat (node_of (graph, "main/sum")->numbers.flop, ==, 256.0 * 1024.0);
}

static void
test_loops (void)
{
  g_autofree char *text = ls_test_read ("../data/samples/mm_relu.py", NULL);
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsGraph) graph = ls_graph_from_loops (schedule);

  g_assert_cmpuint (graph->nodes->len, ==, 5);
  g_assert_cmpuint (graph->edges->len, ==, 0);
}

static void
test_te (void)
{
  const gint64 shape[] = { 4, 4 };
  g_autoptr (LsTeTensor) a = ls_te_placeholder_ints ("A", LS_FLOAT32, 2, shape);
  g_autoptr (LsTeTensor) b = ls_topi_nn_relu (a, NULL);
  g_autoptr (LsArray) tensors = ls_array_of (ls_ref (b), NULL);
  g_autoptr (LsGraph) graph = ls_graph_from_te (tensors);

  g_assert_cmpuint (graph->nodes->len, ==, 2);
  g_assert_cmpuint (graph->edges->len, ==, 1);
  g_assert_cmpint (ls_graph_node (graph, 0)->kind, ==, LS_GRAPH_NODE_VALUE);
}

static const char DECOMPOSED[] =
  "@T.prim_func\n"
  "def main(A: T.Buffer((4, 8)), B: T.Buffer((4,))):\n"
  "    for i in range(4):\n"
  "        with T.block(\"B_init\"):\n"
  "            vi = T.axis.spatial(4, i)\n"
  "            B[vi] = T.float32(0)\n"
  "        for k in range(8):\n"
  "            with T.block(\"B_update\"):\n"
  "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
  "                B[vi] = B[vi] + A[vi, vk]\n";

/* A stage whose start values have a block of their own says what it computes, not what it starts with. */
static void
test_stage_line (void)
{
  g_autoptr (LsModule) module = parse (DECOMPOSED);
  g_autoptr (LsGraph) graph = ls_graph_from_stages (module, NULL);
  LsGraphNode *stage = NULL;

  for (guint i = 0; i < graph->nodes->len; i++)
    if (g_strcmp0 (ls_graph_node (graph, i)->name, "B") == 0)
      stage = ls_graph_node (graph, i);
  g_assert_nonnull (stage);
  g_assert_cmpstr (stage->detail, ==, "B[vi] += A[vi, vk]");
  g_assert_cmpstr (ls_graph_get_attribute (stage, "also"), ==, "B[vi] = T.float32(0.0)");
}

static void
test_fx (void)
{
  g_autofree char *path = ls_test_path ("golden/fx/mlp.fx.json");
  g_autoptr (LsFxGraph) fx = ls_fx_graph_read (path, NULL);
  g_autoptr (LsGraph) graph = ls_graph_from_fx (fx);

  g_assert_cmpuint (graph->nodes->len, ==, ls_fx_graph_get_n (fx));
  g_assert_cmpuint (graph->edges->len, >, 0);
  g_assert_cmpint (ls_graph_node (graph, graph->nodes->len - 1)->kind, ==, LS_GRAPH_NODE_RESULT);
}

/* ---- searching -------------------------------------------------------------------------------- */

static void
test_search (void)
{
  static const struct { const char *pattern; guint n; } cases[] = {
    { "matmul", 2 }, { "MATMUL", 2 }, { "mat*", 2 }, { "lv?", 4 }, { "nn.relu", 1 }, { "R.nn.relu", 1 },
    { "matmul -> add", 2 }, { "matmul->add->relu", 1 }, { "matmul -> relu", 0 }, { "* -> matmul", 4 },
    { "(1, 128)", 3 }, { "(1, *)", 7 }, { "add (1,10)", 1 }, { "int8", 0 }, { "name=lv3", 1 }, { "op=add", 2 }, { "function=main matmul", 2 },
    { "/^mat.*l$/", 2 }, { "/float32/ matmul", 2 }, { "/mat(mul|x)/ -> /a(dd| b->c)/", 2 }, { "/\\(1, 10\\)/ add", 1 }, { "relu -> /^MATMUL$/", 1 },
  };
  g_autoptr (LsGraph) graph = relax_graph (MLP);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) matches = ls_graph_search (graph, cases[i].pattern, &error);

      g_assert_no_error (error);
      if (matches->len != cases[i].n)
        g_test_fail_printf ("%s: %u matches, %u expected", cases[i].pattern, matches->len, cases[i].n);
    }
}

/* A stack of attention: `n` times matmul, softmax, add. */
static LsModule *
stack (guint n)
{
  g_autoptr (GString) text = g_string_new ("@I.ir_module\nclass Module:\n    @R.function\n"
                                           "    def main(x: R.Tensor((4, 4), \"float32\"), w: R.Tensor((4, 4), \"float32\")):\n        with R.dataflow():\n");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *last = i == 0 ? g_strdup ("x") : g_strdup_printf ("a%u", i - 1);

      g_string_append_printf (text, "            m%u = R.matmul(%s, w)\n            s%u = R.nn.softmax(m%u, axis=-1)\n            a%u = R.add(s%u, m%u)\n",
                              i, last, i, i, i, i, i);
    }
  g_string_append_printf (text, "            out = R.nn.relu(a%u)\n            R.output(out)\n        return out\n", n - 1);
  return parse (text->str);
}

static guint
n_found (LsGraph    *graph,
         const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) matches = ls_graph_search (graph, pattern, &error);

  g_assert_no_error (error);
  return matches->len;
}

static void
test_search_folded (void)
{
  static const struct { const char *pattern; guint n; } cases[] = {
    { "softmax", 60 }, { "softmax -> add", 60 }, { "matmul -> softmax -> add -> matmul", 59 }, { "add -> relu", 1 }, { "/^soft/", 60 }, { "soft", 0 },
  };
  static const char *const stages[] = { NULL, "LegalizeOps()", "FuseOps()" };
  g_autoptr (LsModule) module = stack (60);

  for (guint stage = 0; stage < G_N_ELEMENTS (stages); stage++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsGraph) graph = NULL, folded = NULL, copy = NULL;

      if (stages[stage] != NULL)
        ls_take (&module, ls_graph_run_pass (module, stages[stage], &error));
      g_assert_no_error (error);
      graph = ls_graph_from_relax (module, "main");
      folded = ls_graph_fold_groups (graph, 30, NULL);
      copy = ls_graph_copy (folded);
      g_assert_true (ls_graph_get_whole (graph) == graph);
      if (stage == 2)
        {
          g_assert_cmpuint (n_found (graph, "softmax"), >, 0);
          continue;
        }
      g_assert_cmpuint (folded->nodes->len, <, graph->nodes->len);
      g_assert_true (ls_graph_get_whole (copy) == graph);
      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          g_autoptr (GPtrArray) matches = ls_graph_search (ls_graph_get_whole (copy), cases[i].pattern, &error);
          g_autoptr (GPtrArray) shown = ls_graph_show_matches (copy, matches);

          if (matches->len != cases[i].n)
            g_test_fail_printf ("stage %u, %s: %u matches, %u expected", stage, cases[i].pattern, matches->len, cases[i].n);
          g_assert_cmpuint (shown->len, ==, matches->len);
          for (guint k = 0; k < shown->len; k++)
            {
              guint at = g_array_index ((GArray *) shown->pdata[k], guint, 0), in = g_array_index ((GArray *) matches->pdata[k], guint, 0);

              g_assert_cmpuint (at, <, copy->nodes->len);
              if (ls_graph_node (copy, at)->kind != LS_GRAPH_NODE_GROUP)
                g_assert_cmpstr (ls_graph_node (copy, at)->key, ==, ls_graph_node (graph, in)->key);
            }
        }
    }
}

static void
test_search_wrong (void)
{
  static const char *const patterns[] = { "", "  ", "-> relu", "relu ->", "a -> -> b", "/[/", "/add", "//", "add /(/" };
  g_autoptr (LsGraph) graph = relax_graph (MLP);

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_graph_search (graph, patterns[i], &error));
      g_assert_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_PATTERN);
    }
}

/* ---- states -------------------------------------------------------------------------------------- */

static LsGraphSeries *
series_of (const char        *text,
           const char *const *passes)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref), labels = g_ptr_array_new ();
  g_autoptr (LsModule) module = parse (text);

  g_ptr_array_add (graphs, ls_graph_from_relax (module, NULL));
  g_ptr_array_add (labels, (gpointer) "before");
  for (guint i = 0; passes[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      LsModule *after = ls_graph_run_pass (module, passes[i], &error);

      g_assert_no_error (error);
      ls_take (&module, after);
      g_ptr_array_add (graphs, ls_graph_from_relax (module, NULL));
      g_ptr_array_add (labels, (gpointer) passes[i]);
    }
  return ls_graph_series_new (graphs, labels);
}

static void
test_series (void)
{
  static const char *const passes[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", "FuseTIR()", NULL };
  g_autoptr (LsGraphSeries) series = series_of (MLP, passes);
  LsGraphState *legal = ls_graph_series_state (series, 1), *same = ls_graph_series_state (series, 2), *fused = ls_graph_series_state (series, 4);
  g_autofree char *words = ls_graph_state_words (legal);
  g_autofree char *none = ls_graph_state_words (same);

  g_assert_cmpuint (series->states->len, ==, 5);
  g_assert_cmpstr (words, ==, "5 changed, 1 removed");
  g_assert_cmpstr (none, ==, "nothing changed");
  for (guint i = 0; i < legal->graph->nodes->len; i++)
    g_assert_cmpuint (legal->places[i], ==, ls_graph_series_state (series, 0)->places[ls_graph_find (ls_graph_series_state (series, 0)->graph, ls_graph_node (legal->graph, i)->key)]);
  g_assert_cmpuint (fused->n_removed, >, 0);
  g_assert_nonnull (node_of (fused->graph, "main/gv")->callee);
  for (guint s = 0; s < series->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (series, s);

      for (guint i = 0; i < state->graph->nodes->len; i++)
        g_assert_cmpint (state->nodes[state->places[i]], ==, (gint) i);
    }
}

static void
test_wrong_pass (void)
{
  g_autoptr (LsModule) module = parse (MLP);
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_graph_run_pass (module, "NoSuchPass()", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (ls_graph_run_pass (module, "LegalizeOps(", &error));
  g_assert_nonnull (error);
}

/* ---- numbers, variants ----------------------------------------------------------------------------- */

static void
test_numbers (void)
{
  static const char *const passes[] = { "LegalizeOps()", NULL };
  g_autoptr (LsGraphSeries) series = series_of (MLP, passes);
  LsGraph *graph = ls_graph_series_state (series, 1)->graph;
  g_autoptr (GError) error = NULL;

  g_assert_cmpfloat (node_of (graph, "main/lv0")->numbers.flop, ==, 2.0 * 784.0 * 128.0);
  g_assert_cmpuint (ls_graph_read_numbers (graph, "{\"profile\": [{\"name\": \"matmul\", \"calls\": 1, \"ns\": 500, \"bytes\": 12}]}", &error), ==, 1);
  g_assert_no_error (error);
  g_assert_cmpfloat (node_of (graph, "main/lv0")->numbers.ns, ==, 500.0);
  g_assert_cmpfloat (ls_graph_sum (graph).ns, ==, 500.0);
  g_assert_cmpuint (ls_graph_read_numbers (graph, "[1, 2", &error), ==, 0);
  g_assert_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS);
  g_clear_error (&error);
  g_assert_cmpuint (ls_graph_read_numbers (graph, "{\"profile\": [{\"name\": \"other\"}]}", &error), ==, 0);
  g_assert_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS);
}

static void
test_variant (void)
{
  g_autoptr (LsGraph) graph = relax_graph (MLP);
  g_autoptr (GVariant) variant = g_variant_ref_sink (ls_graph_to_variant (graph));
  g_autoptr (LsGraph) back = ls_graph_from_variant (variant);
  g_autofree char *a = ls_graph_to_text (graph, NULL, NULL);
  g_autofree char *b = ls_graph_to_text (back, NULL, NULL);
  g_autoptr (GVariant) wrong = g_variant_ref_sink (g_variant_new_parsed ("{'kind': <'relax'>}"));

  g_assert_cmpstr (a, ==, b);
  g_assert_null (ls_graph_from_variant (wrong));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/relax", test_relax);
  g_test_add_func ("/graph/parts", test_parts);
  g_test_add_func ("/graph/tuples", test_tuples);
  g_test_add_func ("/graph/branches", test_branches);
  g_test_add_func ("/graph/text", test_text);
  g_test_add_func ("/graph/dot", test_dot);
  g_test_add_func ("/graph/blocks", test_blocks);
  g_test_add_func ("/graph/loops", test_loops);
  g_test_add_func ("/graph/te", test_te);
  g_test_add_func ("/graph/stage-line", test_stage_line);
  g_test_add_func ("/graph/fx", test_fx);
  g_test_add_func ("/graph/search", test_search);
  g_test_add_func ("/graph/search/wrong", test_search_wrong);
  g_test_add_func ("/graph/search/folded", test_search_folded);
  g_test_add_func ("/graph/series", test_series);
  g_test_add_func ("/graph/series/wrong-pass", test_wrong_pass);
  g_test_add_func ("/graph/numbers", test_numbers);
  g_test_add_func ("/graph/variant", test_variant);
  return g_test_run ();
}
