/* The labels of the roofs stand where they cover no point and not each other, wherever along a roof the points are, however near each other the
 * roofs are, and however small the chart. */
#include "views/canvas/draw-roofline.h"
#include "views/models/roofline.h"
#include "views/parts/theme.h"

#include <gtk/gtk.h>
#include <math.h>

#define POINT 4.0f

typedef struct {
  GArray *points;               /* of graphene_point_t: middles of discs */
  GArray *labels;               /* of Label */
  GArray *texts;                /* of graphene_rect_t: what is not turned */
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
      else
        {
          graphene_rect_t there;

          gsk_transform_transform_bounds (transform, &bounds, &there);
          g_array_append_val (found->texts, there);
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
               guint  n,
               double second)
{
  LsRoofline *self = ls_roofline_new ();

  self->known = TRUE;
  self->flop_per_s = 280e9;
  self->n_roofs = 3;
  for (guint i = 0; i < self->n_roofs; i++)
    {
      g_snprintf (self->roofs[i].name, sizeof self->roofs[i].name, "%s", i == 0 ? "L2" : i == 1 ? "L3" : "memory");
      self->roofs[i].bytes_per_s = i == 0 ? 200e9 : i == 1 ? second : 20e9;
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

/* A place in the figure within a label. */
static gboolean
covers (const Label            *label,
        const graphene_point_t *point)
{
  graphene_point_t there;

  gsk_transform_transform_point (label->transform, point, &there);
  return graphene_rect_contains_point (&label->bounds, &there);
}

/* By the places along its middle and its edges. */
static gboolean
covers_label (const Label *label,
              const Label *other)
{
  g_autoptr (GskTransform) back = gsk_transform_invert (gsk_transform_ref (other->transform));

  for (guint i = 0; i <= 40; i++)
    for (guint k = 0; k <= 4; k++)
      {
        graphene_point_t at = GRAPHENE_POINT_INIT (other->bounds.origin.x + other->bounds.size.width * (float) i / 40.0f,
                                                   other->bounds.origin.y + other->bounds.size.height * (float) k / 4.0f), there;

        gsk_transform_transform_point (back, &at, &there);
        if (covers (label, &there))
          return TRUE;
      }
  return FALSE;
}

static gboolean
covers_text (const Label           *label,
             const graphene_rect_t *text)
{
  for (guint i = 0; i <= 20; i++)
    for (guint k = 0; k <= 4; k++)
      if (covers (label, &GRAPHENE_POINT_INIT (text->origin.x + text->size.width * (float) i / 20.0f, text->origin.y + text->size.height * (float) k / 4.0f)))
        return TRUE;
  return FALSE;
}

static void
expect_apart (const Found *found)
{
  for (guint i = 0; i < found->labels->len; i++)
    {
      const Label *label = &g_array_index (found->labels, Label, i);

      for (guint k = 0; k < found->labels->len; k++)
        g_assert_false (k != i && covers_label (label, &g_array_index (found->labels, Label, k)));
      for (guint k = 0; k < found->texts->len; k++)
        g_assert_false (covers_text (label, &g_array_index (found->texts, graphene_rect_t, k)));
    }
  for (guint i = 0; i < found->texts->len; i++)
    for (guint k = 0; k < i; k++)
      {
        const graphene_rect_t *a = &g_array_index (found->texts, graphene_rect_t, i), *b = &g_array_index (found->texts, graphene_rect_t, k);

        if (graphene_rect_intersection (a, b, NULL))
          g_test_message ("%.0f x %.0f at %.0f, %.0f over %.0f x %.0f at %.0f, %.0f", a->size.width, a->size.height, a->origin.x, a->origin.y, b->size.width, b->size.height,
                          b->origin.x, b->origin.y);
        g_assert_false (graphene_rect_intersection (a, b, NULL));
      }
}

/* Returns how many labels there are. */
static guint
expect_free (const LsRoofline *roofline,
             float             width,
             float             height)
{
  Found found = { g_array_new (FALSE, FALSE, sizeof (graphene_point_t)), g_array_new (FALSE, FALSE, sizeof (Label)),
                  g_array_new (FALSE, FALSE, sizeof (graphene_rect_t)) };
  g_autoptr (GskTransform) none = gsk_transform_new ();
  g_autoptr (GskRenderNode) node = NULL;
  LsFigure figure;
  guint n;

  g_array_set_clear_func (found.labels, label_clear);
  ls_figure_begin (&figure, FALSE);
  ls_draw_roofline (&figure, roofline, 0.0f, 0.0f, width, height);
  node = gtk_snapshot_to_node (figure.snapshot);
  look (&found, node, none);
  g_assert_cmpuint (found.points->len, >=, roofline->points->len);
  for (guint i = 0; i < found.labels->len; i++)
    for (guint k = 0; k < found.points->len; k++)
      {
        Label around = g_array_index (found.labels, Label, i);

        graphene_rect_inset (&around.bounds, -POINT, -POINT);
        g_assert_false (covers (&around, &g_array_index (found.points, graphene_point_t, k)));
      }
  expect_apart (&found);
  n = found.labels->len;
  g_array_unref (found.points);
  g_array_unref (found.labels);
  g_array_unref (found.texts);
  ls_figure_clear (&figure);
  return n;
}

/* Points along each roof; `second`: bytes per second of the second one. */
static guint
draw_all (double second,
          float  width,
          float  height)
{
  guint n = 0;

  for (guint level = 0; level < 3; level++)
    for (guint part = 0; part < 10; part++)
      {
        g_autoptr (LsRoofline) roofline = roofline_with (part / 10.0, level, 4, second);

        n += expect_free (roofline, width, height);
      }
  return n;
}

static void
test_labels (void)
{
  /* Where there is room for it each has its label. */
  g_assert_cmpuint (draw_all (90e9, 620.0f, 420.0f), >, 45);
}

static void
test_near (void)
{
  g_assert_cmpuint (draw_all (160e9, 620.0f, 420.0f), >, 30);
}

static void
test_small (void)
{
  draw_all (90e9, 420.0f, 240.0f);
  draw_all (160e9, 420.0f, 240.0f);
}

/* On the page Why a roof stood there without a word: the label has room beside the points, though the boxes around both, turned as the
 * label is, would cover each other. */
static void
test_beside_points (void)
{
  static const double speeds[] = { 2.59e9, 2.71e9, 3.07e9, 3.05e9, 10.7e9, 11.4e9 };
  g_autoptr (LsRoofline) self = ls_roofline_new ();

  self->known = TRUE;
  self->flop_per_s = 120e9;
  self->n_roofs = 3;
  for (guint i = 0; i < self->n_roofs; i++)
    {
      g_snprintf (self->roofs[i].name, sizeof self->roofs[i].name, "%s", i == 0 ? "L2" : i == 1 ? "L3" : "memory");
      self->roofs[i].bytes_per_s = i == 0 ? 109e9 : i == 1 ? 101e9 : 19e9;
    }
  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
    {
      LsStepRecord record = { .id = i, .number = i, .call = "", .name = "", .state = LS_STEP_MEASURED };
      g_autoptr (LsStepItem) item = NULL;

      record.timing.median = 4.21e6 / speeds[i];
      record.timing.samples = 30;
      item = ls_step_item_new (&record);
      ls_roofline_add (self, item, 4.21e6, 4.21e6 / 0.488);
    }
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (expect_free (self, 312.0f + 8.0f * (float) i, 300.0f), ==, 3);
}

int
main (int    argc,
      char **argv)
{
  gtk_init_check ();
  g_test_init (&argc, &argv, NULL);
  ls_views_init ();
  g_test_add_func ("/draw/roofline-labels/usual", test_labels);
  g_test_add_func ("/draw/roofline-labels/near", test_near);
  g_test_add_func ("/draw/roofline-labels/small", test_small);
  g_test_add_func ("/draw/roofline-labels/beside-points", test_beside_points);
  return g_test_run ();
}
