/* BindParams: parameters of a function become constants; dimensions that the constants decide become numbers. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/relation.h"

#include <string.h>

typedef struct {
  LsFunction *func;
  GHashTable *vars;             /* parameter -> constant (kept) */
  GHashTable *symbols;
} Binding;

static char *
names_of (LsFunction *func)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < func->params->n; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", ls_array_at (func->params, i, LsRelaxVar)->name);
  return g_string_free (out, FALSE);
}

static LsRelaxVar *
find_param (LsFunction  *func,
            const char  *name,
            GError     **error)
{
  LsRelaxVar *found = NULL;
  g_autofree char *names = NULL;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);

      if (strcmp (param->name, name) != 0)
        continue;
      if (found != NULL)
        return ls_relax_pass_refuse (error, "The function has several parameters `%s`.", name);
      found = param;
    }
  if (found == NULL)
    {
      names = names_of (func);
      ls_relax_pass_refuse (error, "The function has no parameter `%s`; it has: %s.", name, names);
    }
  return found;
}

/* The dimensions that a value of this kind decides; FALSE when it cannot be the parameter's value. */
static gboolean
match (Binding     *self,
       LsRelaxVar  *param,
       LsNode      *info,
       GError     **error)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  GHashTableIter iter;
  gpointer symbol, value;

  if (!ls_struct_info_may_be (param->struct_info, info))
    {
      ls_relax_pass_refuse (error, "The value for `%s` has another shape or type than the parameter.", param->name);
      return FALSE;
    }
  ls_struct_info_match (param->struct_info, info, found);
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &symbol, &value))
    {
      LsNode *known = g_hash_table_lookup (self->symbols, symbol);

      if (known != NULL && !ls_deep_equal (known, value))
        {
          ls_relax_pass_refuse (error, "The value for `%s` gives the dimension `%s` another extent than an earlier one.", param->name,
                                ((LsVar *) symbol)->name);
          return FALSE;
        }
      g_hash_table_insert (self->symbols, ls_node_ref (symbol), ls_node_ref (value));
    }
  return TRUE;
}

static LsNode *
constant_of (LsNode *value)
{
  return ls_is (value, TENSOR) ? ls_constant_new ((LsTensor *) ls_node_ref (value)) : ls_is_relax_expr (value) ? ls_node_ref (value) : NULL;
}

static gboolean
add_binding (Binding     *self,
             const char  *name,
             LsNode      *value,
             GError     **error)
{
  LsRelaxVar *param = find_param (self->func, name, error);
  g_autoptr (LsNode) constant = constant_of (value);
  g_autoptr (LsNode) info = NULL;

  if (param == NULL)
    return FALSE;
  if (constant == NULL)
    {
      ls_relax_pass_refuse (error, "The value for `%s` is no array.", name);
      return FALSE;
    }
  if (ls_is (constant, CONSTANT) || ls_is (constant, SHAPE_EXPR) || ls_is (constant, PRIM_VALUE))
    {
      info = ls_relax_struct_info (constant);
      if (!match (self, param, info, error))
        return FALSE;
    }
  g_hash_table_insert (self->vars, ls_ref (param), ls_node_ref (constant));
  return TRUE;
}

static LsNode *
bind (Binding *self)
{
  LsFunction *func = self->func;
  GPtrArray *rest = g_ptr_array_new ();
  g_autoptr (LsNode) shorter = NULL;

  for (guint i = 0; i < func->params->n; i++)
    if (!g_hash_table_contains (self->vars, func->params->items[i]))
      g_ptr_array_add (rest, ls_node_ref (func->params->items[i]));
  shorter = LS_NODE (ls_function_new (ls_array_take_ptr_array (rest), ls_ref (func->body), ls_ref (func->ret_struct_info), ls_ref (func->attrs),
                                      func->is_pure));
  return ls_relax_bind (shorter, self->vars, self->symbols);
}

LsModule *
ls_relax_pass_bind_params (LsModule  *module,
                           LsMap     *args,
                           GError   **error)
{
  const char *name = ls_relax_pass_str (args, "func_name");
  LsMap *params = (LsMap *) ls_map_get (args, "params");
  LsNode *func = ls_module_get (module, name);
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) symbols = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  Binding binding = { (LsFunction *) func, vars, symbols };
  g_autoptr (LsNode) bound = NULL;

  if (!ls_is (func, FUNCTION))
    return ls_relax_pass_refuse (error, func == NULL ? LS_TEXT ("The module has no function `%s`.") : LS_TEXT ("`%s` is no Relax function."), name);
  if (!ls_is (params, MAP))
    return ls_relax_pass_refuse (error, "The parameters are a dictionary of arrays; a file has to be read before.");
  for (guint i = 0; i < params->n; i++)
    if (!add_binding (&binding, params->keys[i], params->values[i], error))
      return NULL;
  bound = bind (&binding);
  return ls_module_with (module, name, bound);
}
