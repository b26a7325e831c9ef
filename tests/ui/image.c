/* image: the widget for a picture and its logits, on made-up pictures: its size, and that what it draws changes with them. */
#include "views/parts/image.h"

#include "views/parts/theme.h"

#include <string.h>

static guint8 pixels[2 * 4 * 5], labels[] = { 3, 9 };
static const LsImageSet IMAGES = { 2, 4, 5, pixels, labels };

static GskRenderNode *
drawn (GtkWidget *widget)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width, height;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  g_assert_cmpint (width, >, 300);
  gtk_widget_allocate (widget, width, height, -1, NULL);
  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  return gtk_snapshot_free_to_node (snapshot);
}

static gsize
size_of (GtkWidget *widget)
{
  g_autoptr (GskRenderNode) node = drawn (widget);
  g_autoptr (GBytes) bytes = node != NULL ? gsk_render_node_serialize (node) : NULL;

  return bytes != NULL ? g_bytes_get_size (bytes) : 0;
}

static void
test_view (void)
{
  GtkWidget *window = gtk_window_new (), *widget = ls_image_view_new ();
  const double logits[] = { -1, 2.5, 0.25, -7 };
  gsize picture, scores;

  memset (pixels + 7, 200, 9);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  g_assert_cmpuint (size_of (widget), ==, 0);
  ls_image_view_set_picture (LS_IMAGE_VIEW (widget), &IMAGES, 1);
  picture = size_of (widget);
  g_assert_cmpuint (picture, >, 0);
  ls_image_view_set_logits (LS_IMAGE_VIEW (widget), logits, G_N_ELEMENTS (logits));
  scores = size_of (widget);
  g_assert_cmpuint (scores, >, picture);
  ls_image_view_set_picture (LS_IMAGE_VIEW (widget), &IMAGES, 0);
  g_assert_cmpuint (size_of (widget), <, scores);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  ls_views_init ();
  g_test_add_func ("/ui/image/view", test_view);
  return g_test_run ();
}
