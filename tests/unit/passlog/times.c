/* times: what compilers report of their own time, against the rows of the same reports read by other means. */
#include "engine/passlog/passlog.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define CLANG "/usr/lib/llvm-19/bin/clang"
#define MLIR "/usr/lib/llvm-19/bin/mlir-opt"
#define GCC "/usr/bin/gcc"

static char *folder;

static void
run (const char *command)
{
  g_autofree char *line = g_strdup_printf ("cd %s && %s", folder, command);

  g_assert_cmpint (system (line), ==, 0);
}

static void
put (const char *name,
     const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static LsPassLog *
open_log (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  return log;
}

/* The sum of the wall's time of all rows of a name in a file of folder, as awk adds it up: the number in front of the last "(..%)". */
static double
sum_of (const char *file,
        const char *pass)
{
  g_autofree char *path = g_build_filename (folder, file, NULL), *text = NULL, *name = g_regex_escape_string (pass, -1);
  g_autofree char *pattern = g_strdup_printf ("(\\d+\\.\\d+) \\( *[\\d.]+%%\\) +(?:\\d+ +)?%s$", name);
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  double sum = -1;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\n===-----"));
  for (g_regex_match (regex, strstr (text, "\n===-----"), 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *number = g_match_info_fetch (match, 1);

      sum = MAX (sum, 0) + g_ascii_strtod (number, NULL);
    }
  return sum;
}

/* Every dump has the time that its report says; how many have one. */
static guint
check (const char *name)
{
  g_autoptr (LsPassLog) log = open_log (name);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      g_auto (GStrv) words = g_strsplit (dump->pass, " (", 2);
      double sum;

      n += dump->seconds >= 0;
      if (!g_hash_table_add (seen, (gpointer) dump->pass))
        continue;
      sum = sum_of (name, words[0]);
      if (fabs (dump->seconds - sum) > 1e-9)
        g_test_message ("%s: %g, its rows %g", dump->pass, dump->seconds, sum);
      g_assert_cmpfloat_with_epsilon (dump->seconds, sum, 1e-9);
    }
  g_test_message ("%s: %u of %u dumps have a time", name, n, log->dumps->len);
  return n;
}

static void
test_clang (void)
{
  run (CLANG " -O2 -c k.c -o k.o -ftime-report -mllvm -print-after-all 2> clang.log");
  g_assert_cmpuint (check ("clang.log"), >, 100);
}

static void
test_mlir (void)
{
  run (MLIR " k.mlir --pass-pipeline='builtin.module(func.func(affine-loop-fusion,canonicalize,lower-affine),cse,canonicalize,convert-scf-to-cf)'"
       " --mlir-timing --mlir-print-ir-after-all -o /dev/null 2> tree.log");
  run (MLIR " k.mlir --pass-pipeline='builtin.module(func.func(affine-loop-fusion,canonicalize,lower-affine),cse)' --mlir-timing"
       " --mlir-timing-display=list --mlir-print-ir-after-all -o /dev/null 2> list.log");
  g_assert_cmpuint (check ("tree.log"), ==, 9);         /* three passes for each of two functions, three for the module */
  g_assert_cmpuint (check ("list.log"), ==, 7);
}

/* GCC writes its report to where its errors go; it lies beside the dumps. */
static void
test_gcc (void)
{
  g_autofree char *path = g_build_filename (folder, "gcc", NULL), *text = NULL;
  g_autoptr (LsPassLog) log = NULL;
  gboolean fre = FALSE;

  g_mkdir (path, 0755);
  run (GCC " -O2 -c k.c -o k.o -fdump-tree-all -fdump-rtl-all -dumpdir gcc/ -ftime-report -ftime-report-details 2> report.txt && mv report.txt gcc/");
  log = open_log ("gcc");
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);

      g_assert_cmpstr (dump->pass, !=, "report.txt");
      if (strcmp (dump->pass, "fre1") == 0)
        fre = TRUE;
    }
  g_assert_true (fre);
}

