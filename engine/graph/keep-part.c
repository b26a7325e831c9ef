/* keep-part: what is not placed here but by the worker: functions that a pass made, and the inside of a group that was opened. */
#include "engine/graph/keep-private.h"

#define BESIDE 90.0f            /* between the picture and new functions */

void
ls_graph_kept_make_part (LsGraphKept *self)
{
  LsGraph *whole = self->after->whole;
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (LsGraphSize)), labels = g_array_new (FALSE, FALSE, sizeof (LsGraphSize)), titles = g_array_new (FALSE, FALSE, sizeof (LsGraphSize));

  for (guint i = 0; i < whole->clusters->len; i++)
    if (self->cluster_was[i] < 0)
      {
        const LsGraphCluster *cluster = ls_graph_cluster (whole, i);
        LsGraphSize title = self->titles != NULL ? self->titles[i] : (LsGraphSize) { 0, 0 };

        if (self->part == NULL)
          self->part = ls_graph_new (whole->kind);
        self->in_part[whole->nodes->len + i] = self->part->clusters->len;
        ls_graph_add_cluster (self->part, cluster->kind, cluster->parent >= 0 && self->cluster_was[cluster->parent] < 0 ? (gint) self->in_part[whole->nodes->len + (guint) cluster->parent] : -1, cluster->key, cluster->title, cluster->detail);
        g_array_append_val (titles, title);
      }
  if (self->part == NULL)
    return;
  for (guint i = 0; i < whole->nodes->len; i++)
    if (self->way[i] == LS_GRAPH_KEPT_APART)
      {
        gint home = ls_graph_node (whole, i)->cluster;

        self->in_part[i] = self->part->nodes->len;
        ls_graph_copy_node (self->part, ls_graph_node (whole, i))->cluster = (gint) self->in_part[whole->nodes->len + (guint) home];
        g_array_append_val (sizes, self->sizes[i]);
      }
  for (guint i = 0; i < whole->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (whole, i);

      if (self->way[edge->from] != LS_GRAPH_KEPT_APART || self->way[edge->to] != LS_GRAPH_KEPT_APART)
        continue;
      ls_graph_add_edge (self->part, edge->kind, self->in_part[edge->from], self->in_part[edge->to], edge->label, edge->type);
      if (self->labels != NULL)
        g_array_append_val (labels, self->labels[i]);
    }
  if (self->part->nodes->len > 0)
    self->asked = g_variant_ref_sink (ls_graph_layout_request (self->part, (LsGraphSize *) (gpointer) sizes->data, self->labels != NULL ? (LsGraphSize *) (gpointer) labels->data : NULL,
                                                               self->titles != NULL ? (LsGraphSize *) (gpointer) titles->data : NULL));
}

void
ls_graph_kept_measure (LsGraphLayout *layout)
{
  layout->width = layout->height = 0.0f;
  for (guint i = 0; i < layout->n_nodes + layout->n_clusters; i++)
    {
      const LsGraphBox *box = i < layout->n_nodes ? &layout->nodes[i] : &layout->clusters[i - layout->n_nodes];

      if (box->width <= 0.0f)
        continue;
      layout->width = MAX (layout->width, box->x + box->width);
      layout->height = MAX (layout->height, box->y + box->height);
    }
}

void
ls_graph_kept_place_part (LsGraphKept   *self,
                          LsGraphLayout *part)
{
  LsGraphLayout *layout = self->layout;
  gboolean below = layout->width > 1.6f * layout->height;       /* as makes the picture less long */
  float dx = below ? 0.0f : layout->width + BESIDE, dy = below ? layout->height + BESIDE : 0.0f;

  if (self->opened >= 0)
    {
      const LsGraphBox *inside = &part->clusters[self->in_part[layout->n_nodes + (guint) self->opened]];
      LsGraphBox room = ls_graph_kept_move (self, (LsGraphSize) { inside->width, inside->height });

      dx = room.x - inside->x;
      dy = room.y - inside->y;
    }

  for (guint i = 0; i < layout->n_nodes; i++)
    if (self->way[i] == LS_GRAPH_KEPT_APART)
      {
        const LsGraphBox *box = &part->nodes[self->in_part[i]];

        layout->nodes[i] = (LsGraphBox) { box->x + dx, box->y + dy, box->width, box->height };
      }
  for (guint i = 0; i < layout->n_clusters; i++)
    if (self->cluster_was[i] < 0)
      {
        const LsGraphBox *box = &part->clusters[self->in_part[layout->n_nodes + i]];

        layout->clusters[i] = box->width > 0.0f ? (LsGraphBox) { box->x + dx, box->y + dy, box->width, box->height } : *box;
      }
  for (guint i = 0; i < part->start[part->n_edges]; i++)
    part->points[i] = (LsGraphPoint) { part->points[i].x + dx, part->points[i].y + dy };
  for (guint i = 0; i < part->n_edges; i++)
    if (part->labels[i].x >= 0.0f)
      part->labels[i] = (LsGraphPoint) { part->labels[i].x + dx, part->labels[i].y + dy };
}
