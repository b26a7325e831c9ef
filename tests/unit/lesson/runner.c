/* Whole lessons through the kernel: verdicts on cells, outputs, exercises; and every lesson that comes with the program. */
#include "app/lesson/runner.h"
#include "app/rpc/rpc.h"
#include "tests/support/support.h"

#include <string.h>

static void
collect (const LsRunReport *report,
         gpointer           data)
{
  g_string_append_printf (data, "%s%s", ((GString *) data)->len > 0 ? " " : "", ls_run_status_name (report->status));
  if (report->status == LS_RUN_FAILED)
    g_test_message ("line %u: %s", report->part->line, report->sentence);
}

static char *
verdicts (const char *text,
          gboolean    check)
{
  g_autoptr (LsSource) source = ls_source_new ("lesson.md", text, -1);
  g_autoptr (LsLesson) lesson = ls_lesson_parse (source, NULL);
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  GString *found = g_string_new (NULL);

  ls_lesson_run (lesson, kernel, check, collect, found);
  return g_string_free (found, FALSE);
}

static void
test_verdicts (void)
{
  static const struct { const char *text, *found; } CASES[] = {
    { "```python\nprint(1)\n2\n```\n```output\n1\n2\n```\n", "passed" },
    { "```python\nprint(1)\n```\n```output\n2\n```\n", "failed" },
    { "```python {expect=ValueError}\nint('x')\n```\n", "passed" },
    { "```python {expect=Exception}\nint('x')\n```\n", "passed" },
    { "```python {expect=ValueError}\n1\n```\n", "failed" },
    { "```python\nint('x')\n```\n```python\n1\n```\n", "failed passed" },
    { "```python {needs=no_such_module}\nx\n```\n```python {skip}\nx\n```\n", "skipped skipped" },
    { "---\nneeds: no_such_module\n---\n```python\n1\n```\n", "skipped" },
    { "```python {timeout=1}\nwhile True:\n    pass\n```\n```python\n1\n```\n", "failed passed" },
    { "```python\nimport os\nos.abort()\n```\n```python\n1\n```\n", "failed skipped" },
    { "```\nthis is no python\n```\n", "skipped" },
    { "```exercise\nDo.\n--- start\nf = 0\n--- cases\n# case: a\nassert f == 1, 'one'\n--- solution\nf = 1\n```\n```python\nassert f == 1\n```\n", "passed passed" },
    { "```exercise\nDo.\n--- start\nf = 1\n--- cases\nassert f == 1\n--- solution\nf = 1\n```\n", "failed" },
    { "```exercise\nDo.\n--- start\nf = 0\n--- cases\nassert f == 1\n--- solution\nf = 2\n```\n", "failed" },
    { "```exercise\nDo.\n--- start\nf = 0\n--- cases\n# case: a\nf = 5\nassert False\n# case: b\nassert f == 1\n--- solution\nf = 1\n```\n```python\nassert f == 1\n```\n", "failed passed" },
    { "```python {view=table}\n[{'a': 1}, {'a': 2}]\n```\n```python {view=table}\nprint(1)\n```\n```python {view=none}\n1\n```\n", "passed failed passed" },
    { "```python {view=history}\nimport tvm\nfrom tvm import te\nA = te.placeholder((8,), name='A')\ns = tvm.tir.Schedule(te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name='B')]))\ns\n```\n"
      "```python {view=history}\ns.mod\n```\n```python {view=graph}\ns.mod\n```\n", "passed failed passed" },
    { "```python {view=run, stops=\"write B[3]; loop i\", ask=value}\nimport tvm\nfrom tvm import te\nA = te.placeholder((8,), name='A')\n"
      "f = te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name='B')])\nf\n```\n"
      "```python {view=run, stops=\"loop q\"}\nf\n```\n```python {view=run, stops=\"write B[3] if i == 4\"}\nf\n```\n```python {view=run}\n1\n```\n", "passed failed failed failed" },
    { "```primitive {schedule=nothing}\nWhich?\n```\n", "failed" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *found = verdicts (CASES[i].text, TRUE);

      g_test_message ("%s", CASES[i].text);
      g_assert_cmpstr (found, ==, CASES[i].found);
    }
}

static void
keep_message (const LsRunReport *report,
              gpointer           data)
{
  for (guint i = 0; report->cases != NULL && i < report->cases->len; i++)
    g_string_append_printf (data, "%s|", ls_params_string (report->cases->pdata[i], "message", ""));
}

/* A case that ends with a finding of the engine says the finding, not that there was one. */
static void
test_told (void)
{
  static const char TEXT[] =
    "```exercise\nDo.\n--- start\nx = 0\n--- cases\nimport tvm\nfrom tvm import te\nA = te.placeholder((8,), name='A')\n"
    "s = tvm.tir.Schedule(te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1.0, name='B')]))\n"
    "# case: a\ns.get_block('C')\n# case: b\nraise ValueError('two')\n# case: c\nassert False, 'three'\n--- solution\nx = 1\n```\n";
  g_autoptr (LsSource) source = ls_source_new ("lesson.md", TEXT, -1);
  g_autoptr (LsLesson) lesson = ls_lesson_parse (source, NULL);
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GString) told = g_string_new (NULL);

  ls_lesson_run (lesson, kernel, FALSE, keep_message, told);
  g_assert_cmpstr (told->str, ==, "ScheduleError: Function main has no block C.|ValueError: two|three|");
}

