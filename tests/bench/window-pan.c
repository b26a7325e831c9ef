/* window-pan: frames of a canvas while it is moved and zoomed: 1,000 nodes unfolded as they are laid out, 10,000 and 100,000 folded, and as many
 * unfolded.  A frame is all work of the main thread from the wish to the frame clock's "after-paint", what is painted ahead between
 * frames included; the budget is one frame of a screen of 60 Hz.
 * LS_BENCH_PAN=WORDS measures only what has them in its name, LS_BENCH_FRAMES=N so many frames. */
#include "tests/bench/window-pan.h"

#include "app/rpc/rpc.h"
#include "engine/graph/layout-make.h"
#include "engine/script/script.h"
#include "tests/bench/bench.h"
#include "tests/bench/model-text.h"
#include "views/canvas/draw-graph.h"
#include "views/graph/canvas.h"
#include "views/parts/theme.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAMES (g_getenv ("LS_BENCH_FRAMES") != NULL ? (guint) atoi (g_getenv ("LS_BENCH_FRAMES")) : 48u)
#define BUDGET 16e6

typedef struct {
  GtkWidget *window;
  GtkWidget *canvas;
  GArray    *times;             /* of double, ns */
  double     from;
} Pan;

static double
thread_ns (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (double) at.tv_sec * 1e9 + (double) at.tv_nsec;
}

static void
after_paint (Pan *pan)
{
  double took = thread_ns () - pan->from;

  g_array_append_val (pan->times, took);
}

static int
by_value (gconstpointer a,
          gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Frames after a warm-up; each is asked for by `step`. */
static void
measure_frames (Pan        *pan,
                const char *name,
                void      (*step) (Pan *pan, guint i))
{
  GArray *times = pan->times;

  for (guint i = 0; i < FRAMES + 4; i++)
    {
      guint n = i == 4 ? 0 : times->len;
      gint64 end = g_get_monotonic_time () + 5 * G_USEC_PER_SEC;

      if (i == 4)
        g_array_set_size (times, 0);
      pan->from = thread_ns ();
      step (pan, i);
      while (times->len == n && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, TRUE);
    }
  if (times->len == 0)
    {
      g_print ("%-40s no frame came\n", name);
      return;
    }
  g_array_sort (times, by_value);
  ls_bench_report (name, BUDGET, (LsBenchResult) { g_array_index (times, double, 0), g_array_index (times, double, times->len / 2),
                                                   g_array_index (times, double, times->len / 4), g_array_index (times, double, times->len * 3 / 4),
                                                   times->len, 1 });
  g_print ("%-40s %8.2f ms\n", "  the longest of these frames", g_array_index (times, double, times->len - 1) * 1e-6);
}

/* In a wide circle, so that every frame has new nodes at an edge. */
static void
move (Pan   *pan,
      guint  i)
{
  static const int ways[][2] = { { 23, 11 }, { -11, 23 }, { -23, -11 }, { 11, -23 } };

  ls_graph_canvas_pan_by (LS_GRAPH_CANVAS (pan->canvas), ways[i / 16 % 4][0], ways[i / 16 % 4][1]);
}

static void
zoom (Pan   *pan,
      guint  i)
{
  ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (pan->canvas), i % 2 == 0 ? 1.02 : 1.0 / 1.02);
}

/* Out and in again, a seventh at a time, as a wheel does. */
static void
wheel (Pan   *pan,
       guint  i)
{
  ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (pan->canvas), i / 12 % 2 == 0 ? 1.0 / 1.15 : 1.15);
}

static void
zoom_to (Pan    *pan,
         double  level)
{
  ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (pan->canvas), level / ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (pan->canvas)));
}

