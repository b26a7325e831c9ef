/* The methods of the debugger, as the windows call them: two programs in step, the step that changed the result, a graph with a pass beside it, and the
 * call of a graph as a run.
 */
#include "app/rpc/rpc.h"
#include "tests/support/support.h"

#include <string.h>

#define PROGRAM \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((4, 6)), C: T.Buffer((4, 6))):\n" \
  "        for i, j in T.grid(4, 6):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                C[vi, vj] = A[vi, vj] * T.float32(2)\n"
#define LAYER \
  "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n" \
  "    @R.function\n" \
  "    def main(x: R.Tensor((4, 6), \"float32\"), w: R.Tensor((6, 6), \"float32\")) -> R.Tensor((4, 6), \"float32\"):\n" \
  "        with R.dataflow():\n" \
  "            q = R.matmul(x, w)\n" \
  "            r = R.sqrt(q)\n" \
  "            R.output(r)\n" \
  "        return r\n"

static LsWorker *worker;

static GVariant *
ask (const char   *method,
     GVariantDict *params)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_worker_call (worker, method, g_variant_dict_end (params), NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static GVariant *
command (const char *method,
         const char *words)
{
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", words);
  return ask (method, &params);
}

static char *
replaced (const char *from,
          const char *to)
{
  g_autoptr (GString) text = g_string_new (PROGRAM);

  g_assert_cmpuint (g_string_replace (text, from, to, 0), ==, 1);
  return g_strdup (text->str);
}

/* Sizes that are not given are asked for, by every method; with them it begins. */
static void
test_sizes (void)
{
  static const char prim[] =
    "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"
    "    @T.prim_func\n"
    "    def main(a: T.handle, k: T.int32, c: T.handle):\n"
    "        n, m = T.int32(), T.int32()\n"
    "        A = T.match_buffer(a, (n, m))\n"
    "        C = T.match_buffer(c, (n, m))\n"
    "        for i, j in T.grid(n, m):\n"
    "            with T.block(\"C\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                C[vi, vj] = A[vi, vj] * T.float32(2)\n";
  static const char graph[] =
    "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((\"n\", 6), \"float32\")) -> R.Tensor((\"n\", 6), \"float32\"):\n"
    "        with R.dataflow():\n"
    "            r = R.sqrt(x)\n"
    "            R.output(r)\n"
    "        return r\n";
  static const char untyped[] =
    "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor(ndim=2, dtype=\"float32\"), y: R.Tensor((2,), \"float32\")) -> R.Tensor((2,), \"float32\"):\n"
    "        with R.dataflow():\n"
    "            r = R.exp(y)\n"
    "            R.output(r)\n"
    "        return r\n";
  static const struct { const char *method, *text; gboolean two; const char *asked, *given[4]; } tries[] = {
    { "debug", prim, FALSE, "n m k", { "n=2", "m=3", "k=1", NULL } },
    { "debug-pair", prim, TRUE, "n m k", { "n=2", "m=3", "k=1", NULL } },
    { "debug-graph", graph, FALSE, "n", { "n=2", NULL } },
    { "debug-graph", untyped, FALSE, NULL, { NULL } },         /* a tensor without a shape is no reason to stop */
    { "debug-vm", graph, FALSE, "n", { "n=2", NULL } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tries); i++)
    for (guint given = 0; given < 2; given++)
      {
        g_autoptr (GVariant) answer = NULL;
        g_auto (GStrv) names = NULL;
        g_autofree char *words = NULL;
        GVariantDict params;

        g_variant_dict_init (&params, NULL);
        g_variant_dict_insert (&params, tries[i].two ? "left" : "module", "s", tries[i].text);
        if (tries[i].two)
          g_variant_dict_insert (&params, "right", "s", tries[i].text);
        if (given)
          g_variant_dict_insert (&params, "set", "^as", tries[i].given);
        answer = ask (tries[i].method, &params);
        names = ls_params_strv (answer, "asks");
        words = names != NULL ? g_strjoinv (" ", names) : NULL;
        g_assert_cmpstr (words, ==, given ? NULL : tries[i].asked);
      }
}

/* A catalogue of one text, as msgfmt writes it: its first `cut` bytes. (transfer floating) */
static GVariant *
catalogue_of (const char *from,
              const char *to,
              gsize       cut)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 n[] = { (guint32) strlen (from), (guint32) strlen (to) };
  guint32 head[] = { 0x950412de, 0, 1, 28, 36, 0, 44, n[0], 44, n[1], 44 + n[0] + 1 };

  g_byte_array_append (bytes, (const guint8 *) head, sizeof head);
  g_byte_array_append (bytes, (const guint8 *) from, n[0] + 1);
  g_byte_array_append (bytes, (const guint8 *) to, n[1] + 1);
  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes->data, MIN (cut, bytes->len), 1);
}

