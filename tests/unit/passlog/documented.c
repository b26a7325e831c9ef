/* documented: logs written by hand after the formats that Triton, XLA and IREE document (logs/README.md), counted by hand. */
#include "engine/passlog/follow.h"
#include "engine/passlog/passlog.h"

#include <glib/gstdio.h>
#include <string.h>

static LsPassLog *
open_log (const char   *name,
          LsPassLogKind expected)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "unit", "passlog", "logs", name, NULL);
  g_autoptr (GError) error = NULL;
  LsPassLog *log;

  g_assert_cmpint (ls_pass_log_recognise (path), !=, LS_PASS_LOG_AUTO);
  log = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, expected);
  return log;
}

/* What a dump must be: added, removed, rewritten, moved; `told`: does the log tell what its pass did? */
typedef struct {
  const char *pass, *unit;
  gboolean    told, effective;
  guint       added, removed, rewritten, moved;
} Expected;

static void
assert_dumps (LsPassLog      *log,
              const Expected *expected,
              guint           n)
{
  g_assert_cmpuint (log->dumps->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      LsPassCounts c = { 0 };

      g_test_message ("%u %s", i + 1, dump->pass);
      g_assert_cmpstr (dump->pass, ==, expected[i].pass);
      g_assert_cmpstr (dump->unit, ==, expected[i].unit);
      g_assert_cmpint (ls_pass_log_tells (log, i), ==, expected[i].told);
      g_assert_cmpint (dump->effective, ==, expected[i].effective);
      if (dump->effective)
        ls_pass_log_count (log, i, &c);
      g_assert_cmpuint (c.added + c.duplicated, ==, expected[i].added);
      g_assert_cmpuint (c.removed, ==, expected[i].removed);
      g_assert_cmpuint (c.rewritten, ==, expected[i].rewritten);
      g_assert_cmpuint (c.moved, ==, expected[i].moved);
    }
}

/* Coalescing put a conversion before and one behind the load; removing them gave every tensor the layout of the load, under the name that the
 * other one had: all nine operations with a layout changed, though seven of them read the same letter by letter. */
static void
test_triton (void)
{
  static const Expected DUMPS[] = {
    { "ConvertTritonToTritonGPU (convert-triton-to-tritongpu)", "'builtin.module' operation", TRUE, TRUE, 0, 0, 9, 0 },
    { "TritonGPUCoalesce (tritongpu-coalesce)", "'builtin.module' operation", TRUE, TRUE, 2, 0, 2, 0 },
    { "TritonGPURemoveLayoutConversions (tritongpu-remove-layout-conversions)", "'builtin.module' operation", TRUE, TRUE, 0, 2, 9, 0 },
    { "CSE (cse)", "'builtin.module' operation", TRUE, TRUE, 0, 0, 0, 0 },      /* numbers of #loc */
    { "SymbolDCE (symbol-dce)", "'builtin.module' operation", FALSE, FALSE, 0, 0, 0, 0 },
  };
  g_autoptr (LsPassLog) log = open_log ("triton.log", LS_PASS_LOG_MLIR);
  g_autoptr (GHashTable) before = NULL, after = NULL;
  g_auto (GStrv) names = NULL;
  guint file;
  gsize start, end;

  g_assert_true (log->before_only);
  assert_dumps (log, DUMPS, G_N_ELEMENTS (DUMPS));
  g_assert_true (ls_pass_log_between (log, 0, &file, &start, &end));
  g_assert_cmpuint (end - start, ==, strlen ("Compiling kernel scale_rows"));
  ls_pass_log_side_aliases (log, g_array_index (log->dumps, LsPassDump, 2).first, &before, &after);
  names = ls_pass_aliases_changed (before, after);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_cmpstr (names[0], ==, "#blocked");
}

/* Someone's kernel has no conversion of layouts any more: who removed it, who brought it, and from which source line it was. */
static void
test_lost_layout (void)
{
  g_autoptr (LsPassLog) log = open_log ("triton.log", LS_PASS_LOG_MLIR);
  g_autoptr (GArray) lines = NULL, mentions = NULL;
  g_autofree guint8 *touches = NULL;
  int part;

  g_assert_cmpint (ls_pass_log_first (log, "ttg.convert_layout", 0), ==, 2);    /* the dump before the third pass has it first */
  g_assert_cmpint (ls_pass_log_remover (log, "ttg.convert_layout"), ==, 2);
  part = ls_pass_log_find_lines (log, "%5", NULL, 2, &lines);
  g_assert_cmpint (part, >=, 0);
  mentions = ls_pass_log_follow (log, (guint) part, lines);
  touches = ls_pass_log_touches (log, mentions);
  g_assert_cmpint (touches[2], >=, LS_PASS_TOUCH_CHANGED);
  g_assert_cmpint (touches[3], <=, LS_PASS_TOUCH_THERE);
}