static void
open_window (Pan                 *pan,
             LsGraphSeries       *series,
             const LsGraphLayout *layout)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  pan->times = g_array_new (FALSE, FALSE, sizeof (double));
  pan->window = gtk_window_new ();
  pan->canvas = ls_graph_canvas_new ();
  gtk_window_set_default_size (GTK_WINDOW (pan->window), 1280, 800);
  gtk_window_set_child (GTK_WINDOW (pan->window), pan->canvas);
  ls_theme_install (gdk_display_get_default ());
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (pan->canvas), series, layout);
  gtk_window_present (GTK_WINDOW (pan->window));
  g_signal_connect_swapped (gtk_widget_get_frame_clock (pan->window), "after-paint", G_CALLBACK (after_paint), pan);
  while (pan->times->len == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

static void
close_window (Pan *pan)
{
  ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (pan->canvas), NULL, NULL);
  gtk_window_destroy (GTK_WINDOW (pan->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_array_unref (pan->times);
}

/* Moved, zoomed a little and zoomed as with a wheel, as it opens and with all in view. */
static void
measure_canvas (Pan        *pan,
                const char *what)
{
  static const struct { const char *name; void (*step) (Pan *pan, guint i); } WAYS[] = { { "pan", move }, { "zoom", zoom }, { "wheel", wheel } };
  static const double LEVELS[] = { 1.0, 0.35, 0.0 };

  for (guint k = 0; k < G_N_ELEMENTS (LEVELS); k++)
    for (guint i = 0; i < G_N_ELEMENTS (WAYS); i++)
      {
        g_autofree char *at = LEVELS[k] > 0.0 ? g_strdup_printf ("at zoom %.2f", LEVELS[k]) : g_strdup ("all in view");
        g_autofree char *name = g_strdup_printf ("%s %s: %s", what, at, WAYS[i].name);

        if (g_getenv ("LS_BENCH_PAN") != NULL && strstr (name, g_getenv ("LS_BENCH_PAN")) == NULL)
          continue;
        ls_graph_canvas_fit (LS_GRAPH_CANVAS (pan->canvas));
        if (LEVELS[k] > 0.0)
          zoom_to (pan, LEVELS[k]);
        measure_frames (pan, name, WAYS[i].step);
      }
}

/* Is anything of this graph to be measured?  A large one takes long to make. */
static gboolean
is_wanted (const char *what)
{
  const char *only = g_getenv ("LS_BENCH_PAN");

  return only == NULL || strstr (only, what) != NULL || strstr (what, only) != NULL || strstr ("at zoom 1.00 0.35 all in view: pan zoom wheel", only) != NULL;
}

/* ---- models --------------------------------------------------------------------- */

static void
measure_model (const char *name,
               guint       n_calls,
               gboolean    is_folded)
{
  g_autofree char *text = ls_bench_model_text (n_calls);
  g_autoptr (LsSource) source = ls_source_new ("model", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, NULL);
  g_autoptr (LsGraph) folded = is_folded ? ls_graph_fold_groups (graph, 250, NULL) : NULL;
  g_autoptr (LsGraphSeries) series = ls_graph_series_one (is_folded ? folded : graph, "as opened");
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (LsGraphLayout) layout = NULL;
  g_autoptr (GtkWidget) measured = g_object_ref_sink (ls_graph_canvas_new ());
  Pan pan;

  answer = ls_worker_call (worker, "layout", ls_graph_measure (gtk_widget_get_pango_context (measured), series), NULL, NULL, NULL, NULL, &error);
  layout = answer != NULL ? ls_graph_layout_read (answer, series->whole, &error) : NULL;
  ls_unref (module);
  if (layout == NULL)
    {
      g_print ("%s\n", error->message);
      return;
    }
  open_window (&pan, series, layout);
  measure_canvas (&pan, name);
  close_window (&pan);
}

/* ---- unfolded --------------------------------------------------------------------- */

static LsGraph *
grid_graph (guint columns,
            guint rows)
{
  LsGraph *graph = ls_graph_new (LS_GRAPH_RELAX);

  for (guint i = 0; i < columns * rows; i++)
    {
      g_autofree char *key = g_strdup_printf ("lv%u", i);
      LsGraphNode *node = ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, key, i % 2 == 0 ? "matmul" : "nn.relu");

      node->detail = g_strdup (key);
      node->type = g_strdup ("(8, 8) float32");
    }
  for (guint i = 0; i < columns * (rows - 1); i++)
    {
      ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i + columns, "lv", NULL);
      if (i % columns < columns - 1)
        ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, i, i + columns + 1, "lv", NULL);
    }
  return graph;
}

