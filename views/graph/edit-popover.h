/* graph/edit-popover: what can be done by hand to the calls that are chosen on the canvas: put together, replaced, saved as a module of their own. */
#pragma once

#include "views/graph/canvas.h"
#include "views/models/graph-model.h"

G_BEGIN_DECLS

/* A popover that looks at the canvas each time it opens; a pass that was added is said by ls_graph_model_get_message().  Borrows both, which live as long
 * as it does. */
GtkWidget *ls_edit_popover_new (LsGraphModel  *model,
                                LsGraphCanvas *canvas);

G_END_DECLS
