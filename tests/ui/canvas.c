/* canvas: what the canvases draw, without a display. */
#include "engine/graph/layout-make.h"
#include "tests/ui/fixture-session.h"
#include "views/canvas/draw-graph.h"
#include "views/canvas/draw-rail.h"
#include "views/canvas/draw-range.h"
#include "views/canvas/draw-steps.h"
#include "views/canvas/text-cache.h"
#include "views/canvas/tiles.h"
#include "views/figures/nests.h"
#include "views/parts/theme.h"

#include <math.h>
#include <string.h>

static double
luminance (const GdkRGBA *color)
{
  const double rgb[] = { color->red, color->green, color->blue };
  const double weights[] = { 0.2126, 0.7152, 0.0722 };
  double sum = 0.0;

  for (guint i = 0; i < 3; i++)
    sum += weights[i] * (rgb[i] <= 0.03928 ? rgb[i] / 12.92 : pow ((rgb[i] + 0.055) / 1.055, 2.4));
  return sum;
}

static double
contrast (const LsLook *look,
          LsLookToken   a,
          LsLookToken   b)
{
  double x = luminance (ls_look_get (look, a)), y = luminance (ls_look_get (look, b));

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static void
test_look (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      const LsLook *look = ls_look_load (dark != 0);

      g_assert_true (look->dark == (dark != 0));
      for (guint i = 0; i < LS_LOOK_N_TOKENS; i++)
        g_assert_cmpfloat (look->colors[i].alpha, ==, 1.0);
      for (LsLookToken t = LS_LOOK_FAMILY_A; t <= LS_LOOK_FAMILY_G; t++)
        {
          g_assert_cmpfloat (contrast (look, t, LS_LOOK_VIEW), >=, 4.5);
          g_assert_cmpfloat (contrast (look, t, LS_LOOK_SELECTED), >=, 4.45);
        }
      g_assert_cmpfloat (contrast (look, LS_LOOK_DIM, LS_LOOK_SELECTED), >=, 4.5);
      g_assert_cmpfloat (contrast (look, LS_LOOK_TEXT, LS_LOOK_SELECTED), >=, 7.0);
    }
}

static void
assert_ink (GtkSnapshot *snapshot)
{
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 400, 64);
  cairo_t *cr = cairo_create (surface);
  const guchar *data;
  gsize ink = 0;

  g_assert_nonnull (node);
  gsk_render_node_draw (node, cr);
  cairo_surface_flush (surface);
  data = cairo_image_surface_get_data (surface);
  for (gsize i = 0; i < 400 * 64 * 4; i++)
    ink += data[i] != 0;
  g_assert_cmpuint (ink, >, 100);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  gsk_render_node_unref (node);
}

static void
test_draw (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  PangoFontMap *fonts = pango_cairo_font_map_get_default ();
  PangoContext *pango = pango_font_map_create_context (fonts);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans 11");
  const LsLook *look = ls_look_load (TRUE);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  pango_context_set_font_description (pango, font);
  ls_draw_steps (snapshot, pango, look, ls_session_get_path (session), 3, G_MAXUINT, TRUE, 400.0f,
                 64.0f, FALSE);
  assert_ink (snapshot);
  for (guint i = 0; i < g_list_model_get_n_items (ls_session_get_history (session)); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_history (session), i);

      snapshot = gtk_snapshot_new ();
      ls_draw_rail (snapshot, look, item, LS_RAIL_WIDTH, 44.0f);
      assert_ink (snapshot);
      snapshot = gtk_snapshot_new ();
      ls_draw_range (snapshot, look, item, 900e-6, 3, 400.0f, 19.0f);
      assert_ink (snapshot);
    }
  g_object_unref (pango);
}

