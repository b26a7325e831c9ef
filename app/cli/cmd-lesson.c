/* lesson: check, run, list, export or grade lessons, without a window. */
#include "app/cli/input.h"
#include "app/cli/lesson-export.h"
#include "app/cli/lesson-grade.h"
#include "app/cli/remote.h"
#include "app/jail/jail.h"
#include "app/lesson/runner.h"

#include "engine/base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char  *file;
  gboolean     check, json, no_jail;
  JsonBuilder *builder;
  guint        n[3];            /* by LsRunStatus */
} Request;

/* ---- one part ---- */

static const char *
kind_name (const LsLessonPart *part)
{
  return part->kind == LS_PART_EXERCISE ? "exercise" : part->kind == LS_PART_PRIMITIVE ? "question" : "cell";
}

static char *
place_name (const LsLessonPart *part)
{
  return part->number > 0 ? g_strdup_printf ("%s %u", kind_name (part), part->number) : g_strdup (kind_name (part));
}

static void
add_cases (JsonBuilder       *builder,
           const LsRunReport *report)
{
  ls_json_begin_array (builder, "cases");
  for (guint i = 0; i < report->cases->len; i++)
    json_builder_add_value (builder, json_gvariant_serialize (report->cases->pdata[i]));
  json_builder_end_array (builder);
}

static void
add_shown (JsonBuilder *builder,
           LsOutputs   *outputs)
{
  static const char *const kinds[] = { "text", "trouble", "view", "cut" };

  ls_json_begin_array (builder, "outputs");
  for (guint i = 0; i < ls_outputs_get_n (outputs); i++)
    {
      const LsOutput *output = ls_outputs_get (outputs, i);
      g_autofree char *text = ls_output_get_text (output);

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "kind", kinds[output->kind]);
      if (output->kind == LS_OUTPUT_VIEW && output->view != NULL)
        {
          json_builder_set_member_name (builder, "view");
          json_builder_add_value (builder, json_gvariant_serialize (output->view));
        }
      else
        ls_json_put_text (builder, "text", text);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
report_json (Request           *request,
             const LsRunReport *report)
{
  JsonBuilder *builder = request->builder;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "kind", kind_name (report->part));
  ls_json_put_int (builder, "number", report->part->number);
  ls_json_put_int (builder, "line", report->part->line);
  if (report->part->id != NULL)
    ls_json_put_text (builder, "id", report->part->id);
  ls_json_put_text (builder, "status", ls_run_status_name (report->status));
  ls_json_put_text (builder, "message", report->sentence);
  ls_json_put_double (builder, "ns", report->ns);
  if (report->trouble != NULL)
    ls_json_put_text (builder, "traceback", report->trouble);
  if (report->cases != NULL)
    add_cases (builder, report);
  if (report->outputs != NULL)
    add_shown (builder, report->outputs);
  json_builder_end_object (builder);
}

static void
print_indented (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i + 1] != NULL || *lines[i] != 0)
      printf ("    %s\n", lines[i]);
}

static const char *
colour (LsRunStatus status)
{
  static const char *const codes[] = { "\033[32m", "\033[31m", "\033[33m" };

  return isatty (STDOUT_FILENO) ? codes[status] : "";
}

static void
print_outputs (LsOutputs *outputs)
{
  for (guint i = 0; i < ls_outputs_get_n (outputs); i++)
    {
      g_autofree char *text = ls_output_get_text (ls_outputs_get (outputs, i));

      print_indented (text);
    }
}

