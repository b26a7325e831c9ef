/* Bundles: exported as a person does it, built with nothing but cc, run with the simulator as the driver (fake-cuda.c) and on OpenCL where it is
 * installed; what each call of the driver can fail with; and what comes back. */
#include "tests/device/compile-once.h"
#include "tests/device/nvidia-tools.h"
#include "tests/support/command.h"
#include "tests/support/support.h"

#include "engine/device/device.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include <stdlib.h>
#include <string.h>

#define CLI "app/cli/loopscope-cli"
#define SAMPLE(name) "data/samples/gpu/" name ".py --steps data/samples/gpu/" name "_steps.py"

static void
says (const char *text,
      const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text);
}

/* A folder of this name that is not there yet. (transfer full) */
static char *
fresh_folder (const char *name)
{
  g_autofree char *base = ls_test_temporary ("");
  char *folder = g_build_filename (base, name, NULL);
  const char *argv[] = { "rm", "-rf", folder, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  return folder;
}

/* (transfer full) */
static char *
export (const char *name,
        const char *arguments)
{
  char *folder = fresh_folder (name);
  g_autofree char *line = g_strdup_printf ("device export %s -o '%s'", arguments, folder);
  g_auto (LsTestRun) run = ls_test_run (CLI, line);

  if (run.status != 0)
    g_error ("%s: %s", line, run.err);
  return folder;
}

/* The driver of ours knows what the probe kernels compute, which takes it a second or two. */
static gboolean with_probes;

/* Starts `command` in the folder.  fake: what the driver of ours fails with, "" for nothing, NULL for no such driver. */
static LsTestRun
start (const char *folder,
       const char *command,
       const char *fake)
{
  g_auto (GStrv) env = g_get_environ ();
  g_autofree char *library = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "tests", "device", NULL);
  g_autofree char *probes = g_test_build_filename (G_TEST_DIST, "device", "probes", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) argv = NULL;
  LsTestRun self = { -1, NULL, NULL };
  int wait_status;

  env = g_environ_unsetenv (env, "LD_LIBRARY_PATH");
  env = g_environ_setenv (env, "CFLAGS", "-O0", TRUE);
  if (fake != NULL)
    {
      env = g_environ_setenv (env, "LD_LIBRARY_PATH", library, TRUE);
      env = g_environ_setenv (env, "LS_FAKE_CUDA", fake, TRUE);
      if (with_probes)
        env = g_environ_setenv (g_environ_setenv (env, "LS_FAKE_CUDA_PROGRAMS", probes, TRUE), "LS_FAKE_CUDA_KEEP", folder, TRUE);
      env = g_environ_unsetenv (env, "G_DEBUG");
    }
  g_assert_true (g_shell_parse_argv (command, NULL, &argv, &error));
  g_spawn_sync (folder, argv, env, G_SPAWN_DEFAULT, NULL, NULL, &self.out, &self.err, &wait_status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (wait_status));
  self.status = WEXITSTATUS (wait_status);
  return self;
}

static LsDeviceResult *
result_of (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "result.json", NULL);
  g_autoptr (GError) error = NULL;
  LsDeviceResult *result = ls_device_result_read (path, &error);

  g_assert_no_error (error);
  return result;
}

/* A text of the folder. */
static void
file_says (const char *folder,
           const char *name,
           const char *part)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  says (text, part);
}

static void
all_same (const char *folder,
          guint       n)
{
  g_autoptr (LsDeviceResult) result = result_of (folder);

  g_assert_cmpuint (result->steps->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const LsDeviceResultStep *step = result->steps->pdata[i];

      g_assert_cmpstr (step->verdict, ==, "same");
      g_assert_nonnull (step->simulated);
    }
}

/* What the two probe kernels measured is told, and is the roof over the steps. */
static void
has_peaks (LsDeviceResult  *result,
           const LsTestRun *back,
           const char      *folder)
{
  g_autofree char *line = g_strdup_printf ("roofline data/samples/gpu/transpose.py --steps data/samples/gpu/transpose_steps.py --device '%s/result.json'", folder);
  g_auto (LsTestRun) roofline = ls_test_run (CLI, line);
  g_autofree char *roof = g_strdup_printf ("%s: %.3g GFLOP/s in float32, memory %.3g GB/s\nmeasured there %s", result->device, result->peak / 1e9, result->bandwidth / 1e9, result->when);

  g_assert_cmpfloat (result->bandwidth, >, 0);
  g_assert_cmpfloat (result->peak, >, 0);
  says (back->out, "a kernel that copies moves ");
  says (back->out, "a kernel that multiplies and adds float32 does ");
  g_assert_cmpint (roofline.status, ==, 0);
  says (roofline.out, roof);
  says (roofline.out, "bytes as if each array went through memory once");
  says (roofline.out, "it only moves data");            /* the transpose computes nothing: a bandwidth is told of it */
}

