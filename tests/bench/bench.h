/* bench: how the benchmark programs measure and report.
 *
 * Clock: CLOCK_MONOTONIC; with LS_BENCH_CPU=1 the time that the processor spent on the program and on what it started (the worker), which is what
 * can be told on a machine that others use.  One sample is a batch of runs that takes at least 1 ms; warm-up first;
 * then samples until there are 30 or the time is up (2 s, LS_BENCH_SECONDS changes it).  Reported:
 * median, half of the interquartile range, minimum, and the ratio of the median to the budget.
 * A figure above its budget is marked; it does not fail the run, because machines differ.
 *
 * LS_BENCH_ONLY=TEXT runs what has TEXT in its name; LS_BENCH_COUNT=N runs each N times and measures nothing.
 * LS_BENCH_LOG=FILE gets each figure as a line "PROGRAM tab NAME tab VALUE tab UNIT tab less|more" (which is better); that of a time is
 * its minimum.  The figure "calibration" is the time of a loop that does not change: others in its measure can be compared between
 * machines, and between a quiet and a busy hour.
 *
 * `meson test -C build --benchmark --verbose` runs all of them, compare.py compares them with those of another time.  They can be run
 * from any folder.
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

/* Writes a figure to LS_BENCH_LOG and prints nothing; for programs with tables of their own. */
void          ls_bench_note     (const char  *name,
                                 double       value,
                                 const char  *unit,
                                 gboolean     more);

/* Comes first.  Prints what belongs to every set of figures: processor, cores, load, calibration; sees to it that LS_SOURCE_ROOT and
 * LS_BUILD_ROOT are set. */
void          ls_bench_head     (void);

/* The text of a file in data/samples; the program ends when there is none. (transfer full) */
char         *ls_bench_sample   (const char  *name);

G_END_DECLS
