/* Answers of the worker that lack what they should hold, as those of a worker of another version may: windows say what they can, or nothing;
 * none ends, and GLib and GTK criticise nothing.  The worker is tests/unit/worker/hollow-answers.c. */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "tests/ui/cut.h"
#include "tests/ui/known.h"
#include "views/parts/theme.h"

#include <string.h>

#define QUIET_MS 150
#define ROUND_MS 1200           /* the worker starts, and answers */

static LsApplication *application;

static const char kernel[] =
  "from tvm.script import tir as T\n\n@T.prim_func\ndef copy(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
  "    for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n        with T.block(\"B\"):\n"
  "            vt = T.axis.spatial(64, t)\n            B[vt] = A[vt] + T.float32(1)\n";

static const char graph[] =
  "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n    @R.function\n"
  "    def main(x: R.Tensor((4, 6), \"float32\"), w: R.Tensor((6, 6), \"float32\")) -> R.Tensor((4, 6), \"float32\"):\n        with R.dataflow():\n"
  "            q = R.matmul(x, w)\n            a = R.nn.softmax(q)\n            R.output(a)\n        return a\n";

/* The first label or icon's name in it, or NULL. */
static const char *
words_of (GtkWidget *widget)
{
  const char *words = GTK_IS_LABEL (widget) ? gtk_label_get_label (GTK_LABEL (widget)) : GTK_IS_IMAGE (widget) ? gtk_image_get_icon_name (GTK_IMAGE (widget)) : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); words == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    words = words_of (child);
  return words;
}

/* What ends a window or what was just begun, or asks for a file. */
static gboolean
is_pressed (GtkWidget *button)
{
  const char *icon = words_of (button), *label = gtk_button_get_label (GTK_BUTTON (button));

  return gtk_widget_get_sensitive (button) && !gtk_widget_has_css_class (button, "close") && !gtk_widget_has_css_class (button, "titlebutton") &&
         (icon == NULL || (strstr (icon, "save") == NULL && strstr (icon, "stop") == NULL)) && (label == NULL || !g_str_has_suffix (label, "…")) && g_strcmp0 (label, "Copy") != 0;
}

static void
collect (GtkWidget *root,
         GPtrArray *buttons)
{
  if (!gtk_widget_get_mapped (root))
    return;
  if (GTK_IS_BUTTON (root) && !GTK_IS_LINK_BUTTON (root))
    g_ptr_array_add (buttons, g_object_ref (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      collect (child, buttons);
}

static void
unref_any (gpointer object)
{
  if (object != NULL)
    g_object_unref (object);
}

/* Each button that is there, one after the other; those that cannot be pressed while something is under way once that is through. */
static void
press_all (GtkWidget *window)
{
  g_autoptr (GPtrArray) buttons = g_ptr_array_new_with_free_func (unref_any);

  collect (window, buttons);
  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < buttons->len; i++)
        if (buttons->pdata[i] != NULL && gtk_widget_get_mapped (buttons->pdata[i]) && is_pressed (buttons->pdata[i]))
          {
            g_signal_emit_by_name (buttons->pdata[i], "clicked");
            ls_cut_wait_ms (QUIET_MS);
            g_clear_object ((GtkWidget **) &buttons->pdata[i]);
          }
      ls_cut_wait_ms (ROUND_MS);
    }
}

/* Windows that were opened from a tool window stand there too; dialogs go with their windows. */
static void
close_others (GtkWidget *window)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = g_list_model_get_n_items (all); i-- > 0;)
    {
      g_autoptr (GtkWidget) one = g_list_model_get_item (all, i);

      if (one != NULL && one != window && !GTK_IS_DIALOG (one))
        gtk_window_destroy (GTK_WINDOW (one));
    }
  ls_cut_wait_ms (100);
}

static void
use_tool (GtkWidget  *window,
          const char *action)
{
  g_autoptr (GtkWidget) tool = NULL;

  g_test_message ("%s", action);
  tool = ls_cut_open_tool (window, action);
  ls_cut_wait_ms (2 * QUIET_MS);
  press_all (tool);
  close_others (window);
}

