/* run/vm: a function of Relax in the virtual machine, instruction by instruction. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_run_vm_tool;

G_END_DECLS
