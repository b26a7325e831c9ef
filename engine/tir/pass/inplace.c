/* inplace: may a statement write its result over what it reads?
 *
 *     for i in range (n): B[i] = A[i] + 1          B may lie on A: every element is read where it is written, before it is
 *
 * Every load of the source stands in a store of the target with the same index and the same type; the target is never read,
 * none of the two is passed on as a pointer, no index is loaded from memory, no foreign code runs.  An element that is
 * written twice is not found: programs that store each element once are taken for granted.  Source of the concept: TVM's
 * InplaceOpVerifier. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/storage.h"

typedef struct {
  LsVar         *target;
  LsVar         *source;
  LsBufferStore *store;         /* of the target, around the place */
  guint          depth;         /* indices around the place */
} Check;

static LsWalk check (LsNode   *node,
                     gpointer  user_data);

static gboolean
check_all (Check   *self,
           gpointer node)
{
  return node == NULL || ls_walk (node, check, NULL, self);
}

static gboolean
check_indices (Check   *self,
               LsArray *indices)
{
  gboolean fine;

  self->depth++;
  fine = check_all (self, indices);
  self->depth--;
  return fine;
}

static gboolean
check_store (Check         *self,
             LsBufferStore *store)
{
  gboolean fine;

  if (!check_indices (self, store->indices))
    return FALSE;
  self->store = store->buffer->data == self->target ? store : NULL;
  fine = check_all (self, store->value);
  self->store = NULL;
  return fine;
}

static gboolean
check_load (Check        *self,
            LsBufferLoad *load)
{
  if (load->buffer->data == self->target || self->depth > 0)
    return FALSE;
  if (load->buffer->data == self->source
      && (self->store == NULL || !ls_dtype_equal (ls_dtype (self->store->value), ls_dtype (load)) || self->store->indices->n != load->indices->n
          || !ls_deep_equal (self->store->indices, load->indices)))
    return FALSE;
  return check_indices (self, load->indices);
}

static LsWalk
check (LsNode   *node,
       gpointer  user_data)
{
  Check *self = user_data;
  LsAttrStmt *attr = (LsAttrStmt *) node;
  gboolean fine;

  if (ls_is (node, BUFFER_STORE))
    fine = check_store (self, (LsBufferStore *) node);
  else if (ls_is (node, BUFFER_LOAD))
    fine = check_load (self, (LsBufferLoad *) node);
  else if (ls_is (node, ATTR_STMT))
    fine = !ls_is_attr (node, "extern_scope") && !ls_is_attr (node, "volatile_scope") && check_all (self, attr->value) && check_all (self, attr->body);
  else
    return LS_NODE (self->target) == node || LS_NODE (self->source) == node ? LS_WALK_STOP : LS_WALK_CONTINUE;
  return fine ? LS_WALK_PRUNE : LS_WALK_STOP;
}

gboolean
ls_storage_is_inplace (LsNode *stmt,
                       LsVar  *target,
                       LsVar  *source)
{
  Check self = { target, source, NULL, 0 };

  if (!ls_is (stmt, ATTR_STMT) && !ls_is (stmt, FOR) && !ls_is (stmt, IF_THEN_ELSE) && !ls_is (stmt, WHILE) && !ls_is (stmt, BUFFER_STORE))
    return FALSE;
  return ls_walk (stmt, check, NULL, &self);
}
