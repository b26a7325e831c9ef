/* One life of the worker: the child process, its connection, what it printed.  Used by worker.c. */
#pragma once

#include "app/rpc/rpc.h"

#include <jsonrpc-glib.h>

G_BEGIN_DECLS

/* Takes the client; it is closed when what has come is dealt with.  jsonrpc-glib 3.42 gives every open call an error when
 * it closes, also one whose answer is on its way to its callback, and a call that ends twice is a critical. */
void           ls_rpc_client_free       (JsonrpcClient *client);

typedef struct _LsProcess LsProcess;

/* Called once, in the main context of the starter, when the child has ended. */
typedef void (*LsProcessEnded) (LsProcess *process,
                                gpointer   data);

/* `paths`: of strings, "r:/path" or "w:/path".  Errors: NOT_FOUND, SPAWN. (transfer full) */
LsProcess     *ls_process_start         (guint64          memory_limit,
                                         GPtrArray       *paths,
                                         LsProcessEnded   ended,
                                         gpointer         data,
                                         GError         **error);
/* Kills the child if it lives and lets go; `ended` is not called any more. */
void           ls_process_free          (LsProcess       *self);
JsonrpcClient *ls_process_get_client    (LsProcess       *self);
/* 0 when it has ended. */
int            ls_process_get_pid       (LsProcess       *self);
void           ls_process_kill          (LsProcess       *self);
gboolean       ls_process_has_ended     (LsProcess       *self);
gboolean       ls_process_send_fds      (LsProcess       *self,
                                         guint64          tag,
                                         GUnixFDList     *fds,
                                         GError         **error);
/* Forgets what was printed so far. */
void           ls_process_clear_output  (LsProcess       *self);
/* What was printed since then; valid UTF-8, at most 1 MiB of each. (transfer full) */
void           ls_process_read_output   (LsProcess       *self,
                                         char           **out,
                                         char           **err);
/* Resident bytes, or 0 when unknown. */
guint64        ls_process_resident      (LsProcess       *self);
/* SIGNAL or EXIT: how the child ended, while it did `request`. */
GError        *ls_process_describe_end  (LsProcess       *self,
                                         const char      *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsProcess, ls_process_free)

G_END_DECLS
