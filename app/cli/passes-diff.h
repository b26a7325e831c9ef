/* cli/passes-diff: what changed from one dump to another, and between two logs. */
#pragma once

#include "engine/passlog/passlog.h"

/* The functions of dump `to`, each against what it was at dump `from`: numbers from 1 as texts.  function NULL: all.  Returns: the command's
 * status; it said what is wrong. */
int ls_cli_passes_diff             (const char *command,
                                    LsPassLog  *log,
                                    const char *from,
                                    const char *to,
                                    const char *function,
                                    gboolean    json);
/* The first pair of dumps of two logs, of the same pass on the same unit, that came out differently, and the functions that are different at the end; of one function
 * or of all (NULL).  quick: LLVM, where it reads, is asked only of what the tolerant reader finds different. Returns: the command's status. */
int ls_cli_passes_first_difference (const char      *command,
                                    LsPassLog       *log,
                                    LsPassLog       *other,
                                    const LsPassTwo *how,
                                    gboolean         json);
