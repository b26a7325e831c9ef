/* reduce-exprs: an expression gives way to a part of it of its type, or to a number. */
#include "engine/script/reduce-private.h"
#include "engine/tir/tir.h"

typedef struct {
  guint    at;                  /* which expression, in the order of the walk */
  guint    choice;
  guint    n;                   /* met so far */
  gboolean done;
} Edit;

static gboolean
is_target (LsNode *node)
{
  return ls_is_expr (node) && !ls_is_var (node) && !ls_is (node, INT_IMM) && !ls_is (node, FLOAT_IMM) && !ls_is (node, STRING_IMM) &&
         ls_dtype (node).code != LS_TYPE_HANDLE;
}

/* What takes its place; NULL when there are no more choices. (transfer full) */
static LsNode *
choose (LsNode *node,
        guint   choice)
{
  LsDType t = ls_dtype (node);
  LsArray *args = ls_is (node, CALL) ? ((LsCall *) node)->args : NULL;
  LsNode *from = args != NULL ? LS_NODE (args) : node;
  guint n = ls_node_get_n_children (from);

  if (choice < 2)
    return t.lanes == 1 && (ls_dtype_is_int (t) || ls_dtype_is_uint (t) || ls_dtype_is_bool (t)) ? LS_NODE (ls_int_imm_new (t, choice))
           : t.lanes == 1 && ls_dtype_is_float (t) ? LS_NODE (ls_float_imm_new (t, choice)) : NULL;
  if (choice - 2 < n && !ls_is (node, BUFFER_LOAD))
    {
      LsNode *child = ls_node_get_child (from, choice - 2);

      return child != NULL && ls_is_expr (child) && ls_dtype_equal (ls_dtype (child), t) ? ls_node_ref (child) : NULL;
    }
  return NULL;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Edit *edit = user_data;

  if (is_target (node) && !edit->done && edit->n++ == edit->at)
    {
      LsNode *chosen = choose (node, edit->choice);

      edit->done = TRUE;
      return chosen != NULL ? chosen : ls_node_ref (node);
    }
  return ls_rewrite_default (rewriter, node);
}

/* Bodies of PrimFuncs only: what their parameters say stays. */
static LsModule *
edited (LsModule *module,
        Edit     *edit)
{
  LsModule *result = ls_ref (module);

  for (guint i = 0; i < module->functions->n && !edit->done; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);
        g_autoptr (LsNode) body = ls_rewrite_with (LS_NODE (func->body), filter, edit);
        g_autoptr (LsPrimFunc) fresh = ls_prim_func_with_body (func, (LsStmt *) body);

        if (body != LS_NODE (func->body))
          ls_take (&result, ls_module_with (result, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, fresh));
      }
  return result;
}

gboolean
ls_reduce_exprs (LsReducer *self)
{
  gboolean any = FALSE, more = TRUE;

  for (guint at = 0; more && !ls_reducer_failed (self);)
    {
      gboolean smaller = FALSE;

      more = FALSE;
      for (guint choice = 0; choice < 6 && !smaller && !ls_reducer_failed (self); choice++)
        {
          g_autoptr (LsNode) only = NULL;
          g_autoptr (LsModule) module = ls_reducer_read (ls_reducer_text (self), &only);
          Edit edit = { at, choice, 0, FALSE };
          g_autoptr (LsModule) changed = NULL;
          g_autofree char *candidate = NULL;

          if (module == NULL)
            break;
          changed = edited (module, &edit);
          more |= edit.done;
          if (changed == module)
            continue;
          candidate = ls_reducer_print (changed, only != NULL ? ls_array_at (changed->functions, 0, LsNode) : NULL);
          smaller = ls_reducer_try (self, candidate);
        }
      any |= smaller;
      at += !smaller;
    }
  return any;
}
