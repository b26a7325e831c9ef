# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32"), n: T.int32):
        B = T.alloc_buffer((16,))
        if n > 0:
            for i in range(16):
                with T.block("B"):
                    vi = T.axis.spatial(16, i)
                    B[vi] = A[vi] * T.float32(2)
            for i in range(16):
                with T.block("C"):
                    vi = T.axis.spatial(16, i)
                    C[vi] = B[vi] + T.float32(1)

# steps
sch.compute_inline("B")
