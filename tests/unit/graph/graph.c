/* graph: what becomes a node, an edge, a cluster; folding, searching, states, numbers. */
#include "app/rpc/rpc.h"
#include "engine/graph/fx.h"
#include "engine/graph/graph-private.h"
#include "engine/graph/layout.h"
#include "engine/graph/series.h"
#include "engine/script/script.h"
#include "engine/topi/topi.h"
#include "tests/support/support.h"
#include "tests/support/models.h"
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

static LsGraphNode *
node (LsGraph    *graph,
      const char *key)
{
  gint at = ls_graph_find (graph, key);

  if (at < 0)
    g_error ("no node %s", key);
  return ls_graph_node (graph, at);
}

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

  g_assert_cmpstr (node (graph, "main/x")->type, ==, "(8, 6) float32 in parts S[0], R");
  g_assert_cmpstr (node (graph, "main/y")->type, ==, "(8,) float32 in parts S[0], R");
  g_assert_cmpfloat (ls_graph_type_bytes (((LsFunction *) ls_module_get (module, "main"))->ret_struct_info), ==, -1.0);
}

static void
test_relax (void)
{
  g_autoptr (LsModule) module = parse (MLP);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, NULL);
  LsGraphNode *matmul = node (graph, "main/lv0");

  g_assert_cmpuint (graph->nodes->len, ==, 11);
  g_assert_cmpuint (graph->clusters->len, ==, 2);
  g_assert_cmpstr (matmul->title, ==, "matmul");
  g_assert_cmpstr (matmul->detail, ==, "R.matmul");
  g_assert_cmpstr (matmul->type, ==, "(1, 128) float32");
  g_assert_true (joins (graph, "main/x", "main/lv0"));
  g_assert_true (joins (graph, "main/lv2", "main/lv3"));
  g_assert_true (joins (graph, "main/out", "main:result"));
  g_assert_cmpint (node (graph, "main/out#1")->kind, ==, LS_GRAPH_NODE_CONSTANT);
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
  g_assert_cmpstr (node (graph, "main/sum")->detail, ==, "S[vi] += E[vi, vk]");
  g_assert_cmpfloat (node (graph, "main/sum")->numbers.flop, ==, 256.0 * 1024.0);
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

/* ---- folding ----------------------------------------------------------------------------- */

static void
test_constants (void)
{
  g_autoptr (LsGraph) graph = relax_graph (MLP);
  g_autoptr (LsGraph) folded = ls_graph_fold_constants (graph, TRUE);
  g_autoptr (LsGraph) only = ls_graph_fold_constants (graph, FALSE);

  g_assert_cmpuint (only->nodes->len, ==, 10);
  g_assert_cmpuint (folded->nodes->len, ==, 7);
  g_assert_cmpstr (ls_graph_get_attribute (node (folded, "main/lv1"), "b0"), ==, "(128,) float32");
}

static gboolean
is_acyclic (LsGraph *graph)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (graph, TRUE);
  g_autofree guint *open = g_new0 (guint, graph->nodes->len);
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint));
  guint done = 0;

  for (guint i = 0; i < graph->edges->len; i++)
    open[ls_graph_edge (graph, i)->to]++;
  for (guint i = 0; i < graph->nodes->len; i++)
    if (open[i] == 0)
      g_array_append_val (ready, i);
  while (done < ready->len)
    {
      guint at = g_array_index (ready, guint, done++);

      for (guint i = users->start[at]; i < users->start[at + 1]; i++)
        {
          guint to = ls_graph_edge (graph, users->edges[i])->to;

          if (--open[to] == 0)
            g_array_append_val (ready, to);
        }
    }
  return done == graph->nodes->len;
}

static void
test_groups (void)
{
  g_autoptr (LsGraph) graph = layers (3333);
  g_autoptr (LsGraph) folded = ls_graph_fold_groups (graph, 100, NULL);
  g_autoptr (LsGraph) small = ls_graph_fold_groups (graph, 20000, NULL);
  g_autoptr (GHashTable) open = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (LsGraph) opened = NULL;
  guint members = 0, group = 0;

  g_assert_true (small == graph);
  g_assert_cmpuint (folded->nodes->len, <=, 110);
  g_assert_cmpuint (folded->n_folded, ==, 10000);
  g_assert_true (is_acyclic (folded));
  for (guint i = 0; i < folded->nodes->len; i++)
    {
      members += ls_graph_node (folded, i)->n_members;
      if (ls_graph_node (folded, i)->kind == LS_GRAPH_NODE_GROUP)
        group = i;
    }
  g_assert_cmpuint (members, ==, 10000);
  g_hash_table_add (open, ls_graph_node (folded, group)->key);
  opened = ls_graph_fold_groups (graph, 100, open);
  g_assert_cmpuint (opened->nodes->len, >, folded->nodes->len);
  g_assert_true (is_acyclic (opened));
  g_assert_cmpint (ls_graph_cluster (opened, opened->clusters->len - 1)->kind, ==, LS_GRAPH_CLUSTER_GROUP);
}

