/* NDArray: making, viewing, sharing, filling, comparing and printing. */
#include "engine/runtime/runtime.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static LsNDArray *
make (LsDLDataType  dtype,
      int           ndim,
      gint64        a,
      gint64        b)
{
  g_autoptr (GError) error = NULL;
  gint64 shape[2] = { a, b };
  LsNDArray *array = ls_ndarray_new (ndim, shape, dtype, &error);

  g_assert_no_error (error);
  g_assert_nonnull (array);
  return array;
}

static void
fill_count (LsNDArray *array)
{
  for (gint64 i = 0; i < ls_tensor_n_scalars (&array->tensor); i++)
    ls_tensor_set_int (&array->tensor, i, i);
}

static void
test_new (void)
{
  g_autoptr (LsNDArray) array = make (LS_DT_FLOAT32, 2, 2, 3);
  g_autoptr (LsNDArray) scalar = make (LS_DT_INT64, 0, 0, 0);
  g_autoptr (LsNDArray) empty = make (LS_DT_INT64, 2, 0, 5);
  g_autofree char *text = ls_tensor_describe (&array->tensor);

  g_assert_cmpstr (text, ==, "(2, 3) float32");
  g_assert_cmpuint ((gsize) array->tensor.data % 64, ==, 0);
  g_assert_cmpuint (array->n_bytes, ==, 24);
  g_assert_null (array->tensor.strides);
  g_assert_cmpint (ls_tensor_n_elements (&scalar->tensor), ==, 1);
  g_assert_cmpint (ls_tensor_n_elements (&empty->tensor), ==, 0);
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (ls_tensor_get_double (&array->tensor, i), ==, 0);
}

