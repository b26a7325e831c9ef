/* CombineContextCall: what T.tvm_thread_context holds is asked once, outside of the loops.
 *
 *     for i in range (n):                                       ctx_cache_: T.handle = f (0)
 *         g (T.tvm_thread_context (f (0)))             ->       for i in range (n):
 *                                                                   g (ctx_cache_)
 *
 * Equal contexts are one.  Each thread has a context of its own, so that they are asked inside of parallel loops and of threads of a
 * device.  Functions of a host only, as their target says.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  GPtrArray *contexts;          /* of LsExpr */
  GPtrArray *vars;              /* of LsVar, the one for each */
} Contexts;

static LsNode *filter (LsRewriter *rewriter, LsNode *node, gpointer user_data);

/* The variable of a context. (transfer full) */
static LsNode *
variable_of (Contexts *self,
             LsExpr   *context)
{
  guint i = 0;

  while (i < self->contexts->len && !ls_structural_equal (self->contexts->pdata[i], context, FALSE, NULL, NULL))
    i++;
  if (i == self->contexts->len)
    {
      g_ptr_array_add (self->contexts, ls_node_ref (LS_NODE (context)));
      g_ptr_array_add (self->vars, ls_var_new ("ctx_cache_", ls_dtype (context)));
    }
  return ls_node_ref (self->vars->pdata[i]);
}

/* The body with its contexts bound in front. (transfer full) */
static LsStmt *
with_contexts (LsStmt *body)
{
  g_autoptr (GPtrArray) contexts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Contexts self = { contexts, vars };
  LsStmt *now = (LsStmt *) ls_rewrite_with (body, filter, &self);

  for (guint i = contexts->len; i > 0; i--)
    now = ls_let_stmt_new (ls_ref ((LsVar *) vars->pdata[i - 1]), ls_ref (LS_EXPR (contexts->pdata[i - 1])), now);
  return now;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  LsFor *loop = (LsFor *) node;

  if (ls_is_call (node, "tir.tvm_thread_context") && ((LsCall *) node)->args->n == 1)
    return variable_of (user_data, ls_array_at (((LsCall *) node)->args, 0, LsExpr));
  if (ls_is_attr (node, "thread_extent") || ls_is_attr (node, "coproc_uop_scope"))
    return LS_NODE (ls_attr_stmt_new (ls_node_ref (attr->subject), attr->attr_key, ls_ref (attr->value), with_contexts (attr->body)));
  if (ls_is (node, FOR) && loop->kind == LS_FOR_PARALLEL)
    {
      g_autoptr (LsNode) body = LS_NODE (with_contexts (loop->body));

      return LS_NODE (ls_for_with_body (loop, (LsStmt *) body));
    }
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_combine_context_call (LsPrimFunc  *func,
                              GError     **error)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  g_autoptr (LsNode) body = NULL;

  if (target == NULL || ls_target_device_type (target) != 1)
    return ls_ref (func);
  body = LS_NODE (with_contexts (func->body));
  return ls_pass_with_body (func, body);
}
