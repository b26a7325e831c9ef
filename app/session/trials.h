/* session/trials: LsTrials: moves tried by measuring what they make: one with all its factors, or all moves, ranked. */
#pragma once

#include "app/session/measure.h"
#include "app/session/moves.h"

G_BEGIN_DECLS

typedef struct _LsTrials LsTrials;

/* `session` owns it and has the ranking; `moves` and `measuring` are borrowed, the document is held. (transfer full) */
LsTrials *ls_trials_new          (LsSession   *session,
                                  LsDocument  *document,
                                  LsMoves     *moves,
                                  LsMeasuring *measuring);
void      ls_trials_free         (LsTrials    *self);
/* What is likely to help, each as a branch of the history; what it is compared with is measured with it. */
void      ls_trials_try_likely   (LsTrials    *self);
/* All of it has been measured: redo leads to the fastest. */
void      ls_trials_finish       (LsTrials    *self);
/* Every choice of every move of the selection. */
void      ls_trials_rank         (LsTrials    *self);
/* Does what a row of the ranking stands for. */
void      ls_trials_apply_ranked (LsTrials    *self,
                                  LsStepItem  *item);
/* One move with each of its factors; the best one stands in its row. */
void      ls_trials_measure_move (LsTrials    *self,
                                  LsMoveItem  *move);

G_END_DECLS