static void
test_triton_cache (void)
{
  static const Expected DUMPS[] = {
    { "scale_rows.ttir", "", FALSE, FALSE, 0, 0, 0, 0 },
    { "scale_rows.ttgir", "", TRUE, TRUE, 1, 1, 6, 0 },       /* a constant instead of a splat; six operations have layouts; store is one of them */
    { "scale_rows.llir", "", FALSE, FALSE, 0, 0, 0, 0 },
    { "scale_rows.ptx", "", FALSE, FALSE, 0, 0, 0, 0 },
  };
  g_autoptr (LsPassLog) log = open_log ("triton-cache", LS_PASS_LOG_MLIR);
  LsPassDump *ptx = &g_array_index (log->dumps, LsPassDump, 3);
  LsPassCounts c = { 0 };
  g_autoptr (GArray) changes = NULL;
  g_autofree char *text = NULL;

  assert_dumps (log, DUMPS, G_N_ELEMENTS (DUMPS));
  g_assert_cmpint (ptx->language, ==, LS_PASS_LOG_PTX);
  g_assert_cmpuint (ptx->n, ==, 1);
  g_assert_cmpstr (g_array_index (log->parts, LsPassPart, ptx->first).name, ==, "scale_rows");
  text = ls_pass_log_part_text (log, ptx->first);
  changes = ls_pass_diff ("", text, LS_PASS_LOG_PTX, &c);
  g_assert_cmpuint (c.added, ==, 11);           /* instructions; no directive */
  g_assert_cmpint (ls_pass_log_first (log, "ld.global.v2.f32", 0), ==, 3);
}

/* Registers of PTX have other numbers, and a label another name: no change.  %tid.x is no number. */
static void
test_ptx (void)
{
  static const char BEFORE[] = ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .b32 \t%r<4>;\n\tmov.u32 \t%r1, %tid.x;\n\tadd.s32 \t%r2, %r1, 1;\n"
                               "\tsetp.lt.s32 \t%p1, %r2, 8;\n\t@%p1 bra \t$L__BB0_2;\n\tst.global.u32 \t[%rd1], %r2;\n$L__BB0_2:\n\tret;\n}\n";
  static const char RENUMBERED[] = ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .b32 \t%r<9>;\n\tmov.u32 \t%r7, %tid.x;\n\tadd.s32 \t%r1, %r7, 1;\n"
                                   "\tsetp.lt.s32 \t%p3, %r1, 8;\n\t@%p3 bra \t$L__BB0_9;\n\tst.global.u32 \t[%rd4], %r1;\n$L__BB0_9:\n\tret;\n}\n";
  static const char OTHER[] = ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .b32 \t%r<4>;\n\tmov.u32 \t%r1, %ctaid.x;\n\tadd.s32 \t%r2, %r1, 1;\n"
                              "\tsetp.lt.s32 \t%p1, %r2, 8;\n\t@%p1 bra \t$L__BB0_2;\n\tst.global.u32 \t[%rd1], %r1;\n$L__BB0_2:\n\tret;\n}\n";
  LsPassCounts c = { 0 };
  g_autoptr (GArray) same = ls_pass_diff (BEFORE, RENUMBERED, LS_PASS_LOG_PTX, &c);
  g_autoptr (GArray) other = NULL;

  g_assert_cmpuint (c.same, ==, 6);
  g_assert_cmpuint (c.added + c.duplicated + c.removed + c.rewritten + c.moved, ==, 0);
  c = (LsPassCounts) { 0 };
  other = ls_pass_diff (BEFORE, OTHER, LS_PASS_LOG_PTX, &c);
  g_assert_cmpuint (c.rewritten, ==, 2);        /* mov and st */
  g_assert_cmpuint (c.same, ==, 4);
}

