/* room: see the header.  Boxes are kept by the squares of a grid that they touch, lines as the smaller squares that they go through: 8 by 8 of those are the
 * bits of one entry, as a line goes through many that lie beside each other. */
#include "engine/graph/room.h"

#include <math.h>

#define CELL 256.0f
#define LINE_CELL 32.0f
#define STEP_X 24
#define STEP_Y 16
#define REACH_X 1400            /* pixels: about a screen */
#define REACH_Y 900
#define GAP 16.0f               /* between what is put in and its neighbours */
#define DOWN 1.5                /* a way up or down counts more: the order of the rows is what is read */
#define HIDES 150.0             /* what a line below it counts */

typedef struct { gint dx, dy; float cost; } Offset;

typedef struct {
  LsGraphBox box;
  guint      number;
} Thing;

struct _LsGraphRoom
{
  GArray     *things;           /* of Thing */
  GHashTable *cells;            /* square -> GArray of guint, into `things` */
  GHashTable *lines;            /* eight by eight squares -> those of them that a line goes through, as bits */
};

static gpointer
square (gint x,
        gint y)
{
  return GSIZE_TO_POINTER (((gsize) (guint32) x << 32) | (guint32) y);
}

static gint
by_cost (gconstpointer a,
         gconstpointer b)
{
  const Offset *one = a, *two = b;

  if (one->cost < two->cost || one->cost > two->cost)
    return one->cost < two->cost ? -1 : 1;
  return one->dy != two->dy ? one->dy - two->dy : one->dx - two->dx;
}

/* Where a place is looked for, nearest first; made once. */
static const GArray *
offsets (void)
{
  static gsize made;
  static GArray *all;

  if (g_once_init_enter (&made))
    {
      all = g_array_new (FALSE, FALSE, sizeof (Offset));
      for (gint dx = -REACH_X; dx <= REACH_X; dx += STEP_X)
        for (gint dy = -REACH_Y; dy <= REACH_Y; dy += STEP_Y)
          {
            Offset offset = { dx, dy, (float) (ABS (dx) + DOWN * ABS (dy)) };

            g_array_append_val (all, offset);
          }
      g_array_sort (all, by_cost);
      g_once_init_leave (&made, 1);
    }
  return all;
}

LsGraphRoom *
ls_graph_room_new (void)
{
  LsGraphRoom *self = g_new0 (LsGraphRoom, 1);

  self->things = g_array_new (FALSE, FALSE, sizeof (Thing));
  self->cells = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->lines = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
ls_graph_room_free (LsGraphRoom *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->things);
  g_hash_table_unref (self->cells);
  g_hash_table_unref (self->lines);
  g_free (self);
}

/* ---- what stands there ---------------------------------------------------------------- */

typedef struct { gint left, top, right, bottom; } Cells;

static Cells
cells_of (const LsGraphBox *box,
          float             gap,
          float             size)
{
  return (Cells) { (gint) floorf ((box->x - gap) / size), (gint) floorf ((box->y - gap) / size),
                   (gint) floorf ((box->x + box->width + gap) / size), (gint) floorf ((box->y + box->height + gap) / size) };
}

void
ls_graph_room_add (LsGraphRoom      *self,
                   const LsGraphBox *box,
                   guint             number)
{
  Cells cells = cells_of (box, 0.0f, CELL);
  Thing thing = { *box, number };
  guint at = self->things->len;

  if (box->width <= 0.0f)
    return;
  g_array_append_val (self->things, thing);
  for (gint x = cells.left; x <= cells.right; x++)
    for (gint y = cells.top; y <= cells.bottom; y++)
      {
        GArray *there = g_hash_table_lookup (self->cells, square (x, y));

        if (there == NULL)
          g_hash_table_insert (self->cells, square (x, y), there = g_array_new (FALSE, FALSE, sizeof (guint)));
        g_array_append_val (there, at);
      }
}

/* The entry in which a small square has its bit; with `bit` that one. */
static gpointer
block_of (gint     x,
          gint     y,
          guint64 *bit)
{
  *bit = G_GUINT64_CONSTANT (1) << (((guint) x & 7) | ((guint) y & 7) << 3);
  return square (x >> 3, y >> 3);
}

