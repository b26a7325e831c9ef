/* LsFleetClient: the asking side of a queue, and who only looks at it.
 *
 * Two connections: on one results are waited for, on the other everything else is asked.  Each time they come (back) the run is told to the queue
 * again with all that is still waited for; a script leaves alone what is there.  Every second the machines are asked for, every five it is looked whether
 * the queue has forgotten a job, and whether a machine that has a job has said nothing for two leases by our own clock.
 */
#include "app/fleet/peers.h"
#include "app/fleet/scripts-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define LOOK_MS 1000
#define CHECK_EVERY 5           /* looks */
#define CLOSE_MS 2000
#define JOBS_PER_MACHINE 2      /* so that none waits for us */
#define MAX_ASIDE "20"
#define LEASE_US (30 * G_USEC_PER_SEC)  /* of a machine that did not tell its own */

struct _LsFleetClient {
  LsFleetAddress       *address;
  LsFleetClientOptions  options;        /* its texts are ours */
  LsRedis              *redis, *reads;
  char                 *kind;
  GHashTable           *out;            /* id -> GPtrArray of fields, of what is waited for */
  GHashTable           *waiting;        /* id -> entry of a result that is not settled */
  GPtrArray            *peers;          /* of LsFleetPeer */
  GPtrArray            *aside;
  char                 *read_from;
  char                 *problem, *refusal;      /* refusal: what the queue said to the last thing that was to be written; or NULL */
  GHashTable           *missing;        /* name of a machine that has a job and is not here -> when that was first seen */
  guint                 tick, n_ticks;
  gboolean              opened;         /* the queue knows of the run */
  gboolean              reading, ready, closing;
  guint                 n_read;         /* asks since the connection came */

  void                (*closed) (gpointer data);
  gpointer              closed_data;
  guint                 close_limit;
};

static void read_results (LsFleetClient *self);

static char *
key (LsFleetClient *self,
     const char    *kind,
     const char    *name)
{
  return g_strconcat (self->address->queue, ":", kind, name != NULL ? ":" : NULL, name, NULL);
}

static void
tell (LsFleetClient *self)
{
  if (self->options.changed != NULL && !self->closing)
    self->options.changed (self, self->options.data);
}

/* Takes the sentence. */
static void
set_problem (LsFleetClient *self,
             char          *problem)
{
  gboolean news = g_strcmp0 (problem, self->problem) != 0;

  g_free (self->problem);
  self->problem = problem;
  if (news)
    tell (self);
}

static void
set_refusal (LsFleetClient    *self,
             const redisReply *reply)
{
  g_free (self->refusal);
  self->refusal = g_strdup_printf (_("The queue %s refuses: %s"), self->address->shown, reply->str);
  set_problem (self, g_strdup (self->refusal));
}

/* ---- jobs -------------------------------------------------------------------------- */

static void
submitted (const redisReply *reply,
           gpointer          data)
{
  LsFleetClient *self = data;

  if (reply != NULL && reply->type == REDIS_REPLY_ERROR)
    set_refusal (self, reply);
  else if (reply != NULL)
    g_clear_pointer (&self->refusal, g_free);
}

static void
put_in (LsFleetClient *self,
        const char    *id,
        GPtrArray     *fields)
{
  g_autofree char *run = key (self, "run", self->options.run), *jobs = key (self, "jobs", self->kind);
  const char *keys[] = { run, jobs, NULL }, *args[] = { id, "run", self->options.run, "id", id, NULL };

  if (self->opened && ls_redis_is_up (self->redis))
    ls_fleet_script_call (self->redis, ls_fleet_script_submit, keys, args, fields, submitted, self, NULL);
}

static void
put_in_all (LsFleetClient *self)
{
  GHashTableIter iter;
  gpointer id, fields;

  g_hash_table_iter_init (&iter, self->out);
  while (g_hash_table_iter_next (&iter, &id, &fields))
    put_in (self, id, fields);
}

static void
opened (const redisReply *reply,
        gpointer          data)
{
  LsFleetClient *self = data;

  if (reply == NULL)
    return;
  if (reply->type == REDIS_REPLY_ERROR)
    {
      set_refusal (self, reply);
      return;
    }
  self->opened = TRUE;
  g_clear_pointer (&self->refusal, g_free);
  set_problem (self, NULL);
  put_in_all (self);
  read_results (self);
  tell (self);
}