/* Words on ribbons lie between the cards, however narrow the window and large the letters are: at twice the size 1,024 pixels are 512. */
static void
test_ribbon_labels (void)
{
  static const float widths[] = { 512.0f, 600.0f, 683.0f, 900.0f, 1400.0f };
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  GListModel *loops = ls_session_get_loops (session);
  g_autoptr (GPtrArray) roots = g_ptr_array_new_with_free_func (g_object_unref), labels = g_ptr_array_new ();
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (LsNestLink));
  PangoContext *pango = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  LsFigure figure = { .pango = pango, .look = ls_look_load (FALSE) };
  LsNestLabel all[4];
  guint64 id;

  g_assert_cmpuint (g_list_model_get_n_items (loops), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    g_ptr_array_add (roots, g_list_model_get_item (loops, i));
  id = ls_loop_item_get (g_ptr_array_index (roots, 0))->id;
  all[0] = (LsNestLabel) { .before = id, .after = id, .head = (char *) "j", .verb = (char *) "split", .tail = (char *) "32 × 4", .step = 1 };
  all[1] = (LsNestLabel) { .before = id, .after = id, .head = (char *) "block Y", .verb = (char *) "copied to", .tail = (char *) "Y_init, Y_update", .step = 5 };
  all[2] = (LsNestLabel) { .before = id, .after = id, .head = (char *) "i_0_j_0_fused", .verb = (char *) "vectorized", .tail = (char *) "", .step = 12 };
  all[3] = (LsNestLabel) { .before = id, .after = id, .head = (char *) "k", .verb = (char *) "moved", .tail = (char *) "out of j_1, now inside j_0", .step = 2 };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_ptr_array_add (labels, &all[i]);
  for (guint k = 0; k < G_N_ELEMENTS (widths); k++)
    {
      LsNests *nests = ls_nests_new (widths[k], roots, roots, links, labels);

      g_assert_cmpuint (ls_nests_count_labels (nests), ==, G_N_ELEMENTS (all));
      for (guint i = 0; i < G_N_ELEMENTS (all); i++)
        {
          graphene_rect_t bounds;
          float least, most;

          ls_nests_get_label (nests, &figure, i, &bounds, &least, &most);
          g_assert_cmpfloat (bounds.origin.x, >=, least);
          g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, most);
        }
      ls_nests_free (nests);
    }
  g_object_unref (pango);
}

/* The ink of the left and of the right half of the step bar, at its first step. */
static void
ink_of_steps (gboolean mirrored,
              gsize   *left,
              gsize   *right)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  PangoContext *pango = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 400, 64);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node;

  ls_draw_steps (snapshot, pango, ls_look_load (TRUE), ls_session_get_path (session), 0, G_MAXUINT, FALSE, 400.0f, 64.0f, mirrored);
  node = gtk_snapshot_free_to_node (snapshot);
  gsk_render_node_draw (node, cr);
  cairo_surface_flush (surface);
  *left = *right = 0;
  /* The disc of the current step is filled with the accent colour, the others are rings. */
  for (guint y = 0; y < 64; y++)
    for (guint x = 0; x < 400; x++)
      {
        const GdkRGBA *accent = ls_look_get (ls_look_load (TRUE), LS_LOOK_ACCENT);
        const guint32 pixel = ((const guint32 *) (gpointer) (cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface)))[x];
        const guint32 wanted = 0xff000000u | (guint32) (accent->red * 255.0f + 0.5f) << 16 | (guint32) (accent->green * 255.0f + 0.5f) << 8 |
                               (guint32) (accent->blue * 255.0f + 0.5f);

        *(x < 200 ? left : right) += pixel == wanted;
      }
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  g_object_unref (pango);
}

/* Where one reads from right to left the first step stands at the right. */
static void
test_mirrored (void)
{
  gsize left, right;

  ink_of_steps (FALSE, &left, &right);
  g_assert_cmpuint (left, >, 50);
  g_assert_cmpuint (right, ==, 0);
  ink_of_steps (TRUE, &left, &right);
  g_assert_cmpuint (left, ==, 0);
  g_assert_cmpuint (right, >, 50);
}

