/* layout: where the worker puts nodes, edges and labels. */
#include "app/rpc/rpc.h"
#include "engine/graph/layout.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <string.h>

static GVariant *
request_for (LsGraph *graph)
{
  g_autofree LsGraphSize *sizes = g_new (LsGraphSize, graph->nodes->len);
  g_autofree LsGraphSize *labels = g_new (LsGraphSize, graph->edges->len + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    sizes[i] = (LsGraphSize) { 120, 60 };
  for (guint i = 0; i < graph->edges->len; i++)
    labels[i] = (LsGraphSize) { 80, 16 };
  return ls_graph_layout_request (graph, sizes, labels, NULL);
}

static void
test_layout (void)
{
  g_autoptr (LsGraph) graph = relax_graph (MLP);
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call (worker, "layout", request_for (graph), NULL, NULL, NULL, NULL, &error);
  g_autoptr (LsGraphLayout) layout = NULL;
  g_autoptr (LsGraph) other = layers (3);

  g_assert_no_error (error);
  layout = ls_graph_layout_read (answer, graph, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      g_assert_cmpfloat_with_epsilon (layout->nodes[i].width, 120.0, 0.5);
      g_assert_cmpfloat (layout->nodes[i].y + layout->nodes[i].height, <=, layout->height + 1.0);
    }
  for (guint i = 0; i < layout->n_edges; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (graph, i);

      g_assert_cmpuint (layout->start[i + 1] - layout->start[i], >=, 4);
      g_assert_cmpfloat (layout->nodes[edge->from].y, <, layout->nodes[edge->to].y);
      g_assert_cmpfloat (layout->labels[i].x, >=, 0.0);
    }
  g_assert_null (ls_graph_layout_read (answer, other, &error));
  g_assert_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_LAYOUT);
}

/* Arguments stand from left to right in their order: two and three values that one call takes. */
static LsGraphLayout *
lay_out (LsGraph *graph)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call (worker, "layout", request_for (graph), NULL, NULL, NULL, NULL, &error);
  LsGraphLayout *layout;

  g_assert_no_error (error);
  layout = ls_graph_layout_read (answer, graph, &error);
  g_assert_no_error (error);
  return layout;
}

/* About that of a screen. */
static void
assert_shape (const LsGraphLayout *layout)
{
  g_assert_cmpfloat (layout->width, >, 0.9 * layout->height);
  g_assert_cmpfloat (layout->width, <, 2.6 * layout->height);
}

/* Chains, folded (few nodes, which Graphviz would put below each other) and of all calls of transformers of 24 and 60 layers. */
static void
test_layout_shape (void)
{
  static const guint lengths[] = { 28, 64, 200 }, depths[] = { 24, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (LsGraph) graph = layers (lengths[i]);
      g_autoptr (LsGraphLayout) layout = lay_out (graph);
      guint n_labels = 0;

      assert_shape (layout);
      for (guint k = 0; k < layout->n_edges; k++)
        n_labels += layout->labels[k].x >= 0.0f;
      if (layout->n_edges == layout->n_nodes - 1)       /* nothing but a chain: its lines are labelled but for those to the next column */
        g_assert_cmpuint (n_labels, >, layout->n_edges / 2);
    }
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      g_autofree char *text = ls_model_transformer (depths[i]);
      g_autoptr (LsGraph) graph = relax_graph (text);
      g_autoptr (LsGraph) folded = ls_graph_fold_groups (graph, 250, NULL);
      g_autoptr (LsGraphLayout) layout = lay_out (graph), opened = lay_out (folded);

      assert_shape (layout);
      assert_shape (opened);
    }
}

