/* tuning-show: machines, functions and figures of a run as the Tune page has them. */
#include "app/session/tuning-private.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

/* (transfer full) */
static char *
doing_words (const LsFleetPeer *peer)
{
  g_autofree char *time = ls_format_time ((double) peer->for_ms / 1000);

  if (strcmp (peer->doing, "measuring") == 0)
    return g_strdup_printf (_("measures for %s"), time);
  return g_strdup (strcmp (peer->doing, "leaving") == 0 ? _("leaves") : _("waits"));
}

void
ls_tuning_show_machines (LsTuning    *tuning,
                         LsSearchRun *run)
{
  GPtrArray *peers = ls_search_run_get_machines (run);
  GArray *machines = peers != NULL ? ls_tuning_machines_new () : NULL;

  for (guint i = 0; peers != NULL && i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];
      LsTuningMachine machine = { g_strdup (peer->name), g_strdup (peer->kind), doing_words (peer), (guint) peer->done, peer->load };

      g_array_append_val (machines, machine);
    }
  ls_tuning_take_machines (tuning, machines);
}

/* Those of which there are results, this search's among them as it stands now; one kind alone is no comparison. */
void
ls_tuning_show_kinds (LsTuning    *tuning,
                      LsSearchRun *run)
{
  GArray *all = ls_search_run_get_kinds (run), *kinds = ls_tuning_kinds_new ();
  const char *own = ls_search_run_get_kind (run);
  LsSearchTrial *best = ls_search_run_get_best (run);
  LsSearchCounts counts;
  gboolean found = FALSE;

  ls_search_run_get_counts (run, &counts);
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const LsTuneKind *one = &g_array_index (all, LsTuneKind, i);
      gboolean here = g_strcmp0 (one->kind, own) == 0;
      LsTuningKind kind = { g_strdup (one->kind != NULL ? one->kind : _("this machine")), one->n, one->best, here };

      if (here && best != NULL)
        {
          kind.programs += counts.measured;
          kind.best = MIN (kind.best, best->median / 1e9);
        }
      found |= here;
      g_array_append_val (kinds, kind);
    }
  if (!found && best != NULL)
    {
      LsTuningKind kind = { g_strdup (own != NULL ? own : _("this machine")), counts.measured, best->median / 1e9, TRUE };

      g_array_append_val (kinds, kind);
    }
  if (kinds->len < 2)
    g_clear_pointer (&kinds, g_array_unref);
  ls_tuning_take_kinds (tuning, kinds);
}

void
ls_tuning_show_tasks (LsTuning    *tuning,
                      LsSearchRun *run,
                      double       total)
{
  GPtrArray *all = ls_search_run_get_tasks (run);
  GArray *tasks = all != NULL ? ls_tuning_tasks_new () : NULL;

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const LsSearchRunTask *one = all->pdata[i];
      LsTuningTask task = { g_strdup (one->name), one->weight, one->trials, one->base / 1e9, one->best / 1e9, total > 0.0 ? one->weight * one->best / total : -1.0,
                            one->active, one->over, g_strdup (one->problem) };

      g_array_append_val (tasks, task);
    }
  ls_tuning_take_tasks (tuning, tasks);
}

void
ls_tuning_show_totals (LsTuning    *tuning,
                       LsSearchRun *run)
{
  GArray *all = ls_search_run_get_totals (run), *totals = g_array_new (FALSE, FALSE, sizeof (LsTuningTotal));

  for (guint i = 0; i < all->len; i++)
    {
      const LsSearchRunTotal *one = &g_array_index (all, LsSearchRunTotal, i);
      LsTuningTotal total = { one->trials, one->total / 1e9 };

      g_array_append_val (totals, total);
    }
  ls_tuning_take_totals (tuning, totals);
}

void
ls_tuning_fill_record (LsSearchRun    *run,
                       LsTuningRecord *record)
{
  LsSearchTrial *best = ls_search_run_get_best (run);
  LsSearchCounts counts;

  ls_search_run_get_counts (run, &counts);
  record->trials = counts.trials;
  record->measured = counts.measured;
  record->failed = counts.failed;
  record->given_up = counts.given_up;
  record->refused = counts.refused;
  record->remembered = counts.remembered;
  record->n_designs = counts.n_designs;
  record->base = counts.base_median / 1e9;
  record->best = best != NULL ? best->median / 1e9 : 0.0;
  record->best_number = best != NULL ? best->number + 1 : 0;
  record->seconds = counts.seconds;
  record->seconds_left = counts.seconds_left;
}

const char *
ls_tuning_end_words (int end)
{
  switch (end)
    {
    case LS_SEARCH_END_TRIALS:
      return _("All trials are done.");
    case LS_SEARCH_END_SPACE:
      return _("No new schedule was found any more: the space of schedules is small.");
    case LS_SEARCH_END_TIME:
      return _("The time is up.");
    case LS_SEARCH_END_STOPPED:
      return _("Stopped. What was measured is kept: the same search goes on from here.");
    case LS_SEARCH_RUN_LOST:
      return _("The process that searched is gone. What was measured is kept: the same search goes on from here.");
    default:
      return NULL;
    }
}
