/* describe: the options of a command, read out of the line that its usage shows; --help, the manual page and the
 * completions are made of them.
 *
 *   usage   = { word | "[" usage "]" ["..."] | "(" usage ")" | "|" }
 *   option  = ("--name" | "-o") [value]
 *   value   = word { word } ["| " WORD ...] | "[" word "]"       up to a bracket or to the next option
 */
#include "app/about/about.h"
#include "app/cli/cli.h"
#include "engine/base/json.h"

#include <string.h>

static void
option_free (gpointer data)
{
  LsCliOptionText *option = data;

  g_free (option->name);
  g_free (option->value);
  g_free (option);
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-';
}

static gboolean
starts_option (const char *usage,
               const char *at)
{
  return *at == '-' && (at == usage || strchr (" [(", at[-1]) != NULL) && (at[1] == '-' || g_ascii_isalpha (at[1]));
}

/* The end of the value that begins at `at`, outside brackets. */
static const char *
value_end (const char *at)
{
  gboolean quoted = FALSE;

  for (; *at != '\0'; at++)
    {
      if (*at == '\'')
        quoted = !quoted;
      if (quoted)
        continue;
      if (strchr ("[])", *at) != NULL || (*at == ' ' && (at[1] == '-' || at[1] == '[' || g_str_has_prefix (at, " | -"))))
        break;
    }
  return at;
}

static const char *
read_value (LsCliOptionText *option,
            const char      *at)
{
  const char *end;
  char *dots;

  if (*at == ' ')
    at++;
  option->optional = *at == '[' && at[1] != '-' && at[1] != '[';
  if (*at != '\0' && (option->optional || strchr ("[])|-", *at) == NULL))
    {
      at += option->optional;
      end = option->optional ? at + strcspn (at, "]") : value_end (at);
      option->value = g_strndup (at, (gsize) (end - at));
      at = end + option->optional;
    }
  else
    option->value = g_strdup ("");
  if ((dots = strstr (option->value, "...")) != NULL)
    {
      option->repeated = TRUE;
      *dots = '\0';
    }
  option->repeated |= g_str_has_prefix (at, "]...");
  g_strdelimit (option->value, "'", ' ');
  g_strstrip (option->value);
  return at;
}

/* How well a meaning is meant for an option: 0 not, 1 its name, 2 its name and value, 3 in this very command. */
static guint
fit (const char            *name,
     const char            *command,
     const LsCliOptionText *option)
{
  gsize length = strlen (option->name);
  gboolean own = *name != '-';

  if (own && (!g_str_has_prefix (name, command) || name[strlen (command)] != ' '))
    return 0;
  name += own ? strlen (command) + 1 : 0;
  if (strncmp (name, option->name, length) != 0 || (name[length] != '\0' && name[length] != ' '))
    return 0;
  if (own)
    return 3;
  return name[length] == ' ' && g_str_has_prefix (option->value, name + length + 1) ? 2 : 1;
}

static const char *
find_meaning (const char            *command,
              const LsCliOptionText *option)
{
  const char *found = NULL;
  guint best = 0;

  for (const LsCliMeaning *meaning = ls_cli_meanings; meaning->name != NULL; meaning++)
    {
      guint fits = fit (meaning->name, command, option);

      if (fits > best)
        {
          best = fits;
          found = meaning->meaning;
        }
    }
  return found;
}

static gboolean
is_known (GPtrArray  *options,
          const char *name)
{
  for (guint i = 0; i < options->len; i++)
    if (strcmp (((LsCliOptionText *) options->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

GPtrArray *
ls_cli_options_of (const LsCliCommand *command)
{
  GPtrArray *options = g_ptr_array_new_with_free_func (option_free);
  const char *at = command->arguments;

  while (*at != '\0')
    {
      const char *end = at + 1;
      LsCliOptionText *option;

      if (!starts_option (command->arguments, at))
        {
          at++;
          continue;
        }
      while (is_name_char (*end))
        end++;
      option = g_new0 (LsCliOptionText, 1);
      option->name = g_strndup (at, (gsize) (end - at));
      at = read_value (option, end);
      option->meaning = find_meaning (command->name, option);
      if (is_known (options, option->name))
        option_free (option);
      else
        g_ptr_array_add (options, option);
    }
  return options;
}

/* ---- all of it as JSON ---- */

/* A placeholder that is a path: FILE, DIR, PATH, or something with a suffix. */
static gboolean
is_path (const char *value)
{
  const char *dot = strchr (value, '.');

  return strcmp (value, "FILE") == 0 || strcmp (value, "DIR") == 0 || strcmp (value, "PATH") == 0
         || (dot != NULL && g_ascii_isalpha (value[0]) && g_ascii_isalpha (dot[1]));
}

static void
add_option (JsonBuilder           *builder,
            const LsCliOptionText *text)
{
  const char *names[] = { text->name, NULL };
  LsAboutOption option = {
    .names = names,
    .value = text->value,
    .meaning = text->meaning,
    .optional = text->optional,
    .repeated = text->repeated,
    .file = text->value != NULL && is_path (text->value),
  };

  ls_about_add_option (builder, &option);
}

static void
add_command (JsonBuilder        *builder,
             const LsCliCommand *command)
{
  g_autoptr (GPtrArray) options = ls_cli_options_of (command);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, command->name);
  json_builder_set_member_name (builder, "arguments");
  json_builder_add_string_value (builder, command->arguments);
  json_builder_set_member_name (builder, "summary");
  json_builder_add_string_value (builder, command->summary);
  ls_json_begin_array (builder, "options");
  for (guint i = 0; i < options->len; i++)
    {
      const LsCliOptionText *option = options->pdata[i];

      add_option (builder, option);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

void
ls_cli_put_description (const LsCliCommand *commands,
                        guint               n)
{
  static const LsAboutExit exits[] = {
    { LS_CLI_DONE, "done" },
    { LS_CLI_FAILED, "the input or the request is wrong" },
    { LS_CLI_USAGE, "the command line is wrong" },
    { LS_CLI_REFUSED, "this machine refuses a jail for cells" },
    { 0, NULL },
  };
  static const LsAbout about = {
    "loopscope-cli", "COMMAND ...", "Everything that the window of Loopscope does, in a terminal: checks, schedules, lowers, runs and times tensor programs.", exits
  };
  static const LsCliOptionText own[] = {
    { .name = (char *) "--help", .meaning = "the commands; after a command: its arguments and what its options mean" },
    { .name = (char *) "--version", .meaning = "the version" },
  };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  ls_about_begin (builder, &about);
  ls_json_begin_array (builder, "options");
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    {
      add_option (builder, &own[i]);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "commands");
  for (guint i = 0; i < n; i++)
    add_command (builder, &commands[i]);
  json_builder_end_array (builder);
  ls_about_end (builder);
}
