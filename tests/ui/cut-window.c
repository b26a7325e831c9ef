/* cut-window: a window that is used and looked at. */
#include "tests/ui/cut.h"

#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"

#include <glib/gstdio.h>

#define PATIENCE_S 60           /* for what is to come */
#define FAULTY_S 5              /* a fault that stands so long is one */

static guint n_faults;

void
ls_cut_begin (void)
{
  n_faults = 0;
}

void
ls_cut_end (void)
{
  if (n_faults > 0)
    g_test_fail ();
}

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
ls_cut_wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- pictures: with LS_CUT_PICTURES=FOLDER in the environment, of all that is looked at -------------------------- */

/* A part that is about to be laid out anew is left out of the picture, and GTK warns of it. */
static void
take_picture (GtkWidget  *window,
              const char *where)
{
  const char *folder = g_getenv ("LS_CUT_PICTURES");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *name = g_strdelimit (g_strconcat (where, ".png", NULL), " /:…", '-'), *path = NULL;
  GLogLevelFlags fatal;

  if (folder == NULL || *folder == '\0')
    return;
  fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  paintable = gtk_widget_paintable_new (window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (window), gtk_widget_get_height (window));
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  texture = node != NULL ? gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, NULL) : NULL;
  path = g_build_filename (folder, name, NULL);
  if (texture != NULL)
    gdk_texture_save_to_png (texture, path);
  g_log_set_always_fatal (fatal);
}

/* ---- looking --------------------------------------------------------------------- */

static gboolean
count_frame (GtkWidget     *widget,
             GdkFrameClock *clock,
             gpointer       data)
{
  return --*(guint *) data > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Frames that were drawn, however long they took, and all that waits for an idle turn. */
void
ls_cut_pass_frames (GtkWidget *widget,
                    guint      n)
{
  gboolean idle = FALSE;

  gtk_widget_add_tick_callback (widget, count_frame, &n, NULL);
  while (n > 0)
    g_main_context_iteration (NULL, TRUE);
  g_idle_add_full (G_PRIORITY_LOW + 100, passed, &idle, NULL);
  while (!idle)
    g_main_context_iteration (NULL, TRUE);
}

/* What has not come yet, or moves, is looked at when it stands: as much is said as is said there, and it was the same a few frames ago.  What
 * is wrong may be so on the way. */
void
ls_cut_inspect (GtkWidget  *window,
                const char *where,
                guint       least)
{
  g_autofree char *found = NULL;
  guint n_words = 0, print = 0, last = 1;
  gint64 patience = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC, stood = 0;

  while (g_get_monotonic_time () < patience)
    {
      ls_cut_pass_frames (window, 4);
      last = print;
      print = ls_cut_print (window, &n_words);
      if (n_words < least || print != last)
        {
          stood = 0;
          continue;
        }
      if (stood == 0)
        stood = g_get_monotonic_time ();
      g_free (found);
      found = ls_cut_faults (window);
      if (*found == '\0' || g_get_monotonic_time () > stood + FAULTY_S * G_USEC_PER_SEC)
        break;
    }
  if (found == NULL)
    found = ls_cut_faults (window);
  g_test_message ("%s: %u words", where, n_words);
  if (n_words < least)
    {
      char *all = g_strdup_printf ("%s\n  only %u words of %u have come", found, n_words, least);

      g_free (found);
      found = all;
    }
  take_picture (window, where);
  if (*found == '\0')
    return;
  n_faults++;
  g_test_message ("%s:%s", where, found);
}
/* ---- a window ---------------------------------------------------------------------- */

void
ls_cut_set_scale (int percent)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * percent / 100, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", NULL);
}

GtkWidget *
ls_cut_open_window (LsSession *taken,
                    int        width,
                    int        height)
{
  g_autoptr (LsSession) session = taken;
  GtkWidget *window = ls_window_new (GTK_APPLICATION (g_application_get_default ()), session);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  ls_cut_pass_frames (window, 2);
  return window;
}

