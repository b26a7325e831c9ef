/* advise: what holds a program back, what to try next, and what came of it.
 *
 *   --steps FILE       advice for the program after these steps, or for how it was before some of them, where that promises clearly more
 *   --follow N         the best measured proposal is taken, and asked for the next, N times
 *   --cores one|all    proposals for one core or all (all)
 *   --budget S         seconds for all measurements (60), beside those of the given program; a proposal that is slower than its share of
 *                      what is left is left off
 *   --most N           proposals a round (5); 0: the verdict alone
 *   --no-time          only the estimates
 *
 * Verdicts and proposals are engine/advice's; the worker measures.  In each round the fastest program so far is measured anew
 * with the proposals, and its output is what theirs are held to.  Proposals come from the fastest and, while it has some left,
 * from the one that it came from: a variant of the last move may be better than the next one.
 */
#include "app/cli/input.h"
#include "app/cli/peaks.h"
#include "app/cli/remote.h"
#include "engine/advice/advice.h"
#include "engine/base/json.h"
#include "engine/runtime/counters.h"
#include "engine/runtime/peaks.h"
#include "engine/script/script.h"
#include "engine/tir/specialize.h"

#include <stdio.h>
#include <string.h>

#define MOST 5
#define PATIENCE 3              /* rounds in a row without a faster program */
#define LEAST_GAIN 1.02
#define FAR_LESS 1.3
#define LEAST_GAIN_NOISY 1.08
#define LEAST_MS 500            /* to compile a program and run it */

typedef struct {
  const char *command, *file, *func, *steps, *cores;
  gint64      follow, budget, most, timeout; /* -1: not given */
  GPtrArray  *set;
  gboolean    json, trace, no_time;
} Request;

/* A program: the given one, or a proposal. */
typedef struct {
  LsSchedule *schedule;
  guint       round;            /* 0: the given one */
  guint       from;             /* number of the program that it is proposed for */
  LsProposal *proposal;         /* owned; NULL: the given one */
  double      seconds;          /* median: what is compared and shown; 0: not measured */
  double      low, high;        /* quartiles */
  double      least;            /* of all samples; of a program on one core what it had the processor for */
  char       *problem;
  char       *verdict;
  GVariant   *counters;         /* what the processor counted in a call, or NULL */
  char       *uncounted;        /* why it did not, or NULL */
  gboolean    taken;            /* was the fastest after its round */
  gboolean    left_off;         /* it took longer than its share of the budget */
} Tried;

typedef struct {
  Request        *request;
  const char     *func;
  LsAdviceMachine machine;
  GPtrArray      *tried;        /* of Tried */
  GHashTable     *seen;
  guint           best;
  LsWorker       *worker;
  gint64          spent;        /* us, on measuring */
  char           *inputs;       /* which numbers were made for arrays that others are indexed with, or NULL */
} Advise;

static void
tried_free (gpointer data)
{
  Tried *self = data;

  ls_schedule_unref (self->schedule);
  ls_proposal_free (self->proposal);
  g_free (self->problem);
  g_free (self->verdict);
  g_free (self->uncounted);
  g_clear_pointer (&self->counters, g_variant_unref);
  g_free (self);
}

#define TRIED(self, i) ((Tried *) (self)->tried->pdata[i])

/* ---- which is faster -------------------------------------------------------------------- */

/* By the medians, where three quarters of the samples of one lie below the median of the other and the other way round: else it may be
 * chance.  On a busy machine quartiles are what the others did: there the least of each is what the program takes, and far less is less. */
static gboolean
is_noisy (const Tried *tried)
{
  return ls_advice_is_noisy (tried->least, tried->high);
}

static double
own_seconds (const Tried *tried)
{
  return ls_advice_own_seconds (tried->least, tried->seconds, tried->high);
}