/* Of a run of a whole lesson. */
typedef struct {
  GHashTable *met;              /* ids of exercises */
  guint       n_failed;
} Tally;

/* An exercise that comes again, in another language, may find its solution done: what it registered stays in the kernel. */
static void
count_failed (const LsRunReport *report,
              gpointer           data)
{
  Tally *self = data;
  gboolean again = report->part->kind == LS_PART_EXERCISE && report->part->id != NULL && !g_hash_table_add (self->met, g_strdup (report->part->id));

  if (report->status != LS_RUN_FAILED || (again && strcmp (report->sentence, "the start passes all cases already") == 0))
    return;
  self->n_failed++;
  g_test_message ("line %u: %s\n%s", report->part->line, report->sentence, report->trouble != NULL ? report->trouble : "");
}

/* ---- every lesson that comes with the program ---- */

/* The n-th part that the kernel runs, or NULL; `i` is where it stands among all. */
static const LsLessonPart *
nth_run (LsLesson *lesson,
         guint     n,
         guint    *i)
{
  for (*i = 0; *i < ls_lesson_get_n_parts (lesson); ++*i)
    {
      const LsLessonPart *part = ls_lesson_get_part (lesson, *i);

      if ((part->kind == LS_PART_CELL || part->kind == LS_PART_EXERCISE || part->kind == LS_PART_PRIMITIVE) && n-- == 0)
        return part;
    }
  return NULL;
}

static gboolean
same_words (char **a,
            char **b)
{
  return a == NULL || b == NULL ? a == b : g_strv_equal ((const char *const *) a, (const char *const *) b);
}

/* To the letter, so that one run says what the other would. */
static gboolean
same_run (const LsLessonPart *a,
          const LsLessonPart *b)
{
  return g_strcmp0 (a->code, b->code) == 0 && g_strcmp0 (a->cases, b->cases) == 0 && g_strcmp0 (a->solution, b->solution) == 0 &&
         g_strcmp0 (a->output, b->output) == 0 && g_strcmp0 (a->view, b->view) == 0 && g_strcmp0 (a->expect, b->expect) == 0 &&
         g_strcmp0 (a->needs, b->needs) == 0 && g_strcmp0 (a->ask, b->ask) == 0 && g_strcmp0 (a->schedule, b->schedule) == 0 &&
         same_words (a->names, b->names) && same_words (a->stops, b->stops) && a->step == b->step && a->timeout == b->timeout &&
         a->skip == b->skip && a->close == b->close;
}

static void
append_lines (GString *out,
              char   **lines,
              guint    from,
              guint    to)
{
  for (guint i = from; i < to && lines[i] != NULL; i++)
    g_string_append_printf (out, "%s\n", lines[i]);
}

static char **
lines_of (const char *path)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_strsplit (text, "\n", -1);
}

