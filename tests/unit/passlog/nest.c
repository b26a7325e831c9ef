/* nest: what each pass ran in.  Trees of two logs written by hand are known; then MLIR's two ways of printing one pipeline must give the same tree, and every dump of LLVM's -O2
 * must stand in nests that hold it. */
#include "engine/passlog/passlog.h"

#include <gio/gio.h>
#include <string.h>

#define OPT "/usr/lib/llvm-19/bin/opt"
#define MLIR_OPT "/usr/lib/llvm-19/bin/mlir-opt"

static LsPassLog *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  return log;
}

/* "[module] | (f, g) > f > loop %h: 2 passes", one line a dump or nest. (transfer full) */
static char *
draw (LsPassLog *log)
{
  g_autoptr (LsPassNesting) nesting = ls_pass_nesting_new (log);
  GString *text = g_string_new (NULL);
  guint next = 0;

  for (guint i = 0; i < log->dumps->len; i++)
    {
      int nest = nesting->of[i];
      guint depth = nest >= 0 ? g_array_index (nesting->nests, LsPassNest, nest).depth + 1 : 0;

      for (; next < nesting->nests->len && g_array_index (nesting->nests, LsPassNest, next).first == i; next++)
        {
          const LsPassNest *at = &g_array_index (nesting->nests, LsPassNest, next);
          g_autofree char *words = ls_pass_nest_words (at);

          g_string_append_printf (text, "%*s%s [%u-%u, %u]\n", (int) at->depth * 2, "", words, at->first + 1, at->end, at->effective);
          g_assert_true (at->parent < (int) next && (at->parent < 0) == (at->depth == 0));
          if (at->parent >= 0)
            g_assert_cmpuint (at->end, <=, g_array_index (nesting->nests, LsPassNest, at->parent).end);
        }
      for (int at = nest; at >= 0; at = g_array_index (nesting->nests, LsPassNest, at).parent)
        g_assert_true (g_array_index (nesting->nests, LsPassNest, at).first <= i && i < g_array_index (nesting->nests, LsPassNest, at).end);
      g_string_append_printf (text, "%*s%s\n", (int) depth * 2, "", g_array_index (log->dumps, LsPassDump, i).pass);
    }
  g_assert_cmpuint (next, ==, nesting->nests->len);
  return g_string_free (text, FALSE);
}

#define F(pass, on, body) "; *** IR Dump After " pass " on " on " ***\n" body
#define FUNCTION(name, x) "define i32 @" name "(i32 %x) {\n  %y = add i32 %x, " x "\n  ret i32 %y\n}\n"

static void
test_llvm (void)
{
  g_autoptr (LsPassLog) log = read_text (F ("A", "[module]", FUNCTION ("f", "1") FUNCTION ("g", "1")) F ("B", "f", FUNCTION ("f", "1")) F ("B", "g", FUNCTION ("g", "2"))
                                         F ("C", "(g, f)", FUNCTION ("g", "2") FUNCTION ("f", "1")) F ("D", "f", FUNCTION ("f", "1")) F ("E", "loop %h in function f", "h:\n  br label %h\n")
                                         F ("F", "loop %h in function f", "h:\n  br label %h\n") F ("G", "f", FUNCTION ("f", "3")) F ("H", "g", FUNCTION ("g", "2"))
                                         F ("I", "(k)", FUNCTION ("k", "2")) F ("J", "[module]", FUNCTION ("f", "3") FUNCTION ("g", "2")) F ("K", "g", FUNCTION ("g", "2")));
  g_autofree char *tree = draw (log);

  g_assert_cmpstr (tree, ==,
                   "A\nfunction f [2-2, 0]\n  B\nfunction g [3-3, 1]\n  B\n"
                   "cgscc (g, f) [4-9, 1]\n  C\n  function f [5-8, 1]\n    D\n    loop %h [6-7, 0]\n      E\n      F\n    G\n  function g [9-9, 0]\n    H\n"
                   "cgscc (k) [10-10, 1]\n  I\nJ\nfunction g [12-12, 0]\n  K\n");
}

static const char MODULE[] =
  "module {\n  gpu.module @kernels {\n    gpu.func @k(%a: memref<8xf32>) kernel {\n      %c0 = arith.constant 0 : index\n      %c1 = arith.constant 0 : index\n"
  "      %v = memref.load %a[%c0] : memref<8xf32>\n      memref.store %v, %a[%c1] : memref<8xf32>\n      gpu.return\n    }\n  }\n"
  "  func.func @f(%x: i32) -> i32 {\n    %0 = arith.constant 3 : i32\n    %1 = arith.constant 3 : i32\n    %2 = arith.addi %0, %x : i32\n    %3 = arith.addi %1, %x : i32\n"
  "    %4 = arith.muli %2, %3 : i32\n    return %4 : i32\n  }\n}\n";

/* What a program prints on its errors. (transfer full) */
static char *
run (const char *const *arguments,
     const char        *input)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  char *text = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, input, NULL, NULL, &text, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return text;
}

