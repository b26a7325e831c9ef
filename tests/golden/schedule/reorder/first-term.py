from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((7, 16), "float32"), B: T.Buffer((9,), "float32"), C: T.Buffer((7, 7), "float32")):
        for i, j, k in T.grid(7, 7, 16):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * A[vj, vk]

# steps
b2 = sch.get_block("C", func_name="main")
l2 = sch.get_loops(b2)
sch.fuse(l2[1], l2[2])
b3 = sch.get_block("C", func_name="main")
l3 = sch.get_loops(b3)
p3 = sch.sample_compute_location(b3, decision=0)
sch.compute_at(b3, p3)
b5 = sch.get_block("C", func_name="main")
l5 = sch.get_loops(b5)
sch.split(l5[0], factors=[None, 4])
b6 = sch.get_block("C", func_name="main")
l6 = sch.get_loops(b6)
t6 = sch.sample_perfect_tile(l6[2], 3, 8)
sch.split(l6[2], t6)
b7 = sch.get_block("C", func_name="main")
l7 = sch.get_loops(b7)
sch.reorder(l7[3], l7[2])

