/* op/nn: activations, dropout, padding, pixel shuffle, attention. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

static LsStructInfo *
infer_dropout (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_pair (LS_NODE (ls_ref (x)), LS_NODE (ls_ref (x)), NULL) : NULL;
}

static LsStructInfo *
infer_prelu (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  guint axis;

  if (x == NULL || ls_infer_tensor (self, 1) == NULL || (x->ndim >= 0 && !ls_infer_axis (self, ls_infer_int (self, "axis", 1), x->ndim, &axis))
      || !ls_infer_is_float (self, 0, x->dtype))
    return NULL;
  return LS_NODE (ls_ref (x));
}

/* How many elements a mode reads on an axis that is padded by this much: the reflection of n elements needs n more than the one in the middle. */
gint64
ls_pad_needs (const char *mode,
              gint64      before,
              gint64      after)
{
  gint64 most = MAX (before, after);

  if (most <= 0 || strcmp (mode, "constant") == 0)
    return 0;
  return strcmp (mode, "reflect") == 0 ? most + 1 : strcmp (mode, "circular") == 0 ? most : 1;
}

static gboolean
pad_fits (LsInfer *self,
          LsArray *extents,
          LsArray *width)
{
  const char *mode = ls_infer_str (self, "pad_mode", "constant");
  gint64 extent, before, after;

  for (guint i = 0; i < extents->n; i++)
    if (ls_as_int (ls_extent_at (extents, i), &extent) && ls_as_int (ls_extent_at (width, 2 * i), &before) && ls_as_int (ls_extent_at (width, 2 * i + 1), &after)
        && extent < ls_pad_needs (mode, before, after))
      {
        ls_infer_fail (self, "in mode %s takes %" PRId64 " elements at least on axis %u for widths of %" PRId64 " and %" PRId64 "; there are %" PRId64 ".",
                       mode, ls_pad_needs (mode, before, after), i, before, after, extent);
        return FALSE;
      }
  return TRUE;
}

