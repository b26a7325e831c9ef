/* What programs do wrong on threads: each found with its buffer, line and threads, and what is right is not. */
#include "tests/unit/simt/support.h"

#include <string.h>

#define TWO "A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")"
typedef struct {
  const char *name;
  const char *parameters;
  const char *body;             /* of the function, by hand: its barriers are those that it has, none are put in */
  int         kind;             /* -1: no finding */
  guint       line;             /* of the finding; the body begins in line 6 */
  const char *says;
} Case;

/* Lowered by hand, so that no pass adds a barrier. */
static const Case CASES[] = {
  { "neighbours race within a warp", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([32], \"float32\", \"shared\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((32,), data=S_data, scope=\"shared\")\n"
    "    S[t] = A[t]\n"
    "    B[t] = S[31 - t]\n", LS_SIMT_RACE, 11, "with no barrier between them" },
  { "the same with a barrier", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([32], \"float32\", \"shared\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((32,), data=S_data, scope=\"shared\")\n"
    "    S[t] = A[t]\n"
    "    T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
    "    B[t] = S[31 - t]\n", -1, 0, NULL },
  { "a barrier of the warp orders a warp", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([32], \"float32\", \"shared\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((32,), data=S_data, scope=\"shared\")\n"
    "    S[t] = A[t]\n"
    "    T.evaluate(T.tvm_storage_sync(\"warp\"))\n"
    "    B[t] = S[31 - t]\n", -1, 0, NULL },
  { "but not two warps", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([64], \"float32\", \"shared\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 64)\n"
    "    S = T.Buffer((64,), data=S_data, scope=\"shared\")\n"
    "    S[t] = A[t]\n"
    "    T.evaluate(T.tvm_storage_sync(\"warp\"))\n"
    "    B[t] = S[63 - t]\n", LS_SIMT_RACE, 10, "with no barrier between them" },
  { "a write behind reads of the round before", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([32], \"float32\", \"shared\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((32,), data=S_data, scope=\"shared\")\n"
    "    for k in range(2):\n"
    "        S[t] = A[k * 32 + t]\n"
    "        T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
    "        B[k * 32 + t] = S[31 - t]\n", LS_SIMT_RACE, 11, "(loops k)" },
  { "blocks are never in order", TWO,
    "with T.launch_thread(\"blockIdx.x\", 2) as b:\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    B[t] = A[b * 32 + t]\n", LS_SIMT_RACE, 8, "of block (0, 0, 0)" },
  { "the same value twice", TWO,
    "with T.launch_thread(\"blockIdx.x\", 2) as b:\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    B[t] = T.float32(3)\n", LS_SIMT_SAME_VALUE, 8, "no harm" },
  { "a barrier that half a warp reaches", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    if t < 16:\n"
    "        T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
    "        B[t] = A[t]\n", LS_SIMT_BARRIER, 9, "thread (16, 0, 0) of block (0, 0, 0) does not come" },
  { "a barrier that one warp reaches", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    t = T.launch_thread(\"threadIdx.x\", 64)\n"
    "    if t < 32:\n"
    "        T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
    "        B[t] = A[t]\n", LS_SIMT_BARRIER, 9, "thread (32, 0, 0) of block (0, 0, 0) does not come" },
  { "shared memory that nobody wrote", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([33], \"float32\", \"shared\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((33,), data=S_data, scope=\"shared\")\n"
    "    S[t] = A[t]\n"
    "    T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
    "    B[t] = S[t + 1]\n", LS_SIMT_UNWRITTEN, 12, "Element 32 of S (shared memory) is read" },
  { "local memory that the thread did not write", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([2], \"float32\", \"local\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((2,), data=S_data, scope=\"local\")\n"
    "    S[0] = A[t]\n"
    "    B[t] = S[1]\n", LS_SIMT_UNWRITTEN, 11, "Element 1 of S (local memory)" },
  { "a shuffle from a thread that is not there", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    R_data = T.allocate([1], \"float32\", \"local\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 8)\n"
    "    R = T.Buffer((1,), data=R_data, scope=\"local\")\n"
    "    R[0] = A[t]\n"
    "    R[0] = R[0] + T.tvm_warp_shuffle_down(T.uint32(255), R[0], 4, 32, 32)\n"
    "    B[t] = R[0]\n", LS_SIMT_SHUFFLE, 11, "thread (4, 0, 0) of block (0, 0, 0) reads from lane 8 of its warp" },
  { "the same where only lanes that have a partner count", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    R_data = T.allocate([1], \"float32\", \"local\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 8)\n"
    "    R = T.Buffer((1,), data=R_data, scope=\"local\")\n"
    "    R[0] = A[t]\n"
    "    R[0] = R[0] + T.tvm_warp_shuffle_down(T.uint32(255), R[0], 4, 32, 32)\n"
    "    R[0] = R[0] + T.tvm_warp_shuffle_down(T.uint32(255), R[0], 2, 32, 32)\n"
    "    R[0] = R[0] + T.tvm_warp_shuffle_down(T.uint32(255), R[0], 1, 32, 32)\n"
    "    R[0] = T.tvm_warp_shuffle(T.uint32(255), R[0], 0, 32, 32)\n"
    "    B[t] = R[0]\n", -1, 0, NULL },
  { "a buffer that says less than its memory has", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([2], \"float32\", \"local\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((1,), data=S_data, scope=\"local\")\n"
    "    S[1] = A[t]\n"
    "    B[t] = S[1]\n", -1, 0, NULL },
  { "an index outside of local memory", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    S_data = T.allocate([2], \"float32\", \"local\")\n"
    "    t = T.launch_thread(\"threadIdx.x\", 32)\n"
    "    S = T.Buffer((3,), data=S_data, scope=\"local\")\n"
    "    S[2] = A[t]\n"
    "    B[t] = A[t]\n", LS_SIMT_BOUNDS, 10, "S is accessed at 2 in line 10 by thread (0, 0, 0)" },
  { "an index outside", TWO,
    "with T.launch_thread(\"blockIdx.x\", 1) as b:\n"
    "    t = T.launch_thread(\"threadIdx.x\", 65)\n"
    "    B[t] = A[63 - T.min(t, 63)]\n", LS_SIMT_BOUNDS, 8, "B is accessed at 64 in line 8 by thread (64, 0, 0)" },
};

static LsSimtRun *
run_of (const Case *c)
{
  g_auto (GStrv) lines = g_strsplit (c->body, "\n", -1);
  g_autofree char *indented = g_strjoinv ("\n    ", lines);
  g_autofree char *program = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(%s):\n    T.func_attr({\"tir.noalias\": True})\n    %s\n",
                                              c->parameters, indented);
  g_autoptr (LsPrimFunc) func = simt_test_read (program, "");
  g_autoptr (GPtrArray) arrays = ls_test_arrays (func, 1);

  return simt_test_run (func, arrays, NULL);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (LsSimtRun) run = run_of (c);
  LsSimtFinding *finding;

  if (c->kind < 0)
    {
      for (guint i = 0; i < run->findings->len; i++)
        g_error ("%s", ((LsSimtFinding *) run->findings->pdata[i])->text);
      return;
    }
  g_assert_cmpuint (run->findings->len, >=, 1);
  finding = run->findings->pdata[0];
  g_test_message ("%s", finding->text);
  g_assert_cmpint (finding->kind, ==, c->kind);
  g_assert_cmpuint (finding->line, ==, c->line);
  g_assert_nonnull (strstr (finding->text, c->says));
  g_assert_cmpuint (ls_simt_run_n_faults (run), ==, c->kind == LS_SIMT_SAME_VALUE ? 0 : run->findings->len);
}

/* Limits and programs that cannot run are errors, each a sentence with the number. */
static void
test_refusals (void)
{
  static const struct { const char *body, *says; } REFUSED[] = {
    { "with T.launch_thread(\"blockIdx.x\", 1) as b:\n        t = T.launch_thread(\"threadIdx.x\", 2048)\n        B[0] = A[0]\n",
      "A block has 2048 threads (2048 x 1 x 1); the simulator allows 1024." },
    { "with T.launch_thread(\"blockIdx.x\", 1) as b:\n        S_data = T.allocate([20000], \"float32\", \"shared\")\n        t = T.launch_thread(\"threadIdx.x\", 2)\n"
      "        S = T.Buffer((20000,), data=S_data, scope=\"shared\")\n        S[t] = A[t]\n", "A block needs 80000 bytes of shared memory; the simulator has 49152 for a block." },
    { "for i in range(64):\n        B[i] = A[i]\n", "No loop is bound to threads" },
    { "for i in range(64):\n        B[i] = A[i]\n    with T.launch_thread(\"threadIdx.x\", 64) as t:\n        B[t] = A[t]\n", "A is read outside of any thread" },
    { "with T.launch_thread(\"blockIdx.x\", 1) as b:\n        with T.launch_thread(\"threadIdx.x\", b + 1) as t:\n            B[0] = A[0]\n",
      "The extent of threadIdx.x is known to threads only" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (REFUSED); i++)
    {
      g_autofree char *program = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(" TWO "):\n    %s\n", REFUSED[i].body);
      g_autoptr (LsPrimFunc) func = simt_test_read (program, "");
      g_autoptr (GPtrArray) arrays = ls_test_arrays (func, 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsSimtRun) run = simt_test_try (func, arrays, NULL, &error);

      g_assert_null (run);
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, REFUSED[i].says));
    }
}

static const char *
other_words (const char *text)
{
  return g_str_has_prefix (text, "%s is read outside") ? "Kein Thread liest %s." : text;
}

/* A refusal is a sentence of the catalogues. */
static void
test_translated (void)
{
  g_autoptr (LsPrimFunc) func = simt_test_read ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(" TWO "):\n    for i in range(64):\n        B[i] = A[i]\n"
                                                "    with T.launch_thread(\"threadIdx.x\", 64) as t:\n        B[t] = A[t]\n", "");
  g_autoptr (GPtrArray) arrays = ls_test_arrays (func, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSimtRun) run = NULL;

  ls_set_translator (other_words);
  run = simt_test_try (func, arrays, NULL, &error);
  ls_set_translator (NULL);
  g_assert_null (run);
  g_assert_cmpstr (error->message, ==, "Kein Thread liest A.");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *name = g_strdup (CASES[i].name);
      g_autofree char *path = g_strconcat ("/simt/findings/", g_strdelimit (name, " ", '-'), NULL);

      g_test_add_data_func (path, &CASES[i], test_case);
    }
  g_test_add_func ("/simt/findings/refusals", test_refusals);
  g_test_add_func ("/simt/findings/translated", test_translated);
  return g_test_run ();
}
