/* A fault planted into loopscope-worker at link time (--wrap): what is lowered writes one element too far, where the program as it is
 * written does not.  It stands for a pass that breaks a program; `bounds` looks whether --check-bounds sees it. */
#include "engine/tir/pass/pass.h"

LsModule *__real_ls_lower_module (LsModule *module, LsPassHook hook, gpointer user_data, GError **error);
LsModule *__wrap_ls_lower_module (LsModule *module, LsPassHook hook, gpointer user_data, GError **error);

static LsNode *
too_far (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  LsBufferStore *store = (LsBufferStore *) node;

  if (!ls_is (node, BUFFER_STORE))
    return ls_rewrite_default (rewriter, node);
  return LS_NODE (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value),
                                       ls_array_of (ls_add (ls_ref (LS_EXPR (store->indices->items[0])), ls_int (1)), NULL), ls_ref (store->predicate)));
}

LsModule *
__wrap_ls_lower_module (LsModule  *module,
                        LsPassHook hook,
                        gpointer   user_data,
                        GError   **error)
{
  g_autoptr (LsModule) lowered = __real_ls_lower_module (module, hook, user_data, error);
  LsPrimFunc *func = lowered != NULL ? (LsPrimFunc *) ls_module_get (lowered, "main") : NULL;
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsPrimFunc) broken = NULL;

  if (!ls_is (func, PRIM_FUNC))
    return g_steal_pointer (&lowered);
  body = ls_rewrite_with (LS_NODE (func->body), too_far, NULL);
  broken = ls_prim_func_with_body (func, (LsStmt *) ls_ref (body));
  return ls_module_with (lowered, "main", broken);
}
