/* data: which numbers are made of what was loaded, and which names mean the same memory.
 *
 * Those wrap, whatever their type, while indices are taken to stay in it.  A load tells by itself; a scalar that was loaded, x = A[0], is a
 * variable like any other, and the analyser has to be told when it meets its definition.  So it is with memory: the view of a buffer, or what a
 * pointer into it is the data of, has a name of its own.
 */
#pragma once

#include "engine/arith/analyzer.h"

G_BEGIN_DECLS

/* `var` is defined as `value`: if that is data, so is `var`, from here on. */
void ls_analyzer_note_let  (LsAnalyzer *self,
                            LsVar      *var,
                            LsExpr     *value);
/* It is data: what memory or a call of somebody's function gave. */
void ls_analyzer_note_data (LsAnalyzer *self,
                            LsVar      *var);
/* `name`, the data of a buffer, is memory that `memory` names too, from here on. */
void ls_analyzer_note_name (LsAnalyzer *self,
                            LsVar      *name,
                            LsVar      *memory);
/* Do two names mean one memory, as far as was told? */
gboolean ls_analyzer_is_one_memory (LsAnalyzer *self,
                                    LsVar      *a,
                                    LsVar      *b);
/* `result` (taken), a binary operation on what the operands of `expr` are or are known to be; where it would be taken not to wrap, what its
 * constants wrap to, or `expr`. */
LsExpr *ls_keep_wrapping (LsAnalyzer *self,
                          LsExpr     *expr,
                          LsExpr     *result);
/* `result` (taken), which is `expr` with what was stored in place of loads: where it would leave its type by the ranges of its variables, it is
 * done with unsigned numbers, which wrap as a load does.  What has a variable of any range stays: such indices are taken to stay in their type. */
LsExpr *ls_wrap_as_data  (LsAnalyzer *self,
                          LsExpr     *expr,
                          LsExpr     *result);

G_END_DECLS