/* What is drawn again and again is laid out once, until the font is another one. */
static void
test_text_cache (void)
{
  PangoFontMap *fonts = pango_cairo_font_map_get_default ();
  PangoContext *pango = pango_font_map_create_context (fonts);
  g_autoptr (PangoFontDescription) small = pango_font_description_from_string ("Sans 9");
  g_autoptr (PangoFontDescription) large = pango_font_description_from_string ("Sans 18");
  LsFont plain = { 0 }, bold = { .bold = TRUE };
  g_autofree char *lengthy = g_strnfill (300, 'x');
  g_autoptr (PangoLayout) none = NULL, first = NULL, again = NULL, other = NULL, grown = NULL, whole = NULL;
  int before, after;

  pango_context_set_font_description (pango, small);
  none = ls_text_cache_get (pango, &plain, "42");
  ls_text_cache_add (pango);
  first = ls_text_cache_get (pango, &plain, "42");
  g_assert_true (first != none);
  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autoptr (PangoLayout) layout = ls_text_cache_get (pango, &plain, number);

      g_assert_cmpstr (pango_layout_get_text (layout), ==, number);
      if (i % 500 != 0)
        continue;
      g_clear_object (&again);
      again = ls_text_cache_get (pango, &plain, "42");
      g_assert_true (again == first);
    }
  other = ls_text_cache_get (pango, &bold, "42");
  g_assert_true (other != first);
  whole = ls_text_cache_get (pango, &plain, lengthy);
  g_assert_cmpstr (pango_layout_get_text (whole), ==, lengthy);
  pango_layout_get_pixel_size (first, &before, NULL);
  pango_context_set_font_description (pango, large);
  grown = ls_text_cache_get (pango, &plain, "42");
  pango_layout_get_pixel_size (grown, &after, NULL);
  g_assert_cmpint (after, >, before);
  g_object_unref (pango);
}

static void
test_axis (void)
{
  guint ticks;

  g_assert_cmpfloat_with_epsilon (ls_range_axis (883e-6, &ticks), 900e-6, 1e-12);
  g_assert_cmpuint (ticks, ==, 3);
  g_assert_cmpfloat (ls_range_axis (0.0, &ticks), ==, 1.0);
  for (double x = 1e-9; x < 100.0; x *= 1.37)
    {
      double top = ls_range_axis (x, &ticks);

      g_assert_cmpfloat (top, >=, x);
      g_assert_cmpfloat (top, <=, 2.6 * x);
    }
}

/* ---- squares that are kept ------------------------------------------------------------ */

#define FIELD 40                /* of the chequered ground that is painted, 100 of them in a row */
#define PICTURE_WIDTH 900
#define PICTURE_HEIGHT 700

static guint chequer_shade;     /* another one is another drawing */

static void
paint_chequer (GtkSnapshot           *snapshot,
               const graphene_rect_t *area,
               double                 zoom,
               gpointer               data)
{
  for (int row = MAX ((int) floorf (area->origin.y / FIELD), 0); row < 100 && (float) row * FIELD <= area->origin.y + area->size.height; row++)
    for (int column = MAX ((int) floorf (area->origin.x / FIELD), 0); column < 100 && (float) column * FIELD <= area->origin.x + area->size.width; column++)
      {
        GdkRGBA color = { 0.0f, (float) (column % 16) / 16.0f, (float) (row % 16) / 16.0f, 1.0f };

        color.red = (row + column) % 2 == 0 ? 0.5f : 0.25f;
        color.red += (float) chequer_shade / 8.0f;
        gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) column * FIELD, (float) row * FIELD, FIELD, FIELD));
      }
}

static cairo_surface_t *
picture_of (GtkSnapshot *snapshot)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, PICTURE_WIDTH, PICTURE_HEIGHT);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  cairo_t *cr = cairo_create (surface);

  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel_at (cairo_surface_t *picture,
          int              x,
          int              y)
{
  return ((const guint32 *) cairo_image_surface_get_data (picture))[y * cairo_image_surface_get_stride (picture) / 4 + x];
}

/* Draws once and asserts that no pixel is the ground; TRUE: it is not sharp yet. */
static gboolean
draw_tiles (LsTiles           *tiles,
            const LsTilesView *view,
            cairo_surface_t  **picture)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  guint rest;
  gboolean more = ls_tiles_draw (tiles, snapshot, view, &rest);
  guint bare = 0;

  *picture = picture_of (snapshot);
  for (int y = 0; y < PICTURE_HEIGHT; y++)
    for (int x = 0; x < PICTURE_WIDTH; x++)
      bare += (pixel_at (*picture, x, y) & 0xffffffu) == 0xffffffu || pixel_at (*picture, x, y) >> 24 != 0xff;
  g_assert_cmpuint (bare, ==, 0);
  return more;
}

