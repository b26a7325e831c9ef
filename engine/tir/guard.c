/* guard: see the header.
 *
 * Compiled code compares every index that was read from memory with the extent of its buffer.  Once a buffer is flat there is one index
 * left, and x[i, y[i]] one column past the end of row i is the first of row i + 1: inside of the buffer, and wrong.  So before buffers
 * become flat
 *
 *   x[i, y[i]]  ->  x[i, T.Select(0 <= y[i] and y[i] < m, y[i], 0 - n * m)]      of x: (n, m)
 *
 * for what leaves its dimension the flat index is below 0, whatever the other indices are, and the comparison of the code finds it.
 * An index that is loaded by a guarded index is bound first, x[T.Let(T.Select(0 <= v and v < n, v, 0 - n), where={v: y[T.Select(...)]})]: three
 * copies of each, one in the other, would grow as 3 to the power of their number.
 * Buffers with strides of their own do not become flat that way and are left alone.  It is no pass of TVM's and not listed among them. */
#include "engine/tir/guard.h"

typedef struct {
  GHashTable *data;             /* Var that is bound to what memory holds */
} Guard;

static LsWalk
look_for_data (LsNode   *node,
               gpointer  user_data)
{
  Guard *self = user_data;

  return ls_is (node, BUFFER_LOAD) || g_hash_table_contains (self->data, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_data (Guard  *self,
         LsExpr *expr)
{
  return !ls_walk (expr, look_for_data, NULL, self);
}

static LsWalk
note_lets (LsNode   *node,
           gpointer  user_data)
{
  Guard *self = user_data;

  if (ls_is (node, LET_STMT) && is_data (self, ((LsLetStmt *) node)->value))
    g_hash_table_add (self->data, ((LsLetStmt *) node)->var);
  else if (ls_is (node, LET) && is_data (self, ((LsLet *) node)->value))
    g_hash_table_add (self->data, ((LsLet *) node)->var);
  return LS_WALK_CONTINUE;
}

/* The type in which the product of the extents up to this dimension is a number: that of the index, or int64. */
static LsDType
type_for (LsBuffer *buffer,
          guint     dim,
          LsDType   t)
{
  gint64 product = 1, extent;

  for (guint i = 0; i <= dim; i++)
    if (ls_as_int (buffer->shape->items[i], &extent) && extent > 0)
      product = product > G_MAXINT32 / extent ? (gint64) G_MAXINT32 + 1 : product * extent;
  return product > G_MAXINT32 ? LS_INT64 : t;
}

/* 0 - the product of the extents up to this dimension. */
static LsExpr *
far_below (LsBuffer *buffer,
           guint     dim,
           LsDType   t)
{
  LsExpr *product = ls_const_int (t, 1);

  for (guint i = 0; i <= dim; i++)
    product = ls_mul (product, ls_cast (t, ls_ref (ls_array_at (buffer->shape, i, LsExpr))));
  return ls_sub (ls_const_int (t, 0), product);
}

static LsExpr *
select_inside (LsBuffer *buffer,
               guint     dim,
               LsExpr   *index)
{
  LsDType t = ls_dtype (index), wide = type_for (buffer, dim, t);
  LsExpr *extent = ls_cast (t, ls_ref (ls_array_at (buffer->shape, dim, LsExpr)));
  LsExpr *inside = ls_and (ls_le (ls_const_int (t, 0), ls_ref (index)), ls_lt (ls_ref (index), extent));

  return ls_select_new (inside, ls_cast (wide, ls_ref (index)), far_below (buffer, dim, wide));
}

static LsWalk
look_for_choice (LsNode   *node,
                 gpointer  user_data)
{
  return ls_is (node, SELECT) || ls_is (node, LET) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static LsExpr *
guarded (LsBuffer *buffer,
         guint     dim,
         LsExpr   *index)
{
  LsVar *var;

  if (ls_walk (index, look_for_choice, NULL, NULL))
    return select_inside (buffer, dim, index);
  var = ls_var_new ("at", ls_dtype (index));
  return ls_let_new (var, ls_ref (index), select_inside (buffer, dim, LS_EXPR (var)));
}

/* (transfer full); NULL: they stay */
static LsArray *
guard_all (Guard    *self,
           LsBuffer *buffer,
           LsArray  *indices)
{
  GPtrArray *all;
  gboolean changed = FALSE;

  if (indices->n < 2 || indices->n != buffer->shape->n || ls_array_n (buffer->strides) > 0)
    return NULL;
  all = g_ptr_array_new ();
  for (guint i = 0; i < indices->n; i++)
    {
      LsExpr *index = ls_array_at (indices, i, LsExpr);
      gboolean due = ls_dtype (index).lanes == 1 && ls_dtype_is_int (ls_dtype (index)) && ls_dtype (index).bits >= 32 && is_data (self, index);

      g_ptr_array_add (all, due ? guarded (buffer, i, index) : ls_ref (index));
      changed |= due;
    }
  if (changed)
    return ls_array_take_ptr_array (all);
  g_ptr_array_foreach (all, (GFunc) ls_node_unref, NULL);
  g_ptr_array_free (all, TRUE);
  return NULL;
}

static LsNode *
guard (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  g_autoptr (LsNode) inner = ls_rewrite_default (rewriter, node);
  LsArray *indices;

  if (ls_is (inner, BUFFER_LOAD))
    {
      LsBufferLoad *load = (LsBufferLoad *) inner;

      indices = guard_all (user_data, load->buffer, load->indices);
      if (indices != NULL)
        return LS_NODE (ls_buffer_load_new (ls_ref (load->buffer), indices, ls_ref (load->predicate)));
    }
  else if (ls_is (inner, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) inner;

      indices = guard_all (user_data, store->buffer, store->indices);
      if (indices != NULL)
        return LS_NODE (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value), indices, ls_ref (store->predicate)));
    }
  return g_steal_pointer (&inner);
}

LsPrimFunc *
ls_guard_indices (LsPrimFunc *func)
{
  Guard self = { g_hash_table_new (NULL, NULL) };
  g_autoptr (LsNode) body = NULL;

  ls_walk (func->body, note_lets, NULL, &self);
  body = ls_rewrite_with (func->body, guard, &self);
  g_hash_table_unref (self.data);
  return body == LS_NODE (func->body) ? ls_ref (func) : ls_prim_func_with_body (func, body);
}
