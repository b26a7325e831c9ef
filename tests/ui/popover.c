/* A popover asked for before its widget is on the screen, or at a place outside of it: no complaint, and it opens; its letters are its window's. */
#include "views/parts/popover.h"

#include "views/parts/theme.h"

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

static void
place_at (gpointer      asked,
          GdkRectangle *place)
{
  *(gboolean *) asked = TRUE;
  *place = (GdkRectangle) { 10, 20, 30, 40 };
}

/* In a pane that slides in it waits until the pane has come: before that its place lies beside the window. */
static void
test_slides (void)
{
  Parts parts;
  GtkWidget *revealer = gtk_revealer_new ();
  gboolean asked = FALSE;
  GdkRectangle place;

  set_up (&parts);
  g_object_set (gtk_widget_get_settings (parts.window), "gtk-enable-animations", TRUE, NULL);
  gtk_revealer_set_transition_type (GTK_REVEALER (revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_RIGHT);
  gtk_revealer_set_transition_duration (GTK_REVEALER (revealer), 300);
  g_object_ref (parts.child);
  gtk_window_set_child (GTK_WINDOW (parts.window), revealer);
  gtk_revealer_set_child (GTK_REVEALER (revealer), parts.child);
  g_object_unref (parts.child);
  gtk_window_set_focus (GTK_WINDOW (parts.window), parts.button);
  gtk_window_present (GTK_WINDOW (parts.window));
  while (!gtk_widget_get_mapped (revealer))
    g_main_context_iteration (NULL, TRUE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (revealer), TRUE);
  turn_until (is_shown, &parts);
  gtk_window_set_focus (GTK_WINDOW (parts.window), parts.button);
  g_assert_false (gtk_revealer_get_child_revealed (GTK_REVEALER (revealer)));
  ls_popover_set_place (GTK_POPOVER (parts.popover), place_at, &asked);
  ls_popover_show (GTK_POPOVER (parts.popover), parts.child, &(GdkRectangle) { 0, 0, 1, 1 }, GTK_POS_RIGHT);
  g_assert_false (asked);
  turn_until (is_open, &parts);
  g_assert_true (asked);
  g_assert_true (gtk_revealer_get_child_revealed (GTK_REVEALER (revealer)));
  gtk_popover_get_pointing_to (GTK_POPOVER (parts.popover), &place);
  g_assert_cmpint (place.x, ==, 10);
  g_assert_cmpint (place.y, ==, 20);
  tear_down (&parts);
}

/* In Pango's units, 1,024 of a point. */
static int
height_of_letters (GtkWidget *label)
{
  PangoContext *context = gtk_widget_get_pango_context (label);

  return pango_font_description_get_size (pango_context_get_font_description (context));
}

/* In the next frame all have their new style. */
static gboolean
is_of_one_size (Parts *parts)
{
  return abs (height_of_letters (parts->child) - height_of_letters (gtk_popover_get_child (GTK_POPOVER (parts->popover)))) < 10;
}

/* GTK's own style gives a popover the desktop's letters, whatever its window has. */
static void
test_letters (void)
{
  Parts parts;
  int before;

  set_up (&parts);
  ls_theme_install (gtk_widget_get_display (parts.window));
  gtk_widget_add_css_class (parts.window, "loopscope");
  gtk_window_present (GTK_WINDOW (parts.window));
  turn_until (is_shown, &parts);
  ls_popover_show (GTK_POPOVER (parts.popover), parts.child, &(GdkRectangle) { 0, 0, 1, 1 }, GTK_POS_BOTTOM);
  turn_until (is_open, &parts);
  before = height_of_letters (gtk_popover_get_child (GTK_POPOVER (parts.popover)));
  g_assert_cmpint (before, >, 0);
  ls_theme_set_text_size (150);
  turn_until (is_of_one_size, &parts);
  g_assert_cmpint (abs (height_of_letters (parts.child) - before * 3 / 2), <, 10);
  ls_theme_set_text_size (100);
  tear_down (&parts);
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
  g_test_add_func ("/popover/slides", test_slides);
  g_test_add_func ("/popover/letters", test_letters);
  return g_test_run ();
}
