/* search: search over a stochastic schedule (seed 002, section 4: sample_perfect_tile drawn again and again), or over the
 * schedules that meta_schedule's rules for a CPU make of the program.
 *
 *   --steps FILE       steps with sampling ones; each trial applies them with decisions of its own
 *   --space post-order the rules instead of steps: tiling, rfactor, inlining, parallel, vector and unrolled loops
 *   --strategy NAME    random (each trial drawn anew) or evolutionary (fast ones are changed, a model of cost chooses);
 *                      random with steps, evolutionary with rules
 *   --work-dir DIR     adds what was measured to database_workload.json and database_tuning_record.json there
 *   --trials N         how many trials (32)
 *   --jobs J           workers that measure at the same time (1: measurements do not disturb each other)
 *   --seed S           where the draws start
 *   --func F, --target T, --budget-ms N (for each program), --set NAME=VALUE, --timeout SECONDS
 *
 * The search itself is engine/tune's; here it is given workers and shown.  Trials that give the same program are measured once.  A worker builds each program, compares what it computes with
 * what the unscheduled one did and times it.  The unscheduled one runs once in each worker, and is timed once.  A program whose first runs each take
 * GIVE_UP times the best is not measured further.  The best is kept; Ctrl+C ends the search and shows what there is.  Progress goes to
 * standard error.  Exit status 1 when no program could be measured.
 */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/schedule/space/space.h"
#include "engine/script/script.h"
#include "engine/tune/tune.h"

#include <glib-unix.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_JOBS 64
#define GIVE_UP 8               /* times the best: as slow as that in each of its first runs, a program is hopeless */
#define GIVE_UP_FLOOR 10e6      /* ns: below, a first run says little, and measuring costs little */

typedef struct {
  const char *file, *func, *steps, *space, *strategy, *work_dir, *target;
  gint64      trials, jobs, seed, budget, timeout;
  GPtrArray  *set;
  gboolean    json;
} Request;

/* What is known of one program that was drawn. */
typedef struct {
  LsTuneCandidate *drawn;       /* borrowed */
  gboolean    measured;
  gboolean    equal;
  gboolean    given_up;         /* the times are of the quickest of the first runs */
  double      min, median, iqr; /* ns */
  char       *problem;          /* why it has no times, or NULL */
} Candidate;

typedef struct {
  Request    *request;
  const char *command;
  LsModule   *module;
  char       *text;             /* of the module */
  LsSource   *source;
  LsCallList *list;             /* the steps */
  GPtrArray  *candidates;       /* of Candidate, in the order of their first draw */
  LsTuner    *tuner;
  guint       n_lost;           /* trials that were refused before there was a design */
  guint       n_running, n_measured, n_given_up;
  char       *refusal;          /* why the first of these was */
  double      base_min, base_median, base_iqr;
  char       *conditions;
  GMainLoop  *loop;
  LsWorker   *workers[MAX_JOBS];
  gboolean    stopped;
  FILE       *records;          /* database_tuning_record.json, or NULL */
} Search;

typedef struct {
  Search    *search;
  LsWorker  *worker;
  Candidate *candidate;         /* NULL: the unscheduled program */
} Job;

static void
candidate_free (gpointer data)
{
  Candidate *self = data;

  g_free (self->problem);
  g_free (self);
}

