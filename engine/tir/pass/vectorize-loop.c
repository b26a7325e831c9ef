/* VectorizeLoop: a vectorised loop becomes one pass over vectors; its variable becomes a ramp.
 *
 *     for v in T.vectorized(4):
 *         C[i * 4 + v] = A[i * 4 + v] * 2.0     ->     C[i * 4:i * 4 + 4] = A[i * 4:i * 4 + 4] * T.Broadcast(2.0, 4)
 *
 * Lanes are a number or vscale () times one.  Each expression is rewritten to one with the lanes of the loop, or stays scalar where the variable does not occur.
 * A statement that has no vector form (a condition that differs between lanes, a call with effects, an inner loop whose
 * extent depends on the variable) is run lane by lane in a serial loop, the others around it stay vectors.
 *
 * With predication (asked for by enable_buffer_level_predication, or by a target that has vectors of any length) a condition
 * `ramp < limit` around accesses at that same ramp becomes their mask, T.get_active_lane_mask (base, limit).
 */
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  LsVar      *var;
  LsExpr     *ramp;
  guint       lanes;            /* as in LsDType: scalable ones too */
  GHashTable *lets;             /* Var -> Var with lanes */
  gboolean    scalar;           /* set: what was visited has no vector form */
  gboolean    masks;            /* conditions may become masks */
} State;

static LsExpr *vector_expr (State *state, LsExpr *expr);

static LsExpr *
spread (LsExpr *expr,
        guint   lanes)
{
  guint have = ls_dtype (expr).lanes;

  if (have == lanes)
    return expr;
  if (have == 1)
    return ls_broadcast_like (ls_dtype_with_lanes (ls_dtype (expr), lanes), expr);
  if (ls_is (expr, BROADCAST) && ls_dtype (((LsBroadcast *) expr)->value).lanes == 1)
    ls_take (&expr, ls_broadcast_like (ls_dtype_with_lanes (ls_dtype (expr), lanes), ls_ref (((LsBroadcast *) expr)->value)));
  return expr;
}

/* Lanes of one vector element after the other; 0: no such vector can be written. */
static guint
lanes_of_elements (guint lanes,
                   guint inner)
{
  guint all = MAX (lanes, 1) * MAX (inner, 1);

  if (inner <= 1)
    return lanes;
  return ls_dtype_is_scalable (ls_dtype_with_lanes (LS_INT32, lanes)) || ls_dtype_is_scalable (ls_dtype_with_lanes (LS_INT32, inner)) || all > 1024 ? 0 : all;
}

static gboolean
depends (State  *state,
         LsNode *node)
{
  GHashTableIter iter;
  gpointer var;

  if (ls_uses (node, state->var))
    return TRUE;
  g_hash_table_iter_init (&iter, state->lets);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    if (ls_uses (node, var))
      return TRUE;
  return FALSE;
}

static LsExpr *
vector_sum (LsKind  kind,
            LsExpr *a,
            LsExpr *b)
{
  if (ls_is (a, RAMP) && ls_dtype (b).lanes == 1)
    {
      LsRamp *ramp = (LsRamp *) a;
      LsExpr *result = ls_ramp_new (ls_binary (kind, ls_ref (ramp->base), b), ls_ref (ramp->stride), ls_ref (ramp->lanes));

      ls_unref (a);
      return result;
    }
  if (ls_is (b, RAMP) && ls_dtype (a).lanes == 1)
    {
      LsRamp *ramp = (LsRamp *) b;
      LsExpr *stride = kind == LS_KIND_SUB ? ls_neg (ls_ref (ramp->stride)) : ls_ref (ramp->stride);
      LsExpr *result = ls_ramp_new (ls_binary (kind, a, ls_ref (ramp->base)), stride, ls_ref (ramp->lanes));

      ls_unref (b);
      return result;
    }
  return NULL;
}

static LsExpr *
vector_product (LsExpr *a,
                LsExpr *b)
{
  LsExpr *swap;
  LsRamp *ramp;
  LsExpr *result;

  if (ls_is (b, RAMP) && ls_dtype (a).lanes == 1)
    {
      swap = a;
      a = b;
      b = swap;
    }
  if (!ls_is (a, RAMP) || ls_dtype (b).lanes != 1)
    return NULL;
  ramp = (LsRamp *) a;
  result = ls_ramp_new (ls_mul (ls_ref (ramp->base), ls_ref (b)), ls_mul (ls_ref (ramp->stride), ls_ref (b)), ls_ref (ramp->lanes));
  ls_unref (a);
  ls_unref (b);
  return result;
}

