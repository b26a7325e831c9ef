/* time: how long a function takes, as it is or after each step of a schedule.
 *
 *   --func F           the function (needed when there are several)
 *   --steps FILE       the schedule; without --each-step only the first and the last program are timed
 *   --each-step        after every step that changes the program
 *   --target T, --samples N, --budget-ms N (for each version), --set NAME=VALUE, --seed N, --timeout SECONDS
 *
 * The processor counts cycles, instructions and misses in a batch of its own after the timed ones, where the machine has
 * counters; where not, a sentence says why.  Each version's output is compared with the unscheduled program's before it is timed; exit status 1 when one differs.
 */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/runtime/counters.h"
#include "engine/schedule/moves/moves.h"
#include "engine/script/script.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *steps, *target;
  gint64      seed, samples, budget, timeout;   /* -1: not given */
  GPtrArray  *set;
  gboolean    each_step, json;
} Request;

typedef struct {
  guint     step;               /* 0: unscheduled */
  char     *name;               /* "split(...)" or "unscheduled" */
  LsModule *module;
} Version;

static void
version_clear (gpointer data)
{
  g_free (((Version *) data)->name);
  ls_unref (((Version *) data)->module);
}

/* After `step` calls, of which `number` changed the program. */
static void
add_version (GArray     *versions,
             LsSchedule *schedule,
             guint       step,
             guint       number)
{
  Version version = { number, NULL, ls_ref (ls_schedule_get_version (schedule, step)->module) };

  version.name = step > 0 ? ls_schedule_describe_step (schedule, step - 1) : g_strdup ("unscheduled");
  g_array_append_val (versions, version);
}

static GArray *
list_versions (LsSchedule *schedule,
               gboolean    each_step)
{
  GArray *versions = g_array_new (FALSE, FALSE, sizeof (Version));
  guint n = ls_schedule_get_n_steps (schedule);
  guint number = 0;

  g_array_set_clear_func (versions, version_clear);
  add_version (versions, schedule, 0, 0);
  for (guint i = 1; i <= n; i++)
    {
      gboolean changed = ls_schedule_get_version (schedule, i)->module != ls_schedule_get_version (schedule, i - 1)->module;

      number += changed;
      if (each_step ? changed : i == n && number > 0)
        add_version (versions, schedule, i, number);
    }
  return versions;
}

static GVariant *
ask (Request    *request,
     const char *command,
     GArray     *versions)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GVariantDict params;

  for (guint i = 0; i < versions->len; i++)
    g_ptr_array_add (texts, ls_cli_module_text (g_array_index (versions, Version, i).module));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_new_strv ((const char *const *) texts->pdata, (gssize) texts->len));
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) request->set->pdata, (gssize) request->set->len));
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  if (request->target != NULL)
    g_variant_dict_insert (&params, "target", "s", request->target);
  if (request->samples >= 0)
    g_variant_dict_insert (&params, "samples", "x", request->samples);
  if (request->budget >= 0)
    g_variant_dict_insert (&params, "budget-ms", "x", request->budget);
  if (request->seed >= 0)
    g_variant_dict_insert (&params, "seed", "x", request->seed);
  return ls_cli_ask (command, "time", &params, request->timeout >= 0 ? (double) request->timeout : 60 + 30.0 * versions->len, NULL, NULL);
}

static void
print_line (Version  *version,
            GVariant *result)
{
  const char *problem = ls_params_string (result, "error", NULL);
  g_autofree char *min = ls_cli_duration (ls_cli_number (result, "min"));
  g_autofree char *median = ls_cli_duration (ls_cli_number (result, "median"));
  g_autofree char *iqr = ls_cli_duration (ls_cli_number (result, "iqr"));
  g_autofree char *build = ls_cli_duration (ls_cli_number (result, "build-ns"));
  g_autoptr (GVariant) to_first = ls_params_value (result, "to-first");
  g_autoptr (GVariant) to_previous = ls_params_value (result, "to-previous");

  if (problem != NULL)
    {
      printf ("%4u  %-28s %s\n", version->step, version->name, problem);
      return;
    }
  printf ("%4u  %-28s %10s  %10s  %10s  %10s", version->step, version->name, min, median, iqr, build);
  if (to_first != NULL)
    printf ("  ×%-8.3g %-26s", ls_cli_number (to_first, "speedup"), ls_params_string (to_previous, "kind", ""));
  else
    printf ("  %-9s %-26s", "", "");
  printf (" %s\n", ls_params_bool (result, "equal", FALSE) ? "same output" : ls_params_string (result, "mismatch", "other output"));
}

