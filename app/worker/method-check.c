/* The method check: does a text of TVMScript hold a program?  For texts that would hold the window up. */
#include "app/worker/server.h"

#include "engine/base/findings.h"
#include "engine/script/script.h"

#define MOST 100

/* `text`, `name` -> `findings`: line, column (from 1), code, message of each error, its repair, and from which byte to which what is to stand there; `empty`: there is no function in it. */
static GVariant *
method_check (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  const char *text = ls_params_require_string (params, "text", error);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) module = NULL;
  GVariantBuilder findings;
  GVariantDict dict;
  guint n = 0;

  if (text == NULL)
    return NULL;
  source = ls_source_new (ls_params_string (params, "name", "text"), text, -1);
  module = ls_script_parse (source, diagnostics);
  g_variant_builder_init (&findings, G_VARIANT_TYPE ("a(uussmsuums)"));
  for (guint i = 0; i < ls_diagnostics_get_n (diagnostics) && n < MOST; i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (diagnostics, i);
      LsPlace place = ls_source_place (source, finding->span.start);
      LsSpan at;
      const char *fix = ls_diagnostic_get_fix (finding, &at);

      if (finding->severity != LS_SEVERITY_ERROR)
        continue;
      g_variant_builder_add (&findings, "(uussmsuums)", place.line, place.column, finding->code, finding->message, finding->repair, at.start, at.end, fix);
      n++;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "findings", g_variant_builder_end (&findings));
  g_variant_dict_insert (&dict, "empty", "b", module == NULL && n == 0);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_check[] = {
  { "check", method_check, "Says what is wrong with a text of TVMScript." },
  { NULL, NULL, NULL },
};