/* A transformer's layers: attention with three projections, a shortcut, a feed-forward part.  `weights` is a name with %u for
 * the layer; `odd` is a layer of another width, -1: none. */
static LsGraph *
transformer (guint       n,
             const char *layers,
             gint        odd)
{
  static const struct { const char *op, *weight; guint from, too; } calls[] = {  /* places in the layer, 0: what comes in */
    { "layer_norm", "norm1.weight", 0, 99 }, { "matmul", "attn.q.weight", 1, 99 }, { "matmul", "attn.k.weight", 1, 99 },
    { "matmul", "attn.v.weight", 1, 99 }, { "matmul", NULL, 2, 3 }, { "softmax", NULL, 5, 99 }, { "matmul", NULL, 6, 4 },
    { "add", NULL, 7, 0 }, { "matmul", "mlp.up.weight", 8, 99 }, { "gelu", NULL, 9, 99 }, { "matmul", "mlp.down.weight", 10, 99 },
    { "add", NULL, 11, 8 },
  };
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);
  gint cluster = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, "main", "main", NULL);
  guint in = 0;

  ls_graph_add_node (graph, LS_GRAPH_NODE_VALUE, "main/x", "x")->cluster = cluster;
  for (guint layer = 0; layer < n; layer++)
    {
      guint places[G_N_ELEMENTS (calls) + 1] = { in };

      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        {
          g_autofree char *key = g_strdup_printf ("main/lv%u_%u", layer, i);
          LsGraphNode *node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, calls[i].op);

          node->cluster = cluster;
          node->type = g_strdup ((gint) layer == odd ? "(8, 96) float32" : "(8, 64) float32");
          places[i + 1] = graph->nodes->len - 1;
          if (calls[i].weight != NULL && layers != NULL)
            {
              g_autofree char *name = g_strdup_printf ("%s.%u.%s", layers, layer, calls[i].weight);

              ls_graph_add_attribute (node, name, "(64, 64) float32");
            }
          ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, places[calls[i].from], places[i + 1], NULL, NULL)->argument = 0;
          if (calls[i].too != 99)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, places[calls[i].too], places[i + 1], NULL, NULL)->argument = 1;
        }
      in = graph->nodes->len - 1;
    }
  return graph;
}

/* A group with this title and detail is there when `graph` is folded to `limit` nodes. */
static void
assert_group (LsGraph    *graph,
              guint       limit,
              const char *title,
              const char *detail)
{
  g_autoptr (LsGraph) folded = ls_graph_fold_groups (graph, limit, NULL);
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < folded->nodes->len; i++)
    {
      LsGraphNode *at = ls_graph_node (folded, i);

      if (at->kind == LS_GRAPH_NODE_GROUP && strcmp (at->title, title) == 0 && strcmp (at->detail, detail) == 0)
        return;
      g_string_append_printf (all, "%s | %s\n", at->title, at->detail);
    }
  g_test_fail_printf ("folded to %u: no %s | %s in\n%s", limit, title, detail, all->str);
}

static void
test_group_names (void)
{
  g_autoptr (LsGraph) named = transformer (24, "layers", -1);
  g_autoptr (LsGraph) plain = transformer (24, NULL, -1);
  g_autoptr (LsGraph) odd = transformer (24, "layers", 2);
  g_autoptr (LsGraph) unknown = layers (200);

  assert_group (named, 60, "transformer layer · layers.3", "× 24 alike · part 4 · 12 nodes");
  assert_group (named, 13, "transformer layer · layers.0–1 × 2", "× 24 alike · parts 1 to 2 · 24 nodes");
  assert_group (plain, 60, "transformer layer 4", "× 24 alike · part 4 · 12 nodes");
  assert_group (plain, 13, "transformer layer 3–4 × 2", "× 24 alike · parts 3 to 4 · 24 nodes");
  /* layers of two widths are not the same layer twice */
  assert_group (odd, 13, "transformer layer · layers.2–3", "parts 3 to 4 of 24 · 24 nodes");
  assert_group (odd, 13, "transformer layer · layers.0–1 × 2", "parts 1 to 2 of 24 · 24 nodes");
  assert_group (unknown, 250, "matmul, add, relu 1", "part 1 of 200 · 3 nodes");
  assert_group (unknown, 60, "matmul, add, relu 5–8 × 4", "parts 5 to 8 of 200 · 12 nodes");
}

