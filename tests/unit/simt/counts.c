/* What accesses cost, by hand: sectors and lines of global memory, passes over the banks of shared memory, masks that split. */
#include "tests/unit/simt/support.h"

#include <string.h>

/* One warp: float A[t * stride]. */
static LsSimtRun *
strided (guint stride)
{
  g_autofree char *parameters = g_strdup_printf ("A: T.Buffer((%u,), \"float32\"), B: T.Buffer((32,), \"float32\")", 32 * MAX (stride, 1));
  g_autofree char *body = g_strdup_printf ("for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n"
                                           "    for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n"
                                           "        B[t] = A[t * %u]", stride);

  return simt_test_body (parameters, body);
}

/* 32 lanes, 4 bytes each, side by side: 128 bytes are 4 sectors and one line.  A stride of 2: twice that.  Of 32 floats: each lane a sector
 * and a line of its own.  All lanes one element: one sector. */
static void
test_sectors (void)
{
  static const struct { guint stride, sectors, lines, needed; } CASES[] = { { 1, 4, 1, 4 }, { 2, 8, 2, 4 }, { 8, 32, 8, 4 }, { 32, 32, 32, 4 }, { 0, 1, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (LsSimtRun) run = strided (CASES[i].stride);
      const LsSimtSite *site = simt_test_site (run, "A", FALSE);

      g_assert_cmpuint (run->findings->len, ==, 0);
      g_assert_cmpuint (site->requests, ==, 1);
      g_assert_cmpuint (site->lanes, ==, 32);
      g_assert_cmpuint (site->bytes, ==, 128);
      g_assert_cmpuint (site->sectors, ==, CASES[i].sectors);
      g_assert_cmpuint (site->lines, ==, CASES[i].lines);
      g_assert_cmpuint (site->sectors_needed, ==, CASES[i].needed);
      g_assert_cmpint (site->space, ==, LS_SIMT_GLOBAL);
    }
}

/* Shared memory written by one rule and read by another, a barrier between. */
static LsSimtRun *
banks (guint stride)
{
  g_autofree char *body = g_strdup_printf ("for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n"
                                           "    with T.block(\"root\"):\n"
                                           "        S = T.alloc_buffer((%u,), scope=\"shared\")\n"
                                           "        for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n"
                                           "            for k in range(%u):\n"
                                           "                S[k * 32 + t] = A[t]\n"
                                           "        for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n"
                                           "            B[t] = S[t * %u]", 32 * MAX (stride, 1), MAX (stride, 1), stride);

  return simt_test_body ("A: T.Buffer((32,), \"float32\"), B: T.Buffer((32,), \"float32\")", body);
}

/* A stride of s words meets gcd (s, 32) lanes in one bank, but for a broadcast: 32 words apart 32 ways, 33 apart none. */
static void
test_banks (void)
{
  static const struct { guint stride, ways; } CASES[] = { { 1, 1 }, { 2, 2 }, { 3, 1 }, { 4, 4 }, { 16, 16 }, { 32, 32 }, { 33, 1 }, { 0, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (LsSimtRun) run = banks (CASES[i].stride);
      const LsSimtSite *site = simt_test_site (run, "S", FALSE);

      for (guint k = 0; k < run->findings->len; k++)
        g_error ("stride %u: %s", CASES[i].stride, ((LsSimtFinding *) run->findings->pdata[k])->text);
      g_assert_cmpuint (site->most_ways, ==, CASES[i].ways);
      g_assert_cmpuint (site->passes, ==, CASES[i].ways);
      g_assert_cmpuint (site->passes_needed, ==, 1);
      g_assert_cmpuint (simt_test_site (run, "S", TRUE)->most_ways, ==, 1);
      /* each thread reads what it wrote itself: ThreadSync puts no barrier */
      g_assert_cmpuint (g_array_index (run->kernels, LsSimtKernel, 0).barriers, ==, CASES[i].stride == 1 ? 0 : 1);
    }
}

/* The counting itself, without a program: lanes of 8 bytes go in halves, of 16 in quarters; side by side none collides. */
static void
test_wide_lanes (void)
{
  static const struct { guint bytes, passes, needed; } CASES[] = { { 4, 1, 1 }, { 8, 2, 2 }, { 16, 4, 4 }, { 2, 1, 1 }, { 1, 1, 1 } };
  gint64 offsets[LS_SIMT_LANES];

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      guint needed, ways;

      for (guint lane = 0; lane < LS_SIMT_LANES; lane++)
        offsets[lane] = lane * CASES[i].bytes;
      g_assert_cmpuint (ls_simt_count_passes (offsets, G_MAXUINT32, CASES[i].bytes, &needed, &ways), ==, CASES[i].passes);
      g_assert_cmpuint (needed, ==, CASES[i].needed);
      g_assert_cmpuint (ways, ==, 1);
      g_assert_cmpuint (ls_simt_count_units (offsets, G_MAXUINT32, CASES[i].bytes, 32), ==, (CASES[i].bytes * 32 + 31) / 32);
      g_assert_cmpuint (ls_simt_count_units (offsets, 0, CASES[i].bytes, 32), ==, 0);
      g_assert_cmpuint (ls_simt_count_units (offsets, 1, CASES[i].bytes, 32), ==, 1);
    }
  /* an access across the border of two sectors */
  offsets[0] = 30;
  g_assert_cmpuint (ls_simt_count_units (offsets, 1, 4, 32), ==, 2);
}

/* 48 threads: a full warp and a half one.  t < 8 splits only the first; t < 32 splits none. */
static void
test_divergence (void)
{
  static const struct { guint limit, divergent; } CASES[] = { { 8, 1 }, { 32, 0 }, { 40, 1 }, { 48, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *program = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((48,), \"float32\"), B: T.Buffer((48,), \"float32\")):\n"
                                                  "    T.func_attr({\"tir.noalias\": True})\n    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n"
                                                  "        for t in T.thread_binding(48, thread=\"threadIdx.x\"):\n"
                                                  "            if A[t] < T.float32(%u):\n                B[t] = T.float32(1)\n", CASES[i].limit);
      g_autoptr (LsPrimFunc) func = simt_test_read (program, "");
      g_autoptr (LsPrimFunc) lowered = simt_test_lower (func);
      g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
      g_autoptr (LsSimtRun) run = NULL;
      const LsSimtKernel *kernel;

      for (guint k = 0; k < 48; k++)
        ((float *) ((LsNDArray *) arrays->pdata[0])->tensor.data)[k] = (float) k;
      run = simt_test_run (lowered, arrays, NULL);
      kernel = &g_array_index (run->kernels, LsSimtKernel, 0);
      g_assert_cmpuint (kernel->warps, ==, 2);
      g_assert_cmpuint (kernel->branches, ==, 2);
      g_assert_cmpuint (kernel->divergent, ==, CASES[i].divergent);
      g_assert_cmpuint (simt_test_site (run, "B", TRUE)->lanes, ==, CASES[i].limit);
    }
}

/* 96 threads of a device with waves of 64 lanes: a full one and a half one.  Waves split, not halves of them; 64 floats side by side are 8 sectors of one
 * request, in shared memory two passes of 32 lanes. */
static void
test_waves (void)
{
  static const struct { guint limit, divergent; } CASES[] = { { 8, 1 }, { 32, 1 }, { 64, 0 }, { 80, 1 }, { 96, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *program = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((96,), \"float32\"), B: T.Buffer((96,), \"float32\")):\n"
                                                  "    T.func_attr({\"tir.noalias\": True})\n    S = T.alloc_buffer((96,), scope=\"shared\")\n"
                                                  "    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n"
                                                  "        for t in T.thread_binding(96, thread=\"threadIdx.x\"):\n"
                                                  "            S[t] = A[t]\n            if S[t] < T.float32(%u):\n                B[t] = T.float32(1)\n", CASES[i].limit);
      g_autoptr (LsPrimFunc) func = simt_test_read (program, "");
      g_autoptr (LsPrimFunc) lowered = simt_test_lower_for (func, "rocm");
      g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
      g_autoptr (LsSimtRun) run = NULL;
      const LsSimtKernel *kernel;
      const LsSimtSite *site;

      for (guint k = 0; k < 96; k++)
        ((float *) ((LsNDArray *) arrays->pdata[0])->tensor.data)[k] = (float) k;
      run = simt_test_run (lowered, arrays, NULL);
      kernel = &g_array_index (run->kernels, LsSimtKernel, 0);
      g_assert_cmpuint (kernel->warps, ==, 2);
      g_assert_cmpuint (kernel->branches, ==, 2);
      g_assert_cmpuint (kernel->divergent, ==, CASES[i].divergent);
      g_assert_cmpuint (simt_test_site (run, "B", TRUE)->lanes, ==, CASES[i].limit);
      site = simt_test_site (run, "A", FALSE);
      g_assert_cmpuint (site->requests, ==, 2);
      g_assert_cmpuint (site->sectors, ==, 12);
      g_assert_cmpuint (site->most_sectors, ==, 8);
      site = simt_test_site (run, "S", TRUE);
      g_assert_cmpuint (site->passes, ==, 3);
      g_assert_cmpuint (site->passes_needed, ==, 3);
      g_assert_cmpuint (site->most_ways, ==, 1);
      g_assert_cmpuint (run->findings->len, ==, 0);
    }
}

/* What goes wrong in the upper half of a wave is told of its threads. */
static void
test_upper_half (void)
{
  g_autoptr (LsPrimFunc) func = simt_test_read ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(B: T.Buffer((64,), \"float32\")):\n    T.func_attr({\"tir.noalias\": True})\n"
                                                "    L = T.alloc_buffer((1,), scope=\"local\")\n    for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n"
                                                "        if t < 40:\n            L[0] = T.float32(1)\n        B[t] = L[0]\n", "");
  g_autoptr (LsPrimFunc) lowered = simt_test_lower_for (func, "rocm");
  g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
  g_autoptr (LsSimtRun) run = simt_test_run (lowered, arrays, NULL);
  const LsSimtFinding *finding;

  g_assert_cmpuint (run->findings->len, ==, 1);
  finding = run->findings->pdata[0];
  g_assert_cmpint (finding->kind, ==, LS_SIMT_UNWRITTEN);
  g_assert_cmpint (finding->thread.thread[0], ==, 40);
}

/* Where 32 lanes are said, or the chip has them, there are 32. */
static void
test_warp_sizes (void)
{
  static const struct { const char *target; guint lanes; } CASES[] = { { "cuda", 32 }, { "opencl", 32 }, { "rocm", 64 }, { "rocm -mcpu=gfx90a", 64 }, { "rocm -mcpu=gfx1030", 32 },
                                                                      { "rocm -mcpu=gfx1030 -thread_warp_size=64", 64 }, { "rocm -thread_warp_size=32", 32 } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (LsPrimFunc) func = simt_test_read ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((96,), \"float32\")):\n"
                                                    "    for t in T.thread_binding(96, thread=\"threadIdx.x\"):\n        A[t] = T.float32(1)\n", "");
      g_autoptr (LsPrimFunc) lowered = simt_test_lower_for (func, CASES[i].target);

      g_assert_cmpuint (ls_simt_warp_size (lowered), ==, CASES[i].lanes);
    }
}

static char *
sample (const char *name)
{
  g_autofree char *path = g_strconcat ("../data/samples/gpu/", name, NULL);

  return ls_test_read (path, NULL);
}

/* A tile of 32 x 32 floats that is written by rows and read by columns: 32 ways; a row of 33 floats: none. */
static void
test_transpose (void)
{
  g_autofree char *program = sample ("transpose.py"), *aligned = sample ("transpose_steps.py");
  g_autofree char *plain = g_strndup (aligned, (gsize) (strstr (aligned, "sch.storage_align") - aligned));
  const char *steps[] = { plain, aligned };
  static const guint WAYS[] = { 32, 1 };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsPrimFunc) func = simt_test_read (program, steps[i]);
      g_autoptr (LsPrimFunc) lowered = simt_test_lower (func);
      g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
      g_autoptr (LsSimtRun) run = simt_test_run (lowered, arrays, NULL);
      const LsSimtSite *load = simt_test_site (run, "A_shared", FALSE);

      /* 16 blocks, 32 rows of a tile, a warp for each */
      g_assert_cmpuint (load->requests, ==, 16 * 32);
      g_assert_cmpuint (load->most_ways, ==, WAYS[i]);
      g_assert_cmpuint (load->passes, ==, 16 * 32 * WAYS[i]);
      g_assert_cmpuint (simt_test_site (run, "A", FALSE)->sectors, ==, 16 * 32 * 4);
      g_assert_cmpuint (simt_test_site (run, "B", TRUE)->sectors, ==, 16 * 32 * 4);
      g_assert_cmpint (g_array_index (run->kernels, LsSimtKernel, 0).shared_bytes, ==, i == 0 ? 4096 : 32 * 33 * 4);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simt/counts/sectors", test_sectors);
  g_test_add_func ("/simt/counts/banks", test_banks);
  g_test_add_func ("/simt/counts/wide-lanes", test_wide_lanes);
  g_test_add_func ("/simt/counts/divergence", test_divergence);
  g_test_add_func ("/simt/counts/waves", test_waves);
  g_test_add_func ("/simt/counts/upper-half", test_upper_half);
  g_test_add_func ("/simt/counts/warp-sizes", test_warp_sizes);
  g_test_add_func ("/simt/counts/transpose", test_transpose);
  return g_test_run ();
}
