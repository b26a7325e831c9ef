/* vm-build: Relax modules become executables of the virtual machine (engine/runtime/vm.h).
 *
 *   vm-pipeline   operators are legalised to PrimFuncs, as far as the pass for it goes
 *   vm-compile    functions of Relax in A-normal form become instructions
 *   vm-expr       symbolic extents become programs over the slots of a frame
 *   vm-link       the PrimFuncs' machine code, linked into this process
 *
 * Follows TVM's relax.build with VMCodeGen in "bytecode" mode; memory is planned while running (a value dies at its last
 * use, its memory serves the next), or before by StaticPlanBlockMemory.
 */
#pragma once

#include "engine/codegen/codegen.h"
#include "engine/relax/relax.h"
#include "engine/runtime/vm.h"

G_BEGIN_DECLS

typedef struct {
  gboolean as_is;               /* no passes: the module was lowered by the caller */
  gboolean no_code;             /* PrimFuncs are named, not compiled: who runs the executable brings them */
  void   (*stage) (const char *name, gpointer data);   /* told before each stage; may be NULL */
  gpointer data;
} LsVMBuildOptions;

/* The whole way; batch_norm over statistics that are constants is that of inference.  PrimFuncs without Relax functions make an executable too.  options NULL: the defaults.
 * Errors: UNSUPPORTED naming the operator and the binding, NOT_FOUND, PROGRAM, and those of passes and codegen. (transfer full) */
LsVMExecutable *ls_vm_build (LsModule               *module,
                             const LsTarget         *target,
                             const LsVMBuildOptions *options,
                             GError                **error);
/* The executable's machine code, linked; NULL without an error when it has none.  Errors: TARGET when it was made for
 * another processor, LLVM. (transfer full) */
LsKernel       *ls_vm_link  (LsJit                  *jit,
                             LsVMExecutable         *executable,
                             GError                **error);
/* An LsVMResolve over that kernel. */
LsPackedFunc    ls_vm_resolve_kernel (const char    *name,
                                      gpointer       kernel);

G_END_DECLS
