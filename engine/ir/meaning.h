/* meaning: what each operation of TensorIR means, on numbers.  The one home of it: constants are folded by it, the interpreter
 * computes by it, and tests hold the simplifier, every pass and the code generator against the interpreter.
 *
 *   data types    (int8 to int64, uint8 to uint64; what is loaded from memory, and all that is made of it) are arithmetic modulo
 *                 2^bits, in two's complement
 *   indices       (int32 and int64 that are made of loop variables, extents and numbers) do not leave their type: sizes are
 *                 checked, or widened to int64, before that can be; the simplifier may rely on it
 *   division      truncdiv rounds towards zero, floordiv towards minus infinity; the remainder is what is left: truncmod has the
 *                 sign of the dividend, floormod that of the divisor.  By zero there is none: an error that names the line.  The
 *                 lowest number by -1 is itself, with the remainder 0
 *   floats        IEEE 754 in the type of the operands, rounded to nearest even after each operation; NaN, infinities and
 *                 subnormal numbers are kept.  float16 and bfloat16 are computed in float32 and rounded
 *   max, min      NaN if one side is; of two zeros the second operand
 *   comparisons   with a NaN are false, but != is true
 *   casts         to an integer type keep the low bits; a float is cut towards zero, and what the type does not hold
 *                 becomes the nearest number that it does, NaN 0; to bool: not zero
 *   shifts        to the right keep the sign of a signed type; by as many bits as the type has, by more or by less than none: no
 *                 meaning, as in TVM
 *   and, or       the right side is evaluated only where the left one has not decided; so are the branches of if_then_else.  Both
 *                 values of a Select are evaluated, where that does no harm
 *   loops         no rounds for an extent of zero or less; a reduction of nothing is its init (tir/settle.h)
 *   order         statements one after the other, operands before their operator, the value of a store before its indices' use;
 *                 rounds of parallel, vectorized and thread-bound loops in any order, and a program whose result depends on it
 *                 has none
 *   atomics       atomicAdd, Sub, Max, Min, Exch of a place (interp/atomic.c): what was there before; between two of them nothing is lost
 */
#pragma once

#include "engine/ir/ir.h"

#include <math.h>

G_BEGIN_DECLS

/* Integers, as numbers of 64 bits: the caller wraps the result to its type.  FALSE: there is none (division by zero). */
gboolean ls_meaning_of_ints   (LsKind    kind,
                               gboolean  is_unsigned64,
                               gint64    a,
                               gint64    b,
                               gint64   *result);
/* Floats in double; the caller rounds to its type (ls_dtype_round).  FALSE: no operation on two floats with a float as result. */
gboolean ls_meaning_of_floats (LsKind    kind,
                               double    a,
                               double    b,
                               double   *result);
/* Is the comparison true? */
gboolean ls_meaning_compares_ints   (LsKind   kind,
                                     gboolean is_unsigned64,
                                     gint64   a,
                                     gint64   b);
gboolean ls_meaning_compares_floats (LsKind   kind,
                                     double   a,
                                     double   b);

G_END_DECLS