/* All PTX that the driver was given, that of the probe kernels too, by NVIDIA's assembler, where it is; those are of an architecture that newer
 * ones only know as an older one than what they assemble for. */
static void
assemble (const char *folder)
{
  g_autofree char *ptxas = ls_nvidia_tool ("ptxas");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0, n_probes = 0;
  const char *name;

  if (ptxas == NULL)
    {
      g_test_message ("there is no ptxas on PATH or in /usr/local/cuda: the PTX is not assembled");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;

      if (!g_str_has_suffix (name, ".ptx"))
        continue;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (ls_nvidia_assembles (ptxas, path, "sm_80"));
      n_probes += strstr (text, "copy_kernel") != NULL || strstr (text, "peak_kernel") != NULL;
      n++;
    }
  g_assert_cmpuint (n_probes, ==, 2);
  g_assert_cmpuint (n, >, 2);
}

/* ---- with the simulator as the driver ---- */

static void
test_cuda (void)
{
  g_autofree char *folder = export ("cuda", "data/samples/gpu/transpose.py --steps data/samples/gpu/transpose_steps.py --steps tests/device/plain_steps.py"
                                    " --arch sm_70,sm_80,sm_90");
  g_auto (LsTestRun) run = (with_probes = TRUE, start (folder, "./run --seconds 0.1 --no-tools", ""));
  g_autofree char *line = g_strdup_printf ("device import '%s/result.json' --program data/samples/gpu/transpose.py --steps tests/device/plain_steps.py", folder);
  g_auto (LsTestRun) back = ls_test_run (CLI, line);
  g_autoptr (LsDeviceResult) result = NULL;
  const LsDeviceResultStep *step;

  if (run.status != 0)
    g_error ("%s%s", run.out, run.err);
  all_same (folder, 2);
  file_says (folder, "result.json", "\"core_khz\": 1980000");
  says (back.out, "core clock 1980 MHz before, 1755 MHz after");
  file_says (folder, "README", "; each element may differ by 1e-05 of the largest\n");
  file_says (folder, "result.json", "\"allowed\": 9.99");         /* 1e-5 of the largest of 16384 numbers in [-1, 1) */
  result = result_of (folder);
  g_assert_cmpstr (result->device, ==, "simulated threads, no GPU");
  step = result->steps->pdata[1];
  g_assert_cmpuint (step->time.n, >, 0);
  g_assert_cmpuint (step->flushed.n, >, 0);
  g_assert_true (step->flushed.flushed && !step->time.flushed);
  g_assert_cmpint (back.status, ==, 0);
  says (back.out, "transpose.py on simulated threads, no GPU, a GPU (cuda)");
  says (back.out, "memcheck did not run: it was not asked for (--no-tools)");
  has_peaks (result, &back, folder);
  with_probes = FALSE;
  assemble (folder);
}

/* A function of two kernels with memory of its own between them. */
static void
test_two_kernels (void)
{
  g_autofree char *file = ls_test_write ("two.py",
    "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64,), \"int32\"), C: T.Buffer((64,), \"int32\")):\n    T.func_attr({\"tir.noalias\": True})\n"
    "    B = T.alloc_buffer((64,), \"int32\")\n"
    "    for i in range(64):\n        with T.block(\"B\"):\n            vi = T.axis.spatial(64, i)\n            B[vi] = A[vi] * 3\n"
    "    for i in range(64):\n        with T.block(\"C\"):\n            vi = T.axis.spatial(64, i)\n            C[vi] = B[63 - vi] - A[vi]\n");
  g_autofree char *steps = ls_test_write ("two_steps.py",
    "# Both loops on threads\n"
    "i, = sch.get_loops(sch.get_block(\"B\"))\ni0, i1 = sch.split(i, factors=[None, 32])\nsch.bind(i0, \"blockIdx.x\")\nsch.bind(i1, \"threadIdx.x\")\n"
    "j, = sch.get_loops(sch.get_block(\"C\"))\nj0, j1 = sch.split(j, factors=[None, 16])\nsch.bind(j0, \"blockIdx.x\")\nsch.bind(j1, \"threadIdx.x\")\n");
  g_autofree char *line = g_strdup_printf ("%s --steps %s", file, steps);
  g_autofree char *folder = export ("two", line);
  g_auto (LsTestRun) run = start (folder, "./run --once", "");

  if (run.status != 0)
    g_error ("%s%s", run.out, run.err);
  all_same (folder, 1);
  file_says (folder, "README", "; no element may differ\n");
  file_says (folder, "result.json", "\"allowed\": 0");
  {
    g_autoptr (LsDeviceResult) result = result_of (folder);

    g_assert_cmpstr (((LsDeviceResultStep *) result->steps->pdata[0])->title, ==, "Both loops on threads");
  }
}

