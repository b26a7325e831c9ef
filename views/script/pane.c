/* LsScriptPane: the text itself, its layers and pointer; the looks of its words are script-tags. */
#include "views/script/pane.h"

#include "views/canvas/draw.h"
#include "views/parts/gutter.h"
#include "views/parts/scroller.h"
#include "views/parts/syntax.h"
#include "views/script/card.h"
#include "views/script/gutter.h"
#include "views/script/hover.h"
#include "views/script/pins.h"
#include "views/script/place.h"
#include "views/script/tags.h"


#include <glib/gi18n.h>
#include <string.h>

#define PIXELS_ABOVE 2
#define PIXELS_BELOW 2

struct _LsScriptPane
{
  GtkSourceView            parent_instance;

  LsSession               *session;      /* weak */
  LsScriptText            *text;
  GtkSourceGutterRenderer *gutter;       /* held: where it stands only while the pane is in a window */
  LsScriptTags            *tags;
  int                      change_first; /* lines with a frame; -1: none */
  int                      change_last;
  int                      row_height;   /* 0: not known */
  guint                    changes;      /* of the text */
  GArray                  *lit;          /* lines, or NULL */
  gboolean                 compare;
  gboolean                 filling;
  guint                    stand;        /* the line, from 1, before which a run stands still; 0: none */
};

G_DEFINE_FINAL_TYPE (LsScriptPane, ls_script_pane, GTK_SOURCE_TYPE_VIEW)

static GtkTextBuffer *
buffer_of (LsScriptPane *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
}

/* ---- colours ------------------------------------------------------------ */

static void
update_colors (LsScriptPane *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  ls_script_tags_set_look (self->tags, &look);
}

static void
ls_script_pane_css_changed (GtkWidget         *widget,
                            GtkCssStyleChange *change)
{
  LsScriptPane *self = LS_SCRIPT_PANE (widget);

  GTK_WIDGET_CLASS (ls_script_pane_parent_class)->css_changed (widget, change);
  self->row_height = 0;
  if (self->tags != NULL)
    update_colors (self);
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

static void
tag_gap (LsScriptPane *self,
         guint         line)
{
  const LsScriptLine *info = ls_script_text_line (self->text, line);
  int row = ls_script_pane_row_height (self);
  GtkTextIter start, end;
  GtkTextTag *tag;

  if (info->gap == 0 && info->gap_before == 0)
    return;
  tag = gtk_text_buffer_create_tag (buffer_of (self), NULL,
                                    "pixels-below-lines", PIXELS_BELOW + (int) info->gap * row,
                                    "pixels-above-lines",
                                    PIXELS_ABOVE + (int) info->gap_before * row,
                                    NULL);
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &start, (int) line);
  end = start;
  if (!gtk_text_iter_forward_line (&end))
    gtk_text_buffer_get_end_iter (buffer_of (self), &end);
  gtk_text_buffer_apply_tag (buffer_of (self), tag, &start, &end);
  g_object_set_data (G_OBJECT (tag), "ls-gap", GINT_TO_POINTER (1));
}

static void
drop_gap (GtkTextTag *tag,
          gpointer    data)
{
  if (g_object_get_data (G_OBJECT (tag), "ls-gap") != NULL)
    g_ptr_array_add (data, tag);
}

static void
drop_gaps (LsScriptPane *self)
{
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (buffer_of (self));
  g_autoptr (GPtrArray) gaps = g_ptr_array_new ();

  gtk_text_tag_table_foreach (table, drop_gap, gaps);
  for (guint i = 0; i < gaps->len; i++)
    gtk_text_tag_table_remove (table, g_ptr_array_index (gaps, i));
}

static void
apply_gaps (LsScriptPane *self)
{
  drop_gaps (self);
  for (guint i = 0; self->compare && self->text != NULL &&
                    i < ls_script_text_n_lines (self->text); i++)
    tag_gap (self, i);
}

