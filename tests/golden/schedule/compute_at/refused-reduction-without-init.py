# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), C: T.Buffer((16, 24), "float32")):
        B = T.alloc_buffer((16, 24))
        for i, j in T.grid(16, 24):
            with T.block("B"):
                vi = T.axis.reduce(16, i)
                vj = T.axis.spatial(24, j)
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(16, 24):
            with T.block("C"):
                vi = T.axis.opaque(16, i)
                vj = T.axis.spatial(24, j)
                C[vi, vj] = B[vi, vj] + T.float32(1)

# steps
l = sch.get_loops("C")
sch.compute_at("B", l[0])
