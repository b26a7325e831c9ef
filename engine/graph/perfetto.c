/* perfetto: a timeline in Perfetto's own format: packets that describe tracks, then the beginning and end of each call and the values of a counter.
 *
 * What its importer asks for: a track is described before its first event and after its parent; packets of events name their sequence, and the
 * first of a sequence clears what is known of it; times are whole nanoseconds; a slice is ended before the next one on its track begins.  All
 * tracks are children of one that has no process: those of a process cannot be put in order. */
#include "engine/graph/trace-private.h"

#include "engine/graph/perfetto.pb-c.h"

#define ROOT 1u
#define MIDDLE 2u
#define VALUES 3u
#define FIRST_RUN 4u

#define UNIT_BYTES 3
#define ORDERED 3
#define CLEARED 1

/* ---- packets ------------------------------------------------------------------------------- */

/* A trace is its packets one after the other. */
static void
put (GByteArray             *out,
     LsPerfetto__TracePacket *packet)
{
  LsPerfetto__Trace trace = LS_PERFETTO__TRACE__INIT;
  guint at = out->len;

  trace.packet = &packet;
  trace.n_packet = 1;
  g_byte_array_set_size (out, at + (guint) ls_perfetto__trace__get_packed_size (&trace));
  ls_perfetto__trace__pack (&trace, out->data + at);
}

/* Each track is a sequence of its own, so that time goes forward in each. */
static void
put_track (GByteArray                    *out,
           guint64                        track,
           const char                    *name,
           LsPerfetto__CounterDescriptor *counter)
{
  LsPerfetto__TrackDescriptor descriptor = LS_PERFETTO__TRACK_DESCRIPTOR__INIT;
  LsPerfetto__TracePacket packet = LS_PERFETTO__TRACE_PACKET__INIT;

  descriptor.has_uuid = TRUE;
  descriptor.uuid = track;
  descriptor.name = (char *) name;
  descriptor.counter = counter;
  if (track == ROOT)
    {
      descriptor.has_child_ordering = TRUE;
      descriptor.child_ordering = ORDERED;
    }
  else
    {
      descriptor.has_parent_uuid = descriptor.has_sibling_order_rank = TRUE;
      descriptor.parent_uuid = ROOT;
      descriptor.sibling_order_rank = (gint32) track;
    }
  packet.track_descriptor = &descriptor;
  packet.has_trusted_packet_sequence_id = packet.has_first_packet_on_sequence = packet.has_sequence_flags = TRUE;
  packet.trusted_packet_sequence_id = (guint32) track;
  packet.first_packet_on_sequence = TRUE;
  packet.sequence_flags = CLEARED;
  put (out, &packet);
}

static void
put_event (GByteArray                   *out,
           guint64                       track,
           gint64                        ns,
           LsPerfetto__TrackEvent__Type  type,
           LsPerfetto__TrackEvent       *event)
{
  LsPerfetto__TracePacket packet = LS_PERFETTO__TRACE_PACKET__INIT;

  event->has_type = event->has_track_uuid = TRUE;
  event->type = type;
  event->track_uuid = track;
  packet.has_timestamp = packet.has_trusted_packet_sequence_id = TRUE;
  packet.timestamp = (guint64) ns;
  packet.trusted_packet_sequence_id = (guint32) track;
  packet.track_event = event;
  put (out, &packet);
}

/* ---- events -------------------------------------------------------------------------------- */

static void
put_call (GByteArray            *out,
          guint64                track,
          const LsGraphCallTime *call,
          const LsGraphNode     *node,
          gint64                 start,
          gint64                 end)
{
  LsPerfetto__TrackEvent begins = LS_PERFETTO__TRACK_EVENT__INIT, ends = LS_PERFETTO__TRACK_EVENT__INIT;
  LsPerfetto__DebugAnnotation annotations[LS_TRACE_MOST_NOTES], *list[LS_TRACE_MOST_NOTES];
  LsTraceNote notes[LS_TRACE_MOST_NOTES];
  char *category = node != NULL ? "call" : "inside";

  begins.n_debug_annotations = ls_trace_notes (call, node, notes);
  for (gsize i = 0; i < begins.n_debug_annotations; i++)
    {
      ls_perfetto__debug_annotation__init (&annotations[i]);
      annotations[i].name = (char *) notes[i].name;
      annotations[i].string_value = (char *) notes[i].text;
      annotations[i].has_double_value = notes[i].text == NULL;
      annotations[i].double_value = notes[i].number;
      list[i] = &annotations[i];
    }
  begins.debug_annotations = list;
  begins.name = (char *) ls_trace_title (call, node);
  begins.categories = &category;
  begins.n_categories = 1;
  put_event (out, track, start, LS_PERFETTO__TRACK_EVENT__TYPE__SLICE_BEGIN, &begins);
  put_event (out, track, end, LS_PERFETTO__TRACK_EVENT__TYPE__SLICE_END, &ends);
}

static void
put_run (const LsGraphTimeline *self,
         LsGraph               *graph,
         const gint            *nodes,
         GByteArray            *out,
         guint                  run,
         guint64                track,
         const char            *name)
{
  gint64 start, end;

  put_track (out, track, name, NULL);
  for (guint i = 0; i < self->calls->len; i++)
    {
      ls_trace_span (self, run, i, &start, &end);
      put_call (out, track, &g_array_index (self->calls, LsGraphCallTime, i), nodes[i] >= 0 ? ls_graph_node (graph, nodes[i]) : NULL, start, end);
    }
}

static void
put_memory (const LsGraphTimeline *self,
            LsGraph               *graph,
            const gint            *nodes,
            GByteArray            *out)
{
  g_autofree double *bytes = ls_trace_bytes (self, graph, nodes);
  LsPerfetto__CounterDescriptor counter = LS_PERFETTO__COUNTER_DESCRIPTOR__INIT;
  gint64 start, end;

  counter.has_unit = TRUE;
  counter.unit = UNIT_BYTES;
  put_track (out, VALUES, LS_TRACE_VALUES, &counter);
  for (guint i = 0; i < self->calls->len; i++)
    {
      LsPerfetto__TrackEvent event = LS_PERFETTO__TRACK_EVENT__INIT;

      ls_trace_span (self, self->middle, i, &start, &end);
      if (bytes[i] < 0.0)
        continue;
      event.has_double_counter_value = TRUE;
      event.double_counter_value = bytes[i];
      put_event (out, VALUES, start, LS_PERFETTO__TRACK_EVENT__TYPE__COUNTER, &event);
    }
}

GBytes *
ls_graph_timeline_perfetto (const LsGraphTimeline *self,
                            LsGraph               *graph,
                            const gint            *nodes,
                            const char            *title)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *valid = g_utf8_make_valid (title, -1);       /* a file's name need not be */

  put_track (out, ROOT, valid, NULL);
  put_run (self, graph, nodes, out, self->middle, MIDDLE, LS_TRACE_MIDDLE);
  put_memory (self, graph, nodes, out);
  for (guint r = 0; r < self->runs->len; r++)
    {
      g_autofree char *name = ls_trace_run (r);

      put_run (self, graph, nodes, out, r, FIRST_RUN + r, name);
    }
  return g_byte_array_free_to_bytes (out);
}
