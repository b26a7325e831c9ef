/* No pass takes more than in proportion (n log n) to what it is given: every registered pass, of TensorIR and of Relax, over programs of many
 * functions, blocks, loops, statements, bindings, as they are written and in the forms that the pipelines bring them into.
 *
 * What is compared is the processor time of a pass over 4 n parts with that over n, the least of several runs: 4 where it is linear, 5 with a logarithm,
 * 16 where it is quadratic; above 9 is wrong, and so is a run that ends in nothing but patience.  What is over in a few milliseconds is not judged.  A pass
 * that does not take a form is left out there, but each takes one.  LS_GROWTH=N: 4 N parts; LS_GROWTH_ONLY=TEXT|TEXT: programs or passes with one of them in their names,
 * or "PASS over PROGRAM" as it is told;
 * LS_GROWTH_TABLE=1 says all times.
 *
 * Those that still grow faster over some program are named in STILL: they are told, and fail nothing.
 *
 *   /growth/judge     a pass that makes a module of all functions for each of them is found
 *   /growth/tir       passes of TensorIR
 *   /growth/relax     passes of Relax
 */
#include "engine/relax/pass/pass.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/support.h"

#include <string.h>
#include <time.h>

#define LIMIT 9.0               /* times as long for four times as much */
#define SHORT 6e6               /* ns: what is over by then is not judged */
#define CLEAR 1e9              /* ns: so long, and far over the limit, is not measured again */
#define PATIENCE 20e9           /* ns: nothing is waited for longer */

/* Passes that are known to grow faster; Gradient takes none of the programs.  Whoever mends one takes it off. */
static const char *const STILL[] = { "Gradient", NULL };

typedef struct {
  const char *name;
  char     *(*text) (guint n);
  LsModule *(*form) (LsModule *module); /* NULL: as it is written; takes the module, NULL: it cannot be brought there */
} Program;

/* ---- programs of TensorIR ---------------------------------------------------------------------- */

#define HEAD "# from tvm.script import ir as I\n# from tvm.script import tir as T\n# from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"

static char *
functions_text (guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "    @T.prim_func\n    def f%u(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n        for i in range(8):\n"
                            "            with T.block(\"B\"):\n                vi = T.axis.spatial(8, i)\n                B[vi] = A[vi] + T.float32(%u)\n\n", i, i);
  return g_string_free (text, FALSE);
}

/* Private functions, each called by the next, and by one that is seen. */
static char *
calls_text (guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func(private=True)\n    def f%u(p: T.handle(\"float32\"), k: T.int32):\n        P = T.decl_buffer((k,), data=p)\n"
                            "        P[0] = T.float32(%u)\n\n", i, i);
  g_string_append (text, "    @T.prim_func\n    def main(A: T.Buffer((8,), \"float32\")):\n        T.func_attr({\"global_symbol\": \"main\"})\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        Module.f%u(T.address_of(A[%u]), 8)\n", i, i % 8);
  return g_string_free (text, FALSE);
}

/* Functions that call each other in one long row. */
static char *
row_text (guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "    @T.prim_func%s\n    def f%u(p: T.handle(\"float32\")):\n", i > 0 ? "(private=True)" : "", i);
      if (i == 0)
        g_string_append (text, "        T.func_attr({\"global_symbol\": \"f0\"})\n");
      if (i + 1 < n)
        g_string_append_printf (text, "        Module.f%u(p)\n\n", i + 1);
      else
        g_string_append (text, "        T.evaluate(0)\n\n");
    }
  return g_string_free (text, FALSE);
}

#define TARGET "T.target({\"keys\": [\"cuda\", \"gpu\"], \"kind\": \"cuda\", \"tag\": \"\", \"host\": {\"keys\": [\"cpu\"], \"kind\": \"llvm\", \"tag\": \"\"}})"

static char *
kernels_text (guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "    @T.prim_func\n    def f%u(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
                            "        T.func_attr({\"target\": " TARGET "})\n        with T.launch_thread(\"threadIdx.x\", 8) as t:\n"
                            "            B[t] = A[t] + T.float32(%u)\n\n", i, i);
  return g_string_free (text, FALSE);
}

