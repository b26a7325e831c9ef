/* follow, fold-like: passes give names again; a node keeps the key of what it was, and a group holds what became of what it held. */
#include "engine/graph/follow.h"
#include "engine/graph/series.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <stdio.h>
#include <string.h>

/* (transfer full) */
static LsGraph *
after_pass (GPtrArray  *wholes,
            LsModule  **module,
            const char *pass)
{
  g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
  g_autoptr (GError) error = NULL;
  LsModule *after;
  LsGraph *graph;

  ls_relax_lineage_begin (lineage);
  after = ls_graph_run_pass (*module, pass, &error);
  ls_relax_lineage_end (lineage);
  g_assert_no_error (error);
  ls_take (module, after);
  graph = ls_graph_from_relax (*module, NULL);
  ls_graph_follow (wholes, graph, lineage);
  g_ptr_array_add (wholes, ls_graph_ref (graph));
  return graph;
}

/* "fused_matmul_add_add1" computes last what "add1" does: the end of the name without digits. */
static gboolean
ends_with_op (const char *title,
              const char *op)
{
  gsize n = strlen (title), m = strlen (op);

  while (n > 0 && g_ascii_isdigit (title[n - 1]))
    n--;
  while (m > 0 && g_ascii_isdigit (op[m - 1]))
    m--;
  return m <= n && strncmp (title + n - m, op, m) == 0;
}

/* Of every call that has the key of one before: it gives a value of the same type, and the last thing it does is what that one did. */
static void
assert_follows (LsGraph *before,
                LsGraph *after,
                guint   *n_fused)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);

  *n_fused = 0;
  for (guint i = 0; i < after->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (after, i);
      gint was = ls_graph_find (before, node->key);

      g_assert_true (g_hash_table_add (keys, node->key));
      g_assert_cmpint (ls_graph_find (after, node->key), ==, (gint) i);
      if (node->kind != LS_GRAPH_NODE_CALL || was < 0 || ls_graph_node (before, was)->kind != LS_GRAPH_NODE_CALL)
        continue;
      g_assert_cmpstr (node->type, ==, ls_graph_node (before, was)->type);
      if (!ends_with_op (node->title, ls_graph_node (before, was)->title))
        g_error ("%s is %s, and was %s", node->key, node->title, ls_graph_node (before, was)->title);
      *n_fused += g_str_has_prefix (node->title, "fused_");
    }
}

static void
test_fused (void)
{
  g_autofree char *text = ls_model_transformer (3);
  g_autoptr (GPtrArray) wholes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  LsModule *module = parse (text);
  g_autoptr (LsGraph) opened = ls_graph_from_relax (module, NULL), legal = NULL, marked = NULL, fused = NULL, last = NULL;
  guint n_fused = 0, n_main = 0;

  g_ptr_array_add (wholes, ls_graph_ref (opened));
  legal = after_pass (wholes, &module, "LegalizeOps()");
  marked = after_pass (wholes, &module, "AnnotateTIROpPattern()");
  fused = after_pass (wholes, &module, "FuseOps()");
  assert_follows (marked, fused, &n_fused);
  for (guint i = 0; i < fused->nodes->len; i++)
    n_main += g_str_has_prefix (ls_graph_node (fused, i)->title, "fused_") && strcmp (ls_graph_node (fused, i)->function, "main") == 0;
  g_assert_cmpuint (n_main, >, 20);
  g_assert_cmpuint (n_fused, ==, n_main);       /* every one of them is known */
  last = after_pass (wholes, &module, "FuseTIR()");
  assert_follows (fused, last, &n_fused);
  g_assert_cmpuint (n_fused, ==, n_main);
  ls_unref (module);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

static const LsGraphNode *
group_of (LsGraph    *folded,
          const char *title)
{
  for (guint i = 0; i < folded->nodes->len; i++)
    if (strcmp (ls_graph_node (folded, i)->title, title) == 0)
      return ls_graph_node (folded, i);
  g_error ("no group %s", title);
}

/* A group holds what became of what it held: no call of another layer, by the weights that are used. */
static void
test_groups (void)
{
  g_autofree char *text = ls_model_transformer (24);
  g_autoptr (GPtrArray) wholes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  LsModule *module = parse (text);
  g_autoptr (LsGraph) opened = ls_graph_from_relax (module, NULL), legal = NULL, marked = NULL, fused = NULL, first = NULL, second = NULL;
  guint n_groups = 0;

  g_ptr_array_add (wholes, ls_graph_ref (opened));
  legal = after_pass (wholes, &module, "LegalizeOps()");
  marked = after_pass (wholes, &module, "AnnotateTIROpPattern()");
  fused = after_pass (wholes, &module, "FuseOps()");
  first = ls_graph_fold_groups (marked, 250, NULL);
  second = ls_graph_fold_groups_like (fused, 250, NULL, first);
  for (guint i = 0; i < first->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (first, i);
      gint at = ls_graph_find (second, node->key);

      if (node->kind != LS_GRAPH_NODE_GROUP)
        continue;
      n_groups++;
      g_assert_cmpint (at, >=, 0);
      g_assert_cmpstr (ls_graph_node (second, at)->title, ==, node->title);
    }
  g_assert_cmpuint (n_groups, ==, 24);
  for (guint i = 0; i < fused->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (fused, i);
      const char *weight = ls_graph_node (fused, edge->from)->title;
      guint layer;

      if (sscanf (weight, "layers_%u_", &layer) == 1 && strcmp (ls_graph_node (fused, edge->to)->function, "main") == 0)
        {
          g_autofree char *title = g_strdup_printf ("transformer layer · layers_%u", layer);

          g_assert_cmpstr (ls_graph_node (second, ls_graph_get_shown (second, edge->to))->title, ==, title);
        }
    }
  g_assert_cmpstr (group_of (first, "transformer layer · layers_7")->detail, ==, "× 24 alike · part 8 · 30 nodes");
  g_assert_cmpstr (group_of (second, "transformer layer · layers_7")->detail, ==, "× 24 alike · part 8 · 15 nodes");
  ls_unref (module);
}

/* A group in which a pass changed calls has changed, though it is called the same and holds as many; one in which none did has not. */
static void
test_marks (void)
{
  g_autofree char *text = ls_model_transformer (24);
  g_autoptr (GPtrArray) wholes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref), graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (LsGraphSeries) series = NULL;
  LsModule *module = parse (text);
  const char *const passes[] = { NULL, "LegalizeOps()", "DeadCodeElimination()" };

  for (guint i = 0; i < G_N_ELEMENTS (passes); i++)
    {
      g_autoptr (LsGraph) graph = i == 0 ? ls_graph_from_relax (module, "main") : after_pass (wholes, &module, passes[i]);

      if (i == 0)
        g_ptr_array_add (wholes, ls_graph_ref (graph));
      g_ptr_array_add (graphs, ls_graph_fold_groups_like (graph, 250, NULL, i > 0 ? graphs->pdata[i - 1] : NULL));
      g_ptr_array_add (labels, (gpointer) "state");
    }
  series = ls_graph_series_new (graphs, labels);
  for (guint s = 1; s < series->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (series, s);
      guint n = 0;

      for (guint i = 0; i < state->graph->nodes->len; i++)
        n += ls_graph_node (state->graph, i)->kind == LS_GRAPH_NODE_GROUP && state->marks[state->places[i]] == LS_GRAPH_CHANGED;
      g_assert_cmpuint (n, ==, s == 1 ? 24 : 0);
    }
  ls_unref (module);
}

