/* draw-steps: discs with numbers on a line, the part up to the current step in
 * accent, captions below. */
#include "views/canvas/draw-steps.h"

#include "views/canvas/captions.h"
#include "views/canvas/text-cache.h"
#include "views/models/format.h"

#include <math.h>
#include <string.h>

#define DISC 9.5f               /* in letters of the usual size */
#define EDGE 0.75f              /* of a disc, which stays free of its number */
#define MOST_GROWN 1.75f
#define FAR_GROWN 1.4f          /* on a slide: its numbers are 20 pixels at least */
#define USUAL_LINE 18.0f
#define MARGIN 48.0f
#define MANY 12
#define NAME_MOST 14
#define SCALE 60
#define ONE_ROW_OVER 11.5f       /* room over the discs */
#define TWO_ROWS_OVER 9.0f
#define TWO_ROWS_GAP 3.0f

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
  float         disc;
  gboolean      mirrored;       /* from right to left */
} Bar;

typedef struct {
  guint step;
  char *forms[LS_CAPTION_FORMS];
} Words;

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

/* Captions find their places as from left to right, and are mirrored when they are drawn. */
static float
place (Bar   *bar,
       guint  i)
{
  float x = ls_steps_x (i, bar->n, bar->width);

  return bar->mirrored ? bar->width - x : x;
}

static void
draw_track (Bar *bar)
{
  float first = place (bar, 0);
  float here = place (bar, bar->current);
  float last = place (bar, bar->n - 1);

  ls_draw_line (bar->snapshot, here, bar->y, last, bar->y, 3.0f,
                ls_look_get (bar->look, LS_LOOK_BORDER));
  ls_draw_line (bar->snapshot, first, bar->y, here, bar->y, 4.0f,
                ls_look_get (bar->look, LS_LOOK_ACCENT));
}

/* How far the corners of the figures lie from their middle. */
static float
reach (Bar          *bar,
       const LsFont *font,
       const char   *number)
{
  g_autoptr (PangoLayout) layout = ls_text_cache_get (bar->pango, font, number);
  PangoRectangle ink;

  pango_layout_get_pixel_extents (layout, &ink, NULL);
  return hypotf ((float) ink.width, (float) ink.height) / 2.0f;
}

/* From three figures on as large as the disc lets them be: they are of different width in different types. */
static void
draw_number (Bar           *bar,
             guint          i,
             float          x,
             const GdkRGBA *color)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
  g_autofree char *number = g_strdup_printf ("%u", ls_step_item_get (item)->number);
  float letters = 11.5f * bar->disc / DISC;
  LsFont font = { .pixels = bar->disc >= FAR_GROWN * DISC ? MAX (letters, 20.0f) : letters, .bold = i == bar->current, .tabular = TRUE };

  if (strlen (number) > 2)
    font.pixels *= MIN (1.0f, (bar->disc - EDGE) / reach (bar, &font, number));
  ls_draw_text (bar->snapshot, bar->pango, &font, number, x, bar->y - 0.5f, 0.5f, 0.5f, color);
}

