/* prose: blocks of a lesson as widgets. */
#pragma once

#include <gtk/gtk.h>

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* A vertical box with the blocks; pictures are looked for in `folder`. (transfer none, floating) */
GtkWidget *ls_prose_new       (GPtrArray  *blocks,
                               const char *folder);
/* A GtkSourceView with Python in it, as cells have it. (transfer none, floating) */
GtkWidget *ls_code_view_new   (const char *text,
                               gboolean    editable,
                               const char *label);
/* Says what a widget is to a screen reader. */
void       ls_set_label       (GtkWidget  *widget,
                               const char *label);

G_END_DECLS
