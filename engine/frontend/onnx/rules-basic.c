/* onnx/rules-basic: arithmetic, types, reductions, products, constants. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FX (&self->fx)

static LsFxValue *
text (LsOnnxImport *self,
      const char   *word)
{
  return ls_fx_text (FX, LS_FX_TEXT, word);
}

static gboolean
is_float (LsOnnxImport *self,
          LsFxValue    *x)
{
  return ls_dtype_is_float (ls_fx_dtype (FX, x));
}

/* ---- several operands ------------------------------------------------------------------------- */

static LsFxValue *
over_all (LsOnnxImport *self,
          const char   *op)
{
  LsFxValue *y = ls_onnx_needed (self, 0);

  for (guint i = 1; y != NULL && i < self->fx.n_args; i++)
    y = ls_fx_call (FX, op, y, self->fx.args[i], NULL);
  return y;
}

static LsFxValue *
sum (LsOnnxImport *self)
{
  return over_all (self, "add");
}

static LsFxValue *
greatest (LsOnnxImport *self)
{
  return over_all (self, "maximum");
}

static LsFxValue *
least (LsOnnxImport *self)
{
  return over_all (self, "minimum");
}

static LsFxValue *
mean (LsOnnxImport *self)
{
  LsFxValue *y = over_all (self, "add");

  return y != NULL ? ls_fx_call (FX, "divide", y, ls_fx_real (FX, self->fx.n_args), NULL) : NULL;
}

/* Whole numbers are divided towards zero. */
static LsFxValue *
division (LsOnnxImport *self)
{
  LsFxValue *a = ls_onnx_needed (self, 0), *b = ls_onnx_needed (self, 1), *quotient, *sign;

  if (a == NULL || b == NULL)
    return NULL;
  if (is_float (self, a) || self->fx.error != NULL)
    return ls_fx_call (FX, "divide", a, b, NULL);
  sign = ls_fx_call (FX, "multiply", ls_fx_call (FX, "sign", a, NULL), ls_fx_call (FX, "sign", b, NULL), NULL);
  quotient = ls_fx_call (FX, "floor_divide", ls_fx_call (FX, "abs", a, NULL), ls_fx_call (FX, "abs", b, NULL), NULL);
  return sign != NULL && quotient != NULL ? ls_fx_call (FX, "multiply", sign, quotient, NULL) : NULL;
}

static LsFxValue *
modulo (LsOnnxImport *self)
{
  LsFxValue *a = ls_onnx_needed (self, 0), *b = ls_onnx_needed (self, 1);

  return a != NULL && b != NULL ? ls_fx_call (FX, ls_onnx_attr_int (self, "fmod", 0) ? "mod" : "floor_mod", a, b, NULL) : NULL;
}

/* Of whole numbers, which are exact as float64 up to 2**53: what comes of them is the nearest whole number, and of other powers the one towards 0. */
static LsFxValue *
whole_power (LsOnnxImport *self,
             LsFxValue    *a,
             LsFxValue    *b)
{
  LsDType dtype = ls_fx_dtype (FX, a);
  gboolean rounds = !is_float (self, b);
  LsFxValue *wide = ls_fx_text (FX, LS_FX_DTYPE, "float64"), *y;

  a = ls_fx_call (FX, "astype", a, wide, NULL);
  b = a != NULL ? ls_fx_call (FX, "astype", b, wide, NULL) : NULL;
  y = b != NULL ? ls_fx_call (FX, "power", a, b, NULL) : NULL;
  if (y != NULL && rounds)
    y = ls_fx_call (FX, "round", y, NULL);
  return y != NULL ? ls_fx_call (FX, "astype", y, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL) : NULL;
}

static LsFxValue *
power (LsOnnxImport *self)
{
  LsFxValue *a = ls_onnx_needed (self, 0), *b = ls_onnx_needed (self, 1);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  if (a == NULL || b == NULL)
    return NULL;
  if (ls_onnx_reals (self, 1, values) && values->len == 1 && g_array_index (values, double, 0) == 2.0 && is_float (self, a)
      && ls_fx_shape (FX, b) != NULL && ls_fx_shape (FX, b)->n <= 1)
    return ls_fx_call (FX, "square", a, NULL);
  if (!is_float (self, a))
    return whole_power (self, a, b);
  if (!ls_dtype_equal (ls_fx_dtype (FX, a), ls_fx_dtype (FX, b)))
    b = ls_fx_call (FX, "astype", b, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (FX, a))), NULL);
  return ls_fx_call (FX, "power", a, b, NULL);
}

