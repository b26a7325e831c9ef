#ifndef LS_STRUCTURAL_HASH_H
#define LS_STRUCTURAL_HASH_H

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* A number that is the same for structurally equal trees (ls_structural_equal with the same map_free): bound variables
 * count by the order of their binding, free ones by identity, or with map_free by the order in which they are met. */
guint64 ls_structural_hash (gpointer root,
                            gboolean map_free);

G_END_DECLS

#endif
