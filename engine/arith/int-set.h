/* int-set: sets of integers as intervals whose ends are expressions.
 *
 *   int-set        LsIntSet, union, intersection, questions                 int-set.c
 *   dom-map        what a variable may be: LsDomMap                         dom-map.c
 *   eval           the set of values of an expression over a LsDomMap       int-set-eval.c
 *   constraint     sets from boolean conditions (AsIntSet)                  int-set-constraint.c
 *   inequality     ranges from linear conditions                            inequality.c
 *   region         lists of ranges: relaxed, united, estimated              int-set-region.c
 *
 * The concepts, names and results are those of TVM v0.20's tvm::arith::IntSet.  Ends are
 * inclusive.  Everything borrows its arguments and returns new references, except
 * functions named ls_int_set_new_*: they take theirs.
 */
#pragma once

#include "engine/arith/analyzer.h"

G_BEGIN_DECLS

/* ---- dom-map.c: what variables may be ------------------------------------ */

typedef struct _LsIntSet LsIntSet;

/* Var -> Range or set, in the order in which the variables came.  One type for TVM's
 * Map<Var, Range> and Map<Var, IntSet>. */
typedef struct _LsDomMap LsDomMap;

LsDomMap *ls_dom_map_new       (void);
LsDomMap *ls_dom_map_copy      (const LsDomMap *self);
void      ls_dom_map_free      (LsDomMap       *self);
/* A variable that was there keeps its place and gets the new domain. */
void      ls_dom_map_set_range (LsDomMap       *self,
                                LsVar          *var,
                                LsRange        *range);
void      ls_dom_map_set_set   (LsDomMap       *self,
                                LsVar          *var,
                                LsIntSet       *set);
void      ls_dom_map_remove    (LsDomMap       *self,
                                LsVar          *var);
gboolean  ls_dom_map_contains  (const LsDomMap *self,
                                LsVar          *var);
guint     ls_dom_map_get_n     (const LsDomMap *self);
LsVar    *ls_dom_map_get_var   (const LsDomMap *self,
                                guint           i);
/* The range (NULL when a set that is no range was given), the set; NULL when the variable is not there. */
LsRange  *ls_dom_map_get_range (const LsDomMap *self,
                                LsVar          *var);
LsIntSet *ls_dom_map_get_set   (const LsDomMap *self,
                                LsVar          *var);
/* Does any variable of the map occur in `node`? */
gboolean  ls_dom_map_used_in   (const LsDomMap *self,
                                gpointer        node);
/* Binds every range in the analyser (allow_override). */
void      ls_dom_map_bind      (const LsDomMap *self,
                                LsAnalyzer     *analyzer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDomMap, ls_dom_map_free)

/* ---- int-set.c ----------------------------------------------------------- */

/* Immutable, reference counted.  An end is a PrimExpr or one of the two infinities. */
struct _LsIntSet {
  gatomicrefcount refs;
  LsExpr         *min_value;
  LsExpr         *max_value;
};

/* The infinities (borrowed, live for ever): variables of type handle, as TVM's SymbolicLimits. */
LsExpr   *ls_pos_inf                  (void);
LsExpr   *ls_neg_inf                  (void);
#define ls_is_pos_inf(e) (LS_EXPR (e) == ls_pos_inf ())
#define ls_is_neg_inf(e) (LS_EXPR (e) == ls_neg_inf ())

LsIntSet *ls_int_set_ref              (LsIntSet *self);
void      ls_int_set_unref            (LsIntSet *self);   /* NULL allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsIntSet, ls_int_set_unref)

/* [min, max]; takes both. */
LsIntSet *ls_int_set_new_interval     (LsExpr   *min,
                                       LsExpr   *max);
/* {point}; takes it. */
LsIntSet *ls_int_set_new_point        (LsExpr   *point);
LsIntSet *ls_int_set_everything       (void);
LsIntSet *ls_int_set_nothing          (void);
/* [min, min + extent - 1]; extent 1: the point min. */
LsIntSet *ls_int_set_from_range       (LsRange  *range);
/* [min, min + extent - 1] with max simplified when extent is not 1 (TVM: FromMinExtent). */
LsIntSet *ls_int_set_from_min_extent  (LsExpr   *min,
                                       LsExpr   *extent);
/* The lanes of a vector index: of a Ramp base..base + stride * (lanes - 1), of anything else a point (TVM: Vector). */
LsIntSet *ls_int_set_vector           (LsExpr   *expr);

gboolean  ls_int_set_is_nothing       (LsIntSet *self);
gboolean  ls_int_set_is_everything    (LsIntSet *self);
/* Both ends the same pointer. */
gboolean  ls_int_set_is_single_point  (LsIntSet *self);
/* Both ends provably equal.  analyzer may be NULL. */
gboolean  ls_int_set_can_prove_single_point (LsIntSet   *self,
                                             LsAnalyzer *analyzer);
gboolean  ls_int_set_has_lower_bound  (LsIntSet *self);
gboolean  ls_int_set_has_upper_bound  (LsIntSet *self);
/* Borrowed ends; ask has_..._bound first. */
static inline LsExpr *ls_int_set_min  (LsIntSet *self) { return self->min_value; }
static inline LsExpr *ls_int_set_max  (LsIntSet *self) { return self->max_value; }
/* The value of a single point, borrowed. */
LsExpr   *ls_int_set_point_value      (LsIntSet *self);
gboolean  ls_int_set_can_prove_positive     (LsIntSet *self);
gboolean  ls_int_set_can_prove_negative     (LsIntSet *self);
gboolean  ls_int_set_can_prove_non_positive (LsIntSet *self);
gboolean  ls_int_set_can_prove_non_negative (LsIntSet *self);
/* Provably the values of this range. */
gboolean  ls_int_set_match_range      (LsIntSet *self,
                                       LsRange  *range);
