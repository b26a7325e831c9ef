/* run-pass: a pass of the graph level by its text, for who steps through passes. */
#include "engine/graph/series.h"
#include "engine/graph/edit.h"

#include "engine/relax/pass/pass.h"
#include "engine/script/pass-text.h"

LsModule *
ls_graph_run_pass (LsModule   *module,
                   const char *text,
                   GError    **error)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsPassText) call = ls_script_parse_pass (text, findings);
  const LsRelaxPass *pass;
  LsModule *after;
  LsMap *args;

  if (call == NULL)
    {
      g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, "%s", ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0)->message : text);
      return NULL;
    }
  if (ls_graph_edit_is (call->name))
    return ls_graph_edit_run (module, call, error);
  pass = ls_relax_pass_get (call->name, error);
  args = pass != NULL ? ls_relax_pass_arguments (pass, call->positional, call->keywords, error) : NULL;
  after = args != NULL ? ls_relax_pass_run (pass, module, args, error) : NULL;
  ls_unref (args);
  return after;
}
