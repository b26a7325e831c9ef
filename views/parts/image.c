/* LsImageView: see the header.  The picture is a texture, scaled without smoothing; the bars are one axis for all logits with zero where it
 * falls, so that negative ones go to the left. */
#include "views/parts/image.h"

#include "views/parts/theme.h"

#include "views/canvas/look.h"

#include <glib/gi18n.h>
#include <math.h>

#define PIXEL 8                 /* of the picture, in pixels of the screen */
#define ROW ls_theme_grow (22)
#define GAP 18
#define NAME_WIDTH ls_theme_grow (112)
#define VALUE_WIDTH ls_theme_grow (76)
#define BAR_WIDTH ls_theme_grow (220)
#define BAR_HEIGHT 12

struct _LsImageView
{
  GtkWidget   parent_instance;

  GdkTexture *picture;          /* or NULL */
  guint       rows, columns;
  guint       number, n, label;
  LsScores   *scores;           /* or NULL */
};

G_DEFINE_FINAL_TYPE (LsImageView, ls_image_view, GTK_TYPE_WIDGET)

static int
picture_width (LsImageView *self)
{
  return (int) (self->columns > 0 ? self->columns : 28) * PIXEL;
}

static int
picture_height (LsImageView *self)
{
  return (int) (self->rows > 0 ? self->rows : 28) * PIXEL;
}

static void
ls_image_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  LsImageView *self = LS_IMAGE_VIEW (widget);
  int bars = (int) (self->scores != NULL ? self->scores->n : LS_FASHION_MNIST_CLASSES) * ROW;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = picture_width (self) + GAP + NAME_WIDTH + BAR_WIDTH + VALUE_WIDTH;
  else
    *minimum = *natural = ROW + MAX (picture_height (self), bars);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void
put_text (LsImageView   *self,
          GtkSnapshot   *snapshot,
          const char    *text,
          float          x,
          float          y,
          float          width,
          gboolean       right,
          gboolean       bold,
          const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();
  int w, h;

  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, (int) width * PANGO_SCALE);
  pango_layout_set_alignment (layout, right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  pango_layout_get_pixel_size (layout, &w, &h);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y + roundf ((ROW - (float) h) / 2)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_score (LsImageView  *self,
            GtkSnapshot  *snapshot,
            const LsLook *look,
            guint         i,
            float         left,
            float         top)
{
  const LsScore *score = &self->scores->scores[i];
  gboolean best = i == self->scores->best;
  float from = left + NAME_WIDTH + roundf ((float) score->from * BAR_WIDTH), to = left + NAME_WIDTH + roundf ((float) score->to * BAR_WIDTH);
  g_autofree char *name = g_strdup_printf ("%s%s", best ? "▸ " : "", ls_fashion_mnist_name (i)), *value = g_strdup_printf ("%s%.3f", score->value < 0 ? "−" : "", fabs (score->value));

  put_text (self, snapshot, name, left, top, NAME_WIDTH - 6, FALSE, best, &look->colors[LS_LOOK_TEXT]);
  gtk_snapshot_append_color (snapshot, &look->colors[best ? LS_LOOK_ACCENT : LS_LOOK_NEUTRAL],
                             &GRAPHENE_RECT_INIT (from, top + (ROW - BAR_HEIGHT) / 2, MAX (to - from, 1), BAR_HEIGHT));
  put_text (self, snapshot, value, left + NAME_WIDTH + BAR_WIDTH, top, VALUE_WIDTH, TRUE, best, &look->colors[best ? LS_LOOK_TEXT : LS_LOOK_DIM]);
}

static void
ls_image_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  LsImageView *self = LS_IMAGE_VIEW (widget);
  float left = (float) picture_width (self) + GAP, height = (float) picture_height (self);
  g_autofree char *title = NULL;
  LsLook look;

  if (self->picture == NULL)
    return;
  ls_look_from_widget (widget, &look);
  title = g_strdup_printf (_("image %u of %u · %s"), self->number, self->n, ls_fashion_mnist_name (self->label));
  put_text (self, snapshot, title, 0, 0, left + NAME_WIDTH + BAR_WIDTH, FALSE, FALSE, &look.colors[LS_LOOK_DIM]);
  gtk_snapshot_append_texture (snapshot, self->picture, &GRAPHENE_RECT_INIT (0, ROW, (float) picture_width (self), height));
  for (guint i = 0; self->scores != NULL && i < self->scores->n; i++)
    draw_score (self, snapshot, &look, i, left, ROW + (float) i * ROW);
  if (self->scores != NULL)
    gtk_snapshot_append_color (snapshot, &look.colors[LS_LOOK_BORDER],
                               &GRAPHENE_RECT_INIT (left + NAME_WIDTH + roundf ((float) self->scores->zero * BAR_WIDTH), ROW, 1, (float) self->scores->n * ROW));
}

