/* timeline: measured calls at their nodes, as a trace that is read back, and two programs as rows. */
#include "app/rpc/rpc.h"
#include "engine/graph/beside.h"
#include "engine/graph/series.h"
#include "engine/graph/timeline.h"
#include "engine/script/script.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define MODEL \
  "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((8, 8), \"float32\"), w: R.Tensor((8, 8), \"float32\")):\n        with R.dataflow():\n" \
  "            a = R.matmul(x, w)\n            b = R.nn.relu(a)\n            c = R.matmul(b, w)\n            y = R.add(c, x)\n            R.output(y)\n        return y\n"

static LsModule *
module_of (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("model.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_nonnull (module);
  return module;
}

/* Of three runs with two calls of matmul, whose times are known, around others; (transfer full) */
static GVariant *
fixed_answer (gint64 left_out)
{
  static const double run_ns[] = { 1000.0, 2000.0, 1500.0 }, bytes[] = { 768.0, 512.0, 768.0, 768.0 }, flop[] = { 1024.0, 64.0, 1024.0, -1.0 };
  static const double starts[] = { 0, 200, 300, 800, 0, 400, 500, 1500, 0, 300, 400, 1100 };
  static const double lengths[] = { 100, 10, 400, 50, 300, 30, 800, 70, 200, 20, 600, 60 };
  static const char *const names[] = { "matmul", "relu", "matmul", "add", NULL };
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", "main");
  g_variant_dict_insert (&dict, "left-out", "x", left_out);
  g_variant_dict_insert_value (&dict, "names", g_variant_new_strv (names, -1));
#define PUT(key, array) g_variant_dict_insert_value (&dict, key, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, array, G_N_ELEMENTS (array), sizeof (double)))
  PUT ("run-ns", run_ns);
  PUT ("bytes", bytes);
  PUT ("flop", flop);
  PUT ("starts", starts);
  PUT ("lengths", lengths);
#undef PUT
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static const LsGraphNumbers *
numbers_of (LsGraph    *graph,
            const char *key)
{
  gint at = ls_graph_find (graph, key);

  g_assert_cmpint (at, >=, 0);
  return &ls_graph_node (graph, at)->numbers;
}

static void
test_read (void)
{
  g_autoptr (GVariant) answer = fixed_answer (1), other = g_variant_ref_sink (g_variant_new ("a{sv}", NULL));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsGraphTimeline) timeline = ls_graph_timeline_read (answer, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (timeline->ns, ==, 1500.0);
  g_assert_cmpfloat (timeline->spread_ns, ==, 250.0);
  g_assert_cmpuint (timeline->middle, ==, 2);
  g_assert_cmpuint (timeline->n_left_out, ==, 1);
  g_assert_cmpuint (timeline->calls->len, ==, 4);
  g_assert_cmpfloat (g_array_index (timeline->calls, LsGraphCallTime, 2).ns, ==, 600.0);
  g_assert_cmpfloat (g_array_index (timeline->calls, LsGraphCallTime, 2).spread_ns, ==, 100.0);
  g_assert_cmpfloat (g_array_index (timeline->calls, LsGraphCallTime, 2).start_ns, ==, 400.0);
  g_assert_null (ls_graph_timeline_read (other, &error));
  g_assert_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS);
}

/* Each call of the same function has its own time, also where operators are not legalised and where they are fused. */
static void
test_put (void)
{
  g_autoptr (LsModule) module = module_of (MODEL);
  g_autoptr (GVariant) answer = fixed_answer (0);
  g_autoptr (LsGraphTimeline) timeline = ls_graph_timeline_read (answer, NULL);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main"), folded = NULL;
  g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);

  g_assert_cmpfloat (numbers_of (graph, "main/a")->ns, ==, 200.0);
  g_assert_cmpfloat (numbers_of (graph, "main/c")->ns, ==, 600.0);
  g_assert_cmpfloat (numbers_of (graph, "main/c")->spread_ns, ==, 100.0);
  g_assert_cmpfloat (numbers_of (graph, "main/a")->flop, ==, 1024.0);
  g_assert_cmpstr (ls_graph_node (graph, nodes[1])->name, ==, "b");
  folded = ls_graph_fold_groups (graph, 2, NULL);
  ls_graph_show_numbers (graph, folded);
  g_assert_cmpfloat (fabs (ls_graph_sum (folded).ns - 880.0), <, 1e-6);
}