static LsFxValue *
rounded (LsOnnxImport *self)
{
  return ls_onnx_rounded (self, ls_onnx_needed (self, 0));
}

static LsFxValue *
infinite (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *y = x != NULL ? ls_fx_call (FX, "isinf", x, NULL) : NULL, *zero = ls_fx_real (FX, 0.0);

  if (y != NULL && !ls_onnx_attr_int (self, "detect_negative", 1))
    y = ls_fx_call (FX, "logical_and", y, ls_fx_call (FX, "greater", x, zero, NULL), NULL);
  if (y != NULL && !ls_onnx_attr_int (self, "detect_positive", 1))
    y = ls_fx_call (FX, "logical_and", y, ls_fx_call (FX, "less", x, zero, NULL), NULL);
  return y;
}

static LsFxValue *
clip (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *low = ls_onnx_input (self, 1), *high = ls_onnx_input (self, 2);

  low = low != NULL ? low : ls_onnx_attr (self, "min");
  high = high != NULL ? high : ls_onnx_attr (self, "max");
  if (x != NULL && low != NULL)
    x = ls_fx_call (FX, "maximum", x, low, NULL);
  return x != NULL && high != NULL ? ls_fx_call (FX, "minimum", x, high, NULL) : x;
}

static LsFxValue *
shifted (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *by = ls_onnx_needed (self, 1);
  const char *direction = ls_onnx_attr_text (self, "direction", "");

  if (strcmp (direction, "LEFT") != 0 && strcmp (direction, "RIGHT") != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "it shifts neither LEFT nor RIGHT");
  return x != NULL && by != NULL ? ls_fx_call (FX, strcmp (direction, "LEFT") == 0 ? "left_shift" : "right_shift", x, by, NULL) : NULL;
}

/* The slope is broadcast as in numpy; nn.prelu has one for each channel. */
static LsFxValue *
prelu (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *slope = ls_onnx_needed (self, 1), *zero = ls_fx_real (FX, 0.0);

  if (x == NULL || slope == NULL)
    return NULL;
  return ls_fx_call (FX, "where", ls_fx_call (FX, "less", x, zero, NULL), ls_fx_call (FX, "multiply", x, slope, NULL), x, NULL);
}

static LsFxValue *
gelu (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0);

  return x != NULL ? ls_fx_call (FX, strcmp (ls_onnx_attr_text (self, "approximate", "none"), "tanh") == 0 ? "nn.gelu_tanh" : "nn.gelu", x, NULL) : NULL;
}

/* ---- types, constants ------------------------------------------------------------------------------ */

static LsFxValue *
as_type (LsOnnxImport *self,
         LsFxValue    *x,
         LsDType       dtype)
{
  LsDType from = x != NULL ? ls_fx_dtype (FX, x) : dtype;

  if (x == NULL || ls_dtype_equal (from, dtype))
    return x;
  if (ls_dtype_equal (dtype, LS_BOOL))
    return ls_fx_call (FX, "not_equal", x, ls_fx_int (FX, 0), NULL);
  return ls_fx_call (FX, "astype", x, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
}

static LsFxValue *
cast (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0);
  gint32 to = (gint32) ls_onnx_attr_int (self, "to", 0);
  LsDType dtype;

  if (!ls_onnx_dtype (to, &dtype))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "%d is no type of elements that is supported", to);
  return as_type (self, x, dtype);
}

static LsFxValue *
cast_like (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *y = ls_onnx_needed (self, 1);

  return x != NULL && y != NULL ? as_type (self, x, ls_fx_dtype (FX, y)) : NULL;
}

