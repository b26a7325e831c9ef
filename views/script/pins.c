/* script/pins: see the header. */
#include "views/script/pins.h"

#include "views/canvas/draw-pin.h"

#include <math.h>

#define LINE 2.0f
#define BADGE 0.66f             /* of the height of a letter's box */

static void
draw_one (GtkTextView       *view,
          const LsScriptPin *pin,
          GtkSnapshot       *snapshot,
          const LsLook      *look)
{
  PangoContext *pango = gtk_widget_get_pango_context (GTK_WIDGET (view));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  guint n = ls_pins_count (pin->pins), at = 0;
  float size, part, bottom;
  GtkTextIter start, end;
  GdkRectangle a, b;

  gtk_text_buffer_get_iter_at_offset (buffer, &start, (int) pin->start);
  gtk_text_buffer_get_iter_at_offset (buffer, &end, (int) pin->end);
  gtk_text_view_get_iter_location (view, &start, &a);
  gtk_text_view_get_iter_location (view, &end, &b);
  size = roundf ((float) a.height * BADGE);
  part = (float) (b.x - a.x) / (float) n;
  bottom = (float) (a.y + a.height);
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    {
      float x = (float) a.x + part * (float) at;

      if (!(pin->pins & LS_PIN_BIT (slot)))
        continue;
      gtk_snapshot_append_color (snapshot, ls_look_pin (look, slot), &GRAPHENE_RECT_INIT (x, bottom - 1.0f, part, look->contrast ? LINE + 1.0f : LINE));
      ls_draw_pin (snapshot, pango, look, roundf (x - size + 2.0f), bottom - roundf (size * 0.45f), size, slot, FALSE);
      at++;
    }
}

void
ls_script_pins_draw (GtkTextView  *view,
                     LsScriptText *text,
                     GtkSnapshot  *snapshot,
                     const LsLook *look)
{
  GdkRectangle visible;
  GtkTextIter first, last;
  guint from, to;

  if (ls_script_text_n_pins (text) == 0)
    return;
  gtk_text_view_get_visible_rect (view, &visible);
  gtk_text_view_get_line_at_y (view, &first, visible.y, NULL);
  gtk_text_view_get_line_at_y (view, &last, visible.y + visible.height, NULL);
  gtk_text_iter_forward_to_line_end (&last);
  from = ls_script_text_find_pin (text, (guint) gtk_text_iter_get_offset (&first));
  to = (guint) gtk_text_iter_get_offset (&last);
  for (guint i = from; i < ls_script_text_n_pins (text) && ls_script_text_get_pin (text, i)->start <= to; i++)
    draw_one (view, ls_script_text_get_pin (text, i), snapshot, look);
}
