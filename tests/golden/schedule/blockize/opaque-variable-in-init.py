from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 4), "float32"), B: T.Buffer((4,), "float32"), E: T.Buffer((14,), "float32")):
        C = T.alloc_buffer((16,), "float32")
        D = T.alloc_buffer((16, 16), "float32")
        for i, k in T.grid(16, 4):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk]
        for i, j, k in T.grid(16, 16, 4):
            with T.block("D"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    D[vi, vj] = T.float32(0)
                D[vi, vj] = D[vi, vj] + A[vi, vk] * A[vj, vk]
        for i in range(14):
            with T.block("E"):
                vi = T.axis.spatial(14, i)
                E[vi] = C[vi] + C[vi + 2]

# steps
b0 = sch.get_block("C", func_name="main")
l0 = sch.get_loops(b0)
c0 = sch.get_block("E", func_name="main")
m0 = sch.get_loops(c0)
o0, i0 = sch.split(m0[0], [None, 3])

sch.compute_at(b0, o0)

sch.rolling_buffer(b0, 0)
b3 = sch.get_block("E", func_name="main")
l3 = sch.get_loops(b3)
sch.annotate(b3, "key", [1, "two"])
sch.unannotate(b3, "key")
sch.enter_postproc()
b7 = sch.get_block("D", func_name="main")
l7 = sch.get_loops(b7)
sch.blockize(l7[0])

