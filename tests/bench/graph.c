/* graph: building, folding, searching and laying out graphs of 100 to 100,000 calls, and pipelines of several states. */
#include "app/rpc/rpc.h"
#include "engine/graph/keep.h"
#include "engine/graph/series.h"
#include "engine/script/script.h"
#include "tests/bench/bench.h"
#include "tests/bench/model-text.h"
#include "tests/support/models.h"

typedef struct {
  LsModule *module;
  LsGraph  *graph, *folded;
  LsWorker *worker;
} Bench;

static void
build (gpointer data)
{
  ls_graph_unref (ls_graph_from_relax (((Bench *) data)->module, NULL));
}

static void
fold (gpointer data)
{
  ls_graph_unref (ls_graph_fold_groups (((Bench *) data)->graph, 250, NULL));
}

static void
search (gpointer data)
{
  g_ptr_array_unref (ls_graph_search (((Bench *) data)->graph, "matmul -> relu -> *", NULL));
}

static void
text (gpointer data)
{
  g_free (ls_graph_to_text (((Bench *) data)->graph, NULL, NULL));
}

static void
series (gpointer data)
{
  Bench *bench = data;
  g_autoptr (GPtrArray) graphs = g_ptr_array_new (), labels = g_ptr_array_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_ptr_array_add (graphs, bench->graph);
      g_ptr_array_add (labels, (gpointer) "state");
    }
  ls_graph_series_unref (ls_graph_series_new (graphs, labels));
}

