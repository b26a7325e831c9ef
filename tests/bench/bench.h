/* bench: how the benchmark programs measure and report.
 *
 * Clock: CLOCK_MONOTONIC.  One sample is a batch of runs that takes at least 1 ms; warm-up first;
 * then samples until there are 30 or the time is up (2 s, LS_BENCH_SECONDS changes it).  Reported:
 * median, half of the interquartile range, minimum, and the ratio of the median to the budget.
 * A figure above its budget is marked; it does not fail the run, because machines differ.
 *
 * LS_BENCH_ONLY=TEXT runs what has TEXT in its name; LS_BENCH_COUNT=N runs each N times and measures nothing.
 *
 * `meson test -C build --benchmark --verbose` runs all of them.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*LsBenchFunc) (gpointer data);

/* Times in nanoseconds for one run. */
typedef struct {
  double  minimum;
  double  median;
  double  lower;                /* quartile */
  double  upper;                /* quartile */
  guint   n_samples;
  guint64 runs_per_sample;
} LsBenchResult;

gint64        ls_bench_now      (void);              /* ns */

/* Measures and says nothing. */
LsBenchResult ls_bench_measure  (LsBenchFunc  run,
                                 gpointer     data);

/* The same for what can be run only once after `prepare`, whose time does not count. */
LsBenchResult ls_bench_measure_prepared (LsBenchFunc prepare,
                                         LsBenchFunc run,
                                         gpointer    data);

/* Prints one line.  `budget` in ns, or 0 for none. */
void          ls_bench_report   (const char  *name,
                                 double       budget,
                                 LsBenchResult result);

/* Measures and prints one line.  `budget` in ns, or 0 for none. */
LsBenchResult ls_bench_run      (const char  *name,
                                 double       budget,
                                 LsBenchFunc  run,
                                 gpointer     data);

/* Prints a line for a figure of which more is better ("GFLOP/s").  `goal` or 0 for none. */
void          ls_bench_rate     (const char  *name,
                                 double       value,
                                 const char  *unit,
                                 double       goal);

/* Prints what belongs to every set of figures: processor, cores, load. */
void          ls_bench_head     (void);

G_END_DECLS
