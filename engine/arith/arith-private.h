/* arith-private: what the files of the analyser share.
 *
 *   math.c          saturating and wrapping integer arithmetic, gcd, extended Euclid
 *   known-vars.c    ranges and bounds of variables
 *   bound.c         LsConstIntBound of an expression
 *   modular.c       LsModularSet of an expression
 *   transitive.c    comparisons that are known, and chains of them
 *   fact-index.c    facts by what they are about
 *   fits.c          whether sums of a result stay in their type
 *   constraint.c    splitting a condition, normal form of its negation
 *   rules-read.c    rules written as text, read (rule.h)
 *   rules.c         matched, asked, built
 *   rewrite-*.c     the rules and the rewriter that applies them
 *   rule-list.c     all tables
 *   canonical.c     sums of split terms
 *   cnf.c           booleans as an and of ors
 *   refute.c        conditions that do not hold, by example
 *   analyzer.c      the analyser that holds all of this
 */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/arith/rewrite-stats.h"
#include "engine/arith/rule.h"

G_BEGIN_DECLS

/* How deep visits may nest, how much stack they may take (bytes), and how many nodes one call may visit: beyond
 * that, things stay as they are. */
#define LS_ARITH_MAX_DEPTH 4000
#define LS_ARITH_MAX_STACK (3 * 1024 * 1024)
#define LS_ARITH_MAX_STEPS 400000
/* Rules that ask for another visit of their result do so at most this deep (TVM: kMaxRecurDepth). */
#define LS_ARITH_MAX_AGAIN 5

/* Facts that come and go as on a stack, by a hash of what each is about.  Zeros are an empty one. */
#define LS_FACT_SLOTS 128
typedef struct {
  guint32 hash;
  guint   before;               /* the last one before it of its slot, + 1; or 0 */
} LsIndexedFact;

typedef struct {
  LsIndexedFact *facts;
  guint          n, size;
  guint          heads[LS_FACT_SLOTS];
} LsFactIndex;

/* One of the two simplifiers.  They share the rules; the canonical one visits sums its own way and, as in TVM,
 * has neither extensions nor literal constraints. */
typedef struct {
  LsAnalyzer *analyzer;
  gboolean    canonical;
  guint       extensions;       /* LsRewriteExtensions */
  guint       again;            /* depth of repeated visits */
  gboolean    ring_only;        /* the next table applies only its rules of sums and products */
  GHashTable *values;           /* LsVar -> LsExpr: variables that stand for a value */
  GPtrArray  *literals;         /* LsExpr: conditions that hold */
  LsFactIndex literal_index;    /* of them */
  gboolean    careful;          /* no rule whose result may leave its type, by what is known of the variables */
  LsExpr     *stand_in;         /* a variable in place of a sum that is folded, or NULL */
} LsSimplifier;

typedef struct {
  LsExpr          *expr;
  LsConstIntBound  bound;       /* by this fact and by those before it about the same */
} LsBoundFact;

typedef struct {
  LsVar       *var;
  LsModularSet old;
} LsModularUndo;

typedef struct _LsTransitive LsTransitive;

/* What is known of one variable. */
typedef struct {
  LsVar           *var;
  LsRange         *range;       /* or NULL */
  gboolean         bounded;
  LsConstIntBound  bound;       /* when bounded */
} LsKnownVar;

/* Of all of them, in the order in which they came.  Zeros are an empty one. */
typedef struct {
  LsKnownVar *items;
  guint       n, size;
  GHashTable *numbers;          /* LsVar -> its number + 1; or NULL: there are few */
} LsKnownVars;

typedef struct {
  guint n_bound_facts, n_modular_undo, n_literals, n_knowns, n_constraints;
} LsScope;

struct _LsAnalyzer {
  LsKnownVars   known;
  GArray       *bound_facts;    /* LsBoundFact */
  LsFactIndex   bound_index;    /* of them */
  GHashTable   *modulars;       /* LsVar -> LsModularSet */
  GArray       *modular_undo;   /* LsModularUndo */
  LsTransitive *transitive;
  LsSimplifier  rewrite;
  LsSimplifier  canonical;
  GPtrArray    *constraints;    /* LsExpr */
  GArray       *scopes;         /* LsScope */
  LsBudget     *budget;
  guint         calls;          /* public calls that are running */
  guintptr      stack;          /* about where the outermost of them stands on the stack */
  gsize         most_stack;     /* bytes below it that visits may use */
  guint         depth;          /* visits that are nested */
  gint64        steps;          /* visits that this call may still make */
  LsRewriteStats stats;
  GHashTable   *plain[LS_ARITH_MAX_AGAIN + 1];  /* by depth of repeated visits: LsExpr -> LsExpr, what the canonical simplifier visited twice, as
                                                 * long as nothing else becomes known; or NULL */
  GHashTable   *data;           /* LsVar: scalars that hold what was loaded; NULL: none */
  guint32       data_bits;      /* facts that what holds one of them has */
  GHashTable   *names;          /* LsVar -> LsVar: memory of buffers that is named twice, by the name that it had first; NULL: none */
  gboolean      proves;         /* the outermost call gives no expression back, so that none has to fit its type */
};