/* Tells the queue of the run, once there is a kind of machine to ask.  Told again it shows whether the queue can be written to. */
static void
open_run (LsFleetClient *self)
{
  g_autofree char *run = NULL;

  if (self->options.run == NULL || self->kind == NULL || self->closing || !ls_redis_is_up (self->redis))
    return;
  run = key (self, "run", self->options.run);
  {
    const char *keys[] = { run, NULL }, *args[] = { self->options.base, self->kind, NULL };

    ls_fleet_script_call (self->redis, ls_fleet_script_open, keys, args, NULL, self->opened ? submitted : opened, self, NULL);
  }
}

void
ls_fleet_client_submit (LsFleetClient *self,
                        const char    *id,
                        GPtrArray     *fields)
{
  g_hash_table_replace (self->out, g_strdup (id), fields);
  put_in (self, id, fields);
}

void
ls_fleet_client_settle (LsFleetClient *self,
                        const char    *id)
{
  g_autofree char *run = key (self, "run", self->options.run), *results = key (self, "results", self->options.run);
  const char *entry = g_hash_table_lookup (self->waiting, id);
  const char *keys[] = { run, results, NULL }, *args[] = { id, entry, NULL };

  /* A connection that is lost meanwhile brings the result once more; then it is settled again. */
  if (entry != NULL && ls_redis_is_up (self->redis))
    ls_fleet_script_call (self->redis, ls_fleet_script_settle, keys, args, NULL, NULL, NULL, NULL);
  if (entry != NULL)
    g_hash_table_replace (self->waiting, g_strdup (id), g_strdup (""));
}

/* ---- results ------------------------------------------------------------------------- */

static void
take_result (LsFleetClient *self,
             const char    *entry,
             GHashTable    *fields)
{
  g_autofree char *id = g_strdup (g_hash_table_lookup (fields, "id"));
  const char *known;
  gboolean mine;

  if (id == NULL)
    return;
  known = g_hash_table_lookup (self->waiting, id);
  mine = g_hash_table_contains (self->out, id);
  if (known != NULL && !mine)
    {
      gboolean settled = *known == '\0';

      /* It was told already. */
      g_hash_table_replace (self->waiting, g_strdup (id), g_strdup (entry));
      if (settled)
        ls_fleet_client_settle (self, id);
      return;
    }
  g_hash_table_replace (self->waiting, g_strdup (id), g_strdup (entry));
  g_hash_table_remove (self->out, id);
  if (self->options.result != NULL && !self->closing)
    self->options.result (self, id, mine, fields, self->options.data);
}

static void
results_came (const redisReply *reply,
              gpointer          data)
{
  LsFleetClient *self = data;
  const redisReply *list = ls_redis_at (ls_redis_at (reply, 0), 1);
  gboolean ready = self->ready;

  self->reading = FALSE;
  if (reply == NULL)
    return;
  if (reply->type == REDIS_REPLY_ERROR)
    {
      set_refusal (self, reply);
      return;
    }
  for (gsize i = 0; list != NULL && i < list->elements; i++)
    {
      GHashTable *fields = NULL;
      const char *entry;

      if (!ls_redis_entry (list->element[i], &entry, &fields))
        continue;
      g_free (self->read_from);
      self->read_from = g_strdup (entry);
      take_result (self, entry, fields);
      g_hash_table_unref (fields);
    }
  self->ready |= list == NULL || list->elements < 64;
  read_results (self);
  if (list != NULL || ready != self->ready)
    tell (self);
}

/* What came since the last one that was read; a stream that began anew (Redis forgot it) is read from its beginning, because the connection was new then. */
static void
read_results (LsFleetClient *self)
{
  g_autofree char *results = NULL;

  if (self->reading || self->closing || !self->opened || !ls_redis_is_up (self->reads))
    return;
  self->reading = TRUE;
  results = key (self, "results", self->options.run);
  ls_redis_call (self->reads, results_came, self, "XREAD", "COUNT", "64", "BLOCK", self->n_read++ == 0 ? "1" : "1000", "STREAMS", results, self->read_from, NULL);
}

/* ---- machines -------------------------------------------------------------------------- */

static guint
count_kind (LsFleetClient *self)
{
  return ls_fleet_peers_count (self->peers, self->kind, self->options.api);
}