static void
search_clear (Search *self)
{
  ls_unref (self->module);
  g_free (self->text);
  g_clear_pointer (&self->source, ls_source_unref);
  g_clear_pointer (&self->list, ls_call_list_unref);
  g_clear_pointer (&self->candidates, g_ptr_array_unref);
  g_clear_pointer (&self->tuner, ls_tuner_free);
  g_free (self->refusal);
  g_free (self->conditions);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->records, fclose);
  for (guint i = 0; i < MAX_JOBS; i++)
    g_clear_object (&self->workers[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* ---- drawing --------------------------------------------------------------------- */

static const char *
refusal_of (Search *self)
{
  const char *own = self->tuner != NULL ? ls_tuner_get_refusal (self->tuner) : NULL;

  return self->refusal != NULL ? self->refusal : own;
}

static guint
n_trials (Search *self)
{
  return self->n_lost + (self->tuner != NULL ? ls_tuner_get_n_trials (self->tuner) : 0);
}

static guint
n_refused (Search *self)
{
  return self->n_lost + (self->tuner != NULL ? ls_tuner_get_n_refused (self->tuner) : 0);
}

/* The steps with draws of this seed, as a design, or NULL. (transfer full) */
static LsTrace *
read_design (Search *self, gint64 seed)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (self->module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_set_seed (schedule, seed);
  for (guint i = 0; i < ls_call_list_get_n (self->list); i++)
    if (!ls_schedule_apply_call (schedule, self->list, ls_call_list_get (self->list, i), findings))
      {
        for (guint f = 0; self->refusal == NULL && f < ls_diagnostics_get_n (findings); f++)
          if (ls_diagnostics_get (findings, f)->severity == LS_SEVERITY_ERROR)
            self->refusal = g_strdup_printf ("%s: %s", ls_call_list_get (self->list, i)->method, ls_diagnostics_get (findings, f)->message);
        return NULL;
      }
  return ls_trace_of (schedule);
}

/* A design made of the steps: the first seed with which they can be applied. */
static void
add_steps (Search *self)
{
  while (self->n_lost < self->request->trials)
    {
      g_autoptr (LsTrace) design = read_design (self, self->request->seed + self->n_lost);

      if (design != NULL)
        {
          ls_tuner_add_design (self->tuner, design);
          return;
        }
      self->n_lost++;
    }
}

static void
add_rules (Search *self)
{
  g_autoptr (GPtrArray) designs = ls_space_designs (self->module, NULL, self->request->seed);

  for (guint i = 0; i < designs->len; i++)
    {
      g_autoptr (LsTrace) design = ls_trace_of (designs->pdata[i]);

      ls_tuner_add_design (self->tuner, design);
    }
}

static void
make_tuner (Search *self)
{
  gboolean rules = self->request->space != NULL;
  const char *strategy = self->request->strategy != NULL ? self->request->strategy : rules ? "evolutionary" : "random";
  LsTunerOptions options = { .strategy = strcmp (strategy, "random") == 0 ? LS_TUNE_RANDOM : LS_TUNE_EVOLUTIONARY, .seed = self->request->seed,
                             .max_jobs = 16 * (gint64) g_get_num_processors (), .postprocs = rules };

  self->tuner = ls_tuner_new (self->module, &options);
  if (rules)
    add_rules (self);
  else
    add_steps (self);
}

/* Draws until there is a program that was not seen before; NULL when the trials are used up. */
static Candidate *
next_candidate (Search *self)
{
  LsTuneCandidate *drawn = n_trials (self) < self->request->trials ? ls_tuner_next (self->tuner, (guint) self->request->trials - self->n_lost) : NULL;
  Candidate *candidate;

  if (drawn == NULL)
    return NULL;
  candidate = g_new0 (Candidate, 1);
  candidate->drawn = drawn;
  g_ptr_array_add (self->candidates, candidate);
  return candidate;
}

/* ---- measuring ----------------------------------------------------------------------- */

static Candidate *
best_of (Search *self)
{
  Candidate *best = NULL;

  for (guint i = 0; i < self->candidates->len; i++)
    {
      Candidate *candidate = self->candidates->pdata[i];

      if (candidate->measured && candidate->equal && (best == NULL || candidate->median < best->median))
        best = candidate;
    }
  return best;
}

static void
show_progress (Search *self)
{
  Candidate *best = best_of (self);
  g_autofree char *time = best != NULL ? ls_cli_duration (best->median) : NULL;
  gboolean terminal = isatty (STDERR_FILENO);

  fprintf (stderr, "%s%u of %" G_GINT64_FORMAT " trials, %u programs measured", terminal ? "\r" : "", n_trials (self), self->request->trials, self->n_measured);
  if (best != NULL && self->base_median > 0)
    fprintf (stderr, ", best %s (x%.3g)   ", time, self->base_median / best->median);
  else if (best != NULL)
    fprintf (stderr, ", best %s   ", time);
  fprintf (stderr, "%s", terminal ? "" : "\n");
}

static void start_next (Search *self, LsWorker *worker);

static void
take_times (GVariant *result, double *min, double *median, double *iqr)
{
  *min = ls_cli_number (result, "min");
  *median = ls_cli_number (result, "median");
  *iqr = ls_cli_number (result, "iqr");
}

static void
take_answer (Search *self, Candidate *candidate, GVariant *answer)
{
  if (self->conditions == NULL)
    self->conditions = g_strdup (ls_params_string (answer, "conditions", ""));
  if (candidate == NULL)
    {
      take_times (answer, &self->base_min, &self->base_median, &self->base_iqr);
      return;
    }
  candidate->equal = ls_params_bool (answer, "equal", FALSE);
  candidate->given_up = ls_params_bool (answer, "given-up", FALSE);
  candidate->measured = TRUE;
  take_times (answer, &candidate->min, &candidate->median, &candidate->iqr);
  if (!candidate->equal)
    candidate->problem = g_strdup (ls_params_string (answer, "mismatch", "it computes something else"));
  self->n_measured++;
  self->n_given_up += candidate->given_up;
}

/* Tells the search what came of a program, and writes it down. */
static void
report (Search *self, Candidate *candidate)
{
  double seconds = candidate->measured && candidate->equal ? candidate->median / 1e9 : -1;

  ls_tuner_report (self->tuner, candidate->drawn, seconds, candidate->problem);
  if (seconds > 0 && !candidate->given_up && self->records != NULL)
    {
      g_autofree char *line = ls_tune_record_line (0, self->module, candidate->drawn->trace, &seconds, 1, "{\"kind\": \"llvm\", \"keys\": [\"cpu\"], \"tag\": \"\"}");

      fprintf (self->records, "%s\n", line);
      fflush (self->records);
    }
}

static void
measured (GObject *source, GAsyncResult *result, gpointer data)
{
  Job *job = data;
  Search *self = job->search;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (job->worker, result, NULL, NULL, &error);

  self->n_running--;
  if (answer != NULL)
    take_answer (self, job->candidate, answer);
  else if (job->candidate != NULL)
    job->candidate->problem = g_strdup (self->stopped ? "the search was ended" : error->message);
  if (job->candidate != NULL)
    report (self, job->candidate);
  show_progress (self);
  if (!self->stopped)
    start_next (self, job->worker);
  if (self->n_running == 0)
    g_main_loop_quit (self->loop);
  g_free (job);
}

/* How long the first runs of a program may take before it is given up, in ns; 0: as long as it wants.  The unscheduled one is timed
 * as long as that takes no longer than a measurement. */
static gint64
give_up_ns (Search *self, Candidate *candidate)
{
  Candidate *best = best_of (self);

  if (candidate == NULL)
    return self->request->budget * 1000000;
  return best != NULL ? (gint64) MAX (GIVE_UP * best->median, GIVE_UP_FLOOR) : 0;
}

/* candidate NULL: the unscheduled program. */
static void
start_job (Search *self, LsWorker *worker, Candidate *candidate)
{
  LsWorkerOptions options = { .timeout_ms = self->request->timeout * 1000 };
  GVariantDict params;
  Job *job;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", candidate != NULL ? candidate->drawn->text : self->text);
  g_variant_dict_insert (&params, "reference", "s", self->text);
  g_variant_dict_insert (&params, "keep-reference", "b", TRUE);
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) self->request->set->pdata, (gssize) self->request->set->len));
  g_variant_dict_insert (&params, "budget-ms", "x", self->request->budget);
  g_variant_dict_insert (&params, "give-up-ns", "x", give_up_ns (self, candidate));
  g_variant_dict_insert (&params, "seed", "x", (gint64) 0);
  if (self->request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", self->request->func);
  if (self->request->target != NULL)
    g_variant_dict_insert (&params, "target", "s", self->request->target);
  job = g_new0 (Job, 1);
  *job = (Job) { self, worker, candidate };
  self->n_running++;
  ls_worker_call_async (worker, "time", g_variant_dict_end (&params), &options, NULL, measured, job);
}

