/* Methods that make, run and time code, in the real worker; and what happens to bad kernels. */
#include "app/rpc/rpc.h"
#include "engine/runtime/runtime.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@T.prim_func\n"

static const char scale[] = HEAD
  "def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
  "    T.func_attr({\"tir.noalias\": True})\n"
  "    for i in range(8):\n        with T.block(\"B\"):\n            v = T.axis.spatial(8, i)\n            B[v] = A[v] * T.float32(2)\n";
static const char other[] = HEAD
  "def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
  "    T.func_attr({\"tir.noalias\": True})\n"
  "    for i in range(8):\n        with T.block(\"B\"):\n            v = T.axis.spatial(8, i)\n            B[v] = A[v] * T.float32(3)\n";
static const char outside[] = HEAD
  "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
  "    for i in range(8):\n        if A[i] < 100:\n            B[i * 100000000] = A[i] * 100000000\n";
static const char endless[] = HEAD
  "def main(A: T.Buffer((8,), \"int32\")):\n    while A[0] < 100:\n        A[0] = 1\n";

static LsWorker *worker;

static GVariant *
ask (const char  *method,
     const char  *params,
     gint64       timeout_ms,
     GError     **error)
{
  LsWorkerOptions options = { .timeout_ms = timeout_ms };
  GVariant *parsed = g_variant_new_parsed (params);

  return ls_worker_call (worker, method, parsed, &options, NULL, NULL, NULL, error);
}

/* "{'module': <'...'>, MORE}" (transfer full) */
static char *
params_of (const char *module,
           const char *more)
{
  g_autoptr (GVariant) text = g_variant_ref_sink (g_variant_new_string (module));
  g_autofree char *quoted = g_variant_print (text, FALSE);

  return g_strdup_printf ("{'module': <%s>%s}", quoted, more);
}

static GVariant *
ask_about (const char *method,
           const char *module,
           const char *more,
           GError    **error)
{
  g_autofree char *params = params_of (module, more);
  g_autoptr (GVariant) parsed = g_variant_ref_sink (g_variant_parse (G_VARIANT_TYPE_VARDICT, params, NULL, NULL, error));
  LsWorkerOptions options = { .timeout_ms = 2000 };

  g_assert_nonnull (parsed);
  if (strcmp (module, endless) != 0)
    options.timeout_ms = 60000;
  return ls_worker_call (worker, method, parsed, &options, NULL, NULL, NULL, error);
}

static void
test_run (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ask_about ("run", scale, ", 'seed': <int64 3>", &error);
  g_autoptr (GVariant) arrays = NULL;
  g_autoptr (GVariant) second = NULL;

  g_assert_no_error (error);
  arrays = ls_params_value (answer, "arrays");
  g_assert_cmpuint (g_variant_n_children (arrays), ==, 2);
  second = g_variant_get_child_value (arrays, 1);
  g_assert_cmpstr (ls_params_string (second, "name", ""), ==, "B");
  g_assert_cmpstr (ls_params_string (second, "role", ""), ==, "out");
  g_assert_cmpstr (ls_params_string (second, "dtype", ""), ==, "float32");
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loopscope-XXXXXX", NULL);
  g_autofree char *input = g_build_filename (folder, "a.npy", NULL);
  g_autofree char *output = g_build_filename (folder, "B.npy", NULL);
  g_autofree char *more = g_strdup_printf (", 'inputs': <['%s']>, 'out': <'%s'>", input, folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (LsNDArray) result = NULL;
  gint64 shape = 8;
  g_autoptr (LsNDArray) array = ls_ndarray_new (1, &shape, LS_DT_FLOAT32, NULL);

  ls_tensor_fill (&array->tensor, 1.25);
  ls_npy_write (input, &array->tensor, &error);
  g_assert_no_error (error);
  ls_worker_stop (worker);
  ls_worker_add_path (worker, folder, TRUE);
  answer = ask_about ("run", scale, more, &error);
  g_assert_no_error (error);
  result = ls_npy_read (output, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (ls_tensor_get_double (&result->tensor, 7), ==, 2.5);
  g_unlink (input);
  g_unlink (output);
  g_rmdir (folder);
}

static void
test_kept (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) compiled = ask_about ("compile", scale, "", &error);
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *params = NULL;

  g_assert_no_error (error);
  params = g_strdup_printf ("{'kernel': <int64 %" G_GINT64_FORMAT ">}", ls_params_int (compiled, "kernel", 0));
  answer = ask ("run", params, 60000, &error);
  g_assert_no_error (error);
  g_clear_pointer (&answer, g_variant_unref);
  answer = ask ("run", "{'kernel': <int64 9999>}", 60000, &error);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
  g_assert_cmpstr (error->message, ==, "There is no kernel 9999 (any more).");
}

static void
test_time (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) results = NULL;
  g_autoptr (GVariant) same = NULL;
  g_autoptr (GVariant) differs = NULL;
  GVariantDict dict;
  const char *modules[] = { scale, scale, other, NULL };
  LsWorkerOptions options = { .timeout_ms = 60000 };

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "modules", g_variant_new_strv (modules, -1));
  g_variant_dict_insert (&dict, "samples", "x", (gint64) 5);
  g_variant_dict_insert (&dict, "budget-ms", "x", (gint64) 50);
  answer = ls_worker_call (worker, "time", g_variant_dict_end (&dict), &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  results = ls_params_value (answer, "results");
  g_assert_cmpuint (g_variant_n_children (results), ==, 3);
  same = g_variant_get_child_value (results, 1);
  differs = g_variant_get_child_value (results, 2);
  g_assert_true (ls_params_bool (same, "equal", FALSE));
  g_assert_false (ls_params_bool (differs, "equal", TRUE));
  g_assert_true (g_str_has_prefix (ls_params_string (differs, "mismatch", ""), "B: 8 of 8 elements differ"));
  g_assert_cmpfloat (ls_params_double (same, "median", 0), >, 0);
}

