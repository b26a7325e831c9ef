/* Two programs in step: wherever the leading one stands, the other one makes the same element at the same of its writes. */
#include "engine/debug/debug.h"
#include "engine/schedule/schedule.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define PROGRAM \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((6, 8)), B: T.Buffer((8, 4)), C: T.Buffer((6, 4))):\n" \
  "        Y = T.alloc_buffer((6, 4))\n" \
  "        for i, j, k in T.grid(6, 4, 8):\n" \
  "            with T.block(\"Y\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n" \
  "                with T.init():\n" \
  "                    Y[vi, vj] = T.float32(0)\n" \
  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n" \
  "        for i, j in T.grid(6, 4):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n"
#define STEPS \
  "b = sch.get_block(\"Y\", \"main\")\ni, j, k = sch.get_loops(b)\nk0, k1 = sch.split(k, factors=[None, 4])\nsch.reorder(k0, j, i, k1)\n"

static LsModule *
after (const char *steps)
{
  g_autoptr (LsModule) base = ls_test_parse (PROGRAM);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSchedule) schedule = ls_schedule_new (base);

  ls_schedule_apply_text (schedule, source, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  return ls_ref (ls_schedule_get_module (schedule));
}

static LsDebugPair *
open_pair (const char *right_text)
{
  g_autoptr (LsModule) left = ls_test_parse (PROGRAM);
  g_autoptr (LsModule) right = right_text != NULL ? ls_test_parse (right_text) : after (STEPS);
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, 3 };
  LsDebugPair *pair = ls_debug_pair_new (left, right, NULL, &inputs, &error);

  g_assert_no_error (error);
  return pair;
}

static GVariant *
say (LsDebugPair *pair,
     guint        leads,
     const char  *line)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_debug_pair_command (pair, leads, line, &error);

  g_assert_no_error (error);
  return answer;
}

/* The element that the next statement of a side writes, "" where it is none that writes. */
static char *
written (GVariant   *answer,
         const char *side)
{
  g_autoptr (GVariant) look = g_variant_lookup_value (answer, side, G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) accesses = g_variant_lookup_value (look, "accesses", G_VARIANT_TYPE ("aa{sv}"));

  for (gsize i = 0; accesses != NULL && i < g_variant_n_children (accesses); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (accesses, i);
      const char *kind = "", *words = "";

      if (g_variant_lookup (one, "kind", "&s", &kind) && strcmp (kind, "write") == 0 && g_variant_lookup (one, "words", "&s", &words))
        return g_strdup (words);
    }
  return g_strdup ("");
}

static const char *
text_of (GVariant   *answer,
         const char *key)
{
  const char *text = "";

  g_variant_lookup (answer, key, "&s", &text);
  return text;
}

/* From each write of either side: the other one stands before a write of the same element, and what was summed by then is the same, as
 * the order of its terms is. */
static void
test_same_element (void)
{
  g_autoptr (LsDebugPair) pair = open_pair (NULL);

  for (guint leads = 0; leads < 2; leads++)
    for (guint n = 0; n < 6 * 4 * 9 + 24; n++)
      {
        g_autofree char *line = g_strdup_printf ("goto-write %u", n);
        g_autoptr (GVariant) answer = say (pair, leads, line);
        g_autofree char *left = written (answer, "left");
        g_autofree char *right = written (answer, "right");
        guint at = 0, of = 0;

        g_assert_cmpstr (left, ==, right);
        g_assert_cmpstr (text_of (answer, "element"), ==, left);
        g_assert_cmpstr (text_of (answer, "differ"), ==, "none");
        g_assert_cmpstr (text_of (answer, "value-left"), ==, text_of (answer, "value-right"));
        g_assert_true (g_variant_lookup (answer, "at", "u", &at) && g_variant_lookup (answer, "of", "u", &of));
        g_assert_cmpuint (at, ==, n);
        g_assert_cmpuint (of, ==, 6 * 4 * 9 + 24);
      }
}

