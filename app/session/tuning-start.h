/* tuning-start: starts the process of a search. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is searched; all borrowed. */
typedef struct {
  const char *text;             /* of the program */
  const char *func, *target;    /* or NULL: a module as a whole; the worker's choice */
  const char *sizes;            /* "n=256 m=8", or NULL */
  const char *queue;            /* "": this machine measures */
  guint       trials, seconds;
} LsTuningCommand;

/* `loopscope-cli tune --detach` of the program in the folder of the user's cache that belongs to it; it has ended when the search goes on.  NULL with the reason.
 * (transfer full) */
GSubprocess *ls_tuning_spawn (const LsTuningCommand  *self,
                              GError                **error);

G_END_DECLS
