/* passlog: small logs of several compilers, counted by hand. */
#include "engine/passlog/passlog.h"

#include <glib/gstdio.h>
#include <string.h>

static LsPassLog *
read_text (const char   *text,
           LsPassLogKind expected)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, expected);
  return log;
}

static void
assert_counts (LsPassLog *log,
               guint      dump,
               guint      added,
               guint      removed,
               guint      rewritten)
{
  LsPassCounts c;

  ls_pass_log_count (log, dump, &c);
  g_assert_cmpuint (c.added + c.duplicated, ==, added);
  g_assert_cmpuint (c.removed, ==, removed);
  g_assert_cmpuint (c.rewritten, ==, rewritten);
}

/* The form of MLIR_ENABLE_DUMP=1: heads with the operation, modules, numbers of #loc that change. */
static void
test_mlir (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "warning: something\n"
    "// -----// IR Dump Before TritonGPURemoveLayoutConversions (tritongpu-remove-layout-conversions) ('builtin.module' operation) //----- //\n"
    "module {\n  tt.func public @k(%arg0: !tt.ptr<f32> loc(\"x\")) {\n    %0 = tt.load %arg0 : !tt.ptr<f32> loc(#loc3)\n"
    "    %1 = ttg.convert_layout %0 : f32 loc(#loc4)\n    tt.store %arg0, %1 : !tt.ptr<f32> loc(#loc5)\n    tt.return loc(#loc6)\n  }\n}\n"
    "// -----// IR Dump Before CSE (cse) ('builtin.module' operation) //----- //\n"
    "module {\n  tt.func public @k(%arg0: !tt.ptr<f32> loc(\"x\")) {\n    %7 = tt.load %arg0 : !tt.ptr<f32> loc(#loc1)\n"
    "    tt.store %arg0, %7 : !tt.ptr<f32> loc(#loc2)\n    tt.return loc(#loc3)\n  }\n}\n", LS_PASS_LOG_MLIR);
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, 0);

  g_assert_cmpuint (log->dumps->len, ==, 2);
  g_assert_true (log->before_only);
  g_assert_true (dump->effective);
  g_assert_cmpuint (dump->line, ==, 2);
  g_assert_cmpint (ls_pass_log_remover (log, "convert_layout"), ==, 0);
  assert_counts (log, 0, 0, 1, 1);
}

static void
test_tvm (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "Before Running Pass: The meta data of the pass - pass name: tir.Simplify, opt_level: 0, required passes: []\n"
    "# from tvm.script import ir as I\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def f(a: T.handle):\n        x = 1 + 1\n        y = 2\n"
    "After Running Pass: The meta data of the pass - pass name: tir.Simplify, opt_level: 0, required passes: []\n"
    "# from tvm.script import ir as I\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def f(a: T.handle):\n        x = 2\n        y = 2\n", LS_PASS_LOG_TVM);

  g_assert_cmpuint (log->dumps->len, ==, 2);
  g_assert_cmpstr (g_array_index (log->dumps, LsPassDump, 1).pass, ==, "tir.Simplify");
  g_assert_true (g_array_index (log->dumps, LsPassDump, 1).effective);
  assert_counts (log, 1, 0, 0, 1);
}

static void
test_xla (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "HloModule one\n\nENTRY %main (p: f32[4]) -> f32[4] {\n  %p = f32[4]{0} parameter(0)\n  %n = f32[4]{0} negate(f32[4]{0} %p)\n"
    "  ROOT %m = f32[4]{0} negate(f32[4]{0} %n)\n}\n"
    "HloModule two\n\nENTRY %main (p.1: f32[4]) -> f32[4] {\n  ROOT %p.1 = f32[4]{0} parameter(0)\n}\n", LS_PASS_LOG_XLA);

  g_assert_cmpuint (log->dumps->len, ==, 2);
  g_assert_true (g_array_index (log->dumps, LsPassDump, 1).effective);
}

/* The first dump of a function tells nothing of its pass where nothing was printed before it. */
static void
test_nothing_before (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "// -----// IR Dump After A (a) //----- //\nfunc.func @f() {\n  %0 = x.y\n  return\n}\n"
    "// -----// IR Dump After B (b) //----- //\nfunc.func @f() {\n  %0 = x.y\n  return\n}\n"
    "// -----// IR Dump After A (a) //----- //\nfunc.func @g() {\n  return\n}\n", LS_PASS_LOG_MLIR);

  g_assert_false (ls_pass_log_tells (log, 0));
  g_assert_true (ls_pass_log_tells (log, 1));
  g_assert_false (g_array_index (log->dumps, LsPassDump, 1).effective);
  g_assert_false (ls_pass_log_tells (log, 2));
}

/* Slots of machine instructions are numbers of LLVM's, and no part of them. */
static void
test_slots (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "# *** IR Dump After A (a) ***:\n# Machine code for function s: IsSSA\nFunction Live Ins: $edi in %1\n\n"
    "bb.0 (%ir-block.2):\n  successors: %bb.1\n  %1:gr32 = COPY $edi\n  RET 0, $eax\n\n# End machine code for function s.\n\n"
    "# *** IR Dump After Slot index numbering (slotindexes) ***:\n# Machine code for function s: IsSSA\nFunction Live Ins: $edi in %1\n\n"
    "0B\tbb.0 (%ir-block.2):\n\t  successors: %bb.1\n16B\t  %1:gr32 = COPY $edi\n32B\t  RET 0, $eax\n\n# End machine code for function s.\n\n",
    LS_PASS_LOG_LLVM);
  LsPassCounts c;

  assert_counts (log, 1, 0, 0, 0);
  g_assert_true (g_array_index (log->dumps, LsPassDump, 1).effective);
  ls_pass_log_count (log, 1, &c);
  g_assert_cmpuint (c.moved, ==, 0);
}

