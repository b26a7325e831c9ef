/* Words on the screen: at each size of window and letters every text that is shown has its room, or ends in dots, or can be scrolled to;
 * none lies over another.  What canvases draw is not seen by this.
 *
 * A program of its own for each language: LANGUAGE is what it runs in.
 */
#include "app/application.h"
#include "app/base/language.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "tests/ui/cut.h"
#include "tests/ui/fixture-session.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

static LsApplication *application;

/* ---- where ------------------------------------------------------------------- */

static const int scales[] = { 100, 150, 200 };
static const struct { int width, height; } sizes[] = { { 800, 560 }, { 1024, 700 }, { 1280, 800 }, { 1440, 900 } };

/* Whose pages: the sample has something on each, the others not. */
typedef enum { OF_SAMPLE, OF_FIXTURE, OF_FINDINGS, N_OF } Of;

static void
look_at_pages (LsSession  *session,
               Of          of,
               const char *what,
               int         width,
               int         height,
               int         percent)
{
  GtkWidget *window;
  /* least: words of the page; fewer have not all come. */
  const struct { const char *name, *action, *target; guint least[N_OF]; } states[] = {
    { "Explore", NULL, NULL, { 30, 36, 10 } }, { "with the difference", "diff", NULL, { 30, 36, 10 } }, { "Compare", "page", "compare", { 18, 2, 2 } },
    { "Graph", "page", "graph", { 24, 14, 14 } }, { "Why", "page", "why", { 12, 1, 1 } }, { "Tune", "page", "tune", { 6, 4, 4 } },
    { "Explore again", "page", "explore", { 30, 36, 10 } }, { "with the program to edit", "edit-base", NULL, { 30, 36, 10 } },
    { "with the history turned", "history", NULL, { 30, 36, 10 } }, { "with the moves turned", "moves", NULL, { 30, 36, 10 } },
  };

  ls_cut_set_scale (percent);
  window = ls_cut_open_window (session, width, height);
  g_assert_cmpint (ls_theme_get_scale (), ==, MAX (percent, 100));
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s, %d x %d, letters %d, %s", what, width, height, percent, states[i].name);

      if (states[i].action != NULL)
        ls_cut_activate (window, states[i].action, states[i].target);
      ls_cut_inspect (window, where, states[i].least[of]);
      ls_cut_expect_size (window, width, height, where);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (100);
}

static void
test_pages (gconstpointer data)
{
  int percent = GPOINTER_TO_INT (data);

  ls_cut_begin ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      /* Letters of twice the size have no room in the smallest window. */
      if (percent == 200 && sizes[i].width < 1024)
        continue;
      if (sizes[i].width == 1024 && percent == 150)
        look_at_pages (ls_fixture_session_new_broken (), OF_FINDINGS, "findings", sizes[i].width, sizes[i].height, percent);
      look_at_pages (ls_engine_session_new_sample (), OF_SAMPLE, "the sample", sizes[i].width, sizes[i].height, percent);
      if (sizes[i].width == 1024 || sizes[i].width == 1440)
        look_at_pages (ls_fixture_session_new (), OF_FIXTURE, "branches and times", sizes[i].width, sizes[i].height, percent);
    }
  ls_cut_end ();
}

/* A kernel, which shows what Threads and Machine code have. */
static const char kernel[] =
  "from tvm.script import tir as T\n\n@T.prim_func\ndef transpose(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\")):\n"
  "    T.func_attr({\"tir.noalias\": True})\n    S = T.alloc_buffer((64, 64), scope=\"shared\")\n"
  "    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n        for y, x in T.grid(64, 1):\n"
  "            for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n                with T.block(\"S\"):\n"
  "                    vy, vx = T.axis.remap(\"SS\", [y, t])\n                    S[vy, vx] = A[vy, vx]\n"
  "        for y, x in T.grid(64, 1):\n            for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n                with T.block(\"B\"):\n"
  "                    vy, vx = T.axis.remap(\"SS\", [y, t])\n                    B[vy, vx] = S[vx, vy]\n";

/* A graph, which shows what Graph, binding by binding has: one of its values is no number. */
static const char graph[] =
  "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n    @R.function\n"
  "    def main(x: R.Tensor((4, 6), \"float32\"), w: R.Tensor((6, 6), \"float32\")) -> R.Tensor((4, 6), \"float32\"):\n        with R.dataflow():\n"
  "            q = R.matmul(x, w)\n            r = R.sqrt(q)\n            a = R.nn.softmax(r)\n            R.output(a)\n        return a\n";