/* What a method refuses, in the language of the catalogue. (transfer full) */
static char *
refused (const char        *method,
         const char        *module,
         const char *const *set,
         GVariant          *catalogue)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  if (set != NULL)
    g_variant_dict_insert (&params, "set", "^as", set);
  g_variant_dict_insert_value (&params, "catalogue", catalogue);
  answer = ls_worker_call (worker, method, g_variant_dict_end (&params), NULL, NULL, NULL, NULL, &error);
  g_assert_null (answer);
  return g_strdup (error->message);
}

/* With a catalogue of GNU gettext the engine's sentences are in its language, in this process, until there is another one. */
static void
test_language (void)
{
  static const char from[] = "%s is not NAME=VALUE with a whole number.", to[] = "\xe2\x80\x9c%s\xe2\x80\x9d: NAME=VALUE!";
  const char *const set[] = { "n", NULL };
  const gsize whole = 44 + sizeof from + sizeof to;

  for (gsize cut = 0; cut <= whole; cut += cut < whole ? MIN (9, whole - cut) : 1)
    {
      g_autofree char *words = refused ("debug-vm", LAYER, set, catalogue_of (from, to, cut));

      g_assert_cmpstr (words, ==, cut == whole ? "\xe2\x80\x9cn\xe2\x80\x9d: NAME=VALUE!" : "n is not NAME=VALUE with a whole number.");
    }
}

/* So is what the interpreter says of a program that it cannot begin. */
static void
test_language_of_programs (void)
{
  g_autofree char *device = replaced ("C[vi, vj] = A[vi, vj] * T.float32(2)", "T.evaluate(T.ptx_commit_group())");
  g_autofree char *english = refused ("debug", device, NULL, catalogue_of ("-", "-", G_MAXSIZE));
  g_autofree char *other = refused ("debug", device, NULL, catalogue_of ("%s cannot be interpreted: it needs a device or a library.", "%s: !", G_MAXSIZE));

  g_assert_cmpstr (english, ==, "tir.ptx_commit_group cannot be interpreted: it needs a device or a library.");
  g_assert_cmpstr (other, ==, "tir.ptx_commit_group: !");
}

/* Five programs, each after one more step; from the third on one element is wrong. */
static void
test_part (void)
{
  g_autofree char *wrong = replaced ("* T.float32(2)", "* T.Select(vi == 2 and vj == 4, T.float32(3), T.float32(2))");
  const char *const modules[] = { PROGRAM, PROGRAM, PROGRAM, wrong, wrong, NULL };
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_new_strv (modules, -1));
  answer = ask ("debug-part", &params);
  g_assert_cmpint (ls_params_int (answer, "step", 0), ==, 3);
  g_assert_cmpstr (ls_params_string (answer, "differ", ""), ==, "real");
  g_assert_cmpstr (ls_params_string (answer, "element", ""), ==, "C[2, 4]");
}

