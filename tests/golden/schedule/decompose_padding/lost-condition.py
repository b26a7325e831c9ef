from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((10, 6), "int32"), B: T.Buffer((1,), "int32"), D: T.Buffer((6, 10), "int32")):
        C = T.alloc_buffer((12, 6), "int32")
        for i, j in T.grid(12, 6):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.if_then_else(1 <= vi and vi < 11, A[vi - 1, vj], 0)
        for i, j in T.grid(6, 10):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = T.max(A[vj, vi], 2)
# steps
b0 = sch.get_block("C", func_name="main")
l0 = sch.get_loops(b0)
sch.cache_write(b0, 0, "local")
b2 = sch.get_block("C", func_name="main")
l2 = sch.get_loops(b2)
sch.blockize(l2[1])
b3 = sch.get_block("C", func_name="main")
l3 = sch.get_loops(b3)
u3 = sch.add_unit_loop(l3[0])
b4 = sch.get_block("C", func_name="main")
l4 = sch.get_loops(b4)
sch.decompose_padding(b4, l4[1])
b5 = sch.get_block("C", func_name="main")
l5 = sch.get_loops(b5)
sch.blockize(l5[1])
b7 = sch.get_block("C", func_name="main")
l7 = sch.get_loops(b7)
sch.storage_align(b7, 0, axis=1, factor=16, offset=1)

