/* search: search over a stochastic schedule (seed 002, section 4: sample_perfect_tile drawn again and again), or over the
 * schedules that meta_schedule's rules for a CPU, or for threads, make of the program.
 *
 *   --steps FILE       steps with sampling ones; each trial applies them with decisions of its own
 *   --space post-order the rules instead of steps: tiling, rfactor, inlining, parallel, vector and unrolled loops
 *   --space cuda       with a target of threads: the rules for these (tiles for blocks, virtual threads and threads, shared memory filled together, sums across
 *                      threads); cuda-tensorcore: for tensor cores.  Without --steps and --space such a target takes cuda
 *   --strategy NAME    random (each trial drawn anew) or evolutionary (fast ones are changed, a model of cost chooses);
 *                      random with steps, evolutionary with rules
 *   --cost-model NAME  what chooses in an evolutionary search: ridge (the default: trees found no better programs in the benchmark `tuners`), xgb (trees
 *                      by XGBoost, or the ridge regression where its library is missing), random (chance); --model is an earlier name of it
 *   --database DIR     keeps what was measured in database_workload.json and database_tuning_record.json there, as TVM does; what they have of
 *                      this program counts as trials, so that a search that was killed goes on.  -o and --work-dir are other names of it
 *   --trials N         how many trials (32)
 *   --seconds N        ends it after so long (0: when the trials are used up)
 *   --queue URL        machines that run loopscope-measure on this queue measure, instead of this one; --auth FILE has its credentials, --kind KIND
 *                      says on which kind of machine (the kind of which there are most)
 *   --target T         cuda, opencl, rocm or a tag of such a device (nvidia/nvidia-a100): the steps bind threads, and a GPU measures: one of this machine, or
 *                      those of a queue whose machines run loopscope-measure --device
 *   --export-batch DIR writes a bundle of --trials candidates instead, which runs on a device of another machine with a C compiler and its driver (./run
 *                      there); --arch sm_80,sm_90 as with device export; --database DIR remembers what was given out
 *   --import-batch FILE   takes the result.json that came back into the database: times, and failures with their reasons; with --export-batch the next
 *                      batch follows, drawn with what is known now
 *   --by COUNT         with a target of threads: no device measures; the programs run on simulated threads and stand by a count: sectors (of global memory),
 *                      passes (over the banks of shared memory) or instructions.  No times
 *   --jobs J           workers that measure at the same time (1: measurements do not disturb each other)
 *   --seed S           where the draws start
 *   --func F, --target T, --budget-ms N (for each program), --set NAME=VALUE, --timeout SECONDS
 *
 * The search itself is app/search's; here it is asked for and shown.  Trials that give the same program are measured once.  A worker builds each program, compares what it computes with
 * what the unscheduled one did and times it.  The best is kept; Ctrl+C ends the search and shows what there is.  Progress goes to
 * standard error.  Exit status 1 when no program could be measured.
 */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "app/cli/search-batch.h"
#include "app/cli/search-counts.h"
#include "app/cli/search-space.h"
#include "app/search/batch.h"
#include "engine/advice/advice.h"
#include "engine/script/script.h"

#include <glib-unix.h>
#include <signal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHOWN_WORTH 6

typedef struct {
  LsCliSearchRequest search;
  const char *steps, *space, *by;
  LsCliBatch batch;
} Request;

typedef struct {
  Request        *request;
  const char     *command;
  LsModule       *module;
  LsSource       *source;
  LsCallList     *list;         /* the steps */
  guint           n_lost;       /* trials that were refused before there was a design */
  char           *refusal;      /* why the first of these was */
  LsSearch       *search;
  GMainLoop      *loop;
  gboolean        stopped;
  GPtrArray      *ranked;       /* of LsSearchTrial (borrowed), the best first */
  LsSearchCounts  counts;       /* at its end */
  gboolean        evolves;
  LsFleetAddress *queue;        /* or NULL */
  char           *trouble;      /* the last that was said */
  LsTuneModelKind model;        /* that is here */
} Search;

