/* session/measure: LsMeasuring: times of programs, through the worker, one after the other. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/blas.h"
#include "app/session/document.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* What came of one program; all borrowed. */
typedef struct {
  LsStepTime    time;           /* no samples: it has none */
  const double *samples;        /* seconds; time.samples of them */
  const char   *trouble;        /* why there is no time, or NULL */
  gboolean      differs;        /* namely that its output is not that of the opened program */
} LsMeasured;

typedef void (*LsMeasuredFunc) (const LsMeasured *measured,
                                gpointer          data);

typedef struct _LsMeasuring LsMeasuring;

/* `session` owns it and is told what is shown of times; `blas` is borrowed, the others are held. (transfer full) */
LsMeasuring *ls_measuring_new          (LsSession      *session,
                                        LsDocument     *document,
                                        LsWorker       *worker,
                                        LsBlas         *blas);
void         ls_measuring_free         (LsMeasuring    *self);

/* `finished` is told when nothing is left to measure, unless it was cancelled. */
void         ls_measuring_set_finished (LsMeasuring    *self,
                                        void          (*finished) (gpointer data),
                                        gpointer        data);

/* The shown step and, when it has none yet, the opened program; `all`: every step of the path. */
void         ls_measuring_path         (LsMeasuring    *self,
                                        gboolean        all);
void         ls_measuring_node         (LsMeasuring    *self,
                                        guint           id);
/* A program that is no step yet, in at most `budget_ms` (0: as long as a step); `func` gets the answer, unless the document goes
 * or all is cancelled; `data` is freed then too. */
void         ls_measuring_program      (LsMeasuring    *self,
                                        LsSchedule     *schedule,
                                        guint           budget_ms,
                                        LsMeasuredFunc  func,
                                        gpointer        data,
                                        GDestroyNotify  data_free);
/* Ends what runs and what waits; what was measured before stays. */
void         ls_measuring_cancel       (LsMeasuring    *self);

/* The node under way, or LS_HISTORY_NONE, with its samples so far. */
guint        ls_measuring_get_node     (LsMeasuring    *self,
                                        guint          *done,
                                        guint          *total);
/* The nodes have other numbers from now on. */
void         ls_measuring_forget_node  (LsMeasuring    *self);

G_END_DECLS
