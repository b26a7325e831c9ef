/* LsScriptPane: the text itself, its layers and pointer; the looks of its words are script-tags. */
#include "views/script/pane.h"

#include "views/parts/gutter.h"
#include "views/parts/scroller.h"
#include "views/parts/syntax.h"
#include "views/script/card.h"
#include "views/script/gutter.h"
#include "views/script/hover.h"
#include "views/script/layers.h"
#include "views/script/place.h"
#include "views/script/shown.h"

#include <glib/gi18n.h>
#include <string.h>

#define PIXELS_ABOVE 2
#define PIXELS_BELOW 2

struct _LsScriptPane
{
  LsTextView               parent_instance;

  LsScriptShown            shown;
  GtkSourceGutterRenderer *gutter;       /* held: where it stands only while the pane is in a window */
  int                      row_height;   /* 0: not known */
  int                      due;          /* the line that comes into view when the text has come so far; -1: none */
  guint                    bringing;     /* the tick that does it, or 0 */
  gboolean                 filling;
};

G_DEFINE_FINAL_TYPE (LsScriptPane, ls_script_pane, LS_TYPE_TEXT_VIEW)

static GtkTextBuffer *
buffer_of (LsScriptPane *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
}

static void show_gaps (LsScriptPane *self);

/* ---- colours ------------------------------------------------------------ */

static void
update_colors (LsScriptPane *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  ls_script_tags_set_look (self->shown.tags, &look);
}

static void
ls_script_pane_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  LsScriptPane *self = LS_SCRIPT_PANE (widget);
  int row = self->row_height;

  GTK_WIDGET_CLASS (ls_script_pane_parent_class)->css_changed (widget, change);
  self->row_height = 0;
  if (self->shown.tags == NULL)
    return;
  update_colors (self);
  if (self->shown.compare && ls_script_pane_row_height (self) != row)
    show_gaps (self);
}

/* ---- text --------------------------------------------------------------- */

int
ls_script_pane_row_height (LsScriptPane *self)
{
  g_autoptr (PangoLayout) layout = NULL;
  int height;

  if (self->row_height > 0)
    return self->row_height;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Ag");
  pango_layout_get_size (layout, NULL, &height);
  self->row_height = PANGO_PIXELS (height) + PIXELS_ABOVE + PIXELS_BELOW;      /* as the text view rounds it, not up */
  return self->row_height;
}

/* Beside another text there is room where that has more lines. */
static void
show_gaps (LsScriptPane *self)
{
  if (self->shown.compare)
    ls_script_gaps_set (self->shown.gaps, self->shown.text, ls_script_pane_row_height (self));
  else
    ls_script_gaps_set (self->shown.gaps, NULL, 0);
}

static void
fill (LsScriptPane *self)
{
  self->filling = TRUE;
  self->due = -1;
  self->shown.changes++;
  g_clear_pointer (&self->shown.lit, g_array_unref);
  ls_script_gaps_set (self->shown.gaps, NULL, 0);
  gtk_source_buffer_set_highlight_syntax (GTK_SOURCE_BUFFER (buffer_of (self)), self->shown.text == NULL || !ls_script_text_is_plain (self->shown.text));
  ls_script_tags_show (self->shown.tags, self->shown.text);
  ls_syntax_settle (GTK_SOURCE_BUFFER (buffer_of (self)));
  show_gaps (self);
  if (self->shown.compare)
    ls_script_tags_show_words (self->shown.tags, TRUE);
  gtk_widget_queue_resize (GTK_WIDGET (self->gutter));
  self->filling = FALSE;
}

/* ---- layers ------------------------------------------------------------- */

static void
ls_script_pane_snapshot_layer (GtkTextView      *view,
                               GtkTextViewLayer  layer,
                               GtkSnapshot      *snapshot)
{
  LsScriptPane *self = LS_SCRIPT_PANE (view);
  LsLook look;

  GTK_TEXT_VIEW_CLASS (ls_script_pane_parent_class)->snapshot_layer (view, layer, snapshot);
  if (self->shown.text == NULL)
    return;

  ls_look_from_widget (GTK_WIDGET (view), &look);
  if (layer == GTK_TEXT_VIEW_LAYER_BELOW_TEXT)
    ls_script_layers_draw_below (&self->shown, snapshot, &look);
  else if (self->shown.session != NULL)
    ls_script_layers_draw_above (&self->shown, snapshot, &look);
}

/* ---- pointer and cursor ------------------------------------------------- */

