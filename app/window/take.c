/* window/take: the current step, each step up to it, or the whole history, as a folder that runs and checks itself on a device of another machine.
 *
 * The folder is what `loopscope-cli device export` writes: that program is started on the opened text and the traces, so that there is one way to
 * make a bundle.  The window asks for target, architectures and place. */
#include "app/window/take.h"

#include "app/window/actions.h"
#include "engine/base/folder.h"
#include "engine/tir/device.h"
#include "views/parts/ask-file.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* What is asked, and what is on its way then. */
typedef struct {
  LsWindow  *window;            /* weak */
  GtkWidget *target, *architectures, *each, *whole;
  char      *folder;            /* that is written */
  char      *scratch;           /* program and steps */
  GPtrArray *argv;
} Take;

static void
take_free (gpointer data)
{
  Take *self = data;

  g_clear_weak_pointer (&self->window);
  if (self->scratch != NULL)
    ls_folder_remove (self->scratch);
  g_free (self->scratch);
  g_free (self->folder);
  g_ptr_array_unref (self->argv);
  g_free (self);
}

/* ---- the program that writes the folder ------------------------------------------------------- */

static char *
locate_cli (void)
{
  static const char *const places[] = { "loopscope-cli", "cli/loopscope-cli", "../cli/loopscope-cli", "../../app/cli/loopscope-cli" };
  char path[4096];
  gssize n = readlink ("/proc/self/exe", path, sizeof path - 1);
  g_autofree char *folder = NULL;

  if (n > 0)
    {
      path[n] = '\0';
      folder = g_path_get_dirname (path);
    }
  for (guint i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *found = g_canonicalize_filename (places[i], folder);

      if (g_file_test (found, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (found, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&found);
    }
  return g_find_program_in_path ("loopscope-cli");
}

static void
say_failed (LsWindow   *window,
            const char *why)
{
  ls_window_offer (window, _("The folder for the device was not written"), why, _("Ask again…"), "win.take-to-device");
}

static void
written (GObject      *process,
         GAsyncResult *result,
         gpointer      data)
{
  Take *self = data;
  g_autofree char *err = NULL, *name = g_path_get_basename (self->folder), *done = g_strdup_printf (_("Written to %s"), name);
  g_autoptr (GError) error = NULL;
  gboolean good = g_subprocess_communicate_utf8_finish (G_SUBPROCESS (process), result, NULL, &err, &error) && g_subprocess_get_successful (G_SUBPROCESS (process));

  if (self->window != NULL && good)
    ls_window_say (self->window, done, err != NULL && *g_strstrip (err) != '\0' ? err : _("Take the folder to the device and start ./run there; then open its result.json here."));
  else if (self->window != NULL)
    say_failed (self->window, error != NULL ? error->message : g_strstrip (err));
  take_free (self);
}

/* ---- program and steps as files ------------------------------------------------------------------ */

static gboolean
write_step (Take       *self,
            LsSession  *session,
            LsStepItem *item,
            GError    **error)
{
  const LsStepRecord *step = ls_step_item_get (item);
  g_autofree char *trace = ls_session_get_trace (session, step->id, error);
  g_autofree char *branch = step->prime > 0 ? g_strdup_printf ("_branch%u", step->prime) : g_strdup ("");
  g_autofree char *name = g_strdup_printf ("%02u_%s%s.py", step->number, step->name != NULL ? step->name : "step", branch);
  g_autofree char *path = g_build_filename (self->scratch, name, NULL);
  g_autofree char *text = trace != NULL ? g_strdup_printf ("# %s\n%s", step->call != NULL ? step->call : "", trace) : NULL;

  if (text == NULL || !g_file_set_contents (path, text, -1, error))
    return FALSE;
  g_ptr_array_add (self->argv, g_strdup ("--steps"));
  g_ptr_array_add (self->argv, g_steal_pointer (&path));
  return TRUE;
}

/* Those of a list that have a program of their own, up to `last` (NULL: all). */
static gboolean
write_steps (Take       *self,
             LsSession  *session,
             GListModel *list,
             LsStepItem *last,
             GError    **error)
{
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (list, i);
      const LsStepRecord *step = ls_step_item_get (item);
      gboolean has_program = step->number > 0 && !step->stops && !step->no_effect;

      if (has_program && !write_step (self, session, item, error))
        return FALSE;
      if (item == last)
        break;
    }
  return TRUE;
}

static gboolean
write_files (Take      *self,
             LsSession *session,
             GError   **error)
{
  LsStepItem *current = ls_session_get_current (session);
  g_autofree char *program = NULL;

  self->scratch = g_dir_make_tmp ("loopscope-take-XXXXXX", error);
  if (self->scratch == NULL)
    return FALSE;
  program = g_build_filename (self->scratch, "program.py", NULL);
  if (!g_file_set_contents (program, ls_session_get_base (session), -1, error))
    return FALSE;
  g_ptr_array_add (self->argv, g_steal_pointer (&program));
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->whole)))
    return write_steps (self, session, ls_session_get_history (session), NULL, error);
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->each)))
    return write_steps (self, session, ls_session_get_path (session), current, error);
  return current == NULL || ls_step_item_get (current)->number == 0 || write_step (self, session, current, error);
}

