/* window/first: see the header.
 *
 * Most of a first frame is letters: each glyph of each font is hinted and drawn into cairo's cache when it is first shown.  Drawing
 * the labels, the marks and a line of each text onto a small picture fills that cache; a layout before the window is realized
 * makes the rows of its lists and their sizes.
 */
#include "app/window/first.h"

#include "views/history/step-cell.h"
#include "views/history/step-track.h"
#include "views/parts/fit-label.h"
#include "views/parts/mark.h"

#define LINE_WIDTH 1200
#define LINE_HEIGHT 64
#define LETTERS "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 .,:;=+-*/%()[]{}\"'@_#<>"

static void
lay_out (GtkWidget *widget,
         int        width,
         int        height)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  width = MAX (width, least);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_allocate (widget, width, MAX (height, least), -1, NULL);
}

/* Keywords of a program are bold. */
static void
draw_text_letters (GtkWidget *view,
                   cairo_t   *cr)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (view, LETTERS);
  g_autoptr (PangoFontDescription) bold = pango_font_description_copy (pango_context_get_font_description (gtk_widget_get_pango_context (view)));

  pango_cairo_show_layout (cr, layout);
  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, bold);
  pango_cairo_show_layout (cr, layout);
}

/* What draws itself and needs no screen for it. */
static gboolean
is_drawable (GtkWidget *widget)
{
  return gtk_widget_get_first_child (widget) == NULL &&
         (GTK_IS_LABEL (widget) || GTK_IS_IMAGE (widget) || LS_IS_STEP_TRACK (widget) || LS_IS_MARK (widget) || LS_IS_STEP_CELL (widget) || LS_IS_FIT_LABEL (widget));
}

static void
draw_widget (GtkWidget *widget,
             cairo_t   *cr)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
}

static void
draw_letters (GtkWidget *widget,
              cairo_t   *cr)
{
  if (!gtk_widget_get_child_visible (widget) || !gtk_widget_get_visible (widget))
    return;
  if (is_drawable (widget))
    draw_widget (widget, cr);
  else if (GTK_IS_TEXT_VIEW (widget))
    draw_text_letters (widget, cr);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    draw_letters (child, cr);
}

void
ls_window_first_prepare (GtkWindow *window)
{
  GtkWidget *bar = gtk_window_get_titlebar (window);
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, LINE_WIDTH, LINE_HEIGHT);
  cairo_t *cr = cairo_create (picture);
  int width, height, bar_height = 0;

  gtk_window_get_default_size (window, &width, &height);
  if (bar != NULL)
    {
      gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, width, NULL, &bar_height, NULL, NULL);
      lay_out (bar, width, bar_height);
      draw_letters (bar, cr);
    }
  lay_out (gtk_window_get_child (window), width, height - bar_height);
  draw_letters (gtk_window_get_child (window), cr);
  cairo_destroy (cr);
  cairo_surface_destroy (picture);
}