static void
start_next (Search *self, LsWorker *worker)
{
  Candidate *candidate = next_candidate (self);

  if (candidate != NULL)
    start_job (self, worker, candidate);
}

static gboolean
interrupted (gpointer data)
{
  Search *self = data;

  self->stopped = TRUE;
  for (guint i = 0; i < MAX_JOBS && self->workers[i] != NULL; i++)
    ls_worker_stop (self->workers[i]);
  return G_SOURCE_CONTINUE;
}

static void
measure_all (Search *self)
{
  guint signal_source = g_unix_signal_add (SIGINT, interrupted, self);

  self->loop = g_main_loop_new (NULL, FALSE);
  for (gint64 i = 0; i < self->request->jobs; i++)
    {
      self->workers[i] = ls_worker_new ();
      if (i == 0)
        start_job (self, self->workers[i], NULL);
      else
        start_next (self, self->workers[i]);
    }
  if (self->n_running > 0)
    g_main_loop_run (self->loop);
  g_source_remove (signal_source);
  if (isatty (STDERR_FILENO))
    fputs ("\n", stderr);
}

/* ---- what comes of it ------------------------------------------------------------------- */

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = *(const Candidate *const *) a;
  const Candidate *y = *(const Candidate *const *) b;
  gboolean good_x = x->measured && x->equal, good_y = y->measured && y->equal;

  if (good_x != good_y)
    return good_y - good_x;
  return good_x ? (x->median > y->median) - (x->median < y->median) : (x->drawn->seed > y->drawn->seed) - (x->drawn->seed < y->drawn->seed);
}