static void
fill (LsScriptPane *self)
{
  self->filling = TRUE;
  self->changes++;
  g_clear_pointer (&self->lit, g_array_unref);
  drop_gaps (self);
  gtk_source_buffer_set_highlight_syntax (GTK_SOURCE_BUFFER (buffer_of (self)), self->text == NULL || !ls_script_text_is_plain (self->text));
  ls_script_tags_show (self->tags, self->text);
  ls_syntax_settle (GTK_SOURCE_BUFFER (buffer_of (self)));
  apply_gaps (self);
  if (self->compare)
    ls_script_tags_show_words (self->tags, TRUE);
  gtk_widget_queue_resize (GTK_WIDGET (self->gutter));
  self->filling = FALSE;
}

gboolean
ls_script_pane_is_selected (LsScriptPane *self,
                            guint         line)
{
  guint64 id = self->session != NULL ? ls_session_get_selection (self->session) : 0;
  const LsScriptLine *info = ls_script_text_line (self->text, line);

  if (info->here)
    return TRUE;
  for (guint i = 0; self->lit != NULL && i < self->lit->len; i++)
    if (g_array_index (self->lit, guint, i) == line)
      return TRUE;
  if (id == 0)
    return FALSE;
  if (info->id == id)
    return TRUE;
  /* A T.grid line opens several loops: its id is the first, its spans tell all. */
  if (info->families.n < 2)
    return FALSE;
  for (guint i = 0; i < ls_script_text_n_spans (self->text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (self->text, i);
      GtkTextIter iter;

      if (span->id != id)
        continue;
      gtk_text_buffer_get_iter_at_offset (buffer_of (self), &iter, (int) span->start);
      return gtk_text_iter_get_line (&iter) == (int) line;
    }

  return FALSE;
}

/* ---- layers ------------------------------------------------------------- */

static void
draw_hatch (GtkSnapshot           *snapshot,
            const LsLook          *look,
            const graphene_rect_t *area)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, area);
  float x = area->origin.x, y = area->origin.y, height = area->size.height;

  gdk_cairo_set_source_rgba (cr, ls_look_get (look, LS_LOOK_BORDER_SOFT));
  cairo_set_line_width (cr, 1.0);
  for (float at = x - height; at < x + area->size.width; at += 8.0f)
    {
      cairo_move_to (cr, at, y + height);
      cairo_line_to (cr, at + height, y);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_line_background (LsScriptPane       *self,
                      GtkSnapshot        *snapshot,
                      const LsLook       *look,
                      const GdkRectangle *visible,
                      const GtkTextIter  *iter)
{
  guint line = (guint) gtk_text_iter_get_line (iter);
  const LsScriptLine *info = ls_script_text_line (self->text, line);
  float row = (float) ls_script_pane_row_height (self);
  float above = self->compare ? (float) info->gap_before * row : 0.0f;
  float below = self->compare ? (float) info->gap * row : 0.0f;
  float x = (float) MIN (visible->x, 0) - 100.0f, width = (float) visible->width + 4000.0f;
  int y, height;

  gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), iter, &y, &height);
  if (self->compare ? info->change == LS_LINE_NEW : ls_script_pane_is_selected (self, line))
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_SELECTED),
                               &GRAPHENE_RECT_INIT (x, (float) y + above, width, row));
  else if (self->compare && info->change == LS_LINE_GONE)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_WARN_BG),
                               &GRAPHENE_RECT_INIT (x, (float) y + above, width, row));
  if (above > 0.0f)
    draw_hatch (snapshot, look, &GRAPHENE_RECT_INIT ((float) visible->x, (float) y,
                                                     (float) visible->width, above));
  if (below > 0.0f)
    draw_hatch (snapshot, look, &GRAPHENE_RECT_INIT ((float) visible->x,
                                                     (float) y + above + row,
                                                     (float) visible->width, below));
}

/* The change that one stands at: a line above and below. */
static void
draw_change (LsScriptPane       *self,
             GtkSnapshot        *snapshot,
             const LsLook       *look,
             const GdkRectangle *visible,
             const GtkTextIter  *iter)
{
  int line = gtk_text_iter_get_line (iter);
  const LsScriptLine *info = ls_script_text_line (self->text, (guint) line);
  int row = ls_script_pane_row_height (self);
  float x = (float) MIN (visible->x, 0) - 100.0f, width = (float) visible->width + 4000.0f;
  int y;

  if (!self->compare || self->change_first < 0 || (line != self->change_first && line != self->change_last))
    return;
  gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), iter, &y, NULL);
  y += (int) info->gap_before * row;
  if (line == self->change_first)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_ACCENT), &GRAPHENE_RECT_INIT (x, (float) y, width, 1.5f));
  if (line == self->change_last)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_ACCENT),
                               &GRAPHENE_RECT_INIT (x, (float) (y + row) - 1.5f, width, 1.5f));
}

