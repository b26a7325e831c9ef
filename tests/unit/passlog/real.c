/* real: logs that LLVM's opt writes, counted once by the reader and once by LLVM's own parser. */
#include "engine/passlog/passlog.h"

#include <gio/gio.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#define OPT "/usr/lib/llvm-19/bin/opt"

static const char PROGRAM[] =
  "define internal i32 @square(i32 %x) {\n"
  "  %p = alloca i32\n  store i32 %x, ptr %p\n  %a = load i32, ptr %p\n  %b = load i32, ptr %p\n  %m = mul i32 %a, %b\n  ret i32 %m\n}\n"
  "define i32 @sum(ptr %v, i32 %n) {\nentry:\n  %s = alloca i32\n  %i = alloca i32\n  store i32 0, ptr %s\n  store i32 0, ptr %i\n  br label %head\n"
  "head:\n  %k = load i32, ptr %i\n  %c = icmp slt i32 %k, %n\n  br i1 %c, label %body, label %done\n"
  "body:\n  %w = sext i32 %k to i64\n  %e = getelementptr i32, ptr %v, i64 %w\n  %x = load i32, ptr %e\n  %q = call i32 @square(i32 %x)\n"
  "  %o = load i32, ptr %s\n  %t = add i32 %o, %q\n  store i32 %t, ptr %s\n  %k1 = add i32 %k, 1\n  store i32 %k1, ptr %i\n  br label %head\n"
  "done:\n  %r = load i32, ptr %s\n  ret i32 %r\n}\n"
  "define i32 @pick(i32 %x) {\n  switch i32 %x, label %d [\n    i32 0, label %a\n    i32 7, label %b\n  ]\na:\n  ret i32 3\nb:\n  %y = call i32 @square(i32 %x)\n  ret i32 %y\n"
  "d:\n  %z = call i32 @square(i32 5)\n  ret i32 %z\n}\n";

/* Runs opt on a text; its output or its errors. (transfer full) */
static char *
opt (const char *input,
     gboolean    errors,
     const char *first,
     const char *second)
{
  const char *const arguments[] = { OPT, "-S", "-", "-o", errors ? "/dev/null" : "-", first, second, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  char *out = NULL, *err = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, input, NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  g_free (errors ? out : err);
  return errors ? err : out;
}

static LsPassLog *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, LS_PASS_LOG_LLVM);
  return log;
}

/* Names of functions to their number of instructions, as LLVM reads a module. (transfer full) */
static GHashTable *
count_by_llvm (const char *text)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  LLVMContextRef context = LLVMContextCreate ();
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy (text, strlen (text), "dump");
  LLVMModuleRef module;
  char *message = NULL;

  if (LLVMParseIRInContext (context, buffer, &module, &message))
    g_error ("LLVM cannot read a dump of its own: %s", message);
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f != NULL; f = LLVMGetNextFunction (f))
    {
      guint n = 0;
      gsize length;

      for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (f); block != NULL; block = LLVMGetNextBasicBlock (block))
        for (LLVMValueRef at = LLVMGetFirstInstruction (block); at != NULL; at = LLVMGetNextInstruction (at))
          n++;
      if (n > 0)
        g_hash_table_insert (counts, g_strdup (LLVMGetValueName2 (f, &length)), GUINT_TO_POINTER (n));
    }
  LLVMDisposeModule (module);
  LLVMContextDispose (context);
  return counts;
}

