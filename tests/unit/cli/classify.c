/* classify: the network of data/models on pictures of Fashion-MNIST, in every form that it comes in: TensorIR, library calls and both;
 * with its weights beside it and bound to it; as a script, as an executable and as a graph of torch.fx.
 *
 * LOGITS are those of picture 42 in double precision, as
 * `data/scripts/train_fashion_mlp.py data/models/fashion_mlp.safetensors --logits 42` prints them; RIGHT is what numpy counts.
 */
#include "engine/runtime/images.h"
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define MODELS "data/models/fashion_mlp"
#define WEIGHTS " --weights " MODELS ".safetensors"

static const double LOGITS[] = {
  3.268590593687574, -0.23841304848035194, -0.587883451131511, 2.628759930692573, 1.6828674197519857,
  -12.072934780697263, 4.337761178817396, -13.270577443794728, -2.1807419609924237, -16.52681076432033,
};
#define PICTURE "42"
#define RIGHT 8827

static gboolean
has_pictures (void)
{
  g_autoptr (GError) error = NULL;
  gboolean sample;
  g_autofree char *folder = ls_fashion_mnist_folder (&sample);
  g_autoptr (LsImageSet) images = ls_fashion_mnist_read (folder, &error);

  if (images == NULL)
    {
      g_autofree char *reason = g_strconcat ("dataset-fashion-mnist is not installed: ", error->message, NULL);

      g_test_skip (reason);
    }
  return images != NULL;
}

static LsTestRun
run (const char *format,
     ...) G_GNUC_PRINTF (1, 2);

static LsTestRun
run (const char *format,
     ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  return ls_test_run ("app/cli/loopscope-cli", line);
}

static void
assert_done (const char *line)
{
  g_auto (LsTestRun) result = run ("%s", line);

  if (result.status != 0)
    g_test_fail_printf ("%s: %s", line, result.err);
}