static void
test_pair (void)
{
  g_autofree char *turned = replaced ("T.grid(4, 6)", "T.grid(4, 6) ");
  g_autoptr (GVariant) opened = NULL;
  g_autoptr (GVariant) moved = NULL;
  g_autoptr (GVariant) left = NULL;
  g_autoptr (GVariant) right = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", PROGRAM);
  g_variant_dict_insert (&params, "right", "s", turned);
  opened = ask ("debug-pair", &params);
  g_assert_nonnull (strstr (ls_params_string (opened, "left-text", ""), "C[vi, vj] ="));
  g_assert_nonnull (strstr (ls_params_string (opened, "right-text", ""), "C[vi, vj] ="));
  /* Both stand where they make the first element, and show its array. */
  g_assert_cmpstr (ls_params_string (opened, "element", ""), ==, "C[0, 0]");
  for (guint side = 0; side < 2; side++)
    {
      g_autoptr (GVariant) grid = ls_params_value (opened, side == 0 ? "grid-left" : "grid-right"), look = ls_params_value (opened, side == 0 ? "left" : "right");
      g_autoptr (GVariant) accesses = ls_params_value (look, "accesses");

      g_assert_nonnull (grid);
      g_assert_cmpuint (g_variant_n_children (accesses), >, 0);
    }
  moved = command ("debug-pair", "goto-write 10");
  g_assert_cmpstr (ls_params_string (moved, "element", ""), ==, "C[1, 4]");
  left = ls_params_value (moved, "grid-left");
  right = ls_params_value (moved, "grid-right");
  g_assert_cmpint (ls_params_int (left, "n-written", 0), ==, 10);
  g_assert_cmpint (ls_params_int (right, "n-written", 0), ==, 10);
}

static void
test_graph (void)
{
  g_autoptr (GVariant) opened = NULL;
  g_autoptr (GVariant) compared = NULL;
  g_autoptr (GVariant) bindings = NULL;
  g_autoptr (GVariant) moved = NULL;
  g_autoptr (GVariant) run = NULL;
  g_autoptr (GVariant) grid = NULL;
  g_autoptr (GVariant) after = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", LAYER);
  g_variant_dict_insert (&params, "pass", "s", "ToMixedPrecision");
  opened = ask ("debug-graph", &params);
  bindings = ls_params_value (opened, "bindings");
  compared = ls_params_value (opened, "compared");
  g_assert_cmpuint (g_variant_n_children (bindings), ==, 4);
  g_assert_cmpuint (g_variant_n_children (compared), ==, 4);
  moved = command ("debug-graph", "goto q");
  grid = ls_params_value (moved, "grid");
  after = ls_params_value (moved, "grid-after");
  g_assert_nonnull (grid);
  g_assert_nonnull (after);
  g_assert_true (ls_params_bool (moved, "has-function", FALSE));

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", LAYER);
  g_variant_dict_insert (&params, "graph", "x", ls_params_int (moved, "number", 0));
  run = ask ("debug", &params);
  g_assert_nonnull (strstr (ls_params_string (run, "listing", ""), "def matmul("));
  g_assert_cmpstr (ls_params_string (run, "state", ""), ==, "stands");
}

#define LARGE \
  "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Large:\n" \
  "    @R.function\n" \
  "    def main(x: R.Tensor((%u, %u), \"float32\")) -> R.Tensor((%u, %u), \"float32\"):\n" \
  "        with R.dataflow():\n" \
  "            a = R.add(x, x)\n" \
  "            q = R.matmul(a, a)\n" \
  "            r = R.matmul(q, q)\n" \
  "            R.output(r)\n" \
  "        return r\n"

static GVariant *
open_large (guint n)
{
  g_autofree char *text = g_strdup_printf (LARGE, n, n, n, n);
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  return ask ("debug-graph", &params);
}

