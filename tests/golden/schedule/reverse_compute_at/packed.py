# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((3, 64, 64), "float32"), C: T.Buffer((3, 64, 64), "float32")):
        B = T.alloc_buffer((1, 16, 4, 8, 2, 16, 2))
        for a0, a1, a2, a3, a4, a5, a6 in T.grid(1, 16, 4, 8, 2, 16, 2):
            with T.block("B"):
                v0, v1, v2, v3, v4, v5, v6 = T.axis.remap("SSSSSSS", [a0, a1, a2, a3, a4, a5, a6])
                B[v0, v1, v2, v3, v4, v5, v6] = T.if_then_else(v3 < 3, A[v3, v1 * 4 + v4 * 2 + v6, v2 * 16 + v5], T.float32(0))
        for i, j, k in T.grid(3, 64, 64):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                C[vi, vj, vk] = B[vi // 8, vj // 4, vk // 16, vi, vj % 4 // 2, vk % 16, vj % 2] * T.float32(2)
# steps
sch.reverse_compute_at(sch.get_block("C"), sch.get_loops(sch.get_block("B"))[2])
