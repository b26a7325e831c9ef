/* keep: after a pass what was there stays where it is, to the pixel, and the picture is as good as any: nothing covers another, frames hold their
 * nodes, lines begin and end at theirs.  On random programs that random passes go over, and on models that the real ones do. */
#include "app/rpc/rpc.h"
#include "engine/graph/follow.h"
#include "engine/graph/keep.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <math.h>
#include <string.h>

#define N_PROGRAMS 60
#define N_OPENED 12
#define N_MOST 500
#define MOST_GRAPHVIZ 50
#define WIDTH 190.0f
#define HEIGHT 72.0f

/* ---- programs ---------------------------------------------------------------------------- */

typedef struct {
  guint id;                     /* its key */
  guint words;                  /* how much wider it is */
  guint inputs[2];              /* ids */
  guint n_inputs;
  guint function;               /* 0: the first */
} Call;

static Call
call (guint id,
      guint words,
      guint input)
{
  return (Call) { id, words, { input, 0 }, 1, 0 };
}

/* A random program: the calls use earlier ones, mostly near ones. (transfer full) */
static GArray *
draw_program (guint n)
{
  GArray *calls = g_array_new (FALSE, TRUE, sizeof (Call));

  for (guint i = 0; i < n; i++)
    {
      Call one = call (i, 0, 0);

      one.n_inputs = i == 0 ? 0 : 1 + (guint) g_test_rand_int_range (0, 2);
      for (guint k = 0; k < one.n_inputs; k++)
        one.inputs[k] = (guint) g_test_rand_int_range (i > 12 && k == 0 ? (gint32) i - 12 : 0, (gint32) i);
      g_array_append_val (calls, one);
    }
  return calls;
}

/* `k` calls are taken away, written differently, or get one more behind them; now and then a function comes besides. (transfer full) */
static GArray *
run_pass (GArray   *before,
          guint     k,
          guint     round,
          gboolean *touched)    /* by id */
{
  GArray *after = g_array_new (FALSE, TRUE, sizeof (Call));
  g_autofree guint8 *how = g_new0 (guint8, before->len + 1);
  guint next = round * 10000;

  for (guint i = 0; i < k; i++)
    how[g_test_rand_int_range (1, (gint32) before->len)] = (guint8) g_test_rand_int_range (1, 4);
  for (guint i = 0; i < before->len; i++)
    {
      Call one = g_array_index (before, Call, i);

      touched[one.id] |= how[i] != 0;
      if (how[i] == 1)
        continue;
      one.words += how[i] == 2 ? 40 : 0;
      g_array_append_val (after, one);
      if (how[i] == 3)
        {
          Call more = call (++next, (guint) g_test_rand_int_range (0, 60), one.id);

          more.function = one.function;
          g_array_append_val (after, more);
        }
    }
  for (guint i = 0, n = round % 2 == 0 ? 0 : 2; i < n; i++)
    for (guint j = 0; j < 4; j++)
      {
        Call inside = call (next + 1, 0, next);

        next++;
        inside.n_inputs = j > 0;
        inside.function = round * 10 + i;
        g_array_append_val (after, inside);
      }
  return after;
}

static gint
frame_of (LsGraph *graph,
          guint    function)
{
  g_autofree char *key = g_strdup_printf ("f%u", function), *block = g_strdup_printf ("f%u:block", function);

  for (guint i = 0; i < graph->clusters->len; i++)
    if (strcmp (ls_graph_cluster (graph, i)->key, block) == 0)
      return (gint) i;
  return ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_DATAFLOW, ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, key, key, NULL), block, "dataflow", NULL);
}

