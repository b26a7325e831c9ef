/* passes/list-row: the row of a pass in the list. */
#pragma once

#include "app/passes/model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* An empty one. */
GtkWidget *ls_passes_list_row_new      (void);
/* Its texts, which the accessible name says too; `dim`: the pass does nothing. */
void       ls_passes_list_row_put      (GtkWidget          *row,
                                        const char         *number,
                                        const char         *name,
                                        const char         *unit,
                                        const char         *words,
                                        const char         *time,
                                        gboolean            dim);
/* How deep it stands: nests. */
void       ls_passes_list_row_indent   (GtkWidget          *row,
                                        guint               depth);
/* A bar behind its name, from 0 to 1; below 0: only room for one, where other rows have it.  wrong: what it is the time of gave a wrong result. */
void       ls_passes_list_row_bar      (GtkWidget          *row,
                                        gboolean            room,
                                        double              share,
                                        gboolean            wrong);
/* Whether the pass failed; note may be NULL. */
void       ls_passes_list_row_mark     (GtkWidget          *row,
                                        const LsPassesNote *note);
/* What the pass is for. */
void       ls_passes_list_row_describe (GtkWidget          *row,
                                        const char         *summary);

G_END_DECLS