void
ls_graph_room_add_line (LsGraphRoom        *self,
                        const LsGraphPoint *points,
                        guint               n)
{
  gpointer last = NULL;
  guint64 *bits = NULL;

  for (guint i = 0; i + 3 < n; i += 3)
    {
      const LsGraphPoint *p = points + i;
      float length = hypotf (p[1].x - p[0].x, p[1].y - p[0].y) + hypotf (p[2].x - p[1].x, p[2].y - p[1].y) + hypotf (p[3].x - p[2].x, p[3].y - p[2].y);
      guint steps = (guint) CLAMP (length / (LINE_CELL / 2.0f), 1.0f, 400.0f);

      for (guint k = 0; k <= steps; k++)
        {
          float t = (float) k / (float) steps, s = 1.0f - t;
          float x = s * s * s * p[0].x + 3.0f * s * s * t * p[1].x + 3.0f * s * t * t * p[2].x + t * t * t * p[3].x;
          float y = s * s * s * p[0].y + 3.0f * s * s * t * p[1].y + 3.0f * s * t * t * p[2].y + t * t * t * p[3].y;

          guint64 bit;
          gpointer block = block_of ((gint) floorf (x / LINE_CELL), (gint) floorf (y / LINE_CELL), &bit);

          if (bits == NULL || block != last)
            {
              bits = g_hash_table_lookup (self->lines, block);
              if (bits == NULL)
                g_hash_table_insert (self->lines, block, bits = g_new0 (guint64, 1));
              last = block;
            }
          *bits |= bit;
        }
    }
}

static gboolean
overlap (const LsGraphBox *one,
         const LsGraphBox *two,
         float             gap)
{
  return one->x - gap < two->x + two->width && two->x - gap < one->x + one->width && one->y - gap < two->y + two->height && two->y - gap < one->y + one->height;
}

gboolean
ls_graph_room_is_free (LsGraphRoom      *self,
                       const LsGraphBox *box,
                       float             gap,
                       guint             number)
{
  Cells cells = cells_of (box, gap, CELL);

  for (gint x = cells.left; x <= cells.right; x++)
    for (gint y = cells.top; y <= cells.bottom; y++)
      {
        GArray *there = g_hash_table_lookup (self->cells, square (x, y));

        for (guint i = 0; there != NULL && i < there->len; i++)
          {
            const Thing *thing = &g_array_index (self->things, Thing, g_array_index (there, guint, i));

            if (thing->number != number && overlap (box, &thing->box, gap))
              return FALSE;
          }
      }
  return TRUE;
}

GArray *
ls_graph_room_inside (LsGraphRoom      *self,
                      const LsGraphBox *area)
{
  Cells cells = cells_of (area, 0.0f, CELL);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (gint x = cells.left; x <= cells.right; x++)
    for (gint y = cells.top; y <= cells.bottom; y++)
      {
        GArray *there = g_hash_table_lookup (self->cells, square (x, y));

        for (guint i = 0; there != NULL && i < there->len; i++)
          {
            const Thing *thing = &g_array_index (self->things, Thing, g_array_index (there, guint, i));
            Cells first = cells_of (&thing->box, 0.0f, CELL);

            /* in the first of the squares that both touch, so that it comes once */
            if (overlap (area, &thing->box, 0.0f) && x == MAX (first.left, cells.left) && y == MAX (first.top, cells.top))
              g_array_append_val (found, thing->number);
          }
      }
  return found;
}

/* ---- finding a place --------------------------------------------------------------------- */

static gboolean
hides_a_line (LsGraphRoom      *self,
              const LsGraphBox *box)
{
  Cells cells = cells_of (box, 0.0f, LINE_CELL);

  for (gint x = cells.left; x <= cells.right; x++)
    for (gint y = cells.top; y <= cells.bottom; y++)
      {
        guint64 bit;
        const guint64 *bits = g_hash_table_lookup (self->lines, block_of (x, y, &bit));

        if (bits != NULL && (*bits & bit) != 0)
          return TRUE;
      }
  return FALSE;
}

gboolean
ls_graph_room_find (LsGraphRoom      *self,
                    LsGraphBox       *box,
                    LsGraphRoomCheck  check,
                    gpointer          data)
{
  LsGraphBox best = { 0, 0, 0, 0 };
  double least = INFINITY;

  for (guint i = 0; i < offsets ()->len; i++)
    {
      const Offset *offset = &g_array_index (offsets (), Offset, i);
      LsGraphBox there = { roundf (box->x + (float) offset->dx), roundf (box->y + (float) offset->dy), box->width, box->height };
      double cost = offset->cost;

      if (cost >= least)
        break;
      if (!ls_graph_room_is_free (self, &there, GAP, G_MAXUINT) || !check (&there, &cost, data) || cost >= least)
        continue;
      if (hides_a_line (self, &there))
        cost += HIDES;
      if (cost >= least)
        continue;
      least = cost;
      best = there;
    }
  if (isinf (least))
    return FALSE;
  *box = best;
  return TRUE;
}
