/* Verdicts of programs in which one thing is changed on purpose: the verdict has to follow.  On a machine that is given, so that it
 * is the same everywhere. */
#include "engine/advice/advice.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static const LsAdviceMachine one = {
  .gflops = 100.0, .hertz = 3.125e9, .lanes = 8, .registers = 16, .cores = 1, .n_levels = 3,
  .cache = { 32768, 524288, 16777216 }, .gb_per_s = { 80.0, 30.0, 15.0 }, .behind = { "L2", "L3", "DRAM" },
};

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"

/* Registers of 512 bits that take a unit for two cycles (Zen 4), and such that take one. */
static const LsAdviceMachine halved = {
  .gflops = 118.4, .hertz = 3.7e9, .lanes = 16, .at_once = 8, .registers = 32, .cores = 1, .n_levels = 3,
  .cache = { 32768, 1048576, 33554432 }, .gb_per_s = { 118.0, 100.0, 32.0 }, .behind = { "L2", "L3", "DRAM" },
};
static const LsAdviceMachine whole_units = {
  .gflops = 236.8, .hertz = 3.7e9, .lanes = 16, .at_once = 16, .registers = 32, .cores = 1, .n_levels = 3,
  .cache = { 32768, 1048576, 33554432 }, .gb_per_s = { 118.0, 100.0, 32.0 }, .behind = { "L2", "L3", "DRAM" },
};

static const char product[] = HEAD
  "    def main(A: T.Buffer((256, 256), \"float32\"), B: T.Buffer((256, 256), \"float32\"), C: T.Buffer((256, 256), \"float32\")):\n"
  "        for i, j, k in T.grid(256, 256, 256):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n"
  "                    C[vi, vj] = T.float32(0)\n"
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
static const char transposed[] = HEAD
  "    def main(X: T.Buffer((2048, 2048), \"float32\"), Y: T.Buffer((2048, 2048), \"float32\")):\n"
  "        for i, j in T.grid(2048, 2048):\n"
  "            with T.block(\"Y\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                Y[vi, vj] = X[vj, vi]\n";
static const char rows[] = HEAD
  "    def main(X: T.Buffer((256, 1024), \"float32\"), Y: T.Buffer((256,), \"float32\")):\n"
  "        for i, k in T.grid(256, 1024):\n"
  "            with T.block(\"Y\"):\n"
  "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
  "                with T.init():\n"
  "                    Y[vi] = T.float32(0)\n"
  "                Y[vi] = Y[vi] + X[vi, vk]\n";
/* %s: the value; %d: how many. */
static const char each[] = HEAD
  "    def main(X: T.Buffer((%d,), \"float32\"), Y: T.Buffer((%d,), \"float32\")):\n"
  "        for i in range(%d):\n"
  "            with T.block(\"Y\"):\n"
  "                vi = T.axis.spatial(%d, i)\n"
  "                Y[vi] = %s\n";
static const char symbolic[] = HEAD
  "    def main(a: T.handle):\n"
  "        n = T.int32()\n"
  "        A = T.match_buffer(a, (n,))\n"
  "        for i in range(n):\n"
  "            with T.block(\"A\"):\n"
  "                vi = T.axis.spatial(n, i)\n"
  "                A[vi] = T.float32(2)\n";

#define SCALAR_TILE \
  "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\n" \
  "i0, i1 = sch.split(i, factors=[None, 4])\nj0, j1 = sch.split(j, factors=[None, 16])\nsch.reorder(i0, j0, k, i1, j1)\nsch.unroll(i1)\n"

static LsAdviceVerdict *
judge (const char            *program,
       const char            *steps,
       const LsAdviceMachine *machine,
       double                 seconds)
{
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsSource) lines = ls_source_new ("steps", steps != NULL ? steps : "", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;
  g_autoptr (LsAdviceCost) cost = NULL;
  LsModule *now;

  g_assert_nonnull (module);
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, lines, 0, findings);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_ERROR)
      g_error ("%s", ls_diagnostics_get (findings, i)->message);
  now = ls_schedule_get_module (schedule);
  cost = ls_advice_cost_new ((LsPrimFunc *) ls_module_get (now, "main"), now, machine);
  return ls_advice_verdict_new (cost, machine, seconds);
}

