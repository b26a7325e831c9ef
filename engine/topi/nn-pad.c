/* nn-pad: padding, dilation, and blocks of pixels as channels (topi.nn). */
#include "engine/topi/topi-private.h"

#include <string.h>

static gboolean
check_pads (const char *op,
            LsTeTensor *x,
            LsArray    *before,
            LsArray    *after,
            GError    **error)
{
  if (before->n != x->shape->n || after->n != x->shape->n)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.%s: a tensor of %u dimensions needs as many numbers before and after, not %u and %u", op, x->shape->n, before->n, after->n);
  return TRUE;
}

static LsArray *
padded_shape (LsTeTensor *x,
              LsArray    *before,
              LsArray    *after)
{
  GPtrArray *extents = g_ptr_array_new ();

  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (extents, ls_topi_simplify (ls_add (ls_add (ls_ref (DIM (x, i)), REF (before->items[i])), REF (after->items[i]))));
  return ls_array_take_ptr_array (extents);
}

LsTeTensor *
ls_topi_nn_pad (LsTeTensor *x,
                LsArray    *before,
                LsArray    *after,
                LsExpr     *value,
                const char *name,
                GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *indices, *inside;
  LsArray *axes;
  LsExpr *load, *condition;

  after = after != NULL ? after : before;
  if (x == NULL || !check_pads ("pad", x, before, after, error))
    return NULL;
  shape = padded_shape (x, before, after);
  axes = ls_te_axes (shape, "i*");
  indices = g_ptr_array_new ();
  inside = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    {
      if (ls_is_zero (before->items[i]) && ls_is_zero (after->items[i]))
        {
          g_ptr_array_add (indices, AX (i));
          continue;
        }
      g_ptr_array_add (indices, ls_sub (AX (i), REF (before->items[i])));
      g_ptr_array_add (inside, ls_ge (AX (i), REF (before->items[i])));
      g_ptr_array_add (inside, ls_lt (AX (i), ls_add (ls_ref (DIM (x, i)), REF (before->items[i]))));
    }
  load = ls_te_load (x, ls_array_take_ptr_array (indices));
  condition = ls_te_conjunction (inside);
  if (condition != NULL)
    load = ls_if_then_else (condition, load, value != NULL ? ls_cast (x->dtype, REF (value)) : ls_te_const (x->dtype, 0));
  return ls_te_compute (name != NULL ? name : "PadInput", "injective,pad", NULL, axes, load, error);
}

