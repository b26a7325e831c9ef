/* trace: both formats of a trace, held against what Perfetto's importer asks of them (its tokenizers, its trackers of tracks and slices): a file
 * that breaks one of its rules loses events there, mostly without a word. */
#include "engine/graph/perfetto.pb-c.h"
#include "engine/graph/timeline.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define MODEL \
  "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((8, 8), \"float32\"), w: R.Tensor((8, 8), \"float32\")):\n        with R.dataflow():\n" \
  "            a = R.matmul(x, w)\n            b = R.nn.relu(a)\n            c = R.matmul(b, w)\n            y = R.add(c, x)\n            R.output(y)\n        return y\n"

#define N_CALLS 5u

/* What an importer has of a track. */
typedef struct {
  char       *name;
  guint64     parent;
  gboolean    is_counter, sequence_began;
  guint       n_slices, n_values;
  gint64      open;             /* when the open slice began; -1: none is */
  gint64      last;             /* the last time of its sequence; slices end there at the latest */
  GHashTable *notes;            /* of the first slice */
} Track;

static void
track_free (gpointer data)
{
  Track *self = data;

  g_free (self->name);
  g_hash_table_unref (self->notes);
  g_free (self);
}

static LsModule *
module_of (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("model.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_nonnull (module);
  return module;
}

static const char *const names_of_model[] = { "matmul", "relu", "matmul", "add", "vm.builtin.reshape", NULL };

/* Runs with whole nanoseconds, in which calls follow each other at once, after a pause, or take no time. (transfer full) */
static LsGraphTimeline *
random_timeline (guint              n_runs,
                 const char *const *names)
{
  static const double bytes[N_CALLS] = { 768.0, 512.0, 768.0, 768.0, -1.0 }, flop[N_CALLS] = { 1024.0, 64.0, 1024.0, -1.0, 0.0 };
  g_autofree double *starts = g_new (double, n_runs * N_CALLS), *lengths = g_new (double, n_runs * N_CALLS), *runs = g_new (double, n_runs);
  g_autoptr (GVariant) answer = NULL;
  LsGraphTimeline *timeline;
  GVariantDict dict;

  for (guint r = 0; r < n_runs; r++)
    {
      double at = g_test_rand_int_range (0, 2) * (double) g_test_rand_int_range (0, 100000);

      for (guint i = 0; i < N_CALLS; i++)
        {
          starts[r * N_CALLS + i] = at;
          lengths[r * N_CALLS + i] = g_test_rand_int_range (0, 4) == 0 ? 0.0 : (double) g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 30));
          at += lengths[r * N_CALLS + i] + (g_test_rand_int_range (0, 3) == 0 ? 0.0 : (double) g_test_rand_int_range (0, 5000));
        }
      runs[r] = at;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", "main");
  g_variant_dict_insert_value (&dict, "names", g_variant_new_strv (names, -1));
#define PUT(key, array, n) g_variant_dict_insert_value (&dict, key, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, array, n, sizeof (double)))
  PUT ("run-ns", runs, n_runs);
  PUT ("bytes", bytes, N_CALLS);
  PUT ("flop", flop, N_CALLS);
  PUT ("starts", starts, n_runs * N_CALLS);
  PUT ("lengths", lengths, n_runs * N_CALLS);
#undef PUT
  answer = g_variant_ref_sink (g_variant_dict_end (&dict));
  timeline = ls_graph_timeline_read (answer, NULL);
  g_assert_nonnull (timeline);
  return timeline;
}

/* ---- Perfetto's own format ----------------------------------------------------------------- */

