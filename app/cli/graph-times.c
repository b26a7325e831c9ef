/* graph-times: see the header. */
#include "app/cli/graph-times.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/runtime/peaks.h"

#include <stdio.h>
#include <string.h>

/* ---- measuring ------------------------------------------------------------------ */

LsGraphTimeline *
ls_cli_graph_measure (const char *command,
                      LsModule   *module,
                      const char *func,
                      gint64      repeat,
                      gint64      timeout,
                      LsGraph    *graph,
                      gint      **nodes)
{
  g_autofree char *text = ls_cli_module_text (module);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  LsGraphTimeline *timeline;
  g_autofree gint *made = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "repeat", "x", repeat);
  if (func != NULL)
    g_variant_dict_insert (&params, "func", "s", func);
  answer = ls_cli_ask (command, "time-graph", &params, (double) timeout, NULL, NULL);
  timeline = answer != NULL ? ls_graph_timeline_read (answer, &error) : NULL;
  if (error != NULL)
    ls_cli_fail (command, "%s", error->message);
  if (timeline == NULL)
    return NULL;
  made = ls_graph_timeline_put (timeline, module, graph);
  ls_graph_put_roofs (graph);
  if (nodes != NULL)
    *nodes = g_steal_pointer (&made);
  return timeline;
}

/* ---- the table ---------------------------------------------------------------------- */

static gint
by_time (gconstpointer a,
         gconstpointer b,
         gpointer      graph)
{
  double x = ls_graph_node ((LsGraph *) graph, *(const guint *) a)->numbers.ns, y = ls_graph_node ((LsGraph *) graph, *(const guint *) b)->numbers.ns;

  return x > y ? -1 : x < y ? 1 : (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

/* Calls with a time. (transfer full) of guint */
static GArray *
timed_calls (LsGraph *graph)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < graph->nodes->len; i++)
    if (ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL && ls_graph_node (graph, i)->numbers.ns >= 0.0)
      g_array_append_val (calls, i);
  return calls;
}

static char *
short_number (double value)
{
  return value >= 0.0 ? g_strdup_printf ("%.3g", value) : g_strdup ("-");
}

void
ls_cli_graph_times_text (const LsGraphTimeline *timeline,
                         LsGraph               *graph)
{
  g_autoptr (GArray) calls = timed_calls (graph);
  g_autofree char *run = ls_cli_duration (timeline->ns), *spread = ls_cli_duration (timeline->spread_ns);
  g_autofree char *date = ls_peaks_date (ls_host_cpu_name ());
  double sum = 0.0;
  int width = 8, title_width = 4;

  g_array_sort_with_data (calls, by_time, graph);
  for (guint i = 0; i < timeline->calls->len; i++)
    sum += g_array_index (timeline->calls, LsGraphCallTime, i).ns;
  for (guint i = 0; i < calls->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, g_array_index (calls, guint, i));

      width = MAX (width, (int) g_utf8_strlen (node->name != NULL ? node->name : node->title, -1));
      title_width = MAX (title_width, (int) g_utf8_strlen (node->title, -1));
    }
  printf ("%-*s  %-*s %10s %10s %6s %9s %11s %9s %7s %6s\n", width, "binding", title_width, "call", "time", "spread", "share", "flop", "bytes", "GFLOP/s", "GB/s", "roof");
  for (guint i = 0; i < calls->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, g_array_index (calls, guint, i));
      const LsGraphNumbers *n = &node->numbers;
      g_autofree char *time = ls_cli_duration (n->ns), *off = n->spread_ns >= 0.0 ? ls_cli_duration (n->spread_ns) : g_strdup ("-");
      g_autofree char *flop = short_number (n->flop), *rate = short_number (n->flop >= 0.0 && n->ns > 0.0 ? n->flop / n->ns : -1.0);
      g_autofree char *bytes = n->bytes >= 0.0 ? g_format_size_full ((guint64) n->bytes, G_FORMAT_SIZE_IEC_UNITS) : g_strdup ("-");
      g_autofree char *band = short_number (n->bytes >= 0.0 && n->ns > 0.0 ? n->bytes / n->ns : -1.0);
      g_autofree char *roof = n->roof >= 0.0 ? g_strdup_printf ("%.0f%%", 100.0 * n->roof) : g_strdup ("-");

      printf ("%-*s  %-*s %10s %10s %5.1f%% %9s %11s %9s %7s %6s\n", width, node->name != NULL ? node->name : node->title, title_width, node->title, time, off,
              sum > 0.0 ? 100.0 * n->ns / sum : 0.0, flop, bytes, rate, band, roof);
    }
  printf ("\na run of %s takes %s, spread %s, over %u run%s; its %u %s %.1f%% of it\n", timeline->function, run, spread, timeline->runs->len,
          timeline->runs->len == 1 ? "" : "s", timeline->calls->len, timeline->calls->len == 1 ? "call takes" : "calls take",
          timeline->ns > 0.0 ? 100.0 * sum / timeline->ns : 0.0);
  if (date == NULL)
    printf ("what the machine can do is not known yet; loopscope-cli roofline measures it\n");
  else if (ls_peaks_doubtful (ls_host_cpu_name ()))
    printf ("what the machine can do was measured while it was busy: shares of the roof may be too high\n");
  if (timeline->n_left_out > 0)
    printf (timeline->n_left_out == 1 ? "%u more run made other calls and does not count\n" : "%u more runs made other calls and do not count\n", timeline->n_left_out);
}

