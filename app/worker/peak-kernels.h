/* peak-kernels: the loops that show what one core can do; compiled for speed whatever the rest is compiled for. */
#pragma once

#include <stddef.h>

/* A loop of independent multiply-adds on float32. */
typedef struct {
  const char *name;             /* "AVX2" */
  double    (*run) (long rounds);       /* the answer only keeps the work alive */
  double      flop;             /* of a round */
} LsPeakLoop;

/* The widest ones that this CPU has; n gets how many. */
const LsPeakLoop *ls_peak_loops (int *n);
/* Reads `bytes` (a multiple of 1024, from an address divisible by 64) `passes` times. */
double            ls_peak_read  (const void *memory,
                                 size_t      bytes,
                                 long        passes);