/* A call of another function of Relax has what the calls in that took, whether the graph shows that function or not. */
static void
test_inner (void)
{
  g_autoptr (LsModule) module = module_of (MODEL), legalised = ls_graph_run_pass (module, "LegalizeOps()", NULL);
  g_autoptr (LsModule) fused = ls_graph_run_pass (legalised, "FuseThese([\"a\", \"b\"])", NULL);
  g_autoptr (GVariant) answer = fixed_answer (0);
  g_autoptr (LsGraphTimeline) timeline = ls_graph_timeline_read (answer, NULL);

  for (guint all = 0; all < 2; all++)
    {
      g_autoptr (LsGraph) graph = ls_graph_from_relax (fused, all ? NULL : "main");
      g_autofree gint *nodes = ls_graph_timeline_put (timeline, fused, graph);
      double sum = 0.0;

      for (guint i = 0; i < graph->nodes->len; i++)
        if (ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL && strcmp (ls_graph_node (graph, i)->function, "main") == 0)
          {
            g_assert_cmpfloat (ls_graph_node (graph, i)->numbers.ns, >=, 0.0);
            sum += ls_graph_node (graph, i)->numbers.ns;
          }
      g_assert_cmpfloat (fabs (sum - 880.0), <, 1e-6);
      g_assert_cmpfloat (numbers_of (graph, "main/c")->ns, ==, 600.0);          /* the other call of matmul comes first, wherever its function stands */
    }
}

static void
test_roofs (void)
{
  static const LsGraphRoof levels[] = { { 1000.0, 10.0 }, { 1e6, 1.0 } };
  g_autoptr (LsModule) module = module_of (MODEL);
  g_autoptr (GVariant) answer = fixed_answer (0);
  g_autoptr (LsGraphTimeline) timeline = ls_graph_timeline_read (answer, NULL);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
  g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);

  ls_graph_set_roofs (graph, 20.0, levels, G_N_ELEMENTS (levels));
  /* 1024 operations on 768 bytes at 10 GB/s: at most 13.3 GFLOP/s; it does 1024 in 200 ns */
  g_assert_cmpfloat (fabs (numbers_of (graph, "main/a")->roof - 1024.0 / 200.0 / (1024.0 / 768.0 * 10.0)), <, 1e-9);
  g_assert_cmpfloat (fabs (numbers_of (graph, "main/y")->roof - 768.0 / 60.0 / 10.0), <, 1e-9);
}

/* The Trace Event Format as it is documented (its JSON object form), for the phases that are written: which fields an event has, of which type, and what
 * its arguments have to be.  What Perfetto makes of it: tests/python/trace_processor.py. */
static const struct {
  const char *phase, *field;
  GType       type;
  gboolean    needed;
} FIELDS[] = {
  { "X", "ph", G_TYPE_STRING, TRUE }, { "X", "name", G_TYPE_STRING, TRUE }, { "X", "cat", G_TYPE_STRING, FALSE }, { "X", "pid", G_TYPE_INT64, TRUE },
  { "X", "tid", G_TYPE_INT64, TRUE }, { "X", "ts", G_TYPE_DOUBLE, TRUE }, { "X", "dur", G_TYPE_DOUBLE, TRUE }, { "X", "args", G_TYPE_NONE, FALSE },
  { "C", "ph", G_TYPE_STRING, TRUE }, { "C", "name", G_TYPE_STRING, TRUE }, { "C", "pid", G_TYPE_INT64, TRUE }, { "C", "tid", G_TYPE_INT64, FALSE },
  { "C", "ts", G_TYPE_DOUBLE, TRUE }, { "C", "args", G_TYPE_NONE, TRUE },
  { "M", "ph", G_TYPE_STRING, TRUE }, { "M", "name", G_TYPE_STRING, TRUE }, { "M", "pid", G_TYPE_INT64, TRUE }, { "M", "tid", G_TYPE_INT64, FALSE },
  { "M", "args", G_TYPE_NONE, TRUE },
};

static gboolean
is_field (JsonNode *node,
          GType     type)
{
  GType has = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  if (type == G_TYPE_NONE)
    return JSON_NODE_HOLDS_OBJECT (node);
  return has == type || (type == G_TYPE_DOUBLE && has == G_TYPE_INT64);
}

