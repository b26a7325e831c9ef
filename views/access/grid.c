/* LsAccessGrid: one texture a buffer, painted anew where the position changed; box and frame of the current access over it.
 *
 * For each square the number of the last access is kept.  Going on costs what lies between, going back begins at the first
 * access: both far below a frame for what an order holds.
 */
#include "views/access/grid.h"

#include "views/canvas/draw.h"
#include "views/models/format.h"
#include "views/parts/theme.h"

#include <math.h>
#include <string.h>

#define EDGE 2                  /* for the frame of a square at the left */
#define MOST_CELL 22            /* with letters of the usual size, as of ls_access_plot */
#define GAP 12.0
#define CAPTION 40.0            /* at 100 percent: two lines over each buffer */
#define LEAST_HEIGHT 90.0

typedef struct {
  LsAccessPlot plot;
  float        x, y;            /* of the squares */
  float        width;           /* for the caption */
  guint32     *last;            /* n_x * n_y: number of the last access + 1 */
  gint         latest;          /* number of the last access to this buffer, or -1 */
} Plot;

struct _LsAccessGrid
{
  GtkWidget            parent_instance;

  const LsAccessOrder *order;
  guint                at;      /* accesses that are shown */
  guint                done;    /* that are in the plots */
  GArray              *plots;   /* of Plot, as many as buffers; empty: to be laid out */
  int                  width, height;
  float                caption;
  guint                serial;
};

G_DEFINE_FINAL_TYPE (LsAccessGrid, ls_access_grid, GTK_TYPE_WIDGET)

static void
plot_clear (gpointer data)
{
  g_free (((Plot *) data)->last);
}

/* ---- layout -------------------------------------------------------------------- */

/* The squares of a buffer in so much room: larger ones where letters are larger, too. */
static LsAccessPlot
plot_in (LsAccessGrid *self,
         guint         buffer,
         double        width,
         double        height)
{
  LsAccessPlot plot = ls_access_plot (&g_array_index (self->order->buffers, LsAccessBuffer, buffer), width, MAX (height, 10.0));
  double most = MIN (MIN (width / plot.n_x, height / plot.n_y), ls_theme_grow_in (GTK_WIDGET (self), MOST_CELL));

  plot.cell = MAX (plot.cell, (guint) MAX (most, 1.0));
  return plot;
}

/* How many buffers side by side leave most room for each: for its squares, or else for all of it. */
static guint
choose_columns (LsAccessGrid *self,
                guint         n)
{
  double most = -1.0;
  guint best = 1;

  for (guint columns = 1; columns <= n; columns++)
    {
      guint rows = (n + columns - 1) / columns;
      double width = (self->width - GAP * (columns - 1)) / columns;
      double height = (self->height - GAP * (rows - 1)) / rows - self->caption;
      double room = G_MAXDOUBLE;

      for (guint i = 0; i < n; i++)
        {
          LsAccessPlot plot = plot_in (self, i, width, height);

          room = MIN (room, (double) plot.cell / MAX (plot.per_x, plot.per_y) + MIN (width, height) * 1e-6);
        }
      if (room > most)
        {
          most = room;
          best = columns;
        }
    }
  return best;
}

static void
lay_out (LsAccessGrid *self)
{
  guint n = self->order->buffers->len;
  guint columns = choose_columns (self, n), rows = (n + columns - 1) / MAX (columns, 1);
  double width = (self->width - EDGE - GAP * (columns - 1)) / columns;
  double height = (self->height - GAP * (rows - 1)) / rows - self->caption;

  for (guint i = 0; i < n; i++)
    {
      Plot plot = { plot_in (self, i, width, height) };

      plot.x = EDGE + (float) floor ((width + GAP) * (i % columns));
      plot.y = (float) floor ((height + self->caption + GAP) * (i / columns) + self->caption);
      plot.width = (float) width;
      plot.last = g_new0 (guint32, (gsize) plot.plot.n_x * plot.plot.n_y);
      plot.latest = -1;
      g_array_append_val (self->plots, plot);
    }
  self->done = 0;
}

