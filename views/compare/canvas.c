/* LsCompareCanvas: draws with the exporter's figure; what it says in words is the widget's description.
 *
 * Where all of it is, is known from the width alone; what is drawn is what the scrolled window shows, and a page above and below it.
 */
#include "views/compare/canvas.h"

#include "views/figures/nests.h"
#include "views/parts/canvas-nodes.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LEAST_WIDTH 640

struct _LsCompareCanvas
{
  GtkWidget      parent_instance;

  LsComparison  *comparison;
  LsNests       *nests;         /* where all is, for the width below, or NULL */
  int            width;
  GskRenderNode *drawn;         /* a part of it, from top to bottom, or NULL */
  float          top;
  float          bottom;
  GtkAdjustment *scroll;        /* of what it is scrolled in, or NULL */
  guint          n_words[3];    /* accessible children: left, right, what happened */
};

G_DEFINE_FINAL_TYPE (LsCompareCanvas, ls_compare_canvas, GTK_TYPE_WIDGET)

static void ls_compare_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline);

static void
forget (LsCompareCanvas *self)
{
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  g_clear_pointer (&self->nests, ls_nests_free);
  self->width = 0;
}

/* Larger text enlarges the whole picture: cards, chips and ribbons too. */
static float
scale_of_text (void)
{
  return (float) ls_theme_get_scale () / 100.0f;
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

static LsNests *
need_nests (LsCompareCanvas *self,
            int              width)
{
  LsComparison *comparison = self->comparison;

  if (self->width == width && self->nests != NULL)
    return self->nests;
  forget (self);
  self->width = width;
  if (comparison != NULL)
    self->nests = ls_nests_new ((float) width / scale_of_text (), comparison->left.loops, comparison->right.loops, comparison->links,
                                comparison->labels);
  return self->nests;
}

/* What of it can be seen: all, where nothing scrolls it. */
static void
find_seen (LsCompareCanvas *self,
           float           *top,
           float           *bottom)
{
  *top = self->scroll != NULL ? (float) gtk_adjustment_get_value (self->scroll) : 0.0f;
  *bottom = self->scroll != NULL ? *top + (float) gtk_adjustment_get_page_size (self->scroll) : (float) gtk_widget_get_height (GTK_WIDGET (self));
}

/* With a page above and below what is seen: not each wheel's turn draws anew. */
static void
draw (LsCompareCanvas *self,
      float            top,
      float            bottom)
{
  LsComparison *comparison = self->comparison;
  float scale = scale_of_text (), page = MAX (bottom - top, 0.0f);
  PangoContext *pango = make_pango (GTK_WIDGET (self), scale);
  LsLook look;
  LsFigure figure = { .snapshot = gtk_snapshot_new (), .pango = pango, .look = &look };

  ls_look_from_widget (GTK_WIDGET (self), &look);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  self->top = top - page;
  self->bottom = bottom + page;
  gtk_snapshot_scale (figure.snapshot, scale, scale);
  if (self->nests != NULL)
    {
      g_autofree char *left = g_strdup_printf (_("Left · %s"), comparison->left.title);
      g_autofree char *right = g_strdup_printf (_("Right · %s"), comparison->right.title);

      ls_nests_draw (self->nests, &figure, self->top / scale, self->bottom / scale, left, right);
    }
  g_object_unref (pango);
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
  LsNests *nests;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = *natural = LEAST_WIDTH;
      return;
    }
  nests = need_nests (self, MAX (for_size, LEAST_WIDTH));
  *minimum = *natural = nests != NULL ? (int) ceilf (ls_nests_get_height (nests) * scale_of_text ()) : 0;
}

static void
ls_compare_canvas_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  LsCompareCanvas *self = LS_COMPARE_CANVAS (widget);
  float top, bottom;

  need_nests (self, gtk_widget_get_width (widget));
  find_seen (self, &top, &bottom);
  if (self->drawn == NULL || top < self->top || bottom > self->bottom)
    draw (self, top, bottom);
  if (self->drawn != NULL)
    gtk_snapshot_append_node (snapshot, self->drawn);
}

/* The window has the picture of this widget until it is to draw again. */
static void
scrolled (LsCompareCanvas *self)
{
  float top, bottom;

  find_seen (self, &top, &bottom);
  if (self->drawn == NULL || top < self->top || bottom > self->bottom)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
leave_scroll (LsCompareCanvas *self)
{
  if (self->scroll != NULL)
    g_signal_handlers_disconnect_by_data (self->scroll, self);
  g_clear_object (&self->scroll);
}

static void
ls_compare_canvas_map (GtkWidget *widget)
{
  LsCompareCanvas *self = LS_COMPARE_CANVAS (widget);
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);

  leave_scroll (self);
  if (viewport != NULL)
    {
      self->scroll = g_object_ref (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)));
      g_signal_connect_swapped (self->scroll, "value-changed", G_CALLBACK (scrolled), self);
      g_signal_connect_swapped (self->scroll, "changed", G_CALLBACK (scrolled), self);
    }
  GTK_WIDGET_CLASS (ls_compare_canvas_parent_class)->map (widget);
}

