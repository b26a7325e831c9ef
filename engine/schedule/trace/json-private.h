/* json-private: what the files that write and read JSON share.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The text in JSON's quotes, beyond ASCII escaped. */
void       ls_json_write_text   (GString             *out,
                                 const char          *text);
/* TVM's SaveJSON of a map. (transfer full) */
char      *ls_index_map_to_json (LsIndexMap          *map);
/* NULL when the text is none that is known.  `results` (name -> Var, or NULL): what free variables stand for. (transfer full) */
LsIndexMap *ls_index_map_from_json (const char       *text,
                                 GHashTable          *results);

G_END_DECLS
