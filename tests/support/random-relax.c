/* random-relax: programs of the graph level.
 *
 * Tensors of several types whose extents are numbers (0 and 1 among them) or sums of the symbols n and m; operators of each family, tuples,
 * conditions, private functions, bindings inside and outside of dataflow blocks, match_cast.  What is written is well typed; extents are kept
 * as n*a + m*b + c, so that it is known which are equal.
 */
#include "tests/support/random.h"

#include <string.h>

typedef struct {
  int n, m, c;
} Dim;

typedef struct {
  char        name[8];
  const char *dtype;
  guint       ndim;
  Dim         dims[4];
} Tensor;

typedef struct {
  GRand   *rand;
  GString *text;
  GArray  *tensors;             /* of Tensor */
  guint    n_made, indent;
  gboolean numbers;             /* no symbols here */
  gboolean helper;              /* there is a private function to call */
  Tensor   helper_param, helper_result;
} Maker;

static const char *const TYPES[] = { "float32", "float32", "float32", "int32", "int64", "bool", "float64", "int8", "uint8" };

static guint
below (Maker *m,
       guint  n)
{
  return (guint) g_rand_int_range (m->rand, 0, (gint32) n);
}

static gboolean
is_float (const char *dtype)
{
  return g_str_has_prefix (dtype, "float");
}

static gboolean
is_bool (const char *dtype)
{
  return strcmp (dtype, "bool") == 0;
}

static gboolean
same_dim (Dim a,
          Dim b)
{
  return a.n == b.n && a.m == b.m && a.c == b.c;
}

static gboolean
is_number (Dim d)
{
  return d.n == 0 && d.m == 0;
}

static gboolean
is_one (Dim d)
{
  return is_number (d) && d.c == 1;
}

static void
put_dim (GString *out,
         Dim      d)
{
  const char *plus = "";

  if (d.n != 0)
    {
      g_string_append_printf (out, d.n == 1 ? "n" : "n * %d", d.n);
      plus = " + ";
    }
  if (d.m != 0)
    {
      g_string_append_printf (out, d.m == 1 ? "%sm" : "%sm * %d", plus, d.m);
      plus = " + ";
    }
  if (d.c != 0 || *plus == 0)
    g_string_append_printf (out, "%s%d", plus, d.c);
}

/* "2, n, " (transfer full) */
static char *
dims_text (const Tensor *t)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < t->ndim; i++)
    {
      put_dim (out, t->dims[i]);
      g_string_append (out, t->ndim == 1 ? "," : i + 1 < t->ndim ? ", " : "");
    }
  return g_string_free (out, FALSE);
}

static Dim
any_dim (Maker *m)
{
  switch (m->numbers ? 3 + below (m, 5) : below (m, 8))
    {
    case 0: case 1: return (Dim) { 1, 0, 0 };
    case 2: return (Dim) { 0, 1, 0 };
    case 3: return (Dim) { 0, 0, 1 };
    case 4: return (Dim) { 0, 0, below (m, 3) == 0 ? 0 : 4 };
    default: return (Dim) { 0, 0, (int) below (m, 4) + 2 };
    }
}

/* ---- values ----------------------------------------------------------------------------- */

static const Tensor *
any (Maker *m)
{
  guint n = m->tensors->len;
  /* the later ones more often */
  guint a = below (m, n), b = below (m, n);

  return &g_array_index (m->tensors, Tensor, MAX (a, b));
}

/* One with these properties, or NULL. */
static const Tensor *
find (Maker        *m,
      const char   *dtype,
      const Tensor *shape)
{
  guint start = below (m, m->tensors->len);

  for (guint i = 0; i < m->tensors->len; i++)
    {
      const Tensor *t = &g_array_index (m->tensors, Tensor, (start + i) % m->tensors->len);
      gboolean fits = dtype == NULL || strcmp (t->dtype, dtype) == 0;

      for (guint k = 0; fits && shape != NULL; k++)
        {
          if (k == shape->ndim)
            {
              fits = t->ndim == k;
              break;
            }
          fits = k < t->ndim && same_dim (t->dims[k], shape->dims[k]);
        }
      if (fits)
        return t;
    }
  return NULL;
}

