/* vector-math: powers, logarithms, tanh and erf of vectors are arithmetic, and as near to the exact value as a float32 can be. */
#include "engine/codegen/codegen.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define N 8192
#define MOST_ULP 0.51

static double
sigmoid (double x)
{
  return 1.0 / (1.0 + exp (-x));
}

static double
ten_to (double x)
{
  return pow (10.0, x);
}

static const struct { const char *name, *called; double (*exact) (double); double most; } FUNCTIONS[] = {
  { "exp", "@expf", exp, MOST_ULP },
  { "exp2", "@exp2f", exp2, MOST_ULP },
  { "exp10", "@exp10f", ten_to, MOST_ULP },
  { "log", "@logf", log, MOST_ULP },
  { "log2", "@log2f", log2, MOST_ULP },
  { "log10", "@log10f", log10, MOST_ULP },
  { "log1p", "@log1pf", log1p, MOST_ULP },
  { "tanh", "@tanhf", tanh, MOST_ULP },
  { "erf", "@erff", erf, MOST_ULP },
  { "sigmoid", "@expf", sigmoid, 2.0 },         /* 1 / (1 + exp (-x)), rounded three times */
};

/* Where formulas end: zeros, the ends of the range, subnormals, what is just in and just out of range, around the roots of one half and two. */
static const float EDGES[] = { 0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-45f, -1e-45f, 0x1p-126f, -0x1p-126f, FLT_MAX, -FLT_MAX, 0x1.62e42ep6f, 0x1.62e430p6f,
                               -0x1.5d589ep6f, -0x1.9fe368p6f, -0x1.9fe36ap6f, 89.0f, -104.0f, 1.0f, -1.0f, 4.0f, -4.0f, 3.99f, 0x1.6a09e4p-1f, 0x1.6a09e6p-1f,
                               0x1.6a09e6p+0f, 0x1.6a09e8p+0f, 0.3466f, -0.3466f, 10.0f, 9.99f, 1e-4f, 0x1.fffffep-1f, 0x1.000002p+0f, -0x1.fffffep-1f,
                               0x1p-20f, -0x1p-20f, 0x1.fffffep-21f, 1e-8f, -1e-8f, 128.0f, -149.0f, -150.0f, -151.0f, 38.53184f, 38.5319f, -45.15f, -45.2f, 8.0f, 1000.0f, 1e10f };

static void
fill (float *values)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < N; i++)
    {
      guint32 bits = g_rand_int (rand);

      if (i < G_N_ELEMENTS (EDGES))
        values[i] = EDGES[i];
      else if (i % 2 == 0)
        memcpy (&values[i], &bits, sizeof bits);
      else
        values[i] = (float) g_rand_double_range (rand, -12.0, 12.0);
    }
}

static LsObject *
compile (const char *function,
         const char *dtype,
         guint       lanes,
         const char *target_text,
         LsModule  **module)
{
  g_autofree char *text = g_strdup_printf ("@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((%u,), \"%s\"), B: T.Buffer((%u,), \"%s\")):\n"
                                           "        for i in range(%u):\n            for j in T.vectorized(%u):\n                B[i * %u + j] = T.%s(A[i * %u + j])\n",
                                           N, dtype, N, dtype, N / lanes, lanes, lanes, function, lanes);
  g_autoptr (LsSource) source = ls_source_new ("vectors", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (target_text, &error);
  g_autoptr (LsModule) low = NULL;
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .want_raw_ir = TRUE, .prefix = prefix };
  LsObject *object;

  g_assert_no_error (error);
  *module = ls_script_parse (source, diagnostics);
  g_assert_nonnull (*module);
  low = ls_lower_module (*module, NULL, NULL, &error);
  g_assert_no_error (error);
  object = ls_codegen_compile (low, NULL, target, &options, &error);
  g_assert_no_error (error);
  return object;
}

/* What the function makes of fill(). (transfer full) */
static GPtrArray *
computed (LsModule *module,
          LsObject *object)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsJit) jit = ls_jit_new (&error);
  g_autoptr (LsKernel) kernel = ls_jit_add (jit, object, &error);
  GPtrArray *arrays = ls_test_arrays (ls_array_at (module->functions, 0, LsPrimFunc), 7);
  LsArg args[2] = { { .kind = LS_ARG_TENSOR, .v_tensor = arrays->pdata[0] }, { .kind = LS_ARG_TENSOR, .v_tensor = arrays->pdata[1] } };

  g_assert_no_error (error);
  fill (((LsNDArray *) arrays->pdata[0])->tensor.data);
  ls_kernel_call (kernel, "main", args, 2, NULL, &error);
  g_assert_no_error (error);
  return arrays;
}

/* How far `got` is from the exact value, in units of the last place of the nearest float32. */
static double
ulps (float  got,
      double exact)
{
  float nearest = (float) exact;

  if (isnan (nearest) || isinf (nearest))
    return isnan (nearest) == isnan (got) && (isnan (got) || got == nearest) ? 0.0 : INFINITY;
  if (signbit (got) != signbit (nearest))
    return INFINITY;
  return fabs ((double) got - exact) / ((double) nextafterf (fabsf (nearest), INFINITY) - (double) fabsf (nearest));
}

static void
near_the_exact (void)
{
  static const char *const targets[] = { "llvm", "llvm -mcpu=generic" };

  for (guint f = 0; f < G_N_ELEMENTS (FUNCTIONS); f++)
    for (guint lanes = 4; lanes <= 32; lanes *= 2)
      for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
        {
          g_autoptr (LsModule) module = NULL;
          g_autoptr (LsObject) object = compile (FUNCTIONS[f].name, "float32", lanes, targets[t], &module);
          g_autoptr (GPtrArray) arrays = NULL;
          const float *in, *out;

          g_assert_null (strstr (object->raw_ir, FUNCTIONS[f].called));
          arrays = computed (module, object);
          in = ((LsNDArray *) arrays->pdata[0])->tensor.data;
          out = ((LsNDArray *) arrays->pdata[1])->tensor.data;
          for (guint i = 0; i < N; i++)
            {
              double off = ulps (out[i], FUNCTIONS[f].exact (in[i]));

              /* Where exp overflows, sigmoid's quotient is 0 and not the subnormal number that it should be. */
              if (off > FUNCTIONS[f].most && !(FUNCTIONS[f].exact == sigmoid && in[i] < -87.0f && out[i] >= 0.0f && out[i] < 1e-37f))
                g_error ("%s, vectors of %u, %s: %a gives %a, which is %.3f ulp off", FUNCTIONS[f].name, lanes, targets[t], (double) in[i], (double) out[i], off);
            }
        }
}

/* float16 is computed in float32; float64, two lanes and all other functions stay with libm. */
static void
what_is_called (void)
{
  static const struct { const char *function, *dtype; guint lanes; const char *called; gboolean is_called; } cases[] = {
    { "exp", "float16", 8, "expf", FALSE }, { "exp", "float32", 2, "expf", TRUE }, { "exp", "float64", 8, "@exp(", TRUE }, { "sin", "float32", 8, "sinf", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsModule) module = NULL;
      g_autoptr (LsObject) object = compile (cases[i].function, cases[i].dtype, cases[i].lanes, "llvm", &module);

      g_assert_cmpint (strstr (object->raw_ir, cases[i].called) != NULL, ==, cases[i].is_called);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/codegen/vector-math/near-the-exact", near_the_exact);
  g_test_add_func ("/codegen/vector-math/what-is-called", what_is_called);
  return g_test_run ();
}