/* One pipeline of four levels, printed three ways. */
static void
test_mlir (void)
{
#define PIPELINE "--pass-pipeline=builtin.module(canonicalize,gpu.module(cse,gpu.func(cse,canonicalize)),func.func(cse,canonicalize),symbol-dce)"
  g_autofree char *folder = g_dir_make_tmp ("loopscope-nest-XXXXXX", NULL), *option = g_strconcat ("--mlir-print-ir-tree-dir=", folder, NULL), *clean = g_strdup_printf ("rm -r %s", folder);
  const char *const plain[] = { MLIR_OPT, PIPELINE, "--mlir-print-ir-after-all", "--mlir-disable-threading", "-o", "/dev/null", NULL };
  const char *const scope[] = { MLIR_OPT, PIPELINE, "--mlir-print-ir-after-all", "--mlir-print-ir-module-scope", "--mlir-disable-threading", "-o", "/dev/null", NULL };
  const char *const files[] = { MLIR_OPT, PIPELINE, "--mlir-print-ir-after-all", option, "--mlir-disable-threading", "-o", "/dev/null", NULL };
  g_autofree char *printed = run (plain, MODULE), *whole = run (scope, MODULE), *nothing = run (files, MODULE), *tree = NULL, *scoped = NULL, *of_files = NULL;
  g_autoptr (LsPassLog) log = read_text (printed), module = read_text (whole);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) dumps = ls_pass_log_open (folder, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  tree = draw (log);
  g_assert_cmpstr (tree, ==,
                   "Canonicalizer (canonicalize)\ngpu.module kernels [2-4, 2]\n  CSE (cse)\n  gpu.func k [3-4, 1]\n    CSE (cse)\n    Canonicalizer (canonicalize)\n"
                   "func.func f [5-6, 1]\n  CSE (cse)\n  Canonicalizer (canonicalize)\nSymbolDCE (symbol-dce)\n");
  scoped = draw (module);
  g_assert_nonnull (strstr (scoped, "gpu.module kernels [2-4, "));
  g_assert_nonnull (strstr (scoped, "  gpu.func k [3-4, "));
  g_assert_nonnull (strstr (scoped, "\nfunc.func f [5-6, "));
  /* In folders the anchors stand by name: f before the kernels. */
  of_files = draw (dumps);
  g_assert_cmpstr (of_files, ==,
                   "canonicalize\nfunc_func_f [2-3, 1]\n  cse\n  canonicalize\ngpu_module_kernels [4-6, 2]\n  cse\n  gpu_func_k [5-6, 1]\n    cse\n    canonicalize\nsymbol-dce\n");
  if (system (clean) != 0)
    g_test_message ("%s is left behind", folder);
}

static void
test_pipeline (void)
{
  static const char PROGRAM[] = "define internal i32 @h(i32 %x) {\n  %a = mul i32 %x, %x\n  ret i32 %a\n}\ndefine i32 @s(ptr %p, i32 %n) {\nentry:\n  br label %l\nl:\n  %i = phi i32 [ 0, %entry ], [ %j, %l ]\n"
                                "  %q = getelementptr i32, ptr %p, i32 %i\n  %v = load i32, ptr %q\n  %w = call i32 @h(i32 %v)\n  store i32 %w, ptr %q\n  %j = add i32 %i, 1\n  %c = icmp slt i32 %j, %n\n"
                                "  br i1 %c, label %l, label %e\ne:\n  ret i32 %n\n}\n";
  const char *const arguments[] = { OPT, "-passes=default<O2>", "-S", "-", "-print-after-all", "-o", "/dev/null", NULL };
  g_autofree char *text = run (arguments, PROGRAM);
  g_autoptr (LsPassLog) log = read_text (text);
  g_autofree char *tree = draw (log);
  g_autoptr (LsPassNesting) nesting = ls_pass_nesting_new (log);
  guint deepest = 0;

  for (guint i = 0; i < nesting->nests->len; i++)
    deepest = MAX (deepest, g_array_index (nesting->nests, LsPassNest, i).depth);
  g_test_message ("%u dumps in %u nests", log->dumps->len, nesting->nests->len);
  g_assert_cmpuint (deepest, ==, 2);            /* cgscc, function, loop */
  g_assert_nonnull (strstr (tree, "\ncgscc (h) ["));
  g_assert_nonnull (strstr (tree, "\n  function s ["));
  g_assert_nonnull (strstr (tree, "\n    loop %l ["));
}

/* Heads and first lines that say nothing, and bytes that are no text. */
static void
test_damaged (void)
{
  g_autoptr (LsPassLog) log = read_text ("// -----// IR Dump After A ('' operation: @) //----- //\nmodule {\n}\n// -----// IR Dump After B //----- //\n(reg:SI 5)\n"
                                         "// -----// IR Dump After C //----- //\nfunc.func @\377\201(%a: i32) {\n}\n");
  g_autoptr (LsPassNesting) nesting = ls_pass_nesting_new (log);

  g_assert_cmpuint (log->dumps->len, ==, 3);
  for (guint i = 0; i < nesting->nests->len; i++)
    {
      g_autofree char *words = ls_pass_nest_words (&g_array_index (nesting->nests, LsPassNest, i));

      g_assert_cmpstr (words, !=, "");
      g_assert_true (g_utf8_validate (words, -1, NULL));
    }
}

static void
test_missing (void)
{
  g_test_skip ("the compiler is not installed");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/nest/llvm", test_llvm);
  g_test_add_func ("/passlog/nest/damaged", test_damaged);
  g_test_add_func ("/passlog/nest/mlir", g_file_test (MLIR_OPT, G_FILE_TEST_IS_EXECUTABLE) ? test_mlir : test_missing);
  g_test_add_func ("/passlog/nest/pipeline", g_file_test (OPT, G_FILE_TEST_IS_EXECUTABLE) ? test_pipeline : test_missing);
  return g_test_run ();
}
