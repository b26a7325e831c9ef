/* cli/passes-nested: the dumps of a log below what they ran on. */
#pragma once

#include "engine/passlog/passlog.h"

/* Prints them as a tree, nests deeper than `depth` as one line each.  counts: of each dump, or NULL. Returns: the command's status. */
int ls_cli_passes_nested (LsPassLog    *log,
                          guint         depth,
                          LsPassCounts *counts);