static LsFxValue *
constant (LsOnnxImport *self)
{
  LsFxValue *value = ls_onnx_attr (self, "value"), *known;

  if (value != NULL && value->kind == LS_FX_NODE && ls_is (value->node, CONSTANT))
    {
      known = ls_onnx_known_tensor (self, ((LsConstant *) value->node)->data);
      if (known != NULL)
        g_hash_table_insert (self->known, self->node->output[0], known);
      return value;
    }
  value = ls_onnx_attr (self, "value_float");
  if (value != NULL)
    return ls_fx_scalar (FX, value, LS_FLOAT32);
  value = ls_onnx_attr (self, "value_int");
  value = value != NULL ? value : ls_onnx_attr (self, "value_ints");
  if (value != NULL)
    {
      g_hash_table_insert (self->known, self->node->output[0], value);
      return ls_onnx_of_known (self, value);
    }
  return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a constant of this kind is not supported");
}

/* ---- reductions ---------------------------------------------------------------------------------------- */

/* Axes of a reduction: of all, where none are named.  FALSE: nothing is reduced. */
static gboolean
reduced_axes (LsOnnxImport *self,
              LsFxValue   **axes)
{
  *axes = ls_onnx_numbers (self, "axes", 1);
  if (*axes != NULL && (*axes)->n > 0)
    return TRUE;
  *axes = ls_fx_none (FX);
  return !ls_onnx_attr_int (self, "noop_with_empty_axes", 0);
}

static LsFxValue *
reduce (LsOnnxImport *self)
{
  static const struct { const char *name, *op; } OPS[] = {
    { "ReduceSum", "sum" }, { "ReduceMean", "mean" }, { "ReduceMax", "max" }, { "ReduceMin", "min" }, { "ReduceProd", "prod" }, { "ReduceL1", "sum" },
    { "ReduceL2", "sum" }, { "ReduceSumSquare", "sum" }, { "ReduceLogSum", "sum" }, { "ReduceLogSumExp", "sum" }
  };
  const char *name = self->node->op_type, *op = "sum";
  LsFxValue *x = ls_onnx_needed (self, 0), *axes, *keep = ls_fx_bool (FX, ls_onnx_attr_int (self, "keepdims", 1) != 0), *most = NULL;
  gboolean any = reduced_axes (self, &axes);

  for (guint i = 0; i < G_N_ELEMENTS (OPS); i++)
    if (strcmp (name, OPS[i].name) == 0)
      op = OPS[i].op;
  if (x == NULL || self->fx.error != NULL)
    return NULL;
  if (strcmp (name, "ReduceL1") == 0)
    x = ls_fx_call (FX, "abs", x, NULL);
  else if (strcmp (name, "ReduceL2") == 0 || strcmp (name, "ReduceSumSquare") == 0)
    x = ls_fx_call (FX, "multiply", x, x, NULL);
  else if (strcmp (name, "ReduceLogSumExp") == 0)
    {
      most = ls_fx_call (FX, "max", x, LS_FX_BY_NAME, "axis", axes, "keepdims", ls_fx_bool (FX, TRUE), NULL);
      x = ls_fx_call (FX, "exp", ls_fx_call (FX, "subtract", x, most, NULL), NULL);
    }
  if (any && x != NULL)
    x = ls_fx_call (FX, op, x, LS_FX_BY_NAME, "axis", axes, "keepdims", keep, NULL);
  if (strcmp (name, "ReduceL2") == 0)
    x = ls_fx_call (FX, "sqrt", x, NULL);
  if (strncmp (name, "ReduceLog", 9) == 0 && x != NULL)
    x = ls_fx_call (FX, "log", x, NULL);
  if (most != NULL && !keep->i)
    most = axes->kind == LS_FX_NONE ? ls_fx_call (FX, "reshape", most, ls_fx_list (FX, NULL, 0), NULL) : ls_fx_call (FX, "squeeze", most, LS_FX_BY_NAME, "axis", axes, NULL);
  return most != NULL && x != NULL ? ls_fx_call (FX, "add", x, most, NULL) : x;
}