/* Does `b` broadcast with `a` as far as is known?  `result` gets a's name. */
static gboolean
broadcast (const Tensor *a,
           const Tensor *b,
           Tensor       *result)
{
  const Tensor *more = a->ndim >= b->ndim ? a : b, *less = more == a ? b : a;
  guint shift = more->ndim - less->ndim;

  *result = *more;
  for (guint i = 0; i < less->ndim; i++)
    {
      Dim x = more->dims[shift + i], y = less->dims[i];

      if (same_dim (x, y) || is_one (y))
        continue;
      if (!is_one (x))
        return FALSE;
      result->dims[shift + i] = y;
    }
  return TRUE;
}

static void
emit (Maker  *m,
      Tensor  result,
      char   *value)
{
  g_snprintf (result.name, sizeof result.name, "v%u", m->n_made++);
  g_string_append_printf (m->text, "%*s%s = %s\n", (int) m->indent, "", result.name, value);
  g_array_append_val (m->tensors, result);
  g_free (value);
}

static char *
constant (Maker      *m,
          const char *dtype)
{
  static const char *const floats[] = { "0", "1", "-1", "0.5", "3", "-2", "-0.0", "100" };
  static const char *const ints[] = { "0", "1", "2", "3", "7" };

  if (is_bool (dtype))
    return g_strdup_printf ("R.const(%s, \"bool\")", below (m, 2) ? "True" : "False");
  return g_strdup_printf ("R.const(%s, \"%s\")", is_float (dtype) ? floats[below (m, 8)] : ints[below (m, 5)], dtype);
}

/* ---- operators ------------------------------------------------------------------------------ */

static gboolean
binary (Maker        *m,
        const Tensor *a)
{
  static const char *const arith[] = { "add", "subtract", "multiply", "maximum", "minimum" };
  static const char *const compare[] = { "less", "less_equal", "greater", "greater_equal", "equal", "not_equal" };
  static const char *const logic[] = { "logical_and", "logical_or", "logical_xor" };
  const Tensor *b = any (m);
  Tensor result;
  g_autofree char *other = NULL;
  gboolean compares = !is_bool (a->dtype) && below (m, 4) == 0;
  const char *name = is_bool (a->dtype) ? logic[below (m, 3)] : compares ? compare[below (m, 6)] : arith[below (m, 5)];

  if (below (m, 5) == 0)
    {
      result = *a;
      other = constant (m, a->dtype);
    }
  else
    {
      for (guint i = 0; strcmp (a->dtype, b->dtype) != 0 || !broadcast (a, b, &result); i++, b = any (m))
        if (i == 8)
          return FALSE;
      other = g_strdup (b->name);
    }
  result.dtype = compares ? "bool" : a->dtype;
  if (is_float (a->dtype) && !compares && below (m, 8) == 0)
    name = "divide";
  emit (m, result, below (m, 4) ? g_strdup_printf ("R.%s(%s, %s)", name, a->name, other) : g_strdup_printf ("R.%s(%s, %s)", name, other, a->name));
  return TRUE;
}

