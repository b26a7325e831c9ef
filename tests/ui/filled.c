/* Pages full of results: why a step takes what it takes, the roofline and the waterfall, a search that is through, two programs with their times, the memory
 * of a model, what threads do.  They are looked at as the empty ones are (cut.c), in every look, size and direction.
 *
 * A program of its own for each language: LANGUAGE is what it runs in.
 */
#include "app/application.h"
#include "app/base/language.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "tests/support/support.h"
#include "tests/ui/cut.h"
#include "views/compare/time.h"
#include "views/models/tuning.h"
#include "views/parts/theme.h"
#include "views/time/view.h"

#define TRIALS 12
#define PATIENCE_S 400          /* for measuring */
#define MOST_ROWS 8

static LsApplication *application;
static LsSession *sample, *model, *kernel;

/* Rows of 33 columns in shared memory, and four elements of B in the registers of each thread. */
static const char kernel_text[] =
  "from tvm.script import tir as T\n\n@T.prim_func\ndef layout(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\")):\n"
  "    T.func_attr({\"tir.noalias\": True})\n    S = T.alloc_buffer((32, 32), scope=\"shared\")\n    L = T.alloc_buffer((32, 32), scope=\"local\")\n"
  "    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n        for y in range(32):\n"
  "            for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n                with T.block(\"S\"):\n"
  "                    vy, vx = T.axis.remap(\"SS\", [y, t])\n                    T.block_attr({\"buffer_dim_align\": [[0, 0, 32, 1]]})\n"
  "                    S[vy, vx] = A[vy, vx]\n        for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n            for x in range(32):\n"
  "                with T.block(\"L\"):\n                    vy, vx = T.axis.remap(\"SS\", [t, x])\n                    L[vy, vx] = S[vx, vy] + T.float32(1)\n"
  "            for x in range(32):\n                with T.block(\"B\"):\n                    vy, vx = T.axis.remap(\"SS\", [t, x])\n"
  "                    B[vy, vx] = L[vy, vx]\n";

/* ---- filling ------------------------------------------------------------------------ */

typedef gboolean (*Reached) (LsSession *session);

static void
wait_for (Reached reached)
{
  gint64 end = g_get_monotonic_time () + (gint64) PATIENCE_S * G_USEC_PER_SEC;

  while (!reached (sample) && g_get_monotonic_time () < end)
    ls_cut_wait_ms (50);
  g_assert_true (reached (sample));
}

static gboolean
is_idle (LsSession *session)
{
  return !ls_session_is_running (session);
}

static gboolean
is_searched (LsSession *session)
{
  return ls_tuning_get (ls_session_get_tuning (session))->state == LS_TUNING_ENDED;
}

static void
fill (void)
{
  g_autofree char *path = ls_test_path ("../data/samples/mlp.py"), *text = NULL;
  LsTuning *tuning;
  GListModel *items;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  model = ls_cut_session_of (text);
  kernel = ls_cut_session_of (kernel_text);
  sample = ls_engine_session_new_sample ();
  ls_session_measure (sample, TRUE);
  wait_for (is_idle);
  tuning = ls_session_get_tuning (sample);
  ls_tuning_start (tuning, FALSE, TRIALS, 0);
  wait_for (is_searched);
  items = ls_tuning_get_items (tuning);
  g_assert_cmpuint (g_list_model_get_n_items (items), >, 1);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (items, i);

      ls_tuning_select (tuning, item);
    }
  ls_session_go_last (sample);
}

/* ---- looking --------------------------------------------------------------------------- */

