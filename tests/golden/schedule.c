/* Golden files of the primitives: schedule/PRIMITIVE/NAME.py holds a module, a line "# steps", and the text of the
 * steps, or a trace as JSON (before it, after a line "# intrin", tensor intrinsics); NAME.out what comes of it: the module and the trace, or the refusal with its code, sentence, repair and the
 * paths of the culprits; warnings stand behind what is accepted.  The accepted ones are TVM v0.20.0's own modules and traces.
 * A first line "# without the root block" takes the block off that the parser puts around a function's body.
 */
#include "engine/schedule/explain/code-place.h"
#include "engine/schedule/explain/explain.h"
#include "engine/schedule/intrin/intrin.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <locale.h>

static void
print_findings (GString *out, LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      g_string_append_printf (out, "%s\n  %s\n", finding->code, finding->message);
      if (finding->repair != NULL)
        g_string_append_printf (out, "  repair: %s\n", finding->repair);
      for (guint c = 0; finding->culprits != NULL && c < finding->culprits->len; c++)
        g_string_append_printf (out, "  at: %s\n", (const char *) finding->culprits->pdata[c]);
    }
}

/* A finding remembers the line of its check, which is one of those that its condition is said to have; only what no page
 * lists, because every call can have it, may come from elsewhere in the engine. */
static void
check_places (LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);
      g_auto (GStrv) parts = g_strsplit (finding->code, "/", -1);
      const LsInstruction *row = g_strv_length (parts) == 3 ? ls_instruction_get (parts[1]) : NULL;
      guint n = 0;
      const LsCondition *conditions = row != NULL ? ls_instruction_conditions (row, &n) : NULL;
      g_autoptr (GArray) places = NULL;
      LsCodePlace place;
      gboolean listed = FALSE, found = FALSE;

      for (guint c = 0; c < n; c++)
        listed |= strcmp (conditions[c].code, parts[2]) == 0;
      if (!listed)
        continue;
      places = ls_code_places_of_condition (row, parts[2]);
      g_assert_true (ls_code_place_at (finding->checked_in, finding->checked_at, &place));
      for (guint p = 0; p < places->len; p++)
        found |= strcmp (g_array_index (places, LsCodePlace, p).file, place.file) == 0 &&
                 g_array_index (places, LsCodePlace, p).line == place.line;
      if (!found)
        g_error ("%s comes from %s:%u, which is not among its places", finding->code, place.file, place.line);
    }
}

static void
check_undo (LsSchedule *schedule, guint n, const char *first)
{
  g_autoptr (LsSchedule) copy = ls_schedule_copy (schedule);
  g_autofree char *text = NULL;

  ls_schedule_undo_to (copy, 0);
  text = ls_script_print (ls_schedule_get_module (copy), NULL, NULL);
  ls_assert_same_text (text, first);
}

/* The trace as Python and as JSON leads to the same program and the same trace again. */
static void
check_replay (LsSchedule *schedule, const char *text, const char *trace)
{
  g_autoptr (LsTrace) steps = ls_trace_of (schedule);
  g_autofree char *json = ls_trace_to_json (steps, FALSE);
  LsModule *first = ls_schedule_get_version (schedule, 0)->module;

  for (guint form = 0; form < 2; form++)
    {
      g_autoptr (LsSchedule) fresh = ls_schedule_new (first);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsTrace) read = form == 0 ? ls_trace_from_json (json, findings) : NULL;
      g_autoptr (LsSource) source = ls_source_new ("trace", trace, -1);
      g_autofree char *after = NULL;
      g_autofree char *again = NULL;

      if (read != NULL)
        ls_trace_apply (read, fresh, TRUE, FALSE, findings);
      else if (form == 1)
        ls_schedule_apply_text (fresh, source, 0, findings);
      if (ls_diagnostics_has_error (findings))
        g_test_message ("%s: %s", form == 0 ? json : trace, ls_diagnostics_get (findings, 0)->message);
      after = ls_script_print (ls_schedule_get_module (fresh), NULL, NULL);
      again = ls_schedule_print_trace (fresh);
      ls_assert_same_text (after, text);
      ls_assert_same_text (again, trace);
    }
}

static void
register_intrinsics (const char *text, const char *end)
{
  g_autofree char *functions = g_strndup (text, end - text);
  g_autoptr (LsSource) source = ls_source_new ("intrin", functions, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (ls_tensor_intrin_register_text (source, findings) == 0)
    g_error ("%s", ls_diagnostics_get (findings, 0)->message);
}

/* Functions that are built node by node may have no root block; the text always has one. */
static LsModule *
take_off_roots (LsModule *module)
{
  LsModule *bare = ls_ref (module);

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);
      g_autoptr (LsPrimFunc) without = NULL;

      g_assert_true (ls_is (func->body, BLOCK_REALIZE));
      without = ls_prim_func_with_body (func, ((LsBlockRealize *) func->body)->block->body);
      ls_take (&bare, ls_module_with (bare, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, without));
    }
  return bare;
}

static guint
apply_json (LsSchedule *schedule, const char *text, LsDiagnostics *findings)
{
  g_autoptr (LsTrace) trace = ls_trace_from_json (text, findings);

  return trace != NULL ? ls_trace_apply (trace, schedule, TRUE, FALSE, findings) : 0;
}

static char *
run (const char *path, const char *input, gsize length, gpointer data)
{
  const char *split = strstr (input, "\n# steps\n");
  const char *intrin = strstr (input, "\n# intrin\n");
  g_autofree char *module_text = NULL;
  g_autofree char *first = NULL;
  g_autoptr (LsSource) file = NULL;
  g_autoptr (LsSource) steps = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) schedule = NULL;
  GString *out = g_string_new (NULL);
  guint n;

  g_assert_nonnull (split);
  module_text = g_strndup (input, (intrin != NULL ? intrin : split) - input + 1);
  if (intrin != NULL)
    register_intrinsics (intrin, split);
  file = ls_source_new (path, module_text, -1);
  steps = ls_source_new ("steps", split + strlen ("\n# steps\n"), -1);
  module = ls_script_parse (file, findings);
  print_findings (out, findings);
  g_assert_cmpstr (out->str, ==, "");
  if (g_str_has_prefix (input, "# without the root block\n"))
    {
      LsModule *bare = take_off_roots (module);

      ls_unref (module);
      module = bare;
    }
  schedule = ls_schedule_new (module);
  first = ls_script_print (module, NULL, NULL);
  n = split[strlen ("\n# steps\n")] == '[' ? apply_json (schedule, split + strlen ("\n# steps\n"), findings)
                                              : ls_schedule_apply_text (schedule, steps, 0, findings);
  if (ls_diagnostics_has_error (findings))
    {
      g_string_append_printf (out, "refused after %u steps\n", n);
      print_findings (out, findings);
    }
  else
    {
      g_autofree char *text = ls_script_print (ls_schedule_get_module (schedule), NULL, NULL);
      g_autofree char *trace = ls_schedule_print_trace (schedule);

      g_string_append_printf (out, "%s\n%s\n", text, trace);
      print_findings (out, findings);
      check_replay (schedule, text, trace);
    }
  check_places (findings);
  check_undo (schedule, n, first);
  return g_string_free (out, FALSE);
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  ls_golden_add_folder ("/schedule", "golden/schedule", ".py", ".out", LS_GOLDEN_REQUIRED, run, NULL);
  return g_test_run ();
}
