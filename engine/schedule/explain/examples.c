/* examples: for every primitive a small program, what is done first, and the call that its page shows.
 *
 * tests/unit/schedule/explain.c applies all of them.
 */
#include "engine/schedule/explain/explain.h"

#include <string.h>

/* ---- programs ---------------------------------------------------------------------- */

static const char PRODUCT[] =
  "    def main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16, 16), \"float32\"), C: T.Buffer((16, 16), \"float32\")):\n"
  "        for i, j, k in T.grid(16, 16, 16):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n"
  "                    C[vi, vj] = T.float32(0)\n"
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";

static const char TWO_STAGES[] =
  "    def main(A: T.Buffer((16, 16), \"float32\"), C: T.Buffer((16, 16), \"float32\")):\n"
  "        B = T.alloc_buffer((16, 16))\n"
  "        for i, j in T.grid(16, 16):\n"
  "            with T.block(\"B\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                B[vi, vj] = A[vi, vj] + T.float32(1)\n"
  "        for i, j in T.grid(16, 16):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                C[vi, vj] = B[vi, vj] * T.float32(2)\n";

static const char PADDED[] =
  "    def main(A: T.Buffer((16,), \"float32\"), C: T.Buffer((16,), \"float32\")):\n"
  "        P = T.alloc_buffer((18,))\n"
  "        for i in range(18):\n"
  "            with T.block(\"P\"):\n"
  "                vi = T.axis.spatial(18, i)\n"
  "                P[vi] = T.if_then_else(1 <= vi and vi < 17, A[vi - 1], T.float32(0))\n"
  "        for i in range(16):\n"
  "            with T.block(\"C\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                C[vi] = P[vi] + P[vi + 2]\n";

static const char WINDOW[] =
  "    def main(A: T.Buffer((18,), \"float32\"), C: T.Buffer((16,), \"float32\")):\n"
  "        B = T.alloc_buffer((18,))\n"
  "        for i in range(18):\n"
  "            with T.block(\"B\"):\n"
  "                vi = T.axis.spatial(18, i)\n"
  "                B[vi] = A[vi] + T.float32(1)\n"
  "        for i in range(16):\n"
  "            with T.block(\"C\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                C[vi] = B[vi] + B[vi + 1] + B[vi + 2]\n";

static const char IN_PLACE[] =
  "    def main(A: T.Buffer((16,), \"float32\")):\n"
  "        for i in range(16):\n"
  "            with T.block(\"A\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                T.reads(A[vi])\n"
  "                T.writes(A[vi])\n"
  "                A[vi] = A[vi] * T.float32(2)\n";

static const char GATHER[] =
  "    def main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16, 16), \"float32\")):\n"
  "        for i, j in T.grid(16, 16):\n"
  "            with T.block(\"B\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                B[vi, vj] = A[vi * 3 % 16, vj] + A[vi * 3 % 16, 15 - vj]\n";

static const char ODD[] =
  "    def main(A: T.Buffer((15, 15), \"float32\"), B: T.Buffer((15, 15), \"float32\"), C: T.Buffer((15, 15), \"float32\")):\n"
  "        for i, j, k in T.grid(15, 15, 15):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n"
  "                    C[vi, vj] = T.float32(0)\n"
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";

static const char DOT[] =
  "    def main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16, 16), \"float32\"), C: T.Buffer((16, 16), \"float32\")):\n"
  "        for i, j, k in T.grid(16, 16, 16):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n"
  "                    C[vi, vj] = T.float32(0)\n"
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]\n";

static const char DOT4[] =
  "@T.prim_func\n"
  "def dot4_desc(A: T.Buffer((4,), \"float32\", offset_factor=1), B: T.Buffer((4,), \"float32\", offset_factor=1), C: T.Buffer((1,), \"float32\", offset_factor=1)):\n"
  "    with T.block(\"root\"):\n"
  "        T.reads(C[0], A[0:4], B[0:4])\n"
  "        T.writes(C[0])\n"
  "        for k in range(4):\n"
  "            with T.block(\"dot\"):\n"
  "                vk = T.axis.reduce(4, k)\n"
  "                C[0] = C[0] + A[vk] * B[vk]\n"
  "@T.prim_func\n"
  "def dot4_impl(A: T.Buffer((4,), \"float32\", offset_factor=1), B: T.Buffer((4,), \"float32\", offset_factor=1), C: T.Buffer((1,), \"float32\", offset_factor=1)):\n"
  "    with T.block(\"root\"):\n"
  "        T.reads(C[0], A[0:4], B[0:4])\n"
  "        T.writes(C[0])\n"
  "        C[0] = C[0] + T.call_pure_extern(\"float32\", \"dot4\", A.access_ptr(\"r\"), B.access_ptr(\"r\"))\n"
  "TensorIntrin.register(\"explain.dot4\", dot4_desc, dot4_impl)\n";

