/* known: what GTK 4.8 criticises by itself, so that it does not end a test. */
#pragma once

#include <glib.h>
#include <string.h>

/* A popover at a place that is on no monitor; the timeout of a tooltip whose popover, a surface of its own, closed before; in
 * GtkSourceView 5.6 (we call nothing of it) the line under a pointer that rests in a gutter, when that line is no longer shown; on a
 * busy machine a long line that took it too long to highlight, by the clock; Return in a popover where nothing has the focus (its action
 * default.activate asks where that is); a popover that X has made no larger than its own edges yet, whose content is measured for less than
 * nothing; the timeout that fades the bars of a scrolled window that is no longer on the screen (it asks a clock that is gone). */
static inline gboolean
ls_is_known (const char *message)
{
  static const char *const known[] = { "gdk_monitor_get_geometry: assertion 'GDK_IS_MONITOR", "gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE",
                                       "_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE",
                                       "gtk_widget_is_ancestor: assertion 'GTK_IS_WIDGET (widget)'",
                                       "gtk_widget_measure: assertion 'for_size >= -1'",
                                       "gtk_source_gutter_lines_add_qclass: assertion 'line ",
                                       "gdk_frame_clock_get_frame_time: assertion 'GDK_IS_FRAME_CLOCK",
                                       "Highlighting a single line took too much time" };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (message, known[i]) != NULL)
      return TRUE;
  return FALSE;
}

static inline gboolean
ls_known_is_fatal (const char     *domain,
                   GLogLevelFlags  level,
                   const char     *message,
                   gpointer        data)
{
  return !ls_is_known (message);
}

static inline void
ls_known_log (const char     *domain,
              GLogLevelFlags  level,
              const char     *message,
              gpointer        data)
{
  if (!ls_is_known (message))
    g_log_default_handler (domain, level, message, data);
}

/* They are neither said nor fatal; all others are both.  In each test: GLib forgets the handler between two. */
static inline void
ls_pass_over_known (void)
{
  static const char *const domains[] = { "Gdk", "Gtk", "GtkSourceView" };

  g_test_log_set_fatal_handler (ls_known_is_fatal, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    g_log_set_handler (domains[i], (GLogLevelFlags) (G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION), ls_known_log, NULL);
}