/* "[16, 4] [8, 8] 1": what was drawn, in order. (transfer full) */
static char *
decisions_of (LsSchedule *schedule)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      const LsStep *step = ls_schedule_get_step (schedule, i);
      g_autofree char *line = step->decision != NULL ? ls_schedule_print_step (schedule, i) : NULL;
      char *at = line != NULL ? g_strrstr (line, "decision=") : NULL;

      if (at == NULL)
        continue;
      at[strlen (at) - 1] = '\0';
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", at + strlen ("decision="));
    }
  return g_string_free (text, FALSE);
}

static void
print_candidate (Search *self, Candidate *candidate, guint rank)
{
  g_autofree char *decisions = decisions_of (candidate->drawn->schedule);
  g_autofree char *min = ls_cli_duration (candidate->min);
  g_autofree char *median = ls_cli_duration (candidate->median);
  g_autofree char *iqr = ls_cli_duration (candidate->iqr);

  if (!candidate->measured)
    printf ("%4s  %s: %s\n", "-", decisions, candidate->problem != NULL ? candidate->problem : "not measured");
  else
    printf ("%4u  %10s  %10s  %10s  x%-8.3g %5u  %s%s%s\n", rank, min, median, iqr, self->base_median / candidate->median, candidate->drawn->n_drawn, decisions,
            !candidate->equal ? "  other output: " : candidate->given_up ? "  given up" : "", candidate->equal ? "" : candidate->problem);
}

