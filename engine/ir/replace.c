/* replace: another node in the place of one, as copy-on-write.
 *
 * Nodes on the way down that nobody else holds are changed where they are and so keep their identity; the first one that somebody holds
 * and those below it are copied.  For programs that one owner edits (TVM's ScheduleState.replace); everything else makes new nodes.
 */
#include "engine/ir/replace.h"

#include "engine/ir/ir-private.h"

/* Fills `path` with the places of children from `node` down to `old`. */
static gboolean
find_path (LsNode *node,
           LsNode *old,
           GArray *path)
{
  guint n = ls_node_get_n_children (node);

  for (guint i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child == NULL)
        continue;
      g_array_append_val (path, i);
      if (child == old || (!(child->klass->flags & LS_CLASS_EXPR) && find_path (child, old, path)))
        return TRUE;
      g_array_set_size (path, path->len - 1);
    }
  return FALSE;
}

static LsNode *
put (LsNode   *node,
     GArray   *path,
     guint     depth,
     gboolean  own,
     LsNode   *fresh)
{
  guint at = g_array_index (path, guint, depth);
  LsNode **slot = ls_node_child_slot (node, at);
  gboolean alone = own && g_atomic_ref_count_compare (&node->refs, 1);
  LsNode *child = depth + 1 == path->len ? ls_node_ref (fresh) : put (*slot, path, depth + 1, alone, fresh);
  LsNode *copy;

  if (!alone)
    {
      copy = ls_node_with_child (node, at, child);
      ls_node_unref (child);
      return copy;
    }
  ls_node_unref (*slot);
  *slot = child;
  return ls_node_ref (ls_node_finish (node));
}

LsNode *
ls_node_replace (LsNode *root,
                 LsNode *old,
                 LsNode *fresh)
{
  g_autoptr(GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));

  if (root == old)
    return ls_node_ref (fresh);
  return find_path (root, old, path) ? put (root, path, 0, TRUE, fresh) : ls_node_ref (root);
}
