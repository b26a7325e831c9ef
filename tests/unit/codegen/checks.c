/* checks: what compiled code refuses, and in which words. */
#include "engine/codegen/codegen.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/support.h"

#include <string.h>

static LsJit *jit;
static LsSource *source;        /* the last one: lines are asked for while code is made */

static LsModule *
parse (const char *text)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module;

  g_clear_pointer (&source, ls_source_unref);
  source = ls_source_new ("test", text, -1);
  module = ls_script_parse (source, diagnostics);
  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s", findings);
    }
  return module;
}

static LsKernel *
build (const char *text,
       gboolean    checked,
       GError    **error)
{
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (LsTarget) target = ls_target_parse ("llvm", NULL);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix, .check_bounds = checked };
  g_autoptr (LsObject) object = ls_codegen_compile (module, NULL, target, &options, error);

  return object != NULL ? ls_jit_add (jit, object, error) : NULL;
}

static LsNDArray *
array (LsDLDataType dtype,
       int          ndim,
       ...)
{
  gint64 shape[4];
  va_list args;

  va_start (args, ndim);
  for (int i = 0; i < ndim; i++)
    shape[i] = va_arg (args, int);
  va_end (args);
  return ls_ndarray_new (ndim, shape, dtype, NULL);
}

#define TENSOR(a) ((LsArg) { LS_ARG_TENSOR, 0, { .v_tensor = &(a)->tensor } })

static void
assert_says (LsKernel    *kernel,
             const LsArg *args,
             int          n,
             const char  *sentence)
{
  g_autoptr (GError) error = NULL;

  if (ls_kernel_call (kernel, "main", args, n, NULL, &error))
    g_error ("expected: %s", sentence);
  g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_CALL);
  g_assert_cmpstr (error->message, ==, sentence);
}

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@T.prim_func\n"

