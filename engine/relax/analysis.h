/* relax/analysis: questions about Relax programs that several passes ask. */
#pragma once

#include "engine/relax/block-builder.h"

G_BEGIN_DECLS

/* ---- purity.c: does evaluating do anything that can be seen besides its result?  The builder (or NULL) says what the
 *      functions of the module are; unknown ones count as pure. ---- */

gboolean    ls_relax_call_is_impure      (LsRelaxCall    *call,
                                          LsBlockBuilder *builder);
/* Is there such a call in the expression?  Functions that are only defined in it do not count. */
gboolean    ls_relax_is_impure           (LsNode         *expr,
                                          LsBlockBuilder *builder);
/* Does the call make a tensor or storage whose identity counts? */
gboolean    ls_relax_is_allocation       (LsNode         *expr);

/* ---- remove-unused.c ---- */

/* How the variable of a match_cast is called that only checks: it stays although nobody uses it. */
#define LS_CLAIM_NAME "same_extent"

/* The expression without bindings whose variables nothing uses that counts: the result, calls with effects.
 * (transfer full) */
LsNode     *ls_relax_remove_all_unused   (LsNode         *expr,
                                          LsBlockBuilder *builder);

/* ---- canonicalize-symbols.c, canonicalize.c: a function without detours (TVM's CanonicalizeBindings) ---- */

/* Symbolic variables that a match_cast gives a value that is known already are replaced by it.  NULL with an error: two
 * casts contradict each other. (transfer full) */
LsNode     *ls_relax_canonicalize_symbols (LsNode        *func,
                                          GError        **error);
/* The same, and variables that only rename others are replaced by them, constants put where they are used, elements of
 * known tuples taken directly, variables that only their dataflow block uses made its own. (transfer full) */
LsNode     *ls_relax_canonicalize        (LsNode         *func,
                                          GError        **error);

/* ---- pass/eliminate-common-subexpr.c ---- */

/* A function in which what occurs several times is computed once, and only named again. (transfer full) */
LsNode     *ls_relax_eliminate_common_subexpr (LsNode   *func);

/* ---- pass/rewrite-dataflow-reshape.c ---- */

/* Does a function of TensorIR only give its input another shape, the elements in the same order? */
gboolean    ls_relax_has_reshape_pattern (LsPrimFunc    *func);

/* ---- symbols.c ---- */

/* The symbolic variables of a node, in the order in which they occur first (borrowed, each once). (transfer container) */
GPtrArray  *ls_relax_symbols             (gpointer        node);
/* Those that a struct info can give a value to: plain ones among its dimensions. (transfer container) */
GPtrArray  *ls_relax_definable_symbols   (LsStructInfo   *info);
/* Those that a function brings: by its parameters and by match_cast. (transfer container) */
GPtrArray  *ls_relax_defined_symbols     (LsFunction     *func);
/* Those that it uses and does not bring. (transfer container) */
GPtrArray  *ls_relax_free_symbols        (LsFunction     *func);
/* Variables of Relax that the expression uses and does not bind, in the order of their first uses. (transfer container) */
GPtrArray  *ls_relax_free_vars           (gpointer        expr);

/* The variable and the value of a VarBinding or MatchCast, borrowed. */
LsRelaxVar *ls_binding_var               (gpointer        binding);
LsNode     *ls_binding_value             (gpointer        binding);
/* The binding with another variable and value (borrowed). (transfer full) */
LsNode     *ls_binding_with              (gpointer        binding,
                                          LsRelaxVar     *var,
                                          gpointer        value);

G_END_DECLS