static void
search_clear (Search *self)
{
  ls_unref (self->module);
  g_clear_pointer (&self->source, ls_source_unref);
  g_clear_pointer (&self->list, ls_call_list_unref);
  g_clear_pointer (&self->ranked, g_ptr_array_unref);
  g_clear_object (&self->search);
  g_free (self->refusal);
  g_free (self->trouble);
  g_clear_pointer (&self->queue, ls_fleet_address_free);
  g_clear_pointer (&self->loop, g_main_loop_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* ---- drawing --------------------------------------------------------------------- */

static const char *
refusal_of (Search *self)
{
  return self->refusal != NULL ? self->refusal : ls_search_get_refusal (self->search);
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

/* A design made of the steps: the first seed with which they can be applied. (transfer full) of LsTrace */
static GPtrArray *
read_steps (Search *self)
{
  GPtrArray *designs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_trace_unref);

  while (designs->len == 0 && self->n_lost < self->request->search.trials)
    {
      LsTrace *design = read_design (self, self->request->search.seed + self->n_lost);

      if (design != NULL)
        g_ptr_array_add (designs, design);
      else
        self->n_lost++;
    }
  return designs;
}

/* What is searched, when it is no space of a processor: made of the steps, or by the rules for threads.  NULL after it said what is wrong. (transfer full) of LsTrace */
static GPtrArray *
read_designs (Search *self)
{
  Request *request = self->request;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *designs;

  if (!ls_cli_is_thread_space (request->space))
    return read_steps (self);
  text = ls_cli_module_text (self->module);
  designs = ls_cli_thread_space (text, request->search.target, request->space, (guint) request->search.trials, request->search.seed,
                                 request->search.seconds > 0 ? (double) request->search.seconds : 30 + 10.0 * (double) request->search.trials, &error);
  if (designs == NULL)
    ls_cli_fail (self->command, "%s", error->message);
  return designs;
}

/* ---- while it goes on -------------------------------------------------------------- */

static void
show_progress (Search *self)
{
  LsSearchTrial *best = ls_search_get_best (self->search);
  g_autofree char *time = best != NULL ? ls_cli_duration (best->median) : NULL;
  gboolean terminal = isatty (STDERR_FILENO);
  LsSearchCounts counts;

  ls_search_get_counts (self->search, &counts);
  fprintf (stderr, "%s%u of %" G_GINT64_FORMAT " trial%s, %u program%s measured", terminal ? "\r" : "", counts.trials, self->request->search.trials, self->request->search.trials == 1 ? "" : "s", counts.measured,
           counts.measured == 1 ? "" : "s");
  if (best != NULL && counts.base_median > 0)
    fprintf (stderr, ", best %s (x%.3g)   ", time, counts.base_median / best->median);
  else if (best != NULL)
    fprintf (stderr, ", best %s   ", time);
  fprintf (stderr, "%s", terminal ? "" : "\n");
}

static void
on_trial (LsSearch *search, guint number, Search *self)
{
  LsSearchTrial *trial = g_ptr_array_index (ls_search_get_trials (search), number);

  if (!trial->remembered && (trial->state == LS_TRIAL_MEASURED || trial->state == LS_TRIAL_FAILED))
    show_progress (self);
}

static void
on_ended (LsSearch *search, Search *self)
{
  g_main_loop_quit (self->loop);
}

/* What keeps the machines of a queue from measuring, when it is news. */
static void
on_changed (LsSearch *search, Search *self)
{
  const char *trouble = ls_search_get_trouble (search);

  if (g_strcmp0 (trouble, self->trouble) == 0)
    return;
  if (trouble != NULL)
    fprintf (stderr, "%s%s\n", isatty (STDERR_FILENO) ? "\n" : "", trouble);
  else
    fprintf (stderr, "Machines of the kind %s measure.\n", ls_search_get_kind (search));
  g_free (self->trouble);
  self->trouble = g_strdup (trouble);
}

static gboolean
interrupted (gpointer data)
{
  Search *self = data;

  self->stopped = TRUE;
  ls_search_stop (self->search);
  return G_SOURCE_CONTINUE;
}

static void
run_search (Search *self)
{
  guint signal_source = g_unix_signal_add (SIGINT, interrupted, self);

  /* A file that may not grow is a fault of writing, as a full disk is. */
  signal (SIGXFSZ, SIG_IGN);
  self->loop = g_main_loop_new (NULL, FALSE);
  g_signal_connect (self->search, "trial", G_CALLBACK (on_trial), self);
  g_signal_connect (self->search, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect (self->search, "ended", G_CALLBACK (on_ended), self);
  ls_search_start (self->search);
  if (ls_search_get_state (self->search) != LS_SEARCH_ENDED)
    g_main_loop_run (self->loop);
  g_source_remove (signal_source);
  if (isatty (STDERR_FILENO))
    fputs ("\n", stderr);
  if (ls_search_get_note (self->search) != NULL)
    fprintf (stderr, "%s\n", ls_search_get_note (self->search));
  if (ls_search_get_problem (self->search) != NULL && ls_search_get_end (self->search) != LS_SEARCH_END_ERROR)
    fprintf (stderr, "%s\n", ls_search_get_problem (self->search));
}

/* ---- what comes of it ------------------------------------------------------------------- */

static gint
compare_trials (gconstpointer a, gconstpointer b)
{
  const LsSearchTrial *x = *(const LsSearchTrial *const *) a;
  const LsSearchTrial *y = *(const LsSearchTrial *const *) b;
  gboolean good_x = x->state == LS_TRIAL_MEASURED, good_y = y->state == LS_TRIAL_MEASURED;

  if (good_x != good_y)
    return good_y - good_x;
  return good_x ? (x->median > y->median) - (x->median < y->median) : (x->seed > y->seed) - (x->seed < y->seed);
}

static void
print_trial (Search *self, LsSearchTrial *trial, guint rank)
{
  g_autofree char *decisions = ls_search_decisions_text (trial->schedule);
  g_autofree char *min = ls_cli_duration (trial->min);
  g_autofree char *median = ls_cli_duration (trial->median);
  g_autofree char *iqr = trial->remembered ? g_strdup ("-") : ls_cli_duration (trial->iqr);
  g_autofree char *speedup = self->counts.base_median > 0 ? g_strdup_printf ("x%.3g", self->counts.base_median / trial->median) : g_strdup ("-");
  gboolean equal = trial->state == LS_TRIAL_MEASURED;

  if (!trial->timed)
    printf ("%4s  %s: %s\n", "-", decisions, trial->problem != NULL ? trial->problem : "not measured");
  else
    printf ("%4u  %10s  %10s  %10s  %-9s %5u  %s%s%s\n", rank, trial->remembered ? "-" : min, median, iqr, speedup, trial->n_drawn,
            decisions, !equal ? "  other output: " : trial->given_up ? "  given up" : trial->remembered ? "  from the database" : "",
            equal ? "" : trial->problem);
}

static void
print_worth (Search *self)
{
  g_autoptr (GArray) worth = ls_search_get_worth (self->search);

  for (guint i = 0; i < worth->len && i < SHOWN_WORTH; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = ls_tune_decision_name (&one->decision);
      g_autofree char *best = ls_cli_duration (one->best_seconds * 1e9);
      g_autofree char *worst = ls_cli_duration (one->worst_seconds * 1e9);

      if (i == 0)
        printf ("\nshare of the spread that a decision explains by itself (epsilon squared of log time)\n");
      printf ("%5.0f %%  %-28s best %" G_GINT64_FORMAT ": %s; worst of %u values: %s\n", one->share * 100, name, one->decision.value, best, one->n_values, worst);
    }
}

/* machine -> how many programs it measured. (transfer full) */
static GHashTable *
count_machines (Search *self)
{
  GHashTable *counts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->ranked->len; i++)
    {
      const char *machine = ((LsSearchTrial *) self->ranked->pdata[i])->machine;

      if (machine != NULL)
        g_hash_table_insert (counts, (char *) machine, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, machine)) + 1));
    }
  return counts;
}

