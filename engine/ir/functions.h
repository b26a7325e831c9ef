/* functions: all functions of a module at once, as a pass makes them.  One by one each makes a list of all of them (ls_module_with). */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* A module with these functions under the names that `self` has, in order: one for each.  `self` when they are its own.  Takes the list. */
LsModule *ls_module_with_functions (LsModule *self,
                                    LsArray  *functions);

G_END_DECLS