static void
check_event (JsonObject *event,
             gint64      last)
{
  const char *phase = json_object_get_string_member_with_default (event, "ph", "");
  g_autoptr (GList) names = json_object_get_members (event);
  JsonObject *args = json_object_has_member (event, "args") ? json_object_get_object_member (event, "args") : NULL;
  guint n_known = 0;

  g_assert_true (strlen (phase) == 1 && strchr ("XCM", *phase) != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (FIELDS); i++)
    {
      JsonNode *node = json_object_get_member (event, FIELDS[i].field);

      if (strcmp (FIELDS[i].phase, phase) != 0)
        continue;
      if (node == NULL)
        {
          g_assert_false (FIELDS[i].needed);
          continue;
        }
      n_known++;
      g_assert_true (is_field (node, FIELDS[i].type));
    }
  g_assert_cmpuint (n_known, ==, g_list_length (names));        /* nothing else is in it */
  if (*phase != 'M')
    g_assert_cmpfloat (json_object_get_double_member (event, "ts"), >=, 0.0);
  if (*phase == 'M')
    {
      const char *name = json_object_get_string_member (event, "name");

      if (strcmp (name, "thread_sort_index") == 0)      /* tracks stand as they are numbered, not by name ("run 10", "run 2") */
        g_assert_cmpint (json_object_get_int_member (args, "sort_index"), ==, json_object_get_int_member (event, "tid"));
      else
        {
          g_assert_true (strcmp (name, "process_name") == 0 || strcmp (name, "thread_name") == 0);
          g_assert_cmpstr (json_object_get_string_member_with_default (args, "name", ""), !=, "");
        }
    }
  for (GList *l = *phase == 'C' ? json_object_get_members (args) : NULL; l != NULL; l = g_list_delete_link (l, l))
    g_assert_true (is_field (json_object_get_member (args, l->data), G_TYPE_DOUBLE));   /* a counter is numbers */
  g_assert_cmpint (json_object_get_int_member (event, "tid"), <=, last);
}

/* Reads the trace as a viewer does: events of a track lie inside the run and not in each other, names and arguments are there. */
static void
check_trace (const char            *text,
             const LsGraphTimeline *timeline,
             guint                  n_named)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) ends = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint n_calls = 0, n_tracks = 0, n_sorted = 0, n_counts = 0, n_bound = 0;
  JsonArray *events;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (json_parser_get_root (parser)), "displayTimeUnit"), ==, "ns");     /* or "ms" */
  events = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      const char *phase = json_object_get_string_member (event, "ph");
      gpointer track = GINT_TO_POINTER ((gint) json_object_get_int_member (event, "tid"));
      double *end = g_hash_table_lookup (ends, track);

      check_event (event, (gint64) timeline->runs->len + 1);
      g_assert_cmpint (json_object_get_int_member (event, "pid"), ==, 1);
      g_assert_cmpstr (json_object_get_string_member (event, "name"), !=, "");
      n_tracks += strcmp (phase, "M") == 0 && strcmp (json_object_get_string_member (event, "name"), "thread_name") == 0;
      n_sorted += strcmp (phase, "M") == 0 && strcmp (json_object_get_string_member (event, "name"), "thread_sort_index") == 0;
      n_counts += strcmp (phase, "C") == 0;
      if (strcmp (phase, "X") != 0)
        continue;
      n_calls++;
      n_bound += json_object_has_member (json_object_get_object_member (event, "args"), "binding");
      g_assert_true (json_object_has_member (json_object_get_object_member (event, "args"), "median_ns"));
      if (end == NULL)
        g_hash_table_insert (ends, track, end = g_new0 (double, 1));
      g_assert_cmpfloat (json_object_get_double_member (event, "ts"), >=, *end);
      g_assert_cmpfloat (json_object_get_double_member (event, "dur"), >=, 0.0);
      *end = json_object_get_double_member (event, "ts") + json_object_get_double_member (event, "dur");
    }
  g_assert_cmpuint (n_calls, ==, timeline->calls->len * (timeline->runs->len + 1));
  g_assert_cmpuint (n_tracks, ==, timeline->runs->len + 1);
  g_assert_cmpuint (n_sorted, ==, n_tracks);
  g_assert_cmpuint (n_counts, ==, n_named);
  g_assert_cmpuint (n_bound, ==, n_named * (timeline->runs->len + 1));
}

static void
test_trace (void)
{
  g_autoptr (LsModule) module = module_of (MODEL);
  g_autoptr (GVariant) answer = fixed_answer (0);
  g_autoptr (LsGraphTimeline) timeline = ls_graph_timeline_read (answer, NULL);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
  g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);
  g_autofree char *trace = ls_graph_timeline_trace (timeline, graph, nodes, "a \"model\"");

  check_trace (trace, timeline, 4);
}

/* ---- measured ---------------------------------------------------------------------------- */

