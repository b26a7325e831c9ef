/* RemoveUnusedOutputs: private functions that give a tuple keep only the fields that some call uses.
 *
 * One field that is left is given without a tuple.  A call whose result is used as a whole needs all fields.  Works on
 * canonical bindings, so that no field hides behind another name, and cleans up at the end.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

typedef struct {
  guint     n;                  /* fields */
  gboolean *used;
  guint     n_used;
  gboolean  called;
} Outputs;

typedef struct {
  GHashTable *outputs;          /* name of the function -> Outputs */
  GHashTable *results;          /* variable bound to a call -> Outputs */
} Usage;

static void
outputs_free (gpointer data)
{
  g_free (((Outputs *) data)->used);
  g_free (data);
}

static Outputs *
callee_outputs (Usage  *self,
                LsNode *value)
{
  LsRelaxCall *call = (LsRelaxCall *) value;

  return ls_is (value, RELAX_CALL) && ls_is (call->op, GLOBAL_VAR) ? g_hash_table_lookup (self->outputs, ((LsGlobalVar *) call->op)->name_hint) : NULL;
}

/* ---- which fields are used ----------------------------------------------------------- */

static void
use_all (Outputs *outputs)
{
  for (guint i = 0; i < outputs->n; i++)
    outputs->used[i] = TRUE;
}

static LsWalk
note_calls (LsNode  *node,
            gpointer user_data)
{
  Usage *self = user_data;
  Outputs *outputs = ls_is (node, VAR_BINDING) ? callee_outputs (self, ((LsVarBinding *) node)->value) : NULL;

  if (outputs == NULL)
    return LS_WALK_CONTINUE;
  outputs->called = TRUE;
  g_hash_table_insert (self->results, ((LsVarBinding *) node)->var, outputs);
  return LS_WALK_CONTINUE;
}

static LsWalk
note_uses (LsNode  *node,
           gpointer user_data)
{
  Usage *self = user_data;
  LsTupleGetItem *item = (LsTupleGetItem *) node;
  Outputs *outputs;

  if (ls_is (node, VAR_BINDING))
    {
      ls_walk (((LsVarBinding *) node)->value, note_uses, NULL, self);
      return LS_WALK_PRUNE;
    }
  if (ls_is (node, TUPLE_GET_ITEM) && (outputs = g_hash_table_lookup (self->results, item->tuple)) != NULL)
    {
      if (item->index >= 0 && item->index < (gint64) outputs->n)
        outputs->used[item->index] = TRUE;
      return LS_WALK_PRUNE;
    }
  if (ls_is_relax_var (node) && (outputs = g_hash_table_lookup (self->results, node)) != NULL)
    use_all (outputs);
  return LS_WALK_CONTINUE;
}

/* ---- functions and calls ----------------------------------------------------------------- */

static LsNode *
field_of (LsNode *tuple,
          guint   i)
{
  return ls_is (tuple, RELAX_TUPLE) ? ls_node_ref (((LsRelaxTuple *) tuple)->fields->items[i]) : ls_tuple_get_item_new (ls_node_ref (tuple), i);
}

static LsNode *
change_function (LsFunction     *func,
                 Outputs        *outputs,
                 LsBlockBuilder *builder)
{
  LsSeqExpr *seq = (LsSeqExpr *) func->body;
  LsArray *infos = ((LsTupleStructInfo *) func->ret_struct_info)->fields;
  GPtrArray *fields = g_ptr_array_new (), *kept = g_ptr_array_new ();
  g_autoptr (LsArray) exprs = NULL, types = NULL;
  g_autoptr (LsNode) body = NULL, raw = NULL;
  gboolean one = outputs->n_used == 1;

  for (guint i = 0; i < outputs->n; i++)
    if (outputs->used[i])
      {
        LsNode *field = field_of (seq->body, i);
        g_autoptr (LsNode) known = ls_relax_struct_info (field);

        g_ptr_array_add (fields, field);
        g_ptr_array_add (kept, ls_node_ref (ls_is (known, OBJECT_STRUCT_INFO) || (known->facts & LS_FACT_HAS_VAR) ? infos->items[i] : known));
      }
  exprs = ls_array_take_ptr_array (fields);
  types = ls_array_take_ptr_array (kept);
  raw = ls_seq_expr_new (ls_ref (seq->blocks), one ? ls_node_ref (exprs->items[0]) : ls_relax_tuple_new (ls_ref (exprs)));
  body = ls_block_builder_normalize (builder, raw);
  return LS_NODE (ls_function_new (ls_ref (func->params), ls_node_ref (body), one ? ls_node_ref (types->items[0]) : ls_tuple_struct_info_new (ls_ref (types)),
                                   ls_ref (func->attrs), func->is_pure));
}

