/* draw-tuning: frames, axes of decades, marks. */
#include "views/canvas/draw-tuning.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define GAP 8.0f
#define MARK 4.0f
#define NEAR 10.0f              /* how far from a mark still means it */
#define SHAPES 5

static const LsFont LABEL = { .scale = 0.85f };

typedef struct {
  LsTuning          *tuning;
  LsTuningChartKind  kind;
  float              x, y, width, height;       /* of the frame; the bands are outside of it */
  float              line;                      /* height of a line of text */
  float              band;                      /* of the bands */
  double             least, most;               /* seconds, of both axes of the scatter, of the upright one of the curve */
  guint              planned;
} Chart;

/* ---- places --------------------------------------------------------------------- */

static void
stretch (Chart  *self,
         double  seconds)
{
  if (seconds <= 0.0)
    return;
  self->least = self->least > 0.0 ? fmin (self->least, seconds) : seconds;
  self->most = fmax (self->most, seconds);
}

static float
text_width (PangoContext *pango,
            const char   *text)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, &LABEL, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

static const LsTuningRecord *
record_of (LsTuning          *tuning,
           LsTuningChartKind  kind)
{
  return kind == LS_TUNING_TOTAL ? ls_tuning_get (tuning) : ls_tuning_get_part (tuning);
}

static void
set_frame (Chart             *self,
           PangoContext      *pango,
           LsTuning          *tuning,
           LsTuningChartKind  kind,
           float              width,
           float              height)
{
  GListModel *items = ls_tuning_get_items (tuning);
  const LsTuningRecord *record = record_of (tuning, kind);
  GArray *totals = kind == LS_TUNING_TOTAL ? ls_tuning_get_totals (tuning) : NULL;
  guint n_items = kind == LS_TUNING_TOTAL ? 0 : g_list_model_get_n_items (items);
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, &LABEL, "10.00\u202fms");
  int label_width, label_height;
  float left;

  pango_layout_get_pixel_size (layout, &label_width, &label_height);
  *self = (Chart) { .tuning = tuning, .kind = kind, .line = (float) label_height, .band = (float) label_height + 2.0f };
  for (guint i = 0; totals != NULL && i < totals->len; i++)
    stretch (self, g_array_index (totals, LsTuningTotal, i).seconds);
  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (items, i);
      const LsTrialRecord *trial = ls_trial_item_get (item);

      stretch (self, trial->seconds);
      if (kind == LS_TUNING_SCATTER)
        stretch (self, trial->predicted);
    }
  if (kind != LS_TUNING_SCATTER)
    stretch (self, record->base);
  self->least = self->least > 0.0 ? self->least * 0.8 : 1e-6;
  self->most = self->most > 0.0 ? self->most * 1.25 : 1e-3;
  self->planned = MAX (MAX (kind == LS_TUNING_CURVE && ls_tuning_get_task (tuning) != LS_TUNING_NO_TASK ? 0 : record->planned, MAX (record->trials, n_items)), 1);
  left = MAX ((float) label_width, kind != LS_TUNING_SCATTER ? text_width (pango, _("no time")) : 0.0f) + GAP;
  self->x = left + (kind == LS_TUNING_SCATTER ? self->band : 0.0f);
  self->y = kind == LS_TUNING_SCATTER ? self->line + GAP + self->band : self->line + GAP;
  self->width = MAX (width - self->x - MAX (2.0f * GAP, (float) label_width / 2.0f + 2.0f), 20.0f);      /* half of the last label is behind the frame */
  self->height = MAX (height - self->y - 2.0f * self->line - GAP - (kind != LS_TUNING_SCATTER ? self->band : 0.0f), 20.0f);
}

static float
y_of (const Chart *self,
      double       seconds)
{
  return self->y + self->height - (float) (log (seconds / self->least) / log (self->most / self->least)) * self->height;
}

static float
x_of_time (const Chart *self,
           double       seconds)
{
  return self->x + (float) (log (seconds / self->least) / log (self->most / self->least)) * self->width;
}

static float
x_of_trial (const Chart *self,
            guint        number)
{
  return self->x + ((float) number - 0.5f) / (float) self->planned * self->width;
}