/* A graph that takes long stands still after a while; what it has made can be looked at, it goes on, and it can be ended. */
static void
test_turns (void)
{
  g_autoptr (GVariant) opened = open_large (700);
  g_autoptr (GVariant) first = ls_params_value (opened, "bindings");
  g_autoptr (GVariant) more = NULL, there = NULL, grid = NULL, ended = NULL, last = NULL;

  g_assert_true (ls_params_bool (opened, "running", FALSE));
  g_assert_false (ls_params_bool (opened, "whole", TRUE));
  g_assert_cmpuint (g_variant_n_children (first), >=, 2);
  do                            /* on a busy machine the first turn is short */
    {
      g_autoptr (GVariant) turn = command ("debug-graph", "more");

      g_assert_true (ls_params_bool (turn, "running", FALSE));
      g_clear_pointer (&there, g_variant_unref);
      there = command ("debug-graph", "goto a");
    }
  while (ls_params_string (there, "trouble", NULL) != NULL);
  grid = ls_params_value (there, "grid");
  g_assert_nonnull (grid);
  more = command ("debug-graph", "more");
  g_assert_true (ls_params_bool (more, "running", FALSE));
  ended = command ("debug-graph", "give-up");
  g_assert_false (ls_params_bool (ended, "running", TRUE));
  g_assert_false (ls_params_bool (ended, "whole", TRUE));
  last = command ("debug-graph", "goto q");
  g_assert_nonnull (ls_params_string (last, "trouble", NULL));
}

/* One that is gone on with comes to the same as one in one go. */
static void
test_more (void)
{
  g_autoptr (GVariant) opened = open_large (96);
  gboolean running = ls_params_bool (opened, "running", FALSE);
  guint turns = 0;

  while (running && turns++ < 600)
    {
      g_autoptr (GVariant) answer = command ("debug-graph", "more");

      running = ls_params_bool (answer, "running", FALSE);
      g_assert_true (running || ls_params_bool (answer, "whole", FALSE));
    }
  g_assert_false (running);
  {
    g_autoptr (GVariant) value = command ("debug-graph", "goto r");

    g_assert_null (ls_params_string (value, "trouble", NULL));
    g_assert_cmpfloat (ls_params_double (value, "most", 0), >, ls_params_double (value, "least", 0));
  }
}

static void
test_vm (void)
{
  g_autoptr (GVariant) opened = NULL, list = NULL, moved = NULL, grid = NULL, storages = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", LAYER);
  opened = ask ("debug-vm", &params);
  list = ls_params_value (opened, "list");
  g_assert_cmpuint (g_variant_n_children (list), ==, ls_params_int (opened, "of", 0));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", "end");
  g_variant_dict_insert (&params, "grid", "s", "result");
  g_variant_dict_insert (&params, "memory", "b", TRUE);
  moved = ask ("debug-vm", &params);
  grid = ls_params_value (moved, "grid");
  storages = ls_params_value (moved, "storages");
  g_assert_nonnull (storages);
  g_assert_cmpint (ls_params_int (grid, "n-written", 0), ==, 24);
}

/* The last accesses of the shown buffer come with a stop. */
static void
test_trail (void)
{
  g_autoptr (GVariant) opened = NULL;
  g_autoptr (GVariant) moved = NULL;
  g_autoptr (GVariant) trail = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", PROGRAM);
  opened = ask ("debug", &params);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", "end");
  g_variant_dict_insert (&params, "grid", "s", "C");
  g_variant_dict_insert (&params, "trail", "x", (gint64) 5);
  moved = ask ("debug", &params);
  trail = ls_params_value (moved, "trail");
  g_assert_cmpuint (g_variant_n_children (trail), ==, 5);
  for (gsize i = 0; i < 5; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (trail, i);
      g_autofree char *words = g_strdup_printf ("C[3, %u]", (guint) i + 1);

      g_assert_cmpstr (ls_params_string (one, "element", ""), ==, words);
      g_assert_cmpstr (ls_params_string (one, "kind", ""), ==, "write");
    }
}

