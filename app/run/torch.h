/* run/torch: torch's own values for the graph that a window shows: the folder through which they go, and the process that has torch. */
#pragma once

#include "app/rpc/rpc.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsRunTorch LsRunTorch;

/* `done` is called when torch is through: with NULL, or a sentence that says why there are none or not all of its values. (transfer full) */
LsRunTorch *ls_run_torch_new    (void      (*done) (gpointer    owner,
                                                    const char *trouble),
                                 gpointer    owner);
/* What runs ends; the folder goes. */
void        ls_run_torch_free   (LsRunTorch *self);
/* Was the program of the session read from a graph of torch.fx? */
gboolean    ls_run_torch_has    (LsSession  *session);
/* Writes the graph for torch and puts into `params` what debug-graph wants to know; the worker, which does not run now, may use the folder from its next
 * start on. FALSE with an error. */
gboolean    ls_run_torch_put    (LsRunTorch    *self,
                                 LsSession     *session,
                                 LsWorker      *worker,
                                 GVariantDict  *params,
                                 GError       **error);
/* The inputs are in the folder: torch runs. */
void        ls_run_torch_begin  (LsRunTorch *self);
gboolean    ls_run_torch_runs   (LsRunTorch *self);
/* It is ended, and `done` not called. */
void        ls_run_torch_stop   (LsRunTorch *self);

G_END_DECLS