/* One function with many. */
static char *
launches_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
                                "        T.func_attr({\"target\": " TARGET "})\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        with T.launch_thread(\"threadIdx.x\", 8) as t%u:\n            B[t%u] = A[t%u] + T.float32(%u)\n", i, i, i, i);
  return g_string_free (text, FALSE);
}

static char *
blocks_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n");

  g_string_append_printf (text, "    def main(T0: T.Buffer((4, 4), \"float32\"), T%u: T.Buffer((4, 4), \"float32\")):\n", n);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "        T%u = T.alloc_buffer((4, 4))\n", i);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "        for i, j in T.grid(4, 4):\n            with T.block(\"S%u\"):\n"
                            "                vi, vj = T.axis.remap(\"SS\", [i, j])\n                T.reads(T%u[vi, vj])\n"
                            "                T.writes(T%u[vi, vj])\n                T%u[vi, vj] = T%u[vi, vj] + T.float32(1)\n", i, i, i + 1, i + 1, i);
  return g_string_free (text, FALSE);
}

/* Sums over loops of all kinds. */
static char *
sums_text (guint n)
{
  static const char *const KINDS[] = { "range(8)", "T.parallel(8)", "T.vectorized(8)", "T.unroll(8)" };
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((8, 8), \"float32\"), B: T.Buffer((8,), \"float32\")):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "        for i in %s:\n            for k in range(8):\n                with T.block(\"B%u\"):\n"
                            "                    vi, vk = T.axis.remap(\"SR\", [i, k])\n                    with T.init():\n"
                            "                        B[vi] = T.float32(0)\n                    B[vi] = B[vi] + A[vi, vk]\n", KINDS[i % 4], i);
  return g_string_free (text, FALSE);
}

static char *
loops_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        for i in range(64):\n            B[i] = A[i] * T.float32(%u) + B[i]\n", i % 100 + 1);
  return g_string_free (text, FALSE);
}

static char *
stores_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((100000,), \"int32\"), x: T.int32, y: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        A[%u] = (x * %u + y) * (y + %u)\n", i, i + 2, i + 3);
  return g_string_free (text, FALSE);
}

static char *
scalars_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((1,), \"int32\"), x0: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        x%u: T.int32 = x%u + %u\n", i + 1, i, i % 7 + 1);
  g_string_append_printf (text, "        A[0] = x%u\n", n);
  return g_string_free (text, FALSE);
}

static char *
products_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((1,), \"int32\"), x0: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        x%u: T.int32 = x%u * 3 + %u\n", i + 1, i, i % 7);
  g_string_append_printf (text, "        A[0] = x%u\n", n);
  return g_string_free (text, FALSE);
}

/* Each of the one before, twice: written out they would be 2^n long. */
static char *
squares_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((1,), \"int32\"), x0: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        x%u: T.int32 = x%u * x%u + %u\n", i + 1, i, i, i % 7);
  g_string_append_printf (text, "        A[0] = x%u\n", n);
  return g_string_free (text, FALSE);
}

/* Each of the two before it. */
static char *
pairs_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((8,), \"int32\"), x0: T.int32, x1: T.int32):\n        for i in range(8):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            x%u: T.int32 = T.max(x%u + %u, x%u)\n", i + 2, i + 1, i % 7, i);
  g_string_append_printf (text, "            if x%u < i:\n                A[i] = x%u\n", n + 1, n + 1);
  return g_string_free (text, FALSE);
}

static char *
conditions_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((64,), \"int32\"), x: T.int32):\n        for i in range(64):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            if x < %u:\n                A[i] = A[i] + %u\n", i * 3, i);
  return g_string_free (text, FALSE);
}

static char *
assertions_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((64,), \"int32\"), x: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        assert x < %u, \"small\"\n        A[%u] = x\n", i + 9, i % 64);
  return g_string_free (text, FALSE);
}

