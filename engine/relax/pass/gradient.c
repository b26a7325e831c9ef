/* Gradient: a function that gives, besides a function's result, the derivatives of it by its parameters.
 *
 * NAME_adjoint has the bindings of NAME and behind them, going backward, for each variable X that counts X_adjoint, the
 * derivative of the target by X: a use adds the derivative that its operator's rule gives (gradient.h) to what is there
 * already.  Values between grad.start_checkpoint and grad.end_checkpoint are computed again for it.  The function is one dataflow
 * block, its target a scalar.  Source: TVM's Gradient (reverse mode). */
#include "engine/relax/gradient/gradient.h"

#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <inttypes.h>

typedef struct {
  LsRelaxMutator *mutator;
  LsBlockBuilder *builder;
  LsFunction     *func;         /* a copy, without checkpoint operators */
  LsRelaxVar     *target;
  GPtrArray      *wanted;       /* of LsRelaxVar, borrowed: derivatives by these */
  GHashTable     *adjoints;     /* variable -> variable, both kept */
  GHashTable     *kept;         /* variables that may be used as they are */
  GHashTable     *again;        /* variable -> the one that holds it computed again (owned) */
  GHashTable     *values;       /* variable -> its value, borrowed */
  LsNode         *result;       /* of the new function */
  GError         *error;
} Gradient;

/* ---- checkpoints ----------------------------------------------------------------------- */

typedef struct {
  GHashTable *kept;             /* variables that need not be computed again */
  GHashTable *ends;             /* results of end_checkpoint */
  GHashTable *origins;          /* variable that a checkpoint operator bound -> what it was put around (owned) */
} Checkpoints;

typedef struct { Checkpoints *checkpoints; gboolean all; } Look;