static void
follow (LsAccessGrid *self)
{
  if (self->at < self->done)
    {
      for (guint i = 0; i < self->plots->len; i++)
        {
          Plot *plot = &g_array_index (self->plots, Plot, i);

          memset (plot->last, 0, sizeof (guint32) * plot->plot.n_x * plot->plot.n_y);
          plot->latest = -1;
        }
      self->done = 0;
    }
  for (; self->done < self->at; self->done++)
    {
      const LsAccess *access = &g_array_index (self->order->accesses, LsAccess, self->done);
      Plot *plot = &g_array_index (self->plots, Plot, access->buffer);
      guint x, y;

      ls_access_plot_at (&plot->plot, access->element, &x, &y);
      plot->last[(gsize) y * plot->plot.n_x + x] = self->done + 1;
      plot->latest = (gint) self->done;
    }
}

/* ---- painting -------------------------------------------------------------------- */

/* The share of the colour for an access that is `age` accesses old. */
static double
strength (guint    age,
          gboolean trail,
          gboolean contrast)
{
  static const struct { guint age; double share; } steps[] = { { 8, 1.0 }, { 32, 0.8 }, { 128, 0.62 }, { 512, 0.46 }, { 2048, 0.33 } };

  for (guint i = 0; trail && i < G_N_ELEMENTS (steps); i++)
    if (age < steps[i].age)
      return contrast ? MAX (steps[i].share, 0.6) : steps[i].share;
  return contrast ? 0.6 : 0.22;
}

static guint32
pixel (const GdkRGBA *over,
       const GdkRGBA *under,
       double         share)
{
  guint r = (guint) lround (255.0 * (over->red * share + under->red * (1.0 - share)));
  guint g = (guint) lround (255.0 * (over->green * share + under->green * (1.0 - share)));
  guint b = (guint) lround (255.0 * (over->blue * share + under->blue * (1.0 - share)));

  return 0xff000000u | r << 16 | g << 8 | b;
}

static void
fill (guint32 *pixels,
      guint    stride,
      guint    x,
      guint    y,
      guint    size,
      guint32  color)
{
  for (guint row = y; row < y + size; row++)
    for (guint column = x; column < x + size; column++)
      pixels[(gsize) row * stride + column] = color;
}

static GdkTexture *
paint (LsAccessGrid *self,
       Plot         *plot,
       const LsLook *look,
       guint         scale)
{
  const LsAccessPlot *p = &plot->plot;
  guint cell = p->cell * scale, gap = scale, width = p->n_x * cell, height = p->n_y * cell;
  guint32 *pixels = g_new (guint32, (gsize) width * height);
  const GdkRGBA *view = ls_look_get (look, LS_LOOK_VIEW), *read = ls_look_get (look, LS_LOOK_ACCENT), *write = ls_look_get (look, LS_LOOK_TEXT);
  guint32 empty = pixel (view, view, 1.0), line = pixel (ls_look_get (look, LS_LOOK_BORDER_SOFT), view, look->contrast ? 0.3 : 1.0);
  gboolean trail = TRUE;
  g_autoptr (GBytes) bytes = NULL;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &trail, NULL);
  for (gsize i = 0; i < (gsize) width * height; i++)
    pixels[i] = line;
  for (guint y = 0; y < p->n_y; y++)
    for (guint x = 0; x < p->n_x; x++)
      {
        guint32 last = plot->last[(gsize) y * p->n_x + x];
        const LsAccess *access = last > 0 ? &g_array_index (self->order->accesses, LsAccess, last - 1) : NULL;
        double share = access != NULL ? strength (self->at - last, trail, look->contrast) : 0.0;

        fill (pixels, width, x * cell, y * cell, cell - gap, empty);
        if (access != NULL && access->is_write)
          fill (pixels, width, x * cell, y * cell, cell - gap, pixel (write, view, share));
        else if (access != NULL)
          fill (pixels, width, x * cell + gap, y * cell + gap, cell - 3 * gap, pixel (read, view, share));
      }
  bytes = g_bytes_new_take (pixels, sizeof (guint32) * width * height);
  return gdk_memory_texture_new ((int) width, (int) height, GDK_MEMORY_DEFAULT, bytes, sizeof (guint32) * width);
}

