/* graph of a saved torch.fx graph; a header of its own, since only few need the frontend. */
#pragma once

#include "engine/frontend/fx/fx.h"
#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* (transfer full) */
LsGraph *ls_graph_from_fx (LsFxGraph *fx);

G_END_DECLS
