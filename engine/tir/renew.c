/* renew: a statement or function with variables and buffers of its own.
 *
 * What a statement defines (loop variables, bindings, allocations, block iterators and their buffers) is collected first,
 * then every buffer that lies on such a variable or has one in its shape, then all are replaced at once.  Variables that are
 * given values (parameters, when a function is put where it is called) go the same way.  Threads belong to the whole
 * kernel and stay.  Source of the concept: TVM's RenewDefs and ConvertSSA. */
#include "engine/tir/renew.h"

static void
renew_var (GHashTable *table,
           LsVar      *var)
{
  if (!g_hash_table_contains (table, var))
    g_hash_table_insert (table, var, ls_var_copy (var, NULL));
}

static void
renew_if_var (GHashTable *table,
              LsExpr     *expr)
{
  if (ls_is_var (expr))
    renew_var (table, (LsVar *) expr);
}

/* The variables of a buffer that stand for its place in memory. */
static void
renew_view (GHashTable *table,
            LsBuffer   *buffer)
{
  renew_var (table, buffer->data);
  renew_if_var (table, buffer->elem_offset);
  for (guint i = 0; i < ls_array_n (buffer->strides); i++)
    renew_if_var (table, ls_array_at (buffer->strides, i, LsExpr));
}

static void
renew_block (GHashTable *table,
             LsBlock    *block)
{
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    renew_var (table, ls_array_at (block->iter_vars, i, LsIterVar)->var);
  for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
    renew_var (table, ls_array_at (block->alloc_buffers, i, LsBuffer)->data);
  for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
    renew_view (table, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer);
}

static LsWalk
note_definitions (LsNode   *node,
                  gpointer  user_data)
{
  GHashTable *table = user_data;

  if (ls_is (node, FOR))
    renew_var (table, ((LsFor *) node)->loop_var);
  else if (ls_is (node, LET_STMT))
    renew_var (table, ((LsLetStmt *) node)->var);
  else if (ls_is (node, LET))
    renew_var (table, ((LsLet *) node)->var);
  else if (ls_is (node, ALLOCATE))
    renew_var (table, ((LsAllocate *) node)->buffer_var);
  else if (ls_is (node, ALLOCATE_CONST))
    renew_var (table, ((LsAllocateConst *) node)->buffer_var);
  else if (ls_is (node, BLOCK))
    renew_block (table, (LsBlock *) node);
  return LS_WALK_CONTINUE;
}

static LsArray *
replaced_all (LsArray    *exprs,
              GHashTable *table,
              gboolean   *changed)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (exprs); i++)
    {
      g_ptr_array_add (items, ls_substitute (exprs->items[i], table));
      *changed = *changed || items->pdata[i] != exprs->items[i];
    }
  return ls_array_take_ptr_array (items);
}

LsBuffer *
ls_buffer_replace (LsBuffer   *self,
                   GHashTable *table)
{
  gboolean changed = FALSE;
  g_autoptr (LsArray) shape = replaced_all (self->shape, table, &changed);
  g_autoptr (LsArray) strides = replaced_all (self->strides, table, &changed);
  g_autoptr (LsNode) data = ls_substitute (self->data, table);
  g_autoptr (LsNode) offset = ls_substitute (self->elem_offset, table);

  if (!changed && data == LS_NODE (self->data) && offset == LS_NODE (self->elem_offset))
    return ls_ref (self);
  return ls_buffer_new_full (ls_is_var (data) ? (LsVar *) g_steal_pointer (&data) : ls_ref (self->data), self->dtype, g_steal_pointer (&shape),
                             g_steal_pointer (&strides), (LsExpr *) g_steal_pointer (&offset), self->name, self->data_alignment, self->offset_factor,
                             self->buffer_type, ls_ref (self->axis_separators));
}

static LsWalk
note_buffers (LsNode   *node,
              gpointer  user_data)
{
  GHashTable *table = user_data;
  LsBuffer *buffer = (LsBuffer *) node;
  LsBuffer *fresh;

  if (!ls_is (node, BUFFER) || g_hash_table_contains (table, node))
    return LS_WALK_CONTINUE;
  fresh = ls_buffer_replace (buffer, table);
  if (fresh != buffer)
    g_hash_table_insert (table, buffer, ls_ref (fresh));
  ls_unref (fresh);
  return LS_WALK_CONTINUE;
}

void
ls_buffers_replace (gpointer    node,
                    GHashTable *table)
{
  ls_walk (node, note_buffers, NULL, table);
}

LsStmt *
ls_stmt_renew (LsStmt     *stmt,
               GHashTable *table)
{
  ls_walk (stmt, note_definitions, NULL, table);
  ls_buffers_replace (stmt, table);
  return (LsStmt *) ls_substitute (stmt, table);
}

LsPrimFunc *
ls_prim_func_renew_definitions (LsPrimFunc *func)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *params = g_ptr_array_new (), *buffers = g_ptr_array_new ();
  LsStmt *body;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      renew_var (table, ls_array_at (func->params, i, LsVar));
      if (buffer != NULL)
        renew_view (table, buffer);
      for (guint k = 0; buffer != NULL && k < ls_array_n (buffer->shape); k++)
        renew_if_var (table, ls_array_at (buffer->shape, k, LsExpr));
    }
  if (func->buffers != NULL)
    ls_walk (func->buffers, note_buffers, NULL, table);
  body = ls_stmt_renew (func->body, table);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      g_ptr_array_add (params, ls_node_ref (g_hash_table_lookup (table, func->params->items[i])));
      g_ptr_array_add (buffers, buffer != NULL ? ls_node_ref (g_hash_table_lookup (table, buffer)) : NULL);
    }
  return ls_prim_func_new (ls_array_take_ptr_array (params), body, ls_ref (func->ret_type), ls_array_take_ptr_array (buffers), ls_ref (func->attrs));
}
