/* fleet --measure: programs of somebody else's search (meta_schedule's RPCRunner), measured on the machines of a queue. */
#pragma once

#include "app/fleet/fleet.h"

G_BEGIN_DECLS

/* Reads {"jobs": [{"module", "func", "target"}, ..], "kind", "budget-ms", "timeout-s", "wait-s"} from standard input and prints {"results": [{"median", "min", "iqr" (ns),
 * "machine", "kind"} or {"error"}, ..]}, in the same order.  "wait-s": how long there may be no machine. Returns the exit status. */
int ls_cli_fleet_measure (const char           *command,
                          const LsFleetAddress *address);

G_END_DECLS
