/* No lowering pass changes what a program computes: random programs, the interpreter after each pass. */
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

typedef struct {
  GBytes     *want;
  const char *program;
} Expected;

static void
complain (Expected     *expected,
          const LsPass *pass,
          LsPrimFunc   *before,
          LsPrimFunc   *after,
          const char   *what)
{
  g_autofree char *b = ls_script_print (before, NULL, NULL);
  g_autofree char *a = ls_script_print (after, NULL, NULL);

  g_test_message ("%s: %s\n--- program\n%s\n--- before\n%s\n--- after\n%s", pass->name, what, expected->program, b, a);
  g_test_fail ();
}

static void
compare (const LsPass *pass,
         LsPrimFunc   *before,
         LsPrimFunc   *after,
         gint64        ns,
         gpointer      user_data)
{
  Expected *expected = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) got = NULL;

  if (g_test_failed ())
    return;
  got = ls_test_interpret_func (after, 11, &error);
  if (got == NULL || !g_bytes_equal (got, expected->want))
    complain (expected, pass, before, after, error != NULL ? error->message : "other numbers");
}

/* Passes that are run by name and keep what a program computes, each behind the one before. */
static const struct { const char *name; const char *option; } OTHERS[] = {
  { "ConvertSSA", NULL }, { "LoopPartition", "partition_const_loop" }, { "StorageRewrite", NULL },
};

static void
check_others (LsPrimFunc *func,
              Expected   *expected)
{
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (func), NULL), NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (OTHERS); i++)
    {
      const LsPass *pass = ls_pass_get (OTHERS[i].name);
      g_autoptr (LsMap) options = ls_map_empty ();
      g_autoptr (LsExpr) yes = ls_bool (TRUE);
      g_autoptr (LsModule) before = ls_ref (module);
      g_autoptr (GError) error = NULL;

      if (OTHERS[i].option != NULL)
        ls_take (&options, ls_map_set (options, OTHERS[i].option, yes));
      ls_take (&module, ls_pass_run_module_with (pass, before, options, &error));
      g_assert_no_error (error);
      compare (pass, (LsPrimFunc *) ls_module_get (before, "main"), (LsPrimFunc *) ls_module_get (module, "main"), 0, expected);
    }
}

static void
check_one (const char *program)
{
  g_autoptr (LsModule) module = ls_test_parse (program);
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, "main");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) want = ls_test_interpret_func (func, 11, &error);
  Expected expected = { want, program };
  g_autoptr (LsPrimFunc) lowered = NULL;

  g_assert_no_error (error);
  lowered = ls_lower (func, compare, &expected, &error);
  g_assert_no_error (error);
  check_others (lowered, &expected);
}

static void
test_random (void)
{
  guint n = ls_test_count (300, 3000);

  for (guint i = 0; i < n && !g_test_failed (); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (77000 + i);
      g_autofree char *program = ls_test_random_program (rand);

      check_one (program);
    }
}

/* Forms that random programs do not have. */
static const char *const PROGRAMS[] = {
  /* vectors, a guard, a scalar tail */
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((30,), \"float32\"), B: T.Buffer((30,), \"float32\")):\n"
  "        for i in range(8):\n            for j in T.vectorized(4):\n                with T.block(\"B\"):\n"
  "                    vi = T.axis.spatial(30, i * 4 + j)\n                    T.where(i * 4 + j < 30)\n"
  "                    B[vi] = T.max(A[vi] * T.float32(2), T.float32(1))\n",
  /* a window on a buffer */
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16, 16), \"float32\")):\n"
  "        for i, j in T.grid(4, 4):\n            with T.block(\"B\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                T.reads(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])\n                T.writes(B[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])\n"
  "                s0 = T.int32()\n                W = T.match_buffer(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4], (4, 4), strides=[s0, 1], offset_factor=1)\n"
  "                for a, b in T.grid(4, 4):\n                    B[vi * 4 + a, vj * 4 + b] = W[a, b] + T.Cast(\"float32\", s0)\n",
  /* unrolled, with a temporary that accumulates across the reduction loop */
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((6, 5), \"int32\"), B: T.Buffer((6,), \"int32\")):\n"
  "        C = T.alloc_buffer((6,), \"int32\")\n        for i in range(6):\n            for k in T.unroll(5):\n                with T.block(\"C\"):\n"
  "                    vi, vk = T.axis.remap(\"SR\", [i, k])\n                    with T.init():\n                        C[vi] = 0\n"
  "                    C[vi] = C[vi] + A[vi, vk]\n            with T.block(\"B\"):\n                vi = T.axis.spatial(6, i)\n"
  "                B[vi] = C[vi] * 2\n",
  /* an allocation whose shape speaks of the block's variables */
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((9, 4), \"int32\"), C: T.Buffer((9, 9), \"int32\")):\n"
  "        for i, j in T.grid(9, 9):\n            with T.block(\"C_o\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                T.reads(A[0:9, 0:4])\n                T.writes(C[vi, vj])\n"
  "                W = T.alloc_buffer((T.max(vi, vj) + 1 - T.min(vi, vj), 4), \"int32\")\n"
  "                for a, b in T.grid(T.max(vi, vj) + 1 - T.min(vi, vj), 4):\n                    with T.block(\"W\"):\n"
  "                        va = T.axis.spatial(T.max(vi, vj) + 1 - T.min(vi, vj), a)\n                        vb = T.axis.spatial(4, b)\n"
  "                        W[va, vb] = A[T.min(vi, vj) + va, vb]\n"
  "                C[vi, vj] = W[vi - T.min(vi, vj), 1] * W[vj - T.min(vi, vj), 2]\n",
  /* select, let, while, bool, int8 */
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((8,), \"int8\"), B: T.Buffer((8,), \"bool\"), C: T.Buffer((8,), \"int32\")):\n"
  "        for i in range(8):\n            with T.block(\"B\"):\n                vi = T.axis.spatial(8, i)\n                B[vi] = A[vi] > T.int8(1)\n"
  "        for i in range(8):\n            with T.block(\"C\"):\n                vi = T.axis.spatial(8, i)\n"
  "                C[vi] = T.Select(B[vi], T.Cast(\"int32\", A[vi]), vi // 3 - 2)\n",
};

static void
test_forms (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (PROGRAMS); i++)
    check_one (PROGRAMS[i]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/lower/forms", test_forms);
  g_test_add_func ("/property/lower/random", test_random);
  return g_test_run ();
}
