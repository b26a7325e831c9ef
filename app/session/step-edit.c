/* session/step-edit: the arguments of an earlier step, as a row whose fields can be changed.
 *
 * A change is tried first, with every later step after it (history-edit.h); applied, it begins a branch.  Where that is many steps a thread does
 * them: the row says so until it is through, and cannot be applied before.
 */
#include "app/session/moves-private.h"

#include "app/session/asked.h"
#include "app/session/history-edit.h"
#include "engine/base/task.h"

#include <glib/gi18n.h>

#define AT_ONCE 60              /* steps that take no more than a frame, */
#define SMALL 5000              /* of a program of no more loops, blocks and buffers than that */
#define CHOICES_TURN (8 * 1000) /* µs of one turn in which choices are tried */

#define TRYING "ls-trying"      /* GCancellable of the try under way */
#define WANTED "ls-wanted"      /* it is to be applied when that is through */
#define TRIED  "ls-tried"       /* LsHistoryTrial of the fields as they are now */

guint
ls_step_edit_get_node (LsMoveItem *move)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (move), "ls-edited")) - 1;
}

/* Of the loop that the step of `node` is about: the first loop among its arguments. */
static gint64
step_extent (LsHistoryNode *node)
{
  guint n = ls_schedule_get_n_steps (node->schedule);
  const LsStep *step = n > node->first_step ? ls_schedule_get_step (node->schedule, n - 1) : NULL;
  g_autoptr (LsSchedule) before = NULL;
  gint64 extent = -1;

  if (step == NULL || !LS_HISTORY_DONE (node))
    return -1;
  before = ls_schedule_copy (node->schedule);
  ls_schedule_undo_to (before, n - 1);
  for (guint i = 0; i < ls_array_n (step->args); i++)
    {
      LsNode *arg = step->args->items[i];
      LsNode *thing = arg != NULL && ls_is_var (arg) ? ls_schedule_resolve (before, (LsVar *) arg) : NULL;

      if (thing != NULL && ls_is (thing, FOR))
        return ls_as_int (((LsFor *) thing)->extent, &extent) ? extent : -1;
    }
  return -1;
}

/* The loops and blocks of the step, with those that could stand in their place as soon as the names are known. */
static void
add_handles (LsHistoryNode *node,
             LsStepParams  *params)
{
  guint n = ls_schedule_get_n_steps (node->schedule);
  g_autoptr (LsSchedule) before = NULL;

  if (n <= node->first_step || !LS_HISTORY_DONE (node))
    return;
  before = ls_schedule_copy (node->schedule);
  ls_schedule_undo_to (before, n - 1);
  ls_step_params_add_handles (params, before, NULL, ls_schedule_get_step (node->schedule, n - 1));
}

/* ---- what else its loops could be --------------------------------------------------- */

/* Of a large program. */
static gboolean
find_choices (gpointer data)
{
  LsMoveItem *move = data;
  LsStepParams *params = ls_moves_row_get_params (move);
  LsMoveRecord record;

  if (!ls_step_params_find_choices (params, CHOICES_TURN))
    return G_SOURCE_CONTINUE;
  g_object_steal_data (G_OBJECT (move), "ls-choosing");
  record = *ls_move_item_get (move);
  ls_moves_row_show_params (move, params, &record);
  return G_SOURCE_REMOVE;
}

static void
stop_finding (gpointer source)
{
  g_source_remove (GPOINTER_TO_UINT (source));
}

static void
begin_finding (LsMoveItem *move,
               LsSchedule *named)
{
  LsStepParams *params = ls_moves_row_get_params (move);

  ls_step_params_name_handles (params, named);
  if (params->choosing != NULL && g_object_get_data (G_OBJECT (move), "ls-choosing") == NULL)
    g_object_set_data_full (G_OBJECT (move), "ls-choosing", GUINT_TO_POINTER (g_idle_add (find_choices, move)), stop_finding);
}

/* ---- trying ----------------------------------------------------------------------------- */

static void
trial_free (gpointer trial)
{
  ls_history_trial_free (trial);
}

