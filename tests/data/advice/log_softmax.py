from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((512, 1000), "float32"), Y: T.Buffer((512, 1000), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        M = T.alloc_buffer((512,))
        S = T.alloc_buffer((512,))
        for i, k in T.grid(512, 1000):
            with T.block("M"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32(-3.4e38)
                M[vi] = T.max(M[vi], X[vi, vk])
        for i, k in T.grid(512, 1000):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + T.exp(X[vi, vk] - M[vi])
        for i, j in T.grid(512, 1000):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] - M[vi] - T.log(S[vi])
