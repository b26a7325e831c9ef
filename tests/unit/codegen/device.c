/* Kernels through LLVM: PTX and AMD's assembly of the samples have the instructions that their programs ask for, the vendors' (or LLVM's) assembler
 * takes them where there is one, and what has no form is refused by name. */
#include "engine/codegen/codegen.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#define ROW_SUM \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(X: T.Buffer((4, 256), \"float32\"), Y: T.Buffer((4,), \"float32\")):\n" \
  "    T.func_attr({\"tir.noalias\": True})\n    for i, k in T.grid(4, 256):\n        with T.block(\"S\"):\n            vi, vk = T.axis.remap(\"SR\", [i, k])\n" \
  "            with T.init():\n                Y[vi] = T.float32(0)\n            Y[vi] = Y[vi] + X[vi, vk]\n"
#define ROW_SUM_STEPS(threads) \
  "i, k = sch.get_loops(sch.get_block(\"S\"))\nsch.bind(i, \"blockIdx.x\")\nk0, k1 = sch.split(k, factors=[None, " threads "])\nsch.bind(k1, \"threadIdx.x\")\n"

static LsPrimFunc *
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
  return ls_ref (ls_array_at (ls_schedule_get_module (schedule)->functions, 0, LsPrimFunc));
}

static LsPrimFunc *
read_sample (const char *name)
{
  g_autofree char *file = g_strdup_printf ("../data/samples/gpu/%s.py", name), *more = g_strdup_printf ("../data/samples/gpu/%s_steps.py", name);
  g_autofree char *program = ls_test_read (file, NULL), *steps = ls_test_read (more, NULL);

  return read_program (program, steps);
}

static LsObject *
kernels_of (LsPrimFunc *func,
            const char *target_text,
            GError    **error)
{
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse (target_text, error);
  g_autoptr (LsPrimFunc) lowered = target != NULL ? ls_lower_device (func, target, NULL, NULL, error) : NULL;

  return lowered != NULL ? ls_codegen_kernels ("main", lowered, target, error) : NULL;
}

/* Does the assembler, where there is one, take the text? */
static void
assemble (const char *text,
          gboolean    nvidia,
          const char *arch)
{
  g_autofree char *tool = g_find_program_in_path (nvidia ? "ptxas" : "llvm-mc-19");
  g_autofree char *which = g_strdup_printf (nvidia ? "-arch=%s" : "-mcpu=%s", arch);
  g_autofree char *file = g_build_filename (g_get_tmp_dir (), "loopscope-kernel-XXXXXX", NULL), *said = NULL;
  const char *ptxas[] = { tool, which, "-o", "/dev/null", file, NULL }, *mc[] = { tool, "-triple=amdgcn-amd-amdhsa", which, "-filetype=obj", "-o", "/dev/null", file, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  if (tool == NULL || (nvidia && strcmp (arch, "sm_70") == 0))          /* left out by CUDA 13 */
    return;
  g_close (g_mkstemp (file), NULL);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  g_spawn_sync (NULL, (char **) (nvidia ? ptxas : mc), NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &said, &status, &error);
  g_assert_no_error (error);
  g_unlink (file);
  if (status != 0)
    g_error ("%s: %s\n%s", tool, said, text);
  g_test_message ("%s takes the text for %s", tool, arch);
}

static void
has (const char *text,
     const char *pattern,
     gboolean    wanted)
{
  if (g_regex_match_simple (pattern, text, G_REGEX_MULTILINE, 0) != wanted)
    g_error ("%s is%s in:\n%s", pattern, wanted ? " not" : "", text);
}

/* What the text has to say of a kernel: how many threads, has it shared memory and barriers. */
typedef struct {
  const char *name;
  int         threads;
  gboolean    shared;
} Case;

static const Case CASES[] = {
  { "vector_add", 128, FALSE }, { "window_sum", 128, TRUE }, { "matmul", 64, FALSE }, { "matmul_shared", 64, TRUE },
  { "transpose", 256, TRUE }, { "softmax", 128, TRUE },
};

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (LsPrimFunc) func = read_sample (c->name);
  static const char *const ARCHS[] = { "sm_70", "sm_80", "sm_90", "gfx900", "gfx90a" };

  for (guint i = 0; i < G_N_ELEMENTS (ARCHS); i++)
    {
      gboolean nvidia = g_str_has_prefix (ARCHS[i], "sm_");
      g_autofree char *target = g_strdup_printf (nvidia ? "cuda -arch=%s" : "rocm -mcpu=%s", ARCHS[i]);
      g_autofree char *arch = g_strdup_printf (nvidia ? "^\\.target %s$" : "\\.amdgcn_target \"amdgcn-amd-amdhsa--%s", ARCHS[i]);
      g_autofree char *threads = g_strdup_printf (nvidia ? "\\.maxntid %d" : "\\.max_flat_workgroup_size: %d", c->threads);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsObject) object = NULL;

      object = kernels_of (func, target, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (object->functions[0], ==, "main_kernel");
      has (object->assembly, arch, TRUE);
      has (object->assembly, threads, TRUE);
      has (object->assembly, nvidia ? "^\\.visible \\.entry main_kernel" : "\\.amdhsa_kernel main_kernel", TRUE);
      has (object->assembly, nvidia ? "ld\\.global" : "global_load", TRUE);
      has (object->assembly, nvidia ? "st\\.global" : "global_store", TRUE);
      has (object->assembly, nvidia ? "bar\\.sync\\s+0;" : "s_barrier", c->shared && (nvidia || c->threads > 64));      /* one wavefront needs none */
      has (object->assembly, nvidia ? "ld\\.shared" : "ds_read", c->shared);
      has (object->assembly, nvidia ? "st\\.shared" : "ds_write", c->shared);
      has (object->ir, nvidia ? "define ptx_kernel void @main_kernel" : "define amdgpu_kernel void @main_kernel", TRUE);
      assemble (object->assembly, nvidia, ARCHS[i]);
    }
}

