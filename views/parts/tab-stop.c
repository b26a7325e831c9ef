/* parts/tab-stop: see the header. */
#include "views/parts/tab-stop.h"

#include "views/parts/list-row.h"

static gboolean
key_pressed (GtkWidget       *list,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  gboolean back = key == GDK_KEY_ISO_Left_Tab || (state & GDK_SHIFT_MASK) != 0;
  GtkDirectionType direction = back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD;
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *row = ls_list_row_of (root != NULL ? gtk_root_get_focus (root) : NULL, list);

  if ((key != GDK_KEY_Tab && key != GDK_KEY_KP_Tab && key != GDK_KEY_ISO_Left_Tab) || row == NULL ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (gtk_widget_child_focus (row, direction))
    return TRUE;
  /* What cannot take the focus is passed over, with all its rows. */
  gtk_widget_set_can_focus (list, FALSE);
  gtk_widget_child_focus (GTK_WIDGET (root), direction);
  gtk_widget_set_can_focus (list, TRUE);
  return TRUE;
}

void
ls_tab_stop_make (GtkWidget *list)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), list);
  gtk_widget_add_controller (list, keys);
}
