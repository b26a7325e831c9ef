/* cli/debug-vm: a run of the virtual machine of Relax, instruction by instruction.  The worker builds and runs it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char        *command, *file;
  const char        *func, *batch;      /* or NULL */
  const char *const *passes;
  const char *const *set;
  const char *const *inputs;
  gint64             seed;
  gboolean           plan, json;
} LsCliDebugVM;

/* Returns the exit status. */
int ls_cli_debug_vm (const LsCliDebugVM *request);

G_END_DECLS
