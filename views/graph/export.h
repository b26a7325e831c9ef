/* graph/export: the shown state as a file. */
#pragma once

#include "views/canvas/draw-graph.h"
#include "views/models/graph-model.h"

G_BEGIN_DECLS

/* By the ending of `path`: .png, .pdf (else SVG): what the scene shows, without its selection; .dot and .json: the same graph, or the `whole` one
 * whatever is folded; .py: the module as TVMScript.  It is drawn and written in a thread, from what the model and the scene are now; `callback`
 * (with the model) comes in the main loop. */
void  ls_graph_export_async  (LsGraphModel         *model,
                              const LsGraphScene   *scene,
                              const char           *path,
                              gboolean              whole,
                              GAsyncReadyCallback   callback,
                              gpointer              data);
/* These calls of a function of the shown state as a module of their own; ended by ls_graph_export_finish(), too. */
void  ls_graph_export_calls_async (LsGraphModel        *model,
                                   const char          *func,
                                   const char *const   *names,
                                   const char          *path,
                                   GAsyncReadyCallback  callback,
                                   gpointer             data);
/* The measured run of the shown state: .pftrace, .json, .csv (ls_graph_timeline_format); `title`: the program's.  Another name, or no run, is an error;
 * ended by ls_graph_export_finish(), too. */
void  ls_graph_export_run_async (LsGraphModel        *model,
                                 const char          *title,
                                 const char          *path,
                                 GAsyncReadyCallback  callback,
                                 gpointer             data);
/* Where it was written. (transfer full) NULL with an error: it could not be. */
char *ls_graph_export_finish (LsGraphModel         *model,
                              GAsyncResult         *result,
                              GError              **error);

G_END_DECLS