static void
write_file (const char *folder,
            const char *name,
            const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* What a pass of GCC tells before the function, and declarations, are no operations; insns have numbers. */
static void
test_gcc (void)
{
  static const char *const NAMES[] = { "a.c.050t.ssa", "a.c.051t.summary", "a.c.052t.nothing", "a.c.253r.expand", "a.c.259r.cse1" };
  static const char *const TEXTS[] = {
    ";; Function s (s, funcdef_no=0)\n\nint s (int n)\n{\n  int t;\n\n  <bb 2> :\n  t_1 = n_2(D) + 1;\n  return t_1;\n\n}\n\n\n",
    ";; Function s (s, funcdef_no=0)\n\nAnalyzing s/0\n  calls:\n\nint s (int n)\n{\n  int t;\n  int u;\n\n  <bb 2> :\n  t_4 = n_3(D) + 1;\n"
    "  u_5 = t_4 * 2;\n  return u_5;\n\n}\n\n\n",
    "counts of something\n",
    ";; Function s (s, funcdef_no=0)\n\nMerged blocks.\n;; Full RTL:\n(note 1 0 3 NOTE_INSN_DELETED)\n(insn 3 1 4 2 (set (reg:SI 90)\n"
    "        (reg:SI 5 di)) -1\n     (nil))\n(insn 4 3 0 2 (set (reg:SI 91)\n        (const_int 1)) -1\n     (nil))\n",
    ";; Function s (s, funcdef_no=0)\n\nprocessing block\n(insn 4 3 0 2 (set (reg:SI 91)\n        (const_int 1)) -1\n     (nil))\n(note 1 0 7 NOTE_INSN_DELETED)\n(insn:TI 7 1 0 3 (set (reg:SI 90)\n"
    "        (reg:SI 5 di)) -1\n     (nil))\n",
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("passlog-XXXXXX", &error);
  g_autoptr (LsPassLog) log = NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    write_file (folder, NAMES[i], TEXTS[i]);
  log = ls_pass_log_open (folder, LS_PASS_LOG_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, LS_PASS_LOG_GCC);
  g_assert_cmpuint (log->dumps->len, ==, 5);
  assert_counts (log, 1, 1, 0, 1);
  g_assert_cmpuint (g_array_index (log->dumps, LsPassDump, 2).n, ==, 0);
  g_assert_false (ls_pass_log_tells (log, 2));
  assert_counts (log, 4, 0, 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    {
      g_autofree char *path = g_build_filename (folder, NAMES[i], NULL);

      g_remove (path);
    }
  g_rmdir (folder);
}

/* What the log says without a text, and its times. */
static void
test_llvm (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "*** IR Dump At Start ***\ndefine i32 @f(i32 %0) {\n  %2 = add i32 %0, 0\n  ret i32 %2\n}\n"
    "*** IR Dump After A on f omitted because no change ***\n"
    "*** IR Dump After B on f ***\ndefine i32 @f(i32 %0) {\n  ret i32 %0\n}\n"
    "*** IR Dump After C on f ***\ndefine i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
    "*** IR Deleted After D on f ***\n"
    "===-------------------------------------------------------------------------===\n"
    "   ---User Time---   ---Wall Time---  --- Name ---\n   0.5000 ( 50.0%)   0.2500 ( 50.0%)  B\n", LS_PASS_LOG_LLVM);
  static const LsPassDumpKind KINDS[] = { LS_PASS_DUMP_START, LS_PASS_DUMP_UNCHANGED, LS_PASS_DUMP_AFTER, LS_PASS_DUMP_AFTER, LS_PASS_DUMP_DELETED };

  g_assert_cmpuint (log->dumps->len, ==, G_N_ELEMENTS (KINDS));
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    g_assert_cmpint (g_array_index (log->dumps, LsPassDump, i).kind, ==, KINDS[i]);
  g_assert_cmpfloat (g_array_index (log->dumps, LsPassDump, 2).seconds, ==, 0.25);
  g_assert_cmpfloat (g_array_index (log->dumps, LsPassDump, 3).seconds, ==, -1);
  assert_counts (log, 2, 0, 1, 1);
  assert_counts (log, 3, 0, 0, 0);
  assert_counts (log, 4, 0, 1, 0);
}

static void
test_errors (void)
{
  g_autoptr (GBytes) none = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) other = g_bytes_new_static ("hello\n", 6);
  g_autoptr (GError) empty = NULL;
  g_autoptr (GError) unknown = NULL;

  g_assert_null (ls_pass_log_read (none, LS_PASS_LOG_AUTO, &empty));
  g_assert_error (empty, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_EMPTY);
  g_assert_null (ls_pass_log_read (other, LS_PASS_LOG_AUTO, &unknown));
  g_assert_error (unknown, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/mlir", test_mlir);
  g_test_add_func ("/passlog/tvm", test_tvm);
  g_test_add_func ("/passlog/xla", test_xla);
  g_test_add_func ("/passlog/llvm", test_llvm);
  g_test_add_func ("/passlog/nothing-before", test_nothing_before);
  g_test_add_func ("/passlog/slots", test_slots);
  g_test_add_func ("/passlog/gcc", test_gcc);
  g_test_add_func ("/passlog/errors", test_errors);
  return g_test_run ();
}