static void
show (LsMoveItem  *move,
      LsMoveGroup  group,
      const char  *call,
      const char  *words)
{
  LsMoveRecord record = *ls_move_item_get (move);

  record.group = group;
  if (call != NULL)
    record.call = call;
  record.reason = words;
  ls_moves_row_show_params (move, ls_moves_row_get_params (move), &record);
}

/* What came of it. */
static void
say (LsMoveItem     *move,
     LsHistoryTrial *trial)
{
  const char *call = ls_history_trial_get_call (trial);
  g_autofree char *words = ls_history_trial_words (trial);

  show (move, call != NULL ? LS_MOVE_CAN : LS_MOVE_CANNOT, call, words);
}

/* Takes `trial`. */
static void
take_trial (LsMoveItem     *move,
            LsHistoryTrial *trial)
{
  g_object_set_data_full (G_OBJECT (move), TRIED, trial, trial_free);
  begin_finding (move, ls_history_trial_get_named (trial));
  say (move, trial);
}

/* What a thread does. */
typedef struct {
  LsAsked        *asked;
  GWeakRef        move;
  LsHistoryTrial *trial;
  guint           document;     /* its number */
  gboolean        keep;         /* the steps are there to be taken: the user applied it */
} Try;

static void
try_free (gpointer data)
{
  Try *self = data;

  g_clear_pointer (&self->asked, ls_asked_free);
  g_weak_ref_clear (&self->move);
  g_clear_pointer (&self->trial, ls_history_trial_free);
  g_free (self);
}

static void
try_in_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Try *self = data;

  ls_history_trial_run (self->trial, self->keep, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void
put_into_history (LsMoves        *self,
                  LsHistoryTrial *trial,
                  LsMoveItem     *move)         /* or NULL */
{
  guint id = ls_history_trial_take (trial, ls_document_get (self->document)->history);

  if (id != LS_HISTORY_NONE)
    ls_document_go (self->document, id);
  else if (move != NULL)
    ls_moves_row_refuse (move, ls_history_trial_get_found (trial));
}

static void
tried (GObject      *nothing,
       GAsyncResult *result,
       gpointer      data)
{
  Try *try = g_task_get_task_data (G_TASK (result));
  g_autoptr (LsSession) session = NULL;
  LsMoves *self = ls_asked_end (g_steal_pointer (&try->asked), &session);
  g_autoptr (LsMoveItem) move = g_weak_ref_get (&try->move);

  if (self == NULL || g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))) ||
      ls_document_get (self->document)->number != try->document)
    return;
  if (move != NULL)
    g_object_set_data (G_OBJECT (move), TRYING, NULL);
  if (try->keep)
    {
      if (move != NULL)
        say (move, try->trial);
      put_into_history (self, try->trial, move);
    }
  else if (move != NULL)
    {
      gboolean wanted = g_object_steal_data (G_OBJECT (move), WANTED) != NULL;

      take_trial (move, g_steal_pointer (&try->trial));
      if (wanted)
        ls_step_edit_apply (self, move);
    }
}

static void
stop_trying (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  g_object_unref (cancellable);
}

/* Takes `trial`. */
static void
begin_try (LsMoves        *self,
           LsMoveItem     *move,
           LsHistoryTrial *trial,
           gboolean        keep)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, tried, NULL);
  Try *try = g_new0 (Try, 1);

  try->asked = ls_asked_new (self->session, self);
  g_weak_ref_init (&try->move, move);
  try->trial = trial;
  try->document = ls_document_get (self->document)->number;
  try->keep = keep;
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, try, try_free);
  /* What the user applied is done though its row goes. */
  g_object_set_data_full (G_OBJECT (move), TRYING, g_object_ref (cancellable), keep ? g_object_unref : stop_trying);
  ls_task_run (task, try_in_thread);
}

/* Of the fields as they are.  `named` or NULL as ls_history_trial_new() takes it. (transfer full) */
static LsHistoryTrial *
trial_of (LsMoves    *self,
          LsMoveItem *move,
          LsSchedule *named)
{
  g_autofree char *text = ls_step_params_text (ls_moves_row_get_params (move));

  return ls_history_trial_new (ls_document_get (self->document)->history, ls_step_edit_get_node (move), text, named);
}

