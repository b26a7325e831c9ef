/* iter-map: expressions of loop variables as affine maps of iterators.
 *
 * An IterMark is an iterator: a variable or a sum that counts like one, with an extent.
 * An IterSplit is a part of a mark: ((mark // lower_factor) % extent) * scale.
 * An IterSum is a sum of splits and a base.
 * Detection rewrites indices to such sums and decides whether the iterators are used
 * without gap (surjective) and each once (bijective).  With it a schedule knows whether a block's
 * bindings cover its domain, how a block divides into outer and inner parts, and the inverse of a map.
 *
 *   iter-expr        the nodes, conversions back to plain expressions       iter-expr.c
 *   detect           ls_detect_iter_map, ls_normalize_to_iter_sum           iter-detect.c, and for its steps
 *                    iter-constraint.c, iter-rewrite.c, iter-pad.c, iter-fuse.c, iter-search.c, iter-check.c
 *   simplify         ls_iter_map_simplify                                   iter-simplify.c
 *   divide           ls_subspace_divide                                     iter-divide.c
 *   inverse          ls_inverse_affine_iter_map                             iter-inverse.c
 *
 * The concepts, names and results are those of TVM v0.20's tvm::arith::DetectIterMap and its
 * kin.  Everything borrows its arguments and returns new references; the three node
 * constructors take theirs.
 */
#pragma once

#include "engine/arith/int-set.h"

G_BEGIN_DECLS

/* ---- iter-expr.c ---------------------------------------------------------- */

typedef struct { LsNode node; LsExpr *source; LsExpr *extent; } LsIterMark;     /* source: Var, IterSum or another expression */
typedef struct { LsExpr expr; LsIterMark *source; LsExpr *lower_factor; LsExpr *extent; LsExpr *scale; } LsIterSplit;
typedef struct { LsExpr expr; LsArray *args; LsExpr *base; } LsIterSum;         /* args: of IterSplit */

LS_DEFINE_CLEANUP (LsIterMark)
LS_DEFINE_CLEANUP (LsIterSplit)
LS_DEFINE_CLEANUP (LsIterSum)

LsIterMark  *ls_iter_mark_new          (LsExpr     *source,
                                        LsExpr     *extent);
LsIterSplit *ls_iter_split_new         (LsIterMark *source,
                                        LsExpr     *lower_factor,
                                        LsExpr     *extent,
                                        LsExpr     *scale);
LsIterSum   *ls_iter_sum_new           (LsArray    *args,
                                        LsExpr     *base);
/* The whole mark: lower factor 1, its extent, scale 1. */
LsIterSplit *ls_iter_split_of_mark     (LsIterMark *mark);
/* The plain expression that an IterSum or IterSplit stands for; nested ones inside any expression too
 * (TVM: NormalizeIterMapToExpr). */
LsExpr      *ls_iter_map_to_expr       (gpointer    iter_map_expr);

/* ---- iter-detect.c -------------------------------------------------------- */

typedef enum {                  /* TVM's IterMapLevel */
  LS_ITER_MAP_BIJECTIVE = 0,    /* every value of every iterator, once */
  LS_ITER_MAP_SURJECTIVE = 1,   /* every value of the bindings is reached */
  LS_ITER_MAP_NO_CHECK = 3      /* only the form is found */
} LsIterMapLevel;

typedef struct {
  LsArray   *indices;           /* of IterSum, one for each index; empty when the indices are no such map */
  GPtrArray *errors;            /* of char: why not, one sentence each */
  LsExpr    *padding_predicate; /* true where an index value stands for padding only; false: no padding */
} LsIterMapResult;

void             ls_iter_map_result_free (LsIterMapResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsIterMapResult, ls_iter_map_result_free)

/* Detects `indices` as iteration maps of the variables of `input_iters` (all with ranges) where `predicate`
 * (NULL: true) holds.  Bounds of one iterator in the predicate (lower <= x, x < upper, joined by and)
 * narrow it; anything else in it is refused.  Unless BIJECTIVE is asked for, divisions that do not come out
 * even pad their iterator, and padding_predicate says where.  Never NULL. */
LsIterMapResult *ls_detect_iter_map          (LsArray         *indices,
                                              const LsDomMap  *input_iters,
                                              LsExpr          *predicate,
                                              LsIterMapLevel   level,
                                              LsAnalyzer      *analyzer,
                                              gboolean         simplify_trivial_iterators);
/* `index` as one IterSum over the iterators, without checks: parts that are no iterator become marks of their
 * own (TVM: NormalizeToIterSum). */
LsIterSum       *ls_normalize_to_iter_sum    (LsExpr          *index,
                                              const LsDomMap  *input_iters,
                                              LsAnalyzer      *analyzer);

/* ---- iter-simplify.c ------------------------------------------------------ */

/* The indices in simplified form if they are an iteration map, else simplified by the analyser alone.
 * As many expressions as indices. */
LsArray         *ls_iter_map_simplify        (LsArray         *indices,
                                              const LsDomMap  *input_iters,
                                              LsExpr          *predicate,
                                              LsIterMapLevel   level,
                                              LsAnalyzer      *analyzer,
                                              gboolean         simplify_trivial_iterators);

/* ---- iter-divide.c -------------------------------------------------------- */

/* Divides each binding into outer * extent (inner) + inner, where `sub_iters` (Vars of the map) are the inner
 * iterators.  n + 1 pairs, the last one the predicate: (outer predicate, inner predicate) in .source of marks
 * with extent true.  NULL when the bindings are no such map or do not divide. */
typedef struct {
  guint        n;               /* number of bindings */
  LsIterMark **outer;           /* n + 1 */
  LsIterMark **inner;           /* n + 1 */
} LsSubspace;

void             ls_subspace_free            (LsSubspace      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSubspace, ls_subspace_free)
LsSubspace      *ls_subspace_divide          (LsArray         *bindings,
                                              const LsDomMap  *input_iters,
                                              LsArray         *sub_iters,
                                              LsExpr          *predicate,
                                              LsIterMapLevel   level,
                                              LsAnalyzer      *analyzer,
                                              gboolean         simplify_trivial_iterators);

/* ---- iter-inverse.c ------------------------------------------------------- */

/* Solves iter_map (of IterSum, bijective) = outputs (of Expr) for the variables: LsVar -> LsExpr, a table that owns
 * the expressions and refs the variables.  NULL when a sum is not one fused iterator. */
GHashTable      *ls_inverse_affine_iter_map  (LsArray         *iter_map,
                                              LsArray         *outputs);

/* Makes ls_class_get know the classes of iteration maps.  Needed only where classes are listed. */
void         ls_iter_map_register_classes (void);

G_END_DECLS
