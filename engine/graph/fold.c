/* fold: less to look at.
 *
 * Constants: a constant, or a parameter that is a weight of one call, becomes an attribute of its user.
 *
 * Groups: a group is a stretch of calls that follow each other in program order, so that what is between groups stays acyclic.
 * Stretches are chosen so: the period after which the names of calls repeat best (layers of a model) cuts the order into equal
 * parts; where nothing repeats, into parts of equal length.  When the parts are still too many, several of them make one.
 * An open group stands as a cluster, and is folded in itself when it is large.  Of parts that are alike one is opened for all: those before and
 * behind it become one group each, until they are opened too.  Cost: nodes times the longest period tried.
 */
#include "engine/graph/graph-private.h"

#include <string.h>

#define MAX_PERIOD 512
#define MAX_PARAMETERS 12

/* ---- constants -------------------------------------------------------------------- */

static gboolean
is_foldable (LsGraph     *self,
             LsGraphSide *users,
             guint        at,
             gboolean     parameters)
{
  LsGraphNode *node = ls_graph_node (self, at);
  guint n = users->start[at + 1] - users->start[at];
  LsGraphEdge *edge = n == 1 ? ls_graph_edge (self, users->edges[users->start[at]]) : NULL;

  if (node->kind == LS_GRAPH_NODE_CONSTANT)
    return n > 0;
  return parameters && node->kind == LS_GRAPH_NODE_VALUE && edge != NULL && edge->argument >= 1
         && ls_graph_node (self, edge->to)->kind == LS_GRAPH_NODE_CALL;
}

LsGraph *
ls_graph_fold_constants (LsGraph  *self,
                         gboolean  parameters)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (self, TRUE);
  g_autofree guint *numbers = g_new (guint, self->nodes->len + 1);
  LsGraph *folded = ls_graph_new (self->kind);

  folded->note = g_strdup (self->note);
  folded->functions = self->functions != NULL ? g_ptr_array_ref (self->functions) : NULL;
  for (guint i = 0; i < self->clusters->len; i++)
    {
      LsGraphCluster *cluster = ls_graph_cluster (self, i);

      ls_graph_add_cluster (folded, cluster->kind, cluster->parent, cluster->key, cluster->title, cluster->detail);
    }
  for (guint i = 0; i < self->nodes->len; i++)
    {
      numbers[i] = is_foldable (self, users, i, parameters) ? G_MAXUINT : folded->nodes->len;
      if (numbers[i] != G_MAXUINT)
        ls_graph_copy_node (folded, ls_graph_node (self, i));
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (self, i);
      LsGraphNode *from = ls_graph_node (self, edge->from);

      if (numbers[edge->from] != G_MAXUINT && numbers[edge->to] != G_MAXUINT)
        ls_graph_add_edge (folded, edge->kind, numbers[edge->from], numbers[edge->to], edge->label, edge->type)->argument = edge->argument;
      else if (numbers[edge->to] != G_MAXUINT)
        ls_graph_add_attribute (ls_graph_node (folded, numbers[edge->to]), from->title, from->type != NULL ? from->type : "constant");
    }
  return folded;
}

/* ---- groups: which nodes stand together ---------------------------------------------- */

typedef struct {
  LsGraph    *self;
  GHashTable *open;             /* or NULL */
  guint       limit;
  GPtrArray  *groups;           /* of Group */
  gint       *group;            /* node -> number of its group, -1: none */
  gint       *cluster;          /* node -> number of the open group around it, -1: none */
  guint32    *label;            /* node -> hash of what it is */
  LsGraphSide *inputs;
} Fold;

typedef struct {
  char  *key;
  char  *title;
  char  *detail;
  gint   parent;                /* the open group around it, -1: none */
  gint   cluster;               /* of its first member */
  guint  n;
  guint  first;                 /* its first member */
  gboolean is_open;
  guint  made;                  /* its node or cluster in the result */
} Group;