static gboolean
is_faster (const Tried *a,
           const Tried *b)
{
  if (a->seconds <= 0.0 || b->seconds <= 0.0)
    return a->seconds > 0.0;
  if (is_noisy (a) || is_noisy (b))
    return a->least * LEAST_GAIN_NOISY < b->least;
  return a->seconds * LEAST_GAIN < b->seconds && ((a->high < b->seconds && a->seconds < b->low) || a->least * FAR_LESS < b->least);
}

static gboolean
is_tie (const Tried *a,
        const Tried *b)
{
  return a->seconds > 0.0 && b->seconds > 0.0 && !is_faster (a, b) && !is_faster (b, a);
}

/* ---- measuring ----------------------------------------------------------------------- */

static gint64
all_ms (Advise *self)
{
  return (self->request->budget > 0 ? self->request->budget : 60) * 1000;
}

static gint64
left_ms (Advise *self)
{
  return all_ms (self) - self->spent / 1000;
}

/* For the samples of one program. */
static gint64
budget_ms (Advise *self)
{
  return CLAMP (all_ms (self) / ((self->request->most + 1) * MAX (self->request->follow, 1)), 20, 1000);
}

static void
take_result (Tried    *tried,
             GVariant *result)
{
  const char *problem = ls_params_string (result, "mismatch", NULL);

  if (problem != NULL)
    {
      tried->problem = g_strdup (problem);
      return;
    }
  g_clear_pointer (&tried->counters, g_variant_unref);
  g_clear_pointer (&tried->uncounted, g_free);
  tried->counters = ls_params_value (result, "counters");
  tried->uncounted = g_strdup (ls_params_string (result, "counters-text", NULL));
  tried->seconds = ls_cli_number (result, "median") * 1e-9;
  tried->low = ls_cli_number (result, "q1") * 1e-9;
  tried->high = ls_cli_number (result, "q3") * 1e-9;
  tried->least = ls_cli_number (result, "own") * 1e-9;
  tried->least = tried->least > 0.0 ? tried->least : ls_cli_number (result, "min") * 1e-9;
}

/* One program, held to the output of another, in at most `limit_ms`.  FALSE: it has no time; its `problem` says why. */
static gboolean
measure_one (Advise      *self,
             Tried       *tried,
             const Tried *against,
             gint64       limit_ms)
{
  g_autofree char *text = ls_cli_module_text (ls_schedule_get_module (tried->schedule));
  g_autofree char *reference = ls_cli_module_text (ls_schedule_get_module (against->schedule));
  LsWorkerOptions options = { .timeout_ms = limit_ms };
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) self->request->set->pdata, (gssize) self->request->set->len));
  g_variant_dict_insert (&params, "budget-ms", "x", budget_ms (self));
  /* One run that takes longer than all samples may is sample enough. */
  g_variant_dict_insert (&params, "give-up-ns", "x", budget_ms (self) * 1000000);
  g_variant_dict_insert (&params, "func", "s", self->func);
  g_variant_dict_insert (&params, "keep-reference", "b", TRUE);
  g_variant_dict_insert (&params, "reference", "s", reference);
  answer = ls_worker_call (self->worker, "time", g_variant_dict_end (&params), &options, NULL, NULL, NULL, &error);
  self->spent += g_get_monotonic_time () - begun;
  g_clear_pointer (&tried->problem, g_free);
  tried->seconds = 0.0;
  if (answer != NULL && self->inputs == NULL)
    self->inputs = g_strdup (ls_params_string (answer, "inputs", NULL));
  if (answer != NULL)
    take_result (tried, answer);
  else if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT))
    tried->problem = g_strdup_printf ("left off after %.1f s, its share of the budget", (double) limit_ms * 1e-3);
  else
    tried->problem = g_strdup (error->message);
  tried->left_off = g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT);
  return tried->seconds > 0.0;
}