static LsStructInfo *
infer_pad (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *width = ls_infer_ints (self, "pad_width"), *extents;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  if (width == NULL || (x->ndim >= 0 && width->n != 2 * x->ndim))
    return ls_infer_fail (self, "takes two widths for each of the %" PRId64 " dimensions; there are %u.", x->ndim, ls_array_n (width));
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (x->ndim, x->dtype, x);
  if (!pad_fits (self, extents, width))
    return NULL;
  out = ls_extents_new ();
  for (guint i = 0; i < extents->n; i++)
    {
      LsExpr *before = ls_cast (LS_INT64, ls_ref (ls_extent_at (width, 2 * i))), *after = ls_cast (LS_INT64, ls_ref (ls_extent_at (width, 2 * i + 1)));

      ls_extents_add (out, ls_infer_simplify (self, ls_add (ls_add (before, after), ls_ref (ls_extent_at (extents, i)))));
    }
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_pixel_shuffle (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  gint64 factor = ls_infer_int (self, "upscale_factor", 0), channels;
  LsArray *extents;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  if (factor <= 0 || factor > G_MAXINT32)
    return ls_infer_fail (self, "takes a positive factor; it is %" PRId64 ".", factor);
  if (x->ndim >= 0 && x->ndim < 3)
    return ls_infer_fail (self, "takes a tensor of three dimensions at least; it has %" PRId64 ".", x->ndim);
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (x->ndim, x->dtype, x);
  if (ls_as_int (extents->items[extents->n - 3], &channels) && channels % (factor * factor) != 0)
    return ls_infer_fail (self, "takes channels that %" PRId64 " squared divides; there are %" PRId64 ".", factor, channels);
  out = ls_extents_new ();
  for (guint i = 0; i < extents->n; i++)
    {
      LsExpr *extent = ls_ref (ls_extent_at (extents, i));

      if (i + 3 == extents->n)
        extent = ls_floordiv (extent, ls_extent (factor * factor));
      else if (i + 3 > extents->n)
        extent = ls_mul (extent, ls_extent (factor));
      ls_extents_add (out, ls_infer_simplify (self, extent));
    }
  return ls_infer_shaped_take (out, x->dtype, x);
}

/* ---- attention: query (b, s, h, d), key (b, t, h, d), value (b, t, h, v) ------------- */

static gboolean
axes_agree (LsInfer *self,
            LsArray *a,
            LsArray *b,
            guint    axis)
{
  if (!ls_infer_differ (self, ls_extent_at (a, axis), ls_extent_at (b, axis)))
    return TRUE;
  ls_infer_fail (self, "takes query, key and value that agree on axis %u; there are %s and %s.", axis, ls_infer_text (self, a), ls_infer_text (self, b));
  return FALSE;
}

/* Each head of keys or values serves as many of the queries' heads. */
static gboolean
heads_agree (LsInfer *self,
             LsArray *query,
             LsArray *other)
{
  gint64 heads, n;

  if (!ls_as_int (query->items[2], &heads) || !ls_as_int (other->items[2], &n))
    return axes_agree (self, query, other, 2);
  if (n > 0 && heads % n == 0)
    return TRUE;
  ls_infer_fail (self, "takes a number of heads of queries that is a multiple of that of keys and values; they have %" PRId64 " and %" PRId64 ".",
                 heads, n);
  return FALSE;
}

/* The bias broadcasts to (b, h, s, t). */
static gboolean
bias_fits (LsInfer *self,
           LsArray *query,
           LsArray *key)
{
  LsTensorStructInfo *bias = ls_infer_tensor (self, 3);
  LsExpr *expected[4];
  LsArray *extents;

  if (bias == NULL)
    return FALSE;
  if (bias->ndim >= 0 && bias->ndim != 4)
    {
      ls_infer_fail (self, "takes a bias of four dimensions; it has %" PRId64 ".", bias->ndim);
      return FALSE;
    }
  if ((extents = ls_tensor_extents (bias)) == NULL)
    return TRUE;
  expected[0] = ls_extent_at (query, 0);
  expected[1] = ls_extent_at (query, 2);
  expected[2] = ls_extent_at (query, 1);
  expected[3] = ls_extent_at (key, 1);
  for (guint i = 0; i < 4; i++)
    if (!(i < 3 && ls_is_one (extents->items[i])) && ls_infer_differ (self, ls_extent_at (extents, i), expected[i]))
      {
        ls_infer_fail (self, "takes a bias of extent %s on axis %u; it has %s.", ls_infer_text (self, expected[i]), i, ls_infer_text (self, extents->items[i]));
        return FALSE;
      }
  return TRUE;
}

static LsStructInfo *
infer_attention (LsInfer *self)
{
  LsTensorStructInfo *x[3];
  LsArray *extents[3];
  LsDType dtype = LS_VOID;
  GPtrArray *out;

  for (guint i = 0; i < 3; i++)
    {
      if ((x[i] = ls_infer_tensor (self, i)) == NULL)
        return NULL;
      if (x[i]->ndim >= 0 && x[i]->ndim != 4)
        return ls_infer_fail (self, "takes a tensor of four dimensions as %s; it has %" PRId64 ".", ls_infer_arg_name (self, i), x[i]->ndim);
      if (!ls_infer_common (self, i == 0 ? x[0]->dtype : dtype, x[i]->dtype, &dtype))
        return NULL;
    }
  for (guint i = 0; i < 3; i++)
    if ((extents[i] = ls_tensor_extents (x[i])) == NULL)
      return ls_infer_ranked (4, x[0]->dtype, x[0]);
  if (!axes_agree (self, extents[0], extents[1], 0) || !axes_agree (self, extents[0], extents[2], 0) || !axes_agree (self, extents[1], extents[2], 1)
      || !heads_agree (self, extents[0], extents[1]) || !heads_agree (self, extents[0], extents[2]) || !axes_agree (self, extents[0], extents[1], 3)
      || (self->n > 3 && self->row->infer == infer_attention && !bias_fits (self, extents[0], extents[1])))
    return NULL;
  out = ls_extents_new ();
  for (guint i = 0; i < 3; i++)
    ls_extents_add (out, extents[0]->items[i]);
  ls_extents_add (out, extents[2]->items[3]);
  return ls_infer_shaped_take (out, x[0]->dtype, x[0]);
}

static LsStructInfo *
infer_attention_var_len (LsInfer *self)
{
  LsTensorStructInfo *q = ls_infer_tensor (self, 0), *v = q != NULL && ls_infer_tensor (self, 1) != NULL ? ls_infer_tensor (self, 2) : NULL;
  GPtrArray *out;

  if (v == NULL)
    return NULL;
  if (ls_tensor_extents (q) == NULL || ls_tensor_extents (v) == NULL)
    return ls_infer_ranked (4, q->dtype, q);
  if (q->ndim != 4 || v->ndim != 4)
    return ls_infer_fail (self, "takes tensors of four dimensions.");
  out = ls_extents_new ();
  for (guint i = 0; i < 3; i++)
    ls_extents_add (out, ls_tensor_extents (q)->items[i]);
  ls_extents_add (out, ls_tensor_extents (v)->items[3]);
  return ls_infer_shaped_take (out, q->dtype, q);
}

const LsRelaxOpRow ls_relax_ops_nn[] = {
  { "nn.attention", "query key value bias? | scale:any=None causal_mask:any=None window_size:any=None", infer_attention },
  { "nn.attention_var_len", "query key value seqstart_q seqstart_k max_seqlen_q max_seqlen_k | scale:any=None causal_mask:any=None window_size:any=None",
    infer_attention_var_len },
  { "nn.dropout", "data | rate:float=0.5", infer_dropout },
  { "nn.gelu", "data", ls_infer_float_unary }, { "nn.gelu_tanh", "data", ls_infer_float_unary },
  { "nn.leakyrelu", "data | alpha:float=0.01", ls_infer_float_unary },
  { "nn.pad", "data | pad_width:ints pad_value:float=0.0 pad_mode:str=constant", infer_pad },
  { "nn.pixel_shuffle", "data | upscale_factor:int", infer_pixel_shuffle },
  { "nn.prelu", "data alpha | axis:int=1", infer_prelu },
  { "nn.relu", "data", ls_infer_any_unary }, { "nn.relu6", "data", ls_infer_any_unary },
  { "nn.selu", "data", ls_infer_float_unary }, { "nn.silu", "data", ls_infer_float_unary },
  { "nn.softplus", "data | beta:float=1.0 threshold:float=20.0", ls_infer_float_unary },
  { NULL }
};