static void
use_window (LsSession         *taken,
            const char *const *tools)
{
  static const char *const pages[] = { "compare", "graph", "why", "tune", "explore" };
  GtkWidget *window = ls_cut_open_window (taken, 1280, 800);

  ls_cut_wait_ms (QUIET_MS);
  ls_cut_activate (window, "measure", NULL);
  ls_cut_wait_ms (2 * QUIET_MS);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_test_message ("%s", pages[i]);
      ls_cut_activate (window, "page", pages[i]);
      ls_cut_wait_ms (2 * QUIET_MS);
    }
  ls_cut_activate (window, "measure-all", NULL);
  ls_cut_wait_ms (2 * QUIET_MS);
  for (guint i = 0; tools[i] != NULL; i++)
    use_tool (window, tools[i]);
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (200);
}

static void
test_hollow (gconstpointer how)
{
  static const char *const of_program[] = { "machine-code", "run", "run-pair", "threads", "program-passes", "rank-moves", "access-order", NULL };
  static const char *const of_kernel[] = { "machine-code", "threads", "run", NULL };
  static const char *const of_graph[] = { "run-graph", "run-vm", "compare-models", "program-passes", NULL };
  LsSession *steps = ls_engine_session_new_sample ();

  ls_pass_over_known ();
  g_setenv ("LS_HOLLOW", how, TRUE);
  ls_session_go_to (steps, g_list_model_get_n_items (ls_session_get_history (steps)) - 1);
  use_window (steps, of_program);
  use_window (ls_cut_session_of (kernel), of_kernel);
  use_window (ls_cut_session_of (graph), of_graph);
}

static GtkWidget *
find_words (GtkWidget  *root,
            GType       type,
            const char *words)
{
  GtkWidget *found = NULL;

  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type) && words_of (root) != NULL && strstr (words_of (root), words) != NULL)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); found == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    found = find_words (child, type, words);
  return found;
}

/* What lacks is said where the answer would stand. */
static void
test_said (void)
{
  GtkWidget *window, *values;
  g_autoptr (GtkWidget) tool = NULL;

  ls_pass_over_known ();
  g_setenv ("LS_HOLLOW", "all", TRUE);
  window = ls_cut_open_window (ls_cut_session_of (graph), 1280, 800);
  tool = ls_cut_open_tool (window, "compare-models");
  values = find_words (tool, GTK_TYPE_BUTTON, "view-dual");
  for (guint i = 0; i < 500 && !gtk_widget_get_sensitive (values); i++)
    ls_cut_wait_ms (20);
  g_assert_true (gtk_widget_get_sensitive (values));
  g_signal_emit_by_name (values, "clicked");
  for (guint i = 0; i < 500 && find_words (tool, GTK_TYPE_LABEL, "lacks \"pairs\"") == NULL; i++)
    ls_cut_wait_ms (20);
  g_assert_nonnull (find_words (tool, GTK_TYPE_LABEL, "lacks \"pairs\""));
  gtk_window_destroy (GTK_WINDOW (tool));
  gtk_window_destroy (GTK_WINDOW (window));
  ls_cut_wait_ms (200);
}

int
main (int    argc,
      char **argv)
{
  static const char *const some[] = { "1", "2", "3" };
  g_autofree char *worker = NULL;
  int status;

  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  worker = g_test_build_filename (G_TEST_BUILT, "unit", "worker", "hollow-worker", NULL);
  g_setenv ("LS_WORKER", worker, TRUE);
  g_setenv ("LS_WORKER_SANDBOX", "off", TRUE);
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/hollow/said", test_said);
  g_test_add_data_func ("/hollow/all", "all", test_hollow);
  for (guint i = 0; g_test_thorough () && i < G_N_ELEMENTS (some); i++)
    {
      g_autofree char *path = g_strconcat ("/hollow/some/", some[i], NULL);

      g_test_add_data_func (path, some[i], test_hollow);
    }
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