/* Something became known, or is no longer known: nothing that was visited before counts. */
void     ls_analyzer_forget (LsAnalyzer *self);

/* Around what is asked from outside: the first one begins to count steps and the stack, the last one forgets what was visited. */
void     ls_analyzer_begin_call (LsAnalyzer *self);
void     ls_analyzer_end_call (LsAnalyzer *self);

/* ---- fact-index.c ------------------------------------------------------- */

/* The same for expressions that are deeply equal.  Variables all have the same structural hash: the one that comes first counts. */
guint32  ls_fact_hash         (LsExpr            *expr);
/* One more fact. */
void     ls_fact_index_push   (LsFactIndex       *self,
                               guint32            hash);
/* The first n stay. */
void     ls_fact_index_cut    (LsFactIndex       *self,
                               guint              n);
/* The number + 1 of the last fact of that hash, and of the one before it; 0: there is none. */
guint    ls_fact_index_last   (const LsFactIndex *self,
                               guint32            hash);
guint    ls_fact_index_before (const LsFactIndex *self,
                               guint              at);
void     ls_fact_index_clear  (LsFactIndex       *self);

/* Counts a visit.  FALSE: too deep or too long, go no further; TRUE must be followed by ls_visit_leave. */
gboolean ls_visit_enter (LsAnalyzer *self);
void     ls_visit_leave (LsAnalyzer *self);

/* ---- math.c ------------------------------------------------------------- */

gint64   ls_wrap_add     (gint64 a, gint64 b);
gint64   ls_wrap_sub     (gint64 a, gint64 b);
gint64   ls_wrap_mul     (gint64 a, gint64 b);
gint64   ls_sat_neg      (gint64 a);
gint64   ls_sat_add      (gint64 a, gint64 b);
gint64   ls_sat_mul      (gint64 a, gint64 b);
/* Rounded towards zero, and the remainder of it; b != 0; the one overflow gives LS_POS_INF and 0. */
gint64   ls_trunc_div    (gint64 a, gint64 b);
gint64   ls_trunc_rem    (gint64 a, gint64 b);
gint64   ls_floor_div    (gint64 a, gint64 b);
gint64   ls_floor_rem    (gint64 a, gint64 b);
/* a * x + b * y = gcd (a, b) */
gint64   ls_extended_gcd (gint64 a, gint64 b, gint64 *x, gint64 *y);

/* ---- known-vars.c ------------------------------------------------------- */

/* NULL: nothing is known of it. */
LsKnownVar     *ls_known_vars_find    (const LsKnownVars *self,
                                       gconstpointer      var);
/* What is known of it, to be written; valid until the next one is added. */
LsKnownVar     *ls_known_vars_get     (LsKnownVars     *self,
                                       LsVar           *var);
void            ls_known_vars_copy    (const LsKnownVars *self,
                                       LsKnownVars     *to);
/* Forgets everything and keeps the space. */
void            ls_known_vars_reset   (LsKnownVars     *self);
void            ls_known_vars_clear   (LsKnownVars     *self);

/* ---- bound.c ------------------------------------------------------------ */

LsConstIntBound ls_bound_everything   (LsDType          dtype);
LsConstIntBound ls_bound_of           (LsAnalyzer      *self,
                                       LsExpr          *expr);
/* Is a cast of the value taken to keep it although the type alone could not say so? */
gboolean        ls_cast_keeps_index   (LsAnalyzer      *self,
                                       LsExpr          *value,
                                       LsDType          to);
void            ls_bound_bind_range   (LsAnalyzer      *self,
                                       LsVar           *var,
                                       LsRange         *range,
                                       gboolean         allow_override);
void            ls_bound_enter        (LsAnalyzer      *self,
                                       LsExpr          *constraint);

/* Does a sum, difference, product or quotient leave its type if it is data, as far as bounds can tell?  A quotient is the lowest number by -1. */
gboolean        ls_leaves_type        (LsAnalyzer      *self,
                                       LsExpr          *expr);
/* May a sum, difference or product inside leave its type?  Indices are taken not to; numbers that were loaded wrap. */
gboolean        ls_may_wrap           (LsAnalyzer      *self,
                                       LsExpr          *expr);
/* An operation on loaded integers that does not go through wrapping, such as (A[i] + 1 < A[i]), which is true for the
 * largest A[i]: sums and products may be rearranged among themselves only.  (TVM v0.20 takes them not to wrap.) */
gboolean        ls_is_beyond_ring     (LsAnalyzer      *self,
                                       LsExpr          *expr);
