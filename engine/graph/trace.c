/* trace: a timeline as Chrome's trace events: complete events ("X", microseconds), a counter ("C"), names and order of tracks ("M"). */
#include "engine/graph/trace-private.h"

#include "engine/base/json.h"
#include "engine/graph/memory.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* ---- of all formats ---------------------------------------------------------------------- */

void
ls_trace_span (const LsGraphTimeline *self,
               guint                  run,
               guint                  i,
               gint64                *start,
               gint64                *end)
{
  gsize at = (gsize) run * self->calls->len + i;

  *start = llround (self->starts[at]);
  *end = llround (self->starts[at] + self->lengths[at]);
}

static void
note (LsTraceNote *notes,
      guint       *n,
      const char  *name,
      const char  *text,
      double       number)
{
  notes[(*n)++] = (LsTraceNote) { name, text, number };
}

guint
ls_trace_notes (const LsGraphCallTime *call,
                const LsGraphNode     *node,
                LsTraceNote            notes[LS_TRACE_MOST_NOTES])
{
  guint n = 0;

  if (node != NULL && node->name != NULL)
    note (notes, &n, "binding", node->name, 0.0);
  if (node != NULL && node->type != NULL)
    note (notes, &n, "type", node->type, 0.0);
  if (node != NULL && node->key != NULL)
    note (notes, &n, "key", node->key, 0.0);
  note (notes, &n, "function", call->name, 0.0);
  note (notes, &n, "median_ns", NULL, call->ns);
  note (notes, &n, "half_quartile_distance_ns", NULL, call->spread_ns);
  if (call->flop >= 0.0)
    note (notes, &n, "flop", NULL, call->flop);
  if (call->bytes >= 0.0)
    note (notes, &n, "bytes", NULL, call->bytes);
  if (call->flop > 0.0 && call->ns > 0.0)
    note (notes, &n, "gflop_per_s", NULL, call->flop / call->ns);
  if (node != NULL && node->numbers.roof >= 0.0)
    note (notes, &n, "share_of_roof", NULL, node->numbers.roof);
  return n;
}

double *
ls_trace_bytes (const LsGraphTimeline *self,
                LsGraph               *graph,
                const gint            *nodes)
{
  g_autoptr (LsGraphMemory) memory = ls_graph_memory_new (graph);
  g_autofree gint *places = g_new (gint, graph->nodes->len + 1);
  double *bytes = g_new (double, self->calls->len + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    places[i] = -1;
  for (guint i = 0; i < memory->calls->len; i++)
    places[g_array_index (memory->calls, guint, i)] = (gint) i;
  for (guint i = 0; i < self->calls->len; i++)
    bytes[i] = nodes[i] >= 0 && places[nodes[i]] >= 0 ? g_array_index (memory->at, double, places[nodes[i]]) : -1.0;
  return bytes;
}

const char *
ls_trace_title (const LsGraphCallTime *call,
                const LsGraphNode     *node)
{
  return node != NULL ? node->title : call->name;
}

char *
ls_trace_run (guint run)
{
  return g_strdup_printf ("run %u", run + 1);
}

/* ---- as JSON ------------------------------------------------------------------------------- */

/* Microseconds that are these nanoseconds for a reader that multiplies by 1,000 and cuts, too: Perfetto's did, and a call that then begins one
 * nanosecond too early is dropped. */
static double
microseconds (gint64 ns)
{
  double us = (double) ns / 1e3;

  return (gint64) (us * 1e3) < ns ? nextafter (us, G_MAXDOUBLE) : us;
}

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
  LsTraceNote notes[LS_TRACE_MOST_NOTES];
  guint n = ls_trace_notes (call, node, notes);

  begin_args (out);
  for (guint i = 0; i < n; i++)
    if (notes[i].text != NULL)
      ls_json_put_text (out, notes[i].name, notes[i].text);
    else
      ls_json_put_double (out, notes[i].name, notes[i].number);
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
  for (guint i = 0; i < self->calls->len; i++)
    {
      const LsGraphCallTime *call = &g_array_index (self->calls, LsGraphCallTime, i);
      const LsGraphNode *node = nodes[i] >= 0 ? ls_graph_node (graph, nodes[i]) : NULL;
      gint64 start, end;

      ls_trace_span (self, run, i, &start, &end);
      begin_event (out, "X", ls_trace_title (call, node), track);
      ls_json_put_text (out, "cat", node != NULL ? "call" : "inside");
      ls_json_put_double (out, "ts", microseconds (start));
      ls_json_put_double (out, "dur", microseconds (end - start));
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
  g_autofree double *bytes = ls_trace_bytes (self, graph, nodes);

  for (guint i = 0; i < self->calls->len; i++)
    {
      gint64 start, end;

      if (bytes[i] < 0.0)
        continue;
      ls_trace_span (self, self->middle, i, &start, &end);
      begin_event (out, "C", LS_TRACE_VALUES, 1);
      ls_json_put_double (out, "ts", microseconds (start));
      begin_args (out);
      ls_json_put_double (out, "bytes", bytes[i]);
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
  put_track (out, 1, LS_TRACE_MIDDLE);
  put_run (self, graph, nodes, out, self->middle, 1);
  put_memory (self, graph, nodes, out);
  for (guint r = 0; r < self->runs->len; r++)
    {
      g_autofree char *name = ls_trace_run (r);

      put_track (out, (gint64) r + 2, name);
      put_run (self, graph, nodes, out, r, (gint64) r + 2);
    }
  json_builder_end_array (out);
  json_builder_end_object (out);
  root = json_builder_get_root (out);
  return json_to_string (root, FALSE);
}
