/* A popover asked for before its widget is on the screen, or at a place outside of it: no complaint, and it opens. */
#include "views/parts/popover.h"

typedef struct {
  GtkWidget *window, *child, *button, *popover;
} Parts;

static void
turn_until (gboolean (*done) (Parts *parts),
            Parts     *parts)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!done (parts) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (done (parts));
}

static gboolean
is_open (Parts *parts)
{
  return gtk_widget_get_mapped (parts->popover);
}

static gboolean
is_shown (Parts *parts)
{
  return gtk_widget_get_mapped (parts->child) && gtk_widget_get_width (parts->child) > 0;
}

static void
set_up (Parts *parts)
{
  parts->window = gtk_window_new ();
  parts->child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  parts->button = gtk_button_new_with_label ("focus");       /* GTK wants one in the window when a popover opens */
  gtk_box_append (GTK_BOX (parts->child), parts->button);
  parts->popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (parts->popover), gtk_label_new ("words"));
  gtk_window_set_default_size (GTK_WINDOW (parts->window), 300, 200);
  gtk_window_set_child (GTK_WINDOW (parts->window), parts->child);
  gtk_window_set_focus (GTK_WINDOW (parts->window), parts->button);
}

static void
tear_down (Parts *parts)
{
  gtk_popover_popdown (GTK_POPOVER (parts->popover));
  gtk_widget_unparent (parts->popover);
  gtk_window_destroy (GTK_WINDOW (parts->window));
}

static void
test_early (void)
{
  Parts parts;

  set_up (&parts);
  ls_popover_show (GTK_POPOVER (parts.popover), parts.child, &(GdkRectangle) { -1, 80, 1, 1 }, GTK_POS_RIGHT);
  g_assert_false (is_open (&parts));
  gtk_window_present (GTK_WINDOW (parts.window));
  turn_until (is_open, &parts);
  tear_down (&parts);
}

static void
test_outside (void)
{
  Parts parts;
  GdkRectangle place;

  set_up (&parts);
  gtk_window_present (GTK_WINDOW (parts.window));
  turn_until (is_shown, &parts);
  ls_popover_show (GTK_POPOVER (parts.popover), parts.child, &(GdkRectangle) { 20000, 30000, 10, 20 }, GTK_POS_BOTTOM);
  turn_until (is_open, &parts);
  gtk_popover_get_pointing_to (GTK_POPOVER (parts.popover), &place);
  g_assert_cmpint (place.x + place.width, <=, gtk_widget_get_width (parts.child));
  g_assert_cmpint (place.y + place.height, <=, gtk_widget_get_height (parts.child));
  tear_down (&parts);
}

/* It is left alone when it has gone before the widget comes. */
static void
test_gone (void)
{
  Parts parts;

  set_up (&parts);
  ls_popover_show (GTK_POPOVER (parts.popover), parts.child, &(GdkRectangle) { 0, 0, 1, 1 }, GTK_POS_BOTTOM);
  gtk_widget_unparent (parts.popover);
  gtk_window_present (GTK_WINDOW (parts.window));
  turn_until (is_shown, &parts);
  gtk_window_destroy (GTK_WINDOW (parts.window));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  g_test_add_func ("/popover/early", test_early);
  g_test_add_func ("/popover/outside", test_outside);
  g_test_add_func ("/popover/gone", test_gone);
  return g_test_run ();
}