static gboolean
unary (Maker        *m,
       const Tensor *a)
{
  static const char *const floats[] = { "negative", "abs", "nn.relu", "floor", "ceil", "sign", "exp", "sigmoid", "tanh", "square", "nn.silu", "trunc", "sqrt" };
  static const char *const tests[] = { "isnan", "isinf", "isfinite" };
  static const char *const ints[] = { "abs", "negative", "square", "sign" };
  Tensor result = *a;

  if (is_bool (a->dtype))
    emit (m, result, g_strdup_printf ("R.logical_not(%s)", a->name));
  else if (is_float (a->dtype) && below (m, 5) == 0)
    {
      result.dtype = "bool";
      emit (m, result, g_strdup_printf ("R.%s(%s)", tests[below (m, 3)], a->name));
    }
  else if (is_float (a->dtype))
    emit (m, result, g_strdup_printf ("R.%s(%s)", floats[below (m, G_N_ELEMENTS (floats))], a->name));
  else if (a->dtype[0] == 'i' && below (m, 2))
    emit (m, result, g_strdup_printf ("R.%s(%s)", ints[below (m, 4)], a->name));
  else
    emit (m, result, g_strdup_printf ("R.clip(%s, R.prim_value(0), R.prim_value(%u))", a->name, below (m, 6)));
  return TRUE;
}

static gboolean
cast (Maker        *m,
      const Tensor *a)
{
  static const char *const types[] = { "float32", "int32", "int64", "bool", "int8", "float64", "uint8", "float16" };
  Tensor result = *a;

  result.dtype = types[below (m, G_N_ELEMENTS (types))];
  emit (m, result, g_strdup_printf ("R.astype(%s, dtype=\"%s\")", a->name, result.dtype));
  return TRUE;
}

static gboolean
reduce (Maker        *m,
        const Tensor *a)
{
  static const char *const names[] = { "sum", "max", "min", "sum", "argmax", "argmin", "variance", "std", "mean", "prod" };
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;
  gboolean keep = below (m, 2) == 0;
  guint kind = below (m, is_float (a->dtype) ? 10 : 8);
  Tensor result = *a;

  if (a->ndim == 0 || is_bool (a->dtype))
    return FALSE;
  if (keep)
    result.dims[axis] = (Dim) { 0, 0, 1 };
  else
    {
      for (guint i = axis; i + 1 < a->ndim; i++)
        result.dims[i] = a->dims[i + 1];
      result.ndim--;
    }
  if (kind == 4 || kind == 5)
    {
      result.dtype = "int64";
      emit (m, result, g_strdup_printf ("R.%s(%s, axis=%u, keepdims=%s)", names[kind], a->name, axis, keep ? "True" : "False"));
      return TRUE;
    }
  emit (m, result, g_strdup_printf ("R.%s(%s, axis=[%u], keepdims=%s)", names[kind], a->name, axis, keep ? "True" : "False"));
  return TRUE;
}

static gboolean
soft (Maker        *m,
      const Tensor *a)
{
  static const char *const names[] = { "nn.softmax", "nn.log_softmax", "cumsum" };
  guint kind = below (m, 3), axis = a->ndim > 0 ? below (m, a->ndim) : 0;

  if (a->ndim == 0 || !is_float (a->dtype))
    return FALSE;
  emit (m, *a, g_strdup_printf ("R.%s(%s, axis=%u)", names[kind], a->name, axis));
  return TRUE;
}

static gboolean
transpose (Maker        *m,
           const Tensor *a)
{
  Tensor result = *a;
  guint i, j;

  if (a->ndim < 2)
    return FALSE;
  i = below (m, a->ndim);
  j = below (m, a->ndim);
  result.dims[i] = a->dims[j];
  result.dims[j] = a->dims[i];
  {
    g_autoptr (GString) axes = g_string_new (NULL);

    for (guint k = 0; k < a->ndim; k++)
      g_string_append_printf (axes, "%s%u", k > 0 ? ", " : "", k == i ? j : k == j ? i : k);
    emit (m, result, g_strdup_printf ("R.permute_dims(%s, axes=[%s])", a->name, axes->str));
  }
  return TRUE;
}

static gboolean
more_dims (Maker        *m,
           const Tensor *a)
{
  guint axis = below (m, a->ndim + 1);
  Tensor result = *a;

  if (a->ndim == 4)
    return FALSE;
  for (guint i = a->ndim; i > axis; i--)
    result.dims[i] = a->dims[i - 1];
  result.dims[axis] = (Dim) { 0, 0, 1 };
  result.ndim++;
  emit (m, result, g_strdup_printf ("R.expand_dims(%s, axis=[%u])", a->name, axis));
  return TRUE;
}

