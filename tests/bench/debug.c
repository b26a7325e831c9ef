/* Benchmark of the debugger: a product of two matrices of 64 rows in the interpreter alone, under the debugger with a breakpoint that is
 * not in reach, with a condition on the innermost loop; and one statement back in a run of more than 10 million statements.
 *
 * Budgets are ratios to the interpreter alone (1.5 and 3), and 100 ms for the step back.
 */
#include "engine/debug/debug.h"
#include "tests/bench/bench.h"

#include <stdio.h>

typedef struct {
  LsModule   *module;
  LsPrimFunc *func;
  const char *stop;             /* or NULL */
  LsDebug    *debug;
  guint64     clock;
} Bench;

static LsModule *
mm_relu (const char *n)
{
  g_autofree char *text = ls_bench_sample ("mm_relu.py");
  g_autoptr (GString) smaller = g_string_new (text);
  g_autoptr (LsSource) source = NULL;

  g_string_replace (smaller, "128", n, 0);
  source = ls_source_new ("mm_relu.py", smaller->str, -1);
  return ls_script_parse (source, NULL);
}

static void
plain (gpointer data)
{
  Bench *self = data;
  g_autoptr (GArray) args = ls_debug_arguments (self->func, NULL, NULL);
  g_autoptr (GError) error = NULL;

  if (!ls_interp_run (self->func, (LsInterpArg *) args->data, args->len, NULL, &error))
    g_error ("%s", error->message);
}

static void
under (gpointer data)
{
  Bench *self = data;
  g_autoptr (LsDebug) debug = ls_debug_new (self->module, NULL, NULL, NULL);

  if (self->stop != NULL)
    ls_debug_add_stop (debug, ls_debug_stop_parse (debug, self->stop, NULL));
  g_variant_unref (ls_debug_command (debug, "continue", NULL));
  if (ls_run_get_state (ls_debug_get_run (debug)) != LS_RUN_FINISHED)
    g_error ("the run stops at %" G_GUINT64_FORMAT, ls_run_get_clock (ls_debug_get_run (debug)));
}

static void
prepare_back (gpointer data)
{
  Bench *self = data;

  ls_debug_go_to (self->debug, self->clock);
  self->clock -= 40013;         /* another place each time */
}

static void
step_back (gpointer data)
{
  Bench *self = data;

  g_variant_unref (ls_debug_command (self->debug, "back", NULL));
}

static void
report (const char   *name,
        LsBenchResult result,
        LsBenchResult alone,
        double        budget)
{
  ls_bench_report (name, budget * alone.median, result);
  printf ("    %.2f times the interpreter alone; the quickest runs of both %.2f\n", result.median / alone.median, result.minimum / alone.minimum);
}

int
main (void)
{
  Bench bench = { NULL };
  LsBenchResult alone;
  guint n;
  gsize bytes;

  ls_bench_head ();
  bench.module = mm_relu ("64");
  bench.func = ls_array_at (bench.module->functions, 0, LsPrimFunc);
  alone = ls_bench_run ("the interpreter alone", 0, plain, &bench);
  bench.stop = "write C if vi == 99";
  report ("debugger, a breakpoint out of reach", ls_bench_measure (under, &bench), alone, 1.5);
  bench.stop = "loop k if i == 99 and k > 5";
  report ("debugger, a condition on the innermost loop", ls_bench_measure (under, &bench), alone, 3);
  ls_node_unref (LS_NODE (bench.module));

  bench.module = mm_relu ("180");
  bench.debug = ls_debug_new (bench.module, NULL, NULL, NULL);
  ls_debug_go_to (bench.debug, G_MAXUINT64);
  bench.clock = ls_run_get_clock (ls_debug_get_run (bench.debug)) - 1;
  ls_debug_get_checkpoints (bench.debug, &n, &bytes);
  printf ("    %" G_GUINT64_FORMAT " statements, %u checkpoints of %.1f MiB in all; they take %d MiB at most\n", bench.clock + 1, n, (double) bytes / (1 << 20),
          (int) (LS_DEBUG_MEMORY >> 20));
  ls_bench_report ("a statement back in 10 million", 100e6, ls_bench_measure_prepared (prepare_back, step_back, &bench));
  ls_debug_free (bench.debug);
  ls_node_unref (LS_NODE (bench.module));
  return 0;
}
