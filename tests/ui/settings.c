/* Settings: what an earlier version kept is taken over once, the look follows, and the actions of all windows show the same. */
#include "app/base/settings.h"
#include "views/parts/theme.h"

#include <adwaita.h>
#include <glib/gstdio.h>

static void
write_old (const char *text)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "loopscope", NULL);
  g_autofree char *path = g_build_filename (folder, "settings.ini", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_taken_over (void)
{
  g_assert_cmpint (g_settings_get_enum (ls_settings_get (), "scheme"), ==, LS_SCHEME_DARK);
  g_assert_cmpint (g_settings_get_int (ls_settings_get (), "text-size"), ==, 130);
  g_assert_true (g_settings_get_boolean (ls_settings_get (), "contrast"));
  g_assert_false (g_settings_get_boolean (ls_settings_get (), "arrows"));
  g_assert_true (g_settings_get_boolean (ls_settings_get (), "migrated"));
}

static void
test_look (void)
{
  g_assert_true (ls_theme_is_dark ());
  g_assert_true (ls_theme_is_contrast ());
  g_assert_cmpint (ls_theme_get_text_size (), ==, 130);
  g_settings_set_enum (ls_settings_get (), "scheme", LS_SCHEME_LIGHT);
  g_settings_set_boolean (ls_settings_get (), "contrast", FALSE);
  g_settings_set_int (ls_settings_get (), "text-size", 100);
  g_assert_false (ls_theme_is_dark ());
  g_assert_false (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  g_assert_false (ls_theme_is_contrast ());
  g_assert_cmpint (ls_theme_get_text_size (), ==, 100);
}

/* The letters of the desktop and those of the program together. */
static void
test_scale (void)
{
  GtkSettings *gtk = gtk_settings_get_default ();

  g_object_set (gtk, "gtk-font-name", "Cantarell 11", "gtk-xft-dpi", 96 * 1024, NULL);
  g_assert_cmpint (ls_theme_get_scale (), ==, 100);
  g_object_set (gtk, "gtk-xft-dpi", 144 * 1024, NULL);
  g_assert_cmpint (ls_theme_get_scale (), ==, 150);
  g_settings_set_int (ls_settings_get (), "text-size", 200);
  g_assert_cmpint (ls_theme_get_scale (), ==, 300);
  g_assert_cmpint (ls_theme_grow (28), ==, 84);
  g_object_set (gtk, "gtk-font-name", "Cantarell 22", "gtk-xft-dpi", 96 * 1024, NULL);
  g_settings_set_int (ls_settings_get (), "text-size", 100);
  g_assert_cmpint (ls_theme_get_scale (), ==, 200);
  /* Smaller letters make nothing smaller than it was drawn. */
  g_object_set (gtk, "gtk-font-name", "Cantarell 8", NULL);
  g_settings_set_int (ls_settings_get (), "text-size", 80);
  g_assert_cmpint (ls_theme_get_scale (), ==, 100);
}

static void
test_actions (void)
{
  static const char *const keys[] = { "arrows", "scheme", NULL };
  g_autoptr (GSimpleActionGroup) first = g_simple_action_group_new (), second = g_simple_action_group_new ();
  g_autoptr (GVariant) state = NULL, scheme = NULL;

  ls_settings_add_actions (G_ACTION_MAP (first), keys);
  ls_settings_add_actions (G_ACTION_MAP (second), keys);
  g_action_group_activate_action (G_ACTION_GROUP (first), "arrows", NULL);
  state = g_action_group_get_action_state (G_ACTION_GROUP (second), "arrows");
  g_assert_true (g_variant_get_boolean (state));
  g_action_group_activate_action (G_ACTION_GROUP (second), "scheme", g_variant_new_string ("dark"));
  scheme = g_action_group_get_action_state (G_ACTION_GROUP (first), "scheme");
  g_assert_cmpstr (g_variant_get_string (scheme, NULL), ==, "dark");
  g_assert_true (ls_theme_is_dark ());
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
  write_old ("[Look]\ncolours=dark\ntext-size=130\nhigh-contrast=true\n[Loops]\narrows=false\n");
  ls_theme_install (gdk_display_get_default ());
  ls_settings_start ();
  g_test_add_func ("/settings/taken-over", test_taken_over);
  g_test_add_func ("/settings/look", test_look);
  g_test_add_func ("/settings/scale", test_scale);
  g_test_add_func ("/settings/actions", test_actions);
  return g_test_run ();
}
