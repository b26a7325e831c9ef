/* serial-matrix: instructions of tensor cores as loops over warps.  A fragment of wmma lies row by row, one after the other for each warp; tiles in
 * registers lie where fragment.c says (ls_simt_tile_place), here as terms of row and column. */
#include "engine/simt/serial-private.h"
#include "engine/tir/pass/parts.h"

#include <stdio.h>
#include <string.h>

static const char *const NAMES[] = { "tir.tvm_fill_fragment", "tir.tvm_load_matrix_sync", "tir.tvm_store_matrix_sync", "tir.tvm_mma_sync", "tir.ptx_mma", "tir.ptx_ldmatrix",
                                     "tir.mma_store" };

gboolean
serial_is_matrix (gpointer node)
{
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (ls_is_call (node, NAMES[i]))
      return TRUE;
  return ls_is_call (node, "tir.mma_fill");
}

/* A tile: of a fragment, or in registers. */
typedef struct {
  LsExpr    *pointer, *number;  /* as the kernel has them; borrowed */
  LsSimtTile role;
  gint64     rows, columns;
  gboolean   is_fragment;
} Tile;

static LsExpr *
argument (LsCall *call,
          guint   i)
{
  return ls_array_at (call->args, i, LsExpr);
}

static const char *
text_of (LsExpr *expr)
{
  return ls_is (expr, STRING_IMM) ? ((LsStringImm *) expr)->value : "";
}

static LsDType
element_type (Serial *self,
              LsExpr *pointer)
{
  g_autoptr (LsExpr) element = serial_element (self, pointer, ls_int (0));

  return element != NULL ? ls_dtype (element) : LS_VOID;
}

/* Element (i, j) of a tile of this warp, rewritten; NULL: no such tile. (transfer full) */
static LsExpr *
element_of (Serial     *self,
            const Tile *tile,
            LsVar      *warp,
            LsVar      *i,
            LsVar      *j)
{
  LsExpr *row = LS_EXPR (i), *column = LS_EXPR (j), *place = NULL, *result = NULL;
  g_autoptr (LsExpr) thread = NULL;
  SerialThread kept;

  if (tile->is_fragment)
    {
      /* fragments of a warp come one after the other */
      place = ls_add (ls_mul (ls_ref (tile->number), ls_int (tile->rows * tile->columns)), ls_add (ls_mul (ls_ref (row), ls_int (tile->columns)), ls_ref (column)));
      thread = ls_mul (LS_EXPR (ls_ref (warp)), ls_int (SERIAL_WARP));
    }
  else
    {
      LsExpr *across = tile->role == LS_SIMT_TILE_B ? column : row, *along = tile->role == LS_SIMT_TILE_B ? row : column;
      gint64 w = tile->role == LS_SIMT_TILE_C ? 2 : MAX (1, 32 / MAX ((gint64) element_type (self, tile->pointer).bits, 1));
      gint64 eights = (tile->role == LS_SIMT_TILE_B ? tile->columns : tile->rows) / 8;

      place = ls_add (ls_floormod (ls_ref (along), ls_int (w)),
                      ls_mul (ls_int (w), ls_add (ls_floordiv (ls_ref (across), ls_int (8)), ls_mul (ls_int (eights), ls_floordiv (ls_ref (along), ls_int (4 * w))))));
      place = ls_add (ls_ref (tile->number), place);
      thread = ls_add (ls_mul (LS_EXPR (ls_ref (warp)), ls_int (SERIAL_WARP)),
                       ls_add (ls_mul (ls_int (4), ls_floormod (ls_ref (across), ls_int (8))), ls_floordiv (ls_floormod (ls_ref (along), ls_int (4 * w)), ls_int (w))));
    }
  place = serial_element (self, tile->pointer, place);
  serial_at (self, g_steal_pointer (&thread), &kept);
  if (place != NULL && tile->is_fragment)
    {
      SerialMemory *memory = ls_is_var (tile->pointer) ? g_hash_table_lookup (self->memories, tile->pointer) : NULL;
      gint64 size = ls_dtype_bytes (ls_dtype (place));
      LsBuffer *all;
      LsExpr *index;

      if (memory != NULL)
        {
          all = ls_buffer_new_full (ls_ref (memory->data), ls_dtype (place), ls_array_of (ls_int (G_MAXINT32), NULL), NULL, NULL, memory->data->name, 0, 0, LS_BUFFER_DEFAULT, NULL);
          index = (LsExpr *) serial_rewrite (self, ls_array_at (((LsBufferLoad *) place)->indices, 0, LsExpr));
          result = ls_buffer_load_new (all, ls_array_of (ls_add (index, ls_mul (LS_EXPR (ls_ref (warp)), ls_int (memory->bytes / size))), NULL), NULL);
        }
    }
  else if (place != NULL)
    result = (LsExpr *) serial_rewrite (self, place);
  serial_at_own (self, &kept);
  ls_unref (place);
  return result;
}