/* ---- first steps --------------------------------------------------------------------- */

#define LOOPS "c = sch.get_block(\"C\")\ni, j, k = sch.get_loops(c)\n"
#define STAGES "b = sch.get_block(\"B\")\nc = sch.get_block(\"C\")\ni, j = sch.get_loops(c)\n"
#define TILES \
  LOOPS "io, ii = sch.split(i, [None, 4])\njo, ji = sch.split(j, [None, 4])\nko, ki = sch.split(k, [None, 4])\n" \
  "sch.reorder(io, jo, ko, ii, ji, ki)\n"
#define BLOCK_B "b = sch.get_block(\"B\")\n"
#define BLOCK_C "c = sch.get_block(\"C\")\n"
#define ROOT "r = sch.get_block(\"root\")\n"

/* ---- the table ------------------------------------------------------------------------- */

static const struct {
  const char *primitive;
  const char *program;
  const char *prepare;
  const char *call;
  const char *intrin;
} TABLE[] = {
  { "get_block", PRODUCT, NULL, "c = sch.get_block(\"C\")" },
  { "get_loops", PRODUCT, BLOCK_C, "i, j, k = sch.get_loops(c)" },
  { "get_child_blocks", TWO_STAGES, ROOT, "b, c = sch.get_child_blocks(r)" },
  { "get_producers", TWO_STAGES, BLOCK_C, "b, = sch.get_producers(c)" },
  { "get_consumers", TWO_STAGES, BLOCK_B, "c, = sch.get_consumers(b)" },
  { "get_output_blocks", TWO_STAGES, ROOT, "c, = sch.get_output_blocks(r)" },
  { "sample_categorical", PRODUCT, LOOPS, "v = sch.sample_categorical([16, 64, 256], [0.25, 0.25, 0.5])" },
  { "sample_perfect_tile", PRODUCT, LOOPS, "x, y = sch.sample_perfect_tile(i, n=2, max_innermost_factor=8)" },
  { "sample_partitioned_tile", PRODUCT, LOOPS, "x, y, z = sch.sample_partitioned_tile(i, n=3, partition_pos=1, innerpart_factor=4)" },
  { "sample_compute_location", TWO_STAGES, BLOCK_B, "l = sch.sample_compute_location(b)" },
  { "split", PRODUCT, LOOPS, "i0, i1 = sch.split(i, factors=[None, 4])" },
  { "loop_partition", PRODUCT, LOOPS, "parts = sch.loop_partition(i, [4])" },
  { "fuse", TWO_STAGES, STAGES, "ij = sch.fuse(i, j)" },
  { "merge", TWO_STAGES, BLOCK_B BLOCK_C "bi, bj = sch.get_loops(b)\nci, cj = sch.get_loops(c)\n", "m = sch.merge(bj, cj)" },
  { "reorder", PRODUCT, LOOPS, "sch.reorder(k, i)" },
  { "reorder_block_iter_var", PRODUCT, LOOPS, "sch.reorder_block_iter_var(c, [1, 0, 2])" },
  { "add_unit_loop", TWO_STAGES, STAGES, "u = sch.add_unit_loop(c)" },
  { "parallel", PRODUCT, LOOPS, "sch.parallel(i)" },
  { "vectorize", PRODUCT, LOOPS, "sch.vectorize(j)" },
  { "unroll", PRODUCT, LOOPS, "sch.unroll(k)" },
  { "bind", PRODUCT, LOOPS, "sch.bind(i, \"blockIdx.x\")" },
  { "compute_at", TWO_STAGES, STAGES, "sch.compute_at(b, i)" },
  { "reverse_compute_at", TWO_STAGES, BLOCK_B BLOCK_C "i, j = sch.get_loops(b)\n", "sch.reverse_compute_at(c, i)" },
  { "compute_inline", TWO_STAGES, BLOCK_B, "sch.compute_inline(b)" },
  { "reverse_compute_inline", TWO_STAGES, BLOCK_C, "sch.reverse_compute_inline(c)" },
  { "cache_read", PRODUCT, LOOPS, "a = sch.cache_read(c, 0, \"shared\")" },
  { "cache_write", PRODUCT, LOOPS, "o = sch.cache_write(c, 0, \"local\")" },
  { "reindex_cache_read", PRODUCT, LOOPS, "a = sch.reindex_cache_read(c, 0, \"shared\", lambda vi, vj, vk: (vk, vi))" },
  { "reindex_cache_write", PRODUCT, LOOPS, "o = sch.reindex_cache_write(c, 0, \"local\", lambda vi, vj, vk: (vj, vi))" },
  { "cache_inplace", IN_PLACE, "a = sch.get_block(\"A\")\n", "blocks = sch.cache_inplace(a, 0, \"local\")" },
  { "cache_index", GATHER, BLOCK_B, "blocks = sch.cache_index(b, \"global\", 0)" },
  { "reindex", PRODUCT, LOOPS, "r = sch.reindex(c, (\"read\", 1))" },
  { "read_at", PRODUCT, LOOPS, "a = sch.read_at(i, c, 0, \"shared\")" },
  { "write_at", PRODUCT, LOOPS, "o = sch.write_at(i, c, 0, \"shared\")" },
  { "blockize", PRODUCT, TILES "sch.decompose_reduction(c, ko)\n", "o = sch.blockize(ii)" },
  { "tensorize", DOT, LOOPS "ko, ki = sch.split(k, [None, 4])\nsch.decompose_reduction(c, ko)\n",
    "sch.tensorize(ki, \"explain.dot4\")", DOT4 },
  { "storage_align", TWO_STAGES, BLOCK_B, "sch.storage_align(b, 0, axis=0, factor=32, offset=8)" },
  { "transform_layout", TWO_STAGES, BLOCK_B, "sch.transform_layout(b, (\"write\", 0), lambda i, j: (i // 4, j, i % 4))" },
  { "transform_block_layout", TWO_STAGES, BLOCK_B, "sch.transform_block_layout(b, lambda i, j: (i * 16 + j,))" },
  { "pad_einsum", ODD, LOOPS, "sch.pad_einsum(c, [4, 1, 1])" },
  { "decompose_reduction", PRODUCT, LOOPS, "init = sch.decompose_reduction(c, k)" },
  { "rfactor", PRODUCT, LOOPS, "r = sch.rfactor(k, 0)" },
  { "decompose_padding", PADDED, "p = sch.get_block(\"P\")\ni, = sch.get_loops(p)\n", "f = sch.decompose_padding(p, i)" },
  { "rolling_buffer", WINDOW, BLOCK_B BLOCK_C "i, = sch.get_loops(c)\nio, ii = sch.split(i, [None, 4])\nsch.compute_at(b, io)\n",
    "sch.rolling_buffer(b, 0)" },
  { "set_axis_separator", TWO_STAGES, BLOCK_B, "sch.set_axis_separator(b, (\"write\", 0), [1])" },
  { "annotate_buffer_access", TWO_STAGES, BLOCK_B, "sch.annotate_buffer_access(b, 0, \"read\", lambda vi, vj: ((0, 16), (vj, vj + 1)))" },
  { "unsafe_hide_buffer_access", PRODUCT, LOOPS, "sch.unsafe_hide_buffer_access(c, \"read\", [0])" },
  { "unsafe_set_dtype", TWO_STAGES, BLOCK_B, "sch.unsafe_set_dtype(b, 0, \"float16\")" },
  { "annotate", PRODUCT, LOOPS, "sch.annotate(i, \"pragma_auto_unroll_max_step\", 16)" },
  { "unannotate", PRODUCT, LOOPS "sch.annotate(i, \"pragma_auto_unroll_max_step\", 16)\n",
    "sch.unannotate(i, \"pragma_auto_unroll_max_step\")" },
  { "set_scope", TWO_STAGES, BLOCK_B, "sch.set_scope(b, 0, \"shared\")" },
  { "enter_postproc", PRODUCT, NULL, "sch.enter_postproc()" },
};

gboolean
ls_instruction_example_source (const LsInstruction  *instruction,
                               const char          **program,
                               const char          **prepare,
                               const char          **call,
                               const char          **intrin)
{
  for (guint i = 0; i < G_N_ELEMENTS (TABLE); i++)
    if (strcmp (TABLE[i].primitive, instruction->name) == 0)
      {
        *program = TABLE[i].program;
        *prepare = TABLE[i].prepare;
        *call = TABLE[i].call;
        *intrin = TABLE[i].intrin;
        return TRUE;
      }
  return FALSE;
}
