/* script/layers: see the header. */
#include "views/script/layers.h"

#include "views/canvas/draw.h"
#include "views/script/pins.h"

static void
draw_hatch (GtkSnapshot           *snapshot,
            const LsLook          *look,
            const graphene_rect_t *area)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, area);
  float x = area->origin.x, y = area->origin.y, height = area->size.height;

  gdk_cairo_set_source_rgba (cr, ls_look_get (look, LS_LOOK_BORDER_SOFT));
  cairo_set_line_width (cr, 1.0);
  for (float at = x - height; at < x + area->size.width; at += 8.0f)
    {
      cairo_move_to (cr, at, y + height);
      cairo_line_to (cr, at + height, y);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_line_background (const LsScriptShown *self,
                      GtkSnapshot         *snapshot,
                      const LsLook        *look,
                      const GdkRectangle  *visible,
                      const GtkTextIter   *iter)
{
  guint line = (guint) gtk_text_iter_get_line (iter);
  const LsScriptLine *info = ls_script_text_line (self->text, line);
  float x = (float) MIN (visible->x, 0) - 100.0f, width = (float) visible->width + 4000.0f;
  int y, room, top, row, below = ls_script_gaps_get_below (self->gaps, line);

  gtk_text_view_get_line_yrange (self->view, iter, &y, &room);
  ls_script_shown_get_row (self, line, room, &top, &row);
  if (self->compare ? info->change == LS_LINE_NEW : ls_script_shown_is_selected (self, line))
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_SELECTED), &GRAPHENE_RECT_INIT (x, (float) (y + top), width, (float) row));
  else if (self->compare && info->change == LS_LINE_GONE)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_WARN_BG), &GRAPHENE_RECT_INIT (x, (float) (y + top), width, (float) row));
  if (top > 0)
    draw_hatch (snapshot, look, &GRAPHENE_RECT_INIT ((float) visible->x, (float) y, (float) visible->width, (float) top));
  if (below > 0)
    draw_hatch (snapshot, look, &GRAPHENE_RECT_INIT ((float) visible->x, (float) (y + top + row), (float) visible->width, (float) below));
}

/* The change that one stands at: a line above and below. */
static void
draw_change (const LsScriptShown *self,
             GtkSnapshot         *snapshot,
             const LsLook        *look,
             const GdkRectangle  *visible,
             const GtkTextIter   *iter)
{
  int line = gtk_text_iter_get_line (iter);
  float x = (float) MIN (visible->x, 0) - 100.0f, width = (float) visible->width + 4000.0f;
  int y, room, top, row;

  if (!self->compare || self->change_first < 0 || (line != self->change_first && line != self->change_last))
    return;
  gtk_text_view_get_line_yrange (self->view, iter, &y, &room);
  ls_script_shown_get_row (self, (guint) line, room, &top, &row);
  y += top;
  if (line == self->change_first)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_ACCENT), &GRAPHENE_RECT_INIT (x, (float) y, width, 1.5f));
  if (line == self->change_last)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_ACCENT), &GRAPHENE_RECT_INIT (x, (float) (y + row) - 1.5f, width, 1.5f));
}

/* Where lines differ from those of the text before, most of their words do: one piece. */
static void
draw_changes (const LsScriptShown *self,
              GtkSnapshot         *snapshot,
              const GdkRectangle  *visible)
{
  int first, last, top, bottom = visible->y + visible->height, y, height;
  GtkTextIter iter;

  ls_script_tags_get_changed (self->tags, &first, &last);
  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (self->view), &iter, first);
  gtk_text_view_get_line_yrange (self->view, &iter, &y, NULL);
  top = MAX (y, visible->y);
  if (last >= 0)
    {
      gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (self->view), &iter, last);
      gtk_text_view_get_line_yrange (self->view, &iter, &y, &height);
      bottom = MIN (bottom, y + height);
    }
  if (top < bottom)
    ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT ((float) visible->x, (float) top, (float) visible->width, (float) (bottom - top)),
                   self->changes);
}

/* Before this line a run stands still. */
static void
draw_stand (const LsScriptShown *self,
            GtkSnapshot         *snapshot,
            const LsLook        *look,
            const GdkRectangle  *visible,
            const GtkTextIter   *iter)
{
  GdkRGBA color = ls_look_fade (look, LS_LOOK_ACCENT, 0.18);
  int y, height;

  if (self->stand != (guint) gtk_text_iter_get_line (iter) + 1)
    return;
  gtk_text_view_get_line_yrange (self->view, iter, &y, &height);
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) visible->x, (float) y, (float) visible->width, (float) height));
  ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT ((float) visible->x + 1, (float) y, (float) visible->width - 2, (float) height), 0, 1.5f, ls_look_get (look, LS_LOOK_ACCENT));
}

void
ls_script_layers_draw_below (const LsScriptShown *self,
                             GtkSnapshot         *snapshot,
                             const LsLook        *look)
{
  GdkRectangle visible;
  GtkTextIter iter;

  gtk_text_view_get_visible_rect (self->view, &visible);
  draw_changes (self, snapshot, &visible);
  gtk_text_view_get_line_at_y (self->view, &iter, visible.y, NULL);
  for (;;)
    {
      int y;

      gtk_text_view_get_line_yrange (self->view, &iter, &y, NULL);
      if (y > visible.y + visible.height ||
          gtk_text_iter_get_line (&iter) >= (int) ls_script_text_n_lines (self->text))
        return;
      draw_line_background (self, snapshot, look, &visible, &iter);
      draw_stand (self, snapshot, look, &visible, &iter);
      draw_change (self, snapshot, look, &visible, &iter);
      if (!gtk_text_iter_forward_line (&iter))
        return;
    }
}

static void
draw_box (const LsScriptShown *self,
          GtkSnapshot         *snapshot,
          const LsLook        *look,
          const LsScriptSpan  *span)
{
  GtkTextIter start, end;
  GdkRectangle a, b;

  gtk_text_buffer_get_iter_at_offset (gtk_text_view_get_buffer (self->view), &start, (int) span->start);
  gtk_text_buffer_get_iter_at_offset (gtk_text_view_get_buffer (self->view), &end, (int) span->end);
  gtk_text_view_get_iter_location (self->view, &start, &a);
  gtk_text_view_get_iter_location (self->view, &end, &b);
  ls_draw_frame (snapshot,
                 &GRAPHENE_RECT_INIT ((float) a.x - 2.0f, (float) a.y - 0.5f,
                                      (float) (b.x - a.x) + 4.0f, (float) a.height + 1.0f),
                 4.0f, 1.5f, ls_look_get (look, LS_LOOK_ACCENT));
}

void
ls_script_layers_draw_above (const LsScriptShown *self,
                             GtkSnapshot         *snapshot,
                             const LsLook        *look)
{
  guint64 id = ls_session_get_selection (self->session);
  int hover = ls_session_get_hover (self->session);

  ls_script_pins_draw (self->view, self->text, snapshot, look);
  for (guint i = 0; i < ls_script_text_n_spans (self->text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (self->text, i);

      if ((id != 0 && span->id == id) ||
          (hover >= 0 && ls_families_contains (&span->families, (guint) hover)))
        draw_box (self, snapshot, look, span);
    }
}
