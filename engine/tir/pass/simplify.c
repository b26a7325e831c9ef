/* Simplify: every expression in its normal form, with the ranges of the loops and block variables around it, the
 * conditions of the ifs around it and the shapes of the parameters known to the analyser.
 *
 *   T.Let of a pure integer, of a constant or of another variable: written where it is used, unless a buffer is
 *                           declared with it; other pure values stay and decide conditions
 *   if                      whose condition is known loses it
 *   A[i] = A[i]             does nothing
 *
 * The extensions are those of rewriting (analyzer.h).  Two more follow what buffers hold from statement to statement
 * (knowns.c): for conditions, or for all expressions.  Source of the concept: TVM's StmtSimplifier. */
#include "engine/arith/arith.h"
#include "engine/arith/data.h"
#include "engine/tir/pass/knowns.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

typedef struct {
  LsAnalyzer *analyzer;
  GHashTable *kept;             /* Var -> Expr: pure values of T.Let that stay */
  GHashTable *in_buffers;       /* Vars that buffers are declared with or attributes are about */
  GHashTable *written;          /* Vars of the T.Let around, whose value is written where they are used -> those that stayed somewhere */
  LsVar      *binder;           /* the next place of this variable is where it is made, no use of it */
  LsKnowns   *knowns;           /* what buffers hold here, or NULL: not followed */
  LsNode     *init;             /* of the block, or NULL: gone through */
  gboolean    in_expressions;   /* it is used in all expressions, not only to decide conditions */
} State;

/* Where the value does not fit an index that the name fits, the name stays. */
static LsWalk
note_stayed (LsNode   *node,
             gpointer  user_data)
{
  GHashTable *written = user_data;

  if (!(node->facts & LS_FACT_HAS_VAR))
    return LS_WALK_PRUNE;
  if (ls_is_var (node) && g_hash_table_contains (written, node))
    g_hash_table_insert (written, node, node);
  return LS_WALK_CONTINUE;
}

static void
look_for_stayed (State    *state,
                 gpointer  part)
{
  if (g_hash_table_size (state->written) > 0)
    ls_walk (part, note_stayed, NULL, state->written);
}

/* The normal form of what will stand in the result. */
static LsExpr *
normal_form (State  *state,
             LsExpr *expr)
{
  LsExpr *normal = ls_analyzer_simplify (state->analyzer, expr);

  look_for_stayed (state, normal);
  return normal;
}

static LsExpr *
simplify_expr (State  *state,
               LsExpr *expr)
{
  g_autoptr (LsExpr) known = NULL;

  if (state->knowns == NULL || !state->in_expressions)
    return normal_form (state, expr);
  known = ls_knowns_apply (state->knowns, expr, state->analyzer);
  return normal_form (state, known);
}

/* ---- what is known before ------------------------------------------------- */

static void
mark_shapes (LsPrimFunc *func,
             LsAnalyzer *analyzer)
{
  for (guint i = 0; i < ls_array_n (func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (func->buffers, i, LsBuffer);

      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        ls_analyzer_mark_global_non_neg (analyzer, ls_array_at (buffer->shape, k, LsExpr));
    }
}

/* ---- statements ------------------------------------------------------------ */

/* The variable that a statement makes or is about, which is not replaced by what it is known to be. */
static LsVar *
get_binder (LsNode *node)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR:
      return ((LsFor *) node)->loop_var;
    case LS_KIND_ITER_VAR:
      return ((LsIterVar *) node)->var;
    case LS_KIND_ALLOCATE:
      return ((LsAllocate *) node)->buffer_var;
    case LS_KIND_ALLOCATE_CONST:
      return ((LsAllocateConst *) node)->buffer_var;
    case LS_KIND_ATTR_STMT:
      return ls_is_var (((LsAttrStmt *) node)->subject) ? (LsVar *) ((LsAttrStmt *) node)->subject : NULL;
    default:
      return NULL;
    }
}

static LsNode *
rewrite_inside (LsRewriter *rewriter,
                LsNode     *node,
                State      *state)
{
  LsVar *binder = get_binder (node);

  if (binder != NULL)
    state->binder = binder;
  return ls_rewrite_default (rewriter, node);
}

