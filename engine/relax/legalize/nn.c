/* legalize/nn: activations, padding, pixel shuffle, attention. */
#include "engine/relax/legalize/legalize.h"

#include <math.h>
#include <string.h>

#define K(value) ls_legalize_const (self, x->dtype, (value))

static LsNode *
relu (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_nn_relu (x, &self->error) : NULL);
}

static LsNode *
relu6 (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_clip (x, K (0), K (6), &self->error) : NULL);
}

static LsNode *
leaky_relu (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_nn_leaky_relu (x, ls_legalize_float (self, "alpha", 0.01), &self->error) : NULL);
}

static LsNode *
prelu (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *slope = ls_legalize_tensor (self, 1);

  return ls_legalize_one (self, x != NULL && slope != NULL ? ls_topi_nn_prelu (x, slope, ls_legalize_int (self, "axis", 1), &self->error) : NULL);
}

static LsNode *
softplus (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_nn_softplus (x, ls_legalize_float (self, "beta", 1), ls_legalize_float (self, "threshold", 20), &self->error) : NULL);
}

/* x * (0.5 + erf (x * sqrt 0.5) * 0.5), erf of half floats by way of float32 */
static LsNode *
gelu (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *erf;
  gboolean half;

  if (x == NULL)
    return ls_legalize_stay (self);
  half = x->dtype.code == LS_TYPE_FLOAT && x->dtype.bits == 16;
  erf = ls_legalize_binary (self, "multiply", x, K (sqrt (0.5)));
  if (half && erf != NULL)
    erf = ls_legalize_stage (self, ls_topi_cast (erf, LS_FLOAT32, &self->error));
  erf = ls_legalize_unary (self, "erf", erf);
  if (half && erf != NULL)
    erf = ls_legalize_stage (self, ls_topi_cast (erf, x->dtype, &self->error));
  erf = ls_legalize_binary (self, "multiply", erf, K (0.5));
  return ls_legalize_one (self, ls_ref (ls_legalize_binary (self, "multiply", x, ls_legalize_binary (self, "add", K (0.5), erf))));
}

/* 0.5 * x * (1 + tanh (sqrt (2 / pi) * x * (1 + 0.044715 * x * x))) */
static LsNode *
gelu_tanh (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *left, *inner;

  if (x == NULL)
    return ls_legalize_stay (self);
  left = ls_legalize_binary (self, "multiply", K (0.5), x);
  inner = ls_legalize_binary (self, "multiply", ls_legalize_binary (self, "multiply", K (0.044715), x), x);
  inner = ls_legalize_binary (self, "add", K (1), inner);
  inner = ls_legalize_binary (self, "multiply", ls_legalize_binary (self, "multiply", K (sqrt (2 / G_PI)), x), inner);
  inner = ls_legalize_binary (self, "add", K (1), ls_legalize_unary (self, "tanh", inner));
  return ls_legalize_one (self, ls_ref (ls_legalize_binary (self, "multiply", left, inner)));
}

/* scale * (max (x, 0) + min (0, alpha * (exp x - 1))) */
static LsNode *
selu (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *positive, *negative;

  if (x == NULL)
    return ls_legalize_stay (self);
  positive = ls_legalize_binary (self, "maximum", x, K (0));
  negative = ls_legalize_binary (self, "subtract", ls_legalize_unary (self, "exp", x), K (1));
  negative = ls_legalize_binary (self, "minimum", K (0), ls_legalize_binary (self, "multiply", K (1.6732632423543772848170429916717), negative));
  return ls_legalize_one (self, ls_ref (ls_legalize_binary (self, "multiply", K (1.0507009873554804934193349852946),
                                                            ls_legalize_binary (self, "add", positive, negative))));
}

static LsNode *
silu (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, ls_ref (ls_legalize_binary (self, "multiply", x, ls_legalize_unary (self, "sigmoid", x))));
}

/* ---- pad ---------------------------------------------------------------------------- */

static LsArray *
every_other (LsLegalize *self,
             LsArray    *list,
             guint       from)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = from; i < list->n; i += 2)
    g_ptr_array_add (out, ls_node_ref (list->items[i]));
  return ls_legalize_keep (self, ls_array_take_ptr_array (out));
}

static LsNode *
pad (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *width = ls_legalize_ints (self, "pad_width");
  const char *mode = ls_legalize_str (self, "pad_mode");
  g_autofree char *hint = NULL;

  if (x == NULL || width == NULL)
    return ls_legalize_stay (self);
  if (strcmp (mode, "constant") == 0)
    return ls_legalize_one (self, ls_topi_nn_pad (x, every_other (self, width, 0), every_other (self, width, 1),
                                                  K (ls_legalize_float (self, "pad_value", 0)), NULL, &self->error));
  hint = g_strconcat (mode, "_pad", NULL);
  return ls_legalize_one_as (self, ls_topi_nn_mode_pad (x, every_other (self, width, 0), every_other (self, width, 1), mode, &self->error), hint);
}

