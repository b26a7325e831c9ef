/* timeline: see the header.  The k-th call of a function belongs to the k-th node that calls it, in the order in which a run comes to them; where there are more
 * calls than that (a loop), they go round. */
#include "engine/graph/timeline.h"

#include "engine/graph/series.h"
#include "engine/runtime/peaks.h"

#include <string.h>

static void
call_clear (gpointer data)
{
  g_free (((LsGraphCallTime *) data)->name);
}

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* `sorted`: n of them; between two of them in proportion. */
static double
quantile (const double *sorted,
          guint         n,
          double        share)
{
  double at = share * (double) (n - 1);
  guint low = (guint) at;

  return low + 1 < n ? sorted[low] + (at - (double) low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

static void
median_of (double *values,      /* sorted here */
           guint   n,
           double *median,
           double *spread)
{
  qsort (values, n, sizeof (double), by_size);
  *median = quantile (values, n, 0.5);
  *spread = (quantile (values, n, 0.75) - quantile (values, n, 0.25)) / 2.0;
}

/* ---- reading ------------------------------------------------------------------------- */

/* Numbers of one key, NULL: there are not `n` (0: any number, which is put there). */
static const double *
numbers_of (GVariant   *answer,
            const char *key,
            GPtrArray  *held,
            gsize      *n)
{
  GVariant *list = g_variant_lookup_value (answer, key, G_VARIANT_TYPE ("ad"));
  const double *data;
  gsize found = 0;

  if (list == NULL)
    return NULL;
  g_ptr_array_add (held, list);
  data = g_variant_get_fixed_array (list, &found, sizeof (double));
  if (*n != 0 && *n != found)
    return NULL;
  *n = found;
  return found > 0 ? data : NULL;
}

static void
take_calls (LsGraphTimeline *self,
            GVariant        *names,
            const double    *bytes,
            const double    *flop)
{
  guint n_runs = self->runs->len, n = (guint) g_variant_n_children (names);
  g_autofree double *lengths = g_new (double, n_runs);

  for (guint i = 0; i < n; i++)
    {
      LsGraphCallTime call = { .flop = flop[i], .bytes = bytes[i], .start_ns = self->starts[(gsize) self->middle * n + i] };

      g_variant_get_child (names, i, "s", &call.name);
      for (guint r = 0; r < n_runs; r++)
        lengths[r] = self->lengths[(gsize) r * n + i];
      median_of (lengths, n_runs, &call.ns, &call.spread_ns);
      g_array_append_val (self->calls, call);
    }
}

static void
find_middle (LsGraphTimeline *self)
{
  g_autofree double *sorted = g_memdup2 (self->runs->data, self->runs->len * sizeof (double));
  double least = G_MAXDOUBLE;

  median_of (sorted, self->runs->len, &self->ns, &self->spread_ns);
  for (guint r = 0; r < self->runs->len; r++)
    {
      double off = ABS (g_array_index (self->runs, double, r) - self->ns);

      if (off < least)
        {
          least = off;
          self->middle = r;
        }
    }
}

LsGraphTimeline *
ls_graph_timeline_read (GVariant *answer,
                        GError  **error)
{
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_autoptr (GVariant) names = g_variant_lookup_value (answer, "names", NULL);
  gsize n = names != NULL && g_variant_is_container (names) ? g_variant_n_children (names) : 0, n_runs = 0, all;
  const double *runs = numbers_of (answer, "run-ns", held, &n_runs), *bytes = NULL, *flop = NULL, *starts = NULL, *lengths = NULL;
  LsGraphTimeline *self;
  gint64 left_out = 0;

  all = n * n_runs;
  if (n > 0 && n_runs > 0)
    {
      bytes = numbers_of (answer, "bytes", held, &n);
      flop = numbers_of (answer, "flop", held, &n);
      starts = numbers_of (answer, "starts", held, &all);
      lengths = numbers_of (answer, "lengths", held, &all);
    }
  if (runs == NULL || names == NULL || !g_variant_is_of_type (names, G_VARIANT_TYPE ("as")) || bytes == NULL || flop == NULL || starts == NULL || lengths == NULL)
    {
      g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS, n == 0 && names != NULL && runs != NULL ? ls_translate ("The function makes no calls that take time.") : ls_translate ("Times of calls are expected."));
      return NULL;
    }
  self = g_new0 (LsGraphTimeline, 1);
  g_atomic_ref_count_init (&self->refs);
  if (!g_variant_lookup (answer, "function", "s", &self->function))
    self->function = g_strdup ("main");
  g_variant_lookup (answer, "left-out", "x", &left_out);
  self->n_left_out = (guint) MAX (left_out, 0);
  self->calls = g_array_sized_new (FALSE, TRUE, sizeof (LsGraphCallTime), (guint) n);
  g_array_set_clear_func (self->calls, call_clear);
  self->runs = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_vals (self->runs, runs, (guint) n_runs);
  self->starts = g_memdup2 (starts, all * sizeof (double));
  self->lengths = g_memdup2 (lengths, all * sizeof (double));
  find_middle (self);
  take_calls (self, names, bytes, flop);
  return self;
}

LsGraphTimeline *
ls_graph_timeline_ref (LsGraphTimeline *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_graph_timeline_free (LsGraphTimeline *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->function);
  g_array_unref (self->calls);
  g_array_unref (self->runs);
  g_free (self->starts);
  g_free (self->lengths);
  g_free (self);
}

/* ---- at the nodes ------------------------------------------------------------------------- */

/* What a call calls, as the virtual machine names it. */
static const char *
called_name (const LsGraphNode *node)
{
  if (node->kind != LS_GRAPH_NODE_CALL)
    return NULL;
  if (node->callee != NULL)
    return node->callee;
  return g_strcmp0 (node->detail, "call_dps_packed") == 0 || g_strcmp0 (node->detail, "call_pure_packed") == 0 ? node->title : NULL;
}

static void
add (double *sum,
     double  more)
{
  if (more >= 0.0)
    *sum = MAX (*sum, 0.0) + more;
}

static void
add_call (LsGraphNode           *node,
          const LsGraphCallTime *call)
{
  add (&node->numbers.ns, call->ns);
  add (&node->numbers.spread_ns, call->spread_ns);
  add (&node->numbers.flop, call->flop);
  add (&node->numbers.bytes, call->bytes);
}

/* The nodes that call something, in the order in which a run comes to them. */
typedef struct {
  LsGraph    *graph;
  GHashTable *functions;        /* name -> GArray of guint: the nodes that stand in it */
  GHashTable *lists;            /* what is called -> GArray of guint: the nodes that call it; of functions of Relax, which make no call themselves, too */
  GByteArray *met;
  guint       n, most;          /* nodes come to; at most */
} Order;

#define DEEPEST 64u

static GArray *
list_of (GHashTable *lists,
         const char *name)
{
  GArray *list = g_hash_table_lookup (lists, name);

  if (list == NULL)
    g_hash_table_insert (lists, (gpointer) name, list = g_array_new (FALSE, FALSE, sizeof (guint)));
  return list;
}

static void
come_to (Order *self,
         guint  node)
{
  self->met->data[node] = TRUE;
  self->n++;
  g_array_append_val (list_of (self->lists, called_name (ls_graph_node (self->graph, node))), node);
}

static void
go_through (Order      *self,
            const char *function,
            guint       depth)
{
  GArray *nodes = depth < DEEPEST ? g_hash_table_lookup (self->functions, function) : NULL;

  for (guint i = 0; nodes != NULL && i < nodes->len && self->n < self->most; i++)
    {
      guint node = g_array_index (nodes, guint, i);

      come_to (self, node);
      if (ls_graph_node (self->graph, node)->callee != NULL)
        go_through (self, ls_graph_node (self->graph, node)->callee, depth + 1);
    }
}

/* What a run of `function` does not come to stands behind. */
static GHashTable *
nodes_by_callee (LsGraph    *graph,
                 const char *function,
                 guint       most)
{
  g_autoptr (GHashTable) functions = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (GByteArray) met = g_byte_array_sized_new (graph->nodes->len + 1);
  Order order = { graph, functions, g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref), met, 0, most };

  g_byte_array_set_size (met, graph->nodes->len + 1);
  memset (met->data, 0, met->len);
  for (guint i = 0; i < graph->nodes->len; i++)
    if (called_name (ls_graph_node (graph, i)) != NULL && ls_graph_node (graph, i)->function != NULL)
      g_array_append_val (list_of (functions, ls_graph_node (graph, i)->function), i);
  go_through (&order, function, 0);
  for (guint i = 0; i < graph->nodes->len; i++)
    if (called_name (ls_graph_node (graph, i)) != NULL && !met->data[i])
      come_to (&order, i);
  return order.lists;
}

