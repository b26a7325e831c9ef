/* graph/styles-popover: the searches that are kept as colours: another one from the search entry, and each with a button that drops it. */
#pragma once

#include "views/models/graph-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Borrows both, which live as long as it does. */
GtkWidget *ls_styles_popover_new (LsGraphModel *model,
                                  GtkEditable  *search);

G_END_DECLS