/* Files in the order of modules and passes, with what stands before all passes first; another module is another program. */
static void
test_xla (void)
{
  static const Expected DUMPS[] = {
    { "before_optimizations", "module_0002", FALSE, FALSE, 0, 0, 0, 0 },
    { "pipeline-start", "module_0002.simplification", TRUE, FALSE, 0, 0, 0, 0 },
    { "algsimp", "module_0002.simplification", TRUE, TRUE, 0, 1, 1, 1 },        /* a product with one; the second parameter stands later */
    { "dce", "module_0002.simplification", TRUE, TRUE, 0, 2, 0, 0 },            /* constant and broadcast */
    { "fusion", "module_0002.fusion", TRUE, TRUE, 6, 3, 0, 0 },                 /* five in a new computation and its call; three went there */
    { "gpu_after_optimizations", "module_0002", TRUE, FALSE, 0, 0, 0, 0 },
    { "jit_f.gpu_after_optimizations-buffer-assignment", "module_0002.jit_f.gpu_after_optimizations-buffer-assignment.txt", FALSE, FALSE, 0, 0, 0, 0 },
    { "before_optimizations", "module_0011", FALSE, FALSE, 0, 0, 0, 0 },
    { "gpu_after_optimizations", "module_0011", TRUE, TRUE, 3, 1, 0, 0 },
  };
  g_autoptr (LsPassLog) log = open_log ("xla", LS_PASS_LOG_XLA);

  assert_dumps (log, DUMPS, G_N_ELEMENTS (DUMPS));
  g_assert_cmpint (ls_pass_log_remover (log, "broadcast("), ==, 3);
  g_assert_cmpint (ls_pass_log_first (log, "fusion(", 0), ==, 4);
  g_assert_cmpint (ls_pass_log_first (log, "negate(", 0), ==, 7);
}

static void
test_iree (void)
{
  static const Expected DUMPS[] = {
    { "IREEImportPublicPass (iree-import-public)", "", FALSE, FALSE, 0, 0, 0, 0 },
    { "GeneralizeLinalgNamedOpsPass (iree-global-opt-generalize-linalg-named-ops)", "", TRUE, TRUE, 6, 2, 1, 0 },
    { "ElementwiseOpFusionPass (iree-dispatch-creation-elementwise-op-fusion)", "", TRUE, TRUE, 0, 3, 5, 0 },
    { "CSE (cse)", "", TRUE, FALSE, 0, 0, 0, 0 },
  };
  g_autoptr (LsPassLog) log = open_log ("iree.log", LS_PASS_LOG_MLIR);
  guint file;
  gsize start, end;

  assert_dumps (log, DUMPS, G_N_ELEMENTS (DUMPS));
  g_assert_true (ls_pass_log_between (log, 3, &file, &start, &end));            /* the remark */
  g_assert_cmpint (strncmp (ls_pass_log_text (log, file, NULL) + start, "axpy.mlir:4:10: remark:", 23), ==, 0);
  g_assert_cmpint (ls_pass_log_remover (log, "linalg.fill"), ==, 2);
}

static void
test_iree_phases (void)
{
  static const Expected DUMPS[] = {
    { "input", "", FALSE, FALSE, 0, 0, 0, 0 },
    { "abi", "", TRUE, TRUE, 7, 4, 0, 0 },      /* another function: seven lines with its head, and four that are gone */
    { "executable-targets", "", TRUE, TRUE, 1, 2, 1, 0 },
  };
  g_autoptr (LsPassLog) log = open_log ("iree-phases", LS_PASS_LOG_MLIR);

  assert_dumps (log, DUMPS, G_N_ELEMENTS (DUMPS));
  g_assert_cmpint (ls_pass_log_remover (log, "linalg.exp"), ==, 2);
}

/* Two logs of one kernel: the second never coalesces. */
static void
test_two (void)
{
  g_autoptr (LsPassLog) log = open_log ("triton.log", LS_PASS_LOG_MLIR);
  gsize size;
  const char *text = ls_pass_log_text (log, 0, &size);
  gsize from = g_array_index (log->dumps, LsPassDump, 2).head, to = g_array_index (log->dumps, LsPassDump, 3).head;
  g_autofree char *other = g_strndup (text, size);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (LsPassLog) second = NULL;
  g_autoptr (GArray) rows = NULL;
  LsPassCounts c;

  memmove (other + from, other + to, size - to + 1);
  bytes = g_bytes_new (other, strlen (other));
  second = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, NULL);
  rows = ls_pass_logs_align (log, second);
  g_assert_cmpuint (rows->len, ==, 5);
  g_assert_cmpint (g_array_index (rows, LsPassPair, 2).a, ==, 2);
  g_assert_cmpint (g_array_index (rows, LsPassPair, 2).b, ==, -1);
  g_assert_false (ls_pass_dumps_differ (log, 3, second, 2, NULL, &c, NULL));
}

