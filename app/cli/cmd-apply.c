/* apply: a module and a text of schedule steps; the resulting module, or why a step is refused and where.
 *
 * Steps are Python or a trace as JSON.  --upto N stops after N steps that change the program (get_block and get_loops do
 * not count), as the window numbers them.  --replace N LINE puts another step in place of number N and replays the rest
 * up to the first that is refused; --decide N=VALUE gives sampling step N another decision and replays.
 * A refused step changes nothing.  What is shown then is the program as it was before that step, with the loops and
 * blocks that the reason speaks of underlined.
 */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/schedule/moves/moves.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef struct {
  const char   *file;
  const char   *steps;
  guint64       upto;           /* steps that change the program */
  gboolean      json;
  gboolean      trace;
  gboolean      trace_json;
  gboolean      simplified;
  guint64       replace;        /* number of the step, 0: none */
  const char   *line;           /* what stands for it */
  GPtrArray    *decide;         /* of char: "N=VALUE" */
  LsScriptStyle style;
  LsSchedule   *schedule;
} Request;

static void
request_clear (Request *request)
{
  ls_schedule_unref (request->schedule);
  g_clear_pointer (&request->decide, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static char *
print_module (Request *request, LsSourceMap **map)
{
  LsScriptPrintOptions options = { .style = request->style, .whole_heads = TRUE };

  return ls_script_print (ls_schedule_get_module (request->schedule), &options, map);
}

/* ---- a refused step -------------------------------------------------------- */

/* One text of underlines for each line (from 0), NULL where there is none. */
static void
underline (GPtrArray *marks, LsSourceMap *map, const char *text, const LsSourceRange *range)
{
  guint32 start = ls_source_map_line_start (map, range->line);
  guint from = range->start - start;
  guint length = strcspn (text + range->start, "\n");
  GString *mark;

  if (range->role != LS_SOURCE_NODE || range->end - range->start < length)
    length = range->end - range->start;
  while (marks->len <= range->line)
    g_ptr_array_add (marks, NULL);
  if (marks->pdata[range->line] == NULL)
    marks->pdata[range->line] = g_string_new (NULL);
  mark = marks->pdata[range->line];
  for (guint i = mark->len; i < from + length; i++)
    g_string_append_c (mark, ' ');
  for (guint i = 0; i < length; i++)
    mark->str[from + i] = '^';
}

static const LsSourceRange *
range_of_culprit (LsSourceMap *map, const char *path_text)
{
  LsNode *root = ls_source_map_get_root (map);
  g_autoptr (LsPath) path = ls_path_parse (path_text, root);
  LsNode *node = path != NULL ? ls_path_get (path, root) : NULL;

  if (node == NULL)
    return NULL;
  if (ls_is (node, FOR))
    return ls_source_map_find_definition (map, ((LsFor *) node)->loop_var);
  return ls_source_map_find_nearest (map, path);
}

static void
mark_free (gpointer mark)
{
  if (mark != NULL)
    g_string_free (mark, TRUE);
}

static void
print_underlined (Request *request, LsDiagnostics *findings)
{
  g_autoptr (LsSourceMap) map = NULL;
  g_autofree char *text = print_module (request, &map);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) marks = g_ptr_array_new_with_free_func (mark_free);
  gboolean any = FALSE;

  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      for (guint c = 0; finding->culprits != NULL && c < finding->culprits->len; c++)
        {
          const LsSourceRange *range = range_of_culprit (map, finding->culprits->pdata[c]);

          if (range != NULL)
            underline (marks, map, text, range);
          any |= range != NULL;
        }
    }
  for (guint i = 0; any && lines[i] != NULL; i++)
    {
      GString *mark = i + 1 < marks->len ? marks->pdata[i + 1] : NULL;

      if (*lines[i] != '\0' || lines[i + 1] != NULL)
        fprintf (stderr, "  | %s\n", lines[i]);
      if (mark != NULL)
        fprintf (stderr, "  | %s\n", mark->str);
    }
}

/* Steps that are accepted although they may change the result. */
static void
print_warnings (Request *request, LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      if (finding->severity == LS_SEVERITY_WARNING)
        fprintf (stderr, "%s: warning: %s [%s]\n", request->steps, finding->message, finding->code);
    }
}