/* Steps of any kind, in either direction: never out of step. */
static void
test_walk (void)
{
  static const char *const moves[] = { "step", "back", "over", "back-over", "step 7", "back 5", "write Y", "back-write", "end", "start" };
  g_autoptr (LsDebugPair) pair = open_pair (NULL);

  for (guint n = 0; n < 200; n++)
    {
      guint leads = (guint) g_test_rand_int_range (0, 2);
      g_autoptr (GVariant) answer = say (pair, leads, moves[g_test_rand_int_range (0, G_N_ELEMENTS (moves))]);
      g_autofree char *element = g_strdup (text_of (answer, "element"));
      g_autofree char *other = written (answer, leads == 0 ? "right" : "left");

      if (*element != '\0')
        g_assert_cmpstr (other, ==, element);
      else
        g_assert_cmpint (ls_run_get_state (ls_debug_get_run (ls_debug_pair_get (pair, 1 - leads))), ==, LS_RUN_FINISHED);
    }
}

static char *
replaced (const char *from,
          const char *to)
{
  g_autoptr (GString) result = g_string_new (PROGRAM);

  g_assert_cmpuint (g_string_replace (result, from, to, 0), >, 0);
  return g_strdup (result->str);
}

/* A mistake is seen at the last write of its element, a sum in another order is rounding at most. */
static void
test_differ (void)
{
  g_autofree char *wrong = replaced ("T.max(Y[vi, vj], T.float32(0))", "T.max(Y[vi, 3 - vj], T.float32(1))");
  g_autofree char *turned = replaced ("A[vi, vk] * B[vk, vj]", "A[vi, 7 - vk] * B[7 - vk, vj]");
  g_autoptr (LsDebugPair) bad = open_pair (wrong);
  g_autoptr (LsDebugPair) other = open_pair (turned);
  guint n_real = 0, n_way = 0;

  for (guint n = 0; n < 240; n++)
    {
      g_autofree char *line = g_strdup_printf ("goto-write %u", n);
      g_autoptr (GVariant) first = say (bad, 0, line);
      g_autoptr (GVariant) second = say (other, 0, line);

      n_real += strcmp (text_of (first, "differ"), "real") == 0;
      if (strcmp (text_of (first, "differ"), "real") == 0)
        g_assert_true (g_str_has_prefix (text_of (first, "element"), "C["));
      n_way += strcmp (text_of (second, "differ"), "way") == 0;
      g_assert_cmpstr (text_of (second, "differ"), !=, "real");
    }
  g_assert_cmpuint (n_real, >, 12);
  g_assert_cmpuint (n_way, >, 24);
}

/* A buffer that only one of them has: the other one stays where it is. */
static void
test_no_partner (void)
{
  g_autoptr (LsModule) left = ls_test_parse (PROGRAM);
  g_autoptr (LsModule) right = after ("b = sch.get_block(\"Y\", \"main\")\nsch.cache_write(b, 0, \"local\")\n");
  g_autoptr (LsDebugPair) pair = ls_debug_pair_new (left, right, NULL, NULL, NULL);
  g_autoptr (GVariant) answer = say (pair, 1, "goto-write 5");
  guint64 clock = ls_run_get_clock (ls_debug_get_run (ls_debug_pair_get (pair, 0)));

  g_assert_cmpstr (text_of (answer, "buffer"), ==, "Y_local");
  g_assert_cmpstr (text_of (answer, "partner"), ==, "");
  g_assert_cmpuint (clock, ==, 0);
}

/* A program that is like the first one in all but its last part. (transfer full) */
static char *
ending (const char *part)
{
  g_autofree char *text = g_strconcat (PROGRAM, part, NULL);

  return g_steal_pointer (&text);
}

#define FAILS "        for i in range(6):\n            C[i, 3 + i // 3] = T.float32(2)\n"
#define HANGS "        while Y[0, 0] == Y[0, 0]:\n            Y[5, 3] = Y[5, 3] + T.float32(1)\n"

/* The left one is whole, the right one fails at its end: both can be stepped up to there, and nothing is told of what did not come about. */
static void
test_fails (void)
{
  g_autofree char *text = ending (FAILS);
  g_autoptr (LsDebugPair) pair = open_pair (text);
  g_autoptr (GVariant) answer = say (pair, 1, "end");
  g_autoptr (GVariant) back = say (pair, 1, "back");
  g_autoptr (GVariant) whole = say (pair, 0, "end");
  g_autoptr (GVariant) early = say (pair, 0, "goto-write 0");

  g_assert_cmpint (ls_run_get_state (ls_debug_get_run (ls_debug_pair_get (pair, 1))), ==, LS_RUN_STANDS);
  g_assert_nonnull (strstr (text_of (answer, "ends-right"), "The run ends at statement "));
  g_assert_cmpstr (text_of (answer, "ends-left"), ==, "");
  g_assert_cmpstr (text_of (whole, "ends-right"), ==, text_of (answer, "ends-right"));
  g_assert_cmpstr (text_of (early, "element"), ==, "Y[0, 0]");
  g_assert_cmpstr (text_of (early, "differ"), ==, "none");
}

