/* canonical-private: the sums that canonical.c works on and canonical-form.c keeps in shape.
 *
 *   term = ((index mod upper) div lower) * scale      upper may be infinite
 *   sum  = term + ... + term + base
 */
#pragma once

#include "engine/arith/arith-private.h"

G_BEGIN_DECLS

#define LS_NO_UPPER LS_POS_INF

typedef struct {
  LsExpr  *index;               /* owned */
  gint64   lower;
  gint64   upper;
  gint64   scale;
  gboolean floor;               /* rounding of div and mod */
  LsDType  dtype;
} LsTerm;

typedef enum { LS_FORM_PLAIN, LS_FORM_TERM, LS_FORM_SUM } LsForm;

/* The result of a visit: an expression, one term, or a sum. */
typedef struct {
  LsForm  form;
  LsExpr *plain;
  GArray *terms;                /* of LsTerm: exactly one for LS_FORM_TERM */
  gint64  base;
  LsDType dtype;
  gboolean overflows;           /* a number in it did not fit into 64 bits and is wrong */
  gboolean fits;                /* all terms are known to have numbers of `dtype` */
  gboolean product;             /* `plain` is a product from left to right, without a number in it */
  GHashTable *places;           /* of many terms: hash of an index -> where the first of it stands, + 1; or NULL */
} LsCanon;

/* Constructors and what says so take their arguments; the rest borrows. */
LsTerm   ls_term_of       (LsExpr *index);
LsExpr  *ls_mod_by        (LsExpr *a, gint64 c, gboolean floor);                 /* takes a */
LsExpr  *ls_div_by        (LsExpr *a, gint64 c, gboolean floor);                 /* takes a */
LsExpr  *ls_term_to_expr  (const LsTerm *term, gint64 factor);
LsTerm  *ls_term_at       (GArray *terms, guint i);
/* term div c and term mod c, c > 0.  Take the term. */
LsTerm   ls_term_div      (LsTerm term, gint64 c, gboolean floor);
LsTerm   ls_term_mod      (LsSimplifier *self, LsTerm term, gint64 c, gboolean floor);

void     ls_canon_clear   (LsCanon *canon);
LsCanon  ls_canon_steal   (LsCanon *canon);
LsCanon  ls_canon_plain   (LsExpr *expr);
LsCanon  ls_canon_term    (LsTerm term);
/* Is every number in it one of the type? The second asks for its own, and remembers. */
gboolean ls_canon_fits_type (const LsCanon *canon, LsDType dtype);
gboolean ls_canon_fits    (LsCanon *canon);
gboolean ls_canon_is_imm  (const LsCanon *canon, gint64 *value);
LsExpr  *ls_canon_to_expr (const LsCanon *canon);
LsTerm   ls_canon_to_term (const LsCanon *canon);
LsCanon  ls_canon_to_sum  (LsCanon canon);                                       /* takes */
void     ls_canon_scale   (LsCanon *canon, gint64 factor);

/* sum += term * factor (takes the term), sum += other * factor, sum /= divisor (exact) */
void     ls_sum_add_term  (LsCanon *sum, LsTerm term, gint64 factor);
void     ls_sum_add       (LsCanon *sum, const LsCanon *other, gint64 factor);
void     ls_sum_divide    (LsCanon *sum, gint64 divisor);
/* The part whose scales are multiples of c, and the rest. */
void     ls_sum_separate  (const LsCanon *sum, gint64 c, LsCanon *divisible, LsCanon *rest);
gboolean ls_divides       (gint64 divisor, gint64 value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsCanon, ls_canon_clear)

G_END_DECLS
