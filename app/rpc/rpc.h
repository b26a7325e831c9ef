/* rpc: how the app, the CLI and the tuner talk to loopscope-worker.
 *
 *   worker    LsWorker: a child process that answers calls, one after the other
 *   process   finding it, starting it, what it printed, how it ended
 *   fds       file descriptors beside the calls: large tensors never go through JSON
 *   params    reading and writing call parameters
 *
 * The wire: a socketpair with JSON-RPC 2.0 in jsonrpc-glib's framing (bodies are GVariants, so
 * that NaN, infinities and integers survive), and a second socketpair on which
 * file descriptors travel.  One request is under way at a time.
 *
 * A call that crashes, hangs, eats memory or is cancelled ends the child and nothing else; the
 * next call starts a new one.  Cancelling = ending the child: it keeps nothing that a later
 * call needs.
 *
 * Memory: the caller's side looks at the child's resident size every 20 ms while a call is
 * under way and ends it above the limit.  (RLIMIT_AS would count LLVM's and the sanitizers' reserved
 * address space; RLIMIT_DATA is set in the child at twice the limit plus 1 GiB, as a stop for
 * what is faster than 20 ms, except under sanitizers.)
 */
#pragma once

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

G_BEGIN_DECLS

typedef enum {
  LS_WORKER_ERROR_NOT_FOUND,    /* there is no loopscope-worker where we look */
  LS_WORKER_ERROR_SPAWN,        /* it could not be started */
  LS_WORKER_ERROR_SIGNAL,       /* it was ended by a signal during the call */
  LS_WORKER_ERROR_EXIT,         /* it ended by itself during the call */
  LS_WORKER_ERROR_TIMEOUT,      /* no answer in time; it was ended */
  LS_WORKER_ERROR_MEMORY,       /* above the memory limit; it was ended */
  LS_WORKER_ERROR_REQUEST,      /* it answered with an error: the request was wrong */
  LS_WORKER_ERROR_PROTOCOL      /* a message that is too large or not understood */
} LsWorkerError;

#define LS_WORKER_ERROR (ls_worker_error_quark ())
GQuark ls_worker_error_quark (void);

/* ---- worker.c ----------------------------------------------------------- */

#define LS_TYPE_WORKER (ls_worker_get_type ())
G_DECLARE_FINAL_TYPE (LsWorker, ls_worker, LS, WORKER, GObject)

/* Called in the worker's main context while a call is under way. */
typedef void (*LsWorkerProgress) (LsWorker   *self,
                                  double      fraction,         /* 0 to 1, or -1: unknown */
                                  const char *text,
                                  gpointer    data);

/* Zeros are good defaults. */
typedef struct {
  gint64            timeout_ms;         /* from the start of the work; 0 = none */
  GUnixFDList      *fds;                /* handed over with the call (duplicated), or NULL */
  LsWorkerProgress  progress;           /* or NULL */
  gpointer          progress_data;
} LsWorkerOptions;

/* The catalogue (the bytes of a .mo file) in whose language the workers that are started from now on speak; NULL, as at first: English.  For
 * this process, before its threads. */
void        ls_worker_set_catalogue    (GBytes                 *catalogue);
/* A worker that is not running yet.  Its callbacks and sources live in the thread-default main
 * context of this moment; all calls come from that thread. (transfer full) */
LsWorker   *ls_worker_new              (void);
/* Resident bytes of the child; 0 = no limit; the default is 3/4 of the machine's memory. From the
 * next call on. */
void        ls_worker_set_memory_limit (LsWorker               *self,
                                        guint64                 bytes);
/* Lets the child's sandbox read (and write) below `path`.  From the next start on. */
void        ls_worker_add_path         (LsWorker               *self,
                                        const char             *path,
                                        gboolean                writable);
/* Asks for `method` with `params` (a{sv}; floating is sunk; NULL = none).  Calls queue up.
 * `options` may be NULL.  Cancelling a call under way ends the child; a callback that comes after it says G_IO_ERROR_CANCELLED, whatever
 * the call came to, and no progress is told. */
