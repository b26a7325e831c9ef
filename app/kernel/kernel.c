/* LsKernel: one request at a time, its limits, its end.
 *
 * A request ends by its answer or by the end of the process, whichever comes first; before it is handed over, what still
 * stands in the pipes is read.  While it runs a clock looks every 50 ms at memory and time.
 */
#include "app/kernel/kernel-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <unistd.h>

#define CLOCK_MS 50
#define GRACE_US (5 * G_USEC_PER_SEC)
#define START_SECONDS 120.0     /* for Python itself, where a request waits for it */
#define CHUNK (64 << 10)
#define DRAIN_LIMIT (4 << 20)

struct _LsKernel {
  GObject        parent_instance;

  guint64        memory;
  char          *folder, *exchange;
  LsKernelChild *child;
  GCancellable  *waiting;       /* of the child's end */
  GSource       *sources[2];    /* of the pipes */
  guint          life;

  GTask         *task;          /* the request under way, or NULL */
  LsOutputs     *outputs;
  GSource       *clock;
  gboolean       ready;         /* it has answered once */
  double         seconds;       /* that the request may take, 0 = any */
  gint64         deadline;      /* monotonic, 0 = none */
  gboolean       late;          /* interrupted for time */
  GError        *cause;         /* why we ended the process ourselves */
  char          *signal;        /* that ended the last one, or NULL */
};

enum { OUTPUT, CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_QUARK (ls-kernel-error-quark, ls_kernel_error)
G_DEFINE_FINAL_TYPE (LsKernel, ls_kernel, G_TYPE_OBJECT)

/* ---- pipes ---- */

/* Reads what is there, at most `limit` bytes; FALSE at the end of the pipe. */
static gboolean
drain (LsKernel *self,
       int       which,
       gsize     limit)
{
  g_autofree char *buffer = g_malloc (CHUNK);
  gsize total = 0;

  while (total < limit)
    {
      gssize n = read (self->child->pipes[which], buffer, CHUNK);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno == EAGAIN;
      if (n == 0)
        return FALSE;
      if (self->outputs != NULL)
        ls_outputs_take (self->outputs, buffer, (gsize) n, which == 1);
      total += (gsize) n;
    }
  return TRUE;
}

static gboolean
pipe_ready (int          fd,
            GIOCondition condition,
            gpointer     data)
{
  LsKernel *self = data;
  int which = fd == self->child->pipes[1];
  gboolean open = drain (self, which, 4 * CHUNK);

  g_signal_emit (self, signals[OUTPUT], 0);
  if (open)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->sources[which], g_source_unref);
  return G_SOURCE_REMOVE;
}

/* In the context of the thread to which the kernel belongs. (transfer full) */
static GSource *
attach (GSource     *source,
        int          priority,
        GSourceFunc  func,
        gpointer     data)
{
  g_source_set_priority (source, priority);
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static void
drop_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
drop_sources (LsKernel *self)
{
  for (int i = 0; i < 2; i++)
    drop_source (&self->sources[i]);
}

/* ---- the end of a request ---- */

static void
finish (LsKernel *self,
        GVariant *answer,
        GError   *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  drop_source (&self->clock);
  if (self->child != NULL)
    for (int i = 0; i < 2; i++)
      drain (self, i, DRAIN_LIMIT);
  if (self->outputs != NULL)
    ls_outputs_end (self->outputs);
  g_clear_error (&self->cause);
  g_signal_emit (self, signals[OUTPUT], 0);
  if (task != NULL)
    {
      g_task_set_task_data (task, ls_outputs_ref (self->outputs), (GDestroyNotify) ls_outputs_unref);
      if (error != NULL)
        g_task_return_error (task, error);
      else
        g_task_return_pointer (task, answer, (GDestroyNotify) g_variant_unref);
    }
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
drop_child (LsKernel *self)
{
  drop_sources (self);
  g_cancellable_cancel (self->waiting);
  g_clear_object (&self->waiting);
  g_clear_pointer (&self->child, ls_kernel_child_free);
}

static void
child_ended (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  LsKernel *self = data;
  g_autofree char *how = NULL;
  GError *error;

  if (!g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL) || self->child == NULL || self->child->process != G_SUBPROCESS (source))
    return;
  how = ls_kernel_child_end (self->child);
  g_free (self->signal);
  self->signal = ls_kernel_child_signal (self->child);
  error = g_steal_pointer (&self->cause);
  if (error == NULL)
    error = g_error_new (LS_KERNEL_ERROR, LS_KERNEL_ERROR_DIED, _("Python %s; what the cells had defined is gone."), how);
  g_object_ref (self);
  finish (self, NULL, self->task != NULL ? g_steal_pointer (&error) : NULL);
  g_clear_error (&error);
  drop_child (self);
  g_signal_emit (self, signals[CHANGED], 0);
  g_object_unref (self);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsKernel) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  jsonrpc_client_call_finish (JSONRPC_CLIENT (source), result, &answer, &error);
  if (self->child == NULL || self->child->client != JSONRPC_CLIENT (source) || self->task == NULL)
    return;
  if (answer != NULL && g_variant_is_of_type (answer, G_VARIANT_TYPE_VARDICT))
    {
      finish (self, g_steal_pointer (&answer), NULL);
      return;
    }
  /* A closed connection: the end of the process says more. */
  if (answer == NULL && error->domain != JSONRPC_CLIENT_ERROR)
    return;
  finish (self, NULL, g_error_new (LS_KERNEL_ERROR, LS_KERNEL_ERROR_PROTOCOL, _("the answer of the kernel was not understood: %s"),
                                   error != NULL ? error->message : _("no dictionary")));
}

