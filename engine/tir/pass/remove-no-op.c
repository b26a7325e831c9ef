/* RemoveNoOp: statements that do nothing go.
 *
 *   T.evaluate of something without effect; a store of what the place holds; a binding that nobody uses
 *   a loop that never runs, or around nothing; an if around nothing, or whose condition is known
 *   an allocation or attribute around nothing
 *
 * Effects of what stood in their heads (the condition of an if, the bounds of a loop) stay.  With the option
 * use_dataflow_analysis stores go too that are written over before they are read, or that write what is there already
 * (overwrites.c): first the former, until there are none, then the latter. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/overwrites.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

typedef struct {
  LsAnalyzer *analyzer;
  GHashTable *idle;             /* LsBufferStores that make no difference, or NULL */
  GHashTable *in_buffers;       /* LsVars that are the memory or a size of a buffer */
} State;

static gboolean
has_effect (LsExpr *expr)
{
  return expr != NULL && ls_side_effect (expr) >= LS_EFFECT_UPDATE_STATE;
}

static gboolean
is_nothing (LsStmt *stmt)
{
  return stmt == NULL || (ls_is (stmt, EVALUATE) && !has_effect (((LsEvaluate *) stmt)->value));
}

/* What is left of expressions whose statement goes: their effects. */
static LsNode *
effects_of (LsExpr *first,
            LsExpr *second)
{
  GPtrArray *left = g_ptr_array_new ();

  if (has_effect (first))
    g_ptr_array_add (left, ls_evaluate_new (ls_ref (first)));
  if (has_effect (second))
    g_ptr_array_add (left, ls_evaluate_new (ls_ref (second)));
  return LS_NODE (ls_seq (ls_array_take_ptr_array (left)));
}

static LsNode *
reduce_let (LsLetStmt  *let,
            GHashTable *in_buffers)
{
  if (is_nothing (let->body))
    return effects_of (let->value, NULL);
  if (ls_uses (let->body, let->var) || g_hash_table_contains (in_buffers, let->var))
    return NULL;
  if (!has_effect (let->value))
    return ls_node_ref (LS_NODE (let->body));
  return LS_NODE (ls_seq (ls_array_of (ls_evaluate_new (ls_ref (let->value)), ls_ref (let->body), NULL)));
}

static LsNode *
reduce_if (LsIfThenElse *node)
{
  gint64 known;

  if (ls_as_int (node->condition, &known))
    {
      LsStmt *taken = known != 0 ? node->then_case : node->else_case;

      return taken != NULL ? ls_node_ref (LS_NODE (taken)) : LS_NODE (ls_evaluate_zero ());
    }
  if (node->else_case == NULL)
    return is_nothing (node->then_case) ? effects_of (node->condition, NULL) : NULL;
  if (is_nothing (node->else_case))
    return is_nothing (node->then_case) ? effects_of (node->condition, NULL)
                                        : LS_NODE (ls_if_then_else_new (ls_ref (node->condition), ls_ref (node->then_case), NULL));
  return is_nothing (node->then_case) ? LS_NODE (ls_if_then_else_new (ls_not (ls_ref (node->condition)), ls_ref (node->else_case), NULL)) : NULL;
}

static LsNode *
reduce_seq (LsSeqStmt *seq)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean nested = FALSE;

  for (guint i = 0; i < seq->seq->n; i++)
    {
      nested = nested || ls_is (seq->seq->items[i], SEQ_STMT);
      if (!is_nothing (seq->seq->items[i]))
        g_ptr_array_add (kept, ls_node_ref (seq->seq->items[i]));
    }
  if (kept->len == seq->seq->n && !nested)
    {
      g_ptr_array_unref (kept);
      return NULL;
    }
  g_ptr_array_set_free_func (kept, NULL);
  return LS_NODE (ls_seq (ls_array_take_ptr_array (kept)));
}

static LsNode *
reduce_allocate (LsAllocate *allocate)
{
  LsExpr *size = allocate->extents->n > 0 ? ls_array_at (allocate->extents, 0, LsExpr) : NULL;

  return is_nothing (allocate->body) ? effects_of (size, NULL) : NULL;
}

/* A[i] = A[i] + x where x is nothing here. */
static gboolean
adds_nothing (LsBufferStore *store,
              LsAnalyzer    *analyzer)
{
  LsDType type = ls_dtype (store->value);
  g_autoptr (LsExpr) there = NULL;
  g_autoptr (LsExpr) same = NULL;
  g_autoptr (LsExpr) known = NULL;

  if (store->predicate != NULL || !(ls_dtype_is_int (type) || ls_dtype_is_uint (type)))
    return FALSE;
  there = ls_buffer_load_new (ls_ref (store->buffer), ls_ref (store->indices), NULL);
  same = ls_eq (ls_sub (ls_ref (store->value), ls_ref (there)), ls_const_int (type, 0));
  known = ls_analyzer_simplify (analyzer, same);
  return ls_is_one (known);
}

