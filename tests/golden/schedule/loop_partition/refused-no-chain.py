# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((30, 8), "float32"), B: T.Buffer((30, 8), "float32"), C: T.Buffer((30, 8), "float32")):
        for i in range(30):
            for j in range(8):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]
            for j in range(8):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = A[vi, vj]

# steps
sch.loop_partition(sch.get_loops("B")[0], [10])
