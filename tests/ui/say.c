/* Messages in the window: one after the other, however fast they are said, and the last one stands. */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/ui/known.h"
#include "views/parts/theme.h"

#include <adwaita.h>
#include <string.h>

#define ROUNDS 12

static LsApplication *application;

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

static LsWindow *
window_new (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window;

  ls_pass_over_known ();
  window = ls_window_new (GTK_APPLICATION (application), session);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 6000 && !gtk_widget_get_mapped (window); i++)
    wait_ms (20);
  wait_ms (200);
  return LS_WINDOW (window);
}

static GtkWidget *
find (GtkWidget *root,
      GType      type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (root, type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

/* What the toasts say now, each with a line end. (transfer full) */
static char *
said (LsWindow *window)
{
  GtkWidget *overlay = find (GTK_WIDGET (window), ADW_TYPE_TOAST_OVERLAY);
  GtkWidget *content = adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (overlay));
  GString *words = g_string_new (NULL);

  for (GtkWidget *child = gtk_widget_get_first_child (overlay); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (child != content)
      g_string_append_printf (words, "%s\n", gtk_label_get_label (GTK_LABEL (find (child, GTK_TYPE_LABEL))));
  return g_string_free (words, FALSE);
}

/* Until they say that, for seconds. */
static void
assert_says (LsWindow   *window,
             const char *wanted)
{
  g_autofree char *words = said (window);

  for (guint i = 0; i < 6000 && g_strcmp0 (words, wanted) != 0; i++)
    {
      wait_ms (20);
      g_free (words);
      words = said (window);
    }
  g_assert_cmpstr (words, ==, wanted);
}

/* Each within the time that the one before takes to come, over one that goes: libadwaita 1.2 ends badly, half a second later. */
static void
test_fast (void)
{
  LsWindow *window = window_new ();

  for (guint i = 0; i < ROUNDS; i++)
    {
      ls_window_say (window, "first", "why");
      wait_ms (i % 4 * 120);
      ls_window_say (window, "second", "why");
      wait_ms (20 + i % 3 * 60);
      ls_window_say (window, "third", NULL);
      wait_ms (i % 2 * 30);
      ls_window_say (window, i % 2 == 0 ? "last" : NULL, NULL);
      assert_says (window, i % 2 == 0 ? "last\n" : "");
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* While the main loop is held up, both are through at its next frame. */
static void
test_held_up (void)
{
  LsWindow *window = window_new ();

  for (guint i = 0; i < ROUNDS; i++)
    {
      ls_window_say (window, "first", "why");
      g_usleep (400 * 1000);
      ls_window_say (window, "second", "why");
      g_usleep (400 * 1000);
      ls_window_say (window, NULL, NULL);
      assert_says (window, "");
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The colour of the letters in which a text is written. */
static GdkRGBA
colour_of (GtkWidget  *root,
           const char *text)
{
  GdkRGBA colour = { 0, 0, 0, 0 };

  if (GTK_IS_LABEL (root) && g_strcmp0 (gtk_label_get_label (GTK_LABEL (root)), text) == 0)
    gtk_style_context_get_color (gtk_widget_get_style_context (root), &colour);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && colour.alpha == 0; child = gtk_widget_get_next_sibling (child))
    colour = colour_of (child, text);
  return colour;
}

/* A toast is dark in a light window: why something was so stands there in light letters, too. */
static void
test_reason (void)
{
  LsWindow *window = window_new ();
  GdkRGBA what, why;

  ls_window_say (window, "first", "why");
  assert_says (window, "first\n");
  what = colour_of (find (GTK_WIDGET (window), ADW_TYPE_TOAST_OVERLAY), "first");
  why = colour_of (find (GTK_WIDGET (window), ADW_TYPE_TOAST_OVERLAY), "why");
  g_assert_cmpfloat (what.alpha, >, 0.8);
  g_assert_true (gdk_rgba_equal (&what, &why));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A toast lies over the page, and nothing of the page is seen through it: every pixel inside of its round corners is opaque. */
static void
test_opaque (void)
{
  LsWindow *window = window_new ();
  GtkWidget *overlay = find (GTK_WIDGET (window), ADW_TYPE_TOAST_OVERLAY), *toast;
  g_autoptr (GskRenderNode) node = NULL;
  cairo_surface_t *surface;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GdkPaintable *paintable;
  int width, height, n = 0, through = 0;
  cairo_t *cr;

  ls_window_say (window, "first", "why");
  assert_says (window, "first\n");
  wait_ms (600);                /* until it has come */
  for (toast = gtk_widget_get_first_child (overlay); toast == adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (overlay));)
    toast = gtk_widget_get_next_sibling (toast);
  while (strcmp (gtk_widget_get_css_name (toast), "toast") != 0)
    toast = gtk_widget_get_first_child (toast);
  width = gtk_widget_get_width (toast), height = gtk_widget_get_height (toast);
  paintable = gtk_widget_paintable_new (toast);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cr = cairo_create (surface);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 2; y < height - 2; y++)
    for (int x = height / 2; x < width - height / 2; x++, n++)
      through += ((const guint32 *) (gpointer) (cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface)))[x] >> 24 != 0xff;
  g_assert_cmpint (n, >, 500);
  g_assert_cmpint (through, ==, 0);
  cairo_surface_destroy (surface);
  g_object_unref (paintable);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The window goes between two. */
static void
test_closed (void)
{
  for (guint i = 0; i < 4; i++)
    {
      LsWindow *window = window_new ();
      gpointer held = window;

      g_object_add_weak_pointer (G_OBJECT (window), &held);
      ls_window_say (window, "first", "why");
      wait_ms (i * 100);
      ls_window_say (window, "second", NULL);
      gtk_window_close (GTK_WINDOW (window));
      for (guint n = 0; n < 6000 && held != NULL; n++)
        wait_ms (20);
      g_assert_null (held);
      wait_ms (400);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("loopscope-say-XXXXXX", NULL);
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
  g_test_add_func ("/say/fast", test_fast);
  g_test_add_func ("/say/held-up", test_held_up);
  g_test_add_func ("/say/reason", test_reason);
  g_test_add_func ("/say/opaque", test_opaque);
  g_test_add_func ("/say/closed", test_closed);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
