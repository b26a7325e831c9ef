/* known: what GTK 4.8 criticises by itself, so that it does not end a test. */
#pragma once

#include <glib.h>
#include <string.h>

/* A popover at a place that is on no monitor; the timeout of a tooltip whose popover, a surface of its own, closed before.  For
 * g_test_log_set_fatal_handler(). */
static inline gboolean
ls_is_fatal (const char     *domain,
             GLogLevelFlags  level,
             const char     *message,
             gpointer        data)
{
  static const char *const known[] = { "gdk_monitor_get_geometry: assertion 'GDK_IS_MONITOR", "gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE",
                                       "_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE" };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (message, known[i]) != NULL)
      return FALSE;
  return TRUE;
}