/* Tensor cores: the product of data/samples/gpu/history/matmul_f16, as each step has it. */
static void
test_tensor_cores (void)
{
  static const struct { const char *step, *arch, *patterns[5]; } STEPS[] = {
    { "2_wmma", "sm_70", { "wmma\\.load\\.a\\.sync\\.aligned\\.row\\.m16n16k16\\.f16 \\{(%r[0-9]+, ){7}", "wmma\\.load\\.b\\.sync\\.aligned\\.row\\.m16n16k16\\.f16",
                             "wmma\\.mma\\.sync\\.aligned\\.row\\.row\\.m16n16k16\\.f32\\.f32 \\{(%f[0-9]+, ){7}", "wmma\\.store\\.d\\.sync\\.aligned\\.row\\.m16n16k16\\.f32 \\[%rd",
                             "bar\\.sync" } },
    { "2_wmma", "sm_90", { "wmma\\.mma\\.sync" } },
    { "3_mma", "sm_80", { "ldmatrix\\.sync\\.aligned\\.m8n8\\.x4\\.shared\\.b16", "ldmatrix\\.sync\\.aligned\\.m8n8\\.x4\\.trans\\.shared\\.b16",
                            "mma\\.sync\\.aligned\\.m16n8k16\\.row\\.col\\.f32\\.f16\\.f16\\.f32 \\{(%f[0-9]+, ){3}%f[0-9]+\\}, \\{(%r[0-9]+, ){3}%r[0-9]+\\}, \\{%r[0-9]+, %r[0-9]+\\}" } },
    { "3_mma", "sm_90", { "mma\\.sync\\.aligned\\.m16n8k16" } },
    { "4_async", "sm_80", { "cp\\.async\\.cg\\.shared\\.global \\[p\\], \\[q\\], 16;", "cp\\.async\\.commit_group;", "cp\\.async\\.wait_group 1;", "mma\\.sync" } },
    { "4_async", "sm_90", { "cp\\.async\\.wait_group 0;" } },
    { "3_mma", "sm_70", { NULL } },
  };
  g_autofree char *program = ls_test_read ("../data/samples/gpu/history/matmul_f16/program.py", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (STEPS); i++)
    {
      g_autofree char *file = g_strdup_printf ("../data/samples/gpu/history/matmul_f16/%s.py", STEPS[i].step), *steps = ls_test_read (file, NULL);
      g_autofree char *target = g_strdup_printf ("cuda -arch=%s", STEPS[i].arch);
      g_autoptr (LsPrimFunc) func = read_program (program, steps);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsObject) object = kernels_of (func, target, &error);

      if (STEPS[i].patterns[0] == NULL)
        {
          g_assert_null (object);
          g_assert_nonnull (strstr (error->message, "NVIDIA's devices have this instruction from sm_75 on; the target is sm_70."));
          continue;
        }
      g_assert_no_error (error);
      for (guint k = 0; k < G_N_ELEMENTS (STEPS[i].patterns) && STEPS[i].patterns[k] != NULL; k++)
        has (object->assembly, STEPS[i].patterns[k], TRUE);
      has (object->assembly, "\\.local \\.align", FALSE);      /* fragments are registers */
      assemble (object->assembly, TRUE, STEPS[i].arch);
    }
}