static void
import_track (GHashTable              *tracks,
              const LsPerfetto__TracePacket *packet)
{
  const LsPerfetto__TrackDescriptor *descriptor = packet->track_descriptor;
  Track *track = g_new0 (Track, 1);

  g_assert_true (descriptor->has_uuid);
  g_assert_cmpuint (descriptor->uuid, !=, 0);           /* 0 is the track of everything */
  g_assert_false (g_hash_table_contains (tracks, &descriptor->uuid));
  g_assert_nonnull (descriptor->name);
  g_assert_cmpstr (descriptor->name, !=, "");
  track->name = g_strdup (descriptor->name);
  track->parent = descriptor->has_parent_uuid ? descriptor->parent_uuid : 0;
  track->is_counter = descriptor->counter != NULL;
  track->open = -1;
  track->notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (track->parent != 0)
    {
      const Track *parent = g_hash_table_lookup (tracks, &track->parent);

      /* A parent that is not known makes it a track of nobody; a rank counts where the parent orders its children by it. */
      g_assert_nonnull (parent);
      g_assert_true (descriptor->has_sibling_order_rank);
    }
  else
    {
      g_assert_true (descriptor->has_child_ordering);
      g_assert_cmpint (descriptor->child_ordering, ==, 3);
    }
  /* Its sequence begins with it: before that nothing is taken that refers to what came before. */
  g_assert_true (packet->has_sequence_flags && (packet->sequence_flags & 1) != 0);
  g_assert_true (packet->has_first_packet_on_sequence && packet->first_packet_on_sequence);
  g_assert_cmpuint (packet->trusted_packet_sequence_id, ==, descriptor->uuid);
  g_hash_table_insert (tracks, g_memdup2 (&descriptor->uuid, sizeof (guint64)), track);
}

static void
import_event (GHashTable                    *tracks,
              const LsPerfetto__TracePacket *packet)
{
  const LsPerfetto__TrackEvent *event = packet->track_event;
  Track *track = event->has_track_uuid ? g_hash_table_lookup (tracks, &event->track_uuid) : NULL;
  gint64 at = (gint64) packet->timestamp;

  g_assert_nonnull (track);
  g_assert_true (packet->has_timestamp);
  g_assert_cmpint (at, >=, track->last);                /* a sequence is in the order in which it was written */
  track->last = at;
  g_assert_true (event->has_type);
  g_assert_cmpint (event->has_double_counter_value, ==, track->is_counter);
  g_assert_cmpint (event->type == LS_PERFETTO__TRACK_EVENT__TYPE__COUNTER, ==, track->is_counter);
  if (track->is_counter)
    {
      g_assert_true (isfinite (event->double_counter_value));
      track->n_values++;
      return;
    }
  if (event->type == LS_PERFETTO__TRACK_EVENT__TYPE__SLICE_END)
    {
      g_assert_cmpint (track->open, >=, 0);             /* an end that nothing began is dropped */
      track->open = -1;
      return;
    }
  g_assert_cmpint (event->type, ==, LS_PERFETTO__TRACK_EVENT__TYPE__SLICE_BEGIN);
  g_assert_cmpint (track->open, ==, -1);                /* calls follow each other; one in another would stand below it */
  g_assert_nonnull (event->name);
  g_assert_cmpuint (event->n_categories, ==, 1);
  track->open = at;
  for (gsize i = 0; i < event->n_debug_annotations; i++)
    {
      const LsPerfetto__DebugAnnotation *note = event->debug_annotations[i];

      g_assert_nonnull (note->name);
      g_assert_cmpint (note->string_value != NULL, !=, note->has_double_value);         /* one value, not two */
      if (track->n_slices == 0)
        g_assert_true (g_hash_table_add (track->notes, g_strdup (note->name)));         /* a second of a name would hide the first */
    }
  track->n_slices++;
}

