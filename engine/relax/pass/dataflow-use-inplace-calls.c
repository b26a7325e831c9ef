/* DataflowUseInplaceCalls: operators whose argument is needed no more write their result into it.
 *
 * Where inplace.h finds an argument of a call in a dataflow block, the operator's PrimFunc is made (as LegalizeOps does),
 * its output becomes that argument, and the call becomes call_tir_inplace.  Memory of parameters and constants is not
 * touched. */
#include "engine/relax/inplace.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsModule  *module;
  GPtrArray *made;              /* of GlobalVar: functions that are not needed in the end */
} State;

/* The function with its last parameter at the place of parameter `at`. (transfer full) */
static LsNode *
in_place (LsPrimFunc *func,
          guint       at)
{
  guint n = func->params->n - 1;
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  LsStmt *body;
  LsBuffer *to = ls_prim_func_get_buffer (func, at), *from = ls_prim_func_get_buffer (func, n);

  if (to == NULL || from == NULL || at >= n)
    return NULL;
  g_hash_table_insert (map, from, to);
  g_hash_table_insert (map, from->data, to->data);
  g_hash_table_insert (map, func->params->items[n], func->params->items[at]);
  body = (LsStmt *) ls_substitute (func->body, map);
  return LS_NODE (ls_prim_func_new (ls_array_remove (func->params, n), body, ls_ref (func->ret_type), ls_array_remove (func->buffers, n),
                                    ls_ref (func->attrs)));
}

LsNode *
ls_relax_inplace_call (LsBlockBuilder *builder,
                       LsRelaxCall    *call,
                       guint           at,
                       LsGlobalVar   **plain)
{
  g_autoptr (LsNode) legal = ls_relax_legalize_call (builder, call);
  LsRelaxCall *made = (LsRelaxCall *) legal;
  LsGlobalVar *fresh;
  g_autoptr (LsNode) func = NULL;
  g_autofree char *name = NULL;

  *plain = NULL;
  if (!ls_is_relax_call (legal, "relax.call_tir"))
    return NULL;
  *plain = ls_ref ((LsGlobalVar *) made->args->items[0]);
  func = in_place ((LsPrimFunc *) ls_block_builder_lookup_func (builder, *plain), at);
  if (func == NULL)
    return NULL;
  name = g_strconcat ((*plain)->name_hint, "_inplace", NULL);
  fresh = ls_block_builder_add_func (builder, func, name);
  return ls_relax_call_new (ls_relax_op_new ("relax.call_tir_inplace"), ls_array_with (made->args, 0, fresh),
                            ls_array_of (ls_string_new ("inplace_indices"), NULL),
                            ls_array_of (ls_array_of (ls_int_imm_new (LS_INT32, at), NULL), NULL), ls_ref (made->sinfo_args));
}

/* The call that writes into its argument `at`, or NULL. (transfer full) */
static LsNode *
inplace_call (LsRelaxMutator *self,
              LsRelaxCall    *call,
              guint           at)
{
  State *state = self->user_data;
  LsGlobalVar *plain;
  LsNode *made = ls_relax_inplace_call (self->builder, call, at, &plain);

  if (plain != NULL && ls_module_get (state->module, plain->name_hint) == NULL)
    g_ptr_array_add (state->made, ls_ref (plain));
  ls_unref (plain);
  return made;
}

static LsNode *
visit_block (LsRelaxMutator *self,
             LsBindingBlock *block)
{
  g_autoptr (LsInplace) inplace = NULL;

  if (!ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (self, block);
  inplace = ls_inplace_new_brief (block);
  ls_block_builder_begin_block (self->builder, TRUE);
  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsNode *binding = block->bindings->items[i];
      int at = ls_inplace_find (inplace, i);
      g_autoptr (LsNode) call = at >= 0 && ls_is (binding, VAR_BINDING) ? inplace_call (self, (LsRelaxCall *) ((LsVarBinding *) binding)->value, (guint) at) : NULL;

      if (call != NULL)
        ls_relax_mutator_rebind (self, (LsVarBinding *) binding, call);
      else
        ls_relax_mutator_default_binding (self, binding);
    }
  return ls_block_builder_end_block (self->builder);
}

LsModule *
ls_relax_pass_dataflow_use_inplace_calls (LsModule  *module,
                                          LsMap     *args,
                                          GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .block = visit_block };
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  State state = { module, made };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, module, &state);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, module->functions->items[i]);

        ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  for (guint i = 0; i < made->len; i++)
    ls_block_builder_remove_func (mutator.builder, made->pdata[i]);
  return ls_relax_mutator_finish (&mutator, error);
}
