/* print: a file of TVMScript as this program prints it. */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

static void
print_json (LsModule   *module,
            const char *text)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "text");
  json_builder_add_string_value (builder, text);
  ls_json_begin_array (builder, "functions");
  for (guint i = 0; i < module->global_vars->n; i++)
    json_builder_add_string_value (builder, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

int
ls_cli_print (int    argc,
              char **argv)
{
  LsScriptPrintOptions options = { .whole_heads = TRUE };
  const char *file = NULL, *value;
  gboolean json = FALSE;
  LsCliArgs args;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsNode) only = NULL;
  g_autofree char *text = NULL;
  gboolean no_meta = FALSE;

  for (ls_cli_args_init (&args, argc, argv); ls_cli_args_more (&args);)
    {
      if ((value = ls_cli_args_option (&args, "--style")) != NULL)
        {
          if (!ls_script_style_parse (value, &options.style))
            return ls_cli_usage (argv[0], "--style %s: 0.20, 2023 or 2026 is expected", value);
        }
      else if ((value = ls_cli_args_option (&args, "--func")) != NULL)
        options.only_function = value;
      else if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (ls_cli_args_flag (&args, "--no-meta"))
        no_meta = TRUE;
      else if (file == NULL && (value = ls_cli_args_word (&args)) != NULL)
        file = value;
      else
        return ls_cli_args_refuse (&args);
    }
  if (args.missing != NULL)
    return ls_cli_args_refuse (&args);
  if (file == NULL)
    return ls_cli_usage (argv[0], "a file is expected");
  source = ls_cli_read_source (argv[0], file);
  module = source != NULL ? ls_cli_parse_file (argv[0], source, &only) : NULL;
  if (module == NULL)
    return LS_CLI_FAILED;
  if (options.only_function != NULL && ls_module_get (module, options.only_function) == NULL)
    return ls_cli_fail (argv[0], "%s has no function \"%s\"", file, options.only_function);
  options.show_meta = !no_meta && options.style != LS_SCRIPT_STYLE_2023;
  text = ls_script_print (only != NULL && options.only_function == NULL ? only : LS_NODE (module), &options, NULL);
  if (json)
    print_json (module, text);
  else
    ls_cli_put_text (text);
  return LS_CLI_DONE;
}
