/* keep-place: places for new nodes among those that stay: below what they use and above what uses them, where there is room. */
#include "engine/graph/keep-private.h"

#include <math.h>
#include <string.h>

#define BELOW 50.0f             /* what it uses */
#define PADDING 12.0f
#define UPWARDS 300.0           /* what it counts when a line goes up, */
#define STRANGE 400.0           /* and standing in a frame that lies within the own one */

typedef struct {
  LsGraphKept *self;
  guint        place;
  float        above, below;    /* where what it uses ends, and what uses it begins; infinite: there is nothing */
} Candidate;

/* The frame with this box in it, and with room around it. */
static LsGraphBox
frame_with (const LsGraphBox *frame,
            const LsGraphBox *box,
            float             pad,
            const LsGraphSize *title)
{
  float above = pad + (title != NULL ? MAX (title->height, 0.0f) : 0.0f), below = pad + (title != NULL ? MAX (-title->height, 0.0f) : 0.0f);
  LsGraphBox need = { box->x - pad, box->y - above, box->width + 2.0f * pad, box->height + above + below };
  float x, y;

  if (frame->width <= 0.0f)
    return need;
  x = MIN (frame->x, need.x);
  y = MIN (frame->y, need.y);
  return (LsGraphBox) { x, y, MAX (frame->x + frame->width, need.x + need.width) - x, MAX (frame->y + frame->height, need.y + need.height) - y };
}

static gboolean
boxes_meet (const LsGraphBox *one,
            const LsGraphBox *two)
{
  return one->width > 0.0f && two->width > 0.0f && one->x < two->x + two->width && two->x < one->x + one->width && one->y < two->y + two->height
         && two->y < one->y + one->height;
}

