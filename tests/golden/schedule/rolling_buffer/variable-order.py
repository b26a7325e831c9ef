from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((5, 16), "float32"), B: T.Buffer((9,), "float32"), D: T.Buffer((14,), "float32"), E: T.Buffer((5, 16), "float32")):
        C = T.alloc_buffer((16,), "float32")
        for k, i in T.grid(5, 16):
            with T.block("C"):
                vk, vi = T.axis.remap("RS", [k, i])
                with T.init():
                    C[vi] = T.float32(-1000000)
                C[vi] = T.max(C[vi], A[vk, vi])
        for i in range(14):
            with T.block("D"):
                vi = T.axis.spatial(14, i)
                D[vi] = C[vi] + C[vi + 2]
        for i, j in T.grid(5, 16):
            with T.block("E"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = A[vi, vj] + T.float32(3)

# steps
b3 = sch.get_block("D", func_name="main")
l3 = sch.get_loops(b3)
sch.unroll(l3[0])
b4 = sch.get_block("C", func_name="main")
l4 = sch.get_loops(b4)
sch.storage_align(b4, 0, axis=-1, factor=16, offset=0)
b5 = sch.get_block("E", func_name="main")
l5 = sch.get_loops(b5)
sch.set_axis_separator(b5, ("write", 0), [0])
b6 = sch.get_block("C", func_name="main")
l6 = sch.get_loops(b6)
c6 = sch.get_block("D", func_name="main")
m6 = sch.get_loops(c6)
o6, i6 = sch.split(m6[0], [None, 4])

sch.compute_at(b6, o6)

sch.rolling_buffer(b6, 0)