static const LsScriptSpan *
span_at (LsScriptPane *self,
         double        x,
         double        y)
{
  GtkTextIter iter;
  int bx, by;

  gtk_text_view_window_to_buffer_coords (GTK_TEXT_VIEW (self), GTK_TEXT_WINDOW_WIDGET, (int) x,
                                         (int) y, &bx, &by);
  if (self->shown.text == NULL ||
      !gtk_text_view_get_iter_at_location (GTK_TEXT_VIEW (self), &iter, bx, by))
    return NULL;
  return ls_script_text_span_at (self->shown.text, (guint) gtk_text_iter_get_offset (&iter));
}

static void
motion (LsScriptPane *self,
        double        x,
        double        y)
{
  const LsScriptSpan *span = span_at (self, x, y);

  if (self->shown.session == NULL)
    return;
  ls_session_set_hover (self->shown.session,
                        span != NULL && span->families.n > 0 ? span->families.family[0]
                                                             : LS_NO_HOVER);
}

static void
leave (LsScriptPane *self)
{
  if (self->shown.session != NULL)
    ls_session_set_hover (self->shown.session, LS_NO_HOVER);
}

static char *place_card (LsScriptPane *self, const GtkTextIter *iter);

/* What is at the cursor, for who does not see it. */
static void
describe_cursor (LsScriptPane *self)
{
  GtkTextIter iter;
  g_autofree char *card = NULL;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, gtk_text_buffer_get_insert (buffer_of (self)));
  card = place_card (self, &iter);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, card != NULL ? card : "", -1);
}

static void
cursor_moved (LsScriptPane *self)
{
  const LsScriptSpan *span;
  GtkTextIter iter;

  if (self->filling || self->shown.text == NULL || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return;
  self->due = -1;
  if (self->shown.lit != NULL)
    ls_script_pane_light (self, NULL);
  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter,
                                    gtk_text_buffer_get_insert (buffer_of (self)));
  describe_cursor (self);
  span = ls_script_text_span_at (self->shown.text, (guint) gtk_text_iter_get_offset (&iter));
  if (span != NULL && ls_loop_list_find (ls_session_get_loops (self->shown.session), span->id) != NULL)
    ls_session_select (self->shown.session, span->id);
}

/* Everything that is known of a place. (transfer full), or NULL */
static char *
place_card (LsScriptPane      *self,
            const GtkTextIter *iter)
{
  return ls_script_place_describe (self->shown.session, self->shown.text, iter);
}

static char *
describe (GtkWidget         *pane,
          const GtkTextIter *iter)
{
  return place_card (LS_SCRIPT_PANE (pane), iter);
}

guint
ls_script_pane_get_cursor (LsScriptPane *self)
{
  int offset;

  g_object_get (buffer_of (self), "cursor-position", &offset, NULL);
  return (guint) offset;
}

void
ls_script_pane_go_to_pin (LsScriptPane *self,
                          guint         slot)
{
  guint n = self->shown.text != NULL ? ls_script_text_n_pins (self->shown.text) : 0;
  guint first = n > 0 ? ls_script_text_find_pin (self->shown.text, ls_script_pane_get_cursor (self)) : 0;
  GtkTextIter iter;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  for (guint i = 0; i < n; i++)
    {
      const LsScriptPin *pin = ls_script_text_get_pin (self->shown.text, (first + i) % n);

      /* The cursor is in the first one already. */
      if (!(pin->pins & LS_PIN_BIT (slot)) || (i == 0 && pin->start <= ls_script_pane_get_cursor (self)))
        continue;
      gtk_text_buffer_get_iter_at_offset (buffer_of (self), &iter, (int) pin->start);
      gtk_text_buffer_place_cursor (buffer_of (self), &iter);
      ls_script_pane_reveal (self, (guint) gtk_text_iter_get_line (&iter));
      return;
    }
}

void
ls_script_pane_show_card (LsScriptPane *self)
{
  g_autofree char *words = NULL;
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, gtk_text_buffer_get_insert (buffer_of (self)));
  words = place_card (self, &iter);
  if (words != NULL)
    ls_script_card_show (GTK_TEXT_VIEW (self), &iter, words);
}

/* ---- to the definition ---------------------------------------------------- */

static gboolean
go_to_definition (LsScriptPane      *self,
                  const GtkTextIter *from)
{
  const LsScriptMention *name = self->shown.text != NULL
    ? ls_script_text_name_at (self->shown.text, (guint) gtk_text_iter_get_offset (from)) : NULL;
  const LsScriptThing *thing = name != NULL ? ls_script_text_get_thing (self->shown.text, name->thing) : NULL;
  GtkTextIter start, end;

  if (thing == NULL || thing->start == G_MAXUINT)
    return FALSE;
  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &start, (int) thing->start);
  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &end, (int) thing->end);
  gtk_text_buffer_select_range (buffer_of (self), &start, &end);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self), &start, 0.1, FALSE, 0.0, 0.3);
  return TRUE;
}