/* An element of memory as the first thread of the warp sees it. */
static LsExpr *
memory_at (Serial *self,
           LsExpr *pointer,
           LsExpr *more,
           LsExpr *number)
{
  g_autoptr (LsExpr) element = serial_element (self, pointer, more);
  LsExpr *result;
  SerialThread kept;

  if (element == NULL)
    {
      ls_unref (number);
      return NULL;
    }
  serial_at (self, number, &kept);
  result = (LsExpr *) serial_rewrite (self, element);
  serial_at_own (self, &kept);
  return result;
}

static LsStmt *
loop (LsVar  *var,
      gint64  n,
      LsStmt *body)
{
  return (LsStmt *) ls_for_new (ls_ref (var), ls_int (0), ls_int (n), LS_FOR_SERIAL, body, NULL, NULL);
}

/* Once for each warp that takes part. */
static void
emit_for_warps (Serial *self,
                LsVar  *warp,
                LsStmt *body)
{
  if (self->mask != NULL)
    body = ls_if_then_else_new (ls_ne (ls_buffer_load_new (ls_ref (self->mask), ls_array_of (ls_mul (LS_EXPR (ls_ref (warp)), ls_int (SERIAL_WARP)), NULL), NULL),
                                       ls_const_int (self->mask->dtype, 0)), body, NULL);
  serial_emit (self, loop (warp, (self->n + SERIAL_WARP - 1) / SERIAL_WARP, body));
}

static LsExpr *
first_of (LsVar *warp)
{
  return ls_mul (LS_EXPR (ls_ref (warp)), ls_int (SERIAL_WARP));
}

static LsSimtTile
role_of (LsExpr *fragment)
{
  const char *scope = ls_is_var (fragment) ? ls_pointer_scope ((LsVar *) fragment) : "";

  return strcmp (scope, "wmma.matrix_a") == 0 ? LS_SIMT_TILE_A : strcmp (scope, "wmma.matrix_b") == 0 ? LS_SIMT_TILE_B : LS_SIMT_TILE_C;
}

static gboolean
is_fragment (LsExpr *pointer)
{
  return ls_is_var (pointer) && g_str_has_prefix (ls_pointer_scope ((LsVar *) pointer), "wmma.");
}

/* Between a tile and memory, or a value into a tile. */
static gboolean
move_tile (Serial     *self,
           const Tile *tile,
           LsExpr     *memory,
           LsExpr     *stride,
           gboolean    by_column,
           gboolean    stores,
           LsExpr     *value)
{
  g_autoptr (LsVar) warp = ls_var_new ("warp", LS_INT32), i = ls_var_new ("i", LS_INT32), j = ls_var_new ("j", LS_INT32);
  g_autoptr (LsExpr) element = element_of (self, tile, warp, i, j), other = NULL;
  LsStmt *body;

  if (memory != NULL)
    other = memory_at (self, memory, ls_add (ls_mul (LS_EXPR (ls_ref (by_column ? j : i)), ls_ref (stride)), LS_EXPR (ls_ref (by_column ? i : j))), first_of (warp));
  else
    {
      SerialThread kept;

      serial_at (self, first_of (warp), &kept);
      other = (LsExpr *) serial_rewrite (self, value);
      serial_at_own (self, &kept);
    }
  if (element == NULL || other == NULL)
    return FALSE;
  body = stores ? serial_store (other, ls_ref (element)) : serial_store (element, ls_ref (other));
  emit_for_warps (self, warp, loop (i, tile->rows, loop (j, tile->columns, body)));
  return TRUE;
}

static gboolean
fragment (Serial *self,
          LsCall *call,
          gboolean fills,
          gboolean stores)
{
  Tile tile = { argument (call, 0), argument (call, 4), role_of (argument (call, 0)), 0, 0, TRUE };
  gint64 m, n, k;

  if (!is_fragment (tile.pointer) || !ls_as_int (argument (call, 1), &m) || !ls_as_int (argument (call, 2), &n) || !ls_as_int (argument (call, 3), &k))
    return FALSE;
  g_hash_table_insert (self->shapes, tile.pointer, g_memdup2 ((gint64[]) { m, n, k }, 3 * sizeof (gint64)));
  tile.rows = tile.role == LS_SIMT_TILE_B ? k : m;
  tile.columns = tile.role == LS_SIMT_TILE_A ? k : n;
  if (fills)
    return move_tile (self, &tile, NULL, NULL, FALSE, FALSE, argument (call, 5));
  return move_tile (self, &tile, argument (call, 5), argument (call, 6), strcmp (text_of (argument (call, 7)), "col_major") == 0, stores, NULL);
}