static LsWalk
look_at_use (LsNode  *node,
             gpointer data)
{
  Look *look = data;

  if (ls_is_relax_var (node))
    look->all = look->all && (g_hash_table_contains (look->checkpoints->kept, node) || g_hash_table_contains (look->checkpoints->ends, node));
  return ls_is_struct_info (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static void
take_checkpoint (LsRelaxMutator *self,
                 LsNode         *binding)
{
  Checkpoints *checkpoints = self->user_data;
  LsNode *value = ls_binding_value (binding);
  LsRelaxVar *var = ls_binding_var (binding);
  gboolean start = ls_is_relax_call (value, "relax.grad.start_checkpoint"), end = ls_is_relax_call (value, "relax.grad.end_checkpoint");
  g_autoptr (LsNode) origin = NULL;
  Look look = { checkpoints, TRUE };

  if (!start && !end)
    {
      ls_walk (value, look_at_use, NULL, &look);
      if (look.all)
        g_hash_table_add (checkpoints->kept, var);
      ls_relax_mutator_default_binding (self, binding);
      return;
    }
  origin = ls_relax_mutator_visit (self, ((LsRelaxCall *) value)->args->items[0]);
  g_hash_table_insert (checkpoints->origins, var, ls_node_ref (origin));
  if (!ls_is (var, DATAFLOW_VAR) && ls_is (origin, DATAFLOW_VAR))
    ls_relax_mutator_replace (self, var, ls_block_builder_emit_output (self->builder, origin, ((LsRelaxVar *) origin)->name));
  else
    ls_relax_mutator_replace (self, var, origin);
  g_hash_table_add (start ? checkpoints->kept : checkpoints->ends, start ? origin : (gpointer) var);
}

/* A value as it is when it is needed again: of variables that are kept. (transfer full) */
static LsNode *again (Gradient *self, LsNode *expr);

static LsNode *
var_again (Gradient   *self,
           LsRelaxVar *var)
{
  LsRelaxVar *known = g_hash_table_lookup (self->again, var), *fresh;
  LsNode *value = g_hash_table_lookup (self->values, var);
  g_autofree char *name = NULL;

  if (known != NULL || value == NULL || g_hash_table_contains (self->kept, var))
    return LS_NODE (ls_ref (known != NULL ? known : var));
  name = g_strconcat (var->name, "_cp", NULL);
  fresh = ls_block_builder_emit_take (self->builder, again (self, value), name);
  g_hash_table_insert (self->again, var, ls_ref (fresh));
  return LS_NODE (ls_ref (fresh));
}

static LsNode *
again (Gradient *self,
       LsNode   *expr)
{
  LsRelaxCall *call = (LsRelaxCall *) expr;
  LsArray *list = ls_is (expr, RELAX_CALL) ? call->args : ls_is (expr, RELAX_TUPLE) ? ((LsRelaxTuple *) expr)->fields : NULL;
  GPtrArray *out;

  if (ls_is_relax_var (expr))
    return var_again (self, (LsRelaxVar *) expr);
  if (ls_is (expr, TUPLE_GET_ITEM))
    return ls_tuple_get_item_new (again (self, ((LsTupleGetItem *) expr)->tuple), ((LsTupleGetItem *) expr)->index);
  if (list == NULL)
    return ls_node_ref (expr);
  out = g_ptr_array_new ();
  for (guint i = 0; i < list->n; i++)
    g_ptr_array_add (out, again (self, list->items[i]));
  if (ls_is (expr, RELAX_TUPLE))
    return ls_relax_tuple_new (ls_array_take_ptr_array (out));
  return ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (out), ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (call->sinfo_args));
}

/* ---- adjoints ------------------------------------------------------------------------------ */

static void
fail (Gradient *self,
      GError   *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_clear_error (&error);
}

static LsRelaxVar *
adjoint_of (Gradient *self,
            gpointer  var)
{
  return g_hash_table_lookup (self->adjoints, var);
}

static void
set_adjoint (Gradient   *self,
             LsRelaxVar *var,
             LsNode     *value)         /* taken */
{
  g_autofree char *name = g_strconcat (var->name, "_adjoint", NULL);

  g_hash_table_insert (self->adjoints, ls_ref (var), ls_ref (ls_block_builder_emit_take (self->builder, value, name)));
}

/* Zeros of this struct info; NULL after an error. (transfer full) */
static LsNode *
zeros (Gradient     *self,
       LsStructInfo *info,
       const char   *op)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  GPtrArray *out;

  if (ls_is (info, TENSOR_STRUCT_INFO) && tensor->shape != NULL && !ls_dtype_is_void (tensor->dtype))
    return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ls_node_ref (tensor->shape), NULL), ls_array_of (ls_string_new ("dtype"), NULL),
                              ls_array_of (ls_string_new (ls_dtype_name (tensor->dtype)), NULL), NULL);
  if (fields == NULL)
    {
      GError *error = NULL;

      ls_relax_pass_refuse (&error, "A derivative is by tensors of known shape, or tuples of such.");
      fail (self, error);
      return ls_relax_tuple_new (ls_array_empty ());
    }
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (out, zeros (self, fields->items[i], op));
  return ls_relax_tuple_new (ls_array_take_ptr_array (out));
}

/* Field i. (transfer full) */
static LsNode *
field_of (LsNode *tuple,
          guint   i)
{
  return ls_is (tuple, RELAX_TUPLE) ? ls_node_ref (((LsRelaxTuple *) tuple)->fields->items[i]) : ls_tuple_get_item_new (ls_node_ref (tuple), i);
}

/* a + b, field by field. (transfer full) */
static LsNode *
sum (Gradient *self,
     LsNode   *a,
     LsNode   *b)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, a);
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  GPtrArray *out;

  if (fields == NULL)
    return ls_relax_call_new (ls_relax_op_new ("relax.add"), ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL), NULL, NULL, NULL);
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    {
      g_autoptr (LsNode) x = field_of (a, i), y = field_of (b, i);

      g_ptr_array_add (out, sum (self, x, y));
    }
  return ls_relax_tuple_new (ls_array_take_ptr_array (out));
}

