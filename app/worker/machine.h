/* A virtual machine with the code of its executable linked in. */
#pragma once

#include "engine/codegen/vm-build.h"

G_BEGIN_DECLS

typedef struct {
  LsVMExecutable *executable;
  LsKernel       *kernel;
  LsVM           *vm;
} LsWorkerMachine;

/* Takes the executable.  FALSE with an error: it cannot be linked; to be cleared all the same. */
gboolean ls_worker_machine_start (LsWorkerMachine *self,
                                  LsVMExecutable  *executable,
                                  GError         **error);
void     ls_worker_machine_clear (LsWorkerMachine *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsWorkerMachine, ls_worker_machine_clear)

G_END_DECLS