/* An input that is gone is one no more. (transfer full) */
static LsGraph *
graph_of (GArray *calls)
{
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);

  for (guint i = 0; i < calls->len; i++)
    {
      const Call *one = &g_array_index (calls, Call, i);
      g_autofree char *key = g_strdup_printf ("c%u", one->id), *title = g_strnfill (5 + one->words, 'm');
      LsGraphNode *node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, title);

      node->cluster = frame_of (graph, one->function);
      for (guint k = 0; k < one->n_inputs; k++)
        {
          g_autofree char *from = g_strdup_printf ("c%u", one->inputs[k]);
          gint at = ls_graph_find (graph, from);

          if (at >= 0 && at < (gint) i)
            ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, (guint) at, i, "v", NULL)->argument = (gint) k;
        }
    }
  return graph;
}

/* (transfer full) */
static LsGraphSeries *
series_of (GPtrArray *graphs)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  for (guint i = 0; i < graphs->len; i++)
    g_ptr_array_add (labels, "state");
  return ls_graph_series_new (graphs, labels);
}

/* (transfer full) */
static GVariant *
request_of (LsGraphSeries *series)
{
  LsGraph *whole = series->whole;
  g_autofree LsGraphSize *sizes = g_new0 (LsGraphSize, whole->nodes->len + 1), *labels = g_new0 (LsGraphSize, whole->edges->len + 1), *titles = g_new0 (LsGraphSize, whole->clusters->len + 1);

  for (guint s = 0; s < series->states->len; s++)
    for (guint i = 0; i < ls_graph_series_state (series, s)->graph->nodes->len; i++)
      {
        LsGraphSize *size = &sizes[ls_graph_series_state (series, s)->places[i]];
        float width = MIN (330.0f, WIDTH + (float) strlen (ls_graph_node (ls_graph_series_state (series, s)->graph, i)->title));

        *size = (LsGraphSize) { MAX (size->width, width), HEIGHT };
      }
  for (guint i = 0; i < whole->edges->len; i++)
    labels[i] = (LsGraphSize) { 40, 16 };
  for (guint i = 0; i < whole->clusters->len; i++)
    titles[i] = (LsGraphSize) { 100, ls_graph_cluster (whole, i)->kind == LS_GRAPH_CLUSTER_DATAFLOW ? -18 : 18 };
  return g_variant_ref_sink (ls_graph_layout_request (whole, sizes, whole->edges->len <= 500 ? labels : NULL, titles));
}

/* ---- layouts -------------------------------------------------------------------------------- */

