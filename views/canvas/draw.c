/* draw: lines, discs, chips, badges and text on a GtkSnapshot. */
#include "views/canvas/draw.h"

#include "engine/schedule/schedule.h"
#include "views/canvas/text-cache.h"

#include <math.h>

#define FAR_PX 20.0f            /* of letters on slides, at least */
#define FAR_BADGE 24.0f         /* so large they are there only */

float
ls_draw_text (GtkSnapshot   *snapshot,
              PangoContext  *pango,
              const LsFont  *font,
              const char    *text,
              float          x,
              float          y,
              float          xalign,
              float          yalign,
              const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = ls_text_cache_get (pango, font, text);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (roundf (x - xalign * (float) width),
                                                          roundf (y - yalign * (float) height)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);

  return (float) width;
}

void
ls_draw_line (GtkSnapshot   *snapshot,
              float          x1,
              float          y1,
              float          x2,
              float          y2,
              float          width,
              const GdkRGBA *color)
{
  float left = MIN (x1, x2), top = MIN (y1, y2);

  if (x1 == x2)
    left -= width / 2.0f;
  else
    top -= width / 2.0f;
  gtk_snapshot_append_color (snapshot, color,
                             &GRAPHENE_RECT_INIT (left, top,
                                                  x1 == x2 ? width : fabsf (x2 - x1),
                                                  x1 == x2 ? fabsf (y2 - y1) : width));
}

void
ls_draw_rounded (GtkSnapshot           *snapshot,
                 const graphene_rect_t *bounds,
                 float                  radius,
                 const GdkRGBA         *fill)
{
  GskRoundedRect rect;

  gsk_rounded_rect_init_from_rect (&rect, bounds, radius);
  gtk_snapshot_push_rounded_clip (snapshot, &rect);
  gtk_snapshot_append_color (snapshot, fill, bounds);
  gtk_snapshot_pop (snapshot);
}

void
ls_draw_frame (GtkSnapshot           *snapshot,
               const graphene_rect_t *bounds,
               float                  radius,
               float                  width,
               const GdkRGBA         *color)
{
  GskRoundedRect rect;
  float widths[4] = { width, width, width, width };
  GdkRGBA colors[4] = { *color, *color, *color, *color };

  gsk_rounded_rect_init_from_rect (&rect, bounds, radius);
  gtk_snapshot_append_border (snapshot, &rect, widths, colors);
}

void
ls_draw_disc (GtkSnapshot   *snapshot,
              float          cx,
              float          cy,
              float          radius,
              const GdkRGBA *fill)
{
  ls_draw_rounded (snapshot,
                   &GRAPHENE_RECT_INIT (cx - radius, cy - radius, 2.0f * radius, 2.0f * radius),
                   radius, fill);
}

void
ls_draw_ring (GtkSnapshot   *snapshot,
              float          cx,
              float          cy,
              float          radius,
              float          width,
              const GdkRGBA *color)
{
  ls_draw_frame (snapshot,
                 &GRAPHENE_RECT_INIT (cx - radius, cy - radius, 2.0f * radius, 2.0f * radius),
                 radius, width, color);
}

/* cairo 1.16 loses recordings that do not start at the origin when it writes SVG. */
cairo_t *
ls_draw_cairo (GtkSnapshot           *snapshot,
               const graphene_rect_t *bounds)
{
  g_autoptr (GskTransform) place = gsk_transform_translate (NULL, &bounds->origin);
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GskRenderNode) placed = NULL;
  cairo_t *cr;

  node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0.0f, 0.0f, bounds->size.width,
                                                  bounds->size.height));
  placed = place != NULL ? gsk_transform_node_new (node, place) : gsk_render_node_ref (node);
  cr = gsk_cairo_node_get_draw_context (node);
  cairo_translate (cr, -bounds->origin.x, -bounds->origin.y);
  gtk_snapshot_append_node (snapshot, placed);
  return cr;
}