static LsExpr *
vector_binary (State    *state,
               LsBinary *node)
{
  LsKind kind = ls_kind (node);
  LsExpr *a = vector_expr (state, node->a);
  LsExpr *b = vector_expr (state, node->b);
  LsExpr *result = NULL;
  guint lanes = MAX (ls_dtype (a).lanes, ls_dtype (b).lanes);

  if (a == node->a && b == node->b)
    {
      ls_unref (a);
      ls_unref (b);
      return ls_ref (LS_EXPR (node));
    }
  if (ls_dtype_is_int (ls_dtype (node)) && (kind == LS_KIND_ADD || kind == LS_KIND_SUB))
    result = vector_sum (kind, a, b);
  else if (ls_dtype_is_int (ls_dtype (node)) && kind == LS_KIND_MUL)
    result = vector_product (a, b);
  if (result != NULL)
    return result;
  a = spread (a, lanes);
  b = spread (b, lanes);
  if (ls_dtype (a).lanes != ls_dtype (b).lanes)
    {
      state->scalar = TRUE;
      ls_unref (a);
      ls_unref (b);
      return ls_ref (LS_EXPR (node));
    }
  return ls_binary_new (kind, a, b);
}

static LsArray *
vector_array (State    *state,
              LsArray  *array,
              gboolean *changed)
{
  GPtrArray *items = g_ptr_array_new ();

  *changed = FALSE;
  for (guint i = 0; i < array->n; i++)
    {
      g_ptr_array_add (items, vector_expr (state, ls_array_at (array, i, LsExpr)));
      *changed = *changed || items->pdata[i] != array->items[i];
    }
  return ls_array_take_ptr_array (items);
}

static LsArray *
spread_array (LsArray *array,
              guint    lanes)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < array->n; i++)
    g_ptr_array_add (items, spread (ls_ref (ls_array_at (array, i, LsExpr)), lanes));
  ls_unref (array);
  return ls_array_take_ptr_array (items);
}

static LsExpr *
vector_if_then_else (State  *state,
                     LsCall *call)
{
  LsExpr *condition = vector_expr (state, ls_array_at (call->args, 0, LsExpr));
  LsExpr *a, *b;
  guint lanes;

  if (ls_dtype (condition).lanes > 1)
    {
      state->scalar = TRUE;
      ls_unref (condition);
      return ls_ref (LS_EXPR (call));
    }
  a = vector_expr (state, ls_array_at (call->args, 1, LsExpr));
  b = vector_expr (state, ls_array_at (call->args, 2, LsExpr));
  lanes = MAX (ls_dtype (a).lanes, ls_dtype (b).lanes);
  return ls_call_new (ls_dtype_with_lanes (ls_dtype (call), lanes), ls_ref (call->op), ls_array_of (condition, spread (a, lanes), spread (b, lanes), NULL));
}

/* LLVM's function keeps its name and how many overloads it has; what it computes of becomes vectors. */
static LsExpr *
vector_llvm_call (State  *state,
                  LsCall *call)
{
  GPtrArray *args = g_ptr_array_new ();
  LsNode *count = call->args->items[1];
  guint first = ls_is (count, INT_IMM) && ls_dtype (count).code == LS_TYPE_UINT ? 2 : 1;

  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, i < first ? ls_ref (ls_array_at (call->args, i, LsExpr)) : spread (vector_expr (state, ls_array_at (call->args, i, LsExpr)), state->lanes));
  return ls_call_new (ls_dtype_with_lanes (ls_dtype (call), state->lanes), ls_ref (call->op), ls_array_take_ptr_array (args));
}

static LsExpr *
vector_call (State  *state,
             LsCall *call)
{
  gboolean changed;
  LsArray *args;

  if (ls_is_call (call, "tir.if_then_else"))
    return vector_if_then_else (state, call);
  if (ls_is_call (call, "tir.likely"))
    return vector_expr (state, ls_array_at (call->args, 0, LsExpr));
  if (ls_is_call (call, "tir.call_llvm_pure_intrin") && call->args->n > 1)
    return vector_llvm_call (state, call);
  if (!ls_is (call->op, OP) || ((LsOp *) call->op)->effect > LS_EFFECT_PURE || ((LsOp *) call->op)->n_args < 1)
    {
      state->scalar = TRUE;
      return ls_ref (LS_EXPR (call));
    }
  args = vector_array (state, call->args, &changed);
  if (!changed)
    {
      ls_unref (args);
      return ls_ref (LS_EXPR (call));
    }
  return ls_call_new (ls_dtype_with_lanes (ls_dtype (call), state->lanes), ls_ref (call->op), spread_array (args, state->lanes));
}

