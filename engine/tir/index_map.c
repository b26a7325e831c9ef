/* index_map: a map from one index space to another (layouts). */
#include "engine/tir/tir-private.h"

LS_CLASS (ls_index_map_class, INDEX_MAP, "IndexMap", LsIndexMap, LS_CLASS_PLAIN,
          LS_FIELD (LsIndexMap, initial_indices, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsIndexMap, final_indices, NODE, 0),
          LS_FIELD (LsIndexMap, inverse_index_map, NODE, 0));

LsIndexMap *
ls_index_map_new (LsArray    *initial_indices,
                  LsArray    *final_indices,
                  LsIndexMap *inverse)
{
  LsIndexMap *self = ls_node_alloc (&ls_index_map_class);

  self->initial_indices = initial_indices;
  self->final_indices = final_indices;
  self->inverse_index_map = LS_NODE (inverse);
  return ls_node_finish (self);
}
