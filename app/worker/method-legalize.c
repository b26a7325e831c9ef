/* The method legalize: a module of Relax before and after each pass that brings its graphs to functions of TensorIR. */
#include "app/worker/program.h"
#include "app/worker/stages.h"

#include "engine/relax/pass/pass.h"
#include "engine/script/printer.h"

/* In the order of TVM's zero pipeline. */
static const char *const PASSES[] = { "LegalizeOps", "AnnotateTIROpPattern", "FoldConstant", "FuseOps", "FuseTIR" };

static LsModule *
run_pass (const char *name,
          LsModule   *module,
          GError    **error)
{
  const LsRelaxPass *pass = ls_relax_pass_get (name, error);
  LsMap *args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, error) : NULL;
  LsModule *after = args != NULL ? ls_relax_pass_run (pass, module, args, error) : NULL;

  if (args != NULL)
    ls_unref (args);
  return after;
}

/* module -> function s (""); stages as of ls_stages_end(), without places */
static GVariant *
method_legalize (LsRequest  *request,
                 GVariant   *params,
                 GError    **error)
{
  const LsScriptPrintOptions whole = { .no_header = TRUE };
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsModule) module = text != NULL ? ls_program_read_module (text, error) : NULL;
  g_autoptr (LsStages) stages = ls_stages_new ();
  gboolean stopped = FALSE;
  GVariantDict dict;

  if (module == NULL)
    return NULL;
  ls_stages_add (stages, "", -1, NULL, ls_script_print (module, &whole, NULL), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    {
      g_autoptr (GError) trouble = NULL;
      g_autoptr (LsModule) after = NULL;
      gint64 start = ls_clock_ns (), ns;

      if (stopped)
        {
          ls_stages_add (stages, PASSES[i], -1, NULL, NULL, NULL);
          continue;
        }
      ls_request_progress (request, (double) i / G_N_ELEMENTS (PASSES), PASSES[i]);
      after = run_pass (PASSES[i], module, &trouble);
      ns = ls_clock_ns () - start;
      stopped = after == NULL;
      if (stopped)
        ls_stages_add (stages, PASSES[i], ns, trouble->message, NULL, NULL);
      else if (ls_structural_equal (module, after, FALSE, NULL, NULL))
        ls_stages_add (stages, PASSES[i], ns, NULL, NULL, NULL);
      else
        ls_stages_add (stages, PASSES[i], ns, NULL, ls_script_print (after, &whole, NULL), NULL);
      if (!stopped)
        ls_take (&module, g_steal_pointer (&after));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", "");
  g_variant_dict_insert_value (&dict, "stages", ls_stages_end (stages, LS_STAGES_MOST));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_legalize[] = {
  { "legalize", method_legalize, "A module before and after each pass that brings its graphs to TensorIR." },
  { NULL, NULL, NULL },
};
