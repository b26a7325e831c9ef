/* program-view: a program as the result of a cell: its stages, its text, its loop nest. */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `view` is what the cell wants: with "text" it is the text alone.  Returns: floating. */
GtkWidget *ls_program_view_new (LsSession  *session,
                                const char *view);

G_END_DECLS