static gboolean
fewer_dims (Maker        *m,
            const Tensor *a)
{
  Tensor result = *a;

  for (guint axis = 0; axis < a->ndim; axis++)
    if (is_one (a->dims[axis]))
      {
        for (guint i = axis; i + 1 < a->ndim; i++)
          result.dims[i] = a->dims[i + 1];
        result.ndim--;
        emit (m, result, g_strdup_printf ("R.squeeze(%s, axis=[%u])", a->name, axis));
        return TRUE;
      }
  return FALSE;
}

/* Two neighbours become one, or one becomes two. */
static gboolean
reshape (Maker        *m,
         const Tensor *a)
{
  Tensor result = *a;
  g_autofree char *shape = NULL;

  for (guint i = 0; i + 1 < a->ndim; i++)
    if (is_number (a->dims[i]) || is_number (a->dims[i + 1]))
      {
        Dim x = a->dims[i], y = a->dims[i + 1];
        int by = is_number (x) ? x.c : y.c;
        Dim d = is_number (x) ? y : x;

        result.dims[i] = (Dim) { d.n * by, d.m * by, d.c * by };
        for (guint k = i + 1; k + 1 < a->ndim; k++)
          result.dims[k] = a->dims[k + 1];
        result.ndim--;
        shape = dims_text (&result);
        emit (m, result, g_strdup_printf ("R.reshape(%s, R.shape([%s]))", a->name, shape));
        return TRUE;
      }
  for (guint i = 0; i < a->ndim && a->ndim < 4; i++)
    if (a->dims[i].n % 2 == 0 && a->dims[i].m % 2 == 0 && a->dims[i].c % 2 == 0)
      {
        for (guint k = a->ndim; k > i + 1; k--)
          result.dims[k] = a->dims[k - 1];
        result.dims[i] = (Dim) { a->dims[i].n / 2, a->dims[i].m / 2, a->dims[i].c / 2 };
        result.dims[i + 1] = (Dim) { 0, 0, 2 };
        result.ndim++;
        shape = dims_text (&result);
        emit (m, result, g_strdup_printf ("R.reshape(%s, R.shape([%s]))", a->name, shape));
        return TRUE;
      }
  return FALSE;
}

static gboolean
concat (Maker        *m,
        const Tensor *a)
{
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;

  for (guint i = 0; a->ndim > 0 && i < 8; i++)
    {
      const Tensor *b = any (m);
      gboolean fits = b->ndim == a->ndim && strcmp (a->dtype, b->dtype) == 0;
      Tensor result = *a;

      for (guint k = 0; fits && k < a->ndim; k++)
        fits = k == axis || same_dim (a->dims[k], b->dims[k]);
      if (!fits)
        continue;
      result.dims[axis] = (Dim) { a->dims[axis].n + b->dims[axis].n, a->dims[axis].m + b->dims[axis].m, a->dims[axis].c + b->dims[axis].c };
      emit (m, result, g_strdup_printf ("R.concat((%s, %s), axis=%u)", a->name, b->name, axis));
      return TRUE;
    }
  return FALSE;
}

