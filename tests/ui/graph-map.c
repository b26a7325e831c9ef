/* graph-map: when the map of the graph is there, how large it is, and that a press in it moves the canvas. */
#include "views/graph/map.h"

#include <math.h>

#define ROWS 20

typedef struct {
  GtkWidget     *window, *canvas, *map;
  LsGraphSeries *series;
  LsGraphLayout *layout;
} Parts;

static gboolean
go_round (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
turn_until (gboolean (*done) (Parts *parts),
            Parts     *parts)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  guint tick = g_timeout_add (100, go_round, NULL);     /* what never comes does not hold the test for ever */

  while (!done (parts) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  g_assert_true (done (parts));
}

static gboolean
is_there (Parts *parts)
{
  return gtk_widget_get_mapped (parts->map) && gtk_widget_get_width (parts->map) > 1;
}

static gboolean
is_away (Parts *parts)
{
  return gtk_widget_get_width (parts->canvas) > 1 && !gtk_widget_get_visible (parts->map);
}

/* Rows of boxes without edges: 20 x 20 of 100 x 50 each. */
static void
set_up (Parts *parts)
{
  g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
  GtkWidget *overlay = gtk_overlay_new ();

  parts->layout = g_new0 (LsGraphLayout, 1);
  parts->layout->nodes = g_new0 (LsGraphBox, ROWS * ROWS);
  parts->layout->start = g_new0 (guint, 1);
  parts->layout->n_nodes = ROWS * ROWS;
  parts->layout->width = ROWS * 100.0f;
  parts->layout->height = ROWS * 50.0f;
  for (guint i = 0; i < ROWS * ROWS; i++)
    {
      g_autofree char *key = g_strdup_printf ("lv%u", i);

      ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, key);
      parts->layout->nodes[i] = (LsGraphBox) { (float) (i % ROWS) * 100.0f, (float) (i / ROWS) * 50.0f, 80.0f, 40.0f };
    }
  parts->series = ls_graph_series_one (graph, "as opened");
  parts->window = gtk_window_new ();
  parts->canvas = ls_graph_canvas_new ();
  parts->map = ls_graph_map_new ();
  gtk_overlay_set_child (GTK_OVERLAY (overlay), parts->canvas);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), parts->map);
  gtk_window_set_child (GTK_WINDOW (parts->window), overlay);
  gtk_window_set_default_size (GTK_WINDOW (parts->window), 700, 500);
  ls_graph_map_set_canvas (LS_GRAPH_MAP (parts->map), LS_GRAPH_CANVAS (parts->canvas));
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (parts->canvas), parts->series, parts->layout);
  gtk_window_present (GTK_WINDOW (parts->window));
  turn_until (is_there, parts);         /* readable, so not all of it */
}

