from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((128, 1024), "float32"), G: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32"), Y: T.Buffer((128, 1024), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((128,))
        Q = T.alloc_buffer((128,))
        for i, k in T.grid(128, 1024):
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + X[vi, vk]
        for i, k in T.grid(128, 1024):
            with T.block("squares"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Q[vi] = T.float32(0)
                Q[vi] = Q[vi] + X[vi, vk] * X[vi, vk]
        for i, j in T.grid(128, 1024):
            with T.block("norm"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = (X[vi, vj] - S[vi] * T.float32(0.0009765625)) * T.rsqrt(Q[vi] * T.float32(0.0009765625) - S[vi] * T.float32(0.0009765625) * (S[vi] * T.float32(0.0009765625)) + T.float32(1e-5)) * G[vj] + B[vj]
