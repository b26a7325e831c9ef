/* The method time: how long a function takes, alone or in several versions, its output checked first.
 *
 * A kernel without parallel loops is pinned to one CPU while it is measured.  The processor counts in a batch of its own
 * after those that are timed.
 */
#include "app/worker/counting.h"
#include "app/worker/own-time.h"
#include "app/worker/program.h"

#define GIVE_UP_RUNS 3
#define COLD_NS 1000000000      /* a run longer than this is not slow because it was the first */

typedef struct {
  LsRequest   *request;
  GVariant    *params;
  LsArguments *inputs;          /* as prepared, never run on */
  LsArguments *reference;       /* after the reference ran */
  LsTiming    *first;
  LsTiming    *previous;
  double       share;           /* of the progress: this version's */
  double       done;            /* before this version */
  gint64       last_report;     /* ns */
  gint64       first_run_ns;    /* of the version at hand: the first, or the quickest of the first ones */
  gboolean     kept;            /* inputs and reference are those of `kept_reference`, not ours */
  gboolean     pinned;          /* the last measurement ran on one CPU of its own */
  LsOwnTime    own;             /* of the version at hand */
} Race;

/* What the last reference that was to be kept gave, so that a search runs it once and not before each candidate.  Only the thread
 * that handles requests touches it. */
static struct {
  char        *key;             /* the reference and everything that its inputs depend on */
  LsArguments *inputs;
  LsArguments *reference;
} kept_reference;

typedef struct {
  LsPackedFunc func;
  LsArguments *arguments;
  LsOwnTime   *own;
} Call;

static int
call_once (void *closure)
{
  Call *call = closure;
  LsArg result = { LS_ARG_NONE, 0, { 0 } };

  call->own->calls++;
  return call->func (call->arguments->args, (int) call->arguments->n, &result, NULL);
}

static void
report (int      done,
        int      total,
        gpointer data)
{
  Race *self = data;
  gint64 now = ls_clock_ns ();
  g_autofree char *text = NULL;

  ls_own_time_note (&self->own);
  if (now - self->last_report < 30000000 && done < total)
    return;
  self->last_report = now;
  text = g_strdup_printf ("%d/%d", done, total);
  ls_request_progress (self->request, self->done + self->share * (total > 0 ? (double) done / total : 0), text);
}

/* ---- the answer ------------------------------------------------------------------ */

static void
put_verdict (GVariantDict *dict,
             const char   *key,
             LsTiming     *before,
             LsTiming     *after)
{
  static const char *const names[] = { "faster", "slower", "no significant difference", "too few samples" };
  LsVerdict verdict = ls_verdict_compare (before, after);
  g_autofree char *text = ls_verdict_print (&verdict);
  GVariantDict inner;

  g_variant_dict_init (&inner, NULL);
  g_variant_dict_insert (&inner, "kind", "s", names[verdict.kind]);
  g_variant_dict_insert (&inner, "p", "d", verdict.p);
  g_variant_dict_insert (&inner, "speedup", "d", verdict.speedup);
  g_variant_dict_insert (&inner, "low", "d", verdict.low);
  g_variant_dict_insert (&inner, "high", "d", verdict.high);
  g_variant_dict_insert (&inner, "text", "s", text);
  g_variant_dict_insert_value (dict, key, g_variant_dict_end (&inner));
}

static void
put_timing (GVariantDict *dict,
            LsTiming     *timing)
{
  g_autofree char *text = ls_timing_print (timing);

  g_variant_dict_insert_value (dict, "samples", g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, timing->samples, (gsize) timing->n, sizeof (double)));
  g_variant_dict_insert (dict, "min", "d", timing->min);
  g_variant_dict_insert (dict, "q1", "d", timing->q1);
  g_variant_dict_insert (dict, "median", "d", timing->median);
  g_variant_dict_insert (dict, "q3", "d", timing->q3);
  g_variant_dict_insert (dict, "max", "d", timing->max);
  g_variant_dict_insert (dict, "iqr", "d", timing->iqr);
  g_variant_dict_insert (dict, "calls", "i", timing->calls_per_batch);
  g_variant_dict_insert (dict, "cut", "b", timing->cut);
  g_variant_dict_insert (dict, "text", "s", text);
}

static void
put_comparison (GVariantDict *dict,
                Race         *self,
                LsArguments  *arguments)
{
  g_auto (LsDifference) difference = { 0 };
  gboolean equal = ls_arguments_compare (arguments, self->reference, &difference);

  g_variant_dict_insert (dict, "equal", "b", equal);
  if (!equal)
    g_variant_dict_insert (dict, "mismatch", "s", difference.text);
  else
    g_variant_dict_insert (dict, "max-error", "d", difference.max_abs);
}

