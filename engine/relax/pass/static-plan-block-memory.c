/* StaticPlanBlockMemory: tensors that die make room for later ones.
 *
 * A tensor that is allocated in a block, used in that block only, and only by PrimFuncs and packed functions, gets a place
 * in a storage.  Walking through the bindings, a storage is free again when the last use of its tensor is past; an
 * allocation takes the free one of its dtype that is just large enough (at most 16 times as large), else the largest
 * smaller one (at least a sixteenth), which grows, else a new one.  Symbolic extents count with their upper bounds where the
 * function says such (shape-bounds.h); sizes that stay symbolic must be equal.  Only one branch of an If runs, so both share
 * storages: the plan names a storage in the other branch and behind the If too, where the branch that makes it may not have
 * run; LowerAllocTensor, which follows, makes it there.  With relax.memory_plan_dynamic_func_output tensors of symbolic
 * shape that leave the function get storages too, as large as they can become.  Source: TVM's StaticPlanBlockMemory. */
#include "engine/arith/analyzer.h"
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/memory.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/shape-bounds.h"

#define MATCH_RANGE 16

typedef struct {
  LsExpr     *bytes;
  gint64      size;             /* -1: symbolic */
  gint64      sample;           /* symbolic: see sample_of */
  LsDType     dtype;
  LsRelaxVar *var;              /* made where it is used first */
} Storage;

typedef struct {
  LsRelaxCall    *call;         /* R.builtin.alloc_tensor */
  LsBindingBlock *block;
  guint           uses, seen;
  gboolean        out;          /* not to be planned */
  Storage        *storage;
} Token;

typedef struct {
  LsModule   *module;
  GHashTable *tokens;           /* variable -> Token */
  GHashTable *names;            /* variable -> expression that it only names */
  GHashTable *by_call;          /* call -> Token */
  GPtrArray  *all;              /* of Token, owned */
  GPtrArray  *storages;         /* of Storage, owned */
  GPtrArray  *pool;             /* free ones of constant size */
  GHashTable *symbolic;         /* sample -> GPtrArray of free ones of symbolic size */
  GHashTable *chosen;           /* variable -> number, for samples */
  LsBindingBlock *block;
  gboolean    assigning;        /* the second walk */
  gboolean    outputs;          /* symbolic results get storages too */
  LsShapeBounds *bounds;        /* of the function */
  LsAnalyzer *analyzer;
} Plan;

static void
storage_free (gpointer data)
{
  Storage *self = data;

  ls_unref (self->bytes);
  ls_unref (self->var);
  g_free (self);
}

/* ---- which tensors an expression stands for ------------------------------------------ */

/* The expression that an expression only names or takes a field of. Borrowed. */
static LsNode *
origin (Plan   *self,
        LsNode *expr)
{
  LsNode *value = ls_is_relax_var (expr) ? g_hash_table_lookup (self->names, expr) : NULL;

  if (value != NULL)
    return origin (self, value);
  if (ls_is (expr, TUPLE_GET_ITEM))
    {
      LsTupleGetItem *item = (LsTupleGetItem *) expr;
      LsNode *tuple = origin (self, item->tuple);

      if (ls_is (tuple, RELAX_TUPLE) && item->index < ((LsRelaxTuple *) tuple)->fields->n)
        return origin (self, ((LsRelaxTuple *) tuple)->fields->items[item->index]);
    }
  return expr;
}

static LsWalk
add_tokens (LsNode  *node,
            gpointer user_data)
{
  gpointer *data = user_data;
  Plan *self = data[0];
  LsNode *from = origin (self, node);
  Token *token = ls_is_relax_var (from) ? g_hash_table_lookup (self->tokens, from) : NULL;

  if (token != NULL)
    g_ptr_array_add (data[1], token);
  if (from == node)
    return LS_WALK_CONTINUE;
  if (token == NULL)
    ls_walk (from, add_tokens, NULL, data);
  return LS_WALK_PRUNE;
}

static GPtrArray *
tokens_of (Plan    *self,
           gpointer expr)
{
  GPtrArray *found = g_ptr_array_new ();
  gpointer data[] = { self, found };

  ls_walk (expr, add_tokens, NULL, data);
  return found;
}

static void
take_out (Plan    *self,
          gpointer expr)
{
  g_autoptr (GPtrArray) found = tokens_of (self, expr);

  for (guint i = 0; i < found->len; i++)
    ((Token *) found->pdata[i])->out = TRUE;
}

/* ---- storages ---------------------------------------------------------------------------- */