/* The program that is given, or the fastest so far, anew. */
static gboolean
measure_base (Advise *self,
              guint   number)
{
  Tried *base = TRIED (self, number);
  gint64 limit = self->request->timeout >= 0 ? self->request->timeout * 1000 : MAX (120000, 2 * all_ms (self));

  /* Its own output is what it is held to, and the worker keeps that for the others. */
  if (measure_one (self, base, base, limit))
    return TRUE;
  ls_cli_fail (self->request->command, "%s", base->problem);
  return FALSE;
}

/* Proposals, the one expected to be fastest first; each gets its share of what is left of the budget, after what it is held to has run where the
 * worker does not hold that (any more): that is of the budget too.  Behind one that was left off come only those that are expected to be no slower. */
static void
measure_proposals (Advise *self,
                   GArray *numbers,
                   guint   rounds_left)
{
  Tried *base = TRIED (self, g_array_index (numbers, guint, 0));
  double hopeless = G_MAXDOUBLE;
  gboolean held = TRUE;

  for (guint i = 1; i < numbers->len; i++)
    {
      Tried *tried = TRIED (self, g_array_index (numbers, guint, i));
      gint64 extra = held ? 0 : (gint64) (2000.0 * base->seconds), left = left_ms (self) - extra, share = left / (gint64) (numbers->len - i + rounds_left);

      if (tried->proposal->estimate >= hopeless)
        tried->problem = g_strdup ("it is expected to be no faster than one that was left off");
      else if (left <= 0)
        tried->problem = g_strdup ("the budget is used up");
      else
        {
          measure_one (self, tried, base, MAX (share, LEAST_MS) + extra);
          held = !tried->left_off;
          hopeless = tried->left_off ? MIN (hopeless, tried->proposal->estimate) : hopeless;
        }
    }
}

/* ---- proposals ------------------------------------------------------------------------- */

static LsAdviceVerdict *
verdict_of (Advise *self,
            Tried  *tried)
{
  LsModule *module = ls_schedule_get_module (tried->schedule);
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, self->func);
  g_autoptr (LsPrimFunc) sized = ls_prim_func_size (func, self->request->set);
  g_autoptr (LsAdviceCost) cost = ls_advice_cost_new (sized, module, &self->machine);

  return ls_advice_verdict_new (cost, &self->machine, own_seconds (tried));
}

static void
add_proposals (Advise *self,
               guint   from,
               guint   most,
               guint   round,
               GArray *numbers)
{
  Tried *base = TRIED (self, from);
  g_autoptr (GPtrArray) list = ls_advice_propose (base->schedule, self->func, self->request->set, &self->machine, base->seconds, self->seen, most);

  /* Steps that were given may be in the way of all that would help; those of proposals are left by going back to what they are for. */
  if (base->proposal == NULL && round == 1 && numbers->len == 1)
    ls_advice_propose_earlier (list, base->schedule, self->func, self->request->set, &self->machine, self->seen, most);
  g_ptr_array_set_free_func (list, NULL);
  for (guint i = 0; i < list->len; i++)
    {
      Tried *tried = g_new0 (Tried, 1);
      guint number = self->tried->len;

      tried->proposal = list->pdata[i];
      tried->schedule = ls_schedule_ref (tried->proposal->schedule);
      tried->round = round;
      tried->from = from;
      g_ptr_array_add (self->tried, tried);
      g_array_append_val (numbers, number);
    }
}

/* Of the fastest and of those that it came from. */
static void
propose (Advise *self,
         guint   round,
         GArray *numbers)
{
  guint most = (guint) self->request->most, from = self->best;
  gboolean has_parent = TRIED (self, from)->proposal != NULL;

  add_proposals (self, from, has_parent ? (most + 1) / 2 : most, round, numbers);
  while (numbers->len < most + 1 && TRIED (self, from)->proposal != NULL)
    {
      from = TRIED (self, from)->from;
      add_proposals (self, from, most + 1 - numbers->len, round, numbers);
    }
  if (numbers->len < most + 1)
    add_proposals (self, self->best, most + 1 - numbers->len, round, numbers);
}