static LsExpr *
vector_load (State        *state,
             LsBufferLoad *load)
{
  gboolean changed;
  LsArray *indices = vector_array (state, load->indices, &changed);

  if (indices->n != 1 || load->predicate != NULL || lanes_of_elements (state->lanes, load->buffer->dtype.lanes) == 0)
    state->scalar = TRUE;
  if (changed && !state->scalar)
    return ls_buffer_load_new (ls_ref (load->buffer), indices, NULL);
  ls_unref (indices);
  return ls_ref (LS_EXPR (load));
}

static LsExpr *
vector_let (State *state,
            LsLet *let)
{
  LsExpr *value = vector_expr (state, let->value);
  LsVar *var = ls_ref (let->var);

  if (value != let->value)
    {
      ls_take (&var, ls_var_new (let->var->name, ls_dtype (value)));
      g_hash_table_insert (state->lets, let->var, ls_ref (var));
    }
  return ls_let_new (var, value, vector_expr (state, let->body));
}

static LsExpr *
vector_select (State    *state,
               LsSelect *select)
{
  LsExpr *condition = vector_expr (state, select->condition);
  LsExpr *a = vector_expr (state, select->true_value);
  LsExpr *b = vector_expr (state, select->false_value);
  guint lanes = MAX (ls_dtype (condition).lanes, MAX (ls_dtype (a).lanes, ls_dtype (b).lanes));

  return ls_select_new (spread (condition, lanes), spread (a, lanes), spread (b, lanes));
}

/* The vector form of a scalar expression, or the expression itself where all lanes are the same. */
static LsExpr *
vector_expr (State  *state,
             LsExpr *expr)
{
  LsVar *let;
  LsExpr *value;

  if (!depends (state, LS_NODE (expr)))
    return ls_ref (expr);
  if (ls_dtype (expr).lanes > 1 && !ls_is (expr, BUFFER_LOAD) && !ls_is (expr, CAST) && !ls_kind_is_binary (ls_kind (expr)))
    {
      state->scalar = TRUE;
      return ls_ref (expr);
    }
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      let = g_hash_table_lookup (state->lets, expr);
      return expr == LS_EXPR (state->var) ? ls_ref (state->ramp) : let != NULL ? ls_ref (LS_EXPR (let)) : ls_ref (expr);
    case LS_KIND_CAST:
      value = vector_expr (state, ((LsCast *) expr)->value);
      return ls_cast_new (ls_dtype_with_lanes (ls_dtype (expr), ls_dtype (value).lanes), value);
    case LS_KIND_NOT:
      return ls_not_new (vector_expr (state, ((LsNot *) expr)->a));
    case LS_KIND_SELECT:
      return vector_select (state, (LsSelect *) expr);
    case LS_KIND_LET:
      return vector_let (state, (LsLet *) expr);
    case LS_KIND_CALL:
      return vector_call (state, (LsCall *) expr);
    case LS_KIND_BUFFER_LOAD:
      return vector_load (state, (LsBufferLoad *) expr);
    default:
      if (ls_kind_is_binary (ls_kind (expr)))
        return vector_binary (state, (LsBinary *) expr);
      state->scalar = TRUE;
      return ls_ref (expr);
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static LsStmt *vector_stmt (State *state, LsStmt *stmt);

/* The statement lane by lane. */
static LsStmt *
serial_stmt (State  *state,
             LsStmt *stmt)
{
  LsVar *lane = ls_var_copy (state->var, NULL);
  LsRamp *ramp = (LsRamp *) state->ramp;
  g_autoptr (LsExpr) value = ls_add (ls_ref (ramp->base), ls_ref (LS_EXPR (lane)));
  g_autoptr (LsNode) body = ls_substitute_one (stmt, state->var, value);

  return ls_node_set_span (ls_for_new (lane, ls_const_int (ls_dtype (lane), 0), ls_cast (ls_dtype (lane), ls_ref (ramp->lanes)), LS_FOR_SERIAL,
                                       g_steal_pointer (&body), NULL, NULL), stmt->span);
}

static LsStmt *
vector_store (State         *state,
              LsBufferStore *store)
{
  gboolean changed;
  LsArray *indices = vector_array (state, store->indices, &changed);
  LsExpr *value = vector_expr (state, store->value);
  guint inner = store->buffer->dtype.lanes;
  guint lanes = value != store->value || changed ? state->lanes : 1, all = lanes_of_elements (lanes, inner);

  if (indices->n != 1 || store->predicate != NULL || all == 0)
    state->scalar = TRUE;
  if (!changed && lanes > 1)
    state->scalar = TRUE;
  value = lanes > 1 ? spread (value, all) : value;
  if (lanes > 1 && ls_dtype (value).lanes != all)
    state->scalar = TRUE;
  return ls_node_set_span (ls_buffer_store_new (ls_ref (store->buffer), value, spread_array (indices, lanes), ls_ref (store->predicate)), store->node.span);
}

typedef struct {
  LsExpr *base, *limit;         /* of base + lane < limit; borrowed */
  guint   n, n_masked;
} Masking;

/* The mask of an access at these indices, or NULL where they are not the ones that were compared. */
static LsExpr *
mask_of (Masking *self,
         LsArray *indices)
{
  LsRamp *ramp = indices->n > 0 ? (LsRamp *) indices->items[0] : NULL;

  self->n++;
  if (ramp == NULL || !ls_is (ramp, RAMP) || !ls_deep_equal (LS_NODE (ramp->base), LS_NODE (self->base)))
    return NULL;
  self->n_masked++;
  return LS_EXPR (ls_call_op ("tir.get_active_lane_mask", ls_dtype_with_lanes (LS_BOOL, ls_dtype (ramp).lanes),
                              ls_array_of (ls_ref (self->base), ls_ref (self->limit), NULL)));
}

static LsNode *
mask_filter (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    user_data)
{
  LsNode *inner = ls_rewrite_default (rewriter, node);
  LsBufferLoad *load = (LsBufferLoad *) inner;
  LsBufferStore *store = (LsBufferStore *) inner;
  LsExpr *mask;

  if (ls_is (inner, BUFFER_LOAD) && (mask = mask_of (user_data, load->indices)) != NULL)
    ls_take (&inner, LS_NODE (ls_buffer_load_new (ls_ref (load->buffer), ls_ref (load->indices), mask)));
  else if (ls_is (inner, BUFFER_STORE) && (mask = mask_of (user_data, store->indices)) != NULL)
    ls_take (&inner, LS_NODE (ls_node_set_span (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value), ls_ref (store->indices), mask), inner->span)));
  return inner;
}

