/* AllocateWorkspace: functions for compilers outside of this one that need memory of their own get it as an argument.
 *
 * A function with the attribute Codegen says by WorkspaceSize how many bytes it needs; so does the function with Composite
 * that it calls, be it defined inside or in the module.  Both get a parameter `workspace` of as many bytes as the neediest
 * asks for, and a new name; callers allocate it once, at the start of the first dataflow block.
 */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  GHashTable *names;            /* name -> LsGlobalVar of the new function, kept */
  gint64      size;
  LsRelaxVar *workspace;        /* in the function that is being visited, or NULL; kept */
  gboolean    is_external;
} Workspace;

static gint64
size_of (LsNode *func)
{
  gint64 size = 0;

  return ls_is (func, FUNCTION) && ls_as_int (ls_map_get (((LsFunction *) func)->attrs, "WorkspaceSize"), &size) ? size : 0;
}

static gboolean
has (LsNode     *func,
     const char *key)
{
  return ls_is (func, FUNCTION) && ls_map_get (((LsFunction *) func)->attrs, key) != NULL;
}

static LsStructInfo *
workspace_info (Workspace *self)
{
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_of (ls_int_imm_new (LS_INT64, self->size), NULL)), LS_UNKNOWN_NDIM, LS_DTYPE (LS_TYPE_UINT, 8), NULL);
}

/* ---- functions with workspaces -------------------------------------------------------- */

static LsNode *
with_parameter (LsRelaxMutator *self,
                LsFunction     *func,
                const char     *symbol)         /* NULL: a function inside another one */
{
  Workspace *state = self->user_data;
  LsRelaxVar *outer = state->workspace, *param = ls_relax_var_new (symbol != NULL ? "workspace" : "workspace_1", workspace_info (state));
  g_autoptr (LsNode) visited = NULL;
  GPtrArray *params = g_ptr_array_new ();
  LsMap *attrs;
  LsNode *fresh;

  state->workspace = param;
  visited = ls_relax_mutator_default (self, func);
  state->workspace = outer;
  func = (LsFunction *) visited;
  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (params, ls_node_ref (func->params->items[i]));
  g_ptr_array_add (params, param);
  attrs = ls_map_remove (func->attrs, "WorkspaceSize");
  if (symbol != NULL)
    {
      g_autoptr (LsNode) name = LS_NODE (ls_string_new (symbol));
      LsMap *named = ls_map_set (attrs, "global_symbol", name);

      ls_unref (attrs);
      attrs = named;
    }
  fresh = LS_NODE (ls_function_new (ls_array_take_ptr_array (params), ls_node_ref (func->body), ls_node_ref (func->ret_struct_info), attrs, func->is_pure));
  return fresh;
}

static LsNode *
visit_function (LsRelaxMutator *self,
                LsFunction     *func)
{
  Workspace *state = self->user_data;

  return state->is_external && self->depth > 0 && size_of (LS_NODE (func)) > 0 && has (LS_NODE (func), "Composite") ? with_parameter (self, func, NULL)
         : ls_relax_mutator_default (self, func);
}

/* Does the callee, a function that is defined inside or one of the module, take the workspace? */
static LsNode *
new_callee (LsRelaxMutator *self,
            LsNode         *callee)
{
  Workspace *state = self->user_data;
  LsNode *value;

  if (ls_is (callee, GLOBAL_VAR))
    return g_hash_table_lookup (state->names, ((LsGlobalVar *) callee)->name_hint);
  value = state->is_external && ls_is_relax_var (callee) ? ls_relax_mutator_lookup (self, callee) : NULL;
  return has (value, "Composite") && state->workspace != NULL ? callee : NULL;
}

