/* LazyTransformParams: functions called ...transform_params load each weight when it is needed and hand over each result when
 * it is done, so that few are in memory at a time.
 *
 * A weight (an item of the only parameter, or a parameter) is loaded by the packed function fget_item (extra ..., number),
 * a result goes to fset_item (extra ..., number, value) behind its last use, where loaded weights are given up too.  Run
 * ToNonDataflow and RemovePurityChecking before.  Source: TVM's pass of that name. */
#include "engine/relax/analysis.h"
#include "engine/relax/pass/params.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  const char *get, *set;        /* set NULL: results stay */
  LsArray    *get_extra, *set_extra;
  LsRelaxVar *tuple;            /* the parameter that holds the weights, or NULL */
  GHashTable *numbers;          /* parameter -> number + 1, when each is one; taken out when it is loaded */
  LsNode     *result;           /* the variable of the result */
  GHashTable *fields;           /* value -> GArray of guint: its places in the result */
  GHashTable *items;            /* variables bound to items of the tuple */
  GHashTable *ends;             /* variable -> GPtrArray of variables whose last use its binding is */
  GPtrArray  *others;           /* fields that are no variables, in order */
} Lazy;

static LsNode *
packed (const char *name,
        LsArray    *extra,
        gint64      number,
        LsNode     *value)              /* or NULL */
{
  GPtrArray *args = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (extra); i++)
    g_ptr_array_add (args, ls_node_ref (extra->items[i]));
  g_ptr_array_add (args, ls_prim_value_new (ls_int_imm_new (LS_INT64, number)));
  if (value != NULL)
    g_ptr_array_add (args, ls_node_ref (value));
  return ls_relax_call_new (ls_extern_func_new (name), ls_array_take_ptr_array (args), NULL, NULL, ls_array_of (ls_object_struct_info_new (), NULL));
}

/* ---- what is known before ------------------------------------------------------------- */

static void
note_fields (Lazy   *self,
             LsNode *tuple)
{
  for (guint i = 0; i < ((LsRelaxTuple *) tuple)->fields->n; i++)
    {
      LsNode *field = ((LsRelaxTuple *) tuple)->fields->items[i];
      GArray *places = g_hash_table_lookup (self->fields, field);

      if (places == NULL)
        {
          places = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (self->fields, field, places);
          if (!ls_is_relax_var (field))
            g_ptr_array_add (self->others, field);
        }
      g_array_append_val (places, i);
    }
}

typedef struct { GHashTable *ended; GPtrArray *last; } Uses;

static LsWalk
note_use (LsNode  *node,
          gpointer user_data)
{
  Uses *uses = user_data;

  if (ls_is_relax_var (node) && g_hash_table_add (uses->ended, node))
    g_ptr_array_add (uses->last, node);
  return ls_is_struct_info (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static void
look_at_block (Lazy           *self,
               LsBindingBlock *block,
               GHashTable     *ended)
{
  for (guint i = block->bindings->n; i > 0; i--)
    {
      LsNode *binding = block->bindings->items[i - 1], *value = ls_binding_value (binding);
      LsRelaxVar *var = ls_binding_var (binding);
      Uses uses = { ended, NULL };

      if (var == NULL)
        continue;
      if (LS_NODE (var) == self->result && ls_is (value, RELAX_TUPLE))
        {
          note_fields (self, value);
          continue;
        }
      if (ls_is (value, TUPLE_GET_ITEM) && self->tuple != NULL && ((LsTupleGetItem *) value)->tuple == LS_NODE (self->tuple))
        g_hash_table_add (self->items, var);
      uses.last = g_ptr_array_new ();
      ls_walk (value, note_use, NULL, &uses);
      note_use (LS_NODE (var), &uses);
      g_hash_table_insert (self->ends, var, uses.last);
    }
}

/* ---- loading ------------------------------------------------------------------------------ */

static LsNode *
load (Lazy           *self,
      LsRelaxMutator *mutator,
      gint64          number,
      LsStructInfo   *info,
      const char     *name)
{
  LsRelaxVar *item = ls_block_builder_emit_take (mutator->builder, packed (self->get, self->get_extra, number, NULL), NULL);

  return ls_ref (LS_NODE (ls_block_builder_emit_match_cast (mutator->builder, item, info, name)));
}

static LsNode *
visit_expr (LsRelaxMutator *mutator,
            LsNode         *expr)
{
  Lazy *self = mutator->user_data;
  guint number = ls_is_relax_var (expr) ? GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, expr)) : 0;

  if (ls_is (expr, TUPLE_GET_ITEM) && self->tuple != NULL && ((LsTupleGetItem *) expr)->tuple == LS_NODE (self->tuple))
    {
      g_autoptr (LsNode) info = ls_block_builder_struct_info (mutator->builder, expr);

      return load (self, mutator, ((LsTupleGetItem *) expr)->index, info, NULL);
    }
  if (number > 0)
    {
      g_autoptr (LsNode) loaded = NULL;

      g_hash_table_remove (self->numbers, expr);
      loaded = load (self, mutator, number - 1, ((LsRelaxVar *) expr)->struct_info, ((LsRelaxVar *) expr)->name);
      ls_relax_mutator_replace (mutator, (LsRelaxVar *) expr, loaded);
    }
  return ls_relax_mutator_default (mutator, expr);
}