static void
group_free (gpointer data)
{
  Group *self = data;

  g_free (self->key);
  g_free (self->title);
  g_free (self->detail);
  g_free (self);
}

/* "matmul1" and "matmul" are the same work; so are "layer3.conv" and "layer4.conv". */
static guint32
label_of (const LsGraphNode *node)
{
  guint32 hash = 2166136261u;

  for (const char *at = node->title; *at != '\0'; at++)
    if (!g_ascii_isdigit (*at))
      hash = (hash ^ (guint8) *at) * 16777619u;
  return hash;
}

static void fold_order (Fold *fold, const guint *order, guint n, guint budget, gint parent);
static char *group_key (Fold *fold, const guint *order, guint n);

/* Are the parts the same: operators, types, and where each takes its values from, counted from the beginning of the part? */
static gboolean
parts_alike (Fold        *fold,
             const guint *order,
             guint        parts,
             guint        period)
{
  g_autoptr (GHashTable) at = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < parts * period; i++)
    g_hash_table_insert (at, GUINT_TO_POINTER (order[i]), GUINT_TO_POINTER (i + 1));
  for (guint i = period; i < parts * period; i++)
    {
      guint a = order[i - period], b = order[i];
      const guint *start = fold->inputs->start;
      guint n = start[a + 1] - start[a];

      if (fold->label[a] != fold->label[b] || g_strcmp0 (ls_graph_node (fold->self, a)->type, ls_graph_node (fold->self, b)->type) != 0
          || n != start[b + 1] - start[b])
        return FALSE;
      for (guint k = 0; k < n; k++)
        {
          guint from_a = ls_graph_edge (fold->self, fold->inputs->edges[start[a] + k])->from;
          guint from_b = ls_graph_edge (fold->self, fold->inputs->edges[start[b] + k])->from;
          guint in_a = GPOINTER_TO_UINT (g_hash_table_lookup (at, GUINT_TO_POINTER (from_a)));
          guint in_b = GPOINTER_TO_UINT (g_hash_table_lookup (at, GUINT_TO_POINTER (from_b)));

          if (in_a > 0 ? in_b != in_a + period : in_b > period)
            return FALSE;
        }
    }
  return TRUE;
}

static char *
group_title (Fold        *fold,
             const guint *order,
             guint        n,
             guint        period,
             guint        part)
{
  gboolean alike = period > 0 && n > period && parts_alike (fold, order, n / period, period);
  gboolean calls = ls_graph_node (fold->self, order[0])->kind == LS_GRAPH_NODE_CALL;
  g_autofree char *name = calls ? ls_graph_part_name (fold->self, fold->inputs, order, n, period, part) : NULL;
  GString *title = g_string_new (name);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint told = 0;

  for (guint i = 0; name == NULL && i < n && told < 4; i++)
    {
      LsGraphNode *node = ls_graph_node (fold->self, order[i]);

      if (!g_hash_table_add (seen, GUINT_TO_POINTER (fold->label[order[i]])))
        continue;
      if (told == 3)
        g_string_append (title, ", …");
      else
        g_string_append_printf (title, "%s%s", told > 0 ? ", " : "", node->title);
      told++;
    }
  if (alike)
    g_string_append_printf (title, " × %u", n / period);
  return g_string_free (title, FALSE);
}

static void
add_group (Fold        *fold,
           const guint *order,
           guint        n,
           gint         parent,
           char        *detail,         /* (transfer full), or NULL */
           guint        period,         /* of parts that repeat, else 0 */
           guint        part)           /* number of the first of them */
{
  Group *group = g_new0 (Group, 1);
  guint number = fold->groups->len;

  group->first = order[0];
  group->key = group_key (fold, order, n);
  group->title = group_title (fold, order, n, period, part);
  group->detail = detail;
  group->parent = parent;
  group->n = n;
  group->cluster = ls_graph_node (fold->self, order[0])->cluster;
  group->is_open = fold->open != NULL && g_hash_table_contains (fold->open, group->key);
  g_ptr_array_add (fold->groups, group);
  if (group->is_open)
    {
      for (guint i = 0; i < n; i++)
        fold->cluster[order[i]] = (gint) number;
      fold_order (fold, order, n, fold->limit, (gint) number);
      return;
    }
  for (guint i = 0; i < n; i++)
    fold->group[order[i]] = (gint) number;
}

