/* graph-window: see the header. */
#include "tests/ui/graph-window.h"

#include "app/application.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/support.h"
#include "views/graph/canvas.h"
#include "views/parts/theme.h"

#include <string.h>

static LsApplication *application;

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
ls_graph_window_turn (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

GtkWidget *
ls_graph_window_find (GtkWidget  *root,
                      const char *type)
{
  GtkWidget *found = strcmp (G_OBJECT_TYPE_NAME (root), type) == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = ls_graph_window_find (child, type);
  return found;
}

GtkWidget *
ls_graph_window_wait (GtkWidget *window,
                      LsSession *session)
{
  LsGraphModel *model = ls_session_get_graph (session);
  GtkWidget *canvas = NULL;

  for (guint i = 0; i < 3000 && (canvas == NULL || !gtk_widget_get_mapped (canvas) || ls_graph_model_get_busy (model) != NULL || ls_graph_model_get_layout (model) == NULL); i++)
    {
      ls_graph_window_turn (20);
      canvas = ls_graph_window_find (window, "LsGraphCanvas");
    }
  ls_graph_window_turn (100);
  g_assert_nonnull (canvas);
  g_assert_nonnull (ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas))->layout);
  return canvas;
}

GtkWidget *
ls_graph_window_new (LsSession  *session,
                     const char *text,
                     int         width,
                     int         height)
{
  GtkWidget *window = ls_window_new (GTK_APPLICATION (application), session);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "model.py", text, NULL);
  gtk_widget_activate_action (window, "win.page", "s", "graph");
  return window;
}

int
ls_graph_window_run (int                      argc,
                     char                   **argv,
                     const LsGraphWindowTest *tests)
{
  g_autofree char *state = g_dir_make_tmp ("loopscope-graph-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  ls_views_init ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  for (guint i = 0; tests[i].name != NULL; i++)
    g_test_add_func (tests[i].name, tests[i].run);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
