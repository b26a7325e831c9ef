/* arith: integer reasoning over tir expressions.
 *
 *   analyzer.h   bounds, modular sets, normal forms, proofs
 *   int-set.h    sets of integers as intervals of expressions; regions
 *   iter-map.h   affine iteration maps: detection, division, inverse
 *
 * Source of the concepts: TVM v0.20's tvm::arith.
 */
#pragma once

#include "engine/arith/analyzer.h"
#if __has_include ("engine/arith/int-set.h")
#include "engine/arith/int-set.h"
#endif
#if __has_include ("engine/arith/iter-map.h")
#include "engine/arith/iter-map.h"
#endif
