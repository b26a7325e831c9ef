/* fold-runs: where the names of weights say where a layer ends, a model is cut there.
 *
 * What names count ("layer3.7.conv1" is of "layer3.7") are the blocks that its maker wrote, and these need not be alike: in a ResNet the first
 * of each stage has a convolution more, and a period would cut all behind it in the middle.  Calls without a weight between two blocks are cut where the
 * fewest values go on: behind the sum that ends the one, before the mean with which the other begins to normalise.
 */
#include "engine/graph/fold-private.h"

#include <string.h>

#define DEEPEST 3               /* "stages.2.blocks.5.experts.1" */
#define LEAST_NODES 6           /* of a block, on the average: else it is a list of single layers */

static void
add_run (GArray *runs,
         guint   from,
         guint   to)
{
  LsGraphFoldRun run = { from, to - from };

  if (to > from)
    g_array_append_val (runs, run);
}

/* What follows the last block is not of it: as long as the one before it, where that is the same as far as it goes. */
static void
cut_end (LsGraphFold *fold,
         const guint *order,
         GArray      *runs)
{
  LsGraphFoldRun *last = runs->len > 1 ? &g_array_index (runs, LsGraphFoldRun, runs->len - 1) : NULL, *before = last != NULL ? last - 1 : NULL;
  guint same = 0;

  if (last == NULL || last->n <= before->n)
    return;
  while (same < before->n && fold->label[order[last->from + same]] == fold->label[order[before->from + same]])
    same++;
  last->n = same == before->n ? same : last->n;
}

/* How many values go over each place between two calls (and at both ends): those of calls before it, and inputs, that something behind it uses.  (transfer full) */
static gint *
count_values (LsGraphFold *fold,
              const guint *order,
              guint        n)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (fold->self, TRUE);
  g_autofree gint *place = g_new (gint, fold->self->nodes->len + 1);
  gint *counts = g_new0 (gint, n + 2);

  for (guint i = 0; i < fold->self->nodes->len; i++)
    place[i] = -1;
  for (guint i = 0; i < n; i++)
    place[order[i]] = (gint) i;
  for (guint i = 0; i < fold->self->nodes->len; i++)
    {
      gboolean goes_on = place[i] >= 0, is_value = ls_graph_node (fold->self, i)->kind == LS_GRAPH_NODE_VALUE && !ls_graph_is_weight_name (ls_graph_node (fold->self, i)->title);
      gint last = -1;

      for (guint k = users->start[i]; (goes_on || is_value) && k < users->start[i + 1]; k++)
        {
          LsGraphEdge *edge = ls_graph_edge (fold->self, users->edges[k]);

          goes_on = goes_on || edge->argument <= 0;     /* what comes from outside and is only a later argument is a weight */
          last = MAX (last, place[edge->to]);
        }
      if (!goes_on || last <= place[i])
        continue;
      counts[place[i] + 1]++;
      counts[last + 1]--;
    }
  for (guint i = 1; i <= n; i++)
    counts[i] += counts[i - 1];
  return counts;
}

/* The last of the places from `low` to `high` over which the fewest values go. */
static guint
narrowest (const gint *counts,
           guint       low,
           guint       high)
{
  guint best = high;

  for (guint at = high; at-- > low;)
    if (counts[at] < counts[best])
      best = at;
  return best;
}

/* The blocks by the paths up to the `level`th number; half of the weights have one, or there is none. */
static GArray *
runs_at (LsGraphFold *fold,
         const guint *order,
         guint        n,
         const gint  *counts,
         guint        level)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (LsGraphFoldRun));
  g_autofree char *now = NULL;          /* the path of the block that goes on; NULL: none does */
  guint from = 0, last = 0, n_paths = 0, n_numbered = 0;       /* last: behind the last call with a weight */

  for (guint i = 0; i < n; i++)
    {
      gboolean has_path = FALSE;
      g_autofree char *path = ls_graph_numbered_path (fold->self, fold->inputs, order[i], level, &has_path);

      n_paths += has_path;
      n_numbered += path != NULL;
      if (has_path && g_strcmp0 (path, now) != 0)
        {
          guint cut = narrowest (counts, last, i);

          if (now != NULL)
            add_run (runs, from, cut);
          from = cut;
          g_free (now);
          now = g_steal_pointer (&path);
        }
      last = has_path ? i + 1 : last;
    }
  if (now != NULL)
    add_run (runs, from, n);
  if (2 * n_numbered < n_paths)
    g_array_set_size (runs, 0);
  cut_end (fold, order, runs);
  return runs;
}

GArray *
ls_graph_fold_runs (LsGraphFold *fold,
                    const guint *order,
                    guint        n,
                    guint        budget)
{
  g_autofree gint *counts = count_values (fold, order, n);

  for (guint level = DEEPEST; level > 0; level--)
    {
      g_autoptr (GArray) runs = runs_at (fold, order, n, counts, level);
      guint inside = 0;

      for (guint i = 0; i < runs->len; i++)
        inside += g_array_index (runs, LsGraphFoldRun, i).n;
      if (runs->len > 1 && runs->len + (n - inside) <= budget && inside >= LEAST_NODES * runs->len && 4 * inside >= 3 * n)
        return g_steal_pointer (&runs);
    }
  return NULL;
}
