/* copy-tiles: see the header.
 *
 *     for i, j in T.grid (128, 128):             for i_0, j_0 in T.grid (8, 8):
 *         A_wmma[i, j] = A_shared[i, j]    ->        with T.block ("wmma_load"):
 *                                                        src = T.match_buffer (A_shared[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16], (16, 16), ...)
 *                                                        tgt = T.match_buffer (A_wmma[...], (16, 16), ...)
 *                                                        T.tvm_load_matrix_sync (tgt.data, 16, 16, 16, number of the tile, pointer to src, s1, "row_major")
 *
 * The sums of m16n8k8 go out by tiles of 8 x 8, of which each thread has two numbers side by side:
 *
 *     for x in T.thread_binding (32, "threadIdx.x"):
 *         for lane in T.vectorized (2):
 *             tgt[x // 4, x % 4 * 2 + lane] = src[x // 4, x % 4 * 2 + lane]
 *
 * The two innermost loops are those of a tile.  A buffer whose last dimension goes with the outer of them is read by columns.  Source of the concept: TVM's
 * pass LowerAutoCopy (memhammer), its steps for wmma. */
#include "engine/tir/pass/copy-tiles.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

typedef enum { READ = 1, WRITE = 2 } Access;    /* the masks of T.tvm_access_ptr */

/* How the elements of a buffer go with the loops of a tile. */
typedef struct {
  LsBuffer *buffer;
  LsArray  *indices;            /* borrowed */
  gboolean  by_columns;
} Side;

gboolean
ls_copy_is_tiles (LsBuffer *buffer)
{
  return g_str_has_prefix (ls_buffer_scope (buffer), "wmma.") || g_str_equal (ls_buffer_scope (buffer), "m16n8k8.matrixC");
}

/* Rows and columns of a tile. */
static gint64
size_of (LsBuffer *buffer)
{
  return g_str_has_prefix (ls_buffer_scope (buffer), "wmma.") ? LS_TILE : 8;
}

/* ---- what a tile is ----------------------------------------------------------------------------- */

/* Is the expression the variable, or a sum with the variable in it once and not the other one? */
static gboolean
is_step_of (gpointer expr,
            LsVar   *var,
            LsVar   *other)
{
  LsBinary *sum = expr;

  if (expr == (gpointer) var)
    return TRUE;
  if (!ls_is (expr, ADD))
    return FALSE;
  return (is_step_of (sum->a, var, other) && !ls_uses (sum->b, var) && !ls_uses (sum->b, other))
         || (is_step_of (sum->b, var, other) && !ls_uses (sum->a, var) && !ls_uses (sum->a, other));
}

/* FALSE: the last two dimensions are not those of the two loops. */
static gboolean
read_side (LsBuffer *buffer,
           LsArray  *indices,
           LsVar    *row,
           LsVar    *column,
           Side     *out)
{
  guint n = indices->n;

  *out = (Side) { buffer, indices, FALSE };
  if (n < 2)
    return FALSE;
  for (guint d = 0; d + 2 < n; d++)
    if (ls_uses (indices->items[d], row) || ls_uses (indices->items[d], column))
      return FALSE;
  if (is_step_of (indices->items[n - 2], row, column) && is_step_of (indices->items[n - 1], column, row))
    return TRUE;
  out->by_columns = is_step_of (indices->items[n - 2], column, row) && is_step_of (indices->items[n - 1], row, column);
  return out->by_columns;
}

/* The loops of a tile, and how many tiles of `size` they go through. */
static gboolean
tile_loops (const LsCopyNest *nest,
            gint64            size,
            LsFor           **row,
            LsFor           **column,
            gint64           *rows,
            gint64           *columns)
{
  guint n = nest->loops->len;

  if (n < 2)
    return FALSE;
  *row = nest->loops->pdata[n - 2];
  *column = nest->loops->pdata[n - 1];
  if (!ls_as_int ((*row)->extent, rows) || !ls_as_int ((*column)->extent, columns) || *rows % size != 0 || *columns % size != 0)
    return FALSE;
  *rows /= size;
  *columns /= size;
  return TRUE;
}