static gboolean
slice (Maker        *m,
       const Tensor *a)
{
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;
  Tensor result = *a;
  int extent, begin, end, stride;

  if (a->ndim == 0 || !is_number (a->dims[axis]))
    return FALSE;
  extent = a->dims[axis].c;
  if (extent > 1 && below (m, 3) == 0)
    {
      int at = (int) below (m, (guint) extent);
      Tensor other = *a;

      result.dims[axis] = (Dim) { 0, 0, at };
      other.dims[axis] = (Dim) { 0, 0, extent - at };
      g_snprintf (result.name, sizeof result.name, "v%u", m->n_made++);
      g_string_append_printf (m->text, "%*s%s = R.split(%s, indices_or_sections=[%d], axis=%u)\n", (int) m->indent, "", result.name, a->name, at, axis);
      {
        g_autofree char *name = g_strdup (result.name);

        emit (m, result, g_strdup_printf ("%s[0]", name));
        emit (m, other, g_strdup_printf ("%s[1]", name));
      }
      return TRUE;
    }
  begin = extent > 0 ? (int) below (m, (guint) extent) : 0;
  end = begin + (int) below (m, (guint) (extent - begin) + 1);
  stride = (int) below (m, 2) + 1;
  result.dims[axis] = (Dim) { 0, 0, (end - begin + stride - 1) / stride };
  emit (m, result, g_strdup_printf ("R.strided_slice(%s, axes=[%u], begin=[%d], end=[%d], strides=[%d])", a->name, axis, begin, end, stride));
  return TRUE;
}

static gboolean
stretch (Maker        *m,
         const Tensor *a)
{
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;
  int by = (int) below (m, 2) + 2;
  Tensor result = *a;

  if (a->ndim == 0)
    return FALSE;
  if (below (m, 3) == 0)
    {
      emit (m, result, g_strdup_printf ("R.flip(%s, axis=%u)", a->name, axis));
      return TRUE;
    }
  if (is_one (a->dims[axis]) && below (m, 2))
    {
      g_autofree char *shape = NULL;

      result.dims[axis] = any_dim (m);
      shape = dims_text (&result);
      emit (m, result, g_strdup_printf ("R.broadcast_to(%s, R.shape([%s]))", a->name, shape));
      return TRUE;
    }
  result.dims[axis] = (Dim) { a->dims[axis].n * by, a->dims[axis].m * by, a->dims[axis].c * by };
  if (ABS (result.dims[axis].c) + result.dims[axis].n * 4 + result.dims[axis].m * 4 > 24)
    return FALSE;
  emit (m, result, g_strdup_printf ("R.repeat(%s, repeats=%d, axis=%u)", a->name, by, axis));
  return TRUE;
}

/* Rows of zeros or another number around it; the same again and again. */
static gboolean
surround (Maker        *m,
          const Tensor *a)
{
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;
  int before = (int) below (m, 3), behind = (int) below (m, 2), by = (int) below (m, 2) + 1;
  Tensor result = *a;
  GString *text;

  if (a->ndim == 0 || is_bool (a->dtype))
    return FALSE;
  if (below (m, 2))
    {
      text = g_string_new (NULL);
      for (guint i = 0; i < a->ndim; i++)
        g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", i == axis ? by : 1);
      result.dims[axis] = (Dim) { a->dims[axis].n * by, a->dims[axis].m * by, a->dims[axis].c * by };
      if (ABS (result.dims[axis].c) + result.dims[axis].n * 4 + result.dims[axis].m * 4 > 24)
        return !g_string_free (text, TRUE);
      emit (m, result, g_strdup_printf ("R.tile(%s, repeats=[%s])", a->name, text->str));
      g_string_free (text, TRUE);
      return TRUE;
    }
  text = g_string_new (NULL);
  for (guint i = 0; i < a->ndim; i++)
    g_string_append_printf (text, "%s%d, %d", i > 0 ? ", " : "", i == axis ? before : 0, i == axis ? behind : 0);
  result.dims[axis].c += before + behind;
  emit (m, result, g_strdup_printf ("R.nn.pad(%s, pad_width=[%s], pad_value=%u)", a->name, text->str, below (m, 3)));
  g_string_free (text, TRUE);
  return TRUE;
}