static gboolean
take_best (Advise *self,
           GArray *numbers)
{
  guint best = self->best;

  for (guint i = 1; i < numbers->len; i++)
    {
      Tried *tried = TRIED (self, g_array_index (numbers, guint, i));

      if (is_faster (tried, TRIED (self, best)))
        best = g_array_index (numbers, guint, i);
    }
  if (best == self->best)
    return FALSE;
  self->best = best;
  TRIED (self, best)->taken = TRUE;
  return TRUE;
}

static gboolean
advise (Advise *self)
{
  guint rounds = (guint) MAX (self->request->follow, 1), still = 0;

  if (!self->request->no_time && !measure_base (self, self->best))
    return FALSE;
  self->spent = 0;
  for (guint round = 1; round <= rounds && still < PATIENCE; round++)
    {
      g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
      g_autoptr (LsAdviceVerdict) verdict = verdict_of (self, TRIED (self, self->best));
      guint best = self->best;

      if (TRIED (self, best)->verdict == NULL)
        TRIED (self, best)->verdict = g_strdup (verdict->sentence);
      g_array_append_val (numbers, best);
      if (self->request->most == 0)
        break;
      if (round > 1 && left_ms (self) <= 0)
        break;
      propose (self, round, numbers);
      if (numbers->len == 1 || self->request->no_time)
        break;
      /* The machine may have become busier, or calmer; where finding that out costs all that is left, the time of then has to do. */
      if (round > 1 && 4000.0 * TRIED (self, best)->seconds < (double) left_ms (self) && !measure_base (self, best))
        return FALSE;
      measure_proposals (self, numbers, rounds - round);
      still = take_best (self, numbers) ? 0 : still + 1;
      if (!self->request->json)
        fprintf (stderr, "round %u of %u: %.3g ms\n", round, rounds, TRIED (self, self->best)->seconds * 1e3);
    }
  return TRUE;
}

/* ---- the answer ------------------------------------------------------------------------- */

static void
print_tried (Advise *self,
             Tried  *tried)
{
  g_autofree char *low = ls_cli_duration (tried->proposal->low * 1e9);
  g_autofree char *high = ls_cli_duration (tried->proposal->high * 1e9);
  g_autofree char *median = ls_cli_duration (tried->seconds * 1e9);
  g_autofree char *q1 = ls_cli_duration (tried->low * 1e9);
  g_autofree char *q3 = ls_cli_duration (tried->high * 1e9);

  printf ("  %s %s\n      %s\n      ", tried->taken ? ">" : "-", tried->proposal->title, tried->proposal->why);
  if (tried->proposal->high > 0.0)
    printf ("estimate %s to %s; ", low, high);
  else
    printf ("no estimate, since how often its loops run is no number; ");
  if (tried->seconds > 0.0)
    printf ("measured %s (%s to %s), x%.3g%s\n", median, q1, q3, TRIED (self, 0)->seconds / tried->seconds,
            tried == TRIED (self, self->best) ? "" : is_tie (tried, TRIED (self, self->best)) ? ", a tie with the fastest"
            : is_tie (tried, TRIED (self, tried->from)) ? ", a tie with what it is for" : "");
  else
    printf ("not measured%s%s\n", tried->problem != NULL ? ": " : "", tried->problem != NULL ? tried->problem : "");
}

/* One count of a call; below 0: there is none. */
static double
count_of (Tried         *tried,
          LsCounterKind  kind)
{
  g_autoptr (GVariant) one = tried->counters != NULL ? ls_params_value (tried->counters, ls_counter_name (kind)) : NULL;

  return one != NULL && ls_params_string (one, "error", NULL) == NULL ? ls_cli_number (one, "value") : -1.0;
}