void
ls_draw_arc (GtkSnapshot   *snapshot,
             float          cx,
             float          cy,
             float          radius,
             float          width,
             double         part,
             gboolean       dashed,
             const GdkRGBA *color)
{
  float reach = radius + width;
  cairo_t *cr = ls_draw_cairo (snapshot, &GRAPHENE_RECT_INIT (cx - reach, cy - reach,
                                                              2.0f * reach, 2.0f * reach));

  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, width);
  if (dashed)
    {
      double dash = 2.0 * G_PI * (double) radius / 16.0;

      cairo_set_dash (cr, &dash, 1, 0.0);
      part = 1.0;
    }
  cairo_arc (cr, cx, cy, radius, -G_PI / 2.0, -G_PI / 2.0 + 2.0 * G_PI * part);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

void
ls_draw_cross (GtkSnapshot   *snapshot,
               float          cx,
               float          cy,
               float          radius,
               const GdkRGBA *color)
{
  float reach = radius + 2.0f;
  cairo_t *cr = ls_draw_cairo (snapshot, &GRAPHENE_RECT_INIT (cx - reach, cy - reach,
                                                              2.0f * reach, 2.0f * reach));

  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 2.2);
  cairo_move_to (cr, cx - radius, cy - radius);
  cairo_line_to (cr, cx + radius, cy + radius);
  cairo_move_to (cr, cx + radius, cy - radius);
  cairo_line_to (cr, cx - radius, cy + radius);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

void
ls_draw_renew (GtkSnapshot           *snapshot,
               const graphene_rect_t *bounds,
               guint                  serial)
{
  GdkRGBA clear = { (float) (serial % 256) / 256.0f, 0.0f, 0.0f, 0.0f };

  gtk_snapshot_append_color (snapshot, &clear, bounds);
}

void
ls_draw_chip (GtkSnapshot  *snapshot,
              PangoContext *pango,
              const LsLook *look,
              float         x,
              float         y,
              float         size,
              guint         family)
{
  g_autofree char *letter = ls_family_letter (family);
  LsFont font = { .pixels = size >= FAR_BADGE ? MAX (size * 0.72f, FAR_PX) : size * 0.72f, .bold = TRUE };

  if (look->contrast)
    ls_draw_disc (snapshot, x + size / 2.0f, y + size / 2.0f, size / 2.0f + 1.5f, ls_look_get (look, LS_LOOK_TEXT));
  ls_draw_disc (snapshot, x + size / 2.0f, y + size / 2.0f, size / 2.0f,
                ls_look_family (look, family));
  ls_draw_text (snapshot, pango, &font, letter, x + size / 2.0f, y + size / 2.0f - 0.6f,
                0.5f, 0.5f, ls_look_get (look, LS_LOOK_CHIP_TEXT));
}

float
ls_draw_chips_width (const LsFamilies *families,
                     float             size)
{
  guint n = ls_families_shown (families);

  return n == 0 ? 0.0f : (float) n * size + (float) (n - 1) * 2.0f;
}

void
ls_draw_chips (GtkSnapshot      *snapshot,
               PangoContext     *pango,
               const LsLook     *look,
               float             x,
               float             y,
               float             size,
               const LsFamilies *families)
{
  for (guint i = 0; i < ls_families_shown (families); i++)
    ls_draw_chip (snapshot, pango, look, x + (float) i * (size + 2.0f), y, size,
                  families->family[i]);
}

LsBadgeStyle
ls_badge_for_kind (LsLoopKind kind)
{
  switch (kind)
    {
    case LS_LOOP_PARALLEL:
    case LS_LOOP_VECTORIZED:
      return LS_BADGE_FILLED;
    case LS_LOOP_UNROLLED:
    case LS_LOOP_BOUND:
      return LS_BADGE_OUTLINED;
    case LS_LOOP_SERIAL:
    case LS_LOOP_BLOCK:
    case LS_LOOP_FUNCTION:
      return LS_BADGE_EMPTY;
    }

  return LS_BADGE_EMPTY;
}

