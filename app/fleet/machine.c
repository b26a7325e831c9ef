/* LsFleetMachine: the taking side of a queue.
 *
 *   look     what nobody renewed is taken over first (every quarter of a lease), else the next fresh job is waited for, a second at a time
 *   begin    a script says whether anybody still wants it, and gives the unscheduled program where we do not have that of its search yet
 *   measure  the owner's; meanwhile the job is renewed three times a lease
 *   hand in  until a script took it: what was measured stays here while Redis is away, refuses to write, or has forgotten the search
 *
 * Two seconds apart it says that it is here: a number that grows, so that others need no clock in common with us.
 */
#include "app/fleet/scripts-private.h"

#include "engine/base/json.h"
#include "engine/runtime/runtime.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BEAT_MS 2000
#define LEASE_MS 30000
#define BLOCK_MS "1000"
#define PRESENT_S "20"          /* how long what a machine said of itself stays */
#define GONE_US (60 * G_USEC_PER_SEC)   /* a result that nobody knows of is kept as long */
#define RETRY_MS 1000
#define MAX_BASES 8             /* unscheduled programs that are kept */

typedef enum { GIVE, DIED, RETURN } OutcomeKind;

/* What came of a job, until the queue has it. */
typedef struct {
  LsFleetMachine *machine;
  OutcomeKind     kind;
  LsFleetJob     *job;
  GPtrArray      *fields;
  char           *reason;
  gint64          since;        /* when it was first said that nobody knows of it; 0: it was not */
  gboolean        asked;
} Outcome;

struct _LsFleetMachine {
  LsFleetAddress        *address;
  LsFleetMachineOptions  options;
  LsRedis               *redis;
  char                  *name, *kind, *jobs;    /* jobs: key of the stream */
  char                  *api, *device;  /* or NULL */
  GHashTable            *bases;         /* run -> unscheduled program */
  LsFleetJob            *job;           /* at hand, or NULL */
  GPtrArray             *outcomes;
  char                  *cursor;        /* of XAUTOCLAIM */
  gint64                 claimed;       /* when it last looked for jobs that nobody renewed */
  gint64                 since;         /* of what it does */
  guint                  beat, renew, retry, done, died;
  guint                  flights;       /* questions under way about a next job */
  gint64                 n_beats;
  gboolean               measuring, stopping, at_once, left;
};

static void look (LsFleetMachine *self);
static void hand_in (LsFleetMachine *self);
static void leave_if_done (LsFleetMachine *self);

static void G_GNUC_PRINTF (2, 3)
say (LsFleetMachine *self,
     const char     *format,
     ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (self->options.say != NULL)
    self->options.say (self, text, self->options.data);
}

static char *
key (LsFleetMachine *self,
     const char     *kind,
     const char     *name)
{
  return g_strconcat (self->address->queue, ":", kind, name != NULL ? ":" : NULL, name, NULL);
}

static void
job_free (LsFleetJob *job)
{
  if (job == NULL)
    return;
  g_free (job->entry);
  g_free (job->run);
  g_free (job->id);
  g_free (job->base);
  g_hash_table_unref (job->fields);
  g_free (job);
}

static void
outcome_free (gpointer data)
{
  Outcome *self = data;

  job_free (self->job);
  if (self->fields != NULL)
    g_ptr_array_unref (self->fields);
  g_free (self->reason);
  g_free (self);
}

/* ---- saying that it is here ---------------------------------------------------------- */

static const char *
doing (LsFleetMachine *self)
{
  return self->measuring ? "measuring" : self->stopping ? "leaving" : "waiting";
}

