# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((18,), "float32")):
        B = T.alloc_buffer((16,))
        for i in range(16):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi] * T.float32(2)
        for i in range(18):
            with T.block("C"):
                vi = T.axis.spatial(18, i)
                C[vi] = T.if_then_else(1 <= vi and vi < 17, B[vi - 1], T.float32(0))
# steps
sch.compute_at(sch.get_block("B"), sch.get_loops(sch.get_block("C"))[0])
