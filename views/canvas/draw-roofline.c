/* draw-roofline: a logarithmic frame that holds all points and the ridge, lines, then points in step order. */
#include "views/canvas/draw-roofline.h"

#include "engine/runtime/peaks.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEFT 12.0f              /* beside the labels */
#define RIGHT 18.0f
#define TOP 8.0f                /* over a line of text */
#define BOTTOM 16.0f            /* between and under two lines */
#define POINT 4.5f
#define BESIDE 9.0f             /* its label */
#define PICTURE_WIDTH 984.0f
#define PICTURE_CHART 420.0f
#define PICTURE_HEAD 108.0f
#define ROW 24.0f
#define PARTS 25                /* places along a roof that are tried for its label */

static const LsFont LABEL = { .scale = 0.85f };
static const LsFont NUMBER = { .scale = 0.85f, .bold = TRUE };

typedef struct {
  LsFigure         *figure;
  const LsRoofline *roofline;
  float             x, y, width, height;        /* of the frame */
  float             line;                       /* height of a line of text */
  double            left, right, bottom, top;   /* logarithms to base 10 */
  GArray           *taken;                      /* of graphene_rect_t: points and their labels, and those of the speeds */
  char            **labels;                     /* of each point; empty where it is in another's */
  GArray           *slanted;                    /* of graphene_rect_t: labels of roofs, as if they were not turned */
} Chart;

/* ---- texts ------------------------------------------------------------------- */

char *
ls_roofline_speed_text (double speed)
{
  g_autofree char *figure = g_strdup_printf ("%.3g", speed >= 1e12 ? speed * 1e-12 : speed >= 1e9 ? speed * 1e-9 : speed * 1e-6);

  return g_strdup_printf ("%s\u202f%s", figure, speed >= 1e12 ? "TFLOP/s" : speed >= 1e9 ? "GFLOP/s" : "MFLOP/s");
}

char *
ls_roofline_intensity_text (double intensity)
{
  return g_strdup_printf ("%.3g\u202fFLOP/B", intensity);
}

char *
ls_roofline_machine_text (const LsRoofline *roofline)
{
  g_autofree char *peak = ls_roofline_speed_text (roofline->flop_per_s);
  g_autofree char *words = NULL;

  if (roofline->device != NULL)
    return g_strdup_printf (_("Measured on %s (%s) by kernels that only copy and only multiply and add: %s in float32."), roofline->device,
                            roofline->date != NULL ? roofline->date : "?", peak);
  words = g_strdup_printf (_("Measured on %s, one core of %s: %s in float32."),
                           roofline->date != NULL ? roofline->date : "?", roofline->cpu, peak);

  if (roofline->load < LS_PEAKS_BUSY)
    return g_steal_pointer (&words);
  return g_strdup_printf (_("%s The machine was busy then (load %.1f): measure it again when it is not."), words, roofline->load);
}

char *
ls_roofline_counting_text (const LsRoofline *roofline)
{
  g_autofree char *cache = NULL;

  if (roofline->cache_bytes == G_MAXINT64)
    return g_strdup (_("Operations and bytes are counted in the program: bytes as if each array went through memory once."));
  cache = ls_format_bytes (roofline->cache_bytes);
  return g_strdup_printf (_("Operations and bytes are counted in the program: bytes are those that a cache of %s has to fetch."), cache);
}

/* ---- the frame ----------------------------------------------------------------- */

static float
x_of (const Chart *self,
      double       intensity)
{
  return self->x + (float) ((log10 (intensity) - self->left) / (self->right - self->left)) * self->width;
}

static float
y_of (const Chart *self,
      double       speed)
{
  return self->y + self->height - (float) ((log10 (speed) - self->bottom) / (self->top - self->bottom)) * self->height;
}

