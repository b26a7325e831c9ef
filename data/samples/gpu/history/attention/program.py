from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(Q: T.Buffer((16, 64), "float32"), K: T.Buffer((16, 256, 64), "float32"), V: T.Buffer((16, 256, 64), "float32"), O: T.Buffer((16, 64), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        P = T.alloc_buffer((16, 256))
        M = T.alloc_buffer((16,))
        E = T.alloc_buffer((16, 256))
        S = T.alloc_buffer((16,))
        U = T.alloc_buffer((16, 64))
        for h, n, d in T.grid(16, 256, 64):
            with T.block("scores"):
                vh, vn, vd = T.axis.remap("SSR", [h, n, d])
                with T.init():
                    P[vh, vn] = T.float32(0)
                P[vh, vn] = P[vh, vn] + Q[vh, vd] * K[vh, vn, vd]
        for h, n in T.grid(16, 256):
            with T.block("max"):
                vh, vn = T.axis.remap("SR", [h, n])
                with T.init():
                    M[vh] = T.min_value("float32")
                M[vh] = T.max(M[vh], P[vh, vn])
        for h, n in T.grid(16, 256):
            with T.block("exp"):
                vh, vn = T.axis.remap("SS", [h, n])
                E[vh, vn] = T.exp((P[vh, vn] - M[vh]) * T.float32(0.125))
        for h, n in T.grid(16, 256):
            with T.block("sum"):
                vh, vn = T.axis.remap("SR", [h, n])
                with T.init():
                    S[vh] = T.float32(0)
                S[vh] = S[vh] + E[vh, vn]
        for h, d, n in T.grid(16, 64, 256):
            with T.block("values"):
                vh, vd, vn = T.axis.remap("SSR", [h, d, n])
                with T.init():
                    U[vh, vd] = T.float32(0)
                U[vh, vd] = U[vh, vd] + E[vh, vn] * V[vh, vn, vd]
        for h, d in T.grid(16, 64):
            with T.block("out"):
                vh, vd = T.axis.remap("SS", [h, d])
                O[vh, vd] = U[vh, vd] / S[vh]
