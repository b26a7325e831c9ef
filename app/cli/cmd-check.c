/* check: is a file a script, and are its functions well formed?  All findings at once. */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/relax/well-formed.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

static void
print_json (LsModule      *module,
            LsDiagnostics *findings,
            gboolean       ok)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *list = ls_diagnostics_to_json (findings);

  json_builder_begin_object (builder);
  ls_json_put_bool (builder, "ok", ok);
  ls_json_begin_array (builder, "functions");
  for (guint i = 0; module != NULL && i < ls_array_n (module->global_vars); i++)
    json_builder_add_string_value (builder, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "findings");
  json_builder_add_value (builder, json_from_string (list, NULL));
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static int
check (const char *command,
       const char *file,
       gboolean    json)
{
  g_autofree char *said = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_cli_read_source (command, file);
  g_autoptr (LsModule) module = NULL;
  gboolean ok;

  if (source == NULL)
    return LS_CLI_FAILED;
  module = ls_script_parse (source, findings);
  ok = module != NULL && !ls_diagnostics_has_error (findings);
  if (ok)
    {
      ok = ls_verify_module (module, findings);
      ok = ls_relax_verify_module (module, findings) && ok;
    }
  if (json)
    print_json (module, findings, ok);
  else
    {
      said = ls_diagnostics_print (findings);
      fputs (said, stderr);
      if (ok)
        printf ("%s: %u function%s, well formed\n", file, ls_array_n (module->functions), ls_array_n (module->functions) == 1 ? "" : "s");
    }
  return ok ? LS_CLI_DONE : LS_CLI_FAILED;
}

int
ls_cli_check (int    argc,
              char **argv)
{
  gboolean json = FALSE;
  const LsCliOption options[] = { { "--json", LS_CLI_FLAG, &json }, { NULL } };
  const char *file;
  int status = ls_cli_args_read (argc, argv, options, &file);

  if (status != LS_CLI_DONE)
    return status;
  return file != NULL ? check (argv[0], file, json) : ls_cli_usage (argv[0], "a file is expected");
}