static void
test_shuffles (void)
{
  g_autoptr (LsPrimFunc) func = read_program (ROW_SUM, ROW_SUM_STEPS ("32"));
  g_autoptr (LsPrimFunc) wide = read_program (ROW_SUM, ROW_SUM_STEPS ("64"));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) ptx = kernels_of (func, "cuda -arch=sm_80", &error);
  g_autoptr (LsObject) again = NULL;
  g_autoptr (LsObject) amd = kernels_of (wide, "rocm -mcpu=gfx90a", &error);

  g_assert_no_error (error);
  has (ptx->assembly, "activemask\\.b32", TRUE);
  has (ptx->assembly, "shfl\\.sync\\.down\\.b32.*, 16, 31, ", TRUE);
  has (ptx->assembly, "shfl\\.sync\\.idx\\.b32.*, 0, 31, ", TRUE);
  assemble (ptx->assembly, TRUE, "sm_80");
  has (amd->assembly, "ds_bpermute_b32|dpp|ds_swizzle", TRUE);
  assemble (amd->assembly, FALSE, "gfx90a");
  again = kernels_of (func, "cuda -arch=sm_80", &error);
  ls_assert_same_text (again->assembly, ptx->assembly);
}

/* An index that is data is not compared on a device; the simulator does that. */
static void
test_indices_of_data (void)
{
  g_autoptr (LsPrimFunc) func = read_program ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64,), \"float32\"), N: T.Buffer((64,), \"int32\"), "
                                              "C: T.Buffer((64,), \"float32\")):\n    for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n"
                                              "        with T.block(\"C\"):\n            v = T.axis.spatial(64, t)\n            C[v] = A[N[v]]\n", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) ptx = kernels_of (func, "cuda -arch=sm_80", &error);
  g_autoptr (LsObject) amd = ptx != NULL ? kernels_of (func, "rocm -mcpu=gfx90a", &error) : NULL;

  g_assert_no_error (error);
  has (ptx->assembly, "ld\\.global\\.(nc\\.)?[usb]32", TRUE);
  has (ptx->assembly, "ls_abi", FALSE);
  assemble (ptx->assembly, TRUE, "sm_80");
  assemble (amd->assembly, FALSE, "gfx90a");
}

/* More shared memory than an assembler takes of a fixed size: two buffers of which one lies where the other was, sized by the launch. */
#define TWO_BUFFERS(scope) \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((16384,), \"float32\"), B: T.Buffer((16384,), \"float32\")):\n" \
  "    for t in T.thread_binding(128, thread=\"threadIdx.x\"):\n        with T.block(\"all\"):\n" \
  "            S = T.alloc_buffer((16384,), scope=\"" scope "\")\n            R = T.alloc_buffer((16384,), scope=\"" scope "\")\n" \
  "            for i in range(128):\n                with T.block(\"S\"):\n                    S[i * 128 + t] = A[i * 128 + t]\n" \
  "            for i in range(128):\n                with T.block(\"B\"):\n                    B[i * 128 + t] = S[i * 128 + 127 - t]\n" \
  "            for i in range(128):\n                with T.block(\"R\"):\n                    R[i * 128 + t] = B[i * 128 + t]\n" \
  "            for i in range(128):\n                with T.block(\"C\"):\n                    A[i * 128 + t] = R[i * 128 + 127 - t]\n"

static void refused (LsPrimFunc *func, const char *target, const char *says);

static void
test_dynamic_shared (void)
{
  g_autoptr (LsPrimFunc) dynamic = read_program (TWO_BUFFERS ("shared.dyn"), ""), fixed = read_program (TWO_BUFFERS ("shared"), "");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) ptx = kernels_of (dynamic, "nvidia/nvidia-a100", &error);
  g_autoptr (LsObject) amd = ptx != NULL ? kernels_of (dynamic, "rocm -mcpu=gfx90a", &error) : NULL;

  g_assert_no_error (error);
  has (ptx->assembly, "^\\.extern \\.shared .*buf_dyn_shmem\\[\\];", TRUE);
  assemble (ptx->assembly, TRUE, "sm_80");
  assemble (amd->assembly, FALSE, "gfx90a");
  refused (fixed, "nvidia/nvidia-a100", "main_kernel has 131072 bytes of memory of the scope \"shared\" in a block; NVIDIA's assembler takes at most 49152");
}

