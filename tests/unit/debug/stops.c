/* Breakpoints stop where they are asked to and nowhere else: counted against what the loops say; the same places backwards. */
#include "engine/debug/debug.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define PROGRAM \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((4, 6)), B: T.Buffer((6, 5)), C: T.Buffer((4, 5)), D: T.Buffer((4, 5))):\n" \
  "        for i, j, k in T.grid(4, 5, 6):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n" \
  "                with T.init():\n" \
  "                    C[vi, vj] = T.float32(0)\n" \
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n" \
  "        for i, j in T.grid(4, 5):\n" \
  "            with T.block(\"D\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                D[vi, vj] = T.Select(vi == 2 and vj == 3, T.float32(1) / T.float32(0), C[vi, vj])\n"

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

static void
say (LsDebug    *debug,
     const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_debug_command (debug, command, &error);

  g_assert_no_error (error);
}

static double
value (LsDebug    *debug,
       const char *expression)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_debug_ask (debug, expression, &error);
  double result = 0;

  g_assert_no_error (error);
  g_assert_true (g_variant_lookup (answer, "value", "d", &result));
  return result;
}

/* How often it stops, and that the same clocks come backwards. */
static guint
count (const char *words)
{
  g_autoptr (LsDebug) debug = start ();
  g_autoptr (GString) command = g_string_new ("break ");
  const char *text = ls_debug_get_text (debug)->text, *update = strstr (text, "C[vi, vj] = C[vi, vj] +");
  g_autofree char *line = NULL;
  guint number = 1;
  g_autoptr (GArray) clocks = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (const char *at = text; at < update; at++)
    number += *at == '\n';
  line = g_strdup_printf ("%u", number);
  g_string_append (command, words);
  g_string_replace (command, "UPDATE", line, 0);
  say (debug, command->str);
  for (say (debug, "continue"); ls_debug_get_hit (debug) != NULL; say (debug, "continue"))
    {
      guint64 clock = ls_run_get_clock (ls_debug_get_run (debug));

      g_array_append_val (clocks, clock);
    }
  g_assert_cmpint (ls_run_get_state (ls_debug_get_run (debug)), ==, LS_RUN_FINISHED);
  for (guint i = clocks->len; i-- > 0;)
    {
      say (debug, "back-continue");
      g_assert_nonnull (ls_debug_get_hit (debug));
      g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, g_array_index (clocks, guint64, i));
    }
  say (debug, "back-continue");
  g_assert_null (ls_debug_get_hit (debug));
  g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, 0);
  return clocks->len;
}

static void
test_counts (void)
{
  static const struct { const char *words; guint n; } cases[] = {
    { "loop k", 120 },
    { "loop k if i == 3 and k > 2", 15 },
    { "loop j", 20 },
    { "block C", 120 },
    { "block D", 20 },
    { "write C", 140 },
    { "write C[1, 2]", 7 },
    { "write C[1, 2:4]", 14 },
    { "write C[:, 0]", 28 },
    { "read C[1, 2]", 7 },
    { "read A[0, 0:2]", 10 },
    { "write C[1, 2] if vk == 5", 1 },
    { "nan", 1 },
    { "range -1000 1000", 1 },
    { "range -1000 1000 C", 0 },
    { "line UPDATE", 120 },
    { "line UPDATE if vi == 1 and vj > 2", 12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n = count (cases[i].words);

      if (n != cases[i].n)
        g_test_message ("%s", cases[i].words);
      g_assert_cmpuint (n, ==, cases[i].n);
    }
}

/* Before a write nothing of it has happened; after it, all. */
static void
test_write (void)
{
  g_autoptr (LsDebug) debug = start ();
  double before, becomes;

  say (debug, "write C[2, 3] if vk == 4");
  before = value (debug, "C[2, 3]");
  becomes = ls_debug_get_hit (debug)->value;
  g_assert_cmpfloat ((float) value (debug, "C[2, 3] + A[2, 4] * B[4, 3]"), ==, (float) becomes);
  g_assert_cmpfloat (before, !=, becomes);
  say (debug, "step");
  g_assert_cmpfloat (value (debug, "C[2, 3]"), ==, becomes);
  say (debug, "back");
  g_assert_cmpfloat (value (debug, "C[2, 3]"), ==, before);
}

static void
test_refused (void)
{
  static const struct { const char *command, *expected; } cases[] = {
    { "jump", "There is no command jump; help lists them." },
    { "break", "line, loop, block, write, read, nan or range is expected, not \"\"." },
    { "break line x", "The number of a line is expected, not x." },
    { "break line 900", "No statement begins on line 900 or after it." },
    { "break loop q", "There is no loop q." },
    { "break write Z", "There is no buffer Z." },
    { "break write C[1]", "C has 2 dimensions; got 1." },
    { "break write C[1, 2:1]", "An index or a range FROM:TO is expected, not 2:1." },
    { "break write C[-1, 0]", "An index or a range FROM:TO is expected, not -1." },
    { "break read C[0, 99999]", "Dimension 1 of C has the indices 0 to 4; got 99999." },
    { "break write C[1, x]", "An index or a range FROM:TO is expected, not x." },
    { "break range 1", "Two numbers are expected, not 1." },
    { "step x", "A number is expected, not x." },
    { "delete 7", "There is no breakpoint 7." },
    { "print", "An expression is expected." },
    { "out", "No loop is under way." },
  };
  g_autoptr (LsDebug) debug = start ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      GVariant *answer = ls_debug_command (debug, cases[i].command, &error);

      g_assert_null (answer);
      g_assert_cmpstr (error->message, ==, cases[i].expected);
    }
  g_assert_cmpuint (ls_debug_get_stops (debug)->len, ==, 0);
}

