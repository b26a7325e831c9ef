/* debug: a run of a function under the debugger: a prompt, a file of commands, or an editor (--dap).
 *
 * The commands are the engine's (engine/debug/command.c), and debug-talk.c prints their answers; here is what the program and its inputs are, and where
 * two programs part.  The run is in this process; the interpreter checks every access.
 */
#include "app/cli/debug-dap.h"
#include "app/cli/debug-graph.h"
#include "app/cli/debug-pair.h"
#include "app/cli/debug-talk.h"
#include "app/cli/debug-vm.h"
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/debug/debug.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trace/trace.h"
#include "engine/script/script.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *file, *func, *steps, *batch, *against, *torch;
  GPtrArray  *inputs, *set, *passes;
  gint64      seed, toy, memory;
  gboolean    part, pair, dap, json, graph, vm, plan;
} Request;

/* ---- where two programs part ----------------------------------------------------------------------- */

static void
print_part (GVariant *answer)
{
  const char *differ = ls_params_string (answer, "differ", "?");
  g_autoptr (GVariant) left = ls_params_value (answer, "left-writes");
  g_autoptr (GVariant) right = ls_params_value (answer, "right-writes");

  if (ls_params_int (answer, "step", 0) > 0)
    printf ("step %" G_GINT64_FORMAT " changed the result: %s\n", ls_params_int (answer, "step", 0), ls_params_string (answer, "step-words", ""));
  if (strcmp (differ, "none") == 0)
    {
      g_auto (GStrv) at_once = ls_params_strv (answer, "at-once");
      g_autofree char *loops = at_once != NULL ? g_strjoinv (", ", at_once) : NULL;

      printf ("the results are the same\n");
      if (loops != NULL)
        printf ("statement by statement: in machine code rounds of these loops run at once, and what differs there comes of that or of rounding: %s\n", loops);
    }
  else if (strcmp (differ, "rounding") == 0)
    printf ("the results differ by rounding only, at most %.3g units in the last place\n", ls_cli_number (answer, "largest-ulp"));
  else
    printf ("the results differ\n");
  if (ls_params_string (answer, "element", NULL) == NULL)
    return;
  printf ("first at %s: %s on the left, %s on the right (%.3g units in the last place)\n%s\n", ls_params_string (answer, "element", "?"),
          ls_params_string (answer, "left", "?"), ls_params_string (answer, "right", "?"), ls_cli_number (answer, "ulp"), ls_params_string (answer, "why", ""));
  printf ("left, %" G_GINT64_FORMAT " writes:\n", ls_params_int (answer, "left-n", 0));
  ls_cli_debug_print_past (left);
  printf ("right, %" G_GINT64_FORMAT " writes:\n", ls_params_int (answer, "right-n", 0));
  ls_cli_debug_print_past (right);
}

/* The module after each step; the steps' words. */
static gboolean
collect_steps (Request    *request,
               const char *command,
               LsModule   *base,
               GPtrArray  *modules,
               GPtrArray  *words)
{
  g_autoptr (LsSchedule) schedule = ls_cli_schedule_module (command, base, request->steps, 0);

  if (schedule == NULL)
    return FALSE;
  for (guint i = 0; i <= ls_schedule_get_n_steps (schedule); i++)
    {
      g_ptr_array_add (modules, ls_ref (ls_schedule_get_version (schedule, i)->module));
      g_ptr_array_add (words, g_strdup (i > 0 ? ls_schedule_get_step (schedule, i - 1)->instruction->name : ""));
    }
  return TRUE;
}

static int
part (Request             *request,
      const char          *command,
      LsModule            *base,
      const LsDebugInputs *inputs)
{
  g_autoptr (GPtrArray) modules = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) whole = NULL;
  GVariantDict dict;
  LsModule *right;
  int step = 0;

  if (request->against != NULL)
    {
      g_ptr_array_add (modules, ls_cli_read_module (command, request->against));
      g_ptr_array_add (words, g_strdup (""));
      if (modules->pdata[0] == NULL)
        {
          g_ptr_array_set_free_func (modules, NULL);
          return LS_CLI_FAILED;
        }
    }
  else if (!collect_steps (request, command, base, modules, words))
    return LS_CLI_FAILED;
  right = modules->pdata[modules->len - 1];
  if (request->against == NULL)
    {
      step = ls_debug_first_step ((LsModule **) modules->pdata, modules->len, request->func, inputs, &error);
      if (step < 0)
        return ls_cli_fail (command, "%s", error->message);
      if (step > 0)
        right = modules->pdata[step];
    }
  answer = ls_debug_part (base, right, request->func, inputs, &error);
  if (answer == NULL)
    return ls_cli_fail (command, "%s", error->message);
  g_variant_dict_init (&dict, answer);
  if (step > 0)
    {
      g_variant_dict_insert (&dict, "step", "x", (gint64) step);
      g_variant_dict_insert (&dict, "step-words", "s", words->pdata[step]);
    }
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  if (request->json)
    ls_cli_print_json (whole);
  else
    print_part (whole);
  return LS_CLI_DONE;
}

/* ---- the program -------------------------------------------------------------------------------------- */

