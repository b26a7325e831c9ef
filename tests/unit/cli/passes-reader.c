/* passes --reader: LLVM IR is read by LLVM, in the worker; what it refuses is shown all the same, with its sentence, and what ends it ends nothing. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/resource.h>

#define CLI "app/cli/loopscope-cli"

/* Dumps of functions alone: types, a variable, a callee, metadata and a group of attributes are not in them. */
static const char FUNCTIONS[] =
  "; *** IR Dump After First on [module] ***\n; ModuleID = 'x'\n%pair = type { i32, %inner }\n%inner = type { ptr, i32 }\n@table = external addrspace(3) global i32\n"
  "define i32 @f(ptr %p, i32 %n) {\nentry:\n  %q = getelementptr %pair, ptr %p, i32 0, i32 1, i32 1\n  %x = load i32, ptr %q, align 4\n  %t = load i32, ptr addrspace(3) @table, align 4\n"
  "  %y = add i32 %x, %t\n  %z = call i32 @g(i32 %y)\n  ret i32 %z\n}\ndeclare i32 @g(i32)\n"
  "; *** IR Dump After Second on f ***\ndefine i32 @f(ptr %p, i32 %n) #3 {\nentry:\n  %q = getelementptr %pair, ptr %p, i32 0, i32 1, i32 1\n  %0 = load i32, ptr %q, align 4, !tbaa !7, !dbg !9\n"
  "  %1 = load i32, ptr addrspace(3) @table, align 4\n  %2 = add i32 %0, %1\n  %3 = mul i32 %2, 3\n  %4 = call i32 @g(i32 %3) #4\n  ret i32 %4\n}\n";

/* The answer in JSON. (transfer full) */
static JsonNode *
ask (const char *path,
     const char *rest)
{
  g_autofree char *quoted = g_shell_quote (path), *line = g_strdup_printf ("passes %s %s --json", quoted, rest);
  g_auto (LsTestRun) result = ls_test_run (CLI, line);
  g_autoptr (GError) error = NULL;
  JsonNode *root;

  g_assert_cmpstr (result.err, ==, "");
  g_assert_cmpint (result.status, ==, 0);
  root = json_from_string (result.out, &error);
  g_assert_no_error (error);
  return root;
}

static JsonObject *
dump_at (JsonNode *root,
         guint     i)
{
  return json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "dumps"), i);
}

static const char *
reader_of (JsonObject *object)
{
  return json_object_get_string_member_with_default (object, "reader", "");
}

