/* session-files: what a session writes and reads, and the program while it is edited. */
#include "views/canvas/draw-roofline.h"
#include "app/session/compare.h"
#include "app/session/devices.h"
#include "app/session/file.h"
#include "app/session/ready.h"
#include "tests/support/support.h"
#include "tests/ui/session-parts.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
texts_of (LsSession *session)
{
  GString *all = g_string_new (NULL);
  GListModel *rows = ls_session_get_history (session);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);
      g_autofree char *words = ls_step_item_describe (item);

      g_string_append_printf (all, "%s\n", words);
    }
  g_string_append (all, ls_script_text_get_text (ls_session_get_script (session)));
  return g_string_free (all, FALSE);
}

/* Written and read again, everything that is shown is the same: branches, a refused step, the place. */
static void
test_saved_and_read (void)
{
  g_autoptr (LsSession) session = open_text (session_source, "block_Y = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(block_Y)\n"
                                                     "j0, j1 = sch.split(j, factors=[None, 4])\n"
                                                     "sch.fuse(i, k)\n");
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL, *twice = NULL, *before = NULL, *after = NULL;

  ls_session_go_to (session, 0);
  ls_session_apply (session, find_move (session, "split(k, [32, 4])") != NULL ? find_move (session, "split(k, [32, 4])")
                                                                              : find_move (session, "split(j, [32, 4])"));
  json = ls_session_export (session, LS_EXPORT_SESSION, &error);
  g_assert_no_error (error);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error);
  g_assert_no_error (error);
  before = texts_of (session);
  after = texts_of (again);
  g_assert_cmpstr (after, ==, before);
  twice = ls_session_export (again, LS_EXPORT_SESSION, NULL);
  g_assert_cmpstr (twice, ==, json);
}

/* Its times, and its roofs over them; this machine's when these are wanted. */
static void
shows_device (LsSession *session,
              guint      last)
{
  g_auto (GStrv) devices = ls_session_get_devices (session);
  g_autoptr (LsRoofline) roofline = ls_session_get_roofline (session), own = NULL;
  g_autoptr (LsComparison) comparison = ls_session_compare_steps (session, 0, last);
  g_autofree char *machine = ls_roofline_machine_text (roofline), *verdict = ls_roofline_verdict (roofline);
  const LsRooflinePoint *point = &g_array_index (roofline->points, LsRooflinePoint, roofline->points->len - 1);
  const LsStepRecord *record = ls_step_item_get (ls_session_get_current (session));

  g_assert_cmpuint (g_strv_length (devices), ==, 1);
  g_assert_cmpstr (devices[0], ==, "X");
  g_assert_cmpstr (ls_session_get_device (session), ==, "X");
  g_assert_cmpint (record->state, ==, LS_STEP_MEASURED);
  g_assert_cmpfloat_with_epsilon (record->timing.median, 3e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (record->timing.min, 1e-6, 1e-12);
  g_assert_cmpuint (record->timing.samples, ==, 9);
  g_assert_true (roofline->known);
  g_assert_cmpuint (roofline->n_roofs, ==, 1);
  g_assert_cmpfloat (roofline->roofs[0].bytes_per_s, ==, 3e12);
  g_assert_cmpfloat (roofline->flop_per_s, ==, 5e13);
  g_assert_true (ls_roofline_is_drawn (point));
  g_assert_cmpfloat_with_epsilon (point->seconds, 3e-6, 1e-12);
  g_assert_nonnull (strstr (machine, "Measured on X (2026)"));
  g_assert_nonnull (strstr (verdict, "of X allows"));
  g_assert_cmpstr (comparison->verdict, ==, "X has not measured both.");
  ls_session_set_device (session, NULL);
  own = ls_session_get_roofline (session);
  g_assert_null (own->device);
  g_assert_cmpuint (ls_step_item_get (ls_session_get_current (session))->timing.samples, ==, 0);
}

static void
compares_on_device (LsSession *session,
                    guint      last)
{
  g_autoptr (LsComparison) comparison = ls_session_compare_steps (session, 0, last);
  const LsStepRecord *record = ls_step_item_get (ls_session_get_current (session));

  g_assert_cmpstr (ls_session_get_device (session), ==, "X");   /* a result that comes is shown */
  g_assert_nonnull (strstr (comparison->verdict, "3.00 faster than left."));
  g_assert_nonnull (strstr (comparison->why, "Measured on X"));
  g_assert_null (comparison->left.samples);
  g_assert_cmpfloat_with_epsilon (record->speedup, 3.0, 1e-9);
  g_assert_false (record->no_difference);
}

/* The choice is kept in the file, where a step has times of that device; a report has its times; the page Why says which figures are its. */
static void
keeps_device (LsSession *session)
{
  g_autoptr (LsSession) again = ls_engine_session_new (), other = ls_engine_session_new ();
  g_autoptr (LsWhy) why = ls_session_get_why (session, LS_WHY_BEFORE), own = NULL;
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL), *report = ls_session_export (session, LS_EXPORT_REPORT, NULL), *plain = NULL;
  g_autoptr (GString) changed = g_string_new (json);

  g_assert_nonnull (strstr (why->whose, "Times and roofline are those of X."));
  g_assert_cmpstr (why->times, ==, "Measured on X.");
  g_assert_nonnull (strstr (report, "Times of X (2026)"));
  g_assert_nonnull (strstr (report, "3.00 faster than left."));
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  g_assert_cmpstr (ls_session_get_device (again), ==, "X");
  g_assert_cmpuint (g_string_replace (changed, "\n  \"device\" : \"X\"", "\n  \"device\" : \"Y\"", 0), ==, 1);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (other), "x.loopscope", changed->str, -1, NULL, NULL));
  g_assert_null (ls_session_get_device (other));
  ls_session_set_device (session, NULL);
  own = ls_session_get_why (session, LS_WHY_BEFORE);
  plain = ls_session_export (session, LS_EXPORT_REPORT, NULL);
  g_assert_null (own->whose);
  g_assert_null (own->times);
  g_assert_null (strstr (plain, "Times of X"));
}

