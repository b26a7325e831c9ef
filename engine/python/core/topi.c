/* topi: the operators of topi from Python, through one table.
 *
 * topi (name, ...) checks and converts its arguments by the letters of the row and calls the operator:
 *   t tensor   T tensor or None   x tensor or expression   g tensors
 *   l expressions   L the same or None   e expression   E the same or None
 *   i number   I number or None   b truth   f fraction   s text   d type   D type or None
 */
#include "engine/python/core/objects.h"

#include "engine/topi/topi.h"

#include <string.h>

#define MAX_ARGS 12

typedef struct {
  LsNode     *node[MAX_ARGS];
  gint64      number[MAX_ARGS];
  double      fraction[MAX_ARGS];
  const char *text[MAX_ARGS];
  LsDType     dtype[MAX_ARGS];
  gboolean    given[MAX_ARGS];
} Args;

typedef gpointer (*Call) (Args *args, GError **error);

#define T(k) ((LsTeTensor *) a->node[k])
#define L(k) ((LsArray *) a->node[k])
#define E(k) (LS_EXPR (a->node[k]))
#define I(k) (a->number[k])
#define IP(k) (a->given[k] ? &a->number[k] : NULL)
#define B(k) (a->number[k] != 0)
#define F(k) (a->fraction[k])
#define S(k) (a->text[k])
#define D(k) (a->dtype[k])
#define DP(k) (a->given[k] ? &a->dtype[k] : NULL)

