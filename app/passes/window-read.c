/* passes/window-read: a thread reads the log, of a file or of a command that it runs, and sends what it has so far. */
#include "app/passes/private.h"

#include "app/passes/command.h"
#include "app/rpc/rpc.h"

#include "engine/base/task.h"
#include "views/parts/status.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/mman.h>

#define STEP_TIMEOUT_MS 120000

/* ---- reading ------------------------------------------------------------------------- */

typedef struct {
  LsPassesWindow       *self;
  GtkWindow    *window;         /* a reference, so that `self` lives */
  GCancellable *cancellable;
  char         *path;           /* of the file or pipe; else, of a command: */
  char         *command, *folder;
  GBytes       *bytes;          /* what a command or a pipe said */
  GCancellable *stop;           /* ends the command; what it printed is read */
  int           status;         /* of the command; -1: it was ended */
  LsPassLogKind kind;
  guint         sent;
  LsPassesQuery *query;
  guint         asked;          /* serial of the question that `search` answers */
  LsPassSearch  search;
  guint         told;           /* dumps that it was told for */
  GPtrArray    *names;          /* of the passes that a command announced; its scan holds them */
} Reading;

typedef struct {
  LsPassesWindow       *self;
  GtkWindow    *window;
  GCancellable *cancellable;
  GArray       *dumps;
  GStringChunk *names;          /* theirs: the log, or the scan of what a command says, may go before the row does */
  LsPassSearch  search;         /* what NULL: nothing was looked for */
  guint         asked;
  const char   *pass;           /* the first that was found */
  double        fraction;       /* that is read, below 0: not known */
} Batch;

static gboolean
take_batch (gpointer data)
{
  Batch *batch = data;

  if (batch->self->reading == batch->cancellable && !g_cancellable_is_cancelled (batch->cancellable))
    {
      g_autofree char *words = NULL;

      batch->self->n_early += batch->dumps->len;
      if (batch->search.what != NULL && batch->self->query != NULL && batch->asked == batch->self->query->serial)
        ls_passes_window_search_so_far (batch->self, &batch->search, batch->pass, batch->fraction);
      words = g_strdup_printf (ngettext ("%u dump so far.", "%u dumps so far.", batch->self->n_early), batch->self->n_early);
      gtk_label_set_label (GTK_LABEL (batch->self->sentence), words);
      gtk_stack_set_visible_child_name (GTK_STACK (batch->self->stack), "passes");
      ls_passes_list_grow (LS_PASSES_LIST (batch->self->list), (const LsPassDump *) (void *) batch->dumps->data, batch->dumps->len);
    }
  g_array_unref (batch->dumps);
  g_string_chunk_free (batch->names);
  ls_pass_search_clear (&batch->search);
  g_object_unref (batch->cancellable);
  g_object_unref (batch->window);
  g_free (batch);
  return G_SOURCE_REMOVE;
}

static Batch *
batch_new (Reading          *reading,
           const LsPassDump *dumps,
           guint             n)
{
  Batch *batch = g_new0 (Batch, 1);

  *batch = (Batch) { reading->self, g_object_ref (reading->window), g_object_ref (reading->cancellable), g_array_new (FALSE, FALSE, sizeof (LsPassDump)),
                     g_string_chunk_new (1024) };
  for (guint i = 0; i < n; i++)
    {
      LsPassDump dump = dumps[i];

      dump.pass = g_string_chunk_insert_const (batch->names, dump.pass);
      dump.unit = g_string_chunk_insert_const (batch->names, dump.unit);
      g_array_append_val (batch->dumps, dump);
    }
  batch->fraction = -1;
  return batch;
}

/* Takes a new question. FALSE: there is none. */
static gboolean
take_question (Reading *reading)
{
  g_mutex_lock (&reading->query->mutex);
  if (reading->query->serial != reading->asked)
    {
      ls_pass_search_clear (&reading->search);
      ls_pass_search_init (&reading->search, reading->query->what, reading->query->remover);
      reading->asked = reading->query->serial;
      reading->told = G_MAXUINT;
    }
  g_mutex_unlock (&reading->query->mutex);
  return reading->search.what != NULL;
}

