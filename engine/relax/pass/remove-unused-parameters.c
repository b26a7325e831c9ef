/* RemoveUnusedParameters: private functions lose the parameters that their bodies do not use.
 *
 * A symbolic variable that only such a parameter brought becomes a parameter of its own, param_NAME.  Calls follow.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"
#include "engine/relax/relation.h"

typedef struct {
  LsFunction *before;
  gboolean   *keep;             /* by parameter */
  GPtrArray  *symbols;          /* LsVar: those that are given by number now */
} Change;

static void
change_free (gpointer data)
{
  Change *self = data;

  ls_unref (self->before);
  g_free (self->keep);
  g_ptr_array_unref (self->symbols);
  g_free (self);
}

static void
mark (GHashTable *set,
      GPtrArray  *items)
{
  for (guint i = 0; i < items->len; i++)
    g_hash_table_add (set, items->pdata[i]);
}

/* Symbolic variables of the body that no kept parameter brings; last ones first, as TVM has them. */
static GPtrArray *
missing_symbols (LsFunction *func,
                 gboolean   *keep)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (LsArray) no_params = ls_array_empty ();
  g_autoptr (LsFunction) bare = ls_function_new (ls_ref (no_params), ls_ref (func->body), ls_object_struct_info_new (), NULL, func->is_pure);
  g_autoptr (GPtrArray) free = ls_relax_free_symbols (bare);
  GPtrArray *out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < func->params->n; i++)
    if (keep[i])
      {
        g_autoptr (GPtrArray) brought = ls_relax_definable_symbols (ls_array_at (func->params, i, LsRelaxVar)->struct_info);

        mark (known, brought);
      }
  for (guint i = free->len; i-- > 0;)
    if (!g_hash_table_contains (known, free->pdata[i]))
      g_ptr_array_add (out, ls_node_ref (free->pdata[i]));
  return out;
}

/* What is to be changed, or NULL. */
static Change *
find_change (LsNode *node)
{
  LsFunction *func = (LsFunction *) node;
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) vars = NULL;
  gboolean any = FALSE;
  Change *self;

  if (!ls_is (node, FUNCTION) || ls_function_symbol (node) != NULL)
    return NULL;
  vars = ls_relax_free_vars (func->body);
  mark (used, vars);
  self = g_new0 (Change, 1);
  self->before = ls_ref (func);
  self->keep = g_new0 (gboolean, func->params->n + 1);
  for (guint i = 0; i < func->params->n; i++)
    {
      self->keep[i] = g_hash_table_contains (used, func->params->items[i]);
      any = any || !self->keep[i];
    }
  self->symbols = missing_symbols (func, self->keep);
  if (any)
    return self;
  change_free (self);
  return NULL;
}

static LsNode *
change_function (Change *self)
{
  LsFunction *func = self->before;
  GPtrArray *params = g_ptr_array_new ();

  for (guint i = 0; i < func->params->n; i++)
    if (self->keep[i])
      g_ptr_array_add (params, ls_node_ref (func->params->items[i]));
  for (guint i = 0; i < self->symbols->len; i++)
    {
      LsVar *symbol = self->symbols->pdata[i];
      g_autofree char *name = g_strconcat ("param_", symbol->name, NULL);

      g_ptr_array_add (params, ls_relax_var_new (name, ls_prim_struct_info_new (ls_ref (LS_EXPR (symbol)), ls_dtype (symbol))));
    }
  return LS_NODE (ls_function_new (ls_array_take_ptr_array (params), ls_ref (func->body), ls_ref (func->ret_struct_info), ls_ref (func->attrs),
                                   func->is_pure));
}

static LsNode *
change_call (LsRelaxMutator *mutator,
             LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (mutator, call);
  LsRelaxCall *now = (LsRelaxCall *) fresh;
  Change *self = ls_is (now->op, GLOBAL_VAR) ? g_hash_table_lookup (mutator->user_data, ((LsGlobalVar *) now->op)->name_hint) : NULL;
  g_autoptr (GHashTable) values = NULL;
  GPtrArray *args;

  if (self == NULL || now->args->n != self->before->params->n)
    return g_steal_pointer (&fresh);
  values = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  args = g_ptr_array_new ();
  for (guint i = 0; i < now->args->n; i++)
    {
      g_autoptr (LsNode) info = ls_relax_struct_info (now->args->items[i]);

      ls_struct_info_match (ls_array_at (self->before->params, i, LsRelaxVar)->struct_info, info, values);
      if (self->keep[i])
        g_ptr_array_add (args, ls_node_ref (now->args->items[i]));
    }
  for (guint i = 0; i < self->symbols->len; i++)
    {
      LsNode *value = g_hash_table_lookup (values, self->symbols->pdata[i]);

      if (value == NULL)
        ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "The dimension `%s` of a call of %s is not known.",
                               ((LsVar *) self->symbols->pdata[i])->name, ((LsGlobalVar *) now->op)->name_hint);
      else
        g_ptr_array_add (args, ls_prim_value_new (LS_EXPR (ls_node_ref (value))));
    }
  return ls_relax_call_new (ls_node_ref (now->op), ls_array_take_ptr_array (args), ls_ref (now->attr_names), ls_ref (now->attrs), ls_ref (now->sinfo_args));
}

LsModule *
ls_relax_pass_remove_unused_parameters (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = change_call };
  g_autoptr (GHashTable) changes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, change_free);
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);
  g_autoptr (LsModule) changed = NULL, called = NULL;

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      Change *change = find_change (module->functions->items[i]);
      g_autoptr (LsNode) fresh = NULL;

      if (change == NULL)
        continue;
      g_hash_table_insert (changes, var->name_hint, change);
      fresh = change_function (change);
      ls_block_builder_update_func (builder, var, fresh);
    }
  if (g_hash_table_size (changes) == 0)
    return ls_relax_pass_clean_up (module, error);
  changed = ls_block_builder_get (builder);
  called = ls_relax_mutate_module (changed, &funcs, changes, error);
  return called != NULL ? ls_relax_pass_clean_up (called, error) : NULL;
}