/* What a device of another machine measured stands at the step of the same structural hash, is kept in the file, and once for each time. */
static void
test_device_result (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps), again = ls_engine_session_new ();
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  guint last = ls_engine_session_get_node (LS_ENGINE_SESSION (session));
  g_autoptr (GPtrArray) modules = g_ptr_array_new (), hashes = g_ptr_array_new_with_free_func (g_free);
  LsDeviceResultStep step = { .name = (char *) "s", .verdict = (char *) "same", .time = { 1000, 2000, 3000, 4000, 0, 9, TRUE, FALSE }, .registers = -1 };
  LsDeviceResult result = { .name = (char *) "p", .when = (char *) "2026", .device = (char *) "X", .bandwidth = 3e12, .peak = 5e13, .steps = g_ptr_array_new (), .notes = g_ptr_array_new () };
  g_autofree char *json = NULL, *before = NULL, *after = NULL, *words = NULL, *words_again = NULL;

  for (guint i = 0; i < ls_history_get_n (history); i++)
    {
      g_ptr_array_add (modules, ls_schedule_get_module (ls_history_get (history, i)->schedule));
      g_ptr_array_add (hashes, ls_device_hash (modules->pdata[i]));
    }
  g_ptr_array_add (result.steps, &step);
  step.hash = (char *) "0000000000000000";
  g_assert_cmpuint (ls_engine_session_take_result (LS_ENGINE_SESSION (session), &result, modules, hashes), ==, 0);
  step.hash = hashes->pdata[last];
  g_assert_cmpuint (ls_engine_session_take_result (LS_ENGINE_SESSION (session), &result, modules, hashes), ==, 1);
  g_assert_cmpuint (ls_engine_session_take_result (LS_ENGINE_SESSION (session), &result, modules, hashes), ==, 1);
  g_assert_cmpuint (ls_history_get (history, last)->devices->len, ==, 1);
  shows_device (session, last);
  step.hash = hashes->pdata[0];
  step.time = (LsDeviceTime) { 6000, 7000, 9000, 9500, 0, 9, TRUE, FALSE };
  g_assert_cmpuint (ls_engine_session_take_result (LS_ENGINE_SESSION (session), &result, modules, hashes), ==, 1);
  compares_on_device (session, last);
  keeps_device (session);
  before = texts_of (session);
  g_assert_nonnull (strstr (before, "µs on X"));
  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  after = texts_of (again);
  g_assert_cmpstr (after, ==, before);
  words = ls_device_notes_words (ls_history_get (history, last)->devices);
  words_again = ls_device_notes_words (ls_history_get (ls_engine_session_get_history (LS_ENGINE_SESSION (again)), last)->devices);
  g_assert_nonnull (strstr (words, "At best it moves 3000 GB/s and does 5e+04 GFLOP/s in float32"));
  g_assert_cmpstr (words_again, ==, words);
  g_ptr_array_unref (result.steps);
  g_ptr_array_unref (result.notes);
}