/* Slanted, and cut at the frame. */
static void
draw_slanted (Chart       *self,
              float        x1,
              float        y1,
              float        x2,
              float        y2,
              float        width,
              LsLookToken  color)
{
  cairo_t *cr = ls_draw_cairo (self->figure->snapshot, &GRAPHENE_RECT_INIT (self->x, self->y, self->width, self->height));

  gdk_cairo_set_source_rgba (cr, ls_look_get (self->figure->look, color));
  cairo_set_line_width (cr, width);
  cairo_rectangle (cr, self->x, self->y, self->width, self->height);
  cairo_clip (cr);
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, x2, y2);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
set_frame (Chart *self)
{
  const LsRoofline *roofline = self->roofline;
  double ridge = roofline->n_roofs > 0 ? roofline->flop_per_s / roofline->roofs[roofline->n_roofs - 1].bytes_per_s : 1.0;
  double least_x = ridge, most_x = ridge, least_y = roofline->flop_per_s;

  for (guint i = 0; i < roofline->points->len; i++)
    {
      const LsRooflinePoint *point = &g_array_index (roofline->points, LsRooflinePoint, i);

      if (!ls_roofline_is_drawn (point))
        continue;
      least_x = MIN (least_x, ls_roofline_intensity (point));
      most_x = MAX (most_x, ls_roofline_intensity (point));
      least_y = MIN (least_y, ls_roofline_speed (point));
    }
  self->left = floor (log10 (least_x / 2.0) * 2.0) / 2.0;
  self->right = ceil (log10 (most_x * 3.0) * 2.0) / 2.0;
  self->bottom = floor (log10 (MIN (least_y, roofline->flop_per_s / 20.0) / 1.5) * 2.0) / 2.0;
  self->top = log10 (roofline->flop_per_s * 2.2);
}

static void
text_at (Chart        *self,
         const LsFont *font,
         LsLookToken   color,
         const char   *text,
         float         x,
         float         y,
         float         xalign,
         float         yalign)
{
  ls_draw_text (self->figure->snapshot, self->figure->pango, font, text, x, y, xalign, yalign, ls_look_get (self->figure->look, color));
}

