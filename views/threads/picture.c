/* LsThreadsPicture: one drawing for the window and for files. */
#include "views/threads/picture.h"

#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LEFT 20.0f
#define CELL 21.0f              /* of a lane, and of a bank */
#define WIDTH (LEFT * 2 + CELL * 32)
#define HEIGHT 430.0f
#define LANES_TOP 196.0f
#define TARGET_TOP 318.0f
#define MOST_SECTORS 64

struct _LsThreadsPicture
{
  GtkWidget        parent_instance;

  const LsThreads *threads;
  int              event;       /* -1: none */
  int              finding;     /* -1: none */
  const LsThreadsLayout *layout;        /* or NULL */
  int              place;       /* of the layout; -1: none */
  GskRenderNode   *table;       /* the layout as it is drawn in the colours of `look`, or NULL */
  LsLook           look;
  int              letters;     /* and at this scale of the text */
};

G_DEFINE_FINAL_TYPE (LsThreadsPicture, ls_threads_picture, GTK_TYPE_WIDGET)

static const GdkRGBA *
color (LsFigure    *figure,
       LsLookToken  token)
{
  return ls_look_get (figure->look, token);
}

static void
box (LsFigure    *figure,
     float        x,
     float        y,
     float        width,
     float        height,
     LsLookToken  fill,
     LsLookToken  frame)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (x, y, width, height);

  ls_draw_rounded (figure->snapshot, &bounds, 2, color (figure, fill));
  ls_draw_frame (figure->snapshot, &bounds, 2, 1, color (figure, frame));
}

/* ---- grid and block -------------------------------------------------------------------------- */

static void
draw_grid (LsFigure              *figure,
           const LsThreadsKernel *kernel,
           gint64                 block)
{
  gint64 columns = MIN (kernel->grid[0], 24), rows = MIN (kernel->grid[1] * kernel->grid[2], 8);
  float size = columns > 12 ? 9.0f : 12.0f, y = 62.0f;
  g_autofree char *words = g_strdup_printf (_("grid %lld × %lld × %lld, block %lld marked"), (long long) kernel->grid[0], (long long) kernel->grid[1],
                                            (long long) kernel->grid[2], (long long) block);

  ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, words, LEFT, 46, 0);
  for (gint64 r = 0; r < rows; r++)
    for (gint64 c = 0; c < columns; c++)
      {
        gboolean here = r * kernel->grid[0] + c == block;

        box (figure, LEFT + (float) c * size, y + (float) r * size, size - 2, size - 2, here ? LS_LOOK_ACCENT : LS_LOOK_VIEW, here ? LS_LOOK_ACCENT : LS_LOOK_BORDER);
      }
  if (kernel->grid[0] > columns || kernel->grid[1] * kernel->grid[2] > rows)
    ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, "…", LEFT + (float) columns * size + 4, y + 6, 0);
}

static void
draw_block (LsFigure              *figure,
            const LsThreadsKernel *kernel,
            guint                  lanes,
            int                    warp)
{
  gint64 threads = kernel->block[0] * kernel->block[1] * kernel->block[2], warps = (threads + lanes - 1) / lanes, shown = MIN (warps, 16);
  float x = LEFT + 330.0f, y = 62.0f, size = 7.0f * 32 / (float) lanes;
  g_autofree char *words = g_strdup_printf (ngettext ("block %lld × %lld × %lld: %lld warp of %u lanes", "block %lld × %lld × %lld: %lld warps of %u lanes", (gulong) warps), (long long) kernel->block[0], (long long) kernel->block[1],
                                            (long long) kernel->block[2], (long long) warps, lanes);

  ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, words, x, 46, 0);
  for (gint64 w = 0; w < shown; w++)
    for (gint64 lane = 0; lane < lanes; lane++)
      if (w * lanes + lane < threads)
        ls_draw_rounded (figure->snapshot, &GRAPHENE_RECT_INIT (x + (float) lane * size, y + (float) w * 7, size - (lanes > 32 ? 1 : 2), 5), 1,
                         color (figure, w == warp ? LS_LOOK_ACCENT : LS_LOOK_NEUTRAL));
  if (warps > shown)
    ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, "…", x + 230, y + (float) shown * 7 - 4, 0);
}

/* ---- lanes ------------------------------------------------------------------------------------- */

