/* vm: Relax modules built, saved, loaded and run; what they refuse; damaged files. */
#include "engine/codegen/vm-build.h"
#include "engine/script/parser.h"

#include <string.h>

static const char PROGRAM[] =
  "from tvm.script import ir as I, tir as T, relax as R\n"
  "@I.ir_module\n"
  "class M:\n"
  "    @T.prim_func\n"
  "    def double(x: T.handle, y: T.handle):\n"
  "        n = T.int64()\n"
  "        X = T.match_buffer(x, (n,), \"float32\")\n"
  "        Y = T.match_buffer(y, (n,), \"float32\")\n"
  "        for i in range(n):\n"
  "            with T.block(\"Y\"):\n"
  "                vi = T.axis.spatial(n, i)\n"
  "                Y[vi] = X[vi] * T.float32(2)\n"
  "    @R.function(private=True)\n"
  "    def twice(x: R.Tensor((\"n\",), \"float32\")) -> R.Tensor((\"n\",), \"float32\"):\n"
  "        n = T.int64()\n"
  "        cls = M\n"
  "        a = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((n,), \"float32\"))\n"
  "        b = R.call_dps_packed(\"double\", (a,), out_sinfo=R.Tensor((n,), \"float32\"))\n"
  "        return b\n"
  "    @R.function\n"
  "    def main(x: R.Tensor((\"n\",), \"float32\"), y: R.Tensor((\"n * 2\",), \"float32\"), c: R.Tensor((), \"bool\")):\n"
  "        n = T.int64()\n"
  "        cls = M\n"
  "        if c:\n"
  "            r_then: R.Tensor((n,), \"float32\") = cls.twice(x)\n"
  "            r: R.Tensor((n,), \"float32\") = r_then\n"
  "        else:\n"
  "            r: R.Tensor((n,), \"float32\") = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((n,), \"float32\"))\n"
  "        s = R.sort(y, axis=0, descending=True)\n"
  "        t = (r, R.shape([n + 1]), s)\n"
  "        return t\n"
  "    @R.function\n"
  "    def forever(x: R.Tensor((1,), \"float32\")) -> R.Tensor((1,), \"float32\"):\n"
  "        cls = M\n"
  "        a: R.Tensor((1,), \"float32\") = cls.forever(x)\n"
  "        return a\n"
  "    @R.function\n"
  "    def missing(x: R.Tensor((1,), \"float32\")):\n"
  "        a = R.call_dps_packed(\"test.is_not_there\", (x,), out_sinfo=R.Tensor((1,), \"float32\"))\n"
  "        return a\n"
  "    @R.function\n"
  "    def closure(x: R.Tensor((\"n\",), \"float32\"), y: R.Tensor((2,), \"float32\")):\n"
  "        n = T.int64()\n"
  "        cls = M\n"
  "        @R.function(private=True)\n"
  "        def inner(z: R.Tensor((2,), \"float32\")) -> R.Tuple(R.Tensor((n,), \"float32\"), R.Tensor((2,), \"float32\")):\n"
  "            a = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((n,), \"float32\"))\n"
  "            b = R.call_tir(cls.double, (z,), out_sinfo=R.Tensor((2,), \"float32\"))\n"
  "            return (a, b)\n"
  "        p = inner(y)\n"
  "        return p\n"
  "    @R.function\n"
  "    def casts(x: R.Tensor(\"float32\", ndim=1)):\n"
  "        k = T.int64()\n"
  "        y = R.match_cast(x, R.Tensor((k,), \"float32\"))\n"
  "        z = R.call_dps_packed(\"double\", (y,), out_sinfo=R.Tensor((k,), \"float32\"))\n"
  "        w = R.assert_op(R.const(True, \"bool\"), format=\"never\")\n"
  "        u = R.reshape(z, R.shape([1, k]))\n"
  "        return u\n";

typedef struct {
  LsJit          *jit;
  LsKernel       *kernel;
  LsVMExecutable *executable;
  LsVM           *vm;
} Fixture;

static LsVMExecutable *
build (const char *text,
       GError    **error)
{
  g_autoptr (LsSource) source = ls_source_new ("test.py", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);
  g_autoptr (LsTarget) target = ls_target_parse (NULL, NULL);
  g_autofree char *findings = ls_diagnostics_print (diagnostics);
  LsVMBuildOptions options = { .as_is = TRUE };

  g_assert_cmpstr (findings, ==, "");
  return ls_vm_build (module, target, &options, error);
}