static void
print_machines (Search *self)
{
  g_autoptr (GHashTable) counts = count_machines (self);
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc) strcmp);

  if (ls_search_get_kind (self->search) != NULL)
    printf ("measured on machines of the kind %s\n", ls_search_get_kind (self->search));
  for (GList *at = names; at != NULL; at = at->next)
    printf ("%5u programs  %s\n", GPOINTER_TO_UINT (g_hash_table_lookup (counts, at->data)), (char *) at->data);
}

/* The steps of the first one whose output is another one: with them the debugger shows where it parts from the program. */
static void
print_other (Search *self)
{
  for (guint i = 0; i < self->ranked->len; i++)
    {
      LsSearchTrial *trial = self->ranked->pdata[i];

      if (trial->timed && trial->state == LS_TRIAL_FAILED)
        {
          g_autofree char *trace = ls_schedule_print_trace (trial->schedule);

          printf ("\ntrace of one whose output is another one; where they part, with this as STEPS.py: loopscope-cli debug %s --steps STEPS.py --part\n%s\n",
                  self->request->search.file, trace);
          return;
        }
    }
}

static int
print_text (Search *self)
{
  LsSearchTrial *best = ls_search_get_best (self->search);
  LsSearchTrial *first = self->ranked->len > 0 ? self->ranked->pdata[0] : NULL;
  gboolean based = self->counts.base_median > 0;
  g_autofree char *min = based ? ls_cli_duration (self->counts.base_min) : g_strdup ("");
  g_autofree char *median = based ? ls_cli_duration (self->counts.base_median) : g_strdup ("");
  g_autofree char *iqr = based ? ls_cli_duration (self->counts.base_iqr) : g_strdup ("");
  g_autofree char *trace = best != NULL ? ls_schedule_print_trace (best->schedule) : NULL;
  g_autofree char *remembered = self->counts.remembered > 0 ? g_strdup_printf (", %u of them from the database", self->counts.remembered) : NULL;

  if (best == NULL)
    print_other (self);
  if (best == NULL)
    return ls_cli_fail (self->command, "%u program%s of %u trial%s and 0 measured: %s", self->ranked->len, self->ranked->len == 1 ? "" : "s", self->counts.trials, self->counts.trials == 1 ? "" : "s",
                        first != NULL && first->problem != NULL ? first->problem : refusal_of (self) != NULL ? refusal_of (self) : "the search was ended");
  printf ("%u trial%s%s%s: %u program%s, %u measured (%u of them given up), %u trial%s refused\n", self->counts.trials, self->counts.trials == 1 ? "" : "s", remembered != NULL ? remembered : "",
          self->stopped ? " (ended early)" : "", self->ranked->len, self->ranked->len == 1 ? "" : "s", self->counts.measured, self->counts.given_up, self->counts.refused,
          self->counts.refused == 1 ? "" : "s");
  if (refusal_of (self) != NULL)
    printf ("first refusal: %s\n", refusal_of (self));
  if (self->counts.measured + self->counts.remembered > 0)
    printf ("%4s  %10s  %10s  %10s  %-9s %5s  %s\n%4s  %10s  %10s  %10s\n", "rank", "min", "median", "IQR", "speed-up", "drawn", "decisions", "", min, median, iqr);
  for (guint i = 0; i < self->ranked->len; i++)
    print_trial (self, self->ranked->pdata[i], i + 1);
  if (ls_search_get_conditions (self->search) != NULL)
    printf ("%s\n", ls_search_get_conditions (self->search));
  print_machines (self);
  if (self->evolves)
    printf ("model of cost: %s%s\n", ls_tune_model_name (self->model),
            self->model != ls_cli_search_request_model (&self->request->search) ? " (XGBoost's library, libxgboost0, is not here)" : "");
  print_worth (self);
  printf ("\nbest trace\n%s\n", trace);
  print_other (self);
  return LS_CLI_DONE;
}

