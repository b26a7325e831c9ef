/* seeds: the numbers of a test's random programs, one after the other.
 *
 *   LS_FUZZ_SEED=N       begins with this number (0 else)
 *   LS_FUZZ_PROGRAMS=N   so many programs
 *   LS_FUZZ_SECONDS=600  goes on for so long behind that
 *   LS_FUZZ_COMPILED=4   of so many programs one, whose number it divides, becomes machine code too: that takes three quarters of the time
 *   LS_FUZZ_LAST=FILE    holds the number of the program that is being looked at, for what ends the process
 *
 * tests/property/long runs such tests for whole nights and keeps an account of the numbers that are done. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32     first;
  guint       n, done;          /* how many there are to be, and how many were begun */
  gint64      end;              /* of g_get_monotonic_time */
  guint       limit;            /* so many wrong ones are enough */
  guint       each;             /* of so many one becomes machine code; not 0 */
  const char *last;             /* a file, or NULL */
} LsSeeds;

/* What the environment asks for; without it, `n` programs, one of four of them compiled, and the first that is wrong is the last. */
void     ls_seeds_begin (LsSeeds *self,
                         guint    n);

/* The next number; FALSE: these were all, or `wrong` are enough. */
gboolean ls_seeds_next  (LsSeeds *self,
                         guint    wrong,
                         guint32 *seed);

/* Says "N KIND, seeds A..B, WRONG wrong" as a message of the test. */
void     ls_seeds_end   (LsSeeds    *self,
                         const char *kind,
                         guint       wrong);

G_END_DECLS
