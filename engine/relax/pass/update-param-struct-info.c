/* UpdateParamStructInfo: parameters get the struct info that a function says; what follows from them is inferred anew.
 * The argument of the table's row is a list of pairs, parameter and struct info: what the function answered. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/relation.h"

typedef struct {
  LsRelaxParamInfoFunc func;
  gpointer             user_data;
} Update;

static LsNode *
update (LsRelaxMutator *self,
        LsFunction     *func)
{
  Update *update = self->user_data;
  GPtrArray *params = g_ptr_array_new ();
  g_autoptr (LsFunction) wider = NULL;
  gboolean changed = FALSE;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar), *fresh;
      g_autoptr (LsNode) info = update->func (param, update->user_data);

      if (info == NULL || ls_struct_info_equal (info, param->struct_info))
        {
          g_ptr_array_add (params, ls_ref (param));
          continue;
        }
      fresh = ls_relax_var_new (param->name, ls_node_ref (info));
      ls_relax_mutator_replace (self, param, fresh);
      g_ptr_array_add (params, fresh);
      changed = TRUE;
    }
  wider = ls_function_new (ls_array_take_ptr_array (params), ls_ref (func->body),
                           changed ? ls_object_struct_info_new () : ls_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure);
  return ls_relax_mutator_default (self, wider);
}

LsModule *
ls_relax_update_param_struct_info (LsModule              *module,
                                   LsRelaxParamInfoFunc   func,
                                   gpointer               user_data,
                                   GError               **error)
{
  static const LsRelaxMutatorFuncs funcs = { .function = update };
  Update data = { func, user_data };

  return ls_relax_mutate_module (module, &funcs, &data, error);
}

/* By a table of parameter -> struct info. */
static LsStructInfo *
look_up (LsRelaxVar *param,
         gpointer    table)
{
  return ls_node_ref (g_hash_table_lookup (table, param));
}

LsModule *
ls_relax_pass_update_param_struct_info (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  LsArray *answers = (LsArray *) ls_map_get (args, "sinfo_func");
  g_autoptr (GHashTable) table = g_hash_table_new (NULL, NULL);

  for (guint i = 0; ls_is (answers, ARRAY) && i < answers->n; i++)
    {
      LsArray *pair = (LsArray *) answers->items[i];

      if (ls_is (pair, ARRAY) && pair->n == 2 && ls_is_relax_var (pair->items[0]) && ls_is_struct_info (pair->items[1]))
        g_hash_table_insert (table, pair->items[0], pair->items[1]);
    }
  if (!ls_is (answers, ARRAY))
    return ls_relax_pass_refuse (error, "The argument is a function of the parameter; only Python can say it.");
  return ls_relax_update_param_struct_info (module, look_up, table, error);
}
