/* Slides of all kinds, on projectors old and new: no letters below twenty pixels, nothing wider than its half of the slide, and a view takes
 * the room that there is. */
#include "app/learn/presenter.h"

#include "app/learn/marker.h"
#include "tests/support/command.h"
#include "views/parts/theme.h"

#include <gtk/gtk.h>
#include <string.h>

#define LEAST 20.0

static const char LESSON[] =
  "---\ntitle: Slides\nid: slides\n---\n\n"
  "Words, `code` and *more words*.\n\n"
  "```python {id=one, view=loops}\nimport tvm, numpy as np\nfrom tvm import te\nA = te.placeholder((8, 8), name=\"A\")\n"
  "B = te.compute((8, 8), lambda i, j: A[i, j] * 2.0, name=\"B\")\nte.create_prim_func([A, B])\n```\n\n"
  "## History\n\n```python {view=history}\nsch = tvm.tir.Schedule(te.create_prim_func([A, B]))\n"
  "sch.split(sch.get_loops(sch.get_block(\"B\"))[1], [2, 4])\nsch\n```\n\n"
  "## Graph\n\n```python {view=graph}\nC = te.compute((8, 8), lambda i, j: B[i, j] + A[i, j], name=\"C\")\nC\n```\n\n"
  "## Chart\n\n```python {view=chart}\nx = tvm.nd.array(np.ones((8, 8), \"float32\"))\n"
  "tvm.build(te.create_prim_func([A, B]), target=\"llvm\").time_evaluator(\"main\", tvm.cpu(), number=10, repeat=5)(x, x)\n```\n\n"
  "## Accesses\n\n```python {view=accesses}\nte.create_prim_func([A, B])\n```\n\n"
  "## Run\n\n```python {view=run, stops=\"write B[0, 3]\", ask=element}\nte.create_prim_func([A, B])\n```\n\n"
  "## Table\n\n```python {view=table}\nnp.arange(12).reshape(3, 4)\n```\n\n"
  "## Machine code\n\n```python {view=code}\ntvm.build(te.create_prim_func([A, B]), target=\"llvm\")\n```\n\n"
  "## Refused\n\n```python {expect=ScheduleError}\nsch.compute_inline(sch.get_block(\"B\"))\n```\n\n"
  "## Question\n\n```predict\nWhich?\n- ( ) This\n- (x) That\n---\nBecause.\n```\n\n"
  "## Exercise\n\n```exercise {id=double}\nWrite it.\n--- start\ndef double(n):\n    return n\n--- cases\n# case: three\nassert double(3) == 6\n"
  "--- solution\ndef double(n):\n    return 2 * n\n```\n";

static void
settle (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
}

/* ---- how large letters are -------------------------------------------------------------- */

static double
pixels_of (PangoContext               *context,
           const PangoFontDescription *font)
{
  double size = pango_font_description_get_size (font) / (double) PANGO_SCALE;

  return pango_font_description_get_size_is_absolute (font) ? size : size * pango_cairo_context_get_resolution (context) / 72.0;
}

static double
least_of_layout (PangoLayout *layout)
{
  PangoLayoutIter *at = pango_layout_get_iter (layout);
  double least = G_MAXDOUBLE;

  do
    {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly (at);
      PangoFontDescription *font = run != NULL ? pango_font_describe_with_absolute_size (run->item->analysis.font) : NULL;

      if (font != NULL)
        least = MIN (least, pango_font_description_get_size (font) / (double) PANGO_SCALE);
      g_clear_pointer (&font, pango_font_description_free);
    }
  while (pango_layout_iter_next_run (at));
  pango_layout_iter_free (at);
  return least;
}

typedef struct {
  GtkWidget *window;
  guint      n;                 /* texts that were looked at */
  GString   *bad;               /* what is wrong */
  const char *page;
} Walk;