gboolean
ls_script_pane_go_to_definition (LsScriptPane *self)
{
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter, gtk_text_buffer_get_insert (buffer_of (self)));
  return go_to_definition (self, &iter);
}

static void
pressed (LsScriptPane *self,
         int           n,
         double        x,
         double        y,
         GtkGesture   *click)
{
  GtkTextIter iter;
  int bx, by;

  if (!(gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click)) & GDK_CONTROL_MASK))
    return;
  gtk_text_view_window_to_buffer_coords (GTK_TEXT_VIEW (self), GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y, &bx, &by);
  if (gtk_text_view_get_iter_at_location (GTK_TEXT_VIEW (self), &iter, bx, by) && go_to_definition (self, &iter))
    gtk_gesture_set_state (click, GTK_EVENT_SEQUENCE_CLAIMED);
}

/* ---- class -------------------------------------------------------------- */

static void
redraw (LsScriptPane *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self->gutter));
}

static void
pins_changed (LsScriptPane *self)
{
  if (self->shown.text != NULL && gtk_widget_has_focus (GTK_WIDGET (self)))
    describe_cursor (self);
  redraw (self);
}

static void
ls_script_pane_dispose (GObject *object)
{
  LsScriptPane *self = LS_SCRIPT_PANE (object);

  if (self->shown.session != NULL)
    g_signal_handlers_disconnect_by_data (self->shown.session, self);
  g_clear_pointer (&self->shown.tags, ls_script_tags_free);
  g_clear_pointer (&self->shown.gaps, ls_script_gaps_free);
  g_clear_pointer (&self->shown.lit, g_array_unref);
  g_clear_weak_pointer (&self->shown.session);
  g_clear_object (&self->shown.text);
  g_clear_object (&self->gutter);
  G_OBJECT_CLASS (ls_script_pane_parent_class)->dispose (object);
}

static void
ls_script_pane_root (GtkWidget *widget)
{
  LsScriptPane *self = LS_SCRIPT_PANE (widget);

  GTK_WIDGET_CLASS (ls_script_pane_parent_class)->root (widget);
  gtk_source_gutter_insert (gtk_source_view_get_gutter (GTK_SOURCE_VIEW (self), GTK_TEXT_WINDOW_LEFT), self->gutter, 0);
}

/* A text that nobody sees has time. */
static void
ls_script_pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ls_script_pane_parent_class)->map (widget);
  ls_script_tags_hold (LS_SCRIPT_PANE (widget)->shown.tags, FALSE);
}

static void
ls_script_pane_unmap (GtkWidget *widget)
{
  if (LS_SCRIPT_PANE (widget)->shown.tags != NULL)
    ls_script_tags_hold (LS_SCRIPT_PANE (widget)->shown.tags, TRUE);
  GTK_WIDGET_CLASS (ls_script_pane_parent_class)->unmap (widget);
}

/* The line that is due comes into view when it has come, and again while those above it get their heights: one that is not laid out yet has none.
 * At once: GTK's own way there is animated, and ends where it is when the text grows. */
static gboolean
bring_due (GtkWidget     *widget,
           GdkFrameClock *clock,
           gpointer       data)
{
  LsScriptPane *self = LS_SCRIPT_PANE (widget);
  GtkAdjustment *scroll = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self));
  double page = gtk_adjustment_get_page_size (scroll);
  GtkTextIter iter;
  int y, height;

  if (self->due >= 0 && !ls_script_tags_has_line (self->shown.tags, (guint) self->due))
    return G_SOURCE_CONTINUE;
  if (self->due >= 0)
    {
      gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, self->due);
      gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), &iter, &y, &height);
      gtk_adjustment_set_value (scroll, y - 0.3 * page);
      if (y < self->due * ls_script_pane_row_height (self) || gtk_adjustment_get_value (scroll) + page < y + height)
        return G_SOURCE_CONTINUE;
    }
  self->due = -1;
  self->bringing = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
scrolled (LsScriptPane *self)
{
  self->due = -1;
  return GDK_EVENT_PROPAGATE;
}

static void
ls_script_pane_unroot (GtkWidget *widget)
{
  g_ptr_array_unref (ls_gutter_take (GTK_SOURCE_VIEW (widget)));
  GTK_WIDGET_CLASS (ls_script_pane_parent_class)->unroot (widget);
}

