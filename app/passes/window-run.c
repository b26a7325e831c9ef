/* passes/window-run: a module of LLVM after each pass, compiled as it stands and called by the worker: its time and its result in the list. */
#include "app/passes/private.h"

#include "app/rpc/rpc.h"
#include "views/models/format.h"
#include "views/parts/parts.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define RUN_TIMEOUT_MS 30000    /* of one dump */
#define CLEARLY 1.1             /* times faster, to be told */

/* ---- running ------------------------------------------------------------------------- */

typedef struct {
  LsPassesWindow *self;
  GtkWindow      *window;       /* a reference, so that `self` lives */
  LsPasses       *passes;
  LsWorker       *worker;
  GCancellable   *cancellable;
  GVariant       *reference;    /* what the first one gave, or NULL */
  char           *entry, *arguments;
  int             dump;         /* that runs */
  double          before, most; /* ns of the one before; how much faster the fastest step is */
  int             fastest, wrong;       /* dumps, or -1 */
  char           *trouble;      /* of the wrong one */
} Run;

static void
run_free (Run *run)
{
  g_object_unref (run->window);
  ls_passes_unref (run->passes);
  g_object_unref (run->worker);
  g_object_unref (run->cancellable);
  g_clear_pointer (&run->reference, g_variant_unref);
  g_free (run->entry);
  g_free (run->arguments);
  g_free (run->trouble);
  g_free (run);
}

/* The next dump that holds another program; -1: none. */
static int
next_program (LsPasses *passes,
              int       from,
              gboolean  first)
{
  LsPassLog *log = ls_passes_get_log (passes);

  for (guint i = (guint) from; i < log->dumps->len; i++)
    {
      LsPassDump *dump = ls_passes_get_dump (passes, i);

      if (dump->language == LS_PASS_LOG_LLVM && (first || dump->effective)
          && g_strstr_len (ls_pass_log_text (log, dump->file, NULL) + dump->start, (gssize) (dump->other - dump->start), "define ") != NULL)
        return (int) i;
    }
  return -1;
}

/* All of it ran. */
static void
conclude (Run *run)
{
  g_autoptr (GString) words = g_string_new (NULL);

  if (run->fastest >= 0)
    g_string_append_printf (words, _("%d %s made it fastest: %.2f×."), run->fastest + 1, ls_passes_get_dump (run->passes, (guint) run->fastest)->pass, run->most);
  else
    g_string_append (words, _("No pass made it clearly faster."));
  g_string_append_c (words, ' ');
  if (run->wrong >= 0)
    g_string_append_printf (words, _("%d %s made it wrong: %s."), run->wrong + 1, ls_passes_get_dump (run->passes, (guint) run->wrong)->pass, run->trouble);
  else
    g_string_append (words, _("All results are the same."));
  gtk_label_set_label (GTK_LABEL (run->self->answer), words->str);
  if (run->wrong >= 0)
    ls_passes_list_choose (LS_PASSES_LIST (run->self->list), (guint) run->wrong);
}

static void run_next (Run *run);

static void
note_wrong (Run        *run,
            const char *trouble)
{
  if (run->wrong >= 0 || *trouble == '\0')
    return;
  run->wrong = run->dump;
  run->trouble = g_strdup (trouble);
}

static void
ran (GObject      *source,
     GAsyncResult *result,
     gpointer      data)
{
  Run *run = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  double median = answer != NULL ? ls_params_double (answer, "median", 0) : 0;
  const char *wrong = answer != NULL ? ls_params_string (answer, "wrong", "") : error->message;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || run->self->passes != run->passes)
    {
      run_free (run);
      return;
    }
  if (answer == NULL && run->reference == NULL)
    {
      gtk_label_set_label (GTK_LABEL (run->self->answer), error->message);
      g_clear_object (&run->self->running);
      run_free (run);
      return;
    }
  ls_passes_set_run (run->passes, (guint) run->dump, median, wrong);
  note_wrong (run, wrong);
  if (run->reference == NULL)
    run->reference = g_variant_lookup_value (answer, "outputs", G_VARIANT_TYPE ("a(ssay)"));
  if (run->before > 0 && median > 0 && run->before / median > MAX (run->most, CLEARLY))
    {
      run->most = run->before / median;
      run->fastest = run->dump;
    }
  run->before = median > 0 ? median : run->before;
  ls_passes_list_refresh (LS_PASSES_LIST (run->self->list));
  run->dump = next_program (run->passes, run->dump + 1, FALSE);
  run_next (run);
}