static LsNode *
change_use (LsRelaxMutator *mutator,
            LsNode         *expr)
{
  Usage *self = mutator->user_data;
  LsTupleGetItem *item = (LsTupleGetItem *) expr;
  Outputs *outputs = ls_is (expr, TUPLE_GET_ITEM) ? g_hash_table_lookup (self->results, item->tuple) : NULL;
  gint64 index = 0;
  LsNode *tuple;

  if (outputs == NULL || outputs->n_used == outputs->n)
    return ls_relax_mutator_default (mutator, expr);
  tuple = ls_relax_mutator_visit (mutator, item->tuple);
  for (gint64 i = 0; i < item->index; i++)
    index += outputs->used[i];
  return outputs->n_used == 1 ? tuple : ls_tuple_get_item_new (tuple, index);
}

static void
change_binding (LsRelaxMutator *mutator,
                LsNode         *binding)
{
  Usage *self = mutator->user_data;
  LsRelaxVar *var = ls_binding_var (binding);
  Outputs *outputs = var != NULL ? g_hash_table_lookup (self->results, var) : NULL;
  g_autoptr (LsNode) value = NULL, info = NULL;
  g_autoptr (LsRelaxVar) fresh = NULL;

  if (outputs == NULL || outputs->n_used == outputs->n)
    {
      ls_relax_mutator_default_binding (mutator, binding);
      return;
    }
  value = ls_relax_mutator_visit (mutator, ls_binding_value (binding));
  info = ls_block_builder_struct_info (mutator->builder, value);
  fresh = ls_is (var, DATAFLOW_VAR) ? ls_dataflow_var_new (var->name, ls_node_ref (info)) : ls_relax_var_new (var->name, ls_node_ref (info));
  ls_block_builder_emit_to (mutator->builder, fresh, value);
  ls_relax_mutator_replace (mutator, var, fresh);
}

/* ---- the pass ---------------------------------------------------------------------------------- */

static void
find_functions (Usage    *self,
                LsModule *module)
{
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsFunction *func = (LsFunction *) module->functions->items[i];
      Outputs *outputs;

      if (!ls_is (func, FUNCTION) || ls_function_symbol (LS_NODE (func)) != NULL || !ls_is (func->ret_struct_info, TUPLE_STRUCT_INFO))
        continue;
      outputs = g_new0 (Outputs, 1);
      outputs->n = ((LsTupleStructInfo *) func->ret_struct_info)->fields->n;
      outputs->used = g_new0 (gboolean, outputs->n + 1);
      g_hash_table_insert (self->outputs, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, outputs);
    }
}

static LsModule *
change_functions (Usage    *self,
                  LsModule *module)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      Outputs *outputs = g_hash_table_lookup (self->outputs, var->name_hint);
      g_autoptr (LsNode) fresh = NULL;

      if (outputs == NULL)
        continue;
      for (guint k = 0; k < outputs->n; k++)
        outputs->n_used += outputs->used[k] || !outputs->called;
      if (outputs->n_used == outputs->n)
        continue;
      fresh = change_function ((LsFunction *) module->functions->items[i], outputs, builder);
      ls_block_builder_update_func (builder, var, fresh);
    }
  return ls_block_builder_get (builder);
}

LsModule *
ls_relax_pass_remove_unused_outputs (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = change_use, .binding = change_binding };
  g_autoptr (GHashTable) outputs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, outputs_free);
  g_autoptr (GHashTable) results = g_hash_table_new (NULL, NULL);
  Usage usage = { outputs, results };
  g_autoptr (LsModule) canonical = ls_relax_pass_canonicalize_bindings (module, NULL, error);
  g_autoptr (LsModule) changed = NULL, called = NULL;

  if (canonical == NULL)
    return NULL;
  find_functions (&usage, canonical);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < canonical->functions->n; i++)
      if (ls_is (canonical->functions->items[i], FUNCTION))
        ls_walk (((LsFunction *) canonical->functions->items[i])->body, pass == 0 ? note_calls : note_uses, NULL, &usage);
  changed = change_functions (&usage, canonical);
  called = ls_relax_mutate_module (changed, &funcs, &usage, error);
  return called != NULL ? ls_relax_pass_clean_up (called, error) : NULL;
}