/* Sums, products and orders along an axis. */
static gboolean
along (Maker        *m,
       const Tensor *a)
{
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;
  Tensor result = *a;

  if (a->ndim == 0 || is_bool (a->dtype))
    return FALSE;
  if (below (m, 3) == 0)
    {
      emit (m, result, g_strdup_printf ("R.sort(%s, axis=%u, descending=%s)", a->name, axis, below (m, 2) ? "True" : "False"));
      return TRUE;
    }
  emit (m, result, g_strdup_printf ("R.%s(%s, axis=%u)", below (m, 2) ? "cumsum" : "cumprod", a->name, axis));
  return TRUE;
}

static gboolean
choose (Maker        *m,
        const Tensor *a)
{
  const Tensor *b = find (m, a->dtype, a), *condition = NULL;
  Tensor result;

  for (guint i = 0; i < 8 && condition == NULL; i++)
    {
      const Tensor *one = find (m, "bool", NULL);

      if (one != NULL && broadcast (a, one, &result))
        condition = one;
    }
  if (condition == NULL)
    return FALSE;
  result.dtype = a->dtype;
  emit (m, result, g_strdup_printf ("R.where(%s, %s, %s)", condition->name, a->name, b->name));
  return TRUE;
}

static gboolean
product (Maker        *m,
         const Tensor *a)
{
  if (a->ndim < 2 || !is_float (a->dtype))
    return FALSE;
  for (guint i = 0; i < 12; i++)
    {
      const Tensor *b = any (m);
      Tensor result = *a;

      if (b->ndim != 2 || strcmp (a->dtype, b->dtype) != 0 || !same_dim (a->dims[a->ndim - 1], b->dims[0]))
        continue;
      result.dims[a->ndim - 1] = b->dims[1];
      emit (m, result, g_strdup_printf ("R.matmul(%s, %s)", a->name, b->name));
      return TRUE;
    }
  {
    /* by its own transpose */
    Tensor turned = *a, result;

    if (a->ndim != 2)
      return FALSE;
    result = *a;
    turned.dims[0] = a->dims[1];
    turned.dims[1] = a->dims[0];
    g_autofree char *own = g_strdup (a->name);
    emit (m, turned, g_strdup_printf ("R.permute_dims(%s)", own));
    result.dims[1] = a->dims[0];
    emit (m, result, g_strdup_printf ("R.matmul(%s, %s)", own, g_array_index (m->tensors, Tensor, m->tensors->len - 1).name));
  }
  return TRUE;
}

static gboolean
take (Maker        *m,
      const Tensor *a)
{
  guint axis = a->ndim > 0 ? below (m, a->ndim) : 0;
  Tensor result = *a;

  if (a->ndim == 0 || !is_number (a->dims[axis]) || a->dims[axis].c == 0)
    return FALSE;
  result.dims[axis] = (Dim) { 0, 0, 2 };
  emit (m, result, g_strdup_printf ("R.take(%s, R.const([%u, %u], \"int64\"), axis=%u)", a->name, below (m, (guint) a->dims[axis].c),
                                    below (m, (guint) a->dims[axis].c), axis));
  return TRUE;
}

static gboolean
make (Maker        *m,
      const Tensor *a)
{
  static const char *const names[] = { "zeros", "ones", "full" };
  guint kind = below (m, 4);
  g_autofree char *shape = dims_text (a), *value = constant (m, a->dtype);

  if (kind == 3 && a->ndim >= 2)
    emit (m, *a, g_strdup_printf ("R.%s(%s, k=%d)", below (m, 2) ? "triu" : "tril", a->name, (int) below (m, 3) - 1));
  else if (kind == 2)
    emit (m, *a, g_strdup_printf ("R.full(R.shape([%s]), %s, dtype=\"%s\")", shape, value, a->dtype));
  else
    emit (m, *a, g_strdup_printf ("R.%s(R.shape([%s]), dtype=\"%s\")", names[kind % 2], shape, a->dtype));
  return TRUE;
}