/* What was found so far goes along. */
static void
put_answer (Reading    *reading,
            Batch      *batch,
            const char *pass,
            double      fraction)
{
  batch->search = reading->search;
  batch->search.what = g_strdup (reading->search.what);
  batch->search.found = NULL;
  batch->asked = reading->asked;
  batch->pass = pass != NULL ? g_string_chunk_insert_const (batch->names, pass) : "";
  batch->fraction = fraction;
  reading->told = reading->search.next;
}

/* How much of a log in one file is read; -1: it is in several. */
static double
fraction_of (LsPassLog *log,
             guint      n)
{
  gsize size = g_bytes_get_size (log->files->pdata[0]);

  return log->files->len == 1 && size > 0 && !g_array_index (log->sources, LsPassSource, 0).whole ? (double) g_array_index (log->dumps, LsPassDump, n - 1).end / (double) size : -1;
}

/* In the thread that reads. */
static gboolean
more_read (LsPassLog *log,
           guint      n,
           gpointer   data)
{
  Reading *reading = data;
  Batch *batch = batch_new (reading, &g_array_index (log->dumps, LsPassDump, reading->sent), n - reading->sent);

  reading->sent = n;
  if (take_question (reading))
    {
      ls_pass_search_log (&reading->search, log, n);
      put_answer (reading, batch, reading->search.first >= 0 ? g_array_index (log->dumps, LsPassDump, reading->search.first).pass : NULL, fraction_of (log, n));
    }
  g_idle_add_full (G_PRIORITY_DEFAULT, take_batch, batch, NULL);
  return !g_cancellable_is_cancelled (reading->cancellable);
}

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_object_unref (reading->cancellable);
  g_object_unref (reading->window);
  ls_passes_query_unref (reading->query);
  ls_pass_search_clear (&reading->search);
  g_ptr_array_unref (reading->names);
  g_clear_object (&reading->stop);
  g_clear_pointer (&reading->bytes, g_bytes_unref);
  g_free (reading->path);
  g_free (reading->command);
  g_free (reading->folder);
  g_free (reading);
}

static void
passes_free (gpointer data)
{
  ls_passes_unref (data);
}

/* In the thread that runs a command. */
static void
announced (GArray              *dumps,
           const LsPassesSoFar *so_far,
           gpointer             data)
{
  Reading *reading = data;
  gboolean asked = take_question (reading);
  void *text = NULL;
  Batch *batch;

  for (guint i = 0; i < dumps->len; i++)
    g_ptr_array_add (reading->names, (gpointer) g_array_index (dumps, LsPassDump, i).pass);
  if (dumps->len == 0 && (!asked || reading->told == reading->search.next))
    return;
  batch = batch_new (reading, (const LsPassDump *) (void *) dumps->data, dumps->len);
  if (asked && so_far->size > 0)
    text = mmap (NULL, so_far->size, PROT_READ, MAP_SHARED, so_far->file, 0);
  if (asked && text != NULL && text != MAP_FAILED)
    {
      ls_pass_search_text (&reading->search, text, 0, (const gsize *) (void *) so_far->heads->data, so_far->heads->len);
      munmap (text, so_far->size);
    }
  if (asked)
    put_answer (reading, batch, reading->search.first >= 0 ? reading->names->pdata[reading->search.first] : NULL, -1);
  g_idle_add_full (G_PRIORITY_DEFAULT, take_batch, batch, NULL);
}

/* Runs the command and reads what it printed; NULL: `error` is set. */
static LsPassLog *
run_command (Reading *reading,
             GError **error)
{
  g_auto (LsPassesOutput) output = { 0 };
  g_autofree char *tail = NULL;
  LsPassLog *log;

  if (!ls_passes_command_run (reading->command, reading->folder, reading->stop, announced, reading, &output, error))
    return NULL;
  reading->status = output.status;
  log = ls_pass_log_read (output.output, reading->kind, error);
  if (log != NULL)
    reading->bytes = g_bytes_ref (output.output);
  else if (*(tail = ls_passes_output_tail (&output, 12)) != '\0')
    {
      g_clear_error (error);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, tail);
    }
  return log;
}