/* Of one of so many places side by side: lanes of a warp, banks. */
static float
cell_of (guint n)
{
  return CELL * 32 / (float) n;
}

static float
middle_of (guint place,
           guint n)
{
  return LEFT + cell_of (n) * ((float) place + 0.5f);
}

static void
draw_lanes (LsFigure             *figure,
            const LsThreadsEvent *event,
            guint64               marked)
{
  gboolean narrow = event->lanes > 32;

  ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, _("lanes; crossed out: masked off"), LEFT, LANES_TOP - (narrow ? 26 : 12), 0);
  for (guint lane = 0; lane < event->lanes; lane++)
    {
      gboolean on = (event->mask >> lane & 1) != 0, lives = (event->live >> lane & 1) != 0, hit = (marked >> lane & 1) != 0;
      g_autofree char *name = g_strdup_printf ("%u", lane);
      float size = cell_of (event->lanes), x = LEFT + size * (float) lane + 1, middle = middle_of (lane, event->lanes);

      if (!lives)
        continue;
      box (figure, x, LANES_TOP, size - 2, CELL - 2, hit ? LS_LOOK_WARN_BG : LS_LOOK_VIEW, hit ? LS_LOOK_WARN : on ? LS_LOOK_ACCENT : LS_LOOK_BORDER);
      if (!narrow)
        ls_figure_text (figure, LS_ROLE_CAPTION, on ? LS_LOOK_TEXT : LS_LOOK_NEUTRAL, name, middle, LANES_TOP + CELL / 2 - 1, 0.5f);
      else if (lane % 4 == 0)   /* over its cell, which is too narrow for two digits */
        ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, name, middle, LANES_TOP - 10, 0.5f);
      if (!on)
        ls_draw_cross (figure->snapshot, middle, LANES_TOP + CELL / 2 - 1, MIN (6, size / 2 - 2), color (figure, LS_LOOK_NEUTRAL));
    }
}

static void
slant (cairo_t       *cr,
       float          x1,
       float          y1,
       float          x2,
       float          y2,
       float          width,
       const GdkRGBA *rgba)
{
  gdk_cairo_set_source_rgba (cr, rgba);
  cairo_set_line_width (cr, width);
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, x2, y2);
  cairo_stroke (cr);
}

static cairo_t *
between (LsFigure *figure,
         float     top,
         float     bottom)
{
  return ls_draw_cairo (figure->snapshot, &GRAPHENE_RECT_INIT (0, top, WIDTH, bottom - top));
}

static void
connect_lane (cairo_t       *cr,
              float          middle,
              float          x,
              const GdkRGBA *rgba)
{
  slant (cr, middle, LANES_TOP + CELL - 1, x, TARGET_TOP - 1, 1, rgba);
}

/* ---- sectors ----------------------------------------------------------------------------------------- */

static gboolean
touches_word (const LsThreadsEvent *event,
              guint                 bytes,
              gint64                word)
{
  for (guint lane = 0; lane < event->lanes; lane++)
    if ((event->mask >> lane & 1) != 0 && event->offsets[lane] < word * 4 + 4 && event->offsets[lane] + bytes > word * 4)
      return TRUE;
  return FALSE;
}