/* Where lines differ from those of the text before, most of their words do: one piece. */
static void
draw_changes (LsScriptPane       *self,
              GtkSnapshot        *snapshot,
              const GdkRectangle *visible)
{
  int first, last, top, bottom = visible->y + visible->height, y, height;
  GtkTextIter iter;

  ls_script_tags_get_changed (self->tags, &first, &last);
  gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, first);
  gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), &iter, &y, NULL);
  top = MAX (y, visible->y);
  if (last >= 0)
    {
      gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, last);
      gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), &iter, &y, &height);
      bottom = MIN (bottom, y + height);
    }
  if (top < bottom)
    ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT ((float) visible->x, (float) top, (float) visible->width, (float) (bottom - top)),
                   self->changes);
}

/* Before this line a run stands still. */
static void
draw_stand (LsScriptPane       *self,
            GtkSnapshot        *snapshot,
            const LsLook       *look,
            const GdkRectangle *visible,
            const GtkTextIter  *iter)
{
  GdkRGBA color = ls_look_fade (look, LS_LOOK_ACCENT, 0.18);
  int y, height;

  if (self->stand != (guint) gtk_text_iter_get_line (iter) + 1)
    return;
  gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), iter, &y, &height);
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) visible->x, (float) y, (float) visible->width, (float) height));
  ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT ((float) visible->x + 1, (float) y, (float) visible->width - 2, (float) height), 0, 1.5f, ls_look_get (look, LS_LOOK_ACCENT));
}

static void
draw_below (LsScriptPane *self,
            GtkSnapshot  *snapshot,
            const LsLook *look)
{
  GdkRectangle visible;
  GtkTextIter iter;

  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (self), &visible);
  draw_changes (self, snapshot, &visible);
  gtk_text_view_get_line_at_y (GTK_TEXT_VIEW (self), &iter, visible.y, NULL);
  for (;;)
    {
      int y;

      gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), &iter, &y, NULL);
      if (y > visible.y + visible.height ||
          gtk_text_iter_get_line (&iter) >= (int) ls_script_text_n_lines (self->text))
        return;
      draw_line_background (self, snapshot, look, &visible, &iter);
      draw_stand (self, snapshot, look, &visible, &iter);
      draw_change (self, snapshot, look, &visible, &iter);
      if (!gtk_text_iter_forward_line (&iter))
        return;
    }
}

static void
draw_box (LsScriptPane       *self,
          GtkSnapshot        *snapshot,
          const LsLook       *look,
          const LsScriptSpan *span)
{
  GtkTextIter start, end;
  GdkRectangle a, b;

  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &start, (int) span->start);
  gtk_text_buffer_get_iter_at_offset (buffer_of (self), &end, (int) span->end);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self), &start, &a);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self), &end, &b);
  ls_draw_frame (snapshot,
                 &GRAPHENE_RECT_INIT ((float) a.x - 2.0f, (float) a.y - 0.5f,
                                      (float) (b.x - a.x) + 4.0f, (float) a.height + 1.0f),
                 4.0f, 1.5f, ls_look_get (look, LS_LOOK_ACCENT));
}

