/* session/step-edit: the arguments of an earlier step, as a row whose fields can be changed.
 *
 * A change is tried on a copy first, with every later step after it; applied, it begins a branch.
 */
#include "app/session/moves-private.h"

#include <glib/gi18n.h>

#define CHOICES_TURN (8 * 1000) /* µs of one turn in which choices are tried */

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

/* The program before the step of node `id`, for lines in the naming of that. (transfer full) */
static LsSchedule *
before_step (LsMoves *self,
             guint    id)
{
  LsHistory *history = ls_document_get (self->document)->history;

  return ls_history_named (history, ls_history_get (history, id)->parent, ls_history_naming (history, id));
}

/* The loops and blocks of the step, with those that could stand in their place. */
static void
add_handles (LsHistoryNode *node,
             LsSchedule    *named,
             LsStepParams  *params)
{
  guint n = ls_schedule_get_n_steps (node->schedule);
  g_autoptr (LsSchedule) before = NULL;

  if (n <= node->first_step || !LS_HISTORY_DONE (node))
    return;
  before = ls_schedule_copy (node->schedule);
  ls_schedule_undo_to (before, n - 1);
  ls_step_params_add_handles (params, before, named, ls_schedule_get_step (node->schedule, n - 1));
}

/* How far the later steps would get, in words; `replaced` stands for node `id`, and is done to `fresh`. FALSE: the step itself is refused. */
static gboolean
try_edit (LsMoves     *self,
          guint        id,
          LsSchedule  *fresh,
          const char  *replaced,
          char       **call,
          char       **words)
{
  LsHistory *history = ls_document_get (self->document)->history;
  guint naming = ls_history_naming (history, id);
  g_autoptr (LsSource) source = ls_source_new ("step", replaced, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  guint n = 0;

  ls_schedule_apply_text (fresh, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      *words = g_strdup (ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
      return FALSE;
    }
  *call = ls_schedule_describe_step (fresh, ls_schedule_get_n_steps (fresh) - 1);
  while ((id = ls_history_main_child (history, id)) != LS_HISTORY_NONE)
    {
      g_autofree char *lines = ls_history_lines_in (history, id, naming);
      g_autoptr (LsSource) later = ls_source_new ("step", lines, -1);

      ls_schedule_apply_text (fresh, later, 0, diagnostics);
      if (ls_diagnostics_has_error (diagnostics))
        {
          *words = g_strdup_printf (_("Replay stops at step %u, %s: %s"), ls_history_get (history, id)->number,
                                    ls_history_get (history, id)->name,
                                    ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
          return TRUE;
        }
      n++;
    }
  *words = n == 0 ? g_strdup (_("No later step depends on it."))
                  : g_strdup_printf (ngettext ("The later step is replayed.", "All %u later steps are replayed.", n), n);
  return TRUE;
}

/* `fresh` is the program before the step, which it changes. */
static void
refresh (LsMoves    *self,
         LsMoveItem *move,
         LsSchedule *fresh)
{
  LsStepParams *params = ls_moves_row_get_params (move);
  LsMoveRecord record = *ls_move_item_get (move);
  g_autofree char *text = ls_step_params_text (params);
  g_autofree char *words = NULL, *call = NULL;

  record.group = try_edit (self, ls_step_edit_get_node (move), fresh, text, &call, &words) ? LS_MOVE_CAN : LS_MOVE_CANNOT;
  if (call != NULL)
    record.call = call;
  record.reason = words;
  ls_moves_row_show_params (move, params, &record);
}

void
ls_step_edit_refresh (LsMoves    *self,
                      LsMoveItem *move)
{
  g_autoptr (LsSchedule) fresh = before_step (self, ls_step_edit_get_node (move));

  refresh (self, move, fresh);
}

/* What else the loops and blocks of the step could be, of a large program. */
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

LsMoveItem *
ls_moves_edit_step (LsMoves *self,
                    guint    id)
{
  LsHistory *history = ls_document_get (self->document)->history;
  g_autoptr (LsSchedule) named = NULL, fresh = NULL;
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
  named = before_step (self, id);
  fresh = ls_schedule_copy (named);
  add_handles (node, named, params);
  move = ls_move_item_new (&(LsMoveRecord) { .group = LS_MOVE_CAN, .call = node->call, .name = node->name });
  ls_moves_row_take_params (move, params);
  g_object_set_data (G_OBJECT (move), "ls-edited", GUINT_TO_POINTER (id + 1));
  refresh (self, move, fresh);
  if (params->choosing != NULL)
    g_object_set_data_full (G_OBJECT (move), "ls-choosing", GUINT_TO_POINTER (g_idle_add (find_choices, move)), stop_finding);
  return move;
}

void
ls_step_edit_apply (LsMoves    *self,
                    LsMoveItem *move)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *text = ls_step_params_text (ls_moves_row_get_params (move));
  guint id = ls_history_edit (ls_document_get (self->document)->history, ls_step_edit_get_node (move), text, diagnostics);

  if (id == LS_HISTORY_NONE)
    ls_moves_row_refuse (move, diagnostics);
  else
    ls_document_go (self->document, id);
}
