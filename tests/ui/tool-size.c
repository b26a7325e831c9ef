/* The size of a tool window from one time to the next: what the screen cut off, because the letters were large, is not forgotten. */
#include "app/base/settings.h"
#include "app/tool/window.h"
#include "views/parts/theme.h"

#include <adwaita.h>

#define KIND "a-kind"
#define WIDTH 1000
#define HEIGHT 600

static GtkWindow *parent;

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static void
set_scale (int percent)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * percent / 100, "gtk-font-name", "Cantarell 11", NULL);
  g_assert_cmpint (ls_theme_get_scale (), ==, percent);
}

static GdkRectangle
screen (void)
{
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (gdk_display_get_monitors (gdk_display_get_default ()), 0);
  GdkRectangle room;

  gdk_monitor_get_geometry (monitor, &room);
  return room;
}

static GtkWidget *
open_tool (void)
{
  GtkWidget *window = ls_tool_window_new (parent, "Tool", WIDTH, HEIGHT, gtk_label_new ("content"), NULL);

  ls_tool_window_keep (window, KIND, NULL, NULL);
  gtk_window_present (GTK_WINDOW (window));
  wait_ms (200);
  g_assert_true (gtk_widget_get_mapped (window));
  return window;
}

static void
close_tool (GtkWidget *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  wait_ms (100);
}

static void
expect_kept (int width,
             int height)
{
  g_autoptr (GVariant) sizes = g_settings_get_value (ls_settings_get (), "tool-windows");
  int w = 0, h = 0;

  g_assert_true (g_variant_lookup (sizes, KIND, "(ii)", &w, &h));
  g_assert_cmpint (w, ==, width);
  g_assert_cmpint (h, ==, height);
}

static void
expect_size (GtkWidget *window,
             int        width,
             int        height)
{
  int w, h;

  gtk_window_get_default_size (GTK_WINDOW (window), &w, &h);
  g_assert_cmpint (w, ==, width);
  g_assert_cmpint (h, ==, height);
}

static void
test_first (void)
{
  GtkWidget *window;

  g_settings_reset (ls_settings_get (), "tool-windows");
  set_scale (200);
  g_assert_cmpint (2 * WIDTH, >, screen ().width);
  g_assert_cmpint (2 * HEIGHT, >, screen ().height);
  window = open_tool ();
  expect_size (window, screen ().width, screen ().height);
  close_tool (window);
  expect_kept (WIDTH, HEIGHT);
  set_scale (100);
  window = open_tool ();
  expect_size (window, WIDTH, HEIGHT);
  close_tool (window);
  expect_kept (WIDTH, HEIGHT);
}

/* A size of the user's own, cut the next time and the time after that. */
static void
test_kept (void)
{
  GtkWidget *window;

  g_settings_reset (ls_settings_get (), "tool-windows");
  set_scale (100);
  window = open_tool ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1100, 300);
  wait_ms (100);
  close_tool (window);
  expect_kept (1100, 300);
  set_scale (200);
  for (guint i = 0; i < 2; i++)
    {
      window = open_tool ();
      expect_size (window, screen ().width, 600);
      close_tool (window);
      expect_kept (1100, 300);
    }
}

/* What the user then makes of it counts, each side by itself. */
static void
test_changed (void)
{
  GtkWidget *window;

  g_settings_reset (ls_settings_get (), "tool-windows");
  set_scale (200);
  window = open_tool ();
  gtk_window_set_default_size (GTK_WINDOW (window), screen ().width, 700);
  wait_ms (100);
  close_tool (window);
  expect_kept (WIDTH, 350);
}

int
main (int    argc,
      char **argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  ls_theme_install (gdk_display_get_default ());
  ls_settings_start ();
  parent = GTK_WINDOW (gtk_window_new ());
  gtk_window_present (parent);
  g_test_add_func ("/tool-size/first", test_first);
  g_test_add_func ("/tool-size/kept", test_kept);
  g_test_add_func ("/tool-size/changed", test_changed);
  return g_test_run ();
}
