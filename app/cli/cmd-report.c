/* report: one HTML page of a session or of a program with its steps.
 *
 * The page has pictures, so the program that draws them, loopscope-draw, does the work; it needs no display.
 */
#include "app/cli/cli.h"
#include "app/cli/input.h"

#include "engine/base/json.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define DRAW "loopscope-draw"
#define DRAW_STOPS 3            /* ORDER LS_DRAW_STOPS of app/draw/draw.h: the page is written, its last step could not be done */

static void
print_json (const char *out,
            gint64      bytes)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "report");
  json_builder_add_string_value (builder, out);
  ls_json_put_int (builder, "bytes", bytes);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static int
tell (const char *command,
      const char *out,
      gboolean    json)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (out);
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  gint64 bytes = info != NULL ? g_file_info_get_size (info) : 0;

  if (bytes == 0)
    return ls_cli_fail (command, "%s was not written", out);
  if (json)
    print_json (out, bytes);
  else
    printf ("%s: %" G_GINT64_FORMAT " KiB, opens in a browser without a server\n", out, (bytes + 1023) / 1024);
  return LS_CLI_DONE;
}

int
ls_cli_report (int    argc,
               char **argv)
{
  const char *file = NULL, *steps = NULL, *out = NULL;
  gboolean json = FALSE, no_time = FALSE;
  g_autofree char *draw = NULL;
  g_autoptr (GError) error = NULL;
  const char *line[12];
  guint n = 0;
  int status = 0;
  const LsCliOption options[] = {
    { "--steps", LS_CLI_TEXT, &steps }, { "-o", LS_CLI_TEXT, &out }, { "--no-time", LS_CLI_FLAG, &no_time },
    { "--json", LS_CLI_FLAG, &json }, { NULL }
  };

  status = ls_cli_args_read (argc, argv, options, &file);
  if (status != LS_CLI_DONE)
    return status;
  if (file == NULL || out == NULL)
    return ls_cli_usage (argv[0], "a FILE and -o OUT.html are needed");
  draw = ls_cli_find_draw ();
  if (draw == NULL)
    return ls_cli_fail (argv[0], "%s, which draws the pictures, is not beside this program", DRAW);

  line[n++] = draw;
  line[n++] = "--quiet";
  line[n++] = "--report";
  line[n++] = out;
  if (no_time)
    line[n++] = "--no-time";
  if (steps != NULL)
    {
      line[n++] = "--steps";
      line[n++] = steps;
    }
  line[n++] = "--";
  line[n++] = file;
  line[n] = NULL;
  if (!g_spawn_sync (NULL, (char **) line, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error))
    return ls_cli_fail (argv[0], "%s", error->message);
  if (WIFSIGNALED (status))
    return ls_cli_fail (argv[0], "%s ended by signal %d (%s); %s is as it was", DRAW, WTERMSIG (status), g_strsignal (WTERMSIG (status)), out);
  if (!WIFEXITED (status) || (WEXITSTATUS (status) != 0 && WEXITSTATUS (status) != DRAW_STOPS))
    return ls_cli_fail (argv[0], "%s could not be reported; %s is as it was", file, out);
  return tell (argv[0], out, json);
}
