/* LsSourceText: see the header. */
#include "views/parts/source-text.h"

#include "views/canvas/look.h"
#include "views/parts/gutter.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>

#define LEADING 2
#define FRAMES_SEEN 3
#define MOST_FRAMES 60

struct _LsSourceText
{
  LsTextView     parent_instance;

  GtkTextTag    *marked;
  guint          first, last;   /* lines that have it, or 0 */
  guint          tick;          /* that brings the cursor into view, or 0 */
  guint          frames_seen;   /* that it was there */
  guint          frames_left;   /* before we give up */
  GPtrArray     *renderers;     /* of its gutter, while it is in no window; else NULL */
};

G_DEFINE_FINAL_TYPE (LsSourceText, ls_source_text, LS_TYPE_TEXT_VIEW)

static GtkTextBuffer *
buffer_of (LsSourceText *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
}

/* ---- looks --------------------------------------------------------------------- */

static void
update_colors (LsSourceText *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  g_object_set (self->marked, "paragraph-background-rgba", &look.colors[LS_LOOK_SELECTED], NULL);
}

static void
ls_source_text_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_source_text_parent_class)->css_changed (widget, change);
  if (LS_SOURCE_TEXT (widget)->marked != NULL)
    update_colors (LS_SOURCE_TEXT (widget));
}

void
ls_source_text_set (LsSourceText *self,
                    const char   *text)
{
  self->first = self->last = 0;
  gtk_text_buffer_set_text (buffer_of (self), text, -1);
  ls_syntax_settle (GTK_SOURCE_BUFFER (buffer_of (self)));
}

/* ---- the marked lines -------------------------------------------------------------- */

static void
light (LsSourceText *self)
{
  GtkTextBuffer *buffer = buffer_of (self);
  GtkTextIter top, start, end, bottom;

  gtk_text_buffer_get_bounds (buffer, &top, &bottom);
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) self->first - (self->first > 0));
  gtk_text_buffer_get_iter_at_line (buffer, &end, (int) self->last);
  gtk_text_buffer_remove_tag (buffer, self->marked, &top, &start);
  gtk_text_buffer_remove_tag (buffer, self->marked, &end, &bottom);
  gtk_text_buffer_apply_tag (buffer, self->marked, &start, &end);
}

/* Lines get their heights one by one, and the scroll slides while those above get theirs: until the cursor is seen. */
static gboolean
reveal (GtkWidget     *widget,
        GdkFrameClock *clock,
        gpointer       data)
{
  LsSourceText *self = LS_SOURCE_TEXT (widget);
  GtkTextMark *cursor = gtk_text_buffer_get_insert (buffer_of (self));
  GtkTextIter iter;
  GdkRectangle visible, place;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, cursor);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (widget), &visible);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (widget), &iter, &place);
  if (visible.height > 0 && place.y >= visible.y && place.y + place.height <= visible.y + visible.height)
    self->frames_seen++;
  else
    gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (widget), cursor, 0.0, TRUE, 0.0, 0.25);
  if (self->frames_seen < FRAMES_SEEN && self->frames_left-- > 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  light (self);         /* GTK 4.8 draws the line behind the cursor without it where both changed in one turn */
  return G_SOURCE_REMOVE;
}

static void
reveal_soon (LsSourceText *self)
{
  self->frames_seen = 0;
  self->frames_left = MOST_FRAMES;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), reveal, NULL, NULL);
}

void
ls_source_text_light (LsSourceText *self,
                      guint         first,
                      guint         last)
{
  self->first = first;
  self->last = last;
  light (self);
  reveal_soon (self);
}

void
ls_source_text_mark (LsSourceText *self,
                     guint         first,
                     guint         last)
{
  GtkTextBuffer *buffer = buffer_of (self);
  GtkTextIter start;

  ls_source_text_light (self, first, last);
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) first - 1);
  gtk_text_buffer_place_cursor (buffer, &start);
  reveal_soon (self);
}

/* ---- class ----------------------------------------------------------------------------- */

static void
ls_source_text_constructed (GObject *object)
{
  LsSourceText *self = LS_SOURCE_TEXT (object);
  GtkTextBuffer *buffer = buffer_of (self);

  G_OBJECT_CLASS (ls_source_text_parent_class)->constructed (object);
  self->marked = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  update_colors (self);
}

static void
ls_source_text_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ls_source_text_parent_class)->root (widget);
  ls_gutter_put (GTK_SOURCE_VIEW (widget), g_steal_pointer (&LS_SOURCE_TEXT (widget)->renderers));
}

static void
ls_source_text_unroot (GtkWidget *widget)
{
  LS_SOURCE_TEXT (widget)->renderers = ls_gutter_take (GTK_SOURCE_VIEW (widget));
  GTK_WIDGET_CLASS (ls_source_text_parent_class)->unroot (widget);
}

static void
ls_source_text_dispose (GObject *object)
{
  g_clear_pointer (&LS_SOURCE_TEXT (object)->renderers, g_ptr_array_unref);
  G_OBJECT_CLASS (ls_source_text_parent_class)->dispose (object);
}

static void
ls_source_text_class_init (LsSourceTextClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_source_text_dispose;
  GTK_WIDGET_CLASS (klass)->root = ls_source_text_root;
  GTK_WIDGET_CLASS (klass)->unroot = ls_source_text_unroot;
  G_OBJECT_CLASS (klass)->constructed = ls_source_text_constructed;
  GTK_WIDGET_CLASS (klass)->css_changed = ls_source_text_css_changed;
}

static void
ls_source_text_init (LsSourceText *self)
{
  GtkTextView *view = GTK_TEXT_VIEW (self);

  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_pixels_above_lines (view, LEADING);
  gtk_text_view_set_pixels_below_lines (view, LEADING);
  gtk_text_view_set_left_margin (view, 8);
  gtk_text_view_set_bottom_margin (view, 8);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_source_view_set_show_line_numbers (GTK_SOURCE_VIEW (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "script");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Source text"), -1);
  ls_scroller_settle (GTK_WIDGET (self));
}

GtkWidget *
ls_source_text_new (LsSyntax syntax)
{
  GtkWidget *self = g_object_new (LS_TYPE_SOURCE_TEXT, NULL);

  ls_syntax_attach (GTK_SOURCE_BUFFER (buffer_of (LS_SOURCE_TEXT (self))), syntax);
  return self;
}
