/* programs: the program of a trace, and the candidate that it is to a tuner. */
#include "engine/tune/tuner-private.h"

#include "engine/schedule/space/space.h"
#include "engine/script/script.h"

#include <math.h>

#define MOST_WRITTEN_OUT 256    /* copies of a statement, in vectors: a quarter of a second of LLVM's time; twice as many take four times as long */

void
ls_tuner_candidate_free (gpointer data)
{
  LsTuneCandidate *self = data;

  ls_schedule_unref (self->schedule);
  ls_trace_unref (self->trace);
  g_free (self->text);
  g_free (self->problem);
  g_free (self);
}

static void
note_refusal (LsTuner       *self,
              const char    *step,
              LsDiagnostics *findings)
{
  self->n_refused++;
  for (guint i = 0; self->refusal == NULL && i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_ERROR)
      self->refusal = g_strdup_printf ("%s: %s", step, ls_diagnostics_get (findings, i)->message);
}

LsSchedule *
ls_tuner_apply (LsTuner *self,
                LsTrace *trace,
                gboolean decisions,
                gint64   seed)
{
  g_autoptr(LsSchedule) schedule = ls_schedule_new (self->module);
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  gboolean good;
  guint n;

  /* What it computes is compared when it is measured, whatever the window's default is. */
  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_order_asked (schedule, FALSE);
  ls_schedule_set_seed (schedule, seed);
  n = ls_trace_apply (trace, schedule, decisions, self->options.postprocs, findings);
  good = !ls_diagnostics_has_error (findings) && (!self->options.postprocs || ls_space_postprocess (schedule, findings));
  /* What was proposed unrolls loops whose extents are drawn; the rules leave that to marks with a bound. */
  if (good && self->starts->len > 0 && ls_tune_written_out (ls_schedule_get_module (schedule)) > MOST_WRITTEN_OUT)
    return NULL;
  if (good)
    return g_steal_pointer (&schedule);
  note_refusal (self, n < ls_trace_get_n (trace) ? ls_trace_get (trace, n)->instruction->name : "postproc", findings);
  return NULL;
}

LsTuneCandidate *
ls_tuner_meet (LsTuner    *self,
               LsSchedule *schedule,
               gboolean   *is_new)
{
  g_autofree char *text = schedule != NULL ? ls_script_print (ls_schedule_get_module (schedule), NULL, NULL) : NULL;
  LsTuneCandidate *known = text != NULL ? g_hash_table_lookup (self->by_text, text) : NULL;

  *is_new = text != NULL && known == NULL;
  if (known != NULL)
    known->n_drawn++;
  if (!*is_new)
    {
      g_clear_pointer (&schedule, ls_schedule_unref);
      return known;
    }
  known = g_new0 (LsTuneCandidate, 1);
  known->schedule = schedule;
  known->trace = ls_trace_of (schedule);
  known->design = ls_tuner_find_design (self, known->trace);
  known->proposal = ls_tuner_moves_of (self, known->design);
  known->text = g_steal_pointer (&text);
  known->n_drawn = 1;
  known->seconds = -1;
  known->predicted = NAN;
  return known;
}

void
ls_tuner_accept (LsTuner         *self,
                 LsTuneCandidate *candidate)
{
  g_ptr_array_add (self->candidates, candidate);
  g_hash_table_insert (self->by_text, candidate->text, candidate);
}

double
ls_tuner_predict (LsTuner    *self,
                  LsSchedule *schedule)
{
  double features[LS_TUNE_N_FEATURES];

  ls_tune_features (ls_schedule_get_module (schedule), features);
  return ls_tune_model_predict (self->model, features);
}

gint
ls_tuner_compare_predicted (gconstpointer a,
                            gconstpointer b)
{
  const LsTuneCandidate *x = *(LsTuneCandidate * const *) a, *y = *(LsTuneCandidate * const *) b;

  return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}