/* ---- what is shown ------------------------------------------------------------------------------ */

/* The same in words, for screen readers. */
static void
describe (LsImageView *self)
{
  g_autofree char *text = self->picture == NULL ? g_strdup (_("no picture"))
    : self->scores == NULL ? g_strdup_printf (_("image %u, labelled %s"), self->number, ls_fashion_mnist_name (self->label))
    : g_strdup_printf (_("image %u, labelled %s, prediction %s with a logit of %.3f"), self->number, ls_fashion_mnist_name (self->label),
                       ls_fashion_mnist_name (self->scores->best), self->scores->scores[self->scores->best].value);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Each pixel as PIXEL x PIXEL of the texture: GTK 4.8 has no scaling without smoothing. */
static GdkTexture *
texture_of (const guint8 *pixels,
            guint         rows,
            guint         columns)
{
  gsize stride = (gsize) columns * PIXEL * 3;
  guint8 *data = g_malloc (stride * rows * PIXEL);
  g_autoptr (GBytes) bytes = NULL;

  for (guint y = 0; y < rows * PIXEL; y++)
    for (guint x = 0; x < columns * PIXEL; x++)
      for (guint c = 0; c < 3; c++)
        data[y * stride + x * 3 + c] = pixels[y / PIXEL * columns + x / PIXEL];
  bytes = g_bytes_new_take (data, stride * rows * PIXEL);
  return gdk_memory_texture_new ((int) (columns * PIXEL), (int) (rows * PIXEL), GDK_MEMORY_R8G8B8, bytes, stride);
}

void
ls_image_view_set_picture (LsImageView      *self,
                           const LsImageSet *images,
                           guint             number)
{
  g_return_if_fail (LS_IS_IMAGE_VIEW (self));
  g_return_if_fail (number < images->n);

  g_clear_object (&self->picture);
  g_clear_pointer (&self->scores, ls_scores_free);
  self->picture = texture_of (ls_image_set_get (images, number), images->rows, images->columns);
  self->rows = images->rows;
  self->columns = images->columns;
  self->number = number;
  self->n = images->n;
  self->label = images->labels[number];
  describe (self);
}

void
ls_image_view_set_logits (LsImageView  *self,
                          const double *logits,
                          guint         n)
{
  g_return_if_fail (LS_IS_IMAGE_VIEW (self));

  g_clear_pointer (&self->scores, ls_scores_free);
  if (n > 0)
    self->scores = ls_scores_new (logits, n);
  describe (self);
}

static void
ls_image_view_dispose (GObject *object)
{
  LsImageView *self = LS_IMAGE_VIEW (object);

  g_clear_object (&self->picture);
  g_clear_pointer (&self->scores, ls_scores_free);
  G_OBJECT_CLASS (ls_image_view_parent_class)->dispose (object);
}

static void
ls_image_view_class_init (LsImageViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_image_view_dispose;
  widget_class->measure = ls_image_view_measure;
  widget_class->snapshot = ls_image_view_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_image_view_init (LsImageView *self)
{
}

GtkWidget *
ls_image_view_new (void)
{
  return g_object_new (LS_TYPE_IMAGE_VIEW, NULL);
}
