# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((40,), "float32"), B: T.Buffer((5, 8), "float32")):
        for i, j in T.grid(5, 8):
            with T.block("B"):
                vi = T.axis.spatial(5, i)
                T.reads(A[vi + j * 4:vi + j * 4 + 2])
                T.writes(B[vi, j])
                B[vi, j] = A[vi + j * 4] + A[vi + j * 4 + 1]

# steps
sch.cache_index("B", "local", 0)
