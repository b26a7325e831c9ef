from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((384, 960), "float32"), M: T.Buffer((384,), "float32"), V: T.Buffer((384,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((384,))
        Q = T.alloc_buffer((384,))
        for i, k in T.grid(384, 960):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + X[vi, vk]
        for i in range(384):
            with T.block("M"):
                vi = T.axis.spatial(384, i)
                M[vi] = S[vi] * T.float32(0.00104167)
        for i, k in T.grid(384, 960):
            with T.block("Q"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Q[vi] = T.float32(0)
                Q[vi] = Q[vi] + (X[vi, vk] - M[vi]) * (X[vi, vk] - M[vi])
        for i in range(384):
            with T.block("V"):
                vi = T.axis.spatial(384, i)
                V[vi] = Q[vi] * T.float32(0.00104167)