#define SUMS "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n" \
  "    def main(A: T.Buffer((4096, 4096), \"float32\"), B: T.Buffer((4096,), \"float32\")):\n        for i in %s(4096):\n" \
  "            for k in range(4096):\n                B[i] = B[i] * T.float32(0.5) + A[i, k]\n"

static GVariant *
time_one (const char *kind)
{
  g_autofree char *module = g_strdup_printf (SUMS, kind);
  g_autoptr (GError) error = NULL;
  LsWorkerOptions options = { .timeout_ms = 60000 };
  GVariantDict dict;
  GVariant *answer;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", module);
  g_variant_dict_insert (&dict, "budget-ms", "x", (gint64) 10);
  answer = ls_worker_call (worker, "time", g_variant_dict_end (&dict), &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* Of a program on one core it is known how long it had the processor, which is no longer than it took (tests/unit/worker/own-time.c: how
 * long); of one on several cores it is not. */
static void
test_time_own (void)
{
  g_autoptr (GVariant) serial = time_one ("range");
  g_autoptr (GVariant) parallel = time_one ("T.parallel");
  double own = ls_params_double (serial, "own", 0.0), took = ls_params_double (serial, "min", 0.0);

  g_test_message ("took %.3g ms, of which %.3g its own", took * 1e-6, own * 1e-6);
  g_assert_cmpfloat (own, >, 0.0);
  g_assert_cmpfloat (ls_params_double (parallel, "own", 0.0), ==, 0.0);
}

/* B = factor * A, for a factor that no other test has. (transfer full) */
static char *
times (int factor)
{
  return g_strdup_printf (HEAD "def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
                          "    for i in range(8):\n        with T.block(\"B\"):\n            v = T.axis.spatial(8, i)\n            B[v] = A[v] * T.float32(%d)\n",
                          factor);
}

static GVariant *
time_ahead (const char  *module,
            const char  *ahead,
            GError     **error)
{
  const char *others[] = { ahead };
  LsWorkerOptions options = { .timeout_ms = 60000 };
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", module);
  g_variant_dict_insert (&dict, "budget-ms", "x", (gint64) 5);
  if (ahead != NULL)
    g_variant_dict_insert_value (&dict, "ahead", g_variant_new_strv (others, 1));
  return ls_worker_call (worker, "time", g_variant_dict_end (&dict), &options, NULL, NULL, NULL, error);
}

/* What comes after a program is built while that one is, and only then; what cannot be read there is no error of that one. */
static void
test_time_built_ahead (void)
{
  static const struct
  {
    int      factor, ahead;
    gboolean built_ahead, kept;
  } calls[] = {
    { 1001, 1002, FALSE, FALSE },
    { 1002, 1003, TRUE, FALSE },
    { 1002, 0, FALSE, TRUE },
    { 1003, 0, FALSE, FALSE },          /* when it was ahead nothing had to be built */
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *good = times (1000);
  g_autoptr (GVariant) beside = time_ahead (good, "nothing that could be read", &error), broken = NULL;

  g_assert_no_error (error);
  broken = time_ahead ("nothing that could be read", NULL, &error);
  g_assert_null (broken);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
  if (g_get_num_processors () == 1)
    {
      g_test_skip ("one processor: nothing is built ahead");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autofree char *module = times (calls[i].factor), *ahead = calls[i].ahead > 0 ? times (calls[i].ahead) : NULL;
      g_autoptr (GVariant) answer = time_ahead (module, ahead, &problem);

      g_assert_no_error (problem);
      g_assert_cmpint (ls_params_bool (answer, "built-ahead", !calls[i].built_ahead), ==, calls[i].built_ahead);
      g_assert_cmpint (ls_params_bool (answer, "build-kept", !calls[i].kept), ==, calls[i].kept);
      g_assert_cmpint (ls_params_int (answer, "link-ns", 0), >, 0);
    }
}

/* A version against a reference that the worker is to keep. (transfer full) */
static GVariant *
time_against (const char *module,
              const char *reference,
              gint64      seed,
              gint64      give_up_ns)
{
  g_autoptr (GError) error = NULL;
  LsWorkerOptions options = { .timeout_ms = 60000 };
  GVariantDict dict;
  GVariant *answer;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", module);
  g_variant_dict_insert (&dict, "reference", "s", reference);
  g_variant_dict_insert (&dict, "keep-reference", "b", TRUE);
  g_variant_dict_insert (&dict, "seed", "x", seed);
  g_variant_dict_insert (&dict, "samples", "x", (gint64) 5);
  g_variant_dict_insert (&dict, "budget-ms", "x", (gint64) 20);
  g_variant_dict_insert (&dict, "give-up-ns", "x", give_up_ns);
  answer = ls_worker_call (worker, "time", g_variant_dict_end (&dict), &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* The reference of a search runs once, for every program that is held to it, and for no other; a slow program runs once. */
static void
test_time_kept (void)
{
  static const struct
  {
    const char *module, *reference;
    gint64      seed;
    gboolean    kept, equal;
  } calls[] = {
    { scale, scale, 51, FALSE, TRUE },
    { scale, scale, 51, TRUE, TRUE },
    { other, scale, 51, TRUE, FALSE },
    { other, scale, 52, FALSE, FALSE },
    { scale, other, 52, FALSE, FALSE },
    { other, other, 52, TRUE, TRUE },
  };
  g_autoptr (GVariant) slow = NULL;
  g_autoptr (GVariant) quick = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GVariant) answer = time_against (calls[i].module, calls[i].reference, calls[i].seed, 0);

      g_test_message ("call %u", i);
      g_assert_cmpint (ls_params_bool (answer, "reference-kept", !calls[i].kept), ==, calls[i].kept);
      g_assert_cmpint (ls_params_bool (answer, "equal", i == 0), ==, calls[i].equal);
      g_assert_false (ls_params_bool (answer, "given-up", FALSE));
      g_assert_cmpfloat (ls_params_double (answer, "median", 0), >, 0);
    }
  slow = time_against (other, scale, 52, 1);
  g_assert_true (ls_params_bool (slow, "given-up", FALSE));
  g_assert_false (ls_params_bool (slow, "equal", TRUE));
  g_assert_cmpint (ls_params_int (slow, "calls", 0), ==, 1);
  g_assert_cmpfloat (ls_params_double (slow, "median", 0), >, 1);
  quick = time_against (scale, scale, 52, G_GINT64_CONSTANT (60000000000));
  g_assert_false (ls_params_bool (quick, "given-up", FALSE));
}

/* `text` with one word for another. (transfer full) */
static char *
with (const char *text,
      const char *word,
      const char *other_word)
{
  g_auto (GStrv) parts = g_strsplit (text, word, -1);

  return g_strjoinv (other_word, parts);
}

/* A program that differs in the name of its loop only is not built again; one with another number in it is. */
static void
test_built_once (void)
{
  g_autofree char *five = with (scale, "float32(2)", "float32(5)"), *six = with (scale, "float32(2)", "float32(6)");
  g_autofree char *loop = with (five, "for i in", "for row in"), *renamed = with (loop, "spatial(8, i)", "spatial(8, row)");
  const char *const modules[] = { five, five, renamed, six, renamed, six };
  const gboolean kept[] = { FALSE, TRUE, TRUE, FALSE, TRUE, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (modules); i++)
    {
      g_autoptr (GVariant) answer = time_against (modules[i], modules[i], 53, 0);

      g_test_message ("call %u", i);
      g_assert_cmpint (ls_params_bool (answer, "build-kept", !kept[i]), ==, kept[i]);
      g_assert_cmpfloat (ls_params_double (answer, "median", 0), >, 0);
    }
}

static GVariant *
ask_same (const char *left,
          const char *right,
          GError    **error)
{
  LsWorkerOptions options = { .timeout_ms = 60000 };
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "left", "s", left);
  if (right != NULL)
    g_variant_dict_insert (&dict, "right", "s", right);
  g_variant_dict_insert (&dict, "inputs", "i", 4);
  g_variant_dict_insert (&dict, "budget-ms", "i", 60000);
  return ls_worker_call (worker, "same", g_variant_dict_end (&dict), &options, NULL, NULL, NULL, error);
}

static void
test_same (void)
{
  static const char symbolic[] = HEAD
    "def main(a: T.handle, b: T.handle):\n    n = T.int32()\n"
    "    A = T.match_buffer(a, (n,))\n    B = T.match_buffer(b, (n,))\n"
    "    for i in range(n):\n        B[i] = A[i] + T.float32(1)\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) same = ask_same (scale, scale, &error);
  g_autoptr (GVariant) different = ask_same (scale, other, &error);
  g_autoptr (GVariant) apart = ask_same (scale, outside, &error);
  g_autoptr (GVariant) sizes = ask_same (symbolic, symbolic, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (ls_params_string (same, "state", ""), ==, "same");
  g_assert_cmpint (ls_params_int (same, "inputs", 0), ==, 4);
  g_assert_cmpstr (ls_params_string (different, "state", ""), ==, "different");
  g_assert_cmpstr (ls_params_string (different, "argument", ""), ==, "B");
  g_assert_cmpstr (ls_params_string (different, "place", ""), ==, "(0)");
  g_assert_cmpfloat_with_epsilon (ls_params_double (different, "left", 0) * 1.5, ls_params_double (different, "right", 0), 1e-6);
  g_assert_cmpint (ls_params_int (different, "elements-different", 0), ==, 8);
  g_assert_cmpstr (ls_params_string (apart, "state", ""), ==, "not comparable");
  g_assert_cmpstr (ls_params_string (apart, "diff", ""), ==, "dtype");
  g_assert_cmpstr (ls_params_string (sizes, "state", ""), ==, "same");
}

/* Figures of this machine: only their order can be tested. */
static void
test_peaks (void)
{
  LsWorkerOptions options = { .timeout_ms = 120000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call (worker, "peaks", NULL, &options, NULL, NULL, NULL, &error);
  g_autoptr (GVariant) levels = NULL;

  g_assert_no_error (error);
  g_assert_cmpfloat (ls_params_double (answer, "gflops", 0), >, 0);
  levels = ls_params_value (answer, "levels");
  g_assert_cmpuint (g_variant_n_children (levels), >=, 1);
  for (gsize i = 0; i < g_variant_n_children (levels); i++)
    {
      g_autoptr (GVariant) level = g_variant_get_child_value (levels, i);

      g_assert_cmpfloat (ls_params_double (level, "gb-per-s", 0), >, 0);
      g_assert_cmpint (ls_params_int (level, "bytes", 0), >, 0);
    }
}

static void
test_asm (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ask_about ("asm", scale, "", &error);
  g_autoptr (GVariant) groups = NULL;
  gboolean found = FALSE;

  g_assert_no_error (error);
  groups = ls_params_value (answer, "groups");
  for (gsize i = 0; i < g_variant_n_children (groups); i++)
    {
      guint line;

      g_variant_get_child (groups, i, "(usas)", &line, NULL, NULL);
      found = found || line == 10;
    }
  g_assert_true (found);
  g_clear_pointer (&answer, g_variant_unref);
  answer = ask_about ("llvm", scale, "", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (ls_params_string (answer, "ir", ""), "define"));
}

/* (x + 1) - x is 1 for real numbers, and x has to be read for floats. */
static const char cancels[] =
  "from tvm.script import tir as T\n@T.prim_func\ndef main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
  "    T.func_attr({\"tir.fast_math\": T.bool(%s)})\n    for i in range(64):\n        B[i] = (A[i] + T.float32(1)) - A[i]\n";

/* The sentences on fast mathematics that the machine code of a text comes with. (transfer full) */
static char *
fast_remarks (const char *text,
              const char *more)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ask_about ("asm", text, more, &error);
  g_autoptr (GVariant) remarks = NULL;
  GString *out = g_string_new (NULL);
  GVariantIter iter;
  const char *sentence;
  guint line;

  g_assert_no_error (error);
  remarks = ls_params_value (answer, "remarks");
  g_variant_iter_init (&iter, remarks);
  while (g_variant_iter_next (&iter, "(u&s)", &line, &sentence))
    if (g_str_has_prefix (sentence, "fast math: "))
      g_string_append_printf (out, "%u %s\n", line, sentence);
  return g_string_free (out, FALSE);
}

static void
test_fast_math (void)
{
  g_autofree char *fast = g_strdup_printf (cancels, "True"), *plain = g_strdup_printf (cancels, "False");
  g_autofree char *said = fast_remarks (fast, ""), *by_target = fast_remarks (plain, ", 'target': <'llvm -fast-math'>"), *nothing = fast_remarks (plain, "");

  g_assert_nonnull (strstr (said, "6 fast math: "));
  g_assert_nonnull (strstr (said, "fewer of "));
  g_assert_nonnull (strstr (said, "sub"));
  g_assert_cmpstr (by_target, ==, said);
  g_assert_cmpstr (nothing, ==, "");
}

/* A loop or a block asks by an annotation: what is in it, and nothing else, and not what takes it back. */
static const char partly[] = HEAD
  "def main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
  "    for i in T.serial(64, annotations={\"pragma_fast_math\": 1}):\n        B[i] = (A[i] + T.float32(1)) - A[i]\n"
  "        for j in T.serial(2, annotations={\"pragma_fast_math\": 0}):\n            B[i] = B[i] * A[j]\n"
  "    for i in range(64):\n        B[i] = B[i] / A[i]\n";
static const char in_parallel[] = HEAD
  "def main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"
  "    with T.block(\"root\"):\n        T.block_attr({\"pragma_fast_math\": 1})\n"
  "        for i in T.parallel(64):\n            with T.block(\"B\"):\n                vi = T.axis.spatial(64, i)\n"
  "                B[vi] = (A[vi] + T.float32(1)) - A[vi]\n";

/* How often `name` stands in the code as it was emitted with and without the flag. */
static guint
count_emitted (const char *text,
               const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ask_about ("llvm", text, "", &error);
  g_auto (GStrv) parts = NULL;

  g_assert_no_error (error);
  parts = g_strsplit (ls_params_string (answer, "raw-ir", ""), name, -1);
  return g_strv_length (parts) - 1;
}

static void
test_fast_parts (void)
{
  g_autofree char *parts = fast_remarks (partly, ""), *block = fast_remarks (in_parallel, "");

  g_assert_cmpuint (count_emitted (partly, "fadd fast "), ==, 1);
  g_assert_cmpuint (count_emitted (partly, "fsub fast "), ==, 1);
  g_assert_cmpuint (count_emitted (partly, "fmul fast "), ==, 0);
  g_assert_cmpuint (count_emitted (partly, "fmul "), ==, 1);
  g_assert_cmpuint (count_emitted (partly, " fast "), ==, 2);
  g_assert_cmpuint (count_emitted (in_parallel, "fsub fast "), ==, 1);
  g_assert_nonnull (strstr (parts, "7 fast math: "));
  g_assert_nonnull (strstr (block, "fewer of "));
}

/* Without a right side a program is held against itself as IEEE 754 has it. */
static void
test_fast_results (void)
{
  g_autofree char *plain = g_strdup_printf (cancels, "False"), *fast = g_strdup_printf (cancels, "True");
  const char *const texts[] = { plain, fast, partly, in_parallel };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) answer = ask_same (texts[i], NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (ls_params_string (answer, "state", ""), ==, "same");
      g_assert_cmpint (ls_params_double (answer, "max-error", -1) > 0, ==, i > 0);
    }
}

/* Each pass by name, in order, and the function after those that change it. */
static void
test_lower (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ask_about ("lower", scale, "", &error);
  g_autoptr (GVariant) stages = NULL;
  g_autofree char *names = NULL;
  GString *list = g_string_new (NULL);

  g_assert_no_error (error);
  g_assert_cmpstr (ls_params_string (answer, "function", ""), ==, "main");
  stages = g_variant_lookup_value (answer, "stages", G_VARIANT_TYPE ("a(sxssa(uuu))"));
  for (gsize i = 0; i < g_variant_n_children (stages); i++)
    {
      const char *name, *trouble, *text;
      gint64 ns;

      g_variant_get_child (stages, i, "(&sx&s&s@a(uuu))", &name, &ns, &trouble, &text, NULL);
      g_assert_cmpstr (trouble, ==, "");
      g_assert_true ((ns < 0) == (i == 0));
      if (*text != 0)
        g_string_append_printf (list, "%s ", name);
    }
  names = g_string_free (list, FALSE);
  g_assert_cmpuint (g_variant_n_children (stages), ==, 15);
  g_assert_cmpstr (names, ==, " ConvertBlocksToOpaque LowerOpaqueBlock ");
  g_clear_pointer (&answer, g_variant_unref);
  answer = ask_about ("lower", scale, ", 'func': <'nothing'>", &error);
  g_assert_null (answer);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
  g_assert_nonnull (strstr (error->message, "The module has no function nothing; it has main."));
}

/* The caller lives, is told what happened, and can go on. */
static void
test_bad_kernels (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ask_about ("run", outside, "", &error);

  g_assert_null (answer);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL);
  g_clear_error (&error);
  answer = ask_about ("run", outside, ", 'check-bounds': <true>", &error);
  g_assert_null (answer);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
  g_assert_nonnull (strstr (error->message, "of B is"));
  g_clear_error (&error);
  answer = ask_about ("run", endless, "", &error);
  g_assert_null (answer);
  g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT);
  g_clear_error (&error);
  answer = ask_about ("run", scale, "", &error);
  g_assert_no_error (error);
}

