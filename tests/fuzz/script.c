/* fuzz/script: any bytes as a script; what was built is printed and read again. */
#include "engine/script/migrate.h"
#include "engine/script/script.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (LsSource) source = ls_source_new ("fuzz", (const char *) data, (gssize) size);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autofree char *said = ls_diagnostics_print (findings);
  g_autoptr (GPtrArray) report = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_migration_free);
  g_autofree char *migrated = ls_script_migrate (source, report, findings);

  if (module != NULL && !ls_diagnostics_has_error (findings))
    {
      LsScriptPrintOptions options = { 0 };
      g_autofree char *text = ls_script_print (module, &options, NULL);
      g_autoptr (LsSource) printed = ls_source_new ("printed", text, -1);
      g_autoptr (LsDiagnostics) second = ls_diagnostics_new ();
      g_autoptr (LsModule) again = ls_script_parse (printed, second);
    }
  return 0;
}