/* What it says of itself. (transfer full) */
static char *
portrait (LsFleetMachine *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  double load = 0;

  if (getloadavg (&load, 1) < 1)
    load = 0;
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", self->name);
  ls_json_put_text (builder, "kind", self->kind);
  ls_json_put_text (builder, "cpu", ls_host_cpu_name ());
  ls_json_put_text (builder, "api", self->api);
  ls_json_put_text (builder, "device", self->device);
  ls_json_put_text (builder, "version", LS_VERSION);
  ls_json_put_text (builder, "doing", doing (self));
  ls_json_put_text (builder, "run", self->job != NULL ? self->job->run : "");
  ls_json_put_text (builder, "id", self->job != NULL ? self->job->id : "");
  ls_json_put_int (builder, "cores", ls_host_n_cpus ());
  ls_json_put_int (builder, "done", self->done);
  ls_json_put_int (builder, "died", self->died);
  ls_json_put_int (builder, "beat", self->n_beats);
  ls_json_put_int (builder, "lease-ms", self->options.lease_ms);
  ls_json_put_int (builder, "for-ms", (g_get_monotonic_time () - self->since) / 1000);
  ls_json_put_double (builder, "load", load);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static void
beat (LsFleetMachine *self)
{
  g_autofree char *machines = key (self, "machines", NULL), *own = key (self, "machine", self->name), *text = NULL;

  if (!ls_redis_is_up (self->redis) || self->left)
    return;
  self->n_beats++;
  text = portrait (self);
  ls_redis_call (self->redis, NULL, NULL, "SET", own, text, "EX", PRESENT_S, NULL);
  ls_redis_call (self->redis, NULL, NULL, "SADD", machines, self->name, NULL);
}

static gboolean
on_beat (gpointer data)
{
  beat (data);
  hand_in (data);
  return G_SOURCE_CONTINUE;
}

static void
begins (LsFleetMachine *self,
        gboolean        measuring)
{
  self->measuring = measuring;
  self->since = g_get_monotonic_time ();
  beat (self);
}

/* ---- looking for a job ----------------------------------------------------------------- */

static void
made_group (const redisReply *reply,
            gpointer          data)
{
  LsFleetMachine *self = data;

  if (reply != NULL && reply->type == REDIS_REPLY_ERROR && strncmp (reply->str, "BUSYGROUP", strlen ("BUSYGROUP")) != 0)
    say (self, "the queue %s: %s", self->address->shown, reply->str);
  self->flights--;
  look (self);
}

static void
make_group (LsFleetMachine *self)
{
  self->flights++;
  ls_redis_call (self->redis, made_group, self, "XGROUP", "CREATE", self->jobs, LS_FLEET_GROUP, "0", "MKSTREAM", NULL);
}

static gboolean
look_again (gpointer data)
{
  LsFleetMachine *self = data;

  self->retry = 0;
  if (ls_redis_is_up (self->redis))
    make_group (self);
  return G_SOURCE_REMOVE;
}

/* The queue did not do what it was asked: a while later, from the beginning. */
static void
look_later (LsFleetMachine   *self,
            const redisReply *reply)
{
  if (reply != NULL && reply->type == REDIS_REPLY_ERROR && strstr (reply->str, "NOGROUP") == NULL)
    say (self, "the queue %s: %s", self->address->shown, reply->str);
  if (self->retry == 0)
    self->retry = g_timeout_add (RETRY_MS, look_again, self);
}

static void
take_base (LsFleetMachine *self,
           const char     *base)
{
  if (base != NULL && *base != '\0')
    {
      if (g_hash_table_size (self->bases) >= MAX_BASES)
        g_hash_table_remove_all (self->bases);
      g_hash_table_replace (self->bases, g_strdup (self->job->run), g_strdup (base));
    }
  self->job->base = g_strdup (g_hash_table_lookup (self->bases, self->job->run));
}

static void
renewed (const redisReply *reply,
         gpointer          data)
{
  LsFleetMachine *self = data;

  if (reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == 0 && self->measuring)
    say (self, "%s was handed on while it was being measured; whoever is first counts", self->job->id);
}

static gboolean
renew (gpointer data)
{
  LsFleetMachine *self = data;
  const char *keys[] = { self->jobs, NULL }, *args[] = { self->job->entry, self->name, NULL };

  ls_fleet_script_call (self->redis, ls_fleet_script_renew, keys, args, NULL, renewed, self, NULL);
  return G_SOURCE_CONTINUE;
}

static void
drop_job (LsFleetMachine *self)
{
  g_clear_handle_id (&self->renew, g_source_remove);
  g_clear_pointer (&self->job, job_free);
}

static void
begun (const redisReply *reply,
       gpointer          data)
{
  LsFleetMachine *self = data;
  const char *word = ls_redis_text (ls_redis_at (reply, 0));

  self->flights--;
  if (word != NULL && strcmp (word, "go") == 0)
    {
      take_base (self, ls_redis_text (ls_redis_at (reply, 1)));
      if (self->job->base == NULL)
        {
          drop_job (self);
          look_later (self, NULL);
          return;
        }
      self->renew = g_timeout_add (self->options.lease_ms / 3, renew, self);
      begins (self, TRUE);
      self->options.measure (self, self->job, self->options.data);
      return;
    }
  if (word != NULL && strcmp (word, "aside") == 0)
    say (self, "%s was put aside: %s", self->job->id, ls_redis_text (ls_redis_at (reply, 1)));
  drop_job (self);
  if (word != NULL)
    look (self);
  else
    look_later (self, reply);
}

static void
take (LsFleetMachine *self,
      const char     *entry,
      GHashTable     *fields)
{
  LsFleetJob *job = g_new0 (LsFleetJob, 1);
  const char *run = g_hash_table_lookup (fields, "run"), *id = g_hash_table_lookup (fields, "id");
  g_autofree char *run_key = key (self, "run", run), *results = key (self, "results", run), *aside = key (self, "aside", NULL);

  *job = (LsFleetJob) { .entry = g_strdup (entry), .run = g_strdup (run != NULL ? run : ""), .id = g_strdup (id != NULL ? id : ""), .fields = g_hash_table_ref (fields) };
  self->job = job;
  {
    const char *keys[] = { run_key, self->jobs, results, aside, NULL };
    const char *args[] = { entry, job->id, self->name, job->run, g_hash_table_contains (self->bases, job->run) ? "0" : "1", NULL };

    self->flights++;
    ls_fleet_script_call (self->redis, ls_fleet_script_begin, keys, args, NULL, begun, self, NULL);
  }
}

/* Takes an entry, or says that there was none. */
static gboolean
take_entry (LsFleetMachine   *self,
            const redisReply *reply)
{
  GHashTable *fields = NULL;
  const char *entry;

  if (!ls_redis_entry (reply, &entry, &fields))
    return FALSE;
  take (self, entry, fields);
  g_hash_table_unref (fields);
  return TRUE;
}

static void
read_fresh (const redisReply *reply,
            gpointer          data)
{
  LsFleetMachine *self = data;

  self->flights--;
  if (reply == NULL || reply->type == REDIS_REPLY_ERROR)
    {
      if (reply != NULL)
        look_later (self, reply);
      leave_if_done (self);
    }
  else if (!take_entry (self, ls_redis_at (ls_redis_at (ls_redis_at (reply, 0), 1), 0)))
    look (self);
}

static void
wait_for_fresh (LsFleetMachine *self)
{
  self->flights++;
  ls_redis_call (self->redis, read_fresh, self, "XREADGROUP", "GROUP", LS_FLEET_GROUP, self->name, "COUNT", "1", "BLOCK", BLOCK_MS, "STREAMS", self->jobs, ">", NULL);
}

static void
claimed (const redisReply *reply,
         gpointer          data)
{
  LsFleetMachine *self = data;
  const char *cursor = ls_redis_text (ls_redis_at (reply, 0));

  self->flights--;
  if (reply == NULL || reply->type == REDIS_REPLY_ERROR)
    {
      if (reply != NULL)
        look_later (self, reply);
      leave_if_done (self);
      return;
    }
  g_free (self->cursor);
  self->cursor = g_strdup (cursor != NULL ? cursor : "0-0");
  /* From where it stopped the next time, and at once while there may be more. */
  if (strcmp (self->cursor, "0-0") != 0)
    self->claimed = 0;
  if (!take_entry (self, ls_redis_at (ls_redis_at (reply, 1), 0)))
    {
      if (self->claimed == 0)
        look (self);
      else
        wait_for_fresh (self);
    }
}

static void
look (LsFleetMachine *self)
{
  gint64 now = g_get_monotonic_time ();
  char lease[16];

  if (self->flights > 0 || self->job != NULL || self->retry != 0 || !ls_redis_is_up (self->redis))
    return;
  if (self->stopping)
    {
      leave_if_done (self);
      return;
    }
  /* What cannot be handed in would only become more. */
  for (guint i = 0; i < self->outcomes->len; i++)
    if (((Outcome *) self->outcomes->pdata[i])->since == 0)
      return;
  if (self->claimed != 0 && now - self->claimed < (gint64) self->options.lease_ms * 250)
    {
      wait_for_fresh (self);
      return;
    }
  self->claimed = now;
  self->flights++;
  g_snprintf (lease, sizeof lease, "%u", self->options.lease_ms);
  ls_redis_call (self->redis, claimed, self, "XAUTOCLAIM", self->jobs, LS_FLEET_GROUP, self->name, lease, self->cursor, "COUNT", "1", NULL);
}

/* ---- handing in ------------------------------------------------------------------------ */

static void
handed_in (const redisReply *reply,
           gpointer          data)
{
  Outcome *outcome = data;
  LsFleetMachine *self = outcome->machine;
  const char *word = ls_redis_text (reply);
  gint64 now = g_get_monotonic_time ();

  outcome->asked = FALSE;
  if (reply == NULL)
    return;
  if (reply->type == REDIS_REPLY_ERROR)
    {
      /* It stays here until the queue takes it. */
      say (self, "the result of %s is kept here: the queue %s: %s", outcome->job->id, self->address->shown, reply->str);
      if (ls_redis_is_passing (reply))
        return;
    }
  if (g_strcmp0 (word, "gone") == 0)
    {
      outcome->since = outcome->since == 0 ? now : outcome->since;
      if (now - outcome->since < GONE_US && !self->stopping)
        {
          look (self);
          return;
        }
    }
  if (g_strcmp0 (word, "aside") == 0)
    say (self, "%s was put aside: %s", outcome->job->id, outcome->reason);
  if (g_strcmp0 (word, "twice") == 0)
    say (self, "%s was measured by another machine too; the first result counts", outcome->job->id);
  g_ptr_array_remove (self->outcomes, outcome);
  look (self);
  leave_if_done (self);
}

static void
hand_in_one (LsFleetMachine *self,
             Outcome        *outcome)
{
  LsFleetJob *job = outcome->job;
  g_autofree char *run_key = key (self, "run", job->run), *results = key (self, "results", job->run), *aside = key (self, "aside", NULL);
  const char *keys[] = { run_key, self->jobs, results, outcome->kind == DIED ? aside : NULL, NULL };
  const char *give[] = { job->entry, job->id, NULL }, *died[] = { job->entry, job->id, outcome->reason, self->name, job->run, self->kind, NULL };
  const char *few[] = { run_key, self->jobs, NULL };

  outcome->asked = TRUE;
  if (outcome->kind == GIVE)
    ls_fleet_script_call (self->redis, ls_fleet_script_give, keys, give, outcome->fields, handed_in, outcome, NULL);
  else if (outcome->kind == DIED)
    ls_fleet_script_call (self->redis, ls_fleet_script_died, keys, died, NULL, handed_in, outcome, NULL);
  else
    ls_fleet_script_call (self->redis, ls_fleet_script_return, few, give, NULL, handed_in, outcome, NULL);
}

static void
hand_in (LsFleetMachine *self)
{
  for (guint i = 0; ls_redis_is_up (self->redis) && i < self->outcomes->len; i++)
    if (!((Outcome *) self->outcomes->pdata[i])->asked)
      hand_in_one (self, self->outcomes->pdata[i]);
}

static void
end_job (LsFleetMachine *self,
         OutcomeKind     kind,
         GPtrArray      *fields,
         const char     *reason)
{
  Outcome *outcome = g_new0 (Outcome, 1);

  *outcome = (Outcome) { self, kind, g_steal_pointer (&self->job), fields, g_strdup (reason), 0, FALSE };
  g_clear_handle_id (&self->renew, g_source_remove);
  g_ptr_array_add (self->outcomes, outcome);
  begins (self, FALSE);
  hand_in (self);
}

void
ls_fleet_machine_give (LsFleetMachine *self,
                       LsFleetJob     *job,
                       GPtrArray      *fields)
{
  g_return_if_fail (job == self->job);
  ls_fleet_put (fields, "machine", self->name);
  ls_fleet_put (fields, "kind", self->kind);
  /* With its steps, so that a search can learn from what an earlier life of it asked for. */
  if (g_hash_table_lookup (job->fields, "trace") != NULL)
    ls_fleet_put (fields, "trace", g_hash_table_lookup (job->fields, "trace"));
  self->done++;
  end_job (self, GIVE, fields, NULL);
}

void
ls_fleet_machine_died (LsFleetMachine *self,
                       LsFleetJob     *job,
                       const char     *reason)
{
  g_return_if_fail (job == self->job);
  self->died++;
  say (self, "%s ended its worker: %s", job->id, reason);
  end_job (self, DIED, NULL, reason);
}

/* ---- coming and going -------------------------------------------------------------------- */

static void
left (const redisReply *reply,
      gpointer          data)
{
  LsFleetMachine *self = data;

  if (self->options.ended != NULL)
    self->options.ended (self, self->options.data);
}

static gboolean
left_alone (gpointer data)
{
  left (NULL, data);
  return G_SOURCE_REMOVE;
}

/* After the last result is in, or when nobody takes it. */
static void
leave_if_done (LsFleetMachine *self)
{
  g_autofree char *machines = NULL, *own = NULL;

  if (!self->stopping || self->left || self->measuring || (self->outcomes->len > 0 && !self->at_once))
    return;
  if (ls_redis_is_up (self->redis) && (self->flights > 0 || self->job != NULL))
    return;
  self->left = TRUE;
  if (!ls_redis_is_up (self->redis))
    {
      g_idle_add (left_alone, self);
      return;
    }
  machines = key (self, "machines", NULL);
  own = key (self, "machine", self->name);
  ls_redis_call (self->redis, NULL, NULL, "SREM", machines, self->name, NULL);
  ls_redis_call (self->redis, NULL, NULL, "XGROUP", "DELCONSUMER", self->jobs, LS_FLEET_GROUP, self->name, NULL);
  ls_redis_call (self->redis, left, self, "DEL", own, NULL);
}

static void
on_up (gpointer data)
{
  LsFleetMachine *self = data;

  say (self, "takes jobs of %s from %s as %s", self->kind, self->address->shown, self->name);
  beat (self);
  hand_in (self);
  if (self->flights == 0 && self->job == NULL)
    make_group (self);
}

static void
on_down (const char *problem,
         gpointer    data)
{
  LsFleetMachine *self = data;

  say (self, "the queue %s: %s; trying again", self->address->shown, problem);
  leave_if_done (self);
}

void
ls_fleet_machine_stop (LsFleetMachine *self,
                       gboolean        at_once)
{
  self->stopping = TRUE;
  if (at_once && !self->at_once && self->job != NULL && self->measuring)
    end_job (self, RETURN, NULL, NULL);
  self->at_once |= at_once;
  beat (self);
  leave_if_done (self);
}

/* "AMD-EPYC-7B13-2-cores": what stands for a kind has no blanks. (transfer full) */
static char *
own_kind (void)
{
  g_autofree char *text = g_strdup_printf ("%s %d cores", ls_host_cpu_name (), ls_host_n_cpus ());
  GString *kind = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at++)
    if (g_ascii_isalnum (*at) || *at == '.')
      g_string_append_c (kind, *at);
    else if (kind->len > 0 && kind->str[kind->len - 1] != '-')
      g_string_append_c (kind, '-');
  return g_string_free (kind, FALSE);
}