/* As it is painted without them: in the middle of each field. */
static void
assert_same (cairo_surface_t   *picture,
             const LsTilesView *view)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *plain;
  guint compared = 0;

  gtk_snapshot_scale (snapshot, (float) view->zoom, (float) view->zoom);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -view->x, (float) -view->y));
  paint_chequer (snapshot, &GRAPHENE_RECT_INIT ((float) view->x, (float) view->y, (float) (view->width / view->zoom), (float) (view->height / view->zoom)), view->zoom, NULL);
  plain = picture_of (snapshot);
  for (int y = 0; y < PICTURE_HEIGHT; y++)
    for (int x = 0; x < PICTURE_WIDTH; x++)
      {
        double inside_x = fmod (view->x + x / view->zoom, FIELD), inside_y = fmod (view->y + y / view->zoom, FIELD), edge = 2.0 / view->zoom;

        if (inside_x < edge || inside_y < edge || inside_x > FIELD - edge || inside_y > FIELD - edge)
          continue;
        g_assert_cmphex (pixel_at (picture, x, y), ==, pixel_at (plain, x, y));
        compared++;
      }
  g_assert_cmpuint (compared, >, PICTURE_WIDTH * PICTURE_HEIGHT / 4);
  cairo_surface_destroy (plain);
}

/* Until it is sharp, as frames come. */
static void
settle_tiles (LsTiles           *tiles,
              const LsTilesView *view)
{
  cairo_surface_t *picture = NULL;

  for (guint i = 0; draw_tiles (tiles, view, &picture); i++)
    {
      g_assert_cmpuint (i, <, 12000);
      cairo_surface_destroy (picture);
      g_usleep (10000);
    }
  assert_same (picture, view);
  cairo_surface_destroy (picture);
}

static void
test_tiles (void)
{
  LsTiles *tiles = ls_tiles_new (paint_chequer, NULL);
  LsTilesView view = { 313.3, 207.7, 1.0, PICTURE_WIDTH, PICTURE_HEIGHT, 1, GRAPHENE_RECT_INIT (0, 0, 100 * FIELD, 100 * FIELD), { 1, 1, 1, 1 } };
  cairo_surface_t *picture;
  guint n;

  g_assert_false (draw_tiles (tiles, &view, &picture));         /* the first is whole, whatever it takes */
  assert_same (picture, &view);
  cairo_surface_destroy (picture);
  while (ls_tiles_ahead (tiles, &view))
    continue;
  n = ls_tiles_get_n_painted (tiles);
  view.x += 40.0;
  view.y += 25.0;
  g_assert_false (draw_tiles (tiles, &view, &picture));         /* nothing is painted for a small step */
  g_assert_cmpuint (ls_tiles_get_n_painted (tiles), ==, n);
  assert_same (picture, &view);
  cairo_surface_destroy (picture);
  view.zoom = 0.9;                                              /* out: more is seen than there are squares for */
  view.x = 200.0;
  g_assert_true (draw_tiles (tiles, &view, &picture));          /* what is there is scaled, and the coarse picture stands where nothing else does */
  g_assert_cmpuint (ls_tiles_get_n_painted (tiles), ==, n);
  cairo_surface_destroy (picture);
  settle_tiles (tiles, &view);
  g_assert_cmpuint (ls_tiles_get_n_painted (tiles), >, n);
  for (guint i = 0; i < 10; i++)                                /* in and out as with a wheel: there is never a hole */
    {
      view.zoom *= i < 5 ? 1.0 / 1.15 : 1.15;
      view.x = i < 5 ? 150.0 : 900.0;
      draw_tiles (tiles, &view, &picture);
      cairo_surface_destroy (picture);
    }
  settle_tiles (tiles, &view);
  view.x = 2600.0;                                              /* far away */
  view.y = 2900.0;
  settle_tiles (tiles, &view);
  ls_tiles_free (tiles);
}

