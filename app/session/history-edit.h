/* session/history-edit: a step with another text, and the later steps of its branch behind it.
 *
 * What is to be done is taken out of the history first, is done without it, so in any thread, and is put into it then as a branch.  Of a long
 * history that is thousands of steps.
 */
#pragma once

#include "app/session/history.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LsHistoryTrial LsHistoryTrial;

/* `lines` (in ls_history_naming() of node `id`) stand for its step.  `named` is the program before it in that naming, or NULL: then the steps
 * before it are done, too. (transfer full) */
LsHistoryTrial *ls_history_trial_new       (LsHistory       *history,
                                            guint            id,
                                            const char      *lines,
                                            LsSchedule      *named);
void            ls_history_trial_free      (LsHistoryTrial  *self);
/* How many steps have to be done for it. */
guint           ls_history_trial_n_steps   (LsHistoryTrial  *self);
/* Does them, up to the first that is refused; `keep`: as ls_history_trial_take() needs it, which costs a schedule for each.  Nobody else may use
 * the trial meanwhile.  Cancelled, it ends early and says nothing of use. */
void            ls_history_trial_run       (LsHistoryTrial  *self,
                                            gboolean         keep,
                                            GCancellable    *cancellable);
/* ---- afterwards ---- */

/* The step in words, "split(i, [8, 8])"; NULL: it is refused, and why is in the diagnostics.  Borrowed */
const char     *ls_history_trial_get_call  (LsHistoryTrial  *self);
LsDiagnostics  *ls_history_trial_get_found (LsHistoryTrial  *self);
/* The program before the step. Borrowed */
LsSchedule     *ls_history_trial_get_named (LsHistoryTrial  *self);
/* How far the later steps get, a sentence; or why the step itself is refused. (transfer full) */
char           *ls_history_trial_words     (LsHistoryTrial  *self);
/* The branch of what was done with `keep`, in the history that it was taken from; old times come along, stale.  Returns the node of the step,
 * an existing one where the same step is there already; LS_HISTORY_NONE: it is refused. */
guint           ls_history_trial_take      (LsHistoryTrial  *self,
                                            LsHistory       *history);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsHistoryTrial, ls_history_trial_free)

G_END_DECLS