/* The statement of a condition with masks in the condition's place, or NULL: every access would have to be at the ramp that is compared. */
static LsStmt *
masked_stmt (State        *state,
             LsIfThenElse *node)
{
  g_autoptr (LsExpr) condition = vector_expr (state, node->condition);
  g_autoptr (LsNode) inside = state->scalar ? NULL : LS_NODE (vector_stmt (state, node->then_case));
  LsBinary *less = (LsBinary *) condition;
  Masking masking = { NULL, NULL, 0, 0 };
  g_autoptr (LsNode) result = NULL;

  if (inside == NULL || !ls_is (condition, LT) || !ls_is (less->a, RAMP) || !ls_is (less->b, BROADCAST))
    return NULL;
  masking.base = ((LsRamp *) less->a)->base;
  masking.limit = ((LsBroadcast *) less->b)->value;
  result = ls_rewrite_with (inside, mask_filter, &masking);
  return masking.n > 0 && masking.n == masking.n_masked ? LS_STMT (g_steal_pointer (&result)) : NULL;
}

static LsStmt *
vector_if (State        *state,
           LsIfThenElse *node)
{
  if (depends (state, LS_NODE (node->condition)))
    {
      LsStmt *masked = state->masks && node->else_case == NULL ? masked_stmt (state, node) : NULL;

      if (masked != NULL)
        return masked;
      state->scalar = TRUE;
      return ls_ref (LS_STMT (node));
    }
  return ls_node_set_span (ls_if_then_else_new (ls_ref (node->condition), vector_stmt (state, node->then_case),
                                                node->else_case != NULL ? vector_stmt (state, node->else_case) : NULL), node->node.span);
}

static LsStmt *
vector_let_stmt (State     *state,
                 LsLetStmt *let)
{
  LsExpr *value = vector_expr (state, let->value);
  LsVar *var = ls_ref (let->var);

  if (state->scalar)
    {
      ls_unref (value);
      ls_unref (var);
      return ls_ref (LS_STMT (let));
    }
  if (value != let->value)
    {
      ls_take (&var, ls_var_new (let->var->name, ls_dtype (value)));
      g_hash_table_insert (state->lets, let->var, ls_ref (var));
    }
  return ls_node_set_span (ls_let_stmt_new (var, value, vector_stmt (state, let->body)), let->node.span);
}

static LsStmt *
vector_seq (State     *state,
            LsSeqStmt *seq)
{
  GPtrArray *parts = g_ptr_array_new ();

  for (guint i = 0; i < seq->seq->n; i++)
    g_ptr_array_add (parts, vector_stmt (state, seq->seq->items[i]));
  return ls_seq (ls_array_take_ptr_array (parts));
}

