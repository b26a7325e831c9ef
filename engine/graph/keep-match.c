/* keep-match: which places of two series are the same, and what is new.  A group that is a frame now was opened, a frame that is a group was closed. */
#include "engine/graph/keep-private.h"

#include <string.h>

#define MOST_NEW 4              /* of four nodes that stay one may be new */

gboolean
ls_graph_kept_is_within (LsGraph *graph,
                         gint     cluster,
                         gint     outer)
{
  while (cluster >= 0 && cluster != outer)
    cluster = ls_graph_cluster (graph, cluster)->parent;
  return cluster == outer;
}

static gboolean
keys_alike (LsGraph *a,
            LsGraph *b)
{
  if (a->kind != b->kind || a->nodes->len != b->nodes->len)
    return FALSE;
  for (guint i = 0; i < a->nodes->len; i++)
    if (strcmp (ls_graph_node (a, i)->key, ls_graph_node (b, i)->key) != 0)
      return FALSE;
  return TRUE;
}

/* The same program; it may be folded another way. */
static gboolean
begin_alike (LsGraph *a,
             LsGraph *b)
{
  return keys_alike (a, b) || ((a->whole != NULL || b->whole != NULL) && keys_alike (ls_graph_get_whole (a), ls_graph_get_whole (b)));
}

static void
match_places (LsGraphKept *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gboolean *taken = g_new0 (gboolean, self->old->n_nodes + 1);

  for (guint s = 0; s < self->before->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (self->before, s);

      for (guint i = 0; i < state->graph->nodes->len; i++)
        g_hash_table_insert (known, ls_graph_node (state->graph, i)->key, GUINT_TO_POINTER (state->places[i] + 1));
    }
  for (guint i = 0; i < self->after->whole->nodes->len; i++)
    self->was[i] = -1;
  for (guint s = 0; s < self->after->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (self->after, s);

      for (guint i = 0; i < state->graph->nodes->len; i++)
        {
          guint place = state->places[i], old = GPOINTER_TO_UINT (g_hash_table_lookup (known, ls_graph_node (state->graph, i)->key));

          if (self->was[place] >= 0 || old == 0 || taken[old - 1] || self->old->nodes[old - 1].width <= 0.0f)
            continue;
          self->was[place] = (gint) old - 1;
          taken[old - 1] = TRUE;
        }
    }
}

/* The group that was opened, and its place before. FALSE: there are several. */
static gboolean
find_opened (LsGraphKept *self)
{
  for (guint i = 0; i < self->after->whole->clusters->len; i++)
    {
      const LsGraphCluster *cluster = ls_graph_cluster (self->after->whole, i);
      gint was = self->cluster_was[i] < 0 && cluster->kind == LS_GRAPH_CLUSTER_GROUP ? ls_graph_find (self->before->whole, cluster->key) : -1;

      if (was < 0 || self->old->nodes[was].width <= 0.0f)
        continue;
      if (self->opened >= 0)
        return FALSE;
      self->opened = (gint) i;
      self->gap = self->old->nodes[was];
    }
  return TRUE;
}

/* The group that was closed, and the frame that it was. FALSE: there are several. */
static gboolean
find_closed (LsGraphKept *self)
{
  for (guint i = 0; i < self->before->whole->clusters->len; i++)
    {
      const LsGraphCluster *cluster = ls_graph_cluster (self->before->whole, i);
      gint now = cluster->kind == LS_GRAPH_CLUSTER_GROUP ? ls_graph_find (self->after->whole, cluster->key) : -1;

      if (now < 0 || self->was[now] >= 0 || self->old->clusters[i].width <= 0.0f)
        continue;
      if (self->closed >= 0)
        return FALSE;
      self->closed = now;
      self->gap = self->old->clusters[i];
    }
  return TRUE;
}

/* FALSE: a part of something that was there is new, and it is no group that was opened. */
static gboolean
match_clusters (LsGraphKept *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  LsGraph *old = self->before->whole, *whole = self->after->whole;

  for (guint i = 0; i < old->clusters->len; i++)
    g_hash_table_insert (known, ls_graph_cluster (old, i)->key, GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < whole->clusters->len; i++)
    {
      const LsGraphCluster *cluster = ls_graph_cluster (whole, i);

      self->cluster_was[i] = (gint) GPOINTER_TO_UINT (g_hash_table_lookup (known, cluster->key)) - 1;
    }
  if (!find_opened (self) || !find_closed (self) || (self->opened >= 0 && self->closed >= 0))
    return FALSE;
  for (guint i = 0; i < whole->clusters->len; i++)
    {
      gint parent = ls_graph_cluster (whole, i)->parent;

      if (parent >= 0 && (self->cluster_was[i] < 0) != (self->cluster_was[parent] < 0) && (gint) i != self->opened)
        return FALSE;
      if (self->opened >= 0 && self->cluster_was[i] < 0 && !ls_graph_kept_is_within (whole, (gint) i, self->opened))
        return FALSE;
    }
  return TRUE;
}

/* FALSE: too little stays. */
static gboolean
choose_ways (LsGraphKept *self)
{
  guint n_loose = 0, n_stay = 0;

  for (guint i = 0; i < self->after->whole->nodes->len; i++)
    {
      gint home = ls_graph_node (self->after->whole, i)->cluster;

      if (home >= 0 && self->cluster_was[home] < 0)
        {
          if (self->was[i] >= 0)        /* it moved into what is new */
            return FALSE;
          self->way[i] = LS_GRAPH_KEPT_APART;
          continue;
        }
      self->way[i] = self->was[i] >= 0 || (gint) i == self->closed ? LS_GRAPH_KEPT_STAYS : LS_GRAPH_KEPT_LOOSE;
      n_loose += self->way[i] == LS_GRAPH_KEPT_LOOSE;
      n_stay += self->way[i] == LS_GRAPH_KEPT_STAYS;
    }
  return n_stay > 0 && n_loose * MOST_NEW <= n_stay && n_stay * 2 >= self->old->n_nodes;
}

gboolean
ls_graph_kept_match (LsGraphKept *self)
{
  if (!begin_alike (ls_graph_series_state (self->before, 0)->graph, ls_graph_series_state (self->after, 0)->graph))
    return FALSE;
  match_places (self);
  return match_clusters (self) && choose_ways (self);
}
