from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((10, 12), "float32"), B: T.Buffer((8,), "float32"), F: T.Buffer((12, 12), "float32")):
        C = T.alloc_buffer((12, 12), "float32")
        D = T.alloc_buffer((12, 10), "float32")
        E = T.alloc_buffer((10, 10), "float32")
        for i, j in T.grid(12, 12):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.if_then_else(1 <= vi and vi < 11, A[vi - 1, vj], T.float32(0))
        for i, j in T.grid(12, 10):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj] - C[vi, vj + 2]
        for i, j, k in T.grid(10, 10, 12):
            with T.block("E"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    E[vi, vj] = T.float32(0)
                E[vi, vj] = E[vi, vj] + A[vi, vk] * A[vj, vk]
        for i, j in T.grid(12, 12):
            with T.block("F"):
                vi, vj = T.axis.remap("SS", [i, j])
                F[vi, vj] = C[vj, vi] * T.float32(-2) - C[vj, vi]
# steps
b1 = sch.get_block("F", func_name="main")
l1 = sch.get_loops(b1)
c1 = sch.get_block("C", func_name="main")
m1 = sch.get_loops(c1)
sch.reverse_compute_at(b1, m1[0])
b3 = sch.get_block("F", func_name="main")
l3 = sch.get_loops(b3)
sch.unroll(l3[0])
b6 = sch.get_block("C", func_name="main")
l6 = sch.get_loops(b6)
c6 = sch.get_block("D", func_name="main")
m6 = sch.get_loops(c6)
sch.reverse_compute_at(b6, m6[0])