/* A program that never ends is given up when somebody asks. */
static gboolean
at_once (gpointer data)
{
  ++*(guint *) data;
  return TRUE;
}

static void
test_given_up (void)
{
  g_autoptr (LsModule) module = ls_test_parse (
    "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
    "    def main(A: T.Buffer((1,), \"int32\")):\n        while A[0] < 1:\n            A[0] = 0\n");
  g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, NULL, NULL);
  guint asked = 0;
  guint64 clock;

  ls_debug_set_asker (debug, at_once, &asked);
  say (debug, "continue");
  g_assert_true (ls_debug_was_interrupted (debug));
  g_assert_cmpuint (asked, ==, 1);
  clock = ls_run_get_clock (ls_debug_get_run (debug));
  say (debug, "back 3");
  g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, clock - 3);
}

/* A search backwards that is given up again and again: it stands further back each time, in the state of a fresh run to there, and finds what one that was
 * not given up finds. */
static void
test_back_given_up (void)
{
  g_autoptr (LsModule) module = ls_test_parse (
    "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
    "    def main(A: T.Buffer((400,), \"int32\")):\n        for i, j in T.grid(1600, 400):\n            A[j] = A[j] + i\n");
  static const char *const stops[] = { "write A[3] if i == 20", "read A[5] if i == 1000", "write A[7] if i == 1590", "write A[0] if i == 7000" };
  static const char *const ends[] = { "end", "goto 1000000" };
  guint n = 0;

  for (guint way = 0; way < G_N_ELEMENTS (stops) * G_N_ELEMENTS (ends); way++)
    {
      g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, NULL, NULL), plain = ls_debug_new (module, NULL, NULL, NULL);
      g_autofree char *stop = g_strconcat ("break ", stops[way / 2], NULL);
      LsDebug *both[] = { debug, plain };
      guint asked = 0;
      guint64 clock;

      for (guint i = 0; i < 2; i++)
        {
          say (both[i], ends[way % 2]);
          say (both[i], stop);
        }
      clock = ls_run_get_clock (ls_debug_get_run (debug));
      say (plain, "back-continue");
      ls_debug_set_asker (debug, at_once, &asked);
      say (debug, "back-continue");
      for (; ls_debug_was_interrupted (debug); n++)
        {
          g_autoptr (LsDebug) fresh = ls_debug_new (module, NULL, NULL, NULL);
          guint64 now = ls_run_get_clock (ls_debug_get_run (debug));
          g_autoptr (GVariant) here = NULL, there = NULL;

          g_assert_cmpuint (now, <=, clock);
          clock = now;
          g_assert_null (ls_debug_get_hit (debug));
          if (ls_run_get_state (ls_debug_get_run (debug)) == LS_RUN_STANDS)
            ls_debug_go_to (fresh, now);
          else
            say (fresh, "end");
          here = ls_debug_command (debug, "grid A", NULL);
          there = ls_debug_command (fresh, "grid A", NULL);
          g_assert_true (g_variant_equal (here, there));
          say (debug, "more");
        }
      g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, ls_run_get_clock (ls_debug_get_run (plain)));
      g_assert_cmpint (ls_debug_get_hit (debug) != NULL, ==, ls_debug_get_hit (plain) != NULL);
      if (ls_debug_get_hit (debug) != NULL)
        g_assert_cmpstr (ls_debug_get_hit (debug)->words, ==, ls_debug_get_hit (plain)->words);
    }
  g_assert_cmpuint (n, >, 8);
}

