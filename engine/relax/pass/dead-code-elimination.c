/* DeadCodeElimination: functions that no entry reaches, and bindings that nothing needs, are dropped.
 *
 * Entries are the functions named, and all that have a global_symbol.  Where a call goes to a function that the module
 * does not have, no function is dropped, because that one might need it.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

typedef struct {
  LsBlockBuilder *builder;
  GHashTable     *reached;      /* functions */
  GPtrArray      *todo;
  gboolean        complete;
} Trace;

static LsWalk
note_callee (LsNode  *node,
             gpointer user_data)
{
  Trace *self = user_data;
  LsNode *func = ls_is (node, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) node) : NULL;

  if (ls_is (node, GLOBAL_VAR) && func == NULL)
    self->complete = FALSE;
  if (func != NULL && g_hash_table_add (self->reached, func))
    g_ptr_array_add (self->todo, func);
  return LS_WALK_CONTINUE;
}

static gboolean
is_entry (LsArray     *entries,
          LsGlobalVar *var,
          LsNode      *func)
{
  for (guint i = 0; i < ls_array_n (entries); i++)
    if (ls_is (entries->items[i], STRING) && g_str_equal (ls_array_at (entries, i, LsString)->value, var->name_hint))
      return TRUE;
  return ls_function_symbol (func) != NULL || (!ls_is (func, FUNCTION) && !ls_is (func, PRIM_FUNC));
}

static void
remove_functions (LsBlockBuilder *builder,
                  LsArray        *entries)
{
  g_autoptr (LsModule) module = ls_block_builder_get (builder);
  g_autoptr (GHashTable) reached = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) todo = g_ptr_array_new ();
  Trace trace = { builder, reached, todo, TRUE };

  for (guint i = 0; i < module->functions->n; i++)
    if (is_entry (entries, ls_array_at (module->global_vars, i, LsGlobalVar), module->functions->items[i])
        && g_hash_table_add (reached, module->functions->items[i]))
      g_ptr_array_add (todo, module->functions->items[i]);
  while (todo->len > 0)
    ls_walk (g_ptr_array_steal_index_fast (todo, todo->len - 1), note_callee, NULL, &trace);
  for (guint i = 0; trace.complete && i < module->functions->n; i++)
    if (!g_hash_table_contains (reached, module->functions->items[i]))
      ls_block_builder_remove_func (builder, ls_array_at (module->global_vars, i, LsGlobalVar));
}

LsModule *
ls_relax_pass_dead_code_elimination (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  LsArray *entries = (LsArray *) ls_map_get (args, "entry_functions");
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);
  g_autoptr (LsModule) now = NULL;

  for (guint i = 0; i < ls_array_n (entries); i++)
    if (!ls_is (entries->items[i], STRING) || ls_module_get (module, ls_array_at (entries, i, LsString)->value) == NULL)
      return ls_relax_pass_refuse (error, "The module has no function `%s` to start from.",
                                   ls_is (entries->items[i], STRING) ? ls_array_at (entries, i, LsString)->value : "?");
  remove_functions (builder, entries);
  now = ls_block_builder_get (builder);
  for (guint i = 0; i < now->functions->n; i++)
    if (ls_is (now->functions->items[i], FUNCTION))
      {
        g_autoptr (LsNode) fresh = ls_relax_remove_all_unused (now->functions->items[i], builder);

        ls_block_builder_update_func (builder, ls_array_at (now->global_vars, i, LsGlobalVar), fresh);
      }
  remove_functions (builder, entries);
  return ls_block_builder_get (builder);
}