/* ---- measuring -------------------------------------------------------------------- */

static LsWalk
find_parallel (LsNode  *node,
               gpointer found)
{
  *(gboolean *) found = ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_PARALLEL;
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static void
put_own (GVariantDict *dict,
         Race         *self,
         LsProgram    *program)
{
  if (self->own.least > 0.0 && ls_own_time_is_all (program->func))
    g_variant_dict_insert (dict, "own", "d", self->own.least);
}

static LsTiming *
measure (Race         *self,
         LsProgram    *program,
         LsArguments  *arguments,
         GVariantDict *dict,
         GError      **error)
{
  LsTimeOptions options = LS_TIME_OPTIONS_DEFAULT;
  Call call = { ls_kernel_get (program->kernel, program->name), arguments, &self->own };
  gboolean parallel = FALSE;
  gboolean pinned;
  LsTiming *timing;

  options.n_samples = (int) CLAMP (ls_params_int (self->params, "samples", options.n_samples), 1, 10000);
  options.budget_ns = CLAMP (ls_params_int (self->params, "budget-ms", 3000), 1, 3600000) * 1000000;
  options.slow_ns = (double) ls_params_int (self->params, "slow-ns", 0);
  options.progress = report;
  options.progress_data = self;
  ls_walk (program->func->body, find_parallel, NULL, &parallel);
  pinned = !parallel && ls_host_pin_thread (0);
  self->pinned = parallel ? ls_pool_is_pinned () : pinned;
  ls_own_time_begin (&self->own);
  timing = ls_time_evaluate (call_once, &call, &options, NULL, error);
  ls_own_time_note (&self->own);
  if (timing != NULL)           /* the first note is about the warming up, too */
    self->own.least = MIN (self->own.least, timing->min);
  put_own (dict, self, program);
  if (timing != NULL)
    ls_counting_put (dict, call_once, &call, timing->calls_per_batch);
  if (pinned)
    ls_host_unpin_thread ();
  g_variant_dict_insert (dict, "threads", "i", parallel ? (gint32) ls_parallel_num_threads () : 1);
  g_variant_dict_insert (dict, "pinned", "b", self->pinned);
  return timing;
}

/* Runs a program once on fresh arguments. */
static LsArguments *
run_once (Race      *self,
          LsProgram *program,
          GError   **error)
{
  g_autoptr (LsArguments) arguments = NULL;
  gint64 start;

  if (self->inputs == NULL)
    self->inputs = ls_arguments_prepare (program, self->request, self->params, error);
  arguments = self->inputs != NULL ? ls_arguments_copy (self->inputs, error) : NULL;
  start = ls_clock_ns ();
  ls_own_time_begin (&self->own);
  self->own.calls = 1;
  if (arguments == NULL || !ls_kernel_call (program->kernel, program->name, arguments->args, (int) arguments->n, NULL, error))
    return NULL;
  ls_own_time_note (&self->own);
  self->first_run_ns = ls_clock_ns () - start;
  return g_steal_pointer (&arguments);
}

/* The first of several, or the one that `reference` gives: its output is what the others are held to. */
static gboolean
run_reference (Race       *self,
               const char *text,
               GError    **error)
{
  g_autoptr (LsProgram) program = ls_program_build (text, self->params, NULL, error);

  self->reference = program != NULL ? run_once (self, program, error) : NULL;
  return self->reference != NULL;
}

/* Whether it is so slow that measuring it would be a waste.  The first run finds cold caches and sleeping threads, so unless it took
 * very long only the best of GIVE_UP_RUNS counts, which is left in first_run_ns. */
static gboolean
is_hopeless (Race        *self,
             LsProgram   *program,
             LsArguments *arguments)
{
  gint64 give_up_ns = ls_params_int (self->params, "give-up-ns", 0);

  for (int run = 1; run < GIVE_UP_RUNS && give_up_ns > 0 && self->first_run_ns > give_up_ns && self->first_run_ns < COLD_NS; run++)
    {
      gint64 start;

      ls_arguments_reset (arguments, self->inputs);
      start = ls_clock_ns ();
      self->own.calls++;
      if (!ls_kernel_call (program->kernel, program->name, arguments->args, (int) arguments->n, NULL, NULL))
        return FALSE;
      ls_own_time_note (&self->own);
      self->first_run_ns = MIN (self->first_run_ns, ls_clock_ns () - start);
    }
  return give_up_ns > 0 && self->first_run_ns > give_up_ns;
}

/* The quickest of these runs instead of a measurement. */
static void
put_first_run (GVariantDict *dict,
               gint64        ns)
{
  static const char *const keys[] = { "min", "q1", "median", "q3", "max" };
  double sample = (double) ns;
  g_autofree char *text = g_strdup_printf ("given up: a run took %.3g ms", sample / 1e6);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_variant_dict_insert (dict, keys[i], "d", sample);
  g_variant_dict_insert (dict, "iqr", "d", 0.0);
  g_variant_dict_insert_value (dict, "samples", g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &sample, 1, sizeof sample));
  g_variant_dict_insert (dict, "calls", "i", 1);
  g_variant_dict_insert (dict, "cut", "b", TRUE);
  g_variant_dict_insert (dict, "given-up", "b", TRUE);
  g_variant_dict_insert (dict, "text", "s", text);
}