/* Stages of residual blocks as a ResNet has them: the first of each has a convolution more, so that no period cuts them where they end. */
static LsGraph *
residual (const guint *stages,
          guint        n_stages)
{
  static const char *const OPS[] = { "conv2d", "relu", "conv2d", "relu", "conv2d" };
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);
  gint cluster = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, "main", "main", NULL);
  guint in = 0;

  ls_graph_add_node (graph, LS_GRAPH_NODE_VALUE, "main/x", "x")->cluster = cluster;
  for (guint stage = 0; stage < n_stages; stage++)
    for (guint block = 0; block < stages[stage]; block++)
      {
        guint at = in, beside = in;

        for (guint i = 0; i < 8; i++)
          {
            g_autofree char *key = g_strdup_printf ("main/lv%u_%u_%u", stage, block, i), *weight = NULL;
            LsGraphNode *node;

            if (i == 5 && block > 0)
              continue;
            node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, i < 5 ? OPS[i] : i == 5 ? "conv2d" : i == 6 ? "add" : "relu");
            node->cluster = cluster;
            node->type = g_strdup ("(1, 8, 8, 8) float32");
            weight = i == 5 ? g_strdup_printf ("layer%u.%u.downsample.0.weight", stage + 1, block)
                     : i % 2 == 0 && i < 5 ? g_strdup_printf ("layer%u.%u.conv%u.weight", stage + 1, block, i / 2 + 1) : NULL;
            if (weight != NULL)
              ls_graph_add_attribute (node, weight, "(8, 8, 3, 3) float32");
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i == 5 ? in : at, graph->nodes->len - 1, NULL, NULL);
            if (i == 6)
              ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, block == 0 ? beside : in, graph->nodes->len - 1, NULL, NULL);
            beside = i == 5 ? graph->nodes->len - 1 : beside;
            at = i == 5 ? at : graph->nodes->len - 1;
          }
        in = at;
      }
  return graph;
}

