/* LsCodeView: a GtkSourceView that knows its height before its lines have been laid out.
 *
 * A GtkTextView lays out lines only where it has room, and without room it asks for none: in a box it may stay without
 * height until something else changes.  Here the least height is counted: lines times the height of one.
 */
#include "app/learn/code-view.h"

#include "views/parts/scroller.h"
#include "views/parts/syntax.h"

#define LEFT_MARGIN 12
#define MARGIN 6
#define LEADING 2               /* over and under each line */

struct _LsCodeView {
  LsTextView parent_instance;
};

G_DEFINE_FINAL_TYPE (LsCodeView, ls_code_view, LS_TYPE_TEXT_VIEW)

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
ls_code_view_class_init (LsCodeViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = ls_code_view_measure;
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

GtkWidget *
ls_code_view_new (const char *text,
                  gboolean    editable,
                  const char *label)
{
  g_autoptr (GtkSourceBuffer) buffer = gtk_source_buffer_new (NULL);
  GtkWidget *view = g_object_new (LS_TYPE_CODE_VIEW, "buffer", buffer, "editable", editable, "cursor-visible", editable, NULL);
  g_autofree char *trimmed = g_strchomp (g_strdup (text));

  ls_syntax_attach (buffer, LS_SYNTAX_SCRIPT);
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (buffer), trimmed, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return view;
}
