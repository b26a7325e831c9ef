/* library-metal: the tensor intrinsics of Apple's GPUs: matrices of 8 x 8 that the lanes of a SIMD group hold together.
 *
 *   simdgroup_make_filled_8x8x8_*           a matrix of zeros
 *   simdgroup_load_8x8x8_*_shared[_trans]   from shared memory, turned or not
 *   simdgroup_multiply_accumulate_8x8x8_*   C += A B
 *   simdgroup_store_8x8x8_*_global|shared   to memory
 *
 * Source of names, scopes and instructions: TVM v0.20's tir.tensor_intrin.metal.
 */
#include "engine/schedule/intrin/library.h"

#include <string.h>

typedef enum { FILL, LOAD, LOAD_TRANS, MULTIPLY, STORE_GLOBAL, STORE_SHARED } Kind;

typedef struct {
  const char *name;
  Kind        kind;
  const char *dtype;
} Row;

#define MATRICES(short, dtype) \
  { "simdgroup_make_filled_8x8x8_" short,          FILL,         dtype }, \
  { "simdgroup_load_8x8x8_" short "_shared",       LOAD,         dtype }, \
  { "simdgroup_load_8x8x8_" short "_shared_trans", LOAD_TRANS,   dtype }, \
  { "simdgroup_multiply_accumulate_8x8x8_" short,  MULTIPLY,     dtype }, \
  { "simdgroup_store_8x8x8_" short "_global",      STORE_GLOBAL, dtype }, \
  { "simdgroup_store_8x8x8_" short "_shared",      STORE_SHARED, dtype }

static const Row ROWS[] = { MATRICES ("f16", "float16"), MATRICES ("f32", "float32"), MATRICES ("bf16", "bfloat16") };

/* The number of the matrix in which the view of a buffer begins, with the stride of its rows. */
#define INDEX(buffer, stride) \
  buffer ".elem_offset // " stride " // 8 * (" stride " // 8) + " buffer ".elem_offset % " stride " // 8"

static void
begin (GString    *out,
       gboolean    is_impl,
       const char *params)
{
  g_string_append_printf (out, "@T.prim_func\ndef %s(%s) -> None:\n", is_impl ? "impl" : "desc", params);
}

/* A buffer of 8 x 8; its strides are variables in the implementation. */
static void
matrix (GString    *out,
        gboolean    is_impl,
        char        name,
        const char *dtype,
        const char *scope,
        gboolean    is_aligned)
{
  char letter = g_ascii_tolower (name);

  if (is_impl)
    g_string_append_printf (out, "    %c0 = T.int32()\n    %c1 = T.int32()\n", letter, letter);
  g_string_append_printf (out, "    %c = T.match_buffer(%c, (8, 8), \"%s\", scope=\"%s\", offset_factor=1%s", name, letter, dtype, scope, is_aligned ? ", align=64" : "");
  if (is_impl)
    g_string_append_printf (out, ", strides=[%c1, %c0]", letter, letter);
  g_string_append (out, ")\n");
}

