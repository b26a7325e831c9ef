/* own-time: the thread's clock, read once for each sample. */
#include "app/worker/own-time.h"

#include <time.h>

static gint64
thread_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static LsWalk
find_others (LsNode  *node,
             gpointer found)
{
  static const char *const calls[] = { "tir.tvm_call_packed", "tir.call_packed", "tir.call_cpacked", "tir.tvm_call_cpacked", "tir.call_extern",
                                       "tir.call_pure_extern" };
  gboolean is = ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_PARALLEL;

  for (guint i = 0; i < G_N_ELEMENTS (calls) && !is; i++)
    is = ls_is_call (node, calls[i]);
  *(gboolean *) found = is;
  return is ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_own_time_is_all (LsPrimFunc *func)
{
  gboolean found = FALSE;

  ls_walk (func->body, find_others, NULL, &found);
  return !found;
}

void
ls_own_time_begin (LsOwnTime *self)
{
  *self = (LsOwnTime) { .noted_ns = thread_ns () };
}

void
ls_own_time_note (LsOwnTime *self)
{
  gint64 now = thread_ns (), calls = self->calls - self->noted_calls;
  double each = calls > 0 ? (double) (now - self->noted_ns) / (double) calls : 0.0;

  if (each > 0.0)
    self->least = self->least > 0.0 ? MIN (self->least, each) : each;
  self->noted_calls = self->calls;
  self->noted_ns = now;
}