typedef enum { SAMPLE, STEPS, KERNEL, GRAPH, N_SHOWN } Shown;

/* The sample after its last step. (transfer full) */
static LsSession *
steps_session (void)
{
  LsSession *session = ls_engine_session_new_sample ();

  ls_session_go_to (session, g_list_model_get_n_items (ls_session_get_history (session)) - 1);
  return session;
}

/* Each tool window at its own size, beside a main window of the smallest screen that counts. */
static void
look_at_tools (const char *what,
               int         percent)
{
  /* least: words, with those that come from the worker. */
  static const struct { const char *name; Shown shown; guint least; } tools[] = {
    { "preferences", .least = 15 }, { "help", .least = 15 }, { "access-order", .least = 10 }, { "lowering", .least = 40 },
    { "machine-code", .least = 5 }, { "rank-moves", .least = 15 }, { "rule", .least = 5 }, { "arithmetic", .least = 20 },
    { "program-passes", .least = 40 }, { "run", .least = 10 }, { "run-pair", STEPS, 9 }, { "threads", .least = 4 },
    { "threads", KERNEL, 10 }, { "machine-code", KERNEL, 3 }, { "run-graph", GRAPH, 14 }, { "run-vm", GRAPH, 14 },
    { "compare-models", GRAPH, 8 }, { "reading", .least = 4 }, { "practice", STEPS, 6 }, { "take-to-device", STEPS, 9 }, { "lessons", .least = 12 },
  };
  static const char *const names[] = { "", " of the last step", " of a kernel", " of a graph" };
  GtkWidget *windows[N_SHOWN];

  ls_cut_set_scale (percent);
  windows[SAMPLE] = ls_cut_open_window (ls_engine_session_new_sample (), 1024, 700);
  windows[STEPS] = ls_cut_open_window (steps_session (), 1024, 700);
  windows[KERNEL] = ls_cut_open_window (ls_cut_session_of (kernel), 1024, 700);
  windows[GRAPH] = ls_cut_open_window (ls_cut_session_of (graph), 1024, 700);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s, letters %d, %s%s", what, percent, tools[i].name, names[tools[i].shown]);
      g_autoptr (GtkWidget) tool = NULL;

      g_test_message ("%s", where);
      for (guint j = 0; j < N_SHOWN; j++)
        gtk_widget_set_visible (windows[j], j == tools[i].shown);
      gtk_window_present (GTK_WINDOW (windows[tools[i].shown]));
      tool = ls_cut_open_tool (windows[tools[i].shown], tools[i].name);
      ls_cut_inspect (tool, where, tools[i].least);
      ls_cut_expect_on_screen (tool, where);
      gtk_window_destroy (GTK_WINDOW (tool));
      ls_cut_wait_ms (100);
    }
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    gtk_window_destroy (GTK_WINDOW (windows[i]));
  ls_cut_wait_ms (100);
}

static void
test_tools (gconstpointer data)
{
  ls_cut_begin ();
  look_at_tools ("tools", GPOINTER_TO_INT (data));
  ls_cut_end ();
}

