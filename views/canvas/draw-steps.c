/* draw-steps: discs with numbers on a line, the part up to the current step in
 * accent, captions below. */
#include "views/canvas/draw-steps.h"

#include "views/canvas/text-cache.h"
#include "views/models/format.h"

#include <math.h>
#include <string.h>

#define DISC 9.5f
#define MARGIN 56.0f
#define MANY 12
#define SCALE 60

typedef struct {
  GtkSnapshot  *snapshot;
  PangoContext *pango;
  const LsLook *look;
  GListModel   *path;
  guint         n;
  guint         current;
  guint         hover;
  float         width;
  float         y;
  float         wide;           /* of the current step's caption, in bold */
} Bar;

float
ls_steps_x (guint i,
            guint n,
            float width)
{
  if (n < 2)
    return width / 2.0f;
  return roundf (MARGIN + (width - 2.0f * MARGIN) * (float) i / (float) (n - 1));
}

guint
ls_steps_at (float x,
             guint n,
             float width)
{
  float place;

  if (n < 2 || width <= 2.0f * MARGIN)
    return 0;
  place = roundf ((x - MARGIN) * (float) (n - 1) / (width - 2.0f * MARGIN));
  return (guint) CLAMP (place, 0.0f, (float) (n - 1));
}

static void
draw_track (Bar *bar)
{
  float first = ls_steps_x (0, bar->n, bar->width);
  float here = ls_steps_x (bar->current, bar->n, bar->width);
  float last = ls_steps_x (bar->n - 1, bar->n, bar->width);

  ls_draw_line (bar->snapshot, here, bar->y, last, bar->y, 3.0f,
                ls_look_get (bar->look, LS_LOOK_BORDER));
  ls_draw_line (bar->snapshot, first, bar->y, here, bar->y, 4.0f,
                ls_look_get (bar->look, LS_LOOK_ACCENT));
}

static void
draw_number (Bar           *bar,
             guint          i,
             float          x,
             const GdkRGBA *color)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
  g_autofree char *number = g_strdup_printf ("%u", ls_step_item_get (item)->number);
  LsFont font = { .pixels = 11.5f, .bold = i == bar->current, .tabular = TRUE };

  ls_draw_text (bar->snapshot, bar->pango, &font, number, x, bar->y - 0.5f, 0.5f, 0.5f, color);
}

static void
draw_step (Bar  *bar,
           guint i)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
  float x = ls_steps_x (i, bar->n, bar->width);
  const GdkRGBA *accent = ls_look_get (bar->look, LS_LOOK_ACCENT);
  const GdkRGBA *white = ls_look_get (ls_look_load (FALSE), LS_LOOK_VIEW);
  LsStepState state = ls_step_item_get (item)->state;

  if (i == bar->hover && i != bar->current)
    ls_draw_disc (bar->snapshot, x, bar->y, DISC + 3.0f, ls_look_get (bar->look, LS_LOOK_HOVER));
  if (i == bar->current)
    {
      ls_draw_disc (bar->snapshot, x, bar->y, DISC + 0.5f, accent);
      draw_number (bar, i, x, white);
      return;
    }

  ls_draw_disc (bar->snapshot, x, bar->y, DISC, ls_look_get (bar->look, LS_LOOK_VIEW));
  if (state == LS_STEP_FAILED)
    {
      ls_draw_cross (bar->snapshot, x, bar->y, 5.0f, ls_look_get (bar->look, LS_LOOK_ERROR));
      return;
    }
  if (state == LS_STEP_STALE)
    ls_draw_arc (bar->snapshot, x, bar->y, DISC - 1.0f, 1.8f, 1.0, TRUE,
                 ls_look_get (bar->look, LS_LOOK_NEUTRAL));
  else
    ls_draw_ring (bar->snapshot, x, bar->y, DISC, 1.8f,
                  i < bar->current ? accent : ls_look_get (bar->look, LS_LOOK_NEUTRAL));
  draw_number (bar, i, x, ls_look_get (bar->look, LS_LOOK_TEXT));
}

/* A small flag with its number, over the disc. */
static void
draw_bookmark (Bar  *bar,
               guint i)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
  guint number = ls_step_item_get (item)->bookmark;
  float x = ls_steps_x (i, bar->n, bar->width) + 8.0f, y = bar->y - DISC - 9.0f;
  LsFont font = { .pixels = 9.0f, .bold = TRUE };
  g_autofree char *text = NULL;

  if (number == 0)
    return;
  text = g_strdup_printf ("%u", number);
  ls_draw_line (bar->snapshot, x, y, x, y + 15.0f, 1.5f, ls_look_get (bar->look, LS_LOOK_TEXT));
  gtk_snapshot_append_color (bar->snapshot, ls_look_get (bar->look, LS_LOOK_TEXT), &GRAPHENE_RECT_INIT (x, y, 10.0f, 10.0f));
  ls_draw_text (bar->snapshot, bar->pango, &font, text, x + 5.0f, y + 5.0f, 0.5f, 0.5f, ls_look_get (bar->look, LS_LOOK_VIEW));
}