/* FALSE: it has no mark yet. */
static gboolean
place_of (const Chart         *self,
          const LsTrialRecord *trial,
          float               *x,
          float               *y)
{
  gboolean failed = trial->state == LS_TRIAL_ITEM_FAILED;

  if (!failed && trial->seconds <= 0.0)
    return FALSE;
  if (self->kind == LS_TUNING_CURVE)
    {
      *x = x_of_trial (self, trial->number);
      *y = failed ? self->y + self->height + self->band / 2.0f : y_of (self, trial->seconds);
      return TRUE;
    }
  *x = trial->predicted > 0.0 ? x_of_time (self, trial->predicted) : self->x - self->band / 2.0f;
  *y = failed ? self->y - self->band / 2.0f : y_of (self, trial->seconds);
  return TRUE;
}

LsTrialItem *
ls_tuning_find (PangoContext      *pango,
                LsTuning          *tuning,
                LsTuningChartKind  kind,
                float              width,
                float              height,
                float              x,
                float              y)
{
  GListModel *items = ls_tuning_get_items (tuning);
  LsTrialItem *found = NULL;
  float nearest = NEAR * NEAR;
  Chart chart;

  if (kind == LS_TUNING_TOTAL)
    return NULL;
  set_frame (&chart, pango, tuning, kind, width, height);
  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (items, i);
      float at_x, at_y, distance;

      if (!place_of (&chart, ls_trial_item_get (item), &at_x, &at_y))
        continue;
      distance = (at_x - x) * (at_x - x) + (at_y - y) * (at_y - y);
      if (distance < nearest)
        {
          nearest = distance;
          found = item;
        }
    }
  return found;
}

/* ---- marks ------------------------------------------------------------------------ */

static void
shape_path (cairo_t *cr,
            guint    shape,
            float    x,
            float    y,
            float    r)
{
  switch (shape)
    {
    case 1:
      cairo_rectangle (cr, x - r * 0.9f, y - r * 0.9f, 1.8f * r, 1.8f * r);
      break;
    case 2:
      cairo_move_to (cr, x, y - 1.2f * r);
      cairo_line_to (cr, x + 1.15f * r, y + 0.9f * r);
      cairo_line_to (cr, x - 1.15f * r, y + 0.9f * r);
      break;
    case 3:
      cairo_move_to (cr, x, y - 1.3f * r);
      cairo_line_to (cr, x + 1.3f * r, y);
      cairo_line_to (cr, x, y + 1.3f * r);
      cairo_line_to (cr, x - 1.3f * r, y);
      break;
    case 4:
      cairo_move_to (cr, x, y + 1.2f * r);
      cairo_line_to (cr, x + 1.15f * r, y - 0.9f * r);
      cairo_line_to (cr, x - 1.15f * r, y - 0.9f * r);
      break;
    default:
      cairo_arc (cr, x, y, r, 0.0, 2.0 * G_PI);
      return;
    }
  cairo_close_path (cr);
}

static void
add_mark (cairo_t      *cr,
          const LsLook *look,
          guint         family,
          float         x,
          float         y,
          float         radius)
{
  const GdkRGBA *color = family == LS_TRIAL_NO_FAMILY ? ls_look_get (look, LS_LOOK_NEUTRAL) : ls_look_family (look, family);

  gdk_cairo_set_source_rgba (cr, color);
  shape_path (cr, family == LS_TRIAL_NO_FAMILY ? 0 : family % SHAPES, x, y, radius);
  cairo_fill (cr);
}

void
ls_draw_trial_mark (LsFigure *self,
                    guint     family,
                    float     x,
                    float     y,
                    float     radius)
{
  cairo_t *cr = ls_draw_cairo (self->snapshot, &GRAPHENE_RECT_INIT (x - 2.0f * radius, y - 2.0f * radius, 4.0f * radius, 4.0f * radius));

  add_mark (cr, self->look, family, x, y, radius);
  cairo_destroy (cr);
}

static void
add_cross (cairo_t      *cr,
           const LsLook *look,
           float         x,
           float         y)
{
  gdk_cairo_set_source_rgba (cr, ls_look_get (look, LS_LOOK_ERROR));
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, x - 3.5f, y - 3.5f);
  cairo_line_to (cr, x + 3.5f, y + 3.5f);
  cairo_move_to (cr, x + 3.5f, y - 3.5f);
  cairo_line_to (cr, x - 3.5f, y + 3.5f);
  cairo_stroke (cr);
}

