/* loopscope-cli lesson: what it prints, its exit status, its JSON. */
#include "tests/support/command.h"

#include <json-glib/json-glib.h>
#include <string.h>

static const char GOOD[] = "---\ntitle: Good\nid: good\n---\n```python {id=a}\nprint(1)\n2\n```\n```output\n1\n2\n```\n";
static const char BAD[] = "# Bad\n\n```python\nprint(1)\n```\n```output\n3\n```\n\n```python\n1 / 0\n```\n\n```predict\nWhat?\n- ( ) a\n- ( ) b\n```\n";

static void
expect (const char *line,
        int         status,
        const char *out,
        const char *err)
{
  g_auto (LsTestRun) run = ls_test_run ("app/cli/loopscope-cli", line);

  g_test_message ("%s: %s%s", line, run.out, run.err);
  g_assert_cmpint (run.status, ==, status);
  g_assert_nonnull (strstr (run.out, out));
  g_assert_nonnull (strstr (run.err, err));
}

static void
test_check (void)
{
  g_autofree char *good = ls_test_write ("good.md", GOOD);
  g_autofree char *bad = ls_test_write ("bad.md", BAD);
  g_autofree char *check_good = g_strdup_printf ("lesson check %s", good);
  g_autofree char *check_bad = g_strdup_printf ("lesson check %s", bad);
  g_autofree char *run_bad = g_strdup_printf ("lesson run %s", bad);

  expect (check_good, 0, "1 passed, 0 failed, 0 skipped", "");
  expect (check_bad, 1, "the output differs: line 1 is \"1\", expected is \"3\"", "lesson/choices");
  expect (check_bad, 1, "ZeroDivisionError: division by zero", "Exactly one answer");
  expect (run_bad, 1, "1 passed, 1 failed", "");
}

static void
test_json (void)
{
  g_autofree char *bad = ls_test_write ("bad.md", BAD);
  g_autofree char *line = g_strdup_printf ("lesson check %s --json", bad);
  g_auto (LsTestRun) run = ls_test_run ("app/cli/loopscope-cli", line);
  g_autoptr (JsonNode) root = json_from_string (run.out, NULL);
  JsonObject *object, *part;

  g_assert_cmpint (run.status, ==, 1);
  g_assert_nonnull (root);
  object = json_node_get_object (root);
  g_assert_cmpstr (json_object_get_string_member (object, "title"), ==, "Bad");
  g_assert_cmpint (json_object_get_int_member (object, "failed"), ==, 2);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "findings")), ==, 1);
  part = json_array_get_object_element (json_object_get_array_member (object, "parts"), 1);
  g_assert_cmpstr (json_object_get_string_member (part, "status"), ==, "failed");
  g_assert_cmpint (json_object_get_int_member (part, "line"), ==, 10);
  g_assert_nonnull (strstr (json_object_get_string_member (part, "traceback"), "1 / 0"));
}

/* A text of another kind is named once, and not word by word. */
static void
test_other (void)
{
  g_autofree char *text = ls_test_write ("lesson.txt", "---\ntitle: T\nid: t\n---\n\nSee $x$!\n\n```python\nx\n```\n");
  g_autofree char *notebook = ls_test_write ("n.ipynb", "{\"cells\": [], \"nbformat\": 4}");
  g_autofree char *misspelt = ls_test_write ("e.md", "---\ntitle: T\nid: t\n---\n\n```python {expect=ValueEror}\nraise ValueError('x')\n```\n");
  g_autofree char *print = g_strdup_printf ("print %s", text), *check = g_strdup_printf ("lesson check %s", notebook);
  g_autofree char *checked = g_strdup_printf ("lesson check %s", misspelt);
  g_auto (LsTestRun) run = ls_test_run ("app/cli/loopscope-cli", print);

  g_assert_cmpint (run.status, ==, 1);
  g_assert_nonnull (strstr (run.err, "script/other"));
  g_assert_cmpuint (strlen (run.err), <, 400);
  expect (check, 1, "0 passed", "lesson/empty");
  expect (checked, 1, "it says expect=ValueEror, and ends with ValueError: x", "");
}