/* `partial` (taken) goes to what the expression is made of. */
static void
update (Gradient *self,
        LsNode   *expr,
        LsNode   *partial)
{
  g_autoptr (LsNode) normal = ls_block_builder_normalize (self->builder, partial);
  LsRelaxVar *known = ls_is_relax_var (expr) ? adjoint_of (self, expr) : NULL;
  LsArray *fields = ls_is (expr, RELAX_TUPLE) ? ((LsRelaxTuple *) expr)->fields : NULL;

  ls_node_unref (partial);
  if (fields != NULL && !ls_is (normal, RELAX_TUPLE) && !ls_is_relax_var (normal))
    ls_take (&normal, LS_NODE (ls_ref (ls_block_builder_emit (self->builder, normal, NULL))));
  for (guint i = 0; fields != NULL && i < fields->n; i++)
    update (self, fields->items[i], field_of (normal, i));
  if (!ls_is_relax_var (expr))
    return;
  if (known != NULL && !ls_is_relax_leaf (normal) && ls_is (((LsRelaxVar *) expr)->struct_info, TUPLE_STRUCT_INFO))
    ls_take (&normal, LS_NODE (ls_ref (ls_block_builder_emit (self->builder, normal, NULL))));
  set_adjoint (self, (LsRelaxVar *) expr, known != NULL ? sum (self, LS_NODE (known), normal) : ls_node_ref (normal));
}

/* ---- bindings, backward ------------------------------------------------------------------------ */

/* The derivative that came with a PrimFunc: a PrimFunc of its own for all of the arguments. */
static void
step_tir (Gradient    *self,
          LsRelaxVar  *var,
          LsRelaxCall *call)
{
  LsTirGradientFunc derivative = ls_relax_gradient_get_tir_func ();
  g_autoptr (LsNode) now = again (self, LS_NODE (call)), func = NULL, made = NULL;
  LsArray *fields = ls_is (call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) call->args->items[1])->fields : NULL;
  GPtrArray *args = g_ptr_array_new ();
  GError *error = NULL;
  LsRelaxCall *draft;
  LsGlobalVar *callee;
  LsNode *result;

  made = derivative ((LsRelaxCall *) now, LS_NODE (adjoint_of (self, var)), &func, &error);
  if (made == NULL || !ls_is_relax_call (made, "relax.call_tir"))
    {
      g_ptr_array_unref (args);
      fail (self, error);
      return;
    }
  draft = (LsRelaxCall *) made;
  callee = ls_block_builder_add_func (self->builder, func, ((LsGlobalVar *) draft->args->items[0])->name_hint);
  g_ptr_array_add (args, ls_ref (callee));
  for (guint i = 1; i < draft->args->n; i++)
    g_ptr_array_add (args, ls_node_ref (draft->args->items[i]));
  ls_take (&made, ls_relax_call_new (ls_relax_op_new ("relax.call_tir"), ls_array_take_ptr_array (args), NULL, NULL, ls_ref (draft->sinfo_args)));
  result = LS_NODE (ls_block_builder_emit (self->builder, made, NULL));
  if (ls_array_n (fields) == 1)
    update (self, fields->items[0], ls_node_ref (result));
  else
    update (self, call->args->items[1], ls_node_ref (result));
}

static void
step_call (Gradient    *self,
           LsRelaxVar  *var,
           LsRelaxCall *call)
{
  g_autoptr (LsNode) now = NULL, result = NULL;
  g_autoptr (GPtrArray) partials = NULL;
  LsGradientStep step = { self->builder, NULL, NULL, LS_NODE (adjoint_of (self, var)) };
  GError *error = NULL;

  if (!ls_is (call->op, RELAX_OP))
    return;
  if (ls_is_relax_call (call, "relax.call_tir_with_grad") && ls_relax_gradient_get_tir_func () != NULL)
    {
      step_tir (self, var, call);
      return;
    }
  if (ls_is_relax_call (call, "relax.call_tir") || ls_is_relax_call (call, "relax.call_tir_with_grad"))
    {
      ls_relax_pass_refuse (&error, "The derivative of a PrimFunc is not known; operators that were legalized cannot be differentiated.");
      fail (self, error);
      return;
    }
  now = again (self, LS_NODE (call));
  result = var_again (self, var);
  step.result = (LsRelaxVar *) result;
  step.call = (LsRelaxCall *) now;
  partials = ls_relax_gradient_of_call (&step, &error);
  if (partials == NULL)
    fail (self, error);
  for (guint i = 0; partials != NULL && i < partials->len && i < call->args->n; i++)
    if (partials->pdata[i] != NULL)
      update (self, call->args->items[i], ls_node_ref (partials->pdata[i]));
}

