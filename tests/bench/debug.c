/* Benchmark of the debugger.
 *
 *   out of reach     a product of two matrices of 64 rows in the interpreter alone, under the debugger without a breakpoint and with breakpoints that it
 *                    does not come to: 1.5 times the interpreter alone
 *   a condition      on the innermost loop, so that it is asked in each round; also one of which both halves are asked: 3 times
 *   back             a statement back in a run of more than 10 million, from all over it, as the engine does it and as the Run window asks for it, with a
 *                    buffer and its trail; in a product whose arrays are small, and where the arrays are larger than what checkpoints may take: 100 ms
 *   memory           what the checkpoints of those runs take at most while one goes to and fro: LS_DEBUG_MEMORY
 *
 * Ratios are of processor time, of runs that take turns, so that a machine with other work to do gives the same ones.
 */
#include "engine/debug/debug.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_ROUNDS 31
#define STATEMENTS 10000000u
#define STEP_NS 100e6           /* for a step back */

typedef struct {
  LsModule   *module;
  LsPrimFunc *func;
  const char *stop;             /* or NULL */
  LsDebug    *debug;
  guint64     clock;            /* where it goes back from next */
  guint64     last;             /* statement of the run */
  guint64     begin;            /* the first place it goes back from */
} Bench;

/* Each element is written once, and then again: 30 MB of arrays, whose pages are all other ones in the second round. */
static const char large[] =
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"
  "    @T.prim_func\n"
  "    def main(A: T.Buffer((2500, 1000)), C: T.Buffer((2500, 1000))):\n"
  "        B = T.alloc_buffer((2500, 1000))\n"
  "        for r in range(2):\n"
  "            for i, j in T.grid(2500, 1000):\n"
  "                B[i, j] = A[i, j] + T.cast(r, \"float32\")\n"
  "            for i, j in T.grid(2500, 1000):\n"
  "                C[i, j] = B[i, 999 - j] * T.float32(2)\n";

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("bench.py", text, -1);
  LsModule *module = ls_script_parse (source, NULL);

  if (module == NULL)
    g_error ("the program cannot be read");
  return module;
}

static LsModule *
mm_relu (const char *n)
{
  g_autofree char *text = ls_bench_sample ("mm_relu.py");
  g_autoptr (GString) smaller = g_string_new (text);

  g_string_replace (smaller, "128", n, 0);
  return parse (smaller->str);
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

/* ---- ratios of processor time ------------------------------------------------------------------- */

static double
cpu_of (void     (*run) (gpointer data),
        gpointer   data)
{
  struct timespec from, to;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &from);
  run (data);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &to);
  return (double) (to.tv_sec - from.tv_sec) * 1e9 + (double) (to.tv_nsec - from.tv_nsec);
}

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  return (*(const double *) a > *(const double *) b) - (*(const double *) a < *(const double *) b);
}

/* The middle one of the ratios of neighbours. */
static void
compare (Bench      *bench,
         const char *name,
         const char *stop,
         guint       n_rounds,
         double      budget)
{
  const char *only = g_getenv ("LS_BENCH_ONLY");
  double ratios[MOST_ROUNDS];

  if (only != NULL && strstr (name, only) == NULL)
    return;
  bench->stop = stop;
  for (guint i = 0; i < n_rounds; i++)
    {
      double alone = cpu_of (plain, bench);

      ratios[i] = cpu_of (under, bench) / alone;
    }
  qsort (ratios, n_rounds, sizeof *ratios, by_size);
  ls_bench_note (name, ratios[n_rounds / 2], "times", FALSE);
  printf ("%-44s %5.2f times the interpreter alone (%.2f to %.2f)  budget %.1f%s\n", name, ratios[n_rounds / 2], ratios[n_rounds / 4],
          ratios[3 * n_rounds / 4], budget, ratios[n_rounds / 2] > budget ? "  OVER" : "");
  fflush (stdout);
}

/* ---- back ------------------------------------------------------------------------------------------- */

/* Forwards in small pieces, as a run that is stepped or stopped comes to a place: nothing was kept there for going back. */
static gsize
walk_to (LsDebug *debug,
         guint64  clock)
{
  gsize bytes, most = 0;
  guint n;

  while (ls_run_get_clock (ls_debug_get_run (debug)) < clock && ls_run_get_state (ls_debug_get_run (debug)) == LS_RUN_STANDS)
    {
      ls_debug_go_to (debug, MIN (ls_run_get_clock (ls_debug_get_run (debug)) + 10000, clock));
      ls_debug_get_checkpoints (debug, &n, &bytes);
      most = MAX (most, bytes);
    }
  return most;
}

static void
prepare_back (gpointer data)
{
  Bench *self = data;

  walk_to (self->debug, self->clock);
  self->clock += self->last / (MOST_ROUNDS + 1) + 137;          /* another place each time */
}

