/* search-batch: search where there is no network to the device: candidates go out as a bundle and come back as a file. */
#pragma once

#include "app/cli/search-request.h"

G_BEGIN_DECLS

typedef struct {
  const char *out;              /* --export-batch, or NULL */
  const char *back;             /* --import-batch, or NULL */
  const char *arch;
} LsCliBatch;

/* Takes `back` in, then writes `out`, and shows what is known now.  `designs` (of LsTrace) may be NULL where nothing goes out; `decided`: each
 * of them is one program. */
int ls_cli_search_batch (const char         *command,
                         LsCliSearchRequest *request,
                         const LsCliBatch   *batch,
                         LsModule           *module,
                         GPtrArray          *designs,
                         gboolean            decided);

G_END_DECLS
