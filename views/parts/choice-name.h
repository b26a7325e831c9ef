/* parts/choice-name: what a GtkDropDown is called, and what it offers.  What takes its focus is a button inside of it that has no name of its own. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A screen reader hears `name` and what is chosen, now and after each choice. Borrows both. */
void ls_choice_set_name (GtkDropDown *choice,
                         const char  *name);

/* Offers `words` from now on, also while it tells of a choice: with another model GTK 4.8 would go on with the selection of the old one,
 * which is gone by then.  Nothing changes where they are the words that it has; else the caller says what is chosen. */
void ls_choice_set_words (GtkDropDown   *choice,
                          GtkStringList *words);

G_END_DECLS
