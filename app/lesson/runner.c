/* A lesson from its first cell to its last.
 *
 * A part that fails does not end the run, since the next ones may well work; a kernel that dies does: what follows is skipped
 * and says so.
 */
#include "app/lesson/runner.h"

#include "app/lesson/record.h"
#include "app/rpc/rpc.h"
#include "engine/base/base.h"
#include "engine/base/plural.h"

#include <string.h>

typedef struct {
  LsLesson  *lesson;
  LsKernel  *kernel;
  gboolean   check;
  LsRunFunc  func;
  gpointer   data;
  char      *missing;           /* of the whole lesson */
  gboolean   told;              /* that it is missing */
  char      *gone;              /* why the kernel is gone */
  guint      failed;
} Run;

const char *
ls_run_status_name (LsRunStatus status)
{
  switch (status)
    {
    case LS_RUN_PASSED:
      return "passed";
    case LS_RUN_FAILED:
      return "failed";
    case LS_RUN_SKIPPED:
      return "skipped";
    }
  return "";
}

/* ---- requests ---- */

GVariant *
ls_lesson_cell_params (LsLesson           *lesson,
                       const LsLessonPart *part,
                       const char         *code)
{
  GVariantDict params;
  g_autofree char *name = g_strdup_printf ("cell %u", part->number);

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "name", "s", name);
  g_variant_dict_insert (&params, "maybe", "b", part->maybe);
  if (part->view != NULL)
    g_variant_dict_insert (&params, "view", "s", part->view);
  g_variant_dict_insert (&params, "usual", "b", ls_lesson_is_foreign (lesson));
  return g_variant_dict_end (&params);
}

GVariant *
ls_lesson_exercise_params (const LsLessonPart *part,
                           const char         *code)
{
  GVariantDict params;
  g_autofree char *name = g_strdup_printf ("exercise %u", part->number);

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "cases", "s", part->cases);
  g_variant_dict_insert (&params, "name", "s", name);
  return g_variant_dict_end (&params);
}

GVariant *
ls_lesson_primitive_params (const LsLessonPart *part,
                            guint               round,
                            const char         *answer)
{
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "schedule", "s", part->schedule != NULL ? part->schedule : "");
  g_variant_dict_insert (&params, "step", "i", part->step);
  if (part->drill)
    g_variant_dict_insert (&params, "round", "i", (int) round);
  if (answer != NULL)
    g_variant_dict_insert (&params, "answer", "s", answer);
  return g_variant_dict_end (&params);
}

char *
ls_lesson_missing (LsKernel   *kernel,
                   const char *needs)
{
  g_auto (GStrv) names = g_strsplit_set (needs != NULL ? needs : "", ", ", -1);
  g_autoptr (GVariant) answer = NULL;
  g_auto (GStrv) missing = NULL, packages = NULL;
  g_autofree char *list = NULL, *wanted = NULL;
  GVariantBuilder modules;
  GVariantDict params;
  guint n = 0;

  g_variant_builder_init (&modules, G_VARIANT_TYPE ("as"));
  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] != 0)
      {
        g_variant_builder_add (&modules, "s", names[i]);
        n++;
      }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_builder_end (&modules));
  if (n == 0)
    {
      g_variant_dict_clear (&params);
      return NULL;
    }
  answer = ls_kernel_request (kernel, "needs", g_variant_dict_end (&params), 20, NULL, NULL);
  missing = answer != NULL ? ls_params_strv (answer, "missing") : NULL;
  packages = answer != NULL ? ls_params_strv (answer, "packages") : NULL;
  if (missing == NULL || *missing == NULL)
    return NULL;
  list = g_strjoinv (", ", missing);
  wanted = packages != NULL ? g_strjoinv (" ", packages) : NULL;
  return wanted != NULL && *wanted != 0 ? g_strdup_printf (ls_translate ("%s; on Debian: apt-get install %s"), list, wanted) : g_steal_pointer (&list);
}

/* ---- reports ---- */

