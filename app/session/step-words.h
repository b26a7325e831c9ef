/* session/step-words: what a step did to the loops and blocks, in words and as pairs of rows; both from lineage. */
#pragma once

#include "app/session/history.h"
#include "views/models/nest-link.h"

G_BEGIN_DECLS

/* "j becomes j_0 and j_1", what node `id` did to the program of its parent; NULL for the root, for a refused step and
 * for one that left all loops and blocks as they were. (transfer full) */
char   *ls_step_words   (LsHistory *history,
                         guint      id);
/* The same for each row of `rows` (LsStepItem), "" where it says nothing. (transfer full) */
GStrv   ls_step_words_of (LsHistory  *history,
                          GListModel *rows);

/* Which row of the program after `from` became which row after `to`, an ancestor and its descendant.
 * (transfer full) of LsNestLink */
GArray *ls_step_links   (LsHistory *history,
                         guint      from,
                         guint      to);

G_END_DECLS
