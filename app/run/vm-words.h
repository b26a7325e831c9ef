/* run/vm-words: what the virtual machine's debugger answers, in words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "r5: (4, 6) float32, block 3 from byte 0 on; before, r1 of 2 lay there" of a register. (transfer full) */
char *ls_run_vm_register_words (GVariant *one);
/* "Block 3, 96 bytes: r5 of 6; before: r1 of 2" of a block of memory. (transfer full) */
char *ls_run_vm_block_words    (GVariant *one);
/* What the instruction that was executed last did; its own text where nothing is to be said. (transfer full) */
char *ls_run_vm_sentence       (GVariant *look);
/* Which one comes next, or how the run ended. (transfer full) */
char *ls_run_vm_reason         (GVariant *look);

G_END_DECLS