/* A kernel that is written for threads, with barriers of its own: there is no program without threads to hold it against, which is said. */
static const char BOUND[] =
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((300,), \"int32\"), C: T.Buffer((5, 64), \"int32\")):\n    T.func_attr({\"tir.noalias\": True})\n"
  "    for b in T.thread_binding(5, thread=\"blockIdx.x\"):\n        for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n            with T.block(\"all\"):\n"
  "                S = T.alloc_buffer((64,), \"int32\", scope=\"shared\")\n                S[t] = T.if_then_else(b * 64 + t < 300, A[b * 64 + t], 7)\n"
  "                T.tvm_storage_sync(\"shared\")\n                for d in range(6):\n                    if t < T.shift_right(32, d):\n"
  "                        S[t] = S[t] + S[t + T.shift_right(32, d)]\n                    T.tvm_storage_sync(\"shared\")\n                C[b, t] = S[0] - t\n";

static void
test_bound (void)
{
  static const char *const TARGETS[] = { "cuda", "opencl" };
  g_autofree char *file = ls_test_write ("bound.py", BOUND);

  for (guint i = 0; i < G_N_ELEMENTS (TARGETS); i++)
    {
      g_autofree char *name = g_strconcat ("bound-", TARGETS[i], NULL), *folder = fresh_folder (name);
      g_autofree char *line = g_strdup_printf ("device export %s --target %s -o '%s'", file, TARGETS[i], folder);
      g_auto (LsTestRun) made = ls_test_run (CLI, line);
      g_auto (LsTestRun) run = { 0 };

      if (made.status != 0)
        g_error ("%s", made.err);
      says (made.out, "what has to come out is its own result as loops on this CPU");
      run = start (folder, "./run --once", i == 0 ? "" : NULL);
      if (run.status == 2 && i == 1)
        continue;               /* no OpenCL here */
      if (run.status != 0)
        g_error ("%s%s", run.out, run.err);
      all_same (folder, 1);
    }
}

/* Each step of a history: those before the first loop is bound have no kernel, and are left out with a word; of nothing else there is no bundle. */
static void
test_chain (void)
{
  static const char SPLIT[] = "block = sch.get_block(\"C\")\ni, = sch.get_loops(block)\ni0, i1 = sch.split(i, factors=[None, 128])\n";
  g_autofree char *program = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "samples", "gpu", "vector_add.py", NULL);
  g_autofree char *bound = g_strconcat (SPLIT, "sch.bind(i0, \"blockIdx.x\")\n", NULL);
  g_autofree char *one = ls_test_write ("1_split.py", SPLIT), *two = ls_test_write ("2_bind.py", bound);
  g_autofree char *folder = fresh_folder ("chain"), *split = g_build_filename (folder, "kernels", "1_split.cu", NULL), *kernel = g_build_filename (folder, "kernels", "2_bind.cu", NULL);
  g_autofree char *line = g_strdup_printf ("device export '%s' --steps '%s' --steps '%s' -o '%s'", program, one, two, folder);
  g_autofree char *none = g_strdup_printf ("device export '%s' --steps '%s' --steps '%s' -o '%s-none'", program, one, one, folder);
  g_auto (LsTestRun) made = ls_test_run (CLI, line), refused = ls_test_run (CLI, none);

  if (made.status != 0)
    g_error ("%s", made.err);
  says (made.err, "1_split is left out: none of its loops is bound to threads");
  g_assert_true (g_file_test (kernel, G_FILE_TEST_EXISTS) && !g_file_test (split, G_FILE_TEST_EXISTS));
  g_assert_cmpint (refused.status, ==, 1);
  says (refused.err, "no step has a loop that is bound to threads");
}

/* ---- failures ---- */

static char *small;             /* a built bundle of one small step */

static const char *
small_bundle (void)
{
  if (small == NULL)
    {
      g_auto (LsTestRun) run = { -1, NULL, NULL };

      small = export ("small", SAMPLE ("vector_add") " --arch sm_80");
      run = start (small, "./run --once --no-tools", "");
      if (run.status != 0)
        g_error ("%s%s", run.out, run.err);
    }
  return small;
}