static void
draw_sectors (LsFigure             *figure,
              const LsThreadsEvent *event,
              const LsThreadsSite  *site)
{
  gint64 sectors[MOST_SECTORS];
  guint n = ls_threads_sectors (event, site->lane_bytes, sectors, MOST_SECTORS), shown = MIN (n, MOST_SECTORS), used = 0;
  float step = MIN (CELL * 8, CELL * 32 / (float) MAX (shown, 1)), cell = (step - (step > 12 ? 4 : 1)) / 8;
  g_autofree char *words = NULL;
  cairo_t *cr;

  for (guint i = 0; i < shown; i++)
    {
      float x = LEFT + step * (float) i;
      g_autofree char *name = g_strdup_printf ("%lld", (long long) sectors[i] * 32);

      for (guint k = 0; k < 8; k++)
        {
          gboolean is_used = touches_word (event, site->lane_bytes, sectors[i] * 8 + k);

          used += is_used;
          ls_draw_rounded (figure->snapshot, &GRAPHENE_RECT_INIT (x + cell * (float) k, TARGET_TOP, MAX (cell - (cell > 4 ? 1 : 0), 0.6f), 22), cell > 4 ? 1 : 0,
                           color (figure, is_used ? LS_LOOK_ACCENT : LS_LOOK_BORDER));
        }
      ls_draw_frame (figure->snapshot, &GRAPHENE_RECT_INIT (x - 1, TARGET_TOP - 1, cell * 8 + 1, 24), 2, 1, color (figure, LS_LOOK_NEUTRAL));
      if (step > 40)
        ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, name, x, TARGET_TOP + 34, 0);
    }
  cr = between (figure, LANES_TOP, TARGET_TOP);
  for (guint lane = 0; lane < event->lanes; lane++)
    for (guint i = 0; i < shown && (event->mask >> lane & 1) != 0; i++)
      if (event->offsets[lane] >= sectors[i] * 32 && event->offsets[lane] < sectors[i] * 32 + 32)
        connect_lane (cr, middle_of (lane, event->lanes), LEFT + step * (float) i + cell * ((float) (event->offsets[lane] - sectors[i] * 32) / 4 + 0.5f), color (figure, LS_LOOK_ACCENT));
  cairo_destroy (cr);
  words = g_strdup_printf (ngettext ("%u sector of 32 bytes fetched = %u bytes; used (filled): %u bytes; numbers are bytes from the start of %s",
                                     "%u sectors of 32 bytes fetched = %u bytes; used (filled): %u bytes; numbers are bytes from the start of %s", n), n, n * 32, used * 4, site->buffer);
  ls_figure_text_within (figure, LS_ROLE_REASON, LS_LOOK_TEXT, words, LEFT, TARGET_TOP + 60, WIDTH - 2 * LEFT);
}

/* ---- banks --------------------------------------------------------------------------------------------- */

static guint
bank_of (const LsThreadsEvent *event,
         guint                 lane)
{
  return (guint) ((event->offsets[lane] >> 2) & 31);
}

static guint64
colliding (const LsThreadsEvent *event,
           const guint           words[32])
{
  guint64 lanes = 0;

  for (guint lane = 0; lane < event->lanes; lane++)
    if ((event->mask >> lane & 1) != 0 && words[bank_of (event, lane)] > 1)
      lanes |= (guint64) 1 << lane;
  return lanes;
}

static void
draw_banks (LsFigure             *figure,
            const LsThreadsEvent *event,
            const LsThreadsSite  *site,
            const guint           words[32],
            guint                 ways)
{
  g_autofree char *said = NULL;
  cairo_t *cr = between (figure, LANES_TOP, TARGET_TOP);

  for (guint lane = 0; lane < event->lanes; lane++)
    if ((event->mask >> lane & 1) != 0)
      connect_lane (cr, middle_of (lane, event->lanes), middle_of (bank_of (event, lane), 32), color (figure, words[bank_of (event, lane)] > 1 ? LS_LOOK_WARN : LS_LOOK_ACCENT));
  cairo_destroy (cr);
  for (guint bank = 0; bank < 32; bank++)
    {
      g_autofree char *name = g_strdup_printf ("%u", bank), *many = g_strdup_printf ("×%u", words[bank]);
      float x = LEFT + CELL * (float) bank + 1;

      box (figure, x, TARGET_TOP, CELL - 2, CELL - 2, words[bank] > 1 ? LS_LOOK_WARN_BG : LS_LOOK_VIEW,
           words[bank] > 1 ? LS_LOOK_WARN : words[bank] == 1 ? LS_LOOK_ACCENT : LS_LOOK_BORDER);
      ls_figure_text (figure, LS_ROLE_CAPTION, words[bank] > 0 ? LS_LOOK_TEXT : LS_LOOK_NEUTRAL, name, middle_of (bank, 32), TARGET_TOP + CELL / 2 - 1, 0.5f);
      if (words[bank] > 1)
        ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_WARN, many, middle_of (bank, 32), TARGET_TOP + CELL + 8, 0.5f);
    }
  said = ways > 1 ? g_strdup_printf (_("32 banks of 4 bytes: up to %u different words of one bank, served one after the other"), ways)
         : g_strdup (_("32 banks of 4 bytes: no bank has to give two different words; the same word goes to all that ask for it"));
  ls_figure_text_within (figure, LS_ROLE_REASON, LS_LOOK_TEXT, said, LEFT, TARGET_TOP + 60, WIDTH - 2 * LEFT);
}