/* Each block is a group by its own name, whole, and no two are called the same. */
static void
test_blocks_by_name (void)
{
  static const guint stages[] = { 3, 4, 6, 3 };
  g_autoptr (LsGraph) graph = residual (stages, G_N_ELEMENTS (stages)), folded = ls_graph_fold_groups (graph, 60, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_groups = 0;

  for (guint i = 0; i < folded->nodes->len; i++)
    {
      LsGraphNode *at = ls_graph_node (folded, i);

      if (at->kind != LS_GRAPH_NODE_GROUP)
        continue;
      n_groups++;
      g_test_message ("%s | %s", at->title, at->detail);
      g_assert_true (g_str_has_prefix (at->title, "residual block · layer"));
      g_assert_true (g_hash_table_add (seen, at->title));
      g_assert_cmpuint (at->n_members, ==, (g_str_has_suffix (at->title, ".0") ? 8 : 7) + (n_groups == 1));      /* the first has x, too */
    }
  g_assert_cmpuint (n_groups, ==, 16);
  g_assert_true (is_acyclic (folded));
  assert_group (graph, 60, "residual block · layer3.4", "× 5 alike · part 4 · 7 nodes");
}

/* Layers that begin with the calls of a normalisation, which has its weight only in the last of them, and end in a sum of what went in: these are of the
 * layer that follows, the sum of the one before.  "onnx_MatMul_N" is what an exporter calls a weight that it changed. */
static void
test_cut_where_little_goes_on (void)
{
  static const struct { const char *title, *weight; } CALLS[] = {
    { "mean", NULL }, { "subtract", NULL }, { "divide", NULL }, { "multiply", "layers_%u_norm_weight" }, { "matmul", "onnx_MatMul_%u" },
    { "add", "layers_%u_fc1_bias" }, { "gelu", NULL }, { "matmul", "onnx_MatMul_%u" }, { "add", "layers_%u_fc2_bias" }, { "add", NULL },
  };
  g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX), folded = NULL;
  gint cluster = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, "main", "main", NULL);
  guint x = 0, n_groups = 0;

  ls_graph_add_node (graph, LS_GRAPH_NODE_VALUE, "main/x", "x")->cluster = cluster;
  for (guint layer = 0; layer < 9; layer++)
    {
      guint last = x;

      for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
        {
          g_autofree char *key = g_strdup_printf ("main/lv%u_%u", layer, i);
          LsGraphNode *node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, CALLS[i].title);

          node->cluster = cluster;
          node->type = g_strdup ("(1, 8) float32");
          if (CALLS[i].weight != NULL)
            {
              g_auto (GStrv) parts = g_strsplit (CALLS[i].weight, "%u", 2);
              g_autofree char *name = g_strdup_printf ("%s%u%s", parts[0], 7 * layer, parts[1]);

              ls_graph_add_attribute (node, name, "(8, 8) float32");
            }
          ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, last, graph->nodes->len - 1, NULL, NULL)->argument = 0;
          if (i == 1 || i == G_N_ELEMENTS (CALLS) - 1)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, x, graph->nodes->len - 1, NULL, NULL)->argument = i == 1 ? 0 : 1;
          last = graph->nodes->len - 1;
        }
      x = last;
    }
  folded = ls_graph_fold_groups (graph, 40, NULL);
  for (guint i = 0; i < folded->nodes->len; i++)
    {
      LsGraphNode *at = ls_graph_node (folded, i);
      g_autofree char *title = g_strdup_printf ("feed-forward · layers_%u", 7 * n_groups);

      if (at->kind != LS_GRAPH_NODE_GROUP)
        continue;
      g_assert_cmpstr (at->title, ==, title);
      g_assert_cmpuint (at->n_members, ==, G_N_ELEMENTS (CALLS) + (n_groups == 0));
      n_groups++;
    }
  g_assert_cmpuint (n_groups, ==, 9);
}

/* Titles and details of the groups, one a line, a cluster with "open" before it. (transfer full) */
static char *
groups_text (LsGraph *folded)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < folded->clusters->len; i++)
    if (ls_graph_cluster (folded, i)->kind == LS_GRAPH_CLUSTER_GROUP)
      g_string_append_printf (all, "open %s | %s\n", ls_graph_cluster (folded, i)->title, ls_graph_cluster (folded, i)->detail);
  for (guint i = 0; i < folded->nodes->len; i++)
    if (ls_graph_node (folded, i)->kind == LS_GRAPH_NODE_GROUP && strstr (ls_graph_node (folded, i)->title, "layer") != NULL)
      g_string_append_printf (all, "%s | %s\n", ls_graph_node (folded, i)->title, ls_graph_node (folded, i)->detail);
  return g_strdup (all->str);
}

/* The key of the group with this title. */
static const char *
key_of_group (LsGraph    *folded,
              const char *title)
{
  for (guint i = 0; i < folded->nodes->len; i++)
    if (strcmp (ls_graph_node (folded, i)->title, title) == 0)
      return ls_graph_node (folded, i)->key;
  g_test_fail_printf ("no group %s", title);
  return "";
}

