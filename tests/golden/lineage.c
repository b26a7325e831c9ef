/* Golden files of lineages: lineage/PRIMITIVE.py holds a module, a line "# steps" and the text of the steps (before it, after a line
 * "# intrin", tensor intrinsics); PRIMITIVE.out what they did, told as the diff of two programs tells it: each step alone, where there are
 * several that change something, and then all of them. */
#include "engine/schedule/intrin/intrin.h"
#include "engine/schedule/lineage/text.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <locale.h>
#include <string.h>

static void
tell (GString *out, LsSchedule *schedule, guint from, guint to)
{
  g_autoptr (LsLineage) lineage = ls_schedule_lineage (schedule, from, to);
  g_autoptr (GPtrArray) changes = ls_lineage_describe (lineage);
  g_autofree char *summary = ls_lineage_summarize (lineage, changes);

  for (guint i = 0; i < changes->len; i++)
    {
      LsLineageChange *change = changes->pdata[i];

      g_string_append_printf (out, "  %s %s%s%s%s\n", change->how, change->text, change->detail != NULL ? " (" : "", change->detail != NULL ? change->detail : "",
                              change->detail != NULL ? ")" : "");
    }
  g_string_append_printf (out, "  %s\n", summary);
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

static char *
run (const char *path, const char *input, gsize length, gpointer data)
{
  const char *split = strstr (input, "\n# steps\n");
  const char *intrin = strstr (input, "\n# intrin\n");
  g_autofree char *text = NULL;
  g_autoptr (LsSource) file = NULL;
  g_autoptr (LsSource) steps = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) schedule = NULL;
  GString *out = g_string_new (NULL);
  guint n, n_changing = 0;

  g_assert_nonnull (split);
  text = g_strndup (input, (intrin != NULL ? intrin : split) - input + 1);
  if (intrin != NULL)
    register_intrinsics (intrin, split);
  file = ls_source_new (path, text, -1);
  steps = ls_source_new ("steps", split + strlen ("\n# steps\n"), -1);
  module = ls_script_parse (file, findings);
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, steps, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s: %s", path, ls_diagnostics_get (findings, 0)->message);
  n = ls_schedule_get_n_steps (schedule);
  for (guint i = 0; i < n; i++)
    {
      if (ls_schedule_get_links (schedule, i) == NULL)
        continue;
      n_changing++;
      g_string_append_printf (out, "%s\n", ls_schedule_get_step (schedule, i)->instruction->name);
      tell (out, schedule, i, i + 1);
    }
  if (n_changing != 1)
    {
      g_string_append (out, "all\n");
      tell (out, schedule, 0, n);
    }
  return g_string_free (out, FALSE);
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  ls_golden_add_folder ("/lineage", "golden/lineage", ".py", ".out", LS_GOLDEN_REQUIRED, run, NULL);
  return g_test_run ();
}