static void
expect (const char            *program,
        const char            *steps,
        const LsAdviceMachine *machine,
        const char            *cause)
{
  g_autoptr (LsAdviceVerdict) verdict = judge (program, steps, machine, 0.0);

  g_test_message ("%s", verdict->sentence);
  g_assert_true (verdict->known);
  g_assert_cmpstr (ls_cause_name (verdict->reasons[0].cause), ==, cause);
}

static char *
each_of (int         n,
         const char *value)
{
  return g_strdup_printf (each, n, n, n, n, value);
}

/* ---- sums ------------------------------------------------------------------------- */

static void
test_chain (void)
{
  const char *parted = "b = sch.get_block(\"Y\", func_name=\"main\")\ni, k = sch.get_loops(b)\nk0, k1 = sch.split(k, factors=[None, 32])\n"
                       "part = sch.rfactor(k1, 1)\nl = sch.get_loops(part)\nsch.vectorize(l[-1])\nsch.decompose_reduction(part, l[-2])\n";
  g_autoptr (LsAdviceVerdict) before = judge (rows, NULL, &one, 0.0);
  g_autoptr (LsAdviceVerdict) after = judge (rows, parted, &one, 0.0);

  /* What is left is the sum of the 32 parts. */
  g_assert_cmpint (before->reasons[0].cause, ==, LS_CAUSE_CHAIN);
  g_assert_true (before->reasons[0].in_registers); /* LLVM keeps the sum of an innermost loop: it does not go through memory */
  g_assert_cmpfloat (after->reasons[0].cause == LS_CAUSE_CHAIN ? after->share : 1.0, >, before->share);
  g_assert_cmpfloat (after->share, >, 4 * before->share);
}

/* A scan: each element is made of the one before it. */
static void
test_scan (void)
{
  static const char scan[] = HEAD
    "    def main(X: T.Buffer((256, 1024), \"float32\"), Y: T.Buffer((256, 1024), \"float32\")):\n"
    "        for i, j in T.grid(256, 1024):\n"
    "            with T.block(\"Y\"):\n"
    "                vi = T.axis.spatial(256, i)\n"
    "                vj = T.axis.opaque(1024, j)\n"
    "                T.reads(X[vi, vj], Y[vi, 0:1024])\n"
    "                T.writes(Y[vi, vj])\n"
    "                Y[vi, vj] = X[vi, vj] + T.if_then_else(vj > 0, Y[vi, T.max(vj - 1, 0)], T.float32(0))\n";

  expect (scan, NULL, &one, "chain");
}

static void
test_tile (void)
{
  {
    g_autoptr (LsAdviceVerdict) good = judge (product, SCALAR_TILE "sch.vectorize(j1)\nsch.decompose_reduction(b, k)\n", &one, 0.0);
    g_autoptr (LsAdviceVerdict) narrow = judge (product, "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\n"
                                                "j0, j1 = sch.split(j, factors=[None, 8])\nsch.reorder(i, j0, k, j1)\nsch.vectorize(j1)\n"
                                                "sch.decompose_reduction(b, k)\n", &one, 0.0);

    g_test_message ("%s", good->sentence);
    g_assert_cmpfloat (good->share, >, 0.6);
    /* One vector of sums alone waits for itself. */
    g_assert_cmpint (narrow->reasons[0].cause, ==, LS_CAUSE_CHAIN);
    g_assert_cmpfloat (narrow->share, <, 0.3);
  }
}

static void
test_lanes (void)
{
  const char *parted = "b = sch.get_block(\"Y\", func_name=\"main\")\ni = sch.get_loops(b)[0]\ni0, i1 = sch.split(i, factors=[None, 8])\n";
  g_autofree char *power = each_of (1 << 12, "X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi]");
  g_autofree char *unrolled = g_strconcat (parted, "sch.unroll(i1)\n", NULL);
  g_autofree char *vectors = g_strconcat (parted, "sch.vectorize(i1)\n", NULL);
  g_autoptr (LsAdviceVerdict) verdict = judge (power, vectors, &one, 0.0);

  expect (power, unrolled, &one, "lanes");
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_LANES);
}

/* ---- memory ------------------------------------------------------------------------ */

