/* How long a program had the processor while its samples were taken.  Other work on the machine makes samples longer; this it does not change, so it is what
 * a busy machine can say of a program that runs on one core and calls nobody. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  gint64 calls;                 /* counted by who calls */
  gint64 noted_calls, noted_ns;
  double least;                 /* ns of a call, of all stretches between two notes; 0: none yet */
} LsOwnTime;

/* The function has no parallel loop and calls no function of others: all that it does it does on the calling thread. */
gboolean ls_own_time_is_all (LsPrimFunc *func);
/* Begins on the calling thread, which has to be that of the notes. */
void     ls_own_time_begin  (LsOwnTime  *self);
/* What the thread worked since the last note is shared by the calls since. */
void     ls_own_time_note   (LsOwnTime  *self);

G_END_DECLS
