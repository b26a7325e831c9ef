/* graphs: see the header. */
#include "tests/unit/graph/graphs.h"

#include "tests/support/support.h"

const char MLP[] =
  "@I.ir_module\n"
  "class Module:\n"
  "    @R.function\n"
  "    def main(x: R.Tensor((1, 784), \"float32\"), w0: R.Tensor((784, 128), \"float32\"), b0: R.Tensor((128,), \"float32\"),\n"
  "             w1: R.Tensor((128, 10), \"float32\")) -> R.Tensor((1, 10), \"float32\"):\n"
  "        with R.dataflow():\n"
  "            lv0 = R.matmul(x, w0)\n"
  "            lv1 = R.add(lv0, b0)\n"
  "            lv2 = R.nn.relu(lv1)\n"
  "            lv3 = R.matmul(lv2, w1)\n"
  "            out = R.add(lv3, R.const(1, \"float32\"))\n"
  "            R.output(out)\n"
  "        return out\n";

LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);
  g_autofree char *words = ls_diagnostics_print (findings);

  if (module == NULL || ls_diagnostics_has_error (findings))
    g_error ("%s", words);
  return module;
}

LsGraph *
relax_graph (const char *text)
{
  g_autoptr (LsModule) module = parse (text);

  return ls_graph_from_relax (module, NULL);
}

/* A chain of `n` layers of three calls. */
LsGraph *
layers (guint n)
{
  const char *const names[] = { "matmul", "add", "relu" };
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);
  gint cluster = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, "main", "main", NULL);

  ls_graph_add_node (graph, LS_GRAPH_NODE_VALUE, "main/x", "x")->cluster = cluster;
  for (guint i = 0; i < 3 * n; i++)
    {
      g_autofree char *key = g_strdup_printf ("main/lv%u", i);

      ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, names[i % 3])->cluster = cluster;
      ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i + 1, NULL, "(4,) float32");
      if (i % 3 == 2 && i >= 3)
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i - 2, i + 1, NULL, "(4,) float32");
    }
  return graph;
}

LsGraphNode *
node_of (LsGraph    *graph,
         const char *key)
{
  gint at = ls_graph_find (graph, key);

  if (at < 0)
    g_error ("no node %s", key);
  return ls_graph_node (graph, at);
}
