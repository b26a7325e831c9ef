/* migrate: an old script, notebook or Markdown text brought to the names of 2026, with a report of each place. */
#include "app/cli/input.h"
#include "app/cli/migrate-file.h"
#include "engine/base/json.h"
#include "engine/script/migrate.h"

#include <stdio.h>
#include <string.h>

/* "12:5", or "cell 3, 12:5". (transfer full) */
static char *
place_text (LsMigrateFile     *file,
            const LsMigration *place)
{
  guint line = place->line;
  guint cell = ls_migrate_file_place (file, &line);

  return cell > 0 ? g_strdup_printf ("cell %u, %u:%u", cell, line, place->column) : g_strdup_printf ("%u:%u", line, place->column);
}

/* Statements and arguments that go over several lines. (transfer full) */
static char *
one_line (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (*text != '\0' ? text : "(nothing: it is not used any more)", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_strstrip (lines[i]);
  return g_strjoinv (strchr (text, '(') != NULL ? " " : "; ", lines);
}

/* Places with one reason stand together. */
static void
print_group (FILE          *out,
             LsMigrateFile *file,
             GPtrArray     *report,
             const char    *why,
             gboolean       done)
{
  fprintf (out, "\n%s\n", why);
  for (guint i = 0; i < report->len; i++)
    {
      const LsMigration *place = report->pdata[i];
      g_autofree char *text = NULL;
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;

      if ((place->after != NULL) != done || strcmp (place->why, why) != 0)
        continue;
      text = place_text (file, place);
      before = one_line (place->before);
      after = done ? one_line (place->after) : NULL;
      fprintf (out, "  %-10s %s%s%s\n", text, before, done ? " -> " : "", done ? after : "");
    }
}

static void
print_report (FILE          *out,
              const char    *name,
              LsMigrateFile *file,
              GPtrArray     *report)
{
  guint n[2] = { 0, 0 };

  for (guint i = 0; i < report->len; i++)
    n[((const LsMigration *) report->pdata[i])->after != NULL]++;
  if (report->len == 0)
    fprintf (out, "%s: all names are those of 2026\n", name);
  else
    fprintf (out, "%s: %u %s renamed%s\n", name, n[1], n[1] == 1 ? "place" : "places", n[0] > 0 ? ", and some left" : "");
  for (int done = 1; done >= 0; done--)
    {
      g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);

      if (done == 0 && n[0] > 0)
        fprintf (out, "\nLeft as it is (%u)\n", n[0]);
      for (guint i = 0; i < report->len; i++)
        {
          const LsMigration *place = report->pdata[i];

          if ((place->after != NULL) == done && g_hash_table_add (said, (gpointer) place->why))
            print_group (out, file, report, place->why, done);
        }
    }
}

static void
print_json (const char    *name,
            const char    *text,
            LsMigrateFile *file,
            GPtrArray     *report)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "file");
  json_builder_add_string_value (builder, name);
  ls_json_begin_array (builder, "places");
  for (guint i = 0; i < report->len; i++)
    {
      const LsMigration *place = report->pdata[i];
      guint line = place->line;
      guint cell = ls_migrate_file_place (file, &line);

      json_builder_begin_object (builder);
      if (cell > 0)
        ls_json_put_int (builder, "cell", cell);
      ls_json_put_int (builder, "line", line);
      ls_json_put_int (builder, "column", place->column);
      json_builder_set_member_name (builder, "before");
      json_builder_add_string_value (builder, place->before);
      json_builder_set_member_name (builder, "after");
      if (place->after != NULL)
        json_builder_add_string_value (builder, place->after);
      else
        json_builder_add_null_value (builder);
      json_builder_set_member_name (builder, "why");
      json_builder_add_string_value (builder, place->why);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "text");
  json_builder_add_string_value (builder, text);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* What is no Python, at its place in a cell. */
static int
refuse (const char    *name,
        LsMigrateFile *file,
        LsSource      *python,
        LsDiagnostics *findings)
{
  const LsDiagnostic *first = ls_diagnostics_get (findings, 0);
  LsPlace place = ls_source_place (python, first->span.start);
  guint line = place.line;
  guint cell = ls_migrate_file_place (file, &line);

  if (cell > 0)
    fprintf (stderr, "%s: cell %u, line %u, column %u: %s\n", name, cell, line, place.column, first->message);
  else
    {
      g_autofree char *text = ls_diagnostics_print (findings);

      fputs (text, stderr);
    }
  return LS_CLI_FAILED;
}

int
ls_cli_migrate (int    argc,
                char **argv)
{
  const char *name = NULL, *output = NULL;
  gboolean json = FALSE, in_place = FALSE;
  const LsCliOption options[] = {
    { "-o", LS_CLI_TEXT, &output }, { "--in-place", LS_CLI_FLAG, &in_place }, { "--json", LS_CLI_FLAG, &json }, { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &name);
  g_auto (LsMigrateFile) file = { 0 };
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsSource) python = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GPtrArray) report = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_migration_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *now = NULL;
  g_autofree char *text = NULL;
  gboolean shown;

  if (status != LS_CLI_DONE)
    return status;
  if (name == NULL)
    return ls_cli_usage (argv[0], "a file is expected");
  if (output != NULL && in_place)
    return ls_cli_usage (argv[0], "-o and --in-place exclude each other");
  source = ls_cli_read_source (argv[0], name);
  if (source == NULL)
    return LS_CLI_FAILED;
  if (!ls_migrate_file_read (&file, name, ls_source_get_text (source, NULL), &error))
    return ls_cli_fail (argv[0], "%s: %s", name, error->message);
  python = ls_source_new (name, file.python, -1);
  now = ls_script_migrate (python, report, findings);
  if (now == NULL)
    return refuse (name, &file, python, findings);
  text = report->len == 0 ? g_strdup (ls_source_get_text (source, NULL)) : ls_migrate_file_write (&file, now);
  shown = g_strcmp0 (output, "-") == 0;
  if ((in_place && report->len > 0) || (output != NULL && !shown))
    if (!g_file_set_contents_full (in_place ? name : output, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &error))
      return ls_cli_fail (argv[0], "%s", error->message);
  if (json)
    print_json (name, text, &file, report);
  else
    print_report (shown ? stderr : stdout, name, &file, report);
  if (shown && !json)
    ls_cli_put_text (text);
  else if (!json && output == NULL && !in_place && report->len > 0)
    printf ("\nNothing was written: --in-place or -o OUT does (-o - to the terminal).\n");
  return LS_CLI_DONE;
}
