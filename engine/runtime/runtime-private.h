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

/* error.c: a GError (which may be NULL: then the thread's last error is used) <-> the last error. */
void     ls_runtime_error_to_g    (GError         **error,
                                   LsRuntimeError   code,
                                   const char      *what);
int      ls_runtime_fail_g        (GError          *error);

G_END_DECLS
