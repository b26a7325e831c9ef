# without the root block
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), C: T.Buffer((16, 24), "float32")):
        B = T.alloc_buffer((16, 24))
        for i, j in T.grid(16, 24):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(16, 24):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)

# steps
sch.transform_block_layout("B", lambda i, j: (j, i))
