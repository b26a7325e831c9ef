/* advise: what holds a program back, what to try next, and what came of it.
 *
 *   --steps FILE       advice for the program after these steps
 *   --follow N         the best measured proposal is taken, and asked for the next, N times
 *   --cores one|all    proposals for one core or all (all)
 *   --budget S         seconds for all measurements (60)
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
#include "engine/script/script.h"
#include "engine/tir/specialize.h"

#include <stdio.h>
#include <string.h>

#define MOST 5
#define PATIENCE 3              /* rounds in a row without a faster program */
#define LEAST_GAIN 1.02

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
  double      seconds;          /* median; 0: not measured */
  double      least;            /* the fastest batch: what is compared, since others may only show what else the machine does */
  double      low, high;        /* quartiles */
  char       *problem;
  char       *verdict;
  gboolean    taken;            /* was the fastest after its round */
} Tried;

typedef struct {
  Request        *request;
  const char     *func;
  LsAdviceMachine machine;
  GPtrArray      *tried;        /* of Tried */
  GHashTable     *seen;
  guint           best;
} Advise;

static void
tried_free (gpointer data)
{
  Tried *self = data;

  ls_schedule_unref (self->schedule);
  ls_proposal_free (self->proposal);
  g_free (self->problem);
  g_free (self->verdict);
  g_free (self);
}

#define TRIED(self, i) ((Tried *) (self)->tried->pdata[i])

/* ---- measuring ----------------------------------------------------------------------- */

static gint64
budget_ms (Advise *self)
{
  gint64 all = (self->request->budget > 0 ? self->request->budget : 60) * 1000, rounds = MAX (self->request->follow, 1);

  return CLAMP (all / ((self->request->most + 1) * rounds), 20, 1000);
}

static void
take_result (Tried    *tried,
             GVariant *result)
{
  const char *problem = ls_params_string (result, "error", ls_params_string (result, "mismatch", NULL));

  if (problem != NULL)
    tried->problem = g_strdup (problem);
  else
    {
      tried->seconds = ls_cli_number (result, "median") * 1e-9;
      tried->least = ls_cli_number (result, "min") * 1e-9;
      tried->low = ls_cli_number (result, "q1") * 1e-9;
      tried->high = ls_cli_number (result, "q3") * 1e-9;
    }
}

/* The programs by their numbers; the first is what the others are held to. */
static gboolean
measure (Advise *self,
         GArray *numbers)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) results = NULL;
  GVariantDict params;

  for (guint i = 0; i < numbers->len; i++)
    g_ptr_array_add (texts, ls_cli_module_text (ls_schedule_get_module (TRIED (self, g_array_index (numbers, guint, i))->schedule)));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_new_strv ((const char *const *) texts->pdata, (gssize) texts->len));
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) self->request->set->pdata, (gssize) self->request->set->len));
  g_variant_dict_insert (&params, "budget-ms", "x", budget_ms (self));
  g_variant_dict_insert (&params, "func", "s", self->func);
  answer = ls_cli_ask (self->request->command, "time", &params, self->request->timeout >= 0 ? (double) self->request->timeout : 120 + 30.0 * numbers->len, NULL, NULL);
  results = answer != NULL ? ls_params_value (answer, "results") : NULL;
  for (gsize i = 0; results != NULL && i < g_variant_n_children (results); i++)
    {
      g_autoptr (GVariant) result = g_variant_get_child_value (results, i);

      take_result (TRIED (self, g_array_index (numbers, guint, i)), result);
    }
  return results != NULL;
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

  return ls_advice_verdict_new (cost, &self->machine, tried->least);
}

static void
add_proposals (Advise *self,
               guint   from,
               guint   most,
               guint   round,
               GArray *numbers)
{
  Tried *base = TRIED (self, from);
  g_autoptr (GPtrArray) list = ls_advice_propose (base->schedule, self->func, &self->machine, base->least, self->seen, most);

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

      if (tried->least > 0.0 && (TRIED (self, best)->least <= 0.0 || tried->least * LEAST_GAIN < TRIED (self, best)->least))
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

  if (!self->request->no_time)
    {
      g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (guint));

      g_array_append_val (first, self->best);
      if (!measure (self, first))
        return FALSE;
    }
  for (guint round = 1; round <= rounds && still < PATIENCE; round++)
    {
      g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
      g_autoptr (LsAdviceVerdict) verdict = verdict_of (self, TRIED (self, self->best));
      guint best = self->best;

      if (TRIED (self, best)->verdict == NULL)
        TRIED (self, best)->verdict = g_strdup (verdict->sentence);
      g_array_append_val (numbers, best);
      propose (self, round, numbers);
      if (numbers->len == 1 || self->request->no_time)
        break;
      if (!measure (self, numbers))
        return FALSE;
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

  printf ("  %s %s\n      %s\n      estimate %s to %s; ", tried->taken ? ">" : "-", tried->proposal->title, tried->proposal->why, low, high);
  if (tried->seconds > 0.0)
    printf ("measured %s (%s to %s), x%.3g\n", median, q1, q3, TRIED (self, 0)->least / tried->least);
  else
    printf ("not measured%s%s\n", tried->problem != NULL ? ": " : "", tried->problem != NULL ? tried->problem : "");
}