static guint
count_texts (GtkWidget *root)
{
  guint n = GTK_IS_TEXT_VIEW (root) && gtk_widget_has_css_class (root, "script") && gtk_widget_get_mapped (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_texts (child);
  return n;
}

static gboolean
says (GtkWidget  *root,
      const char *text)
{
  if (GTK_IS_LABEL (root) && g_strcmp0 (gtk_label_get_label (GTK_LABEL (root)), text) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

static void
expect_texts (GtkWidget *tool,
              guint      n)
{
  for (guint k = 0; k < 500 && count_texts (tool) != n; k++)
    ls_cut_wait_ms (20);
  g_assert_cmpuint (count_texts (tool), ==, n);
}

/* Questions are drawn by chance: the one about what comes first shows one program in any width, and two when it is answered. */
static void
answer_what_is_next (GtkWidget *tool)
{
  if (says (tool, _("Which primitive comes next?")))
    gtk_widget_activate (gtk_window_get_focus (GTK_WINDOW (tool)));     /* the first of the choices */
}

/* Two programs stand beside each other where there is room for two, with these letters, and in one column else. */
static void
test_practice (void)
{
  static const struct { int percent, width; guint texts; } cases[] = { { 100, 1024, 2 }, { 150, 1024, 1 }, { 150, 1440, 2 }, { 100, 800, 1 }, { 200, 1440, 1 } };

  ls_cut_begin ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *where = g_strdup_printf ("practice, %d wide, letters %d", cases[i].width, cases[i].percent);
      GtkWidget *window;
      g_autoptr (GtkWidget) tool = NULL;

      ls_cut_set_scale (cases[i].percent);
      window = ls_cut_open_window (steps_session (), 1024, 700);
      tool = ls_cut_open_tool (window, "practice");
      gtk_window_set_default_size (GTK_WINDOW (tool), cases[i].width, 700);
      g_test_message ("%s", where);
      answer_what_is_next (tool);
      expect_texts (tool, cases[i].texts);
      ls_cut_inspect (tool, where, 6);
      gtk_window_destroy (GTK_WINDOW (tool));
      gtk_window_destroy (GTK_WINDOW (window));
      ls_cut_wait_ms (100);
    }
  ls_cut_end ();
}

/* ---- before the next frame ------------------------------------------------------- */

/* A window or menu that is presented is measured at once: letters of another size count by then, everywhere. */
static void
test_another_size (void)
{
  static const char *const pages[] = { "explore", "compare", "graph", "why", "tune" };
  static const int other[] = { 200, 100, 150, 80, 100 };
  GtkWidget *window;

  ls_cut_set_scale (100);
  window = ls_cut_open_window (ls_fixture_session_new (), 1440, 900);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      ls_cut_activate (window, "page", pages[i]);
      for (guint j = 0; j < G_N_ELEMENTS (other); j++)
        {
          g_autofree char *grown = NULL;

          ls_cut_pass_frames (window, 3);
          ls_theme_set_text_size (other[j]);
          grown = ls_cut_grown (window);
          if (*grown != '\0')
            g_test_message ("%s, letters %d: %s", pages[i], other[j], grown);
          g_assert_cmpstr (grown, ==, "");
        }
    }
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (100);
}

/* ---- the other looks, directions and screens ------------------------------------- */

typedef struct {
  const char *name;
  gboolean    quick;            /* in ./check too */
  gboolean    dark, contrast, turned;
  int         width, height, percent;
} Look;

static const Look looks[] = {
  { "turned", .turned = TRUE, .width = 1024, .height = 700, .percent = 100, .quick = TRUE },
  { "turned", .turned = TRUE, .width = 1440, .height = 900, .percent = 150 },
  { "turned", .turned = TRUE, .width = 1280, .height = 800, .percent = 200 },
  { "dark", .dark = TRUE, .width = 1440, .height = 900, .percent = 100 },
  { "contrast", .contrast = TRUE, .width = 1440, .height = 900, .percent = 100 },
  { "contrast", .contrast = TRUE, .width = 1024, .height = 700, .percent = 150 },
  { "dark-contrast", .dark = TRUE, .contrast = TRUE, .width = 1280, .height = 800, .percent = 100 },
  { "small", .width = 1024, .height = 700, .percent = 80 },
  { "small", .width = 800, .height = 560, .percent = 90 },
  { "large", .width = 1920, .height = 1080, .percent = 100 },
  { "large", .width = 1920, .height = 1080, .percent = 200 },
  { "largest", .width = 3840, .height = 2160, .percent = 100 },
  { "largest", .width = 3840, .height = 2160, .percent = 200 },
};

static void
test_look (gconstpointer data)
{
  const Look *self = data;
  g_autofree char *sample = g_strconcat (self->name, ", the sample", NULL), *fixture = g_strconcat (self->name, ", branches and times", NULL);

  ls_theme_set_scheme (self->dark ? LS_SCHEME_DARK : LS_SCHEME_LIGHT);
  ls_theme_set_contrast (self->contrast);
  gtk_widget_set_default_direction (self->turned ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  ls_cut_begin ();
  look_at_pages (ls_engine_session_new_sample (), OF_SAMPLE, sample, self->width, self->height, self->percent);
  look_at_pages (ls_fixture_session_new (), OF_FIXTURE, fixture, self->width, self->height, self->percent);
  look_at_tools (self->name, self->percent);
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
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autofree char *pages = g_strdup_printf ("/cut/%d/pages", scales[i]), *tools = g_strdup_printf ("/cut/%d/tools", scales[i]);

      g_test_add_data_func (pages, GINT_TO_POINTER (scales[i]), test_pages);
      g_test_add_data_func (tools, GINT_TO_POINTER (scales[i]), test_tools);
    }
  g_test_add_func ("/cut/practice", test_practice);
  g_test_add_func ("/cut/another-size", test_another_size);
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cut/looks/%s-%dx%d-%d", looks[i].name, looks[i].width, looks[i].height, looks[i].percent);

      if (looks[i].quick || g_test_thorough ())
        g_test_add_data_func (path, &looks[i], test_look);
    }
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
