/* The same tensor before and after each pass, by what the passes noted: whatever is taken for the same has the same values; and no pass but those that
 * do away with values leaves a value to be guessed.
 */
#include "engine/debug/debug.h"
#include "engine/relax/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Model:\n"

/* Attention with two projections of the same input (joined by a pass), a sum twice over, a shape that is cast. */
static const char *const ATTENTION = HEAD
  "    @R.function\n"
  "    def main(x: R.Tensor((4, 6), \"float32\"), wq: R.Tensor((6, 6), \"float32\"), wk: R.Tensor((6, 6), \"float32\"), w1: R.Tensor((6, 5), \"float32\")) -> R.Tensor((4, 5), \"float32\"):\n"
  "        with R.dataflow():\n"
  "            q = R.matmul(x, wq)\n"
  "            k = R.matmul(x, wk)\n"
  "            kt = R.permute_dims(k)\n"
  "            s = R.matmul(q, kt)\n"
  "            scaled = R.multiply(s, R.const(0.5, \"float32\"))\n"
  "            a = R.nn.softmax(scaled)\n"
  "            o = R.matmul(a, x)\n"
  "            h = R.matmul(o, w1)\n"
  "            h2 = R.matmul(o, w1)\n"
  "            unused = R.exp(h)\n"
  "            sum = R.add(h, h2)\n"
  "            g = R.nn.relu(sum)\n"
  "            R.output(g)\n"
  "        return g\n";

static const char *const CONVOLUTION = HEAD
  "    @R.function\n"
  "    def main(x: R.Tensor((1, 3, 8, 8), \"float32\"), w: R.Tensor((4, 3, 3, 3), \"float32\"), gamma: R.Tensor((4,), \"float32\"), beta: R.Tensor((4,), \"float32\"), "
  "mean: R.Tensor((4,), \"float32\"), var: R.Tensor((4,), \"float32\")) -> R.Tensor((1, 4, 3, 3), \"float32\"):\n"
  "        with R.dataflow():\n"
  "            c = R.nn.conv2d(x, w)\n"
  "            b = R.nn.batch_norm(c, gamma, beta, mean, var, axis=1)\n"
  "            y = b[0]\n"
  "            r = R.nn.relu(y)\n"
  "            p = R.nn.max_pool2d(r, pool_size=(2, 2), strides=(2, 2))\n"
  "            R.output(p)\n"
  "        return p\n";

/* Functions that call one another, one of them twice. */
static const char *const CALLS = HEAD
  "    @R.function(private=True)\n"
  "    def half(t: R.Tensor((4, 4), \"float32\")) -> R.Tensor((4, 4), \"float32\"):\n"
  "        with R.dataflow():\n"
  "            u = R.multiply(t, R.const(0.5, \"float32\"))\n"
  "            v = R.exp(u)\n"
  "            R.output(v)\n"
  "        return v\n"
  "    @R.function\n"
  "    def main(x: R.Tensor((4, 4), \"float32\"), y: R.Tensor((4, 4), \"float32\")) -> R.Tensor((4, 4), \"float32\"):\n"
  "        cls = Model\n"
  "        a: R.Tensor((4, 4), \"float32\") = cls.half(x)\n"
  "        b: R.Tensor((4, 4), \"float32\") = cls.half(y)\n"
  "        c = R.subtract(a, b)\n"
  "        d = R.concat((c, a), axis=1)\n"
  "        e = R.split(d, 2, axis=1)\n"
  "        f = e[0]\n"
  "        g = e[1]\n"
  "        h = R.add(f, g)\n"
  "        return h\n";