void
ls_cut_activate (GtkWidget  *window,
                 const char *action,
                 const char *target)
{
  GAction *found = g_action_map_lookup_action (G_ACTION_MAP (window), action);

  if (found == NULL)
    found = g_action_map_lookup_action (G_ACTION_MAP (g_application_get_default ()), action);
  g_assert_nonnull (found);
  g_action_activate (found, target != NULL ? g_variant_new_string (target) : NULL);
}

/* What asks for the most height, from the window down, and for how much. (transfer full) */
static char *
tallest (GtkWidget *root)
{
  GString *path = g_string_new (NULL);

  while (root != NULL)
    {
      GtkWidget *largest = NULL;
      int most = 0, minimum;

      for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
        {
          minimum = 0;
          if (gtk_widget_get_visible (child) && !GTK_IS_NATIVE (child))
            gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, MAX (gtk_widget_get_width (child), -1), &minimum, NULL, NULL, NULL);
          if (minimum > most)
            largest = child, most = minimum;
        }
      if (largest != NULL)
        g_string_append_printf (path, " > %s %d", G_OBJECT_TYPE_NAME (largest), most);
      root = largest;
    }
  return g_string_free (path, FALSE);
}

/* No larger than it was asked to be: what does not fit must not push the window's edge off the screen. */
void
ls_cut_expect_size (GtkWidget  *window,
                    int         width,
                    int         height,
                    const char *where)
{
  if (gtk_widget_get_width (window) > width || gtk_widget_get_height (window) > height)
    {
      g_autofree char *path = tallest (window);

      n_faults++;
      g_test_message ("%s: the window is %d x %d:%s", where, gtk_widget_get_width (window), gtk_widget_get_height (window), path);
    }
}

void
ls_cut_expect_on_screen (GtkWidget  *window,
                         const char *where)
{
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (gdk_display_get_monitors (gtk_widget_get_display (window)), 0);
  GdkRectangle room;

  gdk_monitor_get_geometry (monitor, &room);
  ls_cut_expect_size (window, room.width, room.height, where);
}

LsSession *
ls_cut_session_of (const char *text)
{
  LsSession *session = ls_engine_session_new ();
  g_autofree char *folder = g_dir_make_tmp ("loopscope-cut-XXXXXX", NULL), *path = g_build_filename (folder, "program.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ls_session_open (session, file);
  for (guint i = 0; i < 6000 && ls_session_get_current (session) == NULL; i++)
    ls_cut_wait_ms (20);
  g_assert_nonnull (ls_session_get_current (session));
  g_remove (path);
  g_rmdir (folder);
  return session;
}

GtkWidget *
ls_cut_open_tool (GtkWidget  *window,
                  const char *action)
{
  GListModel *all = gtk_window_get_toplevels ();
  guint before;
  g_autoptr (GtkWidget) tool = NULL;
  GAction *found = g_action_map_lookup_action (G_ACTION_MAP (window), action);

  /* Some cannot be asked for while something is measured. */
  for (guint i = 0; found != NULL && !g_action_get_enabled (found) && i < PATIENCE_S * 10; i++)
    ls_cut_wait_ms (100);
  before = g_list_model_get_n_items (all);
  ls_cut_activate (window, action, NULL);
  for (gint64 patience = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC; g_list_model_get_n_items (all) <= before && g_get_monotonic_time () < patience;)
    g_main_context_iteration (NULL, TRUE);
  ls_cut_pass_frames (window, 2);
  for (guint j = 0; j < g_list_model_get_n_items (all) && tool == NULL; j++)
    {
      g_autoptr (GtkWidget) one = g_list_model_get_item (all, j);

      if (one != window && gtk_widget_get_mapped (one) && GTK_IS_WINDOW (one))
        tool = g_steal_pointer (&one);
    }
  g_assert_cmpuint (g_list_model_get_n_items (all), >, before);
  g_assert_nonnull (tool);
  return g_steal_pointer (&tool);
}
