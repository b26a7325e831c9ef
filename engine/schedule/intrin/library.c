/* library: the tensor intrinsics that are known from the start, under TVM's names.
 *
 *   dot_16x4_vnni, dot_16x4_avx512             x86: 16 sums of 4 products of bytes
 *   dot_4x4_i8i8s32_sdot, .._neon, _u8u8_*     ARM: the same 4 times 4
 *   dot_32x4_*_vrmpy, dot_product_32x2_*_vdmpy Hexagon
 *   dp4a*, sdot4                               one sum of 4 products, CUDA and ROCm
 *   wmma_*                                     fragments of a warp: load, fill, sync, store
 *   mma_*                                      ldmatrix, mma.sync with its layouts over the lanes
 *   simdgroup_*                                matrices of Apple's GPUs: library-metal.c
 *
 * Each row of the table names a family and its parameters; the family writes description and implementation as TVMScript,
 * which is read when the intrinsic is asked for the first time.  Source of names, shapes, scopes and instructions: TVM v0.20's
 * tir.tensor_intrin and the manuals of the instruction sets.
 */
#include "engine/schedule/intrin/library.h"

#include <string.h>

typedef struct _Row Row;
typedef void (*Family) (const Row *row, GString *out);

struct _Row {
  const char *name;
  Family      write;
  const char *text[4];          /* instruction, types, scope: see the family */
  int         number[4];        /* shapes, transposed or not: see the family */
};

/* ---- parts of the text --------------------------------------------------------- */

