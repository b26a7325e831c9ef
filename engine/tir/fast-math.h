/* fast-math: where a program asks for floats to be computed as if they were real numbers.
 *
 * A function asks by its attribute, a loop or block by an annotation, which a step of a schedule puts there and takes away again.  What is
 * lowered has the annotation as an attribute around the statement, as every pragma.  Only code is made by it: the interpreter, the
 * simplifier and the passes compute as IEEE 754 has it in any case. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

#define LS_FAST_MATH_ATTR "tir.fast_math"
#define LS_FAST_MATH_PRAGMA "pragma_fast_math"

/* Does this value of the attribute or annotation (or NULL) ask for it?  0 does not: within what asks, it takes it back. */
gboolean    ls_fast_math_value_asks (LsNode     *value);
/* Does the function, or a loop, block or attribute in it? */
gboolean    ls_fast_math_is_asked   (LsPrimFunc *func);
/* The same function that asks for it nowhere. (transfer full) */
LsPrimFunc *ls_fast_math_without    (LsPrimFunc *func);
/* Is there an operation below that it could change: arithmetic, min or max of float32 or float64?  (Intrinsics, and types that are
 * computed in float32 and rounded, stay as they are.) */
gboolean    ls_fast_math_matters    (gpointer    stmt);

G_END_DECLS