/* min + number * size for a loop's variable. */
static LsExpr *
start_of (LsFor  *loop,
          gint64  size,
          LsExpr *number)
{
  return ls_add (ls_ref (loop->min), ls_mul (number, ls_const_int (ls_dtype (loop->loop_var), size)));
}

/* ---- the block of one tile ------------------------------------------------------------------------ */

/* What a tile touches of a buffer, with `table` for the loops' variables. (transfer full) */
static LsBufferRegion *
region_of (const Side *side,
           gint64      size,
           GHashTable *table)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint d = 0; d < side->indices->n; d++)
    {
      LsExpr *at = (LsExpr *) ls_substitute (side->indices->items[d], table);

      g_ptr_array_add (list, ls_range_new (at, ls_const_int (ls_dtype (at), d + 2 < side->indices->n ? 1 : size)));
    }
  return ls_buffer_region_new (ls_ref (side->buffer), ls_array_take_ptr_array (list));
}

/* A window of size x size elements; strides NULL: compact. Takes strides. */
static LsBuffer *
window_of (LsBuffer   *buffer,
           gint64      size,
           const char *name,
           LsArray    *strides)
{
  LsDType dtype = ls_buffer_index_dtype (buffer);
  g_autofree char *offset = g_strconcat (name, "_elem_offset", NULL);

  return ls_buffer_new_full (ls_pointer_var_new (name, buffer->dtype, ls_buffer_scope (buffer)), buffer->dtype,
                             ls_array_of (ls_const_int (dtype, size), ls_const_int (dtype, size), NULL), strides, LS_EXPR (ls_var_new (offset, dtype)), name,
                             buffer->data_alignment, size, buffer->buffer_type, NULL);
}

/* The number of the tile of a window in its buffer, counted row by row. */
static LsExpr *
number_of (LsBuffer *window,
           LsBuffer *buffer)
{
  LsDType dtype = ls_dtype (window->elem_offset);
  gint64 columns = 0;

  if (ls_as_int (buffer->shape->items[buffer->shape->n - 1], &columns) && columns > LS_TILE * LS_TILE)
    return ls_add (ls_mul (ls_floordiv (ls_ref (window->elem_offset), ls_const_int (dtype, columns * LS_TILE)), ls_const_int (dtype, columns / LS_TILE)),
                   ls_floordiv (ls_floormod (ls_ref (window->elem_offset), ls_const_int (dtype, columns)), ls_const_int (dtype, LS_TILE)));
  return ls_add (ls_floordiv (ls_ref (window->elem_offset), ls_const_int (dtype, LS_TILE * LS_TILE)),
                 ls_floordiv (ls_floormod (ls_ref (window->elem_offset), ls_const_int (dtype, LS_TILE * LS_TILE)), ls_const_int (dtype, LS_TILE)));
}

/* The instruction that loads or stores the tile of wmma. */
static LsStmt *
move_fragment (LsBuffer   *in_memory,
               LsBuffer   *in_tile,
               LsBuffer   *tiles,
               LsVar      *stride,
               Access      access,
               const char *layout)
{
  LsDType index = ls_dtype (stride);
  LsExpr *type = ls_call_op ("tir.type_annotation", in_memory->dtype, ls_array_empty ());
  LsExpr *pointer = ls_call_op ("tir.tvm_access_ptr", LS_HANDLE, ls_array_of (type, ls_ref (in_memory->data), ls_ref (in_memory->elem_offset),
                                                                              ls_mul (LS_EXPR (ls_ref (stride)), ls_const_int (index, LS_TILE)), ls_const_int (LS_INT32, access), NULL));
  LsArray *arguments = ls_array_of (ls_ref (in_tile->data), ls_const_int (LS_INT32, LS_TILE), ls_const_int (LS_INT32, LS_TILE), ls_const_int (LS_INT32, LS_TILE),
                                    number_of (in_tile, tiles), pointer, ls_ref (stride), ls_string_imm_new (layout), NULL);

  return ls_evaluate_new (ls_call_op (access == READ ? "tir.tvm_load_matrix_sync" : "tir.tvm_store_matrix_sync", LS_HANDLE, arguments));
}

