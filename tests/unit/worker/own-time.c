/* own-time: how long a program had the processor, whatever else the machine did meanwhile; the thread's clock is moved by the test. */
#include "app/worker/own-time.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static gint64 thread_ns;

int clock_gettime (clockid_t id, struct timespec *at);

int
clock_gettime (clockid_t        id,
               struct timespec *at)
{
  if (id != CLOCK_THREAD_CPUTIME_ID)
    return (int) syscall (SYS_clock_gettime, id, at);
  *at = (struct timespec) { thread_ns / 1000000000, thread_ns % 1000000000 };
  return 0;
}

static void
work (LsOwnTime *own,
      gint64     calls,
      gint64     ns)
{
  own->calls += calls;
  thread_ns += ns;
  ls_own_time_note (own);
}

/* The least of all stretches counts, each shared by its calls; a stretch without calls says nothing. */
static void
test_least (void)
{
  LsOwnTime own;

  thread_ns = 5000000000;
  ls_own_time_begin (&own);
  g_assert_cmpfloat (own.least, ==, 0);
  work (&own, 0, 700);
  g_assert_cmpfloat (own.least, ==, 0);
  work (&own, 10, 4000);
  g_assert_cmpfloat (own.least, ==, 400);
  work (&own, 4, 1200);
  g_assert_cmpfloat (own.least, ==, 300);
  work (&own, 1, 900);
  g_assert_cmpfloat (own.least, ==, 300);
  work (&own, 3, 0);            /* shorter than the clock can tell */
  g_assert_cmpfloat (own.least, ==, 300);
  ls_own_time_begin (&own);
  work (&own, 2, 5000);
  g_assert_cmpfloat (own.least, ==, 2500);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/own-time/least", test_least);
  return g_test_run ();
}
