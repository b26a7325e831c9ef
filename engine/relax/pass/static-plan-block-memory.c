/* StaticPlanBlockMemory: tensors that die make room for later ones.
 *
 * A tensor that is allocated in a block, used in that block only, and only by PrimFuncs and packed functions, gets a place
 * in a storage.  Walking through the bindings, a storage is free again when the last use of its tensor is past; an
 * allocation takes the free one of its dtype that is just large enough (at most 16 times as large), else the largest
 * smaller one (at least a sixteenth), which grows, else a new one.  Symbolic sizes must be equal.  A storage made in a branch
 * stays in that branch.  Source: TVM's StaticPlanBlockMemory. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/memory.h"
#include "engine/relax/pass/pass.h"

#define MATCH_RANGE 16

typedef struct {
  LsExpr     *bytes;
  gint64      size;             /* -1: symbolic */
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
  GHashTable *tokens;           /* variable -> GPtrArray of Token */
  GHashTable *by_call;          /* call -> Token */
  GPtrArray  *all;              /* of Token, owned */
  GPtrArray  *storages;         /* of Storage, owned */
  GPtrArray  *pool;             /* free ones */
  LsBindingBlock *block;
  gboolean    assigning;        /* the second walk */
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

static LsWalk
add_tokens (LsNode  *node,
            gpointer user_data)
{
  gpointer *data = user_data;
  GPtrArray *known = ls_is_relax_var (node) ? g_hash_table_lookup (((Plan *) data[0])->tokens, node) : NULL;

  for (guint i = 0; known != NULL && i < known->len; i++)
    g_ptr_array_add (data[1], known->pdata[i]);
  return LS_WALK_CONTINUE;
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
fits (Storage *storage,
      Token   *token,
      LsExpr  *bytes,
      gint64   size)
{
  if (!ls_dtype_equal (storage->dtype, ((LsDataTypeImm *) token->call->args->items[1])->value))
    return FALSE;
  if (size < 0 || storage->size < 0)
    return size < 0 && storage->size < 0 && ls_deep_equal (bytes, storage->bytes);
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

/* The constant factor first. (transfer full) */
static LsExpr *
bytes_of (LsRelaxCall *call)
{
  LsArray *extents = ((LsShapeExpr *) call->args->items[0])->values;
  gint64 constant = MAX (ls_dtype_bytes (((LsDataTypeImm *) call->args->items[1])->value), 1), extent;
  LsExpr *bytes;

  for (guint i = 0; i < extents->n; i++)
    if (ls_as_int (extents->items[i], &extent))
      constant *= extent;
  bytes = ls_int_imm_new (LS_INT64, constant);
  for (guint i = 0; i < extents->n; i++)
    if (!ls_as_int (extents->items[i], &extent))
      bytes = ls_mul (bytes, ls_ref (LS_EXPR (extents->items[i])));
  return bytes;
}

static void
assign (Plan  *self,
        Token *token)
{
  LsExpr *bytes = bytes_of (token->call);
  Storage *best = NULL;
  gint64 size = -1;

  ls_as_int (bytes, &size);
  for (guint i = 0; i < self->pool->len; i++)
    if (fits (self->pool->pdata[i], token, bytes, size) && (best == NULL || is_better (self->pool->pdata[i], best, size)))
      best = self->pool->pdata[i];
  if (best == NULL)
    {
      best = g_new0 (Storage, 1);
      *best = (Storage) { bytes, size, ((LsDataTypeImm *) token->call->args->items[1])->value, NULL };
      g_ptr_array_add (self->storages, best);
    }
  else
    {
      g_ptr_array_remove (self->pool, best);
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
  GPtrArray *one;

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
  one = g_ptr_array_new ();
  g_ptr_array_add (one, token);
  g_ptr_array_add (self->all, token);
  g_hash_table_insert (self->tokens, var, one);
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
        g_ptr_array_add (self->pool, token->storage);
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
  else if (ls_is_relax_call (call, "relax.reshape") && call->args->n > 0)
    {
      if (!self->assigning)
        g_hash_table_insert (self->tokens, var, tokens_of (self, call->args->items[0]));
    }
  else if (dynamic || is_plain_callee (self, call->op))
    use_tokens (self, LS_NODE (call->args));
  else if (!self->assigning)
    take_out (self, call->args);
}

/* Storages of a branch are not there behind it. */
static void
walk_branch (Plan   *self,
             LsNode *branch)
{
  GPtrArray *outer = self->pool;

  self->pool = g_ptr_array_new ();
  walk_body (self, branch);
  g_ptr_array_unref (self->pool);
  self->pool = outer;
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
      walk_branch (self, ((LsRelaxIf *) value)->true_branch);
      walk_branch (self, ((LsRelaxIf *) value)->false_branch);
    }
  else if (ls_is (value, RELAX_CALL))
    walk_call (self, var, (LsRelaxCall *) value);
  else if (!self->assigning && ls_is (value, FUNCTION))
    take_out (self, value);
  else if (!self->assigning && var != NULL)
    g_hash_table_insert (self->tokens, var, tokens_of (self, value));
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

static LsNode *
place (LsRelaxMutator *self,
       LsRelaxCall    *call)
{
  Plan *plan = self->user_data;
  Token *token = g_hash_table_lookup (plan->by_call, call);
  Storage *storage = token != NULL ? token->storage : NULL;

  if (storage == NULL)
    return ls_relax_mutator_default (self, call);
  if (storage->var == NULL)
    {
      g_autoptr (LsNode) made = ls_relax_call_new (ls_relax_op_new ("relax.memory.alloc_storage"),
          ls_array_of (ls_shape_expr_new (ls_array_of (ls_ref (storage->bytes), NULL)), ls_node_ref (call->args->items[2]),
                       ls_node_ref (call->args->items[3]), ls_data_type_imm_new (storage->dtype), NULL), NULL, NULL, NULL);

      storage->var = ls_ref (ls_block_builder_emit (self->builder, made, "storage"));
    }
  return ls_relax_alloc_tensor_new (storage->var, call->args->items[0], call->args->items[1]);
}

static LsNode *
plan_function (LsRelaxMutator *self,
               LsFunction     *func)
{
  Plan *plan = self->user_data;

  plan->assigning = FALSE;
  walk_body (plan, func->body);
  plan->assigning = TRUE;
  walk_body (plan, func->body);
  g_ptr_array_set_size (plan->pool, 0);
  return ls_relax_mutator_default (self, func);
}

LsModule *
ls_relax_pass_static_plan_block_memory (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = place, .function = plan_function };
  Plan plan = { module, g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref), g_hash_table_new (NULL, NULL),
                g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (storage_free), g_ptr_array_new (), NULL, FALSE };
  LsModule *result = ls_relax_mutate_module (module, &funcs, &plan, error);

  g_hash_table_unref (plan.tokens);
  g_hash_table_unref (plan.by_call);
  g_ptr_array_unref (plan.all);
  g_ptr_array_unref (plan.storages);
  g_ptr_array_unref (plan.pool);
  return result;
}
