/* window/dialogs: open a file, save the trace, name a branch. */
#include "app/tool/window.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "views/parts/ask-file.h"

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
name_entered (GtkEntry  *entry,
              GtkWindow *dialog)
{
  LsWindow *self = LS_WINDOW (gtk_window_get_transient_for (dialog));
  LsSession *session = ls_window_get_session (self);
  LsStepItem *current = ls_session_get_current (session);
  const char *name = gtk_editable_get_text (GTK_EDITABLE (entry));

  if (current != NULL && *name != '\0')
    ls_session_name_branch (session, ls_step_item_get (current)->id, name);
  gtk_window_destroy (dialog);
}

void
ls_window_name_branch (LsWindow *self)
{
  LsStepItem *current = ls_session_get_current (ls_window_get_session (self));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *dialog = ls_tool_window_new (GTK_WINDOW (self), _("Name this branch"), -1, -1, box, NULL);
  GtkWidget *label = gtk_label_new (_("Name of this branch, then Enter"));
  GtkWidget *entry = gtk_entry_new ();

  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_window_set_resizable (GTK_WINDOW (dialog), FALSE);
  gtk_widget_add_css_class (box, "dialog-box");
  if (current != NULL && ls_step_item_get (current)->branch != NULL)
    gtk_editable_set_text (GTK_EDITABLE (entry), ls_step_item_get (current)->branch);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), entry);
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered), dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}