/* Four sums of 16 hide the latency where each takes a unit twice, and not where it takes one once; eight numbers fill a unit of the first kind. */
static void
test_halved (void)
{
  const char *tile = "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\ni0, i1 = sch.split(i, factors=[None, %d])\nj0, j1 = sch.split(j, factors=[None, %d])\n"
                     "sch.reorder(i0, j0, k, i1, j1)\nsch.unroll(i1)\nsch.vectorize(j1)\nsch.decompose_reduction(b, k)\n";
  g_autofree char *few = g_strdup_printf (tile, 4, 16), *narrow = g_strdup_printf (tile, 8, 8);
  g_autoptr (LsAdviceVerdict) half = judge (product, few, &halved, 0.0), full = judge (product, few, &whole_units, 0.0);
  g_autoptr (LsAdviceVerdict) half_narrow = judge (product, narrow, &halved, 0.0);

  g_assert_cmpstr (ls_cause_name (half->reasons[0].cause), ==, "arithmetic");
  g_assert_cmpstr (ls_cause_name (full->reasons[0].cause), ==, "chain");
  for (guint i = 0; i < half_narrow->n_reasons; i++)
    g_assert_cmpstr (ls_cause_name (half_narrow->reasons[i].cause), !=, "lanes");
}

/* 14 numbers are 8, 4 and 2, which are put side by side. */
static void
test_vector_loads (void)
{
  g_assert_cmpfloat (ls_advice_vector_loads (16, 16), ==, 1.0);
  g_assert_cmpfloat (ls_advice_vector_loads (8, 16), ==, 1.0);
  g_assert_cmpfloat (ls_advice_vector_loads (14, 16), ==, 5.0);
  g_assert_cmpfloat (ls_advice_vector_loads (24, 8), ==, 3.0);
  g_assert_cmpfloat (ls_advice_vector_loads (28, 8), ==, 4.0);
  g_assert_cmpfloat (ls_advice_vector_loads (1, 8), ==, 1.0);
}

static void
test_latency (void)
{
  g_autoptr (LsAdviceVerdict) after = judge (transposed, "b = sch.get_block(\"Y\", func_name=\"main\")\ni, j = sch.get_loops(b)\n"
                                             "i0, i1 = sch.split(i, factors=[None, 8])\nj0, j1 = sch.split(j, factors=[None, 8])\n"
                                             "sch.reorder(i0, j0, i1, j1)\nsch.vectorize(j1)\nsch.unroll(i1)\n", &one, 0.0);

  expect (transposed, NULL, &one, "latency");
  g_assert_cmpint (after->reasons[0].cause, !=, LS_CAUSE_LATENCY);
}

static void
test_bandwidth (void)
{
  const char *vectors = "b = sch.get_block(\"Y\", func_name=\"main\")\ni = sch.get_loops(b)[0]\ni0, i1 = sch.split(i, factors=[None, 8])\nsch.vectorize(i1)\n";
  g_autofree char *large = each_of (1 << 23, "X[vi] * T.float32(2)");
  g_autofree char *small = each_of (1 << 11, "X[vi] * T.float32(2)");
  g_autoptr (LsAdviceVerdict) verdict = judge (small, vectors, &one, 0.0);

  expect (large, vectors, &one, "bandwidth");
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_BANDWIDTH);
}

static void
test_calls (void)
{
  g_autofree char *called = each_of (1 << 14, "T.exp(X[vi])");
  g_autofree char *plain = each_of (1 << 14, "X[vi] + T.float32(1)");
  g_autoptr (LsAdviceVerdict) verdict = judge (plain, NULL, &one, 0.0);

  expect (called, NULL, &one, "calls");
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_CALLS);
}

/* Vectors of exp are arithmetic, those of sin are not. */
static void
test_calls_in_vectors (void)
{
  const char *vectors = "b = sch.get_block(\"Y\", func_name=\"main\")\ni = sch.get_loops(b)[0]\ni0, i1 = sch.split(i, factors=[None, 8])\nsch.vectorize(i1)\n";
  g_autofree char *exp_of = each_of (1 << 14, "T.exp(X[vi])"), *sin_of = each_of (1 << 14, "T.sin(X[vi])");
  g_autoptr (LsAdviceVerdict) verdict = judge (exp_of, vectors, &one, 0.0);

  expect (sin_of, vectors, &one, "calls");
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_CALLS);
}

/* ---- cores --------------------------------------------------------------------------- */