static void
folder_chosen (GtkWidget *window,
               GFile     *file,
               gpointer   data)
{
  Take *self = data;
  const char *title = ls_session_get_title (ls_window_get_session (LS_WINDOW (window)));
  g_autofree char *parent = g_file_get_path (file), *name = g_strdup_printf ("%s-on-device", title != NULL ? title : "module"), *cli = locate_cli ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  if (parent == NULL || cli == NULL)
    {
      say_failed (LS_WINDOW (window), cli == NULL ? _("loopscope-cli, which writes it, is not beside the program and not in PATH.") : _("The place is no folder of this machine."));
      take_free (self);
      return;
    }
  self->folder = g_build_filename (parent, name, NULL);
  g_ptr_array_insert (self->argv, 0, g_strdup (cli));
  g_ptr_array_add (self->argv, g_strdup ("-o"));
  g_ptr_array_add (self->argv, g_strdup (self->folder));
  g_ptr_array_add (self->argv, NULL);
  process = g_subprocess_newv ((const char *const *) self->argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  if (process == NULL)
    {
      say_failed (LS_WINDOW (window), error->message);
      take_free (self);
      return;
    }
  ls_window_say (LS_WINDOW (window), _("The folder for the device is being made"), NULL);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, written, self);
}

/* ---- the question ------------------------------------------------------------------------------------ */

/* PTX is made here for each architecture; what is for others is compiled where it runs.  A target that is not known is refused by the program. */
static gboolean
takes_architectures (const char *target)
{
  g_autoptr (LsDeviceTarget) parsed = ls_device_target_parse (*target != '\0' ? target : "cuda", NULL);

  return parsed == NULL || strcmp (parsed->kind, "cuda") == 0;
}

static void
answered (AdwMessageDialog *dialog,
          const char       *response,
          Take             *self)
{
  const char *target = gtk_editable_get_text (GTK_EDITABLE (self->target)), *architectures = gtk_editable_get_text (GTK_EDITABLE (self->architectures));
  g_autoptr (GError) error = NULL;
  GtkFileChooserNative *chooser;

  if (g_strcmp0 (response, "take") != 0 || self->window == NULL)
    {
      take_free (self);
      return;
    }
  g_ptr_array_add (self->argv, g_strdup ("device"));
  g_ptr_array_add (self->argv, g_strdup ("export"));
  if (!write_files (self, ls_window_get_session (self->window), &error))
    {
      say_failed (self->window, error->message);
      take_free (self);
      return;
    }
  g_ptr_array_add (self->argv, g_strdup ("--target"));
  g_ptr_array_add (self->argv, g_strdup (*target != '\0' ? target : "cuda"));
  if (*architectures != '\0' && takes_architectures (target))
    {
      g_ptr_array_add (self->argv, g_strdup ("--arch"));
      g_ptr_array_add (self->argv, g_strdup (architectures));
    }
  chooser = gtk_file_chooser_native_new (_("Where the folder for the device goes"), GTK_WINDOW (self->window), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("Choose"), _("Cancel"));
  ls_ask_file (chooser, GTK_WIDGET (self->window), folder_chosen, self, NULL);
}

static GtkWidget *
add_entry (GtkWidget  *box,
           const char *label,
           const char *text)
{
  GtkWidget *row = gtk_label_new_with_mnemonic (label), *entry = gtk_entry_new ();

  gtk_label_set_xalign (GTK_LABEL (row), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (row), entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_RELATION_LABELLED_BY, row, NULL, -1);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), entry);
  return entry;
}

/* GTK 4.8 names a check button by nothing; its label is what is read aloud, without the mnemonic. */
static GtkWidget *
add_choice (GtkWidget  *box,
            GtkWidget  *group,
            const char *text)
{
  GtkWidget *choice = gtk_check_button_new_with_mnemonic (text), *label = gtk_widget_get_last_child (choice);

  gtk_check_button_set_group (GTK_CHECK_BUTTON (choice), GTK_CHECK_BUTTON (group));
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, gtk_label_get_text (GTK_LABEL (label)), -1);
  gtk_box_append (GTK_BOX (box), choice);
  return choice;
}

void
ls_window_take_to_device (LsWindow *self)
{
  Take *take = g_new0 (Take, 1);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Take to a device"), _("A folder that builds, runs and checks itself where the device is; the result comes back as a file."));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *only;
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG (dialog);

  g_set_weak_pointer (&take->window, self);
  take->argv = g_ptr_array_new_with_free_func (g_free);
  adw_message_dialog_add_responses (message, "cancel", _("Cancel"), "take", _("Choose place…"), NULL);
  adw_message_dialog_set_response_appearance (message, "take", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (message, "take");
  adw_message_dialog_set_close_response (message, "cancel");
  take->target = add_entry (box, _("_Target: cuda, opencl, rocm, or a tag such as nvidia/nvidia-a100"), "cuda");
  take->architectures = add_entry (box, _("_Architectures for PTX"), "sm_80,sm_90");
  only = add_choice (box, NULL, _("The _shown step"));
  take->each = add_choice (box, only, _("_Each step up to the shown one"));
  take->whole = add_choice (box, only, _("The whole _history, with all branches"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (only), TRUE);
  adw_message_dialog_set_extra_child (message, box);
  g_signal_connect (dialog, "response", G_CALLBACK (answered), take);
  gtk_widget_add_css_class (dialog, "loopscope");
  gtk_window_present (GTK_WINDOW (dialog));
}
