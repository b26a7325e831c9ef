/* peers: the machines of a queue, as they told it: which there are, which of them measure for a search. */
#pragma once

#include "app/fleet/fleet.h"

G_BEGIN_DECLS

/* All arrays are of LsFleetPeer.  `api`: of the device that a search is for; NULL: the processor. */

void         ls_fleet_peer_free       (gpointer           peer);
/* What a machine said of itself, or NULL: it is no such thing.  `peers`: those that were there before. (transfer full) */
LsFleetPeer *ls_fleet_peer_read       (GPtrArray         *peers,
                                       const char        *name,
                                       const char        *text);
/* It was not heard of for two of its leases. */
gboolean     ls_fleet_peer_is_silent  (const LsFleetPeer *peer);
/* NULL: there is none of that name. */
LsFleetPeer *ls_fleet_peers_find      (GPtrArray         *peers,
                                       const char        *name);
/* By name. */
void         ls_fleet_peers_sort      (GPtrArray         *peers);
/* Machines of the kind that take jobs of such a search now. */
guint        ls_fleet_peers_count     (GPtrArray         *peers,
                                       const char        *kind,
                                       const char        *api);
/* The kind with most machines, of several the first by name; NULL: there is none.  Borrowed from a peer. */
const char  *ls_fleet_peers_best_kind (GPtrArray         *peers,
                                       const char        *api);
/* Why there is no machine for such a search.  `kind` may be NULL; `queue`: as it is shown. (transfer full) */
char        *ls_fleet_peers_say_none  (GPtrArray         *peers,
                                       const char        *kind,
                                       const char        *api,
                                       const char        *queue);

G_END_DECLS