/* The title of a column that has more words than its column has room for. */
static gboolean
is_cut_title (GtkWidget *label)
{
  GtkWidget *box = gtk_widget_get_parent (label), *title = box != NULL ? gtk_widget_get_parent (box) : NULL;
  GtkWidget *header = title != NULL ? gtk_widget_get_parent (title) : NULL;
  int width;

  if (header == NULL || strcmp (gtk_widget_get_css_name (header), "header") != 0)
    return FALSE;
  pango_layout_get_pixel_size (gtk_label_get_layout (GTK_LABEL (label)), &width, NULL);
  return width > gtk_widget_get_width (title);
}

static void
look_at (Walk      *walk,
         GtkWidget *widget)
{
  double least = G_MAXDOUBLE;
  const char *words = "";
  graphene_rect_t bounds;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
    return;
  if (GTK_IS_LABEL (widget) && *(words = gtk_label_get_text (GTK_LABEL (widget))) != 0)
    least = least_of_layout (gtk_label_get_layout (GTK_LABEL (widget)));
  else if (GTK_IS_TEXT_VIEW (widget) || GTK_IS_TEXT (widget))
    {
      PangoContext *context = gtk_widget_get_pango_context (widget);

      words = G_OBJECT_TYPE_NAME (widget);
      least = pixels_of (context, pango_context_get_font_description (context));
    }
  if (least < G_MAXDOUBLE)
    {
      walk->n++;
      if (least < LEAST - 0.01)
        g_string_append_printf (walk->bad, "%s: \"%s\" has letters of %.1f pixels. ", walk->page, words, least);
    }
  if (GTK_IS_LABEL (widget) && gtk_widget_compute_bounds (widget, walk->window, &bounds) && gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW) == NULL
      && bounds.origin.x + bounds.size.width > (float) gtk_widget_get_width (walk->window) + 1)
    g_string_append_printf (walk->bad, "%s: \"%s\" ends outside. ", walk->page, words);
  if (GTK_IS_LABEL (widget) && is_cut_title (widget))
    g_string_append_printf (walk->bad, "%s: the title \"%s\" of a column is cut. ", walk->page, words);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    look_at (walk, child);
}

/* ---- slides ----------------------------------------------------------------------------- */

static LsPlay *
play_all (void)
{
  g_autofree char *path = ls_test_write ("slides.en.md", LESSON);
  g_autoptr (LsLesson) lesson = ls_lesson_load (path, NULL, NULL);
  LsPlay *play = ls_play_new (lesson);

  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    if (ls_lesson_get_part (lesson, i)->kind == LS_PART_CELL)
      ls_play_run (play, i);
  while (ls_play_is_busy (play))
    settle (20);
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    if (ls_lesson_get_part (lesson, i)->kind == LS_PART_CELL)
      g_assert_cmpint (ls_play_get (play, i)->state, ==, LS_PLAY_DONE);
  return play;
}

static void
test_letters (void)
{
  static const int sizes[][2] = { { 1024, 768 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };
  LsPlay *play = play_all ();
  LsLesson *lesson = ls_play_get_lesson (play);

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      GtkWidget *window = ls_presenter_new (NULL, play, "/");

      g_object_ref (window);
      gtk_window_set_default_size (GTK_WINDOW (window), sizes[s][0], sizes[s][1]);
      ls_play_set_page (play, 0);
      gtk_window_present (GTK_WINDOW (window));
      settle (400);
      g_assert_cmpint (gtk_widget_get_width (window), ==, sizes[s][0]);
      for (guint page = 0; page < ls_lesson_get_n_pages (lesson); page++)
        {
          g_autofree char *name = g_strdup_printf ("%d x %d, %s", sizes[s][0], sizes[s][1], ls_lesson_get_page (lesson, page)->title);
          g_autoptr (GString) bad = g_string_new (NULL);
          Walk walk = { window, 0, bad, name };

          /* What comes a moment later is waited for: a slide of eight million pixels takes its time without a graphics card. */
          ls_play_set_page (play, page);
          for (guint turn = 0; turn == 0 || (turn < 20 && (bad->len > 0 || walk.n < 4)); turn++)
            {
              settle (350);
              walk.n = 0;
              g_string_truncate (bad, 0);
              look_at (&walk, window);
            }
          g_assert_cmpuint (walk.n, >=, 4);
          if (bad->len > 0)
            g_test_fail_printf ("%s", bad->str);
        }
      gtk_window_destroy (GTK_WINDOW (window));
      settle (50);
      g_object_unref (window);
    }
  g_object_unref (play);
}

