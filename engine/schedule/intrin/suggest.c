/* suggest: a layout that follows the loops.
 *
 *   for i in range(4): for j in range(32): A[j // 8, i * 8 + j % 8]      A: 4 x 32
 *      -> lambda x, y: (y // 8, x, y % 8)          what j runs through lies side by side, i is outside
 *
 * The place in memory that is accessed, row by row, is an iteration map of the loops: a sum of pieces of loop variables,
 * each with its own extent.  A place is taken apart by these extents, and the pieces are put in the order of their loops,
 * the upper piece of a loop first.  Source: TVM's SuggestIndexMap.
 */
#include "engine/schedule/intrin/mapping.h"

#include "engine/arith/arith.h"

typedef struct {
  LsVar  *var;
  gint64  lower_factor;
  gint64  extent;
  guint   loop;                 /* which of the loops it is a piece of */
  guint   place;                /* which of the pieces of the sum it is */
} Piece;

static LsExpr *
stride_of (LsBuffer *buffer,
           guint     dim)
{
  LsDType dtype = ls_dtype (ls_array_at (buffer->shape, 0, LsExpr));
  LsExpr *stride;

  if (ls_array_n (buffer->strides) > 0)
    return ls_ref (ls_array_at (buffer->strides, dim, LsExpr));
  stride = ls_const_int (dtype, 1);
  for (guint i = ls_buffer_ndim (buffer); i-- > dim + 1;)
    stride = ls_mul (stride, ls_ref (ls_array_at (buffer->shape, i, LsExpr)));
  return stride;
}

static LsExpr *
flat_index (LsBuffer *buffer,
            LsArray  *indices)
{
  LsExpr *sum = ls_const_int (ls_dtype (ls_array_at (buffer->shape, 0, LsExpr)), 0);

  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    sum = ls_add (sum, ls_mul (stride_of (buffer, i), ls_ref (ls_array_at (indices, i, LsExpr))));
  return sum;
}

static gboolean
add_pieces (GArray    *pieces,
            LsIterSum *sum,
            LsArray   *loops)
{
  for (guint i = 0; i < ls_array_n (sum->args); i++)
    {
      LsIterSplit *split = ls_array_at (sum->args, i, LsIterSplit);
      Piece piece = { .place = pieces->len, .loop = ls_array_n (loops) };

      if (ls_is (split->source->source, ITER_SUM))
        {
          if (!add_pieces (pieces, (LsIterSum *) split->source->source, loops))
            return FALSE;
          continue;
        }
      if (!ls_is_var (split->source->source) || !ls_as_int (split->lower_factor, &piece.lower_factor) ||
          !ls_as_int (split->extent, &piece.extent) || piece.extent < 1)
        return FALSE;
      piece.var = (LsVar *) split->source->source;
      for (guint k = 0; k < ls_array_n (loops); k++)
        if (ls_array_at (loops, k, LsFor)->loop_var == piece.var)
          piece.loop = k;
      g_array_append_val (pieces, piece);
    }
  return TRUE;
}

static gint
compare_pieces (gconstpointer a,
                gconstpointer b)
{
  const Piece *p = a, *q = b;

  if (p->loop != q->loop)
    return p->loop < q->loop ? -1 : 1;
  return p->lower_factor > q->lower_factor ? -1 : p->lower_factor < q->lower_factor;
}

/* The pieces of the flat index, or NULL: it is no iteration map of the loops, or the same everywhere. */
static GArray *
find_pieces (LsBuffer   *buffer,
             LsArray    *indices,
             LsArray    *loops,
             LsExpr     *predicate,
             LsAnalyzer *analyzer)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(LsExpr) flat = flat_index (buffer, indices);
  g_autoptr(LsArray) list = NULL;
  g_autoptr(LsIterMapResult) map = NULL;
  g_autoptr(GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));

  for (guint i = 0; i < ls_array_n (loops); i++)
    {
      LsFor *loop = ls_array_at (loops, i, LsFor);
      g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      ls_dom_map_set_range (domains, loop->loop_var, range);
    }
  list = ls_array_of (ls_analyzer_simplify (analyzer, flat), NULL);
  map = ls_detect_iter_map (list, domains, predicate, LS_ITER_MAP_SURJECTIVE, analyzer, TRUE);
  if (ls_array_n (map->indices) != 1 || !add_pieces (pieces, ls_array_at (map->indices, 0, LsIterSum), loops) || pieces->len == 0)
    return NULL;
  return g_steal_pointer (&pieces);
}

/* `index` taken apart by the extents of the pieces, the last first. (transfer full) */
static LsExpr **
take_apart (GArray     *pieces,
            LsExpr     *flat,
            LsAnalyzer *analyzer)
{
  LsExpr **parts = g_new0 (LsExpr *, pieces->len + 1);
  g_autoptr(LsExpr) index = ls_ref (flat);

  for (guint i = pieces->len; i-- > 0;)
    {
      gint64 extent = g_array_index (pieces, Piece, i).extent;
      g_autoptr(LsExpr) part = NULL;

      ls_take (&index, ls_analyzer_simplify (analyzer, index));
      part = ls_floormod (ls_ref (index), ls_const_int (ls_dtype (index), extent));
      parts[i] = ls_analyzer_simplify (analyzer, part);
      ls_take (&index, ls_floordiv (ls_ref (index), ls_const_int (ls_dtype (index), extent)));
    }
  return parts;
}

LsIndexMap *
ls_suggest_index_map (LsBuffer *buffer,
                      LsArray  *indices,
                      LsArray  *loops,
                      LsExpr   *predicate)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsArray) vars = NULL;
  g_autoptr(LsExpr) flat = NULL;
  g_autoptr(GArray) pieces = NULL;
  g_autofree LsExpr **parts = NULL;
  GPtrArray *from, *to;

  if (ls_buffer_ndim (buffer) == 0 || ls_array_n (indices) != ls_buffer_ndim (buffer))
    return NULL;
  pieces = find_pieces (buffer, indices, loops, predicate, analyzer);
  if (pieces == NULL)
    return NULL;
  from = g_ptr_array_new ();
  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    {
      LsExpr *size = ls_array_at (buffer->shape, i, LsExpr);
      g_autofree char *name = g_strdup_printf ("i%u", i);
      g_autoptr(LsRange) range = ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size));

      g_ptr_array_add (from, ls_var_new (name, ls_dtype (size)));
      ls_analyzer_bind_range (analyzer, from->pdata[i], range, FALSE);
    }
  vars = ls_array_take_ptr_array (from);
  flat = flat_index (buffer, vars);
  parts = take_apart (pieces, flat, analyzer);
  g_array_sort (pieces, compare_pieces);
  to = g_ptr_array_new ();
  for (guint i = 0; i < pieces->len; i++)
    g_ptr_array_add (to, parts[g_array_index (pieces, Piece, i).place]);
  return ls_index_map_new (g_steal_pointer (&vars), ls_array_take_ptr_array (to), NULL);
}