static void
report_clear (LsRunReport *report)
{
  g_free (report->sentence);
  g_free (report->trouble);
  g_clear_pointer (&report->outputs, ls_outputs_unref);
  g_clear_pointer (&report->cases, g_ptr_array_unref);
  g_clear_pointer (&report->answer, g_variant_unref);
}

static void
settle (LsRunReport *report,
        LsRunStatus  status,
        char        *sentence)
{
  report->status = status;
  g_free (report->sentence);
  report->sentence = sentence;
}

static void
fail_by_error (Run         *run,
               LsRunReport *report,
               GError      *error)
{
  settle (report, LS_RUN_FAILED, g_strdup (error->message));
  if (!g_error_matches (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_PROTOCOL))
    run->gone = g_strdup_printf (report->part->kind == LS_PART_EXERCISE ? ls_translate ("not run: in exercise %u %s") : ls_translate ("not run: in cell %u %s"), report->part->number, error->message);
}

static gboolean
is_expected (GVariant   *answer,
             const char *name)
{
  g_auto (GStrv) names = ls_params_strv (answer, "names");

  return names != NULL && g_strv_contains ((const char *const *) names, name);
}

/* Whether something was shown that the view, as a fence names it, has a form for. */
static gboolean
has_shown (LsOutputs  *outputs,
           const char *view)
{
  static const struct { const char *view, *kinds[5]; } FORMS[] = {
    { "loops", { "module", "function", "te", "schedule" } },
    { "text", { "module", "function", "te", "schedule" } },
    { "history", { "schedule" } },
    { "accesses", { "module", "function", "te", "schedule" } },
    { "run", { "module", "function", "te", "schedule" } },
    { "graph", { "module", "function", "te", "graph" } },
    { "chart", { "timing" } },
    { "code", { "code" } },
    { "picture", { "picture", "array" } },
    { "table", { "table", "array", "graph" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (FORMS); i++)
    for (guint k = 0; strcmp (FORMS[i].view, view) == 0 && outputs != NULL && k < ls_outputs_get_n (outputs); k++)
      {
        GVariant *shown = ls_outputs_get (outputs, k)->view;

        if (shown != NULL && g_strv_contains (FORMS[i].kinds, ls_params_string (shown, "kind", "text")))
          return TRUE;
      }
  return strcmp (view, "none") == 0;
}

/* The stops of a run stop somewhere, and something is written after each one that asks what. */
static void
judge_stops (LsRunReport *report)
{
  const LsLessonPart *part = report->part;
  g_autoptr (GVariant) record = NULL;
  g_autoptr (GVariant) steps = NULL;
  g_autoptr (GError) error = NULL;

  record = ls_lesson_record_shown (report->outputs, part, &error);
  if (error != NULL)
    settle (report, LS_RUN_FAILED, g_strdup_printf (ls_translate ("its run cannot be stepped through: %s"), error->message));
  steps = record != NULL ? ls_params_value (record, "steps") : NULL;
  for (gsize i = 0; part->ask != NULL && steps != NULL && i < g_variant_n_children (steps); i++)
    {
      g_autoptr (GVariant) step = g_variant_get_child_value (steps, i);
      g_autofree char *words = NULL;
      double value;

      if (ls_params_bool (step, "stop", FALSE) && !ls_lesson_record_next_write (record, (guint) i, &words, &value))
        settle (report, LS_RUN_FAILED, g_strdup_printf (ls_translate ("at statement %u, where it stops, nothing is written any more that could be asked for"), (guint) i + 1));
    }
}

static void
judge_cell (Run         *run,
            LsRunReport *report,
            GVariant    *answer)
{
  const LsLessonPart *part = report->part;
  const char *status = ls_params_string (answer, "status", "?");
  g_autofree char *text = NULL, *difference = NULL;

  if (strcmp (status, "fragment") == 0)
    settle (report, LS_RUN_SKIPPED, g_strdup ("no Python"));
  else if (strcmp (status, "interrupted") == 0)
    settle (report, LS_RUN_FAILED, report->ns / 1e9 < part->timeout ? g_strdup (ls_translate ("it was interrupted")) : g_strdup_printf (ls_translate ("it did not end within %g s"), part->timeout));
  else if (strcmp (status, "error") == 0 && part->expect != NULL && is_expected (answer, part->expect))
    {
      g_autofree char *problem = ls_run_describe_problem (answer);

      settle (report, LS_RUN_PASSED, g_strdup_printf (ls_translate ("ends with %s, as it says: %s"), part->expect, problem));
    }
  else if (strcmp (status, "error") == 0)
    {
      g_autofree char *problem = ls_run_describe_problem (answer);

      settle (report, LS_RUN_FAILED, part->expect != NULL ? g_strdup_printf (ls_translate ("it says expect=%s, and ends with %s"), part->expect, problem) : g_steal_pointer (&problem));
      report->trouble = g_strdup (ls_params_string (answer, "told", ls_params_string (answer, "traceback", "")));
    }
  else if (part->expect != NULL)
    settle (report, LS_RUN_FAILED, g_strdup_printf (ls_translate ("it should end with %s, and does not"), part->expect));
  if (report->status != LS_RUN_PASSED || !run->check)
    return;
  if (part->view != NULL && part->expect == NULL && !has_shown (report->outputs, part->view))
    settle (report, LS_RUN_FAILED, g_strdup_printf (ls_translate ("it shows nothing that view=%s could open"), part->view));
  if (report->status == LS_RUN_PASSED && g_strcmp0 (part->view, "run") == 0 && part->expect == NULL)
    judge_stops (report);
  if (report->status != LS_RUN_PASSED || part->output == NULL)
    return;
  text = ls_outputs_get_text (report->outputs);
  difference = ls_output_compare (part->output, text, part->close);
  if (difference != NULL)
    settle (report, LS_RUN_FAILED, g_strdup_printf (ls_translate ("the output differs: %s"), difference));
}

static void
run_cell (Run         *run,
          LsRunReport *report)
{
  const LsLessonPart *part = report->part;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request (run->kernel, "run", ls_lesson_cell_params (run->lesson, part, part->code), part->timeout, &report->outputs, &error);

  if (answer == NULL)
    {
      fail_by_error (run, report, error);
      return;
    }
  report->ns = ls_params_double (answer, "ns", 0);
  judge_cell (run, report, answer);
}

/* ---- exercises and questions ---- */

static GVariant *
run_cases (Run         *run,
           LsRunReport *report,
           const char  *code)
{
  const LsLessonPart *part = report->part;
  g_autoptr (GError) error = NULL;
  GVariant *answer;

  g_clear_pointer (&report->outputs, ls_outputs_unref);
  answer = ls_kernel_request (run->kernel, "cases", ls_lesson_exercise_params (part, code), part->timeout, &report->outputs, &error);
  if (answer == NULL)
    fail_by_error (run, report, error);
  else
    report->ns += ls_params_double (answer, "ns", 0);
  return answer;
}

static void
keep_cases (LsRunReport *report,
            GVariant    *answer)
{
  g_autoptr (GVariant) list = ls_params_value (answer, "cases");

  report->cases = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (list, i);

      g_ptr_array_add (report->cases, g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child));
    }
}