LsTeTensor *
ls_topi_nn_mirror_pad (LsTeTensor *x,
                       LsArray    *before,
                       LsArray    *after,
                       const char *mode,
                       GError    **error)
{
  gboolean symmetric = g_str_equal (mode, "SYMMETRIC");
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *indices;
  LsArray *axes;

  after = after != NULL ? after : before;
  if (x == NULL || !check_pads ("mirror_pad", x, before, after, error))
    return NULL;
  shape = padded_shape (x, before, after);
  axes = ls_te_axes (shape, "i*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    {
      LsExpr *size = DIM (x, i), *low = ls_array_at (before, i, LsExpr);
      LsExpr *index, *above, *below;

      if (ls_is_zero (low) && ls_is_zero (after->items[i]))
        {
          g_ptr_array_add (indices, AX (i));
          continue;
        }
      index = ls_sub (AX (i), REF (low));
      below = ls_sub (ls_mul (REF (index), ls_int (-1)), ls_int (symmetric));
      above = ls_add (ls_sub (ls_mul (ls_int (2), ls_sub (REF (size), ls_int (1))), REF (index)), ls_int (symmetric));
      index = ls_if_then_else (ls_lt (AX (i), REF (low)), below, index);
      g_ptr_array_add (indices, ls_if_then_else (ls_ge (AX (i), ls_add (REF (size), REF (low))), above, index));
    }
  return ls_te_compute ("MirrorPadInput", "injective,mirror_pad", NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

/* The place in the tensor that index i - before stands for. */
static LsExpr *
mode_index (LsExpr     *at,
            LsExpr     *size,
            LsExpr     *low,
            const char *mode)
{
  LsExpr *index = ls_sub (REF (at), REF (low));
  LsExpr *below, *above;

  if (g_str_equal (mode, "reflect"))
    {
      below = ls_sub (ls_int (0), REF (index));
      above = ls_sub (ls_sub (ls_mul (REF (size), ls_int (2)), ls_int (2)), REF (index));
    }
  else if (g_str_equal (mode, "replicate"))
    {
      below = ls_int (0);
      above = ls_sub (REF (size), ls_int (1));
    }
  else
    {
      below = ls_add (REF (index), REF (size));
      above = ls_sub (REF (index), REF (size));
    }
  above = ls_if_then_else (ls_ge (REF (index), REF (size)), above, REF (index));
  return ls_if_then_else (ls_lt (index, ls_int (0)), below, above);
}

LsTeTensor *
ls_topi_nn_mode_pad (LsTeTensor *x,
                     LsArray    *before,
                     LsArray    *after,
                     const char *mode,
                     GError    **error)
{
  static const char *const NAMES[][2] = { { "reflect", "ReflectPadInput" }, { "replicate", "ReplicatePadInput" }, { "circular", "CircularPadInput" } };
  g_autoptr (LsArray) shape = NULL;
  const char *name = NULL;
  GPtrArray *indices;
  LsArray *axes;

  if (x == NULL || !check_pads ("pad", x, before, after != NULL ? after : before, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (g_str_equal (NAMES[i][0], mode))
      name = NAMES[i][1];
  if (name == NULL)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.pad: the mode is \"reflect\", \"replicate\" or \"circular\", not \"%s\"", mode);
      return NULL;
    }
  after = after != NULL ? after : before;
  shape = padded_shape (x, before, after);
  axes = ls_te_axes (shape, "i*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    {
      g_autoptr (LsExpr) at = AX (i);

      g_ptr_array_add (indices, mode_index (at, DIM (x, i), ls_array_at (before, i, LsExpr), mode));
    }
  return ls_te_compute (name, "injective,pad", NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_nn_dilate (LsTeTensor *x,
                   LsArray    *strides,
                   double      value,
                   const char *name,
                   GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *indices, *hits;
  LsArray *axes;
  LsExpr *load, *condition;

  if (x == NULL)
    return NULL;
  if (strides->n != x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.dilate: a tensor of %u dimensions needs as many strides, not %u", x->shape->n, strides->n);
      return NULL;
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (extents, ls_topi_simplify (ls_add (ls_mul (ls_sub (ls_ref (DIM (x, i)), ls_int (1)), REF (strides->items[i])), ls_int (1))));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "i*");
  indices = g_ptr_array_new ();
  hits = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    if (ls_is_one (strides->items[i]))
      {
        g_ptr_array_add (indices, AX (i));
      }
    else
      {
        g_ptr_array_add (indices, ls_floordiv (AX (i), REF (strides->items[i])));
        g_ptr_array_add (hits, ls_eq (ls_floormod (AX (i), REF (strides->items[i])), ls_int (0)));
      }
  load = ls_te_load (x, ls_array_take_ptr_array (indices));
  condition = ls_te_conjunction (hits);
  if (condition != NULL)
    load = ls_if_then_else (condition, load, ls_te_const (x->dtype, value));
  return ls_te_compute (name != NULL ? name : "DilatedInput", LS_TAG_INJECTIVE, NULL, axes, load, error);
}

/* ---- blocks of pixels ---------------------------------------------------------- */

/* Where batch, channel, row and column are in a layout. */
static gboolean
find_places (const char *op,
             LsTeTensor *x,
             const char *layout,
             guint      *places,
             GError    **error)
{
  static const char letters[] = "NCHW";

  if (x->shape->n != 4 || (!g_str_equal (layout, "NCHW") && !g_str_equal (layout, "NHWC")))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.%s needs four dimensions in the layout NCHW or NHWC", op);
  for (guint i = 0; i < 4; i++)
    places[i] = (guint) (strchr (layout, letters[i]) - layout);
  return TRUE;
}

static LsTeTensor *
pixels (const char *name,
        LsTeTensor *x,
        const guint *places,
        LsArray    *axes,
        LsExpr     *channel,
        LsExpr     *row,
        LsExpr     *column,
        GError    **error)
{
  LsNode *indices[4];

  indices[places[0]] = LS_NODE (AX (places[0]));
  indices[places[1]] = LS_NODE (channel);
  indices[places[2]] = LS_NODE (row);
  indices[places[3]] = LS_NODE (column);
  return ls_te_compute (name, LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_new (indices, 4)), error);
}

LsTeTensor *
ls_topi_nn_space_to_depth (LsTeTensor *x,
                           gint64      block_size,
                           const char *layout,
                           GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) block = NULL;
  LsNode *extents[4];
  guint p[4];
  LsArray *axes;
  LsExpr *offset, *channel, *row, *column;

  if (x == NULL || !find_places ("space_to_depth", x, layout, p, error))
    return NULL;
  extents[p[0]] = ls_node_ref (LS_NODE (DIM (x, p[0])));
  extents[p[1]] = LS_NODE (ls_mul (ls_ref (DIM (x, p[1])), ls_int (block_size * block_size)));
  extents[p[2]] = LS_NODE (ls_truncdiv (ls_ref (DIM (x, p[2])), ls_int (block_size)));
  extents[p[3]] = LS_NODE (ls_truncdiv (ls_ref (DIM (x, p[3])), ls_int (block_size)));
  shape = ls_array_new (extents, 4);
  axes = ls_te_axes (shape, "i*");
  offset = ls_truncdiv (AX (p[1]), ls_ref (DIM (x, p[1])));
  channel = ls_truncmod (AX (p[1]), ls_ref (DIM (x, p[1])));
  row = ls_add (ls_truncdiv (REF (offset), ls_int (block_size)), ls_mul (AX (p[2]), ls_int (block_size)));
  column = ls_add (ls_truncmod (offset, ls_int (block_size)), ls_mul (AX (p[3]), ls_int (block_size)));
  return pixels ("space_to_depth", x, p, axes, channel, row, column, error);
}

LsTeTensor *
ls_topi_nn_depth_to_space (LsTeTensor *x,
                           gint64      block_size,
                           const char *layout,
                           const char *mode,
                           GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) factor = NULL;
  LsNode *extents[4];
  guint p[4];
  LsArray *axes;
  LsExpr *place, *channel, *row, *column;

  if (x == NULL || !find_places ("depth_to_space", x, layout, p, error))
    return NULL;
  factor = ls_truncdiv (ls_ref (DIM (x, p[1])), ls_int (block_size * block_size));
  extents[p[0]] = ls_node_ref (LS_NODE (DIM (x, p[0])));
  extents[p[1]] = LS_NODE (ls_ref (factor));
  extents[p[2]] = LS_NODE (ls_mul (ls_ref (DIM (x, p[2])), ls_int (block_size)));
  extents[p[3]] = LS_NODE (ls_mul (ls_ref (DIM (x, p[3])), ls_int (block_size)));
  shape = ls_array_new (extents, 4);
  axes = ls_te_axes (shape, "i*");
  place = ls_add (ls_mul (ls_int (block_size), ls_truncmod (AX (p[2]), ls_int (block_size))), ls_truncmod (AX (p[3]), ls_int (block_size)));
  row = ls_truncdiv (AX (p[2]), ls_int (block_size));
  column = ls_truncdiv (AX (p[3]), ls_int (block_size));
  if (mode == NULL || g_str_equal (mode, "DCR"))
    channel = ls_add (ls_mul (ls_ref (factor), place), AX (p[1]));
  else
    channel = ls_add (ls_mul (AX (p[1]), ls_int (block_size * block_size)), place);
  return pixels ("depth_to_space", x, p, axes, channel, row, column, error);
}