/* X (name, letters, call) */
#define OPERATORS(X) \
  X (cast, "td", ls_topi_cast (T (0), D (1), error)) \
  X (reinterpret, "td", ls_topi_reinterpret (T (0), D (1), error)) \
  X (clip, "tee", ls_topi_clip (T (0), E (1), E (2), error)) \
  X (elemwise_sum, "g", ls_topi_elemwise_sum (L (0), error)) \
  X (broadcast_to, "tl", ls_topi_broadcast_to (T (0), L (1), error)) \
  X (where, "ttt", ls_topi_where (T (0), T (1), T (2), error)) \
  X (reduce, "stLb", ls_topi_reduce (S (0), T (1), L (2), B (3), error)) \
  X (arg_reduce, "stLbb", ls_topi_arg_reduce (S (0), T (1), L (2), B (3), B (4), error)) \
  X (collapse_sum, "tl", ls_topi_collapse_sum (T (0), L (1), error)) \
  X (transpose, "tL", ls_topi_transpose (T (0), L (1), error)) \
  X (reshape, "tl", ls_topi_reshape (T (0), L (1), error)) \
  X (squeeze, "tL", ls_topi_squeeze (T (0), L (1), error)) \
  X (expand_dims, "tii", ls_topi_expand_dims (T (0), I (1), I (2), error)) \
  X (flip, "ti", ls_topi_flip (T (0), I (1), error)) \
  X (reverse_sequence, "ttii", ls_topi_reverse_sequence (T (0), T (1), I (2), I (3), error)) \
  X (sequence_mask, "ttfi", ls_topi_sequence_mask (T (0), T (1), F (2), I (3), error)) \
  X (tile, "tl", ls_topi_tile (T (0), L (1), error)) \
  X (repeat, "tii", ls_topi_repeat (T (0), I (1), I (2), error)) \
  X (concatenate, "gi", ls_topi_concatenate (L (0), I (1), error)) \
  X (stack, "gi", ls_topi_stack (L (0), I (1), error)) \
  X (split_sections, "tii", ls_topi_split_sections (T (0), I (1), I (2), error)) \
  X (split_indices, "tli", ls_topi_split_indices (T (0), L (1), I (2), error)) \
  X (strided_slice, "tllLLs", ls_topi_strided_slice (T (0), L (1), L (2), L (3), L (4), S (5), error)) \
  X (dynamic_strided_slice, "ttttl", ls_topi_dynamic_strided_slice (T (0), T (1), T (2), T (3), L (4), error)) \
  X (take, "ttIis", ls_topi_take (T (0), T (1), IP (2), I (3), S (4), error)) \
  X (gather, "tit", ls_topi_gather (T (0), I (1), T (2), error)) \
  X (gather_nd, "tti", ls_topi_gather_nd (T (0), T (1), I (2), error)) \
  X (one_hot, "teeiid", ls_topi_one_hot (T (0), E (1), E (2), I (3), I (4), D (5), error)) \
  X (unravel_index, "tt", ls_topi_unravel_index (T (0), T (1), error)) \
  X (matrix_set_diag, "ttiibb", ls_topi_matrix_set_diag (T (0), T (1), I (2), I (3), B (4), B (5), error)) \
  X (layout_transform, "tsss", ls_topi_layout_transform (T (0), S (1), S (2), S (3), error)) \
  X (shape, "td", ls_topi_shape (T (0), D (1), error)) \
  X (ndarray_size, "td", ls_topi_ndarray_size (T (0), D (1), error)) \
  X (meshgrid, "gs", ls_topi_meshgrid (L (0), S (1), error)) \
  X (full, "lde", ls_topi_full (L (0), D (1), E (2), error)) \
  X (full_like, "te", ls_topi_full_like (T (0), E (1), error)) \
  X (arange, "eeed", ls_topi_arange (E (0), E (1), E (2), D (3), error)) \
  X (eye, "eeid", ls_topi_eye (E (0), E (1), I (2), D (3), error)) \
  X (trilu, "teb", ls_topi_trilu (T (0), E (1), B (2), error)) \
  X (matmul, "ttbb", ls_topi_matmul (T (0), T (1), B (2), B (3), error)) \
  X (tensordot, "ttll", ls_topi_tensordot (T (0), T (1), L (2), L (3), error)) \
  X (einsum, "sg", ls_topi_einsum (S (0), L (1), error)) \
  X (nn_matmul, "ttTDbb", ls_topi_nn_matmul (T (0), T (1), T (2), DP (3), B (4), B (5), error)) \
  X (nn_dense, "ttTD", ls_topi_nn_dense (T (0), T (1), T (2), DP (3), error)) \
  X (nn_batch_matmul, "ttDbb", ls_topi_nn_batch_matmul (T (0), T (1), DP (2), B (3), B (4), error)) \
  X (nn_relu, "t", ls_topi_nn_relu (T (0), error)) \
  X (nn_leaky_relu, "tf", ls_topi_nn_leaky_relu (T (0), F (1), error)) \
  X (nn_prelu, "tti", ls_topi_nn_prelu (T (0), T (1), I (2), error)) \
  X (nn_softplus, "tff", ls_topi_nn_softplus (T (0), F (1), F (2), error)) \
  X (nn_flatten, "t", ls_topi_nn_flatten (T (0), error)) \
  X (nn_pad, "tlLEs", ls_topi_nn_pad (T (0), L (1), L (2), E (3), S (4), error)) \
  X (nn_space_to_batch_nd, "tlllf", ls_topi_nn_space_to_batch_nd (T (0), L (1), L (2), L (3), F (4), error)) \
  X (nn_batch_to_space_nd, "tlll", ls_topi_nn_batch_to_space_nd (T (0), L (1), L (2), L (3), error)) \
  X (nn_mirror_pad, "tlLs", ls_topi_nn_mirror_pad (T (0), L (1), L (2), S (3), error)) \
  X (nn_mode_pad, "tlLs", ls_topi_nn_mode_pad (T (0), L (1), L (2), S (3), error)) \
  X (nn_dilate, "tlfs", ls_topi_nn_dilate (T (0), L (1), F (2), S (3), error)) \
  X (nn_space_to_depth, "tis", ls_topi_nn_space_to_depth (T (0), I (1), S (2), error)) \
  X (nn_depth_to_space, "tiss", ls_topi_nn_depth_to_space (T (0), I (1), S (2), S (3), error)) \
  X (nn_conv, "ttllLissDs", ls_topi_nn_conv (T (0), T (1), L (2), L (3), L (4), I (5), S (6), S (7), DP (8), S (9), error)) \
  X (nn_conv1d, "ttllLssD", ls_topi_nn_conv1d (T (0), T (1), L (2), L (3), L (4), S (5), S (6), DP (7), error)) \
  X (nn_conv2d_nchw, "ttllLD", ls_topi_nn_conv2d_nchw (T (0), T (1), L (2), L (3), L (4), DP (5), error)) \
  X (nn_conv2d_nhwc, "ttllLD", ls_topi_nn_conv2d_nhwc (T (0), T (1), L (2), L (3), L (4), DP (5), error)) \
  X (nn_group_conv2d_nchw, "ttllLiD", ls_topi_nn_group_conv2d_nchw (T (0), T (1), L (2), L (3), L (4), I (5), DP (6), error)) \
  X (nn_depthwise_conv2d_nchw, "ttllLD", ls_topi_nn_depthwise_conv2d_nchw (T (0), T (1), L (2), L (3), L (4), DP (5), error)) \
  X (nn_conv1d_transpose_ncw, "ttllDli", ls_topi_nn_conv1d_transpose_ncw (T (0), T (1), L (2), L (3), DP (4), L (5), I (6), error)) \
  X (nn_conv2d_transpose_nchw, "ttllDli", ls_topi_nn_conv2d_transpose_nchw (T (0), T (1), L (2), L (3), DP (4), L (5), I (6), error)) \
  X (nn_pool, "tllllsbsb", ls_topi_nn_pool (T (0), L (1), L (2), L (3), L (4), S (5), B (6), S (7), B (8), error)) \
  X (nn_adaptive_pool, "tlss", ls_topi_nn_adaptive_pool (T (0), L (1), S (2), S (3), error)) \
  X (nn_global_pool, "tss", ls_topi_nn_global_pool (T (0), S (1), S (2), error)) \
  X (nn_softmax, "ti", ls_topi_nn_softmax (T (0), I (1), error)) \
  X (nn_fast_softmax, "ti", ls_topi_nn_fast_softmax (T (0), I (1), error)) \
  X (nn_log_softmax, "ti", ls_topi_nn_log_softmax (T (0), I (1), error)) \
  X (nn_layer_norm, "ttTlf", ls_topi_nn_layer_norm (T (0), T (1), T (2), L (3), F (4), error)) \
  X (nn_group_norm, "tttiilf", ls_topi_nn_group_norm (T (0), T (1), T (2), I (3), I (4), L (5), F (6), error)) \
  X (nn_instance_norm, "tttlf", ls_topi_nn_instance_norm (T (0), T (1), T (2), L (3), F (4), error)) \
  X (nn_rms_norm, "ttlf", ls_topi_nn_rms_norm (T (0), T (1), L (2), F (3), error)) \
  X (nn_conv3d_transpose_ncdhw, "ttllDli", ls_topi_nn_conv3d_transpose_ncdhw (T (0), T (1), L (2), L (3), DP (4), L (5), I (6), error)) \
  X (nn_scale_shift, "ttti", ls_topi_nn_scale_shift (T (0), T (1), T (2), I (3), error)) \
  X (nn_bias_add, "tti", ls_topi_nn_bias_add (T (0), T (1), I (2), error)) \
  X (nn_batch_norm, "tttttifbbbf", ls_topi_nn_batch_norm (T (0), T (1), T (2), T (3), T (4), I (5), F (6), B (7), B (8), B (9), F (10), error)) \
  X (nn_nll_loss, "tttsi", ls_topi_nn_nll_loss (T (0), T (1), T (2), S (3), I (4), error)) \
  X (scan, "stIDb", ls_topi_scan (S (0), T (1), IP (2), DP (3), B (4), error)) \
  X (sort, "tib", ls_topi_sort (T (0), I (1), B (2), error)) \
  X (argsort, "tibd", ls_topi_argsort (T (0), I (1), B (2), D (3), error)) \
  X (topk, "teisbd", ls_topi_topk (T (0), E (1), I (2), S (3), B (4), D (5), error)) \
  X (scatter_elements, "tttis", ls_topi_scatter_elements (T (0), T (1), T (2), I (3), S (4), error)) \
  X (scatter_nd, "ttts", ls_topi_scatter_nd (T (0), T (1), T (2), S (3), error)) \
  X (slice_scatter, "tteeei", ls_topi_slice_scatter (T (0), T (1), E (2), E (3), E (4), I (5), error)) \
  X (bucketize, "ttbd", ls_topi_bucketize (T (0), T (1), B (2), D (3), error)) \
  X (image_resize2d, "tlssssfbD", ls_topi_image_resize2d (T (0), L (1), S (2), S (3), S (4), S (5), F (6), B (7), DP (8), error))