/* ---- pointing --------------------------------------------------------------------------- */

static GtkWidget *
find_marker (GtkWidget *root)
{
  if (LS_IS_MARKER (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_marker (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The first controller of a kind. (transfer full) */
static GtkEventController *
controller_of (GtkWidget *widget,
               GType      type)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (one, type))
        return g_steal_pointer (&one);
    }
  g_assert_not_reached ();
}

static void
press (GtkWidget *window,
       guint      key)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (window);
  gboolean handled = FALSE;

  for (guint i = 0; !handled && i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (one) && gtk_event_controller_get_propagation_phase (one) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (one, "key-pressed", key, 0, 0, &handled);
    }
}

static gboolean
is_drawn (GtkWidget *marker)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;

  GTK_WIDGET_GET_CLASS (marker)->snapshot (marker, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    return FALSE;
  gsk_render_node_unref (node);
  return TRUE;
}

/* P points and marks, what is marked stays until the page is turned or it is taken away; the slide hears nothing of it, nor of Escape. */
static void
test_point (void)
{
  g_autofree char *path = ls_test_write ("marked.en.md", "---\ntitle: Marked\nid: marked\n---\n\nOne.\n\n## Second\n\nTwo.\n");
  g_autoptr (LsLesson) lesson = ls_lesson_load (path, NULL, NULL);
  g_autoptr (LsPlay) play = ls_play_new (lesson);
  GtkWidget *window = g_object_ref (ls_presenter_new (NULL, play, "/")), *marker = find_marker (window);
  g_autoptr (GtkEventController) drag = controller_of (marker, GTK_TYPE_GESTURE_DRAG);
  g_autoptr (GtkEventController) motion = controller_of (marker, GTK_TYPE_EVENT_CONTROLLER_MOTION);

  gtk_window_present (GTK_WINDOW (window));
  settle (200);
  g_assert_false (gtk_widget_get_can_target (marker));
  g_signal_emit_by_name (motion, "motion", 40.0, 40.0);
  g_assert_false (is_drawn (marker));
  press (window, GDK_KEY_p);
  g_assert_true (gtk_widget_get_can_target (marker));
  g_assert_true (is_drawn (marker));
  g_signal_emit_by_name (drag, "drag-begin", 50.0, 60.0);
  g_signal_emit_by_name (drag, "drag-begin", 50.0, 90.0);
  g_assert_cmpuint (ls_marker_get_n (LS_MARKER (marker)), ==, 2);
  press (window, GDK_KEY_Escape);
  g_assert_false (gtk_widget_get_can_target (marker));
  g_assert_true (gtk_widget_get_visible (window));
  g_assert_true (is_drawn (marker));
  ls_play_set_page (play, 1);
  g_assert_cmpuint (ls_marker_get_n (LS_MARKER (marker)), ==, 0);
  g_assert_false (is_drawn (marker));
  g_signal_emit_by_name (drag, "drag-begin", 50.0, 60.0);
  press (window, GDK_KEY_Delete);
  g_assert_cmpuint (ls_marker_get_n (LS_MARKER (marker)), ==, 0);
  press (window, GDK_KEY_Escape);
  settle (50);
  g_assert_false (gtk_widget_get_visible (window));
  g_object_unref (window);
}

/* ---- how large they become ---------------------------------------------------------------- */

