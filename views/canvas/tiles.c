/* tiles: see the header.
 *
 * A level is the drawing at one zoom: squares by column and row.  There are three: the one that is shown, the one that was shown before (until the
 * new one covers the view), and the coarse one.  Squares are image surfaces in a cairo node: so they are scaled by the filter that is named here,
 * which for a frame in between is the cheap one, with every renderer.
 */
#include "views/canvas/tiles.h"

#include "views/canvas/draw.h"

#include <math.h>

#define SIDE 512                /* pixels of the screen */
#define MARGIN 32               /* what stands out of a node is painted by the squares beside, too */
#define FRAME_US 7000           /* of painting in a frame */
#define REST_MS 90
#define COARSE_SIDE 1536.0      /* of the coarse picture, pixels */
#define KEPT 2                  /* squares round the view */
#define TOO_BLURRED 2.0         /* a level is not shown larger than that while another can be made */

typedef struct {
  double      zoom;             /* 0: none */
  GHashTable *squares;          /* key of column and row -> cairo_surface_t */
} Level;

enum { SHOWN, BEFORE, COARSE, N_LEVELS };

typedef struct {
  int left, top, right, bottom; /* columns and rows, the last ones included */
} Range;

struct _LsTiles
{
  LsTilesPaint  paint;
  gpointer      data;
  Level         levels[N_LEVELS];
  int           factor;
  GdkRGBA       ground;
  double        last_zoom;
  gint64        zoomed_at;      /* when the zoom was last another */
  guint         n_painted;
};

static gpointer
key_of (int column,
        int row)
{
  return GSIZE_TO_POINTER (((gsize) (guint) (column + 0x4000000) << 32 | (guint) (row + 0x4000000)) + 1u);
}

static void
level_clear (Level *level)
{
  level->zoom = 0.0;
  g_hash_table_remove_all (level->squares);
}

LsTiles *
ls_tiles_new (LsTilesPaint paint,
              gpointer     data)
{
  LsTiles *self = g_new0 (LsTiles, 1);

  self->paint = paint;
  self->data = data;
  for (Level *level = self->levels; level < self->levels + N_LEVELS; level++)
    level->squares = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) cairo_surface_destroy);
  return self;
}

void
ls_tiles_free (LsTiles *self)
{
  if (self == NULL)
    return;
  for (Level *level = self->levels; level < self->levels + N_LEVELS; level++)
    g_hash_table_unref (level->squares);
  g_free (self);
}

guint
ls_tiles_get_n_painted (LsTiles *self)
{
  return self->n_painted;
}

/* ---- squares ------------------------------------------------------------------------ */

/* Units of the drawing that a square's side is. */
static double
side_of (LsTiles     *self,
         const Level *level)
{
  return SIDE / (level->zoom * self->factor);
}

static Range
range_of (LsTiles     *self,
          const Level *level,
          double       x,
          double       y,
          double       width,
          double       height)
{
  double side = side_of (self, level);

  return (Range) { (int) floor (x / side), (int) floor (y / side), (int) floor ((x + width) / side), (int) floor ((y + height) / side) };
}

/* Beyond the drawing there is only the ground. */
static Range
range_in_view (LsTiles           *self,
               const Level       *level,
               const LsTilesView *view,
               int                beyond)
{
  Range range = range_of (self, level, view->x, view->y, view->width / view->zoom, view->height / view->zoom);
  Range whole = range_of (self, level, view->bounds.origin.x, view->bounds.origin.y, view->bounds.size.width, view->bounds.size.height);

  return (Range) { MAX (range.left - beyond, whole.left), MAX (range.top - beyond, whole.top), MIN (range.right + beyond, whole.right),
                   MIN (range.bottom + beyond, whole.bottom) };
}

void
ls_tiles_forget (LsTiles               *self,
                 const graphene_rect_t *area)
{
  for (Level *level = self->levels; level < self->levels + N_LEVELS; level++)
    {
      GHashTableIter iter;
      gpointer key;
      Range range;

      if (area == NULL || level->zoom <= 0.0)
        {
          level_clear (level);
          continue;
        }
      range = range_of (self, level, area->origin.x - MARGIN / level->zoom, area->origin.y - MARGIN / level->zoom,
                        area->size.width + 2.0 * MARGIN / level->zoom, area->size.height + 2.0 * MARGIN / level->zoom);
      g_hash_table_iter_init (&iter, level->squares);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        {
          gsize at = GPOINTER_TO_SIZE (key) - 1u;
          int column = (int) (at >> 32) - 0x4000000, row = (int) (at & 0xffffffffu) - 0x4000000;

          if (column >= range.left && column <= range.right && row >= range.top && row <= range.bottom)
            g_hash_table_iter_remove (&iter);
        }
    }
}

