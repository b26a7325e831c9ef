/* run/value: what an expression of the program is worth where the run stands. */
#include "app/run/private.h"

#include "views/run/text.h"

static void
value_answered (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_return_pointer (task, g_strdup_printf ("%s = %s", ls_params_string (answer, "expression", "?"), ls_params_string (answer, "text", "?")), g_free);
}

/* Only while the run stands still; it is not cancelled, because that would end the worker and the run with it. */
void
ls_run_value_wanted (const char *expression,
                     GTask      *task,
                     gpointer    data)
{
  LsRun *self = data;
  g_autofree char *command = g_strconcat ("print ", expression, NULL);
  GVariantDict params;

  if (self->look == NULL || ls_run_is_busy (self))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "the run does not stand still");
      g_object_unref (task);
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  ls_worker_call_async (self->worker, "debug", g_variant_dict_end (&params), NULL, NULL, value_answered, task);
}

/* The label lives on where the window has gone meanwhile; then it knows no run. */
static void
cursor_answered (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (GtkLabel) label = data;
  g_autofree char *words = g_task_propagate_pointer (G_TASK (result), NULL);
  LsRun *self = g_object_get_data (G_OBJECT (label), LS_RUN_KEY);
  gboolean moved;

  if (self == NULL)
    return;
  moved = self->asks_again;
  self->asks_value = self->asks_again = FALSE;
  gtk_label_set_label (label, words != NULL ? words : "");
  if (moved)
    ls_run_value_follow (self);
}

/* With the keyboard the cursor is what the pointer is with the mouse. */
void
ls_run_value_follow (LsRun *self)
{
  g_autofree char *expression = NULL;

  if (self->asks_value)
    {
      self->asks_again = TRUE;
      return;
    }
  expression = gtk_widget_has_focus (self->text) ? ls_run_text_expression_at_cursor (GTK_SOURCE_VIEW (self->text)) : NULL;
  if (expression == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->value), "");
      return;
    }
  self->asks_value = TRUE;
  ls_run_value_wanted (expression, g_task_new (NULL, NULL, cursor_answered, g_object_ref (self->value)), self);
}
