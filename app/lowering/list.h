/* LsLoweringList: the passes of the window of lowering, one chosen; those without effect can be hidden. */
#pragma once

#include <gtk/gtk.h>

#include "app/lowering/model.h"

G_BEGIN_DECLS

#define LS_TYPE_LOWERING_LIST (ls_lowering_list_get_type ())
G_DECLARE_FINAL_TYPE (LsLoweringList, ls_lowering_list, LS, LOWERING_LIST, GtkBox)

/* ::chosen comes when another pass is, or the same of another program. */
GtkWidget *ls_lowering_list_new           (void);
/* Shows the passes, with the one of the same number chosen that was, else the first that does something; NULL empties. */
void       ls_lowering_list_set           (LsLoweringList *self,
                                           LsLowering     *lowering);
/* Which pass is chosen, from 0; -1: none. */
int        ls_lowering_list_get_chosen    (LsLoweringList *self);
/* To the next (1) or previous (-1) pass that changes something or fails. */
void       ls_lowering_list_go            (LsLoweringList *self,
                                           int             direction);
/* Gives the chosen row the keyboard. */
void       ls_lowering_list_take_keyboard (LsLoweringList *self);

G_END_DECLS
