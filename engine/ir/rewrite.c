/* rewrite: bottom-up replacement that keeps what does not change (GskRenderReplay's idea).
 *
 * A filter sees every node and returns a reference: the node, another one, NULL to drop it
 * from a list, or what ls_rewrite_default makes of it.  Did anything change?  Compare pointers.
 */
#include "engine/base/stack.h"
#include "engine/ir/ir-private.h"

#define MAX_INSIDE 16u          /* children that need no memory of their own while they are rewritten */

typedef struct {
  LsRewriter *self;
  LsNode     *node, *result;
} Again;

static void
rewrite_again (gpointer data)
{
  Again *again = data;

  again->result = ls_rewrite (again->self, again->node);
}

/* What comes in the place of a node comes from the same place of the text, unless it has one of its own or others have it too. */
static void
keep_place (LsNode *node,
            LsNode *result)
{
  if (result != NULL && result != node && result->span.source == 0 && node->span.source != 0 && (result->klass->flags & LS_CLASS_IDENTITY) == 0
      && g_atomic_ref_count_compare (&result->refs, 1))
    result->span = node->span;
}

LsNode *
ls_rewrite (LsRewriter *self,
            gpointer    node)
{
  LsNode *result;

  if (node == NULL)
    return NULL;
  if (ls_stack_is_short ())
    {
      Again again = { self, node, NULL };

      ls_stack_extend (rewrite_again, &again);
      return again.result;
    }
  if (self->memo != NULL)
    {
      LsNode *known = g_hash_table_lookup (self->memo, node);

      if (known != NULL)
        return ls_node_ref (known);
    }
  result = self->filter (self, node, self->user_data);
  keep_place (node, result);
  if (self->on_replace != NULL && result != node)
    self->on_replace (node, result, self->user_data);
  if (self->memo != NULL && result != NULL)
    g_hash_table_insert (self->memo, ls_node_ref (node), ls_node_ref (result));
  return result;
}

static LsNode *
rewrite_array (LsRewriter *self,
               LsArray    *array)
{
  LsNode *inside[MAX_INSIDE];
  g_autofree LsNode **more = array->n > MAX_INSIDE ? g_new (LsNode *, array->n) : NULL;
  LsNode **items = more != NULL ? more : inside;
  gboolean changed = FALSE;
  guint n = 0;

  for (guint i = 0; i < array->n; i++)
    {
      LsNode *item = ls_rewrite (self, array->items[i]);

      changed = changed || item != array->items[i];
      if (item != NULL || array->items[i] == NULL)
        items[n++] = item;
    }
  if (changed)
    return LS_NODE (ls_array_new (items, n));
  for (guint i = 0; i < n; i++)
    ls_node_unref (items[i]);
  return ls_node_ref (LS_NODE (array));
}

LsNode *
ls_rewrite_default (LsRewriter *self,
                    gpointer    node)
{
  LsNode *inside[MAX_INSIDE];
  g_autofree LsNode **more = NULL;
  LsNode **children = inside;
  gboolean changed = FALSE;
  guint n;

  if (node == NULL)
    return NULL;
  if (ls_is (node, ARRAY))
    return rewrite_array (self, node);
  if (LS_NODE (node)->klass->flags & LS_CLASS_IDENTITY)
    return ls_node_ref (node);
  n = ls_node_list_children (node, inside, MAX_INSIDE);
  if (n > MAX_INSIDE)
    {
      children = more = g_new (LsNode *, n);
      ls_node_list_children (node, more, n);
    }
  for (guint i = 0; i < n; i++)
    {
      LsNode *before = children[i];

      children[i] = before != NULL ? ls_rewrite (self, before) : NULL;
      changed |= children[i] != before;
    }
  if (changed)
    return ls_node_take_children (node, children);
  for (guint i = 0; i < n; i++)
    if (children[i] != NULL)
      ls_node_unref (children[i]);
  return ls_node_ref (node);
}

LsNode *
ls_rewrite_with (gpointer      node,
                 LsRewriteFunc filter,
                 gpointer      user_data)
{
  LsRewriter self = { filter, user_data, NULL, NULL };

  return ls_rewrite (&self, node);
}

typedef struct {
  GHashTable *map;
  guint32     inside;           /* facts of the keys */
} Substitution;

static LsNode *
substitute_filter (LsRewriter *self,
                   LsNode     *node,
                   gpointer    user_data)
{
  Substitution *substitution = user_data;
  LsNode *known;

  if (!(node->facts & substitution->inside))
    return ls_node_ref (node);
  if (!(node->klass->flags & LS_CLASS_IDENTITY))
    return ls_rewrite_default (self, node);
  known = g_hash_table_lookup (substitution->map, node);
  return ls_node_ref (known != NULL ? known : node);
}

/* So many have about all the bits there are, and small things are asked about with large maps. */
#define MANY_KEYS 100

guint32
ls_facts_of_keys (GHashTable *map)
{
  GHashTableIter iter;
  gpointer key;
  guint32 facts = 0;

  if (g_hash_table_size (map) > MANY_KEYS)
    return LS_FACTS_INSIDE;
  g_hash_table_iter_init (&iter, map);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    facts |= LS_NODE (key)->facts;
  return facts & LS_FACTS_INSIDE;
}

LsNode *
ls_substitute (gpointer    node,
               GHashTable *map)
{
  Substitution substitution = { map, 0 };

  if (node == NULL)
    return NULL;
  substitution.inside = ls_facts_of_keys (map);
  if (!(LS_NODE (node)->facts & substitution.inside))
    return ls_node_ref (node);
  return ls_rewrite_with (node, substitute_filter, &substitution);
}

LsNode *
ls_substitute_one (gpointer node,
                   gpointer from,
                   gpointer to)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);

  g_hash_table_insert (map, from, to);
  return ls_substitute (node, map);
}