/* A function alone gets its types from the module before it and declarations for the rest. */
static void
test_functions (void)
{
  g_autofree char *path = ls_test_write ("functions.log", FUNCTIONS);
  g_autoptr (JsonNode) list = ask (path, ""), diff = ask (path, "--diff 1 2"), tolerant = ask (path, "--diff 1 2 --reader tolerant");
  JsonObject *second = dump_at (list, 1), *one = json_array_get_object_element (json_node_get_array (diff), 0);

  g_assert_true (g_str_has_prefix (reader_of (second), "LLVM "));
  g_assert_true (g_str_has_prefix (reader_of (one), "LLVM "));
  g_assert_cmpstr (reader_of (json_array_get_object_element (json_node_get_array (tolerant), 0)), ==, "the tolerant reader");
  /* One multiplication is new, and the call takes it; other numbers, metadata and groups of attributes are no change. */
  g_assert_cmpint (json_object_get_int_member (second, "added"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (second, "rewritten"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (second, "removed"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (second, "same"), ==, 5);
}

/* A text of another version, or a damaged one, is shown, with what LLVM says of it. */
static void
test_refused (void)
{
  static const struct { const char *from, *to, *says; } CASES[] = {
    { "@f(ptr %p, i32 %n) #3", "@f(ptr captures(none) %p, i32 %n) #3", "" },            /* an attribute of LLVM 21 */
    { "mul i32 %2, 3", "frobnicate i32 %2, 3", "expected instruction opcode" },
    { "mul i32 %2, 3", "mul i32 %2", "expected ','" },
    { "i32 %3) #4\n  ret i32 %4\n}", "i32 %3", "" },                  /* cut */
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (GString) text = g_string_new (FUNCTIONS);
      g_autofree char *path = NULL, *quoted = NULL, *line = NULL;
      g_autoptr (JsonNode) diff = NULL;
      JsonObject *one;

      g_assert_cmpuint (g_string_replace (text, CASES[i].from, CASES[i].to, 0), ==, 1);
      path = ls_test_write ("refused.log", text->str);
      diff = ask (path, "--diff 1 2");
      one = json_array_get_object_element (json_node_get_array (diff), 0);
      g_test_message ("%s", reader_of (one));
      g_assert_true (g_str_has_prefix (reader_of (one), "the tolerant reader: LLVM: "));
      g_assert_nonnull (strstr (reader_of (one), CASES[i].says));
      g_assert_cmpint (json_object_get_int_member (one, "same"), >, 2);
      quoted = g_shell_quote (path);
      line = g_strdup_printf ("passes %s --diff 1 2", quoted);
      {
        g_auto (LsTestRun) result = ls_test_run (CLI, line);

        g_assert_nonnull (strstr (result.out, "read by the tolerant reader: LLVM: "));
        g_assert_nonnull (strstr (result.out, "getelementptr %pair"));
      }
    }
}

/* Pieces of functions and machine code are not given to LLVM; nor is a worker that is not there an end. */
static void
test_others (void)
{
  static const char LOOP[] = "; *** IR Dump After A on loop %h in function f ***\n; Preheader:\nh:\n  %i = add i32 %i, 1\n  br label %h\n"
                             "; *** IR Dump After B on loop %h in function f ***\n; Preheader:\nh:\n  %i = add i32 %i, 2\n  br label %h\n";
  static const char MACHINE[] = "# *** IR Dump After A (a) ***:\n# Machine code for function f: NoPHIs\n\nbb.0:\n  %0:gr32 = MOV32ri 1\n  RET 0\n\n# End machine code for function f.\n\n"
                                "# *** IR Dump After B (b) ***:\n# Machine code for function f: NoPHIs\n\nbb.0:\n  %0:gr32 = MOV32ri 2\n  RET 0\n\n# End machine code for function f.\n\n";
  g_autofree char *loop = ls_test_write ("loop.log", LOOP), *machine = ls_test_write ("machine.log", MACHINE), *whole = ls_test_write ("whole.log", FUNCTIONS);
  g_autoptr (JsonNode) of_loop = ask (loop, ""), of_machine = ask (machine, ""), alone = NULL;

  g_assert_nonnull (strstr (reader_of (dump_at (of_loop, 1)), "only a loop or a piece"));
  g_assert_nonnull (strstr (reader_of (dump_at (of_machine, 1)), "machine code"));
  g_assert_cmpint (json_object_get_int_member (dump_at (of_machine, 1), "rewritten"), ==, 1);
  g_setenv ("LS_WORKER", "/nonexistent/worker", TRUE);
  alone = ask (whole, "");
  g_unsetenv ("LS_WORKER");
  g_test_message ("%s", reader_of (dump_at (alone, 1)));
  g_assert_true (g_str_has_prefix (reader_of (dump_at (alone, 1)), "the tolerant reader: LLVM did not answer: "));
  g_assert_cmpint (json_object_get_int_member (dump_at (alone, 1), "added"), ==, 1);
}

/* Two logs by LLVM: a number written in another way is a difference to the tolerant reader and none to LLVM; what is different at the end is told by function. */
static void
test_two (void)
{
  static const char A[] = "*** IR Dump At Start ***\n; ModuleID = 'm'\ndefine float @f(float %x) {\n  %a = fadd float %x, 1.0\n  ret float %a\n}\n"
                          "define i32 @g(i32 %x) {\n  %b = add i32 %x, 1\n  ret i32 %b\n}\n*** IR Dump After First on f ***\n"
                          "define float @f(float %x) {\n  %a = fmul float %x, 2.0\n  ret float %a\n}\n"
                          "*** IR Dump After Second on g ***\ndefine i32 @g(i32 %x) {\n  ret i32 %x\n}\n";
  static const struct { const char *from, *to; } LIKE[] = { { "%x, 1.0", "%x, 0x3FF0000000000000" }, { "%x, 2.0", "%y, 2.000000e+00" }, { "@f(float %x) {\n  %a = fmul", "@f(float %y) {\n  %a = fmul" } };
  static const struct { const char *from, *to; } OTHER = { "*** IR Dump After Second on g ***\ndefine i32 @g(i32 %x) {\n  ret i32 %x\n}\n",
                                                           "*** IR Dump After Second on g ***\ndefine i32 @g(i32 %x) {\n  %c = mul i32 %x, 3\n  ret i32 %c\n}\n" };
  g_autoptr (GString) like = g_string_new (A), other = g_string_new (A);
  g_autofree char *path = ls_test_write ("here.log", A), *alike = NULL, *changed = NULL;
  g_autofree char *same = NULL, *tolerant = NULL, *differs = NULL, *asked = NULL;
  g_autoptr (JsonNode) by_llvm = NULL, by_tolerant = NULL, found = NULL, of_f = NULL;
  JsonObject *object, *end;

  for (guint i = 0; i < G_N_ELEMENTS (LIKE); i++)
    g_assert_cmpuint (g_string_replace (like, LIKE[i].from, LIKE[i].to, 0), ==, 1);
  g_assert_cmpuint (g_string_replace (other, OTHER.from, OTHER.to, 0), ==, 1);
  alike = ls_test_write ("alike.log", like->str);
  changed = ls_test_write ("there.log", other->str);
  same = g_strdup_printf ("--first-difference %s", alike);
  tolerant = g_strdup_printf ("--first-difference %s --reader tolerant", alike);
  differs = g_strdup_printf ("--first-difference %s", changed);
  asked = g_strdup_printf ("--first-difference %s --function f", changed);
  by_llvm = ask (path, same);
  by_tolerant = ask (path, tolerant);
  found = ask (path, differs);
  of_f = ask (path, asked);
  object = json_node_get_object (by_llvm);
  g_assert_cmpstr (json_object_get_string_member_with_default (object, "difference", "none"), ==, "none");
  g_assert_true (g_str_has_prefix (reader_of (object), "LLVM "));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "at_the_end")), ==, 0);
  object = json_node_get_object (by_tolerant);
  g_assert_cmpstr (json_object_get_string_member (object, "difference"), ==, "other results");
  g_assert_cmpstr (reader_of (object), ==, "the tolerant reader");
  object = json_node_get_object (found);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (object, "there"), "number"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (object, "there"), "added"), ==, 1);
  g_assert_true (g_str_has_prefix (reader_of (json_object_get_object_member (object, "there")), "LLVM "));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "at_the_end")), ==, 1);
  end = json_array_get_object_element (json_object_get_array_member (object, "at_the_end"), 0);
  g_assert_cmpstr (json_object_get_string_member (end, "function"), ==, "g");
  g_assert_cmpint (json_object_get_int_member (end, "added"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (end, "rewritten"), ==, 1);
  g_assert_true (g_str_has_prefix (reader_of (end), "LLVM "));
  g_assert_cmpstr (json_object_get_string_member_with_default (json_node_get_object (of_f), "difference", "none"), ==, "none");
  {
    g_autofree char *line = g_strdup_printf ("passes %s --first-difference %s --function nowhere", path, changed);
    g_auto (LsTestRun) result = ls_test_run (CLI, line);

    g_assert_cmpint (result.status, ==, 1);
    g_assert_nonnull (strstr (result.err, "function nowhere"));
  }
}