/* The period at which labels repeat best, 0: they do not. */
static guint
find_period (Fold        *fold,
             const guint *order,
             guint        n)
{
  guint best = 0;
  double best_share = 0.75;

  for (guint p = 2; p <= MIN (n / 2, MAX_PERIOD); p++)
    {
      guint same = 0;

      for (guint i = 0; i + p < n; i++)
        same += fold->label[order[i]] == fold->label[order[i + p]];
      if ((double) same / (n - p) > best_share + 0.01)
        {
          best = p;
          best_share = (double) same / (n - p);
        }
    }
  return best;
}

/* The first place from which two periods are the same. */
static guint
find_start (Fold        *fold,
            const guint *order,
            guint        n,
            guint        period)
{
  for (guint at = 0; at + 2 * period <= n && at < period; at++)
    {
      guint same = 0;

      while (same < period && fold->label[order[at + same]] == fold->label[order[at + same + period]])
        same++;
      if (same == period)
        return at;
    }
  return 0;
}

static char *
group_key (Fold        *fold,
           const guint *order,
           guint        n)
{
  return g_strdup_printf ("group:%s:%u", ls_graph_node (fold->self, order[0])->key, n);
}

/* Of the parts that are alike, which are open: they show what all of them are. NULL: none is. (transfer full) */
static gboolean *
open_parts (Fold        *fold,
            const guint *order,
            guint        period,
            guint        repeats)
{
  g_autofree gboolean *open = g_new0 (gboolean, repeats);
  gboolean any = FALSE;

  for (guint i = 0; fold->open != NULL && i < repeats; i++)
    {
      g_autofree char *key = group_key (fold, order + i * period, period);

      open[i] = g_hash_table_contains (fold->open, key);
      any |= open[i];
    }
  return any ? g_steal_pointer (&open) : NULL;
}

/* How many parts from `at` on make one group: `together`, unless one that is open shows all; those between open ones are one group then. */
static guint
n_parts_at (const gboolean *open,       /* or NULL */
            guint           at,
            guint           repeats,
            guint           together)
{
  guint n = 1;

  if (open == NULL)
    return MIN (together, repeats - at);
  while (!open[at] && at + n < repeats && !open[at + n])
    n++;
  return n;
}

/* (transfer full) */
static char *
part_words (guint    first,
            guint    n,
            guint    repeats,
            gboolean alike,
            gboolean open,      /* it shows what all are */
            guint    n_nodes)
{
  if (open)
    return g_strdup_printf (ls_translate ("part %u, open for all × %u alike · %u nodes"), first, repeats, n_nodes);
  if (n > 1 && alike)
    return g_strdup_printf (ls_translate ("parts %u to %u of × %u alike · %u nodes"), first, first + n - 1, repeats, n_nodes);
  if (n > 1)
    return g_strdup_printf (ls_translate ("parts %u to %u of %u · %u nodes"), first, first + n - 1, repeats, n_nodes);
  if (alike)
    return g_strdup_printf (ls_translate ("part %u of × %u alike · %u nodes"), first, repeats, n_nodes);
  return g_strdup_printf (ls_translate ("part %u of %u · %u nodes"), first, repeats, n_nodes);
}

