/* The thread pool: every task once, nested launches, errors, many launches, several callers. */
#include "engine/runtime/runtime.h"

#include <stdatomic.h>
#include <string.h>

typedef struct {
  atomic_int seen[5000];
  atomic_int total;
  int        fail_at;           /* -1 = never */
} Count;

static int
count_task (int   task_id,
            int   num_task,
            void *closure)
{
  Count *count = closure;

  atomic_fetch_add (&count->seen[task_id], 1);
  atomic_fetch_add (&count->total, 1);
  if (task_id == count->fail_at)
    return ls_runtime_fail ("task %d of %d went wrong", task_id, num_task) - 4;
  return 0;
}

static void
test_each_once (void)
{
  static const int threads[] = { 1, 2, 3, 7 };
  static const int tasks[] = { 1, 2, 3, 31, 32, 33, 255, 256, 257, 5000 };

  for (gsize t = 0; t < G_N_ELEMENTS (threads); t++)
    {
      ls_pool_set_threads (threads[t]);
      g_assert_cmpint (ls_parallel_num_threads (), ==, threads[t]);
      for (gsize n = 0; n < G_N_ELEMENTS (tasks); n++)
        {
          Count count = { .fail_at = -1 };

          g_assert_cmpint (ls_parallel_launch (count_task, &count, tasks[n]), ==, 0);
          for (int i = 0; i < tasks[n]; i++)
            g_assert_cmpint (atomic_load (&count.seen[i]), ==, 1);
        }
    }
}

static void
test_default_number (void)
{
  Count count = { .fail_at = -1 };

  ls_pool_set_threads (3);
  g_assert_cmpint (ls_parallel_launch (count_task, &count, 0), ==, 0);
  g_assert_cmpint (atomic_load (&count.total), ==, 3);
}

static void
test_error (void)
{
  for (int threads = 1; threads <= 3; threads++)
    {
      Count count = { .fail_at = 2 };

      ls_pool_set_threads (threads);
      g_assert_cmpint (ls_parallel_launch (count_task, &count, 100), ==, -5);
      g_assert_cmpstr (ls_runtime_last_error (), ==, "task 2 of 100 went wrong");
      count.fail_at = -1;
      g_assert_cmpint (ls_parallel_launch (count_task, &count, 100), ==, 0);
    }
}

static int
nested_task (int   task_id,
             int   num_task,
             void *closure)
{
  g_assert_cmpint (ls_parallel_num_threads (), ==, 1);
  return ls_parallel_launch (count_task, closure, 5);
}

static void
test_nested (void)
{
  Count count = { .fail_at = -1 };

  ls_pool_set_threads (2);
  g_assert_cmpint (ls_parallel_launch (nested_task, &count, 10), ==, 0);
  g_assert_cmpint (atomic_load (&count.total), ==, 50);
  count.fail_at = 3;
  g_assert_cmpint (ls_parallel_launch (nested_task, &count, 10), ==, -5);
}

static gpointer
launch_often (gpointer data)
{
  for (int i = 0; i < 500; i++)
    {
      Count count = { .fail_at = -1 };

      g_assert_cmpint (ls_parallel_launch (count_task, &count, 4), ==, 0);
      g_assert_cmpint (atomic_load (&count.total), ==, 4);
      if (i % 100 == 0)
        g_usleep (500);
    }
  return NULL;
}

static void
test_callers (void)
{
  GThread *threads[3];

  ls_pool_set_threads (2);
  for (int i = 0; i < 3; i++)
    threads[i] = g_thread_new ("caller", launch_often, NULL);
  for (int i = 0; i < 3; i++)
    g_thread_join (threads[i]);
}

/* Threads asleep, awake, stopped and started again: nothing gets lost. */
static void
test_sleep_and_restart (void)
{
  ls_pool_set_threads (2);
  for (int i = 0; i < 60; i++)
    {
      Count count = { .fail_at = -1 };

      if (i % 10 == 0)
        ls_pool_shutdown ();
      if (i % 3 == 0)
        g_usleep (1000);
      g_assert_cmpint (ls_parallel_launch (count_task, &count, 9), ==, 0);
      g_assert_cmpint (atomic_load (&count.total), ==, 9);
    }
}

static void
test_workspace (void)
{
  void *first = ls_workspace_alloc (1000);
  void *second = ls_workspace_alloc (100000);

  g_assert_cmpuint ((gsize) first % 64, ==, 0);
  memset (first, 1, 1000);
  memset (second, 2, 100000);
  ls_workspace_free (second);
  ls_workspace_free (first);
  g_assert_true (ls_workspace_alloc (900) == first);
  ls_workspace_free (first);
  g_assert_null (ls_workspace_alloc (G_MAXUINT64));
  for (int i = 0; i < 40; i++)
    ls_workspace_free (ls_workspace_alloc (64u << (i % 10)));
  ls_workspace_free (NULL);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/pool/each-once", test_each_once);
  g_test_add_func ("/runtime/pool/default-number", test_default_number);
  g_test_add_func ("/runtime/pool/error", test_error);
  g_test_add_func ("/runtime/pool/nested", test_nested);
  g_test_add_func ("/runtime/pool/callers", test_callers);
  g_test_add_func ("/runtime/pool/sleep-and-restart", test_sleep_and_restart);
  g_test_add_func ("/runtime/workspace", test_workspace);
  status = g_test_run ();
  ls_pool_shutdown ();
  return status;
}