/* What the translation has in the place of the English lesson's n-th run, if that is not the same, with what is said of its output. */
static void
append_translated (GString            *out,
                   const LsLessonPart *english,
                   const char         *path,
                   guint               n)
{
  g_autoptr (LsLesson) lesson = ls_lesson_load (path, NULL, NULL);
  guint i;
  const LsLessonPart *part = nth_run (lesson, n, &i);

  if (part != NULL && !same_run (english, part))
    {
      g_auto (GStrv) lines = lines_of (path);

      append_lines (out, lines, part->line - 1, i + 1 < ls_lesson_get_n_parts (lesson) ? ls_lesson_get_part (lesson, i + 1)->line - 1 : G_MAXUINT);
    }
}

static char *
translation (const char *english,
             const char *language)
{
  g_autoptr (GString) path = g_string_new (english);

  g_assert_cmpuint (g_string_replace (path, ".en.md", language, 0), ==, 1);
  return g_strdup (path->str);
}

static void
run_whole (const char *path,
           const char *text)
{
  g_autoptr (LsSource) source = ls_source_new (path, text, -1);
  g_autoptr (LsLesson) lesson = ls_lesson_parse (source, NULL);
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GHashTable) met = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Tally tally = { met, 0 };

  ls_kernel_set_folder (kernel, g_getenv ("LS_LESSONS"));
  ls_lesson_run (lesson, kernel, TRUE, count_failed, &tally);
  g_assert_cmpuint (tally.n_failed, ==, 0);
}

/* In English, and with it what its translations say otherwise to the kernel (exercises with their words, names in a table). */
static void
test_lesson (gconstpointer english)
{
  static const char *const LANGUAGES[] = { ".ko.md", ".zh_CN.md" };
  g_autoptr (LsLesson) lesson = ls_lesson_load (english, NULL, NULL);
  g_auto (GStrv) lines = lines_of (english);
  g_autoptr (GString) text = g_string_new (NULL);
  const LsLessonPart *part, *next;
  guint from = 0, i;

  for (guint n = 0; (part = nth_run (lesson, n, &i)) != NULL; n++)
    {
      guint to = (next = nth_run (lesson, n + 1, &i)) != NULL ? next->line - 1 : G_MAXUINT;

      append_lines (text, lines, from, to);
      for (guint k = 0; k < G_N_ELEMENTS (LANGUAGES); k++)
        {
          g_autofree char *path = translation (english, LANGUAGES[k]);

          append_translated (text, part, path, n);
        }
      from = to;
    }
  run_whole (english, text->str);
}

/* It has the English lesson's cells, exercises and questions, which are run there; ./check --full runs it by itself. */
static void
test_translation (gconstpointer path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path), *text = NULL;
  g_auto (GStrv) words = g_strsplit (name, ".", 2);
  g_autofree char *english_name = g_strconcat (words[0], ".en.md", NULL), *english_path = g_build_filename (folder, english_name, NULL);
  g_autoptr (LsLesson) lesson = ls_lesson_load (path, NULL, NULL);
  g_autoptr (LsLesson) english = ls_lesson_load (english_path, NULL, NULL);
  const LsLessonPart *part = NULL, *other = NULL;
  guint i;

  for (guint n = 0; n == 0 || part != NULL; n++)
    {
      part = nth_run (lesson, n, &i);
      other = nth_run (english, n, &i);
      g_assert_true ((part == NULL) == (other == NULL));
      if (part != NULL)
        g_assert_cmpint (part->kind, ==, other->kind);
    }
  g_assert_cmpstr (ls_lesson_get_needs (lesson), ==, ls_lesson_get_needs (english));
  if (!g_test_thorough ())
    return;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  run_whole (path, text);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) lessons = NULL;

  g_test_init (&argc, &argv, NULL);
  lessons = ls_lesson_list (g_getenv ("LS_LESSONS"));
  g_test_add_func ("/lesson/runner/verdicts", test_verdicts);
  g_test_add_func ("/lesson/runner/told", test_told);
  for (guint i = 0; i < lessons->len; i++)
    {
      g_autofree char *base = g_path_get_basename (ls_lesson_get_path (lessons->pdata[i]));
      g_autofree char *name = g_strdup_printf ("/lesson/runner/%s", base);

      g_test_add_data_func (name, ls_lesson_get_path (lessons->pdata[i]), g_str_has_suffix (base, ".en.md") ? test_lesson : test_translation);
    }
  return g_test_run ();
}