static void add (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add (GString    *out,
     const char *format,
     ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (out, format, args);
  va_end (args);
  g_string_append_c (out, '\n');
}

static void
begin (GString    *out,
       const char *name,
       gboolean    is_impl,
       const char *params)
{
  add (out, "@T.prim_func\ndef %s(%s) -> None:", is_impl ? "impl" : "desc", params);
}

/* ---- sums of products of bytes ---------------------------------------------------- */

/* text: type of A, type of B, type of C, instruction; number: sums, products of each */
static void
dot_params (const Row *row,
            GString   *out,
            gboolean   is_impl)
{
  int n = row->number[0], k = row->number[1];
  g_autofree char *params = g_strdup_printf ("A: T.Buffer((%d,), \"%s\", offset_factor=1), B: T.Buffer((%d, %d), \"%s\", offset_factor=1), "
                                             "C: T.Buffer((%d,), \"%s\", offset_factor=1)", k, row->text[0], n, k, row->text[1], n, row->text[2]);

  begin (out, row->name, is_impl, params);
  add (out, "    with T.block(\"root\"):\n        T.reads(C[0:%d], A[0:%d], B[0:%d, 0:%d])\n        T.writes(C[0:%d])", n, k, n, k, n);
}

static void
dot_desc (const Row *row,
          GString   *out)
{
  dot_params (row, out, FALSE);
  add (out, "        for i in range(%d):\n            for k in range(%d):\n                with T.block(\"update\"):", row->number[0], row->number[1]);
  add (out, "                    vi, vk = T.axis.remap(\"SR\", [i, k])");
  add (out, "                    C[vi] = C[vi] + T.Cast(\"%s\", A[vk]) * T.Cast(\"%s\", B[vi, vk])", row->text[2], row->text[2]);
}

static void
dot_vnni (const Row *row,
          GString   *out)
{
  dot_desc (row, out);
  dot_params (row, out, TRUE);
  add (out, "        A_u8x4 = A.vload([0], \"uint8x4\")\n        A_i32 = T.reinterpret(\"int32\", A_u8x4)");
  add (out, "        B_i8x64 = B.vload([0, 0], \"int8x64\")\n        B_i32x16 = T.reinterpret(\"int32x16\", B_i8x64)");
  add (out, "        C_i32x16 = C.vload([0], \"int32x16\")");
  add (out, "        C[T.Ramp(0, 1, 16)] = T.call_llvm_pure_intrin(\"int32x16\", \"llvm.x86.avx512.vpdpbusd.512\", T.uint32(0), C_i32x16, "
            "T.Broadcast(A_i32, 16), B_i32x16)");
}

static void
dot_avx512 (const Row *row,
            GString   *out)
{
  dot_desc (row, out);
  dot_params (row, out, TRUE);
  add (out, "        A_u8x4 = A.vload([0], \"uint8x4\")\n        A_i32 = T.reinterpret(\"int32\", A_u8x4)");
  add (out, "        A_brdcst = T.Broadcast(A_i32, 16)\n        A_u8x64 = T.reinterpret(\"uint8x64\", A_brdcst)");
  add (out, "        B_i8x64 = B.vload([0, 0], \"int8x64\")");
  add (out, "        Red = T.call_llvm_pure_intrin(\"int16x32\", \"llvm.x86.avx512.pmaddubs.w.512\", T.uint32(2), A_u8x64, B_i8x64)");
  add (out, "        C[T.Ramp(0, 1, 16)] = C[T.Ramp(0, 1, 16)] + T.call_llvm_pure_intrin(\"int32x16\", \"llvm.x86.avx512.pmaddw.d.512\", T.uint32(2), Red, "
            "T.Broadcast(T.int16(1), 32))");
}

static void
dot_sdot (const Row *row,
          GString   *out)
{
  dot_desc (row, out);
  dot_params (row, out, TRUE);
  add (out, "        A_i8x4 = A.vload([0], \"int8x4\")\n        A_i32 = T.reinterpret(\"int32\", A_i8x4)");
  add (out, "        vec_ai32 = T.Broadcast(A_i32, 4)\n        vec_a = T.reinterpret(\"int8x16\", vec_ai32)");
  add (out, "        vec_b = B.vload([0, 0], \"int8x16\")");
  add (out, "        C[T.Ramp(0, 1, 4)] = C[T.Ramp(0, 1, 4)] + T.call_llvm_pure_intrin(\"int32x4\", \"llvm.aarch64.neon.sdot\", T.uint32(3), "
            "T.Broadcast(0, 4), vec_a, vec_b)");
}

/* Of bytes without a sign; the sums have one where the rest of the program has it: the same bits below 2^31. */
static void
dot_udot (const Row *row,
          GString   *out)
{
  const char *sum = row->text[2];

  dot_desc (row, out);
  dot_params (row, out, TRUE);
  add (out, "        A_u8x4 = A.vload([0], \"uint8x4\")\n        A_u32 = T.reinterpret(\"uint32\", A_u8x4)");
  add (out, "        vec_au32 = T.Broadcast(A_u32, 4)\n        vec_a = T.reinterpret(\"uint8x16\", vec_au32)");
  add (out, "        vec_b = B.vload([0, 0], \"uint8x16\")");
  add (out, "        C[T.Ramp(0, 1, 4)] = C[T.Ramp(0, 1, 4)] + T.call_llvm_pure_intrin(\"%sx4\", \"llvm.aarch64.neon.udot\", T.uint32(3), "
            "T.Broadcast(T.%s(0), 4), vec_a, vec_b)", sum, sum);
}

static void
dot_neon (const Row *row,
          GString   *out)
{
  dot_desc (row, out);
  dot_params (row, out, TRUE);
  add (out, "        A_int8 = A.vload([0], \"int8x4\")\n        re_int32 = T.reinterpret(\"int32\", A_int8)");
  add (out, "        vec_ai32 = T.Broadcast(re_int32, 2)\n        vec_a = T.reinterpret(\"int8x8\", vec_ai32)\n        vec_b = B.vload([0, 0], \"int8x16\")");
  for (guint i = 0; i < 2; i++)
    {
      const char *half = i == 0 ? "low" : "high";

      add (out, "        vec_b_%s = T.vector%s(\"int8x8\", vec_b)", half, half);
      add (out, "        multiply_%s = T.call_llvm_pure_intrin(\"int16x8\", \"llvm.aarch64.neon.smull\", T.uint32(2), vec_a, vec_b_%s)", half, half);
      add (out, "        pairwise_reduction_%s = T.call_llvm_pure_intrin(\"int32x4\", \"llvm.aarch64.neon.saddlp\", T.uint32(1), multiply_%s)", half, half);
    }
  add (out, "        C[T.Ramp(0, 1, 4)] = C[T.Ramp(0, 1, 4)] + T.call_llvm_pure_intrin(\"int32x4\", \"llvm.aarch64.neon.addp\", T.uint32(2), "
            "pairwise_reduction_low, pairwise_reduction_high)");
}

/* number[2]: the instruction takes the four bytes of A as they are */
static void
dot_hexagon (const Row *row,
             GString   *out)
{
  int k = row->number[1];

  dot_desc (row, out);
  dot_params (row, out, TRUE);
  add (out, "        A_vec = A.vload([0], \"%sx%d\")\n        A_i32 = T.reinterpret(\"int32\", A_vec)", row->text[0], k);
  add (out, "        B_vec = B.vload([0, 0], \"%sx%d\")\n        B_i32x32 = T.reinterpret(\"int32x32\", B_vec)", row->text[1], 32 * k);
  add (out, "        C[T.Ramp(0, 1, 32)] = T.call_llvm_pure_intrin(\"int32x32\", \"%s\", T.uint32(3), C[T.Ramp(0, 1, 32)], %s)", row->text[3],
       row->number[2] ? "B_i32x32, A_i32" : "T.Broadcast(A_i32, 32), B_i32x32");
}

/* text: as above; instruction NULL: the one of ROCm */
static void
dot_four (const Row *row,
          GString   *out)
{
  g_autofree char *params = g_strdup_printf ("A: T.Buffer((4,), \"%s\", offset_factor=1, align=4, scope=\"shared\"), B: T.Buffer((4,), \"%s\", offset_factor=1, "
                                             "align=4, scope=\"shared\"), C: T.Buffer((1,), \"%s\", offset_factor=1, align=4, scope=\"local\")",
                                             row->text[0], row->text[1], row->text[2]);

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, params);
      add (out, "    with T.block(\"root\"):\n        T.reads(C[0], A[0:4], B[0:4])\n        T.writes(C[0])");
      if (impl == 0)
        add (out, "        for i in range(4):\n            with T.block(\"update\"):\n                vi = T.axis.reduce(4, i)\n"
                  "                C[0] = C[0] + T.Cast(\"%s\", A[vi]) * T.Cast(\"%s\", B[vi])", row->text[2], row->text[2]);
      else if (row->text[3] == NULL)
        add (out, "        C[0] = C[0] + T.call_llvm_pure_intrin(\"int32\", \"llvm.amdgcn.sdot4\", T.uint32(4), T.reinterpret(\"int32\", A.vload([0], \"int8x4\")), "
                  "T.reinterpret(\"int32\", B.vload([0], \"int8x4\")), 0, T.bool(True))");
      else
        add (out, "        C[0] = C[0] + T.call_pure_extern(\"%s\", \"%s\", A.vload([0], \"%sx4\"), B.vload([0], \"%sx4\"), T.%s(0))", row->text[2], row->text[3],
             row->text[0], row->text[1], row->text[2]);
    }
}

