/* fold: less to look at.
 *
 * Constants: a constant, or a parameter that is a weight of one call, becomes an attribute of its user.
 *
 * Groups: a group is a stretch of calls that follow each other in program order, so that what is between groups stays acyclic.
 * Stretches are chosen so: the period after which the names of calls repeat best (layers of a model) cuts the order into equal
 * parts; where nothing repeats, into parts of equal length.  What the names of weights say of layers comes before both (fold-runs.c).  When the parts are still too many, several of them make one.
 * In a graph that is folded so, a weight of a call that is shown is an attribute of it, too.
 * An open group stands as a cluster, and is folded in itself when it is large.  Of parts that are alike one is opened for all: those before and
 * behind it become one group each, until they are opened too.  Cost: nodes times the longest period tried.
 */
#include "engine/graph/fold-private.h"
#include "engine/base/plural.h"

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

static void
group_free (gpointer data)
{
  LsGraphFoldGroup *self = data;

  g_free (self->key);
  g_free (self->name);
  g_free (self->title);
  g_free (self->detail);
  g_free (self);
}

LsGraphFoldGroup *
ls_graph_fold_add_group (LsGraphFold *self,
                         const char  *key)
{
  LsGraphFoldGroup *group = g_new0 (LsGraphFoldGroup, 1);

  group->key = g_strdup (key);
  group->parent = group->cluster = -1;
  g_ptr_array_add (self->groups, group);
  return group;
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

static void fold_order (LsGraphFold *fold, const guint *order, guint n, guint budget, gint parent);
static char *group_key (LsGraphFold *fold, const guint *order, guint n);

gboolean
ls_graph_fold_alike (LsGraphFold *fold,
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

/* (transfer full) */
static char *
group_name (LsGraphFold *fold,
            const guint *order,
            guint        n,
            guint        period,
            guint        part)
{
  LsGraphNode *first = ls_graph_node (fold->self, order[0]), *last = ls_graph_node (fold->self, order[n - 1]);
  gboolean calls = first->kind == LS_GRAPH_NODE_CALL;
  char *name = calls ? ls_graph_part_name (fold->self, fold->inputs, order, n, period, part) : NULL;
  g_autoptr (GHashTable) seen = NULL;
  GString *title;
  guint told = 0;

  if (name != NULL)
    return name;
  seen = g_hash_table_new (NULL, NULL);
  title = g_string_new (NULL);
  for (guint i = 0; i < n && told < 4; i++)
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
  if (calls && period > 0)
    {
      if (n > period)
        g_string_append_printf (title, " %u–%u", part, part + n / period - 1);
      else
        g_string_append_printf (title, " %u", part);
    }
  else if (calls && n > 1 && first->name != NULL && last->name != NULL)
    g_string_append_printf (title, " · %s–%s", first->name, last->name);
  return g_string_free (title, FALSE);
}

static void
add_group (LsGraphFold *fold,
           const guint *order,
           guint        n,
           gint         parent,
           char        *detail,         /* (transfer full), or NULL */
           guint        period,         /* of parts that repeat, else 0 */
           const LsGraphFoldPart *part) /* or NULL */
{
  g_autofree char *key = group_key (fold, order, n);
  guint number = fold->groups->len;
  LsGraphFoldGroup *group = ls_graph_fold_add_group (fold, key);

  group->first = order[0];
  group->part = part != NULL ? *part : (LsGraphFoldPart) { 0, 0, 0, 0 };
  group->name = group_name (fold, order, n, period, group->part.first);
  group->title = period > 0 && n > period && ls_graph_fold_alike (fold, order, n / period, period) ? g_strdup_printf ("%s × %u", group->name, n / period) : g_strdup (group->name);
  group->detail = detail;
  group->parent = parent;
  group->n = n;
  group->cluster = ls_graph_node (fold->self, order[0])->cluster;
  group->is_open = fold->open != NULL && g_hash_table_contains (fold->open, group->key);
  group->of_values = ls_graph_node (fold->self, order[0])->kind == LS_GRAPH_NODE_VALUE;
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
find_period (LsGraphFold        *fold,
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
find_start (LsGraphFold        *fold,
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
group_key (LsGraphFold        *fold,
           const guint *order,
           guint        n)
{
  return g_strdup_printf ("group:%s:%u", ls_graph_node (fold->self, order[0])->key, n);
}

/* Of the parts that are alike, which are open: they show what all of them are. NULL: none is. (transfer full) */
static gboolean *
open_parts (LsGraphFold        *fold,
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

char *
ls_graph_fold_words (const LsGraphFoldPart *part,
                     gboolean               alike,
                     gboolean               open,
                     guint                  n_nodes)
{
  guint first = part->first, n = part->n, repeats = part->repeats;

  if (open)
    return g_strdup_printf (ls_translate_plural ("× %u alike · part %u, open for all · %u node", "× %u alike · part %u, open for all · %u nodes", n_nodes), repeats, first, n_nodes);
  if (n > 1 && alike)
    return g_strdup_printf (ls_translate_plural ("× %u alike · parts %u to %u · %u node", "× %u alike · parts %u to %u · %u nodes", n_nodes), repeats, first, first + n - 1, n_nodes);
  if (n > 1)
    return g_strdup_printf (ls_translate_plural ("parts %u to %u of %u · %u node", "parts %u to %u of %u · %u nodes", n_nodes), first, first + n - 1, repeats, n_nodes);
  if (alike)
    return g_strdup_printf (ls_translate_plural ("× %u alike · part %u · %u node", "× %u alike · part %u · %u nodes", n_nodes), repeats, first, n_nodes);
  return g_strdup_printf (ls_translate_plural ("part %u of %u · %u node", "part %u of %u · %u nodes", n_nodes), first, repeats, n_nodes);
}

static void
fold_periods (LsGraphFold        *fold,
              const guint *order,
              guint        n,
              guint        budget,
              gint         parent,
              guint        period)
{
  guint start = find_start (fold, order, n, period);
  guint repeats = (n - start) / period;
  guint rest = start + (n - start) % period;
  guint together = 1, set;
  gboolean alike = repeats > 1 && ls_graph_fold_alike (fold, order + start, repeats, period);
  g_autofree gboolean *open = alike ? open_parts (fold, order + start, period, repeats) : NULL;

  while ((repeats + together - 1) / together + rest > budget && together < repeats)
    together++;
  if (start > budget / 4 && start > 1)
    add_group (fold, order, start, parent, NULL, 0, NULL);
  set = fold->groups->len;
  for (guint number = 0, k; number < repeats; number += k)
    {
      LsGraphFoldPart part = { number + 1, 0, repeats, set };

      part.n = k = n_parts_at (open, number, repeats, together);
      add_group (fold, order + start + number * period, k * period, parent, ls_graph_fold_words (&part, alike, open != NULL && open[number], k * period), period, &part);
    }
  rest = (n - start) % period;
  if (rest > budget / 4 && rest > 1)
    add_group (fold, order + n - rest, rest, parent, NULL, 0, NULL);
}

/* Are the calls of both the same work, in the same order? */
static gboolean
are_runs_alike (LsGraphFold          *fold,
                const guint          *order,
                const LsGraphFoldRun *a,
                const LsGraphFoldRun *b)
{
  gboolean same = a->n == b->n && a->from + a->n == b->from;

  for (guint i = 0; same && i < a->n; i++)
    same = fold->label[order[a->from + i]] == fold->label[order[b->from + i]];
  return same;
}

/* Blocks that the names say: those that are alike and follow each other repeat, as with a period. */
static void
fold_runs (LsGraphFold *fold,
           const guint *order,
           guint        n,
           guint        budget,
           gint         parent,
           GArray      *runs)
{
  const LsGraphFoldRun *all = (const LsGraphFoldRun *) (gpointer) runs->data;
  guint end = 0;

  for (guint i = 0, k; i < runs->len; i += k)
    {
      const LsGraphFoldRun *run = &all[i];

      if (run->from - end > budget / 4 && run->from - end > 1)
        add_group (fold, order + end, run->from - end, parent, NULL, 0, NULL);
      for (k = 1; i + k < runs->len && are_runs_alike (fold, order, run + k - 1, run + k); k++)
        continue;
      end = run->from + k * run->n;
      if (k > 1)
        fold_periods (fold, order + run->from, k * run->n, G_MAXUINT, parent, run->n);
      else
        add_group (fold, order + run->from, run->n, parent, NULL, 0, NULL);
    }
  if (n - end > budget / 4 && n - end > 1)
    add_group (fold, order + end, n - end, parent, NULL, 0, NULL);
}

static void
fold_order (LsGraphFold        *fold,
            const guint *order,
            guint        n,
            guint        budget,
            gint         parent)
{
  g_autoptr (GArray) runs = n <= budget || n < 2 ? NULL : ls_graph_fold_runs (fold, order, n, budget);
  guint period, length;

  if (n <= budget || n < 2)
    return;
  if (runs != NULL)
    {
      fold_runs (fold, order, n, budget, parent, runs);
      return;
    }
  period = find_period (fold, order, n);
  if (period > 0 && budget > 1)
    {
      fold_periods (fold, order, n, budget, parent, period);
      return;
    }
  length = (n + MAX (budget, 1) - 1) / MAX (budget, 1);
  for (guint at = 0; at < n; at += length)
    if (MIN (length, n - at) > 1)
      add_group (fold, order + at, MIN (length, n - at), parent, NULL, 0, NULL);
}

/* ---- groups: the whole --------------------------------------------------------------------- */

gint
ls_graph_fold_function_of (LsGraph *self,
                           guint    at)
{
  gint cluster = ls_graph_node (self, at)->cluster;

  while (cluster >= 0 && ls_graph_cluster (self, cluster)->parent >= 0)
    cluster = ls_graph_cluster (self, cluster)->parent;
  return cluster;
}

/* Parameters of a function that are too many to be shown one by one. */
static void
fold_parameters (LsGraphFold *fold,
                 gint  function)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < fold->self->nodes->len; i++)
    if (ls_graph_node (fold->self, i)->kind == LS_GRAPH_NODE_VALUE && fold->group[i] < 0 && !fold->in_user[i] && ls_graph_fold_function_of (fold->self, i) == function)
      g_array_append_val (order, i);
  if (order->len > MAX_PARAMETERS)
    add_group (fold, (const guint *) (gpointer) order->data, order->len, -1, g_strdup_printf (ls_translate_plural ("%u parameter", "%u parameters", order->len), order->len), 0, NULL);
}

void
ls_graph_fold_function (LsGraphFold *self,
                        gint         function)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->self->nodes->len; i++)
    if (ls_graph_node (self->self, i)->kind == LS_GRAPH_NODE_CALL && ls_graph_fold_function_of (self->self, i) == function)
      g_array_append_val (order, i);
  fold_order (self, (const guint *) (gpointer) order->data, order->len, MAX (1, (guint) ((guint64) self->limit * order->len / MAX (self->self->nodes->len, 1))), -1);
}

/* A constant or parameter that only one group uses goes into it. */
static void
fold_into_users (LsGraphFold *fold)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (fold->self, TRUE);

  for (guint i = 0; i < fold->self->nodes->len; i++)
    {
      LsGraphNodeKind kind = ls_graph_node (fold->self, i)->kind;
      gint group = -1;

      if ((kind != LS_GRAPH_NODE_CONSTANT && kind != LS_GRAPH_NODE_VALUE) || fold->group[i] >= 0)
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
      ((LsGraphFoldGroup *) fold->groups->pdata[group])->n++;
    }
}

/* A weight of a call that is shown for itself is said of it: as a node it would have a line from afar into an open group. */
static void
fold_weights (LsGraphFold *fold)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (fold->self, TRUE);

  for (guint i = 0; i < fold->self->nodes->len; i++)
    fold->in_user[i] = fold->group[i] < 0 && ls_graph_node (fold->self, i)->kind == LS_GRAPH_NODE_VALUE && is_foldable (fold->self, users, i, TRUE);
}