static void
draw_step (Bar  *bar,
           guint i)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);
  float x = place (bar, i);
  const GdkRGBA *accent = ls_look_get (bar->look, LS_LOOK_ACCENT);
  const GdkRGBA *white = ls_look_get (ls_look_load (FALSE), LS_LOOK_VIEW);
  LsStepState state = ls_step_item_get (item)->state;

  if (i == bar->hover && i != bar->current)
    ls_draw_disc (bar->snapshot, x, bar->y, bar->disc + 3.0f, ls_look_get (bar->look, LS_LOOK_HOVER));
  if (i == bar->current)
    {
      ls_draw_disc (bar->snapshot, x, bar->y, bar->disc + 0.5f, accent);
      draw_number (bar, i, x, white);
      return;
    }

  ls_draw_disc (bar->snapshot, x, bar->y, bar->disc, ls_look_get (bar->look, LS_LOOK_VIEW));
  if (state == LS_STEP_FAILED)
    {
      ls_draw_cross (bar->snapshot, x, bar->y, 5.0f, ls_look_get (bar->look, LS_LOOK_ERROR));
      return;
    }
  if (state == LS_STEP_STALE)
    ls_draw_arc (bar->snapshot, x, bar->y, bar->disc - 1.0f, 1.8f, 1.0, TRUE,
                 ls_look_get (bar->look, LS_LOOK_NEUTRAL));
  else
    ls_draw_ring (bar->snapshot, x, bar->y, bar->disc, 1.8f,
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
  float x = place (bar, i) + 8.0f, y = bar->y - bar->disc - 9.0f;
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

/* Where room is short "reverse_" becomes "rev_", and in a long name the words after the first one have three letters:
 * "decompose_red".  NULL: there is no brief form. (transfer full) */
static char *
brief_name (const char *name)
{
  gboolean reverse = g_str_has_prefix (name, "reverse_");
  g_auto (GStrv) words = g_strsplit (name, "_", -1);
  GString *brief = g_string_new (reverse ? "rev" : words[0]);

  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    g_string_append_printf (brief, "_%.*s", !reverse && strlen (name) > NAME_MOST ? 3 : G_MAXINT, words[i]);
  return g_string_free (brief, strcmp (brief->str, name) == 0);
}

static float
caption_width (PangoContext *pango,
               const char   *text)
{
  LsFont font = { .scale = LS_STEPS_CAPTION_SCALE, .bold = TRUE };
  g_autoptr (PangoLayout) layout = text != NULL ? ls_text_cache_get (pango, &font, text) : NULL;
  int width = 0;

  if (layout != NULL)
    pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

/* Every one has the room that it takes as the current one, in bold: a step to the next one moves no caption. */
static void
caption_set (Bar       *bar,
             guint      i,
             LsCaption *caption,
             Words     *words)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (bar->path, i);

  words->step = i;
  words->forms[0] = g_strdup (ls_step_item_get (item)->name);
  words->forms[1] = brief_name (words->forms[0]);
  caption->middle = ls_steps_x (i, bar->n, bar->width);
  caption->distance = i > bar->current ? i - bar->current : bar->current - i;
  for (guint form = 0; form < LS_CAPTION_FORMS; form++)
    caption->widths[form] = caption_width (bar->pango, words->forms[form]);
}

static void
draw_caption (Bar             *bar,
              const LsCaption *caption,
              const Words     *words,
              float            top,
              float            line)
{
  gboolean here = words->step == bar->current;
  float middle = roundf (caption->left + caption->widths[caption->form] / 2.0f);
  LsFont font = { .scale = LS_STEPS_CAPTION_SCALE, .bold = here };

  if (caption->row >= 0)
    ls_draw_text (bar->snapshot, bar->pango, &font, words->forms[caption->form],
                  bar->mirrored ? bar->width - middle : middle, roundf (top + line * (float) caption->row),
                  0.5f, 0.0f, ls_look_get (bar->look, here ? LS_LOOK_TEXT : LS_LOOK_DIM));
}

static float
line_height (PangoContext *pango)
{
  LsFont font = { .scale = LS_STEPS_CAPTION_SCALE };
  g_autoptr (PangoLayout) layout = ls_text_cache_get (pango, &font, "Ag");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return (float) height;
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
      float x = place (bar, i);

      if (timing->samples == 0)
        continue;
      if (before > 0.0 && fabs (timing->median - before) > 0.05 * before)
        ls_draw_line (bar->snapshot, x, bar->y - 7.0f, x, bar->y + 7.0f, 2.0f,
                      ls_look_get (bar->look, LS_LOOK_NEUTRAL));
      before = timing->median;
    }

  draw_step (bar, bar->current);
}

/* Two rows of captions take a little of the room over the discs. */
static void
place_captions (Bar       *bar,
                LsCaption *captions,
                Words     *words,
                guint     *n)
{
  *n = 0;
  for (guint i = 0; i < bar->n; i++)
    if (has_caption (bar, i))
      {
        caption_set (bar, i, captions + *n, words + *n);
        ++*n;
      }
  bar->y = bar->disc + (ls_captions_place (captions, *n, bar->width) > 1 ? TWO_ROWS_OVER : ONE_ROW_OVER);
}

static float
disc_size (PangoContext *pango)
{
  return DISC * CLAMP (line_height (pango) / USUAL_LINE, 1.0f, MOST_GROWN);
}

int
ls_steps_height (PangoContext *pango,
                 gboolean      captions)
{
  float disc = disc_size (pango);

  if (!captions)
    return 47;
  return MAX (63, (int) (TWO_ROWS_OVER + 2.0f * disc + TWO_ROWS_GAP + 2.0f * line_height (pango)) + 1);
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
               float         height,
               gboolean      mirrored)
{
  Bar bar = { .snapshot = snapshot, .pango = pango, .look = look, .path = path,
              .n = g_list_model_get_n_items (path), .current = current, .hover = hover,
              .width = width, .y = height / 2.0f, .disc = disc_size (pango), .mirrored = mirrored };
  LsCaption placed[MANY];
  Words words[MANY];
  guint n = 0;
  float line = line_height (pango), top;

  if (bar.n == 0)
    return;

  if (captions)
    place_captions (&bar, placed, words, &n);
  draw_track (&bar);
  if (bar.n > SCALE)
    draw_scale (&bar);
  else
    for (guint i = 0; i < bar.n; i++)
      draw_step (&bar, i);
  for (guint i = 0; i < bar.n; i++)
    draw_bookmark (&bar, i);

  top = bar.y + bar.disc + (bar.y < bar.disc + ONE_ROW_OVER ? TWO_ROWS_GAP : 6.0f);
  for (guint i = 0; i < n; i++)
    {
      draw_caption (&bar, placed + i, words + i, top, line);
      for (guint form = 0; form < LS_CAPTION_FORMS; form++)
        g_clear_pointer (&words[i].forms[form], g_free);
    }
}
