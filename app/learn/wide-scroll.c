/* A bar that comes only with the pointer leaves a long line looking cut off, and one of GTK_POLICY_AUTOMATIC takes its height from the text,
 * whose last line goes.  So the bar is there always or never: which, follows the width of the content a moment after it changed, for
 * a policy cannot change while sizes are given out.
 */
#include "app/learn/wide-scroll.h"

static gboolean
choose_policy (gpointer data)
{
  GtkScrolledWindow *scroll = data;
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (scroll);
  gboolean wide = gtk_adjustment_get_upper (across) > gtk_adjustment_get_page_size (across) + 1;
  GtkPolicyType wanted = wide ? GTK_POLICY_ALWAYS : GTK_POLICY_EXTERNAL, now, down;

  g_object_set_data (G_OBJECT (scroll), "ls-idle", NULL);
  gtk_scrolled_window_get_policy (scroll, &now, &down);
  if (now != wanted && gtk_adjustment_get_page_size (across) > 0)
    gtk_scrolled_window_set_policy (scroll, wanted, down);
  return G_SOURCE_REMOVE;
}

static void
queue_choice (GtkScrolledWindow *scroll)
{
  if (g_object_get_data (G_OBJECT (scroll), "ls-idle") != NULL)
    return;
  g_object_set_data (G_OBJECT (scroll), "ls-idle", scroll);
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, choose_policy, g_object_ref (scroll), g_object_unref);
}

void
ls_wide_scroll_adopt (GtkScrolledWindow *scroll)
{
  GtkPolicyType across, down;

  gtk_scrolled_window_get_policy (scroll, &across, &down);
  gtk_widget_add_css_class (GTK_WIDGET (scroll), "wide-scroll");
  gtk_scrolled_window_set_overlay_scrolling (scroll, FALSE);
  gtk_scrolled_window_set_policy (scroll, GTK_POLICY_EXTERNAL, down);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (scroll), "changed", G_CALLBACK (queue_choice), scroll, G_CONNECT_SWAPPED);
}

GtkWidget *
ls_wide_scroll_new (GtkWidget *child)
{
  GtkWidget *scroll = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  ls_wide_scroll_adopt (GTK_SCROLLED_WINDOW (scroll));
  return scroll;
}