/* The kind with most machines; of several the first by name. */
static void
choose_kind (LsFleetClient *self)
{
  if (self->kind != NULL)
    return;
  self->kind = g_strdup (ls_fleet_peers_best_kind (self->peers, self->options.api));
  if (self->kind != NULL)
    open_run (self);
}

static void
peers_came (const redisReply *reply,
            gpointer          data)
{
  LsFleetClient *self = data;
  GPtrArray *peers;

  if (reply == NULL)
    return;
  if (reply->type == REDIS_REPLY_ERROR)
    {
      set_refusal (self, reply);
      return;
    }
  peers = g_ptr_array_new_with_free_func (ls_fleet_peer_free);
  for (gsize i = 0; i + 1 < reply->elements; i += 2)
    {
      const char *name = ls_redis_text (reply->element[i]), *text = ls_redis_text (reply->element[i + 1]);
      LsFleetPeer *peer = name != NULL && text != NULL ? ls_fleet_peer_read (self->peers, name, text) : NULL;

      if (peer != NULL)
        g_ptr_array_add (peers, peer);
    }
  ls_fleet_peers_sort (peers);
  g_ptr_array_unref (self->peers);
  self->peers = peers;
  choose_kind (self);
  if (self->options.run == NULL)
    self->ready = TRUE;
  if (self->refusal != NULL)
    set_problem (self, g_strdup (self->refusal));
  else if (self->options.run == NULL)
    set_problem (self, NULL);
  else if (!self->opened && self->kind != NULL)
    set_problem (self, g_strdup_printf (_("The queue %s does not know of this search yet."), self->address->shown));
  else if (!self->opened || count_kind (self) == 0)
    set_problem (self, ls_fleet_peers_say_none (self->peers, self->kind, self->options.api, self->address->shown));
  else
    set_problem (self, NULL);
  tell (self);
}

static void
aside_came (const redisReply *reply,
            gpointer          data)
{
  LsFleetClient *self = data;

  if (reply == NULL || reply->type != REDIS_REPLY_ARRAY)
    return;
  g_ptr_array_set_size (self->aside, 0);
  for (gsize i = 0; i < reply->elements; i++)
    {
      GHashTable *fields = NULL;
      const char *entry;

      if (!ls_redis_entry (reply->element[i], &entry, &fields))
        continue;
      g_ptr_array_add (self->aside, g_strdup_printf ("%s of %s: %s", (char *) g_hash_table_lookup (fields, "id"), (char *) g_hash_table_lookup (fields, "run"),
                                                     (char *) g_hash_table_lookup (fields, "reason")));
      g_hash_table_unref (fields);
    }
}

/* ---- what the queue forgot, and whom we do not hear of ---------------------------------- */

/* Of which ids a HMGET asked. */
typedef struct {
  LsFleetClient *client;
  GPtrArray     *ids;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *self = data;

  g_ptr_array_unref (self->ids);
  g_free (self);
}

static void
checked (const redisReply *reply,
         gpointer          data)
{
  Asked *asked = data;
  LsFleetClient *self = asked->client;

  gboolean again = FALSE;

  if (reply != NULL && reply->type == REDIS_REPLY_ERROR)
    set_refusal (self, reply);
  for (guint i = 0; i < asked->ids->len && ls_redis_at (reply, i) != NULL; i++)
    {
      const char *known = ls_redis_text (ls_redis_at (reply, i));
      GPtrArray *fields = g_hash_table_lookup (self->out, asked->ids->pdata[i]);

      if (fields != NULL && (known == NULL || strcmp (known, "settled") == 0))
        put_in (self, asked->ids->pdata[i], fields);
      again |= fields != NULL && g_strcmp0 (known, "done") == 0;
    }
  /* A result that we did not see: the stream began anew, with smaller numbers, while the clock of Redis was elsewhere. */
  if (again)
    {
      g_free (self->read_from);
      self->read_from = g_strdup ("0-0");
    }
}

