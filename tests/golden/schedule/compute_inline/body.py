# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((32,), "float32")):
        B = T.alloc_buffer((32,))
        for i in range(16):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                T.reads(A[vi])
                T.writes(B[vi * 2:vi * 2 + 2])
                B[vi * 2] = A[vi]
                B[vi * 2 + 1] = A[vi] + T.float32(1)
        for i in range(32):
            with T.block("C"):
                vi = T.axis.spatial(32, i)
                C[vi] = B[vi] + T.float32(1)
# steps
sch.compute_inline("B")