static void
draw_above (LsScriptPane *self,
            GtkSnapshot  *snapshot,
            const LsLook *look)
{
  guint64 id = ls_session_get_selection (self->session);
  int hover = ls_session_get_hover (self->session);

  ls_script_pins_draw (GTK_TEXT_VIEW (self), self->text, snapshot, look);
  for (guint i = 0; i < ls_script_text_n_spans (self->text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (self->text, i);

      if ((id != 0 && span->id == id) ||
          (hover >= 0 && ls_families_contains (&span->families, (guint) hover)))
        draw_box (self, snapshot, look, span);
    }
}

static void
ls_script_pane_snapshot_layer (GtkTextView      *view,
                               GtkTextViewLayer  layer,
                               GtkSnapshot      *snapshot)
{
  LsScriptPane *self = LS_SCRIPT_PANE (view);
  LsLook look;

  GTK_TEXT_VIEW_CLASS (ls_script_pane_parent_class)->snapshot_layer (view, layer, snapshot);
  if (self->text == NULL)
    return;

  ls_look_from_widget (GTK_WIDGET (view), &look);
  if (layer == GTK_TEXT_VIEW_LAYER_BELOW_TEXT)
    draw_below (self, snapshot, &look);
  else if (self->session != NULL)
    draw_above (self, snapshot, &look);
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
  if (self->text == NULL ||
      !gtk_text_view_get_iter_at_location (GTK_TEXT_VIEW (self), &iter, bx, by))
    return NULL;
  return ls_script_text_span_at (self->text, (guint) gtk_text_iter_get_offset (&iter));
}

static void
motion (LsScriptPane *self,
        double        x,
        double        y)
{
  const LsScriptSpan *span = span_at (self, x, y);

  if (self->session == NULL)
    return;
  ls_session_set_hover (self->session,
                        span != NULL && span->families.n > 0 ? span->families.family[0]
                                                             : LS_NO_HOVER);
}

static void
leave (LsScriptPane *self)
{
  if (self->session != NULL)
    ls_session_set_hover (self->session, LS_NO_HOVER);
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

  if (self->filling || self->text == NULL || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return;
  if (self->lit != NULL)
    ls_script_pane_light (self, NULL);
  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &iter,
                                    gtk_text_buffer_get_insert (buffer_of (self)));
  describe_cursor (self);
  span = ls_script_text_span_at (self->text, (guint) gtk_text_iter_get_offset (&iter));
  if (span != NULL && ls_loop_list_find (ls_session_get_loops (self->session), span->id) != NULL)
    ls_session_select (self->session, span->id);
}

/* Everything that is known of a place. (transfer full), or NULL */
static char *
place_card (LsScriptPane      *self,
            const GtkTextIter *iter)
{
  return ls_script_place_describe (self->session, self->text, iter);
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
  guint n = self->text != NULL ? ls_script_text_n_pins (self->text) : 0;
  guint first = n > 0 ? ls_script_text_find_pin (self->text, ls_script_pane_get_cursor (self)) : 0;
  GtkTextIter iter;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  for (guint i = 0; i < n; i++)
    {
      const LsScriptPin *pin = ls_script_text_get_pin (self->text, (first + i) % n);

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
  const LsScriptMention *name = self->text != NULL
    ? ls_script_text_name_at (self->text, (guint) gtk_text_iter_get_offset (from)) : NULL;
  const LsScriptThing *thing = name != NULL ? ls_script_text_get_thing (self->text, name->thing) : NULL;
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
  if (self->text != NULL && gtk_widget_has_focus (GTK_WIDGET (self)))
    describe_cursor (self);
  redraw (self);
}

static void
ls_script_pane_dispose (GObject *object)
{
  LsScriptPane *self = LS_SCRIPT_PANE (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_pointer (&self->tags, ls_script_tags_free);
  g_clear_pointer (&self->lit, g_array_unref);
  g_clear_weak_pointer (&self->session);
  g_clear_object (&self->text);
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
  self->tags = ls_script_tags_new (GTK_TEXT_BUFFER (buffer));
  self->gutter = g_object_ref_sink (ls_script_gutter_new (self));
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
  widget_class->css_changed = ls_script_pane_css_changed;
  GTK_TEXT_VIEW_CLASS (klass)->snapshot_layer = ls_script_pane_snapshot_layer;
}

static void
ls_script_pane_init (LsScriptPane *self)
{
  GtkTextView *view = GTK_TEXT_VIEW (self);
  GtkEventController *pointer = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->change_first = self->change_last = -1;
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
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  ls_scroller_settle (GTK_WIDGET (self));
}

/* The line comes into view, in each pane that shows the text of the run: also a side of a comparison. */
static void
stand_changed (LsScriptPane *self)
{
  LsScriptText *shown = self->session != NULL ? ls_session_get_script (self->session) : NULL;
  guint line = shown != NULL ? ls_session_get_stand (self->session) : 0;
  gboolean is_it = line > 0 && self->text != NULL && (self->text == shown || strcmp (ls_script_text_get_text (self->text), ls_script_text_get_text (shown)) == 0);
  GtkTextIter iter;
  GtkTextMark *mark;

  self->stand = is_it ? line : 0;
  redraw (self);
  if (self->stand == 0)
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
  g_return_if_fail (self->session == NULL);

  g_set_weak_pointer (&self->session, session);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (redraw), self);
  g_signal_connect_swapped (session, "notify::hover", G_CALLBACK (redraw), self);
  g_signal_connect_swapped (session, "notify::stand", G_CALLBACK (stand_changed), self);
  g_signal_connect_swapped (session, "pins-changed", G_CALLBACK (pins_changed), self);
}

LsSession *
ls_script_pane_get_session (LsScriptPane *self)
{
  return self->session;
}

void
ls_script_pane_set_text (LsScriptPane *self,
                         LsScriptText *text)
{
  if (self->text == text)
    return;
  g_set_object (&self->text, text);
  self->change_first = self->change_last = -1;
  fill (self);
  if (self->stand > 0 || (self->session != NULL && ls_session_get_stand (self->session) > 0))
    stand_changed (self);
}

void
ls_script_pane_show_change (LsScriptPane *self,
                            int           first,
                            int           last)
{
  GtkTextIter iter;

  self->change_first = first;
  self->change_last = last;
  if (first >= 0)
    {
      gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, first);
      self->filling = TRUE;
      gtk_text_buffer_place_cursor (buffer_of (self), &iter);
      self->filling = FALSE;
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
ls_script_pane_get_changes (LsScriptPane *self)
{
  return self->changes;
}

LsScriptText *
ls_script_pane_get_text (LsScriptPane *self)
{
  return self->text;
}

void
ls_script_pane_set_compare (LsScriptPane *self,
                            gboolean      compare)
{
  if (self->compare == compare)
    return;
  self->compare = compare;
  apply_gaps (self);
  ls_script_tags_show_words (self->tags, compare);
  gtk_widget_queue_resize (GTK_WIDGET (self->gutter));
  redraw (self);
}

gboolean
ls_script_pane_get_compare (LsScriptPane *self)
{
  return self->compare;
}

void
ls_script_pane_mark (LsScriptPane *self,
                     guint         line)
{
  if (line >= ls_script_text_n_lines (self->text))
    return;
  ls_script_text_line (self->text, line)->here = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self->gutter));
}

void
ls_script_pane_light (LsScriptPane *self,
                      GArray       *lines)
{
  GtkTextIter iter;

  g_clear_pointer (&self->lit, g_array_unref);
  if (lines != NULL && lines->len > 0)
    {
      gtk_text_buffer_get_iter_at_line (buffer_of (self), &iter, (int) g_array_index (lines, guint, 0));
      while (!gtk_text_iter_ends_line (&iter) && g_unichar_isspace (gtk_text_iter_get_char (&iter)))
        gtk_text_iter_forward_char (&iter);
      self->filling = TRUE;
      gtk_text_buffer_place_cursor (buffer_of (self), &iter);
      self->filling = FALSE;
      self->lit = g_array_ref (lines);
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
  guint64 id = self->session != NULL ? ls_session_get_selection (self->session) : 0;
  GtkTextIter iter;

  for (guint i = 0; id != 0 && self->text != NULL && i < ls_script_text_n_spans (self->text); i++)
    if (ls_script_text_get_span (self->text, i)->id == id)
      {
        gtk_text_buffer_get_iter_at_offset (buffer_of (self), &iter, (int) ls_script_text_get_span (self->text, i)->start);
        return gtk_text_iter_get_line (&iter);
      }
  for (guint i = 0; id != 0 && self->text != NULL && i < ls_script_text_n_lines (self->text); i++)
    if (ls_script_text_line (self->text, i)->id == id)
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
