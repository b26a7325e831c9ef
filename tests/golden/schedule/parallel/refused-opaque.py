# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), B: T.Buffer((16, 24), "float32")):
        for i, j in T.grid(16, 24):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.opaque(24, j)
                T.reads(A[vi, vj], B[vi, 0:24])
                T.writes(B[vi, vj])
                B[vi, vj] = T.if_then_else(vj == 0, A[vi, vj], B[vi, vj - 1] + A[vi, vj])

# steps
l = sch.get_loops("B")
sch.parallel(l[0])
