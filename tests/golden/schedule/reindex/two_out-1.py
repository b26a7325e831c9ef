# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        # with T.block("root"):
        for i, j in T.grid(64, 64):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] * T.float32(2.0)
        for i, j in T.grid(64, 64):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, vj], A[vj, vi])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] + A[vj, vi]

# steps
b0 = sch.get_block(name="B", func_name="main")
l1, l2 = sch.get_loops(block=b0)
b3 = sch.get_block(name="B", func_name="main")
l4, l5 = sch.get_loops(block=b3)
sch.bind(loop=l4, thread_axis="blockIdx.x")
b6 = sch.get_block(name="B", func_name="main")
l7, l8 = sch.get_loops(block=b6)
b9 = sch.get_block(name="B", func_name="main")
l10, l11 = sch.get_loops(block=b9)
l12, l13, l14 = sch.split(loop=l11, factors=[None, 2, 4], preserve_unit_iters=True, disable_predication=False)
b15 = sch.get_block(name="B", func_name="main")
l16, l17, l18, l19 = sch.get_loops(block=b15)
b20 = sch.get_block(name="B", func_name="main")
l21, l22, l23, l24 = sch.get_loops(block=b20)
b25 = sch.reindex(block=b20, buffer=("write", 0))
