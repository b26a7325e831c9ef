/* LsWorker: a queue of calls and the process that answers them, one at a time.
 *
 * A call under way ends in exactly one of these ways: an answer; an error answer; the child
 * ended (then the sentence says how); or we ended it, because of the timeout, the memory limit, a
 * cancellation or ls_worker_stop().  finish_call() is the only exit.  After anything but an
 * answer the process is dropped and the next call starts a new one.
 */
#include "app/rpc/process.h"

#include "engine/base/base.h"

#include <unistd.h>

#define WATCH_INTERVAL_MS 20
#define END_GRACE_MS 2000
#define MESSAGE_LIMIT (15 * 1024 * 1024)        /* jsonrpc-glib reads up to 16 MiB */

typedef struct {
  gatomicrefcount  refs;
  GTask           *task;
  char            *method;
  GVariant        *params;
  LsWorkerOptions  options;
  char            *out;
  char            *err;
  GSource         *sources[4];  /* timeout, watchdog, cancellation, end grace; or NULL */
  gboolean         done;
} Call;

struct _LsWorker {
  GObject       parent_instance;
  GMainContext *context;
  GQueue        waiting;        /* of Call */
  Call         *current;
  LsProcess    *process;        /* or NULL */
  guint64       memory_limit;
  guint64       next_tag;
  gboolean      speaks;         /* the process knows the language */
  GPtrArray    *paths;
};

G_DEFINE_TYPE (LsWorker, ls_worker, G_TYPE_OBJECT)

static GVariant *catalogue;     /* of the language of all workers, or NULL */

static void pump (LsWorker *self);

/* ---- Call ---- */

static Call *
call_ref (Call *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
call_unref (gpointer data)
{
  Call *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_object (&self->task);
  g_clear_object (&self->options.fds);
  g_clear_pointer (&self->params, g_variant_unref);
  g_free (self->method);
  g_free (self->out);
  g_free (self->err);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_unref)

/* Numbers and short texts of the parameters; programs and lists are left out. (transfer full) */
static GVariant *
short_params (GVariant *params)
{
  GVariantDict shown;
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_variant_dict_init (&shown, NULL);
  g_variant_iter_init (&iter, params);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &value))
    {
      gboolean is_text = g_variant_is_of_type (value, G_VARIANT_TYPE_STRING);

      if (is_text ? g_variant_get_size (value) <= 48 : !g_variant_is_container (value))
        g_variant_dict_insert_value (&shown, name, value);
      g_variant_unref (value);
    }
  return g_variant_ref_sink (g_variant_dict_end (&shown));
}

/* "run {'func': <'main'>}". (transfer full) */
static char *
call_describe (Call *self)
{
  g_autoptr (GVariant) shown = NULL;
  g_autofree char *text = NULL;

  if (self->params != NULL && g_variant_is_of_type (self->params, G_VARIANT_TYPE_VARDICT))
    shown = short_params (self->params);
  if (shown == NULL || g_variant_n_children (shown) == 0)
    return g_strdup_printf ("\"%s\"", self->method);
  text = g_variant_print (shown, FALSE);
  return g_strdup_printf ("\"%s\" %s", self->method, text);
}

static void
call_clear_sources (Call *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (self->sources); i++)
    if (self->sources[i] != NULL)
      {
        g_source_destroy (self->sources[i]);
        g_clear_pointer (&self->sources[i], g_source_unref);
      }
}

/* ---- ending a call ---- */

static void
drop_process (LsWorker *self)
{
  g_clear_pointer (&self->process, ls_process_free);
}

/* Takes `result` or `error`.  The process is kept only when it answered. */
static void
finish_call (LsWorker *self,
             GVariant *result,
             GError   *error,
             gboolean  answered)
{
  g_autoptr (LsWorker) keep = g_object_ref (self);
  g_autoptr (Call) call = g_steal_pointer (&self->current);
  g_autoptr (GTask) task = g_steal_pointer (&call->task);

  call->done = TRUE;
  call_clear_sources (call);
  if (self->process != NULL)
    ls_process_read_output (self->process, &call->out, &call->err);
  if (!answered)
    drop_process (self);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, (GDestroyNotify) g_variant_unref);
  pump (self);
}

static gboolean
on_timeout (gpointer data)
{
  LsWorker *self = data;
  g_autofree char *request = call_describe (self->current);

  finish_call (self, NULL,
               g_error_new (LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT,
                            ls_translate ("the worker did not finish within %.3g s and was ended during %s"),
                            (double) self->current->options.timeout_ms / 1000, request), FALSE);
  return G_SOURCE_REMOVE;
}

