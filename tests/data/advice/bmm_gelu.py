from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 128, 256), "float32"), B: T.Buffer((8, 256, 128), "float32"), bias: T.Buffer((128,), "float32"), Y: T.Buffer((8, 128, 128), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        C = T.alloc_buffer((8, 128, 128))
        D = T.alloc_buffer((8, 128, 128))
        for b, i, j, k in T.grid(8, 128, 128, 256):
            with T.block("matmul"):
                vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
                with T.init():
                    C[vb, vi, vj] = T.float32(0)
                C[vb, vi, vj] = C[vb, vi, vj] + A[vb, vi, vk] * B[vb, vk, vj]
        for b, i, j in T.grid(8, 128, 128):
            with T.block("add"):
                vb, vi, vj = T.axis.remap("SSS", [b, i, j])
                D[vb, vi, vj] = C[vb, vi, vj] + bias[vj]
        for b, i, j in T.grid(8, 128, 128):
            with T.block("gelu"):
                vb, vi, vj = T.axis.remap("SSS", [b, i, j])
                Y[vb, vi, vj] = D[vb, vi, vj] * T.float32(0.5) * (T.float32(1) + T.erf(D[vb, vi, vj] * T.float32(0.70710678)))
