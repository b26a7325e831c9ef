/* What cells showed, still: steps with what each changed, loops, graphs, the order of accesses as shades, bars, pictures. */
#include "app/draw/paper.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

#define SMALL "Sans 8"
#define MOST_CHANGED 14u        /* lines of a step that are shown */
#define MOST_SIDE 48u           /* elements of a buffer */

static const char *
string (JsonObject *view,
        const char *name)
{
  return json_object_get_string_member_with_default (view, name, "");
}

static void
text_at (LsPaper    *self,
         const char *font,
         const char *text,
         double      x,
         double      y,
         double      most,
         double      align,
         LsInk       ink)
{
  g_autoptr (PangoLayout) layout = ls_paper_layout (self, font, NULL, text, -1.0);
  PangoRectangle size;

  if (most > 0.0)
    {
      pango_layout_set_width (layout, (int) (most * PANGO_SCALE));
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  pango_layout_get_extents (layout, NULL, &size);
  ls_paper_ink (self, ink);
  cairo_move_to (self->cr, x - align * size.width / PANGO_SCALE - size.x / (double) PANGO_SCALE, y - size.height / (2.0 * PANGO_SCALE));
  pango_cairo_show_layout (self->cr, layout);
}

/* ---- steps ------------------------------------------------------------------------------------ */

/* Only the lines that came or went. */
static void
put_changed (LsPaper    *self,
             const char *before,
             const char *after,
             const char *ops)
{
  g_auto (GStrv) a = g_strsplit (before, "\n", -1), b = g_strsplit (after, "\n", -1);
  guint n_a = g_strv_length (a), n_b = g_strv_length (b), i = 0, k = 0, n = 0, more = 0;
  g_autoptr (GString) text = g_string_new (NULL), own = g_string_new (NULL);

  for (const char *op = ops; *op != 0; op++)
    {
      const char *line = *op == '-' ? (i < n_a ? a[i] : "") : k < n_b ? b[k] : "";

      i += *op != '+';
      k += *op != '-';
      if (*op == '=')
        continue;
      if (n++ < MOST_CHANGED)
        {
          g_string_append_printf (text, "%s%s", own->len > 0 ? "\n" : "", line);
          g_string_append_c (own, *op);
        }
      else
        more++;
    }
  if (own->len == 0)
    return;
  if (more > 0)
    {
      g_string_append_printf (text, "\n⋯ %u", more);
      g_string_append_c (own, '=');
    }
  ls_paper_code (self, text->str, own->str, NULL);
}

static void
put_step (LsPaper    *self,
          JsonArray  *steps,
          guint       i)
{
  JsonObject *step = json_array_get_object_element (steps, i), *before = json_array_get_object_element (steps, i - 1);
  JsonArray *words = json_object_get_array_member (step, "words");
  g_autofree char *head = g_strdup_printf ("%u  %s", i, string (step, "call"));

  ls_paper_room (self, 60.0);
  ls_paper_words (self, "Monospace Bold 9", NULL, head, 0.0, LS_INK_TEXT);
  for (guint k = 0; k < json_array_get_length (words); k++)
    ls_paper_words (self, "Sans 9", NULL, json_array_get_string_element (words, k), 18.0, LS_INK_DIM);
  put_changed (self, string (before, "text"), string (step, "text"), string (step, "diff"));
}

static void
put_history (LsPaper    *self,
             JsonObject *view)
{
  JsonArray *steps = json_object_get_array_member (view, "steps");
  guint n = json_array_get_length (steps);

  for (guint i = 1; i < n; i++)
    put_step (self, steps, i);
  if (n > 0)
    ls_paper_code (self, string (json_array_get_object_element (steps, n - 1), "text"), NULL, json_object_get_string_member_with_default (view, "mark", NULL));
}

/* ---- programs --------------------------------------------------------------------------------- */

static void
put_nest (LsPaper   *self,
          JsonArray *rows)
{
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);
      g_autofree char *name = g_markup_escape_text (string (row, "n"), -1), *extent = g_markup_escape_text (string (row, "e"), -1);
      g_autofree char *kind = g_markup_escape_text (string (row, "k"), -1), *line = g_markup_escape_text (string (row, "x"), -1);
      g_autofree char *markup = g_strdup_printf ("<tt><b>%s</b></tt>  %s  <i>%s</i>  <tt>%s</tt>", name, extent, kind, line);
      g_autoptr (PangoLayout) layout = ls_paper_layout (self, "Sans 9", markup, name, LS_PAPER_WIDTH);

      ls_paper_flow (self, layout, 8.0 + 14.0 * (double) json_object_get_int_member_with_default (row, "d", 0), LS_INK_TEXT, LS_INK_NONE);
      ls_paper_advance (self, 2.0);
    }
  ls_paper_advance (self, 8.0);
}

