/* parts/ask-file: see the header. */
#include "views/parts/ask-file.h"

typedef struct {
  GtkFileChooserNative *dialog;
  GtkWidget            *asker;  /* borrowed: it ends this when it goes */
  LsFileChosen          chosen;
  gpointer              data;
  GDestroyNotify        free_data;
  guint                 idle;
} Question;

/* Before anyone is told: who is told may close the window. */
static void
end (Question *self)
{
  g_clear_handle_id (&self->idle, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->asker, self);
  g_signal_handlers_disconnect_by_data (self->dialog, self);
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->dialog));
  g_object_unref (self->dialog);
}

static void
question_free (Question *self)
{
  if (self->free_data != NULL)
    self->free_data (self->data);
  g_free (self);
}

static void
answered (Question *self,
          int       response)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->dialog)) : NULL;

  end (self);
  if (file != NULL)
    self->chosen (self->asker, file, self->data);
  question_free (self);
}

static void
asker_gone (Question *self)
{
  end (self);
  question_free (self);
}

static gboolean
show_idle (gpointer data)
{
  Question *self = data;

  self->idle = 0;
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->dialog));
  return G_SOURCE_REMOVE;
}

void
ls_ask_file (GtkFileChooserNative *dialog,
             GtkWidget            *asker,
             LsFileChosen          chosen,
             gpointer              data,
             GDestroyNotify        free_data)
{
  Question *self = g_new0 (Question, 1);

  *self = (Question) { dialog, asker, chosen, data, free_data, 0 };
  g_signal_connect_swapped (asker, "destroy", G_CALLBACK (asker_gone), self);
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered), self, NULL, G_CONNECT_SWAPPED);
  /* Before the next frame: where frames are late, idle turns behind them do not come at all. */
  self->idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_idle, self, NULL);
}