static GtkWidget *
find (GtkWidget *widget,
      GType      type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && gtk_widget_get_mapped (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
inspect (GtkWidget  *window,
         const char *look,
         const char *page,
         guint       least)
{
  g_autofree char *where = g_strdup_printf ("%s, %s", look, page);

  ls_cut_inspect (window, where, least);
}

/* On a large screen nothing of the figures has to be scrolled to. */
static void
expect_whole_figures (GtkWidget  *window,
                      const char *look)
{
  GtkWidget *time = find (window, LS_TYPE_COMPARE_TIME), *scroller = time != NULL ? find (time, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  GtkAdjustment *down = scroller != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)) : NULL;

  g_assert_nonnull (down);
  if (gtk_adjustment_get_upper (down) > gtk_adjustment_get_page_size (down) + 1.0)
    {
      g_test_message ("%s: of %.0f pixels of figures %.0f are shown", look, gtk_adjustment_get_upper (down), gtk_adjustment_get_page_size (down));
      g_test_fail ();
    }
}

static void
look_at_pages (const char *look,
               int         width,
               int         height)
{
  GtkWidget *window = ls_cut_open_window (g_object_ref (sample), width, height), *times;

  ls_cut_activate (window, "page", "why");
  inspect (window, look, "Why", 40);
  ls_cut_activate (window, "page", "tune");
  inspect (window, look, "Tune", 30);
  ls_cut_activate (window, "page", "compare");
  inspect (window, look, "Compare", 18);
  if (height >= 2160)
    expect_whole_figures (window, look);
  ls_cut_activate (window, "page", "explore");
  inspect (window, look, "Explore", 30);
  times = find (window, LS_TYPE_TIME_VIEW);
  g_assert_nonnull (times);
  g_object_set (times, "roofline", TRUE, NULL);
  inspect (window, look, "Roofline", 40);
  g_object_set (times, "roofline", FALSE, "waterfall", TRUE, NULL);
  inspect (window, look, "Waterfall", 30);
  ls_cut_expect_size (window, width, height, look);
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (100);
}

static void
look_at_model (const char *look)
{
  static const char *const pages[] = { "sides", "merged", "table", "times", "memory" };
  GtkWidget *window = ls_cut_open_window (g_object_ref (model), 1024, 700), *stack;
  g_autoptr (GtkWidget) tool = ls_cut_open_tool (window, "compare-models");

  stack = find (tool, GTK_TYPE_STACK_SWITCHER);
  g_assert_nonnull (stack);
  stack = GTK_WIDGET (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (stack)));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *page = g_strconcat ("model, ", pages[i], NULL);

      gtk_stack_set_visible_child_name (GTK_STACK (stack), pages[i]);
      inspect (tool, look, page, 6);
    }
  ls_cut_expect_on_screen (tool, look);
  gtk_window_destroy (GTK_WINDOW (tool));
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (100);
}

static void
look_at_threads (const char *look)
{
  GtkWidget *window = ls_cut_open_window (g_object_ref (kernel), 1024, 700), *list;
  g_autoptr (GtkWidget) tool = ls_cut_open_tool (window, "threads");
  GtkListBoxRow *row;
  guint n = 0;

  ls_cut_inspect (tool, look, 10);
  list = find (tool, GTK_TYPE_LIST_BOX);
  g_assert_nonnull (list);
  for (; n < MOST_ROWS && (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) n)) != NULL; n++)
    {
      g_autofree char *page = g_strdup_printf ("threads, row %u", n);

      gtk_list_box_select_row (GTK_LIST_BOX (list), row);
      inspect (tool, look, page, 10);
    }
  g_assert_cmpuint (n, >, 3);
  ls_cut_expect_on_screen (tool, look);
  gtk_window_destroy (GTK_WINDOW (tool));
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (100);
}

typedef struct {
  const char *name;
  gboolean    dark, contrast, turned;
  int         width, height, percent;
} Look;

static const Look looks[] = {
  { "small", .width = 1024, .height = 700, .percent = 150 },
  { "dark", .dark = TRUE, .width = 1440, .height = 900, .percent = 100 },
  { "letters", .width = 1440, .height = 900, .percent = 200 },
  { "turned", .turned = TRUE, .width = 1440, .height = 900, .percent = 100 },
  { "turned", .turned = TRUE, .width = 1440, .height = 900, .percent = 200 },
  { "contrast", .contrast = TRUE, .width = 1280, .height = 800, .percent = 150 },
  { "largest", .width = 3840, .height = 2160, .percent = 100 },
  { "largest", .dark = TRUE, .width = 3840, .height = 2160, .percent = 200 },
};

static void
test_look (gconstpointer data)
{
  const Look *self = data;
  g_autofree char *look = g_strdup_printf ("filled %s %dx%d letters %d", self->name, self->width, self->height, self->percent);

  if (sample == NULL)
    fill ();
  ls_theme_set_scheme (self->dark ? LS_SCHEME_DARK : LS_SCHEME_LIGHT);
  ls_theme_set_contrast (self->contrast);
  gtk_widget_set_default_direction (self->turned ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  ls_cut_set_scale (self->percent);
  ls_cut_begin ();
  look_at_pages (look, self->width, self->height);
  look_at_model (look);
  look_at_threads (look);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  ls_theme_set_contrast (FALSE);
  ls_theme_set_scheme (LS_SCHEME_LIGHT);
  ls_cut_end ();
}

int
main (int    argc,
      char **argv)
{
  int status;

  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  ls_language_init ();
  g_test_init (&argc, &argv, NULL);
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/filled/%s-%dx%d-%d", looks[i].name, looks[i].width, looks[i].height, looks[i].percent);

      g_test_add_data_func (path, &looks[i], test_look);
    }
  status = g_test_run ();
  g_clear_object (&sample);
  g_clear_object (&model);
  g_clear_object (&kernel);
  g_object_unref (application);
  return status;
}
