/* script/kept-names: names that a text cannot show stand behind it and come back; without the option the text is TVM's. */
#include "engine/relax/relax.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static const char program[] =
  "@I.ir_module\n"
  "class Module:\n"
  "    @T.prim_func\n"
  "    def first(R_1: T.Buffer((4, 4)), n: T.int32, h_1: T.handle):\n"
  "        X = T.match_buffer(h_1, (n,), \"int32\")\n"
  "        for i in range(4):\n"
  "            for i_1 in range(4):\n"
  "                with T.block(\"a\"):\n"
  "                    vi, vj = T.axis.remap(\"SS\", [i, i_1])\n"
  "                    I_1 = T.alloc_buffer((4, 4))\n"
  "                    I_1[vi, vj] = R_1[vi, vj]\n"
  "                    X[vi] = T.Cast(\"int32\", I_1[vi, vj])\n"
  "        for i in range(4):\n"
  "            for i_1 in range(4):\n"
  "                with T.block(\"b\"):\n"
  "                    vi, vj = T.axis.remap(\"SS\", [i, i_1])\n"
  "                    I_1 = T.alloc_buffer((4, 4))\n"
  "                    I_1[vi, vj] = R_1[vi, vj]\n"
  "                    X[vi] = T.Cast(\"int32\", I_1[vi, vj])\n"
  "    @T.prim_func\n"
  "    def second(T_1: T.Buffer((4,)), A: T.Buffer((4,))):\n"
  "        for i in range(4):\n"
  "            with T.block(\"c\"):\n"
  "                vi = T.axis.spatial(4, i)\n"
  "                A[vi] = T_1[vi]\n"
  "    @R.function\n"
  "    def main(x_1: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
  "        y = R.add(x_1, x_1)\n"
  "        return y\n";

static const char names[] =
  "# loopscope: names of first: R_1 \"R\", i_1 \"i\", I_1 \"I\", i_1#1 \"i.1\", I_1#1 \"I\", h_1 \"h\"\n"
  "# loopscope: names of second: T_1 \"T\", A \"a\\\"b\\n\\317\\203\"\n"
  "# loopscope: names of main: x_1 \"x.1\"\n";

static LsModule *
read_text (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("names.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);
  g_autofree char *said = ls_diagnostics_print (findings);

  if (ls_diagnostics_has_error (findings))
    g_error ("%s", said);
  return module;
}

static LsBuffer *
buffer_of (LsModule   *module,
           const char *function,
           guint       i)
{
  return ls_array_at (((LsPrimFunc *) ls_module_get (module, function))->buffers, i, LsBuffer);
}

static char *
print (LsModule *module,
       gboolean  keep)
{
  const LsScriptPrintOptions options = { .keep_names = keep };

  return ls_script_print (module, &options, NULL);
}

static void
test_back (void)
{
  g_autofree char *whole = g_strconcat (program, names, NULL);
  g_autoptr (LsModule) plain = read_text (program), named = read_text (whole), again = NULL;
  g_autofree char *text = print (named, TRUE), *bare = print (named, FALSE), *of_plain = print (plain, TRUE), *twice = NULL;

  g_assert_cmpstr (buffer_of (named, "first", 0)->name, ==, "R");
  g_assert_cmpstr (buffer_of (named, "first", 0)->data->name, ==, "R");
  g_assert_cmpstr (buffer_of (named, "second", 0)->name, ==, "T");
  g_assert_cmpstr (buffer_of (named, "second", 1)->name, ==, "a\"b\n\xcf\x83");
  g_assert_true (ls_structural_equal (plain, named, FALSE, NULL, NULL));
  /* By default the text is the text, and one whose names all stand in it has nothing behind it. */
  g_assert_null (strstr (bare, "loopscope"));
  g_assert_true (g_str_has_prefix (text, bare));
  g_assert_null (strstr (of_plain, "loopscope"));
  again = read_text (text);
  twice = print (again, TRUE);
  g_assert_cmpstr (twice, ==, text);
  g_assert_cmpstr (buffer_of (again, "second", 1)->name, ==, "a\"b\n\xcf\x83");
}

/* Whatever stands on such a line: a comment is no error, and a name that is not there names nothing. */
static void
test_other_lines (void)
{
  static const char *const lines[] = {
    "# loopscope: names of nobody: R_1 \"R\"\n", "# loopscope: names of first\n", "# loopscope: names of first: \n",
    "# loopscope: names of first: R_1\n", "# loopscope: names of first: R_1 \"\n", "# loopscope: names of first: R_1 \"x\\\n",
    "# loopscope: names of first: R_1 \"x\\\"\n", "# loopscope: names of first: Q \"x\", R_1#7 \"y\", # \"z\"\n",
    "# loopscope: names of first: R_1 \"\\377\\376\"\n", "# loopscope: names of ", "   # loopscope: names of first: R_1 \"x\"\n",
    "# loopscope: names of first: R_1 x\"y\"\n", "x = '''\n'''  # loopscope: names of first: R_1 \"x\"\n",
  };
  g_autoptr (LsModule) plain = read_text (program);
  g_autofree char *expected = print (plain, TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *whole = g_strconcat (program, lines[i], NULL);
      g_autoptr (LsModule) module = read_text (whole);
      g_autofree char *text = print (module, TRUE);

      g_assert_cmpstr (text, ==, expected);
    }
}

/* Every beginning of the lines is read without harm. */
static void
test_cut (void)
{
  for (gsize n = 0; n <= strlen (names); n++)
    {
      g_autofree char *part = g_strndup (names, n);
      g_autofree char *whole = g_strconcat (program, part, NULL);
      g_autoptr (LsModule) module = read_text (whole);

      g_assert_nonnull (module);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/script/kept-names/back", test_back);
  g_test_add_func ("/script/kept-names/other-lines", test_other_lines);
  g_test_add_func ("/script/kept-names/cut", test_cut);
  return g_test_run ();
}
