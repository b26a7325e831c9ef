/* Atomic functions: sums of many threads are right and no race, an ordinary access beside them is one; in CUDA C, OpenCL C and PTX. */
#include "tests/unit/simt/support.h"
#include "engine/codegen/codegen.h"
#include "engine/codegen/c/text.h"

#include <string.h>

#define BINS "A: T.Buffer((256,), \"int32\"), B: T.Buffer((4,), \"int32\"), S: T.Buffer((1,), \"float32\")"
#define GRID "for b in T.thread_binding(4, thread=\"blockIdx.x\"):\n        for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n"
#define COUNT "            T.evaluate(T.call_extern(\"int32\", \"atomicAdd\", T.address_of(B[T.bitwise_and(A[b * 64 + t], 3)]), 1))\n"
#define SUM "            T.evaluate(T.call_extern(\"float32\", \"atomicAdd\", T.address_of(S[0]), T.float32(0.5)))\n"
#define ONE "            T.evaluate(T.call_extern(\"int32\", \"atomicAdd\", T.address_of(B[1]), 1))\n"
#define MOST "            T.evaluate(T.call_extern(\"int32\", \"atomicMax\", T.address_of(B[0]), b * 64 + t))\n"

static LsPrimFunc *
program (const char *body)
{
  g_autofree char *text = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(%s):\n    T.func_attr({\"tir.noalias\": True})\n    %s", BINS, body);

  return simt_test_read (text, "");
}

static void
set (GPtrArray *arrays)
{
  for (guint i = 0; i < 256; i++)
    ((gint32 *) ((LsNDArray *) arrays->pdata[0])->tensor.data)[i] = (gint32) i % 7;
  for (guint i = 0; i < 4; i++)
    ((gint32 *) ((LsNDArray *) arrays->pdata[1])->tensor.data)[i] = 0;
  *(float *) ((LsNDArray *) arrays->pdata[2])->tensor.data = 0;
}

static void
test_sums (void)
{
  g_autoptr (LsPrimFunc) func = program (GRID COUNT SUM);
  g_autoptr (LsPrimFunc) lowered = simt_test_lower (func);
  g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
  g_autoptr (LsSimtRun) run = NULL;
  gint32 counts[4] = { 0 };

  set (arrays);
  run = simt_test_run (lowered, arrays, NULL);
  for (guint i = 0; i < run->findings->len; i++)
    g_error ("%s", ((LsSimtFinding *) run->findings->pdata[i])->text);
  for (guint i = 0; i < 256; i++)
    counts[i % 7 & 3]++;
  g_assert_cmpmem (((LsNDArray *) arrays->pdata[1])->tensor.data, sizeof counts, counts, sizeof counts);
  g_assert_cmpfloat (*(float *) ((LsNDArray *) arrays->pdata[2])->tensor.data, ==, 128);
  g_assert_cmpuint (g_array_index (run->kernels, LsSimtKernel, 0).atomics, ==, 2 * 8);
}

static void
test_most (void)
{
  g_autoptr (LsPrimFunc) func = program (GRID MOST);
  g_autoptr (LsPrimFunc) lowered = simt_test_lower (func);
  g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
  g_autoptr (LsSimtRun) run = NULL;

  set (arrays);
  run = simt_test_run (lowered, arrays, NULL);
  g_assert_cmpuint (run->findings->len, ==, 0);
  g_assert_cmpint (*(gint32 *) ((LsNDArray *) arrays->pdata[1])->tensor.data, ==, 255);
}

static void
test_race (void)
{
  g_autoptr (LsPrimFunc) func = program (GRID COUNT "            B[0] = t\n");
  g_autoptr (LsPrimFunc) lowered = simt_test_lower (func);
  g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 1);
  g_autoptr (LsSimtRun) run = NULL;
  gboolean mixed = FALSE;

  set (arrays);
  run = simt_test_run (lowered, arrays, NULL);
  for (guint i = 0; i < run->findings->len; i++)
    {
      LsSimtFinding *f = run->findings->pdata[i];

      mixed = mixed || (f->kind == LS_SIMT_RACE && f->line != f->other_line);
    }
  g_assert_true (mixed);
}

static void
has (const char *text,
     const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text);
}

static void
test_texts (void)
{
  static const struct { const char *target, *body, *says; } TEXTS[] = {
    { "cuda", GRID COUNT SUM, "atomicAdd(&B[" }, { "cuda", GRID SUM, "atomicAdd(&S[0], 0.5f);" }, { "opencl", GRID COUNT, "atomic_add(&B[" },
    { "opencl", GRID MOST, "atomic_max(&B[0]" }, { "opencl", GRID SUM, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (TEXTS); i++)
    {
      g_autoptr (LsPrimFunc) func = program (TEXTS[i].body);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsDeviceTarget) target = ls_device_target_parse (TEXTS[i].target, &error);
      g_autoptr (LsPrimFunc) lowered = ls_lower_device (func, target, NULL, NULL, &error);
      g_autoptr (LsDeviceText) text = ls_device_text_new ("main", lowered, target, &error);

      if (TEXTS[i].says != NULL)
        {
          g_assert_no_error (error);
          has (text->text, TEXTS[i].says);
        }
      else
        has (error->message, "atomicAdd of float32 has no form in OpenCL C here");
    }
}

static void
test_ptx (void)
{
  g_autoptr (LsPrimFunc) func = program (GRID ONE SUM MOST);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse ("cuda -arch=sm_70", &error);
  g_autoptr (LsPrimFunc) lowered = ls_lower_device (func, target, NULL, NULL, &error);
  g_autoptr (LsObject) object = ls_codegen_kernels ("main", lowered, target, &error);

  g_assert_no_error (error);
  has (object->assembly, ".add.u32");
  has (object->assembly, ".add.f32");
  has (object->assembly, ".max.s32");
  has (object->assembly, "atom.");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simt/atomics/sums", test_sums);
  g_test_add_func ("/simt/atomics/most", test_most);
  g_test_add_func ("/simt/atomics/race", test_race);
  g_test_add_func ("/simt/atomics/texts", test_texts);
  g_test_add_func ("/simt/atomics/ptx", test_ptx);
  return g_test_run ();
}
