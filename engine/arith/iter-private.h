/* iter-private: the state of one detection, shared by the files of iter-*.c.
 *
 *   iter-rewrite.c     expressions to IterSum/IterSplit
 *   iter-pad.c         floor division and modulo of an iterator, with padding
 *   iter-fuse.c        a sum of splits as one fused iterator
 *   iter-search.c      choosing the next split of a sum by its scale
 *   iter-constraint.c  predicates as bounds of iterators
 *   iter-check.c       coverage and overlap of splits
 *
 * All expressions made on the way live in the pool; pointers in here are borrowed from it.
 */
#pragma once

#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"

G_BEGIN_DECLS

/* A sum that counts like one iterator: value = mark + offset. */
typedef struct {
  LsIterSum  *flat;             /* the sum as written: what is looked up */
  LsIterSum  *structured;       /* the same with constrained groups as marks of their own: mark->source */
  LsIterMark *mark;
  LsExpr     *offset;
} LsFused;

/* Padding of one mark, the same wherever it is used. */
typedef struct {
  LsIterMark *mark;
  LsIterMark *padded;           /* NULL until the second pass needs it */
  LsExpr     *factor;           /* the padded extent is a multiple of it */
  LsExpr     *left;
} LsIterPadding;

typedef struct {
  LsAnalyzer     *analyzer;
  LsIterMapLevel  level;
  LsPool          pool;
  GHashTable     *vars;         /* LsVar -> IterSplit or IterSum */
  GPtrArray      *input_marks;
  GPtrArray      *errors;       /* of char, borrowed from the caller */
  GPtrArray      *fused;        /* of LsFused */
  GPtrArray      *constrained;  /* of LsIterSum: flat forms that the predicate bounds */
  GPtrArray      *paddings;     /* of LsIterPadding */
  LsExpr         *padding_predicate;
  gboolean        collecting;   /* first pass: padding is gathered, not applied */
  gboolean        requires_padding;
} LsIterRewriter;

static inline gboolean
ls_is_iter (gpointer expr)
{
  return ls_is (expr, ITER_SPLIT) || ls_is (expr, ITER_SUM);
}

#define ls_sum_n(sum) ls_array_n ((sum)->args)
#define ls_sum_at(sum, i) ls_array_at ((sum)->args, i, LsIterSplit)

/* iter-rewrite.c */
void         ls_iter_rewriter_init       (LsIterRewriter *self,
                                          LsAnalyzer     *analyzer,
                                          const LsDomMap *input_iters,
                                          LsIterMapLevel  level,
                                          gboolean        simplify_trivial_iterators,
                                          GPtrArray      *errors);
void         ls_iter_rewriter_clear      (LsIterRewriter *self);
void         ls_iter_error               (LsIterRewriter *self,
                                          const char     *format,
                                          gpointer        a,
                                          gpointer        b);
/* Without normalization: an IterSum, an IterSplit or a plain expression. */
LsExpr      *ls_iter_rewrite_direct      (LsIterRewriter *self,
                                          LsExpr         *expr);
LsIterSum   *ls_iter_to_sum              (LsIterRewriter *self,
                                          LsExpr         *expr);
/* One fused iterator plus a base; an error is noted when that cannot be. */
LsIterSum   *ls_iter_rewrite             (LsIterRewriter *self,
                                          LsExpr         *expr);
LsIterSum   *ls_iter_sum_make            (LsIterRewriter *self,
                                          GPtrArray      *args,          /* of LsIterSplit, borrowed */
                                          gboolean        reversed,
                                          LsExpr         *base);
LsIterSum   *ls_iter_sum_of_split        (LsIterRewriter *self,
                                          LsIterSplit    *split,
                                          LsExpr         *base);
LsIterSplit *ls_iter_split_make          (LsIterRewriter *self,
                                          LsIterMark     *source,
                                          LsExpr         *lower_factor,
                                          LsExpr         *extent,
                                          LsExpr         *scale);
LsIterSplit *ls_iter_split_with_scale    (LsIterRewriter *self,
                                          LsIterSplit    *split,
                                          LsExpr         *scale);
gboolean     ls_iter_divisible           (LsIterRewriter *self,
                                          LsExpr         *dividend,
                                          LsExpr         *divisor);

/* iter-pad.c: NULL and an error noted when it cannot be. */
LsExpr      *ls_iter_floordiv            (LsIterRewriter *self,
                                          LsIterSplit    *split,
                                          LsExpr         *base,
                                          LsExpr         *divisor);