/* How many of its lines go through a node that is no end of them. */
static guint
n_through (LsGraph             *graph,
           const LsGraphLayout *layout)
{
  guint n = 0;

  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (graph, i);
      gboolean is_through = FALSE;

      for (guint j = layout->start[i]; j + 3 < layout->start[i + 1]; j += 3)
        for (guint k = 0; k < layout->n_nodes; k++)
          {
            const LsGraphPoint *p = &layout->points[j];
            const LsGraphBox *box = &layout->nodes[k];
            float left = MIN (MIN (p[0].x, p[1].x), MIN (p[2].x, p[3].x)), right = MAX (MAX (p[0].x, p[1].x), MAX (p[2].x, p[3].x));
            float top = MIN (MIN (p[0].y, p[1].y), MIN (p[2].y, p[3].y)), bottom = MAX (MAX (p[0].y, p[1].y), MAX (p[2].y, p[3].y));

            if (k == edge->from || k == edge->to || right < box->x || left > box->x + box->width || bottom < box->y || top > box->y + box->height)
              continue;
            for (guint s = 0; s <= 50; s++)
              {
                float t = (float) s / 50.0f, u = 1.0f - t;
                float x = u * u * u * p[0].x + 3 * u * u * t * p[1].x + 3 * u * t * t * p[2].x + t * t * t * p[3].x;
                float y = u * u * u * p[0].y + 3 * u * u * t * p[1].y + 3 * u * t * t * p[2].y + t * t * t * p[3].y;

                is_through |= x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height;
              }
          }
      n += is_through;
    }
  return n;
}

/* A chain that is wrapped: the line to the next column goes between both, not through what stands there. */
static void
test_layout_columns (void)
{
  g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
  g_autoptr (LsGraphLayout) layout = NULL;
  guint n_up = 0;

  for (guint i = 0; i < 120; i++)
    {
      g_autofree char *key = g_strdup_printf ("n%u", i);

      ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, key);
      if (i > 0)
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i - 1, i, NULL, NULL);
    }
  layout = lay_out (graph);
  for (guint i = 0; i < layout->n_edges; i++)
    n_up += layout->nodes[ls_graph_edge (graph, i)->to].y < layout->nodes[ls_graph_edge (graph, i)->from].y;
  g_assert_cmpuint (n_through (graph, layout), ==, 0);
  g_assert_cmpuint (n_up, >=, 2);
}

/* In the frame of a group stands nothing but what is in it. */
static void
assert_frames (LsGraph             *graph,
               const LsGraphLayout *layout)
{
  for (guint c = 0; c < layout->n_clusters; c++)
    for (guint i = 0; i < layout->n_nodes; i++)
      {
        const LsGraphBox *frame = &layout->clusters[c], *box = &layout->nodes[i];
        gint home = ls_graph_node (graph, i)->cluster;
        gboolean inside = box->x >= frame->x && box->y >= frame->y && box->x + box->width <= frame->x + frame->width && box->y + box->height <= frame->y + frame->height;
        gboolean apart = box->x + box->width <= frame->x || frame->x + frame->width <= box->x || box->y + box->height <= frame->y || frame->y + frame->height <= box->y;

        if (ls_graph_cluster (graph, c)->kind != LS_GRAPH_CLUSTER_GROUP)
          continue;
        while (home >= 0 && home != (gint) c)
          home = ls_graph_cluster (graph, (guint) home)->parent;
        if (home == (gint) c ? !inside : !apart)
          g_error ("%s: %s the frame of %s", ls_graph_node (graph, i)->title, home == (gint) c ? "not in" : "in", ls_graph_cluster (graph, c)->title);
      }
}

/* Models with a layer that is opened, and with all of it shown: no line goes through a node, not one that skips others, nor one into a group. */
static void
test_layout_around (void)
{
  for (guint shape = 0; shape < 4; shape++)
    {
      g_autofree char *text = shape < 2 ? ls_model_transformer (24) : ls_model_resnet (16);
      g_autoptr (LsGraph) graph = relax_graph (text), folded = ls_graph_fold_groups (graph, 60, NULL), shown = NULL;
      g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (LsGraphLayout) layout = NULL;
      guint n_groups = 0;

      for (guint i = 0; i < folded->nodes->len; i++)
        if (ls_graph_node (folded, i)->kind == LS_GRAPH_NODE_GROUP && n_groups++ == 3)
          g_hash_table_add (open, g_strdup (ls_graph_node (folded, i)->key));
      g_assert_cmpuint (n_groups, >, 3);
      shown = shape % 2 == 0 ? ls_graph_fold_groups (graph, 60, open) : ls_graph_ref (graph);
      layout = lay_out (shown);
      g_assert_cmpuint (n_through (shown, layout), ==, 0);
      assert_frames (shown, layout);
      for (guint i = 0; i < layout->n_edges; i++)
        if (ls_graph_edge (shown, i)->from != ls_graph_edge (shown, i)->to)
          g_assert_cmpuint (layout->start[i + 1] - layout->start[i], >=, 4);
    }
}