/* Of 24 layers that are alike one is opened for all: what is before and behind it are two groups, and everything is still in one of them. */
static void
test_one_for_all (void)
{
  g_autoptr (LsGraph) graph = transformer (24, "layers", -1), odd = transformer (24, "layers", 2);
  g_autoptr (LsGraph) folded = ls_graph_fold_groups (graph, 60, NULL), opened = NULL, more = NULL, again = NULL, other = NULL, odd_folded = ls_graph_fold_groups (odd, 60, NULL);
  g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), odd_open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = NULL, *more_text = NULL, *other_text = NULL;
  guint members = 0;

  g_hash_table_add (open, g_strdup (key_of_group (folded, "transformer layer · layers.3")));
  opened = ls_graph_fold_groups (graph, 60, open);
  text = groups_text (opened);
  g_assert_cmpstr (text, ==,
                   "open transformer layer · layers.3 | × 24 alike · part 4, open for all · 12 nodes\n"
                   "transformer layer · layers.0–2 × 3 | × 24 alike · parts 1 to 3 · 36 nodes\n"
                   "transformer layer · layers.4–23 × 20 | × 24 alike · parts 5 to 24 · 240 nodes\n");
  g_assert_true (is_acyclic (opened));
  g_assert_cmpuint (opened->nodes->len, <, folded->nodes->len);
  for (guint i = 0; i < opened->nodes->len; i++)
    members += ls_graph_node (opened, i)->n_members;
  g_assert_cmpuint (members, ==, graph->nodes->len);
  for (guint i = 0; i < graph->nodes->len; i++)
    g_assert_cmpuint (ls_graph_get_shown (opened, i), <, opened->nodes->len);

  /* the rest can be opened as well: its layers one by one, or another one beside the first */
  g_hash_table_add (open, g_strdup (key_of_group (opened, "transformer layer · layers.4–23 × 20")));
  more = ls_graph_fold_groups (graph, 60, open);
  g_assert_nonnull (key_of_group (more, "transformer layer · layers.7"));
  g_hash_table_add (open, g_strdup (key_of_group (more, "transformer layer · layers.7")));
  again = ls_graph_fold_groups (graph, 60, open);
  more_text = groups_text (again);
  g_assert_nonnull (strstr (more_text, "open transformer layer · layers.7 |"));
  g_assert_nonnull (strstr (more_text, "transformer layer · layers.4–6 × 3 |"));
  g_assert_nonnull (strstr (more_text, "transformer layer · layers.8–23 × 16 |"));
  g_assert_true (is_acyclic (again));

  /* where one of them is another layer nothing stands for it */
  g_hash_table_add (odd_open, g_strdup (key_of_group (odd_folded, "transformer layer · layers.5")));
  other = ls_graph_fold_groups (odd, 60, odd_open);
  other_text = groups_text (other);
  g_assert_nonnull (strstr (other_text, "transformer layer · layers.6 | part 7 of 24 · 12 nodes"));
  g_assert_null (strstr (other_text, "for all"));
}

/* A weight of a call of an open group is said of that call: no node of its own, no line from afar; a value that several use is one still. */
static void
test_weights_of_open (void)
{
  g_autofree char *text = ls_model_transformer (24);
  g_autoptr (LsGraph) graph = relax_graph (text), folded = ls_graph_fold_groups (graph, 60, NULL), opened = NULL;
  g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LsGraphSide) users = ls_graph_side (graph, TRUE);
  g_autofree char *dot = NULL, *whole_dot = NULL;
  guint n_weights = 0, n_values = 0;

  g_hash_table_add (open, g_strdup (key_of_group (folded, "transformer layer · layers_3")));
  opened = ls_graph_fold_groups (graph, 60, open);
  for (guint i = 0; i < opened->nodes->len; i++)
    n_values += ls_graph_node (opened, i)->kind == LS_GRAPH_NODE_VALUE;
  g_assert_cmpuint (n_values, ==, 1);           /* x */
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const LsGraphNode *weight = ls_graph_node (graph, i);
      LsGraphEdge *edge;
      LsGraphNode *user;

      if (weight->kind != LS_GRAPH_NODE_VALUE || !g_str_has_prefix (weight->title, "layers_3_"))
        continue;
      n_weights++;
      g_assert_cmpuint (users->start[i + 1] - users->start[i], ==, 1);
      edge = ls_graph_edge (graph, users->edges[users->start[i]]);
      user = ls_graph_node (opened, ls_graph_get_shown (opened, i));
      g_assert_cmpstr (user->key, ==, ls_graph_node (graph, edge->to)->key);
      g_assert_cmpstr (ls_graph_get_attribute (user, weight->title), ==, weight->type);
    }
  g_assert_cmpuint (n_weights, ==, 16);
  dot = ls_graph_to_dot (opened);
  whole_dot = ls_graph_to_dot (graph);
  g_assert_nonnull (strstr (dot, opened->note));
  g_assert_nonnull (strstr (dot, "layers_3_q_proj_weight = (64, 64) float32"));
  g_assert_null (strstr (whole_dot, "folded to"));
  g_assert_true (is_acyclic (opened));
}

