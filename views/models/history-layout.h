/* history-layout: order and rails of the history list.
 *
 * The tree of steps is shown flat: at a fork the side branches come first, each
 * in a lane of its own to the right, and the main child goes on in the lane of
 * its parent, so that the main branch is one straight line.
 */
#pragma once

#include "views/models/step-item.h"

G_BEGIN_DECLS

/* `nodes`: LsStepItems in order of creation, parents before children, the root
 * first.  `main_child`: for a node id the id of the child that continues the
 * main branch, or G_MAXUINT for the first child.
 * `current`: id whose path from the root is marked active.
 * Returns the items in display order, (transfer container) with the items
 * borrowed, and sets every item's rail. */
typedef guint (*LsMainChildFunc) (guint    id,
                                  gpointer data);

GPtrArray *ls_history_layout (GPtrArray       *nodes,
                              LsMainChildFunc  main_child,
                              gpointer         data,
                              guint            current);

G_END_DECLS
