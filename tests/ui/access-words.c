/* access-words: what is said of accesses, and how buffers are laid out in squares, without a display. */
#include "app/access/words.h"
#include "app/session/engine.h"
#include "tests/ui/session-parts.h"
#include "views/access/grid.h"

static LsAccessOrder *
order_of (LsSession *session,
          guint      id,
          guint      most)
{
  LsModule *module = ls_schedule_get_module (ls_history_get (ls_engine_session_get_history (LS_ENGINE_SESSION (session)), id)->schedule);
  g_autoptr (GError) error = NULL;
  LsAccessOrder *order = ls_access_order_new ((LsPrimFunc *) ls_module_get (module, "mm_relu"), most, NULL, &error);

  g_assert_no_error (error);
  return order;
}

static void
assert_at (LsAccessOrder *order,
           guint          n,
           const char    *expected)
{
  g_autofree char *words = ls_access_words_at (order, n);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_words (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsAccessOrder) base = order_of (session, 0, 500), last = order_of (session, 2, 500);
  g_autofree char *between = NULL, *all = NULL;

  assert_at (base, 0, "before the first of 500 accesses");
  assert_at (base, 1, "access 1 of the first 500: writes Y[0, 0], i = 0, j = 0, k = 0; 1 line fetched");
  assert_at (base, 4, "access 4 of the first 500: reads B[0, 0], i = 0, j = 0, k = 0; 3 lines fetched");
  assert_at (base, 8, "access 8 of the first 500: reads B[1, 0], i = 0, j = 0, k = 1; 4 lines fetched");
  assert_at (last, 6, "access 6 of the first 500: writes Y[0, 1], i = 0, j_0 = 0, k = 0, j_1 = 1; 3 lines fetched");
  assert_at (base, 100000, "access 500 of the first 500: reads B[124, 0], i = 0, j = 0, k = 124; 134 lines fetched");

  /* a line of Y, 8 of A and 125 of B (k to 124); else one of Y, 2 of A and 31 of B: 20 accesses for k = 0, 16 for each k to 30 */
  between = ls_access_words_between (base, "Step 0", last, "Step 2");
  g_assert_cmpstr (between, ==, "Step 2 fetches 34 lines in its first 500 accesses, Step 0 fetches 134.");
  all = ls_access_words_all (base);
  g_assert_true (g_str_has_prefix (all, "The first 500 accesses fetch 134 lines of 64 bytes and use "));
}

static void
assert_plot (gint64     *shape,
             guint       ndim,
             double      width,
             double      height,
             const char *expected)
{
  LsAccessBuffer buffer = { .name = (char *) "A", .shape = shape, .ndim = ndim, .n = 1, .bytes = 4 };
  LsAccessPlot plot;
  g_autofree char *words = NULL;
  guint x, y;

  for (guint i = 0; i < ndim; i++)
    buffer.n *= shape[i];
  plot = ls_access_plot (&buffer, width, height);
  words = ls_access_plot_words (&plot, &buffer);
  g_assert_cmpstr (words, ==, expected);
  g_assert_cmpfloat (plot.n_x * plot.cell, <=, width);
  g_assert_cmpfloat (plot.n_y * plot.cell, <=, height);
  /* every element has a square, the first and the last are in the corners */
  ls_access_plot_at (&plot, 0, &x, &y);
  g_assert_cmpuint (x + y, ==, 0);
  ls_access_plot_at (&plot, plot.rows * plot.columns - 1, &x, &y);
  g_assert_cmpuint (x, ==, plot.n_x - 1);
  g_assert_cmpuint (y, ==, plot.n_y - 1);
  for (gint64 i = 0; i < buffer.n; i++)
    {
      ls_access_plot_at (&plot, i, &x, &y);
      g_assert_cmpuint (x, <, plot.n_x);
      g_assert_cmpuint (y, <, plot.n_y);
    }
}

static void
test_plots (void)
{
  assert_plot ((gint64[]) { 128, 128 }, 2, 300, 280, "128 × 128, 4 × 4 elements a square");
  assert_plot ((gint64[]) { 16, 16 }, 2, 300, 280, "16 × 16");
  assert_plot ((gint64[]) { 1024, 16 }, 2, 300, 280, "1,024 × 16, 32 × 1 elements a square");
  assert_plot ((gint64[]) { 1000 }, 1, 300, 280, "1,000, in rows of 64, 1 × 2 elements a square");
  assert_plot ((gint64[]) { 1, 3, 8, 8 }, 4, 300, 280, "1 × 3 × 8 × 8");
  assert_plot ((gint64[]) { 1 }, 1, 300, 280, "1");
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);
  g_test_add_func ("/ui/access-words/words", test_words);
  g_test_add_func ("/ui/access-words/plots", test_plots);
  return g_test_run ();
}
