#include "app/search/turn.h"

#include "engine/schedule/space/space.h"

#include <glib/gi18n.h>
#include <math.h>

void
ls_search_trial_free (gpointer data)
{
  LsSearchTrial *self = data;

  ls_schedule_unref (self->schedule);
  ls_trace_unref (self->trace);
  g_free (self->text);
  g_array_unref (self->decisions);
  g_free (self->proposal);
  g_free (self->problem);
  g_free (self->machine);
  g_free (self->job);
  g_free (self);
}

static void
late_clear (gpointer data)
{
  LsSearchLate *self = data;

  g_free (self->job);
  g_free (self->trace);
}

GArray *
ls_search_late_new (void)
{
  GArray *late = g_array_new (FALSE, FALSE, sizeof (LsSearchLate));

  g_array_set_clear_func (late, late_clear);
  return late;
}

void
ls_search_turn_free (gpointer data)
{
  LsSearchTurn *self = data;

  g_array_unref (self->results);
  ls_unref (self->module);
  g_clear_pointer (&self->tuner, ls_tuner_free);
  g_clear_pointer (&self->database, ls_tune_database_free);
  g_clear_pointer (&self->designs, g_ptr_array_unref);
  g_clear_pointer (&self->drawn, g_ptr_array_unref);
  g_free (self->folder);
  g_free (self->kind);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_free (self->target);
  g_free (self->func);
  g_array_unref (self->late);
  g_free (self->refusal);
  g_free (self->note);
  g_free (self->problem);
  g_free (self);
}

static void
result_clear (gpointer data)
{
  g_free (((LsSearchResult *) data)->problem);
}

GArray *
ls_search_results_new (void)
{
  GArray *results = g_array_new (FALSE, FALSE, sizeof (LsSearchResult));

  g_array_set_clear_func (results, result_clear);
  return results;
}

LsSearchTurn *
ls_search_turn_new (void)
{
  LsSearchTurn *self = g_new0 (LsSearchTurn, 1);

  self->drawn = g_ptr_array_new_with_free_func (ls_search_trial_free);
  return self;
}

char *
ls_search_mark (const char        *kind,
                const char *const *set)
{
  g_autofree char *sizes = set != NULL && *set != NULL ? g_strjoinv ("-", (char **) set) : NULL;

  return sizes != NULL && kind != NULL ? g_strconcat (kind, "-", sizes, NULL) : g_strdup (kind);
}

/* What the window shows of a program that was drawn. (transfer full) */
static LsSearchTrial *
trial_of (LsTuneCandidate *drawn)
{
  LsSearchTrial *trial = g_new0 (LsSearchTrial, 1);

  trial->drawn = drawn;
  trial->schedule = ls_schedule_ref (drawn->schedule);
  trial->trace = ls_trace_ref (drawn->trace);
  trial->text = g_strdup (drawn->text);
  trial->decisions = ls_tune_decisions (drawn->schedule);
  trial->design = drawn->design;
  trial->proposal = g_strdup (drawn->proposal);
  trial->seed = drawn->seed;
  trial->n_drawn = drawn->n_drawn;
  trial->predicted = exp (drawn->predicted) * 1e9;
  return trial;
}

static void
add_designs (LsSearchTurn *turn)
{
  const LsSpaceOptions options = { .func = turn->func };
  g_autoptr (GPtrArray) made = turn->designs == NULL ? ls_space_designs (turn->module, &options, turn->tuner_options.seed) : NULL;

  for (guint i = 0; made != NULL && i < made->len; i++)
    {
      g_autoptr (LsTrace) design = ls_trace_of (made->pdata[i]);

      ls_tuner_add_design (turn->tuner, design);
    }
  for (guint i = 0; turn->designs != NULL && i < turn->designs->len; i++)
    ls_tuner_add_design (turn->tuner, turn->designs->pdata[i]);
  if (turn->designs == NULL && turn->tuner_options.strategy == LS_TUNE_EVOLUTIONARY && turn->tuner_options.model != LS_TUNE_MODEL_NONE)
    {
      g_autoptr (GPtrArray) sketches = ls_tune_sketches (turn->module, turn->func);

      for (guint i = 0; i < sketches->len; i++)
        {
          const LsTuneSketch *sketch = sketches->pdata[i];

          ls_tuner_add_start (turn->tuner, sketch->trace, sketch->moves);
        }
    }
}

/* A trial of a program whose time was known. (transfer full) */
static LsSearchTrial *
remembered (LsTuneCandidate *drawn)
{
  LsSearchTrial *trial = trial_of (drawn);

  trial->remembered = TRUE;
  trial->state = drawn->seconds >= 0 ? LS_TRIAL_MEASURED : LS_TRIAL_FAILED;
  trial->timed = drawn->seconds >= 0;
  trial->min = trial->median = trial->timed ? drawn->seconds * 1e9 : 0;
  trial->problem = trial->timed ? NULL : g_strdup (_("an earlier run could not measure it"));
  return trial;
}

/* `format` has one %u; nothing of 0. */
static void G_GNUC_PRINTF (3, 0)
add_note (LsSearchTurn *turn,
          guint         n,
          const char   *format)
{
  g_autofree char *before = g_steal_pointer (&turn->note), *words = g_strdup_printf (format, n);

  turn->note = n == 0 ? g_steal_pointer (&before) : before == NULL ? g_steal_pointer (&words) : g_strdup_printf ("%s %s", before, words);
}

