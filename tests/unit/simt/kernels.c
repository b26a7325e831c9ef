/* The kernels of data/samples/gpu, and the two products of the course: on threads they compute what the unscheduled program computes in the
 * interpreter, without a finding.  Each barrier is taken out in turn, and without any one of them there is a race; products of tensor cores are in
 * matrix.c.
 *
 * One barrier is there for nothing in some kernels: TVM's lowering puts one before each reduction through shared memory, for the round of a loop before
 * it may still be reading the result.  Softmax has no such loop; rows divided by their sums in turn have one, and there it is needed like all others. */
#include "tests/unit/simt/support.h"

#include <math.h>
#include <string.h>

/* The course's products with its tiles: blocks of 8 x 8 threads, 8 x 8 sums to a thread, 4 or 8 steps of k. */
static const char BLOCKING[] =
  "block = sch.get_block(\"C\")\n"
  "local = sch.cache_write(block, 0, \"local\")\n"
  "i, j, k = sch.get_loops(block)\n"
  "i0, i1, i2 = sch.split(i, factors=[None, 8, 8])\n"
  "j0, j1, j2 = sch.split(j, factors=[None, 8, 8])\n"
  "k0, k1 = sch.split(k, factors=[None, 4])\n"
  "sch.unroll(k1)\n"
  "sch.reorder(i0, j0, i1, j1, k0, k1, i2, j2)\n"
  "sch.reverse_compute_at(local, j1)\n"
  "sch.bind(i0, \"blockIdx.y\")\n"
  "sch.bind(j0, \"blockIdx.x\")\n"
  "sch.bind(i1, \"threadIdx.y\")\n"
  "sch.bind(j1, \"threadIdx.x\")\n"
  "sch.decompose_reduction(block, k0)\n";

static const char BLOCKING_WITH_SHARED[] =
  "block = sch.get_block(\"C\")\n"
  "local = sch.cache_write(block, 0, \"local\")\n"
  "i, j, k = sch.get_loops(block)\n"
  "i0, i1, i2 = sch.split(i, factors=[None, 8, 8])\n"
  "j0, j1, j2 = sch.split(j, factors=[None, 8, 8])\n"
  "k0, k1 = sch.split(k, factors=[None, 8])\n"
  "sch.reorder(i0, j0, i1, j1, k0, k1, i2, j2)\n"
  "sch.reverse_compute_at(local, j1)\n"
  "sch.bind(i0, \"blockIdx.y\")\n"
  "sch.bind(j0, \"blockIdx.x\")\n"
  "tx = sch.fuse(i1, j1)\n"
  "sch.bind(tx, \"threadIdx.x\")\n"
  "A_shared = sch.cache_read(block, 0, \"shared\")\n"
  "sch.compute_at(A_shared, k0)\n"
  "y, x = sch.get_loops(A_shared)[-2:]\n"
  "inner = sch.fuse(y, x)\n"
  "f0, f1, f2 = sch.split(inner, factors=[None, 64, 4])\n"
  "sch.vectorize(f2)\n"
  "sch.bind(f1, \"threadIdx.x\")\n"
  "B_shared = sch.cache_read(block, 1, \"shared\")\n"
  "sch.compute_at(B_shared, k0)\n"
  "y2, x2 = sch.get_loops(B_shared)[-2:]\n"
  "inner2 = sch.fuse(y2, x2)\n"
  "g0, g1, g2 = sch.split(inner2, factors=[None, 64, 4])\n"
  "sch.vectorize(g2)\n"
  "sch.bind(g1, \"threadIdx.x\")\n"
  "sch.decompose_reduction(block, k0)\n";

