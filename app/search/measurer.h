/* Who measures for a search: workers of this machine (local.c), a GPU of it (device.c), or the machines of a queue (fleet.c). */
#pragma once

#include "app/bundle/bundle.h"
#include "app/fleet/fleet.h"
#include "app/rpc/rpc.h"

G_BEGIN_DECLS

#define LS_SEARCH_MAX_AHEAD 7   /* programs that are built beside another */

typedef struct _LsMeasurer LsMeasurer;

/* What came of a job: the answer of the worker's method `time`, or why there is none. Borrowed. */
typedef void (*LsMeasured) (GVariant *answer, const GError *error, gpointer data);

typedef struct {
  /* There may be room now, or something is to be said about it. */
  void     (*news)     (gpointer data);
  /* What an earlier life of this search asked for; `answer` as above. */
  void     (*late)     (const char *id, const char *trace, GVariant *answer, gpointer data);
  gpointer   data;
} LsMeasurerEvents;

typedef struct {
  const char *text;             /* of the unscheduled program */
  guint       jobs;             /* workers of this machine */
  const LsFleetAddress *queue;  /* or NULL: this machine measures */
  const char *api;              /* "cuda", "opencl", "hip": on such a device; NULL: on the processor */
  const char *kind;             /* of machines, or NULL */
  const char *folder;           /* of the database, where the name of the run is kept; or NULL */
  gint64      timeout_ms;       /* of one job */
} LsMeasurerOptions;

/* Errors: those of ls_fleet_client_new() and ls_bundle_device_open(). (transfer full) */
LsMeasurer *ls_measurer_new         (const LsMeasurerOptions *options,
                                     const LsMeasurerEvents  *events,
                                     GError                 **error);
/* No callback comes afterwards. */
void        ls_measurer_free        (LsMeasurer              *self);
/* How many more jobs it takes. */
guint       ls_measurer_get_room    (LsMeasurer              *self);
/* How many programs beside the one that is asked for it builds at the same time, where they come as `ahead`; 0: that is of no use to it. */
guint       ls_measurer_get_ahead   (LsMeasurer              *self);
/* `params` as for the worker's method `time` (floating is sunk) but for the reference, which is the unscheduled program.  `trace`: of its steps, as JSON, or
 * NULL.  `measured` is called once, later.  Returns the name of the job. (transfer full) */
char       *ls_measurer_measure     (LsMeasurer              *self,
                                     GVariant                *params,
                                     const char              *trace,
                                     LsMeasured               measured,
                                     gpointer                 data);
/* What came of this job is kept elsewhere. */
void        ls_measurer_settle      (LsMeasurer              *self,
                                     const char              *id);
/* All that is under way ends with G_IO_ERROR_CANCELLED. */
void        ls_measurer_cancel      (LsMeasurer              *self);
/* Nothing more is wanted; `done` is called later.  `forget`: nothing that it measured has to be kept. */
void        ls_measurer_close       (LsMeasurer              *self,
                                     gboolean                 forget,
                                     void                   (*done) (gpointer data),
                                     gpointer                 data);
/* What keeps it from going on, a sentence; NULL: nothing does. Borrowed. */
const char *ls_measurer_get_problem (LsMeasurer              *self);
/* The kind of machine, NULL: this one, or not known yet. Borrowed. */
const char *ls_measurer_get_kind    (LsMeasurer              *self);
/* Of LsFleetPeer, or NULL: this machine measures. Borrowed. */
GPtrArray  *ls_measurer_get_peers   (LsMeasurer              *self);

/* ---- what a measurer does (local.c, device.c, fleet.c) ---- */

typedef struct {
  void        (*free)    (LsMeasurer *self);
  guint       (*room)    (LsMeasurer *self);
  guint       (*ahead)   (LsMeasurer *self);    /* NULL: 0 */
  char       *(*measure) (LsMeasurer *self, GVariant *params, const char *trace, LsMeasured measured, gpointer data);
  void        (*settle)  (LsMeasurer *self, const char *id);
  void        (*cancel)  (LsMeasurer *self);
  void        (*close)   (LsMeasurer *self, gboolean forget, void (*done) (gpointer data), gpointer data);
  const char *(*problem) (LsMeasurer *self);
  const char *(*kind)    (LsMeasurer *self);
  GPtrArray  *(*peers)   (LsMeasurer *self);
} LsMeasurerClass;

struct _LsMeasurer {
  const LsMeasurerClass *klass;
  LsMeasurerEvents       events;
};

LsMeasurer *ls_measurer_new_local   (const LsMeasurerOptions *options);
LsMeasurer *ls_measurer_new_device  (const LsMeasurerOptions *options,
                                     GError                 **error);
LsMeasurer *ls_measurer_new_fleet   (const LsMeasurerOptions *options,
                                     const LsMeasurerEvents  *events,
                                     GError                 **error);

G_END_DECLS
