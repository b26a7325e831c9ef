/* BindSymbolicVars: symbolic dimensions become numbers, in one function or in all that have them. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

/* FALSE with an error when the name stands for several variables. */
static gboolean
find_symbol (LsFunction  *func,
             const char  *name,
             LsVar      **out,
             GError     **error)
{
  g_autoptr (GPtrArray) symbols = ls_relax_defined_symbols (func);

  *out = NULL;
  for (guint i = 0; i < symbols->len; i++)
    {
      if (strcmp (((LsVar *) symbols->pdata[i])->name, name) != 0)
        continue;
      if (*out != NULL)
        {
          ls_relax_pass_refuse (error, "A function has several symbolic variables `%s`.", name);
          return FALSE;
        }
      *out = symbols->pdata[i];
    }
  return TRUE;
}

/* The function with what it has of the map; counts the uses of each entry. */
static LsNode *
bind (LsFunction  *func,
      LsMap       *map,
      guint       *uses,
      GError     **error)
{
  g_autoptr (GHashTable) symbols = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < map->n; i++)
    {
      LsVar *symbol;

      if (!find_symbol (func, map->keys[i], &symbol, error))
        return NULL;
      if (symbol == NULL)
        continue;
      uses[i]++;
      g_hash_table_insert (symbols, symbol, ls_cast (ls_dtype (symbol), ls_ref (LS_EXPR (map->values[i]))));
    }
  return g_hash_table_size (symbols) > 0 ? ls_relax_bind (func, NULL, symbols) : ls_node_ref (LS_NODE (func));
}

static gboolean
check_map (LsMap   *map,
           GError **error)
{
  for (guint i = 0; i < map->n; i++)
    if (map->values[i] == NULL || !ls_is_expr (map->values[i]) || ls_dtype (map->values[i]).code != LS_TYPE_INT)
      {
        ls_relax_pass_refuse (error, "The value for `%s` is no whole number.", map->keys[i]);
        return FALSE;
      }
  return TRUE;
}

LsModule *
ls_relax_pass_bind_symbolic_vars (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  LsMap *map = (LsMap *) ls_map_get (args, "binding_map");
  const char *name = ls_relax_pass_str (args, "func_name");
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);
  g_autofree guint *uses = g_new0 (guint, map->n + 1);

  if (name != NULL && !ls_is (ls_module_get (module, name), FUNCTION))
    return ls_relax_pass_refuse (error, "The module has no Relax function `%s`.", name);
  if (!check_map (map, error))
    return NULL;
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      g_autoptr (LsNode) fresh = NULL;

      if (!ls_is (module->functions->items[i], FUNCTION) || (name != NULL && strcmp (name, var->name_hint) != 0))
        continue;
      fresh = bind ((LsFunction *) module->functions->items[i], map, uses, error);
      if (fresh == NULL)
        return NULL;
      ls_block_builder_update_func (builder, var, fresh);
    }
  for (guint i = 0; i < map->n; i++)
    if (uses[i] == 0)
      return ls_relax_pass_refuse (error, "No function has a symbolic variable `%s`.", map->keys[i]);
  return ls_block_builder_get (builder);
}