/* No thread is needed for it. */
static gboolean
is_short (LsMoves        *self,
          LsMoveItem     *move,
          LsHistoryTrial *trial)
{
  LsSchedule *schedule = ls_history_get (ls_document_get (self->document)->history, ls_step_edit_get_node (move))->schedule;

  return ls_history_trial_n_steps (trial) <= AT_ONCE &&
         ls_version_get_n (ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule))) <= SMALL;
}

static void
try_fields (LsMoves    *self,
            LsMoveItem *move,
            LsSchedule *named)
{
  LsHistoryTrial *trial = trial_of (self, move, named);

  g_object_set_data (G_OBJECT (move), TRYING, NULL);
  if (is_short (self, move, trial))
    {
      ls_history_trial_run (trial, FALSE, NULL);
      take_trial (move, trial);
      return;
    }
  g_object_set_data (G_OBJECT (move), TRIED, NULL);
  show (move, LS_MOVE_CANNOT, NULL, _("The steps are being replayed with it."));
  begin_try (self, move, trial, FALSE);
}

/* The program before the step, as far as it is known: it stays for as long as the row is there. (transfer full), or NULL */
static LsSchedule *
get_named (LsMoveItem *move)
{
  LsHistoryTrial *trial = g_object_get_data (G_OBJECT (move), TRIED);
  LsSchedule *named = trial != NULL ? ls_history_trial_get_named (trial) : g_object_get_data (G_OBJECT (move), "ls-named");

  return named != NULL ? ls_schedule_ref (named) : NULL;
}

void
ls_step_edit_refresh (LsMoves    *self,
                      LsMoveItem *move)
{
  g_autoptr (LsSchedule) named = get_named (move);

  if (named != NULL)
    g_object_set_data_full (G_OBJECT (move), "ls-named", ls_schedule_ref (named), (GDestroyNotify) ls_schedule_unref);
  g_object_set_data (G_OBJECT (move), WANTED, NULL);
  try_fields (self, move, named);
}

LsMoveItem *
ls_moves_edit_step (LsMoves *self,
                    guint    id)
{
  LsHistory *history = ls_document_get (self->document)->history;
  g_autofree char *lines = NULL;
  LsHistoryNode *node;
  LsStepParams *params;
  LsMoveItem *move;

  if (history == NULL || id == 0 || id >= ls_history_get_n (history))
    return NULL;
  node = ls_history_get (history, id);
  lines = ls_history_lines_in (history, id, ls_history_naming (history, id));
  params = ls_step_params_new (lines, step_extent (node));
  if (params == NULL)
    return NULL;
  add_handles (node, params);
  move = ls_move_item_new (&(LsMoveRecord) { .group = LS_MOVE_CAN, .call = node->call, .name = node->name });
  ls_moves_row_take_params (move, params);
  g_object_set_data (G_OBJECT (move), "ls-edited", GUINT_TO_POINTER (id + 1));
  try_fields (self, move, NULL);
  return move;
}

void
ls_step_edit_apply (LsMoves    *self,
                    LsMoveItem *move)
{
  LsHistoryTrial *tried = g_object_get_data (G_OBJECT (move), TRIED), *trial;

  if (tried == NULL)
    {
      /* Return, before it is known whether it can be done. */
      g_object_set_data (G_OBJECT (move), WANTED, GINT_TO_POINTER (TRUE));
      return;
    }
  trial = trial_of (self, move, ls_history_trial_get_named (tried));
  if (is_short (self, move, trial))
    {
      ls_history_trial_run (trial, TRUE, NULL);
      put_into_history (self, trial, move);
      ls_history_trial_free (trial);
    }
  else if (g_object_get_data (G_OBJECT (move), TRYING) == NULL)
    {
      show (move, LS_MOVE_CANNOT, NULL, _("The steps are being replayed with it."));
      begin_try (self, move, trial, TRUE);
    }
  else
    ls_history_trial_free (trial);
}
