/* UpdateParamStructInfo: parameters get the struct info that a function says; what follows from them is inferred anew. */
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

LsModule *
ls_relax_pass_update_param_struct_info (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  return ls_relax_pass_refuse (error, "The argument is a function of the parameter; only Python can say it.");
}
