/* linalg: products of matrices and tensors (topi::matmul, tensordot, einsum, topi.nn.dense, batch_matmul). */
#include "engine/topi/topi-private.h"

#include <inttypes.h>
#include <string.h>

static gboolean
check_contracted (const char *op,
                  LsExpr     *a,
                  LsExpr     *b,
                  GError    **error)
{
  gint64 x, y;

  if (ls_as_int (a, &x) && ls_as_int (b, &y) && x != y)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.%s: the dimensions that are summed over have %" PRId64 " and %" PRId64 " elements; they must be equal", op, x, y);
  return TRUE;
}

static gboolean
check_rank (const char *op,
            const char *what,
            LsTeTensor *x,
            guint       rank,
            GError    **error)
{
  return x->shape->n == rank || ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.%s: %s must have %u dimensions, but it has %u", op, what, rank, x->shape->n);
}

LsTeTensor *
ls_topi_matmul (LsTeTensor *a,
                LsTeTensor *b,
                gboolean    transp_a,
                gboolean    transp_b,
                GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsIterVar) k = NULL;
  LsArray *axes;
  LsExpr *x, *y;

  if (a == NULL || b == NULL || !check_rank ("matmul", "a", a, 2, error) || !check_rank ("matmul", "b", b, 2, error)
      || !check_contracted ("matmul", DIM (a, transp_a ? 0 : 1), DIM (b, transp_b ? 1 : 0), error))
    return NULL;
  shape = ls_array_of (ls_ref (DIM (a, transp_a ? 1 : 0)), ls_ref (DIM (b, transp_b ? 0 : 1)), NULL);
  axes = ls_te_axes (shape, "ax*");
  k = ls_te_reduce_range ("k", DIM (a, transp_a ? 0 : 1));
  x = transp_a ? AT (a, ls_te_iter (k), AX (0)) : AT (a, AX (0), ls_te_iter (k));
  y = transp_b ? AT (b, AX (1), ls_te_iter (k)) : AT (b, ls_te_iter (k), AX (1));
  return ls_te_compute ("T_matmul", "matmul", NULL, axes, ls_te_sum (ls_mul (x, y), ls_array_of (ls_ref (k), NULL)), error);
}

LsTeTensor *
ls_topi_tensordot (LsTeTensor *a,
                   LsTeTensor *b,
                   LsArray    *a_axes,
                   LsArray    *b_axes,
                   GError    **error)
{
  g_autofree LsIterVar **for_a = NULL;
  g_autofree LsIterVar **for_b = NULL;
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *x, *y, *reduce;
  LsArray *axes;
  guint next = 0;

  if (a == NULL || b == NULL)
    return NULL;
  if (a_axes->n != b_axes->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.tensordot: %u axes of a go with %u of b; they must be as many", a_axes->n, b_axes->n);
      return NULL;
    }
  for_a = g_new0 (LsIterVar *, a->shape->n + 1);
  for_b = g_new0 (LsIterVar *, b->shape->n + 1);
  reduce = g_ptr_array_new ();
  for (guint k = 0; k < a_axes->n; k++)
    {
      g_autofree char *name = g_strdup_printf ("k%u", k);
      gint64 i = 0, j = 0;
      guint p, q;

      if (!ls_topi_int (a_axes->items[k], LS_TEXT ("an axis"), &i, error) || !ls_topi_int (b_axes->items[k], LS_TEXT ("an axis"), &j, error)
          || !ls_topi_axis ("topi.tensordot", i, a->shape->n, &p, error) || !ls_topi_axis ("topi.tensordot", j, b->shape->n, &q, error)
          || !check_contracted ("tensordot", DIM (a, p), DIM (b, q), error))
        {
          ls_unref (ls_array_take_ptr_array (reduce));
          return NULL;
        }
      for_a[p] = for_b[q] = ls_te_reduce_range (name, DIM (a, p));
      g_ptr_array_add (reduce, for_a[p]);
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < a->shape->n; i++)
    if (for_a[i] == NULL)
      g_ptr_array_add (extents, ls_ref (DIM (a, i)));
  for (guint i = 0; i < b->shape->n; i++)
    if (for_b[i] == NULL)
      g_ptr_array_add (extents, ls_ref (DIM (b, i)));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  x = g_ptr_array_new ();
  y = g_ptr_array_new ();
  for (guint i = 0; i < a->shape->n; i++)
    g_ptr_array_add (x, for_a[i] != NULL ? ls_te_iter (for_a[i]) : AX (next++));
  for (guint i = 0; i < b->shape->n; i++)
    g_ptr_array_add (y, for_b[i] != NULL ? ls_te_iter (for_b[i]) : AX (next++));
  return ls_te_compute ("T_tensordot", "matmul", NULL, axes,
                        ls_te_sum (ls_mul (ls_te_load (a, ls_array_take_ptr_array (x)), ls_te_load (b, ls_array_take_ptr_array (y))), ls_array_take_ptr_array (reduce)), error);
}

