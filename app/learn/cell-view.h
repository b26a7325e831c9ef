/* LsCellView: a cell or an exercise on the page: its head, its code, what came of it. */
#pragma once

#include <gtk/gtk.h>

#include "app/learn/play.h"

G_BEGIN_DECLS

#define LS_TYPE_CELL_VIEW (ls_cell_view_get_type ())
G_DECLARE_FINAL_TYPE (LsCellView, ls_cell_view, LS, CELL_VIEW, GtkBox)

GtkWidget *ls_cell_view_new   (LsPlay     *play,
                               guint       part,
                               const char *folder);
/* On a slide: no window beside the lesson is opened from here. */
void       ls_cell_view_set_plain (LsCellView *self);
/* Puts the focus on its Run button. */
void       ls_cell_view_focus (LsCellView *self);

G_END_DECLS
