/* What was done before: the trail of accesses, and a value over the run, against what the program's loops say; in pieces as at once. */
#include "engine/debug/debug.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define PROGRAM \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((4, 6)), B: T.Buffer((6, 5)), C: T.Buffer((4, 5))):\n" \
  "        for i, j, k in T.grid(4, 5, 6):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n" \
  "                with T.init():\n" \
  "                    C[vi, vj] = T.float32(0)\n" \
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n"

typedef struct {
  guint64 clock;
  double  value;
} Point;

static LsDebug *
start (void)
{
  g_autoptr (LsModule) module = ls_test_parse (PROGRAM);
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, 1 };
  LsDebug *debug = ls_debug_new (module, NULL, &inputs, &error);

  g_assert_no_error (error);
  return debug;
}

static GVariant *
say (LsDebug    *debug,
     const char *command)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_debug_command (debug, command, &error);

  g_assert_no_error (error);
  return answer;
}

static void
go (LsDebug    *debug,
    const char *command)
{
  g_variant_unref (say (debug, command));
}

/* The points of a plot behind those that are there; where it goes on. */
static guint64
add_points (GVariant *plot,
            GArray   *points)
{
  g_autoptr (GVariant) clocks = g_variant_lookup_value (plot, "clocks", G_VARIANT_TYPE ("at"));
  g_autoptr (GVariant) values = g_variant_lookup_value (plot, "values", G_VARIANT_TYPE ("ad"));
  guint64 next = 0;

  for (gsize i = 0; i < g_variant_n_children (clocks); i++)
    {
      Point point;

      g_variant_get_child (clocks, i, "t", &point.clock);
      g_variant_get_child (values, i, "d", &point.value);
      g_array_append_val (points, point);
    }
  g_assert_true (g_variant_lookup (plot, "next", "t", &next));
  return next;
}

static GArray *
points_of (LsDebug    *debug,
           const char *command)
{
  g_autoptr (GVariant) plot = say (debug, command);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (Point));

  g_assert_cmpuint (add_points (plot, points), ==, ls_run_get_clock (ls_debug_get_run (debug)));
  return points;
}

static char *
line_of_update (LsDebug *debug)
{
  const char *text = ls_debug_get_text (debug)->text, *update = strstr (text, "C[vi, vj] = C[vi, vj] +");
  guint number = 1;

  for (const char *at = text; at < update; at++)
    number += *at == '\n';
  return g_strdup_printf ("%u", number);
}

/* An element at each of its writes: zero, then the six sums. */
static void
test_element (void)
{
  g_autoptr (LsDebug) debug = start ();
  g_autoptr (GArray) points = NULL;
  double sum = 0;

  go (debug, "end");
  points = points_of (debug, "plot C[1, 2]");
  g_assert_cmpuint (points->len, ==, 7);
  g_assert_cmpfloat (g_array_index (points, Point, 0).value, ==, 0);
  for (guint k = 0; k < 6; k++)
    {
      g_autofree char *product = g_strdup_printf ("print A[1, %u] * B[%u, 2]", k, k);
      g_autoptr (GVariant) answer = say (debug, product);
      double term = 0;

      g_assert_true (g_variant_lookup (answer, "value", "d", &term));
      sum += term;
      g_assert_cmpfloat_with_epsilon (g_array_index (points, Point, k + 1).value, sum, 1e-5);
    }
}

/* An expression each time the run comes to its statement, wherever it stands. */
static void
test_expression (void)
{
  g_autoptr (LsDebug) debug = start ();
  g_autofree char *line = line_of_update (debug);
  g_autofree char *command = g_strdup_printf ("plot vi * 100 + vj * 10 + vk line %s", line);
  g_autoptr (GArray) points = NULL;

  go (debug, "end");
  points = points_of (debug, command);
  g_assert_cmpuint (points->len, ==, 120);
  for (guint n = 0; n < 120; n++)
    g_assert_cmpfloat (g_array_index (points, Point, n).value, ==, n / 30 * 100 + n / 6 % 5 * 10 + n % 6);
  /* only what has run */
  go (debug, "start");
  g_clear_pointer (&points, g_array_unref);
  points = points_of (debug, command);
  g_assert_cmpuint (points->len, ==, 0);
}

static gboolean
gives_up (gpointer data)
{
  return TRUE;
}

/* Pieces, cut by position or because it took too long, are together what one is; the run stands where it stood, and what was given up
 * before can be gone on with. */
