/* conflict: two accesses to one buffer in rounds that have an order, and the pair of rounds that shows it. */
#pragma once

#include "engine/poly/relation.h"

G_BEGIN_DECLS

typedef struct {
  LsPolyLeaf *old, *fresh;
  guint       number_old, number_fresh;
  gboolean    same_loops;
  gboolean    is_late;          /* its rounds run several times, and only the last finds what it reads */
} LsPolyPair;

typedef struct {
  LsPolySpace    space;
  LsPrimFunc    *func;
  LsStmt        *before;
  GArray        *pairs;         /* of LsPolyPair */
  GHashTable    *elsewhere;     /* data variables that something outside of `before` uses; made when asked for */
  LsPolyVerdict *verdict;
  gboolean       is_vague;      /* a pair may change places, by accesses that are not known exactly */
} LsPolyCompare;

/* Two accesses, the first of them first. */
typedef struct {
  LsPolyCompare *compare;
  LsPolyPair    *a, *b;
  LsPolyAccess *from, *to;
  LsPolyKind    kind;
  gboolean      exact;
  gboolean      has_turned;     /* some pairs change places, whether or not that matters */
} LsPolyConflict;

/* What came of one of which no pair changes places. */
typedef struct {
  gboolean is_late;             /* the second is right by its last run */
  gulong   operations;          /* that it took */
} LsPolyMemo;

/* ---- conflict.c -------------------------------------------------------------- */

/* [x] -> [x] over the domain's space of `instances`. */
isl_map *ls_poly_same          (isl_map        *instances);
/* [loops, old or new] -> [what a round is called] */
isl_map *ls_poly_naming        (LsPolyCompare  *self,
                                LsPolyPair     *pair,
                                LsPolyLeaf     *leaf,
                                gboolean       *exact);
/* Rounds of a -> rounds of b that touch one element, a's first, in the old or the new program. */
isl_map *ls_poly_conflicts     (LsPolyCompare  *self,
                                LsPolyPair     *a,
                                LsPolyAccess   *from,
                                LsPolyPair     *b,
                                LsPolyAccess   *to,
                                gboolean        is_new,
                                gboolean       *exact);
/* `pairs` (taken, not empty) has one that shows it: the verdict is BROKEN. */
void     ls_poly_show          (LsPolyConflict *self,
                                isl_map        *pairs,
                                gboolean        at_once);
LsPolyKind ls_poly_kind        (LsPolyAccess   *from,
                                LsPolyAccess   *to);
/* Are both accesses those of one sum? */
gboolean ls_poly_is_sum        (LsPolyConflict *self);
#define ls_poly_touches(access, own) ((access)->buffer->data == (own)->data)

/* ---- compare.c --------------------------------------------------------------- */

/* A comparison of leaves; then what came of it, and freeing. */
void     ls_poly_begin         (LsPolyCompare  *self,
                                GPtrArray      *old,
                                GPtrArray      *fresh,
                                gulong          operations);
void     ls_poly_settle        (LsPolyCompare  *self);

/* ---- same-place.c ------------------------------------------------------------ */

/* Do rounds that touch one element by these accesses surely stay in order? No question to isl. */
gboolean ls_poly_is_same_place (LsPolyPair     *a,
                                LsPolyPair     *b,
                                LsPolyAccess   *from,
                                LsPolyAccess   *to);

/* ---- memo.c ------------------------------------------------------------------ */

/* All that isl is asked about it, as text. (transfer full) */
char    *ls_poly_memo_key      (LsPolyConflict *self);
gboolean ls_poly_memo_look_up  (const char     *key,
                                LsPolyMemo     *found);
/* For all threads. (transfer full) */
void     ls_poly_memo_keep     (char           *key,
                                const LsPolyMemo *memo);

/* ---- temporary.c ------------------------------------------------------------- */

/* May it matter at all that rounds turn round, or run at once?  FALSE where the buffer is such that whatever pairs there are, it does not. */
gboolean ls_poly_may_matter    (LsPolyConflict *self,
                                gboolean        turns,
                                gboolean        at_once);
/* What of `pairs` (taken), which change places, matters: where the buffer is a temporary, values that are read must stay, no
 * more.  NULL: nothing. */
isl_map *ls_poly_what_matters  (LsPolyConflict *self,
                                isl_map        *pairs,
                                gboolean        at_once);

G_END_DECLS
