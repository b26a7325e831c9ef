/* The panes beside the page: what is away is not laid out, so that nothing has to be measured when a page comes.  And what the title bar
 * makes of its width. */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "tests/ui/fixture-session.h"
#include "tests/ui/known.h"
#include "views/parts/theme.h"

#include <string.h>

static LsApplication *application;

static GtkWidget *
find (GtkWidget  *root,
      const char *type)
{
  if (g_strcmp0 (G_OBJECT_TYPE_NAME (root), type) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Long enough for some frames. */
static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static GtkWindow *
open_window (int width)
{
  GtkWindow *window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), ls_fixture_session_new ()));

  gtk_window_set_default_size (window, width, 800);
  gtk_window_present (window);
  for (guint i = 0; i < 6000 && gtk_widget_get_width (find (GTK_WIDGET (window), "LsLoopView")) <= 0; i++)
    wait_ms (20);
  wait_ms (200);
  return window;
}

static void
test_away (void)
{
  GtkWindow *window = open_window (1440);
  GtkWidget *pages = find (GTK_WIDGET (window), "GtkStack");
  const char *panes[] = { "LsMovesView", "LsHistoryView" };
  int widths[G_N_ELEMENTS (panes)];

  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      GtkWidget *pane = find (GTK_WIDGET (window), panes[i]);

      g_assert_true (gtk_widget_get_mapped (pane));
      widths[i] = gtk_widget_get_width (pane);
      g_assert_cmpint (widths[i], >, 200);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (pages), "compare");
  wait_ms (200);
  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      GtkWidget *pane = find (GTK_WIDGET (window), panes[i]);

      g_assert_false (gtk_widget_get_mapped (pane));
      g_assert_cmpint (gtk_widget_get_width (pane), ==, widths[i]);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (pages), "explore");
  wait_ms (200);
  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      GtkWidget *pane = find (GTK_WIDGET (window), panes[i]);

      g_assert_true (gtk_widget_get_mapped (pane));
      g_assert_cmpint (gtk_widget_get_width (pane), ==, widths[i]);
    }
  gtk_window_destroy (window);
  wait_ms (50);
}

/* The label on the screen that says so, or NULL. */
static GtkWidget *
says (GtkWidget  *root,
      const char *words)
{
  if (!gtk_widget_get_mapped (root))
    return NULL;
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), words) != NULL)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = says (child, words);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Until a comparison comes the page does not ask for a program, where there is one. */
static void
test_coming (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window = ls_window_new (GTK_APPLICATION (application), session), *canvas = NULL;

  gtk_window_set_default_size (GTK_WINDOW (window), 1440, 900);
  gtk_window_present (GTK_WINDOW (window));
  wait_ms (400);
  ls_window_show_page (LS_WINDOW (window), "compare");
  for (guint i = 0; i < 100000 && canvas == NULL; i++)
    {
      GtkWidget *found = find (window, "LsCompareCanvas");

      g_assert_null (says (window, "Open a TVMScript file to compare"));
      if (found != NULL && gtk_widget_get_mapped (found))
        canvas = found;
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_nonnull (canvas);
  gtk_window_destroy (GTK_WINDOW (window));
  wait_ms (50);
}

/* The name of the document has the room that tabs which do not fit leave, and whether they fit is no matter of the page. */
static void
test_name (void)
{
  const int widths[] = { 800, 900, 1000, 1100, 1440 };
  const char *pages[] = { "explore", "compare", "graph", "why", "tune" };

  ls_theme_set_text_size (150);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWindow *window = open_window (widths[i]);
      GtkWidget *name = says (gtk_window_get_titlebar (window), "mm_relu");
      GtkWidget *place = says (gtk_window_get_titlebar (window), ".py");
      guint n_lists = 0;

      g_assert_nonnull (name);
      g_assert_nonnull (place);
      for (guint k = 0; k < G_N_ELEMENTS (pages); k++)
        {
          GtkWidget *list;

          ls_window_show_page (LS_WINDOW (window), pages[k]);
          wait_ms (300);
          list = find (gtk_window_get_titlebar (window), "GtkDropDown");
          n_lists += gtk_widget_get_mapped (list);
          /* Not both a name that is cut and room beside it. */
          if (gtk_widget_get_mapped (list) && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (place))))
            {
              graphene_rect_t left, right;

              g_assert_true (gtk_widget_compute_bounds (place, GTK_WIDGET (window), &left));
              g_assert_true (gtk_widget_compute_bounds (list, GTK_WIDGET (window), &right));
              g_assert_cmpfloat (right.origin.x - left.origin.x - left.size.width, <, 60.0f);
            }
        }
      g_assert_true (n_lists == 0 || n_lists == G_N_ELEMENTS (pages));
      gtk_window_destroy (window);
      wait_ms (50);
    }
  ls_theme_set_text_size (100);
}

static void
find_all (GtkWidget  *root,
          const char *type,
          GPtrArray  *found)
{
  if (g_strcmp0 (G_OBJECT_TYPE_NAME (root), type) == 0)
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    find_all (child, type, found);
}

/* Each row of each list of choices is activated, as a click does it: the page may fill the list anew while it hears of that, and what GTK goes
 * on with then is still there. */