static void
tear_down (Parts *parts)
{
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (parts->canvas), NULL, NULL);
  turn_until (is_away, parts);
  gtk_window_destroy (GTK_WINDOW (parts->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  ls_graph_layout_free (parts->layout);
  ls_graph_series_unref (parts->series);
}

static void
test_size (void)
{
  int width, height;

  ls_graph_map_fit (&GRAPHENE_RECT_INIT (0, 0, 2000, 1000), 1000, 1000, &width, &height);
  g_assert_cmpint (width, ==, 180);
  g_assert_cmpint (abs (height - 94), <=, 1);
  ls_graph_map_fit (&GRAPHENE_RECT_INIT (0, 0, 10, 100000), 1000, 1000, &width, &height);
  g_assert_cmpint (width, ==, 24);
  g_assert_cmpint (height, ==, 140);
  ls_graph_map_fit (&GRAPHENE_RECT_INIT (0, 0, 0, 0), 1000, 1000, &width, &height);
  g_assert_cmpint (width, >=, 24);
  ls_graph_map_fit (&GRAPHENE_RECT_INIT (0, 0, 2000, 1800), 1024, 270, &width, &height);        /* it does not hide what it is the map of */
  g_assert_cmpint (height, <=, 90);
  g_assert_cmpint (abs (width - 100), <=, 10);
  ls_graph_map_fit (&GRAPHENE_RECT_INIT (0, 0, 2000, 1000), 0, 0, &width, &height);
  g_assert_cmpint (width, >=, 24);
}

/* What is seen may go beyond the graph on every side; the frame is seen whole all the same. */
static void
test_frame (void)
{
  static const graphene_rect_t shown[] = {
    { { -20, -30 }, { 400, 80 } }, { { 10, 10 }, { 20, 20 } }, { { 500, 10 }, { 20, 20 } }, { { -500, -500 }, { 20, 20 } }, { { 10, 10 }, { 1, 1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      graphene_rect_t frame;

      ls_graph_map_frame (&shown[i], 180, 100, &frame);
      g_assert_true (graphene_rect_contains_rect (&GRAPHENE_RECT_INIT (0, 0, 180, 100), &frame));
      g_assert_cmpfloat (MIN (frame.size.width, frame.size.height), >=, 4.0f);
      if (i == 1)
        g_assert_true (graphene_rect_equal (&frame, &shown[i]));
    }
}

static void
test_needed (void)
{
  const graphene_rect_t graph = GRAPHENE_RECT_INIT (0, 0, 1000, 1000), none = GRAPHENE_RECT_INIT (0, 0, 0, 0);

  g_assert_false (ls_graph_map_is_needed (&graph, &GRAPHENE_RECT_INIT (-10, -10, 1020, 1020)));
  g_assert_true (ls_graph_map_is_needed (&graph, &GRAPHENE_RECT_INIT (0, 0, 1000, 900)));
  g_assert_true (ls_graph_map_is_needed (&graph, &GRAPHENE_RECT_INIT (2000, 0, 500, 500)));
  g_assert_false (ls_graph_map_is_needed (&none, &graph));
  g_assert_false (ls_graph_map_is_needed (&graph, &none));
}

static void
test_follows (void)
{
  Parts parts;

  set_up (&parts);
  ls_graph_canvas_fit (LS_GRAPH_CANVAS (parts.canvas));
  turn_until (is_away, &parts);
  ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (parts.canvas), 4.0);
  turn_until (is_there, &parts);
  tear_down (&parts);
}

/* Whatever became of the rest of the picture: what was opened is looked at, from its upper edge on. */
static void
test_opened (void)
{
  g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
  LsGraphSeries *series;
  LsGraphLayout *layout = g_new0 (LsGraphLayout, 1);
  graphene_rect_t view;
  Parts parts;

  set_up (&parts);
  layout->nodes = g_new0 (LsGraphBox, 20);
  layout->clusters = g_new0 (LsGraphBox, 1);
  layout->start = g_new0 (guint, 1);
  layout->n_nodes = 20;
  layout->n_clusters = 1;
  layout->clusters[0] = (LsGraphBox) { 5000.0f, 3000.0f, 600.0f, 1400.0f };
  layout->width = 6000.0f;
  layout->height = 5000.0f;
  ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_GROUP, -1, "lv399", "lv399", NULL);
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *key = g_strdup_printf (i < 10 ? "lv%u" : "inside%u", i);

      ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, key)->cluster = i < 10 ? -1 : 0;
      layout->nodes[i] = i < 10 ? (LsGraphBox) { (float) i * 100.0f, 0.0f, 80.0f, 40.0f } : (LsGraphBox) { 5100.0f, 3100.0f + (float) (i - 10) * 60.0f, 80.0f, 40.0f };
    }
  series = ls_graph_series_one (graph, "as opened");
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (parts.canvas), series, layout);
  ls_graph_canvas_get_view (LS_GRAPH_CANVAS (parts.canvas), &view);
  g_assert_cmpfloat (view.origin.y, <, 3000.0f);
  g_assert_cmpfloat (view.origin.y + view.size.height / 2.0f, >, 3000.0f);
  g_assert_cmpfloat (view.origin.x, <, 5300.0f);
  g_assert_cmpfloat (view.origin.x + view.size.width, >, 5300.0f);
  tear_down (&parts);
  ls_graph_layout_free (layout);
  ls_graph_series_unref (series);
}

static GtkGesture *
drag_of (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkGesture) gesture = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_DRAG (gesture))
        return gesture;
    }
  return NULL;
}

/* A press in the middle of the map's upper left quarter brings that of the graph into the middle, at the same zoom. */
static void
test_press (void)
{
  Parts parts;
  graphene_rect_t view;
  double zoom;

  set_up (&parts);
  zoom = ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (parts.canvas));
  g_signal_emit_by_name (drag_of (parts.map), "drag-begin", gtk_widget_get_width (parts.map) / 4.0, gtk_widget_get_height (parts.map) / 4.0);
  ls_graph_canvas_get_view (LS_GRAPH_CANVAS (parts.canvas), &view);
  g_assert_cmpfloat (fabs (view.origin.x + view.size.width / 2.0 - 500.0), <, 30.0);
  g_assert_cmpfloat (fabs (view.origin.y + view.size.height / 2.0 - 250.0), <, 30.0);
  g_assert_cmpfloat (ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (parts.canvas)), ==, zoom);
  tear_down (&parts);
}

static gboolean
is_wide (Parts *parts)
{
  return is_there (parts) && gtk_widget_get_width (parts->map) > 2 * gtk_widget_get_height (parts->map);
}

/* It has the shape of the graph that is shown, also when it was away before. */
static void
test_shape (void)
{
  Parts parts;

  set_up (&parts);
  g_assert_cmpint (gtk_widget_get_width (parts.map), <=, 2 * gtk_widget_get_height (parts.map) + 4);
  ls_graph_canvas_fit (LS_GRAPH_CANVAS (parts.canvas));
  turn_until (is_away, &parts);
  for (guint i = 0; i < ROWS * ROWS; i++)       /* one row, as long as all of them */
    parts.layout->nodes[i] = (LsGraphBox) { (float) i * 100.0f, (float) (i % 2) * 2000.0f, 80.0f, 40.0f };
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (parts.canvas), NULL, NULL);
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (parts.canvas), parts.series, parts.layout);
  ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (parts.canvas), 4.0);
  turn_until (is_wide, &parts);
  tear_down (&parts);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  g_test_add_func ("/graph-map/size", test_size);
  g_test_add_func ("/graph-map/frame", test_frame);
  g_test_add_func ("/graph-map/needed", test_needed);
  g_test_add_func ("/graph-map/opened", test_opened);
  g_test_add_func ("/graph-map/follows", test_follows);
  g_test_add_func ("/graph-map/press", test_press);
  g_test_add_func ("/graph-map/shape", test_shape);
  return g_test_run ();
}
