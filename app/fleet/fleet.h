/* fleet: measuring on many machines that take jobs from a queue in Redis.
 *
 *   address   where the queue is and who asks; never says a password
 *   job       what travels: the parameters of a measurement and what came of it, as fields of text
 *   redis     a connection that comes back by itself (private)
 *   scripts   the steps that Redis does as one (private)
 *   machine   LsFleetMachine: takes jobs one after the other, keeps them its own while it works, hands results in
 *   client    LsFleetClient: puts jobs in, gets results, sees the machines
 *   absent    all of it without hiredis: says so
 *
 * Keys, each begins with the name of the queue (Q):
 *   Q:jobs:KIND      stream of jobs for a kind of machine; its group `measure` has a consumer for each machine
 *   Q:run:RUN        hash of a search: `base` the unscheduled program, `j:ID` of a job: its entry in the stream, "done" (its result waits) or
 *                    "settled" (the search has it), `k:ID` how many workers died of it
 *   Q:results:RUN    stream of results that the search did not settle yet
 *   Q:aside          stream of the last jobs that were put aside, each with its reason
 *   Q:machines, Q:machine:NAME   who is here
 *
 * A job is counted once: its result is taken by one script, which looks whether there is one already.  It is not lost: its machine renews what it
 * has while it works, by Redis' idle times, and what nobody renewed is taken over by another machine (XAUTOCLAIM); a search whose machine
 * says nothing for twice as long by the search's own clock puts the job back, whatever the clock of Redis does.  When Redis has forgotten
 * something (it was killed), searches put in again what they wait for, and machines keep results until these are taken.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_FLEET_ERROR_ADDRESS,       /* not the address of a queue, or no credentials where it says */
  LS_FLEET_ERROR_ABSENT         /* built without hiredis */
} LsFleetError;

#define LS_FLEET_ERROR (ls_fleet_error_quark ())
GQuark ls_fleet_error_quark (void);

/* Whether this build has a client for Redis. */
gboolean        ls_fleet_is_here          (void);

/* ---- address.c ---------------------------------------------------------- */

typedef struct {
  char    *path;                /* of a socket; NULL: host and port */
  char    *host;
  guint    port;
  guint    database;
  char    *queue;               /* what the keys begin with: "loopscope" */
  char    *user, *password;     /* or NULL */
  char    *shown;               /* the address without a password, for people */
} LsFleetAddress;

/* redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?queue=NAME], unix:///PATH[?queue=NAME&db=N], or the path of a socket.
 * `auth_file` (or NULL) has a line "PASSWORD" or "USER PASSWORD"; nobody else may be able to read it.
 * Errors: ADDRESS; no message repeats what may be a password. (transfer full) */
LsFleetAddress *ls_fleet_address_parse    (const char           *text,
                                           const char           *auth_file,
                                           GError              **error);
LsFleetAddress *ls_fleet_address_copy     (const LsFleetAddress *self);
void            ls_fleet_address_free     (LsFleetAddress       *self);
/* Overwrites the password in an argument of the command line, where others could read it. */
void            ls_fleet_address_hide     (char                 *argument);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFleetAddress, ls_fleet_address_free)

/* ---- job.c -------------------------------------------------------------- */

/* The a{sv} that the worker's method `time` takes, as fields of text in turn (name, value, ...); what is not meant to travel (files,
 * descriptors) is left out. (transfer full) */
GPtrArray      *ls_fleet_job_pack         (GVariant             *params);
/* Back.  `base` is the unscheduled program.  Only known fields get through. Floating. */
GVariant       *ls_fleet_job_unpack       (GHashTable           *fields,
                                           const char           *base);
/* The same of its answer. */
GPtrArray      *ls_fleet_result_pack      (GVariant             *answer);
GVariant       *ls_fleet_result_unpack    (GHashTable           *fields);
/* Adds a field. */
void            ls_fleet_put              (GPtrArray            *fields,
                                           const char           *name,
                                           const char           *value);

/* ---- machine.c ---------------------------------------------------------- */

typedef struct _LsFleetMachine LsFleetMachine;

/* A job at hand.  Owned by the machine. */
typedef struct {
  char       *entry, *run, *id;
  GHashTable *fields;           /* of the job: name -> value */
  char       *base;             /* the unscheduled program */
} LsFleetJob;

typedef struct {
  const char *name;             /* NULL: the host's with a number of its own */
  const char *kind;             /* only results of one kind are compared; NULL: processor and number of cores */
  const char *api, *device;     /* "cuda", "opencl", "hip" and what the device is called; NULL: the processor measures */
  guint       lease_ms;         /* 0: 30000; so long nobody renewed a job before another machine takes it */
  /* Measure it, then ls_fleet_machine_give() or _died(), once. */
  void      (*measure) (LsFleetMachine *self, LsFleetJob *job, gpointer data);
  /* A sentence for people: what it does, what is wrong. */
  void      (*say)     (LsFleetMachine *self, const char *text, gpointer data);
  /* After ls_fleet_machine_stop(): it has taken its leave. */
  void      (*ended)   (LsFleetMachine *self, gpointer data);
  gpointer    data;
} LsFleetMachineOptions;

