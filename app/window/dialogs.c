/* window/dialogs: open a file, save the trace, name a branch. */
#include "app/window/actions.h"
#include "app/window/file.h"
#include "views/parts/ask-file.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* ---- the dialogs --------------------------------------------------------------- */

static GtkFileFilter *
python_filter (void)
{
  GtkFileFilter *filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _("Programs and sessions"));
  gtk_file_filter_add_pattern (filter, "*.py");
  gtk_file_filter_add_pattern (filter, "*.loopscope");
  gtk_file_filter_add_pattern (filter, "*.md");
  gtk_file_filter_add_pattern (filter, "*.json");   /* what a device measured, traces */
  return filter;
}

typedef void (*TakeFile) (LsWindow *self, GFile *file);

static void
file_chosen (GtkWidget *window,
             GFile     *file,
             gpointer   take)
{
  ((TakeFile) take) (LS_WINDOW (window), file);
}

static void
choose_file (LsWindow   *self,
             const char *title,
             const char *accept,
             TakeFile    take)
{
  g_autoptr (GtkFileFilter) filter = python_filter ();
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN,
                                                              accept, _("Cancel"));

  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  ls_ask_file (dialog, GTK_WIDGET (self), file_chosen, (gpointer) take, NULL);
}

void
ls_window_open_dialog (LsWindow *self)
{
  choose_file (self, _("Open a TVMScript file"), _("Open"), ls_window_file_open);
}

void
ls_window_compare_dialog (LsWindow *self)
{
  choose_file (self, _("Compare with a file"), _("Compare"), ls_window_compare_file);
}

void
ls_window_save_trace_dialog (LsWindow *self)
{
  ls_window_file_export (self, LS_EXPORT_TRACE_PYTHON);
}

/* ---- naming a branch ---------------------------------------------------- */

static void
name_answered (AdwMessageDialog *dialog,
               const char       *response,
               GtkEditable      *entry)
{
  LsWindow *self = LS_WINDOW (gtk_window_get_transient_for (GTK_WINDOW (dialog)));
  LsSession *session = ls_window_get_session (self);
  LsStepItem *current = ls_session_get_current (session);
  const char *name = gtk_editable_get_text (entry);

  if (g_strcmp0 (response, "name") == 0 && current != NULL && *name != '\0')
    ls_session_name_branch (session, ls_step_item_get (current)->id, name);
}

static void
name_typed (GtkEditable      *entry,
            AdwMessageDialog *dialog)
{
  adw_message_dialog_set_response_enabled (dialog, "name", *gtk_editable_get_text (entry) != '\0');
}

void
ls_window_name_branch (LsWindow *self)
{
  LsStepItem *current = ls_session_get_current (ls_window_get_session (self));
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Name this branch"), NULL), *entry = gtk_entry_new ();
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG (dialog);

  adw_message_dialog_add_responses (message, "cancel", _("Cancel"), "name", _("Name"), NULL);
  adw_message_dialog_set_response_appearance (message, "name", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (message, "name");
  adw_message_dialog_set_close_response (message, "cancel");
  adw_message_dialog_set_extra_child (message, entry);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name of this branch"), -1);
  if (current != NULL && ls_step_item_get (current)->branch != NULL)
    gtk_editable_set_text (GTK_EDITABLE (entry), ls_step_item_get (current)->branch);
  name_typed (GTK_EDITABLE (entry), message);
  g_signal_connect (entry, "changed", G_CALLBACK (name_typed), dialog);
  g_signal_connect (dialog, "response", G_CALLBACK (name_answered), entry);
  gtk_widget_add_css_class (dialog, "loopscope");
  gtk_window_present (GTK_WINDOW (dialog));
}