/* The first of several that are equal; the last one is the first from behind. */
static LsFxValue *
arg_reduce (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *at, *last;
  gint64 axis = ls_onnx_attr_int (self, "axis", 0);
  gboolean from_behind = ls_onnx_attr_int (self, "select_last_index", 0) != 0;

  if (shape == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  if (from_behind && shape->items[axis]->kind != LS_FX_INT)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "`select_last_index` needs an extent that is known");
  if (from_behind)
    x = ls_fx_call (FX, "flip", x, LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL);
  at = ls_fx_call (FX, strcmp (self->node->op_type, "ArgMax") == 0 ? "argmax" : "argmin", x, LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis),
                   "keepdims", ls_fx_bool (FX, ls_onnx_attr_int (self, "keepdims", 1) != 0), NULL);
  if (!from_behind || at == NULL)
    return at;
  last = ls_fx_scalar (FX, ls_fx_int (FX, shape->items[axis]->i - 1), ls_fx_dtype (FX, at));
  return ls_fx_call (FX, "subtract", last, at, NULL);
}

static LsFxValue *
cumsum (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *axis = ls_onnx_numbers (self, NULL, 1);
  gboolean reverse = ls_onnx_attr_int (self, "reverse", 0) != 0;

  if (x == NULL || axis == NULL || axis->n != 1)
    return NULL;
  if (reverse)
    x = ls_fx_call (FX, "flip", x, LS_FX_BY_NAME, "axis", axis->items[0], NULL);
  x = ls_fx_call (FX, "cumsum", x, LS_FX_BY_NAME, "axis", axis->items[0], "exclusive", ls_fx_bool (FX, ls_onnx_attr_int (self, "exclusive", 0) != 0), NULL);
  return reverse && x != NULL ? ls_fx_call (FX, "flip", x, LS_FX_BY_NAME, "axis", axis->items[0], NULL) : x;
}

static LsFxValue *
topk (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *k = ls_onnx_numbers (self, "k", 1), *items[2], *pair;

  if (x == NULL || k == NULL || k->n != 1)
    return NULL;
  pair = ls_fx_call (FX, "topk", x, LS_FX_BY_NAME, "k", ls_fx_int (FX, ls_onnx_number (self, k, 0)), "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", -1)),
                     "largest", ls_fx_bool (FX, ls_onnx_attr_int (self, "largest", 1) != 0), "dtype", text (self, "int64"), NULL);
  items[0] = ls_onnx_field (self, pair, 0);
  items[1] = ls_onnx_field (self, pair, 1);
  return items[1] != NULL ? ls_fx_list (FX, items, 2) : NULL;
}

/* ---- products ------------------------------------------------------------------------------------------------ */

static LsFxValue *
gemm (LsOnnxImport *self)
{
  LsFxValue *a = ls_onnx_needed (self, 0), *b = ls_onnx_needed (self, 1), *c = ls_onnx_input (self, 2), *y;
  double alpha = ls_onnx_attr_real (self, "alpha", 1.0), beta = ls_onnx_attr_real (self, "beta", 1.0);

  if (a != NULL && ls_onnx_attr_int (self, "transA", 0))
    a = ls_fx_call (FX, "permute_dims", a, NULL);
  if (b != NULL && ls_onnx_attr_int (self, "transB", 0))
    b = ls_fx_call (FX, "permute_dims", b, NULL);
  y = a != NULL && b != NULL ? ls_fx_call (FX, "matmul", a, b, NULL) : NULL;
  if (y != NULL && alpha != 1.0)
    y = ls_fx_call (FX, "multiply", y, ls_fx_real (FX, alpha), NULL);
  if (c != NULL && beta != 1.0)
    c = ls_fx_call (FX, "multiply", c, ls_fx_real (FX, beta), NULL);
  return y != NULL && c != NULL ? ls_fx_call (FX, "add", y, c, NULL) : y;
}

/* Over the sum of the absolute values, or the root of that of the squares. */
static LsFxValue *
lp_normal (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *axis = ls_fx_int (FX, ls_onnx_attr_int (self, "axis", -1)), *sum;
  gint64 p = ls_onnx_attr_int (self, "p", 2);

  if (x == NULL)
    return NULL;
  if (p != 1 && p != 2)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "p is 1 or 2, not %" PRId64, p);
  sum = ls_fx_call (FX, p == 1 ? "abs" : "square", x, NULL);
  sum = sum != NULL ? ls_fx_call (FX, "sum", sum, LS_FX_BY_NAME, "axis", ls_fx_list (FX, &axis, 1), "keepdims", ls_fx_bool (FX, TRUE), NULL) : NULL;
  if (sum != NULL && p == 2)
    sum = ls_fx_call (FX, "sqrt", sum, NULL);
  return sum != NULL ? ls_fx_call (FX, "divide", x, sum, NULL) : NULL;
}

