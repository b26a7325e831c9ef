/* redis: hiredis on GLib's main loop.
 *
 * A connection that is lost is made again, a little later each time (0.2 s to 5 s).  One on which nothing is answered for 20 s is given up:
 * the other machine may be gone without a word.  Only the monotonic clock is asked.
 */
#include "app/fleet/redis-private.h"

#include <hiredis/adapters/glib.h>

#include <glib/gi18n.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#define SOONEST_MS 200
#define LATEST_MS 5000
#define SILENCE_US (20 * G_USEC_PER_SEC)

struct _LsRedis {
  gatomicrefcount    refs;
  LsFleetAddress    *address;
  LsRedisEvents      events;
  redisAsyncContext *context;           /* or NULL */
  GSource           *source;
  guint              again, tick;
  guint              delay_ms;
  guint              n_waiting;         /* calls without an answer */
  gint64             last;              /* when something was answered or first asked */
  char              *problem;
  gboolean           up, closed;
};

typedef struct {
  LsRedis        *redis;        /* held */
  LsRedisReply    reply;
  gpointer        data;
  GDestroyNotify  destroy;
} Call;

static void connect_now (LsRedis *self);

static void
redis_unref (LsRedis *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  ls_fleet_address_free (self->address);
  g_free (self->problem);
  g_free (self);
}

/* ---- coming and going ------------------------------------------------------------ */

static gboolean
connect_again (gpointer data)
{
  LsRedis *self = data;

  self->again = 0;
  connect_now (self);
  return G_SOURCE_REMOVE;
}

static gboolean
destroy_source (gpointer data)
{
  g_source_destroy (data);
  g_source_unref (data);
  return G_SOURCE_REMOVE;
}

/* It is not there; the context is gone or going. */
static void
lose (LsRedis    *self,
      const char *problem)
{
  gboolean news = self->up || g_strcmp0 (problem, self->problem) != 0;

  self->context = NULL;
  self->up = FALSE;
  self->n_waiting = 0;
  /* Its source asks for a write and then for a read, also where the write found that the other side is gone and the context is freed. */
  if (self->source != NULL)
    ((RedisSource *) self->source)->poll_fd.revents = 0;
  /* hiredis still takes its file out of the source, now or when its callback returns. */
  if (self->source != NULL)
    g_idle_add (destroy_source, g_steal_pointer (&self->source));
  if (self->closed)
    return;
  if (self->again == 0)
    self->again = g_timeout_add (self->delay_ms, connect_again, self);
  self->delay_ms = MIN (self->delay_ms * 2, LATEST_MS);
  if (news)
    {
      g_free (self->problem);
      self->problem = g_strdup (problem);
      self->events.down (problem, self->events.data);
    }
}

static void
on_disconnect (const redisAsyncContext *context,
               int                      status)
{
  LsRedis *self = context->data;

  if (self != NULL)
    lose (self, status == REDIS_OK ? _("it was closed") : context->errstr);
}

static void
on_connect (const redisAsyncContext *context,
            int                      status)
{
  LsRedis *self = context->data;

  if (self != NULL && status != REDIS_OK)
    lose (self, context->errstr);
}

/* Gives the connection up, for this reason. */
static void
drop (LsRedis    *self,
      const char *problem)
{
  redisAsyncContext *context = self->context;

  if (context == NULL)
    return;
  lose (self, problem);
  context->data = NULL;
  redisAsyncFree (context);
}

static gboolean
look_for_silence (gpointer data)
{
  LsRedis *self = data;

  if (self->n_waiting > 0 && g_get_monotonic_time () - self->last > SILENCE_US)
    drop (self, _("it has not answered for 20 s"));
  return G_SOURCE_CONTINUE;
}

/* ---- calls ----------------------------------------------------------------------- */

static void
answered (redisAsyncContext *context,
          void              *reply,
          void              *data)
{
  Call *call = data;
  LsRedis *self = call->redis;

  if (reply != NULL)
    {
      self->last = g_get_monotonic_time ();
      self->n_waiting -= self->n_waiting > 0;
    }
  if (call->reply != NULL && !self->closed)
    call->reply (reply, call->data);
  if (call->destroy != NULL)
    call->destroy (call->data);
  redis_unref (self);
  g_free (call);
}

static void
refuse (gpointer data)
{
  answered (NULL, NULL, data);
}

static gboolean
refuse_later (gpointer data)
{
  refuse (data);
  return G_SOURCE_REMOVE;
}

static void
send_call (LsRedis   *self,
           GPtrArray *argv,
           Call      *call)
{
  g_autofree gsize *lengths = g_new (gsize, argv->len);

  for (guint i = 0; i < argv->len; i++)
    lengths[i] = strlen (argv->pdata[i]);
  if (self->n_waiting == 0)
    self->last = g_get_monotonic_time ();
  if (self->context == NULL || redisAsyncCommandArgv (self->context, answered, call, (int) argv->len, (const char **) argv->pdata, lengths) != REDIS_OK)
    g_idle_add (refuse_later, call);
  else
    self->n_waiting++;
  g_ptr_array_unref (argv);
}

void
ls_redis_send (LsRedis        *self,
               GPtrArray      *argv,
               LsRedisReply    reply,
               gpointer        data,
               GDestroyNotify  destroy)
{
  Call *call = g_new0 (Call, 1);

  *call = (Call) { self, reply, data, destroy };
  g_atomic_ref_count_inc (&self->refs);
  g_ptr_array_set_free_func (argv, g_free);
  send_call (self, argv, call);
}

