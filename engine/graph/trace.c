/* trace: a timeline as Chrome's trace events: complete events ("X", microseconds), a counter ("C"), names and order of tracks ("M"). */
#include "engine/graph/timeline.h"

#include "engine/base/json.h"
#include "engine/graph/memory.h"

#include <json-glib/json-glib.h>

static void
begin_event (JsonBuilder *out,
             const char  *phase,
             const char  *name,
             gint64       track)
{
  json_builder_begin_object (out);
  ls_json_put_text (out, "ph", phase);
  ls_json_put_text (out, "name", name);
  ls_json_put_int (out, "pid", 1);
  ls_json_put_int (out, "tid", track);
}

static void
begin_args (JsonBuilder *out)
{
  ls_json_begin_object (out, "args");
}

static void
end_event (JsonBuilder *out)
{
  json_builder_end_object (out);
  json_builder_end_object (out);
}

static void
put_name (JsonBuilder *out,
          const char  *what,    /* process_name, thread_name */
          gint64       track,
          const char  *name)
{
  begin_event (out, "M", what, track);
  begin_args (out);
  ls_json_put_text (out, "name", name);
  end_event (out);
}

/* A track by its name, in the order of their numbers: without it viewers sort names, "run 10" before "run 2". */
static void
put_track (JsonBuilder *out,
           gint64       track,
           const char  *name)
{
  put_name (out, "thread_name", track, name);
  begin_event (out, "M", "thread_sort_index", track);
  begin_args (out);
  ls_json_put_int (out, "sort_index", track);
  end_event (out);
}

/* What a call is: for who clicks on it. */
static void
put_args (JsonBuilder           *out,
          const LsGraphCallTime *call,
          const LsGraphNode     *node)
{
  begin_args (out);
  if (node != NULL)
    {
      ls_json_put_text (out, "binding", node->name);
      ls_json_put_text (out, "type", node->type);
      ls_json_put_text (out, "key", node->key);
    }
  ls_json_put_text (out, "function", call->name);
  ls_json_put_double (out, "median_ns", call->ns);
  ls_json_put_double (out, "half_quartile_distance_ns", call->spread_ns);
  if (call->flop >= 0.0)
    ls_json_put_double (out, "flop", call->flop);
  if (call->bytes >= 0.0)
    ls_json_put_double (out, "bytes", call->bytes);
  if (call->flop > 0.0 && call->ns > 0.0)
    ls_json_put_double (out, "gflop_per_s", call->flop / call->ns);
  if (node != NULL && node->numbers.roof >= 0.0)
    ls_json_put_double (out, "share_of_roof", node->numbers.roof);
  json_builder_end_object (out);
}

static void
put_run (const LsGraphTimeline *self,
         LsGraph               *graph,
         const gint            *nodes,
         JsonBuilder           *out,
         guint                  run,
         gint64                 track)
{
  guint n = self->calls->len;

  for (guint i = 0; i < n; i++)
    {
      const LsGraphCallTime *call = &g_array_index (self->calls, LsGraphCallTime, i);
      const LsGraphNode *node = nodes[i] >= 0 ? ls_graph_node (graph, nodes[i]) : NULL;

      begin_event (out, "X", node != NULL ? node->title : call->name, track);
      ls_json_put_text (out, "cat", node != NULL ? "call" : "inside");
      ls_json_put_double (out, "ts", self->starts[(gsize) run * n + i] / 1e3);
      ls_json_put_double (out, "dur", self->lengths[(gsize) run * n + i] / 1e3);
      put_args (out, call, node);
      json_builder_end_object (out);
    }
}

/* Bytes of values while each call runs, as a curve over the run of middle length. */
static void
put_memory (const LsGraphTimeline *self,
            LsGraph               *graph,
            const gint            *nodes,
            JsonBuilder           *out)
{
  g_autoptr (LsGraphMemory) memory = ls_graph_memory_new (graph);
  g_autofree gint *places = g_new (gint, graph->nodes->len + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    places[i] = -1;
  for (guint i = 0; i < memory->calls->len; i++)
    places[g_array_index (memory->calls, guint, i)] = (gint) i;
  for (guint i = 0; i < self->calls->len; i++)
    {
      if (nodes[i] < 0 || places[nodes[i]] < 0)
        continue;
      begin_event (out, "C", "bytes of values", 1);
      ls_json_put_double (out, "ts", g_array_index (self->calls, LsGraphCallTime, i).start_ns / 1e3);
      begin_args (out);
      ls_json_put_double (out, "bytes", g_array_index (memory->at, double, places[nodes[i]]));
      end_event (out);
    }
}

char *
ls_graph_timeline_trace (const LsGraphTimeline *self,
                         LsGraph               *graph,
                         const gint            *nodes,
                         const char            *title)
{
  g_autoptr (JsonBuilder) out = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (out);
  ls_json_put_text (out, "displayTimeUnit", "ns");
  ls_json_begin_array (out, "traceEvents");
  put_name (out, "process_name", 1, title);
  put_track (out, 1, "the run of middle length");
  put_run (self, graph, nodes, out, self->middle, 1);
  put_memory (self, graph, nodes, out);
  for (guint r = 0; r < self->runs->len; r++)
    {
      g_autofree char *name = g_strdup_printf ("run %u", r + 1);

      put_track (out, (gint64) r + 2, name);
      put_run (self, graph, nodes, out, r, (gint64) r + 2);
    }
  json_builder_end_array (out);
  json_builder_end_object (out);
  root = json_builder_get_root (out);
  return json_to_string (root, FALSE);
}