/* ---- the order of accesses -------------------------------------------------------------------- */

typedef struct {
  guint   columns, rows;
  double *first;                /* for each element that is shown: when it was touched first, from 0 to 1; -1 never */
} Grid;

static Grid
grid_of (JsonObject *buffer,
         guint       number,
         JsonArray  *accesses)
{
  JsonArray *shape = json_object_get_array_member (buffer, "shape");
  guint ndim = json_array_get_length (shape), n = json_array_get_length (accesses) / 4;
  gint64 columns = ndim > 0 ? MAX (1, json_array_get_int_element (shape, ndim - 1)) : 1;
  gint64 rows = MAX (1, json_object_get_int_member_with_default (buffer, "n", 1) / columns);
  Grid self = { (guint) MIN (columns, MOST_SIDE), (guint) MIN (rows, MOST_SIDE), NULL };

  self.first = g_new (double, self.columns * self.rows);
  for (guint i = 0; i < self.columns * self.rows; i++)
    self.first[i] = -1.0;
  for (guint i = n; i-- > 0;)
    {
      gint64 element = json_array_get_int_element (accesses, 4 * i + 1), y = element / columns, x = element % columns;

      if (json_array_get_int_element (accesses, 4 * i) == number && x < self.columns && y < self.rows)
        self.first[y * self.columns + x] = n > 1 ? i / (double) (n - 1) : 0.0;
    }
  return self;
}

static void
put_accesses (LsPaper    *self,
              JsonObject *view)
{
  JsonArray *buffers = json_object_get_array_member (view, "buffers"), *accesses = json_object_get_array_member (view, "acc");
  guint n = json_array_get_length (buffers);
  double room = LS_PAPER_WIDTH / MAX (1, MIN (n, 3)) - 14.0;

  for (guint i = 0; i < n; i += 3)
    {
      double most = 0.0;

      ls_paper_room (self, room + 24.0);
      for (guint k = i; k < MIN (n, i + 3); k++)
        {
          JsonObject *buffer = json_array_get_object_element (buffers, k);
          Grid grid = grid_of (buffer, k, accesses);
          double size = MIN (room / MAX (grid.columns, grid.rows), 14.0), x = LS_PAPER_LEFT + (k - i) * (room + 14.0), y = self->y + 16.0;

          text_at (self, SMALL, string (buffer, "t"), x, self->y + 7.0, room, 0.0, LS_INK_TEXT);
          for (guint e = 0; e < grid.columns * grid.rows; e++)
            {
              double when = grid.first[e];

              if (when < 0.0)
                ls_paper_ink (self, LS_INK_GROUND);
              else
                cairo_set_source_rgb (self->cr, 0.86 - 0.76 * when, 0.92 - 0.55 * when, 0.98 - 0.27 * when);
              cairo_rectangle (self->cr, x + e % grid.columns * size, y + e / grid.columns * size, size + 0.05, size + 0.05);
              cairo_fill (self->cr);
            }
          most = MAX (most, 20.0 + grid.rows * size);
          g_free (grid.first);
        }
      ls_paper_advance (self, most + 8.0);
    }
}

