/* compilers: what gcc and clang themselves dump, counted by the reader and once more line by line: MIR, GIMPLE, RTL, PTX. */
#include "engine/passlog/passlog.h"

#include <glib/gstdio.h>
#include <string.h>

#define CLANG "/usr/lib/llvm-19/bin/clang"
#define GCC "/usr/bin/gcc"

static const char PROGRAM[] =
  "int sum (const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > 3) s += a[i] * 2; return s; }\n"
  "int twice (int x) { return x + x; }\n"
  "void scale (float *a, float f) { for (int i = 0; i < 64; i++) a[i] = a[i] * f + 1.0f; }\n";

static char *folder;            /* with k.c */

/* Runs a command in the folder. */
static void
run (const char *command)
{
  g_autofree char *line = g_strdup_printf ("cd %s && %s", folder, command);

  g_assert_cmpint (system (line), ==, 0);
}

static LsPassLog *
open_log (const char   *name,
          LsPassLogKind expected)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, expected);
  return log;
}

/* Operations of a part, as the reader has them. */
static guint
count_read (LsPassLog    *log,
            guint         part,
            LsPassLogKind kind)
{
  g_autofree char *text = ls_pass_log_part_text (log, part);
  g_autoptr (GPtrArray) operations = ls_pass_operations_read (text, kind);
  guint n = 0;

  for (guint i = 0; i < operations->len; i++)
    n += strcmp (((LsPassOperation *) operations->pdata[i])->name, "label") != 0;
  return n;
}

/* Lines of a part that a pattern matches. */
static guint
count_lines (LsPassLog  *log,
             guint       part,
             const char *pattern)
{
  g_autofree char *text = ls_pass_log_part_text (log, part);
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    n++;
  return n;
}

/* All parts whose dump's pass begins so (or all) have as many operations as lines of the pattern; how many parts that were. */
static guint
check (LsPassLog  *log,
       const char *pass,
       const char *head,
       const char *pattern)
{
  guint checked = 0;

  for (guint i = 0; i < log->parts->len; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, part->dump);
      const char *text = ls_pass_log_text (log, dump->file, NULL) + part->start;

      if (part->end <= part->start || (pass != NULL && strcmp (dump->pass, pass) != 0) || strncmp (text, head, strlen (head)) != 0)
        continue;
      if (count_read (log, i, dump->language) != count_lines (log, i, pattern))
        g_test_message ("%s %s: %.*s", dump->pass, part->name, (int) MIN (part->end - part->start, 3000), text);
      g_assert_cmpuint (count_read (log, i, dump->language), ==, count_lines (log, i, pattern));
      checked++;
    }
  return checked;
}

static void
test_machine (void)
{
  g_autoptr (LsPassLog) log = NULL;
  guint n;

  run (CLANG " -O2 -c k.c -o k.o -mllvm -print-after-all 2> clang.log");
  log = open_log ("clang.log", LS_PASS_LOG_LLVM);
  n = check (log, NULL, "# Machine code", "^(\\d+B\\t)? {2,}(?!successors:|liveins:|cp#|fi#|jt#|%jump)[^ ;\\n].*$");
  g_test_message ("%u functions of machine code", n);
  g_assert_cmpuint (n, >, 100);
  g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, MAX (ls_pass_log_remover (log, " = PHI "), 0)).pass, ==,
                   "Eliminate PHI nodes for register allocation (phi-node-elimination)");
}

static void
test_gcc (void)
{
  g_autoptr (LsPassLog) log = NULL;
  g_autofree char *dumps = g_build_filename (folder, "gcc", NULL);

  g_mkdir (dumps, 0755);
  run (GCC " -O2 -c k.c -o k.o -fdump-tree-all -fdump-rtl-all -dumpdir gcc/ && mv k.c.*t.* k.c.*r.* gcc/ 2> /dev/null; true");
  log = open_log ("gcc", LS_PASS_LOG_GCC);
  g_assert_cmpuint (log->dumps->len, >, 100);
  /* a condition with both of its ways out is one statement */
  g_assert_cmpuint (check (log, "optimized", "{", "^ {2,}(# (?!DEBUG).*PHI.*|if \\(.*|return.*;|(?!<bb|if |goto |(?:[a-z]+ )+\\*?[\\w.]+;$|[\\w ]+\\*? [\\w.]+(?:\\[\\d+\\])?;$).*;)$"),
                    ==, 3);
  g_assert_cmpuint (check (log, "combine", "(", "^\\((insn|jump_insn|call_insn|code_label|note|barrier|debug_insn)[ :/]"), ==, 3);
  g_assert_cmpuint (check (log, "final", "(", "^\\((insn|jump_insn|call_insn|code_label|note|barrier|debug_insn)[ :/]"), ==, 3);
}