static gboolean
stores_itself (LsBufferStore *store,
               LsAnalyzer    *analyzer)
{
  LsBufferLoad *load = (LsBufferLoad *) store->value;

  if (!ls_is (load, BUFFER_LOAD) || load->buffer != store->buffer || load->indices->n != store->indices->n)
    return FALSE;
  for (guint i = 0; i < load->indices->n; i++)
    if (!ls_analyzer_can_prove_equal (analyzer, ls_array_at (load->indices, i, LsExpr), ls_array_at (store->indices, i, LsExpr)))
      return FALSE;
  return TRUE;
}

/* Less than the statement, or NULL where nothing can go. */
static LsNode *
reduce (LsNode *node,
        State  *state)
{
  LsFor *loop = (LsFor *) node;
  LsAttrStmt *attr = (LsAttrStmt *) node;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR:
      return is_nothing (loop->body) ? effects_of (loop->min, loop->extent) : NULL;
    case LS_KIND_IF_THEN_ELSE:
      return reduce_if ((LsIfThenElse *) node);
    case LS_KIND_LET_STMT:
      return reduce_let ((LsLetStmt *) node, state->in_buffers);
    case LS_KIND_ALLOCATE:
      return reduce_allocate ((LsAllocate *) node);
    case LS_KIND_ALLOCATE_CONST:
      return is_nothing (((LsAllocateConst *) node)->body) ? LS_NODE (ls_evaluate_zero ()) : NULL;
    case LS_KIND_DECL_BUFFER:
      return is_nothing (((LsDeclBuffer *) node)->body) ? LS_NODE (ls_evaluate_zero ()) : NULL;
    case LS_KIND_ATTR_STMT:
      if (g_str_equal (attr->attr_key, "pragma_debug_skip_region"))
        return LS_NODE (ls_evaluate_zero ());
      return is_nothing (attr->body) ? effects_of (attr->value, NULL) : NULL;
    case LS_KIND_EVALUATE:
      return is_nothing (LS_STMT (node)) && !ls_is_zero (((LsEvaluate *) node)->value) ? LS_NODE (ls_evaluate_zero ()) : NULL;
    case LS_KIND_SEQ_STMT:
      return reduce_seq ((LsSeqStmt *) node);
    case LS_KIND_BUFFER_STORE:
      if (stores_itself ((LsBufferStore *) node, state->analyzer) || adds_nothing ((LsBufferStore *) node, state->analyzer))
        return effects_of (((LsBufferStore *) node)->value, NULL);
      return NULL;
    default:
      return NULL;
    }
}

static LsWalk
stop_at_init (LsNode   *node,
              gpointer  user_data)
{
  if (!(node->facts & LS_FACT_HAS_BLOCK))
    return LS_WALK_PRUNE;
  return ls_is (node, BLOCK) && ((LsBlock *) node)->init != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* A reduction over nothing is its init: such a loop is something still. */
static gboolean
never_runs (LsFor      *loop,
            LsAnalyzer *analyzer)
{
  LsConstIntBound bound = ls_analyzer_const_int_bound (analyzer, loop->extent);

  return bound.max <= 0 && ls_walk (loop->body, stop_at_init, NULL, NULL);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result, *less;

  if (ls_is_expr (node) || ls_is (node, MAP))
    return ls_node_ref (node);
  if (ls_is (node, FOR) && never_runs ((LsFor *) node, state->analyzer))
    return LS_NODE (ls_evaluate_zero ());
  if (state->idle != NULL && g_hash_table_contains (state->idle, node))
    return effects_of (((LsBufferStore *) node)->value, NULL);
  result = ls_scope_rewrite (rewriter, node, state->analyzer, LS_SCOPE_LOOPS | LS_SCOPE_LETS | LS_SCOPE_CONDITIONS);
  less = reduce (result, state);
  if (less != NULL)
    ls_take (&result, less);
  return result;
}

LsStmt *
ls_stmt_remove_no_op (LsStmt     *stmt,
                      LsAnalyzer *analyzer)
{
  g_autoptr (GHashTable) in_buffers = g_hash_table_new (NULL, NULL);
  State state = { analyzer, NULL, in_buffers };

  ls_note_buffer_vars (stmt, in_buffers);
  return (LsStmt *) ls_rewrite_with (stmt, filter, &state);
}

/* Without the stores that make no difference.  Takes the body. */
static LsStmt *
remove_idle_stores (LsStmt *body)
{
  for (;;)
    {
      g_autoptr (LsOverwrites) found = ls_overwrites_new (body);
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (GHashTable) in_buffers = g_hash_table_new (NULL, NULL);
      gboolean any_dead = g_hash_table_size (found->dead) > 0;
      State state = { analyzer, any_dead ? found->dead : found->redundant, in_buffers };

      ls_note_buffer_vars (body, in_buffers);
      if (g_hash_table_size (state.idle) > 0)
        ls_take (&body, (LsStmt *) ls_rewrite_with (body, filter, &state));
      if (!any_dead)
        return body;
    }
}

LsPrimFunc *
ls_pass_remove_no_op (LsPrimFunc  *func,
                      LsMap       *options,
                      GError     **error)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsStmt *body = ls_stmt_remove_no_op (func->body, analyzer);
  LsPrimFunc *result;

  if (ls_pass_option (options, "use_dataflow_analysis", 0) != 0)
    body = remove_idle_stores (body);
  result = ls_pass_with_body (func, body);
  ls_unref (body);
  return result;
}
