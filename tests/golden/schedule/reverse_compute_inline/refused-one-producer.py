# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
        B = T.alloc_buffer((16, 8))
        for i in range(16):
            with T.block("outer"):
                vi = T.axis.spatial(16, i)
                T.reads(A[vi, 0:8])
                T.writes(B[vi, 0:8])
                for j in range(4):
                    with T.block("left"):
                        vj = T.axis.spatial(4, j)
                        B[vi, vj] = A[vi, vj]
                for j in range(4):
                    with T.block("right"):
                        vj = T.axis.spatial(4, j)
                        B[vi, vj + 4] = A[vi, vj + 4] + T.float32(1)
        for i, j in T.grid(16, 8):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)

# steps
sch.reverse_compute_inline("C")
