/* LazySetOutput: public functions hand each field of their result to a function as soon as it is there, and return nothing.
 *
 * fset_output (number, value) stands behind the binding of the value; fields that are parameters are handed over at the
 * begin, fields that are no variables at the end. */
#include "engine/relax/analysis.h"
#include "engine/relax/pass/params.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsRelaxVar *setter;
  GHashTable *fields;           /* variable -> GArray of guint */
} Lazy;

static LsNode *
set_call (Lazy   *self,
          guint   field,
          LsNode *value)
{
  return ls_relax_call_new (LS_NODE (ls_ref (self->setter)), ls_array_of (ls_prim_value_new (ls_int_imm_new (LS_INT64, field)), ls_node_ref (value), NULL),
                            NULL, NULL, NULL);
}

static LsNode *
set_binding (Lazy   *self,
             guint   field,
             LsNode *value)
{
  return ls_var_binding_new (ls_relax_var_new ("_void", ls_tuple_struct_info_new (ls_array_empty ())), set_call (self, field, value));
}

static void
visit_binding (LsRelaxMutator *mutator,
               LsNode         *binding)
{
  Lazy *self = mutator->user_data;
  GArray *fields = ls_binding_var (binding) != NULL ? g_hash_table_lookup (self->fields, ls_binding_var (binding)) : NULL;

  ls_relax_mutator_default_binding (mutator, binding);
  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      g_autoptr (LsNode) value = ls_relax_mutator_visit (mutator, ls_binding_var (binding));

      ls_block_builder_emit_take (mutator->builder, set_call (self, g_array_index (fields, guint, i), value), "_void");
    }
}

static void
note_field (Lazy      *self,
            GPtrArray *others,
            guint      field,
            LsNode    *value)
{
  GArray *fields;

  if (!ls_is_relax_var (value))
    {
      g_ptr_array_add (others, set_binding (self, field, value));
      return;
    }
  fields = g_hash_table_lookup (self->fields, value);
  if (fields == NULL)
    {
      fields = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->fields, value, fields);
    }
  g_array_append_val (fields, field);
}

/* The blocks of a function, with the calls that stand before and behind them. (transfer full) */
static LsArray *
blocks_of (Lazy       *self,
           LsFunction *func,
           GPtrArray  *others)          /* taken */
{
  GPtrArray *first = g_ptr_array_new (), *blocks = g_ptr_array_new ();
  LsArray *old = ((LsSeqExpr *) func->body)->blocks;

  for (guint i = 0; i < func->params->n; i++)
    {
      GArray *fields = g_hash_table_lookup (self->fields, func->params->items[i]);

      for (guint k = 0; fields != NULL && k < fields->len; k++)
        g_ptr_array_add (first, set_binding (self, g_array_index (fields, guint, k), func->params->items[i]));
    }
  g_ptr_array_add (blocks, ls_binding_block_new (ls_array_take_ptr_array (first)));
  for (guint i = 0; i < old->n; i++)
    g_ptr_array_add (blocks, ls_node_ref (old->items[i]));
  g_ptr_array_add (blocks, ls_binding_block_new (ls_array_take_ptr_array (others)));
  return ls_array_take_ptr_array (blocks);
}

static LsNode *
with_lazy_outputs (LsFunction *func)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = visit_binding };
  LsNode *body = ((LsSeqExpr *) func->body)->body;
  gint64 n = ls_relax_num_input (func, -1);
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) fields = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (LsFunction) lazy_func = NULL;
  g_autoptr (LsRelaxVar) setter = ls_relax_var_new ("fset_output",
      ls_func_struct_info_new (ls_array_of (ls_prim_struct_info_new (NULL, LS_INT64), ls_object_struct_info_new (), NULL),
                               ls_tuple_struct_info_new (ls_array_empty ()), FALSE));
  Lazy lazy = { setter, fields };
  GPtrArray *others = g_ptr_array_new ();
  LsArray *params = ls_array_insert (func->params, n >= 0 ? (guint) n : func->params->n, setter);

  if (ls_is (body, RELAX_TUPLE))
    for (guint i = 0; i < ((LsRelaxTuple *) body)->fields->n; i++)
      note_field (&lazy, others, i, ((LsRelaxTuple *) body)->fields->items[i]);
  else
    note_field (&lazy, others, 0, body);
  lazy_func = ls_function_new (params, ls_seq_expr_new (blocks_of (&lazy, func, others), ls_relax_tuple_new (ls_array_empty ())),
                               ls_tuple_struct_info_new (ls_array_empty ()), n >= 0 ? ls_relax_with_num_input (func->attrs, n + 1) : ls_ref (func->attrs), FALSE);
  ls_relax_mutator_init (&mutator, &funcs, NULL, &lazy);
  return ls_relax_mutator_visit (&mutator, lazy_func);
}

LsModule *
ls_relax_pass_lazy_set_output (LsModule  *module,
                               LsMap     *args,
                               GError   **error)
{
  GPtrArray *functions = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsFunction *func = (LsFunction *) module->functions->items[i];

      g_ptr_array_add (functions, ls_is (func, FUNCTION) && ls_map_get (func->attrs, "global_symbol") != NULL ? with_lazy_outputs (func) : ls_node_ref (LS_NODE (func)));
    }
  return ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (functions), ls_ref (module->attrs), ls_ref (module->global_infos));
}