static void
run_exercise (Run         *run,
              LsRunReport *report)
{
  const LsLessonPart *part = report->part;
  g_autoptr (GVariant) start = run->check ? run_cases (run, report, part->code) : NULL;
  g_autoptr (GVariant) solved = run->gone == NULL ? run_cases (run, report, part->solution) : NULL;
  const char *status;

  if (solved == NULL)
    return;
  status = ls_params_string (solved, "status", "?");
  keep_cases (report, solved);
  if (strcmp (status, "error") == 0)
    {
      g_autofree char *problem = ls_run_describe_problem (solved);

      settle (report, LS_RUN_FAILED, g_strdup_printf (ls_translate ("the solution ends with %s"), problem));
      report->trouble = g_strdup (ls_params_string (solved, "told", ls_params_string (solved, "traceback", "")));
    }
  else if (strcmp (status, "ok") != 0)
    settle (report, LS_RUN_FAILED, g_strdup (strcmp (status, "interrupted") == 0 ? ls_translate ("the solution did not end in time") : ls_translate ("the solution does not pass all cases")));
  else if (start != NULL && strcmp (ls_params_string (start, "status", ""), "ok") == 0)
    settle (report, LS_RUN_FAILED, g_strdup (ls_translate ("the start passes all cases already")));
  else
    settle (report, LS_RUN_PASSED, g_strdup_printf ("%u cases", report->cases->len));
}

