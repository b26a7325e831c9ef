/* poly: the order of reads and writes, decided exactly by sets of whole numbers.
 *
 *   text      index expressions and conditions as isl reads them
 *   model     a statement as leaves (innermost blocks) with their loops, accesses and places
 *   compare   which ordered pairs of rounds change places when one statement becomes another
 *   memo      what came of two accesses, for all programs that ask the same
 *   run       the same by runs, where indices are no sums of loop variables
 *
 * Rounds of loops are points, accesses are relations from rounds to elements, an order is a relation between rounds; isl
 * (Verdoolaege, ICMS 2010) does the sums.  This room is the only one that knows isl.  The test is the classic one of the
 * polyhedral model (Feautrier, 1991): each pair of rounds that touch one element, one of them writing, has to stay in order.
 * What does not count:
 *
 *   - pairs of one reduction block that add into the same element: their order is free, as the program says with its
 *     reduction variable (so sums of floats may round otherwise, by design);
 *   - a temporary whose rounds each write what they read: it could as well be another one in each round.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum {
  LS_POLY_KEPT,                 /* every pair stays in order */
  LS_POLY_BROKEN,               /* one does not: the witness */
  LS_POLY_UNDECIDED             /* `reason` */
} LsPolyAnswer;

typedef enum { LS_POLY_RAW, LS_POLY_WAR, LS_POLY_WAW } LsPolyKind;

/* One round of a leaf: variables (of loops, or of its block) and their values. */
typedef struct {
  LsBlock   *block;             /* borrowed; NULL: a statement outside of blocks */
  GPtrArray *vars;              /* of LsVar, borrowed */
  GArray    *values;            /* of gint64 */
} LsPolyRound;

typedef struct {
  LsPolyAnswer answer;
  gboolean     by_run;          /* a run of the interpreter says so, on zeros; else it holds for all data */
  gboolean     on_random;       /* the run was on random numbers: BROKEN only */
  const char  *reason;          /* UNDECIDED: a clause, not yet translated */
  /* BROKEN */
  LsPolyRound  first, second;   /* in the order in which they ran */
  LsPolyKind   kind;
  LsBuffer    *buffer;          /* borrowed */
  GArray      *element;         /* of gint64: its indices */
  gboolean     at_once;         /* they would run at the same time; else the other way round */
} LsPolyVerdict;

void ls_poly_verdict_clear (LsPolyVerdict *self);

/* A statement of a function, and what stands in its place. */
typedef struct {
  LsPrimFunc *func;             /* before */
  GPtrArray  *around;           /* of LsFor and LsBlockRealize around the statement, outermost first */
  LsStmt     *place;            /* the statement in `func` */
  LsStmt     *before;           /* it, perhaps without parts that have nothing to do with what changes */
  LsStmt     *after;
  LsStmt     *body;             /* of the whole function then */
  gulong      operations;       /* of isl at the most: 100,000 are some 10 ms */
} LsPolyQuestion;

/* Does `before` keep its order when `after` stands in its place?  A leaf is the same one where its block is the same pointer;
 * leaves that are in one of them only are no part of the question.  *verdict is overwritten; nodes in it are borrowed from
 * `func`. */
void ls_poly_compare       (const LsPolyQuestion *question,
                            LsPolyVerdict *verdict);

/* What was found out about pairs of accesses (memo.c) is not known any more; how many they were.  For tests. */
guint ls_poly_forget       (void);

G_END_DECLS
