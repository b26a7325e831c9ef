# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 12), "float32"), B: T.Buffer((2, 8, 1), "float32"), E: T.Buffer((1, 2, 8, 12), "float32")):
        C = T.alloc_buffer((16, 12))
        D = T.alloc_buffer((2, 8, 12))
        for i, j in T.grid(16, 12):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j, k in T.grid(2, 8, 12):
            with T.block("D"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                D[vi, vj, vk] = C[vi * 8 + vj, vk] + T.float32(1)
        for i, j, k, l in T.grid(1, 2, 8, 12):
            with T.block("E"):
                vi, vj, vk, vl = T.axis.remap("SSSS", [i, j, k, l])
                E[vi, vj, vk, vl] = D[vj, vk, vl] + B[vj, vk, vi]
# steps
sch.compute_inline("C")
sch.compute_inline("D")
