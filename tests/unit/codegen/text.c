/* Programs as text of other languages: C11 that a strict compiler takes and that computes what the interpreter computes; CUDA C that clang takes where
 * there is a clang; which line comes from which. */
#include "engine/codegen/c/text.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <gmodule.h>
#include <math.h>
#include <string.h>

static LsModule *
read_program (const char *program,
              const char *steps)
{
  LsSource *source = ls_source_new ("program", program, -1);     /* lives on: lines are asked for */
  g_autoptr (LsSource) text = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;

  if (module == NULL || ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, text, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  return ls_ref (ls_schedule_get_module (schedule));
}

static char *
sample (const char *name,
        const char *ending)
{
  g_autofree char *path = g_strconcat ("../data/samples/", name, ending, NULL);

  return ls_test_read (path, NULL);
}

/* Runs a compiler on a text; what it said is printed when it fails. */
static void
compile (const char *const *argv)
{
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &said, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s", said);
}

static char *
folder (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("ls-text-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

/* ---- C ------------------------------------------------------------------------------------ */

#define DATA \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((64,), \"int32\"), B: T.Buffer((64,), \"int8\"), C: T.Buffer((64,), \"int32\"), D: T.Buffer((64,), \"int8\")):\n" \
  "    T.func_attr({\"tir.noalias\": True})\n" \
  "    for i in range(64):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(64, i)\n" \
  "            C[vi] = A[vi] * 1664525 + 1013904223 + (A[vi] // 7) * 3 - A[vi] % 5\n" \
  "    for i in range(64):\n        with T.block(\"d\"):\n            vi = T.axis.spatial(64, i)\n" \
  "            D[vi] = T.max(B[vi] * B[vi] + T.int8(3), T.shift_right(B[vi], T.int8(2)))\n"

#define FLOATS \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((8, 16), \"float32\"), B: T.Buffer((8, 16), \"float64\"), C: T.Buffer((8, 16), \"float32\"), D: T.Buffer((8, 16), \"bool\")):\n" \
  "    T.func_attr({\"tir.noalias\": True})\n" \
  "    for i, j in T.grid(8, 16):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "            C[vi, vj] = T.if_then_else(vj > 0 and vi < 7, A[vi, T.max(vj - 1, 0)], T.float32(-1.5)) + T.exp(A[vi, vj]) * T.sigmoid(A[vi, vj]) + T.Cast(\"float32\", T.sqrt(T.fabs(B[vi, vj])))\n" \
  "    for i, j in T.grid(8, 16):\n        with T.block(\"d\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "            D[vi, vj] = A[vi, vj] < T.float32(0) or not vj < 3 and vi == 2\n"

/* Each operation of float16 is rounded: C keeps more of it where it can. */
#define HALVES \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((8, 16), \"float16\"), B: T.Buffer((8, 16), \"float64\"), C: T.Buffer((8, 16), \"float16\"), D: T.Buffer((8,), \"float16\")):\n" \
  "    T.func_attr({\"tir.noalias\": True})\n" \
  "    for i, j in T.grid(8, 16):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "            C[vi, vj] = T.if_then_else(A[vi, vj] < T.float16(0.1), A[vi, T.max(vj - 1, 0)] / T.float16(3), T.float16(-1.5)) + T.sqrt(T.fabs(A[vi, vj])) * T.Cast(\"float16\", vi * 300 + vj)" \
  " - T.Cast(\"float16\", B[vi, vj]) * A[vi, vj] * T.float16(1.1)\n" \
  "    for i, j in T.grid(8, 16):\n        with T.block(\"d\"):\n            vi, vj = T.axis.remap(\"SR\", [i, j])\n" \
  "            with T.init():\n                D[vi] = T.float16(0)\n            D[vi] = D[vi] + T.max(C[vi, vj] * A[vi, vj], T.float16(-2))\n"

static const struct { const char *name, *program, *steps; } C_CASES[] = {
  { "integers", DATA, "" },
  { "integers-vectors", DATA, "b = sch.get_block(\"b\")\ni, = sch.get_loops(b)\ni0, i1 = sch.split(i, factors=[None, 4])\nsch.vectorize(i1)\n" },
  { "floats", FLOATS, "" },
  { "floats-vectors", FLOATS, "b = sch.get_block(\"b\")\ni, j = sch.get_loops(b)\nsch.vectorize(j)\n" },
  { "halves", HALVES, "" },
  { "halves-vectors", HALVES, "b = sch.get_block(\"b\")\ni, j = sch.get_loops(b)\nsch.vectorize(j)\n" },
  { "mm_relu", NULL, "" },
  { "mm_relu-steps", NULL, NULL },
};

typedef void (*Compiled) (void *, void *, void *, void *);

static void
same_bytes (GPtrArray  *expected,
            GPtrArray  *actual)
{
  for (guint i = 0; i < expected->len; i++)
    {
      LsNDArray *x = expected->pdata[i], *y = actual->pdata[i];
      gint64 n = 1;

      for (int d = 0; d < x->tensor.ndim; d++)
        n *= x->tensor.shape[d];
      for (gint64 k = 0; k < n; k++)
        {
          gsize bytes = x->tensor.dtype.bits / 8;
          const char *p = (char *) x->tensor.data + (gsize) k * bytes, *q = (char *) y->tensor.data + (gsize) k * bytes;
          gboolean is_float = x->tensor.dtype.code == 2 && bytes == 4;

          if (is_float ? !(fabs (*(float *) p - *(float *) q) <= 2e-6 * MAX (1, fabs (*(float *) p))) : memcmp (p, q, bytes) != 0)
            g_error ("array %u, element %" G_GINT64_FORMAT " differs", i, k);
        }
    }
}

static void
test_c (gconstpointer data)
{
  guint at = GPOINTER_TO_UINT (data);
  g_autofree char *own = C_CASES[at].program == NULL ? sample ("mm_relu", ".py") : g_strdup (C_CASES[at].program);
  g_autofree char *steps = C_CASES[at].steps == NULL ? sample ("mm_relu", "_steps.py") : g_strdup (C_CASES[at].steps);
  g_autoptr (LsModule) plain = read_program (own, "");
  g_autoptr (LsModule) scheduled = read_program (own, steps);
  LsPrimFunc *func = ls_array_at (plain->functions, 0, LsPrimFunc);
  g_autoptr (GPtrArray) expected = ls_test_arrays (func, 3);
  g_autoptr (GPtrArray) actual = ls_test_arrays (func, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (scheduled, NULL, NULL, &error);
  g_autoptr (LsDeviceText) text = lowered != NULL ? ls_c_text_new (lowered, &error) : NULL;
  g_autofree char *dir = folder (), *source = g_build_filename (dir, "f.c", NULL), *library = g_build_filename (dir, "f.so", NULL);
  const char *argv[] = { "cc", "-std=c11", "-Wall", "-Werror", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-o", library, source, "-lm", NULL };
  GModule *loaded;
  gpointer symbol;
  void *arrays[4] = { NULL };

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (source, text->text, -1, &error));
  compile (argv);
  loaded = g_module_open (library, G_MODULE_BIND_LOCAL);
  g_assert_nonnull (loaded);
  g_assert_true (g_module_symbol (loaded, text->functions[0], &symbol));
  ls_test_interpret (NULL, func, expected, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < actual->len; i++)
    arrays[i] = ((LsNDArray *) actual->pdata[i])->tensor.data;
  ((Compiled) symbol) (arrays[0], arrays[1], arrays[2], arrays[3]);
  same_bytes (expected, actual);
  g_module_close (loaded);
  g_unlink (source);
  g_unlink (library);
  g_rmdir (dir);
}

/* ---- devices -------------------------------------------------------------------------------- */

static const char *const KERNELS[] = { "vector_add", "window_sum", "matmul", "matmul_shared", "softmax", "transpose" };

/* Steps with tensor cores, of one program. */
static const char *const TENSOR_CORES[] = { "2_wmma", "3_mma", "4_async" };

static LsDeviceText *
kernel_text (const char *name,
             const char *target_text)
{
  gboolean tensor_cores = g_ascii_isdigit (*name);
  g_autofree char *file = tensor_cores ? g_strdup ("gpu/history/matmul_f16/program") : g_strconcat ("gpu/", name, NULL);
  g_autofree char *steps_file = g_strconcat (tensor_cores ? "gpu/history/matmul_f16/" : "gpu/", name, tensor_cores ? "" : "_steps", NULL);
  g_autofree char *program = sample (file, ".py"), *steps = sample (steps_file, ".py");
  g_autoptr (LsModule) module = read_program (program, steps);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse (target_text, &error);
  g_autoptr (LsPrimFunc) lowered = ls_lower_device (ls_array_at (module->functions, 0, LsPrimFunc), target, NULL, NULL, &error);
  LsDeviceText *text = lowered != NULL ? ls_device_text_new ("main", lowered, target, &error) : NULL;

  g_assert_no_error (error);
  return text;
}

/* What clang needs to know of CUDA to read a kernel: types of the axes and the functions that the text calls. tests/data/cuda has the headers. */
static void
take_cuda (const char *clang,
           const char *source,
           const char *kernel,
           const char *arch)
{
  g_autoptr (LsDeviceText) text = kernel_text (kernel, g_ascii_isdigit (*kernel) ? "cuda -arch=sm_80" : "cuda");
  g_autofree char *gpu = g_strconcat ("--cuda-gpu-arch=", arch, NULL);
  g_autofree char *headers = g_test_build_filename (G_TEST_DIST, "data", "cuda", NULL), *include = g_strconcat ("-I", headers, NULL);
  const char *argv[] = { clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", gpu, "-Wall", "-Werror", "-Wno-unknown-cuda-version",
                         "-fsyntax-only", include, "-include", "device.h", source, NULL };

  g_assert_true (g_file_set_contents (source, text->text, -1, NULL));
  g_assert_cmpstr (text->functions[0], ==, "main_kernel");
  compile (argv);
}

/* Debian's version that LLVM is here, else any. (transfer full) */
static char *
find_clang (void)
{
  char *clang = g_find_program_in_path ("clang-19");

  return clang != NULL ? clang : g_find_program_in_path ("clang");
}

static void
test_cuda (void)
{
  g_autofree char *clang = find_clang ();
  g_autofree char *dir = NULL;
  g_autofree char *source = NULL;

  if (clang == NULL)
    {
      g_test_skip ("there is no clang to read CUDA C");
      return;
    }
  dir = folder ();
  source = g_build_filename (dir, "k.cu", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (KERNELS); i++)
    take_cuda (clang, source, KERNELS[i], "sm_70");
  for (guint i = 0; i < G_N_ELEMENTS (TENSOR_CORES); i++)
    take_cuda (clang, source, TENSOR_CORES[i], "sm_80");
  g_unlink (source);
  g_rmdir (dir);
}

/* What the text says of tensor cores. */
static void
test_tensor_cores (void)
{
  static const struct { const char *step, *says; } PARTS[] = {
    { "2_wmma", "#include <mma.h>\n" }, { "2_wmma", "nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> B_shared_wmma_matrix_b[1];" },
    { "2_wmma", "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> C_wmma_accumulator[1];" },
    { "2_wmma", "nvcuda::wmma::mma_sync(C_wmma_accumulator[0], A_shared_wmma_matrix_a[0], B_shared_wmma_matrix_b[0], C_wmma_accumulator[0]);" },
    { "2_wmma", "nvcuda::wmma::mem_row_major);" }, { "2_wmma", "__shared__ __align__(32) half A_shared" }, { "2_wmma", "*(uint2 *)&A_shared" },
    { "3_mma", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16" }, { "3_mma", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" }, { "3_mma", "*(uint4 *)&A_shared" },
    { "4_async", "cp.async.cg.shared.global [p], [q], 16; }\" :: \"l\"(" }, { "4_async", "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");" },
    { "4_async", "asm volatile(\"cp.async.wait_group 1;\" ::: \"memory\");" }, { "4_async", "asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (PARTS); i++)
    {
      g_autoptr (LsDeviceText) text = kernel_text (PARTS[i].step, "cuda -arch=sm_80");

      if (strstr (text->text, PARTS[i].says) == NULL)
        g_error ("\"%s\" is not in: %s", PARTS[i].says, text->text);
    }
}

static void
test_opencl (void)
{
  g_autofree char *clang = find_clang ();
  g_autofree char *dir = NULL;
  g_autofree char *source = NULL;

  if (clang == NULL)
    {
      g_test_skip ("there is no clang to read OpenCL C");
      return;
    }
  dir = folder ();
  source = g_build_filename (dir, "k.cl", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (KERNELS); i++)
    {
      g_autoptr (LsDeviceText) text = kernel_text (KERNELS[i], "opencl -max_threads_per_block=1024");
      const char *argv[] = { clang, "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-Wall", "-Werror", "-fsyntax-only", source, NULL };

      g_assert_true (g_file_set_contents (source, text->text, -1, NULL));
      compile (argv);
    }
  g_unlink (source);
  g_rmdir (dir);
}

/* Metal is C++; what clang lacks of it stands here: address spaces as words that say nothing, shared memory as static. */
static const char METAL[] =
  "#include <cmath>\n#define kernel\n#define device\n#define constant const\n#define threadgroup static\n"
  "typedef unsigned int uint;\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\ntypedef unsigned long ulong;\n"
  "struct uint3 { uint x, y, z; };\nnamespace metal {\nusing std::exp;\nenum class mem_flags { mem_threadgroup };\nvoid threadgroup_barrier (mem_flags);\n"
  "template <typename T> T simd_shuffle_down (T, uint);\ntemplate <typename T> T simd_shuffle (T, uint);\n}\n";

static void
test_metal (void)
{
  static const char *const HEAD = "#include <metal_stdlib>\nusing namespace metal;\n";
  g_autofree char *clang = find_clang (), *dir = folder (), *source = g_build_filename (dir, "k.cpp", NULL), *header = g_build_filename (dir, "metal_stdlib", NULL);
  g_autoptr (LsDeviceText) sum = kernel_text ("window_sum", "metal"), product = kernel_text ("matmul_shared", "metal");

  g_assert_true (g_str_has_prefix (sum->text, HEAD));
  g_assert_nonnull (strstr (sum->text, "kernel void main_kernel(device const float * A [[ buffer(0) ]], device float * B [[ buffer(1) ]], "
                            "uint3 blockIdx [[threadgroup_position_in_grid]], uint3 threadIdx [[thread_position_in_threadgroup]])"));
  g_assert_nonnull (strstr (sum->text, "  threadgroup float A_shared[130];\n"));
  g_assert_nonnull (strstr (product->text, "threadgroup_barrier(mem_flags::mem_threadgroup);\n"));
  g_assert_true (g_file_set_contents (header, METAL, -1, NULL));
  for (guint i = 0; clang != NULL && i < G_N_ELEMENTS (KERNELS); i++)
    {
      g_autoptr (LsDeviceText) text = kernel_text (KERNELS[i], "metal");
      const char *argv[] = { clang, "-x", "c++", "-std=c++17", "-Wall", "-Wno-unknown-attributes", "-Werror", "-fsyntax-only", "-I", dir, source, NULL };

      g_assert_true (g_file_set_contents (source, text->text, -1, NULL));
      compile (argv);
    }
  g_unlink (source);
  g_unlink (header);
  g_rmdir (dir);
}

/* Each line has a number, and the line of an assignment is that of the statement that it comes from. */
static void
test_lines (void)
{
  g_autoptr (LsDeviceText) text = kernel_text ("vector_add", "cuda");
  g_auto (GStrv) lines = g_strsplit (text->text, "\n", -1);
  gboolean seen = FALSE;

  g_assert_cmpuint (text->lines->len + 1, ==, g_strv_length (lines));
  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "C[") != NULL && strstr (lines[i], "] = ") != NULL)
      {
        seen = TRUE;
        g_assert_cmpuint (g_array_index (text->lines, guint, i), ==, 12);      /* C[vi] = A[vi] + B[vi] */
      }
  g_assert_true (seen);
}

static void
test_refusals (void)
{
  g_autoptr (LsModule) module = read_program ("from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((8,), \"bfloat16\"), B: T.Buffer((8,), \"bfloat16\")):\n"
                                              "    for i in range(8):\n        B[i] = A[i]\n", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);
  g_autoptr (LsDeviceText) text = ls_c_text_new (lowered, &error);

  g_assert_null (text);
  g_assert_cmpstr (error->message, ==, "The type bfloat16 has no form in C here.");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (C_CASES); i++)
    {
      g_autofree char *path = g_strconcat ("/codegen/text/c/", C_CASES[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_c);
    }
  g_test_add_func ("/codegen/text/tensor-cores", test_tensor_cores);
  g_test_add_func ("/codegen/text/cuda", test_cuda);
  g_test_add_func ("/codegen/text/opencl", test_opencl);
  g_test_add_func ("/codegen/text/metal", test_metal);
  g_test_add_func ("/codegen/text/lines", test_lines);
  g_test_add_func ("/codegen/text/refusals", test_refusals);
  return g_test_run ();
}
