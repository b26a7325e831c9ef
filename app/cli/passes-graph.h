/* cli/passes-graph: the blocks of a function as a pass left it: a picture, a text, JSON. */
#pragma once

#include "app/cli/input.h"
#include "engine/passlog/passlog.h"

typedef struct {
  const char *pass, *function;  /* pass: a number from 1 or a name; NULL: no graph */
  const char *out;              /* a file that ends in .svg, .png, .pdf or .dot; NULL: a text */
  gboolean    dark, json;
} LsCliPassesGraph;

/* Returns: the command's status. */
int ls_cli_passes_graph (const char             *command,
                         LsPassLog              *log,
                         const LsCliPassesGraph *request);
