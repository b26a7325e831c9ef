from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(Q: T.Buffer((8, 128, 64), "float32"), K: T.Buffer((8, 128, 64), "float32"), P: T.Buffer((8, 128, 128), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((8, 128, 128))
        M = T.alloc_buffer((8, 128))
        E = T.alloc_buffer((8, 128, 128))
        D = T.alloc_buffer((8, 128))
        for h, i, j, k in T.grid(8, 128, 128, 64):
            with T.block("S"):
                vh, vi, vj, vk = T.axis.remap("SSSR", [h, i, j, k])
                with T.init():
                    S[vh, vi, vj] = T.float32(0)
                S[vh, vi, vj] = S[vh, vi, vj] + Q[vh, vi, vk] * K[vh, vj, vk]
        for h, i, k in T.grid(8, 128, 128):
            with T.block("M"):
                vh, vi, vk = T.axis.remap("SSR", [h, i, k])
                with T.init():
                    M[vh, vi] = T.float32(-3.4e38)
                M[vh, vi] = T.max(M[vh, vi], S[vh, vi, vk])
        for h, i, j in T.grid(8, 128, 128):
            with T.block("E"):
                vh, vi, vj = T.axis.remap("SSS", [h, i, j])
                E[vh, vi, vj] = T.exp((S[vh, vi, vj] - M[vh, vi]) * T.float32(0.125))
        for h, i, k in T.grid(8, 128, 128):
            with T.block("D"):
                vh, vi, vk = T.axis.remap("SSR", [h, i, k])
                with T.init():
                    D[vh, vi] = T.float32(0)
                D[vh, vi] = D[vh, vi] + E[vh, vi, vk]
        for h, i, j in T.grid(8, 128, 128):
            with T.block("P"):
                vh, vi, vj = T.axis.remap("SSS", [h, i, j])
                P[vh, vi, vj] = E[vh, vi, vj] / D[vh, vi]
