/* LsCompareCanvas: draws with the exporter's figure; what it says in words is the widget's description. */
#include "views/compare/canvas.h"

#include "views/figures/nests.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LEAST_WIDTH 640

struct _LsCompareCanvas
{
  GtkWidget      parent_instance;

  LsComparison  *comparison;
  GskRenderNode *drawn;         /* for the width and the colours below */
  int            width;
  gboolean       dark;
  int            height;
};

G_DEFINE_FINAL_TYPE (LsCompareCanvas, ls_compare_canvas, GTK_TYPE_WIDGET)

static void
forget (LsCompareCanvas *self)
{
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  self->width = 0;
}

/* Larger text enlarges the whole picture: cards, chips and ribbons too. */
static float
scale_of_text (void)
{
  return MAX (1.0f, (float) ls_theme_get_text_size () / 100.0f);
}

/* Letters as they are at 100 percent. (transfer full) */
static PangoContext *
make_pango (GtkWidget *widget,
            float      scale)
{
  PangoContext *pango = gtk_widget_create_pango_context (widget);
  g_autoptr (PangoFontDescription) font = pango_font_description_copy (pango_context_get_font_description (pango));
  int size = (int) ((float) pango_font_description_get_size (font) / scale);

  if (pango_font_description_get_size_is_absolute (font))
    pango_font_description_set_absolute_size (font, size);
  else
    pango_font_description_set_size (font, size);
  pango_context_set_font_description (pango, font);
  return pango;
}

static void
draw (LsCompareCanvas *self,
      int              width)
{
  LsComparison *comparison = self->comparison;
  float scale = scale_of_text ();
  PangoContext *pango = make_pango (GTK_WIDGET (self), scale);
  LsLook look;
  LsFigure figure = { .snapshot = gtk_snapshot_new (), .pango = pango, .look = &look };

  ls_look_from_widget (GTK_WIDGET (self), &look);
  forget (self);
  gtk_snapshot_scale (figure.snapshot, scale, scale);
  if (comparison != NULL)
    {
      g_autofree char *left = g_strdup_printf (_("Left · %s"), comparison->left.title);
      g_autofree char *right = g_strdup_printf (_("Right · %s"), comparison->right.title);

      ls_figure_ribbons (&figure, (float) width / scale, comparison->left.loops, comparison->right.loops, comparison->links,
                         comparison->labels, left, right);
    }
  g_object_unref (pango);
  self->width = width;
  self->height = (int) ceilf (figure.height * scale);
  self->drawn = gtk_snapshot_free_to_node (figure.snapshot);
}

static GtkSizeRequestMode
ls_compare_canvas_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ls_compare_canvas_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  LsCompareCanvas *self = LS_COMPARE_CANVAS (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = LEAST_WIDTH;
      return;
    }
  if (self->width != MAX (for_size, LEAST_WIDTH))
    draw (self, MAX (for_size, LEAST_WIDTH));
  *minimum = *natural = self->height;
}

static void
ls_compare_canvas_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  LsCompareCanvas *self = LS_COMPARE_CANVAS (widget);

  if (self->drawn == NULL || self->width != gtk_widget_get_width (widget))
    draw (self, gtk_widget_get_width (widget));
  if (self->drawn != NULL)
    gtk_snapshot_append_node (snapshot, self->drawn);
}

static void
ls_compare_canvas_css_changed (GtkWidget         *widget,
                               GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_compare_canvas_parent_class)->css_changed (widget, change);
  forget (LS_COMPARE_CANVAS (widget));
  gtk_widget_queue_draw (widget);
}

static void
ls_compare_canvas_dispose (GObject *object)
{
  forget (LS_COMPARE_CANVAS (object));
  G_OBJECT_CLASS (ls_compare_canvas_parent_class)->dispose (object);
}

static void
ls_compare_canvas_class_init (LsCompareCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_compare_canvas_dispose;
  widget_class->get_request_mode = ls_compare_canvas_get_request_mode;
  widget_class->measure = ls_compare_canvas_measure;
  widget_class->snapshot = ls_compare_canvas_snapshot;
  widget_class->css_changed = ls_compare_canvas_css_changed;
  gtk_widget_class_set_css_name (widget_class, "comparecanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_compare_canvas_init (LsCompareCanvas *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What happened to the loops"), -1);
}

GtkWidget *
ls_compare_canvas_new (void)
{
  return g_object_new (LS_TYPE_COMPARE_CANVAS, NULL);
}

static void
describe (LsCompareCanvas *self)
{
  g_autoptr (GString) words = g_string_new (NULL);
  GPtrArray *labels = self->comparison != NULL ? self->comparison->labels : NULL;

  for (guint i = 0; labels != NULL && i < labels->len; i++)
    {
      const LsNestLabel *label = g_ptr_array_index (labels, i);

      if (label->step > 0)
        g_string_append_printf (words, _("step %u: "), label->step);
      g_string_append_printf (words, "%s %s %s. ", label->head, label->verb, label->tail);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words->str, -1);
}

void
ls_compare_canvas_set (LsCompareCanvas *self,
                       LsComparison    *comparison)
{
  self->comparison = comparison;
  forget (self);
  describe (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