/* What is merely on its way, what was given up: an outline. */
static void
add_item (cairo_t             *cr,
          const Chart         *self,
          const LsLook        *look,
          const LsTrialRecord *trial)
{
  float x, y;

  if (!place_of (self, trial, &x, &y))
    return;
  if (trial->state == LS_TRIAL_ITEM_FAILED)
    add_cross (cr, look, x, y);
  else
    add_mark (cr, look, trial->family, x, y, trial->given_up ? MARK * 0.6f : MARK);
}

/* ---- axes ---------------------------------------------------------------------------- */

static void
text_at (LsFigure    *figure,
         LsLookToken  color,
         const char  *text,
         float        x,
         float        y,
         float        xalign,
         float        yalign)
{
  ls_draw_text (figure->snapshot, figure->pango, &LABEL, text, x, y, xalign, yalign, ls_look_get (figure->look, color));
}

/* 1, 10, 100 µs ..; where there is less than a decade, 1, 2, 5. */
static gboolean
next_tick (const Chart *self,
           double      *tick)
{
  static const double finer[] = { 1.0, 2.0, 5.0 };
  gboolean fine = self->most / self->least < 30.0;
  double from = *tick;

  for (double decade = pow (10.0, floor (log10 (fmax (from, self->least)))); decade <= self->most; decade *= 10.0)
    for (guint i = 0; i < (fine ? G_N_ELEMENTS (finer) : 1); i++)
      if (decade * finer[i] > from * 1.0001 && decade * finer[i] >= self->least && decade * finer[i] <= self->most)
        {
          *tick = decade * finer[i];
          return TRUE;
        }
  return FALSE;
}

static void
draw_time_axis (LsFigure    *figure,
                const Chart *self)
{
  /* Below the curve of one search stands "no time". */
  float last_x = self->x - 100.0f, last_y = self->y + self->height + (self->kind == LS_TUNING_CURVE ? self->band / 2.0f : 2.0f * self->line);

  for (double tick = 0.0; next_tick (self, &tick);)
    {
      g_autofree char *words = ls_format_time (tick);
      float y = roundf (y_of (self, tick)), x = roundf (x_of_time (self, tick)), half = text_width (figure->pango, words) / 2.0f;

      gtk_snapshot_append_color (figure->snapshot, ls_look_get (figure->look, LS_LOOK_BORDER_SOFT), &GRAPHENE_RECT_INIT (self->x, y, self->width, 1.0f));
      if (last_y - y > 1.2f * self->line)
        {
          text_at (figure, LS_LOOK_DIM, words, self->x - GAP - (self->kind == LS_TUNING_SCATTER ? self->band : 0.0f), y, 1.0f, 0.5f);
          last_y = y;
        }
      if (self->kind != LS_TUNING_SCATTER || x - half < last_x + GAP)
        continue;
      gtk_snapshot_append_color (figure->snapshot, ls_look_get (figure->look, LS_LOOK_BORDER_SOFT), &GRAPHENE_RECT_INIT (x, self->y, 1.0f, self->height));
      text_at (figure, LS_LOOK_DIM, words, x, self->y + self->height + 4.0f, 0.5f, 0.0f);
      last_x = x + half;
    }
}

static void
draw_trial_axis (LsFigure    *figure,
                 const Chart *self)
{
  guint step = MAX (1, self->planned / 8);
  float y = self->y + self->height + self->band;

  for (guint decade = 1; decade <= self->planned; decade *= 10)
    for (guint i = 0; i < 3; i++)
      {
        static const guint finer[] = { 1, 2, 5 };

        if (decade * finer[i] >= step)
          {
            step = decade * finer[i];
            decade = self->planned;
            break;
          }
      }
  for (guint number = step; number <= self->planned; number += step)
    {
      g_autofree char *words = ls_format_count (number);

      text_at (figure, LS_LOOK_DIM, words, x_of_trial (self, number), y + 4.0f, 0.5f, 0.0f);
    }
}

