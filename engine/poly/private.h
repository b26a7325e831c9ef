/* private: what the files of this room share. */
#pragma once

#include "engine/poly/poly.h"

G_BEGIN_DECLS

/* ---- text.c ------------------------------------------------------------------ */

/* How variables are called in a text: Var -> name, owned.  Those that are not in it become parameters p0, p1, ... */
typedef struct {
  GHashTable *dims;             /* Var -> char * */
  GPtrArray  *params;           /* of LsVar, borrowed */
} LsPolyNames;

/* FALSE: the expression is not affine; `out` is as before. */
gboolean ls_poly_put_expr      (GString     *out,
                                LsPolyNames *names,
                                LsExpr      *expr);
/* `head` (a name and a sign) and the expression, in cases where it chooses.  *exact becomes FALSE where that says too little: both cases of a condition that
 * is not affine, or, with FALSE, nothing. */
gboolean ls_poly_put_bound     (GString     *out,
                                LsPolyNames *names,
                                const char  *head,
                                LsExpr      *expr,
                                gboolean    *exact);
/* As ls_poly_put_expr, for a condition. */
gboolean ls_poly_put_condition (GString     *out,
                                LsPolyNames *names,
                                LsExpr      *condition);

/* ---- model.c ----------------------------------------------------------------- */

typedef enum { LS_ACCESS_PLAIN, LS_ACCESS_ADDS, LS_ACCESS_STARTS } LsAccessRole;

typedef struct {
  LsBuffer    *buffer;          /* borrowed */
  LsArray     *indices;         /* owned, over loop variables and those around */
  GPtrArray   *inner;           /* of LsFor, owned: loops inside the leaf around it, their bounds over those outside */
  GPtrArray   *conditions;      /* of LsExpr, owned: it happens only then */
  gboolean     is_write;
  gboolean     is_vague;        /* happens perhaps: a condition is left out */
  LsAccessRole role;
} LsPolyAccess;

typedef struct {
  LsNode         *key;          /* borrowed: the Block or statement that it is */
  LsBlockRealize *realize;      /* NULL: a statement outside of blocks */
  GPtrArray      *chain;        /* of LsBlockRealize, borrowed: around it in the statement, itself last */
  GPtrArray      *loops;        /* of LsFor, borrowed, outermost first */
  GPtrArray      *conditions;   /* of LsExpr, owned, over loop variables */
  GPtrArray      *iters;        /* of LsExpr, owned: the values of the variables of the chain */
  GPtrArray      *iter_vars;    /* of LsIterVar, borrowed */
  GArray         *accesses;     /* of LsPolyAccess */
  gboolean        one_store;    /* it is a single store: all it reads is read first */
} LsPolyLeaf;

/* The leaves of a statement in order; NULL and why when it holds what has no place here. (transfer full) of LsPolyLeaf */
GPtrArray *ls_poly_leaves      (LsStmt      *stmt,
                                const char **reason);

/* Do two leaves, which are one in two programs, stand under the same loops, in any order, bound to the same values? */
gboolean ls_poly_has_same_loops (LsPolyLeaf *a,
                                 LsPolyLeaf *b);

G_END_DECLS