/* ---- fragments of a warp: wmma ------------------------------------------------------ */

static void
fragment (GString    *out,
          const char *buffer,
          const char *handle,
          int         rows,
          int         columns,
          const char *dtype,
          const char *scope,
          const char *strides)
{
  add (out, "    %s = T.match_buffer(%s, (%d, %d), \"%s\", align=64, offset_factor=%d, scope=\"%s\"%s%s%s)", buffer, handle, rows, columns, dtype, columns, scope,
       strides != NULL ? ", strides=[" : "", strides != NULL ? strides : "", strides != NULL ? "]" : "");
}

/* The number of the fragment in which the view of a buffer begins. (transfer full) */
static char *
fragment_index (const char *buffer,
                const char *stride,
                int         rows,
                int         columns)
{
  return g_strdup_printf ("%s.elem_offset // %s // %d * (%s // %d) + %s.elem_offset %% %s // %d", buffer, stride, rows, stride, columns, buffer, stride, columns);
}

static void
strides_of (GString    *out,
            const char *letters)
{
  for (; *letters != 0; letters++)
    add (out, "    %c1 = T.int32()\n    %c0 = T.int32()", *letters, *letters);
}

/* text: type, scope of the memory, "a" or "b"; number: m, n, k, column by column */
static void
wmma_load (const Row *row,
           GString   *out)
{
  gboolean is_b = row->text[2][0] == 'b', by_column = row->number[3];
  int first = is_b ? row->number[2] : row->number[0], second = is_b ? row->number[1] : row->number[2];
  int rows = by_column ? second : first, columns = by_column ? first : second;
  const char *scope = is_b ? "wmma.matrix_b" : "wmma.matrix_a";
  g_autofree char *index = fragment_index ("C", "d1", rows, columns);

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "a: T.handle, c: T.handle");
      if (impl)
        strides_of (out, "sd");
      fragment (out, "A", "a", rows, columns, row->text[0], row->text[1], impl ? "s1, s0" : NULL);
      fragment (out, "C", "c", rows, columns, row->text[0], scope, impl ? "d1, d0" : NULL);
      add (out, "    with T.block(\"root\"):\n        T.reads(A[0:%d, 0:%d])\n        T.writes(C[0:%d, 0:%d])", rows, columns, rows, columns);
      if (impl)
        add (out, "        T.evaluate(T.tvm_load_matrix_sync(C.data, %d, %d, %d, %s, A.access_ptr(\"r\"), s1, \"%s\"))", row->number[0], row->number[1], row->number[2],
             index, by_column ? "col_major" : "row_major");
      else
        add (out, "        for i, j in T.grid(%d, %d):\n            with T.block(\"load\"):\n                vii, vjj = T.axis.remap(\"SS\", [i, j])\n"
                  "                C[vii, vjj] = A[vii, vjj]", rows, columns);
    }
}