/* Built, saved and loaded again. */
static void
set_up (Fixture      *self,
        gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsVMExecutable) built = build (PROGRAM, &error);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  bytes = ls_vm_executable_save (built);
  self->executable = ls_vm_executable_load (bytes, &error);
  g_assert_no_error (error);
  again = ls_vm_executable_save (self->executable);
  g_assert_true (g_bytes_equal (bytes, again));
  self->jit = ls_jit_new (&error);
  g_assert_no_error (error);
  self->kernel = ls_vm_link (self->jit, self->executable, &error);
  g_assert_no_error (error);
  self->vm = ls_vm_new (self->executable, ls_vm_resolve_kernel, self->kernel, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  ls_vm_free (self->vm);
  ls_kernel_free (self->kernel);
  ls_jit_free (self->jit);
  ls_vm_executable_unref (self->executable);
}

static LsVMValue *
tensor (gint64 n)
{
  LsNDArray *array = ls_ndarray_new (1, &n, LS_DT_FLOAT32, NULL);

  for (gint64 i = 0; i < n; i++)
    ls_tensor_set_double (&array->tensor, i, (double) (i + 1));
  return ls_vm_tensor (array);
}

static LsVMValue *
truth (gboolean value)
{
  LsNDArray *array = ls_ndarray_new (0, NULL, LS_DT_BOOL, NULL);

  ls_tensor_set_int (&array->tensor, 0, value);
  return ls_vm_tensor (array);
}

static void
assert_call (Fixture    *self,
             const char *function,
             LsVMValue **args,
             guint       n,
             const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsVMValue) result = ls_vm_call (self->vm, function, args, n, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (result == NULL)
    g_string_append (text, error->message);
  else
    for (guint i = 0; i < (result->kind == LS_VM_TUPLE ? result->n : 1); i++)
      {
        LsVMValue *value = result->kind == LS_VM_TUPLE ? result->items[i] : result;
        g_autofree char *one = value->kind == LS_VM_TENSOR ? ls_tensor_print (&value->tensor->tensor, 0) : ls_vm_value_describe (value);

        g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", one);
      }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_calls (Fixture      *self,
            gconstpointer data)
{
  g_autoptr (LsVMValue) x = tensor (3);
  g_autoptr (LsVMValue) y = tensor (6);
  g_autoptr (LsVMValue) yes = truth (TRUE);
  g_autoptr (LsVMValue) no = truth (FALSE);
  LsVMValue *then[] = { x, y, yes }, *otherwise[] = { x, y, no };
  g_autoptr (LsVMValue) two = tensor (2);
  LsVMValue *captured[] = { x, two };

  assert_call (self, "main", then, 3, "[4., 8., 12.]; shape (4,); [6., 5., 4., 3., 2., 1.]");
  assert_call (self, "main", otherwise, 3, "[2., 4., 6.]; shape (4,); [6., 5., 4., 3., 2., 1.]");
  assert_call (self, "closure", captured, 2, "[2., 4., 6.]; [2., 4.]");
  assert_call (self, "casts", &x, 1, "[[2., 4., 6.]]");
  g_assert_cmpint (x->refs, ==, 1);
}

static void
test_refusals (Fixture      *self,
               gconstpointer data)
{
  g_autoptr (LsVMValue) x = tensor (3);
  g_autoptr (LsVMValue) y = tensor (5);
  g_autoptr (LsVMValue) six = tensor (6);
  g_autoptr (LsVMValue) one = tensor (1);
  g_autoptr (LsVMValue) number = ls_vm_int (7);
  g_autoptr (LsVMValue) yes = truth (TRUE);
  LsVMValue *bad[] = { x, y, yes }, *wrong[] = { x, six, x }, *plain[] = { number, y, yes };

  assert_call (self, "main", bad, 3, "y of main is (5,) float32; an extent of 6 in dimension 0 is expected.");
  assert_call (self, "main", wrong, 3, "c of main is (3,) float32; an ndim of 0 is expected.");
  assert_call (self, "main", plain, 3, "x of main is the integer 7; a tensor is expected.");
  assert_call (self, "main", bad, 2, "main takes 3 arguments; 2 came.");
  assert_call (self, "twice", bad, 1, "The executable has no function twice; it has main, forever, missing, closure, casts.");
  assert_call (self, "forever", &one, 1, "forever: more than 1000 calls are nested.");
  g_assert_cmpint (one->refs, ==, 1);
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (LsVMValue) result = ls_vm_call (self->vm, "missing", &one, 1, &error);

    g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND);
    g_assert_nonnull (strstr (error->message, "test.is_not_there"));
    g_assert_null (result);
  }
}

