/* cli/debug-talk: commands of the debugger from a prompt or a file, and how their answers are printed. */
#pragma once

#include "engine/debug/debug.h"

#include <stdio.h>

G_BEGIN_DECLS

/* What ls_debug_look(), ls_debug_grid() tell, and a list of accesses (aa{sv}, or NULL). */
void     ls_cli_debug_print      (GVariant        *answer);
void     ls_cli_debug_print_grid (GVariant        *answer);
void     ls_cli_debug_print_past (GVariant        *list);
/* One command, printed, or its answer put to `answers` (or NULL). FALSE: it was refused. */
gboolean ls_cli_debug_say        (LsDebug         *debug,
                                  const char      *line,
                                  GVariantBuilder *answers);
/* The end of a talk: {"answers": [...]} as JSON, or nothing. Takes what is in it. */
void     ls_cli_debug_print_answers (GVariantBuilder *answers,
                                     gboolean         json);
/* All commands until the end or "quit". Returns the exit status. */
int      ls_cli_debug_talk       (LsDebug         *debug,
                                  FILE            *from,
                                  gboolean         is_batch,
                                  gboolean         json);

G_END_DECLS
