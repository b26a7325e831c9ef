/* RemovePurityChecking: pure functions say relax.force_pure, and the calls that claim purity become plain calls, so that
 * what lowers further may use operations with effects. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static LsNode *
plain_call (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsRelaxCall *now = (LsRelaxCall *) fresh;

  if (ls_is_relax_call (fresh, "relax.invoke_pure_closure"))
    return ls_relax_call_new (ls_relax_op_new ("relax.invoke_closure"), ls_ref (now->args), ls_ref (now->attr_names), ls_ref (now->attrs),
                              ls_ref (now->sinfo_args));
  if (now->args->n == 0 || (!ls_is_relax_call (fresh, "relax.call_pure_packed") && !ls_is_relax_call (fresh, "relax.call_inplace_packed")))
    return g_steal_pointer (&fresh);
  return ls_relax_call_new (ls_node_ref (now->args->items[0]), ls_array_remove (now->args, 0), NULL, NULL, ls_ref (now->sinfo_args));
}

static LsNode *
force_pure (LsRelaxMutator *self,
            LsFunction     *func)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, func);
  g_autoptr (LsNode) yes = LS_NODE (ls_bool (TRUE));
  LsFunction *now = (LsFunction *) fresh;

  if (!now->is_pure)
    return g_steal_pointer (&fresh);
  return LS_NODE (ls_function_new (ls_ref (now->params), ls_ref (now->body), ls_ref (now->ret_struct_info),
                                   ls_map_set (now->attrs, "relax.force_pure", yes), TRUE));
}

LsModule *
ls_relax_pass_remove_purity_checking (LsModule  *module,
                                      LsMap     *args,
                                      GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = plain_call, .function = force_pure };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