static void
test_ptx (void)
{
  g_autoptr (LsPassLog) log = NULL;

  if (system (CLANG " --print-targets | grep -q nvptx64") != 0)
    {
      g_test_skip ("this clang has no NVPTX");
      return;
    }
  run (CLANG " --target=nvptx64-nvidia-cuda -O2 -S k.c -o k.ptx");
  log = open_log ("k.ptx", LS_PASS_LOG_PTX);
  g_assert_cmpuint (log->parts->len, ==, 3);
  g_assert_cmpuint (check (log, NULL, ".visible", "^\\t(?!\\.)[^\\n]*;"), ==, 3);
}

/* "Which pass took my vectorised loop?"  Its rounds are few once it is vectorised: unrolled they are no loop, and numbers known beforehand are folded. */
static void
test_gone (void)
{
  static const char GONE[] =
    "int f (void) { int a[256]; int s = 0; for (int i = 0; i < 256; i++) a[i] = i * 3 + 1; for (int i = 0; i < 256; i++) s += a[i]; return s; }\n";
  static const char STAYS[] = "int f (const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * 3; return s; }\n";
  static const struct { const char *text, *pass; } REMOVERS[] = { { "vector.body ]", "LoopUnrollPass" }, { " x i32>", "InstCombinePass" } };
  g_autofree char *gone = g_build_filename (folder, "gone.c", NULL), *stays = g_build_filename (folder, "stays.c", NULL);
  g_autoptr (LsPassLog) log = NULL, other = NULL;
  const char *first;

  g_assert_true (g_file_set_contents (gone, GONE, -1, NULL) && g_file_set_contents (stays, STAYS, -1, NULL));
  run (CLANG " -O2 --target=x86_64-linux-gnu -mavx2 -fno-discard-value-names -S -emit-llvm gone.c -o k.ll -mllvm -print-after-all 2> gone.log");
  run (CLANG " -O2 --target=x86_64-linux-gnu -mavx2 -fno-discard-value-names -S -emit-llvm stays.c -o k.ll -mllvm -print-after-all 2> stays.log");
  log = open_log ("gone.log", LS_PASS_LOG_LLVM);
  other = open_log ("stays.log", LS_PASS_LOG_LLVM);
  first = g_array_index (log->dumps, LsPassDump, MAX (ls_pass_log_first (log, "vector.body", 0), 0)).pass;
  g_assert_cmpstr (first, ==, "LoopVectorizePass");
  for (guint i = 0; i < G_N_ELEMENTS (REMOVERS); i++)
    {
      int by = ls_pass_log_remover (log, REMOVERS[i].text);

      g_assert_cmpint (by, >, ls_pass_log_first (log, "vector.body", 0));
      g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, by).pass, ==, REMOVERS[i].pass);
    }
  g_assert_cmpint (ls_pass_log_remover (other, "vector.body ]"), <, 0);
  g_assert_cmpint (ls_pass_log_first (other, "vector.body ]", 0), >, 0);
}

/* Without the compilers there is nothing to read, which is said as tests that were left out. */
static void
test_missing (void)
{
  g_test_skip ("gcc or clang-19 is not installed");
}

int
main (int    argc,
      char **argv)
{
  gboolean clang = g_file_test (CLANG, G_FILE_TEST_IS_EXECUTABLE), gcc = g_file_test (GCC, G_FILE_TEST_IS_EXECUTABLE);
  g_autofree char *source = NULL, *clean = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loopscope-compilers-XXXXXX", NULL);
  source = g_build_filename (folder, "k.c", NULL);
  g_assert_true (g_file_set_contents (source, PROGRAM, -1, NULL));
  g_test_add_func ("/passlog/compilers/machine", clang ? test_machine : test_missing);
  g_test_add_func ("/passlog/compilers/gone", clang ? test_gone : test_missing);
  g_test_add_func ("/passlog/compilers/gcc", gcc ? test_gcc : test_missing);
  g_test_add_func ("/passlog/compilers/ptx", clang ? test_ptx : test_missing);
  status = g_test_run ();
  clean = g_strdup_printf ("rm -r %s", folder);
  if (system (clean) != 0)
    g_printerr ("%s is left behind\n", folder);
  g_free (folder);
  return status;
}