static LsNode *
simplify_let (LsRewriter *rewriter,
              LsLetStmt  *node,
              State      *state)
{
  g_autoptr (LsExpr) value = normal_form (state, node->value);
  gboolean pure = ls_is_pure (node->value);
  gboolean simple = ls_is (node->value, INT_IMM) || ls_is (node->value, FLOAT_IMM) || ls_is_var (node->value)
                    || (ls_dtype_is_int (ls_dtype (node->value)) && pure);
  gboolean is_written = simple && !g_hash_table_contains (state->in_buffers, node->var);
  gboolean again = g_hash_table_contains (state->written, node->var), stayed;
  LsStmt *body;

  ls_scope_name (state->analyzer, LS_NODE (node));
  if (is_written)
    g_hash_table_insert (state->written, node->var, again ? node->var : NULL);
  if (simple)
    ls_scope_let (state->analyzer, node->var, value);
  else if (pure)
    g_hash_table_insert (state->kept, node->var, ls_ref (value));
  else
    ls_scope_let (state->analyzer, node->var, node->value);
  body = ls_rewrite (rewriter, node->body);
  if (state->knowns != NULL)
    ls_knowns_leave_name (state->knowns, node->var);
  stayed = g_hash_table_lookup (state->written, node->var) != NULL;
  if (!again)
    g_hash_table_remove (state->written, node->var);
  if (is_written && (!stayed || !ls_uses (body, node->var)))    /* it may have stayed in what was left out */
    return LS_NODE (body);
  if (value == node->value && body == node->body)
    {
      ls_unref (body);
      return ls_node_ref (LS_NODE (node));
    }
  return ls_node_set_span (ls_let_stmt_new (ls_ref (node->var), g_steal_pointer (&value), body), node->node.span);
}

/* The condition in its normal form; TRUE when it is a constant with what is known here. */
static gboolean
is_known (LsExpr  *condition,
          State   *state,
          gint64  *known,
          LsExpr **normal)
{
  g_autoptr (LsExpr) bound = (LsExpr *) ls_substitute (condition, state->kept);
  g_autoptr (LsExpr) full = state->knowns != NULL ? ls_knowns_apply (state->knowns, bound, state->analyzer) : ls_ref (bound);
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (state->analyzer, full);

  *normal = simplify_expr (state, condition);
  return ls_as_int (simple, known) || ls_as_int (*normal, known);
}

static LsNode *
simplify_if (LsRewriter   *rewriter,
             LsIfThenElse *node,
             State        *state)
{
  g_autoptr (LsExpr) condition = NULL;
  g_autoptr (LsExpr) not = NULL;
  LsExpr *real;
  LsStmt *then_case;
  LsStmt *else_case = NULL;
  LsKnowns *before, *after;
  gint64 known;

  if (is_known (node->condition, state, &known, &condition))
    {
      if (known != 0)
        return ls_rewrite (rewriter, node->then_case);
      return node->else_case != NULL ? ls_rewrite (rewriter, node->else_case) : ls_evaluate_zero ();
    }
  real = ls_is_call (condition, "tir.likely") ? ls_array_at (((LsCall *) condition)->args, 0, LsExpr) : condition;
  before = state->knowns != NULL ? ls_knowns_copy (state->knowns) : NULL;
  if (state->knowns != NULL)
    ls_knowns_assume (state->knowns, real);
  then_case = (LsStmt *) ls_scope_under (rewriter, node->then_case, real, state->analyzer);
  after = state->knowns;
  state->knowns = before;
  if (node->else_case != NULL)
    {
      g_autoptr (LsExpr) negation = ls_not (ls_ref (real));

      not = ls_analyzer_rewrite_simplify (state->analyzer, negation);
      else_case = (LsStmt *) ls_scope_under (rewriter, node->else_case, not, state->analyzer);
    }
  if (after != NULL)
    {
      ls_knowns_merge (after, state->knowns, real);
      ls_knowns_free (state->knowns);
      state->knowns = after;
    }
  if (condition == node->condition && then_case == node->then_case && else_case == node->else_case)
    {
      ls_unref (then_case);
      ls_unref (else_case);
      return ls_node_ref (LS_NODE (node));
    }
  return ls_node_set_span (ls_if_then_else_new (g_steal_pointer (&condition), then_case, else_case), node->node.span);
}

static LsNode *
simplify_for (LsRewriter *rewriter,
              LsFor      *loop,
              State      *state)
{
  guint token = ls_scope_enter_loop (state->analyzer, loop);
  LsNode *result;

  if (state->knowns != NULL)
    ls_knowns_enter_loop (state->knowns, loop, state->analyzer);
  result = rewrite_inside (rewriter, LS_NODE (loop), state);
  ls_scope_leave (state->analyzer, token);
  ls_analyzer_leave_var (state->analyzer, loop->loop_var);
  if (state->knowns != NULL)
    ls_knowns_leave_loop (state->knowns, loop, state->analyzer);
  return result;
}

