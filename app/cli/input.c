/* input: see the header. */
#include "app/cli/input.h"
#include "app/cli/onnx-file.h"

#include "engine/advice/advice.h"
#include "engine/base/findings.h"
#include "engine/script/printer.h"
#include "engine/script/saved.h"
#include "engine/script/script.h"

#include <stdio.h>

#define SHOWN_FINDINGS 20       /* one who reads more has forgotten the first; `check` tells them all */

int
ls_cli_fail_with (LsDiagnostics *diagnostics)
{
  g_autofree char *text = ls_diagnostics_print_first (diagnostics, SHOWN_FINDINGS);

  fputs (text, stderr);
  return LS_CLI_FAILED;
}

char *
ls_cli_module_text (LsModule *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };

  return ls_script_print (module, &whole, NULL);
}

void
ls_cli_put_text (const char *text)
{
  fputs (text, stdout);
  if (text[0] != '\0' && !g_str_has_suffix (text, "\n"))
    putchar ('\n');
}

LsSource *
ls_cli_read_source (const char *command,
                    const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, &error))
    {
      g_autofree char *script = ls_saved_is (text, length) ? ls_saved_script (text, length, &error) : NULL;

      if (error == NULL)
        return script != NULL ? ls_source_new (path, script, -1) : ls_source_new (path, text, (gssize) length);
      ls_cli_fail (command, "%s: %s", path, error->message);
      return NULL;
    }
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    ls_cli_fail (command, ls_translate ("there is no file %s"), path);
  else if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR))
    ls_cli_fail (command, ls_translate ("%s is a folder; a file is expected"), path);
  else
    ls_cli_fail (command, ls_translate ("%s cannot be read: %s"), path, error->message);
  return NULL;
}

gboolean
ls_cli_is_json_trace (LsSource *steps)
{
  const char *text = ls_source_get_text (steps, NULL);

  while (g_ascii_isspace (*text))
    text++;
  if (*text != '[')
    return FALSE;
  for (text++; g_ascii_isspace (*text); text++)
    ;
  return *text == '[';
}

static int
print_reasons (LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      if (finding->severity != LS_SEVERITY_ERROR)
        continue;
      fprintf (stderr, "  %s [%s]\n", finding->message, finding->code);
      if (finding->repair != NULL)
        fprintf (stderr, ls_translate ("  way out: %s\n"), finding->repair);
    }
  return LS_CLI_FAILED;
}

int
ls_cli_refuse (LsSource         *steps,
               const LsCallStep *call,
               LsDiagnostics    *findings)
{
  LsPlace place = ls_source_place (steps, call->span.start);

  fprintf (stderr, ls_translate ("%s:%u:%u: %s is refused\n"), ls_source_get_name (steps), place.line, place.column,
           ls_call_step_is_alias (call) ? ls_translate ("this line") : call->method);
  return print_reasons (findings);
}

int
ls_cli_refuse_instruction (LsSource          *steps,
                           guint              number,
                           const LsTraceStep *step,
                           LsDiagnostics     *findings)
{
  fprintf (stderr, ls_translate ("%s: instruction %u, %s, is refused\n"), ls_source_get_name (steps), number, step->instruction->name);
  return print_reasons (findings);
}

LsModule *
ls_cli_parse_module (const char *command,
                     LsSource   *source)
{
  return ls_cli_parse_file (command, source, NULL);
}

LsModule *
ls_cli_parse_file (const char *command,
                   LsSource   *source,
                   LsNode    **only)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module;

  module = ls_script_parse_file (source, diagnostics, only);
  if (ls_diagnostics_get_n (diagnostics) > 0)
    ls_cli_fail_with (diagnostics);
  if (module != NULL && !ls_diagnostics_has_error (diagnostics))
    return module;
  if (module == NULL && !ls_diagnostics_has_error (diagnostics))
    ls_cli_fail (command, ls_translate ("%s holds no function"), ls_source_get_name (source));
  ls_unref (module);
  if (only != NULL)
    g_clear_pointer (only, ls_node_unref);
  return NULL;
}

LsModule *
ls_cli_read_module (const char *command,
                    const char *path)
{
  g_autoptr (LsSource) source = NULL;

  if (g_str_has_suffix (path, ".onnx"))
    return ls_cli_read_onnx (command, path, NULL);
  source = ls_cli_read_source (command, path);
  return source != NULL ? ls_cli_parse_module (command, source) : NULL;
}

static gboolean
apply_json (LsSchedule    *schedule,
            LsSource      *source,
            LsDiagnostics *diagnostics)
{
  g_autoptr (LsTrace) trace = ls_trace_from_json (ls_source_get_text (source, NULL), diagnostics);
  guint done;

  if (trace == NULL)
    {
      ls_cli_fail_with (diagnostics);
      return FALSE;
    }
  done = ls_trace_apply (trace, schedule, TRUE, FALSE, diagnostics);
  if (done < ls_trace_get_n (trace))
    ls_cli_refuse_instruction (source, done + 1, ls_trace_get (trace, done), diagnostics);
  return done == ls_trace_get_n (trace);
}

LsSchedule *
ls_cli_schedule_module (const char *command,
                        LsModule   *module,
                        const char *steps,
                        guint       upto)
{
  g_autofree char *path = steps != NULL ? ls_advice_steps_file (steps, ls_advice_lanes ()) : NULL;
  g_autoptr (LsSource) source = path != NULL ? ls_cli_read_source (command, path) : NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  gboolean json = source != NULL && ls_cli_is_json_trace (source);
  g_autoptr (LsCallList) list = source != NULL && !json ? ls_script_parse_calls (source, diagnostics) : NULL;
  g_autoptr (LsSchedule) schedule = NULL;

  if (steps != NULL && source == NULL)
    return NULL;
  if (ls_diagnostics_has_error (diagnostics))
    {
      ls_cli_fail_with (diagnostics);
      return NULL;
    }
  schedule = ls_schedule_new (module);
  if (json && !apply_json (schedule, source, diagnostics))
    return NULL;
  for (guint i = 0; list != NULL && i < ls_call_list_get_n (list) && (upto == 0 || i < upto); i++)
    if (!ls_schedule_apply_call (schedule, list, ls_call_list_get (list, i), diagnostics))
      {
        ls_cli_refuse (source, ls_call_list_get (list, i), diagnostics);
        return NULL;
      }
  return g_steal_pointer (&schedule);
}

LsSchedule *
ls_cli_read_schedule (const char *command,
                      const char *path,
                      const char *steps,
                      guint       upto)
{
  g_autoptr (LsModule) module = ls_cli_read_module (command, path);

  return module != NULL ? ls_cli_schedule_module (command, module, steps, upto) : NULL;
}

LsModule *
ls_cli_read_scheduled (const char *command,
                       const char *path,
                       const char *steps)
{
  g_autoptr (LsSchedule) schedule = ls_cli_read_schedule (command, path, steps, 0);

  return schedule != NULL ? ls_ref (ls_schedule_get_module (schedule)) : NULL;
}

int
ls_cli_columns (const char *text)
{
  int n = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      n += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return n;
}

void
ls_cli_put_json (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);

  puts (text);
}
