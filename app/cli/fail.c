/* fail: how commands say what is wrong.  The table of them is handed in, so that no command knows the others. */
#include "app/cli/cli.h"

#include <string.h>

static struct {
  const LsCliCommand *commands;
  guint               n;
} table;

static gboolean is_heard;       /* by a window */

void
ls_cli_set_commands (const LsCliCommand *commands,
                     guint               n)
{
  table.commands = commands;
  table.n = n;
}

void
ls_cli_set_heard (void)
{
  is_heard = TRUE;
}

/* One sentence on standard error. */
static void
say (const char *command,
     const char *message)
{
  if (is_heard)
    fprintf (stderr, "%s\n", message);
  else
    fprintf (stderr, "loopscope-cli %s: %s\n", command, message);
}

const LsCliCommand *
ls_cli_find_command (const char *name)
{
  for (guint i = 0; i < table.n; i++)
    if (strcmp (table.commands[i].name, name) == 0)
      return &table.commands[i];
  return NULL;
}

void
ls_cli_print_usage (FILE               *file,
                    const LsCliCommand *command)
{
  fprintf (file, "Usage: loopscope-cli %s %s\n", command->name, command->arguments);
}

int
ls_cli_fail (const char *command,
             const char *format,
             ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  say (command, message);
  return LS_CLI_FAILED;
}

int
ls_cli_usage (const char *command,
              const char *format,
              ...)
{
  const LsCliCommand *found = ls_cli_find_command (command);
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  say (command, message);
  if (found != NULL && !is_heard)
    ls_cli_print_usage (stderr, found);
  return LS_CLI_USAGE;
}