static void
draw_frame (LsFigure    *figure,
            const Chart *self)
{
  ls_draw_frame (figure->snapshot, &GRAPHENE_RECT_INIT (self->x, self->y, self->width, self->height), 0.0f, 1.0f,
                 ls_look_get (figure->look, LS_LOOK_BORDER));
}

/* ---- the two charts ------------------------------------------------------------------- */

/* How many marks and bends of the curve lie on that. */
static guint
marks_on (const Chart           *self,
          const graphene_rect_t *box)
{
  GListModel *items = ls_tuning_get_items (self->tuning);
  graphene_rect_t wide = GRAPHENE_RECT_INIT (box->origin.x - MARK, box->origin.y - MARK, box->size.width + 2.0f * MARK, box->size.height + 2.0f * MARK);
  guint n = 0;

  for (guint i = 0; self->kind == LS_TUNING_CURVE && i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (items, i);
      float x, y;

      if (place_of (self, ls_trial_item_get (item), &x, &y))
        n += graphene_rect_contains_point (&wide, &GRAPHENE_POINT_INIT (x, y));
    }
  return n;
}

/* The words of the dashed line stand where the fewest marks are: under or over it, at its end or at its begin. */
static void
draw_base_words (LsFigure    *figure,
                 const Chart *self,
                 float        y,
                 const char  *words)
{
  float width = text_width (figure->pango, words), best_x = 0.0f, best_y = 0.0f;
  guint least = G_MAXUINT;

  for (guint i = 0; i < 4; i++)
    {
      graphene_rect_t box = GRAPHENE_RECT_INIT (i < 2 ? self->x + self->width - 4.0f - width : self->x + 4.0f,
                                                i % 2 == 0 ? y + 1.0f : y - 1.0f - self->line, width, self->line);
      gboolean inside = box.origin.y >= self->y && box.origin.y + self->line <= self->y + self->height;
      guint n = inside ? marks_on (self, &box) : G_MAXUINT;

      if (n < least || i == 0)
        {
          least = n;
          best_x = box.origin.x;
          best_y = box.origin.y;
        }
    }
  text_at (figure, LS_LOOK_DIM, words, best_x, best_y, 0.0f, 0.0f);
}

static void
draw_base (LsFigure    *figure,
           const Chart *self)
{
  double base = record_of (self->tuning, self->kind)->base;
  cairo_t *cr;
  float y;
  static const double dashes[] = { 4.0, 4.0 };

  if (base <= 0.0)
    return;
  y = roundf (y_of (self, base)) + 0.5f;
  cr = ls_draw_cairo (figure->snapshot, &GRAPHENE_RECT_INIT (self->x, y - 1.0f, self->width, 2.0f));
  gdk_cairo_set_source_rgba (cr, ls_look_get (figure->look, LS_LOOK_NEUTRAL));
  cairo_set_line_width (cr, 1.0);
  cairo_set_dash (cr, dashes, 2, 0.0);
  cairo_move_to (cr, self->x, y);
  cairo_line_to (cr, self->x + self->width, y);
  cairo_stroke (cr);
  cairo_destroy (cr);
  draw_base_words (figure, self, y, self->kind == LS_TUNING_TOTAL ? _("the module as it was") : _("the program as it was"));
}

/* The steps end where the last program was measured. */
static void
add_curve (cairo_t     *cr,
           const Chart *self,
           GListModel  *items)
{
  double best = 0.0;
  float end = self->x;

  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (items, i);
      const LsTrialRecord *trial = ls_trial_item_get (item);
      float x = x_of_trial (self, trial->number);

      if (trial->seconds > 0.0 || trial->state == LS_TRIAL_ITEM_FAILED)
        end = x;
      if (trial->seconds <= 0.0 || (best > 0.0 && trial->seconds >= best))
        continue;
      if (best <= 0.0)
        cairo_move_to (cr, x, y_of (self, trial->seconds));
      else
        {
          cairo_line_to (cr, x, y_of (self, best));
          cairo_line_to (cr, x, y_of (self, trial->seconds));
        }
      best = trial->seconds;
    }
  if (best > 0.0)
    cairo_line_to (cr, end, y_of (self, best));
}

