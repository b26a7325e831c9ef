/* What Redis does as one step: scripts in Lua, each with its keys and arguments, and what it answers. */
#pragma once

#include "app/fleet/redis-private.h"

G_BEGIN_DECLS

#define LS_FLEET_GROUP "measure"

/* run | base, kind: the search is here (again). */
extern const char ls_fleet_script_open[];
/* run, jobs | id, field, value...: 1: it was put in; 0: it is there, or its result is. */
extern const char ls_fleet_script_submit[];
/* run, jobs, results, aside | entry, id, machine, run, whether the base is wanted (1): "go" and the base; "skip": nobody wants it; "aside" and why. */
extern const char ls_fleet_script_begin[];
/* jobs | entry, machine: 1: it is renewed; 0: it is not this machine's any more. */
extern const char ls_fleet_script_renew[];
/* run, jobs, results | entry, id, field, value...: "taken"; "twice": there is a result; "gone": nobody knows of it (now). */
extern const char ls_fleet_script_give[];
/* run, jobs, results, aside | entry, id, reason, machine, run, kind: "again"; "aside". "gone" */
extern const char ls_fleet_script_died[];
/* run, jobs | entry, id: back into the queue, as if it had not been taken. */
extern const char ls_fleet_script_return[];
/* run, results | id, entry of the result: it may be forgotten. */
extern const char ls_fleet_script_settle[];
/* run, jobs, results | whether the run is to be forgotten (1), id...: withdraws these. */
extern const char ls_fleet_script_close[];
/* run, jobs, aside | entry, consumer, machine...: a job of a machine that is silent goes back into the queue. */
extern const char ls_fleet_script_hand_on[];
/* machines | prefix: name, what it said, ... */
extern const char ls_fleet_script_peers[];

/* Calls a script: `keys` and `args` end with NULL; `rest` (may be NULL) are more arguments, borrowed. */
void ls_fleet_script_call (LsRedis            *redis,
                           const char         *script,
                           const char *const  *keys,
                           const char *const  *args,
                           GPtrArray          *rest,
                           LsRedisReply        reply,
                           gpointer            data,
                           GDestroyNotify      destroy);

G_END_DECLS
