/* CanonicalizeBindings: see engine/relax/canonicalize.c. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

LsModule *
ls_relax_pass_canonicalize_bindings (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        g_autoptr (GError) wrong = NULL;
        g_autoptr (LsNode) fresh = ls_relax_canonicalize (module->functions->items[i], &wrong);

        if (fresh == NULL)
          {
            g_set_error_literal (error, LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_PROGRAM, wrong->message);
            return NULL;
          }
        ls_block_builder_update_func (builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  return ls_block_builder_get (builder);
}