LsExpr      *ls_iter_floormod            (LsIterRewriter *self,
                                          LsIterSplit    *split,
                                          LsExpr         *base,
                                          LsExpr         *divisor);
/* The mark from which a padded one was made, or NULL. */
LsIterMark  *ls_iter_padding_origin      (LsIterRewriter *self,
                                          LsIterMark     *mark);
gboolean     ls_iter_mark_equal          (LsIterMark     *a,
                                          LsIterMark     *b);

/* iter-search.c */
LsExpr      *ls_iter_mul_normalized      (LsIterRewriter *self,
                                          LsExpr         *a,
                                          LsExpr         *b);
/* Takes a product apart: its constant, its other factors in order (borrowed). */
void         ls_iter_unpack_product      (LsExpr         *expr,
                                          gint64         *constant,
                                          GPtrArray      *factors);
gint         ls_iter_find_base           (LsIterSum      *sum,
                                          const gboolean *visited,
                                          LsIterMark     *source,        /* NULL: any */
                                          gint            last);
gint         ls_iter_first_unit_extent   (LsIterSum      *sum);
gint         ls_iter_find_scale          (LsIterRewriter *self,
                                          LsIterSum      *sum,
                                          const gboolean *visited,
                                          LsExpr         *scale,
                                          LsIterMark     *source,
                                          gint            last,
                                          gint            first_unit);
gint         ls_iter_find_smaller_scale  (LsIterRewriter *self,
                                          LsIterSum      *sum,
                                          const gboolean *visited,
                                          LsExpr         *scale,
                                          LsExpr        **matched);

/* iter-fuse.c */
gboolean     ls_iter_split_equal         (LsIterSplit    *a,
                                          LsIterSplit    *b,
                                          gboolean        with_scale);
gboolean     ls_iter_sum_equal           (LsIterSum      *a,
                                          LsIterSum      *b);
LsIterSum   *ls_iter_combine_same_source (LsIterRewriter *self,
                                          LsIterSum      *sum);          /* NULL: nothing to combine */
LsIterSum   *ls_iter_fuse                (LsIterRewriter *self,
                                          LsIterSum      *sum,
                                          gboolean        early);        /* NULL: it cannot be */
LsFused     *ls_iter_find_fused          (LsIterRewriter *self,
                                          LsIterSum      *flat);
LsFused     *ls_iter_find_structured     (LsIterRewriter *self,
                                          LsIterSum      *structured);

/* iter-constraint.c */
typedef struct {
  LsExpr *iter;
  LsExpr *lower;                /* lower <= iter, or NULL */
  LsExpr *upper;                /* iter < upper, or NULL */
  guint   size;                 /* nodes in iter */
} LsIterConstraint;

/* Splits the predicate; bounds of single variables go into `iters`, others into `constraints`. */
gboolean     ls_iter_match_constraints   (LsPool         *pool,
                                          LsExpr         *predicate,
                                          LsDomMap       *iters,
                                          GArray         *constraints);
/* Notes min <= expr < max for a sum. */
void         ls_iter_constrain           (LsIterRewriter *self,
                                          LsIterConstraint *constraint);
gboolean     ls_iter_check_constraints   (LsIterRewriter *self);

/* iter-check.c */
typedef struct {
  LsIterMark *mark;
  GPtrArray  *splits;           /* of LsIterSplit, borrowed */
} LsMarkSplits;

/* Every mark below some sums with the splits that use it, in the order in which they were met. */
typedef struct {
  GPtrArray  *marks;            /* of LsMarkSplits */
} LsMarkTable;

void         ls_mark_table_init          (LsMarkTable    *self,
                                          LsArray        *sums);
void         ls_mark_table_clear         (LsMarkTable    *self);
GPtrArray   *ls_mark_table_splits        (LsMarkTable    *self,
                                          LsIterMark     *mark);
gboolean     ls_iter_check_mapping       (LsIterRewriter *self,
                                          LsArray        *sums,
                                          LsIterMapLevel  level);

/* iter-expr.c: conversion with a given analyser. (transfer full) */
LsExpr      *ls_iter_map_to_expr_with    (gpointer        expr,
                                          LsAnalyzer     *analyzer);
/* Do the ranges mention no iterator? */
gboolean     ls_iter_ranges_are_sane     (const LsDomMap *iters);

G_END_DECLS
