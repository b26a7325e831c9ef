/* nests-labels: see the header. */
#include "views/figures/nests-labels.h"

#include <math.h>

#define LABEL_PITCH 26.0f
#define LABEL_EDGE 10.0f
#define LABEL_GAP 5.0f
#define LABEL_LEAST 30.0f       /* of a part that is cut */

static int
by_height (gconstpointer a,
           gconstpointer b)
{
  const LsNestPlace *first = a, *second = b;

  return first->y < second->y ? -1 : first->y > second->y;
}

void
ls_nest_places_spread (GArray *places)
{
  float least = -G_MAXFLOAT;

  g_array_sort (places, by_height);
  for (guint i = 0; i < places->len; i++)
    {
      LsNestPlace *place = &g_array_index (places, LsNestPlace, i);

      if (place->gone)
        continue;
      place->y = MAX (place->y, least);
      for (guint k = 0; k < places->len; k++)
        {
          const LsNestPlace *other = &g_array_index (places, LsNestPlace, k);

          if (other->gone && fabsf (place->y - other->y) < LABEL_PITCH - 0.5f)
            place->y = other->y + LABEL_PITCH;
        }
      least = place->y + LABEL_PITCH;
    }
}

/* A label, cut until it has its room: the tail first. */
typedef struct {
  char            number[12];
  float           head, verb, tail, step;       /* what is drawn of them, step with what is before it */
  gboolean        cut_head, cut_tail;
  graphene_rect_t bounds;
} Shape;

static void
shape_label (LsFigure          *figure,
             const LsNestPlace *place,
             float              least,
             float              most,
             Shape             *shape)
{
  const LsNestLabel *label = place->label;
  float whole = ls_figure_text_width (figure, LS_ROLE_REASON, label->tail), head = ls_figure_text_width (figure, LS_ROLE_REASON, label->head);
  float room, width, x;

  if (place->gone)
    least = MAX (least, place->x);
  g_snprintf (shape->number, sizeof shape->number, "%u", label->step);
  shape->verb = ls_figure_text_width (figure, LS_ROLE_STRONG, label->verb);
  shape->step = label->step > 0 ? ls_figure_text_width (figure, LS_ROLE_CAPTION, shape->number) + LABEL_EDGE : 0.0f;
  room = most - least - shape->verb - shape->step - LABEL_GAP - 2.0f * LABEL_EDGE;
  if (room < MIN (head, LABEL_LEAST))
    {
      room += shape->step;
      shape->step = 0.0f;
    }
  shape->head = MIN (head, MAX (room, LABEL_LEAST));
  room -= shape->head + LABEL_GAP;
  shape->tail = whole <= room ? whole : room >= LABEL_LEAST ? room : 0.0f;
  shape->cut_head = shape->head < head;
  shape->cut_tail = shape->tail < whole;
  width = shape->head + LABEL_GAP + shape->verb + (shape->tail > 0.0f ? LABEL_GAP + shape->tail : 0.0f) + shape->step + 2.0f * LABEL_EDGE;
  x = place->gone ? place->x : CLAMP (place->x - width / 2.0f, least, MAX (least, most - width));
  shape->bounds = GRAPHENE_RECT_INIT (x, place->y - LS_NEST_LABEL / 2.0f, width, LS_NEST_LABEL);
}

static void
draw_part (LsFigure   *figure,
           const char *text,
           float       x,
           float       y,
           gboolean    cut,
           float       width)
{
  if (cut)
    ls_figure_text_within (figure, LS_ROLE_REASON, LS_LOOK_TEXT, text, x, y, width + 1.0f);
  else
    ls_figure_text (figure, LS_ROLE_REASON, LS_LOOK_TEXT, text, x, y, 0.0f);
}

void
ls_nest_place_draw (LsFigure          *figure,
                    const LsNestPlace *place,
                    float              least,
                    float              most)
{
  Shape shape;
  float x;

  shape_label (figure, place, least, most, &shape);
  ls_draw_rounded (figure->snapshot, &shape.bounds, 4.0f, ls_look_get (figure->look, LS_LOOK_VIEW));
  ls_draw_frame (figure->snapshot, &shape.bounds, 4.0f, 1.0f, ls_look_get (figure->look, LS_LOOK_BORDER));
  x = shape.bounds.origin.x + LABEL_EDGE;
  draw_part (figure, place->label->head, x, place->y, shape.cut_head, shape.head);
  x += shape.head + LABEL_GAP;
  ls_figure_text (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, place->label->verb, x, place->y, 0.0f);
  if (shape.tail > 0.0f)
    draw_part (figure, place->label->tail, x + shape.verb + LABEL_GAP, place->y, shape.cut_tail, shape.tail);
  if (shape.step > 0.0f)
    ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, shape.number, shape.bounds.origin.x + shape.bounds.size.width - 8.0f, place->y, 1.0f);
}

void
ls_nest_place_find (LsFigure          *figure,
                    const LsNestPlace *place,
                    float              least,
                    float              most,
                    graphene_rect_t   *bounds)
{
  Shape shape;

  shape_label (figure, place, least, most, &shape);
  *bounds = shape.bounds;
}
