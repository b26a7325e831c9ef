/* LiftTransformParams: what depends on the weights of a function alone is computed by another function, once.
 *
 * Bindings of dataflow blocks that need nothing but parameters behind num_input go to NAME_transform_params, which takes the
 * weights as one tuple and gives those that the function still needs, and then what was computed; the function takes these
 * instead of the weights.  R.builtin.stop_lift_params keeps what follows where it is.  With shared_transform (True, or names)
 * one function transform_params serves several: their weights correspond by position, and only bindings that all of them
 * have are lifted.  With consume_params the transformation empties the places of the tuple as it reads them.  Source: TVM's
 * LiftTransformParams. */
#include "engine/relax/analysis.h"
#include "engine/relax/pass/params.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  LsGlobalVar *var;
  LsFunction  *func;
  guint        n;               /* parameters at run time */
  GHashTable  *liftable;        /* variables and symbolic variables that a lifted binding may use */
  GHashTable  *from_weights;    /* variables that depend on weights */
  GHashTable  *at_runtime;      /* variables and symbolic variables that the function itself needs */
  GPtrArray   *bindings;        /* the lifted ones, borrowed */
  GHashTable  *to_shared;       /* variable -> the shared one (borrowed) */
} Lift;

typedef struct {
  GPtrArray  *lifts;            /* of Lift */
  gboolean    shared;
  GHashTable *vars;             /* variable -> that of the first function */
  GHashTable *symbols;          /* symbolic variable -> that of the first function */
  GPtrArray  *bindings;         /* shared by all */
  GHashTable *from_weights, *at_runtime;
} Plan;

static gboolean
is_stop (LsNode *value)
{
  return ls_is_relax_call (value, "relax.builtin.stop_lift_params");
}

static void
lift_free (gpointer data)
{
  Lift *self = data;

  g_hash_table_unref (self->liftable);
  g_hash_table_unref (self->from_weights);
  g_hash_table_unref (self->at_runtime);
  g_ptr_array_unref (self->bindings);
  g_free (self);
}

static Lift *
lift_new (LsGlobalVar *var,
          LsFunction  *func)
{
  Lift *self = g_new0 (Lift, 1);

  *self = (Lift) { var, func, (guint) ls_relax_num_input (func, func->params->n), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
                   g_hash_table_new (NULL, NULL), g_ptr_array_new (), NULL };
  for (guint i = self->n; i < func->params->n; i++)
    {
      g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (ls_array_at (func->params, i, LsRelaxVar)->struct_info);

      g_hash_table_add (self->liftable, func->params->items[i]);
      g_hash_table_add (self->from_weights, func->params->items[i]);
      for (guint k = 0; k < symbols->len; k++)
        g_hash_table_add (self->liftable, symbols->pdata[k]);
    }
  return self;
}

/* ---- which bindings --------------------------------------------------------------------- */