static void
test_cores (void)
{
  LsAdviceMachine many = one;
  const char *spread = "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\nsch.parallel(i)\n";
  const char *few = "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\ni0, i1 = sch.split(i, factors=[2, None])\nsch.parallel(i0)\n";
  g_autoptr (LsAdviceVerdict) all = NULL, alone = NULL;

  many.cores = 64;
  alone = judge (product, few, &many, 0.0);
  all = judge (product, spread, &many, 0.0);
  g_assert_cmpint (alone->reasons[0].cause, ==, LS_CAUSE_CORES);
  g_assert_cmpint (all->reasons[0].cause, !=, LS_CAUSE_CORES);
  expect (product, NULL, &many, "cores");
}

/* What removes most time comes first, on as many cores as there are: two cores are worth half of a naive product, its chain and far loads nearly all of it;
 * of vectors that fill the units the cores are what is left. */
static void
test_order (void)
{
  LsAdviceMachine two = one;
  static const char large[] = HEAD
    "    def main(A: T.Buffer((512, 512), \"float32\"), B: T.Buffer((512, 512), \"float32\"), C: T.Buffer((512, 512), \"float32\")):\n"
    "        for i, j, k in T.grid(512, 512, 512):\n"
    "            with T.block(\"C\"):\n"
    "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "                with T.init():\n"
    "                    C[vi, vj] = T.float32(0)\n"
    "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
  const char *programs[] = { product, large };

  two.cores = 2;
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autoptr (LsAdviceVerdict) naive = judge (programs[i], NULL, &two, 0.0);
      g_autoptr (LsAdviceVerdict) good = judge (programs[i], SCALAR_TILE "sch.vectorize(j1)\nsch.decompose_reduction(b, k)\n", &two, 0.0);

      g_test_message ("%s", naive->sentence);
      g_assert_true (naive->reasons[0].cause == LS_CAUSE_CHAIN || naive->reasons[0].cause == LS_CAUSE_LATENCY);
      g_assert_cmpint (naive->reasons[1].cause, ==, LS_CAUSE_CORES);
      g_assert_nonnull (strstr (naive->sentence, "idle cores"));
      g_assert_cmpint (good->reasons[0].cause, ==, LS_CAUSE_CORES);
    }
}

/* A gather touches the lines that it reads, not the whole array in each round. */
static void
test_touched (void)
{
  g_autofree char *file = ls_test_path ("data/advice/embedding.py"), *text = NULL;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;
  double bytes;

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  source = ls_source_new ("embedding", text, -1);
  module = ls_script_parse (source, findings);
  bytes = ls_advice_touched ((LsPrimFunc *) ls_module_get (module, "main"));
  g_assert_cmpfloat (bytes, >=, 2.0 * 2048 * 256 * 4);
  g_assert_cmpfloat (bytes, <, 4.0 * 2048 * 256 * 4);
}

/* Rows of a triangle: how often the inner loop runs depends on the outer one, and its sum is a chain; several rows at once are none. */
static void
test_triangle (void)
{
  static const char triangle[] = HEAD
    "    def main(A: T.Buffer((256, 256), \"float32\"), Y: T.Buffer((256,), \"float32\")):\n"
    "        for i in range(256):\n"
    "            for j in range(i + 1):\n"
    "                Y[i] = Y[i] + A[i, j]\n";
  static const char columns[] = HEAD
    "    def main(A: T.Buffer((256, 256), \"float32\"), Y: T.Buffer((256,), \"float32\")):\n"
    "        for j in range(256):\n"
    "            for i in range(256 - j):\n"
    "                Y[i] = Y[i] + A[j, i]\n";
  g_autoptr (LsAdviceVerdict) before = judge (triangle, NULL, &one, 0.0);
  g_autoptr (LsAdviceVerdict) after = judge (columns, NULL, &one, 0.0);

  g_test_message ("%s", before->sentence);
  g_assert_null (before->loop);
  g_assert_cmpint (before->reasons[0].cause, ==, LS_CAUSE_CHAIN);
  g_assert_cmpfloat (before->roof_seconds, >=, 256 * 257 / 2 / 100e9);
  g_assert_cmpfloat (after->share, >, 2.0 * before->share);
}