static void
step_item (Gradient       *self,
           LsRelaxVar     *var,
           LsTupleGetItem *item)
{
  LsRelaxVar *tuple = (LsRelaxVar *) item->tuple, *known = adjoint_of (self, tuple);
  LsArray *infos = ls_is (tuple->struct_info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) tuple->struct_info)->fields : NULL;
  LsNode *mine = LS_NODE (adjoint_of (self, var));
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; infos != NULL && i < infos->n; i++)
    {
      g_autoptr (LsNode) field = known != NULL ? ls_tuple_get_item_new (LS_NODE (ls_ref (known)), i) : NULL;

      if (known == NULL)
        g_ptr_array_add (fields, i == item->index ? ls_node_ref (mine) : zeros (self, infos->items[i], "relax.zeros"));
      else
        g_ptr_array_add (fields, i == item->index ? sum (self, field, mine) : g_steal_pointer (&field));
    }
  set_adjoint (self, tuple, ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
}

static void
step_back (Gradient *self,
           LsNode   *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);
  GError *error = NULL;

  if (var == NULL || adjoint_of (self, var) == NULL)
    return;
  if (ls_is (binding, MATCH_CAST) || ls_is (value, RELAX_IF) || ls_is (value, FUNCTION))
    {
      ls_relax_pass_refuse (&error, "The derivative goes through calls, tuples and their items; %s is bound to something else.", var->name);
      fail (self, error);
    }
  else if (ls_is (value, RELAX_CALL))
    step_call (self, var, (LsRelaxCall *) value);
  else if (ls_is (value, TUPLE_GET_ITEM) && ls_is_relax_var (((LsTupleGetItem *) value)->tuple))
    step_item (self, var, (LsTupleGetItem *) value);
  else if (ls_is (value, RELAX_TUPLE) || ls_is_relax_var (value))
    update (self, value, LS_NODE (ls_ref (adjoint_of (self, var))));
}

/* The derivatives that are asked for, as outputs of the block. (transfer full) */
static LsNode *
outputs (Gradient *self)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < self->wanted->len; i++)
    {
      LsRelaxVar *var = self->wanted->pdata[i];
      g_autofree char *name = g_strconcat (var->name, "_adjoint_out", NULL);

      if (adjoint_of (self, var) == NULL)
        update (self, LS_NODE (var), zeros (self, var->struct_info, "relax.zeros"));
      g_ptr_array_add (out, ls_ref (ls_block_builder_emit_output (self->builder, adjoint_of (self, var), name)));
    }
  return ls_relax_tuple_new (ls_array_take_ptr_array (out));
}

static LsNode *
forward_and_backward (LsRelaxMutator *mutator,
                      LsBindingBlock *block)
{
  Gradient *self = mutator->user_data;

  ls_block_builder_begin_block (mutator->builder, TRUE);
  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (block->bindings->items[i]);

      ls_block_builder_emit_binding (mutator->builder, block->bindings->items[i]);
      if (var != NULL)
        g_hash_table_insert (self->values, var, ls_binding_value (block->bindings->items[i]));
    }
  set_adjoint (self, self->target, zeros (self, self->target->struct_info, "relax.ones"));
  for (guint i = block->bindings->n; i > 0; i--)
    step_back (self, block->bindings->items[i - 1]);
  self->result = ls_relax_tuple_new (ls_array_of (ls_node_ref (((LsSeqExpr *) self->func->body)->body), outputs (self), NULL));
  return ls_block_builder_end_block (mutator->builder);
}

/* ---- what is asked for ------------------------------------------------------------------------------ */

static gboolean
is_float (LsStructInfo *info)
{
  return ls_is (info, TENSOR_STRUCT_INFO) && ((LsTensorStructInfo *) info)->dtype.code == LS_TYPE_FLOAT;
}