/* With Graphviz what it is good for; what is large takes it minutes on a busy machine, and the window does not wait for that either. */
static GVariant *
ask (LsWorker *worker,
     GVariant *request)
{
  g_autoptr (GVariant) nodes = g_variant_lookup_value (request, "nodes", NULL), edges = g_variant_lookup_value (request, "edges", NULL);
  g_autoptr (GError) error = NULL;
  GVariant *answer;
  GVariantDict params;

  g_variant_dict_init (&params, request);
  g_variant_dict_insert (&params, "quick", "b", g_variant_n_children (nodes) > MOST_GRAPHVIZ || g_variant_n_children (edges) > 2 * MOST_GRAPHVIZ);
  answer = ls_worker_call (worker, "layout", g_variant_dict_end (&params), NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* (transfer full) */
static LsGraphLayout *
lay_out_anew (LsWorker      *worker,
              LsGraphSeries *series)
{
  g_autoptr (GVariant) request = request_of (series), answer = ask (worker, request);
  g_autoptr (GError) error = NULL;
  LsGraphLayout *layout = ls_graph_layout_read (answer, series->whole, &error);

  g_assert_no_error (error);
  return layout;
}

/* NULL: it is to be laid out anew. `n_asked`: of how many nodes the worker was asked. (transfer full) */
static LsGraphLayout *
go_on (LsWorker      *worker,
       LsGraphLayout *layout,
       LsGraphSeries *before,
       LsGraphSeries *after,
       guint         *n_asked)
{
  g_autoptr (GVariant) request = request_of (after), answer = NULL, nodes = NULL;
  g_autoptr (LsGraphKept) kept = ls_graph_kept_new (layout, before, after, request);
  g_autoptr (GError) error = NULL;
  LsGraphLayout *next;

  *n_asked = 0;
  if (kept == NULL)
    return NULL;
  if (ls_graph_kept_get_request (kept) != NULL)
    {
      nodes = g_variant_lookup_value (ls_graph_kept_get_request (kept), "nodes", NULL);
      *n_asked = (guint) g_variant_n_children (nodes);
      answer = ask (worker, ls_graph_kept_get_request (kept));
    }
  next = ls_graph_kept_finish (kept, answer, &error);
  g_assert_no_error (error);
  return next;
}

/* ---- what holds --------------------------------------------------------------------------------- */

static gboolean
is_in (const LsGraphBox *box,
       float             x,
       float             y,
       float             more)
{
  return x >= box->x - more && x <= box->x + box->width + more && y >= box->y - more && y <= box->y + box->height + more;
}

/* As of a layout that was made anew. */
static void
assert_sound (const LsGraphLayout *layout,
              LsGraph             *whole)
{
  g_assert_cmpuint (layout->n_nodes, ==, whole->nodes->len);
  g_assert_cmpuint (layout->n_edges, ==, whole->edges->len);
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const LsGraphBox *one = &layout->nodes[i];

      g_assert_cmpfloat (one->width, >=, WIDTH);
      g_assert_true (is_in (&(LsGraphBox) { 0, 0, layout->width, layout->height }, one->x, one->y, 0.5f));
      g_assert_true (is_in (&(LsGraphBox) { 0, 0, layout->width, layout->height }, one->x + one->width, one->y + one->height, 0.5f));
      for (guint k = 0; k < i; k++)
        {
          const LsGraphBox *other = &layout->nodes[k];

          if (one->x < other->x + other->width && other->x < one->x + one->width && one->y < other->y + other->height && other->y < one->y + one->height)
            g_error ("%s and %s cover each other", ls_graph_node (whole, i)->key, ls_graph_node (whole, k)->key);
        }
      for (gint c = ls_graph_node (whole, i)->cluster; c >= 0; c = ls_graph_cluster (whole, c)->parent)
        if (!is_in (&layout->clusters[c], one->x, one->y, 0.5f) || !is_in (&layout->clusters[c], one->x + one->width, one->y + one->height, 0.5f))
          g_error ("%s stands out of the frame of %s", ls_graph_node (whole, i)->key, ls_graph_cluster (whole, c)->key);
    }
  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (whole, i);
      const LsGraphPoint *first = &layout->points[layout->start[i]], *last = &layout->points[layout->start[i + 1] - 1];

      if (layout->start[i + 1] == layout->start[i])     /* Graphviz gives what very many use no line */
        continue;
      if (!is_in (&layout->nodes[edge->from], first->x, first->y, 3.0f) || !is_in (&layout->nodes[edge->to], last->x, last->y, 3.0f))
        g_error ("the line from %s to %s does not begin or end there", ls_graph_node (whole, edge->from)->key, ls_graph_node (whole, edge->to)->key);
    }
}

/* What both have, and no pass has touched, stands where it stood; its number. */
static guint
assert_stays (const LsGraphLayout *old,
              LsGraph             *before,
              const LsGraphLayout *layout,
              LsGraph             *whole,
              const gboolean      *touched)
{
  guint n = 0;

  for (guint i = 0; i < layout->n_nodes; i++)
    {
      gint at = ls_graph_find (before, ls_graph_node (whole, i)->key);

      if (at < 0)
        continue;
      if (touched != NULL && touched[atoi (ls_graph_node (whole, i)->key + 1)])
        {
          g_assert_cmpfloat_with_epsilon (layout->nodes[i].x + layout->nodes[i].width / 2.0f, old->nodes[at].x + old->nodes[at].width / 2.0f, 1.0);
          continue;
        }
      g_assert_cmpmem (&layout->nodes[i], sizeof (LsGraphBox), &old->nodes[at], sizeof (LsGraphBox));
      n++;
    }
  return n;
}

/* ---- random passes ------------------------------------------------------------------------------- */

