/* steps-private: what the files of steps share. */
#pragma once

#include "engine/arith/arith.h"
#include "engine/arith/pool.h"
#include "engine/interp/interp.h"
#include "engine/tir/tir.h"
#include "tests/proof/steps.h"

G_BEGIN_DECLS

/* Two variables over small intervals, and an analyser that knows them. */
typedef struct {
  LsVar      *x, *y;
  gint64      low[2], high[2];
  gint64      values[2];
  GHashTable *point;            /* LsVar -> gint64 * */
  LsAnalyzer *analyzer;
} StepCase;

void     step_begin       (StepCase *self,
                           LsDType   type,
                           gint64    x_low,
                           gint64    x_high,
                           gint64    y_low,
                           gint64    y_high);
void     step_end         (StepCase *self);
/* One value that does not fit: fails the test, or finds what is planted. */
void     step_wrong       (const char *format,
                           ...) G_GNUC_PRINTF (1, 2);
/* FALSE: it has none here (division by zero). */
gboolean step_value       (StepCase *self,
                           LsExpr   *expr,
                           gint64   *value);
/* Every value of `b` is that of `a`, where that has one; fails the test with both texts else. */
void     step_same        (StepCase *self,
                           LsExpr   *a,
                           LsExpr   *b);
/* step_same with what the rewriter, the canonical form and both in turn make of it. Takes it. */
void     step_simplifies  (StepCase *self,
                           LsExpr   *expr);
/* Is this case to be tried? Counts those that are. */
gboolean step_due         (guint     stride,
                           guint    *seen,
                           guint    *cases);

#define X(c) LS_EXPR (ls_ref ((c)->x))
#define Y(c) LS_EXPR (ls_ref ((c)->y))

/* A transfer function that is wrong in one way, laid over what the analyser says; it changes nothing where it does not apply.  Which of
 * the three it is tells which kind of step asks it. */
typedef struct {
  const char *kind;
  const char *step;             /* that has to find it */
  void      (*bound)   (StepCase     *c,
                        LsExpr       *expr,
                        gint64       *min,
                        gint64       *max);
  /* a: what is known of x; b: of y, or of the condition */
  void      (*modular) (LsExpr       *expr,
                        LsModularSet  a,
                        LsModularSet  b,
                        LsModularSet *set);
  LsExpr   *(*rewrite) (LsExpr       *expr);     /* (transfer full); NULL: it stays */
} PlantedStep;

/* The one that is planted now, or NULL; and whether a step found it. */
extern const PlantedStep *step_planted;
extern gboolean           step_found;

/* steps-planted.c */
const PlantedStep *proof_planted_steps (guint *n);

/* steps-sets.c */
guint step_bounds         (guint stride);
guint step_bounds_narrow  (guint stride);
guint step_bounds_rest    (guint stride);
guint step_bounds_through_floats (guint stride);
guint step_modular        (guint stride);
guint step_modular_rest   (guint stride);
guint step_modular_enter  (guint stride);
guint step_int_sets       (guint stride);

/* steps-rewrite.c */
guint step_quotients      (guint stride);
guint step_ramps          (guint stride);
guint step_comparisons    (guint stride);
guint step_products       (guint stride);
guint step_branches       (guint stride);
guint step_known          (guint stride);
guint step_inverse        (guint stride);
guint step_canonical      (guint stride);

/* steps-iter.c */
guint step_iter_maps      (guint stride);

G_END_DECLS
