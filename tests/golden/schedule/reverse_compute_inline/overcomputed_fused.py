# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((24, 24), "float32"), C: T.Buffer((23, 20), "float32")):
        B = T.alloc_buffer((24, 24))
        for i, j in T.grid(24, 24):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(23, 20):
            with T.block("C"):
                wi, wj = T.axis.remap("SS", [i, j])
                C[wi, wj] = B[wi, wj] + T.float32(1)
# steps
l = sch.get_loops(sch.get_block("B"))
sch.fuse(l[0], l[1])
sch.reverse_compute_inline("C")