static gboolean
fits (Plan    *self,
      Storage *storage,
      Token   *token,
      LsExpr  *bytes,
      gint64   size)
{
  if (!ls_dtype_equal (storage->dtype, ((LsDataTypeImm *) token->call->args->items[1])->value))
    return FALSE;
  if (size < 0)
    return ls_analyzer_can_prove_equal (self->analyzer, bytes, storage->bytes);
  return storage->size <= size * MATCH_RANGE && storage->size >= size / MATCH_RANGE;
}

static gboolean
is_better (Storage *a,
           Storage *b,
           gint64   size)
{
  gboolean large_a = a->size >= size, large_b = b->size >= size;

  if (large_a != large_b)
    return large_a;
  return large_a ? a->size < b->size : a->size > b->size;
}

/* The extents of an allocation, as large as they can become. (transfer full), of LsExpr */
static GPtrArray *
upper_extents (Plan        *self,
               LsRelaxCall *call)
{
  LsArray *extents = ((LsShapeExpr *) call->args->items[0])->values;
  GPtrArray *out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < extents->n; i++)
    g_ptr_array_add (out, ls_shape_bounds_upper (self->bounds, LS_EXPR (extents->items[i])));
  return out;
}

static gint64
element_bytes (LsRelaxCall *call)
{
  return MAX (ls_dtype_bytes (((LsDataTypeImm *) call->args->items[1])->value), 1);
}

/* The constant factor first. (transfer full) */
static LsExpr *
bytes_of (Plan        *self,
          LsRelaxCall *call)
{
  g_autoptr (GPtrArray) extents = upper_extents (self, call);
  gint64 constant = element_bytes (call), extent;
  LsExpr *symbolic = NULL;

  for (guint i = 0; i < extents->len; i++)
    if (ls_as_int (extents->pdata[i], &extent))
      constant = __builtin_mul_overflow (constant, extent, &constant) ? G_MAXINT64 : constant;
    else
      symbolic = symbolic == NULL ? ls_ref (LS_EXPR (extents->pdata[i])) : ls_mul (symbolic, ls_ref (LS_EXPR (extents->pdata[i])));
  return symbolic == NULL ? ls_int_imm_new (LS_INT64, constant) : ls_mul (ls_int_imm_new (LS_INT64, constant), symbolic);
}

static LsWalk
choose (LsNode  *node,
        gpointer user_data)
{
  Plan *self = user_data;

  if (ls_is (node, VAR) && !g_hash_table_contains (self->chosen, node))
    g_hash_table_insert (self->chosen, node, ls_int_imm_new (((LsExpr *) node)->dtype, 1009 + 2 * (gint64) g_hash_table_size (self->chosen)));
  return LS_WALK_CONTINUE;
}

/* What a size is where each variable has a number of its own; 0: not known.  Sizes with different ones are not equal: only those with the same are
 * asked about. */
static gint64
sample_of (Plan   *self,
           LsExpr *bytes)
{
  g_autoptr (LsExpr) number = NULL;
  gint64 sample = 0;

  ls_walk (LS_NODE (bytes), choose, NULL, self);
  number = ls_analyzer_simplify_with (self->analyzer, bytes, self->chosen);
  return ls_as_int (number, &sample) ? sample : 0;
}

/* Where a size is looked for, and laid down when it is free.  An entry of `symbolic` stays when it is empty. */
static GPtrArray *
pool_for (Plan  *self,
          gint64 size,
          gint64 sample)
{
  GPtrArray *pool = size < 0 ? g_hash_table_lookup (self->symbolic, &sample) : self->pool;

  if (pool != NULL)
    return pool;
  pool = g_ptr_array_new ();
  g_hash_table_insert (self->symbolic, g_memdup2 (&sample, sizeof sample), pool);
  return pool;
}