static void
ls_script_pane_constructed (GObject *object)
{
  LsScriptPane *self = LS_SCRIPT_PANE (object);
  GtkSourceBuffer *buffer;

  G_OBJECT_CLASS (ls_script_pane_parent_class)->constructed (object);

  buffer = GTK_SOURCE_BUFFER (buffer_of (self));
  ls_syntax_attach (buffer, LS_SYNTAX_SCRIPT);
  g_signal_connect_object (buffer, "notify::cursor-position", G_CALLBACK (cursor_moved), self,
                           G_CONNECT_SWAPPED);
  ls_script_hover_attach (GTK_SOURCE_VIEW (self), describe, GTK_WIDGET (self));
  self->shown.view = GTK_TEXT_VIEW (self);
  self->shown.tags = ls_script_tags_new (GTK_TEXT_BUFFER (buffer));
  ls_script_tags_hold (self->shown.tags, TRUE);
  self->shown.gaps = ls_script_gaps_new (GTK_TEXT_BUFFER (buffer), PIXELS_ABOVE, PIXELS_BELOW);
  self->gutter = g_object_ref_sink (ls_script_gutter_new (&self->shown));
  update_colors (self);
}

static void
ls_script_pane_class_init (LsScriptPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = ls_script_pane_constructed;
  G_OBJECT_CLASS (klass)->dispose = ls_script_pane_dispose;
  widget_class->root = ls_script_pane_root;
  widget_class->unroot = ls_script_pane_unroot;
  widget_class->map = ls_script_pane_map;
  widget_class->unmap = ls_script_pane_unmap;
  widget_class->css_changed = ls_script_pane_css_changed;
  GTK_TEXT_VIEW_CLASS (klass)->snapshot_layer = ls_script_pane_snapshot_layer;
}

static void
ls_script_pane_init (LsScriptPane *self)
{
  GtkTextView *view = GTK_TEXT_VIEW (self);
  GtkEventController *pointer = gtk_event_controller_motion_new (), *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();

  self->shown.change_first = self->shown.change_last = -1;
  self->due = -1;
  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_pixels_above_lines (view, PIXELS_ABOVE);
  gtk_text_view_set_pixels_below_lines (view, PIXELS_BELOW);
  gtk_text_view_set_left_margin (view, 4);
  gtk_text_view_set_right_margin (view, 24);
  gtk_text_view_set_bottom_margin (view, 8);
  gtk_widget_add_css_class (GTK_WIDGET (self), "script");
  g_signal_connect_swapped (pointer, "motion", G_CALLBACK (motion), self);
  g_signal_connect_swapped (pointer, "leave", G_CALLBACK (leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), pointer);
  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (wheel, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), wheel);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  ls_scroller_settle (GTK_WIDGET (self));
}

/* The line comes into view, in each pane that shows the text of the run: also a side of a comparison. */
static void
stand_changed (LsScriptPane *self)
{
  LsScriptText *shown = self->shown.session != NULL ? ls_session_get_script (self->shown.session) : NULL;
  guint line = shown != NULL ? ls_session_get_stand (self->shown.session) : 0;
  gboolean is_it = line > 0 && self->shown.text != NULL && (self->shown.text == shown || strcmp (ls_script_text_get_text (self->shown.text), ls_script_text_get_text (shown)) == 0);
  GtkTextIter iter;
  GtkTextMark *mark;

  self->shown.stand = is_it ? line : 0;
  redraw (self);
  if (self->shown.stand == 0)
    return;
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) line - 1);
  mark = gtk_text_buffer_get_mark (buffer_of (self), "stand");
  if (mark == NULL)
    mark = gtk_text_buffer_create_mark (buffer_of (self), "stand", &iter, TRUE);
  gtk_text_buffer_move_mark (buffer_of (self), mark, &iter);
  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self), mark);
}

GtkWidget *
ls_script_pane_new (void)
{
  return g_object_new (LS_TYPE_SCRIPT_PANE, NULL);
}

void
ls_script_pane_set_session (LsScriptPane *self,
                            LsSession    *session)
{
  g_return_if_fail (self->shown.session == NULL);

  g_set_weak_pointer (&self->shown.session, session);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (redraw), self);
  g_signal_connect_swapped (session, "notify::hover", G_CALLBACK (redraw), self);
  g_signal_connect_swapped (session, "notify::stand", G_CALLBACK (stand_changed), self);
  g_signal_connect_swapped (session, "pins-changed", G_CALLBACK (pins_changed), self);
}

