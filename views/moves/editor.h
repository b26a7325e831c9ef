/* LsMoveEditor: the unfolded parameters of one move: factors with their true
 * divisors, choices, texts, flags; Apply and Measure all.
 * ::applied comes after what could be applied was. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_MOVE_EDITOR (ls_move_editor_get_type ())
G_DECLARE_FINAL_TYPE (LsMoveEditor, ls_move_editor, LS, MOVE_EDITOR, GtkWidget)

GtkWidget *ls_move_editor_new (LsSession  *session,
                               LsMoveItem *item);

G_END_DECLS
