/* UnrollLoop: loops of kind unrolled with a constant extent are written out; the variable becomes its value.
 *
 * A loop of more than LS_MAX_WRITTEN_OUT statements or rounds stays a loop.  Loop
 * variables, lets and allocations inside are renewed in each copy, so that every variable keeps one definition.
 */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  GHashTable *renewed;          /* Var -> Var, Buffer -> Buffer */
} Fresh;

/* The buffer on renewed memory, if its memory is. */
static LsNode *
renew_buffer (Fresh    *fresh,
              LsBuffer *buffer)
{
  LsNode *known = g_hash_table_lookup (fresh->renewed, buffer);
  LsVar *data = g_hash_table_lookup (fresh->renewed, buffer->data);

  if (known == NULL && data != NULL)
    g_hash_table_insert (fresh->renewed, buffer, known = LS_NODE (ls_buffer_with (buffer, data, LS_VOID, NULL)));
  return ls_node_ref (known != NULL ? known : LS_NODE (buffer));
}

static LsNode *
renew_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  Fresh *fresh = user_data;
  LsVar *bound = NULL;

  if (ls_is_var (node))
    {
      LsNode *other = g_hash_table_lookup (fresh->renewed, node);

      return ls_node_ref (other != NULL ? other : node);
    }
  if (ls_is (node, BUFFER))
    return renew_buffer (fresh, (LsBuffer *) node);
  if (ls_is (node, FOR))
    bound = ((LsFor *) node)->loop_var;
  else if (ls_is (node, ALLOCATE))
    bound = ((LsAllocate *) node)->buffer_var;
  else if (ls_is (node, LET_STMT))
    bound = ((LsLetStmt *) node)->var;
  else if (ls_is (node, LET))
    bound = ((LsLet *) node)->var;
  if (bound != NULL)
    g_hash_table_insert (fresh->renewed, bound, ls_var_copy (bound, NULL));
  return ls_rewrite_default (rewriter, node);
}

static LsStmt *
copy_for (LsFor  *loop,
          gint64  i)
{
  g_autoptr (GHashTable) renewed = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Fresh fresh = { renewed };
  LsExpr *value = ls_add (ls_ref (loop->min), ls_const_int (ls_dtype (loop->loop_var), i));

  g_hash_table_insert (renewed, loop->loop_var, value);
  return ls_rewrite_with (loop->body, renew_filter, &fresh);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsNode *result;
  LsFor *loop;
  GPtrArray *copies;
  gint64 extent;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  result = ls_rewrite_default (rewriter, node);
  loop = (LsFor *) result;
  if (!ls_is (result, FOR) || loop->kind != LS_FOR_UNROLLED || !ls_as_int (loop->extent, &extent))
    return result;
  if (extent < 0 || extent > LS_MAX_WRITTEN_OUT || ls_stmt_count_written_out (loop) > LS_MAX_WRITTEN_OUT)
    return result;
  copies = g_ptr_array_new ();
  for (gint64 i = 0; i < extent; i++)
    g_ptr_array_add (copies, copy_for (loop, i));
  ls_unref (result);
  return ls_seq (ls_array_take_ptr_array (copies));
}

LsPrimFunc *
ls_pass_unroll_loop (LsPrimFunc  *func,
                     GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);

  return ls_pass_with_body (func, body);
}
