# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            with T.block("X"):
                vi = T.axis.spatial(16, i)
                A[vi] = T.float32(1)
        for i in range(16):
            with T.block("X"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi]

# steps
sch.annotate_buffer_access("X", 0, "read", lambda a, b, c, d, e: (a, b))
