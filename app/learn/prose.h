/* prose: blocks of a lesson as widgets. */
#pragma once

#include <gtk/gtk.h>

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* A vertical box with the blocks; pictures are looked for in `folder`. (transfer none, floating) */
GtkWidget *ls_prose_new       (GPtrArray  *blocks,
                               const char *folder);
/* An icon and a word in a button; the word is also what it is to a screen reader. */
void       ls_set_icon_and_word (GtkButton  *button,
                                 const char *icon,
                                 const char *word);
/* Long names are broken without a hyphen, which would look like a part of them. */
void       ls_set_unhyphenated (GtkLabel  *label);
/* Says what a widget is to a screen reader. */
void       ls_set_label       (GtkWidget  *widget,
                               const char *label);

G_END_DECLS
