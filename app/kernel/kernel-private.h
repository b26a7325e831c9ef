/* Inside app/kernel only. */
#pragma once

#include "app/kernel/kernel.h"

#include <jsonrpc-glib.h>

G_BEGIN_DECLS

/* ---- output.c ---- */

LsOutputs     *ls_outputs_new       (void);
/* Bytes of stdout (`trouble` FALSE) or stderr. */
void           ls_outputs_take      (LsOutputs  *self,
                                     const char *bytes,
                                     gsize       n,
                                     gboolean    trouble);
void           ls_outputs_show      (LsOutputs  *self,
                                     guint       number,
                                     GVariant   *view);
/* Nothing more will come: puts the end of what was cut in place. */
void           ls_outputs_end       (LsOutputs  *self);

/* ---- child.c: one life of the process ---- */

typedef struct {
  GSubprocess   *process;
  JsonrpcClient *client;
  int            pipes[2];      /* stdout, stderr: our ends, non-blocking */
} LsKernelChild;

/* `exchange`: a folder that it may write into, or NULL. Errors: NOT_FOUND, SPAWN, JAIL. (transfer full) */
LsKernelChild *ls_kernel_child_start (guint64        memory,
                                      const char    *folder,
                                      const char    *exchange,
                                      GError       **error);
/* Kills it if it lives. */
void           ls_kernel_child_free  (LsKernelChild *self);
int            ls_kernel_child_pid   (LsKernelChild *self);
/* Of Python and all that it started; see ls_jail_resident(). */
guint64        ls_kernel_child_resident (LsKernelChild *self,
                                         guint64        limit);
/* "was ended by SIGSEGV (Segmentation fault)", after it has ended. (transfer full) */
char          *ls_kernel_child_end   (LsKernelChild *self);
/* "SIGSEGV", after it has ended; NULL when no signal ended it. (transfer full) */
char          *ls_kernel_child_signal (LsKernelChild *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsKernelChild, ls_kernel_child_free)

G_END_DECLS