#define X(name, letters, call) \
  static gpointer \
  call_##name (Args    *a, \
               GError **error) \
  { \
    return call; \
  }
OPERATORS (X)
#undef X

static const struct { const char *name; const char *letters; Call call; } rows[] = {
#define X(name, letters, call) { #name, letters, call_##name },
  OPERATORS (X)
#undef X
};

static gboolean
read_node (Args       *args,
           guint       i,
           char        letter,
           PyObject   *value,
           const char *what)
{
  LsPyWant want = strchr ("lL", letter) ? LS_PY_EXPRS : strchr ("eE", letter) ? LS_PY_EXPR : letter == 'g' ? LS_PY_ARRAY : LS_PY_ANY;
  gboolean good;

  if (!ls_py_to_node (value, want, strchr ("TLE", letter) != NULL, what, &args->node[i]))
    return FALSE;
  good = !(letter == 't' || letter == 'T') || args->node[i] == NULL || ls_is (args->node[i], TE_TENSOR);
  for (guint k = 0; letter == 'g' && k < ((LsArray *) args->node[i])->n; k++)
    good = good && ls_is (((LsArray *) args->node[i])->items[k], TE_TENSOR);
  if (letter == 'x')
    good = ls_is (args->node[i], TE_TENSOR) || ls_is_expr (args->node[i]);
  if (!good)
    PyErr_Format (PyExc_TypeError, "%s: expected a tensor, got %.200R", what, value);
  return good;
}

