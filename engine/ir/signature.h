/* ir/signature: what a GlobalVar tells of its function besides the name.
 *
 * A module knows its functions; a GlobalVar that is used before its module is whole (or outside of it) may carry the struct
 * info of a Relax function.  It is no part of equality and is not walked into.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* NULL: not told. Borrowed. */
LsNode *ls_global_var_get_struct_info (LsGlobalVar *self);
/* The info is taken. */
void    ls_global_var_set_struct_info (LsGlobalVar *self,
                                       LsNode      *struct_info);

G_END_DECLS
