/* passes/window-command: asks for a command whose output is a log.  It is shown as it will run, and runs when someone sends it. */
#include "app/passes/private.h"

#include "views/parts/ask-file.h"
#include "views/parts/parts.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define NAME_LENGTH 60          /* characters of the command in the title */

typedef struct {
  LsPassesWindow   *self;
  AdwMessageDialog *dialog;
  GtkWidget        *entry, *place;
  char             *folder;
} Asking;

/* Names of compilers and what makes them write a log. */
static const struct {
  const char *name, *command;
} EXAMPLES[] = {
  { "clang", "clang -O2 -c FILE.c -o /dev/null -mllvm -print-after-all" },
  { "opt", "opt -O2 -S FILE.ll -o /dev/null -print-changed" },
  { "mlir-opt", "mlir-opt FILE.mlir --canonicalize --cse --mlir-print-ir-after-all --mlir-timing -o /dev/null" },
  { "Triton", "MLIR_ENABLE_DUMP=1 TRITON_ALWAYS_COMPILE=1 python3 FILE.py" },
};

static void
asking_free (gpointer data)
{
  g_free (((Asking *) data)->folder);
  g_free (data);
}

static void
typed (GtkEditable *entry,
       Asking      *asking)
{
  g_autofree char *command = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  adw_message_dialog_set_response_enabled (asking->dialog, "run", *command != '\0');
}

static void
show_folder (Asking *asking)
{
  g_autofree char *words = g_strdup_printf (_("In %s"), asking->folder);

  gtk_label_set_label (GTK_LABEL (asking->place), words);
}

static void
folder_chosen (GtkWidget *asker,
               GFile     *file,
               gpointer   data)
{
  Asking *asking = data;

  if (g_file_peek_path (file) == NULL)
    return;
  g_free (asking->folder);
  asking->folder = g_file_get_path (file);
  show_folder (asking);
}

static void
ask_folder (Asking *asking)
{
  ls_ask_file (gtk_file_chooser_native_new (_("Run it in this folder"), GTK_WINDOW (asking->dialog), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("Choose"), _("Cancel")),
               GTK_WIDGET (asking->dialog), folder_chosen, asking, NULL);
}

static void
take_example (GtkWidget *button,
              Asking    *asking)
{
  const char *command = g_object_get_data (G_OBJECT (button), "command");
  const char *file = strstr (command, "FILE");

  gtk_editable_set_text (GTK_EDITABLE (asking->entry), command);
  gtk_widget_grab_focus (asking->entry);
  if (file != NULL)
    gtk_editable_select_region (GTK_EDITABLE (asking->entry), (int) (file - command), (int) (file - command) + (int) strlen ("FILE"));
}

static void
answered (AdwMessageDialog *dialog,
          const char       *response,
          Asking           *asking)
{
  LsPassesWindow *self = asking->self;
  const char *command = gtk_editable_get_text (GTK_EDITABLE (asking->entry));
  g_autofree char *name = NULL;

  if (strcmp (response, "run") != 0)
    return;
  g_clear_object (&self->file);
  g_free (self->command);
  g_free (self->folder);
  self->command = g_strstrip (g_strdup (command));
  self->folder = g_strdup (asking->folder);
  name = g_utf8_substring (self->command, 0, MIN (NAME_LENGTH, g_utf8_strlen (self->command, -1)));
  ls_passes_window_name (self, name);
  ls_passes_window_run (self);
}

static GtkWidget *
examples_new (Asking *asking)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  gtk_box_append (GTK_BOX (row), ls_part_label (_("Such as"), "reason"));
  for (guint i = 0; i < G_N_ELEMENTS (EXAMPLES); i++)
    {
      GtkWidget *button = gtk_button_new_with_label (EXAMPLES[i].name);

      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_tooltip_text (button, EXAMPLES[i].command);
      g_object_set_data (G_OBJECT (button), "command", (gpointer) EXAMPLES[i].command);
      g_signal_connect (button, "clicked", G_CALLBACK (take_example), asking);
      gtk_box_append (GTK_BOX (row), button);
    }
  return row;
}

static GtkWidget *
place_new (Asking *asking)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *button = gtk_button_new_with_label (_("Other folder…"));

  asking->place = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (asking->place), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (asking->place, TRUE);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (ask_folder), asking);
  gtk_box_append (GTK_BOX (row), asking->place);
  gtk_box_append (GTK_BOX (row), button);
  show_folder (asking);
  return row;
}

void
ls_passes_window_ask_command (LsPassesWindow *self)
{
  GtkWidget *dialog = adw_message_dialog_new (self->window, _("Open from a command"), NULL), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG (dialog);
  Asking *asking = g_new0 (Asking, 1);

  *asking = (Asking) { self, message, gtk_entry_new (), NULL, self->folder != NULL ? g_strdup (self->folder) : g_get_current_dir () };
  adw_message_dialog_set_body (message, _("A shell runs it as it stands here, with all that you may do. What it prints is read as a log of passes while it comes."));
  adw_message_dialog_add_responses (message, "cancel", _("Cancel"), "run", _("Run"), NULL);
  adw_message_dialog_set_response_appearance (message, "run", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (message, "run");
  adw_message_dialog_set_close_response (message, "cancel");
  gtk_entry_set_activates_default (GTK_ENTRY (asking->entry), TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (asking->entry), 64);
  gtk_widget_add_css_class (asking->entry, "monospace");
  gtk_accessible_update_property (GTK_ACCESSIBLE (asking->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Command"), -1);
  g_signal_connect (asking->entry, "changed", G_CALLBACK (typed), asking);
  gtk_editable_set_text (GTK_EDITABLE (asking->entry), self->command != NULL ? self->command : "");
  typed (GTK_EDITABLE (asking->entry), asking);
  gtk_box_append (GTK_BOX (box), asking->entry);
  gtk_box_append (GTK_BOX (box), place_new (asking));
  gtk_box_append (GTK_BOX (box), examples_new (asking));
  adw_message_dialog_set_extra_child (message, box);
  g_signal_connect (dialog, "response", G_CALLBACK (answered), asking);
  g_object_set_data_full (G_OBJECT (dialog), "ls-asking", asking, asking_free);
  gtk_widget_add_css_class (dialog, "loopscope");
  gtk_window_present (GTK_WINDOW (dialog));
}