static void
ls_compare_canvas_unmap (GtkWidget *widget)
{
  leave_scroll (LS_COMPARE_CANVAS (widget));
  GTK_WIDGET_CLASS (ls_compare_canvas_parent_class)->unmap (widget);
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
  leave_scroll (LS_COMPARE_CANVAS (object));
  forget (LS_COMPARE_CANVAS (object));
  ls_comparison_set (&LS_COMPARE_CANVAS (object)->comparison, NULL);
  ls_canvas_nodes_set (GTK_WIDGET (object), NULL);
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
  widget_class->map = ls_compare_canvas_map;
  widget_class->unmap = ls_compare_canvas_unmap;
  widget_class->css_changed = ls_compare_canvas_css_changed;
  widget_class->size_allocate = ls_compare_canvas_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "comparecanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
ls_compare_canvas_init (LsCompareCanvas *self)
{
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* names and titles stand where the drawing puts them */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What happened to the loops"), -1);
}

GtkWidget *
ls_compare_canvas_new (void)
{
  return g_object_new (LS_TYPE_COMPARE_CANVAS, NULL);
}

/* ---- for a screen reader: the loops of both sides, then what happened to them ---- */

static void
add_loop_words (GPtrArray  *words,
                LsLoopItem *item,
                const char *side)
{
  GListModel *children = ls_loop_item_get_children (item);
  g_autofree char *own = ls_loop_item_describe (item);

  g_ptr_array_add (words, g_strdup_printf ("%s: %s", side, own));
  for (guint i = 0; children != NULL && i < g_list_model_get_n_items (children) && words->len < LS_CANVAS_NODES_MOST; i++)
    {
      g_autoptr (LsLoopItem) child = g_list_model_get_item (children, i);

      add_loop_words (words, child, side);
    }
}

/* Side by side, from the top on, as the cards are; what happened stands between them. */
static void
place_node (GtkWidget       *canvas,
            guint            n,
            graphene_rect_t *place)
{
  LsCompareCanvas *self = LS_COMPARE_CANVAS (canvas);
  float width = (float) gtk_widget_get_width (canvas), height = (float) gtk_widget_get_height (canvas), row;
  guint side = n < self->n_words[0] ? 0 : n < self->n_words[0] + self->n_words[1] ? 1 : 2;
  guint first = side == 0 ? 0 : side == 1 ? self->n_words[0] : self->n_words[0] + self->n_words[1];
  static const float from[] = { 0.0f, 2.0f, 1.0f };             /* thirds */

  row = height / (float) MAX (self->n_words[side], 1u);
  *place = GRAPHENE_RECT_INIT (from[side] * width / 3.0f, (float) (n - first) * row, width / 3.0f, row);
}

static void
tell_nodes (LsCompareCanvas *self)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  LsComparison *comparison = self->comparison;
  GPtrArray *sides[] = { comparison != NULL ? comparison->left.loops : NULL, comparison != NULL ? comparison->right.loops : NULL };
  const char *names[] = { _("Left"), _("Right") };

  for (guint k = 0; k < 2; k++)
    {
      guint before = words->len;

      for (guint i = 0; sides[k] != NULL && i < sides[k]->len && words->len < LS_CANVAS_NODES_MOST; i++)
        add_loop_words (words, g_ptr_array_index (sides[k], i), names[k]);
      self->n_words[k] = words->len - before;
    }
  self->n_words[2] = comparison != NULL && comparison->labels != NULL ? comparison->labels->len : 0;
  for (guint i = 0; i < self->n_words[2]; i++)
    {
      const LsNestLabel *label = g_ptr_array_index (comparison->labels, i);

      g_ptr_array_add (words, g_strdup_printf ("%s %s %s", label->head, label->verb, label->tail));
    }
  ls_canvas_nodes_set (GTK_WIDGET (self), words);
}

static void
ls_compare_canvas_size_allocate (GtkWidget *widget,
                                 int        width,
                                 int        height,
                                 int        baseline)
{
  ls_canvas_nodes_place (widget, place_node);
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
  ls_comparison_set (&self->comparison, comparison);
  forget (self);
  describe (self);
  tell_nodes (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
