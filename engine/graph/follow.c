/* follow: see the header. */
#include "engine/graph/follow.h"

#include "engine/relax/analysis.h"

#include <string.h>

LsRelaxVar *
ls_graph_node_var (const LsGraphNode *node)
{
  if (node->node == NULL)
    return NULL;
  if (ls_is_relax_var (node->node))
    return (LsRelaxVar *) node->node;
  return ls_is (node->node, VAR_BINDING) || ls_is (node->node, MATCH_CAST) ? ls_binding_var (node->node) : NULL;
}

/* Of each node of `after` the last node before that became it, -1: none is known; and which of those before became one. */
static gint *
find_origins (LsGraph        *before,
              LsGraph        *after,
              LsRelaxLineage *lineage,
              gboolean       *went)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  gint *origins = g_new (gint, after->nodes->len + 1);

  for (guint i = 0; i < after->nodes->len; i++)
    {
      LsRelaxVar *var = ls_graph_node_var (ls_graph_node (after, i));

      origins[i] = -1;
      if (var != NULL)
        g_hash_table_insert (places, var, GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < before->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (before, i);
      LsRelaxVar *var = ls_graph_node_var (node);
      g_autoptr (GPtrArray) now = var != NULL ? ls_relax_lineage_get (&lineage, 1, var) : NULL;
      gint last = -1;

      for (guint k = 0; now != NULL && k < now->len; k++)
        {
          gint at = (gint) GPOINTER_TO_UINT (g_hash_table_lookup (places, now->pdata[k])) - 1;

          if (at > last && ls_graph_node (after, at)->kind == node->kind && g_strcmp0 (ls_graph_node (after, at)->function, node->function) == 0)
            last = at;
        }
      if (last < 0)
        continue;
      origins[last] = (gint) i;
      went[i] = TRUE;
    }
  return origins;
}

static gboolean
is_known_before (GPtrArray  *earlier,
                 const char *key)
{
  for (guint i = 0; i < earlier->len; i++)
    if (ls_graph_find (earlier->pdata[i], key) >= 0)
      return TRUE;
  return FALSE;
}

/* One that no state before has, nor this one. (transfer full) */
static char *
free_key (GPtrArray  *earlier,
          GHashTable *taken,
          const char *key)
{
  char *free = g_strdup_printf ("%s~%u", key, earlier->len);

  while (is_known_before (earlier, free) || g_hash_table_contains (taken, free))
    {
      char *longer = g_strconcat (free, "'", NULL);

      g_free (free);
      free = longer;
    }
  return free;
}

/* "main/lv3#1", a constant of lv3, belongs to it under its new key. NULL: it belongs to none that got another. (transfer full) */
static char *
key_with_owner (GHashTable *renamed,
                const char *key)
{
  const char *sign = strrchr (key, '#');
  g_autofree char *owner = sign != NULL ? g_strndup (key, (gsize) (sign - key)) : NULL;
  const char *now = owner != NULL ? g_hash_table_lookup (renamed, owner) : NULL;

  return now != NULL ? g_strconcat (now, sign, NULL) : NULL;
}

static void
set_key (LsGraph    *graph,
         GHashTable *taken,
         GHashTable *renamed,   /* or NULL */
         guint       at,
         char       *key)       /* taken */
{
  LsGraphNode *node = ls_graph_node (graph, at);

  if (renamed != NULL && strcmp (node->key, key) != 0)
    g_hash_table_insert (renamed, g_strdup (node->key), key);
  g_free (node->key);
  node->key = key;
  g_hash_table_add (taken, key);
}

void
ls_graph_follow (GPtrArray      *earlier,
                 LsGraph        *after,
                 LsRelaxLineage *lineage)
{
  LsGraph *before = earlier->pdata[earlier->len - 1];
  g_autofree gboolean *went = g_new0 (gboolean, before->nodes->len + 1);
  g_autofree gint *origins = find_origins (before, after, lineage, went);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal), renamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_hash_table_remove_all (after->keys);
  for (guint i = 0; i < after->nodes->len; i++)
    if (origins[i] >= 0)
      set_key (after, taken, renamed, i, g_strdup (ls_graph_node (before, (guint) origins[i])->key));
  for (guint i = 0; i < after->nodes->len; i++)
    {
      const char *key = ls_graph_node (after, i)->key;
      gint was = ls_graph_find (before, key);
      g_autofree char *with_owner = origins[i] < 0 ? key_with_owner (renamed, key) : NULL;

      if (origins[i] >= 0)
        continue;
      if (with_owner != NULL && !g_hash_table_contains (taken, with_owner))
        set_key (after, taken, NULL, i, g_steal_pointer (&with_owner));
      else if (g_hash_table_contains (taken, key) || (was >= 0 && went[was]) || (was < 0 && is_known_before (earlier, key)))
        set_key (after, taken, renamed, i, free_key (earlier, taken, key));
      else
        set_key (after, taken, NULL, i, g_strdup (key));
    }
  for (guint i = 0; i < after->nodes->len; i++)
    g_hash_table_insert (after->keys, ls_graph_node (after, i)->key, GUINT_TO_POINTER (i));
}