/* ---- handing over ----------------------------------------------------------------------------- */

static void
hand_over (Lazy           *self,
           LsRelaxMutator *mutator,
           LsRelaxVar     *var)
{
  GArray *places = self->set != NULL ? g_hash_table_lookup (self->fields, var) : NULL;
  g_autoptr (LsNode) now = ls_relax_mutator_default (mutator, var);

  for (guint i = 0; places != NULL && i < places->len; i++)
    ls_block_builder_emit_take (mutator->builder, packed (self->set, self->set_extra, g_array_index (places, guint, i), now), "_");
  if (g_hash_table_contains (self->items, var))
    ls_block_builder_emit_take (mutator->builder, ls_relax_call_new (ls_relax_op_new ("relax.vm.kill_object"), ls_array_of (ls_node_ref (now), NULL),
                                                                     NULL, NULL, NULL), "_");
}

static void
visit_binding (LsRelaxMutator *mutator,
               LsNode         *binding)
{
  Lazy *self = mutator->user_data;
  LsRelaxVar *var = ls_binding_var (binding);
  GPtrArray *last = var != NULL ? g_hash_table_lookup (self->ends, var) : NULL;

  if (self->set != NULL && var != NULL && LS_NODE (var) == self->result)
    {
      for (guint i = 0; i < self->others->len; i++)
        {
          GArray *places = g_hash_table_lookup (self->fields, self->others->pdata[i]);

          for (guint k = 0; k < places->len; k++)
            ls_block_builder_emit_take (mutator->builder, packed (self->set, self->set_extra, g_array_index (places, guint, k), self->others->pdata[i]), "_");
        }
      ls_relax_mutator_replace (mutator, var, ls_block_builder_emit_take (mutator->builder, ls_relax_tuple_new (ls_array_empty ()), NULL));
      return;
    }
  ls_relax_mutator_default_binding (mutator, binding);
  for (guint i = 0; self->set != NULL && last != NULL && i < last->len; i++)
    hand_over (self, mutator, last->pdata[i]);
}

/* ---- functions ----------------------------------------------------------------------------------- */

static void
add_symbol_holders (GPtrArray    *params,
                    LsStructInfo *info)
{
  if (ls_is (info, TUPLE_STRUCT_INFO))
    for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
      add_symbol_holders (params, ((LsTupleStructInfo *) info)->fields->items[i]);
  else if (ls_is (info, SHAPE_STRUCT_INFO) || ls_is (info, PRIM_STRUCT_INFO))
    g_ptr_array_add (params, ls_relax_var_new ("symbolic_var_holder", ls_node_ref (info)));
}

