/* search-counts: programs for threads ranked by what the simulator counts of them, where no device measures. */
#pragma once

#include "app/cli/search-request.h"

G_BEGIN_DECLS

/* Whether there is a count of this name to rank by: "sectors", "passes", "instructions". */
gboolean ls_cli_is_count      (const char         *name);
/* Runs each of the programs that the traces make of the module on simulated threads, one after the other, and shows them with the fewest first.  `n_lost`: draws
 * that were refused before, the first with `refusal` (or NULL).  Ctrl+C, or --seconds, ends it and shows what there is. */
int      ls_cli_search_counts (const char         *command,
                               LsCliSearchRequest *request,
                               const char         *by,
                               LsModule           *module,
                               GPtrArray          *traces,
                               guint               n_lost,
                               const char         *refusal);

G_END_DECLS
