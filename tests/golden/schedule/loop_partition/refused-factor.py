# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((50, 8), "float32"), B: T.Buffer((50, 8), "float32")):
        for i, j in T.grid(50, 8):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(2)

# steps
i, j = sch.get_loops("B")
sch.loop_partition(i, [0, 5])
