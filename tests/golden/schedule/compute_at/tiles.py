# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((30, 30), "float32"), C: T.Buffer((27, 27), "float32")):
        B = T.alloc_buffer((4, 4, 8, 8))
        for i, j, a, b in T.grid(4, 4, 8, 8):
            with T.block("B"):
                vi, vj, va, vb = T.axis.remap("SSSS", [i, j, a, b])
                B[vi, vj, va, vb] = T.if_then_else(vi * 8 + va < 30 and vj * 8 + vb < 30, A[vi * 8 + va, vj * 8 + vb], T.float32(0))
        for i, j in T.grid(27, 27):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi // 8, vj // 8, vi % 8, vj % 8] + T.float32(1)
# steps
l = sch.split(sch.get_loops(sch.get_block("C"))[0], factors=[None, 8])
sch.compute_at(sch.get_block("B"), l[0])