void
ls_draw_badge (GtkSnapshot  *snapshot,
               PangoContext *pango,
               const LsLook *look,
               float         x,
               float         y,
               float         size,
               LsBadgeStyle  style,
               const char   *letter)
{
  float width = size + (letter != NULL ? 6.0f * (float) (g_utf8_strlen (letter, -1) - 1) : 0.0f);
  graphene_rect_t outer = GRAPHENE_RECT_INIT (x, y, width, size);
  graphene_rect_t inner = GRAPHENE_RECT_INIT (x + 2.0f, y + 2.0f, width - 4.0f, size - 4.0f);
  const GdkRGBA *text = ls_look_get (look, LS_LOOK_TEXT);
  float letters = size * (style == LS_BADGE_DOUBLE ? 0.62f : 0.7f);
  LsFont font = { .pixels = size >= FAR_BADGE ? MAX (letters, FAR_PX) : letters, .bold = TRUE };

  switch (style)
    {
    case LS_BADGE_FILLED:
      ls_draw_rounded (snapshot, &outer, 3.0f, text);
      break;
    case LS_BADGE_DOUBLE:
      ls_draw_frame (snapshot, &outer, 3.0f, 1.0f, text);
      ls_draw_frame (snapshot, &inner, 1.5f, 1.0f, text);
      break;
    case LS_BADGE_OUTLINED:
      ls_draw_frame (snapshot, &outer, 3.0f, 1.0f, text);
      break;
    case LS_BADGE_EMPTY:
      ls_draw_frame (snapshot, &outer, 0.0f, 1.0f, ls_look_get (look, LS_LOOK_DIM));
      break;
    }

  if (letter != NULL)
    ls_draw_text (snapshot, pango, &font, letter, x + width / 2.0f, y + size / 2.0f, 0.5f, 0.5f,
                  style == LS_BADGE_FILLED ? ls_look_get (look, LS_LOOK_VIEW) : text);
}

void
ls_draw_step_mark (GtkSnapshot  *snapshot,
                   const LsLook *look,
                   float         cx,
                   float         cy,
                   LsStepItem   *item)
{
  const LsStepRecord *record = ls_step_item_get (item);
  const GdkRGBA *view = ls_look_get (look, LS_LOOK_VIEW);
  const GdkRGBA *neutral = ls_look_get (look, LS_LOOK_NEUTRAL);
  const GdkRGBA *accent = ls_look_get (look, LS_LOOK_ACCENT);
  double part = record->total > 0 ? (double) record->done / record->total : 0.25;

  if (ls_step_item_is_current (item) && record->state != LS_STEP_FAILED)
    {
      ls_draw_disc (snapshot, cx, cy, 7.5f, accent);
      ls_draw_disc (snapshot, cx, cy, 2.5f, ls_look_get (ls_look_load (FALSE), LS_LOOK_VIEW));
      if (record->state == LS_STEP_RUNNING)
        ls_draw_arc (snapshot, cx, cy, 9.5f, 1.5f, part, FALSE, accent);
      return;
    }

  switch (record->state)
    {
    case LS_STEP_MEASURED:
      ls_draw_disc (snapshot, cx, cy, 6.0f, neutral);
      break;
    case LS_STEP_UNMEASURED:
    case LS_STEP_UNREACHED:
      if (ls_step_item_get (item)->no_effect)
        {
          ls_draw_disc (snapshot, cx, cy, 4.0f, view);
          ls_draw_ring (snapshot, cx, cy, 4.0f, 1.5f, neutral);
          break;
        }
      ls_draw_disc (snapshot, cx, cy, 6.0f, view);
      ls_draw_ring (snapshot, cx, cy, 6.0f, 1.5f, neutral);
      break;
    case LS_STEP_STALE:
      ls_draw_disc (snapshot, cx, cy, 6.5f, view);
      ls_draw_arc (snapshot, cx, cy, 5.5f, 1.5f, 1.0, TRUE, neutral);
      break;
    case LS_STEP_RUNNING:
      ls_draw_disc (snapshot, cx, cy, 6.5f, view);
      ls_draw_ring (snapshot, cx, cy, 6.0f, 1.5f, ls_look_get (look, LS_LOOK_BORDER));
      ls_draw_arc (snapshot, cx, cy, 5.3f, 2.0f, part, FALSE, accent);
      break;
    case LS_STEP_FAILED:
      ls_draw_disc (snapshot, cx, cy, 7.0f, view);
      ls_draw_cross (snapshot, cx, cy, 4.5f, ls_look_get (look, LS_LOOK_ERROR));
      break;
    }
}
