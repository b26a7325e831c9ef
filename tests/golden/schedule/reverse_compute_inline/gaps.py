from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((6, 16), "float32"), B: T.Buffer((6,), "float32"), C: T.Buffer((8, 16), "float32")):
        for i, j in T.grid(8, 16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.if_then_else(1 <= vi and vi < 7, A[vi - 1, vj], T.float32(0))

# steps
b0 = sch.get_block("C", func_name="main")
l0 = sch.get_loops(b0)
sch.transform_block_layout(b0, lambda i, j: (i // 4, j, i % 4))
b3 = sch.get_block("C", func_name="main")
l3 = sch.get_loops(b3)
sch.reorder(l3[1], l3[2])
b4 = sch.get_block("C", func_name="main")
l4 = sch.get_loops(b4)
sch.cache_read(b4, 0, "global")
b5 = sch.get_block("C", func_name="main")
l5 = sch.get_loops(b5)
sch.cache_write(b5, 0, "local")
b7 = sch.get_block("C", func_name="main")
l7 = sch.get_loops(b7)
sch.reverse_compute_inline(b7)

