/* keep-open: room where a group is opened, and none where one is closed.
 *
 * What stands below it in its column moves down as far as the frame is higher than the group was, and what stands below that; what is left and right of
 * the column moves aside as far as the frame is wider than there is room.  All that moves in one direction moves equally far, so that neither
 * columns nor rows are torn.  A frame in which the group does not lie is moved as one; those around it grow and shrink with what is in them.
 * Closing is the other way round, as far as nothing comes too near.  Cost: the square of what is shown, and that is folded.
 */
#include "engine/graph/keep-private.h"

#include <math.h>

#define BESIDE 40.0f            /* between the frame and what is beside it */
#define BELOW 30.0f             /* what is left between two when a group is closed */

/* What moves as one: a node, or a frame with all that is in it. */
typedef struct {
  LsGraphBox box;
  gboolean   below;             /* it moves up or down */
  float      dx, dy;
} Unit;

typedef struct {
  LsGraphKept *self;
  gint         inside;          /* the innermost cluster around the group, -1: none */
  GArray      *units;           /* of Unit */
  gint        *nodes, *frames;  /* the unit of each place and of each cluster; -1: it is laid out elsewhere, or grows with what is in it */
} Units;

static gboolean
above_each_other (const LsGraphBox *one,
                  const LsGraphBox *two)
{
  return one->x < two->x + two->width && two->x < one->x + one->width;
}

static gboolean
beside_each_other (const LsGraphBox *one,
                   const LsGraphBox *two)
{
  return one->y < two->y + two->height && two->y < one->y + one->height;
}

static float
bottom (const LsGraphBox *box)
{
  return box->y + box->height;
}

static float
right (const LsGraphBox *box)
{
  return box->x + box->width;
}

/* The outermost frame around `cluster` in which the group does not lie, -1: it lies in all of them. */
static gint
frame_of (Units *units,
          gint   cluster)
{
  LsGraph *whole = units->self->after->whole;
  gint frame = -1;

  for (; cluster >= 0; cluster = ls_graph_cluster (whole, cluster)->parent)
    if (!ls_graph_kept_is_within (whole, units->inside, cluster))
      frame = cluster;
  return frame;
}

static gint
add_unit (Units            *units,
          const LsGraphBox *box)
{
  Unit unit = { *box, FALSE, 0.0f, 0.0f };

  g_array_append_val (units->units, unit);
  return (gint) units->units->len - 1;
}

static void
find_units (Units *units)
{
  LsGraphKept *self = units->self;
  LsGraphLayout *layout = self->layout;

  for (guint i = 0; i < layout->n_clusters; i++)
    units->frames[i] = self->cluster_was[i] >= 0 && layout->clusters[i].width > 0.0f && frame_of (units, (gint) i) == (gint) i ? add_unit (units, &layout->clusters[i]) : -1;
  for (guint i = 0; i < layout->n_clusters; i++)
    {
      gint frame = frame_of (units, (gint) i);

      if (frame >= 0 && frame != (gint) i && self->cluster_was[i] >= 0)
        units->frames[i] = units->frames[frame];
    }
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      gint frame = frame_of (units, ls_graph_node (self->after->whole, i)->cluster);

      units->nodes[i] = -1;
      if (self->way[i] != LS_GRAPH_KEPT_APART && (gint) i != self->closed && layout->nodes[i].width > 0.0f)
        units->nodes[i] = frame >= 0 && units->frames[frame] >= 0 ? units->frames[frame] : add_unit (units, &layout->nodes[i]);
    }
}

/* ---- up and down ------------------------------------------------------------------------ */

/* What is below `gap` in its column, below one of the frames around it, and below what is below. */
static void
find_below (Units            *units,
            const LsGraphBox *gap)
{
  LsGraphKept *self = units->self;
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < units->units->len; i++)
    {
      Unit *unit = &g_array_index (units->units, Unit, i);

      unit->below = unit->box.y >= bottom (gap) - 0.5f && above_each_other (&unit->box, gap);
      for (gint c = units->inside; c >= 0 && !unit->below; c = ls_graph_cluster (self->after->whole, c)->parent)
        unit->below = self->layout->clusters[c].width > 0.0f && unit->box.y >= bottom (&self->layout->clusters[c]) - 0.5f;
      if (unit->below)
        g_array_append_val (queue, i);
    }
  for (guint k = 0; k < queue->len; k++)
    for (guint i = 0; i < units->units->len; i++)
      {
        const LsGraphBox *upper = &g_array_index (units->units, Unit, g_array_index (queue, guint, k)).box;
        Unit *unit = &g_array_index (units->units, Unit, i);

        if (unit->below || unit->box.y < bottom (upper) - 0.5f || !above_each_other (&unit->box, upper))
          continue;
        unit->below = TRUE;
        g_array_append_val (queue, i);
      }
}

