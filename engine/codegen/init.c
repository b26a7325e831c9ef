/* init: what of LLVM has to be started before it is asked.
 */
#include "engine/codegen/codegen-private.h"

#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

G_DEFINE_QUARK (ls-codegen-error-quark, ls_codegen_error)

void
ls_llvm_init (void)
{
  /* machine.c says why; default<O3> runs it although LLVMPassBuilderOptionsSetSLPVectorization said no. */
  static const char *const args[] = { "loopscope", "-vectorize-slp=false" };
  static gsize done;

  if (g_once_init_enter (&done))
    {
      LLVMInitializeNativeTarget ();
      LLVMInitializeNativeAsmPrinter ();
      LLVMInitializeNativeAsmParser ();
      LLVMParseCommandLineOptions (G_N_ELEMENTS (args), args, NULL);
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
