/* cli/graph-draw: pictures of graphs, painted by loopscope-draw. */
#pragma once

#include "app/cli/input.h"

/* Hands a request (a{sv} as bytes: see app/draw/graphs.c) over and prints the names of the files.  Returns: the command's status. */
int ls_cli_draw_graphs (const char *command,
                        GBytes     *input,
                        gboolean    dark);