/* Of the whole module: it begins when all functions were timed. */
static void
draw_totals (LsFigure    *figure,
             const Chart *self,
             float        width,
             float        height)
{
  GArray *totals = ls_tuning_get_totals (self->tuning);
  cairo_t *cr;
  float y = 0.0f;

  if (totals == NULL || totals->len == 0)
    return;
  cr = ls_draw_cairo (figure->snapshot, &GRAPHENE_RECT_INIT (0.0f, 0.0f, width, height));
  gdk_cairo_set_source_rgba (cr, ls_look_get (figure->look, LS_LOOK_ACCENT));
  cairo_set_line_width (cr, 2.0);
  for (guint i = 0; i < totals->len; i++)
    {
      const LsTuningTotal *total = &g_array_index (totals, LsTuningTotal, i);
      float x = x_of_trial (self, MAX (total->trials, 1));

      if (i > 0)
        cairo_line_to (cr, x, y);
      y = y_of (self, total->seconds);
      if (i == 0)
        cairo_move_to (cr, x, y);
      else
        cairo_line_to (cr, x, y);
    }
  cairo_line_to (cr, x_of_trial (self, MAX (ls_tuning_get (self->tuning)->trials, 1)), y);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_marks (LsFigure    *figure,
            const Chart *self,
            float        width,
            float        height)
{
  GListModel *items = ls_tuning_get_items (self->tuning);
  LsTrialItem *selected = ls_tuning_get_selected (self->tuning);
  cairo_t *cr = ls_draw_cairo (figure->snapshot, &GRAPHENE_RECT_INIT (0.0f, 0.0f, width, height));
  float x, y;

  if (self->kind == LS_TUNING_CURVE)
    {
      gdk_cairo_set_source_rgba (cr, ls_look_get (figure->look, LS_LOOK_ACCENT));
      cairo_set_line_width (cr, 2.0);
      add_curve (cr, self, items);
      cairo_stroke (cr);
    }
  else
    {
      gdk_cairo_set_source_rgba (cr, ls_look_get (figure->look, LS_LOOK_NEUTRAL));
      cairo_set_line_width (cr, 1.0);
      cairo_move_to (cr, self->x, self->y + self->height);
      cairo_line_to (cr, self->x + self->width, self->y);
      cairo_stroke (cr);
    }
  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (items, i);

      add_item (cr, self, figure->look, ls_trial_item_get (item));
    }
  if (selected != NULL && place_of (self, ls_trial_item_get (selected), &x, &y))
    {
      gdk_cairo_set_source_rgba (cr, ls_look_get (figure->look, LS_LOOK_ACCENT));
      cairo_set_line_width (cr, 2.0);
      cairo_arc (cr, x, y, MARK + 4.0f, 0.0, 2.0 * G_PI);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
}

void
ls_draw_tuning (LsFigure          *figure,
                LsTuning          *tuning,
                LsTuningChartKind  kind,
                float              width,
                float              height)
{
  gboolean curve = kind != LS_TUNING_SCATTER, whole = kind == LS_TUNING_TOTAL;
  Chart self;
  float below;

  set_frame (&self, figure->pango, tuning, kind, width, height);
  below = self.y + self.height + (curve ? self.band : 0.0f) + self.line + 4.0f;
  draw_frame (figure, &self);
  draw_time_axis (figure, &self);
  text_at (figure, LS_LOOK_DIM, curve ? _("time") : _("measured"), 2.0f, 0.0f, 0.0f, 0.0f);
  text_at (figure, LS_LOOK_DIM, curve ? _("trial") : _("predicted"), self.x + self.width, below, 1.0f, 0.0f);
  if (curve)
    {
      draw_base (figure, &self);
      draw_trial_axis (figure, &self);
    }
  if (whole)
    {
      draw_totals (figure, &self, width, height);
      return;
    }
  if (curve)
    {
      text_at (figure, LS_LOOK_DIM, _("no time"), self.x - GAP, self.y + self.height + self.band / 2.0f, 1.0f, 0.5f);
    }
  else
    {
      text_at (figure, LS_LOOK_DIM, _("no time"), self.x + self.width, self.y - self.band / 2.0f, 1.0f, 0.5f);
      text_at (figure, LS_LOOK_DIM, _("not predicted"), 2.0f, below, 0.0f, 0.0f);
    }
  draw_marks (figure, &self, width, height);
}
