/* Programs that the schedule tests share, as TVMScript. */
#pragma once

#define HEAD \
  "# from tvm.script import ir as I\n" \
  "# from tvm.script import tir as T\n" \
  "\n" \
  "@I.ir_module\n" \
  "class Module:\n" \
  "    @T.prim_func\n"

#define MM_RELU \
  HEAD \
  "    def main(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\"), C: T.Buffer((128, 128), \"float32\")):\n" \
  "        T.func_attr({\"tir.noalias\": T.bool(True)})\n" \
  "        # with T.block(\"root\"):\n" \
  "        Y = T.alloc_buffer((128, 128))\n" \
  "        for i, j, k in T.grid(128, 128, 128):\n" \
  "            with T.block(\"Y\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n" \
  "                T.reads(A[vi, vk], B[vk, vj])\n" \
  "                T.writes(Y[vi, vj])\n" \
  "                with T.init():\n" \
  "                    Y[vi, vj] = T.float32(0.0)\n" \
  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n" \
  "        for i, j in T.grid(128, 128):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                T.reads(Y[vi, vj])\n" \
  "                T.writes(C[vi, vj])\n" \
  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(0.0))\n"

#define TWO_CHILDREN \
  HEAD \
  "    def main(A: T.Buffer((16, 8), \"float32\"), B: T.Buffer((16, 8), \"float32\"), C: T.Buffer((16, 8), \"float32\")):\n" \
  "        for i in range(16):\n" \
  "            for j in range(8):\n" \
  "                with T.block(\"B\"):\n" \
  "                    vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                    B[vi, vj] = A[vi, vj] * T.float32(2.0)\n" \
  "            for k in range(8):\n" \
  "                with T.block(\"C\"):\n" \
  "                    vi, vk = T.axis.remap(\"SS\", [i, k])\n" \
  "                    C[vi, vk] = A[vi, vk] + T.float32(1.0)\n"

#define TRIANGLE \
  HEAD \
  "    def main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16, 16), \"float32\")):\n" \
  "        for i in range(16):\n" \
  "            for j in range(i + 1):\n" \
  "                with T.block(\"B\"):\n" \
  "                    vi = T.axis.spatial(16, i)\n" \
  "                    vj = T.axis.spatial(16, j)\n" \
  "                    B[vi, vj] = A[vi, vj] * T.float32(2.0)\n"

#define FROM_ONE \
  HEAD \
  "    def main(A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"float32\")):\n" \
  "        for i in range(1, 16):\n" \
  "            with T.block(\"B\"):\n" \
  "                vi = T.axis.spatial(16, i)\n" \
  "                B[vi] = A[vi] * T.float32(2.0)\n"