/* ---- einsum ------------------------------------------------------------------ */

typedef struct {
  char       label;
  LsExpr    *extent;            /* borrowed */
  LsIterVar *reduce;            /* owned, or NULL */
  int        output;            /* position in the output, or -1 */
} Label;

static Label *
find_label (GArray *labels,
            char    label)
{
  for (guint i = 0; i < labels->len; i++)
    if (g_array_index (labels, Label, i).label == label)
      return &g_array_index (labels, Label, i);
  return NULL;
}

/* "ij,jk" without "->": the letters that occur once, in order of the alphabet. */
static char *
implicit_output (const char *inputs)
{
  GString *output = g_string_new (NULL);

  for (char c = 'A'; c <= 'z'; c++)
    {
      const char *first = g_ascii_isalpha (c) ? strchr (inputs, c) : NULL;

      if (first != NULL && strchr (first + 1, c) == NULL)
        g_string_append_c (output, c);
    }
  return g_string_free (output, FALSE);
}

static gboolean
read_labels (GArray  *labels,
             char   **inputs,
             LsArray *xs,
             GError **error)
{
  if (xs->n == 0)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.einsum sums products of at least one tensor");
  if (g_strv_length (inputs) != xs->n)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.einsum: the subscripts name %u tensors, but %u are given", g_strv_length (inputs), xs->n);
  for (guint i = 0; i < xs->n; i++)
    {
      LsTeTensor *x = ls_array_at (xs, i, LsTeTensor);

      if (strlen (inputs[i]) != x->shape->n)
        return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.einsum: subscripts \"%s\" do not fit a tensor of %u dimensions", inputs[i], x->shape->n);
      for (guint d = 0; d < x->shape->n; d++)
        {
          Label *known = find_label (labels, inputs[i][d]);
          Label fresh = { inputs[i][d], DIM (x, d), NULL, -1 };

          if (!g_ascii_isalpha (inputs[i][d]))
            return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.einsum: subscripts are letters, not '%c'", inputs[i][d]);
          if (known == NULL)
            g_array_append_val (labels, fresh);
          else if (ls_is_one (known->extent))
            known->extent = DIM (x, d);
          else if (!ls_is_one (DIM (x, d)) && !check_contracted ("einsum", known->extent, DIM (x, d), error))
            return FALSE;
        }
    }
  return TRUE;
}

