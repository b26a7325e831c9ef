/* analyzer: what can be known of integer expressions, and their normal form.
 *
 * An LsAnalyzer holds what is known of variables (a value or a range) and the constraints
 * of the place in the program (scopes that are entered and left), and answers:
 *
 *   const_int_bound     [lowest, highest] of an expression                bound.c
 *   modular_set         coeff * n + base                                  modular.c
 *   rewrite_simplify    rules that match patterns                         rewrite-*.c
 *   canonical_simplify  sums of split terms in one order                  canonical.c
 *   transitive          order between two expressions from known ones     transitive.c
 *   simplify, can_prove the two above in turn                             analyzer.c
 *
 * The concepts, names, order of rules and so the normal forms are those of TVM v0.20's
 * tvm::arith::Analyzer.  Everything borrows its arguments and returns new references.
 * Integers of up to 64 bits; arithmetic on bounds saturates, so that nothing overflows.
 * An analyser belongs to one thread.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

typedef struct _LsAnalyzer LsAnalyzer;

/* Ends of bounds that are not known. */
#define LS_POS_INF G_MAXINT64
#define LS_NEG_INF (-G_MAXINT64)

/* Inclusive: min <= e <= max. */
typedef struct {
  gint64 min;
  gint64 max;
} LsConstIntBound;

/* e = coeff * n + base for some integer n.  coeff 0: the constant `base`; coeff 1 and base 0:
 * nothing known.  coeff >= 0, and 0 <= base < coeff unless coeff is 0. */
typedef struct {
  gint64 coeff;
  gint64 base;
} LsModularSet;

/* How hard can_prove tries (TVM's ProofStrength). */
typedef enum {
  LS_PROOF_DEFAULT = 0,         /* bounds and simplification */
  LS_PROOF_SYMBOLIC_BOUND = 1   /* and bounds in terms of symbols, by integer sets */
} LsProofStrength;

/* Optional parts of rewriting (TVM's RewriteSimplifier::Extension). */
typedef enum {
  LS_REWRITE_NONE = 0,
  LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES = 1 << 0,
  LS_REWRITE_CONVERT_BOOLEAN_TO_AND_OF_ORS = 1 << 1,
  LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES = 1 << 2,
  LS_REWRITE_COMPARISON_OF_PRODUCT_AND_SUM = 1 << 3
} LsRewriteExtensions;

/* What is known of the order of two expressions; the bits combine. */
typedef enum {
  LS_COMPARE_INCONSISTENT = 0,
  LS_COMPARE_EQ = 1,
  LS_COMPARE_LT = 2,
  LS_COMPARE_LE = 3,
  LS_COMPARE_GT = 4,
  LS_COMPARE_GE = 5,
  LS_COMPARE_NE = 6,
  LS_COMPARE_UNKNOWN = 7
} LsCompare;

LsAnalyzer     *ls_analyzer_new               (void);
void            ls_analyzer_free              (LsAnalyzer     *self);
/* A copy with the same facts about variables and the same extensions, no constraints entered. */
LsAnalyzer     *ls_analyzer_clone             (LsAnalyzer     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsAnalyzer, ls_analyzer_free)

/* ---- what is known ------------------------------------------------------ */

/* From here on `var` is `value`.  Without allow_override an earlier, different binding stays;
 * FALSE then. */
gboolean        ls_analyzer_bind              (LsAnalyzer     *self,
                                               LsVar          *var,
                                               LsExpr         *value,
                                               gboolean        allow_override);
/* The same of a variable that stays where its value would make expressions long: then its bounds and remainder are known, and where it is used it is not
 * written out.  Scalars that are made of scalars, each used twice, would be 2^n long else. */
gboolean        ls_analyzer_bind_let          (LsAnalyzer     *self,
                                               LsVar          *var,
                                               LsExpr         *value,
                                               gboolean        allow_override);
/* `var` in [min, min + extent).  An extent of 1 binds the value. */
gboolean        ls_analyzer_bind_range        (LsAnalyzer     *self,
                                               LsVar          *var,
                                               LsRange        *range,
                                               gboolean        allow_override);
/* The loop or block that made a variable was left: from 0 <= i < n it follows no longer that n is positive.  Only asked where
 * inequalities are proved transitively; what is known of the variable by itself stays. */
void            ls_analyzer_leave_var         (LsAnalyzer     *self,
                                               LsVar          *var);
/* A GHashTable LsVar -> LsRange (TVM's Map<Var, Range>). */
void            ls_analyzer_bind_ranges       (LsAnalyzer     *self,
                                               GHashTable     *ranges,
                                               gboolean        allow_override);
/* Facts about one variable directly. */
void            ls_analyzer_update_bound      (LsAnalyzer     *self,
                                               LsVar          *var,
                                               LsConstIntBound bound,
                                               gboolean        allow_override);
void            ls_analyzer_update_modular    (LsAnalyzer     *self,
                                               LsVar          *var,
                                               LsModularSet    set,
                                               gboolean        allow_override);
/* Was a bound of this variable given? */
gboolean        ls_analyzer_is_bound          (LsAnalyzer     *self,
                                               LsVar          *var);
/* The bound of a variable in [min, min + extent). */
LsConstIntBound ls_analyzer_range_bound       (LsAnalyzer     *self,
                                               LsRange        *range);
/* The bound that was given; FALSE: none was. */
gboolean        ls_analyzer_get_bound         (LsAnalyzer     *self,
                                               LsVar          *var,
                                               LsConstIntBound *given);
