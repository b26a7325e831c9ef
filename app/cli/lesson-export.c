/* lesson export: runs the lesson once, keeps what came, and writes it for somebody who has only a browser, Jupyter or paper. */
#include "app/cli/lesson-export.h"

#include "app/cli/input.h"
#include "app/lesson/notebook.h"
#include "app/page/page.h"

#include "engine/base/base.h"
#include "engine/base/json.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES (2u << 20)

/* ---- running ---------------------------------------------------------------------------------- */

static void
take (const LsRunReport *report,
      gpointer           record)
{
  ls_record_take (report, record);
  if (report->status == LS_RUN_FAILED)
    fprintf (stderr, ls_translate ("line %u: %s\n"), report->part->line, report->sentence);
}

static LsRecord *
record (LsLesson *lesson,
        gboolean  no_run)
{
  LsRecord *self = ls_record_new (lesson);
  g_autofree char *whole = g_canonicalize_filename (ls_lesson_get_path (lesson), NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  ls_kernel_set_folder (kernel, folder);
  if (!no_run)
    ls_lesson_run (lesson, kernel, FALSE, take, self);
  return self;
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* The lesson's file with another ending. (transfer full) */
static char *
name_beside (const char *file,
             const char *to)
{
  g_autofree char *own = g_strdup (file);
  char *dot = strrchr (own, '.'), *slash = strrchr (own, '/');

  if (dot != NULL && (slash == NULL || dot > slash + 1))
    *dot = 0;
  return g_strconcat (own, ".", to, NULL);
}

static int
tell (const char *command,
      const char *out,
      gsize       bytes,
      gboolean    json)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!json)
    {
      printf ("%s: %" G_GSIZE_FORMAT " KiB\n", out, (bytes + 1023) / 1024);
      if (bytes > MOST_BYTES)
        fprintf (stderr, "loopscope-cli %s: %s is larger than 2 MiB, which is much for a phone; outputs that are shorter help\n", command, out);
      return LS_CLI_DONE;
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "file", out);
  ls_json_put_int (builder, "bytes", (gint64) bytes);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

static int
write_text (const char *command,
            const char *out,
            const char *text,
            gboolean    json)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (out, text, -1, &error))
    return ls_cli_fail (command, "%s", error->message);
  return tell (command, out, strlen (text), json);
}

/* loopscope-draw paints it. */
static int
write_paper (const char *command,
             const char *out,
             JsonNode   *paper,
             gboolean    json)
{
  g_autofree char *program = ls_cli_find_draw (), *text = json_to_string (paper, FALSE);
  g_autoptr (GBytes) input = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = NULL;
  GStatBuf info;

  if (program == NULL)
    return ls_cli_fail (command, ls_translate ("PDF is painted by loopscope-draw, which is not beside this program"));
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE, &error, program, "--paper", out, NULL);
  if (child == NULL || !g_subprocess_communicate (child, input, NULL, NULL, NULL, &error))
    return ls_cli_fail (command, "%s", error->message);
  if (!g_subprocess_get_successful (child) || g_stat (out, &info) != 0)
    return ls_cli_fail (command, ls_translate ("%s was not written"), out);
  return tell (command, out, (gsize) info.st_size, json);
}

int
ls_cli_lesson_export (const char *command,
                      const char *file,
                      const char *to,
                      const char *out,
                      gboolean    no_run,
                      gboolean    solutions,
                      gboolean    json)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_cli_read_source (command, file);
  g_autoptr (LsLesson) lesson = source != NULL ? ls_lesson_parse (source, findings) : NULL;
  g_autofree char *beside = out == NULL ? name_beside (file, to) : NULL, *told = NULL, *text = NULL;
  LsRecord *recorded;

  if (lesson == NULL)
    return LS_CLI_FAILED;
  told = ls_diagnostics_print (findings);
  fputs (told, stderr);
  if (strcmp (to, "html") != 0 && strcmp (to, "pdf") != 0 && strcmp (to, "ipynb") != 0)
    return ls_cli_usage ("lesson", "--to %s: html, pdf or ipynb is expected", to);
  recorded = record (lesson, no_run);
  if (strcmp (to, "pdf") == 0)
    {
      g_autoptr (JsonNode) paper = ls_lesson_to_paper (lesson, recorded, solutions);

      ls_record_free (recorded);
      return write_paper (command, out != NULL ? out : beside, paper, json);
    }
  if (strcmp (to, "html") == 0)
    text = ls_lesson_to_page (lesson, recorded, solutions);
  else
    text = ls_notebook_from_lesson (lesson, ls_source_get_text (source, NULL), ls_record_text, recorded);
  ls_record_free (recorded);
  return write_text (command, out != NULL ? out : beside, text, json);
}