static gboolean
has_caption (Bar  *bar,
             guint i)
{
  guint distance = i > bar->current ? i - bar->current : bar->current - i;

  return bar->n <= MANY || distance <= 1 || i == 0 || i + 1 == bar->n;
}

/* The caption of the current step may be a quarter wider than the others; its
 * neighbours give way. */
static float
caption_room (Bar  *bar,
              guint i)
{
  float gap = bar->n > 1 && bar->n <= MANY
                ? (bar->width - 2.0f * MARGIN) / (float) (bar->n - 1)
                : 2.0f * MARGIN;
  guint distance = i > bar->current ? i - bar->current : bar->current - i;

  if (distance == 0)
    return MAX (MIN (MIN (bar->wide + 2.0f, 1.25f * gap), 2.0f * MARGIN), 24.0f);
  if (distance == 1)
    return MAX (MIN (gap - 8.0f, 2.0f * gap - MIN (bar->wide, 1.25f * gap) - 12.0f), 24.0f);
  return MAX (gap - 8.0f, 24.0f);
}

static float
current_width (Bar *bar)
{
  LsFont font = { .scale = 0.85f, .bold = TRUE };
  g_autoptr (LsStepItem) here = g_list_model_get_item (bar->path, bar->current);
  g_autoptr (PangoLayout) layout = ls_text_cache_get (bar->pango, &font, ls_step_item_get (here)->name);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

/* "reverse_" becomes "rev_" before anything is cut off. */
static void
shorten (PangoLayout *layout,
         float        room)
{
  const char *text = pango_layout_get_text (layout);
  g_autofree char *brief = NULL;
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  if ((float) width <= room || !g_str_has_prefix (text, "reverse_"))
    return;
  brief = g_strconcat ("rev_", text + strlen ("reverse_"), NULL);
  pango_layout_set_text (layout, brief, -1);
}

static void
draw_caption (Bar  *bar,
              guint i,
              float y)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
  gboolean here = i == bar->current;
  LsFont font = { .scale = 0.85f, .bold = here };
  g_autoptr (PangoLayout) layout = NULL;
  float x = ls_steps_x (i, bar->n, bar->width), room = caption_room (bar, i);
  int width;

  if (!has_caption (bar, i))
    return;
  layout = ls_draw_layout (bar->pango, &font, ls_step_item_get (item)->name);
  shorten (layout, room);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, (int) (room * PANGO_SCALE));
  pango_layout_get_pixel_size (layout, &width, NULL);
  x = CLAMP (x - (float) width / 2.0f, 2.0f, MAX (2.0f, bar->width - (float) width - 2.0f));

  gtk_snapshot_save (bar->snapshot);
  gtk_snapshot_translate (bar->snapshot, &GRAPHENE_POINT_INIT (roundf (x), roundf (y)));
  gtk_snapshot_append_layout (bar->snapshot, layout,
                              ls_look_get (bar->look, here ? LS_LOOK_TEXT : LS_LOOK_DIM));
  gtk_snapshot_restore (bar->snapshot);
}

/* A mark where the median differs from that of the step before by over 5 %. */
static void
draw_scale (Bar *bar)
{
  double before = 0.0;

  for (guint i = 0; i < bar->n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
      const LsStepTime *timing = &ls_step_item_get (item)->timing;
      float x = ls_steps_x (i, bar->n, bar->width);

      if (timing->samples == 0)
        continue;
      if (before > 0.0 && fabs (timing->median - before) > 0.05 * before)
        ls_draw_line (bar->snapshot, x, bar->y - 7.0f, x, bar->y + 7.0f, 2.0f,
                      ls_look_get (bar->look, LS_LOOK_NEUTRAL));
      before = timing->median;
    }

  draw_step (bar, bar->current);
}

void
ls_draw_steps (GtkSnapshot  *snapshot,
               PangoContext *pango,
               const LsLook *look,
               GListModel   *path,
               guint         current,
               guint         hover,
               gboolean      captions,
               float         width,
               float         height)
{
  Bar bar = { .snapshot = snapshot, .pango = pango, .look = look, .path = path,
              .n = g_list_model_get_n_items (path), .current = current, .hover = hover,
              .width = width, .y = captions ? 21.0f : height / 2.0f };

  if (bar.n == 0)
    return;

  bar.wide = captions ? current_width (&bar) : 0.0f;
  draw_track (&bar);
  if (bar.n > SCALE)
    draw_scale (&bar);
  else
    for (guint i = 0; i < bar.n; i++)
      draw_step (&bar, i);
  for (guint i = 0; i < bar.n; i++)
    draw_bookmark (&bar, i);

  for (guint i = 0; captions && i < bar.n; i++)
    draw_caption (&bar, i, bar.y + DISC + 6.0f);
}