static void
put_program (LsPaper    *self,
             JsonObject *view)
{
  const char *mark = json_object_get_string_member_with_default (view, "mark", NULL);

  if (strcmp (string (view, "first"), "nest") == 0 && json_object_has_member (view, "nest"))
    put_nest (self, json_object_get_array_member (view, "nest"));
  else
    ls_paper_code (self, string (view, "text"), NULL, mark);
  if (json_object_has_member (view, "accesses"))
    put_accesses (self, json_object_get_object_member (view, "accesses"));
}

#define STUB 14.0               /* of an edge that goes on on another page */

/* ---- graphs: layers by the longest way from a source, each in the order of what feeds it ------- */

typedef struct {
  guint   n;
  int    *layer;
  double *place;                /* in its layer */
  guint   n_layers;
  guint  *in_layer;             /* nodes of each */
} Layers;

static int
end_of (JsonArray *edges,
        guint      i,
        guint      which)
{
  return (int) json_array_get_int_element (json_array_get_array_element (edges, i), which);
}

static void
find_layers (Layers    *self,
             JsonArray *edges)
{
  gboolean more = TRUE;

  for (guint round = 0; more && round < self->n; round++)
    {
      more = FALSE;
      for (guint i = 0; i < json_array_get_length (edges); i++)
        {
          int from = end_of (edges, i, 0), to = end_of (edges, i, 1);

          if (self->layer[to] < self->layer[from] + 1 && self->layer[from] + 1 < (int) self->n)
            {
              self->layer[to] = self->layer[from] + 1;
              more = TRUE;
            }
        }
    }
  for (guint i = 0; i < self->n; i++)
    self->n_layers = MAX (self->n_layers, (guint) self->layer[i] + 1);
}

typedef struct {
  double want;
  guint  node;
} Wish;

static int
by_want (gconstpointer a,
         gconstpointer b)
{
  const Wish *x = a, *y = b;

  return x->want != y->want ? (x->want > y->want) - (x->want < y->want) : (int) x->node - (int) y->node;
}

static void
place_layer (Layers    *self,
             JsonArray *edges,
             int        layer)
{
  g_autoptr (GArray) wishes = g_array_new (FALSE, FALSE, sizeof (Wish));

  for (guint i = 0; i < self->n; i++)
    if (self->layer[i] == layer)
      {
        double sum = 0.0;
        guint n = 0;

        for (guint k = 0; k < json_array_get_length (edges); k++)
          if (end_of (edges, k, 1) == (int) i)
            {
              sum += self->place[end_of (edges, k, 0)];
              n++;
            }
        g_array_append_val (wishes, ((Wish) { n > 0 ? sum / n : 0.0, i }));
      }
  g_array_sort (wishes, by_want);
  for (guint i = 0; i < wishes->len; i++)
    self->place[g_array_index (wishes, Wish, i).node] = i - (wishes->len - 1) / 2.0;
  self->in_layer[layer] = wishes->len;
}

static void
put_edge (LsPaper *self,
          double   x,
          double   y,
          double   u,
          double   v)
{
  ls_paper_ink (self, LS_INK_DIM);
  cairo_set_line_width (self->cr, 0.7);
  cairo_move_to (self->cr, x, y);
  cairo_curve_to (self->cr, x, (y + v) / 2.0, u, (y + v) / 2.0, u, v - 4.0);
  cairo_stroke (self->cr);
  cairo_move_to (self->cr, u, v);
  cairo_line_to (self->cr, u - 2.5, v - 5.0);
  cairo_line_to (self->cr, u + 2.5, v - 5.0);
  cairo_close_path (self->cr);
  cairo_fill (self->cr);
}

