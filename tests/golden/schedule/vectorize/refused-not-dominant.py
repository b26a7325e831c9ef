# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
        for i in range(16):
            with T.block("outer"):
                vi = T.axis.spatial(16, i)
                T.reads(A[vi, 0:8])
                T.writes(C[vi, 0:8])
                for j in range(8):
                    with T.block("first"):
                        vj = T.axis.spatial(8, j)
                        C[vi, vj] = A[vi, vj]
                for j in range(8):
                    with T.block("second"):
                        vj = T.axis.spatial(8, j)
                        C[vi, vj] = A[vi, vj] + T.float32(1)

# steps
sch.vectorize(sch.get_loops("outer")[0])