/* (c * r * r, h, w) as (c, h * r, w * r), whatever stands before. */
static LsNode *
pixel_shuffle (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  gint64 r = ls_legalize_int (self, "upscale_factor", 1);
  LsArray *shape = ls_legalize_shape (self);
  GPtrArray *apart = g_ptr_array_new (), *order = g_ptr_array_new ();
  LsTeTensor *y = x;
  guint outer;

  if (x == NULL || shape == NULL)
    {
      g_ptr_array_unref (apart);
      g_ptr_array_unref (order);
      return ls_legalize_stay (self);
    }
  outer = x->shape->n - 3;
  for (guint i = 0; i <= outer; i++)
    g_ptr_array_add (apart, ls_node_ref (shape->items[i]));
  g_ptr_array_add (apart, ls_extent (r));
  g_ptr_array_add (apart, ls_extent (r));
  g_ptr_array_add (apart, ls_node_ref (x->shape->items[outer + 1]));
  g_ptr_array_add (apart, ls_node_ref (x->shape->items[outer + 2]));
  for (guint i = 0; i <= outer; i++)
    g_ptr_array_add (order, ls_int (i));
  for (guint i = 0; i < 4; i++)
    g_ptr_array_add (order, ls_int (outer + 1 + (const guint[]) { 2, 0, 3, 1 }[i]));
  y = ls_legalize_stage (self, ls_topi_reshape (y, ls_legalize_keep (self, ls_array_take_ptr_array (apart)), &self->error));
  y = y != NULL ? ls_legalize_stage (self, ls_topi_transpose (y, ls_legalize_keep (self, ls_array_take_ptr_array (order)), &self->error)) : NULL;
  return ls_legalize_one (self, y != NULL ? ls_topi_reshape (y, shape, &self->error) : NULL);
}

/* ---- attention -------------------------------------------------------------------------- */

static LsArray *
ints (LsLegalize *self,
      guint       n,
      const int  *values)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out, ls_int (values[i]));
  return ls_legalize_keep (self, ls_array_take_ptr_array (out));
}

static LsArray *
list (LsLegalize *self,
      LsExpr     *a,
      LsExpr     *b,
      LsExpr     *c,
      LsExpr     *d)            /* or NULL; all borrowed */
{
  return ls_legalize_keep (self, ls_array_of (ls_ref (a), ls_ref (b), ls_ref (c), ls_ref (d), NULL));
}

static LsTeTensor *
reshaped (LsLegalize *self,
          LsTeTensor *x,
          LsArray    *shape)
{
  return x != NULL ? ls_legalize_stage (self, ls_topi_reshape (x, shape, &self->error)) : NULL;
}

static LsTeTensor *
swapped (LsLegalize *self,
         LsTeTensor *x)
{
  static const int ORDER[] = { 0, 2, 1, 3 };

  return x != NULL ? ls_legalize_stage (self, ls_topi_transpose (x, ints (self, 4, ORDER), &self->error)) : NULL;
}

/* (b, s, h, d) as (b * h, s, d) */
static LsTeTensor *
by_heads (LsLegalize *self,
          LsTeTensor *x,
          LsExpr     *batch)
{
  return reshaped (self, swapped (self, x), list (self, batch, LS_EXPR (x->shape->items[1]), LS_EXPR (x->shape->items[3]), NULL));
}

static LsTeTensor *
lower_triangle (LsLegalize *self,
                LsTeTensor *x,
                LsExpr     *offset)
{
  return x != NULL ? ls_legalize_stage (self, ls_topi_trilu (x, offset, FALSE, &self->error)) : NULL;
}

static LsTeTensor *
over_last (LsLegalize *self,
           const char *name,
           LsTeTensor *x)
{
  static const int LAST[] = { -1 };

  return x != NULL ? ls_legalize_stage (self, ls_topi_reduce (name, x, ints (self, 1, LAST), TRUE, &self->error)) : NULL;
}

static LsTeTensor *
causal_softmax (LsLegalize *self,
                LsTeTensor *p,
                LsExpr     *offset)
{
  LsTeTensor *masked = lower_triangle (self, p, offset), *sum;
  LsTeTensor *exp = ls_legalize_unary (self, "exp", ls_legalize_binary (self, "subtract", masked, over_last (self, "max", masked)));

  exp = lower_triangle (self, exp, offset);
  sum = over_last (self, "sum", exp);
  return ls_legalize_binary (self, "divide", exp, sum);
}