static char *
allocations_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(A: T.Buffer((64,), \"int32\")):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        with T.allocate([64], \"int32\", \"global\") as p%u:\n            P%u = T.decl_buffer((64,), \"int32\", data=p%u)\n"
                            "            P%u[%u] = A[%u]\n            A[%u] = P%u[%u] + 1\n", i, i, i, i, i % 64, i % 64, i % 64, i, i % 64);
  return g_string_free (text, FALSE);
}

static char *
parameters_text (guint n)
{
  GString *text = g_string_new (HEAD "    @T.prim_func\n    def main(");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%sA%u: T.Buffer((8,), \"float32\")", i > 0 ? ", " : "", i);
  g_string_append (text, "):\n        T.func_attr({\"global_symbol\": \"main\", \"target\": T.target({\"keys\": [\"cpu\"], \"kind\": \"llvm\", \"tag\": \"\","
                   " \"host\": {\"keys\": [\"cpu\"], \"kind\": \"llvm\", \"tag\": \"\"}})})\n");
  for (guint i = 0; i + 1 < n; i++)
    g_string_append_printf (text, "        A%u[0] = A%u[1]\n", i, i + 1);
  return g_string_free (text, FALSE);
}

static LsModule *
lowered_form (LsModule *module)
{
  LsModule *lowered = ls_lower_module (module, NULL, NULL, NULL);

  ls_unref (module);
  return lowered;
}

/* As lowered_form up to where buffers are flat and blocks are gone. */
static LsModule *
flat_form (LsModule *module)
{
  static const char *const PASSES[] = {
    "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation", "LowerMatchBuffer", "LowerOpaqueBlock", "FlattenBuffer"
  };

  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && module != NULL; i++)
    ls_take (&module, ls_pass_run_module (ls_pass_get (PASSES[i]), module, NULL));
  return module;
}

static LsModule *
split_form (LsModule *module)
{
  static const char *const PASSES[] = { "AnnotateDeviceRegions", "SplitHostDevice" };

  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && module != NULL; i++)
    ls_take (&module, ls_pass_run_module (ls_pass_get (PASSES[i]), module, NULL));
  return module;
}

static const Program TIR[] = {
  { "n functions", functions_text, NULL }, { "n functions, lowered", functions_text, lowered_form }, { "n called functions", calls_text, NULL },
  { "n functions in a row", row_text, NULL }, { "n functions with kernels", kernels_text, NULL }, { "n kernels and their hosts", kernels_text, split_form },
  { "n kernels of one function", launches_text, NULL }, { "n kernels of one function, split", launches_text, split_form },
  { "n blocks", blocks_text, NULL }, { "n blocks, flat", blocks_text, flat_form }, { "n blocks, lowered", blocks_text, lowered_form },
  { "n sums", sums_text, NULL }, { "n sums, flat", sums_text, flat_form }, { "n loops", loops_text, NULL }, { "n stores", stores_text, NULL },
  { "n scalars", scalars_text, NULL }, { "n scalars, times 3", products_text, NULL }, { "n scalars, squared", squares_text, NULL },
  { "n scalars of two", pairs_text, NULL }, { "n conditions", conditions_text, NULL },
  { "n assertions", assertions_text, NULL }, { "n allocations", allocations_text, NULL }, { "n parameters", parameters_text, NULL },
};

/* ---- programs of Relax ------------------------------------------------------------------------- */

/* Functions of tensors, half of them private, and one that calls them all. */
static char *
graphs_text (guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "    @R.function%s\n    def f%u(x: R.Tensor((2, 3), \"float32\"), w: R.Tensor((3, 3), \"float32\")) -> R.Tensor((2, 3), \"float32\"):\n"
                            "        with R.dataflow():\n            y: R.Tensor((2, 3), \"float32\") = R.matmul(x, w)\n"
                            "            z: R.Tensor((2, 3), \"float32\") = R.add(y, R.const(%u.0, \"float32\"))\n            R.output(z)\n        return z\n\n",
                            i % 2 ? "(private=True)" : "", i, i);
  g_string_append (text, "    @R.function\n    def main(x: R.Tensor((2, 3), \"float32\"), w: R.Tensor((3, 3), \"float32\")) -> R.Tensor((2, 3), \"float32\"):\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        x%u: R.Tensor((2, 3), \"float32\") = Module.f%u(x%.0u, w)\n", i + 1, i, i);
  g_string_append_printf (text, "        return x%u\n", n);
  return g_string_free (text, FALSE);
}

