/* InlinePrivateFunctions: calls of private functions that do not call themselves become their bodies.
 *
 * Each call gets a copy with variables of its own, arguments in the place of parameters, dimensions read off them; calls
 * in the copy are inlined too.  Then bindings and dead code are cleaned up.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"
#include "engine/relax/relation.h"

/* ---- recursion ---------------------------------------------------------------------- */

typedef struct {
  LsBlockBuilder *builder;
  GHashTable     *reached;      /* functions */
  GPtrArray      *todo;
} Trace;

static LsWalk
note_callee (LsNode  *node,
             gpointer user_data)
{
  Trace *self = user_data;
  LsNode *func = ls_is (node, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) node) : NULL;

  if (func != NULL && g_hash_table_add (self->reached, func))
    g_ptr_array_add (self->todo, func);
  return LS_WALK_CONTINUE;
}

static gboolean
calls_itself (LsBlockBuilder *builder,
              LsNode         *func)
{
  g_autoptr (GHashTable) reached = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) todo = g_ptr_array_new ();
  Trace trace = { builder, reached, todo };

  ls_walk (func, note_callee, NULL, &trace);
  while (todo->len > 0)
    ls_walk (g_ptr_array_steal_index_fast (todo, todo->len - 1), note_callee, NULL, &trace);
  return g_hash_table_contains (reached, func);
}

/* ---- inlining ------------------------------------------------------------------------------ */

static LsNode *
inline_call (LsRelaxMutator *self,
             LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsRelaxCall *now = (LsRelaxCall *) fresh;
  LsNode *callee = ls_is (now->op, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) now->op) : NULL;
  g_autoptr (LsFunction) copy = NULL;
  g_autoptr (GHashTable) vars = NULL, symbols = NULL;
  g_autoptr (LsNode) body = NULL;

  if (callee == NULL || !g_hash_table_contains (self->user_data, callee) || ((LsFunction *) callee)->params->n != now->args->n)
    return g_steal_pointer (&fresh);
  copy = ls_relax_copy_function ((LsFunction *) callee);
  vars = g_hash_table_new (NULL, NULL);
  symbols = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < now->args->n; i++)
    {
      g_autoptr (LsNode) info = ls_relax_struct_info (now->args->items[i]);

      g_hash_table_insert (vars, copy->params->items[i], now->args->items[i]);
      ls_struct_info_match (ls_array_at (copy->params, i, LsRelaxVar)->struct_info, info, symbols);
    }
  body = ls_relax_bind (copy->body, vars, symbols);
  return ls_relax_mutator_visit (self, body);
}

LsModule *
ls_relax_pass_inline_private_functions (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = inline_call };
  g_autoptr (GHashTable) private_funcs = g_hash_table_new (NULL, NULL);
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (LsModule) inlined = NULL;

  ls_relax_mutator_init (&mutator, &funcs, module, private_funcs);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && ls_function_symbol (module->functions->items[i]) == NULL
        && !calls_itself (mutator.builder, module->functions->items[i]))
      g_hash_table_add (private_funcs, module->functions->items[i]);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && !g_hash_table_contains (private_funcs, module->functions->items[i]))
      {
        g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, module->functions->items[i]);

        ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  inlined = ls_relax_mutator_finish (&mutator, error);
  return inlined != NULL ? ls_relax_pass_clean_up (inlined, error) : NULL;
}
