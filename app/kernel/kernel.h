/* kernel: the Python process in which the cells of a lesson run.
 *
 *   kernel    LsKernel: requests, time and memory limits, interrupt, restart, how it ended
 *   child     finding and starting it, in a jail (app/jail)
 *   output    what a cell printed and showed, in order and bounded
 *
 * The wire: JSON-RPC 2.0 over a socketpair (Content-Length heads).  stdout and stderr of the process are pipes that are read on
 * this side, so what C code printed, and what was printed before a crash, is there too; a mark in stdout says where
 * something was shown.  The Python side is the package loopscope_kernel in this folder.
 *
 * Requests: "run" {code, name, maybe, quiet: nothing is shown}, "cases" {code, cases, name}, "primitive" {schedule, step}, "primitive-check" {schedule,
 * step, answer}, "needs" {modules: list}.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_KERNEL_ERROR_NOT_FOUND,    /* no Python, or its part of Loopscope is missing */
  LS_KERNEL_ERROR_SPAWN,        /* it could not be started */
  LS_KERNEL_ERROR_DIED,         /* it ended during the request: a signal, or by itself */
  LS_KERNEL_ERROR_MEMORY,       /* above the memory limit; it was ended */
  LS_KERNEL_ERROR_TIMEOUT,      /* no end in time, an interrupt did not help; it was ended */
  LS_KERNEL_ERROR_STOPPED,      /* ended by ls_kernel_stop */
  LS_KERNEL_ERROR_PROTOCOL,     /* an answer that is not understood */
  LS_KERNEL_ERROR_JAIL,         /* this machine refuses a jail, and nobody agreed to do without: ls_jail_consent() */
} LsKernelError;

#define LS_KERNEL_ERROR (ls_kernel_error_quark ())
GQuark ls_kernel_error_quark (void);

typedef enum {
  LS_OUTPUT_TEXT,               /* standard output */
  LS_OUTPUT_TROUBLE,            /* standard error */
  LS_OUTPUT_VIEW,               /* a value: see loopscope_kernel/shows.py */
  LS_OUTPUT_CUT,                /* text: how much is left out here */
} LsOutputKind;

typedef struct {
  LsOutputKind  kind;
  GString      *raw;            /* bytes as they came; use ls_output_get_text() */
  GVariant     *view;           /* a{sv}, or NULL */
  guint         number;         /* of the view */
} LsOutput;

/* What a request printed and showed.  Reference counted; grows while the request runs. */
typedef struct _LsOutputs LsOutputs;

LsOutputs      *ls_outputs_ref         (LsOutputs   *self);
void            ls_outputs_unref       (LsOutputs   *self);
guint           ls_outputs_get_n       (LsOutputs   *self);
const LsOutput *ls_outputs_get         (LsOutputs   *self,
                                        guint        i);
/* Valid UTF-8; for a view its text. (transfer full) */
char           *ls_output_get_text     (const LsOutput *output);
/* Standard output and the texts of what was shown, one after the other: what an `output` of a lesson is compared with. (transfer full) */
char           *ls_outputs_get_text    (LsOutputs   *self);
/* Bytes that were printed but not kept. */
guint64         ls_outputs_get_dropped (LsOutputs   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsOutputs, ls_outputs_unref)

#define LS_TYPE_KERNEL (ls_kernel_get_type ())
G_DECLARE_FINAL_TYPE (LsKernel, ls_kernel, LS, KERNEL, GObject)

/* Signals: "output" (), something new in ls_kernel_get_outputs(); "changed" (), it became busy or idle, started or ended. */

/* A kernel that is not running yet; it starts with the first request.  Belongs to the thread-default main context. (transfer full) */
LsKernel   *ls_kernel_new              (void);
/* Bytes; 0 = no limit; the default is 3/4 of the machine's memory.  From the next start on. */
void        ls_kernel_set_memory_limit (LsKernel            *self,
                                        guint64              bytes);
/* The folder in which it starts. */
void        ls_kernel_set_folder       (LsKernel            *self,
                                        const char          *path);
/* A folder that it may write into, and what it writes there stays. */
void        ls_kernel_set_exchange     (LsKernel            *self,
                                        const char          *path);
/* Asks; one request at a time (a second one is an error).  `params` is a{sv}, floating is sunk.  After `seconds` (0 = never) it is
 * interrupted, five seconds later ended.  Cancelling interrupts. */
void        ls_kernel_request_async    (LsKernel            *self,
                                        const char          *method,
                                        GVariant            *params,
                                        double               seconds,
                                        GAsyncReadyCallback  callback,
                                        gpointer             data);
/* The answer, a{sv} with "status" ("ok", "error", "interrupted", ...) and "ns"; NULL with one of LS_KERNEL_ERROR. `outputs` (may be
 * NULL) gets what was printed and shown, also when it did not end well. (transfer full) */
GVariant   *ls_kernel_request_finish   (LsKernel            *self,
                                        GAsyncResult        *result,
                                        LsOutputs          **outputs,
                                        GError             **error);
/* The same, waiting: iterates the main context until the answer is there. */
GVariant   *ls_kernel_request          (LsKernel            *self,
                                        const char          *method,
                                        GVariant            *params,
                                        double               seconds,
                                        LsOutputs          **outputs,
                                        GError             **error);
/* A KeyboardInterrupt in the running cell; nothing when none runs. */
void        ls_kernel_interrupt        (LsKernel            *self);
/* Ends the process; a request under way gets STOPPED.  The next request starts a new one, with nothing in it. */
void        ls_kernel_stop             (LsKernel            *self);
gboolean    ls_kernel_is_busy          (LsKernel            *self);
gboolean    ls_kernel_is_running       (LsKernel            *self);
/* Of the process that stands for it here, and with which it ends; 0 when it does not run. */
int         ls_kernel_get_pid          (LsKernel            *self);
/* How often it was started: what a cell left behind is gone when this changes. */
guint       ls_kernel_get_life         (LsKernel            *self);
/* Which signal ended the last process, such as "SIGABRT"; NULL when none did. (transfer none) */
const char *ls_kernel_get_last_signal  (LsKernel            *self);
/* Of the request that runs or ran last, or NULL. (transfer none) */
LsOutputs  *ls_kernel_get_outputs      (LsKernel            *self);

/* ---- child.c ---- */

/* The folder with the package tvm, or NULL: LS_PYTHON_PATH, the build tree's, the installed one. (transfer full) */
char       *ls_kernel_python_path      (void);

G_END_DECLS
