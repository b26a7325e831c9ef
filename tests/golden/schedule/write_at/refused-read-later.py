# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 4), "float32"), C: T.Buffer((8, 4), "float32"), D: T.Buffer((8, 4), "float32")):
        B = T.alloc_buffer((8, 4))
        for i in range(8):
            for j in range(4):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]
            for j in range(4):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = B[vi, vj]
            for j in range(4):
                with T.block("B2"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] + T.float32(1)
            for j in range(4):
                with T.block("D"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    D[vi, vj] = B[vi, vj]

# steps
sch.write_at(sch.get_loops("B")[0], "B", 0, "shared")
