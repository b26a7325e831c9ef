/* preferences/window: every choice takes effect at once and is kept. */
#include "app/preferences/window.h"

#include "app/base/settings.h"
#include "app/tool/window.h"
#include "views/parts/choice-name.h"

#include <glib/gi18n.h>

static void
colours_chosen (GtkDropDown *choice)
{
  ls_theme_set_scheme ((LsScheme) gtk_drop_down_get_selected (choice));
  ls_settings_save ();
}

static void
size_chosen (GtkSpinButton *spin)
{
  ls_theme_set_text_size (gtk_spin_button_get_value_as_int (spin));
  ls_settings_save ();
}

static void
motion_chosen (GtkSwitch *motion)
{
  ls_settings_set_reduced_motion (gtk_switch_get_active (motion));
  ls_settings_save ();
}

static void
contrast_chosen (GtkSwitch *contrast)
{
  ls_theme_set_contrast (gtk_switch_get_active (contrast));
  ls_settings_save ();
}

static void
strict_chosen (GtkSwitch *strict)
{
  ls_settings_set_strict (gtk_switch_get_active (strict));
  ls_settings_save ();
}

static void
add_row (GtkWidget  *grid,
         int         row,
         const char *words,
         const char *hint,
         GtkWidget  *control)
{
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *label = gtk_label_new_with_mnemonic (words);
  GtkWidget *small = gtk_label_new (hint);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_xalign (GTK_LABEL (small), 0.0f);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), control);
  gtk_widget_add_css_class (small, "reason");
  gtk_box_append (GTK_BOX (texts), label);
  gtk_box_append (GTK_BOX (texts), small);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (control, GTK_ALIGN_END);
  gtk_grid_attach (GTK_GRID (grid), texts, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), control, 1, row, 1, 1);
}

static GtkWidget *
grid_new (void)
{
  const char *const schemes[] = { _("As the system"), _("Light"), _("Dark"), NULL };
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *colours = gtk_drop_down_new_from_strings (schemes);
  GtkWidget *size = gtk_spin_button_new_with_range (LS_TEXT_SIZE_MIN, LS_TEXT_SIZE_MAX, 10);
  GtkWidget *motion = gtk_switch_new ();
  GtkWidget *contrast = gtk_switch_new ();
  GtkWidget *strict = gtk_switch_new ();

  gtk_drop_down_set_selected (GTK_DROP_DOWN (colours), ls_theme_get_scheme ());
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (size), ls_theme_get_text_size ());
  gtk_switch_set_active (GTK_SWITCH (contrast), ls_theme_get_contrast ());
  g_signal_connect (contrast, "notify::active", G_CALLBACK (contrast_chosen), NULL);
  gtk_switch_set_active (GTK_SWITCH (motion), ls_settings_get_reduced_motion ());
  ls_choice_set_name (GTK_DROP_DOWN (colours), _("Colours"));
  g_signal_connect (colours, "notify::selected", G_CALLBACK (colours_chosen), NULL);
  g_signal_connect (size, "value-changed", G_CALLBACK (size_chosen), NULL);
  g_signal_connect (motion, "notify::active", G_CALLBACK (motion_chosen), NULL);
  gtk_switch_set_active (GTK_SWITCH (strict), ls_settings_get_strict ());
  g_signal_connect (strict, "notify::active", G_CALLBACK (strict_chosen), NULL);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 16);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 24);
  gtk_widget_add_css_class (grid, "preferences");
  add_row (grid, 0, _("_Colours"), _("Of the window and of the pictures in it."), colours);
  add_row (grid, 1, _("_High contrast"), _("Stronger lines and letters. The desktop's own wish holds as well."), contrast);
  add_row (grid, 2, _("_Size of the letters, percent"), _("Ctrl and plus, minus or 0 do the same."), size);
  add_row (grid, 3, _("_Less motion"), _("Nothing slides or fades."), motion);
  add_row (grid, 4, _("Strict _moves"), _("A move that changes the order of reads and writes that depend on each other is refused; TVM accepts it."), strict);
  return grid;
}

void
ls_preferences_show (GtkWindow *parent)
{
  GtkWidget *window = ls_tool_window_new (parent, _("Preferences"), 460, -1, grid_new (), NULL);

  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_resizable (GTK_WINDOW (window), FALSE);
  gtk_window_present (GTK_WINDOW (window));
}