static void
add_number (JsonBuilder *builder,
            const char  *name,
            double       value)
{
  if (value < 0.0)
    return;
  ls_json_put_double (builder, name, value);
}

void
ls_cli_graph_times_json (const LsGraphTimeline *timeline,
                         LsGraph               *graph)
{
  g_autoptr (GArray) calls = timed_calls (graph);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "function", timeline->function);
  add_number (builder, "run_ns", timeline->ns);
  add_number (builder, "spread_ns", timeline->spread_ns);
  ls_json_put_int (builder, "runs", timeline->runs->len);
  ls_json_put_int (builder, "left_out", timeline->n_left_out);
  ls_json_begin_array (builder, "calls");
  for (guint i = 0; i < calls->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, g_array_index (calls, guint, i));

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "key", node->key);
      ls_json_put_text (builder, "name", node->name);
      ls_json_put_text (builder, "title", node->title);
      ls_json_put_text (builder, "type", node->type);
      add_number (builder, "ns", node->numbers.ns);
      add_number (builder, "spread_ns", node->numbers.spread_ns);
      add_number (builder, "flop", node->numbers.flop);
      add_number (builder, "bytes", node->numbers.bytes);
      add_number (builder, "roof", node->numbers.roof);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* ---- values of two ------------------------------------------------------------------------ */

gboolean
ls_cli_graph_values (const char              *command,
                     LsModule                *left_module,
                     LsModule                *right_module,
                     const char              *func,
                     gint64                   timeout,
                     const LsGraphComparison *comparison,
                     LsGraph                 *left,
                     LsGraph                 *right,
                     GArray                  *rows)
{
  g_autofree char *left_text = ls_cli_module_text (left_module), *right_text = ls_cli_module_text (right_module);
  g_autoptr (GPtrArray) names = g_ptr_array_new (), others = g_ptr_array_new ();
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GVariant) answer = NULL, pairs = NULL;
  GVariantDict params;

  ls_graph_beside_pairs (rows, left, right, names, others, numbers);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", left_text);
  g_variant_dict_insert (&params, "right", "s", right_text);
  if (func != NULL)
    {
      g_variant_dict_insert (&params, "left-func", "s", func);
      g_variant_dict_insert (&params, "right-func", "s", func);
    }
  g_variant_dict_insert_value (&params, "places", ls_graph_beside_places (comparison, left, right));
  g_variant_dict_insert_value (&params, "left-names", g_variant_new_strv ((const char *const *) names->pdata, (gssize) names->len));
  g_variant_dict_insert_value (&params, "right-names", g_variant_new_strv ((const char *const *) others->pdata, (gssize) others->len));
  answer = ls_cli_ask (command, "graph-values", &params, (double) timeout, NULL, NULL);
  pairs = answer != NULL ? ls_params_value (answer, "pairs") : NULL;
  if (pairs != NULL)
    {
      g_autofree char *unpaired = ls_graph_beside_unpaired (comparison, left, right, NULL, NULL);

      ls_graph_beside_put (rows, numbers, pairs);
      if (unpaired != NULL)
        fprintf (stderr, "%s\n", unpaired);
    }
  return pairs != NULL;
}
