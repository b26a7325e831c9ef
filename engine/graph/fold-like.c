/* fold-like: the next state of a program is folded as the one before it was, so that a pass changes what is in the groups and not which there are.
 *
 * A call goes into the group that held the call with its key; one that is new (fused of several, put between two) into that of its neighbours.  What
 * is said of a group is said anew: how many nodes it holds, whether the parts are still alike.  Functions that are new are folded by themselves.
 * Where a pass has put calls of different groups in another order, so that a group would no more be a stretch, all is folded anew.
 */
#include "engine/graph/fold-private.h"
#include "engine/base/plural.h"

#include <string.h>

#define UNKNOWN (-2)

typedef struct {
  LsGraphFold *fold;
  LsGraph     *before;
  GHashTable  *functions;       /* keys of outermost clusters of the state before, as a set */
  GHashTable  *open_keys;       /* key of a group -> its number + 1 */
} Like;

/* The same groups, with nothing in them. */
static void
take_groups (Like *like)
{
  for (guint i = 0; i < like->before->groups->len; i++)
    {
      const LsGraphFoldGroup *old = like->before->groups->pdata[i];
      LsGraphFoldGroup *group = ls_graph_fold_add_group (like->fold, old->key);

      group->name = g_strdup (old->name);
      group->parent = old->parent;
      group->is_open = old->is_open;
      group->of_values = old->of_values;
      group->part = old->part;
      g_hash_table_insert (like->open_keys, group->key, GUINT_TO_POINTER (i + 1));
    }
}

/* The number of the innermost open group that this cluster of the state before is or lies in, -1: none. */
static gint
open_group_at (Like *like,
               gint  cluster)
{
  for (; cluster >= 0; cluster = ls_graph_cluster (like->before, cluster)->parent)
    {
      const LsGraphCluster *one = ls_graph_cluster (like->before, cluster);

      if (one->kind == LS_GRAPH_CLUSTER_GROUP)
        return (gint) GPOINTER_TO_UINT (g_hash_table_lookup (like->open_keys, one->key)) - 1;
    }
  return -1;
}

/* Where the node with the same key was: FALSE: there was none. */
static gboolean
find_home (Like  *like,
           guint  node,
           gint  *group,
           gint  *open)
{
  gint was = ls_graph_find (like->before->whole, ls_graph_node (like->fold->self, node)->key);
  const LsGraphNode *shown;

  if (was < 0)
    return FALSE;
  shown = ls_graph_node (like->before, like->before->shown[was]);
  *group = shown->kind == LS_GRAPH_NODE_GROUP ? (gint) GPOINTER_TO_UINT (g_hash_table_lookup (like->open_keys, shown->key)) - 1 : -1;
  *open = open_group_at (like, shown->cluster);
  return TRUE;
}

/* Does something that this call's value goes to stand in the group? */
static gboolean
is_used_in (Like        *like,
            LsGraphSide *users,
            guint        node,
            gint         group)
{
  for (guint i = users->start[node]; i < users->start[node + 1]; i++)
    if (like->fold->group[ls_graph_edge (like->fold->self, users->edges[i])->to] == group)
      return TRUE;
  return FALSE;
}

/* `order`: the calls of a function. FALSE: a group would be no stretch of them. */
static gboolean
place_calls (Like        *like,
             LsGraphSide *users,
             GArray      *order)
{
  LsGraphFold *fold = like->fold;
  g_autofree gboolean *left = g_new0 (gboolean, fold->groups->len + 1);
  gint last = -1;

  for (guint i = 0; i < order->len; i++)
    {
      guint at = g_array_index (order, guint, i);

      if (!find_home (like, at, &fold->group[at], &fold->cluster[at]))
        fold->group[at] = UNKNOWN;
    }
  for (guint i = 0; i < order->len; i++)
    {
      guint at = g_array_index (order, guint, i), next = i + 1, before = i > 0 ? g_array_index (order, guint, i - 1) : at;

      if (fold->group[at] != UNKNOWN)
        continue;
      while (next < order->len && fold->group[g_array_index (order, guint, next)] == UNKNOWN)
        next++;
      if (next < order->len)
        next = g_array_index (order, guint, next);
      else
        next = before;
      if (before == at || (before != next && fold->group[next] >= 0 && is_used_in (like, users, at, fold->group[next])))
        before = next;
      fold->group[at] = before != at ? fold->group[before] : -1;
      fold->cluster[at] = before != at ? fold->cluster[before] : -1;
    }
  for (guint i = 0; i < order->len; i++)
    {
      gint group = fold->group[g_array_index (order, guint, i)];

      if (group == last)
        continue;
      if (last >= 0)
        left[last] = TRUE;
      if (group >= 0 && left[group])
        return FALSE;
      last = group;
    }
  return TRUE;
}

/* Functions that were there. FALSE: all is to be folded anew. */
static gboolean
place_nodes (Like *like)
{
  LsGraph *self = like->fold->self;
  g_autoptr (LsGraphSide) users = ls_graph_side (self, TRUE);
  g_autoptr (GHashTable) orders = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  GHashTableIter iter;
  gpointer order;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      gint function = ls_graph_fold_function_of (self, i), group, open;
      GArray *calls;

      if (function >= 0 && !g_hash_table_contains (like->functions, ls_graph_cluster (self, function)->key))
        continue;
      if (ls_graph_node (self, i)->kind == LS_GRAPH_NODE_VALUE && find_home (like, i, &group, &open) && group >= 0
          && ((LsGraphFoldGroup *) like->fold->groups->pdata[group])->of_values)
        like->fold->group[i] = group;
      if (ls_graph_node (self, i)->kind != LS_GRAPH_NODE_CALL)
        continue;
      calls = g_hash_table_lookup (orders, GINT_TO_POINTER (function));
      if (calls == NULL)
        g_hash_table_insert (orders, GINT_TO_POINTER (function), calls = g_array_new (FALSE, FALSE, sizeof (guint)));
      g_array_append_val (calls, i);
    }
  g_hash_table_iter_init (&iter, orders);
  while (g_hash_table_iter_next (&iter, NULL, &order))
    if (!place_calls (like, users, order))
      return FALSE;
  return TRUE;
}

