/* parts/ask-file: a dialog that asks for a file on behalf of a widget, and goes with it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*LsFileChosen) (GtkWidget *asker,
                              GFile     *file,
                              gpointer   data);

/* Shows `dialog` (taken; with its window as parent already) in the next turn: making one and showing it take 30 ms each.  `chosen` is
 * called when a file was chosen while `asker` is there; `data` is freed (`free_data` may be NULL) once the dialog is gone. */
void ls_ask_file (GtkFileChooserNative *dialog,
                  GtkWidget            *asker,
                  LsFileChosen          chosen,
                  gpointer              data,
                  GDestroyNotify        free_data);

G_END_DECLS
