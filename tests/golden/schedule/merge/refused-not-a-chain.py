# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
        for i in range(16):
            for j in range(8):
                with T.block("A"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    A[vi, vj] = T.float32(1)
            for j in range(8):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = T.float32(2)
        for x, y in T.grid(16, 8):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [x, y])
                C[vi, vj] = T.float32(3)

# steps
sch.merge(sch.get_loops("A")[1], sch.get_loops("C")[1])
