/* window/look-actions: colours, contrast, the size of the letters, and the windows that explain the program. */
#include "app/window/actions.h"

#include "app/base/settings.h"
#include "app/help/window.h"
#include "app/preferences/window.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

static void
scheme_state (GSimpleAction *action, GVariant *state, gpointer data)
{
  const char *name = g_variant_get_string (state, NULL);

  ls_theme_set_scheme (ls_settings_parse_scheme (name));
  ls_settings_save ();
  g_simple_action_set_state (action, state);
}

static void
set_text_size (int percent)
{
  ls_theme_set_text_size (percent);
  ls_settings_save ();
}

static void
text_larger (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_text_size (ls_theme_get_text_size () + 10);
}

static void
text_smaller (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_text_size (ls_theme_get_text_size () - 10);
}

static void
text_normal (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_text_size (100);
}

static void
preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_preferences_show (data);
}

/* The page about what is looked at. */
static void
help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_help_window_show (data, ls_window_get_page (data));
}

static void
contrast_state (GSimpleAction *action, GVariant *state, gpointer data)
{
  ls_theme_set_contrast (g_variant_get_boolean (state));
  ls_settings_save ();
  g_simple_action_set_state (action, state);
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (gtk_widget_get_display (data)), "/org/loopscope/icons/hicolor");
  gtk_show_about_dialog (data, "program-name", "Loopscope", "version", LS_VERSION,
                         "logo-icon-name", "org.loopscope.Loopscope",
                         "comments", _("A workbench for schedules of tensor programs."),
                         "license-type", GTK_LICENSE_APACHE_2_0, NULL);
}

static const GActionEntry entries[] = {
  { .name = "scheme", .parameter_type = "s", .state = "'system'", .change_state = scheme_state },
  { .name = "text-larger", .activate = text_larger },
  { .name = "text-smaller", .activate = text_smaller },
  { .name = "text-normal", .activate = text_normal },
  { .name = "preferences", .activate = preferences },
  { .name = "contrast", .state = "false", .change_state = contrast_state },
  { .name = "help", .activate = help },
  { .name = "about", .activate = about },
};

void
ls_window_add_look_actions (LsWindow *self)
{
  GAction *scheme;

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  scheme = g_action_map_lookup_action (G_ACTION_MAP (self), "scheme");
  g_simple_action_set_state (G_SIMPLE_ACTION (scheme),
                             g_variant_new_string (ls_settings_scheme_name (
                               ls_theme_get_scheme ())));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "contrast")),
                             g_variant_new_boolean (ls_theme_get_contrast ()));
}
