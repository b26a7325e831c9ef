/* follow: values, blocks and source lines through small logs written by hand; every link and what each dump does to the pin. */
#include "engine/passlog/follow.h"

#include <string.h>

static LsPassLog *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  return log;
}

/* The mentions as text: "dump.line how" with ! where it changed, in their order; then what each dump does. (transfer full) */
static char *
follow (LsPassLog  *log,
        const char *what,
        const char *function,
        guint       dump)
{
  static const char TOUCHES[] = ".tcg";
  g_autoptr (GArray) lines = NULL, mentions = NULL;
  g_autofree guint8 *touches = NULL;
  g_autoptr (GString) said = g_string_new (NULL);
  int part = ls_pass_log_find_lines (log, what, function, dump, &lines);

  if (part < 0)
    return g_strdup ("none");
  mentions = ls_pass_log_follow (log, (guint) part, lines);
  touches = ls_pass_log_touches (log, mentions);
  for (guint i = 0; i < mentions->len; i++)
    {
      LsPassMention *mention = &g_array_index (mentions, LsPassMention, i);

      g_assert_true (mention->from < (int) mentions->len && (mention->from >= 0 || mention->how == LS_PASS_LINK_PINNED || mention->how == LS_PASS_LINK_LOCATION));
      g_string_append_printf (said, "%u.%u %s%s\n", g_array_index (log->parts, LsPassPart, mention->part).dump, mention->line, ls_pass_link_kind_name (mention->how),
                              mention->changed ? "!" : "");
    }
  for (guint i = 0; i < log->dumps->len; i++)
    g_string_append_c (said, TOUCHES[touches[i]]);
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
assert_follows (const char *text,
                const char *what,
                const char *function,
                guint       dump,
                const char *expected)
{
  g_autoptr (LsPassLog) log = read_text (text);
  g_autofree char *said = follow (log, what, function, dump);

  g_assert_cmpstr (said, ==, expected);
}

#define HEAD(pass, function) "*** IR Dump After " pass " on " function " ***\n"

/* %m is renumbered, then %s moved behind it, then %m rewritten, then unrolled twice, then gone; nothing says where it comes from. */
static const char VALUE[] =
  HEAD ("A", "f") "define i32 @f(i32 %a, i32 %b) {\n  %s = sub i32 %a, %b\n  %m = mul i32 %a, %b\n  %r = xor i32 %m, %s\n  ret i32 %r\n}\n"
  HEAD ("B", "f") "define i32 @f(i32 %a, i32 %b) {\n  %s = sub i32 %a, %b\n  %m = mul i32 %a, %b\n  %r = xor i32 %m, %s\n  ret i32 %r\n}\n"
  HEAD ("C", "f") "define i32 @f(i32 %a, i32 %b) {\n  %1 = sub i32 %a, %b\n  %2 = mul i32 %a, %b\n  %3 = xor i32 %2, %1\n  ret i32 %3\n}\n"
  HEAD ("D", "f") "define i32 @f(i32 %a, i32 %b) {\n  %1 = mul i32 %a, %b\n  %2 = sub i32 %a, %b\n  %3 = xor i32 %1, %2\n  ret i32 %3\n}\n"
  HEAD ("E", "f") "define i32 @f(i32 %a, i32 %b) {\n  %1 = mul nsw i32 %a, %b\n  %2 = sub i32 %a, %b\n  %3 = xor i32 %1, %2\n  ret i32 %3\n}\n"
  HEAD ("F", "f") "define i32 @f(i32 %a, i32 %b) {\n  %1 = mul nsw i32 %a, %b\n  %2 = sub i32 %a, %b\n  %3 = xor i32 %1, %2\n  %4 = mul nsw i32 %3, %b\n"
                  "  ret i32 %4\n}\n"
  HEAD ("G", "f") "define i32 @f(i32 %a, i32 %b) {\n  ret i32 %a\n}\n";

static void
test_value (void)
{
  assert_follows (VALUE, "%m", NULL, 0,
                  "0.2 pinned\n1.2 text\n2.2 same\n3.1 same\n4.1 rewritten!\n5.1 same\n5.4 copy!\nt.ttccg");
  assert_follows (VALUE, "%s", NULL, 0, "0.1 pinned\n1.1 text\n2.1 same\n3.2 moved!\n4.2 same\n5.2 same\nt.tcttg");
  /* From the middle on, it is known what it was before. */
  assert_follows (VALUE, "%1", "f", 3, "0.2 text\n1.2 same\n2.2 same\n3.1 pinned\n4.1 rewritten!\n5.1 same\n5.4 copy!\nt.ttccg");
  assert_follows (VALUE, "%nothing", NULL, 0, "none");
  assert_follows (VALUE, "%m", "g", 0, "none");
  assert_follows (VALUE, "ret i32", NULL, 6, "0.4 text\n1.4 same\n2.4 same\n3.4 same\n4.4 rewritten!\n5.5 rewritten!\n6.1 pinned\nt.tttcc");
}

/* Two places of one line; the second dump has another order of nodes, the third copies one of them into another function. */
#define NODES(a, b, file)                                                                                                          \
  "!1 = !DIFile(filename: \"" file "\", directory: \"/\")\n!2 = distinct !DISubprogram(name: \"f\", file: !1, line: 1)\n"           \
  "!" a " = !DILocation(line: 3, column: 9, scope: !2)\n!" b " = !DILocation(line: 4, column: 2, scope: !2)\n"
#define MODULE "; ModuleID = 'x'\n"

static const char SOURCE[] =
  HEAD ("A", "[module]") MODULE
  "define float @f(float %x) {\n  %m = fmul float %x, 2.0, !dbg !5\n  ret float %m, !dbg !6\n}\ndefine float @g(float %x) {\n  %r = call float @f(float %x)\n"
  "  ret float %r\n}\n" NODES ("5", "6", "d/x.c")
  HEAD ("B", "[module]") MODULE
  "define float @f(float %x) {\n  %1 = fadd float %x, %x, !dbg !9\n  ret float %1, !dbg !8\n}\ndefine float @g(float %x) {\n  %r = call float @f(float %x)\n"
  "  ret float %r\n}\n" NODES ("9", "8", "d/x.c")
  HEAD ("C", "[module]") MODULE
  "define float @f(float %x) {\n  %1 = fadd float %x, %x, !dbg !9\n  ret float %1, !dbg !8\n}\ndefine float @g(float %x) {\n  %i = fmul float %x, 2.0, !dbg !9\n"
  "  ret float %i\n}\n" NODES ("9", "8", "d/x.c");

static void
test_source (void)
{
  assert_follows (SOURCE, "x.c:3", NULL, 0, "0.1 pinned\n1.1 location!\n2.1 text\n2.1 location!\ntcc");
  assert_follows (SOURCE, ":4", NULL, 0, "0.2 pinned\n1.2 location!\n2.2 text\ntc.");
  assert_follows (SOURCE, "y.c:3", NULL, 0, "none");
  assert_follows (SOURCE, "c:3", NULL, 0, "none");
}

static const char MLIR[] =
  "// -----// IR Dump After A (a) ('func.func' operation: @f) //----- //\n"
  "func.func @f(%arg0: f32 loc(\"k.py\":1:8)) -> f32 {\n  %0 = arith.mulf %arg0, %arg0 : f32 loc(#loc2)\n  cf.br ^bb1(%0 : f32) loc(#loc3)\n"
  "^bb1(%1: f32 loc(#loc3)):  // pred: ^bb0\n  return %1 : f32 loc(#loc3)\n}\n#loc1 = loc(\"k.py\":7:3)\n#loc2 = loc(fused[#loc1])\n#loc3 = loc(\"k.py\":8:1)\n"
  "// -----// IR Dump After B (b) ('func.func' operation: @f) //----- //\n"
  "func.func @f(%arg0: f32 loc(\"k.py\":1:8)) -> f32 {\n  %0 = arith.addf %arg0, %arg0 : f32 loc(#loc9)\n  %1 = math.exp %0 : f32 loc(#loc9)\n  cf.br ^bb1(%1 : f32) loc(#loc8)\n"
  "^bb1(%2: f32 loc(#loc8)):  // pred: ^bb0\n  return %2 : f32 loc(#loc8)\n}\n#loc9 = loc(\"k.py\":7:3)\n#loc8 = loc(\"k.py\":8:1)\n";

static void
test_mlir (void)
{
  assert_follows (MLIR, "%0", NULL, 0, "0.1 pinned\n1.1 location!\n1.2 location!\ntc");
  assert_follows (MLIR, "k.py:7", NULL, 0, "0.1 pinned\n1.1 location!\n1.2 location!\ntc");
  assert_follows (MLIR, "^bb1", NULL, 1, "0.3 location\n1.4 pinned\ntt");
}

/* Lines of a text by where they come from; a dump without nodes tells of none. */
static void
test_lines (void)
{
  static const struct { const char *place; guint line; } PLACES[] = {
    { "scale.c:4:17", 4 }, { "scale.c:4", 4 }, { ":7:1", 7 }, { "", 0 }, { "scale.c", 0 }, { "a:b/c.py:12:3", 12 }, { "C:5:6:7", 6 },
  };
  const char *text = "  %x = add i32 1, 2, !dbg !9\n  ret i32 %x, !dbg !8\n}\n";
  g_autofree char *whole = g_strdup_printf ("; *** IR Dump After SROAPass on [module] ***\n; ModuleID = 'f'\ndefine i32 @f() !dbg !7 {\n%s"
                                            "!1 = !DIFile(filename: \"f.c\", directory: \"/\")\n!7 = distinct !DISubprogram(name: \"f\", file: !1)\n"
                                            "!8 = !DILocation(line: 12, column: 3, scope: !7)\n!9 = !DILocation(line: 4, column: 17, scope: !7)\n", text);
  g_autofree char *part = g_strdup_printf ("; *** IR Dump After SROAPass on f ***\ndefine i32 @f() !dbg !7 {\n%s", text);
  g_autoptr (LsPassLog) log = read_text (whole), alone = read_text (part);
  g_auto (GStrv) places = ls_pass_log_line_places (log, 0, text);

  g_assert_nonnull (places);
  g_assert_cmpuint (g_strv_length (places), ==, 4);
  g_assert_cmpstr (places[0], ==, "f.c:4:17");
  g_assert_cmpstr (places[1], ==, "f.c:12:3");
  g_assert_cmpstr (places[2], ==, "");
  g_assert_null (ls_pass_log_line_places (alone, 0, text));
  for (guint i = 0; i < G_N_ELEMENTS (PLACES); i++)
    g_assert_cmpuint (ls_pass_place_line (PLACES[i].place), ==, PLACES[i].line);
}

/* Two loads of a line each; one goes and the other is rewritten: the locations say which, in LLVM's metadata and in MLIR's aliases. */
static void
test_places (void)
{
#define LLVM_DUMP(pass, body) "; *** IR Dump After " pass " on [module] ***\n; ModuleID = 'x'\n" body                                              \
  "!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n!2 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !9)\n"           \
  "!10 = !DILocation(line: 10, column: 3, scope: !2)\n!11 = !DILocation(line: 11, column: 3, scope: !2)\n!9 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n"
  static const char OF_LLVM[] =
    LLVM_DUMP ("A", "define void @f(ptr %p, ptr %q) {\n  %a = load i32, ptr %p, align 4, !dbg !10\n  %b = load i32, ptr %q, align 4, !dbg !11\n"
                    "  call void @g(i32 %a)\n  call void @h(i32 %b)\n  ret void\n}\n")
    LLVM_DUMP ("B", "define void @f(ptr %p, ptr %q) {\n  %c = load i64, ptr %q, align 8, !dbg !11\n  ret void\n}\n");
  static const char OF_MLIR[] =
    "// -----// IR Dump After A ('builtin.module' operation) //----- //\nmodule {\n  func.func @f(%p: memref<8xi32>) {\n    %0 = my.load %p, 0 : i32 loc(#loc1)\n    %1 = my.load %p, 1 : i32 loc(#loc2)\n"
    "    my.use %0 : i32\n    my.use %1 : i32\n    return\n  }\n}\n#loc1 = loc(\"a.py\":10:3)\n#loc2 = loc(\"a.py\":11:3)\n"
    "// -----// IR Dump After B ('builtin.module' operation) //----- //\nmodule {\n  func.func @f(%p: memref<8xi32>) {\n    %0 = my.load %p, 5 : i64 loc(#loc1)\n    return\n  }\n}\n"
    "#loc1 = loc(\"a.py\":11:3)\n";
  const struct { const char *text; int from; } CASES[] = { { OF_LLVM, 2 }, { OF_MLIR, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (LsPassLog) log = read_text (CASES[i].text);
      guint part = g_array_index (log->dumps, LsPassDump, 1).first;
      g_autofree char *before = NULL, *after = NULL;
      g_autoptr (GArray) changes = NULL;
      int from, to, rewritten = -1;

      ls_pass_log_part_sides (log, part, &before, &after);
      ls_pass_log_side_parts (log, part, &from, &to);
      changes = ls_pass_sides_diff (&(LsPassSide) { log, before, from, TRUE }, &(LsPassSide) { log, after, to, FALSE }, NULL, NULL);
      for (guint j = 0; j < changes->len; j++)
        if (g_array_index (changes, LsPassChange, j).kind == LS_PASS_REWRITTEN)
          rewritten = g_array_index (changes, LsPassChange, j).a;
      g_assert_cmpint (rewritten, ==, CASES[i].from);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/follow/value", test_value);
  g_test_add_func ("/passlog/follow/source", test_source);
  g_test_add_func ("/passlog/follow/mlir", test_mlir);
  g_test_add_func ("/passlog/follow/lines", test_lines);
  g_test_add_func ("/passlog/follow/places", test_places);
  return g_test_run ();
}