/* A lone function stays one in what is shown, compared, exported and saved, also after steps; a class stays a class. */
static void
test_lone_function (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autoptr (LsComparison) comparison = ls_session_compare_steps (session, 0, 2);
  g_autofree char *module = ls_session_export (session, LS_EXPORT_MODULE, NULL);
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_autofree char *wrapped = NULL, *indented = NULL, *module_of_class = NULL;
  g_auto (GStrv) lines = g_strsplit (session_source, "\n", -1);

  g_assert_null (strstr (ls_script_text_get_text (ls_session_get_script (session)), "class Module"));
  g_assert_nonnull (strstr (ls_script_text_get_text (ls_session_get_script (session)), "\n@T.prim_func\ndef "));
  g_assert_null (strstr (ls_script_text_get_text (comparison->left.text), "class Module"));
  g_assert_null (strstr (ls_script_text_get_text (comparison->right.text), "class Module"));
  g_assert_null (strstr (module, "class Module"));
  g_assert_cmpstr (module, ==, ls_script_text_get_text (ls_session_get_script (session)));
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  g_assert_cmpstr (ls_script_text_get_text (ls_session_get_script (again)), ==, module);

  indented = g_strjoinv ("\n    ", lines);
  wrapped = g_strdup_printf ("@I.ir_module\nclass Module:\n    %s\n", indented);
  ls_session_edit_base (session, wrapped);
  g_assert_null (ls_session_get_draft (session));
  g_assert_nonnull (strstr (ls_script_text_get_text (ls_session_get_script (session)), "class Module"));
  module_of_class = ls_session_export (session, LS_EXPORT_MODULE, NULL);
  g_assert_nonnull (strstr (module_of_class, "class Module"));
}

/* What is known of a session without replaying it. */
static void
test_count (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  guint n = ls_history_get_n (ls_engine_session_get_history (LS_ENGINE_SESSION (session)));

  g_assert_cmpuint (n, >, 2);
  g_assert_cmpuint (ls_session_file_count (json, -1), ==, n);
  g_assert_cmpuint (ls_session_file_count ("{\"format\": \"loopscope-session\", \"module\": \"\"}", -1), ==, 1);
  g_assert_cmpuint (ls_session_file_count ("{\"steps\": [1, 2]}", -1), ==, 0);
  g_assert_cmpuint (ls_session_file_count ("{", -1), ==, 0);
}