void        ls_worker_call_async       (LsWorker               *self,
                                        const char             *method,
                                        GVariant               *params,
                                        const LsWorkerOptions  *options,
                                        GCancellable           *cancellable,
                                        GAsyncReadyCallback     callback,
                                        gpointer                data);
/* The answer, or NULL with one of LS_WORKER_ERROR or G_IO_ERROR_CANCELLED.  `out` and `err` (may be NULL)
 * receive what was printed on stdout and stderr meanwhile, also when the call did not end well. (transfer full) */
GVariant   *ls_worker_call_finish      (LsWorker               *self,
                                        GAsyncResult           *result,
                                        char                  **out,
                                        char                  **err,
                                        GError                **error);
/* The same, waiting: iterates the worker's main context until the answer is there. */
GVariant   *ls_worker_call             (LsWorker               *self,
                                        const char             *method,
                                        GVariant               *params,
                                        const LsWorkerOptions  *options,
                                        GCancellable           *cancellable,
                                        char                  **out,
                                        char                  **err,
                                        GError                **error);
/* Ends the child.  A call under way gets G_IO_ERROR_CANCELLED; the next one starts it again. */
void        ls_worker_stop             (LsWorker               *self);
/* The child's process id, or 0. */
int         ls_worker_get_pid          (LsWorker               *self);

/* ---- process.c ---------------------------------------------------------- */

/* LS_WORKER; else loopscope-worker beside the own executable, in the build tree around it, in the folder
 * of helper programs, in PATH.  Errors: NOT_FOUND with the places. (transfer full) */
char       *ls_worker_locate           (GError                **error);

/* ---- fds.c -------------------------------------------------------------- */

/* One message on a SOCK_SEQPACKET socket: a tag and up to 200 descriptors (borrowed). */
gboolean    ls_fds_send                (int                     socket,
                                        guint64                 tag,
                                        GUnixFDList            *fds,
                                        GError                **error);
/* Waits at most 5 s. (transfer full) */
GUnixFDList *ls_fds_receive            (int                     socket,
                                        guint64                *tag,
                                        GError                **error);

/* The parameter that names the message with the call's descriptors. */
#define LS_FDS_KEY "_fds"

/* The parameter of a worker's first call that says in which language it speaks. */
#define LS_CATALOGUE_KEY "catalogue"

/* An answer is {answer: a{sv}} or {error: s}. */
#define LS_ANSWER_KEY "answer"
#define LS_ERROR_KEY "error"

/* ---- params.c ----------------------------------------------------------- */

/* Values of a{sv} by key; any integer type is an int, ints are doubles too.  `fallback` when the key is not
 * there or of another type.  Borrowed from `params`, which may be NULL. */
const char *ls_params_string           (GVariant               *params,
                                        const char             *key,
                                        const char             *fallback);
gint64      ls_params_int              (GVariant               *params,
                                        const char             *key,
                                        gint64                  fallback);
double      ls_params_double           (GVariant               *params,
                                        const char             *key,
                                        double                  fallback);
gboolean    ls_params_bool             (GVariant               *params,
                                        const char             *key,
                                        gboolean                fallback);
/* Any value, unpacked from its variant, or NULL. (transfer full) */
GVariant   *ls_params_value            (GVariant               *params,
                                        const char             *key);
/* The same of an answer that must have it.  Errors: PROTOCOL, naming the key, when it is not there; none for an answer of NULL, whose error is told
 * already. (transfer full) */
GVariant   *ls_params_require          (GVariant               *answer,
                                        const char             *key,
                                        GError                **error);
/* Whether each row of the list (aa{sv}) has all of `keys`, names with a space between them; so where the answer has no such list.  Errors: PROTOCOL,
 * naming row and key, when one lacks a key or is no row. */
gboolean    ls_params_require_rows     (GVariant               *answer,
                                        const char             *list,
                                        const char             *keys,
                                        GError                **error);
/* A list of strings ("as" or "av" of strings); NULL when it is not there or something else. (transfer full) */
char      **ls_params_strv             (GVariant               *params,
                                        const char             *key);
/* Errors: REQUEST, naming the key, when it is not there or no string. */
const char *ls_params_require_string   (GVariant               *params,
                                        const char             *key,
                                        GError                **error);

G_END_DECLS