static void
read_log (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  LsPassLog *log = reading->path != NULL ? ls_pass_log_open_full (reading->path, reading->kind, TRUE, more_read, reading, &error)
                   : reading->bytes != NULL ? ls_pass_log_read (reading->bytes, reading->kind, &error) : run_command (reading, &error);

  if (log != NULL && reading->path != NULL && ls_pass_log_is_pipe (reading->path))
    reading->bytes = g_bytes_ref (log->files->pdata[0]);        /* it cannot be read again */
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
  if (self->command != NULL && self->exit_status != 0)
    {
      g_autofree char *ended = self->exit_status < 0 ? g_strdup (_("The command was stopped.")) : g_strdup_printf (_("The command failed (status %d)."), self->exit_status);
      g_autofree char *both = g_strjoin (" ", ended, words, NULL);

      gtk_label_set_label (GTK_LABEL (self->sentence), both);
    }
  else
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

void
ls_passes_window_show_log (LsPassesWindow *self,
                           LsPasses       *passes)
{
  g_clear_pointer (&self->passes, ls_passes_unref);
  self->passes = passes;
  ls_passes_list_set (LS_PASSES_LIST (self->list), passes);
  show_kind (self);
  say_log (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "passes");
  ls_passes_list_take_keyboard (LS_PASSES_LIST (self->list));
  ls_passes_window_arrive (self);
}

/* ---- a module without dumps ---------------------------------------------------------- */

gboolean
ls_passes_is_module (const char *path)
{
  g_autofree char *text = NULL;

  return g_str_has_suffix (path, ".ll") && g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "define ") != NULL
         && ls_pass_log_recognise (path) == LS_PASS_LOG_AUTO;
}

static void
stepped (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  LsPassesWindow *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  const char *printed = answer != NULL ? ls_params_string (answer, "log", "") : "";
  g_autoptr (GBytes) bytes = g_bytes_new (printed, strlen (printed));
  LsPassLog *log = answer != NULL ? ls_pass_log_read (bytes, LS_PASS_LOG_LLVM, &error) : NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->reading);
  gtk_widget_set_visible (self->cancel, FALSE);
  if (log != NULL)
    ls_passes_window_show_log (self, ls_passes_new (log));
  else
    ls_passes_window_say (self, error != NULL ? error->message : _("There is no text in it."), TRUE);
}

void
ls_passes_window_step (LsPassesWindow *self,
                       const char     *path)
{
  const LsWorkerOptions options = { .timeout_ms = STEP_TIMEOUT_MS };
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autofree char *text = NULL;
  GVariantDict params;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  self->reading = g_cancellable_new ();
  gtk_widget_set_visible (self->cancel, TRUE);
  gtk_label_set_label (GTK_LABEL (self->sentence), _("It is one module: the passes of LLVM’s -O2 are run on it."));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  ls_worker_call_async (worker, "step-foreign", g_variant_dict_end (&params), &options, self->reading, stepped, self);
}

/* ---- what was read --------------------------------------------------------------------- */

static void
log_read (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsPassesWindow *self = data;
  g_autoptr (GError) error = NULL;
  LsPasses *passes = g_task_propagate_pointer (G_TASK (result), &error);
  Reading *reading = g_task_get_task_data (G_TASK (result));

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->reading);
  g_clear_object (&self->stop);
  if (reading->bytes != NULL && (reading->stop != NULL || reading->path != NULL))
    {
      g_clear_pointer (&self->output, g_bytes_unref);
      self->output = g_bytes_ref (reading->bytes);
      self->exit_status = reading->status;
    }
  gtk_widget_set_visible (self->cancel, FALSE);
  if (passes == NULL && reading->path != NULL && ls_passes_is_module (reading->path))
    {
      ls_passes_window_step (self, reading->path);
      return;
    }
  if (passes == NULL)
    {
      g_autofree char *words = error_words (error);

      ls_passes_list_set (LS_PASSES_LIST (self->list), NULL);
      ls_passes_window_say (self, words, TRUE);
      return;
    }
  ls_passes_window_show_log (self, passes);
  ls_passes_window_search_again (self);
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

