/* What the files of this folder share among themselves. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* env.c: the functions that are registered from the start; ends with a NULL name. */
typedef struct {
  const char   *name;
  LsPackedFunc  func;
} LsEnvRow;

extern const LsEnvRow ls_env_rows[];
extern const LsEnvRow ls_sort_rows[];

/* error.c: a GError (which may be NULL: then the thread's last error is used) <-> the last error. */
void     ls_runtime_error_to_g    (GError         **error,
                                   LsRuntimeError   code,
                                   const char      *what);
int      ls_runtime_fail_g        (GError          *error);

/* large.c: `size` bytes at a multiple of 64, from megabytes on in large pages where the system has them; dropped with
 * free.  NULL: there is no more memory. */
void    *ls_memory_alloc         (gsize             size);
/* Asks for large pages in memory that was had otherwise. */
void     ls_memory_advise        (void             *memory,
                                  gsize             size);

/* pool.c: whether this thread runs a task; 0 or 1 sets it. */
gboolean ls_pool_in_task         (int               set);

/* workspace.c: what the thread has taken and not given back; reset gives back what is newer than a mark. */
void    *ls_workspace_mark       (void);
void     ls_workspace_reset      (void             *mark);

G_END_DECLS
