/* vdevice: the virtual devices of a module by their names.  A device is a Map of kind "VDevice" among the module's global
 * infos; "cuda:1" is the second whose target is of that kind, "vdevice:3" the fourth of all. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* The device of this name, or NULL. Borrowed. */
LsNode *ls_vdevice_find  (LsArray     *devices,
                          const char  *name);
/* "cuda:1" for a device of the list (by address); NULL when it is none. (transfer full) */
char   *ls_vdevice_name  (LsArray     *devices,
                          LsNode      *device);

G_END_DECLS
