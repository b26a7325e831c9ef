# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((3, 22, 22), "int8"), W: T.Buffer((4, 3, 7, 7), "int8"), Y: T.Buffer((4, 8, 8), "int32")):
        P = T.alloc_buffer((3, 28, 28), "int8")
        Q = T.alloc_buffer((4, 3, 7, 7), "int8")
        for c, i, j in T.grid(3, 28, 28):
            with T.block("P"):
                vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                P[vc, vi, vj] = T.if_then_else(3 <= vi and vi < 25 and 3 <= vj and vj < 25, X[vc, vi - 3, vj - 3], T.int8(0))
        for u in range(1):
            for a, b, c, d in T.grid(4, 3, 7, 7):
                with T.block("Q"):
                    va, vb, vc, vd = T.axis.remap("SSSS", [a, b, c, d])
                    Q[va, vb, vc, vd] = W[va, vb, vc, vd]
            for f, i, j, c, ki, kj in T.grid(4, 8, 8, 3, 7, 7):
                with T.block("Y"):
                    vf, vi, vj, vc, vki, vkj = T.axis.remap("SSSRRR", [f, i, j, c, ki, kj])
                    with T.init():
                        Y[vf, vi, vj] = 0
                    Y[vf, vi, vj] = Y[vf, vi, vj] + T.Cast("int32", P[vc, vi * 2 + vki, vj * 2 + vkj]) * T.Cast("int32", Q[vf, vc, vki, vkj])
# steps
sch.compute_at(sch.get_block("P"), sch.get_loops(sch.get_block("Y"))[0], index=1)