static float
text_width (Chart        *self,
            const LsFont *font,
            const char   *text)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (self->figure->pango, font, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

/* The words under the axis, as many of them as there is room for. */
static void
draw_axis_words (Chart *self)
{
  const char *const words[] = { self->roofline->device != NULL ? _("FLOP for each byte of memory") : _("FLOP for each byte that the first cache fetches"), _("FLOP per byte") };
  float end = self->x + self->width;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (text_width (self, &LABEL, words[i]) < end - LEFT)
      {
        text_at (self, &LABEL, LS_LOOK_DIM, words[i], end, self->y + self->height + BOTTOM / 2.0f + self->line, 1.0f, 0.0f);
        return;
      }
}

/* No label of a roof comes there. */
static void
take (Chart *self,
      float  x,
      float  y,
      float  width,
      float  height)
{
  graphene_rect_t box = GRAPHENE_RECT_INIT (x, y, width, height);

  g_array_append_val (self->taken, box);
}

/* 1, 2 and 5 of each decade have a line; a label only where the one before is far enough. */
static void
draw_grid (Chart *self)
{
  static const double steps[] = { 1.0, 2.0, 5.0 };
  const GdkRGBA *soft = ls_look_get (self->figure->look, LS_LOOK_BORDER_SOFT);
  float used_x = -G_MAXFLOAT, used_y = G_MAXFLOAT;

  for (int decade = (int) floor (self->left); decade <= (int) ceil (self->right); decade++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      {
        double value = steps[i] * pow (10.0, decade);
        g_autofree char *label = g_strdup_printf ("%g", value);

        if (log10 (value) < self->left || log10 (value) > self->right)
          continue;
        ls_draw_line (self->figure->snapshot, x_of (self, value), self->y, x_of (self, value), self->y + self->height, 1.0f, soft);
        if (x_of (self, value) - text_width (self, &LABEL, label) / 2.0f < used_x + 6.0f)
          continue;
        text_at (self, &LABEL, LS_LOOK_DIM, label, x_of (self, value), self->y + self->height + BOTTOM / 4.0f + 2.0f, 0.5f, 0.0f);
        used_x = x_of (self, value) + text_width (self, &LABEL, label) / 2.0f;
      }
  for (int decade = (int) floor (self->bottom); decade <= (int) ceil (self->top); decade++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      {
        double value = steps[i] * pow (10.0, decade);
        g_autofree char *label = ls_roofline_speed_text (value);

        if (log10 (value) < self->bottom || log10 (value) > self->top)
          continue;
        ls_draw_line (self->figure->snapshot, self->x, y_of (self, value), self->x + self->width, y_of (self, value), 1.0f, soft);
        if (y_of (self, value) + self->line > used_y || (i > 0 && self->height / (self->top - self->bottom) <= 3.5 * self->line))
          continue;
        text_at (self, &LABEL, LS_LOOK_DIM, label, self->x - 6.0f, y_of (self, value), 1.0f, 0.5f);
        used_y = y_of (self, value);
        take (self, self->x - 6.0f - text_width (self, &LABEL, label), used_y - self->line / 2.0f, text_width (self, &LABEL, label), self->line);
      }
  draw_axis_words (self);
}

/* ---- the roofs ------------------------------------------------------------------ */

/* Whether a label that is turned by the angle of (dx, dy), a unit, and has its middle at (x, y) would cover nothing of the points, and no
 * label of another roof: all are turned alike. */
static gboolean
is_free (Chart *self,
         float  x,
         float  y,
         float  dx,
         float  dy,
         float  width,
         float  height)
{
  for (guint i = 0; i < self->taken->len; i++)
    {
      const graphene_rect_t *box = &g_array_index (self->taken, graphene_rect_t, i);
      float half_width = box->size.width / 2.0f, half_height = box->size.height / 2.0f;
      float along = (box->origin.x + half_width - x) * dx + (box->origin.y + half_height - y) * dy;
      float across = (box->origin.y + half_height - y) * dx - (box->origin.x + half_width - x) * dy;
      float wide = half_width + (width * fabsf (dx) + height * fabsf (dy)) / 2.0f, high = half_height + (width * fabsf (dy) + height * fabsf (dx)) / 2.0f;

      /* Two boxes are apart where they are along a side of either: of the point's, */
      if (fabsf (box->origin.x + half_width - x) >= wide || fabsf (box->origin.y + half_height - y) >= high)
        continue;
      /* and of the label's, along which and across which the point's has its reach. */
      if (fabsf (along) < width / 2.0f + half_width * fabsf (dx) + half_height * fabsf (dy) &&
          fabsf (across) < height / 2.0f + half_width * fabsf (dy) + half_height * fabsf (dx))
        return FALSE;
    }
  for (guint i = 0; i < self->slanted->len; i++)
    {
      const graphene_rect_t *other = &g_array_index (self->slanted, graphene_rect_t, i);
      float to_x = other->origin.x + other->size.width / 2.0f - x, to_y = other->origin.y + other->size.height / 2.0f - y;

      if (fabsf (to_x * dx + to_y * dy) < (width + other->size.width) / 2.0f && fabsf (to_y * dx - to_x * dy) < (height + other->size.height) / 2.0f)
        return FALSE;
    }
  return TRUE;
}

/* The middle of the label that stands at `part` of the line from (x1, y1). */
static graphene_point_t
middle_of (float    x1,
           float    y1,
           float    x2,
           float    y2,
           float    part,
           float    height,
           gboolean below)
{
  float length = hypotf (x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length, side = (below ? 2.0f : -2.0f) + height / (below ? 2.0f : -2.0f);

  return GRAPHENE_POINT_INIT (x1 + (x2 - x1) * part - dy * side, y1 + (y2 - y1) * part + dx * side);
}

/* Where along the line from (x1, y1) its label covers no point and no other label, as near to `part` of the way as there is such a place; below
 * 0: there is none.  `end`: of the way, that its half needs at both ends.  `below`: it stands under the line. */
static float
free_part (Chart    *self,
           float     x1,
           float     y1,
           float     x2,
           float     y2,
           float     part,
           float     end,
           float     width,
           float     height,
           gboolean  below)
{
  float length = hypotf (x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;

  for (guint i = 0; i <= 2 * PARTS; i++)
    {
      float at = part + (i % 2 == 0 ? 1.0f : -1.0f) * (float) ((i + 1) / 2) / PARTS;
      graphene_point_t middle = middle_of (x1, y1, x2, y2, at, height, below);

      if (at >= end && at <= 1.0f - end && is_free (self, middle.x, middle.y, dx, dy, width, height))
        return at;
    }
  return -1.0f;
}

/* Pixels between this roof and the one above it, across both. */
static float
gap_above (Chart *self,
           guint  level)
{
  const LsRoof *roofs = self->roofline->roofs;
  double decades = level > 0 ? log10 (roofs[level - 1].bytes_per_s / roofs[level].bytes_per_s) : HUGE_VAL;
  double down = self->height / (self->top - self->bottom), right = self->width / (self->right - self->left);

  return (float) (decades * down * right / hypot (down, right));
}

/* The labels of several stand at different heights, on the side where there is room; where there is none at all a roof has no label, and the
 * words beside the chart name it. */
static void
draw_slope (Chart *self,
            guint  level)
{
  const LsRoof *roof = &self->roofline->roofs[level];
  gboolean nearest = level == 0, below;
  double ridge = self->roofline->flop_per_s / roof->bytes_per_s;
  double from = MAX (pow (10.0, self->left), pow (10.0, self->bottom) / roof->bytes_per_s);
  double to = MIN (ridge, pow (10.0, self->right));
  g_autofree char *speed = g_strdup_printf ("%s %.3g\u202fGB/s", roof->name, roof->bytes_per_s * 1e-9);
  g_autoptr (PangoLayout) layout = ls_draw_layout (self->figure->pango, &LABEL, speed);
  graphene_point_t middle;
  graphene_rect_t place;
  float x1, y1, x2, y2, angle, end, at, part = 0.28f + 0.22f * (float) (level % 3);
  int width, height;

  if (to <= from)
    return;
  x1 = x_of (self, from), y1 = y_of (self, from * roof->bytes_per_s);
  x2 = x_of (self, to), y2 = y_of (self, to * roof->bytes_per_s);
  draw_slanted (self, x1, y1, x2, y2, nearest ? 2.0f : 1.0f, nearest ? LS_LOOK_TEXT : LS_LOOK_NEUTRAL);
  pango_layout_get_pixel_size (layout, &width, &height);
  if (hypotf (x2 - x1, y2 - y1) < (float) width + 12.0f)
    return;
  end = ((float) width / 2.0f + 6.0f) / hypotf (x2 - x1, y2 - y1);
  part = CLAMP (part, end, 1.0f - end);
  below = level > 0 && (level + 1 == self->roofline->n_roofs || gap_above (self, level) < (float) height + 4.0f);
  at = free_part (self, x1, y1, x2, y2, part, end, (float) width, (float) height, below);
  if (at < 0.0f)
    at = free_part (self, x1, y1, x2, y2, part, end, (float) width, (float) height, below = !below);
  if (at < 0.0f)
    return;
  middle = middle_of (x1, y1, x2, y2, at, (float) height, below);
  place = GRAPHENE_RECT_INIT (middle.x - (float) width / 2.0f, middle.y - (float) height / 2.0f, (float) width, (float) height);
  g_array_append_val (self->slanted, place);
  angle = atan2f (y2 - y1, x2 - x1) * 180.0f / (float) G_PI;
  gtk_snapshot_save (self->figure->snapshot);
  gtk_snapshot_translate (self->figure->snapshot, &GRAPHENE_POINT_INIT (x1 + (x2 - x1) * at, y1 + (y2 - y1) * at));
  gtk_snapshot_rotate (self->figure->snapshot, angle);
  text_at (self, &LABEL, nearest ? LS_LOOK_TEXT : LS_LOOK_DIM, speed, -(float) width / 2.0f, below ? 2.0f : -2.0f, 0.0f,
           below ? 0.0f : 1.0f);
  gtk_snapshot_restore (self->figure->snapshot);
}

/* Where the label of the flat roof ends: as far right as it covers no point, down to `least`; where there is no such place at the very right. */
static float
peak_end (Chart *self,
          float  least,
          float  bottom,
          float  width)
{
  float right = self->x + self->width;

  for (float end = right; end >= least; end -= 6.0f)
    if (is_free (self, end - width / 2.0f, bottom - self->line / 2.0f, 1.0f, 0.0f, width, self->line))
      return end;
  return right;
}

static void
draw_roofs (Chart *self)
{
  const LsRoofline *roofline = self->roofline;
  g_autofree char *peak = ls_roofline_speed_text (roofline->flop_per_s);
  g_autofree char *label = self->roofline->device != NULL ? g_strdup (peak) : g_strdup_printf (_("one core, %s"), peak);
  double nearest = roofline->n_roofs > 0 ? roofline->flop_per_s / roofline->roofs[0].bytes_per_s : pow (10.0, self->left);
  float y = y_of (self, roofline->flop_per_s);

  float wide = text_width (self, &LABEL, label), end = peak_end (self, MAX (x_of (self, nearest), self->x) + wide, y - 3.0f, wide);
  graphene_rect_t place = GRAPHENE_RECT_INIT (end - wide, y - 3.0f - self->line, wide, self->line);

  g_array_append_val (self->taken, place);
  for (guint i = roofline->n_roofs; i-- > 0;)
    draw_slope (self, i);
  ls_draw_line (self->figure->snapshot, MAX (x_of (self, nearest), self->x), y, self->x + self->width, y, 2.0f,
                ls_look_get (self->figure->look, LS_LOOK_TEXT));
  text_at (self, &LABEL, LS_LOOK_TEXT, label, end, y - 3.0f, 1.0f, 1.0f);
}

/* ---- the steps -------------------------------------------------------------------- */

static void
draw_path (Chart *self)
{
  const LsRooflinePoint *before = NULL;

  for (guint i = 0; i < self->roofline->points->len; i++)
    {
      const LsRooflinePoint *point = &g_array_index (self->roofline->points, LsRooflinePoint, i);

      if (!ls_roofline_is_drawn (point))
        continue;
      if (before != NULL)
        draw_slanted (self, x_of (self, ls_roofline_intensity (before)), y_of (self, ls_roofline_speed (before)),
                      x_of (self, ls_roofline_intensity (point)), y_of (self, ls_roofline_speed (point)), 1.5f, LS_LOOK_ACCENT);
      before = point;
    }
}

static gboolean
is_near (Chart                 *self,
         const LsRooflinePoint *a,
         const LsRooflinePoint *b)
{
  return fabsf (x_of (self, ls_roofline_intensity (a)) - x_of (self, ls_roofline_intensity (b))) < MAX (14.0f, self->line) &&
         fabsf (y_of (self, ls_roofline_speed (a)) - y_of (self, ls_roofline_speed (b))) < MAX (12.0f, self->line);
}

/* ---- their labels ------------------------------------------------------------------- */

/* Where the label of point `i` stands. */
static graphene_rect_t
label_place (Chart      *self,
             guint       i,
             const char *label)
{
  const LsRooflinePoint *point = &g_array_index (self->roofline->points, LsRooflinePoint, i);

  return GRAPHENE_RECT_INIT (x_of (self, ls_roofline_intensity (point)) + BESIDE, y_of (self, ls_roofline_speed (point)) - self->line / 2.0f,
                             text_width (self, &NUMBER, label), self->line);
}

/* Of those that are told by point `i`: "0, 3". (transfer full) */
static char *
join_tags (Chart       *self,
           const guint *teller,
           guint        i)
{
  GString *label = g_string_new (NULL);

  for (guint k = i; k < self->roofline->points->len; k++)
    if (teller[k] == i)
      {
        g_autofree char *tag = ls_step_item_tag (g_array_index (self->roofline->points, LsRooflinePoint, k).item);

        g_string_append_printf (label, "%s%s", label->len > 0 ? ", " : "", tag);
      }
  return g_string_free (label, FALSE);
}

/* Points that are near each other, or whose labels would cover each other, share that of the first of them.  Until all labels stand apart: one
 * of many is wider, and may reach the next. */
static void
name_points (Chart *self)
{
  GArray *points = self->roofline->points;
  g_autofree guint *teller = g_new (guint, points->len + 1);
  g_autofree graphene_rect_t *places = g_new0 (graphene_rect_t, points->len + 1);
  gboolean changed = TRUE;

  self->labels = g_new0 (char *, points->len + 1);
  for (guint i = 0; i < points->len; i++)
    teller[i] = ls_roofline_is_drawn (&g_array_index (points, LsRooflinePoint, i)) ? i : G_MAXUINT;
  for (guint i = 0; i < points->len; i++)
    {
      self->labels[i] = join_tags (self, teller, i);
      places[i] = label_place (self, i, self->labels[i]);
    }
  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < points->len; i++)
        for (guint k = i + 1; k < points->len && teller[i] == i; k++)
          {
            if (teller[k] != k || (!is_near (self, &g_array_index (points, LsRooflinePoint, i), &g_array_index (points, LsRooflinePoint, k)) &&
                                   !graphene_rect_intersection (&places[i], &places[k], NULL)))
              continue;
            for (guint m = k; m < points->len; m++)
              teller[m] = teller[m] == k ? i : teller[m];
            g_free (self->labels[i]);
            self->labels[i] = join_tags (self, teller, i);
            places[i] = label_place (self, i, self->labels[i]);
            self->labels[k][0] = '\0';
            changed = TRUE;
          }
    }
}

static void
draw_labels (Chart *self)
{
  for (guint i = 0; i < self->roofline->points->len; i++)
    if (*self->labels[i] != '\0')
      {
        graphene_rect_t place = label_place (self, i, self->labels[i]);

        text_at (self, &NUMBER, LS_LOOK_TEXT, self->labels[i], place.origin.x, place.origin.y + self->line / 2.0f, 0.0f, 0.5f);
      }
}

/* Where points and their labels will be. */
static void
take_places (Chart *self)
{
  GArray *points = self->roofline->points;

  for (guint i = 0; i < points->len; i++)
    {
      const LsRooflinePoint *point = &g_array_index (points, LsRooflinePoint, i);
      const char *label = self->labels[i];
      float left = POINT + 2.0f, right = *label != '\0' ? BESIDE + text_width (self, &NUMBER, label) : left, half = *label != '\0' ? self->line / 2.0f : left;

      if (ls_roofline_is_drawn (point))
        take (self, x_of (self, ls_roofline_intensity (point)) - left, y_of (self, ls_roofline_speed (point)) - half, left + right, 2.0f * half);
    }
}

static void
draw_points (Chart *self)
{
  for (guint i = 0; i < self->roofline->points->len; i++)
    {
      const LsRooflinePoint *point = &g_array_index (self->roofline->points, LsRooflinePoint, i);
      gboolean current = ls_step_item_is_current (point->item);
      float x, y;

      if (!ls_roofline_is_drawn (point))
        continue;
      x = x_of (self, ls_roofline_intensity (point));
      y = y_of (self, ls_roofline_speed (point));
      ls_draw_disc (self->figure->snapshot, x, y, current ? POINT + 2.0f : POINT, ls_look_get (self->figure->look, LS_LOOK_ACCENT));
      if (current)
        ls_draw_disc (self->figure->snapshot, x, y, 2.5f, ls_look_get (self->figure->look, LS_LOOK_VIEW));
    }
  draw_labels (self);
}

void
ls_draw_roofline (LsFigure         *self,
                  const LsRoofline *roofline,
                  float             x,
                  float             y,
                  float             width,
                  float             height)
{
  Chart chart = { .figure = self, .roofline = roofline };
  g_autoptr (PangoLayout) widest = ls_draw_layout (self->pango, &LABEL, "500\u202fGFLOP/s");
  int left, line;

  pango_layout_get_pixel_size (widest, &left, &line);
  chart.line = (float) line;
  chart.x = x + LEFT + (float) left;
  chart.y = y + TOP + chart.line;
  chart.width = x + width - RIGHT - chart.x;
  chart.height = y + height - BOTTOM - 2.0f * chart.line - chart.y;
  if (!roofline->known || chart.width < 40.0f || chart.height < 40.0f)
    return;
  set_frame (&chart);
  chart.taken = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  chart.slanted = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  name_points (&chart);
  take_places (&chart);
  draw_grid (&chart);
  draw_roofs (&chart);
  draw_path (&chart);
  draw_points (&chart);
  g_array_unref (chart.taken);
  g_array_unref (chart.slanted);
  g_strfreev (chart.labels);
}

/* ---- as a picture ------------------------------------------------------------------ */

static void
draw_row (LsFigure              *self,
          const LsRoofline      *roofline,
          const LsRooflinePoint *point,
          float                  y)
{
  g_autofree char *tag = ls_step_item_tag (point->item);
  g_autofree char *intensity = point->bytes > 0.0 ? ls_roofline_intensity_text (ls_roofline_intensity (point)) : g_strdup ("–");
  g_autofree char *speed = ls_roofline_is_drawn (point) ? ls_roofline_speed_text (ls_roofline_speed (point)) : g_strdup (_("not measured"));
  g_autofree char *share = ls_roofline_share_text (roofline, point);

  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, tag, LS_FIGURE_MARGIN, y, 0.0f);
  ls_figure_text_within (self, LS_ROLE_CODE, LS_LOOK_TEXT, ls_step_item_get (point->item)->name, LS_FIGURE_MARGIN + 28.0f, y, 330.0f);
  ls_figure_text (self, LS_ROLE_BODY, LS_LOOK_TEXT, intensity, 560.0f, y, 1.0f);
  ls_figure_text (self, LS_ROLE_BODY, ls_roofline_is_drawn (point) ? LS_LOOK_TEXT : LS_LOOK_DIM, speed, 720.0f, y, 1.0f);
  ls_figure_text (self, LS_ROLE_BODY, LS_LOOK_TEXT, share, self->width - LS_FIGURE_MARGIN, y, 1.0f);
}

void
ls_figure_roofline (LsFigure         *self,
                    const LsRoofline *roofline)
{
  g_autofree char *verdict = ls_roofline_verdict (roofline);
  g_autofree char *machine = ls_roofline_machine_text (roofline);
  g_autofree char *counting = ls_roofline_counting_text (roofline);
  float chart = roofline->known ? PICTURE_CHART : 0.0f, y = PICTURE_HEAD + chart + ROW / 2.0f;

  self->width = PICTURE_WIDTH;
  self->height = PICTURE_HEAD + chart + ROW * (float) (roofline->points->len + 1) + LS_FIGURE_MARGIN;
  ls_figure_text (self, LS_ROLE_VERDICT, LS_LOOK_TEXT, verdict, LS_FIGURE_MARGIN, 28.0f, 0.0f);
  if (roofline->known)
    ls_figure_text_within (self, LS_ROLE_REASON, LS_LOOK_DIM, machine, LS_FIGURE_MARGIN, 54.0f, self->width - 2.0f * LS_FIGURE_MARGIN);
  ls_figure_text_within (self, LS_ROLE_REASON, LS_LOOK_DIM, counting, LS_FIGURE_MARGIN, 74.0f, self->width - 2.0f * LS_FIGURE_MARGIN);
  ls_draw_roofline (self, roofline, 0.0f, PICTURE_HEAD - 16.0f, self->width, chart);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("Step"), LS_FIGURE_MARGIN + 28.0f, y, 0.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("intensity"), 560.0f, y, 1.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("reached"), 720.0f, y, 1.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("of its roof"), self->width - LS_FIGURE_MARGIN, y, 1.0f);
  for (guint i = 0; i < roofline->points->len; i++)
    draw_row (self, roofline, &g_array_index (roofline->points, LsRooflinePoint, i), y + ROW * (float) (i + 1));
}
