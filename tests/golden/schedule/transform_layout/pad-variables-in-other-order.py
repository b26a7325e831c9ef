from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((5, 3), "float32"), B: T.Buffer((3,), "float32"), E: T.Buffer((3,), "float32")):
        C = T.alloc_buffer((7, 3), "float32")
        D = T.alloc_buffer((7, 1), "float32")
        for i, j in T.grid(7, 3):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.if_then_else(1 <= vi and vi < 6, A[vi - 1, vj], T.float32(0))
        for i, j in T.grid(7, 1):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj] - C[vi, vj + 2]
        for i in range(3):
            with T.block("E"):
                vi = T.axis.spatial(3, i)
                E[vi] = B[vi] + T.float32(1)

# steps
b4 = sch.get_block("C", func_name="main")
l4 = sch.get_loops(b4)
sch.reorder_block_iter_var(b4, [1, 0])
b7 = sch.get_block("C", func_name="main")
l7 = sch.get_loops(b7)
sch.transform_layout(b7, ("write", 0), lambda i, j: (i // 4, j, i % 4), pad_value=0.0)

