/* run/graph: the tool window in which a graph of Relax runs binding by binding. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_run_graph_tool;

G_END_DECLS