/* Zoomed out before there was time for the coarse picture of the whole: that is painted where it is seen, which is little work, and not all of what is seen anew. */
static void
test_tiles_at_once (void)
{
  static const float fields[] = { 1000.0f, 70.0f };             /* in the second the coarse picture is almost as large as what is seen */

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      LsTiles *tiles = ls_tiles_new (paint_chequer, NULL);
      LsTilesView view = { 413.3, 307.7, 1.0, PICTURE_WIDTH, PICTURE_HEIGHT, 1, GRAPHENE_RECT_INIT (0, 0, fields[i] * FIELD, fields[i] * FIELD), { 1, 1, 1, 1 } };
      cairo_surface_t *picture;

      g_assert_false (draw_tiles (tiles, &view, &picture));
      cairo_surface_destroy (picture);
      view.zoom = 0.6;
      view.x -= 300.0;
      view.y -= 200.0;
      g_assert_true (draw_tiles (tiles, &view, &picture));
      g_assert_cmpuint (ls_tiles_get_n_painted (tiles), <=, 20);
      cairo_surface_destroy (picture);
      settle_tiles (tiles, &view);
      ls_tiles_free (tiles);
    }
}

/* Slow ones: a frame has time for one square. */
static void
paint_slowly (GtkSnapshot           *snapshot,
              const graphene_rect_t *area,
              double                 zoom,
              gpointer               data)
{
  g_usleep (20000);
  paint_chequer (snapshot, area, zoom, data);
}

/* What is not shown yet is painted square by square; then it is there, and showing it paints nothing. */
static void
test_tiles_begin (void)
{
  LsTiles *tiles = ls_tiles_new (paint_slowly, NULL);
  LsTilesView view = { 100.0, 100.0, 1.0, PICTURE_WIDTH, PICTURE_HEIGHT, 1, GRAPHENE_RECT_INIT (0, 0, 100 * FIELD, 100 * FIELD), { 1, 1, 1, 1 } };
  cairo_surface_t *picture;
  guint n = 1;

  for (; !ls_tiles_begin (tiles, &view); n++)
    g_assert_cmpuint (ls_tiles_get_n_painted (tiles), ==, n);
  g_assert_cmpuint (n, >, 2);
  n = ls_tiles_get_n_painted (tiles);
  g_assert_false (draw_tiles (tiles, &view, &picture));
  g_assert_cmpuint (ls_tiles_get_n_painted (tiles), ==, n);
  assert_same (picture, &view);
  cairo_surface_destroy (picture);
  ls_tiles_free (tiles);
}

/* What is another is painted again, and the rest is not. */
static void
test_tiles_forget (void)
{
  LsTiles *tiles = ls_tiles_new (paint_chequer, NULL);
  LsTilesView view = { 100.0, 100.0, 1.0, PICTURE_WIDTH, PICTURE_HEIGHT, 1, GRAPHENE_RECT_INIT (0, 0, 100 * FIELD, 100 * FIELD), { 1, 1, 1, 1 } };
  cairo_surface_t *picture;
  guint n;

  settle_tiles (tiles, &view);
  n = ls_tiles_get_n_painted (tiles);
  ls_tiles_forget (tiles, &GRAPHENE_RECT_INIT (600.0f, 600.0f, 40.0f, 40.0f));
  settle_tiles (tiles, &view);
  g_assert_cmpuint (ls_tiles_get_n_painted (tiles), ==, n + 1);
  chequer_shade = 1;
  ls_tiles_forget (tiles, NULL);
  g_assert_false (draw_tiles (tiles, &view, &picture));
  assert_same (picture, &view);
  cairo_surface_destroy (picture);
  view.ground.red = 0.0f;                                       /* another look */
  chequer_shade = 2;
  settle_tiles (tiles, &view);
  view.factor = 2;                                              /* a screen with more pixels */
  n = ls_tiles_get_n_painted (tiles);
  g_assert_false (draw_tiles (tiles, &view, &picture));
  g_assert_cmpuint (ls_tiles_get_n_painted (tiles), >, n);
  cairo_surface_destroy (picture);
  chequer_shade = 0;
  ls_tiles_free (tiles);
}