/* [min, max + 1 - min) simplified, or `max_range` when an end is infinite. (transfer full) */
LsRange  *ls_int_set_cover_range      (LsIntSet *self,
                                       LsRange  *max_range);
LsIntSet *ls_int_set_union2           (LsAnalyzer *analyzer,
                                       LsIntSet   *a,
                                       LsIntSet   *b);
LsIntSet *ls_int_set_intersect2       (LsAnalyzer *analyzer,
                                       LsIntSet   *a,
                                       LsIntSet   *b);
/* Of n sets, simplified; of none: nothing. */
LsIntSet *ls_int_set_union            (LsIntSet  **sets,
                                       guint       n);
LsIntSet *ls_int_set_intersect        (LsIntSet  **sets,
                                       guint       n);
/* A lower bound of the union: sets that cannot be proved to touch are left out (TVM: UnionLowerBound). */
LsIntSet *ls_int_set_union_lower_bound (LsIntSet **sets,
                                       guint       n);
/* "IntervalSet[0, 7]"-like text for debugging and tests. (transfer full) */
char     *ls_int_set_repr             (LsIntSet   *self);

/* ---- int-set-eval.c ------------------------------------------------------ */

/* Every value that `expr` takes while the variables of `dom` take every value of theirs; other variables
 * stay symbols.  Domains may mention variables of the map: they are relaxed in turn.
 * `analyzer` may be NULL (a fresh one).  Cost: linear in the expression, times nested domains. */
LsIntSet *ls_eval_set                 (LsExpr         *expr,
                                       const LsDomMap *dom,
                                       LsAnalyzer     *analyzer);
/* [min, min + extent - 1] relaxed. */
LsIntSet *ls_eval_set_range           (LsRange        *range,
                                       const LsDomMap *dom);
LsIntSet *ls_eval_set_set             (LsIntSet       *set,
                                       const LsDomMap *dom);
/* The set as TVM's IntSetAnalyzer says it: over what is bound in the analyser and the constraints entered there;
 * `dom` NULL: only over these. */
LsIntSet *ls_analyzer_int_set         (LsAnalyzer     *analyzer,
                                       LsExpr         *expr,
                                       const LsDomMap *dom);
/* min and max of `expr` for ls_analyzer_can_prove_strength (new references, NULL when unbounded). */
void      ls_int_set_symbolic_bound   (LsAnalyzer     *analyzer,
                                       LsExpr         *expr,
                                       LsExpr        **min,
                                       LsExpr        **max);

/* ---- int-set-constraint.c ------------------------------------------------ */

/* Domains that a condition gives to variables: for each conjunct `var op expr` an interval; constraints on one
 * variable are intersected.  Conjuncts that bound no variable are left out. (transfer full) */
LsDomMap *ls_constraint_to_dom_map    (LsExpr         *condition,
                                       LsAnalyzer     *analyzer);

/* ---- inequality.c --------------------------------------------------------- */

/* The ranges that linear `conditions` (of LsExpr: comparisons) leave to `vars` (of LsVar), which had `ranges`.  NULL
 * when they cannot be said by ranges alone (TVM: SolveInequalitiesToRange with relations left). (transfer full) */
LsDomMap *ls_solve_inequalities       (GPtrArray      *vars,
                                       const LsDomMap *ranges,
                                       GPtrArray      *conditions);

/* ---- int-set-region.c ---------------------------------------------------- */

/* A list of sets, one for each dimension: of LsIntSet, with free function. */
typedef GPtrArray LsNDIntSet;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsNDIntSet, g_ptr_array_unref)
LsNDIntSet *ls_nd_int_set_new          (void);
LsNDIntSet *ls_nd_int_set_from_region  (LsArray       *region);     /* of Range */
LsNDIntSet *ls_nd_int_set_from_point   (LsArray       *indices);    /* of Expr */
/* In each dimension the union with `other` (self becomes a copy of other when it is empty). */
void        ls_nd_int_set_union_with   (LsNDIntSet    *self,
                                        LsNDIntSet    *other);
LsNDIntSet *ls_nd_int_set_eval         (LsNDIntSet    *self,
                                        const LsDomMap *dom);

/* EvalSet of each range of a region. */
LsNDIntSet *ls_eval_region             (LsArray       *region,
                                        const LsDomMap *dom);
/* Bounds of the union of regions over the domains in `dom` (variables with ranges), under `predicate`
 * (NULL: true).  StrictBound: exact, NULL when it is not known to be; LowerBound: inside the union, NULL when
 * none is known; UpperBound: contains the union, by affine iteration maps first, else by intervals.
 * analyzer may be NULL. */
LsNDIntSet *ls_region_strict_bound     (LsArray       *region,
                                        const LsDomMap *dom,
                                        LsExpr        *predicate,
                                        LsAnalyzer    *analyzer);
LsNDIntSet *ls_region_lower_bound      (LsArray       *region,
                                        const LsDomMap *dom,
                                        LsExpr        *predicate,
                                        LsAnalyzer    *analyzer);
LsNDIntSet *ls_region_upper_bound      (LsArray       *region,
                                        const LsDomMap *dom,
                                        LsExpr        *predicate,
                                        LsAnalyzer    *analyzer);
/* TVM's UnionRegion and UnionRegionLowerBound over several LsNDIntSet of one length. */
LsNDIntSet *ls_nd_int_set_union        (LsNDIntSet   **sets,
                                        guint          n);
LsNDIntSet *ls_nd_int_set_union_lower_bound (LsNDIntSet **sets,
                                        guint          n);

G_END_DECLS