/* ---- barriers and findings ---------------------------------------------------------------------------------- */

static void
draw_fence (LsFigure   *figure,
            const char *words)
{
  float y = LANES_TOP + 40;

  ls_draw_line (figure->snapshot, LEFT, y, WIDTH - LEFT, y, 4, color (figure, LS_LOOK_ACCENT));
  for (guint i = 0; i <= 32; i += 2)
    ls_draw_line (figure->snapshot, LEFT + CELL * (float) i, y - 14, LEFT + CELL * (float) i, y + 14, 2, color (figure, LS_LOOK_ACCENT));
  ls_figure_text (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, words, LEFT, y + 40, 0);
}

static void
draw_thread (LsFigure     *figure,
             const gint64  thread[6],
             guint         line,
             const char   *does,
             float         x)
{
  g_autofree char *where = g_strdup_printf (_("thread (%lld, %lld, %lld)"), (long long) thread[3], (long long) thread[4], (long long) thread[5]);
  g_autofree char *block = g_strdup_printf (_("of block (%lld, %lld, %lld)"), (long long) thread[0], (long long) thread[1], (long long) thread[2]);
  g_autofree char *what = line > 0 ? g_strdup_printf (_("%s in line %u"), does, line) : g_strdup (does);

  box (figure, x, 130, 200, 84, LS_LOOK_ERROR_BG, LS_LOOK_ERROR);
  ls_figure_text (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, where, x + 12, 150, 0);
  ls_figure_text (figure, LS_ROLE_BODY, LS_LOOK_TEXT, block, x + 12, 172, 0);
  ls_figure_text (figure, LS_ROLE_BODY, LS_LOOK_TEXT, what, x + 12, 194, 0);
}

