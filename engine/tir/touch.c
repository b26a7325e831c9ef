/* touch: one walk with a table of what block variables stand for. */
#include "engine/tir/touch.h"

#include "engine/arith/analyzer.h"
#include "engine/tir/regions.h"

typedef struct {
  GPtrArray  *around;           /* of LsFor, LsBlock, LsBufferStore */
  GHashTable *bindings;         /* LsVar -> LsExpr in loop variables (owned) */
  LsBlock    *block;            /* the innermost */
  GPtrArray  *result;
  char      **reason;
} Collector;

static void walk_stmt (Collector *self, LsNode *node);

static void
touch_free (gpointer data)
{
  LsTouch *self = data;

  ls_unref (self->region);
  g_ptr_array_unref (self->around);
  g_free (self);
}

/* Takes region. */
static void
add (Collector      *self,
     LsBufferRegion *region,
     gboolean        is_write)
{
  LsTouch *touch = g_new0 (LsTouch, 1);
  g_autoptr (LsBufferRegion) own = region;

  touch->region = ls_buffer_region_substitute (own, self->bindings, NULL);
  touch->is_write = is_write;
  touch->around = g_ptr_array_new ();
  for (guint i = 0; i < self->around->len; i++)
    g_ptr_array_add (touch->around, self->around->pdata[i]);
  g_ptr_array_add (self->result, touch);
}

/* ---- expressions ------------------------------------------------------------- */

/* A vector index covers what lies between its ends. (transfer full) */
static LsRange *
range_of (LsExpr *index)
{
  LsRamp *ramp = (LsRamp *) index;
  gint64 stride, lanes;

  if (ls_is (index, BROADCAST))
    return range_of (((LsBroadcast *) index)->value);
  if (!ls_is (index, RAMP))
    return ls_range_new (ls_ref (index), ls_const_int (ls_dtype (index), 1));
  if (!ls_as_int (ramp->stride, &stride) || !ls_as_int (ramp->lanes, &lanes) || stride < 0)
    return ls_range_new (ls_ref (ramp->base), ls_const_int (ls_dtype (ramp->base), 1));
  return ls_range_new (ls_ref (ramp->base), ls_const_int (ls_dtype (ramp->base), (lanes - 1) * stride + 1));
}

static void
add_access (Collector *self,
            LsBuffer  *buffer,
            LsArray   *indices,
            gboolean   is_write)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (indices); i++)
    g_ptr_array_add (ranges, range_of (ls_array_at (indices, i, LsExpr)));
  add (self, ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges)), is_write);
}

/* A call goes where it wants: what the block says is all that is known. */
static void
add_declared (Collector *self)
{
  LsBlock *block = self->block;

  if (block == NULL || ls_array_n (block->reads) + ls_array_n (block->writes) == 0)
    {
      if (*self->reason == NULL)
        *self->reason = g_strdup ("a call gets the address of a buffer, and no block says what is read and written there");
      return;
    }
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    add (self, ls_ref (ls_array_at (block->reads, i, LsBufferRegion)), FALSE);
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    add (self, ls_ref (ls_array_at (block->writes, i, LsBufferRegion)), TRUE);
}

static LsWalk
visit (LsNode  *node,
       gpointer data)
{
  Collector *self = data;

  if (ls_is_call (node, "tir.tvm_access_ptr") || ls_is_call (node, "tir.address_of"))
    {
      add_declared (self);
      return LS_WALK_PRUNE;
    }
  if (ls_is (node, BUFFER_LOAD))
    add_access (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices, FALSE);
  return LS_WALK_CONTINUE;
}

/* ---- statements -------------------------------------------------------------- */

static void
enter (Collector *self,
       gpointer   node)
{
  g_ptr_array_add (self->around, node);
}

static void
leave (Collector *self)
{
  g_ptr_array_set_size (self->around, (gint) self->around->len - 1);
}

static void
bind (Collector      *self,
      LsBlockRealize *realize)
{
  LsArray *vars = realize->block->iter_vars;
  guint n = MIN (ls_array_n (vars), ls_array_n (realize->iter_values));

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (self->bindings, ls_array_at (vars, i, LsIterVar)->var, ls_substitute (realize->iter_values->items[i], self->bindings));
}

static void
walk_block (Collector      *self,
            LsBlockRealize *realize)
{
  LsBlock *before = self->block;

  bind (self, realize);
  self->block = realize->block;
  enter (self, realize->block);
  walk_stmt (self, LS_NODE (realize->block->body));
  leave (self);
  self->block = before;
}

static void
walk_store (Collector     *self,
            LsBufferStore *store)
{
  enter (self, store);
  ls_walk (store->value, visit, NULL, self);
  for (guint i = 0; i < ls_array_n (store->indices); i++)
    ls_walk (store->indices->items[i], visit, NULL, self);
  add_access (self, store->buffer, store->indices, TRUE);
  leave (self);
}

static void
walk_stmt (Collector *self,
           LsNode    *node)
{
  if (ls_is (node, BLOCK_REALIZE))
    walk_block (self, (LsBlockRealize *) node);
  else if (ls_is (node, BUFFER_STORE))
    walk_store (self, (LsBufferStore *) node);
  else if (ls_is (node, FOR))
    {
      enter (self, node);
      walk_stmt (self, LS_NODE (((LsFor *) node)->body));
      leave (self);
    }
  else
    for (guint i = 0; node != NULL && i < ls_node_get_n_children (node); i++)
      {
        LsNode *child = ls_node_get_child (node, i);

        if (ls_is_stmt (child) || ls_is (child, ARRAY))
          walk_stmt (self, child);
        else if (ls_is_expr (child))
          ls_walk (child, visit, NULL, self);
      }
}

GPtrArray *
ls_collect_touches (LsStmt  *root,
                    char   **reason)
{
  g_autoptr (GPtrArray) around = g_ptr_array_new ();
  g_autoptr (GHashTable) bindings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Collector self = { .around = around, .bindings = bindings, .result = g_ptr_array_new_with_free_func (touch_free), .reason = reason };

  walk_stmt (&self, LS_NODE (root));
  return self.result;
}