static void
fold_periods (Fold        *fold,
              const guint *order,
              guint        n,
              guint        budget,
              gint         parent,
              guint        period)
{
  guint start = find_start (fold, order, n, period);
  guint repeats = (n - start) / period;
  guint rest = start + (n - start) % period;
  guint together = 1;
  gboolean alike = repeats > 1 && parts_alike (fold, order + start, repeats, period);
  g_autofree gboolean *open = alike ? open_parts (fold, order + start, period, repeats) : NULL;

  while ((repeats + together - 1) / together + rest > budget && together < repeats)
    together++;
  if (start > budget / 4 && start > 1)
    add_group (fold, order, start, parent, NULL, 0, 0);
  for (guint number = 0, k; number < repeats; number += k)
    {
      k = n_parts_at (open, number, repeats, together);
      add_group (fold, order + start + number * period, k * period, parent,
                 part_words (number + 1, k, repeats, alike, open != NULL && open[number], k * period), period, number + 1);
    }
  rest = (n - start) % period;
  if (rest > budget / 4 && rest > 1)
    add_group (fold, order + n - rest, rest, parent, NULL, 0, 0);
}

static void
fold_order (Fold        *fold,
            const guint *order,
            guint        n,
            guint        budget,
            gint         parent)
{
  guint period, length;

  if (n <= budget || n < 2)
    return;
  period = find_period (fold, order, n);
  if (period > 0 && budget > 1)
    {
      fold_periods (fold, order, n, budget, parent, period);
      return;
    }
  length = (n + MAX (budget, 1) - 1) / MAX (budget, 1);
  for (guint at = 0; at < n; at += length)
    if (MIN (length, n - at) > 1)
      add_group (fold, order + at, MIN (length, n - at), parent, NULL, 0, 0);
}

/* ---- groups: the graph that is left ------------------------------------------------------ */

static gint
copy_cluster (LsGraph *to,
              Fold    *fold,
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
               Fold    *fold,
               gint     number,
               gint    *made)
{
  Group *group = fold->groups->pdata[number];

  if (group->made == 0)
    {
      gint outer = group->parent >= 0 ? group_cluster (to, fold, group->parent, made) : copy_cluster (to, fold, group->cluster, made);
      g_autofree char *plain = g_strdup_printf ("%u nodes", group->n);

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
            Fold    *fold,
            gint     number,
            gint    *made)
{
  Group *group = fold->groups->pdata[number];

  if (group->made == 0)
    {
      LsGraphNode *node = ls_graph_add_node (to, LS_GRAPH_NODE_GROUP, group->key, group->title);

      node->detail = group->detail != NULL ? g_strdup (group->detail) : g_strdup_printf ("%u nodes", group->n);
      node->n_members = group->n;
      node->function = g_strdup (ls_graph_node (fold->self, group->first)->function);
      node->cluster = group->parent >= 0 ? group_cluster (to, fold, group->parent, made) : copy_cluster (to, fold, group->cluster, made);
      group->made = to->nodes->len;
    }
  return group->made - 1;
}

static void
copy_edges (LsGraph     *to,
            Fold        *fold,
            const guint *place)
{
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
          g_array_index (counts, guint, GPOINTER_TO_UINT (at))++;
          continue;
        }
      if (folded)
        g_hash_table_insert (known, g_memdup2 (&pair, sizeof pair), GUINT_TO_POINTER (to->edges->len));
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
        edge->type = g_strdup_printf (ls_translate ("%u values"), g_array_index (counts, guint, i));
      }
}

static LsGraph *
build (Fold *fold)
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
      copy = ls_graph_copy_node (to, node);
      copy->cluster = fold->cluster[i] >= 0 ? group_cluster (to, fold, fold->cluster[i], made) : copy_cluster (to, fold, node->cluster, made);
    }
  copy_edges (to, fold, place);
  to->n_folded = self->nodes->len;
  to->whole = ls_graph_ref (self);
  to->shown = g_steal_pointer (&place);
  to->note = g_strdup_printf (ls_translate ("%'u nodes: folded to %u"), self->nodes->len, to->nodes->len);
  return to;
}

/* ---- groups: the whole --------------------------------------------------------------------- */

static gint
function_cluster (LsGraph *self,
                  guint    at)
{
  gint cluster = ls_graph_node (self, at)->cluster;

  while (cluster >= 0 && ls_graph_cluster (self, cluster)->parent >= 0)
    cluster = ls_graph_cluster (self, cluster)->parent;
  return cluster;
}