/* (transfer full): the tracks by their uuids */
static GHashTable *
import (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  LsPerfetto__Trace *trace = ls_perfetto__trace__unpack (NULL, size, data);
  GHashTable *tracks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, track_free);
  GHashTableIter iter;
  Track *track;

  g_assert_cmpuint (data[0], ==, 0x0a);                 /* by this an importer knows the format */
  g_assert_nonnull (trace);
  for (gsize i = 0; i < trace->n_packet; i++)
    {
      const LsPerfetto__TracePacket *packet = trace->packet[i];

      g_assert_true (packet->has_trusted_packet_sequence_id);
      g_assert_cmpuint (packet->trusted_packet_sequence_id, !=, 0);
      g_assert_cmpint (packet->track_descriptor != NULL, !=, packet->track_event != NULL);
      if (packet->track_descriptor != NULL)
        import_track (tracks, packet);
      else
        import_event (tracks, packet);
    }
  g_hash_table_iter_init (&iter, tracks);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &track))
    g_assert_cmpint (track->open, ==, -1);              /* a slice that is never ended has no length */
  ls_perfetto__trace__free_unpacked (trace, NULL);
  return tracks;
}

static Track *
track_of (GHashTable *tracks,
          const char *name)
{
  GHashTableIter iter;
  Track *track;

  g_hash_table_iter_init (&iter, tracks);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &track))
    if (strcmp (track->name, name) == 0)
      return track;
  g_test_fail_printf ("there is no track %s", name);
  return NULL;
}

static void
check_perfetto (GBytes *bytes,
                guint   n_runs)
{
  g_autoptr (GHashTable) tracks = import (bytes);
  Track *middle = track_of (tracks, "the run of middle length");

  g_assert_cmpuint (g_hash_table_size (tracks), ==, n_runs + 3);
  g_assert_cmpuint (track_of (tracks, "a \"model\"")->n_slices, ==, 0);
  g_assert_cmpuint (middle->n_slices, ==, N_CALLS);
  g_assert_true (g_hash_table_contains (middle->notes, "binding") && g_hash_table_contains (middle->notes, "flop"));
  g_assert_cmpuint (track_of (tracks, "bytes of values")->n_values, ==, 4);             /* nobody's call has none */
  for (guint r = 0; r < n_runs; r++)
    {
      g_autofree char *name = g_strdup_printf ("run %u", r + 1);

      g_assert_cmpuint (track_of (tracks, name)->n_slices, ==, N_CALLS);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A time in microseconds as whole nanoseconds: earlier importers cut, later ones round. */
static gint64
json_ns (JsonObject *event,
         const char *member,
         gboolean    cuts)
{
  double us = json_object_get_double_member (event, member);

  return cuts ? (gint64) (us * 1000.0) : llround (us * 1000.0);
}

/* Complete events of a track: none may begin inside another one and end after it, which is dropped, or begin where one without length does, which
 * would be shown in it; so each has a nanosecond, and else the times are those that were measured. */
static void
check_json (const char            *text,
            const LsGraphTimeline *timeline,
            gboolean               cuts)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree gint64 *ends = g_new0 (gint64, timeline->runs->len + 2);
  g_autofree guint *counts = g_new0 (guint, timeline->runs->len + 2);
  JsonArray *events;

  /* By these an importer knows the format, once blanks are taken out. */
  g_assert_true (g_str_has_prefix (text, "{\""));
  g_assert_false (g_regex_match_simple ("\\.[0-9]{20}", text, 0, 0));            /* it reads no such number */
  g_assert_true (json_parser_load_from_data (parser, text, -1, NULL));
  events = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      guint track = (guint) json_object_get_int_member (event, "tid"), run = track == 1 ? timeline->middle : track - 2, call;
      gint64 start, length, measured, end;

      g_assert_true (json_object_has_member (event, "ts") || strcmp (json_object_get_string_member (event, "ph"), "M") == 0);
      if (strcmp (json_object_get_string_member (event, "ph"), "X") != 0)
        continue;
      call = counts[track]++;
      start = json_ns (event, "ts", cuts);
      length = json_ns (event, "dur", cuts);
      measured = (gint64) timeline->starts[run * N_CALLS + call];
      end = measured + (gint64) timeline->lengths[run * N_CALLS + call];
      g_assert_cmpint (start, ==, MAX (measured, ends[track]));
      g_assert_cmpint (start + length, ==, MAX (end, start + 1));
      ends[track] = start + length;
    }
  for (guint track = 1; track <= timeline->runs->len + 1; track++)
    g_assert_cmpuint (counts[track], ==, N_CALLS);
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void
test_rules (void)
{
  g_autoptr (LsModule) module = module_of (MODEL);

  for (guint i = 0; i < 100; i++)
    {
      guint n_runs = (guint) g_test_rand_int_range (1, 12);
      g_autoptr (LsGraphTimeline) timeline = random_timeline (n_runs, names_of_model);
      g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
      g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);
      g_autoptr (GBytes) bytes = ls_graph_timeline_perfetto (timeline, graph, nodes, "a \"model\"");
      g_autofree char *text = ls_graph_timeline_trace (timeline, graph, nodes, "a \"model\"");

      check_perfetto (bytes, n_runs);
      check_json (text, timeline, FALSE);
      check_json (text, timeline, TRUE);
    }
}