/* How far up it may go at most: not nearer than BELOW, or than it is, to what does not. */
static float
most_up (Units *units,
         float  wish)
{
  for (guint i = 0; i < units->units->len; i++)
    for (guint k = 0; k < units->units->len; k++)
      {
        const Unit *low = &g_array_index (units->units, Unit, i), *high = &g_array_index (units->units, Unit, k);

        if (low->below && !high->below && high->box.y < low->box.y && above_each_other (&low->box, &high->box))
          wish = MIN (wish, MAX (0.0f, low->box.y - bottom (&high->box) - BELOW));
      }
  return wish;
}

static void
move_below (Units *units,
            float  dy)
{
  for (guint i = 0; i < units->units->len; i++)
    {
      Unit *unit = &g_array_index (units->units, Unit, i);

      if (unit->below)
        unit->box.y += unit->dy = dy;
    }
}

/* ---- to the sides ------------------------------------------------------------------------- */

/* +1: right of `gap`, -1: left of it, 0: neither. */
static gint
side_of (const LsGraphBox *box,
         const LsGraphBox *gap)
{
  return box->x >= right (gap) - 0.5f ? 1 : right (box) <= gap->x + 0.5f ? -1 : 0;
}

/* How far what is on this side has to go away so that the new box is free. */
static float
least_aside (Units            *units,
             const LsGraphBox *gap,
             const LsGraphBox *box,
             gint              side)
{
  float need = 0.0f;

  for (guint i = 0; i < units->units->len; i++)
    {
      const LsGraphBox *other = &g_array_index (units->units, Unit, i).box;

      if (side_of (other, gap) == side && beside_each_other (other, box))
        need = MAX (need, side > 0 ? right (box) + BESIDE - other->x : right (other) + BESIDE - box->x);
    }
  return need;
}

/* How far it may come nearer at most. */
static float
most_back (Units            *units,
           const LsGraphBox *gap,
           const LsGraphBox *box,
           gint              side,
           float             wish)
{
  for (guint i = 0; i < units->units->len; i++)
    {
      const LsGraphBox *moved = &g_array_index (units->units, Unit, i).box;

      if (side_of (moved, gap) != side)
        continue;
      if (beside_each_other (moved, box))
        wish = MIN (wish, MAX (0.0f, (side > 0 ? moved->x - right (box) : box->x - right (moved)) - BESIDE));
      for (guint k = 0; k < units->units->len; k++)
        {
          const LsGraphBox *other = &g_array_index (units->units, Unit, k).box;

          if (side_of (other, gap) != side && beside_each_other (moved, other) && (side > 0 ? other->x < moved->x : other->x > moved->x))
            wish = MIN (wish, MAX (0.0f, (side > 0 ? moved->x - right (other) : other->x - right (moved)) - BESIDE));
        }
    }
  return wish;
}

static void
move_aside (Units            *units,
            const LsGraphBox *gap,
            gint              side,
            float             dx)
{
  for (guint i = 0; i < units->units->len; i++)
    {
      Unit *unit = &g_array_index (units->units, Unit, i);

      if (side_of (&unit->box, gap) == side)
        unit->dx = dx;
    }
}

/* ---- what that makes of the picture ---------------------------------------------------------- */

static void
spread (LsGraphBox       *area,
        const LsGraphBox *box)
{
  float x = MIN (area->x, box->x), y = MIN (area->y, box->y);

  if (box->width <= 0.0f)
    return;
  if (area->width <= 0.0f)
    *area = *box;
  else
    *area = (LsGraphBox) { x, y, MAX (right (area), right (box)) - x, MAX (bottom (area), bottom (box)) - y };
}

/* What lies in a frame that grows: nodes, other frames, and the box itself. */
static LsGraphBox
contents (Units            *units,
          gint              frame,
          const LsGraphBox *box)
{
  LsGraphKept *self = units->self;
  LsGraphBox area = { 0, 0, 0, 0 };

  spread (&area, box);
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (units->nodes[i] >= 0 && ls_graph_kept_is_within (self->after->whole, ls_graph_node (self->after->whole, i)->cluster, frame))
      spread (&area, &self->layout->nodes[i]);
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (units->frames[i] >= 0 && ls_graph_kept_is_within (self->after->whole, (gint) i, frame))
      spread (&area, &self->layout->clusters[i]);
  return area;
}

static void
move_units (Units *units)
{
  LsGraphLayout *layout = units->self->layout;

  for (guint i = 0; i < layout->n_nodes + layout->n_clusters; i++)
    {
      gint at = i < layout->n_nodes ? units->nodes[i] : units->frames[i - layout->n_nodes];
      LsGraphBox *box = i < layout->n_nodes ? &layout->nodes[i] : &layout->clusters[i - layout->n_nodes];

      if (at < 0 || box->width <= 0.0f)
        continue;
      box->x += g_array_index (units->units, Unit, at).dx;
      box->y += g_array_index (units->units, Unit, at).dy;
    }
}

