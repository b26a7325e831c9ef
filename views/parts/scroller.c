/* parts/scroller: follows both adjustments and sets the policy a moment later, before the next frame.
 *
 * A text view says its height while it is given its size, so an automatic scrollbar shows or goes then; what a widget asks for
 * at that time is lost in GTK 4.8 where only a descendant of it was to be laid out, and the widget counts as not laid out.  One that
 * stands below its text also takes its height from the text, whose last line goes.
 */
#include "views/parts/scroller.h"

#include "views/parts/later.h"

#define WAYS "ls-scroller-ways"
#define ACROSS 1
#define DOWN 2

/* `now` as long as nothing has a size. */
static GtkPolicyType
wanted (GtkAdjustment *adjustment,
        GtkPolicyType  now)
{
  double room = gtk_adjustment_get_page_size (adjustment);
  double size = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_lower (adjustment);

  if (room <= 0)
    return now;
  return size > room + 0.5 ? GTK_POLICY_ALWAYS : GTK_POLICY_EXTERNAL;
}

static void
settle (gpointer data)
{
  GtkScrolledWindow *scroller = data;
  guint ways = GPOINTER_TO_UINT (g_object_get_data (data, WAYS));
  GtkPolicyType across, down;

  gtk_scrolled_window_get_policy (scroller, &across, &down);
  if (ways & ACROSS)
    across = wanted (gtk_scrolled_window_get_hadjustment (scroller), across);
  if (ways & DOWN)
    down = wanted (gtk_scrolled_window_get_vadjustment (scroller), down);
  gtk_scrolled_window_set_policy (scroller, across, down);
}

static void
queue_settle (GObject *scroller)
{
  ls_later (scroller, G_PRIORITY_HIGH_IDLE, 0, settle);
}

void
ls_scroller_steady (GtkWidget *scroller)
{
  GtkScrolledWindow *self = GTK_SCROLLED_WINDOW (scroller);
  GtkPolicyType across, down;
  guint ways;

  gtk_scrolled_window_get_policy (self, &across, &down);
  ways = (across == GTK_POLICY_AUTOMATIC ? ACROSS : 0) | (down == GTK_POLICY_AUTOMATIC ? DOWN : 0);
  g_object_set_data (G_OBJECT (scroller), WAYS, GUINT_TO_POINTER (ways));
  gtk_scrolled_window_set_policy (self, ways & ACROSS ? GTK_POLICY_EXTERNAL : across, ways & DOWN ? GTK_POLICY_EXTERNAL : down);
  if (ways & ACROSS)
    g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self), "changed", G_CALLBACK (queue_settle), scroller, G_CONNECT_SWAPPED);
  if (ways & DOWN)
    g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self), "changed", G_CALLBACK (queue_settle), scroller, G_CONNECT_SWAPPED);
}

void
ls_scroller_show_bars (GtkWidget *scroller)
{
  gtk_widget_add_css_class (scroller, "wide-scroll");
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scroller), FALSE);
  ls_scroller_steady (scroller);
}

static void
stand_still (GtkScrollable *text)
{
  GtkAdjustment *both[] = { gtk_scrollable_get_hadjustment (text), gtk_scrollable_get_vadjustment (text) };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    if (both[i] != NULL)
      gtk_adjustment_set_value (both[i], gtk_adjustment_get_value (both[i]));
}

void
ls_scroller_settle (GtkWidget *text)
{
  g_return_if_fail (GTK_IS_SCROLLABLE (text));
  g_signal_connect (text, "unmap", G_CALLBACK (stand_still), NULL);
}

GtkWidget *
ls_scroller_new_wide (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  ls_scroller_show_bars (scroller);
  return scroller;
}