static void
put_node (LsPaper    *self,
          JsonObject *node,
          double      x,
          double      y,
          double      width)
{
  gboolean call = strcmp (string (node, "k"), "call") == 0;

  cairo_rectangle (self->cr, x - width / 2.0, y - 13.0, width, 26.0);
  ls_paper_ink (self, call ? LS_INK_NEW : LS_INK_GROUND);
  cairo_fill_preserve (self->cr);
  ls_paper_ink (self, call ? LS_INK_ACCENT : LS_INK_LINE);
  cairo_set_line_width (self->cr, 0.7);
  cairo_stroke (self->cr);
  text_at (self, "Sans 7.5", string (node, "t"), x - width / 2.0 + 4.0, y - (*string (node, "s") != 0 ? 5.0 : 0.0), width - 8.0, 0.0, LS_INK_TEXT);
  text_at (self, "Sans 6.5", string (node, "s"), x - width / 2.0 + 4.0, y + 6.0, width - 8.0, 0.0, LS_INK_DIM);
}

/* An edge that goes on on another page ends short of it, with the names of what is there. */
static void
put_stub (LsPaper    *self,
          JsonObject *graph,
          Layers     *layers,
          guint       node,
          gboolean    below,
          int         limit,            /* the first layer of the next page, or the first of this one */
          double      x,
          double      y)
{
  JsonArray *nodes = json_object_get_array_member (graph, "nodes"), *edges = json_object_get_array_member (graph, "edges");
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (edges); i++)
    {
      int own = end_of (edges, i, below ? 0 : 1), other = end_of (edges, i, below ? 1 : 0);

      if (own != (int) node || (below ? layers->layer[other] < limit : layers->layer[other] >= limit))
        continue;
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : below ? "↓ " : "↑ ", string (json_array_get_object_element (nodes, (guint) other), "t"));
    }
  if (names->len == 0)
    return;
  cairo_save (self->cr);
  ls_paper_ink (self, LS_INK_DIM);
  cairo_set_line_width (self->cr, 0.7);
  cairo_set_dash (self->cr, (const double[]) { 2.0, 2.0 }, 2, 0.0);
  cairo_move_to (self->cr, x, y + (below ? 13.0 : -13.0));
  cairo_line_to (self->cr, x, y + (below ? 13.0 + STUB : -13.0 - STUB));
  cairo_stroke (self->cr);
  cairo_restore (self->cr);
  text_at (self, "Sans 6", names->str, x + 3.0, y + (below ? 13.0 + STUB / 2.0 : -13.0 - STUB / 2.0), 120.0, 0.0, LS_INK_DIM);
}

/* The rows of layers from `first` on that fit; edges to what stands on another page are stubs with its name. */
static void
put_layers (LsPaper    *self,
            JsonObject *graph,
            Layers     *layers,
            int         first,
            int         last)
{
  JsonArray *nodes = json_object_get_array_member (graph, "nodes"), *edges = json_object_get_array_member (graph, "edges");
  double top = self->y + 16.0 + (first > 0 ? STUB : 0.0), step = 44.0, wide = LS_PAPER_WIDTH, middle = LS_PAPER_LEFT + LS_PAPER_WIDTH / 2.0;

  for (guint i = 0; i < layers->n_layers; i++)
    wide = MIN (wide, LS_PAPER_WIDTH / MAX (1, layers->in_layer[i]));
  wide = MIN (wide, 130.0);
  for (guint i = 0; i < json_array_get_length (edges); i++)
    {
      int a = end_of (edges, i, 0), b = end_of (edges, i, 1);

      if (layers->layer[a] >= first && layers->layer[b] < last)
        put_edge (self, middle + layers->place[a] * wide, top + (layers->layer[a] - first) * step + 13.0,
                  middle + layers->place[b] * wide, top + (layers->layer[b] - first) * step - 13.0);
    }
  for (guint i = 0; i < layers->n; i++)
    if (layers->layer[i] >= first && layers->layer[i] < last)
      {
        double x = middle + layers->place[i] * wide, y = top + (layers->layer[i] - first) * step;

        put_node (self, json_array_get_object_element (nodes, i), x, y, wide - 8.0);
        put_stub (self, graph, layers, i, TRUE, last, x, y);
        put_stub (self, graph, layers, i, FALSE, first, x, y);
      }
  ls_paper_advance (self, (last - first) * step + 8.0 + (first > 0 ? STUB : 0.0));
}

