/* expr-io: integer expressions as text, for tests of the layers below the scripts.
 *
 * Reads what Python would: + - * // % with T.min, T.max, T.Div, T.Mod, T.Select, T.if_then_else,
 * T.bool (True), comparisons, and, or, not; operators fold as ls_binary does.  Prints the same notation with the
 * parentheses that are needed.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* NULL when the text cannot be read.  Unknown names become int32 variables in `vars` (name -> LsVar). */
LsExpr *ls_test_expr_read  (const char *text,
                            GHashTable *vars);
char   *ls_test_expr_print (LsExpr     *expr);
/* A table for ls_test_expr_read. (transfer full) */
GHashTable *ls_test_vars_new (void);
LsVar  *ls_test_var        (GHashTable *vars,
                            const char *name);
/* The value of an expression at a point (LsVar -> gint64 *).  FALSE: division by zero, overflow of 64 bits, or a
 * node that has no value here.  A Select evaluates the taken branch only. */
gboolean ls_test_expr_eval (LsExpr     *expr,
                            GHashTable *point,
                            gint64     *value);

G_END_DECLS