static gboolean
read_arg (Args       *args,
          guint       i,
          char        letter,
          PyObject   *value,
          const char *what)
{
  args->given[i] = value != Py_None;
  switch (letter)
    {
    case 'I':
    case 'D':
      if (value == Py_None)
        return TRUE;
      if (letter == 'D')
        return ls_py_dtype_arg (value, &args->dtype[i]);
      G_GNUC_FALLTHROUGH;
    case 'i':
      args->number[i] = PyLong_AsLongLong (value);
      return !ls_py_failed ();
    case 'b':
      args->number[i] = PyObject_IsTrue (value) == 1;
      return !ls_py_failed ();
    case 'f':
      args->fraction[i] = PyFloat_AsDouble (value);
      return !ls_py_failed ();
    case 's':
      args->text[i] = PyUnicode_AsUTF8AndSize (value, NULL);
      return args->text[i] != NULL;
    case 'd':
      return ls_py_dtype_arg (value, &args->dtype[i]);
    default:
      return read_node (args, i, letter, value, what);
    }
}

/* topi (name, ...) */
static PyObject *
py_topi (PyObject *module,
         PyObject *list)
{
  Py_ssize_t n = PyTuple_Size (list) - 1;
  const char *name = n >= 0 ? PyUnicode_AsUTF8AndSize (PyTuple_GetItem (list, 0), NULL) : NULL;
  Args args = { 0 };
  GError *error = NULL;
  gpointer result = NULL;
  gboolean good = TRUE;
  guint row = 0;

  while (name != NULL && row < G_N_ELEMENTS (rows) && strcmp (rows[row].name, name) != 0)
    row++;
  if (name == NULL || row == G_N_ELEMENTS (rows) || n != (Py_ssize_t) strlen (rows[row].letters))
    return PyErr_Format (PyExc_TypeError, "there is no operator %s of %zd arguments", name != NULL ? name : "", n);
  for (guint i = 0; i < n && good; i++)
    good = read_arg (&args, i, rows[row].letters[i], PyTuple_GetItem (list, (Py_ssize_t) i + 1), name);
  if (good)
    result = rows[row].call (&args, &error);
  for (guint i = 0; i < MAX_ARGS; i++)
    ls_node_unref (args.node[i]);
  return good ? ls_py_wrap_te (result, error) : NULL;
}