/* Who removed it is told with LLVM's counts, and with who counted. */
static void
test_who (void)
{
  g_autofree char *path = ls_test_write ("who.log", FUNCTIONS);
  g_autoptr (JsonNode) answer = ask (path, "--who-removed '%y'"), tolerant = ask (path, "--who-removed '%y' --reader tolerant");

  g_assert_cmpint (json_object_get_int_member (json_node_get_object (answer), "number"), ==, 2);
  g_assert_true (g_str_has_prefix (reader_of (json_node_get_object (answer)), "LLVM "));
  g_assert_cmpstr (reader_of (json_node_get_object (tolerant)), ==, "the tolerant reader");
}

/* What is followed is matched by the same reader, and comes to the same. */
static void
test_follow (void)
{
  g_autofree char *path = ls_test_write ("follow.log", FUNCTIONS);
  g_autoptr (JsonNode) answer = ask (path, "--follow %y"), tolerant = ask (path, "--follow %y --reader tolerant");
  g_autofree char *by_llvm = NULL, *by_tolerant = NULL;

  g_assert_true (g_str_has_prefix (reader_of (json_node_get_object (answer)), "LLVM "));
  g_assert_cmpstr (reader_of (json_node_get_object (tolerant)), ==, "the tolerant reader");
  json_object_remove_member (json_node_get_object (answer), "reader");
  json_object_remove_member (json_node_get_object (tolerant), "reader");
  by_llvm = json_to_string (answer, TRUE);
  by_tolerant = json_to_string (tolerant, TRUE);
  g_assert_nonnull (strstr (by_llvm, "%2 = add i32 %0, %1"));
  g_assert_cmpstr (by_llvm, ==, by_tolerant);
}

