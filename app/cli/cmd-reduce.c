/* reduce: a program made smaller as long as a command succeeds on it. */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/script/reduce.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *command, *output;
  gint64      seconds;
  char       *folder, *candidate;       /* where candidates are written */
  gboolean    said, quiet;
  guint       n_tried;
} Request;

static void
request_clear (Request *self)
{
  if (self->candidate != NULL)
    g_unlink (self->candidate);
  if (self->folder != NULL)
    g_rmdir (self->folder);
  g_free (self->candidate);
  g_free (self->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static gboolean
too_long (gpointer process)
{
  g_subprocess_force_exit (process);
  return G_SOURCE_REMOVE;
}

static void
ended (GObject      *process,
       GAsyncResult *result,
       gpointer      loop)
{
  g_subprocess_wait_finish (G_SUBPROCESS (process), result, NULL);
  g_main_loop_quit (loop);
}

/* With its output away: only whether it succeeds counts. */
static gboolean
run_command (Request *self,
             GError **error)
{
  g_autofree char *line = strstr (self->command, "$1") != NULL || strstr (self->command, "$@") != NULL ? g_strdup (self->command)
                          : g_strconcat (self->command, " \"$1\"", NULL);
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, error, "/bin/sh", "-c", line, "sh",
                                                      self->candidate, NULL);
  g_autoptr (GMainLoop) loop = NULL;
  guint timer;

  if (process == NULL)
    return FALSE;
  loop = g_main_loop_new (NULL, FALSE);
  timer = g_timeout_add_seconds ((guint) self->seconds, too_long, process);
  g_subprocess_wait_async (process, NULL, ended, loop);
  g_main_loop_run (loop);
  if (g_main_context_find_source_by_id (NULL, timer) != NULL)
    g_source_remove (timer);
  return g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0;
}

static gboolean
holds (const char *text,
       gpointer    user_data,
       GError    **error)
{
  Request *self = user_data;

  self->n_tried++;
  return g_file_set_contents (self->candidate, text, -1, error) && run_command (self, error);
}

static guint
n_lines (const char *text)
{
  guint n = 0;

  for (const char *at = text; (at = strchr (at, '\n')) != NULL; at++)
    n++;
  return n;
}

/* Whoever stops it keeps what was found so far. */
static void
news (const char *text,
      guint       n_tried,
      gpointer    user_data)
{
  Request *self = user_data;

  if (self->output != NULL)
    g_file_set_contents (self->output, text, -1, NULL);
  if (!self->quiet)
    fprintf (stderr, isatty (STDERR_FILENO) ? "\r%u line%s, %zu bytes after %u run%s   " : "%u line%s, %zu bytes after %u run%s\n", n_lines (text), n_lines (text) == 1 ? "" : "s", strlen (text),
             n_tried, n_tried == 1 ? "" : "s");
  self->said = TRUE;
}

static gboolean
same_file (const char *a,
           const char *b)
{
  GStatBuf x, y;

  return strcmp (a, b) == 0 || (g_stat (a, &x) == 0 && g_stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

static void
print_json (Request    *self,
            const char *before,
            const char *after)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "text");
  json_builder_add_string_value (builder, after);
  ls_json_put_int (builder, "lines_before", n_lines (before));
  ls_json_put_int (builder, "lines", n_lines (after));
  ls_json_put_int (builder, "runs", self->n_tried);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

int
ls_cli_reduce (int    argc,
               char **argv)
{
  g_auto (Request) self = { .seconds = 20 };
  const char *file = NULL;
  gboolean json = FALSE;
  const LsCliOption options[] = {
    { "--while", LS_CLI_TEXT, &self.command }, { "-o", LS_CLI_TEXT, &self.output }, { "--seconds", LS_CLI_NUMBER, &self.seconds },
    { "--json", LS_CLI_FLAG, &json }, { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &file);
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsNode) only = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *small = NULL;

  if (status != LS_CLI_DONE)
    return status;
  if (file == NULL || self.command == NULL)
    return ls_cli_usage (argv[0], file == NULL ? "a file is expected" : "--while COMMAND is expected: what tells whether a program is still of interest");
  if (self.seconds == 0)
    return ls_cli_usage (argv[0], "--seconds 0: a number from 1 is expected");
  if (self.output != NULL && same_file (file, self.output))
    return ls_cli_usage (argv[0], "-o %s is the program itself, which stays as it is", self.output);
  source = ls_cli_read_source (argv[0], file);
  module = source != NULL ? ls_cli_parse_file (argv[0], source, &only) : NULL;
  if (module == NULL)
    return LS_CLI_FAILED;
  self.quiet = json;
  self.folder = g_dir_make_tmp ("loopscope-reduce-XXXXXX", &error);
  if (self.folder == NULL)
    return ls_cli_fail (argv[0], "%s", error->message);
  name = g_path_get_basename (file);
  self.candidate = g_build_filename (self.folder, name, NULL);
  small = ls_reduce (ls_source_get_text (source, NULL), holds, news, &self, &error);
  if (self.said && !json && isatty (STDERR_FILENO))
    fputc ('\n', stderr);
  if (g_error_matches (error, LS_REDUCE_ERROR, LS_REDUCE_ERROR_TEST))
    return ls_cli_fail (argv[0], "%s: the command fails on the program itself (printed by `loopscope-cli print`): it has to succeed there", file);
  if (small == NULL)
    return ls_cli_fail (argv[0], "%s: %s", file, error->message);
  if (self.output != NULL && !g_file_set_contents (self.output, small, -1, &error))
    return ls_cli_fail (argv[0], "%s", error->message);
  if (json)
    print_json (&self, ls_source_get_text (source, NULL), small);
  else if (self.output == NULL)
    ls_cli_put_text (small);
  return LS_CLI_DONE;
}
