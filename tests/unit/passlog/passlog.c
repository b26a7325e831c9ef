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

/* -print-changed=diff: signs before the lines, functions of a module pass without names, colours with =cdiff. */
static void
test_patch (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "*** IR Dump At Start ***\n; ModuleID = 'm'\n\ndefine i32 @f(i32 %0) {\n  %2 = add i32 %0, 0\n  ret i32 %2\n}\n\ndefine i32 @g() {\n  %1 = call i32 @f(i32 1)\n"
    "  ret i32 %1\n}\n"
    "*** IR Dump After A on f ***\n \n-  %2 = add i32 %0, 0\n-  ret i32 %2\n+  ret i32 %0\n\n"
    "*** IR Dump After B on [module] ***\n\n*** IR for function [module] ***\n \n   ret i32 %0\n\n"
    "*** IR for function [module] ***\n \n\033[31m-  %1 = call i32 @f(i32 1)\033[0m\n\033[32m+  %1 = call fastcc i32 @f(i32 1)\033[0m\n   ret i32 %1\n\n"
    "*** IR Dump After C on f omitted because no change ***\n"
    "*** IR Dump After D on loop %3 in function g ***\n \n   %1 = call fastcc i32 @f(i32 1)\n-  ret i32 %1\n+  br label %2\n+\n+2:                 ; preds = %0\n+  ret i32 %1\n\n",
    LS_PASS_LOG_LLVM);
  g_autofree char *before = NULL, *after = NULL;
  LsPassDump *module = &g_array_index (log->dumps, LsPassDump, 2);

  assert_counts (log, 1, 0, 1, 1);
  assert_counts (log, 2, 0, 0, 1);
  assert_counts (log, 4, 1, 0, 0);
  g_assert_true (g_array_index (log->dumps, LsPassDump, 1).effective);
  g_assert_cmpuint (module->n, ==, 2);
  g_assert_cmpstr (g_array_index (log->parts, LsPassPart, module->first).name, ==, "f");
  g_assert_false (ls_pass_log_part_changed (log, module->first));
  g_assert_cmpstr (g_array_index (log->parts, LsPassPart, module->first + 1).name, ==, "g");
  g_assert_true (ls_pass_log_part_changed (log, module->first + 1));
  ls_pass_log_part_sides (log, module->first + 1, &before, &after);
  g_assert_cmpstr (before, ==, "  %1 = call i32 @f(i32 1)\n  ret i32 %1\n");
  g_assert_cmpstr (after, ==, "  %1 = call fastcc i32 @f(i32 1)\n  ret i32 %1\n");
  g_assert_cmpint (ls_pass_log_remover (log, "add i32"), ==, 1);
  g_assert_cmpstr (g_array_index (log->parts, LsPassPart, g_array_index (log->dumps, LsPassDump, 4).first).name, ==, "g");
}

/* What stands between dumps is kept; what belongs to a module is not taken for it. */
static void
test_between (void)
{
  g_autoptr (LsPassLog) log = read_text (
    "clang: warning: one\n*** IR Dump After A on f ***\n; Function Attrs: x\ndefine void @f() #0 {\n  ret void\n}\n\ndeclare void @g()\n\nattributes #0 = { x }\n!0 = !{i32 1}\n"
    "*** IR Dump After B on f ***\ndefine void @f() {\n  ret void\n}\na.c:3:4: warning: two\n  int x;\n"
    "*** IR Dump After C on f omitted because no change ***\nthree\n\n", LS_PASS_LOG_LLVM);
  static const char *const EXPECTED[] = { "clang: warning: one", NULL, "a.c:3:4: warning: two\n  int x;", "three" };

  for (guint i = 0; i <= log->dumps->len; i++)
    {
      guint file;
      gsize start, end;
      gboolean any = ls_pass_log_between (log, i, &file, &start, &end);
      g_autofree char *text = any ? g_strndup (ls_pass_log_text (log, file, NULL) + start, end - start) : NULL;

      g_assert_cmpstr (text, ==, EXPECTED[i]);
    }
}