/* D = A * B + C, the sum taken in the order of k. */
static gboolean
product (Serial     *self,
         const Tile *d,
         const Tile *a,
         const Tile *b,
         const Tile *c)
{
  g_autoptr (LsVar) warp = ls_var_new ("warp", LS_INT32), i = ls_var_new ("i", LS_INT32), j = ls_var_new ("j", LS_INT32), k = ls_var_new ("k", LS_INT32);
  g_autoptr (LsExpr) to = element_of (self, d, warp, i, j), left = element_of (self, a, warp, i, k), right = element_of (self, b, warp, k, j), from = element_of (self, c, warp, i, j);
  g_autoptr (LsExpr) sum = NULL;
  LsBuffer *array;
  LsDType t;
  LsStmt *body;

  if (to == NULL || left == NULL || right == NULL || from == NULL)
    return FALSE;
  t = ls_dtype (to);
  array = serial_array (self, "sum", t, 1);
  sum = ls_buffer_load_new (ls_ref (array), ls_array_of (ls_int (0), NULL), NULL);
  body = serial_store (sum, ls_add (ls_ref (sum), ls_mul (ls_cast (t, ls_ref (left)), ls_cast (t, ls_ref (right)))));
  body = ls_seq (ls_array_of (serial_store (sum, ls_ref (from)), loop (k, a->columns, body), serial_store (to, ls_ref (sum)), NULL));
  emit_for_warps (self, warp, loop (i, d->rows, loop (j, d->columns, body)));
  return TRUE;
}

static gboolean
wmma_product (Serial *self,
              LsCall *call)
{
  Tile tiles[4];

  for (guint i = 0; i < 4; i++)
    {
      const gint64 *shape = g_hash_table_lookup (self->shapes, argument (call, 4));     /* B was loaded before */
      LsSimtTile role = role_of (argument (call, 2 * i));

      if (shape == NULL || !is_fragment (argument (call, 2 * i)))
        return FALSE;
      tiles[i] = (Tile) { argument (call, 2 * i), argument (call, 2 * i + 1), role, shape[role == LS_SIMT_TILE_B ? 2 : 0], shape[role == LS_SIMT_TILE_A ? 2 : 1], TRUE };
    }
  return product (self, &tiles[0], &tiles[1], &tiles[2], &tiles[3]);
}

static gboolean
mma_product (Serial *self,
             LsCall *call)
{
  guint m, n, k;
  Tile a, b, c;

  if (call->args->n < 13 || sscanf (text_of (argument (call, 0)), "m%un%uk%u", &m, &n, &k) != 3 || strcmp (text_of (argument (call, 1)), "row") != 0
      || strcmp (text_of (argument (call, 2)), "col") != 0 || !ls_is_zero (argument (call, 12)))
    return FALSE;
  a = (Tile) { argument (call, 6), argument (call, 7), LS_SIMT_TILE_A, m, k, FALSE };
  b = (Tile) { argument (call, 8), argument (call, 9), LS_SIMT_TILE_B, k, n, FALSE };
  c = (Tile) { argument (call, 10), argument (call, 11), LS_SIMT_TILE_C, m, n, FALSE };
  return product (self, &c, &a, &b, &c);
}

/* T.mma_store (m, n, memory, R, r, stride) */
static gboolean
store (Serial *self,
       LsCall *call)
{
  gint64 m, n;
  Tile tile;

  if (call->args->n != 6 || !ls_as_int (argument (call, 0), &m) || !ls_as_int (argument (call, 1), &n))
    return FALSE;
  tile = (Tile) { argument (call, 3), argument (call, 4), LS_SIMT_TILE_C, m, n, FALSE };
  return move_tile (self, &tile, argument (call, 2), argument (call, 5), FALSE, TRUE, NULL);
}

/* T.mma_fill (n, R, r): zeros into registers, each thread its own. */
static gboolean
fill (Serial *self,
      LsCall *call)
{
  g_autoptr (LsVar) i = ls_var_new ("i", LS_INT32);
  g_autoptr (LsExpr) element = NULL;
  gint64 n;

  if (call->args->n != 3 || !ls_as_int (argument (call, 0), &n))
    return FALSE;
  element = serial_element (self, argument (call, 1), ls_add (ls_ref (argument (call, 2)), LS_EXPR (ls_ref (i))));
  if (element == NULL)
    return FALSE;
  serial_push (self, loop (i, n, serial_store (element, ls_cast (ls_dtype (element), ls_int (0)))));
  return TRUE;
}

