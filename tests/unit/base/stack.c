/* stack: recursion of any depth, in the first thread and in small ones, and back. */
#include "engine/base/stack.h"

typedef struct {
  guint   depth;
  guint64 sum;
} Down;

static guint64 down (guint depth);

static void
down_again (gpointer data)
{
  Down *self = data;

  self->sum = down (self->depth);
}

/* Each level keeps something that is read after the way back. */
static guint64
down (guint depth)
{
  volatile guint64 mine[16] = { depth };
  Down again = { depth, 0 };

  if (ls_stack_is_short ())
    {
      ls_stack_extend (down_again, &again);
      return again.sum;
    }
  if (depth == 0)
    return 0;
  mine[15] = down (depth - 1);
  return mine[0] + mine[15];
}

static guint64
sum_to (guint64 n)
{
  return n * (n + 1) / 2;
}

static void
deep (void)
{
  for (guint n = 10; n <= 1000000; n *= 10)
    g_assert_cmpuint (down (n), ==, sum_to (n));
}

static gpointer
in_thread (gpointer data)
{
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (down (200000), ==, sum_to (200000));
  g_assert_cmpuint (down (GPOINTER_TO_UINT (data)), ==, sum_to (GPOINTER_TO_UINT (data)));
  return NULL;
}

static void
threads (void)
{
  GThread *all[4];

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] = g_thread_new ("deep", in_thread, GUINT_TO_POINTER (100000 + i));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_thread_join (all[i]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/stack/deep", deep);
  g_test_add_func ("/base/stack/threads", threads);
  return g_test_run ();
}