/* The host's name and a number that no other process has. (transfer full) */
static char *
own_name (void)
{
  return g_strdup_printf ("%s-%d-%04x", g_get_host_name (), (int) getpid (), g_random_int_range (0, 0x10000));
}

LsFleetMachine *
ls_fleet_machine_new (const LsFleetAddress         *address,
                      const LsFleetMachineOptions  *options,
                      GError                      **error)
{
  LsFleetMachine *self = g_new0 (LsFleetMachine, 1);
  const LsRedisEvents events = { on_up, on_down, self };

  self->address = ls_fleet_address_copy (address);
  self->options = *options;
  if (options->lease_ms == 0)
    self->options.lease_ms = LEASE_MS;
  self->name = options->name != NULL ? g_strdup (options->name) : own_name ();
  self->kind = options->kind != NULL ? g_strdup (options->kind) : own_kind ();
  self->api = g_strdup (options->api);
  self->device = g_strdup (options->device);
  self->jobs = key (self, "jobs", self->kind);
  self->cursor = g_strdup ("0-0");
  self->bases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->outcomes = g_ptr_array_new_with_free_func (outcome_free);
  self->since = g_get_monotonic_time ();
  self->redis = ls_redis_new (address, &events);
  self->beat = g_timeout_add (BEAT_MS, on_beat, self);
  return self;
}

void
ls_fleet_machine_free (LsFleetMachine *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->beat, g_source_remove);
  g_clear_handle_id (&self->retry, g_source_remove);
  ls_redis_free (self->redis);
  drop_job (self);
  g_ptr_array_unref (self->outcomes);
  g_hash_table_unref (self->bases);
  g_free (self->cursor);
  g_free (self->jobs);
  g_free (self->name);
  g_free (self->kind);
  g_free (self->api);
  g_free (self->device);
  ls_fleet_address_free (self->address);
  g_free (self);
}

const char *
ls_fleet_machine_get_name (LsFleetMachine *self)
{
  return self->name;
}

const char *
ls_fleet_machine_get_kind (LsFleetMachine *self)
{
  return self->kind;
}

guint
ls_fleet_machine_get_done (LsFleetMachine *self)
{
  return self->done;
}

gboolean
ls_fleet_is_here (void)
{
  return TRUE;
}
