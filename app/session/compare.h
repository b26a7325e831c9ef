/* session/compare: what the Compare page says of two nodes of histories: pairs of loops, changes in words, times. */
#pragma once

#include "app/session/history.h"
#include "views/models/comparison.h"

G_BEGIN_DECLS

/* Nodes of one history: when one comes from the other, every change has the step that did it; else the programs are
 * matched by structure and names, as those of two histories are.  `device`: whose times, NULL: this machine's. (transfer full) */
LsComparison *ls_session_compare (LsHistory *left,
                                  guint      left_id,
                                  LsHistory *right,
                                  guint      right_id,
                                  const char *device);

/* The same in two parts: titles and times; then the programs, which any thread may do, with excerpts of the histories. */
LsComparison *ls_session_compare_begin    (LsHistory    *left,
                                           guint         left_id,
                                           LsHistory    *right,
                                           guint         right_id,
                                           const char   *device);
void          ls_session_compare_programs (LsComparison *answer,
                                           LsHistory    *left,
                                           guint         left_id,
                                           LsHistory    *right,
                                           guint         right_id);

G_END_DECLS
