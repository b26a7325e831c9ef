/* session/beside: what of a session is made in a thread, because for a large program it takes longer than a frame.
 *
 * The thread works on an excerpt of the history (ls_history_excerpt()), which shares what never changes; the history grows meanwhile.
 */
#pragma once

#include <gio/gio.h>

#include "app/session/history.h"
#include "app/session/ready.h"
#include "views/models/comparison.h"

G_BEGIN_DECLS

/* Is the program after node `id` one of those? */
gboolean      ls_beside_is_large     (LsHistory           *history,
                                      guint                id);

/* What is shown of a node. */
void          ls_beside_ready        (LsHistory           *history,
                                      guint                id,
                                      GAsyncReadyCallback  callback,
                                      gpointer             data);
/* (transfer full) */
LsReady      *ls_beside_ready_finish (GAsyncResult        *result);

/* Returns an LsComparison by `task`, of which it takes the reference. */
void          ls_beside_compare      (GTask               *task,
                                      LsHistory           *left,
                                      guint                left_id,
                                      LsHistory           *right,
                                      guint                right_id,
                                     const char          *device);

/* The history that a file has, a program or a session. */
typedef struct {
  LsHistory *history;
  guint      current;
} LsBesideFile;

void          ls_beside_file_free    (LsBesideFile        *self);
/* Returns it by `task`, of which it takes the reference. */
void          ls_beside_read         (GTask               *task,
                                      GFile               *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBesideFile, ls_beside_file_free)

G_END_DECLS