/* What the processor says of the verdict, or why it says nothing. */
static void
print_counters (Tried *tried)
{
  double cycles = count_of (tried, LS_COUNTER_CYCLES), instructions = count_of (tried, LS_COUNTER_INSTRUCTIONS), first = count_of (tried, LS_COUNTER_L1D_MISSES),
         last = count_of (tried, LS_COUNTER_LLC_MISSES);

  if (tried->uncounted != NULL)
    printf ("%s\n", tried->uncounted);
  if (cycles > 0.0 && instructions >= 0.0)
    printf ("The processor counted %.3g million cycles and %.2g instructions in each.\n", cycles * 1e-6, instructions / cycles);
  if (first >= 0.0 && tried->seconds > 0.0)
    printf ("Loads that missed the first cache: %.3g million, %.3g GB/s.\n", first * 1e-6, first * 64e-9 / tried->seconds);
  if (last >= 0.0 && tried->seconds > 0.0)
    printf ("Loads that missed the last cache: %.3g million, %.3g GB/s.\n", last * 1e-6, last * 64e-9 / tried->seconds);
}

static void
print_text (Advise *self)
{
  g_autofree char *first = ls_cli_duration (TRIED (self, 0)->seconds * 1e9);
  guint round = 0;

  if (TRIED (self, 0)->seconds > 0.0)
    printf ("The program takes %s. ", first);
  printf ("%s\n", TRIED (self, 0)->verdict);
  if (self->inputs != NULL)
    printf ("Measured on numbers made at random: %s.\n", self->inputs);
  print_counters (TRIED (self, 0));
  if (ls_peaks_doubtful (ls_host_cpu_name ()))
    printf ("The roof was measured while the machine was busy: it may be too low, and shares of it too high; roofline --again measures it anew.\n");
  for (guint i = 1; i < self->tried->len; i++)
    {
      Tried *tried = TRIED (self, i);

      if (tried->round != round)
        printf ("\nround %u, likely to help:\n", tried->round);
      round = tried->round;
      print_tried (self, tried);
    }
  if (self->tried->len == 1 && self->request->most > 0)
    {
      g_autofree char *why = ls_advice_why_none (TRIED (self, 0)->schedule, self->func, self->request->set, &self->machine);

      printf ("\nNothing that is known to help can be done to it as it is: moves lists what can be done at all, and what keeps the rest from it.\n%s%s",
              why != NULL ? why : "", why != NULL ? "\n" : "");
    }
  if (self->best > 0)
    {
      Tried *best = TRIED (self, self->best);
      g_autoptr (LsAdviceVerdict) verdict = verdict_of (self, best);
      g_autofree char *time = ls_cli_duration (best->seconds * 1e9);
      g_autofree char *trace = ls_schedule_print_trace (best->schedule);

      printf ("\nThe fastest takes %s, x%.3g. %s\n", time, TRIED (self, 0)->seconds / best->seconds, verdict->sentence);
      if (self->request->trace)
        printf ("\n%s", trace);
    }
}

static void
add_nest (JsonBuilder      *builder,
          const LsNestCost *nest)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "block", nest->name);
  ls_json_put_double (builder, "flop", nest->flop);
  ls_json_put_double (builder, "seconds", nest->seconds);
  ls_json_put_double (builder, "lanes", nest->lanes);
  ls_json_put_double (builder, "chains", nest->chains);
  ls_json_put_double (builder, "cores", nest->cores);
  ls_json_put_bool (builder, "in-registers", nest->in_registers);
  ls_json_begin_object (builder, "causes");
  for (int c = 0; c < LS_CAUSE_N; c++)
    if (nest->by_cause[c] > 0.0)
      ls_json_put_double (builder, ls_cause_name ((LsCause) c), nest->by_cause[c]);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static void
