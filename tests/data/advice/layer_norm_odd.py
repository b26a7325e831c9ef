from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((300, 500), "float32"), G: T.Buffer((500,), "float32"), Y: T.Buffer((300, 500), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((300,))
        V = T.alloc_buffer((300,))
        for i, j in T.grid(300, 500):
            with T.block("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + X[vi, vj]
        for i, j in T.grid(300, 500):
            with T.block("var"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    V[vi] = T.float32(0)
                V[vi] = V[vi] + (X[vi, vj] - S[vi] / T.float32(500)) * (X[vi, vj] - S[vi] / T.float32(500))
        for i, j in T.grid(300, 500):
            with T.block("norm"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = (X[vi, vj] - S[vi] / T.float32(500)) * T.rsqrt(V[vi] / T.float32(500) + T.float32(1e-5)) * G[vj]