/* What was counted of one kind in a call, "-" where there is no figure. */
static char *
count_text (GVariant   *result,
            const char *name)
{
  g_autoptr (GVariant) counters = ls_params_value (result, "counters");
  g_autoptr (GVariant) one = counters != NULL ? ls_params_value (counters, name) : NULL;

  return one != NULL && ls_params_string (one, "error", NULL) == NULL ? g_strdup_printf ("%.0f", ls_cli_number (one, "value")) : g_strdup ("-");
}

/* A row for each version, below a head; or the sentence why there are none. */
static void
print_counters (GArray   *versions,
                GVariant *results)
{
  g_autoptr (GVariant) first = g_variant_get_child_value (results, 0);
  g_autoptr (GVariant) counters = ls_params_value (first, "counters");

  if (counters == NULL)
    {
      printf ("%s\n", ls_params_string (first, "counters-text", ""));
      return;
    }
  printf ("\ncounted by the processor, per call, in user mode\n%4s ", "step");
  for (guint k = 0; k < LS_COUNTER_N; k++)
    printf (" %15s", ls_counter_name (k));
  printf ("\n");
  for (gsize i = 0; i < g_variant_n_children (results); i++)
    {
      g_autoptr (GVariant) result = g_variant_get_child_value (results, i);

      printf ("%4u ", g_array_index (versions, Version, i).step);
      for (guint k = 0; k < LS_COUNTER_N; k++)
        {
          g_autofree char *text = count_text (result, ls_counter_name (k));

          printf (" %15s", text);
        }
      printf ("\n");
    }
}

static int
print_answer (GArray   *versions,
              GVariant *answer)
{
  g_autoptr (GVariant) results = ls_params_value (answer, "results");
  int status = LS_CLI_DONE;

  printf ("%4s  %-28s %10s  %10s  %10s  %10s  %-9s %-26s\n", "step", "", "min", "median", "IQR", "build", "speed-up", "against the step before");
  for (gsize i = 0; i < g_variant_n_children (results); i++)
    {
      g_autoptr (GVariant) result = g_variant_get_child_value (results, i);

      print_line (&g_array_index (versions, Version, i), result);
      if (!ls_params_bool (result, "equal", FALSE))
        status = LS_CLI_FAILED;
    }
  printf ("%s\n", ls_params_string (answer, "conditions", ""));
  if (ls_params_string (answer, "inputs", NULL) != NULL)
    printf ("made at random: %s\n", ls_params_string (answer, "inputs", ""));
  print_counters (versions, results);
  return status;
}

/* The answer with step and name in each result. */
static int
print_json (GArray   *versions,
            GVariant *answer)
{
  g_autoptr (GVariant) results = ls_params_value (answer, "results");
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder list;
  GVariantDict dict;
  int status = LS_CLI_DONE;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; i < g_variant_n_children (results); i++)
    {
      g_autoptr (GVariant) result = g_variant_get_child_value (results, i);
      Version *version = &g_array_index (versions, Version, i);

      g_variant_dict_init (&dict, result);
      g_variant_dict_insert (&dict, "step", "u", version->step);
      g_variant_dict_insert (&dict, "name", "s", version->name);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
      if (!ls_params_bool (result, "equal", FALSE))
        status = LS_CLI_FAILED;
    }
  g_variant_dict_init (&dict, answer);
  g_variant_dict_insert_value (&dict, "results", g_variant_builder_end (&list));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (whole);
  return status;
}

static int
time_versions (Request    *request,
               const char *command)
{
  g_autoptr (LsSchedule) schedule = ls_cli_read_schedule (command, request->file, request->steps, 0);
  g_autoptr (GArray) versions = schedule != NULL ? list_versions (schedule, request->each_step) : NULL;
  g_autoptr (GVariant) answer = versions != NULL ? ask (request, command, versions) : NULL;
  int status;

  if (answer == NULL || !ls_cli_has (command, answer, "results"))
    return LS_CLI_FAILED;
  if (request->json)
    return print_json (versions, answer);
  status = print_answer (versions, answer);
  if (status != LS_CLI_DONE && request->steps != NULL)
    fprintf (stderr, "  where they part: loopscope-cli debug %s --steps %s --part\n", request->file, request->steps);
  return status;
}

int
ls_cli_time (int    argc,
             char **argv)
{
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Request request = { .seed = -1, .samples = -1, .budget = -1, .timeout = -1, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--each-step", LS_CLI_FLAG, &request.each_step },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--samples", LS_CLI_NUMBER, &request.samples },
    { "--budget-ms", LS_CLI_NUMBER, &request.budget },
    { "--seed", LS_CLI_NUMBER, &request.seed },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--set", LS_CLI_LIST, set },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  return request.file != NULL ? time_versions (&request, argv[0]) : ls_cli_usage (argv[0], "a file is expected");
}