/* The same with a report in the tree whose times are not zero, in the columns of GCC 12 and of GCC 14. */
static void
test_gcc_columns (void)
{
  static const char *const REPORTS[] = {
    "\nTime variable                                   usr           sys          wall           GGC\n"
    " phase opt and generate             :   0.01 ( 50%)   0.00 (  0%)   0.03 (100%)   235k ( 14%)\n"
    " tree FRE                           :   1.50 ( 50%)   0.25 (  0%)   1.75 ( 33%)  4288  (  0%)\n"
    " `- tree CCP                        :   0.00 (  0%)   0.03 ( 75%)   9.00 ( 29%)     0  (  0%)\n"
    " combiner                           :   0.00 (  0%)   0.00 (  0%)   0.50 (  5%)    96  (  0%)\n"
    " TOTAL                              :   0.02          0.00          0.03         1713k\n",
    "\nTime variable                                  wall           GGC\n"
    " tree FRE                           :   1.75 ( 33%)  4288  (  0%)\n"
    " combiner                           :   0.50 (  5%)    96  (  0%)\n"
    " TOTAL                              :   0.03         1713k\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (REPORTS); i++)
    {
      g_autoptr (LsPassLog) log = NULL;
      g_autofree char *path = g_build_filename (folder, "columns", NULL);

      g_mkdir (path, 0755);
      put ("columns/f.c.036t.fre1", ";; Function f (f, funcdef_no=0, decl_uid=1, cgraph_uid=1, symbol_order=0)\n\nint f ()\n{\n  <bb 2> :\n  return 1;\n}\n");
      put ("columns/f.c.037t.ccp2", ";; Function f (f, funcdef_no=0, decl_uid=1, cgraph_uid=1, symbol_order=0)\n\nint f ()\n{\n  <bb 2> :\n  return 1;\n}\n");
      put ("columns/f.c.273r.combine", ";; Function f (f, funcdef_no=0, decl_uid=1, cgraph_uid=1, symbol_order=0)\n\n(note 1 0 3 NOTE_INSN_DELETED)\n");
      put ("columns/report.txt", REPORTS[i]);
      log = open_log ("columns");
      g_assert_cmpuint (log->dumps->len, ==, 3);
      g_assert_cmpfloat (g_array_index (log->dumps, LsPassDump, 0).seconds, ==, 1.75);
      g_assert_cmpfloat (g_array_index (log->dumps, LsPassDump, 1).seconds, ==, -1);     /* a detail of another row is none of its own */
      g_assert_cmpfloat (g_array_index (log->dumps, LsPassDump, 2).seconds, ==, 0.5);
    }
}

/* Instructions and memory stand in columns without shares. */
static void
test_numbers (void)
{
  g_autoptr (LsPassLog) log = NULL;

  put ("numbers.log", "; *** IR Dump After InstCombinePass on f ***\ndefine void @f() {\n  ret void\n}\n"
       "===-----------------------------------------===\n      Pass execution timing report\n===-----------------------------------------===\n"
       "  Total Execution Time: 0.0055 seconds (0.0054 wall clock)\n\n"
       "   ---User Time---   --User+System--   ---Wall Time---  ---Instr---  --- Name ---\n"
       "   0.0010 ( 18.9%)   0.0010 ( 18.9%)   0.0020 ( 18.9%)       123456  InstCombinePass\n"
       "   0.0054 (100.0%)   0.0054 (100.0%)   0.0054 (100.0%)      5123456  Total\n");
  log = open_log ("numbers.log");
  g_assert_cmpfloat (g_array_index (log->dumps, LsPassDump, 0).seconds, ==, 0.002);
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
  g_autofree char *clean = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loopscope-times-XXXXXX", NULL);
  put ("k.c", "int sum (const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > 3) s += a[i] * 2; return s; }\n");
  put ("k.mlir", "func.func @f(%A: memref<8x8xf32>) {\n  affine.for %i = 0 to 8 {\n    %0 = affine.load %A[%i, %i] : memref<8x8xf32>\n"
       "    affine.store %0, %A[%i, 0] : memref<8x8xf32>\n  }\n  return\n}\nfunc.func @g() { return }\n");
  g_test_add_func ("/passlog/times/clang", g_file_test (CLANG, G_FILE_TEST_IS_EXECUTABLE) ? test_clang : test_missing);
  g_test_add_func ("/passlog/times/mlir", g_file_test (MLIR, G_FILE_TEST_IS_EXECUTABLE) ? test_mlir : test_missing);
  g_test_add_func ("/passlog/times/gcc", g_file_test (GCC, G_FILE_TEST_IS_EXECUTABLE) ? test_gcc : test_missing);
  g_test_add_func ("/passlog/times/columns", test_gcc_columns);
  g_test_add_func ("/passlog/times/numbers", test_numbers);
  status = g_test_run ();
  clean = g_strdup_printf ("rm -r %s", folder);
  if (system (clean) != 0)
    g_printerr ("%s is left behind\n", folder);
  g_free (folder);
  return status;
}
