/* debug-dap: the debugger for editors. */
#pragma once

#include "app/cli/cli.h"

G_BEGIN_DECLS

/* Speaks the Debug Adapter Protocol on standard input and output until the client leaves. Returns the exit status. */
int ls_cli_debug_dap (void);

G_END_DECLS