static void
test_random (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  guint n_kept = 0, n_passes = 0, n_apart = 0, n_stood = 0;

  for (guint p = 0; p < (g_test_thorough () ? 10 : 1) * N_PROGRAMS; p++)
    {
      guint n = (guint) g_test_rand_int_range (20, p % 4 == 0 ? N_MOST : 120);
      g_autoptr (GArray) program = draw_program (n);
      g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
      g_autofree gboolean *touched = g_new0 (gboolean, 100000);
      g_autoptr (LsGraphSeries) series = NULL;
      g_autoptr (LsGraphLayout) layout = NULL;

      g_ptr_array_add (graphs, graph_of (program));
      series = series_of (graphs);
      layout = lay_out_anew (worker, series);
      for (guint round = 1; round <= 3; round++)
        {
          GArray *next = run_pass (program, MAX (n / 20, 1), round, touched);
          LsGraphSeries *longer;
          LsGraphLayout *following;
          guint n_asked;

          g_array_unref (program);
          program = next;
          g_ptr_array_add (graphs, graph_of (program));
          longer = series_of (graphs);
          following = go_on (worker, layout, series, longer, &n_asked);
          n_passes++;
          if (following != NULL)
            {
              assert_sound (following, longer->whole);
              n_stood += assert_stays (layout, series->whole, following, longer->whole, touched);
              g_assert_cmpuint (n_asked, ==, round % 2 == 0 ? 0 : 8);
              n_kept++;
              n_apart += n_asked;
            }
          else
            following = lay_out_anew (worker, longer);
          ls_graph_layout_free (layout);
          ls_graph_series_unref (series);
          layout = following;
          series = longer;
        }
    }
  g_test_message ("%u of %u layouts were kept, %u nodes stood still in them, the worker placed %u", n_kept, n_passes, n_stood, n_apart);
  g_assert_cmpuint (n_kept * 20, >=, n_passes * 19);
}

/* A pass that is dropped again: all of what is left stays, and nothing is asked. */
static void
test_dropped (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GArray) program = draw_program (80), next = NULL;
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autofree gboolean *touched = g_new0 (gboolean, 100000);
  g_autoptr (LsGraphSeries) one = NULL, two = NULL;
  g_autoptr (LsGraphLayout) layout = NULL, without = NULL;
  guint n_asked;

  next = run_pass (program, 4, 1, touched);
  g_ptr_array_add (graphs, graph_of (program));
  one = series_of (graphs);
  g_ptr_array_add (graphs, graph_of (next));
  two = series_of (graphs);
  layout = lay_out_anew (worker, two);
  without = go_on (worker, layout, two, one, &n_asked);
  g_assert_nonnull (without);
  g_assert_cmpuint (n_asked, ==, 0);
  assert_sound (without, one->whole);
  g_assert_cmpuint (assert_stays (layout, two->whole, without, one->whole, touched), >, 70);
  for (guint i = 0; i < without->n_clusters; i++)
    g_assert_cmpfloat (without->clusters[i].width, >, 0.0f);
}

/* ---- groups that are opened and closed ---------------------------------------------------------------- */

/* A tenth is near enough; no way to one side is none to the other. */
static char *
way_of (float from,
        float to)
{
  float way = roundf ((to - from) * 10.0f) / 10.0f;

  return g_strdup_printf ("%.1f", way == 0.0f ? 0.0f : way);
}

/* Whatever both have went one of a few ways: not at all, down (or up), and to either side; nothing else moved.  The number of those that stand where they
 * stood, but for all of it. */