/* topi_unary (name, x) */
static PyObject *
py_topi_unary (PyObject *module,
               PyObject *list)
{
  const char *name;
  PyObject *value, *result;
  Args args = { 0 };
  GError *error = NULL;

  if (!PyArg_ParseTuple (list, "sO", &name, &value) || !read_arg (&args, 0, 'x', value, name))
    return NULL;
  if (ls_is_expr (args.node[0]) && !ls_te_is_unary (name))
    {
      ls_node_unref (args.node[0]);
      return PyErr_Format (PyExc_TypeError, "topi.%s takes a tensor of te, not %R", name, value);
    }
  if (ls_is_expr (args.node[0]))
    {
      LsExpr *expr = ls_te_unary (name, LS_EXPR (args.node[0]));

      return ls_py_wrap_te (expr, NULL);
    }
  if (g_str_has_prefix (name, "fast_"))
    result = ls_py_wrap_te (ls_topi_fast (name + strlen ("fast_"), (LsTeTensor *) args.node[0], &error), error);
  else if (!ls_topi_is_unary (name))
    result = PyErr_Format (PyExc_ValueError, "there is no operator %s", name);
  else
    result = ls_py_wrap_te (ls_topi_unary (name, (LsTeTensor *) args.node[0], &error), error);
  ls_node_unref (args.node[0]);
  return result;
}

/* topi_binary (name, a, b): tensors or expressions */
static PyObject *
py_topi_binary (PyObject *module,
                PyObject *list)
{
  const char *name;
  PyObject *first, *second, *result = NULL;
  Args args = { 0 };
  GError *error = NULL;
  gpointer made = NULL;

  if (!PyArg_ParseTuple (list, "sOO", &name, &first, &second))
    return NULL;
  if (!ls_topi_is_binary (name))
    return PyErr_Format (PyExc_ValueError, "there is no operator %s", name);
  if (read_arg (&args, 0, 'x', first, name) && read_arg (&args, 1, 'x', second, name))
    {
      if (ls_is_expr (args.node[0]) && ls_is_expr (args.node[1]))
        made = ls_topi_binary_expr (name, LS_EXPR (g_steal_pointer (&args.node[0])), LS_EXPR (g_steal_pointer (&args.node[1])), &error);
      else
        made = ls_topi_binary (name, args.node[0], args.node[1], &error);
      result = ls_py_wrap_te (made, error);
    }
  ls_node_unref (args.node[0]);
  ls_node_unref (args.node[1]);
  return result;
}

PyMethodDef ls_py_topi_methods[] = {
  { "topi", py_topi, METH_VARARGS, "topi(name, *args)" },
  { "topi_unary", py_topi_unary, METH_VARARGS, "topi_unary(name, x)" },
  { "topi_binary", py_topi_binary, METH_VARARGS, "topi_binary(name, a, b)" },
  { NULL, NULL, 0, NULL },
};