/* The variable that is derived, or NULL with an error. Borrowed. */
static LsRelaxVar *
find_target (LsFunction *func,
             gint64      index,
             GError    **error)
{
  LsSeqExpr *seq = (LsSeqExpr *) func->body;
  LsNode *target = seq->body;
  LsTensorStructInfo *info;

  if (seq->blocks->n != 1 || !ls_is (seq->blocks->items[0], DATAFLOW_BLOCK))
    return ls_relax_pass_refuse (error, "A function that is differentiated is one dataflow block.");
  if (ls_is (target, RELAX_TUPLE))
    target = index >= 0 && index < ((LsRelaxTuple *) target)->fields->n ? ((LsRelaxTuple *) target)->fields->items[index] : NULL;
  else if (index != 0)
    target = NULL;
  if (target == NULL)
    return ls_relax_pass_refuse (error, "The function has no result %" PRId64 ".", index);
  info = ls_is_relax_var (target) ? (LsTensorStructInfo *) ((LsRelaxVar *) target)->struct_info : NULL;
  if (!is_float (LS_NODE (info)) || info->ndim != 0)
    return ls_relax_pass_refuse (error, "What is differentiated is a floating-point number: a variable that is a tensor without dimensions.");
  return (LsRelaxVar *) target;
}

/* The variables of a function in the order of their definitions. (transfer container) */
static GPtrArray *
definitions (LsFunction *func)
{
  GPtrArray *out = g_ptr_array_new ();
  LsSeqExpr *seq = (LsSeqExpr *) func->body;

  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (out, func->params->items[i]);
  for (guint i = 0; i < seq->blocks->n; i++)
    for (guint k = 0; k < ls_array_at (seq->blocks, i, LsBindingBlock)->bindings->n; k++)
      g_ptr_array_add (out, ls_binding_var (ls_array_at (seq->blocks, i, LsBindingBlock)->bindings->items[k]));
  return out;
}

/* What the variables of `old` that are asked for (NULL: its parameters) are in its copy. (transfer container), NULL with an
 * error */
static GPtrArray *
find_wanted (LsFunction *old,
             LsFunction *copy,
             LsArray    *asked,
             GError    **error)
{
  g_autoptr (GPtrArray) before = definitions (old), after = definitions (copy), out = g_ptr_array_new ();
  guint n = asked != NULL ? asked->n : old->params->n;

  for (guint i = 0; i < n; i++)
    {
      LsNode *var = asked != NULL ? asked->items[i] : old->params->items[i];
      guint at;

      if (!ls_is_relax_var (var) || !g_ptr_array_find (before, var, &at))
        return ls_relax_pass_refuse (error, "The derivative is by variables of the function.");
      if (asked != NULL && !is_float (((LsRelaxVar *) var)->struct_info) && !ls_is (((LsRelaxVar *) var)->struct_info, TUPLE_STRUCT_INFO))
        return ls_relax_pass_refuse (error, "The derivative is by floating-point tensors; %s is none.", ((LsRelaxVar *) var)->name);
      g_ptr_array_add (out, after->pdata[at]);
    }
  return g_steal_pointer (&out);
}

/* ---- the pass ------------------------------------------------------------------------------------------- */

