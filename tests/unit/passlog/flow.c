/* flow: blocks and edges of functions of LLVM as LLVM's own parser has them, of MLIR, GCC and PTX by hand; blocks keep their keys from pass to pass. */
#include "engine/passlog/flow.h"

#include <gio/gio.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#define OPT "/usr/lib/llvm-19/bin/opt"

static const char PROGRAM[] =
  "declare i32 @p(...)\ndeclare void @g()\n"
  "define i32 @pick(i32 %x) {\n  switch i32 %x, label %d [\n    i32 0, label %a\n    i32 7, label %b\n    i32 9, label %a\n  ]\na:\n  ret i32 3\n"
  "b:\n  %y = mul i32 %x, 5\n  br label %d\nd:\n  %z = phi i32 [ 1, %0 ], [ %y, %b ]\n  ret i32 %z\n}\n"
  "define i32 @sum(ptr %v, i32 %n) {\nentry:\n  %s = alloca i32\n  %i = alloca i32\n  store i32 0, ptr %s\n  store i32 0, ptr %i\n  br label %head\n"
  "head:\n  %k = load i32, ptr %i\n  %c = icmp slt i32 %k, %n\n  br i1 %c, label %body, label %done\n"
  "body:\n  %w = sext i32 %k to i64\n  %e = getelementptr i32, ptr %v, i64 %w\n  %x = load i32, ptr %e\n  %o = load i32, ptr %s\n  %t = add i32 %o, %x\n  store i32 %t, ptr %s\n"
  "  %k1 = add i32 %k, 1\n  store i32 %k1, ptr %i\n  br label %head\ndone:\n  %r = load i32, ptr %s\n  ret i32 %r\n}\n"
  "define void @careful() personality ptr @p {\n  invoke void @g() to label %ok unwind label %bad\nok:\n  ret void\nbad:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}\n"
  "define void @\"odd name\"(i1 %c) {\n  br i1 %c, label %\"a b\", label %1\n1:\n  br label %\"a b\"\n\"a b\":\n  ret void\n}\n";

static char *
opt_log (void)
{
  const char *const arguments[] = { OPT, "-O2", "-S", "-", "-o", "/dev/null", "-print-after-all", "-print-module-scope", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  char *err = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, PROGRAM, NULL, NULL, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return err;
}

/* Pairs of blocks with an edge between them. */
static guint
count_edges (LLVMValueRef function)
{
  g_autoptr (GHashTable) edges = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block != NULL; block = LLVMGetNextBasicBlock (block))
    {
      LLVMValueRef end = LLVMGetBasicBlockTerminator (block);

      for (unsigned i = 0; i < LLVMGetNumSuccessors (end); i++)
        g_hash_table_add (edges, g_strdup_printf ("%p %p", (void *) block, (void *) LLVMGetSuccessor (end, i)));
    }
  return g_hash_table_size (edges);
}

static guint
count_pairs (LsPassFlow *flow)
{
  g_autoptr (GHashTable) edges = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < flow->edges->len; i++)
    {
      LsPassFlowEdge *edge = flow->edges->pdata[i];

      g_assert_cmpuint (edge->from, <, flow->blocks->len);
      g_assert_cmpuint (edge->to, <, flow->blocks->len);
      g_hash_table_add (edges, g_strdup_printf ("%u %u", edge->from, edge->to));
    }
  return g_hash_table_size (edges);
}

/* Every function of every dump of -O2. */
static void
test_llvm (void)
{
  g_autofree char *text = opt_log ();
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = ls_pass_log_read (bytes, LS_PASS_LOG_LLVM, &error);
  guint n = 0, blocks = 0, edges = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      g_autofree char *module_text = ls_pass_log_dump_text (log, i);
      LLVMContextRef context = LLVMContextCreate ();
      LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy (module_text, strlen (module_text), "dump");
      LLVMModuleRef module = NULL;
      char *message = NULL;

      g_assert_false (LLVMParseIRInContext (context, buffer, &module, &message));
      for (guint j = dump->first; j < dump->first + dump->n; j++)
        {
          const char *name = g_array_index (log->parts, LsPassPart, j).name;
          LLVMValueRef function = LLVMGetNamedFunction (module, name);
          g_autofree char *part = ls_pass_log_part_text (log, j);
          g_autoptr (LsPassFlow) flow = NULL;

          if (function == NULL || *part == '\0')
            continue;
          flow = ls_pass_flow_read (part, LS_PASS_LOG_LLVM);
          if (flow->blocks->len != LLVMCountBasicBlocks (function) || count_pairs (flow) != count_edges (function))
            g_test_message ("%s after %s:\n%s", name, dump->pass, part);
          g_assert_cmpuint (flow->blocks->len, ==, LLVMCountBasicBlocks (function));
          g_assert_cmpuint (count_pairs (flow), ==, count_edges (function));
          n++;
          blocks += flow->blocks->len;
          edges += count_pairs (flow);
        }
      LLVMDisposeModule (module);
      LLVMContextDispose (context);
    }
  g_test_message ("%u functions with %u blocks and %u edges", n, blocks, edges);
  g_assert_cmpuint (n, >, 200);
}