static void
add_times (GVariantDict *dict, double min, double median, double iqr)
{
  g_variant_dict_insert (dict, "min", "d", min);
  g_variant_dict_insert (dict, "median", "d", median);
  g_variant_dict_insert (dict, "iqr", "d", iqr);
}

/* "Tile C: 4 x 16 sums in registers", or two such, one after the other; NULL: its design is of the rules. (transfer full) */
static char *
proposal_of (const LsSearchTrial *trial)
{
  g_autoptr (GArray) moves = ls_advice_moves_from_text (trial->proposal);
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < moves->len; i++)
    {
      g_autofree char *title = ls_advice_words_title (&g_array_index (moves, LsAdviceMove, i));

      g_string_append_printf (words, "%s%s", i > 0 ? "; then: " : "", title);
    }
  return g_string_free (words, moves->len == 0);
}

static GVariant *
trial_as_variant (Search *self, LsSearchTrial *trial, gboolean whole)
{
  g_autofree char *decisions = ls_search_decisions_text (trial->schedule), *proposal = proposal_of (trial);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "decisions", "s", decisions);
  g_variant_dict_insert (&dict, "seed", "x", trial->seed);
  g_variant_dict_insert (&dict, "drawn", "u", trial->n_drawn);
  g_variant_dict_insert (&dict, "equal", "b", trial->state == LS_TRIAL_MEASURED);
  g_variant_dict_insert (&dict, "remembered", "b", trial->remembered);
  if (trial->design != LS_TUNE_NO_DESIGN)
    g_variant_dict_insert (&dict, "design", "u", trial->design);
  if (proposal != NULL)
    g_variant_dict_insert (&dict, "proposal", "s", proposal);
  if (trial->timed)
    {
      add_times (&dict, trial->min, trial->median, trial->iqr);
      g_variant_dict_insert (&dict, "given-up", "b", trial->given_up);
      if (isfinite (trial->predicted))
        g_variant_dict_insert (&dict, "predicted", "d", trial->predicted);
      if (self->counts.base_median > 0)
        g_variant_dict_insert (&dict, "speedup", "d", self->counts.base_median / trial->median);
    }
  if (trial->problem != NULL)
    g_variant_dict_insert (&dict, "error", "s", trial->problem);
  if (trial->machine != NULL)
    g_variant_dict_insert (&dict, "machine", "s", trial->machine);
  if (whole)
    {
      g_autofree char *trace = ls_schedule_print_trace (trial->schedule);
      g_autofree char *json = ls_trace_to_json (trial->trace, FALSE);

      g_variant_dict_insert (&dict, "trace", "s", trace);
      g_variant_dict_insert (&dict, "trace_json", "s", json);
      g_variant_dict_insert (&dict, "module", "s", trial->text);
    }
  return g_variant_dict_end (&dict);
}

