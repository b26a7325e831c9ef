/* What the files of the engine's session share. */
#pragma once

#include "app/engine-session.h"
#include "app/history.h"
#include "app/rpc/rpc.h"

G_BEGIN_DECLS

struct _LsEngineSession
{
  LsSession     parent_instance;

  LsHistory    *history;        /* NULL: nothing opened */
  guint         current;
  char         *target;         /* "llvm" */
  char         *name;           /* of the file */

  GQueue        queue;          /* node ids that wait to be measured */
  LsWorker     *worker;
  GCancellable *cancellable;
  guint         measuring;      /* node under way, or LS_HISTORY_NONE */
};

/* engine-session.c: puts the state of the history into the shown lists. */
void ls_engine_session_show_history (LsEngineSession *self);
void ls_engine_session_go           (LsEngineSession *self,
                                     guint            id);

/* session-moves.c */
void ls_engine_session_show_moves   (LsEngineSession *self);
void ls_engine_session_apply        (LsSession       *session,
                                     LsMoveItem      *move);
void ls_engine_session_repair       (LsSession       *session,
                                     LsMoveItem      *move);
void ls_engine_session_edit         (LsSession       *session,
                                     LsMoveItem      *move,
                                     guint            param,
                                     const char      *value);
void ls_engine_session_preview      (LsSession       *session,
                                     LsMoveItem      *move);

/* session-measure.c */
void ls_engine_session_measure      (LsSession       *session,
                                     gboolean         all);
void ls_engine_session_measure_move (LsSession       *session,
                                     LsMoveItem      *move);
void ls_engine_session_cancel       (LsSession       *session);

G_END_DECLS
