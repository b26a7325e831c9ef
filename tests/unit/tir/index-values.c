/* Numbers that index others: those that are valid, solved from the index. */
#include "engine/tir/index-values.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def main"
#define KEY HEAD "(K: T.Buffer((16,), \"int32\"), E: T.Buffer((100, 8), \"float32\"), Y: T.Buffer((16, 8), \"float32\")):\n"

static const struct {
  const char *program;
  gboolean    is_there;
  gint64      low, high;
  gboolean    rises;
} cases[] = {
  { KEY "        for i, j in T.grid(16, 8):\n            Y[i, j] = E[K[i], j]\n", TRUE, 0, 99, FALSE },
  /* The loop around takes its part: i of 0 to 15. */
  { KEY "        for i, j in T.grid(16, 8):\n            Y[i, j] = E[K[i] + i, j]\n", TRUE, 0, 84, FALSE },
  { KEY "        for i, j in T.grid(16, 8):\n            Y[i, j] = E[50 - K[i] * 2, j]\n", TRUE, -24, 25, FALSE },
  { KEY "        for i, j in T.grid(16, 8):\n            Y[i, j] = E[K[i] // 4 + 90, j]\n", TRUE, -360, 39, FALSE },
  /* What is clamped needs nothing on that side. */
  { KEY "        for i, j in T.grid(16, 8):\n            Y[i, j] = E[T.max(T.min(K[i], 99), 0), j]\n", FALSE, 0, 0, FALSE },
  { KEY "        for i, j in T.grid(16, 8):\n            Y[i, j] = E[T.min(K[i], 99), j]\n", TRUE, 0, 7, FALSE },
  /* Blocks, lets, casts; what is stored, and where. */
  { KEY "        for i, j in T.grid(16, 8):\n            with T.block(\"Y\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n                Y[vi, vj] = E[K[vi] - 1, vj]\n", TRUE, 1, 100, FALSE },
  { KEY "        for i in range(16):\n            Y[K[i], 0] = E[i, 0]\n", TRUE, 0, 15, FALSE },
  { KEY "        for i in range(16):\n            n: T.int32 = K[i]\n            Y[i, 0] = E[n, 0]\n", TRUE, 0, 99, FALSE },
  /* A copy hands on what it needs; two needs are met together. */
  { KEY "        L = T.alloc_buffer((16,), \"int32\")\n        for i in range(16):\n            L[i] = K[i] + 5\n        for i in range(16):\n            Y[i, 0] = E[L[i], 0]\n", TRUE, -5, 94, FALSE },
  { KEY "        for i in range(16):\n            Y[i, 0] = E[K[i], 0] + E[i, K[i]]\n", TRUE, 0, 7, FALSE },
  /* Rows that begin where others end. */
  { KEY "        for i in range(15):\n            for k in range(K[i + 1] - K[i]):\n                Y[i, 0] = E[K[i] + k, 0]\n", TRUE, 0, 100, TRUE },
  /* Vectors. */
  { KEY "        for i in range(16):\n            Y[i, T.Ramp(0, 1, 4)] = E[0, T.Ramp(K[i], 1, 4)]\n", TRUE, 0, 4, FALSE },
  /* No index: any number. */
  { KEY "        for i in range(16):\n            Y[i, 0] = T.Cast(\"float32\", K[i]) + E[i, 0]\n", FALSE, 0, 0, FALSE },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsSource) source = ls_source_new ("program", cases[i].program, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsModule) module = ls_script_parse (source, findings);
      LsPrimFunc *func;
      g_autoptr (GHashTable) values = NULL;
      const LsIndexValues *found;

      g_test_message ("%s", cases[i].program);
      g_assert_nonnull (module);
      func = (LsPrimFunc *) ls_module_get (module, "main");
      values = ls_index_values (func, NULL);
      found = g_hash_table_lookup (values, ls_prim_func_get_buffer (func, 0)->data);
      g_assert_cmpint (found != NULL, ==, cases[i].is_there);
      if (found == NULL)
        continue;
      g_assert_cmpint (found->low, ==, cases[i].low);
      g_assert_cmpint (found->high, ==, cases[i].high);
      g_assert_cmpint (found->rises, ==, cases[i].rises);
    }
}

/* Extents that are no numbers demand nothing until they are given. */
static void
test_sizes (void)
{
  static const char program[] = HEAD "(k: T.handle, e: T.handle, Y: T.Buffer((16,), \"float32\")):\n        n = T.int32()\n"
    "        K = T.match_buffer(k, (16,), \"int32\")\n        E = T.match_buffer(e, (n,))\n        for i in range(16):\n            Y[i] = E[K[i]]\n";
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, "main");
  g_autoptr (GHashTable) none = ls_index_values (func, NULL), some = NULL;
  const LsIndexValues *found;

  g_ptr_array_add (sizes, (char *) "n=300");
  some = ls_index_values (func, sizes);
  g_assert_cmpuint (g_hash_table_size (none), ==, 0);
  found = g_hash_table_lookup (some, ls_prim_func_get_buffer (func, 0)->data);
  g_assert_nonnull (found);
  g_assert_cmpint (found->high, ==, 299);
  g_assert_cmpstr (found->of, ==, "E");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tir/index-values/cases", test_cases);
  g_test_add_func ("/tir/index-values/sizes", test_sizes);
  return g_test_run ();
}
