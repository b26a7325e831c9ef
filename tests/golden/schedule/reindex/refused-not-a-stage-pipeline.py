# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), S: T.Buffer((16,), "float32")):
        B = T.alloc_buffer((16, 24))
        for i, j in T.grid(16, 24):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.spatial(24, i * j % 24)
                B[vi, vj] = A[vi, vj]
        for i, k in T.grid(16, 24):
            with T.block("S"):
                vi = T.axis.spatial(16, i)
                vk = T.axis.reduce(24, i * k % 24)
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + B[vi, vk]

# steps
sch.reindex("B", ("read", 0))