static GVariant *
ask (const char *method,
     GVariant   *params)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_worker_call (worker, method, params, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static LsGraphTimeline *
measure (LsModule *module,
         guint     repeat)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  LsGraphTimeline *timeline;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "repeat", "x", (gint64) repeat);
  answer = ask ("time-graph", g_variant_dict_end (&params));
  timeline = ls_graph_timeline_read (answer, &error);
  g_assert_no_error (error);
  return timeline;
}

static LsModule *
after (LsModule   *module,
       const char *const *passes)
{
  LsModule *now = ls_ref (module);

  for (guint i = 0; passes[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      LsModule *next = ls_graph_run_pass (now, passes[i], &error);

      g_assert_no_error (error);
      ls_take (&now, next);
    }
  return now;
}

static const char *const FUSE[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", "FuseTIR()", NULL };
static const char *const FUSE_OPS[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", NULL };

/* A transformer's layer, as written, after FuseOps (functions of Relax call functions) and after FuseTIR: every call has a time, and all together
 * take no longer than the run. */
static void
test_measured (void)
{
  g_autofree char *text = ls_model_transformer (1);
  g_autoptr (LsModule) written = module_of (text);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (LsModule) module = i == 0 ? ls_ref (written) : after (written, i == 1 ? FUSE_OPS : FUSE);
      g_autoptr (LsGraphTimeline) timeline = measure (module, 5);
      g_autoptr (LsGraph) graph = ls_graph_from_relax (module, NULL);
      g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);
      g_autofree char *trace = ls_graph_timeline_trace (timeline, graph, nodes, "transformer");
      double sum = 0.0;

      for (guint k = 0; k < graph->nodes->len; k++)
        {
          LsGraphNode *node = ls_graph_node (graph, k);

          if (node->kind != LS_GRAPH_NODE_CALL || strcmp (node->function, "main") != 0)
            continue;
          if (node->numbers.ns < 0.0)
            g_test_fail_printf ("%u: %s (%s) has no time", i, node->name, node->title);
          sum += MAX (node->numbers.ns, 0.0);
        }
      g_assert_cmpfloat (sum, >, 0.0);
      g_assert_cmpfloat (sum, <, 1.5 * timeline->ns);
      check_trace (trace, timeline, timeline->calls->len);
    }
}

/* ---- two programs ---------------------------------------------------------------------------- */

/* What became what is known through four passes, and the rows tell sums of what was fused and what changed most first. */
static void
test_beside (void)
{
  g_autoptr (LsModule) left_module = module_of (MODEL), right_module = NULL;
  g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
  g_autoptr (LsGraph) left = NULL, right = NULL;
  g_autoptr (LsGraphComparison) comparison = NULL;
  g_autoptr (GArray) rows = NULL;

  ls_relax_lineage_begin (lineage);
  right_module = after (left_module, FUSE);
  ls_relax_lineage_end (lineage);
  left = ls_graph_from_relax (left_module, "main");
  right = ls_graph_from_relax (right_module, "main");
  comparison = ls_graph_compare_made (left, right, &lineage, 1);
  g_assert_cmpuint (comparison->matches->len, ==, 2);
  g_assert_cmpuint (comparison->n_known, ==, 2);
  g_assert_cmpuint (comparison->only_left->len + comparison->only_right->len, ==, 0);
  g_assert_cmpfloat (comparison->score, ==, 1.0);
  ls_graph_node (left, ls_graph_find (left, "main/a"))->numbers.ns = 100.0;
  ls_graph_node (left, ls_graph_find (left, "main/b"))->numbers.ns = 20.0;
  ls_graph_node (left, ls_graph_find (left, "main/c"))->numbers.ns = 100.0;
  ls_graph_node (left, ls_graph_find (left, "main/y"))->numbers.ns = 900.0;
  for (guint i = 0; i < right->nodes->len; i++)
    if (ls_graph_node (right, i)->kind == LS_GRAPH_NODE_CALL)
      ls_graph_node (right, i)->numbers.ns = 110.0;
  rows = ls_graph_beside_new (comparison, left, right);
  ls_graph_beside_sort (rows);
  g_assert_cmpfloat (g_array_index (rows, LsGraphBeside, 0).left_ns, ==, 1000.0);
  g_assert_cmpfloat (g_array_index (rows, LsGraphBeside, 0).change_ns, ==, -890.0);
  g_assert_cmpfloat (g_array_index (rows, LsGraphBeside, 1).left_ns, ==, 120.0);
  g_assert_cmpuint (g_array_index (rows, LsGraphBeside, 1).match->left->len, ==, 2);
}

/* Structure cannot tell which of two equal calls became which; the notes of the passes can, also where one is gone. */
static void
test_known (void)
{
  static const char TWINS[] =
    "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\")):\n        with R.dataflow():\n"
    "            a = R.exp(x)\n            b = R.exp(x)\n            c = R.tanh(b)\n            d = R.nn.relu(a)\n            y = R.add(c, c)\n            R.output(y)\n        return y\n";
  static const char *const PASSES[] = { "DeadCodeElimination()", "LegalizeOps()", NULL };
  g_autoptr (LsModule) left_module = module_of (TWINS), right_module = NULL;
  g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
  g_autoptr (LsGraph) left = NULL, right = NULL;
  g_autoptr (LsGraphComparison) comparison = NULL, guessed = NULL;

  ls_relax_lineage_begin (lineage);
  right_module = after (left_module, PASSES);
  ls_relax_lineage_end (lineage);
  left = ls_graph_from_relax (left_module, "main");
  right = ls_graph_from_relax (right_module, "main");
  comparison = ls_graph_compare_made (left, right, &lineage, 1);
  guessed = ls_graph_compare (left, right);
  for (guint i = 0; i < comparison->matches->len; i++)
    {
      LsGraphMatch *match = comparison->matches->pdata[i];

      g_assert_cmpstr (ls_graph_node (left, g_array_index (match->left, guint, 0))->name, ==, ls_graph_node (right, g_array_index (match->right, guint, 0))->name);
      g_assert_true (match->is_known);
    }
  g_assert_cmpuint (comparison->matches->len, ==, 3);
  g_assert_cmpuint (comparison->only_left->len, ==, 2);
  g_assert_cmpuint (guessed->n_known, ==, 0);
}

/* The values of a fused program are those of the one before; a program with another constant differs where it says. */
static void
test_values (void)
{
  static const char OTHER[] =
    "@I.ir_module\nclass Module:\n    @R.function\n    def main(w: R.Tensor((8, 8), \"float32\"), x: R.Tensor((8, 8), \"float32\")):\n        with R.dataflow():\n"
    "            a = R.matmul(x, w)\n            b = R.nn.relu(a)\n            c = R.matmul(b, w)\n            y = R.subtract(c, x)\n            R.output(y)\n        return y\n";
  g_autoptr (LsModule) left_module = module_of (MODEL), right_module = module_of (OTHER);
  g_autoptr (LsGraph) left = ls_graph_from_relax (left_module, "main"), right = ls_graph_from_relax (right_module, "main");
  g_autoptr (LsGraphComparison) comparison = ls_graph_compare (left, right);
  g_autoptr (GArray) rows = ls_graph_beside_new (comparison, left, right), numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) names = g_ptr_array_new (), others = g_ptr_array_new ();
  g_autoptr (GVariant) answer = NULL, pairs = NULL;
  GVariantDict params;

  ls_graph_beside_pairs (rows, left, right, names, others, numbers);
  g_assert_cmpuint (names->len, ==, 3);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", MODEL);
  g_variant_dict_insert (&params, "right", "s", OTHER);
  g_variant_dict_insert_value (&params, "places", ls_graph_beside_places (comparison, left, right));
  g_variant_dict_insert_value (&params, "left-names", g_variant_new_strv ((const char *const *) names->pdata, names->len));
  g_variant_dict_insert_value (&params, "right-names", g_variant_new_strv ((const char *const *) others->pdata, others->len));
  answer = ask ("graph-values", g_variant_dict_end (&params));
  pairs = g_variant_lookup_value (answer, "pairs", NULL);
  ls_graph_beside_put (rows, numbers, pairs);
  for (guint i = 0; i < rows->len; i++)
    {
      const LsGraphBeside *row = &g_array_index (rows, LsGraphBeside, i);

      g_assert_null (row->trouble);
      g_assert_cmpfloat (row->error, ==, row->match != NULL ? 0.0 : -1.0);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/read", test_read);
  g_test_add_func ("/timeline/put", test_put);
  g_test_add_func ("/timeline/inner", test_inner);
  g_test_add_func ("/timeline/roofs", test_roofs);
  g_test_add_func ("/timeline/trace", test_trace);
  g_test_add_func ("/timeline/measured", test_measured);
  g_test_add_func ("/beside/rows", test_beside);
  g_test_add_func ("/beside/known", test_known);
  g_test_add_func ("/beside/values", test_values);
  return g_test_run ();
}