/* The number behind this word of the assembly. */
static guint
number_behind (const char *assembly,
               const char *word)
{
  const char *at = strstr (assembly, word);

  g_assert_nonnull (at);
  return (guint) g_ascii_strtoull (at + strlen (word), NULL, 10);
}

/* The descriptor in the object file counts what the assembly says in plain numbers; no kernel, and a file cut anywhere, have none. */
static void
test_amd_descriptor (void)
{
  static const struct { const char *sample, *target; guint lanes, counted; gint64 shared; } ALL[] = {
    { "softmax", "rocm", 64, 4, 0 }, { "softmax", "rocm -mcpu=gfx90a", 64, 8, 0 }, { "transpose", "rocm -mcpu=gfx1030", 32, 8, 4224 }, { "matmul_shared", "rocm", 64, 4, 2048 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ALL); i++)
    {
      g_autoptr (LsPrimFunc) func = read_sample (ALL[i].sample);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsObject) object = kernels_of (func, ALL[i].target, &error);
      LsAmdKernel found;
      guint used;
      gsize size;

      g_assert_no_error (error);
      used = number_behind (object->assembly, ".vgpr_count:");
      g_assert_true (ls_amd_kernel_read (object->code, "main_kernel", &found));
      g_assert_cmpuint (found.lanes, ==, ALL[i].lanes);
      g_assert_cmpuint (found.vector_units, ==, (used + ALL[i].counted - 1) / ALL[i].counted);
      g_assert_cmpint (found.shared_bytes, ==, number_behind (object->assembly, ".group_segment_fixed_size:"));
      if (ALL[i].shared > 0)
        g_assert_cmpint (found.shared_bytes, ==, ALL[i].shared);
      g_assert_false (ls_amd_kernel_read (object->code, "other_kernel", &found));
      size = g_bytes_get_size (object->code);
      for (gsize cut = 0; cut < size; cut += 61)
        {
          g_autofree char *part = g_memdup2 (g_bytes_get_data (object->code, NULL), cut);
          g_autoptr (GBytes) bytes = g_bytes_new (part, cut);

          ls_amd_kernel_read (bytes, "main_kernel", &found);
        }
    }
}

static void
refused (LsPrimFunc *func,
         const char *target,
         const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) object = kernels_of (func, target, &error);

  g_assert_null (object);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in: %s", says, error->message);
}

static void
test_refusals (void)
{
  g_autoptr (LsPrimFunc) tangent = read_program ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((8,), \"float32\")):\n"
                                                 "    for t in T.thread_binding(8, thread=\"threadIdx.x\"):\n        A[t] = T.tan(A[t])\n", "");
  g_autoptr (LsPrimFunc) add = read_sample ("vector_add");
  g_autoptr (LsPrimFunc) plain = read_program (ROW_SUM, "");
  g_autoptr (LsPrimFunc) parallel = read_program ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((8, 4), \"float32\")):\n"
                                                  "    for t in T.thread_binding(8, thread=\"threadIdx.x\"):\n        for j in T.parallel(4):\n            A[t, j] = A[t, j] + T.float32(1)\n", "");

  refused (tangent, "cuda -arch=sm_80", "The kernel needs tanf, a function that the device does not have through LLVM");
  refused (add, "opencl", "For opencl no assembly is made here");
  refused (add, "cuda -arch=sm_x", "\"sm_x\" is no architecture; sm_80 is one.");
  refused (add, "cuda -arch=sm_20", "too old");
  refused (add, "rocm -mcpu=sm_80", "\"sm_80\" is no architecture; gfx90a is one.");
  refused (plain, "cuda", "loop that is bound to threads");
  refused (parallel, "cuda", "Loop j in a kernel is parallel");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *path = g_strconcat ("/codegen/device/", CASES[i].name, NULL);

      g_test_add_data_func (path, &CASES[i], test_case);
    }
  g_test_add_func ("/codegen/device/tensor cores", test_tensor_cores);
  g_test_add_func ("/codegen/device/shuffles", test_shuffles);
  g_test_add_func ("/codegen/device/indices of data", test_indices_of_data);
  g_test_add_func ("/codegen/device/dynamic shared memory", test_dynamic_shared);
  g_test_add_func ("/codegen/device/descriptor of AMD's", test_amd_descriptor);
  g_test_add_func ("/codegen/device/refusals", test_refusals);
  return g_test_run ();
}
