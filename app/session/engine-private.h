/* What engine.c (the parts put together, the vfuncs of the session) and engine-open.c (opening, and what is forgotten with it) share. */
#pragma once

#include "app/session/blas.h"
#include "app/session/document.h"
#include "app/session/editing.h"
#include "app/session/engine.h"
#include "app/session/equality.h"
#include "app/session/graph.h"
#include "app/session/measure.h"
#include "app/session/moves.h"
#include "app/session/origins.h"
#include "app/session/pinning.h"
#include "app/session/roofline.h"
#include "app/session/trials.h"
#include "app/session/why.h"

G_BEGIN_DECLS

struct _LsEngineSession
{
  LsSession    parent_instance;

  LsDocument  *document;
  LsWorker    *worker;          /* runs what the parts below ask it to */
  LsPinning   *pinning;
  LsOrigins   *origins;
  LsEditing   *editing;
  LsMoves     *moves;
  LsBlas      *blas;
  LsMeasuring *measuring;
  LsTrials    *trials;
  LsEquality  *equality;
  LsMachine   *machine;
  LsWhyMaker  *why;
  LsReady     *ready;           /* that is being shown, or NULL; borrowed */
  gboolean     later;           /* what is shown of a large program may come some frames after the step */
  guint        showing;         /* counts what was to be shown: only the last is */
};

/* What is open now. (transfer none) */
static inline const LsDocumentRecord *
ls_engine_record (LsEngineSession *self)
{
  return ls_document_get (self->document);
}

/* (transfer none) */
static inline LsEngineGraph *
ls_engine_graph_of (LsEngineSession *self)
{
  return LS_ENGINE_GRAPH (ls_session_get_graph (LS_SESSION (self)));
}

/* engine-open.c */

/* What the worker does for this session ends. */
void     ls_engine_stop            (LsSession  *session);
/* Shows a document; takes its history away. */
void     ls_engine_start           (LsSession  *session,
                                    LsReady    *ready);
/* The opened program became `module`, without another opening. */
void     ls_engine_replaced        (LsSession  *session,
                                    LsModule   *module);
/* LsScheduleFunc of the graph page. */
gboolean ls_engine_schedule_module (LsSession  *session,
                                    LsModule   *module,
                                    const char *pass);
/* LsSessionClass.set_sizes */
gboolean ls_engine_set_sizes       (LsSession  *session,
                                    const char *text,
                                    char      **trouble);
/* LsSessionClass.open */
void     ls_engine_open            (LsSession  *session,
                                    GFile      *file);

G_END_DECLS
