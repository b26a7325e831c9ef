/* cli/debug-graph: a graph of Relax binding by binding, and before and after passes. */
#pragma once

#include "engine/debug/debug.h"

#include <stdio.h>

G_BEGIN_DECLS

typedef struct {
  const char          *command, *file;
  const char          *func, *batch, *against;  /* or NULL */
  const char *const   *passes;          /* of Relax, in this order; empty: none */
  const LsDebugInputs *inputs;
  gboolean             json;
} LsCliDebugGraph;

/* Returns the exit status. */
int  ls_cli_debug_graph      (const LsCliDebugGraph *request);

/* cmd-debug.c: what ls_debug_look() and ls_debug_grid() tell, and commands from a file or a prompt. */
void ls_cli_debug_print      (GVariant              *answer);
void ls_cli_debug_print_grid (GVariant              *answer);
int  ls_cli_debug_talk       (LsDebug               *debug,
                              FILE                  *from,
                              gboolean               is_batch,
                              gboolean               json);

G_END_DECLS