static char *
prims_text (guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "    @T.prim_func(private=True)\n    def f%u(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n        for i in range(8):\n"
                            "            with T.block(\"B\"):\n                vi = T.axis.spatial(8, i)\n                B[vi] = A[vi] + T.float32(%u)\n\n", i, i);
  g_string_append (text, "    @R.function\n    def main(x: R.Tensor((8,), \"float32\")) -> R.Tensor((8,), \"float32\"):\n        cls = Module\n        with R.dataflow():\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            x%u = R.call_tir(cls.f%u, (x%.0u,), out_sinfo=R.Tensor((8,), \"float32\"))\n", i + 1, i, i);
  g_string_append_printf (text, "            gv: R.Tensor((8,), \"float32\") = x%u\n            R.output(gv)\n        return gv\n", n);
  return g_string_free (text, FALSE);
}

static char *
bindings_text (guint n)
{
  GString *text = g_string_new (HEAD "    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\"), w: R.Tensor((4, 4), \"float32\")) -> R.Tensor((4, 4), \"float32\"):\n"
                                "        R.func_attr({\"num_input\": 1})\n        with R.dataflow():\n");
  static const char *const OPS[] = { "R.add(%s, x)", "R.multiply(%s, w)", "R.matmul(%s, w)", "R.nn.relu(%s)", "R.permute_dims(%s)", "R.reshape(%s, R.shape([4, 4]))" };

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *before = i > 0 ? g_strdup_printf ("lv%u", i) : g_strdup ("x");
      g_auto (GStrv) around = g_strsplit (OPS[i % G_N_ELEMENTS (OPS)], "%s", 2);

      g_string_append_printf (text, "            lv%u: R.Tensor((4, 4), \"float32\") = %s%s%s\n", i + 1, around[0], before, around[1]);
    }
  g_string_append_printf (text, "            gv: R.Tensor((4, 4), \"float32\") = R.nn.relu(lv%u)\n            R.output(gv)\n        return gv\n", n);
  return g_string_free (text, FALSE);
}

/* One value that all use, and all that comes of it in one tuple. */
static char *
fan_text (guint n)
{
  GString *text = g_string_new (HEAD "    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\")) -> R.Object:\n        with R.dataflow():\n"
                                "            y: R.Tensor((4, 4), \"float32\") = R.nn.relu(x)\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            z%u: R.Tensor((4, 4), \"float32\") = R.add(y, R.const(%u.0, \"float32\"))\n", i, i);
  g_string_append (text, "            gv = (");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "z%u, ", i);
  g_string_append (text, ")\n            R.output(gv)\n        return gv\n");
  return g_string_free (text, FALSE);
}

static char *
dataflow_text (guint n)
{
  GString *text = g_string_new (HEAD "    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\")) -> R.Tensor((4, 4), \"float32\"):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "        with R.dataflow():\n            y%u: R.Tensor((4, 4), \"float32\") = R.nn.relu(x%.0u)\n"
                            "            x%u: R.Tensor((4, 4), \"float32\") = R.add(y%u, y%u)\n            R.output(x%u)\n"
                            "        _%u = R.call_packed(\"vm.builtin.nothing\", x%u, sinfo_args=(R.Tuple,))\n", i, i, i + 1, i, i, i + 1, i, i + 1);
  g_string_append_printf (text, "        return x%u\n", n);
  return g_string_free (text, FALSE);
}

/* Weights that are parameters, each with an extent that only a run knows. */
static char *
weights_text (guint n)
{
  GString *text = g_string_new (HEAD "    @R.function\n    def main(x: R.Tensor((\"m\", 4), \"float32\")");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, ", w%u: R.Tensor((\"n%u\", 4), \"float32\")", i, i);
  g_string_append (text, ") -> R.Object:\n        R.func_attr({\"num_input\": 1})\n        with R.dataflow():\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            t%u = R.permute_dims(w%u)\n            y%u = R.matmul(x, t%u)\n", i, i, i, i);
  g_string_append (text, "            gv = (");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "y%u, ", i);
  g_string_append (text, ")\n            R.output(gv)\n        return gv\n");
  return g_string_free (text, FALSE);
}