/* ---- very many nodes from afar ----------------------------------------------------------- */

#define FAR_COLUMNS 400
#define FAR_ROWS 100

/* Rows of cards, each joined with the one below it and with that one's neighbour. */
static LsGraph *
far_graph (void)
{
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);

  for (guint i = 0; i < FAR_COLUMNS * FAR_ROWS; i++)
    {
      g_autofree char *key = g_strdup_printf ("lv%u", i);

      ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, "matmul");
    }
  for (guint i = 0; i < FAR_COLUMNS * (FAR_ROWS - 1); i++)
    {
      ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i + FAR_COLUMNS, NULL, NULL);
      if (i % FAR_COLUMNS < FAR_COLUMNS - 1)
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i + FAR_COLUMNS + 1, NULL, NULL);
    }
  return graph;
}

/* Boxes of a pixel or more where they stand, lines between them; and cairo's memory stays whole, which a path of all lines does not leave so. */
static void
test_far (void)
{
  g_autoptr (LsGraph) graph = far_graph ();
  g_autoptr (LsGraphSeries) series = ls_graph_series_one (graph, "as opened");
  g_autoptr (LsGraphLayout) layout = ls_graph_layout_new (series->whole);
  PangoContext *pango = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  LsGraphScene scene = { .series = series, .layout = layout, .selected = -1, .focused = -1, .hovered = -1 };
  const LsLook *look = ls_look_load (FALSE);

  layout->points = g_new0 (LsGraphPoint, layout->n_edges * 4);
  for (guint i = 0; i < layout->n_nodes; i++)
    layout->nodes[i] = (LsGraphBox) { (float) (i % FAR_COLUMNS) * 250.0f, (float) (i / FAR_COLUMNS) * 500.0f, 150.0f, 100.0f };
  for (guint i = 0; i < layout->n_edges; i++)
    {
      layout->start[i + 1] = (i + 1) * 4;
      layout->labels[i].x = -1.0f;
      ls_graph_layout_bow (&layout->nodes[ls_graph_edge (graph, i)->from], &layout->nodes[ls_graph_edge (graph, i)->to], layout->points + i * 4);
    }
  for (guint k = 0; k < 2; k++)
    {
      double zoom = k == 0 ? 0.02 : 0.2;
      const graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, (float) (256.0 / zoom), (float) (256.0 / zoom));
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 256, 256);
      cairo_t *cr = cairo_create (surface);
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      g_autoptr (GskRenderNode) node = NULL;
      guint32 ground, box, line;

      gdk_cairo_set_source_rgba (cr, ls_look_get (look, LS_LOOK_ACCENT));
      cairo_paint (cr);
      ground = pixel_at (surface, 0, 0);
      gtk_snapshot_scale (snapshot, (float) zoom, (float) zoom);
      ls_draw_graph (snapshot, pango, look, &scene, &area, zoom);
      node = gtk_snapshot_free_to_node (snapshot);
      gsk_render_node_draw (node, cr);
      cairo_surface_flush (surface);
      /* the second node of the second row: its outline, what is beside it, and the line to the node below it */
      box = pixel_at (surface, (int) round (250.0 * zoom), (int) round (500.0 * zoom));
      line = pixel_at (surface, (int) ((250.0 + 75.0) * zoom), (int) (800.0 * zoom));
      g_assert_cmpuint (box, !=, ground);
      g_assert_cmpuint (line, !=, ground);
      g_assert_cmpuint (line, !=, box);         /* it is thinner than a pixel */
      if (k == 1)
        g_assert_cmpuint (pixel_at (surface, (int) (200.0 * zoom), (int) (550.0 * zoom)), ==, ground);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
  g_object_unref (pango);
}

/* ---- numbers of steps -------------------------------------------------------------------------- */

/* The step bar of one step, which is the current one: a disc of the accent colour with `number` in it, on nothing.  How far ink lies from the
 * disc's middle, in its radii, and how many of its pixels are not of that colour. */