static const char *const CHAINS[][4] = { { NULL }, { "LegalizeOps", NULL }, { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", NULL } };

typedef struct { guint lineage, guessed, gone, wrong; } Count;

/* What a pass may change of the values themselves: half as many bits; a normalisation with the averages that training made instead of the batch's. */
static double
most_of (const char *pass)
{
  return strcmp (pass, "ToMixedPrecision") == 0 ? 0.1 : strcmp (pass, "DecomposeOpsForInference") == 0 ? INFINITY : 1e-4;
}

/* NULL: the pass needs arguments, or does not take the program. (transfer full) */
static LsModule *
run_pass (const char     *name,
          LsModule       *module,
          LsRelaxLineage *lineage)
{
  const LsRelaxPass *pass = ls_relax_pass_get (name, NULL);
  g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, NULL, NULL);
  LsModule *changed;

  ls_relax_lineage_begin (lineage);
  changed = args != NULL ? ls_relax_pass_run (pass, module, args, NULL) : NULL;
  ls_relax_lineage_end (lineage);
  return changed;
}

/* (transfer full), NULL: the passes do not go */
static LsModule *
run_passes (LsModule          *module,
            const char *const *chain,
            const char        *last,
            LsRelaxLineage    *lineage)
{
  g_autoptr (LsModule) at = ls_ref (module);

  for (guint i = 0; at != NULL && chain[i] != NULL; i++)
    ls_take (&at, run_pass (chain[i], at, lineage));
  return at != NULL ? run_pass (last, at, lineage) : NULL;
}

static void
count_one (LsDebugGraph *before,
           guint         number,
           LsDebugGraph *after,
           LsGraphLike   like,
           double        most,
           const char   *words,
           Count        *count)
{
  const LsGraphValue *value = before->values->pdata[number];
  g_autoptr (GVariant) compared = like.other >= 0 ? ls_debug_graph_compare (before, number, after, like) : NULL;
  double relative = 0;

  count->gone += like.other < 0;
  count->lineage += like.why == LS_GRAPH_LIKE_LINEAGE;
  if (like.other >= 0 && like.why != LS_GRAPH_LIKE_LINEAGE)
    {
      count->guessed++;
      g_test_message ("%s: %s (%s) by %s", words, value->name, value->op, ls_graph_why_name (like.why));
    }
  if (like.other < 0)
    g_test_message ("%s: %s (%s) is gone", words, value->name, value->op);
  if (like.why == LS_GRAPH_LIKE_LINEAGE && g_variant_lookup (compared, "relative", "d", &relative) && relative > most)
    {
      count->wrong++;
      g_test_message ("%s: %s is taken for %s, %g away", words, value->name, ((LsGraphValue *) after->values->pdata[like.other])->name, relative);
    }
}

static Count
count_pass (const char        *text,
            const char *const *chain,
            const char        *last)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
  g_autoptr (LsModule) changed = run_passes (module, chain, last, lineage);
  LsDebugInputs inputs = { NULL, NULL, 5 };
  g_autoptr (LsDebugGraph) before = ls_debug_graph_new (module, NULL, &inputs, NULL);
  g_autoptr (LsDebugGraph) after = changed != NULL ? ls_debug_graph_new (changed, NULL, &inputs, NULL) : NULL;
  g_autofree char *words = g_strdup_printf ("%s%s%s", chain[0] != NULL ? chain[0] : "", chain[0] != NULL && chain[1] != NULL ? ".. " : " ", last);
  g_autoptr (GArray) likes = NULL;
  Count count = { 0 };

  g_assert_nonnull (before);
  if (after == NULL)
    return count;
  likes = ls_debug_graph_match (before, after, lineage);
  g_assert_cmpuint (likes->len, ==, before->values->len);
  for (guint i = 0; i < likes->len; i++)
    count_one (before, i, after, g_array_index (likes, LsGraphLike, i), most_of (last), words, &count);
  return count;
}

static void
check_model (gconstpointer text)
{
  guint n = 0;
  const LsRelaxPass *passes = ls_relax_pass_list (&n);
  Count all = { 0 };

  for (guint c = 0; c < G_N_ELEMENTS (CHAINS); c++)
    for (guint i = 0; i < n; i++)
      {
        Count count = count_pass (text, CHAINS[c], passes[i].name);

        all.lineage += count.lineage;
        all.guessed += count.guessed;
        all.gone += count.gone;
        all.wrong += count.wrong;
      }
  g_test_message ("%u by lineage, %u guessed, %u gone, %u wrong", all.lineage, all.guessed, all.gone, all.wrong);
  g_assert_cmpuint (all.wrong, ==, 0);
  g_assert_cmpuint (all.lineage, >, 20 * all.guessed);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/lineage/attention", ATTENTION, check_model);
  g_test_add_data_func ("/lineage/convolution", CONVOLUTION, check_model);
  g_test_add_data_func ("/lineage/calls", CALLS, check_model);
  return g_test_run ();
}
