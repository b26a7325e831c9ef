/* AttachAttrLayoutFreeBuffers: PrimFuncs are told which of their inputs may have any layout.
 *
 * An argument of call_tir that is a constant or a weight (a parameter behind num_input) can be laid out before the program
 * runs.  The function that is called gets a copy with the attribute layout_free_buffers, one for each set of such places.
 */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/params.h"
#include "engine/relax/pass/pass.h"

static gboolean
is_weight (LsFunction *func,
           LsNode     *arg)
{
  if (ls_is (arg, CONSTANT))
    return TRUE;
  for (guint i = (guint) ls_relax_num_input (func, func->params->n); i < func->params->n; i++)
    if (func->params->items[i] == arg)
      return TRUE;
  return FALSE;
}

static LsArray *
free_places (LsFunction  *func,
             LsRelaxCall *call)
{
  LsNode *fields = call->args->items[1];
  LsArray *args = ls_is (fields, RELAX_TUPLE) ? ((LsRelaxTuple *) fields)->fields : NULL;
  GPtrArray *places = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (args); i++)
    if (is_weight (func, args->items[i]))
      g_ptr_array_add (places, ls_int (i));
  return ls_array_take_ptr_array (places);
}

static LsNode *
attach (LsRelaxMutator *self,
        LsRelaxCall    *call)
{
  LsFunction **func = self->user_data;
  LsGlobalVar *callee = ls_is_relax_call (call, "relax.call_tir") ? (LsGlobalVar *) call->args->items[0] : NULL;
  LsNode *prim = ls_is (callee, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, callee) : NULL;
  g_autoptr (LsArray) places = ls_is (prim, PRIM_FUNC) && *func != NULL ? free_places (*func, call) : NULL;
  g_autoptr (LsPrimFunc) fresh = NULL;
  g_autoptr (LsNode) visited = ls_relax_mutator_default (self, call);
  GPtrArray *args;

  if (ls_array_n (places) == 0)
    return g_steal_pointer (&visited);
  fresh = ls_prim_func_with_attr ((LsPrimFunc *) prim, "layout_free_buffers", places);
  call = (LsRelaxCall *) visited;
  args = g_ptr_array_new ();
  g_ptr_array_add (args, ls_ref (ls_block_builder_add_func (self->builder, fresh, callee->name_hint)));
  for (guint i = 1; i < call->args->n; i++)
    g_ptr_array_add (args, ls_node_ref (call->args->items[i]));
  return ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (call->attrs),
                            ls_ref (call->sinfo_args));
}

static LsNode *
inside (LsRelaxMutator *self,
        LsFunction     *func)
{
  LsFunction **now = self->user_data, *outer = *now;
  LsNode *fresh;

  *now = func;
  fresh = ls_relax_mutator_default (self, func);
  *now = outer;
  return fresh;
}

LsModule *
ls_relax_pass_attach_attr_layout_free_buffers (LsModule  *module,
                                               LsMap     *args,
                                               GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = attach, .function = inside };
  LsFunction *func = NULL;
  g_autoptr (LsModule) attached = ls_relax_mutate_module (module, &funcs, &func, error);
  g_autoptr (LsMap) none = ls_map_empty ();

  return attached != NULL ? ls_relax_pass_dead_code_elimination (attached, none, error) : NULL;
}
