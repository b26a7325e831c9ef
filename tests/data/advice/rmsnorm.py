from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((512, 1024), "float32"), W: T.Buffer((1024,), "float32"), Y: T.Buffer((512, 1024), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((512,))
        for i, k in T.grid(512, 1024):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + X[vi, vk] * X[vi, vk]
        for i, j in T.grid(512, 1024):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * W[vj] * T.rsqrt(S[vi] * T.float32(0.0009765625) + T.float32(1e-5))