static gboolean
all_in (GPtrArray  *nodes,
        GHashTable *set)
{
  for (guint i = 0; i < nodes->len; i++)
    if (!g_hash_table_contains (set, nodes->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
can_lift (Lift     *self,
          LsNode   *binding,
          gboolean  dataflow)
{
  LsNode *value = ls_binding_value (binding);
  g_autoptr (GPtrArray) vars = NULL, symbols = NULL;

  if (!dataflow || ls_binding_var (binding) == NULL || is_stop (value) || ls_is (value, EXTERN_FUNC))
    return FALSE;
  vars = ls_relax_free_vars (value);
  symbols = ls_relax_symbols (ls_binding_var (binding)->struct_info);
  return all_in (vars, self->liftable) && all_in (symbols, self->liftable);
}

static void
need_at_runtime (Lift   *self,
                 LsNode *value)
{
  g_autoptr (GPtrArray) vars = ls_relax_free_vars (value), symbols = ls_relax_symbols (value);

  for (guint i = 0; i < vars->len; i++)
    g_hash_table_add (self->at_runtime, vars->pdata[i]);
  for (guint i = 0; i < symbols->len; i++)
    g_hash_table_add (self->at_runtime, symbols->pdata[i]);
}

static void
look_at_binding (Lift     *self,
                 LsNode   *binding,
                 gboolean  dataflow)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);
  g_autoptr (GPtrArray) vars = NULL;

  if (!can_lift (self, binding, dataflow) || (self->to_shared != NULL && !g_hash_table_contains (self->to_shared, var)))
    {
      g_hash_table_add (self->at_runtime, var);
      need_at_runtime (self, value);
      return;
    }
  g_ptr_array_add (self->bindings, binding);
  g_hash_table_add (self->liftable, var);
  vars = ls_relax_free_vars (value);
  for (guint i = 0; i < vars->len; i++)
    if (g_hash_table_contains (self->from_weights, vars->pdata[i]))
      g_hash_table_add (self->from_weights, var);
}

static void
look_at_function (Lift *self)
{
  LsSeqExpr *seq = (LsSeqExpr *) self->func->body;

  for (guint i = 0; i < seq->blocks->n; i++)
    {
      LsBindingBlock *block = ls_array_at (seq->blocks, i, LsBindingBlock);

      for (guint k = 0; k < block->bindings->n; k++)
        look_at_binding (self, block->bindings->items[k], ls_is (block, DATAFLOW_BLOCK));
    }
  need_at_runtime (self, seq->body);
}

/* What the first function gives: weights that are still needed, then computed values. (transfer container) */
static GPtrArray *
outputs_of (LsArray    *params,
            guint       n,
            GPtrArray  *bindings,
            GHashTable *from_weights,
            GHashTable *at_runtime)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = n; i < params->n; i++)
    if (g_hash_table_contains (at_runtime, params->items[i]))
      g_ptr_array_add (out, params->items[i]);
  for (guint i = 0; i < bindings->len; i++)
    {
      LsRelaxVar *var = ls_binding_var (bindings->pdata[i]);

      if (g_hash_table_contains (from_weights, var) && g_hash_table_contains (at_runtime, var))
        g_ptr_array_add (out, var);
    }
  return out;
}

static void
add_definable (GHashTable   *set,
               GPtrArray    *list,
               LsStructInfo *info)
{
  g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (info);

  for (guint i = 0; i < symbols->len; i++)
    if (g_hash_table_add (set, symbols->pdata[i]) && list != NULL)
      g_ptr_array_add (list, symbols->pdata[i]);
}

/* Symbolic variables that only the weights' shapes tell and that are still needed. (transfer container) */
static GPtrArray *
symbols_of (LsArray    *params,
            guint       n_runtime,      /* of the params, they tell theirs */
            guint       from,
            GPtrArray  *outputs,
            GHashTable *at_runtime)
{
  g_autoptr (GHashTable) all = g_hash_table_new (NULL, NULL), told = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = from; i < params->n; i++)
    add_definable (all, list, ls_array_at (params, i, LsRelaxVar)->struct_info);
  for (guint i = 0; i < n_runtime; i++)
    add_definable (told, NULL, ls_array_at (params, i, LsRelaxVar)->struct_info);
  for (guint i = 0; i < outputs->len; i++)
    add_definable (told, NULL, ((LsRelaxVar *) outputs->pdata[i])->struct_info);
  for (guint i = 0; i < list->len; i++)
    if (g_hash_table_contains (at_runtime, list->pdata[i]) && !g_hash_table_contains (told, list->pdata[i]))
      g_ptr_array_add (out, list->pdata[i]);
  return out;
}

/* ---- the two functions ------------------------------------------------------------------------ */

static LsArray *
shape_of (GPtrArray *symbols)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < symbols->len; i++)
    g_ptr_array_add (out, ls_node_ref (symbols->pdata[i]));
  return ls_array_take_ptr_array (out);
}

/* A copy after CanonicalizeBindings. (transfer full) */
static LsNode *
tidy (LsNode   *func,                   /* taken */
      GError  **error)
{
  g_autoptr (LsNode) owned = func;
  g_autoptr (LsFunction) own = ls_relax_copy_function ((LsFunction *) owned);

  return ls_relax_canonicalize (LS_NODE (own), error);
}