/* A chain of `n` layers of three calls, all alike. (transfer full) */
static LsGraph *
alike_layers (guint n)
{
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);
  gint cluster = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, "main", "main", NULL);

  ls_graph_add_node (graph, LS_GRAPH_NODE_VALUE, "main/x", "x")->cluster = cluster;
  for (guint i = 0; i < 3 * n; i++)
    {
      g_autofree char *key = g_strdup_printf ("main/lv%u", i);

      ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, i % 3 == 0 ? "matmul" : i % 3 == 1 ? "add" : "relu")->cluster = cluster;
      ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i + 1, NULL, "(4,) float32");
    }
  return graph;
}

/* What is said of a group is looked at again: when one layer has become another they are alike no more; when calls changed their order nothing is kept. */
static void
test_told_anew (void)
{
  g_autoptr (LsGraph) graph = alike_layers (40), first = ls_graph_fold_groups (graph, 50, NULL), odd = ls_graph_copy (graph), second = NULL, mixed = NULL, third = NULL, same = NULL, small = layers (4), alone = NULL;
  LsGraphNode *changed = ls_graph_node (odd, 20);
  const LsGraphNode *group = NULL;

  same = ls_graph_fold_groups_like (graph, 50, NULL, first);
  g_assert_cmpuint (same->nodes->len, ==, first->nodes->len);
  for (guint i = 0; i < same->nodes->len; i++)
    {
      g_assert_cmpstr (ls_graph_node (same, i)->key, ==, ls_graph_node (first, i)->key);
      g_assert_cmpstr (ls_graph_node (same, i)->title, ==, ls_graph_node (first, i)->title);
      g_assert_cmpstr (ls_graph_node (same, i)->detail, ==, ls_graph_node (first, i)->detail);
    }
  for (guint i = 0; i < first->nodes->len && group == NULL; i++)
    if (ls_graph_node (first, i)->kind == LS_GRAPH_NODE_GROUP)
      group = ls_graph_node (first, i);
  g_assert_nonnull (strstr (group->detail, "alike"));
  g_free (changed->title);
  changed->title = g_strdup ("softmax");
  second = ls_graph_fold_groups_like (odd, 50, NULL, first);
  g_assert_cmpint (ls_graph_find (second, group->key), >=, 0);
  g_assert_null (strstr (ls_graph_node (second, ls_graph_find (second, group->key))->detail, "alike"));

  /* the first call of a layer now comes behind those of the next: its group would lie before and behind another */
  mixed = ls_graph_new (LS_GRAPH_RELAX);
  ls_graph_add_cluster (mixed, LS_GRAPH_CLUSTER_FUNCTION, -1, "main", "main", NULL);
  for (guint i = 0; i < graph->nodes->len; i++)
    ls_graph_copy_node (mixed, ls_graph_node (graph, i == 10 ? 17 : i == 17 ? 10 : i));
  third = ls_graph_fold_groups_like (mixed, 50, NULL, first);
  for (guint i = 0; i < third->nodes->len; i++)
    g_assert_cmpuint (ls_graph_node (third, i)->n_members, >=, 1);
  g_assert_cmpuint (third->nodes->len, <=, 60);

  /* where nothing was folded before, it is folded as if it were the first */
  alone = ls_graph_fold_groups_like (graph, 50, NULL, small);
  g_assert_cmpuint (alone->nodes->len, ==, first->nodes->len);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  g_test_add_func ("/graph/follow/fused", test_fused);
  g_test_add_func ("/graph/follow/groups", test_groups);
  g_test_add_func ("/graph/follow/marks", test_marks);
  g_test_add_func ("/graph/follow/told-anew", test_told_anew);
  return g_test_run ();
}
