/* threads/save: asks for a place; the end of its name says which format. */
#include "app/threads/save.h"

#include "views/parts/ask-file.h"
#include "views/threads/picture.h"

#include <glib/gi18n.h>

static void
save_chosen (GtkWidget *picture,
             GFile     *file,
             gpointer   data)
{
  GtkLabel *sentence = data;
  g_autofree char *path = g_file_get_path (file);
  LsFigureFormat format = path == NULL || g_str_has_suffix (path, ".svg") ? LS_FIGURE_SVG : g_str_has_suffix (path, ".pdf") ? LS_FIGURE_PDF
                          : g_str_has_suffix (path, ".png") ? LS_FIGURE_PNG : LS_FIGURE_SVG;
  g_autoptr (GError) error = NULL;
  LsFigure figure;

  if (path == NULL)
    return;
  ls_figure_begin (&figure, FALSE);
  ls_threads_picture_draw (LS_THREADS_PICTURE (picture), &figure);
  if (!ls_figure_write (&figure, format, 2.0, path, &error))
    gtk_label_set_label (sentence, error->message);
}

void
ls_threads_save (GtkWidget *picture,
                 GtkWidget *sentence)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the picture (.svg, .png, .pdf)"), GTK_WINDOW (gtk_widget_get_root (picture)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "threads.svg");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  ls_ask_file (dialog, picture, save_chosen, g_object_ref (sentence), g_object_unref);
}