/* ---- weights that are given up when they are read ------------------------------------------------- */

typedef struct {
  LsNode     *tuple;            /* the parameter with the weights */
  GHashTable *read;             /* index + 1 -> variable that has the weight */
} Consume;

static void
consume_binding (LsRelaxMutator *self,
                 LsNode         *binding)
{
  Consume *state = self->user_data;
  LsTupleGetItem *item = (LsTupleGetItem *) ls_binding_value (binding);
  gpointer key = ls_is (item, TUPLE_GET_ITEM) && item->tuple == state->tuple ? GINT_TO_POINTER ((gint) item->index + 1) : NULL;
  LsNode *known = key != NULL ? g_hash_table_lookup (state->read, key) : NULL;

  if (known != NULL)
    {
      ls_relax_mutator_rebind (self, (LsVarBinding *) binding, known);
      return;
    }
  ls_relax_mutator_default_binding (self, binding);
  if (key == NULL)
    return;
  g_hash_table_insert (state->read, key, ls_relax_mutator_current (self, LS_NODE (ls_binding_var (binding))));
  ls_block_builder_emit_take (self->builder, ls_relax_call_new (ls_relax_op_new ("relax.call_pure_packed"),
      ls_array_of (ls_extern_func_new ("vm.builtin.tuple_reset_item"), ls_node_ref (state->tuple), ls_prim_value_new (ls_int_imm_new (LS_INT32, item->index)), NULL),
      NULL, NULL, ls_array_of (ls_tuple_struct_info_new (ls_array_empty ()), NULL)), "_");
}

/* Behind the first reading of a weight its place in the tuple is emptied; later readings take the variable. (transfer full) */
static LsNode *
consume_weights (LsNode *func)          /* taken */
{
  static const LsRelaxMutatorFuncs funcs = { .binding = consume_binding };
  g_autoptr (LsNode) owned = func;
  g_autoptr (GHashTable) read = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_auto (LsRelaxMutator) mutator = { NULL };
  LsArray *params = ((LsFunction *) func)->params;
  Consume state = { params->items[params->n - 1], read };

  ls_relax_mutator_init (&mutator, &funcs, NULL, &state);
  return ls_relax_mutator_visit (&mutator, owned);
}

/* The weights as one tuple, without bindings that nothing needs. (transfer full), or NULL with an error */
static LsNode *
with_tuple (LsNode   *func,             /* taken */
            gboolean  consume,
            GError  **error)
{
  g_autoptr (LsNode) owned = func;
  g_autoptr (LsFunction) own = ls_relax_copy_function ((LsFunction *) owned);
  g_autoptr (LsNode) bundled = ls_relax_bundle_params (own, NULL);
  g_autoptr (LsNode) plain = ls_relax_canonicalize (bundled, error);
  LsNode *used = plain != NULL ? ls_relax_remove_all_unused (plain, NULL) : NULL;

  return used != NULL && consume ? consume_weights (used) : used;
}

