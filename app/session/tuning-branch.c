/* tuning-branch: candidates of a search become branches of the history. */
#include "app/session/tuning-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* The branch has the time of its trial: one figure, the median of the samples, which the search does not keep. */
static void
put_time (LsHistoryNode       *node,
          const LsSearchTrial *trial)
{
  double median = trial->median * 1e-9, half = trial->remembered ? 0.0 : 0.5 * trial->iqr * 1e-9, *samples;
  LsStepTime time = { .min = trial->remembered ? median : trial->min * 1e-9, .q1 = median - half, .median = median, .q3 = median + half, .samples = 1 };

  if (!trial->timed || !(median > 0.0) || node->time.samples > 0)
    return;
  time.q1 = MAX (time.q1, time.min);
  samples = g_new (double, 1);
  samples[0] = median;
  ls_history_set_time (node, &time, samples, trial->remembered ? _("The median of a trial of an earlier search.") : _("The median of its trial in the search."));
}

/* What the shown function is called in the opened module, of LsSearchTask's; NULL: it is not there, passes made it. (transfer full) */
static GPtrArray *
names_of (LsEngineTuning *self,
          guint           task)
{
  g_autoptr (GPtrArray) all = ls_search_tasks_of (ls_schedule_get_module (ls_history_get (ls_document_get (self->document)->history, self->node)->schedule));

  for (guint i = 0; i < all->len; i++)
    {
      const LsSearchTask *one = all->pdata[i];
      g_autofree char *run = ls_search_run_name (one->text);

      if (strcmp (run, ((LsTuningTaskRun *) self->tasks->pdata[task])->name) == 0)
        return g_ptr_array_ref (one->names);
    }
  return NULL;
}

/* The steps of a trial after a node, for each function of that name (NULL: the one there is).  FALSE with findings: they cannot be applied. */
static gboolean
apply (LsEngineTuning      *self,
       guint                at,
       const LsSearchTrial *trial,
       GPtrArray           *names,
       LsDiagnostics       *findings)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  /* What was measured can be opened, right or wrong: where an order is broken that a strict history keeps, the branch has the warning. */
  gboolean strict = ls_history_is_strict (opened->history), done = TRUE;

  ls_history_set_strict (opened->history, FALSE);
  for (guint i = 0; done && i < (names != NULL ? names->len : 1); i++)
    {
      g_autoptr (LsTrace) trace = names != NULL ? ls_search_trace_for (trial->trace, names->pdata[i]) : ls_trace_ref (trial->trace);
      g_autofree char *steps = ls_trace_print (trace);

      done = ls_document_apply (self->document, i == 0 ? at : opened->current, steps, findings);
    }
  ls_history_set_strict (opened->history, strict);
  return done;
}

static void
tell_refused (LsEngineTuning *self,
              LsDiagnostics  *findings)
{
  const LsDiagnostic *finding = ls_history_finding (findings, LS_SEVERITY_ERROR);
  g_autofree char *reason = g_strdup_printf (_("The steps of this candidate cannot be applied: %s"), finding != NULL ? finding->message : "");

  ls_tuning_tell (LS_TUNING (self), reason);
}

static const char *
made_by_passes (void)
{
  return _("This function is not in the opened module: LegalizeOps, FuseOps and FuseTIR make it. Open what the passes make of the module, and search there, to have candidates as branches.");
}

static gboolean
is_of_opened (LsEngineTuning *self)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);

  return self->run != NULL && opened->history != NULL && opened->number == self->number;
}

/* Goes to the branch of a candidate, made if there is none yet.  FALSE: it can no longer be applied, or there is no such. */
static gboolean
go_to (LsEngineTuning *self,
       LsTrialItem    *item)
{
  LsTuning *tuning = LS_TUNING (self);
  guint number = ls_trial_item_get (item)->number, key = number | (self->tasks != NULL ? (self->task + 1) << 16 : 0);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GPtrArray) names = NULL;
  const LsSearchTrial *trial;
  g_autofree char *name = NULL, *words = NULL;
  gpointer known = NULL;

  if (!is_of_opened (self) || self->shown == NULL || number > ls_search_run_get_trials (self->shown)->len)
    return FALSE;
  name = g_strdup_printf (_("candidate %u"), number);
  words = g_strdup_printf (_("Candidate %u is a branch of the history, and shown on the other pages."), number);
  if (g_hash_table_lookup_extended (self->opened, GUINT_TO_POINTER (key), NULL, &known) && GPOINTER_TO_UINT (known) < ls_history_get_n (opened->history))
    {
      ls_document_go (self->document, GPOINTER_TO_UINT (known));
      ls_tuning_tell (tuning, words);
      return TRUE;
    }
  if (self->tasks != NULL && (names = names_of (self, self->task)) == NULL)
    {
      ls_tuning_tell (tuning, made_by_passes ());
      return FALSE;
    }
  trial = g_ptr_array_index (ls_search_run_get_trials (self->shown), number - 1);
  if (!apply (self, self->node, trial, names, findings))
    {
      tell_refused (self, findings);
      return FALSE;
    }
  g_hash_table_insert (self->opened, GUINT_TO_POINTER (key), GUINT_TO_POINTER (opened->current));
  ls_history_name_branch (opened->history, ls_document_get_node (self->document)->branch, name);
  /* That of a function alone is no time of the module. */
  if (names == NULL)
    put_time (ls_document_get_node (self->document), trial);
  ls_document_changed (self->document);
  ls_tuning_tell (tuning, words);
  return TRUE;
}

void
ls_engine_tuning_keep_all (LsEngineTuning *self)
{
  LsTuning *tuning = LS_TUNING (self);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autofree char *words = NULL;
  guint at = self->node, n = 0;

  if (!is_of_opened (self) || self->tasks == NULL)
    return;
  for (guint i = 0; i < self->tasks->len; i++)
    {
      LsSearchRun *run = ((LsTuningTaskRun *) self->tasks->pdata[i])->run;
      const LsSearchTrial *best = ls_search_run_get_best (run);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (GPtrArray) names = NULL;
      LsSearchCounts counts;

      ls_search_run_get_counts (run, &counts);
      if (best == NULL || !(best->median < counts.base_median))
        continue;
      names = names_of (self, i);
      if (names == NULL || !apply (self, at, best, names, findings))
        {
          if (names == NULL)
            ls_tuning_tell (tuning, made_by_passes ());
          else
            tell_refused (self, findings);
          return;
        }
      at = opened->current;
      n++;
    }
  if (n == 0)
    {
      ls_tuning_tell (tuning, _("No function got faster than it is."));
      return;
    }
  ls_history_name_branch (opened->history, ls_document_get_node (self->document)->branch, _("best of each function"));
  ls_document_changed (self->document);
  words = g_strdup_printf (ngettext ("The fastest candidate of %u function is a branch of the history.", "The fastest candidates of %u functions are a branch of the history.", n), n);
  ls_tuning_tell (tuning, words);
}

void
ls_engine_tuning_open (LsEngineTuning *self,
                       LsTrialItem    *item)
{
  go_to (self, item);
}

gboolean
ls_engine_tuning_compare (LsEngineTuning *self,
                          LsTrialItem    *left,
                          LsTrialItem    *right,
                          guint           nodes[2])
{
  const LsDocumentRecord *opened = ls_document_get (self->document);

  if (!go_to (self, left))
    return FALSE;
  nodes[0] = opened->current;
  if (!go_to (self, right))
    return FALSE;
  nodes[1] = opened->current;
  return TRUE;
}