static void
recall (LsSearchTurn *turn)
{
  GPtrArray *known = ls_tuner_get_candidates (turn->tuner);
  guint n_left_out = 0, n_other;

  turn->n_remembered = ls_tune_database_recall (turn->database, turn->tuner, &n_left_out);
  turn->kinds = g_array_ref (ls_tune_database_get_kinds (turn->database));
  turn->note = g_strdup (ls_tune_database_get_note (turn->database));
  n_other = ls_tune_database_get_n_other (turn->database);
  add_note (turn, n_left_out, ngettext ("%u record of the database does not fit this program and was left out.", "%u records of the database do not fit this program and were left out.",
                                        n_left_out));
  add_note (turn, n_other, ngettext ("%u record of the database is of another target and was left out.", "%u records of the database are of another target and were left out.", n_other));
  for (guint i = 0; i < known->len; i++)
    g_ptr_array_add (turn->drawn, remembered (known->pdata[i]));
}

static gboolean
keep (LsSearchTurn *turn,
      LsTrace      *trace,
      double        seconds)
{
  gboolean was_there = FALSE;
  g_autofree char *target = ls_tune_target_json (turn->target, turn->kind);
  g_autoptr (GError) error = NULL;

  if (turn->database == NULL)
    return TRUE;
  if (ls_tune_database_add (turn->database, trace, seconds, target, &was_there, &error))
    {
      turn->n_elsewhere += was_there;
      return TRUE;
    }
  g_free (turn->problem);
  turn->problem = g_strdup (error->message);
  return FALSE;
}

/* What was measured for an earlier life of the search is a trial of this one, unless the database had it already. */
static void
take_late (LsSearchTurn *turn)
{
  GPtrArray *known = ls_tuner_get_candidates (turn->tuner);

  for (guint i = 0; i < turn->late->len; i++)
    {
      LsSearchLate *late = &g_array_index (turn->late, LsSearchLate, i);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsTrace) trace = ls_trace_from_json (late->trace, findings);
      guint before = known->len;

      if (trace == NULL || !ls_tuner_remember (turn->tuner, trace, late->seconds) || known->len == before)
        continue;
      keep (turn, trace, late->seconds);
      turn->n_remembered++;
      g_ptr_array_add (turn->drawn, remembered (known->pdata[before]));
    }
}

/* What another search in the same folder has measured meanwhile is not measured again. (transfer full) */
static LsSearchTrial *
new_trial (LsSearchTurn    *turn,
           LsTuneCandidate *drawn)
{
  double seconds = -1;

  if (turn->database == NULL || !ls_tune_database_find (turn->database, drawn->trace, &seconds))
    return trial_of (drawn);
  ls_tuner_report (turn->tuner, drawn, seconds, seconds < 0 ? _("another search could not measure it") : NULL);
  turn->n_remembered++;
  return remembered (drawn);
}

void
ls_search_turn_run (LsSearchTurn *turn)
{
  g_autoptr (GError) error = NULL;

  if (turn->tuner == NULL)
    {
      turn->tuner = ls_tuner_new (turn->module, &turn->tuner_options);
      ls_tuner_set_stop (turn->tuner, turn->stop);
      add_designs (turn);
      if (turn->folder != NULL && (turn->database = ls_tune_database_open (turn->folder, turn->module, &error)) == NULL)
        {
          turn->failed = TRUE;
          turn->problem = g_strdup (error->message);
        }
      else if (turn->database != NULL)
        {
          ls_tune_database_set_kind (turn->database, turn->kind);
          ls_tune_database_set_target (turn->database, turn->target);
          recall (turn);
        }
    }
  take_late (turn);
  for (guint i = 0; i < turn->results->len; i++)
    {
      LsSearchResult *result = &g_array_index (turn->results, LsSearchResult, i);

      if (!result->told)
        ls_tuner_report (turn->tuner, result->drawn, result->seconds, result->problem);
      result->kept = keep (turn, result->drawn->trace, result->seconds);
    }
  for (guint n = 0; n < turn->n_wanted && !turn->exhausted && !turn->failed;)
    {
      LsTuneCandidate *drawn = ls_tuner_next (turn->tuner, turn->max_trials);
      LsSearchTrial *trial;

      turn->exhausted = drawn == NULL && g_atomic_int_get (turn->stop) == 0;
      if (g_atomic_int_get (turn->stop) != 0)
        break;
      if (drawn == NULL)
        continue;
      trial = new_trial (turn, drawn);
      n += trial->state == LS_TRIAL_DRAWN;
      g_ptr_array_add (turn->drawn, trial);
    }
  turn->n_trials = ls_tuner_get_n_trials (turn->tuner);
  turn->n_refused = ls_tuner_get_n_refused (turn->tuner);
  turn->n_designs = ls_tuner_get_n_designs (turn->tuner);
  turn->model_share = ls_tuner_get_model_share (turn->tuner);
  turn->refusal = g_strdup (ls_tuner_get_refusal (turn->tuner));
}