/* text: type */
static void
wmma_fill (const Row *row,
           GString   *out)
{
  int m = row->number[0], n = row->number[1];
  g_autofree char *index = fragment_index ("C", "d1", m, n);

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "c: T.handle");
      if (impl)
        strides_of (out, "d");
      fragment (out, "C", "c", m, n, row->text[0], "wmma.accumulator", impl ? "d1, d0" : NULL);
      add (out, "    with T.block(\"root\"):\n        T.reads()\n        T.writes(C[0:%d, 0:%d])", m, n);
      if (impl)
        add (out, "        T.evaluate(T.tvm_fill_fragment(C.data, %d, %d, %d, %s, T.float32(0)))", m, n, row->number[2], index);
      else
        add (out, "        for i, j in T.grid(%d, %d):\n            with T.block(\"init\"):\n                vii, vjj = T.axis.remap(\"SS\", [i, j])\n"
                  "                C[vii, vjj] = T.%s(0)", m, n, row->text[0]);
    }
}

/* text: type, scope of the memory */
static void
wmma_store (const Row *row,
            GString   *out)
{
  int m = row->number[0], n = row->number[1];
  g_autofree char *index = fragment_index ("A", "d1", m, n);

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "a: T.handle, c: T.handle");
      if (impl)
        strides_of (out, "sd");
      fragment (out, "A", "a", m, n, row->text[0], "wmma.accumulator", impl ? "d1, d0" : NULL);
      fragment (out, "C", "c", m, n, row->text[0], row->text[1], impl ? "s1, s0" : NULL);
      add (out, "    with T.block(\"root\"):\n        T.reads(A[0:%d, 0:%d])\n        T.writes(C[0:%d, 0:%d])", m, n, m, n);
      if (impl)
        add (out, "        T.evaluate(T.tvm_store_matrix_sync(A.data, %d, %d, %d, %s, C.access_ptr(\"w\"), s1, \"row_major\"))", m, n, row->number[2], index);
      else
        add (out, "        for i, j in T.grid(%d, %d):\n            with T.block(\"store\"):\n                vii, vjj = T.axis.remap(\"SS\", [i, j])\n"
                  "                C[vii, vjj] = A[vii, vjj]", m, n);
    }
}

/* text: type of A and B, type of C; number: m, n, k, B transposed */
static void
wmma_sync (const Row *row,
           GString   *out)
{
  int m = row->number[0], n = row->number[1], k = row->number[2];
  gboolean swap = row->number[3], cast = strcmp (row->text[0], row->text[1]) != 0;
  int rows = swap ? n : k, columns = swap ? k : n;
  g_autofree char *a = fragment_index ("A", "a1", m, k);
  g_autofree char *b = fragment_index ("B", "b1", rows, columns);
  g_autofree char *c = fragment_index ("C", "c1", m, n);
  g_autofree char *open = cast ? g_strdup_printf ("T.Cast(\"%s\", ", row->text[1]) : g_strdup ("");
  const char *close = cast ? ")" : "";

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "a: T.handle, b: T.handle, c: T.handle");
      if (impl)
        strides_of (out, "abc");
      fragment (out, "A", "a", m, k, row->text[0], "wmma.matrix_a", impl ? "a1, a0" : NULL);
      fragment (out, "B", "b", rows, columns, row->text[0], "wmma.matrix_b", impl ? "b1, b0" : NULL);
      fragment (out, "C", "c", m, n, row->text[1], "wmma.accumulator", impl ? "c1, c0" : NULL);
      add (out, "    with T.block(\"root\"):\n        T.reads(C[0:%d, 0:%d], A[0:%d, 0:%d], B[0:%d, 0:%d])\n        T.writes(C[0:%d, 0:%d])", m, n, m, k, rows, columns, m, n);
      if (impl)
        add (out, "        T.evaluate(T.tvm_mma_sync(C.data, %s, A.data, %s, B.data, %s, C.data, %s))", c, a, b, c);
      else
        add (out, "        for i, j, k in T.grid(%d, %d, %d):\n            with T.block(\"\"):\n                vii, vjj, vkk = T.axis.remap(\"SSR\", [i, j, k])\n"
                  "                C[vii, vjj] = C[vii, vjj] + %sA[vii, vkk]%s * %sB[%s]%s", m, n, k, open, close, open, swap ? "vjj, vkk" : "vkk, vjj", close);
    }
}

/* ---- lanes of a warp: mma ------------------------------------------------------------- */

/* Where ldmatrix puts element (i, j) of a tile: "lane, number in the lane". (transfer full) */
static char *
lane_of (int         rows,
         int         columns,
         const char *i,
         const char *j)
{
  if (rows == 16 && columns == 16)
    return g_strdup_printf ("4 * (%s %% 8) + %s %% 8 // 2, 4 * (%s // 8) + %s // 8 * 2 + %s %% 2", i, j, j, i, j);
  if (rows == 16)
    return g_strdup_printf ("4 * (%s %% 8) + %s %% 16 // 4, 8 * (%s // 16) + %s // 8 * 4 + %s %% 4", i, j, j, i, j);
  return g_strdup_printf ("%s %% 16 // 4 + 4 * (%s %% 8), 8 * (%s // 8) + %s // 16 * 4 + %s %% 4", i, j, j, i, i);
}

