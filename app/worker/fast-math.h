/* fast-math: what fast mathematics changed in machine code. */
#pragma once

#include "app/worker/program.h"
#include "engine/base/table-order.h"
#include "engine/tir/pass/pass.h"

G_BEGIN_DECLS

/* Adds to `remarks`, a(us), a sentence for each line of the text whose instructions are others than without fast mathematics; nothing where
 * nobody asks for it (target -fast-math, attribute tir.fast_math, annotation pragma_fast_math).  The program has its assembly text.
 * Returns: of how many lines; -1: nobody asks. */
int   ls_fast_math_remarks     (LsProgram       *program,
                                GVariantBuilder *remarks);
/* The module of `text` as one that asks for it nowhere.  Errors: those of the parser. (transfer full) */
char *ls_fast_math_strict_text (const char      *text,
                                GError         **error);

G_END_DECLS