/* Of the calls of functions that are in the graph themselves what is in these. TRUE: something became known. */
static gboolean
add_inner (LsGraph *graph)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  gboolean changed = FALSE;

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      LsGraphNumbers *sum = node->function != NULL ? g_hash_table_lookup (sums, node->function) : NULL;

      if (node->function == NULL || node->numbers.ns < 0.0)
        continue;
      if (sum == NULL)
        {
          sum = g_new (LsGraphNumbers, 1);
          *sum = LS_GRAPH_NO_NUMBERS;
          g_hash_table_insert (sums, node->function, sum);
        }
      add (&sum->ns, node->numbers.ns);
      add (&sum->spread_ns, node->numbers.spread_ns);
      add (&sum->flop, node->numbers.flop);
    }
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      LsGraphNumbers *sum = node->callee != NULL && node->numbers.ns < 0.0 ? g_hash_table_lookup (sums, node->callee) : NULL;
      guint n = 0;

      if (sum == NULL)
        continue;
      for (guint k = 0; k < graph->nodes->len; k++)
        n += g_strcmp0 (ls_graph_node (graph, k)->callee, node->callee) == 0;
      node->numbers.ns = sum->ns / n;
      node->numbers.spread_ns = sum->spread_ns / n;
      if (sum->flop >= 0.0)
        node->numbers.flop = sum->flop / n;
      changed = TRUE;
    }
  return changed;
}