/* ---- while it runs ---- */

static gboolean
tick (gpointer data)
{
  LsKernel *self = data;
  gint64 now = g_get_monotonic_time ();

  if (self->child == NULL)
    return G_SOURCE_CONTINUE;
  if (self->memory > 0 && self->cause == NULL && ls_kernel_child_resident (self->child, self->memory) > self->memory)
    {
      g_autofree char *size = g_format_size_full (self->memory, G_FORMAT_SIZE_IEC_UNITS);

      self->cause = g_error_new (LS_KERNEL_ERROR, LS_KERNEL_ERROR_MEMORY, _("Python took more than %s and was ended; what the cells had defined is gone."), size);
      g_subprocess_force_exit (self->child->process);
    }
  if (self->deadline > 0 && now > self->deadline && !self->late)
    {
      self->late = TRUE;
      ls_kernel_interrupt (self);
    }
  if (self->deadline > 0 && now > self->deadline + GRACE_US && self->cause == NULL)
    {
      self->cause = g_error_new (LS_KERNEL_ERROR, LS_KERNEL_ERROR_TIMEOUT, _("The cell took too long and did not listen to an interrupt; Python was ended."));
      g_subprocess_force_exit (self->child->process);
    }
  return G_SOURCE_CONTINUE;
}

static void
notified (JsonrpcClient *client,
          const char    *method,
          GVariant      *params,
          gpointer       data)
{
  LsKernel *self = data;
  g_autoptr (GVariant) view = NULL;
  gint64 number = 0;

  if (g_strcmp0 (method, "show") != 0 || params == NULL || self->outputs == NULL || self->child == NULL || client != self->child->client)
    return;
  if (!g_variant_lookup (params, "number", "x", &number) || (view = g_variant_lookup_value (params, "view", G_VARIANT_TYPE_VARDICT)) == NULL)
    return;
  ls_outputs_show (self->outputs, (guint) number, view);
  g_signal_emit (self, signals[OUTPUT], 0);
}

/* Python is there; what it was asked meanwhile begins now. */
static void
ready (GObject      *source,
       GAsyncResult *result,
       gpointer      data)
{
  g_autoptr (LsKernel) self = data;
  g_autoptr (GVariant) answer = NULL;

  if (!jsonrpc_client_call_finish (JSONRPC_CLIENT (source), result, &answer, NULL) || self->child == NULL || self->child->client != JSONRPC_CLIENT (source))
    return;
  self->ready = TRUE;
  if (self->task != NULL && self->deadline > 0)
    self->deadline = g_get_monotonic_time () + (gint64) (self->seconds * G_USEC_PER_SEC);
}

static gboolean
start (LsKernel  *self,
       GError   **error)
{
  if (self->child != NULL)
    return TRUE;
  self->child = ls_kernel_child_start (self->memory, self->folder, self->exchange, error);
  if (self->child == NULL)
    return FALSE;
  self->life++;
  g_signal_connect_object (self->child->client, "notification", G_CALLBACK (notified), self, 0);
  jsonrpc_client_start_listening (self->child->client);
  for (int i = 0; i < 2; i++)
    self->sources[i] = attach (g_unix_fd_source_new (self->child->pipes[i], G_IO_IN | G_IO_HUP | G_IO_ERR), G_PRIORITY_DEFAULT_IDLE, G_SOURCE_FUNC (pipe_ready), self);
  self->waiting = g_cancellable_new ();
  g_subprocess_wait_async (self->child->process, self->waiting, child_ended, self);
  self->ready = FALSE;
  jsonrpc_client_call_async (self->child->client, "hello", NULL, NULL, ready, g_object_ref (self));
  return TRUE;
}