static LsNode *
visit_call (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  Workspace *state = self->user_data;
  g_autoptr (LsNode) visited = ls_relax_mutator_default (self, call);
  LsNode *callee = ls_is (visited, RELAX_CALL) ? new_callee (self, ((LsRelaxCall *) visited)->op) : NULL;
  GPtrArray *args;

  if (callee == NULL || state->workspace == NULL)
    return g_steal_pointer (&visited);
  call = (LsRelaxCall *) visited;
  args = g_ptr_array_new ();
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ls_node_ref (call->args->items[i]));
  g_ptr_array_add (args, ls_ref (state->workspace));
  return ls_relax_call_new (ls_node_ref (callee), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (call->attrs),
                            ls_ref (call->sinfo_args));
}

/* ---- callers ---------------------------------------------------------------------------- */

static LsWalk
find_call (LsNode   *node,
           gpointer  data)
{
  gpointer *pair = data;

  if (!ls_is (node, RELAX_CALL) || !ls_is (((LsRelaxCall *) node)->op, GLOBAL_VAR)
      || !g_hash_table_contains (pair[0], ((LsGlobalVar *) ((LsRelaxCall *) node)->op)->name_hint))
    return LS_WALK_CONTINUE;
  pair[1] = node;
  return LS_WALK_STOP;
}

static LsNode *
visit_block (LsRelaxMutator *self,
             LsBindingBlock *block)
{
  Workspace *state = self->user_data;
  gpointer pair[] = { state->names, NULL };

  if (state->is_external || state->workspace != NULL || !ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (self, block);
  ls_walk (block, find_call, NULL, pair);
  if (pair[1] == NULL)
    return ls_relax_mutator_default_block (self, block);
  ls_block_builder_begin_block (self->builder, TRUE);
  state->workspace = ls_ref (ls_block_builder_emit_take (self->builder, ls_relax_make ("relax.builtin.alloc_tensor",
      ls_array_of (ls_shape_expr_new (ls_array_of (ls_int_imm_new (LS_INT64, state->size), NULL)), ls_data_type_imm_new (LS_DTYPE (LS_TYPE_UINT, 8)),
                   ls_prim_value_new (ls_int_imm_new (LS_INT64, 0)), ls_relax_string_new ("global"), NULL), NULL, NULL), "workspace_main"));
  for (guint i = 0; i < block->bindings->n; i++)
    ls_relax_mutator_default_binding (self, block->bindings->items[i]);
  return ls_block_builder_end_block (self->builder);
}

/* ---- the module --------------------------------------------------------------------------- */

/* New names for all functions with workspaces first: they call each other. */
static void
name_functions (LsRelaxMutator *self,
                LsModule       *module)
{
  Workspace *state = self->user_data;

  for (guint i = 0; i < module->functions->n; i++)
    g_free (ls_block_builder_unique_name (self->builder, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint));
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsNode *func = module->functions->items[i];
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (size_of (func) > 0 && (has (func, "Codegen") || has (func, "Composite")))
        {
          g_autofree char *fresh = ls_block_builder_unique_name (self->builder, name);

          state->size = MAX (state->size, size_of (func));
          g_hash_table_insert (state->names, (gpointer) name, ls_global_var_new (fresh));
        }
    }
}

LsModule *
ls_relax_pass_allocate_workspace (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .function = visit_function, .call = visit_call, .block = visit_block };
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) ls_node_unref);
  Workspace state = { names, 0, NULL, FALSE };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, module, &state);
  name_functions (&mutator, module);
  for (guint i = 0; i < module->functions->n && state.size > 0; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar), *fresh = g_hash_table_lookup (names, var->name_hint);
      LsFunction *func = (LsFunction *) module->functions->items[i];
      g_autoptr (LsNode) made = NULL;

      if (!ls_is (func, FUNCTION))
        continue;
      state.is_external = fresh != NULL;
      made = fresh != NULL ? with_parameter (&mutator, func, fresh->name_hint) : ls_relax_mutator_visit (&mutator, func);
      ls_unref (g_steal_pointer (&state.workspace));
      if (fresh != NULL)
        ls_block_builder_remove_func (mutator.builder, var);
      ls_block_builder_update_func (mutator.builder, fresh != NULL ? fresh : var, made);
    }
  return ls_relax_mutator_finish (&mutator, error);
}