LsTeTensor *
ls_topi_einsum (const char *subscripts,
                LsArray    *xs,
                GError    **error)
{
  g_auto (GStrv) parts = NULL;
  g_auto (GStrv) inputs = NULL;
  g_autofree char *clean = g_strdup (subscripts);
  g_autofree char *output = NULL;
  g_autoptr (GArray) labels = g_array_new (FALSE, TRUE, sizeof (Label));
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *reduce;
  LsArray *axes;
  LsExpr *value = NULL;

  for (char *from = clean, *to = clean;; from++)
    if (*from != ' ' && (*to++ = *from) == '\0')
      break;
  parts = g_strsplit (clean, "->", 2);
  inputs = g_strsplit (parts[0] != NULL ? parts[0] : "", ",", -1);
  output = parts[0] != NULL && parts[1] != NULL ? g_strdup (parts[1]) : implicit_output (clean);
  if (!read_labels (labels, inputs, xs, error))
    return NULL;
  extents = g_ptr_array_new ();
  for (guint i = 0; output[i] != '\0'; i++)
    {
      Label *label = find_label (labels, output[i]);

      if (label == NULL || label->output >= 0)
        {
          ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.einsum: the output's '%c' must occur once there and in an input", output[i]);
          ls_unref (ls_array_take_ptr_array (extents));
          return NULL;
        }
      label->output = (int) i;
      g_ptr_array_add (extents, REF (label->extent));
    }
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  reduce = g_ptr_array_new ();
  for (guint i = 0; i < labels->len; i++)
    {
      Label *label = &g_array_index (labels, Label, i);
      char name[2] = { label->label, '\0' };

      if (label->output < 0)
        g_ptr_array_add (reduce, label->reduce = ls_te_reduce_range (name, label->extent));
    }
  for (guint i = 0; i < xs->n; i++)
    {
      LsTeTensor *x = ls_array_at (xs, i, LsTeTensor);
      GPtrArray *indices = g_ptr_array_new ();
      LsExpr *one;

      for (guint d = 0; d < x->shape->n; d++)
        {
          Label *label = find_label (labels, inputs[i][d]);

          if (ls_is_one (DIM (x, d)) && !ls_is_one (label->extent))
            g_ptr_array_add (indices, ls_int (0));
          else
            g_ptr_array_add (indices, label->output >= 0 ? AX ((guint) label->output) : ls_te_iter (label->reduce));
        }
      one = ls_te_load (x, ls_array_take_ptr_array (indices));
      value = value == NULL ? one : ls_mul (value, one);
    }
  return ls_te_compute ("T_einsum", "einsum", NULL, axes, ls_te_sum (value, ls_array_take_ptr_array (reduce)), error);
}

/* ---- topi.nn ----------------------------------------------------------------- */

LsTeTensor *
ls_topi_nn_matmul (LsTeTensor    *a,
                   LsTeTensor    *b,
                   LsTeTensor    *bias,
                   const LsDType *out_dtype,
                   gboolean       transpose_a,
                   gboolean       transpose_b,
                   GError       **error)
{
  static const char *const STAGES[2][2] = { { "T_matmul_NN", "T_matmul_NT" }, { "T_matmul_TN", "T_matmul_TT" } };
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsIterVar) k = NULL;
  g_autoptr (LsTeTensor) product = NULL;
  GPtrArray *extents, *x;
  LsArray *axes;
  LsDType dtype;
  LsExpr *left, *right;
  guint n, row, sum;

  if (a == NULL || b == NULL)
    return NULL;
  n = a->shape->n;
  if (n < 2)
    {
      check_rank ("nn.matmul", "the first tensor", a, 2, error);
      return NULL;
    }
  if (!check_rank ("nn.matmul", "the second tensor", b, 2, error))
    return NULL;
  sum = transpose_a ? n - 2 : n - 1;
  row = transpose_a ? n - 1 : n - 2;
  if (!check_contracted ("nn.matmul", DIM (a, sum), DIM (b, transpose_b ? 1 : 0), error))
    return NULL;
  dtype = out_dtype != NULL ? *out_dtype : a->dtype;
  extents = g_ptr_array_new ();
  for (guint i = 0; i + 2 < n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (a, i)));
  g_ptr_array_add (extents, ls_ref (DIM (a, row)));
  g_ptr_array_add (extents, ls_ref (DIM (b, transpose_b ? 0 : 1)));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "i*");
  k = ls_te_reduce_range ("k", DIM (a, sum));
  x = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (x, i == sum ? ls_te_iter (k) : i == row ? AX (n - 2) : AX (i));
  left = ls_cast (dtype, ls_te_load (a, ls_array_take_ptr_array (x)));
  right = ls_cast (dtype, transpose_b ? AT (b, AX (n - 1), ls_te_iter (k)) : AT (b, ls_te_iter (k), AX (n - 1)));
  product = ls_te_compute (STAGES[transpose_a != FALSE][transpose_b != FALSE], !transpose_a && transpose_b ? "dense" : "matmul",
                           ls_topi_attr ("layout_free_placeholders", LS_NODE (ls_array_of (ls_ref (b), NULL))), axes,
                           ls_te_sum (ls_mul (left, right), ls_array_of (ls_ref (k), NULL)), error);
  if (bias == NULL || product == NULL)
    return g_steal_pointer (&product);
  axes = ls_te_axes (shape, "i*");
  return ls_te_compute (NULL, LS_TAG_BROADCAST, NULL, axes,
                        ls_add (ls_te_load (product, ls_te_axis_vars (axes)), ls_cast (dtype, AT (bias, AX (n - 1)))), error);
}