/* More than Graphviz is asked for: nothing covers another, all within the frame, about as wide as a screen, also with cycles
 * (states of a program together have them) and with a layer of many. */
static void
test_layout_large (void)
{
  for (guint shape = 0; shape < 3; shape++)
    {
      g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
      g_autoptr (LsGraphLayout) layout = NULL;
      guint n = 2000, n_up = 0;

      for (guint i = 0; i < n; i++)
        {
          g_autofree char *key = g_strdup_printf ("n%u", i);

          ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, key);
          if (i > 0)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, shape == 2 ? 0 : i - 1, i, NULL, NULL);
          if (shape == 1 && i % 7 == 0)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i / 2, NULL, NULL);
        }
      layout = lay_out (graph);
      for (guint i = 0; i < n; i++)
        {
          const LsGraphBox *one = &layout->nodes[i];

          g_assert_cmpfloat (one->x, >=, 0.0);
          g_assert_cmpfloat (one->y, >=, 0.0);
          g_assert_cmpfloat (one->x + one->width, <=, layout->width + 1.0);
          g_assert_cmpfloat (one->y + one->height, <=, layout->height + 1.0);
          n_up += i > 0 && shape == 0 && layout->nodes[i - 1].y >= one->y;
          for (guint k = 0; k < i; k++)
            {
              const LsGraphBox *other = &layout->nodes[k];

              if (one->x < other->x + other->width && other->x < one->x + one->width && one->y < other->y + other->height && other->y < one->y + one->height)
                g_error ("shape %u: nodes %u and %u cover each other", shape, k, i);
            }
        }
      if (shape < 2)            /* one layer of 2,000 goes on below, as wide as a row may be */
        assert_shape (layout);
      else
        g_assert_cmpfloat (layout->width, <, 6.0 * layout->height);
      g_assert_cmpuint (n_up, <, 100);          /* only where a column ends */
    }
}

static void
test_layout_order (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();

  for (guint n = 2; n <= 3; n++)
    {
      g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_BLOCKS);
      gint home = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, "f", "f", NULL);
      g_autoptr (GVariant) answer = NULL;
      g_autoptr (LsGraphLayout) layout = NULL;

      for (guint i = 0; i <= n; i++)
        {
          g_autofree char *key = g_strdup_printf ("n%u", i);

          ls_graph_add_node (graph, i < n ? LS_GRAPH_NODE_VALUE : LS_GRAPH_NODE_CALL, key, key)->cluster = home;
        }
      for (guint i = 0; i < n; i++)
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, n, "v", NULL)->argument = (gint) i;
      answer = ls_worker_call (worker, "layout", request_for (graph), NULL, NULL, NULL, NULL, NULL);
      layout = ls_graph_layout_read (answer, graph, NULL);
      for (guint i = 1; i < n; i++)
        g_assert_cmpfloat (layout->nodes[i - 1].x, <, layout->nodes[i].x);
      g_assert_cmpfloat (layout->clusters[home].x, <=, layout->nodes[0].x);
    }
}

/* A node right below another one is joined to it by a straight line, and the labels cover one another nowhere. */
static void
test_layout_straight (void)
{
  g_autoptr (LsGraph) graph = relax_graph (MLP);
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GVariant) answer = ls_worker_call (worker, "layout", request_for (graph), NULL, NULL, NULL, NULL, NULL);
  g_autoptr (LsGraphLayout) layout = ls_graph_layout_read (answer, graph, NULL);
  guint straight = 0;

  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphPoint *first = &layout->points[layout->start[i]], *last = &layout->points[layout->start[i + 1] - 1];

      straight += ABS (first->x - last->x) < 0.5f && layout->start[i + 1] - layout->start[i] == 4;
      for (guint k = 0; k < i; k++)
        g_assert_true (ABS (layout->labels[i].x - layout->labels[k].x) >= 79.0f
                       || ABS (layout->labels[i].y - layout->labels[k].y) >= 15.0f);
    }
  g_assert_cmpuint (straight, >=, layout->n_edges / 3);
}