/* text: type, scope, "a" or "b"; number: k, transposed */
static void
ldmatrix (const Row *row,
          GString   *out)
{
  int k = row->number[0], size = 16 * k / 32;
  gboolean is_a = row->text[2][0] == 'a', swap = row->number[1];
  int rows = is_a == swap ? k : 16, columns = is_a == swap ? 16 : k;
  g_autofree char *lane = k == 16 ? lane_of (16, 16, "v0", "v1") : lane_of (rows, columns, "v0", "v1");
  const char *offset = k == 16 ? swap ? "s0 * 8 * (tx // 16) + s0 * (tx % 8) + 8 * (tx % 16 // 8)" : "s0 * (tx % 16) + 8 * (tx // 16)"
                     : is_a    ? "s0 * (tx % 16) + 16 * (tx // 16)"
                     : swap    ? "s0 * 8 * (tx // 16) + tx % 8 * s0 + 16 * (tx % 16 // 8)"
                               : "s0";

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "warp_handle: T.handle, shared_handle: T.handle");
      if (impl)
        add (out, "    s0 = T.int32()\n    s1 = T.int32()");
      add (out, "    shared = T.match_buffer(shared_handle, (%d, %d), \"%s\", align=64, offset_factor=%d, scope=\"%s\"%s)", rows, columns, row->text[0], columns,
           row->text[1], impl ? ", strides=[s0, s1]" : "");
      add (out, "    warp = T.match_buffer(warp_handle, (32, %d), \"%s\", align=64, offset_factor=%d, scope=\"warp\")", size, row->text[0], columns);
      add (out, "    with T.block(\"root\"):\n        T.reads(shared[0:%d, 0:%d])\n        T.writes(warp[0:32, 0:%d])", rows, columns, size);
      if (impl)
        add (out, "        for tx in T.thread_binding(32, thread=\"threadIdx.x\"):\n            T.evaluate(T.ptx_ldmatrix(\"%s\", T.bool(%s), 4, \".b16\", warp.data, "
                  "warp.elem_offset + %d * tx, shared.access_ptr(\"r\"), %s))", row->text[0], (is_a ? swap : !swap) ? "True" : "False", size, offset);
      else
        add (out, "        for ax0, ax1 in T.grid(%d, %d):\n            with T.block(\"shared_warp\"):\n                v0, v1 = T.axis.remap(\"SS\", [ax0, ax1])\n"
                  "                T.reads(shared[v0, v1])\n                T.writes(warp[%s])\n                warp[%s] = shared[v0, v1]", rows, columns, lane, lane);
    }
}

static const char *
short_type (const char *dtype)
{
  return strcmp (dtype, "float16") == 0 ? "fp16" : strcmp (dtype, "float32") == 0 ? "fp32" : dtype;
}

/* text: type of A and B, type of C; number: k, A transposed, B transposed */
static void
mma_sync (const Row *row,
          GString   *out)
{
  int k = row->number[0], size = 16 * k / 32;
  gboolean swap_a = row->number[1], swap_b = row->number[2];
  gboolean cast = strcmp (row->text[1], "float16") != 0;
  g_autofree char *a = lane_of (16, k, swap_a ? "vk" : "vi", swap_a ? "vi" : "vk");
  g_autofree char *b = k == 32 && !swap_b ? lane_of (32, 16, "vk", "vj") : lane_of (16, k, swap_b ? "vj" : "vk", swap_b ? "vk" : "vj");
  g_autofree char *c = lane_of (16, 16, "vi", "vj");
  g_autofree char *open = cast ? g_strdup_printf ("T.Cast(\"%s\", ", row->text[1]) : g_strdup ("");
  const char *close = cast ? ")" : "";

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "a: T.handle, b: T.handle, c: T.handle");
      add (out, "    A = T.match_buffer(a, (32, %d), \"%s\", align=64, offset_factor=%d, scope=\"warp\")", size, row->text[0], swap_a ? 16 : k);
      add (out, "    B = T.match_buffer(b, (32, %d), \"%s\", align=64, offset_factor=%d, scope=\"warp\")", size, row->text[0], swap_b ? k : 16);
      add (out, "    C = T.match_buffer(c, (32, 8), \"%s\", align=64, offset_factor=16, scope=\"warp\")", row->text[1]);
      add (out, "    with T.block(\"root\"):\n        T.reads(C[0:32, 0:8], A[0:32, 0:%d], B[0:32, 0:%d])\n        T.writes(C[0:32, 0:8])", size, size);
      if (impl == 0)
        {
          add (out, "        for i, j, k in T.grid(16, 16, %d):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])", k);
          add (out, "                T.reads(C[%s], A[%s], B[%s])\n                T.writes(C[%s])", c, a, b, c);
          add (out, "                C[%s] = C[%s] + %sA[%s]%s * %sB[%s]%s", c, c, open, a, close, open, b, close);
          continue;
        }
      add (out, "        for tx in T.thread_binding(32, thread=\"threadIdx.x\"):");
      for (guint half = 0; half < 2; half++)
        {
          g_autofree char *b_more = half ? g_strdup_printf (" + %d", size / 2) : g_strdup ("");

          add (out, "            T.evaluate(T.ptx_mma(\"%s\", \"m16n8k%d\", \"row\", \"col\", \"%s\", \"%s\", \"%s\", A.data, A.elem_offset + tx * %d, B.data, "
                    "B.elem_offset + tx * %d%s, C.data, C.elem_offset + tx * 8%s, T.bool(False)))",
               row->text[1], k, short_type (row->text[0]), short_type (row->text[0]), short_type (row->text[1]), size, size, b_more, half ? " + 4" : "");
        }
    }
}

