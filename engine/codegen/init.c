/* init: what of LLVM has to be started before it is asked.
 */
#include "engine/codegen/codegen-private.h"

#include <llvm-c/Target.h>

G_DEFINE_QUARK (ls-codegen-error-quark, ls_codegen_error)

void
ls_llvm_init (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      LLVMInitializeNativeTarget ();
      LLVMInitializeNativeAsmPrinter ();
      LLVMInitializeNativeAsmParser ();
      g_once_init_leave (&done, 1);
    }
}

void
ls_llvm_init_all (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      LLVMInitializeAllTargetInfos ();
      LLVMInitializeAllTargets ();
      LLVMInitializeAllTargetMCs ();
      LLVMInitializeAllAsmPrinters ();
      LLVMInitializeAllAsmParsers ();
      g_once_init_leave (&done, 1);
    }
}
