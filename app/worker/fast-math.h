/* fast-math: what fast mathematics changed in machine code. */
#pragma once

#include "app/worker/program.h"
#include "engine/base/table-order.h"
#include "engine/tir/pass/pass.h"

G_BEGIN_DECLS

/* Adds to `remarks`, a(us), a sentence for each line of the text whose instructions are others than without fast mathematics; nothing where
 * nobody asks for it (target -fast-math, attribute tir.fast_math).  The program has its assembly text. */
void ls_fast_math_remarks (LsProgram       *program,
                           GVariantBuilder *remarks);

G_END_DECLS
