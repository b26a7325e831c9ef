/* graph/export: the shown state as a file. */
#pragma once

#include "views/canvas/draw-graph.h"
#include "views/models/graph-model.h"

G_BEGIN_DECLS

/* By the ending of `path`: .png, .pdf (else SVG): what the scene shows, without its selection; .dot and .json: the same graph, or the `whole` one
 * whatever is folded; .py: the module as TVMScript.  FALSE with an error: it could not be written. */
gboolean ls_graph_export (LsGraphModel       *model,
                          const LsGraphScene *scene,
                          const char         *path,
                          gboolean            whole,
                          GError            **error);

G_END_DECLS