static gboolean
asked_often (gpointer data)
{
  return ++*(guint *) data % 2 == 0;
}

/* The right one has no end: it is cut, known up to there, and no command goes beyond. */
static void
test_hangs (void)
{
  static const char *const moves[] = { "end", "over", "continue", "step 5000000", "goto 18446744073709551615", "write Y[5, 3]" };
  g_autofree char *text = ending (HANGS);
  g_autoptr (LsModule) left = ls_test_parse (PROGRAM);
  g_autoptr (LsModule) right = ls_test_parse (text);
  LsDebugInputs inputs = { NULL, NULL, 3 };
  g_autoptr (LsDebugPair) pair = ls_debug_pair_begin (left, right, NULL, &inputs, NULL);
  guint asked = 0;
  guint64 limit;

  ls_debug_pair_set_asker (pair, asked_often, &asked);
  for (guint i = 0; i < 3; i++)
    for (guint side = 0; side < 2; side++)
      g_assert_false (ls_debug_pair_run (pair, side));
  limit = ls_run_get_clock (ls_debug_get_run (ls_debug_pair_get (pair, 1)));
  g_assert_cmpuint (limit, >, 1000000);
  ls_debug_pair_cut (pair);
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      g_autoptr (GVariant) first = say (pair, 1, "start");
      g_autoptr (GVariant) answer = say (pair, 1, moves[i]);
      guint n = 0;

      while (g_variant_lookup (answer, "interrupted", "b", NULL) && n++ < 100)
        {
          g_variant_unref (answer);
          answer = say (pair, 1, "more");
        }
      g_assert_cmpuint (n, <, 100);
      g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (ls_debug_pair_get (pair, 1))), <=, limit);
      g_assert_nonnull (strstr (text_of (answer, "ends-right"), "paused"));
      if (i == 0)
        g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (ls_debug_pair_get (pair, 1))), ==, limit);
      if (i == 0)
        g_assert_cmpint (ls_run_get_state (ls_debug_get_run (ls_debug_pair_get (pair, 0))), ==, LS_RUN_FINISHED);
    }
  {
    g_autoptr (GVariant) whole = say (pair, 0, "end");
    g_autoptr (GVariant) right_end = say (pair, 1, "where");

    g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (ls_debug_pair_get (pair, 1))), ==, limit);
    g_assert_cmpstr (text_of (right_end, "element"), ==, "");
  }
}

/* More writes than are kept. */
static void
test_full (void)
{
  g_autoptr (GString) text = g_string_new (PROGRAM);
  g_autoptr (LsModule) left = NULL;
  g_autoptr (LsDebugPair) pair = NULL;
  g_autoptr (GVariant) answer = NULL;
  guint of = 0;

  if (!g_test_slow ())
    {
      g_test_skip ("it writes four million elements");
      return;
    }
  g_string_replace (text, "T.grid(6, 4, 8)", "T.grid(6, 4, 200000)", 0);
  g_string_replace (text, "A[vi, vk] * B[vk, vj]", "A[vi, vk % 8] * B[vk % 8, vj]", 0);
  left = ls_test_parse (text->str);
  pair = ls_debug_pair_new (left, left, NULL, NULL, NULL);
  answer = say (pair, 0, "end");
  g_assert_nonnull (strstr (text_of (answer, "ends-left"), "toy size"));
  g_assert_true (g_variant_lookup (answer, "of", "u", &of));
  g_assert_cmpuint (of, ==, LS_PAIR_WRITES);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair/same-element", test_same_element);
  g_test_add_func ("/pair/walk", test_walk);
  g_test_add_func ("/pair/differ", test_differ);
  g_test_add_func ("/pair/no-partner", test_no_partner);
  g_test_add_func ("/pair/fails", test_fails);
  g_test_add_func ("/pair/hangs", test_hangs);
  g_test_add_func ("/pair/full", test_full);
  return g_test_run ();
}
