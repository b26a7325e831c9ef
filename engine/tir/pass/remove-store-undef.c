/* RemoveStoreUndef: a store of T.undef () is no store.
 *
 *     x = T.undef ("int32")
 *     A[i] = x + 1               ->     (nothing)
 *     B[i] = 0                          B[i] = 0
 *
 * What hangs on T.undef () by way of a binding counts as such; what stands in the index of a load does not.  T.undef () in an index has no
 * meaning and is refused, as is one that is left where its value would be needed.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/pass.h"

typedef struct {
  GHashTable *variables;        /* LsVar: hangs on T.undef () */
  gboolean    found;
  LsBuffer   *refused;          /* accessed at T.undef () */
} Undefined;

static LsWalk
look (LsNode  *node,
      gpointer user_data)
{
  Undefined *self = user_data;

  if (ls_is (node, BUFFER_LOAD))
    return LS_WALK_PRUNE;
  self->found = self->found || ls_is_call (node, "tir.undef") || g_hash_table_contains (self->variables, node);
  return self->found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
reaches (Undefined *self,
         gpointer   expr)
{
  self->found = FALSE;
  ls_walk (expr, look, NULL, self);
  return self->found;
}

static void
check_indices (Undefined *self,
               LsBuffer  *buffer,
               LsArray   *indices)
{
  for (guint i = 0; i < indices->n && self->refused == NULL; i++)
    if (reaches (self, indices->items[i]))
      self->refused = buffer;
}

static LsWalk
note (LsNode  *node,
      gpointer user_data)
{
  Undefined *self = user_data;

  if (ls_is (node, LET_STMT) && reaches (self, ((LsLetStmt *) node)->value))
    g_hash_table_add (self->variables, ((LsLetStmt *) node)->var);
  else if (ls_is (node, LET) && reaches (self, ((LsLet *) node)->value))
    g_hash_table_add (self->variables, ((LsLet *) node)->var);
  else if (ls_is (node, BUFFER_LOAD))
    check_indices (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
  else if (ls_is (node, BUFFER_STORE))
    check_indices (self, ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices);
  return self->refused != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Undefined *self = user_data;

  if (ls_is (node, BUFFER_STORE) && reaches (self, ((LsBufferStore *) node)->value))
    return LS_NODE (ls_evaluate_new (ls_int (0)));
  if (ls_is (node, LET_STMT) && g_hash_table_contains (self->variables, ((LsLetStmt *) node)->var))
    return ls_rewrite (rewriter, ((LsLetStmt *) node)->body);
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

static LsWalk
find_left (LsNode  *node,
           gpointer found)
{
  *(gboolean *) found = *(gboolean *) found || ls_is_call (node, "tir.undef");
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsPrimFunc *
ls_pass_remove_store_undef (LsPrimFunc  *func,
                            GError     **error)
{
  g_autoptr (GHashTable) variables = g_hash_table_new (NULL, NULL);
  Undefined self = { variables, FALSE, NULL };
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsPrimFunc) without = NULL;
  gboolean left = FALSE;

  ls_walk (func->body, note, NULL, &self);
  if (self.refused != NULL)
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("T.undef() in the indices of an access to %s: an index has to have a value."),
                   self.refused->name);
      return NULL;
    }
  body = ls_rewrite_with (func->body, filter, &self);
  ls_walk (body, find_left, NULL, &left);
  if (left)
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("T.undef() is only offered as the value that a store or a binding hangs on."));
      return NULL;
    }
  without = ls_pass_with_body (func, body);
  return ls_pass_remove_no_op (without, NULL, error);
}