add_verdict (Advise      *self,
             JsonBuilder *builder,
             Tried       *tried)
{
  LsModule *module = ls_schedule_get_module (tried->schedule);
  g_autoptr (LsPrimFunc) sized = ls_prim_func_size ((LsPrimFunc *) ls_module_get (module, self->func), self->request->set);
  g_autoptr (LsAdviceCost) cost = ls_advice_cost_new (sized, module, &self->machine);
  g_autoptr (LsAdviceVerdict) verdict = ls_advice_verdict_new (cost, &self->machine, own_seconds (tried));

  ls_json_begin_object (builder, "verdict");
  ls_json_put_text (builder, "sentence", verdict->sentence);
  ls_json_put_bool (builder, "known", verdict->known);
  ls_json_put_text (builder, "cause", verdict->n_reasons > 0 ? ls_cause_name (verdict->reasons[0].cause) : NULL);
  ls_json_put_text (builder, "next", verdict->n_reasons > 1 ? ls_cause_name (verdict->reasons[1].cause) : NULL);
  ls_json_put_text (builder, "block", verdict->n_reasons > 0 ? verdict->reasons[0].block : NULL);
  if (verdict->n_reasons > 0 && verdict->reasons[0].behind[0] != '\0')
    ls_json_put_text (builder, "behind", verdict->reasons[0].behind);
  ls_json_put_double (builder, "share", verdict->share);
  if (tried->uncounted != NULL)
    ls_json_put_text (builder, "counters-text", tried->uncounted);
  for (guint k = 0; k < LS_COUNTER_N && tried->counters != NULL; k++)
    if (count_of (tried, (LsCounterKind) k) >= 0.0)
      ls_json_put_double (builder, ls_counter_name ((LsCounterKind) k), count_of (tried, (LsCounterKind) k));
  ls_json_put_double (builder, "roof-seconds", verdict->roof_seconds);
  ls_json_put_double (builder, "estimated-seconds", cost->seconds);
  ls_json_begin_object (builder, "bytes");
  for (int i = 0; i < self->machine.n_levels; i++)
    if (cost->bytes[i] >= 0.0)
      ls_json_put_double (builder, self->machine.behind[i], cost->bytes[i]);
  json_builder_end_object (builder);
  ls_json_begin_array (builder, "nests");
  for (guint i = 0; i < cost->nests->len; i++)
    add_nest (builder, cost->nests->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_tried (Advise      *self,
           JsonBuilder *builder,
           guint        number)
{
  Tried *tried = TRIED (self, number);

  json_builder_begin_object (builder);
  ls_json_put_int (builder, "number", number);
  ls_json_put_int (builder, "from", tried->from);
  ls_json_put_int (builder, "round", tried->round);
  ls_json_put_text (builder, "title", tried->proposal->title);
  ls_json_put_text (builder, "kind", tried->proposal->kind);
  ls_json_put_text (builder, "why", tried->proposal->why);
  ls_json_put_text (builder, "removes", ls_cause_name (tried->proposal->removes));
  ls_json_put_text (builder, "steps", tried->proposal->steps);
  if (tried->proposal->again)
    ls_json_put_int (builder, "from-step", tried->proposal->step);
  if (tried->proposal->high > 0.0)
    {
      ls_json_put_double (builder, "estimate-low", tried->proposal->low);
      ls_json_put_double (builder, "estimate-high", tried->proposal->high);
    }
  ls_json_put_text (builder, "problem", tried->problem);
  if (tried->seconds > 0.0)
    {
      ls_json_put_double (builder, "seconds", tried->seconds);
      ls_json_put_double (builder, "q1", tried->low);
      ls_json_put_double (builder, "q3", tried->high);
    }
  ls_json_put_bool (builder, "taken", tried->taken);
  ls_json_put_bool (builder, "tie", number != self->best && is_tie (tried, TRIED (self, self->best)));
  json_builder_end_object (builder);
}

static void
print_json (Advise *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *trace = ls_schedule_print_trace (TRIED (self, self->best)->schedule);

  json_builder_begin_object (builder);
  if (TRIED (self, 0)->seconds > 0.0)
    ls_json_put_double (builder, "seconds", TRIED (self, 0)->seconds);
  ls_json_put_double (builder, "spent-seconds", (double) self->spent * 1e-6);
  ls_json_put_bool (builder, "measured-busy", ls_peaks_doubtful (ls_host_cpu_name ()));
  if (self->inputs != NULL)
    ls_json_put_text (builder, "inputs", self->inputs);
  add_verdict (self, builder, TRIED (self, 0));
  if (self->tried->len == 1 && self->request->most > 0)
    {
      g_autofree char *why = ls_advice_why_none (TRIED (self, 0)->schedule, self->func, self->request->set, &self->machine);

      if (why != NULL)
        ls_json_put_text (builder, "none-since", why);
    }
  ls_json_begin_array (builder, "proposals");
  for (guint i = 1; i < self->tried->len; i++)
    add_tried (self, builder, i);
  json_builder_end_array (builder);
  ls_json_begin_object (builder, "best");
  ls_json_put_int (builder, "number", self->best);
  if (TRIED (self, self->best)->seconds > 0.0)
    ls_json_put_double (builder, "seconds", TRIED (self, self->best)->seconds);
  add_verdict (self, builder, TRIED (self, self->best));
  ls_json_put_text (builder, "trace", trace);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static const char *
function_of (Request  *request,
             LsModule *module)
{
  if (request->func != NULL)
    return ls_is (ls_module_get (module, request->func), PRIM_FUNC) ? request->func : NULL;
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
  return NULL;
}

static int
show (Request *request)
{
  g_autoptr (LsSchedule) schedule = ls_cli_read_schedule (request->command, request->file, request->steps, 0);
  g_autoptr (GPtrArray) tried = g_ptr_array_new_with_free_func (tried_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LsWorker) worker = ls_worker_new ();
  Advise self = { .request = request, .tried = tried, .seen = seen, .worker = worker };
  Tried *first;
  LsPeaks peaks;

  if (schedule == NULL || !ls_cli_read_peaks (request->command, FALSE, &peaks))
    return LS_CLI_FAILED;
  self.func = function_of (request, ls_schedule_get_module (schedule));
  if (self.func == NULL)
    return ls_cli_fail (request->command, "%s", request->func != NULL ? "there is no function of TensorIR with this name" : "there is no function of TensorIR in the file");
  ls_advice_machine_init (&self.machine, &peaks, g_strcmp0 (request->cores, "one") == 0 ? 1 : 0);
  first = g_new0 (Tried, 1);
  first->schedule = ls_schedule_ref (schedule);
  g_ptr_array_add (tried, first);
  g_hash_table_add (seen, ls_script_print (ls_schedule_get_module (schedule), NULL, NULL));
  if (!advise (&self))
    {
      g_free (self.inputs);
      return LS_CLI_FAILED;
    }
  if (request->json)
    print_json (&self);
  else
    print_text (&self);
  g_free (self.inputs);
  return LS_CLI_DONE;
}

int
ls_cli_advise (int    argc,
               char **argv)
{
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Request request = { .command = argv[0], .follow = -1, .budget = -1, .most = -1, .timeout = -1, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--trace", LS_CLI_FLAG, &request.trace },
    { "--no-time", LS_CLI_FLAG, &request.no_time },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--cores", LS_CLI_TEXT, &request.cores },
    { "--follow", LS_CLI_NUMBER, &request.follow },
    { "--budget", LS_CLI_NUMBER, &request.budget },
    { "--most", LS_CLI_NUMBER, &request.most },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--set", LS_CLI_LIST, set },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.cores != NULL && strcmp (request.cores, "one") != 0 && strcmp (request.cores, "all") != 0)
    return ls_cli_usage (argv[0], "--cores is one or all");
  request.most = request.most >= 0 ? MIN (request.most, MOST) : MOST;
  return request.file != NULL ? show (&request) : ls_cli_usage (argv[0], "a file is expected");
}