static guint
assert_few_ways (const LsGraphLayout *old,
                 LsGraph             *before,
                 const LsGraphLayout *layout,
                 LsGraph             *whole)
{
  g_autoptr (GHashTable) ways = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), across = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                         down = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint most = 0;

  for (guint i = 0; i < layout->n_nodes; i++)
    {
      gint at = ls_graph_find (before, ls_graph_node (whole, i)->key);
      g_autofree char *way = NULL, *x = NULL, *y = NULL;
      guint n;

      if (at < 0 || memcmp (&layout->nodes[i].width, &old->nodes[at].width, 2 * sizeof (float)) != 0)
        continue;
      x = way_of (old->nodes[at].x, layout->nodes[i].x);
      y = way_of (old->nodes[at].y, layout->nodes[i].y);
      g_hash_table_add (across, g_strdup (x));
      g_hash_table_add (down, g_strdup (y));
      way = g_strdup_printf ("%s %s", x, y);
      n = GPOINTER_TO_UINT (g_hash_table_lookup (ways, way)) + 1;
      g_hash_table_insert (ways, g_steal_pointer (&way), GUINT_TO_POINTER (n));
      most = MAX (most, n);
    }
  g_assert_cmpuint (g_hash_table_size (across), <=, 3);
  g_assert_cmpuint (g_hash_table_size (down), <=, 2);
  return most;
}

/* The number of a node that is a group, drawn at random, -1: there is none. */
static gint
draw_group (LsGraph *graph)
{
  for (guint tries = 0; tries < 100; tries++)
    {
      gint at = g_test_rand_int_range (0, (gint) graph->nodes->len);

      if (ls_graph_node (graph, (guint) at)->kind == LS_GRAPH_NODE_GROUP)
        return at;
    }
  return -1;
}

static void
test_opened (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  guint n_opened = 0, n_kept = 0, n_closed = 0, n_stood = 0, n_nodes = 0;

  for (guint p = 0; p < (g_test_thorough () ? 10 : 1) * N_OPENED; p++)
    {
      g_autoptr (GArray) program = draw_program ((guint) g_test_rand_int_range (100, N_MOST));
      g_autoptr (LsGraph) graph = graph_of (program);
      g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      guint limit = (guint) g_test_rand_int_range (15, 60);
      LsGraph *folded = ls_graph_fold_groups (graph, limit, open);
      LsGraphSeries *series = ls_graph_series_one (folded, "a");
      LsGraphLayout *layout = lay_out_anew (worker, series);

      for (guint round = 0; round < 3; round++)
        {
          gint at = draw_group (folded);
          g_autofree char *key = at >= 0 ? g_strdup (ls_graph_node (folded, (guint) at)->key) : NULL;
          LsGraph *next;
          LsGraphSeries *opened;
          LsGraphLayout *following, *back;
          guint n_asked;

          if (at < 0)
            break;
          g_hash_table_add (open, g_strdup (key));
          next = ls_graph_fold_groups (graph, limit, open);
          opened = ls_graph_series_one (next, "a");
          following = go_on (worker, layout, series, opened, &n_asked);
          n_opened++;
          if (following != NULL)
            {
              guint n;

              n_kept++;
              assert_sound (following, opened->whole);
              n = assert_few_ways (layout, series->whole, following, opened->whole);
              n_stood += n;
              n_nodes += series->whole->nodes->len;
              g_assert_cmpuint (n_asked, >, 1);
              g_assert_cmpuint (n_asked, ==, next->nodes->len + 1 - folded->nodes->len);

              back = go_on (worker, following, opened, series, &n_asked);       /* and closed again */
              g_assert_cmpuint (n_asked, ==, 0);
              if (back != NULL)
                {
                  n_closed++;
                  assert_sound (back, series->whole);
                  assert_few_ways (following, opened->whole, back, series->whole);
                  g_assert_cmpfloat (back->height, <=, following->height + 1.0f);
                }
              ls_graph_layout_free (back);
            }
          else
            following = lay_out_anew (worker, opened);
          ls_graph_layout_free (layout);
          ls_graph_series_unref (series);
          ls_graph_unref (folded);
          layout = following;
          series = opened;
          folded = next;
        }
      ls_graph_layout_free (layout);
      ls_graph_series_unref (series);
      ls_graph_unref (folded);
    }
  g_test_message ("%u of %u groups were opened in their places, %u closed; %u of %u nodes stood still", n_kept, n_opened, n_closed, n_stood, n_nodes);
  g_assert_cmpuint (n_opened, >, N_OPENED);
  g_assert_cmpuint (n_kept * 10, >=, n_opened * 9);
  g_assert_cmpuint (n_closed * 10, >=, n_kept * 9);
  g_assert_cmpuint (n_stood * 3, >=, n_nodes);
}

