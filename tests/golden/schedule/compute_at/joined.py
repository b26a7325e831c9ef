# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((10,), "float32"), B: T.Buffer((6,), "float32"), C: T.Buffer((16,), "float32")):
        P = T.alloc_buffer((10,))
        Q = T.alloc_buffer((6,))
        for i in range(10):
            with T.block("P"):
                vi = T.axis.spatial(10, i)
                P[vi] = A[vi] + T.float32(1)
        for i in range(6):
            with T.block("Q"):
                vi = T.axis.spatial(6, i)
                Q[vi] = B[vi] + T.float32(2)
        for i in range(16):
            with T.block("C"):
                vi = T.axis.spatial(16, i)
                C[vi] = T.if_then_else(10 <= vi, Q[vi - 10], P[vi])
# steps
l = sch.get_loops(sch.get_block("C"))[0]
sch.compute_at(sch.get_block("P"), l)
sch.compute_at(sch.get_block("Q"), l)