static void
lay_out (Bench   *bench,
         LsGraph *graph)
{
  g_autofree LsGraphSize *sizes = g_new (LsGraphSize, graph->nodes->len + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  for (guint i = 0; i < graph->nodes->len; i++)
    sizes[i] = (LsGraphSize) { 190, 72 };
  answer = ls_worker_call (bench->worker, "layout", ls_graph_layout_request (graph, sizes, NULL, NULL), NULL, NULL, NULL, NULL, &error);
  if (answer == NULL)
    g_error ("%s", error->message);
  ls_graph_layout_free (ls_graph_layout_read (answer, graph, NULL));
}

static void
layout_whole (gpointer data)
{
  lay_out (data, ((Bench *) data)->graph);
}

static void
layout_folded (gpointer data)
{
  Bench *bench = data;
  g_autoptr (LsGraph) graph = ls_graph_from_relax (bench->module, NULL);
  g_autoptr (LsGraph) folded = ls_graph_fold_groups (graph, 250, NULL);

  lay_out (bench, folded);
}

static void
measure (guint n)
{
  g_autofree char *source_text = ls_bench_model_text (n);
  g_autoptr (LsSource) source = ls_source_new ("model", source_text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  Bench bench = { .module = ls_script_parse (source, findings), .worker = ls_worker_new () };
  const struct { const char *name; LsBenchFunc run; double budget; } parts[] = {
    { "build", build, 0.0 }, { "fold", fold, 0.0 }, { "search", search, 0.0 }, { "text", text, 0.0 }, { "two states", series, 0.0 },
    { "layout, nothing folded", n <= 1000 ? layout_whole : NULL, n == 1000 ? 200e6 : 0.0 },
    { "build, fold, lay out", layout_folded, n == 10000 ? 1e9 : 0.0 },
  };

  bench.graph = ls_graph_from_relax (bench.module, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *name = g_strdup_printf ("graph of %u calls: %s", n, parts[i].name);

      if (parts[i].run != NULL)
        ls_bench_run (name, parts[i].budget, parts[i].run, &bench);
    }
  ls_graph_unref (bench.graph);
  ls_unref (bench.module);
  g_object_unref (bench.worker);
}

/* ---- models through the passes that legalise and fuse ------------------------------------------------ */

typedef struct {
  const char *name;
  GPtrArray  *modules;          /* of LsModule: as opened and after each pass */
  GPtrArray  *labels;
  guint       limit;            /* 0: nothing is folded */
  LsWorker   *worker;
} Stages;

static void
lay_out_stages (gpointer data)
{
  Stages *stages = data;
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (LsGraphSeries) series = NULL;
  Bench bench = { .worker = stages->worker };

  for (guint i = 0; i < stages->modules->len; i++)
    {
      g_autoptr (LsGraph) graph = ls_graph_from_relax (stages->modules->pdata[i], NULL);

      g_ptr_array_add (graphs, stages->limit > 0 ? ls_graph_fold_groups (graph, stages->limit, NULL) : ls_graph_ref (graph));
    }
  series = ls_graph_series_new (graphs, stages->labels);
  lay_out (&bench, series->whole);
}

/* ---- one pass more ------------------------------------------------------------------------------------ */

typedef struct {
  LsGraphSeries *before, *after;
  LsGraphLayout *layout;
  GVariant      *request;
} Change;

static GVariant *
change_request (LsGraphSeries *series)
{
  g_autofree LsGraphSize *sizes = g_new (LsGraphSize, series->whole->nodes->len + 1);

  for (guint i = 0; i < series->whole->nodes->len; i++)
    sizes[i] = (LsGraphSize) { 190, 72 };
  return g_variant_ref_sink (ls_graph_layout_request (series->whole, sizes, NULL, NULL));
}

static void
go_on (gpointer data)
{
  Change *change = data;
  g_autoptr (LsGraphKept) kept = ls_graph_kept_new (change->layout, change->before, change->after, change->request);

  if (kept == NULL)
    g_error ("nothing is kept");
  ls_graph_layout_free (ls_graph_kept_finish (kept, NULL, NULL));
}

/* A pass that puts a call behind one of a hundred: where everything stands then, in the place of a new layout. */
static void
measure_change (guint n)
{
  g_autofree char *text = ls_bench_model_text (n), *name = NULL;
  g_autoptr (LsSource) source = ls_source_new ("model", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, NULL), more = ls_graph_copy (graph);
  g_autoptr (GPtrArray) graphs = g_ptr_array_new (), labels = g_ptr_array_new ();
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GVariant) first = NULL, answer = NULL;
  Change change;

  for (guint i = 0; i < graph->nodes->len; i += 100)
    {
      g_autofree char *key = g_strdup_printf ("new%u", i);

      ls_graph_add_node (more, LS_GRAPH_NODE_CALL, key, "nn.relu")->cluster = ls_graph_node (graph, i)->cluster;
      ls_graph_add_edge (more, LS_GRAPH_EDGE_FLOW, i, more->nodes->len - 1, "lv", NULL);
    }
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (labels, "state");
  g_ptr_array_add (graphs, graph);
  change.before = ls_graph_series_one (graph, "state");
  g_ptr_array_add (graphs, more);
  change.after = ls_graph_series_new (graphs, labels);
  first = change_request (change.before);
  answer = ls_worker_call (worker, "layout", first, NULL, NULL, NULL, NULL, NULL);
  change.layout = ls_graph_layout_read (answer, change.before->whole, NULL);
  change.request = change_request (change.after);
  name = g_strdup_printf ("graph of %u calls: laid out after a pass that adds %u", n, more->nodes->len - graph->nodes->len);
  ls_bench_run (name, n == 1000 ? 16e6 : 0.0, go_on, &change);
  g_variant_unref (change.request);
  ls_graph_layout_free (change.layout);
  ls_graph_series_unref (change.before);
  ls_graph_series_unref (change.after);
  ls_unref (module);
}

/* What the window does from the modules on until the picture can be drawn. */
static void
measure_stages (const char *name,
                char       *text,       /* taken */
                gboolean    passes,
                guint       limit,
                double      budget)
{
  static const char *const PASSES[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR" };
  g_autofree char *taken = text;
  g_autoptr (LsSource) source = ls_source_new ("model", taken, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GPtrArray) modules = g_ptr_array_new (), labels = g_ptr_array_new ();
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (LsGraph) graph = NULL;
  g_autofree char *title = NULL;
  Stages stages = { name, modules, labels, limit, worker };

  g_ptr_array_add (modules, ls_script_parse (source, findings));
  g_ptr_array_add (labels, "as opened");
  for (guint i = 0; passes && i < G_N_ELEMENTS (PASSES); i++)
    {
      g_autoptr (GError) error = NULL;
      LsModule *after = ls_graph_run_pass (modules->pdata[i], PASSES[i], &error);

      if (after == NULL)
        g_error ("%s", error->message);
      g_ptr_array_add (modules, after);
      g_ptr_array_add (labels, (gpointer) PASSES[i]);
    }
  graph = ls_graph_from_relax (modules->pdata[0], NULL);
  title = g_strdup_printf ("%s, %u nodes, %u state%s%s: to a picture", name, graph->nodes->len, modules->len, modules->len > 1 ? "s" : "", limit > 0 ? ", folded" : "");
  ls_bench_run (title, budget, lay_out_stages, &stages);
  for (guint i = 0; i < modules->len; i++)
    ls_unref ((LsModule *) modules->pdata[i]);
}

int
main (void)
{
  ls_bench_head ();
  measure_stages ("transformer of 21 layers", ls_model_transformer (21), TRUE, 0, 500e6);
  measure_stages ("transformer of 21 layers", ls_model_transformer (21), TRUE, 250, 500e6);
  measure_stages ("ResNet of 52 blocks", ls_model_resnet (52), TRUE, 0, 500e6);
  measure_stages ("random, high fan-out", ls_model_random (1000, 1), TRUE, 0, 500e6);
  measure_stages ("transformer of 213 layers", ls_model_transformer (213), FALSE, 250, 1e9);
  measure_stages ("random, high fan-out", ls_model_random (10000, 1), FALSE, 250, 1e9);
  measure_stages ("transformer of 2130 layers", ls_model_transformer (2130), FALSE, 250, 5e9);
  measure_change (1000);
  measure_change (10000);
  measure (100);
  measure (1000);
  measure (10000);
  return 0;
}
