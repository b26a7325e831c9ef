# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((100, 30), "float32"), C: T.Buffer((100, 30), "float32")):
        # with T.block("root"):
        B = T.alloc_buffer((100, 30))
        for i, j0, j1 in T.grid(100, 4, 8):
            with T.block("B"):
                vi = T.axis.spatial(100, i)
                vj = T.axis.spatial(30, j0 * 8 + j1)
                T.where(j0 * 8 + j1 < 30)
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] + T.float32(1.0)
        for i, j in T.grid(100, 30):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] * B[vi, vj]

# steps
b0 = sch.get_block(name="B", func_name="main")
l1, l2, l3 = sch.get_loops(block=b0)
b4 = sch.get_block(name="B", func_name="main")
l5, l6, l7 = sch.get_loops(block=b4)
l8, l9, l10 = sch.split(loop=l5, factors=[None, 4, 2], preserve_unit_iters=True, disable_predication=False)
b11 = sch.get_block(name="C", func_name="main")
l12, l13 = sch.get_loops(block=b11)
b14 = sch.get_block(name="C", func_name="main")
l15, l16 = sch.get_loops(block=b14)
sch.unroll(loop=l16)
b17 = sch.get_block(name="B", func_name="main")
l18, l19, l20, l21, l22 = sch.get_loops(block=b17)
b23 = sch.get_block(name="B", func_name="main")
l24, l25, l26, l27, l28 = sch.get_loops(block=b23)
sch.vectorize(loop=l28)
b29 = sch.get_block(name="B", func_name="main")
l30, l31, l32, l33, l34 = sch.get_loops(block=b29)
b35 = sch.get_block(name="B", func_name="main")
l36, l37, l38, l39, l40 = sch.get_loops(block=b35)
sch.bind(loop=l39, thread_axis="vthread.x")
