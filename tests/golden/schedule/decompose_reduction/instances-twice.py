from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((9, 16), "float32"), B: T.Buffer((12,), "float32"), D: T.Buffer((7, 9), "float32")):
        C = T.alloc_buffer((9, 9), "float32")
        for i, j, k in T.grid(9, 9, 16):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * A[vj, vk]
        for i, j in T.grid(7, 9):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj] - C[vi + 2, vj]

# steps
b0 = sch.get_block("C", func_name="main")
l0 = sch.get_loops(b0)
c0 = sch.get_block("D", func_name="main")
m0 = sch.get_loops(c0)
sch.compute_at(b0, m0[1])
b5 = sch.get_block("C", func_name="main")
l5 = sch.get_loops(b5)
sch.reorder(l5[3], l5[2])
b6 = sch.get_block("C", func_name="main")
l6 = sch.get_loops(b6)
sch.decompose_reduction(b6, l6[0])
b7 = sch.get_block("D", func_name="main")
l7 = sch.get_loops(b7)
sch.set_axis_separator(b7, ("write", 0), [0])