static void
test_calls (void)
{
  static const char *const CALLS[] = {
    "cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuCtxCreate_v2", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuMemAlloc_v2", "cuMemcpyHtoD_v2",
    "cuMemcpyDtoH_v2", "cuLaunchKernel", "cuEventCreate", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime", "cuMemsetD8Async",
  };
  const char *folder = small_bundle ();

  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    {
      g_autofree char *fake = g_strdup_printf ("%s=999", CALLS[i]);
      g_auto (LsTestRun) run = start (folder, strcmp (CALLS[i], "cuMemsetD8Async") == 0 ? "build/check -o result.json --seconds 0.05" : "build/check -o result.json --once", fake);
      g_autofree char *said = g_strconcat (run.out, run.err, NULL);
      g_autofree char *name = g_strdup (CALLS[i]);

      if (g_str_has_suffix (name, "_v2"))
        name[strlen (name) - strlen ("_v2")] = 0;
      g_assert_cmpint (run.status, >, 0);
      says (said, " failed: ");
      says (said, name);
      says (said, " gives error 999, unknown");
    }
}

static void
test_sentences (void)
{
  static const struct { const char *fake, *command, *says; } CASES[] = {
    { "cuDeviceGetCount=100", "build/check --once", "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected). The driver finds no GPU" },
    { "", "build/check --once --device 3", "There is no GPU number 3: this machine has 1." },
    { "cuMemAlloc_v2=2", "build/check --once", "Allocating 4000 bytes on the GPU failed: cuMemAlloc gives error 2, CUDA_ERROR_OUT_OF_MEMORY" },
    { "cuLaunchKernel=701", "build/check --once", "Starting main_kernel with 8 x 1 x 1 blocks of 128 x 1 x 1 threads failed" },
    { "cuLaunchKernel=hang", "build/check --once --limit 1", "It did not end within 1 seconds and was stopped: the kernel hangs" },
    { "cuLaunchKernel=crash", "build/check --once", "Its process was ended by signal 11" },
    { "cuMemcpyDtoH_v2=wrong", "build/check --once", "WRONG" },
    { "", "build/check --once --what", "is not understood" },
  };
  const char *folder = small_bundle ();

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_auto (LsTestRun) run = start (folder, CASES[i].command, CASES[i].fake);
      g_autofree char *said = g_strconcat (run.out, run.err, NULL);

      g_assert_cmpint (run.status, >, 0);
      says (said, CASES[i].says);
    }
}

/* A wrong element is told with its place. */
static void
test_wrong (void)
{
  const char *folder = small_bundle ();
  g_auto (LsTestRun) run = start (folder, "build/check -o result.json --once", "cuMemcpyDtoH_v2=wrong");
  g_autoptr (LsDeviceResult) result = result_of (folder);
  const LsDeviceResultStep *step = result->steps->pdata[0];
  g_autofree char *line = g_strdup_printf ("device import '%s/result.json'", folder);
  g_auto (LsTestRun) back = ls_test_run (CLI, line);

  g_assert_cmpint (run.status, ==, 1);
  g_assert_cmpstr (step->verdict, ==, "differs");
  says (step->reason, "C[4] is ");
  says (step->reason, "ULP); 1 of 1000 elements differ");
  g_assert_cmpuint (step->time.n, ==, 0);
  says (back.out, "WRONG: C[4] is ");
}

/* Files of the folder that are not what they were. */
static void
test_altered (void)
{
  const char *folder = small_bundle ();
  g_autofree char *path = g_build_filename (folder, "expected", "C.bin", NULL), *ptx = g_build_filename (folder, "kernels", "vector_add.sm_80.ptx", NULL);
  g_autofree char *data = NULL, *text = NULL;
  gsize length, text_length;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL) && g_file_get_contents (ptx, &text, &text_length, NULL));
  data[7] ^= 1;
  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  {
    g_auto (LsTestRun) run = start (folder, "build/check --once", "");

    g_assert_cmpint (run.status, ==, 1);
    says (run.out, "expected/C.bin is not the file that belongs to this folder");
  }
  data[7] ^= 1;
  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL) && g_file_set_contents (ptx, text + 30, -1, NULL));
  {
    g_auto (LsTestRun) run = start (folder, "build/check --once", "");

    g_assert_cmpint (run.status, ==, 1);
    says (run.out, "The driver does not take the PTX; what it says of it stands behind.  this is no PTX of a bundle");
  }
  g_assert_true (g_file_set_contents (ptx, text, (gssize) text_length, NULL));
}

static void
test_no_driver (void)
{
  g_auto (LsTestRun) run = start (small_bundle (), "./run --once --no-tools", NULL);

  if (run.status == 0)
    {
      g_test_skip ("this machine has a GPU");
      return;
    }
  g_assert_cmpint (run.status, ==, 2);
  says (run.err, "There is no NVIDIA driver: libcuda.so.1 cannot be opened");
}

/* ---- HIP ---- */

