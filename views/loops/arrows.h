/* LsLoopArrows: lies over the loop nest and draws what has to come after what for the selection, in the margin at the left.
 *
 * Asks the session when the selection or the module changes and emits ::changed then; a bar below says the same in words.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_LOOP_ARROWS (ls_loop_arrows_get_type ())
G_DECLARE_FINAL_TYPE (LsLoopArrows, ls_loop_arrows, LS, LOOP_ARROWS, GtkWidget)

GtkWidget           *ls_loop_arrows_new    (void);
/* `tree` has the rows, `cells` the LsLoopCells that are bound now (borrowed, as long as the widget is in use), `view` is
 * what they stand in. */
void                 ls_loop_arrows_attach (LsLoopArrows     *self,
                                            LsSession        *session,
                                            GtkTreeListModel *tree,
                                            GPtrArray        *cells,
                                            GtkWidget        *view);
void                 ls_loop_arrows_detach (LsLoopArrows     *self);
/* With FALSE nothing is asked or drawn. */
void                 ls_loop_arrows_set_on (LsLoopArrows     *self,
                                            gboolean          on);
/* What holds for the selection; NULL for nothing. Borrowed. */
const LsDependences *ls_loop_arrows_get    (LsLoopArrows     *self);

G_END_DECLS
