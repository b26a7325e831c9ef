/* TransformMmaBufferLayout: what the tensor cores of a warp hold becomes registers of each thread.
 *
 *     C = T.alloc_buffer ((32, 24), scope="m16n8k8.matrixC")  ->  C = T.alloc_buffer ((2, 3, 2, 2), scope="local")
 *     C[i, j]                                                 ->  C[i // 8 // 2, j // 8, i // 8 % 2, j % 8 % 2]
 *
 * Memory of the scopes m16n8k8.matrixA, .matrixB and .matrixC is made of blocks (32 x 8, 8 x 32 and 16 x 8), of which a thread has a few elements.  A thread
 * accesses those elements of matrixC that it has; A and B are only handed on, to instructions that know the order.  Source of the concept: TVM's pass of the
 * same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <inttypes.h>

/* Rows and columns of a block, and the shape of what a thread has of it. */
typedef struct {
  const char *scope;
  gint64      rows, columns, own_rows, own_columns;
} Kind;

static const Kind KINDS[] = {
  { "m16n8k8.matrixA", 32, 8, 4, 2 }, { "m16n8k8.matrixB", 8, 32, 1, 8 }, { "m16n8k8.matrixC", 16, 8, 2, 2 },
};

typedef struct {
  GHashTable *fresh;            /* LsBuffer, or its data LsVar -> what stands for it; owned */
  GError     *error;
} State;

static const Kind *
kind_of (LsBuffer *buffer)
{
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    if (g_str_equal (ls_buffer_scope (buffer), KINDS[i].scope))
      return &KINDS[i];
  return NULL;
}

static void
fail (State      *state,
      LsBuffer   *buffer,
      const char *format,
      ...)
{
  g_autofree char *rule = NULL;
  va_list args;

  if (state->error != NULL)
    return;
  va_start (args, format);
  rule = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The buffer `%s` of the scope %s %s"), buffer->name, ls_buffer_scope (buffer), rule);
}

static void
note_registers (State    *state,
                LsBuffer *buffer)
{
  const Kind *kind = kind_of (buffer);
  guint n = buffer->shape->n;
  gint64 rows, columns;
  GPtrArray *shape;
  LsVar *data;

  if (kind == NULL)
    return;
  if (n < 2 || !ls_as_int (buffer->shape->items[n - 2], &rows) || !ls_as_int (buffer->shape->items[n - 1], &columns) || rows % kind->rows != 0 || columns % kind->columns != 0)
    {
      fail (state, buffer, LS_TEXT ("is made of blocks of %" PRId64 " x %" PRId64 ", a whole number of them, which is known."), kind->rows, kind->columns);
      return;
    }
  shape = g_ptr_array_new ();
  for (guint d = 0; d + 2 < n; d++)
    g_ptr_array_add (shape, ls_ref (buffer->shape->items[d]));
  for (guint i = 0; i < 4; i++)
    {
      const gint64 extents[] = { rows / kind->rows, columns / kind->columns, kind->own_rows, kind->own_columns };

      g_ptr_array_add (shape, ls_const_int (ls_dtype (buffer->shape->items[n - 1]), extents[i]));
    }
  data = ls_pointer_var_new (buffer->name, buffer->dtype, "local");
  g_hash_table_insert (state->fresh, buffer->data, ls_ref (data));
  g_hash_table_insert (state->fresh, buffer, ls_buffer_new_full (data, buffer->dtype, ls_array_take_ptr_array (shape), NULL, NULL, buffer->name, buffer->data_alignment,
                                                                 buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators)));
}

static LsWalk
find_registers (LsNode   *node,
                gpointer  data)
{
  LsBlock *block = (LsBlock *) node;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  for (guint i = 0; ls_is (node, BLOCK) && i < block->alloc_buffers->n; i++)
    note_registers (data, ls_array_at (block->alloc_buffers, i, LsBuffer));
  return LS_WALK_CONTINUE;
}

/* Where an element of matrixC is in the registers of the thread that has it. (transfer full) */
static LsArray *
place_of (State      *state,
          LsRewriter *rewriter,
          LsBuffer   *buffer,
          LsArray    *indices)
{
  g_autoptr (LsExpr) row = NULL, column = NULL;
  LsDType dtype;

  if (!g_str_equal (ls_buffer_scope (buffer), "m16n8k8.matrixC"))
    fail (state, buffer, LS_TEXT ("is handed to ldmatrix and mma by its pointer; its elements have no place of their own."));
  else if (indices->n != 2)
    fail (state, buffer, LS_TEXT ("is accessed by two indices."));
  if (state->error != NULL)
    return ls_ref (indices);
  row = (LsExpr *) ls_rewrite (rewriter, indices->items[0]);
  column = (LsExpr *) ls_rewrite (rewriter, indices->items[1]);
  dtype = ls_dtype (row);
  return ls_array_of (ls_floordiv (ls_floordiv (ls_ref (row), ls_const_int (dtype, 8)), ls_const_int (dtype, 2)),
                      ls_floordiv (ls_ref (column), ls_const_int (ls_dtype (column), 8)),
                      ls_floormod (ls_floordiv (ls_ref (row), ls_const_int (dtype, 8)), ls_const_int (dtype, 2)),
                      ls_floormod (ls_floormod (ls_ref (column), ls_const_int (ls_dtype (column), 8)), ls_const_int (ls_dtype (column), 2)), NULL);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsBufferStore *store = (LsBufferStore *) node;
  LsNode *fresh;

  if (state->error != NULL || ls_is (node, BUFFER_REGION))      /* a block's regions are told of the matrix */
    return ls_node_ref (node);
  if (ls_is (node, BUFFER) || ls_is_var (node))
    {
      fresh = g_hash_table_lookup (state->fresh, node);
      return fresh != NULL ? ls_node_ref (fresh) : ls_node_ref (node);
    }
  if (ls_is (node, BUFFER_LOAD) && (fresh = g_hash_table_lookup (state->fresh, load->buffer)) != NULL)
    return ls_node_set_span (ls_buffer_load_new ((LsBuffer *) ls_node_ref (fresh), place_of (state, rewriter, load->buffer, load->indices), ls_ref (load->predicate)),
                             node->span);
  if (ls_is (node, BUFFER_STORE) && (fresh = g_hash_table_lookup (state->fresh, store->buffer)) != NULL)
    return ls_node_set_span (ls_buffer_store_new ((LsBuffer *) ls_node_ref (fresh), (LsExpr *) ls_rewrite (rewriter, store->value),
                                                  place_of (state, rewriter, store->buffer, store->indices), ls_ref (store->predicate)), node->span);
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_transform_mma_buffer_layout (LsPrimFunc  *func,
                                     GError     **error)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { table, NULL };
  g_autoptr (LsNode) body = NULL;

  ls_walk (func->body, find_registers, NULL, &state);
  if (state.error == NULL && g_hash_table_size (table) == 0)
    return ls_ref (func);
  if (state.error == NULL)
    body = ls_rewrite_with (func->body, filter, &state);
  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