static LsNode *
simplify_thread (LsRewriter *rewriter,
                 LsAttrStmt *attr,
                 State      *state)
{
  g_autoptr (LsNode) body = NULL;

  ls_scope_bind (state->analyzer, LS_NODE (attr), LS_SCOPE_THREADS);
  body = ls_rewrite (rewriter, attr->body);
  ls_analyzer_leave_var (state->analyzer, ((LsIterVar *) attr->subject)->var);
  if (state->knowns != NULL)
    ls_knowns_leave_name (state->knowns, ((LsIterVar *) attr->subject)->var);
  return ls_attr_stmt_new (ls_ref (attr->subject), attr->attr_key, normal_form (state, attr->value), ls_ref (body));
}

static LsNode *
simplify_assert (LsRewriter   *rewriter,
                 LsAssertStmt *node,
                 State        *state)
{
  g_autoptr (LsExpr) condition = normal_form (state, node->condition);
  LsStmt *body = (LsStmt *) ls_scope_under (rewriter, node->body, condition, state->analyzer);

  return ls_node_set_span (ls_assert_stmt_new (g_steal_pointer (&condition), ls_ref (node->message), body), node->node.span);
}

static gboolean
same_all (LsArray *a,
          LsArray *b)
{
  gboolean same = ls_array_n (a) == ls_array_n (b);

  for (guint i = 0; same && i < ls_array_n (a); i++)
    same = ls_deep_equal (a->items[i], b->items[i]);
  return same;
}

static gboolean
stores_itself (LsBufferStore *store)
{
  LsBufferLoad *load = (LsBufferLoad *) store->value;

  return ls_is (load, BUFFER_LOAD) && load->buffer->data == store->buffer->data && same_all (load->indices, store->indices)
         && (load->buffer == store->buffer
             || (ls_deep_equal (load->buffer->elem_offset, store->buffer->elem_offset)
                 && same_all (load->buffer->shape, store->buffer->shape)
                 && same_all (load->buffer->strides, store->buffer->strides)));
}

/* What a statement that was gone through says of buffers. */
static void
follow (State  *state,
        LsNode *node)
{
  LsEvaluate *evaluate = (LsEvaluate *) node;

  if (state->knowns == NULL)
    return;
  if (ls_is (node, BUFFER_STORE))
    ls_knowns_store (state->knowns, (LsBufferStore *) node, state->analyzer);
  else if (ls_is (node, EVALUATE) && ls_is_call (evaluate->value, "tir.assume"))
    {
      LsExpr *assumed = ls_array_at (((LsCall *) evaluate->value)->args, 0, LsExpr);

      ls_knowns_assume (state->knowns, assumed);
      ls_scope_assume (state->analyzer, assumed);
    }
  else if (ls_is (node, EVALUATE) || ls_is (node, WHILE) || ls_is (node, BLOCK))
    ls_knowns_forget (state->knowns, node, state->analyzer);
}

static LsNode *filter (LsRewriter *rewriter, LsNode *node, gpointer user_data);

/* Is the statement one that may not be carried out where what stands around it is?  An init runs in some rounds only, the body
 * of a block where its predicate holds. */
static gboolean
is_uncertain (State  *state,
              LsNode *node)
{
  if (state->knowns == NULL)
    return FALSE;
  return node == state->init || (ls_is (node, BLOCK_REALIZE) && !ls_is_one (((LsBlockRealize *) node)->predicate));
}

/* What is known after such a statement was known before it. */
static LsNode *
simplify_uncertain (LsRewriter *rewriter,
                    LsNode     *node,
                    State      *state)
{
  LsKnowns *before = ls_knowns_copy (state->knowns);
  LsNode *result;

  if (node == state->init)
    {
      state->init = NULL;
      result = filter (rewriter, node, state);
    }
  else
    {
      result = rewrite_inside (rewriter, node, state);
    }
  ls_knowns_join (state->knowns, before);
  ls_knowns_free (before);
  return result;
}