static void
assert_hidden (LsPassLogKind kind,
               LsPassHide    hide,
               const char   *text,
               const char   *expected)
{
  g_autofree char *shown = ls_pass_text_hide (text, kind, hide);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_hide (void)
{
  static const char LLVM[] = "; Function Attrs: nounwind\ndefine dso_local i32 @f(ptr noundef %a) #0 !dbg !3 {\n    #dbg_value(i32 0, !4, !DIExpression(), !5)\n"
                             "  %b = load i32, ptr %a, align 4, !dbg !6, !tbaa !7\n  call void @g(ptr nonnull align 8 %a, metadata !9) #1\n  ret i32 %b, !dbg !8\n}\n"
                             "attributes #0 = { nounwind }\n!3 = distinct !DISubprogram(name: \"f\")\n!7 = !{!\"int\"}\n";

  assert_hidden (LS_PASS_LOG_LLVM, 0, LLVM, LLVM);
  assert_hidden (LS_PASS_LOG_LLVM, LS_PASS_HIDE_DEBUG, LLVM,
                 "; Function Attrs: nounwind\ndefine dso_local i32 @f(ptr noundef %a) #0 {\n  %b = load i32, ptr %a, align 4, !tbaa !7\n"
                 "  call void @g(ptr nonnull align 8 %a, metadata !9) #1\n  ret i32 %b\n}\nattributes #0 = { nounwind }\n!7 = !{!\"int\"}\n");
  assert_hidden (LS_PASS_LOG_LLVM, LS_PASS_HIDE_DEBUG | LS_PASS_HIDE_METADATA | LS_PASS_HIDE_ATTRIBUTES, LLVM,
                 "define i32 @f(ptr %a) {\n  %b = load i32, ptr %a, align 4\n  call void @g(ptr %a, metadata !9)\n  ret i32 %b\n}\n");
  assert_hidden (LS_PASS_LOG_MLIR, LS_PASS_HIDE_DEBUG, "  %0 = a.b %1 {x = \"loc(\"} : f32 loc(fused[\"a)b\"(\"c.py\":3:4), #loc1])\n#loc1 = loc(unknown)\n",
                 "  %0 = a.b %1 {x = \"loc(\"} : f32\n");
  assert_hidden (LS_PASS_LOG_MLIR, LS_PASS_HIDE_ATTRIBUTES, "  func.func @f() attributes {a = {b = \"}\"}} {\n    a.b {x = 1 : i32} : f32\n  }\n",
                 "  func.func @f() {\n    a.b : f32\n  }\n");
  assert_hidden (LS_PASS_LOG_XLA, LS_PASS_HIDE_METADATA, "  %m = f32[4] add(%a, %b), metadata={op_name=\"x}\" source_line=3}, b={1}\n",
                 "  %m = f32[4] add(%a, %b), b={1}\n");
  assert_hidden (LS_PASS_LOG_GCC, LS_PASS_HIDE_DEBUG, "  # DEBUG x => 1\n  [a.c:3:4] y_1 = z_2;\n(insn 3 1 4 2 (set (reg:SI 90)) \"a.c\":3:4 -1)\n",
                 "  y_1 = z_2;\n(insn 3 1 4 2 (set (reg:SI 90)) -1)\n");
}

/* Two logs are held against each other pass by pass, whatever only one of them has. */
static void
test_align (void)
{
  g_autoptr (LsPassLog) a = read_text ("*** IR Dump After A on f ***\ndefine void @f() {\n  ret void\n}\n"
                                       "*** IR Dump After C on f ***\ndefine void @f() {\n  unreachable\n}\n", LS_PASS_LOG_LLVM);
  g_autoptr (LsPassLog) b = read_text ("*** IR Dump After A on f ***\ndefine void @f() {\n  ret void\n}\n"
                                       "*** IR Dump After B on f ***\ndefine void @f() {\n  ret void\n}\n"
                                       "*** IR Dump After C on f ***\ndefine void @f() {\n  ret void\n}\n", LS_PASS_LOG_LLVM);
  static const LsPassPair EXPECTED[] = { { 0, 0 }, { -1, 1 }, { 1, 2 } };
  g_autoptr (GArray) rows = ls_pass_logs_align (a, b);
  LsPassCounts counts;

  g_assert_cmpuint (rows->len, ==, G_N_ELEMENTS (EXPECTED));
  g_assert_cmpmem (rows->data, rows->len * sizeof (LsPassPair), EXPECTED, sizeof EXPECTED);
  g_assert_false (ls_pass_dumps_differ (a, 0, b, 0, NULL, &counts, NULL));
  g_assert_true (ls_pass_dumps_differ (a, 1, b, 2, NULL, &counts, NULL));
  g_assert_cmpuint (counts.added, ==, 1);
  g_assert_cmpuint (counts.removed, ==, 1);
}

static void
test_recognise (void)
{
  static const struct { const char *name, *text; LsPassLogKind kind; } FILES[] = {
    { "a.log", "x\n*** IR Dump After A on f ***\n", LS_PASS_LOG_LLVM }, { "b.txt", "hello\n", LS_PASS_LOG_AUTO },
    { "c.py", "*** IR Dump After A on f ***\n", LS_PASS_LOG_AUTO }, { "d.txt", "# from tvm.script import tir as T\n", LS_PASS_LOG_AUTO },
    { "e.txt", "Before Running Pass: pass name: X\n# from tvm.script import tir as T\n", LS_PASS_LOG_TVM },
  };
  g_autofree char *folder = g_dir_make_tmp ("passlog-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (FILES); i++)
    {
      g_autofree char *path = g_build_filename (folder, FILES[i].name, NULL);

      write_file (folder, FILES[i].name, FILES[i].text);
      g_assert_cmpint (ls_pass_log_recognise (path), ==, FILES[i].kind);
      g_remove (path);
    }
  g_assert_cmpint (ls_pass_log_recognise (folder), ==, LS_PASS_LOG_TEXT);
  g_rmdir (folder);
}

/* Texts of our own are a log too; another language begins anew. */
static void
test_stages (void)
{
  static const LsPassStage STAGES[] = {
    { "TensorIR", "@T.prim_func\ndef f():\n    x = 1 + 1\n    y = x\n", LS_PASS_LOG_TVM, TRUE, -1 },
    { "Simplify", "@T.prim_func\ndef f():\n    x = 2\n    y = x\n", LS_PASS_LOG_TVM, FALSE, 0.5 },
    { "RemoveNoOp", NULL, LS_PASS_LOG_TVM, FALSE, 0.25 },
    { "LLVM IR", "define i32 @f() {\n  %a = add i32 1, 1\n  ret i32 %a\n}\n", LS_PASS_LOG_LLVM, TRUE, -1 },
    { "instcombine", "define i32 @f() {\n  ret i32 2\n}\n", LS_PASS_LOG_LLVM, FALSE, 0.125 },
  };
  static const gboolean EFFECTIVE[] = { FALSE, TRUE, FALSE, FALSE, TRUE };
  g_autoptr (LsPassLog) log = ls_pass_log_from_stages (STAGES, G_N_ELEMENTS (STAGES), NULL);

  g_assert_cmpuint (log->dumps->len, ==, G_N_ELEMENTS (STAGES));
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);

      g_assert_cmpstr (dump->pass, ==, STAGES[i].pass);
      g_assert_cmpint (dump->effective, ==, EFFECTIVE[i]);
      g_assert_cmpint (dump->kind, ==, STAGES[i].start ? LS_PASS_DUMP_START : LS_PASS_DUMP_AFTER);
      g_assert_cmpfloat (dump->seconds, ==, STAGES[i].seconds);
    }
  assert_counts (log, 1, 0, 0, 1);
  assert_counts (log, 4, 0, 1, 1);
}