static gboolean
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

/* A layout of many nodes is ended; the worker answers the next one. */
static void
test_layout_cancelled (void)
{
  g_autoptr (LsGraph) large = layers (1500);
  g_autoptr (LsGraph) small = layers (2);
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  g_timeout_add (20, cancel, cancellable);
  answer = ls_worker_call (worker, "layout", request_for (large), NULL, cancellable, NULL, NULL, &error);
  g_assert_null (answer);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  answer = ls_worker_call (worker, "layout", request_for (small), NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (answer);
}

static void
test_layout_wrong (void)
{
  static const char *const requests[] = {
    "{'nodes': <[(1.0, 1.0)]>}",
    "{'nodes': <[(1.0, 1.0)]>, 'homes': <[-1]>, 'edges': <[(uint32 0, uint32 7)]>, 'clusters': <@ai []>}",
    "{'nodes': <[(1.0, 1.0)]>, 'homes': <[-1, -1]>, 'edges': <@a(uu) []>, 'clusters': <@ai []>}",
  };
  g_autoptr (LsWorker) worker = ls_worker_new ();

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_worker_call (worker, "layout", g_variant_new_parsed (requests[i]), NULL, NULL, NULL, NULL, &error));
      g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
    }
}

/* Another node pushes those below it down: the picture stays where most of the nodes are that were there. */
static void
test_layout_shift (void)
{
  g_autoptr (LsGraph) before = ls_graph_new (LS_GRAPH_RELAX), after = ls_graph_new (LS_GRAPH_RELAX);
  LsGraphBox old[] = { { 0, 0, 10, 10 }, { 0, 20, 10, 10 }, { 0, 40, 10, 10 } };
  LsGraphBox boxes[] = { { 5, 0, 10, 10 }, { 0, 20, 20, 10 }, { 5, 40, 10, 10 }, { 5, 60, 10, 10 } };
  LsGraphLayout first = { .n_nodes = 3, .nodes = old }, second = { .n_nodes = 4, .nodes = boxes };
  const char *keys[] = { "a", "b", "c" }, *new_keys[] = { "a", "new", "b", "c" };
  g_autoptr (GHashTable) places = NULL, none = g_hash_table_new (g_str_hash, g_str_equal);
  float dx, dy;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    ls_graph_add_node (before, LS_GRAPH_NODE_CALL, keys[i], keys[i]);
  for (guint i = 0; i < G_N_ELEMENTS (new_keys); i++)
    ls_graph_add_node (after, LS_GRAPH_NODE_CALL, new_keys[i], new_keys[i]);
  places = ls_graph_layout_places (&first, before);
  g_assert_cmpuint (ls_graph_layout_shift (&second, after, places, &dx, &dy), ==, 3);
  g_assert_cmpfloat (dx, ==, 5.0f);
  g_assert_cmpfloat (dy, ==, 20.0f);
  g_assert_cmpuint (ls_graph_layout_shift (&second, after, none, &dx, &dy), ==, 0);
  g_assert_cmpfloat (dx, ==, 0.0f);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/layout", test_layout);
  g_test_add_func ("/graph/layout/order", test_layout_order);
  g_test_add_func ("/graph/layout/shape", test_layout_shape);
  g_test_add_func ("/graph/layout/columns", test_layout_columns);
  g_test_add_func ("/graph/layout/around", test_layout_around);
  g_test_add_func ("/graph/layout/large", test_layout_large);
  g_test_add_func ("/graph/layout/shift", test_layout_shift);
  g_test_add_func ("/graph/layout/straight", test_layout_straight);
  g_test_add_func ("/graph/layout/cancelled", test_layout_cancelled);
  g_test_add_func ("/graph/layout/wrong", test_layout_wrong);
  return g_test_run ();
}
