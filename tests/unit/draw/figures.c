/* figures: marks on figures in all formats, without a display: something is there, and always the same. */
#include "views/canvas/draw.h"
#include "views/figures/history.h"
#include "views/figures/times.h"
#include "views/models/roofline.h"
#include "views/parts/theme.h"

#include <glib/gstdio.h>
#include <gtk/gtk.h>
#include <string.h>

static GListModel *
make_steps (void)
{
  const LsStepRecord records[] = {
    { .id = 0, .number = 0, .call = "f, as opened", .name = "start", .state = LS_STEP_MEASURED,
      .timing = { 9e-4, 9.1e-4, 9.2e-4, 9.3e-4, 30 }, .speedup = 1.0 },
    { .id = 1, .parent = 0, .number = 1, .call = "split(j, [None, 4])", .name = "split", .state = LS_STEP_MEASURED,
      .timing = { 2e-4, 2.1e-4, 2.3e-4, 2.4e-4, 30 }, .speedup = 4.0, .best = TRUE },
    { .id = 2, .parent = 1, .number = 2, .call = "parallel(k)", .name = "parallel", .state = LS_STEP_FAILED,
      .reason = "All 128 iterations of k add into the same Y." },
  };
  GListStore *store = g_list_store_new (LS_TYPE_STEP_ITEM);

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    {
      g_autoptr (LsStepItem) item = ls_step_item_new (&records[i]);

      g_list_store_append (store, item);
    }
  return G_LIST_MODEL (store);
}