static float
reach_of_number (guint       number,
                 const char *type,
                 guint      *letters)
{
  g_autoptr (GListStore) path = g_list_store_new (LS_TYPE_STEP_ITEM);
  g_autoptr (LsStepItem) item = ls_step_item_new (&(LsStepRecord) { .number = number, .state = LS_STEP_MEASURED });
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string (type);
  PangoContext *pango = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  const GdkRGBA *accent = ls_look_get (ls_look_load (FALSE), LS_LOOK_ACCENT);
  const guint32 wanted = 0xff000000u | (guint32) (accent->red * 255.0f + 0.5f) << 16 | (guint32) (accent->green * 255.0f + 0.5f) << 8 |
                         (guint32) (accent->blue * 255.0f + 0.5f);
  int left = PICTURE_WIDTH, right = 0, top = PICTURE_HEIGHT, bottom = 0;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  float x, y, radius, most = 0.0f;
  cairo_surface_t *picture;

  pango_context_set_font_description (pango, font);
  g_list_store_append (path, item);
  ls_draw_steps (snapshot, pango, ls_look_load (FALSE), G_LIST_MODEL (path), 0, G_MAXUINT, FALSE, 400.0f, (float) ls_steps_height (pango, FALSE), FALSE);
  picture = picture_of (snapshot);
  for (int row = 0; row < PICTURE_HEIGHT; row++)
    for (int column = 0; column < PICTURE_WIDTH; column++)
      if (pixel_at (picture, column, row) == wanted)
        {
          left = MIN (left, column), right = MAX (right, column);
          top = MIN (top, row), bottom = MAX (bottom, row);
        }
  g_assert_cmpint (right, >, left);
  x = (float) (left + right) / 2.0f, y = (float) (top + bottom) / 2.0f, radius = (float) (bottom - top + 1) / 2.0f;
  *letters = 0;
  for (int row = 0; row < PICTURE_HEIGHT; row++)
    for (int column = 0; column < PICTURE_WIDTH; column++)
      if (pixel_at (picture, column, row) >> 24 > 0x40)
        {
          most = MAX (most, hypotf ((float) column - x, (float) row - y) / radius);
          *letters += pixel_at (picture, column, row) != wanted;
        }
  cairo_surface_destroy (picture);
  g_object_unref (pango);
  return most;
}

/* The number of a step stays in its disc, however many digits it has and however large the letters are. */
static void
test_step_numbers (void)
{
  static const char *const types[] = { "Sans 11", "Sans 16", "Sans 22" };
  static const guint numbers[] = { 7, 42, 100, 888, 4444, 65535 };
  guint none, letters;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
      {
        float reach = reach_of_number (numbers[k], types[i], &letters);

        g_test_message ("%u in %s: to %.2f of the radius, %u pixels", numbers[k], types[i], reach, letters);
        g_assert_cmpfloat (reach, <, 1.1f);
        g_assert_cmpuint (letters, >, 20);
      }
  reach_of_number (1, types[0], &none);
  reach_of_number (888, types[0], &letters);
  g_assert_cmpuint (letters, >, none);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
  gtk_init_check ();
  ls_views_init ();

  g_test_add_func ("/canvas/look", test_look);
  g_test_add_func ("/canvas/draw", test_draw);
  g_test_add_func ("/canvas/ribbon-labels", test_ribbon_labels);
  g_test_add_func ("/canvas/mirrored", test_mirrored);
  g_test_add_func ("/canvas/step-numbers", test_step_numbers);
  g_test_add_func ("/canvas/text-cache", test_text_cache);
  g_test_add_func ("/canvas/axis", test_axis);
  g_test_add_func ("/canvas/tiles", test_tiles);
  g_test_add_func ("/canvas/tiles-at-once", test_tiles_at_once);
  g_test_add_func ("/canvas/tiles-begin", test_tiles_begin);
  g_test_add_func ("/canvas/tiles-forget", test_tiles_forget);
  g_test_add_func ("/canvas/far", test_far);
  return g_test_run ();
}
