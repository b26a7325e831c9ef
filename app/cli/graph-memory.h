/* graph-memory: what `graph --memory` says. */
#pragma once

#include "engine/graph/memory.h"

G_BEGIN_DECLS

/* The peak with who holds it, then each call with what is there while it runs. */
void ls_cli_graph_memory_text (const LsGraphMemory *memory,
                               LsGraph             *graph);
/* The same as JSON: fixed, peak, plan, peak_call, unknown, values [{name, from, to, offset, bytes}], at [bytes]. */
void ls_cli_graph_memory_json (const LsGraphMemory *memory,
                               LsGraph             *graph);

G_END_DECLS