/* Builds, runs, compares and times one version.  text NULL: the program of the request.  `ahead`: what comes after it, built meanwhile; or NULL. */
static gboolean
race_one (Race              *self,
          const char        *text,
          const char *const *ahead,
          GVariantDict      *dict,
          GError           **error)
{
  const char *own = text != NULL || ls_params_int (self->params, "kernel", 0) != 0 ? text : ls_params_string (self->params, "module", NULL);
  g_autoptr (LsProgram) program = own != NULL ? ls_program_build_once (own, self->params, ahead, error) : ls_program_of_request (self->params, error);
  g_autoptr (LsArguments) arguments = program != NULL ? run_once (self, program, error) : NULL;
  LsTiming *timing;

  if (arguments == NULL)
    return FALSE;
  if (self->reference != NULL)
    put_comparison (dict, self, arguments);
  else
    self->reference = ls_arguments_copy (arguments, error);
  if (is_hopeless (self, program, arguments))
    {
      put_first_run (dict, self->first_run_ns);
      put_own (dict, self, program);
      ls_program_put_times (program, dict);
      return TRUE;
    }
  ls_arguments_reset (arguments, self->inputs);
  timing = measure (self, program, arguments, dict, error);
  if (timing == NULL)
    return FALSE;
  put_timing (dict, timing);
  ls_program_put_times (program, dict);
  if (self->first != NULL)
    put_verdict (dict, "to-first", self->first, timing);
  if (self->previous != NULL)
    put_verdict (dict, "to-previous", self->previous, timing);
  if (self->previous != self->first)
    ls_timing_free (self->previous);
  self->previous = timing;
  self->first = self->first != NULL ? self->first : timing;
  return TRUE;
}

static void
race_clear (Race *self)
{
  if (self->previous != self->first)
    ls_timing_free (self->previous);
  ls_timing_free (self->first);
  if (self->kept)
    return;
  ls_arguments_free (self->inputs);
  ls_arguments_free (self->reference);
}

/* ---- the reference that is kept ------------------------------------------------------ */

/* NULL: this one is not to be kept, or its inputs come from outside. (transfer full) */
static char *
reference_key (GVariant   *params,
               const char *reference)
{
  g_autoptr (GVariant) inputs = ls_params_value (params, "inputs");
  g_auto (GStrv) set = ls_params_strv (params, "set");
  g_autofree char *sizes = set != NULL ? g_strjoinv (" ", set) : NULL;

  if (reference == NULL || inputs != NULL || !ls_params_bool (params, "keep-reference", FALSE))
    return NULL;
  return g_strdup_printf ("%s\n%s\n%" G_GINT64_FORMAT "\n%s\n%s", ls_params_string (params, "func", ""), ls_params_string (params, "target", ""),
                          ls_params_int (params, "seed", 0), sizes != NULL ? sizes : "", reference);
}

static void
use_kept (Race       *self,
          const char *key)
{
  if (g_strcmp0 (key, kept_reference.key) != 0)
    return;
  self->inputs = kept_reference.inputs;
  self->reference = kept_reference.reference;
  self->kept = TRUE;
}

/* Hands inputs and reference over, instead of those that were kept before. Takes the key. */
static void
keep (Race *self,
      char *key)
{
  g_free (kept_reference.key);
  ls_arguments_free (kept_reference.inputs);
  ls_arguments_free (kept_reference.reference);
  kept_reference.key = key;
  kept_reference.inputs = self->inputs;
  kept_reference.reference = self->reference;
  self->kept = TRUE;
}

