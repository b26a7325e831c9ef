/* foreign-memory: what a function of somebody else's module is called with, and what it leaves behind. */
#pragma once

#include "engine/codegen/foreign.h"

G_BEGIN_DECLS

typedef struct _LsForeignMemory LsForeignMemory;

/* From "f32[1024] i32[64] i32=64 f64=0.5", one for each parameter: buffers with numbers drawn from the seed (floats from -1 to 1, integers from 0 to
 * 99), scalars as they are.  types: of ls_foreign_signature().  Errors: LS_CODEGEN_ERROR_CALL with what was expected at which place. (transfer full) */
LsForeignMemory *ls_foreign_memory_new     (const char      *text,
                                            GArray          *types,
                                            guint64          seed,
                                            GError         **error);
void             ls_foreign_memory_free    (LsForeignMemory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsForeignMemory, ls_foreign_memory_free)
/* All of it as it was in the beginning. */
void             ls_foreign_memory_reset   (LsForeignMemory *self);
/* The words that the function gets. Borrowed. */
gpointer         ls_foreign_memory_words   (LsForeignMemory *self);
/* What it holds: a(ssay), the name ("argument 1", "result"), the type and the bytes of each. (floating) */
GVariant        *ls_foreign_memory_take    (LsForeignMemory *self);
/* What differs between two of those, "" for nothing; floats may differ by 1 part in 100,000 (fast mathematics). (transfer full) */
char            *ls_foreign_memory_compare (GVariant        *a,
                                            GVariant        *b);

G_END_DECLS
