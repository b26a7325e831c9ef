/* LsAccessColumn: one program in the window of the accesses: its name, its buffers, what it does now and over all. */
#pragma once

#include <gtk/gtk.h>

#include "app/session/history.h"
#include "engine/interp/access-order.h"

G_BEGIN_DECLS

#define LS_TYPE_ACCESS_COLUMN (ls_access_column_get_type ())
G_DECLARE_FINAL_TYPE (LsAccessColumn, ls_access_column, LS, ACCESS_COLUMN, GtkBox)

GtkWidget           *ls_access_column_new       (void);
/* Follows the program after node `id`, function `function` of it with `sizes` ("n=256", of char) for what is symbolic, in another thread; ::ready comes
 * when that has an end. */
void                 ls_access_column_ask       (LsAccessColumn *self,
                                                 LsHistory      *history,
                                                 guint           id,
                                                 const char     *function,
                                                 GPtrArray      *sizes);
/* NULL: none yet, or there is none. Borrowed. */
const LsAccessOrder *ls_access_column_get       (LsAccessColumn *self);
/* "Step 2": to begin a sentence with. Borrowed. */
const char          *ls_access_column_get_name  (LsAccessColumn *self);
gboolean             ls_access_column_is_busy   (LsAccessColumn *self);
/* Shows it after `n` accesses. */
void                 ls_access_column_go        (LsAccessColumn *self,
                                                 guint           n);
/* Alone its window says already what all its accesses fetch. */
void                 ls_access_column_set_alone (LsAccessColumn *self,
                                                 gboolean        alone);
/* Ends the work under way; no signal comes for it. */
void                 ls_access_column_cancel    (LsAccessColumn *self);

G_END_DECLS