/* "..." as letters that are not used, as many as an operand has dimensions without one, the same ones from behind; and, where the result is not said, its
 * letters: those of "..." and what stands once, in the order of the alphabet. */
static char *
without_dots (LsOnnxImport *self,
              const char   *equation)
{
  g_auto (GStrv) words = g_strsplit (equation, " ", -1), sides = NULL, terms = NULL;
  g_autofree char *plain = g_strjoinv (NULL, words);
  GString *out = g_string_new (NULL);
  char spare[27] = "";
  guint n_spare = 0, most = 0;

  sides = g_strsplit (plain, "->", 2);
  terms = g_strsplit (sides[0], ",", -1);
  for (char c = 'z'; c >= 'a'; c--)
    if (strchr (plain, c) == NULL)
      spare[n_spare++] = c;
  for (guint i = 0; terms[i] != NULL; i++)
    {
      const char *dots = strstr (terms[i], "...");
      LsFxValue *shape = i < self->fx.n_args ? ls_fx_shape (FX, self->fx.args[i]) : NULL;
      gsize letters = strlen (terms[i]) - (dots != NULL ? 3 : 0);
      guint n = dots != NULL && shape != NULL && shape->n > letters ? shape->n - (guint) letters : 0;

      if (n > n_spare)
        n = n_spare;
      most = MAX (most, n);
      g_string_append_printf (out, "%s%.*s", i > 0 ? "," : "", (int) (dots != NULL ? (gsize) (dots - terms[i]) : letters), terms[i]);
      for (guint k = n; dots != NULL && k-- > 0;)
        g_string_append_c (out, spare[k]);
      g_string_append (out, dots != NULL ? dots + 3 : "");
    }
  g_string_append (out, "->");
  for (const char *at = sides[1] != NULL ? sides[1] : "..."; *at != '\0'; at++)
    {
      if (!g_str_has_prefix (at, "..."))
        {
          g_string_append_c (out, *at);
          continue;
        }
      for (guint k = most; k-- > 0;)
        g_string_append_c (out, spare[k]);
      at += 2;
    }
  for (char c = 'A'; sides[1] == NULL && c <= 'z'; c++)
    {
      const char *first = g_ascii_isalpha (c) ? strchr (sides[0], c) : NULL;

      if (first != NULL && strchr (first + 1, c) == NULL)
        g_string_append_c (out, c);
    }
  return g_string_free (out, FALSE);
}

static LsFxValue *
einsum (LsOnnxImport *self)
{
  const char *equation = ls_onnx_attr_text (self, "equation", NULL);
  g_autofree char *plain = equation != NULL && strstr (equation, "...") != NULL ? without_dots (self, equation) : NULL;

  equation = plain != NULL ? plain : equation;
  return equation != NULL ? ls_fx_call (FX, "einsum", ls_fx_list (FX, self->fx.args, self->fx.n_args), LS_FX_BY_NAME, "subscripts", text (self, equation), NULL) : NULL;
}

const LsOnnxHandler ls_onnx_handlers_basic[] = {
  { "Sum", sum }, { "Max", greatest }, { "Min", least }, { "Mean", mean }, { "Div", division }, { "Mod", modulo }, { "Pow", power }, { "Round", rounded },
  { "IsInf", infinite }, { "BitShift", shifted }, { "Clip", clip }, { "PRelu", prelu }, { "Gelu", gelu }, { "Cast", cast }, { "CastLike", cast_like }, { "Constant", constant },
  { "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ReduceLogSumExp", reduce },
  { "ArgMax ArgMin", arg_reduce }, { "CumSum", cumsum }, { "TopK", topk }, { "Gemm", gemm }, { "Einsum", einsum }, { "LpNormalization", lp_normal },
  { NULL, NULL }
};
