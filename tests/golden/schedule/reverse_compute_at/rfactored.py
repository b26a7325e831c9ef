# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 16, 12), "float32"), B: T.Buffer((8,), "float32")):
        R = T.alloc_buffer((16, 8), scope="local")
        for j in T.thread_binding(8, thread="blockIdx.x"):
            for io in T.thread_binding(4, thread="threadIdx.x"):
                for ii, k in T.grid(4, 12):
                    with T.block("R"):
                        vi = T.axis.spatial(16, io * 4 + ii)
                        vj, vk = T.axis.remap("SR", [j, k])
                        with T.init():
                            R[vi, vj] = T.float32(0)
                        R[vi, vj] = R[vi, vj] + A[vj, vi, vk]
        for i, k in T.grid(8, 16):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + R[vk, vi]
# steps
sch.reverse_compute_at(sch.get_block("B"), sch.get_loops(sch.get_block("R"))[1])
