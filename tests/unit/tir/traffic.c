/* Bytes that a cache fetches, on nests where they can be counted by hand; and what two signatures have in common. */
#include "engine/script/script.h"
#include "engine/tir/signature.h"
#include "engine/tir/traffic.h"

#define HEAD "from tvm.script import tir as T\n\n@T.prim_func\n"

/* 64 x 64 floats: a matrix has 16 KiB, a row 256 B. */
static const char product[] = HEAD
  "def main(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), C: T.Buffer((64, 64), \"float32\")):\n"
  "    for i, j, k in T.grid(64, 64, 64):\n"
  "        with T.block(\"C\"):\n"
  "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "            with T.init():\n"
  "                C[vi, vj] = T.float32(0)\n"
  "            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
static const char doubled[] = HEAD
  "def main(A: T.Buffer((1000,), \"float32\"), B: T.Buffer((1000,), \"float32\")):\n"
  "    for i in range(1000):\n"
  "        with T.block(\"B\"):\n"
  "            vi = T.axis.spatial(1000, i)\n"
  "            B[vi] = A[vi] * T.float32(2)\n";
/* A block around that declares nothing. */
static const char wrapped[] = HEAD
  "def main(A: T.Buffer((1000,), \"float32\"), B: T.Buffer((1000,), \"float32\")):\n"
  "    with T.block(\"outer\"):\n"
  "        T.reads()\n"
  "        T.writes()\n"
  "        for i in range(1000):\n"
  "            with T.block(\"B\"):\n"
  "                vi = T.axis.spatial(1000, i)\n"
  "                B[vi] = A[vi] * T.float32(2)\n";
static const char symbolic[] = HEAD
  "def main(a: T.handle):\n"
  "    n = T.int32()\n"
  "    A = T.match_buffer(a, (n,))\n"
  "    for i in range(n):\n"
  "        with T.block(\"A\"):\n"
  "            vi = T.axis.spatial(n, i)\n"
  "            A[vi] = T.float32(2)\n";

/* Row i has i + 1 numbers; window w goes from 7 w // 3 to that of w + 1, in a block of its own whose variable it is. */
static const char triangle[] = HEAD
  "def main(A: T.Buffer((64, 64), \"float32\"), Y: T.Buffer((64,), \"float32\")):\n"
  "    for i in range(64):\n"
  "        for j in range(i + 1):\n"
  "            for k in range(2):\n"
  "                Y[i] = Y[i] + A[i, j]\n";
static const char windows[] = HEAD
  "def main(A: T.Buffer((7,), \"float32\"), Y: T.Buffer((3,), \"float32\")):\n"
  "    for w in range(3):\n"
  "        with T.block(\"Y\"):\n"
  "            vw = T.axis.spatial(3, w)\n"
  "            T.reads(A[0:7])\n"
  "            T.writes(Y[vw])\n"
  "            for k in range((vw + 1) * 7 // 3 - vw * 7 // 3):\n"
  "                Y[vw] = Y[vw] + A[vw * 7 // 3 + k]\n";
static const char gathered[] = HEAD
  "def main(A: T.Buffer((64,), \"int32\"), Y: T.Buffer((64,), \"float32\")):\n"
  "    for i in range(64):\n"
  "        for j in range(A[i]):\n"
  "            Y[i] = Y[i] + T.float32(1)\n";

static LsModule *
read_module (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("text", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  g_assert_false (ls_diagnostics_has_error (diagnostics));
  return module;
}

static double
fetched (const char *text,
         gint64      cache)
{
  g_autoptr (LsModule) module = read_module (text);
  LsPrimFunc *func = (LsPrimFunc *) module->functions->items[0];
  g_autoptr (LsCostTable) costs = ls_cost_table_new (func);

  return ls_cost_traffic (func, costs, cache);
}

static void
test_traffic (void)
{
  const double matrix = 64 * 64 * 4;

  /* Everything fits: each matrix once. */
  g_assert_cmpfloat (fetched (product, 1 << 20), ==, 3 * matrix);
  /* A round of j fits: for each i a row of A and C, and all of B. */
  g_assert_cmpfloat (fetched (product, 8192), ==, 64 * (matrix + 2 * 256));
  /* A round of k fits and nothing else. */
  g_assert_cmpfloat (fetched (product, 12), ==, 64.0 * 64 * (2 * 256 + 4));
  g_assert_cmpfloat (fetched (doubled, 64), ==, 8000);
  g_assert_cmpfloat (fetched (wrapped, 64), ==, 8000);
  g_assert_cmpfloat (fetched (symbolic, 64), <, 0);
}

static double
operations (const char *text)
{
  g_autoptr (LsModule) module = read_module (text);
  g_autoptr (LsCostTable) costs = ls_cost_table_new ((LsPrimFunc *) module->functions->items[0]);

  g_assert_true ((costs->flop < 0.0) == (costs->reason != NULL));
  return costs->flop;
}

/* Loops whose rounds depend on those around them. */
static void
test_rounds (void)
{
  g_assert_cmpfloat (operations (triangle), ==, 2 * 64 * 65 / 2);
  g_assert_cmpfloat (operations (windows), ==, 7);
  g_assert_cmpfloat (operations (gathered), <, 0);
  /* For each i a row of A, as long as it can be, and one number of Y; where nothing fits each access counts. */
  g_assert_cmpfloat (fetched (triangle, 4096), >=, 64 * 4 + 64 * 65 / 2 * 4);
  g_assert_cmpfloat (fetched (triangle, 4), ==, 64.0 * 65 / 2 * 2 * 8);
}

static LsSignatureDiff
compare (const char *a,
         const char *b,
         guint      *param)
{
  g_autoptr (LsModule) left = read_module (a);
  g_autoptr (LsModule) right = read_module (b);

  return ls_prim_func_compare_signature ((LsPrimFunc *) left->functions->items[0], (LsPrimFunc *) right->functions->items[0], param);
}

static void
test_signature (void)
{
  static const char longer[] = HEAD "def main(A: T.Buffer((1000,), \"float32\"), B: T.Buffer((1001,), \"float32\")):\n    B[0] = A[0]\n";
  static const char other[] = HEAD "def main(A: T.Buffer((1000,), \"float32\"), B: T.Buffer((1000,), \"float16\")):\n    T.evaluate(0)\n";
  static const char number[] = HEAD "def main(A: T.Buffer((1000,), \"float32\"), B: T.int32):\n    T.evaluate(0)\n";
  guint param;

  g_assert_cmpint (compare (doubled, doubled, NULL), ==, LS_SIGNATURE_SAME);
  g_assert_cmpint (compare (symbolic, symbolic, NULL), ==, LS_SIGNATURE_SAME);
  g_assert_cmpint (compare (doubled, product, &param), ==, LS_SIGNATURE_COUNT);
  g_assert_cmpint (compare (doubled, longer, &param), ==, LS_SIGNATURE_SHAPE);
  g_assert_cmpuint (param, ==, 1);
  g_assert_cmpint (compare (doubled, other, &param), ==, LS_SIGNATURE_DTYPE);
  g_assert_cmpint (compare (doubled, number, &param), ==, LS_SIGNATURE_KIND);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tir/traffic/bytes", test_traffic);
  g_test_add_func ("/tir/traffic/rounds", test_rounds);
  g_test_add_func ("/tir/signature", test_signature);
  return g_test_run ();
}