/* A tuple, a field of it, another name of the same thing. */
static gboolean
pack (Maker        *m,
      const Tensor *a)
{
  const Tensor *b = any (m);
  Tensor first = *a, second = *b;
  g_autofree char *name = g_strdup_printf ("t%u", m->n_made++);

  g_string_append_printf (m->text, "%*s%s = (%s, %s)\n", (int) m->indent, "", name, a->name, b->name);
  if (below (m, 2))
    emit (m, first, g_strdup_printf ("%s[0]", name));
  emit (m, second, g_strdup_printf ("%s[1]", name));
  return TRUE;
}

static gboolean
call_helper (Maker        *m,
             const Tensor *a)
{
  const Tensor *arg = m->helper ? find (m, m->helper_param.dtype, &m->helper_param) : NULL;

  if (arg == NULL)
    return FALSE;
  emit (m, m->helper_result, g_strdup_printf ("cls.helper(%s)", arg->name));
  return TRUE;
}

static gboolean
match_cast (Maker        *m,
            const Tensor *a)
{
  g_autofree char *shape = dims_text (a);

  emit (m, *a, g_strdup_printf ("R.match_cast(%s, R.Tensor((%s), dtype=\"%s\"))", a->name, shape, a->dtype));
  return TRUE;
}

static gboolean (*const OPERATORS[]) (Maker *m, const Tensor *a) = {
  binary, binary, binary, binary, unary, unary, cast, reduce, reduce, soft, transpose, more_dims, fewer_dims, reshape, concat, slice, stretch, choose, product,
  product, take, make, pack, call_helper, match_cast, surround, along,
};

static void
some_operators (Maker *m,
                guint  n)
{
  for (guint i = 0, tries = 0; i < n && tries < 40; tries++)
    {
      const Tensor a = *any (m);

      if (m->tensors->len < 60 && OPERATORS[below (m, G_N_ELEMENTS (OPERATORS))] (m, &a))
        i++;
    }
}

/* Both branches compute a tensor of one shape.  Outside of dataflow blocks. */
static void
branch (Maker *m)
{
  static const char *const names[] = { "add", "multiply", "maximum" };
  Tensor a = *any (m);
  const Tensor *b = find (m, a.dtype, &a);
  g_autofree char *test = NULL, *name = g_strdup_printf ("v%u", m->n_made++);
  Tensor scalar = { .ndim = 0 };
  const Tensor *known = find (m, "bool", &scalar);

  if (is_bool (a.dtype))
    return;
  test = known != NULL ? g_strdup (known->name) : g_strdup_printf ("R.const(%s, \"bool\")", below (m, 2) ? "True" : "False");
  g_string_append_printf (m->text, "%*sif %s:\n%*s%s = R.%s(%s, %s)\n%*selse:\n%*s%s = R.%s(%s, %s)\n", (int) m->indent, "", test, (int) m->indent + 4, "",
                          name, names[below (m, 3)], a.name, b->name, (int) m->indent, "", (int) m->indent + 4, "", name, names[below (m, 3)], b->name, a.name);
  g_strlcpy (a.name, name, sizeof a.name);
  g_array_append_val (m->tensors, a);
}

static Tensor
any_param (Maker *m,
           guint  number)
{
  Tensor t = { .dtype = TYPES[below (m, G_N_ELEMENTS (TYPES))], .ndim = below (m, 8) == 0 ? 0 : below (m, 3) + 1 };

  g_snprintf (t.name, sizeof t.name, "p%u", number);
  for (guint i = 0; i < t.ndim; i++)
    t.dims[i] = any_dim (m);
  return t;
}

static void
put_param (Maker        *m,
           const Tensor *t,
           gboolean      first)
{
  GString *shape = g_string_new (NULL);

  for (guint i = 0; i < t->ndim; i++)
    {
      gboolean number = is_number (t->dims[i]);

      g_string_append (shape, number ? "" : "\"");
      put_dim (shape, t->dims[i]);
      g_string_append (shape, number ? "" : "\"");
      g_string_append (shape, t->ndim == 1 ? "," : i + 1 < t->ndim ? ", " : "");
    }
  g_string_append_printf (m->text, "%s%s: R.Tensor((%s), dtype=\"%s\")", first ? "" : ", ", t->name, shape->str, t->dtype);
  g_string_free (shape, TRUE);
}

