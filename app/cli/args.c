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