void
ls_redis_call (LsRedis      *self,
               LsRedisReply  reply,
               gpointer      data,
               ...)
{
  GPtrArray *argv = g_ptr_array_new ();
  const char *word;
  va_list words;

  va_start (words, data);
  while ((word = va_arg (words, const char *)) != NULL)
    g_ptr_array_add (argv, g_strdup (word));
  va_end (words);
  ls_redis_send (self, argv, reply, data, NULL);
}

/* ---- who asks, and which database -------------------------------------------------- */

/* The last of what is asked first: it is up, or why not. */
static void
greeted (const redisReply *reply,
         gpointer          data)
{
  LsRedis *self = data;

  if (reply == NULL || self->context == NULL)
    return;
  if (reply->type == REDIS_REPLY_ERROR)
    {
      g_autofree char *problem = g_strdup (reply->str);

      drop (self, problem);
      return;
    }
  if (self->up)
    return;
  self->up = TRUE;
  self->delay_ms = SOONEST_MS;
  g_clear_pointer (&self->problem, g_free);
  self->events.up (self->events.data);
}

/* An error of what came before PING. */
static void
introduced (const redisReply *reply,
            gpointer          data)
{
  if (reply != NULL && reply->type == REDIS_REPLY_ERROR)
    greeted (reply, data);
}

static void
greet (LsRedis *self)
{
  const LsFleetAddress *address = self->address;
  char number[16];

  g_snprintf (number, sizeof number, "%u", address->database);
  if (address->password != NULL && address->user != NULL && *address->user != '\0')
    ls_redis_call (self, introduced, self, "AUTH", address->user, address->password, NULL);
  else if (address->password != NULL)
    ls_redis_call (self, introduced, self, "AUTH", address->password, NULL);
  if (address->database != 0)
    ls_redis_call (self, introduced, self, "SELECT", number, NULL);
  ls_redis_call (self, greeted, self, "PING", NULL);
}

static void
connect_now (LsRedis *self)
{
  redisAsyncContext *context = self->address->path != NULL ? redisAsyncConnectUnix (self->address->path)
                                                           : redisAsyncConnect (self->address->host, (int) self->address->port);

  if (context == NULL || context->err != 0)
    {
      g_autofree char *problem = g_strdup (context != NULL ? context->errstr : _("no memory for a connection"));

      if (context != NULL)
        redisAsyncFree (context);
      lose (self, problem);
      return;
    }
  if (self->address->path == NULL)
    redisEnableKeepAlive (&context->c);
  context->data = self;
  self->context = context;
  self->source = redis_source_new (context);
  g_source_attach (self->source, g_main_context_get_thread_default ());
  redisAsyncSetConnectCallback (context, on_connect);
  redisAsyncSetDisconnectCallback (context, on_disconnect);
  greet (self);
}

/* hiredis writes with write(2): a queue that dies while something is written to it would end the search.  A handler of the program's own is
 * left.  GSocket does the same for its users, and what runs in the jail gets the default back (app/jail/first.c). */
static void
live_through_broken_pipes (void)
{
  struct sigaction old;

  if (sigaction (SIGPIPE, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
    signal (SIGPIPE, SIG_IGN);
}

LsRedis *
ls_redis_new (const LsFleetAddress *address,
              const LsRedisEvents  *events)
{
  LsRedis *self = g_new0 (LsRedis, 1);

  live_through_broken_pipes ();
  g_atomic_ref_count_init (&self->refs);
  self->address = ls_fleet_address_copy (address);
  self->events = *events;
  self->delay_ms = SOONEST_MS;
  self->tick = g_timeout_add_seconds (2, look_for_silence, self);
  /* Callbacks come from the main loop, never from here. */
  self->again = g_idle_add (connect_again, self);
  return self;
}

void
ls_redis_free (LsRedis *self)
{
  if (self == NULL)
    return;
  self->closed = TRUE;
  g_clear_handle_id (&self->again, g_source_remove);
  g_clear_handle_id (&self->tick, g_source_remove);
  drop (self, _("it was closed"));
  redis_unref (self);
}

gboolean
ls_redis_is_up (LsRedis *self)
{
  return self->up;
}

/* ---- replies ----------------------------------------------------------------------- */

const char *
ls_redis_text (const redisReply *reply)
{
  return reply != NULL && (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS) ? reply->str : NULL;
}

const redisReply *
ls_redis_at (const redisReply *reply,
             gsize             i)
{
  return reply != NULL && reply->type == REDIS_REPLY_ARRAY && i < reply->elements ? reply->element[i] : NULL;
}

gboolean
ls_redis_entry (const redisReply  *reply,
                const char       **id,
                GHashTable       **fields)
{
  const redisReply *list = ls_redis_at (reply, 1);

  *id = ls_redis_text (ls_redis_at (reply, 0));
  if (*id == NULL || list == NULL || list->type != REDIS_REPLY_ARRAY)
    return FALSE;
  *fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (gsize i = 0; i + 1 < list->elements; i += 2)
    if (ls_redis_text (list->element[i]) != NULL && ls_redis_text (list->element[i + 1]) != NULL)
      g_hash_table_replace (*fields, g_strdup (list->element[i]->str), g_strdup (list->element[i + 1]->str));
  return TRUE;
}

gboolean
ls_redis_is_passing (const redisReply *reply)
{
  static const char *const passing[] = { "MISCONF", "OOM", "LOADING", "READONLY", "BUSY ", "TRYAGAIN", "MASTERDOWN", "NOREPLICAS" };

  if (reply == NULL)
    return TRUE;
  for (gsize i = 0; reply->type == REDIS_REPLY_ERROR && i < G_N_ELEMENTS (passing); i++)
    if (strstr (reply->str, passing[i]) != NULL)
      return TRUE;
  return FALSE;
}