static void
report_text (Request           *request,
             const LsRunReport *report)
{
  g_autofree char *place = place_name (report->part);
  g_autofree char *duration = report->ns > 0 ? ls_cli_duration (report->ns) : g_strdup ("");

  printf ("%s%-8s%s %-12s line %-5u %9s  %s\n", colour (report->status), ls_run_status_name (report->status),
          isatty (STDOUT_FILENO) ? "\033[0m" : "", place, report->part->line, duration, report->sentence);
  for (guint i = 0; report->cases != NULL && report->status == LS_RUN_FAILED && i < report->cases->len; i++)
    if (!ls_params_bool (report->cases->pdata[i], "passed", TRUE))
      printf ("    case \"%s\": %s\n", ls_params_string (report->cases->pdata[i], "name", "?"), ls_params_string (report->cases->pdata[i], "message", ""));
  if (report->outputs != NULL && (!request->check || report->status == LS_RUN_FAILED))
    print_outputs (report->outputs);
  if (report->trouble != NULL)
    print_indented (report->trouble);
  fflush (stdout);
}

static void
report_part (const LsRunReport *report,
             gpointer           data)
{
  Request *request = data;

  request->n[report->status]++;
  if (request->json)
    report_json (request, report);
  else
    report_text (request, report);
}

/* ---- check and run ---- */

static void
add_findings (JsonBuilder   *builder,
              LsDiagnostics *findings)
{
  g_autofree char *text = ls_diagnostics_to_json (findings);
  JsonNode *node = json_from_string (text, NULL);

  json_builder_set_member_name (builder, "findings");
  if (node != NULL)
    json_builder_add_value (builder, node);
  else
    json_builder_add_null_value (builder);
}

static void
begin_json (Request       *request,
            LsLesson      *lesson,
            LsDiagnostics *findings)
{
  request->builder = json_builder_new ();
  json_builder_begin_object (request->builder);
  ls_json_put_text (request->builder, "file", request->file);
  ls_json_put_text (request->builder, "id", ls_lesson_get_id (lesson));
  ls_json_put_text (request->builder, "title", ls_lesson_get_title (lesson));
  ls_json_put_text (request->builder, "language", ls_lesson_get_language (lesson));
  add_findings (request->builder, findings);
  ls_json_begin_array (request->builder, "parts");
}

static void
end_json (Request *request)
{
  json_builder_end_array (request->builder);
  for (int i = 0; i < 3; i++)
    {
      json_builder_set_member_name (request->builder, ls_run_status_name ((LsRunStatus) i));
      json_builder_add_int_value (request->builder, request->n[i]);
    }
  json_builder_end_object (request->builder);
  ls_cli_put_json (request->builder);
  g_clear_object (&request->builder);
}

static int
work_through (Request    *request,
              const char *command)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = g_canonicalize_filename (request->file, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  g_autofree char *text = NULL;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsLesson) lesson = NULL;
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  guint failed;

  if ((source = ls_cli_read_source (command, request->file)) == NULL)
    return LS_CLI_FAILED;
  lesson = ls_lesson_parse (source, findings);
  if (request->check)
    ls_lesson_look_around (lesson, source, findings);
  text = ls_diagnostics_print (findings);
  if (request->json)
    begin_json (request, lesson, findings);
  else
    {
      fputs (text, stderr);
      printf ("%s: %s\n", request->file, ls_lesson_get_title (lesson));
      fflush (stdout);
    }
  ls_kernel_set_folder (kernel, folder);
  failed = ls_lesson_run (lesson, kernel, request->check, report_part, request);
  if (request->json)
    end_json (request);
  else
    printf ("%u passed, %u failed, %u skipped\n", request->n[0], request->n[1], request->n[2]);
  return failed > 0 || (request->check && ls_diagnostics_has_error (findings)) ? LS_CLI_FAILED : LS_CLI_DONE;
}

/* Said before anything runs. */
static gboolean
may_run (const char *command)
{
  g_autofree char *sentence = NULL;

  if (ls_jail_may_run ())
    return TRUE;
  sentence = ls_jail_report_sentence (ls_jail_probe ());
  ls_cli_fail (command, "%s\n  Nothing was run.  A lesson is a program: without a jail its cells can do what you can do.\n"
                        "  way out: --no-jail runs them all the same, with what this machine allows; loopscope-cli jail shows what that is", sentence);
  return FALSE;
}

/* ---- list ---- */

