/* task: see the header. */
#include "engine/base/task.h"

typedef struct {
  GTask          *task;         /* held by the callback of the thread's own task */
  GTaskThreadFunc func;
} Work;

static void
work (GTask        *inner,
      gpointer      nothing,
      gpointer      data,
      GCancellable *none)
{
  Work *self = data;

  self->func (self->task, g_task_get_source_object (self->task), g_task_get_task_data (self->task), g_task_get_cancellable (self->task));
  g_task_return_boolean (inner, TRUE);
}

static void
worked (GObject      *nothing,
        GAsyncResult *result,
        gpointer      task)
{
  g_object_unref (task);
}

void
ls_task_run (GTask           *task,
             GTaskThreadFunc  func)
{
  g_autoptr (GTask) inner = g_task_new (NULL, NULL, worked, g_object_ref (task));
  Work *self = g_new (Work, 1);

  *self = (Work) { task, func };
  g_task_set_task_data (inner, self, g_free);
  g_task_run_in_thread (inner, work);
}
