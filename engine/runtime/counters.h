/* counters: what the processor counts while code runs: cycles, instructions, misses.
 *
 * Through perf_event_open(2), for the thread that opens them and all that it and its threads start later, in user mode
 * only.  A machine has all, some or none: many virtual machines give their guests none.  What is not there is said,
 * with the system's reason; nothing is estimated but what the kernel itself counted only a part of the time, because it
 * had to take turns (share < 1).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_COUNTER_CYCLES,
  LS_COUNTER_INSTRUCTIONS,
  LS_COUNTER_L1D_MISSES,        /* loads that the first-level data cache did not have */
  LS_COUNTER_LLC_MISSES,        /* loads that the last level did not have */
  LS_COUNTER_BRANCH_MISSES
} LsCounterKind;

#define LS_COUNTER_N (LS_COUNTER_BRANCH_MISSES + 1)

/* What was counted of one kind. */
typedef struct {
  int     error;                /* 0, or the errno for which there is no figure */
  double  value;                /* scaled up when share < 1 */
  double  share;                /* of the time that it was counted: 1, less when the kernel took turns, 0: never */
} LsCount;

typedef struct _LsCounters LsCounters;

/* Opens all kinds.  `open` (NULL: the system call) takes a kind and returns a descriptor or -1 with errno; it is for
 * tests.  Never NULL; what cannot be opened remembers why. (transfer full) */
typedef int (*LsCounterOpen) (LsCounterKind kind);
LsCounters *ls_counters_new    (LsCounterOpen  open);
void        ls_counters_free   (LsCounters    *self);
/* Is there any? */
gboolean    ls_counters_any    (LsCounters    *self);
void        ls_counters_start  (LsCounters    *self);
/* What was counted since start. */
void        ls_counters_stop   (LsCounters    *self,
                                LsCount        counts[LS_COUNTER_N]);
/* "l1d-misses": the name in JSON. */
const char *ls_counter_name    (LsCounterKind  kind);
/* 0 when there is one, else the errno of the first kind: where none is there, the others have the same one. */
int         ls_counters_error  (LsCounters    *self);
/* "ENOENT" of the errors that the system call has, else "error 123". (transfer full) */
char       *ls_counter_error   (int            error);
/* "Hardware counters are not available: this machine's kernel does not offer them (ENOENT).", translated. (transfer full) */
char       *ls_counters_why    (int            error);

/* ---- counters-gap.c ---- */

typedef enum {
  LS_COUNTER_GAP_NONE,          /* within 15 % */
  LS_COUNTER_GAP_PREFETCHER,
  LS_COUNTER_GAP_MAPPING,       /* of pages */
  LS_COUNTER_GAP_OTHER_CORES,
  LS_COUNTER_GAP_TLB,
  LS_COUNTER_GAP_OTHER_PROGRAMS,
  LS_COUNTER_GAP_UNKNOWN
} LsCounterGapKind;

/* Misses of a level that were counted in a call beside those that a simulation has, and what else is known of the run. */
typedef struct {
  int    level;                 /* 1: the first */
  double counted, simulated, conflict; /* the last: of the simulated, those of lines that share a set */
  double pages;                 /* that are touched */
  int    cores;                 /* that the program runs on */
  double load;                  /* of the machine meanwhile, for each of its processors */
} LsCounterGap;

/* What makes the difference most likely, by these figures alone. */
LsCounterGapKind ls_counters_gap_kind  (const LsCounterGap *gap);
/* "prefetcher": as in JSON. */
const char      *ls_counters_gap_name  (LsCounterGapKind    kind);
/* Both figures, and why they differ, translated. (transfer full) */
char            *ls_counters_gap_words (const LsCounterGap *gap);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCounters, ls_counters_free)

G_END_DECLS
