/* AttachGlobalSymbol: every function, private ones included, gets its name as global_symbol.
 *
 * With the module attribute system_lib_prefix, TensorIR functions get that in front and are renamed.
 */
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

static LsNode *
with_symbol (LsNode     *func,
             const char *name)
{
  g_autoptr (LsNode) text = LS_NODE (ls_string_new (name));
  LsMap *old = ls_is (func, FUNCTION) ? ((LsFunction *) func)->attrs : ((LsPrimFunc *) func)->attrs;
  LsNode *symbol = ls_map_get (old, "global_symbol");

  if (ls_is (symbol, STRING) && g_str_equal (((LsString *) symbol)->value, name))
    return ls_node_ref (func);
  return ls_function_with_attrs (func, ls_map_set (old, "global_symbol", text));
}

LsModule *
ls_relax_pass_attach_global_symbol (LsModule  *module,
                                    LsMap     *args,
                                    GError   **error)
{
  LsNode *prefix = ls_map_get (module->attrs, "system_lib_prefix");
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GPtrArray *funcs = g_ptr_array_new ();
  g_autoptr (LsModule) attached = NULL;

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsNode *func = module->functions->items[i];
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      gboolean prefixed = ls_is (func, PRIM_FUNC) && ls_is (prefix, STRING);
      g_autofree char *name = g_strconcat (prefixed ? ((LsString *) prefix)->value : "", var->name_hint, NULL);

      g_ptr_array_add (funcs, ls_is (func, FUNCTION) || ls_is (func, PRIM_FUNC) ? with_symbol (func, name) : ls_node_ref (func));
      if (prefixed)
        g_hash_table_insert (names, var, g_steal_pointer (&name));
    }
  attached = ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (funcs), ls_ref (module->attrs), ls_ref (module->global_infos));
  return ls_module_rename_functions (attached, names);
}
