/* passes --run: modules of LLVM after each pass; what was planted in one dump is named, whether it is a wrong result, a crash or a slow loop. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define CLI "app/cli/loopscope-cli"
#define OPT "/usr/lib/llvm-19/bin/opt"
#define ARGUMENTS "i32[256] i32=256 i32=3"

/* scale: a[i] = a[i] * f + 1, with everything on the stack, as clang writes it. */
static const char MODULE[] =
  "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"
  "define internal i32 @mad(i32 %x, i32 %f) {\n  %m = mul i32 %x, %f\n  %r = add i32 %m, 1\n  ret i32 %r\n}\n"
  "define i32 @scale(ptr %a, i32 %n, i32 %f) {\nentry:\n  %i = alloca i32\n  %s = alloca i32\n  store i32 0, ptr %i\n  store i32 0, ptr %s\n  br label %head\n"
  "head:\n  %k = load i32, ptr %i\n  %c = icmp slt i32 %k, %n\n  br i1 %c, label %body, label %done\n"
  "body:\n  %w = sext i32 %k to i64\n  %e = getelementptr inbounds i32, ptr %a, i64 %w\n  %x = load i32, ptr %e\n  %y = call i32 @mad(i32 %x, i32 %f)\n"
  "  store i32 %y, ptr %e\n  %o = load i32, ptr %s\n  %t = add i32 %o, %y\n  store i32 %t, ptr %s\n  %k1 = add nsw i32 %k, 1\n  store i32 %k1, ptr %i\n  br label %head\n"
  "done:\n  %r = load i32, ptr %s\n  ret i32 %r\n}\n";

static char *folder;

static char *
put (const char *name,
     const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Runs the command; its status. out, err: (transfer full) */
static int
passes (char       **out,
        char       **err,
        const char  *first,
        ...)
{
  g_autoptr (GString) line = g_string_new ("passes");
  g_auto (LsTestRun) result = { 0 };
  va_list list;

  va_start (list, first);
  for (const char *word = first; word != NULL; word = va_arg (list, const char *))
    {
      g_autofree char *quoted = g_shell_quote (word);

      g_string_append_printf (line, " %s", quoted);
    }
  va_end (list);
  result = ls_test_run (CLI, line->str);
  *out = g_strdup (result.out);
  *err = g_strdup (result.err);
  return result.status;
}

/* The answer in JSON to --run scale of a file. (transfer full) */
static JsonNode *
run_scale (const char *path,
           int         status)
{
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  int ended = passes (&out, &err, path, "--run", "scale", "--args", ARGUMENTS, "--json", NULL);
  JsonNode *root;

  if (ended != status)
    g_test_message ("%s%s", out, err);
  g_assert_cmpint (ended, ==, status);
  root = json_from_string (out, &error);
  g_assert_no_error (error);
  return root;
}

static JsonObject *
row_at (JsonNode *root,
        guint     i)
{
  return json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "passes"), i);
}

static void
test_module (void)
{
  g_autofree char *path = put ("scale.ll", MODULE);
  g_autoptr (JsonNode) root = run_scale (path, 0);
  guint n = json_array_get_length (json_object_get_array_member (json_node_get_object (root), "passes"));
  double first = json_object_get_double_member (row_at (root, 0), "median_ns"), last = json_object_get_double_member (row_at (root, n - 1), "median_ns");

  g_assert_cmpuint (n, >, 5);
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (json_object_get_boolean_member (row_at (root, i), "equal"));
      g_assert_cmpfloat (json_object_get_double_member (row_at (root, i), "median_ns"), >, 0);
    }
  g_test_message ("%g ns become %g ns", first, last);
  g_assert_cmpfloat (last, <, first / 2);       /* everything is on the stack before, in vectors behind */
  g_assert_true (json_object_get_null_member (json_node_get_object (root), "wrong"));
  g_assert_false (json_object_get_null_member (json_node_get_object (root), "faster"));
}

