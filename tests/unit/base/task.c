/* task: the work is done in a thread, and what the task holds goes where it began. */
#include "engine/base/task.h"

#define TASKS 20

static GThread *first;
static guint n_done, n_gone;

static void
gone (gpointer data,
      GObject *where_the_object_was)
{
  g_assert_true (g_thread_self () == first);
  n_gone++;
}

static void
data_free (gpointer data)
{
  g_assert_true (g_thread_self () == first);
  g_object_unref (data);
}

/* An object that the task alone holds. */
static gpointer
watched (void)
{
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);

  g_object_weak_ref (object, gone, NULL);
  return object;
}

/* Ends long after the result was handed back. */
static void
work (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  g_assert_true (g_thread_self () != first);
  g_assert_true (source == g_task_get_source_object (task) && data == g_task_get_task_data (task));
  g_assert_true (cancellable == g_task_get_cancellable (task));
  g_task_return_int (task, 7);
  g_usleep (5000);
}

static void
done (GObject      *source,
      GAsyncResult *result,
      gpointer      cancelled)
{
  g_autoptr (GError) error = NULL;
  gssize number = g_task_propagate_int (G_TASK (result), &error);

  g_assert_true (g_thread_self () == first);
  if (cancelled != NULL)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_cmpint (number, ==, 7);
  n_done++;
}

static void
test_ends_where_it_began (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  first = g_thread_self ();
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < TASKS; i++)
    {
      g_autoptr (GObject) source = watched ();
      g_autoptr (GTask) task = g_task_new (source, i % 4 == 3 ? cancellable : NULL, done, i % 4 == 3 ? cancellable : NULL);

      g_task_set_task_data (task, watched (), data_free);
      ls_task_run (task, work);
    }
  while (n_gone < 2 * TASKS)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_done, ==, TASKS);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task/ends-where-it-began", test_ends_where_it_began);
  return g_test_run ();
}