/* A session has the same dumps and parts as the log, and what was shown; its texts are kept once; a damaged one is an error. */
static void
test_session (void)
{
  static const char *const NAMES[] = { "triton.log", "triton-cache", "xla", "iree.log", "iree-phases" };
  g_autofree char *folder = g_dir_make_tmp ("loopscope-documented-XXXXXX", NULL), *path = g_build_filename (folder, "kept.passes", NULL);

  for (guint name = 0; name < G_N_ELEMENTS (NAMES); name++)
    {
      g_autofree char *from = g_test_build_filename (G_TEST_DIST, "unit", "passlog", "logs", NAMES[name], NULL);
      g_autoptr (LsPassLog) log = ls_pass_log_open (from, LS_PASS_LOG_AUTO, NULL), again = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GVariantDict) shown = G_VARIANT_DICT_INIT (NULL);
      const char *pass = NULL;

      g_variant_dict_insert (&shown, "pass", "s", "3");
      g_assert_true (ls_pass_log_save (log, path, g_variant_dict_end (&shown), &error));
      g_assert_cmpint (ls_pass_log_recognise (path), !=, LS_PASS_LOG_AUTO);
      again = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);
      g_assert_no_error (error);
      g_assert_true (g_variant_lookup (again->shown, "pass", "&s", &pass));
      g_assert_cmpstr (pass, ==, "3");
      g_assert_cmpint (again->kind, ==, log->kind);
      g_assert_cmpuint (again->dumps->len, ==, log->dumps->len);
      g_assert_cmpuint (again->parts->len, ==, log->parts->len);
      for (guint i = 0; i < log->dumps->len; i++)
        {
          LsPassDump *a = &g_array_index (log->dumps, LsPassDump, i), *b = &g_array_index (again->dumps, LsPassDump, i);

          g_assert_cmpstr (a->pass, ==, b->pass);
          g_assert_cmpstr (a->unit, ==, b->unit);
          g_assert_cmpint (a->effective, ==, b->effective);
          g_assert_cmpint (a->language, ==, b->language);
        }
      for (guint i = 0; i < log->parts->len; i++)
        {
          g_autofree char *a = ls_pass_log_part_text (log, i), *b = ls_pass_log_part_text (again, i);

          g_assert_cmpstr (a, ==, b);
          g_assert_cmpuint (g_array_index (log->parts, LsPassPart, i).before, ==, g_array_index (again->parts, LsPassPart, i).before);
        }
    }
  for (gsize cut = 20; cut < 200; cut += 20)
    {
      g_autofree char *text = NULL;
      gsize size;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPassLog) log = NULL;

      g_assert_true (g_file_get_contents (path, &text, &size, NULL));
      g_assert_cmpuint (size, >, cut);
      bytes = g_bytes_new (text, cut);
      log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);
      g_assert_null (log);
      g_assert_error (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN);
    }
  g_remove (path);
  g_rmdir (folder);
}

/* A function whose bytes are the same changed where an alias stands for something else, and is the same where an alias only has another name. */
static void
test_aliases (void)
{
  static const char LOG[] = "// -----// IR Dump After A (a) //----- //\n#l = #x.layout<[1]>\nmodule {\n  func.func @f() {\n    %0 = x.y : #l\n    return\n  }\n}\n"
                            "// -----// IR Dump After B (b) //----- //\n#l = #x.layout<[4]>\nmodule {\n  func.func @f() {\n    %0 = x.y : #l\n    return\n  }\n}\n"
                            "// -----// IR Dump After C (c) //----- //\n#l1 = #x.layout<[4]>\nmodule {\n  func.func @f() {\n    %0 = x.y : #l1\n    return\n  }\n}\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (LOG, strlen (LOG));
  g_autoptr (LsPassLog) log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, NULL);
  LsPassCounts c;

  g_assert_cmpuint (log->dumps->len, ==, 3);
  g_assert_true (g_array_index (log->dumps, LsPassDump, 1).effective);
  ls_pass_log_count (log, 1, &c);
  g_assert_cmpuint (c.rewritten, ==, 1);
  ls_pass_log_count (log, 2, &c);
  g_assert_cmpuint (c.added + c.duplicated + c.removed + c.rewritten + c.moved, ==, 0);
}

