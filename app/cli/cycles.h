/* cycles: what llvm-mca says of the loops of machine code, for `asm --cycles`. */
#pragma once

#include "app/cli/cli.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Prints the innermost loops of the worker's answer to asm, or with `line` above 0 only those that mostly come from that line of `lines`; as JSON or in words.
 * FALSE: there is no such loop, which is said. */
gboolean ls_cli_print_cycles (const char *command,
                              GVariant   *answer,
                              char      **lines,
                              gint64      line,
                              gboolean    json);

G_END_DECLS
