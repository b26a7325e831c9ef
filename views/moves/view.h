/* LsMovesView: what can be done to the selection, with reasons. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_MOVES_VIEW (ls_moves_view_get_type ())
G_DECLARE_FINAL_TYPE (LsMovesView, ls_moves_view, LS, MOVES_VIEW, GtkWidget)

GtkWidget *ls_moves_view_new         (void);
void       ls_moves_view_set_session (LsMovesView *self,
                                      LsSession   *session);
/* Moves the focus to the list. */
void       ls_moves_view_focus       (LsMovesView *self);
/* The chosen move while the keyboard is in the pane, else NULL. Borrowed. */
LsMoveItem *ls_moves_view_get_chosen (LsMovesView *self);
/* Selects and unfolds the move at `position` of the session's list. */
void       ls_moves_view_unfold      (LsMovesView *self,
                                      guint        position);

G_END_DECLS
