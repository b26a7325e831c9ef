/* The labels of the roofs stand where they cover no point, wherever along a roof the points are. */
#include "views/canvas/draw-roofline.h"
#include "views/models/roofline.h"
#include "views/parts/theme.h"

#include <gtk/gtk.h>
#include <math.h>

#define WIDTH 620.0f
#define HEIGHT 420.0f
#define POINT 4.0f

typedef struct {
  GArray *points;               /* of graphene_point_t: middles of discs */
  GArray *labels;               /* of Label */
} Found;

typedef struct {
  GskTransform    *transform;   /* of the figure to the label; owned */
  graphene_rect_t  bounds;
} Label;

static void
label_clear (gpointer data)
{
  gsk_transform_unref (((Label *) data)->transform);
}

/* transform: from the node to the figure. */
static void
look (Found         *found,
      GskRenderNode *node,
      GskTransform  *transform)
{
  graphene_rect_t bounds;

  gsk_render_node_get_bounds (node, &bounds);
  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        look (found, gsk_container_node_get_child (node, i), transform);
      break;
    case GSK_TRANSFORM_NODE:
      {
        GskTransform *inner = gsk_transform_transform (gsk_transform_ref (transform), gsk_transform_node_get_transform (node));

        look (found, gsk_transform_node_get_child (node), inner);
        gsk_transform_unref (inner);
      }
      break;
    case GSK_ROUNDED_CLIP_NODE:
      {
        graphene_rect_t there;
        graphene_point_t middle;

        gsk_transform_transform_bounds (transform, &bounds, &there);
        graphene_rect_get_center (&there, &middle);
        g_array_append_val (found->points, middle);
      }
      break;
    case GSK_TEXT_NODE:
      if (gsk_transform_get_category (transform) == GSK_TRANSFORM_CATEGORY_2D)
        {
          Label label = { gsk_transform_invert (gsk_transform_ref (transform)), bounds };

          g_array_append_val (found->labels, label);
        }
      break;
    default:
      break;
    }
}

/* Steps whose points lie on the roof of one level, `share` of the way between two of its ends. */
static LsRoofline *
roofline_with (double share,
               guint  level,
               guint  n)
{
  LsRoofline *self = ls_roofline_new ();

  self->known = TRUE;
  self->flop_per_s = 280e9;
  self->n_roofs = 3;
  for (guint i = 0; i < self->n_roofs; i++)
    {
      g_snprintf (self->roofs[i].name, sizeof self->roofs[i].name, "%s", i == 0 ? "L2" : i == 1 ? "L3" : "memory");
      self->roofs[i].bytes_per_s = i == 0 ? 200e9 : i == 1 ? 90e9 : 20e9;
    }
  for (guint i = 0; i < n; i++)
    {
      double intensity = pow (10.0, -1.0 + 2.0 * share + 0.12 * i), flop = 1e6, speed = intensity * self->roofs[level].bytes_per_s * 0.97;
      LsStepRecord record = { .id = i, .number = i, .call = "", .name = "", .state = LS_STEP_MEASURED };
      g_autoptr (LsStepItem) item = NULL;

      record.timing.median = flop / speed;
      record.timing.samples = 30;
      item = ls_step_item_new (&record);
      ls_roofline_add (self, item, flop, flop / intensity);
    }
  return self;
}

/* Returns how many labels there are. */
static guint
expect_free (const LsRoofline *roofline)
{
  Found found = { g_array_new (FALSE, FALSE, sizeof (graphene_point_t)), g_array_new (FALSE, FALSE, sizeof (Label)) };
  g_autoptr (GskTransform) none = gsk_transform_new ();
  g_autoptr (GskRenderNode) node = NULL;
  LsFigure figure;
  guint n;

  g_array_set_clear_func (found.labels, label_clear);
  ls_figure_begin (&figure, FALSE);
  ls_draw_roofline (&figure, roofline, 0.0f, 0.0f, WIDTH, HEIGHT);
  node = gtk_snapshot_to_node (figure.snapshot);
  look (&found, node, none);
  g_assert_cmpuint (found.points->len, >=, roofline->points->len);
  for (guint i = 0; i < found.labels->len; i++)
    for (guint k = 0; k < found.points->len; k++)
      {
        const Label *label = &g_array_index (found.labels, Label, i);
        graphene_rect_t around = label->bounds;
        graphene_point_t there;

        graphene_rect_inset (&around, -POINT, -POINT);
        gsk_transform_transform_point (label->transform, &g_array_index (found.points, graphene_point_t, k), &there);
        g_assert_false (graphene_rect_contains_point (&around, &there));
      }
  n = found.labels->len;
  g_array_unref (found.points);
  g_array_unref (found.labels);
  ls_figure_clear (&figure);
  return n;
}

static void
test_labels (void)
{
  guint n = 0;

  for (guint level = 0; level < 3; level++)
    for (guint part = 0; part < 10; part++)
      {
        g_autoptr (LsRoofline) roofline = roofline_with (part / 10.0, level, 4);

        n += expect_free (roofline);
      }
  /* Where there is room for it each has its label. */
  g_assert_cmpuint (n, >, 45);
}

int
main (int    argc,
      char **argv)
{
  gtk_init_check ();
  g_test_init (&argc, &argv, NULL);
  ls_views_init ();
  g_test_add_func ("/draw/roofline-labels", test_labels);
  return g_test_run ();
}