/* ---- public ---- */

void
ls_kernel_request_async (LsKernel            *self,
                         const char          *method,
                         GVariant            *params,
                         double               seconds,
                         GAsyncReadyCallback  callback,
                         gpointer             data)
{
  g_autoptr (GVariant) sunk = params != NULL ? g_variant_ref_sink (params) : NULL;
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, data);
  GError *error = NULL;

  if (self->task != NULL)
    {
      g_task_return_new_error (task, LS_KERNEL_ERROR, LS_KERNEL_ERROR_PROTOCOL, _("the kernel is busy"));
      return;
    }
  g_clear_pointer (&self->outputs, ls_outputs_unref);
  self->outputs = ls_outputs_new ();
  if (!start (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->task = g_steal_pointer (&task);
  self->late = FALSE;
  self->seconds = seconds;
  self->deadline = seconds > 0 ? g_get_monotonic_time () + (gint64) ((seconds + (self->ready ? 0 : START_SECONDS)) * G_USEC_PER_SEC) : 0;
  self->clock = attach (g_timeout_source_new (CLOCK_MS), G_PRIORITY_DEFAULT, tick, self);
  jsonrpc_client_call_async (self->child->client, method, sunk, NULL, answered, g_object_ref (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

GVariant *
ls_kernel_request_finish (LsKernel      *self,
                          GAsyncResult  *result,
                          LsOutputs    **outputs,
                          GError       **error)
{
  LsOutputs *found = g_task_get_task_data (G_TASK (result));

  if (outputs != NULL)
    *outputs = found != NULL ? ls_outputs_ref (found) : ls_outputs_new ();
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
keep_result (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

GVariant *
ls_kernel_request (LsKernel    *self,
                   const char  *method,
                   GVariant    *params,
                   double       seconds,
                   LsOutputs  **outputs,
                   GError     **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ls_kernel_request_async (self, method, params, seconds, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
  return ls_kernel_request_finish (self, result, outputs, error);
}

void
ls_kernel_interrupt (LsKernel *self)
{
  if (self->task != NULL && self->child != NULL)
    g_subprocess_send_signal (self->child->process, SIGINT);
}

void
ls_kernel_stop (LsKernel *self)
{
  if (self->child == NULL)
    return;
  finish (self, NULL, self->task != NULL ? g_error_new (LS_KERNEL_ERROR, LS_KERNEL_ERROR_STOPPED, _("Python was ended; what the cells had defined is gone.")) : NULL);
  drop_child (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
ls_kernel_is_busy (LsKernel *self)
{
  return self->task != NULL;
}

gboolean
ls_kernel_is_running (LsKernel *self)
{
  return self->child != NULL;
}

int
ls_kernel_get_pid (LsKernel *self)
{
  return self->child != NULL ? ls_kernel_child_pid (self->child) : 0;
}

guint
ls_kernel_get_life (LsKernel *self)
{
  return self->life;
}

LsOutputs *
ls_kernel_get_outputs (LsKernel *self)
{
  return self->outputs;
}

const char *
ls_kernel_get_last_signal (LsKernel *self)
{
  return self->signal;
}

void
ls_kernel_set_memory_limit (LsKernel *self,
                            guint64   bytes)
{
  self->memory = bytes;
}

void
ls_kernel_set_folder (LsKernel   *self,
                      const char *path)
{
  g_free (self->folder);
  self->folder = g_strdup (path);
}

void
ls_kernel_set_exchange (LsKernel   *self,
                        const char *path)
{
  g_free (self->exchange);
  self->exchange = g_strdup (path);
}

static void
ls_kernel_dispose (GObject *object)
{
  ls_kernel_stop (LS_KERNEL (object));
  G_OBJECT_CLASS (ls_kernel_parent_class)->dispose (object);
}

static void
ls_kernel_finalize (GObject *object)
{
  LsKernel *self = LS_KERNEL (object);

  g_clear_pointer (&self->outputs, ls_outputs_unref);
  g_clear_error (&self->cause);
  g_free (self->folder);
  g_free (self->exchange);
  g_free (self->signal);
  G_OBJECT_CLASS (ls_kernel_parent_class)->finalize (object);
}

static void
ls_kernel_class_init (LsKernelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ls_kernel_dispose;
  object_class->finalize = ls_kernel_finalize;
  signals[OUTPUT] = g_signal_new ("output", LS_TYPE_KERNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_KERNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_kernel_init (LsKernel *self)
{
  self->memory = (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE) / 4 * 3;
}

LsKernel *
ls_kernel_new (void)
{
  return g_object_new (LS_TYPE_KERNEL, NULL);
}
