/* window/look-actions: the settings as actions, the size of the letters, and the windows that explain the program. */
#include "app/window/actions.h"

#include "app/base/settings.h"
#include "app/help/window.h"
#include "app/preferences/window.h"

#include <adwaita.h>
#include <glib/gi18n.h>

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
about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (gtk_widget_get_display (data)), "/org/loopscope/icons/hicolor");
  adw_show_about_window (data, "application-name", "Loopscope", "version", LS_VERSION,
                         "application-icon", "org.loopscope.Loopscope",
                         "developer-name", _("The Loopscope developers"),
                         "comments", _("A workbench for schedules of tensor programs."),
                         "license-type", GTK_LICENSE_APACHE_2_0, NULL);
}

static const GActionEntry entries[] = {
  { .name = "preferences", .activate = preferences },
  { .name = "help", .activate = help },
  { .name = "about", .activate = about },
};

void
ls_window_add_look_actions (LsWindow *self)
{
  static const char *const keys[] = { "scheme", "contrast", "arrows", "rounds", NULL };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ls_settings_add_actions (G_ACTION_MAP (self), keys);
  ls_settings_add_text_size (G_ACTION_MAP (self));
}