/* The whole way with HIP's interface over the simulator, and what each call of it can fail with. */
static void
test_hip (void)
{
  static const struct { const char *fake, *says; } CASES[] = {
    { "hipInit=999", "Starting the runtime failed: hipInit gives error 999, unknown (no text for it)." },
    { "hipRuntimeGetVersion=old", "The HIP runtime is version 4.2; ROCm 5 or later is expected." },
    { "hipGetDeviceCount=100", "Counting GPUs failed: hipGetDeviceCount gives error 100, hipErrorNoDevice (no CUDA-capable device is detected). The runtime finds no GPU" },
    { "hipSetDevice=101", "There is no GPU of this number; --device says which one." },
    { "hiprtcCompileProgram=6", "HIPRTC does not take kernels/transpose.hip: there is an error in line 3" },
    { "hipModuleLoadData=209", "Loading the code of kernels/transpose.hip failed: hipModuleLoadData gives error 209" },
    { "hipModuleGetFunction=500", "Finding the kernel failed: hipModuleGetFunction gives error 500" },
    { "hipMalloc=2", "on the GPU failed: hipMalloc gives error 2, hipErrorOutOfMemory (out of memory). The GPU has too little free memory" },
    { "hipMemcpyHtoD=1", "Copying an input to the GPU failed: hipMemcpyHtoD gives error 1" },
    { "hipModuleLaunchKernel=701", "failed: hipModuleLaunchKernel gives error 701" },
    { "hipMemcpyDtoH=700", "The kernel has read or written outside of its memory." },
    { "hipEventRecord=1", "hipEventRecord gives error 1" },
    { "hipEventSynchronize=719", "The kernel was ended by an error while it ran." },
    { "hipEventElapsedTime=1", "hipEventElapsedTime gives error 1" },
    { "hipModuleLaunchKernel=hang", "It did not end within 1 seconds and was stopped: the kernel hangs" },
  };
  g_autofree char *folder = export ("hip", SAMPLE ("transpose") " --target rocm");
  g_auto (LsTestRun) run = start (folder, "./run --seconds 0.1 --no-tools", ""), without = start (folder, "build/check --once", NULL);
  g_autoptr (LsDeviceResult) result = NULL;

  if (run.status != 0)
    g_error ("%s%s", run.out, run.err);
  all_same (folder, 1);
  result = result_of (folder);
  g_assert_cmpstr (result->api, ==, "hip");
  g_assert_cmpuint (((LsDeviceResultStep *) result->steps->pdata[0])->time.n, >, 0);
  file_says (folder, "result.json", "\"architecture\": \"gfx90a:sramecc+:xnack-\"");
  file_says (folder, "kernels/transpose.hip", "#include <hip/hip_runtime.h>");
  file_says (folder, "README", "libamdhip64.so with libhiprtc.so or hipcc, which come with ROCm 5 or later");
  if (without.status != 0)
    says (without.err, "There is no ROCm: libamdhip64.so cannot be opened");
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_auto (LsTestRun) failed = start (folder, "build/check --once --limit 1", CASES[i].fake);
      g_autofree char *said = g_strconcat (failed.out, failed.err, NULL);

      g_assert_cmpint (failed.status, >, 0);
      says (said, CASES[i].says);
    }
}

/* ---- tools ---- */

#define SANITIZER "#!/bin/sh\nshift 2\n\"$@\" > /dev/null\necho '========= COMPUTE-SANITIZER'\necho '========= Invalid __global__ write of size 4 bytes'\n" \
  "echo '=========     at main_kernel+0x90'\necho '========= ERROR SUMMARY: 1 error'\n"
#define NCU "#!/bin/sh\nshift 3\n\"$@\" > /dev/null\necho '==PROF== Connected to process 1'\n" \
  "echo '\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"'\n" \
  "echo '\"0\",\"1\",\"check\",\"here\",\"main_kernel\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sector\",\"1,250\"'\n" \
  "echo '\"0\",\"1\",\"check\",\"here\",\"main_kernel\",\"smsp__inst_executed.sum\",\"inst\",\"77\"'\n"