/* A line of the shell, whose @ is the command. (transfer full) */
static char *
shell (const char *line)
{
  g_autofree char *cli = g_build_filename (g_getenv ("LS_BUILD_ROOT"), CLI, NULL), *out = NULL, *err = NULL;
  g_auto (GStrv) pieces = g_strsplit (line, "@", -1);
  g_autofree char *whole = g_strjoinv (cli, pieces);
  const char *const arguments[] = { "sh", "-c", whole, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, NULL, &error));
  g_assert_no_error (error);
  return g_strconcat (out, err, NULL);
}

/* A file, standard input, a pipe with a name and a command say the same; a command that fails is quoted. */
static void
test_pipes (void)
{
  g_autofree char *path = ls_test_write ("piped.log", FUNCTIONS), *file_line = g_strdup_printf ("@ passes %s --json", path), *of_file = shell (file_line);
  const char *const lines[] = {
    "cat %s | @ passes - --json", "rm -f %s.pipe; mkfifo %s.pipe && { cat %s > %s.pipe & @ passes %s.pipe --json; rm %s.pipe; }", "@ passes --json -- cat %s",
  };
  g_autofree char *failed = shell ("@ passes -- sh -c 'echo what went wrong >&2; exit 3'");

  g_assert_nonnull (strstr (of_file, "\"added\" : 1"));
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (GStrv) pieces = g_strsplit (lines[i], "%s", -1);
      g_autofree char *line = g_strjoinv (path, pieces), *said = shell (line);

      g_assert_cmpstr (said, ==, of_file);
    }
  g_assert_nonnull (strstr (failed, "what went wrong"));
  g_assert_nonnull (strstr (failed, "did not end well"));
}

/* What stands between dumps is told with where. */
static void
test_between (void)
{
  g_autofree char *text = g_strdup_printf ("x.c:1: warning: first\n%sbehind\n", FUNCTIONS), *path = ls_test_write ("between.log", text);
  g_autoptr (JsonNode) said = ask (path, "--between");
  JsonArray *rows = json_node_get_array (said);

  g_assert_cmpuint (json_array_get_length (rows), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (rows, 0), "text"), ==, "x.c:1: warning: first");
  g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (rows, 0), "before"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (rows, 1), "text"), ==, "behind");
  g_assert_true (json_object_get_null_member (json_array_get_object_element (rows, 1), "before"));
}