static LsNode *
compile_time_function (LsArray    *params,
                       guint       n,
                       GPtrArray  *bindings,
                       GPtrArray  *outputs,
                       GPtrArray  *symbols,
                       gboolean    consume,
                       GError    **error)
{
  GPtrArray *weights = g_ptr_array_new (), *inner = g_ptr_array_new (), *outer = g_ptr_array_new (), *fields = g_ptr_array_new (), *infos = g_ptr_array_new ();
  g_autoptr (LsMap) empty = ls_map_empty ();
  LsRelaxVar *tuple;

  for (guint i = n; i < params->n; i++)
    g_ptr_array_add (weights, ls_ref (params->items[i]));
  for (guint i = 0; i < bindings->len; i++)
    g_ptr_array_add (inner, ls_node_ref (bindings->pdata[i]));
  if (symbols->len > 0)
    g_ptr_array_add (fields, ls_shape_expr_new (shape_of (symbols)));
  for (guint i = 0; i < outputs->len; i++)
    {
      LsRelaxVar *var = outputs->pdata[i];
      g_autofree char *name = g_strconcat (var->name, "_output", NULL);
      LsRelaxVar *out = ls_relax_var_new (name, ls_node_ref (var->struct_info));

      g_ptr_array_add (outer, ls_var_binding_new (ls_ref (out), LS_NODE (ls_ref (var))));
      g_ptr_array_add (fields, out);
    }
  for (guint i = 0; i < fields->len; i++)
    g_ptr_array_add (infos, ls_relax_struct_info (fields->pdata[i]));
  tuple = ls_relax_var_new ("output_tuple", ls_tuple_struct_info_new (ls_array_take_ptr_array (infos)));
  g_ptr_array_add (outer, ls_var_binding_new (ls_ref (tuple), ls_relax_tuple_new (ls_array_take_ptr_array (fields))));
  for (guint i = 0; i < outer->len; i++)
    g_ptr_array_add (inner, outer->pdata[i]);
  g_ptr_array_unref (outer);
  return with_tuple (LS_NODE (ls_function_new (ls_array_take_ptr_array (weights),
                                               ls_seq_expr_new (ls_array_of (ls_dataflow_block_new (ls_array_take_ptr_array (inner)), NULL), LS_NODE (tuple)),
                                               ls_node_ref (tuple->struct_info), ls_relax_with_num_input (empty, 0), TRUE)), consume, error);
}

static void
keep_binding (LsRelaxMutator *self,
              LsNode         *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);

  if (var == NULL || !g_hash_table_contains (self->user_data, var))
    ls_relax_mutator_default_binding (self, binding);
}

static LsNode *
drop_stop (LsRelaxMutator *self,
           LsRelaxCall    *call)
{
  return is_stop (LS_NODE (call)) ? ls_relax_mutator_visit (self, call->args->items[0]) : ls_relax_mutator_default (self, call);
}

/* Without the bindings that another function computes. (transfer full) */
static LsNode *
runtime_body (Lift *self)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = keep_binding, .call = drop_stop };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) dropped = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->bindings->len; i++)
    if (g_hash_table_contains (self->from_weights, ls_binding_var (self->bindings->pdata[i])))
      g_hash_table_add (dropped, ls_binding_var (self->bindings->pdata[i]));
  ls_relax_mutator_init (&mutator, &funcs, NULL, dropped);
  return ls_relax_mutator_visit (&mutator, self->func->body);
}

static LsNode *
runtime_function (Lift      *self,
                  GPtrArray *outputs,
                  GPtrArray *symbols,
                  GError   **error)
{
  GPtrArray *params = g_ptr_array_new (), *bindings = g_ptr_array_new (), *blocks = g_ptr_array_new ();
  g_autoptr (LsArray) all = NULL;
  g_autoptr (LsNode) body = runtime_body (self);

  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (params, ls_ref (self->func->params->items[i]));
  if (symbols->len > 0)
    g_ptr_array_add (params, ls_relax_var_new ("vars_from_compile_time_params", ls_shape_struct_info_new (shape_of (symbols), symbols->len)));
  for (guint i = 0; i < outputs->len; i++)
    {
      LsRelaxVar *var = outputs->pdata[i], *param = ls_relax_var_new (var->name, ls_node_ref (var->struct_info));

      g_ptr_array_add (bindings, ls_var_binding_new (ls_ref (var), LS_NODE (ls_ref (param))));
      g_ptr_array_add (params, param);
    }
  g_ptr_array_add (blocks, ls_dataflow_block_new (ls_array_take_ptr_array (bindings)));
  for (guint i = 0; i < ((LsSeqExpr *) body)->blocks->n; i++)
    g_ptr_array_add (blocks, ls_node_ref (((LsSeqExpr *) body)->blocks->items[i]));
  all = ls_array_take_ptr_array (blocks);
  return tidy (LS_NODE (ls_function_new (ls_array_take_ptr_array (params), ls_seq_expr_new (ls_relax_join_blocks (all), ls_node_ref (((LsSeqExpr *) body)->body)),
                                         ls_node_ref (self->func->ret_struct_info), ls_ref (self->func->attrs), self->func->is_pure)), error);
}