/* Names that no program of ours has: both formats hold them as they are.  The files are for tests/python/trace_processor.py, which asks Perfetto. */
static void
test_odd_names (void)
{
  static const char *const names[N_CALLS + 1] = { "", "a \"b\" \\ c/d", "line\nline\ttab\x01", "größe 变量 😀", "{}[]:,%s<&>'", NULL };
  const char *folder = g_getenv ("LS_TRACE_FOLDER");
  g_autoptr (LsModule) module = module_of (MODEL);
  g_autoptr (LsGraphTimeline) timeline = random_timeline (2, names);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
  g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);
  const char *title = "a \"model\"\n\\ 模型 😀";
  g_autoptr (GBytes) bytes = ls_graph_timeline_perfetto (timeline, graph, nodes, title);
  g_autofree char *text = ls_graph_timeline_trace (timeline, graph, nodes, title);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *events;
  guint n = 0;

  for (guint i = 0; i < N_CALLS; i++)
    {
      gsize length = strlen (names[i]);

      g_assert_cmpint (nodes[i], ==, -1);
      g_assert_true (length == 0 || memmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), names[i], length) != NULL);
    }
  g_assert_true (json_parser_load_from_data (parser, text, -1, NULL));
  events = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);

      if (strcmp (json_object_get_string_member (event, "ph"), "X") == 0)
        g_assert_cmpstr (json_object_get_string_member (event, "name"), ==, names[n++ % N_CALLS]);
    }
  g_assert_cmpuint (n, ==, 3 * N_CALLS);
  if (folder != NULL)
    {
      g_autofree char *path = g_build_filename (folder, "odd.pftrace", NULL), *json = g_build_filename (folder, "odd.json", NULL);

      g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), NULL));
      g_assert_true (g_file_set_contents (json, text, -1, NULL));
    }
}

static void
test_names (void)
{
  LsGraphTimesFormat format;

  g_assert_true (ls_graph_timeline_format ("a.pftrace", &format) && format == LS_GRAPH_TIMES_PERFETTO);
  g_assert_true (ls_graph_timeline_format ("a.perfetto-trace", &format) && format == LS_GRAPH_TIMES_PERFETTO);
  g_assert_true (ls_graph_timeline_format ("a.b.json", &format) && format == LS_GRAPH_TIMES_JSON);
  g_assert_true (ls_graph_timeline_format ("a.csv", &format) && format == LS_GRAPH_TIMES_TABLE);
  g_assert_false (ls_graph_timeline_format ("pftrace", &format));
  g_assert_false (ls_graph_timeline_format ("a.txt", &format));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/rules", test_rules);
  g_test_add_func ("/trace/odd-names", test_odd_names);
  g_test_add_func ("/trace/names", test_names);
  return g_test_run ();
}
