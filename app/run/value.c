/* run/value: see the header. */
#include "app/run/value.h"

#include <glib/gi18n.h>

static void
value_answered (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (answer == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (ls_params_string (answer, "reason", NULL) != NULL)
    g_task_return_pointer (task, g_strdup_printf ("%s: %s", ls_params_string (answer, "expression", "?"), ls_params_string (answer, "reason", "?")), g_free);
  else
    g_task_return_pointer (task, g_strdup_printf ("%s = %s", ls_params_string (answer, "expression", "?"), ls_params_string (answer, "text", "?")), g_free);
}

/* It is not cancelled, because that would end the worker and the run with it. */
void
ls_run_value_ask (LsWorker     *worker,
                  const char   *method,
                  GVariantDict *params,
                  guint         line,
                  guint         column,
                  GTask        *task)
{
  g_autofree char *command = g_strdup_printf ("at %u %u", line, column);

  g_variant_dict_insert (params, "command", "s", command);
  ls_worker_call_async (worker, method, g_variant_dict_end (params), NULL, NULL, value_answered, task);
}

void
ls_run_value_busy (GTask *task)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, _("the run does not stand still"));
  g_object_unref (task);
}
