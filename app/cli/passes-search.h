/* cli/passes-search: which dumps mention a text, told while the log comes. */
#pragma once

#include "engine/passlog/passlog.h"

typedef struct {
  const char        *file;      /* "-": standard input; NULL: what a command prints */
  const char *const *command;
  const char        *what;
  LsPassLogKind      kind;
  gboolean           json;
} LsCliPassesSearch;

/* Prints each dump as soon as it is known to mention the text. Returns: the command's status. */
int ls_cli_passes_search (const char              *command,
                          const LsCliPassesSearch *wish);