/* `module` grows by PrimFuncs that are derivatives. */
static LsNode *
adjoint_function (LsModule  **module,
                  LsFunction *func,
                  const char *name,
                  GPtrArray  *wanted,
                  GHashTable *kept,
                  gint64      target,
                  GError    **error)
{
  static const LsRelaxMutatorFuncs funcs = { .block = forward_and_backward };
  g_auto (LsRelaxMutator) mutator = { NULL };
  Gradient self = { &mutator, NULL, func, find_target (func, target, error), wanted, NULL, kept, NULL, NULL, NULL, NULL };
  g_autoptr (LsNode) symbol = LS_NODE (ls_string_new (name));
  g_autoptr (LsNode) both = NULL, lean = NULL, block = NULL, simple = NULL;
  g_autoptr (LsMap) attrs = NULL;
  LsNode *simplified;

  if (self.target == NULL)
    return NULL;
  ls_relax_mutator_init (&mutator, &funcs, *module, &self);
  self.builder = mutator.builder;
  self.adjoints = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  self.again = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  self.values = g_hash_table_new (NULL, NULL);
  block = forward_and_backward (&mutator, ls_array_at (((LsSeqExpr *) func->body)->blocks, 0, LsBindingBlock));
  attrs = ls_map_set (func->attrs, "global_symbol", symbol);
  both = LS_NODE (ls_function_new (ls_ref (func->params), ls_seq_expr_new (ls_array_of (ls_node_ref (block), NULL), ls_node_ref (self.result)),
                                   ls_block_builder_struct_info (self.builder, self.result), ls_ref (attrs), func->is_pure));
  if (self.error == NULL && ls_block_builder_get_error (self.builder) != NULL)
    self.error = g_error_copy (ls_block_builder_get_error (self.builder));
  ls_node_unref (self.result);
  g_hash_table_unref (self.adjoints);
  g_hash_table_unref (self.again);
  g_hash_table_unref (self.values);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return NULL;
    }
  ls_unref (*module);
  *module = ls_block_builder_get (self.builder);
  lean = ls_relax_remove_all_unused (both, NULL);
  simplified = ls_relax_simplify_gradient (lean);
  return simplified;
}

/* A function that is derived needs no way to derive it: call_tir_with_grad is a call_tir. */
static LsNode *
without_grad (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data G_GNUC_UNUSED)
{
  LsRelaxCall *call = (LsRelaxCall *) node;

  if (ls_is_relax_call (node, "relax.call_tir_with_grad"))
    return ls_relax_call_new (ls_relax_op_new ("relax.call_tir"), ls_ref (call->args), NULL, NULL, ls_ref (call->sinfo_args));
  return ls_is_struct_info (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

LsModule *
ls_relax_pass_gradient (LsModule  *module,
                        LsMap     *args,
                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = take_checkpoint };
  const char *func_name = ls_relax_pass_str (args, "func_name");
  LsFunction *old = (LsFunction *) ls_module_get (module, func_name);
  g_autoptr (LsFunction) copy = NULL;
  g_autoptr (GPtrArray) wanted = NULL;
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) kept = g_hash_table_new (NULL, NULL), ends = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) origins = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Checkpoints checkpoints = { kept, ends, origins };
  g_autofree char *name = g_strconcat (func_name, "_adjoint", NULL);
  LsNode *given = ls_map_get (args, "require_grads");
  g_autoptr (LsArray) grads = NULL;
  g_autoptr (LsBlockBuilder) builder = NULL;
  g_autoptr (LsNode) plain = NULL, adjoint = NULL;
  g_autoptr (LsModule) grown = ls_ref (module);

  if (!ls_is (old, FUNCTION))
    return ls_relax_pass_refuse (error, "There is no relax function %s.", func_name);
  copy = ls_relax_copy_function (old);
  if (ls_is (given, ARRAY))
    grads = (LsArray *) ls_ref (given);
  else if (given != NULL)
    grads = ls_array_of (ls_ref (given), NULL);
  wanted = find_wanted (old, copy, grads, error);
  if (wanted == NULL)
    return NULL;
  for (guint i = 0; i < copy->params->n; i++)
    g_hash_table_add (kept, copy->params->items[i]);
  ls_relax_mutator_init (&mutator, &funcs, NULL, &checkpoints);
  plain = ls_relax_mutator_visit (&mutator, copy);
  for (guint i = 0; i < wanted->len; i++)
    {
      gpointer origin = g_hash_table_lookup (origins, wanted->pdata[i]);

      wanted->pdata[i] = origin != NULL ? origin : wanted->pdata[i];
    }
  adjoint = adjoint_function (&grown, (LsFunction *) plain, name, wanted, kept, ls_relax_pass_int (args, "target_index"), error);
  if (adjoint == NULL)
    return NULL;
  ls_take (&adjoint, ls_rewrite_with (adjoint, without_grad, NULL));
  builder = ls_block_builder_new (grown);
  ls_block_builder_add_func (builder, adjoint, name);
  return ls_block_builder_get (builder);
}