/* In this thread vscale () is one of 1 to `most`, which conditions are tried with where nothing else proves them; 0: nothing
 * is known of it (TVM: the target has no scalable vectors). */
void            ls_arith_set_vscale           (guint           most);
guint           ls_arith_get_vscale           (void);
gboolean        ls_expr_has_vscale            (LsExpr         *expr);
/* Takes it for granted that `expr` >= 0, or > 0, everywhere (TVM's MarkGlobalNonNegValue, MarkGlobalPosValue). */
void            ls_analyzer_mark_global_non_neg (LsAnalyzer   *self,
                                               LsExpr         *expr);
void            ls_analyzer_mark_global_pos   (LsAnalyzer     *self,
                                               LsExpr         *expr);

/* Enters a scope in which `constraint` (boolean) holds.  Scopes are left in the opposite order; the token
 * names the scope, so that leaving one that is not innermost leaves the inner ones too. */
guint           ls_analyzer_enter_constraint  (LsAnalyzer     *self,
                                               LsExpr         *constraint);
void            ls_analyzer_exit_constraint   (LsAnalyzer     *self,
                                               guint           token);

/* ---- what follows ------------------------------------------------------- */

LsConstIntBound ls_analyzer_const_int_bound   (LsAnalyzer     *self,
                                               LsExpr         *expr);
/* The same without a visit, for var * scale + offset with a scale of 0 or more; FALSE: another form. */
gboolean        ls_analyzer_affine_bound      (LsAnalyzer     *self,
                                               LsExpr         *expr,
                                               LsConstIntBound *bound);
LsModularSet    ls_analyzer_modular_set       (LsAnalyzer     *self,
                                               LsExpr         *expr);
LsExpr         *ls_analyzer_rewrite_simplify  (LsAnalyzer     *self,
                                               LsExpr         *expr);
LsExpr         *ls_analyzer_canonical_simplify (LsAnalyzer    *self,
                                               LsExpr         *expr);
/* Rewrite and canonical form in turn (TVM's Simplify with two steps). */
LsExpr         *ls_analyzer_simplify          (LsAnalyzer     *self,
                                               LsExpr         *expr);
LsExpr         *ls_analyzer_simplify_steps    (LsAnalyzer     *self,
                                               LsExpr         *expr,
                                               guint           steps);
/* ls_substitute, then ls_analyzer_simplify. `map`: LsVar -> LsExpr. */
LsExpr         *ls_analyzer_simplify_with     (LsAnalyzer     *self,
                                               LsExpr         *expr,
                                               GHashTable     *map);
/* The order of two expressions as far as comparisons that were entered tell. */
LsCompare       ls_analyzer_try_compare       (LsAnalyzer     *self,
                                               LsExpr         *a,
                                               LsExpr         *b,
                                               gboolean        propagate);
/* Does the boolean expression hold always?  FALSE also means: not known. */
gboolean        ls_analyzer_can_prove         (LsAnalyzer     *self,
                                               LsExpr         *condition);
gboolean        ls_analyzer_can_prove_strength (LsAnalyzer    *self,
                                               LsExpr         *condition,
                                               LsProofStrength strength);
gboolean        ls_analyzer_can_prove_equal   (LsAnalyzer     *self,
                                               LsExpr         *a,
                                               LsExpr         *b);
/* expr >= bound, expr < bound, by bounds of the simplified expression only. */
gboolean        ls_analyzer_can_prove_ge_value (LsAnalyzer    *self,
                                               LsExpr         *expr,
                                               gint64          bound);
gboolean        ls_analyzer_can_prove_lt_value (LsAnalyzer    *self,
                                               LsExpr         *expr,
                                               gint64          bound);
/* a <= b and so on: shorthands for can_prove of the comparison (TVM's CanProveLessEqualThanSymbolicShapeValue
 * is can_prove_le with symbolic bounds). */
gboolean        ls_analyzer_can_prove_compare (LsAnalyzer     *self,
                                               LsKind          kind,
                                               LsExpr         *a,
                                               LsExpr         *b);

/* ---- adjusting ---------------------------------------------------------- */

typedef void (*LsRangeFunc) (LsVar *var, LsRange *range, gpointer user_data);

guint           ls_analyzer_get_extensions    (LsAnalyzer     *self);
void            ls_analyzer_set_extensions    (LsAnalyzer     *self,
                                               guint           extensions);     /* LsRewriteExtensions */
/* Ends every simplification when `budget` (borrowed, NULL: none) ends: what was reached so far is returned. */
void            ls_analyzer_set_budget        (LsAnalyzer     *self,
                                               LsBudget       *budget);
/* The range that a variable is bound to (borrowed), or NULL: what integer sets start from. */
LsRange        *ls_analyzer_get_range         (LsAnalyzer     *self,
                                               LsVar          *var);
/* All of them, in the order in which their variables became known; `func` must not bind. */
void            ls_analyzer_foreach_range     (LsAnalyzer     *self,
                                               LsRangeFunc     func,
                                               gpointer        user_data);
/* The constraints of the scopes entered, outermost first (borrowed array of LsExpr). */
GPtrArray      *ls_analyzer_get_constraints   (LsAnalyzer     *self);

/* Greatest common divisor, least common multiple; both non-negative, 0 is neutral for the first. */
gint64          ls_gcd                        (gint64          a,
                                               gint64          b);
gint64          ls_lcm                        (gint64          a,
                                               gint64          b);

G_END_DECLS