/* Each block divides four rows by their sums, one after the other. */
static const char ROWS[] =
  "from tvm.script import tir as T\n\n@T.prim_func\n"
  "def main(A: T.Buffer((8, 64), \"float32\"), B: T.Buffer((8, 64), \"float32\")):\n"
  "    S = T.alloc_buffer((8,))\n"
  "    for i, k in T.grid(8, 64):\n"
  "        with T.block(\"S\"):\n"
  "            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
  "            with T.init():\n"
  "                S[vi] = T.float32(0)\n"
  "            S[vi] = S[vi] + A[vi, vk]\n"
  "    for i, j in T.grid(8, 64):\n"
  "        with T.block(\"B\"):\n"
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "            B[vi, vj] = A[vi, vj] / S[vi]\n";

static const char ROWS_STEPS[] =
  "block = sch.get_block(\"B\")\n"
  "i, j = sch.get_loops(block)\n"
  "i0, i1 = sch.split(i, factors=[2, 4])\n"
  "sch.bind(i0, \"blockIdx.x\")\n"
  "sch.bind(j, \"threadIdx.x\")\n"
  "total = sch.get_block(\"S\")\n"
  "sch.compute_at(total, i1)\n"
  "sch.set_scope(total, 0, \"local\")\n"
  "k = sch.get_loops(total)[-1]\n"
  "sch.bind(k, \"threadIdx.x\")\n";

/* A letter for each barrier: x where the kernel races without it, . where it does not.  Where no steps are given they are those of the sample. */
static const struct { const char *name, *sample, *steps, *device, *barriers; } ALL[] = {
  { "vector-add", "vector_add", NULL, "cuda", "" },
  { "window-sum", "window_sum", NULL, "cuda", "x" },
  { "matmul", "matmul", NULL, "cuda", "" },
  { "matmul-shared", "matmul_shared", NULL, "cuda", "xx" },
  { "course-blocking", "matmul", BLOCKING, "cuda", "" },
  { "course-blocking-with-shared", "matmul", BLOCKING_WITH_SHARED, "cuda", "xx" },
  { "softmax-by-shuffles", "softmax", NULL, "cuda", "xxxx" },
  { "softmax-through-shared-memory", "softmax", NULL, "opencl", "xxxxxxxxxxxxxxxx" },
  { "rows-through-shared-memory", NULL, ROWS_STEPS, "opencl", "xxxxxxxx" },
  { "transpose", "transpose", NULL, "cuda", "x" },
};

static char *
read_sample (const char *name,
             const char *ending)
{
  g_autofree char *path = g_strconcat ("../data/samples/gpu/", name, ending, NULL);

  return ls_test_read (path, NULL);
}

/* The program of a case; products of 64 rows instead of 128. */
static char *
read_program (guint at)
{
  g_autofree char *sample = ALL[at].sample != NULL ? read_sample (ALL[at].sample, ".py") : NULL;
  GString *text = g_string_new (sample != NULL ? sample : ROWS);

  if (ALL[at].sample != NULL && g_str_has_prefix (ALL[at].sample, "matmul"))
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
                   const char *needed)
{
  for (guint n = 0; n <= strlen (needed); n++)  /* at last none: so many there are */
    {
      Taking taking = { 0, n };
      g_autoptr (LsNode) body = ls_rewrite_with (lowered->body, take_barrier, &taking);
      g_autoptr (LsPrimFunc) broken = ls_pass_with_body (lowered, body);
      g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 7);
      g_autoptr (LsSimtRun) run = NULL;

      g_assert_cmpuint (taking.at, ==, strlen (needed));
      run = simt_test_run (broken, arrays, NULL);
      if ((n_races (run) > 0) != (needed[n] == 'x'))
        g_error ("without barrier %u of %u: %u races", n + 1, taking.at, n_races (run));
    }
}

static void
test_kernel (gconstpointer data)
{
  guint at = GPOINTER_TO_UINT (data);
  g_autofree char *program = read_program (at), *steps = ALL[at].steps != NULL ? g_strdup (ALL[at].steps) : read_sample (ALL[at].sample, "_steps.py");
  g_autoptr (LsPrimFunc) plain = simt_test_read (program, "");
  g_autoptr (LsPrimFunc) scheduled = simt_test_read (program, steps);
  g_autoptr (LsPrimFunc) lowered = simt_test_lower_for (scheduled, ALL[at].device);
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