static void
test_choices (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window = ls_window_new (GTK_APPLICATION (application), session);
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();
  guint n_chosen = 0;

  gtk_window_set_default_size (GTK_WINDOW (window), 1440, 900);
  gtk_window_present (GTK_WINDOW (window));
  wait_ms (400);
  ls_window_show_page (LS_WINDOW (window), "graph");
  for (guint i = 0; i < 6000 && (find (window, "LsGraphCanvas") == NULL || !gtk_widget_get_mapped (find (window, "LsGraphCanvas"))); i++)
    wait_ms (20);
  wait_ms (400);
  find_all (find (window, "LsGraphView"), "GtkDropDown", lists);
  for (guint i = 0; i < lists->len; i++)
    {
      GtkDropDown *list = g_ptr_array_index (lists, i);
      guint n = gtk_drop_down_get_model (list) != NULL ? g_list_model_get_n_items (gtk_drop_down_get_model (list)) : 0;

      for (guint k = 0; k < n && gtk_widget_get_mapped (GTK_WIDGET (list)); k++)
        {
          GtkWidget *rows = find (GTK_WIDGET (list), "GtkListView");
          guint at = (k + 1) % n;

          gtk_selection_model_select_item (gtk_list_view_get_model (GTK_LIST_VIEW (rows)), at, TRUE);
          g_assert_true (gtk_widget_activate_action (rows, "list.activate-item", "u", at));
          g_assert_cmpuint (gtk_drop_down_get_selected (list), ==, at);
          wait_ms (100);
          g_assert_cmpuint (gtk_drop_down_get_selected (list), ==, at);
          n_chosen++;
        }
    }
  g_assert_cmpuint (n_chosen, >=, 2 + 5);
  gtk_window_destroy (GTK_WINDOW (window));
  wait_ms (50);
}

static guint
count (GtkWidget *root)
{
  guint n = 1;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count (child);
  return n;
}

/* A window that nobody has touched holds what it shows and little more: no menu, no page behind the one in front, no parts of rows that no
 * row shows (2,333 widgets on a program with 31 moves, when all was made at once).  What is opened is there then. */
static void
test_lean (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window = ls_window_new (GTK_APPLICATION (application), session), *button;

  gtk_window_set_default_size (GTK_WINDOW (window), 1440, 900);
  gtk_window_present (GTK_WINDOW (window));
  wait_ms (2000);
  g_assert_nonnull (find (window, "LsMoveRow"));
  g_assert_cmpuint (count (window), <, 1200);
  g_assert_null (find (window, "LsGraphView"));
  g_assert_null (find (window, "LsCompareView"));
  g_assert_null (find (window, "GtkPopoverMenu"));
  button = find (gtk_window_get_titlebar (GTK_WINDOW (window)), "GtkMenuButton");
  g_assert_true (gtk_widget_get_sensitive (button));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  wait_ms (300);
  g_assert_nonnull (find (button, "GtkPopoverMenu"));
  g_assert_true (gtk_widget_get_mapped (find (button, "GtkPopoverMenu")));
  g_assert_nonnull (says (find (button, "GtkPopoverMenu"), "Open"));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  wait_ms (300);
  gtk_window_destroy (GTK_WINDOW (window));
  wait_ms (50);
}

/* Nothing is open, and all that can be done is done on each page: that is little, but no fault. */
static void
test_nothing_open (void)
{
  const char *pages[] = { "explore", "compare", "graph", "why", "tune" };
  GListModel *windows = gtk_window_get_toplevels ();

  /* GTK warns of labels of its own in the list of keys, and of what tests/ui/known.h says. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  ls_pass_over_known ();
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autoptr (LsSession) session = ls_engine_session_new ();
      GtkWidget *window = ls_window_new (GTK_APPLICATION (application), session);
      g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (window));
      guint n_done = 0;

      gtk_window_present (GTK_WINDOW (window));
      wait_ms (200);
      ls_window_show_page (LS_WINDOW (window), pages[i]);
      wait_ms (100);
      for (guint k = 0; names[k] != NULL; k++)
        if (!g_str_has_prefix (names[k], "close") && g_action_group_get_action_enabled (G_ACTION_GROUP (window), names[k]) &&
            g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), names[k]) == NULL)
          {
            g_test_message ("%s on %s", names[k], pages[i]);
            g_action_group_activate_action (G_ACTION_GROUP (window), names[k], NULL);
            wait_ms (5);
            n_done++;
          }
      g_assert_cmpuint (n_done, >, 5);
      wait_ms (100);
      /* What it opened, a window of the application among it, would be drawn along with all the next ones. */
      while (g_list_model_get_n_items (windows) > 0)
        {
          g_autoptr (GtkWindow) open = g_list_model_get_item (windows, 0);

          gtk_window_destroy (open);
        }
      wait_ms (50);
    }
}

/* ---- sizes that nobody asked for ------------------------------------------------------- */

/* Maximised from the start, the window is wider than it asked for: what is more is the page's. */
static void
test_wide (void)
{
  GtkWindow *window = open_window (2200);
  int moves = gtk_widget_get_width (find (GTK_WIDGET (window), "LsMovesView")), page = gtk_widget_get_width (find (GTK_WIDGET (window), "LsExploreView"));

  g_assert_cmpint (moves, <, 500);
  g_assert_cmpint (page, >, 1200);
  gtk_window_destroy (window);
  wait_ms (100);
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
  g_test_init (&argc, &argv, NULL);
  application = ls_application_new (ls_fixture_session_new);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/panes/away", test_away);
  g_test_add_func ("/panes/lean", test_lean);
  g_test_add_func ("/panes/coming", test_coming);
  g_test_add_func ("/panes/name", test_name);
  g_test_add_func ("/panes/choices", test_choices);
  g_test_add_func ("/panes/nothing-open", test_nothing_open);
  g_test_add_func ("/panes/wide", test_wide);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