static void
check_log (const char *passes)
{
  g_autofree char *whole = NULL;
  g_autoptr (LsPassLog) log = NULL;
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, NULL);
  g_autofree LsPassCounts *all = NULL;
  guint checked = 0;
  const char *const arguments[] = { OPT, "-S", "-", "-o", "/dev/null", passes, "-print-after-all", "-print-module-scope", NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, NULL);

  g_subprocess_communicate_utf8 (process, PROGRAM, NULL, NULL, &whole, NULL);
  log = read_text (whole);
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      g_autofree char *dump_text = ls_pass_log_dump_text (log, i);
      g_autoptr (GHashTable) counts = NULL;

      if (dump->kind != LS_PASS_DUMP_AFTER)
        continue;
      counts = count_by_llvm (dump_text);
      for (guint j = dump->first; j < dump->first + dump->n; j++)
        {
          LsPassPart *part = &g_array_index (log->parts, LsPassPart, j);
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, part->name));
          guint before = GPOINTER_TO_UINT (g_hash_table_lookup (last, part->name));
          g_autofree char *a = part->before > 0 ? ls_pass_log_part_text (log, part->before - 1) : g_strdup ("");
          g_autofree char *b = ls_pass_log_part_text (log, j);
          LsPassCounts c = { 0 };
          g_autoptr (GArray) changes = ls_pass_diff (a, b, LS_PASS_LOG_LLVM, &c);

          g_assert_cmpuint (c.same + c.added + c.duplicated + c.rewritten + c.moved, ==, n);
          g_assert_cmpuint (c.same + c.removed + c.rewritten + c.moved, ==, before);
          g_hash_table_insert (last, (gpointer) part->name, GUINT_TO_POINTER (n));
          checked += part->before > 0 && g_array_index (log->parts, LsPassPart, part->before - 1).hash != part->hash;
        }
    }
  all = ls_pass_log_count_all (log, NULL);
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassCounts one = { 0 };

      if (g_array_index (log->dumps, LsPassDump, i).effective)
        ls_pass_log_count (log, i, &one);
      g_assert_cmpmem (&one, sizeof one, &all[i], sizeof one);
    }
  g_test_message ("%u changed functions agree with LLVM", checked);
  g_assert_cmpuint (checked, >=, 10);
}

static void
test_counts (void)
{
  check_log ("-passes=default<O2>");
  check_log ("-passes=default<O3>");
  check_log ("-passes=function(mem2reg,simplifycfg,instcombine),cgscc(inline),globaldce,function(loop-simplify,loop(indvars),loop-unroll,gvn,reg2mem)");
}

/* Whole functions and lines with signs tell the same of every pass. */
static void
test_signs (void)
{
  static const char PASSES[] = "-passes=function(mem2reg,simplifycfg,instcombine),cgscc(inline),globaldce,function(sroa,early-cse,gvn,reassociate,simplifycfg)";
  static const char *const FORMS[] = { "-print-changed=diff", "-print-changed=cdiff" };
  g_autofree char *text = opt (PROGRAM, TRUE, PASSES, "-print-changed");
  g_autoptr (LsPassLog) whole = read_text (text);
  g_autofree LsPassCounts *counts = ls_pass_log_count_all (whole, NULL);

  for (guint form = 0; form < G_N_ELEMENTS (FORMS); form++)
    {
      g_autofree char *patches = opt (PROGRAM, TRUE, PASSES, FORMS[form]);
      g_autoptr (LsPassLog) log = read_text (patches);
      g_autofree LsPassCounts *other = ls_pass_log_count_all (log, NULL);
      guint effective = 0;

      g_assert_cmpuint (log->dumps->len, ==, whole->dumps->len);
      for (guint i = 0; i < log->dumps->len; i++)
        {
          LsPassDump *a = &g_array_index (whole->dumps, LsPassDump, i), *b = &g_array_index (log->dumps, LsPassDump, i);

          g_assert_cmpstr (a->pass, ==, b->pass);
          if (a->unit[0] == '[' || a->unit[0] == '(')   /* prints no function that is gone, and none that is the same */
            continue;
          g_assert_cmpint (a->effective, ==, b->effective);
          g_assert_cmpuint (counts[i].added + counts[i].duplicated, ==, other[i].added + other[i].duplicated);
          g_assert_cmpuint (counts[i].removed, ==, other[i].removed);
          g_assert_cmpuint (counts[i].rewritten, ==, other[i].rewritten);
          effective += a->effective;
        }
      g_assert_cmpuint (effective, >=, 6);
    }
}

/* Other names for all values and blocks: nothing changed. */
static void
test_renumbering (void)
{
  g_autofree char *plain = opt (PROGRAM, FALSE, "-passes=default<O2>", "-time-passes=false");
  g_autofree char *named = opt (plain, FALSE, "-passes=metarenamer", "-rename-only-inst");
  LsPassCounts c = { 0 };
  g_autoptr (GArray) changes = NULL;

  g_assert_cmpstr (plain, !=, named);
  changes = ls_pass_diff (plain, named, LS_PASS_LOG_LLVM, &c);
  g_assert_cmpuint (c.same, >=, 15);
  g_assert_cmpuint (c.added + c.duplicated + c.removed + c.rewritten + c.moved, ==, 0);
}

