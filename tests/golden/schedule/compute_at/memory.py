# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        S = T.alloc_buffer((64, 64), scope="shared")
        L = T.alloc_buffer((64, 64), scope="local")
        for i, j in T.grid(64, 64):
            with T.block("S"):
                vi, vj = T.axis.remap("SS", [i, j])
                S[vi, vj] = A[vj, vi]
        for i, j in T.grid(64, 64):
            with T.block("L"):
                vi, vj = T.axis.remap("SS", [i, j])
                L[vi, vj] = S[vi, vj]
        for by in T.thread_binding(4, thread="blockIdx.y"):
            for ty in T.thread_binding(8, thread="threadIdx.y"):
                for ko in range(4):
                    for ii, ki in T.grid(2, 16):
                        with T.block("C"):
                            vi = T.axis.spatial(64, by * 16 + ty * 2 + ii)
                            vk = T.axis.spatial(64, ko * 16 + ki)
                            C[vi, vk] = L[vi, vk] * T.float32(2)
# steps
l = sch.get_loops(sch.get_block("C"))
sch.compute_at(sch.get_block("L"), l[2])
sch.compute_at(sch.get_block("S"), l[2])