/* ---- one transformation for several functions ------------------------------------------------------ */

static gboolean
map_param (Plan       *self,
           LsRelaxVar *from,
           LsRelaxVar *to)
{
  g_autoptr (GPtrArray) a = ls_relax_definable_symbols (from->struct_info), b = ls_relax_definable_symbols (to->struct_info);

  if (!ls_structural_equal (from->struct_info, to->struct_info, TRUE, NULL, NULL) || a->len != b->len)
    return FALSE;
  g_hash_table_insert (self->vars, from, ls_ref (to));
  for (guint i = 0; i < a->len; i++)
    g_hash_table_insert (self->symbols, a->pdata[i], ls_node_ref (b->pdata[i]));
  return TRUE;
}

static gboolean
map_params (Plan    *self,
            GError **error)
{
  Lift *first = self->lifts->pdata[0];

  for (guint i = 0; i < self->lifts->len; i++)
    {
      Lift *lift = self->lifts->pdata[i];

      if (lift->func->params->n - lift->n != first->func->params->n - first->n)
        {
          ls_relax_pass_refuse (error, "%s and %s have one transformation of their weights; they have %u and %u.", first->var->name_hint, lift->var->name_hint,
                                first->func->params->n - first->n, lift->func->params->n - lift->n);
          return FALSE;
        }
      for (guint k = 0; k < lift->func->params->n - lift->n; k++)
        if (!map_param (self, ls_array_at (lift->func->params, lift->n + k, LsRelaxVar), ls_array_at (first->func->params, first->n + k, LsRelaxVar)))
          {
            ls_relax_pass_refuse (error, "%s and %s have one transformation of their weights; weight %u is not of one shape and type.", first->var->name_hint,
                                  lift->var->name_hint, k);
            return FALSE;
          }
    }
  return TRUE;
}

static guint
value_hash (gconstpointer node)
{
  return ((const LsNode *) node)->hash;
}

static gboolean
value_equal (gconstpointer a,
             gconstpointer b)
{
  return ls_structural_equal ((gpointer) a, (gpointer) b, FALSE, NULL, NULL);
}

/* Bindings that all functions have, by what they say of the first function's weights. */
static void
share_bindings (Plan *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (value_hash, value_equal, (GDestroyNotify) ls_node_unref, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < self->lifts->len; i++)
    {
      Lift *lift = self->lifts->pdata[i];
      LsSeqExpr *seq = (LsSeqExpr *) lift->func->body;

      for (guint b = 0; b < seq->blocks->n; b++)
        {
          LsBindingBlock *block = ls_array_at (seq->blocks, b, LsBindingBlock);

          for (guint k = 0; k < block->bindings->n; k++)
            {
              LsNode *binding = block->bindings->items[k];
              g_autoptr (LsNode) value = NULL;
              GPtrArray *same;

              if (ls_is (binding, MATCH_CAST) || !can_lift (lift, binding, ls_is (block, DATAFLOW_BLOCK)))
                continue;
              g_hash_table_add (lift->liftable, ls_binding_var (binding));
              value = ls_relax_bind (ls_binding_value (binding), self->vars, self->symbols);
              same = g_hash_table_lookup (known, value);
              if (same == NULL)
                {
                  same = g_ptr_array_new ();
                  g_hash_table_insert (known, ls_node_ref (value), same);
                  g_ptr_array_add (order, same);
                }
              g_ptr_array_add (same, binding);
              g_hash_table_insert (self->vars, ls_binding_var (binding), ls_ref (ls_binding_var (same->pdata[0])));
            }
        }
    }
  for (guint i = 0; i < order->len; i++)
    {
      GPtrArray *same = order->pdata[i];

      if (same->len == self->lifts->len)
        g_ptr_array_add (self->bindings, same->pdata[0]);
      else
        for (guint k = 0; k < same->len; k++)
          g_hash_table_remove (self->vars, ls_binding_var (same->pdata[k]));
    }
}