/* The squares of the cache line of an access. */
static void
frame_line (LsAccessGrid   *self,
            GtkSnapshot    *snapshot,
            const LsLook   *look,
            const LsAccess *access)
{
  const LsAccessBuffer *buffer = &g_array_index (self->order->buffers, LsAccessBuffer, access->buffer);
  const Plot *plot = &g_array_index (self->plots, Plot, access->buffer);
  gint64 many = MAX (1, LS_ACCESS_LINE_BYTES / buffer->bytes);
  gint64 first = access->element / many * many, last = MIN (first + many, buffer->n) - 1;
  float cell = (float) plot->plot.cell;

  while (first <= last)
    {
      gint64 end = MIN (last, (first / plot->plot.columns + 1) * plot->plot.columns - 1);
      guint x0, x1, y;

      ls_access_plot_at (&plot->plot, end, &x1, &y);
      ls_access_plot_at (&plot->plot, first, &x0, &y);
      ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (plot->x + (float) x0 * cell - 2, plot->y + (float) y * cell - 2, (float) (x1 - x0 + 1) * cell + 3, cell + 3),
                     2, 1.5f, ls_look_get (look, LS_LOOK_ACCENT));
      first = end + 1;
    }
}

/* A box with a dot: open for a read, filled for a write. */
static void
box_current (LsAccessGrid   *self,
             GtkSnapshot    *snapshot,
             const LsLook   *look,
             const LsAccess *access)
{
  const Plot *plot = &g_array_index (self->plots, Plot, access->buffer);
  const GdkRGBA *text = ls_look_get (look, LS_LOOK_TEXT), *view = ls_look_get (look, LS_LOOK_VIEW);
  float cell = (float) plot->plot.cell, size = MAX (cell + 3, 11.0f);
  graphene_rect_t box;
  guint x, y;
  float cx, cy;

  ls_access_plot_at (&plot->plot, access->element, &x, &y);
  cx = plot->x + ((float) x + 0.5f) * cell - 0.5f;
  cy = plot->y + ((float) y + 0.5f) * cell - 0.5f;
  box = GRAPHENE_RECT_INIT (cx - size / 2, cy - size / 2, size, size);
  ls_draw_rounded (snapshot, &box, 3, access->is_write ? text : view);
  ls_draw_frame (snapshot, &box, 3, 2, text);
  ls_draw_disc (snapshot, cx, cy, 2, access->is_write ? view : text);
}

static char *
latest_words (LsAccessGrid *self,
              const Plot   *plot)
{
  const LsAccess *access;
  const LsAccessBuffer *buffer;
  GString *words = g_string_new (NULL);
  g_autofree gint64 *indices = NULL;

  if (plot->latest < 0)
    return g_string_free (words, FALSE);
  access = &g_array_index (self->order->accesses, LsAccess, plot->latest);
  buffer = &g_array_index (self->order->buffers, LsAccessBuffer, access->buffer);
  indices = g_new0 (gint64, buffer->ndim + 1);
  ls_access_indices (buffer, access->element, indices);
  for (guint i = 0; i < buffer->ndim; i++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, i == 0 ? "[" : ", ", indices[i]);
  g_string_append (words, "]");
  return g_string_free (words, FALSE);
}

/* Ends in dots where it has no room. */
static void
draw_within (GtkSnapshot   *snapshot,
             PangoContext  *pango,
             const LsFont  *font,
             const char    *text,
             float          x,
             float          bottom,
             float          width,
             const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, font, text);
  int height;

  pango_layout_set_width (layout, (int) (MAX (width, 1.0f) * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, bottom - (float) height));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_caption (LsAccessGrid *self,
              GtkSnapshot  *snapshot,
              const LsLook *look,
              guint         i)
{
  const LsFont name_font = { .bold = TRUE, .mono = TRUE }, latest_font = { .mono = TRUE, .scale = 0.9f }, font = { .scale = 0.85f };
  const Plot *plot = &g_array_index (self->plots, Plot, i);
  const LsAccessBuffer *buffer = &g_array_index (self->order->buffers, LsAccessBuffer, i);
  PangoContext *pango = gtk_widget_get_pango_context (GTK_WIDGET (self));
  g_autofree char *words = ls_access_plot_words (&plot->plot, buffer);
  g_autofree char *latest = latest_words (self, plot);
  float top = plot->y - self->caption, used;

  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (plot->x, top, plot->width, self->caption));
  used = ls_draw_text (snapshot, pango, &name_font, buffer->name, plot->x, top, 0, 0, ls_look_get (look, LS_LOOK_TEXT));
  ls_draw_text (snapshot, pango, &latest_font, latest, plot->x + used + 2, top + 1, 0, 0, ls_look_get (look, LS_LOOK_TEXT));
  draw_within (snapshot, pango, &font, words, plot->x, plot->y - 5, plot->width, ls_look_get (look, LS_LOOK_DIM));
  gtk_snapshot_pop (snapshot);
}

