from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((700, 333), "float32"), Y: T.Buffer((700, 333), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        M = T.alloc_buffer((700,))
        E = T.alloc_buffer((700, 333))
        S = T.alloc_buffer((700,))
        for i, j in T.grid(700, 333):
            with T.block("max"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    M[vi] = T.min_value("float32")
                M[vi] = T.max(M[vi], X[vi, vj])
        for i, j in T.grid(700, 333):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = T.exp(X[vi, vj] - M[vi])
        for i, j in T.grid(700, 333):
            with T.block("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + E[vi, vj]
        for i, j in T.grid(700, 333):
            with T.block("div"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = E[vi, vj] / S[vi]