/* What a thread makes of an excerpt is what the main thread makes of the history. */
static void
test_excerpt (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  guint last = ls_history_get_n (history) - 1;
  LsHistory *excerpt = ls_history_excerpt (history, last, 0);
  g_autoptr (LsComparison) whole = ls_session_compare (history, 0, history, last, NULL), part = ls_session_compare_begin (history, 0, history, last, NULL);
  g_autoptr (LsReady) ready = NULL;

  ls_session_compare_programs (part, excerpt, 0, excerpt, last);
  ready = ls_ready_of (excerpt, last);
  g_assert_cmpstr (ls_script_text_get_text (ready->text), ==, ls_script_text_get_text (whole->right.text));
  g_assert_cmpstr (ls_script_text_get_text (part->left.text), ==, ls_script_text_get_text (whole->left.text));
  g_assert_cmpstr (ls_script_text_get_text (part->right.text), ==, ls_script_text_get_text (whole->right.text));
  g_assert_cmpuint (part->links->len, ==, whole->links->len);
  g_assert_cmpmem (part->links->data, part->links->len * sizeof (LsNestLink), whole->links->data, whole->links->len * sizeof (LsNestLink));
  g_assert_cmpuint (part->labels->len, ==, whole->labels->len);
  g_assert_cmpuint (part->labels->len, >, 0);
  g_assert_cmpstr (((LsNestLabel *) part->labels->pdata[0])->head, ==, ((LsNestLabel *) whole->labels->pdata[0])->head);
  g_assert_cmpstr (part->right.title, ==, whole->right.title);
  g_assert_cmpuint (part->counts->len, ==, whole->counts->len);
  ls_history_free (excerpt);
}

typedef struct {
  LsStepItem *item;
  GError     *error;
} Compared;

static void
file_compared (GObject      *session,
               GAsyncResult *result,
               gpointer      data)
{
  Compared *compared = data;

  compared->item = ls_session_compare_file_finish (LS_SESSION (session), result, &compared->error);
}

static Compared
compare_file (LsSession  *session,
              const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Compared compared = { NULL, NULL };

  ls_session_compare_file_async (session, file, file_compared, &compared);
  while (compared.item == NULL && compared.error == NULL)
    g_main_context_iteration (NULL, TRUE);
  return compared;
}

/* A program is compared with whatever holds one: TVMScript, a session, what save_json of TVM wrote; what cannot be read is told with its place. */
static void
test_compare_file (void)
{
  static const struct { const char *name, *text, *words; } damaged[] = {
    { "broken.py", "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((8,), \"float32\")):\n    T.evaluat(0)\n", "broken.py: line 5: " },
    { "broken.json", "{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}, {\"type_key\": \"Nothing\"}]}", "broken.json: " },
  };
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *saved = ls_test_path ("data/saved/add_one.json"), *folder = g_dir_make_tmp ("loopscope-compare-XXXXXX", NULL);
  Compared compared = compare_file (session, saved);
  g_autoptr (LsComparison) comparison = NULL;

  g_assert_no_error (compared.error);
  comparison = ls_session_compare_steps (session, 0, LS_COMPARE_FILE);
  g_assert_nonnull (comparison);
  g_assert_nonnull (strstr (ls_script_text_get_text (comparison->right.text), "B[vi] = A[vi] + T.float32(1"));
  g_assert_cmpuint (comparison->right.loops->len, >, 0);
  g_clear_object (&compared.item);
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree char *path = g_build_filename (folder, damaged[i].name, NULL);

      g_assert_true (g_file_set_contents (path, damaged[i].text, -1, NULL));
      compared = compare_file (session, path);
      g_assert_null (compared.item);
      g_test_message ("%s", compared.error->message);
      g_assert_true (g_str_has_prefix (compared.error->message, damaged[i].words));
      g_assert_null (strstr (compared.error->message, folder));
      g_assert_null (strstr (compared.error->message + strlen (damaged[i].name) + 1, damaged[i].name));
      g_clear_error (&compared.error);
      g_remove (path);
    }
  g_rmdir (folder);
}

