/* window/recent: files that the desktop remembers for this program. */
#include "app/window/file-private.h"

#define MAX_RECENT 8

void
ls_window_file_remember (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  GtkRecentData data = { .mime_type = ls_window_file_is_session (file) ? (char *) "application/x-loopscope" : (char *) "text/x-python",
                         .app_name = (char *) "Loopscope", .app_exec = (char *) "loopscope %u" };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static int
by_age (gconstpointer a,
        gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

void
ls_window_file_fill_menu (GMenu *menu)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  guint n = 0;

  g_menu_remove_all (menu);
  items = g_list_sort (items, by_age);
  for (GList *at = items; at != NULL && n < MAX_RECENT; at = at->next)
    {
      g_autoptr (GMenuItem) item = NULL;

      if (!gtk_recent_info_has_application (at->data, "Loopscope") || !gtk_recent_info_exists (at->data))
        continue;
      item = g_menu_item_new (gtk_recent_info_get_display_name (at->data), NULL);
      g_menu_item_set_action_and_target (item, "win.open-recent", "s", gtk_recent_info_get_uri (at->data));
      g_menu_append_item (menu, item);
      n++;
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
}
