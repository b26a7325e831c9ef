/* parts/toplevel: see there. */
#include "views/parts/toplevel.h"

static void
unrealized (GtkWidget *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  if (GDK_IS_TOPLEVEL (surface))
    g_signal_handlers_disconnect_matched (surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
                                          g_signal_lookup ("compute-size", GDK_TYPE_TOPLEVEL), 0, NULL, NULL, window);
}

static void
toplevels_changed (GListModel *toplevels,
                   guint       position,
                   guint       removed,
                   guint       added)
{
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, position + i);

      g_signal_connect (window, "unrealize", G_CALLBACK (unrealized), NULL);
    }
}

void
ls_toplevel_install (void)
{
  static gboolean installed;
  GListModel *toplevels = gtk_window_get_toplevels ();

  if (installed)
    return;
  installed = TRUE;
  g_signal_connect (toplevels, "items-changed", G_CALLBACK (toplevels_changed), NULL);
  toplevels_changed (toplevels, 0, 0, g_list_model_get_n_items (toplevels));
}
