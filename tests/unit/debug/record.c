/* A run written down: going through it by its writes gives what the run has, at every statement; the breakpoints are where they stop. */
#include "engine/debug/debug.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define PROGRAM \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((3, 4)), C: T.Buffer((3,))):\n" \
  "        Y = T.alloc_buffer((3, 4))\n" \
  "        for i, j in T.grid(3, 4):\n" \
  "            with T.block(\"Y\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                Y[vi, vj] = A[vi, vj] * T.float32(2)\n" \
  "        for i, k in T.grid(3, 4):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vk = T.axis.remap(\"SR\", [i, k])\n" \
  "                with T.init():\n" \
  "                    C[vi] = T.float32(0)\n" \
  "                C[vi] = C[vi] + Y[vi, vk]\n"

static LsDebug *
start (const char *text)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (GError) error = NULL;
  LsDebug *debug = ls_debug_new (module, NULL, NULL, &error);

  g_assert_no_error (error);
  return debug;
}

/* The values of the record's buffer after the first `n` statements. */
static double
value_after (GVariant *record,
             guint     buffer,
             gint64    element,
             guint     n)
{
  g_autoptr (GVariant) buffers = g_variant_lookup_value (record, "buffers", NULL);
  g_autoptr (GVariant) steps = g_variant_lookup_value (record, "steps", NULL);
  g_autoptr (GVariant) one = g_variant_get_child_value (buffers, buffer);
  g_autoptr (GVariant) values = g_variant_lookup_value (one, "values", G_VARIANT_TYPE ("ad"));
  double value;

  g_variant_get_child (values, (gsize) element, "d", &value);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GVariant) step = g_variant_get_child_value (steps, i);
      g_autoptr (GVariant) accesses = g_variant_lookup_value (step, "accesses", G_VARIANT_TYPE ("a(uxbds)"));

      for (gsize k = 0; k < g_variant_n_children (accesses); k++)
        {
          guint32 number;
          gint64 at;
          gboolean is_write;
          double now;

          g_variant_get_child (accesses, k, "(uxbd&s)", &number, &at, &is_write, &now, NULL);
          if (number == buffer && at == element && is_write)
            value = now;
        }
    }
  return value;
}

static void
test_values (void)
{
  static const char *const stops[] = { "write C[1]", "loop k if k == 3", NULL };
  g_autoptr (LsDebug) debug = start (PROGRAM);
  g_autoptr (LsDebug) fresh = start (PROGRAM);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) record = ls_debug_record (debug, stops, 1000, &error);
  g_autoptr (GVariant) buffers = NULL;
  g_autoptr (GVariant) steps = NULL;
  gboolean whole = FALSE;
  guint n_stops = 0;

  g_assert_no_error (error);
  buffers = g_variant_lookup_value (record, "buffers", NULL);
  steps = g_variant_lookup_value (record, "steps", NULL);
  g_assert_true (g_variant_lookup (record, "whole", "b", &whole));
  g_assert_true (whole);
  ls_debug_go_to (fresh, G_MAXUINT64);
  g_assert_cmpuint (g_variant_n_children (steps), ==, ls_run_get_clock (ls_debug_get_run (fresh)));
  for (guint n = 0; n <= g_variant_n_children (steps); n++)
    for (guint b = 0; b < g_variant_n_children (buffers); b++)
      {
        g_autoptr (GVariant) one = g_variant_get_child_value (buffers, b);
        const char *name = NULL;
        g_autoptr (GVariant) grid = NULL;
        g_autoptr (GVariant) values = NULL;
        LsBuffer *buffer;

        ls_debug_go_to (fresh, n);
        g_assert_true (g_variant_lookup (one, "name", "&s", &name));
        buffer = ls_debug_find_buffer (fresh, name);
        grid = buffer != NULL ? ls_debug_grid (fresh, buffer, NULL, 0, 0, 16, 16) : NULL;
        if (grid == NULL || strcmp (name, "Y") == 0)
          continue;     /* Y is told only from its first write on */
        values = g_variant_lookup_value (grid, "values", G_VARIANT_TYPE ("ad"));
        for (gsize i = 0; i < g_variant_n_children (values); i++)
          {
            double value;

            g_variant_get_child (values, i, "d", &value);
            g_assert_cmpfloat (value_after (record, b, (gint64) i, n), ==, value);
          }
      }
  for (guint n = 0; n < g_variant_n_children (steps); n++)
    {
      g_autoptr (GVariant) step = g_variant_get_child_value (steps, n);
      gboolean stop = FALSE;

      g_variant_lookup (step, "stop", "b", &stop);
      n_stops += stop;
    }
  /* five writes of C[1]; k == 3 once for each i */
  g_assert_cmpuint (n_stops, ==, 5 + 3);
}

static void
test_refused (void)
{
  static const char *const nonsense[] = { "loop q", NULL }, *const nowhere[] = { "loop k if k == 9", NULL };
  g_autoptr (GString) text = g_string_new (PROGRAM);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsDebug) debug = NULL;

      if (i == 2)
        g_string_replace (text, "(3", "(3000", 0);
      debug = start (text->str);
      g_assert_null (ls_debug_record (debug, i == 0 ? nonsense : i == 1 ? nowhere : NULL, 100, &error));
      g_assert_nonnull (error);
    }
}

/* A run without end: its begin. */
static void
test_endless (void)
{
  g_autoptr (LsDebug) debug = start ("from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
                                     "    def main(A: T.Buffer((4,), \"int32\")):\n        while A[0] < 1:\n            A[0] = 0\n");
  static const char *const stops[] = { "write A[0]", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) record = ls_debug_record (debug, stops, 50, &error);
  g_autoptr (GVariant) steps = NULL;

  g_assert_no_error (error);
  steps = g_variant_lookup_value (record, "steps", NULL);
  g_assert_cmpuint (g_variant_n_children (steps), ==, 50);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/values", test_values);
  g_test_add_func ("/record/refused", test_refused);
  g_test_add_func ("/record/endless", test_endless);
  return g_test_run ();
}
