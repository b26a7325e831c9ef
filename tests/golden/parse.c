/* golden/parse: tests/golden/parse/X.py is read and printed.
 *
 *   X.ref      the text that is printed; without it, X.py comes back unchanged
 *   X.errors   what is found; without it, nothing is
 *
 * What is printed is read again and gives an equal module.  First-line option: style=2023 | 2026.
 */
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static void
assert_read_back (LsModule             *module,
                  const char           *text,
                  const char           *path)
{
  g_autoptr (LsSource) source = ls_source_new (path, text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) again = ls_script_parse (source, findings);
  g_autofree char *said = ls_diagnostics_print (findings);
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (ls_diagnostics_has_error (findings) || again == NULL)
    g_test_fail_printf ("%s: what was printed does not read back:\n%s", path, said);
  else if (!ls_structural_equal (module, again, TRUE, &a, &b))
    g_test_fail_printf ("%s: what was printed reads back as another module: %s / %s", path, a, b);
}

static char *
print_module (const char *path,
              const char *input,
              gsize       length,
              gpointer    data)
{
  g_autoptr (LsSource) source = ls_source_new (path, input, length);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autofree char *style = ls_golden_option (input, "style");
  LsScriptPrintOptions options = { 0 };
  char *text;

  if (module == NULL)
    return g_strdup ("");
  if (style != NULL)
    ls_script_style_parse (style, &options.style);
  text = ls_script_print (module, &options, NULL);
  if (!ls_diagnostics_has_error (findings))
    assert_read_back (module, text, path);
  if (!g_str_has_suffix (text, "\n"))
    {
      char *line = g_strconcat (text, "\n", NULL);

      g_free (text);
      text = line;
    }
  return text;
}

static char *
print_findings (const char *path,
                const char *input,
                gsize       length,
                gpointer    data)
{
  g_autoptr (LsSource) source = ls_source_new (path, input, length);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);

  return ls_diagnostics_print (findings);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ls_golden_add_folder ("/golden/parse/text", "golden/parse", ".py", ".ref", LS_GOLDEN_UNCHANGED, print_module, NULL);
  ls_golden_add_folder ("/golden/parse/errors", "golden/parse", ".py", ".errors", LS_GOLDEN_EMPTY, print_findings, NULL);
  return g_test_run ();
}
