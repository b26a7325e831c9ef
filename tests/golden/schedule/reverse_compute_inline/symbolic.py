# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 96))
        C = T.match_buffer(c, (n, 96))
        B = T.alloc_buffer((n, 96))
        for i, j in T.grid(n, 96):
            with T.block("B"):
                vi = T.axis.spatial(n, i)
                vj = T.axis.spatial(96, j)
                B[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(n, 96):
            with T.block("C"):
                vi = T.axis.spatial(n, i)
                vj = T.axis.spatial(96, j)
                C[vi, vj] = T.tanh(B[vi, vj])
# steps
sch.reverse_compute_inline("C")
