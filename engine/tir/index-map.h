/* index-map: a map of indices in another type (index_map.c). */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The same map on indices of this type. (transfer full) */
LsIndexMap *ls_index_map_in           (LsIndexMap *self,
                                       LsDType     dtype);
/* Over `ranges` of int32 that are numbers (of Range): does an index of the map, or a part of one, or an extent, leave int32?
 * ls_index_map_map_ranges and ls_index_map_map_shape count in int64 then. */
gboolean    ls_index_map_leaves_int32 (LsIndexMap *self,
                                       LsArray    *ranges);

G_END_DECLS
