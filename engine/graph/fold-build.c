/* fold-build: the graph that is left when the groups are chosen.  Groups stand where their first member stood, values between two groups are one edge. */
#include "engine/graph/fold-private.h"
#include "engine/base/plural.h"

static gint
copy_cluster (LsGraph *to,
              LsGraphFold    *fold,
              gint     cluster,
              gint    *made)
{
  LsGraphCluster *old;

  if (cluster < 0)
    return -1;
  if (made[cluster] < 0)
    {
      old = ls_graph_cluster (fold->self, cluster);
      made[cluster] = ls_graph_add_cluster (to, old->kind, copy_cluster (to, fold, old->parent, made), old->key, old->title, old->detail);
    }
  return made[cluster];
}

static gint
group_cluster (LsGraph *to,
               LsGraphFold    *fold,
               gint     number,
               gint    *made)
{
  LsGraphFoldGroup *group = fold->groups->pdata[number];

  if (group->made == 0)
    {
      gint outer = group->parent >= 0 ? group_cluster (to, fold, group->parent, made) : copy_cluster (to, fold, group->cluster, made);
      g_autofree char *plain = g_strdup_printf (ls_translate_plural ("%u node", "%u nodes", group->n), group->n);

      group->made = (guint) ls_graph_add_cluster (to, LS_GRAPH_CLUSTER_GROUP, outer, group->key, group->title, group->detail != NULL ? group->detail : plain) + 1;
    }
  return (gint) group->made - 1;
}

static void
add_numbers (LsGraphNumbers       *sum,
             const LsGraphNumbers *one)
{
  if (one->ns >= 0.0)
    sum->ns = MAX (sum->ns, 0.0) + one->ns;
  if (one->flop >= 0.0)
    sum->flop = MAX (sum->flop, 0.0) + one->flop;
  if (one->bytes >= 0.0)
    sum->bytes = MAX (sum->bytes, 0.0) + one->bytes;
}

static guint
group_node (LsGraph *to,
            LsGraphFold    *fold,
            gint     number,
            gint    *made)
{
  LsGraphFoldGroup *group = fold->groups->pdata[number];

  if (group->made == 0)
    {
      LsGraphNode *node = ls_graph_add_node (to, LS_GRAPH_NODE_GROUP, group->key, group->title);

      node->detail = group->detail != NULL ? g_strdup (group->detail) : g_strdup_printf (ls_translate_plural ("%u node", "%u nodes", group->n), group->n);
      node->n_members = group->n;
      node->function = g_strdup (ls_graph_node (fold->self, group->first)->function);
      node->cluster = group->parent >= 0 ? group_cluster (to, fold, group->parent, made) : copy_cluster (to, fold, group->cluster, made);
      group->made = to->nodes->len;
    }
  return group->made - 1;
}

/* A value that goes somewhere, however often it is used there. */
typedef struct {
  guint       from;
  guint       to;               /* in the folded graph */
  const char *label;            /* of what gives several, which */
} Value;

static guint
value_hash (gconstpointer data)
{
  const Value *value = data;

  return value->from * 2654435761u ^ value->to;
}

static gboolean
value_equal (gconstpointer a,
             gconstpointer b)
{
  const Value *one = a, *two = b;

  return one->from == two->from && one->to == two->to && g_strcmp0 (one->label, two->label) == 0;
}

static void
copy_edges (LsGraph     *to,
            LsGraphFold        *fold,
            const guint *place)
{
  g_autofree Value *values = g_new (Value, fold->self->edges->len + 1);
  g_autoptr (GHashTable) given = g_hash_table_new (value_hash, value_equal);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (guint));

  for (guint i = 0; i < fold->self->edges->len; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (fold->self, i);
      gint64 pair = ((gint64) place[edge->from] << 32) | place[edge->to];
      gboolean folded = fold->group[edge->from] >= 0 || fold->group[edge->to] >= 0;
      gpointer at;

      if (place[edge->from] == place[edge->to])
        continue;
      if (folded && g_hash_table_lookup_extended (known, &pair, NULL, &at))
        {
          values[i] = (Value) { edge->from, place[edge->to], edge->label };
          if (g_hash_table_add (given, &values[i]))
            g_array_index (counts, guint, GPOINTER_TO_UINT (at))++;
          continue;
        }
      if (folded)
        {
          g_hash_table_insert (known, g_memdup2 (&pair, sizeof pair), GUINT_TO_POINTER (to->edges->len));
          values[i] = (Value) { edge->from, place[edge->to], edge->label };
          g_hash_table_add (given, &values[i]);
        }
      ls_graph_add_edge (to, edge->kind, place[edge->from], place[edge->to], edge->label, edge->type)->argument = edge->argument;
      g_array_set_size (counts, to->edges->len);
      g_array_index (counts, guint, to->edges->len - 1) = 1;
    }
  for (guint i = 0; i < counts->len; i++)
    if (g_array_index (counts, guint, i) > 1)
      {
        LsGraphEdge *edge = ls_graph_edge (to, i);

        g_free (edge->label);
        edge->label = NULL;
        g_free (edge->type);
        edge->type = g_strdup_printf (ls_translate_plural ("%u value", "%u values", g_array_index (counts, guint, i)), g_array_index (counts, guint, i));
      }
}

/* What is an attribute of its user is shown by it. */
static void
put_weights (LsGraph     *to,
             LsGraphFold *fold,
             guint       *place)
{
  for (guint i = 0; i < fold->self->edges->len; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (fold->self, i);
      LsGraphNode *from = ls_graph_node (fold->self, edge->from);

      if (!fold->in_user[edge->from])
        continue;
      place[edge->from] = place[edge->to];
      ls_graph_add_attribute (ls_graph_node (to, place[edge->to]), from->title, from->type != NULL ? from->type : "");
    }
}

LsGraph *
ls_graph_fold_build (LsGraphFold *fold)
{
  LsGraph *self = fold->self, *to = ls_graph_new (self->kind);
  g_autofree guint *place = g_new (guint, self->nodes->len + 1);
  g_autofree gint *made = g_new (gint, self->clusters->len + 1);

  for (guint i = 0; i < self->clusters->len; i++)
    made[i] = -1;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (self, i), *copy;

      if (fold->group[i] >= 0)
        {
          place[i] = group_node (to, fold, fold->group[i], made);
          add_numbers (&ls_graph_node (to, place[i])->numbers, &node->numbers);
          continue;
        }
      place[i] = to->nodes->len;
      if (fold->in_user[i])
        continue;
      copy = ls_graph_copy_node (to, node);
      copy->cluster = fold->cluster[i] >= 0 ? group_cluster (to, fold, fold->cluster[i], made) : copy_cluster (to, fold, node->cluster, made);
    }
  put_weights (to, fold, place);
  copy_edges (to, fold, place);
  to->n_folded = self->nodes->len;
  to->whole = ls_graph_ref (self);
  to->shown = g_steal_pointer (&place);
  to->groups = g_ptr_array_ref (fold->groups);
  to->note = g_strdup_printf (ls_translate ("%'u nodes: folded to %u"), self->nodes->len, to->nodes->len);
  return to;
}