/* Paused on the way back, something else can be asked and done: nothing of the search is left. */
static void
test_back_left (void)
{
  g_autoptr (LsModule) module = ls_test_parse (
    "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
    "    def main(A: T.Buffer((400,), \"int32\")):\n        for i, j in T.grid(1600, 400):\n            A[j] = A[j] + i\n");
  g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, NULL, NULL);
  guint asked = 0;
  guint64 clock;

  say (debug, "end");
  say (debug, "break write A[3] if i == 20");
  ls_debug_set_asker (debug, at_once, &asked);
  say (debug, "back-continue");
  say (debug, "more");
  say (debug, "more");
  g_assert_true (ls_debug_was_interrupted (debug));
  clock = ls_run_get_clock (ls_debug_get_run (debug));
  say (debug, "trail 5");
  say (debug, "plot A[3]");
  g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, clock);
  say (debug, "more");          /* looking at what was does not end it */
  say (debug, "goto 1000");
  g_assert_null (ls_debug_command (debug, "more", NULL));
  g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, 1000);
}

static void
count_statement (LsRun            *run,
                 const LsRunEvent *event,
                 gpointer          user_data)
{
  (*(guint64 *) user_data)++;
}

static guint
reach_statement (LsRun      *run,
                 LsPrimFunc *func,
                 LsNode     *node,
                 guint       number,
                 guint       wanted,
                 gpointer    user_data)
{
  return wanted & LS_SEE_STATEMENT;
}

/* How many statements a command runs. */
static guint64
cost (LsDebug    *debug,
      const char *command)
{
  static const LsObserver counter = { LS_SEE_STATEMENT, reach_statement, count_statement };
  guint64 n = 0;

  ls_run_observe (ls_debug_get_run (debug), &counter, &n);
  say (debug, command);
  ls_run_ignore (ls_debug_get_run (debug), &counter, &n);
  return n;
}

/* The first step back may run a stretch between checkpoints; those that follow run hardly anything, of whatever kind they are. */
static void
test_back_near (void)
{
  static const char *const kinds[] = { "back", "back-over", "back-write A", "trail 12 A", "back 5", "back-loop" };
  g_autoptr (LsModule) module = ls_test_parse (
    "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
    "    def main(A: T.Buffer((400,), \"int32\")):\n        for i, j in T.grid(1600, 400):\n            A[j] = A[j] + i\n");

  for (guint first = 0; first < 3; first++)
    {
      g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, NULL, NULL);

      for (guint i = 0; i < 45; i++)    /* as one who steps comes there: the last checkpoint lies 40,000 statements back */
        say (debug, "step 10000");
      for (guint i = 0; i < 4; i++)
        say (debug, "step 9999");
      g_assert_cmpuint (cost (debug, kinds[first]), <, 2 * LS_DEBUG_SPACING);
      for (guint i = 0; i < 60; i++)
        g_assert_cmpuint (cost (debug, kinds[i % G_N_ELEMENTS (kinds)]), <, 10000);
    }
}

/* What is kept for going back stays below what was said, wherever one goes, and is told. */
static void
test_memory (void)
{
  g_autoptr (LsModule) module = ls_test_parse (
    "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
    "    def main(A: T.Buffer((20000,), \"int32\")):\n        for i, j in T.grid(60, 20000):\n            A[j] = A[j] + i\n");
  const gsize limit = 600 << 10;        /* the array has 80 kB and its marks; without a limit there are more than 20 of it */
  g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, NULL, NULL), free = ls_debug_new (module, NULL, NULL, NULL);
  static const char *const walk[] = { "end", "back 300000", "goto 1000", "back-over", "goto 900000", "back 5", "step 77777", "start", "end", "back-write A" };
  guint most = 0, n;
  gsize bytes;

  ls_debug_set_memory (debug, limit);
  for (guint i = 0; i < G_N_ELEMENTS (walk); i++)
    {
      g_autoptr (GVariant) told = NULL;
      guint64 said = 0, said_limit = 0;
      guint32 count = 0;

      say (debug, walk[i]);
      ls_debug_get_checkpoints (debug, &n, &bytes);
      g_assert_cmpuint (bytes, <=, limit);
      most = MAX (most, n);
      told = ls_debug_command (debug, "checkpoints", NULL);
      g_variant_lookup (told, "checkpoints", "u", &count);
      g_variant_lookup (told, "checkpoint-bytes", "t", &said);
      g_variant_lookup (told, "checkpoint-limit", "t", &said_limit);
      g_assert_cmpuint (count, ==, n);
      g_assert_cmpuint (said, ==, bytes);
      g_assert_cmpuint (said_limit, ==, limit);
    }
  g_assert_cmpuint (most, >, 2);
  say (free, "end");
  ls_debug_get_checkpoints (free, &n, &bytes);
  g_assert_cmpuint (bytes, >, 3 * limit);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stops/counts", test_counts);
  g_test_add_func ("/stops/write", test_write);
  g_test_add_func ("/stops/refused", test_refused);
  g_test_add_func ("/stops/given-up", test_given_up);
  g_test_add_func ("/stops/back-given-up", test_back_given_up);
  g_test_add_func ("/stops/back-left", test_back_left);
  g_test_add_func ("/stops/back-near", test_back_near);
  g_test_add_func ("/stops/memory", test_memory);
  return g_test_run ();
}
