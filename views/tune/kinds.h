/* tune/kinds: what a program takes on one kind of machine and another, side by side. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/tuning.h"

G_BEGIN_DECLS

/* A table with a row for each kind, empty at first. (transfer floating) */
GtkWidget *ls_kinds_table_new (void);
/* Shows those of a search; nothing is visible where there are none (tuning may be NULL). */
void       ls_kinds_table_set (GtkWidget *kinds,
                              LsTuning  *tuning);

G_END_DECLS
