/* args: the command line of one command, argument by argument. */
#include "app/cli/cli.h"

#include <string.h>

void
ls_cli_args_init (LsCliArgs  *self,
                  int         argc,
                  char      **argv)
{
  *self = (LsCliArgs) { argc, argv, 1, FALSE, NULL };
}

gboolean
ls_cli_args_more (LsCliArgs *self)
{
  if (!self->literal && self->at < self->argc && strcmp (self->argv[self->at], "--") == 0)
    {
      self->literal = TRUE;
      self->at++;
    }
  return self->at < self->argc && self->missing == NULL;
}

gboolean
ls_cli_args_flag (LsCliArgs  *self,
                  const char *name)
{
  if (self->literal || self->at >= self->argc || strcmp (self->argv[self->at], name) != 0)
    return FALSE;
  self->at++;
  return TRUE;
}

const char *
ls_cli_args_option (LsCliArgs  *self,
                    const char *name)
{
  const char *argument = self->at < self->argc ? self->argv[self->at] : NULL;
  gsize length = strlen (name);

  if (self->literal || argument == NULL || strncmp (argument, name, length) != 0)
    return NULL;
  if (argument[length] == '=')
    {
      self->at++;
      return argument + length + 1;
    }
  if (argument[length] != '\0')
    return NULL;
  if (self->at + 1 >= self->argc)
    {
      self->missing = name;
      return NULL;
    }
  self->at += 2;
  return self->argv[self->at - 1];
}

const char *
ls_cli_args_word (LsCliArgs *self)
{
  if (self->at >= self->argc || (!self->literal && g_str_has_prefix (self->argv[self->at], "--")))
    return NULL;
  return self->argv[self->at++];
}

int
ls_cli_args_refuse (LsCliArgs *self)
{
  if (self->missing != NULL)
    return ls_cli_usage (self->argv[0], "%s needs a value", self->missing);
  if (!g_str_has_prefix (self->argv[self->at], "--"))
    return ls_cli_usage (self->argv[0], "\"%s\" is one argument too many", self->argv[self->at]);
  return ls_cli_usage (self->argv[0], "%s is no option of this command", self->argv[self->at]);
}

/* ---- tables ---- */

/* Takes the next argument if it is this option; FALSE with `status` set when its value is wrong. */
static gboolean
take_option (LsCliArgs         *self,
             const LsCliOption *option,
             int               *status)
{
  const char *value;
  guint64 number;

  if (option->kind == LS_CLI_FLAG)
    {
      if (!ls_cli_args_flag (self, option->name))
        return FALSE;
      *(gboolean *) option->at = TRUE;
      return TRUE;
    }
  value = ls_cli_args_option (self, option->name);
  if (value == NULL)
    return FALSE;
  switch (option->kind)
    {
    case LS_CLI_FLAG:
      break;
    case LS_CLI_TEXT:
      *(const char **) option->at = value;
      break;
    case LS_CLI_LIST:
      g_ptr_array_add (option->at, (gpointer) value);
      break;
    case LS_CLI_NUMBER:
      if (!g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, &number, NULL))
        *status = ls_cli_usage (self->argv[0], "%s takes a number from 0, not \"%s\"", option->name, value);
      else
        *(gint64 *) option->at = (gint64) number;
      break;
    }
  return TRUE;
}

int
ls_cli_args_read (int                argc,
                  char             **argv,
                  const LsCliOption *options,
                  const char       **file)
{
  int status = LS_CLI_DONE;
  LsCliArgs args;

  *file = NULL;
  for (ls_cli_args_init (&args, argc, argv); status == LS_CLI_DONE && ls_cli_args_more (&args);)
    {
      const LsCliOption *option = options;

      while (option->name != NULL && !take_option (&args, option, &status))
        option++;
      if (option->name == NULL && (*file != NULL || (*file = ls_cli_args_word (&args)) == NULL))
        return ls_cli_args_refuse (&args);
    }
  return args.missing != NULL ? ls_cli_args_refuse (&args) : status;
}
