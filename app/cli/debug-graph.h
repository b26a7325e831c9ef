/* cli/debug-graph: a graph of Relax binding by binding, and before and after passes. */
#pragma once

#include "engine/debug/debug.h"

G_BEGIN_DECLS

typedef struct {
  const char          *command, *file;
  const char          *func, *batch, *against;  /* or NULL */
  const char          *torch;           /* a folder with torch's own values of a graph of torch.fx, or NULL */
  const char *const   *passes;          /* of Relax, in this order; empty: none */
  const LsDebugInputs *inputs;
  gboolean             json;
} LsCliDebugGraph;

/* Returns the exit status. */
int ls_cli_debug_graph (const LsCliDebugGraph *request);

G_END_DECLS