/* Would the result be taken not to wrap where the expression does, or wrap where that does not? */
gboolean        ls_forgets_to_wrap    (LsAnalyzer      *self,
                                       LsExpr          *expr,
                                       LsExpr          *result);

/* ---- data.c ------------------------------------------------------------- */

/* Is it made of what was loaded? */
gboolean        ls_is_data            (LsAnalyzer      *self,
                                       LsExpr          *expr);

/* ---- fits.c ------------------------------------------------------------- */

/* By how much the sums, differences and products of indices inside may leave their type, added up, by the ranges of what they are
 * made of; 0: all fit.  Ends of ranges that are not known are passed over. */
__int128_t      ls_excess             (LsAnalyzer      *self,
                                       LsExpr          *expr);

/* May the sum, difference or product of indices that `expr` is leave its type, or a part of it?  Not asked of what its operands are made of. */
gboolean        ls_sum_may_leave      (LsAnalyzer      *self,
                                       LsExpr          *expr);

/* Of a comparison or a remainder and what a rule makes of it: may a sum in the result leave its type where those of `expr` do not, as far as ranges
 * tell?  Where something is only proved it does not matter. */
gboolean        ls_leaves_elsewhere   (LsAnalyzer      *self,
                                       LsExpr          *expr,
                                       LsExpr          *result);

/* ---- modular.c ---------------------------------------------------------- */

LsModularSet    ls_modular_make       (gint64           coeff,
                                       gint64           base);
LsModularSet    ls_modular_of         (LsAnalyzer      *self,
                                       LsExpr          *expr);
void            ls_modular_enter      (LsAnalyzer      *self,
                                       LsExpr          *constraint);

/* ---- transitive.c ------------------------------------------------------- */

LsTransitive   *ls_transitive_new     (void);
void            ls_transitive_free    (LsTransitive    *self);
void            ls_transitive_reset   (LsTransitive    *self);
LsTransitive   *ls_transitive_copy    (LsTransitive    *self);
/* Takes nothing back of what is bound already, unless allow_override. */
void            ls_transitive_bind    (LsTransitive    *self,
                                       LsVar           *var,
                                       LsExpr          *min,
                                       LsExpr          *extent,          /* NULL: var == min */
                                       gboolean         allow_override);
void            ls_transitive_unbind  (LsTransitive    *self,
                                       LsVar           *var);
void            ls_transitive_enter   (LsTransitive    *self,
                                       LsExpr          *constraint);
guint           ls_transitive_get_n_scoped (LsTransitive *self);
void            ls_transitive_leave   (LsTransitive    *self,
                                       guint            n_scoped);
LsCompare       ls_transitive_compare (LsTransitive    *self,
                                       LsExpr          *a,
                                       LsExpr          *b,
                                       gboolean         propagate);

/* ---- constraint.c ------------------------------------------------------- */

/* The terms of a conjunction (references).  With composites, the conjunctions themselves too, before their terms. */
GPtrArray      *ls_constraint_split   (LsExpr          *constraint,
                                       gboolean         composites);
/* !expr with the negation pushed down and > and >= turned round; for expressions that are simplified already. */
LsExpr         *ls_constraint_negate  (LsExpr          *expr);
LsExpr         *ls_boolean_normalize  (LsExpr          *expr);
/* The worst effect of evaluating the expression. */
LsEffect        ls_expr_effect        (LsExpr          *expr);
/* Does the condition hold for each value that vscale () can have here?  FALSE without any. */
gboolean        ls_prove_by_vscale    (LsAnalyzer      *self,
                                       LsExpr          *condition);

/* ---- rule-list.c: the tables, each beside its rewriter ------------------ */

extern LsRuleTable ls_rules_add_vector, ls_rules_add_index, ls_rules_add_select, ls_rules_sub_vector,
   ls_rules_sub_index, ls_rules_sub_other, ls_rules_sub_select, ls_rules_mul_vector, ls_rules_mul_index,
   ls_rules_div_vector, ls_rules_div_index, ls_rules_mod_vector, ls_rules_mod_index, ls_rules_floor_div_vector,
   ls_rules_floor_div_chain, ls_rules_floor_div_index, ls_rules_floor_mod_vector, ls_rules_floor_mod_index,
   ls_rules_eq_vector, ls_rules_eq_index, ls_rules_eq_other, ls_rules_lt_vector, ls_rules_lt_index,
   ls_rules_not_vector, ls_rules_not, ls_rules_and_vector, ls_rules_and, ls_rules_or_vector, ls_rules_or,
   ls_rules_min_vector, ls_rules_max_vector, ls_rules_min_index, ls_rules_max_index, ls_rules_select;

/* ---- rules.c ------------------------------------------------------------ */

