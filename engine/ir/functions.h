/* functions: the functions of a module as a pass makes them, all at once or by name; one by one with ls_module_with each makes a list of all. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* A module with these functions under the names that `self` has, in order: one for each.  `self` when they are its own.  Takes the list. */
LsModule *ls_module_with_functions (LsModule *self,
                                    LsArray  *functions);

/* A module that is being made of another: to put, find or take away a function by its name costs the same however many there are. */
typedef struct LsModuleBuilder LsModuleBuilder;

/* Begins with all that `base` has. */
LsModuleBuilder *ls_module_builder_new     (LsModule        *base);
/* The function (borrowed) has this name from now on: in its place when there is the name, else behind all others. */
void             ls_module_builder_put     (LsModuleBuilder *self,
                                            const char      *name,
                                            gpointer         function);
/* Does nothing when there is no such name. */
void             ls_module_builder_remove  (LsModuleBuilder *self,
                                            const char      *name);
/* What the name has now, borrowed; NULL: there is no such name. */
LsNode          *ls_module_builder_get     (LsModuleBuilder *self,
                                            const char      *name);
LsGlobalVar     *ls_module_builder_get_global_var (LsModuleBuilder *self,
                                            const char      *name);
/* The module as it is now: `base` itself when nothing was changed.  May be asked again, after more changes too. (transfer full) */
LsModule        *ls_module_builder_get_module (LsModuleBuilder *self);
void             ls_module_builder_free    (LsModuleBuilder *self);
/* The module, and gives the builder up. (transfer full) */
LsModule        *ls_module_builder_finish  (LsModuleBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsModuleBuilder, ls_module_builder_free)

G_END_DECLS
