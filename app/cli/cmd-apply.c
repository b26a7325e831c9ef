/* apply: a module and a text of schedule steps; the resulting module, or why a step is refused and where.
 *
 * --upto N stops after N steps that change the program (get_block and get_loops do not count), as the window numbers them.
 * A refused step changes nothing.  What is shown then is the program as it was before that step, with the loops and
 * blocks that the reason speaks of underlined.
 */
#include "app/cli/input.h"
#include "engine/schedule/moves.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef struct {
  const char   *file;
  const char   *steps;
  guint64       upto;           /* steps that change the program */
  gboolean      json;
  gboolean      trace;
  LsScriptStyle style;
  LsSchedule   *schedule;
} Request;

static void
request_clear (Request *request)
{
  ls_schedule_unref (request->schedule);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static char *
print_module (Request *request, LsSourceMap **map)
{
  LsScriptPrintOptions options = { .style = request->style };

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

/* ---- JSON ------------------------------------------------------------------ */

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_steps (JsonBuilder *builder, LsSchedule *schedule)
{
  json_builder_set_member_name (builder, "steps");
  json_builder_begin_array (builder);
  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      g_autofree char *line = ls_schedule_print_step (schedule, i);

      json_builder_add_string_value (builder, line);
    }
  json_builder_end_array (builder);
}

static void
print_json (Request *request, const LsCallStep *refused, LsDiagnostics *findings)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *module = print_module (request, NULL);
  g_autofree char *trace = ls_schedule_print_trace (request->schedule);
  g_autofree char *list = ls_diagnostics_to_json (findings);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "done");
  json_builder_add_boolean_value (builder, refused == NULL);
  if (refused != NULL)
    {
      add_text (builder, "refused", refused->method);
      json_builder_set_member_name (builder, "line");
      json_builder_add_int_value (builder, refused->line);
    }
  json_builder_set_member_name (builder, "findings");
  json_builder_add_value (builder, json_from_string (list, NULL));
  add_steps (builder, request->schedule);
  add_text (builder, "trace", trace);
  add_text (builder, "module", module);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  puts (text);
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
run_steps (Request *request, LsSource *source)
{
  g_autoptr (LsDiagnostics) reading = ls_diagnostics_new ();
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, reading);
  const LsCallStep *refused = NULL;
  guint n = ls_call_list_get_n (list);

  if (ls_diagnostics_has_error (reading))
    return ls_cli_fail_with (reading);
  for (guint i = 0; refused == NULL && i < n && count_changes (request->schedule) < request->upto; i++)
    if (!ls_schedule_apply_call (request->schedule, list, ls_call_list_get (list, i), findings))
      refused = ls_call_list_get (list, i);
  if (request->json)
    print_json (request, refused, findings);
  else if (refused != NULL)
    {
      ls_cli_refuse (source, refused, findings);
      print_underlined (request, findings);
    }
  else
    {
      g_autofree char *text = request->trace ? ls_schedule_print_trace (request->schedule) : print_module (request, NULL);

      print_warnings (request, findings);
      fputs (text, stdout);
      if (request->trace)
        putchar ('\n');
    }
  return refused == NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}

static int
apply (Request *request, const char *command)
{
  g_autoptr (LsModule) module = ls_cli_read_module (command, request->file);
  g_autoptr (LsSource) steps = module != NULL ? ls_cli_read_source (command, request->steps) : NULL;

  if (steps == NULL)
    return LS_CLI_FAILED;
  request->schedule = ls_schedule_new (module);
  return run_steps (request, steps);
}

int
ls_cli_apply (int argc, char **argv)
{
  g_auto (Request) request = { .upto = G_MAXUINT64 };
  const char *value;
  LsCliArgs args;

  ls_cli_args_init (&args, argc, argv);
  while (ls_cli_args_more (&args))
    {
      if (ls_cli_args_flag (&args, "--json"))
        request.json = TRUE;
      else if (ls_cli_args_flag (&args, "--trace"))
        request.trace = TRUE;
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