static char *
print_trace (Request *request)
{
  g_autoptr (LsTrace) whole = ls_trace_of (request->schedule);
  g_autoptr (LsTrace) trace = request->simplified ? ls_trace_simplified (whole, FALSE) : ls_trace_ref (whole);

  return request->trace_json ? ls_trace_to_json (trace, FALSE) : ls_trace_print (trace);
}

/* ---- JSON ------------------------------------------------------------------ */

static void
add_steps (JsonBuilder *builder, LsSchedule *schedule)
{
  ls_json_begin_array (builder, "steps");
  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      g_autofree char *line = ls_schedule_print_step (schedule, i);

      json_builder_add_string_value (builder, line);
    }
  json_builder_end_array (builder);
}

static void
print_json (Request *request, const char *refused, guint line, LsDiagnostics *findings)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *module = print_module (request, NULL);
  g_autofree char *trace = print_trace (request);
  g_autofree char *list = ls_diagnostics_to_json (findings);

  json_builder_begin_object (builder);
  ls_json_put_bool (builder, "done", refused == NULL);
  if (refused != NULL)
    {
      ls_json_put_text (builder, "refused", refused);
      ls_json_put_int (builder, "line", line);
    }
  json_builder_set_member_name (builder, "findings");
  json_builder_add_value (builder, json_from_string (list, NULL));
  add_steps (builder, request->schedule);
  ls_json_put_text (builder, "trace", trace);
  ls_json_put_text (builder, "module", module);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* ---- the work -------------------------------------------------------------- */

static guint
count_changes (LsSchedule *schedule)
{
  guint n = 0;

  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    n += !ls_step_is_pure (ls_schedule_get_step (schedule, i));
  return n;
}

static int
give_result (Request *request, LsDiagnostics *findings)
{
  g_autofree char *text = NULL;

  if (request->json)
    {
      print_json (request, NULL, 0, findings);
      return LS_CLI_DONE;
    }
  text = request->trace ? print_trace (request) : print_module (request, NULL);
  print_warnings (request, findings);
  fputs (text, stdout);
  if (request->trace)
    putchar ('\n');
  return LS_CLI_DONE;
}

/* ---- another step in the middle ---- */

/* "l0, l1 = " of a call; a list that is one name, too. (transfer full) */
static char *
left_side (const LsCallStep *call)
{
  GString *left = g_string_new (NULL);

  for (guint i = 0; call->output_form != LS_CALL_OUTPUT_NONE && i < call->outputs->len; i++)
    {
      const LsCallOutput *output = &g_array_index (call->outputs, LsCallOutput, i);

      g_string_append_printf (left, "%s%s%s", output->starred ? "*" : "", output->name, call->output_form == LS_CALL_OUTPUT_TUPLE ? ", " : "");
    }
  if (left->len > 0)
    g_string_append (left, " = ");
  return g_string_free (left, FALSE);
}

/* Is this call step number `request->replace`?  A call that is refused counts too. */
static gboolean
is_replaced (Request *request, LsCallList *list, const LsCallStep *call)
{
  g_autoptr (LsSchedule) trial = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (request->replace == 0 || count_changes (request->schedule) + 1 != request->replace)
    return FALSE;
  trial = ls_schedule_copy (request->schedule);
  return !ls_schedule_apply_call (trial, list, call, findings) || count_changes (trial) >= request->replace;
}

static gboolean
apply_replacement (Request *request, const LsCallStep *call, LsDiagnostics *findings)
{
  g_autoptr (LsDiagnostics) reading = ls_diagnostics_new ();
  g_autofree char *left = left_side (call);
  g_autofree char *bound = NULL;
  LsSource *plain = ls_source_new ("line", request->line, -1);
  LsSource *source;
  g_autoptr (LsCallList) list = ls_script_parse_calls (plain, reading);
  gboolean bare = ls_call_list_get_n (list) == 1 && ls_call_list_get (list, 0)->output_form == LS_CALL_OUTPUT_NONE;
  gboolean good;

  bound = g_strconcat (bare ? left : "", request->line, NULL);
  source = ls_source_new ("--replace", bound, -1);
  ls_schedule_apply_text (request->schedule, source, 0, findings);
  good = !ls_diagnostics_has_error (findings);
  ls_source_unref (source);
  ls_source_unref (plain);
  return good;
}

/* ---- other decisions ---- */

