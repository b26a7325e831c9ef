/* passes/command: a program that writes a log, run for someone who saw and sent the command; its output is read as it comes.
 *
 * Runs in the thread that calls. */
#pragma once

#include "app/passes/model.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What was printed so far. */
typedef struct {
  int     file;
  gsize   size;
  GArray *heads;                /* of gsize: where dumps begin in the file */
} LsPassesSoFar;

/* Dumps that the output announced since the last call, with names that stay, and all that there is; called some times a second, also without new dumps. */
typedef void (*LsPassesAnnounced) (GArray              *dumps,
                                   const LsPassesSoFar *so_far,
                                   gpointer             user_data);

/* What came of it. */
typedef struct {
  GBytes  *output;              /* what it printed, errors too */
  int      status;              /* exit status; -1: it was ended */
} LsPassesOutput;

void ls_passes_output_clear (LsPassesOutput *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPassesOutput, ls_passes_output_clear)

/* Runs `command` by /bin/sh in `folder` (NULL: where the program is) and waits for its end, or ends it and its children when `stop` is cancelled:
 * what it printed until then is there.  FALSE: it could not be started, `error` is set. */
gboolean ls_passes_command_run (const char        *command,
                                const char        *folder,
                                GCancellable      *stop,
                                LsPassesAnnounced  announced,
                                gpointer           user_data,
                                LsPassesOutput    *output,
                                GError           **error);
/* The last lines of what was printed, for someone who is told that there is no log in it. (transfer full) */
char    *ls_passes_output_tail (const LsPassesOutput *self,
                                guint                 lines);

G_END_DECLS
