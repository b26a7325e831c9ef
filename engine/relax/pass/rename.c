/* rename: see the header. */
#include "engine/relax/pass/rename.h"

#include <string.h>

LsMap *
ls_function_attrs (LsNode *func)
{
  return ls_is (func, FUNCTION) ? ((LsFunction *) func)->attrs : ls_is (func, PRIM_FUNC) ? ((LsPrimFunc *) func)->attrs : NULL;
}

const char *
ls_function_symbol (LsNode *func)
{
  LsNode *symbol = ls_map_get (ls_function_attrs (func), "global_symbol");

  return ls_is (symbol, STRING) ? ((LsString *) symbol)->value : NULL;
}

LsNode *
ls_function_with_attrs (LsNode *func,
                        LsMap  *attrs)
{
  LsFunction *relax = (LsFunction *) func;
  LsPrimFunc *prim = (LsPrimFunc *) func;

  if (ls_is (func, FUNCTION))
    return LS_NODE (ls_function_new (ls_ref (relax->params), ls_ref (relax->body), ls_ref (relax->ret_struct_info), attrs, relax->is_pure));
  return LS_NODE (ls_prim_func_new (ls_ref (prim->params), ls_ref (prim->body), ls_ref (prim->ret_type), ls_ref (prim->buffers), attrs));
}

LsModule *
ls_module_rename_functions (LsModule   *module,
                            GHashTable *names)
{
  g_autoptr (GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *vars = g_ptr_array_new (), *funcs = g_ptr_array_new ();

  for (guint i = 0; i < module->global_vars->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      const char *name = g_hash_table_lookup (names, var);

      if (name != NULL && strcmp (name, var->name_hint) != 0)
        g_hash_table_insert (map, var, ls_global_var_new (name));
    }
  for (guint i = 0; i < module->global_vars->n; i++)
    {
      LsNode *fresh = g_hash_table_lookup (map, module->global_vars->items[i]);

      g_ptr_array_add (vars, ls_node_ref (fresh != NULL ? fresh : module->global_vars->items[i]));
      g_ptr_array_add (funcs, ls_substitute (module->functions->items[i], map));
    }
  return ls_module_new (ls_array_take_ptr_array (vars), ls_array_take_ptr_array (funcs), ls_ref (module->attrs), ls_ref (module->global_infos));
}