static void
write_fill (GString    *out,
            gboolean    is_impl,
            const char *dtype)
{
  begin (out, is_impl, "a: T.handle");
  matrix (out, is_impl, 'A', dtype, "metal.simdgroup", FALSE);
  g_string_append (out, "    with T.block(\"root\"):\n        T.reads()\n        T.writes(A[0:8, 0:8])\n");
  if (is_impl)
    g_string_append (out, "        T.evaluate(T.make_filled_simdgroup_matrix(A.data, " INDEX ("A", "a1") ", T.float32(0), 8, 8))\n");
  else
    g_string_append_printf (out, "        for i, j in T.grid(8, 8):\n            with T.block(\"init\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                            "                A[vi, vj] = T.%s(0)\n", dtype);
}

static void
write_copy (GString    *out,
            gboolean    is_impl,
            const char *dtype,
            const char *from,
            const char *to,
            gboolean    is_turned)
{
  gboolean is_load = strcmp (to, "metal.simdgroup") == 0;

  begin (out, is_impl, "a: T.handle, c: T.handle");
  matrix (out, is_impl, 'A', dtype, from, TRUE);
  matrix (out, is_impl, 'C', dtype, to, TRUE);
  g_string_append (out, "    with T.block(\"root\"):\n        T.reads(A[0:8, 0:8])\n        T.writes(C[0:8, 0:8])\n");
  if (!is_impl)
    g_string_append_printf (out, "        for i, j in T.grid(8, 8):\n            with T.block(\"%s\"):\n                vii, vjj = T.axis.remap(\"SS\", [i, j])\n"
                            "                C[%s] = A[vii, vjj]\n", is_load ? "load" : "store", is_turned ? "vjj, vii" : "vii, vjj");
  else if (is_load)
    g_string_append (out, is_turned ? "        T.evaluate(T.simdgroup_load(C.data, " INDEX ("C", "c1") ", A.access_ptr(\"r\"), a1, 8, 8, T.bool(True)))\n"
                                    : "        T.evaluate(T.simdgroup_load(C.data, " INDEX ("C", "c1") ", A.access_ptr(\"r\"), a1, 8, 8, T.bool(False)))\n");
  else
    g_string_append (out, "        T.evaluate(T.simdgroup_store(A.data, " INDEX ("A", "a1") ", C.access_ptr(\"w\"), c1, 8, 8, T.bool(False)))\n");
}

static void
write_multiply (GString    *out,
                gboolean    is_impl,
                const char *dtype)
{
  begin (out, is_impl, "a: T.handle, b: T.handle, c: T.handle");
  for (char name = 'A'; name <= 'C'; name++)
    matrix (out, is_impl, name, dtype, "metal.simdgroup", FALSE);
  g_string_append (out, "    with T.block(\"root\"):\n        T.reads(C[0:8, 0:8], A[0:8, 0:8], B[0:8, 0:8])\n        T.writes(C[0:8, 0:8])\n");
  if (is_impl)
    g_string_append (out, "        T.evaluate(T.simdgroup_multiply_accumulate(C.data, " INDEX ("C", "c1") ", A.data, " INDEX ("A", "a1") ", "
                     "B.data, " INDEX ("B", "b1") ", C.data, " INDEX ("C", "c1") "))\n");
  else
    g_string_append (out, "        for i, j, k in T.grid(8, 8, 8):\n            with T.block(\"\"):\n                vii, vjj, vkk = T.axis.remap(\"SSR\", [i, j, k])\n"
                     "                C[vii, vjj] = C[vii, vjj] + A[vii, vkk] * B[vkk, vjj]\n");
}

static void
write_form (GString    *out,
            gboolean    is_impl,
            Kind        kind,
            const char *dtype)
{
  switch (kind)
    {
    case FILL:
      write_fill (out, is_impl, dtype);
      break;
    case LOAD:
    case LOAD_TRANS:
      write_copy (out, is_impl, dtype, "shared", "metal.simdgroup", kind == LOAD_TRANS);
      break;
    case MULTIPLY:
      write_multiply (out, is_impl, dtype);
      break;
    case STORE_GLOBAL:
      write_copy (out, is_impl, dtype, "metal.simdgroup", "global", FALSE);
      break;
    case STORE_SHARED:
      write_copy (out, is_impl, dtype, "metal.simdgroup", "shared", FALSE);
      break;
    }
}

guint
ls_intrin_metal_get_n (void)
{
  return G_N_ELEMENTS (ROWS);
}

const char *
ls_intrin_metal_get_name (guint i)
{
  return ROWS[i].name;
}

gboolean
ls_intrin_metal_write (const char *name,
                       GString    *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      if (strcmp (ROWS[i].name, name) != 0)
        continue;
      for (guint impl = 0; impl < 2; impl++)
        write_form (out, impl, ROWS[i].kind, ROWS[i].dtype);
      return TRUE;
    }
  return FALSE;
}