static gboolean
on_watch (gpointer data)
{
  LsWorker *self = data;
  guint64 resident = ls_process_resident (self->process);
  g_autofree char *request = NULL;
  g_autofree char *used = NULL;
  g_autofree char *limit = NULL;

  if (resident <= self->memory_limit)
    return G_SOURCE_CONTINUE;
  request = call_describe (self->current);
  used = g_format_size_full (resident, G_FORMAT_SIZE_IEC_UNITS);
  limit = g_format_size_full (self->memory_limit, G_FORMAT_SIZE_IEC_UNITS);
  finish_call (self, NULL,
               g_error_new (LS_WORKER_ERROR, LS_WORKER_ERROR_MEMORY,
                            ls_translate ("the worker took %s of memory, the limit is %s; it was ended during %s"),
                            used, limit, request), FALSE);
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable,
              gpointer      data)
{
  LsWorker *self = data;
  GError *error = NULL;

  g_cancellable_set_error_if_cancelled (cancellable, &error);
  finish_call (self, NULL, error, FALSE);
  return G_SOURCE_REMOVE;
}

/* The connection is gone; the child should be, too. */
static gboolean
on_end_grace (gpointer data)
{
  LsWorker *self = data;
  g_autofree char *request = call_describe (self->current);

  finish_call (self, NULL, ls_process_describe_end (self->process, request), FALSE);
  return G_SOURCE_REMOVE;
}

static void
on_process_ended (LsProcess *process,
                  gpointer   data)
{
  LsWorker *self = data;

  if (self->current != NULL)
    on_end_grace (self);
  else
    drop_process (self);
}

/* ---- a call's life ---- */

static void
attach (LsWorker    *self,
        int          slot,
        GSource     *source,
        GSourceFunc  func)
{
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, self->context);
  self->current->sources[slot] = source;
}

static void
attach_sources (LsWorker *self)
{
  GCancellable *cancellable = g_task_get_cancellable (self->current->task);

  if (self->current->options.timeout_ms > 0)
    attach (self, 0,
            g_timeout_source_new ((guint) MIN (self->current->options.timeout_ms, G_MAXUINT)),
            on_timeout);
  if (self->memory_limit > 0)
    attach (self, 1, g_timeout_source_new (WATCH_INTERVAL_MS), on_watch);
  if (cancellable != NULL)
    attach (self, 2, g_cancellable_source_new (cancellable), G_SOURCE_FUNC (on_cancelled));
}

/* Unpacks the envelope. */
static void
finish_with_reply (LsWorker *self,
                   GVariant *reply)
{
  g_autoptr (GVariant) answer = ls_params_value (reply, LS_ANSWER_KEY);
  const char *message = ls_params_string (reply, LS_ERROR_KEY, ls_translate ("the answer was not understood"));

  if (answer != NULL)
    finish_call (self, g_steal_pointer (&answer), NULL, TRUE);
  else
    finish_call (self, NULL,
                 g_error_new_literal (LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, message), TRUE);
}

/* The connection broke: wait for the child's end, which tells why.  Its jail ends a little later than itself, so it is not hurried: that would
 * take the place of the reason.  What still lives after the grace is ended by on_end_grace(). */
static void
await_end (LsWorker *self)
{
  attach (self, 3, g_timeout_source_new (END_GRACE_MS), on_end_grace);
}

typedef struct {
  LsWorker *worker;
  Call     *call;
} Pending;

static void
on_reply (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autofree Pending *pending = data;
  g_autoptr (LsWorker) self = pending->worker;
  g_autoptr (Call) call = pending->call;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  gboolean ok = jsonrpc_client_call_finish (JSONRPC_CLIENT (source), result, &reply, &error);

  if (call->done)
    return;
  if (ok)
    finish_with_reply (self, reply);
  else if (call->sources[3] == NULL)
    await_end (self);
}

static void
on_notification (JsonrpcClient *client,
                 const char    *method,
                 GVariant      *params,
                 gpointer       data)
{
  LsWorker *self = data;
  Call *call = self->current;

  if (call != NULL && call->options.progress != NULL && g_strcmp0 (method, "progress") == 0 &&
      !g_cancellable_is_cancelled (g_task_get_cancellable (call->task)))
    call->options.progress (self, ls_params_double (params, "fraction", -1),
                            ls_params_string (params, "text", ""), call->options.progress_data);
}

static gboolean
ensure_process (LsWorker  *self,
                GError   **error)
{
  if (self->process != NULL && ls_process_has_ended (self->process))
    drop_process (self);
  if (self->process != NULL)
    return TRUE;
  self->speaks = FALSE;
  self->process = ls_process_start (self->memory_limit, self->paths, on_process_ended, self, error);
  if (self->process != NULL)
    g_signal_connect_object (ls_process_get_client (self->process), "notification",
                             G_CALLBACK (on_notification), self, 0);
  return self->process != NULL;
}