LsGraphFold *
ls_graph_fold_new (LsGraph    *self,
                   guint       limit,
                   GHashTable *open)
{
  LsGraphFold *fold = g_new (LsGraphFold, 1);
  guint n = self->nodes->len;

  *fold = (LsGraphFold) { self, open, limit, g_ptr_array_new_with_free_func (group_free), g_new (gint, n + 1), g_new (gint, n + 1), g_new (guint32, n + 1), ls_graph_side (self, FALSE), g_new0 (gboolean, n + 1) };
  for (guint i = 0; i < n; i++)
    {
      fold->group[i] = fold->cluster[i] = -1;
      fold->label[i] = label_of (ls_graph_node (self, i));
    }
  return fold;
}

void
ls_graph_fold_free (LsGraphFold *self)
{
  g_ptr_array_unref (self->groups);
  g_free (self->group);
  g_free (self->cluster);
  g_free (self->label);
  ls_graph_side_free (self->inputs);
  g_free (self->in_user);
  g_free (self);
}

LsGraph *
ls_graph_fold_finish (LsGraphFold *self)
{
  fold_into_users (self);
  fold_weights (self);
  for (gint f = -1; f < (gint) self->self->clusters->len; f++)
    if (f < 0 || ls_graph_cluster (self->self, f)->parent < 0)
      fold_parameters (self, f);
  return ls_graph_fold_build (self);
}

LsGraph *
ls_graph_fold_groups (LsGraph    *self,
                      guint       limit,
                      GHashTable *open)
{
  g_autoptr (LsGraphFold) fold = NULL;

  if (self->nodes->len <= limit || limit == 0)
    return ls_graph_ref (self);
  fold = ls_graph_fold_new (self, limit, open);
  for (gint f = -1; f < (gint) self->clusters->len; f++)
    if (f < 0 || ls_graph_cluster (self, f)->parent < 0)
      ls_graph_fold_function (fold, f);
  return ls_graph_fold_finish (fold);
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
