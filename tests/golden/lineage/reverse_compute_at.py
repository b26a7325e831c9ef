# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 16), "float32"), D: T.Buffer((8,), "float32")):
        B = T.alloc_buffer((8,))
        for i, k in T.grid(8, 16):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
        for i in range(8):
            with T.block("D"):
                vi = T.axis.spatial(8, i)
                D[vi] = B[vi] + T.float32(1)
# steps
sch.reverse_compute_at(sch.get_block("D"), sch.get_loops(sch.get_block("B"))[0])
