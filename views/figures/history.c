/* figures/history: one row per step: rail and disc, then call, words, time; the
 * speed-up at the right. */
#include "views/figures/history.h"

#include "views/canvas/draw-rail.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEAST_WIDTH 640.0f
#define MOST_WIDTH 1600.0f
#define HEAD 64.0f
#define ROW 66.0f

static void
draw_current (LsFigure *self,
              float     y)
{
  gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_SELECTED),
                             &GRAPHENE_RECT_INIT (0.0f, y, self->width, ROW));
  gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_ACCENT),
                             &GRAPHENE_RECT_INIT (0.0f, y, 3.0f, ROW));
}

static void
draw_speedup (LsFigure           *self,
              const LsStepRecord *record,
              float               y)
{
  g_autofree char *text = NULL;

  if (record->state != LS_STEP_MEASURED || record->speedup <= 0.0)
    return;
  text = record->no_difference ? ls_format_factor (record->speedup)
                               : ls_format_speedup (record->speedup);
  ls_figure_text (self, record->no_difference ? LS_ROLE_BODY : LS_ROLE_STRONG,
                  record->no_difference ? LS_LOOK_DIM : LS_LOOK_TEXT, text,
                  self->width - LS_FIGURE_MARGIN, y, 1.0f);
}

static void
draw_row (LsFigure   *self,
          LsStepItem *item,
          const char *words,
          float       y)
{
  const LsStepRecord *record = ls_step_item_get (item);
  gboolean current = ls_step_item_is_current (item);
  g_autofree char *tag = ls_step_item_tag (item);
  g_autofree char *detail = ls_step_item_detail (item);
  float x = LS_RAIL_WIDTH + 16.0f;
  float room = self->width - x - LS_FIGURE_MARGIN;
  float first = y + (words[0] != '\0' ? 15.0f : 23.0f);
  float last = first + (words[0] != '\0' ? 37.0f : 20.0f);

  if (current)
    draw_current (self, y);
  gtk_snapshot_save (self->snapshot);
  gtk_snapshot_translate (self->snapshot, &GRAPHENE_POINT_INIT (LS_FIGURE_MARGIN - 12.0f, y));
  ls_draw_rail (self->snapshot, self->look, item, LS_RAIL_WIDTH, ROW);
  gtk_snapshot_restore (self->snapshot);

  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, tag, x, first, 0.0f);
  ls_figure_text_within (self, current ? LS_ROLE_CODE_STRONG : LS_ROLE_CODE, LS_LOOK_TEXT,
                         record->call, x + 24.0f, first, room - 24.0f);
  if (words[0] != '\0')
    ls_figure_text_within (self, LS_ROLE_REASON, LS_LOOK_TEXT, words, x + 24.0f, first + 19.0f,
                           room - 24.0f);
  ls_figure_text_within (self, LS_ROLE_REASON,
                         record->state == LS_STEP_FAILED ? LS_LOOK_ERROR : LS_LOOK_DIM, detail,
                         x + 24.0f, last, room - 110.0f);
  draw_speedup (self, record, last);
}

/* So wide that every row has its call and its words whole. */
static float
width_for (LsFigure          *self,
           GListModel        *rows,
           const char *const *words)
{
  float most = 0.0f;

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);

      most = MAX (most, ls_figure_text_width (self, LS_ROLE_CODE_STRONG, ls_step_item_get (item)->call));
      most = MAX (most, ls_figure_text_width (self, LS_ROLE_REASON, words[i]));
    }
  return CLAMP (ceilf (LS_RAIL_WIDTH + 40.0f + most + LS_FIGURE_MARGIN), LEAST_WIDTH, MOST_WIDTH);
}

void
ls_figure_history (LsFigure          *self,
                   GListModel        *rows,
                   const char *const *words,
                   const char        *title,
                   const char        *place)
{
  guint n = g_list_model_get_n_items (rows);
  float x;

  self->width = width_for (self, rows, words);
  self->height = HEAD + (float) n * ROW + LS_FIGURE_MARGIN / 2.0f;
  x = LS_FIGURE_MARGIN + 12.0f + ls_figure_text (self, LS_ROLE_VERDICT, LS_LOOK_TEXT, title,
                                                 LS_FIGURE_MARGIN, 26.0f, 0.0f);
  ls_figure_text_within (self, LS_ROLE_CAPTION, LS_LOOK_DIM, place, x, 28.0f,
                         self->width - x - LS_FIGURE_MARGIN);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("Step"), LS_RAIL_WIDTH + 16.0f, 52.0f, 0.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, _("against step 0"),
                  self->width - LS_FIGURE_MARGIN, 52.0f, 1.0f);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);

      draw_row (self, item, words[i], HEAD + (float) i * ROW);
    }
}
