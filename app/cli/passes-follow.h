/* cli/passes-follow: a value, operation, block or source line through the passes of a log, as text or JSON. */
#pragma once

#include "engine/passlog/passlog.h"

/* what: "%x", "bb1:", "^bb1", "file.c:12", ":12", or a part of a line.  function NULL: the first that has it; from NULL: from the first dump on,
 * else a number of a dump or the name of a pass.  Returns: the command's status; it said what is wrong. */
int ls_cli_passes_follow (const char *command,
                          LsPassLog  *log,
                          const char *what,
                          const char *function,
                          const char *from,
                          gboolean    json);
