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
/* A command, which is no comment and not empty: printed, or its answer put to `answers` (or NULL). FALSE: it was refused. */
typedef gboolean (*LsCliSay) (gpointer         data,
                              const char      *line,
                              GVariantBuilder *answers);
/* Reads commands until the end, "quit" or "q", each asked for by `prompt` (or NULL), and says them.  As JSON, their answers are printed at
 * the end: {"answers": [...]}.  FALSE: one was refused. */
gboolean ls_cli_debug_lines      (FILE            *from,
                                  const char      *prompt,
                                  gboolean         json,
                                  LsCliSay         say,
                                  gpointer         data);
/* The same of a program that runs. Returns the exit status. */
int      ls_cli_debug_talk       (LsDebug         *debug,
                                  FILE            *from,
                                  gboolean         is_batch,
                                  gboolean         json);

G_END_DECLS