/* A warp's copy of 8 x 8 numbers out of m16n8k8.matrixC: each thread has two of them. */
static LsStmt *
copy_own (LsBuffer *to,
          LsBuffer *from)
{
  LsDType dtype = ls_dtype (to->elem_offset);
  LsVar *x = ls_var_new ("x", dtype), *lane = ls_var_new ("lane", dtype);
  g_autoptr (LsArray) at = ls_array_of (ls_floordiv (LS_EXPR (ls_ref (x)), ls_const_int (dtype, 4)),
                                        ls_add (ls_mul (ls_floormod (LS_EXPR (ls_ref (x)), ls_const_int (dtype, 4)), ls_const_int (dtype, 2)), LS_EXPR (ls_ref (lane))), NULL);
  LsStmt *body = ls_buffer_store_new (ls_ref (to), LS_EXPR (ls_buffer_load_new (ls_ref (from), ls_ref (at), NULL)), ls_ref (at), NULL);

  body = LS_STMT (ls_for_new (lane, ls_const_int (dtype, 0), ls_const_int (dtype, 2), LS_FOR_VECTORIZED, body, NULL, NULL));
  return LS_STMT (ls_for_new (x, ls_const_int (dtype, 0), ls_const_int (dtype, 32), LS_FOR_THREAD_BINDING, body,
                              ls_iter_var_new (NULL, ls_var_new ("threadIdx.x", dtype), LS_ITER_THREAD_INDEX, "threadIdx.x"), NULL));
}

/* Loads (READ of memory) or stores (WRITE) the tile. */
static LsStmt *
tile_block (const Side *tile,
            const Side *memory,
            Access      access,
            GHashTable *table)
{
  gboolean loads = access == READ, is_wmma = g_str_has_prefix (ls_buffer_scope (tile->buffer), "wmma.");
  gint64 size = size_of (tile->buffer);
  LsDType index = ls_buffer_index_dtype (memory->buffer);
  LsVar *outer = ls_var_new ("s1", index), *inner = ls_var_new ("s0", index);
  LsBufferRegion *touched = region_of (memory, size, table), *kept = region_of (tile, size, table);
  LsBuffer *in_memory = window_of (memory->buffer, size, loads ? "src" : "tgt", ls_array_of (outer, inner, NULL));
  LsBuffer *in_tile = window_of (tile->buffer, size, loads ? "tgt" : "src", NULL);
  const char *layout = memory->by_columns != tile->by_columns ? "col_major" : "row_major";
  LsStmt *body = is_wmma ? move_fragment (in_memory, in_tile, tile->buffer, outer, access, layout) : copy_own (in_memory, in_tile);
  LsArray *windows = loads ? ls_array_of (ls_match_buffer_region_new (in_memory, ls_ref (touched)), ls_match_buffer_region_new (in_tile, ls_ref (kept)), NULL)
                     : ls_array_of (ls_match_buffer_region_new (in_tile, ls_ref (kept)), ls_match_buffer_region_new (in_memory, ls_ref (touched)), NULL);
  LsBlock *block = ls_block_new (NULL, ls_array_of (loads ? touched : kept, NULL), ls_array_of (loads ? kept : touched, NULL), !is_wmma ? "mma_store" : loads ? "wmma_load" : "wmma_store",
                                 body, NULL, NULL, windows, NULL);

  return LS_STMT (ls_block_realize_new (ls_array_empty (), ls_bool (TRUE), block));
}

