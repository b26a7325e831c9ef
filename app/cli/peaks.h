/* peaks: what this machine can do at best, for several commands. */
#pragma once

#include "app/cli/cli.h"
#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* What is kept in the user's cache, or (also with `again`) what is measured now. FALSE: it said why not. */
gboolean ls_cli_read_peaks (const char *command,
                            gboolean    again,
                            LsPeaks    *peaks);

G_END_DECLS