/* ---- what is said of them ------------------------------------------------------------------------ */

/* Every call that a group holds, by group: also those of the groups in it. (transfer full) of GArray of guint */
static GPtrArray *
members_of (LsGraphFold *fold)
{
  GPtrArray *members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < fold->groups->len; i++)
    g_ptr_array_add (members, g_array_new (FALSE, FALSE, sizeof (guint)));
  for (guint i = 0; i < fold->self->nodes->len; i++)
    {
      gint group = fold->group[i] >= 0 ? fold->group[i] : fold->cluster[i];

      for (; group >= 0; group = ((LsGraphFoldGroup *) fold->groups->pdata[group])->parent)
        g_array_append_val ((GArray *) members->pdata[group], i);
    }
  return members;
}

/* Are the parts of this set still alike?  All of their nodes together, cut into as many parts as there are. */
static gboolean
set_is_alike (LsGraphFold *fold,
              GPtrArray   *members,
              guint        group)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  LsGraphFoldPart *part = &((LsGraphFoldGroup *) fold->groups->pdata[group])->part;
  guint parts = 0;

  for (guint i = 0; i < fold->groups->len; i++)
    {
      const LsGraphFoldGroup *other = fold->groups->pdata[i];
      GArray *calls = members->pdata[i];

      if (other->part.n == 0 || other->part.set != part->set)
        continue;
      parts += other->part.n;
      g_array_append_vals (order, calls->data, calls->len);
    }
  return parts == part->repeats && order->len > 0 && order->len % parts == 0 && ls_graph_fold_alike (fold, (const guint *) (gpointer) order->data, parts, order->len / parts);
}

static void
tell_groups (LsGraphFold *fold)
{
  g_autoptr (GPtrArray) members = members_of (fold);
  g_autoptr (GHashTable) sets = g_hash_table_new (NULL, NULL), shows_all = g_hash_table_new (NULL, NULL);       /* set -> it is alike, + 1; of which one is open */

  for (guint i = 0; i < fold->groups->len; i++)
    {
      LsGraphFoldGroup *group = fold->groups->pdata[i];

      if (group->part.n > 0 && !g_hash_table_contains (sets, GUINT_TO_POINTER (group->part.set)))
        g_hash_table_insert (sets, GUINT_TO_POINTER (group->part.set), GINT_TO_POINTER (set_is_alike (fold, members, i) + 1));
    }
  for (guint i = 0; i < fold->groups->len; i++)
    {
      LsGraphFoldGroup *group = fold->groups->pdata[i];
      GArray *nodes = members->pdata[i];
      const guint *order = (const guint *) (gpointer) nodes->data;
      guint parts = group->part.n;
      gboolean alike = parts > 0 && g_hash_table_lookup (sets, GUINT_TO_POINTER (group->part.set)) == GINT_TO_POINTER (TRUE + 1);

      group->n = nodes->len;
      group->first = nodes->len > 0 ? order[0] : 0;
      group->cluster = nodes->len > 0 ? ls_graph_node (fold->self, order[0])->cluster : -1;
      group->title = parts > 1 && nodes->len > parts && nodes->len % parts == 0 && ls_graph_fold_alike (fold, order, parts, nodes->len / parts)
                       ? g_strdup_printf ("%s × %u", group->name, parts) : g_strdup (group->name);
      if (group->of_values)
        group->detail = g_strdup_printf (ls_translate_plural ("%u parameter", "%u parameters", nodes->len), nodes->len);
      else if (parts > 0)
        group->detail = ls_graph_fold_words (&group->part, alike, alike && group->is_open && parts == 1, nodes->len);
    }
}

LsGraph *
ls_graph_fold_groups_like (LsGraph    *self,
                           guint       limit,
                           GHashTable *open,
                           LsGraph    *before)
{
  g_autoptr (LsGraphFold) fold = NULL;
  g_autoptr (GHashTable) functions = NULL, keys = NULL;
  g_autoptr (LsGraph) folded = NULL;
  Like like;

  if (before == NULL || before->groups == NULL || limit == 0)
    return ls_graph_fold_groups (self, limit, open);
  fold = ls_graph_fold_new (self, limit, open);
  functions = g_hash_table_new (g_str_hash, g_str_equal);
  keys = g_hash_table_new (g_str_hash, g_str_equal);
  like = (Like) { fold, before, functions, keys };
  for (guint i = 0; i < before->whole->clusters->len; i++)
    if (ls_graph_cluster (before->whole, i)->parent < 0)
      g_hash_table_add (functions, ls_graph_cluster (before->whole, i)->key);
  take_groups (&like);
  if (!place_nodes (&like))
    return ls_graph_fold_groups (self, limit, open);
  tell_groups (fold);
  for (gint f = 0; f < (gint) self->clusters->len; f++)
    if (ls_graph_cluster (self, f)->parent < 0 && !g_hash_table_contains (functions, ls_graph_cluster (self, f)->key))
      ls_graph_fold_function (fold, f);
  folded = ls_graph_fold_finish (fold);
  if (folded->nodes->len > before->nodes->len + limit)  /* it has become so much more that the groups do not help */
    return ls_graph_fold_groups (self, limit, open);
  return g_steal_pointer (&folded);
}
