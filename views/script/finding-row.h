/* script/finding-row: what a text has wrong, in words, with its repair. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/script-text.h"

G_BEGIN_DECLS

/* Makes the repair: `index` counts the findings of the text. */
typedef void (*LsFindingFix) (GtkWidget *owner,
                              guint      index);

/* The child of a row of a list: place and sentence, the repair, and where the text can be changed so that it holds a button that asks `fix` for it. `owner` lives
 * longer than the row. (transfer floating) */
GtkWidget *ls_finding_row_new (const LsScriptNote *note,
                               guint               index,
                               LsFindingFix        fix,
                               GtkWidget          *owner);

G_END_DECLS