/* One version, against the reference where there is one.  The reference itself is not run a second time for that. */
static gboolean
race_alone (Race         *self,
            const char   *reference,
            GVariantDict *dict,
            GError      **error)
{
  g_autofree char *key = reference_key (self->params, reference);
  g_auto (GStrv) ahead = ls_params_strv (self->params, "ahead");
  gboolean ok;

  if (key != NULL)
    use_kept (self, key);
  g_variant_dict_insert (dict, "reference-kept", "b", self->kept);
  if (reference != NULL && self->reference == NULL && strcmp (reference, ls_params_string (self->params, "module", "")) != 0
      && !run_reference (self, reference, error))
    return FALSE;
  ok = race_one (self, NULL, (const char *const *) ahead, dict, error);
  if (key != NULL && !self->kept && self->reference != NULL)
    keep (self, g_steal_pointer (&key));
  return ok;
}

static gboolean
race_all (Race            *self,
          char           **modules,
          GVariantBuilder *list,
          GError         **error)
{
  guint n = g_strv_length (modules);

  self->share = 1.0 / MAX (n, 1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) problem = NULL;
      GVariantDict entry;

      self->done = (double) i / n;
      g_variant_dict_init (&entry, NULL);
      if (!race_one (self, modules[i], (const char *const *) modules + i + 1, &entry, &problem))
        {
          g_variant_dict_clear (&entry);
          if (i == 0)
            {
              g_propagate_error (error, g_steal_pointer (&problem));
              return FALSE;
            }
          g_variant_dict_init (&entry, NULL);
          g_variant_dict_insert (&entry, "error", "s", problem->message);
        }
      else if (i == 0)
        g_variant_dict_insert (&entry, "equal", "b", TRUE);
      g_variant_builder_add_value (list, g_variant_dict_end (&entry));
    }
  return TRUE;
}

static void
put_inputs (GVariantDict *dict,
            LsArguments  *inputs)
{
  g_autofree char *text = inputs != NULL ? ls_arguments_describe (inputs) : NULL;

  if (text != NULL)
    g_variant_dict_insert (dict, "inputs", "s", text);
}

static void
put_conditions (GVariantDict *dict,
                gboolean      pinned)
{
  g_autoptr (LsConditions) conditions = ls_conditions_record ();
  g_autofree char *text = NULL;

  conditions->pinned = pinned;
  text = ls_conditions_print (conditions);
  g_variant_dict_insert (dict, "cpu", "s", conditions->cpu);
  g_variant_dict_insert (dict, "load", "d", conditions->load[0]);
  g_variant_dict_insert (dict, "time", "s", conditions->time);
  g_variant_dict_insert (dict, "conditions", "s", text);
}

/* One version: module (or kernel), reference (a module's text, or none) -> samples (ns per call), calls, min, q1, median, q3, max, iqr, cut, text,
 * own (ns that a call had the processor at least; only of programs that run on one core and call nobody), counters or counters-error and counters-text (ls_counting_put), equal, max-error or mismatch, build times (ls_program_put_times), threads, pinned, cpu, load, time, conditions.
 * Several: modules, of which the first is the reference -> results: a list of the same, with to-first and to-previous (kind, speedup, low, high,
 * p, text), or with error.
 * With module may come ahead, programs that are going to be asked for: where this one has to be built they are built at the same time, on other processors,
 * and nothing is measured before all are.
 * With keep-reference the worker holds what the reference computed for the next requests that name the same one (not with inputs);
 * reference-kept tells whether this request found it.
 * Both: inputs (which numbers were made for arrays that others are indexed with); asked with func, target, inputs, set, seed, samples, budget-ms; slow-ns: one of which each of the first five samples is longer gets no more of them;
 * give-up-ns: a version of which each of the first runs took longer is not
 * measured: the quickest of them is its only sample, and given-up says so. */
static GVariant *
method_time (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  Race self = { .request = request, .params = params, .share = 1 };
  g_auto (GStrv) modules = ls_params_strv (params, "modules");
  const char *reference = ls_params_string (params, "reference", NULL);
  GVariantBuilder list;
  GVariantDict dict;
  gboolean ok;

  g_variant_dict_init (&dict, NULL);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  if (modules != NULL)
    ok = race_all (&self, modules, &list, error);
  else
    ok = race_alone (&self, reference, &dict, error);
  put_conditions (&dict, self.pinned);
  put_inputs (&dict, self.inputs);
  race_clear (&self);
  if (ok && modules != NULL)
    g_variant_dict_insert_value (&dict, "results", g_variant_builder_end (&list));
  else
    g_variant_builder_clear (&list);
  if (ok)
    return g_variant_dict_end (&dict);
  g_variant_dict_clear (&dict);
  return NULL;
}

const LsMethod ls_methods_time[] = {
  { "time", method_time, "Times a function, or one function in several versions, and compares the outputs." },
  { NULL, NULL, NULL },
};
