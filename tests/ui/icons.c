/* Icons that a thread is the last to let go of live until the main loop takes them apart: the table of icons may give them out until then. */
#include "views/parts/icons.h"

#define SIZE 333                /* that GTK keeps for nobody */

static gpointer
let_go (gpointer icon)
{
  g_object_unref (icon);
  return NULL;
}

static GtkIconPaintable *
look_up (void)
{
  return gtk_icon_theme_lookup_icon (gtk_icon_theme_get_for_display (gdk_display_get_default ()), "edit-find-symbolic", NULL, SIZE, 1, GTK_TEXT_DIR_LTR, 0);
}

static void
test_thread (void)
{
  gpointer icon = look_up ();
  GtkIconPaintable *again;

  g_object_add_weak_pointer (icon, &icon);
  g_thread_join (g_thread_new ("icon", let_go, icon));
  g_assert_nonnull (icon);
  again = look_up ();
  g_assert_true ((gpointer) again == icon);
  g_object_unref (again);
  g_assert_nonnull (icon);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (icon);
}

/* Here it goes at once, as ever. */
static void
test_here (void)
{
  gpointer icon = look_up ();

  g_object_add_weak_pointer (icon, &icon);
  g_object_unref (icon);
  g_assert_null (icon);
}

int
main (int    argc,
      char **argv)
{
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  ls_icons_install ();
  g_test_add_func ("/icons/thread", test_thread);
  g_test_add_func ("/icons/here", test_here);
  return g_test_run ();
}
