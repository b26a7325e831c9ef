/* compare/choice: one of the two programs of the Compare page as a drop-down: branch, number, call and time. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A drop-down over a model of LsStepItem, which it gets later; its times follow the items.  Borrows the name. */
GtkWidget *ls_compare_choice_new      (const char  *name);
/* Where the step of that id stands in its model, or GTK_INVALID_LIST_POSITION. */
guint      ls_compare_choice_position (GtkDropDown *self,
                                       guint        id);

G_END_DECLS
