/* AnnotateTIROpPattern: every PrimFunc says how it may be fused, as op_pattern. */
#include "engine/relax/op-pattern.h"
#include "engine/relax/pass/pass.h"

LsModule *
ls_relax_pass_annotate_tir_op_pattern (LsModule  *module,
                                       LsMap     *args,
                                       GError   **error)
{
  g_autoptr (LsModule) now = ls_ref (module);

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsPrimFunc *func = (LsPrimFunc *) module->functions->items[i];
      g_autoptr (LsNode) kind = NULL;
      g_autoptr (LsPrimFunc) fresh = NULL;
      LsModule *next;

      if (!ls_is (func, PRIM_FUNC) || ls_map_get (func->attrs, "op_pattern") != NULL)
        continue;
      kind = LS_NODE (ls_int (ls_op_pattern_analyze (func)));
      fresh = ls_prim_func_with_attr (func, "op_pattern", kind);
      next = ls_module_with (now, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, fresh);
      ls_unref (now);
      now = next;
    }
  return g_steal_pointer (&now);
}