/* text: type */
static void
mma_fill (const Row *row,
          GString   *out)
{
  g_autofree char *lane = lane_of (16, 16, "vi", "vj");

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "a: T.handle");
      add (out, "    C_warp = T.match_buffer(a, (32, 8), \"%s\", scope=\"warp\"%s)", row->text[0], impl ? ", offset_factor=1" : "");
      add (out, "    with T.block(\"root\"):\n        T.reads()\n        T.writes(C_warp[0:32, 0:8])");
      if (impl)
        add (out, "        for tx in T.thread_binding(32, thread=\"threadIdx.x\"):\n            T.evaluate(T.mma_fill(\"%s\", 8, C_warp.data, C_warp.elem_offset))", row->text[0]);
      else
        add (out, "        for i0, i1 in T.grid(16, 16):\n            with T.block(\"C_warp\"):\n                vi, vj = T.axis.remap(\"SS\", [i0, i1])\n"
                  "                T.reads()\n                T.writes(C_warp[%s])\n                C_warp[%s] = T.%s(0)", lane, lane, row->text[0]);
    }
}

/* text: type, scope; number: stores one by one instead of by the instruction */
static void
mma_store (const Row *row,
           GString   *out)
{
  g_autofree char *lane = lane_of (16, 16, "v0", "v1");

  for (guint impl = 0; impl < 2; impl++)
    {
      begin (out, row->name, impl, "a: T.handle, c: T.handle");
      if (impl)
        add (out, "    s0 = T.int32()\n    s1 = T.int32()");
      add (out, "    C_warp = T.match_buffer(a, (32, 8), \"%s\", scope=\"warp\"%s)", row->text[0], impl ? ", offset_factor=1" : "");
      add (out, "    C = T.match_buffer(c, (16, 16), \"%s\", scope=\"%s\"%s)", row->text[0], row->text[1], impl ? ", offset_factor=1, strides=[s0, s1]" : "");
      add (out, "    with T.block(\"root\"):\n        T.reads(C_warp[0:32, 0:8])\n        T.writes(C[0:16, 0:16])");
      if (impl == 0)
        add (out, "        for i0, i1 in T.grid(16, 16):\n            with T.block(\"C_warp\"):\n                v0, v1 = T.axis.remap(\"SS\", [i0, i1])\n"
                  "                T.reads(C_warp[%s])\n                T.writes(C[v0, v1])\n                C[v0, v1] = C_warp[%s]", lane, lane);
      else if (row->number[0])
        add (out, "        for tx in T.thread_binding(32, thread=\"threadIdx.x\"):\n            for local_id in range(8):\n"
                  "                C[8 * (local_id %% 4 // 2) + tx // 4, 8 * (local_id // 4) + tx %% 4 * 2 + local_id %% 2] = C_warp[tx, local_id]");
      else
        add (out, "        for tx in T.thread_binding(32, thread=\"threadIdx.x\"):\n            T.evaluate(T.mma_store(\"%s\", 16, 16, C.access_ptr(\"w\"), C_warp.data, "
                  "C_warp.elem_offset, s0))", row->text[0]);
    }
}

/* ---- the table --------------------------------------------------------------------- */

#define LOADS(name, dtype, m, n, k, part, column) \
  { name "_shared", wmma_load, { dtype, "shared", part }, { m, n, k, column } }, { name "_shared_dyn", wmma_load, { dtype, "shared.dyn", part }, { m, n, k, column } }
#define STORES(name, dtype, m, n, k) \
  { name "_shared", wmma_store, { dtype, "shared" }, { m, n, k } }, { name "_shared_dyn", wmma_store, { dtype, "shared.dyn" }, { m, n, k } }, \
  { name "_global", wmma_store, { dtype, "global" }, { m, n, k } }