static int
list (Request    *request,
      const char *command)
{
  g_autofree char *folder = request->file != NULL ? g_strdup (request->file) : ls_lesson_folder ();
  g_autoptr (GPtrArray) lessons = folder != NULL ? ls_lesson_list (folder) : NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (folder == NULL)
    return ls_cli_fail (command, "there is no folder of lessons beside the program; name one");
  json_builder_begin_array (builder);
  for (guint i = 0; i < lessons->len; i++)
    {
      LsLesson *lesson = lessons->pdata[i];

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "path", ls_lesson_get_path (lesson));
      ls_json_put_text (builder, "id", ls_lesson_get_id (lesson));
      ls_json_put_text (builder, "title", ls_lesson_get_title (lesson));
      ls_json_put_text (builder, "language", ls_lesson_get_language (lesson));
      ls_json_put_text (builder, "summary", ls_lesson_get_summary (lesson));
      ls_json_put_text (builder, "needs", ls_lesson_get_needs (lesson));
      ls_json_put_int (builder, "order", ls_lesson_get_order (lesson));
      ls_json_put_int (builder, "pages", ls_lesson_get_n_pages (lesson));
      ls_json_put_int (builder, "cells", ls_lesson_get_n_cells (lesson));
      json_builder_end_object (builder);
      if (!request->json)
        printf ("%2d  %-6s %-14s %s\n", ls_lesson_get_order (lesson), ls_lesson_get_language (lesson), ls_lesson_get_id (lesson), ls_lesson_get_title (lesson));
    }
  json_builder_end_array (builder);
  if (request->json)
    ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

int
ls_cli_lesson (int    argc,
               char **argv)
{
  static const char *const commands[] = { "check", "run", "list", "export", "grade", NULL };
  Request request = { 0 };
  LsCliGrading grading = { .jobs = 2, .seconds = 10 };
  const char *to = "html", *out = NULL;
  gboolean no_run = FALSE, solutions = FALSE;
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--no-jail", LS_CLI_FLAG, &request.no_jail },
    { "--to", LS_CLI_TEXT, &to },
    { "-o", LS_CLI_TEXT, &out },
    { "--no-run", LS_CLI_FLAG, &no_run },
    { "--solutions", LS_CLI_FLAG, &solutions },
    { "--lesson", LS_CLI_TEXT, &grading.lesson },
    { "--csv", LS_CLI_TEXT, &grading.csv },
    { "--html", LS_CLI_TEXT, &grading.html },
    { "--jobs", LS_CLI_NUMBER, &grading.jobs },
    { "--seconds", LS_CLI_NUMBER, &grading.seconds },
    { NULL },
  };
  g_autofree char *command = argc > 1 ? g_strdup_printf ("lesson %s", argv[1]) : NULL;
  int status;

  if (argc < 2 || !g_strv_contains (commands, argv[1]))
    return ls_cli_usage (argv[0], "one of check, run, list, export and grade is expected");
  argv[1] = argv[0];
  status = ls_cli_args_read (argc - 1, argv + 1, options, &request.file);
  if (status != LS_CLI_DONE)
    return status;
  if (strcmp (command, "lesson list") == 0)
    return list (&request, command);
  if (request.file == NULL)
    return ls_cli_usage (argv[0], strcmp (command, "lesson grade") == 0 ? "a folder with submissions is expected" : "a Markdown file is expected");
  request.check = strcmp (command, "lesson check") == 0;
  if (request.no_jail)
    ls_jail_consent ();
  if (strcmp (command, "lesson export") == 0)
    return no_run || may_run (command) ? ls_cli_lesson_export (command, request.file, to, out, no_run, solutions, request.json) : LS_CLI_REFUSED;
  grading.folder = request.file;
  grading.json = request.json;
  if (strcmp (command, "lesson grade") == 0)
    return may_run (command) ? ls_cli_lesson_grade (command, &grading) : LS_CLI_REFUSED;
  return may_run (command) ? work_through (&request, command) : LS_CLI_REFUSED;
}