static void
check_jobs (LsFleetClient *self)
{
  GPtrArray *argv = g_ptr_array_new ();
  Asked *asked = g_new0 (Asked, 1);
  GHashTableIter iter;
  gpointer id;

  *asked = (Asked) { self, g_ptr_array_new_with_free_func (g_free) };
  g_ptr_array_add (argv, g_strdup ("HMGET"));
  g_ptr_array_add (argv, key (self, "run", self->options.run));
  g_hash_table_iter_init (&iter, self->out);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      g_ptr_array_add (asked->ids, g_strdup (id));
      g_ptr_array_add (argv, g_strconcat ("j:", id, NULL));
    }
  if (asked->ids->len > 0)
    {
      ls_redis_send (self->redis, argv, checked, asked, asked_free);
      return;
    }
  asked_free (asked);
  g_ptr_array_set_free_func (argv, g_free);
  g_ptr_array_unref (argv);
}

/* Whether a machine that has a job was not heard of for two leases. */
static gboolean
is_lost (LsFleetClient *self,
         const char    *name)
{
  const LsFleetPeer *peer = ls_fleet_peers_find (self->peers, name);
  gint64 now = g_get_monotonic_time (), *since;

  if (peer != NULL)
    {
      g_hash_table_remove (self->missing, name);
      return ls_fleet_peer_is_silent (peer);
    }
  since = g_hash_table_lookup (self->missing, name);
  if (since == NULL)
    {
      since = g_new (gint64, 1);
      *since = now;
      g_hash_table_insert (self->missing, g_strdup (name), since);
    }
  return now - *since > 2 * LEASE_US;
}

/* [[entry, machine, idle, deliveries], ..]: those of machines that are gone or silent go back. */
static void
pending_came (const redisReply *reply,
              gpointer          data)
{
  LsFleetClient *self = data;
  g_autofree char *run = key (self, "run", self->options.run), *jobs = key (self, "jobs", self->kind);

  for (gsize i = 0; reply != NULL && reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++)
    {
      const char *entry = ls_redis_text (ls_redis_at (reply->element[i], 0)), *name = ls_redis_text (ls_redis_at (reply->element[i], 1));
      const char *keys[] = { run, jobs, NULL }, *args[] = { entry, name, NULL };

      if (entry != NULL && name != NULL && is_lost (self, name))
        ls_fleet_script_call (self->redis, ls_fleet_script_hand_on, keys, args, NULL, NULL, NULL, NULL);
    }
}

static gboolean
look (gpointer data)
{
  LsFleetClient *self = data;
  g_autofree char *machines = key (self, "machines", NULL), *prefix = key (self, "machine", ""), *aside = key (self, "aside", NULL);
  const char *keys[] = { machines, NULL }, *args[] = { prefix, NULL };

  if (self->closing || !ls_redis_is_up (self->redis))
    return G_SOURCE_CONTINUE;
  ls_fleet_script_call (self->redis, ls_fleet_script_peers, keys, args, NULL, peers_came, self, NULL);
  if (self->n_ticks++ % CHECK_EVERY != 0)
    return G_SOURCE_CONTINUE;
  ls_redis_call (self->redis, aside_came, self, "XREVRANGE", aside, "+", "-", "COUNT", MAX_ASIDE, NULL);
  if (self->options.run == NULL || self->kind == NULL)
    return G_SOURCE_CONTINUE;
  open_run (self);
  if (self->opened)
    {
      g_autofree char *jobs = key (self, "jobs", self->kind);

      check_jobs (self);
      read_results (self);
      ls_redis_call (self->redis, pending_came, self, "XPENDING", jobs, LS_FLEET_GROUP, "-", "+", "1000", NULL);
    }
  return G_SOURCE_CONTINUE;
}

/* ---- coming and going ----------------------------------------------------------------------- */

static void
on_up (gpointer data)
{
  LsFleetClient *self = data;

  self->n_ticks = 0;
  open_run (self);
  look (self);
}

static void
on_down (const char *problem,
         gpointer    data)
{
  LsFleetClient *self = data;

  self->opened = FALSE;
  set_problem (self, g_strdup_printf (_("The queue %s: %s; trying again."), self->address->shown, problem));
}

static void
on_reads_up (gpointer data)
{
  LsFleetClient *self = data;

  self->n_read = 0;
  g_free (self->read_from);
  self->read_from = g_strdup ("0-0");
  read_results (self);
}

static void
on_reads_down (const char *problem,
               gpointer    data)
{
  ((LsFleetClient *) data)->reading = FALSE;
}

