/* Where two programs part: a mistake made by hand is found at its element, its writes and its step; sums in another order are rounding. */
#include "engine/debug/debug.h"
#include "engine/schedule/schedule.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"
#define PRODUCT HEAD \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((16, 64)), B: T.Buffer((64, 16)), C: T.Buffer((16, 16))):\n" \
  "        Y = T.alloc_buffer((16, 16))\n" \
  "        for i, j, k in T.grid(16, 16, 64):\n" \
  "            with T.block(\"Y\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n" \
  "                with T.init():\n" \
  "                    Y[vi, vj] = T.float32(0)\n" \
  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n" \
  "        for i, j in T.grid(16, 16):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n"

static GVariant *
part (const char *left,
      const char *right)
{
  g_autoptr (LsModule) a = ls_test_parse (left);
  g_autoptr (LsModule) b = ls_test_parse (right);
  LsDebugInputs inputs = { NULL, NULL, 5 };
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_debug_part (a, b, NULL, &inputs, &error);

  g_assert_no_error (error);
  return answer;
}

static void
assert_text (GVariant   *answer,
             const char *key,
             const char *expected)
{
  const char *text = NULL;

  g_assert_true (g_variant_lookup (answer, key, "&s", &text));
  g_assert_cmpstr (text, ==, expected);
}

static char *
replaced (const char *text,
          const char *from,
          const char *to)
{
  g_autoptr (GString) result = g_string_new (text);

  g_assert_cmpuint (g_string_replace (result, from, to, 0), >, 0);
  return g_strdup (result->str);
}

static void
test_same (void)
{
  g_autofree char *renamed = replaced (PRODUCT, "vk", "v_k");
  g_autoptr (GVariant) answer = part (PRODUCT, renamed);

  assert_text (answer, "differ", "none");
  g_assert_false (g_variant_lookup (answer, "element", "&s", NULL));
}

/* A loop that ends one round early: the first element of Y is wrong, in its writes as many as there are rounds. */
static void
test_short_loop (void)
{
  g_autofree char *wrong = replaced (PRODUCT, "T.grid(16, 16, 64)", "T.grid(16, 16, 63)");
  g_autoptr (GVariant) answer = part (PRODUCT, wrong);
  guint64 left, right;

  assert_text (answer, "differ", "real");
  assert_text (answer, "element", "Y[0, 0]");
  g_assert_true (g_variant_lookup (answer, "left-n", "t", &left));
  g_assert_true (g_variant_lookup (answer, "right-n", "t", &right));
  g_assert_cmpuint (left, ==, 65);
  g_assert_cmpuint (right, ==, 64);
}

/* One element only: the write that differs is told. */
static void
test_one_element (void)
{
  g_autofree char *wrong = replaced (PRODUCT, "A[vi, vk] * B[vk, vj]", "T.Select(vi == 3 and vj == 5 and vk == 7, A[vi, vk] + T.float32(100) * B[vk, vj], A[vi, vk]) * B[vk, vj]");
  g_autoptr (GVariant) answer = part (PRODUCT, wrong);

  assert_text (answer, "differ", "real");
  assert_text (answer, "element", "Y[3, 5]");
  assert_text (answer, "why", "Write 9 of it is the first that differs.");
}

static void
test_never_written (void)
{
  g_autofree char *wrong = replaced (PRODUCT, "for i, j in T.grid(16, 16):", "for i, j in T.grid(16, 15):");
  g_autoptr (GVariant) answer = part (PRODUCT, wrong);
  const char *why;

  assert_text (answer, "differ", "real");
  g_assert_true (g_variant_lookup (answer, "why", "&s", &why));
  g_assert_cmpstr (why, ==, "The right program never writes it.");
}

/* The same terms from the last one to the first. */
static void
test_order (void)
{
  g_autofree char *turned = replaced (PRODUCT, "A[vi, vk] * B[vk, vj]", "A[vi, 63 - vk] * B[63 - vk, vj]");
  g_autoptr (GVariant) answer = part (PRODUCT, turned);
  const char *why;
  double ulp;

  assert_text (answer, "differ", "rounding");
  g_assert_true (g_variant_lookup (answer, "largest-ulp", "d", &ulp));
  g_assert_cmpfloat (ulp, >, 0);
  g_assert_true (g_variant_lookup (answer, "why", "&s", &why));
  g_assert_cmpstr (why, ==, "Rounding: the same 64 terms are added in another order.");
}

/* Steps of which one is replaced by a wrong program. */
static void
test_step (void)
{
  g_autoptr (LsModule) base = ls_test_parse (PRODUCT);
  g_autoptr (LsSource) steps = ls_source_new ("steps",
    "b = sch.get_block(\"Y\", \"main\")\ni, j, k = sch.get_loops(b)\nj0, j1 = sch.split(j, factors=[None, 4])\nsch.reorder(j0, k, j1)\nk0, k1 = sch.split(k, factors=[None, 8])\n"
    "sch.unroll(k1)\n", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSchedule) schedule = ls_schedule_new (base);
  LsDebugInputs inputs = { NULL, NULL, 5 };
  guint n;

  ls_schedule_apply_text (schedule, steps, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  n = ls_schedule_get_n_steps (schedule) + 1;
  for (guint broken = 0; broken < n; broken++)
    {
      g_autoptr (GPtrArray) modules = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      int found;

      for (guint i = 0; i < n; i++)
        {
          LsModule *module = ls_schedule_get_version (schedule, i)->module;
          g_autofree char *text = ls_script_print (module, NULL, NULL);
          g_autofree char *wrong = NULL;

          /* from step `broken` on something is wrong; 0: nothing is */
          if (broken > 0 && i >= broken)
            wrong = replaced (text, "B[vk, vj]", "B[vk, 15 - vj]");
          g_ptr_array_add (modules, ls_test_parse (wrong != NULL ? wrong : text));
        }
      found = ls_debug_first_step ((LsModule **) modules->pdata, modules->len, NULL, &inputs, NULL);
      g_assert_cmpint (found, ==, (int) broken);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/part/same", test_same);
  g_test_add_func ("/part/short-loop", test_short_loop);
  g_test_add_func ("/part/one-element", test_one_element);
  g_test_add_func ("/part/never-written", test_never_written);
  g_test_add_func ("/part/order", test_order);
  g_test_add_func ("/part/step", test_step);
  return g_test_run ();
}