/* Functions cut and changed at random: each is shown, by LLVM or by the tolerant reader with LLVM's sentence, and nothing ends. */
static void
test_damaged (void)
{
  static const char FUNCTION[] =
    "define i32 @f(ptr %p, i32 %n) #3 {\nentry:\n  %q = getelementptr %pair, ptr %p, i32 0, i32 1\n  %c = icmp slt i32 %n, 7\n  br i1 %c, label %a, label %b\na:\n"
    "  %x = load <4 x i32>, ptr %q, align 4, !tbaa !7\n  %e = extractelement <4 x i32> %x, i64 2\n  switch i32 %e, label %b [\n    i32 1, label %d\n    i32 2, label %d\n  ]\n"
    "b:\n  %z = call fastcc { i32, ptr } @g(i32 noundef %n, ptr @table) #4\n  %v = extractvalue { i32, ptr } %z, 0\n  br label %d\nd:\n"
    "  %r = phi i32 [ %e, %a ], [ %e, %a ], [ %v, %b ]\n  ret i32 %r\n}\n";
  static const guint N = 400;
  g_autoptr (GString) text = g_string_new ("; *** IR Dump After First on [module] ***\n; ModuleID = 'x'\n%pair = type { i32, <4 x i32> }\ndefine i32 @f(ptr %p, i32 %n) {\n  ret i32 0\n}\n");
  g_autofree char *path = NULL;
  g_autoptr (JsonNode) list = NULL;
  guint llvm = 0, refused = 0;

  for (guint i = 0; i < N; i++)
    {
      g_autoptr (GString) one = g_string_new (FUNCTION);

      gboolean whole = g_test_rand_bit ();

      g_string_replace (one, "i32 %n, 7", i % 2 == 0 ? "i32 %n, 7" : "i32 %n, 8", 0);
      for (int n = whole ? 0 : g_test_rand_int_range (1, 4); n > 0; n--)
        {
          gsize at = (gsize) g_test_rand_int_range (10, (int) one->len - 2);
          int length = g_test_rand_int_range (1, 9);

          if (g_test_rand_bit ())
            g_string_erase (one, (gssize) at, MIN (length, (int) (one->len - at) - 1));
          else
            one->str[at] = "%@!#{}(),<>*0189abz\n \""[g_test_rand_int_range (0, 23)];
        }
      if (!whole && g_test_rand_int_range (0, 8) == 0)
        g_string_truncate (one, (gsize) g_test_rand_int_range (20, (int) one->len));
      g_string_append_printf (text, "; *** IR Dump After Pass%u on f ***\n%s\n", i, one->str);
    }
  path = ls_test_write ("damaged.log", text->str);
  list = ask (path, "--reader llvm");
  for (guint i = 0; i < json_array_get_length (json_object_get_array_member (json_node_get_object (list), "dumps")); i++)
    {
      const char *reader = reader_of (dump_at (list, i));

      llvm += g_str_has_prefix (reader, "LLVM ");
      refused += g_str_has_prefix (reader, "the tolerant reader: ");
      g_assert_true (*reader == '\0' || g_str_has_prefix (reader, "LLVM ") || g_str_has_prefix (reader, "the tolerant reader: "));
    }
  g_test_message ("%u dumps read by LLVM, %u refused", llvm, refused);
  g_assert_cmpuint (llvm, >, 10);
  g_assert_cmpuint (refused, >, N / 4);
}

/* What comes through a pipe is let go of dump by dump: 256 MiB of a log take no more than a few dumps.  A mention that lies across two pieces counts, also
 * in the last dump, which has no end but the pipe's. */
static void
test_long_pipe (void)
{
  g_autoptr (GString) log = g_string_new (NULL);
  g_autofree char *path = NULL, *quoted = NULL, *root = g_strdup (g_getenv ("LS_BUILD_ROOT")), *line = NULL, *out = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = { "sh", "-c", NULL, NULL };
  struct rusage before, after;
  int status;

  for (guint i = 0; i < 64; i++)
    {
      g_string_append_printf (log, "; *** IR Dump After P%u on f ***\ndefine i32 @f(i32 %%n) {\n", i);
      for (guint k = 0; k < 2000; k++)
        g_string_append (log, "  %x = add i32 %n, 1\n");
      g_string_append (log, i == 5 || i == 63 ? "  %needle = add i32 %n, 2\n  ret i32 %n\n}\n" : "  ret i32 %n\n}\n");
    }
  path = ls_test_write ("long.log", log->str);
  quoted = g_shell_quote (path);
  line = g_strdup_printf ("for i in $(seq 100); do cat %s; done | %s/" CLI " passes - --search '%%needle' | tail -n 1", quoted, root);
  argv[2] = line;
  getrusage (RUSAGE_CHILDREN, &before);
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &error));
  g_assert_no_error (error);
  getrusage (RUSAGE_CHILDREN, &after);
  g_assert_cmpstr (out, ==, "200 of 6400 dumps mention %needle\n");
  if (before.ru_maxrss < 100000)
    g_assert_cmpint (after.ru_maxrss, <, 150000);       /* KiB; the log is 270 MB */
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passes/reader/long-pipe", test_long_pipe);
  g_test_add_func ("/passes/reader/functions", test_functions);
  g_test_add_func ("/passes/reader/refused", test_refused);
  g_test_add_func ("/passes/reader/others", test_others);
  g_test_add_func ("/passes/reader/two", test_two);
  g_test_add_func ("/passes/reader/who", test_who);
  g_test_add_func ("/passes/reader/follow", test_follow);
  g_test_add_func ("/passes/reader/pipes", test_pipes);
  g_test_add_func ("/passes/reader/between", test_between);
  g_test_add_func ("/passes/reader/damaged", test_damaged);
  return g_test_run ();
}