/* Nothing that a file may hold ends the program or takes away what is shown. */
static void
test_corrupt_file (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  gsize length = strlen (json);
  static const char *const texts[] = {
    "", "{", "[]", "{}", "{\"format\": \"loopscope-session\"}", "{\"format\": 3, \"module\": 4}",
    "{\"format\": \"loopscope-session\", \"module\": \"def\"}",
    "{\"format\": \"loopscope-session\", \"module\": \"\", \"version\": 99}",
    "{\"format\": \"loopscope-session\", \"module\": \"\", \"steps\": [{\"parent\": 7}, 3, null]}",
  };
  g_autofree char *deep = g_strnfill (300000, '[');
  g_autoptr (GError) too_deep = NULL, empty = NULL, cut_off = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ls_engine_session_open_saved (LS_ENGINE_SESSION (session), "x.loopscope", texts[i], -1, NULL, &error));
      g_assert_nonnull (error);
      g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 3);
    }
  g_assert_false (ls_engine_session_open_saved (LS_ENGINE_SESSION (session), "x.loopscope", deep, -1, NULL, &too_deep));
  g_assert_cmpstr (too_deep->message, ==, "x.loopscope is not JSON, so nothing was opened.");
  g_assert_false (ls_engine_session_open_saved (LS_ENGINE_SESSION (session), "x.loopscope", " \n", -1, NULL, &empty));
  g_assert_cmpstr (empty->message, ==, "x.loopscope is empty.");
  g_assert_false (ls_engine_session_open_saved (LS_ENGINE_SESSION (session), "x.loopscope", "{\n\"a\":\n", -1, NULL, &cut_off));
  g_assert_nonnull (strstr (cut_off->message, "x.loopscope: line "));
  g_assert_null (strstr (cut_off->message, "line 0"));
  for (gsize cut = 0; cut < length; cut += 1 + length / 40)
    {
      g_autoptr (LsSession) other = ls_engine_session_new ();

      ls_engine_session_open_saved (LS_ENGINE_SESSION (other), "x.loopscope", json, (gssize) cut, NULL, NULL);
    }
}

static char *
replaced (const char *text,
          const char *from,
          const char *to)
{
  g_auto (GStrv) parts = g_strsplit (text, from, -1);

  g_assert_cmpuint (g_strv_length (parts), >, 1);
  return g_strjoinv (to, parts);
}

/* Steps that hang on themselves or on later ones are left out, and that is said. */
static void
test_cyclic_steps (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_autofree char *cyclic = replaced (json, "\"parent\" : 1", "\"parent\" : 2");
  g_autofree char *other = replaced (json, "\"steps\" : [", "\"steps\" : 5, \"more\" : [");
  g_autoptr (LsSession) again = ls_engine_session_new ();

  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", cyclic, -1, NULL, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (again)), ==, 2);
  g_assert_cmpstr (ls_session_get_left_out (again), ==, "x.loopscope: 1 step follows no step before it and is left out.");
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", other, -1, NULL, NULL));
  g_assert_cmpstr (ls_session_get_left_out (again), ==, "x.loopscope: its steps are no list, so only the program was read.");
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  g_assert_null (ls_session_get_left_out (again));
}

/* How often that stands in the text. */
static guint
count (const char *text,
       const char *part)
{
  guint n = 0;

  for (; (text = strstr (text, part)) != NULL; text += strlen (part))
    n++;
  return n;
}

/* One page that needs nothing else, with its data and the one script that may run in it; the pictures do not share ids. */
static void
test_report (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *page = ls_session_export (session, LS_EXPORT_REPORT, &error);

  g_assert_no_error (error);
  g_assert_nonnull (strstr (page, "reorder(j_0, k, j_1)"));
  g_assert_nonnull (strstr (page, "<svg"));
  g_assert_cmpuint (count (page, "<script"), ==, 2);
  g_assert_nonnull (strstr (page, "default-src 'none'"));
  g_assert_null (strstr (page, " src=\""));
  for (const char *at = page; (at = strstr (at, " id=\"")) != NULL;)
    {
      at += strlen (" id=\"");
      g_assert_true (g_hash_table_add (ids, g_strndup (at, strcspn (at, "\""))));
    }
}