static void
assign (Plan  *self,
        Token *token)
{
  LsExpr *bytes = bytes_of (self, token->call);
  Storage *best = NULL;
  gint64 size = -1, sample = ls_as_int (bytes, &size) ? 0 : sample_of (self, bytes);
  GPtrArray *pool = pool_for (self, size, sample);

  for (guint i = 0; i < pool->len; i++)
    if (fits (self, pool->pdata[i], token, bytes, size) && (best == NULL || is_better (pool->pdata[i], best, size)))
      best = pool->pdata[i];
  if (best == NULL)
    {
      best = g_new0 (Storage, 1);
      *best = (Storage) { bytes, size, sample, ((LsDataTypeImm *) token->call->args->items[1])->value, NULL };
      g_ptr_array_add (self->storages, best);
    }
  else
    {
      g_ptr_array_remove (pool, best);
      if (best->size < size)
        {
          LsExpr *old = best->bytes;

          best->bytes = ls_ref (bytes);
          best->size = size;
          ls_unref (old);
        }
      ls_unref (bytes);
    }
  token->storage = best;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void walk_body (Plan *self, LsNode *body);

static void
define_token (Plan        *self,
              LsRelaxVar  *var,
              LsRelaxCall *call)
{
  Token *token = self->assigning ? g_hash_table_lookup (self->by_call, call) : NULL;

  if (self->assigning)
    {
      if (token != NULL && !token->out)
        assign (self, token);
      return;
    }
  token = g_new0 (Token, 1);
  token->call = call;
  token->block = self->block;
  token->out = call->args->n != 4 || !ls_is (call->args->items[0], SHAPE_EXPR) || !ls_is (call->args->items[1], DATA_TYPE_IMM);
  g_ptr_array_add (self->all, token);
  g_hash_table_insert (self->tokens, var, token);
  g_hash_table_insert (self->by_call, call, token);
}

/* Does the callee only read and write what it is given? */
static gboolean
is_plain_callee (Plan   *self,
                 LsNode *callee)
{
  if (ls_is (callee, EXTERN_FUNC))
    return TRUE;
  return ls_is (callee, GLOBAL_VAR) && ls_is (ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint), PRIM_FUNC);
}

static void
use_tokens (Plan   *self,
            LsNode *args)
{
  g_autoptr (GPtrArray) found = tokens_of (self, args);

  for (guint i = 0; i < found->len; i++)
    {
      Token *token = found->pdata[i];

      if (!self->assigning)
        {
          token->uses++;
          token->out |= token->block != self->block;
        }
      else if (++token->seen == token->uses && token->storage != NULL)
        g_ptr_array_add (pool_for (self, token->storage->size, token->storage->sample), token->storage);
    }
}

static void
walk_call (Plan        *self,
           LsRelaxVar  *var,
           LsRelaxCall *call)
{
  gboolean dynamic = ls_is_relax_call (call, "relax.vm.call_tir_dyn");

  if (ls_is_relax_call (call, "relax.builtin.alloc_tensor"))
    define_token (self, var, call);
  else if (call->args->n > 0 && (ls_is_relax_call (call, "relax.reshape") || ls_is_relax_call (call, "relax.memory.view") ||
                                 ls_is_relax_call (call, "relax.memory.ensure_zero_offset")))
    g_hash_table_insert (self->names, var, call->args->items[0]);
  else if (dynamic || is_plain_callee (self, call->op))
    use_tokens (self, LS_NODE (call->args));
  else if (!self->assigning)
    take_out (self, call->args);
}

static void
walk_binding (Plan   *self,
              LsNode *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);

  if (ls_is (value, RELAX_IF))
    {
      if (!self->assigning)
        take_out (self, ((LsRelaxIf *) value)->cond);
      walk_body (self, ((LsRelaxIf *) value)->true_branch);
      walk_body (self, ((LsRelaxIf *) value)->false_branch);
    }
  else if (ls_is (value, RELAX_CALL))
    walk_call (self, var, (LsRelaxCall *) value);
  else if (!self->assigning && ls_is (value, FUNCTION))
    take_out (self, value);
  else if (var != NULL)
    g_hash_table_insert (self->names, var, value);
}

static void
walk_body (Plan   *self,
           LsNode *body)
{
  LsSeqExpr *sequence = (LsSeqExpr *) body;
  LsBindingBlock *outer = self->block;

  if (!ls_is (body, SEQ_EXPR))
    {
      if (!self->assigning)
        take_out (self, body);
      return;
    }
  for (guint i = 0; i < sequence->blocks->n; i++)
    {
      self->block = ls_array_at (sequence->blocks, i, LsBindingBlock);
      for (guint j = 0; j < self->block->bindings->n; j++)
        walk_binding (self, self->block->bindings->items[j]);
    }
  self->block = outer;
  if (!self->assigning)
    take_out (self, sequence->body);
}

/* ---- the result --------------------------------------------------------------------------------- */

static LsRelaxVar *
emit_storage (LsRelaxMutator *self,
              LsRelaxCall    *call,
              LsExpr         *bytes)
{
  return ls_block_builder_emit_take (self->builder, ls_relax_call_new (ls_relax_op_new ("relax.memory.alloc_storage"),
      ls_array_of (ls_shape_expr_new (ls_array_of (ls_ref (bytes), NULL)), ls_node_ref (call->args->items[2]), ls_node_ref (call->args->items[3]),
                   ls_node_ref (call->args->items[1]), NULL), NULL, NULL, NULL), "storage");
}