static void
paint_square (LsTiles *self,
              Level   *level,
              int      column,
              int      row)
{
  double scale = level->zoom * self->factor, side = side_of (self, level), margin = MARGIN / level->zoom;
  graphene_rect_t area = GRAPHENE_RECT_INIT ((float) (column * side - margin), (float) (row * side - margin), (float) (side + 2.0 * margin), (float) (side + 2.0 * margin));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIDE, SIDE);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  cairo_t *cr = cairo_create (surface);

  gdk_cairo_set_source_rgba (cr, &self->ground);
  cairo_paint (cr);
  gtk_snapshot_scale (snapshot, (float) level->zoom, (float) level->zoom);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (-column * side), (float) (-row * side)));
  self->paint (snapshot, &area, level->zoom, self->data);
  node = gtk_snapshot_free_to_node (snapshot);
  cairo_scale (cr, scale / level->zoom, scale / level->zoom);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  g_hash_table_insert (level->squares, key_of (column, row), surface);
  self->n_painted++;
}

/* Until `end` (G_MAXINT64: however long it takes). TRUE: all of them are there. */
static gboolean
paint_range (LsTiles *self,
             Level   *level,
             Range    range,
             gint64   end)
{
  for (int row = range.top; row <= range.bottom; row++)
    for (int column = range.left; column <= range.right; column++)
      if (!g_hash_table_contains (level->squares, key_of (column, row)))
        {
          if (g_get_monotonic_time () >= end)
            return FALSE;
          paint_square (self, level, column, row);
        }
  return TRUE;
}

static void
paint_one (LsTiles *self,
           Level   *level,
           Range    range)
{
  for (int row = range.top; row <= range.bottom; row++)
    for (int column = range.left; column <= range.right; column++)
      if (!g_hash_table_contains (level->squares, key_of (column, row)))
        {
          paint_square (self, level, column, row);
          return;
        }
}

static gboolean
covers (LsTiles           *self,
        Level             *level,
        const LsTilesView *view)
{
  Range range;

  if (level->zoom <= 0.0)
    return FALSE;
  range = range_in_view (self, level, view, 0);
  for (int row = range.top; row <= range.bottom; row++)
    for (int column = range.left; column <= range.right; column++)
      if (!g_hash_table_contains (level->squares, key_of (column, row)))
        return FALSE;
  return TRUE;
}

/* What is far out of the view is not kept. */
static void
drop_far (LsTiles           *self,
          Level             *level,
          const LsTilesView *view)
{
  Range range = range_in_view (self, level, view, 0);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, level->squares);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      gsize at = GPOINTER_TO_SIZE (key) - 1u;
      int column = (int) (at >> 32) - 0x4000000, row = (int) (at & 0xffffffffu) - 0x4000000;

      if (column < range.left - KEPT || column > range.right + KEPT || row < range.top - KEPT || row > range.bottom + KEPT)
        g_hash_table_iter_remove (&iter);
    }
}

/* ---- showing -------------------------------------------------------------------------- */

/* Where a square is, in pixels of the widget: whole ones, so that there is no seam between two of them, scaled or not. */
static cairo_rectangle_int_t
place_of (LsTiles           *self,
          const Level       *level,
          const LsTilesView *view,
          int                column,
          int                row)
{
  double side = side_of (self, level);
  int x = (int) round ((column * side - view->x) * view->zoom), y = (int) round ((row * side - view->y) * view->zoom);

  return (cairo_rectangle_int_t) { x, y, (int) round (((column + 1) * side - view->x) * view->zoom) - x,
                                   (int) round (((row + 1) * side - view->y) * view->zoom) - y };
}

