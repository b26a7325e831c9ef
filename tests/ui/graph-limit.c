/* graph-limit: what cannot be laid out is folded again, which the page says; there is a picture all the time. */
#include "tests/support/models.h"
#include "tests/ui/graph-window.h"
#include "tests/ui/known.h"
#include "views/graph/canvas.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Gives up as soon as the worker is asked for a layout; a picture is in sight before, meanwhile and behind it. */
static void
give_up (GtkWidget *window,
         LsSession *session,
         GtkWidget *canvas)
{
  LsGraphModel *model = ls_session_get_graph (session);
  gboolean asked = FALSE;

  for (guint i = 0; i < 500 && !asked; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      asked = ls_graph_model_get_busy (model) != NULL && strstr (ls_graph_model_get_busy (model), "laying out") != NULL;
      g_assert_false (ls_graph_canvas_is_empty (LS_GRAPH_CANVAS (canvas)));
      if (!asked)
        g_usleep (2000);
    }
  g_assert_true (asked);
  ls_graph_model_cancel (model);
  g_assert_false (ls_graph_canvas_is_empty (LS_GRAPH_CANVAS (canvas)));
  for (guint i = 0; i < 1000 && (ls_graph_model_get_busy (model) != NULL || ls_graph_model_get_message (model) == NULL); i++)
    {
      ls_graph_window_turn (10);
      g_assert_false (ls_graph_canvas_is_empty (LS_GRAPH_CANVAS (canvas)));
    }
  g_assert_nonnull (ls_graph_model_get_message (model));
  g_assert_nonnull (strstr (ls_graph_model_get_message (model), "folded again"));
  ls_graph_window_wait (window, session);
  g_assert_cmpuint (ls_graph_series_state (ls_graph_model_get_series (model), 0)->graph->nodes->len, <, 100);
  g_assert_true (ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas))->series == ls_graph_model_get_series (model));
}

static void
test_limit (void)
{
  g_autofree char *text = ls_model_transformer (60);
  g_autoptr (LsSession) session = ls_engine_session_new ();
  GtkWidget *window = ls_graph_window_new (session, text, 1280, 800), *canvas = ls_graph_window_wait (window, session);
  LsGraphModel *model = ls_session_get_graph (session);
  LsGraph *graph = ls_graph_series_state (ls_graph_model_get_series (model), 0)->graph;
  g_autofree char *key = NULL;

  ls_pass_over_known ();
  for (guint i = 0; i < graph->nodes->len && key == NULL; i++)
    if (ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_GROUP)
      key = g_strdup (ls_graph_node (graph, i)->key);
  g_assert_nonnull (key);
  ls_graph_model_set_all (model, TRUE);
  give_up (window, session, canvas);
  g_assert_false (ls_graph_model_get_all (model));
  ls_graph_model_open_group (model, key, TRUE);
  give_up (window, session, canvas);
  gtk_window_destroy (GTK_WINDOW (window));
  ls_graph_window_turn (50);
}

/* The process that began this one; 0: it is gone. (Its name is in parentheses and may hold any character.) */
static int
parent_of (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (at = strrchr (text, ')')) == NULL || strlen (at) < 4)
    return 0;
  return atoi (at + 4);
}

/* Workers below this process stand still from now on. */
static guint
stop_workers (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  guint n = 0;

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_strdup_printf ("/proc/%s/cmdline", name), *line = NULL;
      int at = atoi (name);

      if (at <= 0 || !g_file_get_contents (path, &line, NULL, NULL) || !g_str_has_suffix (line, "loopscope-worker"))
        continue;
      while (at > 1 && at != (int) getpid ())
        at = parent_of (at);
      if (at == (int) getpid ())
        n += kill (atoi (name), SIGSTOP) == 0;
    }
  return n;
}

/* A worker that never answers is ended after its time, and the quick layout is asked for; one that does not answer that either: all is folded
 * again, which the page says.  There is a picture all the time. */
static void
test_late (void)
{
  g_autofree char *text = ls_model_transformer (60);
  g_autoptr (LsSession) session = ls_engine_session_new ();
  GtkWidget *window = ls_graph_window_new (session, text, 1280, 800), *canvas = ls_graph_window_wait (window, session);
  LsGraphModel *model = ls_session_get_graph (session);
  gint64 from = g_get_monotonic_time ();
  guint n_stopped = 0;

  ls_pass_over_known ();
  ls_graph_model_set_all (model, TRUE);
  while (ls_graph_model_get_message (model) == NULL)
    {
      n_stopped += stop_workers ();
      ls_graph_window_turn (20);
      g_assert_false (ls_graph_canvas_is_empty (LS_GRAPH_CANVAS (canvas)));
    }
  g_assert_cmpuint (n_stopped, >, 0);
  g_test_message ("%.1f s until it was folded", (double) (g_get_monotonic_time () - from) * 1e-6);
  g_assert_cmpint (g_get_monotonic_time () - from, >, 24 * G_USEC_PER_SEC);
  g_assert_nonnull (strstr (ls_graph_model_get_message (model), "folded again"));
  ls_graph_window_wait (window, session);
  g_assert_false (ls_graph_model_get_all (model));
  g_assert_true (ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas))->series == ls_graph_model_get_series (model));
  gtk_window_destroy (GTK_WINDOW (window));
  ls_graph_window_turn (50);
}

static gboolean
says (GtkWidget  *root,
      const char *words)
{
  gboolean found = GTK_IS_LABEL (root) && gtk_widget_get_mapped (root) && strcmp (gtk_label_get_text (GTK_LABEL (root)), words) == 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && !found; child = gtk_widget_get_next_sibling (child))
    found = says (child, words);
  return found;
}

/* While a large graph is made there is none to show, but not for want of a program. */
static void
test_making (void)
{
  g_autofree char *text = ls_model_transformer (400);
  g_autoptr (LsSession) session = ls_engine_session_new ();
  GtkWidget *window = ls_graph_window_new (session, text, 1280, 800), *view = NULL;
  LsGraphModel *model = ls_session_get_graph (session);
  guint n_making = 0;

  ls_pass_over_known ();
  for (guint i = 0; i < 5000 && ls_graph_model_get_layout (model) == NULL; i++)
    {
      ls_graph_window_turn (4);
      view = ls_graph_window_find (window, "LsGraphView");
      if (view == NULL || ls_graph_model_get_series (model) != NULL || ls_graph_model_get_busy (model) == NULL)
        continue;
      g_assert_false (says (view, "There is no graph to show yet."));
      n_making += says (view, "The graph is being made.");
    }
  g_assert_cmpuint (n_making, >, 0);
  gtk_window_destroy (GTK_WINDOW (window));
  ls_graph_window_turn (50);
}

int
main (int    argc,
      char **argv)
{
  static const LsGraphWindowTest tests[] = { { "/graph-limit/cancelled", test_limit }, { "/graph-limit/late", test_late }, { "/graph-limit/making", test_making }, { NULL } };

  return ls_graph_window_run (argc, argv, tests);
}