static LsModule *
read_program (Request     *request,
              const char  *command,
              LsModule   **base)
{
  g_autoptr (LsModule) module = ls_cli_read_module (command, request->file);
  g_autoptr (LsSchedule) schedule = module != NULL ? ls_cli_schedule_module (command, module, request->steps, 0) : NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;

  if (schedule == NULL)
    return NULL;
  if (request->toy > 0)
    {
      g_autoptr (LsTrace) trace = ls_trace_of (schedule);
      g_autoptr (GPtrArray) toys = ls_debug_toy_scheduled (module, &trace, 1, request->toy, &words, &error);

      if (toys == NULL)
        {
          ls_cli_fail (command, "%s", error->message);
          return NULL;
        }
      fprintf (stderr, "toy size: %s\n", *words != '\0' ? words : "nothing to shrink");
      *base = ls_ref ((LsModule *) toys->pdata[0]);
      return ls_ref ((LsModule *) toys->pdata[1]);
    }
  *base = ls_ref (module);
  return ls_ref (ls_schedule_get_module (schedule));
}

/* Before and after the steps, or this file and another one. */
static int
in_step (Request             *request,
         const char          *command,
         LsModule            *base,
         LsModule            *module,
         const LsDebugInputs *inputs)
{
  g_autoptr (LsModule) right = request->against != NULL ? ls_cli_read_module (command, request->against) : ls_ref (module);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDebugPair) pair = right != NULL ? ls_debug_pair_new (base, right, request->func, inputs, &error) : NULL;
  FILE *from = request->batch != NULL ? fopen (request->batch, "r") : stdin;
  gboolean ok;

  if (pair == NULL || from == NULL)
    {
      if (from != NULL && from != stdin)
        fclose (from);
      if (right == NULL)
        return LS_CLI_FAILED;
      return pair == NULL ? ls_cli_fail (command, "%s", error->message) : ls_cli_fail (command, "%s cannot be read", request->batch);
    }
  ok = ls_cli_debug_pair (pair, from, request->batch == NULL && isatty (0) && !request->json, request->json);
  if (from != stdin)
    fclose (from);
  return ok || request->batch == NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}

static volatile sig_atomic_t is_interrupted;

static void
interrupt (int number)
{
  is_interrupted = 1;
}

static gboolean
was_interrupted (gpointer user_data)
{
  gboolean was = is_interrupted != 0;

  is_interrupted = 0;
  return was;
}

static int
debug (Request    *request,
       const char *command)
{
  g_autoptr (LsModule) base = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsDebug) session = NULL;
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, (guint64) request->seed };
  FILE *from = stdin;
  int status;

  g_ptr_array_add (request->inputs, NULL);
  g_ptr_array_add (request->set, NULL);
  g_ptr_array_add (request->passes, NULL);
  inputs.files = (const char *const *) request->inputs->pdata;
  inputs.set = (const char *const *) request->set->pdata;
  if (request->graph)
    return ls_cli_debug_graph (&(LsCliDebugGraph) { command, request->file, request->func, request->batch, request->against, request->torch,
                                                    (const char *const *) request->passes->pdata, &inputs, request->json });
  if (request->vm)
    return ls_cli_debug_vm (&(LsCliDebugVM) { command, request->file, request->func, request->batch, (const char *const *) request->passes->pdata, inputs.set, inputs.files,
                                              request->seed, request->plan, request->json });
  module = read_program (request, command, &base);
  if (module == NULL)
    return LS_CLI_FAILED;
  if (request->pair)
    return in_step (request, command, base, module, &inputs);
  if (request->part || request->against != NULL)
    return part (request, command, base, &inputs);
  session = ls_debug_new (module, request->func, &inputs, &error);
  if (session == NULL)
    return ls_cli_fail (command, "%s", error->message);
  if (request->memory > 0)
    ls_debug_set_memory (session, (gsize) request->memory << 20);
  if (request->batch != NULL && (from = fopen (request->batch, "r")) == NULL)
    return ls_cli_fail (command, "%s cannot be read", request->batch);
  signal (SIGINT, interrupt);
  ls_debug_set_asker (session, was_interrupted, NULL);
  if (request->batch == NULL && isatty (0) && !request->json)
    ls_cli_debug_say (session, "where", NULL);
  status = ls_cli_debug_talk (session, from, request->batch != NULL, request->json);
  if (from != stdin)
    fclose (from);
  return status;
}

int
ls_cli_debug (int    argc,
              char **argv)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  g_autoptr (GPtrArray) passes = g_ptr_array_new ();
  Request request = { .inputs = inputs, .set = set, .passes = passes };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--part", LS_CLI_FLAG, &request.part },
    { "--pair", LS_CLI_FLAG, &request.pair },
    { "--dap", LS_CLI_FLAG, &request.dap },
    { "--graph", LS_CLI_FLAG, &request.graph },
    { "--vm", LS_CLI_FLAG, &request.vm },
    { "--plan", LS_CLI_FLAG, &request.plan },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--batch", LS_CLI_TEXT, &request.batch },
    { "--against", LS_CLI_TEXT, &request.against },
    { "--torch", LS_CLI_TEXT, &request.torch },
    { "--toy", LS_CLI_NUMBER, &request.toy },
    { "--memory", LS_CLI_NUMBER, &request.memory },
    { "--seed", LS_CLI_NUMBER, &request.seed },
    { "--pass", LS_CLI_LIST, passes },
    { "--set", LS_CLI_LIST, set },
    { "--in", LS_CLI_LIST, inputs },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.dap)
    return ls_cli_debug_dap ();
  if (request.file == NULL)
    return ls_cli_usage (argv[0], "a file is expected");
  return debug (&request, argv[0]);
}
