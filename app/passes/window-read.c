/* passes/window-read: a thread reads the log and sends what it has so far. */
#include "app/passes/private.h"

#include "views/parts/status.h"

#include <glib/gi18n.h>

/* ---- reading ------------------------------------------------------------------------- */

typedef struct {
  LsPassesWindow       *self;
  GtkWindow    *window;         /* a reference, so that `self` lives */
  GCancellable *cancellable;
  char         *path;
  LsPassLogKind kind;
  guint         sent;
} Reading;

typedef struct {
  LsPassesWindow       *self;
  GtkWindow    *window;
  GCancellable *cancellable;
  GArray       *dumps;
} Batch;

static gboolean
take_batch (gpointer data)
{
  Batch *batch = data;

  if (batch->self->reading == batch->cancellable && !g_cancellable_is_cancelled (batch->cancellable))
    {
      g_autofree char *words = NULL;

      batch->self->n_early += batch->dumps->len;
      words = g_strdup_printf (ngettext ("%u dump so far.", "%u dumps so far.", batch->self->n_early), batch->self->n_early);
      gtk_label_set_label (GTK_LABEL (batch->self->sentence), words);
      gtk_stack_set_visible_child_name (GTK_STACK (batch->self->stack), "passes");
      ls_passes_list_grow (LS_PASSES_LIST (batch->self->list), (const LsPassDump *) (void *) batch->dumps->data, batch->dumps->len);
    }
  g_array_unref (batch->dumps);
  g_object_unref (batch->cancellable);
  g_object_unref (batch->window);
  g_free (batch);
  return G_SOURCE_REMOVE;
}

/* In the thread that reads. */
static gboolean
more_read (LsPassLog *log,
           guint      n,
           gpointer   data)
{
  Reading *reading = data;
  Batch *batch = g_new0 (Batch, 1);

  *batch = (Batch) { reading->self, g_object_ref (reading->window), g_object_ref (reading->cancellable), g_array_new (FALSE, FALSE, sizeof (LsPassDump)) };
  g_array_append_vals (batch->dumps, &g_array_index (log->dumps, LsPassDump, reading->sent), n - reading->sent);
  for (guint i = 0; i < batch->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (batch->dumps, LsPassDump, i);

      dump->pass = g_intern_string (dump->pass);        /* the log may go before the row does */
      dump->unit = g_intern_string (dump->unit);
    }
  reading->sent = n;
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, take_batch, batch, NULL);
  return !g_cancellable_is_cancelled (reading->cancellable);
}

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_object_unref (reading->cancellable);
  g_object_unref (reading->window);
  g_free (reading->path);
  g_free (reading);
}

static void
passes_free (gpointer data)
{
  ls_passes_unref (data);
}

static void
read_log (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  LsPassLog *log = ls_pass_log_open_full (reading->path, reading->kind, TRUE, more_read, reading, &error);

  if (log == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, ls_passes_new (log), passes_free);
}

void
ls_passes_window_say (LsPassesWindow *self,
                      const char     *words,
                      gboolean        failed)
{
  ls_status_set (LS_STATUS (self->status), words, NULL, NULL, failed || self->own ? NULL : _("or drop a log here: of LLVM, MLIR, Triton, TVM, GCC or XLA"));
  ls_status_set_failed (LS_STATUS (self->status), failed);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "status");
  gtk_label_set_label (GTK_LABEL (self->sentence), failed ? words : "");
}

static char *
error_words (const GError *error)
{
  if (g_error_matches (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_EMPTY))
    return g_strdup (_("There is no text in it."));
  if (g_error_matches (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN))
    return g_strdup (_("No dump of a pass is in it. Looked for are lines such as “*** IR Dump After P on F ***” (LLVM), “// -----// IR Dump After P” (MLIR), "
                       "“# from tvm.script” (TVM), “HloModule” (XLA), “;; Function F” (GCC), or a folder of numbered files."));
  return g_strdup (error->message);
}

