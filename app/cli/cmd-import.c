/* import: a saved graph of torch.fx, or a model of ONNX, as a module of Relax. */
#include "app/cli/input.h"
#include "app/cli/onnx-file.h"
#include "engine/frontend/pt2/pt2.h"
#include "engine/frontend/fx/fx.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"

#include <string.h>

static void
print_json (const char *name,
            const char *text)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static gboolean
read_rules (const char *command,
            const char *path)
{
  g_autoptr (LsSource) source = ls_cli_read_source (command, path);
  g_autoptr (GError) error = NULL;

  if (source != NULL && !ls_fx_rules_add_text (ls_source_get_text (source, NULL), &error))
    ls_cli_fail (command, "%s: %s", path, error->message);
  return source != NULL && error == NULL;
}

static int
import_onnx (const char *command,
             const char *file,
             gboolean    constants,
             gboolean    strict,
             gboolean    json)
{
  const LsOnnxOptions options = { .keep_params = !constants, .strict = strict };
  g_autoptr (LsModule) module = ls_cli_read_onnx (command, file, &options);
  g_autofree char *text = NULL;

  if (module == NULL)
    return LS_CLI_FAILED;
  text = ls_cli_module_text (module);
  if (json)
    print_json ("text", text);
  else
    ls_cli_put_text (text);
  return LS_CLI_DONE;
}

int
ls_cli_import (int    argc,
               char **argv)
{
  const char *file = NULL, *as = "ops", *rules = NULL;
  gboolean table = FALSE, json = FALSE, no_meta = FALSE, constants = FALSE, strict = FALSE;
  const LsCliOption options[] = {
    { "--as", LS_CLI_TEXT, &as }, { "--rules", LS_CLI_TEXT, &rules }, { "--table", LS_CLI_FLAG, &table }, { "--constants", LS_CLI_FLAG, &constants },
    { "--no-unknown", LS_CLI_FLAG, &strict }, { "--no-meta", LS_CLI_FLAG, &no_meta }, { "--json", LS_CLI_FLAG, &json }, { NULL }
  };
  int status = ls_cli_args_read (argc, argv, options, &file);
  LsScriptPrintOptions print = { .whole_heads = TRUE };
  LsFxOptions import = { .keep_paths = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsFxGraph) graph = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autofree char *text = NULL;

  if (status != LS_CLI_DONE)
    return status;
  if (file == NULL)
    return ls_cli_usage (argv[0], "a file is expected");
  if (strcmp (as, "ops") != 0 && strcmp (as, "te") != 0)
    return ls_cli_usage (argv[0], "--as %s: ops or te is expected", as);
  if (g_str_has_suffix (file, ".onnx"))
    {
      if (table || rules != NULL || strcmp (as, "ops") != 0)
        return ls_cli_usage (argv[0], "--table, --rules and --as te are for graphs of torch.fx");
      return import_onnx (argv[0], file, constants, strict, json);
    }
  if (constants)
    return ls_cli_usage (argv[0], "--constants is for models of ONNX");
  if (rules != NULL && !read_rules (argv[0], rules))
    return LS_CLI_FAILED;
  import.variant = strcmp (as, "te") == 0 ? LS_FX_TE : LS_FX_OPS;
  graph = g_str_has_suffix (file, ".pt2") ? ls_pt2_read (file, &error) : ls_fx_graph_read (file, &error);
  import.said = !strict ? said : NULL;
  if (graph != NULL && !table)
    module = ls_fx_graph_import (graph, &import, &error);
  if (error != NULL)
    return ls_cli_fail (argv[0], "%s", error->message);
  for (guint i = 0; i < said->len; i++)
    fprintf (stderr, "warning: %s\n", (const char *) said->pdata[i]);
  print.show_meta = !no_meta;
  text = table ? ls_fx_graph_tabular (graph) : ls_script_print (LS_NODE (module), &print, NULL);
  if (json)
    print_json (table ? "table" : "text", text);
  else
    ls_cli_put_text (text);
  return LS_CLI_DONE;
}