static const Row ROWS[] = {
  { "dot_16x4_vnni", dot_vnni, { "uint8", "int8", "int32" }, { 16, 4 } },
  { "dot_16x4_avx512", dot_avx512, { "uint8", "int8", "int32" }, { 16, 4 } },
  { "dot_4x4_i8i8s32_neon", dot_neon, { "int8", "int8", "int32" }, { 4, 4 } },
  { "dot_4x4_i8i8s32_sdot", dot_sdot, { "int8", "int8", "int32" }, { 4, 4 } },
  { "dot_4x4_u8u8u32_udot", dot_udot, { "uint8", "uint8", "uint32" }, { 4, 4 } },
  { "dot_4x4_u8u8i32_hdot", dot_udot, { "uint8", "uint8", "int32" }, { 4, 4 } },
  { "dot_32x4_u8u8i32_vrmpy", dot_hexagon, { "uint8", "uint8", "int32", "llvm.hexagon.V6.vrmpyub.acc.128B" }, { 32, 4, 1 } },
  { "dot_32x4_u8i8i32_vrmpy", dot_hexagon, { "uint8", "int8", "int32", "llvm.hexagon.V6.vrmpybusv.acc.128B" }, { 32, 4 } },
  { "dot_product_32x2_i16i16i32_vdmpy", dot_hexagon, { "int16", "int16", "int32", "llvm.hexagon.V6.vdmpyhvsat.acc.128B" }, { 32, 2 } },
  { "dp4a", dot_four, { "int8", "int8", "int32", "__dp4a" } },
  { "dp4a_s8s8s32", dot_four, { "int8", "int8", "int32", "__dp4a" } },
  { "dp4a_s8u8s32", dot_four, { "int8", "uint8", "int32", "__dp4a" } },
  { "dp4a_u8s8s32", dot_four, { "uint8", "int8", "int32", "__dp4a" } },
  { "dp4a_u8u8u32", dot_four, { "uint8", "uint8", "uint32", "__dp4a" } },
  { "sdot4", dot_four, { "int8", "int8", "int32", NULL } },

  { "mma_ldmatrix_f16_a", ldmatrix, { "float16", "shared", "a" }, { 16, 0 } },
  { "mma_ldmatrix_f16_b", ldmatrix, { "float16", "shared", "b" }, { 16, 0 } },
  { "mma_ldmatrix_f16_a_trans", ldmatrix, { "float16", "shared", "a" }, { 16, 1 } },
  { "mma_ldmatrix_f16_b_trans", ldmatrix, { "float16", "shared", "b" }, { 16, 1 } },
  { "mma_ldmatrix_f16_a_dyn", ldmatrix, { "float16", "shared.dyn", "a" }, { 16, 0 } },
  { "mma_ldmatrix_f16_b_dyn", ldmatrix, { "float16", "shared.dyn", "b" }, { 16, 0 } },
  { "mma_ldmatrix_f16_a_trans_dyn", ldmatrix, { "float16", "shared.dyn", "a" }, { 16, 1 } },
  { "mma_ldmatrix_f16_b_trans_dyn", ldmatrix, { "float16", "shared.dyn", "b" }, { 16, 1 } },
  { "mma_ldmatrix_i8_a", ldmatrix, { "int8", "shared", "a" }, { 32, 0 } },
  { "mma_ldmatrix_i8_b", ldmatrix, { "int8", "shared", "b" }, { 32, 0 } },
  { "mma_ldmatrix_i8_b_trans", ldmatrix, { "int8", "shared", "b" }, { 32, 1 } },
  { "mma_f16f16f32", mma_sync, { "float16", "float32" }, { 16, 0, 0 } },
  { "mma_f16f16f32_trans_b", mma_sync, { "float16", "float32" }, { 16, 0, 1 } },
  { "mma_f16f16f32_trans_a", mma_sync, { "float16", "float32" }, { 16, 1, 0 } },
  { "mma_f16f16f32_trans_a_trans_b", mma_sync, { "float16", "float32" }, { 16, 1, 1 } },
  { "mma_f16f16f16", mma_sync, { "float16", "float16" }, { 16, 0, 0 } },
  { "mma_f16f16f16_trans_b", mma_sync, { "float16", "float16" }, { 16, 0, 1 } },
  { "mma_f16f16f16_trans_a", mma_sync, { "float16", "float16" }, { 16, 1, 0 } },
  { "mma_f16f16f16_trans_a_trans_b", mma_sync, { "float16", "float16" }, { 16, 1, 1 } },
  { "mma_i8i8i32", mma_sync, { "int8", "int32" }, { 32, 0, 0 } },
  { "mma_i8i8i32_trans_b", mma_sync, { "int8", "int32" }, { 32, 0, 1 } },
  { "mma_fill_16x16_f32", mma_fill, { "float32" } },
  { "mma_fill_16x16_f16", mma_fill, { "float16" } },
  { "mma_fill_16x16_i32", mma_fill, { "int32" } },
  { "mma_store_16x16_f32_global_", mma_store, { "float32", "global" } },
  { "mma_store_16x16_f32_shared_dyn_", mma_store, { "float32", "shared.dyn" } },
  { "mma_store_16x16_f32_shared_dyn_simple_", mma_store, { "float32", "shared.dyn" }, { 1 } },
  { "mma_store_16x16_f16_shared_dyn_simple_", mma_store, { "float16", "shared.dyn" }, { 1 } },
  { "mma_store_16x16_f16_global_", mma_store, { "float16", "global" } },
  { "mma_store_16x16_i32_global_", mma_store, { "int32", "global" } },

  { "wmma_sync_16x16x16_f16f16f32", wmma_sync, { "float16", "float32" }, { 16, 16, 16, 0 } },
  { "wmma_sync_16x16x16_f16f16f32_trans", wmma_sync, { "float16", "float32" }, { 16, 16, 16, 1 } },
  { "wmma_sync_16x16x16_f16f16f16", wmma_sync, { "float16", "float16" }, { 16, 16, 16, 0 } },
  { "wmma_sync_16x16x16_f16f16f16_trans", wmma_sync, { "float16", "float16" }, { 16, 16, 16, 1 } },
  { "wmma_sync_16x16x16_s8s8s32", wmma_sync, { "int8", "int32" }, { 16, 16, 16, 0 } },
  { "wmma_sync_16x16x16_s8s8s32_trans", wmma_sync, { "int8", "int32" }, { 16, 16, 16, 1 } },
  { "wmma_sync_8x8x32_s4s4s32_trans", wmma_sync, { "int4", "int32" }, { 8, 8, 32, 1 } },
  LOADS ("wmma_load_16x16x16_f16_a", "float16", 16, 16, 16, "a", 0),
  LOADS ("wmma_load_16x16x16_f16_b", "float16", 16, 16, 16, "b", 0),
  LOADS ("wmma_load_16x16x16_f16_a_trans", "float16", 16, 16, 16, "a", 1),
  LOADS ("wmma_load_16x16x16_f16_b_trans", "float16", 16, 16, 16, "b", 1),
  LOADS ("wmma_load_16x16x16_s8_a", "int8", 16, 16, 16, "a", 0),
  LOADS ("wmma_load_16x16x16_s8_b", "int8", 16, 16, 16, "b", 0),
  LOADS ("wmma_load_16x16x16_s8_a_trans", "int8", 16, 16, 16, "a", 1),
  LOADS ("wmma_load_16x16x16_s8_b_trans", "int8", 16, 16, 16, "b", 1),
  LOADS ("wmma_load_8x8x32_s4_a", "int4", 8, 8, 32, "a", 0),
  LOADS ("wmma_load_8x8x32_s4_b_trans", "int4", 8, 8, 32, "b", 1),
  { "wmma_fill_16x16x16_f32", wmma_fill, { "float32" }, { 16, 16, 16 } },
  { "wmma_fill_16x16x16_f16", wmma_fill, { "float16" }, { 16, 16, 16 } },
  { "wmma_fill_16x16x16_s32", wmma_fill, { "int32" }, { 16, 16, 16 } },
  { "wmma_fill_8x8x32_s32", wmma_fill, { "int32" }, { 8, 8, 32 } },
  STORES ("wmma_store_16x16x16_f32", "float32", 16, 16, 16),
  STORES ("wmma_store_16x16x16_f16", "float16", 16, 16, 16),
  STORES ("wmma_store_16x16x16_s32", "int32", 16, 16, 16),
  STORES ("wmma_store_8x8x32_s32", "int32", 8, 8, 32),
};

guint
ls_intrin_library_get_n (void)
{
  return G_N_ELEMENTS (ROWS) + ls_intrin_metal_get_n ();
}

const char *
ls_intrin_library_get_name (guint i)
{
  return i < G_N_ELEMENTS (ROWS) ? ROWS[i].name : ls_intrin_metal_get_name (i - G_N_ELEMENTS (ROWS));
}

char *
ls_intrin_library_get_text (const char *name)
{
  GString *out = g_string_new ("from tvm.script import tir as T\n");

  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    if (strcmp (ROWS[i].name, name) == 0)
      {
        ROWS[i].write (&ROWS[i], out);
        return g_string_free (out, FALSE);
      }
  if (ls_intrin_metal_write (name, out))
    return g_string_free (out, FALSE);
  g_string_free (out, TRUE);
  return NULL;
}