static LsModule *
run_passes (LsModule          *module,
            const char *const *names)
{
  for (guint i = 0; names[i] != NULL && module != NULL; i++)
    {
      const LsRelaxPass *pass = ls_relax_pass_get (names[i], NULL);
      g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, NULL, NULL);

      ls_take (&module, ls_relax_pass_run (pass, module, args, NULL));
    }
  return module;
}

static LsModule *
legal_form (LsModule *module)
{
  static const char *const PASSES[] = { "LegalizeOps", NULL };

  return run_passes (module, PASSES);
}

static LsModule *
grouped_form (LsModule *module)
{
  static const char *const PASSES[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", NULL };

  return run_passes (module, PASSES);
}

static LsModule *
called_form (LsModule *module)
{
  static const char *const PASSES[] = { "LegalizeOps", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", NULL };

  return run_passes (module, PASSES);
}

static LsModule *
planned_form (LsModule *module)
{
  static const char *const PASSES[] = {
    "LegalizeOps", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse",
    "LowerRuntimeBuiltin", "ComputePrimValue", NULL
  };

  return run_passes (module, PASSES);
}

static const Program RELAX[] = {
  { "n functions", graphs_text, NULL }, { "n functions, legal", graphs_text, legal_form }, { "n functions, grouped", graphs_text, grouped_form },
  { "n functions, calls written out", graphs_text, called_form }, { "n functions, planned", graphs_text, planned_form },
  { "n PrimFuncs", prims_text, NULL }, { "n PrimFuncs, grouped", prims_text, grouped_form }, { "n PrimFuncs, planned", prims_text, planned_form },
  { "n bindings", bindings_text, NULL }, { "n bindings, legal", bindings_text, legal_form }, { "n bindings, grouped", bindings_text, grouped_form },
  { "n bindings, calls written out", bindings_text, called_form }, { "n bindings, planned", bindings_text, planned_form },
  { "n uses", fan_text, NULL }, { "n uses, legal", fan_text, legal_form }, { "n uses, grouped", fan_text, grouped_form }, { "n uses, planned", fan_text, planned_form },
  { "n dataflow blocks", dataflow_text, NULL }, { "n dataflow blocks, calls written out", dataflow_text, called_form },
  { "n weights", weights_text, NULL }, { "n weights, legal", weights_text, legal_form }, { "n weights, calls written out", weights_text, called_form },
  { "n weights, planned", weights_text, planned_form },
};

/* ---- measuring ----------------------------------------------------------------------------------- */

typedef LsModule *(*RunFunc) (gconstpointer pass, LsModule *module);

static double
processor_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

/* ns; -1: the pass does not take the program. */
static double
measure (RunFunc       run,
         gconstpointer pass,
         LsModule     *module,
         guint         times)
{
  double best = -1;

  for (guint i = 0; i < times; i++)
    {
      double start = processor_now (), took;
      g_autoptr (LsModule) after = run (pass, module);

      if (after == NULL)
        return -1;
      took = processor_now () - start;
      best = best < 0 ? took : MIN (best, took);
    }
  return best;
}

static LsModule *
make (const Program *program,
      guint          n)
{
  g_autofree char *text = program->text (n);
  g_autoptr (LsSource) source = ls_source_new (program->name, text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s: %s", program->name, findings);
    }
  return program->form != NULL ? program->form (module) : module;
}

static guint
n_parts (void)
{
  const char *asked = g_getenv ("LS_GROWTH");

  return asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : ls_test_count (250, 2000);
}

/* A program of n parts and the same of four times as many. */
typedef struct {
  const Program *program;
  LsModule      *few, *many;
  guint          n;
} Pair;

static void
pair_clear (Pair *self)
{
  ls_unref (self->few);
  ls_unref (self->many);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

/* Does four times as much take no more than LIMIT times as long?  `taken`: the pass takes the program. */
static gboolean
is_fine (const Pair   *pair,
         RunFunc       run,
         gconstpointer pass,
         const char   *name,
         gboolean     *taken)
{
  double few = measure (run, pass, pair->few, 1), many = few;

  *taken = few >= 0;
  if (few > PATIENCE / LIMIT)
    {
      g_test_message ("%s over %s: %.0f ms for %u already", name, pair->program->name, few / 1e6, pair->n);
      return FALSE;
    }
  if (*taken)
    many = measure (run, pass, pair->many, 1);
  for (guint again = 0; again < 3 && many > SHORT && many > LIMIT * few && !(many > CLEAR && many > 2 * LIMIT * few); again++)
    {
      few = MAX (few, measure (run, pass, pair->few, 5));  /* the first run of all may have been the slowest, or the others disturbed: see below */
      many = MIN (many, measure (run, pass, pair->many, 2));
    }
  if (*taken && g_getenv ("LS_GROWTH_TABLE") != NULL)
    g_test_message ("%-42s %-36s %9.2f %9.2f ms  %5.1f times", name, pair->program->name, few / 1e6, many / 1e6, many / few);
  if (!*taken || many <= SHORT || many <= LIMIT * few)
    return TRUE;
  g_test_message ("%s over %s: %.1f ms for %u, %.1f ms for %u: %.1f times as long for four times as much", name, pair->program->name, few / 1e6, pair->n, many / 1e6,
                  pair->n * 4, many / few);
  return FALSE;
}

static gboolean
is_asked (const char *pass,
          const char *program)
{
  const char *only = g_getenv ("LS_GROWTH_ONLY");
  g_auto (GStrv) both = only != NULL && strstr (only, " over ") != NULL ? g_strsplit (only, " over ", 2) : NULL, some = NULL;

  if (both != NULL)
    return strcmp (pass, both[0]) == 0 && strcmp (program, both[1]) == 0;
  if (only == NULL)
    return TRUE;
  some = g_strsplit (only, "|", -1);
  for (guint i = 0; some[i] != NULL; i++)
    if (strstr (pass, some[i]) != NULL || strstr (program, some[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* ---- passes ---------------------------------------------------------------------------------------- */

static LsModule *
run_tir (gconstpointer pass,
         LsModule     *module)
{
  return ls_pass_run_module (pass, module, NULL);
}

static LsMap *
arguments_of (const LsRelaxPass *pass)
{
  static const struct { const char *pass, *name, *text; } GIVEN[] = {
    { "BindParams", "func_name", "main" }, { "ToMixedPrecision", "out_dtype", "float32" }, { "Gradient", "func_name", "main" },
  };
  g_autoptr (LsMap) named = ls_map_empty ();

  for (guint i = 0; i < G_N_ELEMENTS (GIVEN); i++)
    if (strcmp (pass->name, GIVEN[i].pass) == 0)
      {
        g_autoptr (LsString) text = ls_string_new (GIVEN[i].text);

        ls_take (&named, ls_map_set (named, GIVEN[i].name, text));
      }
  if (strcmp (pass->name, "BindParams") == 0 || strcmp (pass->name, "BindSymbolicVars") == 0 || strcmp (pass->name, "ConvertLayout") == 0)
    {
      g_autoptr (LsMap) none = ls_map_empty ();

      ls_take (&named, ls_map_set (named, strcmp (pass->name, "BindParams") == 0 ? "params" : pass->name[0] == 'B' ? "binding_map" : "desired_layouts", none));
    }
  if (strcmp (pass->name, "IPCAllReduceRewrite") == 0)
    {
      g_autoptr (LsExpr) strategy = ls_int (1);

      ls_take (&named, ls_map_set (named, "allreduce_strategy", strategy));
    }
  if (strcmp (pass->name, "FuseOpsByPattern") == 0)
    {
      g_autoptr (LsArray) none = ls_array_empty ();

      ls_take (&named, ls_map_set (named, "patterns", none));
    }
  return ls_relax_pass_arguments (pass, NULL, named, NULL);
}

static LsModule *
run_relax (gconstpointer pass,
           LsModule     *module)
{
  g_autoptr (LsMap) args = arguments_of (pass);

  return args != NULL ? ls_relax_pass_run (pass, module, args, NULL) : NULL;
}

typedef struct { const char *name; gconstpointer pass; } Named;

static void
judge (const Program *programs,
       guint          n_programs,
       RunFunc        run,
       const Named   *passes,
       guint          n_passes)
{
  g_autofree gboolean *takes = g_new0 (gboolean, n_passes);
  guint wrong = 0, judged = 0;

  for (guint i = 0; i < n_programs; i++)
    {
      guint n = n_parts ();
      g_auto (Pair) pair = { &programs[i], NULL, NULL, n };

      for (guint k = 0; k < n_passes; k++)
        {
          gboolean taken;

          if (!is_asked (passes[k].name, programs[i].name))
            continue;
          if (pair.few == NULL)
            {
              pair.few = make (&programs[i], n);
              pair.many = pair.few != NULL ? make (&programs[i], 4 * n) : NULL;
              if (pair.many == NULL)
                {
                  g_test_message ("%s: the form is not reached", programs[i].name);
                  g_test_fail ();
                  break;
                }
            }
          wrong += !is_fine (&pair, run, passes[k].pass, passes[k].name, &taken) && !g_strv_contains (STILL, passes[k].name);
          takes[k] |= taken;
          judged += taken;
        }
    }
  for (guint k = 0; k < n_passes && g_getenv ("LS_GROWTH_ONLY") == NULL; k++)
    if (!takes[k])
      {
        g_test_message ("%s takes none of the programs", passes[k].name);
        wrong += !g_strv_contains (STILL, passes[k].name);
      }
  g_test_message ("%u passes, %u programs, %u judged, %u wrong", n_passes, n_programs, judged, wrong);
  if (wrong > 0)
    g_test_fail ();
}

static void
test_tir (void)
{
  guint n;
  const LsPass *const *all = ls_pass_all (&n);
  g_autofree Named *passes = g_new (Named, n);

  for (guint i = 0; i < n; i++)
    passes[i] = (Named) { all[i]->name, all[i] };
  judge (TIR, G_N_ELEMENTS (TIR), run_tir, passes, n);
}

/* What only Python can say an argument of. */
static gboolean
is_for_python (const LsRelaxPass *pass)
{
  for (guint i = 0; pass->params != NULL && pass->params[i].name != NULL; i++)
    if (strcmp (pass->params[i].type, "python") == 0)
      return TRUE;
  return FALSE;
}

static void
test_relax (void)
{
  guint n, kept = 0;
  const LsRelaxPass *all = ls_relax_pass_list (&n);
  g_autofree Named *passes = g_new (Named, n);

  for (guint i = 0; i < n; i++)
    if (!is_for_python (&all[i]))
      passes[kept++] = (Named) { all[i].name, &all[i] };
  judge (RELAX, G_N_ELEMENTS (RELAX), run_relax, passes, kept);
}

/* ---- the judge --------------------------------------------------------------------------------------- */

static LsModule *
run_one_by_one (gconstpointer pass,
                LsModule     *module)
{
  LsModule *now = ls_ref (module);

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);
      g_autoptr (LsExpr) yes = ls_bool (TRUE);
      g_autoptr (LsPrimFunc) marked = ls_prim_func_with_attr (func, "seen", yes);

      ls_take (&now, ls_module_with (now, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, marked));
    }
  return now;
}

static void
test_judge (void)
{
  guint n = 500;
  g_auto (Pair) pair = { &TIR[0], make (&TIR[0], n), make (&TIR[0], 4 * n), n };
  gboolean taken;

  g_assert_false (is_fine (&pair, run_one_by_one, NULL, "one by one", &taken));
  g_assert_true (is_fine (&pair, run_tir, ls_pass_get ("Simplify"), "Simplify", &taken));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/judge", test_judge);
  g_test_add_func ("/growth/tir", test_tir);
  g_test_add_func ("/growth/relax", test_relax);
  return g_test_run ();
}