/* A line that only got another number is the same row; what is far from a change is left out. */
static void
test_rows (void)
{
  static const char BEFORE[] = "define i32 @f(i32 %0) {\n  ; note\n  %2 = add i32 %0, 0\n  %3 = mul i32 %2, 3\n  store i32 %3, ptr @a\n  store i32 %3, ptr @b\n  ret i32 %3\n}";
  static const char AFTER[] = "define i32 @f(i32 %0) {\n  ; note\n  %2 = mul i32 %0, 3\n  store i32 %2, ptr @a\n  store i32 %2, ptr @b\n  ret i32 %2\n}";
  static const LsPassRow EXPECTED[] = { { 0, 0, FALSE, 2 }, { 2, -1, TRUE, 0 }, { 3, 2, TRUE, 0 }, { 4, 3, FALSE, 4 } };
  g_auto (GStrv) a = g_strsplit (BEFORE, "\n", -1), b = g_strsplit (AFTER, "\n", -1);
  g_autoptr (GArray) changes = ls_pass_diff (BEFORE, AFTER, LS_PASS_LOG_LLVM, NULL);
  g_autoptr (GArray) rows = ls_pass_rows (a, b, changes);
  g_autoptr (GArray) around = ls_pass_rows_around (rows, 0);

  g_assert_cmpuint (rows->len, ==, 8);
  g_assert_cmpuint (around->len, ==, G_N_ELEMENTS (EXPECTED));
  for (guint i = 0; i < around->len; i++)
    {
      LsPassRow *row = &g_array_index (around, LsPassRow, i);

      g_assert_cmpint (row->a, ==, EXPECTED[i].a);
      g_assert_cmpint (row->b, ==, EXPECTED[i].b);
      g_assert_cmpint (row->changed, ==, EXPECTED[i].changed);
      g_assert_cmpuint (row->left_out, ==, EXPECTED[i].left_out);
    }
}