static void
unite (GHashTable *into,
       GHashTable *from,
       Plan       *self)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      gpointer shared = g_hash_table_lookup (ls_is_relax_var (key) ? self->vars : self->symbols, key);

      g_hash_table_add (into, shared != NULL ? shared : key);
    }
}

/* What stands for the shared variables in one function. (transfer container) */
static GPtrArray *
own_names (Lift       *self,
           GPtrArray  *shared,
           GHashTable *to_shared,
           GHashTable *mine)
{
  g_autoptr (GHashTable) back = g_hash_table_new (NULL, NULL);
  GPtrArray *out = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, mine);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (g_hash_table_lookup (to_shared, key) != NULL)
      g_hash_table_insert (back, g_hash_table_lookup (to_shared, key), key);
  for (guint i = 0; i < shared->len; i++)
    {
      gpointer own = g_hash_table_lookup (back, shared->pdata[i]);

      g_ptr_array_add (out, own != NULL ? own : shared->pdata[i]);
    }
  return out;
}

/* ---- the pass --------------------------------------------------------------------------------------- */

typedef struct { LsBlockBuilder *builder; gboolean consume; GError *error; } Result;

static void
put (Result     *self,
     const char *name,
     LsNode     *func)                  /* taken; NULL: an error is set */
{
  g_autoptr (LsGlobalVar) var = ls_global_var_new (name);
  g_autoptr (LsNode) owned = func;

  if (owned != NULL)
    ls_block_builder_update_func (self->builder, var, owned);
}

static void
lift_alone (Result *self,
            Lift   *lift)
{
  g_autofree char *name = g_strconcat (lift->var->name_hint, "_transform_params", NULL);
  g_autoptr (GPtrArray) outputs = NULL, symbols = NULL;
  g_autoptr (LsNode) symbol = LS_NODE (ls_string_new (name));
  g_autoptr (LsNode) func = NULL;
  g_autoptr (LsMap) attrs = NULL;

  look_at_function (lift);
  outputs = outputs_of (lift->func->params, lift->n, lift->bindings, lift->from_weights, lift->at_runtime);
  symbols = symbols_of (lift->func->params, lift->n, 0, outputs, lift->at_runtime);
  put (self, lift->var->name_hint, runtime_function (lift, outputs, symbols, &self->error));
  if (self->error != NULL)
    return;
  func = compile_time_function (lift->func->params, lift->n, lift->bindings, outputs, symbols, self->consume, &self->error);
  if (func == NULL)
    return;
  attrs = ls_map_set (((LsFunction *) func)->attrs, "global_symbol", symbol);
  put (self, name, LS_NODE (ls_function_new (ls_ref (((LsFunction *) func)->params), ls_ref (((LsFunction *) func)->body),
                                             ls_node_ref (((LsFunction *) func)->ret_struct_info), ls_ref (attrs), ((LsFunction *) func)->is_pure)));
}

static void
lift_together (Result *self,
               Plan   *plan)
{
  Lift *first = plan->lifts->pdata[0];
  g_autoptr (GPtrArray) outputs = NULL, symbols = NULL;
  g_autoptr (LsNode) func = NULL, symbol = LS_NODE (ls_string_new ("transform_params"));
  g_autoptr (LsMap) attrs = NULL;

  if (!map_params (plan, &self->error))
    return;
  share_bindings (plan);
  for (guint i = 0; i < plan->lifts->len; i++)
    {
      Lift *lift = plan->lifts->pdata[i];

      lift->to_shared = plan->vars;
      look_at_function (lift);
      unite (plan->from_weights, lift->from_weights, plan);
      unite (plan->at_runtime, lift->at_runtime, plan);
    }
  outputs = outputs_of (first->func->params, first->n, plan->bindings, plan->from_weights, plan->at_runtime);
  symbols = symbols_of (first->func->params, 0, first->n, outputs, plan->at_runtime);
  for (guint i = 0; i < plan->lifts->len && self->error == NULL; i++)
    {
      Lift *lift = plan->lifts->pdata[i];
      g_autoptr (GPtrArray) own = own_names (lift, outputs, plan->vars, lift->liftable), own_symbols = own_names (lift, symbols, plan->symbols, lift->liftable);

      put (self, lift->var->name_hint, runtime_function (lift, own, own_symbols, &self->error));
    }
  func = self->error == NULL ? compile_time_function (first->func->params, first->n, plan->bindings, outputs, symbols, self->consume, &self->error) : NULL;
  if (func == NULL)
    return;
  attrs = ls_map_set (((LsFunction *) func)->attrs, "global_symbol", symbol);
  put (self, "transform_params", LS_NODE (ls_function_new (ls_ref (((LsFunction *) func)->params), ls_ref (((LsFunction *) func)->body),
                                                           ls_node_ref (((LsFunction *) func)->ret_struct_info), ls_ref (attrs), TRUE)));
}