static gint *
put_calls (const LsGraphTimeline *self,
           LsGraph               *graph)
{
  g_autoptr (GHashTable) nodes = nodes_by_callee (graph, self->function, graph->nodes->len + 4 * self->calls->len);
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gboolean *fresh = g_new0 (gboolean, graph->nodes->len + 1);
  gint *made = g_new (gint, self->calls->len + 1);

  for (guint i = 0; i < self->calls->len; i++)
    {
      const LsGraphCallTime *call = &g_array_index (self->calls, LsGraphCallTime, i);
      GArray *list = g_hash_table_lookup (nodes, call->name);
      guint k = GPOINTER_TO_UINT (g_hash_table_lookup (counts, call->name));

      made[i] = list != NULL ? (gint) g_array_index (list, guint, k % list->len) : -1;
      g_hash_table_insert (counts, call->name, GUINT_TO_POINTER (k + 1));
      if (made[i] < 0)
        continue;
      if (!fresh[made[i]])
        {
          double roof = ls_graph_node (graph, made[i])->numbers.roof;

          ls_graph_node (graph, made[i])->numbers = LS_GRAPH_NO_NUMBERS;
          ls_graph_node (graph, made[i])->numbers.roof = roof;
        }
      fresh[made[i]] = TRUE;
      add_call (ls_graph_node (graph, made[i]), call);
    }
  for (guint round = 0; round < 8 && add_inner (graph); round++)
    ;
  return made;
}

static gboolean
has_operators (LsGraph *graph)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL && called_name (ls_graph_node (graph, i)) == NULL)
      return TRUE;
  return FALSE;
}

/* Of functions of Relax that stand elsewhere: the graph is of one of several. */
static gboolean
has_calls_elsewhere (LsModule *module,
                     LsGraph  *graph)
{
  g_autoptr (GHashTable) shown = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < graph->nodes->len; i++)
    if (ls_graph_node (graph, i)->function != NULL)
      g_hash_table_add (shown, ls_graph_node (graph, i)->function);
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const char *callee = ls_graph_node (graph, i)->callee;

      if (callee != NULL && !g_hash_table_contains (shown, callee) && ls_is (ls_module_get (module, callee), FUNCTION))
        return TRUE;
    }
  return FALSE;
}

gint *
ls_graph_timeline_put (const LsGraphTimeline *self,
                       LsModule              *module,
                       LsGraph               *graph)
{
  g_autoptr (LsModule) after = has_operators (graph) ? ls_graph_run_pass (module, "LegalizeOps()", NULL) : has_calls_elsewhere (module, graph) ? ls_ref (module) : NULL;
  g_autoptr (LsGraph) all = after != NULL ? ls_graph_from_relax (after, NULL) : NULL;
  gint *made;

  if (all == NULL)
    return put_calls (self, graph);
  made = put_calls (self, all);
  for (guint i = 0; i < self->calls->len; i++)
    made[i] = made[i] >= 0 ? ls_graph_find (graph, ls_graph_node (all, made[i])->key) : -1;
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      gint at = ls_graph_find (all, node->key);

      if (node->kind == LS_GRAPH_NODE_CALL && at >= 0 && ls_graph_node (all, at)->numbers.ns >= 0.0)
        node->numbers = ls_graph_node (all, at)->numbers;
    }
  return made;
}

gboolean
ls_graph_put_roofs (LsGraph *graph)
{
  LsGraphRoof levels[LS_PEAKS_MAX_LEVELS];
  LsPeaks peaks;

  if (!ls_peaks_load (ls_host_cpu_name (), &peaks))
    return FALSE;
  for (int i = 0; i < peaks.n_levels; i++)
    {
      gint64 bytes = ls_host_cache_bytes (i + 1);

      levels[i] = (LsGraphRoof) { (double) (bytes > 0 ? bytes : peaks.levels[i].bytes), peaks.levels[i].gb_per_s };
    }
  ls_graph_set_roofs (graph, peaks.fma_gflops, levels, (guint) peaks.n_levels);
  return TRUE;
}

void
ls_graph_show_numbers (LsGraph *whole,
                       LsGraph *folded)
{
  for (guint i = 0; i < folded->nodes->len; i++)
    if (ls_graph_node (folded, i)->kind == LS_GRAPH_NODE_GROUP)
      ls_graph_node (folded, i)->numbers = LS_GRAPH_NO_NUMBERS;
  for (guint i = 0; i < whole->nodes->len; i++)
    {
      const LsGraphNumbers *numbers = &ls_graph_node (whole, i)->numbers;
      LsGraphNode *shown = ls_graph_node (folded, ls_graph_get_shown (folded, i));

      if (shown->kind != LS_GRAPH_NODE_GROUP)
        {
          shown->numbers = *numbers;
          continue;
        }
      add (&shown->numbers.ns, numbers->ns);
      add (&shown->numbers.spread_ns, numbers->spread_ns);
      add (&shown->numbers.flop, numbers->flop);
      add (&shown->numbers.bytes, numbers->bytes);
    }
}
