/* replace: another node in the place of one, as copy-on-write. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* `fresh` in the place of `old` below `root`, for programs that one owner edits: nodes on the way that only their parent (the root: only the
 * caller) holds are changed where they are, the others are copied.  Parts of expressions are not looked for. (transfer full) */
LsNode *ls_node_replace (LsNode *root,
                         LsNode *old,
                         LsNode *fresh);

G_END_DECLS