/* The result of the first rule that matches, or NULL. */
LsExpr         *ls_rules_apply        (LsSimplifier    *self,
                                       LsRuleTable     *table,
                                       LsExpr          *expr);

/* ---- affine.c ------------------------------------------------------------ */

/* What simplify makes of index arithmetic, or a comparison of it, over one variable, without a visit.  NULL: it is
 * of another form. (transfer full) */
LsExpr         *ls_affine_simplify    (LsAnalyzer      *analyzer,
                                       LsExpr          *expr);
/* Does an inequality of sums hold by the bounds of their variables?  FALSE: no, or it is of another form. */
gboolean        ls_affine_holds       (LsAnalyzer      *analyzer,
                                       LsExpr          *condition);

/* ---- rewrite.c and rewrite-*.c ------------------------------------------ */

/* One visit, the whole tree (normalised when canonical). */
LsExpr         *ls_visit              (LsSimplifier    *self,
                                       LsExpr          *expr);
/* The rewriter's visit of one node: children, then its rules. */
LsExpr         *ls_rewrite_visit      (LsSimplifier    *self,
                                       LsExpr          *expr);
/* Visits again, unless that is nested too deep already. */
LsExpr         *ls_visit_again        (LsSimplifier    *self,
                                       LsExpr          *expr);
/* Children only. */
LsExpr         *ls_visit_children     (LsSimplifier    *self,
                                       LsExpr          *expr);
/* x against a number, by bounds; x against y, also by known comparisons. */
LsCompare       ls_compare_value      (LsSimplifier    *self,
                                       LsExpr          *x,
                                       gint64           value);
LsCompare       ls_compare            (LsSimplifier    *self,
                                       LsExpr          *x,
                                       LsExpr          *y);
/* True or false if a constraint says so literally, else NULL. */
LsExpr         *ls_match_literal      (LsSimplifier    *self,
                                       LsExpr          *expr);
void            ls_literal_enter      (LsSimplifier    *self,
                                       LsExpr          *constraint);

LsExpr         *ls_rewrite_add        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_sub        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_mul        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_div        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_mod        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_floor_div  (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_floor_mod  (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_min_max    (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_compare    (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_not        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_and        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_or         (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rewrite_call       (LsSimplifier *self, LsExpr *expr);
/* The rules alone, on a node whose children are done.  Take their argument. */
LsExpr         *ls_rules_of_lt        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rules_of_eq        (LsSimplifier *self, LsExpr *expr);
LsExpr         *ls_rules_of_not       (LsSimplifier *self, LsExpr *expr);

/* ---- canonical.c -------------------------------------------------------- */

LsExpr         *ls_canonical_visit    (LsSimplifier    *self,
                                       LsExpr          *expr);

/* ---- cnf.c -------------------------------------------------------------- */

LsExpr         *ls_simplify_and_of_ors (LsAnalyzer     *self,
                                        LsExpr         *expr);

/* ---- refute.c ----------------------------------------------------------- */

/* Is the condition false for certain values that the variables may have?  FALSE: not known. */
gboolean        ls_refutes            (LsAnalyzer      *self,
                                       LsExpr          *condition);

/* ---- small readers ------------------------------------------------------ */

static inline LsExpr *
ls_lhs (const void *expr)
{
  return ((const LsBinary *) expr)->a;
}

static inline LsExpr *
ls_rhs (const void *expr)
{
  return ((const LsBinary *) expr)->b;
}

static inline gboolean
ls_is_index_expr (const void *expr)
{
  return ls_dtype_is_index (ls_dtype (expr));
}

static inline gboolean
ls_is_expr_node (const void *node)
{
  return node != NULL && (((const LsNode *) node)->klass->flags & LS_CLASS_EXPR) != 0;
}

/* An integer literal (bool too). */
static inline gboolean
ls_is_imm (const void *expr)
{
  return ls_is (expr, INT_IMM);
}

static inline gint64
ls_imm (const void *expr)
{
  return ((const LsIntImm *) expr)->value;
}

/* Is the number one of the integer type? */
static inline gboolean
ls_int_fits (LsDType dtype,
             gint64  value)
{
  return value >= ls_dtype_int_min (dtype) && value <= ls_dtype_int_max (dtype);
}

/* Is it a ramp of constants whose last lane is no number of the type?  That lane wraps, and the ramp goes along no line. */
static inline gboolean
ls_ramp_wraps (const void *expr)
{
  const LsRamp *ramp = expr;
  gint64 lanes, last;

  return ls_is_imm (ramp->base) && ls_is_imm (ramp->stride) && ls_as_int (ramp->lanes, &lanes) &&
         (__builtin_mul_overflow (lanes - 1, ls_imm (ramp->stride), &last) || __builtin_add_overflow (last, ls_imm (ramp->base), &last) ||
          !ls_int_fits (ls_dtype (ramp->base), last));
}

G_END_DECLS
