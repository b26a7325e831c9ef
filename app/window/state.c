/* window/state: size and panes of the window, kept from one time to the next. */
#include "app/window/private.h"

#include "app/base/settings.h"
#include "views/parts/theme.h"

#define LEAST 200               /* a pane of less was not meant */
#define MOST 2000

void
ls_window_state_restore (LsWindow *self)
{
  GSettings *settings = ls_settings_get ();
  int width, height;

  g_settings_get (settings, "window-size", "(ii)", &width, &height);
  if (width > 0 && height > 0)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  self->history_docked = g_settings_get_boolean (settings, "history");
  self->moves_docked = g_settings_get_boolean (settings, "moves");
  g_settings_get (settings, "pane-widths", "(ii)", &self->history_width, &self->moves_width);
  self->history_width = self->history_width < LEAST ? 0 : MIN (self->history_width, MOST);
  self->moves_width = self->moves_width < LEAST ? 0 : MIN (self->moves_width, MOST);
}

void
ls_window_state_keep (LsWindow *self)
{
  GSettings *settings = ls_settings_get ();
  gboolean maximized = gtk_window_is_maximized (GTK_WINDOW (self)) || gtk_window_is_fullscreen (GTK_WINDOW (self));
  int width, height;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (!maximized)
    g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (settings, "history", self->history_docked);
  g_settings_set_boolean (settings, "moves", self->moves_docked);
  /* As they are while they stand; a pane that floats keeps the width that it had. */
  if (gtk_widget_get_mapped (self->left_place))
    self->history_width = gtk_widget_get_width (self->left_place) * 100 / ls_theme_get_scale ();
  if (gtk_widget_get_mapped (self->right_place))
    self->moves_width = gtk_widget_get_width (self->right_place) * 100 / ls_theme_get_scale ();
  g_settings_set (settings, "pane-widths", "(ii)", self->history_width, self->moves_width);
}