/* Tells while it reads, and stops where it is asked to. */
static gboolean
seen (LsPassLog *log,
      guint      n,
      gpointer   last)
{
  g_assert_cmpuint (n, >, *(guint *) last);
  g_assert_cmpuint (g_array_index (log->dumps, LsPassDump, n - 1).end, <=, g_bytes_get_size (log->files->pdata[0]));
  *(guint *) last = n;
  return n < 500;
}

static void
test_progress (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "passlog-progress.log", NULL);
  g_autoptr (LsPassLog) log = NULL;
  guint last = 0;

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text, "*** IR Dump After P%u on f ***\ndefine void @f() {\n  ret void\n}\n", i);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  log = ls_pass_log_open_full (path, LS_PASS_LOG_AUTO, TRUE, seen, &last, NULL);
  g_assert_cmpuint (last, ==, 512);
  g_assert_cmpuint (log->dumps->len, ==, 513);
  g_remove (path);
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

/* The first block may get a name, and with it a label: nothing else is another then. */
static void
test_entry (void)
{
  LsPassCounts counts = { 0 };
  g_autoptr (GArray) changes = ls_pass_diff ("define i32 @f(i1 %0) {\n  br i1 %0, label %2, label %3\n\n2:\n  br label %3\n\n3:\n  %4 = phi i32 [ 1, %1 ], [ 2, %2 ]\n  ret i32 %4\n}\n",
                                             "define i32 @f(i1 %x) {\nbb:\n  br i1 %x, label %a, label %b\n\na:\n  br label %b\n\nb:\n  %p = phi i32 [ 1, %bb ], [ 2, %a ]\n  ret i32 %p\n}\n",
                                             LS_PASS_LOG_LLVM, &counts);

  g_assert_cmpuint (changes->len, >, 0);
  g_assert_cmpuint (counts.same, ==, 4);
  g_assert_cmpuint (counts.rewritten + counts.moved + counts.added + counts.removed + counts.duplicated, ==, 0);
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
  g_test_add_func ("/passlog/patch", test_patch);
  g_test_add_func ("/passlog/between", test_between);
  g_test_add_func ("/passlog/hide", test_hide);
  g_test_add_func ("/passlog/align", test_align);
  g_test_add_func ("/passlog/recognise", test_recognise);
  g_test_add_func ("/passlog/progress", test_progress);
  g_test_add_func ("/passlog/stages", test_stages);
  g_test_add_func ("/passlog/rows", test_rows);
  g_test_add_func ("/passlog/errors", test_errors);
  g_test_add_func ("/passlog/entry", test_entry);
  return g_test_run ();
}