static void
say_log (LsPassesWindow *self)
{
  LsPassLog *log = ls_passes_get_log (self->passes);
  guint effective = 0;
  gsize bytes = 0;
  g_autofree char *size = NULL, *words = NULL;

  for (guint i = 0; i < log->dumps->len; i++)
    effective += ls_passes_get_dump (self->passes, i)->effective;
  for (guint i = 0; i < log->files->len; i++)
    bytes += g_bytes_get_size (log->files->pdata[i]);
  size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  words = g_strdup_printf (ngettext ("%u of %u passes changes something; the log has %s.", "%u of %u passes change something; the log has %s.", effective), effective,
                           log->dumps->len, size);
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
}

static void
show_kind (LsPassesWindow *self)
{
  LsPassLog *log = ls_passes_get_log (self->passes);

  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kinds), log->kind);
  self->filling = FALSE;
}

static void
show_log (LsPassesWindow *self)
{
  show_kind (self);
  say_log (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "passes");
  ls_passes_list_take_keyboard (LS_PASSES_LIST (self->list));
  ls_passes_window_arrive (self);
}

static void
log_read (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsPassesWindow *self = data;
  g_autoptr (GError) error = NULL;
  LsPasses *passes = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->reading);
  gtk_widget_set_visible (self->cancel, FALSE);
  g_clear_pointer (&self->passes, ls_passes_unref);
  self->passes = passes;
  ls_passes_list_set (LS_PASSES_LIST (self->list), passes);
  if (passes == NULL)
    {
      g_autofree char *words = error_words (error);

      ls_passes_window_say (self, words, TRUE);
      return;
    }
  show_log (self);
}

void
ls_passes_window_update (LsPassesWindow *self,
                         LsPasses       *passes,
                         const char     *words)
{
  gboolean first = self->passes == NULL;

  ls_passes_window_follow_end (self);
  ls_passes_window_two_end (self);
  ls_passes_window_two_end (self);
  g_clear_pointer (&self->passes, ls_passes_unref);
  self->passes = passes;
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "passes");
  self->keeps_place = TRUE;
  ls_passes_list_update (LS_PASSES_LIST (self->list), passes);
  self->keeps_place = FALSE;
  if (first)
    ls_passes_list_take_keyboard (LS_PASSES_LIST (self->list));
}

void
ls_passes_window_read (LsPassesWindow *self,
                       LsPassLogKind   kind)
{
  g_autofree char *path = g_file_get_path (self->file);
  g_autoptr (GTask) task = NULL;
  Reading *reading;

  ls_passes_window_stop (&self->reading);
  ls_passes_window_stop (&self->showing);
  ls_passes_window_stop (&self->searching);
  gtk_label_set_label (GTK_LABEL (self->answer), "");
  ls_passes_window_follow_end (self);
  ls_passes_window_two_end (self);
  g_clear_pointer (&self->passes, ls_passes_unref);
  ls_passes_list_set (LS_PASSES_LIST (self->list), NULL);
  if (path == NULL)
    {
      ls_passes_window_say (self, _("Only files of this machine can be opened."), TRUE);
      return;
    }
  self->n_early = 0;
  self->reading = g_cancellable_new ();
  reading = g_new0 (Reading, 1);
  *reading = (Reading) { self, g_object_ref (self->window), g_object_ref (self->reading), g_steal_pointer (&path), kind, 0 };
  task = g_task_new (self->window, self->reading, log_read, self);
  g_task_set_task_data (task, reading, reading_free);
  gtk_widget_set_visible (self->cancel, TRUE);
  gtk_label_set_label (GTK_LABEL (self->sentence), _("The log is being read."));
  g_task_run_in_thread (task, read_log);
}

void
ls_passes_window_cancel (LsPassesWindow *self)
{
  ls_passes_window_stop (&self->reading);
  gtk_widget_set_visible (self->cancel, FALSE);
  ls_passes_list_set (LS_PASSES_LIST (self->list), NULL);
  ls_passes_window_say (self, _("Reading was ended."), TRUE);
}
