/* layout: from one layout of dimensions to another, blocked ones included (topi::layout_transform).
 *
 * A layout is a text of letters: a capital is a dimension, a number and a small letter a block of it ("NCHW4c").  An
 * index of the source is found from the whole position on its dimension, which the indices of the destination give.
 */
#include "engine/topi/topi-private.h"

#include <string.h>

typedef struct {
  char   letter;                /* as written */
  gint64 block;                 /* of a small letter */
} Dim;

static GArray *
read_layout (const char *text,
             guint       ndim,
             GError    **error)
{
  g_autoptr (GArray) dims = g_array_new (FALSE, FALSE, sizeof (Dim));
  gint64 block = 0;

  for (const char *c = text; *c != '\0'; c++)
    {
      Dim dim = { *c, block };

      if (g_ascii_isdigit (*c) && block < G_MAXINT32)
        {
          block = block * 10 + (*c - '0');
          continue;
        }
      if (!g_ascii_isalpha (*c) || (g_ascii_islower (*c) != (block > 0)))
        {
          ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.layout_transform: layout \"%s\" must be capitals, and small letters behind their block size", text);
          return NULL;
        }
      block = 0;
      g_array_append_val (dims, dim);
    }
  if (ndim > 0 && dims->len != ndim)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.layout_transform: layout \"%s\" does not fit a tensor of %u dimensions", text, ndim);
      return NULL;
    }
  return g_steal_pointer (&dims);
}

static int
find (GArray *dims,
      char    letter)
{
  for (guint i = 0; i < dims->len; i++)
    if (g_array_index (dims, Dim, i).letter == letter)
      return (int) i;
  return -1;
}

static gint64
block_of (GArray *dims,
          char    capital)
{
  int i = find (dims, g_ascii_tolower (capital));

  return i >= 0 ? g_array_index (dims, Dim, i).block : 1;
}

static gboolean
same_letters (GArray  *a,
              GArray  *b,
              GError **error)
{
  for (guint i = 0; i < a->len; i++)
    {
      char letter = g_array_index (a, Dim, i).letter;

      if (g_ascii_isupper (letter) ? find (b, letter) < 0 : find (a, g_ascii_toupper (letter)) < 0)
        return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.layout_transform: dimension '%c' is in one layout only", letter);
    }
  return TRUE;
}

static LsArray *
destination_shape (LsTeTensor *x,
                   GArray     *src,
                   GArray     *dst)
{
  GPtrArray *extents = g_ptr_array_new ();

  for (guint i = 0; i < dst->len; i++)
    {
      Dim *dim = &g_array_index (dst, Dim, i);
      LsExpr *whole;
      gint64 block;

      if (g_ascii_islower (dim->letter))
        {
          g_ptr_array_add (extents, ls_int (dim->block));
          continue;
        }
      whole = ls_mul (ls_ref (DIM (x, (guint) find (src, dim->letter))), ls_int (block_of (src, dim->letter)));
      block = block_of (dst, dim->letter);
      g_ptr_array_add (extents, ls_topi_simplify (ls_floordiv (ls_add (whole, ls_int (block - 1)), ls_int (block))));
    }
  return ls_array_take_ptr_array (extents);
}

/* The whole position on a dimension. */
static LsExpr *
position (GArray  *dst,
          char     capital,
          LsArray *axes)
{
  int inner = find (dst, g_ascii_tolower (capital));
  LsExpr *outer = AX ((guint) find (dst, capital));

  return inner >= 0 ? ls_add (ls_mul (outer, ls_int (block_of (dst, capital))), AX ((guint) inner)) : outer;
}

LsTeTensor *
ls_topi_layout_transform (LsTeTensor *x,
                          const char *src_layout,
                          const char *dst_layout,
                          const char *schedule_rule,
                          GError    **error)
{
  g_autoptr (GArray) src = NULL;
  g_autoptr (GArray) dst = NULL;
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *indices, *inside;
  LsArray *axes;
  LsExpr *value, *condition;

  if (x == NULL || (src = read_layout (src_layout, x->shape->n, error)) == NULL || (dst = read_layout (dst_layout, 0, error)) == NULL
      || !same_letters (src, dst, error) || !same_letters (dst, src, error))
    return NULL;
  if (g_str_equal (src_layout, dst_layout))
    return ls_ref (x);
  shape = destination_shape (x, src, dst);
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  inside = g_ptr_array_new ();
  for (guint i = 0; i < src->len; i++)
    {
      Dim *dim = &g_array_index (src, Dim, i);
      LsExpr *whole = position (dst, g_ascii_toupper (dim->letter), axes);
      LsExpr *index = g_ascii_islower (dim->letter) ? ls_floormod (whole, ls_int (dim->block)) : ls_floordiv (whole, ls_int (block_of (src, dim->letter)));

      g_ptr_array_add (indices, ls_topi_simplify (index));
      g_ptr_array_add (inside, ls_lt (REF (indices->pdata[i]), ls_ref (DIM (x, i))));
    }
  value = ls_te_load (x, ls_array_take_ptr_array (indices));
  condition = ls_te_conjunction (inside);
  if (condition != NULL)
    value = ls_if_then_else (condition, value, ls_te_const (x->dtype, 0));
  {
    const char *keys[] = { "schedule_rule", "src_layout", "dst_layout", "input_shape" };
    LsNode *values[] = { LS_NODE (ls_string_new (schedule_rule != NULL ? schedule_rule : "None")), LS_NODE (ls_string_new (src_layout)),
                         LS_NODE (ls_string_new (dst_layout)), LS_NODE (ls_ref (x->shape)) };

    return ls_te_compute ("T_layout_trans", LS_TAG_INJECTIVE, ls_map_new (keys, values, G_N_ELEMENTS (keys)), axes, value, error);
  }
}