/* The opened program is another one: the steps follow.  What cannot be read changes nothing but the draft; a state in
 * between that breaks steps is whole again with the next text. */
static void
test_edit_base (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *small = replaced (session_source, "128", "64");
  g_autofree char *broken = replaced (session_source, "T.grid(128, 128, 128)", "T.grid(128, 128)");
  g_autofree char *other = replaced (session_source, "T.block(\"Y\")", "T.block(\"Z\")");

  g_assert_cmpstr (ls_session_get_base (session), ==, session_source);
  ls_session_edit_base (session, small);
  g_assert_null (ls_session_get_draft (session));
  g_assert_cmpstr (ls_session_get_draft_words (session), ==, "The program is read, all 2 steps are replayed.");
  g_assert_cmpint (loop (session, "k")->extent, ==, 64);
  g_assert_cmpint (loop (session, "j_0")->extent, ==, 16);

  ls_session_edit_base (session, broken);
  g_assert_nonnull (ls_session_get_draft (session));
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (session)), ==, 1);
  g_assert_cmpuint (ls_script_text_get_note (ls_session_get_draft (session), 0)->line, ==, 4);
  g_assert_cmpstr (ls_session_get_base (session), ==, broken);
  g_assert_cmpint (loop (session, "k")->extent, ==, 64);

  ls_session_edit_base (session, other);
  g_assert_cmpint (step (session, 1)->state, ==, LS_STEP_FAILED);
  g_assert_cmpint (step (session, 2)->state, ==, LS_STEP_UNREACHED);
  g_assert_true (g_str_has_prefix (ls_session_get_draft_words (session), "Replay stops at step 1, split: "));
  ls_session_edit_base (session, "");
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (session)), ==, 1);
  ls_session_edit_base (session, session_source);
  g_assert_null (ls_session_get_draft (session));
  g_assert_cmpint (step (session, 2)->state, ==, LS_STEP_UNMEASURED);
  g_assert_cmpstr (step (session, 2)->call, ==, "reorder(j_0, k, j_1)");
  g_assert_cmpint (loop (session, "j_0")->extent, ==, 32);
}

/* A draft that cannot be read is saved with the session and comes back, also when there never was a good program. */
static void
test_draft_saved (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsSession) again = ls_engine_session_new (), third = ls_engine_session_new ();
  g_autoptr (LsSession) hopeless = open_text ("@T.prim_func\ndef f(:\n", NULL);
  g_autofree char *broken = replaced (session_source, "T.grid(128, 128, 128)", "T.grid(128, 128)");
  g_autofree char *json = NULL, *other = NULL;
  g_autoptr (GError) error = NULL;

  ls_session_edit_base (session, broken);
  json = ls_session_export (session, LS_EXPORT_SESSION, &error);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ls_session_get_base (again), ==, broken);
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (again)), ==, 1);
  g_assert_cmpint (loop (again, "k")->extent, ==, 128);
  ls_session_edit_base (again, session_source);
  g_assert_null (ls_session_get_draft (again));

  g_assert_cmpint (ls_session_get_state (hopeless), ==, LS_SESSION_BROKEN);
  ls_session_edit_base (hopeless, "@T.prim_func\ndef g(:\n");
  other = ls_session_export (hopeless, LS_EXPORT_SESSION, &error);
  g_assert_no_error (error);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (third), "x.loopscope", other, -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ls_session_get_state (third), ==, LS_SESSION_BROKEN);
  g_assert_cmpstr (ls_session_get_base (third), ==, "@T.prim_func\ndef g(:\n");
  ls_session_edit_base (third, session_source);
  g_assert_cmpint (ls_session_get_state (third), ==, LS_SESSION_READY);
  g_assert_cmpint (loop (third, "k")->extent, ==, 128);
}

static gboolean
has_draft (LsSession *session)
{
  return ls_session_get_draft (session) != NULL;
}