/* A drill is asked for every step. */
static void
run_primitive (Run         *run,
               LsRunReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request (run->kernel, "primitive", ls_lesson_primitive_params (report->part, 0, NULL), 30, &report->outputs, &error);
  int steps = report->part->drill && answer != NULL ? ls_params_int (answer, "steps", 1) : 1;

  for (int i = 1; answer != NULL && i < steps && strcmp (ls_params_string (answer, "status", ""), "ok") == 0; i++)
    {
      g_autoptr (LsOutputs) outputs = NULL;

      g_variant_unref (answer);
      answer = ls_kernel_request (run->kernel, "primitive", ls_lesson_primitive_params (report->part, (guint) i, NULL), 30, &outputs, &error);
    }

  if (answer == NULL)
    {
      fail_by_error (run, report, error);
      return;
    }
  report->ns = ls_params_double (answer, "ns", 0);
  if (strcmp (ls_params_string (answer, "status", ""), "ok") != 0)
    settle (report, LS_RUN_FAILED, g_strdup (ls_params_string (answer, "message", ls_translate ("the question cannot be made"))));
  else
    {
      settle (report, LS_RUN_PASSED, steps > 1 ? g_strdup_printf (ls_translate_plural ("%d question", "%d questions", (gulong) steps), steps) : g_strdup_printf (ls_translate ("it is %s"), ls_params_string (answer, "primitive", "?")));
      report->answer = g_variant_ref (answer);
    }
}

/* ---- all ---- */

static gboolean
is_skipped (Run         *run,
            LsRunReport *report)
{
  const LsLessonPart *part = report->part;
  g_autofree char *missing = NULL;

  if (run->gone != NULL)
    settle (report, LS_RUN_SKIPPED, g_strdup (run->gone));
  else if (part->skip)
    settle (report, LS_RUN_SKIPPED, g_strdup (ls_translate ("only shown")));
  else if (run->missing != NULL)
    {
      settle (report, LS_RUN_SKIPPED, run->told ? g_strdup (ls_translate ("for the same reason")) : g_strdup_printf (ls_translate ("the lesson needs %s"), run->missing));
      run->told = TRUE;
    }
  else if ((missing = ls_lesson_missing (run->kernel, part->needs)) != NULL)
    settle (report, LS_RUN_SKIPPED, g_strdup_printf ("needs %s", missing));
  else
    return FALSE;
  return TRUE;
}

static void
run_part (Run                *run,
          const LsLessonPart *part)
{
  LsRunReport report = { .part = part, .sentence = g_strdup ("") };

  if (part->kind != LS_PART_CELL && part->kind != LS_PART_EXERCISE && part->kind != LS_PART_PRIMITIVE)
    {
      report_clear (&report);
      return;
    }
  if (!is_skipped (run, &report))
    {
      if (part->kind == LS_PART_CELL)
        run_cell (run, &report);
      else if (part->kind == LS_PART_EXERCISE)
        run_exercise (run, &report);
      else
        run_primitive (run, &report);
    }
  run->failed += report.status == LS_RUN_FAILED;
  run->func (&report, run->data);
  report_clear (&report);
}

guint
ls_lesson_run (LsLesson  *lesson,
               LsKernel  *kernel,
               gboolean   check,
               LsRunFunc  func,
               gpointer   data)
{
  Run run = { .lesson = lesson, .kernel = kernel, .check = check, .func = func, .data = data };

  run.missing = ls_lesson_missing (kernel, ls_lesson_get_needs (lesson));
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    run_part (&run, ls_lesson_get_part (lesson, i));
  g_free (run.missing);
  g_free (run.gone);
  return run.failed;
}