/* "from to label, ..." in the order of the edges. (transfer full) */
static char *
edges_of (LsPassFlow *flow)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < flow->edges->len; i++)
    {
      LsPassFlowEdge *edge = flow->edges->pdata[i];

      g_string_append_printf (words, "%s%s>%s%s%s", i > 0 ? " " : "", ((LsPassBlock *) flow->blocks->pdata[edge->from])->label, ((LsPassBlock *) flow->blocks->pdata[edge->to])->label,
                              edge->label != NULL ? ":" : "", edge->label != NULL ? edge->label : "");
    }
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static void
assert_edges (LsPassLogKind kind,
              const char   *text,
              const char   *expected)
{
  g_autoptr (LsPassFlow) flow = ls_pass_flow_read (text, kind);
  g_autofree char *edges = edges_of (flow);

  g_assert_cmpstr (edges, ==, expected);
}

static void
test_labels (void)
{
  assert_edges (LS_PASS_LOG_LLVM, "define i32 @f(i32 %x) {\n  switch i32 %x, label %d [\n    i32 0, label %a\n    i32 7, label %d\n  ]\na:\n  ret i32 3\nd:\n  ret i32 1\n}\n",
                "entry>d:default entry>a:0 entry>d:7");
  assert_edges (LS_PASS_LOG_LLVM, "define void @f(i1 %c) {\n  br i1 %c, label %2, label %4\n\n2:                ; preds = %0\n  br label %4\n\n4:\n  ret void\n}\n",
                "entry>2:true entry>4:false 2>4");
  assert_edges (LS_PASS_LOG_LLVM, "# Machine code for function f: IsSSA\n\nbb.0.entry:\n  successors: %bb.1(0x40000000), %bb.2(0x40000000)\n  JCC_1 %bb.2, 4, implicit $eflags\n"
                "bb.1:\n  successors: %bb.2\n  NOOP\nbb.2 (%ir-block.3):\n  RET 0\n# End machine code for function f.\n", "bb.0>bb.1 bb.0>bb.2 bb.1>bb.2");
  assert_edges (LS_PASS_LOG_GCC, "int f (int n)\n{\n  <bb 2> [local count: 1]:\n  if (n_1 > 3)\n    goto <bb 3>; [50%]\n  else\n    goto <bb 4>; [50%]\n\n  <bb 3> :\n  n_2 = n_1 + 1;\n\n"
                "  <bb 4> :\n  # n_3 = PHI <n_1(2), n_2(3)>\n  return n_3;\n}\n", "bb 2>bb 3 bb 2>bb 4 bb 3>bb 4");
  assert_edges (LS_PASS_LOG_PTX, ".visible .entry k(\n.param .u64 p\n)\n{\n\tmov.u32 %r1, 5;\n\t@%p1 bra $L__BB0_2;\n\tadd.s32 %r2, %r1, 1;\n\tbra.uni $L__BB0_3;\n$L__BB0_2:\n\tadd.s32 %r2, %r1, 2;\n"
                "$L__BB0_3:\n\tret;\n}\n", "entry>$L__BB0_2:true entry>$L__BB0_3 $L__BB0_2>$L__BB0_3");
}

