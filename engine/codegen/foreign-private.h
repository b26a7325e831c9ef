/* foreign-private: between the files of foreign. */
#pragma once

#include "engine/codegen/foreign.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

struct _LsForeign
{
  LLVMContextRef       context;
  LLVMModuleRef        module;
  LLVMTargetMachineRef machine;         /* NULL: only read */
};
