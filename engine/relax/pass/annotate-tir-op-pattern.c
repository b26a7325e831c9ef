/* AnnotateTIROpPattern: every PrimFunc says how it may be fused, as op_pattern. */
#include "engine/ir/functions.h"
#include "engine/relax/op-pattern.h"
#include "engine/relax/pass/pass.h"

LsModule *
ls_relax_pass_annotate_tir_op_pattern (LsModule  *module,
                                       LsMap     *args,
                                       GError   **error)
{
  LsModuleBuilder *builder = ls_module_builder_new (module);

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsPrimFunc *func = (LsPrimFunc *) module->functions->items[i];
      g_autoptr (LsNode) kind = NULL;
      g_autoptr (LsPrimFunc) fresh = NULL;

      if (!ls_is (func, PRIM_FUNC) || ls_map_get (func->attrs, "op_pattern") != NULL)
        continue;
      kind = LS_NODE (ls_int (ls_op_pattern_analyze (func)));
      fresh = ls_prim_func_with_attr (func, "op_pattern", kind);
      ls_module_builder_put (builder, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, fresh);
    }
  return ls_module_builder_finish (builder);
}