static int
print_text (Search *self)
{
  Candidate *best = best_of (self);
  Candidate *first = self->candidates->len > 0 ? self->candidates->pdata[0] : NULL;
  g_autofree char *min = ls_cli_duration (self->base_min);
  g_autofree char *median = ls_cli_duration (self->base_median);
  g_autofree char *iqr = ls_cli_duration (self->base_iqr);
  g_autofree char *trace = best != NULL ? ls_schedule_print_trace (best->drawn->schedule) : NULL;

  if (best == NULL)
    return ls_cli_fail (self->command, "%u programs of %u trials and 0 measured: %s", self->candidates->len, n_trials (self),
                        first != NULL && first->problem != NULL ? first->problem : refusal_of (self) != NULL ? refusal_of (self) : "the search was ended");
  printf ("%u trials%s: %u programs, %u measured (%u of them given up), %u trials refused\n", n_trials (self), self->stopped ? " (ended early)" : "",
          self->candidates->len, self->n_measured, self->n_given_up, n_refused (self));
  if (refusal_of (self) != NULL)
    printf ("first refusal: %s\n", refusal_of (self));
  if (self->n_measured > 0)
    printf ("%4s  %10s  %10s  %10s  %-9s %5s  %s\n%4s  %10s  %10s  %10s\n", "rank", "min", "median", "IQR", "speed-up", "drawn", "decisions", "", min, median, iqr);
  for (guint i = 0; i < self->candidates->len; i++)
    print_candidate (self, self->candidates->pdata[i], i + 1);
  if (self->conditions != NULL)
    printf ("%s\n", self->conditions);
  printf ("\nbest trace\n%s\n", trace);
  return LS_CLI_DONE;
}

static void
add_times (GVariantDict *dict, double min, double median, double iqr)
{
  g_variant_dict_insert (dict, "min", "d", min);
  g_variant_dict_insert (dict, "median", "d", median);
  g_variant_dict_insert (dict, "iqr", "d", iqr);
}

static GVariant *
candidate_as_variant (Search *self, Candidate *candidate, gboolean whole)
{
  g_autofree char *decisions = decisions_of (candidate->drawn->schedule);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "decisions", "s", decisions);
  g_variant_dict_insert (&dict, "seed", "x", candidate->drawn->seed);
  g_variant_dict_insert (&dict, "drawn", "u", candidate->drawn->n_drawn);
  g_variant_dict_insert (&dict, "equal", "b", candidate->equal);
  if (candidate->measured)
    {
      add_times (&dict, candidate->min, candidate->median, candidate->iqr);
      g_variant_dict_insert (&dict, "given-up", "b", candidate->given_up);
      if (isfinite (candidate->drawn->predicted))
        g_variant_dict_insert (&dict, "predicted", "d", exp (candidate->drawn->predicted) * 1e9);
      g_variant_dict_insert (&dict, "speedup", "d", self->base_median / candidate->median);
    }
  if (candidate->problem != NULL)
    g_variant_dict_insert (&dict, "error", "s", candidate->problem);
  if (whole)
    {
      g_autofree char *trace = ls_schedule_print_trace (candidate->drawn->schedule);
      g_autoptr (LsTrace) steps = ls_trace_of (candidate->drawn->schedule);
      g_autofree char *json = ls_trace_to_json (steps, FALSE);

      g_variant_dict_insert (&dict, "trace", "s", trace);
      g_variant_dict_insert (&dict, "trace_json", "s", json);
      g_variant_dict_insert (&dict, "module", "s", candidate->drawn->text);
    }
  return g_variant_dict_end (&dict);
}

static int
print_json (Search *self)
{
  Candidate *best = best_of (self);
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder list;
  GVariantDict dict, base;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->candidates->len; i++)
    g_variant_builder_add_value (&list, candidate_as_variant (self, self->candidates->pdata[i], FALSE));
  g_variant_dict_init (&base, NULL);
  add_times (&base, self->base_min, self->base_median, self->base_iqr);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "trials", "u", n_trials (self));
  g_variant_dict_insert (&dict, "programs", "u", self->candidates->len);
  g_variant_dict_insert (&dict, "measured", "u", self->n_measured);
  g_variant_dict_insert (&dict, "given-up", "u", self->n_given_up);
  g_variant_dict_insert (&dict, "refused", "u", n_refused (self));
  g_variant_dict_insert (&dict, "interrupted", "b", self->stopped);
  g_variant_dict_insert_value (&dict, "unscheduled", g_variant_dict_end (&base));
  if (refusal_of (self) != NULL)
    g_variant_dict_insert (&dict, "refusal", "s", refusal_of (self));
  if (self->conditions != NULL)
    g_variant_dict_insert (&dict, "conditions", "s", self->conditions);
  if (best != NULL)
    g_variant_dict_insert_value (&dict, "best", candidate_as_variant (self, best, TRUE));
  g_variant_dict_insert_value (&dict, "candidates", g_variant_builder_end (&list));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (whole);
  return best != NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}

