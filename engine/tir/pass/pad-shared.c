/* pad-shared: see the header.  The cost of strides is counted on the elements that the 32 threads of one warp touch, as memhammer (TVM's LowerAutoCopy) does
 * it: how many of them one bank has, where elements of one word count each. */
#include "engine/tir/pass/pad-shared.h"

#include <string.h>

#define WARP 32
#define BANKS 32
#define MOST_DIMENSIONS 8
#define TILE_STEP 8             /* elements: rows that load_matrix_sync reads begin at multiples of 16 bytes */

/* One access: points of n numbers, one for each dimension. */
typedef struct {
  guint   n_points;
  gint64 *points;
} Access;

typedef struct {
  LsBuffer *buffer;
  GArray   *accesses;           /* of Access */
  gint64    step;               /* padding goes in steps of as many elements: of a vector */
} Seen;

struct _LsPadShared {
  gint64      extents[3];       /* of a warp */
  GPtrArray  *seen;             /* of Seen */
  /* while a statement is looked at */
  GHashTable *lanes;            /* loop variable of a thread -> 1 + axis */
  GHashTable *values;           /* variable -> gint64, owned; others are 0 */
  LsFor      *vector;           /* or NULL */
};

static void
access_clear (gpointer data)
{
  g_free (((Access *) data)->points);
}

static void
seen_free (gpointer data)
{
  Seen *self = data;

  ls_unref (self->buffer);
  g_array_unref (self->accesses);
  g_free (self);
}

