/* passes: see the header.  Arguments of both levels are looked at by the same rules (relax/pass/pass.c). */
#include "app/cli/passes.h"

#include "engine/script/pass-text.h"

#include <string.h>

/* A pass of TensorIR as the rules for arguments take it. */
static LsRelaxPass
as_row (const LsPass *tir)
{
  return (LsRelaxPass) { tir->name, tir->summary, tir->params, NULL };
}

static gboolean
says_tir (const char *text)
{
  gsize n = strcspn (text, "(");

  return g_str_has_prefix (text, "tir.") || g_strstr_len (text, (gssize) n, ".tir.") != NULL;
}

static gboolean
find (const char  *name,
      gboolean     only_tir,
      LsCliPass   *pass,
      GError     **error)
{
  const LsPass *tir = ls_pass_get (name);

  *pass = (LsCliPass) { NULL, tir };
  if (only_tir && tir == NULL)
    g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNKNOWN, "there is no pass %s; --list shows them", name);
  if (only_tir)
    return tir != NULL;
  pass->relax = ls_relax_pass_get (name, tir != NULL ? NULL : error);
  if (pass->relax != NULL)
    pass->tir = NULL;
  return pass->relax != NULL || tir != NULL;
}

/* What was given, by name: a pass of TensorIR knows itself what holds where nothing is said. */
static LsMap *
given_arguments (const LsPass *tir,
                 LsArray      *positional,
                 LsMap        *keywords,
                 GError      **error)
{
  LsRelaxPass row = as_row (tir);
  LsMap *complete = ls_relax_pass_arguments (&row, positional, keywords, error);
  LsMap *given;

  if (complete == NULL || (positional->n == 0 && (keywords == NULL || keywords->n == 0)))
    return complete;
  given = ls_map_empty ();
  for (guint i = 0; i < complete->n; i++)
    if (i < positional->n || ls_map_get (keywords, complete->keys[i]) != NULL)
      ls_take (&given, ls_map_set (given, complete->keys[i], complete->values[i]));
  ls_unref (complete);
  return given;
}

gboolean
ls_cli_pass_read (const char  *text,
                  gboolean     only_tir,
                  LsCliPass   *pass,
                  LsMap      **args,
                  GError     **error)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsPassText) call = ls_script_parse_pass (text, findings);
  gboolean nothing;

  *args = NULL;
  if (call == NULL)
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_VALUE, "%s: %s", text,
                   ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0)->message : "this is no pass");
      return FALSE;
    }
  if (!find (call->name, only_tir || says_tir (text), pass, error))
    return FALSE;
  if (pass->relax != NULL)
    return (*args = ls_relax_pass_arguments (pass->relax, call->positional, call->keywords, error)) != NULL;
  *args = given_arguments (pass->tir, call->positional, call->keywords, error);
  if (*args == NULL)
    return FALSE;
  nothing = call->positional->n == 0 && (call->keywords == NULL || call->keywords->n == 0);
  if (nothing)
    g_clear_pointer ((LsNode **) args, ls_node_unref);
  return TRUE;
}

const char *
ls_cli_pass_name (const LsCliPass *self)
{
  return self->relax != NULL ? self->relax->name : self->tir->name;
}

const char *
ls_cli_pass_summary (const LsCliPass *self)
{
  return self->relax != NULL ? self->relax->summary : self->tir->summary;
}

const LsPassParam *
ls_cli_pass_params (const LsCliPass *self)
{
  return self->relax != NULL ? self->relax->params : self->tir->params;
}

char *
ls_cli_pass_signature (const LsCliPass *self)
{
  LsRelaxPass row = self->relax != NULL ? *self->relax : as_row (self->tir);
  g_autofree char *text = ls_relax_pass_signature (&row);

  return g_strconcat (self->relax != NULL ? "" : "tir.", text, NULL);
}

LsModule *
ls_cli_pass_run (const LsCliPass *self,
                 LsModule        *module,
                 LsMap           *args,
                 GError         **error)
{
  if (self->relax != NULL)
    return ls_relax_pass_run (self->relax, module, args, error);
  return ls_pass_run_module_with (self->tir, module, args, error);
}