static const char LITTLE_AND_MUCH[] =
  "---\ntitle: Sizes\nid: sizes\n---\n\nOne sentence.\n\n"
  "## Alone\n\n```python\nfirst = 1\nsecond = first + 1\n```\n\n"
  "## Beside\n\nOne sentence.\n\n```python\nfirst = 1\nsecond = first + 1\n```\n\n"
  "## Long lines\n\nOne sentence.\n\n```python\n"
  "a_line = that + needs + more + than + one + half + of + the + slide + at + this + size\n```\n\n"
  "## reverse_compute_at_and_more\n\nOne sentence.\n\n```python\nfirst = 1\n```\n\n"
  "## Much\n\n%s\n\n```python\nfirst = 1\n```\n";

static GtkWidget *
find_class (GtkWidget  *root,
            const char *class)
{
  GtkWidget *found = gtk_widget_has_css_class (root, class) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); found == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    found = find_class (child, class);
  return found;
}

static gboolean
scrolls (GtkWidget *side)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (side, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  return gtk_adjustment_get_upper (down) > gtk_adjustment_get_page_size (down) + 0.5;
}

/* By how much the letters of its words are larger, once the slide of a page is laid out. */
static const char *
grown_at (GtkWidget *window,
          LsPlay    *play,
          guint      page)
{
  static const char *const classes[] = { "grown-0", "grown-1", "grown-2", "grown-3" };
  GtkWidget *side;

  ls_play_set_page (play, page);
  settle (500);
  side = gtk_widget_get_ancestor (find_class (window, "presenter-left"), GTK_TYPE_SCROLLED_WINDOW);
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (gtk_widget_has_css_class (side, classes[i]))
      return classes[i];
  return NULL;
}

/* A title of one word stands on one line. */
static gboolean
title_is_whole (GtkWidget *left)
{
  GtkLabel *title = GTK_LABEL (gtk_widget_get_first_child (left));

  return pango_layout_get_line_count (gtk_label_get_layout (title)) == 1;
}

/* A slide with little on it has larger letters, and never so large that it must be scrolled; by hand they are the same on each slide. */
static void
test_grow (void)
{
  g_autoptr (GString) much = g_string_new (NULL);
  g_autofree char *text = NULL, *path = NULL;
  g_autoptr (LsLesson) lesson = NULL;
  g_autoptr (LsPlay) play = NULL;
  GtkWidget *window, *left, *right;

  for (guint i = 0; i < 24; i++)
    g_string_append (much, "Many words, which fill what there is beside the program, so that no letter can be larger. ");
  text = g_strdup_printf (LITTLE_AND_MUCH, much->str);
  path = ls_test_write ("sizes.en.md", text);
  lesson = ls_lesson_load (path, NULL, NULL);
  play = ls_play_new (lesson);
  window = g_object_ref (ls_presenter_new (NULL, play, "/"));
  left = find_class (window, "presenter-left");
  right = find_class (window, "presenter-right");
  gtk_window_set_default_size (GTK_WINDOW (window), 1920, 1080);
  gtk_window_present (GTK_WINDOW (window));
  settle (400);
  g_assert_cmpstr (grown_at (window, play, 0), ==, "grown-3");
  g_assert_cmpstr (grown_at (window, play, 1), ==, "grown-3");
  g_assert_nonnull (find_class (window, "title-above"));
  g_assert_false (scrolls (left));
  g_assert_false (scrolls (right));
  g_assert_cmpstr (grown_at (window, play, 2), ==, "grown-3");
  g_assert_null (find_class (window, "title-above"));
  g_assert_cmpint (gtk_widget_get_width (left), >, 800);
  grown_at (window, play, 3);
  g_assert_cmpint (gtk_widget_get_width (left), <, 800);
  g_assert_false (scrolls (right));
  g_assert_cmpstr (grown_at (window, play, 4), !=, "grown-3");
  g_assert_true (title_is_whole (left));
  g_assert_cmpstr (grown_at (window, play, 5), ==, "grown-0");
  press (window, GDK_KEY_plus);
  g_assert_cmpstr (grown_at (window, play, 0), ==, "grown-0");
  gtk_window_destroy (GTK_WINDOW (window));
  settle (50);
  g_object_unref (window);
}

/* ---- several cells on a page --------------------------------------------------------------- */

