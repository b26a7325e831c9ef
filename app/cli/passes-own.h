/* passes-own: what our own passes do to a program, as a log. */
#pragma once

#include "engine/passlog/passlog.h"

G_BEGIN_DECLS

/* Which program, and how far; all but the file may be NULL. */
typedef struct {
  const char *file, *steps, *func, *target;
} LsCliOwn;

/* A graph of Relax goes through the passes that bring it to functions of TensorIR; a function of TensorIR through those that lower it, then
 * LLVM's.  Prints what is wrong and returns NULL then. (transfer full) */
LsPassLog *ls_cli_own_passes (const char     *command,
                              const LsCliOwn *own);

G_END_DECLS

/* The time and the result of a function after each of LLVM's passes that changes it, as a table or JSON.  Returns: the command's status. */
int        ls_cli_own_times  (const char     *command,
                              const LsCliOwn *own,
                              gboolean        json);