static LsArray *
params_of (Lazy       *self,
           LsFunction *func,
           gint64      n)
{
  g_autoptr (GPtrArray) symbols = ls_relax_defined_symbols (func);
  GPtrArray *params = g_ptr_array_new ();

  for (gint64 i = 0; i < n; i++)
    g_ptr_array_add (params, ls_ref (func->params->items[i]));
  for (guint i = 0; i < ls_array_n (self->get_extra); i++)
    g_ptr_array_add (params, ls_node_ref (self->get_extra->items[i]));
  for (guint i = 0; i < ls_array_n (self->set_extra); i++)
    g_ptr_array_add (params, ls_node_ref (self->set_extra->items[i]));
  for (guint i = (guint) n; symbols->len > 0 && i < func->params->n; i++)
    add_symbol_holders (params, ls_array_at (func->params, i, LsRelaxVar)->struct_info);
  return ls_array_take_ptr_array (params);
}

/* What is known of the value of `body` in terms of the parameters. (transfer full) */
static LsStructInfo *
result_of (LsArray *params,
           LsNode  *body)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) info = ls_relax_struct_info (body);

  for (guint i = 0; i < params->n; i++)
    {
      g_autoptr (GPtrArray) symbols = ls_relax_symbols (ls_array_at (params, i, LsRelaxVar)->struct_info);

      g_hash_table_add (known, params->items[i]);
      for (guint k = 0; k < symbols->len; k++)
        g_hash_table_add (known, symbols->pdata[k]);
    }
  return ls_struct_info_erase (info, known);
}

static LsNode *
make_lazy (Lazy       *self,
           LsModule   *module,
           LsFunction *func)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = visit_expr, .binding = visit_binding };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) ended = g_hash_table_new (NULL, NULL);
  gint64 n = ls_relax_num_input (func, 0);
  LsSeqExpr *seq = (LsSeqExpr *) func->body;
  LsRelaxVar *only = n + 1 == (gint64) func->params->n ? ls_array_at (func->params, n, LsRelaxVar) : NULL;
  g_autoptr (LsMap) attrs = ls_map_remove (func->attrs, "relax.force_pure");
  LsArray *params;
  LsNode *body;

  self->tuple = only != NULL && ls_is (only->struct_info, TUPLE_STRUCT_INFO) ? only : NULL;
  self->result = seq->body;
  for (guint i = (guint) n; self->tuple == NULL && i < func->params->n; i++)
    g_hash_table_insert (self->numbers, func->params->items[i], GUINT_TO_POINTER (i - (guint) n + 1));
  for (guint i = seq->blocks->n; i > 0; i--)
    look_at_block (self, ls_array_at (seq->blocks, i - 1, LsBindingBlock), ended);
  ls_relax_mutator_init (&mutator, &funcs, module, self);
  params = params_of (self, func, n);
  body = ls_relax_mutator_visit (&mutator, func->body);
  return LS_NODE (ls_function_new (params, body, result_of (params, body), ls_ref (attrs), FALSE));
}

static LsNode *
transform (LsModule   *module,
           LsMap      *args,
           LsFunction *func)
{
  Lazy self = { ls_relax_pass_str (args, "fget_item"), ls_relax_pass_str (args, "fset_item"), (LsArray *) ls_map_get (args, "extra_get_item_params"),
                (LsArray *) ls_map_get (args, "extra_set_item_params"), NULL, g_hash_table_new (NULL, NULL), NULL,
                g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref), g_hash_table_new (NULL, NULL),
                g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref), g_ptr_array_new () };
  LsNode *fresh = make_lazy (&self, module, func);

  g_hash_table_unref (self.numbers);
  g_hash_table_unref (self.fields);
  g_hash_table_unref (self.items);
  g_hash_table_unref (self.ends);
  g_ptr_array_unref (self.others);
  return fresh;
}

LsModule *
ls_relax_pass_lazy_transform_params (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  GPtrArray *functions = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    {
      gboolean is_one = ls_is (module->functions->items[i], FUNCTION)
                        && g_str_has_suffix (ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, "transform_params");

      g_ptr_array_add (functions, is_one ? transform (module, args, (LsFunction *) module->functions->items[i]) : ls_node_ref (module->functions->items[i]));
    }
  return ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (functions), ls_ref (module->attrs), ls_ref (module->global_infos));
}