static void
test_arguments (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = build (HEAD "def main(A: T.Buffer((4, 4), \"float32\"), n: T.int8):\n    for i in range(4):\n        A[i, 0] = T.Cast(\"float32\", n)\n", FALSE, &error);
  g_autoptr (LsNDArray) good = array (LS_DT_FLOAT32, 2, 4, 4);
  g_autoptr (LsNDArray) small = array (LS_DT_FLOAT32, 2, 4, 3);
  g_autoptr (LsNDArray) flat = array (LS_DT_FLOAT32, 1, 16);
  g_autoptr (LsNDArray) ints = array (LS_DT_INT32, 2, 4, 4);
  gint64 shape[2] = { 4, 4 }, strides[2] = { 1, 4 };
  g_autoptr (LsNDArray) turned = ls_ndarray_view (good, 2, shape, strides, 0, NULL);
  LsArg seven = { LS_ARG_INT, 0, { .v_int = 7 } };
  LsArg args[2] = { TENSOR (good), seven };

  g_assert_no_error (error);
  ls_kernel_call (kernel, "main", args, 2, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (ls_tensor_get_double (&good->tensor, 4), ==, 7);
  assert_says (kernel, args, 1, "main takes 2 arguments; got 1.");
  args[0] = TENSOR (small);
  assert_says (kernel, args, 2, "Argument A of main has the shape (4, 3); expected (4, 4).");
  args[0] = TENSOR (flat);
  assert_says (kernel, args, 2, "Argument A of main has the shape (16,); expected (4, 4).");
  args[0] = TENSOR (ints);
  assert_says (kernel, args, 2, "Argument A of main is of int32; expected float32.");
  args[0] = TENSOR (turned);
  assert_says (kernel, args, 2, "Argument A of main is not compact: the stride of dimension 1 is 4; expected 1.");
  args[0] = seven;
  assert_says (kernel, args, 2, "Argument A of main is an integer; expected an array.");
  args[0] = TENSOR (good);
  args[1].v_int = 200;
  assert_says (kernel, args, 2, "Argument n of main is 200, which does not fit into 8 bits.");
  args[1] = TENSOR (good);
  assert_says (kernel, args, 2, "Argument n of main is an array; expected an integer.");
}

static void
test_symbolic (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = build (HEAD "def main(a: T.handle, b: T.handle):\n    n = T.int32()\n    A = T.match_buffer(a, (n,), \"float32\")\n    B = T.match_buffer(b, (n * 2,), \"float32\")\n"
                                       "    for i in range(n * 2):\n        B[i] = A[i // 2]\n", FALSE, &error);
  g_autoptr (LsNDArray) a = array (LS_DT_FLOAT32, 1, 3);
  g_autoptr (LsNDArray) b = array (LS_DT_FLOAT32, 1, 6);
  g_autoptr (LsNDArray) wrong = array (LS_DT_FLOAT32, 1, 5);
  LsArg args[2] = { TENSOR (a), TENSOR (b) };

  g_assert_no_error (error);
  ls_tensor_fill (&a->tensor, 2.5);
  ls_kernel_call (kernel, "main", args, 2, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (ls_tensor_get_double (&b->tensor, 5), ==, 2.5);
  args[1] = TENSOR (wrong);
  assert_says (kernel, args, 2, "Argument B of main has the extent 5 in dimension 0; expected 6.");
}

static void
test_bounds (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = build (HEAD "def main(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4, 2), \"int32\")):\n    for i in range(4):\n        B[A[i], 1] = 10 // A[i]\n", TRUE, &error);
  g_autoptr (LsNDArray) a = array (LS_DT_INT32, 1, 4);
  g_autoptr (LsNDArray) b = array (LS_DT_INT32, 2, 4, 2);
  LsArg args[2] = { TENSOR (a), TENSOR (b) };

  g_assert_no_error (error);
  ls_tensor_fill (&a->tensor, 3);
  ls_kernel_call (kernel, "main", args, 2, NULL, &error);
  g_assert_no_error (error);
  ls_tensor_set_int (&a->tensor, 2, 4);
  assert_says (kernel, args, 2, "Index 0 of B is 4; it goes from 0 to 3 (line 7).");
  ls_tensor_set_int (&a->tensor, 2, -1);
  assert_says (kernel, args, 2, "Index 0 of B is -1; it goes from 0 to 3 (line 7).  If B has several dimensions, this is the place in memory, and some index has "
               "left its own dimension.");
  ls_tensor_set_int (&a->tensor, 2, 0);
  assert_says (kernel, args, 2, "A number is divided by zero (line 7).");
}

static void
test_asserts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = build (HEAD "def main(A: T.Buffer((4,), \"int32\")):\n    C = T.alloc_buffer((4096,), \"int32\")\n    for i in T.parallel(4):\n        with T.block(\"a\"):\n"
                                       "            v = T.axis.spatial(4, i)\n            C[v] = A[v]\n            assert C[v] < 3, \"too large\"\n            A[v] = C[v] + 1\n", FALSE, &error);
  g_autoptr (LsNDArray) a = array (LS_DT_INT32, 1, 4);
  LsArg args[1] = { TENSOR (a) };

  g_assert_no_error (error);
  ls_kernel_call (kernel, "main", args, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ls_tensor_get_int (&a->tensor, 3), ==, 1);
  ls_tensor_set_int (&a->tensor, 3, 3);
  assert_says (kernel, args, 1, "Assert failed: too large");
}

static int
add_ten (const LsArg *args,
         int          n_args,
         LsArg       *result,
         void        *closure)
{
  if (n_args != 3 || args[0].kind != LS_ARG_TENSOR || args[1].kind != LS_ARG_INT || args[2].kind != LS_ARG_STRING)
    return ls_runtime_fail ("add_ten takes an array, a number and a text.");
  if (args[1].v_int < 0)
    return ls_runtime_fail ("add_ten takes no negative number.");
  for (gint64 i = 0; i < args[0].v_tensor->shape[0]; i++)
    ls_tensor_set_int (args[0].v_tensor, i, ls_tensor_get_int (args[0].v_tensor, i) + args[1].v_int);
  result->kind = LS_ARG_INT;
  result->v_int = (gint64) strlen (args[2].v_string);
  return 0;
}

static void
test_packed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (LsNDArray) a = array (LS_DT_INT32, 1, 4);
  LsArg args[2] = { TENSOR (a), { LS_ARG_INT, 0, { .v_int = 10 } } };

  ls_registry_register ("test.add_ten", add_ten, NULL, NULL, TRUE, NULL);
  kernel = build (HEAD "def main(A: T.Buffer((4,), \"int32\"), n: T.int32):\n"
                  "    T.call_packed(\"test.add_ten\", T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(4), 0, 1, 0, 0), n, \"abc\")\n", FALSE, &error);
  g_assert_no_error (error);
  ls_kernel_call (kernel, "main", args, 2, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ls_tensor_get_int (&a->tensor, 3), ==, 10);
  args[1].v_int = -1;
  assert_says (kernel, args, 2, "test.add_ten: add_ten takes no negative number.");
}

