/* LsExploreView: the main area: step bar, loop nest, TVMScript, time per step. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"
#include "views/script/view.h"

G_BEGIN_DECLS

#define LS_TYPE_EXPLORE_VIEW (ls_explore_view_get_type ())
G_DECLARE_FINAL_TYPE (LsExploreView, ls_explore_view, LS, EXPLORE_VIEW, GtkWidget)

GtkWidget    *ls_explore_view_new         (void);
void          ls_explore_view_set_session (LsExploreView *self,
                                           LsSession     *session);
/* What the loop nest shows is as the keys "arrows" and "rounds" say, and they as it does. */
void           ls_explore_view_bind_switches (LsExploreView *self,
                                              GSettings     *settings);
/* Adds the switches of the times: "waterfall", "roofline". */
void           ls_explore_view_add_actions (LsExploreView *self,
                                            GActionMap    *map);
LsScriptView *ls_explore_view_get_script  (LsExploreView *self);
/* Narrow: no column Runs, no first and last buttons, the difference of texts in one column.  Tight: no column Runs.  Short: time folded.  Flat: no
 * captions in the step bar, a lower roofline. */
void          ls_explore_view_set_size    (LsExploreView *self,
                                           gboolean       narrow,
                                           gboolean       tight,
                                           gboolean       time_folded,
                                           gboolean       flat);
/* Puts the focus on pane 0 to 3: step bar, loops, text, time. */
void          ls_explore_view_focus_pane  (LsExploreView *self,
                                           guint          pane);
/* Which of these panes has the focus, or -1. */
int           ls_explore_view_find_focus  (LsExploreView *self,
                                           GtkWidget     *focus);

#define LS_EXPLORE_N_PANES 4

G_END_DECLS
