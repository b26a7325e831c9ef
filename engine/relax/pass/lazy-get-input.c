/* LazyGetInput: public functions are given a function that loads a weight instead of the weights themselves.
 *
 * Each use of a parameter behind num_input becomes fget_param (number, name) and a match_cast to what the parameter was;
 * loading twice is then loaded once, and what is not used is not loaded. */
#include "engine/relax/analysis.h"
#include "engine/relax/pass/params.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsRelaxVar *getter;
  GHashTable *numbers;          /* parameter -> its number + 1 */
} Lazy;

static LsRelaxVar *
getter_new (void)
{
  return ls_relax_var_new ("fget_param", ls_func_struct_info_new (ls_array_of (ls_prim_struct_info_new (NULL, LS_INT64), ls_object_struct_info_new (), NULL),
                                                                  ls_object_struct_info_new (), TRUE));
}

static LsNode *
load (LsRelaxMutator *self,
      LsRelaxVar     *var)
{
  Lazy *lazy = self->user_data;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (lazy->numbers, var));
  g_autofree char *name = NULL;
  LsRelaxVar *untyped;

  if (number == 0)
    return ls_relax_mutator_default (self, var);
  name = g_strconcat (var->name, "_untyped", NULL);
  untyped = ls_block_builder_emit_take (self->builder, ls_relax_call_new (LS_NODE (ls_ref (lazy->getter)),
      ls_array_of (ls_prim_value_new (ls_int_imm_new (LS_INT64, number - 1)), ls_relax_string_new (var->name), NULL), NULL, NULL, NULL), name);
  return ls_ref (LS_NODE (ls_block_builder_emit_match_cast (self->builder, untyped, var->struct_info, var->name)));
}

/* What the result can be said to be by the parameters that are left. (transfer full) */
static LsStructInfo *
erased (LsFunction *func,
        LsArray    *params)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < params->n; i++)
    {
      g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (ls_array_at (params, i, LsRelaxVar)->struct_info);

      for (guint k = 0; k < symbols->len; k++)
        g_hash_table_add (known, symbols->pdata[k]);
    }
  return ls_struct_info_erase (func->ret_struct_info, known);
}

static LsNode *
with_lazy_inputs (LsFunction *func)
{
  static const LsRelaxMutatorFuncs funcs = { .var = load };
  gint64 n = ls_relax_num_input (func, 0);
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_autoptr (LsFunction) lazy_func = NULL;
  Lazy lazy = { getter_new (), numbers };
  GPtrArray *params = g_ptr_array_new ();
  LsArray *list;

  for (guint i = 0; i < func->params->n; i++)
    if (i < n)
      g_ptr_array_add (params, ls_ref (func->params->items[i]));
    else
      g_hash_table_insert (numbers, func->params->items[i], GUINT_TO_POINTER (i - (guint) n + 1));
  g_ptr_array_add (params, lazy.getter);
  list = ls_array_take_ptr_array (params);
  lazy_func = ls_function_new (list, ls_ref (func->body), erased (func, list), ls_relax_with_num_input (func->attrs, n + 1), func->is_pure);
  ls_relax_mutator_init (&mutator, &funcs, NULL, &lazy);
  return ls_relax_mutator_visit (&mutator, lazy_func);
}

LsModule *
ls_relax_pass_lazy_get_input (LsModule  *module,
                              LsMap     *args,
                              GError   **error)
{
  GPtrArray *functions = g_ptr_array_new ();
  g_autoptr (LsModule) lazy = NULL, shared = NULL;

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsFunction *func = (LsFunction *) module->functions->items[i];

      g_ptr_array_add (functions, ls_is (func, FUNCTION) && ls_map_get (func->attrs, "global_symbol") != NULL ? with_lazy_inputs (func) : ls_node_ref (LS_NODE (func)));
    }
  lazy = ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (functions), ls_ref (module->attrs), ls_ref (module->global_infos));
  shared = ls_relax_pass_eliminate_common_subexpr (lazy, NULL, error);
  if (shared == NULL)
    return NULL;
  functions = g_ptr_array_new ();
  for (guint i = 0; i < module->functions->n; i++)
    g_ptr_array_add (functions, lazy->functions->items[i] != module->functions->items[i] ? ls_relax_remove_all_unused (shared->functions->items[i], NULL)
                     : ls_node_ref (module->functions->items[i]));
  return ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (functions), ls_ref (module->attrs), ls_ref (module->global_infos));
}
