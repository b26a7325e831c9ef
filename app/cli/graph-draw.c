/* graph-draw: see the header. */
#include "app/cli/graph-draw.h"

#include <gio/gio.h>
#include <stdio.h>

int
ls_cli_draw_graphs (const char *command,
                    GBytes     *input,
                    gboolean    dark)
{
  g_autofree char *program = ls_cli_find_draw ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GBytes) output = NULL;

  if (program == NULL)
    return ls_cli_fail (command, "pictures are painted by loopscope-draw, which is not beside this program; -o FILE.dot works without it");
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--graph", dark ? "--dark" : "--quiet", NULL);
  if (child == NULL || !g_subprocess_communicate (child, input, NULL, &output, NULL, &error))
    return ls_cli_fail (command, "%s", error->message);
  if (output != NULL)
    fwrite (g_bytes_get_data (output, NULL), 1, g_bytes_get_size (output), stdout);
  return g_subprocess_get_successful (child) ? LS_CLI_DONE : LS_CLI_FAILED;
}
