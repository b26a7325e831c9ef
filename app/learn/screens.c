/* learn/screens: slides on the projector, notes on the speaker's own screen. */
#include "app/learn/screens.h"

#define FOLLOWED "ls-screens"

static GListModel *
monitors_of (GtkWindow *window)
{
  return gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (window)));
}

GdkMonitor *
ls_screens_other (GtkWindow *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GListModel *monitors = monitors_of (window);
  guint n = g_list_model_get_n_items (monitors);
  GdkMonitor *here = surface != NULL ? gdk_display_get_monitor_at_surface (gtk_widget_get_display (GTK_WIDGET (window)), surface) : NULL;

  for (guint i = 0; here != NULL && n > 1 && i < n; i++)
    {
      g_autoptr (GdkMonitor) one = g_list_model_get_item (monitors, i);

      if (one == here)
        return g_list_model_get_item (monitors, (i + 1) % n);
    }
  return NULL;
}

static void
monitors_changed (GtkWindow  *window,
                  guint       position,
                  guint       removed,
                  guint       added,
                  GListModel *monitors)
{
  if (g_list_model_get_n_items (monitors) < 2)
    gtk_window_unfullscreen (window);
}

void
ls_screens_fill (GtkWindow  *window,
                 GdkMonitor *monitor)
{
  GListModel *monitors = monitors_of (window);
  GdkRectangle place;
  int width, height;

  if (g_object_get_data (G_OBJECT (window), FOLLOWED) == NULL)
    {
      g_signal_connect_object (monitors, "items-changed", G_CALLBACK (monitors_changed), window, G_CONNECT_SWAPPED);
      g_object_set_data (G_OBJECT (window), FOLLOWED, monitors);
    }
  gdk_monitor_get_geometry (monitor, &place);
  gtk_window_get_default_size (window, &width, &height);
  gtk_window_set_default_size (window, MIN (width, place.width), MIN (height, place.height));   /* a window manager takes one that is larger back to where it fits */
  gtk_window_fullscreen_on_monitor (window, monitor);
}
