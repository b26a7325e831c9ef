/* compare-known: what is known to have become what: variables of Relax by the notes of the passes, blocks and loops by their entity.  Nodes that
 * belong together through any of these are one match. */
#include "engine/graph/compare-private.h"

#include "engine/graph/follow.h"

/* What stands for a node in the other program, to be looked up there: its variable, or the number of its block; NULL: neither. */
static gpointer
known_as (const LsGraphNode *node)
{
  return node->entity != 0 ? GSIZE_TO_POINTER ((gsize) node->entity) : ls_graph_node_var (node);
}

static guint
root_of (guint *roots,
         guint  at)
{
  while (roots[at] != at)
    at = roots[at] = roots[roots[at]];
  return at;
}

/* Numbers of both sides, the right ones behind the left ones: those that belong together have one root. */
static guint *
known_groups (LsGraphCompare               *self,
              LsRelaxLineage *const *parts,
              guint                  n)
{
  guint n_left = self->left.graph->nodes->len, all = n_left + self->right.graph->nodes->len;
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  guint *roots = g_new (guint, all + 1);

  for (guint i = 0; i < all; i++)
    roots[i] = i;
  for (guint i = 0; i < self->right.graph->nodes->len; i++)
    if (known_as (ls_graph_node (self->right.graph, i)) != NULL)
      g_hash_table_insert (places, known_as (ls_graph_node (self->right.graph, i)), GUINT_TO_POINTER (n_left + i + 1));
  for (guint i = 0; i < n_left; i++)
    {
      const LsGraphNode *node = ls_graph_node (self->left.graph, i);
      g_autoptr (GPtrArray) now = node->entity == 0 && ls_graph_node_var (node) != NULL ? ls_relax_lineage_get (parts, n, ls_graph_node_var (node)) : g_ptr_array_new ();

      if (node->entity != 0)
        g_ptr_array_add (now, known_as (node));
      for (guint k = 0; k < now->len; k++)
        {
          guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, now->pdata[k]));

          if (place != 0 && (self->left.ops[i] != NULL) == (self->right.ops[place - 1 - n_left] != NULL))
            roots[root_of (roots, place - 1)] = root_of (roots, i);
        }
    }
  return roots;
}

static void
match_group (LsGraphCompare *self,
             GArray  *left,
             GArray  *right)
{
  guint last_left = g_array_index (left, guint, left->len - 1), last_right = g_array_index (right, guint, right->len - 1);
  LsGraphMatch *match;

  if (self->left.ops[last_left] == NULL)        /* values that come from outside */
    {
      self->left.mate[last_left] = (gint) last_right;
      self->right.mate[last_right] = (gint) last_left;
      return;
    }
  match = ls_graph_compare_put (self, left->len == 1 && right->len == 1 ? LS_GRAPH_MATCH_SAME : LS_GRAPH_MATCH_FUSED, last_left, last_right);
  match->is_known = TRUE;
  g_array_set_size (match->left, 0);
  g_array_set_size (match->right, 0);
  g_array_append_vals (match->left, left->data, left->len);
  g_array_append_vals (match->right, right->data, right->len);
  for (guint i = 0; i < left->len; i++)
    self->left.done[g_array_index (left, guint, i)] = TRUE;
  for (guint i = 0; i < right->len; i++)
    self->right.done[g_array_index (right, guint, i)] = TRUE;
}

void
ls_graph_compare_known (LsGraphCompare             *self,
             LsRelaxLineage *const *parts,
             guint                  n)
{
  guint n_left = self->left.graph->nodes->len, all = n_left + self->right.graph->nodes->len;
  g_autofree guint *roots = known_groups (self, parts, n);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_full (2 * all + 2, NULL);

  g_ptr_array_set_size (groups, (gint) (2 * all));
  for (guint i = 0; i < all; i++)
    {
      guint at = 2 * root_of (roots, i) + (i >= n_left), number = i >= n_left ? i - n_left : i;

      if (groups->pdata[at] == NULL)
        groups->pdata[at] = g_array_new (FALSE, FALSE, sizeof (guint));
      g_array_append_val ((GArray *) groups->pdata[at], number);
    }
  for (guint i = 0; i < all; i++)
    if (groups->pdata[2 * i] != NULL && groups->pdata[2 * i + 1] != NULL)
      match_group (self, groups->pdata[2 * i], groups->pdata[2 * i + 1]);
  for (guint i = 0; i < groups->len; i++)
    if (groups->pdata[i] != NULL)
      g_array_unref (groups->pdata[i]);
}