/* Parameters of a function that are too many to be shown one by one. */
static void
fold_parameters (Fold *fold,
                 gint  function)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < fold->self->nodes->len; i++)
    if (ls_graph_node (fold->self, i)->kind == LS_GRAPH_NODE_VALUE && fold->group[i] < 0 && function_cluster (fold->self, i) == function)
      g_array_append_val (order, i);
  if (order->len > MAX_PARAMETERS)
    add_group (fold, (const guint *) (gpointer) order->data, order->len, -1, g_strdup_printf (ls_translate ("%u parameters"), order->len), 0, 0);
}

static void
fold_function (Fold *fold,
               gint  function,
               guint budget)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < fold->self->nodes->len; i++)
    if (ls_graph_node (fold->self, i)->kind == LS_GRAPH_NODE_CALL && function_cluster (fold->self, i) == function)
      g_array_append_val (order, i);
  fold_order (fold, (const guint *) (gpointer) order->data, order->len, budget, -1);
}

/* A constant or parameter that only one group uses goes into it. */
static void
fold_into_users (Fold *fold)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (fold->self, TRUE);

  for (guint i = 0; i < fold->self->nodes->len; i++)
    {
      LsGraphNodeKind kind = ls_graph_node (fold->self, i)->kind;
      gint group = -1;

      if (kind != LS_GRAPH_NODE_CONSTANT && kind != LS_GRAPH_NODE_VALUE)
        continue;
      for (guint k = users->start[i]; k < users->start[i + 1]; k++)
        {
          gint at = fold->group[ls_graph_edge (fold->self, users->edges[k])->to];

          group = at < 0 || (k > users->start[i] && at != group) ? -2 : at;
          if (group < 0)
            break;
        }
      if (group < 0)
        continue;
      fold->group[i] = group;
      ((Group *) fold->groups->pdata[group])->n++;
    }
}

LsGraph *
ls_graph_fold_groups (LsGraph    *self,
                      guint       limit,
                      GHashTable *open)
{
  guint n = self->nodes->len;
  g_autoptr (GPtrArray) groups = NULL;
  g_autofree gint *group = NULL, *cluster = NULL;
  g_autofree guint32 *label = NULL;
  g_autofree guint *sizes = NULL;
  g_autoptr (LsGraphSide) inputs = NULL;
  Fold fold;

  if (n <= limit || limit == 0)
    return ls_graph_ref (self);
  groups = g_ptr_array_new_with_free_func (group_free);
  group = g_new (gint, n);
  cluster = g_new (gint, n);
  label = g_new (guint32, n);
  sizes = g_new0 (guint, self->clusters->len + 1);
  inputs = ls_graph_side (self, FALSE);
  fold = (Fold) { self, open, limit, groups, group, cluster, label, inputs };
  for (guint i = 0; i < n; i++)
    {
      group[i] = cluster[i] = -1;
      label[i] = label_of (ls_graph_node (self, i));
      if (ls_graph_node (self, i)->kind == LS_GRAPH_NODE_CALL)
        sizes[function_cluster (self, i) + 1]++;
    }
  for (gint f = -1; f < (gint) self->clusters->len; f++)
    if (f < 0 || ls_graph_cluster (self, f)->parent < 0)
      fold_function (&fold, f, MAX (1, (guint) ((guint64) limit * sizes[f + 1] / MAX (n, 1))));
  fold_into_users (&fold);
  for (gint f = -1; f < (gint) self->clusters->len; f++)
    if (f < 0 || ls_graph_cluster (self, f)->parent < 0)
      fold_parameters (&fold, f);
  return build (&fold);
}

LsGraph *
ls_graph_get_whole (LsGraph *self)
{
  return self->whole != NULL ? self->whole : self;
}

guint
ls_graph_get_shown (LsGraph *self,
                    guint    at)
{
  return self->shown != NULL ? self->shown[at] : at;
}
