/* figures/times: a sentence, the axis, one range for each step, the figures.  A step
 * without a time says why in the place of its range. */
#include "views/figures/times.h"

#include "views/canvas/draw-range.h"
#include "views/models/format.h"

#include <glib/gi18n.h>

#define WIDTH 984.0f
#define HEAD 104.0f
#define ROW 26.0f
#define RANGE_X 232.0f
#define RANGE_WIDTH 376.0f

/* Right edges of the columns of figures. */
#define MIN_X 674.0f
#define MEDIAN_X 746.0f
#define IQR_X 840.0f

static gboolean
is_known (const LsStepRecord *record)
{
  return record->timing.samples > 0 && record->state != LS_STEP_FAILED;
}

char *
ls_figure_times_verdict (GListModel *path)
{
  for (guint i = g_list_model_get_n_items (path); i-- > 1;)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);
      const LsStepRecord *record = ls_step_item_get (item);
      g_autofree char *factor = NULL;

      if (!is_known (record) || record->speedup <= 0.0)
        continue;
      if (record->no_difference)
        return g_strdup_printf (_("Between step %u and step 0 there is no real difference."),
                                record->number);
      factor = ls_format_factor (record->speedup < 1.0 ? 1.0 / record->speedup : record->speedup);
      if (record->speedup < 1.0)
        return g_strdup_printf (_("Step %u is slower than step 0: it takes %s the time."), record->number, factor);
      return g_strdup_printf (_("Step %u is %s faster than step 0."), record->number, factor);
    }

  return g_strdup (_("Not measured."));
}

static double
axis_of (GListModel *path,
         guint      *ticks)
{
  double largest = 0.0;

  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      if (is_known (ls_step_item_get (item)))
        largest = MAX (largest, ls_step_item_get (item)->timing.q3);
    }
  *ticks = 0;
  return largest > 0.0 ? ls_range_axis (largest, ticks) : 0.0;
}

static void
draw_figures (LsFigure           *self,
              const LsStepRecord *record,
              LsTimeUnit          unit,
              float               y)
{
  g_autofree char *min = ls_format_time_in (record->timing.min, unit);
  g_autofree char *median = ls_format_time_in (record->timing.median, unit);
  g_autofree char *q1 = ls_format_time_in (record->timing.q1, unit);
  g_autofree char *q3 = ls_format_time_in (record->timing.q3, unit);
  g_autofree char *iqr = g_strdup_printf ("%s – %s", q1, q3);
  g_autofree char *factor = NULL;

  ls_figure_text (self, LS_ROLE_BODY, LS_LOOK_TEXT, min, MIN_X, y, 1.0f);
  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, median, MEDIAN_X, y, 1.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, iqr, IQR_X, y, 1.0f);
  if (record->speedup <= 0.0)
    return;
  factor = record->no_difference ? ls_format_factor (record->speedup)
                                 : ls_format_speedup (record->speedup);
  ls_figure_text (self, record->no_difference ? LS_ROLE_BODY : LS_ROLE_STRONG, LS_LOOK_TEXT, factor,
                  self->width - LS_FIGURE_MARGIN, y, 1.0f);
}

static void
draw_row (LsFigure   *self,
          LsStepItem *item,
          double      top,
          guint       ticks,
          float       y)
{
  const LsStepRecord *record = ls_step_item_get (item);
  g_autofree char *tag = ls_step_item_tag (item);
  float middle = y + ROW / 2.0f;

  if (ls_step_item_is_current (item))
    {
      gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_SELECTED),
                                 &GRAPHENE_RECT_INIT (0.0f, y, self->width, ROW));
      gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_ACCENT),
                                 &GRAPHENE_RECT_INIT (0.0f, y, 3.0f, ROW));
    }
  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, tag, LS_FIGURE_MARGIN, middle, 0.0f);
  ls_figure_text_within (self, LS_ROLE_CODE, LS_LOOK_TEXT, record->name, LS_FIGURE_MARGIN + 28.0f,
                         middle, RANGE_X - LS_FIGURE_MARGIN - 36.0f);
  if (!is_known (record))
    {
      g_autofree char *detail = ls_step_item_detail (item);

      ls_figure_text_within (self, LS_ROLE_REASON,
                             record->state == LS_STEP_FAILED ? LS_LOOK_ERROR : LS_LOOK_DIM, detail,
                             RANGE_X + 6.0f, middle, self->width - RANGE_X - LS_FIGURE_MARGIN);
      return;
    }
  gtk_snapshot_save (self->snapshot);
  gtk_snapshot_translate (self->snapshot, &GRAPHENE_POINT_INIT (RANGE_X, y));
  ls_draw_range (self->snapshot, self->look, item, top, ticks, RANGE_WIDTH, ROW);
  gtk_snapshot_restore (self->snapshot);
  draw_figures (self, record, ls_format_time_unit (top), middle);
}

/* The axis takes the size of the context, here that of a caption. */
static void
draw_axis (LsFigure *self,
           double    top,
           guint     ticks,
           float     y)
{
  g_autoptr (PangoFontDescription) body = NULL, caption = NULL;

  body = pango_font_description_copy (pango_context_get_font_description (self->pango));
  caption = pango_font_description_copy (body);
  pango_font_description_set_size (caption, pango_font_description_get_size (body) * 85 / 100);
  pango_context_set_font_description (self->pango, caption);
  gtk_snapshot_save (self->snapshot);
  gtk_snapshot_translate (self->snapshot, &GRAPHENE_POINT_INIT (RANGE_X, y - 12.0f));
  ls_draw_range_axis (self->snapshot, self->pango, self->look, top, ticks, RANGE_WIDTH, 24.0f);
  gtk_snapshot_restore (self->snapshot);
  pango_context_set_font_description (self->pango, body);
}

static void
draw_head (LsFigure   *self,
           GListModel *path,
           const char *conditions,
           double      top,
           guint       ticks)
{
  g_autofree char *verdict = ls_figure_times_verdict (path);
  g_autofree char *about = NULL, *unit = NULL;
  float y = HEAD - 14.0f;

  ls_figure_text (self, LS_ROLE_VERDICT, LS_LOOK_TEXT, verdict, LS_FIGURE_MARGIN, 28.0f, 0.0f);
  if (ticks == 0)
    return;
  unit = g_strdup_printf (_("Time per step, median in %s"), ls_time_unit_name (ls_format_time_unit (top)));
  about = g_strjoin (LS_PARTS, unit, conditions, NULL);
  ls_figure_text_within (self, LS_ROLE_REASON, LS_LOOK_DIM, about, LS_FIGURE_MARGIN, 54.0f,
                         self->width - 2.0f * LS_FIGURE_MARGIN);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("Step"), LS_FIGURE_MARGIN + 28.0f, y, 0.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("min"), MIN_X, y, 1.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("median"), MEDIAN_X, y, 1.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("IQR"), IQR_X, y, 1.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("faster"), self->width - LS_FIGURE_MARGIN, y,
                  1.0f);
  draw_axis (self, top, ticks, y);
}

void
ls_figure_times (LsFigure   *self,
                 GListModel *path,
                 const char *conditions)
{
  guint n = g_list_model_get_n_items (path), ticks;
  double top = axis_of (path, &ticks);
  float head = ticks > 0 ? HEAD : 60.0f;

  self->width = WIDTH;
  self->height = head + (float) n * ROW + LS_FIGURE_MARGIN / 2.0f;
  draw_head (self, path, conditions, top, ticks);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      draw_row (self, item, top, ticks, head + (float) i * ROW);
    }
}
