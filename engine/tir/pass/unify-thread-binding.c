/* UnifyThreadBinding: one variable for each thread axis of a kernel.
 *
 *     for a in thread (4, "threadIdx.x"): X                 for threadIdx_x in thread (4, "threadIdx.x"):
 *     for b in thread (4, "threadIdx.x"): Y          ->         X [a = threadIdx_x]; Y [b = threadIdx_x]
 *
 * A kernel begins at the outermost binding; inside it the bindings of one axis have one extent.  The loops over all axes
 * stand around the kernel in the order in which they were met; annotations of a binding go to the loop that stands where
 * it was, or to a loop of one round when none does.  Source of the concept: TVM's pass of the same name. */
#include "engine/arith/arith.h"
#include "engine/arith/pool.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  GHashTable *axes;             /* tag -> IterVar with its domain; owned */
  GPtrArray  *order;            /* the same IterVars as they were met */
  GHashTable *replaced;         /* Var -> expression; owned */
  LsAnalyzer *analyzer;
  guint       depth;
  GError     *error;
} State;

static LsIterVar *
axis_of (State      *state,
         const char *tag,
         LsIterVar  *old,
         LsExpr     *min,
         LsExpr     *extent)
{
  LsIterVar *known = g_hash_table_lookup (state->axes, tag);
  g_autoptr (LsExpr) one = NULL;
  g_autoptr (LsExpr) other = NULL;

  if (known == NULL)
    {
      known = ls_iter_var_new (ls_range_new (ls_ref (min), ls_ref (extent)), ls_var_new (tag, ls_dtype (extent)), old->iter_type, tag);
      g_hash_table_insert (state->axes, g_strdup (tag), known);
      g_ptr_array_add (state->order, ls_ref (known));
      return known;
    }
  one = ls_cast (LS_INT64, ls_ref (extent));
  other = ls_cast (LS_INT64, ls_ref (known->dom->extent));
  if (!ls_analyzer_can_prove_equal (state->analyzer, one, other) && state->error == NULL)
    {
      g_autofree char *a = ls_expr_text (known->dom->extent);
      g_autofree char *b = ls_expr_text (extent);

      g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_VALUE,
                   ls_translate ("All loops that are bound to `%s` have the same extent; there are two, of %s and %s."), tag, a, b);
    }
  return known;
}

static LsStmt *
launch (State  *state,
        LsStmt *body)
{
  for (guint i = state->order->len; i-- > 0;)
    {
      LsIterVar *axis = state->order->pdata[i];

      body = (LsStmt *) ls_for_new (ls_ref (axis->var), ls_ref (axis->dom->min), ls_ref (axis->dom->extent), LS_FOR_THREAD_BINDING, body,
                                    ls_iter_var_new (NULL, ls_var_new ("", ls_dtype (axis->var)), LS_ITER_THREAD_INDEX, axis->thread_tag), NULL);
    }
  return body;
}

/* What stands for a binding with annotations: the loop that it became has them now, else a loop of one round. (transfer full; takes body) */
static LsStmt *
annotate (LsStmt  *body,
          LsDType  dtype,
          LsMap   *annotations)
{
  g_autoptr (LsFor) loop = NULL;

  if (!ls_is (body, FOR))
    return (LsStmt *) ls_for_new (ls_var_new ("var", dtype), ls_const_int (dtype, 0), ls_const_int (dtype, 1), LS_FOR_SERIAL, body, NULL,
                                  ls_ref (annotations));
  loop = (LsFor *) body;
  return (LsStmt *) ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), ls_ref (loop->extent), loop->kind, ls_ref (loop->body),
                                loop->thread_binding != NULL ? ls_ref (loop->thread_binding) : NULL, ls_ref (annotations));
}

static LsNode *
unify (LsRewriter *rewriter,
       State      *state,
       LsVar      *var,
       LsIterVar  *old,
       LsExpr     *min,
       LsExpr     *extent,
       LsMap      *annotations,
       LsStmt     *inner)
{
  gboolean begins = state->depth == 0;
  guint depth = state->depth;
  LsIterVar *axis;
  LsStmt *body;

  if (begins)
    {
      g_hash_table_remove_all (state->axes);
      g_ptr_array_set_size (state->order, 0);
    }
  if (begins || g_str_has_prefix (old->thread_tag, "blockIdx"))
    state->depth++;
  axis = axis_of (state, old->thread_tag, old, min, extent);
  g_hash_table_insert (state->replaced, var, ls_cast (ls_dtype (var), LS_EXPR (ls_ref (axis->var))));
  body = (LsStmt *) ls_rewrite (rewriter, inner);
  state->depth = depth;
  body = begins ? launch (state, body) : body;
  return LS_NODE (annotations != NULL && annotations->n > 0 ? annotate (body, ls_dtype (var), annotations) : body);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsFor *loop = (LsFor *) node;
  LsAttrStmt *attr = (LsAttrStmt *) node;

  if (ls_is_var (node))
    {
      LsNode *other = g_hash_table_lookup (state->replaced, node);

      return ls_node_ref (other != NULL ? other : node);
    }
  if (ls_is (node, MAP))
    return ls_node_ref (node);
  if (ls_is (node, FOR) && loop->kind == LS_FOR_THREAD_BINDING && loop->thread_binding != NULL)
    return unify (rewriter, state, loop->loop_var, loop->thread_binding, loop->min, loop->extent, loop->annotations, loop->body);
  if (ls_is (node, ATTR_STMT) && ls_is (attr->subject, ITER_VAR)
      && (g_str_equal (attr->attr_key, "thread_extent") || g_str_equal (attr->attr_key, "virtual_thread")))
    {
      g_autoptr (LsExpr) zero = ls_const_int (ls_dtype (attr->value), 0);

      return unify (rewriter, state, ((LsIterVar *) attr->subject)->var, (LsIterVar *) attr->subject, zero, attr->value, NULL, attr->body);
    }
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_unify_thread_binding (LsPrimFunc  *func,
                              GError     **error)
{
  g_autoptr (GHashTable) axes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) replaced = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { axes, order, replaced, analyzer, 0, NULL };
  LsRewriter rewriter = { filter, &state, NULL, NULL };
  g_autoptr (LsNode) body = ls_rewrite (&rewriter, func->body);

  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