/* A term of the memory that a lane gives, as that lane sees it. */
static LsExpr *
seen_by (Serial *self,
         LsExpr *term,
         LsExpr *number)
{
  SerialThread kept;
  LsExpr *result;

  serial_at (self, number, &kept);
  result = (LsExpr *) serial_rewrite (self, term);
  serial_at_own (self, &kept);
  return result;
}

/* T.ptx_ldmatrix (transposed, matrices, ".b16", R, r, memory, offset): lane 8 * m + row says where that row of matrix m is; each lane gets two neighbours
 * of row lane / 4 (transposed: of column lane / 4) of each.  Numbers of 8 bits are moved by twos; transposed they are fetched one by one, the offset
 * being the stride, as in TVM. */
static gboolean
ldmatrix (Serial *self,
          LsCall *call)
{
  g_autoptr (LsVar) warp = ls_var_new ("warp", LS_INT32), lane = ls_var_new ("lane", LS_INT32), m = ls_var_new ("m", LS_INT32), k = ls_var_new ("k", LS_INT32);
  g_autoptr (LsExpr) from = NULL, to = NULL, number = NULL;
  gint64 transposed, matrices, each;
  LsExpr *l = LS_EXPR (lane), *place, *row, *column;
  guint bits;

  if (call->args->n != 7 || !ls_as_int (argument (call, 0), &transposed) || !ls_as_int (argument (call, 1), &matrices))
    return FALSE;
  bits = element_type (self, argument (call, 3)).bits;
  if (bits == 0 || bits > 32 || (transposed && bits > 16))
    return FALSE;
  each = 32 / bits;
  number = ls_add (first_of (warp), ls_ref (l));
  place = ls_add (ls_ref (argument (call, 4)), ls_add (ls_mul (LS_EXPR (ls_ref (m)), ls_int (each)), LS_EXPR (ls_ref (k))));
  to = serial_element (self, argument (call, 3), place);
  if (to == NULL)
    return FALSE;
  ls_take (&to, seen_by (self, to, ls_ref (number)));
  if (transposed && bits == 8)
    {
      LsExpr *i = ls_add (ls_mul (LS_EXPR (ls_ref (m)), ls_int (4)), LS_EXPR (ls_ref (k)));

      row = ls_add (ls_mul (ls_floordiv (ls_floormod (ls_ref (i), ls_int (8)), ls_int (4)), ls_int (16)),
                    ls_add (ls_mul (ls_floormod (ls_ref (l), ls_int (4)), ls_int (4)), ls_floormod (ls_ref (i), ls_int (4))));
      column = ls_add (ls_floordiv (ls_ref (l), ls_int (4)), ls_mul (ls_floordiv (i, ls_int (8)), ls_int (8)));
      from = serial_element (self, argument (call, 5), ls_add (ls_mul (row, ls_ref (argument (call, 6))), column));
      if (from == NULL)
        return FALSE;
      ls_take (&from, seen_by (self, from, ls_ref (number)));
    }
  else
    {
      LsExpr *along = ls_add (ls_mul (ls_floormod (ls_ref (l), ls_int (4)), ls_int (each)), LS_EXPR (ls_ref (k))), *across = ls_floordiv (ls_ref (l), ls_int (4));

      row = transposed ? along : across;
      column = transposed ? across : along;
      from = serial_element (self, argument (call, 5), ls_add (ls_ref (argument (call, 6)), column));
      if (from == NULL)
        {
          ls_unref (row);
          return FALSE;
        }
      ls_take (&from, seen_by (self, from, ls_add (first_of (warp), ls_add (ls_mul (LS_EXPR (ls_ref (m)), ls_int (8)), row))));
    }
  emit_for_warps (self, warp, loop (lane, SERIAL_WARP, loop (m, matrices, loop (k, each, serial_store (to, ls_ref (from))))));
  return TRUE;
}

gboolean
serial_matrix (Serial *self,
               LsCall *call)
{
  gboolean fills = ls_is_call (call, "tir.tvm_fill_fragment"), stores = ls_is_call (call, "tir.tvm_store_matrix_sync");

  if (self->warp != SERIAL_WARP)
    serial_fail (self, "Tensor cores work with warps of %d threads; the target has %u.", SERIAL_WARP, self->warp);
  if (fills || stores || ls_is_call (call, "tir.tvm_load_matrix_sync"))
    return call->args->n == (fills ? 6u : 8u) && fragment (self, call, fills, stores);
  if (ls_is_call (call, "tir.tvm_mma_sync"))
    return call->args->n == 8 && wmma_product (self, call);
  if (ls_is_call (call, "tir.ptx_mma"))
    return mma_product (self, call);
  if (ls_is_call (call, "tir.ptx_ldmatrix"))
    return ldmatrix (self, call);
  return ls_is_call (call, "tir.mma_store") ? store (self, call) : fill (self, call);
}