/* How many nodes but its ends a line goes through. */
static guint
n_crossed (const LsGraphLayout *layout,
           const LsGraphEdge   *edge,
           guint                line)
{
  guint n = 0;

  for (guint k = 0; k < layout->n_nodes; k++)
    {
      gboolean crosses = FALSE;

      for (guint i = layout->start[line]; k != edge->from && k != edge->to && i + 3 < layout->start[line + 1]; i += 3)
        for (guint s = 0; s <= 200; s++)
          {
            const LsGraphPoint *p = &layout->points[i];
            float t = (float) s / 200.0f, u = 1.0f - t;

            crosses |= is_in (&layout->nodes[k], u * u * u * p[0].x + 3 * u * u * t * p[1].x + 3 * u * t * t * p[2].x + t * t * t * p[3].x,
                              u * u * u * p[0].y + 3 * u * u * t * p[1].y + 3 * u * t * t * p[2].y + t * t * t * p[3].y, -1.0f);
          }
      n += crosses;
    }
  return n;
}

/* Calls of a chain became one, or one skips them: the line from what went into the first goes around their shadows, which stay. */
static void
test_around (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  guint n_new = 0;

  for (guint gone = 1; gone <= 4; gone++)
    for (guint beside = 0; beside < 3; beside++)
      {
        g_autoptr (GArray) program = g_array_new (FALSE, TRUE, sizeof (Call)), rest = g_array_new (FALSE, TRUE, sizeof (Call));
        g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
        g_autoptr (LsGraphSeries) before = NULL, after = NULL;
        g_autoptr (LsGraphLayout) layout = NULL, next = NULL;
        guint n_asked;

        for (guint i = 0; i < 16 + 16 * beside; i++)
          {
            Call one = call (i, 0, i % 16 == 0 ? 0 : i - 1);    /* chains beside each other */

            one.n_inputs = i > 0;
            g_array_append_val (program, one);
            if (i == 5 + gone)
              one.inputs[0] = 4;
            if (i < 5 || i >= 5 + gone)
              g_array_append_val (rest, one);
          }
        g_ptr_array_add (graphs, graph_of (program));
        before = ls_graph_series_one (graphs->pdata[0], "a");
        layout = lay_out_anew (worker, before);
        g_ptr_array_add (graphs, graph_of (rest));
        after = series_of (graphs);
        next = go_on (worker, layout, before, after, &n_asked);
        g_assert_nonnull (next);
        for (guint i = 0; i < next->n_edges; i++)
          if (ls_graph_series_state (after, 0)->edges[i] < 0)
            {
              n_new++;
              g_assert_cmpuint (n_crossed (next, ls_graph_edge (after->whole, i), i), ==, 0);
            }
        assert_sound (next, after->whole);
      }
  g_assert_cmpuint (n_new, >=, 12);
}

/* Another program, another fold, or more new than old: laid out anew. */
static void
test_anew (void)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (LsGraph) small = layers (4), large = layers (60);
  g_autoptr (LsGraph) folded = ls_graph_fold_groups (large, 20, NULL);
  g_autoptr (LsGraphSeries) first = ls_graph_series_one (small, "a"), second = ls_graph_series_one (large, "b"), third = ls_graph_series_one (folded, "c"), both = NULL;
  g_autoptr (LsGraphLayout) layout = lay_out_anew (worker, first), whole = lay_out_anew (worker, second);
  g_autoptr (GPtrArray) graphs = g_ptr_array_new ();
  guint n_asked;

  g_assert_null (go_on (worker, layout, first, second, &n_asked));
  g_assert_null (go_on (worker, whole, second, third, &n_asked));
  g_ptr_array_add (graphs, small);
  g_ptr_array_add (graphs, large);
  both = series_of (graphs);
  g_assert_null (go_on (worker, layout, first, both, &n_asked));
  g_assert_null (go_on (worker, layout, second, both, &n_asked));       /* it is not of this series at all */
}

