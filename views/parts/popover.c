/* parts/popover: see the header. */
#include "views/parts/popover.h"

#include "views/parts/later.h"

#define GONE_MS 200
#define PLACE_KEY "ls-popover-place"

/* The part of it that is inside; at least a pixel. */
static GdkRectangle
inside (const GdkRectangle *place,
        int                 width,
        int                 height)
{
  int left = CLAMP (place->x, 0, width - 1), top = CLAMP (place->y, 0, height - 1);
  int right = CLAMP (place->x + place->width, left + 1, width), bottom = CLAMP (place->y + place->height, top + 1, height);

  return (GdkRectangle) { left, top, right - left, bottom - top };
}

/* Nothing that it lies in is still sliding in. */
static gboolean
is_at_rest (GtkWidget *parent)
{
  for (GtkWidget *at = parent; at != NULL; at = gtk_widget_get_parent (at))
    if (GTK_IS_REVEALER (at) && !gtk_revealer_get_child_revealed (GTK_REVEALER (at)))
      return FALSE;
  return TRUE;
}

typedef struct {
  LsPopoverPlace place;
  gpointer       data;
} Place;

static gboolean
open_now (GtkPopover *popover)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (popover));
  const Place *asked = g_object_get_data (G_OBJECT (popover), PLACE_KEY);
  GdkRectangle place;

  if (parent == NULL || !gtk_widget_get_mapped (parent) || gtk_widget_get_width (parent) <= 0 || gtk_widget_get_height (parent) <= 0)
    return FALSE;
  if (!is_at_rest (parent))
    return FALSE;
  gtk_popover_get_pointing_to (popover, &place);
  if (asked != NULL)
    asked->place (asked->data, &place);
  place = inside (&place, gtk_widget_get_width (parent), gtk_widget_get_height (parent));
  gtk_popover_set_pointing_to (popover, &place);
  gtk_popover_popup (popover);
  return TRUE;
}

static void
make_menu (GtkMenuButton *button,
           gpointer       menu)
{
  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_menu_model (button, menu);
}

void
ls_popover_set_menu (GtkMenuButton *button,
                     GMenuModel    *menu)
{
  gtk_menu_button_set_create_popup_func (button, make_menu, g_object_ref (menu), g_object_unref);
}

static gboolean
open_in_frame (GtkWidget     *parent,
               GdkFrameClock *clock,
               gpointer       popover)
{
  gboolean waits = gtk_widget_get_parent (popover) == parent && gtk_widget_get_mapped (parent) && !open_now (popover);

  return waits ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* It has its size in the frame after. */
static void
parent_mapped (GtkWidget  *parent,
               GtkPopover *popover)
{
  g_signal_handlers_disconnect_by_func (parent, parent_mapped, popover);
  if (gtk_widget_get_parent (GTK_WIDGET (popover)) == parent)
    gtk_widget_add_tick_callback (parent, open_in_frame, g_object_ref (popover), g_object_unref);
}

static void
go (gpointer popover)
{
  if (GTK_IS_POPOVER_MENU (popover))
    gtk_popover_menu_set_menu_model (popover, NULL);
  else
    gtk_popover_set_child (popover, NULL);
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
}

void
ls_popover_remove (GtkPopover *popover)
{
  go (popover);
}

/* Not while it handles the event that closes it, and not before the pointer has been told that it is elsewhere: GTK 4.8 keeps one that goes
 * from under it. */
static void
closed (GtkPopover *popover)
{
  ls_later (popover, G_PRIORITY_DEFAULT, GONE_MS, go);
}

void
ls_popover_show_once (GtkPopover         *popover,
                      GtkWidget          *parent,
                      const GdkRectangle *place,
                      GtkPositionType     side)
{
  g_signal_connect (popover, "closed", G_CALLBACK (closed), NULL);
  ls_popover_show (popover, parent, place, side);
}

void
ls_popover_set_place (GtkPopover     *popover,
                      LsPopoverPlace  place,
                      gpointer        data)
{
  Place *asked = g_new (Place, 1);

  *asked = (Place) { place, data };
  g_object_set_data_full (G_OBJECT (popover), PLACE_KEY, asked, g_free);
}

void
ls_popover_show (GtkPopover         *popover,
                 GtkWidget          *parent,
                 const GdkRectangle *place,
                 GtkPositionType     side)
{
  gtk_widget_set_parent (GTK_WIDGET (popover), parent);
  /* No widget of GTK's takes children with it that it does not know. */
  g_signal_connect_object (parent, "destroy", G_CALLBACK (go), popover, G_CONNECT_SWAPPED);
  gtk_popover_set_position (popover, side);
  gtk_popover_set_pointing_to (popover, place);
  if (!gtk_widget_get_mapped (parent))
    g_signal_connect_object (parent, "map", G_CALLBACK (parent_mapped), popover, 0);
  else if (!open_now (popover))
    parent_mapped (parent, popover);
}