static void
put_graph (LsPaper    *self,
           JsonObject *graph)
{
  enum { FIT = 15, FEW = 4 };   /* rows of a page; fewer than that are not begun at its end */
  JsonArray *edges = json_object_get_array_member (graph, "edges");
  guint n = json_array_get_length (json_object_get_array_member (graph, "nodes"));
  Layers layers = { n, g_new0 (int, n), g_new0 (double, n), 0, NULL };

  find_layers (&layers, edges);
  layers.in_layer = g_new0 (guint, layers.n_layers);
  for (guint i = 0; i < layers.n_layers; i++)
    place_layer (&layers, edges, (int) i);
  for (int first = 0, last; first < (int) layers.n_layers; first = last)
    {
      int room = (int) ((ls_paper_left (self) - 8.0 - 2.0 * STUB) / 44.0), fit = room >= FEW ? MIN (room, FIT) : FIT;

      last = MIN (first + fit, (int) layers.n_layers);
      ls_paper_room (self, (last - first) * 44.0 + 8.0 + (first > 0 ? STUB : 0.0));
      put_layers (self, graph, &layers, first, last);
    }
  g_free (layers.layer);
  g_free (layers.place);
  g_free (layers.in_layer);
}

/* ---- bars ------------------------------------------------------------------------------------- */

static int
by_value (gconstpointer a,
          gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (JsonArray *samples)
{
  guint n = json_array_get_length (samples);
  g_autofree double *values = g_new (double, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    values[i] = json_array_get_double_element (samples, i);
  qsort (values, n, sizeof *values, by_value);
  return n == 0 ? 0.0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2.0;
}

/* (transfer full) */
static char *
time_text (double seconds)
{
  return seconds < 1e-6 ? g_strdup_printf ("%.0f ns", seconds * 1e9) : seconds < 1e-3 ? g_strdup_printf ("%.3g µs", seconds * 1e6)
         : seconds < 1.0 ? g_strdup_printf ("%.3g ms", seconds * 1e3) : g_strdup_printf ("%.3g s", seconds);
}

static void
put_chart (LsPaper    *self,
           JsonObject *view)
{
  JsonArray *rows = json_object_get_array_member (view, "rows");
  double most = 0.0;

  for (guint i = 0; i < json_array_get_length (rows); i++)
    most = MAX (most, median (json_object_get_array_member (json_array_get_object_element (rows, i), "s")));
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);
      double time = median (json_object_get_array_member (row, "s")), room = LS_PAPER_WIDTH - 190.0;
      g_autofree char *text = time_text (time);

      ls_paper_room (self, 18.0);
      text_at (self, SMALL, string (row, "n"), LS_PAPER_LEFT, self->y + 8.0, 110.0, 0.0, LS_INK_TEXT);
      ls_paper_ink (self, LS_INK_ACCENT);
      cairo_rectangle (self->cr, LS_PAPER_LEFT + 120.0, self->y + 2.0, most > 0.0 ? MAX (1.0, room * time / most) : 1.0, 12.0);
      cairo_fill (self->cr);
      text_at (self, SMALL, text, LS_PAPER_LEFT + LS_PAPER_WIDTH, self->y + 8.0, 0.0, 1.0, LS_INK_TEXT);
      ls_paper_advance (self, 18.0);
    }
  ls_paper_advance (self, 8.0);
}

/* ---- pictures --------------------------------------------------------------------------------- */

/* PNG, JPEG, GIF, SVG: what gdk-pixbuf reads here. (transfer full) */
static GdkPixbuf *
read_picture (const char *coded)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  gsize n = 0;
  g_autofree guchar *data = g_base64_decode (coded, &n);
  gboolean read = n > 0 && gdk_pixbuf_loader_write (loader, data, n, NULL), closed = gdk_pixbuf_loader_close (loader, NULL);
  GdkPixbuf *pixbuf = read && closed ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;

  return pixbuf != NULL ? g_object_ref (pixbuf) : NULL;
}