static void
test_part_names (void)
{
  static const struct { const char *ops; const char *name; } cases[] = {
    { "matmul softmax matmul", "attention" },
    { "matmul matmul softmax matmul matmul", "attention" },
    { "matmul softmax matmul matmul relu matmul", "transformer layer" },
    { "fused_matmul1_add_gelu fused_matmul2_add", "feed-forward" },
    { "conv2d batch_norm relu conv2d batch_norm add relu", "residual block" },
    { "conv2d relu max_pool2d", "convolution" },
    { "conv2d bias_add relu conv2d bias_add relu", "convolution" },
    { "matmul softmax", NULL }, { "softmax matmul", NULL }, { "add multiply", NULL }, { "relu matmul matmul", NULL },
    { "matmul log_softmax", NULL }, { "reluctant convolve softmaximum", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
      g_auto (GStrv) words = g_strsplit (cases[i].ops, " ", -1);
      g_autoptr (LsGraphSide) inputs = NULL;
      g_autofree char *name = NULL;
      guint order[16], n = 0;

      for (; words[n] != NULL; n++)
        {
          ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, words[n], words[n]);
          order[n] = n;
          if (n > 0)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, n - 1, n, NULL, NULL);
          if (n > 0 && strcmp (words[n], "add") == 0)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, 0, n, NULL, NULL);
        }
      inputs = ls_graph_side (graph, FALSE);
      name = ls_graph_part_name (graph, inputs, order, n, 0, 0);
      if (g_strcmp0 (name, cases[i].name) != 0)
        g_test_fail_printf ("%s is called %s, %s expected", cases[i].ops, name, cases[i].name);
    }
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
  g_assert_nonnull (node (fused->graph, "main/gv")->callee);
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

  g_assert_cmpfloat (node (graph, "main/lv0")->numbers.flop, ==, 2.0 * 784.0 * 128.0);
  g_assert_cmpuint (ls_graph_read_numbers (graph, "{\"profile\": [{\"name\": \"matmul\", \"calls\": 1, \"ns\": 500, \"bytes\": 12}]}", &error), ==, 1);
  g_assert_no_error (error);
  g_assert_cmpfloat (node (graph, "main/lv0")->numbers.ns, ==, 500.0);
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

/* One value between two groups is one, however often the second uses it. */
static void
test_fold_values (void)
{
  g_autofree char *text = ls_model_transformer (24);
  g_autoptr (LsGraph) graph = relax_graph (text), folded = ls_graph_fold_groups (graph, 30, NULL);
  guint n_between = 0;

  for (guint i = 0; i < folded->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (folded, i);
      g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
      g_autofree char *words = NULL;

      if (ls_graph_node (folded, edge->from)->kind != LS_GRAPH_NODE_GROUP)
        continue;
      for (guint k = 0; k < graph->edges->len; k++)
        if (ls_graph_get_shown (folded, ls_graph_edge (graph, k)->from) == edge->from && ls_graph_get_shown (folded, ls_graph_edge (graph, k)->to) == edge->to)
          g_hash_table_add (given, GUINT_TO_POINTER (ls_graph_edge (graph, k)->from + 1));
      words = g_strdup_printf ("%u values", g_hash_table_size (given));
      n_between++;
      if (g_hash_table_size (given) == 1)
        g_assert_null (strstr (edge->type, "values"));
      else
        g_assert_cmpstr (edge->type, ==, words);
    }
  g_assert_cmpuint (n_between, >, 10);
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
  g_test_add_func ("/graph/fold/constants", test_constants);
  g_test_add_func ("/graph/fold/groups", test_groups);
  g_test_add_func ("/graph/fold/group-names", test_group_names);
  g_test_add_func ("/graph/fold/blocks-by-name", test_blocks_by_name);
  g_test_add_func ("/graph/fold/cut-where-little-goes-on", test_cut_where_little_goes_on);
  g_test_add_func ("/graph/fold/part-names", test_part_names);
  g_test_add_func ("/graph/fold/one-for-all", test_one_for_all);
  g_test_add_func ("/graph/weights-of-open", test_weights_of_open);
  g_test_add_func ("/graph/search", test_search);
  g_test_add_func ("/graph/search/wrong", test_search_wrong);
  g_test_add_func ("/graph/search/folded", test_search_folded);
  g_test_add_func ("/graph/series", test_series);
  g_test_add_func ("/graph/series/wrong-pass", test_wrong_pass);
  g_test_add_func ("/graph/numbers", test_numbers);
  g_test_add_func ("/graph/variant", test_variant);
  g_test_add_func ("/graph/fold-values", test_fold_values);
  return g_test_run ();
}