static void
test_wrong_requests (void)
{
  static const struct { const char *module, *more, *sentence; } cases[] = {
    { scale, ", 'func': <'nothing'>", "The module has no function nothing; it has main." },
    { scale, ", 'target': <'cuda'>", "The target kind is cuda" },
    { scale, ", 'inputs': <['/does/not/exist.npy']>", "exist.npy" },
    { scale, ", 'inputs': <['', '', '']>", "main takes 2 arrays; 3 inputs are given." },
    { "def", "", "module:1:4" },
    { HEAD "def main(a: T.handle):\n    n = T.int32()\n    A = T.match_buffer(a, (n,), \"float32\")\n    for i in range(n):\n        A[i] = T.float32(1)\n", "",
      "The extent n is not given; say it as n=VALUE." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) answer = ask_about ("run", cases[i].module, cases[i].more, &error);

      g_assert_null (answer);
      g_assert_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
      if (strstr (error->message, cases[i].sentence) == NULL)
        g_error ("\"%s\" does not say \"%s\"", error->message, cases[i].sentence);
    }
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  worker = ls_worker_new ();
  g_test_add_func ("/worker/kernels/run", test_run);
  g_test_add_func ("/worker/kernels/files", test_files);
  g_test_add_func ("/worker/kernels/kept", test_kept);
  g_test_add_func ("/worker/kernels/time", test_time);
  g_test_add_func ("/worker/kernels/time-own", test_time_own);
  g_test_add_func ("/worker/kernels/time-built-ahead", test_time_built_ahead);
  g_test_add_func ("/worker/kernels/time-kept", test_time_kept);
  g_test_add_func ("/worker/kernels/built-once", test_built_once);
  g_test_add_func ("/worker/kernels/same", test_same);
  g_test_add_func ("/worker/kernels/peaks", test_peaks);
  g_test_add_func ("/worker/kernels/asm", test_asm);
  g_test_add_func ("/worker/kernels/fast-math", test_fast_math);
  g_test_add_func ("/worker/kernels/fast-parts", test_fast_parts);
  g_test_add_func ("/worker/kernels/fast-results", test_fast_results);
  g_test_add_func ("/worker/kernels/lower", test_lower);
  g_test_add_func ("/worker/kernels/wrong-requests", test_wrong_requests);
  g_test_add_func ("/worker/kernels/bad-kernels", test_bad_kernels);
  status = g_test_run ();
  g_object_unref (worker);
  return status;
}
