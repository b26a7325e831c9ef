/* NormalizeGlobalVar: functions are called what their global_symbol says; private ones that stand in the way get a number. */
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

LsModule *
ls_relax_pass_normalize_global_var (LsModule  *module,
                                    LsMap     *args,
                                    GError   **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < module->functions->n; i++)
    {
      const char *symbol = ls_function_symbol (module->functions->items[i]);
      char *name;

      if (symbol == NULL)
        continue;
      name = g_strdup (symbol);
      g_hash_table_insert (names, module->global_vars->items[i], name);
      if (!g_hash_table_add (taken, name))
        return ls_relax_pass_refuse (error, "Several functions have the global_symbol \"%s\".", symbol);
    }
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      char *name = g_strdup (var->name_hint);

      if (g_hash_table_contains (names, var))
        {
          g_free (name);
          continue;
        }
      for (guint k = 1; g_hash_table_contains (taken, name); k++)
        {
          g_free (name);
          name = g_strdup_printf ("%s%u", var->name_hint, k);
        }
      g_hash_table_insert (names, var, name);
      g_hash_table_add (taken, name);
    }
  return ls_module_rename_functions (module, names);
}