/* A large text is looked at by the worker; meanwhile the window goes on. */
static void
test_large_draft (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (GString) large = g_string_new (session_source);
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (large->len < 64 * 1024)
    g_string_append (large, "# filled up\n");
  g_string_append (large, "@T.prim_func\ndef f(:\n");
  ls_session_edit_base (session, large->str);
  g_assert_false (has_draft (session));
  while (!has_draft (session) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (has_draft (session));
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (session)), >=, 1);
  g_assert_cmpint (loop (session, "k")->extent, ==, 128);
}

typedef struct {
  char   *text;
  GError *error;
  guint   n;
} Answer;

static void
answered (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  Answer *answer = data;

  answer->text = ls_session_export_finish (LS_SESSION (session), result, &answer->error);
  answer->n++;
}

/* In a thread the page is the same; what is done meanwhile, be it that another program is opened, is not in it; it can be cancelled. */
static void
test_report_later (void)
{
  LsSession *session = open_text (session_source, session_steps);
  g_autofree char *page = ls_session_export (session, LS_EXPORT_REPORT, NULL);
  Answer report = { 0 }, module = { 0 }, later = { 0 }, cancelled = { 0 }, gone = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  ls_session_export_async (session, LS_EXPORT_REPORT, NULL, answered, &report);
  ls_session_export_async (session, LS_EXPORT_MODULE, NULL, answered, &module);
  while (report.n == 0 || module.n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (report.error);
  /* The pictures before it have numbers of cairo's that go on. */
  g_assert_true (g_str_equal (strstr (report.text, "<table class"), strstr (page, "<table class")));
  g_assert_nonnull (strstr (module.text, "T.prim_func"));

  ls_session_export_async (session, LS_EXPORT_REPORT, NULL, answered, &later);
  ls_session_go_to (session, 0);
  ls_session_select (session, loop (session, "k")->id);
  ls_session_apply (session, find_move (session, "unroll(k)"));
  while (later.n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (later.error);
  g_assert_nonnull (strstr (later.text, "<h3>2  reorder(j_0, k, j_1)</h3>"));
  g_assert_null (strstr (later.text, "unroll(k)"));

  ls_session_export_async (session, LS_EXPORT_REPORT, cancellable, answered, &cancelled);
  g_cancellable_cancel (cancellable);
  while (cancelled.n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (cancelled.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (cancelled.text);

  ls_session_export_async (session, LS_EXPORT_REPORT, NULL, answered, &gone);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "b.py", session_source, NULL);
  g_object_unref (session);
  while (gone.n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (gone.error);
  g_assert_nonnull (strstr (gone.text, "<h3>2  reorder(j_0, k, j_1)</h3>"));
  g_assert_cmpuint (report.n + module.n + later.n + cancelled.n + gone.n, ==, 5);
  g_free (report.text);
  g_free (module.text);
  g_free (later.text);
  g_free (gone.text);
  g_error_free (cancelled.error);
}

typedef struct {
  LsSource      *source;
  LsDiagnostics *diagnostics;
  LsReady       *ready;
} Reading;

static gpointer
read_beside (gpointer data)
{
  Reading *reading = data;

  reading->ready = ls_ready_read (reading->source, NULL, reading->diagnostics);
  return NULL;
}

/* What another thread made ready shows as what is opened at once; a text with errors is shown with its notes. */
static void
test_made_ready_beside (void)
{
  const char *texts[] = { session_source, "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    A[0 = 1\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (LsSession) direct = open_text (texts[i], NULL);
      g_autoptr (LsSession) session = ls_engine_session_new ();
      g_autoptr (LsSource) source = ls_source_new ("test.py", texts[i], -1);
      g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
      Reading reading = { source, diagnostics, NULL };
      g_autofree char *a = NULL, *b = NULL;

      g_thread_join (g_thread_new ("read", read_beside, &reading));
      g_assert_true ((reading.ready == NULL) == (i == 1));
      ls_engine_session_open_ready (LS_ENGINE_SESSION (session), "test.py", texts[i], source, diagnostics, reading.ready);
      a = texts_of (direct);
      b = texts_of (session);
      g_assert_cmpstr (a, ==, b);
      g_assert_cmpint (ls_session_get_state (session), ==, ls_session_get_state (direct));
      g_assert_cmpuint (ls_session_get_selection (session), ==, ls_session_get_selection (direct));
      g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_loops (session)), ==,
                        g_list_model_get_n_items (ls_session_get_loops (direct)));
      g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_script (session)), ==,
                        ls_script_text_n_notes (ls_session_get_script (direct)));
      g_clear_pointer (&reading.ready, ls_ready_free);
    }
}