/* The loops but for the last two around a body. Takes the body. */
static LsStmt *
around (const LsCopyNest *nest,
        LsStmt           *body)
{
  for (guint i = nest->loops->len - 2; i-- > 0;)
    {
      LsFor *loop = nest->loops->pdata[i];

      body = LS_STMT (ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), ls_ref (loop->extent), loop->kind, body, NULL, ls_ref (loop->annotations)));
    }
  return body;
}

static LsVar *
part_of (LsFor      *loop,
         const char *ending)
{
  g_autofree char *name = g_strconcat (loop->loop_var->name, ending, NULL);

  return ls_var_new (name, ls_dtype (loop->loop_var));
}

static LsStmt *
serial (LsVar  *var,
        gint64  extent,
        LsStmt *body)
{
  LsDType dtype = ls_dtype (var);

  return LS_STMT (ls_for_new (var, ls_const_int (dtype, 0), ls_const_int (dtype, extent), LS_FOR_SERIAL, body, NULL, NULL));
}

LsStmt *
ls_copy_tiles (const LsCopyNest *nest,
               LsPadShared      *pad)
{
  gboolean loads = ls_copy_is_tiles (nest->store->buffer);
  LsFor *row, *column;
  gint64 rows, columns;
  Side to, from;
  LsVar *at_row, *at_column;
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  LsStmt *body;

  if (size_of (loads ? nest->store->buffer : nest->load->buffer) != LS_TILE || !tile_loops (nest, LS_TILE, &row, &column, &rows, &columns) || !read_side (nest->store->buffer, nest->store->indices, row->loop_var, column->loop_var, &to)
      || !read_side (nest->load->buffer, nest->load->indices, row->loop_var, column->loop_var, &from))
    return NULL;
  at_row = part_of (row, "_0");
  at_column = part_of (column, "_0");
  g_hash_table_insert (table, row->loop_var, start_of (row, LS_TILE, LS_EXPR (ls_ref (at_row))));
  g_hash_table_insert (table, column->loop_var, start_of (column, LS_TILE, LS_EXPR (ls_ref (at_column))));
  body = tile_block (loads ? &to : &from, loads ? &from : &to, loads ? READ : WRITE, table);
  ls_pad_shared_tile (pad, loads ? from.buffer : to.buffer, LS_TILE, LS_TILE);
  return around (nest, serial (at_row, rows, serial (at_column, columns, body)));
}

/* ---- through shared memory -------------------------------------------------------------------------- */

/* `store` with `load` replaced by an element of `stage`. */
static LsNode *
take_staged (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    data)
{
  struct { LsBufferLoad *load; LsExpr *instead; } *self = data;

  return node == (LsNode *) self->load ? ls_node_ref (LS_NODE (self->instead)) : ls_rewrite_default (rewriter, node);
}

/* Loops of the threads that tell warps apart, of a row of tiles and of a tile's elements: their variables stand at the elements of `stage`. */
static GPtrArray *
element_loops (LsBuffer *stage,
               LsDType   dtype)
{
  static const char *const NAMES[] = { "tile", "y", "x" };
  GPtrArray *loops = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint n = stage->shape->n;

  for (guint d = 0; d < n; d++)
    {
      g_autofree char *warp = g_strdup_printf ("warp_%u", d);

      g_ptr_array_add (loops, ls_for_new (ls_var_new (d + 3 < n ? warp : NAMES[d + 3 - n], dtype), ls_const_int (dtype, 0), LS_EXPR (ls_ref (stage->shape->items[d])), LS_FOR_SERIAL,
                                          ls_evaluate_new (ls_const_int (LS_INT32, 0)), NULL, NULL));
    }
  return loops;
}

static LsExpr *
var_of (GPtrArray *loops,
        guint      i)
{
  return LS_EXPR (ls_ref (((LsFor *) loops->pdata[i])->loop_var));
}

