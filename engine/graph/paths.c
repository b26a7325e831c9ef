/* paths: where the nodes of a graph stand in the module, found in one walk over it. */
#include "engine/graph/graph-private.h"

typedef struct {
  GHashTable *wanted;           /* IR node -> LsGraphNode without a path */
  GArray     *steps;            /* of guint32 */
} Walk;

static void
walk (Walk   *self,
      LsNode *node)
{
  LsGraphNode *found = g_hash_table_lookup (self->wanted, node);

  if (found != NULL)
    {
      found->path = ls_path_new ((const guint32 *) (gpointer) self->steps->data, self->steps->len);
      g_hash_table_remove (self->wanted, node);
    }
  if (ls_is_expr (node))
    return;
  for (guint32 i = 0; i < ls_node_get_n_children (node) && g_hash_table_size (self->wanted) > 0; i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child == NULL)
        continue;
      g_array_append_val (self->steps, i);
      walk (self, child);
      g_array_set_size (self->steps, self->steps->len - 1);
    }
}

void
ls_graph_set_paths (LsGraph  *self,
                    LsModule *module)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  Walk state = { wanted, steps };

  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (self, i);

      if (node->node != NULL && node->path == NULL)
        g_hash_table_insert (wanted, node->node, node);
    }
  walk (&state, LS_NODE (module));
}