/* (transfer full) */
static cairo_surface_t *
surface_of (GdkPixbuf *pixbuf)
{
  int width = gdk_pixbuf_get_width (pixbuf), height = gdk_pixbuf_get_height (pixbuf), n = gdk_pixbuf_get_n_channels (pixbuf);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  const guint8 *from = gdk_pixbuf_read_pixels (pixbuf);

  for (int y = 0; y < height; y++)
    {
      guint32 *to = (guint32 *) (void *) (cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface));

      for (int x = 0; x < width; x++)
        {
          const guint8 *at = from + y * gdk_pixbuf_get_rowstride (pixbuf) + x * n;
          guint32 alpha = n == 4 ? at[3] : 255;

          to[x] = alpha << 24 | at[0] * alpha / 255 << 16 | at[1] * alpha / 255 << 8 | at[2] * alpha / 255;
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
put_picture (LsPaper    *self,
             JsonObject *view)
{
  g_autoptr (GdkPixbuf) pixbuf = read_picture (string (view, "data"));
  g_autofree char *words = g_strdup_printf ("[%s]", string (view, "title"));
  cairo_surface_t *surface;
  double scale;

  if (pixbuf == NULL)
    {
      ls_paper_words (self, "Sans 9", NULL, words, 0.0, LS_INK_DIM);
      return;
    }
  scale = MIN (MIN (LS_PAPER_WIDTH / gdk_pixbuf_get_width (pixbuf), 420.0 / gdk_pixbuf_get_height (pixbuf)), gdk_pixbuf_get_width (pixbuf) < 100 ? 6.0 : 0.75);
  ls_paper_room (self, gdk_pixbuf_get_height (pixbuf) * scale);
  surface = surface_of (pixbuf);
  cairo_save (self->cr);
  cairo_translate (self->cr, LS_PAPER_LEFT, self->y);
  cairo_scale (self->cr, scale, scale);
  cairo_set_source_surface (self->cr, surface, 0.0, 0.0);
  cairo_pattern_set_filter (cairo_get_source (self->cr), scale > 1.0 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
  cairo_paint (self->cr);
  cairo_restore (self->cr);
  cairo_surface_destroy (surface);
  ls_paper_advance (self, gdk_pixbuf_get_height (pixbuf) * scale + 8.0);
}

/* ---- which one -------------------------------------------------------------------------------- */

static void
put_table (LsPaper    *self,
           JsonObject *view)
{
  g_autoptr (JsonArray) rows = json_array_new ();
  JsonArray *columns = json_object_get_array_member (view, "columns"), *own = json_object_get_array_member (view, "rows");

  json_array_add_array_element (rows, json_array_ref (columns));
  for (guint i = 0; i < json_array_get_length (own); i++)
    json_array_add_array_element (rows, json_array_ref (json_array_get_array_element (own, i)));
  ls_paper_rows (self, rows);
}

gboolean
ls_paper_view (LsPaper    *self,
               JsonObject *view)
{
  const char *kind = string (view, "kind");

  if (strcmp (kind, "history") == 0)
    put_history (self, view);
  else if (strcmp (kind, "program") == 0)
    put_program (self, view);
  else if (strcmp (kind, "run") == 0)
    ls_paper_code (self, string (view, "text"), NULL, NULL);
  else if (strcmp (kind, "graph") == 0)
    put_graph (self, json_object_get_object_member (view, "graph"));
  else if (strcmp (kind, "diff") == 0)
    put_changed (self, string (view, "before"), string (view, "after"), string (view, "diff"));
  else if (strcmp (kind, "chart") == 0)
    put_chart (self, view);
  else if (strcmp (kind, "picture") == 0)
    put_picture (self, view);
  else if (strcmp (kind, "table") == 0)
    put_table (self, view);
  else
    return FALSE;
  return TRUE;
}
