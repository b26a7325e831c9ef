/* memory-lab: all accesses of a program through caches that are simulated, however many there are.
 *
 * Addresses come from the program's loops, not from a run of it: an index is linear in its loop variables, or a term of it is worked out where
 * one of its variables changes, so that the innermost loops are streams of addresses.  While all accesses of an innermost loop stay on the lines
 * of the round before, the round changes nothing in a cache that has room for them, and is counted without being gone through.
 * What depends on integers that the program loads is taken from a run of it on arguments that are given (memory-data.c); without these, and where
 * it depends on other data, the program is refused; but a choice between two values by floats (T.if_then_else) counts as both.
 *
 * Misses and their causes are those of engine/interp/locality.h.  Each buffer begins a page, in the order of the parameters and then of
 * first use; writes fetch lines as reads do; parallel rounds come one after another, as on one core; prefetching, address translation and what
 * other cores do are not modelled.  Where the program has more accesses than wanted, rounds of outer loops are left out, and their misses taken to
 * be those of the later half of the rounds that were simulated; `error` says how much these differed.
 */
#pragma once

#include "engine/interp/interp.h"
#include "engine/interp/locality.h"

G_BEGIN_DECLS

typedef struct {
  guint        n_levels;
  LsCacheLevel levels[LS_LOCALITY_LEVELS];
  guint        line_bytes;      /* a power of two, 8 to 4096 */
  double       most;            /* accesses that are simulated before rounds are left out; 0: all */
  gboolean     distances;       /* reuse distances are counted too */
  const LsInterpArg *args;      /* that a run tells from where accesses go (borrowed, and written to); NULL: what depends on data is refused */
  guint        n_args;
} LsMemoryOptions;

typedef struct { double cold, capacity, conflict; } LsMemoryMisses;

/* Reuse distances, the other lines touched between two touches of a line: none in bin 0, 2^(i-1) to 2^i - 1 in bin i. */
#define LS_MEMORY_BINS 27

typedef struct {
  char          *name;
  guint          bytes;         /* of an element */
  double         accesses;
  double         lines;         /* different ones that were touched */
  LsMemoryMisses misses[LS_LOCALITY_LEVELS];
  double         distances[LS_MEMORY_BINS]; /* touches of a line with each; first touches have none */
} LsMemoryBuffer;

/* A loop, before the loops inside it. */
typedef struct {
  char          *name;
  char          *block;         /* the block that is alone inside it, or NULL */
  guint          depth;
  double         rounds;        /* in all */
  double         accesses;
  double         footprint;     /* lines that its first round touches: as far apart are touches that this loop repeats; -1: not counted */
  LsMemoryMisses misses[LS_LOCALITY_LEVELS];
  LsMemoryMisses *of_buffers;   /* buffer * LS_LOCALITY_LEVELS + level */
  double         distances[LS_MEMORY_BINS]; /* of the accesses inside it */
} LsMemoryLoop;

typedef struct {
  LsMemoryOptions options;
  GArray         *buffers;      /* of LsMemoryBuffer */
  GArray         *loops;        /* of LsMemoryLoop, in program order; a statement outside of loops is in `all` only */
  LsMemoryBuffer  all;
  double          simulated;    /* accesses */
  double          error[LS_LOCALITY_LEVELS]; /* of all misses, relative: one standard error; 0: nothing was left out */
  double          seconds;      /* of the processor, that the simulation took */
  gboolean        chooses;      /* a value is chosen by floats: what both sides of it touch is counted */
  char           *data;         /* on what the program was run for where accesses go: put in by who gave the arguments; or NULL */
} LsMemoryLab;

/* Whether where it touches memory depends on what it loads: it takes arguments then. */
gboolean  ls_memory_lab_needs_data (LsPrimFunc *func);
/* The caches of this machine, their line, and 300 million accesses. */
void      ls_memory_options_init (LsMemoryOptions       *self);
/* FALSE with an error (LS_INTERP_ERROR_ARGUMENT) when sizes, ways and line do not go together. */
gboolean  ls_memory_options_check (const LsMemoryOptions *self,
                                   GError               **error);
/* Of a function with its blocks or lowered.  NULL with an error of LS_INTERP_ERROR: what is accessed depends on data or on sizes that are not known,
 * the program does what has no accesses that can be followed, or it was cancelled.  May be called in any thread. (transfer full) */
LsMemoryLab *ls_memory_lab_new          (LsPrimFunc            *func,
                                  const LsMemoryOptions *options,
                                  GCancellable          *cancellable,
                                  GError               **error);
void      ls_memory_lab_free         (LsMemoryLab              *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsMemoryLab, ls_memory_lab_free)

G_END_DECLS