static void
draw_finding (LsFigure               *figure,
              const LsThreads        *threads,
              const LsThreadsFinding *finding)
{
  const LsThreadsSite *site = finding->site >= 0 ? ls_threads_site (threads, (guint) finding->site) : NULL;
  gboolean is_barrier = strcmp (finding->kind, "barrier") == 0;
  float middle = WIDTH / 2;
  g_autofree char *element = site != NULL ? g_strdup_printf (_("%s, element %lld"), site->buffer, (long long) finding->element) : g_strdup (is_barrier ? _("barrier") : "");
  const char *does = finding->is_store ? _("writes") : _("reads"), *other = finding->other_is_store ? _("writes") : _("reads");
  cairo_t *cr;

  ls_figure_text (figure, LS_ROLE_STRONG, LS_LOOK_ERROR, is_barrier ? _("Not all threads reach the barrier") : strcmp (finding->kind, "race") == 0 ? _("A race: no barrier stands between these two")
                  : strcmp (finding->kind, "same-value") == 0 ? _("Two threads, no barrier; the same value was there") : _("What was found"), LEFT, 24, 0);
  if (finding->has_other)
    draw_thread (figure, finding->other, is_barrier ? 0 : finding->other_line, is_barrier ? _("does not come") : other, LEFT);
  draw_thread (figure, finding->thread, finding->line, is_barrier ? _("waits") : does, WIDTH - LEFT - 200);
  box (figure, middle - 95, 296, 190, 34, LS_LOOK_VIEW, LS_LOOK_ERROR);
  ls_figure_text (figure, LS_ROLE_CODE_STRONG, LS_LOOK_TEXT, element, middle, 313, 0.5f);
  cr = between (figure, 214, 296);
  if (finding->has_other)
    slant (cr, LEFT + 100, 214, middle - 40, 296, 2, color (figure, is_barrier ? LS_LOOK_NEUTRAL : LS_LOOK_ERROR));
  slant (cr, WIDTH - LEFT - 100, 214, middle + 40, 296, 2, color (figure, LS_LOOK_ERROR));
  cairo_destroy (cr);
  if (is_barrier)
    ls_draw_cross (figure->snapshot, (LEFT + 100 + middle - 40) / 2, 255, 7, color (figure, LS_LOOK_ERROR));
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static void
draw_event (LsFigure        *figure,
            const LsThreads *threads,
            guint            i)
{
  const LsThreadsEvent *event = ls_threads_event (threads, i);
  const LsThreadsSite *site = event->is_barrier ? NULL : ls_threads_site (threads, event->site);
  const LsThreadsKernel *kernel = ls_threads_kernel (threads, threads->kernel);
  g_autofree char *words = ls_threads_event_words (threads, i);
  guint banks[32] = { 0 }, ways = 0;
  gboolean is_shared = site != NULL && strcmp (site->space, "shared") == 0;

  ls_figure_text_within (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, words, LEFT, 20, WIDTH - 2 * LEFT);
  if (kernel != NULL)
    {
      draw_grid (figure, kernel, threads->block);
      draw_block (figure, kernel, threads->lanes, event->is_barrier ? -1 : (int) event->warp);
    }
  if (event->is_barrier)
    {
      draw_fence (figure, words);
      return;
    }
  if (is_shared)
    ways = ls_threads_banks (event, site->lane_bytes, banks);
  draw_lanes (figure, event, is_shared ? colliding (event, banks) : 0);
  if (is_shared)
    draw_banks (figure, event, site, banks, ways);
  else if (strcmp (site->space, "global") == 0)
    draw_sectors (figure, event, site);
  else
    ls_figure_text (figure, LS_ROLE_REASON, LS_LOOK_TEXT, _("Memory of each thread: registers, where the compiler finds room for it."), LEFT, TARGET_TOP, 0);
}

static float
natural_width (const LsThreadsLayout *layout)
{
  float width = 0, height;

  if (layout != NULL)
    ls_threads_layout_size (layout, &width, &height);
  return MAX (width, WIDTH);
}

static float
natural_height (const LsThreadsLayout *layout)
{
  float width, height = HEIGHT;

  if (layout != NULL)
    ls_threads_layout_size (layout, &width, &height);
  return height;
}

void
ls_threads_draw (LsFigure              *figure,
                 const LsThreads       *threads,
                 int                    event,
                 int                    finding,
                 const LsThreadsLayout *layout,
                 int                    place)
{
  figure->width = natural_width (layout);
  figure->height = natural_height (layout);
  if (layout != NULL)
    {
      ls_threads_layout_draw (layout, figure);
      if (place >= 0)
        ls_threads_layout_draw_place (layout, figure, (guint) place);
      return;
    }
  if (threads == NULL)
    return;
  if (finding >= 0 && (guint) finding < threads->findings->len)
    draw_finding (figure, threads, ls_threads_finding (threads, (guint) finding));
  else if (event >= 0 && (guint) event < threads->events->len)
    draw_event (figure, threads, (guint) event);
}

void
ls_threads_picture_draw (LsThreadsPicture *self,
                         LsFigure         *figure)
{
  ls_threads_draw (figure, self->threads, self->event, self->finding, self->layout, self->place);
}

/* The drawing has sizes for letters as they usually are; it grows as a whole where they are larger. (transfer full) */
static PangoContext *
usual_letters (GtkWidget *widget)
{
  PangoContext *context = gtk_widget_create_pango_context (widget);
  g_autoptr (PangoFontDescription) font = pango_font_description_copy (pango_context_get_font_description (context));

  if (pango_font_description_get_size_is_absolute (font))
    pango_font_description_set_absolute_size (font, pango_font_description_get_size (font) * 100.0 / ls_theme_get_scale ());
  else
    pango_font_description_set_size (font, pango_font_description_get_size (font) * 100 / ls_theme_get_scale ());
  pango_context_set_font_description (context, font);
  return context;
}

/* Thousands of cells are drawn once; what stands out changes with each step of the clock. */
static void
draw_layout (LsThreadsPicture *self,
             LsFigure         *figure)
{
  GtkSnapshot *onto = figure->snapshot;

  if (self->table == NULL || memcmp (&self->look, figure->look, sizeof self->look) != 0 || self->letters != ls_theme_get_scale ())
    {
      g_clear_pointer (&self->table, gsk_render_node_unref);
      figure->snapshot = gtk_snapshot_new ();
      ls_threads_layout_draw (self->layout, figure);
      self->table = gtk_snapshot_free_to_node (figure->snapshot);
      figure->snapshot = onto;
      self->look = *figure->look;
      self->letters = ls_theme_get_scale ();
    }
  if (self->table != NULL)
    gtk_snapshot_append_node (onto, self->table);
  if (self->place >= 0)
    ls_threads_layout_draw_place (self->layout, figure, (guint) self->place);
}

static void
ls_threads_picture_snapshot (GtkWidget   *widget,
                             GtkSnapshot *snapshot)
{
  LsThreadsPicture *self = LS_THREADS_PICTURE (widget);
  LsLook look;
  PangoContext *pango = usual_letters (widget);
  LsFigure figure = { .snapshot = snapshot, .pango = pango, .look = &look };
  float letters = (float) ls_theme_get_scale () / 100.0f, scale = MAX (letters, MIN (MAX (1.6f, letters), (float) gtk_widget_get_width (widget) / natural_width (self->layout)));

  ls_look_from_widget (widget, &look);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, scale, scale);
  figure.width = natural_width (self->layout);
  if (self->layout != NULL)
    draw_layout (self, &figure);
  else
    ls_threads_picture_draw (self, &figure);
  gtk_snapshot_restore (snapshot);
  g_object_unref (pango);
}

