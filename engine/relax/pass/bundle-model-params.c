/* BundleModelParams: the weights of a function (its parameters behind num_input) become one tuple; each use of one takes
 * its item there. */
#include "engine/relax/pass/params.h"
#include "engine/relax/pass/pass.h"

gint64
ls_relax_num_input (LsFunction *func,
                    gint64      otherwise)
{
  gint64 n;

  return ls_as_int (ls_map_get (func->attrs, "num_input"), &n) && n >= 0 && n <= (gint64) func->params->n ? n : otherwise;
}

LsMap *
ls_relax_with_num_input (LsMap  *attrs,
                         gint64  n)
{
  g_autoptr (LsNode) value = LS_NODE (ls_int_imm_new (LS_INT32, n));

  return ls_map_set (attrs, "num_input", value);
}

typedef struct {
  LsRelaxVar *tuple;
  GHashTable *items;            /* parameter -> its number + 1 */
} Bundle;

static LsNode *
take_item (LsRelaxMutator *self,
           LsRelaxVar     *var)
{
  Bundle *bundle = self->user_data;
  guint item = GPOINTER_TO_UINT (g_hash_table_lookup (bundle->items, var));

  if (item == 0)
    return ls_relax_mutator_default (self, var);
  return ls_ref (LS_NODE (ls_block_builder_emit_take (self->builder, ls_tuple_get_item_new (LS_NODE (ls_ref (bundle->tuple)), item - 1), var->name)));
}

LsNode *
ls_relax_bundle_params (LsFunction *func,
                        const char *name)
{
  static const LsRelaxMutatorFuncs funcs = { .var = take_item };
  gint64 n = ls_relax_num_input (func, -1);
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) items = g_hash_table_new (NULL, NULL);
  g_autoptr (LsFunction) bundled = NULL;
  GPtrArray *params, *infos;
  Bundle bundle = { NULL, items };
  LsNode *fresh;

  if (n < 0)
    return ls_node_ref (LS_NODE (func));
  params = g_ptr_array_new ();
  infos = g_ptr_array_new ();
  for (guint i = 0; i < func->params->n; i++)
    if (i < n)
      g_ptr_array_add (params, ls_ref (func->params->items[i]));
    else
      {
        g_ptr_array_add (infos, ls_node_ref (ls_array_at (func->params, i, LsRelaxVar)->struct_info));
        g_hash_table_insert (items, func->params->items[i], GUINT_TO_POINTER (infos->len));
      }
  bundle.tuple = ls_relax_var_new (name != NULL ? name : "model_params", ls_tuple_struct_info_new (ls_array_take_ptr_array (infos)));
  g_ptr_array_add (params, bundle.tuple);
  bundled = ls_function_new (ls_array_take_ptr_array (params), ls_ref (func->body), ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure);
  ls_relax_mutator_init (&mutator, &funcs, NULL, &bundle);
  fresh = ls_relax_mutator_visit (&mutator, bundled);
  return fresh;
}

LsModule *
ls_relax_pass_bundle_model_params (LsModule  *module,
                                   LsMap     *args,
                                   GError   **error)
{
  GPtrArray *functions = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    g_ptr_array_add (functions, ls_is (module->functions->items[i], FUNCTION)
                     ? ls_relax_bundle_params ((LsFunction *) module->functions->items[i], ls_relax_pass_str (args, "param_tuple_name"))
                     : ls_node_ref (module->functions->items[i]));
  return ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (functions), ls_ref (module->attrs), ls_ref (module->global_infos));
}