static int
twice (int x)
{
  return 2 * x;
}

static void
test_extern (void)
{
  static const char text[] = HEAD "def main(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n        A[i] = T.call_extern(\"int32\", \"ls_test_twice\", i)\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) none = build (text, FALSE, &error);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (LsNDArray) a = array (LS_DT_INT32, 1, 4);
  LsArg args[1] = { TENSOR (a) };

  g_assert_null (none);
  g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==, "The extern function ls_test_twice is not registered.");
  g_clear_error (&error);
  g_assert_true (ls_jit_register_symbol ("ls_test_twice", (gpointer) twice));
  g_assert_false (ls_jit_register_symbol ("memcpy", (gpointer) twice));
  kernel = build (text, FALSE, &error);
  g_assert_no_error (error);
  ls_kernel_call (kernel, "main", args, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ls_tensor_get_int (&a->tensor, 3), ==, 6);
}

/* Threads that bring the same names at once: one of them is the first, for each name. */
#define N_NAMES 200
#define N_THREADS 8

typedef struct { gint waiting; gint first[N_NAMES]; } Race;

static gpointer
bring_all (gpointer data)
{
  Race *race = data;

  g_atomic_int_add (&race->waiting, -1);
  while (g_atomic_int_get (&race->waiting) > 0)
    g_thread_yield ();
  for (guint i = 0; i < N_NAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("ls_test_race_%u", i);

      if (ls_jit_register_symbol (name, (gpointer) twice))
        g_atomic_int_inc (&race->first[i]);
      g_assert_true (ls_jit_has_symbol (name));
    }
  return NULL;
}

static void
test_race (void)
{
  Race race = { N_THREADS, { 0 } };
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("race", bring_all, &race);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < N_NAMES; i++)
    g_assert_cmpint (race.first[i], ==, 1);
}

static void
test_ret (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = build (HEAD "def main(A: T.Buffer((4,), \"float32\")) -> T.float32:\n    for i in range(4):\n        if A[i] > T.float32(1):\n            T.evaluate(T.ret(A[i]))\n    T.evaluate(T.ret(T.float32(-1)))\n", FALSE, &error);
  g_autoptr (LsNDArray) a = array (LS_DT_FLOAT32, 1, 4);
  LsArg args[1] = { TENSOR (a) };
  LsArg result = { LS_ARG_NONE, 0, { 0 } };

  g_assert_no_error (error);
  ls_kernel_call (kernel, "main", args, 1, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result.kind, ==, LS_ARG_FLOAT);
  g_assert_cmpfloat (result.v_float, ==, -1);
  ls_tensor_set_double (&a->tensor, 2, 4.5);
  ls_kernel_call (kernel, "main", args, 1, &result, &error);
  g_assert_cmpfloat (result.v_float, ==, 4.5);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernel) kernel = build (HEAD "def main(A: T.Buffer((4,), \"float32\")):\n    for i in T.thread_binding(4, thread=\"threadIdx.x\"):\n        A[i] = T.float32(0)\n", FALSE, &error);

  g_assert_null (kernel);
  g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==, "The loop i is bound to threadIdx.x; a CPU has no such threads.");
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  g_test_add_func ("/codegen/checks/arguments", test_arguments);
  g_test_add_func ("/codegen/checks/symbolic", test_symbolic);
  g_test_add_func ("/codegen/checks/bounds", test_bounds);
  g_test_add_func ("/codegen/checks/asserts", test_asserts);
  g_test_add_func ("/codegen/checks/packed", test_packed);
  g_test_add_func ("/codegen/checks/extern", test_extern);
  g_test_add_func ("/codegen/checks/race", test_race);
  g_test_add_func ("/codegen/checks/ret", test_ret);
  g_test_add_func ("/codegen/checks/refused", test_refused);
  status = g_test_run ();
  ls_jit_free (jit);
  g_clear_pointer (&source, ls_source_unref);
  ls_pool_shutdown ();
  return status;
}