static void
test_profile (Fixture      *self,
              gconstpointer data)
{
  g_autoptr (LsVMValue) x = tensor (3);
  g_autoptr (LsVMValue) y = tensor (6);
  g_autoptr (LsVMValue) yes = truth (TRUE);
  LsVMValue *args[] = { x, y, yes };
  g_autoptr (GArray) rows = NULL;

  ls_vm_set_profile (self->vm, TRUE);
  assert_call (self, "main", args, 3, "[4., 8., 12.]; shape (4,); [6., 5., 4., 3., 2., 1.]");
  rows = ls_vm_get_profile (self->vm);
  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpstr (g_array_index (rows, LsVMProfile, 0).name, ==, "double");
  g_assert_cmpint (g_array_index (rows, LsVMProfile, 0).calls, ==, 2);
  g_assert_cmpint (g_array_index (rows, LsVMProfile, 0).bytes, ==, 2 * 2 * 3 * 4);
}

/* Whatever the bytes say, loading ends with an error or an executable that can be asked. */
static void
test_damaged (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsVMExecutable) built = build (PROGRAM, &error);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree guint8 *copy = NULL;
  gsize n;
  guint refused = 0;

  g_assert_no_error (error);
  g_clear_pointer (&built->code, g_bytes_unref);
  bytes = ls_vm_executable_save (built);
  copy = g_memdup2 (g_bytes_get_data (bytes, &n), g_bytes_get_size (bytes));
  for (guint i = 0; i < 4 * n; i++)
    {
      guint at = (guint) (ls_random_bits (1, i) % n);
      guint8 old = copy[at];
      g_autoptr (GBytes) part = NULL;
      LsVMExecutable *executable;

      copy[at] = (guint8) ls_random_bits (2, i);
      part = g_bytes_new (copy, i % 3 == 0 ? at : n);
      executable = ls_vm_executable_load (part, NULL);
      refused += executable == NULL;
      if (executable != NULL)
        {
          g_autofree char *text = ls_vm_executable_print (executable);
          LsVM *vm = ls_vm_new (executable, NULL, NULL, NULL);

          g_assert_null (vm);
        }
      ls_vm_executable_unref (executable);
      copy[at] = old;
    }
  g_assert_cmpuint (refused, >, n);
}

static void
assert_not_built (const char *body,
                  const char *expected)
{
  g_autofree char *text = g_strconcat ("from tvm.script import ir as I, tir as T, relax as R\n@I.ir_module\nclass M:\n    @R.function\n"
                                       "    def main(x: R.Tensor((4,), \"float32\")):\n", body, NULL);
  g_autoptr (GError) error = NULL;
  LsVMExecutable *built = build (text, &error);

  g_assert_null (built);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_not_built (void)
{
  assert_not_built ("        y = R.exp(x)\n        return y\n", "main, at y: the operator R.exp has no code: LegalizeOps left it as it is.");
  assert_not_built ("        y = R.call_dps_packed(\"f\", (x,), out_sinfo=R.Tensor(\"float32\", ndim=1))\n        return y\n",
                    "main, at y: the result of a call has no shape or no dtype, so that it cannot be allocated.");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/codegen/vm/calls", Fixture, NULL, set_up, test_calls, tear_down);
  g_test_add ("/codegen/vm/refusals", Fixture, NULL, set_up, test_refusals, tear_down);
  g_test_add ("/codegen/vm/profile", Fixture, NULL, set_up, test_profile, tear_down);
  g_test_add_func ("/codegen/vm/damaged", test_damaged);
  g_test_add_func ("/codegen/vm/not-built", test_not_built);
  return g_test_run ();
}