static LsStmt *
try_vector (State  *state,
            LsStmt *stmt)
{
  LsFor *loop = (LsFor *) stmt;

  switch ((int) ls_kind (stmt))
    {
    case LS_KIND_BUFFER_STORE:
      return vector_store (state, (LsBufferStore *) stmt);
    case LS_KIND_SEQ_STMT:
      return vector_seq (state, (LsSeqStmt *) stmt);
    case LS_KIND_IF_THEN_ELSE:
      return vector_if (state, (LsIfThenElse *) stmt);
    case LS_KIND_LET_STMT:
      return vector_let_stmt (state, (LsLetStmt *) stmt);
    case LS_KIND_FOR:
      if (depends (state, LS_NODE (loop->min)) || depends (state, LS_NODE (loop->extent)))
        break;
      return ls_node_set_span (ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), ls_ref (loop->extent), loop->kind, vector_stmt (state, loop->body),
                                           ls_ref (loop->thread_binding), ls_ref (loop->annotations)), loop->node.span);
    default:
      break;
    }
  state->scalar = TRUE;
  return ls_ref (stmt);
}

static LsStmt *
vector_stmt (State  *state,
             LsStmt *stmt)
{
  gboolean outer = state->scalar;
  LsStmt *result;

  state->scalar = FALSE;
  result = try_vector (state, stmt);
  if (state->scalar)
    ls_take (&result, serial_stmt (state, stmt));
  state->scalar = outer;
  return result;
}

static LsStmt *
vectorize (LsFor   *loop,
           gboolean masks)
{
  g_autoptr (GHashTable) lets = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsExpr) ramp = NULL;
  State state = { loop->loop_var, NULL, 0, lets, FALSE, masks };
  gint64 extent;

  ramp = ls_ramp_new (ls_ref (loop->min), ls_const_int (ls_dtype (loop->loop_var), 1), ls_ref (loop->extent));
  if (!ls_dtype_is_scalable (ls_dtype (ramp)) && (!ls_as_int (loop->extent, &extent) || extent > 1024 || extent < 1))
    return LS_STMT (ls_for_with_kind (loop, LS_FOR_SERIAL));
  if (ls_is_one (loop->extent))
    return ls_substitute_one (loop->body, loop->loop_var, loop->min);
  state.ramp = ramp;
  state.lanes = ls_dtype (ramp).lanes;
  return vector_stmt (&state, loop->body);
}

/* ---- targets ---------------------------------------------------------------------------------- */

/* What a program says of its targets. */
typedef struct {
  int      predication;         /* 0: never, 1: always, 2: as the target of the place has it */
  gboolean scalable;            /* has the target of this place vectors of any length? */
} Place;

/* Has one of the words of a target's mattr, a text or a list of them, this form? */
static gboolean
has_word (LsNode     *words,
          const char *word)
{
  if (ls_is (words, STRING))
    {
      g_auto (GStrv) parts = g_strsplit (((LsString *) words)->value, ",", -1);

      return g_strv_contains ((const char *const *) parts, word);
    }
  if (ls_is (words, ARRAY))
    for (guint i = 0; i < ((LsArray *) words)->n; i++)
      if (has_word (((LsArray *) words)->items[i], word))
        return TRUE;
  return FALSE;
}

static gboolean
is_scalable_target (LsNode *target)
{
  LsNode *words = ls_is (target, MAP) ? ls_map_get ((LsMap *) target, "mattr") : NULL;

  return words != NULL && (has_word (words, "+sve") || has_word (words, "+sve2") || has_word (words, "+sme") || has_word (words, "+v9a") || has_word (words, "+v"));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Place *place = user_data;
  gboolean outer = place->scalable;
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is_attr (node, "target"))
    place->scalable = is_scalable_target (((LsAttrStmt *) node)->subject);
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, FOR) && ((LsFor *) result)->kind == LS_FOR_VECTORIZED)
    ls_take (&result, vectorize ((LsFor *) result, place->predication == 1 || (place->predication == 2 && place->scalable)));
  place->scalable = outer;
  return result;
}

LsPrimFunc *
ls_pass_vectorize_loop (LsPrimFunc  *func,
                        LsMap       *options,
                        GError     **error)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  Place place = { ls_pass_option (options, "enable_buffer_level_predication", 2),
                  target != NULL ? is_scalable_target (target) : ls_pass_option (options, "scalable_target", 0) != 0 };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &place);

  return ls_pass_with_body (func, body);
}