/* A line goes with its nodes where both go the same way, and with them its label; else it is drawn anew. */
static void
move_lines (Units *units)
{
  LsGraphKept *self = units->self;
  g_autofree gboolean *moved = g_new0 (gboolean, self->old->n_edges + 1);        /* two edges between the same nodes may have one line */

  for (guint i = 0; i < self->layout->n_edges; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (self->after->whole, i);
      guint at = (guint) self->lines[i];
      const Unit *from, *to;

      if (self->lines[i] < 0)
        continue;
      if (units->nodes[edge->from] < 0 || units->nodes[edge->to] < 0)
        {
          self->lines[i] = -1;
          continue;
        }
      from = &g_array_index (units->units, Unit, units->nodes[edge->from]);
      to = &g_array_index (units->units, Unit, units->nodes[edge->to]);
      if (from->dx != to->dx || from->dy != to->dy)
        {
          self->lines[i] = -1;
          continue;
        }
      if (moved[at])
        continue;
      moved[at] = TRUE;
      for (guint k = self->old->start[at]; k < self->old->start[at + 1]; k++)
        self->old->points[k] = (LsGraphPoint) { self->old->points[k].x + from->dx, self->old->points[k].y + from->dy };
      if (self->old->labels[at].x >= 0.0f)
        self->old->labels[at] = (LsGraphPoint) { self->old->labels[at].x + from->dx, self->old->labels[at].y + from->dy };
    }
}

/* Nothing may stand left of where the picture begins: all goes right, and the view with it. */
static void
go_right (LsGraphKept *self,
          LsGraphBox  *box)
{
  LsGraphLayout *layout = self->layout;
  float least = box->x;

  for (guint i = 0; i < layout->n_nodes + layout->n_clusters; i++)
    {
      const LsGraphBox *other = i < layout->n_nodes ? &layout->nodes[i] : &layout->clusters[i - layout->n_nodes];

      if (other->width > 0.0f)
        least = MIN (least, other->x);
    }
  if (least >= 0.0f)
    return;
  least = ceilf (-least);
  box->x += least;
  for (guint i = 0; i < layout->n_nodes; i++)
    layout->nodes[i].x += layout->nodes[i].width > 0.0f ? least : 0.0f;
  for (guint i = 0; i < layout->n_clusters; i++)
    layout->clusters[i].x += layout->clusters[i].width > 0.0f ? least : 0.0f;
  for (guint i = 0; i < self->old->start[self->old->n_edges]; i++)
    self->old->points[i].x += least;
  for (guint i = 0; i < self->old->n_edges; i++)
    self->old->labels[i].x += self->old->labels[i].x >= 0.0f ? least : 0.0f;
}

/* As it stands now: new labels look for room there. */
static void
renew_room (LsGraphKept *self)
{
  ls_graph_room_free (self->room);
  self->room = ls_graph_room_new ();
  for (guint i = 0; i < self->layout->n_nodes; i++)
    ls_graph_room_add (self->room, &self->layout->nodes[i], i);
}

LsGraphBox
ls_graph_kept_move (LsGraphKept *self,
                    LsGraphSize  size)
{
  LsGraph *whole = self->after->whole;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Unit));
  g_autofree gint *nodes = g_new (gint, self->layout->n_nodes + 1), *frames = g_new (gint, self->layout->n_clusters + 1);
  g_autofree LsGraphBox *before = g_new0 (LsGraphBox, self->layout->n_clusters + 1);
  gint inside = self->opened >= 0 ? ls_graph_cluster (whole, self->opened)->parent : ls_graph_node (whole, (guint) self->closed)->cluster;
  LsGraphBox box = { roundf (self->gap.x + (self->gap.width - size.width) / 2.0f), self->gap.y, size.width, size.height };
  Units units = { self, inside, list, nodes, frames };

  find_units (&units);
  for (gint c = inside; c >= 0; c = ls_graph_cluster (whole, c)->parent)
    before[c] = contents (&units, c, &self->gap);
  find_below (&units, &self->gap);
  if (size.height > self->gap.height)
    move_below (&units, ceilf (size.height - self->gap.height));
  else
    move_below (&units, -floorf (most_up (&units, self->gap.height - size.height)));
  for (gint side = -1; side <= 1; side += 2)
    {
      float dx = size.width > self->gap.width ? ceilf (least_aside (&units, &self->gap, &box, side)) : -floorf (most_back (&units, &self->gap, &box, side, (self->gap.width - size.width) / 2.0f));

      move_aside (&units, &self->gap, side, (float) side * dx);
    }
  move_units (&units);
  move_lines (&units);
  for (gint c = inside; c >= 0; c = ls_graph_cluster (whole, c)->parent)
    {
      LsGraphBox *frame = &self->layout->clusters[c], now = contents (&units, c, &box), was = before[c];

      if (frame->width <= 0.0f)
        continue;
      *frame = (LsGraphBox) { frame->x + now.x - was.x, frame->y + now.y - was.y, frame->width + now.width - was.width, frame->height + now.height - was.height };
    }
  go_right (self, &box);
  if (self->closed >= 0)
    self->layout->nodes[self->closed] = box;
  renew_room (self);
  return box;
}
