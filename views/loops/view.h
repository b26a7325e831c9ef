/* LsLoopView: the loop nest of the current module as a tree list. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_LOOP_VIEW (ls_loop_view_get_type ())
G_DECLARE_FINAL_TYPE (LsLoopView, ls_loop_view, LS, LOOP_VIEW, GtkWidget)

GtkWidget *ls_loop_view_new          (void);
void       ls_loop_view_set_session  (LsLoopView *self,
                                      LsSession  *session);
/* Leaves out the column Runs. */
void       ls_loop_view_set_narrow   (LsLoopView *self,
                                      gboolean    narrow);
/* Says, under the rows, why what is dragged cannot be dropped; NULL: the dependences again. */
void       ls_loop_view_say          (LsLoopView *self,
                                      const char *words);
/* Height that shows all rows (four at least), or as many whole ones as fit below `most`; headers and the bar below them
 * count.  0: it has no size yet. */
int        ls_loop_view_fit_height   (LsLoopView *self,
                                      int         most);

/* Gives the rows the focus; FALSE: there are none. */
gboolean   ls_loop_view_focus       (LsLoopView *self);

G_END_DECLS
