/* The worker's loop: JSON-RPC on the main thread, one handler thread.
 *
 * A request goes through a queue to the handler thread, its answer comes back through the main context.
 * stdout and stderr are flushed before the answer, so that the caller finds everything that the
 * request printed.  When the connection ends the process ends at once: a kernel that never
 * returns must not outlive its caller.
 */
#include "app/worker/server.h"

#include "app/worker/language.h"
#include "engine/base/base.h"

#include <jsonrpc-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gio/gunixconnection.h>

#define MESSAGE_LIMIT (15 * 1024 * 1024)

struct _LsRequest {
  JsonrpcClient *client;
  GVariant      *id;
  char          *method;
  GVariant      *params;
  GUnixFDList   *fds;           /* or NULL */
  GVariant      *answer;        /* one of answer and error, at the end */
  GError        *error;
};

static struct {
  const LsMethod *const *tables;
  GAsyncQueue           *queue; /* of LsRequest, for the handler thread */
  int                    fds_fd;
} server;

static void
request_free (LsRequest *self)
{
  g_clear_object (&self->client);
  g_clear_object (&self->fds);
  g_clear_pointer (&self->id, g_variant_unref);
  g_clear_pointer (&self->params, g_variant_unref);
  g_clear_pointer (&self->answer, g_variant_unref);
  g_clear_error (&self->error);
  g_free (self->method);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRequest, request_free)

static const LsMethod *
find_method (const char *name)
{
  for (guint t = 0; server.tables[t] != NULL; t++)
    for (const LsMethod *m = server.tables[t]; m->name != NULL; m++)
      if (strcmp (m->name, name) == 0)
        return m;
  return NULL;
}

/* ---- handler thread ---- */

static gboolean
take_fds (LsRequest  *self,
          GError    **error)
{
  guint64 wanted = (guint64) ls_params_int (self->params, LS_FDS_KEY, 0);
  guint64 tag = 0;

  while (wanted != 0 && tag != wanted)
    {
      g_clear_object (&self->fds);
      self->fds = ls_fds_receive (server.fds_fd, &tag, error);
      if (self->fds == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
answer_fits (GVariant  *answer,
             GError   **error)
{
  if (g_variant_get_size (answer) <= MESSAGE_LIMIT)
    return TRUE;
  g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL,
               ls_translate ("the answer has %zu bytes; up to %d go through a message"),
               (size_t) g_variant_get_size (answer), MESSAGE_LIMIT);
  return FALSE;
}

static void
handle (LsRequest *self)
{
  const LsMethod *method = find_method (self->method);

  if (!take_fds (self, &self->error))
    return;
  ls_worker_speak (self->params);
  self->answer = method->func (self, self->params, &self->error);
  fflush (stdout);
  fflush (stderr);
  if (self->answer != NULL)
    g_variant_ref_sink (self->answer);
  if (self->answer != NULL && !answer_fits (self->answer, &self->error))
    g_clear_pointer (&self->answer, g_variant_unref);
  if (self->answer == NULL && self->error == NULL)
    self->error = g_error_new (LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                               ls_translate ("\"%s\" ended without an answer"), self->method);
}

/* Errors travel as answers too: jsonrpc-glib flattens error replies into one string. */
static void
reply (JsonrpcClient *client,
       GVariant      *id,
       const char    *key,
       GVariant      *value)
{
  g_autoptr (GVariant) envelope = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, key, value);
  envelope = g_variant_ref_sink (g_variant_dict_end (&dict));
  jsonrpc_client_reply_async (client, id, envelope, NULL, NULL, NULL);
}

static gboolean
send_answer (gpointer data)
{
  g_autoptr (LsRequest) self = data;

  if (self->answer != NULL)
    reply (self->client, self->id, LS_ANSWER_KEY, self->answer);
  else
    reply (self->client, self->id, LS_ERROR_KEY, g_variant_new_string (self->error->message));
  return G_SOURCE_REMOVE;
}

static gpointer
handler_main (gpointer data)
{
  for (;;)
    {
      LsRequest *request = g_async_queue_pop (server.queue);

      handle (request);
      g_idle_add_full (G_PRIORITY_DEFAULT, send_answer, request, NULL);
    }
  return NULL;
}

typedef struct {
  JsonrpcClient *client;
  GVariant      *params;
} Notice;

static gboolean
send_notice (gpointer data)
{
  g_autofree Notice *notice = data;
  g_autoptr (JsonrpcClient) client = notice->client;
  g_autoptr (GVariant) params = notice->params;

  jsonrpc_client_send_notification_async (client, "progress", params, NULL, NULL, NULL);
  return G_SOURCE_REMOVE;
}

void
ls_request_progress (LsRequest  *self,
                     double      fraction,
                     const char *text)
{
  Notice *notice = g_new (Notice, 1);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "fraction", "d", fraction);
  g_variant_dict_insert (&dict, "text", "s", text);
  notice->client = g_object_ref (self->client);
  notice->params = g_variant_ref_sink (g_variant_dict_end (&dict));
  g_idle_add_full (G_PRIORITY_DEFAULT, send_notice, notice, NULL);
}

gboolean
ls_worker_refuse (GError    **error,
                  const char *format,
                  ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, ls_translate (format), args);
  va_end (args);
  return FALSE;
}

int
ls_request_get_fd (LsRequest  *self,
                   int         i,
                   GError    **error)
{
  int n = 0;
  const int *fds = self->fds != NULL ? g_unix_fd_list_peek_fds (self->fds, &n) : NULL;

  if (i >= 0 && i < n)
    return fds[i];
  ls_worker_refuse (error, "file descriptor %d was asked for; %d came with the call", i, n);
  return -1;
}

/* ---- main thread ---- */

static gboolean
on_call (JsonrpcClient *client,
         const char    *method,
         GVariant      *id,
         GVariant      *params,
         gpointer       data)
{
  LsRequest *request;

  if (find_method (method) == NULL)
    {
      g_autofree char *message = g_strdup_printf ("the worker has no method \"%s\"", method);

      reply (client, id, LS_ERROR_KEY, g_variant_new_string (message));
      return TRUE;
    }
  request = g_new0 (LsRequest, 1);
  request->client = g_object_ref (client);
  request->id = g_variant_ref (id);
  request->method = g_strdup (method);
  request->params = params != NULL ? g_variant_ref (params) : NULL;
  g_async_queue_push (server.queue, request);
  return TRUE;
}

static void
on_failed (JsonrpcClient *client,
           gpointer       data)
{
  _exit (0);
}

void
ls_server_run (int                    rpc_fd,
               int                    fds_fd,
               const LsMethod *const *tables)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket = g_socket_new_from_fd (rpc_fd, &error);
  g_autoptr (GSocketConnection) connection = NULL;
  g_autoptr (JsonrpcClient) client = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  if (socket == NULL)
    {
      fprintf (stderr, "loopscope-worker: file descriptor %d is no socket: %s\n", rpc_fd,
               error->message);
      exit (2);
    }
  connection = g_socket_connection_factory_create_connection (socket);
  client = jsonrpc_client_new (G_IO_STREAM (connection));
  jsonrpc_client_set_use_gvariant (client, TRUE);
  server.tables = tables;
  server.fds_fd = fds_fd;
  server.queue = g_async_queue_new ();
  g_signal_connect (client, "handle-call", G_CALLBACK (on_call), NULL);
  g_signal_connect (client, "failed", G_CALLBACK (on_failed), NULL);
  g_thread_unref (g_thread_new ("ls-handler", handler_main, NULL));
  jsonrpc_client_start_listening (client);
  g_main_loop_run (loop);
  _exit (0);
}
