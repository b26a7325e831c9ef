/* fuzz target: findings at any place of any text are printed and turned into JSON. */
#include "tests/fuzz/fuzz.h"

#include "engine/base/base.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_source_new ("fuzz", (const char *) data, (gssize) size);
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;
  guint32 id = ls_source_get_id (source);

  for (gsize i = 0; i < MIN (size, 16); i++)
    {
      LsSpan span = { id, (guint32) (data[i] * size / 255), (guint32) (data[size - 1 - i] * size / 200) };
      LsDiagnostic *finding;

      finding = ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "fuzz/x", span, "%.*s", (int) MIN (size, 99),
                                    (const char *) data);
      ls_diagnostic_add_note (finding, (LsSpan) { id, (guint32) i, (guint32) i + 1 }, "note");
    }
  text = ls_diagnostics_print (sink);
  json = ls_diagnostics_to_json (sink);
  if (!g_utf8_validate (text, -1, NULL) || !g_utf8_validate (json, -1, NULL))
    g_error ("the output is not UTF-8");
  return 0;
}
