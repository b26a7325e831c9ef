/* Golden files of the passes of the graph level: pass/NAME.py begins with a line `# pass: Name(args)`, NAME.expected is
 * the module after it, or the sentence of the refusal.  A line `# arrays: w=2x3 b=3` behind it makes the value of the
 * argument `params` (element i is i % 7 / 8, float32), `# style: 2023` prints so.  The files without a prefix are what TVM
 * v0.20.0 recorded; what is printed is read again and must be the same module.
 */
#include "engine/relax/pass/pass.h"
#include "engine/script/pass-text.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static char *
option (const char *input,
        const char *name)
{
  g_autofree char *head = g_strdup_printf ("# %s: ", name);
  const char *at = strstr (input, head), *end;

  if (at == NULL || (at != input && at[-1] != '\n'))
    return NULL;
  at += strlen (head);
  end = strchr (at, '\n');
  return g_strndup (at, end != NULL ? (gsize) (end - at) : strlen (at));
}

static LsModule *
parse (const char *path,
       const char *text)
{
  g_autoptr (LsSource) source = ls_source_new (path, text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  if (module == NULL || ls_diagnostics_has_error (findings))
    {
      g_autofree char *said = ls_diagnostics_print (findings);

      g_test_message ("%s", said);
      g_test_fail ();
    }
  return module;
}

static LsNode *
ramp (const char *shape)
{
  g_auto (GStrv) extents = g_strsplit (shape, "x", -1);
  GPtrArray *dims = g_ptr_array_new ();
  g_autofree float *data = NULL;
  gsize n = 1;

  for (guint i = 0; extents[i] != NULL; i++)
    {
      gint64 extent = g_ascii_strtoll (extents[i], NULL, 10);

      n *= (gsize) extent;
      g_ptr_array_add (dims, ls_int_imm_new (LS_INT64, extent));
    }
  data = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    data[i] = (float) (i % 7) / 8;
  return LS_NODE (ls_tensor_new (LS_FLOAT32, ls_array_take_ptr_array (dims), g_bytes_new (data, n * sizeof (float))));
}

static LsMap *
arrays (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  LsMap *map = ls_map_empty ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i], "=", 2);
      g_autoptr (LsNode) tensor = ramp (parts[1]);

      ls_take (&map, ls_map_set (map, parts[0], tensor));
    }
  return map;
}

static LsModule *
apply (LsModule    *module,
       const char  *input,
       GError     **error)
{
  g_autofree char *text = option (input, "pass"), *values = option (input, "arrays");
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsPassText) call = ls_script_parse_pass (text, findings);
  const LsRelaxPass *pass;
  g_autoptr (LsMap) args = NULL;

  g_assert_nonnull (call);
  pass = ls_relax_pass_get (call->name, error);
  args = pass != NULL ? ls_relax_pass_arguments (pass, call->positional, call->keywords, error) : NULL;
  if (args != NULL && values != NULL)
    {
      g_autoptr (LsMap) map = arrays (values);

      ls_take (&args, ls_map_set (args, "params", map));
    }
  return args != NULL ? ls_relax_pass_run (pass, module, args, error) : NULL;
}

static char *
run (const char *path,
     const char *input,
     gsize       length,
     gpointer    data)
{
  g_autofree char *style = option (input, "style"), *full = NULL, *where = NULL;
  LsScriptPrintOptions options = { .show_meta = style == NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) module = parse (path, input), after = NULL, again = NULL;
  char *text;

  after = module != NULL ? apply (module, input, &error) : NULL;
  if (after == NULL)
    return g_strdup_printf ("%s\n", error != NULL ? error->message : "no module");
  if (style != NULL)
    g_assert_true (ls_script_style_parse (style, &options.style));
  text = ls_script_print (after, &options, NULL);
  options = (LsScriptPrintOptions) { .show_meta = TRUE };
  full = ls_script_print (after, &options, NULL);
  again = parse (path, full);
  if (!ls_structural_equal (after, again, FALSE, &where, NULL))
    {
      g_test_message ("read again it differs at %s", where);
      g_test_fail ();
    }
  return text;
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_golden_add_folder ("/golden/pass", "golden/pass", ".py", ".expected", LS_GOLDEN_REQUIRED, run, NULL);
  return g_test_run ();
}
