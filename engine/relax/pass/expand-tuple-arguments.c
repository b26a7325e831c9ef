/* ExpandTupleArguments: private functions take the fields of a tuple instead of the tuple, NAME_0, NAME_1, ...; tuples in
 * tuples too.  Then bindings and dead code are cleaned up. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

/* ---- functions ---------------------------------------------------------------------- */

typedef struct {
  GPtrArray *params;            /* of LsRelaxVar (references) */
  GPtrArray *bindings;          /* that put the tuples together again (references) */
} Expansion;

static void
expand_param (Expansion  *self,
              LsRelaxVar *param)
{
  LsArray *fields = ls_is (param->struct_info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) param->struct_info)->fields : NULL;
  GPtrArray *parts;

  if (fields == NULL)
    {
      g_ptr_array_add (self->params, ls_ref (param));
      return;
    }
  parts = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%u", param->name, i);
      g_autoptr (LsRelaxVar) part = ls_relax_var_new (name, ls_node_ref (fields->items[i]));

      g_ptr_array_add (parts, ls_ref (part));
      expand_param (self, part);
    }
  g_ptr_array_add (self->bindings, ls_var_binding_new (ls_ref (param), ls_relax_tuple_new (ls_array_take_ptr_array (parts))));
}

static gboolean
takes_tuple (LsNode *func)
{
  if (!ls_is (func, FUNCTION) || ls_function_symbol (func) != NULL)
    return FALSE;
  for (guint i = 0; i < ((LsFunction *) func)->params->n; i++)
    if (ls_is (ls_array_at (((LsFunction *) func)->params, i, LsRelaxVar)->struct_info, TUPLE_STRUCT_INFO))
      return TRUE;
  return FALSE;
}

static LsNode *
expand_function (LsFunction *func)
{
  Expansion self = { g_ptr_array_new (), g_ptr_array_new () };
  LsSeqExpr *body = (LsSeqExpr *) func->body;
  g_autoptr (LsArray) blocks = NULL;
  g_autoptr (LsNode) first = NULL;

  for (guint i = 0; i < func->params->n; i++)
    expand_param (&self, ls_array_at (func->params, i, LsRelaxVar));
  first = ls_binding_block_new (ls_array_take_ptr_array (self.bindings));
  blocks = ls_array_insert (body->blocks, 0, first);
  return LS_NODE (ls_function_new (ls_array_take_ptr_array (self.params), ls_seq_expr_new (ls_relax_join_blocks (blocks), ls_node_ref (body->body)),
                                   ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure));
}

/* ---- calls ------------------------------------------------------------------------------ */

static void
expand_argument (GPtrArray    *out,
                 LsNode       *arg,
                 LsStructInfo *info)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;

  if (fields == NULL)
    {
      g_ptr_array_add (out, ls_node_ref (arg));
      return;
    }
  for (guint i = 0; i < fields->n; i++)
    {
      g_autoptr (LsNode) part = ls_is (arg, RELAX_TUPLE) ? ls_node_ref (((LsRelaxTuple *) arg)->fields->items[i])
                                : ls_tuple_get_item_new (ls_node_ref (arg), i);

      expand_argument (out, part, fields->items[i]);
    }
}

static LsNode *
expand_call (LsRelaxMutator *self,
             LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsRelaxCall *now = (LsRelaxCall *) fresh;
  LsModule *module = self->user_data;
  LsNode *callee = ls_is (now->op, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) now->op) : NULL;
  LsNode *before = callee != NULL ? ls_module_get (module, ((LsGlobalVar *) now->op)->name_hint) : NULL;
  GPtrArray *args;

  if (before == NULL || !takes_tuple (before) || ((LsFunction *) before)->params->n != now->args->n)
    return g_steal_pointer (&fresh);
  args = g_ptr_array_new ();
  for (guint i = 0; i < now->args->n; i++)
    expand_argument (args, now->args->items[i], ls_array_at (((LsFunction *) before)->params, i, LsRelaxVar)->struct_info);
  return ls_relax_call_new (ls_node_ref (now->op), ls_array_take_ptr_array (args), ls_ref (now->attr_names), ls_ref (now->attrs), ls_ref (now->sinfo_args));
}

LsModule *
ls_relax_pass_expand_tuple_arguments (LsModule  *module,
                                      LsMap     *args,
                                      GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = expand_call };
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);
  g_autoptr (LsModule) expanded = NULL, called = NULL;

  for (guint i = 0; i < module->functions->n; i++)
    if (takes_tuple (module->functions->items[i]))
      {
        g_autoptr (LsNode) fresh = expand_function ((LsFunction *) module->functions->items[i]);

        ls_block_builder_update_func (builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  expanded = ls_block_builder_get (builder);
  called = ls_relax_mutate_module (expanded, &funcs, module, error);
  return called != NULL ? ls_relax_pass_clean_up (called, error) : NULL;
}