static LsTeTensor *
scaled (LsLegalize *self,
        LsTeTensor *p,
        LsExpr     *width)
{
  LsNode *scale = ls_infer_attr (&self->infer, "scale");

  if (p == NULL)
    return NULL;
  if (scale != NULL)
    return ls_legalize_binary (self, "multiply", p, ls_legalize_const (self, LS_FLOAT32, ls_legalize_float (self, "scale", 1)));
  return ls_legalize_binary (self, "divide", p, ls_legalize_keep (self, ls_te_unary ("sqrt", ls_cast (p->dtype, ls_ref (width)))));
}

/* A tensor with as many heads as the queries have: each stands several times, one for each head that it serves. */
static LsTeTensor *
for_each_head (LsLegalize *self,
               LsTeTensor *x,
               LsExpr     *heads)
{
  gint64 n, wanted;

  if (x == NULL || !ls_as_int (x->shape->items[2], &n) || !ls_as_int (heads, &wanted) || n == wanted || n < 1)
    return x;
  return ls_legalize_stage (self, ls_topi_repeat (x, wanted / n, 2, &self->error));
}

static LsNode *
attention (LsLegalize *self)
{
  gboolean has_bias = self->call->args->n > 3;
  LsTeTensor *q = ls_legalize_tensor (self, 0), *k = ls_legalize_tensor (self, 1), *v = ls_legalize_tensor (self, 2);
  LsTeTensor *bias = has_bias ? ls_legalize_tensor (self, 3) : NULL, *p, *s, *o;
  const char *mask = ls_legalize_str (self, "causal_mask");
  LsExpr *b, *heads, *length, *length_kv, *batch, *offset = ls_legalize_keep (self, ls_int (0));

  if (q == NULL || k == NULL || v == NULL || (has_bias && bias == NULL) || ls_infer_attr (&self->infer, "window_size") != NULL)
    return ls_legalize_stay (self);
  b = LS_EXPR (q->shape->items[0]);
  heads = LS_EXPR (q->shape->items[2]);
  k = for_each_head (self, k, heads);
  v = for_each_head (self, v, heads);
  if (k == NULL || v == NULL)
    return NULL;
  length = LS_EXPR (q->shape->items[1]);
  length_kv = LS_EXPR (v->shape->items[1]);
  batch = ls_legalize_keep (self, ls_mul (ls_ref (b), ls_ref (heads)));
  if (strcmp (mask, "BottomRight") == 0)
    offset = ls_legalize_keep (self, ls_te_unary ("abs", ls_sub (ls_ref (length), ls_ref (length_kv))));
  {
    LsTeTensor *query = by_heads (self, q, batch), *key = by_heads (self, k, batch);

    p = query != NULL && key != NULL ? ls_legalize_stage (self, ls_topi_nn_batch_matmul (query, key, NULL, FALSE, TRUE, &self->error)) : NULL;
  }
  p = scaled (self, p, LS_EXPR (q->shape->items[3]));
  if (bias != NULL)
    {
      p = reshaped (self, p, list (self, b, heads, length, length_kv));
      p = reshaped (self, ls_legalize_binary (self, "add", p, bias), list (self, batch, length, length_kv, NULL));
    }
  s = p == NULL ? NULL : mask[0] == '\0' ? ls_legalize_stage (self, ls_topi_nn_softmax (p, -1, &self->error)) : causal_softmax (self, p, offset);
  {
    LsTeTensor *value = by_heads (self, v, batch);

    o = s != NULL && value != NULL ? ls_legalize_stage (self, ls_topi_nn_batch_matmul (s, value, NULL, FALSE, FALSE, &self->error)) : NULL;
  }
  o = swapped (self, reshaped (self, o, list (self, b, heads, length, LS_EXPR (v->shape->items[3]))));
  return ls_legalize_one_as (self, ls_ref (o), has_bias ? "attention_bias" : "attention");
}

const LsLegalizeRow ls_legalize_nn[] = {
  { "nn.attention", attention }, { "nn.gelu", gelu }, { "nn.gelu_tanh", gelu_tanh }, { "nn.leakyrelu", leaky_relu, "leaky_relu" }, { "nn.pad", pad }, { "nn.pixel_shuffle", pixel_shuffle },
  { "nn.prelu", prelu }, { "nn.relu", relu }, { "nn.relu6", relu6 }, { "nn.selu", selu }, { "nn.silu", silu }, { "nn.softplus", softplus },
  { NULL }
};
