/* What reading and writing kept names share. */
#pragma once

#include "engine/script/kept-names.h"

G_BEGIN_DECLS

#define LS_KEPT_NAMES_HEAD "# loopscope: names of "

/* The name of a variable or buffer, "" where it has none; NULL: the node is no such thing. Borrowed. */
const char *ls_kept_name      (LsNode     *node);
/* The named nodes of a function, in an order that only its text decides. (transfer full), borrowing them */
GPtrArray  *ls_kept_names_of  (LsNode     *function);
/* "R_1" of the first that is called so, "R_1#1" of the second; `counts` remembers how many there were. (transfer full) */
char       *ls_kept_names_key (GHashTable *counts,
                               LsNode     *node);

G_END_DECLS
