/* data: which numbers are made of what was loaded.
 *
 * Those wrap, whatever their type, while indices are taken to stay in it.  A load tells by itself; a scalar that was loaded, x = A[0], is a
 * variable like any other, and the analyser has to be told when it meets its definition.
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

G_END_DECLS
