/* Limits of one process that it cannot raise again.  Source: setrlimit(2). */
#include "app/jail/helper.h"

#include <sys/resource.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define UNDER_SANITIZER 1       /* shadow memory counts */
#else
#define UNDER_SANITIZER 0
#endif

static void
lower (int      what,
       uint64_t value)
{
  struct rlimit limit;

  if (getrlimit (what, &limit) != 0)
    return;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value)
    limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (what, &limit);
}

/* RLIMIT_DATA and not RLIMIT_AS: numpy, torch and LLVM reserve much more address space than they use.  RLIMIT_NPROC counts this user's
 * processes in this user namespace; it does not bind root, for whom group.c and first.c are there. */
void
limits_set (const Wish *wish)
{
  lower (RLIMIT_CORE, 0);
  lower (RLIMIT_RTPRIO, 0);
  lower (RLIMIT_MSGQUEUE, 1 << 20);
  if (wish->memory > 0 && !UNDER_SANITIZER)
    lower (RLIMIT_DATA, wish->memory);
  if (wish->file > 0)
    lower (RLIMIT_FSIZE, wish->file);
  if (wish->cpu > 0)
    lower (RLIMIT_CPU, wish->cpu);
  if (wish->processes > 0)
    lower (RLIMIT_NPROC, (uint64_t) wish->processes);
}