/* The sampling step that is change number `number`; -1: there is none. */
static gint
sampling_step (LsTrace *trace, guint64 number)
{
  guint64 n = 0;

  for (guint i = 0; i < ls_trace_get_n (trace); i++)
    {
      const LsTraceStep *step = ls_trace_get (trace, i);

      n += (step->instruction->flags & LS_INSTRUCTION_PURE) == 0;
      if (n == number && (step->instruction->flags & LS_INSTRUCTION_PURE) == 0)
        return (step->instruction->flags & LS_INSTRUCTION_SAMPLES) ? (gint) i : -1;
    }
  return -1;
}

/* "[8, 8]" or "3" as a decision, or NULL. */
static LsNode *
parse_decision (const char *text)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *line = g_strdup_printf ("sch.f(decision=%s)", text);
  LsSource *source = ls_source_new ("decision", line, -1);
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, findings);
  const LsCallValue *value = ls_call_list_get_n (list) == 1 ? ls_call_step_keyword (ls_call_list_get (list, 0), "decision") : NULL;
  LsNode *node = value != NULL ? ls_call_value_to_node (value, findings) : NULL;

  ls_source_unref (source);
  return node;
}

static int
decide (Request *request, const char *command, LsDiagnostics *findings)
{
  g_autoptr (LsTrace) trace = ls_trace_of (request->schedule);
  g_autoptr (LsSchedule) fresh = ls_schedule_new (ls_schedule_get_version (request->schedule, 0)->module);
  guint done;

  for (guint i = 0; i < request->decide->len; i++)
    {
      const char *text = request->decide->pdata[i];
      const char *equals = strchr (text, '=');
      g_autoptr (LsNode) decision = equals != NULL ? parse_decision (equals + 1) : NULL;
      gint at = sampling_step (trace, g_ascii_strtoull (text, NULL, 10));
      LsTrace *changed;

      if (decision == NULL)
        return ls_cli_fail (command, "--decide %s: the number of a step and its decision are expected, as in 1=[8, 8]", text);
      if (at < 0)
        return ls_cli_fail (command, "--decide %s: that step draws nothing", text);
      changed = ls_trace_with_decision (trace, (guint) at, decision);
      ls_trace_unref (trace);
      trace = changed;
    }
  done = ls_trace_apply (trace, fresh, TRUE, FALSE, findings);
  ls_schedule_unref (request->schedule);
  request->schedule = g_steal_pointer (&fresh);
  if (done == ls_trace_get_n (trace))
    return LS_CLI_DONE;
  if (request->json)
    print_json (request, ls_trace_get (trace, done)->instruction->name, 0, findings);
  else
    {
      g_autoptr (LsSource) steps = ls_source_new (request->steps, "", 0);

      ls_cli_refuse_instruction (steps, done + 1, ls_trace_get (trace, done), findings);
      print_underlined (request, findings);
    }
  return LS_CLI_FAILED;
}

/* ---- all steps ---- */

static int
run_json (Request *request, LsSource *source, LsDiagnostics *findings)
{
  g_autoptr (LsTrace) trace = ls_trace_from_json (ls_source_get_text (source, NULL), findings);
  guint done;

  if (trace == NULL)
    return ls_cli_fail_with (findings);
  done = ls_trace_apply (trace, request->schedule, TRUE, FALSE, findings);
  while (count_changes (request->schedule) > request->upto)
    ls_schedule_undo_to (request->schedule, ls_schedule_get_n_steps (request->schedule) - 1);
  if (done == ls_trace_get_n (trace) || count_changes (request->schedule) >= request->upto)
    return LS_CLI_DONE;
  if (request->json)
    print_json (request, ls_trace_get (trace, done)->instruction->name, done + 1, findings);
  else
    {
      ls_cli_refuse_instruction (source, done + 1, ls_trace_get (trace, done), findings);
      print_underlined (request, findings);
    }
  return LS_CLI_FAILED;
}

static int
run_python (Request *request, LsSource *source, LsDiagnostics *findings)
{
  g_autoptr (LsDiagnostics) reading = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, reading);
  const LsCallStep *refused = NULL;
  guint n = ls_call_list_get_n (list);

  if (ls_diagnostics_has_error (reading))
    return ls_cli_fail_with (reading);
  for (guint i = 0; refused == NULL && i < n && count_changes (request->schedule) < request->upto; i++)
    {
      const LsCallStep *call = ls_call_list_get (list, i);

      if (is_replaced (request, list, call))
        {
          request->replace = 0;
          refused = apply_replacement (request, call, findings) ? NULL : call;
        }
      else if (!ls_schedule_apply_call (request->schedule, list, call, findings))
        {
          refused = call;
        }
    }
  if (refused == NULL)
    return LS_CLI_DONE;
  if (request->json)
    print_json (request, refused->method, refused->line, findings);
  else
    {
      ls_cli_refuse (source, refused, findings);
      print_underlined (request, findings);
    }
  return LS_CLI_FAILED;
}