static const char CELLS[] =
  "---\ntitle: Cells\nid: cells\n---\n\n"
  "```python {id=a}\nprint(\"one\" + \" of them\")\n```\n\n"
  "```python {id=b}\nvalue = 7\n```\n\n"
  "```python {id=c}\nprint(value + 35)\n```\n\n"
  "## Shown\n\n"
  "```python {id=d, view=loops}\nimport tvm\nfrom tvm import te\nA = te.placeholder((8, 8), name=\"A\")\n"
  "te.create_prim_func([A, te.compute((8, 8), lambda i, j: A[i, j] * 2.0, name=\"B\")])\n```\n\n"
  "```python {id=e}\nprint(\"after\" + \" it\")\n```\n\n"
  "## Wrong\n\n"
  "```python {id=f}\nprint(\"before\" + \" that\")\n```\n\n"
  "```python {id=g, expect=ValueError}\nraise ValueError(\"seven \" + \"is one too many\")\n```\n";

static void
add_words (GtkWidget *root,
           GString   *words)
{
  if (GTK_IS_LABEL (root))
    g_string_append_printf (words, "%s\n", gtk_label_get_text (GTK_LABEL (root)));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    add_words (child, words);
}

/* Are all of the words that begin with + at the right, and none of those with -? */
static void
assert_right (GtkWidget         *window,
              const char *const *which)
{
  g_autoptr (GString) words = g_string_new (NULL);

  settle (400);
  add_words (find_class (window, "presenter-right"), words);
  for (guint i = 0; which[i] != NULL; i++)
    if ((strstr (words->str, which[i] + 1) != NULL) != (which[i][0] == '+'))
      g_test_fail_printf ("%s: %s", which[i], words->str);
}

static void
run_cell (LsPlay *play,
          guint   number)
{
  guint part = 0;

  while (ls_lesson_get_part (ls_play_get_lesson (play), part)->number != number)
    part++;
  ls_play_run (play, part);
  while (ls_play_is_busy (play))
    settle (20);
}

/* What stands below code was printed by it; what runs next is shown before it runs; the last result goes before earlier ones. */
static void
test_cells (void)
{
  g_autofree char *path = ls_test_write ("cells.en.md", CELLS);
  g_autoptr (LsLesson) lesson = ls_lesson_load (path, NULL, NULL);
  g_autoptr (LsPlay) play = ls_play_new (lesson);
  GtkWidget *window = g_object_ref (ls_presenter_new (NULL, play, "/"));

  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gtk_window_present (GTK_WINDOW (window));
  assert_right (window, (const char *[]) { "+\" of them", "-one of them", "-value", NULL });
  run_cell (play, 1);
  assert_right (window, (const char *[]) { "+\" of them", "+one of them", "-value", NULL });
  run_cell (play, 2);
  assert_right (window, (const char *[]) { "+value + 35", "-42", "-one of them", NULL });
  run_cell (play, 3);
  assert_right (window, (const char *[]) { "+value + 35", "+42", "-one of them", NULL });
  ls_play_set_page (play, 1);
  run_cell (play, 4);
  assert_right (window, (const char *[]) { "+T.grid", "-\" it", NULL });
  run_cell (play, 5);
  assert_right (window, (const char *[]) { "-T.grid", "+\" it", "+after it", NULL });
  ls_play_set_page (play, 2);
  run_cell (play, 6);
  assert_right (window, (const char *[]) { "+before that", "-raise", NULL });
  run_cell (play, 7);
  assert_right (window, (const char *[]) { "+raise ValueError", "+seven is one too many", "-before that", NULL });
  gtk_window_destroy (GTK_WINDOW (window));
  settle (50);
  g_object_unref (window);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  ls_theme_install (gdk_display_get_default ());
  g_test_add_func ("/presenter/point", test_point);
  g_test_add_func ("/presenter/grow", test_grow);
  g_test_add_func ("/presenter/cells", test_cells);
  g_test_add_func ("/presenter/letters", test_letters);
  return g_test_run ();
}
