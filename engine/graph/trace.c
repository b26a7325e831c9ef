/* trace: a timeline as Chrome's trace events: complete events ("X", microseconds), a counter ("C"), names and order of tracks ("M"). */
#include "engine/graph/trace-private.h"

#include "engine/graph/memory.h"

#include <math.h>
#include <string.h>

/* ---- of all formats ---------------------------------------------------------------------- */

void
ls_trace_span (const LsGraphTimeline *self,
               guint                  run,
               guint                  i,
               gint64                *start,
               gint64                *end)
{
  gsize at = (gsize) run * self->calls->len + i;

  *start = MAX (llround (self->starts[at]), i > 0 ? *end : 0);
  *end = MAX (llround (self->starts[at] + self->lengths[at]), *start + 1);
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

static void
put_text (GString    *out,
          const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);        /* a file's name need not be */

  g_string_append_c (out, '"');
  for (const char *at = valid; *at != '\0'; at++)
    if (*at == '"' || *at == '\\')
      g_string_append_printf (out, "\\%c", *at);
    else if ((guchar) *at < 0x20)
      g_string_append_printf (out, "\\u%04x", (guint) (guchar) *at);
    else
      g_string_append_c (out, *at);
  g_string_append_c (out, '"');
}

/* So that it reads as a number with a fraction, and not with more than 19 digits behind the point: Perfetto makes 12.9 times as much of such ones. */
static void
put_number (GString *out,
            double   number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (number))
    {
      g_string_append (out, "null");
      return;
    }
  g_ascii_formatd (digits, sizeof digits, fabs (number) < 1e-3 && number != 0.0 ? "%.16e" : "%.17g", number);
  g_string_append (out, digits);
  if (strpbrk (digits, ".e") == NULL)
    g_string_append (out, ".0");
}

static void
put_member (GString    *out,
            const char *name)
{
  if (out->str[out->len - 1] != '{')
    g_string_append_c (out, ',');
  put_text (out, name);
  g_string_append_c (out, ':');
}

static void
put_text_member (GString    *out,
                 const char *name,
                 const char *text)
{
  put_member (out, name);
  put_text (out, text);
}

static void
put_number_member (GString    *out,
                   const char *name,
                   double      number)
{
  put_member (out, name);
  put_number (out, number);
}

/* Microseconds that are these nanoseconds for a reader that multiplies by 1,000 and cuts, too: Perfetto's did, and a call that then begins one
 * nanosecond too early is dropped. */
static double
microseconds (gint64 ns)
{
  double us = (double) ns / 1e3;

  return (gint64) (us * 1e3) < ns ? nextafter (us, G_MAXDOUBLE) : us;
}

static void
begin_event (GString    *out,
             const char *phase,
             const char *name,
             gint64      track)
{
  if (out->str[out->len - 1] != '[')
    g_string_append (out, ",\n");
  g_string_append_c (out, '{');
  put_text_member (out, "ph", phase);
  put_text_member (out, "name", name);
  g_string_append_printf (out, ",\"pid\":1,\"tid\":%" G_GINT64_FORMAT, track);
}

static void
begin_args (GString *out)
{
  put_member (out, "args");
  g_string_append_c (out, '{');
}

static void
end_event (GString *out)
{
  g_string_append (out, "}}");
}

static void
put_name (GString    *out,
          const char *what,     /* process_name, thread_name */
          gint64      track,
          const char *name)
{
  begin_event (out, "M", what, track);
  begin_args (out);
  put_text_member (out, "name", name);
  end_event (out);
}

/* A track by its name, in the order of their numbers: without it viewers sort names, "run 10" before "run 2". */
static void
put_track (GString    *out,
           gint64      track,
           const char *name)
{
  put_name (out, "thread_name", track, name);
  begin_event (out, "M", "thread_sort_index", track);
  begin_args (out);
  put_member (out, "sort_index");
  g_string_append_printf (out, "%" G_GINT64_FORMAT, track);
  end_event (out);
}

/* What a call is: for who clicks on it. */
static void
put_args (GString               *out,
          const LsGraphCallTime *call,
          const LsGraphNode     *node)
{
  LsTraceNote notes[LS_TRACE_MOST_NOTES];
  guint n = ls_trace_notes (call, node, notes);

  begin_args (out);
  for (guint i = 0; i < n; i++)
    if (notes[i].text != NULL)
      put_text_member (out, notes[i].name, notes[i].text);
    else
      put_number_member (out, notes[i].name, notes[i].number);
}

static void
put_run (const LsGraphTimeline *self,
         LsGraph               *graph,
         const gint            *nodes,
         GString               *out,
         guint                  run,
         gint64                 track)
{
  gint64 start, end;

  for (guint i = 0; i < self->calls->len; i++)
    {
      const LsGraphCallTime *call = &g_array_index (self->calls, LsGraphCallTime, i);
      const LsGraphNode *node = nodes[i] >= 0 ? ls_graph_node (graph, nodes[i]) : NULL;

      ls_trace_span (self, run, i, &start, &end);
      begin_event (out, "X", ls_trace_title (call, node), track);
      put_text_member (out, "cat", node != NULL ? "call" : "inside");
      put_number_member (out, "ts", microseconds (start));
      put_number_member (out, "dur", microseconds (end - start));
      put_args (out, call, node);
      end_event (out);
    }
}

/* Bytes of values while each call runs, as a curve over the run of middle length.  Perfetto names the curve by both words: "values bytes". */
static void
put_memory (const LsGraphTimeline *self,
            LsGraph               *graph,
            const gint            *nodes,
            GString               *out)
{
  g_autofree double *bytes = ls_trace_bytes (self, graph, nodes);
  gint64 start, end;

  for (guint i = 0; i < self->calls->len; i++)
    {
      ls_trace_span (self, self->middle, i, &start, &end);
      if (bytes[i] < 0.0)
        continue;
      begin_event (out, "C", "values", 1);
      put_number_member (out, "ts", microseconds (start));
      begin_args (out);
      put_number_member (out, "bytes", bytes[i]);
      end_event (out);
    }
}

char *
ls_graph_timeline_trace (const LsGraphTimeline *self,
                         LsGraph               *graph,
                         const gint            *nodes,
                         const char            *title)
{
  GString *out = g_string_new ("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");

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
  g_string_append (out, "]}\n");
  return g_string_free (out, FALSE);
}