/* ---- models, and passes of Relax ---------------------------------------------------------------------- */

static void
test_model (const char *name,
            char       *taken,
            guint       limit)
{
  static const char *const PASSES[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", "FuseTIR()", "DeadCodeElimination()" };
  g_autofree char *text = taken;
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref), wholes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) modules = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsModule) opened = parse (text);
  LsModule *module = opened;
  LsGraphSeries *series;
  LsGraphLayout *layout;
  guint n_kept = 0;

  for (guint i = 0; i < 1 + G_N_ELEMENTS (PASSES); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsGraph) graph = NULL;
      g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
      LsModule *next;
      LsGraphSeries *longer;
      LsGraphLayout *following;
      guint n_asked = 0;

      ls_relax_lineage_begin (lineage);
      next = i > 0 ? ls_graph_run_pass (module, PASSES[i - 1], &error) : ls_ref (module);
      ls_relax_lineage_end (lineage);
      g_assert_no_error (error);
      g_ptr_array_add (modules, next);
      module = next;
      graph = ls_graph_from_relax (module, NULL);
      if (i > 0)
        ls_graph_follow (wholes, graph, lineage);
      g_ptr_array_add (wholes, ls_graph_ref (graph));
      g_ptr_array_add (graphs, limit > 0 ? ls_graph_fold_groups_like (graph, limit, NULL, i > 0 ? graphs->pdata[i - 1] : NULL) : ls_graph_ref (graph));
      longer = series_of (graphs);
      following = i > 0 ? go_on (worker, layout, series, longer, &n_asked) : NULL;
      if (following != NULL)
        {
          guint n_same = 0;

          n_kept++;
          assert_sound (following, longer->whole);
          for (guint k = 0; k < following->n_nodes; k++)
            {
              gint at = ls_graph_find (series->whole, ls_graph_node (longer->whole, k)->key);

              n_same += at >= 0 && memcmp (&layout->nodes[at], &following->nodes[k], sizeof (LsGraphBox)) == 0;
            }
          g_test_message ("%s, %s: %u of %u nodes stay, %u are laid out", name, PASSES[i - 1], n_same, following->n_nodes, n_asked);
        }
      else
        {
          following = lay_out_anew (worker, longer);
          g_test_message ("%s, %s: %u nodes are laid out anew", name, i > 0 ? PASSES[i - 1] : "opened", following->n_nodes);
        }
      if (i > 0)
        {
          ls_graph_layout_free (layout);
          ls_graph_series_unref (series);
        }
      layout = following;
      series = longer;
    }
  ls_graph_layout_free (layout);
  ls_graph_series_unref (series);
  g_assert_cmpuint (n_kept, ==, G_N_ELEMENTS (PASSES));
}

static void
test_models (void)
{
  test_model ("MLP", g_strdup (MLP), 0);
  test_model ("transformer of 4 layers", ls_model_transformer (4), 0);
  test_model ("transformer of 24 layers", ls_model_transformer (24), 0);
  test_model ("transformer of 24 layers, folded", ls_model_transformer (24), 250);
  test_model ("ResNet of 8 blocks", ls_model_resnet (8), 0);
  test_model ("random, high fan-out", ls_model_random (300, 1), 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  g_test_add_func ("/graph/keep/random", test_random);
  g_test_add_func ("/graph/keep/dropped", test_dropped);
  g_test_add_func ("/graph/keep/opened", test_opened);
  g_test_add_func ("/graph/keep/around", test_around);
  g_test_add_func ("/graph/keep/anew", test_anew);
  g_test_add_func ("/graph/keep/models", test_models);
  return g_test_run ();
}