static char *
draw (const char     *name,
      gboolean        dark,
      LsFigureFormat  format,
      gsize          *length)
{
  static const char *const words[] = { "", "j becomes j_0 and j_1", "", NULL };
  g_autoptr (GListModel) steps = make_steps ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  LsFigure figure;
  char *bytes;
  int fd = g_file_open_tmp ("ls-figure-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  ls_figure_begin (&figure, dark);
  if (strcmp (name, "history") == 0)
    ls_figure_history (&figure, steps, words, "f", "f.py");
  else
    ls_figure_times (&figure, steps, "30 samples");
  g_assert_cmpfloat (figure.width, >, 100.0f);
  g_assert_cmpfloat (figure.height, >, 50.0f);
  ls_figure_write (&figure, format, 1.0, path, &error);
  g_assert_no_error (error);
  ls_figure_clear (&figure);
  g_file_get_contents (path, &bytes, length, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return bytes;
}

static void
test_same_bytes (void)
{
  static const char *const names[] = { "history", "times" };

  for (guint i = 0; i < 2 * (LS_FIGURE_PDF + 1) * 2; i++)
    {
      LsFigureFormat format = i / 4;
      gsize n1, n2;
      g_autofree char *first = draw (names[i % 2], i & 2, format, &n1);
      g_autofree char *again = draw (names[i % 2], i & 2, format, &n2);

      if (format != LS_FIGURE_SVG)
        g_assert_cmpmem (first, n1, again, n2);
      g_assert_cmpuint (n1, >, 3000);
    }
}

/* Colours of the picture: paper, accent, error all appear. */
static void
test_pixels (void)
{
  gsize length;
  g_autofree char *png = draw ("history", FALSE, LS_FIGURE_PNG, &length);
  g_autoptr (GBytes) bytes = g_bytes_new (png, length);
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, NULL);
  guint width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  guint paper = 0, ink = 0;

  gdk_texture_download (texture, (guchar *) pixels, width * 4);
  for (gsize i = 0; i < (gsize) width * height; i++)
    {
      paper += (pixels[i] & 0xffffff) == 0xffffff;
      ink += (pixels[i] & 0xff) < 0x80;
    }
  g_assert_cmpuint (paper, >, width * height / 2);
  g_assert_cmpuint (ink, >, 500);
}

/* The cross is a cairo recording: cairo 1.16 writes it only when it starts at the origin. */
static void
test_svg_cross (void)
{
  gsize length;
  g_autofree char *svg = draw ("history", FALSE, LS_FIGURE_SVG, &length);

  g_assert_nonnull (strstr (svg, "stroke:rgb("));
  g_assert_null (strstr (svg, "<image"));
}

static void
test_unwritable (void)
{
  g_autoptr (GError) error = NULL;
  LsFigure figure;

  ls_figure_begin (&figure, FALSE);
  figure.width = figure.height = 10.0f;
  g_assert_false (ls_figure_write (&figure, LS_FIGURE_PNG, 1.0, "/nowhere/at/all.png", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  ls_figure_clear (&figure);
}

/* Longer than an image of cairo's can be. */
static void
test_long (void)
{
  g_autoptr (GListStore) store = g_list_store_new (LS_TYPE_STEP_ITEM);
  g_autofree const char **words = g_new0 (const char *, 701);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  LsFigure figure;
  int fd = g_file_open_tmp ("ls-figure-XXXXXX", &path, &error);

  g_close (fd, NULL);
  for (guint i = 0; i < 700; i++)
    {
      g_autoptr (LsStepItem) item = ls_step_item_new (&(LsStepRecord) { .id = i, .number = i, .call = "split(i)",
                                                                         .name = "split" });

      words[i] = "i becomes i_0 and i_1";
      g_list_store_append (store, item);
    }
  ls_figure_begin (&figure, FALSE);
  ls_figure_history (&figure, G_LIST_MODEL (store), words, "f", "f.py");
  g_assert_cmpfloat (figure.height, >, 40000.0f);
  g_assert_true (ls_figure_write (&figure, LS_FIGURE_PNG, 2.0, path, &error));
  g_assert_no_error (error);
  ls_figure_clear (&figure);
  g_unlink (path);
}

/* A figure has room for the longest words; as many as fit on no screen are cut at its most. */
static void
test_history_width (void)
{
  static const char *const lengths[] = { "k", "j_1_init is new, like j_1; block Y_init is new, from Y; block Y is now Y_update; gone: i, j, k, and four more" };
  float widths[3];

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (GListStore) store = g_list_store_new (LS_TYPE_STEP_ITEM);
      g_autoptr (LsStepItem) item = ls_step_item_new (&(LsStepRecord) { .call = "split(i)", .name = "split" });
      g_autofree char *endless = g_strnfill (5000, 'x');
      const char *words[] = { i < 2 ? lengths[i] : endless, NULL };
      LsFigure figure;

      g_list_store_append (store, item);
      ls_figure_begin (&figure, FALSE);
      ls_figure_history (&figure, G_LIST_MODEL (store), words, "f", "f.py");
      widths[i] = figure.width;
      if (i == 1)
        g_assert_cmpfloat (figure.width, >, ls_figure_text_width (&figure, LS_ROLE_REASON, words[0]) + 80.0f);
      ls_figure_clear (&figure);
    }
  g_assert_cmpfloat (widths[0], ==, 640.0f);
  g_assert_cmpfloat (widths[1], >, widths[0]);
  g_assert_cmpfloat (widths[2], ==, 1600.0f);
}

static void
test_roofline_share (void)
{
  g_autoptr (LsRoofline) roofline = ls_roofline_new ();
  g_autoptr (LsStepItem) measured = ls_step_item_new (&(LsStepRecord) { .state = LS_STEP_MEASURED, .call = "", .name = "", .timing = { .median = 1e-3, .samples = 30 } });
  g_autoptr (LsStepItem) other = ls_step_item_new (&(LsStepRecord) { .call = "", .name = "" });

  ls_roofline_add (roofline, measured, 1e6, 1e6);
  ls_roofline_add (roofline, other, 1e6, 1e6);
  for (guint known = 0; known < 2; known++)
    {
      g_autofree char *share = NULL, *none = NULL;

      roofline->known = known;
      roofline->flop_per_s = 2e9;
      share = ls_roofline_share_text (roofline, &g_array_index (roofline->points, LsRooflinePoint, 0));
      none = ls_roofline_share_text (roofline, &g_array_index (roofline->points, LsRooflinePoint, 1));
      g_assert_cmpstr (share, ==, known ? "50.0\u202f%" : "–");
      g_assert_cmpstr (none, ==, "");
    }
}

static void
test_verdict (void)
{
  g_autoptr (GListModel) steps = make_steps ();
  g_autofree char *verdict = ls_figure_times_verdict (steps);

  g_assert_cmpstr (verdict, ==, "Step 1 is ×4.00 faster than step 0.");
}

/* Much slower is said with a figure that can be read, not as ×0.00092. */
static void
test_verdict_slower (void)
{
  const LsStepRecord records[] = {
    { .id = 0, .call = "f, as opened", .name = "start", .state = LS_STEP_MEASURED, .timing = { 1e-4, 1e-4, 1e-4, 1e-4, 30 }, .speedup = 1.0 },
    { .id = 1, .number = 1, .call = "compute_at(B, k)", .name = "compute_at", .state = LS_STEP_MEASURED,
      .timing = { 0.1, 0.1, 0.1, 0.1, 30 }, .speedup = 0.001 },
  };
  g_autoptr (GListStore) store = g_list_store_new (LS_TYPE_STEP_ITEM);
  g_autofree char *verdict = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    {
      g_autoptr (LsStepItem) item = ls_step_item_new (&records[i]);

      g_list_store_append (store, item);
    }
  verdict = ls_figure_times_verdict (G_LIST_MODEL (store));
  g_assert_cmpstr (verdict, ==, "Step 1 is slower than step 0: it takes ×1000 the time.");
}

/* Pixels of a text drawn at a share of letters of this size. */
static double
drawn (PangoContext *pango,
       const char   *base,
       float         scale)
{
  const LsFont font = { .scale = scale };
  g_autoptr (PangoFontDescription) around = pango_font_description_from_string (base);
  g_autoptr (PangoLayout) layout = NULL;
  const PangoFontDescription *desc;

  pango_context_set_font_description (pango, around);
  layout = ls_draw_layout (pango, &font, "Ag");
  desc = pango_layout_get_font_description (layout);
  return (double) pango_font_description_get_size (desc) / PANGO_SCALE * (pango_font_description_get_size_is_absolute (desc) ? 1.0 : 96.0 / 72.0);
}

/* Small letters are small in a window; on a slide none are below 20 pixels. */
static void
test_letters (void)
{
  PangoContext *pango = pango_font_map_create_context (pango_cairo_font_map_get_default ());

  pango_cairo_context_set_resolution (pango, 96.0);
  g_assert_cmpfloat_with_epsilon (drawn (pango, "Sans 15px", 0.8f), 12.0, 0.1);
  g_assert_cmpfloat_with_epsilon (drawn (pango, "Sans 11", 0.8f), 11.73, 0.1);
  g_assert_cmpfloat_with_epsilon (drawn (pango, "Sans 22px", 0.8f), 20.0, 0.1);
  g_assert_cmpfloat_with_epsilon (drawn (pango, "Sans 16.5", 0.8f), 20.0, 0.1);
  g_assert_cmpfloat_with_epsilon (drawn (pango, "Sans 40px", 0.8f), 32.0, 0.1);
  g_assert_cmpfloat_with_epsilon (drawn (pango, "Sans 22px", 0.0f), 22.0, 0.1);
  g_object_unref (pango);
}

int
main (int    argc,
      char **argv)
{
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
  g_test_init (&argc, &argv, NULL);
  g_assert_false (gtk_init_check ());
  ls_views_init ();
  g_test_add_func ("/draw/figures/letters", test_letters);
  g_test_add_func ("/draw/figures/same-bytes", test_same_bytes);
  g_test_add_func ("/draw/figures/pixels", test_pixels);
  g_test_add_func ("/draw/figures/svg-cross", test_svg_cross);
  g_test_add_func ("/draw/figures/unwritable", test_unwritable);
  g_test_add_func ("/draw/figures/long", test_long);
  g_test_add_func ("/draw/figures/history-width", test_history_width);
  g_test_add_func ("/draw/figures/roofline-share", test_roofline_share);
  g_test_add_func ("/draw/figures/verdict", test_verdict);
  g_test_add_func ("/draw/figures/verdict-slower", test_verdict_slower);
  return g_test_run ();
}
