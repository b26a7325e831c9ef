/* session/rank: every move of the selection with each of its choices, measured one after the other and ranked.
 *
 * A choice that gives a program which an earlier one gave is left out.  The list is sorted anew after each answer; what
 * waits stands last, in the order of the moves.
 */
#include "app/session/engine-private.h"

#include "app/session/module.h"
#include "engine/runtime/runtime.h"
#include "engine/schedule/moves.h"
#include "engine/script/printer.h"

#include <glib/gi18n.h>

#define MOST 40

static void
add_choice (LsEngineSession *self,
            const char      *text,
            GPtrArray       *items,
            GPtrArray       *jobs,
            GHashTable      *seen)
{
  LsHistoryNode *here = ls_history_get (self->history, self->current);
  g_autoptr (LsSchedule) copy = ls_schedule_copy (here->schedule);
  g_autoptr (LsSource) source = ls_source_new ("move", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *call = NULL, *module = NULL;
  LsMeasureJob *job;
  LsStepItem *item;

  ls_schedule_apply_text (copy, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics) || ls_schedule_get_n_steps (copy) == 0)
    return;
  module = ls_script_print (ls_schedule_get_module (copy), NULL, NULL);
  if (!g_hash_table_add (seen, g_compute_checksum_for_string (G_CHECKSUM_SHA1, module, -1)))
    return;
  call = ls_schedule_describe_step (copy, ls_schedule_get_n_steps (copy) - 1);
  item = ls_step_item_new (&(LsStepRecord) { .id = items->len, .parent = items->len, .number = items->len + 1, .call = call,
                                             .name = call, .state = LS_STEP_UNMEASURED });
  g_object_set_data_full (G_OBJECT (item), "ls-text", g_strdup (text), g_free);
  g_ptr_array_add (items, item);
  job = g_new0 (LsMeasureJob, 1);
  job->node = LS_HISTORY_NONE;
  job->ranked = g_object_ref (item);
  job->schedule = g_steal_pointer (&copy);
  g_ptr_array_add (jobs, job);
}

void
ls_engine_session_rank_moves (LsSession *session)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  GListModel *moves = ls_session_get_moves (session);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (self->history == NULL)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (moves); i++)
    {
      g_autoptr (LsMoveItem) move = g_list_model_get_item (moves, i);
      g_autoptr (GPtrArray) texts = ls_engine_session_choices (self, move);

      for (guint k = 0; k < texts->len && items->len < MOST; k++)
        add_choice (self, g_ptr_array_index (texts, k), items, jobs, seen);
    }
  ls_session_set_ranking (session, items);
  if (ls_history_get (self->history, self->current)->time.samples == 0)
    ls_session_measure (session, FALSE);
  for (guint i = 0; i < jobs->len; i++)
    ls_engine_session_queue (self, g_ptr_array_index (jobs, i));
}

/* ---- answers ------------------------------------------------------------------ */

/* What waits comes after what was measured, what failed last. */
static double
time_of (const LsStepRecord *record)
{
  return record->state == LS_STEP_MEASURED ? record->timing.median : record->state == LS_STEP_FAILED ? G_MAXDOUBLE : 1e30;
}

static int
by_time (gconstpointer a,
         gconstpointer b,
         gpointer      user_data)
{
  const LsStepRecord *first = ls_step_item_get ((LsStepItem *) a), *second = ls_step_item_get ((LsStepItem *) b);
  double x = time_of (first), y = time_of (second);

  return x < y ? -1 : x > y ? 1 : (int) first->id - (int) second->id;
}

void
ls_engine_session_take_ranked (LsEngineSession  *self,
                               LsStepItem       *item,
                               const LsStepTime *time,
                               double           *samples,
                               const char       *trouble)
{
  LsHistoryNode *here = ls_history_get (self->history, self->current);
  LsStepRecord record = *ls_step_item_get (item);

  record.state = time != NULL ? LS_STEP_MEASURED : LS_STEP_FAILED;
  record.reason = trouble;
  if (time != NULL)
    record.timing = *time;
  if (time != NULL && here->time.samples > 0 && !here->stale)
    {
      g_autoptr (LsTiming) before = ls_timing_new (here->samples, (int) here->time.samples);
      g_autoptr (LsTiming) after = ls_timing_new (samples, (int) time->samples);
      LsVerdictKind kind = ls_verdict_decide (before, after).kind;

      record.speedup = here->time.median / time->median;
      record.no_difference = kind == LS_VERDICT_NO_DIFFERENCE || kind == LS_VERDICT_TOO_FEW;
    }
  ls_step_item_set (item, &record);
  ls_session_place_ranked (LS_SESSION (self), item, by_time);
}

void
ls_engine_session_apply_ranked (LsSession  *session,
                                LsStepItem *item)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  const char *text = g_object_get_data (G_OBJECT (item), "ls-text");
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  guint id = LS_HISTORY_NONE;

  if (self->history != NULL && text != NULL)
    id = ls_history_apply (self->history, self->current, text, diagnostics);
  if (id != LS_HISTORY_NONE)
    ls_engine_session_go (self, id);
}