static void
ls_access_grid_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  LsAccessGrid *self = LS_ACCESS_GRID (widget);
  guint scale = (guint) gtk_widget_get_scale_factor (widget);
  LsLook look;

  if (self->order == NULL || self->order->buffers->len == 0 || self->width <= 0)
    return;
  if (self->plots->len == 0)
    lay_out (self);
  follow (self);
  ls_look_from_widget (widget, &look);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->width, (float) self->height), ++self->serial);
  for (guint i = 0; i < self->plots->len; i++)
    {
      Plot *plot = &g_array_index (self->plots, Plot, i);
      g_autoptr (GdkTexture) texture = paint (self, plot, &look, scale);
      graphene_rect_t bounds = GRAPHENE_RECT_INIT (plot->x, plot->y, (float) (plot->plot.n_x * plot->plot.cell), (float) (plot->plot.n_y * plot->plot.cell));

      draw_caption (self, snapshot, &look, i);
      gtk_snapshot_append_texture (snapshot, texture, &bounds);
      ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (bounds.origin.x - 1, bounds.origin.y - 1, bounds.size.width + 1, bounds.size.height + 1), 0, 1,
                     ls_look_get (&look, LS_LOOK_NEUTRAL));
    }
  if (self->at > 0)
    {
      const LsAccess *access = &g_array_index (self->order->accesses, LsAccess, self->at - 1);

      frame_line (self, snapshot, &look, access);
      box_current (self, snapshot, &look, access);
    }
}

/* ---- the widget -------------------------------------------------------------------- */

static void
ls_access_grid_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  LsAccessGrid *self = LS_ACCESS_GRID (widget);
  guint n = self->order != NULL ? self->order->buffers->len : 1;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 240;
      *natural = 480;
      return;
    }
  *minimum = (int) ((LEAST_HEIGHT + self->caption + GAP) * ((n + 3) / 4));
  *natural = MAX (*minimum, 400);
}

static void
forget_layout (LsAccessGrid *self)
{
  g_array_set_size (self->plots, 0);
  self->done = 0;
}

static void
ls_access_grid_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  LsAccessGrid *self = LS_ACCESS_GRID (widget);
  PangoContext *pango = gtk_widget_get_pango_context (widget);
  g_autoptr (PangoLayout) layout = pango_layout_new (pango);
  int line;

  pango_layout_set_text (layout, "Xg", -1);
  pango_layout_get_pixel_size (layout, NULL, &line);
  self->caption = (float) (2 * line + 6);
  self->width = width;
  self->height = height;
  forget_layout (self);
}

static void
ls_access_grid_finalize (GObject *object)
{
  g_array_unref (LS_ACCESS_GRID (object)->plots);
  G_OBJECT_CLASS (ls_access_grid_parent_class)->finalize (object);
}

static void
ls_access_grid_class_init (LsAccessGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_access_grid_finalize;
  widget_class->measure = ls_access_grid_measure;
  widget_class->size_allocate = ls_access_grid_size_allocate;
  widget_class->snapshot = ls_access_grid_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_access_grid_init (LsAccessGrid *self)
{
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* indices count from the left, as the elements lie */
  self->plots = g_array_new (FALSE, TRUE, sizeof (Plot));
  g_array_set_clear_func (self->plots, plot_clear);
  self->caption = CAPTION;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_VISIBLE);
}

GtkWidget *
ls_access_grid_new (void)
{
  return g_object_new (LS_TYPE_ACCESS_GRID, NULL);
}

void
ls_access_grid_set (LsAccessGrid        *self,
                    const LsAccessOrder *order)
{
  self->order = order;
  self->at = 0;
  forget_layout (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_access_grid_go (LsAccessGrid *self,
                   guint         n)
{
  guint most = self->order != NULL ? self->order->accesses->len : 0;

  self->at = MIN (n, most);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