static void
test_new_refused (void)
{
  static const gint64 shapes[][3] = {
    { -1, 2, 3 }, { G_MAXINT64, G_MAXINT64, 4 }, { G_MAXINT64, 1, 1 }, { 1, 1, G_MAXINT64 / 2 },
    { 0, -5, 1 },
  };
  gint64 many[70] = { 0 };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) local = NULL;

      g_assert_null (ls_ndarray_new (3, shapes[i], LS_DT_FLOAT32, &local));
      g_assert_error (local, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
    }
  g_assert_null (ls_ndarray_new (65, many, LS_DT_FLOAT32, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ls_ndarray_new (0, NULL, (LsDLDataType) { LS_DL_COMPLEX, 64, 1 }, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_DTYPE);
  g_clear_error (&error);
  many[0] = G_GINT64_CONSTANT (1) << 50;
  g_assert_null (ls_ndarray_new (1, many, LS_DT_FLOAT32, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY);
}

static void
test_views (void)
{
  g_autoptr (LsNDArray) array = make (LS_DT_INT32, 2, 3, 4);
  g_autoptr (LsNDArray) transposed = NULL;
  g_autoptr (LsNDArray) reversed = NULL;
  g_autoptr (LsNDArray) copy = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  fill_count (array);
  transposed = ls_ndarray_view (array, 2, (gint64[]) { 4, 3 }, (gint64[]) { 1, 4 }, 0, NULL);
  g_assert_cmpint (ls_tensor_get_int (&transposed->tensor, 1), ==, 4);
  g_assert_false (ls_tensor_is_compact (&transposed->tensor));
  reversed = ls_ndarray_view (transposed, 1, (gint64[]) { 4 }, (gint64[]) { -1 }, 7, NULL);
  text = ls_tensor_print (&reversed->tensor, 0);
  g_assert_cmpstr (text, ==, "[7, 6, 5, 4]");
  copy = ls_ndarray_copy (&reversed->tensor, NULL);
  g_assert_cmpint (((gint32 *) copy->tensor.data)[3], ==, 4);
  g_assert_null (ls_ndarray_view (array, 1, (gint64[]) { 4 }, (gint64[]) { 4 }, 0, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ls_ndarray_view (array, 1, (gint64[]) { 1 }, NULL, -1, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ls_ndarray_view (array, 1, (gint64[]) { 3 }, (gint64[]) { G_MAXINT64 }, 0,
                                  &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
}

static void
test_dlpack (void)
{
  LsNDArray *array = make (LS_DT_FLOAT64, 2, 2, 2);
  LsDLManagedTensor *managed;
  g_autoptr (LsNDArray) back = NULL;

  fill_count (array);
  managed = ls_ndarray_to_dlpack (array);
  g_assert_cmpint (managed->dl_tensor.strides[0], ==, 2);
  g_assert_true (managed->dl_tensor.data == array->tensor.data);
  ls_ndarray_unref (array);
  back = ls_ndarray_from_dlpack (managed, NULL);
  g_assert_null (back->tensor.strides);
  g_assert_cmpfloat (ls_tensor_get_double (&back->tensor, 3), ==, 3);
}

static int n_deleted;

static void
count_delete (LsDLManagedTensor *self)
{
  n_deleted++;
}

static void
test_dlpack_refused (void)
{
  float data[4] = { 0 };
  gint64 shape[1] = { 4 };
  LsDLManagedTensor managed = { { data, { 2, 0 }, 1, LS_DT_FLOAT32, shape, NULL, 0 }, NULL,
                                count_delete };
  g_autoptr (GError) error = NULL;

  n_deleted = 0;
  g_assert_null (ls_ndarray_from_dlpack (&managed, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT);
  g_clear_error (&error);
  managed.dl_tensor.device.device_type = LS_DL_CPU;
  managed.dl_tensor.data = NULL;
  g_assert_null (ls_ndarray_from_dlpack (&managed, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
  g_assert_cmpint (n_deleted, ==, 2);
}

static void
test_shared (void)
{
  gint64 shape[1] = { 1000 };
  gint64 larger[1] = { 1001 };
  g_autoptr (GError) error = NULL;
  int fd;
  g_autoptr (LsNDArray) one = ls_ndarray_new_shared (1, shape, LS_DT_INT32, &fd, &error);
  g_autoptr (LsNDArray) other = NULL;

  g_assert_no_error (error);
  other = ls_ndarray_new_from_fd (fd, TRUE, 1, shape, LS_DT_INT32, &error);
  g_assert_no_error (error);
  ls_tensor_set_int (&other->tensor, 999, 7);
  g_assert_cmpint (ls_tensor_get_int (&one->tensor, 999), ==, 7);
  g_assert_cmpint (ftruncate (fd, 10), ==, -1);
  g_assert_null (ls_ndarray_new_from_fd (fd, TRUE, 1, larger, LS_DT_INT32, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
  close (fd);
}

static void
test_elements (void)
{
  static const struct { LsDLDataType dtype; double in; double out; } rows[] = {
    { LS_DT_INT8, 300, 44 },       { LS_DT_INT8, -1.9, -1 },      { LS_DT_UINT8, -1, 255 },
    { LS_DT_BOOL, 0.5, 1 },        { LS_DT_UINT64, 0x1p63, 0x1p63 }, { LS_DT_INT64, 1e30, 0x1p63 },
    { LS_DT_INT32, NAN, 0 },       { LS_DT_FLOAT16, 0.1, 0.0999755859375 },
    { LS_DT_BFLOAT16, 0.1, 0.10009765625 }, { LS_DT_FLOAT32, 0.1, (double) 0.1f },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsNDArray) array = make (rows[i].dtype, 1, 1, 0);

      ls_tensor_set_double (&array->tensor, 0, rows[i].in);
      g_assert_cmpfloat (ls_tensor_get_double (&array->tensor, 0), ==, rows[i].out);
    }
}

static void
test_lanes (void)
{
  g_autoptr (LsNDArray) array = make ((LsDLDataType) { LS_DL_FLOAT, 32, 4 }, 1, 2, 0);
  g_autofree char *text = NULL;

  fill_count (array);
  g_assert_cmpuint (array->n_bytes, ==, 32);
  text = ls_tensor_print (&array->tensor, 0);
  g_assert_cmpstr (text, ==, "[<0., 1., 2., 3.>, <4., 5., 6., 7.>]");
}

static void
test_random (void)
{
  static const LsDLDataType dtypes[] = { LS_DT_BOOL, LS_DT_INT8, LS_DT_UINT16, LS_DT_INT64, LS_DT_FLOAT16,
                                         LS_DT_BFLOAT16, LS_DT_FLOAT32, LS_DT_FLOAT64 };

  /* Reference values of SplitMix64 for seed 0. */
  g_assert_cmphex (ls_random_bits (0, 0), ==, G_GUINT64_CONSTANT (0xe220a8397b1dcdaf));
  g_assert_cmphex (ls_random_bits (0, 1), ==, G_GUINT64_CONSTANT (0x6e789e6aa1b965f4));
  for (gsize i = 0; i < G_N_ELEMENTS (dtypes); i++)
    {
      g_autoptr (LsNDArray) a = make (dtypes[i], 1, 4096, 0);
      g_autoptr (LsNDArray) b = make (dtypes[i], 1, 4096, 0);
      double low = INFINITY, high = -INFINITY;

      ls_tensor_fill_random (&a->tensor, 42);
      ls_tensor_fill_random (&b->tensor, 42);
      g_assert_cmpmem (a->tensor.data, a->n_bytes, b->tensor.data, b->n_bytes);
      ls_tensor_fill_random (&b->tensor, 43);
      g_assert_cmpint (memcmp (a->tensor.data, b->tensor.data, a->n_bytes), !=, 0);
      for (int j = 0; j < 4096; j++)
        {
          low = MIN (low, ls_tensor_get_double (&a->tensor, j));
          high = MAX (high, ls_tensor_get_double (&a->tensor, j));
        }
      g_assert_cmpfloat (low, >=, dtypes[i].code == LS_DL_INT ? -8 : -1);
      g_assert_cmpfloat (high, <=, 15);
      g_assert_cmpfloat (high, >=, 0.9);
    }
}

static void
test_allclose (void)
{
  g_autoptr (LsNDArray) a = make (LS_DT_FLOAT32, 2, 2, 3);
  g_autoptr (LsNDArray) b = make (LS_DT_FLOAT32, 2, 2, 3);
  g_autoptr (LsNDArray) c = make (LS_DT_FLOAT32, 2, 3, 2);
  g_autoptr (LsNDArray) i = make (LS_DT_INT64, 1, 1, 0);
  g_autoptr (LsNDArray) j = make (LS_DT_INT64, 1, 1, 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  LsMismatch m;

  ls_tensor_set_double (&a->tensor, 0, NAN);
  ls_tensor_set_double (&b->tensor, 0, NAN);
  ls_tensor_set_double (&a->tensor, 1, INFINITY);
  ls_tensor_set_double (&b->tensor, 1, INFINITY);
  ls_tensor_set_double (&a->tensor, 2, 1.0000001);
  ls_tensor_set_double (&b->tensor, 2, 1);
  g_assert_true (ls_tensor_allclose (&a->tensor, &b->tensor, 1e-5, 0, &m, NULL));
  ls_tensor_set_double (&a->tensor, 5, 0.5);
  g_assert_false (ls_tensor_allclose (&a->tensor, &b->tensor, 1e-5, 1e-8, &m, NULL));
  text = ls_mismatch_describe (&m, &a->tensor);
  g_assert_cmpstr (text, ==, "1 of 6 elements differ; the first is (1, 2): 0.5, expected 0");
  g_assert_false (ls_tensor_allclose (&a->tensor, &c->tensor, 1, 1, &m, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE);
  ls_tensor_set_int (&i->tensor, 0, G_MAXINT64);
  ls_tensor_set_int (&j->tensor, 0, G_MAXINT64 - 1);
  g_assert_false (ls_tensor_allclose (&i->tensor, &j->tensor, 0, 0, &m, NULL));
}

static void
test_print (void)
{
  g_autoptr (LsNDArray) array = make (LS_DT_FLOAT32, 2, 2, 7);
  g_autofree char *all = NULL;
  g_autofree char *some = NULL;

  fill_count (array);
  ls_tensor_set_double (&array->tensor, 0, 0.1);
  ls_tensor_set_double (&array->tensor, 1, -1e30);
  all = ls_tensor_print (&array->tensor, 0);
  some = ls_tensor_print (&array->tensor, 2);
  g_assert_cmpstr (all, ==, "[[0.1, -1e+30, 2., 3., 4., 5., 6.],\n [7., 8., 9., 10., 11., 12., 13.]]");
  g_assert_cmpstr (some, ==, "[[0.1, -1e+30, ..., 5., 6.],\n [7., 8., ..., 12., 13.]]");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/ndarray/new", test_new);
  g_test_add_func ("/runtime/ndarray/new-refused", test_new_refused);
  g_test_add_func ("/runtime/ndarray/views", test_views);
  g_test_add_func ("/runtime/ndarray/dlpack", test_dlpack);
  g_test_add_func ("/runtime/ndarray/dlpack-refused", test_dlpack_refused);
  g_test_add_func ("/runtime/ndarray/shared", test_shared);
  g_test_add_func ("/runtime/ndarray/elements", test_elements);
  g_test_add_func ("/runtime/ndarray/lanes", test_lanes);
  g_test_add_func ("/runtime/ndarray/random", test_random);
  g_test_add_func ("/runtime/ndarray/allclose", test_allclose);
  g_test_add_func ("/runtime/ndarray/print", test_print);
  return g_test_run ();
}