static GVariant *
worth_as_variant (Search *self)
{
  g_autoptr (GArray) worth = ls_search_get_worth (self->search);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = ls_tune_decision_name (&one->decision);
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "decision", "s", name);
      g_variant_dict_insert (&dict, "share", "d", one->share);
      g_variant_dict_insert (&dict, "best-value", "x", one->decision.value);
      g_variant_dict_insert (&dict, "best", "d", one->best_seconds * 1e9);
      g_variant_dict_insert (&dict, "worst", "d", one->worst_seconds * 1e9);
      g_variant_dict_insert (&dict, "values", "u", one->n_values);
      g_variant_dict_insert (&dict, "programs", "u", one->n);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static int
print_json (Search *self)
{
  LsSearchTrial *best = ls_search_get_best (self->search);
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder list;
  GVariantDict dict, base;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->ranked->len; i++)
    g_variant_builder_add_value (&list, trial_as_variant (self, self->ranked->pdata[i], FALSE));
  g_variant_dict_init (&base, NULL);
  add_times (&base, self->counts.base_min, self->counts.base_median, self->counts.base_iqr);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "trials", "u", self->counts.trials);
  g_variant_dict_insert (&dict, "programs", "u", self->ranked->len);
  g_variant_dict_insert (&dict, "measured", "u", self->counts.measured);
  g_variant_dict_insert (&dict, "remembered", "u", self->counts.remembered);
  g_variant_dict_insert (&dict, "recorded-elsewhere", "u", self->counts.elsewhere);
  g_variant_dict_insert (&dict, "given-up", "u", self->counts.given_up);
  g_variant_dict_insert (&dict, "refused", "u", self->counts.refused);
  g_variant_dict_insert (&dict, "interrupted", "b", self->stopped);
  g_variant_dict_insert (&dict, "seconds", "d", self->counts.seconds);
  g_variant_dict_insert (&dict, "model-share", "d", self->counts.model_share);
  g_variant_dict_insert_value (&dict, "unscheduled", g_variant_dict_end (&base));
  if (refusal_of (self) != NULL)
    g_variant_dict_insert (&dict, "refusal", "s", refusal_of (self));
  if (ls_search_get_conditions (self->search) != NULL)
    g_variant_dict_insert (&dict, "conditions", "s", ls_search_get_conditions (self->search));
  if (ls_search_get_kind (self->search) != NULL)
    g_variant_dict_insert (&dict, "kind", "s", ls_search_get_kind (self->search));
  if (self->evolves)
    g_variant_dict_insert (&dict, "model", "s", ls_tune_model_name (self->model));
  if (ls_search_get_note (self->search) != NULL)
    g_variant_dict_insert (&dict, "note", "s", ls_search_get_note (self->search));
  if (best != NULL)
    g_variant_dict_insert_value (&dict, "best", trial_as_variant (self, best, TRUE));
  g_variant_dict_insert_value (&dict, "worth", worth_as_variant (self));
  g_variant_dict_insert_value (&dict, "candidates", g_variant_builder_end (&list));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (whole);
  return best != NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}