/* The squares of a level that are in view and where `region` is, which is what nothing above them covers; what they cover is taken from it. */
static void
show_level (LsTiles           *self,
            Level             *level,
            const LsTilesView *view,
            cairo_region_t    *region,
            cairo_t           *cr)
{
  cairo_region_t *rest;
  gboolean sharp = level->zoom == view->zoom;
  Range range;

  if (level->zoom <= 0.0 || cairo_region_is_empty (region))
    return;
  rest = cairo_region_copy (region);
  range = range_in_view (self, level, view, 0);
  cairo_save (cr);
  gdk_cairo_region (cr, region);
  cairo_clip (cr);
  for (int row = range.top; row <= range.bottom; row++)
    for (int column = range.left; column <= range.right; column++)
      {
        cairo_surface_t *surface = g_hash_table_lookup (level->squares, key_of (column, row));
        cairo_rectangle_int_t at = place_of (self, level, view, column, row);

        if (surface == NULL)
          continue;
        cairo_region_subtract_rectangle (rest, &at);
        cairo_save (cr);
        cairo_translate (cr, at.x, at.y);
        cairo_scale (cr, (double) at.width / SIDE, (double) at.height / SIDE);
        cairo_set_source_surface (cr, surface, 0.0, 0.0);
        cairo_pattern_set_filter (cairo_get_source (cr), sharp ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
        cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
        cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
        cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
        cairo_rectangle (cr, 0.0, 0.0, SIDE, SIDE);
        cairo_fill (cr);
        cairo_restore (cr);
      }
  cairo_restore (cr);
  cairo_region_intersect (region, rest);
  cairo_region_destroy (rest);
}

/* The level at this zoom; what was shown becomes what was shown before, when it covers more than what is kept. */
static void
begin_level (LsTiles           *self,
             const LsTilesView *view)
{
  if (covers (self, &self->levels[SHOWN], view) || !covers (self, &self->levels[BEFORE], view))
    {
      Level old = self->levels[BEFORE];

      self->levels[BEFORE] = self->levels[SHOWN];
      self->levels[SHOWN] = old;
    }
  level_clear (&self->levels[SHOWN]);
  self->levels[SHOWN].zoom = view->zoom;
}

static void
follow_view (LsTiles           *self,
             const LsTilesView *view)
{
  double side = MAX (MAX (view->bounds.size.width, view->bounds.size.height), 1.0f);

  if (self->factor != view->factor || !gdk_rgba_equal (&self->ground, &view->ground))
    ls_tiles_forget (self, NULL);
  self->factor = view->factor;
  self->ground = view->ground;
  if (self->levels[COARSE].zoom <= 0.0)
    self->levels[COARSE].zoom = COARSE_SIDE / side / view->factor;
  if (self->last_zoom != view->zoom)
    self->zoomed_at = g_get_monotonic_time ();
  self->last_zoom = view->zoom;
}

/* Is it another zoom by so much that its squares do not do for a while? */
static gboolean
is_blurred (const Level       *level,
            const LsTilesView *view)
{
  return level->zoom > 0.0 && (view->zoom / level->zoom > TOO_BLURRED || view->zoom / level->zoom < 1.0 / TOO_BLURRED);
}

static gboolean
is_anything_there (LsTiles *self)
{
  for (guint i = 0; i < N_LEVELS; i++)
    if (g_hash_table_size (self->levels[i].squares) > 0)
      return TRUE;
  return FALSE;
}

gboolean
ls_tiles_begin (LsTiles           *self,
                const LsTilesView *view)
{
  gint64 end = g_get_monotonic_time () + FRAME_US;

  follow_view (self, view);
  if (self->levels[SHOWN].zoom != view->zoom)
    begin_level (self, view);
  return paint_range (self, &self->levels[SHOWN], range_in_view (self, &self->levels[SHOWN], view, 0), end);
}

gboolean
ls_tiles_draw (LsTiles           *self,
               GtkSnapshot       *snapshot,
               const LsTilesView *view,
               guint             *rest)
{
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0.0f, 0.0f, (float) view->width, (float) view->height);
  cairo_region_t *region = cairo_region_create_rectangle (&(cairo_rectangle_int_t) { 0, 0, view->width, view->height });
  gint64 start = g_get_monotonic_time ();
  gboolean nothing, rests, blurred, sharp = FALSE;
  cairo_t *cr;

  *rest = 0;
  follow_view (self, view);
  nothing = !covers (self, &self->levels[SHOWN], view) && !covers (self, &self->levels[BEFORE], view) && !covers (self, &self->levels[COARSE], view);
  if (nothing && self->levels[SHOWN].zoom != view->zoom && self->levels[COARSE].zoom <= view->zoom && is_anything_there (self))
    {
      paint_range (self, &self->levels[COARSE], range_in_view (self, &self->levels[COARSE], view, 0), G_MAXINT64);
      nothing = FALSE;
    }
  rests = start - self->zoomed_at >= REST_MS * 1000;
  if (self->levels[SHOWN].zoom != view->zoom && !rests && !nothing)     /* it will be seen when there is no time for all of it */
    paint_range (self, &self->levels[COARSE], range_in_view (self, &self->levels[COARSE], view, 1), start + FRAME_US / 2);
  blurred = is_blurred (&self->levels[SHOWN], view) && (is_blurred (&self->levels[COARSE], view) || !covers (self, &self->levels[COARSE], view));
  if (self->levels[SHOWN].zoom != view->zoom && (nothing || rests || blurred))
    begin_level (self, view);
  if (self->levels[SHOWN].zoom == view->zoom)
    {
      sharp = paint_range (self, &self->levels[SHOWN], range_in_view (self, &self->levels[SHOWN], view, 0), nothing ? G_MAXINT64 : start + FRAME_US);
      drop_far (self, &self->levels[SHOWN], view);
    }
  else
    *rest = REST_MS;
  if (sharp)
    level_clear (&self->levels[BEFORE]);
  cr = ls_draw_cairo (snapshot, &all);
  for (Level *level = self->levels; level < self->levels + N_LEVELS; level++)
    show_level (self, level, view, region, cr);
  cairo_destroy (cr);
  cairo_region_destroy (region);
  return !sharp;
}

gboolean
ls_tiles_ahead (LsTiles           *self,
                const LsTilesView *view)
{
  guint before = self->n_painted;

  follow_view (self, view);
  paint_one (self, &self->levels[COARSE], range_of (self, &self->levels[COARSE], view->bounds.origin.x, view->bounds.origin.y,
                                                    view->bounds.size.width, view->bounds.size.height));
  if (self->n_painted == before && self->levels[SHOWN].zoom == view->zoom)
    paint_one (self, &self->levels[SHOWN], range_in_view (self, &self->levels[SHOWN], view, 1));
  return self->n_painted > before;
}