LsFleetClient *
ls_fleet_client_new (const LsFleetAddress        *address,
                     const LsFleetClientOptions  *options,
                     GError                     **error)
{
  LsFleetClient *self = g_new0 (LsFleetClient, 1);
  const LsRedisEvents events = { on_up, on_down, self }, reads = { on_reads_up, on_reads_down, self };

  self->address = ls_fleet_address_copy (address);
  self->options = *options;
  self->options.run = g_strdup (options->run);
  self->options.base = g_strdup (options->base);
  self->options.api = g_strdup (options->api);
  self->kind = g_strdup (options->kind);
  self->out = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->missing = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->peers = g_ptr_array_new_with_free_func (ls_fleet_peer_free);
  self->aside = g_ptr_array_new_with_free_func (g_free);
  self->read_from = g_strdup ("0-0");
  self->redis = ls_redis_new (address, &events);
  if (options->run != NULL)
    self->reads = ls_redis_new (address, &reads);
  self->tick = g_timeout_add (LOOK_MS, look, self);
  return self;
}

void
ls_fleet_client_free (LsFleetClient *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_handle_id (&self->close_limit, g_source_remove);
  ls_redis_free (self->redis);
  ls_redis_free (self->reads);
  g_hash_table_unref (self->out);
  g_hash_table_unref (self->waiting);
  g_hash_table_unref (self->missing);
  g_ptr_array_unref (self->peers);
  g_ptr_array_unref (self->aside);
  g_free ((char *) self->options.run);
  g_free ((char *) self->options.base);
  g_free ((char *) self->options.api);
  g_free (self->kind);
  g_free (self->read_from);
  g_free (self->problem);
  g_free (self->refusal);
  ls_fleet_address_free (self->address);
  g_free (self);
}

static void
say_closed (LsFleetClient *self)
{
  void (*closed) (gpointer data) = self->closed;

  g_clear_handle_id (&self->close_limit, g_source_remove);
  self->closed = NULL;
  if (closed != NULL)
    closed (self->closed_data);
}

static void
close_came (const redisReply *reply,
            gpointer          data)
{
  say_closed (data);
}

static gboolean
close_anyway (gpointer data)
{
  LsFleetClient *self = data;

  self->close_limit = 0;
  say_closed (self);
  return G_SOURCE_REMOVE;
}

void
ls_fleet_client_close (LsFleetClient *self,
                       gboolean       forget,
                       void         (*done) (gpointer data),
                       gpointer       data)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer id;

  self->closing = TRUE;
  self->closed = done;
  self->closed_data = data;
  if (!self->opened || !ls_redis_is_up (self->redis))
    {
      self->close_limit = g_timeout_add (0, close_anyway, self);
      return;
    }
  g_hash_table_iter_init (&iter, self->out);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_ptr_array_add (ids, g_strdup (id));
  {
    g_autofree char *run = key (self, "run", self->options.run), *jobs = key (self, "jobs", self->kind), *results = key (self, "results", self->options.run);
    const char *keys[] = { run, jobs, results, NULL }, *args[] = { forget ? "1" : "0", NULL };

    self->close_limit = g_timeout_add (CLOSE_MS, close_anyway, self);
    ls_fleet_script_call (self->redis, ls_fleet_script_close, keys, args, ids, close_came, self, NULL);
  }
}

/* ---- asked ------------------------------------------------------------------------------- */

guint
ls_fleet_client_get_room (LsFleetClient *self)
{
  guint most = self->kind != NULL && self->opened && self->ready ? JOBS_PER_MACHINE * count_kind (self) : 0, out = g_hash_table_size (self->out);

  return most > out ? most - out : 0;
}

guint
ls_fleet_client_get_n_out (LsFleetClient *self)
{
  return g_hash_table_size (self->out);
}

gboolean
ls_fleet_client_is_ready (LsFleetClient *self)
{
  return self->ready;
}

GPtrArray *
ls_fleet_client_get_peers (LsFleetClient *self)
{
  return self->peers;
}

const char *
ls_fleet_client_get_kind (LsFleetClient *self)
{
  return self->kind;
}

const char *
ls_fleet_client_get_problem (LsFleetClient *self)
{
  return self->problem;
}

GPtrArray *
ls_fleet_client_get_aside (LsFleetClient *self)
{
  return self->aside;
}