LsPadShared *
ls_pad_shared_new (const gint64 extents[3])
{
  LsPadShared *self = g_new0 (LsPadShared, 1);
  gint64 threads = 1;

  for (guint i = 0; i < 3; i++)
    {
      self->extents[i] = CLAMP (extents[i], 1, WARP / threads);
      threads *= self->extents[i];
    }
  self->seen = g_ptr_array_new_with_free_func (seen_free);
  self->lanes = g_hash_table_new (NULL, NULL);
  self->values = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
ls_pad_shared_free (LsPadShared *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->seen);
  g_hash_table_unref (self->lanes);
  g_hash_table_unref (self->values);
  g_free (self);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* The value of an index; FALSE: it is none of sums, products and quotients of variables. */
static gboolean
evaluate (LsPadShared *self,
          LsExpr      *expr,
          gint64      *value)
{
  LsBinary *binary = (LsBinary *) expr;
  gint64 a, b, *known;

  if (ls_as_int (expr, value))
    return TRUE;
  if (ls_is_var (expr))
    {
      known = g_hash_table_lookup (self->values, expr);
      *value = known != NULL ? *known : 0;
      return TRUE;
    }
  if (ls_is (expr, CAST))
    return evaluate (self, ((LsCast *) expr)->value, value);
  if (!ls_is (expr, ADD) && !ls_is (expr, SUB) && !ls_is (expr, MUL) && !ls_is (expr, FLOOR_DIV) && !ls_is (expr, FLOOR_MOD))
    return FALSE;
  if (!evaluate (self, binary->a, &a) || !evaluate (self, binary->b, &b) || ((ls_is (expr, FLOOR_DIV) || ls_is (expr, FLOOR_MOD)) && b == 0))
    return FALSE;
  *value = ls_is (expr, ADD) ? a + b : ls_is (expr, SUB) ? a - b : ls_is (expr, MUL) ? a * b : ls_is (expr, FLOOR_DIV) ? ls_floordiv_i64 (a, b) : ls_floormod_i64 (a, b);
  return TRUE;
}

static void
set_value (LsPadShared *self,
           LsVar       *var,
           gint64       value)
{
  g_hash_table_insert (self->values, var, g_memdup2 (&value, sizeof value));
}

/* Each variable of a thread at its value in this lane. */
static void
set_lane (LsPadShared *self,
          gint64       lane)
{
  GHashTableIter iter;
  gpointer var, axis;

  g_hash_table_iter_init (&iter, self->lanes);
  while (g_hash_table_iter_next (&iter, &var, &axis))
    {
      guint at = GPOINTER_TO_UINT (axis) - 1;
      gint64 before = at > 1 ? self->extents[0] * self->extents[1] : at > 0 ? self->extents[0] : 1;

      set_value (self, var, lane / before % self->extents[at]);
    }
}

/* ---- looking ----------------------------------------------------------------------------------- */

static Seen *
seen_of (LsPadShared *self,
         LsBuffer    *buffer)
{
  Seen *seen;

  for (guint i = 0; i < self->seen->len; i++)
    if (((Seen *) self->seen->pdata[i])->buffer == buffer)
      return self->seen->pdata[i];
  seen = g_new0 (Seen, 1);
  seen->buffer = ls_ref (buffer);
  seen->accesses = g_array_new (FALSE, FALSE, sizeof (Access));
  g_array_set_clear_func (seen->accesses, access_clear);
  seen->step = 1;
  g_ptr_array_add (self->seen, seen);
  return seen;
}

static gboolean
is_padded (LsBuffer *buffer)
{
  return g_str_has_prefix (ls_buffer_scope (buffer), "shared") && buffer->shape->n > 1 && buffer->shape->n <= MOST_DIMENSIONS && !ls_buffer_has_strides (buffer);
}

/* Do neighbours of the vector stand side by side? */
static gboolean
is_contiguous (LsPadShared *self,
               LsExpr      *index)
{
  gint64 first, second;
  gboolean good = evaluate (self, index, &first);

  set_value (self, self->vector->loop_var, 1);
  good = good && evaluate (self, index, &second) && second == first + 1;
  set_value (self, self->vector->loop_var, 0);
  return good;
}

static void
see (LsPadShared *self,
     LsBuffer    *buffer,
     LsArray     *indices)
{
  gint64 lanes = self->extents[0] * self->extents[1] * self->extents[2], length;
  guint n = indices->n;
  Access access = { (guint) lanes, NULL };
  Seen *seen;

  if (!is_padded (buffer))
    return;
  access.points = g_new (gint64, (gsize) lanes * n);
  for (gint64 lane = 0; lane < lanes; lane++)
    {
      set_lane (self, lane);
      for (guint d = 0; d < n; d++)
        if (!evaluate (self, ls_array_at (indices, d, LsExpr), &access.points[lane * n + d]))
          {
            g_free (access.points);
            return;
          }
    }
  seen = seen_of (self, buffer);
  g_array_append_val (seen->accesses, access);
  set_lane (self, 0);
  if (self->vector != NULL && ls_as_int (self->vector->extent, &length) && is_contiguous (self, ls_array_at (indices, n - 1, LsExpr)))
    seen->step = MAX (seen->step, length);
}

void
ls_pad_shared_tile (LsPadShared *self,
                    LsBuffer    *buffer,
                    guint        rows,
                    guint        columns)
{
  guint n = buffer->shape->n;
  Access access = { rows * columns, NULL };
  Seen *seen;

  if (!is_padded (buffer))
    return;
  seen = seen_of (self, buffer);
  access.points = g_new0 (gint64, (gsize) access.n_points * n);
  for (guint i = 0; i < access.n_points; i++)
    {
      access.points[i * n + n - 2] = i / columns;
      access.points[i * n + n - 1] = i % columns;
    }
  g_array_append_val (seen->accesses, access);
  seen->step = MAX (seen->step, TILE_STEP);
}

static LsWalk
enter (LsNode   *node,
       gpointer  data)
{
  LsPadShared *self = data;
  LsFor *loop = (LsFor *) node;
  gint64 min;

  if (ls_is (node, BUFFER_STORE))
    see (self, ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices);
  else if (ls_is (node, BUFFER_LOAD))
    see (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
  if (!ls_is (node, FOR))
    return LS_WALK_CONTINUE;
  set_value (self, loop->loop_var, ls_as_int (loop->min, &min) ? min : 0);
  if (loop->kind == LS_FOR_VECTORIZED)
    self->vector = loop;
  else if (loop->thread_binding != NULL && g_str_has_prefix (loop->thread_binding->thread_tag, "threadIdx."))
    g_hash_table_insert (self->lanes, loop->loop_var, GUINT_TO_POINTER ((guint) (loop->thread_binding->thread_tag[10] - 'x') + 1));
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode   *node,
       gpointer  data)
{
  if (((LsPadShared *) data)->vector == (LsFor *) node)
    ((LsPadShared *) data)->vector = NULL;
}

void
ls_pad_shared_look (LsPadShared *self,
                    LsStmt      *stmt)
{
  g_hash_table_remove_all (self->lanes);
  g_hash_table_remove_all (self->values);
  ls_walk (stmt, enter, leave, self);
}

/* ---- strides ------------------------------------------------------------------------------------- */

/* How many different points of an access, looked at from dimension `from` on, one bank has at most. */
static guint
crowd (const Access *access,
       guint         n,
       guint         from,
       const gint64 *strides,
       guint         bits)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  guint banks[BANKS] = { 0 }, most = 0;

  for (guint i = 0; i < access->n_points; i++)
    {
      const gint64 *point = &access->points[i * n];
      gint64 at = 0;

      if (!g_hash_table_add (known, g_bytes_new_static (point + from, (n - from) * sizeof (gint64))))
        continue;
      for (guint d = from; d < n; d++)
        at += point[d] * strides[d];
      at = ls_floormod_i64 (at * bits / 32, BANKS);
      most = MAX (most, ++banks[at]);
    }
  return most;
}

static guint
crowd_of (const Seen   *seen,
          guint         from,
          const gint64 *strides)
{
  guint most = 0;

  for (guint i = 0; i < seen->accesses->len; i++)
    most = MAX (most, crowd (&g_array_index (seen->accesses, Access, i), seen->buffer->shape->n, from, strides, seen->buffer->dtype.bits));
  return most;
}

/* Strides of the padded buffer; FALSE: its shape is not known, or it has elements of no size. */
static gboolean
find_strides (const Seen *seen,
              gint64     *strides)
{
  guint n = seen->buffer->shape->n, bits = seen->buffer->dtype.bits;

  if (bits == 0 || seen->buffer->dtype.lanes != 1)
    return FALSE;
  strides[n - 1] = 1;
  for (guint d = n - 1; d-- > 0;)
    {
      gint64 row, best = 0;
      guint fewest = G_MAXUINT;

      if (!ls_as_int (seen->buffer->shape->items[d + 1], &row) || row <= 0)
        return FALSE;
      row *= strides[d + 1];
      for (gint64 pad = 0; pad <= MIN (row / 4, BANKS * 32 / (gint64) bits); pad += seen->step)
        {
          guint many;

          strides[d] = row + pad;
          many = crowd_of (seen, d, strides);
          if (many < fewest)
            {
              fewest = many;
              best = pad;
            }
        }
      strides[d] = row + best;
    }
  return TRUE;
}

static LsBuffer *
with_strides (LsBuffer     *buffer,
              const gint64 *strides)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint d = 0; d < buffer->shape->n; d++)
    g_ptr_array_add (list, ls_const_int (ls_dtype (buffer->shape->items[d]), strides[d]));
  return ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, ls_ref (buffer->shape), ls_array_take_ptr_array (list), ls_ref (buffer->elem_offset), buffer->name,
                             buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
}

LsStmt *
ls_pad_shared_done (LsPadShared *self,
                    LsStmt      *stmt)
{
  g_autoptr (GHashTable) fresh = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < self->seen->len; i++)
    {
      Seen *seen = self->seen->pdata[i];
      gint64 strides[MOST_DIMENSIONS];

      if (find_strides (seen, strides))
        g_hash_table_insert (fresh, seen->buffer, with_strides (seen->buffer, strides));
    }
  return (LsStmt *) ls_substitute (stmt, fresh);
}
