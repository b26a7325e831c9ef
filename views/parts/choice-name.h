/* parts/choice-name: what a GtkDropDown is called.  What takes its focus is a button inside of it that has no name of its own. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A screen reader hears `name` and what is chosen, now and after each choice. Borrows both. */
void ls_choice_set_name (GtkDropDown *choice,
                         const char  *name);

G_END_DECLS
