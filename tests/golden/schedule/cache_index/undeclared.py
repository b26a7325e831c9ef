from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((3, 2), "float32"), B: T.Buffer((12,), "float32"), C: T.Buffer((3, 3), "float32"), D: T.Buffer((10,), "float32")):
        for i, j, k in T.grid(3, 3, 2):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * A[vj, vk]
        for i in range(10):
            with T.block("D"):
                vi = T.axis.spatial(10, i)
                D[vi] = B[vi] + B[vi + 2]

# steps
b1 = sch.get_block("D", func_name="main")
l1 = sch.get_loops(b1)
sch.cache_index(b1, "global", 1)
b3 = sch.get_block("D", func_name="main")
l3 = sch.get_loops(b3)
c3 = sch.get_block("C", func_name="main")
m3 = sch.get_loops(c3)
sch.reverse_compute_at(b3, m3[0])

