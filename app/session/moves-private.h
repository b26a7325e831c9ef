/* What the files of the moves share: moves.c (which there are, what is wished), move-item.c (a row), move-variants.c (a row with
 * each of its factors), step-edit.c (a row for the arguments of a step that is there). */
#pragma once

#include "app/session/moves.h"
#include "app/session/step-params.h"

G_BEGIN_DECLS

typedef struct _LsOffering LsOffering;
typedef struct _LsLikely   LsLikely;

struct _LsMoves
{
  LsSession  *session;
  LsDocument *document;
  guint       due;              /* idle that works them out, or 0 */
  LsOffering *offering;         /* how far it is, or NULL */
  LsLikely   *likely;           /* what is likely to help: being worked out or worked out, or NULL */
};

/* move-item.c */

/* The row of an offer, which it keeps. (transfer full) */
LsMoveItem   *ls_moves_row_new         (LsMoves       *self,
                                       LsOffer       *offer);
/* The row of a proposal, an offer which it takes. (transfer full) */
LsMoveItem   *ls_moves_row_new_likely  (LsOffer       *offer);
/* What it says behind its effect, sentences; `tag` may be NULL. */
void          ls_moves_row_set_likely  (LsMoveItem    *move,
                                       const char    *figures,
                                       const char    *tag);
/* NULL in a row that edits a step. */
LsOffer      *ls_moves_row_get_offer   (LsMoveItem    *move);
/* The fields, or NULL. */
LsStepParams *ls_moves_row_get_params  (LsMoveItem    *move);
/* Takes `params`. */
void          ls_moves_row_take_params (LsMoveItem    *move,
                                       LsStepParams  *params);
/* Sets the record, with the fields in it. */
void          ls_moves_row_show_params (LsMoveItem    *move,
                                       LsStepParams  *params,
                                       LsMoveRecord  *record);
/* Works the row out again after its fields changed. */
void          ls_moves_row_refresh     (LsMoves       *self,
                                       LsMoveItem    *move);
/* Says why what was wished cannot be: the first error. */
void          ls_moves_row_refuse      (LsMoveItem    *move,
                                       LsDiagnostics *diagnostics);
/* Shows at the selected loop what the move would make of it; `text` NULL: nothing. */
void          ls_moves_row_preview     (LsMoves       *self,
                                       const char    *text);
/* Of the selected loop, or -1. */
gint64        ls_moves_extent         (LsMoves       *self);

/* likely.c */

/* What is likely to help the shown program: begins to work it out where it is not known, and then adds it to the list. (transfer
 * container) of LsMoveItem, empty until it is known, and where the machine has not been measured. */
GPtrArray    *ls_likely_moves         (LsMoves       *self);
void          ls_likely_drop          (LsMoves       *self);
/* The node of the history behind which a row is done: the shown one, or of what is likely to help an earlier one. */
guint         ls_likely_base          (LsMoves       *self,
                                       LsMoveItem    *move);

/* step-edit.c */

/* The node whose step the row edits, or LS_HISTORY_NONE. */
guint         ls_step_edit_get_node   (LsMoveItem    *move);
void          ls_step_edit_refresh    (LsMoves       *self,
                                       LsMoveItem    *move);
void          ls_step_edit_apply      (LsMoves       *self,
                                       LsMoveItem    *move);

G_END_DECLS
