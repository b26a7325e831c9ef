/* LsTextView: what it asks for while it is given its size is heard.
 *
 * A text view gets to know the heights of lines when they come into sight, which also happens while it is given a size: a pane grows, or
 * the end of the text moves.  It asks for another layout then.  GTK 4.8 loses that where the widgets round it were not to be laid out
 * themselves and one further out was: the outermost of them count as not laid out, so they are not drawn, which GTK warns of, and what is
 * asked below them goes no further until they get another size.  So all that the text stands in is laid out once more when this layout
 * has ended; the frame clock does that before it draws.  Nothing is lost in that second one, because all of them take part.
 */
#include "views/parts/text-view.h"

typedef struct {
  GdkSurface *surface;          /* borrowed, while the view is realized */
  gboolean    grown;            /* a line got another height in this layout */
  gboolean    again;            /* this layout is the second one */
  gboolean    given;            /* a size, just now */
  gboolean    follows;          /* is being scrolled to where another is */
  LsTextView *follower;         /* weak: to be scrolled when this layout has ended, or NULL */
} LsTextViewPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (LsTextView, ls_text_view, GTK_SOURCE_TYPE_VIEW)

static LsTextViewPrivate *
private_of (GtkWidget *widget)
{
  return ls_text_view_get_instance_private (LS_TEXT_VIEW (widget));
}

/* Of all lines, as far as it is known. */
static int
text_height (GtkWidget *widget)
{
  GtkTextIter end;
  int y, height;

  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)), &end);
  gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (widget), &end, &y, &height);
  return y + height;
}

static void
ls_text_view_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  gboolean realized = gtk_widget_get_realized (widget);
  int before = realized ? text_height (widget) : 0;

  private_of (widget)->given = TRUE;
  GTK_WIDGET_CLASS (ls_text_view_parent_class)->size_allocate (widget, width, height, baseline);
  private_of (widget)->given = FALSE;
  if (realized && text_height (widget) != before)
    private_of (widget)->grown = TRUE;
}

static void
scroll_to (LsTextView *to,
           LsTextView *from)
{
  LsTextViewPrivate *self = private_of (GTK_WIDGET (to));

  self->follows = TRUE;
  gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (to)),
                            gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (from))));
  self->follows = FALSE;
}

void
ls_text_view_follow (LsTextView *to,
                     LsTextView *from)
{
  LsTextViewPrivate *self = private_of (GTK_WIDGET (from));

  if (self->follows)
    return;
  if (self->given)
    g_set_weak_pointer (&self->follower, to);
  else
    scroll_to (to, from);
}

/* From outside in: a widget that counts as not laid out passes nothing on, the one that it stands in does. */
static void
laid_out (GtkWidget *widget)
{
  LsTextViewPrivate *self = private_of (widget);
  gboolean ask = self->grown && !self->again;
  g_autoptr (LsTextView) follower = self->follower != NULL ? g_object_ref (self->follower) : NULL;

  g_clear_weak_pointer (&self->follower);
  if (follower != NULL && gtk_widget_get_mapped (GTK_WIDGET (follower)))
    scroll_to (follower, LS_TEXT_VIEW (widget));
  self->grown = FALSE;
  self->again = ask;
  for (GtkWidget *at = gtk_widget_get_parent (widget); ask && at != NULL; at = gtk_widget_get_parent (at))
    gtk_widget_queue_resize (at);
}

/* GTK's own handler is that of the window, which is realized before what is in it, so this one comes after it. */
static void
ls_text_view_realize (GtkWidget *widget)
{
  LsTextViewPrivate *self = private_of (widget);

  GTK_WIDGET_CLASS (ls_text_view_parent_class)->realize (widget);
  self->surface = gtk_native_get_surface (gtk_widget_get_native (widget));
  self->grown = self->again = FALSE;
  g_signal_connect_object (self->surface, "layout", G_CALLBACK (laid_out), widget, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
ls_text_view_unrealize (GtkWidget *widget)
{
  LsTextViewPrivate *self = private_of (widget);

  g_signal_handlers_disconnect_by_func (self->surface, laid_out, widget);
  self->surface = NULL;
  GTK_WIDGET_CLASS (ls_text_view_parent_class)->unrealize (widget);
}

static void
ls_text_view_dispose (GObject *object)
{
  g_clear_weak_pointer (&private_of (GTK_WIDGET (object))->follower);
  G_OBJECT_CLASS (ls_text_view_parent_class)->dispose (object);
}

static void
ls_text_view_class_init (LsTextViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_text_view_dispose;
  widget_class->size_allocate = ls_text_view_size_allocate;
  widget_class->realize = ls_text_view_realize;
  widget_class->unrealize = ls_text_view_unrealize;
}

static void
ls_text_view_init (LsTextView *self)
{
}

GtkWidget *
ls_text_view_new (GtkSourceBuffer *buffer)
{
  return g_object_new (LS_TYPE_TEXT_VIEW, "buffer", buffer, NULL);
}