/* Errors: ABSENT. (transfer full) */
LsFleetMachine *ls_fleet_machine_new      (const LsFleetAddress        *address,
                                           const LsFleetMachineOptions *options,
                                           GError                     **error);
/* What it came to: fields of ls_fleet_result_pack() (taken).  It is handed in until the queue has it. */
void            ls_fleet_machine_give     (LsFleetMachine       *self,
                                           LsFleetJob           *job,
                                           GPtrArray            *fields);
/* The worker died of it.  The second time the job is put aside with this reason. */
void            ls_fleet_machine_died     (LsFleetMachine       *self,
                                           LsFleetJob           *job,
                                           const char           *reason);
/* Takes no more jobs; the one at hand is measured to its end, or with `at_once` given back. */
void            ls_fleet_machine_stop     (LsFleetMachine       *self,
                                           gboolean              at_once);
void            ls_fleet_machine_free     (LsFleetMachine       *self);
const char     *ls_fleet_machine_get_name (LsFleetMachine       *self);
const char     *ls_fleet_machine_get_kind (LsFleetMachine       *self);
guint           ls_fleet_machine_get_done (LsFleetMachine       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFleetMachine, ls_fleet_machine_free)

/* ---- client.c ----------------------------------------------------------- */

typedef struct _LsFleetClient LsFleetClient;

/* A machine as it last told. */
typedef struct {
  char   *name, *kind, *cpu, *version;
  char   *api, *device;         /* of a machine with --device; else "" */
  char   *doing;                /* "measuring", "waiting", "leaving" */
  char   *run, *id;             /* of what it measures, or "" */
  gint64  cores, done, died, beat, lease_ms, for_ms;    /* for_ms: since when it does that */
  double  load;
  gint64  heard;                /* of our monotonic clock: when its beat last changed */
} LsFleetPeer;

typedef struct {
  const char *run;              /* the search, or NULL: only looks */
  const char *base;             /* its unscheduled program */
  const char *api;              /* NULL: the processor's; only machines of this one count */
  const char *kind;             /* NULL: the kind with most machines, once there is one */
  /* A result: fields (borrowed).  `known`: it was submitted by this client; else an earlier life of the run asked for it. */
  void (*result)  (LsFleetClient *self, const char *id, gboolean known, GHashTable *fields, gpointer data);
  /* Machines, room or the state of the queue are others. */
  void (*changed) (LsFleetClient *self, gpointer data);
  gpointer    data;
} LsFleetClientOptions;

/* Errors: ABSENT. (transfer full) */
LsFleetClient  *ls_fleet_client_new       (const LsFleetAddress       *address,
                                           const LsFleetClientOptions *options,
                                           GError                    **error);
void            ls_fleet_client_free      (LsFleetClient        *self);
/* Puts a job in (fields are taken); it is put in again when the queue forgets it. */
void            ls_fleet_client_submit    (LsFleetClient        *self,
                                           const char           *id,
                                           GPtrArray            *fields);
/* The same of what the worker's method `time` takes (floating is sunk), with the steps (or NULL) that come back with the result, and a limit. */
void            ls_fleet_client_ask       (LsFleetClient        *self,
                                           const char           *id,
                                           GVariant             *params,
                                           const char           *trace,
                                           gint64                timeout_ms);
/* The result of this job is kept elsewhere now: the queue may forget it. */
void            ls_fleet_client_settle    (LsFleetClient        *self,
                                           const char           *id);
/* How many jobs it would take now: two for each machine of the kind, less those that are under way; 0 before there is a machine. */
guint           ls_fleet_client_get_room  (LsFleetClient        *self);
guint           ls_fleet_client_get_n_out (LsFleetClient        *self);
/* Results that waited in the queue when it was opened were all told. */
gboolean        ls_fleet_client_is_ready  (LsFleetClient        *self);
/* Withdraws what is not measured yet; with `forget` nothing of the run stays, results that are not settled included.  `done` is called then, or
 * after 2 s. */
void            ls_fleet_client_close     (LsFleetClient        *self,
                                           gboolean              forget,
                                           void                (*done) (gpointer data),
                                           gpointer              data);
/* Of LsFleetPeer: of all kinds, by name. Borrowed. */
GPtrArray      *ls_fleet_client_get_peers (LsFleetClient        *self);
/* The kind that it measures on, or NULL. Borrowed. */
const char     *ls_fleet_client_get_kind  (LsFleetClient        *self);
/* What keeps it from going on, a sentence, or NULL. Borrowed. */
const char     *ls_fleet_client_get_problem (LsFleetClient      *self);
/* Of char *, the last jobs put aside: "JOB of RUN: REASON".  Borrowed. */
GPtrArray      *ls_fleet_client_get_aside (LsFleetClient        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFleetClient, ls_fleet_client_free)

G_END_DECLS
