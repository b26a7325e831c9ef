/* target: target strings; assembly by lines; remarks. */
#include "engine/codegen/codegen.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"

#include <stdio.h>
#include <string.h>

static void
test_parse (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) host = ls_target_parse (NULL, &error);
  g_autoptr (LsTarget) haswell = ls_target_parse ("llvm -mcpu=haswell -num-cores=4 -opt-level=3", &error);
  g_autoptr (LsTarget) spaced = ls_target_parse ("llvm  -mcpu x86-64 -mattr=+avx2,-fma -keys=cpu", &error);
  g_autoptr (LsTarget) wide = ls_target_parse ("llvm -mcpu=skylake-avx512 -vector-width=256", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (host->cpu, ==, ls_target_host_cpu ());
  g_assert_true (host->is_host);
  g_assert_cmpstr (haswell->cpu, ==, "haswell");
  g_assert_cmpint (haswell->num_cores, ==, 4);
  g_assert_cmpint (haswell->opt_level, ==, 3);
  g_assert_true (ls_target_has (spaced, "avx2"));
  g_assert_false (ls_target_has (spaced, "fma"));
  g_assert_cmpint (wide->vector_bits, ==, 256);
}

static void
test_refused (void)
{
  static const struct { const char *text, *sentence; } cases[] = {
    { "cuda", "The target kind is cuda; \"llvm\" is what code can be made for." },
    { "", "The target kind is empty; \"llvm\" is what code can be made for." },
    { "llvm -mcpu=pentium9", "LLVM knows no CPU pentium9." },
    { "llvm -mattr=+warp", "LLVM knows no feature warp." },
    { "llvm -mattr=avx2", "A feature in -mattr starts with + or -: avx2." },
    { "llvm -num-cores=none", "-num-cores is a number from 1 to 4096, not none." },
    { "llvm -libs=mkl", "A target has no option -libs." },
    { "llvm -mcpu", "The option -mcpu of the target has no value." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsTarget) target = ls_target_parse (cases[i].text, &error);

      g_assert_null (target);
      g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET);
      g_assert_cmpstr (error->message, ==, cases[i].sentence);
    }
}

static const char text[] =
  "from tvm.script import tir as T\n"
  "\n"
  "@T.prim_func\n"
  "def main(A: T.Buffer((1024,), \"float32\"), B: T.Buffer((1024,), \"float32\")):\n"
  "    T.func_attr({\"tir.noalias\": True})\n"
  "    for i in range(1024):\n"
  "        with T.block(\"B\"):\n"
  "            v = T.axis.spatial(1024, i)\n"
  "            B[v] = A[v] * T.float32(3)\n";

static LsObject *
compile_text (const char *program,
              const char *target_text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSource) source = ls_source_new ("test", program, -1);
  g_autoptr (LsModule) module = ls_script_parse (source, NULL);
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);
  g_autoptr (LsTarget) target = ls_target_parse (target_text, &error);
  LsCodegenOptions options = { .want_asm = TRUE, .want_raw_ir = TRUE, .debug_lines = TRUE, .remarks = TRUE, .no_object = TRUE, .prefix = "p_" };
  LsObject *object = ls_codegen_compile (lowered, "main", target, &options, &error);

  g_assert_no_error (error);
  return object;
}

static LsObject *
compile (const char *target_text)
{
  return compile_text (text, target_text);
}

static void
test_lines (void)
{
  g_autoptr (LsObject) object = compile ("llvm -mcpu=haswell");
  g_autoptr (GPtrArray) groups = ls_asm_parse (object->assembly, "p_");
  gboolean product_on_line_9 = FALSE;
  gboolean remarked = FALSE;

  g_assert_cmpuint (groups->len, >, 1);
  for (guint i = 0; i < groups->len; i++)
    {
      LsAsmGroup *group = groups->pdata[i];

      g_assert_true (g_str_has_prefix (group->function, "main"));
      for (guint k = 0; k < group->instructions->len; k++)
        if (strstr (group->instructions->pdata[k], "vmulps") != NULL && group->line == 9)
          product_on_line_9 = TRUE;
    }
  for (guint i = 0; i < object->remarks->len; i++)
    if (strstr (g_array_index (object->remarks, LsRemark, i).text, "vectorized loop") != NULL)
      remarked = TRUE;
  g_assert_true (product_on_line_9);
  g_assert_true (remarked);
}

