/* ToNonDataflow: dataflow blocks become plain ones, their variables plain variables. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static void
rebind (LsRelaxMutator *self,
        LsNode         *binding)
{
  LsMatchCast *cast = ls_is (binding, MATCH_CAST) ? (LsMatchCast *) binding : NULL;
  LsRelaxVar *var = cast != NULL ? cast->var : ((LsVarBinding *) binding)->var;
  g_autoptr (LsNode) value = NULL, fresh = NULL;
  g_autoptr (LsRelaxVar) plain = NULL;

  if (!ls_is (var, DATAFLOW_VAR))
    {
      ls_relax_mutator_default_binding (self, binding);
      return;
    }
  value = ls_relax_mutator_visit (self, cast != NULL ? cast->value : ((LsVarBinding *) binding)->value);
  plain = ls_relax_var_new (var->name, ls_relax_mutator_visit_info (self, var->struct_info));
  ls_relax_mutator_replace (self, var, plain);
  fresh = cast != NULL ? ls_match_cast_new (ls_ref (plain), ls_ref (value), ls_relax_mutator_visit_info (self, cast->struct_info))
          : ls_var_binding_new (ls_ref (plain), ls_ref (value));
  ls_block_builder_emit_binding (self->builder, fresh);
}

static LsNode *
plain_block (LsRelaxMutator *self,
             LsBindingBlock *block)
{
  if (!ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (self, block);
  ls_block_builder_begin_block (self->builder, FALSE);
  for (guint i = 0; i < block->bindings->n; i++)
    rebind (self, block->bindings->items[i]);
  return ls_block_builder_end_block (self->builder);
}

LsNode *
ls_relax_to_non_dataflow (LsNode *func)
{
  static const LsRelaxMutatorFuncs funcs = { .block = plain_block };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, NULL, NULL);
  return ls_relax_mutator_visit (&mutator, func);
}

LsModule *
ls_relax_pass_to_non_dataflow (LsModule  *module,
                               LsMap     *args,
                               GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .block = plain_block };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