/* ---- the command --------------------------------------------------------------------------- */

/* A fresh pair of files, since a record names its workload by its line. */
static gboolean
open_records (Search *self)
{
  g_autofree char *workloads = g_build_filename (self->request->work_dir, "database_workload.json", NULL);
  g_autofree char *records = g_build_filename (self->request->work_dir, "database_tuning_record.json", NULL);
  g_autofree char *line = ls_tune_workload_line (self->module);
  g_autofree char *text = g_strconcat (line, "\n", NULL);
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;

  if (g_mkdir_with_parents (self->request->work_dir, 0755) != 0)
    {
      ls_cli_fail (self->command, "%s cannot be made", self->request->work_dir);
      return FALSE;
    }
  if (g_file_get_contents (workloads, &before, NULL, NULL) && before[0] != '\0' && strcmp (before, text) != 0)
    {
      ls_cli_fail (self->command, "%s holds another program; give another folder", workloads);
      return FALSE;
    }
  if (!g_file_set_contents (workloads, text, -1, &error) || (self->records = fopen (records, "a")) == NULL)
    {
      ls_cli_fail (self->command, "%s: %s", self->request->work_dir, error != NULL ? error->message : "the records cannot be written");
      return FALSE;
    }
  return TRUE;
}

static int
search (Request *request, const char *command)
{
  g_auto (Search) self = { .request = request, .command = command };
  g_autoptr (LsDiagnostics) reading = ls_diagnostics_new ();

  self.module = ls_cli_read_module (command, request->file);
  if (self.module == NULL)
    return LS_CLI_FAILED;
  if (request->steps != NULL && (self.source = ls_cli_read_source (command, request->steps)) == NULL)
    return LS_CLI_FAILED;
  if (self.source != NULL)
    self.list = ls_script_parse_calls (self.source, reading);
  if (ls_diagnostics_has_error (reading))
    return ls_cli_fail_with (reading);
  if (request->work_dir != NULL && !open_records (&self))
    return LS_CLI_FAILED;
  self.text = ls_cli_module_text (self.module);
  self.candidates = g_ptr_array_new_with_free_func (candidate_free);
  make_tuner (&self);
  measure_all (&self);
  g_ptr_array_sort (self.candidates, compare_candidates);
  return request->json ? print_json (&self) : print_text (&self);
}

int
ls_cli_search (int argc, char **argv)
{
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Request request = { .trials = 32, .jobs = 1, .seed = 1, .budget = 200, .timeout = 120, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--space", LS_CLI_TEXT, &request.space },
    { "--strategy", LS_CLI_TEXT, &request.strategy },
    { "--work-dir", LS_CLI_TEXT, &request.work_dir },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--trials", LS_CLI_NUMBER, &request.trials },
    { "--jobs", LS_CLI_NUMBER, &request.jobs },
    { "--seed", LS_CLI_NUMBER, &request.seed },
    { "--budget-ms", LS_CLI_NUMBER, &request.budget },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--set", LS_CLI_LIST, set },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.file == NULL || (request.steps == NULL) == (request.space == NULL))
    return ls_cli_usage (argv[0], "a file and --steps or --space are expected");
  if (request.space != NULL && strcmp (request.space, "post-order") != 0)
    return ls_cli_usage (argv[0], "--space is post-order");
  if (request.strategy != NULL && strcmp (request.strategy, "random") != 0 && strcmp (request.strategy, "evolutionary") != 0)
    return ls_cli_usage (argv[0], "--strategy is random or evolutionary");
  if (request.trials < 1 || request.jobs < 1 || request.jobs > MAX_JOBS)
    return ls_cli_usage (argv[0], "--trials is at least 1 and --jobs from 1 to %d", MAX_JOBS);
  return search (&request, argv[0]);
}