/* May a frame become so large?  Not over what is not in it, but for what it lies over as it is. */
static gboolean
may_grow (LsGraphKept      *self,
          gint              cluster,
          const LsGraphBox *grown)
{
  LsGraph *whole = self->after->whole;
  const LsGraphBox *frame = &self->layout->clusters[cluster];
  LsGraphBox strips[] = { { grown->x, grown->y, frame->x - grown->x, grown->height },
                          { frame->x + frame->width, grown->y, grown->x + grown->width - frame->x - frame->width, grown->height },
                          { grown->x, grown->y, grown->width, frame->y - grown->y },
                          { grown->x, frame->y + frame->height, grown->width, grown->y + grown->height - frame->y - frame->height } };

  if (grown->x < 0.0f || grown->y < 0.0f)
    return FALSE;
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (boxes_meet (grown, &self->layout->clusters[i]) && !boxes_meet (frame, &self->layout->clusters[i]) && !ls_graph_kept_is_within (whole, (gint) i, cluster) && !ls_graph_kept_is_within (whole, cluster, (gint) i))
      return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (strips); k++)
    {
      g_autoptr (GArray) there = strips[k].width > 0.0f && strips[k].height > 0.0f ? ls_graph_room_inside (self->room, &strips[k]) : NULL;

      for (guint i = 0; there != NULL && i < there->len; i++)
        {
          guint place = g_array_index (there, guint, i);

          if (place < self->layout->n_nodes && !boxes_meet (frame, &self->layout->nodes[place]) && !ls_graph_kept_is_within (whole, ls_graph_node (whole, place)->cluster, cluster))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_candidate (const LsGraphBox *box,
                 double           *cost,
                 gpointer          data)
{
  Candidate *candidate = data;
  LsGraphKept *self = candidate->self;
  LsGraph *whole = self->after->whole;
  gint home = ls_graph_node (whole, candidate->place)->cluster;
  float pad = PADDING;

  if (box->x < 0.0f || box->y < 0.0f)
    return FALSE;
  if (box->y < candidate->above || box->y + box->height > candidate->below)
    *cost += UPWARDS;
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (boxes_meet (box, &self->layout->clusters[i]) && !ls_graph_kept_is_within (whole, home, (gint) i))
      {
        if (!ls_graph_kept_is_within (whole, (gint) i, home))
          return FALSE;
        *cost += STRANGE;
      }
  for (gint c = home; c >= 0; c = ls_graph_cluster (whole, c)->parent, pad += PADDING)
    {
      const LsGraphBox *frame = &self->layout->clusters[c];
      LsGraphBox grown = frame_with (frame, box, pad, self->titles != NULL ? &self->titles[c] : NULL);

      if (frame->width > 0.0f && memcmp (frame, &grown, sizeof grown) != 0 && !may_grow (self, c, &grown))
        return FALSE;
    }
  return TRUE;
}

static void
hold (LsGraphKept *self,
      guint        place)
{
  LsGraph *whole = self->after->whole;
  float pad = PADDING;

  for (gint c = ls_graph_node (whole, place)->cluster; c >= 0; c = ls_graph_cluster (whole, c)->parent, pad += PADDING)
    self->layout->clusters[c] = frame_with (&self->layout->clusters[c], &self->layout->nodes[place], pad, self->titles != NULL ? &self->titles[c] : NULL);
}

/* Below what it uses and above what uses it, in the middle of both, as far as those have places. FALSE: there is no room. */
static gboolean
place_one (LsGraphKept *self,
           guint        place)
{
  Candidate candidate = { self, place, -INFINITY, INFINITY };
  LsGraphBox box = { 0, 0, self->sizes[place].width, self->sizes[place].height };
  LsGraphSide *sides[] = { self->inputs, self->users };
  float middle[2] = { 0.0f, 0.0f };
  guint n[2] = { 0, 0 };

  for (guint k = 0; k < 2; k++)
    for (guint i = sides[k]->start[place]; i < sides[k]->start[place + 1]; i++)
      {
        const LsGraphEdge *edge = ls_graph_edge (self->after->whole, sides[k]->edges[i]);
        const LsGraphBox *other = &self->layout->nodes[k == 0 ? edge->from : edge->to];

        if (other->width <= 0.0f || edge->from == edge->to)
          continue;
        n[k]++;
        middle[k] += other->x + other->width / 2.0f;
        if (k == 0)
          candidate.above = MAX (candidate.above, other->y + other->height);
        else
          candidate.below = MIN (candidate.below, other->y);
      }
  if (n[0] + n[1] == 0)         /* nothing has to do with it: at the end */
    box.y = self->layout->height - box.height;
  else
    {
      box.x = (middle[0] + middle[1]) / (float) (n[0] + n[1]) - box.width / 2.0f;
      if (n[0] > 0 && n[1] > 0 && candidate.above < candidate.below)
        box.y = (candidate.above + candidate.below - box.height) / 2.0f;
      else if (n[0] > 0)
        box.y = candidate.above + BELOW;
      else
        box.y = candidate.below - BELOW - box.height;
    }
  if (!ls_graph_room_find (self->room, &box, check_candidate, &candidate))
    return FALSE;
  self->layout->nodes[place] = box;
  ls_graph_room_add (self->room, &box, place);
  hold (self, place);
  return TRUE;
}

gboolean
ls_graph_kept_place (LsGraphKept *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->layout->n_nodes; i++)
    any |= self->way[i] == LS_GRAPH_KEPT_LOOSE;
  for (guint i = 0; any && i < self->old->n_edges; i++)
    ls_graph_room_add_line (self->room, self->old->points + self->old->start[i], self->old->start[i + 1] - self->old->start[i]);
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == LS_GRAPH_KEPT_LOOSE && !place_one (self, i))
      return FALSE;
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == LS_GRAPH_KEPT_STAYS && self->was[i] >= 0 && memcmp (&self->layout->nodes[i], &self->old->nodes[self->was[i]], sizeof (LsGraphBox)) != 0)
      hold (self, i);
  return TRUE;
}
