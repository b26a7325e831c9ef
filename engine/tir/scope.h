/* scope: what is known where a statement stands.
 *
 * The one place that says what a loop, a thread, a block, a let, a condition or an assertion lets an analyser know of what is in it, and how
 * long that holds: a term that reads memory holds as long as nothing in the statement stores there (lasting.c).  Variables
 * have one value for their whole scope and are not used outside of it, so they stay bound; what conditions say is taken back.
 */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum {
  LS_SCOPE_LOOPS      = 1 << 0, /* for, its variable and range */
  LS_SCOPE_THREADS    = 1 << 1, /* attr thread_extent and virtual_thread */
  LS_SCOPE_BLOCKS     = 1 << 2, /* variables of blocks and their domains */
  LS_SCOPE_LETS       = 1 << 3, /* let statements whose value reads nothing and does nothing */
  LS_SCOPE_CONDITIONS = 1 << 4, /* if: each branch with what the condition says of it */
  LS_SCOPE_ASSERTS    = 1 << 5, /* assert: what stands behind it */
} LsScopeParts;

/* Notes the names that a node gives to memory that has one: views of a block, a pointer into a buffer. */
void    ls_scope_name    (LsAnalyzer   *analyzer,
                          LsNode       *node);
/* Binds the variables that a node introduces, as far as `parts` has its kind, and notes the names that it gives to memory. */
void    ls_scope_bind    (LsAnalyzer   *analyzer,
                          LsNode       *node,
                          LsScopeParts  parts);
/* Rewrites the parts of a statement as ls_rewrite_default does, with what `parts` lets the analyser know of each.  The condition of an
 * `if` is not rewritten when LS_SCOPE_CONDITIONS is given: the branches are, under what it says. (transfer full) */
LsNode *ls_scope_rewrite (LsRewriter   *rewriter,
                          LsNode       *node,
                          LsAnalyzer   *analyzer,
                          LsScopeParts  parts);
/* Rewrites `node` where the condition holds. (transfer full) */
LsNode *ls_scope_under   (LsRewriter   *rewriter,
                          gpointer      node,
                          LsExpr       *condition,
                          LsAnalyzer   *analyzer);

/* The memory that a pointer points into, by the name that stands in it; NULL: it is no pointer, or has none. (transfer none) */
LsVar  *ls_pointer_memory (LsExpr      *pointer);
/* Does the term keep its value for as long as the statement runs, by what that stores, under whichever name? */
gboolean ls_scope_lasts  (LsAnalyzer   *analyzer,
                          LsExpr       *term,
                          gpointer      scope);

/* What is no node of the program, or is gone through by hand.  Makes the terms of a condition known that last in `scope`, until
 * ls_scope_leave() is told the token. */
guint   ls_scope_enter   (LsAnalyzer   *analyzer,
                          LsExpr       *condition,
                          gpointer      scope);
/* Binds the variable of a loop, and what its ends say of it is known until ls_scope_leave() is told the token. */
guint   ls_scope_enter_loop (LsAnalyzer *analyzer,
                             LsFor      *loop);
void    ls_scope_leave   (LsAnalyzer   *analyzer,
                          guint         token);
/* A condition without loads holds until the scope around it is left. */
void    ls_scope_assume  (LsAnalyzer   *analyzer,
                          LsExpr       *condition);
/* A name for a value; of one that was loaded it is known that it wraps. */
void    ls_scope_let     (LsAnalyzer   *analyzer,
                          LsVar        *var,
                          LsExpr       *value);

G_END_DECLS
