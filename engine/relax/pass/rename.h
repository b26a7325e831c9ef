/* rename: what several passes do with whole functions. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* A PrimFunc or relax Function with these attributes (taken). Borrows the function. (transfer full) */
LsNode   *ls_function_with_attrs     (LsNode     *func,
                                      LsMap      *attrs);
/* The attributes of a PrimFunc or relax Function, borrowed; NULL for others. */
LsMap    *ls_function_attrs          (LsNode     *func);
/* Its global_symbol, or NULL: a private function. Borrowed. */
const char *ls_function_symbol       (LsNode     *func);
/* Functions called otherwise, everywhere: LsGlobalVar -> char *.  Names that stay are left alone. (transfer full) */
LsModule *ls_module_rename_functions (LsModule   *module,
                                      GHashTable *names);

G_END_DECLS
