# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        # with T.block("root"):
        B_reindex = T.alloc_buffer((64, 64))
        for i in T.vectorized(64):
            for j_0, j_1, j_2 in T.grid(8, 2, 4):
                with T.block("B"):
                    vi = T.axis.spatial(64, i)
                    vj = T.axis.spatial(64, j_0 * 8 + j_1 * 4 + j_2)
                    T.reads(A[vi, vj])
                    T.writes(B_reindex[vi, vj])
                    B_reindex[vi, vj] = A[vi, vj] * T.float32(2.0)
        for ax0, ax1 in T.grid(64, 64):
            with T.block("B_reindex"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(B_reindex[v0, v1])
                T.writes(B[v0, v1])
                B[v0, v1] = B_reindex[v0, v1]
        for i, j in T.grid(64, 64):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, vj], A[vj, vi])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] + A[vj, vi]