/* Regions are nested, values join them; of blocks with labels it is control. */
static void
test_regions (void)
{
  const char *loops = "func.func @f(%A: memref<8xf32>) {\n  %c0 = arith.constant 0 : index\n  scf.for %i = %c0 to %c0 step %c0 {\n    %v = memref.load %A[%i] : memref<8xf32>\n"
                      "    scf.if %b {\n      memref.store %v, %A[%c0] : memref<8xf32>\n    } else {\n      %w = arith.addf %v, %v : f32\n    }\n    %u = arith.mulf %v, %v : f32\n  }\n  return\n}\n";
  g_autoptr (LsPassFlow) flow = ls_pass_flow_read (loops, LS_PASS_LOG_MLIR);
  LsPassRegion *inner;

  g_assert_cmpuint (flow->regions->len, ==, 2);
  inner = flow->regions->pdata[1];
  g_assert_cmpint (inner->parent, ==, 0);
  g_assert_cmpstr (((LsPassBlock *) flow->blocks->pdata[inner->head])->label, ==, "scf.if");
  g_assert_cmpstr (((LsPassBlock *) flow->blocks->pdata[flow->blocks->len - 1])->label, ==, "return");
  g_assert_cmpint (((LsPassBlock *) flow->blocks->pdata[flow->blocks->len - 1])->region, ==, -1);
  g_assert_cmpint (((LsPassBlock *) flow->blocks->pdata[flow->blocks->len - 2])->region, ==, 0);        /* the product behind the if */
  assert_edges (LS_PASS_LOG_MLIR, "func.func @g(%c: i1) {\n  cf.cond_br %c, ^bb1, ^bb2\n^bb1:  // pred: ^bb0\n  cf.br ^bb2\n^bb2:\n  return\n}\n", "entry>^bb1:true entry>^bb2:false ^bb1>^bb2");
}

/* Another number is no other block; a new one and what its operations came from are told. */
static void
test_keys (void)
{
  const char *before = "define void @f(i1 %c, ptr %p) {\n  br i1 %c, label %2, label %4\n2:\n  store i32 7, ptr %p\n  br label %4\n4:\n  ret void\n}\n";
  const char *renumbered = "define void @f(i1 %c, ptr %p) {\n  br i1 %c, label %3, label %5\n3:\n  store i32 7, ptr %p\n  br label %5\n5:\n  ret void\n}\n";
  const char *split = "define void @f(i1 %c, ptr %p) {\n  br i1 %c, label %3, label %5\n3:\n  store i32 7, ptr %p\n  br label %4\n4:\n  %x = load i32, ptr %p\n  br label %5\n5:\n  ret void\n}\n";
  g_autoptr (LsPassFlow) a = ls_pass_flow_read (before, LS_PASS_LOG_LLVM), b = ls_pass_flow_read (renumbered, LS_PASS_LOG_LLVM), c = ls_pass_flow_read (split, LS_PASS_LOG_LLVM);
  guint next = 0;

  ls_pass_flow_match (NULL, NULL, a, before, LS_PASS_LOG_LLVM, &next);
  ls_pass_flow_match (a, before, b, renumbered, LS_PASS_LOG_LLVM, &next);
  ls_pass_flow_match (b, renumbered, c, split, LS_PASS_LOG_LLVM, &next);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (((LsPassBlock *) a->blocks->pdata[i])->key, ==, ((LsPassBlock *) b->blocks->pdata[i])->key);
      g_assert_cmpuint (((LsPassBlock *) a->blocks->pdata[i])->version, ==, ((LsPassBlock *) b->blocks->pdata[i])->version);
    }
  g_assert_cmpuint (((LsPassBlock *) c->blocks->pdata[0])->key, ==, ((LsPassBlock *) b->blocks->pdata[0])->key);
  g_assert_cmpuint (((LsPassBlock *) c->blocks->pdata[1])->key, ==, ((LsPassBlock *) b->blocks->pdata[1])->key);
  g_assert_cmpuint (((LsPassBlock *) c->blocks->pdata[3])->key, ==, ((LsPassBlock *) b->blocks->pdata[2])->key);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (((LsPassBlock *) c->blocks->pdata[2])->key, !=, ((LsPassBlock *) b->blocks->pdata[i])->key);
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
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/flow/llvm", g_file_test (OPT, G_FILE_TEST_IS_EXECUTABLE) ? test_llvm : test_missing);
  g_test_add_func ("/passlog/flow/labels", test_labels);
  g_test_add_func ("/passlog/flow/regions", test_regions);
  g_test_add_func ("/passlog/flow/keys", test_keys);
  return g_test_run ();
}
