/* Files of TensorIR: parsed and printed they are themselves, or what the file `.expected` beside them says
 * (first line `# golden: style=2023`; with `one-way` the style does not say everything).  What was printed is read again and must be the same module, and the
 * source map must fit the text. */
#include "engine/script/printer.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static LsModule *
parse (const char *name,
       const char *text,
       gsize       length)
{
  g_autoptr (LsSource) source = ls_source_new (name, text, (gssize) length);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_test_message ("%s", findings);
      g_test_fail ();
    }
  return module;
}

static void
check_map (LsModule    *module,
           LsSourceMap *map,
           const char  *text)
{
  guint n;
  const LsSourceRange *ranges = ls_source_map_get_ranges (map, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsPath) path = ls_source_map_dup_path (map, &ranges[i]);

      g_assert_cmpuint (ranges[i].start, <, ranges[i].end);
      g_assert_cmpuint (ranges[i].end, <=, strlen (text));
      g_assert_true (i == 0 || ranges[i - 1].start <= ranges[i].start);
      g_assert_nonnull (ls_path_get (path, module));
      if (ranges[i].role == LS_SOURCE_NODE && ranges[i].node != NULL)
        g_assert_true (ls_path_get (path, module) == ranges[i].node);
      if (ranges[i].role != LS_SOURCE_NODE)
        g_assert_null (memchr (text + ranges[i].start, '\n', ranges[i].end - ranges[i].start));
    }
}

static char *
run (const char *path,
     const char *input,
     gsize       length,
     gpointer    data)
{
  g_autofree char *style = ls_golden_option (input, "style"), *one_way = ls_golden_option (input, "one-way");
  LsScriptPrintOptions options = { 0 };
  g_autoptr (LsModule) module = parse (path, input, length), again = NULL;
  g_autoptr (LsSourceMap) map = NULL;
  g_autofree char *where = NULL, *mapped = NULL;
  char *text;

  if (module == NULL)
    return g_strdup ("");
  if (style != NULL)
    g_assert_true (ls_script_style_parse (style, &options.style));
  text = ls_script_print (module, &options, NULL);
  mapped = ls_script_print (module, &options, &map);
  g_assert_cmpstr (text, ==, mapped);
  check_map (module, map, text);
  again = parse (path, text, strlen (text));
  g_assert_nonnull (again);
  g_assert_true (one_way != NULL || ls_structural_equal (module, again, FALSE, &where, NULL));
  return text;
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_golden_add_folder ("/golden/print", "golden/print", ".py", ".expected", LS_GOLDEN_UNCHANGED, run, NULL);
  return g_test_run ();
}