/* The dataflow block's body; what comes out of it stays known. */
static void
block (Maker *m,
       guint  n)
{
  guint before = m->tensors->len;
  g_autoptr (GString) outputs = g_string_new (NULL);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (Tensor));

  g_string_append_printf (m->text, "%*swith R.dataflow():\n", (int) m->indent, "");
  m->indent += 4;
  some_operators (m, n);
  if (m->tensors->len == before)
    match_cast (m, &g_array_index (m->tensors, Tensor, before - 1));
  for (guint i = before; i < m->tensors->len; i++)
    if (i + 1 == m->tensors->len || below (m, 4) == 0)
      {
        g_string_append_printf (outputs, "%s%s", outputs->len > 0 ? ", " : "", g_array_index (m->tensors, Tensor, i).name);
        g_array_append_val (kept, g_array_index (m->tensors, Tensor, i));
      }
  g_string_append_printf (m->text, "%*sR.output(%s)\n", (int) m->indent, "", outputs->str);
  m->indent -= 4;
  g_array_set_size (m->tensors, before);
  g_array_append_vals (m->tensors, kept->data, kept->len);
}

char *
ls_test_random_relax (GRand *rand)
{
  g_autoptr (GArray) tensors = g_array_new (FALSE, FALSE, sizeof (Tensor));
  Maker m = { .rand = rand, .text = g_string_new (NULL), .tensors = tensors, .indent = 8 };
  guint n_params = below (&m, 3) + 1;

  g_string_append (m.text, "# from tvm.script import ir as I\n# from tvm.script import tir as T\n# from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n");
  if (below (&m, 3) == 0)
    {
      Tensor param;

      m.numbers = TRUE;
      param = any_param (&m, 0);
      g_string_append (m.text, "    @R.function(private=True)\n    def helper(");
      put_param (&m, &param, TRUE);
      g_string_append (m.text, "):\n");
      g_array_append_val (tensors, param);
      block (&m, below (&m, 4) + 1);
      m.helper_param = param;
      m.helper_result = g_array_index (tensors, Tensor, tensors->len - 1);
      g_string_append_printf (m.text, "        return %s\n\n", m.helper_result.name);
      g_array_set_size (tensors, 0);
      m.helper = TRUE;
      m.numbers = FALSE;
    }
  g_string_append (m.text, "    @R.function\n    def main(");
  for (guint i = 0; i < n_params; i++)
    {
      Tensor param = any_param (&m, i);

      put_param (&m, &param, i == 0);
      g_array_append_val (tensors, param);
    }
  /* n and m are always known */
  {
    Tensor sizes = { "sizes", "float32", 2, { { 1, 0, 0 }, { 0, 1, 0 } } };

    put_param (&m, &sizes, FALSE);
    g_array_append_val (tensors, sizes);
  }
  g_string_append (m.text, "):\n        n = T.int64()\n        m = T.int64()\n");
  if (m.helper)
    g_string_append (m.text, "        cls = Module\n");
  for (guint part = 0, parts = below (&m, 3) + 1; part < parts; part++)
    {
      guint kind = below (&m, 4);

      if (kind == 0)
        branch (&m);
      else if (kind == 1)
        some_operators (&m, below (&m, 4) + 1);
      else
        block (&m, below (&m, 8) + 2);
    }
  if (below (&m, 3) == 0 && tensors->len > 1)
    g_string_append_printf (m.text, "        return (%s, %s)\n", g_array_index (tensors, Tensor, tensors->len - 1).name, any (&m)->name);
  else
    g_string_append_printf (m.text, "        return %s\n", g_array_index (tensors, Tensor, tensors->len - 1).name);
  return g_string_free (m.text, FALSE);
}
