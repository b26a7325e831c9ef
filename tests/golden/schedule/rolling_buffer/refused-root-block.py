# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        with T.block("root"):
            T.reads(A[0:16], C[0:16])
            T.writes(C[0:16])
            for i in range(16):
                with T.block("C"):
                    vi = T.axis.spatial(16, i)
                    T.reads(A[vi])
                    T.writes(C[vi])
                    C[vi] = A[vi] + T.float32(1)

# steps
sch.rolling_buffer("root", 0)
