/* cli/debug-pair: two programs in step, at a prompt or from a file of commands. */
#pragma once

#include "engine/debug/debug.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Reads commands until the end or "quit"; "right COMMAND" lets the right program lead.  TRUE: none was refused. */
gboolean ls_cli_debug_pair (LsDebugPair *pair,
                            FILE        *from,
                            gboolean     prompt,
                            gboolean     json);

G_END_DECLS