static void
test_pieces (void)
{
  g_autoptr (LsDebug) debug = start ();
  g_autoptr (GArray) whole = NULL;
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Point));
  guint64 now, next = 0;

  go (debug, "goto 250");
  whole = points_of (debug, "plot C[1, 2]");
  for (guint64 to = 50; to <= 250; to += 50)
    {
      g_autofree char *there = g_strdup_printf ("goto %" G_GUINT64_FORMAT, to);
      g_autofree char *command = g_strdup_printf ("plot C[1, 2] from %" G_GUINT64_FORMAT, next);
      g_autoptr (GVariant) plot = NULL;

      go (debug, there);
      plot = say (debug, command);
      next = add_points (plot, pieces);
      g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, to);
    }
  g_assert_cmpmem (pieces->data, pieces->len * sizeof (Point), whole->data, whole->len * sizeof (Point));
  ls_debug_set_asker (debug, gives_up, NULL);
  now = ls_run_get_clock (ls_debug_get_run (debug));
  go (debug, "plot C[1, 2]");
  g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, now);
}

#define LONG \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(C: T.Buffer((1,), \"int32\")):\n" \
  "        for i in range(500000):\n" \
  "            C[0] = i\n"

/* A long run that is cut now and then: plotted to its end in pieces, thinned, its peak kept. */
static void
test_long (void)
{
  g_autoptr (LsModule) module = ls_test_parse (LONG);
  g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, NULL, NULL);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  guint64 now, next = 0;
  guint pieces = 0;

  go (debug, "goto 500001");
  now = ls_run_get_clock (ls_debug_get_run (debug));
  ls_debug_set_asker (debug, gives_up, NULL);
  while (next < now)
    {
      g_autofree char *command = g_strdup_printf ("plot C[0] from %" G_GUINT64_FORMAT, next);
      g_autoptr (GVariant) plot = say (debug, command);
      guint64 before = next;

      next = add_points (plot, points);
      g_assert_cmpuint (next, >, before);
      g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, now);
      pieces++;
    }
  g_assert_cmpuint (pieces, >, 1);
  g_assert_cmpuint (points->len, <, 20000);
  g_assert_cmpfloat (g_array_index (points, Point, 0).value, ==, 0);
  g_assert_cmpfloat (g_array_index (points, Point, points->len - 1).value, >=, 499990);
  for (guint i = 1; i < points->len; i++)
    g_assert_cmpfloat (g_array_index (points, Point, i).value, >, g_array_index (points, Point, i - 1).value);
}

/* The last accesses of one buffer, the oldest first, with their indices. */
static void
test_trail (void)
{
  g_autoptr (LsDebug) debug = start ();
  g_autofree char *line = line_of_update (debug);
  g_autofree char *stop = g_strdup_printf ("break line %s if vi == 1 and vj == 2 and vk == 4", line);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) list = NULL;

  go (debug, stop);
  go (debug, "continue");
  answer = say (debug, "trail 3 A");
  list = g_variant_lookup_value (answer, "accesses", G_VARIANT_TYPE ("aa{sv}"));
  g_assert_cmpuint (g_variant_n_children (list), ==, 3);
  for (guint n = 0; n < 3; n++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, n);
      g_autoptr (GVariant) at = g_variant_lookup_value (one, "at", G_VARIANT_TYPE ("ax"));
      g_autofree char *words = g_strdup_printf ("A[1, %u]", n + 1);
      const char *element = NULL, *kind = NULL, *buffer = NULL;
      gint64 i, k;

      g_assert_true (g_variant_lookup (one, "element", "&s", &element) && g_variant_lookup (one, "kind", "&s", &kind));
      g_assert_true (g_variant_lookup (one, "buffer", "&s", &buffer));
      g_assert_cmpstr (element, ==, words);
      g_assert_cmpstr (kind, ==, "read");
      g_assert_cmpstr (buffer, ==, "A");
      g_variant_get_child (at, 0, "x", &i);
      g_variant_get_child (at, 1, "x", &k);
      g_assert_cmpint (i, ==, 1);
      g_assert_cmpint (k, ==, n + 1);
    }
}

static void
test_refused (void)
{
  static const char *const cases[] = { "plot", "plot Q[0]", "plot vk", "plot vk line 999", "trail 3 Q", "plot C[9, 0]" };
  g_autoptr (LsDebug) debug = start ();

  go (debug, "end");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_debug_command (debug, cases[i], &error));
      g_assert_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/past/element", test_element);
  g_test_add_func ("/past/expression", test_expression);
  g_test_add_func ("/past/pieces", test_pieces);
  g_test_add_func ("/past/long", test_long);
  g_test_add_func ("/past/trail", test_trail);
  g_test_add_func ("/past/refused", test_refused);
  return g_test_run ();
}