static JsonObject *
answer (JsonParser *parser,
        const char *line)
{
  g_auto (LsTestRun) result = run ("classify %s --json", line);
  g_autoptr (GError) error = NULL;

  if (result.status != 0)
    g_error ("%s: %s", line, result.err);
  json_parser_load_from_data (parser, result.out, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static void
assert_logits (const char *model,
               const char *options)
{
  g_autofree char *line = g_strdup_printf ("%s%s --image " PICTURE, model, options);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *said = answer (parser, line);
  JsonArray *logits = json_object_get_array_member (said, "logits");

  g_assert_cmpint (json_array_get_length (logits), ==, G_N_ELEMENTS (LOGITS));
  for (guint i = 0; i < G_N_ELEMENTS (LOGITS); i++)
    if (!(fabs (json_array_get_double_element (logits, i) - LOGITS[i]) < 1e-4))
      g_test_fail_printf ("%s: logit %u is %g; %g is expected", line, i, json_array_get_double_element (logits, i), LOGITS[i]);
  g_assert_cmpint (json_object_get_int_member (said, "label"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (said, "prediction"), ==, 6);
}

static void
test_variant (gconstpointer variant)
{
  g_autofree char *script = g_strdup_printf (MODELS "_%s.py", (const char *) variant);
  g_autofree char *bound_name = g_strdup_printf ("classify-%s-bound.py", (const char *) variant);
  g_autofree char *lsx = ls_test_temporary ("classify.lsx");
  g_autofree char *build = g_strdup_printf ("build %s -o %s", script, lsx), *bound = NULL, *build_bound = NULL;
  g_auto (LsTestRun) pass = { 0 };

  if (!has_pictures ())
    return;
  assert_logits (script, WEIGHTS);
  assert_done (build);
  assert_logits (lsx, WEIGHTS);
  pass = run ("pass %s --pass 'BindParams(\"main\", \"" MODELS ".safetensors\")'", script);
  g_assert_cmpstr (pass.err, ==, "");
  bound = ls_test_write (bound_name, pass.out);
  assert_logits (bound, "");
  build_bound = g_strdup_printf ("build %s -o %s", bound, lsx);
  assert_done (build_bound);
  assert_logits (lsx, "");
}

/* As torch.fx traced it. */
static void
test_graph (void)
{
  if (has_pictures ())
    assert_logits (MODELS ".fx.json", "");
}

/* As the course writes it: PrimFuncs called by their names as texts. */
static void
test_called_by_name (void)
{
  g_autofree char *path = NULL, *text = NULL;
  g_autoptr (GString) edited = NULL;

  if (!has_pictures ())
    return;
  text = ls_test_read ("../" MODELS "_tensorir.py", NULL);
  edited = g_string_new (text);
  g_assert_cmpint (g_string_replace (edited, "R.call_tir(cls.linear", "R.call_dps_packed(\"linear\"", 0), ==, 2);
  g_assert_cmpint (g_string_replace (edited, "R.call_tir(cls.relu", "R.call_dps_packed(\"relu\"", 0), ==, 1);
  path = ls_test_write ("classify-by-name.py", edited->str);
  assert_logits (path, WEIGHTS);
}

static void
test_all (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *said;

  if (!has_pictures ())
    return;
  said = answer (parser, MODELS "_library.py" WEIGHTS " --all");
  g_assert_cmpint (json_object_get_int_member (said, "images"), ==, 10000);
  g_assert_cmpint (ABS (json_object_get_int_member (said, "right") - RIGHT), <=, 2);
  g_assert_cmpfloat (json_object_get_double_member (said, "vm-ns"), >, 0);
}

static const struct {
  const char *line;
  int         status;
  const char *says;
} CALLS[] = {
  { MODELS "_mixed.py" WEIGHTS " --image " PICTURE, 0, "prediction: Shirt, wrong" },
  { MODELS "_mixed.py" WEIGHTS " --image " PICTURE, 0, "labelled Dress" },
  { MODELS "_mixed.py --image 1", 1, "main takes x, w0, b0, w1, b1: one is the picture, the others are in no file of weights; --weights names one" },
  { MODELS "_mixed.py" WEIGHTS " --image 10000", 1, "there is no image 10000; they go from 0 to 9999" },
  { MODELS "_mixed.py" WEIGHTS " --image 1 --func nope", 1, "the model has no function nope" },
  { MODELS "_mixed.py --image 1 --weights nowhere.npz", 1, "nowhere.npz" },
  { MODELS "_mixed.py --image 1 --weights README.md", 1, "README.md: a safetensors file is expected" },
  { "nowhere.py --image 1", 1, "there is no file nowhere.py" },
  { "nowhere.lsx --image 1", 1, "nowhere.lsx" },
  { "nowhere.fx.json --image 1", 1, "nowhere.fx.json" },
  { MODELS "_mixed.py", 2, "--image N or --all" },
  { "--image 1", 2, "a model" },
};

static void
test_calls (void)
{
  if (!has_pictures ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    {
      g_auto (LsTestRun) result = run ("classify %s", CALLS[i].line);

      if (result.status != CALLS[i].status || strstr (result.status == 0 ? result.out : result.err, CALLS[i].says) == NULL)
        g_test_fail_printf ("classify %s: status %d, not %d; it says \"%s\", not \"%s\"", CALLS[i].line, result.status, CALLS[i].status,
                            result.status == 0 ? result.out : result.err, CALLS[i].says);
    }
}

/* Constants of a module reach the worker, and what a program prints reaches the user. */
static void
test_constants (void)
{
  static const char *const LINES[] = { "run %s --func relu", "llvm %s --func relu", "asm %s --func relu", "time %s --func relu --budget-ms 1 --samples 2" };
  g_auto (LsTestRun) import = run ("import tests/golden/fx/mlp.fx.json --as te");
  g_autofree char *path = ls_test_write ("classify-constants.py", import.out);

  g_assert_nonnull (strstr (import.out, "metadata"));
  for (guint i = 0; i < G_N_ELEMENTS (LINES); i++)
    {
      g_autoptr (GString) line = g_string_new (LINES[i]);

      g_string_replace (line, "%s", path, 0);
      assert_done (line->str);
    }
}

/* Where the data set is not installed, its first 500 pictures stand in, and that is said. */
static void
test_sample (void)
{
  g_auto (LsTestRun) all = { 0 }, given = { 0 };

  g_setenv ("LS_DATASETS_PATH", "/nowhere", TRUE);
  all = run ("classify " MODELS "_mixed.py" WEIGHTS " --all");
  g_assert_cmpint (all.status, ==, 0);
  g_assert_true (g_str_has_prefix (all.out, "445 of 500 right"));
  g_assert_nonnull (strstr (all.err, "the 500 of its pictures that come with Loopscope stand in"));
  g_setenv ("LS_FASHION_MNIST", "/nowhere/else", TRUE);
  given = run ("classify " MODELS "_mixed.py" WEIGHTS " --image 1");
  g_assert_cmpint (given.status, ==, 1);
  g_assert_nonnull (strstr (given.err, "the test images are not in /nowhere/else"));
  g_unsetenv ("LS_FASHION_MNIST");
  g_unsetenv ("LS_DATASETS_PATH");
}

static void
test_printed (void)
{
  g_autofree char *path = ls_test_write ("classify-print.py", "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"
                                         "    @R.function(pure=False)\n    def main(n: R.Prim(\"int64\")) -> R.Prim(\"int64\"):\n"
                                         "        _ = R.print(n, format=\"n is {}\")\n        return n\n");
  g_autofree char *lsx = ls_test_temporary ("classify-print.lsx");
  g_autofree char *build = g_strdup_printf ("build %s -o %s", path, lsx);
  g_auto (LsTestRun) vm = { 0 };

  assert_done (build);
  vm = run ("vm %s --in 7", lsx);
  g_assert_cmpint (vm.status, ==, 0);
  g_assert_cmpstr (vm.err, ==, "n is 7\n");
}

static void
test_scores (void)
{
  const double logits[] = { 1, -3, 5 };
  g_autoptr (LsScores) scores = ls_scores_new (logits, 3);
  double sum = 0;

  g_assert_cmpint (scores->best, ==, 2);
  g_assert_cmpfloat (scores->zero, ==, 3.0 / 8);
  g_assert_cmpfloat (scores->scores[1].from, ==, 0);
  g_assert_cmpfloat (scores->scores[1].to, ==, 3.0 / 8);
  g_assert_cmpfloat (scores->scores[2].to, ==, 1);
  for (guint i = 0; i < 3; i++)
    sum += scores->scores[i].share;
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-12);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/classify/tensorir", "tensorir", test_variant);
  g_test_add_data_func ("/cli/classify/library", "library", test_variant);
  g_test_add_data_func ("/cli/classify/mixed", "mixed", test_variant);
  g_test_add_func ("/cli/classify/graph", test_graph);
  g_test_add_func ("/cli/classify/called-by-name", test_called_by_name);
  g_test_add_func ("/cli/classify/all", test_all);
  g_test_add_func ("/cli/classify/calls", test_calls);
  g_test_add_func ("/cli/classify/constants", test_constants);
  g_test_add_func ("/cli/classify/sample", test_sample);
  g_test_add_func ("/cli/classify/printed", test_printed);
  g_test_add_func ("/cli/classify/scores", test_scores);
  return g_test_run ();
}