static void
ls_threads_picture_measure (GtkWidget      *widget,
                            GtkOrientation  orientation,
                            int             for_size,
                            int            *minimum,
                            int            *natural,
                            int            *minimum_baseline,
                            int            *natural_baseline)
{
  LsThreadsPicture *self = LS_THREADS_PICTURE (widget);

  *minimum = *natural = ls_theme_grow ((int) ceilf (orientation == GTK_ORIENTATION_HORIZONTAL ? natural_width (self->layout) : natural_height (self->layout)));
}

static void
ls_threads_picture_dispose (GObject *object)
{
  g_clear_pointer (&LS_THREADS_PICTURE (object)->table, gsk_render_node_unref);
  G_OBJECT_CLASS (ls_threads_picture_parent_class)->dispose (object);
}

static void
ls_threads_picture_class_init (LsThreadsPictureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_threads_picture_dispose;
  widget_class->snapshot = ls_threads_picture_snapshot;
  widget_class->measure = ls_threads_picture_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_threads_picture_init (LsThreadsPicture *self)
{
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* indices count from the left, as the elements lie */
  self->event = self->finding = self->place = -1;
}

GtkWidget *
ls_threads_picture_new (void)
{
  return g_object_new (LS_TYPE_THREADS_PICTURE, NULL);
}

/* What is shown from now on; its words are those for who does not see it. */
static void
show (LsThreadsPicture      *self,
      int                    event,
      int                    finding,
      const LsThreadsLayout *layout,
      int                    place,
      const char            *words)
{
  gboolean other = self->layout != layout;

  if (other)
    g_clear_pointer (&self->table, gsk_render_node_unref);
  self->event = event;
  self->finding = finding;
  self->layout = layout;
  self->place = place;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words != NULL ? words : "", -1);
  if (other)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_threads_picture_set (LsThreadsPicture *self,
                        const LsThreads  *threads)
{
  self->threads = threads;
  show (self, -1, -1, NULL, -1, NULL);
}

void
ls_threads_picture_show_event (LsThreadsPicture *self,
                               guint             event)
{
  g_autofree char *words = self->threads != NULL ? ls_threads_event_words (self->threads, event) : NULL;

  show (self, (int) event, -1, NULL, -1, words);
}

void
ls_threads_picture_show_finding (LsThreadsPicture *self,
                                 guint             finding)
{
  const LsThreadsFinding *found = self->threads != NULL ? ls_threads_finding (self->threads, finding) : NULL;
  g_autofree char *words = found != NULL ? ls_threads_finding_words (self->threads, finding) : NULL;

  show (self, -1, (int) finding, NULL, -1, words);
}

void
ls_threads_picture_show_layout (LsThreadsPicture      *self,
                                const LsThreadsLayout *layout,
                                int                    place)
{
  g_autofree char *title = ls_threads_layout_words (layout), *rest = place >= 0 ? ls_threads_layout_place_words (layout, (guint) place) : ls_threads_layout_summary (layout);
  g_autofree char *words = g_strconcat (title, ". ", rest, NULL);

  show (self, -1, -1, layout, place, words);
}
