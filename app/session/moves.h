/* What the files about the moves of a session share: session-moves, session-move-item, session-move-variants, session-step-edit. */
#pragma once

#include "app/session/engine-private.h"
#include "app/session/step-params.h"
#include "engine/schedule/moves.h"

G_BEGIN_DECLS

/* moves.c: is the row among those that are shown?  One that was on its way out when it was clicked is about another selection. */
gboolean      ls_engine_session_offers          (LsEngineSession *self,
                                                 LsMoveItem      *move);

/* move-item.c */

/* The row of an offer, which it keeps. (transfer full) */
LsMoveItem   *ls_session_move_new               (LsEngineSession *self,
                                                 LsOffer         *offer);
/* NULL in a row that edits a step. */
LsOffer      *ls_session_move_get_offer         (LsMoveItem      *move);
/* The fields, or NULL. */
LsStepParams *ls_session_move_get_params        (LsMoveItem      *move);
/* Takes `params`. */
void          ls_session_move_take_params       (LsMoveItem      *move,
                                                 LsStepParams    *params);
/* Sets the record, with the fields in it. */
void          ls_session_move_show_params       (LsMoveItem      *move,
                                                 LsStepParams    *params,
                                                 LsMoveRecord    *record);
/* Works the row out again after its fields changed. */
void          ls_session_move_refresh           (LsEngineSession *self,
                                                 LsMoveItem      *move);
/* Says why what was wished cannot be: the first error. */
void          ls_session_move_refuse            (LsMoveItem      *move,
                                                 LsDiagnostics   *diagnostics);
/* Of the selected loop, or -1. */
gint64        ls_engine_session_selected_extent (LsEngineSession *self);

/* step-edit.c */

/* The node whose step the row edits, or LS_HISTORY_NONE. */
guint         ls_step_edit_get_node             (LsMoveItem      *move);
void          ls_step_edit_refresh              (LsEngineSession *self,
                                                 LsMoveItem      *move);
void          ls_step_edit_apply                (LsEngineSession *self,
                                                 LsMoveItem      *move);

G_END_DECLS
