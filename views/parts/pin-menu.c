/* parts/pin-menu: see the header. */
#include "views/parts/pin-menu.h"

#include "views/models/pin.h"
#include "views/parts/popover.h"

#include <glib/gi18n.h>

GMenuModel *
ls_pin_menu_new (void)
{
  g_autoptr (GMenu) menu = g_menu_new (), letters = g_menu_new (), section = g_menu_new ();

  g_menu_append (section, _("Pin or unpin"), "win.pin");
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    {
      g_autofree char *action = g_strdup_printf ("win.pin-as(%u)", slot + 1);

      g_menu_append (letters, ls_pin_letter (slot), action);
    }
  g_menu_append_submenu (section, _("Pin as"), G_MENU_MODEL (letters));
  g_menu_append (section, _("Unpin all"), "win.unpin-all");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

void
ls_pin_menu_show (GtkWidget          *parent,
                  const GdkRectangle *place)
{
  g_autoptr (GMenuModel) menu = ls_pin_menu_new ();
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  ls_popover_show_once (GTK_POPOVER (popover), parent, place, GTK_POS_BOTTOM);
}