static int
run_steps (Request *request, const char *command, LsSource *source)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  gboolean json = ls_cli_is_json_trace (source);
  int status;

  if (json && request->replace > 0)
    return ls_cli_fail (command, "--replace works on steps in Python; --trace writes a JSON trace as Python");
  status = json ? run_json (request, source, findings) : run_python (request, source, findings);
  if (status == LS_CLI_DONE && request->replace > 0)
    return ls_cli_fail (command, "--replace %" G_GUINT64_FORMAT ": there are %u steps that change the program", request->replace, count_changes (request->schedule));
  if (status == LS_CLI_DONE && request->decide->len > 0)
    status = decide (request, command, findings);
  return status == LS_CLI_DONE ? give_result (request, findings) : status;
}

static int
apply (Request *request, const char *command)
{
  g_autoptr (LsModule) module = ls_cli_read_module (command, request->file);
  g_autoptr (LsSource) steps = module != NULL ? ls_cli_read_source (command, request->steps) : NULL;

  if (steps == NULL)
    return LS_CLI_FAILED;
  request->schedule = ls_schedule_new (module);
  return run_steps (request, command, steps);
}

int
ls_cli_apply (int argc, char **argv)
{
  g_auto (Request) request = { .upto = G_MAXUINT64 };
  const char *value;
  LsCliArgs args;

  request.decide = g_ptr_array_new ();
  ls_cli_args_init (&args, argc, argv);
  while (ls_cli_args_more (&args))
    {
      if (ls_cli_args_flag (&args, "--json"))
        request.json = TRUE;
      else if (ls_cli_args_flag (&args, "--trace"))
        {
          request.trace = TRUE;
          if (ls_cli_args_flag (&args, "json"))
            request.trace_json = TRUE;
          else
            ls_cli_args_flag (&args, "python");
        }
      else if (ls_cli_args_flag (&args, "--trace=json"))
        request.trace = request.trace_json = TRUE;
      else if (ls_cli_args_flag (&args, "--trace=python"))
        request.trace = TRUE;
      else if (ls_cli_args_flag (&args, "--strict"))
        ls_schedule_set_strict_default (TRUE);
      else if (ls_cli_args_flag (&args, "--simplified"))
        request.trace = request.simplified = TRUE;
      else if ((value = ls_cli_args_option (&args, "--decide")) != NULL)
        g_ptr_array_add (request.decide, (gpointer) value);
      else if ((value = ls_cli_args_option (&args, "--replace")) != NULL)
        {
          if (!g_ascii_string_to_unsigned (value, 10, 1, G_MAXUINT, &request.replace, NULL) || (request.line = ls_cli_args_word (&args)) == NULL)
            return ls_cli_usage (argv[0], "--replace takes the number of a step and the line that stands for it");
        }
      else if ((value = ls_cli_args_option (&args, "--steps")) != NULL)
        request.steps = value;
      else if ((value = ls_cli_args_option (&args, "--style")) != NULL)
        {
          if (!ls_script_style_parse (value, &request.style))
            return ls_cli_usage (argv[0], "--style %s: 0.20, 2023 or 2026 is expected", value);
        }
      else if ((value = ls_cli_args_option (&args, "--upto")) != NULL)
        {
          if (!g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT, &request.upto, NULL))
            return ls_cli_usage (argv[0], "--upto %s: a number of steps from 0 is expected", value);
        }
      else if ((value = ls_cli_args_word (&args)) == NULL)
        return ls_cli_args_refuse (&args);
      else if (request.file != NULL)
        return ls_cli_usage (argv[0], "one file is expected, \"%s\" is a second one", value);
      else
        request.file = value;
    }
  if (args.missing != NULL)
    return ls_cli_args_refuse (&args);
  if (request.file == NULL || request.steps == NULL)
    return ls_cli_usage (argv[0], "a file and --steps are expected");
  return apply (&request, argv[0]);
}