#define STACK \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n" \
  "    @T.prim_func\n" \
  "    def main(A: T.Buffer((3, 40, 50)), C: T.Buffer((3, 40, 50))):\n" \
  "        for b, i, j in T.grid(3, 40, 50):\n" \
  "            with T.block(\"C\"):\n" \
  "                vb, vi, vj = T.axis.remap(\"SSS\", [b, i, j])\n" \
  "                C[vb, vi, vj] = A[vb, vi, vj] * T.float32(2)\n"

static void
check_grid (GVariant   *answer,
            const char *key,
            gint64      wanted_slice,
            gint64      row,
            gint64      column)
{
  g_autoptr (GVariant) grid = ls_params_value (answer, key);
  g_autoptr (GVariant) slice = ls_params_value (grid, "slice");
  gint64 at;

  g_variant_get_child (slice, 0, "x", &at);
  g_assert_cmpint (at, ==, wanted_slice);
  g_assert_cmpint (ls_params_int (grid, "row", -1), ==, row);
  g_assert_cmpint (ls_params_int (grid, "column", -1), ==, column);
  g_assert_cmpint (ls_params_int (grid, "rows", -1), ==, 32);
  g_assert_cmpint (ls_params_int (grid, "columns", -1), ==, 32);
}

static GVariant *
write_of (const char *where,
          const char *grid,
          gboolean    follow)
{
  g_autofree char *words = g_strconcat (where != NULL ? "write " : "where", where, NULL);
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", words);
  g_variant_dict_insert (&params, "grid", "s", grid);
  if (follow)
    g_variant_dict_insert (&params, "follow", "b", TRUE);
  return ask ("debug", &params);
}

/* The grid is the slice and the part that the statement touches, as many rows and columns as there is room for; or the slice that was chosen. */
static void
test_slices (void)
{
  g_autoptr (GVariant) opened = NULL, begun = NULL, followed = NULL, chosen = NULL, part = NULL, both = NULL, own = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", STACK);
  opened = ask ("debug", &params);
  followed = write_of ("C[2, 38, 17]", "C[0]", TRUE);
  check_grid (followed, "grid", 2, 8, 8);
  chosen = write_of (NULL, "C[1]", FALSE);
  check_grid (chosen, "grid", 1, 8, 8);
  part = write_of (NULL, "C[1] 3 5", TRUE);
  check_grid (part, "grid", 2, 3, 5);

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", STACK);
  g_variant_dict_insert (&params, "right", "s", STACK);
  begun = ask ("debug-pair", &params);
  while (ls_params_bool (begun, "interrupted", FALSE))
    {
      g_clear_pointer (&begun, g_variant_unref);
      begun = command ("debug-pair", "more");
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", "goto-write 4100");   /* C[2, 2, 0] */
  both = ask ("debug-pair", &params);
  check_grid (both, "grid-left", 2, 0, 0);
  check_grid (both, "grid-right", 2, 0, 0);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", "where");
  g_variant_dict_insert (&params, "slice-right", "s", "[1]");
  g_variant_dict_insert (&params, "part-right", "s", " 8 18");
  own = ask ("debug-pair", &params);
  check_grid (own, "grid-left", 2, 0, 0);
  check_grid (own, "grid-right", 1, 8, 18);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  worker = ls_worker_new ();
  g_test_add_func ("/worker/debug/sizes", test_sizes);
  g_test_add_func ("/worker/debug/part", test_part);
  g_test_add_func ("/worker/debug/pair", test_pair);
  g_test_add_func ("/worker/debug/graph", test_graph);
  g_test_add_func ("/worker/debug/turns", test_turns);
  g_test_add_func ("/worker/debug/more", test_more);
  g_test_add_func ("/worker/debug/vm", test_vm);
  g_test_add_func ("/worker/debug/trail", test_trail);
  g_test_add_func ("/worker/debug/slices", test_slices);
  g_test_add_func ("/worker/debug/language", test_language);
  g_test_add_func ("/worker/debug/language-of-programs", test_language_of_programs);
  status = g_test_run ();
  ls_worker_stop (worker);
  g_object_unref (worker);
  return status;
}
