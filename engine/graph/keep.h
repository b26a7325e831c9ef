/* keep: the layout of a series after one of another, where a pass came or went between them, or a group was opened or closed: what both have stays where
 * it is, to the pixel, but for what has to make room for an opened group.
 *
 * New nodes of parts that were there get a place near what they use and what uses them, where there is room; functions that a pass made are
 * laid out by themselves beside the picture.  The inside of a group that is opened is laid out by itself where it stood: what is below it in its column goes
 * down, what is left and right of it goes aside, each equally far; when it is closed they come back, as far as there is room.  What holds for any layout holds for this one: no node covers another, frames hold
 * their nodes, every line begins and ends at its nodes.  A node that got more words grows as far as its neighbours let it, its middle stays, and
 * what does not fit is shortened.
 *
 *     kept = ls_graph_kept_new (layout, before, after, request);        NULL: too little stays, all is laid out anew
 *     ls_graph_kept_get_request (kept)         to the worker's "layout", when there is one
 *     ls_graph_kept_finish (kept, answer)
 */
#pragma once

#include "engine/graph/layout.h"
#include "engine/graph/series.h"

G_BEGIN_DECLS

typedef struct _LsGraphKept LsGraphKept;

/* `layout` is of before->whole, `request` that of ls_graph_layout_request() for after->whole.  NULL when the two do not begin with the same state (another
 * program, another fold than by one group that was opened or closed), when more than a fourth of what stays is new among it, or when something finds no room within a screen.  A thread may do
 * it; copies the layout. (transfer full) */
LsGraphKept   *ls_graph_kept_new         (const LsGraphLayout *layout,
                                          LsGraphSeries       *before,
                                          LsGraphSeries       *after,
                                          GVariant            *request);
void           ls_graph_kept_free        (LsGraphKept   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphKept, ls_graph_kept_free)

/* Of the functions that are new, or of what the opened group holds; NULL: there are none and nothing is to be asked. (transfer none) */
GVariant      *ls_graph_kept_get_request (LsGraphKept   *self);
/* `answer`: to that request, or NULL.  NULL with an error when it does not fit. (transfer full) */
LsGraphLayout *ls_graph_kept_finish      (LsGraphKept   *self,
                                          GVariant      *answer,
                                          GError       **error);

G_END_DECLS