/* Rows of cards, each joined with the one below and its neighbour by a bow. */
static LsGraphLayout *
grid_layout (LsGraph *graph,
             guint    columns)
{
  LsGraphLayout *layout = ls_graph_layout_new (graph);

  layout->width = (float) columns * 250.0f;
  layout->height = (float) (layout->n_nodes / columns) * 132.0f;
  layout->points = g_new0 (LsGraphPoint, layout->n_edges * 4);
  for (guint i = 0; i < layout->n_nodes; i++)
    layout->nodes[i] = (LsGraphBox) { (float) (i % columns) * 250.0f, (float) (i / columns) * 132.0f, 230.0f, 72.0f };
  for (guint i = 0; i < layout->n_edges; i++)
    {
      layout->start[i + 1] = (i + 1) * 4;
      layout->labels[i] = (LsGraphPoint) { -1.0f, -1.0f };
      ls_graph_layout_bow (&layout->nodes[ls_graph_edge (graph, i)->from], &layout->nodes[ls_graph_edge (graph, i)->to], layout->points + i * 4);
    }
  return layout;
}

static void
measure_whole (const char *name,
               guint       columns,
               guint       rows)
{
  g_autoptr (LsGraph) graph = grid_graph (columns, rows);
  g_autoptr (LsGraphSeries) series = ls_graph_series_one (graph, "as opened");
  g_autoptr (LsGraphLayout) layout = grid_layout (series->whole, columns);
  Pan pan;

  open_window (&pan, series, layout);
  measure_canvas (&pan, name);
  close_window (&pan);
}

/* What a frame of a window of this size costs with two nodes in it. */
static void
measure_nothing (void)
{
  g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
  g_autoptr (LsGraphSeries) series = NULL;
  g_autoptr (LsGraphLayout) layout = g_new0 (LsGraphLayout, 1);
  Pan pan;

  for (guint i = 0; i < 2; i++)
    ls_graph_add_node (graph, LS_GRAPH_NODE_CALL, i == 0 ? "a" : "b", "nn.relu");
  series = ls_graph_series_one (graph, "as opened");
  layout->n_nodes = 2;
  layout->width = layout->height = 2000.0f;
  layout->nodes = g_new0 (LsGraphBox, 2);
  layout->start = g_new0 (guint, 1);
  layout->nodes[1] = layout->nodes[0] = (LsGraphBox) { 0.0f, 0.0f, 230.0f, 72.0f };
  layout->nodes[1].y = 1900.0f;
  open_window (&pan, series, layout);
  measure_frames (&pan, "2 nodes: pan", move);
  measure_frames (&pan, "2 nodes: zoom", zoom);
  close_window (&pan);
}

void
ls_bench_pan (void)
{
  if (!gtk_init_check ())
    {
      g_print ("%-40s no display\n", "10,000 nodes: pan");
      return;
    }
  measure_nothing ();
  if (is_wanted ("1000 calls"))
    measure_model ("1000 calls", 1000, FALSE);
  if (is_wanted ("10000 calls folded"))
    measure_model ("10000 calls folded", 10000, TRUE);
  if (is_wanted ("10,000 nodes"))
    measure_whole ("10,000 nodes", 100, 100);
  if (is_wanted ("100000 calls folded"))
    measure_model ("100000 calls folded", 100000, TRUE);
  if (is_wanted ("100,000 nodes"))
    measure_whole ("100,000 nodes", 400, 250);
}