/* LLVM makes vectors of a plain loop, several in a round: counting is not what holds it. */
static void
test_by_itself (void)
{
  static const char stencil[] = HEAD
    "    def main(X: T.Buffer((512, 514), \"float32\"), Y: T.Buffer((512, 512), \"float32\")):\n"
    "        for i, j in T.grid(512, 512):\n"
    "            with T.block(\"Y\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                Y[vi, vj] = X[vi, vj] + X[vi, vj + 1] + X[vi, vj + 2]\n";
  g_autoptr (LsAdviceVerdict) verdict = judge (stencil, NULL, &one, 0.0);

  g_test_message ("%s", verdict->sentence);
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_OVERHEAD);
}

/* A border of zeros: LLVM loads with a mask, so it is near its roof as it is, and vectors by hand are no more; two loads to choose from stay branches. */
static void
test_border (void)
{
  static const char border[] = HEAD
    "    def main(X: T.Buffer((64, 62, 62), \"float32\"), Z: T.Buffer((64, 64, 64), \"float32\"), Y: T.Buffer((64, 64, 64), \"float32\")):\n"
    "        for c, i, j in T.grid(64, 64, 64):\n"
    "            with T.block(\"Y\"):\n"
    "                vc, vi, vj = T.axis.remap(\"SSS\", [c, i, j])\n"
    "                Y[vc, vi, vj] = T.if_then_else(1 <= vi and vi < 63 and 1 <= vj and vj < 63, X[vc, vi - 1, vj - 1], %s)\n";
  const char *vectors = "b = sch.get_block(\"Y\", func_name=\"main\")\nl = sch.get_loops(b)\nj0, j1 = sch.split(l[2], factors=[None, 8])\nsch.vectorize(j1)\n";
  g_autofree char *zeros = g_strdup_printf (border, "T.float32(0)"), *other = g_strdup_printf (border, "Z[vc, vi, 0]");
  g_autoptr (LsAdviceVerdict) plain = judge (zeros, NULL, &one, 0.0), plain_vectors = judge (zeros, vectors, &one, 0.0);
  g_autoptr (LsAdviceVerdict) two = judge (other, NULL, &one, 0.0), two_vectors = judge (other, vectors, &one, 0.0);

  g_test_message ("%s %s", plain->sentence, two->sentence);
  /* The clock says 2.1 to 2.4 times as long. */
  g_assert_cmpfloat (two->roof_seconds / two->share, >, 2.0 * plain->roof_seconds / plain->share);
  /* The line of Z that a whole row reads is no far load for each number. */
  g_assert_cmpint (two->reasons[0].cause, ==, LS_CAUSE_OVERHEAD);
  g_assert_cmpfloat (plain->share, >, 2.0 * two->share);
  g_assert_cmpfloat (plain_vectors->share, <, 1.1 * plain->share);
  g_assert_cmpfloat (two_vectors->share, <, 1.1 * two->share);
}

/* A short inner loop that stays a loop counts and branches nearly as much as it works; unrolled it is gone. */
static void
test_overhead (void)
{
  static const char few[] = HEAD
    "    def main(X: T.Buffer((4096, 2), \"float32\"), Y: T.Buffer((4096, 2), \"float32\")):\n"
    "        for i, j in T.grid(4096, 2):\n"
    "            with T.block(\"Y\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                Y[vi, vj] = X[vi, vj] + T.float32(1)\n";
  g_autoptr (LsAdviceVerdict) before = judge (few, NULL, &one, 0.0);
  g_autoptr (LsAdviceVerdict) after = judge (few, "b = sch.get_block(\"Y\", func_name=\"main\")\ni, j = sch.get_loops(b)\n"
                                             "f = sch.fuse(i, j)\nf0, f1 = sch.split(f, factors=[None, 8])\nsch.vectorize(f1)\n", &one, 0.0);

  g_test_message ("%s", before->sentence);
  g_assert_cmpint (before->reasons[0].cause, ==, LS_CAUSE_OVERHEAD);
  g_assert_cmpfloat (after->share, >, 2.0 * before->share);
}

/* The units are full; with the operations of half the numbers they are not the longest any more. */
static void
test_arithmetic (void)
{
  const char *vectors = "b = sch.get_block(\"Y\", func_name=\"main\")\ni = sch.get_loops(b)[0]\ni0, i1 = sch.split(i, factors=[None, 8])\nsch.vectorize(i1)\n";
  g_autofree char *much = each_of (1 << 12, "X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi] + X[vi] * X[vi] * X[vi] * X[vi] * X[vi] * X[vi]");
  g_autofree char *little = each_of (1 << 12, "X[vi] + T.float32(1)");
  g_autoptr (LsAdviceVerdict) verdict = judge (little, vectors, &one, 0.0);

  expect (much, vectors, &one, "arithmetic");
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_ARITHMETIC);
}

