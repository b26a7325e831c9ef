/* Packed functions: registering, calling, loading a library, and the env functions. */
#include "engine/runtime/runtime.h"

#include <math.h>

static int n_destroyed;

static void
count_destroy (gpointer data)
{
  n_destroyed++;
}

static int
add (const LsArg *args,
     int          n_args,
     LsArg       *result,
     void        *closure)
{
  if (n_args != 2 || args[0].kind != LS_ARG_INT || args[1].kind != LS_ARG_INT)
    return ls_runtime_fail ("two ints are expected");
  *result = (LsArg) { .kind = LS_ARG_INT, .v_int = args[0].v_int + args[1].v_int };
  return 0;
}

static int
replace_myself (const LsArg *args,
                int          n_args,
                LsArg       *result,
                void        *closure)
{
  ls_registry_register ("test.self", add, NULL, NULL, TRUE, NULL);
  return n_destroyed;
}

static void
test_register (void)
{
  LsArg args[2] = { { .kind = LS_ARG_INT, .v_int = 40 }, { .kind = LS_ARG_INT, .v_int = 2 } };
  g_autoptr (GError) error = NULL;
  LsArg result;

  g_assert_true (ls_registry_register ("test.add", add, NULL, count_destroy, FALSE, NULL));
  g_assert_false (ls_registry_register ("test.add", add, NULL, NULL, FALSE, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_true (ls_registry_call ("test.add", args, 2, &result, &error));
  g_assert_cmpint (result.v_int, ==, 42);
  g_assert_false (ls_registry_call ("test.add", args, 1, &result, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL);
  g_assert_cmpstr (error->message, ==, "test.add: two ints are expected");
  g_clear_error (&error);
  g_assert_false (ls_registry_call ("test.ad", args, 1, &result, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "the function \"test.ad\" is not registered; \"test.add\" is");
  g_assert_cmpint (ls_packed_call ("nowhere.at.all", NULL, 0, NULL), ==, -1);
  g_assert_cmpstr (ls_runtime_last_error (), ==, "the function \"nowhere.at.all\" is not registered");
  n_destroyed = 0;
  g_assert_true (ls_registry_remove ("test.add"));
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_false (ls_registry_has ("test.add"));
}

/* The one that runs is ended when it returns, not before. */
static void
test_replace_while_running (void)
{
  n_destroyed = 0;
  ls_registry_register ("test.self", replace_myself, NULL, count_destroy, TRUE, NULL);
  g_assert_cmpint (ls_packed_call ("test.self", NULL, 0, NULL), ==, 0);
  g_assert_cmpint (n_destroyed, ==, 1);
  ls_registry_remove ("test.self");
}

static gpointer
hammer (gpointer data)
{
  LsArg args[2] = { { .kind = LS_ARG_INT, .v_int = 1 }, { .kind = LS_ARG_INT, .v_int = 2 } };

  for (int i = 0; i < 2000; i++)
    {
      g_autofree char *name = g_strdup_printf ("test.thread.%d", i % 7);

      ls_registry_register (name, add, NULL, NULL, TRUE, NULL);
      ls_packed_call (name, args, 2, NULL);
      ls_registry_remove (name);
    }
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("hammer", hammer, NULL);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
}

static void
test_load (void)
{
  const char *path = g_getenv ("LS_TEST_LIBRARY");
  LsArg args[1] = { { .kind = LS_ARG_FLOAT, .v_float = 1.5 } };
  g_autoptr (GError) error = NULL;
  LsArg result;

  g_assert_false (ls_registry_load ("/no/such/library.so", &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (ls_registry_load ("libm.so.6", &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND);
  g_clear_error (&error);
  if (path == NULL)
    {
      g_test_skip ("LS_TEST_LIBRARY is not set");
      return;
    }
  g_assert_true (ls_registry_load (path, &error));
  g_assert_no_error (error);
  g_assert_true (ls_registry_call ("test.library.twice", args, 1, &result, &error));
  g_assert_cmpfloat (result.v_float, ==, 3);
}

/* ---- env ---- */

static LsNDArray *
random_array (LsDLDataType dtype,
              gint64       a,
              gint64       b,
              guint64      seed)
{
  LsNDArray *array = ls_ndarray_new (2, (gint64[]) { a, b }, dtype, NULL);

  ls_tensor_fill_random (&array->tensor, seed);
  return array;
}

static int
call (const char *name,
      int         n,
      LsNDArray **arrays)
{
  LsArg args[4];

  for (int i = 0; i < n; i++)
    args[i] = (LsArg) { .kind = LS_ARG_TENSOR, .v_tensor = &arrays[i]->tensor };
  return ls_packed_call (name, args, n, NULL);
}

static double
at (LsNDArray *array,
    gint64     i)
{
  return ls_tensor_get_double (&array->tensor, i);
}

static void
test_linear (void)
{
  static const LsDLDataType dtypes[] = { LS_DT_FLOAT32, LS_DT_FLOAT64, LS_DT_FLOAT16, LS_DT_BFLOAT16,
                                         LS_DT_INT32, LS_DT_INT8 };

  for (gsize d = 0; d < G_N_ELEMENTS (dtypes); d++)
    {
      g_autoptr (LsNDArray) x = random_array (dtypes[d], 3, 17, 1);
      g_autoptr (LsNDArray) w = random_array (dtypes[d], 5, 17, 2);
      g_autoptr (LsNDArray) b = random_array (dtypes[d], 1, 5, 3);
      g_autoptr (LsNDArray) out = random_array (dtypes[d], 3, 5, 4);
      double tolerance = dtypes[d].bits == 16 ? 0.05 : 1e-5;

      g_assert_cmpint (call ("env.linear", 4, (LsNDArray *[]) { x, w, b, out }), ==, 0);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
          {
            double sum = at (b, j);

            for (int k = 0; k < 17; k++)
              sum += at (x, i * 17 + k) * at (w, j * 17 + k);
            if (dtypes[d].code == LS_DL_INT && dtypes[d].bits == 8)
              sum = (gint8) (gint64) sum;
            g_assert_cmpfloat (fabs (at (out, i * 5 + j) - sum), <=, tolerance);
          }
    }
}

static void
test_matmul_strided (void)
{
  g_autoptr (LsNDArray) a = random_array (LS_DT_FLOAT32, 4, 6, 1);
  g_autoptr (LsNDArray) wide = random_array (LS_DT_FLOAT32, 4, 6, 2);
  g_autoptr (LsNDArray) b = ls_ndarray_view (wide, 2, (gint64[]) { 6, 4 }, (gint64[]) { 1, 6 }, 0,
                                             NULL);
  g_autoptr (LsNDArray) tall = random_array (LS_DT_FLOAT32, 4, 8, 3);
  g_autoptr (LsNDArray) out = ls_ndarray_view (tall, 2, (gint64[]) { 4, 4 }, (gint64[]) { 8, 2 },
                                               0, NULL);

  g_assert_cmpint (call ("env.matmul", 3, (LsNDArray *[]) { a, b, out }), ==, 0);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      {
        double sum = 0;

        for (int k = 0; k < 6; k++)
          sum += at (a, i * 6 + k) * at (wide, j * 6 + k);
        g_assert_cmpfloat (fabs (at (tall, i * 8 + 2 * j) - sum), <=, 1e-5);
      }
}

static void
test_relu_softmax (void)
{
  g_autoptr (LsNDArray) x = random_array (LS_DT_FLOAT32, 2, 3, 1);
  g_autoptr (LsNDArray) out = random_array (LS_DT_FLOAT32, 2, 3, 2);

  ls_tensor_set_double (&x->tensor, 0, NAN);
  ls_tensor_set_double (&x->tensor, 1, -1);
  g_assert_cmpint (call ("env.relu", 2, (LsNDArray *[]) { x, out }), ==, 0);
  g_assert_true (isnan (at (out, 0)));
  g_assert_cmpfloat (at (out, 1), ==, 0);
  ls_tensor_set_double (&x->tensor, 3, 1000);
  ls_tensor_set_double (&x->tensor, 4, 1000);
  ls_tensor_set_double (&x->tensor, 5, -1000);
  g_assert_cmpint (call ("env.softmax", 2, (LsNDArray *[]) { x, out }), ==, 0);
  g_assert_cmpfloat (at (out, 3), ==, 0.5);
  g_assert_cmpfloat (at (out, 5), ==, 0);
}

static void
test_env_refused (void)
{
  g_autoptr (LsNDArray) x = random_array (LS_DT_FLOAT32, 2, 3, 1);
  g_autoptr (LsNDArray) w = random_array (LS_DT_FLOAT32, 4, 5, 1);
  g_autoptr (LsNDArray) i = random_array (LS_DT_INT32, 2, 3, 1);

  g_assert_cmpint (call ("env.linear", 3, (LsNDArray *[]) { x, w, x }), ==, -1);
  g_assert_cmpstr (ls_runtime_last_error (), ==,
                   "env.linear: 3 arguments were given, 4 are expected");
  g_assert_cmpint (call ("env.linear", 4, (LsNDArray *[]) { x, w, x, x }), ==, -1);
  g_assert_cmpstr (ls_runtime_last_error (), ==,
                   "env.linear: argument 1 is (4, 5) float32; expected w (m, k) with 3 columns");
  g_assert_cmpint (call ("env.relu", 2, (LsNDArray *[]) { x, i }), ==, -1);
  g_assert_cmpint (call ("env.relu", 2, (LsNDArray *[]) { x, w }), ==, -1);
  g_assert_cmpint (call ("env.softmax", 2, (LsNDArray *[]) { i, i }), ==, -1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/registry/register", test_register);
  g_test_add_func ("/runtime/registry/replace-while-running", test_replace_while_running);
  g_test_add_func ("/runtime/registry/threads", test_threads);
  g_test_add_func ("/runtime/registry/load", test_load);
  g_test_add_func ("/runtime/env/linear", test_linear);
  g_test_add_func ("/runtime/env/matmul-strided", test_matmul_strided);
  g_test_add_func ("/runtime/env/relu-softmax", test_relu_softmax);
  g_test_add_func ("/runtime/env/refused", test_env_refused);
  return g_test_run ();
}
