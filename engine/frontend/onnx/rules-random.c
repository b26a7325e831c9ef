/* onnx/rules-random: what is drawn.  A program of Relax draws nothing when it runs, so the numbers are drawn when the file is read, by the seed that the node
 * states, else by its place: every run has the same ones, and two nodes have others.  A distribution that depends on inputs is made of them in the program. */
#include "engine/frontend/onnx/onnx-private.h"

#include <math.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_ELEMENTS (1 << 22)
#define STEP 0x9e3779b97f4a7c15u        /* of Vigna's splitmix64: the golden ratio */

/* The next of a sequence, at least 0 and below 1. */
static double
next_uniform (guint64 *state)
{
  guint64 z = *state += STEP;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double) ((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Box and Muller's way. */
static double
next_normal (guint64 *state)
{
  double r = sqrt (-2.0 * log (1.0 - next_uniform (state)));

  return r * cos (2.0 * G_PI * next_uniform (state));
}

static guint64
seed_of (LsOnnxImport *self)
{
  float seed = (float) ls_onnx_attr_real (self, "seed", 0.0);
  guint32 bits;

  memcpy (&bits, &seed, sizeof bits);
  return ls_onnx_attr (self, "seed") != NULL ? bits : (guint64) (self->place + 1) << 40;
}

/* Of known extents, `a` + `b` times a number that is uniform or normal. */
static LsFxValue *
drawn (LsOnnxImport *self,
       LsFxValue    *shape,
       gboolean      normal,
       double        a,
       double        b)
{
  gint64 *extents = ls_fx_alloc (FX, (shape->n + 1) * sizeof *extents), n = 1;
  guint64 state = seed_of (self);
  float *data;

  for (guint i = 0; i < shape->n; i++)
    {
      if (shape->items[i]->kind != LS_FX_INT)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "numbers are drawn when the file is read, and how many they are is not known then");
      extents[i] = shape->items[i]->i;
      if (extents[i] < 0 || (extents[i] > 0 && n > MOST_ELEMENTS / extents[i]))
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "at most %d numbers are drawn when the file is read", MOST_ELEMENTS);
      n *= extents[i];
    }
  data = g_new (float, MAX (n, 1));
  for (gint64 i = 0; i < n; i++)
    data[i] = (float) (a + b * (normal ? next_normal (&state) : next_uniform (&state)));
  return ls_onnx_constant (self, LS_FLOAT32, extents, shape->n, data);
}

/* That the node states, else `otherwise`. */
static gboolean
stated_type (LsOnnxImport *self,
             LsDType       otherwise,
             LsDType      *dtype)
{
  gint64 said = ls_onnx_attr_int (self, "dtype", 0);

  *dtype = otherwise;
  if (said != 0 && !ls_onnx_dtype ((gint32) said, dtype))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its type of elements is not supported"), FALSE;
  return self->fx.error == NULL;
}

static LsFxValue *
draw_shape (LsOnnxImport *self,
            LsFxValue    *shape,
            LsDType       otherwise)
{
  gboolean normal = g_str_has_prefix (self->node->op_type, "RandomNormal");
  double a = ls_onnx_attr_real (self, normal ? "mean" : "low", 0.0), b = ls_onnx_attr_real (self, normal ? "scale" : "high", 1.0);
  LsFxValue *x;
  LsDType dtype;

  if (shape == NULL || !stated_type (self, otherwise, &dtype))
    return NULL;
  x = drawn (self, shape, normal, a, normal ? b : b - a);
  return x != NULL ? ls_onnx_cast (self, x, dtype) : NULL;
}

static LsFxValue *
draw (LsOnnxImport *self)
{
  LsFxValue *shape = ls_onnx_attr (self, "shape");

  return shape != NULL && shape->kind == LS_FX_LIST ? draw_shape (self, shape, LS_FLOAT32) : ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "it says no shape");
}

static LsFxValue *
draw_like (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;

  return shape != NULL ? draw_shape (self, shape, ls_fx_dtype (FX, x)) : NULL;
}

/* 1 with the probability that the element is. */
static LsFxValue *
bernoulli (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *u;
  LsDType dtype;

  if (shape == NULL || !stated_type (self, ls_fx_dtype (FX, x), &dtype))
    return NULL;
  u = drawn (self, shape, FALSE, 0.0, 1.0);
  return u != NULL ? ls_onnx_cast (self, ls_fx_call (FX, "less", u, ls_onnx_cast (self, x, LS_FLOAT32), NULL), dtype) : NULL;
}

/* Classes by their logarithms of probabilities: how many of the probabilities, summed up, lie at or below a number that is uniform. */
static LsFxValue *
multinomial (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *of[2], *u, *sums;
  gint64 n_classes;
  LsDType dtype;

  if (shape == NULL || !stated_type (self, LS_INT32, &dtype))
    return NULL;
  if (shape->n != 2)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a batch of rows is expected");
  n_classes = ls_onnx_number (self, shape, 1);
  of[0] = shape->items[0];
  of[1] = ls_fx_int (FX, ls_onnx_attr_int (self, "sample_size", 1));
  u = self->fx.error == NULL ? drawn (self, ls_fx_list (FX, of, 2), FALSE, 0.0, 1.0) : NULL;
  if (u == NULL)
    return NULL;
  sums = ls_fx_call (FX, "nn.softmax", ls_onnx_cast (self, x, LS_FLOAT32), LS_FX_BY_NAME, "axis", ls_fx_int (FX, -1), NULL);
  sums = ls_fx_call (FX, "cumsum", sums, LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), NULL);
  sums = ls_fx_call (FX, "expand_dims", sums, ls_fx_int (FX, 1), NULL);
  u = ls_fx_call (FX, "expand_dims", u, ls_fx_int (FX, 2), NULL);
  u = ls_onnx_cast (self, ls_fx_call (FX, "less_equal", sums, u, NULL), LS_INT32);
  u = ls_fx_call (FX, "sum", u, LS_FX_BY_NAME, "axis", ls_fx_ints (FX, (const gint64[]) { 2 }, 1), NULL);
  u = ls_fx_call (FX, "minimum", u, ls_fx_scalar (FX, ls_fx_int (FX, n_classes - 1), LS_INT32), NULL);      /* the last sum need not reach 1 */
  return u != NULL ? ls_onnx_cast (self, u, dtype) : NULL;
}

const LsOnnxHandler ls_onnx_handlers_random[] = {
  { "RandomNormal RandomUniform", draw }, { "RandomNormalLike RandomUniformLike", draw_like }, { "Bernoulli", bernoulli }, { "Multinomial", multinomial },
  { NULL, NULL }
};
