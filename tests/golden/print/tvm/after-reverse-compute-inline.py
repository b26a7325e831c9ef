# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((100, 30), "float32"), C: T.Buffer((100, 30), "float32")):
        # with T.block("root"):
        B_shared = T.alloc_buffer((100, 30), scope="shared")
        for i, j0, j1 in T.grid(100, 4, 8):
            with T.block("B"):
                vi = T.axis.spatial(100, i)
                vj = T.axis.spatial(30, j0 * 8 + j1)
                T.where(j0 * 8 + j1 < 30)
                T.reads(A[vi, vj])
                T.writes(B_shared[vi, vj])
                B_shared[vi, vj] = A[vi, vj] + T.float32(1.0)
        for ax0, ax1 in T.grid(100, 30):
            with T.block("B_shared"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(B_shared[v0, v1])
                T.writes(C[v0, v1])
                C[v0, v1] = B_shared[v0, v1] * B_shared[v0, v1]
