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
b0 = sch.get_block("C", func_name="main")
l1, l2 = sch.get_loops(b0)
b3 = sch.rfactor(l2, 1)
