/* view-shape: how much room the parts of the Compare page get. */
#include "views/compare/view-private.h"

#include "views/compare/time.h"
#include "views/parts/theme.h"

#define HEAD_HEIGHT 40
#define UPPER_LEAST 330         /* what the time needs */
#define RIBBONS_LEAST 204       /* at 100 percent: the names and five rows */
#define HEAD_GAPS 80            /* margins, and what is between title, counts, words and button */
#define TIME_WIDTH 372
#define NARROW_RESULTS 220      /* beside the times, which need the room */

/* What is cut off says nothing; its place in the row stays.  The words remain for a screen reader. */
static void
hide_when_cut (GtkWidget *label)
{
  gboolean cut = pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));

  gtk_widget_set_opacity (label, cut ? 0.0 : 1.0);
}

static int
width_of (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* All of them in one line. */
static int
width_of_counts (LsCompareView *self)
{
  int width = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (self->counts); child != NULL; child = gtk_widget_get_next_sibling (child))
    width += (width > 0 ? COUNT_GAP : 0) + width_of (child);
  return width;
}

/* The counts go before the words beside them; the title and the button always stay.  Counts that have no room wrap.  TRUE: another layout
 * comes. */
static gboolean
share_head (LsCompareView *self)
{
  int room = gtk_widget_get_width (self->ribbons) - width_of (self->title) - width_of (self->play) - HEAD_GAPS;
  int width = MAX (MIN (width_of_counts (self), room), 0), set;

  gtk_widget_get_size_request (self->counts, &set, NULL);
  if (set == width)
    return FALSE;
  gtk_widget_set_size_request (self->counts, width, -1);
  return TRUE;
}

/* Where it was put, or as near to that as what is in the halves lets it be. */
static gboolean
is_where_set (LsCompareView *self)
{
  int least, most;

  g_object_get (self->halves, "min-position", &least, "max-position", &most, NULL);
  return ABS (gtk_paned_get_position (GTK_PANED (self->halves)) - CLAMP (self->set_position, least, MAX (least, most))) <= 2;
}

/* All of the ribbons, but never more than leaves room for the texts; a divider that the user moved stays. */
static gboolean
share_height (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       data)
{
  LsCompareView *self = data;
  int height = gtk_widget_get_height (self->halves), wanted, figures;

  if (height <= 0 || gtk_widget_get_width (self->canvas) <= 0 || share_head (self))
    return G_SOURCE_CONTINUE;
  hide_when_cut (self->play_words);
  hide_when_cut (self->distance);
  if (!is_where_set (self))
    return G_SOURCE_REMOVE;
  gtk_widget_measure (self->canvas, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (self->canvas), &wanted, NULL, NULL, NULL);
  gtk_widget_measure (self->figures, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (self->figures), NULL, &figures, NULL, NULL);
  figures += ls_compare_time_get_lack (LS_COMPARE_TIME (self->time));
  wanted = self->narrow ? wanted + ls_theme_grow (HEAD_HEIGHT) + figures : MAX (wanted + ls_theme_grow (HEAD_HEIGHT), figures);
  self->set_position = CLAMP (wanted, ls_theme_grow (UPPER_LEAST), MAX (height * 3 / 5, UPPER_HEIGHT));
  gtk_paned_set_position (GTK_PANED (self->halves), self->set_position);
  self->set_position = gtk_paned_get_position (GTK_PANED (self->halves));
  if (self->narrow)
    gtk_paned_set_position (GTK_PANED (self->upper), self->set_position - figures);
  return G_SOURCE_REMOVE;
}

void
ls_compare_view_share_soon (LsCompareView *self)
{
  gtk_widget_add_tick_callback (GTK_WIDGET (self), share_height, self, NULL);
}

void
ls_compare_view_arrange (LsCompareView *self)
{
  gboolean beside = self->narrow && !self->cramped;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->upper), self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->upper), !self->narrow);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->figures), beside ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (self->results, beside ? ls_theme_grow (NARROW_RESULTS) : -1, -1);
  gtk_widget_set_size_request (self->figures, self->narrow ? -1 : ls_theme_grow (TIME_WIDTH), -1);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->ribbons), ls_theme_grow (RIBBONS_LEAST));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->head), self->cramped ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  ls_compare_time_set_shape (LS_COMPARE_TIME (self->time), beside, self->narrow);
  ls_compare_view_share_soon (self);
}