/* ---- the command --------------------------------------------------------------------------- */

static LsSearch *
make_search (Search *self)
{
  Request *request = self->request;
  gboolean threads = ls_cli_is_thread_space (request->space), rules = request->space != NULL && !threads;
  g_autofree char *text = ls_cli_module_text (self->module);
  g_autoptr (GPtrArray) designs = rules ? NULL : read_designs (self);
  LsSearchOptions options = ls_cli_search_request_options (&request->search);

  if (!rules && designs == NULL)
    return NULL;
  options.decided = threads;
  /* With steps each trial is drawn anew unless it is said. */
  if (request->search.strategy == NULL && !rules)
    options.strategy = LS_TUNE_RANDOM;
  options.rules = rules;
  options.designs = designs;
  options.n_lost = self->n_lost;
  options.queue = self->queue;
  options.database = request->search.folder;
  self->evolves = options.strategy == LS_TUNE_EVOLUTIONARY;
  self->model = ls_tune_model_resolve (options.model);
  return ls_search_new (self->module, text, &options);
}

/* Candidates that travel. */
static int
batch (Search *self)
{
  gboolean wanted = self->request->batch.out != NULL, threads = ls_cli_is_thread_space (self->request->space);
  g_autoptr (GPtrArray) designs = self->list != NULL || (threads && wanted) ? read_designs (self) : NULL;

  if (designs == NULL && threads && wanted)
    return LS_CLI_FAILED;
  if (designs != NULL && designs->len == 0)
    return ls_cli_fail (self->command, "the steps cannot be applied: %s", self->refusal != NULL ? self->refusal : "no reason is told");
  return ls_cli_search_batch (self->command, &self->request->search, &self->request->batch, self->module, designs, threads);
}

/* Without a device: as many draws as there are trials, counted. */
static int
count_them (Search *self)
{
  LsCliSearchRequest *request = &self->request->search;
  g_autoptr (GPtrArray) traces = self->list == NULL ? read_designs (self) : g_ptr_array_new_with_free_func ((GDestroyNotify) ls_trace_unref);

  if (traces == NULL)
    return LS_CLI_FAILED;
  for (gint64 i = 0; self->list != NULL && i < request->trials; i++)
    {
      LsTrace *trace = read_design (self, request->seed + i);

      if (trace != NULL)
        g_ptr_array_add (traces, trace);
      else
        self->n_lost++;
    }
  return ls_cli_search_counts (self->command, request, self->request->by, self->module, traces, self->n_lost, self->refusal);
}

/* What --by cannot be combined with. */
static int
check_counts (Request    *request,
              const char *command)
{
  const LsCliSearchRequest *search = &request->search;

  if (!ls_cli_is_count (request->by))
    return ls_cli_usage (command, "--by is sectors, passes or instructions: what the simulator counts");
  if (!ls_bundle_is_target (search->target))
    return ls_cli_usage (command, "--by belongs to a target of threads: --target cuda, opencl or rocm, or a tag such as nvidia/nvidia-a100");
  if (search->queue != NULL || request->batch.out != NULL || request->batch.back != NULL)
    return ls_cli_usage (command, "--by counts here, on simulated threads: no --queue, --export-batch or --import-batch, where a device measures");
  if (search->folder != NULL)
    return ls_cli_usage (command, "--database keeps times, and --by makes none");
  if (g_strcmp0 (search->strategy, "evolutionary") == 0)
    return ls_cli_usage (command, "the programs that --by counts are drawn at random: no --strategy evolutionary");
  return LS_CLI_DONE;
}