static void
write_tool (const char *folder,
            const char *name,
            const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static void
test_tools (void)
{
  const char *folder = small_bundle ();
  g_autofree char *bin = g_build_filename (folder, "bin", NULL), *command = g_strdup_printf ("/bin/sh -c 'PATH=%s:$PATH ./run --once'", bin);
  g_autoptr (LsDeviceResult) result = NULL;
  const LsDeviceResultStep *step;
  const double *sectors;
  guint told = 0;

  g_assert_cmpint (g_mkdir_with_parents (bin, 0755), ==, 0);
  write_tool (bin, "compute-sanitizer", SANITIZER);
  write_tool (bin, "ncu", NCU);
  {
    g_auto (LsTestRun) run = start (folder, command, "");

    if (run.status != 0)
      g_error ("%s%s", run.out, run.err);
  }
  result = result_of (folder);
  step = result->steps->pdata[0];
  g_assert_nonnull (step->counters);
  sectors = g_hash_table_lookup (step->counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  g_assert_cmpfloat (*sectors, ==, 1250);
  for (guint i = 0; i < result->notes->len; i++)
    told += strstr (result->notes->pdata[i], "Invalid __global__ write of size 4 bytes") != NULL;
  g_assert_cmpuint (told, ==, 4);
}

/* ---- CUDA's compilers, where they are ---- */

static void
test_compilers (void)
{
  static const char *const SAYS = "#!/bin/sh\ncase \"$*\" in *sm_70*) echo \"ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'\"; exit 1 ;; esac\n"
                                  "echo \"ptxas info    : Compiling entry function 'main_kernel' for 'sm_80'\"\n"
                                  "echo '    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads'\necho 'ptxas info    : Used 28 registers, used 1 barriers'\n";
  g_autofree char *folder = export ("compilers", SAMPLE ("transpose") " --arch sm_70,sm_80 --no-simulate");
  g_autofree char *bin = g_build_filename (folder, "bin", NULL), *remove = g_strdup_printf ("sh -c 'rm -f %s/kernels/*.ptx'", folder);
  g_auto (LsTestRun) bare = start (folder, "/bin/sh -c 'PATH=/usr/bin:/bin ./run --once'", ""), old = { 0 }, wrong = { 0 }, made = { 0 };

  g_assert_cmpint (bare.status, ==, 0);
  if (!g_file_test ("/usr/bin/ptxas", G_FILE_TEST_EXISTS))
    says (bare.out, "ptxas: missing: there is no ptxas on PATH");
  g_assert_cmpint (g_mkdir_with_parents (bin, 0755), ==, 0);
  write_tool (bin, "ptxas", SAYS);
  old = start (folder, "/bin/sh -c 'PATH=$PWD/bin:$PATH ./run --once'", "");
  says (old.out, "ptxas: failed: this ptxas does not know sm_70");
  file_says (folder, "result.json", "\"architecture\": \"sm_80\"");
  file_says (folder, "result.json", "\"registers\": 28");
  file_says (folder, "result.json", "\"spill_loads\": 12");
  write_tool (bin, "ptxas", "#!/bin/sh\necho 'ptxas file, line 3; error   : Unknown symbol q'; exit 255\n");
  wrong = start (folder, "/bin/sh -c 'PATH=$PWD/bin:$PATH ./run --once'", "");
  g_assert_cmpint (wrong.status, ==, 0);        /* the driver has taken it */
  says (wrong.out, "ptxas: failed: ptxas does not take kernels/");
  says (wrong.out, "error   : Unknown symbol q");
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
  write_tool (bin, "nvcc", "#!/bin/sh\necho 'transpose.cu(3): error: identifier \"q\" is undefined'; exit 2\n");
  made = start (folder, "/bin/sh -c 'PATH=$PWD/bin:$PATH ./run --once'", "");
  says (made.out, "nvcc: failed: nvcc does not take kernels/transpose.cu: transpose.cu(3): error: identifier \"q\" is undefined");
  says (made.out, "ptxas: missing: there is no PTX to assemble");
}

/* A type that the device does not compute in is one sentence. */
static void
test_lacks_type (void)
{
  g_autofree char *folder = export ("half", "data/samples/gpu/history/matmul_f16/program.py --steps data/samples/gpu/history/matmul_f16/1_naive.py --target opencl --no-simulate");
  g_auto (LsTestRun) run = start (folder, "./run --once --no-tools", NULL);

  if (run.status == 2)
    g_test_skip ("this machine has no OpenCL");
  else if (run.status == 0)
    g_test_skip ("OpenCL has float16 here");
  else
    says (run.out, "failed: kernels/1_naive.cl computes in float16, which this device does not (its OpenCL has no cl_khr_fp16).\n");
}

/* ---- OpenCL on whatever there is ---- */

/* The same without a bundle: on OpenCL of this machine, if there is one, through the same host program; what is not there is a sentence with a way out. */
static void
test_run_here (void)
{
  g_auto (LsTestRun) run = ls_test_run (CLI, "device run " SAMPLE ("softmax") " --target opencl"), json = ls_test_run (CLI, "device run " SAMPLE ("transpose") " --target opencl --json");
  g_auto (LsTestRun) far = ls_test_run (CLI, "device run " SAMPLE ("softmax") " --target opencl --number 900"), metal = ls_test_run (CLI, "device run " SAMPLE ("softmax") " --target metal");
  g_auto (LsTestRun) nowhere = ls_test_run (CLI, "device run --target opencl"), long_time = ls_test_run (CLI, "device run x.py --seconds 0"), exported = ls_test_run (CLI, "device import x.json --number 1");

  says (nowhere.err, "a file is expected");
  says (long_time.err, "--number is from 0 to 999, --seconds from 1 to 3600");
  says (exported.err, "--number and --seconds are for device run");
  g_assert_cmpint (metal.status, ==, 1);
  says (metal.err, "there is no host program for metal");
  g_assert_cmpint (far.status, ==, 1);
  says (far.err, "OpenCL");
  says (far.err, "way out: loopscope-cli simt");
  if (run.status != 0 && strstr (run.err, "OpenCL") != NULL)
    {
      g_test_skip ("this machine has no OpenCL");
      return;
    }
  if (run.status != 0)
    g_error ("%s%s", run.out, run.err);
  says (run.out, "softmax.py on ");
  says (run.out, "(opencl), ");
  says (run.out, " us (");
  g_assert_cmpint (json.status, ==, 0);
  says (json.out, "\"verdict\" : \"same\"");
  says (json.out, "\"kind\" : ");
}

static void
test_opencl (void)
{
  g_autofree char *folder = export ("opencl", SAMPLE ("transpose") " --target opencl");
  g_auto (LsTestRun) run = start (folder, "./run --seconds 0.1", NULL);

  if (run.status == 2)
    {
      says (run.err, "OpenCL");
      g_test_skip ("this machine has no OpenCL");
      return;
    }
  if (run.status != 0)
    g_error ("%s%s", run.out, run.err);
  all_same (folder, 1);
  {
    g_autofree char *line = g_strdup_printf ("device import '%s/result.json'", folder);
    g_auto (LsTestRun) back = ls_test_run (CLI, line);
    g_autoptr (LsDeviceResult) result = result_of (folder);

    has_peaks (result, &back, folder);
  }
}

/* Without the probes there is no roof. */
static void
test_no_roof (void)
{
  g_autofree char *folder = export ("quick", SAMPLE ("transpose") " --target cuda");
  g_auto (LsTestRun) run = start (folder, "./run --seconds 0.1 --quick --no-tools", "");
  g_autofree char *line = g_strdup_printf ("roofline data/samples/gpu/transpose.py --device '%s/result.json'", folder);
  g_auto (LsTestRun) roofline = ls_test_run (CLI, line);

  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpint (roofline.status, ==, 1);
  says (roofline.err, "does not say what the device can do at best: ./run measures that, without --quick and --once");
}

/* ---- what is refused ---- */

static void
test_refused (void)
{
  static const struct { const char *arguments, *says; int status; } CASES[] = {
    { "export data/samples/gpu/transpose.py -o @", "A function without a loop that is bound to threads", 1 },
    { "export " SAMPLE ("transpose") " --target metal -o @", "there is no host program for metal", 1 },
    { "export " SAMPLE ("transpose") " --target rocm --arch sm_80 -o @", "--arch is for cuda; HIP C++ is compiled where it runs", 2 },
    { "export " SAMPLE ("transpose") " --arch compute_80 -o @", "--arch takes architectures such as sm_80,sm_90, not \"compute_80\"", 2 },
    { "export " SAMPLE ("transpose") " --target opencl --arch sm_80 -o @", "--arch is for cuda", 2 },
    { "export " SAMPLE ("transpose") " -o data/samples", "is not empty; a bundle gets one of its own", 1 },
    { "export " SAMPLE ("transpose"), "a file and -o DIR are expected", 2 },
    { "export " SAMPLE ("transpose") " --arch sm_999 -o @", "no PTX, only CUDA C (which needs nvcc or libnvrtc there): LLVM 19 knows no sm_999", 0 },
    { "export " SAMPLE ("transpose") " --arch sm_80,sm_999 -o @", "PTX not for all that was asked for: LLVM 19 knows no sm_999", 0 },
    { "export " SAMPLE ("transpose") " --arch sm_12 -o @", "sm_12 is too old: 64-bit kernels through LLVM begin with sm_30", 0 },
    { "export " SAMPLE ("transpose") " --target 'cuda -arch=sm_8x0' -o @", "\"sm_8x0\" is no architecture; sm_80 is one.", 1 },
    { "export " SAMPLE ("transpose") " --target 'rocm -mcpu=sm_80' -o @", "\"sm_80\" is no architecture; gfx90a is one.", 1 },
    { "export " SAMPLE ("transpose") " --target 'cuda -warps=4' -o @", "A target with threads has no option -warps.", 1 },
    { "export " SAMPLE ("transpose") " --target 'cuda -max_threads_per_block=many' -o @", "The option -max_threads_per_block of the target is a whole number above zero.", 1 },
    { "export " SAMPLE ("transpose") " --target nvidia/nvidia-a1000 -o @", "There is no target with the tag nvidia/nvidia-a1000 here", 1 },
    { "export nowhere.py -o @", "there is no file nowhere.py", 1 },
    { "export data/samples/gpu/transpose.py --steps nowhere_steps.py -o @", "there is no file nowhere_steps.py", 1 },
    { "export data/samples/gpu/transpose.py --steps tests/device/wrong_steps.py -o @",
      "tests/device/wrong_steps.py:3:1: bind is refused\n  \"threadIdx.w\" is no thread axis; there are blockIdx.x, threadIdx.x, vthread.x and their y and z.", 1 },
    { "import tests/device/cut_result.json", "tests/device/cut_result.json: line 3, column 10: it is no JSON, or was cut off: a value is expected here.", 1 },
    { "import tests/device/wrong_result.json", "it is no result of a device: \"format\" is \"something else\", \"loopscope-device-result\" is expected", 1 },
    { "carry", "export, run or import is expected", 2 },
    { "import data/samples/gpu/transpose.py", "it is no JSON, or was cut off", 1 },
    { "import nowhere.json", "nowhere.json cannot be read", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *folder = fresh_folder ("refused");
      g_autoptr (GString) line = g_string_new ("device ");
      g_auto (LsTestRun) run = { -1, NULL, NULL };

      g_string_append (line, CASES[i].arguments);
      g_string_replace (line, "@", folder, 0);
      run = ls_test_run (CLI, line->str);
      says (run.err, CASES[i].says);
      g_assert_cmpint (run.status, ==, CASES[i].status);
    }
}

/* An architecture that LLVM does not know costs its own PTX and no other. */
static void
test_partly (void)
{
  g_autofree char *folder = export ("partly", SAMPLE ("vector_add") " --arch sm_80,sm_999,sm_90");
  static const struct { const char *arch; gboolean there; } CASES[] = { { "sm_80", TRUE }, { "sm_90", TRUE }, { "sm_999", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/kernels/vector_add.%s.ptx", folder, CASES[i].arch);

      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, CASES[i].there);
    }
  file_says (folder, "README", "PTX not for all that was asked for: LLVM 19 knows no sm_999");
}

static void
test_stranger (void)
{
  const char *folder = small_bundle ();
  g_autofree char *line = g_strdup_printf ("device import '%s/result.json' --program data/samples/gpu/transpose.py", folder);
  g_autofree char *steps = g_strdup_printf ("device import '%s/result.json' --program data/samples/gpu/vector_add.py --steps tests/device/other_steps.py", folder);
  g_auto (LsTestRun) again = start (folder, "build/check -o result.json --once", "");
  g_auto (LsTestRun) run = ls_test_run (CLI, line);
  g_auto (LsTestRun) other = ls_test_run (CLI, steps);

  g_assert_cmpint (again.status, ==, 0);
  g_assert_cmpint (run.status, ==, 1);
  says (run.err, "the result is of another program: its structural hash is ");
  g_assert_cmpint (other.status, ==, 1);
  says (other.err, "the result has no step for what tests/device/other_steps.py makes of data/samples/gpu/vector_add.py");
}

int
main (int    argc,
      char **argv)
{
  char *objects;
  int status;

  g_test_init (&argc, &argv, NULL);
  objects = ls_compile_once_begin ();
  g_test_add_func ("/device/cuda", test_cuda);
  g_test_add_func ("/device/two-kernels", test_two_kernels);
  g_test_add_func ("/device/calls", test_calls);
  g_test_add_func ("/device/sentences", test_sentences);
  g_test_add_func ("/device/wrong", test_wrong);
  g_test_add_func ("/device/altered", test_altered);
  g_test_add_func ("/device/no-driver", test_no_driver);
  g_test_add_func ("/device/hip", test_hip);
  g_test_add_func ("/device/tools", test_tools);
  g_test_add_func ("/device/compilers", test_compilers);
  g_test_add_func ("/device/opencl", test_opencl);
  g_test_add_func ("/device/no-roof", test_no_roof);
  g_test_add_func ("/device/run here", test_run_here);
  g_test_add_func ("/device/lacks-type", test_lacks_type);
  g_test_add_func ("/device/bound", test_bound);
  g_test_add_func ("/device/chain", test_chain);
  g_test_add_func ("/device/refused", test_refused);
  g_test_add_func ("/device/partly", test_partly);
  g_test_add_func ("/device/stranger", test_stranger);
  status = g_test_run ();
  ls_compile_once_end (objects);
  return status;
}
