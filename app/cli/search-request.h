/* search-request: what the commands search and tune are both asked. */
#pragma once

#include "app/cli/cli.h"
#include "app/search/search.h"

G_BEGIN_DECLS

typedef struct {
  const char *file, *func, *strategy, *model, *folder, *target, *queue, *auth, *kind;
  gint64      trials, jobs, seed, budget, timeout, seconds;
  GPtrArray  *set;              /* owned, of borrowed texts */
  gboolean    json;
  char       *own_queue;        /* the address, which others do not see on the command line any more */
} LsCliSearchRequest;

void ls_cli_search_request_clear (LsCliSearchRequest *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsCliSearchRequest, ls_cli_search_request_clear)

/* Reads the command line: the options that both have, and those of `own` (ends with a NULL name).  `self` has what is not given otherwise; a password in an address is
 * taken off the command line.  Returns LS_CLI_DONE, or LS_CLI_USAGE after it said what is wrong. */
int  ls_cli_search_request_read  (LsCliSearchRequest *self,
                                  int                 argc,
                                  char              **argv,
                                  const LsCliOption  *own);
/* What chooses. */
LsTuneModelKind ls_cli_search_request_model (const LsCliSearchRequest *self);
/* The options of a search that are the same for both; they borrow from `self`, whose list of sizes ends with NULL afterwards. */
LsSearchOptions ls_cli_search_request_options (LsCliSearchRequest *self);

G_END_DECLS