/* The parameters with the tag of the descriptors, when there are some. (transfer full) */
static GVariant *
prepare_params (LsWorker  *self,
                Call      *call,
                GError   **error)
{
  GVariantDict dict;

  if (call->params != NULL && g_variant_get_size (call->params) > MESSAGE_LIMIT)
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL,
                   ls_translate ("the call has %zu bytes of parameters; up to %d go through a message, more goes by file descriptor"),
                   (size_t) g_variant_get_size (call->params),
                   MESSAGE_LIMIT);
      return NULL;
    }
  g_variant_dict_init (&dict, call->params);
  if (call->options.fds != NULL)
    {
      guint64 tag = ++self->next_tag;

      if (!ls_process_send_fds (self->process, tag, call->options.fds, error))
        {
          g_variant_dict_clear (&dict);
          return NULL;
        }
      g_variant_dict_insert (&dict, LS_FDS_KEY, "t", tag);
    }
  if (catalogue != NULL && !self->speaks)
    g_variant_dict_insert_value (&dict, LS_CATALOGUE_KEY, catalogue);
  self->speaks = TRUE;
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static void
begin_call (LsWorker *self)
{
  Call *call = self->current;
  g_autoptr (GVariant) params = NULL;
  GError *error = NULL;
  Pending *pending;

  if (g_cancellable_set_error_if_cancelled (g_task_get_cancellable (call->task), &error))
    {
      finish_call (self, NULL, error, TRUE);
      return;
    }
  if (!ensure_process (self, &error) || (params = prepare_params (self, call, &error)) == NULL)
    {
      finish_call (self, NULL, error, error->code == LS_WORKER_ERROR_PROTOCOL);
      return;
    }
  ls_process_clear_output (self->process);
  attach_sources (self);
  pending = g_new (Pending, 1);
  *pending = (Pending) { g_object_ref (self), call_ref (call) };
  jsonrpc_client_call_async (ls_process_get_client (self->process), call->method, params, NULL,
                             on_reply, pending);
}

static void
pump (LsWorker *self)
{
  if (self->current != NULL || g_queue_is_empty (&self->waiting))
    return;
  self->current = g_queue_pop_head (&self->waiting);
  begin_call (self);
}

/* ---- public ---- */

void
ls_worker_set_catalogue (GBytes *bytes)
{
  g_clear_pointer (&catalogue, g_variant_unref);
  if (bytes != NULL)
    catalogue = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE));
}

void
ls_worker_call_async (LsWorker              *self,
                      const char            *method,
                      GVariant              *params,
                      const LsWorkerOptions *options,
                      GCancellable          *cancellable,
                      GAsyncReadyCallback    callback,
                      gpointer               data)
{
  Call *call = g_new0 (Call, 1);

  g_atomic_ref_count_init (&call->refs);
  call->task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (call->task, ls_worker_call_async);
  g_task_set_task_data (call->task, call_ref (call), call_unref);
  call->method = g_strdup (method);
  call->params = params != NULL ? g_variant_ref_sink (params) : NULL;
  if (options != NULL)
    call->options = *options;
  if (call->options.fds != NULL)
    g_object_ref (call->options.fds);
  g_queue_push_tail (&self->waiting, call);
  pump (self);
}

GVariant *
ls_worker_call_finish (LsWorker      *self,
                       GAsyncResult  *result,
                       char         **out,
                       char         **err,
                       GError       **error)
{
  GTask *task = G_TASK (result);
  Call *call = g_task_get_task_data (task);

  if (out != NULL)
    *out = call->out != NULL ? g_steal_pointer (&call->out) : g_strdup ("");
  if (err != NULL)
    *err = call->err != NULL ? g_steal_pointer (&call->err) : g_strdup ("");
  return g_task_propagate_pointer (task, error);
}

static void
keep_result (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

GVariant *
ls_worker_call (LsWorker               *self,
                const char             *method,
                GVariant               *params,
                const LsWorkerOptions  *options,
                GCancellable           *cancellable,
                char                  **out,
                char                  **err,
                GError                **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ls_worker_call_async (self, method, params, options, cancellable, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (self->context, TRUE);
  return ls_worker_call_finish (self, result, out, err, error);
}

void
ls_worker_stop (LsWorker *self)
{
  if (self->current != NULL)
    finish_call (self, NULL, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                                  ls_translate ("the worker was stopped")), FALSE);
  else
    drop_process (self);
}

int
ls_worker_get_pid (LsWorker *self)
{
  return self->process != NULL ? ls_process_get_pid (self->process) : 0;
}

void
ls_worker_set_memory_limit (LsWorker *self,
                            guint64   bytes)
{
  if (self->memory_limit != bytes && self->current == NULL)
    drop_process (self);
  self->memory_limit = bytes;
}

void
ls_worker_add_path (LsWorker   *self,
                    const char *path,
                    gboolean    writable)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  g_ptr_array_add (self->paths, g_strconcat (writable ? "w:" : "r:", absolute, NULL));
}

LsWorker *
ls_worker_new (void)
{
  return g_object_new (LS_TYPE_WORKER, NULL);
}

/* Calls hold the worker through their tasks: there are none left here. */
static void
ls_worker_finalize (GObject *object)
{
  LsWorker *self = LS_WORKER (object);

  drop_process (self);
  g_ptr_array_unref (self->paths);
  g_main_context_unref (self->context);
  G_OBJECT_CLASS (ls_worker_parent_class)->finalize (object);
}

static void
ls_worker_class_init (LsWorkerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_worker_finalize;
}

static void
ls_worker_init (LsWorker *self)
{
  guint64 memory = (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);

  self->context = g_main_context_ref_thread_default ();
  self->memory_limit = memory / 4 * 3;
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_queue_init (&self->waiting);
}