/* A sequence in which something changed, without what does nothing (TVM's SeqStmt::Flatten). Takes it. */
static LsNode *
flatten (LsNode *seq)
{
  LsArray *parts = ((LsSeqStmt *) seq)->seq;
  GPtrArray *kept = g_ptr_array_new ();

  for (guint i = 0; i < parts->n; i++)
    if (!ls_is (parts->items[i], EVALUATE) || !ls_is_zero (((LsEvaluate *) parts->items[i])->value))
      g_ptr_array_add (kept, ls_node_ref (parts->items[i]));
  if (kept->len == parts->n)
    {
      g_ptr_array_set_free_func (kept, (GDestroyNotify) ls_node_unref);
      g_ptr_array_unref (kept);
      return seq;
    }
  ls_unref (seq);
  if (kept->len > 0)
    return LS_NODE (ls_seq (ls_array_take_ptr_array (kept)));
  g_ptr_array_unref (kept);
  return ls_evaluate_zero ();
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;

  if (ls_is_var (node) && (LsVar *) node == state->binder)
    {
      state->binder = NULL;
      return ls_node_ref (node);
    }
  if (ls_is_expr (node))
    return LS_NODE (ls_is_call (node, "tir.assume") ? normal_form (state, LS_EXPR (node)) : simplify_expr (state, LS_EXPR (node)));
  if (ls_is (node, MAP) || ls_is (node, BUFFER))
    {
      look_for_stayed (state, node);
      return ls_node_ref (node);
    }
  if (is_uncertain (state, node))
    return simplify_uncertain (rewriter, node, state);
  if (ls_is (node, IF_THEN_ELSE))
    return simplify_if (rewriter, (LsIfThenElse *) node, state);
  if (ls_is (node, LET_STMT))
    return simplify_let (rewriter, (LsLetStmt *) node, state);
  if (ls_is (node, ASSERT_STMT))
    return simplify_assert (rewriter, (LsAssertStmt *) node, state);
  if (ls_is (node, FOR))
    return simplify_for (rewriter, (LsFor *) node, state);
  if (ls_is (node, ATTR_STMT) && ls_is (((LsAttrStmt *) node)->subject, ITER_VAR)
      && (g_str_equal (((LsAttrStmt *) node)->attr_key, "thread_extent") || g_str_equal (((LsAttrStmt *) node)->attr_key, "virtual_thread")))
    return simplify_thread (rewriter, (LsAttrStmt *) node, state);
  ls_scope_bind (state->analyzer, node, LS_SCOPE_BLOCKS);
  if (ls_is (node, BLOCK))
    state->init = LS_NODE (((LsBlock *) node)->init);
  if (state->knowns != NULL && (ls_is (node, WHILE) || ls_is (node, BLOCK)))
    ls_knowns_forget (state->knowns, node, state->analyzer);
  result = rewrite_inside (rewriter, node, state);
  for (guint i = 0; ls_is (node, BLOCK) && i < ls_array_n (((LsBlock *) node)->iter_vars); i++)
    ls_analyzer_leave_var (state->analyzer, ls_array_at (((LsBlock *) node)->iter_vars, i, LsIterVar)->var);
  if (ls_is (result, SEQ_STMT) && result != node)
    return flatten (result);
  if (state->knowns != NULL && ls_is (node, BLOCK_REALIZE))
    ls_knowns_leave_block (state->knowns, (LsBlockRealize *) node);
  if (!ls_is (result, BUFFER_STORE) || !stores_itself ((LsBufferStore *) result))
    follow (state, result);
  if (!ls_is (result, BUFFER_STORE) || !stores_itself ((LsBufferStore *) result))
    return result;
  ls_unref (result);
  return ls_evaluate_zero ();
}

LsPrimFunc *
ls_pass_simplify_with (LsPrimFunc  *func,
                       guint        extensions)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) kept = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) in_buffers = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) body = NULL;
  State state = { analyzer, kept, in_buffers, written, NULL, NULL, NULL, (extensions & LS_SIMPLIFY_KNOWNS_IN_EXPRESSIONS) != 0 };
  LsRewriter rewriter = { filter, &state, NULL, NULL };

  if ((extensions & (LS_SIMPLIFY_KNOWNS_IN_CONDITIONS | LS_SIMPLIFY_KNOWNS_IN_EXPRESSIONS)) != 0)
    state.knowns = ls_knowns_new ();
  ls_analyzer_set_extensions (analyzer, extensions & 15);
  ls_note_buffer_vars (func->body, in_buffers);
  mark_shapes (func, analyzer);
  body = state.knowns != NULL ? ls_rewrite (&rewriter, func->body) : ls_rewrite_with (func->body, filter, &state);
  ls_knowns_free (state.knowns);
  return ls_pass_with_body (func, body);
}

LsPrimFunc *
ls_pass_simplify (LsPrimFunc  *func,
                  GError     **error)
{
  return ls_pass_simplify_with (func, LS_REWRITE_NONE);
}
