/* nest: the innermost statements of a function with the loops around them. */
#pragma once

#include "engine/advice/advice.h"

G_BEGIN_DECLS

#define LS_STRIDE_UNKNOWN G_MAXINT64

typedef struct {
  LsBuffer *buffer;             /* borrowed */
  LsArray  *indices;            /* borrowed */
  gboolean  is_write;
  gint64   *strides;            /* per loop of the nest, in elements; LS_STRIDE_UNKNOWN */
  gint64    bytes;              /* of an element */
  gboolean  is_gather;          /* where, is read from memory */
} LsNestAccess;

typedef enum { LS_DRIVES_NOTHING, LS_DRIVES_SPATIAL, LS_DRIVES_REDUCTION, LS_DRIVES_BOTH } LsDrives;

typedef struct {
  LsBlock        *block;        /* borrowed; NULL: a statement outside blocks */
  LsBlockRealize *realize;
  LsStmt         *stmt;         /* the store */
  guint           n_loops;
  LsFor         **loops;        /* outermost first */
  gint64         *extents;      /* of a loop that varies the mean, at least 1 */
  gboolean       *varies;       /* how often a loop runs depends on those around it */
  gboolean       *given;        /* the extent is symbolic, and was given: other sizes may follow, which nothing divides; ls_nests_give() */
  LsDrives       *drives;
  guint           scope;        /* loops outside the innermost scope: get_loops gives those from here on */
  gboolean        init_inside;  /* a T.init that is asked for in every round */
  gboolean        is_reduction; /* reads what it writes */
  gboolean        conditional;  /* a condition around or in the value */
  gboolean        masked;       /* in the value: it chooses between loads and numbers */
  double          runs, flop, calls; /* of one run: flop, and calls of libm in those of expf: less than one where they stay the same along a loop */
  double          calls_but;    /* those of them that are calls in vectors, too (vector-math.h) */
  gboolean        chooses;      /* the larger or smaller of two */
  GPtrArray      *accesses;     /* of LsNestAccess */
} LsNest;

/* Of a function, in program order. NULL: how often some loop runs is no number, *loop is the name of that loop (transfer full).
 * (transfer full) of LsNest */
GPtrArray *ls_nests_of      (LsPrimFunc *func,
                             char      **loop);
/* The same where loops whose rounds are no number, and those of a while, are taken to run some rounds: to compare programs with. (transfer full) of LsNest */
GPtrArray *ls_nests_guess   (LsPrimFunc *func);
/* Each round of a loop of the block uses what another one wrote: a scan. */
gboolean   ls_nest_is_scan  (const LsNest *self);
/* Tells the nests of a function whose sizes were given which loops that went into: `func` is the one without. */
void       ls_nests_give  (GPtrArray  *nests,
                           LsPrimFunc *func);
/* model.c: what they are expected to take one after the other, without what the caches fetch. */
double     ls_nests_seconds (GPtrArray             *nests,
                             const LsAdviceMachine *machine);
/* The number of the vectorised loop, or n_loops. */
guint      ls_nest_vector   (const LsNest *self);
/* The innermost loop that drives a reduction, or n_loops. */
guint      ls_nest_reduce   (const LsNest *self);
/* As it is vectorised: calls of the library in a run, and what is arithmetic instead of such calls. */
double     ls_nest_called   (const LsNest *self,
                             double       *instead);
/* A function of the library is called in the innermost loop, number by number. */
gboolean   ls_nest_calls    (const LsNest *self);
/* The same, would the loop be vectorised; and that what is called now is not called then. */
gboolean   ls_nest_calls_in_vectors (const LsNest *self);
gboolean   ls_nest_frees_of_calls   (const LsNest *self);
/* Unrolled or vectorised, or short enough that LLVM unrolls it. */
gboolean   ls_nest_is_flat  (const LsNest *self,
                             guint         loop);

G_END_DECLS
