/* session/moves: LsMoves: what can be done to the selection, and the doing of it. */
#pragma once

#include "app/session/document.h"
#include "engine/schedule/moves/moves.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsMoves LsMoves;

/* `session` owns it, is told of the rows and knows the selection; `document` is held. (transfer full) */
LsMoves    *ls_moves_new         (LsSession  *session,
                                  LsDocument *document);
void        ls_moves_free        (LsMoves    *self);

/* Works the moves of the selection out before the next frame: in a turn of its own, once for many changes. */
void        ls_moves_queue       (LsMoves    *self);
/* The same after the next frame: for a document that was just opened. */
void        ls_moves_queue_first (LsMoves    *self);
/* Does it now when it is due; with `show` FALSE leaves it. */
void        ls_moves_flush       (LsMoves    *self,
                                  gboolean    show);

/* TRUE: those that are shown are not yet those of the selection. */
gboolean    ls_moves_are_due     (LsMoves    *self);

/* Wishes of the user about a row. */
void        ls_moves_apply       (LsMoves    *self,
                                  LsMoveItem *move);
void        ls_moves_repair      (LsMoves    *self,
                                  LsMoveItem *move);
/* The target that its repair changes to, or NULL: the repair is steps. Borrowed */
const char *ls_moves_retarget    (LsMoveItem *move);
void        ls_moves_edit        (LsMoves    *self,
                                  LsMoveItem *move,
                                  guint       param,
                                  const char *value);
void        ls_moves_preview     (LsMoves    *self,
                                  LsMoveItem *move);
/* The arguments of node `id` as a row to edit. (transfer full) */
LsMoveItem *ls_moves_edit_step   (LsMoves    *self,
                                  guint       id);

/* ---- likely.c: for who measures what is likely to help ---- */

/* A node for each proposal, in their order, below the shown one. (transfer full) of guint, empty where there are none */
GArray     *ls_likely_branch     (LsMoves    *self);
/* The fastest measured one of them is where redo leads to. */
void        ls_likely_prefer     (LsMoves    *self);
/* The document changed: a proposal may have a time by now. */
void        ls_likely_refresh    (LsMoves    *self);

/* ---- move-variants.c: for who measures moves ---- */

/* The program after the move with another last factor. */
typedef struct {
  gint64      inner;            /* the factor */
  LsSchedule *schedule;
} LsMoveVariant;

/* With each of its factors. (transfer full), of LsMoveVariant */
GPtrArray  *ls_moves_variants    (LsMoves    *self,
                                  LsMoveItem *move);
/* The Python text that does the move, and all its choices. (transfer full), of char */
GPtrArray  *ls_moves_choices     (LsMoves    *self,
                                  LsMoveItem *move);
/* Puts the words for a running or finished trial into the row and, with `inner` above 0, that factor. */
void        ls_moves_tell        (LsMoves    *self,
                                  LsMoveItem *move,
                                  gint64      inner,
                                  const char *tag);

G_END_DECLS