static const char *
spills_of (LsObject *object)
{
  for (guint i = 0; i < object->remarks->len; i++)
    if (strstr (g_array_index (object->remarks, LsRemark, i).text, "spill") != NULL)
      return g_array_index (object->remarks, LsRemark, i).text;
  return NULL;
}

/* Sums that stay in registers over k: of 4 rows of 16 there is room for in 16 registers of 8, of 8 rows of 32 there is not. */
static void
test_spills (void)
{
  static const char program[] =
    "@T.prim_func\n"
    "def main(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), C: T.Buffer((64, 64), \"float32\")):\n"
    "    T.func_attr({\"tir.noalias\": True})\n"
    "    for i in T.unroll(%u):\n"
    "        for j in T.vectorized(%u):\n"
    "            with T.block(\"start\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                C[vi, vj] = T.float32(0)\n"
    "    for k in range(64):\n"
    "        for i in T.unroll(%u):\n"
    "            for j in T.vectorized(%u):\n"
    "                with T.block(\"sum\"):\n"
    "                    vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "                    C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
  g_autofree char *small = g_strdup_printf (program, 4, 16, 4, 16), *large = g_strdup_printf (program, 8, 32, 8, 32);
  g_autoptr (LsObject) fits = compile_text (small, "llvm -mcpu=haswell"), without = compile_text (large, "llvm -mcpu=haswell");
  const char *said = spills_of (without);
  guint spills, reloads;

  g_assert_null (spills_of (fits));
  g_assert_nonnull (said);
  g_assert_cmpint (sscanf (said, "%u spills, %u reloads generated in ", &spills, &reloads), ==, 2);
  g_assert_cmpuint (spills + reloads, >, 0);
  g_assert_true (g_str_has_suffix (said, "loop") || g_str_has_suffix (said, "function"));
}

/* Of unrolled loops that make more statements than LS_MAX_WRITTEN_OUT the outermost stays a loop; what is inside is written out. */
static void
test_written_out (void)
{
  static const char program[] =
    "@T.prim_func\n"
    "def main(A: T.Buffer((128, 8), \"float32\")):\n"
    "    for i in T.unroll(%u):\n"
    "        for j in T.unroll(8):\n"
    "            A[i, j] = T.exp(A[i, j])\n";

  for (guint rows = 64; rows <= 256; rows *= 2)
    {
      g_autofree char *unrolled = g_strdup_printf (program, rows);
      g_autoptr (LsObject) object = compile_text (unrolled, "llvm");
      guint n = 0;

      for (const char *call = object->raw_ir; (call = strstr (call, " store float ")) != NULL; call++)
        n++;
      g_assert_cmpuint (n, ==, rows * 8 <= LS_MAX_WRITTEN_OUT ? rows * 8 : 8);
    }
}

static void
test_width (void)
{
  g_autoptr (LsObject) narrow = compile ("llvm -mcpu=x86-64");
  g_autoptr (LsObject) wide = compile ("llvm -mcpu=skylake-avx512");

  g_assert_null (strstr (narrow->assembly, "ymm"));
  g_assert_nonnull (strstr (wide->assembly, "zmm"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/codegen/target/parse", test_parse);
  g_test_add_func ("/codegen/target/refused", test_refused);
  g_test_add_func ("/codegen/target/lines", test_lines);
  g_test_add_func ("/codegen/target/spills", test_spills);
  g_test_add_func ("/codegen/target/written-out", test_written_out);
  g_test_add_func ("/codegen/target/width", test_width);
  return g_test_run ();
}