static void
print_text (Advise *self)
{
  g_autofree char *first = ls_cli_duration (TRIED (self, 0)->seconds * 1e9);
  guint round = 0;

  if (TRIED (self, 0)->seconds > 0.0)
    printf ("The program takes %s. ", first);
  printf ("%s\n", TRIED (self, 0)->verdict);
  for (guint i = 1; i < self->tried->len; i++)
    {
      Tried *tried = TRIED (self, i);

      if (tried->round != round)
        printf ("\nround %u, likely to help:\n", tried->round);
      round = tried->round;
      print_tried (self, tried);
    }
  if (self->best > 0)
    {
      Tried *best = TRIED (self, self->best);
      g_autoptr (LsAdviceVerdict) verdict = verdict_of (self, best);
      g_autofree char *time = ls_cli_duration (best->seconds * 1e9);
      g_autofree char *trace = ls_schedule_print_trace (best->schedule);

      printf ("\nThe fastest takes %s, x%.3g. %s\n", time, TRIED (self, 0)->least / best->least, verdict->sentence);
      if (self->request->trace)
        printf ("\n%s", trace);
    }
}

static void
add_number (JsonBuilder *builder,
            const char  *name,
            double       value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

static void
add_nest (JsonBuilder      *builder,
          const LsNestCost *nest)
{
  json_builder_begin_object (builder);
  ls_cli_add_text (builder, "block", nest->name);
  add_number (builder, "flop", nest->flop);
  add_number (builder, "seconds", nest->seconds);
  add_number (builder, "lanes", nest->lanes);
  add_number (builder, "chains", nest->chains);
  add_number (builder, "cores", nest->cores);
  json_builder_set_member_name (builder, "in-registers");
  json_builder_add_boolean_value (builder, nest->in_registers);
  json_builder_set_member_name (builder, "causes");
  json_builder_begin_object (builder);
  for (int c = 0; c < LS_CAUSE_N; c++)
    if (nest->by_cause[c] > 0.0)
      add_number (builder, ls_cause_name ((LsCause) c), nest->by_cause[c]);
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
  g_autoptr (LsAdviceVerdict) verdict = ls_advice_verdict_new (cost, &self->machine, tried->least);

  json_builder_set_member_name (builder, "verdict");
  json_builder_begin_object (builder);
  ls_cli_add_text (builder, "sentence", verdict->sentence);
  json_builder_set_member_name (builder, "known");
  json_builder_add_boolean_value (builder, verdict->known);
  ls_cli_add_text (builder, "cause", verdict->n_reasons > 0 ? ls_cause_name (verdict->reasons[0].cause) : NULL);
  ls_cli_add_text (builder, "next", verdict->n_reasons > 1 ? ls_cause_name (verdict->reasons[1].cause) : NULL);
  ls_cli_add_text (builder, "block", verdict->n_reasons > 0 ? verdict->reasons[0].block : NULL);
  add_number (builder, "share", verdict->share);
  add_number (builder, "roof-seconds", verdict->roof_seconds);
  add_number (builder, "estimated-seconds", cost->seconds);
  json_builder_set_member_name (builder, "bytes");
  json_builder_begin_object (builder);
  for (int i = 0; i < self->machine.n_levels; i++)
    if (cost->bytes[i] >= 0.0)
      add_number (builder, self->machine.behind[i], cost->bytes[i]);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "nests");
  json_builder_begin_array (builder);
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
  json_builder_set_member_name (builder, "number");
  json_builder_add_int_value (builder, number);
  json_builder_set_member_name (builder, "from");
  json_builder_add_int_value (builder, tried->from);
  json_builder_set_member_name (builder, "round");
  json_builder_add_int_value (builder, tried->round);
  ls_cli_add_text (builder, "title", tried->proposal->title);
  ls_cli_add_text (builder, "kind", tried->proposal->kind);
  ls_cli_add_text (builder, "why", tried->proposal->why);
  ls_cli_add_text (builder, "removes", ls_cause_name (tried->proposal->removes));
  ls_cli_add_text (builder, "steps", tried->proposal->steps);
  add_number (builder, "estimate-low", tried->proposal->low);
  add_number (builder, "estimate-high", tried->proposal->high);
  ls_cli_add_text (builder, "problem", tried->problem);
  if (tried->seconds > 0.0)
    {
      add_number (builder, "seconds", tried->seconds);
      add_number (builder, "least", tried->least);
      add_number (builder, "q1", tried->low);
      add_number (builder, "q3", tried->high);
    }
  json_builder_set_member_name (builder, "taken");
  json_builder_add_boolean_value (builder, tried->taken);
  json_builder_end_object (builder);
}

static void
print_json (Advise *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *trace = ls_schedule_print_trace (TRIED (self, self->best)->schedule);

  json_builder_begin_object (builder);
  if (TRIED (self, 0)->seconds > 0.0)
    add_number (builder, "seconds", TRIED (self, 0)->seconds);
  add_verdict (self, builder, TRIED (self, 0));
  json_builder_set_member_name (builder, "proposals");
  json_builder_begin_array (builder);
  for (guint i = 1; i < self->tried->len; i++)
    add_tried (self, builder, i);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "best");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "number");
  json_builder_add_int_value (builder, self->best);
  if (TRIED (self, self->best)->seconds > 0.0)
    add_number (builder, "seconds", TRIED (self, self->best)->seconds);
  add_verdict (self, builder, TRIED (self, self->best));
  ls_cli_add_text (builder, "trace", trace);
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
  Advise self = { .request = request, .tried = tried, .seen = seen };
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
    return LS_CLI_FAILED;
  if (request->json)
    print_json (&self);
  else
    print_text (&self);
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
  request.most = request.most > 0 ? MIN (request.most, MOST) : MOST;
  return request.file != NULL ? show (&request) : ls_cli_usage (argv[0], "a file is expected");
}
