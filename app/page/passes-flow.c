/* passes-flow: flows of engine/passlog as graphs of engine/graph; the key of a block leads from state to state. */
#include "app/page/passes-flow.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_STATES 80          /* those nearest to the pass that is asked for */

typedef struct {
  guint       dump;
  char       *text;
  LsPassLogKind kind;
  LsPassFlow *flow;
} State;

static void
state_clear (gpointer data)
{
  g_free (((State *) data)->text);
  ls_pass_flow_free (((State *) data)->flow);
}

/* The texts of the function in the order of the log, each once. */
static GArray *
find_states (LsPassLog  *log,
             const char *function)
{
  GArray *states = g_array_new (FALSE, TRUE, sizeof (State));
  guint64 hash = 0;

  g_array_set_clear_func (states, state_clear);
  for (guint i = 0; i < log->parts->len; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);
      State state = { part->dump, NULL, LS_PASS_LOG_AUTO, NULL };

      if (part->end <= part->start || strcmp (part->name, function) != 0 || (states->len > 0 && part->hash == hash && !part->patch))
        continue;
      hash = part->hash;
      state.kind = g_array_index (log->dumps, LsPassDump, part->dump).language;
      state.text = ls_pass_log_part_text (log, i);
      g_array_append_val (states, state);
    }
  return states;
}

/* Those nearest to the dump: as many as MOST_STATES and the most blocks allow.  Returns the number of the dump's state among them. */
static guint
keep_near (GArray *states,
           guint   dump)
{
  guint at = 0, from, blocks = 0;

  for (guint i = 0; i < states->len; i++)
    if (g_array_index (states, State, i).dump <= dump)
      at = i;
  for (guint i = 0; i < states->len; i++)
    {
      State *state = &g_array_index (states, State, i);

      if (i + MOST_STATES / 2 < at || i > at + MOST_STATES / 2)
        continue;
      state->flow = ls_pass_flow_read (state->text, state->kind);
      blocks = MAX (blocks, state->flow->blocks->len);
    }
  from = blocks > LS_PASSES_FLOW_MOST ? (at > 0 ? at - 1 : 0) : at > MOST_STATES / 2 ? at - MOST_STATES / 2 : 0;
  if (blocks > LS_PASSES_FLOW_MOST)
    g_array_set_size (states, MIN (states->len, at + 1));
  else
    g_array_set_size (states, MIN (states->len, at + MOST_STATES / 2 + 1));
  if (from > 0)
    g_array_remove_range (states, 0, from);
  return at - from;
}

/* An edge from a node to itself has no place in the picture: it is told in words. */
static void
loops_to_itself (LsGraphNode *node)
{
  char *words = g_strdup_printf (_("%s, loops"), node->type);

  g_free (node->type);
  node->type = words;
}

static LsGraph *
graph_of (const State *state,
          const char  *function)
{
  LsGraph *graph = ls_graph_new (LS_GRAPH_BLOCKS);
  g_autofree gint *clusters = g_new (gint, state->flow->regions->len + 1);

  for (guint i = 0; i < state->flow->regions->len; i++)
    {
      LsPassRegion *region = state->flow->regions->pdata[i];
      LsPassBlock *head = state->flow->blocks->pdata[region->head];
      g_autofree char *key = g_strdup_printf ("region %u", head->key);

      clusters[i] = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_BRANCH, region->parent >= 0 ? clusters[region->parent] : -1, key, region->title, NULL);
    }
  for (guint i = 0; i < state->flow->blocks->len; i++)
    {
      LsPassBlock *block = state->flow->blocks->pdata[i];
      g_autofree char *key = g_strdup_printf ("block %u", block->key), *version = g_strdup_printf ("%u", block->version);
      LsGraphNode *node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, block->label);

      g_free (node->detail);
      node->detail = g_strdup (block->words);
      node->type = g_strdup_printf (ngettext ("%u operation", "%u operations", block->n), block->n);
      node->name = g_strdup_printf ("%u", block->first + 1);
      node->function = g_strdup (function);
      node->cluster = block->region >= 0 ? clusters[block->region] : -1;
      ls_graph_add_attribute (node, "version", version);
    }
  for (guint i = 0; i < state->flow->edges->len; i++)
    {
      LsPassFlowEdge *edge = state->flow->edges->pdata[i];

      if (edge->from == edge->to)
        loops_to_itself (ls_graph_node (graph, edge->from));
      else
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, edge->from, edge->to, edge->label, NULL);
    }
  return graph;
}

LsGraphSeries *
ls_passes_flow_series (LsPassLog  *log,
                       const char *function,
                       guint       dump,
                       GArray    **dumps,
                       guint      *at)
{
  g_autoptr (GArray) states = find_states (log, function);
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref), labels = g_ptr_array_new ();
  guint next = 0;

  *dumps = NULL;
  if (states->len == 0)
    return NULL;
  *at = keep_near (states, dump);
  *dumps = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < states->len; i++)
    {
      State *state = &g_array_index (states, State, i), *before = i > 0 ? state - 1 : NULL;

      if (before != NULL && before->kind != state->kind)
        before = NULL;
      ls_pass_flow_match (before != NULL ? before->flow : NULL, before != NULL ? before->text : NULL, state->flow, state->text, state->kind, &next);
      g_ptr_array_add (graphs, graph_of (state, function));
      g_ptr_array_add (labels, (gpointer) g_array_index (log->dumps, LsPassDump, state->dump).pass);
      g_array_append_val (*dumps, state->dump);
    }
  return ls_graph_series_new (graphs, labels);
}
