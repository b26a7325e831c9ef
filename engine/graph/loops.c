/* loops: the family tree of loops over the steps of a schedule; an edge says what the step did. */
#include "engine/graph/graph-private.h"

#include "engine/schedule/inspect/inspect.h"
#include "engine/script/printer.h"

static const LsEntity *
entity_of (LsSchedule *schedule,
           guint       id)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
  gint at = ls_version_find_id (version, id);

  return at >= 0 ? ls_version_at (version, (guint) at) : NULL;
}

static void
add_loop (LsGraph          *graph,
          LsSchedule       *schedule,
          const LsLoopNode *loop)
{
  const LsEntity *entity = entity_of (schedule, loop->id);
  g_autofree char *key = g_strdup_printf ("#%u", loop->id);
  LsGraphNode *node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, loop->name);

  node->name = g_strdup (loop->name);
  node->is_gone = !loop->is_alive;
  node->detail = loop->step > 0 ? g_strdup_printf ("%s by step %u", ls_lineage_how_name (loop->how), loop->step) : g_strdup ("as opened");
  if (entity == NULL || entity->type != LS_ENTITY_LOOP)
    return;
  node->node = ls_ref (entity->node);
  node->entity = (guint64) entity->id + 1;
  {
    g_autofree char *extent = ls_graph_dim_text (LS_NODE (((LsFor *) entity->node)->extent));

    node->type = g_strdup_printf ("extent %s", extent);
  }
}

LsGraph *
ls_graph_from_loops (LsSchedule *schedule)
{
  g_autoptr (GPtrArray) tree = ls_schedule_loop_tree (schedule);
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  LsGraph *graph = ls_graph_new (LS_GRAPH_LOOPS);

  for (guint i = 0; i < tree->len; i++)
    {
      add_loop (graph, schedule, tree->pdata[i]);
      g_hash_table_insert (numbers, tree->pdata[i], GUINT_TO_POINTER (i));
    }
  for (guint i = 0; i < tree->len; i++)
    {
      LsLoopNode *loop = tree->pdata[i];

      for (guint k = 0; k < loop->parents->len; k++)
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_LINEAGE, GPOINTER_TO_UINT (g_hash_table_lookup (numbers, loop->parents->pdata[k])), i,
                           ls_lineage_how_name (loop->how), NULL);
    }
  ls_graph_set_paths (graph, ls_schedule_get_module (schedule));
  return graph;
}
