/* What every part of the program needs. */
#include "app/jail/helper.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
complain (const char *what)
{
  int saved = errno;

  fprintf (stderr, "loopscope-jail: %s: %s\n", what, strerror (errno));
  errno = saved;
}

void
close_all_but (const int *fds,
               size_t     n)
{
  unsigned from = 0;

  for (;;)
    {
      unsigned next = UINT_MAX;

      for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0 && (unsigned) fds[i] >= from && (unsigned) fds[i] < next)
          next = (unsigned) fds[i];
      if (next > from)
        close_range (from, next == UINT_MAX ? UINT_MAX : next - 1, 0);
      if (next == UINT_MAX)
        return;
      from = next + 1;
    }
}