static gint
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp ((*(Lift *const *) a)->var->name_hint, (*(Lift *const *) b)->var->name_hint);
}

/* The functions that are asked for, or all with num_input. (transfer full), or NULL with an error */
static GPtrArray *
functions_of (LsModule *module,
              LsArray  *names,
              GError  **error)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (lift_free);

  for (guint i = 0; i < ls_array_n (names); i++)
    {
      const char *name = ls_is (names->items[i], STRING) ? ls_array_at (names, i, LsString)->value : "";
      LsNode *func = ls_module_get (module, name);

      if (!ls_is (func, FUNCTION) || ls_map_get (((LsFunction *) func)->attrs, "num_input") == NULL)
        return ls_relax_pass_refuse (error, "`%s` is no relax function with the attribute num_input.", name);
      g_ptr_array_add (out, lift_new (ls_module_get_global_var (module, name), (LsFunction *) func));
    }
  for (guint i = 0; ls_array_n (names) == 0 && i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      LsFunction *func = (LsFunction *) module->functions->items[i];

      if (ls_is (func, FUNCTION) && ls_map_get (func->attrs, "num_input") != NULL && !g_str_has_suffix (var->name_hint, "transform_params"))
        g_ptr_array_add (out, lift_new (var, func));
    }
  if (ls_array_n (names) == 0)
    g_ptr_array_sort (out, by_name);
  return g_steal_pointer (&out);
}

LsModule *
ls_relax_pass_lift_transform_params (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  LsNode *shared = ls_map_get (args, "shared_transform");
  gint64 yes = 0;
  g_autoptr (GPtrArray) lifts = functions_of (module, ls_is (shared, ARRAY) ? (LsArray *) shared : NULL, error);
  g_autoptr (LsBlockBuilder) builder = NULL;
  g_autoptr (LsModule) partitioned = NULL;
  Result result = { NULL, ls_relax_pass_bool (args, "consume_params"), NULL };

  if (lifts == NULL)
    return NULL;
  builder = ls_block_builder_new (module);
  result.builder = builder;
  ls_as_int (shared, &yes);
  if (lifts->len > 0 && (yes != 0 || ls_is (shared, ARRAY)))
    {
      Plan plan = { lifts, TRUE, g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref),
                    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref), g_ptr_array_new (), g_hash_table_new (NULL, NULL),
                    g_hash_table_new (NULL, NULL) };

      lift_together (&result, &plan);
      g_ptr_array_unref (plan.bindings);
      g_hash_table_unref (plan.from_weights);
      g_hash_table_unref (plan.at_runtime);
      g_hash_table_unref (plan.vars);
      g_hash_table_unref (plan.symbols);
    }
  else
    for (guint i = 0; i < lifts->len && result.error == NULL; i++)
      lift_alone (&result, lifts->pdata[i]);
  if (result.error != NULL)
    {
      g_propagate_error (error, result.error);
      return NULL;
    }
  partitioned = ls_block_builder_get (builder);
  return ls_relax_pass_lambda_lift (partitioned, NULL, error);
}