LsTeTensor *
ls_topi_nn_dense (LsTeTensor    *x,
                  LsTeTensor    *weight,
                  LsTeTensor    *bias,
                  const LsDType *out_dtype,
                  GError       **error)
{
  return ls_topi_nn_matmul (x, weight, bias, out_dtype, FALSE, TRUE, error);
}

static LsExpr *
batch_index (LsTeTensor *x,
             LsArray    *axes)
{
  return ls_is_one (DIM (x, 0)) && !ls_is_one (ls_array_at (axes, 0, LsIterVar)->dom->extent) ? ls_int (0) : AX (0);
}

LsTeTensor *
ls_topi_nn_batch_matmul (LsTeTensor    *a,
                         LsTeTensor    *b,
                         const LsDType *out_dtype,
                         gboolean       transpose_a,
                         gboolean       transpose_b,
                         GError       **error)
{
  static const char *const STAGES[2][2] = { { "T_batch_matmul_NN", "T_batch_matmul_NT" }, { "T_batch_matmul_TN", "T_batch_matmul_TT" } };
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsIterVar) k = NULL;
  LsArray *axes;
  LsDType dtype;
  LsExpr *left, *right;
  gint64 p, q;

  if (a == NULL || b == NULL || !check_rank ("nn.batch_matmul", "the first tensor", a, 3, error) || !check_rank ("nn.batch_matmul", "the second tensor", b, 3, error)
      || !check_contracted ("nn.batch_matmul", DIM (a, transpose_a ? 1 : 2), DIM (b, transpose_b ? 2 : 1), error))
    return NULL;
  if (ls_as_int (DIM (a, 0), &p) && ls_as_int (DIM (b, 0), &q) && p != q && p != 1 && q != 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.batch_matmul: batches of %" PRId64 " and %" PRId64 " do not go together", p, q);
      return NULL;
    }
  dtype = out_dtype != NULL ? *out_dtype : a->dtype;
  shape = ls_array_of (ls_ref (DIM (ls_is_one (DIM (a, 0)) ? b : a, 0)), ls_ref (DIM (a, transpose_a ? 2 : 1)), ls_ref (DIM (b, transpose_b ? 1 : 2)), NULL);
  axes = ls_te_axes (shape, "b i j");
  k = ls_te_reduce_range ("k", DIM (a, transpose_a ? 1 : 2));
  left = transpose_a ? AT (a, batch_index (a, axes), ls_te_iter (k), AX (1)) : AT (a, batch_index (a, axes), AX (1), ls_te_iter (k));
  right = transpose_b ? AT (b, batch_index (b, axes), AX (2), ls_te_iter (k)) : AT (b, batch_index (b, axes), ls_te_iter (k), AX (2));
  return ls_te_compute (STAGES[transpose_a != FALSE][transpose_b != FALSE], "batch_matmul",
                        ls_topi_attr ("layout_free_placeholders", LS_NODE (ls_array_of (ls_ref (b), NULL))), axes,
                        ls_te_sum (ls_mul (ls_cast (dtype, left), ls_cast (dtype, right)), ls_array_of (ls_ref (k), NULL)), error);
}
