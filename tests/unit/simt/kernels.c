/* The kernels of data/samples/gpu: on threads they compute what the unscheduled program computes in the interpreter, without a finding.  Each barrier
 * is taken out in turn, and without any one of them there is a race: none stands there for nothing. */
#include "tests/unit/simt/support.h"

#include <math.h>
#include <string.h>

static const struct { const char *name; guint barriers; } ALL[] = {
  { "vector_add", 0 }, { "window_sum", 1 }, { "matmul", 0 }, { "matmul_shared", 2 }, { "softmax", 4 }, { "transpose", 1 },
};

static char *
read_sample (const char *name,
             const char *ending)
{
  g_autofree char *path = g_strconcat ("../data/samples/gpu/", name, ending, NULL);

  return ls_test_read (path, NULL);
}

/* Products of 64 rows instead of 128. */
static char *
smaller (const char *name,
         const char *program)
{
  GString *text = g_string_new (program);

  if (g_str_has_prefix (name, "matmul"))
    g_string_replace (text, "128", "64", 0);
  return g_string_free (text, FALSE);
}

static void
same_numbers (GPtrArray *a,
              GPtrArray *b)
{
  for (guint i = 0; i < a->len; i++)
    {
      LsNDArray *x = a->pdata[i], *y = b->pdata[i];
      gint64 n = 1;

      for (int d = 0; d < x->tensor.ndim; d++)
        n *= x->tensor.shape[d];
      for (gint64 k = 0; k < n; k++)
        {
          double u = ((float *) x->tensor.data)[k], v = ((float *) y->tensor.data)[k];

          if (!(fabs (u - v) <= 1e-5 * MAX (1, fabs (u))))
            g_error ("array %u, element %" G_GINT64_FORMAT ": %g, expected %g", i, k, v, u);
        }
    }
}

static void
no_findings (LsSimtRun *run)
{
  for (guint i = 0; i < run->findings->len; i++)
    g_error ("%s", ((LsSimtFinding *) run->findings->pdata[i])->text);
}

/* ---- barriers ------------------------------------------------------------------------------- */

static gboolean
is_barrier (LsNode *node)
{
  LsExpr *value = ls_is (node, EVALUATE) ? ((LsEvaluate *) node)->value : NULL;

  return value != NULL && ls_is (value, CALL) && ls_is (((LsCall *) value)->op, OP) && g_str_equal (((LsOp *) ((LsCall *) value)->op)->name, "tir.tvm_storage_sync");
}

typedef struct { guint at, wanted; } Taking;

static LsNode *
take_barrier (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    data)
{
  Taking *taking = data;

  if (is_barrier (node) && taking->at++ == taking->wanted)
    return LS_NODE (ls_evaluate_zero ());
  return ls_rewrite_default (rewriter, node);
}

static guint
n_races (LsSimtRun *run)
{
  guint races = 0;

  for (guint i = 0; i < run->findings->len; i++)
    races += ((LsSimtFinding *) run->findings->pdata[i])->kind == LS_SIMT_RACE;
  return races;
}

static void
take_each_barrier (LsPrimFunc *lowered,
                   guint       barriers)
{
  for (guint n = 0; n <= barriers; n++)         /* at last none: so many there are */
    {
      Taking taking = { 0, n };
      g_autoptr (LsNode) body = ls_rewrite_with (lowered->body, take_barrier, &taking);
      g_autoptr (LsPrimFunc) broken = ls_pass_with_body (lowered, body);
      g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 7);
      g_autoptr (LsSimtRun) run = NULL;

      g_assert_cmpuint (taking.at, ==, barriers);
      run = simt_test_run (broken, arrays, NULL);
      if ((n_races (run) > 0) != (n < barriers))
        g_error ("without barrier %u of %u: %u races", n + 1, taking.at, n_races (run));
    }
}

static void
test_kernel (gconstpointer data)
{
  guint at = GPOINTER_TO_UINT (data);
  g_autofree char *whole = read_sample (ALL[at].name, ".py"), *program = smaller (ALL[at].name, whole), *steps = read_sample (ALL[at].name, "_steps.py");
  g_autoptr (LsPrimFunc) plain = simt_test_read (program, "");
  g_autoptr (LsPrimFunc) scheduled = simt_test_read (program, steps);
  g_autoptr (LsPrimFunc) lowered = simt_test_lower (scheduled);
  g_autoptr (GPtrArray) expected = ls_test_arrays (plain, 7);
  g_autoptr (GPtrArray) arrays = ls_test_arrays (plain, 7);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSimtRun) run = NULL;

  ls_test_interpret (NULL, plain, expected, &error);
  g_assert_no_error (error);
  run = simt_test_run (lowered, arrays, NULL);
  no_findings (run);
  same_numbers (expected, arrays);
  g_assert_cmpuint (run->kernels->len, ==, 1);
  g_assert_cmpint (g_array_index (run->kernels, LsSimtKernel, 0).blocks, >, 0);
  take_each_barrier (lowered, ALL[at].barriers);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ALL); i++)
    {
      g_autofree char *path = g_strconcat ("/simt/kernels/", ALL[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_kernel);
    }
  return g_test_run ();
}
