/* scroller: follows both adjustments and sets the policy in an idle.
 *
 * A text view says its height while it is given its size, so an automatic scrollbar shows or goes then; what a widget asks for
 * at that time is lost in GTK 4.8 where only a descendant of it was to be laid out, and the widget counts as not laid out.
 */
#include "views/scroller.h"

#define PENDING "ls-scroller-pending"
#define ACROSS 1
#define DOWN 2

static GtkPolicyType
wanted (GtkAdjustment *adjustment)
{
  double room = gtk_adjustment_get_page_size (adjustment);
  double size = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_lower (adjustment);

  return size > room + 0.5 ? GTK_POLICY_ALWAYS : GTK_POLICY_EXTERNAL;
}

static gboolean
settle (gpointer data)
{
  GtkScrolledWindow *scroller = data;
  guint ways = GPOINTER_TO_UINT (g_object_get_data (data, "ls-scroller-ways"));
  GtkPolicyType across, down;

  g_object_set_data (data, PENDING, NULL);
  gtk_scrolled_window_get_policy (scroller, &across, &down);
  if (ways & ACROSS)
    across = wanted (gtk_scrolled_window_get_hadjustment (scroller));
  if (ways & DOWN)
    down = wanted (gtk_scrolled_window_get_vadjustment (scroller));
  gtk_scrolled_window_set_policy (scroller, across, down);
  return G_SOURCE_REMOVE;
}

static void
queue_settle (GObject *scroller)
{
  if (g_object_get_data (scroller, PENDING) != NULL)
    return;
  g_object_set_data (scroller, PENDING, GUINT_TO_POINTER (TRUE));
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, settle, g_object_ref (scroller), g_object_unref);
}

void
ls_scroller_steady (GtkWidget *scroller)
{
  GtkScrolledWindow *self = GTK_SCROLLED_WINDOW (scroller);
  GtkPolicyType across, down;
  guint ways;

  gtk_scrolled_window_get_policy (self, &across, &down);
  ways = (across == GTK_POLICY_AUTOMATIC ? ACROSS : 0) | (down == GTK_POLICY_AUTOMATIC ? DOWN : 0);
  g_object_set_data (G_OBJECT (scroller), "ls-scroller-ways", GUINT_TO_POINTER (ways));
  gtk_scrolled_window_set_policy (self, ways & ACROSS ? GTK_POLICY_EXTERNAL : across, ways & DOWN ? GTK_POLICY_EXTERNAL : down);
  if (ways & ACROSS)
    g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self), "changed", G_CALLBACK (queue_settle), scroller, G_CONNECT_SWAPPED);
  if (ways & DOWN)
    g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self), "changed", G_CALLBACK (queue_settle), scroller, G_CONNECT_SWAPPED);
}