LsStmt *
ls_copy_tiles_out (const LsCopyNest    *nest,
                   const LsCopyThreads *threads,
                   LsCopyAll            all,
                   gpointer             user_data,
                   LsBuffer           **stage)
{
  g_autofree char *name = g_strconcat (nest->load->buffer->name, "_shared_dyn", NULL);
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) elements = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *shape = g_ptr_array_new (), *there = g_ptr_array_new (), *element = g_ptr_array_new ();
  g_autoptr (GPtrArray) loops = NULL;
  g_autoptr (LsArray) at = NULL;
  g_autoptr (LsNode) staged = NULL, store = NULL;
  struct { LsBufferLoad *load; LsExpr *instead; } taking = { nest->load, NULL };
  LsFor *row, *column;
  gint64 rows, columns;
  Side from, memory;
  LsVar *at_row, *at_column;
  LsDType dtype;
  guint n;
  gint64 size = size_of (nest->load->buffer);
  gboolean good = tile_loops (nest, size, &row, &column, &rows, &columns) && read_side (nest->load->buffer, nest->load->indices, row->loop_var, column->loop_var, &from)
                  && !from.by_columns && (size == LS_TILE ? threads->extents[0] <= 32 : threads->extents[0] == 32);

  for (guint i = 3; good && i-- > 1;)
    if (threads->vars[i] != NULL)
      {
        g_ptr_array_add (shape, ls_const_int (ls_dtype (row->loop_var), threads->extents[i]));
        g_ptr_array_add (there, ls_ref (threads->vars[i]));
      }
  if (!good)
    {
      g_ptr_array_unref (shape);
      g_ptr_array_unref (there);
      g_ptr_array_unref (element);
      return NULL;
    }
  dtype = ls_dtype (row->loop_var);
  at_row = part_of (row, "_0");
  at_column = part_of (column, "_0");
  g_ptr_array_add (shape, ls_const_int (dtype, columns));
  g_ptr_array_add (there, ls_ref (at_column));
  for (guint i = 0; i < 2; i++)
    {
      g_ptr_array_add (shape, ls_const_int (dtype, size));
      g_ptr_array_add (there, ls_const_int (dtype, 0));
    }
  *stage = ls_buffer_new (name, nest->load->buffer->dtype, ls_array_take_ptr_array (shape), "shared.dyn");
  at = ls_array_take_ptr_array (there);
  memory = (Side) { *stage, at, FALSE };
  g_hash_table_insert (table, row->loop_var, start_of (row, size, LS_EXPR (ls_ref (at_row))));
  g_hash_table_insert (table, column->loop_var, start_of (column, size, LS_EXPR (ls_ref (at_column))));

  loops = element_loops (*stage, dtype);
  n = loops->len;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (element, var_of (loops, i));
  taking.instead = LS_EXPR (ls_buffer_load_new (ls_ref (*stage), ls_array_take_ptr_array (element), NULL));
  staged = ls_rewrite_with (LS_NODE (nest->store), take_staged, &taking);
  ls_unref (taking.instead);
  g_hash_table_insert (elements, row->loop_var, ls_add (start_of (row, size, LS_EXPR (ls_ref (at_row))), var_of (loops, n - 2)));
  g_hash_table_insert (elements, column->loop_var, ls_add (start_of (column, size, var_of (loops, n - 3)), var_of (loops, n - 1)));
  for (guint i = 3, d = 0; i-- > 1;)
    if (threads->vars[i] != NULL)
      g_hash_table_insert (elements, threads->vars[i], var_of (loops, d++));
  store = ls_substitute (staged, elements);
  return around (nest, serial (at_row, rows, ls_seq (ls_array_of (serial (at_column, columns, tile_block (&from, &memory, WRITE, table)),
                                                                  all (loops, (LsBufferStore *) store, user_data), NULL))));
}
