/* preferences/window: rows bound to the settings: every choice takes effect at once. */
#include "app/preferences/window.h"

#include "app/base/settings.h"
#include "views/parts/theme.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define WIDTH 640
#define HEIGHT 560

static AdwPreferencesGroup *
add_group (AdwPreferencesPage *page,
           const char         *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (page, ADW_PREFERENCES_GROUP (group));
  return ADW_PREFERENCES_GROUP (group);
}

static void
add_row (AdwPreferencesGroup *group,
         GtkWidget           *row,
         const char          *title,
         const char          *hint,
         GtkWidget           *control)
{
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), hint);
  if (control != NULL)
    {
      gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
    }
  adw_preferences_group_add (group, row);
}

/* A mnemonic is no part of a name that is read aloud. */
static void
set_name (GtkWidget  *control,
          const char *title)
{
  g_auto (GStrv) parts = g_strsplit (title, "_", 2);
  g_autofree char *name = g_strjoinv ("", parts);

  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
add_switch (AdwPreferencesGroup *group,
            const char          *key,
            const char          *title,
            const char          *hint)
{
  GtkWidget *control = gtk_switch_new ();

  g_settings_bind (ls_settings_get (), key, control, "active", G_SETTINGS_BIND_DEFAULT);
  add_row (group, adw_action_row_new (), title, hint, control);
  set_name (control, title);
}

static void
scheme_chosen (AdwComboRow *row)
{
  g_settings_set_enum (ls_settings_get (), "scheme", (int) adw_combo_row_get_selected (row));
}

static void
scheme_changed (GSettings   *settings,
                const char  *key,
                AdwComboRow *row)
{
  adw_combo_row_set_selected (row, (guint) g_settings_get_enum (settings, "scheme"));
}

static void
add_scheme (AdwPreferencesGroup *group)
{
  const char *const schemes[] = { _("As the system"), _("Light"), _("Dark"), NULL };
  g_autoptr (GtkStringList) names = gtk_string_list_new (schemes);
  GtkWidget *row = adw_combo_row_new ();

  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  scheme_changed (ls_settings_get (), NULL, ADW_COMBO_ROW (row));
  g_signal_connect (row, "notify::selected", G_CALLBACK (scheme_chosen), NULL);
  g_signal_connect_object (ls_settings_get (), "changed::scheme", G_CALLBACK (scheme_changed), row, 0);
  add_row (group, row, _("_Colours"), _("Of the window and of the pictures in it."), NULL);
}

static void
add_size (AdwPreferencesGroup *group)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (LS_TEXT_SIZE_MIN, LS_TEXT_SIZE_MAX, 10);

  g_settings_bind (ls_settings_get (), "text-size", spin, "value", G_SETTINGS_BIND_DEFAULT);
  add_row (group, adw_action_row_new (), _("_Size of the letters, percent"), _("Ctrl and plus, minus or 0 do the same."), spin);
  set_name (spin, _("_Size of the letters, percent"));
}

void
ls_preferences_show (GtkWindow *parent)
{
  GtkWidget *window = adw_preferences_window_new (), *page = adw_preferences_page_new ();
  AdwPreferencesGroup *look = add_group (ADW_PREFERENCES_PAGE (page), _("Look"));
  AdwPreferencesGroup *loops = add_group (ADW_PREFERENCES_PAGE (page), _("Loop nest"));

  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (page), _("Preferences"));
  adw_preferences_page_set_icon_name (ADW_PREFERENCES_PAGE (page), "preferences-system-symbolic");
  add_scheme (look);
  add_switch (look, "contrast", _("_High contrast"), _("Stronger lines and letters. The desktop's own wish holds as well."));
  add_size (look);
  add_switch (look, "less-motion", _("_Less motion"), _("Nothing slides or fades."));
  add_switch (loops, "arrows", _("_Dependences"), _("Arrows between the blocks that need each other."));
  add_switch (loops, "rounds", _("_Rounds of the selected loop"), _("What its rounds need of each other."));
  add_switch (add_group (ADW_PREFERENCES_PAGE (page), _("Moves")), "strict-moves", _("Strict _moves"),
              _("A move that changes the order of reads and writes that depend on each other, or the numbers in a trial run, is refused; TVM accepts it."));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), ADW_PREFERENCES_PAGE (page));
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (window), FALSE);
  gtk_window_set_title (GTK_WINDOW (window), _("Preferences"));
  gtk_window_set_default_size (GTK_WINDOW (window), ls_theme_grow (WIDTH), ls_theme_grow (HEIGHT));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_widget_add_css_class (window, "loopscope");
  gtk_window_present (GTK_WINDOW (window));
}
