/* draw-pin: see the header. */
#include "views/canvas/draw-pin.h"

#define GAP 2.0f

static void
init_drop (GskRoundedRect *drop,
           float           x,
           float           y,
           float           size)
{
  const graphene_size_t round = GRAPHENE_SIZE_INIT (size / 2.0f, size / 2.0f), sharp = GRAPHENE_SIZE_INIT (0.0f, 0.0f);

  gsk_rounded_rect_init (drop, &GRAPHENE_RECT_INIT (x, y, size, size), &round, &sharp, &round, &round);
}

static void
fill_drop (GtkSnapshot   *snapshot,
           float          x,
           float          y,
           float          size,
           const GdkRGBA *color)
{
  GskRoundedRect drop;

  init_drop (&drop, x, y, size);
  gtk_snapshot_push_rounded_clip (snapshot, &drop);
  gtk_snapshot_append_color (snapshot, color, &drop.bounds);
  gtk_snapshot_pop (snapshot);
}

void
ls_draw_pin (GtkSnapshot  *snapshot,
             PangoContext *pango,
             const LsLook *look,
             float         x,
             float         y,
             float         size,
             guint         slot,
             gboolean      hollow)
{
  const GdkRGBA *color = ls_look_pin (look, slot);
  LsFont font = { .pixels = size * 0.74f, .bold = TRUE };
  float edge = size > 13.0f ? 1.8f : 1.4f;

  if (look->contrast)
    fill_drop (snapshot, x - 1.0f, y - 1.0f, size + 2.0f, ls_look_get (look, LS_LOOK_TEXT));
  fill_drop (snapshot, x, y, size, color);
  if (hollow)
    fill_drop (snapshot, x + edge, y + edge, size - 2.0f * edge, ls_look_get (look, LS_LOOK_VIEW));
  ls_draw_text (snapshot, pango, &font, ls_pin_letter (slot), x + size / 2.0f, y + size / 2.0f, 0.5f, 0.5f,
                hollow ? color : ls_look_get (look, LS_LOOK_CHIP_TEXT));
}

float
ls_draw_pins_width (guint8 pins,
                    guint8 uses,
                    float  size)
{
  guint n = ls_pins_count (pins) + ls_pins_count (uses);

  return n == 0 ? 0.0f : (float) n * size + (float) (n - 1) * GAP;
}

void
ls_draw_pins (GtkSnapshot  *snapshot,
              PangoContext *pango,
              const LsLook *look,
              float         x,
              float         y,
              float         size,
              guint8        pins,
              guint8        uses)
{
  for (guint i = 0; i < 2 * LS_PINS_MAX; i++)
    {
      gboolean hollow = i >= LS_PINS_MAX;
      guint slot = i % LS_PINS_MAX;

      if (!((hollow ? uses : pins) & LS_PIN_BIT (slot)))
        continue;
      ls_draw_pin (snapshot, pango, look, x, y, size, slot, hollow);
      x += size + GAP;
    }
}