static void
run_next (Run *run)
{
  const LsWorkerOptions options = { .timeout_ms = RUN_TIMEOUT_MS };
  LsPassLog *log = ls_passes_get_log (run->passes);
  g_autofree char *text = NULL, *words = NULL;
  const LsPassDump *dump;
  GVariantDict params;

  if (run->dump < 0)
    {
      g_clear_object (&run->self->running);
      conclude (run);
      run_free (run);
      return;
    }
  dump = ls_passes_get_dump (run->passes, (guint) run->dump);
  text = g_strndup (ls_pass_log_text (log, dump->file, NULL) + dump->start, dump->other - dump->start);
  words = g_strdup_printf (_("%s runs as it is after %d %s."), run->entry, run->dump + 1, dump->pass);
  gtk_label_set_label (GTK_LABEL (run->self->answer), words);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "entry", "s", run->entry);
  g_variant_dict_insert (&params, "arguments", "s", run->arguments);
  if (run->reference != NULL)
    g_variant_dict_insert_value (&params, "reference", run->reference);
  ls_worker_call_async (run->worker, "run-foreign", g_variant_dict_end (&params), &options, run->cancellable, ran, run);
}

/* ---- asking -------------------------------------------------------------------------- */

static void
answered (AdwMessageDialog *dialog,
          const char       *response,
          LsPassesWindow   *self)
{
  const char *entry = gtk_editable_get_text (g_object_get_data (G_OBJECT (dialog), "entry"));
  const char *arguments = gtk_editable_get_text (g_object_get_data (G_OBJECT (dialog), "arguments"));
  int first = self->passes != NULL ? next_program (self->passes, 0, TRUE) : -1;
  Run *run;

  if (strcmp (response, "run") != 0)
    return;
  if (first < 0)
    {
      gtk_label_set_label (GTK_LABEL (self->answer), _("No dump holds a program of LLVM."));
      return;
    }
  ls_passes_window_stop (&self->running);
  self->running = g_cancellable_new ();
  g_free (self->entry);
  g_free (self->arguments);
  self->entry = g_strdup (entry);
  self->arguments = g_strdup (arguments);
  run = g_new0 (Run, 1);
  *run = (Run) { .self = self, .window = g_object_ref (self->window), .passes = ls_passes_ref (self->passes), .worker = ls_worker_new (),
                 .cancellable = g_object_ref (self->running), .entry = g_strdup (entry), .arguments = g_strdup (arguments), .dump = first, .fastest = -1, .wrong = -1 };
  run_next (run);
}

static GtkWidget *
field (AdwMessageDialog *dialog,
       GtkWidget        *box,
       const char       *key,
       const char       *label,
       const char       *text)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_widget_add_css_class (entry, "monospace");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_object_set_data (G_OBJECT (dialog), key, entry);
  gtk_box_append (GTK_BOX (box), ls_part_label (label, "reason"));
  gtk_box_append (GTK_BOX (box), entry);
  return entry;
}

/* A function of the shown pass. */
static const char *
likely_entry (LsPassesWindow *self)
{
  LsPassLog *log = ls_passes_get_log (self->passes);

  for (guint i = log->parts->len; i-- > 0;)
    if (*g_array_index (log->parts, LsPassPart, i).name != '\0' && g_array_index (log->parts, LsPassPart, i).end > 0)
      return g_array_index (log->parts, LsPassPart, i).name;
  return "";
}

void
ls_passes_window_ask_run (LsPassesWindow *self)
{
  GtkWidget *dialog, *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  AdwMessageDialog *message;

  if (self->passes == NULL)
    {
      g_object_unref (g_object_ref_sink (box));
      return;
    }
  dialog = adw_message_dialog_new (self->window, _("Run after each pass"), NULL);
  message = ADW_MESSAGE_DIALOG (dialog);
  adw_message_dialog_set_body (message, _("A function of the module is compiled as each pass left it, without further passes, and called by the worker on the same inputs. "
                                          "The log must hold whole modules (-print-module-scope)."));
  adw_message_dialog_add_responses (message, "cancel", _("Cancel"), "run", _("Run"), NULL);
  adw_message_dialog_set_response_appearance (message, "run", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (message, "run");
  adw_message_dialog_set_close_response (message, "cancel");
  field (message, box, "entry", _("Function"), self->entry != NULL ? self->entry : likely_entry (self));
  field (message, box, "arguments", _("Arguments, such as f32[1024] i32=1024: a buffer for each pointer, a number for each other"),
         self->arguments != NULL ? self->arguments : "");
  adw_message_dialog_set_extra_child (message, box);
  g_signal_connect (dialog, "response", G_CALLBACK (answered), self);
  gtk_widget_add_css_class (dialog, "loopscope");
  gtk_window_present (GTK_WINDOW (dialog));
}