/* Other names of XLA's files: a time in front, a target with a dot, no name, what stands beside them. */
static void
test_xla_names (void)
{
  static const struct { const char *file, *text, *pass, *unit; gboolean effective; } FILES[] = {       /* in the order that is expected */
    { "1624325116260738.module_0065.pmap_f.1868.before_optimizations.txt", "HloModule f\n\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[4] negate(p)\n}\n",
      "before_optimizations", "1624325116260738.module_0065", FALSE },
    { "1624325116260738.module_0065.pmap_f.1868.0003.simplification.after_algsimp.before_dce.txt", "HloModule f\n\nENTRY e {\n  ROOT p = f32[4] parameter(0)\n}\n",
      "algsimp", "1624325116260738.module_0065.simplification", TRUE },
    { "1624325116260738.module_0065.pmap_f.1868.after_optimizations_before_buffer_assignment.txt", "HloModule f\n\nENTRY e {\n  ROOT p = f32[4] parameter(0)\n}\n",
      "after_optimizations_before_buffer_assignment", "1624325116260738.module_0065", FALSE },
    { "1624325116260738.module_0065.pmap_f.1868.sm_8.0_gpu_after_optimizations.txt", "HloModule f\n\nENTRY e {\n  ROOT q = f32[4] parameter(0)\n}\n",
      "sm_8.0_gpu_after_optimizations", "1624325116260738.module_0065", TRUE },
    { "1624325116260738.module_0065.pmap_f.1868.execution_options.txt", "device: 0\n", "pmap_f.1868.execution_options",
      "1624325116260738.module_0065.pmap_f.1868.execution_options.txt", FALSE },
    { "1624325116260738.module_0065.pmap_f.1868.sm_8.0_gpu_after_optimizations-buffer-assignment.txt", "BufferAssignment:\nallocation 0: size 16\n",
      "pmap_f.1868.sm_8.0_gpu_after_optimizations-buffer-assignment", "1624325116260738.module_0065.pmap_f.1868.sm_8.0_gpu_after_optimizations-buffer-assignment.txt", FALSE },
    { "module_4561.before_optimizations.txt", "HloModule g\n\nENTRY e {\n  ROOT p = f32[4] parameter(0)\n}\n", "before_optimizations", "module_4561", FALSE },
    { "module_4561.after_optimizations.txt", "HloModule g\n\nENTRY e {\n  ROOT p = f32[4] parameter(0)\n}\n", "after_optimizations", "module_4561", FALSE },
  };
  g_autofree char *folder = g_dir_make_tmp ("passlog-xla-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (FILES); i++)
    {
      g_autofree char *path = g_build_filename (folder, FILES[i].file, NULL);

      g_assert_true (g_file_set_contents (path, FILES[i].text, -1, NULL));
    }
  log = ls_pass_log_open (folder, LS_PASS_LOG_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, LS_PASS_LOG_XLA);
  g_assert_cmpuint (log->dumps->len, ==, G_N_ELEMENTS (FILES));
  for (guint i = 0; i < G_N_ELEMENTS (FILES); i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      g_autofree char *path = g_build_filename (folder, FILES[i].file, NULL);

      g_assert_cmpstr (dump->pass, ==, FILES[i].pass);
      g_assert_cmpstr (dump->unit, ==, FILES[i].unit);
      g_assert_cmpint (dump->effective, ==, FILES[i].effective);
      g_remove (path);
    }
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/documented/triton", test_triton);
  g_test_add_func ("/passlog/documented/lost-layout", test_lost_layout);
  g_test_add_func ("/passlog/documented/triton-cache", test_triton_cache);
  g_test_add_func ("/passlog/documented/ptx", test_ptx);
  g_test_add_func ("/passlog/documented/xla", test_xla);
  g_test_add_func ("/passlog/documented/xla-names", test_xla_names);
  g_test_add_func ("/passlog/documented/iree", test_iree);
  g_test_add_func ("/passlog/documented/iree-phases", test_iree_phases);
  g_test_add_func ("/passlog/documented/two", test_two);
  g_test_add_func ("/passlog/documented/session", test_session);
  g_test_add_func ("/passlog/documented/aliases", test_aliases);
  return g_test_run ();
}
