/* env.linear, env.relu, env.matmul, env.softmax: the packed functions that the MLC course
 * registers from Python, here from the start and in C.
 *
 * Matrix products of float32 and float64 go to OpenBLAS, which is loaded when first needed, so that
 * programs that never call it do not pay for it; without it, and for all other types,
 * plain loops do.  Arguments that are not compact are copied first, an output that is not is
 * copied back.
 */
#include "engine/runtime/runtime-private.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- OpenBLAS ---- */

#define BLAS_ROW_MAJOR 101
#define BLAS_NO_TRANS  111
#define BLAS_TRANS     112

typedef struct {
  void  (*sgemm) (int, int, int, int, int, int, float, const float *, int, const float *, int,
                  float, float *, int);
  void  (*dgemm) (int, int, int, int, int, int, double, const double *, int, const double *, int,
                  double, double *, int);
  void  (*sgemv) (int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
  void  (*dgemv) (int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
  void  (*set_num_threads) (int);
  char *(*get_config) (void);
  char *(*get_corename) (void);
} Blas;

static gboolean
has_avx512 (void)
{
#if defined __x86_64__
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw")
         && __builtin_cpu_supports ("avx512dq") && __builtin_cpu_supports ("avx512vl");
#else
  return FALSE;
#endif
}

static void
find_symbol (void       *library,
             const char *name,
             void       *function)
{
  void *symbol = dlsym (library, name);

  memcpy (function, &symbol, sizeof symbol);
}

/* The library, or NULL when there is none. */
static const Blas *
get_blas (void)
{
  static Blas blas;
  static gsize once;

  if (g_once_init_enter (&once))
    {
      void *library;

      if (has_avx512 ())
        g_setenv ("OPENBLAS_CORETYPE", "SkylakeX", FALSE);
      /* After a product its threads look for another one at full speed, for 2^26 cycles of the clock: 25 ms of a core.  2^20 are a third of a
       * millisecond, enough for products that follow each other. */
      g_setenv ("OPENBLAS_THREAD_TIMEOUT", "20", FALSE);
      library = dlopen ("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
      if (library != NULL)
        {
          find_symbol (library, "cblas_sgemm", &blas.sgemm);
          find_symbol (library, "cblas_dgemm", &blas.dgemm);
          find_symbol (library, "cblas_sgemv", &blas.sgemv);
          find_symbol (library, "cblas_dgemv", &blas.dgemv);
          find_symbol (library, "openblas_set_num_threads", &blas.set_num_threads);
          find_symbol (library, "openblas_get_config", &blas.get_config);
          find_symbol (library, "openblas_get_corename", &blas.get_corename);
        }
      g_once_init_leave (&once, 1);
    }
  return blas.sgemm != NULL && blas.dgemm != NULL && blas.sgemv != NULL && blas.dgemv != NULL ? &blas : NULL;
}

char *
ls_blas_describe (void)
{
  const Blas *blas = get_blas ();
  g_auto (GStrv) words = NULL;

  if (blas == NULL)
    return g_strdup ("own loops (libopenblas.so.0 is not installed)");
  words = g_strsplit (blas->get_config != NULL ? blas->get_config () : "OpenBLAS ?", " ", 3);
  return g_strdup_printf ("%s %s (%s, %d threads)", words[0], words[1] != NULL ? words[1] : "",
                          blas->get_corename != NULL ? blas->get_corename () : "core unknown",
                          ls_parallel_num_threads ());
}

/* ---- arguments ---- */

typedef struct {
  const LsArg *args;
  LsNDArray  *own[4];           /* compact copies, or NULL where the argument is compact */
  LsDLTensor *in[4];            /* compact tensors; the last is the output */
  int         n;
} Call;

static int
call_init (Call        *call,
           const LsArg *args,
           int          n_args,
           int          n)
{
  *call = (Call) { .args = args, .n = n };
  if (n_args != n)
    return ls_runtime_fail ("%d arguments were given, %d are expected", n_args, n);
  for (int i = 0; i < n; i++)
    if (args[i].kind != LS_ARG_TENSOR)
      return ls_runtime_fail ("argument %d is not an array", i);
    else if (!ls_dl_dtype_equal (args[i].v_tensor->dtype, args[0].v_tensor->dtype)
             || args[i].v_tensor->dtype.lanes != 1)
      {
        g_autofree char *have = ls_tensor_describe (args[i].v_tensor);
        g_autofree char *want = ls_dl_dtype_print (args[0].v_tensor->dtype);

        return ls_runtime_fail ("argument %d is %s; all arguments are scalars of argument 0's "
                                "type, %s", i, have, want);
      }
  for (int i = 0; i < n; i++)
    {
      GError *error = NULL;

      call->in[i] = args[i].v_tensor;
      if (ls_tensor_is_compact (args[i].v_tensor))
        continue;
      call->own[i] = ls_ndarray_copy (args[i].v_tensor, &error);
      if (call->own[i] == NULL)
        return ls_runtime_fail_g (error);
      call->in[i] = &call->own[i]->tensor;
    }
  return 0;
}

/* Copies the output back when that is needed, frees the copies, passes `status` through. */
static int
call_finish (Call *call,
             int   status)
{
  if (status == 0 && call->own[call->n - 1] != NULL)
    ls_tensor_copy_into (call->in[call->n - 1], call->args[call->n - 1].v_tensor, NULL);
  for (int i = 0; i < call->n; i++)
    g_clear_pointer (&call->own[i], ls_ndarray_unref);
  return status;
}

/* Fails unless argument `i` has exactly these extents (-1 = any). */
static int
expect_matrix (Call       *call,
               int         i,
               const char *symbols,
               gint64      rows,
               gint64      columns)
{
  const LsDLTensor *t = call->in[i];
  g_autofree char *have = NULL;

  if (t->ndim == 2 && (rows < 0 || t->shape[0] == rows) && (columns < 0 || t->shape[1] == columns))
    return 0;
  have = ls_tensor_describe (t);
  if (rows < 0 && columns < 0)
    return ls_runtime_fail ("argument %d is %s; expected %s", i, have, symbols);
  if (rows < 0)
    return ls_runtime_fail ("argument %d is %s; expected %s with %" PRId64 " columns", i,
                            have, symbols, columns);
  if (columns < 0)
    return ls_runtime_fail ("argument %d is %s; expected %s with %" PRId64 " rows", i,
                            have, symbols, rows);
  return ls_runtime_fail ("argument %d is %s; expected %s = (%" PRId64 ", %"
                          PRId64 ")", i, have, symbols, rows, columns);
}

static void *
data_of (const LsDLTensor *tensor)
{
  return (guint8 *) tensor->data + tensor->byte_offset;
}

/* ---- products ---- */

/* One row: a product of gemm would first copy the whole matrix into blocks. */
static void
row_by_blas (const Blas       *blas,
             const LsDLTensor *a,
             const LsDLTensor *b,
             const LsDLTensor *out,
             gboolean          b_transposed)
{
  int rows = (int) b->shape[0], columns = (int) b->shape[1], trans = b_transposed ? BLAS_NO_TRANS : BLAS_TRANS;

  if (out->dtype.bits == 32)
    blas->sgemv (BLAS_ROW_MAJOR, trans, rows, columns, 1, data_of (b), columns, data_of (a), 1, 0, data_of (out), 1);
  else
    blas->dgemv (BLAS_ROW_MAJOR, trans, rows, columns, 1, data_of (b), columns, data_of (a), 1, 0, data_of (out), 1);
}

/* Threads that wait for each other cost more than such a product, and very much more on a busy machine. */
static gboolean
is_small (gint64 n,
          gint64 m,
          gint64 k)
{
  return (double) n * (double) m * (double) k < 4e6;
}

static gboolean
product_by_blas (const LsDLTensor *a,
                 const LsDLTensor *b,
                 const LsDLTensor *out,
                 gboolean          b_transposed)
{
  gint64 n = out->shape[0], m = out->shape[1], k = a->shape[1];
  int trans = b_transposed ? BLAS_TRANS : BLAS_NO_TRANS;
  int ldb = (int) MAX (b->shape[1], 1);
  const Blas *blas;

  if (out->dtype.code != LS_DL_FLOAT || out->dtype.bits == 16
      || MAX (MAX (n, m), k) > G_MAXINT || MIN (MIN (n, m), k) == 0)
    return FALSE;
  blas = get_blas ();
  if (blas == NULL)
    return FALSE;
  if (blas->set_num_threads != NULL)
    blas->set_num_threads (is_small (n, m, k) ? 1 : ls_parallel_num_threads ());
  if (n == 1)
    row_by_blas (blas, a, b, out, b_transposed);
  else if (out->dtype.bits == 32)
    blas->sgemm (BLAS_ROW_MAJOR, BLAS_NO_TRANS, trans, (int) n, (int) m, (int) k, 1, data_of (a),
                 (int) k, data_of (b), ldb, 0, data_of (out), (int) m);
  else
    blas->dgemm (BLAS_ROW_MAJOR, BLAS_NO_TRANS, trans, (int) n, (int) m, (int) k, 1, data_of (a),
                 (int) k, data_of (b), ldb, 0, data_of (out), (int) m);
  return TRUE;
}

static void
product_by_loops (const LsDLTensor *a,
                  const LsDLTensor *b,
                  const LsDLTensor *out,
                  gboolean          b_transposed)
{
  gint64 n = out->shape[0], m = out->shape[1], k = a->shape[1];
  gint64 row_step = b_transposed ? 1 : m;
  gint64 column_step = b_transposed ? k : 1;
  gboolean floats = ls_dl_dtype_is_float (out->dtype);

  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < m; j++)
      {
        guint64 whole = 0;
        double sum = 0;

        for (gint64 r = 0; r < k; r++)
          if (floats)
            sum += ls_tensor_get_double (a, i * k + r)
                   * ls_tensor_get_double (b, r * row_step + j * column_step);
          else
            whole += (guint64) ls_tensor_get_int (a, i * k + r)
                     * (guint64) ls_tensor_get_int (b, r * row_step + j * column_step);
        if (floats)
          ls_tensor_set_double (out, i * m + j, sum);
        else
          ls_tensor_set_int (out, i * m + j, (gint64) whole);
      }
}

static void
product (const LsDLTensor *a,
         const LsDLTensor *b,
         const LsDLTensor *out,
         gboolean          b_transposed)
{
  if (!product_by_blas (a, b, out, b_transposed))
    product_by_loops (a, b, out, b_transposed);
}

static void
add_row (const LsDLTensor *row,
         const LsDLTensor *out)
{
  gint64 m = out->shape[1];
  gint64 total = out->shape[0] * m;
  gboolean floats = ls_dl_dtype_is_float (out->dtype);

  if (out->dtype.code == LS_DL_FLOAT && out->dtype.bits == 32)
    {
      const float *from = data_of (row);
      float *to = data_of (out);

      for (gint64 i = 0; i < total; i += m)
        for (gint64 j = 0; j < m; j++)
          to[i + j] += from[j];
      return;
    }
  for (gint64 i = 0; i < total; i++)
    if (floats)
      ls_tensor_set_double (out, i,
                            ls_tensor_get_double (out, i) + ls_tensor_get_double (row, i % m));
    else
      ls_tensor_set_int (out, i, (gint64) ((guint64) ls_tensor_get_int (out, i)
                                           + (guint64) ls_tensor_get_int (row, i % m)));
}

static int
check_bias (Call   *call,
            gint64  m)
{
  const LsDLTensor *b = call->in[2];
  g_autofree char *have = NULL;

  if ((b->ndim == 1 && b->shape[0] == m)
      || (b->ndim == 2 && b->shape[0] == 1 && b->shape[1] == m))
    return 0;
  have = ls_tensor_describe (b);
  return ls_runtime_fail ("argument 2 is %s; expected b (%" PRId64 ") or (1, %"
                          PRId64 "), one for each row of w", have, m, m);
}

static int
env_linear (const LsArg *args,
            int          n_args,
            LsArg       *result,
            void        *closure)
{
  Call call;
  int status = call_init (&call, args, n_args, 4);

  if (status == 0)
    status = expect_matrix (&call, 0, "x (n, k)", -1, -1);
  if (status == 0)
    status = expect_matrix (&call, 1, "w (m, k)", -1, call.in[0]->shape[1]);
  if (status == 0)
    status = check_bias (&call, call.in[1]->shape[0]);
  if (status == 0)
    status = expect_matrix (&call, 3, "out (n, m)", call.in[0]->shape[0], call.in[1]->shape[0]);
  if (status == 0)
    {
      product (call.in[0], call.in[1], call.in[3], TRUE);
      add_row (call.in[2], call.in[3]);
    }
  return call_finish (&call, status);
}

static int
env_matmul (const LsArg *args,
            int          n_args,
            LsArg       *result,
            void        *closure)
{
  Call call;
  int status = call_init (&call, args, n_args, 3);

  if (status == 0)
    status = expect_matrix (&call, 0, "a (n, k)", -1, -1);
  if (status == 0)
    status = expect_matrix (&call, 1, "b (k, m)", call.in[0]->shape[1], -1);
  if (status == 0)
    status = expect_matrix (&call, 2, "out (n, m)", call.in[0]->shape[0], call.in[1]->shape[1]);
  if (status == 0)
    product (call.in[0], call.in[1], call.in[2], FALSE);
  return call_finish (&call, status);
}

/* ---- elementwise and softmax ---- */

static int
expect_same_shape (Call *call)
{
  const LsDLTensor *x = call->in[0];
  const LsDLTensor *out = call->in[1];
  g_autofree char *have = NULL;
  g_autofree char *want = NULL;

  if (x->ndim == out->ndim
      && (x->ndim == 0 || memcmp (x->shape, out->shape, sizeof (gint64) * (gsize) x->ndim) == 0))
    return 0;
  have = ls_tensor_describe (out);
  want = ls_tensor_describe (x);
  return ls_runtime_fail ("the output is %s; the input is %s", have, want);
}

static int
env_relu (const LsArg *args,
          int          n_args,
          LsArg       *result,
          void        *closure)
{
  Call call;
  int status = call_init (&call, args, n_args, 2);
  gint64 n;

  if (status == 0)
    status = expect_same_shape (&call);
  n = status == 0 ? ls_tensor_n_elements (call.in[0]) : 0;
  if (n > 0 && call.in[0]->dtype.code == LS_DL_FLOAT && call.in[0]->dtype.bits == 32)
    {
      const float *x = data_of (call.in[0]);
      float *y = data_of (call.in[1]);

      for (gint64 i = 0; i < n; i++)
        y[i] = x[i] > 0 || isnan (x[i]) ? x[i] : 0;
      n = 0;
    }
  for (gint64 i = 0; i < n; i++)
    if (ls_dl_dtype_is_float (call.in[0]->dtype))
      {
        double value = ls_tensor_get_double (call.in[0], i);

        ls_tensor_set_double (call.in[1], i, value > 0 || isnan (value) ? value : 0);
      }
    else
      {
        gint64 value = ls_tensor_get_int (call.in[0], i);

        ls_tensor_set_int (call.in[1], i,
                           call.in[0]->dtype.code == LS_DL_INT ? MAX (value, 0) : value);
      }
  return call_finish (&call, status);
}

static void
softmax_row (const LsDLTensor *x,
             const LsDLTensor *out,
             gint64            first,
             gint64            n)
{
  double largest = -INFINITY;
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    largest = fmax (largest, ls_tensor_get_double (x, first + i));
  for (gint64 i = 0; i < n; i++)
    sum += exp (ls_tensor_get_double (x, first + i) - largest);
  for (gint64 i = 0; i < n; i++)
    ls_tensor_set_double (out, first + i,
                          exp (ls_tensor_get_double (x, first + i) - largest) / sum);
}

static int
env_softmax (const LsArg *args,
             int          n_args,
             LsArg       *result,
             void        *closure)
{
  Call call;
  int status = call_init (&call, args, n_args, 2);
  gint64 row, n;

  if (status == 0)
    status = expect_same_shape (&call);
  if (status == 0 && (call.in[0]->ndim == 0 || !ls_dl_dtype_is_float (call.in[0]->dtype)))
    {
      g_autofree char *have = ls_tensor_describe (call.in[0]);

      status = ls_runtime_fail ("argument 0 is %s; expected floats with at least one dimension",
                                have);
    }
  if (status == 0)
    {
      n = ls_tensor_n_elements (call.in[0]);
      row = call.in[0]->shape[call.in[0]->ndim - 1];
      for (gint64 i = 0; i < n; i += row)
        softmax_row (call.in[0], call.in[1], i, row);
    }
  return call_finish (&call, status);
}

const LsEnvRow ls_env_rows[] = {
  { "env.linear", env_linear },
  { "env.matmul", env_matmul },
  { "env.relu", env_relu },
  { "env.softmax", env_softmax },
  { NULL, NULL },
};