static void
test_searches (void)
{
  g_autofree char *text = opt (PROGRAM, TRUE, "-passes=function(mem2reg),cgscc(inline),globaldce", "-print-after-all");
  g_autoptr (LsPassLog) log = read_text (text);
  int gone = ls_pass_log_remover (log, "call i32 @square");
  int first = ls_pass_log_first (log, "phi i32", 0);

  g_assert_cmpint (gone, >=, 0);
  g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, gone).pass, ==, "InlinerPass");
  g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, first).pass, ==, "PromotePass");
  g_assert_cmpint (ls_pass_log_first (log, "no such text", 0), ==, -1);
}

/* ---- someone's vectorised loop is gone ---- */

static const char LOOP[] =
  "define void @double(ptr noalias %a, ptr noalias %b) {\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
  "  %p = getelementptr float, ptr %b, i64 %i\n  %x = load float, ptr %p\n  %y = fmul float %x, 2.0\n  %q = getelementptr float, ptr %a, i64 %i\n"
  "  store float %y, ptr %q\n  %next = add i64 %i, 1\n  %c = icmp ult i64 %next, 32\n  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";

#define VECTORISE "-passes=function(loop-vectorize,instcombine,simplifycfg,loop-simplify,lcssa,"

/* All dumps of a pipeline on that loop, which vectors of four are made of. */
static LsPassLog *
vectorise (const char *passes)
{
  const char *const arguments[] = { OPT, "-S", "-", "-o", "/dev/null", passes, "-force-vector-width=4", "-force-vector-interleave=1", "-print-after-all", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, LOOP, NULL, NULL, &text, &error);
  g_assert_no_error (error);
  return read_text (text);
}

/* The loop of vectors goes when it is unrolled as a whole, and without that pass it stays; what is told of the pass is what it did to the function. */
static void
test_vectorised (void)
{
  g_autoptr (LsPassLog) log = vectorise (VECTORISE "loop(loop-unroll-full),instcombine,gvn)");
  g_autoptr (LsPassLog) without = vectorise (VECTORISE "instcombine,gvn)");
  int gone = ls_pass_log_remover (log, "%index = phi");
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, MAX (gone, 0));
  g_autoptr (GArray) others = NULL;
  LsPassCounts c;

  g_assert_cmpint (gone, >=, 0);
  g_assert_cmpstr (dump->pass, ==, "LoopFullUnrollPass");
  g_assert_cmpstr (dump->unit, ==, "loop %vector.body in function double");
  g_assert_cmpuint (dump->n, ==, 1);            /* LLVM prints all of the module then */
  g_assert_cmpstr (g_array_index (log->parts, LsPassPart, dump->first).name, ==, "double");
  ls_pass_log_count (log, (guint) gone, &c);
  g_assert_cmpuint (c.added + c.duplicated, >=, 7 * 5);         /* seven more rounds of load, product, store and two addresses */
  g_assert_cmpint (ls_pass_log_remover (without, "%index = phi"), ==, -1);
  g_assert_cmpint (ls_pass_log_first (without, "fmul <4 x float>", 0), ==, 0);
  others = ls_pass_log_unprinted (log, (guint) gone + 1);
  g_assert_cmpuint (others->len, ==, 0);
}

/* A pass on a loop that stays is printed without its function, whose next dump bears the blame: that is said. */
static void
test_unprinted (void)
{
  g_autofree char *text = opt (PROGRAM, TRUE, "-passes=function(mem2reg,loop-simplify,lcssa,loop(loop-rotate),early-cse)", "-print-after-all");
  g_autoptr (LsPassLog) log = read_text (text);
  gboolean any = FALSE;

  for (guint i = 0; i < log->dumps->len; i++)
    {
      g_autoptr (GArray) others = ls_pass_log_unprinted (log, i);

      if (others->len == 0)
        continue;
      any = TRUE;
      g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, i).pass, ==, "EarlyCSEPass");
      g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, g_array_index (others, guint, 0)).pass, ==, "LoopRotatePass");
    }
  g_assert_true (any);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/real/counts", test_counts);
  g_test_add_func ("/passlog/real/signs", test_signs);
  g_test_add_func ("/passlog/real/renumbering", test_renumbering);
  g_test_add_func ("/passlog/real/searches", test_searches);
  g_test_add_func ("/passlog/real/vectorised", test_vectorised);
  g_test_add_func ("/passlog/real/unprinted", test_unprinted);
  return g_test_run ();
}