static void
note_target (LsSession  *session,
             const char *old,
             GString    *seen)
{
  g_string_append_printf (seen, "%s;", old);
}

/* Another target keeps the steps; times of the old one are of another target, and come back with it; new ones are of the new one.  It is in the file.  One that
 * there is not changes nothing. */
static void
test_target (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps), again = ls_engine_session_new ();
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsHistory *history = ls_engine_session_get_history (self);
  LsHistoryNode *first = ls_history_get (history, 0), *second = ls_history_get (history, 1);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  double *samples = g_new0 (double, 1), *others = g_new0 (double, 1);

  g_signal_connect (session, "target-changed", G_CALLBACK (note_target), seen);
  samples[0] = others[0] = 1e-3;
  ls_history_set_time (first, &(LsStepTime) { .samples = 1, .median = 1e-3 }, samples, "1 sample");
  g_assert_false (ls_engine_session_set_target (self, "cuda -max_threads_per_block=many", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (ls_engine_session_set_target (self, "nvidia/of-next-year", &error));
  g_clear_error (&error);
  g_assert_cmpstr (ls_engine_session_get_target (self), ==, "llvm");
  g_assert_cmpstr (seen->str, ==, "");
  g_assert_true (ls_engine_session_set_target (self, "nvidia/nvidia-a100", NULL));
  g_assert_nonnull (strstr (ls_session_get_place (session), "nvidia/nvidia-a100"));
  g_assert_true (first->stale);
  ls_history_set_time (second, &(LsStepTime) { .samples = 1, .median = 1e-3 }, others, "1 sample");
  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ls_engine_session_get_target (LS_ENGINE_SESSION (again)), ==, "nvidia/nvidia-a100");
  g_assert_true (ls_engine_session_set_target (self, "llvm", NULL));
  g_assert_false (first->stale);
  g_assert_true (second->stale);
  g_assert_true (ls_engine_session_set_target (self, "nvidia/nvidia-a100", NULL));
  g_assert_true (first->stale);
  g_assert_false (second->stale);
  g_assert_cmpuint (ls_history_get_n (history), ==, 3);
  g_assert_cmpstr (seen->str, ==, "llvm;nvidia/nvidia-a100;llvm;");
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);

  g_test_add_func ("/session/saved-and-read", test_saved_and_read);
  g_test_add_func ("/session/device-result", test_device_result);
  g_test_add_func ("/session/target", test_target);
  g_test_add_func ("/session/lone-function", test_lone_function);
  g_test_add_func ("/session/compare-file", test_compare_file);
  g_test_add_func ("/session/corrupt-file", test_corrupt_file);
  g_test_add_func ("/session/count", test_count);
  g_test_add_func ("/session/excerpt", test_excerpt);
  g_test_add_func ("/session/cyclic-steps", test_cyclic_steps);
  g_test_add_func ("/session/report", test_report);
  g_test_add_func ("/session/edit-base", test_edit_base);
  g_test_add_func ("/session/draft-saved", test_draft_saved);
  g_test_add_func ("/session/large-draft", test_large_draft);
  g_test_add_func ("/session/report-later", test_report_later);
  g_test_add_func ("/session/made-ready-beside", test_made_ready_beside);
  return g_test_run ();
}