static void
step_back (gpointer data)
{
  Bench *self = data;

  g_variant_unref (ls_debug_command (self->debug, "back", NULL));
}

static void
step_back_over (gpointer data)
{
  g_variant_unref (ls_debug_command (((Bench *) data)->debug, "back-over", NULL));
}

/* With what the window shows, as app/worker/method-debug.c asks for it. */
static void
step_back_shown (gpointer data)
{
  step_back (data);
  g_variant_unref (ls_debug_command (((Bench *) data)->debug, "grid C 0 0", NULL));
  g_variant_unref (ls_debug_command (((Bench *) data)->debug, "trail 12 C", NULL));
}

/* In processor time, like the ratios. */
static void
measure_steps (Bench      *bench,
               const char *name,
               void      (*step) (gpointer data))
{
  const char *only = g_getenv ("LS_BENCH_ONLY");
  double steps[MOST_ROUNDS];
  LsBenchResult result;

  if (only != NULL && strstr (name, only) == NULL)
    return;
  ls_debug_go_to (bench->debug, 0);
  bench->begin += 71003;        /* not where the steps before have been */
  bench->clock = bench->begin;
  for (guint i = 0; i < MOST_ROUNDS; i++)
    {
      prepare_back (bench);
      steps[i] = cpu_of (step, bench);
    }
  qsort (steps, MOST_ROUNDS, sizeof *steps, by_size);
  result = (LsBenchResult) { steps[0], steps[MOST_ROUNDS / 2], steps[MOST_ROUNDS / 4], steps[3 * MOST_ROUNDS / 4], MOST_ROUNDS, 1 };
  ls_bench_report (name, STEP_NS, result);
  printf ("    the slowest of them %.1f ms%s\n", steps[MOST_ROUNDS - 1] / 1e6, steps[MOST_ROUNDS - 1] > STEP_NS ? "  OVER" : "");
}

/* To the end and all over the run. */
static void
measure_back (LsModule   *module,
              const char *words)
{
  Bench bench = { module, NULL };
  g_autofree char *back = g_strdup_printf ("a statement back, %s", words), *shown = g_strdup_printf ("the same as shown, %s", words);
  g_autofree char *over = g_strdup_printf ("a statement back over what it holds, %s", words);
  guint n;
  gsize bytes, most;

  bench.debug = ls_debug_new (module, NULL, NULL, NULL);
  most = walk_to (bench.debug, G_MAXUINT64);
  bench.last = bench.clock = ls_run_get_clock (ls_debug_get_run (bench.debug)) - 1;
  if (bench.last < STATEMENTS)
    g_error ("%s: %" G_GUINT64_FORMAT " statements are too few", words, bench.last);
  measure_steps (&bench, back, step_back);
  measure_steps (&bench, shown, step_back_shown);
  measure_steps (&bench, over, step_back_over);
  ls_debug_get_checkpoints (bench.debug, &n, &bytes);
  most = MAX (most, bytes);
  ls_bench_note (words, (double) most / (1 << 20), "MiB", FALSE);
  printf ("    %" G_GUINT64_FORMAT " statements; %u checkpoints, %.1f MiB at most  budget %d MiB%s\n", bench.last + 1, n, (double) most / (1 << 20),
          (int) (LS_DEBUG_MEMORY >> 20), most > LS_DEBUG_MEMORY ? "  OVER" : "");
  ls_debug_free (bench.debug);
}

int
main (void)
{
  Bench bench = { NULL };
  g_autoptr (LsModule) small = NULL;
  g_autoptr (LsModule) product = NULL;
  g_autoptr (LsModule) copies = NULL;

  ls_bench_head ();             /* it says where the samples are */
  small = mm_relu ("64");
  product = mm_relu ("180");
  copies = parse (large);
  bench.module = small;
  bench.func = ls_array_at (small->functions, 0, LsPrimFunc);
  compare (&bench, "debugger, no breakpoint", NULL, MOST_ROUNDS, 1.5);
  compare (&bench, "debugger, a block that is not entered", "block C if vi == 99", MOST_ROUNDS, 1.5);
  compare (&bench, "debugger, a breakpoint out of reach", "write C if vi == 99", MOST_ROUNDS, 1.5);
  compare (&bench, "debugger, a condition on the innermost loop", "loop k if i == 99 and k > 5", MOST_ROUNDS, 3);
  compare (&bench, "debugger, the same asked to its end", "loop k if k >= 0 and i == 99", MOST_ROUNDS, 3);
  bench.module = copies;
  bench.func = ls_array_at (copies->functions, 0, LsPrimFunc);
  compare (&bench, "debugger, checkpoints of 30 MB of arrays", NULL, 7, 1.5);
  measure_back (product, "small arrays");
  measure_back (copies, "30 MB of arrays");
  return 0;
}
