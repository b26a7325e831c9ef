/* parts/scroller: follows both adjustments and sets the policy a moment later, before the next frame.
 *
 * A text view says its height while it is given its size, so an automatic scrollbar shows or goes then; what a widget asks for
 * at that time is lost in GTK 4.8 where only a descendant of it was to be laid out, and the widget counts as not laid out (for the text itself:
 * parts/text-view).  One that
 * stands below its text also takes its height from the text, whose last line goes.
 */
#include "views/parts/scroller.h"

#include "views/parts/later.h"

#define WAYS "ls-scroller-ways"

typedef struct {
  gboolean across, down;        /* which bars are ours */
  int      roomless[2];         /* the room before the bar came */
} Ways;

/* `now` as long as nothing has a size.  A scroller that is lower than its bar grows with it: what fits then would not fit without, and the bar
 * would come and go for ever, ahead of all that waits for an idle turn.  `roomless` holds the room that there was before the bar. */
static GtkPolicyType
wanted (GtkAdjustment *adjustment,
        GtkPolicyType  now,
        GtkWidget     *bar,
        int           *roomless)
{
  double room = gtk_adjustment_get_page_size (adjustment);
  double size = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_lower (adjustment);
  int least;

  if (room <= 0)
    return now;
  if (size > room + 0.5)
    {
      if (now != GTK_POLICY_ALWAYS)
        *roomless = (int) room;
      return GTK_POLICY_ALWAYS;
    }
  if (now != GTK_POLICY_ALWAYS)
    return GTK_POLICY_EXTERNAL;
  gtk_widget_measure (bar, gtk_orientable_get_orientation (GTK_ORIENTABLE (bar)), -1, &least, NULL, NULL, NULL);
  return room < least + 0.5 && size > *roomless + 0.5 ? GTK_POLICY_ALWAYS : GTK_POLICY_EXTERNAL;
}

static void
settle (gpointer data)
{
  GtkScrolledWindow *scroller = data;
  Ways *ways = g_object_get_data (data, WAYS);
  GtkPolicyType across, down;

  gtk_scrolled_window_get_policy (scroller, &across, &down);
  if (ways->across)
    across = wanted (gtk_scrolled_window_get_hadjustment (scroller), across, gtk_scrolled_window_get_hscrollbar (scroller), &ways->roomless[0]);
  if (ways->down)
    down = wanted (gtk_scrolled_window_get_vadjustment (scroller), down, gtk_scrolled_window_get_vscrollbar (scroller), &ways->roomless[1]);
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
  Ways *ways = g_new0 (Ways, 1);

  gtk_scrolled_window_get_policy (self, &across, &down);
  ways->across = across == GTK_POLICY_AUTOMATIC;
  ways->down = down == GTK_POLICY_AUTOMATIC;
  g_object_set_data_full (G_OBJECT (scroller), WAYS, ways, g_free);
  gtk_scrolled_window_set_policy (self, ways->across ? GTK_POLICY_EXTERNAL : across, ways->down ? GTK_POLICY_EXTERNAL : down);
  if (ways->across)
    g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self), "changed", G_CALLBACK (queue_settle), scroller, G_CONNECT_SWAPPED);
  if (ways->down)
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
