/* fold: constants, groups, blocks and parts by name; what of a folded graph still says what the whole one does. */
#include "engine/graph/graph-private.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <string.h>

static void
test_constants (void)
{
  g_autoptr (LsGraph) graph = relax_graph (MLP);
  g_autoptr (LsGraph) folded = ls_graph_fold_constants (graph, TRUE);
  g_autoptr (LsGraph) only = ls_graph_fold_constants (graph, FALSE);

  g_assert_cmpuint (only->nodes->len, ==, 10);
  g_assert_cmpuint (folded->nodes->len, ==, 7);
  g_assert_cmpstr (ls_graph_get_attribute (node_of (folded, "main/lv1"), "b0"), ==, "(128,) float32");
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
  g_test_add_func ("/graph/fold/constants", test_constants);
  g_test_add_func ("/graph/fold/groups", test_groups);
  g_test_add_func ("/graph/fold/group-names", test_group_names);
  g_test_add_func ("/graph/fold/blocks-by-name", test_blocks_by_name);
  g_test_add_func ("/graph/fold/cut-where-little-goes-on", test_cut_where_little_goes_on);
  g_test_add_func ("/graph/fold/part-names", test_part_names);
  g_test_add_func ("/graph/fold/one-for-all", test_one_for_all);
  g_test_add_func ("/graph/weights-of-open", test_weights_of_open);
  g_test_add_func ("/graph/fold-values", test_fold_values);
  return g_test_run ();
}
