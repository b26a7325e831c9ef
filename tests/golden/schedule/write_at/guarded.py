# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 4), "float32"), D: T.Buffer((6, 4), "float32")):
        for i, j in T.grid(6, 4):
            with T.block("D"):
                vi = T.axis.spatial(4, i - 1)
                vj = T.axis.spatial(4, j)
                T.where(1 <= i and i < 5)
                D[vi + 1, vj] = A[vi, vj]

# steps
sch.write_at(sch.get_loops("D")[0], "D", 0, "local")