/* So is a file of somebody else's: what it is, and what of it is read. */
static void
test_others (void)
{
  static const char WEIGHTS[] = "\x50\0\0\0\0\0\0\0{\"w\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 8]}}                    \0\0\0\0\0\0\0\0";
  static const struct { const char *name, *text; gsize length; const char *words; } files[] = {
    { "m.json", "{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}], \"b64ndarrays\": [], \"attrs\": {\"tvm_version\": \"0.20.0\"}}", 0, "save_json of TVM" },
    { "w.safetensors", WEIGHTS, sizeof WEIGHTS - 1, "These are weights (safetensors)" },
    { "a.pt", "PK\003\004 and so on", 0, "This is an archive" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = ls_test_write (files[i].name, "");
      const char *const commands[] = { "print", "graph" };

      g_assert_true (g_file_set_contents (path, files[i].text, files[i].length > 0 ? (gssize) files[i].length : -1, NULL));
      for (guint k = 0; k < G_N_ELEMENTS (commands); k++)
        {
          g_autofree char *words = g_strdup_printf ("%s %s", commands[k], path);
          g_auto (LsTestRun) run = ls_test_run ("app/cli/loopscope-cli", words);

          g_assert_cmpint (run.status, ==, 1);
          if (strstr (run.err, files[i].words) == NULL)
            g_test_fail_printf ("%s: %s", words, run.err);
        }
    }
}

static const char REFUSED[] =
  "---\ntitle: Refused\nid: refused\n---\n\n```python {expect=ScheduleError}\nimport tvm\nfrom tvm import te\n"
  "A = te.placeholder((8, 8), name=\"A\")\nk = te.reduce_axis((0, 8), name=\"k\")\n"
  "B = te.compute((8,), lambda i: te.sum(A[i, k], axis=k), name=\"B\")\nC = te.compute((8,), lambda i: B[i] + 1.0, name=\"C\")\n"
  "sch = tvm.tir.Schedule(te.create_prim_func([A, C]))\nsch.vectorize(sch.get_loops(\"B\")[1])\n```\n\n"
  "```python\nloop, = sch.get_loops(\"C\")\nsch.reorder(loop, loop)\n```\n";

/* A refused step reads as a sentence, its repair and its line, and the program has a sign at the loop at fault. */
static void
test_refused (void)
{
  g_autofree char *file = ls_test_write ("refused.md", REFUSED);
  g_autofree char *line = g_strdup_printf ("lesson run %s", file);
  g_auto (LsTestRun) run = ls_test_run ("app/cli/loopscope-cli", line);

  g_test_message ("%s", run.out);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_nonnull (strstr (run.out, "ends with ScheduleError, as it says: vectorize is refused: All 8 iterations of k add into the same B."));
  g_assert_nonnull (strstr (run.out, "for k in range(8):  # ← vectorize\n"));
  g_assert_nonnull (strstr (run.out, "failed   cell 2"));
  g_assert_nonnull (strstr (run.out, "reorder is refused: "));
  g_assert_nonnull (strstr (run.out, "2: sch.reorder(loop, loop)\n"));
  g_assert_null (strstr (run.out, "Traceback"));
  g_assert_null (strstr (run.out, "^^^"));
}

/* Where the data set is not installed, its first 500 pictures stand in. */
static void
test_sample (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_LESSONS"), "11-fashion.en.md", NULL), *text = NULL;
  g_autofree char *models = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "models", NULL), *file = NULL, *check = NULL, *run = NULL;
  g_autoptr (GString) lesson = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lesson = g_string_new (text);
  g_assert_cmpuint (g_string_replace (lesson, "/usr/share/datasets", "/nowhere", 0), ==, 1);
  g_string_replace (lesson, "../data/models", models, 0);
  g_string_replace (lesson, "after: extern\n", "", 0);
  file = ls_test_write ("pictures.md", lesson->str);
  check = g_strdup_printf ("lesson check %s", file);
  run = g_strdup_printf ("lesson run %s", file);
  expect (check, 0, "10 passed, 0 failed, 0 skipped", "");
  expect (run, 0, "500 pictures from", "");
}

static void
test_words (void)
{
  expect ("lesson list", 0, "en     loops", "");
  expect ("lesson list --json", 0, "\"order\" : 1", "");
  expect ("lesson", 2, "", "one of check, run, list, export and grade");
  expect ("lesson check", 2, "", "a Markdown file is expected");
  expect ("lesson check no-such-file.md", 1, "", "no-such-file.md");
  expect ("lesson --help", 0, "check FILE", "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/command/check", test_check);
  g_test_add_func ("/lesson/command/json", test_json);
  g_test_add_func ("/lesson/command/other", test_other);
  g_test_add_func ("/lesson/command/others", test_others);
  g_test_add_func ("/lesson/command/refused", test_refused);
  g_test_add_func ("/lesson/command/sample", test_sample);
  g_test_add_func ("/lesson/command/words", test_words);
  return g_test_run ();
}
