/* numpy: programs as low-level NumPy, for reading and for trying out.
 *
 *   value     expressions of TensorIR on NumPy's numbers
 *   stmt      statements: loops are Python's loops, a block its comment and the values of its variables
 *   relax     a Relax function as calls of NumPy; what NumPy has no call for as calls of what LegalizeOps makes of it
 *   writer    lines, names, types
 *   numpy     functions and helper functions put together
 *
 * The program is written as it stands, with its blocks, not lowered: each loop of the text is a loop of the program.  It computes what
 * engine/ir/meaning.h says (numbers from memory wrap in their type, floats are rounded after each operation); indices are Python's integers.
 * Loops of all kinds go round one after the other.  It is Python that needs NumPy and nothing else.
 */
#pragma once

#include "engine/codegen/c/text.h"

G_BEGIN_DECLS

/* The functions of a module that is not lowered, or `func` (NULL: all) with those that it calls.  A name that Python keeps for itself gets a `_`.
 * NULL with LS_TEXT_ERROR_UNSUPPORTED: the program has what cannot be said so, which the message names. (transfer full) */
LsDeviceText *ls_numpy_text_new (LsModule    *module,
                                 const char  *func,
                                 GError     **error);

G_END_DECLS