static void
test_threads (void)
{
  LsAdviceMachine many = one;
  g_autofree char *tiny = each_of (64, "X[vi] + T.float32(1)");
  g_autofree char *wide = each_of (1 << 22, "X[vi] + T.float32(1)");

  many.cores = 4;
  expect (tiny, "b = sch.get_block(\"Y\", func_name=\"main\")\nsch.parallel(sch.get_loops(b)[0])\n", &many, "threads");
  {
    g_autoptr (LsAdviceVerdict) verdict = judge (wide, "b = sch.get_block(\"Y\", func_name=\"main\")\nsch.parallel(sch.get_loops(b)[0])\n", &many, 0.0);

    g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_THREADS);
  }
}

/* Four cores add to numbers of one line, again and again in memory; with lines of their own they do not disturb each other, nor do they where a sum stays in a
 * register until its row is done. */
static void
test_sharing (void)
{
  static const char few[] = HEAD
    "    def main(X: T.Buffer((4, 16384, 4), \"float32\"), Y: T.Buffer((4, %d), \"float32\")):\n"
    "        for i, k, j in T.grid(4, 16384, 4):\n"
    "            with T.block(\"Y\"):\n"
    "                vi, vk, vj = T.axis.remap(\"SRS\", [i, k, j])\n"
    "                with T.init():\n"
    "                    Y[vi, vj] = T.float32(0)\n"
    "                Y[vi, vj] = Y[vi, vj] + X[vi, vk, vj]\n";
  LsAdviceMachine many = one;
  const char *spread = "b = sch.get_block(\"Y\", func_name=\"main\")\nsch.parallel(sch.get_loops(b)[0])\n";
  const char *inside = "b = sch.get_block(\"Y\", func_name=\"main\")\ni, k, j = sch.get_loops(b)\nsch.reorder(j, k)\nsch.parallel(i)\n";
  g_autofree char *near = g_strdup_printf (few, 4);
  g_autofree char *apart = g_strdup_printf (few, 64);
  g_autoptr (LsAdviceVerdict) verdict = NULL, kept = NULL;

  many.cores = 4;
  expect (near, spread, &many, "sharing");
  verdict = judge (apart, spread, &many, 0.0);
  g_assert_cmpint (verdict->reasons[0].cause, !=, LS_CAUSE_SHARING);
  kept = judge (near, inside, &many, 0.0);
  g_assert_cmpint (kept->reasons[0].cause, !=, LS_CAUSE_SHARING);
}

/* ---- what is not known ------------------------------------------------------------------ */

static void
test_unknown (void)
{
  g_autoptr (LsAdviceVerdict) sizes = judge (symbolic, NULL, &one, 1e-3);
  g_autoptr (LsAdviceVerdict) slow = judge (product, NULL, &one, 100.0);
  g_autoptr (LsAdviceVerdict) fair = judge (product, NULL, &one, 0.05);

  g_assert_false (sizes->known);
  g_assert_nonnull (strstr (sizes->sentence, "loop i"));
  g_assert_false (slow->known);
  g_assert_nonnull (strstr (slow->sentence, "not known"));
  g_assert_true (fair->known);
}