/* Nothing is shown, and a thread reads. */
static void
begin (LsPassesWindow *self,
       Reading         with,
       const char     *words)
{
  g_autoptr (GTask) task = NULL;
  Reading *reading = g_new0 (Reading, 1);

  ls_passes_window_stop (&self->reading);
  ls_passes_window_stop (&self->showing);
  ls_passes_window_stop (&self->searching);
  ls_passes_window_stop (&self->running);
  gtk_label_set_label (GTK_LABEL (self->answer), "");
  ls_passes_window_follow_end (self);
  ls_passes_window_two_end (self);
  g_clear_pointer (&self->passes, ls_passes_unref);
  ls_passes_list_set (LS_PASSES_LIST (self->list), NULL);
  self->n_early = 0;
  self->reading = g_cancellable_new ();
  *reading = with;
  reading->self = self;
  g_clear_pointer (&self->query, ls_passes_query_unref);
  self->query = g_new0 (LsPassesQuery, 1);
  g_atomic_ref_count_init (&self->query->refs);
  g_mutex_init (&self->query->mutex);
  reading->query = ls_passes_query_ref (self->query);
  reading->names = g_ptr_array_new ();
  reading->window = g_object_ref (self->window);
  reading->cancellable = g_object_ref (self->reading);
  task = g_task_new (self->window, self->reading, log_read, self);
  g_task_set_task_data (task, reading, reading_free);
  gtk_button_set_label (GTK_BUTTON (self->cancel), reading->stop != NULL ? _("Stop") : _("Cancel"));
  gtk_widget_set_visible (self->cancel, TRUE);
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  ls_task_run (task, read_log);
}

void
ls_passes_window_read (LsPassesWindow *self,
                       LsPassLogKind   kind)
{
  char *path = self->file != NULL ? g_file_get_path (self->file) : NULL;

  if (self->output != NULL)
    begin (self, (Reading) { .bytes = g_bytes_ref (self->output), .kind = kind }, _("The log is being read."));
  else if (path == NULL)
    {
      ls_passes_window_stop (&self->reading);
      g_clear_pointer (&self->passes, ls_passes_unref);
      ls_passes_list_set (LS_PASSES_LIST (self->list), NULL);
      ls_passes_window_say (self, _("Only files of this machine can be opened."), TRUE);
    }
  else
    begin (self, (Reading) { .path = path, .kind = kind }, _("The log is being read."));
}

void
ls_passes_window_run (LsPassesWindow *self)
{
  g_autofree char *words = g_strdup_printf (_("Running: %s"), self->command);

  ls_passes_window_stop (&self->stop);
  g_clear_pointer (&self->output, g_bytes_unref);
  self->stop = g_cancellable_new ();
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "passes");
  begin (self, (Reading) { .command = g_strdup (self->command), .folder = g_strdup (self->folder), .stop = g_object_ref (self->stop), .kind = LS_PASS_LOG_AUTO }, words);
}

void
ls_passes_window_cancel (LsPassesWindow *self)
{
  if (self->stop != NULL)
    {
      ls_passes_window_stop (&self->stop);      /* what was printed so far is read */
      gtk_widget_set_visible (self->cancel, FALSE);
      return;
    }
  ls_passes_window_stop (&self->reading);
  gtk_widget_set_visible (self->cancel, FALSE);
  ls_passes_list_set (LS_PASSES_LIST (self->list), NULL);
  ls_passes_window_say (self, _("Reading was ended."), TRUE);
}