void
ls_script_pane_set_text (LsScriptPane *self,
                         LsScriptText *text)
{
  if (self->shown.text == text)
    return;
  g_set_object (&self->shown.text, text);
  self->shown.change_first = self->shown.change_last = -1;
  fill (self);
  if (self->shown.stand > 0 || (self->shown.session != NULL && ls_session_get_stand (self->shown.session) > 0))
    stand_changed (self);
}

void
ls_script_pane_show_change (LsScriptPane *self,
                            int           first,
                            int           last)
{
  GtkTextIter iter;

  self->shown.change_first = first;
  self->shown.change_last = last;
  if (first >= 0)
    {
      gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, first);
      self->filling = TRUE;
      gtk_text_buffer_place_cursor (buffer_of (self), &iter);
      self->filling = FALSE;
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

LsScriptText *
ls_script_pane_get_text (LsScriptPane *self)
{
  return self->shown.text;
}

void
ls_script_pane_set_compare (LsScriptPane *self,
                            gboolean      compare)
{
  if (self->shown.compare == compare)
    return;
  self->shown.compare = compare;
  show_gaps (self);
  ls_script_tags_show_words (self->shown.tags, compare);
  gtk_widget_queue_resize (GTK_WIDGET (self->gutter));
  redraw (self);
}

gboolean
ls_script_pane_get_compare (LsScriptPane *self)
{
  return self->shown.compare;
}

void
ls_script_pane_mark (LsScriptPane *self,
                     guint         line)
{
  if (line >= ls_script_text_n_lines (self->shown.text))
    return;
  ls_script_text_line (self->shown.text, line)->here = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self->gutter));
}

void
ls_script_pane_light (LsScriptPane *self,
                      GArray       *lines)
{
  GtkTextIter iter;

  g_clear_pointer (&self->shown.lit, g_array_unref);
  if (lines != NULL && lines->len > 0)
    {
      gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) g_array_index (lines, guint, 0));
      while (!gtk_text_iter_ends_line (&iter) && g_unichar_isspace (gtk_text_iter_get_char (&iter)))
        gtk_text_iter_forward_char (&iter);
      self->filling = TRUE;
      gtk_text_buffer_place_cursor (buffer_of (self), &iter);
      self->filling = FALSE;
      self->shown.lit = g_array_ref (lines);
      describe_cursor (self);
      ls_script_pane_reveal (self, g_array_index (lines, guint, 0));
    }
  redraw (self);
}

void
ls_script_pane_reveal (LsScriptPane *self,
                       guint         line)
{
  GtkTextIter iter;
  GdkRectangle visible, place;

  self->due = ls_script_tags_has_line (self->shown.tags, line) ? -1 : (int) line;
  if (self->due >= 0 && self->bringing == 0)
    self->bringing = gtk_widget_add_tick_callback (GTK_WIDGET (self), bring_due, NULL, NULL);
  if (self->due >= 0)
    return;
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) line);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (self), &visible);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self), &iter, &place);
  if (place.y >= visible.y && place.y + place.height <= visible.y + visible.height)
    return;
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self), &iter, 0.1, FALSE, 0.0, 0.3);
}

int
ls_script_pane_get_selected_line (LsScriptPane *self)
{
  guint64 id = self->shown.session != NULL ? ls_session_get_selection (self->shown.session) : 0;
  GtkTextIter iter;

  for (guint i = 0; id != 0 && self->shown.text != NULL && i < ls_script_text_n_spans (self->shown.text); i++)
    if (ls_script_text_get_span (self->shown.text, i)->id == id)
      {
        gtk_text_buffer_get_iter_at_offset (buffer_of (self), &iter, (int) ls_script_text_get_span (self->shown.text, i)->start);
        return gtk_text_iter_get_line (&iter);
      }
  for (guint i = 0; id != 0 && self->shown.text != NULL && i < ls_script_text_n_lines (self->shown.text); i++)
    if (ls_script_text_line (self->shown.text, i)->id == id)
      return (int) i;
  return -1;
}

void
ls_script_pane_show_line (LsScriptPane *self,
                          guint         line)
{
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) line);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self), &iter, 0.12, FALSE, 0.0, 0.0);
}

gboolean
ls_script_pane_sees (LsScriptPane *self,
                     guint         line,
                     double        top,
                     double        height)
{
  GtkTextIter iter;
  GdkRectangle place;

  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) line);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self), &iter, &place);
  return place.y >= (int) top && place.y + place.height <= (int) (top + height);
}