/* Numbers that lie far apart, or where nobody can say: with few of them in the first cache they cost nothing. */
static void
test_scattered (void)
{
  static const char program[] = HEAD
    "    def main(X: T.Buffer((%d,), \"float32\"), I: T.Buffer((65536,), \"int32\"), Y: T.Buffer((65536,), \"float32\")):\n"
    "        for i in range(65536):\n"
    "            with T.block(\"Y\"):\n"
    "                vi = T.axis.spatial(65536, i)\n"
    "                Y[vi] = X[%s]\n";
  static const char *const places[] = { "vi * 1299721 % 1024", "I[vi]" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    for (guint large = 0; large < 2; large++)
      {
        g_autofree char *text = g_strdup_printf (program, large ? 1 << 24 : 1 << 10, i == 0 && large ? "vi * 1299721 % 16777216" : places[i]);
        g_autoptr (LsAdviceVerdict) verdict = judge (text, NULL, &one, 0.0);

        g_test_message ("%s", verdict->sentence);
        g_assert_cmpint (verdict->reasons[0].cause == LS_CAUSE_LATENCY, ==, large);
        g_assert_cmpfloat (verdict->share, <, 1.0);
      }
}

/* Rows that lie apart: of a large buffer only what is touched has to come, and that fits the third cache: it does not come from memory.  (Measured with these
 * rows and with few of them: 146 us where 16 times as many bytes of the second cache took 49.) */
static void
test_rows_apart (void)
{
  static const char program[] = HEAD
    "    def main(E: T.Buffer((50000, 256), \"float32\"), Y: T.Buffer((2048, 256), \"float32\")):\n"
    "        for i, j in T.grid(2048, 256):\n"
    "            with T.block(\"Y\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                Y[vi, vj] = E[vi * 7919 % 50000, vj]\n";
  g_autoptr (LsAdviceVerdict) verdict = judge (program, NULL, &one, 0.0);

  g_test_message ("%s", verdict->sentence);
  g_assert_cmpint (verdict->reasons[0].cause, ==, LS_CAUSE_BANDWIDTH);
  g_assert_cmpstr (verdict->reasons[0].behind, ==, "L3");
  g_assert_cmpfloat (verdict->share, <, 1.0);
}

/* Of samples that lie together the middle one, of others the least. */
static void
test_own_seconds (void)
{
  g_assert_cmpfloat (ls_advice_own_seconds (1.0, 1.1, 1.2), ==, 1.1);
  g_assert_cmpfloat (ls_advice_own_seconds (1.0, 1.1, 1.7), ==, 1.0);
  g_assert_cmpfloat (ls_advice_own_seconds (1.0, 5.0, 6.0), ==, 1.0);
  g_assert_cmpfloat (ls_advice_own_seconds (0.0, 5.0, 6.0), ==, 5.0);
}

/* A machine with vectors of 16 numbers has steps of its own where somebody wrote some. */
static void
test_steps_file (void)
{
  g_autofree char *both = ls_test_path ("../data/samples/matmul_512_steps.py"), *conv = ls_test_path ("../data/samples/conv2d_steps.py");
  g_autofree char *wide = ls_advice_steps_file (both, 16), *narrow = ls_advice_steps_file (both, 8), *only = ls_advice_steps_file (conv, 16);

  g_assert_true (g_str_has_suffix (wide, "/matmul_512_steps.avx512.py"));
  g_assert_cmpstr (narrow, ==, both);
  g_assert_cmpstr (only, ==, conv);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advice/verdict/chain", test_chain);
  g_test_add_func ("/advice/verdict/scan", test_scan);
  g_test_add_func ("/advice/verdict/tile", test_tile);
  g_test_add_func ("/advice/verdict/lanes", test_lanes);
  g_test_add_func ("/advice/verdict/halved", test_halved);
  g_test_add_func ("/advice/verdict/vector-loads", test_vector_loads);
  g_test_add_func ("/advice/verdict/latency", test_latency);
  g_test_add_func ("/advice/verdict/bandwidth", test_bandwidth);
  g_test_add_func ("/advice/verdict/calls", test_calls);
  g_test_add_func ("/advice/verdict/calls-in-vectors", test_calls_in_vectors);
  g_test_add_func ("/advice/verdict/cores", test_cores);
  g_test_add_func ("/advice/verdict/order", test_order);
  g_test_add_func ("/advice/verdict/overhead", test_overhead);
  g_test_add_func ("/advice/verdict/triangle", test_triangle);
  g_test_add_func ("/advice/verdict/by-itself", test_by_itself);
  g_test_add_func ("/advice/verdict/border", test_border);
  g_test_add_func ("/advice/verdict/arithmetic", test_arithmetic);
  g_test_add_func ("/advice/verdict/threads", test_threads);
  g_test_add_func ("/advice/verdict/sharing", test_sharing);
  g_test_add_func ("/advice/verdict/unknown", test_unknown);
  g_test_add_func ("/advice/verdict/scattered", test_scattered);
  g_test_add_func ("/advice/verdict/rows-apart", test_rows_apart);
  g_test_add_func ("/advice/verdict/own-seconds", test_own_seconds);
  g_test_add_func ("/advice/verdict/steps-file", test_steps_file);
  g_test_add_func ("/advice/verdict/touched", test_touched);
  return g_test_run ();
}
