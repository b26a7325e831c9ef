/* The order of accesses that depends on data is that of a run on the numbers which are told: it goes where the index says. */
#include "engine/debug/debug.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

#define GATHER "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n" \
               "    def main(A: T.Buffer((100,), \"float32\"), K: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"float32\")):\n" \
               "        for i in range(16):\n            B[i] = A[%s]\n"

static LsModule *
module_of (const char *index)
{
  g_autofree char *text = g_strdup_printf (GATHER, index);
  g_autoptr (LsSource) source = ls_source_new ("gather", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_nonnull (module);
  return module;
}

/* Elements of A in their order. (transfer full) of gint64 */
static GArray *
of_a (const LsAccessOrder *order)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < order->accesses->len; i++)
    {
      const LsAccess *access = &g_array_index (order->accesses, LsAccess, i);

      if (strcmp (g_array_index (order->buffers, LsAccessBuffer, access->buffer).name, "A") == 0)
        g_array_append_val (list, access->element);
    }
  return list;
}

static LsAccessOrder *
order_of (LsModule *module,
          guint64   seed)
{
  LsDebugInputs inputs = { .seed = seed };
  g_autoptr (GError) error = NULL;
  LsAccessOrder *order = ls_debug_access_order ((LsPrimFunc *) ls_module_get (module, "main"), 1000, &inputs, NULL, &error);

  g_assert_no_error (error);
  return order;
}

static void
test_follows_data (void)
{
  g_autoptr (LsModule) module = module_of ("K[i]"), fixed = module_of ("99 - i");
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, "main");
  LsDebugInputs inputs = { .seed = 7 };
  g_autoptr (GError) error = NULL, refused = NULL;
  g_autoptr (GArray) args = ls_debug_arguments (func, &inputs, &error), seen = NULL, other = NULL, known = NULL;
  g_autoptr (LsAccessOrder) order = order_of (module, 7), again = order_of (module, 8), without = order_of (fixed, 7);
  const gint32 *k = g_array_index (args, LsInterpArg, 1).data;

  g_assert_false (ls_access_order_is_known (func, &refused));
  g_assert_nonnull (strstr (refused->message, "depends on K"));
  seen = of_a (order);
  g_assert_cmpuint (seen->len, ==, 16);
  for (guint i = 0; i < 16; i++)
    g_assert_cmpint (g_array_index (seen, gint64, i), ==, k[i]);
  g_assert_cmpstr (order->data, ==, "K: 0\u201399; seed 7");
  /* Other numbers, another order. */
  other = of_a (again);
  g_assert_true (memcmp (seen->data, other->data, 16 * sizeof (gint64)) != 0);
  /* What does not depend on data needs none. */
  known = of_a (without);
  g_assert_cmpint (g_array_index (known, gint64, 1), ==, 98);
  g_assert_null (without->data);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/debug/accesses/follows-data", test_follows_data);
  return g_test_run ();
}
