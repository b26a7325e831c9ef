#include "app/cli/tuning-model.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/relax/pass/pass.h"

#include <stdio.h>
#include <unistd.h>

/* ---- its tasks --------------------------------------------------------------- */

static gboolean
has_relax (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (!ls_is (module->functions->items[i], PRIM_FUNC))
      return TRUE;
  return FALSE;
}

/* As TVM's zero pipeline has it, but for constants. (transfer full) */
static LsModule *
legalize (LsModule  *module,
          GError   **error)
{
  static const char *const passes[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR" };
  LsModule *at = ls_ref (module);

  for (guint i = 0; at != NULL && i < G_N_ELEMENTS (passes); i++)
    {
      g_autoptr (LsModule) before = at;
      const LsRelaxPass *pass = ls_relax_pass_get (passes[i], error);
      g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, error) : NULL;

      at = args != NULL ? ls_relax_pass_run (pass, before, args, error) : NULL;
    }
  return at;
}

LsModule *
ls_cli_tuning_tasks (const char  *command,
                     LsModule    *module,
                     GPtrArray  **tasks)
{
  g_autoptr (LsModule) made = NULL;
  g_autoptr (GError) error = NULL;

  *tasks = ls_search_tasks_of (module);
  if ((*tasks)->len > 0 || !has_relax (module))
    return ls_ref (module);
  made = legalize (module, &error);
  if (made == NULL)
    {
      ls_cli_fail (command, "%s", error->message);
      return NULL;
    }
  g_ptr_array_unref (*tasks);
  *tasks = ls_search_tasks_of (made);
  if ((*tasks)->len > 0)
    return g_steal_pointer (&made);
  ls_cli_fail (command, ls_translate ("no TensorIR function is called in this module, also after LegalizeOps: there is nothing to search"));
  return NULL;
}

/* ---- how it stands ------------------------------------------------------------- */

static guint
count (const LsCliTuningModel *self)
{
  GPtrArray *tasks = self->run != NULL ? ls_search_run_get_tasks (self->run) : NULL;

  return self->model != NULL ? ls_search_model_get_n (self->model) : tasks != NULL ? tasks->len : 0;
}

static void
get (const LsCliTuningModel *self,
     guint                   i,
     LsSearchTaskState      *state)
{
  const LsSearchRunTask *task = self->run != NULL ? ls_search_run_get_tasks (self->run)->pdata[i] : NULL;

  if (self->model != NULL)
    ls_search_model_get_task (self->model, i, state);
  else
    *state = (LsSearchTaskState) { task->name, task->run, task->weight, task->trials, task->base, task->best, task->active, task->over, task->problem };
}

static double
total (const LsCliTuningModel *self,
       double                 *base)
{
  if (self->run != NULL)
    return ls_search_run_get_total (self->run, base);
  *base = ls_search_model_get_base (self->model);
  return ls_search_model_get_total (self->model);
}

static guint
trials (const LsCliTuningModel *self)
{
  LsSearchCounts counts;

  if (self->model != NULL)
    return ls_search_model_get_trials (self->model);
  ls_search_run_get_counts (self->run, &counts);
  return counts.trials;
}

void
ls_cli_tuning_progress (const LsCliTuningModel *self,
                        guint                   planned)
{
  gboolean terminal = isatty (STDERR_FILENO);
  guint n = count (self), timed = 0;
  double base, now = total (self, &base);

  for (guint i = 0; i < n; i++)
    {
      LsSearchTaskState state;

      get (self, i, &state);
      timed += state.best > 0;
    }
  fprintf (stderr, "%s%u of %u trials, %u of %u tasks timed", terminal ? "\r" : "", trials (self), planned, timed, n);
  if (now > 0)
    {
      g_autofree char *time = ls_cli_duration (now);

      fprintf (stderr, ", %s (x%.3g)", time, base / now);
    }
  fprintf (stderr, "%s", terminal ? "    " : "\n");
}

static void
print_task (const LsSearchTaskState *state,
            double                   all)
{
  g_autofree char *base = state->base > 0 ? ls_cli_duration (state->base) : g_strdup ("-"), *best = state->best > 0 ? ls_cli_duration (state->best) : g_strdup ("-");

  printf ("%5u  %6u  %10s  %10s  ", state->weight, state->trials, base, best);
  if (state->base > 0 && state->best > 0)
    printf ("x%-8.3g", state->base / state->best);
  else
    printf ("%-9s", "-");
  if (all > 0)
    printf ("  %4.1f %%", 100 * state->weight * state->best / all);
  else
    printf ("  %6s", "-");
  printf ("  %s%s%s\n", state->name, state->problem != NULL ? ": " : "", state->problem != NULL ? state->problem : "");
}

gboolean
ls_cli_tuning_table (const char             *command,
                     const LsCliTuningModel *self)
{
  guint n = count (self), timed = 0;
  const char *problem = NULL;
  double base, now = total (self, &base);

  for (guint i = 0; i < n; i++)
    {
      LsSearchTaskState state;

      get (self, i, &state);
      timed += state.best > 0;
      problem = problem != NULL ? problem : state.problem;
    }
  if (timed == 0)
    {
      ls_cli_fail (command, ls_translate ("0 of %u tasks could be measured: %s"), n, problem != NULL ? problem : ls_translate ("the search was ended"));
      return FALSE;
    }
  printf ("%u trials of %u tasks", trials (self), n);
  if (now > 0)
    {
      g_autofree char *from = ls_cli_duration (base), *to = ls_cli_duration (now);

      printf (": all calls together %s, as it is %s, x%.3g", to, from, base / now);
    }
  printf ("\ncalls  trials    as it is        best  speed-up    share  task\n");
  for (guint i = 0; i < n; i++)
    {
      LsSearchTaskState state;

      get (self, i, &state);
      print_task (&state, now);
    }
  return TRUE;
}