/* Is it an allocation of symbolic shape that was not planned, in a function whose results are? */
static gboolean
is_dynamic_output (Plan        *self,
                   LsRelaxCall *call)
{
  LsNode *shape = ls_is_relax_call (call, "relax.builtin.alloc_tensor") && call->args->n == 4 ? call->args->items[0] : NULL;
  gint64 extent;

  if (!self->outputs || !ls_is (shape, SHAPE_EXPR) || !ls_is (call->args->items[1], DATA_TYPE_IMM))
    return FALSE;
  for (guint i = 0; i < ((LsShapeExpr *) shape)->values->n; i++)
    if (!ls_as_int (((LsShapeExpr *) shape)->values->items[i], &extent))
      return TRUE;
  return FALSE;
}

static LsNode *
place_output (LsRelaxMutator *self,
              LsRelaxCall    *call)
{
  g_autoptr (GPtrArray) extents = upper_extents (self->user_data, call);
  g_autoptr (LsExpr) bytes = ls_ref (LS_EXPR (extents->pdata[0]));

  for (guint i = 1; i < extents->len; i++)
    ls_take (&bytes, ls_mul (ls_ref (bytes), ls_ref (LS_EXPR (extents->pdata[i]))));
  ls_take (&bytes, ls_mul (ls_ref (bytes), ls_int_imm_new (LS_INT64, element_bytes (call))));
  return ls_relax_alloc_tensor_new (emit_storage (self, call, bytes), call->args->items[0], call->args->items[1]);
}

static LsNode *
place (LsRelaxMutator *self,
       LsRelaxCall    *call)
{
  Plan *plan = self->user_data;
  Token *token = g_hash_table_lookup (plan->by_call, call);
  Storage *storage = token != NULL ? token->storage : NULL;

  if (storage == NULL)
    return is_dynamic_output (plan, call) ? place_output (self, call) : ls_relax_mutator_default (self, call);
  if (storage->var == NULL)
    storage->var = ls_ref (emit_storage (self, call, storage->bytes));
  return ls_relax_alloc_tensor_new (storage->var, call->args->items[0], call->args->items[1]);
}

static gboolean
is_set (LsNode *value)
{
  gint64 number = 0;

  return ls_as_int (value, &number) && number != 0;
}

/* Functions inside share the bounds of the one around them. */
static LsNode *
plan_function (LsRelaxMutator *self,
               LsFunction     *func)
{
  static const char DYNAMIC[] = "relax.memory_plan_dynamic_func_output";
  Plan *plan = self->user_data;
  GError *error = NULL;
  g_autoptr (LsNode) fresh = NULL;
  LsFunction *result;

  if (self->depth > 0)
    return ls_relax_mutator_default (self, func);
  g_clear_pointer (&plan->bounds, ls_shape_bounds_free);
  plan->bounds = ls_shape_bounds_new (func, &error);
  if (plan->bounds == NULL)
    {
      ls_block_builder_take_error (self->builder, error);
      return ls_node_ref (LS_NODE (func));
    }
  plan->outputs = is_set (ls_map_get (func->attrs, DYNAMIC));
  plan->assigning = FALSE;
  walk_body (plan, func->body);
  plan->assigning = TRUE;
  walk_body (plan, func->body);
  g_ptr_array_set_size (plan->pool, 0);
  g_hash_table_remove_all (plan->symbolic);
  fresh = ls_relax_mutator_default (self, func);
  if (!ls_is (fresh, FUNCTION) || ls_map_get (func->attrs, DYNAMIC) == NULL)
    return g_steal_pointer (&fresh);
  result = (LsFunction *) fresh;
  return LS_NODE (ls_function_new (ls_ref (result->params), ls_node_ref (result->body), ls_node_ref (result->ret_struct_info),
                                   ls_map_remove (result->attrs, DYNAMIC), result->is_pure));
}

LsModule *
ls_relax_pass_static_plan_block_memory (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = place, .function = plan_function };
  Plan plan = { module, g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
                g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (storage_free), g_ptr_array_new (),
                g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_ptr_array_unref),
                g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref), NULL, FALSE, FALSE, NULL, ls_analyzer_new () };
  LsModule *result = ls_relax_mutate_module (module, &funcs, &plan, error);

  g_hash_table_unref (plan.tokens);
  g_hash_table_unref (plan.names);
  g_hash_table_unref (plan.by_call);
  g_ptr_array_unref (plan.all);
  g_ptr_array_unref (plan.storages);
  g_ptr_array_unref (plan.pool);
  g_hash_table_unref (plan.symbolic);
  g_hash_table_unref (plan.chosen);
  ls_shape_bounds_free (plan.bounds);
  ls_analyzer_free (plan.analyzer);
  return result;
}
