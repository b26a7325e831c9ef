/* LsCodeView: a GtkSourceView that knows its height before its lines have been laid out.
 *
 * A GtkTextView lays out lines only where it has room, and without room it asks for none: in a box it may stay without
 * height until something else changes.  Here the least height is counted: lines times the height of one.  Tags make the
 * four looks of code, in the colours of the theme; the style schemes of GtkSourceView know other colours than ours.
 */
#include "app/learn/code-view.h"

#include "views/canvas/look.h"
#include "views/models/script-tokens.h"
#include "views/parts/scroller.h"

#include <string.h>

#define LEFT_MARGIN 12
#define MARGIN 6
#define LEADING 2               /* over and under each line */

struct _LsCodeView {
  GtkSourceView  parent_instance;

  GtkTextTag    *looks[LS_TOKEN_COMMENT + 1];   /* borrowed, NULL until there is a buffer */
};

G_DEFINE_FINAL_TYPE (LsCodeView, ls_code_view, GTK_SOURCE_TYPE_VIEW)

static GtkTextBuffer *
buffer_of (LsCodeView *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
}

static void
update_colors (LsCodeView *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  g_object_set (self->looks[LS_TOKEN_STRING], "foreground-rgba", ls_look_get (&look, LS_LOOK_DIM), NULL);
  g_object_set (self->looks[LS_TOKEN_COMMENT], "foreground-rgba", ls_look_get (&look, LS_LOOK_DIM), NULL);
}

static void
tag_tokens (LsCodeView *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GArray) tokens = NULL;
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  text = gtk_text_buffer_get_text (buffer_of (self), &start, &end, TRUE);
  tokens = ls_script_tokens (text);
  for (guint i = 0; i < G_N_ELEMENTS (self->looks); i++)
    gtk_text_buffer_remove_tag (buffer_of (self), self->looks[i], &start, &end);
  for (guint i = 0; i < tokens->len; i++)
    {
      const LsToken *token = &g_array_index (tokens, LsToken, i);

      gtk_text_buffer_get_iter_at_offset (buffer_of (self), &start, (int) token->start);
      gtk_text_buffer_get_iter_at_offset (buffer_of (self), &end, (int) token->end);
      gtk_text_buffer_apply_tag (buffer_of (self), self->looks[token->kind], &start, &end);
    }
}

static int
line_height (GtkWidget *widget)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "Ag");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

static void
ls_code_view_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  int lines, height;

  GTK_WIDGET_CLASS (ls_code_view_parent_class)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
  if (orientation != GTK_ORIENTATION_VERTICAL)
    return;
  lines = gtk_text_buffer_get_line_count (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)));
  height = lines * (line_height (widget) + 2 * LEADING) + 2 * MARGIN;
  *minimum = MAX (*minimum, height);
  *natural = MAX (*natural, height);
}

static void
ls_code_view_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_code_view_parent_class)->css_changed (widget, change);
  if (LS_CODE_VIEW (widget)->looks[LS_TOKEN_COMMENT] != NULL)
    update_colors (LS_CODE_VIEW (widget));
}

static void
ls_code_view_class_init (LsCodeViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = ls_code_view_measure;
  GTK_WIDGET_CLASS (klass)->css_changed = ls_code_view_css_changed;
}

static void
ls_code_view_init (LsCodeView *self)
{
  GtkTextView *view = GTK_TEXT_VIEW (self);

  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_text_view_set_pixels_above_lines (view, LEADING);
  gtk_text_view_set_pixels_below_lines (view, LEADING);
  gtk_text_view_set_left_margin (view, LEFT_MARGIN);
  gtk_text_view_set_top_margin (view, MARGIN);
  gtk_text_view_set_bottom_margin (view, MARGIN);
  gtk_source_view_set_auto_indent (GTK_SOURCE_VIEW (self), TRUE);
  gtk_source_view_set_insert_spaces_instead_of_tabs (GTK_SOURCE_VIEW (self), TRUE);
  gtk_source_view_set_indent_width (GTK_SOURCE_VIEW (self), 4);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-code");
  ls_scroller_settle (GTK_WIDGET (self));
}

static void
add_tags (LsCodeView *self)
{
  self->looks[LS_TOKEN_KEYWORD] = gtk_text_buffer_create_tag (buffer_of (self), NULL, "weight", PANGO_WEIGHT_BOLD, NULL);
  self->looks[LS_TOKEN_STRING] = gtk_text_buffer_create_tag (buffer_of (self), NULL, NULL);
  self->looks[LS_TOKEN_COMMENT] = gtk_text_buffer_create_tag (buffer_of (self), NULL, "style", PANGO_STYLE_ITALIC, NULL);
  update_colors (self);
}

GtkWidget *
ls_code_view_new (const char *text,
                  gboolean    editable,
                  const char *label)
{
  g_autoptr (GtkSourceBuffer) buffer = gtk_source_buffer_new (NULL);
  GtkWidget *view = g_object_new (LS_TYPE_CODE_VIEW, "buffer", buffer, "editable", editable, "cursor-visible", editable, NULL);
  g_autofree char *trimmed = g_strchomp (g_strdup (text));

  gtk_source_buffer_set_highlight_matching_brackets (buffer, FALSE);
  gtk_source_buffer_set_style_scheme (buffer, NULL);
  add_tags (LS_CODE_VIEW (view));
  g_signal_connect_object (buffer, "changed", G_CALLBACK (tag_tokens), view, G_CONNECT_SWAPPED);
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (buffer), trimmed, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return view;
}