/* What a target of threads, and batches, cannot be combined with. */
static int
check (Request *request, const char *command)
{
  const LsCliBatch *b = &request->batch;
  gboolean batches = b->out != NULL || b->back != NULL, threads = ls_bundle_is_target (request->search.target);

  if (request->search.file == NULL)
    return ls_cli_usage (command, "a file and --steps or --space are expected");
  if (batches && request->search.folder == NULL)
    return ls_cli_usage (command, "a batch needs --database DIR, which remembers what was given out");
  if (batches && !threads)
    return ls_cli_usage (command, "a batch needs --target cuda, opencl or rocm, or a tag of such a device");
  if (batches && request->search.queue != NULL)
    return ls_cli_usage (command, "a batch goes by itself, without --queue");
  if (b->arch != NULL && (b->out == NULL || strcmp (ls_bundle_api_of (request->search.target), "cuda") != 0))
    return ls_cli_usage (command, "--arch belongs to --export-batch with --target cuda");
  if (b->back != NULL && b->out == NULL && request->steps == NULL)
    return LS_CLI_DONE;
  if (request->steps == NULL && request->space == NULL && threads)
    request->space = "cuda";
  if (request->space != NULL && strcmp (request->space, "post-order") != 0 && !ls_cli_is_thread_space (request->space))
    return ls_cli_usage (command, "--space is post-order, or cuda or cuda-tensorcore for a target of threads");
  if (request->space != NULL && !ls_cli_is_thread_space (request->space) && (threads || batches))
    return ls_cli_usage (command, "the rules of --space post-order are those for a processor; for %s: --space cuda, cuda-tensorcore, or --steps with steps that bind threads", request->search.target);
  if (ls_cli_is_thread_space (request->space) && !threads)
    return ls_cli_usage (command, "--space %s is for a target of threads: --target cuda, opencl or rocm, or a tag such as nvidia/nvidia-a100", request->space);
  if (ls_cli_is_thread_space (request->space) && g_strcmp0 (request->search.strategy, "evolutionary") == 0)
    return ls_cli_usage (command, "the programs of --space %s are drawn at random: --strategy evolutionary is for --space post-order and --steps", request->space);
  if ((request->steps == NULL) == (request->space == NULL))
    return ls_cli_usage (command, "a file and --steps or --space are expected");
  return LS_CLI_DONE;
}

static int
search (Request *request, const char *command)
{
  g_auto (Search) self = { .request = request, .command = command };
  g_autoptr (LsDiagnostics) reading = ls_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  GPtrArray *trials;

  self.module = ls_cli_read_module (command, request->search.file);
  if (self.module == NULL)
    return LS_CLI_FAILED;
  if (request->steps != NULL && (self.source = ls_cli_read_source (command, request->steps)) == NULL)
    return LS_CLI_FAILED;
  if (self.source != NULL)
    self.list = ls_script_parse_calls (self.source, reading);
  if (ls_diagnostics_has_error (reading))
    return ls_cli_fail_with (reading);
  if (request->search.queue != NULL && (self.queue = ls_fleet_address_parse (request->search.queue, request->search.auth, &error)) == NULL)
    return ls_cli_usage (command, "%s", error->message);
  if (request->by != NULL)
    return count_them (&self);
  if (request->batch.out != NULL || request->batch.back != NULL)
    return batch (&self);
  self.search = make_search (&self);
  if (self.search == NULL)
    return LS_CLI_FAILED;
  run_search (&self);
  if (ls_search_get_end (self.search) == LS_SEARCH_END_ERROR)
    return ls_cli_fail (command, "%s", ls_search_get_problem (self.search));
  ls_search_get_counts (self.search, &self.counts);
  trials = ls_search_get_trials (self.search);
  self.ranked = g_ptr_array_new ();
  for (guint i = 0; i < trials->len; i++)
    g_ptr_array_add (self.ranked, trials->pdata[i]);
  g_ptr_array_sort (self.ranked, compare_trials);
  return request->search.json ? print_json (&self) : print_text (&self);
}

int
ls_cli_search (int argc, char **argv)
{
  Request request = { .search = { .trials = 32, .jobs = 1, .seed = 1, .budget = 200, .timeout = 120 } };
  const LsCliOption own[] = {
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--space", LS_CLI_TEXT, &request.space },
    { "--export-batch", LS_CLI_TEXT, &request.batch.out },
    { "--import-batch", LS_CLI_TEXT, &request.batch.back },
    { "--arch", LS_CLI_TEXT, &request.batch.arch },
    { "--by", LS_CLI_TEXT, &request.by },
    { NULL },
  };
  int status = ls_cli_search_request_read (&request.search, argc, argv, own);

  if (status == LS_CLI_DONE)
    status = check (&request, argv[0]);
  if (status == LS_CLI_DONE && request.by != NULL)
    status = check_counts (&request, argv[0]);
  if (status == LS_CLI_DONE)
    status = search (&request, argv[0]);
  ls_cli_search_request_clear (&request.search);
  return status;
}