static void
test_refused (void)
{
  g_autofree char *path = put ("refused.ll", MODULE);
  struct { const char *entry, *args, *says; } cases[] = {
    { "nobody", "", "The module has no function nobody with a body; it has mad, scale." },
    { "scale", "", "i32 scale (ptr, i32, i32): Argument 1 is missing; expected is a buffer such as f32[1024]" },
    { "scale", "i32[4] f32=4 i32=1", "Argument 2 is f32=4; expected is i32=NUMBER." },
    { "scale", "i32[4] i32=4 i32=1 i32=9", "There are more arguments than the 3 of the function: i32=9." },
    { "scale", "i32[x] i32=4 i32=1", "Argument 1 is i32[x]; expected is a buffer" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *out = NULL, *err = NULL;

      g_assert_cmpint (passes (&out, &err, path, "--run", cases[i].entry, "--args", cases[i].args, NULL), !=, 0);
      if (strstr (err, cases[i].says) == NULL)
        g_test_message ("%s", err);
      g_assert_nonnull (strstr (err, cases[i].says));
    }
}

/* Every pass of a pipeline has its dump, named and told as LLVM does. */
static void
test_pipeline (void)
{
  g_autofree char *path = put ("pipeline.ll", MODULE), *out = NULL, *err = NULL;

  g_assert_cmpint (passes (&out, &err, path, "--pipeline", "function(sroa,instcombine<no-verify-fixpoint>),cgscc(inline)", NULL), ==, 0);
  g_assert_nonnull (strstr (out, "SROAPass"));
  g_assert_nonnull (strstr (out, "InstCombinePass"));
  g_assert_nonnull (strstr (out, "InlinerPass"));
  g_assert_nonnull (strstr (out, "(scale)"));
}

/* Names and units of the effective passes of a log. (transfer full) */
static char *
effective_of (const char *path)
{
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (JsonNode) root = NULL;
  GString *names = g_string_new (NULL);
  JsonArray *dumps;

  g_assert_cmpint (passes (&out, &err, path, "--effective", "--json", "--reader", "tolerant", NULL), ==, 0);
  root = json_from_string (out, NULL);
  dumps = json_object_get_array_member (json_node_get_object (root), "dumps");
  for (guint i = 0; i < json_array_get_length (dumps); i++)
    {
      JsonObject *dump = json_array_get_object_element (dumps, i);
      const char *unit = json_object_get_string_member (dump, "unit"), *in = strstr (unit, " in function ");

      /* -print-changed does not tell of passes that only end analyses, and calls a rotated loop by its new block. */
      if (!g_str_has_prefix (json_object_get_string_member (dump, "pass"), "InvalidateAnalysisPass"))
        g_string_append_printf (names, "%s on %s%s\n", json_object_get_string_member (dump, "pass"), in != NULL ? "a loop" : "", in != NULL ? in : unit);
    }
  return g_string_free (names, FALSE);
}

/* Without a pipeline it is default<O2>, whole: the same passes on the same things as opt's. */
static void
test_whole (void)
{
  const char *const arguments[] = { OPT, "-passes=default<O2>", "-S", "-o", "/dev/null", "-print-changed", "-print-module-scope", "-", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_autofree char *text = NULL, *module = put ("whole.ll", MODULE), *log = NULL, *ours = NULL, *theirs = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, MODULE, NULL, NULL, &text, &error);
  g_assert_no_error (error);
  log = put ("whole.log", text);
  ours = effective_of (module);
  theirs = effective_of (log);
  g_test_message ("%s", theirs);
  g_assert_nonnull (strstr (theirs, "LoopVectorizePass on scale\n"));
  g_assert_cmpstr (ours, ==, theirs);
}

/* ---- a log of opt with something planted ---- */

/* opt's log of whole modules. (transfer full) */
static char *
log_text (void)
{
  const char *const arguments[] = { OPT, "-passes=function(sroa,instcombine),cgscc(inline),function(simplifycfg,instcombine),globaldce", "-S", "-o", "/dev/null",
                                    "-print-changed", "-print-module-scope", "-", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  char *err = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, MODULE, NULL, NULL, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return err;
}

/* Replaces the first `old` behind the head of a pass. (transfer full) */
static char *
plant (const char *text,
       const char *head,
       const char *old,
       const char *with)
{
  const char *at = strstr (text, head);
  g_autoptr (GString) changed = NULL;

  g_assert_nonnull (at);
  at = strstr (at, old);
  g_assert_nonnull (at);
  changed = g_string_new_len (text, at - text);
  g_string_append (changed, with);
  g_string_append (changed, at + strlen (old));
  return g_string_free (g_steal_pointer (&changed), FALSE);
}

/* The row that "wrong" names is of InlinerPass; its mismatch. (transfer full) */
static char *
wrong_of (const char *text,
          guint      *n_wrong)
{
  g_autofree char *path = put ("planted.log", text);
  g_autoptr (JsonNode) root = run_scale (path, 1);
  JsonArray *rows = json_object_get_array_member (json_node_get_object (root), "passes");
  gint64 number = json_object_get_int_member (json_node_get_object (root), "wrong");
  char *words = NULL;

  *n_wrong = 0;
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      *n_wrong += !json_object_get_boolean_member (row_at (root, i), "equal");
      if (json_object_get_int_member (row_at (root, i), "number") == number)
        {
          g_assert_cmpstr (json_object_get_string_member (row_at (root, i), "pass"), ==, "InlinerPass");
          words = g_strdup (json_object_get_string_member (row_at (root, i), "mismatch"));
        }
    }
  g_assert_nonnull (words);
  return words;
}

static void
test_planted (void)
{
  g_autofree char *text = log_text (), *path = put ("sound.log", text);
  g_autofree char *wrong = plant (text, "After InlinerPass", "mul i32", "sub i32"), *crash = plant (text, "After InlinerPass", "getelementptr inbounds i32, ptr %a", "getelementptr inbounds i32, ptr null");
  g_autofree char *words = NULL, *crashed = NULL;
  g_autoptr (JsonNode) sound = run_scale (path, 0);
  guint n;

  g_assert_true (json_object_get_null_member (json_node_get_object (sound), "wrong"));
  words = wrong_of (wrong, &n);
  g_test_message ("%s", words);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (g_str_has_prefix (words, "argument 1["));
  crashed = wrong_of (crash, &n);
  g_test_message ("%s", crashed);
  g_assert_cmpuint (n, ==, 1);          /* what comes behind it still runs */
  g_assert_true (g_str_has_prefix (crashed, "does not run: "));
}

/* A dump of one function only is no program. */
static void
test_part (void)
{
  g_autofree char *path = put ("part.log", "; *** IR Dump After SROAPass on scale ***\ndefine i32 @scale(ptr %a, i32 %n, i32 %f) {\n  %r = call i32 @mad(i32 %n, i32 %f)\n  ret i32 %r\n}\n");
  g_autofree char *out = NULL, *err = NULL;

  g_assert_cmpint (passes (&out, &err, path, "--run", "scale", "--args", ARGUMENTS, NULL), !=, 0);
  g_assert_nonnull (strstr (err, "-print-module-scope"));
}

static void
test_missing (void)
{
  g_test_skip ("LLVM's opt is not installed");
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *clean = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loopscope-run-XXXXXX", NULL);
  g_test_add_func ("/cli/passes-run/module", test_module);
  g_test_add_func ("/cli/passes-run/refused", test_refused);
  g_test_add_func ("/cli/passes-run/pipeline", test_pipeline);
  g_test_add_func ("/cli/passes-run/planted", g_file_test (OPT, G_FILE_TEST_IS_EXECUTABLE) ? test_planted : test_missing);
  g_test_add_func ("/cli/passes-run/part", test_part);
  g_test_add_func ("/cli/passes-run/whole", g_file_test (OPT, G_FILE_TEST_IS_EXECUTABLE) ? test_whole : test_missing);
  status = g_test_run ();
  clean = g_strdup_printf ("rm -r %s", folder);
  if (system (clean) != 0)
    g_printerr ("%s is left behind\n", folder);
  g_free (folder);
  return status;
}
